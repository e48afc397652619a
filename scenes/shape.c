// shape.c - procedural solids for scenes, and small maths that is the same on every machine. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PN_SCENE_PI 3.14159265358979f

float pnSceneSin( float angle )
{
	float turns = angle * ( 0.5f / PN_SCENE_PI );
	turns -= (float)(int)( turns + ( turns < 0.0f ? -0.5f : 0.5f ) ); // [-1/2, 1/2]
	if ( turns > 0.25f )
	{
		turns = 0.5f - turns;
	}
	else if ( turns < -0.25f )
	{
		turns = -0.5f - turns;
	}
	float x = turns * ( 2.0f * PN_SCENE_PI );
	float y = x * x;
	return x * ( 1.0f + y * ( -1.0f / 6.0f + y * ( 1.0f / 120.0f + y * ( -1.0f / 5040.0f + y * ( 1.0f / 362880.0f ) ) ) ) );
}

float pnSceneCos( float angle ) { return pnSceneSin( angle + 0.5f * PN_SCENE_PI ); }

pnQuat pnSceneTurn( pnVec3 axis, float angle )
{
	float s = pnSceneSin( 0.5f * angle ) / sqrtf( pnDot( axis, axis ) );
	return (pnQuat){ s * axis.x, s * axis.y, s * axis.z, pnSceneCos( 0.5f * angle ) };
}

pnQuat pnSceneTilt( pnVec3 up )
{
	up = pnScale( 1.0f / sqrtf( pnDot( up, up ) ), up );
	pnQuat q = { up.z, 0.0f, -up.x, 1.0f + up.y }; // y x up, and 1 + their cosine: twice half the turn
	float scale = 1.0f / sqrtf( q.x * q.x + q.z * q.z + q.w * q.w );
	return (pnQuat){ scale * q.x, 0.0f, scale * q.z, scale * q.w };
}

float pnSceneEase( float x )
{
	x = x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
	return x * x * ( 3.0f - 2.0f * x );
}

bool pnSceneCrosses( float moment, int frame, float timeStep )
{
	return (float)( frame - 1 ) * timeStep < moment && moment <= (float)frame * timeStep;
}

uint32_t pnSceneRandom( uint32_t* state )
{
	*state ^= *state << 13;
	*state ^= *state >> 17;
	*state ^= *state << 5;
	return *state;
}

float pnSceneRandomBetween( uint32_t* state, float lower, float upper )
{
	float share = (float)( pnSceneRandom( state ) >> 8 ) * ( 1.0f / 16777216.0f ); // 24 bits: exact in a float
	return lower + ( upper - lower ) * share;
}

int pnAddMeshVertex( pnSceneMesh* mesh, pnVec3 vertex, pnVec3 normal )
{
	if ( mesh->vertexCount == mesh->vertexCapacity )
	{
		int capacity = mesh->vertexCapacity == 0 ? 256 : 2 * mesh->vertexCapacity;
		pnVec3* vertices = realloc( mesh->vertices, (size_t)capacity * sizeof( pnVec3 ) );
		mesh->vertices = vertices != NULL ? vertices : mesh->vertices;
		pnVec3* normals = realloc( mesh->normals, (size_t)capacity * sizeof( pnVec3 ) );
		mesh->normals = normals != NULL ? normals : mesh->normals;
		if ( vertices == NULL || normals == NULL )
		{
			mesh->failed = true;
			return 0;
		}
		mesh->vertexCapacity = capacity;
	}
	mesh->vertices[mesh->vertexCount] = vertex;
	mesh->normals[mesh->vertexCount] = normal;
	return mesh->vertexCount++;
}

void pnAddMeshTriangle( pnSceneMesh* mesh, int a, int b, int c )
{
	if ( mesh->triangleCount == mesh->triangleCapacity )
	{
		int capacity = mesh->triangleCapacity == 0 ? 512 : 2 * mesh->triangleCapacity;
		int32_t* triangles = realloc( mesh->triangles, 3 * (size_t)capacity * sizeof( int32_t ) );
		if ( triangles == NULL )
		{
			mesh->failed = true;
			return;
		}
		mesh->triangles = triangles;
		mesh->triangleCapacity = capacity;
	}
	int32_t* triangle = mesh->triangles + 3 * mesh->triangleCount++;
	triangle[0] = a;
	triangle[1] = b;
	triangle[2] = c;
}

void pnFreeMesh( pnSceneMesh* mesh )
{
	free( mesh->vertices );
	free( mesh->normals );
	free( mesh->triangles );
	*mesh = (pnSceneMesh){ 0 };
}

enum
{
	PN_MAX_GRID_LINES = 256
};

// Grid lines of a face along one axis, from -half to half: evenly over the flat part, by equal angles over the rounding.
static int pnMakeGridLines( float* lines, float half, float radius, int flatSteps, int cornerSteps )
{
	int count = 0;
	float inner = half - radius;
	for ( int i = cornerSteps; i > 0; --i )
	{
		float angle = 0.25f * PN_SCENE_PI * (float)i / (float)cornerSteps;
		lines[count++] = -inner - radius * pnSceneSin( angle ) / pnSceneCos( angle );
	}
	int steps = inner > 0.0f ? flatSteps : 0;
	for ( int i = 0; i <= steps; ++i )
	{
		lines[count++] = steps > 0 ? inner * ( 2.0f * (float)i / (float)steps - 1.0f ) : 0.0f;
	}
	for ( int i = 1; i <= cornerSteps; ++i )
	{
		lines[count++] = -lines[cornerSteps - i];
	}
	return count;
}

void pnAddRoundedBox( pnSceneMesh* mesh, pnVec3 center, pnVec3 size, float radius, const int flatSteps[3], int cornerSteps )
{
	float half[3] = { 0.5f * size.x, 0.5f * size.y, 0.5f * size.z };
	float round[3], lines[3][PN_MAX_GRID_LINES];
	int lineCount[3];
	for ( int axis = 0; axis < 3; ++axis )
	{
		round[axis] = radius < half[axis] ? radius : half[axis];
		lineCount[axis] = pnMakeGridLines( lines[axis], half[axis], round[axis], flatSteps[axis], cornerSteps );
	}
	for ( int face = 0; face < 6; ++face )
	{
		int axis = face >> 1, u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
		float sign = ( face & 1 ) != 0 ? 1.0f : -1.0f;
		int first = mesh->vertexCount;
		for ( int j = 0; j < lineCount[v]; ++j )
		{
			for ( int i = 0; i < lineCount[u]; ++i )
			{
				float onCube[3];
				onCube[axis] = sign * half[axis];
				onCube[u] = lines[u][i];
				onCube[v] = lines[v][j];
				float inner[3], out[3];
				float length2 = 0.0f;
				for ( int d = 0; d < 3; ++d )
				{
					float flat = half[d] - round[d];
					inner[d] = onCube[d] < -flat ? -flat : onCube[d] > flat ? flat : onCube[d];
					out[d] = ( onCube[d] - inner[d] ) / round[d];
					length2 += out[d] * out[d];
				}
				float scale = 1.0f / sqrtf( length2 );
				pnVec3 vertex = { inner[0] + round[0] * scale * out[0], inner[1] + round[1] * scale * out[1],
								  inner[2] + round[2] * scale * out[2] };
				pnVec3 normal = { out[0] / round[0], out[1] / round[1], out[2] / round[2] };
				normal = pnScale( 1.0f / sqrtf( pnDot( normal, normal ) ), normal );
				pnAddMeshVertex( mesh, pnAdd( center, vertex ), normal );
			}
		}
		for ( int j = 0; j + 1 < lineCount[v]; ++j )
		{
			for ( int i = 0; i + 1 < lineCount[u]; ++i )
			{
				int a = first + i + lineCount[u] * j;
				int b = a + 1, c = a + lineCount[u], d = c + 1;
				if ( sign > 0.0f )
				{
					pnAddMeshTriangle( mesh, a, b, d );
					pnAddMeshTriangle( mesh, a, d, c );
				}
				else
				{
					pnAddMeshTriangle( mesh, a, d, b );
					pnAddMeshTriangle( mesh, a, c, d );
				}
			}
		}
	}
}

typedef struct pnBlockArrays
{
	pnVec3* points;
	float* masses;
	float* places; // along x, y, z in [0,1], three for each point
	int32_t* starts;
	int32_t* members;
	pnSceneMesh faces; // over the outer points
} pnBlockArrays;

// A place in [0,1]^3, bent from the cube towards the ball in it. Faces go to the ball's surface.
static pnVec3 pnRoundPlace( const float place[3], float roundness )
{
	float x = 2.0f * place[0] - 1.0f, y = 2.0f * place[1] - 1.0f, z = 2.0f * place[2] - 1.0f;
	float xx = x * x, yy = y * y, zz = z * z;
	pnVec3 ball = {
		x * sqrtf( 1.0f - 0.5f * ( yy + zz ) + yy * zz / 3.0f ),
		y * sqrtf( 1.0f - 0.5f * ( zz + xx ) + zz * xx / 3.0f ),
		z * sqrtf( 1.0f - 0.5f * ( xx + yy ) + xx * yy / 3.0f ),
	};
	return pnScale( 0.5f, pnMulAdd( pnScale( 1.0f - roundness, pnMakeVec3( x, y, z ) ), roundness, ball ) );
}

// Full at both ends, thinner by the waist in the middle third.
static pnVec3 pnNarrow( const pnBlockDef* def, pnVec3 p )
{
	float fromMiddle = 2.0f * ( p.x < 0.0f ? -p.x : p.x ) / def->size.x;
	float scale = 1.0f - def->waist * ( 1.0f - pnSceneEase( ( fromMiddle - 0.3f ) / 0.4f ) );
	return def->waist > 0.0f ? pnMakeVec3( p.x, scale * p.y, scale * p.z ) : p;
}

// Two triangles for each quad of points on the six faces.
static void pnFaceBlock( const pnBlockDef* def, pnSceneMesh* mesh )
{
	const int* n = def->points;
	int strides[3] = { 1, n[0], n[0] * n[1] };
	for ( int face = 0; face < 6; ++face )
	{
		int axis = face >> 1, u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
		for ( int j = 0; j + 1 < n[v]; ++j )
		{
			for ( int i = 0; i + 1 < n[u]; ++i )
			{
				int a = ( face & 1 ) * ( n[axis] - 1 ) * strides[axis] + i * strides[u] + j * strides[v];
				int corners[4] = { a, a + strides[u], a + strides[v], a + strides[u] + strides[v] };
				for ( int k = 0; k < 4; ++k )
				{
					corners[k] -= def->omit >= 0 && corners[k] > def->omit ? 1 : 0;
				}
				// The diagonals alternate, so that no direction is preferred.
				static const int halves[2][2][3] = { { { 0, 1, 3 }, { 0, 3, 2 } }, { { 0, 1, 2 }, { 1, 3, 2 } } };
				for ( int half = 0; half < 2; ++half )
				{
					const int* corner = halves[( i + j ) & 1][half];
					int second = ( face & 1 ) != 0 ? 1 : 2; // counterclockwise from outside
					pnAddMeshTriangle( mesh, corners[corner[0]], corners[corner[second]], corners[corner[3 - second]] );
				}
			}
		}
	}
}

static int pnFillBlock( const pnBlockDef* def, const pnBlockArrays* arrays )
{
	int pointCount = 0, gridIndex = 0;
	const int* n = def->points;
	for ( int k = 0; k < n[2]; ++k )
	{
		for ( int j = 0; j < n[1]; ++j )
		{
			for ( int i = 0; i < n[0]; ++i, ++gridIndex )
			{
				if ( gridIndex == def->omit )
				{
					continue;
				}
				float* place = arrays->places + 3 * pointCount;
				place[0] = (float)i / (float)( n[0] - 1 );
				place[1] = (float)j / (float)( n[1] - 1 );
				place[2] = (float)k / (float)( n[2] - 1 );
				pnVec3 p = { place[0] - 0.5f, place[1] - 0.5f, place[2] - 0.5f };
				p = def->roundness > 0.0f ? pnRoundPlace( place, def->roundness ) : p;
				arrays->points[pointCount++] = pnNarrow( def, pnMakeVec3( def->size.x * p.x, def->size.y * p.y, def->size.z * p.z ) );
			}
		}
	}

	float mass = def->density * def->size.x * def->size.y * def->size.z / (float)pointCount;
	for ( int i = 0; i < pointCount; ++i )
	{
		arrays->masses[i] = mass;
	}

	const float slack = 1e-4f; // a point on a cell's border belongs to it
	const int* cells = def->cells;
	int memberCount = 0;
	for ( int cell = 0; cell < cells[0] * cells[1] * cells[2]; ++cell )
	{
		int at[3] = { cell % cells[0], cell / cells[0] % cells[1], cell / ( cells[0] * cells[1] ) };
		arrays->starts[cell] = memberCount;
		for ( int i = 0; i < pointCount; ++i )
		{
			bool inside = true;
			for ( int d = 0; d < 3; ++d )
			{
				float inCells = arrays->places[3 * i + d] * (float)cells[d] - (float)at[d];
				inside = inside && inCells >= -def->overlap - slack && inCells <= 1.0f + def->overlap + slack;
			}
			if ( inside )
			{
				arrays->members[memberCount++] = i;
			}
		}
		arrays->starts[cell + 1] = memberCount;
	}
	return pointCount;
}

pnResult pnCreateBlock( const pnBlockDef* def, pnSolid** solid )
{
	*solid = NULL;
	size_t gridCount = (size_t)( def->points[0] * def->points[1] * def->points[2] );
	int cellCount = def->cells[0] * def->cells[1] * def->cells[2];
	pnBlockArrays arrays = {
		.points = malloc( gridCount * sizeof( pnVec3 ) ),
		.masses = malloc( gridCount * sizeof( float ) ),
		.places = malloc( 3 * gridCount * sizeof( float ) ),
		.starts = malloc( (size_t)( cellCount + 1 ) * sizeof( int32_t ) ),
		.members = malloc( (size_t)cellCount * gridCount * sizeof( int32_t ) ),
	};
	pnSceneMesh mesh = { 0 };
	pnAddRoundedBox( &mesh, (pnVec3){ 0 }, def->size, def->radius, def->flatSteps, def->cornerSteps );
	for ( int i = 0; i < mesh.vertexCount; ++i )
	{
		mesh.vertices[i] = pnNarrow( def, mesh.vertices[i] );
	}
	if ( def->faced )
	{
		pnFaceBlock( def, &arrays.faces );
	}

	pnResult result = pn_outOfMemory;
	if ( mesh.failed == false && arrays.faces.failed == false && arrays.points != NULL && arrays.masses != NULL && arrays.places != NULL &&
		 arrays.starts != NULL && arrays.members != NULL )
	{
		pnSkinDef skin = { mesh.vertices, def->waist > 0.0f ? NULL : mesh.normals, mesh.triangles, mesh.vertexCount, mesh.triangleCount, NULL, 0, NULL };
		pnSolidDef solidDef = pnDefaultSolidDef();
		solidDef.pointCount = pnFillBlock( def, &arrays );
		solidDef.points = arrays.points;
		solidDef.masses = def->faced ? NULL : arrays.masses; // faced: by the volume within
		solidDef.density = def->density;
		solidDef.triangles = arrays.faces.triangles;
		solidDef.triangleCount = arrays.faces.triangleCount;
		solidDef.clusters.kind = pn_givenClusters;
		solidDef.clusters.count = cellCount;
		solidDef.clusters.starts = arrays.starts;
		solidDef.clusters.members = arrays.members;
		solidDef.skins = &skin;
		solidDef.skinCount = 1;
		result = pnCreateSolid( &solidDef, solid );
	}

	pnFreeMesh( &mesh );
	pnFreeMesh( &arrays.faces );
	free( arrays.points );
	free( arrays.masses );
	free( arrays.places );
	free( arrays.starts );
	free( arrays.members );
	return result;
}

// ---- ellipsoids and tori ----

// Between a ring and the next, each with its vertices evenly from an angle on: always on to the nearer of the two next vertices.
static void pnZipRings( pnSceneMesh* mesh, int firstA, int countA, float startA, int firstB, int countB, float startB )
{
	int i = countA == 1 ? 1 : 0, j = countB == 1 ? 1 : 0; // a pole has no way to go
	while ( i < countA || j < countB )
	{
		float nextA = ( (float)( i + 1 ) + startA ) / (float)countA, nextB = ( (float)( j + 1 ) + startB ) / (float)countB;
		bool alongA = j == countB || ( i < countA && nextA <= nextB );
		int a = firstA + i % countA, b = firstB + j % countB;
		i += alongA ? 1 : 0;
		j += alongA ? 0 : 1;
		pnAddMeshTriangle( mesh, a, alongA ? firstA + i % countA : firstB + j % countB, b );
	}
}

// Vertices and triangles of the surface, from the upper pole to the lower one.
void pnAddEllipsoidMesh( pnSceneMesh* mesh, pnVec3 radii, int pointCount )
{
	int gaps = (int)( 0.886f * sqrtf( (float)pointCount ) + 0.5f ); // rings as far apart as the points in them
	float sum = 0.0f, passed = 0.0f;
	for ( int ring = 1; ring < gaps; ++ring )
	{
		sum += pnSceneSin( PN_SCENE_PI * (float)ring / (float)gaps );
	}
	int last = pnAddMeshVertex( mesh, pnMakeVec3( 0.0f, radii.y, 0.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) ), lastCount = 1, placed = 0;
	float lastStart = 0.0f;
	for ( int ring = 1; ring <= gaps; ++ring )
	{
		float down = PN_SCENE_PI * (float)ring / (float)gaps, wide = pnSceneSin( down );
		passed += wide;
		int upTo = ring < gaps ? (int)( (float)( pointCount - 2 ) * passed / sum + 0.5f ) : pointCount - 1;
		int first = mesh->vertexCount, count = upTo - placed;
		float start = 0.5f * (float)( ring & 1 );
		for ( int i = 0; i < count; ++i )
		{
			float around = 2.0f * PN_SCENE_PI * ( (float)i + start ) / (float)count;
			pnVec3 out = { wide * pnSceneCos( around ), pnSceneCos( down ), wide * pnSceneSin( around ) };
			out = ring < gaps ? out : pnMakeVec3( 0.0f, -1.0f, 0.0f );
			pnAddMeshVertex( mesh, pnMakeVec3( radii.x * out.x, radii.y * out.y, radii.z * out.z ), out );
		}
		pnZipRings( mesh, last, lastCount, lastStart, first, count, start );
		placed = upTo;
		last = first;
		lastCount = count;
		lastStart = start;
	}
}

pnResult pnCreateEllipsoid( pnVec3 radii, int surfacePoints, int innerPoints, pnSolid** solid )
{
	*solid = NULL;
	pnSceneMesh mesh = { 0 };
	pnAddEllipsoidMesh( &mesh, radii, surfacePoints );
	for ( int i = 0; i < innerPoints; ++i )
	{
		float along = ( (float)i + 0.5f ) / (float)innerPoints - 0.5f;
		pnAddMeshVertex( &mesh, pnMakeVec3( radii.x * along, 0.0f, 0.0f ), (pnVec3){ 0 } );
	}
	pnResult result = pn_outOfMemory;
	if ( mesh.failed == false )
	{
		pnSolidDef def = pnDefaultSolidDef();
		def.points = mesh.vertices;
		def.pointCount = mesh.vertexCount;
		def.triangles = mesh.triangles;
		def.triangleCount = mesh.triangleCount;
		def.clusters.kind = pn_countClusters;
		def.clusters.count = 1;
		result = pnCreateSolid( &def, solid );
	}
	pnFreeMesh( &mesh );
	return result;
}

pnResult pnCreateTorus( const pnTorusDef* def, pnSolid** solid )
{
	*solid = NULL;
	pnSceneMesh mesh = { 0 };
	for ( int j = 0; j < def->around; ++j )
	{
		float around = 2.0f * PN_SCENE_PI * (float)j / (float)def->around;
		for ( int i = 0; i < def->across; ++i )
		{
			float across = 2.0f * PN_SCENE_PI * ( (float)i + 0.5f * (float)( j & 1 ) ) / (float)def->across;
			float out = def->radius + def->tube * pnSceneCos( across );
			pnVec3 vertex = { out * pnSceneCos( around ), def->tube * pnSceneSin( across ), out * pnSceneSin( around ) };
			pnAddMeshVertex( &mesh, vertex, (pnVec3){ 0 } );
			int nextI = ( i + 1 ) % def->across, nextJ = ( j + 1 ) % def->around;
			int a = i + def->across * j, b = nextI + def->across * j, c = i + def->across * nextJ, d = nextI + def->across * nextJ;
			// Odd rings are half a point further on, so the short diagonals alternate.
			pnAddMeshTriangle( &mesh, a, b, ( j & 1 ) != 0 ? d : c );
			pnAddMeshTriangle( &mesh, ( j & 1 ) != 0 ? a : b, d, c );
		}
	}
	int ringsMost = def->around / def->clusters + 2 * def->overlap + 2;
	int32_t* starts = malloc( (size_t)( def->clusters + 1 ) * sizeof( int32_t ) );
	int32_t* members = malloc( (size_t)( def->clusters * ringsMost * def->across ) * sizeof( int32_t ) );
	pnResult result = pn_outOfMemory;
	if ( mesh.failed == false && starts != NULL && members != NULL )
	{
		int memberCount = 0;
		for ( int cluster = 0; cluster < def->clusters; ++cluster )
		{
			starts[cluster] = memberCount;
			int first = cluster * def->around / def->clusters, next = ( cluster + 1 ) * def->around / def->clusters;
			for ( int j = first - def->overlap; j < next + def->overlap; ++j )
			{
				int ring = ( j + def->around ) % def->around;
				for ( int i = 0; i < def->across; ++i )
				{
					members[memberCount++] = i + def->across * ring;
				}
			}
		}
		starts[def->clusters] = memberCount;
		pnSolidDef solidDef = pnDefaultSolidDef();
		solidDef.points = mesh.vertices;
		solidDef.pointCount = mesh.vertexCount;
		solidDef.triangles = mesh.triangles;
		solidDef.triangleCount = mesh.triangleCount;
		solidDef.clusters.kind = pn_givenClusters;
		solidDef.clusters.count = def->clusters;
		solidDef.clusters.starts = starts;
		solidDef.clusters.members = members;
		result = pnCreateSolid( &solidDef, solid );
	}
	pnFreeMesh( &mesh );
	free( starts );
	free( members );
	return result;
}

// ---- things that do not bend ----

pnResult pnAddFloor( pnWorld* world, float friction )
{
	pnShapeDef def = pnDefaultShapeDef();
	def.friction = friction;
	pnShapeId shape;
	return pnCreateShape( world, &def, &shape );
}

pnResult pnAddWalls( pnWorld* world, float halfX, float halfZ, float slope, float friction )
{
	pnResult result = pn_success;
	for ( int wall = 0; wall < 4 && result == pn_success; ++wall )
	{
		float side = ( wall & 1 ) != 0 ? 1.0f : -1.0f;
		pnVec3 out = wall < 2 ? pnMakeVec3( side, 0.0f, 0.0f ) : pnMakeVec3( 0.0f, 0.0f, side );
		pnShapeDef def = pnDefaultShapeDef();
		def.transform.p = pnScale( wall < 2 ? halfX : halfZ, out );
		def.transform.q = pnSceneTilt( pnMakeVec3( -out.x, slope, -out.z ) );
		def.friction = friction;
		pnShapeId shape;
		result = pnCreateShape( world, &def, &shape );
	}
	return result;
}
