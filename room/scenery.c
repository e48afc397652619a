// scenery.c - things that do not bend as triangles. Knows no worlds and no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scenery.h"

#include <math.h>

enum
{
	PN_MAX_DRAWN_CORNERS = 512, // of a hull
	PN_MAX_POLYGON = 64, // corners of a plane's part
};

static pnVec3 pnGetUnit( pnVec3 a )
{
	float length = sqrtf( pnDot( a, a ) );
	return length > 0.0f ? pnScale( 1.0f / length, a ) : pnMakeVec3( 0.0f, 1.0f, 0.0f );
}

static void pnAddFlatTriangle( pnSceneMesh* mesh, pnVec3 a, pnVec3 b, pnVec3 c )
{
	pnVec3 normal = pnGetUnit( pnCross( pnSub( b, a ), pnSub( c, a ) ) );
	int first = pnAddMeshVertex( mesh, a, normal );
	pnAddMeshVertex( mesh, b, normal );
	pnAddMeshVertex( mesh, c, normal );
	pnAddMeshTriangle( mesh, first, first + 1, first + 2 );
}

// Every three corners with all others on one side. Flat faces come out several times over, which nobody sees.
static void pnAddHull( pnSceneMesh* mesh, const pnVec3* points, int count )
{
	count = count < PN_MAX_DRAWN_CORNERS ? count : PN_MAX_DRAWN_CORNERS;
	pnVec3 lower = points[0], upper = points[0];
	for ( int i = 1; i < count; ++i )
	{
		lower = pnMin3( lower, points[i] );
		upper = pnMax3( upper, points[i] );
	}
	float slack = 1e-5f * sqrtf( pnDot( pnSub( upper, lower ), pnSub( upper, lower ) ) );
	for ( int a = 0; a < count; ++a )
	{
		for ( int b = a + 1; b < count; ++b )
		{
			for ( int c = b + 1; c < count; ++c )
			{
				pnVec3 across = pnCross( pnSub( points[b], points[a] ), pnSub( points[c], points[a] ) );
				float length = sqrtf( pnDot( across, across ) );
				bool above = false, below = length <= slack * slack;
				for ( int i = 0; i < count && ( above && below ) == false && length > 0.0f; ++i )
				{
					float height = pnDot( across, pnSub( points[i], points[a] ) ) / length;
					above = above || height > slack;
					below = below || height < -slack;
				}
				if ( above != below )
				{
					pnAddFlatTriangle( mesh, points[a], points[above ? c : b], points[above ? b : c] );
				}
			}
		}
	}
}

static void pnAddHill( pnSceneMesh* mesh, const pnShapeDef* def )
{
	int countX = def->heightCountX, countZ = def->heightCountZ, first = mesh->vertexCount;
	for ( int z = 0; z < countZ; ++z )
	{
		for ( int x = 0; x < countX; ++x )
		{
			const float* row = def->heights + z * countX;
			int left = x > 0 ? x - 1 : x, right = x + 1 < countX ? x + 1 : x;
			int back = z > 0 ? z - 1 : z, front = z + 1 < countZ ? z + 1 : z;
			float slopeX = ( row[right] - row[left] ) / ( (float)( right - left ) * def->heightSpacing );
			float slopeZ =
				( def->heights[front * countX + x] - def->heights[back * countX + x] ) / ( (float)( front - back ) * def->heightSpacing );
			pnVec3 place = { (float)x * def->heightSpacing, row[x], (float)z * def->heightSpacing };
			pnAddMeshVertex( mesh, place, pnGetUnit( pnMakeVec3( -slopeX, 1.0f, -slopeZ ) ) );
			if ( x > 0 && z > 0 )
			{
				int d = first + x + countX * z, c = d - 1, b = d - countX, a = b - 1;
				pnAddMeshTriangle( mesh, a, c, b );
				pnAddMeshTriangle( mesh, b, c, d );
			}
		}
	}
}

void pnAddShapeTriangles( pnSceneMesh* mesh, const pnShapeDef* def )
{
	const int steps[3] = { 1, 1, 1 };
	const pnVec3 origin = { 0 };
	int first = mesh->vertexCount;
	float wide = 2.0f * def->radius;
	pnVec3 size = pnScale( 2.0f, def->halfExtents );
	switch ( def->kind )
	{
	case pn_sphereShape:
		pnAddRoundedBox( mesh, origin, pnMakeVec3( wide, wide, wide ), def->radius, steps, 10 );
		break;
	case pn_capsuleShape:
		pnAddRoundedBox( mesh, origin, pnMakeVec3( wide, wide + size.y, wide ), def->radius, steps, 8 );
		break;
	case pn_boxShape:
		pnAddRoundedBox( mesh, origin, size, 0.05f * fminf( size.x, fminf( size.y, size.z ) ), steps, 2 );
		break;
	case pn_hullShape:
		pnAddHull( mesh, def->points, def->pointCount );
		break;
	case pn_meshShape:
		for ( int i = 0; i < def->triangleCount; ++i )
		{
			const int32_t* corners = def->triangles + 3 * i;
			pnAddFlatTriangle( mesh, def->points[corners[0]], def->points[corners[1]], def->points[corners[2]] );
		}
		break;
	case pn_heightShape:
		pnAddHill( mesh, def );
		break;
	case pn_planeShape:
	case pn_distanceShape:
		break;
	}
	for ( int i = first; i < mesh->vertexCount; ++i )
	{
		mesh->vertices[i] = pnTransformPoint( def->transform, mesh->vertices[i] );
		mesh->normals[i] = pnRotate( def->transform.q, mesh->normals[i] );
	}
}

// Keeps the side of the plane that the normal points to. Returns the new count.
static int pnClipPolygon( pnVec3 polygon[PN_MAX_POLYGON], int count, pnVec3 place, pnVec3 normal )
{
	pnVec3 kept[PN_MAX_POLYGON];
	int keptCount = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 a = polygon[i], b = polygon[( i + 1 ) % count];
		float heightA = pnDot( normal, pnSub( a, place ) ), heightB = pnDot( normal, pnSub( b, place ) );
		if ( heightA >= 0.0f && keptCount < PN_MAX_POLYGON )
		{
			kept[keptCount++] = a;
		}
		if ( ( heightA < 0.0f ) != ( heightB < 0.0f ) && keptCount < PN_MAX_POLYGON )
		{
			kept[keptCount++] = pnMulAdd( a, heightA / ( heightA - heightB ), pnSub( b, a ) );
		}
	}
	for ( int i = 0; i < keptCount; ++i )
	{
		polygon[i] = kept[i];
	}
	return keptCount;
}

void pnAddPlaneTriangles( pnSceneMesh* mesh, const pnTransform* planes, int planeCount, int index, pnVec3 middle, float reach )
{
	const pnVec3 y = { 0.0f, 1.0f, 0.0f };
	pnTransform plane = planes[index];
	pnVec3 normal = pnRotate( plane.q, y ), u = pnRotate( plane.q, pnMakeVec3( 1.0f, 0.0f, 0.0f ) ), v = pnCross( u, normal );
	if ( normal.y > 0.999f )
	{
		return;
	}
	middle = pnMulAdd( middle, -pnDot( normal, pnSub( middle, plane.p ) ), normal );
	pnVec3 polygon[PN_MAX_POLYGON];
	int count = 4;
	for ( int i = 0; i < 4; ++i )
	{
		polygon[i] = pnMulAdd( pnMulAdd( middle, i == 0 || i == 3 ? -reach : reach, u ), i < 2 ? -reach : reach, v );
	}
	for ( int i = 0; i < planeCount; ++i )
	{
		count = i == index ? count : pnClipPolygon( polygon, count, planes[i].p, pnRotate( planes[i].q, y ) );
	}
	float lowest = INFINITY, wide2 = 0.0f;
	for ( int i = 0; i < count; ++i )
	{
		lowest = fminf( lowest, polygon[i].y );
	}
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 foot = pnSub( polygon[( i + 1 ) % count], polygon[i] );
		bool isFoot = polygon[i].y < lowest + 1e-3f * reach && polygon[( i + 1 ) % count].y < lowest + 1e-3f * reach;
		wide2 = isFoot ? fmaxf( wide2, pnDot( foot, foot ) ) : wide2;
	}
	if ( wide2 > 0.0f )
	{
		pnVec3 top = { 0.0f, lowest + 0.4f * sqrtf( wide2 ), 0.0f };
		count = pnClipPolygon( polygon, count, top, pnMakeVec3( 0.0f, -1.0f, 0.0f ) );
	}
	int first = mesh->vertexCount;
	for ( int i = 0; i < count; ++i )
	{
		pnAddMeshVertex( mesh, polygon[i], normal );
	}
	// The side that bodies are on is the outer one.
	for ( int i = 2; i < count; ++i )
	{
		pnAddMeshTriangle( mesh, first, first + i, first + i - 1 );
	}
}
