// test_grab.c - hands that hold a body: they pull as strongly as they say, add no energy, and let go of nothing but what they held.
// Knows the public header; of the inside only how grips go over to the pieces of a body, and how an image is sealed.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For posix_memalign, also when compiled as strict C17.
#define _POSIX_C_SOURCE 200809L

#include "help.h"

#include "zoo.h"

#include "base/core.h"
#include "soft/grip.h"

#include <float.h>
#include <stdatomic.h>

static const pnVec3 s_zero = { 0.0f, 0.0f, 0.0f };

// ---- a held region, as the header describes it, in double ----

enum { mostPoints = 343, mostHands = 6 };

typedef struct Region
{
	double phi[mostPoints];
	double offset[3]; // of the place from the spot
	double stiffness; // N/m
	pnGrabDef def;
	pnGrabId id;
	pnVec3 target;
} Region;

typedef struct Spot { double mass, inert, p[3], u[3]; } Spot; // inert: the mass that it answers with

static Spot MeasureSpot( const Shape* shape, const Region* region, const pnVec3* x, const pnVec3* v )
{
	Spot spot = { 0 };
	double square = 0.0;
	for ( int i = 0; i < shape->count; ++i )
	{
		double w = shape->masses[i] * region->phi[i];
		spot.mass += w;
		square += w * region->phi[i];
		double p[3] = { x[i].x, x[i].y, x[i].z }, u[3] = { v[i].x, v[i].y, v[i].z };
		for ( int k = 0; k < 3; ++k )
		{
			spot.p[k] += w * p[k];
			spot.u[k] += w * u[k];
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		spot.p[k] /= spot.mass;
		spot.u[k] /= spot.mass;
	}
	spot.inert = spot.mass * spot.mass / square;
	return spot;
}

static double MassOf( const Shape* shape )
{
	double mass = 0.0;
	for ( int i = 0; i < shape->count; ++i )
	{
		mass += shape->masses[i];
	}
	return mass;
}

static double ExtentOf( const Shape* shape )
{
	pnVec3 lower = shape->rest[0], upper = lower;
	for ( int i = 1; i < shape->count; ++i )
	{
		lower = pnMin3( lower, shape->rest[i] );
		upper = pnMax3( upper, shape->rest[i] );
	}
	return fmax( upper.x - lower.x, fmax( upper.y - lower.y, upper.z - lower.z ) );
}

// Takes hold, and finds out what is held by what the header says.
static Region Hold( Stage* stage, const Shape* shape, pnGrabDef def )
{
	Region region = { .def = def, .target = def.place };
	ReadStage( stage );
	int middle = 0;
	for ( int i = 1; i < shape->count; ++i )
	{
		middle = DistanceOf( stage->x[i], def.place ) < DistanceOf( stage->x[middle], def.place ) ? i : middle;
	}
	double radius = def.radius < 0.0f ? 0.1 * ExtentOf( shape ) : def.radius;
	for ( int i = 0; i < shape->count; ++i )
	{
		double d = DistanceOf( shape->rest[i], shape->rest[middle] );
		region.phi[i] = i == middle ? 1.0 : d < radius ? pow( 1.0 - d * d / ( radius * radius ), 2.0 ) : 0.0;
	}
	double w = 2.0 * TEST_PI * def.hertz, place[3] = { def.place.x, def.place.y, def.place.z };
	region.stiffness = MassOf( shape ) * w * w;
	Spot spot = MeasureSpot( shape, &region, stage->x, stage->v );
	for ( int k = 0; k < 3; ++k )
	{
		region.offset[k] = place[k] - spot.p[k];
	}
	region.def.body = stage->body;
	ENSURE( pnCreateGrab( stage->world, &region.def, &region.id ) == pn_success );
	return region;
}

static pnGrabDef GrabAt( pnVec3 place, float radius, float hertz, float dampingRatio )
{
	pnGrabDef def = pnDefaultGrabDef();
	def.place = place;
	def.radius = radius;
	def.hertz = hertz;
	def.dampingRatio = dampingRatio;
	return def;
}

static pnGrabState StateOf( const pnWorld* world, pnGrabId id )
{
	pnGrabState state = { 0 };
	ENSURE( pnGrab_GetState( world, id, &state ) == pn_success );
	return state;
}

// Energy of the spring at a length; limited: it goes on straight from where the force is all there is.
static double SpringEnergy( const Region* region, double length )
{
	double k = region->stiffness, force = region->def.maxForce;
	return force > 0.0 && k * length > force ? force * ( length - 0.5 * force / k ) : 0.5 * k * length * length;
}

// What the springs of the hands have, by where their spots are and how fast they came there in a drift that took so many seconds. doubt: added to the springs'
// lengths, in units of what rounding may do to them.
typedef enum Instant { beforeDrift, inDrift } Instant; // before that drift; or in the middle of it, half of what dampers take there included

static double SpringsEnergy( const Stage* stage, const Shape* shape, const Region* regions, int count, double drift, Instant instant, double doubt )
{
	double energy = 0.0, mass = MassOf( shape );
	for ( int i = 0; i < count; ++i )
	{
		const Region* region = regions + i;
		Spot spot = MeasureSpot( shape, region, stage->x, stage->v );
		double target[3] = { region->target.x, region->target.y, region->target.z }, now[3], start[3], size = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			now[k] = spot.p[k] + region->offset[k] - target[k];
			start[k] = now[k] - drift * spot.u[k];
			size += fabs( spot.p[k] ) + drift * fabs( spot.u[k] ) + fabs( target[k] );
		}
		double rounding = doubt * 6e-8 * size, damping = 2.0 * region->def.dampingRatio * 2.0 * TEST_PI * region->def.hertz * mass;
		double first = SpringEnergy( region, fmax( Length3( start ) + rounding, 0.0 ) ), last = SpringEnergy( region, fmax( Length3( now ) + rounding, 0.0 ) );
		double speed = fmax( Length3( spot.u ) + rounding / drift, 0.0 );
		energy += instant == beforeDrift ? first : 0.5 * ( first + last ) + 0.25 * drift * damping * speed * speed;
	}
	return energy;
}

static double BodyEnergy( const Stage* stage )
{
	pnBodyState state;
	ENSURE( pnBody_GetState( stage->world, stage->body, &state ) == pn_success );
	return state.kinetic + state.elastic;
}

// ---- energy ----

typedef struct Case
{
	Shape shape;
	pnMaterial material;
	double h;
	int subStepCount, handCount;
	Region regions[mostHands];
	Stage stage;
	int whirls; // times that it took several rounds
	bool yielded; // some hand has given way since it was last measured
} Case;

// Any body, held anywhere, by hands of any kind, in rest shape but in any motion.
static Case MakeCase( uint64_t seed, int mode, double lowestHertz, double highestHertz )
{
	Case c = { 0 };
	pnRandom random = pnSeed( seed );
	c.shape = MakeBlock( 3 + (int)( seed % 2 ), 4, 3 + (int)( seed / 2 % 3 ), 0.25f, 0.1f, seed );
	int cells = 1 + pnRandomInt( &random, 2 );
	CoverByCells( &c.shape, cells, cells, cells, 0.6f );
	for ( int i = 0; i < c.shape.count; ++i )
	{
		c.shape.masses[i] = seed % 3 == 0 ? (float)pnRandomIn( &random, 0.2, 3.0 ) : 1.0f;
	}
	c.material = PlainMaterial( mode, (float)pow( 10.0, pnRandomIn( &random, 0.0, 1.6 ) ), (float)pnRandomIn( &random, 0.0, 1.0 ) );
	c.material.dampingRatio = pnRandomInt( &random, 2 ) == 0 ? 0.0f : (float)pnRandomIn( &random, 0.0, 1.0 );
	c.material.volume = pnRandomInt( &random, 2 ) == 0 ? 0.0f : 1.0f;
	c.subStepCount = 1 + pnRandomInt( &random, 4 );
	c.h = fmax( floor( 4096.0 * pow( 10.0, pnRandomIn( &random, -3.0, log10( 0.25 ) ) ) ), 4.0 ) / 4096.0; // many of them are a float too
	c.stage = MakeStage( &c.shape, &c.material, s_zero );
	ReadStage( &c.stage );
	pnVec3 drift = RandomVec3( &random, 1.0 ), spin = RandomVec3( &random, 3.0 );
	double rough = pnRandomInt( &random, 2 ) == 0 ? 0.0 : 0.5;
	for ( int i = 0; i < c.shape.count; ++i )
	{
		c.stage.v[i] = pnAdd( pnAdd( drift, pnCross( spin, c.stage.x[i] ) ), RandomVec3( &random, rough ) );
	}
	SetStage( &c.stage );
	c.handCount = 1 + pnRandomInt( &random, pnRandomInt( &random, 2 ) == 0 ? 1 : mostHands );
	for ( int i = 0; i < c.handCount; ++i )
	{
		pnVec3 place = pnAdd( c.stage.x[pnRandomInt( &random, c.shape.count )], RandomVec3( &random, 0.1 ) );
		double radius = pnRandomInt( &random, 4 ) == 0 ? 0.0 : pnRandomInt( &random, 4 ) == 0 ? -1.0 : pnRandomIn( &random, 0.1, 1.2 );
		double hertz = pow( 10.0, pnRandomIn( &random, log10( lowestHertz ), log10( highestHertz ) ) );
		double damping = pnRandomInt( &random, 3 ) == 0 ? 0.0 : pow( 10.0, pnRandomIn( &random, -2.0, 1.0 ) );
		pnGrabDef def = GrabAt( place, (float)radius, (float)hertz, (float)damping );
		def.maxForce = damping == 0.0 && pnRandomInt( &random, 2 ) == 0 ? (float)( MassOf( &c.shape ) * pow( 10.0, pnRandomIn( &random, -1.0, 2.0 ) ) ) : 0.0f;
		c.regions[i] = Hold( &c.stage, &c.shape, def );
	}
	return c;
}

static void FreeCase( Case* c )
{
	FreeStage( &c->stage );
	FreeShape( &c->shape );
}

static void TellCase( const Case* c, uint64_t seed, int step )
{
	const Region* r = c->regions;
	pnTestContext( "case %d, step %d: mode %d, %g Hz, stretch %g, damping %g, volume %g, %d clusters, %d substeps of %g s; %d hands, the first radius %g, %g Hz, damping %g, at most %g N",
		(int)seed, step, c->material.mode, c->material.hertz, c->material.stretch, c->material.dampingRatio, c->material.volume, c->shape.clusterCount, c->subStepCount, c->h,
		c->handCount, r->def.radius, r->def.hertz, r->def.dampingRatio, r->def.maxForce );
}

// What rounding of places does: work against the body's own pull, and velocities that set it right.
static double RoundingEnergy( const Case* c )
{
	double mass = MassOf( &c->shape ), omega = 2.0 * TEST_PI * c->material.hertz;
	double stiffness = fmin( omega * omega, 2.0 / ( c->h * c->h ) ) * fmax( 1.0, c->material.volume ), slip = 3e-7 / c->h;
	return mass * ( 1e-6 * stiffness + 0.5 * slip * slip );
}

// A hand that gives way because the body is drawn out goes on pulling by itself until it no longer does: its spring is longer than its force says.
static bool AnyYields( const Case* c )
{
	bool yields = false;
	for ( int i = 0; i < c->handCount; ++i )
	{
		yields = yields || StateOf( c->stage.world, c->regions[i].id ).yields;
	}
	return yields;
}

// How far it turns in a substep, rad.
static double TurnOf( const Case* c )
{
	const Shape* shape = &c->shape;
	Motion motion = MeasureMotion( shape->count, shape->masses, c->stage.x, c->stage.v );
	double second[6] = { 0 }, spin[3], omega[3];
	for ( int i = 0; i < shape->count; ++i )
	{
		double m = shape->masses[i] / motion.mass, p[3] = { c->stage.x[i].x - motion.center[0], c->stage.x[i].y - motion.center[1], c->stage.x[i].z - motion.center[2] };
		for ( int k = 0; k < 3; ++k )
		{
			second[k] += m * p[k] * p[k];
			second[3 + k] += m * p[k] * p[( k + 1 ) % 3];
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		spin[k] = motion.angularMomentum[k] / motion.mass;
	}
	pnAngularVelocity( second, spin, omega );
	return c->h * Length3( omega );
}

static void StepOnce( Case* c, int subSteps )
{
	ENSURE( pnWorld_Step( c->stage.world, (float)( c->h * subSteps ), subSteps ) == pn_success );
	ReadStage( &c->stage );
	c->yielded = c->yielded || AnyYields( c );
}

// Steps of many substeps and of one, all of the same length. What a body tells is of where it was before its last drift, synchronised: with that belong its
// springs in the middle of the drift before (pull.c). A substep in which it turns by more than 0.35 rad is made in several rounds, and what was
// before the last of them is not to be seen: there the springs count as they are when that round begins.
static double StepAndMeasure( Case* c, double doubt )
{
	c->yielded = false;
	StepOnce( c, c->subStepCount );
	double roundsBefore = fmax( ceil( TurnOf( c ) / 0.35 ), 1.0 );
	StepOnce( c, 1 );
	double rounds = fmin( fmax( ceil( TurnOf( c ) / 0.35 ), 1.0 ), 64.0 );
	double springs = SpringsEnergy( &c->stage, &c->shape, c->regions, c->handCount, c->h, inDrift, doubt );
	StepOnce( c, 1 );
	if ( fmax( rounds, roundsBefore ) > 1.0 )
	{
		springs = SpringsEnergy( &c->stage, &c->shape, c->regions, c->handCount, c->h / rounds, beforeDrift, doubt );
		c->whirls += 1;
	}
	return BodyEnergy( &c->stage ) + springs;
}

// How high energies got, in parts of what they were, and how often bodies took several rounds and hands gave way.
typedef struct Heights { double most; int whirled, yielded; } Heights;

// From a start, what the body and the springs of its hands have together does not rise. Of a hand that gives way, so as not to draw the body out, the
// spring is longer than its force says: while it does, the sum counts anew.
static void EnsureNoRise( Case* c, int n, double start, double part, Heights* heights )
{
	double floor = RoundingEnergy( c );
	bool fine = true;
	for ( int step = 0; step < 100 && fine; ++step )
	{
		double energy = StepAndMeasure( c, -1.0 );
		TellCase( c, n, step );
		start = c->yielded ? fmax( start, energy ) : start;
		fine = ENSURE_MOST( energy, part * start + floor );
		heights->most = fmax( heights->most, energy / ( start + floor ) );
		heights->yielded += c->yielded;
	}
	heights->whirled += c->whirls;
}

static void TellHeights( const Heights* heights )
{
	pnTestNote( "highest %.5f of the start; %d times it took several rounds, %d times a hand gave way", heights->most, heights->whirled, heights->yielded );
}

// While the targets rest: any stiffness, damping, limit, step, number of substeps, and regions that overlap as they like. At the start there is kinetic
// energy alone, in closed form.
static void HandsAtRestAddNoEnergy( void )
{
	Heights heights = { 0 };
	pnRandom seeds = SeedOf( 4400 );
	for ( int n = 0; n < 600; ++n )
	{
		Case c = MakeCase( pnRandomBits( &seeds ), n % 3, 0.1, 1e6 );
		double start = 0.0;
		ReadStage( &c.stage );
		for ( int i = 0; i < c.shape.count; ++i )
		{
			double speed = LengthOf( c.stage.v[i] );
			start += 0.5 * c.shape.masses[i] * speed * speed;
		}
		EnsureNoRise( &c, n, start, 1.01, &heights );
		FreeCase( &c );
	}
	TellHeights( &heights );
}

// Targets that were moved and then rest: from there on it does not rise either.
static void MovedHandsAddNoEnergyAfterwards( void )
{
	Heights heights = { 0 };
	pnRandom seeds = SeedOf( 4500 );
	for ( int n = 0; n < 400; ++n )
	{
		uint64_t seed = pnRandomBits( &seeds );
		Case c = MakeCase( seed, n % 3, 0.1, n % 4 == 3 ? 1e6 : 30.0 );
		pnRandom random = pnSeed( seed );
		for ( int i = 0; i < c.handCount; ++i )
		{
			c.regions[i].target = pnAdd( c.regions[i].target, RandomVec3( &random, 0.5 ) );
			ENSURE( pnGrab_MoveTo( c.stage.world, c.regions[i].id, c.regions[i].target ) == pn_success );
		}
		StepAndMeasure( &c, 0.0 ); // on the way
		EnsureNoRise( &c, n, StepAndMeasure( &c, 1.0 ), 1.03, &heights );
		FreeCase( &c );
	}
	TellHeights( &heights );
}

// Loose particles, which have no shape: nothing but the hands acts, and the plain sum of kinetic energy and springs does not rise, whatever
// limits and dampers there are.
static void LooseParticlesGainNothing( void )
{
	double highest = 0.0;
	for ( int n = 0; n < 300; ++n )
	{
		Case c = MakeCase( 7000 + n, n % 3, 0.1, 1e6 );
		pnRandom random = pnSeed( 7000 + n );
		c.material.hertz = 0.0f;
		ENSURE( pnBody_SetMaterial( c.stage.world, c.stage.body, &c.material ) == pn_success );
		for ( int i = 0; i < c.handCount && n % 2 == 0; ++i ) // all of them weak and damped
		{
			ENSURE( pnDestroyGrab( c.stage.world, c.regions[i].id ) == pn_success );
			c.regions[i].def.maxForce = (float)( MassOf( &c.shape ) * pow( 10.0, pnRandomIn( &random, -1.0, 2.0 ) ) );
			c.regions[i].def.dampingRatio = (float)pnRandomIn( &random, 0.0, 10.0 );
			ENSURE( pnCreateGrab( c.stage.world, &c.regions[i].def, &c.regions[i].id ) == pn_success );
		}
		double start = 0.0;
		for ( int step = 0; step < 60; ++step )
		{
			ReadStage( &c.stage );
			double energy = 0.0;
			for ( int i = 0; i < c.shape.count; ++i )
			{
				double speed = LengthOf( c.stage.v[i] );
				energy += 0.5 * c.shape.masses[i] * speed * speed;
			}
			for ( int i = 0; i < c.handCount; ++i )
			{
				Spot spot = MeasureSpot( &c.shape, c.regions + i, c.stage.x, c.stage.v );
				double target[3] = { c.regions[i].target.x, c.regions[i].target.y, c.regions[i].target.z }, way[3], far = 0.0;
				for ( int k = 0; k < 3; ++k )
				{
					way[k] = spot.p[k] + c.regions[i].offset[k] - target[k];
				}
				for ( int k = 0; k < c.shape.count; ++k ) // they fly apart, and so does what rounding does to the middle
				{
					far = fmax( far, LengthOf( c.stage.x[k] ) );
				}
				energy += SpringEnergy( c.regions + i, fmax( Length3( way ) - 3e-7 * far, 0.0 ) );
			}
			start = step == 0 ? energy : start;
			TellCase( &c, 7000 + n, step );
			ENSURE_MOST( energy, ( 1.0 + 1e-5 ) * start + RoundingEnergy( &c ) );
			highest = fmax( highest, energy / start );
			ENSURE( pnWorld_Step( c.stage.world, (float)( c.h * c.subStepCount ), c.subStepCount ) == pn_success );
		}
		FreeCase( &c );
	}
	pnTestNote( "highest %.7f of the start", highest );
}

// The paper's own equations know no energy account, but they do not fly apart either.
static void BareBodiesStayInHand( void )
{
	double farthest = 0.0;
	for ( int n = 0; n < 60; ++n )
	{
		Case c = MakeCase( 9000 + n, n % 3, 0.1, 1e6 );
		c.material.bare = true;
		c.material.alpha = 0.1f + 0.8f * (float)( n % 5 ) / 4.0f;
		ENSURE( pnBody_SetMaterial( c.stage.world, c.stage.body, &c.material ) == pn_success );
		ReadStage( &c.stage );
		double fastest = 0.0;
		for ( int i = 0; i < c.shape.count; ++i )
		{
			fastest = fmax( fastest, LengthOf( c.stage.v[i] ) );
		}
		double far = 0.0;
		for ( int step = 0; step < 300; ++step )
		{
			ENSURE( pnWorld_Step( c.stage.world, (float)( c.h * c.subStepCount ), c.subStepCount ) == pn_success );
			ReadStage( &c.stage );
			Motion motion = MeasureMotion( c.shape.count, c.shape.masses, c.stage.x, c.stage.v );
			far = fmax( far, motion.size );
		}
		TellCase( &c, 9000 + n, 300 );
		ENSURE_MOST( far, 30.0 * ( 1.0 + c.h * fastest ) );
		farthest = fmax( farthest, far );
		FreeCase( &c );
	}
	pnTestNote( "largest %.3g m", farthest );
}

// ---- forces ----

static void MoveTargets( Case* c, pnRandom* random, double most )
{
	for ( int i = 0; i < c->handCount; ++i )
	{
		c->regions[i].target = pnAdd( c->regions[i].target, RandomVec3( random, most ) );
		ENSURE( pnGrab_MoveTo( c->stage.world, c->regions[i].id, c->regions[i].target ) == pn_success );
	}
}

static void ForcesKeepTheirLimit( void )
{
	int reached = 0, steps = 0;
	for ( int n = 0; n < 100; ++n )
	{
		Case c = MakeCase( 11000 + n, n % 3, 0.1, 1e6 );
		pnRandom random = pnSeed( n );
		for ( int step = 0; step < 40; ++step )
		{
			MoveTargets( &c, &random, 0.2 );
			ENSURE( pnWorld_Step( c.stage.world, (float)( c.h * c.subStepCount ), c.subStepCount ) == pn_success );
			for ( int i = 0; i < c.handCount; ++i )
			{
				double most = c.regions[i].def.maxForce, force = LengthOf( StateOf( c.stage.world, c.regions[i].id ).force );
				if ( most > 0.0 )
				{
					TellCase( &c, 11000 + n, step );
					ENSURE_MOST( force, most * ( 1.0 + 1e-6 ) );
					reached += force > 0.9 * most;
					steps += 1;
				}
			}
		}
		FreeCase( &c );
	}
	pnTestContext( "%s", "" );
	ENSURE( reached > steps / 4 );
	pnTestNote( "%d of %d pulled with all they had", reached, steps );
}

// Nothing else acts: momentum gained is what the hands have given, and they say how much.
static void ForceIsMomentumPerSecond( void )
{
	double worst = 0.0;
	for ( int n = 0; n < 60; ++n )
	{
		Case c = MakeCase( 13000 + n, n % 3, 0.5, n % 2 == 0 ? 20.0 : 1e5 );
		if ( n % 5 == 4 )
		{
			c.material.bare = true;
			c.material.alpha = 0.3f;
			ENSURE( pnBody_SetMaterial( c.stage.world, c.stage.body, &c.material ) == pn_success );
		}
		pnRandom random = pnSeed( n );
		ReadStage( &c.stage );
		Motion before = MeasureMotion( c.shape.count, c.shape.masses, c.stage.x, c.stage.v );
		for ( int step = 0; step < 60; ++step )
		{
			if ( step < 40 )
			{
				MoveTargets( &c, &random, 0.1 );
			}
			double timeStep = (float)( c.h * c.subStepCount ), given[3] = { 0.0, 0.0, 0.0 }, scale = 0.0;
			ENSURE( pnWorld_Step( c.stage.world, (float)timeStep, c.subStepCount ) == pn_success );
			for ( int i = 0; i < c.handCount; ++i )
			{
				pnVec3 force = StateOf( c.stage.world, c.regions[i].id ).force;
				given[0] += timeStep * force.x, given[1] += timeStep * force.y, given[2] += timeStep * force.z;
				scale += timeStep * LengthOf( force );
			}
			ReadStage( &c.stage );
			Motion now = MeasureMotion( c.shape.count, c.shape.masses, c.stage.x, c.stage.v );
			double gained[3] = { now.momentum[0] - before.momentum[0], now.momentum[1] - before.momentum[1], now.momentum[2] - before.momentum[2] };
			double error = Distance3( gained, given ) / ( scale + now.momentumScale + before.momentumScale );
			TellCase( &c, 13000 + n, step );
			ENSURE_MOST( error, 2e-6 );
			worst = fmax( worst, error );
			before = now;
		}
		FreeCase( &c );
	}
	pnTestNote( "off by %.1e of the momenta that pass", worst );
}

static void ReleasedBodiesKeepTheirMomentum( void )
{
	double worst = 0.0;
	for ( int n = 0; n < 30; ++n )
	{
		Case c = MakeCase( 15000 + n, n % 3, 0.5, 100.0 );
		pnRandom random = pnSeed( n );
		for ( int step = 0; step < 20; ++step )
		{
			MoveTargets( &c, &random, 0.1 );
			ENSURE( pnWorld_Step( c.stage.world, (float)( c.h * c.subStepCount ), c.subStepCount ) == pn_success );
		}
		for ( int i = 0; i < c.handCount; ++i )
		{
			ENSURE( pnDestroyGrab( c.stage.world, c.regions[i].id ) == pn_success );
		}
		ReadStage( &c.stage );
		Motion start = MeasureMotion( c.shape.count, c.shape.masses, c.stage.x, c.stage.v );
		for ( int step = 0; step < 100; ++step )
		{
			ENSURE( pnWorld_Step( c.stage.world, (float)( c.h * c.subStepCount ), c.subStepCount ) == pn_success );
			ReadStage( &c.stage );
			Motion now = MeasureMotion( c.shape.count, c.shape.masses, c.stage.x, c.stage.v );
			double error = Distance3( now.momentum, start.momentum ) / start.momentumScale;
			TellCase( &c, 15000 + n, step );
			ENSURE_MOST( error, 1e-5 );
			worst = fmax( worst, error );
		}
		FreeCase( &c );
	}
	pnTestNote( "off by %.1e", worst );
}

// Hung up and come to rest, the hands carry its weight, stiff or soft, one or two of them.
static void HangingBodiesReportTheirWeight( void )
{
	static const float hertzes[] = { 2.0f, 20.0f, 1e3f, 1e6f };
	double worst = 0.0;
	for ( int n = 0; n < 24; ++n )
	{
		Shape shape = MakeBlock( 5, 4, 5, 0.25f, 0.0f, 1 ); // a point in the middle of the top
		int cells = 1 + n % 2;
		CoverByCells( &shape, cells, cells, cells, 0.6f );
		pnMaterial material = PlainMaterial( n % 3, 8.0f, 0.4f );
		material.dampingRatio = 0.5f;
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, -9.81f, 0.0f ) );
		int handCount = 1 + n / 4 % 2;
		Region hands[2];
		for ( int i = 0; i < handCount; ++i )
		{
			float side = handCount == 1 ? 0.0f : i == 0 ? -0.5f : 0.5f;
			hands[i] = Hold( &stage, &shape, GrabAt( pnMakeVec3( side, 0.375f, 0.0f ), handCount == 1 ? 0.8f : 0.4f, hertzes[n % 4], 1.0f ) );
		}
		for ( int step = 0; step < 1800; ++step )
		{
			ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 1 + n % 3 ) == pn_success );
		}
		double force[3] = { 0.0, 0.0, 0.0 }, weight = MassOf( &shape ) * 9.81;
		for ( int i = 0; i < handCount; ++i )
		{
			pnVec3 f = StateOf( stage.world, hands[i].id ).force;
			force[0] += f.x, force[1] += f.y, force[2] += f.z;
		}
		pnTestContext( "mode %d, %d hands of %g Hz, %d clusters", material.mode, handCount, hertzes[n % 4], shape.clusterCount );
		ENSURE_NEAR( force[1], weight, 2e-3 * weight );
		ENSURE_NEAR( force[0], 0.0, 2e-3 * weight );
		ENSURE_NEAR( force[2], 0.0, 2e-3 * weight );
		worst = fmax( worst, fabs( force[1] / weight - 1.0 ) );
		FreeStage( &stage );
		FreeShape( &shape );
	}
	pnTestNote( "off by %.1e of the weight", worst );
}

// ---- following ----

// A target that sets out at a steady speed: a point mass on the same spring would lag by speed / ( e omega ) at most and then catch up.
static void TargetsAreFollowed( void )
{
	double worst = 0.0;
	for ( int n = 0; n < 18; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 4, 0.25f, 0.1f, 3 );
		CoverByCells( &shape, 2, 2, 2, 0.6f );
		pnMaterial material = PlainMaterial( n % 3, 15.0f, 0.3f );
		material.dampingRatio = 0.3f;
		Stage stage = MakeStage( &shape, &material, s_zero );
		float hertz = n / 3 % 3 == 0 ? 2.0f : n / 3 % 3 == 1 ? 8.0f : 1e4f;
		pnVec3 start = pnMakeVec3( 0.375f, 0.0f, 0.0f );
		Region hand = Hold( &stage, &shape, GrabAt( start, 0.5f, hertz, 1.0f ) );
		double speed = 2.0, omega = 2.0 * TEST_PI * hertz, most = 0.0, last = 0.0, h = 1.0 / 60.0;
		int subSteps = 1 + n / 9;
		for ( int step = 1; step <= 180; ++step )
		{
			pnVec3 target = pnAdd( start, pnMakeVec3( (float)( speed * h * step ), 0.0f, 0.0f ) );
			ENSURE( pnGrab_MoveTo( stage.world, hand.id, target ) == pn_success );
			ENSURE( pnWorld_Step( stage.world, (float)h, subSteps ) == pn_success );
			pnGrabState state = StateOf( stage.world, hand.id );
			ENSURE( DistanceOf( state.target, target ) == 0.0 );
			last = DistanceOf( state.place, target );
			most = fmax( most, last );
		}
		pnTestContext( "mode %d, %g Hz, %d substeps", material.mode, hertz, subSteps );
		ENSURE_MOST( most, 0.6 * speed / omega + 1e-4 );
		ENSURE_MOST( last, 0.05 * speed / omega + 1e-4 );
		worst = fmax( worst, most / ( speed / omega + 1e-4 ) );
		FreeStage( &stage );
		FreeShape( &shape );
	}
	pnTestNote( "lag up to %.2f speed / omega", worst );
}

// How far the middle of what is held stands out from its neighbours, at most, while it is pulled.
static double FindSpike( float radius )
{
	Shape shape = MakeBlock( 7, 7, 7, 0.1f, 0.0f, 1 );
	CoverByCells( &shape, 3, 3, 3, 0.5f );
	pnMaterial material = PlainMaterial( pn_linearMode, 6.0f, 0.5f );
	material.dampingRatio = 0.3f;
	Stage stage = MakeStage( &shape, &material, s_zero );
	int middle = ( 6 * 7 + 3 ) * 7 + 3; // of the face at +x
	Region hand = Hold( &stage, &shape, GrabAt( shape.rest[middle], radius, 5.0f, 1.0f ) );
	double spike = 0.0;
	for ( int step = 1; step <= 60; ++step )
	{
		float way = 0.02f * (float)( step < 30 ? step : 30 );
		ENSURE( pnGrab_MoveTo( stage.world, hand.id, pnAdd( shape.rest[middle], pnMakeVec3( way, 0.0f, 0.0f ) ) ) == pn_success );
		ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 2 ) == pn_success );
		ReadStage( &stage );
		static const int beside[4] = { 7, -7, 1, -1 };
		pnVec3 mean = s_zero;
		for ( int k = 0; k < 4; ++k )
		{
			mean = pnAdd( mean, pnScale( 0.25f, stage.x[middle + beside[k]] ) );
		}
		spike = fmax( spike, DistanceOf( stage.x[middle], mean ) );
	}
	FreeStage( &stage );
	FreeShape( &shape );
	return spike;
}

static void RegionsMoveWithoutASpike( void )
{
	double alone = FindSpike( 0.0f ), some = FindSpike( 0.25f ), many = FindSpike( 0.4f );
	ENSURE_MOST( some, 0.3 * alone );
	ENSURE_MOST( many, 0.8 * some );
	pnTestNote( "radius 0: %.1f mm, 250 mm: %.1f mm, 400 mm: %.1f mm", 1e3 * alone, 1e3 * some, 1e3 * many );
}

// ---- pins ----

static void PinnedPointsTakeNothing( void )
{
	Shape shape = MakeBlock( 4, 4, 4, 0.25f, 0.1f, 4 );
	pnMaterial material = PlainMaterial( pn_linearMode, 8.0f, 0.4f );
	Stage stage = MakeStage( &shape, &material, s_zero );
	Region hand = Hold( &stage, &shape, GrabAt( pnAdd( shape.rest[63], pnMakeVec3( 0.03f, 0.0f, 0.02f ) ), 0.6f, 1e3f, 1.0f ) );
	pnVec3 place = StateOf( stage.world, hand.id ).place;
	ENSURE_NEAR( DistanceOf( place, hand.def.place ), 0.0, 1e-6 );
	// what is pinned no longer counts, but the place stays where it is
	int32_t pins[64] = { 63, 62 };
	ENSURE( pnBody_Pin( stage.world, stage.body, pins, NULL, 2 ) == pn_success );
	ENSURE_NEAR( DistanceOf( StateOf( stage.world, hand.id ).place, place ), 0.0, 1e-6 );
	pnVec3 target = pnAdd( place, pnMakeVec3( 0.0f, 0.1f, 0.0f ) );
	ENSURE( pnGrab_MoveTo( stage.world, hand.id, target ) == pn_success );
	for ( int i = 0; i < 120; ++i )
	{
		ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 2 ) == pn_success );
	}
	ReadStage( &stage );
	ENSURE( DistanceOf( stage.x[63], shape.rest[63] ) == 0.0 && DistanceOf( stage.x[62], shape.rest[62] ) == 0.0 );
	ENSURE_NEAR( DistanceOf( StateOf( stage.world, hand.id ).place, target ), 0.0, 1e-3 );
	ENSURE( LengthOf( StateOf( stage.world, hand.id ).force ) > 1.0 );
	// all of it
	for ( int i = 0; i < 64; ++i )
	{
		pins[i] = i;
	}
	place = StateOf( stage.world, hand.id ).place;
	ENSURE( pnBody_Pin( stage.world, stage.body, pins, NULL, 64 ) == pn_success );
	ENSURE_NEAR( DistanceOf( StateOf( stage.world, hand.id ).place, place ), 0.0, 1e-6 );
	ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 2 ) == pn_success );
	ENSURE( LengthOf( StateOf( stage.world, hand.id ).force ) == 0.0 );
	ENSURE( pnBody_Unpin( stage.world, stage.body, NULL, 0 ) == pn_success );
	ENSURE_NEAR( DistanceOf( StateOf( stage.world, hand.id ).place, place ), 0.0, 1e-6 );
	for ( int i = 0; i < 60; ++i )
	{
		ENSURE( pnWorld_Step( stage.world, 1.0f / 60.0f, 2 ) == pn_success );
	}
	ENSURE_NEAR( DistanceOf( StateOf( stage.world, hand.id ).place, target ), 0.0, 1e-2 );
	FreeStage( &stage );
	FreeShape( &shape );
}

// ---- whose hands ----

static pnGrabId Grab( pnWorld* world, pnBodyId body, pnVec3 place, uint32_t owner )
{
	pnGrabDef def = pnDefaultGrabDef();
	def.body = body;
	def.place = place;
	def.owner = owner;
	def.userData = 7000 + owner;
	pnGrabId grab = { 0 };
	ENSURE( pnCreateGrab( world, &def, &grab ) == pn_success );
	return grab;
}

static void OwnersLetGo( void )
{
	pnSolid* solid = pnCreateGridSolid( 4, 4, 4, 0.1f, 0.0f );
	pnWorld* world = MakeWorld( s_zero );
	pnMaterial material = pnDefaultMaterial();
	pnBodyId bodies[2] = { PlaceBody( world, solid, &material ), PlaceBody( world, solid, &material ) };
	pnGrabId grabs[6];
	pnShapeId shapes[4];
	for ( int i = 0; i < 6; ++i )
	{
		grabs[i] = Grab( world, bodies[i % 2], pnMakeVec3( 0.1f * (float)( i % 3 ), 0.0f, 0.0f ), (uint32_t)( i % 3 ) );
	}
	for ( int i = 0; i < 4; ++i )
	{
		pnShapeDef def = pnDefaultShapeDef();
		def.kind = pn_sphereShape;
		def.transform.p.x = 10.0f + (float)i;
		def.owner = (uint32_t)( i % 3 );
		ENSURE( pnCreateShape( world, &def, shapes + i ) == pn_success );
		ENSURE( pnShape_GetDef( world, shapes[i], &def ) == pn_success && def.owner == (uint32_t)( i % 3 ) );
	}
	ENSURE( pnGrab_Lock( world, grabs[4], true ) == pn_success ); // owner 1
	ENSURE( pnGrab_Lock( world, grabs[5], true ) == pn_success ); // owner 2
	ENSURE( StateOf( world, grabs[4] ).locked && !StateOf( world, grabs[1] ).locked );
	ENSURE( StateOf( world, grabs[4] ).owner == 1 && StateOf( world, grabs[4] ).userData == 7001 );
	uint64_t hash = pnWorld_GetHash( world );
	pnWorld_LetGo( world, 0 ); // nobody's
	pnWorld_LetGo( world, 17 ); // has none
	ENSURE( pnWorld_GetHash( world ) == hash && pnWorld_GetGrabs( world, NULL, 0 ) == 6 && pnWorld_GetShapes( world, NULL, 0 ) == 4 );
	pnWorld_LetGo( world, 1 );
	for ( int i = 0; i < 6; ++i )
	{
		ENSURE( pnGrab_IsValid( world, grabs[i] ) == ( i != 1 ) );
	}
	for ( int i = 0; i < 4; ++i )
	{
		ENSURE( pnShape_IsValid( world, shapes[i] ) == ( i != 1 ) );
	}
	ENSURE( pnGrab_Lock( world, grabs[5], false ) == pn_success );
	pnWorld_LetGo( world, 2 );
	pnWorld_LetGo( world, 1 );
	pnGrabId left[8];
	ENSURE( pnWorld_GetGrabs( world, left, 8 ) == 3 && pnWorld_GetShapes( world, NULL, 0 ) == 2 );
	ENSURE( left[0].index1 == grabs[0].index1 && left[1].index1 == grabs[3].index1 && left[2].index1 == grabs[4].index1 );
	ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
	ENSURE( pnGetByteCount() == 0 );
}

static bool SameId( pnGrabId a, pnGrabId b )
{
	return a.index1 == b.index1 && a.generation == b.generation;
}

static void IdsDoNotOutliveTheirGrabs( void )
{
	pnSolid* solid = pnCreateGridSolid( 3, 3, 3, 0.1f, 0.0f );
	pnWorld* world = MakeWorld( s_zero );
	pnMaterial material = pnDefaultMaterial();
	enum { bodyCount = 3, slotCount = 12 };
	pnBodyId bodies[bodyCount];
	for ( int i = 0; i < bodyCount; ++i )
	{
		bodies[i] = PlaceBody( world, solid, &material );
	}
	struct { pnGrabId id; int body, birth; } alive[slotCount];
	static pnGrabId dead[4000];
	int aliveCount = 0, deadCount = 0, births = 0;
	pnRandom random = pnSeed( 21 );
	ENSURE( !pnGrab_IsValid( world, ( pnGrabId ){ 0 } ) );
	pnSetLogFcn( NULL );
	for ( int n = 0; n < 1500; ++n )
	{
		int act = pnRandomInt( &random, 20 );
		if ( act < 10 && aliveCount < slotCount )
		{
			int body = pnRandomInt( &random, bodyCount );
			alive[aliveCount].id = Grab( world, bodies[body], RandomVec3( &random, 0.1 ), 1 );
			alive[aliveCount].body = body;
			alive[aliveCount++].birth = births++;
		}
		else if ( act < 19 && aliveCount > 0 )
		{
			int i = pnRandomInt( &random, aliveCount );
			ENSURE( pnDestroyGrab( world, alive[i].id ) == pn_success );
			dead[deadCount++] = alive[i].id;
			memmove( alive + i, alive + i + 1, (size_t)( aliveCount - i - 1 ) * sizeof( alive[0] ) );
			aliveCount -= 1;
		}
		else if ( act == 19 ) // a body takes its grabs along
		{
			int body = pnRandomInt( &random, bodyCount ), kept = 0;
			ENSURE( pnDestroyBody( world, bodies[body] ) == pn_success );
			bodies[body] = PlaceBody( world, solid, &material );
			for ( int i = 0; i < aliveCount; ++i )
			{
				if ( alive[i].body == body )
				{
					dead[deadCount++] = alive[i].id;
				}
				else
				{
					alive[kept++] = alive[i];
				}
			}
			aliveCount = kept;
		}
		pnGrabId listed[slotCount];
		ENSURE( pnWorld_GetGrabs( world, listed, slotCount ) == aliveCount );
		for ( int i = 0; i < aliveCount; ++i )
		{
			ENSURE( pnGrab_IsValid( world, alive[i].id ) && SameId( listed[i], alive[i].id ) );
			pnBodyId body = StateOf( world, alive[i].id ).body;
			ENSURE( body.index1 == bodies[alive[i].body].index1 && body.generation == bodies[alive[i].body].generation );
		}
		for ( int i = deadCount > 20 ? deadCount - 20 : 0; i < deadCount; ++i )
		{
			ENSURE( !pnGrab_IsValid( world, dead[i] ) );
		}
		if ( n % 10 == 0 )
		{
			ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
		}
	}
	// fewer may be asked for than there are
	pnGrabId one[2] = { { 77, 77 }, { 77, 77 } };
	ENSURE( pnWorld_GetGrabs( world, one, 1 ) == aliveCount && one[1].index1 == 77 );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
	ENSURE( pnGetByteCount() == 0 );
}

static bool IsAwake( const pnWorld* world, pnBodyId body )
{
	pnBodyState state;
	ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
	return state.awake;
}

static void HeldBodiesDoNotSleep( void )
{
	pnSolid* solid = pnCreateGridSolid( 3, 3, 3, 0.1f, 0.0f );
	pnWorldDef def = pnDefaultWorldDef();
	def.gravity = s_zero;
	pnWorld* world = NULL;
	REQUIRE( pnCreateWorld( &def, &world ) == pn_success );
	pnMaterial material = pnDefaultMaterial();
	pnBodyId body = PlaceBody( world, solid, &material );
	pnDestroySolid( solid );
	for ( int i = 0; i < 120; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	}
	ENSURE( !IsAwake( world, body ) );
	pnGrabDef grabDef = GrabAt( s_zero, 0.3f, 5.0f, 1.0f );
	grabDef.body = body;
	pnGrabId grab;
	ENSURE( pnCreateGrab( world, &grabDef, &grab ) == pn_success );
	ENSURE( IsAwake( world, body ) );
	for ( int i = 0; i < 240; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
		ENSURE( IsAwake( world, body ) );
	}
	ENSURE( pnBody_SetAwake( world, body, false ) == pn_success );
	ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	ENSURE( !IsAwake( world, body ) ); // if the user says so
	ENSURE( pnGrab_MoveTo( world, grab, pnMakeVec3( 0.0f, 0.1f, 0.0f ) ) == pn_success );
	ENSURE( IsAwake( world, body ) );
	for ( int i = 0; i < 240; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	}
	ENSURE_NEAR( StateOf( world, grab ).place.y, 0.1, 1e-4 );
	ENSURE( pnDestroyGrab( world, grab ) == pn_success );
	for ( int i = 0; i < 120; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	}
	ENSURE( !IsAwake( world, body ) );
	pnDestroyWorld( world );
	ENSURE( pnGetByteCount() == 0 );
}

// ---- state ----

// Bodies of many kinds in hands of many kinds; one of them large, so that workers share it.
typedef struct Scene
{
	pnWorld* world;
	pnBodyId bodies[5];
	pnGrabId grabs[8];
} Scene;

static Scene MakeScene( int workerCount )
{
	static const char* const names[] = { "jelly", "flesh", "clay", "rigid", "rubber" };
	Scene scene = { 0 };
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks.workerCount = workerCount;
	ENSURE( pnCreateWorld( &def, &scene.world ) == pn_success );
	pnShapeDef floor = pnDefaultShapeDef();
	pnShapeId shape;
	ENSURE( pnCreateShape( scene.world, &floor, &shape ) == pn_success );
	floor.kind = pn_sphereShape;
	floor.transform.p.y = -3.0f;
	floor.owner = 0xfffffff1u;
	ENSURE( pnCreateShape( scene.world, &floor, &shape ) == pn_success );
	for ( int i = 0; i < 5; ++i )
	{
		pnSolid* solid = i == 4 ? pnCreateGridSolid( 12, 12, 12, 0.1f, 0.25f ) : pnCreateGridSolid( 4, 4, 4, 0.1f, i % 2 == 0 ? 0.0f : 0.2f );
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = solid;
		pnFindMaterial( names[i], &body.material );
		body.material.tear = i == 2 ? 3.0f : 0.0f;
		body.transform.p = pnMakeVec3( 2.0f * (float)i, 1.0f, 0.0f );
		ENSURE( pnCreateBody( scene.world, &body, scene.bodies + i ) == pn_success );
		pnDestroySolid( solid );
	}
	int32_t pin = 0;
	ENSURE( pnBody_Pin( scene.world, scene.bodies[1], &pin, NULL, 1 ) == pn_success );
	for ( int i = 0; i < 8; ++i )
	{
		pnGrabDef grab = GrabAt( pnMakeVec3( 2.0f * (float)( i % 5 ) + 0.1f * (float)( i / 5 ), 1.1f, 0.1f ), i % 3 == 0 ? -1.0f : 0.2f, i == 3 ? 1e6f : 2.0f + (float)i, 0.5f );
		grab.body = scene.bodies[i % 5];
		grab.maxForce = i == 6 ? 100.0f : 0.0f;
		grab.owner = (uint32_t)( i % 3 );
		grab.userData = 0x1122334455667700ull + (uint64_t)i;
		ENSURE( pnCreateGrab( scene.world, &grab, scene.grabs + i ) == pn_success );
	}
	ENSURE( pnGrab_Lock( scene.world, scene.grabs[7], true ) == pn_success );
	return scene;
}

static void TendScene( const Scene* scene, int frame )
{
	for ( int i = 0; i < 8; ++i )
	{
		if ( ( frame + i ) % 3 == 0 && pnGrab_IsValid( scene->world, scene->grabs[i] ) )
		{
			float up = 0.02f * (float)( ( frame + 3 * i ) % 20 );
			ENSURE( pnGrab_MoveTo( scene->world, scene->grabs[i], pnMakeVec3( 2.0f * (float)( i % 5 ) + up, 1.1f + up, 0.1f ) ) == pn_success );
		}
	}
	if ( frame == 12 )
	{
		ENSURE( pnDestroyGrab( scene->world, scene->grabs[2] ) == pn_success );
		pnWorld_LetGo( scene->world, 1 ); // 1 and 4; 7 is locked
	}
	if ( frame == 30 )
	{
		ENSURE( pnDestroyBody( scene->world, scene->bodies[0] ) == pn_success ); // 0 and 5
	}
}

static void EnsureSameGrabs( const pnWorld* a, const pnWorld* b )
{
	pnGrabId left[16], right[16];
	int count = pnWorld_GetGrabs( a, left, 16 );
	ENSURE( pnWorld_GetGrabs( b, right, 16 ) == count );
	for ( int i = 0; i < count; ++i )
	{
		ENSURE( SameId( left[i], right[i] ) );
		pnGrabState l = StateOf( a, left[i] ), r = StateOf( b, right[i] );
		ENSURE( memcmp( &l.place, &r.place, sizeof l.place ) == 0 && memcmp( &l.target, &r.target, sizeof l.target ) == 0 );
		ENSURE( memcmp( &l.force, &r.force, sizeof l.force ) == 0 );
		ENSURE( l.owner == r.owner && l.locked == r.locked && l.yields == r.yields && l.userData == r.userData && l.body.index1 == r.body.index1 );
	}
}

static void RestoredHandsGoOnAsTheyWould( void )
{
	static const int saves[] = { 0, 1, 5, 13, 31 };
	for ( int s = 0; s < (int)( sizeof( saves ) / sizeof( saves[0] ) ); ++s )
	{
		Scene scene = MakeScene( 1 ), other = scene;
		for ( int frame = 0; frame < saves[s]; ++frame )
		{
			TendScene( &scene, frame );
			ENSURE( pnWorld_Step( scene.world, 1.0f / 60.0f, 1 + frame % 3 ) == pn_success );
		}
		if ( s % 2 == 1 )
		{
			TendScene( &scene, saves[s] ); // targets that are still to be reached
		}
		size_t size = pnWorld_Snapshot( scene.world, NULL, 0 );
		unsigned char* image = malloc( size );
		ENSURE( pnWorld_Snapshot( scene.world, image, size ) == size );
		other.world = s % 3 == 0 ? MakeWorld( s_zero ) : MakeScene( 2 ).world; // one that has grabs of its own, too
		pnTestContext( "saved after %d frames", saves[s] );
		ENSURE( pnWorld_Restore( other.world, image, size ) == pn_success );
		EnsureSameGrabs( scene.world, other.world );
		for ( int i = 0; i < 8; ++i )
		{
			ENSURE( pnGrab_IsValid( scene.world, scene.grabs[i] ) == pnGrab_IsValid( other.world, scene.grabs[i] ) );
		}
		pnMaterial material;
		ENSURE( pnBody_GetMaterial( other.world, scene.bodies[2], &material ) == pn_success && material.tear == 3.0f );
		pnShapeId shapes[2];
		pnShapeDef shape;
		ENSURE( pnWorld_GetShapes( other.world, shapes, 2 ) == 2 && pnShape_GetDef( other.world, shapes[1], &shape ) == pn_success && shape.owner == 0xfffffff1u );
		for ( int frame = saves[s]; frame < saves[s] + 20; ++frame )
		{
			ENSURE( pnWorld_GetHash( scene.world ) == pnWorld_GetHash( other.world ) );
			TendScene( &scene, frame );
			TendScene( &other, frame );
			ENSURE( pnWorld_Step( scene.world, 1.0f / 60.0f, 1 + frame % 3 ) == pn_success );
			ENSURE( pnWorld_Step( other.world, 1.0f / 60.0f, 1 + frame % 3 ) == pn_success );
			EnsureSameGrabs( scene.world, other.world );
		}
		// equal worlds, equal images; and a new grab gets the same id in both
		ENSURE( pnWorld_GetHash( scene.world ) == pnWorld_GetHash( other.world ) );
		pnGrabId a = Grab( scene.world, scene.bodies[3], s_zero, 1 ), b = Grab( other.world, scene.bodies[3], s_zero, 1 );
		ENSURE( SameId( a, b ) );
		free( image );
		pnDestroyWorld( scene.world );
		pnDestroyWorld( other.world );
	}
	pnTestContext( "%s", "" );
	ENSURE( pnGetByteCount() == 0 );
}

static void HashesNoticeGrabs( void )
{
	Scene scene = MakeScene( 1 );
	uint64_t before = pnWorld_GetHash( scene.world );
	ENSURE( pnGrab_MoveTo( scene.world, scene.grabs[3], s_zero ) == pn_success );
	uint64_t moved = pnWorld_GetHash( scene.world );
	ENSURE( moved != before );
	ENSURE( pnGrab_Lock( scene.world, scene.grabs[3], true ) == pn_success );
	uint64_t locked = pnWorld_GetHash( scene.world );
	ENSURE( locked != moved );
	ENSURE( pnDestroyGrab( scene.world, scene.grabs[3] ) == pn_success );
	ENSURE( pnWorld_GetHash( scene.world ) != locked );
	pnDestroyWorld( scene.world );
}

static void WorkersDoNotMatter( void )
{
	uint64_t hashes[4];
	for ( int workerCount = 1; workerCount <= 4; ++workerCount )
	{
		Scene scene = MakeScene( workerCount );
		for ( int frame = 0; frame < 40; ++frame )
		{
			TendScene( &scene, frame );
			ENSURE( pnWorld_Step( scene.world, 1.0f / 60.0f, 1 + frame % 3 ) == pn_success );
		}
		ENSURE( pnIsWorldFinite( scene.world ) );
		hashes[workerCount - 1] = pnWorld_GetHash( scene.world );
		ENSURE( hashes[workerCount - 1] == hashes[0] );
		pnDestroyWorld( scene.world );
	}
}

// A sealed image, as anyone could make it who knows the format.
static void Seal( unsigned char* bytes, size_t size )
{
	uint64_t word = size;
	memcpy( bytes + 8, &word, 8 );
	memset( bytes + 16, 0, 8 );
	word = pnHash( PN_HASH_SEED, bytes, size );
	memcpy( bytes + 16, &word, 8 );
}

static char s_log[1024];

static void HearLog( const char* message )
{
	strncpy( s_log, message, sizeof( s_log ) - 1 );
}

static void ForgedGrabsDoNoHarm( void )
{
	pnSolid* solid = pnCreateGridSolid( 3, 3, 3, 0.1f, 0.0f );
	pnWorld* world = MakeWorld( s_zero );
	pnMaterial material = pnDefaultMaterial();
	pnBodyId body = PlaceBody( world, solid, &material );
	pnGrabId gone = Grab( world, body, s_zero, 3 );
	Grab( world, body, pnMakeVec3( 0.1f, 0.0f, 0.0f ), 3 );
	ENSURE( pnDestroyGrab( world, gone ) == pn_success );
	ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	size_t plain = pnWorld_Snapshot( world, NULL, 0 );
	Grab( world, body, pnMakeVec3( 0.0f, 0.1f, 0.0f ), 4 );
	Grab( world, body, pnMakeVec3( 0.0f, 0.1f, 0.1f ), 5 );
	size_t size = pnWorld_Snapshot( world, NULL, 0 );
	unsigned char *image = malloc( size ), *forged = malloc( size );
	ENSURE( pnWorld_Snapshot( world, image, size ) == size );
	pnDestroySolid( solid );
	// the grabs are found by what their user has written there
	uint64_t mark = 7003;
	size_t first = size, last = 0;
	for ( size_t at = 0; at + 8 <= size; at += 4 )
	{
		uint64_t word;
		memcpy( &word, image + at, 8 );
		if ( word >= mark && word <= mark + 2 )
		{
			first = at < first ? at : first;
			last = at;
		}
	}
	REQUIRE( first < last && last < size && plain < size );
	first = first > 160 ? first - 160 : 0;
	last = last + 160 < size ? last + 160 : size;
	pnSetLogFcn( HearLog );
	static const uint32_t numbers[] = { 0, 1, 2, 3, 26, 27, 28, 0xFFFFFFFFu, 0x7FFFFFFFu, 0x80000000u, 0x7FC00000u, 0x7F800000u, 0xFF800000u, 0x7F7FFFFFu, 0x00000100u, 0x7FEFFFFFu, 0x7FF00000u };
	int refused = 0, taken = 0;
	uint64_t hash = pnWorld_GetHash( world );
	memcpy( forged, image, size );
	for ( int n = 0; n < 18 * (int)( ( last - first ) / 4 ); ++n )
	{
		size_t place = first + 4 * (size_t)( n / 18 ), cut = size;
		if ( n % 18 < 17 )
		{
			memcpy( forged + place, numbers + n % 18, 4 );
		}
		else
		{
			cut = place;
		}
		pnTestContext( "forgery %d at %d of %d", n, (int)place, (int)size );
		Seal( forged, cut );
		int64_t bytes = pnGetByteCount();
		pnResult result = pnWorld_Restore( world, forged, cut );
		if ( result == pn_success )
		{
			taken += 1;
			for ( int i = 0; i < 3; ++i )
			{
				ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 + i ) == pn_success );
			}
			ENSURE( pnIsWorldFinite( world ) );
			pnGrabId grabs[8];
			int count = pnWorld_GetGrabs( world, grabs, 8 );
			for ( int i = 0; i < count && i < 8; ++i )
			{
				pnGrabState state = StateOf( world, grabs[i] );
				ENSURE( pnIsFiniteVec3( state.place ) && pnIsFiniteVec3( state.force ) );
			}
			size_t again = pnWorld_Snapshot( world, NULL, 0 );
			unsigned char* copy = malloc( again );
			ENSURE( pnWorld_Snapshot( world, copy, again ) == again );
			ENSURE( pnWorld_Restore( world, copy, again ) == pn_success ); // wherever it has gone, it can be saved
			free( copy );
			pnWorld_LetGo( world, 4 );
			ENSURE( pnWorld_Restore( world, image, size ) == pn_success );
		}
		else
		{
			refused += 1;
			ENSURE( result == pn_badImage && pnGetByteCount() == bytes );
		}
		ENSURE( pnWorld_GetHash( world ) == hash );
		memcpy( forged, image, size );
	}
	pnSetLogFcn( NULL );
	pnTestContext( "%s", "" );
	pnTestNote( "%d refused, %d taken", refused, taken );
	free( image );
	free( forged );
	pnDestroyWorld( world );
	ENSURE( pnGetByteCount() == 0 );
}

// ---- memory ----

#define ROOM_BEFORE 64 // bytes before each block: holds its size, and keeps its alignment
static atomic_int s_allocCount, s_untilFailure; // negative: none fails

static void* CountAlloc( size_t size, size_t alignment )
{
	atomic_fetch_add( &s_allocCount, 1 );
	if ( ( atomic_load( &s_untilFailure ) >= 0 && atomic_fetch_sub( &s_untilFailure, 1 ) == 0 ) || alignment > ROOM_BEFORE )
	{
		return NULL;
	}
	void* memory = NULL;
	if ( posix_memalign( &memory, ROOM_BEFORE, size + ROOM_BEFORE ) != 0 )
	{
		return NULL;
	}
	memcpy( memory, &size, sizeof( size ) );
	return (char*)memory + ROOM_BEFORE;
}

static void CountFree( void* memory, size_t size )
{
	void* start = (char*)memory - ROOM_BEFORE;
	size_t asked = 0;
	memcpy( &asked, start, sizeof( asked ) );
	ENSURE( asked == size );
	free( start );
}

static void StepsAllocateNothing( void )
{
	atomic_store( &s_untilFailure, -1 );
	pnSetAllocator( CountAlloc, CountFree );
	Scene scene = MakeScene( 2 );
	for ( int frame = 0; frame < 45; ++frame ) // later some of them fall on others
	{
		TendScene( &scene, frame );
		int before = atomic_load( &s_allocCount );
		ENSURE( pnWorld_Step( scene.world, 1.0f / 60.0f, 1 + frame % 3 ) == pn_success );
		ENSURE( frame < 2 || atomic_load( &s_allocCount ) == before );
		pnWorld_GetHash( scene.world );
		EnsureSameGrabs( scene.world, scene.world );
		ENSURE( frame < 2 || atomic_load( &s_allocCount ) == before );
	}
	ENSURE_NEAR( (double)pnWorld_GetProfile( scene.world ).byteCount, (double)pnGetByteCount(), 0.01 * (double)pnGetByteCount() );
	pnDestroyWorld( scene.world );
	ENSURE( pnGetByteCount() == 0 );
	pnSetAllocator( NULL, NULL );
}

static void GrabsSurviveNoMemory( void )
{
	atomic_store( &s_untilFailure, -1 );
	pnSetAllocator( CountAlloc, CountFree );
	pnSolid* solid = pnCreateGridSolid( 4, 4, 4, 0.1f, 0.0f );
	pnWorld* world = MakeWorld( s_zero );
	pnMaterial material = pnDefaultMaterial();
	pnBodyId body = PlaceBody( world, solid, &material );
	int failed = 0;
	for ( int i = 0; i < 20; ++i )
	{
		pnGrabDef def = pnDefaultGrabDef();
		def.body = body;
		def.radius = 0.2f;
		pnResult result = pn_outOfMemory;
		for ( int n = 0; result != pn_success && n < 10; ++n )
		{
			uint64_t hash = pnWorld_GetHash( world );
			pnGrabId grab = { 77, 77 };
			atomic_store( &s_untilFailure, n );
			result = pnCreateGrab( world, &def, &grab );
			bool cameToIt = atomic_load( &s_untilFailure ) < 0;
			atomic_store( &s_untilFailure, -1 );
			ENSURE( result == ( cameToIt ? pn_outOfMemory : pn_success ) );
			ENSURE( pnGrab_IsValid( world, grab ) == ( result == pn_success ) && ( result == pn_success || grab.index1 == 0 ) );
			ENSURE( ( pnWorld_GetHash( world ) == hash ) == ( result != pn_success ) );
			ENSURE( pnWorld_GetGrabs( world, NULL, 0 ) == i + ( result == pn_success ) );
			failed += result != pn_success;
		}
		ENSURE( result == pn_success );
	}
	ENSURE( failed > 20 );
	// twenty hands on one body: more than are solved together
	for ( int i = 0; i < 60; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	}
	ENSURE( pnIsWorldFinite( world ) );
	size_t size = pnWorld_Snapshot( world, NULL, 0 );
	unsigned char* image = malloc( size );
	ENSURE( pnWorld_Snapshot( world, image, size ) == size );
	uint64_t saved = pnWorld_GetHash( world );
	pnGrabDef def = pnDefaultGrabDef();
	def.body = body;
	pnGrabId more;
	ENSURE( pnCreateGrab( world, &def, &more ) == pn_success );
	uint64_t hash = pnWorld_GetHash( world );
	pnResult result = pn_outOfMemory;
	for ( int n = 0; result != pn_success && n < 2000; ++n )
	{
		int64_t bytes = pnGetByteCount();
		atomic_store( &s_untilFailure, n );
		result = pnWorld_Restore( world, image, size );
		atomic_store( &s_untilFailure, -1 );
		ENSURE( result == pn_success || ( result == pn_outOfMemory && pnWorld_GetHash( world ) == hash && pnGetByteCount() == bytes ) );
	}
	ENSURE( result == pn_success && pnWorld_GetHash( world ) == saved && !pnGrab_IsValid( world, more ) );
	free( image );
	pnDestroySolid( solid );
	pnDestroyWorld( world );
	ENSURE( pnGetByteCount() == 0 );
	pnSetAllocator( NULL, NULL );
}

// ---- a body comes apart ----

static pnBody* MakeLooseBody( const Shape* shape )
{
	pnSolid* solid = MakeSolid( shape );
	pnBody* body = pnMakeBody( solid );
	pnBodyDef def = pnDefaultBodyDef();
	def.transform.p = pnMakeVec3( 0.3f, 0.2f, 0.1f );
	pnWeighBody( body, &def.material );
	pnPlaceBody( body, &def );
	pnDestroySolid( solid );
	return body;
}

static void GripsGoToThePieces( void )
{
	atomic_store( &s_untilFailure, -1 );
	pnSetAllocator( CountAlloc, CountFree );
	Shape shape = MakeBlock( 6, 3, 3, 0.1f, 0.1f, 5 );
	// the left end is cut off, the right end is lost, and in the larger piece all stand in reverse
	int32_t pieceOfPoint[54], pointOf[54];
	Shape parts[2] = { MakeShape( 18 ), MakeShape( 27 ) };
	int counts[2] = { 0, 0 };
	for ( int i = 0; i < 54; ++i )
	{
		int slice = i / 9, piece = slice < 2 ? 0 : slice < 5 ? 1 : -1;
		pieceOfPoint[i] = piece;
		pointOf[i] = piece < 0 ? -1 : piece == 0 ? counts[0] : 26 - counts[1];
		if ( piece >= 0 )
		{
			counts[piece] += 1;
			parts[piece].rest[pointOf[i]] = shape.rest[i];
		}
	}
	CoverByCells( &parts[0], 1, 1, 1, 0.0f );
	CoverByCells( &parts[1], 1, 1, 1, 0.0f );
	bool moved = false;
	for ( int n = 0; n < 100 && !moved; ++n )
	{
		pnBody *from = MakeLooseBody( &shape ), *pieces[3] = { MakeLooseBody( &parts[0] ), MakeLooseBody( &parts[1] ), NULL };
		int32_t pieceOf[54], particleOf[54];
		for ( int i = 0; i < 54; ++i )
		{
			int32_t particle = from->solid->particleOf[i];
			pieceOf[particle] = pieceOfPoint[i];
			particleOf[particle] = pieceOfPoint[i] < 0 ? -1 : pieces[pieceOfPoint[i]]->solid->particleOf[pointOf[i]];
		}
		static const float xs[] = { -0.25f, 0.05f, 0.25f, -0.03f, 0.25f };
		static const float radii[] = { 0.15f, 0.3f, 0.05f, 0.5f, 0.4f };
		double places[5][3];
		for ( int i = 0; i < 5; ++i )
		{
			pnGrip* grip = pnAddGrip( from, pnMakeVec3( 0.3f + xs[i], 0.21f, 0.12f ), radii[i] );
			REQUIRE( grip != NULL );
			grip->slot = 10 + i;
			grip->hertz = 3.0f;
			pnFindGripPlace( from, grip, places[i] );
			ENSURE_NEAR( places[i][0], 0.3 + xs[i], 1e-6 );
		}
		int64_t bytes = pnGetByteCount();
		atomic_store( &s_untilFailure, n );
		moved = pnCopyGrips( from, pieces, 3, pieceOf, particleOf );
		bool cameToIt = atomic_load( &s_untilFailure ) < 0;
		atomic_store( &s_untilFailure, -1 );
		ENSURE( moved != cameToIt );
		if ( moved )
		{
			// all in the left; most in the middle; all lost; nearly all of the body: more in the middle; the rest of what was lost
			ENSURE( from->gripCount == 5 && pieces[0]->gripCount == 1 && pieces[1]->gripCount == 3 );
			ENSURE( pieces[0]->grips[0].slot == 10 && pieces[1]->grips[0].slot == 11 && pieces[1]->grips[1].slot == 13 && pieces[1]->grips[2].slot == 14 );
			for ( int p = 0; p < 2; ++p )
			{
				for ( int i = 0; i < pieces[p]->gripCount; ++i )
				{
					const pnGrip* grip = pieces[p]->grips + i;
					double place[3];
					pnFindGripPlace( pieces[p], grip, place );
					ENSURE_NEAR( Distance3( place, places[grip->slot - 10] ), 0.0, 1e-6 );
					ENSURE( grip->hertz == 3.0f && grip->pointCount > 0 );
					for ( int k = 0; k < grip->pointCount; ++k )
					{
						ENSURE( grip->points[k].phi > 0.0f && grip->points[k].phi <= 1.0f );
						ENSURE( grip->points[k].particle > ( k > 0 ? grip->points[k - 1].particle : -1 ) && grip->points[k].particle < counts[p] );
					}
				}
			}
		}
		else
		{
			ENSURE( from->gripCount == 5 && pieces[0]->gripCount == 0 && pieces[1]->gripCount == 0 );
			for ( int i = 0; i < 5; ++i )
			{
				double place[3];
				pnFindGripPlace( from, from->grips + i, place );
				ENSURE( Distance3( place, places[i] ) == 0.0 );
			}
			ENSURE( pnGetByteCount() >= bytes ); // pieces may keep room they have gained
		}
		pnFreeBody( from );
		pnFreeBody( pieces[0] );
		pnFreeBody( pieces[1] );
		ENSURE( pnGetByteCount() == 0 );
	}
	ENSURE( moved );
	FreeShape( &shape );
	FreeShape( parts + 0 );
	FreeShape( parts + 1 );
	pnSetAllocator( NULL, NULL );
}

// ---- input ----

static void EnsureRefused( pnWorld* world, const pnGrabDef* def, const char* word )
{
	uint64_t hash = pnWorld_GetHash( world );
	int64_t bytes = pnGetByteCount();
	pnGrabId grab = { 77, 77 };
	s_log[0] = 0;
	pnResult result = pnCreateGrab( world, def, &grab );
	pnTestContext( "%s: it said '%s'", word, s_log );
	ENSURE( result < pn_success && result != pn_outOfMemory );
	ENSURE( grab.index1 == 0 && grab.generation == 0 );
	ENSURE( strstr( s_log, word ) != NULL && strlen( s_log ) > 10 );
	ENSURE( pnWorld_GetHash( world ) == hash && pnGetByteCount() == bytes && pnWorld_GetGrabs( world, NULL, 0 ) == 1 );
	pnTestContext( "%s", "" );
}

static void BadGrabsAreRefused( void )
{
	pnSetLogFcn( HearLog );
	pnSolid* solid = pnCreateGridSolid( 3, 3, 3, 0.1f, 0.0f );
	pnWorld* world = MakeWorld( s_zero );
	pnMaterial material = pnDefaultMaterial();
	pnBodyId body = PlaceBody( world, solid, &material ), dead = PlaceBody( world, solid, &material );
	ENSURE( pnDestroyBody( world, dead ) == pn_success );
	pnGrabId grab = Grab( world, body, s_zero, 1 );
	pnGrabDef fine = pnDefaultGrabDef(), def = fine;
	fine.body = body;
	EnsureRefused( world, NULL, "pnDefaultGrabDef" );
	def = fine, def.cookie = 0;
	EnsureRefused( world, &def, "pnDefaultGrabDef" );
	def = fine, def.body = dead;
	EnsureRefused( world, &def, "body" );
	def = fine, def.body = ( pnBodyId ){ 0 };
	EnsureRefused( world, &def, "body" );
	static const float never[] = { NAN, INFINITY, -INFINITY };
	for ( int i = 0; i < 3; ++i )
	{
		def = fine, def.place.y = never[i];
		EnsureRefused( world, &def, "place" );
		def = fine, def.radius = never[i];
		EnsureRefused( world, &def, "radius" );
		def = fine, def.hertz = never[i];
		EnsureRefused( world, &def, "hertz" );
		def = fine, def.dampingRatio = never[i];
		EnsureRefused( world, &def, "dampingRatio" );
		def = fine, def.maxForce = never[i];
		EnsureRefused( world, &def, "maxForce" );
		s_log[0] = 0;
		uint64_t hash = pnWorld_GetHash( world );
		ENSURE( pnGrab_MoveTo( world, grab, pnMakeVec3( 0.0f, 0.0f, never[i] ) ) == pn_invalidInput && strstr( s_log, "target" ) != NULL );
		ENSURE( pnWorld_GetHash( world ) == hash );
	}
	def = fine, def.place.x = 1e8f;
	EnsureRefused( world, &def, "place" );
	def = fine, def.hertz = 0.0f;
	EnsureRefused( world, &def, "hertz" );
	def = fine, def.hertz = -1.0f;
	EnsureRefused( world, &def, "hertz" );
	def = fine, def.dampingRatio = -0.1f;
	EnsureRefused( world, &def, "dampingRatio" );
	def = fine, def.maxForce = -1.0f;
	EnsureRefused( world, &def, "maxForce" );
	ENSURE( pnCreateGrab( world, &fine, NULL ) == pn_invalidInput );
	ENSURE( pnGrab_GetState( world, grab, NULL ) == pn_invalidInput );
	// nobody there
	pnGrabState state;
	pnGrabId stale = { grab.index1, grab.generation + 1 }, far = { 99, 1 }, negative = { -1, 1 }, ids[] = { stale, far, negative, { 0, 0 } };
	for ( int i = 0; i < 4; ++i )
	{
		ENSURE( !pnGrab_IsValid( world, ids[i] ) );
		ENSURE( pnGrab_GetState( world, ids[i], &state ) == pn_notFound );
		ENSURE( pnGrab_MoveTo( world, ids[i], s_zero ) == pn_notFound );
		ENSURE( pnGrab_Lock( world, ids[i], true ) == pn_notFound );
		ENSURE( pnDestroyGrab( world, ids[i] ) == pn_notFound );
	}
	// what is extreme, but means something
	static const float extremes[] = { FLT_MIN, 1e-30f, 1e30f, FLT_MAX };
	for ( int i = 0; i < 64; ++i )
	{
		def = fine, def.hertz = extremes[i % 4], def.dampingRatio = extremes[i / 4 % 4], def.maxForce = i / 16 == 0 ? 0.0f : extremes[i / 16];
		def.radius = i % 3 == 0 ? FLT_MAX : i % 3 == 1 ? FLT_MIN : -FLT_MAX;
		pnGrabId extreme;
		ENSURE( pnCreateGrab( world, &def, &extreme ) == pn_success );
		ENSURE( pnGrab_MoveTo( world, extreme, pnMakeVec3( 1.0f, i % 2 == 0 ? 1e7f : 1.0f, 0.0f ) ) == pn_success );
		for ( int k = 0; k < 4; ++k )
		{
			ENSURE( pnWorld_Step( world, k % 2 == 0 ? 1e-6f : 1.0f, k == 0 ? 1000 : 1 + k ) == pn_success );
			ENSURE( pnIsWorldFinite( world ) && pnIsFiniteVec3( StateOf( world, extreme ).force ) );
		}
		ENSURE( i % 2 == 0 || pnDestroyGrab( world, extreme ) == pn_success );
	}
	// and a material's tear
	static const float wrong[] = { NAN, INFINITY, -1.0f, 0.5f, 0.999f, 2e6f }, right[] = { 0.0f, 1.0f, 3.0f, 1e6f };
	for ( int i = 0; i < 6; ++i )
	{
		material.tear = wrong[i];
		s_log[0] = 0;
		ENSURE( pnBody_SetMaterial( world, body, &material ) == pn_invalidInput && strstr( s_log, "tear" ) != NULL );
	}
	for ( int i = 0; i < 4; ++i )
	{
		pnMaterial read;
		material.tear = right[i];
		ENSURE( pnBody_SetMaterial( world, body, &material ) == pn_success && pnBody_GetMaterial( world, body, &read ) == pn_success && read.tear == right[i] );
	}
	pnSetLogFcn( NULL );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
	ENSURE( pnGetByteCount() == 0 );
}

static const pnTest s_tests[] = {
	RUN( HandsAtRestAddNoEnergy ),
	RUN( MovedHandsAddNoEnergyAfterwards ),
	RUN( LooseParticlesGainNothing ),
	RUN( BareBodiesStayInHand ),
	RUN( ForcesKeepTheirLimit ),
	RUN( ForceIsMomentumPerSecond ),
	RUN( ReleasedBodiesKeepTheirMomentum ),
	RUN( HangingBodiesReportTheirWeight ),
	RUN( TargetsAreFollowed ),
	RUN( RegionsMoveWithoutASpike ),
	RUN( PinnedPointsTakeNothing ),
	RUN( OwnersLetGo ),
	RUN( IdsDoNotOutliveTheirGrabs ),
	RUN( HeldBodiesDoNotSleep ),
	RUN( RestoredHandsGoOnAsTheyWould ),
	RUN( HashesNoticeGrabs ),
	RUN( WorkersDoNotMatter ),
	RUN( ForgedGrabsDoNoHarm ),
	RUN( StepsAllocateNothing ),
	RUN( GrabsSurviveNoMemory ),
	RUN( GripsGoToThePieces ),
	RUN( BadGrabsAreRefused ),
};
SUITE( grab, s_tests );
