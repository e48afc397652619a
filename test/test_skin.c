// test_skin.c - surfaces carried by points: positions, normals, seams. Rows M7, M13.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "help.h"

enum { ringCount = 12, sideCount = 16, sphereVertices = 2 + ( ringCount - 1 ) * sideCount, sphereTriangles = 2 * sideCount * ( ringCount - 1 ) };

typedef struct Mesh { pnVec3 vertices[256], normals[256]; int32_t triangles[3 * 512]; int vertexCount, triangleCount; } Mesh;

// A ball of radius r, closed, outward triangles.
static void MakeBall( float radius, Mesh* mesh )
{
	mesh->vertexCount = 0;
	mesh->triangleCount = 0;
	for ( int ring = 0; ring <= ringCount; ++ring )
	{
		double latitude = TEST_PI * ring / ringCount;
		int sides = ring == 0 || ring == ringCount ? 1 : sideCount;
		for ( int side = 0; side < sides; ++side )
		{
			double longitude = 2.0 * TEST_PI * side / sideCount;
			pnVec3 n = pnMakeVec3( (float)( sin( latitude ) * cos( longitude ) ), (float)( sin( latitude ) * sin( longitude ) ), (float)cos( latitude ) );
			mesh->normals[mesh->vertexCount] = n;
			mesh->vertices[mesh->vertexCount++] = pnScale( radius, n );
		}
	}
	for ( int ring = 0; ring < ringCount; ++ring )
	{
		for ( int side = 0; side < sideCount; ++side )
		{
			int next = ( side + 1 ) % sideCount;
			int above = ring == 0 ? 0 : 1 + ( ring - 1 ) * sideCount;
			int below = 1 + ring * sideCount;
			int a = ring == 0 ? 0 : above + side, b = ring == 0 ? 0 : above + next;
			int c = ring == ringCount - 1 ? below : below + side, d = ring == ringCount - 1 ? below : below + next;
			int32_t two[2][3] = { { a, c, d }, { a, d, b } };
			for ( int k = 0; k < 2; ++k )
			{
				if ( two[k][0] != two[k][1] && two[k][1] != two[k][2] && two[k][2] != two[k][0] )
				{
					memcpy( mesh->triangles + 3 * mesh->triangleCount, two[k], sizeof( two[k] ) );
					mesh->triangleCount += 1;
				}
			}
		}
	}
}

// x -> linear x + quadratic terms of x; and its gradient
typedef struct Warp { double linear[9], quadratic[18]; } Warp;

static void WarpPoint( const Warp* warp, const double c[3], double out[3], double gradient[9] )
{
	double e[6] = { c[0] * c[0], c[1] * c[1], c[2] * c[2], c[0] * c[1], c[1] * c[2], c[2] * c[0] };
	double de[6][3] = { { 2 * c[0], 0, 0 }, { 0, 2 * c[1], 0 }, { 0, 0, 2 * c[2] }, { c[1], c[0], 0 }, { 0, c[2], c[1] }, { c[2], 0, c[0] } };
	for ( int a = 0; a < 3; ++a )
	{
		out[a] = 0.0;
		for ( int b = 0; b < 3; ++b )
		{
			out[a] += warp->linear[3 * a + b] * c[b];
			gradient[3 * a + b] = warp->linear[3 * a + b];
			for ( int k = 0; k < 6; ++k )
			{
				gradient[3 * a + b] += warp->quadratic[6 * a + k] * de[k][b];
			}
		}
		for ( int k = 0; k < 6; ++k )
		{
			out[a] += warp->quadratic[6 * a + k] * e[k];
		}
	}
}

// The normal of a mapped surface: cof( gradient ) n, unit. Two tangents would do as well; this is what they give.
static void MapNormal( const double g[9], pnVec3 n, double out[3] )
{
	double cofactor[9] = {
		g[4] * g[8] - g[5] * g[7], g[5] * g[6] - g[3] * g[8], g[3] * g[7] - g[4] * g[6], g[2] * g[7] - g[1] * g[8], g[0] * g[8] - g[2] * g[6],
		g[1] * g[6] - g[0] * g[7], g[1] * g[5] - g[2] * g[4], g[2] * g[3] - g[0] * g[5], g[0] * g[4] - g[1] * g[3],
	};
	double length = 0.0;
	for ( int a = 0; a < 3; ++a )
	{
		out[a] = cofactor[3 * a] * n.x + cofactor[3 * a + 1] * n.y + cofactor[3 * a + 2] * n.z;
		length += out[a] * out[a];
	}
	for ( int a = 0; a < 3; ++a )
	{
		out[a] /= sqrt( length );
	}
}

// A block of points about the ball, with the ball as a further skin.
static pnSolid* MakeCarrier( Shape* shape, const Mesh* mesh, int cells, bool withNormals )
{
	*shape = MakeBlock( 5, 5, 5, 0.25f, 0.1f, 50 );
	CoverByCells( shape, cells, cells, cells, 0.6f );
	pnSkinDef skin = { 0 };
	skin.vertices = mesh->vertices;
	skin.normals = withNormals ? mesh->normals : NULL;
	skin.triangles = mesh->triangles;
	skin.vertexCount = mesh->vertexCount;
	skin.triangleCount = mesh->triangleCount;
	pnSolidDef def = pnDefaultSolidDef();
	def.points = shape->rest;
	def.masses = shape->masses;
	def.pointCount = shape->count;
	def.clusters.kind = pn_givenClusters;
	def.clusters.count = shape->clusterCount;
	def.clusters.starts = shape->starts;
	def.clusters.members = shape->members;
	def.skins = &skin;
	def.skinCount = 1;
	pnSolid* solid = NULL;
	ENSURE( pnCreateSolid( &def, &solid ) == pn_success );
	return solid;
}

// An embedded skin is where the fitted maps put it: any map the mode can make, at all vertices, with normals.
static void SkinFollowsMaps( void )
{
	Mesh mesh;
	MakeBall( 0.45f, &mesh );
	pnRandom random = pnSeed( 51 );
	for ( int n = 0; n < 60; ++n )
	{
		bool quadratic = n % 2 == 1;
		Shape shape;
		pnSolid* solid = MakeCarrier( &shape, &mesh, 1 + n / 2 % 2, n % 3 != 0 );
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnMaterial material = PlainMaterial( quadratic ? pn_quadraticMode : pn_linearMode, 5.0f, 1.0f );
		pnBodyId body = PlaceBody( world, solid, &material );
		REQUIRE( pnSolid_GetInfo( solid ).skinCount == 1 );
		pnSkinInfo info = pnSolid_GetSkin( solid, 0 );
		ENSURE( info.vertexCount == mesh.vertexCount && info.triangleCount == mesh.triangleCount );
		ENSURE( memcmp( info.triangles, mesh.triangles, sizeof( int32_t ) * 3 * mesh.triangleCount ) == 0 );

		pnVec3 positions[256], normals[256], restNormals[256];
		// as it was given, at first
		ENSURE( pnBody_WriteSkin( world, body, 0, positions, restNormals, 256 ) == mesh.vertexCount );
		for ( int i = 0; i < mesh.vertexCount; ++i )
		{
			ENSURE_NEAR( DistanceOf( positions[i], mesh.vertices[i] ), 0.0, 2e-6 );
			// exactly those given; from the triangles of a ball this fine they lean by a few degrees at most
			ENSURE_NEAR( DistanceOf( restNormals[i], mesh.normals[i] ), 0.0, n % 3 != 0 ? 1e-5 : 0.1 );
		}

		Warp warp = { { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0 } };
		for ( int k = 0; k < 9; ++k )
		{
			warp.linear[k] += pnRandomIn( &random, -0.4, 0.4 );
		}
		for ( int k = 0; k < 18 && quadratic; ++k )
		{
			warp.quadratic[k] = pnRandomIn( &random, -0.15, 0.15 );
		}
		double shift[3] = { 1.0, -2.0, 0.5 };
		pnVec3* x = calloc( shape.count, sizeof( pnVec3 ) );
		for ( int i = 0; i < shape.count; ++i )
		{
			double c[3] = { shape.rest[i].x, shape.rest[i].y, shape.rest[i].z }, y[3], g[9];
			WarpPoint( &warp, c, y, g );
			x[i] = pnMakeVec3( (float)( shift[0] + y[0] ), (float)( shift[1] + y[1] ), (float)( shift[2] + y[2] ) );
		}
		ENSURE( pnBody_SetPoints( world, body, x, NULL, shape.count ) == pn_success );
		ENSURE( pnBody_WriteSkin( world, body, 0, positions, normals, 256 ) == mesh.vertexCount );
		pnTestContext( "map %d, mode %d, %d clusters", n, material.mode, shape.clusterCount );
		for ( int i = 0; i < mesh.vertexCount; ++i )
		{
			double c[3] = { mesh.vertices[i].x, mesh.vertices[i].y, mesh.vertices[i].z }, y[3], g[9], normal[3];
			WarpPoint( &warp, c, y, g );
			MapNormal( g, restNormals[i], normal );
			double p[3] = { positions[i].x - shift[0], positions[i].y - shift[1], positions[i].z - shift[2] };
			double m[3] = { normals[i].x, normals[i].y, normals[i].z };
			// float32 sums over 125 points and a shift of 2: some tens of ulps of a metre
			ENSURE_NEAR( Distance3( p, y ), 0.0, 1e-5 );
			ENSURE_NEAR( Distance3( m, normal ), 0.0, 1e-4 );
		}
		free( x );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
		FreeShape( &shape );
	}
}

// M7: in rigid mode a single cluster's mesh follows R and t exactly: distances keep to rounding however the points shake.
static void RigidSkinIsRigid( void )
{
	Mesh mesh;
	MakeBall( 0.45f, &mesh );
	Shape shape;
	pnSolid* solid = MakeCarrier( &shape, &mesh, 1, true );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, -10.0f, 0.0f ) );
	pnMaterial material = PlainMaterial( pn_rigidMode, 8.0f, 0.0f );
	pnBodyId body = PlaceBody( world, solid, &material );
	pnRandom random = pnSeed( 52 );
	pnVec3* x = calloc( shape.count, sizeof( pnVec3 ) );
	pnVec3* v = calloc( shape.count, sizeof( pnVec3 ) );
	for ( int i = 0; i < shape.count; ++i )
	{
		x[i] = pnAdd( shape.rest[i], RandomVec3( &random, 0.1 ) );
		v[i] = pnAdd( pnCross( pnMakeVec3( 3.0f, -5.0f, 8.0f ), shape.rest[i] ), RandomVec3( &random, 0.5 ) );
	}
	ENSURE( pnBody_SetPoints( world, body, x, v, shape.count ) == pn_success );
	for ( int n = 0; n < 300; ++n )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
		pnVec3 positions[256], normals[256];
		ENSURE( pnBody_WriteSkin( world, body, 0, positions, normals, 256 ) == mesh.vertexCount );
		double worst = 0.0, worstNormal = 0.0, farthest = 1.0;
		for ( int i = 0; i < mesh.vertexCount; i += 7 )
		{
			farthest = fmax( farthest, LengthOf( positions[i] ) );
			for ( int j = 0; j < i; j += 5 )
			{
				worst = fmax( worst, fabs( DistanceOf( positions[i], positions[j] ) - DistanceOf( mesh.vertices[i], mesh.vertices[j] ) ) );
				worstNormal = fmax( worstNormal, fabs( pnDot( normals[i], normals[j] ) - pnDot( mesh.normals[i], mesh.normals[j] ) ) );
			}
		}
		pnTestContext( "step %d", n );
		ENSURE_MOST( worst, 1e-6 + 2.4e-7 * farthest ); // it falls 125 m: the rounding of its coordinates grows
		ENSURE_MOST( worstNormal, 4e-6 );
		// and it is where the body's own best rigid fit says
		pnBodyState state;
		ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
		for ( int i = 0; i < mesh.vertexCount; i += 31 )
		{
			ENSURE_NEAR( DistanceOf( positions[i], pnTransformPoint( state.transform, mesh.vertices[i] ) ), 0.0, 1e-5 + 4e-7 * farthest );
		}
	}
	free( x );
	free( v );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
	FreeShape( &shape );
}

// A surface given over the points is skin 0: its vertices are the points, bit for bit, and its normals those of its triangles.
static void SkinOnPoints( void )
{
	Mesh mesh;
	MakeBall( 0.5f, &mesh );
	pnSolidDef def = pnDefaultSolidDef();
	def.points = mesh.vertices;
	def.pointCount = mesh.vertexCount;
	def.triangles = mesh.triangles;
	def.triangleCount = mesh.triangleCount;
	pnSolid* solid = NULL;
	REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
	ENSURE( pnSolid_GetInfo( solid ).skinCount == 1 );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, -10.0f, 0.0f ) );
	pnMaterial material = pnDefaultMaterial();
	pnBodyId body = PlaceBody( world, solid, &material );
	pnRandom random = pnSeed( 53 );
	pnVec3 x[256], skin[256], normals[256];
	for ( int i = 0; i < mesh.vertexCount; ++i )
	{
		x[i] = pnAdd( pnMakeVec3( 1.3f * mesh.vertices[i].x, 0.8f * mesh.vertices[i].y, mesh.vertices[i].z ), RandomVec3( &random, 0.01 ) );
	}
	ENSURE( pnBody_SetPoints( world, body, x, NULL, mesh.vertexCount ) == pn_success );
	for ( int n = 0; n < 20; ++n )
	{
		ENSURE( pnBody_WritePoints( world, body, x, NULL, 256 ) == mesh.vertexCount );
		ENSURE( pnBody_WriteSkin( world, body, 0, skin, normals, 256 ) == mesh.vertexCount );
		ENSURE( memcmp( x, skin, sizeof( pnVec3 ) * mesh.vertexCount ) == 0 );
		for ( int i = 0; i < mesh.vertexCount; ++i )
		{
			ENSURE_NEAR( LengthOf( normals[i] ), 1.0, 1e-5 );
		}
		// whatever the weighting, a smooth normal lies among those of the triangles around it
		for ( int t = 0; t < mesh.triangleCount; ++t )
		{
			const int32_t* corner = mesh.triangles + 3 * t;
			pnVec3 across = pnCross( pnSub( skin[corner[1]], skin[corner[0]] ), pnSub( skin[corner[2]], skin[corner[0]] ) );
			double area = LengthOf( across );
			for ( int k = 0; k < 3 && n == 0; ++k )
			{
				// neighbours on this ball differ by less than 35 degrees, also stretched by 1.3 / 0.8
				ENSURE( pnDot( across, normals[corner[k]] ) > 0.7 * area );
			}
		}
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	}
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// The normals of a flat patch are its normal, also after it has been turned.
static void FlatPatchNormals( void )
{
	pnVec3 points[25];
	int32_t triangles[96];
	int triangleCount = 0;
	for ( int i = 0; i < 25; ++i )
	{
		points[i] = pnMakeVec3( 0.2f * ( i % 5 ), 0.3f * ( i / 5 ), 0.0f );
		if ( i % 5 < 4 && i / 5 < 4 )
		{
			int32_t two[6] = { i, i + 1, i + 6, i, i + 6, i + 5 };
			memcpy( triangles + 3 * triangleCount, two, sizeof( two ) );
			triangleCount += 2;
		}
	}
	pnSolidDef def = pnDefaultSolidDef();
	def.points = points;
	def.pointCount = 25;
	def.triangles = triangles;
	def.triangleCount = triangleCount;
	pnSolid* solid = NULL;
	REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnRandom random = pnSeed( 54 );
	for ( int n = 0; n < 10; ++n )
	{
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.solid = solid;
		bodyDef.transform.q = RandomTurn( &random );
		bodyDef.transform.p = RandomVec3( &random, 3.0 );
		pnBodyId body;
		ENSURE( pnCreateBody( world, &bodyDef, &body ) == pn_success );
		pnVec3 skin[25], normals[25];
		ENSURE( pnBody_WriteSkin( world, body, 0, skin, normals, 25 ) == 25 );
		for ( int i = 0; i < 25; ++i )
		{
			ENSURE_NEAR( DistanceOf( normals[i], pnRotate( bodyDef.transform.q, pnMakeVec3( 0.0f, 0.0f, 1.0f ) ) ), 0.0, 1e-5 );
			ENSURE_NEAR( DistanceOf( skin[i], pnTransformPoint( bodyDef.transform, points[i] ) ), 0.0, 2e-6 );
		}
	}
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// A seam: two rows of vertices in one place, as modelling programs write them for texture coordinates. They become one row of
// particles, so the surface never opens there, and its normals have no crease.
static void SeamsStayClosed( void )
{
	Mesh mesh;
	MakeBall( 0.5f, &mesh );
	// every triangle gets vertices of its own: as much seam as there can be
	static pnVec3 points[3 * 512];
	static int32_t triangles[3 * 512];
	int count = 3 * mesh.triangleCount;
	for ( int i = 0; i < count; ++i )
	{
		points[i] = mesh.vertices[mesh.triangles[i]];
		triangles[i] = i;
	}
	pnSolidDef def = pnDefaultSolidDef();
	def.points = points;
	def.pointCount = count;
	def.triangles = triangles;
	def.triangleCount = mesh.triangleCount;
	pnSolid* solid = NULL;
	REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
	pnSolidInfo info = pnSolid_GetInfo( solid );
	ENSURE( info.pointCount == count );
	ENSURE( info.particleCount == mesh.vertexCount );
	static int32_t particles[3 * 512];
	ENSURE( pnSolid_WritePointMap( solid, particles, count ) == count );
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < i; j += 11 )
		{
			ENSURE( ( particles[i] == particles[j] ) == ( mesh.triangles[i] == mesh.triangles[j] ) );
		}
	}
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, -10.0f, 0.0f ) );
	pnBodyDef bodyDef = pnDefaultBodyDef();
	bodyDef.solid = solid;
	bodyDef.angularVelocity = pnMakeVec3( 5.0f, 2.0f, 8.0f );
	pnBodyId body;
	REQUIRE( pnCreateBody( world, &bodyDef, &body ) == pn_success );
	static pnVec3 skin[3 * 512], normals[3 * 512];
	for ( int n = 0; n < 60; ++n )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
	}
	ENSURE( pnBody_WriteSkin( world, body, 0, skin, normals, count ) == count );
	int firstOf[256];
	memset( firstOf, -1, sizeof( firstOf ) );
	for ( int i = 0; i < count; ++i )
	{
		int vertex = mesh.triangles[i];
		firstOf[vertex] = firstOf[vertex] < 0 ? i : firstOf[vertex];
		ENSURE( memcmp( skin + i, skin + firstOf[vertex], sizeof( pnVec3 ) ) == 0 );
		ENSURE( memcmp( normals + i, normals + firstOf[vertex], sizeof( pnVec3 ) ) == 0 );
	}
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

static const pnTest s_tests[] = {
	RUN( SkinFollowsMaps ),
	RUN( RigidSkinIsRigid ),
	RUN( SkinOnPoints ),
	RUN( FlatPatchNormals ),
	RUN( SeamsStayClosed ),
};
SUITE( skin, s_tests );
