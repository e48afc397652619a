// tear.c - where a body that is stretched too far gives way. Knows one body, cuts nothing.
//
// A crack begins in the cluster that is stretched most, across its largest stretch, as O'Brien and Hodgins 1999 let elements break across the largest
// tension, and runs on in its plane of the rest shape: a new plane for each cluster would leave shreds. It begins and runs on only while the strain
// that it relieves pays for its new surface (Griffith): what the clusters hold that it parts is at least toughness times its area. What that costs
// is owed by the pieces (govern.c). So clay that has flowed far and holds nothing any more does not fall to crumbs, nor does what swings about.
//
// A piece recoils, and swings as far as it was drawn out before. That was held once, and holds again: a crack that begins in a piece is paid for by what was put in
// since, the energy that the piece has above the least it ever had. And news of a parting travels like a crack, at the speed of waves in the body: w
// times the radius of its clusters. Until it has been through a piece no other crack begins there. Brittle is what asks nothing for its surface, and waits for nobody.
#include "tear.h"

#include "../base/mat3.h"
#include "carve.h"

#include <math.h>

static const double pn_tearReach = 2.0; // of the cluster's half width: far enough beyond it that a neck parts at once, and few sweeps make a long tear
static const double pn_runOn = 0.5; // of the strain that a crack begins at: by its tip it asks for less, there strain is concentrated
static const double pn_aside = 0.75; // of a cluster's radius: a crack that passes it farther away leaves it whole
static const double pn_beside = 0.5; // of a cluster's radius: another one is beside it, not in its place
static const double pn_shred = 0.4; // of the widest cluster: what is smaller is what a tear has left, and is stretched by any little thing
static const double pn_unsure = 0.02; // of the energy: the account lets a hundredth come and go (govern.c), either way
static const double pn_eased = 6.0; // crossings of a wave, there and back three times: what is thick in parts is slower than the radius of its clusters says. With 2 jelly shatters (tear.AnyBoneMakesFewPieces)

static const double pn_rough = 0.3, pn_grain = 1.5; // of the points' spacing: how far a torn face departs from its plane, and over which way. Its slope is at most 4 rough / grain (blade.c): 39 degrees, so that it is known again

enum { PN_FEWEST = 4 }; // clusters of a piece in which a crack begins: in less there is nothing that one part of it could pull against

typedef struct pnStrained { double stretch, normal[3], center[3], wide; pnMat3d map; } pnStrained; // normal and centre at rest; map: rest -> here

// The fit of a cluster to where its particles are: rest -> here.
static bool pnFitCluster( const pnBody* body, int cluster, pnMat3d* map )
{
	const pnSolid* form = body->match.form;
	const pnClusterRest* rest = form->clusters + cluster;
	if ( rest->fullRank < 0.5f )
	{
		return false;
	}
	pnMat3d L = { { 0 } }, K;
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
	*map = pnMul3( L, pnInverse3( K ) );
	return true;
}

// How a cluster is stretched most.
static bool pnGetStretch( const pnBody* body, int cluster, pnStrained* out )
{
	const pnSolid* form = body->match.form;
	const pnClusterRest* rest = form->clusters + cluster;
	pnMat3d u, v;
	double s[3];
	if ( !pnFitCluster( body, cluster, &out->map ) )
	{
		return false;
	}
	pnSvd3( out->map, &u, s, &v );
	out->stretch = s[0];
	out->wide = sqrt( (double)rest->restNorm2 );
	for ( int i = 0; i < 3; ++i )
	{
		out->normal[i] = v.m[3 * i];
		out->center[i] = (double)form->clusterCenter[3 * cluster + i];
	}
	return true;
}

// How much longer a line across the plane has become.
static double pnStretchAcross( const pnMat3d* map, const float normal[3] )
{
	double square = 0.0;
	for ( int i = 0; i < 3; ++i )
	{
		double x = map->m[3 * i] * (double)normal[0] + map->m[3 * i + 1] * (double)normal[1] + map->m[3 * i + 2] * (double)normal[2];
		square += x * x;
	}
	return sqrt( square );
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
	bool made = pnMakeQuadBlade( quad, blade );
	double spacing = pnMeanSpacing( solid );
	blade->rough = pn_rough * spacing, blade->grain = spacing > 0.0 ? pn_grain * spacing : 1.0;
	for ( int k = 0; k < 3; ++k )
	{
		blade->pattern[k] = blade->origin[k] + solid->center[k];
	}
	return made;
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

// The area of a cluster across a normal, at rest, m^2: its volume over its length.
static double pnFindArea( const pnBody* body, int cluster, const double normal[3] )
{
	const pnSolid* solid = body->solid;
	double low = 1e300, high = -1e300, mass = 0.0;
	for ( int m = solid->clusterStart[cluster]; m < solid->clusterStart[cluster] + solid->clusterSize[cluster]; ++m )
	{
		int32_t p = solid->memberPoint[m] / 16;
		const float* at = &solid->rest[p].x;
		double height = normal[0] * (double)at[0] + normal[1] * (double)at[1] + normal[2] * (double)at[2];
		low = height < low ? height : low, high = height > high ? height : high;
		mass += (double)solid->mass[p] * (double)body->mass;
	}
	return high > low ? mass / (double)body->material.density / ( high - low ) : 0.0;
}

// Is a cluster longer across the plane than it has flowed to be? Only that is relieved by a crack: what is pressed together, or bent where it ends, is not.
static bool pnIsPulled( const pnBody* body, int cluster, const double normal[3] )
{
	const float n[3] = { (float)normal[0], (float)normal[1], (float)normal[2] };
	pnMat3d map, flowed;
	for ( int i = 0; i < 9; ++i )
	{
		flowed.m[i] = (double)body->match.clusters[cluster].plastic[i];
	}
	return pnFitCluster( body, cluster, &map ) && pnStretchAcross( &map, n ) > pnStretchAcross( &flowed, n );
}

// What the clusters hold that a blade across one of them parts, J.
static double pnFindRelief( const pnBody* body, const pnBlade* blade, double aside )
{
	const pnSolid* solid = body->solid;
	double held = 0.0;
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		const float* at = solid->clusterCenter + 3 * c;
		if ( fabs( pnGetHeight( blade, pnMakeVec3( at[0], at[1], at[2] ) ) ) < aside && pnIsPulled( body, c, blade->n ) )
		{
			held += (double)body->match.clusters[c].energy;
		}
	}
	return body->response.stiffness * (double)body->mass * held;
}

double pnFindEaseTime( const pnBody* body )
{
	double wave = sqrt( body->response.stiffness * body->size2 ); // m/s
	return body->material.toughness > 0.0f && wave > 0.0 ? pn_eased * body->extent / wave : 0.0;
}

// Has a piece clusters on both sides of one, along a normal, that could pull at it? Its end is not pulled by anything: what would come off is a crumb.
static bool pnIsBetween( const pnSolid* solid, int cluster, const pnStrained* strained )
{
	bool above = false, below = false;
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		double height = 0.0;
		for ( int k = 0; k < 3 && c != cluster; ++k )
		{
			height += strained->normal[k] * ( (double)solid->clusterCenter[3 * c + k] - strained->center[k] );
		}
		above = above || height > pn_beside * strained->wide;
		below = below || height < -pn_beside * strained->wide;
	}
	return above && below;
}

bool pnFindTear( const pnBody* body, pnTear* tear )
{
	const pnSolid* solid = body->solid;
	const float* torn = solid->tear;
	bool begun = torn[0] != 0.0f || torn[1] != 0.0f || torn[2] != 0.0f, found = false;
	double most = 0.0, widest = 0.0, limit = (double)body->material.tear;
	bool small = solid->inherited && solid->clusterCount < PN_FEWEST && body->material.toughness > 0.0f;
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		double wide = sqrt( (double)solid->clusters[c].restNorm2 );
		widest = wide > widest ? wide : widest;
	}
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		pnStrained strained;
		if ( !pnGetStretch( body, c, &strained ) || strained.wide < pn_shred * widest )
		{
			continue;
		}
		double height = 0.0, offset = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			height += (double)torn[k] * ( strained.center[k] + solid->center[k] );
		}
		height -= (double)torn[3];
		bool goesOn = begun && fabs( height ) < pn_aside * strained.wide && pnStretchAcross( &strained.map, torn ) > 1.0 + pn_runOn * ( limit - 1.0 );
		bool begins = !goesOn && strained.stretch > limit && !( body->unease > 0.0f ) && !small;
		double worth = strained.stretch + ( goesOn ? 1e6 : 0.0 ); // going on comes first
		if ( ( !goesOn && !begins ) || worth <= most || ( begins && solid->inherited && body->material.toughness > 0.0f && !pnIsBetween( solid, c, &strained ) ) )
		{
			continue;
		}
		for ( int k = 0; k < 3 && goesOn; ++k )
		{
			strained.center[k] -= height * (double)torn[k];
			strained.normal[k] = (double)torn[k];
		}
		pnBlade next;
		if ( !pnMakeTear( solid, c, strained.normal, strained.center, &next ) || !pnPartsLinks( solid, &next ) )
		{
			continue;
		}
		double cost = (double)body->material.toughness * pnFindArea( body, c, strained.normal );
		double gained = (double)body->mass * ( ( 1.0 - pn_unsure ) * body->guarded - (double)body->ebb );
		if ( !body->response.bare && ( pnFindRelief( body, &next, pn_aside * strained.wide ) < cost || ( begins && solid->inherited && cost > 0.0 && gained < cost ) ) )
		{
			continue;
		}
		most = worth;
		found = true;
		tear->blade = next;
		tear->cost = cost;
		for ( int k = 0; k < 3; ++k )
		{
			tear->plane[k] = goesOn ? torn[k] : (float)next.n[k];
			offset += next.n[k] * ( strained.center[k] + solid->center[k] );
		}
		tear->plane[3] = goesOn ? torn[3] : (float)offset;
	}
	return found;
}
