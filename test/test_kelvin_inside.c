// test_kelvin_inside.c - what acts inside a solid and what it lies on: weight, heat, springs; against closed forms. Knows the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "kelvin_help.h"

#include "help.h"

static pnCondition Spring( pnRegion region, uint32_t axes, double stiffness )
{
	pnCondition condition = pnDefaultCondition();
	condition.kind = pn_springCondition;
	condition.region = region;
	condition.axes = axes;
	condition.stiffness = stiffness;
	return condition;
}

// Between smooth walls a column under its own weight can only shorten: u = -f / M (h z - z^2 / 2), stress -f (h - z).
static void AColumnBetweenWallsCarriesItsWeight( void )
{
	pnRandom random = SeedOf( 1661 );
	for ( int round = 0; round < 2; ++round )
	{
		double nu = pnRandomIn( &random, 0.0, 0.45 ), height = pnRandomIn( &random, 1.0, 3.0 ), weight = 3.0;
		double modulus = 1000.0 * ( 1.0 - nu ) / ( ( 1.0 + nu ) * ( 1.0 - 2.0 * nu ) );
		Surface s = MakeBox( s_origin, pnMakeD( 1.0, 1.2, height ), 3, 3, 4 );
		pnKelvinDef def = MaterialDef( 1000.0, nu );
		def.bodyForce = pnMakeD( 0.0, 0.0, -weight );
		SetSurface( &def, &s );
		pnCondition conditions[5];
		for ( int face = 0; face < 5; ++face )
		{
			conditions[face] = Roll( GroupRegion( face ) ); // all but the top
		}
		SetConditions( &def, conditions, 5 );
		pnKelvinInfo info;
		pnTestContext( "nu %.2f, height %.2f", nu, height );
		pnKelvin* kelvin = Solved( &def, &info );
		REQUIRE( kelvin != NULL );
		double whole = weight / modulus * 0.5 * height * height;
		for ( int i = 0; i < 20; ++i )
		{
			double x = pnRandomIn( &random, 0.1, 0.9 ), y = pnRandomIn( &random, 0.1, 1.1 ), z = height * pnRandomIn( &random, 0.05, 1.0 );
			pnVec3d p = { x, y, z }, u;
			pnStress stress;
			pnKelvin_Evaluate( kelvin, &p, 1, &u, &stress );
			pnVec3d expected = { 0.0, 0.0, -weight / modulus * ( height * p.z - 0.5 * p.z * p.z ) };
			ENSURE_MOST( pnLengthD( pnSubD( u, expected ) ), 1e-3 * whole );
			ENSURE_NEAR( stress.zz, -weight * ( height - p.z ), 5e-3 * weight * height );
		}
		pnVec3d force;
		pnRegion floor = GroupRegion( 4 );
		pnKelvin_GetForce( kelvin, &floor, s_origin, &force, NULL );
		ENSURE_NEAR( force.z, weight * height * 1.2, 1e-3 * weight * height * 1.2 );
		// Half the work of the weight: f^2 A h^3 / (6 M)
		ENSURE_NEAR( info.strainEnergy, weight * weight * 1.2 * height * height * height / ( 6.0 * modulus ), 3e-3 * info.strainEnergy );
		pnDestroyKelvin( kelvin );
		FreeSurface( &s );
	}
}

// Theory of beams: f A L^4 / (8 E I) and the shear, f L^2 / (2 k G).
static void ACantileverSagsUnderItsWeight( void )
{
	double length = 12.0, nu = 0.3, weight = 1e-3, shear = 1000.0 / ( 2.0 * ( 1.0 + nu ) );
	Surface s = MakeBox( s_origin, pnMakeD( length, 1.0, 1.0 ), 12, 2, 2 );
	pnKelvinDef def = MaterialDef( 1000.0, nu );
	def.bodyForce = pnMakeD( 0.0, 0.0, -weight );
	def.sourceCount = 200;
	SetSurface( &def, &s );
	pnCondition hold = Hold( GroupRegion( 0 ) );
	SetConditions( &def, &hold, 1 );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &def, &info );
	REQUIRE( kelvin != NULL );
	double expected = weight * length * length * length * length / ( 8.0 * 1000.0 / 12.0 ) + weight * length * length / ( 2.0 * shear * 5.0 / 6.0 );
	double error = -MeanDisplacement( kelvin, &s, 1 ).z / expected - 1.0;
	ENSURE_MOST( fabs( error ), 0.01 ); // the clamp keeps the end from narrowing
	ENSURE_MOST( info.reactionMismatch, 1e-6 );
	ENSURE_MOST( info.bettiMismatch, 1e-3 );
	pnTestNote( "%+.2f %% (estimate %.1f %%)", 100.0 * error, 100.0 * info.errorEstimate );
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

// A block on an elastic bed under an even load: it sinks by p / k and shortens by p z / E, and nothing else.
static void ABlockSinksIntoItsBed( void )
{
	pnRandom random = SeedOf( 1662 );
	double nu = 0.3, load = 2.0, bed = pnRandomIn( &random, 100.0, 5000.0 );
	Surface s = MakeBox( s_origin, pnMakeD( 1.0, 1.0, 1.5 ), 3, 3, 4 );
	pnKelvinDef def = MaterialDef( 1000.0, nu );
	SetSurface( &def, &s );
	pnCondition conditions[3] = { Spring( GroupRegion( 4 ), 4, bed ), Press( GroupRegion( 5 ), load ), Spring( GroupRegion( 0 ), 7, 1e-3 ) };
	SetConditions( &def, conditions, 2 );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &def, &info ); // free to slide and turn on its bed: a gauge holds that
	REQUIRE( kelvin != NULL );
	ENSURE( ( info.warnings & pn_nothingHeld ) != 0 );
	for ( int i = 0; i < 10; ++i )
	{
		double x = pnRandomIn( &random, 0.0, 1.0 ), y = pnRandomIn( &random, 0.0, 1.0 ), z = pnRandomIn( &random, 0.0, 1.5 );
		pnVec3d p = { x, y, z }, u;
		pnStress stress;
		pnKelvin_Evaluate( kelvin, &p, 1, &u, &stress );
		ENSURE_NEAR( u.z, -load / bed - load * p.z / 1000.0, 1e-6 );
		ENSURE_NEAR( stress.zz, -load, 1e-4 );
		ENSURE_NEAR( u.x, nu * load / 1000.0 * ( p.x - 0.5 ), 1e-6 );
	}
	pnVec3d force;
	pnRegion floor = GroupRegion( 4 );
	pnKelvin_GetForce( kelvin, &floor, s_origin, &force, NULL );
	ENSURE_NEAR( force.z, load, 1e-5 );
	// Other values are fine, another bed is not.
	ListenToLog();
	conditions[0].stiffness *= 2.0;
	ENSURE( pnKelvin_Solve( kelvin, conditions, NULL, NULL ) == pn_invalidInput );
	ENSURE( LogHolds( "spring" ) );
	conditions[0].stiffness = -1.0;
	ENSURE( pnKelvin_Solve( kelvin, conditions, NULL, NULL ) == pn_invalidInput );
	pnSetLogFcn( NULL );
	pnDestroyKelvin( kelvin );
	// A stiff bed is a clamp, a soft one lets the whole go: f / (k A).
	def.conditionCount = 1;
	conditions[0] = Spring( GroupRegion( 4 ), 7, 0.01 );
	def.bodyForce = pnMakeD( 0.0, 0.0, -1.0 );
	kelvin = Solved( &def, &info );
	REQUIRE( kelvin != NULL );
	ENSURE_NEAR( DisplacementAt( kelvin, pnMakeD( 0.5, 0.5, 0.1 ) ).z, -1.5 / 0.01, 0.2 );
	ENSURE( ( info.warnings & pn_nothingHeld ) == 0 );
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

// Heat: free, a solid grows and feels nothing; between two walls it presses with E a.
static void HeatSwellsOrPresses( void )
{
	double strain = 0.01, nu = 0.35;
	Surface s = MakeBox( s_origin, pnMakeD( 1.0, 1.3, 2.0 ), 3, 3, 4 );
	pnKelvinDef def = MaterialDef( 1000.0, nu );
	def.thermalStrain = strain;
	SetSurface( &def, &s );
	pnCondition conditions[2] = { Roll( GroupRegion( 4 ) ), Roll( GroupRegion( 5 ) ) };
	for ( int walls = 0; walls < 3; ++walls )
	{
		SetConditions( &def, conditions, walls );
		pnKelvin* kelvin = Solved( &def, NULL );
		REQUIRE( kelvin != NULL );
		pnVec3d a = { 0.3, 0.4, 0.5 }, b = { 0.8, 0.9, 1.7 }, u[2], both[2] = { a, b };
		pnStress stress[2];
		pnTestContext( "%d walls", walls );
		pnKelvin_Evaluate( kelvin, both, 2, u, stress );
		double aside = walls == 2 ? strain * ( 1.0 + nu ) : strain;
		ENSURE_NEAR( u[1].x - u[0].x, aside * 0.5, 1e-7 );
		ENSURE_NEAR( u[1].z - u[0].z, walls == 2 ? 0.0 : strain * 1.2, 1e-7 );
		ENSURE_NEAR( stress[0].zz, walls == 2 ? -1000.0 * strain : 0.0, 1e-4 );
		ENSURE_NEAR( stress[0].xx, 0.0, 1e-4 );
		pnDestroyKelvin( kelvin );
	}
	FreeSurface( &s );
}

// Held all around and heated: e per unit volume is 3/2 of stress times strain, E a / ( 1 - 2 nu ) times a; whatever is said of where the origin is.
static void HeldHeatIsEnergy( void )
{
	Surface s = MakeBox( pnMakeD( 3.0, 1.0, -2.0 ), pnMakeD( 4.0, 2.5, -1.0 ), 3, 4, 3 );
	pnKelvinDef def = PlainDef( 1000.0, 0.3, 80 );
	def.thermalStrain = 0.01;
	SetSurface( &def, &s );
	pnCondition all = Hold( WholeSurface() );
	SetConditions( &def, &all, 1 );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &def, &info );
	REQUIRE( kelvin != NULL );
	double expected = 1.5 * 1.5 * 1000.0 / ( 1.0 - 2.0 * 0.3 ) * 0.01 * 0.01;
	ENSURE_NEAR( info.strainEnergy, expected, 1e-3 * expected );
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

static const pnTest s_tests[] = {
	RUN( AColumnBetweenWallsCarriesItsWeight ),
	RUN( ACantileverSagsUnderItsWeight ),
	RUN( ABlockSinksIntoItsBed ),
	RUN( HeatSwellsOrPresses ),
	RUN( HeldHeatIsEnergy ),
};
SUITE( kelvin_inside, s_tests );
