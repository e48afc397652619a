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
	double near; // metres: walls no farther apart are those of one slit
	pnVec3* inward; // of each node: unit, into the material, as the triangles around it lie; zero where they tell nothing
} pnWalls;

// places: of all nodes at rest. twin: nodes no farther apart are in one place, metres. near: see above. What is written lives in the scratch. False: no memory.
bool pnMakeWalls( const pnVec3* places, int nodeCount, const int32_t* triangles, int triangleCount, double twin, double near, pnScratch* scratch, pnWalls* walls );
// A way into the material from each node, behind all triangles around it if there is one: unit, or zero, such as where the walls of a slit end. False: no memory.
bool pnFindInward( const pnVec3* places, int nodeCount, const int32_t* triangles, int triangleCount, pnVec3* inward );
bool pnPassesWall( const pnWalls* walls, pnVec3 from, pnVec3 to );
