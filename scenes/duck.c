// duck.c - a bath duck by formula: smoothly joined ellipsoids, meshed by surface nets. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "duck.h"

#include "shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pnDuckPart
{
	pnVec3 center, radii; // metres
	float tilt; // radians about z
	float blend; // how softly it joins the parts before it, metres
} pnDuckPart;

static const pnDuckPart pnDuckParts[] = {
	{ { 0.0f, -0.1f, 0.0f }, { 0.62f, 0.36f, 0.44f }, 0.0f, 0.0f }, // belly
	{ { -0.52f, 0.1f, 0.0f }, { 0.3f, 0.12f, 0.22f }, -0.7f, 0.18f }, // tail
	{ { 0.33f, 0.2f, 0.0f }, { 0.2f, 0.26f, 0.2f }, 0.0f, 0.12f }, // neck
	{ { 0.4f, 0.46f, 0.0f }, { 0.29f, 0.28f, 0.27f }, 0.0f, 0.08f }, // head
	{ { -0.08f, 0.0f, 0.38f }, { 0.34f, 0.17f, 0.12f }, -0.25f, 0.06f }, // wings
	{ { -0.08f, 0.0f, -0.38f }, { 0.34f, 0.17f, 0.12f }, -0.25f, 0.06f },
};

// Roughly the distance to the duck without beak, negative inside.
static float pnGetDuckDistance( pnVec3 p )
{
	float distance = 1e9f;
	for ( size_t i = 0; i < sizeof( pnDuckParts ) / sizeof( pnDuckParts[0] ); ++i )
	{
		const pnDuckPart* part = pnDuckParts + i;
		float c = pnSceneCos( part->tilt ), s = pnSceneSin( part->tilt );
		pnVec3 q = pnSub( p, part->center );
		q = pnMakeVec3( c * q.x + s * q.y, c * q.y - s * q.x, q.z );
		pnVec3 r = part->radii;
		pnVec3 u = { q.x / r.x, q.y / r.y, q.z / r.z };
		pnVec3 g = { u.x / r.x, u.y / r.y, u.z / r.z };
		float level = sqrtf( pnDot( u, u ) ), slope = sqrtf( pnDot( g, g ) );
		float away = slope > 1e-6f ? level * ( level - 1.0f ) / slope : -r.y;
		float h = part->blend - fabsf( distance - away );
		float lower = distance < away ? distance : away;
		distance = h > 0.0f ? lower - h * h / ( 4.0f * part->blend ) : lower;
	}
	return distance;
}

static pnVec3 pnGetDuckNormal( pnVec3 p )
{
	const float e = 0.01f;
	pnVec3 n;
	n.x = pnGetDuckDistance( pnMakeVec3( p.x + e, p.y, p.z ) ) - pnGetDuckDistance( pnMakeVec3( p.x - e, p.y, p.z ) );
	n.y = pnGetDuckDistance( pnMakeVec3( p.x, p.y + e, p.z ) ) - pnGetDuckDistance( pnMakeVec3( p.x, p.y - e, p.z ) );
	n.z = pnGetDuckDistance( pnMakeVec3( p.x, p.y, p.z + e ) ) - pnGetDuckDistance( pnMakeVec3( p.x, p.y, p.z - e ) );
	float length = sqrtf( pnDot( n, n ) );
	return length > 0.0f ? pnScale( 1.0f / length, n ) : pnMakeVec3( 0.0f, 1.0f, 0.0f );
}

int pnGetDuckPoints( pnVec3* points, int capacity )
{
	const float spacing = 0.125f; // metres
	int count = 0;
	for ( int k = -5; k <= 5; ++k )
	{
		for ( int j = -5; j <= 7; ++j )
		{
			for ( int i = -8; i <= 7; ++i )
			{
				pnVec3 p = { spacing * (float)i, spacing * ( (float)j + 0.2f ), spacing * (float)k };
				if ( pnGetDuckDistance( p ) < 0.01f && count < capacity )
				{
					points[count++] = p;
				}
			}
		}
	}
	return count;
}

enum
{
	PN_DUCK_NX = 44,
	PN_DUCK_NY = 37,
	PN_DUCK_NZ = 32,
	PN_DUCK_CELLS = PN_DUCK_NX * PN_DUCK_NY * PN_DUCK_NZ
};
static const float pnDuckSpacing = 0.038f; // metres

static pnVec3 pnGetDuckGridPoint( int i, int j, int k )
{
	return pnMakeVec3( -0.88f + pnDuckSpacing * (float)i, -0.56f + pnDuckSpacing * (float)j,
					   pnDuckSpacing * ( (float)k - 0.5f * (float)( PN_DUCK_NZ - 1 ) ) );
}

static int pnGetDuckCell( int i, int j, int k ) { return i + PN_DUCK_NX * ( j + PN_DUCK_NY * k ); }

// Naive surface nets: a vertex in each cell that the surface crosses, a quad about each edge that it crosses.
static void pnAddDuckBody( pnSceneMesh* mesh )
{
	float* distances = malloc( PN_DUCK_CELLS * sizeof( float ) );
	int32_t* vertices = malloc( PN_DUCK_CELLS * sizeof( int32_t ) );
	if ( distances == NULL || vertices == NULL )
	{
		free( distances );
		free( vertices );
		mesh->failed = true;
		return;
	}
	for ( int k = 0; k < PN_DUCK_NZ; ++k )
	{
		for ( int j = 0; j < PN_DUCK_NY; ++j )
		{
			for ( int i = 0; i < PN_DUCK_NX; ++i )
			{
				distances[pnGetDuckCell( i, j, k )] = pnGetDuckDistance( pnGetDuckGridPoint( i, j, k ) );
			}
		}
	}
	for ( int k = 0; k + 1 < PN_DUCK_NZ; ++k )
	{
		for ( int j = 0; j + 1 < PN_DUCK_NY; ++j )
		{
			for ( int i = 0; i + 1 < PN_DUCK_NX; ++i )
			{
				float corners[8];
				int inside = 0;
				for ( int c = 0; c < 8; ++c )
				{
					corners[c] = distances[pnGetDuckCell( i + ( c & 1 ), j + ( c >> 1 & 1 ), k + ( c >> 2 ) )];
					inside += corners[c] < 0.0f;
				}
				vertices[pnGetDuckCell( i, j, k )] = -1;
				if ( inside == 0 || inside == 8 )
				{
					continue;
				}
				pnVec3 p = pnMakeVec3( 0.0f, 0.0f, 0.0f );
				int crossings = 0;
				for ( int edge = 0; edge < 12; ++edge )
				{
					int axis = edge >> 2, u = 1 << ( axis + 1 ) % 3, v = 1 << ( axis + 2 ) % 3;
					int a = ( ( edge & 1 ) != 0 ? u : 0 ) | ( ( edge & 2 ) != 0 ? v : 0 );
					int b = a | 1 << axis;
					if ( ( corners[a] < 0.0f ) == ( corners[b] < 0.0f ) )
					{
						continue;
					}
					float t = corners[a] / ( corners[a] - corners[b] );
					float at[3] = { (float)( a & 1 ), (float)( a >> 1 & 1 ), (float)( a >> 2 ) };
					at[axis] += t;
					p = pnAdd( p, pnMakeVec3( at[0], at[1], at[2] ) );
					crossings += 1;
				}
				p = pnMulAdd( pnGetDuckGridPoint( i, j, k ), pnDuckSpacing / (float)crossings, p );
				pnVec3 normal = pnGetDuckNormal( p );
				p = pnMulAdd( p, -pnGetDuckDistance( p ), normal ); // onto the surface
				vertices[pnGetDuckCell( i, j, k )] = pnAddMeshVertex( mesh, p, pnGetDuckNormal( p ) );
			}
		}
	}
	static const int steps[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	for ( int k = 1; k + 1 < PN_DUCK_NZ; ++k )
	{
		for ( int j = 1; j + 1 < PN_DUCK_NY; ++j )
		{
			for ( int i = 1; i + 1 < PN_DUCK_NX; ++i )
			{
				bool here = distances[pnGetDuckCell( i, j, k )] < 0.0f;
				for ( int axis = 0; axis < 3; ++axis )
				{
					const int* step = steps[axis];
					if ( here == ( distances[pnGetDuckCell( i + step[0], j + step[1], k + step[2] )] < 0.0f ) )
					{
						continue;
					}
					const int *u = steps[( axis + 1 ) % 3], *v = steps[( axis + 2 ) % 3];
					int a = vertices[pnGetDuckCell( i, j, k )];
					int b = vertices[pnGetDuckCell( i - u[0], j - u[1], k - u[2] )];
					int c = vertices[pnGetDuckCell( i - u[0] - v[0], j - u[1] - v[1], k - u[2] - v[2] )];
					int d = vertices[pnGetDuckCell( i - v[0], j - v[1], k - v[2] )];
					pnAddMeshTriangle( mesh, a, here ? b : d, c );
					pnAddMeshTriangle( mesh, a, c, here ? d : b );
				}
			}
		}
	}
	free( distances );
	free( vertices );
}

pnResult pnCreateDuck( pnSolid** solid )
{
	*solid = NULL;
	pnVec3 points[PN_DUCK_MAX_POINTS];
	float masses[PN_DUCK_MAX_POINTS];
	int pointCount = pnGetDuckPoints( points, PN_DUCK_MAX_POINTS );
	for ( int i = 0; i < pointCount; ++i )
	{
		masses[i] = 1.0f;
	}

	pnSceneMesh body = { 0 }, beak = { 0 }, eyes = { 0 };
	const int steps[3] = { 0, 0, 0 };
	pnAddDuckBody( &body );
	pnAddRoundedBox( &beak, pnMakeVec3( 0.7f, 0.42f, 0.0f ), pnMakeVec3( 0.36f, 0.09f, 0.3f ), 1.0f, steps, 8 );
	pnAddRoundedBox( &beak, pnMakeVec3( 0.66f, 0.36f, 0.0f ), pnMakeVec3( 0.28f, 0.07f, 0.22f ), 1.0f, steps, 6 );
	pnAddRoundedBox( &eyes, pnMakeVec3( 0.57f, 0.56f, 0.175f ), pnMakeVec3( 0.09f, 0.11f, 0.07f ), 1.0f, steps, 4 );
	pnAddRoundedBox( &eyes, pnMakeVec3( 0.57f, 0.56f, -0.175f ), pnMakeVec3( 0.09f, 0.11f, 0.07f ), 1.0f, steps, 4 );

	pnResult result = pn_outOfMemory;
	if ( ( body.failed || beak.failed || eyes.failed ) == false )
	{
		const pnSkinDef skins[3] = {
			{ body.vertices, body.normals, body.triangles, body.vertexCount, body.triangleCount, NULL, 0, NULL },
			{ beak.vertices, beak.normals, beak.triangles, beak.vertexCount, beak.triangleCount, NULL, 0, NULL },
			{ eyes.vertices, eyes.normals, eyes.triangles, eyes.vertexCount, eyes.triangleCount, NULL, 0, NULL },
		};
		pnSolidDef def = pnDefaultSolidDef();
		def.points = points;
		def.masses = masses;
		def.pointCount = pointCount;
		def.clusters.kind = pn_countClusters;
		def.clusters.count = 8;
		def.skins = skins;
		def.skinCount = 3;
		result = pnCreateSolid( &def, solid );
	}
	pnFreeMesh( &body );
	pnFreeMesh( &beak );
	pnFreeMesh( &eyes );
	return result;
}
