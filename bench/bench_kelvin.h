// bench_kelvin.h - times the static solver and baked responses, and measures errors against exact fields and finite elements. Knows nothing of
// how results are shown.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "report.h"

typedef struct pnKelvinBenchOptions
{
	bool quick;
	bool noPeers; // without CalculiX
	const char* csv; // where errors over the number of sources are written; NULL: nowhere
} pnKelvinBenchOptions;

bool pnRunKelvinBench( const pnKelvinBenchOptions* options, pnReport* report ); // false, and a line on stderr, if it could not be done
