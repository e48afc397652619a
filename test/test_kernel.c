// test_kernel.c - a point force in an endless solid: its fields obey elasticity, and it pushes with just its force. Knows the kernels only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "test.h"

#include "kelvin/kernel.h"

#include <string.h>

enum { mostSources = 24, mostColumns = 3 * mostSources + PN_LINEAR_FIELDS };

// A swapped index in the traction shows little at 0.45 and nothing at 0.5, so small and negative ratios are here too.
static const double s_ratios[] = { 0.0, 0.25, 0.45, -0.5, 0.499 };
enum { ratioCount = sizeof( s_ratios ) / sizeof( s_ratios[0] ) };

typedef struct Sources
{
	double x[mostSources + 8], y[mostSources + 8], z[mostSources + 8];
	pnBasis basis;
} Sources;

static pnVec3d RandomIn( pnRandom* random, double lower, double upper )
{
	double x = pnRandomIn( random, lower, upper ), y = pnRandomIn( random, lower, upper ), z = pnRandomIn( random, lower, upper );
	return pnMakeD( x, y, z );
}

static pnVec3d RandomUnit( pnRandom* random )
{
	pnVec3d v = RandomIn( random, -1.0, 1.0 );
	while ( pnLengthD( v ) < 0.1 || pnLengthD( v ) > 1.0 )
	{
		v = RandomIn( random, -1.0, 1.0 );
	}
	return pnUnitD( v );
}

// Sources between 2 and 3 along each axis: away from places within 1 of the origin.
static void MakeSources( Sources* sources, int count, double poissonRatio, uint64_t seed )
{
	pnRandom random = pnSeed( seed );
	memset( sources, 0, sizeof( *sources ) );
	for ( int i = 0; i < mostSources + 8; ++i )
	{
		pnVec3d p = i < count ? RandomIn( &random, 2.0, 3.0 ) : pnMakeD( 9.0, 9.0, 9.0 );
		sources->x[i] = p.x;
		sources->y[i] = p.y;
		sources->z[i] = p.z;
	}
	sources->basis = ( pnBasis ){ .x = sources->x, .y = sources->y, .z = sources->z, .sourceCount = count, .poissonRatio = poissonRatio };
}

static void ReadRow( const double* rows, int columns, int column, double v[3] )
{
	for ( int a = 0; a < 3; ++a )
	{
		v[a] = rows[a * columns + column];
	}
}

// Stress (over 2 G, if displacements are as they are; as it is, if they are 2 G u) by differences of fourth order.
static void DifferentiateColumn( const pnBasis* basis, int column, pnVec3d point, double stress[6] )
{
	double gradient[3][3], h = 2e-3, rows[4][3 * mostColumns];
	int columns = pnGetColumnCount( basis );
	for ( int k = 0; k < 3; ++k )
	{
		static const double steps[4] = { -2.0, -1.0, 1.0, 2.0 };
		for ( int s = 0; s < 4; ++s )
		{
			double d[3] = { 0.0, 0.0, 0.0 };
			d[k] = steps[s] * h;
			pnFillRows( basis, pnMakeD( point.x + d[0], point.y + d[1], point.z + d[2] ), pnMakeD( 1.0, 0.0, 0.0 ), rows[s], NULL );
		}
		for ( int j = 0; j < 3; ++j )
		{
			int at = j * columns + column;
			gradient[j][k] = ( 8.0 * ( rows[2][at] - rows[1][at] ) - ( rows[3][at] - rows[0][at] ) ) / ( 12.0 * h );
		}
	}
	double nu = basis->poissonRatio, swelling = nu / ( 1.0 - 2.0 * nu ) * ( gradient[0][0] + gradient[1][1] + gradient[2][2] );
	stress[0] = gradient[0][0] + swelling;
	stress[1] = gradient[1][1] + swelling;
	stress[2] = gradient[2][2] + swelling;
	stress[3] = 0.5 * ( gradient[0][1] + gradient[1][0] );
	stress[4] = 0.5 * ( gradient[1][2] + gradient[2][1] );
	stress[5] = 0.5 * ( gradient[2][0] + gradient[0][2] );
}

static void TractionIsStressOfTheDifferentiatedDisplacement( void )
{
	double worst = 0.0;
	for ( int r = 0; r < ratioCount; ++r )
	{
		static Sources sources;
		MakeSources( &sources, 5, s_ratios[r], 7 );
		int columns = pnGetColumnCount( &sources.basis );
		ENSURE( columns == 27 );
		pnRandom random = pnSeed( 11 );
		for ( int trial = 0; trial < 6; ++trial )
		{
			pnVec3d p = RandomIn( &random, -0.5, 0.5 ), n = RandomUnit( &random );
			double traction[3 * mostColumns], displacement[3 * mostColumns];
			pnFillRows( &sources.basis, p, n, displacement, traction );
			for ( int c = 0; c < columns; ++c )
			{
				double stress[6], got[3];
				DifferentiateColumn( &sources.basis, c, p, stress );
				pnVec3d t = pnStressTimes( stress, n );
				ReadRow( traction, columns, c, got );
				double scale = c < 15 ? 0.02 : 1.0; // a force at distance 4 makes tractions of about 1 / ( 4 pi 16 )
				double error = fmax( fabs( got[0] - t.x ), fmax( fabs( got[1] - t.y ), fabs( got[2] - t.z ) ) ) / scale;
				worst = fmax( worst, error );
				pnTestContext( "nu %g, column %d", s_ratios[r], c );
				ENSURE_MOST( error, 1e-7 ); // differences lose digits where nu / (1 - 2 nu) is 250
			}
		}
	}
	pnTestNote( "worst %.1e", worst );
}

// Kelvin's own formula: 2 G u = ( ( 3 - 4 nu ) f + g ( g.f ) ) / ( 8 pi ( 1 - nu ) r ).
static void DisplacementIsKelvins( void )
{
	for ( int r = 0; r < ratioCount; ++r )
	{
		static Sources sources;
		double nu = s_ratios[r];
		MakeSources( &sources, 13, nu, 3 ); // not a multiple of any width
		int columns = pnGetColumnCount( &sources.basis );
		pnVec3d p = { 0.3, -0.2, 0.4 };
		double rows[3 * mostColumns];
		pnFillRows( &sources.basis, p, pnMakeD( 0.0, 0.0, 1.0 ), rows, NULL );
		for ( int i = 0; i < 13; ++i )
		{
			double d[3] = { p.x - sources.x[i], p.y - sources.y[i], p.z - sources.z[i] };
			double length = sqrt( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
			for ( int load = 0; load < 3; ++load )
			{
				for ( int j = 0; j < 3; ++j )
				{
					double expected = ( ( load == j ? 3.0 - 4.0 * nu : 0.0 ) + d[load] * d[j] / ( length * length ) ) / ( 8.0 * M_PI * ( 1.0 - nu ) * length );
					ENSURE_NEAR( rows[j * columns + load * 13 + i], expected, 1e-14 );
				}
			}
		}
	}
}

// Force and torque of a column on a sphere around `center`: trapezoids along circles, Gauss's places between the poles.
static void SumOverSphere( const pnBasis* basis, int column, pnVec3d center, double radius, double force[3], double torque[3], double* flux )
{
	enum { rings = 40, around = 80 };
	int columns = pnGetColumnCount( basis );
	memset( force, 0, 3 * sizeof( double ) );
	memset( torque, 0, 3 * sizeof( double ) );
	*flux = 0.0;
	for ( int i = 0; i < rings; ++i )
	{
		// a zero of Legendre's polynomial by Newton's method
		double c = cos( M_PI * ( i + 0.75 ) / ( rings + 0.5 ) ), slope = 1.0;
		for ( int step = 0; step < 20; ++step )
		{
			double p0 = 1.0, p1 = c;
			for ( int k = 2; k <= rings; ++k )
			{
				double p2 = ( ( 2 * k - 1 ) * c * p1 - ( k - 1 ) * p0 ) / k;
				p0 = p1;
				p1 = p2;
			}
			slope = rings * ( c * p1 - p0 ) / ( c * c - 1.0 );
			c -= p1 / slope;
		}
		double weight = 2.0 / ( ( 1.0 - c * c ) * slope * slope ) * 2.0 * M_PI / around * radius * radius, s = sqrt( 1.0 - c * c );
		for ( int j = 0; j < around; ++j )
		{
			double angle = 2.0 * M_PI * j / around, rows[3 * mostColumns], displacement[3 * mostColumns], t[3], u[3];
			pnVec3d n = pnMakeD( s * cos( angle ), s * sin( angle ), c ), p = pnMulAddD( center, radius, n );
			pnFillRows( basis, p, n, displacement, rows );
			ReadRow( rows, columns, column, t );
			ReadRow( displacement, columns, column, u );
			pnVec3d q = pnCrossD( p, pnMakeD( t[0], t[1], t[2] ) );
			double turn[3] = { q.x, q.y, q.z };
			for ( int a = 0; a < 3; ++a )
			{
				force[a] += weight * t[a];
				torque[a] += weight * turn[a];
			}
			*flux += weight * ( u[0] * n.x + u[1] * n.y + u[2] * n.z );
		}
	}
}

// What is around a source is pushed by it with 1, so the rest holds it with -1; where there is no source nothing is left over.
static void TractionsAroundASourceSumToMinusItsForce( void )
{
	for ( int r = 0; r < ratioCount; ++r )
	{
		static Sources sources;
		MakeSources( &sources, 1, s_ratios[r], 5 );
		pnVec3d source = { sources.x[0], sources.y[0], sources.z[0] };
		for ( int load = 0; load < 3; ++load )
		{
			double force[3], torque[3], flux;
			pnTestContext( "nu %g, load %d", s_ratios[r], load );
			SumOverSphere( &sources.basis, load, pnMulAddD( source, 0.15, pnMakeD( 1.0, -1.0, 0.5 ) ), 1.0, force, torque, &flux );
			pnVec3d f = { load == 0 ? 1.0 : 0.0, load == 1 ? 1.0 : 0.0, load == 2 ? 1.0 : 0.0 };
			pnVec3d q = pnCrossD( source, f );
			double expected[3] = { f.x, f.y, f.z }, turn[3] = { q.x, q.y, q.z };
			for ( int a = 0; a < 3; ++a )
			{
				ENSURE_NEAR( force[a], -expected[a], 1e-10 );
				ENSURE_NEAR( torque[a], -turn[a], 1e-10 );
			}
			SumOverSphere( &sources.basis, load, pnMakeD( 0.0, 0.0, 0.0 ), 1.5, force, torque, &flux );
			for ( int a = 0; a < 3; ++a )
			{
				ENSURE_NEAR( force[a], 0.0, 1e-10 );
				ENSURE_NEAR( torque[a], 0.0, 1e-10 );
			}
		}
	}
}

static void StressIsInEquilibriumAwayFromSources( void )
{
	double worst = 0.0;
	for ( int r = 0; r < ratioCount; ++r )
	{
		static Sources sources;
		MakeSources( &sources, 20, s_ratios[r], 9 );
		int columns = pnGetColumnCount( &sources.basis );
		double strengths[mostColumns];
		pnRandom random = pnSeed( 13 );
		for ( int c = 0; c < columns; ++c )
		{
			strengths[c] = pnRandomIn( &random, -1.0, 1.0 );
		}
		for ( int trial = 0; trial < 10; ++trial )
		{
			pnVec3d p = RandomIn( &random, -0.5, 0.5 );
			double divergence[3] = { 0.0, 0.0, 0.0 }, h = 2e-3;
			for ( int k = 0; k < 3; ++k )
			{
				for ( int s = -2; s <= 2; ++s )
				{
					static const double factors[5] = { 1.0, -8.0, 0.0, 8.0, -1.0 };
					double d[3] = { 0.0, 0.0, 0.0 }, stress[6];
					d[k] = s * h;
					pnSumFields( &sources.basis, strengths, pnMakeD( p.x + d[0], p.y + d[1], p.z + d[2] ), NULL, stress );
					static const int columnOf[3][3] = { { 0, 3, 5 }, { 3, 1, 4 }, { 5, 4, 2 } };
					for ( int j = 0; j < 3; ++j )
					{
						divergence[j] += factors[s + 2] * stress[columnOf[k][j]] / ( 12.0 * h );
					}
				}
			}
			for ( int j = 0; j < 3; ++j )
			{
				worst = fmax( worst, fabs( divergence[j] ) );
				ENSURE_MOST( fabs( divergence[j] ), 1e-9 );
			}
		}
	}
	pnTestNote( "worst %.1e", worst );
}

// Rows and sums are two ways to the same fields, for any number of sources.
static void SumsAreRowsTimesStrengths( void )
{
	for ( int count = 1; count <= mostSources; ++count )
	{
		static Sources sources;
		MakeSources( &sources, count, 0.3, 17 + count );
		int columns = pnGetColumnCount( &sources.basis );
		pnRandom random = pnSeed( count );
		double strengths[mostColumns], u[3 * mostColumns], t[3 * mostColumns], stress[6];
		for ( int c = 0; c < columns; ++c )
		{
			strengths[c] = pnRandomIn( &random, -1.0, 1.0 );
		}
		pnVec3d p = RandomIn( &random, -0.5, 0.5 ), n = RandomUnit( &random ), displacement;
		pnFillRows( &sources.basis, p, n, u, t );
		pnSumFields( &sources.basis, strengths, p, &displacement, stress );
		pnVec3d traction = pnStressTimes( stress, n );
		double gotU[3] = { displacement.x, displacement.y, displacement.z }, gotT[3] = { traction.x, traction.y, traction.z };
		pnTestContext( "%d sources", count );
		for ( int j = 0; j < 3; ++j )
		{
			double sumU = 0.0, sumT = 0.0;
			for ( int c = 0; c < columns; ++c )
			{
				sumU += u[j * columns + c] * strengths[c];
				sumT += t[j * columns + c] * strengths[c];
			}
			ENSURE_NEAR( gotU[j], sumU, 1e-13 );
			ENSURE_NEAR( gotT[j], sumT, 1e-13 );
		}
	}
}

// Twelve linear fields: none is a sum of the others, the six rigid ones have no stress.
static void LinearFieldsAreTwelve( void )
{
	enum { places = 8 };
	double gram[PN_LINEAR_FIELDS][PN_LINEAR_FIELDS];
	memset( gram, 0, sizeof( gram ) );
	for ( int p = 0; p < places; ++p )
	{
		double values[PN_LINEAR_FIELDS][3];
		for ( int field = 0; field < PN_LINEAR_FIELDS; ++field )
		{
			pnVec3d u;
			double stress[6];
			pnGetLinearField( field, 0.3, pnMakeD( p & 1 ? 1.0 : -1.0, p & 2 ? 1.0 : -1.0, p & 4 ? 1.0 : -1.0 ), &u, stress );
			values[field][0] = u.x;
			values[field][1] = u.y;
			values[field][2] = u.z;
			for ( int k = 0; k < 6; ++k )
			{
				ENSURE( field >= 6 || stress[k] == 0.0 );
			}
		}
		for ( int i = 0; i < PN_LINEAR_FIELDS; ++i )
		{
			for ( int j = 0; j < PN_LINEAR_FIELDS; ++j )
			{
				gram[i][j] += values[i][0] * values[j][0] + values[i][1] * values[j][1] + values[i][2] * values[j][2];
			}
		}
	}
	// Gauss's elimination of a positive matrix: a pivot that vanishes tells a dependent field
	for ( int i = 0; i < PN_LINEAR_FIELDS; ++i )
	{
		pnTestContext( "field %d", i );
		ENSURE( gram[i][i] > 1e-3 );
		for ( int j = i + 1; j < PN_LINEAR_FIELDS; ++j )
		{
			double factor = gram[j][i] / gram[i][i];
			for ( int k = i; k < PN_LINEAR_FIELDS; ++k )
			{
				gram[j][k] -= factor * gram[i][k];
			}
		}
	}
}

static const pnTest s_tests[] = {
	RUN( TractionIsStressOfTheDifferentiatedDisplacement ),
	RUN( DisplacementIsKelvins ),
	RUN( TractionsAroundASourceSumToMinusItsForce ),
	RUN( StressIsInEquilibriumAwayFromSources ),
	RUN( SumsAreRowsTimesStrengths ),
	RUN( LinearFieldsAreTwelve ),
};
SUITE( kernel, s_tests );
