// head.h - a head by formula, for scenes: few points under a fine skin. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

// Looks along z, about 1.2 m high, y up: 66 points in 8 clusters carry 6,460 faces (the counts of Fig. 10 of Mueller et al. 2005). The
// points' own surface is skin 0, what is seen is skin 1.
pnResult pnCreateHead( pnSolid** solid );
