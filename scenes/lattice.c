// lattice.c - a solid of square struts, for scenes. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "lattice.h"

#include "shape.h"

#include <stdlib.h>

// Corners of a cube's face by axis and side, counterclockwise from outside; bit d of a corner: the upper side along axis d.
static void pnListFace( int axis, int side, int corners[4] )
{
	int u = 1 << ( axis + 1 ) % 3, v = 1 << ( axis + 2 ) % 3, base = side << axis;
	corners[0] = base;
	corners[1] = side != 0 ? base | u : base | v;
	corners[2] = base | u | v;
	corners[3] = side != 0 ? base | v : base | u;
}

static void pnAddQuad( pnSceneMesh* mesh, int a, int b, int c, int d )
{
	pnAddMeshTriangle( mesh, a, b, c );
	pnAddMeshTriangle( mesh, a, c, d );
}

pnResult pnCreateLattice( const pnLatticeDef* def, pnSolid** solid )
{
	*solid = NULL;
	int knots[3] = { def->cells[0] + 1, def->cells[1] + 1, def->cells[2] + 1 };
	int strides[3] = { 1, knots[0], knots[0] * knots[1] };
	int knotCount = knots[0] * knots[1] * knots[2];
	pnSceneMesh mesh = { 0 };
	int32_t* starts = malloc( (size_t)( 3 * knotCount + 1 ) * sizeof( int32_t ) );
	int32_t* members = malloc( (size_t)( 3 * knotCount ) * 16 * sizeof( int32_t ) );
	if ( starts == NULL || members == NULL )
	{
		free( starts );
		free( members );
		return pn_outOfMemory;
	}
	for ( int knot = 0; knot < knotCount; ++knot )
	{
		for ( int corner = 0; corner < 8; ++corner )
		{
			float place[3];
			for ( int d = 0; d < 3; ++d )
			{
				int at = knot / strides[d] % knots[d];
				place[d] = def->cell * ( (float)at - 0.5f * (float)def->cells[d] ) + def->strut * ( ( corner >> d & 1 ) != 0 ? 0.5f : -0.5f );
			}
			pnAddMeshVertex( &mesh, pnMakeVec3( place[0], place[1], place[2] ), (pnVec3){ 0 } );
		}
	}
	int clusterCount = 0;
	starts[0] = 0;
	for ( int knot = 0; knot < knotCount; ++knot )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			int at = knot / strides[axis] % knots[axis];
			int low[4], high[4];
			pnListFace( axis, 0, low );
			pnListFace( axis, 1, high );
			if ( at == 0 ) // nothing leaves here: the cube is closed
			{
				pnAddQuad( &mesh, 8 * knot + low[0], 8 * knot + low[1], 8 * knot + low[2], 8 * knot + low[3] );
			}
			if ( at == knots[axis] - 1 )
			{
				pnAddQuad( &mesh, 8 * knot + high[0], 8 * knot + high[1], 8 * knot + high[2], 8 * knot + high[3] );
				continue;
			}
			int other = knot + strides[axis];
			for ( int i = 0; i < 4; ++i ) // the strut's four sides, from this cube's upper face to the next one's lower face
			{
				int a = high[i], b = high[( i + 1 ) % 4], bit = 1 << axis;
				pnAddQuad( &mesh, 8 * knot + a, 8 * knot + b, 8 * other + ( b & ~bit ), 8 * other + ( a & ~bit ) );
			}
			for ( int i = 0; i < 8; ++i )
			{
				members[16 * clusterCount + i] = 8 * knot + i;
				members[16 * clusterCount + 8 + i] = 8 * other + i;
			}
			clusterCount += 1;
			starts[clusterCount] = 16 * clusterCount;
		}
	}
	pnResult result = pn_outOfMemory;
	if ( mesh.failed == false )
	{
		pnSolidDef solidDef = pnDefaultSolidDef();
		solidDef.points = mesh.vertices;
		solidDef.pointCount = mesh.vertexCount;
		solidDef.triangles = mesh.triangles;
		solidDef.triangleCount = mesh.triangleCount;
		solidDef.density = def->density;
		solidDef.clusters = (pnClusterDef){ .kind = pn_givenClusters, .count = clusterCount, .starts = starts, .members = members };
		result = pnCreateSolid( &solidDef, solid );
	}
	pnFreeMesh( &mesh );
	free( starts );
	free( members );
	return result;
}
