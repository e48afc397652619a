// mesh_sample.c - points evenly over a fine surface and within it, to carry it as a skin. Knows no files and no solids.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_MAX_SAMPLE_CELLS = 1 << 26
};

// A grid of cubes over the mesh.
typedef struct pnSampleGrid
{
	pnVec3 lower;
	float spacing;
	int counts[3];
} pnSampleGrid;

static float pnGetArea( const pnSampleDef* def )
{
	double sum = 0.0;
	for ( int i = 0; i < def->triangleCount; ++i )
	{
		const int32_t* t = def->triangles + 3 * (size_t)i;
		pnVec3 a = def->vertices[t[0]];
		pnVec3 n = pnCross( pnSub( def->vertices[t[1]], a ), pnSub( def->vertices[t[2]], a ) );
		sum += 0.5 * sqrt( (double)pnDot( n, n ) );
	}
	return (float)sum;
}

static bool pnMakeGrid( const pnSampleDef* def, float spacing, pnSampleGrid* grid )
{
	pnVec3 lower = def->vertices[0], upper = lower;
	for ( int i = 0; i < 3 * def->triangleCount; ++i )
	{
		pnVec3 p = def->vertices[def->triangles[i]];
		lower = (pnVec3){ p.x < lower.x ? p.x : lower.x, p.y < lower.y ? p.y : lower.y, p.z < lower.z ? p.z : lower.z };
		upper = (pnVec3){ p.x > upper.x ? p.x : upper.x, p.y > upper.y ? p.y : upper.y, p.z > upper.z ? p.z : upper.z };
	}
	const float size[3] = { upper.x - lower.x, upper.y - lower.y, upper.z - lower.z };
	double cells = 1.0;
	for ( int d = 0; d < 3; ++d )
	{
		double count = floor( (double)size[d] / (double)spacing ) + 1.0;
		cells *= count;
		grid->counts[d] = count < 1e6 ? (int)count : 1000000;
	}
	grid->lower = lower;
	grid->spacing = spacing;
	return cells <= PN_MAX_SAMPLE_CELLS;
}

static int pnGetCell( const pnSampleGrid* grid, pnVec3 p )
{
	const float place[3] = { p.x - grid->lower.x, p.y - grid->lower.y, p.z - grid->lower.z };
	int at[3];
	for ( int d = 0; d < 3; ++d )
	{
		at[d] = (int)( place[d] / grid->spacing );
		at[d] = at[d] < 0 ? 0 : at[d] < grid->counts[d] ? at[d] : grid->counts[d] - 1;
	}
	return at[0] + grid->counts[0] * ( at[1] + grid->counts[1] * at[2] );
}

static pnVec3 pnGetCenter( const pnSampleGrid* grid, int cell )
{
	int x = cell % grid->counts[0], y = cell / grid->counts[0] % grid->counts[1], z = cell / ( grid->counts[0] * grid->counts[1] );
	float s = grid->spacing;
	return (pnVec3){ grid->lower.x + s * ( (float)x + 0.5f ), grid->lower.y + s * ( (float)y + 0.5f ), grid->lower.z + s * ( (float)z + 0.5f ) };
}

// In each cube the vertex nearest to its middle. Returns how many cubes have one.
static int pnChooseVertices( const pnSampleDef* def, const pnSampleGrid* grid, int32_t* chosen )
{
	int count = 0;
	for ( int i = 0; i < 3 * def->triangleCount; ++i ) // only what a triangle has is part of the surface
	{
		int vertex = def->triangles[i];
		pnVec3 p = def->vertices[vertex];
		int cell = pnGetCell( grid, p );
		pnVec3 center = pnGetCenter( grid, cell ), off = pnSub( p, center );
		if ( chosen[cell] < 0 )
		{
			chosen[cell] = vertex;
			count += 1;
			continue;
		}
		pnVec3 other = pnSub( def->vertices[chosen[cell]], center );
		float far = pnDot( off, off ), best = pnDot( other, other );
		chosen[cell] = far < best || ( far == best && vertex < chosen[cell] ) ? vertex : chosen[cell];
	}
	return count;
}

// For each cube whose middle lies within: the surface is crossed an odd number of times on the way up. Flags are toggled above each crossing.
static void pnMarkInside( const pnSampleDef* def, const pnSampleGrid* grid, bool* inside )
{
	int nx = grid->counts[0], ny = grid->counts[1], nz = grid->counts[2];
	for ( int i = 0; i < def->triangleCount; ++i )
	{
		const int32_t* t = def->triangles + 3 * (size_t)i;
		double x[3], y[3], z[3];
		for ( int k = 0; k < 3; ++k )
		{
			pnVec3 p = def->vertices[t[k]];
			x[k] = ( (double)p.x - (double)grid->lower.x ) / (double)grid->spacing - 0.5; // in cubes, from the middle of the first
			y[k] = ( (double)p.y - (double)grid->lower.y ) / (double)grid->spacing - 0.5;
			z[k] = ( (double)p.z - (double)grid->lower.z ) / (double)grid->spacing - 0.5;
		}
		double det = ( x[1] - x[0] ) * ( z[2] - z[0] ) - ( x[2] - x[0] ) * ( z[1] - z[0] );
		if ( det == 0.0 )
		{
			continue;
		}
		int firstX = (int)ceil( fmin( x[0], fmin( x[1], x[2] ) ) ), lastX = (int)floor( fmax( x[0], fmax( x[1], x[2] ) ) );
		int firstZ = (int)ceil( fmin( z[0], fmin( z[1], z[2] ) ) ), lastZ = (int)floor( fmax( z[0], fmax( z[1], z[2] ) ) );
		firstX = firstX < 0 ? 0 : firstX;
		firstZ = firstZ < 0 ? 0 : firstZ;
		for ( int cz = firstZ; cz <= lastZ && cz < nz; ++cz )
		{
			for ( int cx = firstX; cx <= lastX && cx < nx; ++cx )
			{
				// Columns are moved a little, by different parts of a cube, so that none goes through an edge.
				double px = cx + 1.37e-5, pz = cz + 0.71e-5;
				double u = ( ( px - x[0] ) * ( z[2] - z[0] ) - ( x[2] - x[0] ) * ( pz - z[0] ) ) / det;
				double v = ( ( x[1] - x[0] ) * ( pz - z[0] ) - ( px - x[0] ) * ( z[1] - z[0] ) ) / det;
				if ( u < 0.0 || v < 0.0 || u + v > 1.0 )
				{
					continue;
				}
				double height = y[0] + u * ( y[1] - y[0] ) + v * ( y[2] - y[0] );
				int from = height < 0.0 ? 0 : (int)ceil( height );
				for ( int cy = from; cy < ny; ++cy )
				{
					size_t cell = (size_t)cx + (size_t)nx * ( (size_t)cy + (size_t)ny * (size_t)cz );
					inside[cell] = inside[cell] == false;
				}
			}
		}
	}
}

static const char* pnSampleAt( const pnSampleDef* def, float spacing, pnSample* sample )
{
	pnSampleGrid grid;
	if ( pnMakeGrid( def, spacing, &grid ) == false )
	{
		return "the spacing is too small for a mesh of that size";
	}
	size_t cellCount = (size_t)grid.counts[0] * (size_t)grid.counts[1] * (size_t)grid.counts[2];
	int32_t* chosen = malloc( cellCount * sizeof( int32_t ) );
	bool* inside = calloc( cellCount, 1 );
	if ( chosen == NULL || inside == NULL )
	{
		free( chosen );
		free( inside );
		return "there is no memory for it";
	}
	memset( chosen, 0xff, cellCount * sizeof( int32_t ) );
	int surfaceCount = pnChooseVertices( def, &grid, chosen ), innerCount = 0;
	if ( def->inside )
	{
		pnMarkInside( def, &grid, inside );
	}
	for ( size_t i = 0; i < cellCount; ++i )
	{
		inside[i] = inside[i] && chosen[i] < 0;
		innerCount += inside[i] ? 1 : 0;
	}
	pnVec3* points = malloc( (size_t)( surfaceCount + innerCount + 1 ) * sizeof( pnVec3 ) );
	int count = 0;
	for ( int pass = 0; pass < 2 && points != NULL; ++pass )
	{
		for ( size_t i = 0; i < cellCount; ++i )
		{
			if ( pass == 0 ? chosen[i] >= 0 : inside[i] )
			{
				points[count++] = pass == 0 ? def->vertices[chosen[i]] : pnGetCenter( &grid, (int)i );
			}
		}
	}
	free( chosen );
	free( inside );
	free( sample->points );
	*sample = (pnSample){ points, count, surfaceCount, spacing };
	return points != NULL ? NULL : "there is no memory for it";
}

const char* pnSampleMesh( const pnSampleDef* def, pnSample* sample )
{
	*sample = (pnSample){ 0 };
	float area = pnGetArea( def );
	if ( def->triangleCount == 0 || !( area > 0.0f ) )
	{
		return "the surface has no area";
	}
	if ( def->spacing > 0.0f )
	{
		return pnSampleAt( def, def->spacing, sample );
	}
	// The spacing for a count: a guess by the area, made better by how many points it gave.
	float spacing = sqrtf( area / (float)def->count );
	const char* problem = NULL;
	for ( int round = 0; round < 8 && problem == NULL; ++round )
	{
		problem = pnSampleAt( def, spacing, sample );
		float ratio = problem == NULL ? (float)sample->pointCount / (float)def->count : 1.0f;
		if ( ratio > 0.85f && ratio < 1.15f )
		{
			break;
		}
		float root = sqrtf( sqrtf( ratio ) );
		spacing *= root * sqrtf( root ); // to the power of 3/8, between a surface's half and a volume's third; no libm but roots
	}
	return problem;
}

void pnFreeSample( pnSample* sample )
{
	free( sample->points );
	*sample = (pnSample){ 0 };
}
