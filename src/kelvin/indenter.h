// indenter.h - the rigid shapes that are pressed into a solid: where they are and how far from a place. Knows no solids and no forces.
// In the units of what is given.
#pragma once

#include "vec3d.h"

enum
{
	PN_TOOL_MIN_POINTS = 4,
	PN_TOOL_MAX_POINTS = 128,
};

typedef struct pnToolPlane
{
	pnVec3d normal; // unit, outward
	double offset; // along it, from the tool's center
} pnToolPlane;

typedef struct pnTool
{
	pnIndenterKind kind;
	pnVec3d center; // a ball's, a place on a plate's face, the mean of a hull's points
	double radius; // of a ball
	pnVec3d direction; // unit
	double friction; // Coulomb's coefficient
	pnVec3d drag; // after pressing, across the direction; the center is where it leads to
	pnToolPlane* planes; // of a hull
	int planeCount, planeCapacity;
} pnTool;

// Logs what is wrong with which one (index). Nothing is kept if it fails.
pnResult pnMakeTool( const pnIndenter* indenter, int index, pnTool* tool );
void pnDestroyTool( pnTool* tool ); // zeros are fine

// Of a place from the shape, moved by `depth` along its direction; negative inside. away: unit, out of the shape there. Outside of a
// hull's edges and corners it is the distance from the nearest face's plane, which is less; inside, from the nearest face in front.
double pnGetToolDistance( const pnTool* tool, double depth, pnVec3d point, pnVec3d* away );
