// stopwatch.c - wall time, processor time and medians. Knows nothing of what it times.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L // clock_gettime

#include "stopwatch.h"

#include <stdlib.h>
#include <time.h>

double pnGetSeconds( void )
{
	struct timespec now;
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double pnGetCpuSeconds( void )
{
	struct timespec now;
	clock_gettime( CLOCK_PROCESS_CPUTIME_ID, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int CompareDoubles( const void* a, const void* b )
{
	double x = *(const double*)a, y = *(const double*)b;
	return ( x > y ) - ( x < y );
}

double pnMedian( double* values, int count )
{
	if ( count == 0 )
	{
		return 0.0;
	}
	qsort( values, (size_t)count, sizeof( double ), CompareDoubles );
	return 0.5 * ( values[( count - 1 ) / 2] + values[count / 2] );
}
