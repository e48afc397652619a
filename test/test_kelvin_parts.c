// test_kelvin_parts.c - the static solver on clamped and loaded parts with its default settings, against CalculiX. Long: not for sanitizers.
// Knows the public header, and the tables made by kelvin/reference/make_references.py.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "kelvin_help.h"

#include "kelvin/reference_bar.h"
#include "kelvin/reference_block.h"
#include "kelvin/reference_bracket.h"

// Against a table of x, y, z and displacement.
static double TableError( const pnKelvin* kelvin, const double ( *table )[6], int count )
{
	double error = 0.0, size = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		const double* row = table[i];
		pnVec3d u = { row[3], row[4], row[5] }, d = pnSubD( DisplacementAt( kelvin, pnMakeD( row[0], row[1], row[2] ) ), u );
		error += pnDotD( d, d );
		size += pnDotD( u, u );
	}
	return sqrt( error / size );
}
#define TABLE_ERROR( K, T ) TableError( K, T, (int)( sizeof( T ) / sizeof( T[0] ) ) )

// ---- clamped bars ----

typedef enum BarKind
{
	evenBar,
	roughBar,
	cloudBar,
} BarKind;

static const pnBarReference* FindBar( double length, double nu )
{
	for ( int i = 0; i < (int)( sizeof( s_bars ) / sizeof( s_bars[0] ) ); ++i )
	{
		if ( s_bars[i].length == length && s_bars[i].poissonRatio == nu )
		{
			return s_bars + i;
		}
	}
	return NULL;
}

// Returns the error of the tip, relative, with its sign.
static double BendBar( double length, double nu, BarKind kind, uint64_t seed )
{
	const pnBarReference* reference = FindBar( length, nu );
	static const char* const names[3] = { "even", "rough", "cloud" };
	Surface s = MakeBox( pnMakeD( -0.5, -0.5, 0.0 ), pnMakeD( 0.5, 0.5, length ), 5, 5, (int)( 5 * length ) );
	if ( kind == roughBar )
	{
		Roughen( &s, 0.4, seed );
	}
	Cloud cloud = { 0 };
	pnKelvinDef def = MaterialDef( 2.0 * 120.0 * ( 1.0 + nu ), nu );
	SetSurface( &def, &s );
	if ( kind == cloudBar )
	{
		cloud = SampleSurface( &s, (int)( 120 * ( 2 + 4 * length ) ), seed );
		SetCloud( &def, &cloud );
	}
	pnCondition conditions[2] = { Hold( GroupRegion( 4 ) ), Pull( GroupRegion( 5 ), pnMakeD( 0.1, 0.0, 0.0 ) ) };
	SetConditions( &def, conditions, 2 );
	pnKelvinInfo info;
	pnTestContext( "length %g, nu %g, %s %d", length, nu, names[kind], (int)seed );
	pnKelvin* kelvin = Solved( &def, &info );
	double error = 1e9;
	if ( kelvin != NULL )
	{
		error = MeanDisplacement( kelvin, &s, 5 ).x / reference->tip - 1.0;
		ENSURE_MOST( fabs( error ), 0.01 );
		ENSURE_MOST( info.bettiMismatch, 0.01 );
		ENSURE_MOST( info.reactionMismatch, 1e-3 );
		EnsureHonest( fabs( error ), &info );
		pnRegion base = GroupRegion( 4 );
		pnVec3d force, torque;
		pnKelvin_GetForce( kelvin, &base, s_origin, &force, &torque );
		ENSURE_MOST( pnLengthD( pnSubD( force, pnMakeD( reference->forceX, 0.0, 0.0 ) ) ), 1e-3 * 0.1 );
		ENSURE_MOST( pnLengthD( pnSubD( torque, pnMakeD( 0.0, reference->momentY, 0.0 ) ) ), ( kind == cloudBar ? 1e-2 : 2e-3 ) * 0.1 * length );
		double field = 0.0;
		if ( nu == 0.45 )
		{
			field = length == 4.0 ? TABLE_ERROR( kelvin, s_bar4Field ) : TABLE_ERROR( kelvin, s_bar10Field );
			double axis = length == 4.0 ? TABLE_ERROR( kelvin, s_bar4Axis ) : TABLE_ERROR( kelvin, s_bar10Axis );
			ENSURE_MOST( field, 0.02 );
			ENSURE_MOST( axis, 0.02 );
			EnsureHonest( field, &info );
		}
		pnTestNote( "%s%s tip %+.2f %%, Betti %.1e, reaction %.1e, estimate %.1e, %d sources", nu == 0.45 ? "" : "nu ", names[kind], 100.0 * error, info.bettiMismatch, info.reactionMismatch,
			info.errorEstimate, info.sourceCount );
	}
	pnDestroyKelvin( kelvin );
	FreeCloud( &cloud );
	FreeSurface( &s );
	return error;
}

static void ShortBarOfEvenTriangles( void ) { BendBar( 4.0, 0.45, evenBar, 1 ); }
static void ShortBarOfRoughTriangles( void )
{
	BendBar( 4.0, 0.45, roughBar, 1 );
	BendBar( 4.0, 0.45, roughBar, 2 );
}
static void ShortBarFromACloud( void )
{
	BendBar( 4.0, 0.45, cloudBar, 1 );
	BendBar( 4.0, 0.45, cloudBar, 2 );
}
static void LongBarOfEvenTriangles( void ) { BendBar( 10.0, 0.45, evenBar, 1 ); }
static void LongBarOfRoughTriangles( void ) { BendBar( 10.0, 0.45, roughBar, 1 ); }
static void LongBarFromACloud( void ) { BendBar( 10.0, 0.45, cloudBar, 1 ); }
static void BarOfAnotherRatio( void ) { BendBar( 4.0, 0.3, roughBar, 1 ); }

static void NearlyIncompressibleBarsAreAsGood( void )
{
	double plain = BendBar( 4.0, 0.45, evenBar, 1 ), near = BendBar( 4.0, 0.49, evenBar, 1 );
	BendBar( 4.0, 0.499, evenBar, 1 );
	pnTestContext( "%s", "" );
	ENSURE_MOST( fabs( near ), fmax( 2.0 * fabs( plain ), 0.005 ) );
}

// ---- the block with a hole ----

static const double s_blockYoung = 348.0;

static void MakeBlockDef( pnKelvinDef* def, const Surface* s, pnCondition* conditions )
{
	*def = MaterialDef( s_blockYoung, 0.45 );
	SetSurface( def, s );
	def->tasks.workerCount = 2; // the largest problems there are
	conditions[0] = Hold( GroupRegion( 4 ) );
	SetConditions( def, conditions, 1 );
}

static void BlockWithAHoleIsPressed( void )
{
	// Rough triangles; even ones are under the ball.
	Surface s = MakeHoledBlock( 5 );
	Roughen( &s, 0.4, 3 );
	pnKelvinDef def;
	pnCondition conditions[2];
	MakeBlockDef( &def, &s, conditions );
	pnRegion disc = { .tests = pn_inBall | pn_inGroup, .center = { 0.0, 0.0, 1.0 }, .radius = 0.3, .group = 5 };
	conditions[1] = Press( disc, 20.0 );
	SetConditions( &def, conditions, 2 );
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &def, &info );
	REQUIRE( kelvin != NULL );
	double error = TABLE_ERROR( kelvin, s_blockPushed );
	ENSURE_MOST( error, 0.03 );
	EnsureHonest( error, &info );
	ENSURE_MOST( info.reactionMismatch, 1e-3 );
	pnVec3d force;
	pnRegion top = GroupRegion( 5 );
	pnKelvin_GetForce( kelvin, &top, s_origin, &force, NULL );
	double load = 20.0 * TEST_PI * 0.3 * 0.3;
	ENSURE_NEAR( -force.z, load, 0.02 * load ); // the border of the disc is drawn in pieces of the surface
	pnTestNote( "error %.1f %%, estimate %.1f %%, force %+.2f %%, %d sources, %d places", 100.0 * error, 100.0 * info.errorEstimate, 100.0 * ( -force.z / load - 1.0 ), info.sourceCount, info.pointCount );
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

static void BlockWithAHoleUnderABall( void )
{
	Surface s = MakeHoledBlock( 5 );
	pnKelvinDef def;
	pnCondition conditions[1];
	MakeBlockDef( &def, &s, conditions );
	pnIndenter ball = pnDefaultIndenter();
	ball.kind = pn_ballIndenter;
	ball.center = pnMakeD( 0.0, 0.0, 1.8 );
	ball.radius = 0.8;
	ball.direction = pnMakeD( 0.0, 0.0, -1.0 );
	ball.depth = 0.1;
	def.indenters = &ball;
	def.indenterCount = 1;
	pnKelvinInfo info;
	pnKelvin* kelvin = Solved( &def, &info );
	REQUIRE( kelvin != NULL );
	double error = TABLE_ERROR( kelvin, s_blockTouched ), depth, area;
	ENSURE_MOST( error, 0.03 );
	EnsureHonest( error, &info );
	pnVec3d force, reaction;
	pnKelvin_GetIndenter( kelvin, 0, &force, &depth, &area );
	ENSURE_NEAR( -force.z, s_blockTouchForce, 0.03 * s_blockTouchForce );
	ENSURE_MOST( fabs( force.x ) + fabs( force.y ), 0.02 * s_blockTouchForce );
	ENSURE_NEAR( depth, 0.1, 1e-12 );
	double expectedArea = TEST_PI * s_blockTouchRadius[0] * s_blockTouchRadius[1];
	ENSURE_NEAR( area, expectedArea, 0.15 * expectedArea );
	pnRegion base = GroupRegion( 4 );
	pnKelvin_GetForce( kelvin, &base, s_origin, &reaction, NULL );
	ENSURE_NEAR( reaction.z, -force.z, 1e-2 * s_blockTouchForce );
	// Nothing is left in the ball, and nothing is pulled.
	int count;
	const pnKelvinPoint* points = pnKelvin_GetPoints( kelvin, &count );
	double deepest = 0.0, pull = 0.0, peak = 0.0, carried = 0.0, middle = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		if ( points[i].point.z < 1.0 - 1e-6 )
		{
			continue;
		}
		pnVec3d e = pnSubD( points[i].point, pnMakeD( 0.0, 0.0, 1.7 ) );
		double length = pnLengthD( e );
		deepest = fmax( deepest, 0.8 - length - pnDotD( points[i].displacement, e ) / length );
		double pressure = pnDotD( points[i].traction, e ) / length; // the ball is above: it pushes along e
		pull = fmax( pull, -pressure );
		peak = fmax( peak, pressure );
		if ( hypot( points[i].point.x, points[i].point.y ) < 0.12 )
		{
			carried += points[i].area * pressure;
			middle += points[i].area;
		}
	}
	ENSURE_MOST( deepest, 0.02 * 0.1 );
	ENSURE_MOST( pull, 1e-6 * peak );
	// Of half an ellipse with the radii of the contact the inner disc carries 0.95 of the peak on average.
	ENSURE_NEAR( carried / middle, 0.95 * s_blockTouchPressure, 0.1 * s_blockTouchPressure );
	pnTestNote( "error %.1f %%, estimate %.1f %%, force %+.1f %%, deepest %.1e, pressure in the middle %.1f, %d sources, %d places, %d rounds", 100.0 * error, 100.0 * info.errorEstimate,
		100.0 * ( -force.z / s_blockTouchForce - 1.0 ), deepest, carried / middle, info.sourceCount, info.pointCount, info.roundCount );
	// Pressed by that force instead: as deep.
	pnIndenter pushed = ball;
	pushed.depth = 0.0;
	pushed.force = -force.z;
	ENSURE( pnKelvin_Solve( kelvin, conditions, &pushed, NULL ) >= 0 );
	pnKelvin_GetIndenter( kelvin, 0, NULL, &depth, NULL );
	ENSURE_NEAR( depth, 0.1, 1e-3 );
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

// ---- the bracket ----

static void BracketWithAnInnerEdge( void )
{
	for ( int rough = 0; rough < 2; ++rough )
	{
		Surface s = MakeBracket( 5 );
		if ( rough )
		{
			Roughen( &s, 0.4, 3 );
		}
		pnKelvinDef def = MaterialDef( 1000.0, 0.3 );
		SetSurface( &def, &s );
		pnCondition conditions[2] = { Hold( GroupRegion( 5 ) ), Pull( GroupRegion( 1 ), pnMakeD( 0.0, 0.0, -1.0 ) ) };
		SetConditions( &def, conditions, 2 );
		pnKelvinInfo info;
		pnTestContext( "%s", rough ? "rough" : "even" );
		pnKelvin* kelvin = Solved( &def, &info );
		REQUIRE( kelvin != NULL );
		pnVec3d tip = MeanDisplacement( kelvin, &s, 1 ), expected = { s_bracketTip[0], s_bracketTip[1], s_bracketTip[2] };
		double error = pnLengthD( pnSubD( tip, expected ) ) / pnLengthD( expected );
		ENSURE_MOST( error, 0.02 );
		EnsureHonest( error, &info );
		ENSURE_MOST( info.bettiMismatch, 0.01 );
		ENSURE_MOST( info.reactionMismatch, 1e-3 );
		pnTestNote( "%s: tip %+.2f %%, estimate %.1f %%, %d sources", rough ? "rough" : "even", 100.0 * ( tip.z / expected.z - 1.0 ), 100.0 * info.errorEstimate, info.sourceCount );
		pnDestroyKelvin( kelvin );
		FreeSurface( &s );
	}
}

static const pnTest s_tests[] = {
	RUN( ShortBarOfEvenTriangles ),
	RUN( ShortBarOfRoughTriangles ),
	RUN( ShortBarFromACloud ),
	RUN( LongBarOfEvenTriangles ),
	RUN( LongBarOfRoughTriangles ),
	RUN( LongBarFromACloud ),
	RUN( BarOfAnotherRatio ),
	RUN( NearlyIncompressibleBarsAreAsGood ),
	RUN( BracketWithAnInnerEdge ),
};
SUITE( kelvin_parts, s_tests );

// By themselves: they take as long as all the others.
static const pnTest s_blockTests[] = {
	RUN( BlockWithAHoleIsPressed ),
	RUN( BlockWithAHoleUnderABall ),
};
SUITE( kelvin_block, s_blockTests );
