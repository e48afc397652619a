// fit.c - one cluster's rest shape, whitened, with an orthonormal basis of its linear and quadratic modes. Knows no solids.
// After Mueller et al. 2005, with the moment matrices A_qq turned into a change of basis, so that the step needs neither of them:
// under the cluster's weights, sum w phi = 0 and sum w phi phi^T = 1, and sums of squares of coefficients are squared distances.
#include "fit.h"

#include "../base/mat3.h"

#include <math.h>

// Thinner than a thousandth of its length a cluster counts as flat: float sums could not tell its thickness from noise.
static const double pn_flatness = 1e-6; // of squared extents
// A function that is left over as less than this part of the monomials it is made of is noise in float.
static const double pn_dependence = 3e-3;

static void pnMonomials( const float q[3], double e[PN_MONOMIALS] )
{
	double x = q[0], y = q[1], z = q[2];
	double all[PN_MONOMIALS] = { x, y, z, x * x, y * y, z * z, x * y, y * z, z * x };
	for ( int k = 0; k < PN_MONOMIALS; ++k )
	{
		e[k] = all[k];
	}
}

typedef double pnPair __attribute__( ( vector_size( 16 ) ) );

// Products of all monomials less their means, summed over the members: two columns at a time, each sum in the order of the members.
static void pnAddGram( const pnMember* members, int count, const double mean[PN_MONOMIALS], double gram[PN_MONOMIALS][PN_MONOMIALS] )
{
	enum { pairs = ( PN_MONOMIALS + 1 ) / 2 };
	pnPair sums[PN_MONOMIALS][pairs] = { { { 0 } } };
	for ( int i = 0; i < count; ++i )
	{
		double e[PN_MONOMIALS], w = (double)members[i].w;
		pnPair d[pairs] = { { 0 } };
		pnMonomials( members[i].q, e );
		for ( int k = 0; k < PN_MONOMIALS; ++k )
		{
			e[k] -= mean[k];
			d[k / 2][k % 2] = e[k];
		}
		for ( int j = 0; j < PN_MONOMIALS; ++j )
		{
			pnPair weighted = { w * e[j], w * e[j] };
			for ( int k = 0; k <= j / 2; ++k )
			{
				sums[j][k] += weighted * d[k];
			}
		}
	}
	for ( int j = 0; j < PN_MONOMIALS; ++j )
	{
		for ( int k = 0; k <= j; ++k )
		{
			gram[j][k] = gram[k][j] = sums[j][k / 2][k % 2];
		}
	}
}

void pnFitCluster( const double* positions, const double* weights, int count, pnMember* members, pnClusterRest* rest, double center[3] )
{
	memset( rest, 0, sizeof *rest );
	double total = 0.0, c[3] = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < count; ++i )
	{
		total += weights[i];
		for ( int k = 0; k < 3; ++k )
		{
			c[k] += weights[i] * ( positions[3 * i + k] - positions[k] ); // relative to the first: no cancellation far away
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		center[k] = positions[k] + c[k] / total;
	}
	rest->share = (float)total;

	pnMat3d moment = { { 0 } };
	for ( int i = 0; i < count; ++i )
	{
		double p[3];
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = positions[3 * i + k] - center[k];
		}
		for ( int k = 0; k < 9; ++k )
		{
			moment.m[k] += weights[i] / total * p[k / 3] * p[k % 3];
		}
	}
	pnMat3d axes;
	double extent2[3], inverse[3], extent[3];
	pnEigen3( moment, &axes, extent2 );
	int rank = 0;
	for ( int e = 0; e < 3; ++e )
	{
		bool there = extent2[e] > pn_flatness * extent2[0] && extent2[e] > 1e-60;
		rank += there;
		extent[e] = there ? sqrt( extent2[e] ) : 0.0;
		inverse[e] = there ? 1.0 / extent[e] : 0.0;
	}
	// Along the principal axes, so that where a direction is missing its coordinate and all monomials with it are exactly zero.
	double norm = sqrt( extent[0] * extent[0] + extent[1] * extent[1] + extent[2] * extent[2] );
	for ( int e = 0; e < 3; ++e )
	{
		rest->missing[e] = extent[e] > 0.0 ? 0.0f : 1.0f;
		for ( int k = 0; k < 3; ++k )
		{
			rest->basis[3 * k + e] = (float)( axes.m[3 * k + e] * ( extent[e] > 0.0 ? extent[e] : norm > 0.0 ? norm : 1.0 ) );
		}
	}
	rest->restDet = rank == 3 ? (float)( extent[0] * extent[1] * extent[2] ) : 0.0f;
	rest->restNorm2 = (float)( extent[0] * extent[0] + extent[1] * extent[1] + extent[2] * extent[2] );
	rest->fullRank = rank == 3 ? 1.0f : 0.0f;

	for ( int i = 0; i < count; ++i )
	{
		members[i].w = (float)( weights[i] / total );
		for ( int e = 0; e < 3; ++e )
		{
			double along = 0.0;
			for ( int k = 0; k < 3; ++k )
			{
				along += axes.m[3 * k + e] * ( positions[3 * i + k] - center[k] );
			}
			members[i].q[e] = (float)( inverse[e] * along );
		}
	}

	// Gram-Schmidt of the quadratic monomials, from moments only: phi[t] = sum_j row[t][j] (e[j] - mean[j]).
	double mean[PN_MONOMIALS] = { 0 }, square[PN_MONOMIALS] = { 0 }, gram[PN_MONOMIALS][PN_MONOMIALS] = { { 0 } }, e[PN_MONOMIALS];
	for ( int i = 0; i < count; ++i )
	{
		pnMonomials( members[i].q, e );
		for ( int k = 0; k < PN_MONOMIALS; ++k )
		{
			mean[k] += k < 3 ? 0.0 : (double)members[i].w * e[k];
			square[k] += (double)members[i].w * e[k] * e[k];
		}
	}
	pnAddGram( members, count, mean, gram );
	double row[PN_MONOMIALS][PN_MONOMIALS] = { { 0 } };
	int at = 0;
	for ( int t = 0; t < 3; ++t )
	{
		row[t][t] = 1.0; // the linear functions are q itself, orthonormal as they are
	}
	for ( int t = 3; t < PN_MONOMIALS; ++t )
	{
		double r[PN_MONOMIALS] = { 0 };
		r[t] = 1.0;
		for ( int pass = 0; pass < 2; ++pass ) // twice is enough
		{
			for ( int u = 0; u < t; ++u )
			{
				double dot = 0.0;
				for ( int j = 0; j <= t; ++j )
				{
					for ( int k = 0; k <= u; ++k )
					{
						dot += r[j] * gram[j][k] * row[u][k];
					}
				}
				for ( int k = 0; k <= u; ++k )
				{
					r[k] -= dot * row[u][k];
				}
			}
		}
		double norm2 = 0.0, parts2 = 0.0;
		for ( int j = 0; j <= t; ++j )
		{
			parts2 += r[j] * r[j] * square[j];
			for ( int k = 0; k <= t; ++k )
			{
				norm2 += r[j] * gram[j][k] * r[k];
			}
		}
		bool there = norm2 > pn_dependence * pn_dependence * parts2 && norm2 > 1e-12;
		for ( int j = 0; j <= t; ++j )
		{
			row[t][j] = there ? r[j] / sqrt( norm2 ) : 0.0;
			rest->quadratic[at++] = (float)row[t][j];
		}
		rest->mean[t - 3] = (float)mean[t];
		rest->hasQuadratic = there ? 1.0f : rest->hasQuadratic;
	}
}

void pnTrueBasis( const pnClusterRest* rest, double K[9] )
{
	for ( int k = 0; k < 9; ++k )
	{
		K[k] = rest->missing[k % 3] > 0.5f ? 0.0 : (double)rest->basis[k];
	}
}

void pnWhiten( const pnClusterRest* rest, const double offset[3], float q[3], float across[3] )
{
	double left[3] = { offset[0], offset[1], offset[2] };
	for ( int e = 0; e < 3; ++e )
	{
		double axis[3] = { rest->basis[e], rest->basis[3 + e], rest->basis[6 + e] };
		double length2 = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
		double along = rest->missing[e] > 0.5f ? 0.0 : ( axis[0] * offset[0] + axis[1] * offset[1] + axis[2] * offset[2] ) / length2;
		q[e] = (float)along;
		for ( int k = 0; k < 3; ++k )
		{
			left[k] -= along * axis[k];
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		across[k] = (float)left[k];
	}
}
