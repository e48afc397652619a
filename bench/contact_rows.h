// contact_rows.h - what a row of the contact bench is given and how it hands its scores back. Knows no row by itself.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "contact_scenes.h"
#include "report.h"

typedef struct pnContactScores pnContactScores;

// One case of one row.
typedef struct pnContactCase
{
	const char* row;
	int seed;
	bool quick;
	uint32_t random; // draws of this case
	const pnHeapStock* stock;
	pnContactScores* scores;
	char text[128]; // what was drawn, for the line that tells of a miss
	pnResult result; // not pn_success: the case could not be run
	double deadline; // seconds of pnGetCpuSeconds: a case that is not done by then is given up
	bool isGivenUp;
} pnContactCase;

// Scores go into one report row each, named contact.ROW.NAME, over all cases.
// The worst value of all cases counts: the largest if the bar is at most, the smallest if it is at least.
void pnScoreWorst( pnContactCase* c, const char* name, double value, const char* unit, pnBar bar );
// So many percent of the cases did what they should.
void pnScoreShare( pnContactCase* c, const char* name, bool isGood, double atLeast );
__attribute__( ( format( printf, 2, 3 ) ) ) void pnDescribe( pnContactCase* c, const char* format, ... );
// Steps once and remembers a failure; false if the case ends here, failed or too late.
bool pnCase_Step( pnContactCase* c, pnContactScene* scene );
int pnDrawSubsteps( pnContactCase* c, int largest ); // a power of two up to the largest
pnBar pnAtMost( double value );
pnBar pnAtLeast( double value );
extern const pnBar pn_noContactBar;

// Rest: heaps, stacks, floors, slopes, loads.
void pnRunHeaps( pnContactCase* c );
void pnRunPresets( pnContactCase* c );
void pnRunStacks( pnContactCase* c );
void pnRunFloor( pnContactCase* c );
void pnRunFriction( pnContactCase* c );
void pnRunMasses( pnContactCase* c );
void pnRunSink( pnContactCase* c );
void pnRunHeapScene( pnContactCase* c );
// Columns of like bodies.
void pnRunShafts( pnContactCase* c );
// Motion: what meets fast, what may not gain energy or lose momentum.
void pnRunBox( pnContactCase* c );
void pnRunCollide( pnContactCase* c );
void pnRunBounce( pnContactCase* c );
void pnRunShots( pnContactCase* c );
// Tangles: what lies in each other, by force or by birth.
void pnRunOverlapped( pnContactCase* c );
void pnRunHeld( pnContactCase* c );
void pnRunRings( pnContactCase* c );
void pnRunCuts( pnContactCase* c );
