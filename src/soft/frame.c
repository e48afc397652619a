// frame.c - fits of single clusters to where their particles are now, in double, on request. Knows no time and no world.
#include "frame.h"

#include "../base/mat3.h"
#include "fit.h"

#include <math.h>

// A bend that the particles hardly show (two layers and a few strays) is steep between them: good for the particles, of which it knows all,
// but not for what lies elsewhere.
static const float pn_steepest = 8.0f;

static void pnMoments( const pnMatchBody* body, int cluster, double center[3], double moment[3][PN_MONOMIALS] )
{
	const pnSolid* form = body->form;
	int start = form->clusterStart[cluster], count = form->clusterSize[cluster];
	const float* near = (const float*)( (const char*)body->x + form->memberPoint[start] );
	double sum[3] = { 0 }, total = 0.0;
	memset( moment, 0, 3 * sizeof moment[0] );
	for ( int i = start; i < start + count; ++i )
	{
		const pnMember* m = form->members + i;
		const float* x = (const float*)( (const char*)body->x + form->memberPoint[i] );
		double q0 = m->q[0], q1 = m->q[1], q2 = m->q[2];
		double e[PN_MONOMIALS] = { q0, q1, q2, q0 * q0, q1 * q1, q2 * q2, q0 * q1, q1 * q2, q2 * q0 };
		total += m->w;
		for ( int k = 0; k < 3; ++k )
		{
			double p = (double)m->w * ( (double)x[k] - (double)near[k] );
			sum[k] += p;
			for ( int j = 0; j < PN_MONOMIALS; ++j )
			{
				moment[k][j] += p * e[j];
			}
		}
	}
	const float* mean = form->clusters[cluster].mean;
	for ( int k = 0; k < 3; ++k )
	{
		double offset = sum[k] / total;
		center[k] = (double)near[k] + offset;
		for ( int j = 3; j < PN_MONOMIALS; ++j )
		{
			moment[k][j] -= offset * (double)mean[j - 3];
		}
	}
}

static pnMat3d pnTrueBasisOf( const pnClusterRest* rest )
{
	pnMat3d K;
	pnTrueBasis( rest, K.m );
	return K;
}

pnFrame pnComputeFrame( const pnMatchBody* body, int cluster, pnMode mode )
{
	const pnClusterRest* rest = body->form->clusters + cluster;
	const pnCluster* state = body->clusters + cluster;
	double center[3], A[3][PN_MONOMIALS];
	pnMoments( body, cluster, center, A );
	pnMat3d L, P;
	for ( int k = 0; k < 9; ++k )
	{
		P.m[k] = state->plastic[k];
	}
	pnMat3d PK = pnMul3( P, pnTrueBasisOf( rest ) );
	for ( int k = 0; k < 9; ++k )
	{
		L.m[k] = A[k / 3][k % 3];
	}
	const float* q = state->rotation;
	pnMat3d B = pnMulT3( L, PK ), turn = pnFromQuat3( q[0], q[1], q[2], q[3] );
	pnMat3d R = pnNearestRotation3( B, turn );

	pnFrame frame = { 0 };
	double map[3][PN_MONOMIALS] = { { 0 } };
	if ( mode == pn_rigidMode )
	{
		L = pnMul3( R, PK );
	}
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			map[i][j] = L.m[3 * i + j];
			frame.rotation[i][j] = (float)R.m[3 * i + j];
		}
		double base = center[i];
		int at = 0;
		for ( int t = 0; t < 6; ++t ) // coefficient of phi[3+t], and what it adds to each monomial
		{
			const float* row = rest->quadratic + at;
			double c = 0.0;
			bool steep = false;
			for ( int j = 0; j <= 3 + t; ++j )
			{
				c += (double)row[j] * A[i][j];
				steep = steep || fabsf( row[j] ) > pn_steepest;
			}
			c = steep ? 0.0 : c;
			for ( int j = 0; j <= 3 + t && mode == pn_quadraticMode; ++j )
			{
				map[i][j] += c * (double)row[j];
			}
			at += 4 + t;
		}
		for ( int j = 0; j < PN_MONOMIALS; ++j )
		{
			frame.map[i][j] = (float)map[i][j];
			base -= j < 3 ? 0.0 : map[i][j] * (double)rest->mean[j - 3];
		}
		frame.center[i] = (float)base;
	}
	return frame;
}

void pnLinearMap( const pnMatchBody* body, int cluster, const pnFrame* frame, double map[9], double center[3] )
{
	const pnClusterRest* rest = body->form->clusters + cluster;
	double A[3][PN_MONOMIALS];
	pnMoments( body, cluster, center, A );
	// Column by column: what the fit makes of an axis, or the turn where there is no extent along it.
	pnMat3d M = { { 0 } };
	for ( int e = 0; e < 3; ++e )
	{
		double axis[3] = { rest->basis[e], rest->basis[3 + e], rest->basis[6 + e] }, image[3];
		double length2 = axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2];
		for ( int i = 0; i < 3; ++i )
		{
			const float* r = frame->rotation[i];
			image[i] = rest->missing[e] > 0.5f ? r[0] * axis[0] + r[1] * axis[1] + r[2] * axis[2] : A[i][e];
		}
		for ( int k = 0; k < 9; ++k )
		{
			M.m[k] += image[k / 3] * axis[k % 3] / length2;
		}
	}
	memcpy( map, M.m, sizeof M.m );
}
