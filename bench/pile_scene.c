// pile_scene.c - makes the ellipsoids of the pile and drops them in a grid. Knows no engine and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "pile_scene.h"

#include "shape.h" // random numbers and turns without libm

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define HALF_AXIS_XZ 0.5f
#define HALF_AXIS_Y 0.4f
#define FIRST_HEIGHT 0.8f // of the lowest centres
#define BOX_CLEARANCE 0.2f // what the box is wider than its columns
#define JITTER 0.05f
#define FIGURE_9_BODIES 384

// cosine and sine of the golden angle, pi ( 3 - sqrt 5 )
#define GOLDEN_COS -0.73736887807831985
#define GOLDEN_SIN 0.67549029426152362

typedef struct Vec { double x, y, z; } Vec;

typedef struct Hull
{
	const Vec* points;
	int32_t ( *faces )[3];
	int32_t ( *edges )[2]; // scratch
	int faceCount;
} Hull;

// Six times the signed volume between a face and a point: positive if the point lies outside.
static double MeasureOver( const Hull* hull, const int32_t* face, Vec p )
{
	Vec a = hull->points[face[0]], b = hull->points[face[1]], c = hull->points[face[2]];
	double ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z;
	double vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
	double wx = p.x - a.x, wy = p.y - a.y, wz = p.z - a.z;
	return ( uy * vz - uz * vy ) * wx + ( uz * vx - ux * vz ) * wy + ( ux * vy - uy * vx ) * wz;
}

static void AddFace( Hull* hull, int32_t a, int32_t b, int32_t c )
{
	int32_t* face = hull->faces[hull->faceCount];
	face[0] = a;
	face[1] = b;
	face[2] = c;
	hull->faceCount += 1;
}

// Faces that see the new point give way to a fan from it over their common border.
static void AddHullPoint( Hull* hull, int32_t point )
{
	int edgeCount = 0, keptCount = 0;
	for ( int f = 0; f < hull->faceCount; ++f )
	{
		int32_t face[3];
		memcpy( face, hull->faces[f], sizeof( face ) );
		if ( MeasureOver( hull, face, hull->points[point] ) > 0.0 )
		{
			for ( int e = 0; e < 3; ++e )
			{
				hull->edges[edgeCount][0] = face[e];
				hull->edges[edgeCount][1] = face[( e + 1 ) % 3];
				edgeCount += 1;
			}
		}
		else
		{
			memcpy( hull->faces[keptCount], face, sizeof( face ) );
			keptCount += 1;
		}
	}
	hull->faceCount = keptCount;

	for ( int i = 0; i < edgeCount; ++i )
	{
		bool isInner = false;
		for ( int j = 0; j < edgeCount && isInner == false; ++j )
		{
			isInner = hull->edges[j][0] == hull->edges[i][1] && hull->edges[j][1] == hull->edges[i][0];
		}
		if ( isInner == false )
		{
			AddFace( hull, hull->edges[i][0], hull->edges[i][1], point );
		}
	}
}

static void BuildHull( Hull* hull, int pointCount )
{
	int32_t first[4] = { 0, pointCount - 1, pointCount / 2, pointCount / 3 };
	static const int corners[4][4] = { { 0, 1, 2, 3 }, { 0, 1, 3, 2 }, { 0, 2, 3, 1 }, { 1, 2, 3, 0 } };
	for ( int f = 0; f < 4; ++f )
	{
		int32_t face[3] = { first[corners[f][0]], first[corners[f][1]], first[corners[f][2]] };
		bool isOutward = MeasureOver( hull, face, hull->points[first[corners[f][3]]] ) < 0.0;
		AddFace( hull, face[0], isOutward ? face[1] : face[2], isOutward ? face[2] : face[1] );
	}
	for ( int32_t i = 0; i < pointCount; ++i )
	{
		if ( i != first[0] && i != first[1] && i != first[2] && i != first[3] )
		{
			AddHullPoint( hull, i );
		}
	}
}

// Points on a Fibonacci spiral under their convex hull, flattened.
static bool MakeEllipsoid( pnPileMesh* mesh, int pointCount )
{
	int faceCount = 2 * pointCount - 4; // Euler, all faces triangles
	Vec* sphere = malloc( (size_t)pointCount * sizeof( Vec ) );
	// while it grows the hull never has more faces than at the end
	Hull hull = { .points = sphere };
	hull.faces = malloc( (size_t)( faceCount + 4 ) * sizeof( *hull.faces ) );
	hull.edges = malloc( (size_t)( faceCount + 4 ) * 3 * sizeof( *hull.edges ) );
	mesh->points = malloc( (size_t)pointCount * sizeof( pnVec3 ) );
	mesh->triangles = malloc( (size_t)faceCount * 3 * sizeof( int32_t ) );
	bool isWell = sphere != NULL && hull.faces != NULL && hull.edges != NULL && mesh->points != NULL && mesh->triangles != NULL;
	if ( isWell )
	{
		double c = 1.0, s = 0.0;
		for ( int i = 0; i < pointCount; ++i )
		{
			double y = 1.0 - 2.0 * ( i + 0.5 ) / pointCount;
			double r = sqrt( 1.0 - y * y );
			sphere[i] = (Vec){ r * c, y, r * s };
			double turned = GOLDEN_COS * c - GOLDEN_SIN * s;
			s = GOLDEN_SIN * c + GOLDEN_COS * s;
			c = turned;
		}
		BuildHull( &hull, pointCount );
		for ( int i = 0; i < pointCount; ++i )
		{
			Vec p = sphere[i];
			mesh->points[i] = pnMakeVec3( HALF_AXIS_XZ * (float)p.x, HALF_AXIS_Y * (float)p.y, HALF_AXIS_XZ * (float)p.z );
		}
		isWell = hull.faceCount == faceCount;
	}
	if ( isWell )
	{
		memcpy( mesh->triangles, hull.faces, (size_t)faceCount * sizeof( *hull.faces ) );
		mesh->pointCount = pointCount;
		mesh->triangleCount = faceCount;
	}
	free( sphere );
	free( hull.faces );
	free( hull.edges );
	return isWell;
}

static void PlaceBodies( pnPile* pile, const pnPileDef* def )
{
	int n = def->bodyCount;
	int columns = n >= 1000 ? 10 : n >= FIGURE_9_BODIES ? 8 : 5;
	pile->halfWidth = 0.5f * ( (float)columns * def->spacing + BOX_CLEARANCE );
	uint32_t random = 2463534242u + 7919u * def->seed;
	for ( int i = 0; i < 50; ++i )
	{
		pnSceneRandom( &random );
	}

	float middle = 0.5f * (float)( columns - 1 );
	for ( int b = 0; b < n; ++b )
	{
		pnPileBody* body = pile->bodies + b;
		int i = b % columns, k = ( b / columns ) % columns, j = b / ( columns * columns );
		body->mesh = pile->meshCount == 2 && b % 4 == 3 ? 1 : 0;
		body->firstPoint = pile->pointCount;
		pile->pointCount += pile->meshes[body->mesh].pointCount;
		pnVec3 place;
		place.x = ( (float)i - middle ) * def->spacing + pnSceneRandomBetween( &random, -JITTER, JITTER );
		place.y = FIRST_HEIGHT + (float)j * def->rise;
		place.z = ( (float)k - middle ) * def->spacing + pnSceneRandomBetween( &random, -JITTER, JITTER );
		pnQuat turn = pnSceneTurn( pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnSceneRandomBetween( &random, 0.0f, 6.283f ) );
		pnQuat tilt = pnSceneTurn( pnMakeVec3( 1.0f, 0.0f, 0.0f ), pnSceneRandomBetween( &random, -0.5f, 0.5f ) );
		body->transform = (pnTransform){ place, pnMulQuat( turn, tilt ) };
		body->velocity = pnMakeVec3( 0.0f, -def->speed, 0.0f );
	}
}

pnPileDef pnDefaultPileDef( int bodyCount )
{
	return (pnPileDef){ .bodyCount = bodyCount, .spacing = 1.15f, .rise = 1.1f, .seed = 1 };
}

pnPile* pnCreatePile( const pnPileDef* def )
{
	pnPile* pile = calloc( 1, sizeof( pnPile ) );
	if ( pile == NULL )
	{
		return NULL;
	}

	bool isFigure9 = def->bodyCount == FIGURE_9_BODIES;
	pile->bodyCount = def->bodyCount;
	pile->diameter = 2.0f * HALF_AXIS_XZ;
	pile->meshCount = isFigure9 ? 2 : 1;
	pile->bodies = calloc( (size_t)def->bodyCount, sizeof( pnPileBody ) );
	bool isWell = pile->bodies != NULL && MakeEllipsoid( pile->meshes + 0, isFigure9 ? 144 : 131 );
	isWell = isWell && ( isFigure9 == false || MakeEllipsoid( pile->meshes + 1, 143 ) );
	if ( isWell == false )
	{
		pnDestroyPile( pile );
		return NULL;
	}
	PlaceBodies( pile, def );
	return pile;
}

void pnDestroyPile( pnPile* pile )
{
	if ( pile == NULL )
	{
		return;
	}
	for ( int i = 0; i < 2; ++i )
	{
		free( pile->meshes[i].points );
		free( pile->meshes[i].triangles );
	}
	free( pile->bodies );
	free( pile );
}

void pnPile_WriteStart( const pnPile* pile, pnVec3* positions )
{
	for ( int b = 0; b < pile->bodyCount; ++b )
	{
		const pnPileBody* body = pile->bodies + b;
		const pnPileMesh* mesh = pile->meshes + body->mesh;
		for ( int i = 0; i < mesh->pointCount; ++i )
		{
			positions[body->firstPoint + i] = pnTransformPoint( body->transform, mesh->points[i] );
		}
	}
}
