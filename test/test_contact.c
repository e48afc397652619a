// test_contact.c - bodies touch shapes and each other: height, weight, friction, bounce, momenta, no way through. Rows M14, H8.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "contact_help.h"
#include "scenes.h"

#include "../bench/contact_scenes.h"

static const int s_subSteps[] = { 1, 2, 4 };

// ---- grounds: all that has its top at y = 0 about the origin ----

enum { planeGround, boxGround, hullGround, meshGround, heightGround, distanceGround, groundCount };

static const char* const s_groundNames[groundCount] = { "plane", "box", "hull", "mesh", "heights", "distance" };

static float GoDown( pnVec3 place, pnVec3* outward, void* context )
{
	(void)context;
	*outward = pnMakeVec3( 0.0f, 1.0f, 0.0f );
	return place.y;
}

static pnShapeId AddGround( pnWorld* world, int ground, float thick )
{
	static const float heights[25];
	static const int32_t triangles[6] = { 0, 1, 2, 0, 2, 3 };
	pnVec3 points[8];
	pnShapeDef def = pnDefaultShapeDef();
	switch ( ground )
	{
		case boxGround:
			def.kind = pn_boxShape;
			def.halfExtents = pnMakeVec3( 2.0f, 0.5f * thick, 2.0f );
			def.transform.p.y = -0.5f * thick;
			break;
		case hullGround:
			def.kind = pn_hullShape;
			for ( int i = 0; i < 8; ++i )
			{
				points[i] = pnMakeVec3( 4.0f * pn_boxCorners[i].x, thick * ( pn_boxCorners[i].y - 0.5f ), 4.0f * pn_boxCorners[i].z );
			}
			def.points = points;
			def.pointCount = 8;
			break;
		case meshGround:
			def.kind = pn_meshShape;
			points[0] = pnMakeVec3( -2.0f, 0.0f, -2.0f );
			points[1] = pnMakeVec3( -2.0f, 0.0f, 2.0f );
			points[2] = pnMakeVec3( 2.0f, 0.0f, 2.0f );
			points[3] = pnMakeVec3( 2.0f, 0.0f, -2.0f );
			def.points = points;
			def.pointCount = 4;
			def.triangles = triangles;
			def.triangleCount = 2;
			break;
		case heightGround:
			def.kind = pn_heightShape;
			def.heights = heights;
			def.heightCountX = def.heightCountZ = 5;
			def.heightSpacing = 1.0f;
			def.transform.p = pnMakeVec3( -2.0f, 0.0f, -2.0f );
			break;
		case distanceGround:
			def.kind = pn_distanceShape;
			def.distance = GoDown;
			def.bounds = ( pnAABB ){ { -2.0f, -1.0f, -2.0f }, { 2.0f, 0.0f, 2.0f } };
			break;
		default:
			break;
	}
	return AddShape( world, &def );
}

// ---- rest ----

// On whatever ground, a body comes to lie one thickness above it; the ground carries its weight, at its centre, and says so.
static void CheckRest( int ground, const pnSolid* solid, pnMaterial material, float half, int subSteps, double* worst )
{
	const float thickness = 0.01f, mass = 3.0f;
	pnWorld* world = MakeFallingWorld();
	pnShapeId floor = AddGround( world, ground, 1.0f );
	pnBodyDef def = DefBody( solid, material, pnMakeVec3( 0.3f, half + thickness + 0.001f, -0.2f ) );
	pnBodyId body = AddBody( world, &def );
	double weight = mass * GRAVITY * STEP;
	int begun = 0, ended = 0;
	for ( int frame = 0; frame < 150; ++frame )
	{
		StepWorld( world, 1, subSteps );
		pnContactEvents events = pnWorld_GetContactEvents( world );
		begun += events.begunCount;
		ended += events.endedCount;
		if ( frame < 120 )
		{
			continue;
		}
		double low = LowestAlong( world, pnMakeVec3( 0.0f, 1.0f, 0.0f ) );
		worst[0] = fmax( worst[0], fabs( low - thickness ) );
		ENSURE_NEAR( low, thickness, 0.1 * thickness ); // that much depth is left in peace

		pnShapeState state = ShapeStateOf( world, floor );
		worst[1] = fmax( worst[1], fabs( state.impulse.y + weight ) / weight );
		ENSURE_NEAR( state.impulse.y, -weight, 0.01 * weight );
		ENSURE_NEAR( state.impulse.x, 0.0, 0.01 * weight );
		ENSURE_NEAR( state.impulse.z, 0.0, 0.01 * weight );
		pnBodyState lying = StateOf( world, body );
		ENSURE_NEAR( state.angularImpulse.x, ( lying.center.z - state.transform.p.z ) * weight, 0.01 * weight );
		ENSURE_NEAR( state.angularImpulse.z, -( lying.center.x - state.transform.p.x ) * weight, 0.01 * weight );
		ENSURE_MOST( LengthOf( lying.velocity ), 1e-3 );

		REQUIRE( events.contactCount == 1 );
		const pnContact* contact = events.contacts;
		ENSURE( SameBody( contact->touch.a, body ) && contact->touch.b.index1 == 0 && SameShape( contact->touch.shape, floor ) );
		ENSURE_NEAR( contact->impulse.y, weight, 0.01 * weight );
		ENSURE_NEAR( contact->normal.y, 1.0, 1e-4 );
		ENSURE_NEAR( contact->position.x, lying.center.x, half );
		ENSURE_NEAR( contact->position.y, 0.0, 0.2 * half ); // before it is pushed out
		ENSURE_NEAR( contact->position.z, lying.center.z, half );
		ENSURE( contact->speed == 0.0f );
		ENSURE_MOST( 0.0, contact->depth );
	}
	ENSURE( begun == 1 );
	ENSURE( ended == 0 );
	pnDestroyWorld( world );
}

static void BodiesRestAThicknessAboveTheGround( void )
{
	double worst[2] = { 0.0, 0.0 };
	pnSolid* cube = MakeCubeSolid( 0.4f, 3.0f, 0.01f );
	pnSolid* ball = MakeBallSolid( 0.2f, 3.0f, 0.01f );
	for ( int ground = 0; ground < groundCount; ++ground )
	{
		for ( int i = 0; i < COUNT( s_subSteps ); ++i )
		{
			int subSteps = s_subSteps[i];
			pnTestContext( "soft cube on %s, %d substeps", s_groundNames[ground], subSteps );
			CheckRest( ground, cube, SoftMaterial( 10.0f ), 0.2f, subSteps, worst );
			pnTestContext( "stiff ball on %s, %d substeps", s_groundNames[ground], subSteps );
			CheckRest( ground, ball, StiffMaterial( 0.5f, 0.0f ), 0.2f, subSteps, worst );
		}
	}
	pnDestroySolid( cube );
	pnDestroySolid( ball );
	pnTestNote( "height off by %.1e m, weight by %.1e", worst[0], worst[1] );
}

// What lies on the back of another puts both weights on the ground, and the lower one feels the upper one's weight.
static void WeightsAddUp( void )
{
	pnSolid* cube = MakeCubeSolid( 0.4f, 2.0f, 0.01f );
	pnWorld* world = MakeFallingWorld();
	pnShapeId floor = AddFloor( world, 0.5f );
	pnBodyDef low = DefBody( cube, SoftMaterial( 20.0f ), pnMakeVec3( 0.0f, 0.21f, 0.0f ) );
	pnBodyDef high = DefBody( cube, SoftMaterial( 20.0f ), pnMakeVec3( 0.02f, 0.63f, 0.01f ) );
	pnBodyId lower = AddBody( world, &low ), upper = AddBody( world, &high );
	double weight = 2.0 * GRAVITY * STEP, onFloor = 0.0, between = 0.0;
	StepWorld( world, 180, 4 );
	for ( int frame = 0; frame < 60; ++frame )
	{
		StepWorld( world, 1, 4 );
		onFloor -= ShapeStateOf( world, floor ).impulse.y / 60.0;
		pnContactEvents events = pnWorld_GetContactEvents( world );
		for ( int i = 0; i < events.contactCount; ++i )
		{
			const pnContact* contact = events.contacts + i;
			if ( contact->touch.b.index1 != 0 )
			{
				ENSURE( SameBody( contact->touch.a, lower ) && SameBody( contact->touch.b, upper ) );
				ENSURE_MOST( contact->normal.y, -0.9 );
				between -= contact->impulse.y / 60.0;
			}
		}
	}
	ENSURE_NEAR( onFloor, 2.0 * weight, 0.01 * weight );
	ENSURE_NEAR( between, weight, 0.02 * weight );
	pnDestroyWorld( world );
	pnDestroySolid( cube );
}

// ---- friction ----

static const struct { float body, shape; } s_frictions[] = { { 0.5f, 0.5f }, { 0.2f, 0.8f }, { 0.9f, 0.1f } };

// A flat block that lies on a slope which falls along `down`.
static pnBodyId PutOnSlope( pnWorld* world, const pnSolid* solid, double angle, float ofBody, float ofShape, pnVec3* down )
{
	pnShapeDef slope = pnDefaultShapeDef();
	slope.transform.q = ( pnQuat ){ 0.0f, 0.0f, (float)-sin( 0.5 * angle ), (float)cos( 0.5 * angle ) };
	slope.friction = ofShape;
	AddShape( world, &slope );
	*down = pnRotate( slope.transform.q, pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
	pnBodyDef def = DefBody( solid, StiffMaterial( ofBody, 0.0f ), pnRotate( slope.transform.q, pnMakeVec3( 0.0f, 0.0851f, 0.0f ) ) );
	def.transform.q = slope.transform.q;
	return AddBody( world, &def );
}

static pnSolid* MakeFlatSolid( void )
{
	return SolidOf( MakeBoxRest( pnMakeVec3( 0.6f, 0.15f, 0.6f ), 4, 1, 4 ), 2.0f, 0.01f, 0.0f );
}

static void BlocksStickBelowTheAngleOfFriction( void )
{
	double most = 0.0;
	pnSolid* solid = MakeFlatSolid();
	for ( int n = 0; n < COUNT( s_frictions ) * COUNT( s_subSteps ); ++n )
	{
		float a = s_frictions[n / 3].body, b = s_frictions[n / 3].shape;
		pnWorld* world = MakeFallingWorld();
		pnVec3 down;
		pnBodyId body = PutOnSlope( world, solid, 0.9 * atan( sqrt( a * b ) ), a, b, &down );
		pnTestContext( "frictions %g and %g, %d substeps", a, b, s_subSteps[n % 3] );
		StepWorld( world, 60, s_subSteps[n % 3] );
		pnVec3 before = StateOf( world, body ).center;
		StepWorld( world, 120, s_subSteps[n % 3] );
		double way = DistanceOf( StateOf( world, body ).center, before );
		most = fmax( most, way );
		ENSURE_MOST( way, 1e-3 ); // in two seconds; free, it would go metres
		pnDestroyWorld( world );
	}
	pnDestroySolid( solid );
	pnTestNote( "crept %.1e m in 2 s", most );
}

static void BlocksSlideAboveTheAngleOfFriction( void )
{
	double worst = 0.0;
	pnSolid* solid = MakeFlatSolid();
	for ( int n = 0; n < COUNT( s_frictions ) * COUNT( s_subSteps ); ++n )
	{
		float a = s_frictions[n / 3].body, b = s_frictions[n / 3].shape;
		double mu = sqrt( a * b ), angle = atan( mu ) + 0.2;
		pnWorld* world = MakeFallingWorld();
		pnVec3 down;
		pnBodyId body = PutOnSlope( world, solid, angle, a, b, &down );
		pnTestContext( "frictions %g and %g, %d substeps", a, b, s_subSteps[n % 3] );
		StepWorld( world, 30, s_subSteps[n % 3] );
		double before = pnDot( StateOf( world, body ).velocity, down );
		StepWorld( world, 60, s_subSteps[n % 3] );
		double gained = pnDot( StateOf( world, body ).velocity, down ) - before;
		double wanted = GRAVITY * ( sin( angle ) - mu * cos( angle ) );
		worst = fmax( worst, fabs( gained - wanted ) / wanted );
		ENSURE_NEAR( gained, wanted, 0.03 * wanted );
		pnDestroyWorld( world );
	}
	pnDestroySolid( solid );
	pnTestNote( "acceleration off by %.2f %%", 100.0 * worst );
}

// v^2 / ( 2 mu g ); in steps of h the sum of the ways is v h / 2 less.
static void SlidingBlocksStopInTime( void )
{
	double worst = 0.0;
	pnSolid* solid = MakeFlatSolid();
	for ( int n = 0; n < COUNT( s_frictions ) * COUNT( s_subSteps ); ++n )
	{
		float a = s_frictions[n / 3].body, b = s_frictions[n / 3].shape;
		double mu = sqrt( a * b ), speed = 3.0;
		pnWorld* world = MakeFallingWorld();
		AddFloor( world, b );
		pnBodyDef def = DefBody( solid, StiffMaterial( a, 0.0f ), pnMakeVec3( 0.0f, 0.085f, 0.0f ) );
		def.velocity.z = (float)speed;
		pnBodyId body = AddBody( world, &def );
		pnTestContext( "frictions %g and %g, %d substeps", a, b, s_subSteps[n % 3] );
		StepWorld( world, 150, s_subSteps[n % 3] );
		pnBodyState state = StateOf( world, body );
		double wanted = speed * speed / ( 2.0 * mu * GRAVITY ) - 0.5 * speed * STEP / s_subSteps[n % 3];
		worst = fmax( worst, fabs( state.center.z - wanted ) / wanted );
		ENSURE_NEAR( state.center.z, wanted, 0.03 * wanted );
		ENSURE_NEAR( state.center.x, 0.0, 0.01 * wanted );
		ENSURE_MOST( LengthOf( state.velocity ), 5e-3 ); // a tenth of the speed at which it may sleep
		pnDestroyWorld( world );
	}
	pnDestroySolid( solid );
	pnTestNote( "way off by %.2f %%", 100.0 * worst );
}

// Without friction a spinning ball keeps its spin and a sliding block its speed.
static void NoFrictionTakesNothing( void )
{
	pnSolid* solid = MakeFlatSolid();
	pnWorld* world = MakeFallingWorld();
	AddFloor( world, 0.7f );
	pnBodyDef def = DefBody( solid, StiffMaterial( 0.0f, 0.0f ), pnMakeVec3( 0.0f, 0.085f, 0.0f ) );
	def.velocity.x = 2.0f;
	def.angularVelocity.y = 3.0f;
	pnBodyId body = AddBody( world, &def );
	pnBodyState before = StateOf( world, body );
	StepWorld( world, 120, 2 );
	pnBodyState after = StateOf( world, body );
	ENSURE_NEAR( after.velocity.x, 2.0, 2e-3 );
	ENSURE_NEAR( after.velocity.z, 0.0, 2e-3 );
	ENSURE_NEAR( after.angularMomentum.y, before.angularMomentum.y, 0.01 * before.angularMomentum.y );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// ---- restitution ----

// Dropped from h, it comes back to e^2 h. The larger of both restitutions counts.
static void BallsBounceByTheirRestitution( void )
{
	static const float restitutions[] = { 0.0f, 0.3f, 0.6f, 0.9f };
	double worst = 0.0;
	pnSolid* ball = MakeBallSolid( 0.1f, 1.0f, 0.002f );
	for ( int n = 0; n < 16; ++n )
	{
		float e = restitutions[n % 4];
		bool ofBody = n / 4 % 2 == 0;
		double height = n / 8 == 0 ? 1.0 : 5.0;
		pnWorld* world = MakeFallingWorld();
		pnShapeDef floor = pnDefaultShapeDef();
		floor.restitution = ofBody ? 0.5f * e : e;
		AddShape( world, &floor );
		pnBodyDef def = DefBody( ball, StiffMaterial( 0.5f, ofBody ? e : 0.0f ), pnMakeVec3( 0.0f, 0.102f + (float)height, 0.0f ) );
		pnBodyId body = AddBody( world, &def );
		pnTestContext( "restitution %g of the %s, from %g m", e, ofBody ? "body" : "floor", height );
		double top = 0.0;
		bool up = false;
		for ( int frame = 0; frame < 300; ++frame )
		{
			StepWorld( world, 1, 4 );
			pnBodyState state = StateOf( world, body );
			if ( state.velocity.y > 0.0f )
			{
				up = true;
				top = fmax( top, state.center.y - 0.102 );
			}
			else if ( up && top > 0.02 )
			{
				break; // only the first bounce
			}
		}
		// Without restitution a ball is still elastic: what its own springs give back is not nothing.
		worst = fmax( worst, fabs( top - e * e * height ) / height );
		ENSURE_NEAR( top, e * e * height, ( e > 0.0f ? 0.04 : 0.1 ) * height );
		pnDestroyWorld( world );
	}
	pnDestroySolid( ball );
	pnTestNote( "off by %.3f of the height", worst );
}

// Turns ( 1, 1, 1 ), where a ball has a face, to x.
static pnQuat TurnFaceToX( void )
{
	double half = 0.5 * acos( 1.0 / sqrt( 3.0 ) ), s = sin( half ) / sqrt( 2.0 );
	return ( pnQuat ){ 0.0f, (float)s, (float)-s, (float)cos( half ) };
}

// Two balls head-on, face to face, in free space: they part at e times the speed at which they met, whatever they weigh.
static void BallsPartByTheirRestitution( void )
{
	static const float restitutions[] = { 0.0f, 0.5f, 0.9f };
	double worst = 0.0;
	pnSolid* light = MakeBallSolid( 0.1f, 1.0f, 0.002f );
	pnSolid* heavy = MakeBallSolid( 0.1f, 4.0f, 0.002f );
	for ( int n = 0; n < 6; ++n )
	{
		float e = restitutions[n % 3];
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnBodyDef a = DefBody( light, StiffMaterial( 0.0f, e ), pnMakeVec3( -0.5f, 0.0f, 0.0f ) );
		pnBodyDef b = DefBody( n < 3 ? light : heavy, StiffMaterial( 0.0f, 0.0f ), pnMakeVec3( 0.5f, 0.0f, 0.0f ) );
		a.velocity.x = 4.0f;
		b.velocity.x = -4.0f;
		a.transform.q = b.transform.q = TurnFaceToX();
		pnBodyId first = AddBody( world, &a ), second = AddBody( world, &b );
		pnTestContext( "restitution %g, second ball %s", e, n < 3 ? "light" : "heavy" );
		StepWorld( world, 60, 4 );
		double apart = StateOf( world, second ).velocity.x - StateOf( world, first ).velocity.x;
		worst = fmax( worst, fabs( apart / 8.0 - e ) );
		ENSURE_NEAR( apart, 8.0 * e, ( e > 0.0f ? 0.04 : 0.1 ) * 8.0 );
		pnDestroyWorld( world );
	}
	pnDestroySolid( light );
	pnDestroySolid( heavy );
	pnTestNote( "off by %.3f", worst );
}

// ---- momenta ----

enum { cubeKind, ballKind, clustersKind, cloudKind, torusKind, kindCount };

static pnSolid* MakeKind( int kind, float mass )
{
	switch ( kind )
	{
		case cubeKind: return MakeCubeSolid( 0.4f, mass, 0.008f );
		case ballKind: return MakeBallSolid( 0.25f, mass, 0.008f );
		case clustersKind: return SolidOf( MakeBoxRest( pnMakeVec3( 0.8f, 0.24f, 0.24f ), 10, 3, 3 ), mass, 0.008f, 0.2f );
		case cloudKind: return SolidOf( MakeCloudRest( 4, 4, 4, 0.12f ), mass, 0.02f, 0.0f );
		default: return SolidOf( MakeTorusRest( 0.25f, 0.09f, 18, 8 ), mass, 0.008f, 0.0f );
	}
}

// Bodies fly into each other off-centre, spinning, rub, and part. 1e-5 of the sums over lengths, as in test_momentum.c.
static void MeetInFreeSpace( int bodyCount, int kind, int n, double* worst )
{
	pnRandom random = pnSeed( 100 + n );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnSolid* solids[2] = { MakeKind( kind, 1.0f ), MakeKind( n % 2 == 0 ? kind : ( kind + 1 ) % kindCount, 2.5f ) };
	for ( int i = 0; i < bodyCount; ++i )
	{
		double turn = 2.0 * TEST_PI * i / bodyCount;
		pnBodyDef def = DefBody( solids[i % 2], SoftMaterial( 8.0f ), pnMakeVec3( (float)( 0.9 * cos( turn ) ), (float)( 0.9 * sin( turn ) ), 0.0f ) );
		def.transform.p = pnAdd( def.transform.p, RandomVec3( &random, 0.1 ) );
		def.transform.q = RandomTurn( &random );
		def.velocity = pnAdd( pnScale( -2.0f, def.transform.p ), RandomVec3( &random, 0.2 ) );
		def.angularVelocity = RandomVec3( &random, 4.0 );
		def.material.mode = (pnMode)( n % 3 );
		AddBody( world, &def );
	}
	Motion before = MeasureWorld( world );
	int touched = 0;
	double linear = 0.0, angular = 0.0;
	for ( int frame = 0; frame < 150; ++frame )
	{
		StepWorld( world, 1, 1 + n % 3 );
		touched += pnWorld_GetContactEvents( world ).contactCount;
		Motion now = MeasureWorld( world );
		linear = fmax( linear, Distance3( now.momentum, before.momentum ) / before.momentumScale );
		angular = fmax( angular, Distance3( now.angularMomentum, before.angularMomentum ) / before.angularScale );
	}
	Motion after = MeasureWorld( world );
	ENSURE( touched > 0 );
	ENSURE_MOST( linear, 1e-5 ); // at all times
	ENSURE_MOST( angular, 1e-3 ); // while they touch
	double apart = Distance3( after.angularMomentum, before.angularMomentum ) / before.angularScale;
	ENSURE_MOST( apart, 1e-6 ); // and when it is over
	worst[0] = fmax( worst[0], linear );
	worst[1] = fmax( worst[1], apart );
	worst[2] = fmax( worst[2], angular );
	pnDestroySolid( solids[0] );
	pnDestroySolid( solids[1] );
	pnDestroyWorld( world );
}

static void MomentaAreKeptWhenTwoMeet( void )
{
	double worst[3] = { 0.0, 0.0, 0.0 };
	for ( int n = 0; n < 4 * kindCount; ++n )
	{
		pnTestContext( "two of kind %d, run %d", n % kindCount, n );
		MeetInFreeSpace( 2, n % kindCount, n, worst );
	}
	pnTestNote( "linear %.1e, angular %.1e (%.1e while they touch)", worst[0], worst[1], worst[2] );
}

static void MomentaAreKeptWhenFiveMeet( void )
{
	double worst[3] = { 0.0, 0.0, 0.0 };
	for ( int n = 0; n < 2 * kindCount; ++n )
	{
		pnTestContext( "five of kind %d, run %d", n % kindCount, n );
		MeetInFreeSpace( 5, n % kindCount, n + 50, worst );
	}
	pnTestNote( "linear %.1e, angular %.1e (%.1e while they touch)", worst[0], worst[1], worst[2] );
}

// ---- overlap at the start ----

// They come apart within two seconds, and slowly: no faster than a spring of their own pressed in by half their size would throw them.
static void ComeApart( int kind, pnVec3 offset, pnDetector detector, double* worst )
{
	pnSolid* solid = MakeKind( kind, 1.0f );
	pnSolidInfo info = pnSolid_GetInfo( solid );
	double size = info.bounds.upper.x - info.bounds.lower.x, hertz = 8.0;
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyDef def = DefBody( solid, SoftMaterial( (float)hertz ), pnScale( i == 0 ? 0.5f : -0.5f, pnScale( (float)size, offset ) ) );
		def.detector = detector;
		AddBody( world, &def );
	}
	double fastest = 0.0;
	for ( int frame = 0; frame < 120; ++frame )
	{
		StepWorld( world, 1, 4 );
		fastest = fmax( fastest, MaxSpeed( world ) );
	}
	ENSURE_MOST( fastest, 2.0 * TEST_PI * hertz * 0.5 * size );
	worst[0] = fmax( worst[0], fastest );
	if ( kind != cloudKind )
	{
		Inside inside = AskWorld( world, 0 );
		ENSURE( inside.inside == 0 );
		worst[1] = fmax( worst[1], inside.depth );
	}
	else
	{
		// the surface of a cloud is not ours to know, but points that lie among the others' are not apart
		pnBodyId bodies[2];
		pnWorld_GetBodies( world, bodies, 2 );
		double apart = DistanceOf( StateOf( world, bodies[0] ).center, StateOf( world, bodies[1] ).center );
		ENSURE_MOST( size, apart * 1.05 );
	}
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

static void HalfOverlappingBodiesComeApart( void )
{
	double worst[2] = { 0.0, 0.0 };
	for ( int kind = 0; kind < kindCount; ++kind )
	{
		pnTestContext( "kind %d", kind );
		ComeApart( kind, pnMakeVec3( 0.5f, 0.02f, 0.01f ), pn_fieldDetector, worst );
	}
	pnTestNote( "%.2f m/s at most, %.1e m inside", worst[0], worst[1] );
}

static void BodiesInTheSamePlaceComeApart( void )
{
	double worst[2] = { 0.0, 0.0 };
	for ( int kind = 0; kind < kindCount; ++kind )
	{
		pnTestContext( "kind %d", kind );
		ComeApart( kind, pnMakeVec3( 0.0f, 0.0f, 0.0f ), pn_fieldDetector, worst );
	}
	pnTestNote( "%.2f m/s at most, %.1e m inside", worst[0], worst[1] );
}

// ---- pins, clouds and crowds ----

// The widest distance of two points of a body.
static double DiameterOf( pnWorld* world, pnBodyId body, pnVec3* points, int count )
{
	double widest2 = 0.0;
	pnBody_WritePoints( world, body, points, NULL, count );
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < i; ++j )
		{
			double d = DistanceOf( points[i], points[j] );
			widest2 = fmax( widest2, d * d );
		}
	}
	return sqrt( widest2 );
}

// Two cubes, each held by the face that looks at the other, are driven 0.3 m into each other. What is free beside the pins may give way, but
// cannot be drawn out farther than what is held has come; let go, both are whole again.
static void HeldFacesMayMeet( void )
{
	pnRandom random = SeedOf( 801 );
	static const char* const presets[] = { "jelly", "rubber", "wood", "steel" };
	double widest = 0.0;
	for ( int n = 0; n < 8; ++n )
	{
		enum { side = 5, count = side * side * side };
		pnVec3 points[count];
		pnSolid* solid = MakeCubeSolid( 0.5f, 10.0f, -1.0f );
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnMaterial material;
		ENSURE( pnFindMaterial( presets[n % 4], &material ) == pn_success );
		material.hertz *= (float)pnRandomIn( &random, 1.0, 2.0 );
		material.yield = 0.0f;
		int subSteps = 1 << n % 4;
		pnTestContext( "%s at %.0f Hz, %d substeps", presets[n % 4], (double)material.hertz, subSteps );
		pnBodyId ids[2];
		int32_t held[2][side * side];
		pnVec3 from[2][side * side];
		for ( int i = 0; i < 2; ++i )
		{
			float way = i == 0 ? -1.0f : 1.0f;
			pnBodyDef def = DefBody( solid, material, pnMakeVec3( 0.27f * way, (float)pnRandomIn( &random, -0.1, 0.1 ), (float)pnRandomIn( &random, -0.1, 0.1 ) ) );
			ids[i] = AddBody( world, &def );
			pnBody_WritePoints( world, ids[i], points, NULL, count );
			int heldCount = 0;
			for ( int p = 0; p < count; ++p )
			{
				if ( fabsf( points[p].x - 0.02f * way ) < 1e-3f )
				{
					held[i][heldCount] = p;
					from[i][heldCount++] = points[p];
				}
			}
			REQUIRE( heldCount == side * side );
		}
		double rest = DiameterOf( world, ids[0], points, count );
		for ( int frame = 1; frame <= 90; ++frame )
		{
			float in = 0.15f * fminf( 1.0f, (float)frame / 60.0f );
			for ( int i = 0; i < 2; ++i )
			{
				pnVec3 to[side * side];
				for ( int p = 0; p < side * side; ++p )
				{
					to[p] = pnAdd( from[i][p], pnMakeVec3( i == 0 ? in : -in, 0.0f, 0.0f ) );
				}
				ENSURE( pnBody_Pin( world, ids[i], held[i], to, side * side ) == pn_success );
			}
			StepWorld( world, 1, subSteps );
			for ( int i = 0; i < 2; ++i )
			{
				double now = DiameterOf( world, ids[i], points, count );
				widest = fmax( widest, now / rest );
				if ( !ENSURE_MOST( now, rest + 2.0 * 0.3 ) )
				{
					break;
				}
			}
		}
		for ( int i = 0; i < 2; ++i )
		{
			pnBody_Unpin( world, ids[i], NULL, 0 );
		}
		StepWorld( world, 180, subSteps );
		for ( int i = 0; i < 2; ++i )
		{
			ENSURE_NEAR( DiameterOf( world, ids[i], points, count ), rest, 0.05 * rest );
		}
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
	pnTestNote( "%.2f of rest at most", widest );
}

// A heavy table top on four light cubes, up to 40 times their weight: they are pressed, but it does not come through them, and they are not drawn out.
// Whether two tori, made by the bench, hang in each other: by the lines through the middles of their tubes.
static bool AreLinked( const pnWorld* world, const pnBodyId bodies[2] )
{
	pnVec3 lines[2][PN_RING_AROUND], points[PN_RING_AROUND * PN_RING_ACROSS];
	for ( int i = 0; i < 2; ++i )
	{
		ENSURE( pnBody_WritePoints( world, bodies[i], points, NULL, PN_RING_AROUND * PN_RING_ACROSS ) == PN_RING_AROUND * PN_RING_ACROSS );
		for ( int j = 0; j < PN_RING_AROUND; ++j )
		{
			lines[i][j] = pnMakeVec3( 0.0f, 0.0f, 0.0f );
			for ( int k = 0; k < PN_RING_ACROSS; ++k )
			{
				lines[i][j] = pnMulAdd( lines[i][j], 1.0f / PN_RING_ACROSS, points[k + PN_RING_ACROSS * j] );
			}
		}
	}
	return pnGetLinkingNumber( lines[0], PN_RING_AROUND, lines[1], PN_RING_AROUND ) != 0;
}

// A chain's links, pulled apart more and more for a second and then with 50 times their weight, do not cut through each other.
static void PullLinks( const char* preset, float tube, int subSteps )
{
	float radius = 0.5f, weight = 0.0f;
	pnSolid* ring;
	ENSURE( pnCreateContactTorus( radius, tube, &ring ) == pn_success );
	pnMaterial material;
	ENSURE( pnFindMaterial( preset, &material ) == pn_success );
	pnTestContext( "%s, tubes of %.3f m, %d substeps", preset, (double)tube, subSteps );
	pnWorldDef worldDef = pnDefaultWorldDef();
	worldDef.gravity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
	worldDef.enableSleep = false;
	pnWorld* world;
	ENSURE( pnCreateWorld( &worldDef, &world ) == pn_success );
	pnBodyId bodies[2];
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyDef def = DefBody( ring, material, pnMakeVec3( i == 0 ? 0.0f : 2.0f * ( radius - tube ) - 0.03f, 0.0f, 0.0f ) );
		def.transform.q = i == 0 ? pnIdentityQuat() : ( pnQuat ){ 0.70710678f, 0.0f, 0.0f, 0.70710678f };
		bodies[i] = AddBody( world, &def );
		pnBodyState state;
		pnBody_GetState( world, bodies[i], &state );
		weight = 9.81f * state.mass;
	}
	bool linked = AreLinked( world, bodies );
	ENSURE( linked );
	for ( int frame = 1; frame <= 120 && linked; ++frame )
	{
		float force = 50.0f * weight * fminf( 1.0f, (float)frame / 60.0f );
		pnBody_ApplyForce( world, bodies[0], pnMakeVec3( -force, 0.0f, 0.0f ) );
		pnBody_ApplyForce( world, bodies[1], pnMakeVec3( force, 0.0f, 0.0f ) );
		StepWorld( world, 1, subSteps );
		linked = AreLinked( world, bodies );
	}
	ENSURE( linked );
	pnDestroyWorld( world );
	pnDestroySolid( ring );
}

static void LinkedRingsStayLinked( void )
{
	pnRandom random = SeedOf( 811 );
	static const char* const presets[] = { "rubber", "flesh", "wood", "steel" };
	for ( int n = 0; n < 8; ++n )
	{
		PullLinks( presets[n / 2], (float)pnRandomIn( &random, 0.11, 0.16 ), 4 << ( n & 1 ) );
	}
	for ( int n = 0; n < 20; ++n ) // soft ones close around each other, and most faces that meet look aside
	{
		PullLinks( "flesh", 0.105f + 0.005f * (float)( n / 2 ), 2 << ( n & 1 ) );
	}
}

static void LightBodiesCarryHeavyOnes( void )
{
	pnRandom random = SeedOf( 803 );
	static const char* const presets[] = { "clay", "rubber", "flesh", "wood" };
	double deepest = 0.0, widest = 0.0;
	for ( int n = 0; n < 8; ++n )
	{
		enum { count = 5 * 5 * 5 };
		pnVec3 points[count];
		double ratio = pnRandomIn( &random, 10.0, 40.0 );
		pnSolid* leg = MakeCubeSolid( 0.5f, 10.0f, -1.0f );
		pnSolid* top = SolidOf( MakeBoxRest( pnMakeVec3( 2.4f, 0.3f, 2.4f ), 12, 2, 12 ), (float)( 40.0 * ratio ), -1.0f, 0.0f );
		pnWorld* world = MakeFallingWorld();
		AddGround( world, planeGround, 0.0f );
		pnMaterial material;
		ENSURE( pnFindMaterial( presets[n % 4], &material ) == pn_success );
		pnTestContext( "%s, 1 : %.0f", presets[n % 4], ratio );
		pnBodyId legs[4];
		for ( int i = 0; i < 4; ++i )
		{
			pnBodyDef def = DefBody( leg, material, pnMakeVec3( i % 2 == 0 ? -0.8f : 0.8f, 0.256f, i / 2 == 0 ? -0.8f : 0.8f ) );
			legs[i] = AddBody( world, &def );
		}
		pnBodyDef def = DefBody( top, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( 0.0f, 0.7f, 0.0f ) );
		AddBody( world, &def );
		double rest = DiameterOf( world, legs[0], points, count );
		for ( int frame = 0; frame < 180; frame += 10 )
		{
			StepWorld( world, 10, 4 );
			for ( int i = 0; i < 4 && frame >= 60; ++i )
			{
				double now = DiameterOf( world, legs[i], points, count ) / rest;
				widest = fmax( widest, now );
				ENSURE_MOST( now, 1.7 );
			}
		}
		Inside found = AskWorld( world, 0 );
		deepest = fmax( deepest, found.depth );
		ENSURE_MOST( found.depth, 0.01 ); // a fiftieth of a leg
		pnDestroyWorld( world );
		pnDestroySolid( leg );
		pnDestroySolid( top );
	}
	pnTestNote( "%.1e m inside, %.2f of rest at most", deepest, widest );
}

// A cube of jelly, rubber or flesh is pressed flat between two plates that are led: what is inside of it stays between them, too.
static void InnerPointsOfCrushedBodiesStayBetween( void )
{
	static const char* const presets[] = { "jelly", "rubber", "flesh" };
	double farthest = 0.0;
	for ( int n = 0; n < 6; ++n )
	{
		enum { most = 125, plateMost = 75 };
		pnVec3 points[most], targets[plateMost], plates[2][plateMost];
		int32_t all[plateMost];
		pnSolid *cube = NULL, *plate = NULL;
		REQUIRE( pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &cube ) == pn_success );
		REQUIRE( pnCreateContactBlock( pnMakeVec3( 1.4f, 0.3f, 1.4f ), 5, 3, 5, &plate ) == pn_success );
		pnMaterial material, steel;
		ENSURE( pnFindMaterial( presets[n % 3], &material ) == pn_success && pnFindMaterial( "steel", &steel ) == pn_success );
		int subSteps = n / 3 == 0 ? 4 : 8;
		pnTestContext( "%s, %d substeps", presets[n % 3], subSteps );
		pnWorldDef worldDef = pnDefaultWorldDef();
		worldDef.gravity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
		worldDef.enableSleep = false;
		pnWorld* world;
		ENSURE( pnCreateWorld( &worldDef, &world ) == pn_success );
		pnBodyDef def = DefBody( cube, material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnBodyId light = AddBody( world, &def ), heavy[2];
		for ( int i = 0; i < 2; ++i )
		{
			def = DefBody( plate, steel, pnMakeVec3( 0.0f, i == 0 ? -0.41f : 0.41f, 0.0f ) );
			heavy[i] = AddBody( world, &def );
			ENSURE( pnBody_WritePoints( world, heavy[i], plates[i], NULL, plateMost ) == plateMost );
		}
		for ( int frame = 1; frame <= 90; ++frame )
		{
			float pressed = 0.19f * fminf( 1.0f, (float)frame / 60.0f ); // metres that each has gone, to 0.14 m apart
			for ( int i = 0; i < 2; ++i )
			{
				for ( int k = 0; k < plateMost; ++k )
				{
					all[k] = k;
					targets[k] = plates[i][k];
					targets[k].y += i == 0 ? pressed : -pressed;
				}
				ENSURE( pnBody_Pin( world, heavy[i], all, targets, plateMost ) == pn_success );
			}
			StepWorld( world, 1, subSteps );
			ENSURE( pnBody_WritePoints( world, light, points, NULL, most ) == most );
			for ( int k = 0; k < most; ++k )
			{
				farthest = fmax( farthest, fabs( (double)points[k].y ) - ( 0.26 - (double)pressed ) );
			}
		}
		ENSURE_MOST( farthest, 0.01 ); // a fiftieth of the cube
		pnDestroyWorld( world );
		pnDestroySolid( cube );
		pnDestroySolid( plate );
	}
	pnTestNote( "%.1e m beyond at most", farthest );
}

// A cloud of points on a grid, of random shape, lies on a ball. None of its points gets into it, not even those that no triangle of the cover has.
static void OuterPointsOfCloudsAreWatched( void )
{
	pnRandom random = SeedOf( 802 );
	double deepest = 0.0;
	for ( int n = 0; n < 12; ++n )
	{
		enum { most = 2000 };
		static pnVec3 points[most];
		int count = 0;
		pnVec3 lobes[4], radii[4];
		for ( int k = 0; k < 4; ++k )
		{
			lobes[k] = RandomVec3( &random, 0.3 );
			radii[k] = pnMakeVec3( (float)pnRandomIn( &random, 0.2, 0.45 ), (float)pnRandomIn( &random, 0.2, 0.45 ), (float)pnRandomIn( &random, 0.2, 0.45 ) );
		}
		lobes[0] = pnMakeVec3( 0.0f, 0.0f, 0.0f ); // they hang together through this one
		radii[0] = pnMakeVec3( 0.45f, 0.45f, 0.45f );
		for ( int i = 0; i < 15 * 15 * 15; ++i )
		{
			pnVec3 p = { 0.11f * (float)( i % 15 - 7 ), 0.11f * (float)( i / 15 % 15 - 7 ), 0.11f * (float)( i / 225 - 7 ) };
			bool in = false;
			for ( int k = 0; k < 4; ++k )
			{
				float x = ( p.x - lobes[k].x ) / radii[k].x, y = ( p.y - lobes[k].y ) / radii[k].y, z = ( p.z - lobes[k].z ) / radii[k].z;
				in = in || x * x + y * y + z * z < 1.0f;
			}
			if ( in && count < most )
			{
				points[count++] = p;
			}
		}
		pnSolidDef def = pnDefaultSolidDef();
		def.points = points;
		def.pointCount = count;
		pnSolid *cloud = NULL, *ball = MakeBallSolid( 0.5f, 50.0f, -1.0f );
		REQUIRE( pnCreateSolid( &def, &cloud ) == pn_success );
		pnWorld* world = MakeFallingWorld();
		AddGround( world, planeGround, 0.0f );
		pnBodyDef low = DefBody( ball, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( 0.0f, 0.51f, 0.0f ) );
		pnBodyDef high = DefBody( cloud, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( 0.05f, 2.1f, 0.03f ) );
		high.transform.q = RandomTurn( &random );
		AddBody( world, &low );
		pnBodyId id = AddBody( world, &high );
		pnTestContext( "cloud %d of %d points", n, count );
		for ( int frame = 0; frame < 90; frame += 5 )
		{
			StepWorld( world, 5, 4 );
			pnBodyId ids[2];
			pnWorld_GetBodies( world, ids, 2 );
			Hull hull = ReadHull( world, ids[0] );
			pnBody_WritePoints( world, id, points, NULL, count );
			for ( int i = 0; i < count; ++i )
			{
				double p[3] = { (double)points[i].x, (double)points[i].y, (double)points[i].z }, depth = DepthIn( &hull, p );
				deepest = fmax( deepest, depth );
				if ( !ENSURE_MOST( depth, 0.01 ) ) // a hundredth of its size
				{
					break;
				}
			}
			free( hull.x );
		}
		pnDestroyWorld( world );
		pnDestroySolid( cloud );
		pnDestroySolid( ball );
	}
	pnTestNote( "%.1e m inside at most", deepest );
}

// Soft cubes with many more inner points than outer ones, so soft that they lie down flat: all of them meets the floor, and stays on it.
static void CrushedBodiesStayOnTheFloor( void )
{
	double deepest = 0.0;
	for ( int n = 0; n < 4; ++n )
	{
		Rest rest = MakeBoxRest( pnMakeVec3( 0.6f, 0.6f, 0.6f ), 6, 6, 6 );
		pnSolidDef def = pnDefaultSolidDef();
		int outer[1000], outerCount = 0;
		pnVec3 points[1000];
		for ( int i = 0; i < rest.count; ++i )
		{
			pnVec3 p = rest.points[i];
			bool inner = fabsf( p.x ) < 0.29f && fabsf( p.y ) < 0.29f && fabsf( p.z ) < 0.29f;
			outer[i] = inner ? -1 : outerCount;
			points[outerCount] = p;
			outerCount += !inner;
		}
		for ( int i = 0; i < 3 * rest.triangleCount; ++i )
		{
			rest.triangles[i] = outer[rest.triangles[i]];
		}
		def.points = points;
		def.pointCount = outerCount;
		def.triangles = rest.triangles;
		def.triangleCount = rest.triangleCount;
		def.fillSpacing = 0.065f - 0.006f * (float)n;
		pnSolid* solid = NULL;
		REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
		FreeRest( &rest );
		pnWorld* world = MakeFallingWorld();
		AddGround( world, planeGround, 0.0f );
		pnMaterial jelly;
		ENSURE( pnFindMaterial( "jelly", &jelly ) == pn_success );
		pnBodyDef body = DefBody( solid, jelly, pnMakeVec3( 0.0f, 0.31f, 0.0f ) );
		AddBody( world, &body );
		pnTestContext( "filled every %.3f m", (double)def.fillSpacing );
		for ( int frame = 0; frame < 90; ++frame )
		{
			StepWorld( world, 1, 2 << n % 2 );
			double under = -LowestAlong( world, pnMakeVec3( 0.0f, 1.0f, 0.0f ) );
			deepest = fmax( deepest, under );
			if ( !ENSURE_MOST( under, 0.006 ) ) // a hundredth of its side
			{
				break;
			}
		}
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
	pnTestNote( "%.1e m under it at most", deepest );
}

// ---- no way through ----

static pnSolid* MakeBullet( int kind )
{
	return kind == 0 ? SolidOf( MakeBoxRest( pnMakeVec3( 0.05f, 0.05f, 0.05f ), 2, 2, 2 ), 0.1f, -1.0f, 0.0f )
					 : SolidOf( MakeBallRest( pnMakeVec3( 0.025f, 0.025f, 0.025f ), 3 ), 0.1f, -1.0f, 0.0f );
}

// 5 cm at 100 m/s: in a step of 1/60 s it goes 33 times its size. No point of it is ever seen behind the middle of a thin plate, or
// below a surface by more than a tenth of its size.
static void NothingGoesThroughGrounds( void )
{
	double deepest = 0.0;
	static const char* const materials[] = { "jelly", "rubber", "steel" };
	for ( int n = 0; n < groundCount * 2 * COUNT( s_subSteps ) * COUNT( materials ); ++n )
	{
		int ground = n % groundCount, kind = n / groundCount % 2, subSteps = s_subSteps[n / groundCount / 2 % 3], material = n / groundCount / 6;
		pnSolid* solid = MakeBullet( kind );
		for ( int run = 0; run < 3; ++run )
		{
			pnWorld* world = MakeFallingWorld();
			AddGround( world, ground, ground == distanceGround ? 1.0f : 0.005f );
			pnMaterial stuff;
			ENSURE( pnFindMaterial( materials[material], &stuff ) == pn_success );
			pnBodyDef def = DefBody( solid, stuff, pnMakeVec3( 0.01f, 1.0f + 0.37f * (float)run, 0.02f ) );
			def.velocity = pnMakeVec3( 4.0f * (float)run, -100.0f, 2.0f );
			def.transform.q = ( pnQuat ){ 0.1f, 0.7f, 0.1f, 0.7f };
			AddBody( world, &def );
			pnTestContext( "%s %s on %s, %d substeps, run %d", materials[material], kind == 0 ? "cube" : "ball", s_groundNames[ground], subSteps, run );
			double low = 0.0;
			for ( int frame = 0; frame < 20; ++frame )
			{
				StepWorld( world, 1, subSteps );
				low = fmin( low, LowestAlong( world, pnMakeVec3( 0.0f, 1.0f, 0.0f ) ) );
			}
			deepest = fmax( deepest, -low );
			ENSURE_MOST( -low, ground == planeGround || ground == distanceGround ? 0.005 : 0.0025 );
			pnDestroyWorld( world );
		}
		pnDestroySolid( solid );
	}
	pnTestNote( "%.1e m below at most", deepest );
}

static void NothingGoesThroughABall( void )
{
	double deepest = 0.0;
	for ( int n = 0; n < 12; ++n )
	{
		pnSolid* solid = MakeBullet( n % 2 );
		pnWorld* world = MakeFallingWorld();
		pnShapeDef ball = pnDefaultShapeDef();
		ball.kind = n / 6 == 0 ? pn_sphereShape : pn_capsuleShape;
		ball.radius = 0.1f;
		ball.halfExtents.y = 0.3f;
		AddShape( world, &ball );
		pnBodyDef def = DefBody( solid, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( 1.7f, 0.0f, 0.005f ) ); // head-on: it has no way round
		def.velocity = pnMakeVec3( -100.0f, 0.0f, 0.0f );
		AddBody( world, &def );
		pnTestContext( "%s, %s, %d substeps", n / 6 == 0 ? "sphere" : "capsule", n % 2 == 0 ? "cube" : "ball", s_subSteps[n / 2 % 3] );
		for ( int frame = 0; frame < 10; ++frame )
		{
			StepWorld( world, 1, s_subSteps[n / 2 % 3] );
			AllPoints all = ReadWorld( world );
			for ( int i = 0; i < all.count; ++i )
			{
				double away = sqrt( (double)all.x[i].x * all.x[i].x + (double)all.x[i].z * all.x[i].z + ( n / 6 == 0 ? (double)all.x[i].y * all.x[i].y : 0.0 ) );
				deepest = fmax( deepest, 0.1 - away );
				ENSURE_MOST( 0.1 - away, 0.01 ); // a tenth of its radius, at 1.7 m a frame
			}
			FreeAll( &all );
		}
		// it hit the near half, so it is not on the far side
		ENSURE_MOST( -LowestAlong( world, pnMakeVec3( 1.0f, 0.0f, 0.0f ) ), 0.2 );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
	pnTestNote( "%.1e m below at most", deepest );
}

// A soft plate, 2 cm thick, held at its rim, and a bullet of a hundredth of its weight. Two substeps at least: in one of 1/60 s the plate
// itself gives way by more than it is thick. A cube takes four: hit off its centre it tumbles, and in two it goes through.
static void NothingGoesThroughASoftPlate( void )
{
	for ( int n = 3; n < 6; ++n )
	{
		pnSolid* bullet = MakeBullet( n % 2 );
		pnSolid* plate = SolidOf( MakeBoxRest( pnMakeVec3( 0.8f, 0.02f, 0.8f ), 10, 1, 10 ), 10.0f, 0.005f, 0.2f );
		pnWorld* world = MakeFallingWorld();
		pnBodyDef plateDef = DefBody( plate, SoftMaterial( 30.0f ), pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnBodyId held = AddBody( world, &plateDef );
		int32_t rim[242];
		int rimCount = 0;
		for ( int i = 0; i < 242; ++i )
		{
			int x = i % 11, z = i / 22;
			if ( x == 0 || x == 10 || z == 0 || z == 10 )
			{
				rim[rimCount++] = i;
			}
		}
		ENSURE( pnBody_Pin( world, held, rim, NULL, rimCount ) == pn_success );
		pnBodyDef def = DefBody( bullet, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( 0.03f, 1.2f, 0.02f ) );
		def.velocity = pnMakeVec3( 0.0f, -100.0f, 0.0f );
		pnBodyId shot = AddBody( world, &def );
		pnTestContext( "%s, %d substeps", n % 2 == 0 ? "cube" : "ball", s_subSteps[n / 2] );
		StepWorld( world, 60, s_subSteps[n / 2] );
		// on top of the plate or thrown back
		ENSURE_MOST( StateOf( world, held ).center.y, StateOf( world, shot ).center.y );
		ENSURE( AskWorld( world, 0 ).inside == 0 );
		pnDestroyWorld( world );
		pnDestroySolid( plate );
		pnDestroySolid( bullet );
	}
}

// Two bullets head-on: each stays on its own side of the other.
static void BulletsDoNotPassEachOther( void )
{
	for ( int n = 0; n < 6; ++n )
	{
		pnSolid* bullet = MakeBullet( n % 2 );
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnBodyId ids[2];
		for ( int i = 0; i < 2; ++i )
		{
			pnBodyDef def = DefBody( bullet, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( i == 0 ? -1.03f : 1.0f, 0.0f, 0.0f ) );
			def.velocity.x = i == 0 ? 50.0f : -50.0f;
			ids[i] = AddBody( world, &def );
		}
		pnTestContext( "%s, %d substeps", n % 2 == 0 ? "cubes" : "balls", s_subSteps[n / 2] );
		StepWorld( world, 30, s_subSteps[n / 2] );
		ENSURE_MOST( StateOf( world, ids[0] ).center.x, StateOf( world, ids[1] ).center.x );
		ENSURE( AskWorld( world, 0 ).inside == 0 || s_subSteps[n / 2] == 1 );
		pnDestroyWorld( world );
		pnDestroySolid( bullet );
	}
}

// ---- shapes that move ----

static pnTransform At( double x, double y, double z )
{
	return ( pnTransform ){ { (float)x, (float)y, (float)z }, pnIdentityQuat() };
}

static void MovingGroundCarries( void )
{
	pnSolid* solid = MakeFlatSolid();
	pnWorld* world = MakeFallingWorld();
	pnShapeDef cart = DefBoxShape( pnMakeVec3( 0.0f, -0.2f, 0.0f ), pnMakeVec3( 1.0f, 0.2f, 1.0f ), 0.8f );
	pnShapeId shape = AddShape( world, &cart );
	pnBodyDef def = DefBody( solid, StiffMaterial( 0.8f, 0.0f ), pnMakeVec3( 0.0f, 0.085f, 0.0f ) );
	pnBodyId body = AddBody( world, &def );
	StepWorld( world, 30, 2 );
	pnVec3 start = StateOf( world, body ).center;
	// sideways at 0.8 m/s; it gives way by no more than v^2 / ( 2 mu g ) until it is taken along
	double v = 0.8, x = 0.0, y = -0.2;
	for ( int frame = 0; frame < 90; ++frame )
	{
		x += v * STEP;
		ENSURE( pnShape_MoveTo( world, shape, At( x, y, 0.0 ) ) == pn_success );
		StepWorld( world, 1, 2 );
		pnVec3 place = ShapeStateOf( world, shape ).transform.p;
		ENSURE_NEAR( place.x, x, 1e-5 );
	}
	pnBodyState state = StateOf( world, body );
	ENSURE_NEAR( state.velocity.x, v, 0.02 * v );
	ENSURE_NEAR( state.center.x - start.x, x, v * v / ( 2.0 * 0.8 * GRAVITY ) + 0.01 );
	ENSURE_NEAR( state.center.y, start.y, 0.002 );
	// it stops and so does what it carries
	StepWorld( world, 60, 2 );
	state = StateOf( world, body );
	ENSURE_MOST( LengthOf( state.velocity ), 1e-3 );
	double there = state.center.x;
	// up at 0.6 m/s
	for ( int frame = 0; frame < 60; ++frame )
	{
		y += 0.6 * STEP;
		ENSURE( pnShape_MoveTo( world, shape, At( x, y, 0.0 ) ) == pn_success );
		StepWorld( world, 1, 2 );
		ENSURE_MOST( y + 0.2, LowestAlong( world, pnMakeVec3( 0.0f, 1.0f, 0.0f ) ) );
	}
	state = StateOf( world, body );
	ENSURE_NEAR( state.velocity.y, 0.6, 0.01 );
	ENSURE_NEAR( state.center.y - start.y, 0.6, 0.003 );
	ENSURE_NEAR( state.center.x, there, 0.003 );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// What lies on a turning table goes round with it.
static void TurningGroundTurnsWhatItCarries( void )
{
	pnSolid* solid = MakeFlatSolid();
	pnWorld* world = MakeFallingWorld();
	pnShapeDef table = DefBoxShape( pnMakeVec3( 0.0f, -0.2f, 0.0f ), pnMakeVec3( 2.0f, 0.2f, 2.0f ), 1.0f );
	pnShapeId shape = AddShape( world, &table );
	pnBodyDef def = DefBody( solid, StiffMaterial( 1.0f, 0.0f ), pnMakeVec3( 1.0f, 0.085f, 0.0f ) );
	pnBodyId body = AddBody( world, &def );
	StepWorld( world, 30, 4 );
	// slowly up to 1 rad/s, so that nothing slips: 1 m/s^2 at most where it lies
	double angle = 0.0, spin = 0.0;
	for ( int frame = 0; frame < 180; ++frame )
	{
		spin = fmin( 1.0, spin + 1.0 * STEP );
		angle += spin * STEP;
		pnTransform target = { { 0.0f, -0.2f, 0.0f }, { 0.0f, (float)sin( 0.5 * angle ), 0.0f, (float)cos( 0.5 * angle ) } };
		ENSURE( pnShape_MoveTo( world, shape, target ) == pn_success );
		StepWorld( world, 1, 4 );
	}
	pnBodyState state = StateOf( world, body );
	ENSURE_NEAR( state.center.x, cos( angle ), 0.03 );
	ENSURE_NEAR( state.center.z, -sin( angle ), 0.03 );
	ENSURE_NEAR( LengthOf( state.velocity ), 1.0, 0.03 );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// Pressed to 70 % of its height, the body is between the plates, pushes both, and takes its height again.
static void PlatesPress( void )
{
	pnSolid* solid = MakeCubeSolid( 0.4f, 3.0f, 0.01f );
	pnWorld* world = MakeFallingWorld();
	pnShapeId floor = AddFloor( world, 0.5f );
	pnShapeDef def = DefBoxShape( pnMakeVec3( 0.0f, 0.55f, 0.0f ), pnMakeVec3( 1.0f, 0.1f, 1.0f ), 0.5f );
	pnShapeId plate = AddShape( world, &def );
	pnBodyDef bodyDef = DefBody( solid, SoftMaterial( 6.0f ), pnMakeVec3( 0.0f, 0.21f, 0.0f ) );
	pnBodyId body = AddBody( world, &bodyDef );
	StepWorld( world, 60, 4 );
	double height = StateOf( world, body ).bounds.upper.y - 0.01;
	double y = 0.55, low = 0.1 + 0.02 + 0.7 * height;
	for ( int frame = 0; frame < 60; ++frame )
	{
		y = fmax( low, y - 0.3 * STEP );
		ENSURE( pnShape_MoveTo( world, plate, At( 0.0, y, 0.0 ) ) == pn_success );
		StepWorld( world, 1, 4 );
		pnAABB bounds = StateOf( world, body ).bounds;
		ENSURE_MOST( bounds.upper.y, y - 0.1 );
		ENSURE_MOST( 0.0, bounds.lower.y );
	}
	StepWorld( world, 60, 4 );
	double onPlate = 0.0, onFloor = 0.0;
	for ( int frame = 0; frame < 30; ++frame )
	{
		StepWorld( world, 1, 4 );
		onPlate += ShapeStateOf( world, plate ).impulse.y / 30.0;
		onFloor += ShapeStateOf( world, floor ).impulse.y / 30.0;
	}
	double weight = 3.0 * GRAVITY * STEP;
	ENSURE_MOST( weight, onPlate );
	ENSURE_NEAR( -onFloor, onPlate + weight, 0.01 * ( onPlate + weight ) );
	ENSURE_NEAR( StateOf( world, body ).bounds.upper.y, y - 0.11, 0.001 );
	ENSURE( pnShape_MoveTo( world, plate, At( 0.0, 2.0, 0.0 ) ) == pn_success );
	StepWorld( world, 120, 4 );
	ENSURE_NEAR( StateOf( world, body ).bounds.upper.y - 0.01, height, 0.01 * height );
	ENSURE_MOST( LengthOf( StateOf( world, body ).velocity ), 2e-3 );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// Height of a stamp's lower side: down at an even pace from frame 20 on, then it stands still.
static double StampHeight( int frame, double high, double low, int frames )
{
	return high + ( low - high ) * fmin( 1.0, fmax( 0.0, ( frame - 20.0 ) / frames ) );
}

// A block of many clusters under a stamp that presses it to a fraction of its height and stands still. Nobody does any work then, so its energy does not rise; and though its
// two sides come near each other, they do not touch.
static void PressedBodiesDoNotMeetThemselves( void )
{
	pnRandom random = SeedOf( 841 );
	double worst = 0.0;
	for ( int n = 0; n < 4; ++n )
	{
		const double height = 0.4, down = pnRandomIn( &random, 0.16, 0.24 ), half = pnRandomIn( &random, 0.16, 0.2 );
		pnSolid* lump = SolidOf( MakeBoxRest( pnMakeVec3( 1.0f, (float)height, 1.0f ), 14, 6, 14 ), 720.0f, -1.0f, 0.14f );
		pnWorld* world = MakeFallingWorld();
		AddFloor( world, 0.9f );
		pnShapeDef stamp = DefBoxShape( pnMakeVec3( 0.0f, 0.75f, 0.0f ), pnMakeVec3( (float)half, 0.25f, (float)half ), 0.3f );
		pnShapeId shape = AddShape( world, &stamp );
		pnMaterial material;
		ENSURE( pnFindMaterial( "clay", &material ) == pn_success );
		material.hertz = (float)pnRandomIn( &random, 40.0, 70.0 );
		material.dampingRatio = 1.0f, material.stretch = 0.9f, material.volume = 1.0f;
		material.yield = n % 2 == 0 ? 0.0f : 0.02f, material.creep = 400.0f, material.maxPlastic = 2.0f;
		pnBodyDef def = DefBody( lump, material, pnMakeVec3( 0.0f, 0.21f, 0.0f ) );
		def.selfContact = true;
		pnBodyId body = AddBody( world, &def );
		pnTestContext( "%.0f Hz, yield %.2f, to %.2f of its height", (double)material.hertz, (double)material.yield, down );
		double least = 1e30;
		for ( int frame = 0; frame < 200; ++frame )
		{
			ENSURE( pnShape_MoveTo( world, shape, At( 0.0, StampHeight( frame, 0.5, down * height, 70 ) + 0.25, 0.0 ) ) == pn_success );
			StepWorld( world, 1, 4 );
			if ( frame > 95 )
			{
				double now = StateOf( world, body ).elastic;
				worst = fmax( worst, now / least );
				ENSURE_MOST( now, 1.01 * least );
				least = fmin( least, now );
			}
		}
		pnDestroyWorld( world );
		pnDestroySolid( lump );
	}
	pnTestNote( "%.4f of what it was", worst );
}

// The scene `press`: a plate comes down on a soft ring and stands. The ring's centre moves as its velocity says, it stays above the floor, and comes to rest.
static void PressedBodiesMoveAsTold( void )
{
	const pnScene* scene = pnFindScene( "press" );
	REQUIRE( scene != NULL );
	double worst = 0.0, deepest = 0.0, last = 0.0;
	for ( int subSteps = 2; subSteps <= 8; subSteps *= 2 )
	{
		pnWorld* world = MakeFallingWorld();
		ENSURE( scene->create( world ) == pn_success );
		pnBodyId body;
		REQUIRE( pnWorld_GetBodies( world, &body, 1 ) == 1 );
		pnTestContext( "%d substeps", subSteps );
		for ( int frame = 1; frame <= 140; ++frame )
		{
			ENSURE( scene->advance( world, frame, (float)STEP ) == pn_success );
			StepWorld( world, 1, subSteps );
			pnBodyState state = StateOf( world, body );
			double off = fabs( ( (double)state.center.y - last ) / STEP - (double)state.velocity.y );
			last = (double)state.center.y;
			deepest = fmax( deepest, -(double)state.bounds.lower.y );
			ENSURE_MOST( -(double)state.bounds.lower.y, 0.005 );
			if ( frame > 60 ) // one frame's mean and the velocity at its end: what pressing changes in a frame, and no more
			{
				worst = fmax( worst, off );
				ENSURE_MOST( off, 0.15 );
			}
			if ( frame > 115 ) // the plate stands from frame 96 on
			{
				ENSURE_MOST( LengthOf( state.velocity ), 0.01 );
			}
		}
		pnDestroyWorld( world );
	}
	pnTestNote( "%.3f m/s off, %.1e m below the floor", worst, deepest );
}

// A belt: moved in every step and put back at once after it. What lies on it goes along as if it never ended.
static void BeltsConvey( void )
{
	pnSolid* solid = MakeFlatSolid();
	pnWorld* world = MakeFallingWorld();
	pnShapeDef belt = DefBoxShape( pnMakeVec3( 0.0f, -0.2f, 0.0f ), pnMakeVec3( 5.0f, 0.2f, 1.0f ), 0.5f );
	pnShapeId shape = AddShape( world, &belt );
	pnBodyDef def = DefBody( solid, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( -2.0f, 0.085f, 0.0f ) );
	pnBodyId body = AddBody( world, &def );
	double speed = 1.5;
	for ( int frame = 0; frame < 120; ++frame )
	{
		ENSURE( pnShape_SetTransform( world, shape, At( 0.0, -0.2, 0.0 ) ) == pn_success );
		ENSURE( pnShape_MoveTo( world, shape, At( speed * STEP, -0.2, 0.0 ) ) == pn_success );
		StepWorld( world, 1, 2 );
	}
	pnBodyState state = StateOf( world, body );
	ENSURE_NEAR( state.velocity.x, speed, 0.02 * speed );
	// it took v / ( mu g ) to get going
	double wanted = speed * 2.0 - speed * speed / ( 2.0 * 0.5 * GRAVITY );
	ENSURE_NEAR( state.center.x + 2.0, wanted, 0.03 * wanted );
	ENSURE_NEAR( state.center.y, 0.085, 0.002 );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// Put elsewhere or destroyed, a ground carries nothing more, also if what lay on it slept.
static void WithoutGroundBodiesFall( void )
{
	for ( int n = 0; n < 4; ++n )
	{
		pnSolid* solid = MakeCubeSolid( 0.4f, 3.0f, 0.01f );
		pnWorld* world = n % 2 == 0 ? MakeFallingWorld() : MakeSleepyWorld();
		pnShapeDef table = DefBoxShape( pnMakeVec3( 0.0f, -0.2f, 0.0f ), pnMakeVec3( 1.0f, 0.2f, 1.0f ), 0.5f );
		pnShapeId shape = AddShape( world, &table );
		pnBodyDef def = DefBody( solid, SoftMaterial( 10.0f ), pnMakeVec3( 0.0f, 0.21f, 0.0f ) );
		pnBodyId body = AddBody( world, &def );
		pnTestContext( "%s world, ground %s", n % 2 == 0 ? "sleepless" : "sleepy", n / 2 == 0 ? "put elsewhere" : "destroyed" );
		StepWorld( world, 180, 2 );
		ENSURE( StateOf( world, body ).awake == ( n % 2 == 0 ) );
		double before = StateOf( world, body ).center.y;
		ENSURE( ( n / 2 == 0 ? pnShape_SetTransform( world, shape, At( 9.0, -0.2, 0.0 ) ) : pnDestroyShape( world, shape ) ) == pn_success );
		int ended = 0;
		for ( int frame = 0; frame < 30; ++frame )
		{
			StepWorld( world, 1, 2 );
			ended += pnWorld_GetContactEvents( world ).endedCount;
			ENSURE( pnWorld_GetContactEvents( world ).contactCount == 0 || frame < 4 );
		}
		ENSURE( ended == 1 );
		ENSURE( StateOf( world, body ).awake );
		ENSURE_NEAR( before - StateOf( world, body ).center.y, 0.5 * GRAVITY * 0.25, 0.05 );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
}

// ---- filters and events ----

static void FiltersDecideWhatTouches( void )
{
	static const struct { pnFilter a, b; bool touch; } cases[] = {
		{ { 1, UINT32_MAX }, { 1, UINT32_MAX }, true },
		{ { 1, 2 }, { 2, 1 }, true },
		{ { 1, 2 }, { 2, 2 }, false }, // b does not want a
		{ { 2, 2 }, { 2, 1 }, false },
		{ { 1, 1 }, { 2, 2 }, false },
		{ { 6, 8 }, { 8, 4 }, true },
		{ { 1, 0 }, { 1, UINT32_MAX }, false },
		{ { 0, UINT32_MAX }, { 1, UINT32_MAX }, false },
		{ { 0x80000000u, 0x80000000u }, { 0x80000000u, 0x80000000u }, true },
	};
	pnSolid* ball = MakeBallSolid( 0.2f, 1.0f, 0.005f );
	for ( int n = 0; n < 2 * COUNT( cases ); ++n )
	{
		const int k = n / 2;
		bool shape = n % 2 == 1;
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnBodyDef def = DefBody( ball, SoftMaterial( 10.0f ), pnMakeVec3( 0.0f, 0.7f, 0.0f ) );
		def.velocity.y = -2.0f;
		def.filter = cases[k].a;
		pnBodyId body = AddBody( world, &def );
		if ( shape )
		{
			pnShapeDef floor = pnDefaultShapeDef();
			floor.filter = cases[k].b;
			AddShape( world, &floor );
		}
		else
		{
			pnBodyDef other = DefBody( ball, SoftMaterial( 10.0f ), pnMakeVec3( 0.0f, -0.2f, 0.0f ) );
			other.filter = cases[k].b;
			AddBody( world, &other );
		}
		pnTestContext( "case %d, %s", k, shape ? "shape" : "body" );
		int contacts = 0;
		for ( int frame = 0; frame < 60; ++frame )
		{
			StepWorld( world, 1, 2 );
			contacts += pnWorld_GetContactEvents( world ).contactCount;
		}
		ENSURE( ( contacts > 0 ) == cases[k].touch );
		ENSURE_NEAR( StateOf( world, body ).velocity.y, -2.0, cases[k].touch ? 10.0 : 1e-4 );
		ENSURE( cases[k].touch == false || StateOf( world, body ).velocity.y > -1.9f );
		pnDestroyWorld( world );
	}
	pnDestroySolid( ball );
}

// A ball hits something once and leaves it: one begin, one end, and the impulses told add up to what its momentum changed by.
static void ImpulsesAddUpToTheChangeOfMomentum( void )
{
	double worst = 0.0;
	pnSolid* ball = MakeBallSolid( 0.2f, 1.5f, 0.005f );
	for ( int n = 0; n < 12; ++n )
	{
		bool shape = n % 2 == 1;
		int subSteps = s_subSteps[n / 2 % 3];
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnMaterial material = SoftMaterial( 6.0f );
		material.dampingRatio = 0.1f;
		material.restitution = n / 6 == 0 ? 0.0f : 0.7f;
		pnBodyDef def = DefBody( ball, material, pnMakeVec3( 0.05f, 0.7f, 0.0f ) );
		def.velocity = pnMakeVec3( 0.5f, -3.0f, 0.0f );
		def.angularVelocity.z = 3.0f;
		pnBodyId a = AddBody( world, &def ), b = { 0 };
		pnShapeId floor = { 0 };
		if ( shape )
		{
			floor = AddFloor( world, 0.5f );
		}
		else
		{
			pnBodyDef other = DefBody( ball, material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			b = AddBody( world, &other );
		}
		pnTestContext( "%s, %d substeps, restitution %g", shape ? "shape" : "body", subSteps, material.restitution );
		int begun = 0, ended = 0;
		double impulse[3] = { 0.0, 0.0, 0.0 }, given[3] = { 0.0, 0.0, 0.0 }, speed = 0.0;
		for ( int frame = 0; frame < 90; ++frame )
		{
			StepWorld( world, 1, subSteps );
			pnContactEvents events = pnWorld_GetContactEvents( world );
			for ( int i = 0; i < events.begunCount + events.endedCount; ++i )
			{
				const pnTouch* touch = i < events.begunCount ? events.begun + i : events.ended + i - events.begunCount;
				ENSURE( SameBody( touch->a, a ) && SameBody( touch->b, b ) && SameShape( touch->shape, floor ) );
			}
			begun += events.begunCount;
			ended += events.endedCount;
			for ( int i = 0; i < events.contactCount; ++i )
			{
				const pnContact* contact = events.contacts + i;
				impulse[0] += contact->impulse.x;
				impulse[1] += contact->impulse.y;
				impulse[2] += contact->impulse.z;
				speed = fmax( speed, contact->speed );
				ENSURE( begun == 1 && ended == 0 );
				ENSURE_MOST( contact->speed, begun == 1 && events.begunCount == 1 ? 5.0 : 0.0 );
				// from the other one's middle to this one's, or up
				pnVec3 way = shape ? pnMakeVec3( 0.0f, 1.0f, 0.0f ) : pnSub( StateOf( world, a ).center, StateOf( world, b ).center );
				ENSURE( pnDot( contact->normal, way ) > 0.8 * LengthOf( way ) || LengthOf( contact->impulse ) == 0.0 );
			}
			if ( shape )
			{
				pnShapeState state = ShapeStateOf( world, floor );
				given[0] += state.impulse.x;
				given[1] += state.impulse.y;
				given[2] += state.impulse.z;
			}
		}
		ENSURE( begun == 1 );
		ENSURE( ended == 1 );
		ENSURE_NEAR( speed, 3.0, 0.5 ); // of the point that met, which also turns
		pnVec3 after = StateOf( world, a ).velocity;
		double change[3] = { 1.5 * ( after.x - 0.5 ), 1.5 * ( after.y + 3.0 ), 1.5 * after.z };
		double size = Length3( change );
		ENSURE_MOST( 1.0, size );
		worst = fmax( worst, Distance3( change, impulse ) / size );
		ENSURE_MOST( Distance3( change, impulse ) / size, 1e-4 );
		for ( int k = 0; k < 3 && shape; ++k )
		{
			ENSURE_NEAR( given[k], -impulse[k], 1e-4 * size );
		}
		pnDestroyWorld( world );
	}
	pnDestroySolid( ball );
	pnTestNote( "off by %.1e", worst );
}

// ---- a body and itself ----

// A ring with a gap, whose ends are drawn into each other by a force. Points that go into another part of it are counted by their
// winding number: up to one for their own part, one more for the part they are in.
static int CountPassed( bool selfContact, double* across )
{
	enum { rings = 33, cells = 32 };
	Rest rest = MakeBoxRest( pnMakeVec3( 1.0f, 0.16f, 0.16f ), cells, 2, 2 );
	for ( int i = 0; i < rest.count; ++i )
	{
		pnVec3 p = rest.points[i];
		double turn = TEST_PI * ( 1.0 + 1.72 * p.x ), out = 0.5 + p.z; // from 25 to 335 degrees
		rest.points[i] = pnMakeVec3( (float)( out * cos( turn ) ), p.y, (float)( -out * sin( turn ) ) );
	}
	pnSolid* solid = SolidOf( rest, 3.0f, 0.005f, 0.25f );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnBodyDef def = DefBody( solid, SoftMaterial( 12.0f ), pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	def.selfContact = selfContact;
	pnBodyId body = AddBody( world, &def );
	int most = 0;
	for ( int frame = 0; frame < 120; ++frame )
	{
		for ( int i = 0; i < 9; ++i )
		{
			pnVec3 force = pnMakeVec3( 0.0f, 0.0f, 1.0f );
			ENSURE( pnBody_ApplyForceAt( world, body, i * rings, force ) == pn_success );
			ENSURE( pnBody_ApplyForceAt( world, body, i * rings + rings - 1, pnScale( -1.0f, force ) ) == pn_success );
		}
		StepWorld( world, 1, 4 );
		Hull hull = ReadHull( world, body );
		int passed = 0;
		for ( int i = 0; i < hull.count && frame % 6 == 5; ++i )
		{
			double p[3] = { hull.x[i].x, hull.x[i].y, hull.x[i].z };
			passed += WindingOf( &hull, p ) > 1.2;
		}
		free( hull.x );
		most = passed > most ? passed : most;
		pnVec3 x[9 * rings];
		pnBody_WritePoints( world, body, x, NULL, 9 * rings );
		*across = fmax( *across, x[4 * rings].z - x[5 * rings - 1].z );
	}
	pnDestroyWorld( world );
	pnDestroySolid( solid );
	return most;
}

static void ARingDoesNotPassThroughItself( void )
{
	double across[2] = { -1.0, -1.0 };
	int without = CountPassed( false, across ), with = CountPassed( true, across + 1 );
	ENSURE( without > 0 && across[0] > 0.1 ); // else nothing was asked of it
	ENSURE( 20 * with <= without );
	pnTestNote( "%d points inside without self-contact, %d with", without, with );
}

// ---- detectors ----

static pnSolid* MakeTetSolid( int kind )
{
	return kind == 0 ? SolidOf( MakeBoxRest( pnMakeVec3( 0.4f, 0.4f, 0.4f ), 3, 3, 3 ), 1.0f, 0.002f, 0.0f ) : SolidOf( MakeTetBallRest( 0.25f, 4 ), 1.0f, 0.002f, 0.0f );
}

// Two bodies that overlap by a fifth of their size: whichever way it is found, they come to lie beside each other along the way they
// were put, just touching, and are not in each other again. Where they are when they first are apart may differ by a
// fifth of the size: the papers' directions are off by up to 40 degrees (test_detect.c), so they part along another way.
static void DetectorsAgree( void )
{
	double worst = 0.0;
	for ( int n = 0; n < 6; ++n )
	{
		int kind = n % 2;
		pnVec3 offsets[3] = { { 0.8f, 0.05f, 0.02f }, { 0.03f, 0.8f, 0.3f }, { -0.2f, 0.1f, -0.8f } };
		double size = kind == 0 ? 0.4 : 0.5;
		pnVec3 found[3] = { 0 };
		for ( int detector = 0; detector < 3; ++detector )
		{
			pnSolid* solid = MakeTetSolid( kind );
			pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			pnBodyId ids[2];
			pnMaterial material = SoftMaterial( 10.0f );
			for ( int i = 0; i < 2; ++i )
			{
				pnBodyDef def = DefBody( solid, material, pnScale( i == 0 ? -0.5f * (float)size : 0.5f * (float)size, offsets[n / 2] ) );
				def.detector = (pnDetector)detector;
				ids[i] = AddBody( world, &def );
			}
			pnTestContext( "%s, offset %d, detector %d", kind == 0 ? "boxes" : "balls", n / 2, detector );
			ENSURE( AskWorld( world, 0 ).inside > 0 );
			double fastest = 0.0, depth = 1.0;
			bool apart = false;
			for ( int frame = 0; frame < 120; ++frame )
			{
				StepWorld( world, 1, 4 );
				fastest = fmax( fastest, MaxSpeed( world ) );
				depth = AskWorld( world, 1 ).depth;
				if ( apart == false && depth <= 0.01 * size )
				{
					apart = true;
					found[detector] = pnSub( StateOf( world, ids[1] ).center, StateOf( world, ids[0] ).center );
				}
			}
			ENSURE_MOST( fastest, 2.0 * TEST_PI * 10.0 * 0.2 * size );
			ENSURE( apart );
			ENSURE_MOST( depth, 0.01 * size );
			pnDestroyWorld( world );
			pnDestroySolid( solid );
		}
		for ( int detector = 1; detector < 3; ++detector )
		{
			double off = DistanceOf( found[detector], found[0] );
			worst = fmax( worst, off / size );
			pnTestContext( "%s, offset %d, detector %d against the field", kind == 0 ? "boxes" : "balls", n / 2, detector );
			ENSURE_MOST( off, 0.2 * size );
		}
	}
	pnTestNote( "%.3f of the size apart", worst );
}

// A small body wholly inside a large one crosses no triangle with its edges, so the edge method cannot see it. The field does.
static int CountEnclosed( pnDetector detector )
{
	pnSolid* large = MakeTetSolid( 0 );
	pnSolid* small = SolidOf( MakeBoxRest( pnMakeVec3( 0.1f, 0.1f, 0.1f ), 2, 2, 2 ), 0.1f, 0.002f, 0.0f );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	const pnSolid* solids[2] = { large, small };
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyDef def = DefBody( solids[i], SoftMaterial( 10.0f ), pnMakeVec3( 0.05f * (float)i, 0.02f * (float)i, 0.0f ) );
		def.detector = detector;
		AddBody( world, &def );
	}
	ENSURE( AskWorld( world, 0 ).inside > 0 );
	double fastest = 0.0;
	for ( int frame = 0; frame < 120; ++frame )
	{
		StepWorld( world, 1, 4 );
		fastest = fmax( fastest, MaxSpeed( world ) );
	}
	ENSURE_MOST( fastest, 2.0 * TEST_PI * 10.0 * 0.2 );
	int inside = AskWorld( world, 0 ).inside;
	pnDestroyWorld( world );
	pnDestroySolid( large );
	pnDestroySolid( small );
	return inside;
}

static void TheFieldFreesWhatIsWhollyInside( void )
{
	pnTestContext( "field" );
	ENSURE( CountEnclosed( pn_fieldDetector ) == 0 );
	pnTestContext( "tetrahedra" );
	ENSURE( CountEnclosed( pn_tetDetector ) == 0 );
	pnTestContext( "edges" );
	pnTestNote( "edges leave %d vertices inside", CountEnclosed( pn_surfaceDetector ) );
}

// Two long blocks of eight corners each, crossed: no vertex of one is in the other, so depths of vertices tell nothing.
static Inside CrossSticks( pnDetector detector )
{
	pnSolid* stick = SolidOf( MakeBoxRest( pnMakeVec3( 1.0f, 0.2f, 0.2f ), 1, 1, 1 ), 1.0f, 0.002f, 0.0f );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyDef def = DefBody( stick, StiffMaterial( 0.5f, 0.0f ), pnMakeVec3( 0.0f, 0.14f * (float)i, 0.03f * (float)i ) );
		float s = (float)sqrt( 0.5 );
		def.transform.q = i == 0 ? pnIdentityQuat() : ( pnQuat ){ 0.0f, s, 0.0f, s };
		def.detector = detector;
		AddBody( world, &def );
	}
	ENSURE( AskWorld( world, 0 ).inside == 0 );
	ENSURE( AskWorld( world, 15 ).inside > 0 );
	StepWorld( world, 120, 4 );
	Inside inside = AskWorld( world, 15 );
	pnDestroyWorld( world );
	pnDestroySolid( stick );
	return inside;
}

static void TheFieldSeparatesCrossedSticks( void )
{
	pnTestContext( "field" );
	Inside inside = CrossSticks( pn_fieldDetector );
	ENSURE_MOST( inside.depth, 0.002 ); // 1 % of their thickness
	pnTestContext( "edges" );
	pnTestNote( "field leaves %.1e m, edges %.1e m", inside.depth, CrossSticks( pn_surfaceDetector ).depth );
}

static const pnTest s_tests[] = {
	RUN( BodiesRestAThicknessAboveTheGround ),
	RUN( WeightsAddUp ),
	RUN( BlocksStickBelowTheAngleOfFriction ),
	RUN( BlocksSlideAboveTheAngleOfFriction ),
	RUN( SlidingBlocksStopInTime ),
	RUN( NoFrictionTakesNothing ),
	RUN( BallsBounceByTheirRestitution ),
	RUN( BallsPartByTheirRestitution ),
	RUN( MomentaAreKeptWhenTwoMeet ),
	RUN( MomentaAreKeptWhenFiveMeet ),
	RUN( HalfOverlappingBodiesComeApart ),
	RUN( BodiesInTheSamePlaceComeApart ),
	RUN( HeldFacesMayMeet ),
	RUN( LinkedRingsStayLinked ),
	RUN( InnerPointsOfCrushedBodiesStayBetween ),
	RUN( LightBodiesCarryHeavyOnes ),
	RUN( PressedBodiesDoNotMeetThemselves ),
	RUN( PressedBodiesMoveAsTold ),
	RUN( OuterPointsOfCloudsAreWatched ),
	RUN( CrushedBodiesStayOnTheFloor ),
	RUN( NothingGoesThroughGrounds ),
	RUN( NothingGoesThroughABall ),
	RUN( NothingGoesThroughASoftPlate ),
	RUN( BulletsDoNotPassEachOther ),
	RUN( MovingGroundCarries ),
	RUN( TurningGroundTurnsWhatItCarries ),
	RUN( PlatesPress ),
	RUN( BeltsConvey ),
	RUN( WithoutGroundBodiesFall ),
	RUN( FiltersDecideWhatTouches ),
	RUN( ImpulsesAddUpToTheChangeOfMomentum ),
	RUN( ARingDoesNotPassThroughItself ),
	RUN( DetectorsAgree ),
	RUN( TheFieldFreesWhatIsWhollyInside ),
	RUN( TheFieldSeparatesCrossedSticks ),
};
SUITE( contact, s_tests );
