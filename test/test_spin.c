// test_spin.c - free bodies that turn: spin is kept at any step, a body grows by it as far as its stiffness says, and tumbling is Euler's.
// Public calls only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "reference.h"
#include "step_help.h"

static Motion MotionOf( Stage* stage, const Thing* thing )
{
	ReadStage( stage );
	return MeasureMotion( stage->count, thing->masses, stage->x, stage->v );
}

static void SpinStage( Stage* stage, const Thing* thing, pnVec3 spin )
{
	for ( int i = 0; i < stage->count; ++i )
	{
		stage->x[i] = thing->rest[i];
	}
	ENSURE( pnBody_SetPoints( stage->world, stage->body, stage->x, NULL, stage->count ) == pn_success );
	ENSURE( pnBody_SetVelocity( stage->world, stage->body, pnMakeVec3( 0.0f, 0.0f, 0.0f ), spin ) == pn_success );
}

// ---- growing by spin ----

// A cube of one cluster, mean square k^2 along every axis, spun up to O from rest. If its axes are stretched by s, its shape holds
// w^2 ( 1 - stretch ) k^2 / 2 per kg times the sum of ( s - 1 )^2, and volume and caps can only hold more. At any time that is at most the
// energy of the spin, k^2 O^2 per kg: the root of the sum is at most sqrt( 2 ) O / w', and so the root mean square radius at most
// 1 + sqrt( 2 / 3 ) O / w' of rest.
static double MostGrowth( double spin, double omega )
{
	return sqrt( 2.0 / 3.0 ) * spin / omega;
}

// At rest in its spin: w'^2 ( s - 1 ) = O^2 s, O = O_0 / s^2 for L is kept, both axes across by s, the third unchanged. Holds while that
// is the only balance: spin well below w'.
static double RestGrowth( double spin, double omega )
{
	double s = 1.0, load = spin * spin / ( omega * omega );
	for ( int n = 0; n < 200; ++n )
	{
		s = 0.5 * s + 0.5 * ( 1.0 + load / ( s * s * s ) );
	}
	return sqrt( ( 2.0 * s * s + 1.0 ) / 3.0 ) - 1.0;
}

static void SpinningCubes( void )
{
	pnRandom random = SeedOf( 200 );
	double spin = 50.0;
	for ( int n = 0; n < Cases( 8 * presetCount ); ++n )
	{
		const char* name;
		pnMaterial material = PresetMaterial( n % presetCount, &name );
		int subStepCount = 1 + n / presetCount % 8, edge = 3 + pnRandomInt( &random, 3 );
		float length = (float)RandomLog( &random, 0.05, 5.0 );
		Thing thing = MakeBoxThing( pnMakeVec3( length, length, length ), edge, edge, edge, oneCover, 1.0, &random );
		material.yield = 0.0f; // what has flowed has another rest shape
		double omega = sqrt( 1.0 / SoftnessOf( &material ) );
		Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		SpinStage( &stage, &thing, pnScale( (float)spin, pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) ) );
		Motion start = MotionOf( &stage, &thing ), now = start;
		double largest = 0.0, lost = 0.0;
		for ( int k = 0; k < 300; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, STEP, subStepCount ) == pn_success );
			if ( k < 10 || k % 10 == 9 )
			{
				now = MotionOf( &stage, &thing );
				double off = Distance3( now.angularMomentum, start.angularMomentum ) / Length3( start.angularMomentum ), growth = now.size / start.size - 1.0;
				largest = growth > largest || growth != growth ? growth : largest;
				lost = off > lost || off != off ? off : lost;
			}
		}
		pnTestContext( "%s, %d substeps, %s", name, subStepCount, thing.text );
		ENSURE_MOST( lost, 1e-4 );
		// 1 % of energy that may be told too much is half a percent of the growth
		ENSURE_MOST( largest, 1.005 * MostGrowth( spin, omega ) + 1e-5 );
		if ( spin < 0.5 * omega ) // five seconds are enough to come to rest: 1 / ( damping w ) is below a tenth
		{
			ENSURE_NEAR( now.size / start.size - 1.0, 0.0, 1.02 * RestGrowth( spin, omega ) + 1e-4 );
		}
		FreeStage( &stage );
		FreeThing( &thing );
	}
}

// Any thing, any material, any cover: the spin is kept.
static void SpinIsKept( void )
{
	pnRandom random = SeedOf( 201 );
	for ( int n = 0; n < Cases( 80 ); ++n )
	{
		Thing thing = RandomThing( &random );
		pnMaterial material = RandomMaterial( &random, anyDamping, true );
		int subStepCount = 1 + pnRandomInt( &random, 8 );
		double spin = RandomLog( &random, 0.5, 50.0 ), h = RandomLog( &random, 1.0 / 240.0, 1.0 / 30.0 );
		if ( thing.masses != NULL )
		{
			Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			SpinStage( &stage, &thing, pnScale( (float)spin, pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) ) );
			Motion start = MotionOf( &stage, &thing );
			RunStage( &stage, 300.0 * h, h, subStepCount );
			Motion end = MotionOf( &stage, &thing );
			pnTestContext( "%s, %s, %.3g rad/s, %d substeps of %.3g s", thing.text, TextOf( &material ), spin, subStepCount, h / subStepCount );
			ENSURE_MOST( Distance3( start.angularMomentum, end.angularMomentum ), 1e-4 * Length3( start.angularMomentum ) );
			FreeStage( &stage );
		}
		FreeThing( &thing );
	}
}

// Damped, on one pin or on two, with nothing else about: neither shape nor damping nor volume turns what is free, however far out of shape it is. The spin about the pin, or about
// the line of the two, is kept; places are floats, and what rounding does to them is not made up for where pins hold.
static void SpinAboutPinsIsKept( void )
{
	pnRandom random = SeedOf( 203 );
	double most = 0.0;
	for ( int n = 0; n < Cases( 48 ); ++n )
	{
		Thing thing = RandomBlock( &random, RandomLog( &random, 0.1, 3.0 ), pnRandomInt( &random, coverCount ) );
		pnMaterial material = RandomMaterial( &random, someDamping, false );
		material.mode = 1 + pnRandomInt( &random, 2 );
		int32_t pins[2] = { pnRandomInt( &random, thing.count ), pnRandomInt( &random, thing.count ) };
		int pinCount = 1 + n % 2, subStepCount = 1 + pnRandomInt( &random, 4 );
		pins[1] = pins[1] == pins[0] ? ( pins[0] + 1 ) % thing.count : pins[1];
		double h = RandomLog( &random, 1.0 / 240.0, 1.0 / 15.0 ), spin = fmin( 0.2 / h, RandomLog( &random, 0.5, 20.0 ) ), strain = pnRandomIn( &random, 0.1, 0.6 );
		pnVec3 pivot = thing.rest[pins[0]], line = pnSub( thing.rest[pins[1]], pivot );
		pnVec3 axis = pinCount == 2 ? pnScale( 1.0f / (float)LengthOf( line ), line ) : pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
		Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		for ( int i = 0; i < thing.count; ++i )
		{
			pnVec3 p = pnSub( thing.rest[i], pivot );
			bool pinned = i == pins[0] || ( pinCount == 2 && i == pins[1] );
			pnVec3 rough = RandomVec3( &random, 0.2 * strain * thing.size );
			p = pinned ? p : pnAdd( pnMakeVec3( (float)( 1.0 - strain ) * p.x, (float)( 1.0 + 0.5 * strain ) * p.y, p.z ), rough );
			stage.x[i] = pnAdd( pivot, p );
			stage.v[i] = pinned ? pnMakeVec3( 0.0f, 0.0f, 0.0f ) : pnCross( pnScale( (float)spin, axis ), p );
		}
		SetStage( &stage );
		ENSURE( pnBody_Pin( stage.world, stage.body, pins, NULL, pinCount ) == pn_success );
		double first[3] = { 0.0, 0.0, 0.0 }, off = 0.0, scale = 0.0;
		pnTestContext( "%d pins, %s, %s, %.3g rad/s, %d substeps of %.3g s", pinCount, thing.text, TextOf( &material ), spin, subStepCount, h / subStepCount );
		for ( int k = 0; k <= 200; ++k )
		{
			double now[3] = { 0.0, 0.0, 0.0 }, along = 0.0, change = 0.0;
			ReadStage( &stage );
			for ( int i = 0; i < thing.count; ++i )
			{
				pnVec3 p = pnSub( stage.x[i], pivot ), l = pnCross( p, stage.v[i] );
				now[0] += thing.masses[i] * (double)l.x, now[1] += thing.masses[i] * (double)l.y, now[2] += thing.masses[i] * (double)l.z;
			}
			for ( int j = 0; j < 3; ++j )
			{
				first[j] = k == 0 ? now[j] : first[j];
				scale += k == 0 ? now[j] * now[j] : 0.0;
				along += ( now[j] - first[j] ) * (double)( &axis.x )[j];
				change += ( now[j] - first[j] ) * ( now[j] - first[j] );
			}
			change = pinCount == 2 ? fabs( along ) : sqrt( change );
			off = change > off || change != change ? change : off;
			ENSURE( pnWorld_Step( stage.world, (float)h, subStepCount ) == pn_success );
		}
		ENSURE_MOST( off, 1e-3 * sqrt( scale ) );
		most = fmax( most, off / sqrt( scale ) );
		FreeStage( &stage );
		FreeThing( &thing );
	}
	pnTestNote( "off by %.1e at most", most );
}

// `rigid` turns, and nothing else, with any number of clusters: spin^2 / w^2 is 6e-5 at 50 rad/s. Distances stay within a thousandth of
// the size, which leaves clusters a curvature of a fifteenth.
static void RigidDoesNotGrow( void )
{
	pnRandom random = SeedOf( 202 );
	for ( int n = 0; n < Cases( 24 ); ++n )
	{
		double edge = RandomLog( &random, 0.05, 5.0 ), spin = RandomLog( &random, 5.0, 50.0 );
		Thing thing = RandomBlock( &random, edge, n % 2 == 0 ? oneCover : autoCover );
		const char* name;
		pnMaterial material = PresetMaterial( presetCount - 1, &name );
		Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		SpinStage( &stage, &thing, pnScale( (float)spin, pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) ) );
		int subStepCount = 1 + pnRandomInt( &random, 8 );
		double worst = 0.0;
		for ( int k = 0; k < 10; ++k )
		{
			RunStage( &stage, 0.5, STEP, subStepCount );
			ReadStage( &stage );
			for ( int i = 0; i < thing.count; ++i )
			{
				int j = ( i * 7 + 3 ) % thing.count;
				double off = fabs( DistanceOf( stage.x[i], stage.x[j] ) - DistanceOf( thing.rest[i], thing.rest[j] ) );
				worst = off > worst || off != off ? off : worst;
			}
		}
		pnTestContext( "%s, %.3g rad/s, %d substeps", thing.text, spin, subStepCount );
		ENSURE_MOST( worst, 1e-3 * thing.size );
		FreeStage( &stage );
		FreeThing( &thing );
	}
}

// ---- tumbling ----

// Principal moments of a symmetric box of points.
static void MomentsOf( const Thing* thing, double moments[3] )
{
	moments[0] = moments[1] = moments[2] = 0.0;
	for ( int i = 0; i < thing->count; ++i )
	{
		double m = thing->masses[i], p[3] = { thing->rest[i].x, thing->rest[i].y, thing->rest[i].z };
		for ( int a = 0; a < 3; ++a )
		{
			moments[a] += m * ( p[( a + 1 ) % 3] * p[( a + 1 ) % 3] + p[( a + 2 ) % 3] * p[( a + 2 ) % 3] );
		}
	}
}

// Euler's equations in the body's frame, I dw/dt = ( I w ) x w, by Runge-Kutta in double: mean time between two flips of w about axis 1.
static double FlipTime( const double moments[3], const double start[3], double time )
{
	double w[3] = { start[0], start[1], start[2] }, h = 1e-4, first = -1.0, last = -1.0, t = 0.0;
	int flips = 0;
	while ( t < time )
	{
		double k[4][3], was = w[1];
		for ( int s = 0; s < 4; ++s )
		{
			double part = s == 0 ? 0.0 : s == 3 ? h : 0.5 * h, u[3];
			for ( int a = 0; a < 3; ++a )
			{
				u[a] = w[a] + ( s == 0 ? 0.0 : part * k[s - 1][a] );
			}
			for ( int a = 0; a < 3; ++a )
			{
				int b = ( a + 1 ) % 3, c = ( a + 2 ) % 3;
				k[s][a] = ( moments[b] - moments[c] ) * u[b] * u[c] / moments[a];
			}
		}
		for ( int a = 0; a < 3; ++a )
		{
			w[a] += h / 6.0 * ( k[0][a] + 2.0 * k[1][a] + 2.0 * k[2][a] + k[3][a] );
		}
		t += h;
		if ( was * w[1] < 0.0 )
		{
			last = t - h * w[1] / ( w[1] - was );
			first = flips == 0 ? last : first;
			flips += 1;
		}
	}
	return flips > 1 ? ( last - first ) / ( flips - 1 ) : 0.0;
}

// About its intermediate axis, a little off, for a minute at 240 Hz: rotational energy L . I^-1 L / 2 where the points are, and the time between
// flips, both within 2 %. Spin is at most a hundredth of w, so that the moments of the stretched body are Euler's to 1e-4; the tilt
// of a tenth and more keeps the flip time, which goes with the logarithm of the tilt, from hanging on that.
static void TumblingIsEulers( void )
{
	pnRandom random = SeedOf( 203 );
	double worstEnergy = 0.0, worstTime = 0.0;
	for ( int n = 0; n < Cases( 8 ); ++n )
	{
		double edge = RandomLog( &random, 0.1, 2.0 );
		pnVec3 edges = pnMakeVec3( (float)( edge * pnRandomIn( &random, 1.6, 2.2 ) ), (float)edge, (float)( edge * pnRandomIn( &random, 0.3, 0.6 ) ) );
		Thing thing = MakeBoxThing( edges, 4, 3, 3, oneCover, 1.0, &random );
		pnMaterial material = PlainMaterial( n % 3, (float)RandomLog( &random, 60.0, 1000.0 ), (float)pnRandomIn( &random, 0.0, 0.3 ) );
		double moments[3], spin = pnRandomIn( &random, 2.0, 3.5 ), wanted[3] = { spin * pnRandomIn( &random, 0.1, 0.2 ), spin, spin * pnRandomIn( &random, 0.1, 0.2 ) };
		MomentsOf( &thing, moments ); // moments[0] < moments[1] < moments[2]
		ENSURE( moments[0] < moments[1] && moments[1] < moments[2] );
		Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		SpinStage( &stage, &thing, pnMakeVec3( (float)wanted[0], (float)wanted[1], (float)wanted[2] ) );
		double energy = 0.0, least = 1e30, most = 0.0, was = 1.0, first = 0.0, last = 0.0, h = 1.0 / 240.0;
		int flips = 0;
		for ( int a = 0; a < 3; ++a )
		{
			energy += 0.5 * moments[a] * wanted[a] * wanted[a];
		}
		for ( int k = 1; k <= 60 * 240; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, (float)h, 1 ) == pn_success );
			if ( k % 4 != 0 )
			{
				continue;
			}
			pnBodyState state = { 0 };
			ENSURE( pnBody_GetState( stage.world, stage.body, &state ) == pn_success );
			pnVec3 l = pnRotate( pnConjugate( state.transform.q ), state.angularMomentum );
			double now = l.y;
			if ( now * was < 0.0 )
			{
				last = ( k - 4.0 * now / ( now - was ) ) * h;
				first = flips == 0 ? last : first;
				flips += 1;
			}
			was = now;
			if ( k % 40 == 0 ) // the moments of the points as they lie
			{
				Motion motion = MotionOf( &stage, &thing );
				double inertia[9] = { 0 }, values[3], axes[9], rotational = 0.0;
				for ( int i = 0; i < thing.count; ++i )
				{
					double p[3] = { stage.x[i].x - motion.center[0], stage.x[i].y - motion.center[1], stage.x[i].z - motion.center[2] };
					double square = p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
					for ( int c = 0; c < 9; ++c )
					{
						inertia[c] += thing.masses[i] * ( ( c % 4 == 0 ? square : 0.0 ) - p[c / 3] * p[c % 3] );
					}
				}
				RefEigen( inertia, 3, values, axes );
				for ( int c = 0; c < 3; ++c )
				{
					const double* L = motion.angularMomentum;
					double along = L[0] * axes[c] + L[1] * axes[3 + c] + L[2] * axes[6 + c];
					rotational += 0.5 * along * along / values[c];
				}
				least = fmin( least, rotational );
				most = fmax( most, rotational );
			}
		}
		double time = flips > 1 ? ( last - first ) / ( flips - 1 ) : 0.0, right = FlipTime( moments, wanted, 60.0 );
		pnTestContext( "%s, %s, %.3g rad/s", thing.text, TextOf( &material ), spin );
		ENSURE_NEAR( least / energy, 1.0, 0.02 );
		ENSURE_NEAR( most / energy, 1.0, 0.02 );
		ENSURE( right > 0.0 );
		ENSURE_NEAR( time, right, 0.02 * right );
		worstEnergy = fmax( worstEnergy, fmax( 1.0 - least / energy, most / energy - 1.0 ) );
		worstTime = fmax( worstTime, fabs( time / right - 1.0 ) );
		FreeStage( &stage );
		FreeThing( &thing );
	}
	pnTestNote( "energy off by %.4f, flips by %.4f", worstEnergy, worstTime );
}

// The turn itself: a body that spins about its axis of symmetry turns by spin times time. 2 % at a quarter of a radian per substep.
static void TurnsAreAsFastAsTheSpin( void )
{
	pnRandom random = SeedOf( 204 );
	for ( int n = 0; n < Cases( 24 ); ++n )
	{
		float edge = (float)RandomLog( &random, 0.05, 5.0 );
		Thing thing = MakeBoxThing( pnMakeVec3( edge, edge, edge ), 3, 3, 3, oneCover, 1.0, &random );
		pnMaterial material = PlainMaterial( n % 3, (float)RandomLog( &random, 100.0, 1000.0 ), 0.0f );
		material.dampingRatio = 0.5f;
		Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		int subStepCount = 1 + pnRandomInt( &random, 4 );
		double spin = pnRandomIn( &random, 1.0, 0.25 * 60.0 * subStepCount ), turned = 0.0;
		SpinStage( &stage, &thing, pnMakeVec3( 0.0f, (float)spin, 0.0f ) );
		pnQuat was = pnIdentityQuat();
		for ( int k = 0; k < 240; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, STEP, subStepCount ) == pn_success );
			pnBodyState state = { 0 };
			ENSURE( pnBody_GetState( stage.world, stage.body, &state ) == pn_success );
			pnQuat turn = pnMulQuat( state.transform.q, pnConjugate( was ) );
			double angle = 2.0 * atan2( turn.y, turn.w );
			turned += angle < 0.0 ? angle + 2.0 * TEST_PI * ( angle < -1e-3 ) : angle;
			was = state.transform.q;
		}
		pnTestContext( "%s, %s, %.3g rad/s, %d substeps", thing.text, TextOf( &material ), spin, subStepCount );
		// up to 60 rad/s: the body grows by ( O / w )^2, and its turn slows by twice that
		double slower = 2.0 * spin * spin * SoftnessOf( &material );
		ENSURE_NEAR( turned, 4.0 * spin, ( 0.02 + slower ) * 4.0 * spin );
		FreeStage( &stage );
		FreeThing( &thing );
	}
}

// ---- momenta ----

// 10^4 steps of a free body that spins and swings, with any material and steps of any size: both momenta are kept. Float32 rounds
// 6e-8 of each, in no preferred direction: 10^4 steps of n points leave sqrt( 10^4 / n ) 6e-8 = 1e-6 of the sums over lengths at most;
// 1e-5 is asked for, of the largest there were. And where a place is known to 6e-8 of the size, which is what spin made of it, a velocity is known
// to that over the step.
static void MomentaOfAnything( void )
{
	pnRandom random = SeedOf( 205 );
	double worst = 0.0;
	for ( int n = 0; n < Cases( 20 ); ++n )
	{
		Thing thing = RandomThing( &random );
		pnMaterial material = RandomMaterial( &random, anyDamping, true );
		material.hertz = n % 4 == 0 ? 1000.0f : n % 4 == 1 ? 0.5f : material.hertz;
		double h = RandomLog( &random, 1e-3, 0.1 ), spin = fmin( 0.5 / h, RandomLog( &random, 0.1, 20.0 ) );
		bool wanders = Chance( &random, 3 );
		if ( thing.masses != NULL )
		{
			Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			pnVec3 axis = pnScale( (float)spin, pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) );
			for ( int i = 0; i < thing.count; ++i )
			{
				pnVec3 p = thing.rest[i];
				stage.x[i] = pnMakeVec3( 1.1f * p.x, 0.95f * p.y, 1.02f * p.z );
				stage.v[i] = pnAdd( pnCross( axis, stage.x[i] ), RandomVec3( &random, 0.1 * thing.size ) );
			}
			// No drift: ten thousand seconds of it would carry the body to where floats are coarse.
			Motion motion = MeasureMotion( thing.count, thing.masses, stage.x, stage.v );
			for ( int i = 0; i < thing.count; ++i )
			{
				stage.v[i] = pnSub( stage.v[i], pnMakeVec3( (float)motion.velocity[0], (float)motion.velocity[1], (float)motion.velocity[2] ) );
			}
			SetStage( &stage );
			Motion start = MotionOf( &stage, &thing );
			double size = start.size;
			for ( int k = 0; k < ( IsLong() ? 100000 : 10000 ); ++k )
			{
				ENSURE( pnWorld_Step( stage.world, (float)( wanders ? h * pow( 2.0, pnRandomIn( &random, -1.0, 0.0 ) ) : h ), 1 ) == pn_success );
				if ( k < 20 || k % 200 == 0 )
				{
					Motion now = MotionOf( &stage, &thing );
					size = fmax( size, now.size );
					start.momentumScale = fmax( start.momentumScale, now.momentumScale );
					start.angularScale = fmax( start.angularScale, now.angularScale );
				}
			}
			Motion end = MotionOf( &stage, &thing );
			double reach = thing.size * size / start.size, quantum = 6e-8 * reach / ( wanders ? 0.5 * h : h );
			pnTestContext( "%s, %s, spin %.3g, %s steps of %.3g s", thing.text, TextOf( &material ), spin, wanders ? "wandering" : "even", h );
			double linear = Distance3( start.momentum, end.momentum ) / start.momentumScale;
			double angular = Distance3( start.angularMomentum, end.angularMomentum ) / start.angularScale;
			ENSURE_MOST( linear, 1e-5 + end.mass * quantum / start.momentumScale );
			ENSURE_MOST( angular, 1e-5 + end.mass * reach * quantum / start.angularScale );
			worst = fmax( worst, fmax( linear, angular ) );
			FreeStage( &stage );
		}
		FreeThing( &thing );
	}
	pnTestNote( "off by %.2g at most", worst );
}

// ---- spun up by forces ----

// A couple about an axis of a box, by forces at its corners that are given anew for each step. The spin is what the couple gave, be it stiff or soft. What is stiff
// turns in a step by the angle whose sine is h times its speed, and has its own size but for what its spin stretches it by, O^2 / w'^2: it has drifted
// along the turn that the forces have made of it, not straight on.
static void CouplesTurn( void )
{
	pnRandom random = SeedOf( 206 );
	double worstSize = 0.0, worstAngle = 0.0;
	for ( int n = 0; n < Cases( 60 ); ++n )
	{
		int axis = n % 3, k1 = ( axis + 1 ) % 3, k2 = ( axis + 2 ) % 3, stepCount = 4 + pnRandomInt( &random, 40 );
		double h = RandomLog( &random, 1.0 / 240.0, 1.0 / 30.0 ), most = pnRandomIn( &random, 0.02, 0.3 ) / h; // rad/s at last: less than a round of its own
		float edges[3];
		for ( int k = 0; k < 3; ++k )
		{
			edges[k] = (float)RandomLog( &random, 0.3, 1.0 );
		}
		Thing thing = MakeBoxThing( pnMakeVec3( edges[0], edges[1], edges[2] ), 3, 4, 3, oneCover, 1.0, &random );
		pnMaterial material = PlainMaterial( n % 2 == 0 ? pn_rigidMode : pn_linearMode, (float)RandomLog( &random, 1.0, 1000.0 ), (float)pnRandomIn( &random, 0.0, 0.5 ) );
		material.dampingRatio = (float)pnRandomIn( &random, 0.1, 1.0 );
		Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		Motion start = MotionOf( &stage, &thing ), now = start;
		if ( n / 3 % 3 == 2 ) // and a hand that holds on to it with next to no force
		{
			pnGrabDef grab = pnDefaultGrabDef();
			pnGrabId id;
			grab.body = stage.body, grab.place = stage.x[0], grab.maxForce = (float)( 1e-7 * start.mass );
			ENSURE( pnCreateGrab( stage.world, &grab, &id ) == pn_success );
		}
		double inertia = 0.0;
		for ( int i = 0; i < thing.count; ++i )
		{
			const float* p = &thing.rest[i].x;
			inertia += thing.masses[i] * ( pow( p[k1] - start.center[k1], 2.0 ) + pow( p[k2] - start.center[k2], 2.0 ) );
		}
		double spin = 0.0, torque = inertia * most / ( h * stepCount ), angle = 0.0, turned = 0.0, last = 0.0, stretched = 0.0;
		for ( int k = 0; k < stepCount; ++k )
		{
			double around = 0.0, sine = 0.0, cosine = 0.0;
			for ( int force = 0; force < 2; ++force ) // first how far the corners are from the axis
			{
				for ( int i = 0; i < thing.count; ++i )
				{
					const float* p = &thing.rest[i].x;
					bool corner = true;
					for ( int j = 0; j < 3; ++j )
					{
						corner = corner && fabs( p[j] - start.center[j] ) > 0.499 * edges[j];
					}
					double a = ( &stage.x[i].x )[k1] - now.center[k1], b = ( &stage.x[i].x )[k2] - now.center[k2], pull[3] = { 0.0, 0.0, 0.0 };
					if ( corner && force == 0 )
					{
						around += a * a + b * b;
					}
					else if ( corner )
					{
						pull[k1] = -torque / around * b, pull[k2] = torque / around * a;
						ENSURE( pnBody_ApplyForceAt( stage.world, stage.body, i, pnMakeVec3( (float)pull[0], (float)pull[1], (float)pull[2] ) ) == pn_success );
					}
				}
			}
			ENSURE( around > 0.0 );
			ENSURE( pnWorld_Step( stage.world, (float)h, 1 ) == pn_success );
			now = MotionOf( &stage, &thing );
			for ( int i = 0; i < thing.count; ++i )
			{
				const float *p = &thing.rest[i].x, *x = &stage.x[i].x;
				double p1 = p[k1] - start.center[k1], p2 = p[k2] - start.center[k2], x1 = x[k1] - now.center[k1], x2 = x[k2] - now.center[k2];
				sine += p1 * x2 - p2 * x1;
				cosine += p1 * x1 + p2 * x2;
			}
			double to = atan2( sine, cosine );
			turned += remainder( to - last, 2.0 * TEST_PI );
			last = to;
			spin += h * torque;
			angle += asin( h * spin / inertia );
			stretched = fmax( stretched, fabs( now.size / start.size - 1.0 ) );
		}
		// Corners are ahead of the rest by what they bear: their share of the torque over the stiffness and their mass.
		double w = 2.0 * TEST_PI * material.hertz, strain = most * most * SoftnessOf( &material ), ahead = torque / ( 8.0 * w * w * inertia ) * thing.count;
		pnTestContext( "%s, %s, to %.3g rad/s in %d steps of %.3g s", thing.text, TextOf( &material ), most, stepCount, h );
		ENSURE_NEAR( now.angularMomentum[axis], spin, 2e-5 * spin );
		ENSURE_MOST( hypot( now.angularMomentum[k1], now.angularMomentum[k2] ), 2e-5 * spin );
		if ( strain < 1e-3 )
		{
			ENSURE_MOST( stretched, 2.0 * strain + 2e-5 );
			ENSURE_NEAR( turned, angle, 4.0 * strain * angle + 2.0 * ahead + 2e-5 );
			worstSize = fmax( worstSize, stretched ), worstAngle = fmax( worstAngle, fabs( turned - angle ) );
		}
		FreeStage( &stage );
		FreeThing( &thing );
	}
	pnTestNote( "stiff: size off by %.2g, angle by %.2g rad at most", worstSize, worstAngle );
}

static const pnTest s_tests[] = {
	RUN( SpinningCubes ),
	RUN( SpinIsKept ),
	RUN( SpinAboutPinsIsKept ),
	RUN( RigidDoesNotGrow ),
	RUN( TumblingIsEulers ),
	RUN( TurnsAreAsFastAsTheSpin ),
	RUN( MomentaOfAnything ),
	RUN( CouplesTurn ),
};
SUITE( spin, s_tests );
