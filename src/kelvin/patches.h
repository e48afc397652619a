// patches.h - the surface in patches, and what far sources do to a patch, told from few of its rows. Knows rows, no solver.
#pragma once

#include "rows.h"

// A far source's field on a patch is smooth: from its values at some of the patch's rows (three for each collocation point) all the others follow,
// whichever far source it is. A patch keeps these rows, and the sums over all of its collocation points in terms of them. Patches are halves of patches: those of
// the whole are kept from the rows that the halves keep.
typedef struct pnPatch
{
	int begin, end; // of pnPatches.order
	int above; // what it is a half of; -1: the whole surface
	int halves[2]; // patches; -1: not divided
	int level; // 0: the whole surface
	pnVec3d center;
	double radius;
	double reach; // of the sphere whose outside has the sources that are far from it, or from what it is part of
	bool keeps; // false: no source is far enough, and nothing below is there but its halves
	int inputCount[2]; // its rows, or those that its halves keep: of displacement, of traction
	int count[2]; // of the rows kept
	int32_t* rows[2]; // 3 * collocation point + axis
	double* from[2]; // inputCount x count: all of its inputs from the rows kept
	double* work; // displacement against traction: count[0] x count[1], signs and areas are in it
	double* spring; // displacement against displacement: count[0]^2; NULL: no springs here
	double* hold; // likewise, of held axes
} pnPatch;

typedef struct pnPatches
{
	const pnRows* rows;
	const double* holds; // of each collocation point: what a held displacement weighs
	pnPatch* patches; // the whole surface first; halves come after what they are halves of
	int count, capacity;
	int levelCount;
	int32_t* order; // collocation points
	int orderCount;
	int32_t* room; // while they are made
} pnPatches;

void pnDestroyPatches( pnPatches* patches );
// rows and holds (area times weight) are borrowed. pn_outOfMemory: nothing is kept.
pnResult pnMakePatches( const pnRows* rows, const double* holds, pnPatches* patches );

// Some sources against some others.
typedef struct pnPairs
{
	const int32_t* left; // sources
	const int32_t* right; // may be the same
	int leftCount, rightCount;
	// Of the load l of the i-th on the left and the load m of the j-th on the right: [( m * rightCount + j ) * leading + l * leftCount + i].
	// withOthers: the columns that are no sources come after them on both sides.
	bool withOthers;
	double* free; // added: displacement of the left against the traction (and springs) of the right, held axes less
	double* fixed; // added: displacement against displacement on held axes; NULL: nothing is held
	size_t leading;
} pnPairs;

// tasks NULL: on this thread alone. Same bits either way. False: no memory, or the rows' tick gave up (then *givenUp).
bool pnAddPairs( const pnPatches* patches, const pnPairs* pairs, pnTasks* tasks, bool* givenUp );
