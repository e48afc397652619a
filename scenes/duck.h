// duck.h - a bath duck by formula: inner points, a smooth body, a beak and eyes. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

enum
{
	PN_DUCK_MAX_POINTS = 512
};

// Looks along x, about 1.4 m long. Skin 0 is the body, 1 the beak, 2 the eyes.
pnResult pnCreateDuck( pnSolid** solid );
int pnGetDuckPoints( pnVec3* points, int capacity ); // rest positions; returns the count
