// blocks.h - small solids for tests: grids of points, closed boxes, tetrahedra. Knows only the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

#include <stdlib.h>

// The points of a grid, x fastest, centred on the origin. Yours to free.
static inline pnVec3* pnMakeGrid( int nx, int ny, int nz, float spacing )
{
	pnVec3* points = (pnVec3*)malloc( (size_t)nx * ny * nz * sizeof( pnVec3 ) );
	for ( int k = 0; k < nz; ++k )
	{
		for ( int j = 0; j < ny; ++j )
		{
			for ( int i = 0; i < nx; ++i )
			{
				points[( k * ny + j ) * nx + i] = pnMakeVec3(
					spacing * ( (float)i - 0.5f * (float)( nx - 1 ) ),
					spacing * ( (float)j - 0.5f * (float)( ny - 1 ) ),
					spacing * ( (float)k - 0.5f * (float)( nz - 1 ) ) );
			}
		}
	}
	return points;
}

// A solid of bare grid points. cellSize 0: clusters are chosen by pliant; else overlapping cells of that size. NULL if it cannot be made.
static inline pnSolid* pnCreateGridSolid( int nx, int ny, int nz, float spacing, float cellSize )
{
	pnSolidDef def = pnDefaultSolidDef();
	pnVec3* points = pnMakeGrid( nx, ny, nz, spacing );
	def.points = points;
	def.pointCount = nx * ny * nz;
	if ( cellSize > 0.0f )
	{
		def.clusters.kind = pn_cellClusters;
		def.clusters.cellSize = cellSize;
		def.clusters.overlap = 0.5f;
	}
	pnSolid* solid = NULL;
	pnCreateSolid( &def, &solid );
	free( points );
	return solid;
}

// A cube of edge 1 about the origin: its corners (bit 0, 1, 2 of the index: x, y, z), and its faces turned outward.
static const pnVec3 pn_boxCorners[8] = {
	{ -0.5f, -0.5f, -0.5f }, { 0.5f, -0.5f, -0.5f }, { -0.5f, 0.5f, -0.5f }, { 0.5f, 0.5f, -0.5f },
	{ -0.5f, -0.5f, 0.5f },	 { 0.5f, -0.5f, 0.5f },	 { -0.5f, 0.5f, 0.5f },	 { 0.5f, 0.5f, 0.5f },
};
static const int32_t pn_boxTriangles[36] = {
	0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5,
};
// The same cube as five tetrahedra of positive volume: four corners cut off and what is left in the middle.
static const int32_t pn_boxTetrahedra[20] = { 1, 0, 5, 3, 2, 0, 3, 6, 4, 0, 6, 5, 7, 3, 5, 6, 0, 3, 6, 5 };

static inline pnSolidDef pnDefBox( void )
{
	pnSolidDef def = pnDefaultSolidDef();
	def.points = pn_boxCorners;
	def.pointCount = 8;
	def.triangles = pn_boxTriangles;
	def.triangleCount = 12;
	return def;
}

static inline pnSolidDef pnDefTetrahedra( void )
{
	pnSolidDef def = pnDefaultSolidDef();
	def.points = pn_boxCorners;
	def.pointCount = 8;
	def.tetrahedra = pn_boxTetrahedra;
	def.tetrahedronCount = 5;
	def.clusters.kind = pn_tetClusters;
	return def;
}

static inline bool pnIsFiniteVec3( pnVec3 a )
{
	return a.x - a.x == 0.0f && a.y - a.y == 0.0f && a.z - a.z == 0.0f;
}
