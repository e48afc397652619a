// test_clock.c - bodies under clocks that hitch, drop frames and wander: nothing lasting comes of it, neither size nor energy. Issue rows on
// dropped frames, clocks, energy, and no body another size for good. Public calls only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Balance does not contain the step: what lies or hangs at rest is at rest for every step, so whatever the clock did, it must lie and hang
// as before. The bounds, 1 % lying and 2 % hanging, are those promised.
#include "step_help.h"

// ---- lying and hanging ----

// Under frames of `clock` for 10 s (one frame of 0.25 s if it is even), then ten quiet seconds.
static void CheckLying( const pnMaterial* material, const char* name, ClockKind kind, int subStepCount, pnRandom* random )
{
	double edge = RandomLog( random, fmin( 4.0, SmallestEdge( material ) ), 5.0 );
	Thing thing = RandomBlock( random, edge, Chance( random, 2 ) ? oneCover : Chance( random, 2 ) ? autoCover : cellCover );
	Stage stage = LyingStage( &thing, material );
	Clock clock = { .kind = kind, .random = *random };
	SettleStage( &stage, &thing, STEP, subStepCount );
	double before = HeightOf( &stage );
	if ( kind == evenClock )
	{
		ENSURE( pnWorld_Step( stage.world, 0.25f, subStepCount ) == pn_success );
	}
	for ( double time = 0.0; time < 10.0 && kind != evenClock; )
	{
		double h = NextStep( &clock );
		ENSURE( pnWorld_Step( stage.world, (float)h, subStepCount ) == pn_success );
		time += h;
	}
	RunStage( &stage, 10.0, STEP, subStepCount );
	double after = HeightOf( &stage );
	pnTestContext( "%s, %d substeps, %s, a %s", name, subStepCount, s_clockNames[kind], thing.text );
	ENSURE_NEAR( after, before, 0.01 * before );
	// Stiff presets have hardly a sag to lose: g / w^2 is 0.4 mm for wood.
	if ( material->hertz >= 25.0f && edge > 0.3 )
	{
		ENSURE_NEAR( before, edge, 0.05 * edge );
	}
	FreeStage( &stage );
	FreeThing( &thing );
}

static void HitchIsForgotten( void )
{
	pnRandom random = SeedOf( 100 );
	for ( int n = 0; n < Cases( 8 * presetCount ); ++n )
	{
		const char* name;
		pnMaterial material = PresetMaterial( n % presetCount, &name );
		CheckLying( &material, name, evenClock, 1 + n / presetCount % 8, &random );
	}
	pnMaterial material = pnDefaultMaterial(); // the one everybody begins with
	for ( int subStepCount = 1; subStepCount <= 8; ++subStepCount )
	{
		CheckLying( &material, "default", evenClock, subStepCount, &random );
	}
}

static void DroppedFramesAreForgotten( void )
{
	pnRandom random = SeedOf( 101 );
	for ( int n = 0; n < Cases( 3 * presetCount ); ++n )
	{
		const char* name;
		pnMaterial material = PresetMaterial( n % presetCount, &name );
		CheckLying( &material, name, dropClock, n < presetCount ? 2 : 1 + pnRandomInt( &random, 8 ), &random );
	}
}

// From pins at its top, from the rest shape down: at the fixed step until it is still; by the clock for 40 s, of which the last
// is watched.
static void CheckHanging( const pnMaterial* material, const char* name, ClockKind kind, int subStepCount, pnRandom* random )
{
	double edge = RandomLog( random, fmin( 4.0, SmallestEdge( material ) ), 5.0 );
	Thing thing = RandomBlock( random, edge, Chance( random, 2 ) ? oneCover : Chance( random, 2 ) ? autoCover : cellCover );
	int32_t pins[64];
	int pinCount = PointsAtEnd( &thing, 1, true, pins );
	if ( material->yield == 0.0f && Chance( random, 2 ) ) // by the four corners; what may flow is not strained that much
	{
		int corners = 0;
		for ( int k = 0; k < pinCount; ++k )
		{
			pnVec3 p = thing.rest[pins[k]];
			bool corner = ( p.x == thing.lower.x || p.x == thing.upper.x ) && ( p.z == thing.lower.z || p.z == thing.upper.z );
			pins[corners] = pins[k];
			corners += corner;
		}
		ENSURE( corners == 4 );
		pinCount = corners;
	}
	pnVec3 gravity = { 0.0f, (float)-GRAVITY, 0.0f };
	Stage fixed = StageOf( &thing, material, gravity ), other = StageOf( &thing, material, gravity );
	ENSURE( pnBody_Pin( fixed.world, fixed.body, pins, NULL, pinCount ) == pn_success );
	ENSURE( pnBody_Pin( other.world, other.body, pins, NULL, pinCount ) == pn_success );
	SettleStage( &fixed, &thing, STEP, subStepCount );
	double wanted = HeightOf( &fixed ), worst = 0.0;
	Clock clock = { .kind = kind, .random = *random };
	for ( double time = 0.0; time < 40.0; )
	{
		double h = NextStep( &clock );
		ENSURE( pnWorld_Step( other.world, (float)h, subStepCount ) == pn_success );
		time += h;
		if ( time > 39.0 )
		{
			double off = fabs( HeightOf( &other ) - wanted );
			worst = off > worst || off != off ? off : worst;
		}
	}
	pnTestContext( "%s, %d substeps, %s, %s hanging by %d pins, length %.4g", name, subStepCount, s_clockNames[kind], thing.text, pinCount, wanted );
	ENSURE_MOST( worst, 0.02 * wanted );
	FreeStage( &fixed );
	FreeStage( &other );
	FreeThing( &thing );
}

static void WanderingClock( void )
{
	pnRandom random = SeedOf( 102 );
	for ( int n = 0; n < Cases( 2 * presetCount ); ++n )
	{
		const char* name;
		pnMaterial material = PresetMaterial( n % presetCount, &name );
		CheckHanging( &material, name, n < presetCount ? wanderClock : driftClock, 1 + pnRandomInt( &random, 8 ), &random );
		CheckLying( &material, name, n < presetCount ? driftClock : wanderClock, 1 + pnRandomInt( &random, 4 ), &random );
	}
}

static void NearlyEvenClock( void )
{
	pnRandom random = SeedOf( 103 );
	for ( int n = 0; n < Cases( 2 * presetCount ); ++n )
	{
		const char* name;
		pnMaterial material = PresetMaterial( n % presetCount, &name );
		CheckHanging( &material, name, nearClock, 1, &random );
		CheckLying( &material, name, nearClock, 1, &random );
	}
}

// ---- no body is another size for good ----

typedef enum Harm { hitchHarm, hitHarm, leapHarm, squeezeHarm, farHarm, cloudHarm, mirrorHarm, planeHarm, lineHarm, pointHarm, harmCount } Harm;

static const char* const s_harmNames[] = { "hitch", "hit", "leap", "squeeze", "points far away", "cloud", "mirrored", "plane", "line", "point" };

static void Squeeze( Stage* stage, const Thing* thing, double h, int subStepCount )
{
	double half = 0.5 * ( thing->upper.y - thing->lower.y ), middle = 0.5 * ( thing->upper.y + thing->lower.y ), slab = thing->size;
	pnShapeId plates[2];
	for ( int n = 0; n <= 60; ++n )
	{
		// from a twentieth of the size away to 60 % of the height
		double way = half * 1.02 + 0.05 * slab - ( 0.42 * half + 0.05 * slab ) * fmin( 1.0, n / 30.0 );
		for ( int side = 0; side < 2; ++side )
		{
			pnVec3 place = pnMakeVec3( 0.0f, (float)( middle + ( side == 0 ? -1.0 : 1.0 ) * ( way + slab ) ), 0.0f );
			if ( n == 0 )
			{
				pnShapeDef def = DefBoxShape( place, pnMakeVec3( 20.0f * (float)slab, (float)slab, 20.0f * (float)slab ), 0.3f );
				plates[side] = AddShape( stage->world, &def );
			}
			pnTransform target = { place, pnIdentityQuat() };
			ENSURE( pnShape_MoveTo( stage->world, plates[side], target ) == pn_success );
		}
		ENSURE( pnWorld_Step( stage->world, (float)h, subStepCount ) == pn_success );
	}
	ENSURE( pnDestroyShape( stage->world, plates[0] ) == pn_success );
	ENSURE( pnDestroyShape( stage->world, plates[1] ) == pn_success );
}

static void DoHarm( Stage* stage, const Thing* thing, Harm harm, double h, int subStepCount, pnRandom* random )
{
	float size = (float)thing->size;
	pnVec3 center = pnSolid_GetInfo( thing->solid ).center;
	ReadStage( stage );
	if ( harm == hitchHarm ) // while it swings
	{
		for ( int i = 0; i < stage->count; ++i )
		{
			pnVec3 p = pnSub( thing->rest[i], center );
			stage->x[i] = pnAdd( center, pnMakeVec3( 1.1f * p.x, 0.95f * p.y, 1.05f * p.z ) );
		}
		SetStage( stage );
		for ( int n = 0; n < 40; ++n )
		{
			ENSURE( pnWorld_Step( stage->world, n % 10 == 5 ? 0.25f : (float)h, subStepCount ) == pn_success );
		}
	}
	else if ( harm == hitHarm )
	{
		float mass = pnSolid_GetInfo( thing->solid ).mass;
		pnVec3 impulse = pnScale( mass * size * (float)pnRandomIn( random, 0.5, 5.0 ), pnRotate( RandomTurn( random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) );
		ENSURE( pnBody_ApplyImpulseAt( stage->world, stage->body, pnRandomInt( random, stage->count ), impulse ) == pn_success );
	}
	else if ( harm == leapHarm )
	{
		int32_t pins[3] = { 0, stage->count / 2, stage->count - 1 };
		pnVec3 leap = RandomVec3( random, size ), targets[3];
		for ( int k = 0; k < 3; ++k )
		{
			targets[k] = pnAdd( stage->x[pins[k]], leap );
		}
		ENSURE( pnBody_Pin( stage->world, stage->body, pins, NULL, 3 ) == pn_success );
		RunStage( stage, 5.0 * h, h, subStepCount );
		ENSURE( pnBody_Pin( stage->world, stage->body, pins, targets, 3 ) == pn_success );
		RunStage( stage, 5.0 * h, h, subStepCount );
		ENSURE( pnBody_Unpin( stage->world, stage->body, NULL, 0 ) == pn_success );
	}
	else if ( harm == squeezeHarm )
	{
		Squeeze( stage, thing, h, subStepCount );
	}
	else
	{
		for ( int i = 0; i < stage->count; ++i )
		{
			pnVec3 p = pnSub( thing->rest[i], center );
			p = harm == cloudHarm ? RandomVec3( random, 1.5 * size ) : p;
			p.x *= harm == mirrorHarm ? -1.0f : harm == pointHarm ? 0.0f : 1.0f;
			p.y *= harm == lineHarm || harm == pointHarm ? 0.0f : 1.0f;
			p.z *= harm == planeHarm || harm == lineHarm || harm == pointHarm ? 0.0f : 1.0f;
			p = harm == farHarm && Chance( random, 20 ) ? RandomVec3( random, 20.0 * size ) : p;
			stage->x[i] = pnAdd( center, p );
			stage->v[i] = harm == pointHarm ? RandomVec3( random, 0.01 * size ) : pnMakeVec3( 0.0f, 0.0f, 0.0f );
		}
		SetStage( stage );
	}
}

// A new body of the same material, put where the points of a stage are and left alone in steps of a millisecond: how large it gets.
static double SizeOfNewBody( const Stage* stage, const Thing* thing, const pnMaterial* material )
{
	Stage other = StageOf( thing, material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	ENSURE( pnBody_SetPoints( other.world, other.body, stage->x, NULL, stage->count ) == pn_success );
	SettleStage( &other, thing, 1e-3, 1 );
	double size = SizeOfPoints( other.x, other.count );
	FreeStage( &other );
	return size;
}

// In free space, with whatever spin it got taken away, it comes to rest as large as it was made, within 1 %. Its material must want that:
// damped, not plastic, and stretch below 0.9 (at 1 shape is not restored). Bodies of several clusters are damped strongly: what they
// bend by dies out with the damping ratio times a curvature of a hundredth. Clusters that were torn out of all order, or of which points were thrown away by
// twenty sizes, can be knotted, a balance like any other: then the body is as large as a new one that begins there. Returns whether it is knotted.
static bool CheckSizeComesBack( const Thing* thing, Harm harm, pnRandom* random )
{
	pnMaterial material = RandomMaterial( random, thing->clusterCount > 1 ? strongDamping : someDamping, false );
	material.hertz = (float)RandomLog( random, thing->clusterCount > 1 ? 10.0 : 3.0, 1000.0 );
	material.stretch = fminf( material.stretch, 0.9f );
	int subStepCount = 1 + pnRandomInt( random, 4 );
	double h = RandomLog( random, 1.0 / 240.0, 1.0 / 20.0 );
	// a thin body of several clusters can be folded for good
	harm = ( harm == farHarm || harm == leapHarm ) && thing->thin && thing->clusterCount > 1 ? hitHarm : harm;
	harm = harm == squeezeHarm && thing->upper.y - thing->lower.y < 0.2 * thing->size ? hitHarm : harm;
	Stage stage = StageOf( thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	if ( harm == squeezeHarm )
	{
		ENSURE( pnDestroyBody( stage.world, stage.body ) == pn_success );
		pnBodyDef def = DefBody( thing->solid, material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		stage.body = AddBody( stage.world, &def );
	}
	DoHarm( &stage, thing, harm, h, subStepCount, random );
	RunStage( &stage, 4.0, h, subStepCount );
	pnVec3 zero = { 0.0f, 0.0f, 0.0f };
	ENSURE( pnBody_SetVelocity( stage.world, stage.body, zero, zero ) == pn_success );
	SettleStage( &stage, thing, h, subStepCount );
	pnTestContext( "%s, %s, %s, %d substeps of %.3g s", s_harmNames[harm], thing->text, TextOf( &material ), subStepCount, h / subStepCount );
	double size = SizeOfPoints( stage.x, stage.count ), wanted = thing->size;
	bool knotted = false;
	if ( thing->clusterCount > 1 && harm >= farHarm && fabs( size - wanted ) > 0.01 * wanted )
	{
		wanted = SizeOfNewBody( &stage, thing, &material );
		knotted = fabs( wanted - thing->size ) > 0.01 * thing->size;
	}
	ENSURE_NEAR( size, wanted, 0.01 * wanted );
	FreeStage( &stage );
	return knotted;
}

// What leaves the body whole: pushed, pulled, squeezed, single points thrown away.
static void SizeComesBack( void )
{
	pnRandom random = SeedOf( 110 );
	for ( int n = 0; n < Cases( 100 ); ++n )
	{
		Thing thing = RandomThing( &random );
		CheckSizeComesBack( &thing, n % ( farHarm + 1 ), &random );
		FreeThing( &thing );
	}
}

// What destroys its order. One cluster has one state of least energy, its rest shape.
static void BrokenSizeComesBack( void )
{
	pnRandom random = SeedOf( 111 );
	for ( int n = 0; n < Cases( 60 ); ++n )
	{
		Thing thing = RandomThing( &random );
		if ( thing.clusterCount == 1 )
		{
			CheckSizeComesBack( &thing, cloudHarm + n % ( harmCount - cloudHarm ), &random );
		}
		FreeThing( &thing );
	}
}

// The same for 2 x 2 x 2 clusters that share half of their points.
static void BrokenSizeOfClustersComesBack( void )
{
	pnRandom random = SeedOf( 112 );
	int knotted = 0;
	for ( int n = 0; n < Cases( 20 ); ++n )
	{
		Shape shape = MakeBlock( 4, 4, 4, (float)RandomLog( &random, 0.02, 2.0 ), 0.1f, (uint64_t)n );
		CoverByCells( &shape, 2, 2, 2, 0.6f );
		Thing thing = { .solid = MakeSolid( &shape ), .count = 64, .clusterCount = 8, .rest = shape.rest };
		thing.lower = pnSolid_GetInfo( thing.solid ).bounds.lower;
		thing.upper = pnSolid_GetInfo( thing.solid ).bounds.upper;
		thing.size = SizeOfPoints( shape.rest, 64 );
		snprintf( thing.text, sizeof( thing.text ), "block of 64 points, %.3g m, 8 clusters", thing.size );
		knotted += CheckSizeComesBack( &thing, cloudHarm + n % ( harmCount - cloudHarm ), &random );
		pnDestroySolid( thing.solid );
		FreeShape( &shape );
	}
	pnTestNote( "%d of %d knotted", knotted, Cases( 20 ) );
}

// However many clusters a grid of 4 x 4 x 4 points is asked for, it stays one body: two corners thrown apart come back. Too many may be
// refused.
static void ClustersHoldTogether( void )
{
	pnRandom random = SeedOf( 113 );
	int made = 0;
	for ( int count = 1; count <= 24; ++count )
	{
		Rest rest = MakeCloudRest( 4, 4, 4, (float)RandomLog( &random, 0.02, 1.0 ) );
		pnSolidDef def = pnDefaultSolidDef();
		def.points = rest.points;
		def.pointCount = rest.count;
		def.clusters.kind = pn_countClusters;
		def.clusters.count = count;
		pnSolid* solid = NULL;
		pnResult result = pnCreateSolid( &def, &solid );
		pnTestContext( "%d clusters", count );
		ENSURE( result == pn_success || result == pn_invalidInput );
		if ( result == pn_success )
		{
			made += 1;
			Thing thing = { .solid = solid, .count = rest.count, .rest = rest.points, .size = SizeOfPoints( rest.points, rest.count ) };
			pnMaterial material = PlainMaterial( count % 3, (float)RandomLog( &random, 10.0, 200.0 ), 0.2f );
			material.dampingRatio = 0.7f;
			Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			pnVec3 push = pnScale( 2.0f * pnSolid_GetInfo( solid ).mass, rest.points[0] ); // outwards, three body sizes per second
			ENSURE( pnBody_ApplyImpulseAt( stage.world, stage.body, 0, push ) == pn_success );
			ENSURE( pnBody_ApplyImpulseAt( stage.world, stage.body, rest.count - 1, pnScale( -1.0f, push ) ) == pn_success );
			RunStage( &stage, 4.0, STEP, 2 );
			pnVec3 zero = { 0.0f, 0.0f, 0.0f };
			ENSURE( pnBody_SetVelocity( stage.world, stage.body, zero, zero ) == pn_success );
			SettleStage( &stage, &thing, STEP, 2 );
			ENSURE_NEAR( SizeOfPoints( stage.x, stage.count ), thing.size, 0.01 * thing.size );
			FreeStage( &stage );
		}
		pnDestroySolid( solid );
		FreeRest( &rest );
	}
	ENSURE( made >= 8 );
}

// ---- energy ----

typedef enum StepKind { fixedSteps, closeSteps, wideSteps, jumpSteps, leapSteps, stepKindCount } StepKind;

static const char* const s_stepNames[] = { "fixed", "57-63 Hz", "within 2.2 either way", "1 ms to 0.25 s", "10 us to 1 s" };

typedef struct Watched
{
	pnBodyId body;
	pnMaterial material;
	char text[160];
	int start;
	double first, floor, highest;
	bool failed;
} Watched;

enum { spinStart, cloudStart, mirrorStart, planeStart, lineStart, pointStart, energyStartCount };

static const char* const s_energyStarts[] = { "spinning and strained", "cloud", "mirrored", "plane", "line", "point" };

static double MakeEnergyStart( const Thing* thing, int start, double spin, pnRandom* random, pnVec3* x, pnVec3* v )
{
	pnVec3 center = pnSolid_GetInfo( thing->solid ).center, axis = pnScale( (float)spin, pnRotate( RandomTurn( random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) );
	double strain = RandomLog( random, 0.01, 0.4 ), reach = 0.0;
	for ( int i = 0; i < thing->count; ++i )
	{
		pnVec3 p = pnSub( thing->rest[i], center ), q = p;
		switch ( start )
		{
			case spinStart:
				q = pnMakeVec3( (float)( 1.0 + strain ) * p.x, (float)( 1.0 - 0.6 * strain ) * p.y, (float)( 1.0 + 0.3 * strain ) * p.z );
				q = pnAdd( q, RandomVec3( random, 0.1 * strain * thing->size ) );
				break;
			case cloudStart:
				q = RandomVec3( random, thing->size );
				break;
			case mirrorStart:
				q.x = -p.x;
				break;
			default:
				q.x *= start == pointStart ? 0.0f : 1.0f;
				q.y *= start == lineStart || start == pointStart ? 0.0f : 1.0f;
				q.z = 0.0f;
				break;
		}
		x[i] = q;
		v[i] = pnAdd( pnCross( axis, q ), RandomVec3( random, 0.01 * thing->size ) );
		reach = fmax( reach, LengthOf( q ) );
	}
	return fmax( reach, thing->size );
}

// Kinetic + elastic as the bodies of a world are now: told by a copy that takes a step of a microsecond, in which nothing happens.
static void ReadEnergies( const pnWorld* world, Watched* watched, int count )
{
	size_t size = pnWorld_Snapshot( world, NULL, 0 );
	void* image = malloc( size );
	pnWorld* copy = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	ENSURE( pnWorld_Snapshot( world, image, size ) == size );
	ENSURE( pnWorld_Restore( copy, image, size ) == pn_success );
	ENSURE( pnWorld_Step( copy, 1e-6f, 1 ) == pn_success );
	for ( int i = 0; i < count; ++i )
	{
		pnBodyState state = StateOf( copy, watched[i].body );
		watched[i].first = state.kinetic + state.elastic;
	}
	pnDestroyWorld( copy );
	free( image );
}

// Kinetic + elastic is never above 1.01 of what it was at the start, without damping, whatever the material, the start and the
// steps. The start is what the first step tells, or the copy, if that is more. Rounding moves a point by up to about 1e-6 of the body's reach (16 ulp), which can store w^2 times half the square of
// that, and more with volume: below this nobody can be asked. Turns are kept below half a radian per step.
static void EnergyNeverRises( StepKind kind, int worldCount, pnRandom random )
{
	enum { bodyCount = 8 };
	int stepCount = IsLong() ? 100000 : 1000;
	double highest = 0.0;
	for ( int w = 0; w < worldCount; ++w )
	{
		static Watched watched[bodyCount];
		double base = kind == fixedSteps ? RandomLog( &random, 1e-5, 1.0 ) : RandomLog( &random, 1.0 / 240.0, 0.1 );
		double longest = kind == fixedSteps ? base : kind == closeSteps ? 1.0 / 57.0 : kind == wideSteps ? 2.2 * base : kind == jumpSteps ? 0.25 : 1.0;
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		for ( int b = 0; b < bodyCount; ++b )
		{
			Watched* body = watched + b;
			Thing thing = RandomThing( &random );
			*body = ( Watched ){ .material = RandomMaterial( &random, noDamping, true ), .start = Chance( &random, 2 ) ? spinStart : pnRandomInt( &random, energyStartCount ) };
			body->body = PlaceBody( world, thing.solid, &body->material );
			pnVec3* x = calloc( 2 * (size_t)thing.count, sizeof( pnVec3 ) );
			double spin = fmin( 0.5 / longest, RandomLog( &random, 0.01, 20.0 ) );
			double reach = MakeEnergyStart( &thing, body->start, spin, &random, x, x + thing.count );
			ENSURE( pnBody_SetPoints( world, body->body, x, x + thing.count, thing.count ) == pn_success );
			double omega = 2.0 * TEST_PI * body->material.hertz, rounding = 1e-6 * reach;
			body->floor = 0.5 * omega * omega * ( 1.0 + body->material.volume ) * pnSolid_GetInfo( thing.solid ).mass * rounding * rounding;
			snprintf( body->text, sizeof( body->text ), "%s", thing.text );
			free( x );
			FreeThing( &thing );
		}
		ReadEnergies( world, watched, bodyCount );
		double h = base;
		for ( int n = 0; n < stepCount; ++n )
		{
			h = kind == fixedSteps   ? base
				: kind == closeSteps ? 1.0 / pnRandomIn( &random, 57.0, 63.0 )
				: kind == wideSteps  ? base * pow( 2.2, pnRandomIn( &random, -1.0, 1.0 ) )
				: kind == jumpSteps  ? ( Chance( &random, 2 ) ? RandomLog( &random, 1e-3, 0.25 ) : h )
									 : ( Chance( &random, 2 ) ? RandomLog( &random, 1e-5, 1.0 ) : h );
			ENSURE( pnWorld_Step( world, (float)h, 1 ) == pn_success );
			for ( int b = 0; b < bodyCount && ( n < 40 || n % 10 == 9 ); ++b )
			{
				Watched* body = watched + b;
				pnBodyState state = { 0 };
				ENSURE( pnBody_GetState( world, body->body, &state ) == pn_success );
				double energy = state.kinetic + state.elastic;
				body->first = n == 0 ? fmax( energy, body->first ) : body->first;
				if ( body->failed == false )
				{
					pnTestContext( "%s start, %s, %s, steps %s, now %.3g s, step %d", s_energyStarts[body->start], body->text, TextOf( &body->material ), s_stepNames[kind], h, n );
					body->failed = !ENSURE_MOST( energy, 1.01 * body->first + body->floor );
					highest = body->first > 100.0 * body->floor ? fmax( highest, energy / body->first ) : highest;
				}
			}
		}
		pnDestroyWorld( world );
	}
	pnTestNote( "highest %.5f of the start", highest );
}

static void EnergyOfFixedSteps( void )
{
	EnergyNeverRises( fixedSteps, Cases( 16 ), SeedOf( 120 ) );
}

static void EnergyOfNearlyEvenSteps( void )
{
	EnergyNeverRises( closeSteps, Cases( 5 ), SeedOf( 121 ) );
}

static void EnergyOfWanderingSteps( void )
{
	EnergyNeverRises( wideSteps, Cases( 10 ), SeedOf( 122 ) );
}

static void EnergyOfJumpingSteps( void )
{
	EnergyNeverRises( jumpSteps, Cases( 10 ), SeedOf( 123 ) );
}

static void EnergyOfLeapingSteps( void )
{
	EnergyNeverRises( leapSteps, Cases( 10 ), SeedOf( 125 ) );
}

// Among these is a capped sheet whose told energy rose by 7 % where its swing turned.
static void EnergyWhereASwingTurns( void )
{
	EnergyNeverRises( leapSteps, 10, pnSeed( 125 + 1000003ull * 881002 ) );
}

// A shape that nothing holds (stretch 1, no volume) coasts: all that acts on it is rounding, which is not zero on the average. Stiff and slow, so that what
// rounding does in a second is as much as there is; E must not follow it.
static void EnergyOfCoastingShapes( void )
{
	pnRandom random = SeedOf( 126 );
	double highest = 0.0;
	for ( int n = 0; n < Cases( 12 ); ++n )
	{
		float size = (float)RandomLog( &random, 0.05, 5.0 );
		Thing thing = MakeBoxThing( pnMakeVec3( size, 0.15f * size, 0.8f * size ), 6, 2, 5, n % 3 == 2 ? autoCover : oneCover, 1.0, &random );
		pnMaterial material = PlainMaterial( 1 + n % 2, (float)RandomLog( &random, 60.0, 250.0 ), 1.0f );
		double h = pnRandomIn( &random, 0.1, 0.3 ) / ( 2.0 * TEST_PI * material.hertz ), strain = pnRandomIn( &random, 0.02, 0.3 ), first = 0.0;
		Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		for ( int i = 0; i < thing.count; ++i )
		{
			pnVec3 p = thing.rest[i];
			stage.x[i] = pnMakeVec3( (float)( 1.0 + strain ) * p.x, (float)( 1.0 - 0.6 * strain ) * p.y, (float)( 1.0 + 0.3 * strain ) * p.z );
			stage.v[i] = RandomVec3( &random, 0.05 * thing.size );
		}
		SetStage( &stage );
		pnTestContext( "%s, %s, h %.3g", thing.text, TextOf( &material ), h );
		bool held = true;
		for ( int k = 0; k < 4000 && held; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, (float)h, 1 ) == pn_success );
			pnBodyState state = StateOf( stage.world, stage.body );
			first = k == 0 ? state.kinetic + state.elastic : first;
			highest = fmax( highest, ( state.kinetic + state.elastic ) / first );
			held = ENSURE_MOST( state.kinetic + state.elastic, 1.01 * first );
		}
		FreeStage( &stage );
		FreeThing( &thing );
	}
	pnTestNote( "highest %.5f of the start", highest );
}

// The first energy told is the one put in: 1/2 m v^2, and for a symmetric box stretched along its axes w^2 ( 1 - stretch ) / 2 times the
// squared ways of its points (w^2 / 2 in rigid mode). Not more than 1 % above for any step; and while w h and the turn are small not less
// than 2 % below.
static void FirstEnergyIsWhatWasPutIn( void )
{
	pnRandom random = SeedOf( 124 );
	for ( int n = 0; n < Cases( 200 ); ++n )
	{
		double edge = RandomLog( &random, 0.05, 5.0 ), h = RandomLog( &random, 1e-5, 1.0 );
		pnVec3 edges = pnMakeVec3( (float)edge, (float)( edge * pnRandomIn( &random, 0.5, 1.0 ) ), (float)( edge * pnRandomIn( &random, 0.5, 1.0 ) ) );
		Thing thing = MakeBoxThing( edges, 3 + n % 3, 4, 3, oneCover, 1.0, &random );
		pnMaterial material = PlainMaterial( n % 3, (float)RandomLog( &random, 0.5, 1000.0 ), (float)pnRandomIn( &random, 0.0, 0.9 ) );
		Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		double omega = 2.0 * TEST_PI * material.hertz, strain = RandomLog( &random, 0.003, 0.3 ), spin = fmin( 0.3 / h, RandomLog( &random, 0.01, 20.0 ) );
		double stiffness = omega * omega * ( n % 3 == 0 ? 1.0 : 1.0 - material.stretch ), energy = 0.0;
		pnVec3 axis = pnScale( (float)spin, pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) );
		for ( int i = 0; i < thing.count; ++i )
		{
			pnVec3 p = thing.rest[i];
			stage.x[i] = pnMakeVec3( (float)( 1.0 + strain ) * p.x, (float)( 1.0 - 0.5 * strain ) * p.y, (float)( 1.0 + 0.2 * strain ) * p.z );
			stage.v[i] = pnCross( axis, stage.x[i] );
			double way = DistanceOf( stage.x[i], p ), speed = LengthOf( stage.v[i] );
			energy += 0.5 * thing.masses[i] * ( speed * speed + stiffness * way * way );
		}
		SetStage( &stage );
		ENSURE( pnWorld_Step( stage.world, (float)h, 1 ) == pn_success );
		pnBodyState state = { 0 };
		ENSURE( pnBody_GetState( stage.world, stage.body, &state ) == pn_success );
		pnTestContext( "%s, %s, strain %.3g, spin %.3g, h %.3g", thing.text, TextOf( &material ), strain, spin, h );
		ENSURE_MOST( state.kinetic + state.elastic, 1.01 * energy );
		if ( omega * h < 0.1 && spin * h < 0.1 )
		{
			ENSURE_MOST( 0.98 * energy, state.kinetic + state.elastic );
		}
		FreeStage( &stage );
		FreeThing( &thing );
	}
}

// Damped and left alone, what is told only falls: shapes, residuals, clusters against each other, in steps that can follow them well and in steps that cannot at
// all (in between it ripples, docs/step.md). Of what it was, a hundredth may come and go as credit. Spins are slower than swings by twenty: what a spin draws out of a body is told as if it swung (docs/step.md).
static void DampedEnergyFalls( void )
{
	pnRandom random = SeedOf( 127 );
	double highest = 0.0;
	for ( int n = 0; n < Cases( 60 ); ++n )
	{
		Thing thing = RandomThing( &random );
		pnMaterial material = RandomMaterial( &random, someDamping, false );
		material.stretch = fminf( material.stretch, 0.9f );
		double w = 2.0 * TEST_PI * material.hertz, h = ( n % 2 == 0 ? RandomLog( &random, 0.02, 0.3 ) / sqrt( 1.0 + material.volume ) : RandomLog( &random, 4.0, 100.0 ) ) / w;
		double strain = RandomLog( &random, 0.01, 0.2 ), spin = fmin( fmin( 0.3 / h, 0.3 * material.hertz ), RandomLog( &random, 0.01, 5.0 ) );
		pnVec3 center = pnSolid_GetInfo( thing.solid ).center, axis = pnScale( (float)spin, pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) );
		bool shapeOnly = Chance( &random, 2 );
		Stage stage = StageOf( &thing, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		for ( int i = 0; i < thing.count; ++i )
		{
			pnVec3 p = pnSub( thing.rest[i], center ), jitter = RandomVec3( &random, 0.1 * strain * thing.size ), stir = RandomVec3( &random, 0.1 * thing.size );
			pnVec3 q = pnMakeVec3( (float)( 1.0 + strain ) * p.x, (float)( 1.0 - 0.6 * strain ) * p.y, (float)( 1.0 + 0.3 * strain ) * p.z );
			stage.x[i] = pnAdd( center, shapeOnly ? q : pnAdd( q, jitter ) );
			stage.v[i] = shapeOnly ? pnCross( axis, p ) : pnAdd( pnCross( axis, p ), stir );
		}
		SetStage( &stage );
		double first = 0.0, least = 1e300;
		bool held = true;
		for ( int k = 0; k < 400 && held; ++k )
		{
			ENSURE( pnWorld_Step( stage.world, (float)h, 1 ) == pn_success );
			pnBodyState state = StateOf( stage.world, stage.body );
			double energy = state.kinetic + state.elastic;
			first = k == 0 ? energy : first;
			pnTestContext( "%s, %s, h %.3g, step %d", thing.text, TextOf( &material ), h, k );
			held = k == 0 || ENSURE_MOST( energy, least + 0.01 * first );
			highest = k > 0 ? fmax( highest, ( energy - least ) / first ) : highest;
			least = fmin( least, energy );
		}
		FreeStage( &stage );
		FreeThing( &thing );
	}
	pnTestNote( "rises by %.5f of the first at most", highest );
}

// A bar of many clusters, held at one end, drawn aside at the other and let go. It swings more slowly than a short step would have it where its frequency is too high for
// the step, but what is told of it is what it has: from the turning point to the middle and on it loses and never gains, to a hundredth of the most.
static void SwingingBarsTellWhatTheyHave( void )
{
	pnRandom random = SeedOf( 128 );
	double highest = 0.0;
	for ( int n = 0; n < Cases( 24 ); ++n )
	{
		const char* name;
		pnMaterial material = PresetMaterial( 5 + n % 3, &name ); // wood, steel, rigid
		material.yield = 0.0f;
		int length = 14 + pnRandomInt( &random, 14 ), subStepCount = 1 + pnRandomInt( &random, 4 ), pinCount = 0;
		Rest rest = MakeCloudRest( length, 2, 2, 0.1f );
		pnSolidDef def = pnDefaultSolidDef();
		def.points = rest.points;
		def.pointCount = rest.count;
		def.clusters.kind = pn_cellClusters;
		def.clusters.cellSize = (float)pnRandomIn( &random, 0.2, 0.35 );
		def.clusters.overlap = 0.5f;
		pnSolid* solid = NULL;
		ENSURE( pnCreateSolid( &def, &solid ) == pn_success );
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnBodyId body = PlaceBody( world, solid, &material );
		int32_t pins[4];
		for ( int i = 0; i < rest.count; i += length )
		{
			pins[pinCount++] = i;
		}
		ENSURE( pnBody_Pin( world, body, pins, NULL, pinCount ) == pn_success );
		double w = 2.0 * TEST_PI * material.hertz, most = 0.0, least = 1e300, rise = 0.0;
		pnVec3 force = pnMakeVec3( 0.0f, (float)( RandomLog( &random, 1e-6, 1e-4 ) * pnSolid_GetInfo( solid ).mass * w * w ), 0.0f );
		for ( int k = 0; k < 240; ++k )
		{
			if ( k < 60 )
			{
				ENSURE( pnBody_ApplyForceAt( world, body, rest.count - 1, pnScale( fminf( 1.0f, (float)k / 30.0f ), force ) ) == pn_success );
			}
			ENSURE( pnWorld_Step( world, STEP, subStepCount ) == pn_success );
			pnBodyState state = StateOf( world, body );
			double energy = state.kinetic + state.elastic;
			most = k >= 60 ? fmax( most, energy ) : most;
			rise = k > 60 ? fmax( rise, energy - least ) : rise; // in the first step after the force it is still at work
			least = k >= 60 ? fmin( least, energy ) : least;
		}
		pnTestContext( "%s, %d substeps, %d points long, %d clusters", name, subStepCount, length, pnSolid_GetInfo( solid ).clusterCount );
		ENSURE_MOST( rise, 0.01 * most );
		highest = fmax( highest, rise / most );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
		FreeRest( &rest );
	}
	pnTestNote( "rises by %.5f of the most", highest );
}

static const pnTest s_tests[] = {
	RUN( HitchIsForgotten ),
	RUN( DroppedFramesAreForgotten ),
	RUN( WanderingClock ),
	RUN( NearlyEvenClock ),
	RUN( SizeComesBack ),
	RUN( BrokenSizeComesBack ),
	RUN( BrokenSizeOfClustersComesBack ),
	RUN( ClustersHoldTogether ),
	RUN( EnergyOfFixedSteps ),
	RUN( EnergyOfNearlyEvenSteps ),
	RUN( EnergyOfWanderingSteps ),
	RUN( EnergyOfJumpingSteps ),
	RUN( EnergyOfLeapingSteps ),
	RUN( EnergyWhereASwingTurns ),
	RUN( EnergyOfCoastingShapes ),
	RUN( FirstEnergyIsWhatWasPutIn ),
	RUN( DampedEnergyFalls ),
	RUN( SwingingBarsTellWhatTheyHave ),
};
SUITE( clock, s_tests );
