// skin.c - surfaces carried by a solid: bound once, written on request. Knows frames and particles, no bodies.
// Writing is plain float arithmetic in a fixed order: the same bits on every machine.
#include "skin.h"

#include "cluster.h"
#include "fit.h"
#include "../base/mesh.h"

// ---- binding ----

// Squared whitened distance from a cluster as a form of the rest offset: xx yy zz xy yz zx. Cheaper to try than pnWhiten.
typedef struct pnReach
{
	double form[6];
} pnReach;

static pnReach pnMakeReach( const pnClusterRest* rest, double bodyNorm2 )
{
	// Across missing directions there is no extent to measure with; that along the others stands in for it.
	double thickness2 = (double)rest->restNorm2 / 3.0;
	thickness2 = thickness2 > 1e-9 * bodyNorm2 ? thickness2 : 1e-4 * bodyNorm2;
	thickness2 = thickness2 > 0.0 ? thickness2 : 1.0;
	float q[3][3], across[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		double unit[3] = { k == 0, k == 1, k == 2 };
		pnWhiten( rest, unit, q[k], across[k] );
	}
	static const int pairs[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 1, 2 }, { 2, 0 } };
	pnReach reach;
	for ( int k = 0; k < 6; ++k )
	{
		const float *qa = q[pairs[k][0]], *qb = q[pairs[k][1]], *a = across[pairs[k][0]], *b = across[pairs[k][1]];
		double inside = (double)qa[0] * (double)qb[0] + (double)qa[1] * (double)qb[1] + (double)qa[2] * (double)qb[2];
		double outside = (double)a[0] * (double)b[0] + (double)a[1] * (double)b[1] + (double)a[2] * (double)b[2];
		reach.form[k] = inside + outside / thickness2;
	}
	return reach;
}

static double pnMeasureReach( const pnReach* reach, const double o[3] )
{
	const double* f = reach->form;
	double square = f[0] * o[0] * o[0] + f[1] * o[1] * o[1] + f[2] * o[2] * o[2];
	double mixed = f[3] * o[0] * o[1] + f[4] * o[1] * o[2] + f[5] * o[2] * o[0];
	double distance2 = square + 2.0 * mixed;
	return distance2 > 0.0 ? distance2 : 0.0;
}

static void pnGetOffset( const pnSolid* solid, int cluster, const pnVec3* place, double offset[3] )
{
	offset[0] = (double)place->x - (double)solid->clusterCenter[3 * cluster + 0];
	offset[1] = (double)place->y - (double)solid->clusterCenter[3 * cluster + 1];
	offset[2] = (double)place->z - (double)solid->clusterCenter[3 * cluster + 2];
}

// The nearest clusters, and one more than can be bonds.
typedef struct pnNearClusters
{
	int count;
	int32_t clusters[PN_MAX_BONDS + 1];
	double distances2[PN_MAX_BONDS + 1];
} pnNearClusters;

static void pnTryCluster( pnNearClusters* near, int32_t cluster, double distance2 )
{
	int at = near->count;
	while ( at > 0 && ( distance2 < near->distances2[at - 1] || ( distance2 == near->distances2[at - 1] && cluster < near->clusters[at - 1] ) ) )
	{
		at -= 1;
	}
	if ( at == PN_COUNT( near->clusters ) )
	{
		return;
	}
	near->count += near->count < PN_COUNT( near->clusters );
	for ( int i = near->count - 1; i > at; --i )
	{
		near->clusters[i] = near->clusters[i - 1];
		near->distances2[i] = near->distances2[i - 1];
	}
	near->clusters[at] = cluster;
	near->distances2[at] = distance2;
}

// Weights fall to zero where a cluster is this much farther (squared, whitened) than the nearest. The centre of the next cell of the
// usual overlap is 3.3 away: in the middle of a cell there is one bond, at a face there are two, at a corner eight.
static const double pn_blendReach = 3.0;

// What sticks out of a cluster much farther than it is thick is not stretched with it, only turned: a thin cluster would fling it about.
static void pnKeepNear( const pnClusterRest* rest, pnSkinBond* bond )
{
	const float farthest = 3.0f; // the corner of a cell has 1.7
	for ( int e = 0; e < 3; ++e )
	{
		float within = bond->q[e] > farthest ? farthest : bond->q[e] < -farthest ? -farthest : bond->q[e], left = bond->q[e] - within;
		for ( int k = 0; k < 3 && left != 0.0f; ++k )
		{
			bond->across[k] += left * rest->basis[3 * k + e];
		}
		bond->q[e] = within;
	}
}

static int pnMakeBonds( const pnSolid* solid, const pnNearClusters* near, const pnVec3* place, pnSkinBond* bonds )
{
	double weights[PN_MAX_BONDS + 1], sum = 0.0;
	for ( int i = 0; i < near->count; ++i )
	{
		double closeness = 1.0 - ( near->distances2[i] - near->distances2[0] ) / pn_blendReach;
		weights[i] = closeness > 0.0 ? closeness * closeness : 0.0;
	}
	// Less what the first one left out would have, so that nothing jumps where the choice of clusters changes; nearly all of it, so that
	// something is left if all are equal.
	double leftOut = near->count > PN_MAX_BONDS ? 0.99 * weights[PN_MAX_BONDS] : 0.0;
	int count = near->count < PN_MAX_BONDS ? near->count : PN_MAX_BONDS;
	for ( int i = 0; i < count; ++i )
	{
		weights[i] -= leftOut;
		sum += weights[i] > 0.0 ? weights[i] : 0.0;
	}
	int bondCount = 0;
	for ( int i = 0; i < count; ++i )
	{
		if ( weights[i] >= 1e-4 * sum ) // the first always is
		{
			pnSkinBond* bond = bonds + bondCount++;
			bond->cluster = near->clusters[i];
			bond->weight = (float)( weights[i] / sum );
			double offset[3];
			pnGetOffset( solid, bond->cluster, place, offset );
			pnWhiten( solid->clusters + bond->cluster, offset, bond->q, bond->across );
			pnKeepNear( solid->clusters + bond->cluster, bond );
		}
	}
	// The first is the largest: it takes up what rounding and the left out ones leave.
	float others = 0.0f;
	for ( int i = 1; i < bondCount; ++i )
	{
		others += bonds[i].weight;
	}
	bonds[0].weight = 1.0f - others;
	return bondCount;
}

void pnFindMainClusters( const pnSolid* solid, int32_t* clusters, float* most )
{
	for ( int p = 0; p < solid->particleCount; ++p )
	{
		clusters[p] = 0;
		most[p] = -1.0f;
	}
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		for ( int i = solid->clusterStart[c]; i < solid->clusterStart[c] + solid->clusterSize[c]; ++i )
		{
			int p = (int)( solid->memberPoint[i] / 16 );
			float part = solid->clusters[c].share * solid->members[i].w;
			if ( part > most[p] )
			{
				most[p] = part;
				clusters[p] = c;
			}
		}
	}
}

enum { PN_NEAR_PARTICLES = 16 }; // of a vertex; their clusters are tried

// How many; -1: no memory.
static int pnFindBonds( pnSolid* solid, const pnVec3* places, const int32_t* anchors, pnNearSearch* search, const int32_t* mains, const pnReach* reaches,
						const int32_t* inverseStarts, const int32_t* inverse, int32_t* tried, pnSkinBond* bonds )
{
	int bondCount = 0;
	for ( int v = 0; v < solid->skinVertexCount; ++v )
	{
		solid->skinBondStart[v] = bondCount;
		pnNearClusters near = { 0 };
		int32_t particle = solid->skinParticle[v];
		if ( particle >= 0 )
		{
			pnTryCluster( &near, mains[particle], 0.0 );
			bondCount += pnMakeBonds( solid, &near, places + v, bonds + bondCount );
			continue;
		}
		double offset[3];
		const int32_t* found = anchors[v] >= 0 ? anchors + v : search->found;
		int foundCount = anchors[v] >= 0 ? 1 : pnFindNear( search, places[v], PN_NEAR_PARTICLES );
		if ( foundCount == 0 )
		{
			return -1;
		}
		for ( int k = 0; k < foundCount; ++k )
		{
			for ( int i = inverseStarts[found[k]]; i < inverseStarts[found[k] + 1]; ++i )
			{
				int32_t cluster = inverse[i];
				if ( tried[cluster] != v + 1 )
				{
					tried[cluster] = v + 1;
					pnGetOffset( solid, cluster, places + v, offset );
					pnTryCluster( &near, cluster, pnMeasureReach( reaches + cluster, offset ) );
				}
			}
		}
		bondCount += pnMakeBonds( solid, &near, places + v, bonds + bondCount );
	}
	solid->skinBondStart[solid->skinVertexCount] = bondCount;
	return bondCount;
}

bool pnBindSkins( pnSolid* solid, const pnVec3* places, const int32_t* anchors )
{
	PN_ASSERT( solid->skinBondCount == 0 );
	pnScratch scratch = { 0 };
	size_t most = 0; // bonds
	for ( int v = 0; v < solid->skinVertexCount; ++v )
	{
		most += solid->skinParticle[v] >= 0 ? 1 : PN_MAX_BONDS;
	}
	if ( most == 0 )
	{
		return true;
	}
	pnSkinBond* bonds = pnTakeRawArray( &scratch, pnSkinBond, most );
	pnReach* reaches = pnTakeArray( &scratch, pnReach, solid->clusterCount );
	int32_t* mains = pnTakeArray( &scratch, int32_t, solid->particleCount );
	float* mainParts = pnTakeArray( &scratch, float, solid->particleCount );
	int32_t* inverseStarts = pnTakeArray( &scratch, int32_t, solid->particleCount + 1 );
	int32_t* inverse = pnTakeArray( &scratch, int32_t, solid->membershipCount );
	int32_t* tried = pnTakeArray( &scratch, int32_t, solid->clusterCount );
	pnNearSearch search = { 0 };
	bool carried = most > (size_t)solid->skinVertexCount; // those on particles need not look for what carries them
	bool done = !scratch.failed && ( !carried || pnStartNearSearch( &search, solid->rest, solid->particleCount, &scratch ) );
	if ( done )
	{
		double bodyNorm2 = 0.0;
		for ( int p = 0; p < solid->particleCount; ++p )
		{
			bodyNorm2 += (double)solid->mass[p] * (double)pnDot( solid->rest[p], solid->rest[p] );
		}
		for ( int c = 0; c < solid->clusterCount && carried; ++c )
		{
			reaches[c] = pnMakeReach( solid->clusters + c, bodyNorm2 );
		}
		pnFindMainClusters( solid, mains, mainParts );
		if ( carried )
		{
			pnInvertClusters( solid->clusterStart, solid->clusterSize, solid->clusterCount, solid->memberPoint, 16, solid->particleCount, inverseStarts,
							  inverse );
		}
		int bondCount = pnFindBonds( solid, places, anchors, &search, mains, reaches, inverseStarts, inverse, tried, bonds );
		pnSkinBond* kept = bondCount >= 0 ? pnAllocArray( pnSkinBond, bondCount ) : NULL;
		done = kept != NULL;
		if ( done )
		{
			memcpy( kept, bonds, (size_t)bondCount * sizeof( pnSkinBond ) );
			pnFreeArray( pnSkinBond, solid->skinBonds, solid->skinBondCount );
			solid->skinBonds = kept;
			solid->skinBondCount = bondCount;
		}
	}
	pnGiveBack( &scratch );
	return done;
}

void pnRenewBonds( pnSolid* solid, const pnSolid* before )
{
	for ( int i = 0; i < solid->skinBondCount; ++i )
	{
		pnSkinBond* bond = solid->skinBonds + i;
		const pnClusterRest* rest = before->clusters + bond->cluster;
		if ( memcmp( rest, solid->clusters + bond->cluster, sizeof *rest ) == 0 )
		{
			continue;
		}
		double offset[3]; // the place is where the old fit says that it is
		for ( int k = 0; k < 3; ++k )
		{
			const float* K = rest->basis + 3 * k;
			double inside = (double)K[0] * (double)bond->q[0] + (double)K[1] * (double)bond->q[1] + (double)K[2] * (double)bond->q[2];
			double moved = (double)before->clusterCenter[3 * bond->cluster + k] - (double)solid->clusterCenter[3 * bond->cluster + k];
			offset[k] = moved + inside + (double)bond->across[k];
		}
		pnWhiten( solid->clusters + bond->cluster, offset, bond->q, bond->across );
		pnKeepNear( solid->clusters + bond->cluster, bond );
	}
}

// ---- writing ----

// Where a bond puts its vertex, relative to the frame's centre.
static pnVec3 pnCarryPlace( const pnFrame* frame, const pnSkinBond* bond )
{
	float x = bond->q[0], y = bond->q[1], z = bond->q[2];
	float e[PN_MONOMIALS] = { x, y, z, x * x, y * y, z * z, x * y, y * z, z * x };
	float here[3];
	for ( int k = 0; k < 3; ++k )
	{
		const float *m = frame->map[k], *r = frame->rotation[k];
		float linear = m[0] * e[0] + m[1] * e[1] + m[2] * e[2];
		float quadratic = m[3] * e[3] + m[4] * e[4] + m[5] * e[5] + m[6] * e[6] + m[7] * e[7] + m[8] * e[8];
		float across = r[0] * bond->across[0] + r[1] * bond->across[1] + r[2] * bond->across[2];
		here[k] = linear + quadratic + across;
	}
	return pnMakeVec3( here[0], here[1], here[2] );
}

static pnVec3 pnTurn( const pnFrame* frame, pnVec3 a )
{
	const float( *r )[3] = frame->rotation;
	return (pnVec3){
		r[0][0] * a.x + r[0][1] * a.y + r[0][2] * a.z,
		r[1][0] * a.x + r[1][1] * a.y + r[1][2] * a.z,
		r[2][0] * a.x + r[2][1] * a.y + r[2][2] * a.z,
	};
}

// A normal turns with the cofactors of the gradient G = J K^-1 (J: d map / dq; along missing directions K's column and the turn's
// image of it stand in), and cof G n = cof J K^T n but for a positive factor: no inverse is needed.
static pnVec3 pnCarryNormal( const pnFrame* frame, const pnClusterRest* rest, const pnSkinBond* bond, pnVec3 normal )
{
	pnVec3 turned = pnTurn( frame, normal );
	float x = bond->q[0], y = bond->q[1], z = bond->q[2];
	float J[3][3]; // columns first
	for ( int k = 0; k < 3; ++k )
	{
		const float* m = frame->map[k];
		J[0][k] = m[0] + 2.0f * m[3] * x + m[6] * y + m[8] * z;
		J[1][k] = m[1] + 2.0f * m[4] * y + m[6] * x + m[7] * z;
		J[2][k] = m[2] + 2.0f * m[5] * z + m[7] * y + m[8] * x;
	}
	pnVec3 a = { J[0][0], J[0][1], J[0][2] }, b = { J[1][0], J[1][1], J[1][2] }, c = { J[2][0], J[2][1], J[2][2] };
	const float* K = rest->basis;
	pnVec3 kx = { K[0], K[3], K[6] }, ky = { K[1], K[4], K[7] }, kz = { K[2], K[5], K[8] };
	pnVec3 kept = { pnDot( kx, normal ), pnDot( ky, normal ), pnDot( kz, normal ) };
	a = rest->missing[0] > 0.5f ? pnTurn( frame, kx ) : a;
	b = rest->missing[1] > 0.5f ? pnTurn( frame, ky ) : b;
	c = rest->missing[2] > 0.5f ? pnTurn( frame, kz ) : c;
	kept = pnUnitOr( kept, normal );
	pnVec3 carried = pnAdd( pnAdd( pnScale( kept.x, pnCross( b, c ) ), pnScale( kept.y, pnCross( c, a ) ) ), pnScale( kept.z, pnCross( a, b ) ) );
	return pnUnitOr( carried, turned );
}

static void pnWriteCarried( const pnSolid* solid, int firstVertex, int count, const pnFrame* frames, pnVec3* positions, pnVec3* normals )
{
	for ( int v = 0; v < count; ++v )
	{
		const pnSkinBond* bonds = solid->skinBonds + solid->skinBondStart[firstVertex + v];
		int bondCount = solid->skinBondStart[firstVertex + v + 1] - solid->skinBondStart[firstVertex + v];
		const float* anchor = frames[bonds[0].cluster].center;
		pnVec3 from = { anchor[0], anchor[1], anchor[2] };
		pnVec3 restNormal = solid->skinNormal[firstVertex + v];
		pnVec3 place = { 0.0f, 0.0f, 0.0f }, normal = { 0.0f, 0.0f, 0.0f };
		for ( int i = 0; i < bondCount; ++i )
		{
			const pnFrame* frame = frames + bonds[i].cluster;
			if ( positions != NULL )
			{
				// Relative to the first centre, so that blending costs no digits far from the origin.
				pnVec3 center = { frame->center[0], frame->center[1], frame->center[2] };
				place = pnMulAdd( place, bonds[i].weight, pnAdd( pnSub( center, from ), pnCarryPlace( frame, bonds + i ) ) );
			}
			if ( normals != NULL )
			{
				normal = pnMulAdd( normal, bonds[i].weight, pnCarryNormal( frame, solid->clusters + bonds[i].cluster, bonds + i, restNormal ) );
			}
		}
		if ( positions != NULL )
		{
			positions[v] = pnAdd( from, place );
		}
		if ( normals != NULL )
		{
			normals[v] = pnUnitOr( normal, pnUnitOr( pnTurn( frames + bonds[0].cluster, restNormal ), restNormal ) );
		}
	}
}

static pnVec3 pnGetPlace( const float* x, int32_t particle )
{
	return pnMakeVec3( x[4 * particle + 0], x[4 * particle + 1], x[4 * particle + 2] );
}

static void pnWriteOnParticles( const pnSolid* solid, const pnSkin* skin, int count, const float* x, pnVec3* positions, pnVec3* normals )
{
	const int32_t* particles = solid->skinParticle + skin->firstVertex;
	const int32_t* weld = solid->skinWeld + skin->firstVertex;
	for ( int v = 0; v < count && positions != NULL; ++v )
	{
		positions[v] = pnGetPlace( x, particles[v] );
	}
	if ( normals == NULL )
	{
		return;
	}
	memset( normals, 0, (size_t)count * sizeof( pnVec3 ) );
	for ( int i = 0; i < skin->triangleCount; ++i )
	{
		const int32_t* t = solid->skinTriangles + 3 * ( skin->firstTriangle + i );
		pnVec3 corner = pnGetPlace( x, particles[t[0]] );
		pnVec3 area = pnCross( pnSub( pnGetPlace( x, particles[t[1]] ), corner ), pnSub( pnGetPlace( x, particles[t[2]] ), corner ) );
		for ( int k = 0; k < 3; ++k )
		{
			int32_t to = weld[t[k]];
			if ( to < count )
			{
				normals[to] = pnAdd( normals[to], area );
			}
		}
	}
	for ( int v = 0; v < count; ++v )
	{
		// The lowest of a group holds its sum and comes first, so that the others find it done.
		if ( weld[v] != v )
		{
			normals[v] = normals[weld[v]];
			continue;
		}
		normals[v] = pnUnitOr( normals[v], solid->skinNormal[skin->firstVertex + v] ); // of triangles without area: as at rest
	}
}

void pnWriteSkin( const pnSolid* solid, int index, const float* x, const pnFrame* frames, pnVec3* positions, pnVec3* normals, int capacity )
{
	PN_ASSERT( 0 <= index && index < solid->skinCount );
	const pnSkin* skin = solid->skins + index;
	int count = skin->vertexCount < capacity ? skin->vertexCount : capacity;
	if ( count > 0 && skin->onParticles != 0 )
	{
		pnWriteOnParticles( solid, skin, count, x, positions, normals );
	}
	else if ( count > 0 )
	{
		pnWriteCarried( solid, skin->firstVertex, count, frames, positions, normals );
	}
}

void pnShiftSkin( const pnSolid* solid, int index, const pnFrame* frames, const pnVec3* shifts, float part, pnVec3* positions, int capacity )
{
	const pnSkin* skin = solid->skins + index;
	int count = skin->vertexCount < capacity ? skin->vertexCount : capacity;
	for ( int v = 0; v < count && skin->onParticles == 0; ++v )
	{
		int at = skin->firstVertex + v;
		const pnFrame* frame = frames + solid->skinBonds[solid->skinBondStart[at]].cluster;
		positions[v] = pnMulAdd( positions[v], part, pnTurn( frame, shifts[at] ) );
	}
}

float pnMeasureShifts( const pnSolid* solid, int index, const pnFrame* frames, const pnVec3* positions, const pnVec3* places, pnVec3* shifts )
{
	const pnSkin* skin = solid->skins + index;
	float longest2 = 0.0f;
	for ( int v = 0; v < skin->vertexCount; ++v )
	{
		int at = skin->firstVertex + v;
		const float( *r )[3] = frames[solid->skinBonds[solid->skinBondStart[at]].cluster].rotation;
		pnVec3 d = pnSub( places[v], positions[v] );
		shifts[at] = (pnVec3){ r[0][0] * d.x + r[1][0] * d.y + r[2][0] * d.z, r[0][1] * d.x + r[1][1] * d.y + r[2][1] * d.z, r[0][2] * d.x + r[1][2] * d.y + r[2][2] * d.z };
		float length2 = pnDot( d, d );
		longest2 = length2 > longest2 ? length2 : longest2;
	}
	return __builtin_sqrtf( longest2 );
}
