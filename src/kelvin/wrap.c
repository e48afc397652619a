// wrap.c - a closed triangle surface around a bare cloud of points. Knows no normals, no conditions and no sources.
// Gauss: the solid angle under which a closed surface is seen, over 4 pi, is 1 inside, 1/2 on it and 0 outside. It is a sum over the surface
// of (area times normal) times a known kernel. So the areas and normals of the points are sought, as vectors, such that the sum is 1/2 at every
// point; of all that do this, the smallest (parametric Gauss reconstruction: Lin, Xiao, Shi, Wang, ACM Transactions on Graphics 2022).
// The surface is where the sum is as at the points; then its corners go onto a quadric through the points around.
#include "wrap.h"

#include "../base/cloud.h"
#include "../base/sets.h"

#include <cblas.h>
#include <lapacke.h>

enum
{
	PN_MOST_CENTRES = 2000, // points with a vector; a dense matrix
	PN_CHUNK = 128, // centres in a strip of it
	PN_SPACING_NEAR = 9, // a point and its eight nearest
	PN_FIT_POINTS = 96,
	PN_FEWEST_FOR_PLANE = 4,
	PN_FEWEST_FOR_QUADRIC = 10,
	PN_MOST_NODES = 3000000, // of the grid
	PN_EVENINGS = 4, // moves of the corners
	PN_UNFOLDINGS = 4,
};
static const double pn_alone = 4.0; // an outlier: its neighbours are this many times farther away than those of most points
static const double pn_ridge = 0.3; // added to the diagonal, relative: points with noise cannot all have exactly 1/2
static const double pn_nodesPerSpacing = 1.0; // of the grid
static const double pn_fitRadius = 2.2; // spacings around a corner: some fifteen points
static const double pn_mostFitRadius = 3.6; // where points are off the surface by a tenth of their spacing: forty points
static const double pn_mostMove = 0.3; // spacings at a time: of a thin part the sides must not pass each other
static const double pn_leastFacing = 0.3; // cosine: triangles that look elsewhere than the surface are folded
static const double pn_muchNoise = 0.1; // spacings
static const double pn_leastPart = 0.01; // of the area: smaller ones are no parts of the solid
static const double pn_leastShare = 0.25; // of an edge of the grid: corners keep this far from its ends

// ---- the cloud ----

typedef struct pnWrap
{
	const pnVec3d* points; // those that are kept
	pnVec3* floats;
	pnVec3d* outward; // unit, at each point
	int count;
	pnPointTree tree;
	double spacing; // of most points
	pnVec3d* centres;
	pnVec3d* vectors; // area times normal, over 4 pi
	double* widths; // nearer than this the kernel grows no more
	int centreCount;
	double level; // of the sum, at the points
	double fitRadius; // spacings
	pnTasks* tasks;
} pnWrap;

static pnVec3 pnToFloat( pnVec3d p ) { return pnMakeVec3( (float)p.x, (float)p.y, (float)p.z ); }

// Of the room that a point takes with its neighbours.
static double pnFindSpacing( const pnPointTree* tree, pnVec3 place )
{
	int32_t found[PN_SPACING_NEAR];
	double distances2[PN_SPACING_NEAR];
	int count = pnFindNearest( tree, place, PN_SPACING_NEAR, found, distances2 );
	return sqrt( M_PI * distances2[count - 1] / count );
}

// Changes the order.
static double pnGetMedian( double* values, int count )
{
	int low = 0, high = count - 1, middle = count / 2;
	while ( low < high )
	{
		double pivot = values[( low + high ) / 2];
		int i = low, j = high;
		while ( i <= j )
		{
			while ( values[i] < pivot )
			{
				++i;
			}
			while ( values[j] > pivot )
			{
				--j;
			}
			if ( i <= j )
			{
				double kept = values[i];
				values[i++] = values[j];
				values[j--] = kept;
			}
		}
		if ( middle <= j )
		{
			high = j;
		}
		else if ( middle >= i )
		{
			low = i;
		}
		else
		{
			break;
		}
	}
	return count > 0 ? values[middle] : 0.0;
}

double pnGetCloudNoise( const pnVec3d* points, const pnVec3d* normals, int count )
{
	enum { PN_NEAR = 7 };
	pnScratch scratch = { 0 };
	pnPointTree tree;
	pnVec3* floats = pnTakeRawArray( &scratch, pnVec3, count );
	double* sines = pnTakeRawArray( &scratch, double, (size_t)count * PN_NEAR );
	for ( int i = 0; i < count && scratch.failed == false; ++i )
	{
		floats[i] = pnToFloat( points[i] );
	}
	if ( scratch.failed || pnBuildPointTree( &tree, floats, NULL, count, &scratch ) == false )
	{
		pnGiveBack( &scratch );
		return -1.0;
	}
	int made = 0;
	for ( int i = 0; i < count; ++i )
	{
		int32_t found[PN_NEAR];
		double distances2[PN_NEAR];
		int near = pnFindNearest( &tree, floats[i], PN_NEAR, found, distances2 );
		for ( int k = 0; k < near; ++k )
		{
			pnVec3d d = pnSubD( points[found[k]], points[i] ), n = normals[i], m = normals[found[k]];
			if ( pnDotD( d, d ) > 0.0 && pnDotD( n, m ) > 0.8 )
			{
				sines[made++] = fabs( pnDotD( d, pnUnitD( pnAddD( n, m ) ) ) ) / pnLengthD( d );
			}
		}
	}
	double median = pnGetMedian( sines, made );
	pnGiveBack( &scratch );
	return median;
}

// ---- solid angles ----

// The sum at a place, and how it grows from there.
static double pnSumAngles( const pnWrap* w, pnVec3d place, pnVec3d* gradient )
{
	double sum = 0.0;
	pnVec3d g = { 0.0, 0.0, 0.0 };
	for ( int j = 0; j < w->centreCount; ++j )
	{
		pnVec3d d = pnSubD( w->centres[j], place ), v = w->vectors[j];
		double r2 = pnDotD( d, d ), along = pnDotD( v, d ), least = w->widths[j];
		bool near = r2 < least * least;
		double r = near ? least : sqrt( r2 ), inverse3 = 1.0 / ( r * r * r );
		sum += along * inverse3;
		if ( gradient != NULL )
		{
			g = pnMulAddD( g, -inverse3, v );
			g = near ? g : pnMulAddD( g, 3.0 * along * inverse3 / r2, d );
		}
	}
	if ( gradient != NULL )
	{
		*gradient = g;
	}
	return sum;
}

typedef struct pnStrip
{
	const pnWrap* wrap;
	int begin, count; // of the centres
	double* rows; // of centre i: [i + (3 (j - begin) + axis) centreCount]
} pnStrip;

static void pnFillStrip( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnStrip* strip = context;
	const pnWrap* w = strip->wrap;
	for ( int j = begin; j < end; ++j )
	{
		double* columns[3];
		for ( int axis = 0; axis < 3; ++axis )
		{
			columns[axis] = strip->rows + ( 3 * (size_t)j + (size_t)axis ) * (size_t)w->centreCount;
		}
		pnVec3d from = w->centres[strip->begin + j];
		double least = w->widths[strip->begin + j];
		for ( int i = 0; i < w->centreCount; ++i )
		{
			pnVec3d d = pnSubD( from, w->centres[i] );
			double r = fmax( sqrt( pnDotD( d, d ) ), least ), inverse3 = 1.0 / ( r * r * r );
			columns[0][i] = d.x * inverse3;
			columns[1][i] = d.y * inverse3;
			columns[2][i] = d.z * inverse3;
		}
	}
}

// The smallest vectors for which the sum is 1/2 at the centres.
static pnResult pnFindVectors( pnWrap* w )
{
	int n = w->centreCount;
	pnScratch scratch = { 0 };
	double* matrix = pnTakeArray( &scratch, double, (size_t)n * (size_t)n );
	double* rows = pnTakeRawArray( &scratch, double, 3 * PN_CHUNK * (size_t)n );
	double* amounts = pnTakeArray( &scratch, double, n );
	double* vectors = pnTakeArray( &scratch, double, 3 * PN_CHUNK );
	pnResult result = scratch.failed ? pn_outOfMemory : pn_success;
	for ( int pass = 0; pass < 2 && result == pn_success; ++pass )
	{
		for ( int begin = 0; begin < n; begin += PN_CHUNK )
		{
			pnStrip strip = { w, begin, n - begin < PN_CHUNK ? n - begin : PN_CHUNK, rows };
			pnParallelFor( w->tasks, pnFillStrip, strip.count, 8, &strip );
			if ( pass == 0 )
			{
				cblas_dsyrk( CblasColMajor, CblasLower, CblasNoTrans, n, 3 * strip.count, 1.0, rows, n, 1.0, matrix, n );
				continue;
			}
			cblas_dgemv( CblasColMajor, CblasTrans, n, 3 * strip.count, 1.0, rows, n, amounts, 1, 0.0, vectors, 1 );
			for ( int j = 0; j < strip.count; ++j )
			{
				w->vectors[begin + j] = pnMakeD( vectors[3 * j], vectors[3 * j + 1], vectors[3 * j + 2] );
			}
		}
		for ( int i = 0; i < n && pass == 0; ++i )
		{
			matrix[(size_t)i * (size_t)( n + 1 )] *= 1.0 + pn_ridge;
			amounts[i] = 0.5;
		}
		if ( pass == 0 && ( LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', n, matrix, n ) != 0 || LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', n, 1, matrix, n, amounts, n ) != 0 ) )
		{
			pnLog( "The cloud of %d points encloses nothing.", w->count );
			result = pn_invalidInput;
		}
	}
	pnGiveBack( &scratch );
	return result;
}

static void pnTurnSome( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	pnWrap* w = context;
	for ( int i = begin; i < end; ++i )
	{
		pnVec3d gradient;
		pnSumAngles( w, w->points[i], &gradient );
		w->outward[i] = pnUnitD( pnScaleD( -1.0, gradient ) );
	}
}

// ---- the surface ----

typedef struct pnGrid
{
	const pnWrap* wrap;
	double lower[3], step;
	int size[3]; // nodes
	float* sums; // less the level, at the nodes
} pnGrid;

static pnVec3d pnGetNode( const pnGrid* grid, int x, int y, int z )
{
	return pnMakeD( grid->lower[0] + grid->step * x, grid->lower[1] + grid->step * y, grid->lower[2] + grid->step * z );
}

static void pnFillGrid( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	pnGrid* grid = context;
	for ( int line = begin; line < end; ++line )
	{
		int y = line % grid->size[1], z = line / grid->size[1];
		for ( int x = 0; x < grid->size[0]; ++x )
		{
			double sum = pnSumAngles( grid->wrap, pnGetNode( grid, x, y, z ), NULL ) - grid->wrap->level;
			grid->sums[(size_t)line * (size_t)grid->size[0] + (size_t)x] = (float)sum;
		}
	}
}

typedef struct pnSkin
{
	pnVec3d* corners; // first three of each triangle; later those in one place are one
	int count, capacity;
	int32_t* triangles;
	int triangleCount;
	bool failed;
} pnSkin;

static void pnAddCorner( pnSkin* skin, pnVec3d place )
{
	if ( skin->count == skin->capacity && pnGrow( (void**)&skin->corners, &skin->capacity, skin->count, skin->count + 1, sizeof( pnVec3d ) ) == false )
	{
		skin->failed = true;
		return;
	}
	skin->corners[skin->count++] = place;
}

// Where the level is met between two nodes: the same bits from either end.
static pnVec3d pnMeetLevel( const pnVec3d places[4], const float sums[4], int in, int out )
{
	double share = fmin( fmax( (double)sums[in] / ( (double)sums[in] - (double)sums[out] ), pn_leastShare ), 1.0 - pn_leastShare );
	return pnMulAddD( places[in], share, pnSubD( places[out], places[in] ) );
}

// One tetrahedron: none, one or two triangles. turned: its corners are a left hand.
static void pnCutTet( pnSkin* skin, const pnVec3d places[4], const float sums[4], bool turned )
{
	int ins[4], outs[4], inCount = 0, outCount = 0;
	for ( int k = 0; k < 4; ++k )
	{
		if ( sums[k] > 0.0f )
		{
			ins[inCount++] = k;
		}
		else
		{
			outs[outCount++] = k;
		}
	}
	if ( inCount == 0 || outCount == 0 )
	{
		return;
	}
	// The order of the corners, inner ones first, is an even permutation or not.
	int order[4];
	for ( int k = 0; k < 4; ++k )
	{
		order[k] = k < inCount ? ins[k] : outs[k - inCount];
	}
	int swaps = 0;
	for ( int a = 0; a < 4; ++a )
	{
		for ( int b = a + 1; b < 4; ++b )
		{
			swaps += order[a] > order[b];
		}
	}
	bool flipped = ( swaps % 2 == 1 ) != turned;
	pnVec3d p[4];
	int count = 0;
	if ( inCount == 1 )
	{
		for ( int k = 0; k < 3; ++k )
		{
			p[count++] = pnMeetLevel( places, sums, ins[0], outs[k] );
		}
	}
	else if ( outCount == 1 )
	{
		for ( int k = 0; k < 3; ++k )
		{
			p[count++] = pnMeetLevel( places, sums, ins[k], outs[0] );
		}
	}
	else
	{
		p[count++] = pnMeetLevel( places, sums, ins[0], outs[0] );
		p[count++] = pnMeetLevel( places, sums, ins[0], outs[1] );
		p[count++] = pnMeetLevel( places, sums, ins[1], outs[1] );
		p[count++] = pnMeetLevel( places, sums, ins[1], outs[0] );
	}
	for ( int k = 1; k + 1 < count; ++k )
	{
		pnAddCorner( skin, p[0] );
		pnAddCorner( skin, flipped ? p[k + 1] : p[k] );
		pnAddCorner( skin, flipped ? p[k] : p[k + 1] );
	}
}

// Six tetrahedra to a cube, from its lowest corner to its highest along the axes in every order: they fit those of the next cube.
static void pnCutCubes( const pnGrid* grid, pnSkin* skin )
{
	static const int orders[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
	for ( int z = 0; z + 1 < grid->size[2]; ++z )
	{
		for ( int y = 0; y + 1 < grid->size[1]; ++y )
		{
			for ( int x = 0; x + 1 < grid->size[0] && skin->failed == false; ++x )
			{
				float sums[8];
				bool any = false;
				for ( int k = 0; k < 8; ++k )
				{
					size_t line = (size_t)( z + ( k >> 2 ) ) * (size_t)grid->size[1] + (size_t)( y + ( k >> 1 & 1 ) );
					sums[k] = grid->sums[line * (size_t)grid->size[0] + (size_t)( x + ( k & 1 ) )];
					any = any || ( sums[k] > 0.0f ) != ( sums[0] > 0.0f );
				}
				for ( int tet = 0; tet < 6 && any; ++tet )
				{
					pnVec3d places[4];
					float some[4];
					for ( int k = 0, node = 0; k < 4; ++k )
					{
						places[k] = pnGetNode( grid, x + ( node & 1 ), y + ( node >> 1 & 1 ), z + ( node >> 2 ) );
						some[k] = sums[node];
						node |= k < 3 ? 1 << orders[tet][k] : 0;
					}
					pnCutTet( skin, places, some, tet >= 3 );
				}
			}
		}
	}
}

// ---- onto the points ----

// Height of the points around over the tangent plane, at the foot: of a quadric, of a plane, or none.
static double pnFitHeight( const pnWrap* w, pnVec3d place, pnVec3d normal )
{
	int32_t found[PN_FIT_POINTS];
	double distances2[PN_FIT_POINTS];
	int near = pnFindNearest( &w->tree, pnToFloat( place ), PN_FIT_POINTS, found, distances2 ), used = 0;
	double spacing = sqrt( M_PI * distances2[near > 8 ? 8 : near - 1] / 9.0 ), radius = w->fitRadius * fmax( spacing, 0.5 * w->spacing );
	pnVec3d s, t;
	pnMakeFrameD( normal, &s, &t );
	double A[36] = { 0.0 }, b[6] = { 0.0 };
	for ( int k = 0; k < near; ++k )
	{
		double share = 1.0 - distances2[k] / ( radius * radius );
		double facing = pnDotD( w->outward[found[k]], normal );
		if ( share <= 0.0 || facing < 0.4 )
		{
			continue;
		}
		// Beyond an edge points stand for another face.
		double weight = share * share * facing * facing * facing * facing;
		pnVec3d d = pnScaleD( 1.0 / radius, pnSubD( w->points[found[k]], place ) );
		double x = pnDotD( d, s ), y = pnDotD( d, t ), row[6] = { 1.0, x, y, x * x, x * y, y * y };
		for ( int i = 0; i < 6; ++i )
		{
			for ( int j = 0; j <= i; ++j )
			{
				A[j * 6 + i] += weight * row[i] * row[j];
			}
			b[i] += weight * row[i] * pnDotD( d, normal );
		}
		++used;
	}
	int terms = used >= PN_FEWEST_FOR_QUADRIC ? 6 : used >= PN_FEWEST_FOR_PLANE ? 3 : 0;
	for ( int i = 0; i < terms; ++i )
	{
		A[i * 7] *= 1.0 + 1e-3; // points nearly in a line tell no curvature across it
	}
	if ( terms == 0 || LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', terms, A, 6 ) != 0 || LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', terms, 1, A, 6, b, 6 ) != 0 )
	{
		return 0.0;
	}
	return fmin( fmax( b[0] * radius, -pn_mostMove * spacing ), pn_mostMove * spacing );
}

// Heights of the points themselves over their fits tell how far they are off the surface.
static bool pnFindFitRadius( pnWrap* w )
{
	int stride = w->count / 500 + 1, made = 0;
	double* heights = pnAllocArray( double, w->count );
	if ( heights == NULL )
	{
		return false;
	}
	w->fitRadius = pn_mostFitRadius;
	for ( int i = 0; i < w->count; i += stride )
	{
		heights[made++] = fabs( pnFitHeight( w, w->points[i], w->outward[i] ) );
	}
	// Of a normal distribution the median is 0.67 of the deviation.
	double noise = pnGetMedian( heights, made ) / ( 0.67 * w->spacing );
	w->fitRadius = pn_fitRadius + ( pn_mostFitRadius - pn_fitRadius ) * fmin( noise / pn_muchNoise, 1.0 );
	pnFreeArray( double, heights, w->count );
	return true;
}

typedef struct pnFit
{
	const pnWrap* wrap;
	pnVec3d* corners;
} pnFit;

static void pnFitSome( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnFit* fit = context;
	for ( int i = begin; i < end; ++i )
	{
		pnVec3d gradient;
		pnSumAngles( fit->wrap, fit->corners[i], &gradient );
		pnVec3d normal = pnUnitD( pnScaleD( -1.0, gradient ) );
		fit->corners[i] = pnMulAddD( fit->corners[i], pnFitHeight( fit->wrap, fit->corners[i], normal ), normal );
	}
}

// ---- the whole ----

// Keeps points that have company and writes how far apart they are.
static bool pnDropOutliers( const pnVec3d* points, const int32_t* groups, int count, pnVec3d* kept, int32_t* keptGroups, pnWrap* w )
{
	pnScratch scratch = { 0 };
	pnPointTree tree;
	double* spacings = pnTakeRawArray( &scratch, double, count );
	double* sorted = pnTakeRawArray( &scratch, double, count );
	for ( int i = 0; i < count && scratch.failed == false; ++i )
	{
		w->floats[i] = pnToFloat( points[i] );
	}
	bool done = scratch.failed == false && pnBuildPointTree( &tree, w->floats, NULL, count, &scratch );
	for ( int i = 0; i < count && done; ++i )
	{
		sorted[i] = spacings[i] = pnFindSpacing( &tree, w->floats[i] );
	}
	w->spacing = done ? pnGetMedian( sorted, count ) : 0.0;
	for ( int i = 0; i < count && done; ++i )
	{
		if ( spacings[i] <= pn_alone * w->spacing )
		{
			kept[w->count] = points[i];
			w->floats[w->count] = w->floats[i];
			keptGroups[w->count++] = groups != NULL ? groups[i] : 0;
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// Of many points some, evenly.
static bool pnTakeCentres( pnWrap* w, int32_t* lowest )
{
	for ( double distance = 0.3 * w->spacing;; distance *= 1.15 )
	{
		if ( pnWeldPoints( w->floats, w->count, distance, lowest ) == false )
		{
			return false;
		}
		w->centreCount = 0;
		for ( int i = 0; i < w->count; ++i )
		{
			w->centreCount += lowest[i] == i;
		}
		if ( w->centreCount <= PN_MOST_CENTRES )
		{
			break;
		}
	}
	int made = 0;
	for ( int i = 0; i < w->count; ++i )
	{
		if ( lowest[i] == i )
		{
			w->centres[made++] = w->points[i];
		}
	}
	return true;
}

// Makes one corner of those in one place, and leaves out what hangs together with next to nothing: drops beside thin parts, bubbles between few
// points. The triangles live in the scratch.
static bool pnJoinCorners( pnSkin* skin, pnScratch* lasting )
{
	int count = skin->count;
	skin->triangles = pnTakeRawArray( lasting, int32_t, count );
	pnScratch scratch = { 0 };
	pnVec3* floats = pnTakeRawArray( &scratch, pnVec3, count );
	int32_t* lowest = pnTakeRawArray( &scratch, int32_t, count );
	int32_t* sets = pnTakeRawArray( &scratch, int32_t, count );
	double* areas = pnTakeArray( &scratch, double, count );
	for ( int i = 0; i < count && scratch.failed == false; ++i )
	{
		floats[i] = pnToFloat( skin->corners[i] );
	}
	bool done = lasting->failed == false && scratch.failed == false && pnWeldPoints( floats, count, 0.0, lowest );
	double whole = 0.0;
	for ( int i = 0; i < count && done; ++i )
	{
		sets[i] = i;
	}
	for ( int i = 0; i < count && done; i += 3 )
	{
		const pnVec3d* p = skin->corners + i;
		pnJoinSets( sets, lowest[i], lowest[i + 1] );
		pnJoinSets( sets, lowest[i], lowest[i + 2] );
		areas[i] = 0.5 * pnLengthD( pnCrossD( pnSubD( p[1], p[0] ), pnSubD( p[2], p[0] ) ) );
		whole += areas[i];
	}
	double* sums = done ? pnTakeArray( &scratch, double, count ) : NULL;
	done = sums != NULL;
	for ( int i = 0; i < count && done; i += 3 )
	{
		sums[pnFindSet( sets, lowest[i] )] += areas[i];
	}
	int used = 0;
	for ( int i = 0; i < count && done; i += 3 )
	{
		if ( sums[pnFindSet( sets, lowest[i] )] > pn_leastPart * whole )
		{
			memcpy( skin->triangles + used, lowest + i, 3 * sizeof( int32_t ) );
			used += 3;
		}
	}
	// Corners that are used, in their order; sets is where they went.
	if ( done && count > 0 )
	{
		memset( sets, 0, (size_t)count * sizeof( int32_t ) );
	}
	for ( int i = 0; i < used && done; ++i )
	{
		sets[skin->triangles[i]] = 1;
	}
	int kept = 0;
	for ( int i = 0; i < count && done; ++i )
	{
		if ( sets[i] != 0 )
		{
			skin->corners[kept] = skin->corners[i];
			sets[i] = kept++;
		}
	}
	for ( int i = 0; i < used && done; ++i )
	{
		skin->triangles[i] = sets[skin->triangles[i]];
	}
	skin->count = done ? kept : count;
	skin->triangleCount = used / 3;
	pnGiveBack( &scratch );
	return done;
}

typedef struct pnLook
{
	const pnWrap* wrap;
	const pnSkin* skin;
	uint8_t* turned;
} pnLook;

static void pnLookSome( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnLook* look = context;
	for ( int f = begin; f < end; ++f )
	{
		const int32_t* t = look->skin->triangles + 3 * f;
		pnVec3d a = look->skin->corners[t[0]], b = look->skin->corners[t[1]], c = look->skin->corners[t[2]], gradient;
		pnSumAngles( look->wrap, pnScaleD( 1.0 / 3.0, pnAddD( a, pnAddD( b, c ) ) ), &gradient );
		pnVec3d normal = pnUnitD( pnCrossD( pnSubD( b, a ), pnSubD( c, a ) ) );
		look->turned[f] = -pnDotD( normal, pnUnitD( gradient ) ) < pn_leastFacing;
	}
}

// At rims and thin parts corners may have passed each other: where triangles do not look outward, their corners go back to where they began,
// and with every try those of one more ring.
static bool pnUnfoldSkin( const pnWrap* w, const pnVec3d* first, pnSkin* skin )
{
	pnScratch scratch = { 0 };
	uint8_t* turned = pnTakeArray( &scratch, uint8_t, skin->triangleCount );
	uint8_t* back = pnTakeArray( &scratch, uint8_t, skin->count );
	bool done = scratch.failed == false;
	for ( int pass = 0; pass < PN_UNFOLDINGS && done; ++pass )
	{
		pnLook look = { w, skin, turned };
		pnParallelFor( w->tasks, pnLookSome, skin->triangleCount, 32, &look );
		for ( int f = 0; f < skin->triangleCount; ++f )
		{
			const int32_t* t = skin->triangles + 3 * f;
			for ( int k = 0; k < 3 && turned[f]; ++k )
			{
				back[t[k]] = 1;
			}
		}
		for ( int i = 0; i < skin->count; ++i )
		{
			skin->corners[i] = back[i] ? first[i] : skin->corners[i];
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// Corners go to the middle of the triangles around them, then onto the points again: so triangles become even.
static bool pnEvenSkin( const pnWrap* w, pnSkin* skin )
{
	pnScratch scratch = { 0 };
	pnVec3d* first = pnTakeRawArray( &scratch, pnVec3d, skin->count );
	pnVec3d* sums = pnTakeRawArray( &scratch, pnVec3d, skin->count );
	double* weights = pnTakeRawArray( &scratch, double, skin->count );
	bool done = scratch.failed == false;
	if ( done )
	{
		memcpy( first, skin->corners, (size_t)skin->count * sizeof( pnVec3d ) );
	}
	for ( int pass = 0; pass < PN_EVENINGS && done; ++pass )
	{
		memset( sums, 0, (size_t)skin->count * sizeof( pnVec3d ) );
		memset( weights, 0, (size_t)skin->count * sizeof( double ) );
		for ( int f = 0; f < skin->triangleCount; ++f )
		{
			const int32_t* t = skin->triangles + 3 * f;
			pnVec3d a = skin->corners[t[0]], b = skin->corners[t[1]], c = skin->corners[t[2]], middle = pnScaleD( 1.0 / 3.0, pnAddD( a, pnAddD( b, c ) ) );
			double area = pnLengthD( pnCrossD( pnSubD( b, a ), pnSubD( c, a ) ) );
			for ( int k = 0; k < 3; ++k )
			{
				sums[t[k]] = pnMulAddD( sums[t[k]], area, middle );
				weights[t[k]] += area;
			}
		}
		for ( int i = 0; i < skin->count; ++i )
		{
			skin->corners[i] = weights[i] > 0.0 ? pnScaleD( 1.0 / weights[i], sums[i] ) : skin->corners[i];
		}
		pnFit fit = { w, skin->corners };
		pnParallelFor( w->tasks, pnFitSome, skin->count, 32, &fit );
	}
	done = done && pnUnfoldSkin( w, first, skin );
	pnGiveBack( &scratch );
	return done;
}

static pnResult pnMakeSkin( const pnWrap* w, pnScratch* scratch, pnSkin* skin )
{
	pnVec3d lower = w->points[0], upper = lower;
	for ( int i = 1; i < w->count; ++i )
	{
		pnVec3d p = w->points[i];
		lower = pnMakeD( fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) );
		upper = pnMakeD( fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) );
	}
	double widths = 0.0;
	for ( int i = 0; i < w->centreCount; ++i )
	{
		widths += w->widths[i] / w->centreCount;
	}
	pnGrid grid = { .wrap = w, .step = widths / pn_nodesPerSpacing };
	double margin = 2.0 * widths, sides[3] = { upper.x - lower.x, upper.y - lower.y, upper.z - lower.z };
	for ( double nodes = 1e300; nodes > PN_MOST_NODES; grid.step *= nodes > PN_MOST_NODES ? 1.2 : 1.0 )
	{
		nodes = 1.0;
		for ( int axis = 0; axis < 3; ++axis )
		{
			grid.size[axis] = (int)ceil( ( sides[axis] + 2.0 * margin ) / grid.step ) + 1;
			nodes *= grid.size[axis];
		}
	}
	grid.lower[0] = lower.x - margin;
	grid.lower[1] = lower.y - margin;
	grid.lower[2] = lower.z - margin;
	grid.sums = pnTakeRawArray( scratch, float, (size_t)grid.size[0] * (size_t)grid.size[1] * (size_t)grid.size[2] );
	if ( scratch->failed )
	{
		return pn_outOfMemory;
	}
	pnParallelFor( w->tasks, pnFillGrid, grid.size[1] * grid.size[2], 4, &grid );
	pnCutCubes( &grid, skin );
	if ( skin->failed )
	{
		return pn_outOfMemory;
	}
	if ( skin->count == 0 )
	{
		return pn_success;
	}
	return pnJoinCorners( skin, scratch ) && pnEvenSkin( w, skin ) ? pn_success : pn_outOfMemory;
}

static pnResult pnKeepSkin( const pnWrap* w, const pnSkin* skin, const int32_t* groups, pnScratch* scratch, pnFacets* facets )
{
	int32_t* marks = pnTakeRawArray( scratch, int32_t, skin->triangleCount );
	if ( scratch->failed )
	{
		return pn_outOfMemory;
	}
	for ( int f = 0; f < skin->triangleCount; ++f )
	{
		int32_t found;
		double distance2;
		const int32_t* t = skin->triangles + 3 * f;
		pnVec3d middle = pnScaleD( 1.0 / 3.0, pnAddD( skin->corners[t[0]], pnAddD( skin->corners[t[1]], skin->corners[t[2]] ) ) );
		pnFindNearest( &w->tree, pnToFloat( middle ), 1, &found, &distance2 );
		marks[f] = groups[found];
	}
	return pnMakeMeshFacets( skin->corners, skin->count, skin->triangles, skin->triangleCount, marks, facets );
}

pnResult pnWrapCloud( const pnVec3d* points, const int32_t* groups, int count, pnTasks* tasks, pnFacets* facets )
{
	*facets = (pnFacets){ 0 };
	pnScratch scratch = { 0 };
	pnWrap w = { .tasks = tasks };
	pnVec3d* kept = pnTakeRawArray( &scratch, pnVec3d, count );
	int32_t* keptGroups = pnTakeRawArray( &scratch, int32_t, count );
	int32_t* lowest = pnTakeRawArray( &scratch, int32_t, count );
	w.points = kept;
	w.floats = pnTakeRawArray( &scratch, pnVec3, count );
	w.outward = pnTakeRawArray( &scratch, pnVec3d, count );
	w.centres = pnTakeRawArray( &scratch, pnVec3d, PN_MOST_CENTRES );
	w.vectors = pnTakeArray( &scratch, pnVec3d, PN_MOST_CENTRES );
	w.widths = pnTakeRawArray( &scratch, double, PN_MOST_CENTRES );
	pnSkin skin = { 0 };
	bool taken = scratch.failed == false && pnDropOutliers( points, groups, count, kept, keptGroups, &w ) && pnTakeCentres( &w, lowest );
	taken = taken && pnBuildPointTree( &w.tree, w.floats, NULL, w.count, &scratch );
	pnResult result = taken ? pn_success : pn_outOfMemory;
	if ( result == pn_success )
	{
		pnScratch inner = { 0 };
		pnVec3* floats = pnTakeRawArray( &inner, pnVec3, w.centreCount );
		pnPointTree tree;
		for ( int i = 0; i < w.centreCount && floats != NULL; ++i )
		{
			floats[i] = pnToFloat( w.centres[i] );
		}
		result = floats != NULL && pnBuildPointTree( &tree, floats, NULL, w.centreCount, &inner ) ? pn_success : pn_outOfMemory;
		for ( int i = 0; i < w.centreCount && result == pn_success; ++i )
		{
			w.widths[i] = pnFindSpacing( &tree, floats[i] );
		}
		pnGiveBack( &inner );
	}
	result = result == pn_success ? pnFindVectors( &w ) : result;
	if ( result == pn_success )
	{
		for ( int i = 0; i < w.centreCount; ++i )
		{
			w.level += pnSumAngles( &w, w.centres[i], NULL ) / w.centreCount;
		}
		pnParallelFor( tasks, pnTurnSome, w.count, 32, &w );
		result = pnFindFitRadius( &w ) ? pnMakeSkin( &w, &scratch, &skin ) : pn_outOfMemory;
	}
	if ( result == pn_success && skin.triangleCount < 4 )
	{
		pnLog( "The cloud of %d points encloses nothing.", count );
		result = pn_invalidInput;
	}
	result = result == pn_success ? pnKeepSkin( &w, &skin, keptGroups, &scratch, facets ) : result;
	pnFree( skin.corners, (size_t)skin.capacity, sizeof( pnVec3d ) );
	pnGiveBack( &scratch );
	return result;
}
