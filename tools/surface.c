// surface.c - the skins and shapes of a world as one triangle mesh, coloured. Knows no pixels and no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "surface.h"

#include "image.h"
#include "scenery.h"
#include "scenes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool pnIsScale( pnColoring coloring )
{
	return coloring == pn_stretchColoring || coloring == pn_speedColoring || coloring == pn_plasticColoring;
}

enum
{
	PN_BALL_VERTICES = 6,
	PN_BALL_TRIANGLES = 8
};

// What the points of one body have to say, before it is carried to the skin.
typedef struct pnPointPaint
{
	int pointCount;
	pnVec3* positions;
	pnVec3* velocities;
	int32_t* mainClusters;
	pnClusterState* clusters;
	float* values;
} pnPointPaint;

static void pnFreePointPaint( pnPointPaint* paint )
{
	free( paint->positions );
	free( paint->velocities );
	free( paint->mainClusters );
	free( paint->clusters );
	free( paint->values );
}

static bool pnGetPointPaint( const pnWorld* world, pnBodyId body, pnColoring coloring, pnPointPaint* paint )
{
	const pnSolid* solid = pnBody_GetSolid( world, body );
	pnSolidInfo info = pnSolid_GetInfo( solid );
	size_t count = (size_t)info.pointCount;
	paint->pointCount = info.pointCount;
	paint->positions = malloc( count * sizeof( pnVec3 ) );
	paint->velocities = malloc( count * sizeof( pnVec3 ) );
	paint->mainClusters = malloc( count * sizeof( int32_t ) );
	paint->clusters = malloc( (size_t)info.clusterCount * sizeof( pnClusterState ) );
	paint->values = malloc( count * sizeof( float ) );
	if ( paint->positions == NULL || paint->velocities == NULL || paint->mainClusters == NULL || paint->clusters == NULL ||
		 paint->values == NULL )
	{
		return false;
	}
	pnBody_WritePoints( world, body, paint->positions, paint->velocities, info.pointCount );
	pnBody_WriteClusters( world, body, paint->clusters, info.clusterCount );
	pnSolid_WriteMainClusters( solid, paint->mainClusters, info.pointCount );
	for ( int i = 0; i < info.pointCount; ++i )
	{
		const pnClusterState* cluster = paint->clusters + paint->mainClusters[i];
		pnVec3 v = paint->velocities[i];
		paint->values[i] = coloring == pn_stretchColoring ? cluster->stretch
						 : coloring == pn_plasticColoring ? cluster->plasticStrain
						 : coloring == pn_speedColoring   ? sqrtf( pnDot( v, v ) )
														  : 0.0f;
	}
	return true;
}

// A scale is blended from all points, the near ones counting most (Shepard, inverse fourth power); a cluster is the nearest point's.
static void pnPaintVertex( const pnPointPaint* paint, pnColoring coloring, pnVec3 vertex, float* value, uint32_t* color )
{
	float nearest = INFINITY, weightSum = 0.0f, sum = 0.0f;
	int nearestPoint = 0;
	for ( int i = 0; i < paint->pointCount; ++i )
	{
		pnVec3 d = pnSub( paint->positions[i], vertex );
		float distance2 = pnDot( d, d );
		if ( distance2 < nearest )
		{
			nearest = distance2;
			nearestPoint = i;
		}
		float weight = 1.0f / ( distance2 * distance2 + 1e-8f );
		weightSum += weight;
		sum += weight * paint->values[i];
	}
	if ( coloring == pn_clusterColoring )
	{
		*color = pnPickColor( paint->mainClusters[nearestPoint] );
	}
	else
	{
		*value = sum / weightSum;
	}
}

// A small octahedron, shaded as a ball.
static void pnAddBall( pnSurface* surface, pnVec3 center, float radius )
{
	static const int triangles[PN_BALL_TRIANGLES][3] = { { 0, 2, 4 }, { 2, 1, 4 }, { 1, 3, 4 }, { 3, 0, 4 },
														 { 2, 0, 5 }, { 1, 2, 5 }, { 3, 1, 5 }, { 0, 3, 5 } };
	int first = surface->vertexCount;
	for ( int i = 0; i < PN_BALL_VERTICES; ++i )
	{
		float sign = ( i & 1 ) == 0 ? 1.0f : -1.0f;
		pnVec3 out = { i / 2 == 0 ? sign : 0.0f, i / 2 == 1 ? sign : 0.0f, i / 2 == 2 ? sign : 0.0f };
		surface->positions[first + i] = pnMulAdd( center, radius, out );
		surface->normals[first + i] = out;
	}
	surface->vertexCount += PN_BALL_VERTICES;
	for ( int i = 0; i < PN_BALL_TRIANGLES; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			surface->triangles[3 * surface->triangleCount + j] = first + triangles[i][j];
		}
		surface->triangleCount += 1;
	}
}

static uint32_t pnGetColor( uint64_t userData, int slot )
{
	uint32_t color = userData == 0 ? 0 : pnUnpackColor( userData, slot );
	return color != 0 ? color : slot == 0 ? 0xc9b18c : 0xd9897a;
}

// Triangles of another material than 0 get vertices of their own, or their colour would run into that of the others.
static void pnAddSkin( pnSurface* surface, const pnSkinInfo* skin, int first, uint64_t userData, int index )
{
	for ( int i = 0; i < skin->triangleCount; ++i )
	{
		int material = skin->materials != NULL ? skin->materials[i] : 0;
		int32_t* corners = surface->triangles + 3 * surface->triangleCount++;
		for ( int j = 0; j < 3; ++j )
		{
			corners[j] = first + skin->triangles[3 * i + j];
			if ( material != 0 )
			{
				int own = surface->vertexCount++;
				surface->positions[own] = surface->positions[corners[j]];
				surface->normals[own] = surface->normals[corners[j]];
				surface->colors[own] = pnGetColor( userData, index + material );
				corners[j] = own;
			}
		}
	}
}

// Triangles of another material than 0.
static size_t pnCountMarked( const pnSkinInfo* skin )
{
	size_t count = 0;
	for ( int i = 0; i < skin->triangleCount && skin->materials != NULL; ++i )
	{
		count += skin->materials[i] != 0 ? 1 : 0;
	}
	return count;
}

static bool pnAddBody( const pnWorld* world, pnBodyId body, pnColoring coloring, pnSurface* surface )
{
	const pnSolid* solid = pnBody_GetSolid( world, body );
	pnSolidInfo info = pnSolid_GetInfo( solid );
	uint64_t userData = pnBody_GetUserData( world, body );
	pnPointPaint paint = { 0 };
	if ( ( coloring != pn_plainColoring || info.skinCount == 0 ) && pnGetPointPaint( world, body, coloring, &paint ) == false )
	{
		pnFreePointPaint( &paint );
		return false;
	}
	for ( int skin = 0; skin < info.skinCount || ( skin == 0 && info.skinCount == 0 ); ++skin )
	{
		if ( userData != 0 && pnUnpackColor( userData, skin ) == 0 && info.skinCount > 1 )
		{
			continue;
		}
		int first = surface->vertexCount, own = 0; // those whose colour is not known yet
		if ( info.skinCount == 0 )
		{
			pnVec3 size = pnSub( info.bounds.upper, info.bounds.lower );
			float radius = 0.25f * cbrtf( size.x * size.y * size.z / (float)info.pointCount );
			radius = radius > 0.0f ? radius : 0.01f * sqrtf( pnDot( size, size ) );
			for ( int i = 0; i < paint.pointCount; ++i )
			{
				pnAddBall( surface, paint.positions[i], radius );
			}
			own = surface->vertexCount;
		}
		else
		{
			pnSkinInfo skinInfo = pnSolid_GetSkin( solid, skin );
			pnBody_WriteSkin( world, body, skin, surface->positions + first, surface->normals + first, skinInfo.vertexCount );
			surface->vertexCount += skinInfo.vertexCount;
			own = surface->vertexCount;
			pnAddSkin( surface, &skinInfo, first, userData, skin );
		}
		for ( int i = first; i < surface->vertexCount; ++i )
		{
			surface->colors[i] = i < own ? pnGetColor( userData, skin ) : surface->colors[i];
			if ( coloring != pn_plainColoring )
			{
				pnPaintVertex( &paint, coloring, surface->positions[i], surface->values + i, surface->colors + i );
			}
		}
	}
	pnFreePointPaint( &paint );
	return true;
}

typedef struct pnScenery
{
	pnSceneMesh mesh;
	uint32_t* colors; // of each vertex
	int wallVertex, wallTriangle;
} pnScenery;

static void pnFreeScenery( pnScenery* scenery )
{
	pnFreeMesh( &scenery->mesh );
	free( scenery->colors );
}

// A grab as a ball where it pulls to, and a rod from what it holds; red if it is locked. Returns how many shapes that is.
static int pnDescribeGrab( const pnWorld* world, pnGrabId grab, float radius, pnShapeDef defs[2] )
{
	pnGrabState state;
	if ( pnGrab_GetState( world, grab, &state ) != pn_success )
	{
		return 0;
	}
	for ( int i = 0; i < 2; ++i )
	{
		defs[i] = pnDefaultShapeDef();
		defs[i].userData = pnPackColors( state.locked ? 0xc0392b : 0xf2c230, 0, 0, 0 );
	}
	defs[0].kind = pn_sphereShape;
	defs[0].radius = radius;
	defs[0].transform.p = state.target;
	pnVec3 way = pnSub( state.target, state.place );
	float length = sqrtf( pnDot( way, way ) );
	if ( length < radius )
	{
		return 1;
	}
	pnQuat q = { way.z, 0.0f, -way.x, length + way.y }; // the turn from y to the way, twice as long as half of it
	float size = sqrtf( q.x * q.x + q.z * q.z + q.w * q.w );
	defs[1].kind = pn_capsuleShape;
	defs[1].radius = 0.3f * radius;
	defs[1].halfExtents.y = 0.5f * length;
	defs[1].transform.p = pnMulAdd( state.place, 0.5f, way );
	defs[1].transform.q = size > 1e-3f * length ? (pnQuat){ q.x / size, 0.0f, q.z / size, q.w / size } : (pnQuat){ 1.0f, 0.0f, 0.0f, 0.0f };
	return 2;
}

// Solid things and hands, then planes.
static bool pnCreateScenery( const pnWorld* world, pnVec3 middle, float reach, float handRadius, pnScenery* scenery )
{
	*scenery = (pnScenery){ 0 };
	int count = pnWorld_GetShapes( world, NULL, 0 ), grabCount = pnWorld_GetGrabs( world, NULL, 0 ), planeCount = 0;
	size_t capacity = (size_t)( count + 2 * grabCount + 1 );
	pnShapeId* shapes = malloc( (size_t)( count + 1 ) * sizeof( pnShapeId ) );
	pnGrabId* grabs = malloc( (size_t)( grabCount + 1 ) * sizeof( pnGrabId ) );
	pnShapeDef* defs = malloc( capacity * sizeof( pnShapeDef ) );
	pnTransform* planes = malloc( capacity * sizeof( pnTransform ) );
	int* ends = malloc( 2 * capacity * sizeof( int ) ); // vertices, after each shape and after each plane
	bool good = shapes != NULL && grabs != NULL && defs != NULL && planes != NULL && ends != NULL;
	if ( good )
	{
		pnWorld_GetShapes( world, shapes, count );
		for ( int i = 0; i < count; ++i )
		{
			good = good && pnShape_GetDef( world, shapes[i], defs + i ) == pn_success;
		}
		pnWorld_GetGrabs( world, grabs, grabCount );
		for ( int i = 0; i < grabCount; ++i )
		{
			count += pnDescribeGrab( world, grabs[i], handRadius, defs + count );
		}
		for ( int i = 0; i < count; ++i )
		{
			if ( good )
			{
				pnAddShapeTriangles( &scenery->mesh, defs + i );
				planes[planeCount] = defs[i].transform;
				planeCount += defs[i].kind == pn_planeShape ? 1 : 0;
			}
			ends[i] = scenery->mesh.vertexCount;
		}
	}
	scenery->wallVertex = scenery->mesh.vertexCount;
	scenery->wallTriangle = scenery->mesh.triangleCount;
	for ( int i = 0, plane = 0; i < count && good; ++i )
	{
		if ( defs[i].kind == pn_planeShape )
		{
			pnAddPlaneTriangles( &scenery->mesh, planes, planeCount, plane, middle, reach );
			plane += 1;
		}
		ends[count + i] = scenery->mesh.vertexCount;
	}
	scenery->colors = malloc( (size_t)( scenery->mesh.vertexCount + 1 ) * sizeof( uint32_t ) );
	good = good && scenery->colors != NULL && scenery->mesh.failed == false;
	for ( int i = 0, vertex = 0; i < 2 * count && good; ++i )
	{
		uint32_t color = defs[i % count].userData != 0 ? pnUnpackColor( defs[i % count].userData, 0 ) : i < count ? 0xa9b0b8 : 0xd4d7da;
		for ( ; vertex < ends[i]; ++vertex )
		{
			scenery->colors[vertex] = color;
		}
	}
	free( shapes );
	free( grabs );
	free( defs );
	free( planes );
	free( ends );
	return good;
}

static void pnAddScenery( const pnScenery* scenery, pnSurface* surface )
{
	const pnSceneMesh* mesh = &scenery->mesh;
	int first = surface->vertexCount;
	for ( int i = 0; i < mesh->vertexCount; ++i )
	{
		surface->positions[first + i] = mesh->vertices[i];
		surface->normals[first + i] = mesh->normals[i];
		surface->colors[first + i] = scenery->colors[i];
		surface->values[first + i] = 0.0f;
	}
	for ( int i = 0; i < 3 * mesh->triangleCount; ++i )
	{
		surface->triangles[3 * surface->triangleCount + i] = first + mesh->triangles[i];
	}
	surface->bodyVertexCount = first;
	surface->wallVertex = first + scenery->wallVertex;
	surface->wallTriangle = surface->triangleCount + scenery->wallTriangle;
	surface->vertexCount += mesh->vertexCount;
	surface->triangleCount += mesh->triangleCount;
}

bool pnCreateSurface( const pnWorld* world, pnColoring coloring, pnSurface* surface )
{
	*surface = (pnSurface){ 0 };
	int bodyCount = pnWorld_GetBodies( world, NULL, 0 );
	pnBodyId* bodies = malloc( (size_t)( bodyCount + 1 ) * sizeof( pnBodyId ) );
	if ( bodies == NULL )
	{
		return false;
	}
	pnWorld_GetBodies( world, bodies, bodyCount );
	size_t vertexCount = 1, triangleCount = 1; // one more, so that malloc is never asked for nothing
	pnAABB bounds = { 0 };
	float longest = 0.0f; // m, of the bodies
	for ( int i = 0; i < bodyCount; ++i )
	{
		const pnSolid* solid = pnBody_GetSolid( world, bodies[i] );
		pnSolidInfo info = pnSolid_GetInfo( solid );
		pnVec3 extent = pnSub( info.bounds.upper, info.bounds.lower );
		longest = fmaxf( longest, sqrtf( pnDot( extent, extent ) ) );
		for ( int skin = 0; skin < info.skinCount; ++skin )
		{
			pnSkinInfo skinInfo = pnSolid_GetSkin( solid, skin );
			vertexCount += (size_t)skinInfo.vertexCount + 3 * pnCountMarked( &skinInfo );
			triangleCount += (size_t)skinInfo.triangleCount;
		}
		vertexCount += info.skinCount == 0 ? PN_BALL_VERTICES * (size_t)info.pointCount : 0;
		triangleCount += info.skinCount == 0 ? PN_BALL_TRIANGLES * (size_t)info.pointCount : 0;
		pnBodyState state;
		if ( pnBody_GetState( world, bodies[i], &state ) == pn_success )
		{
			bounds.lower = i == 0 ? state.bounds.lower : pnMin3( bounds.lower, state.bounds.lower );
			bounds.upper = i == 0 ? state.bounds.upper : pnMax3( bounds.upper, state.bounds.upper );
		}
	}
	pnVec3 size = pnSub( bounds.upper, bounds.lower );
	pnScenery scenery;
	bool good = pnCreateScenery( world, pnMulAdd( bounds.lower, 0.5f, size ), 2.0f * sqrtf( pnDot( size, size ) ) + 1.0f,
								 0.03f * longest, &scenery );
	vertexCount += (size_t)scenery.mesh.vertexCount;
	triangleCount += (size_t)scenery.mesh.triangleCount;
	surface->positions = malloc( vertexCount * sizeof( pnVec3 ) );
	surface->normals = malloc( vertexCount * sizeof( pnVec3 ) );
	surface->colors = malloc( vertexCount * sizeof( uint32_t ) );
	surface->values = malloc( vertexCount * sizeof( float ) );
	surface->triangles = malloc( 3 * triangleCount * sizeof( int32_t ) );
	good = good && surface->positions != NULL && surface->normals != NULL && surface->colors != NULL && surface->values != NULL &&
		   surface->triangles != NULL;
	surface->bodies = malloc( (size_t)( bodyCount + 1 ) * sizeof( pnSurfaceBody ) );
	good = good && surface->bodies != NULL;
	for ( int i = 0; i < bodyCount && good; ++i )
	{
		pnSurfaceBody* range = surface->bodies + surface->bodyCount++;
		*range = (pnSurfaceBody){ .id = bodies[i], .firstVertex = surface->vertexCount, .firstTriangle = surface->triangleCount };
		good = pnAddBody( world, bodies[i], coloring, surface );
		range->vertexCount = surface->vertexCount - range->firstVertex;
		range->triangleCount = surface->triangleCount - range->firstTriangle;
	}
	free( bodies );
	if ( good )
	{
		pnAddScenery( &scenery, surface );
	}
	else
	{
		pnDestroySurface( surface );
	}
	pnFreeScenery( &scenery );
	return good;
}

void pnDestroySurface( pnSurface* surface )
{
	free( surface->positions );
	free( surface->normals );
	free( surface->colors );
	free( surface->values );
	free( surface->triangles );
	free( surface->bodies );
	*surface = (pnSurface){ 0 };
}

void pnColorByValue( pnSurface* surface, float lower, float upper )
{
	for ( int i = 0; i < surface->bodyVertexCount; ++i )
	{
		surface->colors[i] = pnMapColor( ( surface->values[i] - lower ) / ( upper - lower ) );
	}
}

void pnGetUsualRange( pnColoring coloring, float* lower, float* upper )
{
	*lower = coloring == pn_stretchColoring ? 0.5f : 0.0f;
	*upper = coloring == pn_stretchColoring ? 1.5f : coloring == pn_speedColoring ? 5.0f : 0.5f;
}
