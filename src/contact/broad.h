// broad.h - which boxes overlap: a tree over boxes ordered along a curve through space. Knows boxes; no bodies. Cost n log n.
#pragma once

#include "pliant/vec.h"
#include "../base/core.h"

typedef struct pnBox { float lower[4], upper[4]; } pnBox; // fourths unused

// Two boxes, by the numbers they were given; first < second.
typedef struct pnNear { int32_t first, second; } pnNear;

typedef struct pnBroad
{
	pnBox* boxes; // as given
	int32_t* names; // number of each
	int count, capacity;
	int movingCount; // the first ones; the others are not looked for among themselves
	uint64_t *keys, *spareKeys;
	int32_t *order, *spareOrder;
	struct pnFour* nodes; // groups of four boxes, level by level, leaves first
	int nodeCount, nodeCapacity;
	int levelStart[20], levelSize[20], levelCount; // no level: no tree
	pnNear* found;
	int foundCount, foundCapacity;
} pnBroad;

bool pnReserveBroad( pnBroad* broad, int count ); // for so many boxes; false if there is no memory
void pnFreeBroad( pnBroad* broad );
size_t pnGetBroadBytes( const pnBroad* broad );
// Fill boxes and names up to count first, those that move before those that do not. Pairs in rising order. False: some were dropped for want of memory.
bool pnFindOverlaps( pnBroad* broad );
// Names of boxes that are asked to be: nodes and boxes that `meets` says no to are passed by. In the order of the tree.
typedef bool pnMeetsFcn( void* context, const float lower[3], const float upper[3] );
void pnWalkTree( const pnBroad* broad, pnMeetsFcn* meets, void ( *tell )( void* context, int32_t name ), void* context );
// The names of boxes that overlap one, as they were when overlaps were last found, in no order. Returns how many, or -1 if there are more than capacity.
int pnFindInBox( const pnBroad* broad, const pnBox* box, int32_t* names, int capacity );
