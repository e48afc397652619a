// fit.c - one cluster's rest shape, whitened, with an orthonormal basis of its linear and quadratic modes. Knows no solids.
// After Mueller et al. 2005, with the moment matrices A_qq turned into a change of basis, so that the step needs neither of them:
// under the cluster's weights, sum w phi = 0 and sum w phi phi^T = 1, and sums of squares of coefficients are squared distances.
#include "fit.h"

#include "../base/mat3.h"

#include <math.h>

// Thinner than a thousandth of its length a cluster counts as flat: float sums could not tell its thickness from noise.
static const double pn_flatness = 1e-6; // of squared extents
// A monomial that is less than this part independent of those before it is noise in float.
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
	// A symmetric K: whitened axes keep the directions of space, so that rows of a map are those of the body's axes.
	pnMat3d K = { { 0 } }, white = { { 0 } }, missing = { { 0 } };
	for ( int e = 0; e < 3; ++e )
	{
		for ( int k = 0; k < 9; ++k )
		{
			double vv = axes.m[3 * ( k / 3 ) + e] * axes.m[3 * ( k % 3 ) + e];
			K.m[k] += extent[e] * vv;
			white.m[k] += inverse[e] * vv;
			missing.m[k] += extent[e] > 0.0 ? 0.0 : vv;
		}
	}
	for ( int k = 0; k < 9; ++k )
	{
		rest->basis[k] = (float)K.m[k];
	}
	static const int packed[6] = { 0, 4, 8, 1, 5, 6 };
	for ( int k = 0; k < 6; ++k )
	{
		rest->missing[k] = (float)missing.m[packed[k]];
	}
	rest->restDet = rank == 3 ? (float)( extent[0] * extent[1] * extent[2] ) : 0.0f;
	rest->restNorm2 = (float)( extent[0] * extent[0] + extent[1] * extent[1] + extent[2] * extent[2] );
	rest->fullRank = rank == 3 ? 1.0f : 0.0f;

	for ( int i = 0; i < count; ++i )
	{
		members[i].w = (float)( weights[i] / total );
		for ( int a = 0; a < 3; ++a )
		{
			double q = 0.0;
			for ( int b = 0; b < 3; ++b )
			{
				q += white.m[3 * a + b] * ( positions[3 * i + b] - center[b] );
			}
			members[i].q[a] = (float)q;
		}
	}

	// Gram-Schmidt of the quadratic monomials, from moments only: phi[t] = sum_j row[t][j] (e[j] - mean[j]).
	double mean[PN_MONOMIALS] = { 0 }, gram[PN_MONOMIALS][PN_MONOMIALS] = { { 0 } }, e[PN_MONOMIALS];
	for ( int i = 0; i < count; ++i )
	{
		pnMonomials( members[i].q, e );
		for ( int k = 3; k < PN_MONOMIALS; ++k )
		{
			mean[k] += (double)members[i].w * e[k];
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		pnMonomials( members[i].q, e );
		for ( int j = 0; j < PN_MONOMIALS; ++j )
		{
			for ( int k = 0; k <= j; ++k )
			{
				gram[j][k] += (double)members[i].w * ( e[j] - mean[j] ) * ( e[k] - mean[k] );
			}
		}
	}
	for ( int j = 0; j < PN_MONOMIALS; ++j )
	{
		for ( int k = j + 1; k < PN_MONOMIALS; ++k )
		{
			gram[j][k] = gram[k][j];
		}
	}
	double row[PN_MONOMIALS][PN_MONOMIALS] = { { 0 } };
	int at = 0;
	for ( int t = 0; t < PN_MONOMIALS; ++t )
	{
		double r[PN_MONOMIALS] = { 0 };
		r[t] = 1.0;
		for ( int pass = 0; pass < 2; ++pass ) // twice is enough
		{
			// The linear functions all at once: where a direction is missing they are not independent of each other.
			double linear[3] = { 0.0, 0.0, 0.0 };
			for ( int u = 0; u < 3 && u < t; ++u )
			{
				for ( int j = 0; j <= t; ++j )
				{
					linear[u] += r[j] * gram[j][u];
				}
			}
			for ( int u = 0; u < 3 && u < t; ++u )
			{
				r[u] -= linear[u];
			}
			for ( int u = 3; u < t; ++u )
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
		double norm2 = 0.0;
		for ( int j = 0; j <= t; ++j )
		{
			for ( int k = 0; k <= t; ++k )
			{
				norm2 += r[j] * gram[j][k] * r[k];
			}
		}
		bool there = t < 3 ? gram[t][t] > 0.0 : norm2 > pn_dependence * pn_dependence * gram[t][t] && norm2 > 1e-12;
		for ( int j = 0; j <= t; ++j )
		{
			// The linear functions are q itself: by construction orthonormal but for missing directions.
			row[t][j] = t < 3 ? ( j == t ? 1.0 : 0.0 ) : there ? r[j] / sqrt( norm2 ) : 0.0;
			if ( t >= 3 )
			{
				rest->quadratic[at++] = (float)row[t][j];
			}
		}
		if ( t >= 3 )
		{
			rest->mean[t - 3] = (float)mean[t];
			if ( there )
			{
				rest->hasQuadratic = 1.0f;
			}
		}
	}
}

void pnWhiten( const pnClusterRest* rest, const double offset[3], float q[3], float across[3] )
{
	pnMat3d K, v;
	double values[3], inside[3] = { 0.0, 0.0, 0.0 }, white[3] = { 0.0, 0.0, 0.0 };
	for ( int k = 0; k < 9; ++k )
	{
		K.m[k] = rest->basis[k];
	}
	pnEigen3( K, &v, values );
	for ( int e = 0; e < 3; ++e )
	{
		// K was made with extents above pn_flatness or exactly 0; what is left of those zeros is float rounding.
		if ( values[e] > 1e-4 * values[0] && values[e] > 0.0 )
		{
			double along = v.m[e] * offset[0] + v.m[3 + e] * offset[1] + v.m[6 + e] * offset[2];
			for ( int k = 0; k < 3; ++k )
			{
				inside[k] += along * v.m[3 * k + e];
				white[k] += along / values[e] * v.m[3 * k + e];
			}
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		q[k] = (float)white[k];
		across[k] = (float)( offset[k] - inside[k] );
	}
}
