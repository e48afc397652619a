// test_state.c - saved and restored worlds go on bit for bit; cut or altered images are told apart; ids do not outlive their bodies.
// Knows the public header, the scenes, and how an image is sealed.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "test.h"

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
	for ( int i = 0; i < 12000; ++i )
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

static const pnTest s_tests[] = {
	RUN( ExtremesAreRestored ),
	RUN( RestoredScenesGoOnAsTheyWould ),
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
};
SUITE( state, s_tests );
