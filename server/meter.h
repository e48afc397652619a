// meter.h - what a room's thread spends its time on: steps, visitors, the log. Knows clocks, no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdatomic.h>

typedef enum pnWork
{
	pn_stepWork,
	pn_tellWork, // taking what came in, putting it in order, telling it
	pn_imageWork, // for those who come
	pn_frameWork, // for those who watch
	pn_logWork,
	pn_workCount,
} pnWork;

// Of all rooms together.
typedef struct pnWorkTotals
{
	atomic_ullong spent[pn_workCount]; // ns of processor time
	atomic_ullong longest[pn_workCount]; // us on the clock, of one round
	atomic_ullong lateForVisitors; // us, the most that a round ended after its time because of telling, images and frames together
} pnWorkTotals;

// Of one thread. What is being done is counted until something else is begun.
typedef struct pnMeter { pnWork work; double spent, time, round[pn_workCount]; } pnMeter;

const char* pnGetWorkName( pnWork work );
double pnGetSteadyTime( void ); // s, of a clock that never jumps
double pnGetSpentTime( void ); // s of the processor that the calling thread has had

void pnBeginRound( pnMeter* meter );
void pnTurnTo( pnMeter* meter, pnWorkTotals* totals, pnWork work );
void pnEndRound( pnMeter* meter, pnWorkTotals* totals, double next ); // s, when the next one is to begin
