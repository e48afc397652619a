// nodes.c - the nearest triangle of a node at rest, exactly, by a tree of boxes, and whether the node is inside. Knows a surface; no bodies.
#include "nodes.h"

#include "nearest.h"
#include "rows.h"

#include <float.h>
#include <math.h>

// ---- the tree ----

int pnCountTreeNodes( int triangleCount )
{
	int count = 0, wide = triangleCount;
	do
	{
		wide = wide / 4 + ( wide % 4 != 0 );
		count += wide;
	}
	while ( wide > 1 );
	return count;
}

// Twice the middle of a triangle, and its number: those that lie together are to come together.
typedef struct pnMiddle { float at[3]; int32_t triangle; } pnMiddle;

static bool pnIsBefore( const pnMiddle* a, const pnMiddle* b, int axis )
{
	return a->at[axis] != b->at[axis] ? a->at[axis] < b->at[axis] : a->triangle < b->triangle;
}

// Puts the `first` least along an axis in front (Hoare's selection).
static void pnSelect( pnMiddle* m, int count, int first, int axis )
{
	int low = 0, high = count - 1;
	while ( low < high )
	{
		pnMiddle pivot = m[low + ( high - low ) / 2];
		int i = low, k = high;
		while ( i <= k )
		{
			while ( pnIsBefore( m + i, &pivot, axis ) )
			{
				i += 1;
			}
			while ( pnIsBefore( &pivot, m + k, axis ) )
			{
				k -= 1;
			}
			if ( i <= k )
			{
				pnMiddle swap = m[i];
				m[i++] = m[k], m[k--] = swap;
			}
		}
		low = first > k ? i : low; // what is between k and i is in its place
		high = first < i ? k : high;
	}
}

// Halved along the longer side again and again, so that each node of the tree, four boxes of four and so on, holds what lies together.
static void pnOrderMiddles( pnMiddle* m, int count )
{
	if ( count <= 4 )
	{
		return;
	}
	int block = 4;
	while ( 4 * block < count )
	{
		block *= 4;
	}
	int half = ( ( count + block - 1 ) / block + 1 ) / 2 * block;
	float lower[3], upper[3];
	memcpy( lower, m->at, sizeof lower );
	memcpy( upper, m->at, sizeof upper );
	for ( int i = 1; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = m[i].at[k] < lower[k] ? m[i].at[k] : lower[k];
			upper[k] = m[i].at[k] > upper[k] ? m[i].at[k] : upper[k];
		}
	}
	float x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
	pnSelect( m, count, half, x >= y && x >= z ? 0 : y >= z ? 1 : 2 );
	pnOrderMiddles( m, half );
	pnOrderMiddles( m + half, count - half );
}

static bool pnOrderTriangles( pnSurface* s, pnScratch* scratch )
{
	int count = s->triangleCount;
	pnMiddle* middles = pnTakeArray( scratch, pnMiddle, count );
	if ( scratch->failed )
	{
		return false;
	}
	for ( int t = 0; t < count; ++t )
	{
		const int32_t* c = s->triangles + 3 * (size_t)t;
		pnVec3 low = pnMin3( pnMin3( s->rest[c[0]], s->rest[c[1]] ), s->rest[c[2]] ), high = pnMax3( pnMax3( s->rest[c[0]], s->rest[c[1]] ), s->rest[c[2]] ), at = pnAdd( low, high );
		middles[t] = (pnMiddle){ { at.x, at.y, at.z }, t };
	}
	pnOrderMiddles( middles, count );
	for ( int t = 0; t < count; ++t )
	{
		s->treeTriangles[t] = middles[t].triangle;
	}
	return true;
}

static void pnSetBox( pnBoxes* boxes, int lane, const float lower[3], const float upper[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		boxes->lower[k][lane] = lower[k];
		boxes->upper[k][lane] = upper[k];
	}
}

bool pnBuildTree( pnSurface* s, pnScratch* scratch )
{
	if ( !pnOrderTriangles( s, scratch ) )
	{
		return false;
	}
	static const float far[3] = { 1e30f, 1e30f, 1e30f }, farther[3] = { -1e30f, -1e30f, -1e30f }; // of no box: nothing is near it
	int childCount = s->triangleCount, start = 0;
	s->levelCount = 0;
	do
	{
		int count = childCount / 4 + ( childCount % 4 != 0 ), below = s->levelCount > 0 ? s->levelStarts[s->levelCount - 1] : 0;
		for ( int i = 0; i < 4 * count; ++i )
		{
			pnBoxes* to = s->tree + start + i / 4;
			if ( i >= childCount )
			{
				pnSetBox( to, i % 4, far, farther );
			}
			else if ( s->levelCount == 0 )
			{
				const int32_t* t = s->triangles + 3 * (size_t)s->treeTriangles[i];
				pnVec3 l = pnMin3( pnMin3( s->rest[t[0]], s->rest[t[1]] ), s->rest[t[2]] ), u = pnMax3( pnMax3( s->rest[t[0]], s->rest[t[1]] ), s->rest[t[2]] );
				float lower[3] = { l.x, l.y, l.z }, upper[3] = { u.x, u.y, u.z };
				pnSetBox( to, i % 4, lower, upper );
			}
			else
			{
				const pnBoxes* from = s->tree + below + i;
				float lower[3], upper[3];
				for ( int k = 0; k < 3; ++k )
				{
					const float *l = from->lower[k], *u = from->upper[k];
					float l0 = l[0] < l[1] ? l[0] : l[1], l1 = l[2] < l[3] ? l[2] : l[3], u0 = u[0] > u[1] ? u[0] : u[1], u1 = u[2] > u[3] ? u[2] : u[3];
					lower[k] = l0 < l1 ? l0 : l1, upper[k] = u0 > u1 ? u0 : u1;
				}
				pnSetBox( to, i % 4, lower, upper );
			}
		}
		s->levelStarts[s->levelCount++] = start;
		start += count;
		childCount = count;
	}
	while ( childCount > 1 );
	return true;
}

// ---- the nearest triangle ----

typedef struct pnAsk
{
	const pnSurface* surface;
	double place[3];
	double slack; // metres: more than the boxes' single precision can be wrong by
	double distance2;
	int triangle;
	float limit; // boxes farther than this, squared, hold nothing nearer
} pnAsk;

static double pnTriangleDistance2( const pnSurface* s, int triangle, const double place[3], double weights[3] )
{
	double p[3][3];
	for ( int c = 0; c < 3; ++c )
	{
		const pnVec3* corner = s->rest + s->triangles[3 * (size_t)triangle + c];
		p[c][0] = (double)corner->x, p[c][1] = (double)corner->y, p[c][2] = (double)corner->z;
	}
	return pnNearestOnTriangle( place, p[0], p[1], p[2], weights );
}

static void pnOffer( pnAsk* ask, int triangle )
{
	double weights[3], d2 = pnTriangleDistance2( ask->surface, triangle, ask->place, weights );
	if ( d2 < ask->distance2 || ( d2 == ask->distance2 && triangle < ask->triangle ) )
	{
		double wide = sqrt( d2 ) + ask->slack, limit = 1.000001 * wide * wide + 1e-37;
		ask->distance2 = d2;
		ask->triangle = triangle;
		ask->limit = limit < (double)FLT_MAX ? (float)limit : FLT_MAX;
	}
}

static void pnGetBoxDistances2( const pnBoxes* boxes, const pnF4 place[3], float distances2[4] )
{
	pnF4 sum = pnSplat4( 0.0f );
	for ( int k = 0; k < 3; ++k )
	{
		pnF4 off = pnMax4( pnMax4( pnLoad4( boxes->lower[k] ) - place[k], place[k] - pnLoad4( boxes->upper[k] ) ), pnSplat4( 0.0f ) );
		sum += off * off;
	}
	memcpy( distances2, &sum, sizeof sum );
}

typedef struct pnBranch { float distance2; int32_t level, index; } pnBranch; // level -1: a triangle

static void pnSearchTree( pnAsk* ask )
{
	const pnSurface* s = ask->surface;
	pnBranch stack[3 * PN_TREE_LEVELS + 4];
	pnF4 place[3] = { pnSplat4( (float)ask->place[0] ), pnSplat4( (float)ask->place[1] ), pnSplat4( (float)ask->place[2] ) };
	int count = 0;
	stack[count++] = (pnBranch){ 0.0f, s->levelCount - 1, 0 };
	while ( count > 0 )
	{
		pnBranch branch = stack[--count];
		if ( branch.distance2 > ask->limit )
		{
			continue;
		}
		if ( branch.level < 0 )
		{
			pnOffer( ask, s->treeTriangles[branch.index] );
			continue;
		}
		float distances2[4];
		pnGetBoxDistances2( s->tree + s->levelStarts[branch.level] + branch.index, place, distances2 );
		int first = count;
		for ( int k = 0; k < 4; ++k )
		{
			if ( distances2[k] <= ask->limit )
			{
				// The nearest is last: it is taken first.
				int at = count++;
				for ( ; at > first && stack[at - 1].distance2 < distances2[k]; --at )
				{
					stack[at] = stack[at - 1];
				}
				stack[at] = (pnBranch){ distances2[k], branch.level - 1, 4 * branch.index + k };
			}
		}
	}
}

// ---- inside or outside ----

// Its length: twice the area.
static void pnFaceNormal( const pnSurface* s, int triangle, double normal[3] )
{
	const int32_t* t = s->triangles + 3 * (size_t)triangle;
	const pnVec3 *a = s->rest + t[0], *b = s->rest + t[1], *c = s->rest + t[2];
	double u[3] = { (double)b->x - (double)a->x, (double)b->y - (double)a->y, (double)b->z - (double)a->z };
	double v[3] = { (double)c->x - (double)a->x, (double)c->y - (double)a->y, (double)c->z - (double)a->z };
	pnCross3d( u, v, normal );
}

static void pnAddUnit( double sum[3], const double normal[3], double weight )
{
	double length = sqrt( pnDot3d( normal, normal ) );
	for ( int k = 0; k < 3; ++k )
	{
		sum[k] += length > 0.0 ? weight * ( normal[k] / length ) : 0.0;
	}
}

// Normals of all triangles around a corner, weighted by angle. In a closed surface the way across edges leads round it and back.
static void pnAddCornerNormals( const pnSurface* s, int triangle, int particle, double sum[3] )
{
	int at = triangle, turns = 0;
	do
	{
		const int32_t* t = s->triangles + 3 * (size_t)at;
		int c = t[0] == particle ? 0 : t[1] == particle ? 1 : 2;
		const pnVec3 *p = s->rest + t[c], *next = s->rest + t[( c + 1 ) % 3], *last = s->rest + t[( c + 2 ) % 3];
		double u[3] = { (double)next->x - (double)p->x, (double)next->y - (double)p->y, (double)next->z - (double)p->z };
		double v[3] = { (double)last->x - (double)p->x, (double)last->y - (double)p->y, (double)last->z - (double)p->z }, normal[3];
		pnCross3d( u, v, normal );
		// 1 - cos grows with the angle as the angle does, and needs no arc cosine; the sign is right for the same reason.
		double scale = sqrt( pnDot3d( u, u ) * pnDot3d( v, v ) ), wide = scale > 0.0 ? 1.0 - pnDot3d( u, v ) / scale : 0.0;
		pnAddUnit( sum, normal, sqrt( wide > 0.0 ? wide : 0.0 ) );
		at = s->neighbors[3 * (size_t)at + ( c + 1 ) % 3];
		turns += 1;
	}
	while ( at != triangle && turns < s->triangleCount );
}

// By the normal of the feature that is nearest (Baerentzen and Aanaes 2005).
static bool pnIsInside( const pnAsk* ask )
{
	const pnSurface* s = ask->surface;
	const int32_t* t = s->triangles + 3 * (size_t)ask->triangle;
	double w[3], normal[3] = { 0 }, face[3], foot[3] = { 0 };
	int corners = 0, away = 0, corner = 0;
	pnTriangleDistance2( s, ask->triangle, ask->place, w );
	for ( int k = 0; k < 3; ++k )
	{
		const pnVec3* p = s->rest + t[k];
		foot[0] += w[k] * (double)p->x, foot[1] += w[k] * (double)p->y, foot[2] += w[k] * (double)p->z;
		corners += w[k] > 1e-9;
		away = w[k] > 1e-9 ? away : k; // the corner it is farthest from, if on an edge
		corner = w[k] > 0.5 ? k : corner;
	}
	if ( corners == 1 )
	{
		pnAddCornerNormals( s, ask->triangle, t[corner], normal );
	}
	else
	{
		pnFaceNormal( s, ask->triangle, face );
		pnAddUnit( normal, face, 1.0 );
		pnFaceNormal( s, s->neighbors[3 * (size_t)ask->triangle + away], face );
		pnAddUnit( normal, face, corners == 2 ? 1.0 : 0.0 );
	}
	double way[3] = { ask->place[0] - foot[0], ask->place[1] - foot[1], ask->place[2] - foot[2] };
	return pnDot3d( normal, way ) < 0.0;
}

// ---- both ----

// Whether there is room to remember: not while someone else makes it. Nobody waits, the next one who asks will find it.
static bool pnClearRun( const pnSurface* s, int run )
{
	uint8_t state = atomic_load_explicit( s->runs + run, memory_order_acquire );
	if ( state == pn_rawRun && atomic_compare_exchange_strong_explicit( s->runs + run, &state, pn_runBeingCleared, memory_order_acquire, memory_order_acquire ) )
	{
		memset( (void*)( s->nodes + PN_RUN * (size_t)run ), 0, PN_RUN * sizeof( uint64_t ) );
		atomic_store_explicit( s->runs + run, pn_clearRun, memory_order_release );
		state = pn_clearRun;
	}
	return state == pn_clearRun;
}

__attribute__( ( noinline, cold ) ) uint64_t pnFindNode( const pnSurface* s, int node )
{
	int at[3] = { node % s->grid[0], node / s->grid[0] % s->grid[1], node / s->grid[0] / s->grid[1] };
	pnAsk ask = { .surface = s, .distance2 = 1e300, .triangle = 0, .limit = FLT_MAX };
	for ( int k = 0; k < 3; ++k )
	{
		double first = (double)s->lower[k], last = first + (double)s->cells[k] * ( s->grid[k] - 1 );
		ask.place[k] = first + (double)s->cells[k] * at[k];
		ask.slack = fmax( ask.slack, 1e-6 * fmax( fabs( first ), fabs( last ) ) );
	}
	pnSearchTree( &ask );
	float distance = (float)sqrt( ask.distance2 );
	distance = s->closed && pnIsInside( &ask ) ? -distance : distance;
	uint32_t bits;
	memcpy( &bits, &distance, sizeof bits );
	uint64_t word = (uint64_t)( ask.triangle + 1 ) << 32 | bits;
	if ( pnClearRun( s, node / PN_RUN ) )
	{
		atomic_store_explicit( s->nodes + node, word, memory_order_relaxed );
	}
	return word;
}
