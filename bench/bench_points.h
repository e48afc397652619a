// bench_points.h - what a frame takes, over the number of points: Fig. 8 of Mueller et al. 2005. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "report.h"

// Adds the rows points.*; svg: also writes them as curves into this file, NULL: not. False if something could not be made; stderr says what.
bool pnRunPointsBench( bool quick, const char* svg, pnReport* report );
