// bench_match.c - times whole steps of the engine and of Bullet on the workloads, in turn. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L // setenv, sysconf

#include "bench_match.h"

#include "roof.h"
#include "stopwatch.h"
#include "workload.h"

#include "pliant/pliant.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PLIANT_HAS_BULLET
#include "bullet.h"
#endif

#define TIME_STEP ( 1.0f / 60.0f )
#define WARMUP_STEPS 5 // caches, threads and warm-started rotations
#define MAX_ROUNDS 7
#define QUICK_ROUNDS 3
#define ROOF_SECONDS 0.02
#define MAX_CASES 64
#define NAME_SIZE 48

// Multiplies and adds of one quadratic step as the paper has it, each counted as one. Per membership: 6 for the monomials,
// 9 for the point and its mass about the centre, 54 for the 3 x 9 moment, 54 for the goal, 3 to add it to the point's.
// Per point: 18 for mean goal, velocity and position. Per cluster: 486 for the 3 x 9 by 9 x 9 product, 54 for the linear
// one, 150 for two Newton steps of the rotation, 60 for blending by beta.
#define FLOPS_PER_MEMBERSHIP 126.0
#define FLOPS_PER_POINT 18.0
#define FLOPS_PER_CLUSTER 750.0

// The memory bar of the project, whatever the material.
#define BAR_BYTES_PER_POINT 112.0
#define BAR_BYTES_PER_MEMBERSHIP 24.0

typedef enum LoadIndex
{
	w1Load,
	w2Load,
	w3Load,
	w4Load,
	grown10kLoad,
	grown1MLoad,
	repeated100kLoad,
	repeated1MLoad,
	loadCount,
} LoadIndex;

// A workload made ready for the engines: everything that is not timed.
typedef struct Load
{
	pnWorkload* workload;
	pnSolid** solids; // one for each body
	int64_t solidBytes;
	int stepCount; // timed in one sample
#ifdef PLIANT_HAS_BULLET
	pnBulletScene* bullet; // or NULL
#endif
} Load;

typedef enum CaseKind
{
	engineCase,
	bulletCase,
	mulAddCase,
	fusedCase,
	cacheReadCase,
} CaseKind;

// One thing to measure, once in every round.
typedef struct Case
{
	char name[NAME_SIZE];
	CaseKind kind;
	const Load* load; // of engines
	const char* unit;
	pnBar bar;
	pnMaterial material;
	int workerCount;
	const char* simd; // to be forced, or NULL
	bool isLeftOut; // the machine or the build does not have it
	uint64_t hash; // of the world at the end of a sample
	int64_t worldBytes;
	double samples[MAX_ROUNDS]; // one for each round
	double value; // their median
} Case;

typedef struct Bench
{
	Load loads[loadCount];
	Case cases[MAX_CASES];
	int caseCount;
	int roundCount;
	bool isQuick;
	char simdName[16]; // what the engine chooses by itself
	char* userSimd; // PLIANT_SIMD as we found it, or NULL
} Bench;

static const pnBar noBar = { pn_noBar, 0.0 };

static pnBar AtMost( double value )
{
	return (pnBar){ pn_atMost, value };
}

static pnBar AtLeast( double value )
{
	return (pnBar){ pn_atLeast, value };
}

// ---- loads ----

static pnWorkload* CreateWorkloadOf( LoadIndex index )
{
	switch ( index )
	{
		case grown10kLoad:
			return pnCreateGrownWorkload( 10000 );
		case grown1MLoad:
			return pnCreateGrownWorkload( 1000000 );
		case repeated100kLoad:
			return pnCreateRepeatedWorkload( 1000 );
		case repeated1MLoad:
			return pnCreateRepeatedWorkload( 10000 );
		default:
			return pnCreateWorkload( index - w1Load + 1 );
	}
}

static pnResult CreateSolidOf( const pnWorkload* workload, int bodyIndex, pnSolid** solid )
{
	const pnWorkBody* body = workload->bodies + bodyIndex;
	pnSolidDef def = pnDefaultSolidDef();
	def.points = body->points;
	def.pointCount = body->pointCount;
	def.masses = workload->masses;
	def.clusters.kind = pn_givenClusters;
	def.clusters.count = body->clusterCount;
	def.clusters.starts = body->clusterStarts;
	def.clusters.members = body->members;
	return pnCreateSolid( &def, solid );
}

static bool PrepareLoad( Load* load, LoadIndex index, bool isQuick )
{
	load->workload = CreateWorkloadOf( index );
	if ( load->workload == NULL )
	{
		fprintf( stderr, "bench: %s\n", pnResultText( pn_outOfMemory ) );
		return false;
	}

	load->solids = calloc( (size_t)load->workload->bodyCount, sizeof( pnSolid* ) );
	if ( load->solids == NULL )
	{
		fprintf( stderr, "bench: %s\n", pnResultText( pn_outOfMemory ) );
		return false;
	}

	int64_t bytesBefore = pnGetByteCount();
	for ( int b = 0; b < load->workload->bodyCount; ++b )
	{
		pnResult result = CreateSolidOf( load->workload, b, load->solids + b );
		if ( result != pn_success )
		{
			fprintf( stderr, "bench: solid %d: %s\n", b, pnResultText( result ) );
			return false;
		}
	}
	load->solidBytes = pnGetByteCount() - bytesBefore;

	// about 25 milliseconds at 3 ns, but a median wants some samples
	int stepCount = ( isQuick ? 2000000 : 8000000 ) / load->workload->membershipCount;
	int minCount = isQuick ? 4 : 8, maxCount = 200;
	load->stepCount = stepCount < minCount ? minCount : stepCount > maxCount ? maxCount : stepCount;

#ifdef PLIANT_HAS_BULLET
	if ( index <= w4Load )
	{
		load->bullet = pnCreateBulletScene( load->workload );
		if ( load->bullet == NULL )
		{
			fprintf( stderr, "bench: no memory for Bullet\n" );
			return false;
		}
	}
#endif
	return true;
}

static void DestroyLoad( Load* load )
{
#ifdef PLIANT_HAS_BULLET
	pnDestroyBulletScene( load->bullet );
#endif
	if ( load->solids != NULL )
	{
		for ( int b = 0; b < load->workload->bodyCount; ++b )
		{
			pnDestroySolid( load->solids[b] );
		}
	}
	free( load->solids );
	pnDestroyWorkload( load->workload );
}

// ---- cases ----

__attribute__( ( format( printf, 3, 4 ) ) ) static Case* AddCase( Bench* bench, CaseKind kind, const char* format, ... )
{
	assert( bench->caseCount < MAX_CASES );
	Case* newCase = bench->cases + bench->caseCount;
	bench->caseCount += 1;
	newCase->kind = kind;
	newCase->workerCount = 1;
	newCase->unit = "ns/membership";
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( newCase->name, sizeof( newCase->name ), format, arguments );
	va_end( arguments );
	return newCase;
}

// The paper's equations 9 and 10 and nothing else.
static pnMaterial BareMaterial( pnMode mode )
{
	pnMaterial material = pnDefaultMaterial();
	material.mode = mode;
	material.alpha = 0.5f;
	material.stretch = 0.4f;
	material.volume = 0.0f;
	material.cap = pn_noCap;
	material.yield = 0.0f;
	material.bare = true;
	return material;
}

static pnMaterial QuadraticDefaultMaterial( void )
{
	pnMaterial material = pnDefaultMaterial();
	material.mode = pn_quadraticMode;
	return material;
}

static void AddWorkloadCases( Bench* bench, int number )
{
	const Load* load = bench->loads + w1Load + number - 1;
	double quadraticBar = number == 2 || number == 3 ? 3.0 : 3.5;
	for ( int workerCount = 1; workerCount <= 2; ++workerCount )
	{
		Case* linear = AddCase( bench, engineCase, "match.W%d.linear.%dt", number, workerCount );
		linear->load = load;
		linear->material = BareMaterial( pn_linearMode );
		linear->workerCount = workerCount;
		linear->bar = workerCount == 1 ? AtMost( 2.5 ) : noBar;

		Case* quadratic = AddCase( bench, engineCase, "match.W%d.quadratic.%dt", number, workerCount );
		quadratic->load = load;
		quadratic->material = BareMaterial( pn_quadraticMode );
		quadratic->workerCount = workerCount;
		quadratic->bar = workerCount == 1 ? AtMost( quadraticBar ) : noBar;
	}

	Case* usual = AddCase( bench, engineCase, "match.W%d.default.1t", number );
	usual->load = load;
	usual->material = QuadraticDefaultMaterial();
	usual->bar = number == 3 ? AtMost( 4.5 ) : noBar;

	AddCase( bench, bulletCase, "match.W%d.bullet", number )->load = load;
}

static void AddScalingCase( Bench* bench, const char* name, LoadIndex index )
{
	Case* scaling = AddCase( bench, engineCase, "%s", name );
	scaling->load = bench->loads + index;
	scaling->material = BareMaterial( pn_quadraticMode );
}

// In the order in which they are measured: what is compared lies close in time.
static void AddCases( Bench* bench )
{
	AddCase( bench, mulAddCase, "match.roof.gflops" )->unit = "GFLOP/s";
	AddCase( bench, fusedCase, "match.roof.fma" )->unit = "GFLOP/s";
	AddCase( bench, cacheReadCase, "match.roof.l2" )->unit = "GB/s";

	for ( int number = 1; number <= 4; ++number )
	{
		AddWorkloadCases( bench, number );
	}

	const char* simdNames[] = { "scalar", "sse2", "avx2", "avx512" };
	for ( int i = 0; i < 4; ++i )
	{
		Case* forced = AddCase( bench, engineCase, "match.W3.%s.quadratic", simdNames[i] );
		forced->load = bench->loads + w3Load;
		forced->material = BareMaterial( pn_quadraticMode );
		forced->simd = simdNames[i];
	}

	// the body of 10^5 points is that of W4, the 100 repeated bodies are W2
	AddScalingCase( bench, "match.scaling.1e4", grown10kLoad );
	AddScalingCase( bench, "match.scaling.1e5", w4Load );
	AddScalingCase( bench, "match.scaling.1e6", grown1MLoad );
	AddScalingCase( bench, "match.scaling.bodies.1e4", w2Load );
	AddScalingCase( bench, "match.scaling.bodies.1e5", repeated100kLoad );
	AddScalingCase( bench, "match.scaling.bodies.1e6", repeated1MLoad );
}

// ---- samples ----

static void ForceSimd( const char* name )
{
	if ( name != NULL )
	{
		setenv( "PLIANT_SIMD", name, 1 );
	}
	else
	{
		unsetenv( "PLIANT_SIMD" );
	}
}

static pnResult AddBodies( pnWorld* world, const Load* load, const pnMaterial* material )
{
	for ( int b = 0; b < load->workload->bodyCount; ++b )
	{
		const pnWorkBody* body = load->workload->bodies + b;
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = load->solids[b];
		def.material = *material;
		def.filter = (pnFilter){ 0, 0 }; // matching alone, as Bullet does it: the board is too small for 10,000 bodies that touch
		pnBodyId id;
		pnResult result = pnCreateBody( world, &def, &id );
		if ( result == pn_success )
		{
			result = pnBody_SetPoints( world, id, body->positions, body->velocities, body->pointCount );
		}
		if ( result != pn_success )
		{
			return result;
		}
	}
	return pn_success;
}

static pnResult TimeWorldSteps( pnWorld* world, int stepCount, double* times )
{
	for ( int i = -WARMUP_STEPS; i < stepCount; ++i )
	{
		double start = pnGetSeconds();
		pnResult result = pnWorld_Step( world, TIME_STEP, 1 );
		double elapsed = pnGetSeconds() - start;
		if ( result != pn_success )
		{
			return result;
		}
		if ( i >= 0 )
		{
			times[i] = elapsed;
		}
	}
	return pn_success;
}

// A new world for every sample: no other world's threads or memory are about, and where memory happens to lie averages out.
static bool SampleEngine( Bench* bench, Case* engine, double* nanoseconds )
{
	const Load* load = engine->load;
	int64_t bytesBefore = pnGetByteCount();
	double* times = malloc( (size_t)load->stepCount * sizeof( double ) );
	pnWorldDef def = pnDefaultWorldDef();
	def.gravity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
	def.enableSleep = false;
	def.tasks.workerCount = engine->workerCount;

	ForceSimd( engine->simd != NULL ? engine->simd : bench->userSimd );
	pnWorld* world = NULL;
	pnResult result = times == NULL ? pn_outOfMemory : pnCreateWorld( &def, &world );
	ForceSimd( bench->userSimd );
	if ( result == pn_success && engine->simd != NULL && strcmp( pnWorld_GetSimdName( world ), engine->simd ) != 0 )
	{
		engine->isLeftOut = true;
		pnDestroyWorld( world );
		free( times );
		return true;
	}

	if ( result == pn_success )
	{
		result = AddBodies( world, load, &engine->material );
	}
	if ( result == pn_success )
	{
		result = TimeWorldSteps( world, load->stepCount, times );
	}
	if ( result == pn_success )
	{
		*nanoseconds = 1e9 * pnMedian( times, load->stepCount ) / load->workload->membershipCount;
		engine->hash = pnWorld_GetHash( world );
		engine->worldBytes = pnGetByteCount() - bytesBefore;
		if ( engine->simd == NULL )
		{
			snprintf( bench->simdName, sizeof( bench->simdName ), "%s", pnWorld_GetSimdName( world ) );
		}
	}
	else
	{
		fprintf( stderr, "bench: %s: %s\n", engine->name, pnResultText( result ) );
	}
	pnDestroyWorld( world );
	free( times );
	return result == pn_success;
}

#ifdef PLIANT_HAS_BULLET
static bool SampleBullet( Case* peer, double* nanoseconds )
{
	const Load* load = peer->load;
	int stepCount = load->stepCount < 16 ? 4 : load->stepCount / 4; // it is slow, and its times are even
	double* times = malloc( (size_t)stepCount * sizeof( double ) );
	if ( times == NULL )
	{
		fprintf( stderr, "bench: %s\n", pnResultText( pn_outOfMemory ) );
		return false;
	}

	pnBulletScene_Reset( load->bullet );
	for ( int i = -WARMUP_STEPS; i < stepCount; ++i )
	{
		double start = pnGetSeconds();
		pnBulletScene_Step( load->bullet, TIME_STEP );
		double elapsed = pnGetSeconds() - start;
		if ( i >= 0 )
		{
			times[i] = elapsed;
		}
	}
	*nanoseconds = 1e9 * pnMedian( times, stepCount ) / load->workload->membershipCount;
	free( times );
	return true;
}
#else
static bool SampleBullet( Case* peer, double* nanoseconds )
{
	peer->isLeftOut = true;
	*nanoseconds = 0.0;
	return true;
}
#endif

static bool Sample( Bench* bench, Case* current, double* value )
{
	switch ( current->kind )
	{
		case engineCase:
			return SampleEngine( bench, current, value );
		case bulletCase:
			return SampleBullet( current, value );
		case mulAddCase:
			*value = pnMeasureMulAdd( ROOF_SECONDS );
			break;
		case fusedCase:
			*value = pnMeasureFused( ROOF_SECONDS );
			break;
		case cacheReadCase:
			*value = pnMeasureCacheRead( ROOF_SECONDS );
			break;
	}
	current->isLeftOut = *value == 0.0;
	return true;
}

static bool SampleAll( Bench* bench )
{
	pnProgress progress = pnStartProgress( bench->roundCount * bench->caseCount );
	bool isWell = true;
	for ( int round = 0; round < bench->roundCount && isWell; ++round )
	{
		for ( int i = 0; i < bench->caseCount && isWell; ++i )
		{
			Case* current = bench->cases + i;
			if ( current->isLeftOut == false )
			{
				pnProgress_Show( &progress, current->name );
				isWell = Sample( bench, current, current->samples + round );
			}
			pnProgress_Advance( &progress );
		}
	}
	pnProgress_Finish( &progress );

	for ( int i = 0; i < bench->caseCount; ++i )
	{
		bench->cases[i].value = pnMedian( bench->cases[i].samples, bench->roundCount );
	}
	return isWell;
}

// ---- results ----

static const Case* FindCase( const Bench* bench, const char* name )
{
	for ( int i = 0; i < bench->caseCount; ++i )
	{
		if ( strcmp( bench->cases[i].name, name ) == 0 )
		{
			return bench->cases + i;
		}
	}
	assert( false );
	return NULL;
}

// The bars in nanoseconds were set for AVX-512.
static bool HasTimeBars( const Bench* bench )
{
	return strcmp( bench->simdName, "avx512" ) == 0;
}

static void AddMeasuredRows( const Bench* bench, pnReport* report )
{
	for ( int i = 0; i < bench->caseCount; ++i )
	{
		const Case* measured = bench->cases + i;
		if ( measured->isLeftOut == false )
		{
			pnReport_Add( report, measured->name, measured->value, measured->unit, HasTimeBars( bench ) ? measured->bar : noBar );
		}
	}
}

static void AddSpeedupRows( const Bench* bench, pnReport* report )
{
	pnBar bar = sysconf( _SC_NPROCESSORS_ONLN ) >= 2 ? AtLeast( 1.7 ) : noBar;
	for ( int number = 2; number <= 4; ++number )
	{
		char one[NAME_SIZE], two[NAME_SIZE], name[NAME_SIZE];
		snprintf( one, sizeof( one ), "match.W%d.quadratic.1t", number );
		snprintf( two, sizeof( two ), "match.W%d.quadratic.2t", number );
		snprintf( name, sizeof( name ), "match.W%d.speedup.2t", number );
		pnReport_Add( report, name, FindCase( bench, one )->value / FindCase( bench, two )->value, "times", bar );
	}
}

static void AddScalingRow( const Bench* bench, pnReport* report, const char* family )
{
	const char* sizes[] = { "1e4", "1e5", "1e6" };
	double smallest = INFINITY, largest = 0.0;
	for ( int i = 0; i < 3; ++i )
	{
		char name[NAME_SIZE];
		snprintf( name, sizeof( name ), "%s.%s", family, sizes[i] );
		double value = FindCase( bench, name )->value;
		smallest = fmin( smallest, value );
		largest = fmax( largest, value );
	}
	pnReport_Add( report, family, largest / smallest, "times", AtMost( 1.5 ) );
}

static void AddW3Rows( const Bench* bench, pnReport* report )
{
	const pnWorkload* workload = bench->loads[w3Load].workload;
	double nanoseconds = FindCase( bench, "match.W3.quadratic.1t" )->value;

	double flopCount = FLOPS_PER_MEMBERSHIP * workload->membershipCount + FLOPS_PER_POINT * workload->pointCount +
					   FLOPS_PER_CLUSTER * workload->clusterCount;
	double gigaflops = flopCount / ( nanoseconds * workload->membershipCount );
	pnReport_Add( report, "match.W3.share", gigaflops / FindCase( bench, "match.roof.gflops" )->value, "of roof", noBar );

	const Case* bullet = FindCase( bench, "match.W3.bullet" );
	if ( bullet->isLeftOut == false )
	{
		pnReport_Add( report, "match.W3.vs_bullet", bullet->value / nanoseconds, "times", HasTimeBars( bench ) ? AtLeast( 12.0 ) : noBar );
	}

	// with the default material: it keeps the most state
	double bytes = (double)( bench->loads[w3Load].solidBytes + FindCase( bench, "match.W3.default.1t" )->worldBytes );
	double barBytes = BAR_BYTES_PER_POINT * workload->pointCount + BAR_BYTES_PER_MEMBERSHIP * workload->membershipCount;
	pnReport_Add( report, "match.W3.bytes", bytes, "bytes", AtMost( barBytes ) );
	pnReport_Add( report, "match.W3.bytes_of_bar", bytes / barBytes, "of bar", AtMost( 1.0 ) );
}

// Equal work must have equal bits, whatever the threads and vectors: else the times are not of the same thing.
static void CompareHashes( const Bench* bench )
{
	for ( int i = 0; i < bench->caseCount; ++i )
	{
		const Case* a = bench->cases + i;
		for ( int j = 0; j < i; ++j )
		{
			const Case* b = bench->cases + j;
			if ( a->kind == engineCase && b->kind == engineCase && a->isLeftOut == false && b->isLeftOut == false &&
				 a->load == b->load && a->material.mode == b->material.mode && a->material.bare == b->material.bare &&
				 a->hash != b->hash )
			{
				fprintf( stderr, "bench: %s and %s ended in different states\n", a->name, b->name );
				break;
			}
		}
	}
}

static void PrintRemarks( const Bench* bench )
{
	fprintf( stderr, "bench: engine %s, roof %s, %ld processors, median of %d rounds\n", bench->simdName, pnRoofSimdName(),
			 sysconf( _SC_NPROCESSORS_ONLN ), bench->roundCount );
	if ( HasTimeBars( bench ) == false )
	{
		fprintf( stderr, "bench: the bars on time are for avx512, so they are left out\n" );
	}
	for ( int i = 0; i < bench->caseCount; ++i )
	{
		if ( bench->cases[i].isLeftOut && bench->cases[i].kind != bulletCase )
		{
			fprintf( stderr, "bench: this machine has no %s\n", bench->cases[i].name );
		}
	}
#ifndef PLIANT_HAS_BULLET
	fprintf( stderr, "bench: built without Bullet, so its rows are left out\n" );
#endif
#ifndef __OPTIMIZE__
	fprintf( stderr, "bench: built without optimisation: these numbers say nothing\n" );
#endif
}

static bool PrepareLoads( Bench* bench )
{
	pnProgress progress = pnStartProgress( loadCount );
	bool isWell = true;
	for ( int i = 0; i < loadCount && isWell; ++i )
	{
		pnProgress_Show( &progress, "making bodies" );
		isWell = PrepareLoad( bench->loads + i, (LoadIndex)i, bench->isQuick );
		pnProgress_Advance( &progress );
	}
	pnProgress_Finish( &progress );
	return isWell;
}

bool pnRunMatchBench( bool quick, pnReport* report )
{
	Bench* bench = calloc( 1, sizeof( Bench ) );
	if ( bench == NULL )
	{
		fprintf( stderr, "bench: %s\n", pnResultText( pn_outOfMemory ) );
		return false;
	}

	bench->isQuick = quick;
	bench->roundCount = quick ? QUICK_ROUNDS : MAX_ROUNDS;
	const char* userSimd = getenv( "PLIANT_SIMD" );
	bench->userSimd = userSimd != NULL ? strdup( userSimd ) : NULL;
	AddCases( bench );

	bool isWell = PrepareLoads( bench ) && SampleAll( bench );
	if ( isWell )
	{
		PrintRemarks( bench );
		CompareHashes( bench );
		AddMeasuredRows( bench, report );
		AddSpeedupRows( bench, report );
		AddW3Rows( bench, report );
		AddScalingRow( bench, report, "match.scaling" );
		AddScalingRow( bench, report, "match.scaling.bodies" );
	}

	for ( int i = 0; i < loadCount; ++i )
	{
		DestroyLoad( bench->loads + i );
	}
	free( bench->userSimd );
	free( bench );
	return isWell;
}
