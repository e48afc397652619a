// test_sleep.c - islands: who falls asleep when, and what wakes whom. Knows only the public library.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "contact_help.h"

#define SIDE 0.5f // m, of the cubes

static pnMaterial PresetOf( const char* name )
{
	pnMaterial material = pnDefaultMaterial();
	ENSURE( pnFindMaterial( name, &material ) == pn_success );
	return material;
}

static pnSolid* MakeSleepCube( void )
{
	return SolidOf( MakeBoxRest( pnMakeVec3( SIDE, SIDE, SIDE ), 4, 4, 4 ), 100.0f, -1.0f, 0.0f );
}

enum { mostStacked = 8 };

static void StackCubes( pnWorld* world, const pnSolid* solid, const char* preset, int count, pnRandom random, pnBodyId* bodies )
{
	AddFloor( world, 0.6f );
	for ( int i = 0; i < count; ++i )
	{
		pnBodyDef def = DefBody( solid, PresetOf( preset ), pnMakeVec3( 0.0f, SIDE * ( 0.52f + 1.03f * (float)i ), 0.0f ) );
		def.transform.p.x = (float)pnRandomIn( &random, -0.005, 0.005 );
		def.transform.p.z = (float)pnRandomIn( &random, -0.005, 0.005 );
		bodies[i] = AddBody( world, &def );
	}
}

static int CountAwake( pnWorld* world ) { return pnWorld_GetProfile( world ).awakeCount; }

// Two cubes of rubber sleep within two seconds of standing still, and not while they move: a twin that never sleeps tells when that is.
static void StackedRubberSleepsSoon( void )
{
	pnRandom random = SeedOf( 1 );
	pnSolid* solid = MakeSleepCube();
	for ( int run = 0; run < 3; ++run )
	{
		pnRandom place = pnSeed( pnRandomInt( &random, 1 << 20 ) );
		pnWorld *sleepy = MakeSleepyWorld(), *watched = MakeFallingWorld();
		pnBodyId bodies[2];
		StackCubes( sleepy, solid, "rubber", 2, place, bodies );
		StackCubes( watched, solid, "rubber", 2, place, bodies );
		double still = 0.0, asleep = 99.0;
		for ( int frame = 1; frame <= 600; ++frame )
		{
			StepWorld( sleepy, 1, 4 );
			StepWorld( watched, 1, 4 );
			bool moves = LengthOf( StateOf( watched, bodies[0] ).velocity ) > 0.02 * sqrt( 9.81 * SIDE ) || LengthOf( StateOf( watched, bodies[1] ).velocity ) > 0.02 * sqrt( 9.81 * SIDE );
			still = moves ? frame / 60.0 : still;
			asleep = CountAwake( sleepy ) == 0 && asleep > 98.0 ? frame / 60.0 : asleep;
		}
		pnTestContext( "run %d: still after %.2f s, asleep after %.2f s", run, still, asleep );
		ENSURE_MOST( asleep, still + 2.0 );
		ENSURE_MOST( 0.5, asleep );
		pnTestNote( "still after %.2f s, asleep after %.2f s", still, asleep );
		pnDestroyWorld( sleepy );
		pnDestroyWorld( watched );
	}
	pnDestroySolid( solid );
}

// Bodies of one and of two points, as cuts leave them, lie on a cube and beside it: none of them keeps the others awake.
static void CrumbsLetOthersSleep( void )
{
	static const char* const presets[] = { "foam", "rubber", "wood" };
	static const pnVec3 points[2] = { { 0.0f, 0.0f, 0.0f }, { 0.004f, 0.0f, 0.0f } };
	pnRandom random = SeedOf( 6 );
	pnSolid* cube = MakeSleepCube();
	for ( int run = 0; run < 3; ++run )
	{
		pnWorld* world = MakeSleepyWorld();
		AddFloor( world, 0.6f );
		pnBodyDef def = DefBody( cube, PresetOf( presets[run] ), pnMakeVec3( 0.0f, 0.52f * SIDE, 0.0f ) );
		AddBody( world, &def );
		for ( int i = 0; i < 6; ++i )
		{
			pnSolidDef solidDef = pnDefaultSolidDef();
			solidDef.points = points;
			solidDef.pointCount = 1 + i % 2;
			pnSolid* crumb = NULL;
			REQUIRE( pnCreateSolid( &solidDef, &crumb ) == pn_success );
			double x = pnRandomIn( &random, -0.2, 0.2 ) + ( i < 3 ? 0.0 : 0.6 ), z = pnRandomIn( &random, -0.2, 0.2 );
			def = DefBody( crumb, PresetOf( presets[run] ), pnMakeVec3( (float)x, 1.1f * SIDE, (float)z ) );
			AddBody( world, &def );
			pnDestroySolid( crumb );
		}
		StepWorld( world, 600, 2 );
		pnTestContext( "%s", presets[run] );
		ENSURE( CountAwake( world ) == 0 );
		pnDestroyWorld( world );
	}
	pnDestroySolid( cube );
}

// A stack falls asleep in one step, all of it; and wakes in one when its lowest goes, however high it is.
static void StacksSleepAndWakeAsOne( void )
{
	static const char* const presets[] = { "wood", "steel", "rigid", "clay" };
	pnRandom random = SeedOf( 2 );
	pnSolid* solid = MakeSleepCube();
	for ( int run = 0; run < 4; ++run )
	{
		int count = 3 + pnRandomInt( &random, run < 2 ? 4 : 1 );
		pnWorld* world = MakeSleepyWorld();
		pnBodyId bodies[mostStacked];
		StackCubes( world, solid, presets[run], count, pnSeed( pnRandomInt( &random, 1 << 20 ) ), bodies );
		int frame = 0, before = count;
		do
		{
			before = CountAwake( world );
			StepWorld( world, 1, 4 );
			frame += 1;
		} while ( frame < 900 && ( frame < 5 || CountAwake( world ) == count ) );
		pnTestContext( "%d of %s, frame %d", count, presets[run], frame );
		ENSURE( before == count && CountAwake( world ) == 0 );
		ENSURE( pnDestroyBody( world, bodies[0] ) == pn_success );
		StepWorld( world, 1, 4 );
		ENSURE( CountAwake( world ) == count - 1 );
		pnDestroyWorld( world );
	}
	pnDestroySolid( solid );
}

// One that is moved for good keeps those awake that it touches, and nobody else of a row of twenty.
static void AMoverKeepsItsNeighboursAwake( void )
{
	enum { count = 20 };
	pnSolid* solid = MakeSleepCube();
	pnWorld* world = MakeSleepyWorld();
	AddFloor( world, 0.6f );
	pnBodyId bodies[count];
	for ( int i = 0; i < count; ++i )
	{
		pnBodyDef def = DefBody( solid, PresetOf( "wood" ), pnMakeVec3( ( SIDE + 0.008f ) * (float)i, 0.52f * SIDE, 0.0f ) );
		bodies[i] = AddBody( world, &def );
	}
	pnVec3 points[125];
	int pointCount = pnBody_WritePoints( world, bodies[0], points, NULL, 125 );
	ENSURE( pointCount == 125 );
	int32_t top[25];
	pnVec3 targets[25];
	int topCount = 0;
	for ( int i = 0; i < pointCount; ++i )
	{
		if ( points[i].y > 0.9f * SIDE && topCount < 25 )
		{
			top[topCount++] = i;
		}
	}
	for ( int frame = 1; frame <= 300; ++frame )
	{
		for ( int i = 0; i < topCount; ++i )
		{
			targets[i] = pnAdd( points[top[i]], pnMakeVec3( 0.0f, 0.0f, 0.02f * (float)sin( 0.2 * frame ) ) );
		}
		ENSURE( pnBody_Pin( world, bodies[0], top, targets, topCount ) == pn_success );
		StepWorld( world, 1, 4 );
	}
	ENSURE( StateOf( world, bodies[0] ).awake );
	for ( int i = 3; i < count; ++i )
	{
		pnTestContext( "body %d", i );
		ENSURE( StateOf( world, bodies[i] ).awake == false );
	}
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// What swings is not stopped: an undamped soft cube on the floor, let go from a tenth above it, stays awake as long as it is watched, whatever its frequency.
static void WhatSwingsIsNotStopped( void )
{
	pnRandom random = SeedOf( 3 );
	pnSolid* solid = MakeSleepCube();
	for ( int run = 0; run < 4; ++run )
	{
		pnMaterial material = PresetOf( "jelly" );
		material.hertz = (float)pnRandomIn( &random, 2.5, 8.0 );
		material.dampingRatio = 0.0f;
		pnWorld* world = MakeSleepyWorld();
		AddFloor( world, 0.0f );
		pnBodyDef def = DefBody( solid, material, pnMakeVec3( 0.0f, 0.6f * SIDE, 0.0f ) );
		pnBodyId body = AddBody( world, &def );
		double low = 9.0, high = 0.0;
		for ( int frame = 1; frame <= 600; ++frame )
		{
			StepWorld( world, 1, 4 );
			double y = StateOf( world, body ).center.y;
			low = frame > 480 ? fmin( low, y ) : low;
			high = frame > 480 ? fmax( high, y ) : high;
			pnTestContext( "%.1f Hz, frame %d", (double)material.hertz, frame );
			if ( StateOf( world, body ).awake == false )
			{
				ENSURE_MOST( high - low, 0.01 * SIDE ); // it had come to rest by what contact takes
				break;
			}
		}
		pnTestNote( "%.1f Hz: %s, its centre moves by %.1f mm in the end", (double)material.hertz, StateOf( world, body ).awake ? "awake" : "asleep", 1e3 * ( high - low ) );
		pnDestroyWorld( world );
	}
	pnDestroySolid( solid );
}

// A ball that sleeps and is hit moves on as one that was awake does: it does not stand like a wall for the step in which it is met.
static void SleepersAreHitAsIfAwake( void )
{
	pnRandom random = SeedOf( 4 );
	pnSolid* ball = MakeBallSolid( 0.2f, 5.0f, 0.004f );
	for ( int run = 0; run < 4; ++run )
	{
		float speed = (float)pnRandomIn( &random, 1.0, 12.0 );
		int subSteps = 1 << pnRandomInt( &random, 4 );
		double after[2] = { 0.0, 0.0 };
		for ( int kind = 0; kind < 2; ++kind )
		{
			pnWorldDef worldDef = pnDefaultWorldDef();
			worldDef.gravity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
			worldDef.enableSleep = kind == 0;
			pnWorld* world = NULL;
			ENSURE( pnCreateWorld( &worldDef, &world ) == pn_success );
			pnBodyDef def = DefBody( ball, PresetOf( "steel" ), pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			pnBodyId target = AddBody( world, &def );
			StepWorld( world, 60, subSteps );
			ENSURE( StateOf( world, target ).awake == ( kind == 1 ) );
			def.transform.p.x = -1.5f;
			def.velocity.x = speed;
			AddBody( world, &def );
			StepWorld( world, 120, subSteps );
			after[kind] = StateOf( world, target ).velocity.x;
			pnDestroyWorld( world );
		}
		pnTestContext( "%.1f m/s, %d substeps: %.3f and %.3f m/s", (double)speed, subSteps, after[0], after[1] );
		ENSURE( after[1] > 0.4 * speed );
		ENSURE_NEAR( after[0], after[1], 0.02 * speed );
	}
	pnDestroySolid( ball );
}

// All points of a body lie where they did, moved by this from now on: it is held, and led slowly.
static void LeadBody( pnWorld* world, pnBodyId body, const pnVec3* points, int count, pnVec3 by )
{
	int32_t all[125];
	pnVec3 targets[125];
	for ( int i = 0; i < count; ++i )
	{
		all[i] = i;
		targets[i] = pnAdd( points[i], by );
	}
	ENSURE( pnBody_Pin( world, body, all, targets, count ) == pn_success );
}

// Whoever is pressed or no longer carried wakes, however slowly that comes to it: the first of six is led so slowly that nobody would call it a mover, in a row that it
// pushes or under a stack that it lowers or lifts, and the sleepers end where they do in a world in which nobody ever sleeps.
static void SleepersFeelWhatIsSlow( void )
{
	static const char* const presets[] = { "wood", "wood", "steel", "rigid", "steel", "wood" };
	enum { count = 6 };
	pnRandom random = SeedOf( 5 );
	pnSolid* solid = MakeSleepCube();
	for ( int run = 0; run < 6; ++run )
	{
		pnWorld* worlds[2] = { MakeSleepyWorld(), MakeFallingWorld() };
		pnVec3 ends[2][count];
		bool row = run % 3 == 0;
		float speed = (float)pnRandomIn( &random, 0.02, 0.05 ) * ( run % 3 == 1 ? -1.0f : 1.0f );
		pnRandom place = pnSeed( pnRandomInt( &random, 1 << 20 ) );
		for ( int kind = 0; kind < 2; ++kind )
		{
			pnWorld* world = worlds[kind];
			pnRandom same = place;
			pnBodyId bodies[count];
			pnVec3 points[125];
			AddFloor( world, row ? 0.1f : 0.6f );
			for ( int i = 0; i < count; ++i )
			{
				float along = 1.01f * SIDE * (float)i;
				pnBodyDef def = DefBody( solid, PresetOf( presets[run] ), row ? pnMakeVec3( along, 0.5f * SIDE + 0.006f, 0.0f ) : pnMakeVec3( 0.0f, along + SIDE, 0.0f ) );
				def.transform.p.z = (float)pnRandomIn( &same, -0.005, 0.005 );
				bodies[i] = AddBody( world, &def );
			}
			int pointCount = pnBody_WritePoints( world, bodies[0], points, NULL, 125 );
			LeadBody( world, bodies[0], points, pointCount, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			StepWorld( world, 600, 4 );
			pnTestContext( "run %d, %s: %d awake", run, presets[run], CountAwake( world ) );
			ENSURE( CountAwake( world ) == ( kind == 0 ? 1 : count ) );
			for ( int frame = 1; frame <= 300; ++frame )
			{
				float by = speed * (float)frame / 60.0f;
				LeadBody( world, bodies[0], points, pointCount, row ? pnMakeVec3( by, 0.0f, 0.0f ) : pnMakeVec3( 0.0f, by, 0.0f ) );
				StepWorld( world, 1, 4 );
			}
			StepWorld( world, 120, 4 );
			for ( int i = 0; i < count; ++i )
			{
				ends[kind][i] = StateOf( world, bodies[i] ).center;
			}
		}
		for ( int i = 0; i < count; ++i )
		{
			double off = row ? ends[0][i].x - ends[1][i].x : ends[0][i].y - ends[1][i].y;
			pnTestContext( "run %d, %s, body %d, %.1f cm/s: %.1f mm off", run, presets[run], i, 1e2 * (double)speed, 1e3 * off );
			ENSURE_MOST( fabs( off ), 0.01 * SIDE );
		}
		pnDestroyWorld( worlds[0] );
		pnDestroyWorld( worlds[1] );
	}
	pnDestroySolid( solid );
}

// A cube with pins below is cut: what lies on it sleeps, and is not woken by what trembles under it by a float's rounding.
static void PiecesOnPinsStayAsleep( void )
{
	static const char* const presets[] = { "wood", "steel", "foam", "rubber", "clay", "flesh" };
	pnRandom random = SeedOf( 7 );
	pnSolid* solid = SolidOf( MakeBoxRest( pnMakeVec3( 0.8f, 0.8f, 0.8f ), 1, 1, 1 ), 100.0f, -1.0f, 0.13f );
	for ( int run = 0; run < 6; ++run )
	{
		pnWorld* world = MakeSleepyWorld();
		AddFloor( world, 0.6f );
		pnBodyDef def = DefBody( solid, PresetOf( presets[run] ), pnMakeVec3( 0.0f, 0.42f, 0.0f ) );
		pnBodyId body = AddBody( world, &def );
		pnVec3 points[1000], targets[1000];
		int32_t held[1000];
		int count = pnBody_WritePoints( world, body, points, NULL, 1000 ), heldCount = 0;
		ENSURE( count <= 1000 );
		for ( int i = 0; i < count; ++i )
		{
			if ( points[i].y < 0.1f )
			{
				held[heldCount] = i;
				targets[heldCount++] = points[i];
			}
		}
		ENSURE( pnBody_Pin( world, body, held, targets, heldCount ) == pn_success );
		StepWorld( world, 120, 3 );
		pnCutDef cut = pnDefaultCutDef();
		cut.point = pnMakeVec3( 0.0f, 0.45f, 0.0f );
		cut.normal = pnMakeVec3( (float)pnRandomIn( &random, 0.0, 0.3 ), 1.0f, 0.0f );
		pnCutResult result;
		ENSURE( pnWorld_Cut( world, &cut, &result ) == pn_success && result.pieceCount == 2 );
		StepWorld( world, 360, 3 );
		for ( int frame = 0; frame < 300; ++frame )
		{
			StepWorld( world, 1, 3 );
			pnTestContext( "%s, frame %d", presets[run], frame );
			ENSURE( CountAwake( world ) == 1 );
		}
		pnDestroyWorld( world );
	}
	pnDestroySolid( solid );
}

// A pile of balls sleeps; the one on top is taken up slowly: it wakes its neighbours and not the pile.
static void WhoIsTakenFromAPileWakesFew( void )
{
	enum { wide = 4, high = 4, count = wide * wide * high };
	pnRandom random = SeedOf( 6 );
	pnSolid* ball = MakeBallSolid( 0.2f, 5.0f, 0.004f );
	pnWorld* world = MakeSleepyWorld();
	AddFloor( world, 0.6f );
	for ( int side = 0; side < 4; ++side )
	{
		pnShapeDef wall = pnDefaultShapeDef();
		wall.kind = pn_boxShape;
		wall.halfExtents = side < 2 ? pnMakeVec3( 0.1f, 2.0f, 2.0f ) : pnMakeVec3( 2.0f, 2.0f, 0.1f );
		wall.transform.p = side < 2 ? pnMakeVec3( side == 0 ? -1.0f : 1.0f, 0.0f, 0.0f ) : pnMakeVec3( 0.0f, 0.0f, side == 2 ? -1.0f : 1.0f );
		pnShapeId id;
		ENSURE( pnCreateShape( world, &wall, &id ) == pn_success );
	}
	pnBodyId bodies[count];
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 at = { 0.43f * (float)( i % wide - 2 ) + 0.21f, 0.25f + 0.43f * (float)( i / ( wide * wide ) ), 0.43f * (float)( i / wide % wide - 2 ) + 0.21f };
		at.x += (float)pnRandomIn( &random, -0.01, 0.01 );
		at.z += (float)pnRandomIn( &random, -0.01, 0.01 );
		pnBodyDef def = DefBody( ball, PresetOf( "wood" ), at );
		bodies[i] = AddBody( world, &def );
	}
	int frames = 0;
	do
	{
		StepWorld( world, 1, 4 );
		frames += 1;
	} while ( frames < 1200 && CountAwake( world ) > 0 );
	ENSURE( CountAwake( world ) == 0 );
	int highest = 0;
	for ( int i = 1; i < count; ++i )
	{
		highest = StateOf( world, bodies[i] ).center.y > StateOf( world, bodies[highest] ).center.y ? i : highest;
	}
	pnVec3 at = StateOf( world, bodies[highest] ).center;
	pnGrabDef def = pnDefaultGrabDef();
	def.body = bodies[highest];
	def.place = at;
	def.radius = 0.3f;
	pnGrabId grab;
	ENSURE( pnCreateGrab( world, &def, &grab ) == pn_success );
	int most = 0;
	for ( int frame = 1; frame <= 180; ++frame )
	{
		ENSURE( pnGrab_MoveTo( world, grab, pnAdd( at, pnMakeVec3( 0.0f, 0.0015f * (float)frame, 0.0f ) ) ) == pn_success );
		StepWorld( world, 1, 4 );
		most = CountAwake( world ) > most ? CountAwake( world ) : most;
	}
	pnTestNote( "at most %d of %d awake", most, count );
	ENSURE( StateOf( world, bodies[highest] ).awake );
	ENSURE_MOST( most, count / 3 );
	pnDestroyWorld( world );
	pnDestroySolid( ball );
}

static const pnTest s_tests[] = {
	RUN( StackedRubberSleepsSoon ),
	RUN( CrumbsLetOthersSleep ),
	RUN( StacksSleepAndWakeAsOne ),
	RUN( AMoverKeepsItsNeighboursAwake ),
	RUN( WhatSwingsIsNotStopped ),
	RUN( SleepersAreHitAsIfAwake ),
	RUN( SleepersFeelWhatIsSlow ),
	RUN( PiecesOnPinsStayAsleep ),
	RUN( WhoIsTakenFromAPileWakesFew ),
};
SUITE( sleep, s_tests );
