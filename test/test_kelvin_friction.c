// test_kelvin_friction.c - rigid tools with Coulomb's friction: closed forms of sticking, sliding and partial slip, balance, the law itself at every
// place. Knows the public header only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "kelvin_help.h"

#include "help.h"

static pnIndenter FlatPlate( double height, double depth, double friction, pnVec3d drag )
{
	pnIndenter plate = pnDefaultIndenter();
	plate.kind = pn_plateIndenter;
	plate.center = pnMakeD( 0.0, 0.0, height );
	plate.depth = depth;
	plate.friction = friction;
	plate.drag = drag;
	return plate;
}

static void SetIndenter( pnKelvinDef* def, const pnIndenter* indenter )
{
	def->indenters = indenter;
	def->indenterCount = 1;
}

static pnVec3d IndenterForce( const pnKelvin* kelvin )
{
	pnVec3d force;
	pnKelvin_GetIndenter( kelvin, 0, &force, NULL, NULL );
	return force;
}

// By the two ways of reckoning: with no friction, and with so little that it is none.
static void NextToNoFrictionIsNone( void )
{
	Surface s = MakeBox( pnMakeD( -1.0, -1.0, 0.0 ), pnMakeD( 1.0, 1.0, 1.2 ), 5, 5, 3 );
	pnKelvinDef def = PlainDef( 1000.0, 0.3, 200 );
	SetSurface( &def, &s );
	pnCondition base = Hold( GroupRegion( 4 ) );
	SetConditions( &def, &base, 1 );
	pnIndenter ball = pnDefaultIndenter();
	ball.radius = 1.1;
	ball.center = pnMakeD( 0.1, 0.05, 1.2 + 1.1 );
	ball.depth = 0.08;
	SetIndenter( &def, &ball );
	pnKelvin* smooth = Solved( &def, NULL );
	ball.friction = 1e-13;
	pnKelvin* rough = Solved( &def, NULL );
	REQUIRE( smooth != NULL && rough != NULL );
	Places places = LookAround( &s, 60, 3 );
	ENSURE_MOST( AnswersDiffer( smooth, rough, &places ), 1e-9 );
	ENSURE( IndenterForce( smooth ).z < -1.0 );
	ENSURE_MOST( pnLengthD( pnSubD( IndenterForce( smooth ), IndenterForce( rough ) ) ), 1e-9 * pnLengthD( IndenterForce( smooth ) ) );
	FreePlaces( &places );
	pnDestroyKelvin( smooth );
	pnDestroyKelvin( rough );
	FreeSurface( &s );
}

// A plate that nothing slips from is a clamp that moves with it; one from which all slips drags with friction times its pressure.
static void PlatesStickOrSlide( void )
{
	pnRandom random = SeedOf( 1620 );
	for ( int i = 0; i < 2; ++i )
	{
		double nu = pnRandomIn( &random, 0.1, 0.45 ), angle = pnRandomIn( &random, 0.0, 6.0 ), mu = pnRandomIn( &random, 0.1, 0.6 );
		Surface s = MakeBox( pnMakeD( -0.5, -0.5, 0.0 ), pnMakeD( 0.5, 0.5, 1.0 ), 4, 4, 4 );
		pnKelvinDef def = PlainDef( 1000.0, nu, 240 );
		SetSurface( &def, &s );
		pnVec3d drag = pnScaleD( 0.01, pnMakeD( cos( angle ), sin( angle ), 0.0 ) );
		pnCondition conditions[2] = { Hold( GroupRegion( 4 ) ), Hold( GroupRegion( 5 ) ) };
		conditions[1].vector = pnMakeD( drag.x, drag.y, -0.02 );
		SetConditions( &def, conditions, 2 );
		pnTestContext( "nu %.2f, friction %.2f, angle %.1f", nu, mu, angle );
		pnKelvin* clamped = Solved( &def, NULL );
		SetConditions( &def, conditions, 1 );
		pnIndenter plate = FlatPlate( 1.0, 0.02, 1e3, drag );
		SetIndenter( &def, &plate );
		pnKelvin* kelvin = Solved( &def, NULL );
		REQUIRE( clamped != NULL && kelvin != NULL );
		Places places = LookAround( &s, 60, 3 );
		pnRegion above = GroupRegion( 5 ), below = GroupRegion( 4 );
		pnVec3d expected, reaction, force = IndenterForce( kelvin );
		pnKelvin_GetForce( clamped, &above, s_origin, &expected, NULL );
		double apart = AnswersDiffer( clamped, kelvin, &places ), forceApart = pnLengthD( pnSubD( force, expected ) ) / pnLengthD( expected );
		ENSURE_MOST( apart, 0.01 );
		ENSURE_MOST( forceApart, 0.02 );
		pnKelvin_GetForce( kelvin, &below, s_origin, &reaction, NULL );
		ENSURE_MOST( pnLengthD( pnAddD( reaction, force ) ), 1e-6 * pnLengthD( force ) );
		// Twenty times as far: it slides everywhere, whichever way the corners bulge.
		plate.friction = mu;
		plate.drag = pnScaleD( 100.0, drag );
		ENSURE( pnKelvin_Solve( kelvin, conditions, &plate, NULL ) >= 0 );
		force = IndenterForce( kelvin );
		pnKelvin_GetForce( kelvin, &below, s_origin, &reaction, NULL );
		double along = ( force.x * drag.x + force.y * drag.y ) / pnLengthD( drag );
		pnTestNote( "sticks: %.2f %%, force %.2f %%; slides with %.6f of friction times pressure", 100.0 * apart, 100.0 * forceApart, along / ( -mu * force.z ) );
		ENSURE_NEAR( along, -mu * force.z, 2e-3 * mu * fabs( force.z ) ); // places that bulge sideways rub a little across
		ENSURE_MOST( hypot( force.x, force.y ), -mu * force.z * ( 1.0 + 1e-9 ) );
		ENSURE_MOST( pnLengthD( pnAddD( reaction, force ) ), 1e-6 * pnLengthD( force ) );
		FreePlaces( &places );
		pnDestroyKelvin( clamped );
		pnDestroyKelvin( kelvin );
		FreeSurface( &s );
	}
}

// At every place under a ball the traction along it is no more than friction times the pressure. Returns the radius of what sticks, from the area of the
// places with less.
static double EnsureCoulomb( const pnKelvin* kelvin, const pnIndenter* ball )
{
	int count;
	const pnKelvinPoint* points = pnKelvin_GetPoints( kelvin, &count );
	pnVec3d center = pnAddD( pnMulAddD( ball->center, ball->depth, ball->direction ), ball->drag );
	double stuck = 0.0, highest = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		highest = points[i].normal.z > 0.9 ? fmax( highest, -points[i].traction.z ) : highest;
	}
	for ( int i = 0; i < count; ++i )
	{
		pnVec3d away = pnUnitD( pnSubD( points[i].point, center ) );
		double pressure = pnDotD( points[i].traction, away ), along = pnLengthD( pnMulAddD( points[i].traction, -pressure, away ) );
		if ( points[i].normal.z > 0.9 && pnLengthD( points[i].traction ) > 0.0 )
		{
			// Pads are pushed along the way out of the tool at their middle, which is not quite that at the place.
			ENSURE_MOST( along, ball->friction * pressure + 0.02 * highest );
			stuck += along < 0.85 * ball->friction * pressure ? points[i].area : 0.0;
		}
	}
	return sqrt( stuck / TEST_PI );
}

// Cattaneo (1938) and Mindlin (1949): a ball pressed in with P and dragged by d carries Q, 1 - Q / ( mu P ) = ( 1 - 16 a G d / ( 3 mu P ( 2 - nu ) ) )^1.5, and
// sticks within c = a ( 1 - Q / ( mu P ) )^( 1 / 3 ). For a rigid ball that needs a material that keeps its volume: else pressing rubs as well.
static void DraggedBallsSlipAtTheRim( void )
{
	pnRandom random = SeedOf( 1621 );
	double nu = 0.48, height = 1.6, young = 1000.0, shear = young / ( 2.0 * ( 1.0 + nu ) ), radius = 1.0, depth = 0.02;
	Surface s = MakeBox( pnMakeD( -1.6, -1.6, 0.0 ), pnMakeD( 1.6, 1.6, height ), 8, 8, 4 );
	pnKelvinDef def = MaterialDef( young, nu );
	def.sourceCount = 400;
	SetSurface( &def, &s );
	pnCondition base = Hold( GroupRegion( 4 ) );
	SetConditions( &def, &base, 1 );
	pnIndenter ball = pnDefaultIndenter();
	ball.radius = radius;
	ball.center = pnMakeD( 0.0, 0.0, height + radius );
	ball.depth = depth;
	ball.friction = 0.3;
	SetIndenter( &def, &ball );
	pnKelvin* kelvin = Solved( &def, NULL );
	REQUIRE( kelvin != NULL );
	double normal = -IndenterForce( kelvin ).z, reach = cbrt( 0.75 * normal * radius * ( 1.0 - nu * nu ) / young );
	ENSURE_MOST( hypot( IndenterForce( kelvin ).x, IndenterForce( kelvin ).y ), 0.02 * ball.friction * normal ); // straight down
	double last = 0.0;
	for ( int i = 0; i < 4; ++i )
	{
		double share = i == 3 ? 1.5 : 0.25 * ( i + 1 ), angle = pnRandomIn( &random, 0.0, 6.0 );
		double whole = 3.0 * ball.friction * normal * ( 2.0 - nu ) / ( 16.0 * reach * shear ), d = share * whole;
		ball.drag = pnScaleD( d, pnMakeD( cos( angle ), sin( angle ), 0.0 ) );
		pnTestContext( "dragged by %.2f of what it takes to slide", share );
		ENSURE( pnKelvin_Solve( kelvin, &base, &ball, NULL ) >= 0 );
		pnVec3d force = IndenterForce( kelvin );
		double carried = ( force.x * ball.drag.x + force.y * ball.drag.y ) / d / ( -ball.friction * force.z ), rest = share < 1.0 ? 1.0 - share : 0.0;
		double expected = 1.0 - rest * sqrt( rest ), stuck = EnsureCoulomb( kelvin, &ball ), stuckExpected = reach * sqrt( rest );
		pnTestNote( "%.2f: carries %.3f (%.3f), sticks to %.2f (%.2f) of its radius", share, carried, expected, stuck / reach, stuckExpected / reach );
		ENSURE_NEAR( carried, expected, 0.05 );
		ENSURE_NEAR( stuck, stuckExpected, 0.2 * reach );
		ENSURE( carried > last );
		last = carried;
		pnRegion below = GroupRegion( 4 );
		pnVec3d reaction;
		pnKelvin_GetForce( kelvin, &below, s_origin, &reaction, NULL );
		ENSURE_MOST( pnLengthD( pnAddD( reaction, force ) ), 1e-6 * pnLengthD( force ) );
	}
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

// A round flat punch: F = 4 G a d / ( 1 - nu ) smooth; 4 G a d ln( 3 - 4 nu ) / ( 1 - 2 nu ) if nothing slips (Mossakovskii 1954). Their ratio knows no
// block, nearly.
static void StickingPunchesAreStiffer( void )
{
	double nu = 0.05, height = 1.6, reach = 0.35;
	Surface s = MakeBox( pnMakeD( -1.6, -1.6, 0.0 ), pnMakeD( 1.6, 1.6, height ), 8, 8, 4 );
	pnKelvinDef def = MaterialDef( 1000.0, nu );
	def.sourceCount = 400;
	SetSurface( &def, &s );
	pnCondition base = Hold( GroupRegion( 4 ) );
	SetConditions( &def, &base, 1 );
	pnVec3d corners[64];
	for ( int i = 0; i < 64; ++i )
	{
		double angle = TEST_PI * ( i % 32 ) / 16.0;
		corners[i] = pnMakeD( reach * cos( angle ), reach * sin( angle ), i < 32 ? height : height + 1.0 );
	}
	pnIndenter punch = pnDefaultIndenter();
	punch.kind = pn_convexIndenter;
	punch.points = corners;
	punch.pointCount = 64;
	punch.depth = 0.01;
	SetIndenter( &def, &punch );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &def, &info );
	REQUIRE( kelvin != NULL );
	double smooth = -IndenterForce( kelvin ).z, before = smooth;
	double expected = log( 3.0 - 4.0 * nu ) * ( 1.0 - nu ) / ( 1.0 - 2.0 * nu );
	for ( int i = 0; i < 3; ++i )
	{
		punch.friction = i == 0 ? 0.1 : i == 1 ? 0.25 : 100.0;
		ENSURE( pnKelvin_Solve( kelvin, &base, &punch, &info ) >= 0 );
		ENSURE( ( info.warnings & pn_slowConvergence ) == 0 );
		double force = -IndenterForce( kelvin ).z;
		pnTestNote( "friction %g: %.3f times the smooth force (full stick %.3f)", punch.friction, force / smooth, expected );
		ENSURE( force > before );
		before = force;
	}
	ENSURE_NEAR( before / smooth, expected, 0.02 );
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

static void BadFrictionIsRefused( void )
{
	Surface s = MakeBox( s_origin, pnMakeD( 1.0, 1.0, 1.0 ), 2, 2, 2 );
	pnKelvinDef def = PlainDef( 1000.0, 0.3, 40 );
	SetSurface( &def, &s );
	pnCondition base = Hold( GroupRegion( 4 ) );
	SetConditions( &def, &base, 1 );
	for ( int i = 0; i < 4; ++i )
	{
		pnIndenter plate = FlatPlate( 1.0, 0.01, i == 0 ? -0.1 : i == 1 ? NAN : 0.2, pnMakeD( i == 3 ? NAN : 0.0, 0.0, i == 2 ? 0.1 : 0.0 ) );
		SetIndenter( &def, &plate );
		pnKelvin* kelvin;
		ListenToLog();
		ENSURE( pnCreateKelvin( &def, &kelvin, NULL ) == pn_invalidInput );
		pnSetLogFcn( NULL );
		ENSURE( LogHolds( i < 2 ? "indenter 0: its friction" : "indenter 0: its drag" ) );
	}
	FreeSurface( &s );
}

static const pnTest s_tests[] = {
	RUN( NextToNoFrictionIsNone ),
	RUN( PlatesStickOrSlide ),
	RUN( DraggedBallsSlipAtTheRim ),
	RUN( StickingPunchesAreStiffer ),
	RUN( BadFrictionIsRefused ),
};
SUITE( kelvin_friction, s_tests );
