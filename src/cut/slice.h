// slice.h - a blade through a surface: triangles split, the lips apart, openings closed. Knows places and triangles; no bodies, no time.
#pragma once

#include "blade.h"
#include "outline.h"

// Nodes are places where triangles meet: vertices that coincide are one node.
enum { PN_SLIT_END = 2 };

typedef struct pnSliceSource
{
	const pnVec3* places;
	int nodeCount;
	const int32_t* triangles; // three nodes each; those with two equal ones are left out of a slice
	int triangleCount;
	bool closed; // all of it is known to be closed; else each part that hangs together is looked at
	const float* values; // whatever is to be carried along, valueCount for each node
	int valueCount;
	double spacing; // metres: points put inside of an opening are no nearer, and on its rim none that lie in line; 0: all are kept
	const uint8_t* seamed; // of nodes: 1 if what lies there differs from triangle to triangle, so that no other may stand for it. Or NULL
	const int32_t* kinds; // of triangles: those of one kind may take each other's place along a rim. Or NULL
	const int8_t* lips; // of nodes that an older slit along the blade has parted, no farther off than `snap`: 1, -1, PN_SLIT_END where it ended, else 0. Or NULL
	double snap; // metres
	double kerf; // metres by which the lips are drawn apart where the blade ends inside, else they could not be told from one another; less in
				 // thin things, so that the volume does not show it
} pnSliceSource;

typedef struct pnSliceNode
{
	int32_t from[3]; // nodes of the source that it lies between; from[0] = -1: inside
	float weights[3]; // add up to 1
	int32_t side; // 1 above the blade, -1 below, 0 on its rim, where both sides still hang together
} pnSliceNode;

typedef struct pnSlice
{
	int addedCount; // node i of them is nodeCount + i
	pnSliceNode* added;
	pnVec3* places; // of the added ones
	float* values;
	int triangleCount; // all there are now
	int32_t* triangles;
	int32_t* origins; // triangle of the source it was part of; -1: it closes an opening
	uint8_t* above; // of the source's nodes: 1 if it counts as above the blade
	bool ends; // the blade ends somewhere inside
	double kerf; // metres that its lips were drawn apart by, each; 0 unless the blade ends inside
} pnSlice;

// What is written lives in the scratch; no triangles if the blade misses them all. False: no memory.
bool pnSliceSurface( const pnSliceSource* source, const pnBlade* blade, pnScratch* scratch, pnSlice* slice );
