// detect_tet.c - points of one body in tetrahedra of another; depth and way out from the border inwards. Knows two bodies as they lie; no
// time, no response.
// Points in tetrahedra by a spatial hash after Teschner et al. 2003; depth and direction after Heidelberger et al. 2004: where an edge of b
// leaves a, its inner end learns from the places and normals of such crossings, and tells its neighbours further inside.
// Where it errs:
// - Points deeper than the middle of a, or all of b inside a, have no border that tells the right way out. Points no border reaches go
//   from a's centre towards b's, and that way may be long.
// - Depth is an estimate, not a distance: across a corner or ridge of a the normals of its faces are mixed.
// - Only points are tested: edges through edges and corners of a in faces of b are seen in neither order of the two bodies.
// - Tetrahedra count as they lie, also turned inside out: a solid does not say which way its tetrahedra were turned.
#include "hash_grid.h"

#include "../base/cloud.h"

// What a point has been told: sums, then a unit direction and metres.
typedef struct pnAdvice { double toward[3], weight, depth; } pnAdvice;

typedef struct pnTetWork
{
	const pnLying *a, *b;
	pnItems triangles, tetrahedra; // of a
	pnHashGrid pointGrid, triangleGrid;
	int particleCount; // of b, with the unused ones of the last quad
	uint8_t* watched; // per particle of b: is on its surface or in its tetrahedra
	int32_t* points; // of b, where the bounds overlap
	int32_t* homes; // per particle of b: tetrahedron of a that holds it, or -1
	int32_t* rounds; // per particle of b: when it was told; 0 not yet
	int32_t* told; // those of one round
	pnAdvice* advice; // per particle of b
	uint64_t *edges, *spareEdges; // of b with an end inside a: lower particle, higher particle
	int32_t *values, *spareValues; // the sort wants them
	double apart[3]; // unit, from a's centre to b's; zeros if they coincide
	bool knowsApart;
} pnTetWork;

static bool pnIsOnSurface( const pnSurface* surface, int particle )
{
	return ( surface->vertexMask[particle / 4] >> ( particle % 4 ) & 1 ) != 0;
}

static void pnTakeTetWork( pnTetWork* work, pnArena* arena )
{
	int particleCount = work->particleCount, edgeCount = 3 * work->b->surface->triangleCount + 6 * work->b->surface->tetrahedronCount;
	pnTakeHashGrid( &work->pointGrid, particleCount, arena );
	pnTakeHashGrid( &work->triangleGrid, work->triangles.count, arena );
	work->watched = pnTakeRoomFor( arena, uint8_t, particleCount );
	work->points = pnTakeRoomFor( arena, int32_t, particleCount );
	work->homes = pnTakeRoomFor( arena, int32_t, particleCount );
	work->rounds = pnTakeRoomFor( arena, int32_t, particleCount );
	work->told = pnTakeRoomFor( arena, int32_t, particleCount );
	work->advice = pnTakeRoomFor( arena, pnAdvice, particleCount );
	work->edges = pnTakeRoomFor( arena, uint64_t, edgeCount );
	work->spareEdges = pnTakeRoomFor( arena, uint64_t, edgeCount );
	work->values = pnTakeRoomFor( arena, int32_t, edgeCount );
	work->spareValues = pnTakeRoomFor( arena, int32_t, edgeCount );
}

// ---- points in tetrahedra ----

typedef struct pnTetMap { double origin[3], rows[3][3]; } pnTetMap; // from a place to its weights

// False: it is flat. A ten millionth of a cube of its size is what rounding of float positions can make of nothing.
static bool pnMapTetrahedron( const pnItems* tetrahedra, int tetrahedron, const pnExtents* box, pnTetMap* map )
{
	const int32_t* t = tetrahedra->corners + 4 * tetrahedron;
	double spans[3][3];
	pnLoadPlace( tetrahedra->x, t[0], map->origin );
	for ( int k = 0; k < 3; ++k )
	{
		pnLoadPlace( tetrahedra->x, t[k + 1], spans[k] );
		for ( int axis = 0; axis < 3; ++axis )
		{
			spans[k][axis] -= map->origin[axis];
		}
	}
	double size = 0.0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double extent = box->upper[axis] - box->lower[axis];
		size = extent > size ? extent : size;
	}
	for ( int k = 0; k < 3; ++k )
	{
		pnCross3d( spans[( k + 1 ) % 3], spans[( k + 2 ) % 3], map->rows[k] );
	}
	double volume = pnDot3d( spans[0], map->rows[0] );
	if ( !( volume * volume > 1e-14 * ( size * size * size ) * ( size * size * size ) ) )
	{
		return false;
	}
	for ( int k = 0; k < 9; ++k )
	{
		map->rows[k / 3][k % 3] /= volume;
	}
	return true;
}

static void pnGetTetWeights( const pnTetMap* map, const double place[3], double weights[4] )
{
	double from[3] = { place[0] - map->origin[0], place[1] - map->origin[1], place[2] - map->origin[2] };
	for ( int k = 0; k < 3; ++k )
	{
		weights[k + 1] = pnDot3d( map->rows[k], from );
	}
	weights[0] = 1.0 - weights[1] - weights[2] - weights[3];
}

// Points of b near a, in rising order. Where b has tetrahedra its inner points help: edges from the surface inwards cross a's surface more
// squarely than those along it.
static int pnListPoints( pnTetWork* work, const pnExtents* common )
{
	const pnSurface* surface = work->b->surface;
	memset( work->watched, 0, (size_t)work->particleCount );
	for ( int i = 0; i < 4 * surface->tetrahedronCount; ++i )
	{
		work->watched[surface->tetrahedra[i]] = 1;
	}
	int count = 0;
	for ( int i = 0; i < work->particleCount; ++i )
	{
		work->homes[i] = -1;
		if ( work->watched[i] == 0 && !pnIsOnSurface( surface, i ) )
		{
			continue;
		}
		double place[3];
		pnLoadPlace( work->b->x, i, place );
		bool inside = true;
		for ( int axis = 0; axis < 3; ++axis )
		{
			inside = inside && place[axis] >= common->lower[axis] && place[axis] <= common->upper[axis];
		}
		if ( inside )
		{
			work->points[count++] = i;
		}
	}
	return count;
}

// Gives points their homes, the lowest tetrahedron if there are several. Returns how many have one.
static int pnFindHomes( pnTetWork* work, const pnExtents* common, int pointCount )
{
	pnItems points = { work->b->x, work->points, 1, pointCount };
	pnBuildHashGrid( &work->pointGrid, &points, common, pnGetTypicalEdge( &work->tetrahedra ) );
	int insideCount = 0;
	for ( int i = 0; i < work->tetrahedra.count; ++i )
	{
		pnExtents box = pnGetItemExtents( &work->tetrahedra, i );
		pnTetMap map;
		if ( !pnExtentsOverlap( &box, common ) || !pnMapTetrahedron( &work->tetrahedra, i, &box, &map ) )
		{
			continue;
		}
		pnBeginSearch( &work->pointGrid );
		int count = pnMeetItems( &work->pointGrid, &box, 0 );
		for ( int k = 0; k < count; ++k )
		{
			int32_t point = work->points[work->pointGrid.met[k]];
			if ( work->homes[point] >= 0 )
			{
				continue;
			}
			double place[3], weights[4];
			pnLoadPlace( work->b->x, point, place );
			pnGetTetWeights( &map, place, weights );
			// A little more than the tetrahedron, so that nothing falls between two of them.
			if ( weights[0] >= -1e-8 && weights[1] >= -1e-8 && weights[2] >= -1e-8 && weights[3] >= -1e-8 )
			{
				work->homes[point] = i;
				insideCount += 1;
			}
		}
	}
	return insideCount;
}

// ---- the border ----

static int pnAddEdges( const pnTetWork* work, const int32_t* corners, int cornerCount, int edgeCount )
{
	for ( int j = 1; j < cornerCount; ++j )
	{
		for ( int k = 0; k < j; ++k )
		{
			uint64_t low = (uint64_t)( corners[j] < corners[k] ? corners[j] : corners[k] ), high = (uint64_t)( corners[j] + corners[k] ) - low;
			if ( low != high && ( work->homes[low] >= 0 || work->homes[high] >= 0 ) )
			{
				work->edges[edgeCount++] = low << 32 | high;
			}
		}
	}
	return edgeCount;
}

// Edges of b with an end inside a, each once, sorted.
static int pnListEdges( pnTetWork* work )
{
	const pnSurface* surface = work->b->surface;
	int count = 0;
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		count = pnAddEdges( work, surface->triangles + 3 * i, 3, count );
	}
	for ( int i = 0; i < surface->tetrahedronCount; ++i )
	{
		count = pnAddEdges( work, surface->tetrahedra + 4 * i, 4, count );
	}
	memset( work->values, 0, (size_t)count * sizeof( int32_t ) );
	pnSortByKey( work->edges, work->values, work->spareEdges, work->spareValues, count );
	int kept = 0;
	for ( int i = 0; i < count; ++i )
	{
		if ( kept == 0 || work->edges[i] != work->edges[kept - 1] )
		{
			work->edges[kept++] = work->edges[i];
		}
	}
	return kept;
}

// Where the way from inside to outside leaves a, nearest to the inner end; and the normal there.
static bool pnFindWayOut( pnTetWork* work, const double from[3], const double to[3], double place[3], double normal[3] )
{
	pnExtents box;
	double along[3];
	for ( int axis = 0; axis < 3; ++axis )
	{
		along[axis] = to[axis] - from[axis];
		box.lower[axis] = from[axis] < to[axis] ? from[axis] : to[axis];
		box.upper[axis] = from[axis] < to[axis] ? to[axis] : from[axis];
	}
	pnBeginSearch( &work->triangleGrid );
	int count = pnMeetItems( &work->triangleGrid, &box, 0 );
	pnCrossing first = { .triangle = -1 };
	bool found = false;
	for ( int k = 0; k < count; ++k )
	{
		pnCrossing crossing;
		double n[3];
		// A millionth more than the edge: points on the surface count as inside.
		if ( pnCrossTriangle( &work->triangles, work->triangleGrid.met[k], from, along, &crossing ) && crossing.t >= -1e-6 && crossing.t <= 1.0 + 1e-6 &&
			 ( crossing.facing > 0.0 || work->a->surface->closed == 0 ) &&
			 ( !found || crossing.t < first.t || ( crossing.t == first.t && crossing.triangle < first.triangle ) ) &&
			 pnGetTriangleNormal( &work->triangles, crossing.triangle, n ) )
		{
			found = true;
			first = crossing;
			memcpy( normal, n, sizeof( n ) );
		}
	}
	if ( found )
	{
		double t = first.t < 0.0 ? 0.0 : first.t > 1.0 ? 1.0 : first.t, sign = first.facing > 0.0 ? 1.0 : -1.0;
		for ( int axis = 0; axis < 3; ++axis )
		{
			place[axis] = from[axis] + t * along[axis];
			normal[axis] *= sign;
		}
	}
	return found;
}

// Adds what a point at `place` learns from another place: the way out there, and how deep that one is.
static void pnAdvise( pnAdvice* advice, const double place[3], const double other[3], const double toward[3], double depth, double least2 )
{
	double span[3] = { other[0] - place[0], other[1] - place[1], other[2] - place[2] };
	double distance2 = pnDot3d( span, span );
	double weight = 1.0 / ( distance2 > least2 ? distance2 : least2 );
	for ( int axis = 0; axis < 3; ++axis )
	{
		advice->toward[axis] += weight * toward[axis];
	}
	advice->depth += weight * ( pnDot3d( span, toward ) + depth );
	advice->weight += weight;
}

// Sums become means. A point whose advice cancels is not told: it may be in a later round.
static int pnEndRound( pnTetWork* work, int round, int toldCount )
{
	int knowing = 0;
	for ( int i = 0; i < toldCount; ++i )
	{
		int32_t point = work->told[i];
		pnAdvice* advice = work->advice + point;
		if ( !pnMakeUnit( advice->toward, 1e-6 * advice->weight ) )
		{
			work->rounds[point] = 0;
			continue;
		}
		double depth = advice->depth / advice->weight;
		advice->depth = depth > 0.0 ? depth : 0.0;
		work->rounds[point] = round;
		knowing += 1;
	}
	return knowing;
}

// Round 1: ends of edges that leave a. Then each round those beside points that know already.
static void pnSpreadAdvice( pnTetWork* work, int edgeCount )
{
	// Weights are 1 / distance^2; nearer than a millionth of the typical edge, a point is where the other is.
	double least = 1e-6 * work->triangleGrid.cell, least2 = least * least;
	memset( work->rounds, 0, (size_t)work->particleCount * sizeof( int32_t ) );
	int toldCount = 0, innerCount = 0;
	for ( int i = 0; i < edgeCount; ++i )
	{
		int32_t in = (int32_t)( work->edges[i] >> 32 ), out = (int32_t)( work->edges[i] & 0xffffffffu );
		if ( work->homes[in] >= 0 && work->homes[out] >= 0 )
		{
			work->edges[innerCount++] = work->edges[i];
			continue;
		}
		if ( work->homes[in] < 0 )
		{
			int32_t swap = in;
			in = out, out = swap;
		}
		double from[3], to[3], place[3], normal[3];
		pnLoadPlace( work->b->x, in, from );
		pnLoadPlace( work->b->x, out, to );
		if ( !pnFindWayOut( work, from, to, place, normal ) )
		{
			continue;
		}
		if ( work->rounds[in] == 0 )
		{
			work->rounds[in] = 1;
			work->advice[in] = (pnAdvice){ 0 };
			work->told[toldCount++] = in;
		}
		pnAdvise( work->advice + in, from, place, normal, 0.0, least2 );
	}
	for ( int round = 1; pnEndRound( work, round, toldCount ) > 0; ++round )
	{
		toldCount = 0;
		int kept = 0;
		for ( int i = 0; i < innerCount; ++i )
		{
			int32_t ends[2] = { (int32_t)( work->edges[i] >> 32 ), (int32_t)( work->edges[i] & 0xffffffffu ) };
			bool knows[2];
			for ( int k = 0; k < 2; ++k )
			{
				knows[k] = work->rounds[ends[k]] != 0 && work->rounds[ends[k]] <= round;
			}
			if ( knows[0] && knows[1] )
			{
				continue; // nothing more to tell
			}
			work->edges[kept++] = work->edges[i];
			if ( knows[0] != knows[1] )
			{
				int32_t teller = knows[0] ? ends[0] : ends[1], point = knows[0] ? ends[1] : ends[0];
				if ( work->rounds[point] == 0 )
				{
					work->rounds[point] = round + 1;
					work->advice[point] = (pnAdvice){ 0 };
					work->told[toldCount++] = point;
				}
				double place[3], other[3];
				pnLoadPlace( work->b->x, point, place );
				pnLoadPlace( work->b->x, teller, other );
				pnAdvise( work->advice + point, place, other, work->advice[teller].toward, work->advice[teller].depth, least2 );
			}
		}
		innerCount = kept;
	}
}

// ---- what is found ----

static void pnFindCenter( const pnLying* lying, double center[3] )
{
	double sum[3] = { 0.0, 0.0, 0.0 };
	int count = 0;
	for ( int i = 0; i < 4 * lying->surface->quadCount; ++i )
	{
		if ( pnIsOnSurface( lying->surface, i ) )
		{
			double place[3];
			pnLoadPlace( lying->x, i, place );
			sum[0] += place[0], sum[1] += place[1], sum[2] += place[2];
			count += 1;
		}
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		center[axis] = count > 0 ? sum[axis] / (double)count : 0.0;
	}
}

// For a point no border reaches: as b lies to a, or along an axis. False: it is not inside, whatever the tetrahedra say.
static bool pnLeaveByCenters( pnTetWork* work, int32_t point, pnFound* found )
{
	static const double axes[6][3] = { { 0, 1, 0 }, { 0, -1, 0 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 0, 1 }, { 0, 0, -1 } };
	if ( !work->knowsApart )
	{
		double centers[2][3];
		pnFindCenter( work->a, centers[0] );
		pnFindCenter( work->b, centers[1] );
		for ( int axis = 0; axis < 3; ++axis )
		{
			work->apart[axis] = centers[1][axis] - centers[0][axis];
		}
		if ( !pnMakeUnit( work->apart, 1e-4 * work->triangleGrid.cell ) )
		{
			memset( work->apart, 0, sizeof( work->apart ) );
		}
		work->knowsApart = true;
	}
	double from[3], toward[3];
	pnLoadPlace( work->b->x, point, from );
	memcpy( toward, work->apart, sizeof( toward ) );
	bool known = pnDot3d( toward, toward ) > 0.0;
	for ( int attempt = known ? -1 : 0; attempt < 6; ++attempt )
	{
		if ( attempt >= 0 )
		{
			memcpy( toward, axes[attempt], sizeof( toward ) );
		}
		pnCrossing hit = pnCastRay( &work->triangleGrid, from, toward );
		if ( hit.triangle >= 0 && ( hit.facing > 0.0 || work->a->surface->closed == 0 ) )
		{
			pnSetPlace( found, work->triangles.corners + 3 * hit.triangle, hit.weights, 3 );
			found->normal[0] = (float)toward[0], found->normal[1] = (float)toward[1], found->normal[2] = (float)toward[2];
			found->depth = (float)hit.t;
			return true;
		}
	}
	return false;
}

static void pnLeaveByAdvice( pnTetWork* work, int32_t point, pnFound* found )
{
	const pnAdvice* advice = work->advice + point;
	double from[3];
	pnLoadPlace( work->b->x, point, from );
	for ( int axis = 0; axis < 3; ++axis )
	{
		found->normal[axis] = (float)advice->toward[axis];
	}
	found->depth = (float)advice->depth;
	// The depth is a mean over planes, and the surface may bend: a hit is the place meant if it is within half of it, or a quarter edge.
	pnCrossing hit = pnCastRay( &work->triangleGrid, from, advice->toward );
	double difference = hit.t - advice->depth, near = 0.5 * advice->depth + 0.25 * work->triangleGrid.cell;
	if ( hit.triangle >= 0 && difference <= near && difference >= -near )
	{
		pnSetPlace( found, work->triangles.corners + 3 * hit.triangle, hit.weights, 3 );
		return;
	}
	int home = work->homes[point];
	pnExtents box = pnGetItemExtents( &work->tetrahedra, home );
	pnTetMap map;
	double weights[4] = { 1.0, 0.0, 0.0, 0.0 };
	if ( pnMapTetrahedron( &work->tetrahedra, home, &box, &map ) )
	{
		pnGetTetWeights( &map, from, weights );
	}
	pnSetPlace( found, work->tetrahedra.corners + 4 * home, weights, 4 );
}

int pnDetectByTets( const pnLying* a, const pnLying* b, pnArena* arena, pnFound* found, int capacity )
{
	pnExtents common;
	if ( a->surface->tetrahedronCount == 0 || a->surface->triangleCount == 0 || !pnIntersectBounds( &a->bounds, &b->bounds, &common ) )
	{
		return 0;
	}
	pnTetWork work = {
		.a = a,
		.b = b,
		.triangles = { a->x, a->surface->triangles, 3, a->surface->triangleCount },
		.tetrahedra = { a->x, a->surface->tetrahedra, 4, a->surface->tetrahedronCount },
		.particleCount = 4 * b->surface->quadCount,
	};
	size_t used = arena->used;
	pnTakeTetWork( &work, arena );
	bool hasRoom = pnHasRoom( arena );
	arena->used = used;
	if ( !hasRoom )
	{
		return -1;
	}

	int pointCount = pnListPoints( &work, &common );
	if ( pointCount == 0 || pnFindHomes( &work, &common, pointCount ) == 0 )
	{
		return 0;
	}
	pnExtents bounds = pnFromBounds( &a->bounds );
	pnBuildHashGrid( &work.triangleGrid, &work.triangles, &bounds, pnGetTypicalEdge( &work.triangles ) );
	pnSpreadAdvice( &work, pnListEdges( &work ) );
	int count = 0;
	for ( int i = 0; i < pointCount && count < capacity; ++i )
	{
		int32_t point = work.points[i];
		if ( work.homes[point] < 0 || !pnIsOnSurface( b->surface, point ) )
		{
			continue;
		}
		found[count].point = point;
		if ( work.rounds[point] != 0 )
		{
			pnLeaveByAdvice( &work, point, found + count );
			count += 1;
		}
		else if ( pnLeaveByCenters( &work, point, found + count ) )
		{
			count += 1;
		}
	}
	return count;
}
