// bench_pile.h - times and checks piles of soft bodies, ours and the peers'. Knows nothing of how results are shown.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "report.h"

#include <stdint.h>

typedef struct pnPileOptions
{
	bool quick; // one run and fewer frames: for a glance
	bool noPeers; // ourselves only
	int size; // 100, 384 or 1000: only that pile; 0: all
	int mode; // pnMode
	int substeps;
	int seed;
	double hertz, stretch;
} pnPileOptions;

pnPileOptions pnDefaultPileOptions( void );
bool pnRunPileBench( const pnPileOptions* options, pnReport* report ); // false, and a line on stderr, if it could not be done
