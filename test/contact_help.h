// contact_help.h - what tests of contact build: closed boxes, balls, tori, clouds; floors; and who is inside whom. Knows only the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "blocks.h"
#include "help.h"

#define STEP ( 1.0f / 60.0f )
#define GRAVITY 9.81

#define COUNT( ARRAY ) ( (int)( sizeof( ARRAY ) / sizeof( ( ARRAY )[0] ) ) )

// ---- rest shapes ----

typedef struct Rest
{
	pnVec3* points;
	int32_t* triangles; // counterclockwise from outside
	int32_t* tetrahedra;
	int count, triangleCount, tetrahedronCount;
} Rest;

static inline void FreeRest( Rest* rest )
{
	free( rest->points );
	free( rest->triangles );
	free( rest->tetrahedra );
	*rest = ( Rest ){ 0 };
}

static inline void AddTriangle( Rest* rest, int a, int b, int c )
{
	int32_t* at = rest->triangles + 3 * rest->triangleCount++;
	at[0] = a, at[1] = b, at[2] = c;
}

// A block of cells, x fastest, about the origin: six tetrahedra in each cell, two triangles on each outer face.
static inline Rest MakeBoxRest( pnVec3 size, int nx, int ny, int nz )
{
	Rest rest = { 0 };
	int n[3] = { nx, ny, nz }, strides[3] = { 1, nx + 1, ( nx + 1 ) * ( ny + 1 ) };
	float edge[3] = { size.x, size.y, size.z };
	rest.count = ( nx + 1 ) * ( ny + 1 ) * ( nz + 1 );
	rest.points = calloc( rest.count, sizeof( pnVec3 ) );
	rest.triangles = calloc( (size_t)4 * ( nx * ny + ny * nz + nz * nx ), 3 * sizeof( int32_t ) );
	rest.tetrahedra = calloc( (size_t)6 * nx * ny * nz, 4 * sizeof( int32_t ) );
	for ( int i = 0; i < rest.count; ++i )
	{
		float x[3];
		for ( int a = 0; a < 3; ++a )
		{
			x[a] = edge[a] * ( (float)( i / strides[a] % ( n[a] + 1 ) ) / (float)n[a] - 0.5f );
		}
		rest.points[i] = pnMakeVec3( x[0], x[1], x[2] );
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		int u = ( axis + 1 ) % 3, w = ( axis + 2 ) % 3;
		for ( int side = 0; side < 2; ++side )
		{
			for ( int i = 0; i < n[u]; ++i )
			{
				for ( int j = 0; j < n[w]; ++j )
				{
					int a = side * n[axis] * strides[axis] + i * strides[u] + j * strides[w];
					int b = a + strides[u], c = a + strides[u] + strides[w], d = a + strides[w];
					AddTriangle( &rest, a, side == 1 ? b : c, side == 1 ? c : b );
					AddTriangle( &rest, a, side == 1 ? c : d, side == 1 ? d : c );
				}
			}
		}
	}
	// From the low corner of a cell to its high corner there are six ways along the axes: a tetrahedron for each.
	static const int ways[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 1, 0, 2 }, { 2, 1, 0 }, { 0, 2, 1 } };
	for ( int cell = 0; cell < nx * ny * nz; ++cell )
	{
		int low = cell % nx + cell / nx % ny * strides[1] + cell / ( nx * ny ) * strides[2];
		for ( int k = 0; k < 6; ++k )
		{
			int first = low + strides[ways[k][0]], second = first + strides[ways[k][1]], last = second + strides[ways[k][2]];
			int32_t* at = rest.tetrahedra + 4 * rest.tetrahedronCount++;
			at[0] = low, at[1] = k < 3 ? first : second, at[2] = k < 3 ? second : first, at[3] = last;
		}
	}
	return rest;
}

// A block pulled into a ball: shells of a cube become shells of a sphere.
static inline Rest MakeTetBallRest( float radius, int n )
{
	Rest rest = MakeBoxRest( pnMakeVec3( 2.0f, 2.0f, 2.0f ), n, n, n );
	for ( int i = 0; i < rest.count; ++i )
	{
		pnVec3 p = rest.points[i];
		double most = fmax( fabs( p.x ), fmax( fabs( p.y ), fabs( p.z ) ) ), length = LengthOf( p );
		rest.points[i] = pnScale( length > 0.0 ? (float)( radius * most / length ) : 0.0f, p );
	}
	return rest;
}

// An octahedron, each triangle cut into n * n, on an ellipsoid.
static inline Rest MakeBallRest( pnVec3 radii, int n )
{
	Rest rest = { 0 };
	int most = 8 * ( n + 1 ) * ( n + 2 ) / 2;
	rest.points = calloc( most, sizeof( pnVec3 ) );
	rest.triangles = calloc( (size_t)8 * n * n, 3 * sizeof( int32_t ) );
	int* at = calloc( (size_t)( n + 1 ) * ( n + 1 ), sizeof( int ) );
	for ( int face = 0; face < 8; ++face )
	{
		float sx = face & 1 ? -1.0f : 1.0f, sy = face & 2 ? -1.0f : 1.0f, sz = face & 4 ? -1.0f : 1.0f;
		for ( int i = 0; i <= n; ++i )
		{
			for ( int j = 0; i + j <= n; ++j )
			{
				pnVec3 p = { sx * (float)i, sy * (float)j, sz * (float)( n - i - j ) };
				p = pnScale( 1.0f / (float)LengthOf( p ), p );
				p = pnMakeVec3( radii.x * p.x, radii.y * p.y, radii.z * p.z );
				int found = 0; // corners and edges of faces are shared
				while ( found < rest.count && DistanceOf( rest.points[found], p ) > 1e-5 * LengthOf( p ) )
				{
					found += 1;
				}
				rest.points[found] = p;
				rest.count = found == rest.count ? found + 1 : rest.count;
				at[i * ( n + 1 ) + j] = found;
			}
		}
		bool turned = sx * sy * sz < 0.0f;
		for ( int i = 0; i < n; ++i )
		{
			for ( int j = 0; i + j < n; ++j )
			{
				int a = at[i * ( n + 1 ) + j], b = at[( i + 1 ) * ( n + 1 ) + j], c = at[i * ( n + 1 ) + j + 1];
				AddTriangle( &rest, a, turned ? c : b, turned ? b : c );
				if ( i + j + 1 < n )
				{
					int d = at[( i + 1 ) * ( n + 1 ) + j + 1];
					AddTriangle( &rest, d, turned ? b : c, turned ? c : b );
				}
			}
		}
	}
	free( at );
	return rest;
}

// About y.
static inline Rest MakeTorusRest( float radius, float tube, int around, int across )
{
	Rest rest = { 0 };
	rest.count = around * across;
	rest.points = calloc( rest.count, sizeof( pnVec3 ) );
	rest.triangles = calloc( (size_t)2 * rest.count, 3 * sizeof( int32_t ) );
	for ( int i = 0; i < around; ++i )
	{
		for ( int j = 0; j < across; ++j )
		{
			double u = 2.0 * TEST_PI * i / around, w = 2.0 * TEST_PI * j / across, out = radius + tube * cos( w );
			rest.points[i * across + j] = pnMakeVec3( (float)( out * cos( u ) ), (float)( tube * sin( w ) ), (float)( out * sin( u ) ) );
			int a = i * across + j, b = i * across + ( j + 1 ) % across, nextI = ( i + 1 ) % around;
			int c = nextI * across + ( j + 1 ) % across, d = nextI * across + j;
			AddTriangle( &rest, a, b, c );
			AddTriangle( &rest, a, c, d );
		}
	}
	return rest;
}

// Points and nothing else.
static inline Rest MakeCloudRest( int nx, int ny, int nz, float spacing )
{
	Rest rest = { 0 };
	rest.count = nx * ny * nz;
	rest.points = pnMakeGrid( nx, ny, nz, spacing );
	return rest;
}

// Frees the rest. Every point weighs the same. cells 0: one cluster.
static inline pnSolid* SolidOf( Rest rest, float mass, float thickness, float cellSize )
{
	pnSolidDef def = pnDefaultSolidDef();
	float* masses = calloc( rest.count, sizeof( float ) );
	int32_t* members = calloc( rest.count, sizeof( int32_t ) );
	int32_t starts[2] = { 0, rest.count };
	for ( int i = 0; i < rest.count; ++i )
	{
		masses[i] = mass / (float)rest.count;
		members[i] = i;
	}
	def.points = rest.points;
	def.pointCount = rest.count;
	def.masses = masses;
	def.triangles = rest.triangles;
	def.triangleCount = rest.triangleCount;
	def.tetrahedra = rest.tetrahedra;
	def.tetrahedronCount = rest.tetrahedronCount;
	def.thickness = thickness;
	if ( cellSize > 0.0f )
	{
		def.clusters.kind = pn_cellClusters;
		def.clusters.cellSize = cellSize;
		def.clusters.overlap = 0.5f;
	}
	else
	{
		def.clusters.kind = pn_givenClusters;
		def.clusters.count = 1;
		def.clusters.starts = starts;
		def.clusters.members = members;
	}
	pnSolid* solid = NULL;
	ENSURE( pnCreateSolid( &def, &solid ) == pn_success );
	free( masses );
	free( members );
	FreeRest( &rest );
	return solid;
}

// A cube of 4 x 4 x 4 cells.
static inline pnSolid* MakeCubeSolid( float edge, float mass, float thickness )
{
	return SolidOf( MakeBoxRest( pnMakeVec3( edge, edge, edge ), 4, 4, 4 ), mass, thickness, 0.0f );
}

static inline pnSolid* MakeBallSolid( float radius, float mass, float thickness )
{
	return SolidOf( MakeBallRest( pnMakeVec3( radius, radius, radius ), 4 ), mass, thickness, 0.0f );
}

// ---- bodies and shapes ----

// Hardly gives way, and does not swing.
static inline pnMaterial StiffMaterial( float friction, float restitution )
{
	pnMaterial material = pnDefaultMaterial();
	material.mode = pn_rigidMode;
	material.hertz = 30.0f;
	material.dampingRatio = 1.0f;
	material.friction = friction;
	material.restitution = restitution;
	return material;
}

static inline pnMaterial SoftMaterial( float hertz )
{
	pnMaterial material = pnDefaultMaterial();
	material.hertz = hertz;
	material.dampingRatio = 1.0f;
	material.stretch = 0.5f;
	material.friction = 0.5f;
	return material;
}

static inline pnBodyDef DefBody( const pnSolid* solid, pnMaterial material, pnVec3 place )
{
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.material = material;
	def.transform.p = place;
	return def;
}

static inline pnBodyId AddBody( pnWorld* world, const pnBodyDef* def )
{
	pnBodyId body = { 0 };
	ENSURE( pnCreateBody( world, def, &body ) == pn_success );
	return body;
}

static inline pnShapeId AddShape( pnWorld* world, const pnShapeDef* def )
{
	pnShapeId shape = { 0 };
	ENSURE( pnCreateShape( world, def, &shape ) == pn_success );
	return shape;
}

static inline pnShapeId AddFloor( pnWorld* world, float friction )
{
	pnShapeDef def = pnDefaultShapeDef();
	def.friction = friction;
	return AddShape( world, &def );
}

static inline pnShapeDef DefBoxShape( pnVec3 place, pnVec3 halfExtents, float friction )
{
	pnShapeDef def = pnDefaultShapeDef();
	def.kind = pn_boxShape;
	def.transform.p = place;
	def.halfExtents = halfExtents;
	def.friction = friction;
	return def;
}

// With its inside open upwards: a floor and four walls.
static inline void AddBin( pnWorld* world, float half )
{
	AddFloor( world, 0.5f );
	float s = (float)sqrt( 0.5 );
	pnTransform walls[4] = {
		{ { half, 0.0f, 0.0f }, { 0.0f, 0.0f, s, s } },
		{ { -half, 0.0f, 0.0f }, { 0.0f, 0.0f, -s, s } },
		{ { 0.0f, 0.0f, half }, { -s, 0.0f, 0.0f, s } },
		{ { 0.0f, 0.0f, -half }, { s, 0.0f, 0.0f, s } },
	};
	for ( int i = 0; i < 4; ++i )
	{
		pnShapeDef def = pnDefaultShapeDef();
		def.transform = walls[i];
		def.friction = 0.5f;
		AddShape( world, &def );
	}
}

static inline pnWorld* MakeFallingWorld( void )
{
	return MakeWorld( pnMakeVec3( 0.0f, (float)-GRAVITY, 0.0f ) );
}

// Bodies that sleep when they may.
static inline pnWorld* MakeSleepyWorld( void )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.gravity = pnMakeVec3( 0.0f, (float)-GRAVITY, 0.0f );
	def.enableSleep = true;
	pnWorld* world = NULL;
	ENSURE( pnCreateWorld( &def, &world ) == pn_success );
	return world;
}

static inline void StepWorld( pnWorld* world, int count, int subSteps )
{
	for ( int i = 0; i < count; ++i )
	{
		ENSURE( pnWorld_Step( world, STEP, subSteps ) == pn_success );
	}
}

static inline pnBodyState StateOf( const pnWorld* world, pnBodyId body )
{
	pnBodyState state = { 0 };
	ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
	return state;
}

static inline pnShapeState ShapeStateOf( const pnWorld* world, pnShapeId shape )
{
	pnShapeState state = { 0 };
	ENSURE( pnShape_GetState( world, shape, &state ) == pn_success );
	return state;
}

static inline bool SameBody( pnBodyId a, pnBodyId b )
{
	return a.index1 == b.index1 && a.generation == b.generation;
}

static inline bool SameShape( pnShapeId a, pnShapeId b )
{
	return a.index1 == b.index1 && a.generation == b.generation;
}

// ---- sums over all points of a world; every point of a body weighs the same ----

typedef struct AllPoints
{
	int count;
	pnVec3 *x, *v;
	float* masses;
} AllPoints;

static inline AllPoints ReadWorld( const pnWorld* world )
{
	AllPoints all = { 0 };
	int bodyCount = pnWorld_GetBodies( world, NULL, 0 );
	pnBodyId* bodies = calloc( (size_t)bodyCount + 1, sizeof( pnBodyId ) );
	pnWorld_GetBodies( world, bodies, bodyCount );
	int total = 0;
	for ( int i = 0; i < bodyCount; ++i )
	{
		total += pnBody_WritePoints( world, bodies[i], NULL, NULL, 0 );
	}
	all.x = calloc( (size_t)total + 1, sizeof( pnVec3 ) );
	all.v = calloc( (size_t)total + 1, sizeof( pnVec3 ) );
	all.masses = calloc( (size_t)total + 1, sizeof( float ) );
	for ( int i = 0; i < bodyCount; ++i )
	{
		int count = pnBody_WritePoints( world, bodies[i], all.x + all.count, all.v + all.count, total - all.count );
		float mass = StateOf( world, bodies[i] ).mass / (float)count;
		for ( int k = 0; k < count; ++k )
		{
			all.masses[all.count + k] = mass;
		}
		all.count += count;
	}
	free( bodies );
	return all;
}

static inline void FreeAll( AllPoints* all )
{
	free( all->x );
	free( all->v );
	free( all->masses );
	*all = ( AllPoints ){ 0 };
}

static inline Motion MeasureWorld( const pnWorld* world )
{
	AllPoints all = ReadWorld( world );
	Motion motion = MeasureMotion( all.count, all.masses, all.x, all.v );
	FreeAll( &all );
	return motion;
}

// Kinetic, and potential over y = 0.
static inline double MeasureEnergy( const pnWorld* world )
{
	AllPoints all = ReadWorld( world );
	double energy = 0.0;
	for ( int i = 0; i < all.count; ++i )
	{
		double speed = LengthOf( all.v[i] );
		energy += all.masses[i] * ( 0.5 * speed * speed + GRAVITY * all.x[i].y );
	}
	FreeAll( &all );
	return energy;
}

static inline double MaxSpeed( const pnWorld* world )
{
	AllPoints all = ReadWorld( world );
	double most = 0.0;
	for ( int i = 0; i < all.count; ++i )
	{
		double speed = LengthOf( all.v[i] );
		most = speed > most || speed != speed ? speed : most;
	}
	FreeAll( &all );
	return most;
}

// The least of all points along a direction.
static inline double LowestAlong( const pnWorld* world, pnVec3 direction )
{
	AllPoints all = ReadWorld( world );
	double least = 1e30;
	for ( int i = 0; i < all.count; ++i )
	{
		double d = (double)direction.x * all.x[i].x + (double)direction.y * all.x[i].y + (double)direction.z * all.x[i].z;
		least = d < least || d != d ? d : least;
	}
	FreeAll( &all );
	return least;
}

// ---- who is inside whom: winding numbers by solid angles (Van Oosterom and Strackee 1983), in double, by brute force ----

typedef struct Hull // the surface of a body as it lies
{
	int count, triangleCount;
	pnVec3* x;
	const int32_t* triangles;
	pnVec3 lower, upper;
} Hull;

static inline Hull ReadHull( const pnWorld* world, pnBodyId body )
{
	Hull hull = { 0 };
	pnSkinInfo skin = pnSolid_GetSkin( pnBody_GetSolid( world, body ), 0 );
	hull.count = pnBody_WriteSkin( world, body, 0, NULL, NULL, 0 );
	hull.x = calloc( (size_t)hull.count + 1, sizeof( pnVec3 ) );
	pnBody_WriteSkin( world, body, 0, hull.x, NULL, hull.count );
	hull.triangles = skin.triangles;
	hull.triangleCount = skin.triangleCount;
	hull.lower = hull.upper = hull.x[0];
	for ( int i = 1; i < hull.count; ++i )
	{
		hull.lower = pnMin3( hull.lower, hull.x[i] );
		hull.upper = pnMax3( hull.upper, hull.x[i] );
	}
	return hull;
}

static inline void ArmOf( pnVec3 a, const double p[3], double out[3] )
{
	out[0] = a.x - p[0], out[1] = a.y - p[1], out[2] = a.z - p[2];
}

static inline double Dot3( const double a[3], const double b[3] )
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double WindingOf( const Hull* hull, const double p[3] )
{
	double sum = 0.0;
	for ( int t = 0; t < hull->triangleCount; ++t )
	{
		double a[3], b[3], c[3];
		ArmOf( hull->x[hull->triangles[3 * t]], p, a );
		ArmOf( hull->x[hull->triangles[3 * t + 1]], p, b );
		ArmOf( hull->x[hull->triangles[3 * t + 2]], p, c );
		double la = Length3( a ), lb = Length3( b ), lc = Length3( c );
		double triple = a[0] * ( b[1] * c[2] - b[2] * c[1] ) + a[1] * ( b[2] * c[0] - b[0] * c[2] ) + a[2] * ( b[0] * c[1] - b[1] * c[0] );
		sum += atan2( triple, la * lb * lc + Dot3( a, b ) * lc + Dot3( b, c ) * la + Dot3( c, a ) * lb );
	}
	return sum / ( 2.0 * TEST_PI );
}

static inline double DistanceToHull( const Hull* hull, const double p[3] )
{
	double least = 1e30;
	for ( int t = 0; t < hull->triangleCount; ++t )
	{
		// by the plane if its foot is inside, else by the edges
		double e[3][3], edge[3][3], normal[3];
		for ( int k = 0; k < 3; ++k )
		{
			ArmOf( hull->x[hull->triangles[3 * t + k]], p, e[k] );
		}
		for ( int k = 0; k < 3; ++k )
		{
			double along = 0.0, length2 = 0.0;
			for ( int a = 0; a < 3; ++a )
			{
				edge[k][a] = e[( k + 1 ) % 3][a] - e[k][a];
				length2 += edge[k][a] * edge[k][a];
				along -= e[k][a] * edge[k][a];
			}
			double s = length2 > 0.0 ? fmin( 1.0, fmax( 0.0, along / length2 ) ) : 0.0;
			double q[3] = { e[k][0] + s * edge[k][0], e[k][1] + s * edge[k][1], e[k][2] + s * edge[k][2] };
			least = fmin( least, Length3( q ) );
		}
		for ( int a = 0; a < 3; ++a )
		{
			int u = ( a + 1 ) % 3, w = ( a + 2 ) % 3;
			normal[a] = edge[0][u] * edge[1][w] - edge[0][w] * edge[1][u];
		}
		double area2 = Dot3( normal, normal );
		bool inside = area2 > 0.0;
		for ( int k = 0; k < 3 && inside; ++k )
		{
			double side[3] = { edge[k][1] * e[k][2] - edge[k][2] * e[k][1], edge[k][2] * e[k][0] - edge[k][0] * e[k][2], edge[k][0] * e[k][1] - edge[k][1] * e[k][0] };
			inside = Dot3( side, normal ) <= 0.0; // e leads from the place to the corner
		}
		if ( inside )
		{
			least = fmin( least, fabs( Dot3( e[0], normal ) ) / sqrt( area2 ) );
		}
	}
	return least;
}

typedef struct Inside { int asked, inside; double depth; } Inside;

// How deep a place is in the hull; 0 outside.
static inline double DepthIn( const Hull* hull, const double p[3] )
{
	bool near = p[0] >= hull->lower.x && p[0] <= hull->upper.x && p[1] >= hull->lower.y && p[1] <= hull->upper.y && p[2] >= hull->lower.z && p[2] <= hull->upper.z;
	return near && WindingOf( hull, p ) > 0.5 ? DistanceToHull( hull, p ) : 0.0;
}

// Vertices of one in the other, and places along the edges, `along` of them between two vertices.
static inline void AskHull( const Hull* of, const Hull* in, int along, Inside* result )
{
	for ( int i = 0; i < 3; ++i )
	{
		if ( ( &of->lower.x )[i] > ( &in->upper.x )[i] || ( &in->lower.x )[i] > ( &of->upper.x )[i] )
		{
			result->asked += of->count;
			return;
		}
	}
	for ( int i = 0; i < of->count; ++i )
	{
		double p[3] = { of->x[i].x, of->x[i].y, of->x[i].z }, depth = DepthIn( in, p );
		result->asked += 1;
		result->inside += depth > 0.0;
		result->depth = fmax( result->depth, depth );
	}
	for ( int e = 0; e < 3 * of->triangleCount && along > 0; ++e )
	{
		int from = of->triangles[e], to = of->triangles[e % 3 == 2 ? e - 2 : e + 1];
		for ( int k = 1; k <= along && from < to; ++k )
		{
			double s = (double)k / ( along + 1 );
			pnVec3 a = of->x[from], b = of->x[to];
			double p[3] = { a.x + s * ( b.x - a.x ), a.y + s * ( b.y - a.y ), a.z + s * ( b.z - a.z ) }, depth = DepthIn( in, p );
			result->asked += 1;
			result->inside += depth > 0.0;
			result->depth = fmax( result->depth, depth );
		}
	}
}

// All bodies with a skin of triangles against each other.
static inline Inside AskWorld( const pnWorld* world, int along )
{
	Inside result = { 0 };
	int bodyCount = pnWorld_GetBodies( world, NULL, 0 );
	pnBodyId* bodies = calloc( (size_t)bodyCount + 1, sizeof( pnBodyId ) );
	Hull* hulls = calloc( (size_t)bodyCount + 1, sizeof( Hull ) );
	pnWorld_GetBodies( world, bodies, bodyCount );
	int count = 0;
	for ( int i = 0; i < bodyCount; ++i )
	{
		if ( pnSolid_GetInfo( pnBody_GetSolid( world, bodies[i] ) ).skinCount > 0 )
		{
			hulls[count++] = ReadHull( world, bodies[i] );
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < count; ++j )
		{
			if ( i != j )
			{
				AskHull( hulls + i, hulls + j, along, &result );
			}
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		free( hulls[i].x );
	}
	free( hulls );
	free( bodies );
	return result;
}

// Enclosed by the surface of a body, m^3.
static inline double VolumeOf( const pnWorld* world, pnBodyId body )
{
	Hull hull = ReadHull( world, body );
	double volume = 0.0, origin[3] = { hull.x[0].x, hull.x[0].y, hull.x[0].z };
	for ( int t = 0; t < hull.triangleCount; ++t )
	{
		double a[3], b[3], c[3];
		ArmOf( hull.x[hull.triangles[3 * t]], origin, a );
		ArmOf( hull.x[hull.triangles[3 * t + 1]], origin, b );
		ArmOf( hull.x[hull.triangles[3 * t + 2]], origin, c );
		volume += ( a[0] * ( b[1] * c[2] - b[2] * c[1] ) + a[1] * ( b[2] * c[0] - b[0] * c[2] ) + a[2] * ( b[0] * c[1] - b[1] * c[0] ) ) / 6.0;
	}
	free( hull.x );
	return volume;
}
