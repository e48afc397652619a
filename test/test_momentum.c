// test_momentum.c - what forces, pins and nothing at all do to the motion of a body as a whole. Rows M6, M15.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// All sums are taken here, over the points as the user reads them, in double and about the centre of mass.
// Rounding: a step rounds positions and velocities to 6e-8 of their size, in no preferred direction, so that 10^4 steps of
// n points leave about sqrt( 10^4 / n ) 6e-8 = 1e-6 of the sums over lengths. 1e-5 is asked for.
#include "help.h"

#include <float.h>

// ---- M6: both momenta, every mode, everything on ----

static void SpinPoints( const Shape* shape, double spin, pnVec3 drift, double roughness, pnRandom* random, pnVec3* x, pnVec3* v )
{
	for ( int i = 0; i < shape->count; ++i )
	{
		pnVec3 p = shape->rest[i];
		pnVec3 rough = RandomVec3( random, roughness );
		x[i] = pnAdd( p, rough );
		v[i] = pnAdd( drift, pnCross( pnScale( (float)spin, pnMakeVec3( 0.2f, -0.4f, 0.894f ) ), p ) );
	}
}

static void AddEverything( pnMaterial* material, int n )
{
	static const pnCap caps[] = { pn_noCap, pn_rowCap, pn_blendCap, pn_scaleCap };
	material->volume = n % 2 == 0 ? 0.0f : 1.0f;
	material->cap = caps[n % 4];
	material->capStart = 1.05f;
	material->capEnd = n / 4 % 2 == 0 ? 1.05f : 1.3f;
	if ( n / 2 % 2 == 1 )
	{
		material->yield = 0.03f;
		material->creep = 5.0f;
		material->maxPlastic = 0.4f;
	}
	material->dampingRatio = n / 3 % 2 == 0 ? 0.0f : 0.1f;
}

// The largest departure of both momenta from their start, relative to the sums over lengths at the start.
static void CheckMomenta( Stage* stage, const Shape* shape, int stepCount, double tolerance, double* worst )
{
	ReadStage( stage );
	Motion start = MeasureMotion( shape->count, shape->masses, stage->x, stage->v );
	double linear = 0.0, angular = 0.0;
	for ( int n = 0; n < stepCount; ++n )
	{
		ENSURE( pnWorld_Step( stage->world, 1.0f / 60.0f, 1 ) == pn_success );
		if ( n % 100 == 99 || n < 10 )
		{
			ReadStage( stage );
			Motion now = MeasureMotion( shape->count, shape->masses, stage->x, stage->v );
			linear = fmax( linear, Distance3( now.momentum, start.momentum ) / start.momentumScale );
			angular = fmax( angular, Distance3( now.angularMomentum, start.angularMomentum ) / start.angularScale );
		}
	}
	ENSURE_MOST( linear, tolerance );
	ENSURE_MOST( angular, tolerance );
	worst[0] = fmax( worst[0], linear );
	worst[1] = fmax( worst[1], angular );
}

static void MomentaAreKept( void )
{
	double worst[2] = { 0.0, 0.0 };
	for ( int n = 0; n < 48; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 4, 0.25f, 0.1f, 20 );
		int cells = 1 + n / 3 % 2;
		CoverByCells( &shape, cells, cells, cells, 0.6f );
		for ( int i = 0; i < shape.count; ++i )
		{
			shape.masses[i] = n % 5 == 0 ? 1.0f + i % 7 : 1.0f;
		}
		pnMaterial material = PlainMaterial( n % 3, 6.0f, 0.6f );
		AddEverything( &material, n / 3 );
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnRandom random = pnSeed( 200 + n );
		SpinPoints( &shape, 3.0, pnMakeVec3( 0.02f, -0.01f, 0.01f ), 0.05, &random, stage.x, stage.v );
		SetStage( &stage );
		pnTestContext( "mode %d, volume %g, cap %d (%g, %g), yield %g, damping %g, %d clusters", material.mode, material.volume, material.cap, material.capStart, material.capEnd,
			material.yield, material.dampingRatio, shape.clusterCount );
		CheckMomenta( &stage, &shape, 10000, 1e-5, worst );
		FreeStage( &stage );
		FreeShape( &shape );
	}
	pnTestNote( "linear %.1e, angular %.1e", worst[0], worst[1] );
}

// A spin of 0.01 rad/s takes ten minutes for a turn and moves a point by less than 1e-4 of the size in a step. It must not
// stick, and it must not be carried away by rounding either.
static void SlowSpinIsKept( void )
{
	double worst[2] = { 0.0, 0.0 };
	for ( int n = 0; n < 12; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 4, 0.25f, 0.1f, 21 );
		int cells = 1 + n / 3 % 2;
		CoverByCells( &shape, cells, cells, cells, 0.6f );
		pnMaterial material = PlainMaterial( n % 3, 6.0f, 0.6f );
		material.dampingRatio = n / 6 == 0 ? 0.0f : 0.2f;
		material.volume = 1.0f;
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnRandom random = pnSeed( 230 + n );
		SpinPoints( &shape, 0.01, pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0.0, &random, stage.x, stage.v );
		SetStage( &stage );
		pnTestContext( "mode %d, damping %g, %d clusters", material.mode, material.dampingRatio, shape.clusterCount );
		CheckMomenta( &stage, &shape, 10000, 3e-5, worst );
		FreeStage( &stage );
		FreeShape( &shape );
	}
	pnTestNote( "linear %.1e, angular %.1e", worst[0], worst[1] );
}

// A point teleported by 100 body sizes pulls, but it invents nothing: momenta stay what they are right after it.
static void TeleportInventsNothing( void )
{
	double worst[2] = { 0.0, 0.0 };
	for ( int n = 0; n < 24; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 4, 0.25f, 0.1f, 22 );
		int cells = 1 + n / 3 % 2;
		CoverByCells( &shape, cells, cells, cells, 0.6f );
		pnMaterial material = PlainMaterial( n % 3, 6.0f, 0.6f );
		AddEverything( &material, n / 3 );
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnRandom random = pnSeed( 260 + n );
		SpinPoints( &shape, 2.0, pnMakeVec3( 0.1f, 0.2f, 0.0f ), 0.02, &random, stage.x, stage.v );
		stage.x[21] = pnAdd( stage.x[21], pnMakeVec3( 60.0f, -60.0f, 50.0f ) );
		SetStage( &stage );
		Motion start = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
		// Momenta that pass through the body in the first pull: the far point's way back within one step.
		double pull = 100.0 * 60.0;
		double linear = 0.0, angular = 0.0;
		for ( int k = 0; k < 2000; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 1 ) == pn_success );
			ReadStage( &stage );
			Motion now = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
			linear = fmax( linear, Distance3( now.momentum, start.momentum ) );
			angular = fmax( angular, Distance3( now.angularMomentum, start.angularMomentum ) );
		}
		pnTestContext( "mode %d, volume %g, cap %d, yield %g, damping %g, %d clusters", material.mode, material.volume, material.cap, material.yield, material.dampingRatio,
			shape.clusterCount );
		ENSURE_MOST( linear / pull, 1e-5 );
		ENSURE_MOST( angular / ( 100.0 * pull ), 1e-5 );
		worst[0] = fmax( worst[0], linear / pull );
		worst[1] = fmax( worst[1], angular / ( 100.0 * pull ) );
		FreeStage( &stage );
		FreeShape( &shape );
	}
	pnTestNote( "linear %.1e, angular %.1e of what passes through", worst[0], worst[1] );
}

// The sums a body reports are those over its points.
static void ReportedMotion( void )
{
	for ( int n = 0; n < 6; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 5, 0.25f, 0.1f, 23 );
		for ( int i = 0; i < shape.count; ++i )
		{
			shape.masses[i] = 0.1f + i % 5;
		}
		CoverByCells( &shape, 2, 2, 2, 0.6f );
		pnMaterial material = PlainMaterial( n % 3, 6.0f, 0.6f );
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, -10.0f, 0.0f ) );
		pnRandom random = pnSeed( 290 + n );
		SpinPoints( &shape, 3.0, pnMakeVec3( 0.2f, -0.1f, 1.0f ), 0.05, &random, stage.x, stage.v );
		SetStage( &stage );
		for ( int k = 0; k < n * 7; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 2 ) == pn_success );
		}
		ReadStage( &stage );
		Motion motion = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
		pnBodyState state;
		ENSURE( pnBody_GetState( stage.world, stage.body, &state ) == pn_success );
		double center[3] = { state.center.x, state.center.y, state.center.z }, velocity[3] = { state.velocity.x, state.velocity.y, state.velocity.z };
		double momentum[3] = { state.momentum.x, state.momentum.y, state.momentum.z };
		double angular[3] = { state.angularMomentum.x, state.angularMomentum.y, state.angularMomentum.z };
		ENSURE_NEAR( state.mass, motion.mass, 1e-5 * motion.mass );
		ENSURE_NEAR( Distance3( center, motion.center ), 0.0, 1e-5 * ( 1.0 + Length3( motion.center ) ) );
		ENSURE_NEAR( Distance3( velocity, motion.velocity ), 0.0, 1e-5 * motion.momentumScale / motion.mass );
		ENSURE_NEAR( Distance3( momentum, motion.momentum ), 0.0, 1e-5 * motion.momentumScale );
		ENSURE_NEAR( Distance3( angular, motion.angularMomentum ), 0.0, 1e-5 * motion.angularScale );
		pnVec3 lower = stage.x[0], upper = stage.x[0];
		for ( int i = 1; i < shape.count; ++i )
		{
			lower = pnMin3( lower, stage.x[i] );
			upper = pnMax3( upper, stage.x[i] );
		}
		ENSURE_NEAR( DistanceOf( state.bounds.lower, lower ), 0.0, 0.0 );
		ENSURE_NEAR( DistanceOf( state.bounds.upper, upper ), 0.0, 0.0 );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// ---- at rest ----

// clusterSize: the members of the largest cluster
static void CheckRest( const Shape* shape, int clusterSize, const pnMaterial* material, pnVec3 where, int stepCount )
{
	Stage stage = MakeStage( shape, material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	for ( int i = 0; i < shape->count; ++i )
	{
		stage.x[i] = pnAdd( shape->rest[i], where );
	}
	SetStage( &stage );
	pnVec3* first = malloc( sizeof( pnVec3 ) * shape->count );
	memcpy( first, stage.x, sizeof( pnVec3 ) * shape->count );
	Motion start = MeasureMotion( shape->count, shape->masses, stage.x, stage.v );
	for ( int n = 0; n < stepCount; ++n )
	{
		ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 1 ) == pn_success );
	}
	ReadStage( &stage );
	Motion end = MeasureMotion( shape->count, shape->masses, stage.x, stage.v );
	double farthest = 0.0;
	for ( int i = 0; i < shape->count; ++i )
	{
		farthest = fmax( farthest, DistanceOf( stage.x[i], first[i] ) );
	}
	// One ulp of the largest coordinate. The body as a whole stays to an ulp or two. A point may be off by its own rounding; in a
	// large cluster also by that of its goal, a sum over the cluster (see test_match.c), some times over in a soft chain.
	double ulp = FLT_EPSILON * fmax( fmax( fabs( (double)where.x ), start.size ), fabs( (double)where.z ) );
	double goalError = 0.5 * FLT_EPSILON * ( 128.0 + sqrt( (double)clusterSize ) ) * start.size;
	ENSURE_MOST( Distance3( start.center, end.center ), 2.0 * ulp );
	ENSURE_MOST( Length3( end.velocity ), 2.0 * ulp ); // metres per second: a thousandth of an ulp per step would show
	ENSURE_MOST( farthest, 8.0 * ulp + ( clusterSize > 1000 ? 2.0 * goalError : 0.0 ) );
	free( first );
	FreeStage( &stage );
}

static void BodyAtRestStays( void )
{
	static const float places[][3] = { { 0, 0, 0 }, { 1, -2, 3 }, { 1000, 1000, 1000 }, { -1000, 0.001f, 777 } };
	for ( int n = 0; n < 24; ++n )
	{
		Shape shape = MakeBlock( 5, 5, 5, 0.2f, 0.1f, 24 );
		int cells = 1 + n / 3 % 2;
		CoverByCells( &shape, cells, cells, cells, 0.5f );
		const float* place = places[n / 6];
		pnMaterial material = pnDefaultMaterial();
		material.mode = n % 3;
		pnTestContext( "mode %d, %d clusters, at %g %g %g", material.mode, shape.clusterCount, place[0], place[1], place[2] );
		CheckRest( &shape, shape.count, &material, pnMakeVec3( place[0], place[1], place[2] ), 1000 );
		FreeShape( &shape );
	}
}

// 10^5 points: a float32 sum from one end to the other would be off by thousands of ulps.
static void LargeBodyAtRestStays( void )
{
	Shape shape = MakeBlock( 50, 50, 40, 0.05f, 0.1f, 25 );
	CoverByCells( &shape, 5, 5, 4, 0.1f );
	int largest = 0;
	for ( int c = 0; c < shape.clusterCount; ++c )
	{
		int size = shape.starts[c + 1] - shape.starts[c];
		largest = size > largest ? size : largest;
	}
	pnMaterial material = pnDefaultMaterial();
	material.mode = pn_linearMode;
	pnTestContext( "%s", "at the origin" );
	CheckRest( &shape, largest, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ), 1000 );
	pnTestContext( "%s", "at 1 km" );
	CheckRest( &shape, largest, &material, pnMakeVec3( 1000.0f, 1000.0f, 1000.0f ), 1000 );
	FreeShape( &shape );
}

// ---- M15: forces ----

// Free fall of kick and drift: after n substeps of h, v = n h g and x = n ( n + 1 ) / 2 h^2 g, for every mode, whatever the shape does.
static void FreeFall( void )
{
	for ( int n = 0; n < 12; ++n )
	{
		Shape shape = MakeBlock( 3, 3, 4, 0.3f, 0.1f, 26 );
		CoverByCells( &shape, 1 + n % 2, 1, 2, 0.5f );
		pnMaterial material = pnDefaultMaterial();
		material.mode = n % 3;
		int subStepCount = 1 + n % 4;
		float scale = n / 6 == 0 ? 1.0f : -0.25f;
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 1.0f, -10.0f, 0.5f ) );
		ENSURE( pnBody_SetGravityScale( stage.world, stage.body, scale ) == pn_success );
		pnRandom random = pnSeed( 300 + n );
		SpinPoints( &shape, 2.0, pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0.05, &random, stage.x, stage.v );
		SetStage( &stage );
		Motion start = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
		int stepCount = 120;
		float timeStep = 1.0f / 64.0f;
		for ( int k = 0; k < stepCount; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, timeStep, subStepCount ) == pn_success );
		}
		ReadStage( &stage );
		Motion end = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
		double count = stepCount * subStepCount, h = (double)timeStep / subStepCount;
		double gravity[3] = { 1.0 * scale, -10.0 * scale, 0.5 * scale };
		pnTestContext( "mode %d, %d substeps, gravity scale %g", material.mode, subStepCount, scale );
		for ( int a = 0; a < 3; ++a )
		{
			double v = start.velocity[a] + count * h * gravity[a];
			double x = start.center[a] + count * h * start.velocity[a] + 0.5 * count * ( count + 1.0 ) * h * h * gravity[a];
			// velocities are rounded to an ulp of 20 m/s at each of some hundred substeps, always the same way at worst
			ENSURE_NEAR( end.velocity[a], v, count * 1e-6 );
			ENSURE_NEAR( end.center[a], x, count * 1e-6 * count * h );
		}
		// gravity turns nothing
		ENSURE_MOST( Distance3( start.angularMomentum, end.angularMomentum ), 2e-5 * start.angularScale * 10.0 );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

static void SetGravity( void )
{
	Shape shape = MakeBlock( 2, 2, 2, 0.5f, 0.0f, 27 );
	pnMaterial material = pnDefaultMaterial();
	Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	ENSURE( pnWorld_SetGravity( stage.world, pnMakeVec3( 0.0f, 0.0f, 2.0f ) ) == pn_success );
	ENSURE( DistanceOf( pnWorld_GetGravity( stage.world ), pnMakeVec3( 0.0f, 0.0f, 2.0f ) ) == 0.0 );
	ENSURE( pnWorld_Step( stage.world, 0.5f, 1 ) == pn_success );
	ReadStage( &stage );
	for ( int i = 0; i < shape.count; ++i )
	{
		ENSURE_NEAR( DistanceOf( stage.v[i], pnMakeVec3( 0.0f, 0.0f, 1.0f ) ), 0.0, 1e-6 );
	}
	FreeStage( &stage );
	FreeShape( &shape );
}

// r x p
static void MomentOf( const double r[3], const double p[3], double out[3] )
{
	for ( int a = 0; a < 3; ++a )
	{
		int b = ( a + 1 ) % 3, c = ( a + 2 ) % 3;
		out[a] = r[b] * p[c] - r[c] * p[b];
	}
}

// What the points do right after a push on one of them, which had been at rest: it alone goes on by itself; all others move as a rigid body does,
// with what of the push is the whole's. A body much softer than a step can show (0.1 Hz) leaves all of it to the point, one much stiffer
// (1000 Hz) moves as a rigid body altogether.
static void CheckPushed( const Stage* stage, const Shape* shape, int point, pnVec3 push, float hertz )
{
	double speed = LengthOf( push ) / shape->masses[point];
	for ( int i = 0; i < shape->count; ++i )
	{
		for ( int k = 0; k < i; ++k )
		{
			pnVec3 apart = pnSub( stage->x[i], stage->x[k] );
			double rate = fabs( pnDot( pnSub( stage->v[i], stage->v[k] ), apart ) ) / LengthOf( apart );
			if ( i != point && k != point )
			{
				ENSURE_MOST( rate, 1e-5 );
			}
			else if ( hertz >= 1000.0f )
			{
				ENSURE_MOST( rate, 0.01 * speed );
			}
		}
		if ( hertz <= 0.1f )
		{
			ENSURE_NEAR( DistanceOf( stage->v[i], pnScale( i == point ? 1.0f / shape->masses[i] : 0.0f, push ) ), 0.0, 0.01 * speed );
		}
	}
}

// A force gives F times the step to the momentum, then it is forgotten; an impulse gives itself, at once.
static void ForcesAndImpulses( void )
{
	for ( int n = 0; n < 72; ++n )
	{
		Shape shape = MakeBlock( 3, 3, 3, 0.3f, 0.1f, 28 );
		for ( int i = 0; i < shape.count; ++i )
		{
			shape.masses[i] = 0.5f + 0.25f * ( i % 4 );
		}
		CoverByCells( &shape, 1 + n % 2, 1, 1, 0.5f );
		pnMaterial material = pnDefaultMaterial();
		material.mode = n % 3;
		material.hertz = n / 24 == 0 ? material.hertz : n / 24 == 1 ? 0.1f : 1000.0f;
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		ReadStage( &stage );
		Motion start = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
		pnVec3 push = pnMakeVec3( 3.0f, -2.0f, 5.0f );
		int kind = n / 6 % 4, point = 7;
		int subStepCount = kind == 1 ? 1 : 1 + n % 3;
		float timeStep = 1.0f / 32.0f;
		double factor = kind < 2 ? timeStep : 1.0;
		pnTestContext( "kind %d, mode %d, %g Hz, %d substeps", kind, material.mode, material.hertz, subStepCount );
		switch ( kind )
		{
			case 0:
				ENSURE( pnBody_ApplyForce( stage.world, stage.body, push ) == pn_success );
				break;
			case 1:
				ENSURE( pnBody_ApplyForceAt( stage.world, stage.body, point, push ) == pn_success );
				break;
			case 2:
				ENSURE( pnBody_ApplyImpulse( stage.world, stage.body, push ) == pn_success );
				break;
			default:
				ENSURE( pnBody_ApplyImpulseAt( stage.world, stage.body, point, push ) == pn_success );
				break;
		}
		// the momentum it gives, and the turn, about the centre as it was
		double wanted[3] = { factor * push.x, factor * push.y, factor * push.z }, turn[3] = { 0, 0, 0 };
		double arm[3] = { stage.x[point].x - start.center[0], stage.x[point].y - start.center[1], stage.x[point].z - start.center[2] };
		if ( kind == 1 || kind == 3 )
		{
			MomentOf( arm, wanted, turn );
		}
		if ( kind >= 2 )
		{
			// at once: nothing has been stepped yet
			ReadStage( &stage );
			Motion now = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
			ENSURE_NEAR( Distance3( now.momentum, wanted ), 0.0, 1e-5 );
			ENSURE_NEAR( Distance3( now.angularMomentum, turn ), 0.0, 1e-5 );
		}
		for ( int i = 0; i < shape.count && kind == 2; ++i )
		{
			ENSURE_NEAR( DistanceOf( stage.v[i], pnScale( 1.0f / (float)start.mass, push ) ), 0.0, 1e-5 );
		}
		if ( kind == 3 )
		{
			CheckPushed( &stage, &shape, point, push, material.hertz );
		}
		for ( int k = 0; k < 20; ++k )
		{
			// the step after the first must add nothing
			ENSURE( pnWorld_Step( stage.world, timeStep, subStepCount ) == pn_success );
			ReadStage( &stage );
			Motion now = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
			ENSURE_NEAR( Distance3( now.momentum, wanted ), 0.0, 1e-5 * Length3( wanted ) );
			ENSURE_NEAR( Distance3( now.angularMomentum, turn ), 0.0, 1e-5 * Length3( wanted ) );
		}
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

static void SetVelocityAndTransform( void )
{
	Shape shape = MakeBlock( 3, 4, 5, 0.3f, 0.1f, 29 );
	pnMaterial material = pnDefaultMaterial();
	Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnRandom random = pnSeed( 30 );
	SpinPoints( &shape, 1.0, pnMakeVec3( 1.0f, 1.0f, 1.0f ), 0.1, &random, stage.x, stage.v );
	SetStage( &stage );
	pnVec3 linear = pnMakeVec3( 1.0f, 2.0f, -3.0f ), spin = pnMakeVec3( 0.5f, -1.0f, 2.0f );
	ENSURE( pnBody_SetVelocity( stage.world, stage.body, linear, spin ) == pn_success );
	pnVec3* before = malloc( sizeof( pnVec3 ) * shape.count );
	memcpy( before, stage.x, sizeof( pnVec3 ) * shape.count );
	ReadStage( &stage );
	Motion motion = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
	for ( int i = 0; i < shape.count; ++i )
	{
		pnVec3 center = pnMakeVec3( (float)motion.center[0], (float)motion.center[1], (float)motion.center[2] );
		ENSURE_NEAR( DistanceOf( stage.x[i], before[i] ), 0.0, 0.0 );
		ENSURE_NEAR( DistanceOf( stage.v[i], pnAdd( linear, pnCross( spin, pnSub( stage.x[i], center ) ) ) ), 0.0, 1e-5 );
	}

	// moved as it is, deformed: the best rigid fit becomes what was asked for, and distances between points stay
	pnTransform wanted = { { 5.0f, -6.0f, 7.0f }, RandomTurn( &random ) };
	ENSURE( pnBody_SetTransform( stage.world, stage.body, wanted ) == pn_success );
	ReadStage( &stage );
	pnBodyState state;
	ENSURE( pnBody_GetState( stage.world, stage.body, &state ) == pn_success );
	for ( int i = 0; i < shape.count; ++i )
	{
		ENSURE_NEAR( DistanceOf( stage.x[i], stage.x[0] ), DistanceOf( before[i], before[0] ), 5e-6 );
		ENSURE_NEAR( DistanceOf( pnTransformPoint( state.transform, shape.rest[i] ), pnTransformPoint( wanted, shape.rest[i] ) ), 0.0, 2e-5 );
	}
	free( before );
	FreeStage( &stage );
	FreeShape( &shape );
}

// ---- pins ----

// A pinned point is on its target after the step, for any number of substeps and however the rest of the body pulls.
static void PinsFollowWithoutLag( void )
{
	for ( int n = 0; n < 12; ++n )
	{
		Shape shape = MakeBlock( 3, 3, 6, 0.2f, 0.1f, 31 );
		CoverByCells( &shape, 1, 1, 1 + n % 3, 0.5f );
		pnMaterial material = pnDefaultMaterial();
		material.mode = n % 3;
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, -10.0f, 0.0f ) );
		int32_t pins[3] = { 0, 6, 12 };
		pnVec3 targets[3];
		for ( int k = 0; k < 120; ++k )
		{
			double t = k / 60.0;
			for ( int p = 0; p < 3; ++p )
			{
				pnVec3 way = pnMakeVec3( (float)sin( 3.0 * t ), (float)( 0.5 * t ), (float)( 0.2 * cos( 5.0 * t ) - 0.2 ) );
				targets[p] = pnAdd( shape.rest[pins[p]], way );
			}
			ENSURE( pnBody_Pin( stage.world, stage.body, pins, targets, 3 ) == pn_success );
			ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 1 + n % 4 ) == pn_success );
			ReadStage( &stage );
			pnTestContext( "mode %d, %d substeps, step %d", material.mode, 1 + n % 4, k );
			for ( int p = 0; p < 3; ++p )
			{
				// two ulps of a coordinate of about 2
				ENSURE_NEAR( DistanceOf( stage.x[pins[p]], targets[p] ), 0.0, 5e-7 );
			}
		}
		// the rest follows: within two sizes of where it would be
		for ( int i = 0; i < shape.count; ++i )
		{
			ENSURE_MOST( DistanceOf( stage.x[i], stage.x[0] ), 3.0 );
		}

		// unpinned, it falls like any other body
		ENSURE( pnBody_Unpin( stage.world, stage.body, NULL, 0 ) == pn_success );
		ReadStage( &stage );
		Motion start = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
		for ( int k = 0; k < 60; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 1 ) == pn_success );
		}
		ReadStage( &stage );
		Motion end = MeasureMotion( shape.count, shape.masses, stage.x, stage.v );
		ENSURE_NEAR( end.velocity[0], start.velocity[0], 1e-3 );
		ENSURE_NEAR( end.velocity[1], start.velocity[1] - 10.0, 1e-3 );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// Pinned where it rests, without gravity, nothing moves: pins do not bias the fit. Three pins or more, not in line: about two
// the body may turn, and where nothing brings it back rounding is free to turn it.
static void PinnedAtRestStays( void )
{
	for ( int n = 0; n < 12; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 6, 0.2f, 0.1f, 32 );
		CoverByCells( &shape, 1 + n % 2, 1, 1 + n % 2, 0.5f );
		pnMaterial material = pnDefaultMaterial();
		material.mode = n % 3;
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		int32_t pins[40];
		int pinCount = n < 6 ? 3 : 40;
		for ( int p = 0; p < pinCount; ++p )
		{
			pins[p] = 2 * p + 1;
		}
		if ( pinCount == 3 ) // three corners of one end
		{
			pins[0] = 0;
			pins[1] = 18;
			pins[2] = 72;
		}
		ENSURE( pnBody_Pin( stage.world, stage.body, pins, NULL, pinCount ) == pn_success );
		for ( int k = 0; k < 500; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 1 ) == pn_success );
		}
		ReadStage( &stage );
		pnTestContext( "mode %d, %d pins, %d clusters", material.mode, pinCount, shape.clusterCount );
		for ( int i = 0; i < shape.count; ++i )
		{
			// the fit is known best where the pins weigh, and its rounding grows towards the far end: 1e-5 of a body 1 m long
			ENSURE_NEAR( DistanceOf( stage.x[i], shape.rest[i] ), 0.0, 1e-5 );
		}
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// A body that hangs by some points comes to rest below them and stays there, without creeping.
static void HangingBodyIsStatic( void )
{
	static const float dampings[] = { 0.5f, 1.0f };
	for ( int n = 0; n < 18; ++n )
	{
		Shape shape = MakeBlock( 3, 6, 3, 0.2f, 0.05f, 33 );
		CoverByCells( &shape, 1, 1 + n / 3 % 3, 1, 0.5f );
		pnMaterial material = pnDefaultMaterial();
		material.mode = n % 3;
		material.hertz = 5.0f;
		material.dampingRatio = dampings[n / 9];
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, -10.0f, 0.0f ) );
		int32_t pins[9];
		int pinCount = 0;
		for ( int i = 0; i < shape.count; ++i )
		{
			if ( i / 3 % 6 == 5 ) // the topmost layer
			{
				pins[pinCount++] = i;
			}
		}
		ENSURE( pinCount == 9 );
		ENSURE( pnBody_Pin( stage.world, stage.body, pins, NULL, pinCount ) == pn_success );
		for ( int k = 0; k < 6000; ++k ) // slow swings of a chain take their time to die out
		{
			ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 1 ) == pn_success );
		}
		ReadStage( &stage );
		pnVec3* before = malloc( sizeof( pnVec3 ) * shape.count );
		memcpy( before, stage.x, sizeof( pnVec3 ) * shape.count );
		for ( int k = 0; k < 600; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 1 ) == pn_success );
		}
		ReadStage( &stage );
		double moved = 0.0, sag = 0.0;
		for ( int i = 0; i < shape.count; ++i )
		{
			moved = fmax( moved, DistanceOf( stage.x[i], before[i] ) );
			sag = fmax( sag, (double)shape.rest[i].y - stage.x[i].y );
		}
		pnTestContext( "mode %d, %d clusters, damping %g", material.mode, shape.clusterCount, material.dampingRatio );
		ENSURE_MOST( moved, 5e-6 );
		// It hangs, lower than it rests, but not by more than a soft chain of its clusters would: g / w^2 = 1 cm for each
		// of a few links.
		ENSURE_MOST( 1e-3, sag );
		ENSURE_MOST( sag, 0.5 );
		for ( int p = 0; p < pinCount; ++p )
		{
			ENSURE_NEAR( DistanceOf( stage.x[pins[p]], shape.rest[pins[p]] ), 0.0, 2e-7 );
		}
		free( before );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// Where the pins go the body goes: a bar held at one end and carried up has both ends up soon after, whatever it is made of.
static void CarriedBodiesFollow( void )
{
	static const char* const names[] = { "rubber", "wood", "clay", "rigid" };
	for ( int n = 0; n < 4; ++n )
	{
		Shape shape = MakeBlock( 3, 8, 3, 0.1f, 0.0f, 5 );
		CoverByCells( &shape, 1, 1, 1, 0.5f ); // chains of clusters swing too slowly to wait for
		pnMaterial material;
		ENSURE( pnFindMaterial( names[n], &material ) == pn_success );
		material.dampingRatio = 1.0f; // so that swings are over when it is looked at
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		int32_t pins[9];
		pnVec3 targets[9];
		int pinCount = 0;
		for ( int i = 0; i < shape.count; ++i )
		{
			if ( i / 3 % 8 == 7 )
			{
				pins[pinCount++] = i;
			}
		}
		for ( int k = 1; k <= 240; ++k )
		{
			for ( int p = 0; p < pinCount; ++p )
			{
				targets[p] = pnAdd( shape.rest[pins[p]], pnMakeVec3( k < 60 ? k / 60.0f : 1.0f, 0.0f, 0.0f ) );
			}
			ENSURE( pnBody_Pin( stage.world, stage.body, pins, targets, pinCount ) == pn_success );
			ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 2 ) == pn_success );
			ReadStage( &stage );
			double behind = 0.0; // of the free end, relative to the pins
			for ( int i = 0; i < shape.count; ++i )
			{
				behind = fmax( behind, fabs( (double)stage.x[i].x - shape.rest[i].x - ( k < 60 ? k / 60.0 : 1.0 ) ) );
			}
			pnTestContext( "%s, frame %d", names[n], k );
			ENSURE_MOST( behind, k < 180 ? 0.6 : 0.05 );
		}
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// What still moves, is pulled, is strained or heals does not fall asleep; what is at rest does, and tells no motion.
static void OnlyRestSleeps( void )
{
	for ( int n = 0; n < 5; ++n )
	{
		Shape shape = MakeBlock( 3, 3, 3, 0.5f, 0.0f, 3 );
		CoverByCells( &shape, 1, 1, 1, 0.5f );
		pnMaterial material = pnDefaultMaterial();
		material.dampingRatio = 1.0f;
		material.hertz = n == 2 ? 0.02f : material.hertz; // so slow that its motion is hardly one
		material.yield = n == 3 ? 0.05f : 0.0f;
		material.recovery = n == 3 ? 0.001f : 0.0f;
		pnWorldDef def = pnDefaultWorldDef();
		def.gravity = pnMakeVec3( 0.0f, n == 1 ? -1e-3f : 0.0f, 0.0f );
		pnWorld* world;
		ENSURE( pnCreateWorld( &def, &world ) == pn_success );
		pnSolid* solid = MakeSolid( &shape );
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.solid = solid;
		bodyDef.material = material;
		bodyDef.velocity.x = n == 4 ? 1.0f : 0.0f;
		pnBodyId body;
		ENSURE( pnCreateBody( world, &bodyDef, &body ) == pn_success );
		pnVec3 x[27];
		for ( int i = 0; i < 27; ++i )
		{
			x[i] = shape.rest[i];
			x[i].x *= n == 2 ? 1.05f : n == 3 ? 1.4f : 1.0f;
		}
		ENSURE( pnBody_SetPoints( world, body, x, NULL, 27 ) == pn_success );
		for ( int k = 0; k < 600; ++k )
		{
			ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
		}
		pnBodyState state;
		ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
		pnTestContext( "case %d", n );
		ENSURE( state.awake == ( n != 0 ) );
		ENSURE( n != 0 || state.kinetic == 0.0 );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
		FreeShape( &shape );
	}
}

// Turning a body again and again with a quaternion that is not quite of length one turns it, and nothing else.
static void SloppyTurnsDoNotGrow( void )
{
	Shape shape = MakeBlock( 1, 1, 1, 0.5f, 0.0f, 3 );
	CoverByCells( &shape, 1, 1, 1, 0.5f );
	pnMaterial material = pnDefaultMaterial();
	Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnTransform sloppy = pnIdentityTransform();
	sloppy.q.w = 1.004f;
	for ( int k = 0; k < 20000; ++k )
	{
		ENSURE( pnBody_SetTransform( stage.world, stage.body, sloppy ) == pn_success );
	}
	pnBodyState state;
	ENSURE( pnBody_GetState( stage.world, stage.body, &state ) == pn_success );
	ENSURE_NEAR( state.transform.q.w, 1.0, 1e-5 );
	FreeStage( &stage );
	FreeShape( &shape );
}

static const pnTest s_tests[] = {
	RUN( CarriedBodiesFollow ),
	RUN( OnlyRestSleeps ),
	RUN( SloppyTurnsDoNotGrow ),
	RUN( MomentaAreKept ),
	RUN( SlowSpinIsKept ),
	RUN( TeleportInventsNothing ),
	RUN( ReportedMotion ),
	RUN( BodyAtRestStays ),
	RUN( LargeBodyAtRestStays ),
	RUN( FreeFall ),
	RUN( SetGravity ),
	RUN( ForcesAndImpulses ),
	RUN( SetVelocityAndTransform ),
	RUN( PinsFollowWithoutLag ),
	RUN( PinnedAtRestStays ),
	RUN( HangingBodyIsStatic ),
};
SUITE( momentum, s_tests );
