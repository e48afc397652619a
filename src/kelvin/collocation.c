// collocation.c - divides the surface as finely as the sources need it. Knows no elasticity.
#include "collocation.h"

#include "../base/cloud.h"

#include <lapacke.h>

enum
{
	PN_MOST_COLLOCATION_POINTS = 200000, // beyond this the sums take hours
	PN_MOST_PIECES = 20000000, // before small ones are merged
	PN_MOST_DEPTH = 40, // halvings of one facet
};

enum { PN_BLOCK_SEEDS = 16 };
static const double pn_noSpacing = 1e300; // of a seed that another one made superfluous

double pnGetFreeSpacing( const pnSpacing* spacing, pnVec3d place )
{
	double least = spacing->most;
	for ( int begin = 0; begin < spacing->count; )
	{
		int block = begin / PN_BLOCK_SEEDS, end = spacing->count;
		if ( block < spacing->blockCount )
		{
			const pnSpacingBlock* bound = spacing->blocks + block;
			end = begin + PN_BLOCK_SEEDS;
			pnVec3d d = pnSubD( place, bound->center );
			double allowed = ( least - bound->least ) / spacing->grading + bound->radius;
			if ( bound->least >= least || pnDotD( d, d ) > allowed * allowed )
			{
				begin = end;
				continue;
			}
		}
		for ( int i = begin; i < end; ++i )
		{
			const pnSpacingSeed* seed = spacing->seeds + i;
			if ( seed->spacing < least )
			{
				pnVec3d d = pnSubD( place, seed->place );
				double allowed = least - seed->spacing;
				double distance2 = spacing->grading * spacing->grading * pnDotD( d, d );
				if ( distance2 < allowed * allowed )
				{
					least = seed->spacing + sqrt( distance2 );
				}
			}
		}
		begin = end;
	}
	return least;
}

double pnGetSpacing( const pnSpacing* spacing, pnVec3d place )
{
	double free = pnGetFreeSpacing( spacing, place );
	return spacing->bound != NULL ? fmin( free, pnGetFreeSpacing( spacing->bound, place ) ) : free;
}

bool pnAddSeed( pnSpacing* spacing, pnVec3d place, double value )
{
	if ( pnGetSpacing( spacing, place ) <= value )
	{
		return true;
	}
	// Seeds the new one makes superfluous go, so that the list stays as short as it can be.
	int arranged = spacing->blockCount * PN_BLOCK_SEEDS, kept = arranged;
	for ( int i = 0; i < spacing->count; ++i )
	{
		pnSpacingSeed seed = spacing->seeds[i];
		bool needed = seed.spacing < value + spacing->grading * pnLengthD( pnSubD( place, seed.place ) );
		if ( i < arranged )
		{
			spacing->seeds[i].spacing = needed ? seed.spacing : pn_noSpacing;
		}
		else if ( needed )
		{
			spacing->seeds[kept++] = seed;
		}
	}
	spacing->count = kept;
	if ( kept == spacing->capacity && pnGrow( (void**)&spacing->seeds, &spacing->capacity, kept, kept + 1, sizeof( pnSpacingSeed ) ) == false )
	{
		return false;
	}
	spacing->seeds[spacing->count++] = (pnSpacingSeed){ place, value };
	return true;
}

void pnScaleSpacing( pnSpacing* spacing, double factor )
{
	spacing->most *= factor;
	for ( int i = 0; i < spacing->count; ++i )
	{
		spacing->seeds[i].spacing *= factor;
	}
	for ( int i = 0; i < spacing->blockCount; ++i )
	{
		spacing->blocks[i].least *= factor;
	}
}

// The seeds of a block and of those after it, by halves across the longest side: the first half is as large as whole blocks.
static void pnArrangeSeeds( pnSpacingSeed* seeds, int count )
{
	if ( count <= PN_BLOCK_SEEDS )
	{
		return;
	}
	pnVec3d lower = seeds[0].place, upper = lower;
	for ( int i = 1; i < count; ++i )
	{
		pnVec3d x = seeds[i].place;
		lower = pnMakeD( fmin( lower.x, x.x ), fmin( lower.y, x.y ), fmin( lower.z, x.z ) );
		upper = pnMakeD( fmax( upper.x, x.x ), fmax( upper.y, x.y ), fmax( upper.z, x.z ) );
	}
	pnVec3d sides = pnSubD( upper, lower );
	pnVec3d way = sides.x >= sides.y && sides.x >= sides.z ? pnMakeD( 1.0, 0.0, 0.0 ) : sides.y >= sides.z ? pnMakeD( 0.0, 1.0, 0.0 ) : pnMakeD( 0.0, 0.0, 1.0 );
	int half = ( count / 2 + PN_BLOCK_SEEDS - 1 ) / PN_BLOCK_SEEDS * PN_BLOCK_SEEDS, low = 0, high = count - 1;
	half = half < count ? half : count - 1;
	while ( low < high ) // the one at `half` in its place, smaller ones before it (Hoare)
	{
		double pivot = pnDotD( way, seeds[( low + high ) / 2].place );
		int i = low, j = high;
		while ( i <= j )
		{
			for ( ; pnDotD( way, seeds[i].place ) < pivot; ++i )
			{
			}
			for ( ; pnDotD( way, seeds[j].place ) > pivot; --j )
			{
			}
			if ( i <= j )
			{
				pnSpacingSeed swapped = seeds[i];
				seeds[i++] = seeds[j];
				seeds[j--] = swapped;
			}
		}
		low = half >= i ? i : low;
		high = half <= j ? j : high;
		if ( half > j && half < i )
		{
			break;
		}
	}
	pnArrangeSeeds( seeds, half );
	pnArrangeSeeds( seeds + half, count - half );
}

bool pnArrangeSpacing( pnSpacing* spacing )
{
	int kept = 0;
	for ( int i = 0; i < spacing->count; ++i )
	{
		spacing->seeds[kept] = spacing->seeds[i];
		kept += spacing->seeds[i].spacing < spacing->most;
	}
	spacing->count = kept;
	spacing->blockCount = 0;
	int blockCount = kept / PN_BLOCK_SEEDS;
	if ( pnGrow( (void**)&spacing->blocks, &spacing->blockCapacity, 0, blockCount, sizeof( pnSpacingBlock ) ) == false )
	{
		return false;
	}
	pnArrangeSeeds( spacing->seeds, kept );
	for ( int block = 0; block < blockCount; ++block )
	{
		const pnSpacingSeed* seeds = spacing->seeds + block * PN_BLOCK_SEEDS;
		pnSpacingBlock bound = { .least = pn_noSpacing };
		for ( int i = 0; i < PN_BLOCK_SEEDS; ++i )
		{
			bound.center = pnMulAddD( bound.center, 1.0 / PN_BLOCK_SEEDS, seeds[i].place );
			bound.least = fmin( bound.least, seeds[i].spacing );
		}
		for ( int i = 0; i < PN_BLOCK_SEEDS; ++i )
		{
			bound.radius = fmax( bound.radius, pnLengthD( pnSubD( seeds[i].place, bound.center ) ) );
		}
		bound.radius *= 1.0 + 1e-12;
		spacing->blocks[block] = bound;
	}
	spacing->blockCount = blockCount;
	return true;
}

void pnDestroySpacing( pnSpacing* spacing )
{
	pnFreeArray( pnSpacingSeed, spacing->seeds, spacing->capacity );
	pnFreeArray( pnSpacingBlock, spacing->blocks, spacing->blockCapacity );
	*spacing = (pnSpacing){ 0 };
}

void pnDestroyCollocationPoints( pnCollocationPoints* points )
{
	pnFreeArray( pnCollocationPoint, points->points, points->capacity );
	pnFreeArray( pnSurfacePiece, points->pieces, points->pieceCapacity );
	*points = (pnCollocationPoints){ 0 };
}

typedef struct pnDivision
{
	const pnSpacing* spacing;
	const pnCollocationDef* def;
	pnCollocationPoints* points;
	int group;
	pnVec3d normal;
	double far; // of the collocation points of the piece
	int32_t piece; // that they are of
	pnResult result;
	pnFine* fine; // of each collocation point
	int fineCapacity;
} pnDivision;

static const double pn_evenCell = 0.7; // in which small pieces of a wrapped cloud become one, in fineness
// Longest edge of a piece, in those of the largest: with one collocation point, with one or three that may be too many, with three.
static const double pn_onePointEdge = 0.125;
static const double pn_evenPointEdge = 0.4; // of a wrapped cloud
static const double pn_thinnedEdge = 0.25;
static const double pn_threePointEdge = 0.6;

static uint64_t pnHashWords( const int64_t* words, int count )
{
	uint64_t hash = pnHash( PN_HASH_SEED, words, (size_t)count * sizeof( int64_t ) );
	return hash != 0 ? hash : 1;
}

static pnFine pnGetFine( const pnDivision* division, pnVec3d place, double fine )
{
	if ( fine <= 0.0 )
	{
		return (pnFine){ 0 };
	}
	const pnCollocationDef* def = division->def;
	double cell = exp2( floor( log2( ( def->even ? pn_evenCell : def->apart ) * fine ) ) ), turns = def->even ? 3.0 : 4.0;
	int64_t kind[2] = { division->group, def->border != NULL ? (int64_t)def->border( place, division->normal, division->group, def->context ) : 0 };
	// Its cell in space, and how it is turned
	int64_t words[8] = {
		(int64_t)floor( place.x / cell ),
		(int64_t)floor( place.y / cell ),
		(int64_t)floor( place.z / cell ),
		(int64_t)( 1.0 / cell ),
		(int64_t)floor( turns * division->normal.x + 0.5 ),
		(int64_t)floor( turns * division->normal.y + 0.5 ),
		(int64_t)floor( turns * division->normal.z + 0.5 ),
		(int64_t)pnHashWords( kind, 2 ),
	};
	return (pnFine){ .radius = def->even ? 0.0 : def->apart * fine, .kind = (uint64_t)words[7], .key = pnHashWords( words, 8 ) };
}

// fine > 0: one of many small ones, which may be taken together.
static void pnAddCollocationPoint( pnDivision* division, pnVec3d place, double area, double s, double fine )
{
	pnCollocationPoints* points = division->points;
	if ( points->count >= PN_MOST_PIECES )
	{
		division->result = pn_invalidInput;
		return;
	}
	if ( points->count == points->capacity && pnGrow( (void**)&points->points, &points->capacity, points->count, points->count + 1, sizeof( pnCollocationPoint ) ) == false )
	{
		division->result = pn_outOfMemory;
		return;
	}
	if ( points->count >= division->fineCapacity && pnGrow( (void**)&division->fine, &division->fineCapacity, points->count, points->count + 1, sizeof( pnFine ) ) == false )
	{
		division->result = pn_outOfMemory;
		return;
	}
	division->fine[points->count] = pnGetFine( division, place, fine );
	points->points[points->count++] = (pnCollocationPoint){ .x = place, .n = division->normal, .w = area, .s = s, .far = division->far, .group = division->group, .pad = points->padCount, .piece = division->piece };
}

static bool pnIsOnBorder( const pnDivision* division, const pnVec3d corners[3] )
{
	if ( division->def->border == NULL )
	{
		return false;
	}
	// A little inside the corners: a border along an edge crosses nothing.
	pnVec3d center = pnScaleD( 1.0 / 3.0, pnAddD( corners[0], pnAddD( corners[1], corners[2] ) ) );
	uint64_t sides[4];
	for ( int i = 0; i < 4; ++i )
	{
		pnVec3d place = i == 3 ? center : pnMulAddD( pnScaleD( 0.02, center ), 0.98, corners[i] );
		sides[i] = division->def->border( place, division->normal, division->group, division->def->context );
	}
	return sides[0] != sides[3] || sides[1] != sides[3] || sides[2] != sides[3];
}

// Pieces are measured by the distance of the sources, two thirds of it: the usual spacing.
static double pnGetFineness( const pnDivision* division, pnVec3d place, double s )
{
	const pnCollocationDef* def = division->def;
	if ( def->room == NULL )
	{
		return s;
	}
	double room = pnGetSpacing( def->room, place ), distance = def->distance * s;
	double fine = ( room < distance ? room : distance ) / 1.5;
	return fine < s ? fine : s;
}

static void pnDivideTriangle( pnDivision* division, const pnVec3d corners[3], int depth )
{
	if ( division->result != pn_success )
	{
		return;
	}
	int longest = 0;
	double edge2 = -1.0;
	for ( int i = 0; i < 3; ++i )
	{
		pnVec3d d = pnSubD( corners[( i + 1 ) % 3], corners[i] );
		// Edges that are equal but for rounding: the first, so that equal shapes are divided equally.
		if ( pnDotD( d, d ) > edge2 * ( 1.0 + 1e-9 ) )
		{
			edge2 = pnDotD( d, d );
			longest = i;
		}
	}
	pnVec3d center = pnScaleD( 1.0 / 3.0, pnAddD( corners[0], pnAddD( corners[1], corners[2] ) ) );
	double s = pnGetSpacing( division->spacing, center );
	double fine = pnGetFineness( division, center, s );
	for ( int i = 0; i < 3; ++i )
	{
		// A piece may reach from where sources are few to where they are dense.
		double there = pnGetFineness( division, corners[i], pnGetSpacing( division->spacing, corners[i] ) );
		fine = there < fine ? there : fine;
	}
	double limit = division->def->edge * fine * ( 1.0 + 1e-9 ), borderLimit = division->def->borderEdge * fine;
	bool tooLong = edge2 > limit * limit || ( edge2 > borderLimit * borderLimit && pnIsOnBorder( division, corners ) );
	if ( tooLong && depth < PN_MOST_DEPTH )
	{
		pnVec3d a = corners[longest], b = corners[( longest + 1 ) % 3], c = corners[( longest + 2 ) % 3], middle = pnScaleD( 0.5, pnAddD( a, b ) );
		pnDivideTriangle( division, (pnVec3d[3]){ a, middle, c }, depth + 1 );
		pnDivideTriangle( division, (pnVec3d[3]){ middle, b, c }, depth + 1 );
		return;
	}
	division->far = pnGetFreeSpacing( division->spacing, center );
	pnVec3d normal = pnCrossD( pnSubD( corners[1], corners[0] ), pnSubD( corners[2], corners[0] ) );
	double area = 0.5 * pnLengthD( normal );
	int perPiece = division->def->perPiece;
	if ( perPiece == 0 )
	{
		// A piece that is small anyway needs fewer collocation points, or less than one
		double one = ( division->def->even ? pn_evenPointEdge : pn_onePointEdge ) * limit, three = pn_threePointEdge * limit;
		perPiece = edge2 < one * one ? 1 : edge2 < three * three || division->def->few ? 3 : 7;
		perPiece = perPiece < division->def->fewest ? division->def->fewest : perPiece;
	}
	double thinned = ( division->def->even ? pn_evenPointEdge : pn_thinnedEdge ) * limit;
	double mayGo = division->def->perPiece == 0 && division->def->fewest <= 1 && edge2 < thinned * thinned ? fine : 0.0;
	pnCollocationPoints* points = division->points;
	division->piece = 0;
	if ( perPiece > 1 && mayGo == 0.0 )
	{
		if ( points->pieceCount == points->pieceCapacity && pnGrow( (void**)&points->pieces, &points->pieceCapacity, points->pieceCount, points->pieceCount + 1, sizeof( pnSurfacePiece ) ) == false )
		{
			division->result = pn_outOfMemory;
			return;
		}
		memcpy( points->pieces[points->pieceCount++].corners, corners, 3 * sizeof( pnVec3d ) );
		division->piece = points->pieceCount;
	}
	switch ( perPiece )
	{
	case 1:
		pnAddCollocationPoint( division, center, area, s, mayGo );
		break;
	case 3:
		// Exact for polynomials of second degree
		for ( int i = 0; i < 3; ++i )
		{
			division->points->padCount += i > 0 && mayGo > 0.0;
			pnAddCollocationPoint( division, pnMulAddD( pnScaleD( 0.5, center ), 0.5, corners[i] ), area / 3.0, s, mayGo );
		}
		break;
	default:
		// Of fifth degree (Radon); each collocation point is a pad of its own
		pnAddCollocationPoint( division, center, 0.225 * area, s, 0.0 );
		for ( int i = 0; i < 6; ++i )
		{
			double root = i < 3 ? sqrt( 15.0 ) : -sqrt( 15.0 ), along = ( 1.0 + root ) / 7.0;
			++division->points->padCount;
			pnAddCollocationPoint( division, pnMulAddD( pnScaleD( 1.0 - along, center ), along, corners[i % 3] ), area * ( 155.0 - root ) / 1200.0, s, 0.0 );
		}
		break;
	}
	++division->points->padCount;
}

// Small collocation points of one cell become one: their centroid and the sum of their area vectors, so that nothing opens.
static bool pnMergeCollocationPoints( pnCollocationPoints* points, pnFine* fine )
{
	int count = points->count;
	pnScratch scratch = { 0 };
	uint64_t* sorted = pnTakeArray( &scratch, uint64_t, 2 * (size_t)count + 1 );
	int32_t* order = pnTakeArray( &scratch, int32_t, 2 * (size_t)count + 1 );
	bool done = scratch.failed == false;
	if ( done )
	{
		for ( int i = 0; i < count; ++i )
		{
			sorted[i] = fine[i].key;
			order[i] = i;
		}
		pnSortByKey( sorted, order, sorted + count, order + count, count );
		for ( int begin = 0, end; begin < count; begin = end )
		{
			end = begin + 1;
			while ( end < count && sorted[end] == sorted[begin] && sorted[begin] != 0 )
			{
				++end;
			}
			if ( end - begin < 2 )
			{
				continue;
			}
			// Equal keys keep their order: the first has the lowest index and stands for all.
			pnCollocationPoint* first = points->points + order[begin];
			pnVec3d place = { 0.0, 0.0, 0.0 }, area = place;
			double whole = 0.0;
			for ( int i = begin; i < end; ++i )
			{
				pnCollocationPoint* point = points->points + order[i];
				place = pnMulAddD( place, point->w, point->x );
				area = pnMulAddD( area, point->w, point->n );
				whole += point->w;
				point->w = i == begin ? point->w : 0.0;
			}
			first->x = pnScaleD( 1.0 / whole, place );
			first->n = pnUnitD( area );
			first->w = pnLengthD( area );
		}
		int kept = 0, pad = -1, lastPad = -1;
		for ( int i = 0; i < count; ++i )
		{
			pnCollocationPoint point = points->points[i];
			if ( point.w > 0.0 )
			{
				pad += point.pad != lastPad;
				lastPad = point.pad;
				point.pad = pad;
				fine[kept] = fine[i];
				points->points[kept++] = point;
			}
		}
		points->count = kept;
		points->padCount = pad + 1;
	}
	pnGiveBack( &scratch );
	return done;
}

pnResult pnMakeCollocationPoints( const pnFacets* facets, const pnSpacing* spacing, const pnCollocationDef* def, pnCollocationPoints* points )
{
	*points = (pnCollocationPoints){ 0 };
	pnCollocationDef asGiven = *def;
	if ( def->edge <= 0.0 )
	{
		asGiven.edge = asGiven.borderEdge = 1e30;
	}
	pnDivision division = { .spacing = spacing, .def = &asGiven, .points = points };
	for ( int facet = 0; facet < facets->count && division.result == pn_success; ++facet )
	{
		division.group = facets->groups[facet];
		division.normal = facets->normals[facet];
		const pnVec3d* corners = facets->corners + facets->starts[facet];
		int cornerCount = facets->starts[facet + 1] - facets->starts[facet];
		if ( cornerCount == 3 )
		{
			pnDivideTriangle( &division, corners, 0 );
			continue;
		}
		// A cell of a cloud: one collocation point if it is small enough, else its triangles around the middle.
		pnVec3d middle = facets->centroids[facet];
		double s = pnGetSpacing( spacing, middle ), size = sqrt( 2.3 * facets->areas[facet] );
		if ( size <= asGiven.edge * pnGetFineness( &division, middle, s ) )
		{
			division.far = pnGetFreeSpacing( spacing, middle );
			division.piece = 0;
			pnAddCollocationPoint( &division, middle, facets->areas[facet], s, 3.0 * size < asGiven.edge * s ? s : 0.0 );
			++points->padCount;
			continue;
		}
		for ( int i = 0; i < cornerCount; ++i )
		{
			pnDivideTriangle( &division, (pnVec3d[3]){ middle, corners[i], corners[( i + 1 ) % cornerCount] }, 0 );
		}
	}
	if ( division.result == pn_success )
	{
		division.result = pnMergeCollocationPoints( points, division.fine ) ? pnThinCollocationPoints( points, division.fine ) : pn_outOfMemory;
	}
	if ( division.result == pn_success && points->count > PN_MOST_COLLOCATION_POINTS )
	{
		division.result = pn_invalidInput;
	}
	pnFreeArray( pnFine, division.fine, division.fineCapacity );
	if ( division.result == pn_invalidInput )
	{
		pnLog( "The surface would be divided into more than %d collocation points: ask for fewer sources.", PN_MOST_COLLOCATION_POINTS );
	}
	if ( division.result != pn_success )
	{
		pnDestroyCollocationPoints( points );
	}
	return division.result;
}

bool pnCloseCollocationPoints( pnCollocationPoints* points )
{
	enum { PN_SUMS = 11 };
	int count = points->count;
	double total = 0.0;
	pnVec3d center = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < count; ++i )
	{
		total += points->points[i].w;
		center = pnMulAddD( center, points->points[i].w, points->points[i].x );
	}
	if ( count < 12 || ( total > 0.0 ) == false )
	{
		return false;
	}
	center = pnScaleD( 1.0 / total, center );
	// Row r of the constraints at a place: a vector that is dotted with its area vector.
	double matrix[PN_SUMS * PN_SUMS] = { 0.0 }, sums[PN_SUMS] = { 0.0 };
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int i = 0; i < count; ++i )
		{
			pnCollocationPoint* point = points->points + i;
			pnVec3d y = pnSubD( point->x, center );
			double rows[PN_SUMS][3] = {
				{ 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { 0, y.x, 0 }, { 0, 0, y.x }, { y.y, 0, 0 }, { 0, 0, y.y }, { y.z, 0, 0 }, { 0, y.z, 0 },
				{ y.x, -y.y, 0 }, { y.x, 0, -y.z },
			};
			pnVec3d a = pnScaleD( point->w, point->n );
			if ( pass == 0 )
			{
				for ( int r = 0; r < PN_SUMS; ++r )
				{
					sums[r] += rows[r][0] * a.x + rows[r][1] * a.y + rows[r][2] * a.z;
					for ( int c = 0; c <= r; ++c )
					{
						matrix[r * PN_SUMS + c] += point->w * ( rows[r][0] * rows[c][0] + rows[r][1] * rows[c][1] + rows[r][2] * rows[c][2] );
					}
				}
			}
			else
			{
				double d[3] = { 0.0 };
				for ( int r = 0; r < PN_SUMS; ++r )
				{
					d[0] += rows[r][0] * sums[r];
					d[1] += rows[r][1] * sums[r];
					d[2] += rows[r][2] * sums[r];
				}
				a = pnMakeD( a.x - point->w * d[0], a.y - point->w * d[1], a.z - point->w * d[2] );
				point->w = pnLengthD( a );
				point->n = pnUnitD( a );
			}
		}
		// Row major and the lower triangle: for column major it is the upper one.
		if ( pass == 0 && ( LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'U', PN_SUMS, matrix, PN_SUMS ) != 0 ||
							LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'U', PN_SUMS, 1, matrix, PN_SUMS, sums, PN_SUMS ) != 0 ) )
		{
			return false;
		}
	}
	return true;
}
