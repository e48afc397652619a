// heights.h - a surface over a grid in x and z: how far a place is from it, where a ball meets it. Knows geometry in one frame; no shapes.
#pragma once

#include "triangles.h"

// The lowest and highest height in a block of cells.
typedef struct pnHeightRange { float lowest, highest; } pnHeightRange;

enum { PN_HEIGHT_LEVELS = 32 };

// A cell is cut in two from its corner x z to x + 1, z + 1. Solid is what lies below the grid; its sides are open.
typedef struct pnHeights
{
	const float* heights; // metres, heights[z * countX + x]; borrowed
	int countX, countZ;
	double spacing; // metres
	double size; // metres: farthest coordinate from the origin
	double perHeight; // metres of distance for each metre above the surface, at least: the cosine of its steepest slope
	pnHeightRange* ranges; // of blocks of 4 x 4 cells, then of twice as many each way, until one is left
	int rangeCount, levelCount;
	int levelStart[PN_HEIGHT_LEVELS], levelX[PN_HEIGHT_LEVELS], levelZ[PN_HEIGHT_LEVELS];
} pnHeights;

// At least 2 x 2. False: no memory.
bool pnBuildHeights( const float* heights, int countX, int countZ, float spacing, pnHeights* field );
void pnFreeHeights( pnHeights* field );
size_t pnGetHeightsBytes( const pnHeights* field );
pnAABB pnGetHeightsBounds( const pnHeights* field );

// Metres, negative below the surface.
double pnMeasureHeights( const pnHeights* field, pnVec3 place, pnFine3* outward );
// Is nothing of the surface within reach of the place, and all places that are within it above the surface or beside the grid? May say no where it is so.
bool pnAreHeightsBeyond( const pnHeights* field, pnVec3 place, double reach );
// As pnFormSweep. From below a ball may go out.
float pnSweepHeights( const pnHeights* field, pnVec3 from, pnVec3 to, float radius, pnVec3* outward );
