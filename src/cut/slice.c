// slice.c - a blade through a surface: triangles split, the lips apart, openings closed. Knows places and triangles; no bodies, no time.
//
// Every node is above the blade or below it, never on it, so there are no special cases: a triangle is cut through two of its edges or
// not at all, and the crossings of the edges follow one another in loops with the material on their left (seen from above). Where the
// plane runs through a node, its crossings fall together and are made one with it afterwards; where that is not safe they are kept a
// fiftieth of an edge away from it. Where the blade ends in the material, the loops are clipped and closed by the blade's own rim.
#include "slice.h"

#include "../base/cloud.h"

#include <math.h>

enum { PN_BLADE_CORNERS = 8 }; // of the quad, clipped by a box

static const double pn_nearest = 0.02; // of an edge: crossings do not come nearer to its ends

// ---- crossings ----

typedef struct pnCrossing
{
	int32_t low, high; // the nodes of its edge, the upper one and the lower one
	double t; // of the way from low to high
	pnVec3 place;
	double at[2]; // in the blade's plane
	pnPoint2 grid;
	int32_t next; // the segment that leaves it, -1 at the border of an open surface
	int32_t before; // the segment that comes to it
	int32_t more; // another crossing of the same edge, where more than two triangles meet; -1
	int32_t rim; // -1: not cut
	int32_t loop;
	bool inside; // the blade reaches it
} pnCrossing;

// The way of the plane through one triangle: corner p lies alone on its side. From the crossing of p q to that of r p if p is above,
// the other way if below.
typedef struct pnSegment
{
	int32_t triangle, p, q, r; // nodes
	int32_t ends[2]; // crossings of p q and of r p
	int32_t rims[2]; // points within the triangle where the cut ends instead; -1
	int32_t middle; // between two such ends; -1
	bool above; // p is
	bool cut;
} pnSegment;

// A place on the outline of an opening, as the two sides know it; the same node where they hang together.
typedef struct pnRim { int32_t above, below; } pnRim;

// Where a loop leaves the blade's reach or comes into it.
typedef struct pnGate { int32_t rim; int32_t edge; double along; bool leaves; } pnGate;

typedef struct pnCutting
{
	const pnSliceSource* source;
	const pnBlade* blade;
	pnScratch scratch;
	uint8_t* above; // of each node
	uint8_t* sealed; // of each node: its part of the surface is closed. NULL: all are
	int32_t *tableHeads, tableMask; // 1 + crossing, by edge
	pnCrossing* crossings;
	pnSegment* segments;
	int crossingCount, segmentCount;
	pnRim* rims;
	pnPoint2* grid; // of the rims
	int rimCount;
	pnGate* gates;
	int gateCount;
	int32_t* edges; // outline
	int edgeCount;
	pnSliceNode* nodes;
	pnVec3* places;
	int nodeCount;
	double center[2], scale; // from the plane to the grid
	int cornerCount;
	pnPoint2 corners[PN_BLADE_CORNERS];
	bool whole, ends;
} pnCutting;

static uint32_t pnHashEdge( int32_t a, int32_t b )
{
	uint64_t key = ( (uint64_t)(uint32_t)a << 32 | (uint32_t)b ) * 0x9e3779b97f4a7c15ull;
	return (uint32_t)( key >> 32 );
}

// The crossing of an edge that has no segment yet that leaves it (or comes to it).
static int32_t pnFindCrossing( pnCutting* c, int32_t a, int32_t b, bool leaves )
{
	int32_t low = a < b ? a : b, high = a < b ? b : a;
	uint32_t slot = pnHashEdge( low, high ) & (uint32_t)c->tableMask;
	int32_t first = -1;
	for ( ;; slot = ( slot + 1 ) & (uint32_t)c->tableMask )
	{
		first = c->tableHeads[slot] - 1;
		if ( first < 0 || ( c->crossings[first].low == low && c->crossings[first].high == high ) )
		{
			break;
		}
	}
	for ( int32_t i = first; i >= 0; i = c->crossings[i].more )
	{
		if ( ( leaves ? c->crossings[i].next : c->crossings[i].before ) < 0 )
		{
			return i;
		}
	}
	pnCrossing* x = c->crossings + c->crossingCount;
	*x = (pnCrossing){ .low = low, .high = high, .next = -1, .before = -1, .more = first, .rim = -1, .loop = -1 };
	double h0 = pnGetHeight( c->blade, c->source->places[low] ), h1 = pnGetHeight( c->blade, c->source->places[high] );
	x->t = h0 / ( h0 - h1 );
	c->tableHeads[slot] = ++c->crossingCount;
	return c->crossingCount - 1;
}

static void pnPlaceCrossing( pnCutting* c, pnCrossing* x )
{
	x->t = x->t < pn_nearest ? pn_nearest : x->t > 1.0 - pn_nearest ? 1.0 - pn_nearest : x->t;
	const float *a = &c->source->places[x->low].x, *b = &c->source->places[x->high].x;
	float* place = &x->place.x;
	for ( int k = 0; k < 3; ++k )
	{
		place[k] = (float)( (double)a[k] + x->t * ( (double)b[k] - (double)a[k] ) );
	}
	pnFlatten( c->blade, x->place, x->at );
}

static void pnCollectSegments( pnCutting* c )
{
	const pnSliceSource* s = c->source;
	c->crossingCount = c->segmentCount = 0;
	memset( c->tableHeads, 0, ( (size_t)c->tableMask + 1 ) * sizeof( int32_t ) );
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* k = s->triangles + 3 * (size_t)t;
		int up = c->above[k[0]] + c->above[k[1]] + c->above[k[2]];
		if ( up == 0 || up == 3 || k[0] == k[1] || k[1] == k[2] || k[2] == k[0] )
		{
			continue;
		}
		int lone = 0;
		while ( ( c->above[k[lone]] != 0 ) != ( up == 1 ) )
		{
			lone += 1;
		}
		int32_t p = k[lone], q = k[( lone + 1 ) % 3], r = k[( lone + 2 ) % 3];
		bool above = up == 1;
		pnSegment* segment = c->segments + c->segmentCount;
		*segment = (pnSegment){ t, p, q, r, { 0, 0 }, { -1, -1 }, -1, above, false };
		segment->ends[0] = pnFindCrossing( c, p, q, above );
		segment->ends[1] = pnFindCrossing( c, r, p, !above );
		c->crossings[segment->ends[0]].next = above ? c->segmentCount : c->crossings[segment->ends[0]].next;
		c->crossings[segment->ends[0]].before = above ? c->crossings[segment->ends[0]].before : c->segmentCount;
		c->crossings[segment->ends[1]].next = above ? c->crossings[segment->ends[1]].next : c->segmentCount;
		c->crossings[segment->ends[1]].before = above ? c->segmentCount : c->crossings[segment->ends[1]].before;
		c->segmentCount += 1;
	}
}

static bool pnFindSegments( pnCutting* c )
{
	const pnSliceSource* s = c->source;
	c->above = pnTakeArray( &c->scratch, uint8_t, s->nodeCount );
	if ( c->scratch.failed )
	{
		return false;
	}
	for ( int i = 0; i < s->nodeCount; ++i )
	{
		c->above[i] = pnGetHeight( c->blade, s->places[i] ) >= 0.0;
	}
	int count = 0;
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* k = s->triangles + 3 * (size_t)t;
		int up = c->above[k[0]] + c->above[k[1]] + c->above[k[2]];
		count += up == 1 || up == 2;
	}
	uint32_t size = 16;
	while ( size < 4u * (uint32_t)count )
	{
		size *= 2;
	}
	c->tableMask = (int32_t)( size - 1 );
	c->tableHeads = pnTakeArray( &c->scratch, int32_t, size );
	c->crossings = pnTakeRawArray( &c->scratch, pnCrossing, 2 * (size_t)count );
	c->segments = pnTakeRawArray( &c->scratch, pnSegment, count );
	if ( c->scratch.failed )
	{
		return false;
	}
	pnCollectSegments( c );
	return true;
}

// ---- where the plane only touches ----

// Nodes of one side that count as on the plane, and that have none beside them on their side but such: a tip, an edge or a face that the
// plane touches. They go to the other side, so that nothing is shaved off. Says in *any if there were some. False: no memory.
static bool pnLeaveTouched( pnCutting* c, bool side, bool* any )
{
	const pnSliceSource* s = c->source;
	bool some = false;
	for ( int i = 0; i < c->crossingCount && !some; ++i )
	{
		some = c->crossings[i].t <= pn_nearest || c->crossings[i].t >= 1.0 - pn_nearest;
	}
	if ( !some )
	{
		return true;
	}
	pnScratch scratch = { 0 };
	int32_t* counts = pnTakeArray( &scratch, int32_t, s->nodeCount ); // crossings
	double* spans = pnTakeArray( &scratch, double, s->nodeCount );
	uint8_t* near = pnTakeArray( &scratch, uint8_t, s->nodeCount );
	int32_t* around = pnTakeArray( &scratch, int32_t, s->triangleCount ); // triangles with such a node
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return false;
	}
	double longest2 = 0.0;
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		const pnCrossing* x = c->crossings + i;
		pnVec3 d = pnSub( s->places[x->low], s->places[x->high] );
		double span = fabs( pnGetHeight( c->blade, s->places[x->low] ) - pnGetHeight( c->blade, s->places[x->high] ) ), length2 = (double)pnDot( d, d );
		counts[x->low] += 1, counts[x->high] += 1;
		spans[x->low] += span, spans[x->high] += span;
		longest2 = length2 > longest2 ? length2 : longest2;
	}
	for ( int i = 0; i < s->nodeCount; ++i )
	{
		double height = fabs( pnGetHeight( c->blade, s->places[i] ) );
		near[i] = ( c->above[i] != 0 ) == side && ( counts[i] > 0 ? height * counts[i] <= pn_nearest * spans[i] : height * height <= pn_nearest * pn_nearest * longest2 );
	}
	int aroundCount = 0;
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* k = s->triangles + 3 * (size_t)t;
		if ( ( near[k[0]] | near[k[1]] | near[k[2]] ) == 0 )
		{
			continue;
		}
		around[aroundCount++] = t;
		double edge2 = 0.0;
		for ( int i = 0; i < 3; ++i )
		{
			pnVec3 d = pnSub( s->places[k[i]], s->places[k[( i + 1 ) % 3]] );
			edge2 = (double)pnDot( d, d ) > edge2 ? (double)pnDot( d, d ) : edge2;
		}
		for ( int i = 0; i < 3; ++i )
		{
			double height = pnGetHeight( c->blade, s->places[k[i]] );
			near[k[i]] = near[k[i]] != 0 && ( counts[k[i]] > 0 || height * height <= pn_nearest * pn_nearest * edge2 );
		}
	}
	for ( bool changed = true; changed; )
	{
		changed = false;
		for ( int i = 0; i < 3 * aroundCount; ++i )
		{
			const int32_t* k = s->triangles + 3 * (size_t)around[i / 3];
			int32_t a = k[i % 3], b = k[( i + 1 ) % 3];
			if ( c->above[a] == c->above[b] && near[a] != near[b] )
			{
				near[a] = near[b] = 0;
				changed = true;
			}
		}
	}
	for ( int i = 0; i < 3 * aroundCount; ++i )
	{
		int32_t node = s->triangles[3 * (size_t)around[i / 3] + i % 3];
		if ( near[node] != 0 && counts[node] > 0 )
		{
			*any = true;
		}
	}
	for ( int i = 0; i < s->nodeCount && *any; ++i )
	{
		c->above[i] ^= near[i];
	}
	pnGiveBack( &scratch );
	return true;
}

static bool pnLeaveAllTouched( pnCutting* c )
{
	bool fine = true;
	for ( int side = 1; side >= 0 && fine; --side )
	{
		bool any = false;
		fine = pnLeaveTouched( c, side != 0, &any );
		if ( any )
		{
			pnCollectSegments( c );
		}
	}
	return fine;
}

// ---- which parts are closed ----

static int32_t pnRootOf( int32_t* roots, int32_t node )
{
	while ( roots[node] != node )
	{
		roots[node] = roots[roots[node]];
		node = roots[node];
	}
	return node;
}

// A part is closed if each of its edges is run through as often one way as the other.
static bool pnFindSealed( pnCutting* c )
{
	const pnSliceSource* s = c->source;
	if ( s->closed )
	{
		return true;
	}
	uint32_t size = 16, edgeCount = 3u * (uint32_t)s->triangleCount;
	while ( size < 2u * edgeCount )
	{
		size *= 2;
	}
	pnScratch scratch = { 0 };
	c->sealed = pnTakeArray( &c->scratch, uint8_t, s->nodeCount );
	int32_t* roots = pnTakeArray( &scratch, int32_t, s->nodeCount );
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, size ); // 1 + edge
	int32_t* sums = pnTakeArray( &scratch, int32_t, size );
	bool done = !scratch.failed && !c->scratch.failed;
	for ( int i = 0; i < s->nodeCount && done; ++i )
	{
		roots[i] = i;
		c->sealed[i] = 1;
	}
	for ( int i = 0; i < 3 * s->triangleCount && done; ++i )
	{
		int32_t a = s->triangles[i], b = s->triangles[i - i % 3 + ( i + 1 ) % 3];
		if ( a == b )
		{
			continue;
		}
		int32_t ra = pnRootOf( roots, a ), rb = pnRootOf( roots, b );
		roots[ra > rb ? ra : rb] = ra < rb ? ra : rb;
		uint64_t key = ( (uint64_t)(uint32_t)( a < b ? a : b ) << 32 | (uint32_t)( a < b ? b : a ) ) + 1;
		uint32_t slot = pnHashEdge( a < b ? a : b, a < b ? b : a ) & ( size - 1 );
		while ( keys[slot] != 0 && keys[slot] != key )
		{
			slot = ( slot + 1 ) & ( size - 1 );
		}
		keys[slot] = key;
		sums[slot] += a < b ? 1 : -1;
	}
	for ( uint32_t slot = 0; slot < size && done; ++slot )
	{
		if ( keys[slot] != 0 && sums[slot] != 0 )
		{
			c->sealed[pnRootOf( roots, (int32_t)( ( keys[slot] - 1 ) >> 32 ) )] = 0;
		}
	}
	for ( int i = 0; i < s->nodeCount && done; ++i )
	{
		c->sealed[i] = c->sealed[pnRootOf( roots, i )];
	}
	pnGiveBack( &scratch );
	return done;
}

static bool pnIsSealed( const pnCutting* c, int32_t node )
{
	return c->sealed == NULL || c->sealed[node] != 0;
}

// ---- the grid, and how far the blade reaches ----

static pnPoint2 pnToGrid( const pnCutting* c, const double at[2] )
{
	return (pnPoint2){ (int32_t)floor( c->scale * ( at[0] - c->center[0] ) + 0.5 ), (int32_t)floor( c->scale * ( at[1] - c->center[1] ) + 0.5 ) };
}

static int64_t pnSideOf( pnPoint2 a, pnPoint2 b, pnPoint2 p )
{
	return ( (int64_t)b.x - a.x ) * ( (int64_t)p.y - a.y ) - ( (int64_t)b.y - a.y ) * ( (int64_t)p.x - a.x );
}

// The blade's quad, as far as it lies in a box around all crossings: one half plane after another.
static int pnClipCorners( const pnBlade* blade, const double low[2], const double high[2], double corners[PN_BLADE_CORNERS][2] )
{
	double from[PN_BLADE_CORNERS + 4][2];
	int count = 4;
	memcpy( from, blade->corners, sizeof blade->corners );
	for ( int side = 0; side < 4; ++side )
	{
		double to[PN_BLADE_CORNERS + 4][2];
		int axis = side % 2, kept = 0;
		double sign = side < 2 ? 1.0 : -1.0, bound = side < 2 ? low[axis] : -high[axis];
		for ( int i = 0; i < count; ++i )
		{
			const double *a = from[i], *b = from[( i + 1 ) % count];
			double da = sign * a[axis] - bound, db = sign * b[axis] - bound;
			if ( da >= 0.0 )
			{
				memcpy( to[kept++], a, sizeof to[0] );
			}
			if ( ( da >= 0.0 ) != ( db >= 0.0 ) )
			{
				double t = da / ( da - db );
				to[kept][0] = a[0] + t * ( b[0] - a[0] ), to[kept][1] = a[1] + t * ( b[1] - a[1] );
				kept += 1;
			}
		}
		count = kept;
		memcpy( from, to, sizeof from );
	}
	count = count <= PN_BLADE_CORNERS ? count : PN_BLADE_CORNERS;
	memcpy( corners, from, (size_t)count * sizeof from[0] );
	return count;
}

static bool pnReaches( const pnCutting* c, pnPoint2 p )
{
	bool inside = c->cornerCount >= 3;
	for ( int k = 0; k < c->cornerCount && inside; ++k )
	{
		inside = pnSideOf( c->corners[k], c->corners[( k + 1 ) % c->cornerCount], p ) >= 0;
	}
	return inside;
}

static void pnLayGrid( pnCutting* c )
{
	double low[2] = { 1e300, 1e300 }, high[2] = { -1e300, -1e300 }, extent = 0.0;
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		pnPlaceCrossing( c, c->crossings + i );
		for ( int k = 0; k < 2; ++k )
		{
			double at = c->crossings[i].at[k];
			low[k] = at < low[k] ? at : low[k], high[k] = at > high[k] ? at : high[k];
		}
	}
	for ( int k = 0; k < 2; ++k )
	{
		c->center[k] = 0.5 * ( low[k] + high[k] );
		extent = high[k] - low[k] > extent ? high[k] - low[k] : extent;
	}
	extent = extent > 1e-30 ? extent : 1e-30;
	c->scale = 0.75 * PN_OUTLINE_REACH / extent; // the box reaches a third farther than the crossings
	c->whole = true;
	if ( !c->blade->whole )
	{
		double corners[PN_BLADE_CORNERS][2], margin = 0.1 * extent;
		double wideLow[2] = { low[0] - margin, low[1] - margin }, wideHigh[2] = { high[0] + margin, high[1] + margin };
		int count = pnClipCorners( c->blade, wideLow, wideHigh, corners );
		for ( int k = 0; k < count; ++k )
		{
			pnPoint2 at = pnToGrid( c, corners[k] );
			const pnPoint2* last = c->corners + c->cornerCount - 1;
			if ( c->cornerCount == 0 || last->x != at.x || last->y != at.y )
			{
				c->corners[c->cornerCount++] = at;
			}
		}
	}
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		pnCrossing* x = c->crossings + i;
		x->grid = pnToGrid( c, x->at );
		x->inside = c->blade->whole || pnReaches( c, x->grid );
		c->whole = c->whole && x->inside;
	}
}

// ---- nodes and rims ----

static int32_t pnAddNode( pnCutting* c, pnSliceNode node, pnVec3 place )
{
	c->nodes[c->nodeCount] = node;
	c->places[c->nodeCount] = place;
	return c->source->nodeCount + c->nodeCount++;
}

static int32_t pnAddRim( pnCutting* c, pnRim rim, pnPoint2 at )
{
	c->rims[c->rimCount] = rim;
	c->grid[c->rimCount] = at;
	return c->rimCount++;
}

// Two new nodes in one place, or one if the sides hang together there.
static int32_t pnOpenRim( pnCutting* c, pnSliceNode node, pnVec3 place, pnPoint2 at, bool apart )
{
	pnRim rim;
	node.side = apart ? 1 : 0;
	rim.above = rim.below = pnAddNode( c, node, place );
	if ( apart )
	{
		node.side = -1;
		rim.below = pnAddNode( c, node, place );
	}
	return pnAddRim( c, rim, at );
}

static pnSliceNode pnCopyOf( int32_t node )
{
	return (pnSliceNode){ { node, node, node }, { 1.0f, 0.0f, 0.0f }, 0 };
}

// ---- nodes that the plane runs through ----

typedef struct pnSnaps
{
	int32_t* crossings; // of each node
	int32_t* lone; // triangles in which the node is alone on its side
	double* spans; // heights of the edges that are cut
	uint8_t* taken; // 1: may be taken for its crossings
} pnSnaps;

static bool pnIsNear( const pnCutting* c, int32_t node, const pnSnaps* snaps )
{
	double height = fabs( pnGetHeight( c->blade, c->source->places[node] ) );
	return height * snaps->crossings[node] <= pn_nearest * snaps->spans[node] && snaps->lone[node] == snaps->crossings[node] - 1;
}

// Nodes so near to the plane that they stand for all of their crossings. Safe if the crossings are one run of a loop, if no node across
// the plane does the same for one of them, and if two neighbours that do are neighbours along the loop.
static bool pnTakeNodes( pnCutting* c, pnSnaps* snaps )
{
	const pnSliceSource* s = c->source;
	snaps->crossings = pnTakeArray( &c->scratch, int32_t, s->nodeCount );
	snaps->lone = pnTakeArray( &c->scratch, int32_t, s->nodeCount );
	snaps->spans = pnTakeArray( &c->scratch, double, s->nodeCount );
	snaps->taken = pnTakeArray( &c->scratch, uint8_t, s->nodeCount );
	if ( c->scratch.failed )
	{
		return false;
	}
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		const pnCrossing* x = c->crossings + i;
		double span = fabs( pnGetHeight( c->blade, s->places[x->low] ) - pnGetHeight( c->blade, s->places[x->high] ) );
		snaps->crossings[x->low] += 1, snaps->crossings[x->high] += 1;
		snaps->spans[x->low] += span, snaps->spans[x->high] += span;
	}
	for ( int i = 0; i < c->segmentCount; ++i )
	{
		snaps->lone[c->segments[i].p] += 1;
	}
	bool any = false;
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		const pnCrossing* x = c->crossings + i;
		bool low = pnIsNear( c, x->low, snaps ), high = pnIsNear( c, x->high, snaps );
		bool lower = x->t < 0.5 || ( x->t == 0.5 && x->low < x->high ); // of two the nearer one
		snaps->taken[x->low] |= low, snaps->taken[x->high] |= high;
		snaps->taken[x->low] |= low && high && !lower ? 2 : 0;
		snaps->taken[x->high] |= low && high && lower ? 2 : 0;
		any = any || low || high;
	}
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		pnCrossing* x = c->crossings + i;
		snaps->taken[x->low] = snaps->taken[x->low] == 1, snaps->taken[x->high] = snaps->taken[x->high] == 1;
		// A crossing that would be drawn more than a quarter of its edge stays where it is.
		if ( ( snaps->taken[x->low] != 0 && x->t > 0.25 ) || ( snaps->taken[x->high] != 0 && x->t < 0.75 ) )
		{
			snaps->taken[x->low] = snaps->taken[x->high] = 0;
		}
	}
	if ( !any )
	{
		return true;
	}
	// Edges between two that are taken: one of their two triangles must be cut. Counted over all triangles.
	int pairCount = 0, pairMost = 0;
	for ( int pass = 0; pass < 2; ++pass )
	{
		pnScratch scratch = { 0 };
		uint64_t* keys = NULL;
		uint64_t* spareKeys = NULL;
		int32_t *cuts = NULL, *spare = NULL;
		if ( pass == 1 )
		{
			keys = pnTakeArray( &scratch, uint64_t, pairMost ), spareKeys = pnTakeArray( &scratch, uint64_t, pairMost );
			cuts = pnTakeArray( &scratch, int32_t, pairMost ), spare = pnTakeArray( &scratch, int32_t, pairMost );
			if ( scratch.failed )
			{
				pnGiveBack( &scratch );
				return false;
			}
		}
		for ( int i = 0; i < 3 * s->triangleCount; ++i )
		{
			int32_t a = s->triangles[i], b = s->triangles[i - i % 3 + ( i + 1 ) % 3], third = s->triangles[i - i % 3 + ( i + 2 ) % 3];
			if ( a == b || snaps->taken[a] == 0 || snaps->taken[b] == 0 || c->above[a] != c->above[b] )
			{
				continue;
			}
			if ( pass == 0 )
			{
				pairMost += 1;
				continue;
			}
			keys[pairCount] = (uint64_t)(uint32_t)( a < b ? a : b ) << 32 | (uint32_t)( a < b ? b : a );
			cuts[pairCount++] = c->above[third] != c->above[a];
		}
		if ( pass == 1 )
		{
			pnSortByKey( keys, cuts, spareKeys, spare, pairCount );
			for ( int i = 0; i < pairCount; )
			{
				int j = i, sum = 0;
				for ( ; j < pairCount && keys[j] == keys[i]; ++j )
				{
					sum += cuts[j];
				}
				int32_t a = (int32_t)( keys[i] >> 32 ), b = (int32_t)( keys[i] & 0xffffffffu );
				if ( sum != 1 && snaps->taken[a] != 0 )
				{
					snaps->taken[b] = 0;
				}
				i = j;
			}
		}
		pnGiveBack( &scratch );
		if ( pairMost == 0 )
		{
			break;
		}
	}
	return true;
}

static int32_t pnTakenEnd( const pnSnaps* snaps, const pnCrossing* x )
{
	return snaps->taken[x->low] != 0 ? x->low : snaps->taken[x->high] != 0 ? x->high : -1;
}

// A loop that would be left with fewer than three places keeps all of its crossings.
static void pnKeepLoops( const pnCutting* c, pnSnaps* snaps )
{
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		if ( c->crossings[i].loop != i ) // loops are named by their first crossing
		{
			continue;
		}
		int places = 0;
		int32_t at = i;
		do
		{
			const pnSegment* segment = c->segments + c->crossings[at].next;
			int32_t to = segment->above ? segment->ends[1] : segment->ends[0];
			int32_t mine = pnTakenEnd( snaps, c->crossings + at ), other = pnTakenEnd( snaps, c->crossings + to );
			places += mine < 0 || mine != other;
			at = to;
		}
		while ( at != i );
		while ( places < 3 )
		{
			snaps->taken[c->crossings[at].low] = snaps->taken[c->crossings[at].high] = 0;
			const pnSegment* segment = c->segments + c->crossings[at].next;
			at = segment->above ? segment->ends[1] : segment->ends[0];
			if ( at == i )
			{
				break;
			}
		}
	}
}

// ---- loops and rims ----

static int32_t pnFollow( const pnCutting* c, int32_t crossing )
{
	const pnCrossing* x = c->crossings + crossing;
	if ( x->next < 0 )
	{
		return -1;
	}
	const pnSegment* segment = c->segments + x->next;
	return segment->above ? segment->ends[1] : segment->ends[0];
}

// Closed loops are named by their first crossing; others are -1.
static void pnNameLoops( pnCutting* c )
{
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		if ( c->crossings[i].loop >= 0 )
		{
			continue;
		}
		int32_t at = pnFollow( c, i ), steps = 0;
		while ( at >= 0 && at != i && steps <= c->crossingCount )
		{
			at = pnFollow( c, at );
			steps += 1;
		}
		for ( int32_t k = i; at == i && c->crossings[k].loop < 0; k = pnFollow( c, k ) )
		{
			c->crossings[k].loop = i;
		}
	}
}

static pnSliceNode pnBetween( const pnCrossing* x )
{
	return (pnSliceNode){ { x->low, x->high, x->low }, { (float)( 1.0 - x->t ), (float)x->t, 0.0f }, 0 };
}

static bool pnOpenCrossings( pnCutting* c )
{
	pnSnaps snaps = { 0 };
	if ( c->whole )
	{
		if ( !pnTakeNodes( c, &snaps ) )
		{
			return false;
		}
		pnKeepLoops( c, &snaps );
	}
	int32_t* rimOf = c->whole ? pnTakeArray( &c->scratch, int32_t, c->source->nodeCount ) : NULL; // 1 + the rim that a node is
	if ( c->scratch.failed )
	{
		return false;
	}
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		pnCrossing* x = c->crossings + i;
		int32_t taken = c->whole ? pnTakenEnd( &snaps, x ) : -1;
		if ( !x->inside )
		{
			continue;
		}
		if ( taken < 0 )
		{
			x->rim = pnOpenRim( c, pnBetween( x ), x->place, x->grid, true );
			continue;
		}
		if ( rimOf[taken] == 0 )
		{
			double at[2];
			pnSliceNode copy = pnCopyOf( taken );
			copy.side = c->above[taken] != 0 ? -1 : 1;
			int32_t other = pnAddNode( c, copy, c->source->places[taken] );
			pnRim rim = { c->above[taken] != 0 ? taken : other, c->above[taken] != 0 ? other : taken };
			pnFlatten( c->blade, c->source->places[taken], at );
			rimOf[taken] = 1 + pnAddRim( c, rim, pnToGrid( c, at ) );
		}
		x->rim = rimOf[taken] - 1;
	}
	return true;
}

// ---- where the blade ends ----

// A point of a segment, s of the way from its first end, as a mean of the triangle's corners.
static pnSliceNode pnAlong( const pnCutting* c, const pnSegment* segment, double s, pnVec3* place )
{
	const pnCrossing *a = c->crossings + segment->ends[0], *b = c->crossings + segment->ends[1];
	double ta = a->low == segment->p ? a->t : 1.0 - a->t, tb = b->low == segment->p ? b->t : 1.0 - b->t; // from p
	double wq = ( 1.0 - s ) * ta, wr = s * tb;
	const float *pa = &a->place.x, *pb = &b->place.x;
	for ( int k = 0; k < 3; ++k )
	{
		( &place->x )[k] = (float)( (double)pa[k] + s * ( (double)pb[k] - (double)pa[k] ) );
	}
	return (pnSliceNode){ { segment->p, segment->q, segment->r }, { (float)( 1.0 - wq - wr ), (float)wq, (float)wr }, 0 };
}

static int32_t pnOpenAlong( pnCutting* c, const pnSegment* segment, double s, bool apart )
{
	pnVec3 place;
	double at[2];
	pnSliceNode node = pnAlong( c, segment, s, &place );
	pnFlatten( c->blade, place, at );
	return pnOpenRim( c, node, place, pnToGrid( c, at ), apart );
}

static void pnAddGate( pnCutting* c, int32_t rim, int edge, bool leaves )
{
	pnPoint2 a = c->corners[edge], b = c->corners[( edge + 1 ) % c->cornerCount], p = c->grid[rim];
	double x = (double)b.x - a.x, y = (double)b.y - a.y;
	double along = ( x * ( (double)p.x - a.x ) + y * ( (double)p.y - a.y ) ) / ( x * x + y * y );
	c->gates[c->gateCount++] = (pnGate){ rim, edge, along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along, leaves };
}

static void pnClipSegment( pnCutting* c, pnSegment* segment, bool sealed )
{
	const pnCrossing *a = c->crossings + segment->ends[0], *b = c->crossings + segment->ends[1];
	if ( a->inside && b->inside )
	{
		segment->cut = true;
		return;
	}
	double from = 0.0, to = 1.0;
	int fromEdge = -1, toEdge = -1;
	for ( int k = 0; k < c->cornerCount; ++k )
	{
		double da = (double)pnSideOf( c->corners[k], c->corners[( k + 1 ) % c->cornerCount], a->grid );
		double db = (double)pnSideOf( c->corners[k], c->corners[( k + 1 ) % c->cornerCount], b->grid );
		if ( da < 0.0 && db < 0.0 )
		{
			return;
		}
		double s = da / ( da - db );
		if ( da < 0.0 && s > from )
		{
			from = s, fromEdge = k;
		}
		if ( db < 0.0 && s < to )
		{
			to = s, toEdge = k;
		}
	}
	const double least = 1.0 / 16.0; // of the segment, between the places on it
	from = fromEdge >= 0 && from < least ? least : from;
	to = toEdge >= 0 && to > 1.0 - least ? 1.0 - least : to;
	if ( fromEdge < 0 && toEdge < 0 )
	{
		return;
	}
	if ( fromEdge >= 0 && toEdge >= 0 && to - from < least )
	{
		return; // a mere corner
	}
	from = fromEdge >= 0 && toEdge < 0 && from > 1.0 - least ? 1.0 - least : from;
	to = toEdge >= 0 && fromEdge < 0 && to < least ? least : to;
	segment->cut = true;
	c->ends = true;
	if ( fromEdge >= 0 )
	{
		segment->rims[0] = pnOpenAlong( c, segment, from, false );
	}
	if ( toEdge >= 0 )
	{
		segment->rims[1] = pnOpenAlong( c, segment, to, false );
	}
	if ( fromEdge >= 0 && toEdge >= 0 )
	{
		segment->middle = pnOpenAlong( c, segment, 0.5 * ( from + to ), true );
	}
	if ( sealed && fromEdge >= 0 )
	{
		pnAddGate( c, segment->rims[0], fromEdge, !segment->above );
	}
	if ( sealed && toEdge >= 0 )
	{
		pnAddGate( c, segment->rims[1], toEdge, segment->above );
	}
}

static void pnAddEdge( pnCutting* c, int32_t from, int32_t to )
{
	if ( from != to )
	{
		c->edges[2 * c->edgeCount] = from;
		c->edges[2 * c->edgeCount + 1] = to;
		c->edgeCount += 1;
	}
}

static void pnClipSegments( pnCutting* c )
{
	for ( int i = 0; i < c->segmentCount; ++i )
	{
		pnSegment* segment = c->segments + i;
		bool sealed = pnIsSealed( c, segment->p );
		pnClipSegment( c, segment, sealed );
		if ( !segment->cut || !sealed )
		{
			continue;
		}
		int32_t first = segment->rims[0] >= 0 ? segment->rims[0] : c->crossings[segment->ends[0]].rim;
		int32_t last = segment->rims[1] >= 0 ? segment->rims[1] : c->crossings[segment->ends[1]].rim;
		int32_t from = segment->above ? first : last, to = segment->above ? last : first;
		pnAddEdge( c, from, segment->middle >= 0 ? segment->middle : to );
		if ( segment->middle >= 0 )
		{
			pnAddEdge( c, segment->middle, to );
		}
	}
}

// A corner of the blade within the material, where both sides hang together.
static int32_t pnOpenCorner( pnCutting* c, int corner )
{
	const pnBlade* blade = c->blade;
	pnPoint2 at = c->corners[corner];
	double x = (double)at.x / c->scale + c->center[0], y = (double)at.y / c->scale + c->center[1];
	pnVec3 place;
	for ( int k = 0; k < 3; ++k )
	{
		( &place.x )[k] = (float)( blade->origin[k] + x * blade->u[k] + y * blade->v[k] );
	}
	return pnOpenRim( c, (pnSliceNode){ { -1, -1, -1 }, { 0.0f, 0.0f, 0.0f }, 0 }, place, at, false );
}

static bool pnComesFirst( const pnGate* a, const pnGate* b )
{
	return a->edge != b->edge ? a->edge < b->edge : a->along != b->along ? a->along < b->along : a->rim < b->rim;
}

// How often the loops of closed parts run around a place.
static int pnWind( const pnCutting* c, pnPoint2 p )
{
	int winding = 0;
	for ( int i = 0; i < c->segmentCount; ++i )
	{
		const pnSegment* segment = c->segments + i;
		if ( pnIsSealed( c, segment->p ) )
		{
			pnPoint2 a = c->crossings[segment->ends[segment->above ? 0 : 1]].grid, b = c->crossings[segment->ends[segment->above ? 1 : 0]].grid;
			winding += a.y <= p.y && b.y > p.y && pnSideOf( a, b, p ) > 0;
			winding -= b.y <= p.y && a.y > p.y && pnSideOf( a, b, p ) < 0;
		}
	}
	return winding;
}

// From where a loop leaves the blade's reach the outline follows the blade's rim to where the next one comes in.
static void pnCloseGates( pnCutting* c )
{
	for ( int i = 1; i < c->gateCount; ++i )
	{
		pnGate gate = c->gates[i];
		int at = i;
		for ( ; at > 0 && pnComesFirst( &gate, c->gates + at - 1 ); --at )
		{
			c->gates[at] = c->gates[at - 1];
		}
		c->gates[at] = gate;
	}
	for ( int i = 0; i < c->gateCount; ++i )
	{
		const pnGate* gate = c->gates + i;
		if ( !gate->leaves )
		{
			continue;
		}
		int depth = 1, k = i;
		while ( depth > 0 ) // the one that fits: between them as many leave as come
		{
			k = ( k + 1 ) % c->gateCount;
			depth += c->gates[k].leaves ? 1 : -1;
			if ( k == i )
			{
				break;
			}
		}
		const pnGate* entry = c->gates + k;
		int corners = entry->edge - gate->edge;
		corners += corners < 0 || ( corners == 0 && ( entry->along < gate->along || k < i ) ) ? c->cornerCount : 0;
		int32_t last = gate->rim;
		for ( int n = 1; n <= corners; ++n )
		{
			int32_t corner = pnOpenCorner( c, ( gate->edge + n ) % c->cornerCount );
			pnAddEdge( c, last, corner );
			last = corner;
		}
		pnAddEdge( c, last, entry->rim );
	}
	// A blade that ends in the material all around what it opened inside, such as a hollow.
	if ( c->gateCount == 0 && !c->whole && c->edgeCount > 0 && c->cornerCount >= 3 && pnWind( c, c->corners[0] ) == 1 )
	{
		int32_t first = pnOpenCorner( c, 0 ), last = first;
		for ( int n = 1; n < c->cornerCount; ++n )
		{
			int32_t corner = pnOpenCorner( c, n );
			pnAddEdge( c, last, corner );
			last = corner;
		}
		pnAddEdge( c, last, first );
		c->ends = true;
	}
}

// ---- what is carried ----

static void pnGetWeighed( const pnCutting* c, const pnSliceNode* node, float* values )
{
	int count = c->source->valueCount;
	for ( int k = 0; k < count; ++k )
	{
		double sum = 0.0;
		for ( int i = 0; i < 3; ++i )
		{
			sum += (double)node->weights[i] * (double)c->source->values[(size_t)node->from[i] * count + k];
		}
		values[k] = (float)sum;
	}
}

static void pnFitPlane( const double sums[6], const double right[3], double plane[3] )
{
	// Normal equations of 1, x, y; about the mean, so that they hardly mix.
	double det = sums[3] * sums[5] - sums[4] * sums[4];
	plane[0] = sums[0] > 0.0 ? right[0] / sums[0] : 0.0;
	bool fine = det > 1e-9 * ( sums[3] + sums[5] ) * ( sums[3] + sums[5] );
	plane[1] = fine ? ( sums[5] * right[1] - sums[4] * right[2] ) / det : 0.0;
	plane[2] = fine ? ( sums[3] * right[2] - sums[4] * right[1] ) / det : 0.0;
}

// Values of nodes that have no source: a flat field through those of the rims, and what the rims differ from it spread evenly.
// points: rims, then inner ones. values: of all added nodes; those of nodes with a source are there.
static bool pnSpreadValues( pnCutting* c, const pnFilling* filling, const pnPoint2* points, const int32_t* nodeOf, const uint8_t* known, int count, float* values )
{
	int pointCount = c->rimCount + filling->innerCount;
	pnScratch scratch = { 0 };
	float* rest = pnTakeArray( &scratch, float, (size_t)pointCount * count );
	float* sums = pnTakeArray( &scratch, float, (size_t)pointCount * count );
	float* shares = pnTakeArray( &scratch, float, pointCount );
	double* planes = pnTakeArray( &scratch, double, 3 * (size_t)count );
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return false;
	}
	double mean[2] = { 0 }, moments[6] = { 0 };
	bool bent = false;
	int knownCount = 0;
	for ( int i = 0; i < c->rimCount; ++i )
	{
		knownCount += known[i];
		mean[0] += known[i] ? (double)points[i].x : 0.0, mean[1] += known[i] ? (double)points[i].y : 0.0;
	}
	mean[0] /= knownCount > 0 ? knownCount : 1, mean[1] /= knownCount > 0 ? knownCount : 1;
	for ( int i = 0; i < c->rimCount; ++i )
	{
		double x = (double)points[i].x - mean[0], y = (double)points[i].y - mean[1], w = known[i];
		moments[0] += w, moments[3] += w * x * x, moments[4] += w * x * y, moments[5] += w * y * y;
	}
	for ( int k = 0; k < count; ++k )
	{
		double right[3] = { 0 };
		for ( int i = 0; i < c->rimCount; ++i )
		{
			double value = known[i] ? (double)values[(size_t)nodeOf[i] * count + k] : 0.0;
			right[0] += value, right[1] += value * ( (double)points[i].x - mean[0] ), right[2] += value * ( (double)points[i].y - mean[1] );
		}
		pnFitPlane( moments, right, planes + 3 * k );
		double largest = 0.0, worst = 0.0;
		for ( int i = 0; i < c->rimCount; ++i )
		{
			double flat = planes[3 * k] + planes[3 * k + 1] * ( (double)points[i].x - mean[0] ) + planes[3 * k + 2] * ( (double)points[i].y - mean[1] );
			float left = known[i] ? (float)( (double)values[(size_t)nodeOf[i] * count + k] - flat ) : 0.0f;
			rest[(size_t)i * count + k] = left;
			largest = fabs( flat ) > largest ? fabs( flat ) : largest;
			worst = fabs( (double)left ) > worst ? fabs( (double)left ) : worst;
		}
		bent = bent || worst > 2e-6 * largest; // more than rounding
	}
	for ( int i = 0; i < 3 * filling->triangleCount; ++i )
	{
		shares[filling->triangles[i]] += 2.0f;
	}
	for ( int sweep = 0; sweep < 12 && bent; ++sweep )
	{
		memset( sums, 0, (size_t)pointCount * count * sizeof( float ) );
		for ( int t = 0; t < filling->triangleCount; ++t )
		{
			const int32_t* corner = filling->triangles + 3 * (size_t)t;
			for ( int k = 0; k < count; ++k )
			{
				float a = rest[(size_t)corner[0] * count + k], b = rest[(size_t)corner[1] * count + k], d = rest[(size_t)corner[2] * count + k];
				sums[(size_t)corner[0] * count + k] += b + d, sums[(size_t)corner[1] * count + k] += d + a, sums[(size_t)corner[2] * count + k] += a + b;
			}
		}
		for ( int i = 0; i < pointCount; ++i )
		{
			for ( int k = 0; k < count && ( i >= c->rimCount || known[i] == 0 ) && shares[i] > 0.0f; ++k )
			{
				rest[(size_t)i * count + k] = sums[(size_t)i * count + k] / shares[i];
			}
		}
	}
	for ( int i = 0; i < pointCount; ++i )
	{
		for ( int k = 0; k < count && ( i >= c->rimCount || known[i] == 0 ); ++k )
		{
			double flat = planes[3 * k] + planes[3 * k + 1] * ( (double)points[i].x - mean[0] ) + planes[3 * k + 2] * ( (double)points[i].y - mean[1] );
			values[(size_t)nodeOf[i] * count + k] = (float)( flat + (double)rest[(size_t)i * count + k] );
		}
	}
	pnGiveBack( &scratch );
	return true;
}

// Crossings may lie a little off the plane; what is put inside follows them, so that places and values go together.
static bool pnSpreadHeights( pnCutting* c, const pnFilling* filling, const pnPoint2* points, const int32_t* nodeOf, const uint8_t* known, pnSlice* slice )
{
	pnScratch scratch = { 0 };
	float* heights = pnTakeArray( &scratch, float, slice->addedCount );
	bool done = !scratch.failed, off = false;
	for ( int i = 0; i < c->rimCount && done; ++i )
	{
		double height = known[i] ? pnGetHeight( c->blade, slice->places[nodeOf[i]] ) : 0.0;
		heights[nodeOf[i]] = (float)height;
		off = off || fabs( height ) * c->scale > 1e-6 * PN_OUTLINE_REACH;
	}
	done = done && ( !off || pnSpreadValues( c, filling, points, nodeOf, known, 1, heights ) );
	for ( int i = 0; i < c->rimCount + filling->innerCount && done && off; ++i )
	{
		for ( int k = 0; k < 3 && ( i >= c->rimCount || known[i] == 0 ); ++k )
		{
			float* at = &slice->places[nodeOf[i]].x + k;
			*at = (float)( (double)*at + (double)heights[nodeOf[i]] * c->blade->n[k] );
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// ---- triangles ----

typedef struct pnEmitter { int32_t *triangles, *origins; int count; } pnEmitter;

static void pnEmit( pnEmitter* e, int32_t a, int32_t b, int32_t d, int32_t origin )
{
	if ( a != b && b != d && d != a )
	{
		memcpy( e->triangles + 3 * (size_t)e->count, ( int32_t[3] ){ a, b, d }, 3 * sizeof( int32_t ) );
		e->origins[e->count++] = origin;
	}
}

static double pnGap2( const pnCutting* c, int32_t a, int32_t b )
{
	int first = c->source->nodeCount;
	pnVec3 x = a < first ? c->source->places[a] : c->places[a - first], y = b < first ? c->source->places[b] : c->places[b - first];
	pnVec3 d = pnSub( x, y );
	return (double)d.x * d.x + (double)d.y * d.y + (double)d.z * d.z;
}

static void pnEmitSegment( const pnCutting* c, const pnSegment* segment, pnEmitter* e )
{
	int32_t p = segment->p, q = segment->q, r = segment->r, t = segment->triangle;
	int32_t own[2], other[2]; // the crossings as p's side and the other one know them
	for ( int k = 0; k < 2; ++k )
	{
		int32_t rim = c->crossings[segment->ends[k]].rim;
		own[k] = rim < 0 ? -1 : segment->above ? c->rims[rim].above : c->rims[rim].below;
		other[k] = rim < 0 ? -1 : segment->above ? c->rims[rim].below : c->rims[rim].above;
	}
	int32_t first = segment->rims[0] >= 0 ? c->rims[segment->rims[0]].above : -1, last = segment->rims[1] >= 0 ? c->rims[segment->rims[1]].above : -1;
	if ( !segment->cut )
	{
		pnEmit( e, p, q, r, t );
	}
	else if ( first < 0 && last < 0 )
	{
		pnEmit( e, p, own[0], own[1], t );
		if ( pnGap2( c, other[0], r ) <= pnGap2( c, q, other[1] ) || other[0] == q || other[1] == r )
		{
			pnEmit( e, other[0], q, r, t );
			pnEmit( e, other[0], r, other[1], t );
		}
		else
		{
			pnEmit( e, other[0], q, other[1], t );
			pnEmit( e, q, r, other[1], t );
		}
	}
	else if ( first < 0 )
	{
		pnEmit( e, last, p, own[0], t );
		pnEmit( e, last, other[0], q, t );
		pnEmit( e, last, q, r, t );
		pnEmit( e, last, r, p, t );
	}
	else if ( last < 0 )
	{
		pnEmit( e, first, p, q, t );
		pnEmit( e, first, q, r, t );
		pnEmit( e, first, r, other[1], t );
		pnEmit( e, first, own[1], p, t );
	}
	else
	{
		pnRim middle = c->rims[segment->middle];
		int32_t mine = segment->above ? middle.above : middle.below, theirs = segment->above ? middle.below : middle.above;
		pnEmit( e, p, q, first, t );
		pnEmit( e, q, r, first, t );
		pnEmit( e, p, first, mine, t );
		pnEmit( e, p, mine, last, t );
		pnEmit( e, first, r, theirs, t );
		pnEmit( e, theirs, r, last, t );
		pnEmit( e, last, r, p, t );
	}
}

static int32_t pnChooseSpacing( const pnCutting* c )
{
	double area = 0.0, length = 0.0;
	for ( int i = 0; i < c->edgeCount; ++i )
	{
		pnPoint2 a = c->grid[c->edges[2 * i]], b = c->grid[c->edges[2 * i + 1]];
		double x = (double)b.x - a.x, y = (double)b.y - a.y;
		area += 0.5 * ( (double)a.x * b.y - (double)a.y * b.x );
		length += sqrt( x * x + y * y );
	}
	if ( !( area > 0.0 ) || c->edgeCount == 0 )
	{
		return 0;
	}
	// As wide as the rim's edges and a half; but a dozen points at least, so that the face can bend, and some hundreds at most.
	double spacing = 1.5 * length / c->edgeCount, finest = sqrt( area / 400.0 ), widest = sqrt( area / 12.0 );
	spacing = spacing < finest ? finest : spacing > widest ? widest : spacing;
	double least = c->source->spacing * c->scale;
	spacing = c->ends && spacing < least ? least : spacing; // one sweep after another must not crowd the body
	return (int32_t)( spacing < 4.0 ? 4.0 : spacing );
}

static bool pnFinishSlice( pnCutting* c, const pnFilling* filling, pnScratch* scratch, pnSlice* slice )
{
	const pnSliceSource* s = c->source;
	int rimNodes = c->nodeCount, count = rimNodes + 2 * filling->innerCount, pointCount = c->rimCount + filling->innerCount;
	int most = s->triangleCount + 6 * c->segmentCount + 2 * filling->triangleCount;
	slice->added = pnTakeRawArray( scratch, pnSliceNode, count );
	slice->places = pnTakeRawArray( scratch, pnVec3, count );
	slice->values = pnTakeArray( scratch, float, (size_t)count * s->valueCount );
	slice->triangles = pnTakeRawArray( scratch, int32_t, 3 * (size_t)most );
	slice->origins = pnTakeRawArray( scratch, int32_t, most );
	slice->above = pnTakeArray( scratch, uint8_t, s->nodeCount );
	pnPoint2* points = pnTakeArray( &c->scratch, pnPoint2, pointCount );
	int32_t* nodeOf = pnTakeArray( &c->scratch, int32_t, pointCount ); // added node, for the values
	uint8_t* known = pnTakeArray( &c->scratch, uint8_t, pointCount );
	if ( scratch->failed || c->scratch.failed )
	{
		return false;
	}
	memcpy( slice->added, c->nodes, (size_t)rimNodes * sizeof( pnSliceNode ) );
	memcpy( slice->places, c->places, (size_t)rimNodes * sizeof( pnVec3 ) );
	memcpy( slice->above, c->above, (size_t)s->nodeCount );
	slice->addedCount = count;
	slice->ends = c->ends;
	for ( int i = 0; i < rimNodes; ++i )
	{
		if ( c->nodes[i].from[0] >= 0 )
		{
			pnGetWeighed( c, c->nodes + i, slice->values + (size_t)i * s->valueCount );
		}
	}
	for ( int i = 0; i < c->rimCount; ++i )
	{
		pnRim rim = c->rims[i];
		points[i] = c->grid[i];
		nodeOf[i] = ( rim.above >= s->nodeCount ? rim.above : rim.below ) - s->nodeCount;
		known[i] = c->nodes[nodeOf[i]].from[0] >= 0;
	}
	for ( int i = 0; i < filling->innerCount; ++i )
	{
		pnPoint2 at = filling->inner[i];
		double x = (double)at.x / c->scale + c->center[0], y = (double)at.y / c->scale + c->center[1];
		int first = rimNodes + 2 * i;
		for ( int k = 0; k < 3; ++k )
		{
			( &slice->places[first].x )[k] = (float)( c->blade->origin[k] + x * c->blade->u[k] + y * c->blade->v[k] );
		}
		slice->added[first] = (pnSliceNode){ { -1, -1, -1 }, { 0.0f, 0.0f, 0.0f }, 1 };
		slice->added[first + 1] = (pnSliceNode){ { -1, -1, -1 }, { 0.0f, 0.0f, 0.0f }, -1 };
		points[c->rimCount + i] = at;
		nodeOf[c->rimCount + i] = first;
	}
	if ( !pnSpreadValues( c, filling, points, nodeOf, known, s->valueCount, slice->values ) || !pnSpreadHeights( c, filling, points, nodeOf, known, slice ) )
	{
		return false;
	}
	size_t size = (size_t)s->valueCount * sizeof( float );
	for ( int i = 0; i < filling->innerCount; ++i )
	{
		size_t first = (size_t)( rimNodes + 2 * i );
		slice->places[first + 1] = slice->places[first];
		if ( size > 0 )
		{
			memcpy( slice->values + ( first + 1 ) * s->valueCount, slice->values + first * s->valueCount, size );
		}
	}

	pnEmitter e = { slice->triangles, slice->origins, 0 };
	int next = 0; // segments come in the order of their triangles
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		if ( next < c->segmentCount && c->segments[next].triangle == t )
		{
			pnEmitSegment( c, c->segments + next++, &e );
		}
		else
		{
			pnEmit( &e, s->triangles[3 * (size_t)t], s->triangles[3 * (size_t)t + 1], s->triangles[3 * (size_t)t + 2], t );
		}
	}
	for ( int t = 0; t < filling->triangleCount; ++t )
	{
		int32_t up[3], down[3];
		for ( int k = 0; k < 3; ++k )
		{
			int32_t point = filling->triangles[3 * (size_t)t + k], inner = s->nodeCount + rimNodes + 2 * ( point - c->rimCount );
			up[k] = point < c->rimCount ? c->rims[point].above : inner;
			down[k] = point < c->rimCount ? c->rims[point].below : inner + 1;
		}
		pnEmit( &e, up[0], up[2], up[1], -1 ); // the part above looks down
		pnEmit( &e, down[0], down[1], down[2], -1 );
	}
	slice->triangleCount = e.count;
	for ( int i = 0; i < count && c->ends && s->kerf > 0.0; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			float* at = &slice->places[i].x + k;
			*at = (float)( (double)*at + s->kerf * slice->added[i].side * c->blade->n[k] );
		}
	}
	return true;
}

bool pnSliceSurface( const pnSliceSource* source, const pnBlade* blade, pnScratch* scratch, pnSlice* slice )
{
	*slice = (pnSlice){ 0 };
	pnCutting c = { .source = source, .blade = blade };
	bool fine = pnFindSegments( &c ) && pnLeaveAllTouched( &c ), any = false;
	if ( fine && c.segmentCount > 0 )
	{
		pnLayGrid( &c );
		pnNameLoops( &c );
		size_t places = 2 * (size_t)c.crossingCount + 4 * (size_t)c.segmentCount, corners = (size_t)PN_BLADE_CORNERS * ( 2 + (size_t)c.segmentCount );
		corners = c.whole ? 0 : corners;
		c.rims = pnTakeRawArray( &c.scratch, pnRim, places + corners );
		c.grid = pnTakeRawArray( &c.scratch, pnPoint2, places + corners );
		c.nodes = pnTakeRawArray( &c.scratch, pnSliceNode, places + corners );
		c.places = pnTakeRawArray( &c.scratch, pnVec3, places + corners );
		c.gates = pnTakeRawArray( &c.scratch, pnGate, 2 * (size_t)c.segmentCount );
		c.edges = pnTakeRawArray( &c.scratch, int32_t, 2 * ( 2 * (size_t)c.segmentCount + corners + places ) );
		fine = !c.scratch.failed && pnFindSealed( &c ) && pnOpenCrossings( &c );
		if ( fine )
		{
			pnClipSegments( &c );
			pnCloseGates( &c );
		}
		for ( int i = 0; i < c.segmentCount && fine; ++i )
		{
			any = any || c.segments[i].cut;
		}
	}
	if ( fine && any )
	{
		pnOutline outline = { c.grid, c.rimCount, c.edges, c.edgeCount, pnChooseSpacing( &c ) };
		pnFilling filling = { 0 };
		fine = pnFillOutline( &outline, &c.scratch, &filling ) && pnFinishSlice( &c, &filling, scratch, slice );
	}
	pnGiveBack( &c.scratch );
	return fine;
}
