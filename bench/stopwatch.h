// stopwatch.h - the one clock of the benchmarks. Knows nothing of what it times.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

double pnGetSeconds( void ); // wall time from an arbitrary start, never set back
double pnGetCpuSeconds( void ); // that this process has computed, all threads together: what else runs on the machine hardly counts
double pnMedian( double* values, int count ); // sorts them; the mean of the middle two if count is even, 0 if it is 0
