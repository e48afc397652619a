// race.c - steps the pile in us and in Bullet, block by block, with a clock beside it. Knows the public library only; nothing of rows and bars.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "race.h"

#include "stopwatch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef PLIANT_HAS_BULLET
#include "bullet_pile.h"
#endif

#define BLOCK_FRAMES 20 // of one racer, before the next one has its turn
#define FALLING_PERIOD 10 // frames between two judgements
#define SETTLED_PERIOD 20
#define MAX_SECONDS 100.0 // of one racer in one run; then it is given up

// Milliseconds per body, only to tell how much time is left.
#define GUESS_PER_BODY 0.015
#define GUESS_BULLET_CLUSTER 0.06
#define GUESS_BULLET_FACE 0.5
#define GUESS_CHECK 0.9

static bool IsWell( const char* what, pnResult result )
{
	if ( result != pn_success )
	{
		fprintf( stderr, "bench: %s: %s\n", what, pnResultText( result ) );
	}
	return result == pn_success;
}

void pnSpend( pnProgress* progress, double milliseconds )
{
	int done = progress->doneCount + (int)milliseconds;
	progress->doneCount = done < progress->totalCount ? done : progress->totalCount;
}

// ---- racers: whatever steps the pile ----

static double GuessFrame( const pnRacer* racer, int bodyCount )
{
	switch ( racer->kind )
	{
		case pn_bulletClusterRacer:
			return GUESS_BULLET_CLUSTER * bodyCount;
		case pn_bulletFaceRacer:
			return GUESS_BULLET_FACE * bodyCount;
		default:
			return GUESS_PER_BODY * bodyCount;
	}
}

static bool OpenRacer( const pnRace* race, pnRacer* racer )
{
	if ( racer->kind == pn_oursRacer )
	{
		pnPileWorldDef def = pnDefaultPileWorldDef();
		def.material = race->material;
		def.workerCount = racer->workerCount;
		pnResult result = pnCreatePileWorld( race->pile, &def, &racer->ours );
		return IsWell( "making a pile", result );
	}
#ifdef PLIANT_HAS_BULLET
	racer->bullet = pnCreateBulletPile( race->pile, racer->kind == pn_bulletClusterRacer ? pn_bulletClusters : pn_bulletVertexFace, PN_RACE_FRICTION );
	if ( racer->bullet != NULL )
	{
		return true;
	}
#endif
	return IsWell( "making a pile of Bullet's", pn_outOfMemory );
}

static void CloseRacer( pnRacer* racer )
{
	pnDestroyPileWorld( &racer->ours );
#ifdef PLIANT_HAS_BULLET
	pnDestroyBulletPile( racer->bullet );
	racer->bullet = NULL;
#endif
}

static void FreeRacer( pnRacer* racer )
{
	for ( int i = 0; i < PN_MAX_RUNS; ++i )
	{
		free( racer->times[i] );
	}
	free( racer->hashes );
}

static bool StepRacer( const pnRace* race, pnRacer* racer )
{
	if ( racer->kind == pn_oursRacer )
	{
		return IsWell( "stepping a pile", pnWorld_Step( racer->ours.world, PN_RACE_STEP, race->substeps ) );
	}
#ifdef PLIANT_HAS_BULLET
	pnBulletPile_Step( racer->bullet, PN_RACE_STEP );
#endif
	return true;
}

static void WritePositions( const pnRacer* racer, const pnPile* pile, pnVec3* positions )
{
	if ( racer->kind == pn_oursRacer )
	{
		pnPileWorld_WritePositions( &racer->ours, pile, positions );
	}
#ifdef PLIANT_HAS_BULLET
	else
	{
		pnBulletPile_WritePositions( racer->bullet, positions );
	}
#endif
}

static void AddProfile( pnRacer* racer )
{
	pnProfile now = pnWorld_GetProfile( racer->ours.world );
	pnProfile* sum = &racer->profile;
	sum->step += now.step;
	sum->match += now.match;
	sum->points += now.points;
	sum->other += now.other;
	sum->broad += now.broad;
	sum->narrow += now.narrow;
	sum->solve += now.solve;
	sum->pairCount += now.pairCount;
	sum->contactCount += now.contactCount;
	sum->candidateCount += now.candidateCount;
	sum->droppedCount += now.droppedCount;
	racer->profileCount += 1;
}

bool pnIsJudgedFrame( int frame )
{
	return frame % ( frame < PN_SETTLED_FRAME ? FALLING_PERIOD : SETTLED_PERIOD ) == 0;
}

static int CountJudgedFrames( int frameCount )
{
	int count = 0;
	for ( int frame = 1; frame <= frameCount; ++frame )
	{
		count += pnIsJudgedFrame( frame );
	}
	return count;
}

// ---- the race ----

void pnRace_AddRacer( pnRace* race, pnRacerKind kind, int workerCount )
{
	pnRacer* racer = race->racers + race->racerCount;
	race->racerCount += 1;
	*racer = (pnRacer){ .kind = kind, .workerCount = workerCount, .falling = pnNothingAsked(), .settled = pnNothingAsked(), .dense = pnNothingAsked() };
}

// A state with the same hash as that of the first racer needs no second judgement.
static bool IsKnownState( const pnRace* race, pnRacer* racer, int frame )
{
	if ( racer->kind != pn_oursRacer )
	{
		return false;
	}
	racer->hashes[frame - 1] = pnWorld_GetHash( racer->ours.world );
	const pnRacer* first = race->racers;
	return racer != first && first->kind == pn_oursRacer && first->hashes[frame - 1] == racer->hashes[frame - 1];
}

static void JudgeFrame( pnRace* race, pnRacer* racer, int frame )
{
	bool isSettled = frame >= PN_SETTLED_FRAME, isLast = frame == race->frameCount;
	if ( IsKnownState( race, racer, frame ) )
	{
		const pnRacer* first = race->racers;
		racer->falling = first->falling;
		racer->settled = first->settled;
		racer->dense = first->dense;
		return;
	}
	if ( isSettled == false && race->isJudgedFalling == false )
	{
		return;
	}
	WritePositions( racer, race->pile, race->judge.positions );
	pnJudge_Ask( &race->judge, false, isSettled ? &racer->settled : &racer->falling );
	if ( isLast && racer->kind == pn_oursRacer )
	{
		pnJudge_Ask( &race->judge, true, &racer->dense );
	}
	pnSpend( race->progress, GUESS_CHECK * race->pile->bodyCount );
}

static bool RunBlock( pnRace* race, pnRacer* racer, int run, int begin, int end )
{
	pnProgress_Show( race->progress, race->label );
	for ( int frame = begin + 1; frame <= end && racer->stopFrame == 0; ++frame )
	{
		double start = pnGetSeconds();
		if ( StepRacer( race, racer ) == false )
		{
			return false;
		}
		double elapsed = pnGetSeconds() - start;
		racer->times[run][frame - 1] = 1e3 * elapsed;
		racer->seconds += elapsed;
		racer->stopFrame = racer->seconds > MAX_SECONDS ? frame : 0;
		if ( racer->kind == pn_oursRacer && frame >= PN_SETTLED_FRAME )
		{
			AddProfile( racer );
		}
		if ( run == 0 && pnIsJudgedFrame( frame ) )
		{
			JudgeFrame( race, racer, frame );
		}
	}
	pnSpend( race->progress, GuessFrame( racer, race->pile->bodyCount ) * ( end - begin ) );
	return true;
}

// Peers have their turn in the first run only: they are slow.
static bool RunOnce( pnRace* race, int run )
{
	bool isWell = true;
	int opened = 0;
	int racerCount = race->racerCount;
	while ( run > 0 && racerCount > 0 && race->racers[racerCount - 1].kind != pn_oursRacer )
	{
		racerCount -= 1;
	}
	for ( int i = 0; i < racerCount && isWell; ++i )
	{
		pnRacer* racer = race->racers + i;
		racer->times[run] = calloc( (size_t)race->frameCount, sizeof( double ) );
		racer->hashes = racer->hashes != NULL ? racer->hashes : calloc( (size_t)race->frameCount, sizeof( uint64_t ) );
		if ( racer->times[run] == NULL || racer->hashes == NULL )
		{
			isWell = IsWell( "timing", pn_outOfMemory );
			break;
		}
		isWell = OpenRacer( race, racer );
		racer->seconds = 0.0;
		opened = i + 1;
	}
	for ( int begin = 0; begin < race->frameCount && isWell; begin += BLOCK_FRAMES )
	{
		int end = begin + BLOCK_FRAMES < race->frameCount ? begin + BLOCK_FRAMES : race->frameCount;
		for ( int i = 0; i < racerCount && isWell; ++i )
		{
			isWell = RunBlock( race, race->racers + i, run, begin, end );
		}
	}
	for ( int i = 0; i < opened; ++i )
	{
		CloseRacer( race->racers + i );
	}
	return isWell;
}

bool pnRace_Run( pnRace* race )
{
	bool isWell = pnOpenJudge( &race->judge, race->pile ) || IsWell( "judging", pn_outOfMemory );
	for ( int run = 0; run < race->runCount && isWell && race->racers[0].stopFrame == 0; ++run )
	{
		isWell = RunOnce( race, run );
	}
	return isWell;
}

void pnCloseRace( pnRace* race )
{
	for ( int i = 0; i < race->racerCount; ++i )
	{
		FreeRacer( race->racers + i );
	}
	pnCloseJudge( &race->judge );
	pnDestroyPile( race->pile );
}

double pnRace_Guess( const pnRace* race )
{
	double sum = 0.0;
	int judgedCount = CountJudgedFrames( race->frameCount );
	for ( int i = 0; i < race->racerCount; ++i )
	{
		const pnRacer* racer = race->racers + i;
		int runCount = racer->kind == pn_oursRacer ? race->runCount : 1;
		sum += GuessFrame( racer, race->pile->bodyCount ) * race->frameCount * runCount;
		sum += i == 1 && racer->kind == pn_oursRacer ? 0.0 : GUESS_CHECK * race->pile->bodyCount * judgedCount;
	}
	return sum;
}

// The median over the runs, frame by frame: the bodies do the same in each, so what is left out is what disturbed the machine.
static void JoinRuns( const pnRace* race, const pnRacer* racer, double* times )
{
	for ( int frame = 0; frame < race->frameCount; ++frame )
	{
		double values[PN_MAX_RUNS];
		int count = 0;
		for ( int run = 0; run < PN_MAX_RUNS; ++run )
		{
			if ( racer->times[run] != NULL )
			{
				values[count] = racer->times[run][frame];
				count += 1;
			}
		}
		times[frame] = pnMedian( values, count );
	}
}

pnTiming pnMeasureTimes( double* times, int frameCount )
{
	pnTiming timing = { 0 };
	for ( int frame = 0; frame < frameCount; ++frame )
	{
		timing.peak = fmax( timing.peak, times[frame] );
	}
	int first = PN_SETTLED_FRAME - 1; // frames count from 1
	timing.settled = pnMedian( times + first, frameCount - first );
	return timing;
}

pnTiming pnRace_Measure( const pnRace* race, const pnRacer* racer, int run )
{
	double times[PN_MAX_FRAMES];
	if ( run >= 0 )
	{
		memcpy( times, racer->times[run], (size_t)race->frameCount * sizeof( double ) );
	}
	else
	{
		JoinRuns( race, racer, times );
	}
	return pnMeasureTimes( times, race->frameCount );
}
