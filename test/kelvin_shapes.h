// kelvin_shapes.h - closed triangle surfaces and clouds for tests of the static solver, and whether a place is inside. Knows no solver.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "kelvin/vec3d.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

#define TEST_PI 3.14159265358979323846

// A closed surface as a user would hand it over.
typedef struct Surface
{
	pnVec3d* points;
	int pointCount, pointCapacity;
	int32_t* triangles; // counterclockwise from outside
	int32_t* groups; // one per triangle
	int triangleCount, triangleCapacity;
} Surface;

// Points on a surface with outward normals, as a scanner would give them.
typedef struct Cloud
{
	pnVec3d* points;
	pnVec3d* normals;
	double* areas; // shares of the area, where they are known
	int32_t* groups;
	int count;
} Cloud;

static inline void FreeSurface( Surface* surface )
{
	free( surface->points );
	free( surface->triangles );
	free( surface->groups );
	*surface = ( Surface ){ 0 };
}

static inline void FreeCloud( Cloud* cloud )
{
	free( cloud->points );
	free( cloud->normals );
	free( cloud->areas );
	free( cloud->groups );
	*cloud = ( Cloud ){ 0 };
}

static inline int AddPoint( Surface* surface, pnVec3d p )
{
	if ( surface->pointCount == surface->pointCapacity )
	{
		surface->pointCapacity = 2 * surface->pointCapacity + 256;
		surface->points = realloc( surface->points, surface->pointCapacity * sizeof( pnVec3d ) );
	}
	surface->points[surface->pointCount] = p;
	return surface->pointCount++;
}

static inline void AddTriangle( Surface* surface, int a, int b, int c, int group )
{
	if ( surface->triangleCount == surface->triangleCapacity )
	{
		surface->triangleCapacity = 2 * surface->triangleCapacity + 256;
		surface->triangles = realloc( surface->triangles, 3 * surface->triangleCapacity * sizeof( int32_t ) );
		surface->groups = realloc( surface->groups, surface->triangleCapacity * sizeof( int32_t ) );
	}
	int32_t* t = surface->triangles + 3 * surface->triangleCount;
	t[0] = a;
	t[1] = b;
	t[2] = c;
	surface->groups[surface->triangleCount++] = group;
}

// Corners counterclockwise from outside; the diagonal changes from one quad to the next.
static inline void AddQuad( Surface* surface, int a, int b, int c, int d, int group )
{
	if ( surface->triangleCount / 2 % 2 == 0 )
	{
		AddTriangle( surface, a, b, c, group );
		AddTriangle( surface, a, c, d, group );
	}
	else
	{
		AddTriangle( surface, a, b, d, group );
		AddTriangle( surface, b, c, d, group );
	}
}

// ---- welding: points at one place become one ----

static const pnVec3d* s_sortedPoints;

static inline int ComparePlaces( const void* a, const void* b )
{
	double p = s_sortedPoints[*(const int*)a].x, q = s_sortedPoints[*(const int*)b].x;
	return p < q ? -1 : p > q ? 1 : *(const int*)a - *(const int*)b;
}

static inline void Weld( Surface* surface, double tolerance )
{
	int count = surface->pointCount, kept = 0;
	int* order = malloc( count * sizeof( int ) );
	int* target = malloc( count * sizeof( int ) );
	for ( int i = 0; i < count; ++i )
	{
		order[i] = i;
		target[i] = i;
	}
	s_sortedPoints = surface->points;
	qsort( order, count, sizeof( int ), ComparePlaces );
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = i + 1; j < count && surface->points[order[j]].x - surface->points[order[i]].x <= tolerance; ++j )
		{
			int a = order[i], b = order[j], lower = a < b ? a : b, upper = a < b ? b : a;
			if ( pnLengthD( pnSubD( surface->points[a], surface->points[b] ) ) <= tolerance && lower < target[upper] )
			{
				target[upper] = lower;
			}
		}
	}
	int* place = order;
	for ( int i = 0; i < count; ++i )
	{
		int root = i;
		while ( target[root] != root )
		{
			root = target[root];
		}
		target[i] = root;
		if ( root == i )
		{
			surface->points[kept] = surface->points[i];
			place[i] = kept++;
		}
	}
	for ( int i = 0; i < 3 * surface->triangleCount; ++i )
	{
		surface->triangles[i] = place[target[surface->triangles[i]]];
	}
	surface->pointCount = kept;
	free( order );
	free( target );
}

// ---- sums ----

static inline void TriangleCorners( const Surface* surface, int triangle, pnVec3d p[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		p[k] = surface->points[surface->triangles[3 * triangle + k]];
	}
}

// Area times outward normal.
static inline pnVec3d TriangleArea( const Surface* surface, int triangle )
{
	pnVec3d p[3];
	TriangleCorners( surface, triangle, p );
	return pnScaleD( 0.5, pnCrossD( pnSubD( p[1], p[0] ), pnSubD( p[2], p[0] ) ) );
}

static inline pnVec3d TriangleMiddle( const Surface* surface, int triangle )
{
	pnVec3d p[3];
	TriangleCorners( surface, triangle, p );
	return pnScaleD( 1.0 / 3.0, pnAddD( p[0], pnAddD( p[1], p[2] ) ) );
}

static inline double SurfaceVolume( const Surface* surface )
{
	double volume = 0.0;
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		volume += pnDotD( TriangleMiddle( surface, i ), TriangleArea( surface, i ) ) / 3.0;
	}
	return volume;
}

static inline double SurfaceArea( const Surface* surface )
{
	double area = 0.0;
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		area += pnLengthD( TriangleArea( surface, i ) );
	}
	return area;
}

// How often the surface goes around a place: 1 inside, 0 outside (solid angles after van Oosterom and Strackee 1983).
static inline double WindingNumber( const Surface* surface, pnVec3d place )
{
	double angle = 0.0;
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		pnVec3d p[3];
		TriangleCorners( surface, i, p );
		double length[3];
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = pnSubD( p[k], place );
			length[k] = pnLengthD( p[k] );
		}
		double volume = pnDotD( p[0], pnCrossD( p[1], p[2] ) );
		double below = length[0] * length[1] * length[2] + pnDotD( p[0], p[1] ) * length[2] + pnDotD( p[1], p[2] ) * length[0] + pnDotD( p[2], p[0] ) * length[1];
		angle += 2.0 * atan2( volume, below );
	}
	return angle / ( 4.0 * TEST_PI );
}

// ---- shapes ----

static inline void TransformSurface( Surface* surface, double scale, pnVec3d offset )
{
	for ( int i = 0; i < surface->pointCount; ++i )
	{
		surface->points[i] = pnMulAddD( offset, scale, surface->points[i] );
	}
}

static inline void FlipSurface( Surface* surface )
{
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		int32_t* t = surface->triangles + 3 * i;
		int32_t swap = t[1];
		t[1] = t[2];
		t[2] = swap;
	}
}

static inline void AppendSurface( Surface* surface, const Surface* other )
{
	int first = surface->pointCount;
	for ( int i = 0; i < other->pointCount; ++i )
	{
		AddPoint( surface, other->points[i] );
	}
	for ( int i = 0; i < other->triangleCount; ++i )
	{
		const int32_t* t = other->triangles + 3 * i;
		AddTriangle( surface, first + t[0], first + t[1], first + t[2], other->groups[i] );
	}
}

// A grid of nu x nv quads over a parallelogram; u x v points outward.
static inline void AddGrid( Surface* surface, pnVec3d corner, pnVec3d u, pnVec3d v, int nu, int nv, int group )
{
	int first = surface->pointCount;
	for ( int j = 0; j <= nv; ++j )
	{
		for ( int i = 0; i <= nu; ++i )
		{
			AddPoint( surface, pnMulAddD( pnMulAddD( corner, (double)i / nu, u ), (double)j / nv, v ) );
		}
	}
	for ( int j = 0; j < nv; ++j )
	{
		for ( int i = 0; i < nu; ++i )
		{
			int a = first + j * ( nu + 1 ) + i;
			AddQuad( surface, a, a + 1, a + nu + 2, a + nu + 1, group );
		}
	}
}

// Groups: 0 x lower, 1 x upper, 2 y lower, 3 y upper, 4 z lower, 5 z upper.
static inline Surface MakeBox( pnVec3d lower, pnVec3d upper, int nx, int ny, int nz )
{
	Surface s = { 0 };
	pnVec3d d = pnSubD( upper, lower ), x = { d.x, 0.0, 0.0 }, y = { 0.0, d.y, 0.0 }, z = { 0.0, 0.0, d.z };
	AddGrid( &s, lower, z, y, nz, ny, 0 );
	AddGrid( &s, pnAddD( lower, x ), y, z, ny, nz, 1 );
	AddGrid( &s, lower, x, z, nx, nz, 2 );
	AddGrid( &s, pnAddD( lower, y ), z, x, nz, nx, 3 );
	AddGrid( &s, lower, y, x, ny, nx, 4 );
	AddGrid( &s, pnAddD( lower, z ), x, y, nx, ny, 5 );
	Weld( &s, 1e-7 * pnLengthD( d ) );
	return s;
}

// An icosahedron whose triangles are divided in four `rounds` times. The volume is the sphere's, so that the flat faces do
// not make it small.
static inline Surface MakeSphere( pnVec3d center, double radius, int rounds, int group )
{
	Surface s = { 0 };
	double g = 0.5 * ( 1.0 + sqrt( 5.0 ) );
	const double corners[12][3] = { { -1, g, 0 }, { 1, g, 0 }, { -1, -g, 0 }, { 1, -g, 0 }, { 0, -1, g }, { 0, 1, g }, { 0, -1, -g }, { 0, 1, -g }, { g, 0, -1 }, { g, 0, 1 }, { -g, 0, -1 }, { -g, 0, 1 } };
	static const int faces[20][3] = { { 0, 11, 5 }, { 0, 5, 1 }, { 0, 1, 7 }, { 0, 7, 10 }, { 0, 10, 11 }, { 1, 5, 9 }, { 5, 11, 4 }, { 11, 10, 2 }, { 10, 7, 6 }, { 7, 1, 8 },
		{ 3, 9, 4 }, { 3, 4, 2 }, { 3, 2, 6 }, { 3, 6, 8 }, { 3, 8, 9 }, { 4, 9, 5 }, { 2, 4, 11 }, { 6, 2, 10 }, { 8, 6, 7 }, { 9, 8, 1 } };
	for ( int i = 0; i < 12; ++i )
	{
		AddPoint( &s, pnUnitD( pnMakeD( corners[i][0], corners[i][1], corners[i][2] ) ) );
	}
	for ( int i = 0; i < 20; ++i )
	{
		AddTriangle( &s, faces[i][0], faces[i][1], faces[i][2], group );
	}
	for ( int round = 0; round < rounds; ++round )
	{
		Surface finer = { 0 };
		for ( int i = 0; i < s.triangleCount; ++i )
		{
			pnVec3d p[3];
			TriangleCorners( &s, i, p );
			int a = AddPoint( &finer, p[0] ), b = AddPoint( &finer, p[1] ), c = AddPoint( &finer, p[2] );
			int ab = AddPoint( &finer, pnUnitD( pnAddD( p[0], p[1] ) ) ), bc = AddPoint( &finer, pnUnitD( pnAddD( p[1], p[2] ) ) ), ca = AddPoint( &finer, pnUnitD( pnAddD( p[2], p[0] ) ) );
			AddTriangle( &finer, a, ab, ca, group );
			AddTriangle( &finer, ab, b, bc, group );
			AddTriangle( &finer, ca, bc, c, group );
			AddTriangle( &finer, ab, bc, ca, group );
		}
		Weld( &finer, 1e-9 );
		FreeSurface( &s );
		s = finer;
	}
	double grow = cbrt( 4.0 * TEST_PI / 3.0 / SurfaceVolume( &s ) );
	TransformSurface( &s, radius * grow, center );
	return s;
}

// Outer wall group 0, the hollow's group 1.
static inline Surface MakeHollowSphere( double inner, double outer, int innerRounds, int outerRounds )
{
	pnVec3d zero = { 0.0, 0.0, 0.0 };
	Surface s = MakeSphere( zero, outer, outerRounds, 0 ), hollow = MakeSphere( zero, inner, innerRounds, 1 );
	FlipSurface( &hollow );
	AppendSurface( &s, &hollow );
	FreeSurface( &hollow );
	return s;
}

// The block with a hole of the paper's Table I: [-1, 1]^2 x [0, 1], hole along y of radius 0.25 around x = 0, z = 0.5. Groups: 4 bottom, 5 top, 6 hole,
// others the sides. n quads along 1.
static inline Surface MakeHoledBlock( int n )
{
	Surface s = { 0 };
	pnVec3d x = { 2.0, 0.0, 0.0 }, y = { 0.0, 2.0, 0.0 }, z = { 0.0, 0.0, 1.0 };
	AddGrid( &s, pnMakeD( -1.0, -1.0, 0.0 ), z, y, n, 2 * n, 0 );
	AddGrid( &s, pnMakeD( 1.0, -1.0, 0.0 ), y, z, 2 * n, n, 1 );
	AddGrid( &s, pnMakeD( -1.0, -1.0, 0.0 ), y, x, 2 * n, 2 * n, 4 );
	AddGrid( &s, pnMakeD( -1.0, -1.0, 1.0 ), x, y, 2 * n, 2 * n, 5 );
	// The other two: rings from the hole to the rim, one spoke to each place of the rim.
	int spokes = 6 * n, rings = n / 2 > 2 ? n / 2 : 2;
	for ( int side = 0; side < 2; ++side )
	{
		int first = s.pointCount;
		for ( int ring = 0; ring <= rings; ++ring )
		{
			for ( int k = 0; k < spokes; ++k )
			{
				double rx, rz;
				if ( k < 2 * n )
				{
					rx = -1.0 + (double)k / n;
					rz = -0.5;
				}
				else if ( k < 3 * n )
				{
					rx = 1.0;
					rz = -0.5 + (double)( k - 2 * n ) / n;
				}
				else if ( k < 5 * n )
				{
					rx = 1.0 - (double)( k - 3 * n ) / n;
					rz = 0.5;
				}
				else
				{
					rx = -1.0;
					rz = 0.5 - (double)( k - 5 * n ) / n;
				}
				double length = hypot( rx, rz ), t = (double)ring / rings;
				double fx = 0.25 * rx / length, fz = 0.25 * rz / length;
				AddPoint( &s, pnMakeD( fx + t * ( rx - fx ), side == 0 ? -1.0 : 1.0, 0.5 + fz + t * ( rz - fz ) ) );
			}
		}
		for ( int ring = 0; ring < rings; ++ring )
		{
			for ( int k = 0; k < spokes; ++k )
			{
				int a = first + ring * spokes + k, b = first + ring * spokes + ( k + 1 ) % spokes;
				if ( side == 0 )
				{
					AddQuad( &s, a, a + spokes, b + spokes, b, 2 );
				}
				else
				{
					AddQuad( &s, a, b, b + spokes, a + spokes, 3 );
				}
			}
		}
	}
	// The wall of the hole, with the spokes' ends as its rims.
	int rows = 2 * n, first = s.pointCount;
	const pnVec3d* rim = s.points + first - 2 * ( rings + 1 ) * spokes;
	double* places = malloc( 2 * spokes * sizeof( double ) );
	for ( int k = 0; k < spokes; ++k )
	{
		places[2 * k] = rim[k].x;
		places[2 * k + 1] = rim[k].z;
	}
	for ( int row = 0; row <= rows; ++row )
	{
		for ( int k = 0; k < spokes; ++k )
		{
			AddPoint( &s, pnMakeD( places[2 * k], -1.0 + 2.0 * row / rows, places[2 * k + 1] ) );
		}
	}
	free( places );
	for ( int row = 0; row < rows; ++row )
	{
		for ( int k = 0; k < spokes; ++k )
		{
			int a = first + row * spokes + k, b = first + row * spokes + ( k + 1 ) % spokes;
			AddQuad( &s, a, b, b + spokes, a + spokes, 6 );
		}
	}
	Weld( &s, 1e-7 );
	return s;
}

// An L: [0, 3] x [0, 1] x [0, 1] with [0, 1] x [0, 1] x [0, 3]. n quads along 1. Groups: 1 end of the foot, 5 top of the upright, else 0.
static inline Surface MakeBracket( int n )
{
	Surface s = { 0 };
	pnVec3d y = { 0.0, 1.0, 0.0 };
	AddGrid( &s, pnMakeD( 0.0, 0.0, 0.0 ), y, pnMakeD( 3.0, 0.0, 0.0 ), n, 3 * n, 0 ); // below
	AddGrid( &s, pnMakeD( 3.0, 0.0, 0.0 ), y, pnMakeD( 0.0, 0.0, 1.0 ), n, n, 1 );
	AddGrid( &s, pnMakeD( 3.0, 0.0, 1.0 ), y, pnMakeD( -2.0, 0.0, 0.0 ), n, 2 * n, 0 );
	AddGrid( &s, pnMakeD( 1.0, 0.0, 1.0 ), y, pnMakeD( 0.0, 0.0, 2.0 ), n, 2 * n, 0 );
	AddGrid( &s, pnMakeD( 1.0, 0.0, 3.0 ), y, pnMakeD( -1.0, 0.0, 0.0 ), n, n, 5 );
	AddGrid( &s, pnMakeD( 0.0, 0.0, 3.0 ), y, pnMakeD( 0.0, 0.0, -3.0 ), n, 3 * n, 0 );
	for ( int side = 0; side < 2; ++side )
	{
		double at = side;
		pnVec3d x = { 1.0, 0.0, 0.0 }, z = { 0.0, 0.0, 1.0 };
		for ( int k = 0; k < 5; ++k )
		{
			pnVec3d corner = { k < 3 ? k : 0.0, at, k < 3 ? 0.0 : k - 2.0 };
			if ( side == 0 )
			{
				AddGrid( &s, corner, x, z, n, n, 0 );
			}
			else
			{
				AddGrid( &s, corner, z, x, n, n, 0 );
			}
		}
	}
	Weld( &s, 1e-7 );
	return s;
}

// ---- roughening: points of flat faces wander in them, points of straight edges along them, and triangles are made Delaunay's again ----

typedef struct Edge
{
	int a, b, triangle; // a < b
} Edge;

static inline int CompareEdges( const void* p, const void* q )
{
	const Edge *e = p, *f = q;
	return e->a != f->a ? e->a - f->a : e->b != f->b ? e->b - f->b : e->triangle - f->triangle;
}

static inline int OtherCorner( const int32_t* t, int a, int b )
{
	return t[0] != a && t[0] != b ? t[0] : t[1] != a && t[1] != b ? t[1] : t[2];
}

static inline double CotangentAt( const Surface* s, int corner, int a, int b )
{
	pnVec3d u = pnSubD( s->points[a], s->points[corner] ), v = pnSubD( s->points[b], s->points[corner] );
	return pnDotD( u, v ) / fmax( pnLengthD( pnCrossD( u, v ) ), 1e-300 );
}

static inline int FlipOnce( Surface* s )
{
	int count = 3 * s->triangleCount, flips = 0;
	Edge* edges = malloc( count * sizeof( Edge ) );
	bool* touched = calloc( s->triangleCount, sizeof( bool ) );
	for ( int i = 0; i < s->triangleCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int a = s->triangles[3 * i + k], b = s->triangles[3 * i + ( k + 1 ) % 3];
			edges[3 * i + k] = ( Edge ){ a < b ? a : b, a < b ? b : a, i };
		}
	}
	qsort( edges, count, sizeof( Edge ), CompareEdges );
	for ( int i = 0; i + 1 < count; ++i )
	{
		Edge e = edges[i], f = edges[i + 1];
		if ( e.a != f.a || e.b != f.b || touched[e.triangle] || touched[f.triangle] || s->groups[e.triangle] != s->groups[f.triangle] )
		{
			continue;
		}
		pnVec3d n = pnUnitD( TriangleArea( s, e.triangle ) ), m = pnUnitD( TriangleArea( s, f.triangle ) );
		int c = OtherCorner( s->triangles + 3 * e.triangle, e.a, e.b ), d = OtherCorner( s->triangles + 3 * f.triangle, e.a, e.b );
		if ( pnDotD( n, m ) < 1.0 - 1e-9 || CotangentAt( s, c, e.a, e.b ) + CotangentAt( s, d, e.a, e.b ) > -1e-9 )
		{
			continue;
		}
		// The new triangles must look the way the old ones did.
		int32_t first[3] = { c, d, e.b }, second[3] = { d, c, e.a };
		pnVec3d area = pnCrossD( pnSubD( s->points[d], s->points[c] ), pnSubD( s->points[e.b], s->points[c] ) );
		if ( pnDotD( area, n ) < 0.0 )
		{
			first[0] = second[1] = d;
			first[1] = second[0] = c;
		}
		memcpy( s->triangles + 3 * e.triangle, first, sizeof( first ) );
		memcpy( s->triangles + 3 * f.triangle, second, sizeof( second ) );
		touched[e.triangle] = touched[f.triangle] = true;
		flips += 1;
	}
	free( edges );
	free( touched );
	return flips;
}

// amount: of the shortest edge at a point; 0.4 is rough. Where a triangle would nearly fold, its points go less far.
static inline void Roughen( Surface* s, double amount, uint64_t seed )
{
	pnRandom random = pnSeed( seed );
	int n = s->pointCount;
	pnVec3d( *faces )[3] = calloc( n, sizeof( *faces ) ); // the differing normals around each point
	int* faceCount = calloc( n, sizeof( int ) );
	double* shortest = malloc( n * sizeof( double ) );
	pnVec3d* before = malloc( n * sizeof( pnVec3d ) );
	pnVec3d* areas = malloc( s->triangleCount * sizeof( pnVec3d ) );
	memcpy( before, s->points, n * sizeof( pnVec3d ) );
	for ( int i = 0; i < n; ++i )
	{
		shortest[i] = 1e300;
	}
	for ( int i = 0; i < s->triangleCount; ++i )
	{
		areas[i] = TriangleArea( s, i );
		pnVec3d normal = pnUnitD( areas[i] );
		for ( int k = 0; k < 3; ++k )
		{
			int p = s->triangles[3 * i + k], q = s->triangles[3 * i + ( k + 1 ) % 3];
			double length = pnLengthD( pnSubD( s->points[p], s->points[q] ) );
			shortest[p] = fmin( shortest[p], length );
			shortest[q] = fmin( shortest[q], length );
			bool known = false;
			for ( int f = 0; f < faceCount[p] && f < 3; ++f )
			{
				known = known || pnDotD( faces[p][f], normal ) > 1.0 - 1e-9;
			}
			if ( known == false )
			{
				if ( faceCount[p] < 3 )
				{
					faces[p][faceCount[p]] = normal;
				}
				faceCount[p] += 1;
			}
		}
	}
	for ( int i = 0; i < n; ++i )
	{
		double x = pnRandomIn( &random, -1.0, 1.0 ), y = pnRandomIn( &random, -1.0, 1.0 ), z = pnRandomIn( &random, -1.0, 1.0 );
		pnVec3d step = pnScaleD( amount * shortest[i], pnMakeD( x, y, z ) );
		if ( faceCount[i] == 1 )
		{
			step = pnMulAddD( step, -pnDotD( step, faces[i][0] ), faces[i][0] );
		}
		else if ( faceCount[i] == 2 )
		{
			pnVec3d along = pnUnitD( pnCrossD( faces[i][0], faces[i][1] ) );
			step = pnScaleD( pnDotD( step, along ), along );
		}
		else
		{
			step = pnMakeD( 0.0, 0.0, 0.0 );
		}
		s->points[i] = pnAddD( s->points[i], step );
	}
	for ( int sweep = 0, folds = 1; sweep < 20 && folds > 0; ++sweep )
	{
		folds = 0;
		for ( int i = 0; i < s->triangleCount; ++i )
		{
			if ( pnDotD( TriangleArea( s, i ), areas[i] ) > 0.2 * pnDotD( areas[i], areas[i] ) )
			{
				continue;
			}
			folds += 1;
			for ( int k = 0; k < 3; ++k )
			{
				int p = s->triangles[3 * i + k];
				s->points[p] = pnScaleD( 0.5, pnAddD( s->points[p], before[p] ) );
			}
		}
	}
	for ( int sweep = 0; sweep < 100 && FlipOnce( s ) > 0; ++sweep )
	{
	}
	free( before );
	free( areas );
	free( faces );
	free( faceCount );
	free( shortest );
}

// ---- clouds ----

// Places at random on the surface, evenly by area, with the triangles' normals (of any length) and groups.
static inline Cloud SampleSurface( const Surface* surface, int count, uint64_t seed )
{
	Cloud cloud = { calloc( count, sizeof( pnVec3d ) ), calloc( count, sizeof( pnVec3d ) ), NULL, calloc( count, sizeof( int32_t ) ), count };
	double* sums = malloc( surface->triangleCount * sizeof( double ) );
	double sum = 0.0;
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		sum += pnLengthD( TriangleArea( surface, i ) );
		sums[i] = sum;
	}
	pnRandom random = pnSeed( seed );
	for ( int i = 0; i < count; ++i )
	{
		double at = pnRandomIn( &random, 0.0, sum );
		int lower = 0, upper = surface->triangleCount - 1;
		while ( lower < upper )
		{
			int middle = ( lower + upper ) / 2;
			if ( sums[middle] < at )
			{
				lower = middle + 1;
			}
			else
			{
				upper = middle;
			}
		}
		double u = pnRandomIn( &random, 0.0, 1.0 ), v = pnRandomIn( &random, 0.0, 1.0 );
		if ( u + v > 1.0 )
		{
			u = 1.0 - u;
			v = 1.0 - v;
		}
		pnVec3d p[3];
		TriangleCorners( surface, lower, p );
		cloud.points[i] = pnMulAddD( pnMulAddD( p[0], u, pnSubD( p[1], p[0] ) ), v, pnSubD( p[2], p[0] ) );
		cloud.normals[i] = pnScaleD( pnRandomIn( &random, 0.5, 2.0 ), pnUnitD( TriangleArea( surface, lower ) ) );
		cloud.groups[i] = surface->groups[lower];
	}
	free( sums );
	return cloud;
}

// The middles of the triangles with their areas: exact places to collocate at.
static inline Cloud PlacesOf( const Surface* surface )
{
	int count = surface->triangleCount;
	Cloud cloud = { calloc( count, sizeof( pnVec3d ) ), calloc( count, sizeof( pnVec3d ) ), calloc( count, sizeof( double ) ), calloc( count, sizeof( int32_t ) ), count };
	for ( int i = 0; i < count; ++i )
	{
		cloud.points[i] = TriangleMiddle( surface, i );
		cloud.normals[i] = pnUnitD( TriangleArea( surface, i ) );
		cloud.areas[i] = pnLengthD( TriangleArea( surface, i ) );
		cloud.groups[i] = surface->groups[i];
	}
	return cloud;
}

static inline void SetSurface( pnKelvinDef* def, const Surface* surface )
{
	def->points = surface->points;
	def->pointCount = surface->pointCount;
	def->triangles = surface->triangles;
	def->triangleCount = surface->triangleCount;
	def->groups = surface->groups;
	def->normals = NULL;
	def->areas = NULL;
}

static inline void SetCloud( pnKelvinDef* def, const Cloud* cloud )
{
	def->points = cloud->points;
	def->pointCount = cloud->count;
	def->normals = cloud->normals;
	def->areas = cloud->areas;
	def->groups = cloud->groups;
	def->triangles = NULL;
	def->triangleCount = 0;
}
