// hash_grid.h - points or triangles in the hashed cells of a grid (Teschner et al. 2003), and segments and rays against the triangles.
// Knows arrays of particles and an arena; no bodies, no response.
#pragma once

#include "detect.h"
#include "nearest.h"

// Things made of particles: points of 1 corner, triangles of 3, tetrahedra of 4.
typedef struct pnItems
{
	const float* x; // particles: x y z m
	const int32_t* corners; // particles, cornerCount for each item
	int cornerCount, count;
} pnItems;

typedef struct pnExtents { double lower[3], upper[3]; } pnExtents;

// Take it, build it, then search. Nothing outside sees the order of its buckets: searches answer with sets, and ties go to the lower index.
typedef struct pnHashGrid
{
	pnItems items;
	pnExtents region;
	double cell, perCell; // metres, and 1 / that
	int cells[3]; // along each axis; what lies outside the region counts to the outermost
	int bucketCount; // a power of two
	int entryCapacity;
	int32_t* starts; // of the entries of each bucket, and the end
	int32_t* entries; // items
	int32_t* stamps; // of each item: the last search that met it
	int32_t* met; // items the search that is under way has met
	int32_t search;
} pnHashGrid;

// Where a way meets a triangle.
typedef struct pnCrossing
{
	int32_t triangle; // -1: nowhere
	double t; // along the way, in its own length
	double facing; // > 0: the way goes out, < 0: it goes in
	double weights[3]; // of the corners; not negative, add up to 1
} pnCrossing;

// Workspace, aligned to 16 bytes; NULL if the arena has no more. `used` is counted on all the same, so that a routine takes all it needs
// and checks once, with pnHasRoom.
void* pnTakeRoom( pnArena* arena, size_t count, size_t size );
#define pnTakeRoomFor( arena, T, count ) ( (T*)pnTakeRoom( arena, (size_t)( count ), sizeof( T ) ) )
// False: `wanted` says how large the arena must be for the same call, wherever its memory begins.
bool pnHasRoom( pnArena* arena );

static inline void pnLoadPlace( const float* x, int particle, double place[3] )
{
	place[0] = (double)x[4 * particle], place[1] = (double)x[4 * particle + 1], place[2] = (double)x[4 * particle + 2];
}

pnExtents pnGetItemExtents( const pnItems* items, int item );
static inline bool pnExtentsOverlap( const pnExtents* a, const pnExtents* b )
{
	return a->lower[0] <= b->upper[0] && b->lower[0] <= a->upper[0] && a->lower[1] <= b->upper[1] && b->lower[1] <= a->upper[1] &&
		   a->lower[2] <= b->upper[2] && b->lower[2] <= a->upper[2];
}
// False: they have no place in common, or are not finite, or larger than 1e30 m.
bool pnIntersectBounds( const pnAABB* a, const pnAABB* b, pnExtents* common );
pnExtents pnFromBounds( const pnAABB* bounds );
double pnGetTypicalEdge( const pnItems* items ); // metres: root mean square; 0 if there is none

// Room for a grid of up to so many items.
void pnTakeHashGrid( pnHashGrid* grid, int itemCount, pnArena* arena );
// cell: metres wished for; it becomes larger where items would fill too many.
void pnBuildHashGrid( pnHashGrid* grid, const pnItems* items, const pnExtents* region, double cell );

void pnBeginSearch( pnHashGrid* grid );
// Adds the items near a box that this search has not met yet; returns how many there are in `met`. count: as it was before.
int pnMeetItems( pnHashGrid* grid, const pnExtents* box, int count );

// The line through `from` along `along` against a triangle. Neighbours agree about the edge they share: no way slips through between them.
// False: it misses, or runs in the triangle's plane, or the triangle has no area.
bool pnCrossTriangle( const pnItems* triangles, int triangle, const double from[3], const double along[3], pnCrossing* crossing );
// Unit, out of the surface. False: it has none, being a line or a point.
bool pnGetTriangleNormal( const pnItems* triangles, int triangle, double normal[3] );
// The first triangle on the way of a ray; triangle -1 if there is none. direction: unit. t is in metres.
pnCrossing pnCastRay( pnHashGrid* grid, const double from[3], const double direction[3] );

// The vector at length 1. False: it is shorter than `least`, or not finite.
bool pnMakeUnit( double a[3], double least );
// Parts and weights of a place on a triangle or in a tetrahedron. Weights are cut at 0 and brought to the sum 1.
void pnSetPlace( pnFound* found, const int32_t* corners, const double* weights, int count );
