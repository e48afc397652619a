// net.h - triangles over places in the plane: Delaunay, with exact predicates, and with edges that are held. Knows no outlines.
#pragma once

#include "outline.h"

// Half edges of triangle t are 4 t, 4 t + 1 and 4 t + 2, counterclockwise. Around all places is a frame. Triangles 0 and 1 are its back:
// so each half edge has a twin, and going around a place always comes back.
typedef struct pnNet
{
	pnPoint2* places; // the first four are the frame's corners
	int32_t* corners; // the place where a half edge starts
	int32_t* twins;
	int32_t* walls; // 1 + the wall a half edge lies on; 0: none, it may be flipped
	int32_t* leaving; // of a place: a half edge that starts there
	int placeCount, triangleCount;
	int32_t last; // triangle where the last place came to lie
} pnNet;

static inline int32_t pnNext( int32_t half )
{
	return ( half & 3 ) == 2 ? half - 2 : half + 1;
}

static inline int32_t pnBefore( int32_t half )
{
	return ( half & 3 ) == 0 ? half + 2 : half - 1;
}

// ---- exact predicates ----

static inline bool pnIsSame( pnPoint2 a, pnPoint2 b )
{
	return a.x == b.x && a.y == b.y;
}

// Positive if c lies ahead on the way from a to b.
static inline int64_t pnAhead( pnPoint2 a, pnPoint2 b, pnPoint2 c )
{
	return ( (int64_t)b.x - a.x ) * ( (int64_t)c.x - a.x ) + ( (int64_t)b.y - a.y ) * ( (int64_t)c.y - a.y );
}

// Is d within the circle through a, b and c, which turn left? The frame is wider than PN_OUTLINE_REACH by a quarter: differences stay
// below 1.25 * 2^30, areas and squares below 2^62, and the sum of three products below 2^126.
static inline bool pnIsInCircle( pnPoint2 a, pnPoint2 b, pnPoint2 c, pnPoint2 d )
{
	int64_t ax = (int64_t)a.x - d.x, ay = (int64_t)a.y - d.y;
	int64_t bx = (int64_t)b.x - d.x, by = (int64_t)b.y - d.y;
	int64_t cx = (int64_t)c.x - d.x, cy = (int64_t)c.y - d.y;
	__int128 sum = (__int128)( ax * ax + ay * ay ) * ( bx * cy - by * cx );
	sum += (__int128)( bx * bx + by * by ) * ( cx * ay - cy * ax );
	sum += (__int128)( cx * cx + cy * cy ) * ( ax * by - ay * bx );
	return sum > 0;
}

// ---- lists ----

// Starts from zeros, but for the size.
typedef struct pnList
{
	void* items;
	int count, capacity;
	size_t size; // of an item
} pnList;

void* pnExtend( pnList* list, bool* failed ); // room for one more item; NULL: no memory, and `failed` is set
void pnFreeList( pnList* list );

// Part of a block that is shared by several arrays; NULL as long as there is no block and only `used` counts.
static inline void* pnPortion( char* memory, size_t* used, size_t count, size_t size )
{
	void* part = memory != NULL ? memory + *used : NULL;
	*used += ( count * size + PN_CACHE_LINE - 1 ) & ~(size_t)( PN_CACHE_LINE - 1 );
	return part;
}

// ---- nets ----

// The Delaunay triangles of some points. placeOf: the place of each; points on one another have the same. False: no memory.
bool pnBuildNet( pnNet* net, const pnPoint2* points, int count, int32_t* placeOf, pnScratch* scratch );

// The half edge from one place to another; -1: they are no neighbours.
int32_t pnFindHalf( const pnNet* net, int32_t from, int32_t to );

// An edge of the net in the way.
typedef struct pnPassed
{
	int32_t right, left; // places
	int32_t half;
	int32_t wall; // 1 + the one it lies on
} pnPassed;

// The first place on the straight way from one place to another, which may be that one. The edges passed are added to a list.
int32_t pnFindWay( const pnNet* net, int32_t from, int32_t to, pnList* passed, bool* failed );

// Makes an edge of the way that was found; no wall may be in it. Around it the net stays Delaunay. Uses up both lists, of pnPassed.
void pnForceEdge( pnNet* net, int32_t from, int32_t to, pnList* passed, pnList* fresh, bool* failed );
