// tear.c - where a body that is stretched too far gives way. Knows one body, cuts nothing.
// A tear begins across the largest stretch, as O'Brien and Hodgins 1999 let elements break across the largest tension, and goes on in its
// plane of the rest shape: a new one for each cluster would leave shreds.
#include "tear.h"

#include "../base/mat3.h"

#include <math.h>

static const double pn_tearReach = 2.0; // of the cluster's half width: far enough beyond it that a neck parts at once, and few sweeps make a long tear
static const double pn_anewStretch = 1.3; // of what it bears: where it tears anew although a tear is there

static const float pn_settling = 0.5f; // of a piece's newness

typedef struct pnStrained { double stretch, normal[3], center[3], wide; } pnStrained; // normal and centre at rest

// How a cluster is stretched most: the fit to where its particles are, rest -> here.
static bool pnGetStretch( const pnBody* body, int cluster, pnStrained* out )
{
	const pnSolid* form = body->match.form;
	const pnClusterRest* rest = form->clusters + cluster;
	if ( rest->fullRank < 0.5f )
	{
		return false;
	}
	pnMat3d L = { { 0 } }, K, u, v;
	double s[3];
	for ( int i = 0; i < 9; ++i )
	{
		K.m[i] = rest->basis[i];
	}
	int start = form->clusterStart[cluster], end = start + form->clusterSize[cluster];
	const float* near = (const float*)( (const char*)body->match.x + form->memberPoint[start] );
	for ( int m = start; m < end; ++m )
	{
		const float* x = (const float*)( (const char*)body->match.x + form->memberPoint[m] );
		for ( int i = 0; i < 9; ++i )
		{
			L.m[i] += (double)form->members[m].w * ( (double)x[i / 3] - (double)near[i / 3] ) * (double)form->members[m].q[i % 3];
		}
	}
	pnSvd3( pnMul3( L, pnInverse3( K ) ), &u, s, &v );
	out->stretch = s[0];
	out->wide = sqrt( (double)rest->restNorm2 );
	for ( int i = 0; i < 3; ++i )
	{
		out->normal[i] = v.m[3 * i];
		out->center[i] = (double)form->clusterCenter[3 * cluster + i];
	}
	return true;
}

// A quad of the plane through the cluster, as wide as its particles at rest.
static bool pnMakeTear( const pnSolid* solid, int cluster, const double normal[3], const double center[3], pnBlade* blade )
{
	pnVec3 n = { (float)normal[0], (float)normal[1], (float)normal[2] }, at = { (float)center[0], (float)center[1], (float)center[2] };
	pnBlade plane;
	if ( !pnMakePlaneBlade( at, n, &plane ) )
	{
		return false;
	}
	double reach[2] = { 0.0, 0.0 };
	for ( int m = solid->clusterStart[cluster]; m < solid->clusterStart[cluster] + solid->clusterSize[cluster]; ++m )
	{
		double flat[2];
		pnFlatten( &plane, solid->rest[solid->memberPoint[m] / 16], flat );
		for ( int k = 0; k < 2; ++k )
		{
			reach[k] = fabs( flat[k] ) > reach[k] ? fabs( flat[k] ) : reach[k];
		}
	}
	pnVec3 quad[4];
	for ( int i = 0; i < 4; ++i )
	{
		double a = ( i == 0 || i == 3 ? -pn_tearReach : pn_tearReach ) * reach[0], b = ( i < 2 ? -pn_tearReach : pn_tearReach ) * reach[1];
		for ( int k = 0; k < 3; ++k )
		{
			( &quad[i].x )[k] = (float)( plane.origin[k] + a * plane.u[k] + b * plane.v[k] );
		}
	}
	return pnMakeQuadBlade( quad, blade );
}

// Is there anything left for it to part?
static bool pnPartsLinks( const pnSolid* solid, const pnBlade* blade )
{
	bool parts = solid->linkCount == 0;
	for ( int p = 0; p < solid->particleCount && !parts; ++p )
	{
		for ( int k = solid->linkStart[p]; k < solid->linkStart[p + 1] && !parts; ++k )
		{
			parts = solid->links[k] > p && pnPassesBlade( blade, solid->rest[p], solid->rest[solid->links[k]] );
		}
	}
	return parts;
}

bool pnFindTear( const pnBody* body, pnBlade* blade, float plane[4] )
{
	const pnSolid* solid = body->solid;
	const float* torn = solid->tear;
	bool begun = torn[0] != 0.0f || torn[1] != 0.0f || torn[2] != 0.0f, found = false;
	double most = 0.0, widest = 0.0;
	if ( !begun && body->newness > pn_settling )
	{
		return false; // a piece that has just come off swings back first
	}
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		double wide = sqrt( (double)solid->clusters[c].restNorm2 );
		widest = wide > widest ? wide : widest;
	}
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		pnStrained strained;
		if ( !pnGetStretch( body, c, &strained ) || strained.stretch <= (double)body->material.tear || strained.wide < 0.4 * widest )
		{
			continue; // shreds of clusters, such as a tear leaves, are stretched by any little thing
		}
		double height = 0.0, offset = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			height += (double)torn[k] * ( strained.center[k] + solid->center[k] );
		}
		height -= (double)torn[3];
		bool goesOn = begun && fabs( height ) < 0.75 * strained.wide;
		double worth = strained.stretch + ( goesOn ? 1e6 : 0.0 ); // going on comes first
		if ( worth <= most || ( begun && !goesOn && strained.stretch < pn_anewStretch * (double)body->material.tear ) )
		{
			continue;
		}
		for ( int k = 0; k < 3 && goesOn; ++k )
		{
			strained.center[k] -= height * (double)torn[k];
			strained.normal[k] = (double)torn[k];
		}
		pnBlade next;
		if ( pnMakeTear( solid, c, strained.normal, strained.center, &next ) && pnPartsLinks( solid, &next ) )
		{
			most = worth;
			found = true;
			*blade = next;
			for ( int k = 0; k < 3; ++k )
			{
				plane[k] = goesOn ? torn[k] : (float)next.n[k];
				offset += next.n[k] * ( strained.center[k] + solid->center[k] );
			}
			plane[3] = goesOn ? torn[3] : (float)offset;
		}
	}
	return found;
}
