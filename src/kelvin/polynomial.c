// polynomial.c - displacements that are polynomials and in equilibrium. Knows no sources and no surface.
//
// For a vector h of harmonic polynomials of degree n, h + a r^2 grad div h is in equilibrium (Navier) if
//   a = -1 / ( ( 4 n - 2 ) ( 1 - 2 nu ) + 2 ( n - 1 ) ).
// As h, one harmonic polynomial along one axis: with the three axes these are all such fields.
#include "polynomial.h"

#include <string.h>

typedef struct pnMonomial
{
	double factor;
	uint8_t powers[3]; // of x, y, z
} pnMonomial;

enum { PN_MOST_TERMS = 3, PN_HARMONICS = PN_POLYNOMIALS / 3 };

typedef struct pnHarmonic
{
	int degree;
	pnMonomial terms[PN_MOST_TERMS];
} pnHarmonic;

static const pnHarmonic pn_harmonics[PN_HARMONICS] = {
	{ 2, { { 1, { 1, 1, 0 } } } },
	{ 2, { { 1, { 0, 1, 1 } } } },
	{ 2, { { 1, { 1, 0, 1 } } } },
	{ 2, { { 1, { 2, 0, 0 } }, { -1, { 0, 2, 0 } } } },
	{ 2, { { 2, { 0, 0, 2 } }, { -1, { 2, 0, 0 } }, { -1, { 0, 2, 0 } } } },
	{ 3, { { 1, { 1, 1, 1 } } } },
	{ 3, { { 1, { 1, 2, 0 } }, { -1, { 1, 0, 2 } } } },
	{ 3, { { 1, { 0, 1, 2 } }, { -1, { 2, 1, 0 } } } },
	{ 3, { { 1, { 2, 0, 1 } }, { -1, { 0, 2, 1 } } } },
	{ 3, { { 2, { 3, 0, 0 } }, { -3, { 1, 2, 0 } }, { -3, { 1, 0, 2 } } } },
	{ 3, { { 2, { 0, 3, 0 } }, { -3, { 2, 1, 0 } }, { -3, { 0, 1, 2 } } } },
	{ 3, { { 2, { 0, 0, 3 } }, { -3, { 2, 0, 1 } }, { -3, { 0, 2, 1 } } } },
};

typedef struct pnSlopes
{
	double value, first[3], second[3][3], third[3][3][3];
} pnSlopes;

// derivatives[axis][power][k]: the k-th derivative of that power of the coordinate.
typedef double pnPowers[3][4][4];

static void pnFillPowers( const double x[3], pnPowers derivatives )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		double powers[4] = { 1.0, x[axis], x[axis] * x[axis], x[axis] * x[axis] * x[axis] };
		for ( int power = 0; power < 4; ++power )
		{
			double factor = 1.0;
			for ( int k = 0; k < 4; ++k )
			{
				derivatives[axis][power][k] = k <= power ? factor * powers[power - k] : 0.0;
				factor *= power - k;
			}
		}
	}
}

static double pnDerive( const pnHarmonic* harmonic, const pnPowers derivatives, int kx, int ky, int kz )
{
	double sum = 0.0;
	for ( int i = 0; i < PN_MOST_TERMS && harmonic->terms[i].factor != 0.0; ++i )
	{
		const pnMonomial* term = harmonic->terms + i;
		sum += term->factor * derivatives[0][term->powers[0]][kx] * derivatives[1][term->powers[1]][ky] * derivatives[2][term->powers[2]][kz];
	}
	return sum;
}

static void pnGetSlopes( const pnHarmonic* harmonic, const pnPowers derivatives, pnSlopes* to )
{
	to->value = pnDerive( harmonic, derivatives, 0, 0, 0 );
	for ( int i = 0; i < 3; ++i )
	{
		to->first[i] = pnDerive( harmonic, derivatives, i == 0, i == 1, i == 2 );
		for ( int j = i; j < 3; ++j )
		{
			int kx = ( i == 0 ) + ( j == 0 ), ky = ( i == 1 ) + ( j == 1 ), kz = ( i == 2 ) + ( j == 2 );
			to->second[i][j] = to->second[j][i] = pnDerive( harmonic, derivatives, kx, ky, kz );
			for ( int k = j; k < 3; ++k )
			{
				double d = harmonic->degree < 3 ? 0.0 : pnDerive( harmonic, derivatives, kx + ( k == 0 ), ky + ( k == 1 ), kz + ( k == 2 ) );
				to->third[i][j][k] = to->third[i][k][j] = to->third[j][i][k] = to->third[j][k][i] = to->third[k][i][j] = to->third[k][j][i] = d;
			}
		}
	}
}

void pnGetPolynomials( double nu, pnVec3d point, double* u, double* stress )
{
	double x[3] = { point.x, point.y, point.z }, r2 = pnDotD( point, point );
	pnPowers derivatives;
	pnFillPowers( x, derivatives );
	for ( int harmonic = 0; harmonic < PN_HARMONICS; ++harmonic )
	{
		pnSlopes p;
		pnGetSlopes( pn_harmonics + harmonic, derivatives, &p );
		int n = pn_harmonics[harmonic].degree;
		double below = ( 4 * n - 2 ) * ( 1.0 - 2.0 * nu ) + 2 * ( n - 1 ), a = -1.0 / below;
		for ( int i = 0; i < 3; ++i, u += 3, stress += 6 )
		{
			double slope[3][3];
			for ( int j = 0; j < 3; ++j )
			{
				u[j] = ( i == j ? p.value : 0.0 ) + a * r2 * p.second[i][j];
				for ( int k = 0; k < 3; ++k )
				{
					slope[j][k] = ( i == j ? p.first[k] : 0.0 ) + a * ( 2.0 * x[k] * p.second[i][j] + r2 * p.third[i][j][k] );
				}
			}
			// nu / ( 1 - 2 nu ) times the swelling, which goes with 1 - 2 nu
			double pressure = nu * ( 4 * n - 2 ) / below * p.first[i];
			for ( int k = 0; k < 3; ++k )
			{
				stress[k] = slope[k][k] + pressure;
				stress[3 + k] = 0.5 * ( slope[k][( k + 1 ) % 3] + slope[( k + 1 ) % 3][k] ); // xy, yz, zx
			}
		}
	}
}
