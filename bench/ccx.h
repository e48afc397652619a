// ccx.h - a clamped part by finite elements: meshed by gmsh, solved by CalculiX, both as programs of their own. Knows no pliant.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

// A part held where it lies beyond one plane, loaded or looked at where it lies beyond another.
typedef struct pnCcxPart
{
	const char* name; // of its files
	const char* shape; // commands of gmsh that make its volumes; NULL: the surface below
	const double ( *corners )[3]; // of a closed surface, which is kept as it is
	const int ( *triangles )[3];
	int cornerCount, triangleCount;
	int heldAxis, endAxis; // 0, 1, 2: x, y, z
	double heldAt, endAt; // m: the planes
	double heldSide, endSide; // 1: beyond is where the coordinate is larger; -1: smaller
	double youngsModulus; // Pa
	double poissonRatio;
	double traction[3]; // Pa, on the triangles beyond the second plane
	double bodyForce[3]; // N/m^3
} pnCcxPart;

typedef struct pnCcxRun
{
	double meshSeconds, solveSeconds; // of the two programs, from start to end
	double tip[3]; // m, mean over the triangles beyond the second plane
	int nodeCount, tetrahedronCount;
} pnCcxRun;

const char* pnFindCcx( void ); // NULL if both programs are there, else why not; lives for ever
// Tetrahedra of second order (C3D10) with edges of about `size` m, one thread. Works in a directory of its own and removes it. False: something
// failed, and a line on stderr says what.
bool pnRunCcx( const pnCcxPart* part, double size, pnCcxRun* run );
