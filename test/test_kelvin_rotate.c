// test_kelvin_rotate.c - rotations taken as finite ones: arcs of bent beams, rigid turns, small answers; how far it is from large deformation by the elastica
// and by CalculiX. Knows the public header and tables of references.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "kelvin_help.h"

#include "help.h"
#include "kelvin/reference_rotations.h"

static double Volume( const Surface* s, const pnVec3d* moves )
{
	double sum = 0.0;
	for ( int i = 0; i < s->triangleCount; ++i )
	{
		pnVec3d p[3];
		for ( int k = 0; k < 3; ++k )
		{
			int v = s->triangles[3 * i + k];
			p[k] = moves != NULL ? pnAddD( s->points[v], moves[v] ) : s->points[v];
		}
		sum += pnDotD( p[0], pnCrossD( p[1], p[2] ) ) / 6.0;
	}
	return sum;
}

static pnVec3d EndCouple( pnVec3d p, pnVec3d normal, void* context )
{
	(void)normal;
	return pnMakeD( 0.0, 0.0, *(double*)context * p.x );
}

// A beam bent by a couple is an arc, of the curvature that the linear answer has: here a third of a circle.
static void BentBeamsAreArcs( void )
{
	double length = 10.0, young = 12000.0, angle = 2.0, slope = young * angle / length; // traction over x: M = slope / 12
	Surface s = MakeBox( pnMakeD( -0.5, -0.5, 0.0 ), pnMakeD( 0.5, 0.5, length ), 3, 3, 24 );
	pnKelvinDef def = MaterialDef( young, 0.0 );
	def.sourceCount = 250;
	SetSurface( &def, &s );
	pnCondition conditions[2] = { Hold( GroupRegion( 4 ) ), PullField( GroupRegion( 5 ), EndCouple, &slope ) };
	SetConditions( &def, conditions, 2 );
	pnKelvin* kelvin = Solved( &def, NULL );
	REQUIRE( kelvin != NULL );
	pnVec3d* moves = malloc( s.pointCount * sizeof( pnVec3d ) );
	ENSURE( pnKelvin_Rotate( kelvin, s.points, s.pointCount, s.triangles, s.triangleCount, moves ) == pn_success );
	double radius = length / angle, worst = 0.0, swollen = 0.0;
	for ( int i = 0; i < s.pointCount; ++i )
	{
		pnVec3d p = s.points[i], q = pnAddD( p, moves[i] ), linear = pnAddD( p, DisplacementAt( kelvin, p ) );
		double a = p.z / radius; // pulled where x > 0: it bends towards negative x
		pnVec3d expected = { -radius + ( radius + p.x ) * cos( a ), p.y, ( radius + p.x ) * sin( a ) };
		worst = fmax( worst, pnLengthD( pnSubD( q, expected ) ) );
		swollen = fmax( swollen, pnLengthD( pnSubD( linear, expected ) ) );
	}
	double grown = Volume( &s, moves ) / Volume( &s, NULL );
	pnTestNote( "worst place %.3f m of %g m off (linear %.1f m), volume %.3f", worst, length, swollen, grown );
	ENSURE_MOST( worst, 0.01 * length );
	ENSURE_NEAR( grown, 1.0, 0.01 );
	ENSURE( swollen > 0.3 * length );
	free( moves );
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

// Small displacements are left as they are; a bad triangle is told.
static void SmallAnswersStay( void )
{
	Surface s = MakeBox( pnMakeD( -0.5, -0.5, 0.0 ), pnMakeD( 0.5, 0.5, 3.0 ), 3, 3, 9 );
	pnKelvinDef def = PlainDef( 1e6, 0.3, 120 );
	SetSurface( &def, &s );
	pnCondition conditions[2] = { Hold( GroupRegion( 4 ) ), Pull( GroupRegion( 5 ), pnMakeD( 0.3, 1.0, 0.5 ) ) };
	SetConditions( &def, conditions, 2 );
	pnKelvin* kelvin = Solved( &def, NULL );
	REQUIRE( kelvin != NULL );
	pnVec3d* moves = malloc( s.pointCount * sizeof( pnVec3d ) );
	ENSURE( pnKelvin_Rotate( kelvin, s.points, s.pointCount, s.triangles, s.triangleCount, moves ) == pn_success );
	double error = 0.0, size = 0.0;
	for ( int i = 0; i < s.pointCount; ++i )
	{
		pnVec3d u = DisplacementAt( kelvin, s.points[i] ), d = pnSubD( moves[i], u );
		error = fmax( error, pnLengthD( d ) );
		size = fmax( size, pnLengthD( u ) );
	}
	pnTestNote( "changed by %.2f %% of the largest displacement", 100.0 * error / size );
	ENSURE_MOST( error, 1e-3 * size ); // of second order: the largest is 1e-3 of the length here
	int32_t bad[3] = { 0, 1, s.pointCount };
	ListenToLog();
	ENSURE( pnKelvin_Rotate( kelvin, s.points, s.pointCount, bad, 1, moves ) == pn_invalidInput );
	pnSetLogFcn( NULL );
	ENSURE( LogHolds( "has corner" ) );
	free( moves );
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

// Where a place of the table went: a vertex is there.
static pnVec3d MoveAt( const Surface* s, const pnVec3d* moves, pnVec3d p )
{
	int nearest = 0;
	for ( int i = 0; i < s->pointCount; ++i )
	{
		nearest = pnLengthD( pnSubD( s->points[i], p ) ) < pnLengthD( pnSubD( s->points[nearest], p ) ) ? i : nearest;
	}
	ENSURE_MOST( pnLengthD( pnSubD( s->points[nearest], p ) ), 1e-6 );
	return moves[nearest];
}

// The inextensible elastica under a load on its tip that keeps its direction: theta'' = -k cos( theta ), theta( 0 ) = 0, theta'( 1 ) = 0; by shooting.
static void Elastica( double k, double* across, double* along )
{
	double lower = 0.0, upper = 2.0 * k;
	for ( int i = 0; i < 60; ++i )
	{
		double bend = 0.5 * ( lower + upper ), theta = 0.0, slope = bend, x = 0.0, z = 0.0, h = 1.0 / 2000.0;
		for ( int step = 0; step < 2000; ++step )
		{
			double middle = theta + 0.5 * h * slope - 0.125 * h * h * k * cos( theta );
			x += h * sin( middle );
			z += h * cos( middle );
			slope -= h * k * cos( middle );
			theta = middle + 0.5 * h * slope;
		}
		*across = x;
		*along = z;
		lower = slope < 0.0 ? bend : lower;
		upper = slope < 0.0 ? upper : bend;
	}
}

// Against CalculiX with large deformation: nearer than the linear answer, at every load; and CalculiX is the elastica.
static void FarBentBarsAreNearer( void )
{
	static const struct { double load; const double ( *linear )[6]; const double ( *large )[6]; } bars[] = {
		{ 5.0, s_bent5Linear, s_bent5Large }, { 10.0, s_bent10Linear, s_bent10Large }, { 20.0, s_bent20Linear, s_bent20Large }, { 40.0, s_bent40Linear, s_bent40Large } };
	Surface s = MakeBox( pnMakeD( -0.5, -0.5, 0.0 ), pnMakeD( 0.5, 0.5, 10.0 ), 2, 2, 20 );
	pnKelvinDef def = MaterialDef( 12000.0, 0.3 );
	def.sourceCount = 250;
	SetSurface( &def, &s );
	pnVec3d* moves = malloc( s.pointCount * sizeof( pnVec3d ) );
	for ( int b = 0; b < 4; ++b )
	{
		pnCondition conditions[2] = { Hold( GroupRegion( 4 ) ), Pull( GroupRegion( 5 ), pnMakeD( bars[b].load, 0.0, 0.0 ) ) };
		SetConditions( &def, conditions, 2 );
		pnKelvin* kelvin = Solved( &def, NULL );
		REQUIRE( kelvin != NULL );
		ENSURE( pnKelvin_Rotate( kelvin, s.points, s.pointCount, s.triangles, s.triangleCount, moves ) == pn_success );
		double rotated = 0.0, linear = 0.0, same = 0.0, size = 0.0, across, along;
		for ( int i = 20; i < 40; ++i ) // on the surface, at vertices
		{
			const double* row = bars[b].large[i];
			pnVec3d p = { row[0], row[1], row[2] }, u = { row[3], row[4], row[5] }, ours = DisplacementAt( kelvin, p );
			pnVec3d fem = { bars[b].linear[i][3], bars[b].linear[i][4], bars[b].linear[i][5] };
			pnVec3d d = pnSubD( MoveAt( &s, moves, p ), u ), e = pnSubD( ours, u ), f = pnSubD( ours, fem );
			rotated += pnDotD( d, d );
			linear += pnDotD( e, e );
			same += pnDotD( f, f );
			size += pnDotD( u, u );
		}
		Elastica( bars[b].load / 10.0, &across, &along );
		const double* tip = bars[b].large[19];
		pnTestContext( "load %g", bars[b].load );
		pnTestNote( "P L^2 / E I = %.1f: from NLGEOM %.1f %%, linear %.1f %%; ours from linear elements %.2f %%", bars[b].load / 10.0, 100.0 * sqrt( rotated / size ),
					100.0 * sqrt( linear / size ), 100.0 * sqrt( same / size ) );
		ENSURE_MOST( rotated, linear );
		ENSURE_MOST( sqrt( same / size ), 0.02 );
		ENSURE_NEAR( tip[3] / 10.0, across, 0.03 ); // shear and stretch are not in it
		ENSURE_NEAR( 1.0 + tip[5] / 10.0, along, 0.03 );
		pnDestroyKelvin( kelvin );
	}
	free( moves );
	FreeSurface( &s );
}

// The block of Table I under a pressure on its top. What it does there is strain, not rotation: both answers are as far from large deformation.
static void PushedBlocksAreNoWorse( void )
{
	static const struct { double pressure; const double ( *linear )[6]; const double ( *large )[6]; } blocks[] = { { 20.0, s_pushed20Linear, s_pushed20Large }, { 30.0, s_pushed30Linear, s_pushed30Large } };
	enum { places = 80 };
	if ( IsLong() == false )
	{
		return; // half a minute
	}
	Surface s = MakeHoledBlock( 6 );
	pnKelvinDef def = MaterialDef( 2.0 * 120.0 * 1.45, 0.45 );
	def.sourceCount = 1000;
	SetSurface( &def, &s );
	pnRegion disc = { .tests = pn_inBall | pn_facing, .center = { 0.0, 0.0, 1.0 }, .radius = 0.3, .direction = { 0.0, 0.0, 1.0 }, .angle = 0.1 };
	pnCondition conditions[2] = { Hold( GroupRegion( 4 ) ), Press( disc, blocks[0].pressure ) };
	SetConditions( &def, conditions, 2 );
	pnKelvin* kelvin = Solved( &def, NULL );
	REQUIRE( kelvin != NULL );
	// The places of the table as vertices, each tied to the two nearest of the mesh.
	int count = s.pointCount + places, triangleCount = s.triangleCount + places;
	pnVec3d* points = malloc( count * sizeof( pnVec3d ) );
	pnVec3d* moves = malloc( count * sizeof( pnVec3d ) );
	int32_t* triangles = malloc( 3 * triangleCount * sizeof( int32_t ) );
	memcpy( points, s.points, s.pointCount * sizeof( pnVec3d ) );
	memcpy( triangles, s.triangles, 3 * s.triangleCount * sizeof( int32_t ) );
	for ( int b = 0; b < 2; ++b )
	{
		for ( int i = 0; i < places; ++i )
		{
			pnVec3d p = { blocks[b].large[i][0], blocks[b].large[i][1], blocks[b].large[i][2] };
			int near[2] = { 0, 1 };
			for ( int v = 0; v < s.pointCount; ++v )
			{
				double d = pnLengthD( pnSubD( points[v], p ) );
				if ( d < pnLengthD( pnSubD( points[near[0]], p ) ) )
				{
					near[1] = near[0];
					near[0] = v;
				}
				else if ( v != near[0] && d < pnLengthD( pnSubD( points[near[1]], p ) ) )
				{
					near[1] = v;
				}
			}
			points[s.pointCount + i] = p;
			int32_t corners[3] = { s.pointCount + i, near[0], near[1] };
			memcpy( triangles + 3 * ( s.triangleCount + i ), corners, sizeof( corners ) );
		}
		conditions[1].pressure = blocks[b].pressure;
		ENSURE( pnKelvin_Solve( kelvin, conditions, NULL, NULL ) >= 0 );
		ENSURE( pnKelvin_Rotate( kelvin, points, count, triangles, triangleCount, moves ) == pn_success );
		double rotated = 0.0, linear = 0.0, same = 0.0, size = 0.0, sizeLinear = 0.0;
		for ( int i = 0; i < places; ++i )
		{
			pnVec3d u = { blocks[b].large[i][3], blocks[b].large[i][4], blocks[b].large[i][5] }, fem = { blocks[b].linear[i][3], blocks[b].linear[i][4], blocks[b].linear[i][5] };
			pnVec3d ours = DisplacementAt( kelvin, points[s.pointCount + i] ), d = pnSubD( moves[s.pointCount + i], u ), e = pnSubD( ours, u ), f = pnSubD( ours, fem );
			rotated += pnDotD( d, d );
			linear += pnDotD( e, e );
			same += pnDotD( f, f );
			size += pnDotD( u, u );
			sizeLinear += pnDotD( fem, fem );
		}
		pnTestContext( "pressure %g", blocks[b].pressure );
		pnTestNote( "%g Pa: from NLGEOM %.1f %%, linear %.1f %%; ours from linear elements %.1f %%", blocks[b].pressure, 100.0 * sqrt( rotated / size ), 100.0 * sqrt( linear / size ), 100.0 * sqrt( same / sizeLinear ) );
		ENSURE_MOST( sqrt( rotated / size ), sqrt( linear / size ) + 0.02 );
		ENSURE_MOST( sqrt( same / sizeLinear ), 0.05 );
	}
	free( points );
	free( moves );
	free( triangles );
	pnDestroyKelvin( kelvin );
	FreeSurface( &s );
}

static const pnTest s_tests[] = {
	RUN( BentBeamsAreArcs ),
	RUN( SmallAnswersStay ),
	RUN( FarBentBarsAreNearer ),
	RUN( PushedBlocksAreNoWorse ),
};
SUITE( kelvin_rotate, s_tests );
