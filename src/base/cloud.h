// cloud.h - clouds of points: sorting, order in space, nearest ones, welding. Knows no surfaces and no solids.
// All results are the same on every machine: ties go to the lower index, sums have one order.
#pragma once

#include "pliant/vec.h"
#include "scratch.h"

static inline float pnGetAxis( const pnVec3* a, int axis )
{
	return axis == 0 ? a->x : axis == 1 ? a->y : a->z;
}

pnAABB pnFindBounds( const pnVec3* points, int count ); // zeros for no points
float pnGetLargestExtent( pnAABB bounds );

// Sorts keys and the values with them; equal keys keep their order. The spare arrays are as long.
PN_EXPORT void pnSortByKey( uint64_t* keys, int32_t* values, uint64_t* spareKeys, int32_t* spareValues, int count );

// Indices along a space filling curve, so that neighbours in space are neighbours in memory. False: no memory.
bool pnOrderInSpace( const pnVec3* points, int count, int32_t* order );

// For each point the lowest one within the distance that is itself not welded away; its own index if there is none. False: no memory.
PN_EXPORT bool pnWeldPoints( const pnVec3* points, int count, double distance, int32_t* lowest );

// A balanced tree for nearest neighbours. Borrows the points.
typedef struct pnPointTree
{
	const pnVec3* points;
	int32_t* nodes; // point indices; the middle of a range is its root
	pnAABB* bounds; // of each root's range
	int count;
} pnPointTree;

// subset: the points to have in it, NULL for the first `count`. The tree lives in the scratch. False: no memory.
PN_EXPORT bool pnBuildPointTree( pnPointTree* tree, const pnVec3* points, const int32_t* subset, int count, pnScratch* scratch );
// The nearest first. Of points as far as the last one found, which of them depends on the tree alone. Returns how many, up to `wanted`.
PN_EXPORT int pnFindNearest( const pnPointTree* tree, pnVec3 place, int wanted, int32_t* found, double* distances2 );
// The same, but none that is farther than limit2, metres squared: what is known to be near spares the way there. From places one after another, what was found
// last tells (pnGetFarthest2).
PN_EXPORT int pnFindNearestWithin( const pnPointTree* tree, pnVec3 place, double limit2, int wanted, int32_t* found, double* distances2 );
// How far the farthest of some points is from a place, squared; as far as one likes if they are fewer than `wanted`.
PN_EXPORT double pnGetFarthest2( const pnPointTree* tree, pnVec3 place, const int32_t* points, int count, int wanted );

// Points in the cells of a grid, for neighbours no farther than a few cells: cheaper than a tree. Borrows the points.
typedef struct pnPointCells
{
	const pnVec3* points;
	double lower[3], perCell; // metres; 1 / metres
	int counts[3]; // along each axis
	int32_t *starts, *inside;
} pnPointCells;

// edge: of a cell, metres; made larger where there would be more than 32 along an axis. The cells live in the scratch. False: no memory.
PN_EXPORT bool pnFillPointCells( pnPointCells* cells, const pnVec3* points, int count, double edge, pnScratch* scratch );
// The nearest first, of equally near ones the lower; none that is farther than so many metres. Returns how many, up to `wanted`.
PN_EXPORT int pnFindNearestInCells( const pnPointCells* cells, pnVec3 place, double farthest, int wanted, int32_t* found, double* distances2 );
// The nearest of those that are not marked (marks[point] != mark), the lower of two that are equally near; -1: none so near.
int32_t pnFindNearestUnmarked( const pnPointCells* cells, pnVec3 place, double farthest, const int32_t* marks, int32_t mark, double* distance2 );

// Finds what is nearest from place to place that are mostly near each other: what was found last tells how far to look. In cells, and in a tree where those leave it open
// which of equally far ones to take: so what is found is what pnFindNearest finds.
enum { PN_NEAR_LIMIT = 24 };
typedef struct pnNearSearch
{
	const pnVec3* points;
	int count;
	pnPointCells cells;
	pnPointTree tree; // made once it is needed
	pnScratch* scratch;
	double reach; // metres: how far to look at first
	int foundCount;
	int32_t found[PN_NEAR_LIMIT + 1]; // the nearest first
	double distances2[PN_NEAR_LIMIT + 1];
} pnNearSearch;

// Borrows the points and the scratch. False: no memory.
bool pnStartNearSearch( pnNearSearch* search, const pnVec3* points, int count, pnScratch* scratch );
// Up to PN_NEAR_LIMIT, in `found`. Returns how many; 0: no memory.
int pnFindNear( pnNearSearch* search, pnVec3 place, int wanted );
