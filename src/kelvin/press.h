// press.h - rigid tools against the surface: where they push and how hard, by active sets. Knows one system, no rounds.
#pragma once

#include "indenter.h"
#include "system.h"

typedef struct pnPressed
{
	pnVec3d force; // on the solid, N
	double depth; // m
	double area; // m^2
} pnPressed;

typedef struct pnPressResult
{
	int iterationCount;
	bool converged;
} pnPressResult;

// The system's coefficients are those of its conditions; what the tools push is added to them, and pressures go to `contact`: the
// traction at each collocation point (scaled). wantedForces[i] > 0: tool i is moved until it carries that (N), else it is at depths[i] (m).
// Energy method only.
pnResult pnPressTools( pnSystem* system, const pnUnits* units, const pnTool* tools, const double* depths, const double* wantedForces, int toolCount, pnVec3d* contact,
					   pnPressed* pressed, pnPressResult* info );
