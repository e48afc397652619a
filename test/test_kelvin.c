// test_kelvin.c - the static solver by what must hold for any problem: patches, units, balance, symmetry, sums; where its sources are; what it
// says to bad problems. Small problems, so that all of it runs under sanitizers. Knows the public header only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For posix_memalign, also when compiled as strict C17.
#define _POSIX_C_SOURCE 200809L

#include "kelvin_help.h"

#include "crew.h"

#include <cblas.h>
#include <stdatomic.h>

static const double s_young = 348.0; // G = 120 at nu = 0.45, as in the paper

// ---- fields that twelve polynomial columns hold exactly ----

static pnVec3d LinearField( pnVec3d p, pnVec3d normal, void* context )
{
	(void)normal;
	const Truth* t = context;
	double x[3] = { p.x, p.y, p.z }, u[3] = { t->a, t->b, t->c };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			u[i] += t->gradient[i][k] * x[k];
		}
	}
	return pnMakeD( u[0], u[1], u[2] );
}

static Truth LinearTruth( double nu, double strain, double turn, double shift, uint64_t seed )
{
	Truth t = { .displacement = LinearField, .youngsModulus = s_young, .poissonRatio = nu, .step = 0.01 };
	pnRandom random = pnSeed( seed );
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = i; k < 3; ++k )
		{
			t.gradient[i][k] = t.gradient[k][i] = strain * pnRandomIn( &random, -1.0, 1.0 );
		}
	}
	double w[3];
	for ( int i = 0; i < 3; ++i )
	{
		w[i] = turn * pnRandomIn( &random, -1.0, 1.0 );
	}
	t.gradient[0][1] -= w[2];
	t.gradient[1][0] += w[2];
	t.gradient[1][2] -= w[0];
	t.gradient[2][1] += w[0];
	t.gradient[2][0] -= w[1];
	t.gradient[0][2] += w[1];
	t.a = shift * pnRandomIn( &random, -1.0, 1.0 );
	t.b = shift * pnRandomIn( &random, -1.0, 1.0 );
	t.c = shift * pnRandomIn( &random, -1.0, 1.0 );
	return t;
}

static Surface SmallSolid( int kind )
{
	if ( kind == 2 )
	{
		return MakeHollowSphere( 0.5, 1.0, 1, 2 );
	}
	Surface s = MakeBox( pnMakeD( -0.4, -0.5, 0.0 ), pnMakeD( 0.6, 0.5, 1.5 ), 4, 4, 6 );
	if ( kind == 1 )
	{
		Roughen( &s, 0.4, 5 );
	}
	return s;
}

// way 0: all places are moved; 1: moved below, pulled elsewhere; 2: all are pulled, nothing is held.
static void EnsureLinear( const char* name, const Truth* truth, int solid, int way, pnKelvinMethod method, double stressScale, double* worst )
{
	Surface s = SmallSolid( solid );
	Places places = LookAround( &s, 60, 3 );
	pnKelvinDef def = PlainDef( s_young, truth->poissonRatio, 60 );
	SetSurface( &def, &s );
	def.method = method;
	def.sourceDistance = 1.5; // or least squares tries many
	double lowest = solid == 2 ? -0.3 : 0.01;
	pnRegion below = { .tests = pn_beyondPlane, .planePoint = { 0.0, 0.0, lowest }, .planeNormal = { 0.0, 0.0, -1.0 } };
	pnCondition conditions[2];
	conditions[0] = Move( way == 0 ? WholeSurface() : below, LinearField, (void*)truth );
	conditions[1] = PullField( WholeSurface(), TruthTraction, (void*)truth );
	SetConditions( &def, way == 2 ? conditions + 1 : conditions, way == 1 ? 2 : 1 );
	pnKelvinInfo info;
	pnTestContext( "%s, solid %d, way %d, method %d, nu %g", name, solid, way, (int)method, truth->poissonRatio );
	pnKelvin* kelvin = Solved( &def, &info );
	if ( kelvin != NULL )
	{
		if ( way == 2 )
		{
			ENSURE( s_lastResult == pn_weakAnswer && ( info.warnings & pn_nothingHeld ) != 0 );
		}
		else
		{
			double error = DisplacementError( kelvin, &places, truth );
			*worst = fmax( *worst, error );
			ENSURE_MOST( error, 1e-10 );
			ENSURE( ( info.warnings & pn_nothingHeld ) == 0 );
		}
		double error = StressError( kelvin, &places, truth, stressScale );
		*worst = fmax( *worst, error );
		ENSURE_MOST( error, 1e-10 );
	}
	pnDestroyKelvin( kelvin );
	FreePlaces( &places );
	FreeSurface( &s );
}

static const pnKelvinMethod s_methods[] = { pn_energyMethod, pn_lsqMethod };

static void RigidMotionsStrainNothing( void )
{
	double worst = 0.0;
	for ( int m = 0; m < 2; ++m )
	{
		for ( int solid = 0; solid < 3; ++solid )
		{
			Truth shift = LinearTruth( 0.45, 0.0, 0.0, 1.0, 1 ), turn = LinearTruth( 0.3, 0.0, 0.7, 0.2, 2 );
			for ( int way = 0; way < 2; ++way )
			{
				EnsureLinear( "shift", &shift, solid, way, s_methods[m], s_young, &worst );
				EnsureLinear( "turn", &turn, solid, way, s_methods[m], s_young, &worst );
			}
		}
	}
	pnTestNote( "worst %.1e", worst );
}

static void EvenStrainIsReproduced( void )
{
	double worst = 0.0;
	static const double ratios[] = { 0.0, 0.25, 0.45, 0.49, -0.3 };
	for ( int m = 0; m < 2; ++m )
	{
		for ( int r = 0; r < 5; ++r )
		{
			Truth truth = LinearTruth( ratios[r], 0.01, 0.02, 0.1, 3 + r );
			for ( int way = 0; way < 3; ++way )
			{
				EnsureLinear( "strain", &truth, r % 3, way, s_methods[m], 0.0, &worst );
			}
		}
	}
	pnTestNote( "worst %.1e", worst );
}

// The same pressure all around, also in hollows: the solid shrinks by p ( 1 - 2 nu ) / E about its middle, whatever its shape.
static void EvenPressureShrinks( void )
{
	double worst = 0.0;
	for ( int m = 0; m < 2; ++m )
	{
		for ( int solid = 0; solid < 3; ++solid )
		{
			double nu = 0.45, p = 5.0, strain = -p * ( 1.0 - 2.0 * nu ) / s_young;
			Surface s = SmallSolid( solid );
			Places places = LookAround( &s, 60, 3 );
			pnKelvinDef def = PlainDef( s_young, nu, 60 );
			SetSurface( &def, &s );
			def.method = s_methods[m];
			def.sourceDistance = 1.5;
			pnCondition condition = Press( WholeSurface(), p );
			SetConditions( &def, &condition, 1 );
			pnKelvinInfo info;
			pnTestContext( "method %d, solid %d", (int)def.method, solid );
			pnKelvin* kelvin = Solved( &def, &info );
			if ( kelvin != NULL )
			{
				ENSURE( s_lastResult == pn_weakAnswer && ( info.warnings & pn_nothingHeld ) != 0 );
				ENSURE_NEAR( info.volumeChange, 3.0 * strain, 1e-10 );
				// Nothing turns it or moves its mean, wherever that is taken: all places move towards one.
				pnVec3d middle = pnSubD( places.points[1], pnScaleD( 1.0 / strain, DisplacementAt( kelvin, places.points[1] ) ) );
				ENSURE_MOST( pnLengthD( pnSubD( middle, pnMakeD( solid == 2 ? 0.0 : 0.1, 0.0, solid == 2 ? 0.0 : 0.75 ) ) ), 0.3 );
				for ( int i = 0; i < places.count; ++i )
				{
					pnVec3d q = places.points[i];
					double error = pnLengthD( pnSubD( DisplacementAt( kelvin, q ), pnScaleD( strain, pnSubD( q, middle ) ) ) ) / fabs( strain );
					double stress = StressSize( StressLess( StressAt( kelvin, q ), ( pnStress ){ -p, -p, -p, 0.0, 0.0, 0.0 } ) ) / p;
					worst = fmax( worst, fmax( error, stress ) );
					ENSURE_MOST( error, 1e-9 );
					ENSURE_MOST( stress, 1e-10 );
				}
			}
			pnDestroyKelvin( kelvin );
			FreePlaces( &places );
			FreeSurface( &s );
		}
	}
	pnTestNote( "worst %.1e", worst );
}

// Conjugate gradients on the normal equations come to the same answer, if not to the last digits.
static void ConjugateGradientsAgree( void )
{
	Truth truth = LinearTruth( 0.3, 0.01, 0.0, 0.0, 9 );
	Surface s = SmallSolid( 0 );
	Places places = LookAround( &s, 60, 3 );
	pnKelvinDef def = PlainDef( s_young, 0.3, 60 );
	SetSurface( &def, &s );
	pnCondition condition = Move( WholeSurface(), LinearField, &truth );
	SetConditions( &def, &condition, 1 );
	def.method = pn_lsqCgMethod;
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &def, &info );
	REQUIRE( kelvin != NULL );
	ENSURE( info.method == pn_lsqCgMethod );
	ENSURE( info.iterationCount > 0 );
	ENSURE_MOST( DisplacementError( kelvin, &places, &truth ), 1e-4 );
	pnTestNote( "%d iterations, error %.1e", info.iterationCount, DisplacementError( kelvin, &places, &truth ) );
	pnDestroyKelvin( kelvin );
	FreePlaces( &places );
	FreeSurface( &s );
}

// ---- a small bar, held below, pulled sideways on top ----

typedef struct Bar
{
	Surface surface;
	Places places;
	pnCondition conditions[4];
	pnKelvinDef def;
} Bar;

static void MakeBar( Bar* bar, double nu, int sourceCount )
{
	bar->surface = MakeBox( pnMakeD( -0.5, -0.5, 0.0 ), pnMakeD( 0.5, 0.5, 2.0 ), 4, 4, 8 );
	bar->places = LookAround( &bar->surface, 80, 7 );
	bar->def = PlainDef( s_young, nu, sourceCount );
	SetSurface( &bar->def, &bar->surface );
	bar->conditions[0] = Hold( GroupRegion( 4 ) );
	bar->conditions[1] = Pull( GroupRegion( 5 ), pnMakeD( 0.3, 0.1, 0.7 ) );
	SetConditions( &bar->def, bar->conditions, 2 );
}

static void FreeBar( Bar* bar )
{
	FreePlaces( &bar->places );
	FreeSurface( &bar->surface );
}

// Metres or millimetres, pascals or megapascals: the same solid.
static void UnitsDoNotMatter( void )
{
	static const double lengths[] = { 1.0, 1e3, 1e-3, 1.0, 1e-3 }, stresses[] = { 1.0, 1.0, 1.0, 1e6, 1e9 };
	double worst = 0.0;
	for ( int adaptive = 0; adaptive < 2; ++adaptive )
	{
		pnVec3d first[80];
		double firstEnergy = 0.0;
		for ( int u = 0; u < 5; ++u )
		{
			Bar bar;
			MakeBar( &bar, 0.45, 80 );
			if ( adaptive )
			{
				bar.def.placement = pn_adaptiveSources;
				bar.def.sourceCount = 120;
				bar.def.estimateError = 1;
			}
			double l = lengths[u], p = stresses[u];
			TransformSurface( &bar.surface, l, s_origin );
			bar.def.youngsModulus *= p;
			bar.conditions[1].vector = pnScaleD( p, bar.conditions[1].vector );
			pnKelvinInfo info;
			pnTestContext( "adaptive %d, unit %d", adaptive, u );
			pnKelvin* kelvin = Solved( &bar.def, &info );
			REQUIRE( kelvin != NULL );
			double error = 0.0, size = 0.0;
			for ( int i = 0; i < bar.places.count; ++i )
			{
				pnVec3d v = pnScaleD( 1.0 / l, DisplacementAt( kelvin, pnScaleD( l, bar.places.points[i] ) ) );
				if ( u == 0 )
				{
					first[i] = v;
				}
				error = fmax( error, pnLengthD( pnSubD( v, first[i] ) ) );
				size = fmax( size, pnLengthD( first[i] ) );
			}
			if ( u == 0 )
			{
				firstEnergy = info.strainEnergy;
			}
			ENSURE_NEAR( info.strainEnergy / ( l * l * l * p ), firstEnergy, 1e-6 * firstEnergy );
			worst = fmax( worst, error / size );
			ENSURE_MOST( error / size, 1e-6 );
			pnDestroyKelvin( kelvin );
			FreeBar( &bar );
		}
	}
	pnTestNote( "worst %.1e", worst );
}

static void AnswersAddUp( void )
{
	Bar bar;
	MakeBar( &bar, 0.4, 100 );
	bar.conditions[2] = Press( BoxRegion( pnMakeD( 0.49, -0.5, 0.5 ), pnMakeD( 0.51, 0.5, 1.5 ) ), 2.0 );
	SetConditions( &bar.def, bar.conditions, 3 );
	pnKelvin* kelvin = Solved( &bar.def, NULL );
	REQUIRE( kelvin != NULL );
	pnVec3d sum[80], u[80];
	int n = bar.places.count;
	pnKelvin_Evaluate( kelvin, bar.places.points, n, sum, NULL );
	pnCondition parts[3];
	double size = 0.0;
	for ( int part = 0; part < 3; ++part )
	{
		memcpy( parts, bar.conditions, sizeof( parts ) );
		parts[1].vector = part == 0 ? bar.conditions[1].vector : s_origin;
		parts[2].pressure = part == 1 ? 2.0 : 0.0;
		parts[0].vector = part == 2 ? pnMakeD( 0.01, 0.02, 0.03 ) : s_origin;
		ENSURE( pnKelvin_Solve( kelvin, parts, NULL, NULL ) >= 0 );
		pnKelvin_Evaluate( kelvin, bar.places.points, n, u, NULL );
		for ( int i = 0; i < n; ++i )
		{
			size = fmax( size, pnLengthD( sum[i] ) );
			sum[i] = pnSubD( sum[i], part == 2 ? s_origin : u[i] );
			// The base moved, and nothing else: so does all.
			ENSURE( part < 2 || pnLengthD( pnSubD( u[i], pnMakeD( 0.01, 0.02, 0.03 ) ) ) < 1e-10 );
		}
	}
	for ( int i = 0; i < n; ++i )
	{
		ENSURE_MOST( pnLengthD( sum[i] ), 1e-9 * size );
	}
	// Twice the values, twice the answer; none, none.
	memcpy( parts, bar.conditions, sizeof( parts ) );
	ENSURE( pnKelvin_Solve( kelvin, parts, NULL, NULL ) >= 0 );
	pnKelvin_Evaluate( kelvin, bar.places.points, n, sum, NULL );
	parts[1].vector = pnScaleD( -2.0, parts[1].vector );
	parts[2].pressure *= -2.0;
	ENSURE( pnKelvin_Solve( kelvin, parts, NULL, NULL ) >= 0 );
	pnKelvin_Evaluate( kelvin, bar.places.points, n, u, NULL );
	for ( int i = 0; i < n; ++i )
	{
		ENSURE_MOST( pnLengthD( pnMulAddD( u[i], 2.0, sum[i] ) ), 1e-9 * size );
	}
	parts[1].vector = s_origin;
	parts[2].pressure = 0.0;
	ENSURE( pnKelvin_Solve( kelvin, parts, NULL, NULL ) >= 0 );
	for ( int i = 0; i < n; ++i )
	{
		ENSURE( pnLengthD( DisplacementAt( kelvin, bar.places.points[i] ) ) == 0.0 );
	}
	pnDestroyKelvin( kelvin );
	FreeBar( &bar );
}

static void NewValuesAreAsGoodAsANewProblem( void )
{
	for ( int m = 0; m < 2; ++m )
	{
		Bar bar;
		MakeBar( &bar, 0.4, 100 );
		bar.def.method = s_methods[m];
		bar.def.sourceDistance = 1.5; // or it might be chosen by the values
		pnTestContext( "method %d", (int)bar.def.method );
		pnKelvinInfo a, b;
		pnKelvin* kelvin = Solved( &bar.def, NULL );
		REQUIRE( kelvin != NULL );
		bar.conditions[0].vector = pnMakeD( 0.0, 0.01, 0.0 );
		bar.conditions[0].turn = pnMakeD( 0.0, 0.1, 0.2 );
		bar.conditions[1].vector = pnMakeD( 0.0, 0.5, -0.2 );
		ENSURE( pnKelvin_Solve( kelvin, bar.conditions, NULL, &a ) >= 0 );
		pnKelvin* fresh = Solved( &bar.def, &b );
		REQUIRE( fresh != NULL );
		ENSURE_MOST( AnswersDiffer( fresh, kelvin, &bar.places ), 1e-9 );
		ENSURE_NEAR( a.strainEnergy, b.strainEnergy, 1e-8 * fabs( b.strainEnergy ) );
		ENSURE_NEAR( a.residual, b.residual, 1e-6 );
		ENSURE_NEAR( a.volumeChange, b.volumeChange, 1e-9 );
		pnDestroyKelvin( fresh );
		pnDestroyKelvin( kelvin );
		FreeBar( &bar );
	}
}

// A load said in three ways: traction, force, pressure.
static void LoadsOfOneKindAreLoadsOfAnother( void )
{
	Bar bar;
	MakeBar( &bar, 0.4, 100 );
	bar.conditions[1] = Pull( GroupRegion( 5 ), pnMakeD( 0.0, 0.0, -2.0 ) );
	pnKelvin* pulled = Solved( &bar.def, NULL );
	bar.conditions[1] = Press( GroupRegion( 5 ), 2.0 );
	pnKelvin* pressed = Solved( &bar.def, NULL );
	bar.conditions[1] = MakeCondition( pn_forceCondition, GroupRegion( 5 ) );
	bar.conditions[1].vector = pnMakeD( 0.0, 0.0, -2.0 ); // the top is 1 x 1
	pnKelvin* pushed = Solved( &bar.def, NULL );
	// Half of it by each of two conditions on the same place.
	bar.conditions[1] = Press( GroupRegion( 5 ), 1.0 );
	bar.conditions[2] = Pull( BoxRegion( pnMakeD( -9.0, -9.0, 1.999 ), pnMakeD( 9.0, 9.0, 9.0 ) ), pnMakeD( 0.0, 0.0, -1.0 ) );
	SetConditions( &bar.def, bar.conditions, 3 );
	pnKelvin* both = Solved( &bar.def, NULL );
	REQUIRE( pulled != NULL && pressed != NULL && pushed != NULL && both != NULL );
	ENSURE_MOST( AnswersDiffer( pulled, pressed, &bar.places ), 1e-9 );
	ENSURE_MOST( AnswersDiffer( pulled, pushed, &bar.places ), 1e-9 );
	ENSURE_MOST( AnswersDiffer( pulled, both, &bar.places ), 1e-9 );
	pnRegion top = GroupRegion( 5 );
	pnVec3d force, torque;
	pnKelvin_GetForce( pushed, &top, s_origin, &force, &torque );
	ENSURE_MOST( pnLengthD( pnSubD( force, pnMakeD( 0.0, 0.0, -2.0 ) ) ), 1e-9 );
	ENSURE_MOST( pnLengthD( torque ), 1e-9 );
	pnDestroyKelvin( pulled );
	pnDestroyKelvin( pressed );
	pnDestroyKelvin( pushed );
	pnDestroyKelvin( both );
	FreeBar( &bar );
}

static void RollersHoldAlongTheNormal( void )
{
	Bar bar;
	MakeBar( &bar, 0.4, 100 );
	bar.conditions[0] = Roll( GroupRegion( 4 ) );
	bar.conditions[1] = Pull( GroupRegion( 5 ), pnMakeD( 0.0, 0.0, -2.0 ) );
	bar.conditions[2] = Roll( GroupRegion( 0 ) );
	bar.conditions[3] = Roll( GroupRegion( 2 ) );
	SetConditions( &bar.def, bar.conditions, 4 );
	pnKelvinInfo info;
	pnKelvin* rolled = Solved( &bar.def, &info );
	REQUIRE( rolled != NULL );
	ENSURE( ( info.warnings & pn_nothingHeld ) == 0 );
	bar.conditions[0] = HoldAxes( GroupRegion( 4 ), 4 );
	bar.conditions[2] = HoldAxes( GroupRegion( 0 ), 1 );
	bar.conditions[3] = HoldAxes( GroupRegion( 2 ), 2 );
	pnKelvin* held = Solved( &bar.def, NULL );
	REQUIRE( held != NULL );
	ENSURE_MOST( AnswersDiffer( rolled, held, &bar.places ), 1e-8 );
	// It is pressed evenly, and free to swell: u = -2 / E ( -nu ( x + 0.5 ), -nu ( y + 0.5 ), z ).
	for ( int i = 0; i < bar.places.count; ++i )
	{
		pnVec3d p = bar.places.points[i], u = pnScaleD( -2.0 / s_young, pnMakeD( -0.4 * ( p.x + 0.5 ), -0.4 * ( p.y + 0.5 ), p.z ) );
		ENSURE_MOST( pnLengthD( pnSubD( DisplacementAt( rolled, p ), u ) ), 1e-10 );
	}
	pnDestroyKelvin( rolled );
	pnDestroyKelvin( held );
	FreeBar( &bar );
}

// A solid in a cone of rollers: on a slanted face, too, a roller gives way along the face only.
static void RollersWorkOnSlants( void )
{
	Surface s = MakeBox( pnMakeD( -0.5, -0.5, 0.0 ), pnMakeD( 0.5, 0.5, 1.0 ), 4, 4, 4 );
	double c = cos( 0.6 ), d = sin( 0.6 );
	for ( int i = 0; i < s.pointCount; ++i )
	{
		pnVec3d p = s.points[i];
		s.points[i] = pnMakeD( c * p.x + d * p.z, p.y, -d * p.x + c * p.z );
	}
	pnKelvinDef def = PlainDef( s_young, 0.3, 80 );
	SetSurface( &def, &s );
	pnVec3d up = { d, 0.0, c }, side = { c, 0.0, -d };
	pnCondition conditions[4] = { Roll( GroupRegion( 4 ) ), Roll( GroupRegion( 0 ) ), Roll( GroupRegion( 2 ) ), Pull( GroupRegion( 5 ), pnScaleD( -2.0, up ) ) };
	SetConditions( &def, conditions, 4 );
	pnKelvin* kelvin = Solved( &def, NULL );
	REQUIRE( kelvin != NULL );
	Places places = LookAround( &s, 40, 3 );
	for ( int i = 0; i < places.count; ++i )
	{
		pnVec3d p = places.points[i];
		double x = pnDotD( p, side ) + 0.5, y = p.y + 0.5, z = pnDotD( p, up );
		pnVec3d u = pnAddD( pnScaleD( -2.0 / s_young * z, up ), pnScaleD( 2.0 * 0.3 / s_young, pnAddD( pnScaleD( x, side ), pnMakeD( 0.0, y, 0.0 ) ) ) );
		ENSURE_MOST( pnLengthD( pnSubD( DisplacementAt( kelvin, p ), u ) ), 1e-10 );
	}
	pnDestroyKelvin( kelvin );
	FreePlaces( &places );
	FreeSurface( &s );
}

static void ForcesAndTorquesBalance( void )
{
	for ( int adaptive = 0; adaptive < 2; ++adaptive )
	{
		Bar bar;
		MakeBar( &bar, 0.4, 150 );
		bar.def.placement = adaptive ? pn_adaptiveSources : pn_offsetSources;
		pnKelvinInfo info;
		pnTestContext( "adaptive %d", adaptive );
		pnKelvin* kelvin = Solved( &bar.def, &info );
		REQUIRE( kelvin != NULL );
		ENSURE_MOST( info.reactionMismatch, 1e-3 );
		pnRegion base = GroupRegion( 4 ), top = GroupRegion( 5 ), all = WholeSurface(), side = GroupRegion( 0 );
		pnVec3d abouts[3] = { { 0.0, 0.0, 0.0 }, { 0.0, 0.0, 2.0 }, { 3.0, -5.0, 7.0 } };
		double arms[3] = { 2.0, 2.0, 9.0 };
		for ( int i = 0; i < 3; ++i )
		{
			pnVec3d force, torque, load, loadTorque;
			pnKelvin_GetForce( kelvin, &top, abouts[i], &load, &loadTorque );
			ENSURE_MOST( pnLengthD( pnSubD( load, pnMakeD( 0.3, 0.1, 0.7 ) ) ), 1e-9 );
			ENSURE_MOST( pnLengthD( pnSubD( loadTorque, pnCrossD( pnSubD( pnMakeD( 0.0, 0.0, 2.0 ), abouts[i] ), load ) ) ), 1e-8 );
			pnKelvin_GetForce( kelvin, &base, abouts[i], &force, &torque );
			ENSURE_MOST( pnLengthD( pnAddD( force, load ) ), 1e-3 * pnLengthD( load ) );
			ENSURE_MOST( pnLengthD( pnAddD( torque, loadTorque ) ), 2e-3 * arms[i] * pnLengthD( load ) );
			pnKelvin_GetForce( kelvin, &all, abouts[i], &force, &torque );
			ENSURE_MOST( pnLengthD( force ), 1e-3 * pnLengthD( load ) );
			ENSURE_MOST( pnLengthD( torque ), 2e-3 * arms[i] * pnLengthD( load ) );
			pnKelvin_GetForce( kelvin, &side, abouts[i], &force, &torque );
			ENSURE_MOST( pnLengthD( force ), 1e-12 );
		}
		pnDestroyKelvin( kelvin );
		FreeBar( &bar );
	}
}

static void EnergyIsHalfTheWorkOfTheLoads( void )
{
	for ( int m = 0; m < 2; ++m )
	{
		// Pulled with a constant load, so that its work is load times mean displacement.
		Bar bar;
		MakeBar( &bar, 0.3, 150 );
		pnKelvinInfo info;
		if ( m == 1 )
		{
			// The other way round: the top is moved, the sides are free.
			bar.conditions[1] = Hold( GroupRegion( 5 ) );
			bar.conditions[1].vector = pnMakeD( 0.02, 0.0, 0.01 );
		}
		pnTestContext( "way %d", m );
		pnKelvin* kelvin = Solved( &bar.def, &info );
		REQUIRE( kelvin != NULL );
		pnVec3d force, mean = MeanDisplacement( kelvin, &bar.surface, 5 );
		pnRegion top = GroupRegion( 5 );
		pnKelvin_GetForce( kelvin, &top, s_origin, &force, NULL );
		double work = 0.5 * pnDotD( force, mean );
		ENSURE( work > 0.0 );
		ENSURE_NEAR( info.strainEnergy, work, 0.01 * work );
		// And what the places themselves say.
		int count;
		const pnKelvinPoint* points = pnKelvin_GetPoints( kelvin, &count );
		ENSURE( count == info.pointCount );
		double sum = 0.0, flux = 0.0, area = 0.0;
		for ( int i = 0; i < count; ++i )
		{
			sum += 0.5 * points[i].area * pnDotD( points[i].traction, points[i].displacement );
			flux += points[i].area * pnDotD( points[i].normal, points[i].displacement );
			area += points[i].area;
		}
		ENSURE_NEAR( sum, work, 0.01 * work );
		ENSURE_NEAR( area, 10.0, 1e-9 );
		ENSURE_NEAR( info.volumeChange, flux / 2.0, 0.01 * fabs( flux / 2.0 ) + 1e-9 );
		pnDestroyKelvin( kelvin );
		FreeBar( &bar );
	}
}

static void VolumeChangesByWhatPassesTheSurface( void )
{
	Bar bar;
	MakeBar( &bar, 0.3, 150 );
	bar.conditions[1] = Press( WholeSurface(), 3.0 );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &bar.def, &info );
	REQUIRE( kelvin != NULL );
	double flux = 0.0;
	for ( int group = 0; group < 6; ++group )
	{
		double area = group < 4 ? 2.0 : 1.0, sign = group % 2 == 0 ? -1.0 : 1.0;
		pnVec3d mean = MeanDisplacement( kelvin, &bar.surface, group );
		flux += sign * area * ( group < 2 ? mean.x : group < 4 ? mean.y : mean.z );
	}
	ENSURE( flux < 0.0 );
	ENSURE_NEAR( info.volumeChange, flux / 2.0, 0.01 * fabs( flux / 2.0 ) );
	// Held below it shrinks less than it would, if only by the clamp: p ( 1 - 2 nu ) / E times 3 is the most.
	ENSURE( info.volumeChange > -9.0 * 0.4 / s_young && info.volumeChange < -0.6 * 9.0 * 0.4 / s_young );
	pnDestroyKelvin( kelvin );
	FreeBar( &bar );
}

// ---- symmetry ----

static void MirroredProblemsHaveMirroredAnswers( void )
{
	Bar bar;
	MakeBar( &bar, 0.45, 0 );
	bar.def.placement = pn_adaptiveSources;
	bar.conditions[1].vector = pnMakeD( 0.5, 0.0, 0.0 );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &bar.def, &info );
	REQUIRE( kelvin != NULL );
	double error = 0.0, size = 0.0;
	for ( int i = 0; i < bar.places.count; ++i )
	{
		pnVec3d p = bar.places.points[i], u = DisplacementAt( kelvin, p ), v = DisplacementAt( kelvin, pnMakeD( p.x, -p.y, p.z ) );
		pnVec3d d = pnSubD( u, pnMakeD( v.x, -v.y, v.z ) );
		error += pnDotD( d, d );
		size += pnDotD( u, u );
	}
	ENSURE_MOST( sqrt( error / size ), 0.02 );
	pnTestNote( "apart by %.1e, %d sources", sqrt( error / size ), info.sourceCount );
	pnDestroyKelvin( kelvin );
	FreeBar( &bar );
}

static void HalfASolidOnAPlaneOfSymmetryIsTheWhole( void )
{
	Surface whole = MakeBox( pnMakeD( -1.0, -0.5, 0.0 ), pnMakeD( 1.0, 0.5, 1.0 ), 8, 4, 4 ), half = MakeBox( pnMakeD( 0.0, -0.5, 0.0 ), pnMakeD( 1.0, 0.5, 1.0 ), 4, 4, 4 );
	pnKelvinDef def = MaterialDef( s_young, 0.3 );
	pnRegion patch = BoxRegion( pnMakeD( -0.5, -0.5, 0.999 ), pnMakeD( 0.5, 0.5, 1.001 ) );
	pnCondition conditions[3] = { Hold( GroupRegion( 4 ) ), Press( patch, 10.0 ), Roll( GroupRegion( 0 ) ) };
	pnKelvinInfo a, b;
	SetSurface( &def, &whole );
	SetConditions( &def, conditions, 2 );
	pnKelvin* all = Solved( &def, &a );
	SetSurface( &def, &half );
	SetConditions( &def, conditions, 3 );
	pnKelvin* part = Solved( &def, &b );
	REQUIRE( all != NULL && part != NULL );
	Places places = LookAround( &half, 100, 3 );
	double difference = AnswersDiffer( all, part, &places );
	ENSURE_MOST( difference, 0.03 );
	ENSURE_NEAR( 2.0 * b.strainEnergy, a.strainEnergy, 0.03 * a.strainEnergy );
	pnTestNote( "apart by %.1e, %d and %d sources", difference, a.sourceCount, b.sourceCount );
	pnDestroyKelvin( all );
	pnDestroyKelvin( part );
	FreePlaces( &places );
	FreeSurface( &whole );
	FreeSurface( &half );
}

// ---- sources ----

static const pnSourcePlacement s_placements[] = { pn_adaptiveSources, pn_offsetSources, pn_randomSources, pn_boxSources, pn_sphereSources, pn_cylinderSources };

static void SourcesAreNeverInside( void )
{
	for ( int p = 0; p < 6; ++p )
	{
		for ( int solid = 0; solid < 5; ++solid )
		{
			Surface s = solid < 3 ? SmallSolid( solid ) : solid == 3 ? MakeBracket( 3 ) : MakeHoledBlock( 4 );
			pnKelvinDef def = PlainDef( s_young, 0.3, 120 );
			def.placement = s_placements[p];
			SetSurface( &def, &s );
			pnRegion below = { .tests = pn_beyondPlane, .planePoint = { 0.0, 0.0, solid == 2 ? -0.3 : 0.2 }, .planeNormal = { 0.0, 0.0, -1.0 } };
			pnCondition conditions[2] = { Hold( below ), Pull( WholeSurface(), pnMakeD( 0.01, 0.0, 0.02 ) ) };
			SetConditions( &def, conditions, 2 );
			pnKelvinInfo info;
			pnTestContext( "placement %d, solid %d", (int)s_placements[p], solid );
			pnKelvin* kelvin = Solved( &def, &info );
			if ( kelvin == NULL )
			{
				FreeSurface( &s );
				continue;
			}
			int count, inHollow = 0;
			const pnVec3d* sources = pnKelvin_GetSources( kelvin, &count );
			ENSURE( count == info.sourceCount && count > 0 );
			ENSURE_MOST( count, 120 );
			ENSURE( info.unknownCount >= 3 * count );
			for ( int i = 0; i < count; ++i )
			{
				ENSURE_MOST( WindingNumber( &s, sources[i] ), 0.01 );
				inHollow += pnLengthD( sources[i] ) < 0.5;
			}
			// A hollow needs sources of its own, wherever the others are.
			ENSURE( solid != 2 || inHollow > 0 );
			pnDestroyKelvin( kelvin );
			FreeSurface( &s );
		}
	}
}

static void GivenSourcesAreTaken( void )
{
	Bar bar;
	MakeBar( &bar, 0.3, 40 );
	pnVec3d given[40];
	pnRandom random = pnSeed( 3 );
	for ( int i = 0; i < 40; ++i )
	{
		double x = pnRandomIn( &random, -1.0, 1.0 ), y = pnRandomIn( &random, -1.0, 1.0 ), z = pnRandomIn( &random, -1.0, 1.0 );
		given[i] = pnMulAddD( pnMakeD( 0.0, 0.0, 1.0 ), 2.5, pnUnitD( pnMakeD( x, y, z ) ) );
	}
	bar.def.placement = pn_givenSources;
	bar.def.sources = given;
	pnKelvin* kelvin = Solved( &bar.def, NULL );
	REQUIRE( kelvin != NULL );
	int count;
	const pnVec3d* sources = pnKelvin_GetSources( kelvin, &count );
	ENSURE( count == 40 );
	for ( int i = 0; i < 40 && i < count; ++i )
	{
		ENSURE_MOST( pnLengthD( pnSubD( sources[i], given[i] ) ), 1e-12 );
	}
	pnDestroyKelvin( kelvin );
	// One that is inside cannot be.
	given[17] = pnMakeD( 0.1, 0.1, 0.5 );
	ListenToLog();
	kelvin = NULL;
	ENSURE( pnCreateKelvin( &bar.def, &kelvin, NULL ) == pn_invalidInput && kelvin == NULL );
	ENSURE( LogHolds( "17" ) );
	pnSetLogFcn( NULL );
	FreeBar( &bar );
}

static void RandomSourcesComeFromTheSeed( void )
{
	Bar bar;
	MakeBar( &bar, 0.3, 50 );
	bar.def.placement = pn_randomSources;
	pnVec3d first[50];
	for ( int run = 0; run < 3; ++run )
	{
		bar.def.seed = run == 2 ? 12345 : 77;
		pnKelvin* kelvin = Solved( &bar.def, NULL );
		REQUIRE( kelvin != NULL );
		int count, same = 0;
		const pnVec3d* sources = pnKelvin_GetSources( kelvin, &count );
		ENSURE( count > 25 && count <= 50 );
		for ( int i = 0; i < count && i < 50; ++i )
		{
			if ( run == 0 )
			{
				first[i] = sources[i];
			}
			same += memcmp( first + i, sources + i, sizeof( pnVec3d ) ) == 0;
		}
		ENSURE( run == 2 ? same < count / 2 : same == count );
		pnDestroyKelvin( kelvin );
	}
	FreeBar( &bar );
}

// ---- the same again ----

static void AnswersHaveTheSameBitsEveryTime( void )
{
	static const int workers[] = { 1, 1, 2, 3 };
	pnVec3d first[80];
	for ( int run = 0; run < 4; ++run )
	{
		Bar bar;
		MakeBar( &bar, 0.3, 120 );
		bar.def.placement = pn_adaptiveSources;
		bar.def.tasks = pnMakeCrew( run == 3 ? pn_threadCrew : pn_ownPool, workers[run] );
		pnKelvin* kelvin = Solved( &bar.def, NULL );
		REQUIRE( kelvin != NULL );
		pnVec3d u[80];
		pnKelvin_Evaluate( kelvin, bar.places.points, bar.places.count, u, NULL );
		if ( run == 0 )
		{
			memcpy( first, u, sizeof( u ) );
		}
		pnTestContext( "run %d, %d workers", run, workers[run] );
		ENSURE( memcmp( first, u, sizeof( u ) ) == 0 );
		pnDestroyKelvin( kelvin );
		FreeBar( &bar );
	}
}

// A host that lets BLAS have threads keeps them, and gets the same answer to within rounding.
static void BlasStaysAsTheHostSetIt( void )
{
	pnVec3d first[80];
	for ( int threads = 1; threads <= 2; ++threads )
	{
		openblas_set_num_threads( threads );
		Bar bar;
		MakeBar( &bar, 0.3, 60 );
		pnKelvin* kelvin = Solved( &bar.def, NULL );
		ENSURE( openblas_get_num_threads() == threads );
		openblas_set_num_threads( 1 );
		REQUIRE( kelvin != NULL );
		pnVec3d u[80];
		pnKelvin_Evaluate( kelvin, bar.places.points, bar.places.count, u, NULL );
		double difference = 0.0, size = 0.0;
		for ( int i = 0; i < bar.places.count && threads == 2; ++i )
		{
			difference = fmax( difference, pnLengthD( pnSubD( u[i], first[i] ) ) );
			size = fmax( size, pnLengthD( u[i] ) );
		}
		ENSURE_MOST( difference, 1e-6 * size );
		memcpy( first, u, sizeof( u ) );
		pnDestroyKelvin( kelvin );
		FreeBar( &bar );
	}
}

typedef struct Watch
{
	int calls, giveUpAt;
	double last;
	bool ordered, named;
} Watch;

static int WatchProgress( double fraction, const char* stage, void* context )
{
	Watch* watch = context;
	watch->ordered = watch->ordered && fraction >= watch->last && fraction >= 0.0 && fraction <= 1.0;
	watch->named = watch->named && stage != NULL && stage[0] != 0;
	watch->last = fraction;
	watch->calls += 1;
	return watch->giveUpAt > 0 && watch->calls >= watch->giveUpAt;
}

static void ProgressIsToldAndMayGiveUp( void )
{
	int64_t bytes = pnGetByteCount();
	Bar bar;
	MakeBar( &bar, 0.3, 100 );
	bar.def.placement = pn_adaptiveSources;
	Watch watch = { .ordered = true, .named = true };
	bar.def.progress = WatchProgress;
	bar.def.progressContext = &watch;
	pnKelvin* kelvin = Solved( &bar.def, NULL );
	ENSURE( kelvin != NULL && watch.calls > 3 && watch.ordered && watch.named );
	pnDestroyKelvin( kelvin );
	int calls = watch.calls, step = calls / 12 + 1;
	for ( int at = 1; at <= calls; at += step )
	{
		watch = ( Watch ){ .giveUpAt = at, .ordered = true, .named = true };
		kelvin = (pnKelvin*)&watch;
		pnTestContext( "gives up at call %d of %d", at, calls );
		ENSURE( pnCreateKelvin( &bar.def, &kelvin, NULL ) == pn_givenUp );
		ENSURE( kelvin == NULL && watch.calls == at );
		ENSURE( pnGetByteCount() == bytes );
	}
	pnTestNote( "%d calls", calls );
	FreeBar( &bar );
}

// ---- what is said about the answer ----

static void EveryWarningHasItsSentence( void )
{
	for ( uint32_t bit = 1; bit <= pn_thinPart; bit *= 2 )
	{
		const char* text = pnKelvinWarningText( bit );
		ENSURE( text != NULL && strlen( text ) > 10 );
		for ( uint32_t other = 1; other < bit; other *= 2 )
		{
			ENSURE( strcmp( text, pnKelvinWarningText( other ) ) != 0 );
		}
	}
	ENSURE( pnKelvinWarningText( 1u << 30 ) != NULL );
}

static void StressesAreReadAsUsual( void )
{
	pnStress pull = { 3.0, 0.0, 0.0, 0.0, 0.0, 0.0 }, even = { 2.0, 2.0, 2.0, 0.0, 0.0, 0.0 }, shear = { 0.0, 0.0, 0.0, 1.0, 0.0, 0.0 };
	ENSURE_NEAR( pnVonMises( &pull ), 3.0, 1e-14 );
	ENSURE_NEAR( pnVonMises( &even ), 0.0, 1e-14 );
	ENSURE_NEAR( pnVonMises( &shear ), sqrt( 3.0 ), 1e-14 );
	pnStress any = { 1.0, 2.0, 3.0, 4.0, 5.0, 6.0 };
	pnVec3d t = pnTraction( &any, pnMakeD( 0.0, 0.0, 1.0 ) ), v = pnTraction( &any, pnMakeD( 1.0, 0.0, 0.0 ) );
	ENSURE( t.x == 6.0 && t.y == 5.0 && t.z == 3.0 && v.x == 1.0 && v.y == 4.0 && v.z == 6.0 );
}

static void WhatIsToldFits( void )
{
	Bar bar;
	MakeBar( &bar, 0.3, 0 );
	bar.def.placement = pn_adaptiveSources;
	bar.def.estimateError = 1;
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &bar.def, &info );
	REQUIRE( kelvin != NULL );
	ENSURE( s_lastResult == ( info.warnings == 0 ? pn_success : pn_weakAnswer ) );
	ENSURE( info.warnings == 0 );
	ENSURE( info.method == pn_energyMethod || info.method == pn_lsqMethod );
	ENSURE( info.rank > 0 && info.rank <= info.unknownCount );
	ENSURE( info.roundCount >= 1 && info.retryCount < 3 );
	ENSURE( info.residual >= 0.0 && info.heldOutResidual >= 0.0 && info.bettiMismatch >= 0.0 && info.reactionMismatch >= 0.0 );
	ENSURE_MOST( info.errorEstimate, 0.02 );
	ENSURE( info.conditionNumber > 1.0 );
	ENSURE( info.totalSeconds > 0.0 && info.placeSeconds >= 0.0 && info.assembleSeconds >= 0.0 && info.factorSeconds >= 0.0 && info.solveSeconds >= 0.0 );
	// The places: held below along all axes and nowhere else, with the load on top.
	int count;
	const pnKelvinPoint* points = pnKelvin_GetPoints( kelvin, &count );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3d p = points[i].point, t = points[i].traction;
		ENSURE_NEAR( pnLengthD( points[i].normal ), 1.0, 1e-9 );
		ENSURE( points[i].area > 0.0 && points[i].spacing > 0.0 );
		bool below = p.z < 1e-6, above = p.z > 2.0 - 1e-6;
		ENSURE( points[i].heldAxes == ( below ? 7u : 0u ) );
		ENSURE( below == false || pnLengthD( points[i].displacement ) == 0.0 );
		ENSURE( below || pnLengthD( pnSubD( t, above ? bar.conditions[1].vector : s_origin ) ) < 1e-9 );
	}
	pnDestroyKelvin( kelvin );
	bar.def.estimateError = 0;
	bar.def.placement = pn_offsetSources;
	kelvin = Solved( &bar.def, &info );
	ENSURE( info.errorEstimate < 0.0 );
	ENSURE( info.sourceCount > 200 && info.sourceCount <= 300 );
	pnDestroyKelvin( kelvin );
	FreeBar( &bar );
}

// ---- bad problems ----

typedef struct Bad
{
	Bar bar;
	Cloud cloud;
	pnIndenter indenters[2];
	pnVec3d hull[4];
} Bad;

typedef void BadFcn( Bad* bad );

static pnVec3d NotFiniteField( pnVec3d p, pnVec3d n, void* context )
{
	(void)n;
	(void)context;
	return pnMakeD( p.x > 0.2 ? NAN : 0.0, 0.0, 0.0 );
}

static void UseCloud( Bad* b, int count )
{
	b->cloud = SampleSurface( &b->bar.surface, count, 3 );
	SetCloud( &b->bar.def, &b->cloud );
	b->bar.conditions[0].region = BoxRegion( pnMakeD( -1.0, -1.0, -0.1 ), pnMakeD( 1.0, 1.0, 0.05 ) );
	b->bar.conditions[1].region = BoxRegion( pnMakeD( -1.0, -1.0, 1.95 ), pnMakeD( 1.0, 1.0, 2.1 ) );
}

// Two of them; the second will be bad.
static void UseIndenters( Bad* b )
{
	for ( int i = 0; i < 2; ++i )
	{
		b->indenters[i] = pnDefaultIndenter();
		b->indenters[i].kind = pn_ballIndenter;
		b->indenters[i].radius = 0.5;
		b->indenters[i].center = pnMakeD( 0.5 * i, 0.0, 2.5 );
		b->indenters[i].direction = pnMakeD( 0.0, 0.0, -1.0 );
		b->indenters[i].depth = 0.05;
	}
	b->bar.def.indenters = b->indenters;
	b->bar.def.indenterCount = 2;
}

static void IncompressibleSolid( Bad* b ) { b->bar.def.poissonRatio = 0.5; }
static void RatioBeyondAll( Bad* b ) { b->bar.def.poissonRatio = -1.0; }
static void RatioNotANumber( Bad* b ) { b->bar.def.poissonRatio = NAN; }
static void NoStiffness( Bad* b ) { b->bar.def.youngsModulus = 0.0; }
static void StiffnessNotFinite( Bad* b ) { b->bar.def.youngsModulus = INFINITY; }
static void NoPoints( Bad* b ) { b->bar.def.pointCount = 0; }
static void NoTriangles( Bad* b ) { b->bar.def.triangleCount = 0; }
static void OpenSurface( Bad* b ) { b->bar.def.triangleCount -= 1; }
static void TurnedInsideOut( Bad* b ) { FlipSurface( &b->bar.surface ); }
static void PointNotFinite( Bad* b ) { b->bar.surface.points[33].y = NAN; }
static void PointOutOfRange( Bad* b ) { b->bar.surface.triangles[3 * 21 + 1] = 999999; }
static void PointBelowRange( Bad* b ) { b->bar.surface.triangles[3 * 21 + 1] = -1; }
static void OneTriangleTurned( Bad* b )
{
	int32_t* t = b->bar.surface.triangles + 3 * 21;
	int32_t swap = t[0];
	t[0] = t[1];
	t[1] = swap;
}
static void SurfaceWithoutArea( Bad* b )
{
	for ( int i = 0; i < b->bar.surface.pointCount; ++i )
	{
		b->bar.surface.points[i] = pnMakeD( 1.0, 2.0, 3.0 );
	}
}
static void FlatSurface( Bad* b )
{
	for ( int i = 0; i < b->bar.surface.pointCount; ++i )
	{
		b->bar.surface.points[i].z = 0.0;
	}
}
static void RegionOffTheSurface( Bad* b ) { b->bar.conditions[1].region = BoxRegion( pnMakeD( 5.0, 5.0, 5.0 ), pnMakeD( 6.0, 6.0, 6.0 ) ); }
static void RegionOfNoGroup( Bad* b ) { b->bar.conditions[1].region.group = 99; }
static void RegionNotFinite( Bad* b )
{
	b->bar.conditions[1].region.tests = pn_inBall;
	b->bar.conditions[1].region.radius = NAN;
}
static void LoadNotFinite( Bad* b ) { b->bar.conditions[1].vector.y = INFINITY; }
static void FieldNotFinite( Bad* b ) { b->bar.conditions[1].field = NotFiniteField; }
static void HeldAlongNothing( Bad* b ) { b->bar.conditions[0].axes = 0; }
static void NoSuchKind( Bad* b ) { b->bar.conditions[1].kind = (pnConditionKind)17; }
static void HeldInTwoPlaces( Bad* b )
{
	b->bar.conditions[2] = Hold( GroupRegion( 4 ) );
	b->bar.conditions[2].vector = pnMakeD( 0.0, 0.1, 0.0 );
	b->bar.def.conditionCount = 3;
}
static void RolledAndMoved( Bad* b )
{
	b->bar.conditions[0].vector = pnMakeD( 0.0, 0.0, 0.1 );
	b->bar.conditions[2] = Roll( GroupRegion( 4 ) );
	b->bar.def.conditionCount = 3;
}
static void CloudOfThree( Bad* b ) { UseCloud( b, 3 ); }
static void CloudWithoutNormals( Bad* b )
{
	UseCloud( b, 400 );
	b->bar.def.normals = NULL;
	static double areas[400];
	b->bar.def.areas = areas;
	for ( int i = 0; i < 400; ++i )
	{
		areas[i] = 0.01;
	}
}
static void CloudWithANormalOfNoLength( Bad* b )
{
	UseCloud( b, 400 );
	b->cloud.normals[123] = s_origin;
}
static void CloudNotFinite( Bad* b )
{
	UseCloud( b, 400 );
	b->cloud.points[123].x = NAN;
}
static void AreaBelowZero( Bad* b )
{
	b->cloud = PlacesOf( &b->bar.surface );
	SetCloud( &b->bar.def, &b->cloud );
	b->cloud.areas[123] = -1.0;
}
static void SourceNotFinite( Bad* b )
{
	static const pnVec3d sources[6] = { { 3.0, 0.0, 0.0 }, { NAN, 0.0, 0.0 }, { 0.0, 3.0, 0.0 }, { -3.0, 0.0, 0.0 }, { 0.0, -3.0, 0.0 }, { 0.0, 0.0, 5.0 } };
	b->bar.def.placement = pn_givenSources;
	b->bar.def.sources = sources;
	b->bar.def.sourceCount = 6;
}
static void NoGivenSources( Bad* b )
{
	b->bar.def.placement = pn_givenSources;
	b->bar.def.sources = NULL;
}
static void SourcesBelowZero( Bad* b ) { b->bar.def.sourceCount = -5; }
static void ToleranceBelowZero( Bad* b ) { b->bar.def.tolerance = -0.1; }
static void IndenterWithoutRadius( Bad* b )
{
	UseIndenters( b );
	b->indenters[1].radius = 0.0;
}
static void IndenterWithoutDirection( Bad* b )
{
	UseIndenters( b );
	b->indenters[1].direction = s_origin;
}
static void IndenterThatPulls( Bad* b )
{
	UseIndenters( b );
	b->indenters[1].force = -1.0;
}
static void IndenterOfThreePoints( Bad* b )
{
	UseIndenters( b );
	b->indenters[1].kind = pn_convexIndenter;
	b->indenters[1].points = b->hull;
	b->indenters[1].pointCount = 3;
}
static void IndenterByLeastSquares( Bad* b )
{
	UseIndenters( b );
	b->bar.def.method = pn_lsqMethod;
}

// words: one of these, parted by |, must be in the log.
typedef struct BadCase
{
	const char* name;
	BadFcn* fcn;
	const char* words;
} BadCase;
#define BAD( F, W ) { #F, F, W }

static const BadCase s_bad[] = {
	BAD( IncompressibleSolid, "poisson" ), BAD( RatioBeyondAll, "poisson" ), BAD( RatioNotANumber, "poisson" ), BAD( NoStiffness, "young" ), BAD( StiffnessNotFinite, "young" ),
	BAD( NoPoints, "points" ), BAD( NoTriangles, "triangles" ), BAD( OpenSurface, "open" ), BAD( TurnedInsideOut, "inward|inside out" ), BAD( PointNotFinite, "33" ),
	BAD( PointOutOfRange, "21" ), BAD( PointBelowRange, "21" ), BAD( OneTriangleTurned, "21" ), BAD( SurfaceWithoutArea, "area|extent" ), BAD( FlatSurface, "volume|area|flat" ),
	BAD( RegionOffTheSurface, "condition 1" ), BAD( RegionOfNoGroup, "condition 1" ), BAD( RegionNotFinite, "condition 1" ), BAD( LoadNotFinite, "condition 1" ), BAD( FieldNotFinite, "condition 1" ),
	BAD( HeldAlongNothing, "condition 0" ), BAD( NoSuchKind, "condition 1" ), BAD( HeldInTwoPlaces, "0 and 2|2 and 0" ), BAD( RolledAndMoved, "0 and 2|2 and 0" ),
	BAD( CloudOfThree, "points" ), BAD( CloudWithoutNormals, "normal" ), BAD( CloudWithANormalOfNoLength, "123" ), BAD( CloudNotFinite, "123" ), BAD( AreaBelowZero, "123" ),
	BAD( SourceNotFinite, "source 1" ), BAD( NoGivenSources, "source" ), BAD( SourcesBelowZero, "source" ), BAD( ToleranceBelowZero, "tolerance" ),
	BAD( IndenterWithoutRadius, "indenter 1" ), BAD( IndenterWithoutDirection, "indenter 1" ), BAD( IndenterThatPulls, "indenter 1" ), BAD( IndenterOfThreePoints, "indenter 1" ),
	BAD( IndenterByLeastSquares, "indenter" ),
};

static bool LogHoldsOneOf( const char* words )
{
	char word[64];
	while ( *words != 0 )
	{
		size_t length = strcspn( words, "|" );
		snprintf( word, sizeof( word ), "%.*s", (int)length, words );
		if ( LogHolds( word ) )
		{
			return true;
		}
		words += length + ( words[length] == '|' );
	}
	return false;
}

static void BadProblemsAreToldByName( void )
{
	int64_t bytes = pnGetByteCount();
	for ( int i = 0; i < (int)( sizeof( s_bad ) / sizeof( s_bad[0] ) ); ++i )
	{
		Bad bad;
		memset( &bad, 0, sizeof( bad ) );
		MakeBar( &bad.bar, 0.3, 40 );
		s_bad[i].fcn( &bad );
		pnKelvin* kelvin = (pnKelvin*)&bad;
		pnKelvinInfo info;
		ListenToLog();
		pnResult result = pnCreateKelvin( &bad.bar.def, &kelvin, &info );
		pnSetLogFcn( NULL );
		pnTestContext( "%s: result %d, log: %s", s_bad[i].name, (int)result, s_logText );
		ENSURE( result == pn_invalidInput );
		ENSURE( kelvin == NULL );
		ENSURE( LogHoldsOneOf( s_bad[i].words ) );
		if ( result >= 0 )
		{
			pnDestroyKelvin( kelvin );
		}
		ENSURE( pnGetByteCount() == bytes );
		FreeCloud( &bad.cloud );
		FreeBar( &bad.bar );
	}
	pnDestroyKelvin( NULL );
}

// A load on something that nothing holds is balanced, and this is told; what is left is what a balanced load does.
static void FreeSolidsAreBalanced( void )
{
	Bar bar;
	MakeBar( &bar, 0.3, 100 );
	bar.conditions[0] = Pull( GroupRegion( 4 ), pnMakeD( 0.0, 0.0, -1.0 ) );
	bar.conditions[1] = Pull( GroupRegion( 5 ), pnMakeD( 0.0, 0.0, 1.0 ) );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &bar.def, &info );
	REQUIRE( kelvin != NULL );
	ENSURE( s_lastResult == pn_weakAnswer && ( info.warnings & pn_nothingHeld ) != 0 );
	for ( int i = 0; i < bar.places.count; ++i )
	{
		pnVec3d p = bar.places.points[i], u = pnScaleD( 1.0 / s_young, pnMakeD( -0.3 * p.x, -0.3 * p.y, p.z - 1.0 ) );
		ENSURE_MOST( pnLengthD( pnSubD( DisplacementAt( kelvin, p ), u ) ), 1e-9 );
	}
	pnDestroyKelvin( kelvin );
	// Pulled at one end only.
	bar.conditions[0] = bar.conditions[1];
	bar.def.conditionCount = 1;
	kelvin = Solved( &bar.def, &info );
	REQUIRE( kelvin != NULL );
	ENSURE( s_lastResult == pn_weakAnswer && ( info.warnings & pn_nothingHeld ) != 0 );
	pnVec3d force, torque;
	pnRegion all = WholeSurface();
	pnKelvin_GetForce( kelvin, &all, s_origin, &force, &torque );
	ENSURE( isfinite( DisplacementAt( kelvin, pnMakeD( 0.0, 0.0, 1.0 ) ).z ) );
	pnVec3d mean = pnScaleD( 0.5, pnAddD( DisplacementAt( kelvin, pnMakeD( 0.0, 0.0, 0.0 ) ), DisplacementAt( kelvin, pnMakeD( 0.0, 0.0, 2.0 ) ) ) );
	ENSURE_MOST( pnLengthD( mean ), 2.0 / s_young ); // no part of it flies off
	pnDestroyKelvin( kelvin );
	FreeBar( &bar );
}

// Held along one axis only: the others are as free as if nothing were held.
static void AHalfHeldSolidIsToldToo( void )
{
	Bar bar;
	MakeBar( &bar, 0.3, 100 );
	bar.conditions[0] = HoldAxes( GroupRegion( 4 ), 4 );
	bar.conditions[1] = Pull( GroupRegion( 5 ), pnMakeD( 0.0, 0.0, 1.0 ) );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &bar.def, &info );
	REQUIRE( kelvin != NULL );
	ENSURE( s_lastResult == pn_weakAnswer && ( info.warnings & pn_nothingHeld ) != 0 );
	for ( int i = 0; i < bar.places.count; ++i )
	{
		pnVec3d p = bar.places.points[i], u = pnScaleD( 1.0 / s_young, pnMakeD( -0.3 * p.x, -0.3 * p.y, p.z ) );
		ENSURE_MOST( pnLengthD( pnSubD( DisplacementAt( kelvin, p ), u ) ), 1e-9 );
	}
	pnDestroyKelvin( kelvin );
	FreeBar( &bar );
}

// ---- no memory ----

static atomic_int s_untilFailure; // allocations that still succeed; negative: all
static atomic_int s_allocCount;

static void* FailingAlloc( size_t size, size_t alignment )
{
	atomic_fetch_add( &s_allocCount, 1 );
	if ( atomic_load( &s_untilFailure ) >= 0 && atomic_fetch_sub( &s_untilFailure, 1 ) == 0 )
	{
		atomic_store( &s_untilFailure, -1 ); // one only: what comes after must cope by itself
		return NULL;
	}
	void* memory = NULL;
	return posix_memalign( &memory, alignment < sizeof( void* ) ? sizeof( void* ) : alignment, size ) == 0 ? memory : NULL;
}

static void PlainFree( void* memory, size_t size )
{
	(void)size;
	free( memory );
}

// Creates, solves, touches, makes a response. Returns the first result that is negative.
static pnResult RunAll( const pnKelvinDef* def, bool wantsResponse )
{
	pnKelvin* kelvin = (pnKelvin*)def;
	pnResult result = pnCreateKelvin( def, &kelvin, NULL );
	if ( result < 0 )
	{
		ENSURE( kelvin == NULL );
		return result;
	}
	result = pnKelvin_Solve( kelvin, def->conditions, def->indenters, NULL );
	if ( result >= 0 && wantsResponse )
	{
		pnHandle handle = { { 0.0, 0.0, 1.0 }, 0.4 };
		pnVec3d vertices[2] = { { 0.0, 0.0, 1.0 }, { 0.5, 0.5, 1.0 } };
		pnResponse* response = (pnResponse*)def;
		result = pnKelvin_CreateResponse( kelvin, &handle, 1, vertices, 2, NULL, 0, &response );
		ENSURE( ( result < 0 ) == ( response == NULL ) );
		if ( result >= 0 )
		{
			pnDestroyResponse( response );
		}
	}
	pnDestroyKelvin( kelvin );
	return result;
}

static void NoMemoryIsAResultLikeAnyOther( void )
{
	ENSURE( pnGetByteCount() == 0 );
	int sums[5] = { 0 };
	for ( int kind = 0; kind < 5; ++kind )
	{
		Surface s = MakeBox( pnMakeD( -0.5, -0.5, 0.0 ), pnMakeD( 0.5, 0.5, 1.0 ), 2, 2, 2 );
		pnKelvinDef def = PlainDef( s_young, 0.3, 12 );
		def.refineSurface = 0;
		SetSurface( &def, &s );
		Cloud cloud = { 0 };
		pnRegion below = BoxRegion( pnMakeD( -1.0, -1.0, -0.2 ), pnMakeD( 1.0, 1.0, 0.2 ) ), above = BoxRegion( pnMakeD( -1.0, -1.0, 0.8 ), pnMakeD( 1.0, 1.0, 1.2 ) );
		pnCondition conditions[2] = { Hold( below ), Press( above, 1.0 ) };
		SetConditions( &def, conditions, 2 );
		pnIndenter indenter = pnDefaultIndenter();
		if ( kind == 1 )
		{
			def.method = pn_autoMethod;
			def.placement = pn_adaptiveSources;
			def.refineSurface = 1;
			def.sourceCount = 20;
			def.estimateError = 1;
		}
		else if ( kind == 2 )
		{
			cloud = SampleSurface( &s, 120, 5 );
			SetCloud( &def, &cloud );
		}
		else if ( kind == 3 )
		{
			indenter.kind = pn_ballIndenter;
			indenter.center = pnMakeD( 0.0, 0.0, 1.5 );
			indenter.radius = 0.5;
			indenter.direction = pnMakeD( 0.0, 0.0, -1.0 );
			indenter.depth = 0.1;
			def.indenters = &indenter;
			def.indenterCount = 1;
			def.refineSurface = 1;
		}
		else if ( kind == 4 )
		{
			def.method = pn_lsqCgMethod;
		}
		pnSetAllocator( FailingAlloc, PlainFree );
		atomic_store( &s_untilFailure, -1 );
		atomic_store( &s_allocCount, 0 );
		bool wantsResponse = kind == 0;
		pnTestContext( "kind %d", kind );
		ENSURE( RunAll( &def, wantsResponse ) >= 0 );
		int count = atomic_load( &s_allocCount );
		sums[kind] = count;
		// Every one of them, if they are few; about 150 spread over all, if they are many.
		int stride = count / 150 + 1;
		for ( int k = 0; k < count; k += stride )
		{
			atomic_store( &s_untilFailure, k );
			pnResult result = RunAll( &def, wantsResponse );
			pnTestContext( "kind %d, allocation %d of %d, result %d", kind, k, count, (int)result );
			ENSURE( result == pn_outOfMemory );
			ENSURE( pnGetByteCount() == 0 );
			atomic_store( &s_untilFailure, -1 );
		}
		pnSetAllocator( NULL, NULL );
		FreeCloud( &cloud );
		FreeSurface( &s );
	}
	pnTestContext( "%s", "" );
	pnTestNote( "%d, %d, %d, %d, %d allocations", sums[0], sums[1], sums[2], sums[3], sums[4] );
}

static void NothingIsKept( void )
{
	int64_t bytes = pnGetByteCount();
	Bar bar;
	MakeBar( &bar, 0.3, 80 );
	pnKelvin* kelvin = Solved( &bar.def, NULL );
	REQUIRE( kelvin != NULL );
	ENSURE( pnGetByteCount() > bytes );
	int64_t held = pnGetByteCount();
	for ( int i = 0; i < 3; ++i )
	{
		ENSURE( pnKelvin_Solve( kelvin, bar.conditions, NULL, NULL ) >= 0 );
		DisplacementAt( kelvin, pnMakeD( 0.0, 0.0, 1.0 ) );
		ENSURE( pnGetByteCount() == held );
	}
	pnDestroyKelvin( kelvin );
	ENSURE( pnGetByteCount() == bytes );
	FreeBar( &bar );
}

static const pnTest s_tests[] = {
	RUN( RigidMotionsStrainNothing ),
	RUN( EvenStrainIsReproduced ),
	RUN( EvenPressureShrinks ),
	RUN( ConjugateGradientsAgree ),
	RUN( UnitsDoNotMatter ),
	RUN( AnswersAddUp ),
	RUN( NewValuesAreAsGoodAsANewProblem ),
	RUN( LoadsOfOneKindAreLoadsOfAnother ),
	RUN( RollersHoldAlongTheNormal ),
	RUN( RollersWorkOnSlants ),
	RUN( ForcesAndTorquesBalance ),
	RUN( EnergyIsHalfTheWorkOfTheLoads ),
	RUN( VolumeChangesByWhatPassesTheSurface ),
	RUN( MirroredProblemsHaveMirroredAnswers ),
	RUN( HalfASolidOnAPlaneOfSymmetryIsTheWhole ),
	RUN( SourcesAreNeverInside ),
	RUN( GivenSourcesAreTaken ),
	RUN( RandomSourcesComeFromTheSeed ),
	RUN( AnswersHaveTheSameBitsEveryTime ),
	RUN( BlasStaysAsTheHostSetIt ),
	RUN( ProgressIsToldAndMayGiveUp ),
	RUN( EveryWarningHasItsSentence ),
	RUN( StressesAreReadAsUsual ),
	RUN( WhatIsToldFits ),
	RUN( BadProblemsAreToldByName ),
	RUN( FreeSolidsAreBalanced ),
	RUN( AHalfHeldSolidIsToldToo ),
	RUN( NoMemoryIsAResultLikeAnyOther ),
	RUN( NothingIsKept ),
};
SUITE( kelvin, s_tests );
