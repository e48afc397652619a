// walls.h - the walls of slits in a closed surface: whether a straight way leads through one. Knows places and triangles; no bodies, no time.
//
// The two walls of a slit lie in one place and look at each other: a way that leaves the material through one comes back into it through the other at
// once. So what a slit parts is told by the surface that the blade has made, however many blades there were and wherever points lie.
#pragma once

#include "../base/cloud.h"

typedef struct pnWalls
{
	int triangleCount; // of those that may be walls: some corner has another node in its place
	double ( *corners )[9]; // of each
	pnAABB bounds;
	double lower[3], perCell;
	int cells[3];
	int32_t *starts, *inside; // triangles over each cell
	int32_t* triangleOf; // of each of them: its number in the surface
	double near; // metres: walls no farther apart are those of one slit
	pnVec3* inward; // of each node: unit, into the material, as the triangles around it lie; zero where they tell nothing, or lead through a wall at once
	pnVec3* eyes; // of each node: a place in the material from which one sees as the node would
} pnWalls;

// A surface at rest: places of all its nodes.
typedef struct pnWallSource
{
	const pnVec3* places;
	int nodeCount;
	const int32_t* triangles;
	int triangleCount;
	double inset; // metres: how far into the material eyes are
	double reach; // metres along the surface from where a node may borrow its eye
} pnWallSource;

// twin: nodes no farther apart are in one place, metres. near: see above. What is written lives in the scratch. False: no memory.
bool pnMakeWalls( const pnWallSource* source, double twin, double near, pnScratch* scratch, pnWalls* walls );
// A way into the material from each node, behind all triangles around it if there is one: unit, or zero, such as where the walls of a slit end. unsure: of nodes, set to 1
// where slivers are, which tell nothing. Far from the walls nobody asks, and all are zero. False: no memory.
bool pnFindInward( const pnWallSource* source, const pnWalls* walls, pnVec3* inward, uint8_t* unsure );
// Eyes of a surface among walls, its own or those of another. A node on a sliver thinner than the inset would look out of it on the other side, into what
// the slit has parted: its way in is set to zero, and it sees from the eye of the node next to it along the surface that has one; so do those that are unsure. False: no memory.
bool pnPlaceEyes( const pnWallSource* source, const pnWalls* walls, pnVec3* inward, const uint8_t* unsure, pnVec3* eyes );
bool pnPassesWall( const pnWalls* walls, pnVec3 from, pnVec3 to );
