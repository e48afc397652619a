// race.h - one pile in several engines, stepped in turn, every frame timed, some judged. Knows nothing of rows and bars.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "judge.h"
#include "pile_world.h"
#include "report.h"

#define PN_SETTLED_FRAME 120 // the pile lies from here on; frames count from 1
#define PN_MAX_FRAMES 240
#define PN_MAX_RUNS 3
#define PN_MAX_RACERS 4
#define PN_RACE_FRICTION 0.5f
#define PN_RACE_STEP ( 1.0f / 60.0f )

typedef enum pnRacerKind
{
	pn_oursRacer,
	pn_bulletClusterRacer,
	pn_bulletFaceRacer,
} pnRacerKind;

typedef struct pnRacer
{
	pnRacerKind kind;
	int workerCount; // ours
	pnPileWorld ours; // while it runs
	struct pnBulletPile* bullet; // while it runs
	double* times[PN_MAX_RUNS]; // milliseconds of every frame; NULL: it had no such run
	uint64_t* hashes; // of every judged frame, ours
	pnProfile profile; // sums over settled frames of all runs
	int profileCount;
	pnQuality falling, settled; // of the first run
	pnQuality dense; // of its last frame
	double seconds; // spent in this run
	int stopFrame; // where it was given up for taking too long; 0: it was not
} pnRacer;

typedef struct pnRace
{
	// what you set
	pnPile* pile; // yours until it is set, then closed with the race
	pnMaterial material; // ours
	int substeps; // ours
	int frameCount, runCount;
	bool isJudgedFalling; // not only once it lies
	const char* label; // for the progress
	pnProgress* progress; // counts guessed milliseconds
	// what comes of it
	pnRacer racers[PN_MAX_RACERS];
	int racerCount;
	pnJudge judge;
} pnRace;

typedef struct pnTiming { double settled, peak; } pnTiming; // milliseconds: median of the settled frames, worst of all

void pnRace_AddRacer( pnRace* race, pnRacerKind kind, int workerCount ); // ours first
// Every racer has its turn of some frames, until all have had all. Bullet takes part in the first run only: it is slow.
bool pnRace_Run( pnRace* race ); // false, and a line on stderr, if it could not be done
void pnCloseRace( pnRace* race );
double pnRace_Guess( const pnRace* race ); // milliseconds it may take

bool pnIsJudgedFrame( int frame );
pnTiming pnMeasureTimes( double* times, int frameCount ); // sorts some of them
pnTiming pnRace_Measure( const pnRace* race, const pnRacer* racer, int run ); // of that run; -1: of the median over runs, frame by frame
void pnSpend( pnProgress* progress, double milliseconds ); // guessed ones
