// lattice.h - a solid of square struts, for scenes. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

// Knots in a grid about the origin, each a small cube of eight points; a strut from knot to knot is a cluster of both.
typedef struct pnLatticeDef
{
	int cells[3]; // along x, y, z
	float cell, strut; // m, from knot to knot; thickness
	float density; // kg/m^3
} pnLatticeDef;

pnResult pnCreateLattice( const pnLatticeDef* def, pnSolid** solid ); // its surface is closed
