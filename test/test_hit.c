// test_hit.c - what contact does to bodies that hit something: what they get back, whether they stay whole, and the way out of themselves.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "contact_help.h"

#include "../bench/contact_scenes.h"

static double WidestOf( pnWorld* world, pnBodyId body )
{
	static pnVec3 points[1024];
	double widest = 0.0;
	int count = pnBody_WritePoints( world, body, points, NULL, COUNT( points ) );
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < i; ++j )
		{
			widest = fmax( widest, DistanceOf( points[i], points[j] ) );
		}
	}
	return widest;
}

// A mass on a spring and a dashpot that push and never pull leaves at this part of its speed (Schwager and Poeschel 2007).
static double PartGivenBack( double ratio )
{
	double root = sqrt( 1.0 - ratio * ratio );
	return root < 1e-6 ? exp( -2.0 ) : exp( -ratio / root * atan2( 2.0 * ratio * root, 2.0 * ratio * ratio - 1.0 ) );
}

// A cube that lies is set rocking about its face. Its centre swings from side to side, each time by a part exp( -pi ratio / sqrt( 1 - ratio^2 ) ) of the last: like a mass on a
// spring, with about the damping ratio of its material, though few of its points touch. Frequency and size of the swing do not matter, nor do substeps.
static void CubesRockAsTheirDampingSays( void )
{
	pnRandom random = SeedOf( 823 );
	double least = 9.0, most = 0.0;
	for ( int n = 0; n < 24; ++n )
	{
		int kind = n % 3, subSteps = 2 << pnRandomInt( &random, 3 ); // at one substep steps are too long for wood
		float size = (float)pnRandomIn( &random, kind == 1 ? 0.5 : 0.25, 0.8 ); // smaller default cubes hardly swing: they are about to buckle
		pnMaterial material = pnDefaultMaterial();
		if ( kind != 1 )
		{
			pnFindMaterial( kind == 0 ? "rubber" : "wood", &material );
		}
		pnTestContext( "%s, %.2f m, %d substeps", kind == 0 ? "rubber" : kind == 1 ? "default" : "wood", (double)size, subSteps );
		pnSolid* solid = SolidOf( MakeCloudRest( 5, 5, 5, 0.25f * size ), 100.0f, -1.0f, 0.0f );
		pnWorld* world = MakeFallingWorld();
		AddFloor( world, 0.8f );
		pnBodyDef def = DefBody( solid, material, pnMakeVec3( 0.0f, 0.51f * size, 0.0f ) );
		pnBodyId body = AddBody( world, &def );
		StepWorld( world, 240, subSteps );
		float turn = (float)pnRandomIn( &random, 0.1, 0.4 ), height = StateOf( world, body ).center.y;
		pnBody_SetVelocity( world, body, pnMakeVec3( turn * height, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, -turn ) );
		double first = 0.0, last = 0.0, peak = 0.0, before = 0.0;
		int swings = -1; // the first half of a swing is the one it was given
		for ( int frame = 0; frame < 420 && !( last < 0.03 * first && swings > 0 ); ++frame )
		{
			StepWorld( world, 1, subSteps );
			double speed = StateOf( world, body ).velocity.x;
			if ( speed * before < 0.0 && frame > 2 )
			{
				swings += 1;
				first = swings == 0 ? 0.0 : swings == 1 ? peak : first;
				last = peak;
				peak = 0.0;
			}
			peak = fmax( peak, fabs( speed ) );
			before = speed;
		}
		ENSURE( swings >= 3 );
		double decrement = log( first / last ) / ( swings - 1 ), ratio = decrement / sqrt( TEST_PI * TEST_PI + decrement * decrement ) / (double)material.dampingRatio;
		ENSURE_MOST( 0.5, ratio );
		ENSURE_MOST( ratio, 1.1 );
		least = fmin( least, ratio ), most = fmax( most, ratio );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
	pnTestNote( "%.2f to %.2f of their material's ratio", least, most );
}

// What damps rocking does not stop what rolls: a ball of facets, which rocks from one to the next, goes on by its steady turn. (If all of its turn were damped, some would
// have less than a fifth of their speed after two seconds.)
static void BallsRollOn( void )
{
	pnRandom random = SeedOf( 824 );
	double least = 9.0;
	for ( int n = 0; n < 6; ++n )
	{
		float radius = (float)pnRandomIn( &random, 0.1, 0.4 ), speed = (float)pnRandomIn( &random, 1.0, 2.0 );
		int subSteps = 2 << pnRandomInt( &random, 3 );
		pnMaterial material = pnDefaultMaterial();
		ENSURE( pnFindMaterial( "wood", &material ) == pn_success );
		pnSolid* ball = SolidOf( MakeBallRest( pnMakeVec3( radius, radius, radius ), 8 ), 10.0f, -1.0f, 0.25f * radius );
		pnWorld* world = MakeFallingWorld();
		AddFloor( world, 0.8f );
		pnBodyDef def = DefBody( ball, material, pnMakeVec3( 0.0f, radius + 0.003f, 0.0f ) );
		def.velocity = pnMakeVec3( speed, 0.0f, 0.0f );
		def.angularVelocity = pnMakeVec3( 0.0f, 0.0f, -speed / radius );
		pnBodyId body = AddBody( world, &def );
		StepWorld( world, 120, subSteps );
		double part = StateOf( world, body ).velocity.x / speed;
		pnTestContext( "%.2f m, %.1f m/s, %d substeps: %.2f of its speed after 2 s", (double)radius, (double)speed, subSteps, part );
		ENSURE_MOST( 0.2, part );
		least = fmin( least, part );
		pnDestroyWorld( world );
		pnDestroySolid( ball );
	}
	pnTestNote( "at least %.2f of their speed after 2 s", least );
}

// Without restitution a ball rises by what a spring of its damping ratio gives back, however few of its points touch and however long a substep is.
static void BallsGiveBackWhatTheirDampingLeaves( void )
{
	pnRandom random = SeedOf( 821 );
	double most = -1.0, least = 1.0;
	for ( int n = 0; n < 48; ++n )
	{
		float radius = (float)pnRandomIn( &random, 0.2, 0.5 );
		pnSolid* ball = MakeBallSolid( radius, 10.0f, 0.01f * radius );
		pnMaterial material = pnDefaultMaterial();
		material.mode = n % 3 == 0 ? pn_rigidMode : pn_linearMode;
		material.hertz = (float)pnRandomIn( &random, 40.0, 120.0 );
		material.dampingRatio = n % 2 == 0 ? 1.0f : (float)pnRandomIn( &random, 0.4, 1.0 );
		material.stretch = 0.05f;
		double height = pnRandomIn( &random, 0.5, 2.0 ), low = 1e9, last = 1e9, top = 0.0;
		int subSteps = 1 << pnRandomInt( &random, 4 );
		pnTestContext( "radius %.2f, %.0f Hz, ratio %.2f, from %.2f m, %d substeps", (double)radius, (double)material.hertz, (double)material.dampingRatio, height, subSteps );
		pnWorld* world = MakeFallingWorld();
		AddFloor( world, 0.5f );
		pnBodyDef def = DefBody( ball, material, pnMakeVec3( 0.0f, 1.01f * radius + (float)height, 0.0f ) );
		def.transform.q = RandomTurn( &random );
		pnBodyId body = AddBody( world, &def );
		for ( int frame = 0; frame < 240; ++frame )
		{
			StepWorld( world, 1, subSteps );
			double y = StateOf( world, body ).center.y;
			low = fmin( low, y );
			top = y > last && frame > 5 ? fmax( top, y ) : top;
			last = y;
		}
		double e = PartGivenBack( material.dampingRatio ), share = fmax( 0.0, top - last ) / height;
		most = fmax( most, share - e * e ), least = fmin( least, share - e * e );
		ENSURE_MOST( share, e * e + 0.02 );
		pnDestroyWorld( world );
		pnDestroySolid( ball );
	}
	pnTestNote( "%.3f to %.3f of the height beyond a spring and a dashpot", least, most );
}

// Five centimetres at 40 and 100 m/s against something ten times as large: it stops or glances off, turns no faster than it can bear, and stays whole.
static void BulletsStayWhole( void )
{
	static const char* const presets[] = { "rubber", "wood", "steel" };
	static const char* const targets[] = { "jelly", "rubber", "clay", "wood", "steel" };
	pnRandom random = SeedOf( 822 );
	double worst = 0.0;
	pnSolid* bullets[2] = { SolidOf( MakeBoxRest( pnMakeVec3( 0.05f, 0.05f, 0.05f ), 2, 2, 2 ), 0.1f, -1.0f, 0.0f ),
							SolidOf( MakeBallRest( pnMakeVec3( 0.025f, 0.025f, 0.025f ), 3 ), 0.1f, -1.0f, 0.0f ) };
	pnSolid* large[2] = { MakeCubeSolid( 0.5f, 100.0f, -1.0f ), MakeBallSolid( 0.3f, 100.0f, -1.0f ) };
	for ( int n = 0; n < 60; ++n )
	{
		int subSteps = 1 << n % 3;
		float speed = n / 3 % 2 == 0 ? 40.0f : 100.0f;
		pnMaterial soft, hard;
		ENSURE( pnFindMaterial( presets[pnRandomInt( &random, 3 )], &hard ) == pn_success && pnFindMaterial( targets[pnRandomInt( &random, 5 )], &soft ) == pn_success );
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnBodyDef target = DefBody( large[pnRandomInt( &random, 2 )], soft, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnBodyDef bullet = DefBody( bullets[pnRandomInt( &random, 2 )], hard, RandomVec3( &random, 0.15 ) );
		bullet.transform.p.x = (float)pnRandomIn( &random, 0.6, 2.0 );
		bullet.transform.q = RandomTurn( &random );
		bullet.velocity.x = -speed;
		AddBody( world, &target );
		pnBodyId body = AddBody( world, &bullet );
		double rest = WidestOf( world, body );
		pnTestContext( "%d substeps, %.0f m/s, run %d", subSteps, (double)speed, n );
		StepWorld( world, 12, subSteps ); // a fifth of a second
		for ( int frame = 0; frame < 60; ++frame )
		{
			StepWorld( world, 1, subSteps );
			double now = WidestOf( world, body ) / rest;
			worst = fmax( worst, now );
			if ( !ENSURE_MOST( now, 1.6 ) )
			{
				break;
			}
		}
		pnDestroyWorld( world );
	}
	for ( int i = 0; i < 2; ++i )
	{
		pnDestroySolid( bullets[i] );
		pnDestroySolid( large[i] );
	}
	pnTestNote( "%.2f of rest at most", worst );
}

// A stick is bent to a half circle and its ends are led through each other until its halves lie in one place. Surfaces that look the same way do not hold
// each other: let go, it is straight again.
static void WhatWasPressedThroughItselfComesBack( void )
{
	enum { most = 16 };
	const double length = 1.6, thick = 0.2;
	pnRandom random = SeedOf( 823 );
	double worst = 0.0;
	for ( int n = 0; n < 6; ++n )
	{
		pnSolid* stick = SolidOf( MakeBoxRest( pnMakeVec3( (float)length, (float)thick, (float)thick ), 16, 2, 2 ), 20.0f, -1.0f, 0.4f );
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnMaterial material;
		ENSURE( pnFindMaterial( "wood", &material ) == pn_success );
		material.hertz *= (float)pnRandomIn( &random, 1.0, 2.0 );
		int subSteps = 1 << n % 4;
		pnTestContext( "%.0f Hz, %d substeps", (double)material.hertz, subSteps );
		pnBodyDef def = DefBody( stick, material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		def.selfContact = true;
		pnBodyId body = AddBody( world, &def );
		static pnVec3 points[512];
		int count = pnBody_WritePoints( world, body, points, NULL, 512 );
		double rest = WidestOf( world, body );
		for ( int frame = 1; frame <= 120; ++frame )
		{
			double share = fmin( 1.0, frame / 60.0 ), angle = 0.5 * TEST_PI * fmin( 1.0, 2.0 * share ) + 1e-3, radius = 0.5 * length / angle;
			double in = fmax( 0.0, 2.0 * share - 1.0 ) * ( length / TEST_PI - 0.5 * thick + 0.15 );
			int32_t held[2 * most];
			pnVec3 to[2 * most];
			int heldCount = 0;
			for ( int i = 0; i < count && heldCount < 2 * most; ++i )
			{
				double side = points[i].x < 0.0f ? -1.0 : 1.0, a = side * angle, off = points[i].x - side * 0.5 * length, y = points[i].y;
				if ( fabs( off ) < 1e-3 )
				{
					held[heldCount] = i;
					to[heldCount++] = pnMakeVec3( (float)( side * ( radius * sin( angle ) - in ) - sin( a ) * y ), (float)( radius * ( 1.0 - cos( angle ) ) + cos( a ) * y ), points[i].z );
				}
			}
			REQUIRE( heldCount > 3 );
			ENSURE( pnBody_Pin( world, body, held, to, heldCount ) == pn_success );
			StepWorld( world, 1, subSteps );
		}
		pnBody_Unpin( world, body, NULL, 0 );
		StepWorld( world, 120, subSteps );
		double off = fabs( WidestOf( world, body ) / rest - 1.0 );
		worst = fmax( worst, off );
		ENSURE_MOST( off, 0.05 );
		pnDestroyWorld( world );
		pnDestroySolid( stick );
	}
	pnTestNote( "%.3f off its length at most", worst );
}

static double EnergyTold( pnWorld* world, const pnBodyId* bodies, int count )
{
	double energy = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		pnBodyState state = StateOf( world, bodies[i] );
		energy += state.kinetic + state.elastic;
	}
	return energy;
}

// In a closed box, without friction, damping and gravity, all that is told never gets above what it was at the start: of every preset, at 1 to 8 substeps. A hit that
// turns a stiff body moves it on an arc: on a straight way it would grow, and rigid cubes at one substep told half as much again as they had.
static void HitsGiveNoEnergy( void )
{
	enum { bodyCount = 4 };
	pnRandom random = SeedOf( 824 );
	int presetCount;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	pnSolid* cube = SolidOf( MakeBoxRest( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 3, 3, 3 ), 10.0f, -1.0f, 0.0f );
	double most = 0.0;
	for ( int run = 0; run < 2 * presetCount; ++run )
	{
		int subSteps = 1 << ( run + run / presetCount ) % 4; // rigid cubes meet 8 and 1
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		static const pnQuat turns[6] = { { 0.0f, 0.0f, 0.0f, 1.0f }, { 1.0f, 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, -0.70710678f, 0.70710678f }, { 0.0f, 0.0f, 0.70710678f, 0.70710678f },
										 { 0.70710678f, 0.0f, 0.0f, 0.70710678f }, { -0.70710678f, 0.0f, 0.0f, 0.70710678f } };
		for ( int i = 0; i < 6; ++i ) // six walls, a metre from the middle, that look inwards
		{
			pnShapeDef wall = pnDefaultShapeDef();
			wall.friction = 0.0f;
			wall.transform.q = turns[i];
			wall.transform.p = pnScale( -0.9f, pnRotate( turns[i], pnMakeVec3( 0.0f, 1.0f, 0.0f ) ) );
			AddShape( world, &wall );
		}
		pnBodyId bodies[bodyCount];
		for ( int i = 0; i < bodyCount; ++i )
		{
			pnBodyDef def = DefBody( cube, pnDefaultMaterial(), pnMakeVec3( i % 2 == 0 ? 0.45f : -0.45f, i < 2 ? 0.45f : -0.45f, i % 3 == 0 ? 0.45f : -0.45f ) );
			ENSURE( pnFindMaterial( presets[run % presetCount], &def.material ) == pn_success );
			def.material.dampingRatio = def.material.friction = 0.0f;
			def.transform.q = RandomTurn( &random );
			def.velocity = RandomVec3( &random, 3.0 );
			bodies[i] = AddBody( world, &def );
		}
		StepWorld( world, 1, subSteps );
		double start = EnergyTold( world, bodies, bodyCount );
		for ( int frame = 2; frame <= 180; ++frame )
		{
			StepWorld( world, 1, subSteps );
			double energy = EnergyTold( world, bodies, bodyCount );
			pnTestContext( "%s, %d substeps, frame %d", presets[run % presetCount], subSteps, frame );
			ENSURE_MOST( energy, 1.01 * start );
			most = fmax( most, energy / start );
		}
		pnDestroyWorld( world );
	}
	pnDestroySolid( cube );
	pnTestNote( "at most %.4f of the start", most );
}

// Two odd bodies meet in empty space at up to 20 m/s: whatever they push, turn and shove each other by, nothing else can change their momentum.
static void PairsThatMeetKeepTheirMomentum( void )
{
	pnHeapStock stock;
	int presetCount, cases = 48;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	double worst = 0.0;
	REQUIRE( pnOpenHeapStock( &stock ) == pn_success );
	for ( int i = 0; i < cases; ++i )
	{
		uint32_t random = 0x9e3779b9u * (uint32_t)( i + 1 );
		const float speed = pnDrawFloat( &random, 2.0f, 20.0f );
		pnContactSceneDef def = pnDefaultContactSceneDef();
		def.hasFloor = false;
		def.gravity = 0.0f;
		def.enableSleep = false;
		def.substeps = 1 << ( i % 4 );
		pnContactScene scene;
		pnOpenContactScene( &scene, &def );
		for ( int k = 0; k < 2; ++k )
		{
			pnBodyDef body = pnHeapStock_Draw( &stock, &random );
			body.material = pnGetPreset( presets[i % presetCount] );
			body.transform.q = pnDrawTurn( &random );
			body.transform.p = pnMakeVec3( k == 0 ? -0.9f : 0.9f, pnDrawFloat( &random, -0.25f, 0.25f ), pnDrawFloat( &random, -0.25f, 0.25f ) );
			body.velocity.x = k == 0 ? speed : -0.5f * speed;
			pnContactScene_Add( &scene, &body );
		}
		pnContactLook before = pnContactScene_Look( &scene );
		for ( int frame = 0; frame < 90; ++frame )
		{
			ENSURE( pnWorld_Step( scene.world, 1.0f / 60.0f, def.substeps ) == pn_success );
			pnContactLook now = pnContactScene_Look( &scene );
			for ( int k = 0; k < 3; ++k )
			{
				worst = fmax( worst, fabs( now.momentum[k] - before.momentum[k] ) / ( before.mass * (double)speed ) );
			}
		}
		pnCloseContactScene( &scene );
	}
	ENSURE_MOST( worst, 1e-6 );
	pnTestNote( "%d pairs, off by %.1e of m v at most", cases, worst );
	pnCloseHeapStock( &stock );
}

static const pnTest s_tests[] = {
	RUN( BallsGiveBackWhatTheirDampingLeaves ),
	RUN( CubesRockAsTheirDampingSays ),
	RUN( BallsRollOn ),
	RUN( HitsGiveNoEnergy ),
	RUN( PairsThatMeetKeepTheirMomentum ),
	RUN( BulletsStayWhole ),
	RUN( WhatWasPressedThroughItselfComesBack ),
};
SUITE( hit, s_tests );
