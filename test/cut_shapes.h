// cut_shapes.h - what is cut in tests: closed surfaces with holes, hollows and teeth, open ones, clouds, skins that are carried. Knows only
// the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "help.h"

enum { cutAttributes = 4 }; // of each vertex

// A solid as a user would hand it over. Attributes are a linear field over the rest places, materials are 1 to 5 in turn.
typedef struct CutShape
{
	const char* name;
	pnVec3* points; // of the solid
	int pointCount, pointCapacity;
	int32_t* triangles; // over the points, or over `skin` if there is one
	int triangleCount, triangleCapacity;
	pnVec3 *skin, *normals; // vertices carried by the points; else NULL
	int skinCount, skinCapacity;
	int32_t* tetrahedra;
	int tetrahedronCount;
	bool closed;
	float fill, cellSize;
} CutShape;

static inline void FreeCutShape( CutShape* shape )
{
	free( shape->points );
	free( shape->triangles );
	free( shape->skin );
	free( shape->normals );
	free( shape->tetrahedra );
	*shape = ( CutShape ){ 0 };
}

static inline int AddPlace( pnVec3** places, int* count, int* capacity, pnVec3 place )
{
	if ( *count == *capacity )
	{
		*capacity = 2 * *capacity + 64;
		*places = realloc( *places, (size_t)*capacity * sizeof( pnVec3 ) );
	}
	( *places )[*count] = place;
	return ( *count )++;
}

static inline int AddPoint( CutShape* shape, pnVec3 place )
{
	return AddPlace( &shape->points, &shape->pointCount, &shape->pointCapacity, place );
}

// The point that is there already since `first`, or a new one.
static inline int FindPoint( CutShape* shape, int first, pnVec3 place )
{
	for ( int i = first; i < shape->pointCount; ++i )
	{
		pnVec3 p = shape->points[i];
		if ( p.x == place.x && p.y == place.y && p.z == place.z )
		{
			return i;
		}
	}
	return AddPoint( shape, place );
}

static inline void AddTriangle( CutShape* shape, int a, int b, int c )
{
	if ( shape->triangleCount == shape->triangleCapacity )
	{
		shape->triangleCapacity = 2 * shape->triangleCapacity + 64;
		shape->triangles = realloc( shape->triangles, 3 * (size_t)shape->triangleCapacity * sizeof( int32_t ) );
	}
	int32_t* triangle = shape->triangles + 3 * shape->triangleCount++;
	triangle[0] = a, triangle[1] = b, triangle[2] = c;
}

// ---- closed surfaces ----

// An octahedron blown up: poles on the axes, and a ring of vertices exactly in each coordinate plane. inward: turned over, a hollow.
static inline void AddSphere( CutShape* shape, pnVec3 center, float radius, int parts, bool inward )
{
	int first = shape->pointCount;
	for ( int octant = 0; octant < 8; ++octant )
	{
		int sx = octant & 1 ? -1 : 1, sy = octant & 2 ? -1 : 1, sz = octant & 4 ? -1 : 1;
		bool turn = ( sx * sy * sz < 0 ) != inward;
		int row[2][64];
		for ( int i = 0; i <= parts; ++i )
		{
			for ( int j = 0; j <= parts - i; ++j )
			{
				double x = i, y = j, z = parts - i - j, length = sqrt( x * x + y * y + z * z );
				pnVec3 d = { (float)( sx * x / length ), (float)( sy * y / length ), (float)( sz * z / length ) };
				d = pnMakeVec3( d.x + 0.0f, d.y + 0.0f, d.z + 0.0f ); // no -0
				row[i & 1][j] = FindPoint( shape, first, pnMulAdd( center, radius, d ) );
			}
			const int *now = row[i & 1], *before = row[( i + 1 ) & 1];
			for ( int j = 0; i > 0 && j <= parts - i; ++j )
			{
				AddTriangle( shape, before[j], turn ? before[j + 1] : now[j], turn ? now[j] : before[j + 1] );
				if ( j < parts - i )
				{
					AddTriangle( shape, now[j], turn ? before[j + 1] : now[j + 1], turn ? now[j + 1] : before[j + 1] );
				}
			}
		}
	}
}

// Quads between rings of equal size, the last ring joined to the first.
static inline void AddTubeTriangles( CutShape* shape, int first, int rings, int sides, bool joined )
{
	for ( int i = 0; i < ( joined ? rings : rings - 1 ); ++i )
	{
		for ( int j = 0; j < sides; ++j )
		{
			int a = first + i * sides + j, b = first + ( i + 1 ) % rings * sides + j;
			int c = first + ( i + 1 ) % rings * sides + ( j + 1 ) % sides, d = first + i * sides + ( j + 1 ) % sides;
			AddTriangle( shape, a, b, c );
			AddTriangle( shape, a, c, d );
		}
	}
}

static inline CutShape MakeTorus( int rings, int sides )
{
	CutShape shape = { .name = "torus", .closed = true };
	for ( int i = 0; i < rings; ++i )
	{
		for ( int j = 0; j < sides; ++j )
		{
			double a = 2.0 * TEST_PI * i / rings, b = 2.0 * TEST_PI * j / sides, r = 0.4 + 0.15 * cos( b );
			AddPoint( &shape, pnMakeVec3( (float)( r * cos( a ) ), (float)( 0.15 * sin( b ) ), (float)( r * sin( a ) ) ) );
		}
	}
	AddTubeTriangles( &shape, 0, rings, sides, true );
	return shape;
}

static inline CutShape MakeTrefoil( int rings, int sides )
{
	CutShape shape = { .name = "trefoil", .closed = true };
	for ( int i = 0; i < rings; ++i )
	{
		double t = 2.0 * TEST_PI * i / rings;
		double c[3] = { sin( t ) + 2.0 * sin( 2.0 * t ), cos( t ) - 2.0 * cos( 2.0 * t ), -sin( 3.0 * t ) };
		double d1[3] = { cos( t ) + 4.0 * cos( 2.0 * t ), -sin( t ) + 4.0 * sin( 2.0 * t ), -3.0 * cos( 3.0 * t ) };
		double d2[3] = { -sin( t ) - 8.0 * sin( 2.0 * t ), -cos( t ) + 8.0 * cos( 2.0 * t ), 9.0 * sin( 3.0 * t ) };
		double b[3] = { d1[1] * d2[2] - d1[2] * d2[1], d1[2] * d2[0] - d1[0] * d2[2], d1[0] * d2[1] - d1[1] * d2[0] };
		double n[3] = { b[1] * d1[2] - b[2] * d1[1], b[2] * d1[0] - b[0] * d1[2], b[0] * d1[1] - b[1] * d1[0] };
		double lb = Length3( b ), ln = Length3( n );
		for ( int j = 0; j < sides; ++j )
		{
			double angle = 2.0 * TEST_PI * j / sides, p[3];
			for ( int k = 0; k < 3; ++k )
			{
				p[k] = 0.2 * ( c[k] + 0.4 * ( cos( angle ) * n[k] / ln - sin( angle ) * b[k] / lb ) );
			}
			AddPoint( &shape, pnMakeVec3( (float)p[0], (float)p[1], (float)p[2] ) );
		}
	}
	AddTubeTriangles( &shape, 0, rings, sides, true );
	return shape;
}

// The surface of a set of little cubes that meet face to face.
typedef bool CellFcn( int x, int y, int z );

static inline CutShape MakeCells( const char* name, int nx, int ny, int nz, float size, CellFcn* filled )
{
	CutShape shape = { .name = name, .closed = true };
	int32_t* at = calloc( (size_t)( nx + 1 ) * ( ny + 1 ) * ( nz + 1 ), sizeof( int32_t ) );
	for ( int cell = 0; cell < nx * ny * nz; ++cell )
	{
		int p[3] = { cell % nx, cell / nx % ny, cell / ( nx * ny ) }, n[3] = { nx, ny, nz };
		for ( int face = 0; face < 6 && filled( p[0], p[1], p[2] ); ++face )
		{
			int axis = face / 2, side = face % 2, q[3] = { p[0], p[1], p[2] };
			q[axis] += side != 0 ? 1 : -1;
			if ( q[axis] >= 0 && q[axis] < n[axis] && filled( q[0], q[1], q[2] ) )
			{
				continue;
			}
			int corners[4];
			for ( int k = 0; k < 4; ++k )
			{
				int c[3] = { p[0], p[1], p[2] };
				c[axis] += side;
				c[( axis + 1 ) % 3] += k == 1 || k == 2;
				c[( axis + 2 ) % 3] += k >= 2;
				int32_t* known = at + ( c[2] * ( ny + 1 ) + c[1] ) * ( nx + 1 ) + c[0];
				if ( *known == 0 )
				{
					*known = 1 + AddPoint( &shape, pnMakeVec3( size * ( (float)c[0] - 0.5f * (float)nx ), size * ( (float)c[1] - 0.5f * (float)ny ), size * ( (float)c[2] - 0.5f * (float)nz ) ) );
				}
				corners[k] = *known - 1;
			}
			bool out = side == 1;
			AddTriangle( &shape, corners[0], corners[out ? 1 : 2], corners[out ? 2 : 1] );
			AddTriangle( &shape, corners[0], corners[out ? 2 : 3], corners[out ? 3 : 2] );
		}
	}
	free( at );
	return shape;
}

static inline bool IsBlockCell( int x, int y, int z )
{
	(void)x, (void)y, (void)z;
	return true;
}

enum { combTeeth = 6 };

static inline bool IsCombCell( int x, int y, int z )
{
	(void)z;
	return y < 2 || x % 2 == 0;
}

static inline bool IsArchCell( int x, int y, int z ) // a U upside down
{
	(void)z;
	return y >= 4 || x < 2 || x >= 6;
}

static inline CutShape MakeSphereShape( int parts )
{
	CutShape shape = { .name = "sphere", .closed = true };
	AddSphere( &shape, pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0.5f, parts, false );
	return shape;
}

static inline CutShape MakeHollow( bool ball )
{
	CutShape shape = { .name = ball ? "ball in a hollow" : "hollow", .closed = true };
	AddSphere( &shape, pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0.5f, 7, false );
	AddSphere( &shape, pnMakeVec3( 0.05f, 0.02f, 0.0f ), 0.3f, 5, true );
	if ( ball )
	{
		AddSphere( &shape, pnMakeVec3( 0.05f, 0.02f, 0.0f ), 0.15f, 4, false );
	}
	return shape;
}

static inline CutShape MakeHead( void )
{
	CutShape shape = { .name = "head with eyes", .closed = true };
	AddSphere( &shape, pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0.5f, 7, false );
	AddSphere( &shape, pnMakeVec3( 0.2f, 0.2f, 0.45f ), 0.08f, 3, false );
	AddSphere( &shape, pnMakeVec3( -0.2f, 0.2f, 0.45f ), 0.08f, 3, false );
	return shape;
}

static inline CutShape MakeCube( void )
{
	CutShape shape = { .name = "cube", .closed = true };
	for ( int i = 0; i < 8; ++i )
	{
		AddPoint( &shape, pnMakeVec3( i & 1 ? 0.5f : -0.5f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.5f : -0.5f ) );
	}
	static const int faces[12][3] = { { 0, 2, 3 }, { 0, 3, 1 }, { 4, 5, 7 }, { 4, 7, 6 }, { 0, 1, 5 }, { 0, 5, 4 },
									  { 2, 6, 7 }, { 2, 7, 3 }, { 0, 4, 6 }, { 0, 6, 2 }, { 1, 3, 7 }, { 1, 7, 5 } };
	for ( int i = 0; i < 12; ++i )
	{
		AddTriangle( &shape, faces[i][0], faces[i][1], faces[i][2] );
	}
	return shape;
}

static inline CutShape MakeTetrahedron( void )
{
	CutShape shape = { .name = "tetrahedron", .closed = true };
	static const pnVec3 corners[4] = { { 0.5f, 0.5f, 0.5f }, { -0.5f, -0.5f, 0.5f }, { -0.5f, 0.5f, -0.5f }, { 0.5f, -0.5f, -0.5f } };
	for ( int i = 0; i < 4; ++i )
	{
		AddPoint( &shape, corners[i] );
	}
	AddTriangle( &shape, 0, 2, 1 );
	AddTriangle( &shape, 0, 1, 3 );
	AddTriangle( &shape, 0, 3, 2 );
	AddTriangle( &shape, 1, 2, 3 );
	return shape;
}

// A block of tetrahedra, six to a little cube.
static inline CutShape MakeTetrahedra( int nx, int ny, int nz, float size )
{
	CutShape shape = { .name = "tetrahedra", .closed = true };
	for ( int i = 0; i < ( nx + 1 ) * ( ny + 1 ) * ( nz + 1 ); ++i )
	{
		int x = i % ( nx + 1 ), y = i / ( nx + 1 ) % ( ny + 1 ), z = i / ( ( nx + 1 ) * ( ny + 1 ) );
		AddPoint( &shape, pnMakeVec3( size * ( (float)x - 0.5f * (float)nx ), size * ( (float)y - 0.5f * (float)ny ), size * ( (float)z - 0.5f * (float)nz ) ) );
	}
	static const int orders[6][3] = { { 0, 1, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 1, 0 }, { 1, 0, 2 } };
	int steps[3] = { 1, nx + 1, ( nx + 1 ) * ( ny + 1 ) };
	shape.tetrahedra = calloc( (size_t)24 * nx * ny * nz, sizeof( int32_t ) );
	for ( int cell = 0; cell < nx * ny * nz; ++cell )
	{
		int corner = cell % nx + cell / nx % ny * steps[1] + cell / ( nx * ny ) * steps[2];
		for ( int k = 0; k < 6; ++k )
		{
			int32_t* tetrahedron = shape.tetrahedra + 4 * shape.tetrahedronCount++;
			tetrahedron[0] = corner;
			tetrahedron[1] = tetrahedron[0] + steps[orders[k][0]];
			tetrahedron[2] = tetrahedron[1] + steps[orders[k][1]];
			tetrahedron[3] = tetrahedron[2] + steps[orders[k][2]];
			if ( k >= 3 ) // the other hand
			{
				int32_t swap = tetrahedron[1];
				tetrahedron[1] = tetrahedron[2], tetrahedron[2] = swap;
			}
		}
	}
	return shape;
}

// ---- open surfaces and clouds ----

static inline CutShape MakeSheet( int nx, int nz )
{
	CutShape shape = { .name = "sheet" };
	for ( int i = 0; i < nx * nz; ++i )
	{
		AddPoint( &shape, pnMakeVec3( (float)( i % nx ) / (float)( nx - 1 ) - 0.5f, 0.0f, (float)( i / nx ) / (float)( nz - 1 ) - 0.5f ) );
	}
	for ( int i = 0; i < nx * ( nz - 1 ); ++i )
	{
		if ( i % nx < nx - 1 )
		{
			AddTriangle( &shape, i, i + nx, i + nx + 1 );
			AddTriangle( &shape, i, i + nx + 1, i + 1 );
		}
	}
	return shape;
}

static inline CutShape MakeTube( int rings, int sides )
{
	CutShape shape = { .name = "tube" };
	for ( int i = 0; i < rings * sides; ++i )
	{
		double angle = 2.0 * TEST_PI * ( i % sides ) / sides;
		AddPoint( &shape, pnMakeVec3( (float)( 0.2 * cos( angle ) ), (float)( i / sides ) / (float)( rings - 1 ) - 0.5f, (float)( 0.2 * sin( angle ) ) ) );
	}
	AddTubeTriangles( &shape, 0, rings, sides, false );
	return shape;
}

static inline CutShape MakeCloud( const char* name, int nx, int ny, int nz, float size, CellFcn* filled )
{
	CutShape shape = { .name = name };
	for ( int i = 0; i < nx * ny * nz; ++i )
	{
		int x = i % nx, y = i / nx % ny, z = i / ( nx * ny );
		if ( filled( x, y, z ) )
		{
			AddPoint( &shape, pnMakeVec3( size * ( (float)x - 0.5f * (float)( nx - 1 ) ), size * ( (float)y - 0.5f * (float)( ny - 1 ) ), size * ( (float)z - 0.5f * (float)( nz - 1 ) ) ) );
		}
	}
	return shape;
}

// Coarse points that carry a fine ball with normals, and a seam where two rows of vertices lie in one place.
static inline CutShape MakeCarried( void )
{
	CutShape shape = MakeCloud( "carried ball", 6, 6, 6, 0.15f, IsBlockCell );
	shape.closed = true;
	enum { stacks = 14, slices = 20 };
	for ( int i = 0; i <= stacks; ++i )
	{
		for ( int j = 0; j <= slices; ++j )
		{
			double a = TEST_PI * i / stacks, b = 2.0 * TEST_PI * ( j % slices ) / slices, s = i == 0 || i == stacks ? 0.0 : sin( a );
			pnVec3 d = pnMakeVec3( (float)( s * cos( b ) ), (float)cos( a ), (float)( s * sin( b ) ) );
			int capacity = shape.skinCapacity, count = shape.skinCount;
			AddPlace( &shape.skin, &shape.skinCount, &shape.skinCapacity, pnScale( 0.5f, d ) );
			AddPlace( &shape.normals, &count, &capacity, d );
			int at = shape.skinCount - 1;
			if ( i > 0 && j > 0 )
			{
				int up = at - slices - 1;
				if ( i > 1 )
				{
					AddTriangle( &shape, up - 1, up, at - 1 );
				}
				if ( i < stacks )
				{
					AddTriangle( &shape, up, at, at - 1 );
				}
			}
		}
	}
	return shape;
}

// ---- what is carried along ----

// The linear field that attributes are.
static inline void WriteField( pnVec3 rest, float* field )
{
	field[0] = rest.x, field[1] = rest.y, field[2] = rest.z;
	field[3] = 1.0f + 2.0f * rest.x - 3.0f * rest.y + 0.5f * rest.z;
}

static inline pnSolid* MakeCutSolid( const CutShape* shape )
{
	int vertexCount = shape->skin != NULL ? shape->skinCount : shape->pointCount;
	const pnVec3* vertices = shape->skin != NULL ? shape->skin : shape->points;
	float* attributes = calloc( (size_t)vertexCount * cutAttributes, sizeof( float ) );
	int32_t* materials = calloc( (size_t)shape->triangleCount + 1, sizeof( int32_t ) );
	for ( int i = 0; i < vertexCount; ++i )
	{
		WriteField( vertices[i], attributes + (size_t)i * cutAttributes );
	}
	for ( int i = 0; i < shape->triangleCount; ++i )
	{
		materials[i] = 1 + i % 5;
	}
	pnSolidDef def = pnDefaultSolidDef();
	def.points = shape->points;
	def.pointCount = shape->pointCount;
	def.fillSpacing = shape->fill;
	if ( shape->cellSize > 0.0f )
	{
		def.clusters.kind = pn_cellClusters;
		def.clusters.cellSize = shape->cellSize;
	}
	pnSkinDef skin = { .vertices = shape->skin, .normals = shape->normals, .triangles = shape->triangles, .vertexCount = vertexCount, .triangleCount = shape->triangleCount,
					   .attributes = attributes, .attributeCount = cutAttributes, .materials = materials };
	if ( shape->skin != NULL )
	{
		def.skins = &skin;
		def.skinCount = 1;
	}
	else if ( shape->triangleCount > 0 || shape->tetrahedronCount > 0 )
	{
		def.triangles = shape->triangles;
		def.triangleCount = shape->triangleCount;
		def.tetrahedra = shape->tetrahedra;
		def.tetrahedronCount = shape->tetrahedronCount;
		def.attributes = attributes;
		def.attributeCount = cutAttributes;
		def.materials = shape->triangleCount > 0 ? materials : NULL;
	}
	pnSolid* solid = NULL;
	ENSURE( pnCreateSolid( &def, &solid ) == pn_success );
	free( attributes );
	free( materials );
	return solid;
}

// A block of cells of 0.1 m: points that carry a skin `finer` times as fine, or a filled surface.
static inline CutShape MakeBar( bool carried, int nx, int ny, int nz, int finer )
{
	CutShape shape = MakeCells( "bar", carried ? nx * finer : nx, carried ? ny * finer : ny, carried ? nz * finer : nz, carried ? 0.1f / (float)finer : 0.1f, IsBlockCell );
	if ( carried )
	{
		CutShape cloud = MakeCloud( "carried bar", nx + 1, ny + 1, nz + 1, 0.1f, IsBlockCell );
		cloud.closed = true;
		cloud.skin = shape.points, cloud.skinCount = shape.pointCount, cloud.skinCapacity = shape.pointCapacity;
		cloud.triangles = shape.triangles, cloud.triangleCount = shape.triangleCount, cloud.triangleCapacity = shape.triangleCapacity;
		return cloud;
	}
	shape.fill = 0.1f;
	return shape;
}
