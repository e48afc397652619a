// walls.c - the walls of slits in a closed surface: whether a straight way leads through one. Knows places and triangles; no bodies, no time.
#include "walls.h"

#include "../base/mesh.h"

#include <math.h>

enum { PN_MOST_CELLS = 32, PN_MOST_HITS = 64 }; // along an axis; of one way

static int pnClampCell( double at, int count )
{
	return at <= 0.0 ? 0 : at >= (double)count ? count - 1 : (int)at;
}

static void pnFindRange( const pnWalls* w, const double low[3], const double high[3], int from[3], int to[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		from[k] = pnClampCell( floor( ( low[k] - w->lower[k] ) * w->perCell - 1e-6 ), w->cells[k] );
		to[k] = pnClampCell( floor( ( high[k] - w->lower[k] ) * w->perCell + 1e-6 ), w->cells[k] );
	}
}

static void pnFindTriangleRange( const pnWalls* w, int triangle, int from[3], int to[3] )
{
	double low[3], high[3];
	const double* p = w->corners[triangle];
	for ( int k = 0; k < 3; ++k )
	{
		low[k] = p[k] < p[3 + k] ? p[k] : p[3 + k], high[k] = p[k] > p[3 + k] ? p[k] : p[3 + k];
		low[k] = low[k] < p[6 + k] ? low[k] : p[6 + k], high[k] = high[k] > p[6 + k] ? high[k] : p[6 + k];
	}
	pnFindRange( w, low, high, from, to );
}

// All triangles into the cells that they may reach.
static bool pnFillCells( pnWalls* w, pnScratch* scratch )
{
	double extent = (double)pnGetLargestExtent( w->bounds );
	int most = 1;
	while ( most < PN_MOST_CELLS && most * most < w->triangleCount )
	{
		most *= 2;
	}
	w->perCell = extent > 0.0 ? most / extent : 0.0;
	int total = 1;
	for ( int k = 0; k < 3; ++k )
	{
		w->lower[k] = (double)pnGetAxis( &w->bounds.lower, k );
		w->cells[k] = 1 + pnClampCell( floor( ( (double)pnGetAxis( &w->bounds.upper, k ) - w->lower[k] ) * w->perCell ), most );
		total *= w->cells[k];
	}
	w->starts = pnTakeArray( scratch, int32_t, total + 2 );
	if ( scratch->failed )
	{
		return false;
	}
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int t = 0; t < w->triangleCount; ++t )
		{
			int from[3], to[3];
			pnFindTriangleRange( w, t, from, to );
			for ( int z = from[2]; z <= to[2]; ++z )
			{
				for ( int y = from[1]; y <= to[1]; ++y )
				{
					for ( int x = from[0]; x <= to[0]; ++x )
					{
						int cell = ( z * w->cells[1] + y ) * w->cells[0] + x;
						if ( pass == 0 )
						{
							w->starts[cell + 2] += 1;
						}
						else
						{
							w->inside[w->starts[cell + 1]++] = t;
						}
					}
				}
			}
		}
		for ( int cell = 0; cell < total && pass == 0; ++cell )
		{
			w->starts[cell + 2] += w->starts[cell + 1];
		}
		if ( pass == 0 )
		{
			w->inside = pnTakeRawArray( scratch, int32_t, w->starts[total + 1] );
			if ( scratch->failed )
			{
				return false;
			}
		}
	}
	return true;
}

// The unit normal of a triangle; zero if it is a sliver, which may look anywhere: lower than half the inset and than a fifth of its longest edge.
static pnVec3 pnLookOut( const pnWallSource* source, const int32_t* k )
{
	pnVec3 a = pnSub( source->places[k[1]], source->places[k[0]] ), b = pnSub( source->places[k[2]], source->places[k[0]] ), d = pnSub( b, a ), cross = pnCross( a, b );
	float longest2 = pnDot( a, a ) > pnDot( b, b ) ? pnDot( a, a ) : pnDot( b, b ), low = 0.5f * (float)source->inset;
	longest2 = pnDot( d, d ) > longest2 ? pnDot( d, d ) : longest2;
	const pnVec3 none = { 0.0f, 0.0f, 0.0f };
	low = 0.04f * longest2 < low * low ? 0.2f * sqrtf( longest2 ) : low;
	return pnDot( cross, cross ) > low * low * longest2 ? pnUnitOr( cross, none ) : none;
}

// Is a node where walls are, or so near that its eye may be?
static bool pnIsAmong( const pnWallSource* source, const pnWalls* walls, int32_t node )
{
	pnVec3 at = source->places[node], low = walls->bounds.lower, high = walls->bounds.upper;
	float margin = (float)( 4.0 * source->inset );
	return at.x > low.x - margin && at.x < high.x + margin && at.y > low.y - margin && at.y < high.y + margin && at.z > low.z - margin && at.z < high.z + margin;
}

// The sum of the normals, and again of those that it is not behind (the perceptron's rule).
bool pnFindInward( const pnWallSource* source, const pnWalls* walls, pnVec3* inward, uint8_t* unsure )
{
	enum { rounds = 8 };
	const int32_t* triangles = source->triangles;
	int nodeCount = source->nodeCount, triangleCount = source->triangleCount;
	const pnVec3 none = { 0.0f, 0.0f, 0.0f };
	pnScratch scratch = { 0 };
	pnVec3* sums = pnTakeArray( &scratch, pnVec3, nodeCount );
	int32_t* counts = pnTakeArray( &scratch, int32_t, nodeCount );
	int32_t* wrong = pnTakeArray( &scratch, int32_t, nodeCount ); // the last round in which a triangle was not in front of it
	int32_t* near = pnTakeRawArray( &scratch, int32_t, triangleCount ); // triangles where walls are
	pnVec3* normals = pnTakeRawArray( &scratch, pnVec3, triangleCount ); // of those
	int nearCount = 0;
	bool done = !scratch.failed;
	for ( int t = 0; t < triangleCount && done; ++t )
	{
		const int32_t* k = triangles + 3 * (size_t)t;
		if ( pnIsAmong( source, walls, k[0] ) || pnIsAmong( source, walls, k[1] ) || pnIsAmong( source, walls, k[2] ) )
		{
			near[nearCount] = t;
			normals[nearCount] = pnLookOut( source, k );
			bool sliver = !( pnDot( normals[nearCount], normals[nearCount] ) > 0.0f );
			unsure[k[0]] |= sliver, unsure[k[1]] |= sliver, unsure[k[2]] |= sliver;
			nearCount += 1;
		}
	}
	for ( int i = 0; i < nodeCount && done; ++i )
	{
		inward[i] = none;
	}
	for ( int round = 0; round < rounds && done; ++round )
	{
		bool changed = false;
		for ( int n = 0; n < nearCount; ++n )
		{
			const int32_t* k = triangles + 3 * (size_t)near[n];
			if ( round > 1 && wrong[k[0]] < round - 1 && wrong[k[1]] < round - 1 && wrong[k[2]] < round - 1 )
			{
				continue;
			}
			pnVec3 normal = normals[n];
			for ( int i = 0; i < 3 && pnDot( normal, normal ) > 0.0f; ++i )
			{
				if ( round == 0 || pnDot( inward[k[i]], normal ) > -0.2f )
				{
					sums[k[i]] = pnSub( sums[k[i]], normal );
					counts[k[i]] += round == 0;
					wrong[k[i]] = round;
					changed = true;
				}
			}
		}
		for ( int i = 0; i < nodeCount && changed; ++i )
		{
			float least = 0.05f * (float)counts[i];
			inward[i] = pnDot( sums[i], sums[i] ) > least * least ? pnUnitOr( sums[i], none ) : none;
		}
	}
	for ( int n = 0; n < nearCount && done; ++n ) // walls that meet in an edge without an angle leave no way
	{
		const int32_t* k = triangles + 3 * (size_t)near[n];
		for ( int i = 0; i < 3; ++i )
		{
			if ( wrong[k[i]] == rounds - 1 && pnDot( inward[k[i]], normals[n] ) > -0.05f )
			{
				inward[k[i]] = none;
			}
		}
	}
	pnGiveBack( &scratch );
	return done;
}

bool pnMakeWalls( const pnWallSource* source, double twin, double near, pnScratch* scratch, pnWalls* walls )
{
	const pnVec3* places = source->places;
	const int32_t* triangles = source->triangles;
	int nodeCount = source->nodeCount, triangleCount = source->triangleCount;
	*walls = (pnWalls){ .near = near };
	pnScratch local = { 0 };
	int32_t* lowest = pnTakeRawArray( &local, int32_t, nodeCount );
	uint8_t* doubled = pnTakeArray( &local, uint8_t, nodeCount );
	uint8_t* unsure = pnTakeArray( &local, uint8_t, nodeCount );
	pnVec3* away = pnTakeArray( &local, pnVec3, nodeCount ); // of nodes where walls end: ahead of them
	walls->inward = pnTakeArray( scratch, pnVec3, nodeCount );
	walls->eyes = pnTakeRawArray( scratch, pnVec3, nodeCount );
	bool done = !local.failed && !scratch->failed && pnWeldPoints( places, nodeCount, twin, lowest );
	for ( int i = 0; i < nodeCount && done; ++i )
	{
		doubled[i] |= lowest[i] != i;
		doubled[lowest[i]] |= lowest[i] != i;
	}
	for ( int pass = 0; pass < 2 && done; ++pass )
	{
		int count = 0;
		for ( int t = 0; t < triangleCount; ++t )
		{
			const int32_t* k = triangles + 3 * (size_t)t;
			pnVec3 a = places[k[0]], b = places[k[1]], d = places[k[2]];
			if ( doubled[k[0]] == 0 && doubled[k[1]] == 0 && doubled[k[2]] == 0 )
			{
				continue;
			}
			pnVec3 middle = pnScale( 1.0f / 3.0f, pnAdd( a, pnAdd( b, d ) ) );
			for ( int i = 0; i < 3 && pass == 0; ++i )
			{
				away[k[i]] = doubled[k[i]] == 0 ? pnAdd( away[k[i]], pnUnitOr( pnSub( places[k[i]], middle ), pnMakeVec3( 0.0f, 0.0f, 0.0f ) ) ) : away[k[i]];
			}
			if ( pass == 1 )
			{
				walls->triangleOf[count] = t;
			}
			for ( int i = 0; i < 9 && pass == 1; ++i )
			{
				walls->corners[count][i] = (double)( &places[k[i / 3]].x )[i % 3];
			}
			count += 1;
		}
		if ( pass == 0 )
		{
			walls->triangleCount = count;
			walls->corners = pnTakeBlock( scratch, (size_t)count + 1, sizeof walls->corners[0], false );
			walls->triangleOf = pnTakeRawArray( scratch, int32_t, count + 1 );
			done = !scratch->failed;
		}
	}
	bool first = true;
	for ( int i = 0; i < 3 * walls->triangleCount && done; ++i )
	{
		const double* p = walls->corners[i / 3] + 3 * ( i % 3 );
		pnVec3 at = { (float)p[0], (float)p[1], (float)p[2] };
		pnVec3 *lower = &walls->bounds.lower, *upper = &walls->bounds.upper;
		lower->x = first || at.x < lower->x ? at.x : lower->x, lower->y = first || at.y < lower->y ? at.y : lower->y, lower->z = first || at.z < lower->z ? at.z : lower->z;
		upper->x = first || at.x > upper->x ? at.x : upper->x, upper->y = first || at.y > upper->y ? at.y : upper->y, upper->z = first || at.z > upper->z ? at.z : upper->z;
		first = false;
	}
	const pnVec3 none = { 0.0f, 0.0f, 0.0f };
	done = done && pnFindInward( source, walls, walls->inward, unsure );
	for ( int i = 0; i < nodeCount && done; ++i )
	{
		walls->inward[i] = pnUnitOr( pnAdd( walls->inward[i], pnUnitOr( away[i], none ) ), none );
	}
	done = done && ( walls->triangleCount == 0 || pnFillCells( walls, scratch ) );
	done = done && pnPlaceEyes( source, walls, walls->inward, unsure, walls->eyes );
	pnGiveBack( &local );
	return done;
}

// Where a way meets a triangle: the part of the way, and 1 if it leads out there, -1 in; 0: it misses.
static int pnMeetTriangle( const double* corners, const double from[3], const double way[3], double* t )
{
	double e1[3], e2[3], s[3], p[3], q[3];
	for ( int k = 0; k < 3; ++k )
	{
		e1[k] = corners[3 + k] - corners[k], e2[k] = corners[6 + k] - corners[k], s[k] = from[k] - corners[k];
	}
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		p[k] = way[k1] * e2[k2] - way[k2] * e2[k1];
		q[k] = s[k1] * e1[k2] - s[k2] * e1[k1];
	}
	double det = e1[0] * p[0] + e1[1] * p[1] + e1[2] * p[2];
	if ( det == 0.0 )
	{
		return 0;
	}
	double along = e2[0] * q[0] + e2[1] * q[1] + e2[2] * q[2];
	if ( along * det < 0.0 || fabs( along ) > 1.000001 * fabs( det ) )
	{
		return 0; // mostly
	}
	double u = ( s[0] * p[0] + s[1] * p[1] + s[2] * p[2] ) / det, v = ( way[0] * q[0] + way[1] * q[1] + way[2] * q[2] ) / det;
	*t = along / det;
	const double edge = 1e-7; // a way along an edge meets both of its triangles rather than none
	bool inside = u >= -edge && v >= -edge && u + v <= 1.0 + edge && *t >= 0.0 && *t <= 1.0;
	return !inside ? 0 : det < 0.0 ? 1 : -1; // det = - way . normal
}

// A straight way, and the cells that it may meet.
typedef struct pnWay { double from[3], way[3], length2; int begin[3], end[3]; } pnWay;

// False: it is outside of where walls are.
static bool pnLayWay( const pnWalls* walls, pnVec3 from, pnVec3 to, pnWay* w )
{
	if ( walls->triangleCount == 0 )
	{
		return false;
	}
	double low[3], high[3];
	w->length2 = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		double at = (double)pnGetAxis( &from, k ), way = (double)pnGetAxis( &to, k ) - at;
		w->from[k] = at, w->way[k] = way;
		low[k] = way < 0.0 ? at + way : at, high[k] = way < 0.0 ? at : at + way;
		w->length2 += way * way;
		if ( low[k] > (double)pnGetAxis( &walls->bounds.upper, k ) || high[k] < (double)pnGetAxis( &walls->bounds.lower, k ) )
		{
			return false;
		}
	}
	pnFindRange( walls, low, high, w->begin, w->end );
	return true;
}

// Does the way from a node into the material meet a wall that does not begin there?
static bool pnLeavesAtOnce( const pnWalls* walls, const int32_t* triangles, int32_t node, pnVec3 from, pnVec3 to )
{
	pnWay w;
	if ( !pnLayWay( walls, from, to, &w ) )
	{
		return false;
	}
	for ( int z = w.begin[2]; z <= w.end[2]; ++z )
	{
		for ( int y = w.begin[1]; y <= w.end[1]; ++y )
		{
			for ( int x = w.begin[0]; x <= w.end[0]; ++x )
			{
				int cell = ( z * walls->cells[1] + y ) * walls->cells[0] + x;
				for ( int i = walls->starts[cell]; i < walls->starts[cell + 1]; ++i )
				{
					double t;
					const int32_t* k = triangles != NULL ? triangles + 3 * (size_t)walls->triangleOf[walls->inside[i]] : NULL;
					bool own = k != NULL && ( k[0] == node || k[1] == node || k[2] == node );
					if ( !own && pnMeetTriangle( walls->corners[walls->inside[i]], w.from, w.way, &t ) == 1 )
					{
						return true;
					}
				}
			}
		}
	}
	return false;
}

bool pnPlaceEyes( const pnWallSource* source, const pnWalls* walls, pnVec3* inward, const uint8_t* unsure, pnVec3* eyes )
{
	enum { rounds = 8 };
	static const double margin = 2.0; // insets: so far samples are drawn in
	const pnVec3 none = { 0.0f, 0.0f, 0.0f };
	bool own = inward == walls->inward;
	pnScratch scratch = { 0 };
	double* far = pnTakeRawArray( &scratch, double, source->nodeCount ); // along the surface to the node that it sees from
	double* before = pnTakeRawArray( &scratch, double, source->nodeCount );
	pnVec3* eyesBefore = pnTakeRawArray( &scratch, pnVec3, source->nodeCount );
	int32_t* blind = pnTakeRawArray( &scratch, int32_t, source->triangleCount ); // triangles with a node that has none of its own
	int blindCount = 0;
	bool done = !scratch.failed;
	for ( int i = 0; i < source->nodeCount && done; ++i )
	{
		pnVec3 place = source->places[i];
		bool sees = pnDot( inward[i], inward[i] ) > 0.0f;
		if ( sees && pnLeavesAtOnce( walls, own ? source->triangles : NULL, i, pnMulAdd( place, own ? 0.0f : (float)( 0.01 * source->inset ), inward[i] ), pnMulAdd( place, (float)( margin * source->inset ), inward[i] ) ) )
		{
			sees = false;
			inward[i] = none;
		}
		eyes[i] = pnMulAdd( place, (float)source->inset, inward[i] );
		far[i] = sees && unsure[i] == 0 ? 0.0 : source->reach;
	}
	for ( int t = 0; t < source->triangleCount && done; ++t )
	{
		const int32_t* k = source->triangles + 3 * (size_t)t;
		blind[blindCount] = t;
		bool blinded = ( far[k[0]] > 0.0 && pnIsAmong( source, walls, k[0] ) ) || ( far[k[1]] > 0.0 && pnIsAmong( source, walls, k[1] ) ) || ( far[k[2]] > 0.0 && pnIsAmong( source, walls, k[2] ) );
		blindCount += blinded;
	}
	for ( int round = 0; round < rounds && done && blindCount > 0; ++round )
	{
		memcpy( before, far, (size_t)source->nodeCount * sizeof( double ) );
		memcpy( eyesBefore, eyes, (size_t)source->nodeCount * sizeof( pnVec3 ) );
		bool changed = false;
		for ( int i = 0; i < 6 * blindCount; ++i )
		{
			const int32_t* k = source->triangles + 3 * (size_t)blind[i / 6];
			int32_t to = k[i % 3], from = k[( i % 3 + 1 + i % 6 / 3 ) % 3];
			pnVec3 d = pnSub( source->places[to], source->places[from] );
			double distance = before[from] + sqrt( (double)pnDot( d, d ) );
			if ( distance < far[to] )
			{
				far[to] = distance, eyes[to] = eyesBefore[from];
				changed = true;
			}
		}
		if ( !changed )
		{
			break;
		}
	}
	pnGiveBack( &scratch );
	return done;
}

bool pnPassesWall( const pnWalls* walls, pnVec3 from, pnVec3 to )
{
	pnWay w;
	if ( !pnLayWay( walls, from, to, &w ) )
	{
		return false;
	}
	const double *a = w.from, *way = w.way;
	const int *begin = w.begin, *end = w.end;
	double near = w.length2 > 0.0 ? walls->near / sqrt( w.length2 ) : 1.0, hits[PN_MOST_HITS];
	int signs[PN_MOST_HITS], count = 0;
	for ( int z = begin[2]; z <= end[2]; ++z )
	{
		for ( int y = begin[1]; y <= end[1]; ++y )
		{
			for ( int x = begin[0]; x <= end[0]; ++x )
			{
				int cell = ( z * walls->cells[1] + y ) * walls->cells[0] + x;
				for ( int i = walls->starts[cell]; i < walls->starts[cell + 1]; ++i )
				{
					double t;
					int sign = pnMeetTriangle( walls->corners[walls->inside[i]], a, way, &t );
					for ( int k = 0; k < count && sign != 0; ++k )
					{
						if ( signs[k] != sign && fabs( hits[k] - t ) <= near )
						{
							return true;
						}
					}
					if ( sign != 0 && count < PN_MOST_HITS )
					{
						hits[count] = t, signs[count++] = sign;
					}
				}
			}
		}
	}
	return false;
}
