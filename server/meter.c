// meter.c - what a room's thread spends its time on. Knows clocks, no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "meter.h"

#include <time.h>

static double pnReadClock( clockid_t clock )
{
	struct timespec now;
	clock_gettime( clock, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double pnGetSteadyTime( void ) { return pnReadClock( CLOCK_MONOTONIC ); }
double pnGetSpentTime( void ) { return pnReadClock( CLOCK_THREAD_CPUTIME_ID ); }

const char* pnGetWorkName( pnWork work )
{
	static const char* const names[pn_workCount] = { "step", "tell", "image", "frame", "log" };
	return names[work];
}

static void pnRaise( atomic_ullong* most, double seconds )
{
	unsigned long long us = seconds > 0.0 ? (unsigned long long)( 1e6 * seconds ) : 0, known = atomic_load( most );
	while ( us > known && atomic_compare_exchange_weak( most, &known, us ) == 0 )
	{
	}
}

void pnBeginRound( pnMeter* meter )
{
	*meter = ( pnMeter ){ .work = pn_tellWork, .spent = pnGetSpentTime(), .time = pnGetSteadyTime() };
}

void pnTurnTo( pnMeter* meter, pnWorkTotals* totals, pnWork work )
{
	double spent = pnGetSpentTime(), time = pnGetSteadyTime();
	atomic_fetch_add( &totals->spent[meter->work], (unsigned long long)( 1e9 * ( spent - meter->spent ) ) );
	meter->round[meter->work] += time - meter->time;
	meter->spent = spent;
	meter->time = time;
	meter->work = work;
}

void pnEndRound( pnMeter* meter, pnWorkTotals* totals, double next )
{
	pnTurnTo( meter, totals, pn_tellWork );
	double late = meter->time - next, forVisitors = meter->round[pn_tellWork] + meter->round[pn_imageWork] + meter->round[pn_frameWork];
	for ( int i = 0; i < pn_workCount; ++i )
	{
		pnRaise( &totals->longest[i], meter->round[i] );
	}
	pnRaise( &totals->lateForVisitors, late < forVisitors ? late : forVisitors );
}
