// test_piece.c - what becomes of a body that is cut or torn: what its pieces keep, whom a cut leaves alone, and that it is the same for any worker
// count, through snapshots, and without memory. Knows only the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "cut_shapes.h"
#include "scenes.h"

#include <math.h>
#include <stdatomic.h>

#if defined( __SANITIZE_ADDRESS__ ) || defined( __SANITIZE_THREAD__ )
enum { slow = 4 };
#else
enum { slow = 1 };
#endif

static const pnVec3 s_zero = { 0.0f, 0.0f, 0.0f };

// ---- worlds to cut in ----

static pnWorld* MakePieceWorld( int workerCount, pnVec3 gravity )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.gravity = gravity;
	def.enableSleep = false;
	def.tasks.workerCount = workerCount;
	pnWorld* world = NULL;
	ENSURE( pnCreateWorld( &def, &world ) == pn_success );
	return world;
}

static void StepPieces( pnWorld* world, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 2 ) == pn_success );
	}
}

static pnBodyId PlaceShape( pnWorld* world, CutShape shape, pnBodyDef def )
{
	pnSolid* solid = MakeCutSolid( &shape );
	def.solid = solid;
	pnBodyId body = { 0 };
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	pnDestroySolid( solid );
	FreeCutShape( &shape );
	return body;
}

static pnGrabId GrabAt( pnWorld* world, pnBodyId body, pnVec3 place, float radius )
{
	pnGrabDef def = pnDefaultGrabDef();
	def.body = body;
	def.place = place;
	def.radius = radius;
	pnGrabId grab = { 0 };
	ENSURE( pnCreateGrab( world, &def, &grab ) == pn_success );
	return grab;
}

static CutShape MakeFilledBar( int nx, int ny, int nz )
{
	CutShape shape = MakeCells( "bar", nx, ny, nz, 0.1f, IsBlockCell );
	shape.fill = 0.1f;
	return shape;
}

// The same bar as a skin that points carry.
static CutShape MakeCarriedBar( int nx, int ny, int nz )
{
	CutShape cells = MakeCells( "bar", nx, ny, nz, 0.1f, IsBlockCell ), shape = MakeCloud( "carried bar", nx + 1, ny + 1, nz + 1, 0.1f, IsBlockCell );
	shape.closed = true;
	shape.skin = cells.points, shape.skinCount = cells.pointCount, shape.skinCapacity = cells.pointCapacity;
	shape.triangles = cells.triangles, shape.triangleCount = cells.triangleCount, shape.triangleCapacity = cells.triangleCapacity;
	return shape;
}

enum { sceneBodies = 4 };

// A filled ball, a carried one, a cloud and a block of tetrahedra in a row along x, moving, pinned and held.
typedef struct Scene
{
	pnWorld* world;
	pnBodyId bodies[sceneBodies];
} Scene;

static Scene MakeScene( int workerCount )
{
	Scene scene = { .world = MakePieceWorld( workerCount, pnMakeVec3( 0.0f, -1.0f, 0.0f ) ) };
	for ( int i = 0; i < sceneBodies; ++i )
	{
		CutShape shape = i == 0 ? MakeSphereShape( 6 ) : i == 1 ? MakeCarried() : i == 2 ? MakeCloud( "cloud", 6, 6, 6, 0.15f, IsBlockCell ) : MakeTetrahedra( 3, 4, 3, 0.2f );
		shape.fill = i == 0 ? 0.13f : 0.0f;
		pnBodyDef def = pnDefaultBodyDef();
		def.transform.p = pnMakeVec3( 1.5f * (float)i - 2.0f, 0.0f, 0.0f );
		def.angularVelocity = pnMakeVec3( 0.3f, 0.5f, -0.4f );
		scene.bodies[i] = PlaceShape( scene.world, shape, def );
		int32_t pins[2] = { 0, 7 };
		ENSURE( i == 3 || pnBody_Pin( scene.world, scene.bodies[i], pins, NULL, 2 ) == pn_success );
		GrabAt( scene.world, scene.bodies[i], pnAdd( def.transform.p, pnMakeVec3( 0.0f, 0.4f, 0.0f ) ), 0.2f );
		GrabAt( scene.world, scene.bodies[i], pnAdd( def.transform.p, pnMakeVec3( 0.0f, -0.4f, 0.0f ) ), 0.2f );
	}
	StepPieces( scene.world, 3 );
	return scene;
}

static pnCutDef DefPlane( pnVec3 point, pnVec3 normal )
{
	pnCutDef def = pnDefaultCutDef();
	def.point = point;
	def.normal = normal;
	def.inside = 99;
	return def;
}

static pnCutDef DefQuad( pnVec3 corner, pnVec3 across, pnVec3 along )
{
	pnCutDef def = pnDefaultCutDef();
	def.kind = pn_quadBlade;
	def.quad[0] = corner;
	def.quad[1] = pnAdd( corner, across );
	def.quad[2] = pnAdd( pnAdd( corner, across ), along );
	def.quad[3] = pnAdd( corner, along );
	def.inside = 99;
	return def;
}

// Through all of the scene; half into all of it.
static pnCutDef ScenePlane( void )
{
	return DefPlane( pnMakeVec3( 0.0f, 0.03f, 0.0f ), pnMakeVec3( 0.05f, 1.0f, 0.2f ) );
}

static pnCutDef SceneQuad( void )
{
	return DefQuad( pnMakeVec3( -5.0f, -0.02f, 0.01f ), pnMakeVec3( 10.0f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 0.1f, 2.0f ) );
}

typedef struct Bytes { void* bytes; size_t size; } Bytes;

static Bytes TakeBytes( const pnWorld* world )
{
	Bytes image = { NULL, pnWorld_Snapshot( world, NULL, 0 ) };
	image.bytes = malloc( image.size );
	ENSURE( pnWorld_Snapshot( world, image.bytes, image.size ) == image.size );
	return image;
}

static pnWorld* WakeBytes( const Bytes* image, int workerCount )
{
	pnWorld* world = MakePieceWorld( workerCount, s_zero );
	ENSURE( pnWorld_Restore( world, image->bytes, image->size ) == pn_success );
	return world;
}

// ---- whom a cut leaves alone ----

static void EnsureSameBody( const pnWorld* worldA, const pnWorld* worldB, pnBodyId body )
{
	int count = pnBody_WritePoints( worldA, body, NULL, NULL, 0 ), clusterCount = pnBody_WriteClusters( worldA, body, NULL, 0 );
	REQUIRE( count > 0 && pnBody_WritePoints( worldB, body, NULL, NULL, 0 ) == count && pnBody_WriteClusters( worldB, body, NULL, 0 ) == clusterCount );
	pnVec3* places[4];
	pnClusterState* clusters[2];
	for ( int i = 0; i < 4; ++i )
	{
		places[i] = calloc( (size_t)count, sizeof( pnVec3 ) );
	}
	for ( int i = 0; i < 2; ++i )
	{
		clusters[i] = calloc( (size_t)clusterCount + 1, sizeof( pnClusterState ) );
		pnBody_WritePoints( i == 0 ? worldA : worldB, body, places[2 * i], places[2 * i + 1], count );
		pnBody_WriteClusters( i == 0 ? worldA : worldB, body, clusters[i], clusterCount );
	}
	ENSURE( memcmp( places[0], places[2], (size_t)count * sizeof( pnVec3 ) ) == 0 );
	ENSURE( memcmp( places[1], places[3], (size_t)count * sizeof( pnVec3 ) ) == 0 );
	ENSURE( memcmp( clusters[0], clusters[1], (size_t)clusterCount * sizeof( pnClusterState ) ) == 0 );
	pnBodyState a, b;
	ENSURE( pnBody_GetState( worldA, body, &a ) == pn_success && pnBody_GetState( worldB, body, &b ) == pn_success );
	ENSURE( memcmp( &a.center, &b.center, sizeof( pnVec3 ) ) == 0 && memcmp( &a.velocity, &b.velocity, sizeof( pnVec3 ) ) == 0 );
	ENSURE( memcmp( &a.transform, &b.transform, sizeof( pnTransform ) ) == 0 && memcmp( &a.angularMomentum, &b.angularMomentum, sizeof( pnVec3 ) ) == 0 );
	ENSURE( a.mass == b.mass && a.kinetic == b.kinetic && a.elastic == b.elastic && a.maxStretch == b.maxStretch && a.awake == b.awake );
	for ( int i = 0; i < 4; ++i )
	{
		free( places[i] );
	}
	free( clusters[0] );
	free( clusters[1] );
}

// Bodies that a cut does not meet are what they were bit for bit, and go on as if it had not been.
static void OthersAreLeftAlone( void )
{
	for ( int victim = 0; victim < sceneBodies; ++victim )
	{
		for ( int way = 0; way < 3; ++way )
		{
			Scene scene = MakeScene( 1 );
			Bytes image = TakeBytes( scene.world );
			pnWorld* twin = WakeBytes( &image, 1 );
			pnTestContext( "body %d, way %d", victim, way );
			float x = 1.5f * (float)victim - 2.0f;
			pnCutDef def = way == 0 ? ScenePlane() : DefQuad( pnMakeVec3( x - 0.7f, 0.0f, -0.7f ), pnMakeVec3( 1.4f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 0.1f, way == 1 ? 1.4f : 0.7f ) );
			def.body = way == 0 ? scene.bodies[victim] : ( pnBodyId ){ 0 };
			pnCutResult result;
			REQUIRE( pnWorld_Cut( scene.world, &def, &result ) == pn_success );
			ENSURE( result.cutCount == 1 && result.pieceCount >= ( way == 2 ? 1 : 2 ) );
			for ( int step = 0; step < 4; ++step )
			{
				for ( int i = 0; i < sceneBodies; ++i )
				{
					if ( i != victim )
					{
						EnsureSameBody( scene.world, twin, scene.bodies[i] );
					}
				}
				StepPieces( scene.world, 2 );
				StepPieces( twin, 2 );
			}
			free( image.bytes );
			pnDestroyWorld( twin );
			pnDestroyWorld( scene.world );
		}
	}
}

// A blade that meets nothing, or only touches, changes no bit; nor does one whose mask is for others.
static void BladesThatMissChangeNothing( void )
{
	Scene scene = MakeScene( 1 );
	uint64_t hash = pnWorld_GetHash( scene.world );
	pnCutDef defs[4] = { DefPlane( pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) ), DefPlane( pnMakeVec3( -4.0f, 0.0f, 0.0f ), pnMakeVec3( -3.0f, 0.1f, 0.0f ) ),
						 DefQuad( pnMakeVec3( -5.0f, 0.8f, -1.0f ), pnMakeVec3( 10.0f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 2.0f ) ), ScenePlane() };
	defs[3].mask = 0;
	for ( int i = 0; i < 4; ++i )
	{
		pnTestContext( "blade %d", i );
		pnCutResult result = { 5, 5, 5, 5.0f };
		ENSURE( pnWorld_Cut( scene.world, defs + i, &result ) == pn_success );
		ENSURE( result.cutCount == 0 && result.pieceCount == 0 && result.removedCount == 0 && result.removedMass == 0.0f );
		ENSURE( pnWorld_GetHash( scene.world ) == hash );
		ENSURE( pnWorld_GetPieces( scene.world ).count == 0 );
		ENSURE( pnWorld_Cut( scene.world, defs + i, NULL ) == pn_success );
	}
	pnDestroyWorld( scene.world );
	for ( int kind = 0; kind < 4; ++kind )
	{
		pnWorld* world = MakePieceWorld( 1, s_zero );
		CutShape shape = kind == 0 ? MakeSphereShape( 6 ) : kind == 1 ? MakeCube() : kind == 2 ? MakeFilledBar( 5, 4, 3 ) : MakeCarriedBar( 5, 4, 3 );
		PlaceShape( world, shape, pnDefaultBodyDef() );
		uint64_t before = pnWorld_GetHash( world );
		for ( int side = 0; side < 6; ++side )
		{
			pnTestContext( "shape %d, side %d", kind, side );
			float most[3] = { kind < 2 ? 0.5f : 0.25f, kind < 2 ? 0.5f : 0.2f, kind < 2 ? 0.5f : 0.15f }, at[3] = { 0 }, normal[3] = { 0 };
			at[side / 2] = side % 2 != 0 ? most[side / 2] : -most[side / 2];
			normal[side / 2] = side % 2 != 0 ? 2.0f : -0.5f;
			pnCutDef def = DefPlane( pnMakeVec3( at[0], at[1], at[2] ), pnMakeVec3( normal[0], normal[1], normal[2] ) );
			pnCutResult result;
			ENSURE( pnWorld_Cut( world, &def, &result ) == pn_success );
			ENSURE( result.cutCount == 0 );
			ENSURE( pnWorld_GetHash( world ) == before );
		}
		pnDestroyWorld( world );
	}
	pnWorld* empty = MakePieceWorld( 1, s_zero );
	pnCutDef def = ScenePlane();
	ENSURE( pnWorld_Cut( empty, &def, NULL ) == pn_success );
	pnDestroyWorld( empty );
}

// ---- the same every time ----

enum { historyLength = 6 };

static void RunHistory( int workerCount, uint64_t hashes[historyLength] )
{
	Scene scene = MakeScene( workerCount );
	pnCutDef cuts[3] = { SceneQuad(), ScenePlane(), DefPlane( pnMakeVec3( 0.0f, 0.0f, 0.02f ), pnMakeVec3( 0.1f, -0.2f, 1.0f ) ) };
	for ( int i = 0; i < 3; ++i )
	{
		ENSURE( pnWorld_Cut( scene.world, cuts + i, NULL ) == pn_success );
		hashes[2 * i] = pnWorld_GetHash( scene.world );
		StepPieces( scene.world, 4 );
		hashes[2 * i + 1] = pnWorld_GetHash( scene.world );
	}
	pnDestroyWorld( scene.world );
}

static void CutsAreTheSameForAnyWorkerCount( void )
{
	static const int workers[] = { 1, 2, 3, 8, 1 };
	uint64_t first[historyLength];
	RunHistory( 1, first );
	for ( int i = 0; i < 5; ++i )
	{
		uint64_t hashes[historyLength];
		pnTestContext( "%d workers", workers[i] );
		RunHistory( workers[i], hashes );
		ENSURE( memcmp( hashes, first, sizeof( first ) ) == 0 );
	}
}

// A world of incised bodies and pieces goes through a snapshot: the same hash, the same cuts, the same motion. One cut short is refused.
static void PiecesGoThroughSnapshots( void )
{
	Scene scene = MakeScene( 1 );
	pnCutDef quad = SceneQuad(), plane = ScenePlane();
	pnCutResult result;
	ENSURE( pnWorld_Cut( scene.world, &quad, &result ) == pn_success && result.cutCount == sceneBodies );
	plane.body = scene.bodies[3];
	ENSURE( pnWorld_Cut( scene.world, &plane, &result ) == pn_success && result.cutCount == 1 );
	for ( int round = 0; round < 2; ++round )
	{
		pnTestContext( "round %d", round );
		Bytes image = TakeBytes( scene.world );
		pnWorld* twin = WakeBytes( &image, 3 );
		ENSURE( pnWorld_GetHash( twin ) == pnWorld_GetHash( scene.world ) );
		pnRandom random = pnSeed( 77 );
		for ( int i = 0; i < 60; ++i )
		{
			size_t size = i < 20 ? image.size - 1 - (size_t)i : (size_t)( (double)image.size * pnRandomIn( &random, 0.0, 1.0 ) );
			ENSURE( pnWorld_Restore( twin, image.bytes, size ) == pn_badImage );
		}
		ENSURE( pnWorld_GetHash( twin ) == pnWorld_GetHash( scene.world ) );
		StepPieces( scene.world, 3 );
		StepPieces( twin, 3 );
		ENSURE( pnWorld_GetHash( twin ) == pnWorld_GetHash( scene.world ) );
		plane.body = ( pnBodyId ){ 0 };
		ENSURE( pnWorld_Cut( scene.world, &plane, NULL ) == pn_success && pnWorld_Cut( twin, &plane, NULL ) == pn_success );
		ENSURE( pnWorld_GetHash( twin ) == pnWorld_GetHash( scene.world ) );
		StepPieces( scene.world, 3 );
		StepPieces( twin, 3 );
		ENSURE( pnWorld_GetHash( twin ) == pnWorld_GetHash( scene.world ) );
		pnDestroyWorld( twin );
		free( image.bytes );
	}
	pnDestroyWorld( scene.world );
}

// ---- without memory ----

static atomic_int s_untilFailure; // allocations that still succeed; negative: all
static atomic_int s_failures;

static void* FailingAlloc( size_t size, size_t alignment )
{
	if ( atomic_load( &s_untilFailure ) >= 0 && atomic_fetch_sub( &s_untilFailure, 1 ) == 0 )
	{
		atomic_fetch_add( &s_failures, 1 );
		atomic_store( &s_untilFailure, -1 );
		return NULL;
	}
	void* memory = aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
	if ( memory != NULL )
	{
		memset( memory, 0xA5, size );
	}
	return memory;
}

static void FailingFree( void* memory, size_t size )
{
	memset( memory, 0xDD, size );
	free( memory );
}

// Whichever allocation fails in a cut, nothing has changed, nothing is lost, and the cut can be made afterwards.
static void CutsWithoutMemoryChangeNothing( void )
{
	ENSURE( pnGetByteCount() == 0 );
	atomic_store( &s_untilFailure, -1 );
	pnSetAllocator( FailingAlloc, FailingFree );
	int failures = 0;
	for ( int which = 0; which < 2 * ( sceneBodies + 1 ); ++which )
	{
		Scene scene = MakeScene( 1 ), other = MakeScene( 1 );
		pnCutDef def = which % 2 == 0 ? ScenePlane() : SceneQuad();
		int victim = which / 2;
		def.body = victim < sceneBodies ? scene.bodies[victim] : ( pnBodyId ){ 0 };
		ENSURE( pnWorld_Cut( other.world, &def, NULL ) == pn_success );
		uint64_t hash = pnWorld_GetHash( scene.world );
		int stride = ( victim == sceneBodies ? 7 : 1 ) * slow;
		for ( int n = 0; n < 20000; n += stride )
		{
			pnTestContext( "body %d, %s, allocation %d", victim, which % 2 == 0 ? "plane" : "quad", n );
			atomic_store( &s_failures, 0 );
			atomic_store( &s_untilFailure, n );
			pnCutResult result = { 5, 5, 5, 5.0f };
			pnResult outcome = pnWorld_Cut( scene.world, &def, &result );
			atomic_store( &s_untilFailure, -1 );
			if ( s_failures == 0 )
			{
				ENSURE( outcome == pn_success && result.cutCount == ( victim < sceneBodies ? 1 : sceneBodies ) );
				break;
			}
			failures += 1;
			REQUIRE( outcome == pn_outOfMemory );
			ENSURE( result.cutCount == 0 && result.pieceCount == 0 );
			ENSURE( pnWorld_GetHash( scene.world ) == hash );
			if ( n % 7 == 0 ) // lists that have grown may stay so, but then no more
			{
				int64_t bytes = -1;
				int tries = 0;
				for ( ; tries < 60 && bytes != pnGetByteCount(); ++tries )
				{
					bytes = pnGetByteCount();
					atomic_store( &s_untilFailure, n );
					outcome = pnWorld_Cut( scene.world, &def, NULL );
					atomic_store( &s_untilFailure, -1 );
					if ( outcome == pn_success )
					{
						break;
					}
				}
				ENSURE( tries < 60 );
				if ( outcome == pn_success )
				{
					break;
				}
			}
		}
		ENSURE( pnWorld_GetHash( scene.world ) == pnWorld_GetHash( other.world ) );
		StepPieces( scene.world, 2 );
		StepPieces( other.world, 2 );
		ENSURE( pnWorld_GetHash( scene.world ) == pnWorld_GetHash( other.world ) );
		pnDestroyWorld( scene.world );
		pnDestroyWorld( other.world );
		ENSURE( pnGetByteCount() == 0 );
	}
	pnSetAllocator( NULL, NULL );
	pnTestNote( "%d failures", failures );
}

// ---- what pieces keep ----

static int NearestPoint( const pnWorld* world, pnBodyId body, pnVec3 place )
{
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 ), nearest = -1;
	pnVec3* x = calloc( (size_t)count + 1, sizeof( pnVec3 ) );
	pnBody_WritePoints( world, body, x, NULL, count );
	for ( int i = 0; i < count; ++i )
	{
		nearest = nearest < 0 || DistanceOf( x[i], place ) < DistanceOf( x[nearest], place ) ? i : nearest;
	}
	free( x );
	return nearest;
}

static pnVec3 PlaceOfPoint( const pnWorld* world, pnBodyId body, int point )
{
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
	pnVec3* x = calloc( (size_t)count + 1, sizeof( pnVec3 ) );
	pnBody_WritePoints( world, body, x, NULL, count );
	pnVec3 place = x[point];
	free( x );
	return place;
}

static bool HaveSameFields( const pnMaterial* a, const pnMaterial* b )
{
	return a->mode == b->mode && a->hertz == b->hertz && a->dampingRatio == b->dampingRatio && a->stretch == b->stretch && a->volume == b->volume && a->cap == b->cap && a->capStart == b->capStart &&
		   a->yield == b->yield && a->creep == b->creep && a->maxPlastic == b->maxPlastic && a->hardening == b->hardening && a->recovery == b->recovery && a->tear == b->tear && a->toughness == b->toughness && a->density == b->density &&
		   a->friction == b->friction && a->restitution == b->restitution && a->bare == b->bare;
}

// Material, user data, filter and share of gravity.
static void PiecesAreAsTheBodyWas( void )
{
	for ( int kind = 0; kind < 3; ++kind )
	{
		pnTestContext( "kind %d", kind );
		pnWorld* world = MakePieceWorld( 1, pnMakeVec3( 0.0f, -10.0f, 0.0f ) );
		pnBodyDef def = pnDefaultBodyDef();
		pnFindMaterial( "clay", &def.material );
		def.material.hertz = 7.25f;
		def.material.tear = 3.5f;
		def.material.friction = 0.375f;
		def.userData = 0x123456789ABCDEFull;
		def.gravityScale = 0.5f;
		def.filter = ( pnFilter ){ 4, 8 };
		PlaceShape( world, kind == 0 ? MakeFilledBar( 8, 4, 4 ) : kind == 1 ? MakeCarriedBar( 8, 4, 4 ) : MakeCloud( "cloud", 9, 5, 5, 0.1f, IsBlockCell ), def );
		pnCutDef cut = DefPlane( pnMakeVec3( 0.03f, 0.0f, 0.0f ), pnMakeVec3( 1.0f, 0.1f, 0.0f ) );
		cut.mask = 8;
		pnCutResult result;
		ENSURE( pnWorld_Cut( world, &cut, &result ) == pn_success && result.cutCount == 0 );
		cut.mask = 4;
		ENSURE( pnWorld_Cut( world, &cut, &result ) == pn_success && result.pieceCount == 2 );
		pnBodyId bodies[8];
		int count = pnWorld_GetBodies( world, bodies, 8 );
		REQUIRE( count == 2 );
		for ( int i = 0; i < count; ++i )
		{
			pnMaterial material;
			ENSURE( pnBody_GetMaterial( world, bodies[i], &material ) == pn_success );
			ENSURE( HaveSameFields( &material, &def.material ) );
			ENSURE( pnBody_GetUserData( world, bodies[i] ) == def.userData );
			pnBodyState state;
			ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
			pnBodyId met[8];
			ENSURE( pnWorld_OverlapSphere( world, state.center, 0.05f, 8, met, 8 ) == 0 );
			ENSURE( pnWorld_OverlapSphere( world, state.center, 0.05f, 4, met, 8 ) == 1 && met[0].index1 == bodies[i].index1 );
		}
		StepPieces( world, 6 );
		for ( int i = 0; i < count; ++i )
		{
			pnBodyState state;
			ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
			ENSURE_NEAR( state.velocity.y, -10.0 * 0.5 * 0.1, 1e-3 );
		}
		pnDestroyWorld( world );
	}
}

// A pinned corner is pinned in the piece that has it, and only there.
static void PinsStayWithTheirPoints( void )
{
	for ( int kind = 0; kind < 3; ++kind )
	{
		pnTestContext( "kind %d", kind );
		pnWorld* world = MakePieceWorld( 1, pnMakeVec3( 0.0f, -10.0f, 0.0f ) );
		pnBodyId body = PlaceShape( world, kind == 0 ? MakeFilledBar( 8, 4, 4 ) : kind == 1 ? MakeCarriedBar( 8, 4, 4 ) : MakeCloud( "cloud", 9, 5, 5, 0.1f, IsBlockCell ), pnDefaultBodyDef() );
		pnVec3 corners[2] = { { -0.4f, -0.2f, -0.2f }, { -0.4f, 0.2f, 0.2f } };
		int32_t pins[2] = { NearestPoint( world, body, corners[0] ), NearestPoint( world, body, corners[1] ) };
		ENSURE( pnBody_Pin( world, body, pins, NULL, 2 ) == pn_success );
		pnCutDef cut = DefPlane( s_zero, pnMakeVec3( 1.0f, 0.1f, 0.0f ) );
		ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
		pnPieces pieces = pnWorld_GetPieces( world );
		REQUIRE( pieces.count == 2 );
		pnBodyId held = { 0 }, loose = { 0 };
		int now[2] = { -1, -1 };
		for ( int i = 0; i < 2; ++i )
		{
			bool has = false;
			for ( int k = 0; k < pieces.pieces[i].pointCount; ++k )
			{
				for ( int c = 0; c < 2; ++c )
				{
					if ( pieces.pieces[i].pointSources[k] == pins[c] )
					{
						has = true;
						now[c] = k;
					}
				}
			}
			*( has ? &held : &loose ) = pieces.pieces[i].body;
		}
		REQUIRE( held.index1 != 0 && loose.index1 != 0 && now[0] >= 0 && now[1] >= 0 );
		pnBodyState before, after;
		ENSURE( pnBody_GetState( world, loose, &before ) == pn_success );
		StepPieces( world, 30 );
		ENSURE( pnBody_GetState( world, loose, &after ) == pn_success );
		ENSURE_NEAR( before.center.y - after.center.y, 1.25, 0.1 );
		for ( int c = 0; c < 2; ++c )
		{
			ENSURE_MOST( DistanceOf( PlaceOfPoint( world, held, now[c] ), corners[c] ), 1e-6 );
		}
		int32_t points[2] = { now[0], now[1] };
		ENSURE( pnBody_Unpin( world, held, points, 2 ) == pn_success );
		pnDestroyWorld( world );
	}
}

// Ids of grabs stay; each holds the piece that has its place, so grabs at two ends hold two pieces.
static void GrabsHoldThePieceThatHasTheirPlace( void )
{
	for ( int kind = 0; kind < 3; ++kind )
	{
		pnTestContext( "kind %d", kind );
		pnWorld* world = MakePieceWorld( 1, s_zero );
		pnBodyId body = PlaceShape( world, kind == 0 ? MakeFilledBar( 8, 4, 4 ) : kind == 1 ? MakeCarriedBar( 8, 4, 4 ) : MakeCloud( "cloud", 9, 5, 5, 0.1f, IsBlockCell ), pnDefaultBodyDef() );
		pnGrabId grabs[2] = { GrabAt( world, body, pnMakeVec3( -0.4f, 0.0f, 0.0f ), 0.2f ), GrabAt( world, body, pnMakeVec3( 0.4f, 0.0f, 0.0f ), 0.2f ) };
		StepPieces( world, 2 );
		pnGrabState before[2], after[2];
		for ( int i = 0; i < 2; ++i )
		{
			ENSURE( pnGrab_GetState( world, grabs[i], before + i ) == pn_success );
		}
		pnCutDef incise = DefQuad( pnMakeVec3( 0.0f, 0.0f, -1.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 2.0f ) ), cut = DefPlane( s_zero, pnMakeVec3( 1.0f, 0.1f, 0.0f ) );
		for ( int round = 0; round < 2; ++round )
		{
			ENSURE( pnWorld_Cut( world, round == 0 ? &incise : &cut, NULL ) == pn_success );
			for ( int i = 0; i < 2; ++i )
			{
				REQUIRE( pnGrab_IsValid( world, grabs[i] ) );
				ENSURE( pnGrab_GetState( world, grabs[i], after + i ) == pn_success );
				ENSURE( pnBody_IsValid( world, after[i].body ) );
				ENSURE_MOST( DistanceOf( before[i].place, after[i].place ), 1e-4 );
				ENSURE_MOST( DistanceOf( before[i].target, after[i].target ), 1e-6 );
				pnBodyState state;
				ENSURE( pnBody_GetState( world, after[i].body, &state ) == pn_success );
				ENSURE( round == 0 || ( state.center.x < 0.0f ) == ( i == 0 ) );
			}
			ENSURE( ( after[0].body.index1 == after[1].body.index1 ) == ( round == 0 ) );
		}
		ENSURE( pnWorld_GetGrabs( world, NULL, 0 ) == 2 );
		for ( int i = 0; i < 2; ++i ) // with all of its points on its side
		{
			pnBodyState state;
			ENSURE( pnBody_GetState( world, after[i].body, &state ) == pn_success );
			ENSURE_MOST( i == 0 ? state.bounds.upper.x : -state.bounds.lower.x, 0.03 );
		}
		// and each pulls its own
		for ( int step = 0; step < 60; ++step )
		{
			for ( int i = 0; i < 2; ++i )
			{
				float x = ( i == 0 ? -1.0f : 1.0f ) * ( 0.4f + 0.01f * (float)( step + 1 ) );
				ENSURE( pnGrab_MoveTo( world, grabs[i], pnMakeVec3( x, 0.0f, 0.0f ) ) == pn_success );
			}
			StepPieces( world, 1 );
		}
		for ( int i = 0; i < 2; ++i )
		{
			pnBodyState state;
			ENSURE( pnBody_GetState( world, after[i].body, &state ) == pn_success );
			ENSURE( fabsf( state.center.x ) > 0.6f && ( state.center.x < 0.0f ) == ( i == 0 ) );
		}
		ENSURE( pnDestroyBody( world, after[0].body ) == pn_success );
		ENSURE( !pnGrab_IsValid( world, grabs[0] ) && pnGrab_IsValid( world, grabs[1] ) );
		pnDestroyWorld( world );
	}
}

// A dent at one end is there in the piece that has that end, and not in the other.
static void DentsStayInTheirPiece( void )
{
	for ( int kind = 0; kind < 3; ++kind )
	{
		pnTestContext( "kind %d", kind );
		pnWorld* world = MakePieceWorld( 1, s_zero );
		pnBodyDef def = pnDefaultBodyDef();
		pnFindMaterial( "clay", &def.material );
		def.material.yield = 0.02f;
		def.material.creep = 30.0f;
		def.material.maxPlastic = 1.0f;
		def.material.recovery = 0.0f;
		CutShape shape = kind == 0 ? MakeFilledBar( 16, 4, 4 ) : kind == 1 ? MakeCarriedBar( 16, 4, 4 ) : MakeCloud( "cloud", 17, 5, 5, 0.1f, IsBlockCell );
		shape.cellSize = 0.25f;
		pnBodyId body = PlaceShape( world, shape, def );
		int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
		pnVec3* x = calloc( (size_t)count, sizeof( pnVec3 ) );
		pnBody_WritePoints( world, body, x, NULL, count );
		for ( int i = 0; i < count; ++i )
		{
			x[i].y *= x[i].x < -0.4f ? 0.7f : 1.0f;
		}
		ENSURE( pnBody_SetPoints( world, body, x, NULL, count ) == pn_success );
		StepPieces( world, 12 );
		pnBodyState before;
		ENSURE( pnBody_GetState( world, body, &before ) == pn_success );
		ENSURE( before.plasticStrain > 0.05f );
		pnCutDef cut = DefPlane( pnMakeVec3( 0.1f, 0.0f, 0.0f ), pnMakeVec3( 1.0f, 0.1f, 0.0f ) );
		ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
		pnBodyId bodies[4];
		REQUIRE( pnWorld_GetBodies( world, bodies, 4 ) == 2 );
		for ( int i = 0; i < 2; ++i )
		{
			pnBodyState state;
			ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
			ENSURE_NEAR( state.plasticStrain, state.center.x < 0.1f ? before.plasticStrain : 0.0, 0.1 * before.plasticStrain );
			StepPieces( world, 2 );
			ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
			ENSURE_NEAR( state.plasticStrain, state.center.x < 0.1f ? before.plasticStrain : 0.0, 0.15 * before.plasticStrain );
		}
		// nor do many little cuts wear it away
		for ( int nick = 0; nick < 10; ++nick )
		{
			pnCutDef quad = DefQuad( pnMakeVec3( 0.011f - 0.013f * (float)nick, 0.12f, -0.5f ), pnMakeVec3( 0.0f, 0.5f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 1.0f ) );
			ENSURE( pnWorld_Cut( world, &quad, NULL ) == pn_success );
		}
		double most = 0.0;
		pnBodyId all[64];
		int allCount = pnWorld_GetBodies( world, all, 64 );
		for ( int i = 0; i < allCount && i < 64; ++i )
		{
			pnBodyState state;
			ENSURE( pnBody_GetState( world, all[i], &state ) == pn_success );
			most = state.plasticStrain > most ? state.plasticStrain : most;
		}
		ENSURE_NEAR( most, before.plasticStrain, 0.2 * before.plasticStrain );
		pnTestNote( "%.4f then %.4f", before.plasticStrain, most );
		free( x );
		pnDestroyWorld( world );
	}
}

// ---- what is carried along ----

// The number of a triangle of a skin in which a rest place lies; attributes are rest places.
static int MaterialAt( const float* attributes, const int32_t* triangles, const int32_t* materials, int triangleCount, pnVec3 place )
{
	double best = 1e30;
	int material = -1;
	for ( int t = 0; t < triangleCount; ++t )
	{
		pnVec3 c[3];
		for ( int k = 0; k < 3; ++k )
		{
			const float* at = attributes + (size_t)cutAttributes * triangles[3 * t + k];
			c[k] = pnMakeVec3( at[0], at[1], at[2] );
		}
		pnVec3 n = pnCross( pnSub( c[1], c[0] ), pnSub( c[2], c[0] ) );
		double twice = LengthOf( n ), off = fabs( (double)pnDot( n, pnSub( place, c[0] ) ) ) / twice;
		for ( int k = 0; k < 3; ++k )
		{
			pnVec3 side = pnSub( c[( k + 1 ) % 3], c[k] );
			double out = -(double)pnDot( n, pnCross( side, pnSub( place, c[k] ) ) ) / ( twice * LengthOf( side ) );
			off = out > off ? out : off;
		}
		if ( off < best )
		{
			best = off;
			material = materials[t];
		}
	}
	ENSURE_MOST( best, 1e-3 );
	return material;
}

// Attributes are means of what they were, so linear ones stay linear, inside too; triangles keep their numbers, and new ones have the cut's.
// Sources have the counts and name what was there.
static void SkinsOfPiecesAreWhatTheyWere( void )
{
	for ( int kind = 0; kind < 8; ++kind )
	{
		pnWorld* world = MakePieceWorld( 1, s_zero );
		CutShape shape = kind / 2 == 0 ? MakeSphereShape( 6 ) : kind / 2 == 1 ? MakeFilledBar( 8, 4, 4 ) : kind / 2 == 2 ? MakeCarriedBar( 8, 4, 4 ) : MakeCarried();
		const char* name = shape.name;
		pnTestContext( "%s, %s", name, kind % 2 == 0 ? "plane" : "quad" );
		pnBodyId body = PlaceShape( world, shape, pnDefaultBodyDef() );
		const pnSolid* solid = pnBody_GetSolid( world, body );
		pnSkinInfo skin = pnSolid_GetSkin( solid, 0 );
		int pointCount = pnSolid_GetInfo( solid ).pointCount;
		float* attributes = malloc( (size_t)skin.vertexCount * cutAttributes * sizeof( float ) );
		int32_t* triangles = malloc( 3 * (size_t)skin.triangleCount * sizeof( int32_t ) );
		int32_t* materials = malloc( (size_t)skin.triangleCount * sizeof( int32_t ) );
		pnVec3* x = calloc( (size_t)pointCount, sizeof( pnVec3 ) );
		int* met = calloc( (size_t)pointCount, sizeof( int ) );
		pnBody_WritePoints( world, body, x, NULL, pointCount );
		memcpy( attributes, skin.attributes, (size_t)skin.vertexCount * cutAttributes * sizeof( float ) );
		memcpy( triangles, skin.triangles, 3 * (size_t)skin.triangleCount * sizeof( int32_t ) );
		memcpy( materials, skin.materials, (size_t)skin.triangleCount * sizeof( int32_t ) );
		pnVec3 normal = { 1.0f, 0.13f, 0.07f }, at = { 0.037f, 0.0f, 0.0f };
		pnCutDef def = kind % 2 == 0 ? DefPlane( at, normal ) : DefQuad( pnMakeVec3( 0.037f, 0.013f, -1.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 2.0f ) );
		normal = kind % 2 == 0 ? normal : pnMakeVec3( 1.0f, 0.0f, 0.0f );
		ENSURE( pnWorld_Cut( world, &def, NULL ) == pn_success );
		pnPieces pieces = pnWorld_GetPieces( world );
		ENSURE( pieces.count == ( kind % 2 == 0 ? 2 : 1 ) );
		double worst = 0.0, worstInside = 0.0;
		for ( int i = 0; i < pieces.count; ++i )
		{
			const pnPiece* piece = pieces.pieces + i;
			const pnSolid* now = pnBody_GetSolid( world, piece->body );
			REQUIRE( now != NULL );
			ENSURE( piece->from.index1 == body.index1 && piece->from.generation == body.generation );
			pnSkinInfo info = pnSolid_GetSkin( now, 0 );
			ENSURE( info.attributeCount == cutAttributes );
			REQUIRE( piece->vertexCount == info.vertexCount );
			REQUIRE( piece->pointCount == pnSolid_GetInfo( now ).pointCount );
			pnVec3* places = calloc( (size_t)piece->pointCount + (size_t)piece->vertexCount, sizeof( pnVec3 ) );
			pnBody_WritePoints( world, piece->body, places, NULL, piece->pointCount );
			for ( int k = 0; k < piece->pointCount; ++k )
			{
				int source = piece->pointSources[k];
				REQUIRE( source >= -1 && source < pointCount );
				if ( source >= 0 )
				{
					met[source] += 1;
					ENSURE_MOST( DistanceOf( x[source], places[k] ), 0.003 );
				}
			}
			ENSURE( pnBody_WriteSkin( world, piece->body, 0, places, NULL, piece->vertexCount ) == piece->vertexCount );
			for ( int k = 0; k < piece->vertexCount; ++k )
			{
				const pnVertexSource* source = piece->vertexSources + k;
				const float* now4 = info.attributes + (size_t)cutAttributes * k;
				double mean[4] = { 0 }, sum = 0.0, error = 0.0;
				float field[4];
				bool inside = source->vertices[0] < 0;
				for ( int c = 0; c < 3 && !inside; ++c )
				{
					REQUIRE( source->vertices[c] >= 0 && source->vertices[c] < skin.vertexCount );
					ENSURE( source->weights[c] >= -1e-5f && source->weights[c] <= 1.0f + 1e-5f );
					sum += source->weights[c];
					for ( int a = 0; a < 4; ++a )
					{
						mean[a] += (double)source->weights[c] * attributes[cutAttributes * source->vertices[c] + a];
					}
				}
				WriteField( pnMakeVec3( now4[0], now4[1], now4[2] ), field );
				error = fabs( (double)field[3] - now4[3] );
				double away = DistanceOf( places[k], pnMakeVec3( now4[0], now4[1], now4[2] ) );
				error = away > error ? away : error;
				if ( !inside )
				{
					ENSURE_NEAR( sum, 1.0, 1e-5 );
					for ( int a = 0; a < 4; ++a )
					{
						ENSURE_NEAR( now4[a], mean[a], 1e-5 );
					}
				}
				double* into = inside ? &worstInside : &worst;
				*into = error > *into ? error : *into;
			}
			int insideCount = 0;
			for ( int t = 0; t < info.triangleCount; ++t )
			{
				pnVec3 middle = { 0.0f, 0.0f, 0.0f };
				double height = 0.0;
				for ( int k = 0; k < 3; ++k )
				{
					const float* corner = info.attributes + (size_t)cutAttributes * info.triangles[3 * t + k];
					pnVec3 p = { corner[0], corner[1], corner[2] };
					middle = pnMulAdd( middle, 1.0f / 3.0f, p );
					double h = fabs( (double)pnDot( pnSub( p, at ), normal ) ) / LengthOf( normal );
					height = h > height ? h : height;
				}
				if ( info.materials[t] == 99 )
				{
					insideCount += 1;
					ENSURE_MOST( height, 0.005 );
				}
				else
				{
					ENSURE( info.materials[t] >= 1 && info.materials[t] <= 5 );
					ENSURE( info.materials[t] == MaterialAt( attributes, triangles, materials, skin.triangleCount, middle ) );
				}
			}
			ENSURE( insideCount > 4 );
			free( places );
		}
		for ( int i = 0; i < pointCount; ++i )
		{
			ENSURE( met[i] >= 1 && met[i] <= 2 );
		}
		ENSURE_MOST( worst, 1e-4 );
		ENSURE_MOST( worstInside, 1e-4 );
		free( attributes );
		free( triangles );
		free( materials );
		free( x );
		free( met );
		pnDestroyWorld( world );
	}
}

// Each piece is told of twice: after the cut and after the next step. Serials rise.
static void PiecesAreToldUntilTheSecondStep( void )
{
	Scene scene = MakeScene( 1 );
	pnCutDef def = ScenePlane();
	uint64_t serial = 0;
	for ( int round = 0; round < 3; ++round )
	{
		pnTestContext( "round %d", round );
		ENSURE( pnWorld_GetPieces( scene.world ).count == 0 );
		pnCutResult result;
		def.point.z += 0.05f, def.normal.z += 0.3f;
		ENSURE( pnWorld_Cut( scene.world, &def, &result ) == pn_success && result.cutCount >= sceneBodies );
		for ( int look = 0; look < 2; ++look )
		{
			pnPieces pieces = pnWorld_GetPieces( scene.world );
			ENSURE( pieces.count == result.pieceCount + result.removedCount );
			uint64_t last = serial;
			double mass = 0.0;
			for ( int i = 0; i < pieces.count; ++i )
			{
				ENSURE( pieces.pieces[i].serial > last );
				last = pieces.pieces[i].serial;
				bool lives = pieces.pieces[i].body.index1 != 0;
				ENSURE( !lives || pnBody_IsValid( scene.world, pieces.pieces[i].body ) );
				ENSURE( !lives || pnBody_IsValid( scene.world, pieces.pieces[i].from ) == ( pieces.pieces[i].from.index1 == pieces.pieces[i].body.index1 && pieces.pieces[i].from.generation == pieces.pieces[i].body.generation ) );
				pnBodyState state = { 0 };
				ENSURE( !lives || pnBody_GetState( scene.world, pieces.pieces[i].body, &state ) == pn_success );
				ENSURE( !lives || fabsf( state.mass - pieces.pieces[i].mass ) <= 1e-5f * state.mass );
				mass += (double)pieces.pieces[i].mass;
			}
			ENSURE( mass > 0.0 );
			if ( look == 0 )
			{
				StepPieces( scene.world, 1 );
			}
			else
			{
				serial = last;
			}
		}
		StepPieces( scene.world, 1 );
		ENSURE( pnWorld_GetPieces( scene.world ).count == 0 );
	}
	pnDestroyWorld( scene.world );
}

// ---- many cuts ----

// Chopped thirty times all pieces together with what was removed have the mass of the start, and all is where it can be.
static void ChoppingLosesNothing( void )
{
	ENSURE( pnGetByteCount() == 0 );
	for ( int kind = 0; kind < 4; ++kind )
	{
		pnWorld* world = MakePieceWorld( 2, s_zero );
		CutShape shape = kind == 0 ? MakeSphereShape( 6 ) : kind == 1 ? MakeCarried() : kind == 2 ? MakeCloud( "cloud", 9, 9, 9, 0.1f, IsBlockCell ) : MakeTetrahedra( 4, 4, 4, 0.2f );
		shape.fill = kind == 0 ? 0.12f : 0.0f;
		pnBodyId body = PlaceShape( world, shape, pnDefaultBodyDef() );
		pnBodyState state;
		ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
		double mass = state.mass, removed = 0.0;
		pnRandom random = pnSeed( 31 + (uint64_t)kind );
		int count = 1;
		for ( int cut = 0; cut < 30 / slow; ++cut )
		{
			pnTestContext( "kind %d, cut %d", kind, cut );
			static pnBodyId bodies[512];
			count = pnWorld_GetBodies( world, bodies, 512 );
			pnBodyId largest = { 0 };
			pnVec3 center = s_zero;
			double most = 0.0;
			for ( int i = 0; i < count && i < 512; ++i )
			{
				ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
				if ( state.mass > most )
				{
					most = state.mass, largest = bodies[i], center = state.center;
				}
			}
			pnCutDef def = DefPlane( pnAdd( center, RandomVec3( &random, 0.05 ) ), pnRotate( RandomTurn( &random ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) ) );
			def.body = count > 24 ? largest : ( pnBodyId ){ 0 };
			pnCutResult result;
			REQUIRE( pnWorld_Cut( world, &def, &result ) == pn_success );
			removed += (double)result.removedMass;
			StepPieces( world, 1 );
			count = pnWorld_GetBodies( world, bodies, 512 );
			double sum = removed;
			for ( int i = 0; i < count && i < 512; ++i )
			{
				ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
				sum += (double)state.mass;
				int pointCount = pnBody_WritePoints( world, bodies[i], NULL, NULL, 0 );
				pnVec3* x = calloc( (size_t)pointCount + 1, sizeof( pnVec3 ) );
				pnBody_WritePoints( world, bodies[i], x, NULL, pointCount );
				double far = 0.0;
				for ( int k = 0; k < pointCount; ++k )
				{
					double d = LengthOf( x[k] );
					far = d <= far ? far : d; // NaN too
				}
				ENSURE_MOST( far, 10.0 );
				free( x );
			}
			ENSURE_NEAR( sum, mass, 1e-5 * mass );
			ENSURE_MOST( removed, 0.05 * mass );
		}
		pnTestNote( "%d pieces", count );
		pnDestroyWorld( world );
		ENSURE( pnGetByteCount() == 0 );
	}
}

// ---- incisions ----

// How far vertices are apart that are in one place at rest, within a box at rest.
static double GapOf( const pnWorld* world, pnBodyId body, pnVec3 lower, pnVec3 upper )
{
	pnSkinInfo info = pnSolid_GetSkin( pnBody_GetSolid( world, body ), 0 );
	pnVec3* x = calloc( (size_t)info.vertexCount + 1, sizeof( pnVec3 ) );
	pnBody_WriteSkin( world, body, 0, x, NULL, info.vertexCount );
	double gap = 0.0;
	for ( int i = 0; i < info.vertexCount; ++i )
	{
		const float* a = info.attributes + (size_t)cutAttributes * i;
		if ( a[0] < lower.x || a[0] > upper.x || a[1] < lower.y || a[1] > upper.y || a[2] < lower.z || a[2] > upper.z )
		{
			continue;
		}
		for ( int k = 0; k < i; ++k )
		{
			const float* b = info.attributes + (size_t)cutAttributes * k;
			if ( fabsf( a[0] - b[0] ) < 1e-3f && fabsf( a[1] - b[1] ) < 1e-3f && fabsf( a[2] - b[2] ) < 1e-3f )
			{
				double d = DistanceOf( x[i], x[k] );
				gap = d > gap ? d : gap;
			}
		}
	}
	free( x );
	return gap;
}

static void PullEnds( pnWorld* world, pnBodyId body, float half, float way, int steps )
{
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 ), pinned = 0;
	pnVec3* x = calloc( (size_t)count, sizeof( pnVec3 ) );
	int32_t* pins = calloc( (size_t)count, sizeof( int32_t ) );
	pnBody_WritePoints( world, body, x, NULL, count );
	for ( int i = 0; i < count; ++i )
	{
		if ( fabsf( x[i].x ) > half - 0.01f )
		{
			x[pinned] = x[i];
			pins[pinned++] = i;
		}
	}
	ENSURE( pinned > 20 );
	for ( int step = 0; step < steps; ++step )
	{
		for ( int i = 0; i < pinned && step < steps / 2; ++i )
		{
			x[i].x += ( x[i].x > 0.0f ? way : -way ) / (float)( steps / 2 );
		}
		ENSURE( pnBody_Pin( world, body, pins, x, pinned ) == pn_success );
		StepPieces( world, 1 );
	}
	free( x );
	free( pins );
}

// A cut half through leaves one body with its id, whose lips come apart when it is pulled; a second one that completes it leaves two bodies.
static void IncisionsOpenWhenPulled( void )
{
	for ( int kind = 0; kind < 2; ++kind )
	{
		pnTestContext( "%s", kind == 0 ? "own points" : "carried" );
		pnWorld* world = MakePieceWorld( 1, s_zero );
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.filter.mask = 0;
		pnBodyId body = PlaceShape( world, kind == 0 ? MakeFilledBar( 12, 4, 4 ) : MakeCarriedBar( 12, 4, 4 ), bodyDef );
		Bytes uncut = TakeBytes( world );
		float x = 0.03f;
		pnCutDef def = DefQuad( pnMakeVec3( x, 0.0f, -1.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 2.0f ) );
		pnCutResult result;
		ENSURE( pnWorld_Cut( world, &def, &result ) == pn_success );
		ENSURE( result.cutCount == 1 && result.pieceCount == 1 && result.removedCount == 0 );
		ENSURE( pnBody_IsValid( world, body ) && pnWorld_GetBodies( world, NULL, 0 ) == 1 );
		Bytes cut = TakeBytes( world );
		pnVec3 lower = { x - 0.02f, 0.15f, -1.0f }, upper = { x + 0.02f, 1.0f, 1.0f };
		pnVec3 below = { x - 0.02f, -1.0f, -1.0f }, under = { x + 0.02f, -0.15f, 1.0f };
		ENSURE_MOST( GapOf( world, body, lower, upper ), 1e-3 );
		PullEnds( world, body, 0.6f, 0.15f, 60 );
		double gap = GapOf( world, body, lower, upper ), whole = GapOf( world, body, below, under );
		ENSURE( gap > 0.05 );
		ENSURE_MOST( whole, 1e-3 );
		pnWorld* other = WakeBytes( &uncut, 1 );
		PullEnds( other, body, 0.6f, 0.15f, 60 );
		double before = GapOf( other, body, lower, upper );
		ENSURE( gap > 20.0 * before );
		pnTestNote( "gap %.3f m, below %.1e m", gap, whole );
		pnDestroyWorld( other );

		other = WakeBytes( &cut, 1 );
		def = DefQuad( pnMakeVec3( x, -1.0f, -1.0f ), pnMakeVec3( 0.0f, 1.05f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 2.0f ) );
		ENSURE( pnWorld_Cut( other, &def, &result ) == pn_success );
		ENSURE( result.cutCount == 1 && result.pieceCount == 2 );
		ENSURE( !pnBody_IsValid( other, body ) && pnWorld_GetBodies( other, NULL, 0 ) == 2 );
		pnBodyId bodies[2];
		pnWorld_GetBodies( other, bodies, 2 );
		pnBodyState a, b;
		ENSURE( pnBody_GetState( other, bodies[0], &a ) == pn_success && pnBody_GetState( other, bodies[1], &b ) == pn_success );
		ENSURE_NEAR( a.mass, b.mass, 0.2 * a.mass );
		ENSURE( a.center.x * b.center.x < 0.0f );
		pnDestroyWorld( other );
		free( uncut.bytes );
		free( cut.bytes );
		pnDestroyWorld( world );
	}
}

// A nick near one end takes nothing from how the rest of a grid of points holds together.
static void NicksWeakenNothingElse( void )
{
	for ( int nx = 6; nx <= 17; ++nx )
	{
		pnTestContext( "%d layers", nx );
		pnWorld* world = MakePieceWorld( 1, s_zero );
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.filter.mask = 0;
		pnBodyId body = PlaceShape( world, MakeCloud( "cloud", nx, 5, 5, 0.1f, IsBlockCell ), bodyDef );
		float half = 0.05f * (float)( nx - 1 );
		pnCutDef def = DefQuad( pnMakeVec3( 0.15f - half, 0.12f, -1.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 2.0f ) );
		pnCutResult result;
		ENSURE( pnWorld_Cut( world, &def, &result ) == pn_success );
		ENSURE( result.cutCount == 1 && result.pieceCount == 1 && pnBody_IsValid( world, body ) );
		PullEnds( world, body, half, 0.1f * half, 40 );
		int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
		REQUIRE( count == 25 * nx );
		pnVec3* x = calloc( (size_t)count, sizeof( pnVec3 ) );
		pnBody_WritePoints( world, body, x, NULL, count );
		double widest = 0.0;
		for ( int i = 0; i < count; ++i ) // points of a piece come in the order they had
		{
			if ( i % nx >= 3 && i % nx < nx - 1 )
			{
				double gap = DistanceOf( x[i], x[i + 1] );
				widest = gap > widest ? gap : widest;
			}
		}
		ENSURE_MOST( widest, 0.15 );
		free( x );
		pnDestroyWorld( world );
	}
}

// ---- tears ----

static bool IsWaistCell( int x, int y, int z )
{
	return x < 7 || x > 8 || ( y > 0 && y < 3 && z > 0 && z < 3 );
}

typedef struct Pull { int bodies, firstFrame; double seen, masses[2]; uint64_t hash; Bytes torn; } Pull;

static Pull PullBar( float tear, int workerCount, int frames )
{
	pnWorld* world = MakePieceWorld( workerCount, s_zero );
	pnBodyDef def = pnDefaultBodyDef();
	def.material.tear = tear;
	def.filter.mask = 0;
	CutShape shape = MakeCells( "waist", 16, 4, 4, 0.1f, IsWaistCell );
	shape.fill = 0.1f;
	shape.cellSize = 0.2f;
	pnBodyId body = PlaceShape( world, shape, def );
	pnGrabId grabs[2] = { GrabAt( world, body, pnMakeVec3( -0.75f, 0.0f, 0.0f ), 0.3f ), GrabAt( world, body, pnMakeVec3( 0.75f, 0.0f, 0.0f ), 0.3f ) };
	Pull pull = { .firstFrame = -1 };
	double start = 0.0;
	for ( int frame = 0; frame < frames; ++frame )
	{
		for ( int i = 0; i < 2; ++i )
		{
			float x = ( i == 0 ? -1.0f : 1.0f ) * ( 0.75f + 0.005f * (float)( frame + 1 ) );
			ENSURE( pnGrab_MoveTo( world, grabs[i], pnMakeVec3( x, 0.0f, 0.0f ) ) == pn_success );
		}
		StepPieces( world, 1 );
		if ( pull.firstFrame < 0 && pnWorld_GetPieces( world ).count > 0 )
		{
			pull.firstFrame = frame;
			pull.torn = TakeBytes( world );
		}
		pnBodyState state;
		if ( pull.firstFrame < 0 && pnBody_GetState( world, body, &state ) == pn_success )
		{
			pull.seen = state.maxStretch > pull.seen ? state.maxStretch : pull.seen;
			start = state.mass;
		}
	}
	static pnBodyId bodies[256];
	pull.bodies = pnWorld_GetBodies( world, bodies, 256 );
	double sum = 0.0;
	for ( int i = 0; i < pull.bodies; ++i )
	{
		pnBodyState state;
		ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		double mass = state.mass;
		sum += mass;
		if ( mass > pull.masses[0] )
		{
			pull.masses[1] = pull.masses[0], pull.masses[0] = mass;
		}
		else if ( mass > pull.masses[1] )
		{
			pull.masses[1] = mass;
		}
	}
	ENSURE_NEAR( sum, start, 0.01 * start );
	pull.masses[0] /= start, pull.masses[1] /= start;
	pull.hash = pnWorld_GetHash( world );
	pnDestroyWorld( world );
	return pull;
}

// A bar with a waist that is pulled by its ends parts there, into two; not before it is stretched as far as it bears; never if it does not tear.
static void BarsTearAtTheirWaist( void )
{
	enum { frames = 160 };
	Pull pull = PullBar( 1.5f, 1, frames );
	pnTestContext( "torn in frame %d at %.3f, %d bodies, %.3f and %.3f", pull.firstFrame, pull.seen, pull.bodies, pull.masses[0], pull.masses[1] );
	ENSURE( pull.firstFrame > 0 );
	ENSURE( pull.bodies >= 2 );
	ENSURE( pull.masses[0] > 0.35 && pull.masses[1] > 0.35 );
	ENSURE( pull.seen > 0.95 * 1.5 );
	pnTestNote( "frame %d, stretch %.3f, %d bodies", pull.firstFrame, pull.seen, pull.bodies );
	Pull crew = PullBar( 1.5f, 4, frames );
	ENSURE( crew.hash == pull.hash );
	ENSURE( crew.firstFrame == pull.firstFrame );
	Pull never = PullBar( 0.0f, 1, frames );
	ENSURE( never.firstFrame < 0 && never.bodies == 1 );
	ENSURE( never.seen > 1.5 );
	// one that is stronger holds as long as the stretch is less
	Pull strong = PullBar( 1.9f, 1, frames );
	ENSURE( strong.firstFrame < 0 || strong.firstFrame > pull.firstFrame );
	ENSURE( strong.firstFrame < 0 || strong.seen > 0.95 * 1.9 );
	// what has begun to tear goes through a snapshot
	if ( pull.torn.bytes != NULL )
	{
		pnWorld *a = WakeBytes( &pull.torn, 1 ), *b = WakeBytes( &pull.torn, 4 );
		Bytes again = TakeBytes( a );
		ENSURE( again.size == pull.torn.size && memcmp( again.bytes, pull.torn.bytes, again.size ) == 0 );
		for ( size_t cut = 1; cut < 40; ++cut )
		{
			ENSURE( pnWorld_Restore( b, again.bytes, again.size * cut / 40 ) == pn_badImage );
		}
		StepPieces( a, 20 );
		StepPieces( b, 20 );
		ENSURE( pnWorld_GetHash( a ) == pnWorld_GetHash( b ) );
		pnDestroyWorld( a );
		pnDestroyWorld( b );
		free( again.bytes );
	}
	free( pull.torn.bytes );
	free( crew.torn.bytes );
	free( strong.torn.bytes );
	free( never.torn.bytes );
}

// ---- bad input ----

static void BadCutsAreRefused( void )
{
	Scene scene = MakeScene( 1 );
	uint64_t hash = pnWorld_GetHash( scene.world );
	pnCutDef gone = ScenePlane();
	enum { badCount = 18 };
	pnCutDef defs[badCount];
	for ( int i = 0; i < badCount; ++i )
	{
		defs[i] = i < 12 ? ScenePlane() : SceneQuad();
	}
	defs[0].cookie = 0;
	defs[1].kind = (pnBladeKind)2;
	defs[2].kind = (pnBladeKind)-1;
	defs[3].normal = s_zero;
	defs[4].normal.x = NAN;
	defs[5].normal.y = INFINITY;
	defs[6].point.z = NAN;
	defs[7].point.x = INFINITY;
	defs[8].smallest = -0.1f;
	defs[9].smallest = 1.0f;
	defs[10].smallest = NAN;
	defs[11].body = ( pnBodyId ){ 77, 1 };
	defs[12].quad[2].x = NAN;
	defs[13].quad[0].y = -INFINITY;
	defs[14].quad[1] = defs[14].quad[2] = defs[14].quad[3] = defs[14].quad[0];
	defs[15].quad[2] = defs[15].quad[1], defs[15].quad[3] = defs[15].quad[0];
	defs[16].quad[2] = pnAdd( defs[16].quad[1], pnMakeVec3( 1.0f, 0.0f, 0.0f ) ), defs[16].quad[3] = pnAdd( defs[16].quad[0], pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
	defs[17].body = ( pnBodyId ){ -3, 1 };
	for ( int i = 0; i < badCount; ++i )
	{
		pnTestContext( "case %d", i );
		pnCutResult result = { 5, 5, 5, 5.0f };
		pnResult outcome = pnWorld_Cut( scene.world, defs + i, &result );
		ENSURE( outcome == ( i == 11 || i == 17 ? pn_notFound : pn_invalidInput ) );
		ENSURE( result.cutCount == 0 && result.pieceCount == 0 );
		ENSURE( pnWorld_Cut( scene.world, defs + i, NULL ) == outcome );
		ENSURE( pnWorld_GetHash( scene.world ) == hash );
	}
	ENSURE( pnWorld_Cut( scene.world, NULL, NULL ) == pn_invalidInput );
	ENSURE( pnWorld_GetHash( scene.world ) == hash );
	// a body that was cut is gone, and its id names nothing
	gone.body = scene.bodies[0];
	ENSURE( pnWorld_Cut( scene.world, &gone, NULL ) == pn_success );
	hash = pnWorld_GetHash( scene.world );
	ENSURE( pnWorld_Cut( scene.world, &gone, NULL ) == pn_notFound );
	ENSURE( pnWorld_GetHash( scene.world ) == hash );
	pnDestroyWorld( scene.world );
}

// Light slices between heavy bodies are squeezed and stuck, but none of them is drawn out without end.
static void CutPilesStayTame( void )
{
	const pnScene* scene = pnFindScene( "pile" );
	REQUIRE( scene != NULL );
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world = NULL;
	REQUIRE( pnCreateWorld( &worldDef, &world ) == pn_success && scene->create( world ) == pn_success );
	double widest = 0.0;
	for ( int frame = 1; frame <= 160; ++frame )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 2 ) == pn_success );
		if ( frame == 90 )
		{
			pnCutDef cut = DefPlane( pnMakeVec3( 0.0f, 0.8f, 0.0f ), pnMakeVec3( 0.2f, 1.0f, 0.1f ) );
			pnCutResult result;
			ENSURE( pnWorld_Cut( world, &cut, &result ) == pn_success && result.pieceCount > 20 );
		}
		pnBodyId bodies[512];
		int count = frame > 90 && frame % 5 == 0 ? pnWorld_GetBodies( world, bodies, 512 ) : 0;
		for ( int i = 0; i < count && i < 512; ++i )
		{
			pnBodyState state;
			pnSolidInfo info = pnSolid_GetInfo( pnBody_GetSolid( world, bodies[i] ) );
			ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
			pnVec3 now = pnSub( state.bounds.upper, state.bounds.lower ), rest = pnSub( info.bounds.upper, info.bounds.lower );
			double size = fmax( (double)rest.x, fmax( (double)rest.y, (double)rest.z ) ), wide = fmax( (double)now.x, fmax( (double)now.y, (double)now.z ) );
			ENSURE_MOST( wide / size, 3.01 );
			widest = fmax( widest, wide / size );
		}
	}
	pnTestNote( "up to %.2f times as wide as at rest", widest );
	pnDestroyWorld( world );
}

static const pnTest s_tests[] = {
	RUN( CutPilesStayTame ),
	RUN( OthersAreLeftAlone ),
	RUN( BladesThatMissChangeNothing ),
	RUN( CutsAreTheSameForAnyWorkerCount ),
	RUN( PiecesGoThroughSnapshots ),
	RUN( CutsWithoutMemoryChangeNothing ),
	RUN( PiecesAreAsTheBodyWas ),
	RUN( PinsStayWithTheirPoints ),
	RUN( GrabsHoldThePieceThatHasTheirPlace ),
	RUN( DentsStayInTheirPiece ),
	RUN( SkinsOfPiecesAreWhatTheyWere ),
	RUN( PiecesAreToldUntilTheSecondStep ),
	RUN( ChoppingLosesNothing ),
	RUN( IncisionsOpenWhenPulled ),
	RUN( NicksWeakenNothingElse ),
	RUN( BarsTearAtTheirWaist ),
	RUN( BadCutsAreRefused ),
};
SUITE( piece, s_tests );
