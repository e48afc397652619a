// problem_animal.c - a fat animal by formula: smoothly joined ellipsoids, meshed by surface nets. Knows no problems.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem_mesh.h"

#include "../src/kelvin/vec3d.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct pnAnimalPart
{
	pnVec3d center, radii; // m
	double blend; // how softly it joins the parts before it, m
} pnAnimalPart;

static const pnAnimalPart pnAnimalParts[] = {
	{ { -0.06, 0.37, 0.0 }, { 0.36, 0.25, 0.27 }, 0.0 }, // belly
	{ { 0.27, 0.45, 0.0 }, { 0.18, 0.17, 0.17 }, 0.10 }, // head
	{ { 0.43, 0.42, 0.0 }, { 0.09, 0.075, 0.085 }, 0.05 }, // snout
	{ { 0.24, 0.60, 0.12 }, { 0.055, 0.09, 0.075 }, 0.06 }, // ears
	{ { 0.24, 0.60, -0.12 }, { 0.055, 0.09, 0.075 }, 0.06 },
	{ { 0.13, 0.14, 0.15 }, { 0.085, 0.14, 0.085 }, 0.07 }, // legs
	{ { 0.13, 0.14, -0.15 }, { 0.085, 0.14, 0.085 }, 0.07 },
	{ { -0.25, 0.14, 0.15 }, { 0.085, 0.14, 0.085 }, 0.07 },
	{ { -0.25, 0.14, -0.15 }, { 0.085, 0.14, 0.085 }, 0.07 },
	{ { -0.43, 0.47, 0.0 }, { 0.07, 0.05, 0.05 }, 0.06 }, // tail
};

static const pnVec3d pnAnimalLower = { -0.56, -0.06, -0.34 }, pnAnimalUpper = { 0.58, 0.77, 0.34 };

// Roughly the distance to the animal, negative inside.
static double pnGetAnimalDistance( pnVec3d p )
{
	double distance = 1e9;
	for ( size_t i = 0; i < sizeof( pnAnimalParts ) / sizeof( pnAnimalParts[0] ); ++i )
	{
		const pnAnimalPart* part = pnAnimalParts + i;
		pnVec3d q = pnSubD( p, part->center ), r = part->radii;
		pnVec3d u = { q.x / r.x, q.y / r.y, q.z / r.z };
		pnVec3d g = { u.x / r.x, u.y / r.y, u.z / r.z };
		double level = pnLengthD( u ), slope = pnLengthD( g );
		double away = slope > 1e-9 ? level * ( level - 1.0 ) / slope : -r.y;
		double h = part->blend - fabs( distance - away );
		double lower = fmin( distance, away );
		distance = h > 0.0 ? lower - h * h / ( 4.0 * part->blend ) : lower;
	}
	return distance;
}

static pnVec3d pnGetAnimalSlope( pnVec3d p )
{
	const double e = 1e-4;
	pnVec3d n;
	n.x = pnGetAnimalDistance( pnMakeD( p.x + e, p.y, p.z ) ) - pnGetAnimalDistance( pnMakeD( p.x - e, p.y, p.z ) );
	n.y = pnGetAnimalDistance( pnMakeD( p.x, p.y + e, p.z ) ) - pnGetAnimalDistance( pnMakeD( p.x, p.y - e, p.z ) );
	n.z = pnGetAnimalDistance( pnMakeD( p.x, p.y, p.z + e ) ) - pnGetAnimalDistance( pnMakeD( p.x, p.y, p.z - e ) );
	return pnScaleD( 0.5 / e, n );
}

typedef struct pnNetGrid
{
	double* values; // at the corners of the cells
	int32_t* vertices; // of the cells, or -1
	int sizes[3]; // corners along x, y, z
	pnVec3d lower; // m
	double step; // m
} pnNetGrid;

static size_t pnGetCorner( const pnNetGrid* grid, int x, int y, int z )
{
	return ( (size_t)z * (size_t)grid->sizes[1] + (size_t)y ) * (size_t)grid->sizes[0] + (size_t)x;
}

// Surface nets (Gibson 1998): in each cell the surface goes through, a vertex in the middle of where it cuts the cell's edges.
static void pnAddNetVertex( pnSkinMesh* mesh, pnNetGrid* grid, int x, int y, int z )
{
	pnVec3d sum = { 0.0, 0.0, 0.0 };
	int count = 0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		for ( int k = 0; k < 4; ++k )
		{
			int from[3] = { x, y, z }, to[3];
			from[( axis + 1 ) % 3] += k & 1;
			from[( axis + 2 ) % 3] += k >> 1;
			memcpy( to, from, sizeof( to ) );
			to[axis] += 1;
			double a = grid->values[pnGetCorner( grid, from[0], from[1], from[2] )];
			double b = grid->values[pnGetCorner( grid, to[0], to[1], to[2] )];
			if ( ( a < 0.0 ) != ( b < 0.0 ) )
			{
				double place[3] = { from[0], from[1], from[2] };
				place[axis] += a / ( a - b );
				sum = pnAddD( sum, pnMakeD( place[0], place[1], place[2] ) );
				count += 1;
			}
		}
	}
	if ( count > 0 )
	{
		grid->vertices[pnGetCorner( grid, x, y, z )] = pnAddSkinPoint( mesh, pnMulAddD( grid->lower, grid->step / count, sum ) );
	}
}

static void pnAddNetQuads( pnSkinMesh* mesh, const pnNetGrid* grid, int x, int y, int z )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		int at[3] = { x, y, z }, to[3] = { x, y, z };
		int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
		to[axis] += 1;
		if ( at[u] == 0 || at[v] == 0 || to[axis] >= grid->sizes[axis] )
		{
			continue;
		}
		bool inA = grid->values[pnGetCorner( grid, x, y, z )] < 0.0, inB = grid->values[pnGetCorner( grid, to[0], to[1], to[2] )] < 0.0;
		if ( inA == inB )
		{
			continue;
		}
		int corners[4];
		for ( int k = 0; k < 4; ++k ) // counterclockwise about the axis
		{
			int cell[3] = { x, y, z };
			cell[u] -= k == 0 || k == 3 ? 1 : 0;
			cell[v] -= k < 2 ? 1 : 0;
			corners[k] = grid->vertices[pnGetCorner( grid, cell[0], cell[1], cell[2] )];
		}
		int second = inA ? corners[1] : corners[3], last = inA ? corners[3] : corners[1];
		pnAddSkinTriangle( mesh, corners[0], second, corners[2], 0 );
		pnAddSkinTriangle( mesh, corners[0], corners[2], last, 0 );
	}
}

// Spreads the vertices evenly and puts them on the surface itself. Triangles are turned to the shorter diagonal afterwards.
static void pnRelaxNet( pnSkinMesh* mesh )
{
	pnVec3d* sums = calloc( (size_t)mesh->pointCount + 1, sizeof( pnVec3d ) );
	int* counts = calloc( (size_t)mesh->pointCount + 1, sizeof( int ) );
	mesh->failed = mesh->failed || sums == NULL || counts == NULL;
	for ( int round = 0; round < 6 && mesh->failed == false; ++round )
	{
		memset( sums, 0, (size_t)mesh->pointCount * sizeof( pnVec3d ) );
		memset( counts, 0, (size_t)mesh->pointCount * sizeof( int ) );
		for ( int i = 0; i < 3 * mesh->triangleCount; ++i )
		{
			int from = mesh->triangles[i], to = mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
			sums[from] = pnAddD( sums[from], mesh->points[to] );
			counts[from] += 1;
		}
		for ( int i = 0; i < mesh->pointCount; ++i )
		{
			pnVec3d p = mesh->points[i];
			p = counts[i] > 0 ? pnMulAddD( p, 0.5, pnSubD( pnScaleD( 1.0 / counts[i], sums[i] ), p ) ) : p;
			for ( int k = 0; k < 3; ++k ) // Newton
			{
				pnVec3d slope = pnGetAnimalSlope( p );
				double slope2 = pnDotD( slope, slope );
				p = slope2 > 1e-6 ? pnMulAddD( p, -pnGetAnimalDistance( p ) / slope2, slope ) : p;
			}
			mesh->points[i] = p;
		}
	}
	for ( int i = 0; i + 1 < mesh->triangleCount && mesh->failed == false; i += 2 )
	{
		int32_t* corners = mesh->triangles + 3 * (size_t)i;
		int32_t a = corners[0], b = corners[1], c = corners[2], d = corners[5];
		if ( pnLengthD( pnSubD( mesh->points[a], mesh->points[c] ) ) > pnLengthD( pnSubD( mesh->points[b], mesh->points[d] ) ) )
		{
			int32_t turned[6] = { b, c, d, b, d, a };
			memcpy( corners, turned, sizeof( turned ) );
		}
	}
	free( sums );
	free( counts );
}

static int pnCompareNetEdges( const void* a, const void* b )
{
	uint64_t p = *(const uint64_t*)a, q = *(const uint64_t*)b;
	return ( p > q ) - ( p < q );
}

// Two sheets of the surface in one cell share its vertex; then an edge is run along twice in one direction.
static bool pnIsManifold( pnSkinMesh* mesh )
{
	size_t count = 3 * (size_t)mesh->triangleCount;
	uint64_t* edges = malloc( ( count + 1 ) * sizeof( uint64_t ) );
	mesh->failed = mesh->failed || edges == NULL;
	bool good = edges != NULL;
	for ( size_t i = 0; i < count && good; ++i )
	{
		edges[i] = (uint64_t)mesh->triangles[i] << 32 | (uint64_t)mesh->triangles[i % 3 == 2 ? i - 2 : i + 1];
	}
	if ( good )
	{
		qsort( edges, count, sizeof( uint64_t ), pnCompareNetEdges );
	}
	for ( size_t i = 1; i < count && good; ++i )
	{
		good = edges[i] != edges[i - 1];
	}
	free( edges );
	return good;
}

static void pnFillNet( pnSkinMesh* mesh, pnNetGrid* grid )
{
	for ( int pass = 0; pass < 3 && mesh->failed == false; ++pass ) // values, vertices, faces
	{
		int fewer = pass == 1 ? 1 : 0; // cells are one fewer than corners
		for ( int z = 0; z < grid->sizes[2] - fewer; ++z )
		{
			for ( int y = 0; y < grid->sizes[1] - fewer; ++y )
			{
				for ( int x = 0; x < grid->sizes[0] - fewer; ++x )
				{
					if ( pass == 0 )
					{
						size_t corner = pnGetCorner( grid, x, y, z );
						grid->values[corner] = pnGetAnimalDistance( pnMulAddD( grid->lower, grid->step, pnMakeD( x, y, z ) ) );
						grid->vertices[corner] = -1;
					}
					else if ( pass == 1 )
					{
						pnAddNetVertex( mesh, grid, x, y, z );
					}
					else
					{
						pnAddNetQuads( mesh, grid, x, y, z );
					}
				}
			}
		}
	}
}

void pnMakeAnimalSkin( pnSkinMesh* mesh, int divisions )
{
	pnNetGrid grid = { .step = 1.0 / divisions };
	pnAddGroup( mesh, "all" );
	pnVec3d size = pnSubD( pnAnimalUpper, pnAnimalLower );
	grid.sizes[0] = (int)ceil( size.x * divisions ) + 2;
	grid.sizes[1] = (int)ceil( size.y * divisions ) + 2;
	int half = (int)ceil( pnAnimalUpper.z * divisions ); // the animal is the same left and right, and so are the cells
	grid.sizes[2] = 2 * half + 1;
	size_t total = (size_t)grid.sizes[0] * (size_t)grid.sizes[1] * (size_t)grid.sizes[2];
	grid.values = malloc( total * sizeof( double ) );
	grid.vertices = malloc( total * sizeof( int32_t ) );
	mesh->failed = mesh->failed || grid.values == NULL || grid.vertices == NULL;
	// Where two sheets meet in a cell, the cells are laid a little elsewhere.
	for ( int attempt = 0; attempt < 40 && mesh->failed == false; ++attempt )
	{
		double shift = grid.step * fmod( 0.618 * attempt, 1.0 );
		grid.lower = pnMakeD( pnAnimalLower.x - shift, pnAnimalLower.y - 0.7 * shift, -grid.step * half );
		mesh->pointCount = 0;
		mesh->triangleCount = 0;
		pnFillNet( mesh, &grid );
		if ( pnIsManifold( mesh ) )
		{
			break;
		}
	}
	free( grid.values );
	free( grid.vertices );
	mesh->quads = true;
	pnRelaxNet( mesh );
}
