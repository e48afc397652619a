// solid.c - from a def to the parts of a rest shape: check, weld, fill, weigh. Its lifetime, and questions to it. Knows no time, no bodies.
#include "solid.h"

#include "../base/mesh.h"
#include "assemble.h"
#include "check.h"
#include "cluster.h"
#include "match.h"
#include "skin.h"

#include <float.h>

_Static_assert( (int)PN_GROUP_SIZE == (int)PN_LANES, "groups are what is matched together" );

// ---- lifetime ----

bool pnAllocSolidArrays( pnSolid* solid )
{
	PN_NAME_COUNTS( solid );
	bool done = true;
#define PN_ALLOC( T, name, count )                                                                                       \
	solid->name = done ? pnAllocArray( T, count ) : NULL;                                                                \
	done = solid->name != NULL;
	PN_SOLID_ARRAYS( PN_ALLOC )
#undef PN_ALLOC
	if ( !done )
	{
		pnFreeSolidArrays( solid );
	}
	return done;
}

void pnFreeSolidArrays( pnSolid* solid )
{
	PN_NAME_COUNTS( solid );
#define PN_FREE( T, name, count )                                                                                        \
	pnFreeArray( T, solid->name, count );                                                                                \
	solid->name = NULL;
	PN_SOLID_ARRAYS( PN_FREE )
#undef PN_FREE
}

size_t pnGetSolidBytes( const pnSolid* solid )
{
	PN_NAME_COUNTS( solid );
	size_t bytes = sizeof( pnSolid );
#define PN_ADD( T, name, count ) bytes += (size_t)( count ) * sizeof( T );
	PN_SOLID_ARRAYS( PN_ADD )
#undef PN_ADD
	return bytes + pnGetSurfaceBytes( &solid->surface );
}

pnSolid* pnTakeSolid( void )
{
	pnSolid* solid = pnAllocArray( pnSolid, 1 );
	if ( solid != NULL )
	{
		atomic_init( &solid->refCount, 1 );
		atomic_init( &solid->surfaceState, 0 );
	}
	return solid;
}

void pnRetainSolid( const pnSolid* solid )
{
	// The count is no part of the shape: who holds a const solid may still hold it longer.
	atomic_fetch_add_explicit( &( (pnSolid*)solid )->refCount, 1, memory_order_relaxed );
}

void pnDestroySolid( pnSolid* solid )
{
	if ( solid == NULL )
	{
		return;
	}
	int before = atomic_fetch_sub_explicit( &solid->refCount, 1, memory_order_acq_rel );
	PN_ASSERT( before > 0 );
	if ( before == 1 )
	{
		pnFreeSurface( &solid->surface );
		pnFreeSolidArrays( solid );
		pnFreeArray( pnSolid, solid, 1 );
	}
}

void pnFinishSolid( pnSolid* solid )
{
	solid->membershipCount = 0;
	solid->maxClusterSize = 0;
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		int size = solid->clusterStart[c + 1] - solid->clusterStart[c];
		solid->maxClusterSize = solid->maxClusterSize > size ? solid->maxClusterSize : size;
		solid->membershipCount += solid->clusterSize[c];
	}
	// Each particle is in one cluster at least, and in none twice.
	solid->overlapping = solid->membershipCount > solid->particleCount;

	PN_NAME_COUNTS( solid );
	int counts[] = { pointCount, particleCount, clusterCount, memberCount, solid->membershipCount, skinCount, skinTriangleCount, skinVertexCount,
					 skinBondCount, groupCount, solid->maxClusterSize, solid->overlapping, tetrahedronCount };
	uint64_t hash = pnHash( PN_HASH_SEED, counts, sizeof counts );
	if ( solid->attributeTotal > 0 || solid->materialCount > 0 || solid->linkCount > 0 || solid->nodedCount > 0 ) // a solid without any keeps the hash it always had
	{
		int more[] = { solid->attributeTotal, solid->materialCount, solid->linkCount, solid->nodedCount };
		hash = pnHash( hash, more, sizeof more );
		hash = pnHash( hash, solid->tear, sizeof solid->tear ); // only what is slit is torn
	}
	if ( solid->inherited != 0 )
	{
		hash = pnHash( hash, &solid->cells, sizeof solid->cells );
		hash = pnHash( hash, ( float[3] ){ solid->spacing, solid->whole, solid->breadth2 }, 3 * sizeof( float ) );
	}
	hash = pnHash( hash, &solid->totalMass, sizeof solid->totalMass );
	hash = pnHash( hash, &solid->density, sizeof solid->density );
	hash = pnHash( hash, &solid->thickness, sizeof solid->thickness );
	hash = pnHash( hash, solid->center, sizeof solid->center );
#define PN_HASH_ARRAY( T, name, count ) hash = pnHash( hash, solid->name, (size_t)( count ) * sizeof( T ) );
	PN_SOLID_ARRAYS( PN_HASH_ARRAY )
#undef PN_HASH_ARRAY
	solid->hash = hash;
}

static bool pnMakeSurface( pnSolid* solid )
{
	pnScratch scratch = { 0 };
	bool own = solid->skinCount > 0 && solid->skins[0].onParticles != 0;
	int triangleCount = own ? solid->skins[0].triangleCount : 0;
	int32_t* triangles = pnTakeArray( &scratch, int32_t, 3 * (size_t)triangleCount );
	for ( int i = 0; i < 3 * triangleCount && !scratch.failed; ++i )
	{
		triangles[i] = solid->skinParticle[solid->skinTriangles[i]]; // skin 0 comes first in all arrays
	}
	pnSurfaceSource source = { solid->rest, solid->particleCount, triangles, triangleCount, solid->tetrahedra, solid->tetrahedronCount, solid->thickness, solid->linkCount > 0 ? solid->linkStart : NULL, solid->links, solid->inherited };
	bool fine = !scratch.failed && pnBuildSurface( &source, &solid->surface );
	pnGiveBack( &scratch );
	return fine;
}

bool pnSurfaceSolid( const pnSolid* shared )
{
	pnSolid* solid = (pnSolid*)shared; // what the surface is was settled when the solid was made; only when it is computed is not
	for ( ;; )
	{
		int state = 0;
		if ( atomic_compare_exchange_strong( &solid->surfaceState, &state, 1 ) )
		{
			bool made = pnMakeSurface( solid );
			atomic_store( &solid->surfaceState, made ? 2 : 0 );
			return made;
		}
		if ( state == 2 )
		{
			return true;
		}
	}
}

// ---- build ----

pnSolidDef pnDefaultSolidDef( void )
{
	return (pnSolidDef){
		.weldDistance = -1.0f,
		.density = 1000.0f,
		.thickness = -1.0f,
		.clusters = { .kind = pn_autoClusters, .overlap = 0.45f },
		.cookie = PN_COOKIE,
	};
}

// What the stages hand on. The arrays live in the scratch.
typedef struct pnBuild
{
	pnScratch scratch;
	int pointCount; // user's, then the filling
	pnVec3* points;
	int32_t* lowest; // of points that are one; of the user's points
	int32_t* particleOf; // of all points
	bool hasSurface;
	int triangleCount; // of skin 0
	int32_t* triangles; // user's points; looking outward if closed
	pnSurfaceInfo surface;
	int particleCount;
	pnVec3* particles; // user's coordinates
	double* masses; // kg, of particles
	double totalMass; // kg
	float density; // kg/m^3, 0 with given masses
} pnBuild;

// A surface's own points are welded without being asked. Bare points may lie on one another: only a distance that is given welds them.
static pnResult pnWeld( pnBuild* build, const pnSolidDef* def )
{
	build->lowest = pnTakeArray( &build->scratch, int32_t, def->pointCount );
	if ( build->scratch.failed )
	{
		return pn_outOfMemory;
	}
	if ( def->triangleCount == 0 && def->weldDistance <= 0.0f )
	{
		for ( int i = 0; i < def->pointCount; ++i )
		{
			build->lowest[i] = i;
		}
		return pn_success;
	}
	double size = (double)pnGetLargestExtent( pnFindBounds( def->points, def->pointCount ) );
	double distance = def->weldDistance >= 0.0f ? (double)def->weldDistance : 1e-6 * size;
	return pnWeldPoints( def->points, def->pointCount, distance, build->lowest ) ? pn_success : pn_outOfMemory;
}

// The triangles of skin 0, turned outward; `welded` are the same with one index for each place.
static pnResult pnFindSurface( pnBuild* build, const pnSolidDef* def, int32_t** welded )
{
	build->hasSurface = def->triangleCount > 0 || def->tetrahedronCount > 0;
	if ( def->triangleCount > 0 )
	{
		build->triangles = pnTakeArray( &build->scratch, int32_t, 3 * def->triangleCount );
		build->triangleCount = def->triangleCount;
		if ( !build->scratch.failed )
		{
			memcpy( build->triangles, def->triangles, 3 * (size_t)def->triangleCount * sizeof( int32_t ) );
		}
	}
	else if ( def->tetrahedronCount > 0 )
	{
		build->triangles = pnTakeArray( &build->scratch, int32_t, 12 * (size_t)def->tetrahedronCount );
		if ( build->scratch.failed )
		{
			return pn_outOfMemory;
		}
		build->triangleCount = pnFindBoundary( def->points, build->lowest, def->tetrahedra, def->tetrahedronCount, build->triangles );
		if ( build->triangleCount < 0 )
		{
			return pn_outOfMemory;
		}
	}
	*welded = pnTakeArray( &build->scratch, int32_t, 3 * (size_t)build->triangleCount );
	uint8_t* turned = pnTakeArray( &build->scratch, uint8_t, build->triangleCount );
	if ( build->scratch.failed )
	{
		return pn_outOfMemory;
	}
	for ( int i = 0; i < 3 * build->triangleCount; ++i )
	{
		( *welded )[i] = build->lowest[build->triangles[i]];
	}
	// The boundary of tetrahedra already looks outward.
	if ( def->triangleCount > 0 )
	{
		if ( !pnExamineSurface( def->points, *welded, build->triangleCount, turned, &build->surface ) )
		{
			return pn_outOfMemory;
		}
		for ( int i = 0; i < build->triangleCount; ++i )
		{
			int32_t *t = build->triangles + 3 * i, *w = *welded + 3 * i;
			int32_t second = t[1], weldedSecond = w[1];
			t[1] = turned[i] != 0 ? t[2] : t[1];
			t[2] = turned[i] != 0 ? second : t[2];
			w[1] = turned[i] != 0 ? w[2] : w[1];
			w[2] = turned[i] != 0 ? weldedSecond : w[2];
		}
	}
	return pn_success;
}

// The user's points, then those of the filling; and the particles that they are.
static pnResult pnFill( pnBuild* build, const pnSolidDef* def, const int32_t* welded )
{
	pnVec3* filled = NULL;
	int filledCount = 0;
	if ( def->fillSpacing > 0.0f && def->triangleCount > 0 )
	{
		pnPointTree tree;
		if ( !pnBuildPointTree( &tree, def->points, NULL, def->pointCount, &build->scratch ) )
		{
			return pn_outOfMemory;
		}
		pnResult result = pnFillSurface( def->points, welded, build->triangleCount, (double)def->fillSpacing, &tree, &build->scratch, &filled,
										 &filledCount );
		if ( result == pn_invalidInput )
		{
			pnLog( "pnCreateSolid: fillSpacing %g is too small for the size of the surface", (double)def->fillSpacing );
		}
		if ( result != pn_success )
		{
			return result;
		}
	}
	build->pointCount = def->pointCount + filledCount;
	build->points = pnTakeArray( &build->scratch, pnVec3, build->pointCount );
	build->particleOf = pnTakeArray( &build->scratch, int32_t, build->pointCount );
	build->particles = pnTakeArray( &build->scratch, pnVec3, build->pointCount );
	if ( build->scratch.failed )
	{
		return pn_outOfMemory;
	}
	memcpy( build->points, def->points, (size_t)def->pointCount * sizeof( pnVec3 ) );
	if ( filledCount > 0 )
	{
		memcpy( build->points + def->pointCount, filled, (size_t)filledCount * sizeof( pnVec3 ) );
	}
	for ( int i = 0; i < build->pointCount; ++i )
	{
		bool own = i >= def->pointCount || build->lowest[i] == i;
		build->particleOf[i] = own ? build->particleCount : build->particleOf[build->lowest[i]];
		if ( own )
		{
			build->particles[build->particleCount++] = build->points[i];
		}
	}
	return pn_success;
}

// Mean distance of a particle from the next one; -1 without memory.
static double pnFindMeanSpacing( const pnVec3* points, int count )
{
	pnScratch scratch = { 0 };
	pnPointTree tree;
	double sum = -1.0;
	if ( pnBuildPointTree( &tree, points, NULL, count, &scratch ) )
	{
		sum = 0.0;
		for ( int i = 0; i < count; ++i )
		{
			int32_t found[2];
			double distances2[2];
			// The first is the point itself, or another one in the same place.
			if ( pnFindNearest( &tree, points[i], 2, found, distances2 ) == 2 )
			{
				sum += __builtin_sqrt( distances2[1] );
			}
		}
		sum /= (double)count;
	}
	pnGiveBack( &scratch );
	return sum;
}

static pnResult pnWeigh( pnBuild* build, const pnSolidDef* def )
{
	int count = build->particleCount;
	double* masses = pnTakeArray( &build->scratch, double, count );
	if ( build->scratch.failed )
	{
		return pn_outOfMemory;
	}
	build->masses = masses;
	double total = 0.0;
	if ( def->masses != NULL )
	{
		for ( int i = 0; i < def->pointCount; ++i )
		{
			masses[build->particleOf[i]] += (double)def->masses[i];
			total += (double)def->masses[i];
		}
		// Nothing is said about the filling: each of its points weighs what the user's do on average.
		for ( int i = def->pointCount; i < build->pointCount; ++i )
		{
			masses[build->particleOf[i]] = total / (double)def->pointCount;
		}
	}
	else if ( def->tetrahedronCount > 0 )
	{
		for ( int i = 0; i < def->tetrahedronCount; ++i )
		{
			const int32_t* t = def->tetrahedra + 4 * i;
			double volume = pnGetTetrahedronVolume( def->points + t[0], def->points + t[1], def->points + t[2], def->points + t[3] );
			double quarter = 0.25 * (double)def->density * ( volume < 0.0 ? -volume : volume );
			for ( int k = 0; k < 4; ++k )
			{
				masses[build->particleOf[t[k]]] += quarter;
			}
			total += 4.0 * quarter;
		}
		// Corners of slivers and points without a tetrahedron are light, but not weightless.
		double lightest = 1e-3 * total / (double)count;
		for ( int i = 0; i < count; ++i )
		{
			masses[i] = masses[i] > lightest ? masses[i] : lightest;
		}
	}
	else
	{
		total = build->surface.closed ? (double)def->density * build->surface.volume : 0.0;
	}

	// Without a volume of their own, points stand for cubes as wide as they are apart; and a single place weighs a kilogram.
	const double weightless = 1e-30; // kg
	if ( def->masses == NULL && total < weightless )
	{
		double spacing = pnFindMeanSpacing( build->particles, count );
		if ( spacing < 0.0 )
		{
			return pn_outOfMemory;
		}
		total = (double)def->density * (double)count * spacing * spacing * spacing;
		total = total < weightless ? 1.0 : total;
		memset( masses, 0, (size_t)count * sizeof( double ) );
	}
	double sum = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		masses[i] = masses[i] > 0.0 ? masses[i] : total / (double)count;
		sum += masses[i];
	}
	build->totalMass = def->masses == NULL ? total : sum;
	build->density = def->masses == NULL ? def->density : 0.0f;
	if ( !( build->totalMass <= (double)FLT_MAX ) )
	{
		pnLog( "pnCreateSolid: the mass is %g kg, more than a float holds", build->totalMass );
		return pn_invalidInput;
	}
	for ( int i = 0; i < count; ++i )
	{
		masses[i] *= build->totalMass / sum;
	}
	return pn_success;
}

static pnResult pnBuildSolid( pnBuild* build, const pnSolidDef* def, pnSolid* solid )
{
	int32_t* welded = NULL;
	pnResult result = pnWeld( build, def );
	result = result == pn_success ? pnFindSurface( build, def, &welded ) : result;
	result = result == pn_success ? pnFill( build, def, welded ) : result;
	result = result == pn_success ? pnWeigh( build, def ) : result;
	pnSkinPart* skins = pnTakeArray( &build->scratch, pnSkinPart, def->skinCount + 1 );
	if ( result != pn_success || build->scratch.failed )
	{
		return result != pn_success ? result : pn_outOfMemory;
	}
	int count = 0;
	if ( build->hasSurface )
	{
		skins[count++] = (pnSkinPart){
			.vertexCount = def->pointCount,
			.triangleCount = build->triangleCount,
			.triangles = build->triangles,
			.particles = build->particleOf,
			.attributes = def->attributes,
			.attributeCount = def->attributes != NULL ? def->attributeCount : 0,
			.materials = def->triangleCount > 0 ? def->materials : NULL,
		};
	}
	for ( int i = 0; i < def->skinCount; ++i )
	{
		const pnSkinDef* from = def->skins + i;
		skins[count++] = (pnSkinPart){
			.vertexCount = from->vertexCount,
			.triangleCount = from->triangleCount,
			.triangles = from->triangles,
			.places = from->vertices,
			.normals = from->normals,
			.attributes = from->attributes,
			.attributeCount = from->attributes != NULL ? from->attributeCount : 0,
			.materials = from->materials,
		};
	}
	pnSolidParts parts = {
		.particles = build->particles,
		.masses = build->masses,
		.particleCount = build->particleCount,
		.particleOf = build->particleOf,
		.pointCount = build->pointCount,
		.totalMass = build->totalMass,
		.density = build->density,
		.thickness = def->thickness,
		.clusters = &def->clusters,
		.tetrahedra = def->tetrahedra,
		.tetrahedronCount = def->tetrahedronCount,
		.skins = skins,
		.skinCount = count,
	};
	return pnAssembleSolid( &parts, solid, NULL );
}

pnResult pnCreateSolid( const pnSolidDef* def, pnSolid** solid )
{
	if ( solid == NULL )
	{
		pnLog( "pnCreateSolid: solid is NULL" );
		return pn_invalidInput;
	}
	*solid = NULL;
	pnResult result = pnCheckSolidDef( def );
	if ( result == pn_success )
	{
		pnBuild build = { 0 };
		pnSolid* made = pnTakeSolid();
		result = made != NULL ? pnBuildSolid( &build, def, made ) : pn_outOfMemory;
		pnGiveBack( &build.scratch );
		if ( result == pn_success )
		{
			*solid = made;
		}
		else
		{
			pnDestroySolid( made );
		}
	}
	if ( result == pn_outOfMemory )
	{
		pnLog( "pnCreateSolid: there is not enough memory for %d points", def->pointCount );
	}
	return result;
}

// ---- held ----

pnSolid* pnCreateHeldSolid( const pnSolid* solid, const uint8_t* held )
{
	const double outweigh = 10.0; // a held particle to its cluster: the fit then turns about it within a hundredth of its extent
	pnSolid* copy = pnTakeSolid();
	if ( copy == NULL )
	{
		return NULL;
	}
	copy->pointCount = solid->pointCount;
	copy->particleCount = solid->particleCount;
	copy->clusterCount = solid->clusterCount;
	copy->memberCount = solid->memberCount;
	copy->groupCount = solid->groupCount;
	copy->skinCount = solid->skinCount;
	copy->skinTriangleCount = solid->skinTriangleCount;
	copy->skinVertexCount = solid->skinVertexCount;
	copy->skinBondCount = solid->skinBondCount;
	copy->tetrahedronCount = solid->tetrahedronCount;
	copy->attributeTotal = solid->attributeTotal;
	copy->attributedCount = solid->attributedCount;
	copy->materialCount = solid->materialCount;
	copy->linkCount = solid->linkCount;
	copy->nodedCount = solid->nodedCount;
	copy->linkStartCount = solid->linkStartCount;
	copy->thickness = solid->thickness;
	memcpy( copy->tear, solid->tear, sizeof copy->tear );
	copy->islandCount = solid->islandCount;
	copy->cells = solid->cells;
	copy->inherited = solid->inherited;
	copy->spacing = solid->spacing, copy->whole = solid->whole, copy->breadth2 = solid->breadth2;
	copy->totalMass = solid->totalMass;
	copy->density = solid->density;
	memcpy( copy->center, solid->center, sizeof copy->center );
	pnScratch scratch = { 0 };
	double* positions = pnTakeArray( &scratch, double, 3 * (size_t)solid->maxClusterSize );
	double* weights = pnTakeArray( &scratch, double, solid->maxClusterSize );
	if ( scratch.failed || !pnAllocSolidArrays( copy ) )
	{
		pnGiveBack( &scratch );
		pnFreeArray( pnSolid, copy, 1 );
		return NULL;
	}
	PN_NAME_COUNTS( solid );
#define PN_COPY( T, name, count ) memcpy( copy->name, solid->name, (size_t)( count ) * sizeof( T ) );
	PN_SOLID_ARRAYS( PN_COPY )
#undef PN_COPY

	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		int start = solid->clusterStart[c], size = solid->clusterSize[c];
		double total = 0.0;
		bool changed = false;
		for ( int i = 0; i < size; ++i )
		{
			weights[i] = (double)solid->clusters[c].share * (double)solid->members[start + i].w;
			total += weights[i];
			changed = changed || held[solid->memberPoint[start + i] / 16] != 0;
		}
		for ( int i = 0; i < size; ++i )
		{
			weights[i] = held[solid->memberPoint[start + i] / 16] != 0 ? outweigh * total : weights[i];
		}
		if ( changed )
		{
			pnFitSolidCluster( copy, c, positions, weights );
			copy->clusters[c].pinned = 1.0f;
		}
	}
	pnRenewBonds( copy, solid );
	pnFinishSolid( copy );
	pnGiveBack( &scratch );
	return copy;
}

// ---- questions ----

pnSolidInfo pnSolid_GetInfo( const pnSolid* solid )
{
	pnAABB bounds = pnFindBounds( solid->rest, solid->particleCount );
	const double* center = solid->center;
	return (pnSolidInfo){
		.pointCount = solid->pointCount,
		.particleCount = solid->particleCount,
		.clusterCount = solid->clusterCount,
		.membershipCount = solid->membershipCount,
		.skinCount = solid->skinCount,
		.islandCount = solid->islandCount,
		.mass = solid->totalMass,
		.center = { (float)center[0], (float)center[1], (float)center[2] },
		.bounds = {
			{ (float)( center[0] + (double)bounds.lower.x ), (float)( center[1] + (double)bounds.lower.y ), (float)( center[2] + (double)bounds.lower.z ) },
			{ (float)( center[0] + (double)bounds.upper.x ), (float)( center[1] + (double)bounds.upper.y ), (float)( center[2] + (double)bounds.upper.z ) },
		},
		.byteCount = pnGetSolidBytes( solid ),
	};
}

int pnSolid_WritePointMap( const pnSolid* solid, int32_t* particles, int capacity )
{
	for ( int i = 0; i < solid->pointCount && i < capacity && particles != NULL; ++i )
	{
		particles[i] = solid->particleOf[i];
	}
	return solid->pointCount;
}

pnSkinInfo pnSolid_GetSkin( const pnSolid* solid, int skin )
{
	if ( skin < 0 || skin >= solid->skinCount )
	{
		return (pnSkinInfo){ 0 };
	}
	const pnSkin* found = solid->skins + skin;
	pnSkinInfo info = { found->vertexCount, found->triangleCount, solid->skinTriangles + 3 * (size_t)found->firstTriangle, NULL, 0, NULL };
	if ( solid->attributedCount > 0 && solid->skinAttributed[skin] > 0 )
	{
		size_t first = 0;
		for ( int i = 0; i < skin; ++i )
		{
			first += (size_t)solid->skinAttributed[i] * (size_t)solid->skins[i].vertexCount;
		}
		info.attributes = solid->skinAttributes + first;
		info.attributeCount = solid->skinAttributed[skin];
	}
	if ( solid->materialCount > 0 )
	{
		info.materials = solid->skinMaterials + found->firstTriangle;
	}
	return info;
}

int pnSolid_WriteMainClusters( const pnSolid* solid, int32_t* clusters, int capacity )
{
	if ( clusters == NULL || capacity <= 0 )
	{
		return solid->pointCount;
	}
	pnScratch scratch = { 0 };
	int32_t* mains = pnTakeArray( &scratch, int32_t, solid->particleCount );
	float* most = pnTakeArray( &scratch, float, solid->particleCount );
	int count = scratch.failed ? 0 : solid->pointCount;
	if ( !scratch.failed )
	{
		pnFindMainClusters( solid, mains, most );
	}
	for ( int i = 0; i < count && i < capacity; ++i )
	{
		clusters[i] = mains[solid->particleOf[i]];
	}
	pnGiveBack( &scratch );
	return count;
}
