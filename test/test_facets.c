// test_facets.c - surfaces of solids as flat polygons: meshes that close or do not, and clouds whose cells tile the surface.
// Knows the inside of room kelvin.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "test.h"

#include "base/core.h"
#include "kelvin/facets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---- what is said, and memory that runs out ----

static char s_said[512];

static void Hear( const char* message )
{
	snprintf( s_said, sizeof( s_said ), "%s", message );
}

static int s_untilFailure; // allocations that still succeed; negative: all

static void* FailingAlloc( size_t size, size_t alignment )
{
	if ( s_untilFailure >= 0 && s_untilFailure-- == 0 )
	{
		s_untilFailure = -1; // one only: what comes after must cope by itself
		return NULL;
	}
	void* memory = aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
	if ( memory != NULL )
	{
		memset( memory, 0xA5, size );
	}
	return memory;
}

static void FailingFree( void* memory, size_t size )
{
	memset( memory, 0xDD, size ); // whoever reads on sees it
	free( memory );
}

// ---- meshes ----

enum { MAX_POINTS = 4096, MAX_TRIANGLES = 4096 };

typedef struct Mesh
{
	pnVec3d points[MAX_POINTS];
	int32_t triangles[3 * MAX_TRIANGLES];
	int pointCount, triangleCount;
} Mesh;

static const int32_t s_boxTriangles[36] = {
	0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
};

static void AddBox( Mesh* mesh, pnVec3d lower, pnVec3d upper, bool inward )
{
	for ( int i = 0; i < 36; ++i )
	{
		int k = inward ? i - i % 3 + ( 3 - i % 3 ) % 3 : i;
		mesh->triangles[3 * mesh->triangleCount + i] = mesh->pointCount + s_boxTriangles[k];
	}
	for ( int i = 0; i < 8; ++i )
	{
		mesh->points[mesh->pointCount + i] = pnMakeD( i & 1 ? upper.x : lower.x, i & 2 ? upper.y : lower.y, i & 4 ? upper.z : lower.z );
	}
	mesh->pointCount += 8;
	mesh->triangleCount += 12;
}

static void MakeBox( Mesh* mesh )
{
	mesh->pointCount = mesh->triangleCount = 0;
	AddBox( mesh, pnMakeD( -0.5, -0.25, -0.75 ), pnMakeD( 0.5, 0.25, 0.75 ), false );
}

static pnResult Make( const Mesh* mesh, pnFacets* facets )
{
	s_said[0] = 0;
	return pnMakeMeshFacets( mesh->points, mesh->pointCount, mesh->triangles, mesh->triangleCount, NULL, facets );
}

static double AreaOf( const pnFacets* facets, pnVec3d* sum, double* volume )
{
	double area = 0.0;
	*sum = pnMakeD( 0.0, 0.0, 0.0 );
	*volume = 0.0;
	for ( int f = 0; f < facets->count; ++f )
	{
		area += facets->areas[f];
		*sum = pnMulAddD( *sum, facets->areas[f], facets->normals[f] );
		*volume += facets->areas[f] * pnDotD( facets->centroids[f], facets->normals[f] ) / 3.0;
	}
	return area;
}

static void PolygonsKnowTheirAreas( void )
{
	pnFacets facets = { 0 };
	pnRandom random = pnSeed( 5 );
	for ( int turn = 0; turn < 200; ++turn )
	{
		// a regular polygon in any plane, and the half of it above its middle
		int count = 3 + turn % 10;
		pnVec3d n = pnUnitD( pnMakeD( pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ) ) ), s, t;
		pnVec3d center = pnMakeD( pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ) );
		double r = pnRandomIn( &random, 1e-4, 1.0 );
		pnVec3d corners[12];
		pnMakeFrameD( n, &s, &t );
		for ( int k = 0; k < count; ++k )
		{
			double angle = 2.0 * PI * k / count;
			corners[k] = pnMulAddD( pnMulAddD( center, r * cos( angle ), s ), r * sin( angle ), t );
		}
		REQUIRE( pnAddFacet( &facets, corners, count, turn ) );
		ENSURE_NEAR( facets.areas[turn] / ( 0.5 * count * r * r * sin( 2.0 * PI / count ) ), 1.0, 1e-9 );
		ENSURE_MOST( pnLengthD( pnSubD( facets.normals[turn], n ) ), 1e-9 );
		ENSURE_MOST( pnLengthD( pnSubD( facets.centroids[turn], center ) ), 1e-12 );
		ENSURE( facets.groups[turn] == turn && facets.starts[turn + 1] - facets.starts[turn] == count && facets.count == turn + 1 );
	}
	pnVec3d wedge[4] = { { 0.0, 0.0, 0.0 }, { 2.0, 0.0, 0.0 }, { 1.0, 1.0, 0.0 }, { 0.0, 1.0, 0.0 } };
	REQUIRE( pnAddFacet( &facets, wedge, 4, 0 ) );
	ENSURE_NEAR( facets.centroids[200].x, 7.0 / 9.0, 1e-15 );
	ENSURE_NEAR( facets.centroids[200].y, 4.0 / 9.0, 1e-15 );
	pnDestroyFacets( &facets );
	pnDestroyFacets( &facets );
	ENSURE( pnGetByteCount() == 0 );
}

static void ClosedMeshesAreTaken( void )
{
	static const struct { const char* what; double area, volume; int count; } cases[] = {
		{ "a box", 5.5, 0.75, 12 },
		{ "a soup: every triangle with points of its own, a little off", 5.5, 0.75, 12 },
		{ "a hollow", 5.5 + 2.0 * ( 0.5 * 0.25 + 0.5 * 0.99 + 0.25 * 0.99 ), 0.75 - 0.5 * 0.25 * 0.99, 24 },
		{ "two boxes that touch along an edge", 5.0, 0.5, 24 },
		{ "triangles without area", 5.5, 0.75, 13 },
		{ "a stone that lies in a hollow", 5.5 + 0.06 + 0.0096, 0.75 - 0.001 + 0.000064, 36 },
		{ "two boxes that touch with a face", 5.0, 0.5, 24 },
	};
	static Mesh mesh;
	pnFacets facets;
	pnVec3d sum;
	double volume;
	pnSetLogFcn( Hear );
	for ( int i = 0; i < PN_COUNT( cases ); ++i )
	{
		MakeBox( &mesh );
		Mesh box = mesh;
		if ( i == 1 )
		{
			pnRandom random = pnSeed( 3 );
			mesh.pointCount = 36;
			for ( int k = 0; k < 36; ++k )
			{
				pnVec3d off = pnMakeD( pnRandomIn( &random, -2e-10, 2e-10 ), 0.0, pnRandomIn( &random, -2e-10, 2e-10 ) );
				mesh.points[k] = pnAddD( box.points[box.triangles[k]], off );
				mesh.triangles[k] = k;
			}
		}
		else if ( i == 2 )
		{
			AddBox( &mesh, pnMakeD( -0.25, -0.15, -0.25 ), pnMakeD( 0.25, 0.1, 0.74 ), true );
		}
		else if ( i == 3 || i == 6 )
		{
			mesh.pointCount = mesh.triangleCount = 0;
			AddBox( &mesh, pnMakeD( -0.5, -0.5, -0.5 ), pnMakeD( 0.0, 0.0, 0.5 ), false );
			AddBox( &mesh, pnMakeD( 0.0, i == 3 ? 0.0 : -0.5, -0.5 ), pnMakeD( 0.5, i == 3 ? 0.5 : 0.0, 0.5 ), false );
		}
		else if ( i == 4 )
		{
			// The diagonal from 0 to 3 gets a point on one side of it, and the gap a triangle; another has two corners that are one.
			int32_t more[9] = { 8, 2, 3, 0, 8, 3, 5, 5, 7 };
			mesh.points[mesh.pointCount++] = pnScaleD( 0.5, pnAddD( box.points[0], box.points[3] ) );
			mesh.triangles[0] = 0, mesh.triangles[1] = 2, mesh.triangles[2] = 8;
			memcpy( mesh.triangles + 36, more, sizeof( more ) );
			mesh.triangleCount += 3;
		}
		else if ( i == 5 )
		{
			AddBox( &mesh, pnMakeD( -0.06, -0.06, -0.06 ), pnMakeD( 0.04, 0.04, 0.04 ), true );
			AddBox( &mesh, pnMakeD( -0.04, -0.04, -0.04 ), pnMakeD( 0.0, 0.0, 0.0 ), false );
		}
		pnTestContext( "%s", cases[i].what );
		pnResult result = Make( &mesh, &facets );
		pnTestContext( "%s: %s", cases[i].what, s_said );
		ENSURE( result == pn_success );
		ENSURE_NEAR( AreaOf( &facets, &sum, &volume ), cases[i].area, 1e-8 );
		ENSURE_NEAR( volume, cases[i].volume, 1e-8 );
		ENSURE_MOST( pnLengthD( sum ), 1e-8 );
		ENSURE( facets.count == cases[i].count );
		pnDestroyFacets( &facets );
	}
	pnTestContext( "%s", "" );
	pnSetLogFcn( NULL );
	ENSURE( pnGetByteCount() == 0 );
}

static void BadMeshesAreRefusedInWords( void )
{
	static Mesh mesh;
	static const struct { const char* what; const char* said; } cases[] = {
		{ "a triangle is missing", "the surface is open: the edge from point" },
		{ "a triangle is there twice", "belongs to 3 triangles" },
		{ "one triangle is turned", "turned different ways" },
		{ "all are turned", "the normals look inward: turn the triangles over" },
		{ "one of two boxes is turned", "the part with triangle 12 look inward" },
		{ "a cavity looks outward", "a cavity looks into its hollow" },
		{ "a touching box is turned", "triangle" },
		{ "no such point", "triangle 3 names point 8, there are 8" },
		{ "a negative point", "triangle 0 names point -1" },
		{ "not a number", "point 5 is not finite" },
		{ "infinite", "point 2 is not finite" },
		{ "three triangles", "at least 4" },
		{ "no volume", "encloses no volume" },
		{ "all points are one", "no area" },
	};
	pnSetLogFcn( Hear );
	for ( int i = 0; i < PN_COUNT( cases ); ++i )
	{
		MakeBox( &mesh );
		int32_t* t = mesh.triangles;
		if ( i == 0 )
		{
			mesh.triangleCount -= 1;
		}
		else if ( i == 1 )
		{
			memcpy( t + 36, t + 6, 3 * sizeof( int32_t ) );
			mesh.triangleCount += 1;
		}
		else if ( i == 2 || i == 3 )
		{
			for ( int k = i == 2 ? 7 : 0; k < ( i == 2 ? 8 : 12 ); ++k )
			{
				int32_t swap = t[3 * k];
				t[3 * k] = t[3 * k + 1], t[3 * k + 1] = swap;
			}
		}
		else if ( i == 4 )
		{
			AddBox( &mesh, pnMakeD( 0.6, -0.1, -0.1 ), pnMakeD( 0.8, 0.1, 0.1 ), true );
		}
		else if ( i == 5 )
		{
			AddBox( &mesh, pnMakeD( -0.1, -0.1, -0.1 ), pnMakeD( 0.1, 0.1, 0.1 ), false );
		}
		else if ( i == 6 )
		{
			AddBox( &mesh, pnMakeD( 0.5, 0.25, -0.75 ), pnMakeD( 0.8, 0.3, 0.75 ), true );
		}
		else if ( i == 7 || i == 8 )
		{
			t[i == 7 ? 10 : 1] = i == 7 ? 8 : -1;
		}
		else if ( i == 9 || i == 10 )
		{
			mesh.points[i == 9 ? 5 : 2].y = i == 9 ? (double)NAN : (double)INFINITY;
		}
		else if ( i == 11 )
		{
			mesh.triangleCount = 3;
		}
		else
		{
			for ( int k = 0; k < 8; ++k )
			{
				mesh.points[k].z = 0.0;
				mesh.points[k].x = i == 13 ? 0.0 : mesh.points[k].x + 1e-3 * ( k & 4 );
				mesh.points[k].y *= i == 13 ? 0.0 : 1.0;
			}
		}
		pnFacets facets;
		pnTestContext( "%s: %s", cases[i].what, s_said );
		ENSURE( Make( &mesh, &facets ) == pn_invalidInput );
		pnTestContext( "%s: %s", cases[i].what, s_said );
		ENSURE( strstr( s_said, cases[i].said ) != NULL );
		ENSURE( facets.count == 0 && facets.corners == NULL );
		ENSURE( pnGetByteCount() == 0 );
	}
	pnTestContext( "%s", "" );
	pnSetLogFcn( NULL );
}

static void MeshesWithoutMemoryLeaveNothing( void )
{
	static Mesh mesh;
	pnFacets facets;
	ENSURE( pnGetByteCount() == 0 );
	pnSetAllocator( FailingAlloc, FailingFree );
	int failures = 0;
	for ( int allowed = 0; allowed < 200; ++allowed )
	{
		MakeBox( &mesh );
		AddBox( &mesh, pnMakeD( 0.6, -0.1, -0.1 ), pnMakeD( 0.8, 0.1, 0.1 ), false );
		for ( int i = 0; i < 10; ++i ) // enough for the lists to grow
		{
			AddBox( &mesh, pnMakeD( 0.6, -0.1 + 0.25 * ( i + 1 ), -0.1 ), pnMakeD( 0.8, 0.1 + 0.25 * ( i + 1 ), 0.1 ), false );
		}
		s_untilFailure = allowed;
		pnResult result = Make( &mesh, &facets );
		if ( result == pn_success )
		{
			pnDestroyFacets( &facets );
			ENSURE( pnGetByteCount() == 0 );
			break;
		}
		failures += 1;
		ENSURE( result == pn_outOfMemory );
		ENSURE( pnGetByteCount() == 0 );
	}
	s_untilFailure = -1;
	pnSetAllocator( NULL, NULL );
	ENSURE( failures > 20 && failures < 199 );
	pnTestNote( "%d allocations", failures );
}

// ---- clouds ----

enum { MAX_CLOUD = 4096 };

typedef struct Cloud
{
	pnVec3d points[MAX_CLOUD], normals[MAX_CLOUD];
	int32_t groups[MAX_CLOUD];
	int count;
} Cloud;

static void AddPoint( Cloud* cloud, pnVec3d point, pnVec3d normal )
{
	cloud->points[cloud->count] = point;
	cloud->normals[cloud->count] = normal;
	cloud->groups[cloud->count++] = 0;
}

// Random on the faces of a box about the origin.
static void SprinkleBox( Cloud* cloud, pnVec3d half, int count, uint64_t seed )
{
	pnRandom random = pnSeed( seed );
	double areas[3] = { half.y * half.z, half.z * half.x, half.x * half.y };
	cloud->count = 0;
	while ( cloud->count < count )
	{
		double pick = pnRandomIn( &random, 0.0, areas[0] + areas[1] + areas[2] ), side = pnRandomInt( &random, 2 ) == 0 ? -1.0 : 1.0;
		int axis = pick < areas[0] ? 0 : pick < areas[0] + areas[1] ? 1 : 2;
		pnVec3d p = { pnRandomIn( &random, -half.x, half.x ), pnRandomIn( &random, -half.y, half.y ), pnRandomIn( &random, -half.z, half.z ) };
		p.x = axis == 0 ? side * half.x : p.x, p.y = axis == 1 ? side * half.y : p.y, p.z = axis == 2 ? side * half.z : p.z;
		AddPoint( cloud, p, pnMakeD( axis == 0 ? side : 0.0, axis == 1 ? side : 0.0, axis == 2 ? side : 0.0 ) );
	}
}

static void SprinkleSphere( Cloud* cloud, double radius, int count, uint64_t seed )
{
	pnRandom random = pnSeed( seed );
	cloud->count = 0;
	while ( cloud->count < count )
	{
		pnVec3d d = { pnRandomIn( &random, -1.0, 1.0 ), pnRandomIn( &random, -1.0, 1.0 ), pnRandomIn( &random, -1.0, 1.0 ) };
		if ( pnLengthD( d ) <= 1.0 && pnLengthD( d ) > 0.1 )
		{
			AddPoint( cloud, pnScaleD( radius, pnUnitD( d ) ), pnUnitD( d ) );
		}
	}
}

static void SprinkleTorus( Cloud* cloud, double large, double small, int count, uint64_t seed )
{
	pnRandom random = pnSeed( seed );
	cloud->count = 0;
	while ( cloud->count < count )
	{
		double a = pnRandomIn( &random, 0.0, 2.0 * PI ), b = pnRandomIn( &random, 0.0, 2.0 * PI );
		if ( pnRandomIn( &random, 0.0, large + small ) < large + small * cos( b ) )
		{
			pnVec3d n = { cos( b ) * cos( a ), cos( b ) * sin( a ), sin( b ) };
			AddPoint( cloud, pnMulAddD( pnMakeD( large * cos( a ), large * sin( a ), 0.0 ), small, n ), n );
		}
	}
}

static void SprinkleCylinder( Cloud* cloud, double radius, double half, int count, uint64_t seed )
{
	pnRandom random = pnSeed( seed );
	cloud->count = 0;
	while ( cloud->count < count )
	{
		double a = pnRandomIn( &random, 0.0, 2.0 * PI ), side = pnRandomInt( &random, 2 ) == 0 ? -1.0 : 1.0;
		if ( pnRandomIn( &random, 0.0, 2.0 * half + radius ) < 2.0 * half )
		{
			AddPoint( cloud, pnMakeD( radius * cos( a ), radius * sin( a ), pnRandomIn( &random, -half, half ) ), pnMakeD( cos( a ), sin( a ), 0.0 ) );
		}
		else
		{
			double r = radius * sqrt( pnRandomIn( &random, 0.0, 1.0 ) );
			AddPoint( cloud, pnMakeD( r * cos( a ), r * sin( a ), side * half ), pnMakeD( 0.0, 0.0, side ) );
		}
	}
}

static pnResult MakeCells( const Cloud* cloud, pnFacets* facets, double* gap )
{
	s_said[0] = 0;
	return pnMakeCloudFacets( cloud->points, cloud->normals, cloud->groups, cloud->count, facets, gap );
}

static double AreaRatio( const pnFacets* facets )
{
	double least = 1e300, most = 0.0;
	for ( int f = 0; f < facets->count; ++f )
	{
		least = fmin( least, facets->areas[f] ), most = fmax( most, facets->areas[f] );
	}
	return most / least;
}

static void CellsEndAtTheEdgesOfABox( void )
{
	static Cloud cloud;
	const pnVec3d half = { 0.2, 0.2, 0.8 };
	double worst = 0.0;
	static const int counts[] = { 200, 200, 600, 600, 600, 1500, 3000 };
	for ( int turn = 0; turn < PN_COUNT( counts ); ++turn )
	{
		pnFacets facets;
		double gap, volume;
		pnVec3d sum;
		int count = counts[turn];
		SprinkleBox( &cloud, half, count, 100 + (uint64_t)turn );
		pnTestContext( "%d points, turn %d", count, turn );
		REQUIRE( MakeCells( &cloud, &facets, &gap ) == pn_success );
		ENSURE( facets.count == count );
		ENSURE_NEAR( AreaOf( &facets, &sum, &volume ) / 2.88, 1.0, 1e-9 );
		ENSURE_NEAR( volume / 0.256, 1.0, 1e-9 );
		ENSURE_MOST( gap, 1e-9 );
		worst = fmax( worst, AreaRatio( &facets ) );
		for ( int f = 0; f < facets.count; ++f )
		{
			pnVec3d n = facets.normals[f], c = facets.centroids[f];
			ENSURE_NEAR( fabs( n.x ) + fabs( n.y ) + fabs( n.z ), 1.0, 1e-9 );
			ENSURE_NEAR( pnDotD( c, n ), fabs( n.x ) * half.x + fabs( n.y ) * half.y + fabs( n.z ) * half.z, 1e-9 );
			for ( int k = facets.starts[f]; k < facets.starts[f + 1]; ++k )
			{
				pnVec3d p = facets.corners[k];
				ENSURE_MOST( fmax( fabs( p.x ) - half.x, fmax( fabs( p.y ) - half.y, fabs( p.z ) - half.z ) ), 1e-9 );
			}
		}
		pnDestroyFacets( &facets );
	}
	pnTestContext( "%s", "" );
	pnTestNote( "largest to smallest cell up to %.1f", worst );
	ENSURE_MOST( worst, 10.0 );
	ENSURE( pnGetByteCount() == 0 );
}

static void CellsTileRoundSurfaces( void )
{
	static const struct { const char* what; int kind, count; double area, volume, areaError, volumeError, ratio; } cases[] = {
		{ "sphere", 0, 500, 4.0 * PI, 4.0 * PI / 3.0, 0.01, 0.01, 3.0 },
		{ "sphere", 0, 2000, 4.0 * PI, 4.0 * PI / 3.0, 0.0025, 0.0025, 3.0 },
		{ "torus", 1, 800, 4.0 * PI * PI * 0.7 * 0.25, 2.0 * PI * PI * 0.7 * 0.0625, 0.02, 0.06, 4.0 },
		{ "torus", 1, 3000, 4.0 * PI * PI * 0.7 * 0.25, 2.0 * PI * PI * 0.7 * 0.0625, 0.005, 0.0125, 4.0 },
		{ "cylinder", 2, 600, 2.0 * PI * 0.3 * 1.8, PI * 0.09 * 1.5, 0.0075, 0.0075, 5.0 },
		{ "cylinder", 2, 2500, 2.0 * PI * 0.3 * 1.8, PI * 0.09 * 1.5, 0.002, 0.002, 5.0 },
	};
	static Cloud cloud;
	for ( int i = 0; i < PN_COUNT( cases ); ++i )
	{
		double areaError = 0.0, volumeError = 0.0, ratio = 0.0;
		for ( uint64_t seed = 1; seed <= 3; ++seed )
		{
			if ( cases[i].kind == 0 )
			{
				SprinkleSphere( &cloud, 1.0, cases[i].count, seed );
			}
			else if ( cases[i].kind == 1 )
			{
				SprinkleTorus( &cloud, 0.7, 0.25, cases[i].count, seed );
			}
			else
			{
				SprinkleCylinder( &cloud, 0.3, 0.75, cases[i].count, seed );
			}
			pnFacets facets;
			double gap, volume;
			pnVec3d sum;
			pnTestContext( "%s of %d points, seed %d", cases[i].what, cases[i].count, (int)seed );
			REQUIRE( MakeCells( &cloud, &facets, &gap ) == pn_success );
			double area = AreaOf( &facets, &sum, &volume );
			ENSURE( facets.count == cases[i].count );
			ENSURE_NEAR( area / cases[i].area, 1.0, cases[i].areaError );
			ENSURE_NEAR( volume / cases[i].volume, 1.0, cases[i].volumeError );
			ENSURE_MOST( pnLengthD( sum ) / area, cases[i].kind == 1 && cases[i].count < 1000 ? 5e-3 : 1e-3 );
			ENSURE_NEAR( gap, pnLengthD( sum ) / area, 1e-12 );
			ENSURE_MOST( AreaRatio( &facets ), cases[i].ratio );
			areaError = fmax( areaError, fabs( area / cases[i].area - 1.0 ) ), volumeError = fmax( volumeError, fabs( volume / cases[i].volume - 1.0 ) );
			ratio = fmax( ratio, AreaRatio( &facets ) );
			for ( int f = 0; f < facets.count && cases[i].kind == 0; ++f ) // flat cells that touch the sphere
			{
				ENSURE_NEAR( pnDotD( facets.centroids[f], facets.normals[f] ), 1.0, 1e-3 );
			}
			pnDestroyFacets( &facets );
		}
		pnTestNote( "%s %d: area %.2f %%, volume %.2f %%, cells 1 to %.1f", cases[i].what, cases[i].count, 100.0 * areaError, 100.0 * volumeError, ratio );
	}
	pnTestContext( "%s", "" );
}

// A plate as thin as its points are apart: the sheets do not cut each other, and few points are on the rim.
static void ThinWallsKeepBothSheets( void )
{
	static Cloud cloud;
	double worst = 0.0, worstGap = 0.0;
	for ( uint64_t seed = 1; seed <= 4; ++seed )
	{
		pnFacets facets;
		double gap, volume, top = 0.0;
		pnVec3d sum;
		SprinkleBox( &cloud, pnMakeD( 0.8, 0.5, 0.02 ), 2000, seed );
		REQUIRE( MakeCells( &cloud, &facets, &gap ) == pn_success );
		double area = AreaOf( &facets, &sum, &volume );
		for ( int f = 0; f < facets.count; ++f )
		{
			top += facets.normals[f].z > 0.9 ? facets.areas[f] : 0.0;
		}
		ENSURE_NEAR( area / 3.408, 1.0, 0.005 );
		ENSURE_NEAR( top / 1.6, 1.0, 0.005 );
		ENSURE_MOST( gap, 0.01 );
		worst = fmax( worst, fabs( area / 3.408 - 1.0 ) ), worstGap = fmax( worstGap, gap );
		pnDestroyFacets( &facets );
	}
	pnTestNote( "area %.2f %%, gap %.1e", 100.0 * worst, worstGap );
}

// Points in rows, also on the edges and corners, there once for each face; and some given twice.
static void RowsOfPointsAreFine( void )
{
	static Cloud cloud;
	for ( int across = 2; across <= 12; across += 5 )
	{
		pnFacets facets;
		double gap, volume;
		pnVec3d sum;
		cloud.count = 0;
		for ( int face = 0; face < 6; ++face )
		{
			for ( int i = 0; i <= across; ++i )
			{
				for ( int k = 0; k <= across; ++k )
				{
					double x[3], n[3] = { 0.0, 0.0, 0.0 };
					x[face % 3] = 0.5 * ( n[face % 3] = face < 3 ? 1.0 : -1.0 );
					x[( face + 1 ) % 3] = (double)i / across - 0.5, x[( face + 2 ) % 3] = (double)k / across - 0.5;
					for ( int twice = 0; twice < 1 + ( i == k ); ++twice )
					{
						AddPoint( &cloud, pnMakeD( x[0], x[1], x[2] ), pnMakeD( n[0], n[1], n[2] ) );
					}
				}
			}
		}
		pnTestContext( "%d across", across );
		REQUIRE( MakeCells( &cloud, &facets, &gap ) == pn_success );
		ENSURE( facets.count == 6 * ( across + 1 ) * ( across + 1 ) );
		ENSURE_NEAR( AreaOf( &facets, &sum, &volume ), 6.0, 1e-9 );
		ENSURE_NEAR( volume, 1.0, 1e-9 );
		ENSURE_MOST( gap, 1e-9 );
		pnDestroyFacets( &facets );
	}
	pnTestContext( "%s", "" );
}

static void GroupsKeepTheirGround( void )
{
	static Cloud cloud;
	pnFacets facets;
	double gap, areas[2] = { 0.0, 0.0 };
	SprinkleBox( &cloud, pnMakeD( 0.2, 0.2, 0.8 ), 2000, 77 );
	int kept = 0;
	for ( int i = 0; i < cloud.count; ++i ) // twice as dense below: relaxing would drive points up
	{
		if ( cloud.points[i].z < 0.1 || i % 2 == 0 )
		{
			cloud.points[kept] = cloud.points[i], cloud.normals[kept] = cloud.normals[i];
			cloud.groups[kept++] = cloud.points[i].z < 0.1 ? 5 : -3;
		}
	}
	cloud.count = kept;
	REQUIRE( MakeCells( &cloud, &facets, &gap ) == pn_success );
	double spacing = sqrt( 2.88 / kept ), stray = 0.0;
	for ( int f = 0; f < facets.count; ++f )
	{
		ENSURE( facets.groups[f] == 5 || facets.groups[f] == -3 );
		bool below = facets.groups[f] == 5;
		areas[below ? 0 : 1] += facets.areas[f];
		stray = fmax( stray, below ? facets.centroids[f].z - 0.1 : 0.1 - facets.centroids[f].z );
	}
	ENSURE_NEAR( areas[0] / ( 0.16 + 1.6 * 0.9 ), 1.0, 0.03 );
	ENSURE_NEAR( areas[1] / ( 0.16 + 1.6 * 0.7 ), 1.0, 0.03 );
	ENSURE_MOST( stray, 0.7 * spacing );
	pnTestNote( "areas of the groups %.2f and %.2f %% off, strays %.2f spacings", 100.0 * ( areas[0] / 1.6 - 1.0 ), 100.0 * ( areas[1] / 1.28 - 1.0 ),
				stray / spacing );
	pnDestroyFacets( &facets );
}

static void HolesInACloudAreSeen( void )
{
	static Cloud cloud;
	pnFacets facets;
	double gap;
	for ( int both = 0; both < 2; ++both ) // two holes right across cancel in the sum of the normals
	{
		SprinkleSphere( &cloud, 0.9, 1500, 9 );
		int kept = 0;
		for ( int i = 0; i < cloud.count; ++i )
		{
			if ( cloud.normals[i].z < 0.8 && ( both == 0 || cloud.normals[i].z > -0.8 ) )
			{
				cloud.points[kept] = cloud.points[i], cloud.normals[kept] = cloud.normals[i], cloud.groups[kept++] = 0;
			}
		}
		cloud.count = kept;
		REQUIRE( MakeCells( &cloud, &facets, &gap ) == pn_success );
		pnTestNote( "gap %.3f", gap );
		ENSURE( gap > 0.02 );
		pnDestroyFacets( &facets );
	}
}

static void BadCloudsAreRefusedInWords( void )
{
	static Cloud cloud;
	static const struct { const char* what; const char* said; } cases[] = {
		{ "too few", "23 points are too few" },
		{ "not a number", "point 7 or its normal is not finite" },
		{ "infinite normal", "point 8 or its normal is not finite" },
		{ "no normal", "the normal of point 9 has the length 0, not 1" },
		{ "long normal", "the normal of point 10 has the length 2, not 1" },
		{ "all in one place", "only 1 of 100 points are in places of their own" },
		{ "half of few given twice", "only 20 of 40 points" },
	};
	pnSetLogFcn( Hear );
	for ( int i = 0; i < PN_COUNT( cases ); ++i )
	{
		pnFacets facets;
		double gap;
		SprinkleSphere( &cloud, 0.9, i == 0 ? 23 : i == 6 ? 40 : 100, 4 );
		cloud.points[7].y = i == 1 ? (double)NAN : cloud.points[7].y;
		cloud.normals[8].z = i == 2 ? (double)INFINITY : cloud.normals[8].z;
		cloud.normals[9] = i == 3 ? pnMakeD( 0.0, 0.0, 0.0 ) : cloud.normals[9];
		if ( i == 4 )
		{
			cloud.normals[10] = pnMakeD( 0.0, -2.0, 0.0 );
		}
		int different = i == 5 ? 1 : 20;
		for ( int k = different; k < cloud.count && i >= 5; ++k )
		{
			cloud.points[k] = cloud.points[k - different], cloud.normals[k] = cloud.normals[k - different];
		}
		ENSURE( MakeCells( &cloud, &facets, &gap ) == pn_invalidInput );
		pnTestContext( "%s: %s", cases[i].what, s_said );
		ENSURE( strstr( s_said, cases[i].said ) != NULL );
		ENSURE( facets.count == 0 && facets.corners == NULL );
		ENSURE( pnGetByteCount() == 0 );
	}
	pnTestContext( "%s", "" );
	pnSetLogFcn( NULL );
}

static void TheSameCloudGivesTheSameCells( void )
{
	static Cloud cloud;
	pnFacets facets[2];
	double gaps[2];
	SprinkleTorus( &cloud, 0.7, 0.25, 500, 12 );
	for ( int i = 0; i < 2; ++i )
	{
		REQUIRE( MakeCells( &cloud, facets + i, gaps + i ) == pn_success );
	}
	ENSURE( facets[0].count == facets[1].count && facets[0].cornerCount == facets[1].cornerCount && gaps[0] == gaps[1] );
	ENSURE( memcmp( facets[0].corners, facets[1].corners, (size_t)facets[0].cornerCount * sizeof( pnVec3d ) ) == 0 );
	ENSURE( memcmp( facets[0].areas, facets[1].areas, (size_t)facets[0].count * sizeof( double ) ) == 0 );
	pnDestroyFacets( facets + 0 );
	pnDestroyFacets( facets + 1 );
}

static void CloudsWithoutMemoryLeaveNothing( void )
{
	static Cloud cloud;
	SprinkleSphere( &cloud, 0.9, 100, 2 );
	ENSURE( pnGetByteCount() == 0 );
	pnSetAllocator( FailingAlloc, FailingFree );
	int failures = 0;
	for ( int allowed = 0; allowed < 200; ++allowed )
	{
		pnFacets facets;
		double gap;
		s_untilFailure = allowed;
		pnResult result = MakeCells( &cloud, &facets, &gap );
		if ( result == pn_success )
		{
			pnDestroyFacets( &facets );
			ENSURE( pnGetByteCount() == 0 );
			break;
		}
		failures += 1;
		ENSURE( result == pn_outOfMemory );
		ENSURE( facets.count == 0 && facets.corners == NULL );
		ENSURE( pnGetByteCount() == 0 );
	}
	s_untilFailure = -1;
	pnSetAllocator( NULL, NULL );
	ENSURE( failures > 30 && failures < 199 );
	pnTestNote( "%d allocations", failures );
}

static const pnTest s_tests[] = {
	RUN( PolygonsKnowTheirAreas ),
	RUN( ClosedMeshesAreTaken ),
	RUN( BadMeshesAreRefusedInWords ),
	RUN( MeshesWithoutMemoryLeaveNothing ),
	RUN( CellsEndAtTheEdgesOfABox ),
	RUN( CellsTileRoundSurfaces ),
	RUN( ThinWallsKeepBothSheets ),
	RUN( RowsOfPointsAreFine ),
	RUN( GroupsKeepTheirGround ),
	RUN( HolesInACloudAreSeen ),
	RUN( BadCloudsAreRefusedInWords ),
	RUN( TheSameCloudGivesTheSameCells ),
	RUN( CloudsWithoutMemoryLeaveNothing ),
};
SUITE( facets, s_tests );
