// test_threads.c - the same bits for any number of threads, any crew, any width, any company. Knows only the public header and the scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For setenv, also when compiled as strict C17.
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include "golden.h"
#include "scenes.h"
#include "zoo.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#define COUNT( ARRAY ) ( (int)( sizeof( ARRAY ) / sizeof( ( ARRAY )[0] ) ) )

static const char* const s_widths[] = { "scalar", "sse2", "avx2", "avx512", "simd128" };
static const int s_workerCounts[] = { 1, 2, 3, 4, 8 };

// ---- widths ----

static char s_widthBefore[64];
static bool s_hadWidth;

static void RememberWidth( void )
{
	const char* width = getenv( "PLIANT_SIMD" );
	s_hadWidth = width != NULL;
	snprintf( s_widthBefore, sizeof( s_widthBefore ), "%s", width != NULL ? width : "" );
}

static void RestoreWidth( void )
{
	if ( s_hadWidth )
	{
		setenv( "PLIANT_SIMD", s_widthBefore, 1 );
	}
	else
	{
		unsetenv( "PLIANT_SIMD" );
	}
}

// Forces a width for the worlds made from now on; false if this machine has another one in its place.
static bool UseWidth( const char* width )
{
	setenv( "PLIANT_SIMD", width, 1 );
	pnWorldDef def = pnDefaultWorldDef();
	pnWorld* world = NULL;
	if ( pnCreateWorld( &def, &world ) != pn_success )
	{
		return false;
	}
	bool used = strcmp( pnWorld_GetSimdName( world ), width ) == 0;
	pnDestroyWorld( world );
	return used;
}

// ---- runs: each returns the hash it came to ----

typedef struct Run
{
	pnTaskSystem tasks;
	const pnScene* scene; // or NULL
	int frameCount;
} Run;

typedef uint64_t RunFcn( const Run* run );

static uint64_t RunScene( const Run* run )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks = run->tasks;
	pnWorld* world = NULL;
	uint64_t hash = 0;
	if ( ENSURE( pnCreateWorld( &def, &world ) == pn_success ) )
	{
		ENSURE( run->scene->create( world ) == pn_success );
		for ( int frame = 1; frame <= run->frameCount; ++frame )
		{
			ENSURE( pnStepScene( run->scene, world, frame, 1.0f / run->scene->rate, run->scene->substeps ) == pn_success );
		}
		ENSURE( pnIsWorldFinite( world ) );
		hash = pnWorld_GetHash( world );
		pnDestroyWorld( world );
	}
	return hash;
}

static uint64_t RunZoo( const Run* run )
{
	pnZoo zoo = pnCreateZoo( run->tasks );
	uint64_t hash = 0;
	if ( ENSURE( zoo.world != NULL ) )
	{
		ENSURE( pnRunZoo( &zoo, 0, run->frameCount ) == pn_success );
		ENSURE( pnIsWorldFinite( zoo.world ) );
		hash = pnWorld_GetHash( zoo.world );
		pnDestroyWorld( zoo.world );
	}
	return hash;
}

// More clusters and points than one task takes, in company of small ones.
static uint64_t RunLarge( const Run* run )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks = run->tasks;
	pnWorld* world = NULL;
	uint64_t hash = 0;
	if ( ENSURE( pnCreateWorld( &def, &world ) == pn_success ) )
	{
		pnSolid* large = pnCreateGridSolid( 23, 22, 21, 0.1f, 0.4f );
		pnSolid* small = pnCreateGridSolid( 3, 3, 3, 0.1f, 0.0f );
		pnSolidInfo info = pnSolid_GetInfo( large );
		ENSURE( info.clusterCount > 64 && info.particleCount > 10000 );
		static const char* const names[] = { "jelly", "clay", "foam" };
		pnBodyId bodies[6];
		for ( int i = 0; i < 6; ++i )
		{
			pnBodyDef bodyDef = pnDefaultBodyDef();
			bodyDef.solid = i == 1 || i == 4 ? large : small;
			pnFindMaterial( names[i % 3], &bodyDef.material );
			bodyDef.transform.p = pnMakeVec3( 4.0f * (float)i, 0.5f, 0.0f );
			bodyDef.angularVelocity = pnMakeVec3( 1.0f, 3.0f, 2.0f );
			ENSURE( pnCreateBody( world, &bodyDef, bodies + i ) == pn_success );
		}
		pnDestroySolid( large );
		pnDestroySolid( small );
		const int32_t pins[3] = { 0, 22, 500 };
		ENSURE( pnBody_Pin( world, bodies[4], pins, NULL, 3 ) == pn_success );
		for ( int frame = 0; frame < run->frameCount; ++frame )
		{
			ENSURE( pnBody_ApplyImpulseAt( world, bodies[1], 10000, pnMakeVec3( 300.0f, 0.0f, -100.0f ) ) == pn_success );
			ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 2 ) == pn_success );
		}
		ENSURE( pnIsWorldFinite( world ) );
		hash = pnWorld_GetHash( world );
		pnDestroyWorld( world );
	}
	return hash;
}

// Bodies come and go all the time, so that they are never batched as they were a frame before.
static uint64_t RunChurn( const Run* run )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks = run->tasks;
	pnWorld* world = NULL;
	uint64_t hash = 0;
	if ( ENSURE( pnCreateWorld( &def, &world ) == pn_success ) )
	{
		pnSolid* solids[3] = { pnCreateGridSolid( 3, 3, 3, 0.1f, 0.0f ), pnCreateGridSolid( 6, 4, 4, 0.1f, 0.2f ), pnCreateAnimalSolid( pn_tetAnimal ) };
		int nameCount = 0;
		const char* const* names = pnGetMaterialNames( &nameCount );
		pnBodyId bodies[64] = { 0 };
		pnRandom random = pnSeed( 53 );
		for ( int frame = 0; frame < run->frameCount; ++frame )
		{
			for ( int i = 0; i < 5; ++i )
			{
				int slot = pnRandomInt( &random, 64 ), solid = pnRandomInt( &random, 3 ), name = pnRandomInt( &random, nameCount );
				float x = (float)pnRandomInt( &random, 100 );
				if ( bodies[slot].index1 != 0 )
				{
					ENSURE( pnDestroyBody( world, bodies[slot] ) == pn_success );
					bodies[slot] = ( pnBodyId ){ 0 };
					continue;
				}
				pnBodyDef bodyDef = pnDefaultBodyDef();
				bodyDef.solid = solids[solid];
				pnFindMaterial( names[name], &bodyDef.material );
				bodyDef.transform.p = pnMakeVec3( x, 0.0f, 2.0f );
				bodyDef.angularVelocity = pnMakeVec3( 0.1f * x, 1.0f, 0.0f );
				ENSURE( pnCreateBody( world, &bodyDef, bodies + slot ) == pn_success );
			}
			ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 + frame % 2 ) == pn_success );
		}
		for ( int i = 0; i < 3; ++i )
		{
			pnDestroySolid( solids[i] );
		}
		ENSURE( pnIsWorldFinite( world ) );
		hash = pnWorld_GetHash( world );
		pnDestroyWorld( world );
	}
	return hash;
}

// ---- the same everywhere ----

// every: all widths, crews and worker counts with each other; else one of them at a time.
static void EnsureSameEverywhere( const char* name, RunFcn* fcn, const pnScene* scene, int frameCount, bool every )
{
	RememberWidth();
	Run run = { pnMakeCrew( pn_ownPool, 1 ), scene, frameCount };
	uint64_t wanted = fcn( &run );
	ENSURE( wanted != 0 );
	int widthCount = 0;
	for ( int w = 0; w < COUNT( s_widths ); ++w )
	{
		if ( UseWidth( s_widths[w] ) == false )
		{
			continue;
		}
		widthCount += 1;
		for ( int kind = 0; kind < ( every ? pn_crewKindCount : 1 ); ++kind )
		{
			for ( int i = 0; i < ( every ? COUNT( s_workerCounts ) : 1 ); ++i )
			{
				pnTestContext( "%s, %s, crew %d, %d workers", name, s_widths[w], kind, s_workerCounts[i] );
				run.tasks = pnMakeCrew( (pnCrewKind)kind, s_workerCounts[i] );
				ENSURE( fcn( &run ) == wanted );
			}
		}
	}
	RestoreWidth();
	if ( every == false )
	{
		for ( int i = 1; i < COUNT( s_workerCounts ); ++i )
		{
			pnTestContext( "%s, %d workers", name, s_workerCounts[i] );
			run.tasks = pnMakeCrew( pn_ownPool, s_workerCounts[i] );
			ENSURE( fcn( &run ) == wanted );
		}
		for ( int kind = 1; kind < pn_crewKindCount; ++kind )
		{
			pnTestContext( "%s, crew %d", name, kind );
			run.tasks = pnMakeCrew( (pnCrewKind)kind, 3 );
			ENSURE( fcn( &run ) == wanted );
		}
	}
	ENSURE( widthCount >= 1 );
	pnTestContext( "%s", "" );
	ENSURE( pnGetByteCount() == 0 );
}

static void ScenesAreTheSameEverywhere( void )
{
	int count = 0;
	const pnScene* scenes = pnGetScenes( &count );
	REQUIRE( count > 0 );
	for ( int i = 0; i < count; ++i )
	{
		EnsureSameEverywhere( scenes[i].name, RunScene, scenes + i, scenes[i].heavy ? PN_GOLDEN_FRAMES / 4 : PN_GOLDEN_FRAMES, false );
	}
}

static void AZooIsTheSameEverywhere( void )
{
	EnsureSameEverywhere( "zoo", RunZoo, NULL, 40, true );
}

static void LargeBodiesAreTheSameEverywhere( void )
{
	EnsureSameEverywhere( "large", RunLarge, NULL, 8, false );
}

static void ComingAndGoingIsTheSameEverywhere( void )
{
	EnsureSameEverywhere( "churn", RunChurn, NULL, 60, false );
}

static void ForcedWidthsAreNamed( void )
{
	RememberWidth();
	// the plain twin is there on every machine
	ENSURE( UseWidth( "scalar" ) );
	// a width nobody has falls back to one that works
	ENSURE( UseWidth( "abacus" ) == false );
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	if ( ENSURE( zoo.world != NULL ) )
	{
		const char* name = pnWorld_GetSimdName( zoo.world );
		bool known = false;
		for ( int i = 0; i < COUNT( s_widths ); ++i )
		{
			known = known || strcmp( name, s_widths[i] ) == 0;
		}
		ENSURE( known );
		ENSURE( pnRunZoo( &zoo, 0, 2 ) == pn_success );
		pnDestroyWorld( zoo.world );
	}
	for ( int i = 0; i < COUNT( s_widths ); ++i )
	{
		if ( UseWidth( s_widths[i] ) )
		{
			pnTestNote( "%s", s_widths[i] );
		}
	}
	RestoreWidth();
}

// ---- company ----

static bool SamePoints( const pnWorld* worldA, pnBodyId a, const pnWorld* worldB, pnBodyId b )
{
	int count = pnBody_WritePoints( worldA, a, NULL, NULL, 0 );
	if ( count == 0 || count != pnBody_WritePoints( worldB, b, NULL, NULL, 0 ) )
	{
		return false;
	}
	size_t size = 2 * (size_t)count * sizeof( pnVec3 );
	pnVec3* pointsA = malloc( size );
	pnVec3* pointsB = malloc( size );
	pnBody_WritePoints( worldA, a, pointsA, pointsA + count, count );
	pnBody_WritePoints( worldB, b, pointsB, pointsB + count, count );
	bool same = memcmp( pointsA, pointsB, size ) == 0;
	free( pointsA );
	free( pointsB );
	return same;
}

// The solids that a zoo with this one animal has, and no other body.
static pnZoo CreateCage( int animal )
{
	pnZoo zoo = { 0 };
	pnWorldDef def = pnDefaultWorldDef();
	def.enableSleep = true;
	ENSURE( pnCreateWorld( &def, &zoo.world ) == pn_success );
	ENSURE( pnCreateAnimal( &zoo, animal ) == pn_success );
	return zoo;
}

static void ABodyMovesAloneAsInCompany( void )
{
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	pnZoo cages[pn_animalCount];
	for ( int i = 0; i < pn_animalCount; ++i )
	{
		cages[i] = CreateCage( i );
		REQUIRE( cages[i].world != NULL );
	}
	// and all of them in the opposite order
	pnZoo turned = { 0 };
	pnWorldDef def = pnDefaultWorldDef();
	def.enableSleep = true;
	REQUIRE( pnCreateWorld( &def, &turned.world ) == pn_success );
	for ( int i = pn_animalCount - 1; i >= 0; --i )
	{
		REQUIRE( pnCreateAnimal( &turned, i ) == pn_success );
	}
	for ( int frame = 0; frame < 100; ++frame )
	{
		ENSURE( pnRunZoo( &zoo, frame, 1 ) == pn_success );
		ENSURE( pnRunZoo( &turned, frame, 1 ) == pn_success );
		for ( int i = 0; i < pn_animalCount; ++i )
		{
			pnTestContext( "animal %d, frame %d", i, frame );
			ENSURE( pnRunZoo( cages + i, frame, 1 ) == pn_success );
			ENSURE( SamePoints( zoo.world, zoo.animals[i], cages[i].world, cages[i].animals[i] ) );
			ENSURE( SamePoints( zoo.world, zoo.animals[i], turned.world, turned.animals[i] ) );
		}
	}
	for ( int i = 0; i < pn_animalCount; ++i )
	{
		pnDestroyWorld( cages[i].world );
	}
	pnDestroyWorld( turned.world );
	pnDestroyWorld( zoo.world );
}

// Wherever a body comes to lie among others of its solid, it moves alike: no lane and no place in a batch is special.
static void EqualBodiesMoveAlike( void )
{
	RememberWidth();
	for ( int w = 0; w < COUNT( s_widths ); ++w )
	{
		if ( UseWidth( s_widths[w] ) == false )
		{
			continue;
		}
		pnWorldDef def = pnDefaultWorldDef();
		pnWorld* world = NULL;
		REQUIRE( pnCreateWorld( &def, &world ) == pn_success );
		pnSolid* solid = pnCreateGridSolid( 5, 4, 3, 0.1f, 0.2f );
		enum { bodyCount = 41 };
		pnBodyId bodies[bodyCount];
		static const char* const names[] = { "jelly", "clay", "foam" };
		for ( int i = 0; i < bodyCount; ++i )
		{
			pnBodyDef bodyDef = pnDefaultBodyDef();
			bodyDef.solid = solid;
			pnFindMaterial( names[i % 3], &bodyDef.material );
			bodyDef.angularVelocity = pnMakeVec3( 2.0f, 1.0f, 5.0f );
			bodyDef.filter.mask = 0; // all in one place
			REQUIRE( pnCreateBody( world, &bodyDef, bodies + i ) == pn_success );
		}
		pnDestroySolid( solid );
		for ( int frame = 0; frame < 30; ++frame )
		{
			for ( int i = 0; i < bodyCount && frame % 10 == 0; ++i )
			{
				ENSURE( pnBody_ApplyImpulseAt( world, bodies[i], 7, pnMakeVec3( 5.0f, -3.0f, 1.0f ) ) == pn_success );
			}
			ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 2 ) == pn_success );
			for ( int i = 3; i < bodyCount; ++i )
			{
				pnTestContext( "%s, body %d, frame %d", s_widths[w], i, frame );
				ENSURE( SamePoints( world, bodies[i], world, bodies[i % 3] ) );
			}
		}
		pnDestroyWorld( world );
	}
	RestoreWidth();
}

// ---- many worlds at once ----

typedef struct Keeper
{
	int index;
	int workerCount;
	const pnSolid* shared;
	uint64_t hash;
} Keeper;

static void* KeepZoo( void* context )
{
	Keeper* keeper = context;
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, keeper->workerCount ) );
	if ( ENSURE( zoo.world != NULL ) )
	{
		// each has a body of the same solid, which is all that worlds may share
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = keeper->shared;
		def.transform.p = pnMakeVec3( -5.0f, (float)keeper->index, 0.0f );
		def.angularVelocity = pnMakeVec3( 0.0f, 1.0f, (float)keeper->index );
		pnBodyId body;
		for ( int round = 0; round < 6; ++round )
		{
			ENSURE( pnCreateBody( zoo.world, &def, &body ) == pn_success );
			ENSURE( pnRunZoo( &zoo, 7 * keeper->index + 8 * round, 8 ) == pn_success );
			ENSURE( round % 2 == 0 || pnDestroyBody( zoo.world, body ) == pn_success );
		}
		keeper->hash = pnWorld_GetHash( zoo.world );
		pnDestroyWorld( zoo.world );
	}
	return NULL;
}

static void WorldsAtOnceAreWorldsInTurn( void )
{
	enum { keeperCount = 6 };
	Keeper inTurn[keeperCount], atOnce[keeperCount];
	pthread_t threads[keeperCount];
	pnSolid* shared = pnCreateGridSolid( 4, 4, 4, 0.1f, 0.2f );
	for ( int i = 0; i < keeperCount; ++i )
	{
		inTurn[i] = atOnce[i] = ( Keeper ){ i, 1 + i % 3, shared, 0 };
		KeepZoo( inTurn + i );
	}
	for ( int i = 0; i < keeperCount; ++i )
	{
		REQUIRE( pthread_create( threads + i, NULL, KeepZoo, atOnce + i ) == 0 );
	}
	for ( int i = 0; i < keeperCount; ++i )
	{
		pthread_join( threads[i], NULL );
		ENSURE( atOnce[i].hash == inTurn[i].hash );
		ENSURE( i == 0 || atOnce[i].hash != atOnce[0].hash );
	}
	pnDestroySolid( shared );
	ENSURE( pnGetByteCount() == 0 );
}

typedef struct Reader
{
	const pnZoo* zoo;
	uint64_t sum; // of all that was read
} Reader;

static void* ReadZoo( void* context )
{
	Reader* reader = context;
	const pnWorld* world = reader->zoo->world;
	uint64_t sum = pnWorld_GetHash( world );
	size_t size = pnWorld_Snapshot( world, NULL, 0 );
	unsigned char* image = calloc( size + 1, 1 );
	ENSURE( pnWorld_Snapshot( world, image, size ) == size );
	for ( size_t i = 0; i < size; ++i )
	{
		sum = sum * 31 + image[i];
	}
	free( image );
	for ( int i = 0; i < pn_animalCount; ++i )
	{
		pnBodyId id = reader->zoo->animals[i];
		pnVec3* points = calloc( 2048, sizeof( pnVec3 ) );
		pnBody_WritePoints( world, id, points, points + 512, 512 );
		pnBody_WriteSkin( world, id, 0, points + 1024, points + 1536, 512 );
		for ( int k = 0; k < 2048; ++k )
		{
			uint32_t bits;
			memcpy( &bits, &points[k].y, sizeof( bits ) );
			sum = sum * 31 + bits;
		}
		free( points );
		pnBodyState state;
		ENSURE( pnBody_GetState( world, id, &state ) == pn_success );
		sum = sum * 31 + (uint64_t)( state.maxStretch * 1e6f );
		pnClusterState clusters[8];
		sum = sum * 31 + (uint64_t)pnBody_WriteClusters( world, id, clusters, 8 );
	}
	reader->sum = sum;
	return NULL;
}

static void ManyMayReadAtOnce( void )
{
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 2 ) );
	REQUIRE( zoo.world != NULL );
	for ( int frame = 0; frame < 20; ++frame )
	{
		ENSURE( pnRunZoo( &zoo, frame, 1 ) == pn_success );
		Reader alone = { &zoo, 0 }, readers[4];
		ReadZoo( &alone );
		pthread_t threads[4];
		for ( int i = 0; i < 4; ++i )
		{
			readers[i] = ( Reader ){ &zoo, 0 };
			REQUIRE( pthread_create( threads + i, NULL, ReadZoo, readers + i ) == 0 );
		}
		for ( int i = 0; i < 4; ++i )
		{
			pthread_join( threads[i], NULL );
			ENSURE( readers[i].sum == alone.sum );
		}
	}
	pnDestroyWorld( zoo.world );
}

// ---- golden hashes ----

typedef struct Golden
{
	const char* scene;
	uint64_t hash;
} Golden;

#define GOLDEN_ROW( SCENE, HASH ) { #SCENE, HASH },
static const Golden s_golden[] = { PN_GOLDEN( GOLDEN_ROW ) };

static void ScenesComeToTheirGoldenHashes( void )
{
	int count = 0;
	const pnScene* scenes = pnGetScenes( &count );
	for ( int i = 0; i < count; ++i )
	{
		Run run = { pnMakeCrew( pn_ownPool, 1 ), scenes + i, PN_GOLDEN_FRAMES };
		uint64_t hash = RunScene( &run );
		bool found = false;
		for ( int k = 0; k < COUNT( s_golden ); ++k )
		{
			if ( strcmp( s_golden[k].scene, scenes[i].name ) == 0 )
			{
				found = true;
				pnTestContext( "scene %s comes to 0x%016" PRIx64 ", golden is 0x%016" PRIx64, scenes[i].name, hash, s_golden[k].hash );
				ENSURE( hash == s_golden[k].hash );
			}
		}
		pnTestContext( "scene %s", scenes[i].name );
		ENSURE( found );
	}
}

void pnPrintGolden( void )
{
	printf( "// golden.h - what every scene comes to after its first frames, on any machine. Renew it with: pliant_test --golden > test/golden.h\n"
			"// SPDX-FileCopyrightText: 2026 The pliant authors\n"
			"// SPDX-License-Identifier: MIT\n"
			"#pragma once\n\n"
			"#define PN_GOLDEN_FRAMES %d\n\n"
			"// X( scene, hash of the world )\n"
			"#define PN_GOLDEN( X )",
			PN_GOLDEN_FRAMES );
	int count = 0;
	const pnScene* scenes = pnGetScenes( &count );
	for ( int i = 0; i < count; ++i )
	{
		Run run = { pnMakeCrew( pn_ownPool, 1 ), scenes + i, PN_GOLDEN_FRAMES };
		printf( " \\\n\tX( %s, 0x%016" PRIx64 " )", scenes[i].name, RunScene( &run ) );
	}
	printf( "\n\nvoid pnPrintGolden( void ); // this file, with the hashes of this build\n" );
}

static const pnTest s_tests[] = {
	RUN( ForcedWidthsAreNamed ),
	RUN( ScenesAreTheSameEverywhere ),
	RUN( AZooIsTheSameEverywhere ),
	RUN( LargeBodiesAreTheSameEverywhere ),
	RUN( ComingAndGoingIsTheSameEverywhere ),
	RUN( ABodyMovesAloneAsInCompany ),
	RUN( EqualBodiesMoveAlike ),
	RUN( WorldsAtOnceAreWorldsInTurn ),
	RUN( ManyMayReadAtOnce ),
	RUN( ScenesComeToTheirGoldenHashes ),
};
SUITE( threads, s_tests );
