// assemble.c - from the parts of a solid, all decided, to the rest shape that the step reads: order, cluster, fit, skin. Knows no defs of
// users, no time, no bodies.
#include "assemble.h"

#include "../base/mesh.h"
#include "cluster.h"
#include "fit.h"
#include "skin.h"

// What the stages hand on. The arrays live in the scratch.
typedef struct pnAssembly
{
	pnScratch scratch;
	const pnSolidParts* parts;
	int32_t* placeOf; // of the parts' particles, in memory
	int32_t* particleOf; // of the user's points
	double* masses; // kg
	double center[3]; // user's coordinates
	pnVec3* rest; // relative to the centre
	int32_t *linkStart, *links; // of each particle, rising
	pnClusterList clusters;
} pnAssembly;

static pnVec3 pnGetRelative( const pnVec3* a, const double center[3] )
{
	return pnMakeVec3( (float)( (double)a->x - center[0] ), (float)( (double)a->y - center[1] ), (float)( (double)a->z - center[2] ) );
}

// Neighbours in space become neighbours in memory; positions relative to the centre of mass.
static pnResult pnOrderParticles( pnAssembly* a )
{
	const pnSolidParts* parts = a->parts;
	int count = parts->particleCount;
	int32_t* order = pnTakeArray( &a->scratch, int32_t, count );
	a->placeOf = pnTakeArray( &a->scratch, int32_t, count );
	a->masses = pnTakeArray( &a->scratch, double, count );
	a->rest = pnTakeArray( &a->scratch, pnVec3, count );
	a->particleOf = pnTakeArray( &a->scratch, int32_t, parts->pointCount );
	if ( a->scratch.failed || !pnOrderInSpace( parts->particles, count, order ) )
	{
		return pn_outOfMemory;
	}
	const pnVec3 origin = parts->particles[order[0]]; // sums relative to it lose nothing far away
	double sums[3] = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < count; ++i )
	{
		const pnVec3* p = parts->particles + order[i];
		a->placeOf[order[i]] = i;
		a->masses[i] = parts->masses[order[i]];
		sums[0] += a->masses[i] * ( (double)p->x - (double)origin.x );
		sums[1] += a->masses[i] * ( (double)p->y - (double)origin.y );
		sums[2] += a->masses[i] * ( (double)p->z - (double)origin.z );
	}
	a->center[0] = (double)origin.x + sums[0] / parts->totalMass;
	a->center[1] = (double)origin.y + sums[1] / parts->totalMass;
	a->center[2] = (double)origin.z + sums[2] / parts->totalMass;
	for ( int i = 0; i < count; ++i )
	{
		a->rest[i] = pnGetRelative( parts->particles + order[i], a->center );
	}
	for ( int i = 0; i < parts->pointCount; ++i )
	{
		a->particleOf[i] = a->placeOf[parts->particleOf[i]];
	}
	return pn_success;
}

// The links of each particle, from pairs.
static pnResult pnSpreadLinks( pnAssembly* a )
{
	const pnSolidParts* parts = a->parts;
	if ( parts->linkCount == 0 )
	{
		return pn_success;
	}
	a->linkStart = pnTakeArray( &a->scratch, int32_t, parts->particleCount + 1 );
	a->links = pnTakeArray( &a->scratch, int32_t, 2 * (size_t)parts->linkCount );
	if ( a->scratch.failed )
	{
		return pn_outOfMemory;
	}
	for ( int i = 0; i < 2 * parts->linkCount; ++i )
	{
		a->linkStart[a->placeOf[parts->links[i]] + 1] += 1;
	}
	for ( int i = 0; i < parts->particleCount; ++i )
	{
		a->linkStart[i + 1] += a->linkStart[i];
	}
	for ( int i = parts->linkCount - 1; i >= 0; --i ) // from the back, which leaves each start where it belongs
	{
		int32_t p = a->placeOf[parts->links[2 * i]], q = a->placeOf[parts->links[2 * i + 1]];
		a->links[--a->linkStart[p + 1]] = q;
		a->links[--a->linkStart[q + 1]] = p;
	}
	memmove( a->linkStart, a->linkStart + 1, (size_t)parts->particleCount * sizeof( int32_t ) );
	a->linkStart[parts->particleCount] = 2 * parts->linkCount;
	return pn_success;
}

static void pnCountSkins( const pnSolidParts* parts, pnSolid* solid )
{
	solid->skinCount = parts->skinCount;
	bool numbered = false, noded = false;
	for ( int i = 0; i < parts->skinCount; ++i )
	{
		const pnSkinPart* skin = parts->skins + i;
		solid->skinVertexCount += skin->vertexCount;
		solid->skinTriangleCount += skin->triangleCount;
		solid->attributeTotal += skin->attributeCount * skin->vertexCount;
		numbered = numbered || skin->materials != NULL;
		noded = noded || skin->nodes != NULL;
	}
	solid->materialCount = numbered ? solid->skinTriangleCount : 0;
	solid->attributedCount = solid->attributeTotal > 0 ? solid->skinCount : 0;
	solid->nodedCount = noded ? solid->skinVertexCount : 0;
}

// Particles and members, without the fits.
static void pnLayOut( const pnAssembly* a, pnSolid* solid )
{
	const pnClusterList* list = &a->clusters;
	const pnSolidParts* parts = a->parts;
	solid->totalMass = (float)parts->totalMass;
	solid->density = parts->density;
	memcpy( solid->center, a->center, sizeof solid->center );
	memcpy( solid->particleOf, a->particleOf, (size_t)solid->pointCount * sizeof( int32_t ) );
	memcpy( solid->rest, a->rest, (size_t)solid->particleCount * sizeof( pnVec3 ) );
	memcpy( solid->groupColor, list->groupColors, (size_t)solid->groupCount * sizeof( int32_t ) );
	if ( solid->linkCount > 0 )
	{
		memcpy( solid->linkStart, a->linkStart, (size_t)solid->linkStartCount * sizeof( int32_t ) );
		memcpy( solid->links, a->links, (size_t)solid->linkCount * sizeof( int32_t ) );
	}
	for ( int i = 0; i < 4 * parts->tetrahedronCount; ++i )
	{
		solid->tetrahedra[i] = a->particleOf[parts->tetrahedra[i]];
	}
	for ( int p = 0; p < solid->particleCount; ++p )
	{
		float part = (float)( a->masses[p] / parts->totalMass );
		solid->mass[p] = part > 1e-30f ? part : 1e-30f;
	}
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		int size = list->starts[c + 1] - list->starts[c], padded = ( size + 3 ) / 4 * 4, start = solid->clusterStart[c];
		solid->clusterSize[c] = size;
		solid->clusterStart[c + 1] = start + padded;
		for ( int i = 0; i < padded; ++i )
		{
			solid->memberPoint[start + i] = 16u * (uint32_t)list->members[list->starts[c] + ( i < size ? i : 0 )];
		}
	}
}

void pnFitSolidCluster( pnSolid* solid, int cluster, double* positions, const double* weights )
{
	int start = solid->clusterStart[cluster], size = solid->clusterSize[cluster];
	for ( int i = 0; i < size; ++i )
	{
		// The rounded positions, which is all that is left of them when a solid is loaded or held.
		const pnVec3* p = solid->rest + solid->memberPoint[start + i] / 16;
		positions[3 * i + 0] = (double)p->x;
		positions[3 * i + 1] = (double)p->y;
		positions[3 * i + 2] = (double)p->z;
	}
	double center[3];
	pnFitCluster( positions, weights, size, solid->members + start, solid->clusters + cluster, center );
	for ( int k = 0; k < 3; ++k )
	{
		solid->clusterCenter[3 * cluster + k] = (float)center[k];
	}
}

static pnResult pnFitClusters( pnAssembly* a, pnSolid* solid )
{
	const pnClusterList* list = &a->clusters;
	double* positions = pnTakeArray( &a->scratch, double, 3 * (size_t)solid->particleCount );
	double* weights = pnTakeArray( &a->scratch, double, solid->particleCount );
	for ( int c = 0; c < solid->clusterCount && !a->scratch.failed; ++c )
	{
		for ( int i = list->starts[c]; i < list->starts[c + 1]; ++i )
		{
			weights[i - list->starts[c]] = (double)solid->mass[list->members[i]] * list->shares[i];
		}
		pnFitSolidCluster( solid, c, positions, weights );
		solid->membershipCount += solid->clusterSize[c];
	}
	return a->scratch.failed ? pn_outOfMemory : pn_success;
}

// One skin's triangles, vertices, attributes and rest normals; `places` are filled in already.
static pnResult pnAddSkin( pnSolid* solid, pnSkin skin, const pnSkinPart* from, const pnVec3* places, int index )
{
	solid->skins[index] = skin;
	int32_t* weld = solid->skinWeld + skin.firstVertex;
	pnVec3* restNormals = solid->skinNormal + skin.firstVertex;
	places += skin.firstVertex;
	if ( skin.triangleCount > 0 )
	{
		memcpy( solid->skinTriangles + 3 * (size_t)skin.firstTriangle, from->triangles, 3 * (size_t)skin.triangleCount * sizeof( int32_t ) );
	}
	if ( skin.triangleCount > 0 && from->materials != NULL )
	{
		memcpy( solid->skinMaterials + skin.firstTriangle, from->materials, (size_t)skin.triangleCount * sizeof( int32_t ) );
	}
	// Vertices in one place share a normal, but for those that come with normals of their own.
	if ( from->weld != NULL )
	{
		memcpy( weld, from->weld, (size_t)skin.vertexCount * sizeof( int32_t ) );
	}
	else if ( from->normals == NULL )
	{
		double distance = skin.onParticles != 0 ? 0.0 : 1e-6 * (double)pnGetLargestExtent( pnFindBounds( places, skin.vertexCount ) );
		if ( !pnWeldPoints( places, skin.vertexCount, distance, weld ) )
		{
			return pn_outOfMemory;
		}
	}
	for ( int v = 0; v < skin.vertexCount && from->weld == NULL && from->normals != NULL; ++v )
	{
		weld[v] = v;
	}
	pnComputeNormals( places, weld, skin.vertexCount, from->triangles, skin.triangleCount, restNormals );
	for ( int v = 0; v < skin.vertexCount && from->normals != NULL; ++v )
	{
		restNormals[v] = pnUnitOr( from->normals[v], restNormals[v] );
	}
	return pn_success;
}

static pnResult pnMakeSkins( pnAssembly* a, pnSolid* solid )
{
	const pnSolidParts* parts = a->parts;
	pnVec3* places = pnTakeArray( &a->scratch, pnVec3, solid->skinVertexCount );
	int32_t* anchors = pnTakeArray( &a->scratch, int32_t, solid->skinVertexCount );
	if ( a->scratch.failed )
	{
		return pn_outOfMemory;
	}
	pnResult result = pn_success;
	int firstVertex = 0, firstTriangle = 0, firstAttribute = 0;
	for ( int i = 0; i < parts->skinCount && result == pn_success; ++i )
	{
		const pnSkinPart* from = parts->skins + i;
		bool own = from->particles != NULL;
		for ( int v = 0; v < from->vertexCount; ++v )
		{
			solid->skinParticle[firstVertex + v] = own ? a->placeOf[from->particles[v]] : -1;
			anchors[firstVertex + v] = from->anchors != NULL ? a->placeOf[from->anchors[v]] : -1;
			if ( solid->nodedCount > 0 )
			{
				solid->skinNode[firstVertex + v] = from->nodes != NULL ? from->nodes[v] : v;
			}
			places[firstVertex + v] = own ? a->rest[solid->skinParticle[firstVertex + v]] : pnGetRelative( from->places + v, a->center );
		}
		int floats = from->attributeCount * from->vertexCount;
		if ( floats > 0 )
		{
			memcpy( solid->skinAttributes + firstAttribute, from->attributes, (size_t)floats * sizeof( float ) );
		}
		if ( solid->attributedCount > 0 )
		{
			solid->skinAttributed[i] = from->attributeCount;
		}
		pnSkin skin = { from->vertexCount, from->triangleCount, firstVertex, firstTriangle, own };
		result = pnAddSkin( solid, skin, from, places, i );
		firstVertex += skin.vertexCount;
		firstTriangle += skin.triangleCount;
		firstAttribute += floats;
	}
	return result != pn_success ? result : pnBindSkins( solid, places, anchors ) ? pn_success : pn_outOfMemory;
}

static pnResult pnAssemble( pnAssembly* a, pnSolid* solid )
{
	const pnSolidParts* parts = a->parts;
	pnResult result = pnOrderParticles( a );
	result = result == pn_success ? pnSpreadLinks( a ) : result;
	if ( result != pn_success )
	{
		return result;
	}
	pnAABB frame = { 0 };
	if ( parts->frame != NULL )
	{
		frame = (pnAABB){ pnGetRelative( &parts->frame->lower, a->center ), pnGetRelative( &parts->frame->upper, a->center ) };
	}
	pnClusterSource source = { a->rest, parts->particleCount, a->particleOf, parts->tetrahedra, parts->tetrahedronCount, parts->cells, parts->frame != NULL ? &frame : NULL, a->linkStart, a->links };
	result = pnMakeClusters( parts->clusters, &source, &a->scratch, &a->clusters );
	if ( result != pn_success )
	{
		return result;
	}

	solid->pointCount = parts->pointCount;
	solid->particleCount = parts->particleCount;
	solid->clusterCount = a->clusters.clusterCount;
	solid->groupCount = a->clusters.groupCount;
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		solid->memberCount += ( a->clusters.starts[c + 1] - a->clusters.starts[c] + 3 ) / 4 * 4;
	}
	pnCountSkins( parts, solid );
	solid->tetrahedronCount = parts->tetrahedronCount;
	solid->linkCount = 2 * parts->linkCount;
	solid->linkStartCount = parts->linkCount > 0 ? parts->particleCount + 1 : 0;
	solid->thickness = parts->thickness;
	memcpy( solid->tear, parts->tear, sizeof solid->tear );
	solid->islandCount = a->clusters.islandCount;
	solid->cells = a->clusters.cells;
	solid->inherited = parts->cells != NULL;
	solid->spacing = parts->spacing, solid->whole = parts->whole, solid->breadth2 = parts->breadth2;
	if ( !pnAllocSolidArrays( solid ) )
	{
		return pn_outOfMemory;
	}
	pnLayOut( a, solid );
	result = pnFitClusters( a, solid );
	result = result == pn_success ? pnMakeSkins( a, solid ) : result;
	if ( result == pn_success )
	{
		pnFinishSolid( solid );
	}
	return result;
}

pnResult pnAssembleSolid( const pnSolidParts* parts, pnSolid* solid, int32_t* placeOf )
{
	pnAssembly assembly = { .parts = parts };
	pnResult result = pnAssemble( &assembly, solid );
	if ( result == pn_success && placeOf != NULL )
	{
		memcpy( placeOf, assembly.placeOf, (size_t)parts->particleCount * sizeof( int32_t ) );
	}
	pnGiveBack( &assembly.scratch );
	return result;
}
