// test_kelvin_glue.c - solids of several materials, glued: bars in series and side by side, shear, Lame's shells, a bimetal, one material cut in two.
// Knows the public header and closed forms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "kelvin_help.h"

#include "help.h"

static pnKelvinPart MakePart( const Surface* surface, double young, double nu )
{
	return ( pnKelvinPart ){
		.points = surface->points,
		.pointCount = surface->pointCount,
		.triangles = surface->triangles,
		.triangleCount = surface->triangleCount,
		.groups = surface->groups,
		.youngsModulus = young,
		.poissonRatio = nu,
	};
}

static pnKelvinDef PartsDef( const pnKelvinPart* parts, int count, int sources )
{
	pnKelvinDef def = pnDefaultKelvinDef();
	def.parts = parts;
	def.partCount = count;
	def.sourceCount = sources;
	return def;
}

// Two boxes on z = 0 ... h ... 1 of unit section. Without lateral contraction every one of these states is linear in each part, which the columns hold: what is left are
// sums over collocation points that are not quite those of the integrals.
static void LayersAreExact( void )
{
	pnRandom random = SeedOf( 1630 );
	for ( int kind = 0; kind < 4; ++kind )
	{
		double h = pnRandomIn( &random, 0.3, 0.7 ), e[2] = { pnRandomIn( &random, 100.0, 300.0 ), exp( pnRandomIn( &random, log( 300.0 ), log( 30000.0 ) ) ) };
		Surface below = MakeBox( s_origin, pnMakeD( 1.0, 1.0, h ), 3, 3, 2 ), above = MakeBox( pnMakeD( 0.0, 0.0, h ), pnMakeD( 1.0, 1.0, 1.0 ), 4, 3, 3 );
		pnKelvinPart parts[2] = { MakePart( &below, e[0], 0.0 ), MakePart( &above, e[1], 0.0 ) };
		pnKelvinDef def = PartsDef( parts, 2, 160 );
		def.placement = pn_offsetSources;
		pnRegion floor = BoxRegion( s_origin, pnMakeD( 1.0, 1.0, 0.0 ) ), top = BoxRegion( pnMakeD( 0.0, 0.0, 1.0 ), pnMakeD( 1.0, 1.0, 1.0 ) );
		pnRegion left = BoxRegion( s_origin, pnMakeD( 0.0, 1.0, 1.0 ) ), right = BoxRegion( pnMakeD( 1.0, 0.0, 0.0 ), pnMakeD( 1.0, 1.0, 1.0 ) );
		pnCondition conditions[4] = { Hold( floor ) };
		int count = 2;
		pnVec3d probe[2] = { { 0.4, 0.6, 0.5 * h }, { 0.3, 0.7, 0.5 * ( 1.0 + h ) } }, expected[2];
		double stress[2];
		pnTestContext( "kind %d, E %g and %g, from %g on", kind, e[0], e[1], h );
		if ( kind == 0 ) // in series
		{
			conditions[1] = Pull( top, pnMakeD( 0.0, 0.0, 2.0 ) );
			expected[0] = pnMakeD( 0.0, 0.0, 2.0 * 0.5 * h / e[0] );
			expected[1] = pnMakeD( 0.0, 0.0, 2.0 * ( h / e[0] + 0.5 * ( 1.0 - h ) / e[1] ) );
			stress[0] = stress[1] = 2.0;
		}
		else if ( kind == 1 ) // side by side
		{
			conditions[0] = HoldAxes( left, 1 );
			conditions[1] = HoldAxes( right, 1 );
			conditions[1].vector = pnMakeD( 0.01, 0.0, 0.0 );
			conditions[2] = HoldAxes( floor, 6 );
			count = 3;
			expected[0] = pnMakeD( 0.004, 0.0, 0.0 );
			expected[1] = pnMakeD( 0.003, 0.0, 0.0 );
			stress[0] = 0.01 * e[0];
			stress[1] = 0.01 * e[1];
		}
		else if ( kind == 2 ) // shear: 2 G = E
		{
			conditions[1] = Pull( top, pnMakeD( 1.0, 0.0, 0.0 ) );
			conditions[2] = Pull( right, pnMakeD( 0.0, 0.0, 1.0 ) );
			conditions[3] = Pull( left, pnMakeD( 0.0, 0.0, -1.0 ) );
			count = 4;
			expected[0] = pnMakeD( 0.5 * h * 2.0 / e[0], 0.0, 0.0 );
			expected[1] = pnMakeD( h * 2.0 / e[0] + 0.5 * ( 1.0 - h ) * 2.0 / e[1], 0.0, 0.0 );
			stress[0] = stress[1] = sqrt( 3.0 );
		}
		else // heat in one of them, between walls: no gap is left anywhere
		{
			parts[0].thermalStrain = 0.01;
			conditions[0] = HoldAxes( BoxRegion( s_origin, pnMakeD( 1.0, 1.0, 1.0 ) ), 3 ); // all around: the glue is in no region
			conditions[1] = HoldAxes( floor, 4 );
			conditions[2] = HoldAxes( top, 4 );
			count = 3;
			double s = 0.01 * h / ( h / e[0] + ( 1.0 - h ) / e[1] ); // the pressure along z; nothing contracts
			expected[0] = pnMakeD( 0.0, 0.0, 0.5 * h * ( 0.01 - s / e[0] ) );
			expected[1] = pnMakeD( 0.0, 0.0, 0.5 * ( 1.0 - h ) * s / e[1] );
			stress[0] = fabs( s - 0.01 * e[0] ); // across it is held: 0.01 E
			stress[1] = s;
		}
		SetConditions( &def, conditions, count );
		pnKelvinInfo info;
		pnKelvin* kelvin = Solved( &def, &info );
		REQUIRE( kelvin != NULL );
		// Between walls what is left is a small rest of what heat would do.
		double size = kind == 3 ? 0.01 * h : pnLengthD( expected[0] ) + pnLengthD( expected[1] );
		for ( int i = 0; i < 2; ++i )
		{
			pnStress got = StressAt( kelvin, probe[i] );
			ENSURE_MOST( pnLengthD( pnSubD( DisplacementAt( kelvin, probe[i] ), expected[i] ) ), 1e-4 * size );
			ENSURE_NEAR( pnVonMises( &got ), stress[i], 1e-3 * ( stress[0] + stress[1] ) );
		}
		ENSURE_MOST( info.reactionMismatch, 1e-5 );
		if ( kind == 1 )
		{
			pnVec3d force;
			pnKelvin_GetForce( kelvin, &right, s_origin, &force, NULL );
			ENSURE_NEAR( force.x, 0.01 * ( h * e[0] + ( 1.0 - h ) * e[1] ), 1e-4 * force.x );
		}
		if ( kind == 0 ) // other values, by the cheap call
		{
			conditions[1].vector = pnMakeD( 0.0, 0.0, -6.0 );
			ENSURE( pnKelvin_Solve( kelvin, conditions, NULL, NULL ) >= 0 );
			ENSURE_MOST( pnLengthD( pnMulAddD( DisplacementAt( kelvin, probe[1] ), 3.0, expected[1] ) ), 3e-4 * pnLengthD( expected[1] ) );
		}
		pnDestroyKelvin( kelvin );
		FreeSurface( &below );
		FreeSurface( &above );
	}
}

// A shell in a shell, pressure p inside: Lame's solution in each, with the pressure between them such that they fit.
static void ShellsAreLames( void )
{
	pnRandom random = SeedOf( 1631 );
	for ( int i = 0; i < 2; ++i )
	{
		double a = 0.5, b = pnRandomIn( &random, 0.68, 0.78 ), c = 1.0, p = 1.0;
		double e1 = 1000.0, e2 = i == 0 ? pnRandomIn( &random, 3000.0, 8000.0 ) : pnRandomIn( &random, 100.0, 300.0 ), n1 = pnRandomIn( &random, 0.1, 0.45 ), n2 = pnRandomIn( &random, 0.1, 0.45 );
		Surface inner = MakeHollowSphere( a, b, 3, 3 ), outer = MakeHollowSphere( b, c, 3, 3 );
		pnKelvinPart parts[2] = { MakePart( &inner, e1, n1 ), MakePart( &outer, e2, n2 ) };
		pnKelvinDef def = PartsDef( parts, 2, 700 );
		pnRegion hollow = { .tests = pn_inBall, .radius = 0.5 * ( a + b ) };
		pnCondition conditions[2] = { Press( hollow, p ), MakeCondition( pn_springCondition, WholeSurface() ) };
		conditions[1].stiffness = 1e-6 * e1; // so soft that it only keeps the whole from floating away
		SetConditions( &def, conditions, 2 );
		pnKelvinInfo info;
		pnTestContext( "between at %.3f, E %g nu %.2f and E %g nu %.2f", b, e1, n1, e2, n2 );
		pnKelvin* kelvin = Solved( &def, &info );
		REQUIRE( kelvin != NULL );
		// u( r ) of a shell x ... y under pi inside and po outside
		double a3 = a * a * a, b3 = b * b * b, c3 = c * c * c;
		double in = ( b / e1 ) / ( b3 - a3 ) * 1.5 * ( 1.0 - n1 ) * a3; // u1( b ) by p
		double in1 = -( b / e1 ) / ( b3 - a3 ) * ( ( 1.0 - 2.0 * n1 ) * b3 + 0.5 * ( 1.0 + n1 ) * a3 ); // by q
		double out = ( b / e2 ) / ( c3 - b3 ) * ( ( 1.0 - 2.0 * n2 ) * b3 + 0.5 * ( 1.0 + n2 ) * c3 ); // u2( b ) by q
		double q = p * in / ( out - in1 ), error = 0.0, size = 0.0;
		for ( int k = 0; k < 60; ++k )
		{
			pnVec3d way = pnUnitD( pnMakeD( pnRandomIn( &random, -1.0, 1.0 ), pnRandomIn( &random, -1.0, 1.0 ), pnRandomIn( &random, -1.0, 1.0 ) ) );
			double r = pnRandomIn( &random, a + 0.02, c - 0.02 );
			bool isInner = r < b;
			double x3 = isInner ? a3 : b3, y3 = isInner ? b3 : c3, pi = isInner ? p : q, po = isInner ? q : 0.0, n = isInner ? n1 : n2, e = isInner ? e1 : e2;
			double u = r / ( e * ( y3 - x3 ) ) * ( ( 1.0 - 2.0 * n ) * ( pi * x3 - po * y3 ) + 0.5 * ( 1.0 + n ) * ( pi - po ) * x3 * y3 / ( r * r * r ) );
			pnVec3d d = pnMulAddD( DisplacementAt( kelvin, pnScaleD( r, way ) ), -u, way );
			error += pnDotD( d, d );
			size += u * u;
		}
		error = sqrt( error / size );
		pnTestNote( "%.2f %% off, estimate %.1f %%, %d sources", 100.0 * error, 100.0 * info.errorEstimate, info.sourceCount );
		ENSURE_MOST( error, 0.02 );
		ENSURE_MOST( error, info.errorEstimate );
		pnDestroyKelvin( kelvin );
		FreeSurface( &inner );
		FreeSurface( &outer );
	}
}

// One material cut in two and glued again is one piece; order of the parts does not matter.
static void GluedHalvesAreWhole( void )
{
	Surface whole = MakeBox( s_origin, pnMakeD( 4.0, 1.0, 1.0 ), 8, 3, 3 ), a = MakeBox( s_origin, pnMakeD( 1.7, 1.0, 1.0 ), 4, 3, 3 ), b = MakeBox( pnMakeD( 1.7, 0.0, 0.0 ), pnMakeD( 4.0, 1.0, 1.0 ), 5, 4, 4 );
	pnCondition conditions[2] = { Hold( BoxRegion( s_origin, pnMakeD( 0.0, 1.0, 1.0 ) ) ), Pull( BoxRegion( pnMakeD( 4.0, 0.0, 0.0 ), pnMakeD( 4.0, 1.0, 1.0 ) ), pnMakeD( 0.2, 0.1, -1.0 ) ) };
	pnKelvinDef def = MaterialDef( 1000.0, 0.3 );
	def.sourceCount = 350;
	SetSurface( &def, &whole );
	SetConditions( &def, conditions, 2 );
	pnKelvinInfo info, glued[2];
	pnKelvin* one = Solved( &def, &info );
	Places places = LookAround( &whole, 60, 4 );
	pnKelvinPart parts[3] = { MakePart( &a, 1000.0, 0.3 ), MakePart( &b, 1000.0, 0.3 ), MakePart( &a, 1000.0, 0.3 ) };
	for ( int i = 0; i < 2; ++i )
	{
		pnKelvinDef cut = PartsDef( parts + i, 2, 500 );
		SetConditions( &cut, conditions, 2 );
		pnKelvin* kelvin = Solved( &cut, glued + i );
		REQUIRE( one != NULL && kelvin != NULL );
		double apart = AnswersDiffer( one, kelvin, &places );
		pnTestNote( "apart by %.2f %%, estimates %.1f and %.1f %%, %d and %d sources", 100.0 * apart, 100.0 * info.errorEstimate, 100.0 * glued[i].errorEstimate, info.sourceCount, glued[i].sourceCount );
		ENSURE_MOST( apart, info.errorEstimate + glued[i].errorEstimate );
		ENSURE_MOST( apart, 0.02 );
		ENSURE_NEAR( glued[i].strainEnergy, info.strainEnergy, 0.02 * info.strainEnergy );
		pnVec3d force;
		pnKelvin_GetForce( kelvin, &conditions[0].region, s_origin, &force, NULL );
		ENSURE_MOST( pnLengthD( pnAddD( force, pnMakeD( 0.2, 0.1, -1.0 ) ) ), 1e-5 );
		pnDestroyKelvin( kelvin );
	}
	FreePlaces( &places );
	pnDestroyKelvin( one );
	FreeSurface( &whole );
	FreeSurface( &a );
	FreeSurface( &b );
}

// Timoshenko (1925): two strips that grow differently bend, with the curvature k = 6 e ( 1 + m )^2 / ( h ( 3 ( 1 + m )^2 + ( 1 + m n )( m^2 + 1 / ( m n ) ) ) ).
static void BimetalsBend( void )
{
	pnRandom random = SeedOf( 1632 );
	double t1 = 0.05, t2 = pnRandomIn( &random, 0.03, 0.07 ), e1 = 1000.0, e2 = pnRandomIn( &random, 400.0, 3000.0 ), length = 1.0, wide = 0.05, strain = 1e-3;
	Surface below = MakeBox( s_origin, pnMakeD( length, wide, t1 ), 20, 1, 1 ), above = MakeBox( pnMakeD( 0.0, 0.0, t1 ), pnMakeD( length, wide, t1 + t2 ), 20, 1, 1 );
	pnKelvinPart parts[2] = { MakePart( &below, e1, 0.0 ), MakePart( &above, e2, 0.0 ) };
	parts[0].thermalStrain = strain;
	pnKelvinDef def = PartsDef( parts, 2, 600 );
	pnRegion end = BoxRegion( s_origin, pnMakeD( 0.0, wide, t1 + t2 ) );
	pnCondition conditions[2] = { HoldAxes( end, 1 ), HoldAxes( BoxRegion( s_origin, pnMakeD( 0.0, wide, t1 ) ), 6 ) };
	SetConditions( &def, conditions, 2 );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &def, &info );
	REQUIRE( kelvin != NULL );
	double m = t1 / t2, n = e1 / e2, h = t1 + t2, k = 6.0 * strain * ( 1.0 + m ) * ( 1.0 + m ) / ( h * ( 3.0 * ( 1.0 + m ) * ( 1.0 + m ) + ( 1.0 + m * n ) * ( m * m + 1.0 / ( m * n ) ) ) );
	pnVec3d half = DisplacementAt( kelvin, pnMakeD( 0.45, 0.5 * wide, t1 ) ), tip = DisplacementAt( kelvin, pnMakeD( 0.9, 0.5 * wide, t1 ) ), start = DisplacementAt( kelvin, pnMakeD( 0.1, 0.5 * wide, t1 ) );
	// The deflection is k x^2 / 2 but for the clamp's neighbourhood and a turn: second differences.
	double expected = 0.5 * k * ( 0.9 * 0.9 - 0.1 * 0.1 - ( 0.45 * 0.45 - 0.1 * 0.1 ) * 0.8 / 0.35 ), got = tip.z - start.z - ( half.z - start.z ) * 0.8 / 0.35;
	pnTestNote( "curvature %+.2f %%, estimate %.1f %%, %d sources", 100.0 * ( got / expected - 1.0 ), 100.0 * info.errorEstimate, info.sourceCount );
	ENSURE_NEAR( got, expected, 0.02 * fabs( expected ) );
	pnDestroyKelvin( kelvin );
	FreeSurface( &below );
	FreeSurface( &above );
}

static void BadPartsAreRefused( void )
{
	Surface a = MakeBox( s_origin, pnMakeD( 1.0, 1.0, 1.0 ), 2, 2, 2 ), b = MakeBox( pnMakeD( 0.0, 0.0, 1.0 ), pnMakeD( 1.0, 1.0, 2.0 ), 2, 2, 2 ), far = MakeBox( pnMakeD( 0.0, 0.0, 1.5 ), pnMakeD( 1.0, 1.0, 2.0 ), 2, 2, 2 );
	for ( int i = 0; i < 6; ++i )
	{
		pnKelvinPart parts[2] = { MakePart( &a, 1000.0, 0.3 ), MakePart( i == 0 ? &far : &b, i == 1 ? -1.0 : 1000.0, 0.3 ) };
		pnKelvinDef def = PartsDef( parts, i == 2 ? 1 : 2, 100 );
		def.placement = pn_offsetSources;
		def.method = i == 3 ? pn_lsqMethod : pn_energyMethod;
		pnCondition conditions[2] = { Hold( BoxRegion( s_origin, pnMakeD( 1.0, 1.0, 0.0 ) ) ), MakeCondition( pn_forceCondition, WholeSurface() ) };
		conditions[1].vector = pnMakeD( 0.0, 0.0, 1.0 );
		SetConditions( &def, conditions + ( i == 5 ), i == 4 ? 2 : 1 );
		conditions[1] = i == 5 ? Press( BoxRegion( pnMakeD( 0.0, 0.0, 2.0 ), pnMakeD( 1.0, 1.0, 2.0 ) ), 1.0 ) : conditions[1];
		static const char* const said[] = { "touches no other part", "Young's modulus", "There are 1 parts", "energy method", "a force that is on more than one part", "Nothing holds the parts" };
		pnKelvin* kelvin;
		ListenToLog();
		ENSURE( pnCreateKelvin( &def, &kelvin, NULL ) == pn_invalidInput );
		pnSetLogFcn( NULL );
		pnTestContext( "%d: %s", i, s_logText );
		ENSURE( LogHolds( said[i] ) );
	}
	FreeSurface( &a );
	FreeSurface( &b );
	FreeSurface( &far );
}

static const pnTest s_tests[] = {
	RUN( LayersAreExact ),
	RUN( ShellsAreLames ),
	RUN( GluedHalvesAreWhole ),
	RUN( BimetalsBend ),
	RUN( BadPartsAreRefused ),
};
SUITE( kelvin_glue, s_tests );
