// test_memory.c - nothing is allocated in a step, nothing is kept in the end, and no memory is a result like any other. Knows only the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For posix_memalign, also when compiled as strict C17.
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include "zoo.h"

#include <stdatomic.h>
#include <string.h>

// ---- an allocator that counts, checks sizes, and fails when told ----

#define ROOM_BEFORE 64 // bytes before each block: holds its size, and keeps its alignment

static atomic_int s_allocCount;
static atomic_int s_freeCount;
static atomic_int s_wrongSizes; // given back with another size than asked for
static atomic_llong s_held; // bytes
static atomic_int s_untilFailure; // allocations that still succeed; negative: all
static atomic_int s_failures;

static void* CountAlloc( size_t size, size_t alignment )
{
	atomic_fetch_add( &s_allocCount, 1 );
	if ( atomic_load( &s_untilFailure ) >= 0 && atomic_fetch_sub( &s_untilFailure, 1 ) == 0 )
	{
		atomic_fetch_add( &s_failures, 1 );
		atomic_store( &s_untilFailure, -1 ); // one only: what comes after must cope by itself
		return NULL;
	}
	if ( alignment > ROOM_BEFORE || size == 0 )
	{
		return NULL;
	}
	void* memory = NULL;
	if ( posix_memalign( &memory, ROOM_BEFORE, size + ROOM_BEFORE ) != 0 )
	{
		return NULL;
	}
	memcpy( memory, &size, sizeof( size ) );
	memset( (char*)memory + ROOM_BEFORE, 0xA5, size );
	atomic_fetch_add( &s_held, (long long)size );
	return (char*)memory + ROOM_BEFORE;
}

static void CountFree( void* memory, size_t size )
{
	atomic_fetch_add( &s_freeCount, 1 );
	void* start = (char*)memory - ROOM_BEFORE;
	size_t asked = 0;
	memcpy( &asked, start, sizeof( asked ) );
	if ( asked != size )
	{
		atomic_fetch_add( &s_wrongSizes, 1 );
	}
	atomic_fetch_sub( &s_held, (long long)asked );
	memset( memory, 0xDD, asked ); // whoever reads on sees it
	free( start );
}

static void StartCounting( void )
{
	ENSURE( pnGetByteCount() == 0 );
	atomic_store( &s_allocCount, 0 );
	atomic_store( &s_freeCount, 0 );
	atomic_store( &s_wrongSizes, 0 );
	atomic_store( &s_held, 0 );
	atomic_store( &s_untilFailure, -1 );
	atomic_store( &s_failures, 0 );
	pnSetAllocator( CountAlloc, CountFree );
}

static void StopCounting( void )
{
	pnTestContext( "%s", "" );
	ENSURE( pnGetByteCount() == 0 );
	ENSURE( s_held == 0 );
	ENSURE( s_allocCount - s_failures == s_freeCount );
	ENSURE( s_wrongSizes == 0 );
	pnSetAllocator( NULL, NULL );
}

// ---- steps ----

static void EnsureStepsAllocateNothing( pnZoo* zoo, int firstFrame, int frameCount )
{
	for ( int frame = firstFrame; frame < firstFrame + frameCount; ++frame )
	{
		pnTendZoo( zoo, frame );
		int before = atomic_load( &s_allocCount ), freedBefore = atomic_load( &s_freeCount );
		int64_t bytes = pnGetByteCount();
		pnTestContext( "frame %d", frame );
		ENSURE( pnWorld_Step( zoo->world, 1.0f / 60.0f, 1 + frame % 4 ) == pn_success );
		ENSURE( s_allocCount == before && s_freeCount == freedBefore );
		ENSURE( pnGetByteCount() == bytes );
	}
}

// Every kind of body, pins that come and go, materials that change, bodies that sleep, wake, die and are born.
static void StepsOfAZooAllocateNothing( void )
{
	for ( int workerCount = 1; workerCount <= 4; workerCount += 3 )
	{
		StartCounting();
		pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, workerCount ) );
		REQUIRE( zoo.world != NULL );
		ENSURE( pnRunZoo( &zoo, 0, 20 ) == pn_success );
		EnsureStepsAllocateNothing( &zoo, 20, 200 );
		pnDestroyWorld( zoo.world );
		StopCounting();
	}
}

static void StepsOfALargeBodyAllocateNothing( void )
{
	for ( int workerCount = 1; workerCount <= 4; workerCount += 3 )
	{
		StartCounting();
		pnSolid* solid = pnCreateGridSolid( 20, 20, 20, 0.1f, 0.4f );
		REQUIRE( solid != NULL );
		ENSURE( pnSolid_GetInfo( solid ).clusterCount > 64 );
		pnWorldDef def = pnDefaultWorldDef();
		def.tasks.workerCount = workerCount;
		pnWorld* world = NULL;
		REQUIRE( pnCreateWorld( &def, &world ) == pn_success );
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.solid = solid;
		bodyDef.angularVelocity = pnMakeVec3( 1.0f, 2.0f, 3.0f );
		pnBodyId body;
		REQUIRE( pnCreateBody( world, &bodyDef, &body ) == pn_success );
		static const char* const names[] = { "jelly", "clay", "rigid", "foam" };
		for ( int frame = 0; frame < 40; ++frame )
		{
			if ( frame % 5 == 4 )
			{
				pnMaterial material = pnDefaultMaterial();
				pnFindMaterial( names[( frame / 5 ) % 4], &material );
				ENSURE( pnBody_SetMaterial( world, body, &material ) == pn_success );
				ENSURE( pnBody_ApplyImpulseAt( world, body, 7999, pnMakeVec3( 4000.0f, 0.0f, 0.0f ) ) == pn_success );
			}
			int before = atomic_load( &s_allocCount );
			ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 + frame % 2 ) == pn_success );
			pnTestContext( "%d workers, frame %d", workerCount, frame );
			ENSURE( s_allocCount == before );
		}
		pnDestroySolid( solid );
		pnDestroyWorld( world );
		StopCounting();
	}
}

// Questions do not cost memory either.
static void ReadingAllocatesNothing( void )
{
	StartCounting();
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	ENSURE( pnRunZoo( &zoo, 0, 10 ) == pn_success );
	int before = atomic_load( &s_allocCount );
	for ( int i = 0; i < pn_animalCount; ++i )
	{
		static pnVec3 positions[1024], normals[1024];
		static pnClusterState clusters[256];
		pnBodyState state;
		pnMaterial material;
		pnBody_WritePoints( zoo.world, zoo.animals[i], positions, normals, 1024 );
		pnBody_WriteSkin( zoo.world, zoo.animals[i], 0, positions, normals, 1024 );
		pnBody_WriteClusters( zoo.world, zoo.animals[i], clusters, 256 );
		ENSURE( pnBody_GetState( zoo.world, zoo.animals[i], &state ) == pn_success );
		ENSURE( pnBody_GetMaterial( zoo.world, zoo.animals[i], &material ) == pn_success );
	}
	pnWorld_GetHash( zoo.world );
	pnWorld_GetProfile( zoo.world );
	ENSURE( s_allocCount == before );
	pnDestroyWorld( zoo.world );
	StopCounting();
}

// ---- in the end ----

static void EverythingIsGivenBack( void )
{
	StartCounting();
	// the solid goes first, the body keeps it; the body goes first, the solid stays; the world goes with all its bodies
	for ( int order = 0; order < 3; ++order )
	{
		pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 + 3 * ( order % 2 ) ) );
		REQUIRE( zoo.world != NULL );
		ENSURE( pnRunZoo( &zoo, 0, 30 ) == pn_success );
		pnSolid* solid = pnCreateGridSolid( 3, 3, 3, 0.1f, 0.0f );
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		pnBodyId body;
		ENSURE( pnCreateBody( zoo.world, &def, &body ) == pn_success );
		ENSURE( s_held == pnGetByteCount() );
		if ( order == 0 )
		{
			pnDestroySolid( solid );
			ENSURE( pnBody_GetSolid( zoo.world, body ) == solid );
			ENSURE( pnSolid_GetInfo( pnBody_GetSolid( zoo.world, body ) ).pointCount == 27 );
			ENSURE( pnRunZoo( &zoo, 30, 2 ) == pn_success );
		}
		else if ( order == 1 )
		{
			ENSURE( pnDestroyBody( zoo.world, body ) == pn_success );
			ENSURE( pnSolid_GetInfo( solid ).pointCount == 27 );
			pnDestroySolid( solid );
		}
		pnDestroyWorld( zoo.world );
		if ( order == 2 )
		{
			ENSURE( pnSolid_GetInfo( solid ).pointCount == 27 );
			pnDestroySolid( solid );
		}
		ENSURE( pnGetByteCount() == 0 );
	}
	StopCounting();
}

static void DyingBodiesLeaveNothingBehind( void )
{
	StartCounting();
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	ENSURE( pnRunZoo( &zoo, 0, 20 ) == pn_success );
	int64_t first = 0;
	for ( int round = 0; round < 40; ++round )
	{
		for ( int i = 0; i < pn_animalCount; ++i )
		{
			ENSURE( pnDestroyBody( zoo.world, zoo.animals[i] ) == pn_success );
			ENSURE( pnCreateAnimal( &zoo, i ) == pn_success );
		}
		ENSURE( pnRunZoo( &zoo, 0, 3 ) == pn_success );
		// lists of bodies may grow at first, but not for ever
		first = round == 4 ? pnGetByteCount() : first;
		ENSURE( round < 4 || pnGetByteCount() == first );
	}
	pnDestroyWorld( zoo.world );
	StopCounting();
}

// A further body of the same solid costs its own points and clusters, not its rest shape over again.
static void EqualBodiesShareTheirRestShape( void )
{
	StartCounting();
	pnVec3* points = pnMakeGrid( 16, 16, 16, 0.1f );
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = points;
	solidDef.pointCount = 16 * 16 * 16;
	solidDef.clusters.kind = pn_cellClusters;
	solidDef.clusters.cellSize = 0.2f;
	solidDef.clusters.overlap = 1.5f; // each point in dozens of clusters, so that memberships outweigh points
	pnSolid* solid = NULL;
	REQUIRE( pnCreateSolid( &solidDef, &solid ) == pn_success );
	free( points );
	pnSolidInfo info = pnSolid_GetInfo( solid );
	ENSURE( info.membershipCount > 8 * info.pointCount );
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world = NULL;
	REQUIRE( pnCreateWorld( &worldDef, &world ) == pn_success );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	pnBodyId body;
	REQUIRE( pnCreateBody( world, &def, &body ) == pn_success );
	ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	int64_t before = pnGetByteCount();
	const int further = 15; // sixteen with the first, a power of two: lists that grow by doubling have nothing left over
	for ( int i = 0; i < further; ++i )
	{
		def.transform.p.x += 10.0f; // each by itself: what bodies cost where they touch is not asked here
		REQUIRE( pnCreateBody( world, &def, &body ) == pn_success );
	}
	ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	double perBody = (double)( pnGetByteCount() - before ) / further;
	// Twelve floats for a particle: place and mass, velocity and 1 / mass, the force on it. 512 bytes for a cluster: its frame, plastic state and
	// last fit, and its box in the world. 288 for a point of the surface, room for one contact: what is known of it from step to step, in two
	// lists that change places and one of the worker that looks for it (32 each), and its row in the solver. 8 for a triangle: its part of the boxes over
	// the surface as it lies, six floats for four triangles and a third more for the boxes over these.
	double surfaceCount = 16 * 16 * 16 - 14 * 14 * 14, triangleCount = 6 * 2 * 15 * 15;
	ENSURE_MOST( perBody, 48.0 * info.particleCount + 512.0 * info.clusterCount + 288.0 * surfaceCount + 8.0 * triangleCount + 4096.0 );
	ENSURE_MOST( perBody, 0.5 * (double)info.byteCount );
	pnTestNote( "%.0f bytes per further body, solid %.0f", perBody, (double)info.byteCount );
	pnDestroySolid( solid );
	pnDestroyWorld( world );
	StopCounting();
}

static void ReportedBytesAreHeldBytes( void )
{
	StartCounting();
	pnSolid* solid = pnCreateGridSolid( 6, 6, 6, 0.1f, 0.3f );
	REQUIRE( solid != NULL );
	ENSURE_NEAR( (double)pnSolid_GetInfo( solid ).byteCount, (double)pnGetByteCount(), 0.01 * (double)pnGetByteCount() );
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world = NULL;
	REQUIRE( pnCreateWorld( &worldDef, &world ) == pn_success );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	pnBodyId body;
	for ( int i = 0; i < 3; ++i )
	{
		REQUIRE( pnCreateBody( world, &def, &body ) == pn_success );
	}
	for ( int i = 0; i < 3; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	}
	ENSURE_NEAR( (double)pnWorld_GetProfile( world ).byteCount, (double)pnGetByteCount(), 0.01 * (double)pnGetByteCount() );
	pnDestroySolid( solid );
	pnDestroyWorld( world );
	StopCounting();
}

// ---- no memory ----

// One call, tried with the n-th allocation failing, for n = 0, 1, 2, .. until it succeeds. attempt() must leave a success as it is.
typedef pnResult AttemptFcn( void* context );

static void EnsureSurvivesEveryFailure( const char* name, AttemptFcn* attempt, void* context, const pnWorld* world )
{
	for ( int n = 0; n < 20000; ++n )
	{
		uint64_t hash = world != NULL ? pnWorld_GetHash( world ) : 0;
		int64_t bytes = pnGetByteCount();
		int failures = atomic_load( &s_failures );
		atomic_store( &s_untilFailure, n );
		pnResult result = attempt( context );
		atomic_store( &s_untilFailure, -1 );
		pnTestContext( "%s without its allocation %d", name, n );
		if ( s_failures == failures )
		{
			// it asked for no more than n blocks
			ENSURE( result == pn_success );
			pnTestContext( "%s", "" );
			return;
		}
		// a failed allocation may not matter (a cache that was not worth it); if the call failed, all is as it was
		ENSURE( result == pn_outOfMemory || result == pn_success );
		if ( result == pn_success )
		{
			return;
		}
		// a world may keep room it has gained; what was to be made is gone
		ENSURE( world != NULL || pnGetByteCount() == bytes );
		ENSURE( world == NULL || pnWorld_GetHash( world ) == hash );
	}
	ENSURE( false && "it never succeeds" );
}

typedef struct SolidAttempt
{
	pnSolidDef def;
	pnSolid* solid;
} SolidAttempt;

static pnResult AttemptSolid( void* context )
{
	SolidAttempt* attempt = context;
	attempt->solid = (pnSolid*)attempt; // must be overwritten
	pnResult result = pnCreateSolid( &attempt->def, &attempt->solid );
	ENSURE( ( result == pn_success ) == ( attempt->solid != NULL ) );
	return result;
}

static void TrySolid( const char* name, const pnSolidDef* def )
{
	SolidAttempt attempt = { *def, NULL };
	EnsureSurvivesEveryFailure( name, AttemptSolid, &attempt, NULL );
	REQUIRE( attempt.solid != NULL );
	// as good as one made in plenty
	pnSolid* twin = NULL;
	REQUIRE( pnCreateSolid( def, &twin ) == pn_success );
	pnSolidInfo a = pnSolid_GetInfo( attempt.solid ), b = pnSolid_GetInfo( twin );
	ENSURE( a.particleCount == b.particleCount && a.clusterCount == b.clusterCount && a.membershipCount == b.membershipCount && a.mass == b.mass );
	pnDestroySolid( twin );
	pnDestroySolid( attempt.solid );
	ENSURE( pnGetByteCount() == 0 );
}

static void SolidsSurviveNoMemory( void )
{
	StartCounting();
	pnVec3* points = pnMakeGrid( 5, 4, 3, 0.1f );
	pnSolidDef bare = pnDefaultSolidDef();
	bare.points = points;
	bare.pointCount = 60;
	TrySolid( "a solid of points", &bare );
	pnSolidDef cells = bare;
	cells.clusters.kind = pn_cellClusters;
	cells.clusters.cellSize = 0.2f;
	cells.clusters.overlap = 0.5f;
	TrySolid( "a solid of cells", &cells );
	pnSolidDef counted = bare;
	counted.clusters.kind = pn_countClusters;
	counted.clusters.count = 4;
	TrySolid( "a solid of about four clusters", &counted );
	counted.clusters.count = 40;
	counted.clusters.overlap = 0.0f;
	TrySolid( "a solid of cells as fine as its points", &counted );
	pnVec3* heaps = pnMakeGrid( 6, 6, 3, 0.1f );
	for ( int i = 0; i < 108; ++i )
	{
		heaps[i].x += i % 6 < 2 ? 0.0f : i % 6 < 4 ? 3.0f : 6.0f;
		heaps[i].y += i % 6 == 5 ? 3.0f : 0.0f;
	}
	pnSolidDef apart = bare;
	apart.points = heaps;
	apart.pointCount = 108;
	apart.clusters.kind = pn_countClusters;
	apart.clusters.count = 8;
	TrySolid( "a solid of heaps", &apart );
	free( heaps );

	pnSolidDef mesh = pnDefBox();
	mesh.weldDistance = 0.01f;
	TrySolid( "a solid of a surface", &mesh );
	mesh.fillSpacing = 0.2f;
	TrySolid( "a solid of a filled surface", &mesh );
	pnSolidDef tetrahedra = pnDefTetrahedra();
	TrySolid( "a solid of tetrahedra", &tetrahedra );

	static const int32_t starts[3] = { 0, 40, 80 };
	int32_t members[80];
	float weights[80];
	for ( int i = 0; i < 80; ++i )
	{
		members[i] = i < 40 ? i : i - 20;
		weights[i] = 1.0f + 0.1f * (float)( i % 7 );
	}
	pnSolidDef given = bare;
	given.clusters.kind = pn_givenClusters;
	given.clusters.count = 2;
	given.clusters.starts = starts;
	given.clusters.members = members;
	given.clusters.weights = weights;
	TrySolid( "a solid of given clusters", &given );

	pnSkinDef skins[2] = { { pn_boxCorners, NULL, pn_boxTriangles, 8, 12, NULL, 0, NULL }, { pn_boxCorners, pn_boxCorners, NULL, 8, 0, NULL, 0, NULL } };
	pnSolidDef skinned = bare;
	skinned.skins = skins;
	skinned.skinCount = 2;
	TrySolid( "a solid with skins", &skinned );
	free( points );
	StopCounting();
}

static pnResult AttemptWorld( void* context )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks.workerCount = *(int*)context;
	pnWorld* world = (pnWorld*)context;
	pnResult result = pnCreateWorld( &def, &world );
	ENSURE( ( result == pn_success ) == ( world != NULL ) );
	if ( result == pn_success )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
		pnDestroyWorld( world );
	}
	return result;
}

static void WorldsSurviveNoMemory( void )
{
	StartCounting();
	for ( int workerCount = 1; workerCount <= 4; workerCount += 3 )
	{
		EnsureSurvivesEveryFailure( "a world", AttemptWorld, &workerCount, NULL );
		ENSURE( pnGetByteCount() == 0 );
	}
	StopCounting();
}

typedef struct BodyAttempt
{
	pnWorld* world;
	pnSolid* solid;
	pnBodyId body;
	int frame;
	const void* image;
	size_t imageSize;
} BodyAttempt;

static pnResult AttemptBody( void* context )
{
	BodyAttempt* attempt = context;
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = attempt->solid;
	attempt->body = ( pnBodyId ){ 77, 77 };
	pnResult result = pnCreateBody( attempt->world, &def, &attempt->body );
	ENSURE( result == pn_success || ( attempt->body.index1 == 0 && attempt->body.generation == 0 ) );
	return result;
}

static pnResult AttemptPin( void* context )
{
	BodyAttempt* attempt = context;
	const int32_t points[3] = { 0, 1 + attempt->frame % 10, 26 };
	const pnVec3 targets[3] = { { 0.0f, 1.0f, 0.0f }, { 0.1f, 1.0f, 0.0f }, { 0.2f, 1.0f, 0.0f } };
	return pnBody_Pin( attempt->world, attempt->body, points, targets, 3 );
}

static pnResult AttemptUnpinOne( void* context )
{
	BodyAttempt* attempt = context;
	const int32_t point = 26;
	return pnBody_Unpin( attempt->world, attempt->body, &point, 1 );
}

static pnResult AttemptUnpinAll( void* context )
{
	BodyAttempt* attempt = context;
	return pnBody_Unpin( attempt->world, attempt->body, NULL, 0 );
}

static pnResult AttemptPoints( void* context )
{
	BodyAttempt* attempt = context;
	pnVec3 positions[27], velocities[27];
	pnBody_WritePoints( attempt->world, attempt->body, positions, velocities, 27 );
	positions[3].x += 0.01f;
	velocities[4].y -= 0.5f;
	return pnBody_SetPoints( attempt->world, attempt->body, positions, velocities, 27 );
}

static pnResult AttemptForce( void* context )
{
	BodyAttempt* attempt = context;
	return pnBody_ApplyForce( attempt->world, attempt->body, pnMakeVec3( 1.0f, 2.0f, 3.0f ) );
}

static pnResult AttemptForceAt( void* context )
{
	BodyAttempt* attempt = context;
	return pnBody_ApplyForceAt( attempt->world, attempt->body, 5, pnMakeVec3( 1.0f, 2.0f, 3.0f ) );
}

static pnResult AttemptImpulseAt( void* context )
{
	BodyAttempt* attempt = context;
	return pnBody_ApplyImpulseAt( attempt->world, attempt->body, 5, pnMakeVec3( 1.0f, 2.0f, 3.0f ) );
}

static pnResult AttemptMaterial( void* context )
{
	BodyAttempt* attempt = context;
	pnMaterial material = pnDefaultMaterial();
	pnFindMaterial( "clay", &material );
	return pnBody_SetMaterial( attempt->world, attempt->body, &material );
}

static pnResult AttemptSnapshot( void* context )
{
	BodyAttempt* attempt = context;
	size_t size = pnWorld_Snapshot( attempt->world, NULL, 0 );
	if ( size == 0 )
	{
		return pn_outOfMemory;
	}
	void* image = malloc( size );
	size_t written = pnWorld_Snapshot( attempt->world, image, size );
	free( image );
	ENSURE( written == 0 || written == size );
	return written == 0 ? pn_outOfMemory : pn_success;
}

static pnResult AttemptRestore( void* context )
{
	BodyAttempt* attempt = context;
	return pnWorld_Restore( attempt->world, attempt->image, attempt->imageSize );
}

static void BodiesSurviveNoMemory( void )
{
	static AttemptFcn* const attempts[] = { AttemptBody, AttemptPin, AttemptUnpinOne, AttemptPin, AttemptUnpinAll, AttemptPoints, AttemptForce,
											AttemptForceAt, AttemptImpulseAt, AttemptMaterial, AttemptPin, AttemptPoints, AttemptSnapshot };
	static const char* const names[] = { "a body", "a pin", "letting one go", "a pin again", "letting all go", "setting points", "a force",
										 "a force at a point", "an impulse at a point", "a material", "a pin on clay", "setting points with pins", "a snapshot" };
	StartCounting();
	pnSolid* solid = pnCreateGridSolid( 3, 3, 3, 0.1f, 0.2f );
	REQUIRE( solid != NULL );
	pnWorld* worlds[2] = { NULL, NULL }; // one in need, one in plenty
	BodyAttempt attempt[2] = { 0 };
	for ( int w = 0; w < 2; ++w )
	{
		pnWorldDef def = pnDefaultWorldDef();
		REQUIRE( pnCreateWorld( &def, worlds + w ) == pn_success );
		attempt[w].world = worlds[w];
		attempt[w].solid = solid;
	}
	// The first body that can touch makes its solid's surface, which all share: let it be there.
	pnBodyDef first = pnDefaultBodyDef();
	first.solid = solid;
	pnBodyId body;
	pnWorld* other = NULL;
	pnWorldDef otherDef = pnDefaultWorldDef();
	REQUIRE( pnCreateWorld( &otherDef, &other ) == pn_success );
	ENSURE( pnCreateBody( other, &first, &body ) == pn_success );
	pnDestroyWorld( other );
	for ( int i = 0; i < (int)( sizeof( attempts ) / sizeof( attempts[0] ) ); ++i )
	{
		for ( int round = 0; round < 3; ++round )
		{
			attempt[0].frame = attempt[1].frame = 3 * i + round;
			int64_t before = pnGetByteCount();
			EnsureSurvivesEveryFailure( names[i], attempts[i], attempt + 0, worlds[0] );
			int64_t between = pnGetByteCount();
			ENSURE( attempts[i]( attempt + 1 ) == pn_success );
			// what was tried again and again is what was done once, and costs as much
			pnTestContext( "%s, then a step", names[i] );
			ENSURE( between - before == pnGetByteCount() - between );
			ENSURE( pnWorld_GetHash( worlds[0] ) == pnWorld_GetHash( worlds[1] ) );
			ENSURE( pnWorld_Step( worlds[0], 1.0f / 60.0f, 1 ) == pn_success );
			ENSURE( pnWorld_Step( worlds[1], 1.0f / 60.0f, 1 ) == pn_success );
			ENSURE( pnWorld_GetHash( worlds[0] ) == pnWorld_GetHash( worlds[1] ) );
		}
	}
	pnDestroySolid( solid );
	pnDestroyWorld( worlds[0] );
	pnDestroyWorld( worlds[1] );
	StopCounting();
}

// Many bodies at once: the lists of the world have to grow while memory fails.
static void CrowdsSurviveNoMemory( void )
{
	StartCounting();
	BodyAttempt attempt = { 0 };
	attempt.solid = pnCreateGridSolid( 2, 2, 2, 0.1f, 0.0f );
	pnWorldDef def = pnDefaultWorldDef();
	REQUIRE( pnCreateWorld( &def, &attempt.world ) == pn_success );
	for ( int i = 0; i < 100; ++i )
	{
		EnsureSurvivesEveryFailure( "one of many bodies", AttemptBody, &attempt, attempt.world );
		ENSURE( pnWorld_GetBodies( attempt.world, NULL, 0 ) == i + 1 );
	}
	ENSURE( pnWorld_Step( attempt.world, 1.0f / 60.0f, 1 ) == pn_success );
	ENSURE( pnIsWorldFinite( attempt.world ) );
	pnDestroySolid( attempt.solid );
	pnDestroyWorld( attempt.world );
	StopCounting();
}

static void RestoringSurvivesNoMemory( void )
{
	StartCounting();
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	ENSURE( pnRunZoo( &zoo, 0, 12 ) == pn_success );
	size_t size = pnWorld_Snapshot( zoo.world, NULL, 0 );
	void* image = malloc( size );
	REQUIRE( pnWorld_Snapshot( zoo.world, image, size ) == size );
	uint64_t saved = pnWorld_GetHash( zoo.world );

	// into a world that has moved on, and into an empty one
	pnZoo moved = zoo;
	ENSURE( pnRunZoo( &moved, 12, 20 ) == pn_success );
	pnWorldDef def = pnDefaultWorldDef();
	pnWorld* empty = NULL;
	REQUIRE( pnCreateWorld( &def, &empty ) == pn_success );
	pnWorld* const worlds[2] = { moved.world, empty };
	for ( int i = 0; i < 2; ++i )
	{
		BodyAttempt attempt = { 0 };
		attempt.world = worlds[i];
		attempt.image = image;
		attempt.imageSize = size;
		EnsureSurvivesEveryFailure( "restoring", AttemptRestore, &attempt, worlds[i] );
		ENSURE( pnWorld_GetHash( worlds[i] ) == saved );
	}
	pnZoo first = zoo, second = zoo;
	second.world = empty;
	ENSURE( pnRunZoo( &first, 12, 10 ) == pn_success );
	ENSURE( pnRunZoo( &second, 12, 10 ) == pn_success );
	ENSURE( pnWorld_GetHash( moved.world ) == pnWorld_GetHash( empty ) );
	free( image );
	pnDestroyWorld( zoo.world );
	pnDestroyWorld( empty );
	StopCounting();
}

static const pnTest s_tests[] = {
	RUN( StepsOfAZooAllocateNothing ),
	RUN( StepsOfALargeBodyAllocateNothing ),
	RUN( ReadingAllocatesNothing ),
	RUN( EverythingIsGivenBack ),
	RUN( DyingBodiesLeaveNothingBehind ),
	RUN( EqualBodiesShareTheirRestShape ),
	RUN( ReportedBytesAreHeldBytes ),
	RUN( SolidsSurviveNoMemory ),
	RUN( WorldsSurviveNoMemory ),
	RUN( BodiesSurviveNoMemory ),
	RUN( CrowdsSurviveNoMemory ),
	RUN( RestoringSurvivesNoMemory ),
};
SUITE( memory, s_tests );
