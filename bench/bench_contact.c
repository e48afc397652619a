// bench_contact.c - which rows the contact bench has, how many cases of each are run, and what they come to. Knows no scene.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "bench_contact.h"

#include "checker.h"
#include "contact_rows.h"
#include "stopwatch.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define MAX_SCORES 32 // of one row
#define MAX_SEEDS 128 // told of one score; more are counted
#define QUICK_LIMIT 15.0 // seconds of computing for a case, instead of the row's own
#define BEYOND 1e30 // stands for what is no number

typedef struct Row
{
	const char* name;
	void ( *run )( pnContactCase* c );
	int caseCount, quickCount;
	double guess, quickGuess; // milliseconds for a case, only to tell how much time is left
	double limit; // seconds of computing after which a case is given up: one that takes that long is broken
} Row;

static const Row s_rows[] = {
	{ "heaps", pnRunHeaps, 100, 2, 3000.0, 3000.0, 120.0 },
	{ "presets", pnRunPresets, 100, 1, 8000.0, 8000.0, 120.0 },
	{ "stacks", pnRunStacks, 20, 2, 500.0, 500.0, 60.0 },
	{ "shafts", pnRunShafts, 128, 4, 15000.0, 10000.0, 60.0 },
	{ "held", pnRunHeld, 36, 6, 100.0, 100.0, 60.0 },
	{ "overlapped", pnRunOverlapped, 160, 16, 50.0, 50.0, 60.0 },
	{ "shots", pnRunShots, 120, 12, 50.0, 50.0, 60.0 },
	{ "floor", pnRunFloor, 64, 8, 100.0, 100.0, 60.0 },
	{ "collide", pnRunCollide, 64, 12, 50.0, 50.0, 60.0 },
	{ "friction", pnRunFriction, 60, 9, 150.0, 150.0, 60.0 },
	{ "rings", pnRunRings, 32, 8, 100.0, 100.0, 60.0 },
	{ "box", pnRunBox, 64, 8, 25000.0, 1000.0, 300.0 },
	{ "bounce", pnRunBounce, 40, 8, 50.0, 50.0, 60.0 },
	{ "masses", pnRunMasses, 40, 8, 100.0, 100.0, 60.0 },
	{ "sink", pnRunSink, 10, 2, 500.0, 200.0, 60.0 },
	{ "cuts", pnRunCuts, 10, 1, 10000.0, 15000.0, 120.0 },
	{ "scene", pnRunHeapScene, 1, 1, 3000.0, 3000.0, 120.0 },
};
enum
{
	rowCount = sizeof( s_rows ) / sizeof( s_rows[0] )
};

const pnBar pn_noContactBar = { pn_noBar, 0.0 };

pnBar pnAtMost( double value )
{
	return (pnBar){ pn_atMost, value };
}

pnBar pnAtLeast( double value )
{
	return (pnBar){ pn_atLeast, value };
}

static const char s_inTime[] = "in_time"; // cases that were not given up

// ---- scores ----

typedef struct Score
{
	const char* name;
	const char* unit;
	pnBar bar;
	bool isShare;
	double worst;
	int caseCount, goodCount;
	int missedSeeds[MAX_SEEDS], missedCount;
} Score;

struct pnContactScores
{
	Score scores[MAX_SCORES];
	int count;
	char misses[512]; // of this case, for its line
};

static Score* FindScore( pnContactScores* scores, const char* name, const char* unit, pnBar bar, bool isShare )
{
	for ( int i = 0; i < scores->count; ++i )
	{
		if ( strcmp( scores->scores[i].name, name ) == 0 )
		{
			return scores->scores + i;
		}
	}
	int index = scores->count < MAX_SCORES ? scores->count : MAX_SCORES - 1;
	scores->count = index + 1;
	double best = bar.kind == pn_atLeast ? BEYOND : -BEYOND;
	scores->scores[index] = (Score){ .name = name, .unit = unit, .bar = bar, .isShare = isShare, .worst = best };
	return scores->scores + index;
}

__attribute__( ( format( printf, 2, 3 ) ) ) static void AddMiss( pnContactScores* scores, const char* format, ... )
{
	size_t used = strlen( scores->misses );
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( scores->misses + used, sizeof( scores->misses ) - used, format, arguments );
	va_end( arguments );
}

// A seed that missed in several ways of one case is told once.
static void AddSeed( Score* score, int seed )
{
	for ( int i = 0; i < score->missedCount && i < MAX_SEEDS; ++i )
	{
		if ( score->missedSeeds[i] == seed )
		{
			return;
		}
	}
	if ( score->missedCount < MAX_SEEDS )
	{
		score->missedSeeds[score->missedCount] = seed;
	}
	score->missedCount += 1;
}

void pnScoreWorst( pnContactCase* c, const char* name, double value, const char* unit, pnBar bar )
{
	Score* score = FindScore( c->scores, name, unit, bar, false );
	bool isLow = bar.kind == pn_atLeast;
	value = isnan( value ) ? isLow ? -BEYOND : BEYOND : fmax( -BEYOND, fmin( BEYOND, value ) );
	score->worst = isLow ? fmin( score->worst, value ) : fmax( score->worst, value );
	score->caseCount += 1;
	bool isMet = bar.kind == pn_noBar || ( isLow ? value >= bar.value : value <= bar.value );
	score->goodCount += isMet;
	if ( isMet == false )
	{
		AddSeed( score, c->seed );
		AddMiss( c->scores, " %s %.4g", name, value );
	}
}

void pnScoreShare( pnContactCase* c, const char* name, bool isGood, double atLeast )
{
	Score* score = FindScore( c->scores, name, "% of cases", pnAtLeast( atLeast ), true );
	score->caseCount += 1;
	score->goodCount += isGood;
	if ( isGood == false )
	{
		AddSeed( score, c->seed );
		AddMiss( c->scores, " not %s", name );
	}
}

void pnDescribe( pnContactCase* c, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( c->text, sizeof( c->text ), format, arguments );
	va_end( arguments );
}

bool pnCase_Step( pnContactCase* c, pnContactScene* scene )
{
	pnContactScene_Step( scene );
	if ( scene->result != pn_success )
	{
		c->result = scene->result;
		return false;
	}
	c->isGivenUp = c->isGivenUp || pnGetCpuSeconds() > c->deadline;
	return c->isGivenUp == false;
}

int pnDrawSubsteps( pnContactCase* c, int largest )
{
	int choices = 1;
	while ( 1 << choices <= largest )
	{
		choices += 1;
	}
	return 1 << pnDrawInt( &c->random, choices );
}

static void AddScore( const Score* score, const char* row, pnReport* report )
{
	char name[48], note[96] = "";
	snprintf( name, sizeof( name ), "contact.%s.%s", row, score->name );
	double value = score->isShare ? 100.0 * score->goodCount / score->caseCount : score->worst;
	pnReport_Add( report, name, value, score->unit, score->bar );
	if ( score->missedCount > 0 )
	{
		int used = snprintf( note, sizeof( note ), "%d of %d, seeds", score->caseCount - score->goodCount, score->caseCount );
		for ( int i = 0; i < score->missedCount && i < MAX_SEEDS; ++i )
		{
			bool isLast = (size_t)used + 14 > sizeof( note );
			used += snprintf( note + used, sizeof( note ) - (size_t)used, isLast ? " ..." : " %d", score->missedSeeds[i] );
			if ( isLast )
			{
				break;
			}
		}
		pnReport_SetNote( report, note );
	}
}

// ---- all ----

static int GetCaseCount( const Row* row, const pnContactOptions* options )
{
	if ( options->row != NULL && strcmp( options->row, row->name ) != 0 )
	{
		return 0;
	}
	return options->cases > 0 ? options->cases : options->quick ? row->quickCount : row->caseCount;
}

static double GetGuess( const Row* row, const pnContactOptions* options )
{
	return options->quick ? row->quickGuess : row->guess;
}

static bool RunRow( const Row* row, const pnContactOptions* options, const pnHeapStock* stock, pnProgress* progress, pnReport* report )
{
	pnContactScores* scores = calloc( 1, sizeof( pnContactScores ) );
	if ( scores == NULL )
	{
		fprintf( stderr, "bench: %s: %s\n", row->name, pnResultText( pn_outOfMemory ) );
		return false;
	}
	int count = GetCaseCount( row, options );
	bool isWell = true;
	for ( int i = 0; i < count && isWell; ++i )
	{
		int seed = options->seed + i;
		char label[64];
		snprintf( label, sizeof( label ), "%s, seed %d", row->name, seed );
		pnProgress_Show( progress, label );
		pnContactCase c = {
			.row = row->name,
			.seed = seed,
			.quick = options->quick,
			.random = pnSeedContact( row->name, seed ),
			.stock = stock,
			.scores = scores,
			.deadline = pnGetCpuSeconds() + ( options->quick ? QUICK_LIMIT : row->limit ),
		};
		scores->misses[0] = 0;
		row->run( &c );
		pnScoreShare( &c, s_inTime, c.isGivenUp == false, 100.0 );
		progress->doneCount += (int)GetGuess( row, options );
		if ( c.result != pn_success )
		{
			pnProgress_Finish( progress );
			fprintf( stderr, "bench: %s, seed %d (%s): %s\n", row->name, seed, c.text, pnResultText( c.result ) );
			isWell = false;
		}
		else if ( scores->misses[0] != 0 )
		{
			pnProgress_Finish( progress );
			fprintf( stderr, "bench: missed by --row %s --seed %d (%s):%s\n", row->name, seed, c.text, scores->misses );
		}
	}
	for ( int i = 0; i < scores->count; ++i )
	{
		const Score* score = scores->scores + i;
		if ( strcmp( score->name, s_inTime ) != 0 || score->goodCount < score->caseCount ) // taken for granted unless it is missed
		{
			AddScore( score, row->name, report );
		}
	}
	free( scores );
	return isWell;
}

pnContactOptions pnDefaultContactOptions( void )
{
	return (pnContactOptions){ .seed = 1 };
}

const char* const* pnGetContactRows( int* count )
{
	static const char* names[rowCount];
	for ( int i = 0; i < rowCount; ++i )
	{
		names[i] = s_rows[i].name;
	}
	*count = rowCount;
	return names;
}

bool pnRunContactBench( const pnContactOptions* options, pnReport* report )
{
	if ( pnTestChecker() == false )
	{
		return false;
	}
	double guess = 0.0;
	for ( int i = 0; i < rowCount; ++i )
	{
		guess += GetCaseCount( s_rows + i, options ) * GetGuess( s_rows + i, options );
	}
	pnHeapStock stock;
	pnResult result = pnOpenHeapStock( &stock );
	bool isWell = result == pn_success;
	if ( isWell == false )
	{
		fprintf( stderr, "bench: the scene heap: %s\n", pnResultText( result ) );
	}
	pnProgress progress = pnStartProgress( 1 + (int)guess );
	for ( int i = 0; i < rowCount && isWell; ++i )
	{
		isWell = RunRow( s_rows + i, options, &stock, &progress, report );
	}
	pnProgress_Finish( &progress );
	pnCloseHeapStock( &stock );
	return isWell;
}
