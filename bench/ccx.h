// ccx.h - the clamped bar by finite elements: meshed by gmsh, solved by CalculiX, both as programs of their own. Knows no pliant.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

// A bar of 1 x 1 x `length` m along z, held at z = 0, pulled along x by a traction on its other end.
typedef struct pnCcxBar
{
	double length; // m
	double youngsModulus; // Pa
	double poissonRatio;
	double traction; // Pa
} pnCcxBar;

typedef struct pnCcxRun
{
	double meshSeconds, solveSeconds; // of the two programs, from start to end
	double tip; // m along x, mean over the end
	int nodeCount, tetrahedronCount;
} pnCcxRun;

const char* pnFindCcx( void ); // NULL if both programs are there, else why not; lives for ever
// Tetrahedra of second order (C3D10) with edges of about `size` m, one thread. Works in a directory of its own and removes it. False: something
// failed, and a line on stderr says what.
bool pnRunCcx( const pnCcxBar* bar, double size, pnCcxRun* run );
