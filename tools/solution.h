// solution.h - an answer on a surface fine enough to look at: displacement, stress and force at every vertex. Knows no pixels and no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "problem.h"
#include "surface.h"

typedef enum pnFieldKind
{
	pn_displacementField, // m
	pn_stressField, // von Mises, Pa
	pn_forceField, // what acts on the surface from outside, Pa
	pn_fieldKindCount,
} pnFieldKind;

// Vertices at creases are there once for each side, so that normals and forces do not bleed around them.
typedef struct pnSolution
{
	pnVec3d* rest; // m
	pnVec3d* normals; // at rest; unit, outward
	pnVec3d* displacements; // m
	pnStress* stresses; // Pa
	pnVec3d* tractions; // Pa
	double* values[pn_fieldKindCount];
	double most[pn_fieldKindCount];
	double usual[pn_fieldKindCount]; // what 99 of 100 vertices stay below: corners have no end of stress
	int mostVertices[pn_fieldKindCount];
	int32_t* triangles;
	int vertexCount, triangleCount;
	double size; // m, the diagonal of the solid
} pnSolution;

// Evaluates the answer. Clouds are shown as a disc at each point. False: no memory, and nothing is kept.
bool pnCreateSolution( const pnProblem* problem, const pnKelvin* kelvin, pnSolution* solution );
// The same with rotations taken as finite ones (pnKelvin_Rotate); stress and forces stay. False: no memory.
bool pnRotateSolution( const pnKelvin* kelvin, pnSolution* solution );
// The shown surface alone, before there is an answer; all fields are 0.
bool pnCreateShownSkin( const pnProblem* problem, pnSolution* solution );
void pnDestroySolution( pnSolution* solution ); // zeros are fine

double pnChooseExaggeration( const pnProblem* problem, const pnSolution* solution ); // as the problem says, or a round number that can be seen
// The deformed surface, coloured. extraVertices, extraTriangles: room left at the end for more things. False: no memory.
bool pnMakeSolutionSurface( const pnSolution* solution, pnFieldKind field, double exaggerate, int extraVertices, int extraTriangles,
							pnSurface* surface );
