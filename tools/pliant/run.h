// run.h - a run of `pliant run`, and all that is open or held for it. Knows no file formats.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "../options.h"
#include "../out.h"
#include "../progress.h"
#include "../sheet.h"
#include "command.h"
#include "scenes.h"

#include <stdio.h>

static const char pnRunName[] = "pliant run";

enum
{
	PN_MAX_FRAMES = 1000000,
	PN_MAX_SHOT_COUNT = 64,
	PN_MAX_SHEET_SIDE = 16384, // pixels
};

// As the words on the command line say it; -1 and NULL: not said.
typedef struct pnRunOptions
{
	int frames, substeps, threads, every, from, to;
	double rate;
	const char *stats, *png, *at, *view, *color, *size, *fields, *save, *load, *commands, *record;
	pnTextList out;
	bool hash, shown, quiet;
} pnRunOptions;

// Sums over all bodies.
typedef struct pnTotals
{
	double kinetic, elastic; // J
	double momentum[3], angular[3]; // kg m/s; kg m^2/s about the origin
	double mass; // kg
	double angularScale; // sum of the sizes, to compare with
	float minStretch, maxStretch;
} pnTotals;

// A file that frames go to.
typedef struct pnRunOut
{
	const char* path;
	const pnOutKind* kind;
	void* file; // NULL: it is closed
	pnOutMaker* maker; // its own: what is new depends on which frames it gets
	int every; // frames
} pnRunOut;

// A run, and all that is open or held for it.
typedef struct pnRun
{
	const pnScene* scene;
	pnRunOptions options;
	pnWorld* world;
	float timeStep; // s
	int substeps;
	int firstFrame, lastFrame; // the first is there already
	const char* script; // what hands do, or NULL
	size_t scriptLength;
	int scriptSteps;
	char* file; // the script's text, if it was read
	pnPlayer player;
	int frame; // the last that was made
	double time; // s, at that frame
	double lastStep; // s, how long its step was
	FILE* stats;
	pnSheetDef sheet;
	pnShot shots[PN_MAX_SHOT_COUNT];
	int shotCount, drawnCount;
	int shotFrames[PN_MAX_SHOT_COUNT]; // rising
	uint64_t shown; // hash of what the shots show
	pnRunOut outs[PN_MAX_TEXTS];
	int outCount;
	bool outFailed; // one of them, and it was told
	pnTotals start, first; // before the first step, and after it: only then there are energies
	bool isStopped; // before its end
	double wallTime, stepSum, stepMax; // s
	pnBar bar;
} pnRun;

// All that return an int: 0, or an exit code after one sentence on stderr.

// run_options.c
int pnRun_ReadView( pnRun* run );
int pnRun_ReadColor( pnRun* run );
int pnRun_ReadSize( pnRun* run );
int pnRun_ReadShots( pnRun* run ); // which frames to draw; the run's length is known
int pnCheckWritable( const char* path ); // NULL is fine

// run_script.c
int pnRun_OpenWorld( pnRun* run ); // makes or loads it, and finds out how long the run is
int pnRun_Step( pnRun* run, int frame ); // the commands that come before a frame, then its step
int pnRun_EndScript( pnRun* run ); // what comes after the last step, if the run came so far
int pnRun_Record( const pnRun* run ); // the commands of this run, with the length of every step, and the hash it came to

// run_numbers.c
bool pnGetTotals( const pnWorld* world, pnTotals* totals ); // false: no memory
int pnRun_OpenStats( pnRun* run );
int pnRun_WriteStats( pnRun* run, double stepTime ); // s that the step took
int pnRun_CloseStats( pnRun* run );
void pnRun_PrintSummary( const pnRun* run );

// run_out.c
int pnRun_OpenOuts( pnRun* run );
void pnRun_WatchOuts( pnRun* run ); // after every step
int pnRun_WriteOuts( pnRun* run ); // the frame that was made, to the files that want it
int pnRun_CloseOuts( pnRun* run ); // what was done is in the files then
