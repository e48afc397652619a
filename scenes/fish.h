// fish.h - a fish by formula, for the scenes that take hold of one or cut it. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

enum
{
	PN_FISH_BELLY = 2, // material numbers: the back is 0
	PN_FISH_FINS = 3,
};

// A trout about the origin, 1.2 m long, its nose along x, y up: a closed skin over its points, filled inside. Its eyes are skin 1.
pnResult pnCreateFish( pnSolid** solid );
