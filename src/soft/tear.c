// tear.c - where a body that is stretched too far gives way. Knows one body, cuts nothing.
// Across the largest stretch, as O'Brien and Hodgins 1999 let elements break across the largest tension.
#include "tear.h"

#include "../base/mat3.h"

#include <math.h>

static const double pn_tearReach = 1.1; // of the cluster's half width

// The fit of a cluster to where its particles are: rest -> here.
static bool pnGetStretch( const pnBody* body, int cluster, pnMat3d* directions, double stretches[3], double center[3] )
{
	const pnSolid* form = body->match.form;
	const pnClusterRest* rest = form->clusters + cluster;
	if ( rest->fullRank < 0.5f )
	{
		return false;
	}
	pnMat3d L, K, v;
	double sum[3] = { 0 };
	for ( int i = 0; i < 9; ++i )
	{
		K.m[i] = rest->basis[i];
		L.m[i] = 0.0;
	}
	int start = form->clusterStart[cluster], end = start + form->clusterSize[cluster];
	const float* near = (const float*)( (const char*)body->match.x + form->memberPoint[start] );
	for ( int m = start; m < end; ++m )
	{
		const float* x = (const float*)( (const char*)body->match.x + form->memberPoint[m] );
		for ( int i = 0; i < 3; ++i )
		{
			double p = (double)form->members[m].w * ( (double)x[i] - (double)near[i] );
			sum[i] += p;
			for ( int j = 0; j < 3; ++j )
			{
				L.m[3 * i + j] += p * (double)form->members[m].q[j];
			}
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		center[i] = (double)near[i] + sum[i];
	}
	pnSvd3( pnMul3( L, pnInverse3( K ) ), directions, stretches, &v );
	return true;
}

bool pnFindTear( const pnBody* body, pnBlade* blade )
{
	const pnSolid* form = body->match.form;
	double most = (double)body->material.tear, at[3];
	int worst = -1;
	pnMat3d across;
	for ( int c = 0; c < form->clusterCount; ++c )
	{
		pnMat3d directions;
		double stretches[3], center[3];
		if ( pnGetStretch( body, c, &directions, stretches, center ) && stretches[0] > most )
		{
			most = stretches[0], worst = c, across = directions;
			memcpy( at, center, sizeof at );
		}
	}
	if ( worst < 0 )
	{
		return false;
	}
	// As wide as its particles lie, in the plane across.
	double reach[2] = { 0.0, 0.0 };
	for ( int m = form->clusterStart[worst]; m < form->clusterStart[worst] + form->clusterSize[worst]; ++m )
	{
		const float* x = (const float*)( (const char*)body->match.x + form->memberPoint[m] );
		for ( int k = 0; k < 2; ++k )
		{
			double along = 0.0;
			for ( int i = 0; i < 3; ++i )
			{
				along += ( (double)x[i] - at[i] ) * across.m[3 * i + 1 + k];
			}
			reach[k] = fabs( along ) > reach[k] ? fabs( along ) : reach[k];
		}
	}
	pnVec3 quad[4];
	for ( int i = 0; i < 4; ++i )
	{
		double a = i == 0 || i == 3 ? -pn_tearReach : pn_tearReach, b = i < 2 ? -pn_tearReach : pn_tearReach;
		for ( int k = 0; k < 3; ++k )
		{
			( &quad[i].x )[k] = (float)( at[k] + a * reach[0] * across.m[3 * k + 1] + b * reach[1] * across.m[3 * k + 2] );
		}
	}
	return pnMakeQuadBlade( quad, blade );
}
