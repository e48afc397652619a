// bench_pile.c - which piles are dropped in which engines, and the rows and bars of what they did. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L // sysconf

#include "bench_pile.h"

#include "checker.h"
#include "judge.h"
#include "peers.h"
#include "race.h"
#include "stopwatch.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define QUICK_LAST_FRAME 160
#define MAIN_BODIES 384
#define PEER_BODIES 100
#define ASLEEP_FRAMES 60 // timed
#define MAX_WAIT_FRAMES 1500 // for all to sleep
#define NAME_SIZE 48

// Milliseconds, only to tell how much time is left.
#define GUESS_ASLEEP 4000.0
#define GUESS_PEERS 230.0 // per frame, all of them
#define GUESS_PREPARE 15000.0

static const pnBar noBar = { pn_noBar, 0.0 };

static pnBar AtMost( double value )
{
	return (pnBar){ pn_atMost, value };
}

static pnBar AtLeast( double value )
{
	return (pnBar){ pn_atLeast, value };
}

typedef struct Bench
{
	pnPileOptions options;
	pnReport* report;
	pnProgress progress; // counts guessed milliseconds
	double settled100, settled1000; // ms, one thread; 0 if not measured
	char hash100[24]; // of the pile of 100 at the end
	int frameCount, runCount;
	bool isWell;
} Bench;

__attribute__( ( format( printf, 5, 6 ) ) ) static void AddRow( Bench* bench, double value, const char* unit, pnBar bar, const char* format, ... )
{
	char name[NAME_SIZE];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( name, sizeof( name ), format, arguments );
	va_end( arguments );
	pnReport_Add( bench->report, name, value, unit, bar );
}

__attribute__( ( format( printf, 3, 4 ) ) ) static void AddText( Bench* bench, const char* text, const char* format, ... )
{
	char name[NAME_SIZE];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( name, sizeof( name ), format, arguments );
	va_end( arguments );
	pnReport_AddText( bench->report, name, text );
}

static void Fail( Bench* bench, const char* what, pnResult result )
{
	fprintf( stderr, "bench: %s: %s\n", what, pnResultText( result ) );
	bench->isWell = false;
}

// ---- rows ----

// True, and a row that says so, if the racer was too slow to be measured.
static bool IsGivenUp( Bench* bench, const pnRacer* racer, const char* prefix, const char* suffix )
{
	if ( racer->stopFrame == 0 )
	{
		return false;
	}
	char text[80];
	snprintf( text, sizeof( text ), "not measured: given up at frame %d after %.0f seconds", racer->stopFrame, racer->seconds );
	AddText( bench, text, "%s.ms%s", prefix, suffix );
	return true;
}

static void AddQualityRows( Bench* bench, const char* prefix, const pnQuality* quality, bool isOurs, const char* suffix )
{
	AddRow( bench, quality->maxDepth, "% of diameter", isOurs ? AtMost( 1.0 ) : noBar, "%s.max_penetration%s", prefix, suffix );
	AddRow( bench, pnQuality_GetMeanDepth( quality ), "% of diameter", noBar, "%s.mean_penetration%s", prefix, suffix );
	AddRow( bench, quality->inside, "% of vertices", isOurs ? AtMost( 0.1 ) : noBar, "%s.inside%s", prefix, suffix );
	AddRow( bench, pnQuality_GetVolume( quality ), "% of rest", isOurs ? AtLeast( 97.0 ) : noBar, "%s.volume%s", prefix, suffix );
}

static void AddShareRows( Bench* bench, const char* prefix, const pnRacer* racer )
{
	const pnProfile* sum = &racer->profile;
	const struct { const char* name; float value; } stages[] = {
		{ "match", sum->match }, { "points", sum->points }, { "broad", sum->broad }, { "narrow", sum->narrow }, { "solve", sum->solve }, { "other", sum->other },
	};
	for ( size_t i = 0; i < sizeof( stages ) / sizeof( stages[0] ); ++i )
	{
		AddRow( bench, sum->step > 0.0f ? 100.0 * stages[i].value / sum->step : 0.0, "% of step", noBar, "%s.share.%s", prefix, stages[i].name );
	}
	int count = racer->profileCount > 0 ? racer->profileCount : 1;
	AddRow( bench, (double)sum->pairCount / count, "pairs", noBar, "%s.pairs", prefix );
	AddRow( bench, (double)sum->candidateCount / count, "points", noBar, "%s.candidates", prefix );
	AddRow( bench, (double)sum->contactCount / count, "pairs", noBar, "%s.contacts", prefix );
	if ( sum->droppedCount > 0 )
	{
		fprintf( stderr, "bench: %s: %d candidates were dropped\n", prefix, sum->droppedCount );
	}
}

static void AddHashRow( Bench* bench, const char* prefix, const pnRace* race )
{
	uint64_t hash = race->racers[0].hashes[bench->frameCount - 1];
	char text[24];
	snprintf( text, sizeof( text ), "0x%016llx", (unsigned long long)hash );
	AddText( bench, text, "%s.hash", prefix );
	if ( race->pile->bodyCount == PEER_BODIES )
	{
		memcpy( bench->hash100, text, sizeof( bench->hash100 ) );
	}
	for ( int frame = 1; frame <= bench->frameCount; ++frame )
	{
		if ( pnIsJudgedFrame( frame ) && race->racers[0].hashes[frame - 1] != race->racers[1].hashes[frame - 1] )
		{
			fprintf( stderr, "bench: %s: one thread and two differ from frame %d or before\n", prefix, frame );
			break;
		}
	}
}

static void AddPileRows( Bench* bench, const pnRace* race )
{
	int n = race->pile->bodyCount;
	bool isMain = n == MAIN_BODIES;
	char prefix[NAME_SIZE];
	snprintf( prefix, sizeof( prefix ), "pile.%d", n );
	for ( int i = 0; i < 2; ++i )
	{
		const pnRacer* racer = race->racers + i;
		char suffix[8];
		snprintf( suffix, sizeof( suffix ), ".%dt", racer->workerCount );
		if ( IsGivenUp( bench, racer, prefix, suffix ) )
		{
			continue;
		}
		pnTiming timing = pnRace_Measure( race, racer, -1 );
		pnBar settledBar = isMain == false ? noBar : i == 0 ? AtMost( 6.0 ) : AtMost( 3.5 );
		AddRow( bench, timing.settled, "ms", settledBar, "%s.ms%s", prefix, suffix );
		AddRow( bench, timing.peak, "ms", isMain && i == 0 ? AtMost( 16.0 ) : noBar, "%s.peak_ms%s", prefix, suffix );
		AddQualityRows( bench, prefix, &racer->settled, true, suffix );
		if ( i == 0 )
		{
			bench->settled100 = n == 100 ? timing.settled : bench->settled100;
			bench->settled1000 = n == 1000 ? timing.settled : bench->settled1000;
		}
	}
	const pnRacer* ours = race->racers;
	if ( ours->stopFrame > 0 || race->racers[1].stopFrame > 0 )
	{
		return;
	}
	AddRow( bench, ours->settled.minVolume, "% of rest", noBar, "%s.volume_min", prefix );
	AddRow( bench, ours->falling.maxDepth, "% of diameter", AtMost( 4.0 ), "%s.falling_penetration", prefix );
	AddRow( bench, ours->dense.maxDepth, "% of diameter", noBar, "%s.dense_penetration", prefix );
	AddRow( bench, ours->dense.inside, "% of samples", noBar, "%s.dense_inside", prefix );
	AddShareRows( bench, prefix, ours );
	AddHashRow( bench, prefix, race );
}

static void AddBulletRows( Bench* bench, const pnRace* race )
{
	if ( race->racers->stopFrame > 0 )
	{
		return;
	}
	double ours = pnRace_Measure( race, race->racers, 0 ).settled; // of the run they shared
	for ( int i = 2; i < race->racerCount; ++i )
	{
		const pnRacer* racer = race->racers + i;
		bool isCluster = racer->kind == pn_bulletClusterRacer;
		const char* name = isCluster ? "bullet_cluster" : "bullet_vf";
		char prefix[NAME_SIZE];
		snprintf( prefix, sizeof( prefix ), "pile.%d.%s", race->pile->bodyCount, name );
		if ( IsGivenUp( bench, racer, prefix, "" ) )
		{
			continue;
		}
		pnTiming timing = pnRace_Measure( race, racer, 0 );
		AddRow( bench, timing.settled, "ms", noBar, "%s.ms", prefix );
		AddRow( bench, timing.peak, "ms", noBar, "%s.peak_ms", prefix );
		AddQualityRows( bench, prefix, &racer->settled, false, "" );
		AddRow( bench, timing.settled / ours, "times", AtLeast( isCluster ? 4.0 : 30.0 ), "pile.%d.vs_%s", race->pile->bodyCount, name );
	}
	if ( race->racerCount == 2 )
	{
		const char* why = bench->options.noPeers ? "not measured: without peers" : "not measured: built without Bullet";
		AddText( bench, why, "pile.%d.vs_bullet_cluster", race->pile->bodyCount );
		AddText( bench, why, "pile.%d.vs_bullet_vf", race->pile->bodyCount );
	}
}

static void AddHardRows( Bench* bench, const pnRace* race, const char* name )
{
	char prefix[NAME_SIZE];
	snprintf( prefix, sizeof( prefix ), "pile.%d.%s", race->pile->bodyCount, name );
	const pnRacer* racer = race->racers;
	if ( IsGivenUp( bench, racer, prefix, "" ) )
	{
		return;
	}
	pnTiming timing = pnRace_Measure( race, racer, -1 );
	AddRow( bench, timing.settled, "ms", noBar, "%s.ms", prefix );
	AddRow( bench, timing.peak, "ms", noBar, "%s.peak_ms", prefix );
	AddQualityRows( bench, prefix, &racer->settled, true, "" );
	AddRow( bench, racer->settled.minVolume, "% of rest", noBar, "%s.volume_min", prefix );
	AddRow( bench, racer->dense.maxDepth, "% of diameter", noBar, "%s.dense_penetration", prefix );
	AddRow( bench, racer->dense.inside, "% of samples", noBar, "%s.dense_inside", prefix );
}

// ---- the parts of the benchmark ----

static pnPile* MakePile( Bench* bench, pnPileDef def )
{
	def.seed = (uint32_t)bench->options.seed;
	pnPile* pile = pnCreatePile( &def );
	if ( pile == NULL )
	{
		Fail( bench, "making a pile", pn_outOfMemory );
	}
	return pile;
}

static pnMaterial MakeMaterial( const Bench* bench )
{
	pnMaterial material = pnDefaultPileWorldDef().material;
	material.mode = (pnMode)bench->options.mode;
	material.hertz = (float)bench->options.hertz;
	material.stretch = (float)bench->options.stretch;
	material.friction = PN_RACE_FRICTION;
	return material;
}

typedef enum PartKind
{
	plainPart, // the pile as it is dropped, one thread and two, and Bullet
	overlapPart, // bodies overlap at the start
	fastPart, // thrown down at 40 m/s
} PartKind;

typedef struct Part { PartKind kind; int size; const char* label; } Part;

static const Part s_parts[] = {
	{ plainPart, 100, "100 bodies" },
	{ plainPart, MAIN_BODIES, "384 bodies" },
	{ plainPart, 1000, "1000 bodies" },
	{ overlapPart, MAIN_BODIES, "384 bodies overlapping" },
	{ fastPart, MAIN_BODIES, "384 bodies at 40 m/s" },
};
enum
{
	partCount = sizeof( s_parts ) / sizeof( s_parts[0] )
};

// Who runs in a part; nothing is made yet but the pile. False if there is no memory.
static bool PrepareRace( Bench* bench, const Part* part, pnRace* race )
{
	*race = (pnRace){
		.material = MakeMaterial( bench ),
		.substeps = bench->options.substeps,
		.frameCount = bench->frameCount,
		.runCount = bench->runCount,
		.isJudgedFalling = part->kind == plainPart,
		.label = part->label,
		.progress = &bench->progress,
	};
	pnPileDef def = pnDefaultPileDef( part->size );
	if ( part->kind == overlapPart )
	{
		def.spacing = 0.8f;
		def.rise = 0.6f;
	}
	def.speed = part->kind == fastPart ? 40.0f : 0.0f;
	race->pile = MakePile( bench, def );
	pnRace_AddRacer( race, pn_oursRacer, 1 );
	if ( part->kind == plainPart )
	{
		pnRace_AddRacer( race, pn_oursRacer, 2 );
#ifdef PLIANT_HAS_BULLET
		if ( part->size == MAIN_BODIES && bench->options.noPeers == false )
		{
			pnRace_AddRacer( race, pn_bulletClusterRacer, 1 );
			pnRace_AddRacer( race, pn_bulletFaceRacer, 1 );
		}
#endif
	}
	return race->pile != NULL;
}

static void RunPart( Bench* bench, const Part* part )
{
	pnRace race;
	bench->isWell = PrepareRace( bench, part, &race ) && pnRace_Run( &race );
	if ( bench->isWell && part->kind == plainPart )
	{
		AddPileRows( bench, &race );
		if ( part->size == MAIN_BODIES )
		{
			AddBulletRows( bench, &race );
		}
	}
	else if ( bench->isWell )
	{
		AddHardRows( bench, &race, part->kind == overlapPart ? "start_overlap" : "fast40" );
	}
	pnCloseRace( &race );
}

// The pile lies until all of it sleeps; then it is timed.
static void RunAsleepPart( Bench* bench, int bodyCount )
{
	pnPile* pile = MakePile( bench, pnDefaultPileDef( bodyCount ) );
	if ( pile == NULL )
	{
		return;
	}
	pnPileWorldDef def = pnDefaultPileWorldDef();
	def.material = MakeMaterial( bench );
	def.enableSleep = true;
	pnPileWorld pileWorld;
	pnResult result = pnCreatePileWorld( pile, &def, &pileWorld );
	int frame = 0, awakeCount = bodyCount;
	while ( result == pn_success && awakeCount > 0 && frame < MAX_WAIT_FRAMES )
	{
		if ( frame % 20 == 0 )
		{
			pnProgress_Show( &bench->progress, "falling asleep" );
		}
		result = pnWorld_Step( pileWorld.world, PN_RACE_STEP, bench->options.substeps );
		awakeCount = pnWorld_GetProfile( pileWorld.world ).awakeCount;
		frame += 1;
	}
	double times[ASLEEP_FRAMES];
	for ( int i = 0; i < ASLEEP_FRAMES && result == pn_success; ++i )
	{
		double start = pnGetSeconds();
		result = pnWorld_Step( pileWorld.world, PN_RACE_STEP, bench->options.substeps );
		times[i] = 1e3 * ( pnGetSeconds() - start );
	}
	pnSpend( &bench->progress, GUESS_ASLEEP );

	if ( result != pn_success )
	{
		Fail( bench, "falling asleep", result );
	}
	else if ( awakeCount > 0 )
	{
		char text[64];
		snprintf( text, sizeof( text ), "not measured: %d of %d bodies awake after %d frames", awakeCount, bodyCount, frame );
		AddText( bench, text, "pile.%d.asleep_ms", bodyCount );
	}
	else
	{
		AddRow( bench, pnMedian( times, ASLEEP_FRAMES ), "ms", noBar, "pile.%d.asleep_ms", bodyCount );
		AddRow( bench, frame, "frames", noBar, "pile.%d.asleep_after", bodyCount );
	}
	pnDestroyPileWorld( &pileWorld );
	pnDestroyPile( pile );
}

// ---- peers in Node ----

typedef struct PeerProgress
{
	Bench* bench;
	int firstCount;
	double guess; // milliseconds for all of it
} PeerProgress;

static void ShowPeers( double share, const char* label, void* context )
{
	PeerProgress* peers = context;
	peers->bench->progress.doneCount = peers->firstCount + (int)( share * peers->guess );
	pnProgress_Show( &peers->bench->progress, label );
}

static double GuessPeers( const Bench* bench )
{
	return GUESS_PREPARE + GUESS_PEERS * bench->frameCount;
}

static void AddPeerRows( Bench* bench, pnJudge* judge, const pnPeerRun* run, const char* name, double* settled )
{
	char prefix[NAME_SIZE];
	snprintf( prefix, sizeof( prefix ), "pile.%d.%s", judge->pile->bodyCount, name );
	pnQuality quality = pnNothingAsked();
	for ( int i = 0; i < run->shotCount; ++i )
	{
		if ( run->shotFrames[i] >= PN_SETTLED_FRAME )
		{
			size_t pointCount = (size_t)judge->pile->pointCount;
			memcpy( judge->positions, run->shots + (size_t)i * pointCount, pointCount * sizeof( pnVec3 ) );
			pnJudge_Ask( judge, false, &quality );
		}
	}
	pnTiming timing = pnMeasureTimes( run->times, run->frameCount );
	AddRow( bench, timing.settled, "ms", noBar, "%s.ms", prefix );
	AddRow( bench, timing.peak, "ms", noBar, "%s.peak_ms", prefix );
	AddQualityRows( bench, prefix, &quality, false, "" );
	*settled = timing.settled;
}

static void RunPeersPart( Bench* bench )
{
	static const char* const names[pn_peerCount] = { "wasm", "rapier_wasm", "rapier_full_wasm", "jolt_wasm" };
	pnPile* pile = MakePile( bench, pnDefaultPileDef( PEER_BODIES ) );
	pnJudge judge = { 0 };
	if ( pile == NULL || pnOpenJudge( &judge, pile ) == false )
	{
		bench->isWell = false;
		pnCloseJudge( &judge );
		pnDestroyPile( pile );
		return;
	}

	PeerProgress progress = { bench, bench->progress.doneCount, GuessPeers( bench ) };
	pnPeerSettings settings = {
		.frameCount = bench->frameCount,
		.mode = bench->options.mode,
		.substeps = bench->options.substeps,
		.hertz = bench->options.hertz,
		.dampingRatio = 1.0,
		.stretch = bench->options.stretch,
		.friction = PN_RACE_FRICTION,
		.seed = (uint32_t)bench->options.seed,
	};
	pnPeerRun runs[pn_peerCount];
	pnRunPeers( pile, &settings, ShowPeers, &progress, runs );
	pnProgress_Finish( &bench->progress );

	double settled[pn_peerCount] = { 0 };
	for ( int i = 0; i < pn_peerCount; ++i )
	{
		if ( runs[i].why[0] == 0 )
		{
			fprintf( stderr, "bench: in Node: %s\n", runs[i].version );
			AddPeerRows( bench, &judge, runs + i, names[i], settled + i );
		}
		if ( i == pn_pliantPeer )
		{
			if ( runs[i].hash[0] != 0 && bench->hash100[0] != 0 && strcmp( runs[i].hash, bench->hash100 ) != 0 )
			{
				fprintf( stderr, "bench: pile.100 ended differently in WebAssembly: %s\n", runs[i].hash );
			}
			continue;
		}
		if ( settled[i] > 0.0 && settled[pn_pliantPeer] > 0.0 )
		{
			pnBar bar = i == pn_rapierPlainPeer ? AtLeast( 15.0 ) : noBar;
			AddRow( bench, settled[i] / settled[pn_pliantPeer], "times", bar, "pile.%d.vs_%s", PEER_BODIES, names[i] );
		}
		else
		{
			char text[128];
			snprintf( text, sizeof( text ), "not measured: %.111s", settled[i] > 0.0 ? runs[pn_pliantPeer].why : runs[i].why );
			AddText( bench, text, "pile.%d.vs_%s", PEER_BODIES, names[i] );
		}
	}
	pnFreePeerRuns( runs );
	pnCloseJudge( &judge );
	pnDestroyPile( pile );
}

// ---- all ----

static bool HasSize( const Bench* bench, int size )
{
	return bench->options.size == 0 || bench->options.size == size;
}

static double GuessAll( Bench* bench )
{
	double sum = 0.0;
	for ( int i = 0; i < partCount; ++i )
	{
		pnRace race;
		if ( HasSize( bench, s_parts[i].size ) && PrepareRace( bench, s_parts + i, &race ) )
		{
			sum += pnRace_Guess( &race );
			pnCloseRace( &race );
		}
	}
	sum += HasSize( bench, MAIN_BODIES ) ? GUESS_ASLEEP : 0.0;
	sum += HasSize( bench, PEER_BODIES ) && bench->options.noPeers == false ? GuessPeers( bench ) : 0.0;
	return sum;
}

static void RunAll( Bench* bench )
{
	for ( int i = 0; i < partCount && bench->isWell; ++i )
	{
		if ( HasSize( bench, s_parts[i].size ) )
		{
			RunPart( bench, s_parts + i );
		}
	}
	if ( bench->isWell && HasSize( bench, MAIN_BODIES ) )
	{
		RunAsleepPart( bench, MAIN_BODIES );
	}
	if ( bench->isWell && bench->settled100 > 0.0 && bench->settled1000 > 0.0 )
	{
		AddRow( bench, bench->settled1000 / 1000.0 / ( bench->settled100 / 100.0 ), "times", AtMost( 1.5 ), "pile.cost_ratio" );
	}
	if ( bench->isWell && HasSize( bench, PEER_BODIES ) )
	{
		if ( bench->options.noPeers == false )
		{
			RunPeersPart( bench );
		}
		else
		{
			AddText( bench, "not measured: without peers", "pile.%d.vs_rapier_wasm", PEER_BODIES );
			AddText( bench, "not measured: without peers", "pile.%d.vs_jolt_wasm", PEER_BODIES );
		}
	}
}

pnPileOptions pnDefaultPileOptions( void )
{
	pnMaterial material = pnDefaultPileWorldDef().material;
	return (pnPileOptions){ .mode = material.mode, .substeps = 4, .seed = 1, .hertz = material.hertz, .stretch = material.stretch };
}

bool pnRunPileBench( const pnPileOptions* options, pnReport* report )
{
	if ( pnTestChecker() == false )
	{
		return false;
	}
	Bench bench = { .options = *options, .report = report, .isWell = true };
	bench.frameCount = options->quick ? QUICK_LAST_FRAME : PN_MAX_FRAMES;
	bench.runCount = options->quick ? 1 : PN_MAX_RUNS;
	bench.progress = pnStartProgress( 1 + (int)GuessAll( &bench ) );
	RunAll( &bench );
	pnProgress_Finish( &bench.progress );
	fprintf( stderr, "bench: piles of %g Hz, stretch %g, %d substeps, seed %d, %ld processors, %d runs of %d frames\n", options->hertz, options->stretch,
			 options->substeps, options->seed, sysconf( _SC_NPROCESSORS_ONLN ), bench.runCount, bench.frameCount );
#ifndef __OPTIMIZE__
	fprintf( stderr, "bench: built without optimisation: these numbers say nothing\n" );
#endif
	return bench.isWell;
}
