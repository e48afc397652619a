// test_pile.c - many bodies on each other: columns that stand and sleep, random heaps, the same bits everywhere, memory. Rows M14, H8.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For setenv and posix_memalign, also when compiled as strict C17.
#define _POSIX_C_SOURCE 200809L

#include "contact_help.h"
#include "crew.h"
#include "zoo.h"

#include <stdatomic.h>

// ---- columns ----

enum { boxCount = 3 };

static void BuildColumn( pnWorld* world, const pnSolid* solid, pnBodyId* bodies, int count )
{
	AddFloor( world, 0.5f );
	for ( int i = 0; i < count; ++i )
	{
		pnBodyDef def = DefBody( solid, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( 0.01f * (float)( i % 2 ), 0.211f + 0.421f * (float)i, 0.01f * (float)( i % 3 ) ) );
		bodies[i] = AddBody( world, &def );
	}
}

// Three boxes stand for ten seconds: each stays above the one below and none wanders off. A tower of springs sways, ever less; a taller
// one of these would buckle, for the springs of a face, m w^2 of its points, carry less than the weight above topples.
static void ColumnsStand( void )
{
	for ( int subSteps = 4; subSteps <= 8; subSteps *= 2 )
	{
		pnSolid* solid = MakeCubeSolid( 0.4f, 2.0f, 0.01f );
		pnWorld* world = MakeFallingWorld();
		pnBodyId bodies[boxCount];
		int count = boxCount;
		BuildColumn( world, solid, bodies, count );
		pnTestContext( "%d substeps", subSteps );
		StepWorld( world, 300, subSteps );
		pnVec3 before[boxCount];
		for ( int i = 0; i < count; ++i )
		{
			before[i] = StateOf( world, bodies[i] ).center;
		}
		StepWorld( world, 300, subSteps );
		for ( int i = 0; i < count; ++i )
		{
			pnBodyState state = StateOf( world, bodies[i] );
			pnTestContext( "%d substeps, box %d", subSteps, i );
			ENSURE_NEAR( state.center.x, 0.01 * ( i % 2 ), 0.04 );
			ENSURE_NEAR( state.center.z, 0.01 * ( i % 3 ), 0.04 );
			// half the weight of all above and its own presses it in; a tenth of its height is plenty for that
			ENSURE_NEAR( state.center.y, 0.21 + 0.42 * i, 0.04 * ( i + 1 ) );
			ENSURE_MOST( DistanceOf( state.center, before[i] ), 0.04 ); // in five seconds
			ENSURE_MOST( LengthOf( state.velocity ), 0.04 );
		}
		Inside inside = AskWorld( world, 1 );
		ENSURE( inside.inside == 0 );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
}

// What stands sleeps: nobody is awake, and not one bit changes from then on.
static void ColumnsSleep( void )
{
	pnSolid* solid = MakeCubeSolid( 0.4f, 2.0f, 0.01f );
	pnWorld* world = MakeSleepyWorld();
	pnBodyId bodies[boxCount];
	BuildColumn( world, solid, bodies, boxCount );
	int frame = 0;
	do
	{
		StepWorld( world, 1, 4 );
		frame += 1;
	} while ( frame < 600 && pnWorld_GetProfile( world ).awakeCount > 0 );
	ENSURE( pnWorld_GetProfile( world ).awakeCount == 0 );
	ENSURE_MOST( 30, frame ); // half a second of rest at least
	pnTestNote( "asleep after %.1f s", frame / 60.0 );
	uint64_t hash = pnWorld_GetHash( world );
	for ( int i = 0; i < 60; ++i )
	{
		StepWorld( world, 1, 4 );
		ENSURE( pnWorld_GetHash( world ) == hash );
		ENSURE( pnWorld_GetProfile( world ).awakeCount == 0 );
		// they still touch: neither begun nor ended
		pnContactEvents events = pnWorld_GetContactEvents( world );
		ENSURE( events.begunCount == 0 && events.endedCount == 0 );
	}
	ENSURE( AskWorld( world, 1 ).inside == 0 );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// Four rigid cubes, or eight of steel, set on each other a little askew: any size, spacing of points and number of substeps. They stand, and sleep.
static void StiffStacksComeToRest( void )
{
	pnRandom random = SeedOf( 71 );
	for ( int k = 0; k < 10; ++k )
	{
		int edge = 3 + pnRandomInt( &random, 3 ), subSteps = 1 << pnRandomInt( &random, 4 ), count = k % 2 == 0 ? 4 : 8;
		float size = (float)pnRandomIn( &random, 0.2, 1.0 );
		pnVec3 points[125];
		for ( int i = 0; i < edge * edge * edge; ++i )
		{
			points[i] = pnMakeVec3( (float)( i % edge ), (float)( i / edge % edge ), (float)( i / ( edge * edge ) ) );
			points[i] = pnScale( size / (float)( edge - 1 ), points[i] );
		}
		pnSolidDef solidDef = pnDefaultSolidDef();
		solidDef.points = points;
		solidDef.pointCount = edge * edge * edge;
		pnSolid* solid = NULL;
		ENSURE( pnCreateSolid( &solidDef, &solid ) == pn_success );
		pnMaterial material;
		pnFindMaterial( count == 4 ? "rigid" : "steel", &material );
		subSteps = count == 8 && subSteps == 1 ? 2 : subSteps;
		pnTestContext( "%d cubes of %.2f m, %d points an edge, %d substeps", count, (double)size, edge, subSteps );
		pnWorld* world = MakeSleepyWorld();
		AddFloor( world, 0.6f );
		pnBodyId bodies[8];
		for ( int i = 0; i < count; ++i )
		{
			float x = (float)pnRandomIn( &random, -0.02, 0.02 ), z = (float)pnRandomIn( &random, -0.02, 0.02 );
			pnBodyDef def = DefBody( solid, material, pnMakeVec3( size * x, size * ( 0.03f + 1.05f * (float)i ), size * z ) );
			bodies[i] = AddBody( world, &def );
		}
		for ( int frame = 0; frame < 360 && ( frame < 60 || pnWorld_GetProfile( world ).awakeCount > 0 ); ++frame )
		{
			StepWorld( world, 1, subSteps );
		}
		ENSURE( pnWorld_GetProfile( world ).awakeCount == 0 );
		ENSURE_MOST( StateOf( world, bodies[count - 1] ).bounds.upper.y, 1.05f * size * (float)count );
		ENSURE_MOST( 0.97f * size * (float)count, StateOf( world, bodies[count - 1] ).bounds.upper.y );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
}

// A few soft things of one kind on each other in a shaft that is a little wider than they are: what they weigh presses them hard. Or cubes that stand free, and may fall.
typedef struct Column { pnWorld* world; pnBodyId bodies[4]; int count, subSteps; float size; } Column;

static Column DrawColumn( pnRandom* random, bool damped )
{
	static const char* const names[] = { "jelly", "rubber", "flesh" };
	int shape = pnRandomInt( random, 3 ), kind = pnRandomInt( random, 4 );
	float size = (float)( 0.15 * pow( 6.0, pnRandomIn( random, 0.0, 1.0 ) ) ), half = 0.5f * size; // 0.15 to 0.9 m
	Column column = { .world = damped ? MakeSleepyWorld() : MakeFallingWorld(), .count = 2 + pnRandomInt( random, 3 ), .size = size };
	column.subSteps = damped ? 1 << pnRandomInt( random, 4 ) : 2 << pnRandomInt( random, 3 );
	Rest rest = shape == 0 ? MakeCloudRest( 5, 5, 5, 0.25f * size ) : MakeBallRest( pnMakeVec3( half, half, half ), 4 );
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = rest.points;
	solidDef.pointCount = rest.count;
	solidDef.triangles = rest.triangles;
	solidDef.triangleCount = rest.triangleCount;
	solidDef.fillSpacing = shape == 2 ? size / 6.0f : 0.0f;
	pnSolid* solid = NULL;
	ENSURE( pnCreateSolid( &solidDef, &solid ) == pn_success );
	FreeRest( &rest );
	pnMaterial material = pnDefaultMaterial();
	if ( kind < 3 )
	{
		pnFindMaterial( names[kind], &material );
	}
	material.dampingRatio = damped ? material.dampingRatio : 0.0f;
	bool free = damped && shape == 0 && column.count != 3;
	free ? (void)AddFloor( column.world, 0.5f ) : AddBin( column.world, 0.575f * size );
	for ( int i = 0; i < column.count; ++i )
	{
		float x = (float)pnRandomIn( random, -0.03, 0.03 ), z = (float)pnRandomIn( random, -0.03, 0.03 );
		pnBodyDef def = DefBody( solid, material, pnMakeVec3( size * x, size * ( 0.55f + 1.05f * (float)i ), size * z ) );
		column.bodies[i] = AddBody( column.world, &def );
	}
	pnDestroySolid( solid );
	pnTestContext( "%d %s of %s, %.2f m, %d substeps, %s", column.count, shape == 0 ? "cubes" : shape == 1 ? "hollow balls" : "filled balls", kind < 3 ? names[kind] : "default", (double)size, column.subSteps, free ? "free" : "in a shaft" );
	return column;
}

// All that is told, and that of places.
static double EnergyOfColumn( const Column* column )
{
	double energy = 0.0;
	for ( int i = 0; i < column->count; ++i )
	{
		pnBodyState state = StateOf( column->world, column->bodies[i] );
		energy += state.kinetic + state.elastic + GRAVITY * state.mass * state.center.y;
	}
	return energy;
}

// Nobody drives them. So they sleep; and undamped, what they have lost does not come back: a twelfth of what lifting them all by their size takes may be told too late.
static void LoadedColumnsComeToRest( void )
{
	pnRandom random = SeedOf( 83 );
	double most = 0.0;
	for ( int k = 0; k < 40; ++k )
	{
		bool damped = k % 2 == 0;
		Column column = DrawColumn( &random, damped );
		double lowest = 1e30, lift = 0.0, risen = 0.0;
		for ( int i = 0; i < column.count; ++i )
		{
			lift += GRAVITY * StateOf( column.world, column.bodies[i] ).mass * column.size;
		}
		int frame = 0;
		while ( frame < ( damped ? 900 : 360 ) && // free ones may stand for five seconds before they fall
				 ( frame == 0 || pnWorld_GetProfile( column.world ).awakeCount > 0 ) )
		{
			StepWorld( column.world, 1, column.subSteps );
			double energy = EnergyOfColumn( &column );
			lowest = fmin( lowest, energy );
			risen = fmax( risen, ( energy - lowest ) / lift );
			frame += 1;
		}
		if ( damped )
		{
			ENSURE( pnWorld_GetProfile( column.world ).awakeCount == 0 );
		}
		else
		{
			ENSURE_MOST( risen, 0.083 );
			most = fmax( most, risen );
		}
		pnDestroyWorld( column.world );
	}
	pnTestNote( "undamped, energy rises by %.3f of a lift by their size at most", most );
}

static pnWorld* SleepingColumns( const pnSolid* solid, pnBodyId* bodies )
{
	pnWorld* world = MakeSleepyWorld();
	BuildColumn( world, solid, bodies, boxCount );
	// one more, apart
	pnBodyDef def = DefBody( solid, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( 3.0f, 0.211f, 0.0f ) );
	bodies[boxCount] = AddBody( world, &def );
	for ( int frame = 0; frame < 600 && ( frame < 10 || pnWorld_GetProfile( world ).awakeCount > 0 ); ++frame )
	{
		StepWorld( world, 1, 4 );
	}
	ENSURE( pnWorld_GetProfile( world ).awakeCount == 0 );
	return world;
}

// What is hit wakes; what is not near sleeps on.
static void AHitWakesWhatItTouches( void )
{
	pnSolid* solid = MakeCubeSolid( 0.4f, 2.0f, 0.01f );
	pnBodyId bodies[boxCount + 1];
	pnWorld* world = SleepingColumns( solid, bodies );
	pnBodyDef def = DefBody( solid, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( 0.0f, 0.42f * boxCount + 0.5f, 0.0f ) );
	def.velocity.y = -3.0f;
	AddBody( world, &def );
	bool woke = false;
	for ( int frame = 0; frame < 60; ++frame )
	{
		StepWorld( world, 1, 4 );
		woke = woke || StateOf( world, bodies[boxCount - 1] ).awake;
		ENSURE( StateOf( world, bodies[boxCount] ).awake == false );
	}
	ENSURE( woke );
	// and all come to rest again
	for ( int frame = 0; frame < 600 && pnWorld_GetProfile( world ).awakeCount > 0; ++frame )
	{
		StepWorld( world, 1, 4 );
	}
	ENSURE( pnWorld_GetProfile( world ).awakeCount == 0 );
	ENSURE( AskWorld( world, 1 ).inside == 0 );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// Whatever takes the support away wakes all above, which then fall.
static void LosingSupportWakesAllAbove( void )
{
	for ( int way = 0; way < 3; ++way )
	{
		pnSolid* solid = MakeCubeSolid( 0.4f, 2.0f, 0.01f );
		pnBodyId bodies[boxCount + 1];
		pnWorld* world = SleepingColumns( solid, bodies );
		double before[boxCount];
		for ( int i = 0; i < boxCount; ++i )
		{
			before[i] = StateOf( world, bodies[i] ).center.y;
		}
		pnTestContext( "way %d", way );
		if ( way == 0 )
		{
			ENSURE( pnDestroyBody( world, bodies[0] ) == pn_success );
		}
		else if ( way == 1 )
		{
			pnTransform away = { { 0.0f, 0.0f, 5.0f }, pnIdentityQuat() };
			ENSURE( pnBody_SetTransform( world, bodies[0], away ) == pn_success );
		}
		else
		{
			ENSURE( pnBody_ApplyImpulse( world, bodies[0], pnMakeVec3( 0.0f, 0.0f, 40.0f ) ) == pn_success );
		}
		StepWorld( world, 90, 4 );
		for ( int i = 1; i < boxCount; ++i )
		{
			pnTestContext( "way %d, box %d", way, i );
			ENSURE_MOST( StateOf( world, bodies[i] ).center.y, before[i] - 0.2 );
		}
		ENSURE( StateOf( world, bodies[boxCount] ).awake == false );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
}

// A pile pushed by a plate that moves wakes.
static void AMovingShapeWakes( void )
{
	pnSolid* solid = MakeCubeSolid( 0.4f, 2.0f, 0.01f );
	pnBodyId bodies[boxCount + 1];
	pnWorld* world = SleepingColumns( solid, bodies );
	pnShapeDef def = DefBoxShape( pnMakeVec3( 4.0f, 0.5f, 0.0f ), pnMakeVec3( 0.1f, 0.5f, 0.5f ), 0.5f );
	pnShapeId plate = AddShape( world, &def );
	for ( int frame = 0; frame < 90; ++frame )
	{
		pnTransform target = { { 4.0f - 0.01f * (float)( frame + 1 ), 0.5f, 0.0f }, pnIdentityQuat() };
		ENSURE( pnShape_MoveTo( world, plate, target ) == pn_success );
		StepWorld( world, 1, 4 );
	}
	pnBodyState state = StateOf( world, bodies[boxCount] );
	ENSURE( state.awake );
	ENSURE_MOST( state.bounds.upper.x, 3.1 - 0.1 );
	ENSURE( StateOf( world, bodies[0] ).awake == false );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// ---- a pile of ellipsoids ----

static void FillBin( pnWorld* world, const pnSolid* solid, int count, float half, float spacing, uint64_t seed )
{
	pnRandom random = pnSeed( seed );
	int side = (int)( 2.0f * half / spacing );
	for ( int i = 0; i < count; ++i )
	{
		float x = spacing * ( (float)( i % side ) - 0.5f * (float)( side - 1 ) ), z = spacing * ( (float)( i / side % side ) - 0.5f * (float)( side - 1 ) );
		pnBodyDef def = DefBody( solid, SoftMaterial( 20.0f ), pnMakeVec3( x, 0.5f * spacing + spacing * (float)( i / ( side * side ) ), z ) );
		def.transform.p = pnAdd( def.transform.p, RandomVec3( &random, 0.04 * spacing ) );
		def.transform.q = RandomTurn( &random );
		AddBody( world, &def );
	}
}

// After four seconds nobody is inside anybody, and volumes are kept.
// A ball on top may still roll after four seconds; after six none moves faster than 0.3 m/s, however the bin was filled.
static void PilesSettleCleanly( void )
{
	double fastest = 0.0, smallest = 1.0, deepest = 0.0;
	for ( int filling = 5; filling < 9; ++filling )
	{
		pnSolid* solid = SolidOf( MakeBallRest( pnMakeVec3( 0.5f, 0.4f, 0.5f ), 4 ), 1.0f, 0.02f, 0.0f );
		pnWorld* world = MakeFallingWorld();
		AddBin( world, 1.65f );
		FillBin( world, solid, 27, 1.65f, 1.1f, filling );
		pnTestContext( "filling %d", filling );
		pnBodyId bodies[27];
		pnWorld_GetBodies( world, bodies, 27 );
		double volume = VolumeOf( world, bodies[0] );
		StepWorld( world, 240, 4 );
		Inside inside = AskWorld( world, 1 );
		ENSURE_MOST( inside.inside, 0.001 * inside.asked );
		ENSURE_MOST( inside.depth, 0.01 );
		deepest = fmax( deepest, inside.depth );
		double sum = 0.0;
		for ( int i = 0; i < 27; ++i )
		{
			double share = VolumeOf( world, bodies[i] ) / volume;
			sum += share / 27.0;
			smallest = fmin( smallest, share );
			pnVec3 center = StateOf( world, bodies[i] ).center;
			ENSURE( fabs( center.x ) < 1.65 && fabs( center.z ) < 1.65 && center.y > 0.0f );
		}
		ENSURE_NEAR( sum, 1.0, 0.03 );
		StepWorld( world, 120, 4 );
		double speed = MaxSpeed( world );
		ENSURE_MOST( speed, 0.3 );
		fastest = fmax( fastest, speed );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
	pnTestNote( "%.1e m deep; volume at least %.3f; %.3f m/s", deepest, smallest, fastest );
}

// And sleeps.
static void PilesSleep( void )
{
	pnSolid* solid = SolidOf( MakeBallRest( pnMakeVec3( 0.5f, 0.4f, 0.5f ), 4 ), 1.0f, 0.02f, 0.0f );
	pnWorld* world = MakeSleepyWorld();
	AddBin( world, 1.65f );
	FillBin( world, solid, 27, 1.65f, 1.1f, 7 );
	int frame = 0;
	for ( ; frame < 1200 && ( frame < 10 || pnWorld_GetProfile( world ).awakeCount > 0 ); ++frame )
	{
		StepWorld( world, 1, 4 );
	}
	ENSURE( pnWorld_GetProfile( world ).awakeCount == 0 );
	uint64_t hash = pnWorld_GetHash( world );
	StepWorld( world, 30, 4 );
	ENSURE( pnWorld_GetHash( world ) == hash );
	ENSURE_MOST( AskWorld( world, 1 ).depth, 0.01 );
	pnTestNote( "%d awake after %.1f s", pnWorld_GetProfile( world ).awakeCount, frame / 60.0 );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// ---- random heaps ----

enum { cubeForm, torusForm, ellipsoidForm, stickForm, tetForm, cloudForm, pointForm, lineForm, sheetForm, boxForm, formCount };

static pnSolid* MakeForm( int form, float mass, pnRandom* random )
{
	double s = pnRandomIn( random, 0.7, 1.3 );
	float k = (float)s;
	switch ( form )
	{
		case cubeForm: return SolidOf( MakeBoxRest( pnMakeVec3( 0.4f * k, 0.4f * k, 0.4f * k ), 3, 3, 3 ), mass, -1.0f, 0.0f );
		case torusForm: return SolidOf( MakeTorusRest( 0.25f * k, 0.1f * k, 16, 8 ), mass, -1.0f, pnRandomInt( random, 2 ) == 0 ? 0.0f : 0.3f );
		case ellipsoidForm: return SolidOf( MakeBallRest( pnMakeVec3( 0.25f * k, 0.15f * k, 0.3f * k ), 4 ), mass, -1.0f, 0.0f );
		case stickForm: return SolidOf( MakeBoxRest( pnMakeVec3( 1.0f * k, 0.15f * k, 0.15f * k ), 12, 2, 2 ), mass, -1.0f, 0.25f );
		case tetForm: return SolidOf( MakeTetBallRest( 0.25f * k, 3 ), mass, -1.0f, 0.0f );
		case cloudForm: return SolidOf( MakeCloudRest( 4, 4, 4, 0.1f * k ), mass, -1.0f, 0.0f );
		case pointForm: return SolidOf( MakeCloudRest( 1, 1, 1, 0.1f ), mass, 0.05f, 0.0f );
		case lineForm: return SolidOf( MakeCloudRest( 8, 1, 1, 0.06f * k ), mass, 0.03f, 0.0f );
		case sheetForm: return SolidOf( MakeCloudRest( 6, 1, 6, 0.08f * k ), mass, 0.02f, 0.0f );
		default: return SolidOf( MakeBoxRest( pnMakeVec3( 0.5f * k, 0.3f * k, 0.3f * k ), 1, 1, 1 ), mass, -1.0f, 0.0f );
	}
}

// Random bodies of random stuff, found by random detectors, thrown together in a bin with random substeps. Nothing becomes NaN, no
// energy comes from nothing, nobody leaves the bin, and what lies in the end is not sunk into each other by more than a tenth.
static void RandomHeaps( int firstSeed, int seedCount )
{
	double deepest = 0.0, highest = 0.0;
	int asked = 0, inside = 0;
	for ( int seed = firstSeed; seed < firstSeed + seedCount; ++seed )
	{
		pnRandom random = pnSeed( seed );
		pnWorld* world = MakeFallingWorld();
		AddBin( world, 1.2f );
		int count = 6 + pnRandomInt( &random, 7 ), nameCount = 0;
		const char* const* names = pnGetMaterialNames( &nameCount );
		for ( int i = 0; i < count; ++i )
		{
			int form = pnRandomInt( &random, formCount );
			pnSolid* solid = MakeForm( form, (float)pnRandomIn( &random, 0.5, 4.0 ), &random );
			pnBodyDef def = DefBody( solid, pnDefaultMaterial(), pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			pnFindMaterial( names[pnRandomInt( &random, nameCount )], &def.material );
			def.material.friction = (float)pnRandomIn( &random, 0.0, 1.0 );
			def.material.restitution = (float)pnRandomIn( &random, 0.0, 0.5 );
			// not into each other: places on a grid of 1.3 m, which the longest stick just fits
			def.transform.p = pnMakeVec3( 0.6f * (float)( i % 2 * 2 - 1 ), 0.8f + 1.3f * (float)( i / 4 ), 0.6f * (float)( i / 2 % 2 * 2 - 1 ) );
			def.transform.q = form == stickForm ? ( pnQuat ){ 0.0f, 0.0f, (float)sqrt( 0.5 ), (float)sqrt( 0.5 ) } : RandomTurn( &random );
			def.velocity = RandomVec3( &random, 3.0 );
			def.angularVelocity = RandomVec3( &random, 5.0 );
			bool tets = form == cubeForm || form == stickForm || form == tetForm || form == boxForm;
			bool closed = tets || form == torusForm || form == ellipsoidForm;
			int detector = pnRandomInt( &random, 3 );
			def.detector = tets || ( closed && detector == pn_surfaceDetector ) ? (pnDetector)detector : pn_fieldDetector;
			AddBody( world, &def );
			pnDestroySolid( solid );
		}
		double energy = MeasureEnergy( world );
		int subSteps = 1 + pnRandomInt( &random, 4 );
		pnTestContext( "seed %d, %d bodies, %d substeps", seed, count, subSteps );
		for ( int frame = 0; frame < 150; ++frame )
		{
			StepWorld( world, 1, subSteps );
			double now = MeasureEnergy( world );
			highest = fmax( highest, now / energy );
			if ( ENSURE_MOST( now, 1.01 * energy ) == false )
			{
				pnTestContext( "seed %d, %d bodies, %d substeps, frame %d", seed, count, subSteps, frame );
				break;
			}
			if ( ENSURE( pnIsWorldFinite( world ) ) == false )
			{
				break;
			}
		}
		AllPoints all = ReadWorld( world );
		for ( int i = 0; i < all.count; ++i )
		{
			double out = fmax( fmax( fabs( all.x[i].x ), fabs( all.x[i].z ) ) - 1.2, -all.x[i].y );
			deepest = fmax( deepest, out );
			if ( ENSURE_MOST( out, 0.01 ) == false )
			{
				break;
			}
		}
		FreeAll( &all );
		Inside found = AskWorld( world, 0 );
		ENSURE_MOST( found.depth, 0.25 ); // half their size: a tangle may stay, a body inside another may not
		deepest = fmax( deepest, found.depth );
		asked += found.asked;
		inside += found.inside;
		pnDestroyWorld( world );
	}
	pnTestContext( "%s", "" );
	ENSURE_MOST( inside, 0.005 * asked );
	ENSURE( 1000 * inside <= asked ); // and of all points a thousandth at most
	pnTestNote( "energy up to %.4f of the first, %.1e m deep, %d of %d inside", highest, deepest, inside, asked );
}

static void RandomHeapsStayTame( void )
{
	RandomHeaps( 1, 30 );
}

// ---- the same everywhere ----

static const char* const s_widths[] = { "scalar", "sse2", "avx2", "avx512", "simd128" };

static bool UseWidth( const char* width )
{
	setenv( "PLIANT_SIMD", width, 1 );
	pnWorld* world = MakeFallingWorld();
	bool used = strcmp( pnWorld_GetSimdName( world ), width ) == 0;
	pnDestroyWorld( world );
	return used;
}

// Bodies of all forms and detectors on top of each other, and a plate that goes through them.
typedef struct Heap
{
	pnWorld* world;
	pnShapeId plate;
	int frame;
} Heap;

static Heap MakeHeap( pnTaskSystem tasks, int bodyCount )
{
	Heap heap = { 0 };
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks = tasks;
	ENSURE( pnCreateWorld( &def, &heap.world ) == pn_success );
	AddBin( heap.world, 1.2f );
	pnShapeDef plate = DefBoxShape( pnMakeVec3( -1.1f, 0.2f, 0.0f ), pnMakeVec3( 0.05f, 0.2f, 1.0f ), 0.5f );
	heap.plate = AddShape( heap.world, &plate );
	pnRandom random = pnSeed( 99 );
	for ( int i = 0; i < bodyCount; ++i )
	{
		int form = ( 3 * i + i / formCount ) % formCount;
		pnSolid* solid = MakeForm( form, 1.0f, &random );
		pnBodyDef body = DefBody( solid, SoftMaterial( 15.0f ), pnMakeVec3( 0.55f * (float)( i % 3 ) - 0.4f, 0.35f + 0.5f * (float)( i / 6 ), 0.6f * (float)( i / 3 % 2 ) - 0.3f ) );
		body.transform.q = RandomTurn( &random );
		body.detector = form == cubeForm || form == stickForm ? pn_tetDetector : form == torusForm || form == boxForm ? pn_surfaceDetector : pn_fieldDetector;
		AddBody( heap.world, &body );
		pnDestroySolid( solid );
	}
	return heap;
}

static void RunHeap( Heap* heap, int frameCount )
{
	for ( int i = 0; i < frameCount; ++i, ++heap->frame )
	{
		int phase = heap->frame % 120;
		pnTransform target = { { -1.1f + 0.01f * (float)( phase < 60 ? phase : 120 - phase ), 0.2f, 0.0f }, pnIdentityQuat() };
		ENSURE( pnShape_MoveTo( heap->world, heap->plate, target ) == pn_success );
		ENSURE( pnWorld_Step( heap->world, STEP, 1 + heap->frame % 3 ) == pn_success );
	}
}

// Points, the ground's impulses and events of a step.
static uint64_t HashHeap( const Heap* heap )
{
	uint64_t hash = pnWorld_GetHash( heap->world );
	pnContactEvents events = pnWorld_GetContactEvents( heap->world );
	for ( int i = 0; i < events.contactCount; ++i )
	{
		uint32_t bits[3];
		memcpy( bits, &events.contacts[i].impulse, sizeof( bits ) );
		hash = ( hash ^ bits[0] ^ (uint64_t)bits[1] << 32 ^ (uint64_t)bits[2] << 16 ) * 0x9E3779B97F4A7C15ull;
		hash = ( hash ^ (uint64_t)events.contacts[i].touch.a.index1 << 20 ^ (uint64_t)events.contacts[i].touch.b.index1 ) * 0x9E3779B97F4A7C15ull;
	}
	return ( hash ^ (uint64_t)events.begunCount << 32 ^ (uint64_t)events.endedCount ) * 0x9E3779B97F4A7C15ull;
}

static uint64_t RunHeapOnce( pnTaskSystem tasks, int frameCount )
{
	Heap heap = MakeHeap( tasks, 18 );
	RunHeap( &heap, frameCount );
	ENSURE( pnIsWorldFinite( heap.world ) );
	ENSURE( pnWorld_GetProfile( heap.world ).contactCount > 0 );
	uint64_t hash = HashHeap( &heap );
	pnDestroyWorld( heap.world );
	return hash;
}

static void HeapsAreTheSameEverywhere( void )
{
	static const int workerCounts[] = { 1, 2, 3, 8 };
	const char* before = getenv( "PLIANT_SIMD" );
	char kept[64];
	snprintf( kept, sizeof( kept ), "%s", before != NULL ? before : "" );
	uint64_t wanted = RunHeapOnce( pnMakeCrew( pn_ownPool, 1 ), 60 );
	int widthCount = 0;
	for ( int w = 0; w < COUNT( s_widths ); ++w )
	{
		if ( UseWidth( s_widths[w] ) )
		{
			widthCount += 1;
			pnTestContext( "%s", s_widths[w] );
			ENSURE( RunHeapOnce( pnMakeCrew( pn_ownPool, 1 + w ), 60 ) == wanted );
		}
	}
	if ( before != NULL )
	{
		setenv( "PLIANT_SIMD", kept, 1 );
	}
	else
	{
		unsetenv( "PLIANT_SIMD" );
	}
	ENSURE( widthCount >= 1 );
	for ( int i = 1; i < COUNT( workerCounts ); ++i )
	{
		pnTestContext( "%d workers", workerCounts[i] );
		ENSURE( RunHeapOnce( pnMakeCrew( pn_ownPool, workerCounts[i] ), 60 ) == wanted );
	}
	for ( int kind = 1; kind < pn_crewKindCount; ++kind )
	{
		pnTestContext( "crew %d", kind );
		ENSURE( RunHeapOnce( pnMakeCrew( (pnCrewKind)kind, 3 ), 60 ) == wanted );
	}
	ENSURE( pnGetByteCount() == 0 );
}

// Taken down in the midst of things and put up again, in its own world or in another, a heap goes on as if nothing had happened.
static void HeapsGoOnAfterASnapshot( void )
{
	for ( int start = 15; start <= 75; start += 30 )
	{
		Heap heap = MakeHeap( pnMakeCrew( pn_ownPool, 1 ), 18 );
		RunHeap( &heap, start );
		size_t size = pnWorld_Snapshot( heap.world, NULL, 0 );
		void* image = malloc( size );
		REQUIRE( size > 0 && pnWorld_Snapshot( heap.world, image, size ) == size );
		uint64_t now = pnWorld_GetHash( heap.world );
		RunHeap( &heap, 20 );
		uint64_t wanted = pnWorld_GetHash( heap.world );
		pnTestContext( "restored at frame %d", start );
		ENSURE( wanted != now );

		ENSURE( pnWorld_Restore( heap.world, image, size ) == pn_success );
		ENSURE( pnWorld_GetHash( heap.world ) == now );
		ENSURE( pnShape_IsValid( heap.world, heap.plate ) );
		heap.frame = start;
		RunHeap( &heap, 20 );
		ENSURE( pnWorld_GetHash( heap.world ) == wanted );
		pnDestroyWorld( heap.world );

		pnTestContext( "restored in another world at frame %d", start );
		Heap other = { MakeFallingWorld(), heap.plate, start };
		ENSURE( pnWorld_Restore( other.world, image, size ) == pn_success );
		ENSURE( pnWorld_GetHash( other.world ) == now );
		if ( ENSURE( pnShape_IsValid( other.world, other.plate ) ) )
		{
			RunHeap( &other, 20 );
			ENSURE( pnWorld_GetHash( other.world ) == wanted );
		}
		pnDestroyWorld( other.world );
		free( image );
	}
	ENSURE( pnGetByteCount() == 0 );
}

// ---- memory ----

#define ROOM_BEFORE 64

static atomic_int s_allocCount, s_untilFailure, s_failures;
static atomic_llong s_held;
static bool s_lasting; // failures go on

static void* CountAlloc( size_t size, size_t alignment )
{
	atomic_fetch_add( &s_allocCount, 1 );
	if ( atomic_load( &s_untilFailure ) >= 0 && ( atomic_fetch_sub( &s_untilFailure, 1 ) <= 0 ) )
	{
		atomic_fetch_add( &s_failures, 1 );
		atomic_store( &s_untilFailure, s_lasting ? 0 : -1 );
		return NULL;
	}
	void* memory = NULL;
	if ( alignment > ROOM_BEFORE || posix_memalign( &memory, ROOM_BEFORE, size + ROOM_BEFORE ) != 0 )
	{
		return NULL;
	}
	memset( (char*)memory + ROOM_BEFORE, 0xA5, size );
	atomic_fetch_add( &s_held, (long long)size );
	return (char*)memory + ROOM_BEFORE;
}

static void CountFree( void* memory, size_t size )
{
	atomic_fetch_sub( &s_held, (long long)size );
	memset( memory, 0xDD, size );
	free( (char*)memory - ROOM_BEFORE );
}

static void StartCounting( void )
{
	ENSURE( pnGetByteCount() == 0 );
	atomic_store( &s_allocCount, 0 );
	atomic_store( &s_failures, 0 );
	atomic_store( &s_held, 0 );
	atomic_store( &s_untilFailure, -1 );
	pnSetAllocator( CountAlloc, CountFree );
}

static void StopCounting( void )
{
	atomic_store( &s_untilFailure, -1 );
	ENSURE( pnGetByteCount() == 0 );
	ENSURE( s_held == 0 );
	pnSetAllocator( NULL, NULL );
}

static void SettledPilesAllocateNothing( void )
{
	for ( int workerCount = 1; workerCount <= 3; workerCount += 2 )
	{
		StartCounting();
		pnSolid* solid = SolidOf( MakeBallRest( pnMakeVec3( 0.25f, 0.2f, 0.25f ), 3 ), 1.0f, 0.01f, 0.0f );
		pnWorldDef def = pnDefaultWorldDef();
		def.enableSleep = false;
		def.tasks.workerCount = workerCount;
		pnWorld* world = NULL;
		REQUIRE( pnCreateWorld( &def, &world ) == pn_success );
		AddBin( world, 0.8f );
		FillBin( world, solid, 18, 0.8f, 0.55f, 11 );
		pnDestroySolid( solid );
		StepWorld( world, 240, 2 );
		int before = s_allocCount;
		int64_t bytes = pnGetByteCount();
		for ( int frame = 0; frame < 60; ++frame )
		{
			pnTestContext( "%d workers, frame %d", workerCount, frame );
			StepWorld( world, 1, 2 );
			ENSURE( s_allocCount == before );
		}
		ENSURE( pnWorld_GetProfile( world ).contactCount > 0 );
		ENSURE( pnGetByteCount() == bytes );
		ENSURE( pnWorld_GetProfile( world ).droppedCount == 0 );
		pnDestroyWorld( world );
		StopCounting();
	}
}

// No memory during a step: once, at any time, or for good. The step ends, nothing is NaN, and once there is memory again things are found.
static void StepsSurviveNoMemory( void )
{
	int failures = 0;
	for ( int n = 0; n < 40; ++n )
	{
		pnTestContext( "failure %d", n );
		StartCounting();
		s_lasting = n % 2 == 1;
		Heap heap = MakeHeap( pnMakeCrew( pn_ownPool, 1 ), 6 );
		atomic_store( &s_untilFailure, n / 2 );
		for ( int frame = 0; frame < 20; ++frame )
		{
			pnTransform target = { { -1.1f + 0.01f * (float)frame, 0.2f, 0.0f }, pnIdentityQuat() };
			ENSURE( pnShape_MoveTo( heap.world, heap.plate, target ) == pn_success );
			pnResult result = pnWorld_Step( heap.world, STEP, 2 );
			ENSURE( result == pn_success || result == pn_outOfMemory );
		}
		failures += s_failures;
		ENSURE( pnIsWorldFinite( heap.world ) );
		atomic_store( &s_untilFailure, -1 );
		heap.frame = 20;
		RunHeap( &heap, 10 );
		ENSURE( pnIsWorldFinite( heap.world ) );
		ENSURE( pnWorld_GetProfile( heap.world ).contactCount > 0 );
		ENSURE( pnWorld_GetProfile( heap.world ).droppedCount == 0 );
		pnDestroyWorld( heap.world );
		StopCounting();
	}
	ENSURE( failures > 40 );
}

static const pnTest s_tests[] = {
	RUN( ColumnsStand ),
	RUN( ColumnsSleep ),
	RUN( StiffStacksComeToRest ),
	RUN( LoadedColumnsComeToRest ),
	RUN( AHitWakesWhatItTouches ),
	RUN( LosingSupportWakesAllAbove ),
	RUN( AMovingShapeWakes ),
	RUN( PilesSettleCleanly ),
	RUN( PilesSleep ),
	RUN( RandomHeapsStayTame ),
	RUN( HeapsAreTheSameEverywhere ),
	RUN( HeapsGoOnAfterASnapshot ),
	RUN( SettledPilesAllocateNothing ),
	RUN( StepsSurviveNoMemory ),
};
SUITE( pile, s_tests );
