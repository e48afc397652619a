// tets.c - dozens of balls, bricks and stars of exactly 32 tetrahedra each, dropped together; contact by tetrahedra.
// After a scene of Henriques and Wuensche 2011.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

#include <math.h>

enum
{
	PN_TETS_BODIES = 64,
	PN_TETS_KINDS = 3,
	PN_TETS_OUTER = 18, // points of the surface; the last point is the centre, and each face makes a tetrahedron with it
	PN_TETS_FACES = 32,
};

typedef struct pnTetsShape
{
	pnVec3 points[PN_TETS_OUTER + 1];
	int32_t tetrahedra[4 * PN_TETS_FACES];
	int tetrahedronCount;
} pnTetsShape;

static void pnAddTet( pnTetsShape* shape, int a, int b, int c )
{
	int32_t* corners = shape->tetrahedra + 4 * shape->tetrahedronCount++;
	corners[0] = a;
	corners[1] = b;
	corners[2] = c;
	corners[3] = PN_TETS_OUTER;
}

// An octahedron with each edge halved, the halves at this part of the radius: 1 is a ball, less a star.
static void pnMakeTetsBall( pnTetsShape* shape, float radius, float halfway )
{
	// The corners are +x -x +y -y +z -z. Between corner a and corner b of another axis lies one of 12 more points.
	int between[6][6];
	int count = 6;
	for ( int a = 0; a < 6; ++a )
	{
		float sign = ( a & 1 ) == 0 ? radius : -radius;
		shape->points[a] = pnMakeVec3( a / 2 == 0 ? sign : 0.0f, a / 2 == 1 ? sign : 0.0f, a / 2 == 2 ? sign : 0.0f );
	}
	for ( int a = 0; a < 6; ++a )
	{
		for ( int b = a + 1; b < 6; ++b )
		{
			if ( a / 2 != b / 2 )
			{
				shape->points[count] = pnScale( halfway * sqrtf( 0.5f ), pnAdd( shape->points[a], shape->points[b] ) );
				between[a][b] = between[b][a] = count++;
			}
		}
	}
	for ( int octant = 0; octant < 8; ++octant )
	{
		int a = octant & 1, b = 2 + ( octant >> 1 & 1 ), c = 4 + ( octant >> 2 );
		int ab = between[a][b], bc = between[b][c], ca = between[c][a];
		pnAddTet( shape, a, ab, ca );
		pnAddTet( shape, b, bc, ab );
		pnAddTet( shape, c, ca, bc );
		pnAddTet( shape, ab, bc, ca );
	}
}

// A brick: 8 corners, 6 middles of faces, and the 4 middles of the long edges, along x.
static void pnMakeTetsBrick( pnTetsShape* shape, pnVec3 half )
{
	for ( int i = 0; i < 8; ++i )
	{
		shape->points[i] =
			pnMakeVec3( ( i & 1 ) != 0 ? half.x : -half.x, ( i & 2 ) != 0 ? half.y : -half.y, ( i & 4 ) != 0 ? half.z : -half.z );
	}
	for ( int edge = 0; edge < 4; ++edge )
	{
		shape->points[14 + edge] = pnScale( 0.5f, pnAdd( shape->points[2 * edge], shape->points[2 * edge + 1] ) );
	}
	for ( int face = 0; face < 6; ++face )
	{
		int axis = face >> 1, u = 1 << ( axis + 1 ) % 3, v = 1 << ( axis + 2 ) % 3, first = ( face & 1 ) << axis;
		int corners[4] = { first, first | u, first | u | v, first | v }; // around the face
		shape->points[8 + face] = pnScale( 0.5f, pnAdd( shape->points[corners[0]], shape->points[corners[2]] ) );
		for ( int i = 0; i < 4; ++i )
		{
			int a = corners[i], b = corners[( i + 1 ) & 3];
			if ( ( a ^ b ) == 1 ) // a long edge
			{
				pnAddTet( shape, a, 14 + ( a >> 1 ), 8 + face );
				pnAddTet( shape, 14 + ( a >> 1 ), b, 8 + face );
			}
			else
			{
				pnAddTet( shape, a, b, 8 + face );
			}
		}
	}
}

pnResult pnCreateTets( pnWorld* world )
{
	static const uint32_t colors[PN_TETS_KINDS][2] = { { 0x3d8fd1, 0x3aa88f }, { 0xe0533d, 0xe98f3b }, { 0xe9b83b, 0xa3b845 } };
	pnTetsShape shapes[PN_TETS_KINDS] = { 0 };
	pnMakeTetsBall( shapes + 0, 0.45f, 1.0f );
	pnMakeTetsBrick( shapes + 1, (pnVec3){ 0.55f, 0.3f, 0.35f } );
	pnMakeTetsBall( shapes + 2, 0.55f, 0.72f );

	pnResult result = pnAddFloor( world, 0.6f );
	result = result == pn_success ? pnAddWalls( world, 2.5f, 2.5f, 0.45f, 0.6f ) : result;
	pnSolid* solids[PN_TETS_KINDS] = { 0 };
	for ( int i = 0; i < PN_TETS_KINDS && result == pn_success; ++i )
	{
		pnSolidDef def = pnDefaultSolidDef();
		def.points = shapes[i].points;
		def.pointCount = PN_TETS_OUTER + 1;
		def.tetrahedra = shapes[i].tetrahedra;
		def.tetrahedronCount = shapes[i].tetrahedronCount;
		def.clusters.kind = pn_countClusters;
		def.clusters.count = 1;
		result = pnCreateSolid( &def, solids + i );
	}
	uint32_t random = 521288629u;
	for ( int i = 0; i < PN_TETS_BODIES && result == pn_success; ++i )
	{
		int kind = i % PN_TETS_KINDS;
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solids[kind];
		def.material.hertz = 12.0f;
		def.material.dampingRatio = 0.6f;
		def.detector = pn_tetDetector;
		def.transform.p.x = 1.25f * ( (float)( i % 4 ) - 1.5f ) + pnSceneRandomBetween( &random, -0.05f, 0.05f );
		def.transform.p.y = 0.9f + 1.2f * (float)( i / 16 );
		def.transform.p.z = 1.25f * ( (float)( i / 4 % 4 ) - 1.5f ) + pnSceneRandomBetween( &random, -0.05f, 0.05f );
		pnVec3 axis = { pnSceneRandomBetween( &random, -1.0f, 1.0f ), 1.0f, pnSceneRandomBetween( &random, -1.0f, 1.0f ) };
		def.transform.q = pnSceneTurn( axis, pnSceneRandomBetween( &random, 0.0f, 6.28f ) );
		def.userData = pnPackColors( colors[kind][pnSceneRandom( &random ) & 1], 0, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	for ( int i = 0; i < PN_TETS_KINDS; ++i )
	{
		pnDestroySolid( solids[i] );
	}
	return result;
}
