// bench_contact.h - how good contact is: heaps, stacks, shots, friction, energy, each over many random cases, against bars.
// Knows nothing of how results are shown.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "report.h"

typedef struct pnContactOptions
{
	bool quick; // few cases: for a glance
	int seed; // of the first case; the next has the next. A seed means the same case whatever else is asked for
	int cases; // of each row; 0: as many as the row is meant to have
	const char* row; // only this one; NULL: all
} pnContactOptions;

pnContactOptions pnDefaultContactOptions( void );
const char* const* pnGetContactRows( int* count ); // names to choose from
bool pnRunContactBench( const pnContactOptions* options, pnReport* report ); // false, and a line on stderr, if it could not be done
