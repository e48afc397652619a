// test_state.c - saved and restored worlds go on bit for bit; cut or altered images are told apart; ids do not outlive their bodies.
// Knows the public header, the scenes, and how an image is sealed.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "test.h"

#include "contact_help.h"
#include "scenes.h"
#include "zoo.h"

#include "base/core.h"

#include <string.h>

typedef struct Image
{
	unsigned char* bytes;
	size_t size;
} Image;

static Image Save( const pnWorld* world )
{
	Image image = { NULL, pnWorld_Snapshot( world, NULL, 0 ) };
	ENSURE( image.size > 0 );
	image.bytes = malloc( image.size > 0 ? image.size : 1 ); // no more than asked for: sanitizers watch its end
	ENSURE( pnWorld_Snapshot( world, image.bytes, image.size ) == image.size );
	return image;
}

static void FreeImage( Image* image )
{
	free( image->bytes );
	image->bytes = NULL;
}

static pnWorld* CreateEmptyWorld( int workerCount )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.gravity = pnMakeVec3( 1.0f, 2.0f, 3.0f ); // to be overwritten
	def.enableSleep = false;
	def.tasks.workerCount = workerCount;
	pnWorld* world = NULL;
	ENSURE( pnCreateWorld( &def, &world ) == pn_success );
	return world;
}

// ---- going on ----

static void RestoredScenesGoOnAsTheyWould( void )
{
	static const int saves[] = { 0, 1, 7, 25 };
	const int goOn = 8;
	int sceneCount = 0;
	const pnScene* scenes = pnGetScenes( &sceneCount );
	REQUIRE( sceneCount > 0 );
	for ( int s = 0; s < sceneCount; ++s )
	{
		const pnScene* scene = scenes + s;
		float timeStep = 1.0f / scene->rate;
		pnWorldDef def = pnDefaultWorldDef();
		pnWorld* world = NULL;
		REQUIRE( pnCreateWorld( &def, &world ) == pn_success );
		REQUIRE( scene->create( world ) == pn_success );
		int frame = 0;
		for ( int k = 0; k < (int)( sizeof( saves ) / sizeof( saves[0] ) ); ++k )
		{
			pnTestContext( "scene %s, saved at frame %d", scene->name, saves[k] );
			for ( ; frame < saves[k]; ++frame )
			{
				ENSURE( pnStepScene( scene, world, frame + 1, timeStep, scene->substeps ) == pn_success );
			}
			uint64_t savedHash = pnWorld_GetHash( world );
			Image image = Save( world );
			// saving is only looking
			ENSURE( pnWorld_GetHash( world ) == savedHash );
			for ( int i = 0; i < goOn; ++i )
			{
				ENSURE( pnStepScene( scene, world, frame + 1 + i, timeStep, scene->substeps ) == pn_success );
			}
			uint64_t wanted = pnWorld_GetHash( world );
			ENSURE( wanted != savedHash );

			// back in the same world
			ENSURE( pnWorld_Restore( world, image.bytes, image.size ) == pn_success );
			ENSURE( pnWorld_GetHash( world ) == savedHash );
			// an image of the restored world is the same image
			Image again = Save( world );
			ENSURE( again.size == image.size && memcmp( again.bytes, image.bytes, image.size ) == 0 );
			FreeImage( &again );
			for ( int i = 0; i < goOn; ++i )
			{
				ENSURE( pnStepScene( scene, world, frame + 1 + i, timeStep, scene->substeps ) == pn_success );
			}
			ENSURE( pnWorld_GetHash( world ) == wanted );

			// in another one, with other threads
			pnWorld* other = CreateEmptyWorld( 1 + k );
			ENSURE( pnWorld_Restore( other, image.bytes, image.size ) == pn_success );
			ENSURE( pnWorld_GetHash( other ) == savedHash );
			for ( int i = 0; i < goOn; ++i )
			{
				ENSURE( pnStepScene( scene, other, frame + 1 + i, timeStep, scene->substeps ) == pn_success );
			}
			ENSURE( pnWorld_GetHash( other ) == wanted );
			pnDestroyWorld( other );
			ENSURE( pnWorld_Restore( world, image.bytes, image.size ) == pn_success );
			FreeImage( &image );
		}
		pnDestroyWorld( world );
		ENSURE( pnGetByteCount() == 0 );
	}
}

// Rings thrown into each other, no two alike: surfaces that have gone through each other, and their way out.
static pnResult CreateTangle( pnWorld* world )
{
	Rest rest = MakeTorusRest( 0.5f, 0.16f, 20, 8 );
	pnSolid* torus = SolidOf( rest, 20.0f, 0.01f, 0.4f );
	pnRandom random = pnSeed( 5 );
	for ( int i = 0; i < 6; ++i )
	{
		pnBodyDef def = DefBody( torus, SoftMaterial( 12.0f ), RandomVec3( &random, 0.4 ) );
		def.velocity = RandomVec3( &random, 1.0 );
		AddBody( world, &def );
	}
	pnDestroySolid( torus );
	return pn_success;
}

// A world that was restored goes on with the same bits, whichever frame it was saved at and whatever the other world held before. PLIANT_LONG=1: every
// one of 300 frames, 30 frames on; else some.
static void RestoredAtAnyFrameItGoesOn( void )
{
	static const char* const names[] = { "heap", "cuts", "knot", "straws", "tangle" };
	bool isLong = getenv( "PLIANT_LONG" ) != NULL;
	int stride = isLong ? 1 : 47, goOn = isLong ? 30 : 8;
	for ( int s = 0; s < COUNT( names ); ++s )
	{
		const pnScene* scene = pnFindScene( names[s] );
		pnScene tangle = { .name = "tangle", .create = CreateTangle, .rate = 60, .substeps = 4 };
		scene = scene != NULL ? scene : &tangle;
		float timeStep = 1.0f / scene->rate;
		pnWorldDef def = pnDefaultWorldDef();
		pnWorld *world = NULL, *other = CreateEmptyWorld( 2 );
		REQUIRE( pnCreateWorld( &def, &world ) == pn_success );
		REQUIRE( scene->create( world ) == pn_success );
		uint64_t* hashes = calloc( 300 + (size_t)goOn + 1, sizeof( uint64_t ) );
		Image* images = calloc( 300, sizeof( Image ) );
		for ( int frame = 0; frame < 300 + goOn; ++frame )
		{
			hashes[frame] = pnWorld_GetHash( world );
			if ( frame < 300 && frame % stride == 0 )
			{
				images[frame] = Save( world );
			}
			ENSURE( pnStepScene( scene, world, frame + 1, timeStep, scene->substeps ) == pn_success );
		}
		for ( int frame = 0; frame < 300; frame += stride )
		{
			pnTestContext( "%s, saved at frame %d", names[s], frame );
			ENSURE( pnWorld_Restore( other, images[frame].bytes, images[frame].size ) == pn_success );
			for ( int i = 0; i < goOn; ++i )
			{
				ENSURE( pnWorld_GetHash( other ) == hashes[frame + i] );
				ENSURE( pnStepScene( scene, other, frame + 1 + i, timeStep, scene->substeps ) == pn_success );
			}
			FreeImage( images + frame );
		}
		free( images );
		free( hashes );
		pnDestroyWorld( world );
		pnDestroyWorld( other );
	}
}

// Pins, plastic state, sleepers, changed materials, dead and new-born bodies: at every frame of two seconds.
static void RestoredZooGoesOnAsItWould( void )
{
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	pnWorld* other = CreateEmptyWorld( 1 );
	for ( int frame = 0; frame < 120; ++frame )
	{
		pnTestContext( "frame %d", frame );
		Image image = Save( zoo.world );
		uint64_t saved = pnWorld_GetHash( zoo.world );
		pnZoo twin = zoo;
		twin.world = other; // which still holds the frames before
		ENSURE( pnWorld_Restore( other, image.bytes, image.size ) == pn_success );
		ENSURE( pnWorld_GetHash( other ) == saved );
		ENSURE( pnRunZoo( &zoo, frame, 1 ) == pn_success );
		ENSURE( pnRunZoo( &twin, frame, 1 ) == pn_success );
		ENSURE( pnWorld_GetHash( other ) == pnWorld_GetHash( zoo.world ) );
		// the same ids were given out
		ENSURE( memcmp( twin.animals, zoo.animals, sizeof( zoo.animals ) ) == 0 );
		if ( frame % 30 == 29 )
		{
			pnZoo far = zoo;
			ENSURE( pnRunZoo( &far, frame + 1, 20 ) == pn_success );
			ENSURE( pnRunZoo( &twin, frame + 1, 20 ) == pn_success );
			ENSURE( pnWorld_GetHash( other ) == pnWorld_GetHash( zoo.world ) );
			ENSURE( pnWorld_Restore( zoo.world, image.bytes, image.size ) == pn_success );
			ENSURE( pnRunZoo( &zoo, frame, 1 ) == pn_success );
		}
		FreeImage( &image );
	}
	pnDestroyWorld( other );
	pnDestroyWorld( zoo.world );
	ENSURE( pnGetByteCount() == 0 );
}

// The user may have acted since the last step: forces that wait for the next one are part of the state.
static void WaitingForcesAreSaved( void )
{
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	ENSURE( pnRunZoo( &zoo, 0, 5 ) == pn_success );
	uint64_t idle = pnWorld_GetHash( zoo.world );
	Image before = Save( zoo.world );
	ENSURE( pnBody_ApplyForce( zoo.world, zoo.animals[pn_jellyAnimal], pnMakeVec3( 10.0f, 20.0f, 5.0f ) ) == pn_success );
	ENSURE( pnBody_ApplyForceAt( zoo.world, zoo.animals[pn_clayAnimal], 3, pnMakeVec3( 0.0f, 200.0f, 5.0f ) ) == pn_success );
	ENSURE( pnWorld_GetHash( zoo.world ) != idle );
	Image image = Save( zoo.world );
	ENSURE( pnWorld_Step( zoo.world, 1.0f / 60.0f, 2 ) == pn_success );
	uint64_t pushed = pnWorld_GetHash( zoo.world );
	ENSURE( pnWorld_Restore( zoo.world, image.bytes, image.size ) == pn_success );
	ENSURE( pnWorld_Step( zoo.world, 1.0f / 60.0f, 2 ) == pn_success );
	ENSURE( pnWorld_GetHash( zoo.world ) == pushed );
	// and forces of the time after the image are gone
	ENSURE( pnBody_ApplyForce( zoo.world, zoo.animals[pn_jellyAnimal], pnMakeVec3( 10.0f, 20.0f, 5.0f ) ) == pn_success );
	ENSURE( pnWorld_Restore( zoo.world, before.bytes, before.size ) == pn_success );
	ENSURE( pnWorld_GetHash( zoo.world ) == idle );
	ENSURE( pnWorld_Step( zoo.world, 1.0f / 60.0f, 2 ) == pn_success );
	ENSURE( pnWorld_GetHash( zoo.world ) != pushed );
	FreeImage( &before );
	FreeImage( &image );
	pnDestroyWorld( zoo.world );
}

static void EverythingReadableIsRestored( void )
{
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	ENSURE( pnWorld_SetGravity( zoo.world, pnMakeVec3( 0.0f, -3.0f, 1.0f ) ) == pn_success );
	ENSURE( pnRunZoo( &zoo, 0, 40 ) == pn_success );
	ENSURE( pnBody_SetAwake( zoo.world, zoo.animals[pn_sleepingAnimal], false ) == pn_success );
	Image image = Save( zoo.world );
	pnWorld* other = CreateEmptyWorld( 1 );
	ENSURE( pnWorld_Restore( other, image.bytes, image.size ) == pn_success );
	pnVec3 gravity = pnWorld_GetGravity( other );
	ENSURE( gravity.x == 0.0f && gravity.y == -3.0f && gravity.z == 1.0f );
	pnBodyId a[pn_animalCount + 1], b[pn_animalCount + 1];
	ENSURE( pnWorld_GetBodies( zoo.world, a, pn_animalCount + 1 ) == pn_animalCount );
	ENSURE( pnWorld_GetBodies( other, b, pn_animalCount + 1 ) == pn_animalCount );
	ENSURE( memcmp( a, b, pn_animalCount * sizeof( pnBodyId ) ) == 0 );
	for ( int i = 0; i < pn_animalCount; ++i )
	{
		pnTestContext( "animal %d", i );
		pnBodyId id = zoo.animals[i];
		if ( ENSURE( pnBody_IsValid( other, id ) ) == false )
		{
			continue;
		}
		ENSURE( pnBody_GetUserData( other, id ) == pnBody_GetUserData( zoo.world, id ) );
		pnSolidInfo solidA = pnSolid_GetInfo( pnBody_GetSolid( zoo.world, id ) ), solidB = pnSolid_GetInfo( pnBody_GetSolid( other, id ) );
		ENSURE( solidA.pointCount == solidB.pointCount && solidA.particleCount == solidB.particleCount && solidA.clusterCount == solidB.clusterCount );
		ENSURE( solidA.skinCount == solidB.skinCount && solidA.mass == solidB.mass && solidA.membershipCount == solidB.membershipCount );
		static pnVec3 pointsA[4][512], pointsB[4][512];
		memset( pointsA, 0, sizeof( pointsA ) );
		memset( pointsB, 0, sizeof( pointsB ) );
		pnBody_WritePoints( zoo.world, id, pointsA[0], pointsA[1], 512 );
		pnBody_WritePoints( other, id, pointsB[0], pointsB[1], 512 );
		pnBody_WriteSkin( zoo.world, id, 0, pointsA[2], pointsA[3], 512 );
		pnBody_WriteSkin( other, id, 0, pointsB[2], pointsB[3], 512 );
		ENSURE( memcmp( pointsA, pointsB, sizeof( pointsA ) ) == 0 );
		pnBodyState stateA, stateB;
		memset( &stateA, 0, sizeof( stateA ) );
		memset( &stateB, 0, sizeof( stateB ) );
		ENSURE( pnBody_GetState( zoo.world, id, &stateA ) == pn_success );
		ENSURE( pnBody_GetState( other, id, &stateB ) == pn_success );
		ENSURE( stateA.kinetic == stateB.kinetic && stateA.elastic == stateB.elastic && stateA.plasticStrain == stateB.plasticStrain );
		ENSURE( stateA.awake == stateB.awake && stateA.maxStretch == stateB.maxStretch && stateA.volume == stateB.volume );
		pnMaterial materialA, materialB;
		ENSURE( pnBody_GetMaterial( zoo.world, id, &materialA ) == pn_success );
		ENSURE( pnBody_GetMaterial( other, id, &materialB ) == pn_success );
		ENSURE( memcmp( &materialA, &materialB, offsetof( pnMaterial, bare ) ) == 0 && materialA.bare == materialB.bare );
	}
	pnTestContext( "%s", "" );
	ENSURE( pnIsWorldFinite( other ) );
	// the clay has given way, or this test would show less than it says
	pnBodyState clay;
	ENSURE( pnBody_GetState( other, zoo.animals[pn_clayAnimal], &clay ) == pn_success );
	ENSURE( clay.plasticStrain > 0.0f );
	FreeImage( &image );
	pnDestroyWorld( other );
	pnDestroyWorld( zoo.world );
}

// ---- ids ----

static void IdsDoNotOutliveTheirBodies( void )
{
	pnWorld* world = CreateEmptyWorld( 1 );
	pnSolid* solid = pnCreateGridSolid( 2, 2, 2, 0.1f, 0.0f );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	enum { deadCount = 300 };
	static pnBodyId dead[deadCount];
	for ( int i = 0; i < deadCount; ++i )
	{
		REQUIRE( pnCreateBody( world, &def, dead + i ) == pn_success );
		ENSURE( dead[i].index1 != 0 );
		ENSURE( pnBody_IsValid( world, dead[i] ) );
		if ( i % 3 != 0 )
		{
			ENSURE( pnDestroyBody( world, dead[i] ) == pn_success );
			ENSURE( pnBody_IsValid( world, dead[i] ) == false );
		}
	}
	for ( int i = 0; i < deadCount; ++i )
	{
		ENSURE( pnBody_IsValid( world, dead[i] ) == ( i % 3 == 0 ) );
		for ( int j = 0; j < i; ++j )
		{
			bool same = dead[i].index1 == dead[j].index1 && dead[i].generation == dead[j].generation;
			ENSURE( same == false );
		}
	}
	// the living are listed in order of birth
	static pnBodyId bodies[deadCount];
	int count = pnWorld_GetBodies( world, bodies, deadCount );
	ENSURE( count == deadCount / 3 );
	for ( int i = 0; i < count; ++i )
	{
		ENSURE( memcmp( bodies + i, dead + 3 * i, sizeof( pnBodyId ) ) == 0 );
	}
	pnDestroySolid( solid );
	pnDestroyWorld( world );
}

static void IdsAreThoseOfTheTimeOfSaving( void )
{
	pnWorld* world = CreateEmptyWorld( 1 );
	pnSolid* solid = pnCreateGridSolid( 2, 2, 2, 0.1f, 0.0f );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	pnBodyId early, kept, killed, born;
	REQUIRE( pnCreateBody( world, &def, &early ) == pn_success );
	REQUIRE( pnCreateBody( world, &def, &kept ) == pn_success );
	REQUIRE( pnCreateBody( world, &def, &killed ) == pn_success );
	ENSURE( pnDestroyBody( world, early ) == pn_success );
	Image image = Save( world );
	uint64_t hash = pnWorld_GetHash( world );
	ENSURE( pnDestroyBody( world, killed ) == pn_success );
	REQUIRE( pnCreateBody( world, &def, &born ) == pn_success );
	ENSURE( pnBody_IsValid( world, early ) == false && pnBody_IsValid( world, killed ) == false && pnBody_IsValid( world, born ) );

	ENSURE( pnWorld_Restore( world, image.bytes, image.size ) == pn_success );
	ENSURE( pnBody_IsValid( world, early ) == false && pnBody_IsValid( world, kept ) && pnBody_IsValid( world, killed ) );
	ENSURE( pnBody_IsValid( world, born ) == false );
	ENSURE( pnWorld_GetBodies( world, NULL, 0 ) == 2 );
	// what is born next is never mistaken for what died before the image
	pnBodyId next;
	REQUIRE( pnCreateBody( world, &def, &next ) == pn_success );
	ENSURE( pnBody_IsValid( world, early ) == false );

	pnWorld* other = CreateEmptyWorld( 1 );
	ENSURE( pnWorld_Restore( other, image.bytes, image.size ) == pn_success );
	ENSURE( pnWorld_GetHash( other ) == hash );
	ENSURE( pnBody_IsValid( other, early ) == false && pnBody_IsValid( other, kept ) && pnBody_IsValid( other, killed ) );
	pnBodyId otherNext;
	REQUIRE( pnCreateBody( other, &def, &otherNext ) == pn_success );
	ENSURE( otherNext.index1 == next.index1 && otherNext.generation == next.generation );
	ENSURE( pnWorld_GetHash( other ) == pnWorld_GetHash( world ) );
	FreeImage( &image );
	pnDestroySolid( solid );
	pnDestroyWorld( other );
	pnDestroyWorld( world );
	ENSURE( pnGetByteCount() == 0 );
}

static void EmptyWorldsAreSavedToo( void )
{
	pnWorld* world = CreateEmptyWorld( 1 );
	Image image = Save( world );
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	ENSURE( pnWorld_Restore( zoo.world, image.bytes, image.size ) == pn_success );
	ENSURE( pnWorld_GetBodies( zoo.world, NULL, 0 ) == 0 );
	ENSURE( pnWorld_GetHash( zoo.world ) == pnWorld_GetHash( world ) );
	ENSURE( pnWorld_Step( zoo.world, 1.0f / 60.0f, 1 ) == pn_success );
	FreeImage( &image );
	pnDestroyWorld( zoo.world );
	pnDestroyWorld( world );
	ENSURE( pnGetByteCount() == 0 );
}

// ---- images that are none ----

static char s_log[1024];

static void HearLog( const char* message )
{
	strncpy( s_log, message, sizeof( s_log ) - 1 );
}

// A world with a state of its own that every image is tried on.
typedef struct Victim
{
	pnWorld* world;
	Image image; // its own
	uint64_t hash;
	int refused, taken;
} Victim;

static Victim MakeVictim( void )
{
	Victim victim = { 0 };
	victim.world = CreateEmptyWorld( 1 );
	pnSolid* solid = pnCreateGridSolid( 3, 3, 3, 0.1f, 0.0f );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.angularVelocity = pnMakeVec3( 3.0f, 2.0f, 1.0f );
	pnBodyId body;
	ENSURE( pnCreateBody( victim.world, &def, &body ) == pn_success );
	pnDestroySolid( solid );
	ENSURE( pnWorld_Step( victim.world, 1.0f / 60.0f, 2 ) == pn_success );
	victim.image = Save( victim.world );
	victim.hash = pnWorld_GetHash( victim.world );
	pnSetLogFcn( HearLog );
	return victim;
}

static void FreeVictim( Victim* victim )
{
	pnTestContext( "%s", "" );
	pnTestNote( "%d refused, %d taken", victim->refused, victim->taken );
	pnSetLogFcn( NULL );
	// it still is what it was
	ENSURE( pnWorld_GetHash( victim->world ) == victim->hash );
	ENSURE( pnWorld_Step( victim->world, 1.0f / 60.0f, 1 ) == pn_success );
	FreeImage( &victim->image );
	pnDestroyWorld( victim->world );
	ENSURE( pnGetByteCount() == 0 );
}

// Reads all that can be read of a world; what matters is that nothing is read or written where it should not be.
static void ReadEverything( const pnWorld* world )
{
	pnBodyId bodies[16];
	int count = pnWorld_GetBodies( world, bodies, 16 );
	for ( int i = 0; i < count && i < 16; ++i )
	{
		static pnVec3 positions[1024], normals[1024];
		static pnClusterState clusters[64];
		static int32_t indices[1024];
		pnBodyState state;
		ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		const pnSolid* solid = pnBody_GetSolid( world, bodies[i] );
		int skinCount = pnSolid_GetInfo( solid ).skinCount;
		for ( int skin = 0; skin < skinCount && skin < 16; ++skin )
		{
			pnBody_WriteSkin( world, bodies[i], skin, positions, normals, 1024 );
			pnSkinInfo info = pnSolid_GetSkin( solid, skin );
			for ( int k = 0; k < 3 * info.triangleCount; ++k )
			{
				ENSURE( info.triangles[k] >= 0 && info.triangles[k] < info.vertexCount );
			}
		}
		pnBody_WriteClusters( world, bodies[i], clusters, 64 );
		pnSolid_WritePointMap( solid, indices, 1024 );
		pnSolid_WriteMainClusters( solid, indices, 1024 );
	}
}

// Refused and nothing changed; or, if it happens to be legal, a world like any other.
static void TryImage( Victim* victim, const void* bytes, size_t size )
{
	int64_t held = pnGetByteCount();
	s_log[0] = 0;
	pnResult result = pnWorld_Restore( victim->world, bytes, size );
	if ( result != pn_success )
	{
		victim->refused += 1;
		ENSURE( result == pn_badImage );
		ENSURE( strlen( s_log ) > 10 );
		ENSURE( pnWorld_GetHash( victim->world ) == victim->hash );
		ENSURE( pnGetByteCount() == held );
		return;
	}
	victim->taken += 1;
	ENSURE( pnIsWorldFinite( victim->world ) );
	ReadEverything( victim->world );
	for ( int i = 0; i < 4; ++i )
	{
		ENSURE( pnWorld_Step( victim->world, 1.0f / 60.0f, 1 + i % 2 ) == pn_success );
	}
	ENSURE( pnIsWorldFinite( victim->world ) );
	ReadEverything( victim->world );
	ENSURE( pnWorld_Restore( victim->world, victim->image.bytes, victim->image.size ) == pn_success );
	ENSURE( pnWorld_GetHash( victim->world ) == victim->hash );
}

// What anyone could do who knows the format: the size is the second and the checksum the third word of the head,
// made over the whole with itself as zero.
static void Seal( unsigned char* bytes, size_t size )
{
	if ( size < 24 )
	{
		return;
	}
	uint64_t word = size;
	memcpy( bytes + 8, &word, 8 );
	memset( bytes + 16, 0, 8 );
	word = pnHash( PN_HASH_SEED, bytes, size );
	memcpy( bytes + 16, &word, 8 );
}

static Image SaveZoo( int frameCount )
{
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	Image image = { NULL, 0 };
	if ( ENSURE( zoo.world != NULL ) )
	{
		ENSURE( pnRunZoo( &zoo, 0, frameCount ) == pn_success );
		image = Save( zoo.world );
		pnDestroyWorld( zoo.world );
	}
	return image;
}

static void CutImagesAreRefused( void )
{
	Image image = SaveZoo( 10 );
	REQUIRE( image.bytes != NULL );
	Victim victim = MakeVictim();
	pnRandom random = pnSeed( 41 );
	for ( int i = 0; i < 3000; ++i )
	{
		size_t size = i < 1000 ? (size_t)i : i < 2000 ? image.size - 1 - (size_t)( i - 1000 ) : (size_t)( pnRandomIn( &random, 0.0, 1.0 ) * (double)image.size );
		// a block of just this size, so that sanitizers see a byte read beyond it
		unsigned char* cut = malloc( size > 0 ? size : 1 );
		memcpy( cut, image.bytes, size );
		pnTestContext( "cut to %zu of %zu", size, image.size );
		int before = victim.refused;
		TryImage( &victim, cut, size );
		ENSURE( victim.refused == before + 1 );
		free( cut );
	}
	// too long is not right either
	unsigned char* longer = calloc( image.size + 64, 1 );
	memcpy( longer, image.bytes, image.size );
	for ( size_t more = 1; more <= 64; ++more )
	{
		int before = victim.refused;
		TryImage( &victim, longer, image.size + more );
		ENSURE( victim.refused == before + 1 );
	}
	free( longer );
	pnTestContext( "%s", "no image" );
	int before = victim.refused;
	TryImage( &victim, NULL, 0 );
	TryImage( &victim, NULL, 1000 );
	ENSURE( victim.refused == before + 2 );
	FreeImage( &image );
	FreeVictim( &victim );
}

// Bytes altered by accident: none goes unnoticed.
static void AlteredImagesAreRefused( void )
{
	Image image = SaveZoo( 10 );
	REQUIRE( image.bytes != NULL );
	Victim victim = MakeVictim();
	unsigned char* altered = malloc( image.size );
	memcpy( altered, image.bytes, image.size );
	pnRandom random = pnSeed( 43 );
	int tried = 0;
	for ( int i = 0; i < 4000; ++i )
	{
		// every byte of the beginning in several ways, then any byte
		static const unsigned char masks[] = { 0x01, 0x80, 0xFF, 0x10 };
		size_t place = i < 1024 ? (size_t)( i / 4 ) : (size_t)( pnRandomIn( &random, 0.0, 1.0 ) * (double)image.size );
		unsigned char mask = i < 1024 ? masks[i % 4] : (unsigned char)( 1 + pnRandomInt( &random, 255 ) );
		pnTestContext( "byte %zu of %zu, mask %d", place, image.size, mask );
		altered[place] ^= mask;
		TryImage( &victim, altered, image.size );
		ENSURE( victim.refused == ++tried );
		altered[place] = image.bytes[place];
	}
	for ( int i = 0; i < 500; ++i )
	{
		size_t size = (size_t)pnRandomInt( &random, 300 );
		unsigned char noise[300];
		for ( size_t k = 0; k < size; ++k )
		{
			noise[k] = (unsigned char)pnRandomInt( &random, 256 );
		}
		pnTestContext( "%zu bytes of noise", size );
		TryImage( &victim, noise, size );
		ENSURE( victim.refused == ++tried );
	}
	free( altered );
	FreeImage( &image );
	FreeVictim( &victim );
}

// Bytes altered on purpose, with the checksum put right: either it makes no sense and is refused, or it is a world that steps.
static void ForgedImagesDoNoHarm( void )
{
	Image image = SaveZoo( 10 );
	REQUIRE( image.bytes != NULL );
	unsigned char* forged = malloc( image.size );
	memcpy( forged, image.bytes, image.size );
	Seal( forged, image.size );
	REQUIRE( memcmp( forged, image.bytes, image.size ) == 0 ); // we know how it is sealed
	Victim victim = MakeVictim();
	pnRandom random = pnSeed( 47 );
	static const uint32_t numbers[] = { 0, 1, 2, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x7FC00000u, 0x7F800000u, 0xFF800000u, 0x7F7FFFFFu, 0x00000100u, 0x40000000u };
	for ( int i = 0; i < 2400; ++i )
	{
		size_t place = 0;
		uint32_t number = 0;
		if ( i < 256 * 4 ) // every byte of the beginning
		{
			static const unsigned char masks[] = { 0x01, 0x80, 0xFF, 0x10 };
			place = (size_t)( i / 4 );
			number = masks[i % 4];
			forged[place] ^= masks[i % 4];
		}
		else if ( i % 2 == 0 ) // any byte
		{
			place = (size_t)( pnRandomIn( &random, 0.0, 1.0 ) * (double)image.size );
			number = (uint32_t)( 1 + pnRandomInt( &random, 255 ) );
			forged[place] ^= (unsigned char)number;
		}
		else // any whole number: counts, offsets, indices, floats
		{
			place = 4 * (size_t)( pnRandomIn( &random, 0.0, 1.0 ) * (double)( image.size / 4 ) );
			int which = pnRandomInt( &random, 14 );
			number = which < 12 ? numbers[which] : pnRandomBits( &random );
			memcpy( forged + place, &number, 4 );
		}
		pnTestContext( "forgery %d at %zu of %zu: %08x", i, place, image.size, number );
		Seal( forged, image.size );
		TryImage( &victim, forged, image.size );
		memcpy( forged, image.bytes, 24 );
		memcpy( forged + place, image.bytes + place, image.size - place < 4 ? image.size - place : 4 );
	}
	// cut, and pieces of it moved about
	for ( int i = 0; i < 1500; ++i )
	{
		size_t from = (size_t)( pnRandomIn( &random, 0.0, 0.9 ) * (double)image.size ), to = (size_t)( pnRandomIn( &random, 0.0, 0.9 ) * (double)image.size );
		size_t length = 1 + (size_t)( pnRandomIn( &random, 0.0, 0.1 ) * (double)image.size );
		length = length < image.size - from ? length : image.size - from;
		length = length < image.size - to ? length : image.size - to;
		if ( i % 2 == 0 )
		{
			pnTestContext( "%zu bytes moved from %zu to %zu", length, from, to );
			memmove( forged + to, image.bytes + from, length );
			Seal( forged, image.size );
			TryImage( &victim, forged, image.size );
			memcpy( forged, image.bytes, image.size );
		}
		else
		{
			size_t size = i < 300 ? (size_t)i : i < 600 ? image.size - (size_t)i : from;
			unsigned char* cut = malloc( size > 0 ? size : 1 ); // sanitizers watch its end
			memcpy( cut, image.bytes, size );
			Seal( cut, size );
			pnTestContext( "cut to %zu of %zu", size, image.size );
			int before = victim.refused;
			TryImage( &victim, cut, size );
			ENSURE( victim.refused == before + 1 );
			free( cut );
		}
	}
	free( forged );
	FreeImage( &image );
	FreeVictim( &victim );
}

static void SmallBuffersAreNotOverrun( void )
{
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	ENSURE( pnRunZoo( &zoo, 0, 3 ) == pn_success );
	size_t size = pnWorld_Snapshot( zoo.world, NULL, 0 );
	ENSURE( size > 0 );
	// NULL is a question whatever the capacity
	ENSURE( pnWorld_Snapshot( zoo.world, NULL, size ) == size );
	const size_t capacities[] = { 0, 1, 8, 63, 64, size / 2, size - 4, size - 1 };
	for ( int i = 0; i < 8; ++i )
	{
		size_t capacity = capacities[i];
		unsigned char* bytes = malloc( capacity + 16 );
		memset( bytes, 0x3C, capacity + 16 );
		pnTestContext( "%zu of %zu bytes", capacity, size );
		size_t written = pnWorld_Snapshot( zoo.world, bytes, capacity );
		ENSURE( written == 0 || written == size ); // nobody may take it for a whole image of that capacity
		bool kept = true;
		for ( size_t k = capacity; k < capacity + 16; ++k )
		{
			kept = kept && bytes[k] == 0x3C;
		}
		ENSURE( kept );
		free( bytes );
	}
	// more room than needed: only what is needed is written
	unsigned char* bytes = malloc( size + 16 );
	memset( bytes, 0x3C, size + 16 );
	ENSURE( pnWorld_Snapshot( zoo.world, bytes, size + 16 ) == size );
	ENSURE( bytes[size] == 0x3C && bytes[size + 15] == 0x3C );
	free( bytes );
	pnDestroyWorld( zoo.world );
}

// ---- many worlds ----

static void WorldsDoNotInfluenceEachOther( void )
{
	pnZoo alone = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( alone.world != NULL );
	uint64_t hashes[40];
	for ( int frame = 0; frame < 40; ++frame )
	{
		ENSURE( pnRunZoo( &alone, frame, 1 ) == pn_success );
		hashes[frame] = pnWorld_GetHash( alone.world );
	}
	pnDestroyWorld( alone.world );

	// again, among a world that runs ahead, one that is restored all the time, and some that come and go
	pnZoo again = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) ), ahead = pnCreateZoo( pnMakeCrew( pn_ownPool, 3 ) );
	REQUIRE( again.world != NULL && ahead.world != NULL );
	ENSURE( pnWorld_SetGravity( ahead.world, pnMakeVec3( 5.0f, 0.0f, 0.0f ) ) == pn_success );
	ENSURE( pnRunZoo( &ahead, 0, 17 ) == pn_success );
	pnWorld* mirror = CreateEmptyWorld( 2 );
	for ( int frame = 0; frame < 40; ++frame )
	{
		pnTestContext( "frame %d", frame );
		ENSURE( pnRunZoo( &ahead, frame, 1 ) == pn_success );
		pnWorld* passing = CreateEmptyWorld( 1 );
		Image image = Save( ahead.world );
		ENSURE( pnWorld_Restore( mirror, image.bytes, image.size ) == pn_success );
		ENSURE( pnRunZoo( &again, frame, 1 ) == pn_success );
		ENSURE( pnWorld_GetHash( again.world ) == hashes[frame] );
		ENSURE( pnWorld_GetHash( mirror ) == pnWorld_GetHash( ahead.world ) );
		FreeImage( &image );
		pnDestroyWorld( passing );
	}
	pnDestroyWorld( mirror );
	pnDestroyWorld( ahead.world );
	pnDestroyWorld( again.world );
	ENSURE( pnGetByteCount() == 0 );
}

// A hash that does not notice a change would make every test above say less than it seems to.
static void HashesNoticeEveryChange( void )
{
	pnZoo zoo = pnCreateZoo( pnMakeCrew( pn_ownPool, 1 ) );
	REQUIRE( zoo.world != NULL );
	ENSURE( pnRunZoo( &zoo, 0, 10 ) == pn_success );
	Image image = Save( zoo.world );
	uint64_t hash = pnWorld_GetHash( zoo.world );
	pnBodyId body = zoo.animals[pn_jellyAnimal];
	for ( int change = 0; change < 12; ++change )
	{
		pnTestContext( "change %d", change );
		pnVec3 positions[64], velocities[64];
		ENSURE( pnBody_WritePoints( zoo.world, body, positions, velocities, 64 ) == 64 );
		pnMaterial material;
		ENSURE( pnBody_GetMaterial( zoo.world, body, &material ) == pn_success );
		const int32_t point = 5;
		pnVec3 push = pnMakeVec3( 0.25f, 0.0f, 0.0f );
		pnResult result = pn_notFound;
		switch ( change )
		{
			case 0: positions[63].z += 0.001f; result = pnBody_SetPoints( zoo.world, body, positions, velocities, 64 ); break;
			case 1: velocities[0].x += 0.001f; result = pnBody_SetPoints( zoo.world, body, positions, velocities, 64 ); break;
			case 2: material.friction += 0.125f; result = pnBody_SetMaterial( zoo.world, body, &material ); break;
			case 3: material.bare = !material.bare; result = pnBody_SetMaterial( zoo.world, body, &material ); break;
			case 4: result = pnBody_SetUserData( zoo.world, body, 12345 ); break;
			case 5: result = pnBody_SetGravityScale( zoo.world, body, 0.5f ); break;
			case 6: result = pnBody_Pin( zoo.world, body, &point, NULL, 1 ); break;
			case 7: result = pnBody_ApplyForce( zoo.world, body, push ); break;
			case 8: result = pnBody_ApplyImpulseAt( zoo.world, body, 2, push ); break;
			case 9: result = pnDestroyBody( zoo.world, body ); break;
			case 10: result = pnWorld_SetGravity( zoo.world, push ); break;
			default: result = pnBody_SetAwake( zoo.world, body, false ); break;
		}
		ENSURE( result == pn_success );
		ENSURE( pnWorld_GetHash( zoo.world ) != hash );
		ENSURE( pnWorld_Restore( zoo.world, image.bytes, image.size ) == pn_success );
		ENSURE( pnWorld_GetHash( zoo.world ) == hash );
	}
	FreeImage( &image );
	pnDestroyWorld( zoo.world );
}

// Whatever the checks let in goes through a snapshot: tiny steps, huge bodies, huge forces; and bare bodies do not hoard impulses.
static void ExtremesAreRestored( void )
{
	for ( int n = 0; n < 4; ++n )
	{
		float size = n == 1 ? 1e6f : n == 2 ? 1e-6f : 1.0f;
		pnVec3 points[27];
		for ( int i = 0; i < 27; ++i )
		{
			points[i] = pnMakeVec3( size * ( i % 3 ), size * ( i / 3 % 3 ), size * ( i / 9 ) );
		}
		pnSolidDef solidDef = pnDefaultSolidDef();
		solidDef.points = points;
		solidDef.pointCount = 27;
		pnSolid* solid;
		pnWorld* world;
		pnWorldDef worldDef = pnDefaultWorldDef();
		REQUIRE( pnCreateSolid( &solidDef, &solid ) == pn_success );
		REQUIRE( pnCreateWorld( &worldDef, &world ) == pn_success );
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.solid = solid;
		bodyDef.material.bare = n == 3;
		pnBodyId body;
		REQUIRE( pnCreateBody( world, &bodyDef, &body ) == pn_success );
		for ( int i = 0; i < 27; ++i )
		{
			points[i].x *= 1.2f;
		}
		ENSURE( pnBody_SetPoints( world, body, points, NULL, 27 ) == pn_success );
		size_t before = pnWorld_Snapshot( world, NULL, 0 );
		for ( int k = 0; k < 50; ++k )
		{
			ENSURE( n != 3 || pnBody_ApplyImpulseAt( world, body, 0, pnMakeVec3( 1e-3f, 0.0f, 0.0f ) ) == pn_success );
			ENSURE( pnWorld_Step( world, n == 0 ? 1e-6f : 1.0f / 60.0f, n == 0 ? 1000 : 1 ) == pn_success );
		}
		ENSURE( pnWorld_Snapshot( world, NULL, 0 ) == before );
		ENSURE( pnBody_ApplyForce( world, body, pnMakeVec3( 0.0f, 9.81f * pnSolid_GetInfo( solid ).mass, 0.0f ) ) == pn_success );
		size_t imageSize = pnWorld_Snapshot( world, NULL, 0 );
		void* image = malloc( imageSize );
		ENSURE( pnWorld_Snapshot( world, image, imageSize ) == imageSize );
		pnTestContext( "case %d", n );
		ENSURE( pnWorld_Restore( world, image, imageSize ) == pn_success );
		free( image );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
}

// ---- contact ----

typedef struct Pile
{
	pnWorld* world;
	pnShapeId pusher, lift, passing; // two that move, one that comes and goes
	pnBodyId loose; // a body that goes
	bool hasDistance;
} Pile;

static float BumpDistance( pnVec3 place, pnVec3* outward, void* context )
{
	float radius = *(const float*)context, length = sqrtf( pnDot( place, place ) );
	*outward = length > 1e-6f ? pnScale( 1.0f / length, place ) : pnMakeVec3( 0.0f, 1.0f, 0.0f );
	return length - radius;
}

static float s_bump = 0.3f;

static pnShapeDef DefBump( pnVec3 place )
{
	pnShapeDef def = pnDefaultShapeDef();
	def.kind = pn_distanceShape;
	def.transform.p = place;
	def.distance = BumpDistance;
	def.context = &s_bump;
	def.bounds = ( pnAABB ){ { -0.5f, -0.5f, -0.5f }, { 0.5f, 0.5f, 0.5f } };
	return def;
}

// A shape of every kind below a heap of bodies of every detector; some sleep early.
static Pile MakePile( int workerCount, bool distance )
{
	Pile pile = { .hasDistance = distance };
	pnWorldDef worldDef = pnDefaultWorldDef();
	worldDef.tasks.workerCount = workerCount;
	ENSURE( pnCreateWorld( &worldDef, &pile.world ) == pn_success );
	pnWorld* world = pile.world;
	AddFloor( world, 0.6f );
	pnShapeDef def = DefBoxShape( pnMakeVec3( -1.6f, 0.3f, 0.0f ), pnMakeVec3( 0.3f, 0.3f, 0.8f ), 0.5f );
	pile.pusher = AddShape( world, &def );
	def = DefBoxShape( pnMakeVec3( 0.2f, 0.0f, 0.2f ), pnMakeVec3( 0.4f, 0.05f, 0.4f ), 0.7f );
	def.userData = 77;
	pile.lift = AddShape( world, &def );
	def = pnDefaultShapeDef();
	def.kind = pn_sphereShape;
	def.radius = 0.25f;
	def.transform.p = pnMakeVec3( 0.5f, 0.1f, -0.4f );
	def.restitution = 0.25f;
	AddShape( world, &def );
	def.kind = pn_capsuleShape;
	def.radius = 0.15f;
	def.halfExtents = pnMakeVec3( 0.0f, 0.3f, 0.0f );
	def.transform.p = pnMakeVec3( -0.5f, 0.1f, 0.5f );
	def.transform.q = ( pnQuat ){ 0.6f, 0.0f, 0.0f, 0.8f };
	pile.passing = AddShape( world, &def );
	def = pnDefaultShapeDef();
	pnVec3 corners[6] = { { 0.3f, 0, 0 }, { -0.3f, 0, 0 }, { 0, 0, 0.3f }, { 0, 0, -0.3f }, { 0, 0.3f, 0 }, { 0, 0.05f, 0.02f } }; // one inside
	def.kind = pn_hullShape;
	def.points = corners;
	def.pointCount = 6;
	def.transform.p = pnMakeVec3( -0.4f, 0.0f, -0.5f );
	AddShape( world, &def );
	int32_t slope[6] = { 0, 2, 1, 1, 2, 3 };
	pnVec3 sheet[4] = { { 0, 0, 0 }, { 1, 0.1f, 0 }, { 0, 0, 1 }, { 1, 0.2f, 1 } };
	def.kind = pn_meshShape;
	def.points = sheet;
	def.pointCount = 4;
	def.triangles = slope;
	def.triangleCount = 2;
	def.transform.p = pnMakeVec3( 0.6f, 0.02f, -0.2f );
	AddShape( world, &def );
	float heights[12] = { 0.0f, 0.1f, 0.05f, 0.1f, 0.0f, 0.2f, 0.1f, 0.0f, 0.05f, 0.1f, 0.15f, 0.0f };
	def.kind = pn_heightShape;
	def.heights = heights;
	def.heightCountX = 4, def.heightCountZ = 3, def.heightSpacing = 0.4f;
	def.transform.p = pnMakeVec3( -0.8f, 0.0f, 0.6f );
	AddShape( world, &def );
	if ( distance )
	{
		def = DefBump( pnMakeVec3( 0.0f, -0.1f, -0.9f ) );
		AddShape( world, &def );
	}
	// a slot that nobody lives in
	def = pnDefaultShapeDef();
	def.transform.p.y = -5.0f;
	ENSURE( pnDestroyShape( world, AddShape( world, &def ) ) == pn_success );

	pnSolid* solids[5] = {
		MakeBallSolid( 0.15f, 1.0f, 0.01f ),
		MakeCubeSolid( 0.25f, 2.0f, 0.01f ),
		SolidOf( MakeTetBallRest( 0.15f, 3 ), 1.0f, 0.01f, 0.0f ),
		SolidOf( MakeBoxRest( pnMakeVec3( 0.7f, 0.12f, 0.12f ), 12, 2, 2 ), 1.0f, 0.01f, 0.15f ), // many clusters: it may touch itself
		pnCreateGridSolid( 4, 4, 1, 0.08f, 0.0f ), // a sheet: open
	};
	for ( int i = 0; i < 20; ++i )
	{
		pnMaterial material = i % 3 == 0 ? SoftMaterial( 6.0f ) : StiffMaterial( 0.5f, i % 4 == 1 ? 0.3f : 0.0f );
		pnBodyDef body = DefBody( solids[i % 5], material, pnMakeVec3( 0.35f * (float)( i % 3 ) - 0.4f, 0.5f + 0.22f * (float)( i / 3 ), 0.3f * (float)( i % 2 ) - 0.15f ) );
		body.transform.q = i % 2 == 0 ? ( pnQuat ){ 0.0f, 0.6f, 0.0f, 0.8f } : ( pnQuat ){ 0.48f, 0.0f, 0.6f, 0.64f };
		body.detector = i % 10 == 2 ? pn_tetDetector : i % 10 == 6 ? pn_surfaceDetector : pn_fieldDetector;
		body.velocity = pnMakeVec3( 0.0f, -2.0f, 0.0f );
		pile.loose = AddBody( world, &body );
	}
	// one that sleeps in a corner of its own until somebody comes
	pnBodyDef still = DefBody( solids[1], StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( -1.05f, 0.14f, 0.0f ) );
	AddBody( world, &still );
	for ( int i = 0; i < 5; ++i )
	{
		pnDestroySolid( solids[i] );
	}
	return pile;
}

// What moves before the step of this frame; in every world alike.
static void TendPile( const Pile* pile, int frame )
{
	float up = 0.25f * (float)( frame % 40 < 20 ? frame % 40 : 40 - frame % 40 ) / 20.0f;
	pnTransform lift = { { 0.2f, up, 0.2f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	if ( frame % 80 < 40 && frame < 200 )
	{
		ENSURE( pnShape_MoveTo( pile->world, pile->lift, lift ) == pn_success );
	}
	if ( frame > 60 && frame < 100 )
	{
		pnTransform push = { { -1.6f + 0.02f * (float)( frame - 60 ), 0.3f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
		ENSURE( pnShape_MoveTo( pile->world, pile->pusher, push ) == pn_success );
	}
	if ( frame == 52 && pnShape_IsValid( pile->world, pile->passing ) )
	{
		ENSURE( pnDestroyShape( pile->world, pile->passing ) == pn_success );
	}
	if ( frame == 70 && pnBody_IsValid( pile->world, pile->loose ) )
	{
		ENSURE( pnDestroyBody( pile->world, pile->loose ) == pn_success );
	}
}

static void EnsureSameEvents( const pnWorld* a, const pnWorld* b )
{
	pnContactEvents x = pnWorld_GetContactEvents( a ), y = pnWorld_GetContactEvents( b );
	if ( ENSURE( x.begunCount == y.begunCount && x.endedCount == y.endedCount && x.contactCount == y.contactCount ) )
	{
		ENSURE( x.begunCount == 0 || memcmp( x.begun, y.begun, (size_t)x.begunCount * sizeof( pnTouch ) ) == 0 );
		ENSURE( x.endedCount == 0 || memcmp( x.ended, y.ended, (size_t)x.endedCount * sizeof( pnTouch ) ) == 0 );
		ENSURE( x.contactCount == 0 || memcmp( x.contacts, y.contacts, (size_t)x.contactCount * sizeof( pnContact ) ) == 0 );
	}
}

static bool SameImages( const Image* a, const Image* b )
{
	return a->size == b->size && memcmp( a->bytes, b->bytes, a->size ) == 0;
}

// In the middle of a falling pile, with shapes told to move, gone, or between two bodies: a restored world goes on bit for bit, and tells
// the same events; in the same world, and in an empty one with other threads.
static void RestoredPilesGoOnAsTheyWould( void )
{
	static const int saves[] = { 0, 3, 10, 25, 52, 70, 75, 140, 400, 700 };
	Pile pile = MakePile( 1, false );
	int frame = 0, slept = 0;
	for ( int k = 0; k < COUNT( saves ); ++k )
	{
		for ( ; frame < saves[k]; ++frame )
		{
			TendPile( &pile, frame );
			ENSURE( pnWorld_Step( pile.world, STEP, 2 ) == pn_success );
		}
		TendPile( &pile, frame ); // told to move, and not there yet
		pnTestContext( "saved at frame %d", frame );
		Image image = Save( pile.world );
		uint64_t saved = pnWorld_GetHash( pile.world );
		Pile other = pile;
		other.world = CreateEmptyWorld( 1 + k % 3 );
		ENSURE( pnWorld_Restore( other.world, image.bytes, image.size ) == pn_success );
		ENSURE( pnWorld_GetHash( other.world ) == saved );
		Image again = Save( other.world );
		ENSURE( SameImages( &image, &again ) );
		FreeImage( &again );
		uint64_t hashes[120];
		for ( int i = 0; i < 120; ++i )
		{
			pnTestContext( "saved at frame %d, step %d", saves[k], i );
			if ( i > 0 )
			{
				TendPile( &pile, frame + i );
				TendPile( &other, frame + i );
			}
			ENSURE( pnWorld_Step( pile.world, STEP, 2 ) == pn_success );
			ENSURE( pnWorld_Step( other.world, STEP, 2 ) == pn_success );
			hashes[i] = pnWorld_GetHash( pile.world );
			ENSURE( pnWorld_GetHash( other.world ) == hashes[i] );
			EnsureSameEvents( pile.world, other.world );
		}
		// not only what is seen: what is remembered is the same too
		Image one = Save( pile.world ), two = Save( other.world );
		ENSURE( SameImages( &one, &two ) );
		FreeImage( &one );
		FreeImage( &two );
		pnDestroyWorld( other.world );
		// back in time, in the same world, saved and restored once more on the way
		ENSURE( pnWorld_Restore( pile.world, image.bytes, image.size ) == pn_success );
		ENSURE( pnWorld_GetHash( pile.world ) == saved );
		for ( int i = 0; i < 120; ++i )
		{
			pnTestContext( "restored to frame %d, step %d", saves[k], i );
			if ( i > 0 )
			{
				TendPile( &pile, frame + i );
			}
			ENSURE( pnWorld_Step( pile.world, STEP, 2 ) == pn_success );
			ENSURE( pnWorld_GetHash( pile.world ) == hashes[i] );
			if ( i == 40 )
			{
				Image midway = Save( pile.world );
				ENSURE( pnWorld_Restore( pile.world, midway.bytes, midway.size ) == pn_success );
				FreeImage( &midway );
			}
		}
		ENSURE( pnWorld_Restore( pile.world, image.bytes, image.size ) == pn_success );
		FreeImage( &image );
		pnProfile profile = pnWorld_GetProfile( pile.world );
		slept = profile.bodyCount - profile.awakeCount > slept ? profile.bodyCount - profile.awakeCount : slept;
		ENSURE( pnWorld_Step( pile.world, STEP, 2 ) == pn_success );
		frame += 1;
	}
	pnTestNote( "up to %d asleep", slept );
	ENSURE( slept > 0 ); // or this shows less than it says
	pnDestroyWorld( pile.world );
	ENSURE( pnGetByteCount() == 0 );
}

// A shape's ids and what can be read of it.
static void ShapesAreRestored( void )
{
	Pile pile = MakePile( 1, false );
	for ( int frame = 0; frame < 55; ++frame )
	{
		TendPile( &pile, frame );
		ENSURE( pnWorld_Step( pile.world, STEP, 2 ) == pn_success );
	}
	Image image = Save( pile.world );
	pnWorld* other = CreateEmptyWorld( 1 );
	// what was there before is gone
	pnShapeId early = AddFloor( other, 0.5f );
	for ( int i = 0; i < 20; ++i )
	{
		AddFloor( other, 0.5f );
	}
	ENSURE( pnWorld_Restore( other, image.bytes, image.size ) == pn_success );
	pnShapeId a[32], b[32];
	int count = pnWorld_GetShapes( pile.world, a, 32 );
	ENSURE( count == 7 && pnWorld_GetShapes( other, b, 32 ) == count );
	ENSURE( memcmp( a, b, (size_t)count * sizeof( pnShapeId ) ) == 0 );
	ENSURE( pnShape_IsValid( other, early ) ); // the floor of the pile has its id
	ENSURE( pnShape_IsValid( other, pile.passing ) == false );
	bool pushed = false;
	for ( int i = 0; i < count; ++i )
	{
		pnShapeState x = ShapeStateOf( pile.world, a[i] ), y = ShapeStateOf( other, a[i] );
		ENSURE( memcmp( &x, &y, sizeof( x ) ) == 0 );
		pushed = pushed || LengthOf( x.impulse ) > 0.0;
	}
	ENSURE( pushed );
	ENSURE( ShapeStateOf( other, pile.lift ).userData == 77 );
	for ( int i = 0; i < 40; ++i ) // queries see the same
	{
		pnVec3 from = { 0.1f * (float)( i % 8 ) - 0.4f, 3.0f, 0.15f * (float)( i / 8 ) - 0.3f }, way = { 0.1f, -4.0f, 0.0f };
		pnRayHit x = pnWorld_CastRay( pile.world, from, way, UINT32_MAX ), y = pnWorld_CastRay( other, from, way, UINT32_MAX );
		ENSURE( x.hit == y.hit && SameBody( x.body, y.body ) && SameShape( x.shape, y.shape ) && x.fraction == y.fraction && x.triangle == y.triangle );
	}
	// the next shape gets the same id in both
	pnShapeDef def = pnDefaultShapeDef();
	ENSURE( SameShape( AddShape( pile.world, &def ), AddShape( other, &def ) ) );
	ENSURE( pnWorld_GetHash( pile.world ) == pnWorld_GetHash( other ) );
	FreeImage( &image );
	pnDestroyWorld( other );
	pnDestroyWorld( pile.world );
	ENSURE( pnGetByteCount() == 0 );
}

// A function is nothing that an image can hold: it comes from the shape of the same id, or there is no way.
static void DistanceShapesTakeTheirFunctionFromTheLiving( void )
{
	Pile pile = MakePile( 1, true );
	for ( int frame = 0; frame < 30; ++frame )
	{
		TendPile( &pile, frame );
		ENSURE( pnWorld_Step( pile.world, STEP, 2 ) == pn_success );
	}
	Image image = Save( pile.world );
	for ( int frame = 30; frame < 50; ++frame )
	{
		TendPile( &pile, frame );
		ENSURE( pnWorld_Step( pile.world, STEP, 2 ) == pn_success );
	}
	uint64_t wanted = pnWorld_GetHash( pile.world );
	// the world itself has it
	ENSURE( pnWorld_Restore( pile.world, image.bytes, image.size ) == pn_success );
	// another one that was made alike has it
	Pile twin = MakePile( 2, true );
	ENSURE( pnWorld_Restore( twin.world, image.bytes, image.size ) == pn_success );
	for ( int frame = 30; frame < 50; ++frame )
	{
		TendPile( &pile, frame );
		TendPile( &twin, frame );
		ENSURE( pnWorld_Step( pile.world, STEP, 2 ) == pn_success );
		ENSURE( pnWorld_Step( twin.world, STEP, 2 ) == pn_success );
	}
	ENSURE( pnWorld_GetHash( pile.world ) == wanted && pnWorld_GetHash( twin.world ) == wanted );
	pnDestroyWorld( twin.world );

	// none; none of that kind; one of another generation
	pnSetLogFcn( HearLog );
	for ( int n = 0; n < 3; ++n )
	{
		Pile stranger = { .world = CreateEmptyWorld( 1 ) };
		if ( n > 0 )
		{
			pnDestroyWorld( stranger.world );
			stranger = MakePile( 1, true );
			pnShapeId shapes[16];
			int count = pnWorld_GetShapes( stranger.world, shapes, 16 );
			pnShapeId bump = shapes[count - 1];
			ENSURE( pnDestroyShape( stranger.world, bump ) == pn_success );
			pnShapeDef def = DefBump( pnMakeVec3( 0.0f, -0.1f, -0.9f ) );
			pnShapeDef plane = pnDefaultShapeDef();
			pnShapeId next = AddShape( stranger.world, n == 1 ? &plane : &def );
			ENSURE( next.index1 == bump.index1 && next.generation != bump.generation );
		}
		uint64_t hash = pnWorld_GetHash( stranger.world );
		int64_t bytes = pnGetByteCount();
		s_log[0] = 0;
		pnTestContext( "stranger %d", n );
		ENSURE( pnWorld_Restore( stranger.world, image.bytes, image.size ) == pn_badImage );
		ENSURE( strstr( s_log, "distance function" ) != NULL );
		ENSURE( pnWorld_GetHash( stranger.world ) == hash && pnGetByteCount() == bytes );
		ENSURE( pnWorld_Step( stranger.world, STEP, 1 ) == pn_success );
		pnDestroyWorld( stranger.world );
	}
	pnSetLogFcn( NULL );
	FreeImage( &image );
	pnDestroyWorld( pile.world );
	ENSURE( pnGetByteCount() == 0 );
}

// A few bodies and shapes that touch: most of the image is contact.
static Image SaveHeap( void )
{
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world = NULL;
	ENSURE( pnCreateWorld( &worldDef, &world ) == pn_success );
	AddFloor( world, 0.5f );
	pnShapeDef shape = DefBoxShape( pnMakeVec3( 0.3f, 0.0f, 0.0f ), pnMakeVec3( 0.2f, 0.1f, 0.2f ), 0.5f );
	pnShapeId box = AddShape( world, &shape );
	pnVec3 corners[5] = { { 0.2f, 0, 0 }, { -0.2f, 0, 0 }, { 0, 0, 0.2f }, { 0, 0, -0.2f }, { 0, 0.15f, 0 } };
	shape = pnDefaultShapeDef();
	shape.kind = pn_hullShape;
	shape.points = corners;
	shape.pointCount = 5;
	AddShape( world, &shape );
	int32_t slope[6] = { 0, 2, 1, 1, 2, 3 };
	pnVec3 sheet[4] = { { 0, 0, 0 }, { 0.5f, 0.1f, 0 }, { 0, 0, 0.5f }, { 0.5f, 0.1f, 0.5f } };
	shape.kind = pn_meshShape;
	shape.points = sheet;
	shape.pointCount = 4;
	shape.triangles = slope;
	shape.triangleCount = 2;
	AddShape( world, &shape );
	float heights[4] = { 0.0f, 0.05f, 0.05f, 0.1f };
	shape.kind = pn_heightShape;
	shape.heights = heights;
	shape.heightCountX = shape.heightCountZ = 2;
	shape.heightSpacing = 0.3f;
	shape.transform.p.x = -0.3f;
	pnShapeId gone = AddShape( world, &shape );
	AddShape( world, &shape );
	ENSURE( pnDestroyShape( world, gone ) == pn_success );
	pnSolid* solid = SolidOf( MakeBoxRest( pnMakeVec3( 0.2f, 0.2f, 0.2f ), 1, 1, 1 ), 1.0f, 0.01f, 0.0f );
	pnBodyId bodies[7];
	for ( int i = 0; i < 7; ++i )
	{
		float side = 0.11f * (float)( i % 2 ) - 0.05f;
		pnBodyDef def = DefBody( solid, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( side, 0.25f + 0.21f * (float)i, 0.02f * (float)( i % 3 ) ) );
		def.detector = i == 1 ? pn_tetDetector : i == 3 ? pn_surfaceDetector : pn_fieldDetector;
		bodies[i] = AddBody( world, &def );
	}
	pnDestroySolid( solid );
	StepWorld( world, 25, 2 );
	ENSURE( pnDestroyBody( world, bodies[6] ) == pn_success );
	StepWorld( world, 5, 2 );
	ENSURE( pnShape_MoveTo( world, box, ( pnTransform ){ { 0.3f, 0.05f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } } ) == pn_success );
	ENSURE( pnWorld_GetProfile( world ).contactCount > 3 );
	ENSURE( pnDestroyBody( world, bodies[4] ) == pn_success ); // partings that are not told yet
	Image image = Save( world );
	pnDestroyWorld( world );
	return image;
}

// As ForgedImagesDoNoHarm, where contact is.
static void ForgedContactDoesNoHarm( void )
{
	Image image = SaveHeap();
	unsigned char* forged = malloc( image.size );
	memcpy( forged, image.bytes, image.size );
	Victim victim = MakeVictim();
	pnRandom random = pnSeed( 53 );
	static const uint32_t numbers[] = { 0, 1, 2, 3, 5, 64, 65, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x7FC00000u, 0x7F800000u, 0xFF800000u, 0x7F7FFFFFu, 0x00010000u, 0x3F800000u };
	for ( int i = 0; i < 1500; ++i )
	{
		// contact is what comes last
		double part = i % 4 == 0 ? 0.0 : 0.5;
		size_t place = (size_t)( pnRandomIn( &random, part, 1.0 ) * (double)image.size );
		uint32_t number = (uint32_t)( 1 + pnRandomInt( &random, 255 ) );
		if ( i % 2 == 0 )
		{
			forged[place] ^= (unsigned char)( i % 8 == 0 ? 1u << pnRandomInt( &random, 8 ) : number );
		}
		else
		{
			place = place / 4 * 4 < image.size - 4 ? place / 4 * 4 : image.size - 4;
			int which = pnRandomInt( &random, 20 );
			number = which < COUNT( numbers ) ? numbers[which] : which < 18 ? (uint32_t)pnRandomInt( &random, 32 ) : pnRandomBits( &random );
			memcpy( forged + place, &number, 4 );
		}
		pnTestContext( "forgery %d at %zu of %zu: %08x", i, place, image.size, number );
		Seal( forged, image.size );
		TryImage( &victim, forged, image.size );
		memcpy( forged, image.bytes, 24 );
		memcpy( forged + place, image.bytes + place, image.size - place < 4 ? image.size - place : 4 );
	}
	for ( int i = 0; i < 1500; ++i )
	{
		size_t from = (size_t)( pnRandomIn( &random, 0.5, 1.0 ) * (double)image.size ), to = (size_t)( pnRandomIn( &random, 0.5, 1.0 ) * (double)image.size );
		size_t length = 4 * ( 1 + (size_t)pnRandomInt( &random, 40 ) ), size = i < 500 ? image.size - 1 - (size_t)i : from;
		from = from / 4 * 4, to = to / 4 * 4;
		length = length < image.size - from ? length : image.size - from;
		length = length < image.size - to ? length : image.size - to;
		if ( i % 2 == 0 )
		{
			pnTestContext( "%zu bytes moved from %zu to %zu", length, from, to );
			memmove( forged + to, image.bytes + from, length );
			Seal( forged, image.size );
			TryImage( &victim, forged, image.size );
			memcpy( forged, image.bytes, image.size );
		}
		else
		{
			unsigned char* cut = malloc( size ); // sanitizers watch its end
			memcpy( cut, image.bytes, size );
			Seal( cut, size );
			pnTestContext( "cut to %zu of %zu", size, image.size );
			int before = victim.refused;
			TryImage( &victim, cut, size );
			ENSURE( victim.refused == before + 1 );
			free( cut );
		}
	}
	free( forged );
	FreeImage( &image );
	FreeVictim( &victim );
}

static int s_allocsLeft; // then no more; negative: as many as are asked for
static bool s_failsOnce;

static void* ScarceAlloc( size_t size, size_t alignment )
{
	if ( s_allocsLeft == 0 )
	{
		s_allocsLeft = s_failsOnce ? -1 : 0;
		return NULL;
	}
	s_allocsLeft -= s_allocsLeft > 0;
	return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void ScarceFree( void* memory, size_t size )
{
	(void)size;
	free( memory );
}

// Whichever piece of memory is not to be had: the world is as it was, and nothing is lost.
static void RestoringWithoutMemoryChangesNothing( void )
{
	ENSURE( pnGetByteCount() == 0 );
	Image image = SaveHeap();
	pnSetAllocator( ScarceAlloc, ScarceFree );
	s_allocsLeft = -1;
	Victim victim = MakeVictim();
	int failed = 0, taken = 0;
	for ( int n = 0; n < 2; ++n )
	{
		s_failsOnce = n == 0;
		bool done = false;
		for ( int i = 0; i < 5000 && !done; ++i )
		{
			pnTestContext( "%s after %d allocations", n == 0 ? "one fails" : "none", i );
			int64_t held = pnGetByteCount();
			s_allocsLeft = i;
			pnResult result = pnWorld_Restore( victim.world, image.bytes, image.size );
			done = n == 0 ? s_allocsLeft > 0 : result == pn_success && s_allocsLeft > 0;
			s_allocsLeft = -1;
			ENSURE( result == pn_success || result == pn_outOfMemory );
			failed += result != pn_success;
			taken += result == pn_success;
			if ( result != pn_success )
			{
				ENSURE( pnWorld_GetHash( victim.world ) == victim.hash );
				ENSURE( pnGetByteCount() - held < 65536 ); // what a step will need may stay
			}
			else
			{
				// it may have to ask for more in the step, but it is a whole world
				ENSURE( pnWorld_Step( victim.world, STEP, 2 ) == pn_success );
				ENSURE( pnWorld_Restore( victim.world, victim.image.bytes, victim.image.size ) == pn_success );
			}
		}
		ENSURE( done );
	}
	ENSURE( failed > 100 );
	victim.refused = failed, victim.taken = taken;
	FreeImage( &image );
	FreeVictim( &victim );
	pnSetAllocator( NULL, NULL );
}

static void HashesNoticeShapes( void )
{
	Pile pile = MakePile( 1, false );
	StepWorld( pile.world, 5, 2 );
	Image image = Save( pile.world );
	uint64_t hash = pnWorld_GetHash( pile.world );
	pnTransform there = { { 0.2f, 0.01f, 0.2f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	for ( int change = 0; change < 9; ++change )
	{
		pnTestContext( "change %d", change );
		pnShapeDef def = DefBoxShape( pnMakeVec3( 0.2f, 0.0f, 0.2f ), pnMakeVec3( 0.4f, 0.05f, 0.4f ), 0.7f );
		def.userData = 77;
		def.friction += change == 2 ? 0.125f : 0.0f;
		def.restitution += change == 3 ? 0.125f : 0.0f;
		def.filter.layers = change == 4 ? 3 : 1;
		def.halfExtents.z += change == 5 ? 0.01f : 0.0f;
		def.userData += change == 6;
		uint64_t before = hash;
		pnShapeId made = { 0 };
		switch ( change )
		{
			case 0: ENSURE( pnShape_MoveTo( pile.world, pile.lift, there ) == pn_success ); break;
			case 1: ENSURE( pnShape_SetTransform( pile.world, pile.lift, there ) == pn_success ); break;
			case 7: ENSURE( pnDestroyShape( pile.world, pile.lift ) == pn_success ); break;
			case 8: AddFloor( pile.world, 0.5f ); break;
			default: // the same but for one thing
			{
				pnShapeDef plain = DefBoxShape( pnMakeVec3( 0.2f, 0.0f, 0.2f ), pnMakeVec3( 0.4f, 0.05f, 0.4f ), 0.7f );
				plain.userData = 77;
				AddShape( pile.world, &plain );
				before = pnWorld_GetHash( pile.world );
				ENSURE( pnWorld_Restore( pile.world, image.bytes, image.size ) == pn_success );
				made = AddShape( pile.world, &def );
				break;
			}
		}
		ENSURE( pnWorld_GetHash( pile.world ) != before );
		ENSURE( made.index1 == 0 || pnShape_IsValid( pile.world, made ) );
		ENSURE( pnWorld_Restore( pile.world, image.bytes, image.size ) == pn_success );
		ENSURE( pnWorld_GetHash( pile.world ) == hash );
	}
	FreeImage( &image );
	pnDestroyWorld( pile.world );
}

// ---- queries ----

// What a world answers while it has a tree over its bodies is what one without answers, which looks at all: a world just restored has none. Bodies that fly fast have left their
// boxes, one was moved by hand since the last step.
static void TreesAnswerAsListsDo( void )
{
	pnRandom random = pnSeed( 77 );
	pnWorld *world = MakeFallingWorld(), *other = MakeFallingWorld();
	pnSolid* solid = MakeCubeSolid( 0.4f, 10.0f, -1.0f );
	pnBodyId first = { 0 };
	for ( int i = 0; i < 400; ++i )
	{
		pnBodyDef def = DefBody( solid, SoftMaterial( 8.0f ), pnMakeVec3( (float)pnRandomIn( &random, -5.0, 5.0 ), (float)pnRandomIn( &random, 0.5, 4.0 ), (float)pnRandomIn( &random, -5.0, 5.0 ) ) );
		def.velocity = RandomVec3( &random, i % 7 == 0 ? 40.0 : 1.0 );
		def.filter.layers = 1u << ( i % 3 );
		pnBodyId body = AddBody( world, &def );
		first = i == 0 ? body : first;
	}
	for ( int i = 0; i < 60; ++i )
	{
		pnShapeDef def = DefBoxShape( pnMakeVec3( (float)pnRandomIn( &random, -5.0, 5.0 ), 0.0f, (float)pnRandomIn( &random, -5.0, 5.0 ) ), pnMakeVec3( 0.3f, 0.6f, 0.3f ), 0.5f );
		AddShape( world, &def );
	}
	AddFloor( world, 0.5f );
	int hits = 0;
	for ( int round = 0; round < 12; ++round )
	{
		StepWorld( world, 3, 2 );
		if ( round % 3 == 2 )
		{
			ENSURE( pnBody_SetTransform( world, first, ( pnTransform ){ RandomVec3( &random, 5.0 ), pnIdentityQuat() } ) == pn_success );
		}
		Image image = Save( world );
		ENSURE( pnWorld_Restore( other, image.bytes, image.size ) == pn_success );
		FreeImage( &image );
		for ( int k = 0; k < 60; ++k )
		{
			pnTestContext( "round %d, query %d", round, k );
			pnVec3 from = RandomVec3( &random, 6.0 ), way = RandomVec3( &random, k % 2 == 0 ? 10.0 : 2.0 );
			uint32_t mask = k % 5 == 0 ? 2u : UINT32_MAX;
			pnRayHit hit = pnWorld_CastRay( world, from, way, mask ), hitAgain = pnWorld_CastRay( other, from, way, mask );
			ENSURE( hit.hit == hitAgain.hit && SameBody( hit.body, hitAgain.body ) && SameShape( hit.shape, hitAgain.shape ) && hit.triangle == hitAgain.triangle && hit.point == hitAgain.point && hit.fraction == hitAgain.fraction && memcmp( &hit.position, &hitAgain.position, sizeof hit.position ) == 0 && memcmp( &hit.normal, &hitAgain.normal, sizeof hit.normal ) == 0 );
			float radius = (float)pnRandomIn( &random, 0.0, 2.0 );
			pnBodyId near[64] = { { 0 } }, nearAgain[64] = { { 0 } };
			ENSURE( pnWorld_OverlapSphere( world, from, radius, mask, near, 64 ) == pnWorld_OverlapSphere( other, from, radius, mask, nearAgain, 64 ) && memcmp( near, nearAgain, sizeof near ) == 0 );
			pnAABB box = { from, pnAdd( from, pnMakeVec3( radius, radius, 0.5f * radius ) ) };
			ENSURE( pnWorld_OverlapBox( world, box, mask, near, 64 ) == pnWorld_OverlapBox( other, box, mask, nearAgain, 64 ) && memcmp( near, nearAgain, sizeof near ) == 0 );
			pnClosest closest = pnWorld_FindClosest( world, from, k % 3 == 0 ? 1e30f : radius, mask ), closestAgain = pnWorld_FindClosest( other, from, k % 3 == 0 ? 1e30f : radius, mask );
			ENSURE( closest.found == closestAgain.found && SameBody( closest.body, closestAgain.body ) && SameShape( closest.shape, closestAgain.shape ) && closest.triangle == closestAgain.triangle && closest.distance == closestAgain.distance && memcmp( &closest.position, &closestAgain.position, sizeof closest.position ) == 0 );
			hits += hit.hit;
		}
	}
	ENSURE( hits > 100 );
	pnTestNote( "%d hits", hits );
	pnDestroySolid( solid );
	pnDestroyWorld( world );
	pnDestroyWorld( other );
}

static const pnTest s_tests[] = {
	RUN( ExtremesAreRestored ),
	RUN( RestoredScenesGoOnAsTheyWould ),
	RUN( RestoredAtAnyFrameItGoesOn ),
	RUN( RestoredZooGoesOnAsItWould ),
	RUN( WaitingForcesAreSaved ),
	RUN( EverythingReadableIsRestored ),
	RUN( IdsDoNotOutliveTheirBodies ),
	RUN( IdsAreThoseOfTheTimeOfSaving ),
	RUN( EmptyWorldsAreSavedToo ),
	RUN( CutImagesAreRefused ),
	RUN( AlteredImagesAreRefused ),
	RUN( ForgedImagesDoNoHarm ),
	RUN( SmallBuffersAreNotOverrun ),
	RUN( WorldsDoNotInfluenceEachOther ),
	RUN( HashesNoticeEveryChange ),
	RUN( RestoredPilesGoOnAsTheyWould ),
	RUN( ShapesAreRestored ),
	RUN( DistanceShapesTakeTheirFunctionFromTheLiving ),
	RUN( ForgedContactDoesNoHarm ),
	RUN( RestoringWithoutMemoryChangesNothing ),
	RUN( HashesNoticeShapes ),
	RUN( TreesAnswerAsListsDo ),
};
SUITE( state, s_tests );
