// write_glb.c - answers as glTF 2.0: surface, colours, deformation as an animated morph target. Knows no pixels and no bytes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "write_solution.h"

#include "glb.h"

#include <stdlib.h>

enum
{
	PN_GLB_TIMES = 5
};

static pnVec3 pnNarrow( pnVec3d a, double scale ) { return (pnVec3){ (float)( scale * a.x ), (float)( scale * a.y ), (float)( scale * a.z ) }; }

const char* pnWriteGlb( const pnSolution* solution, pnFieldKind field, double exaggerate, const char* title, const char* path )
{
	static const char noMemory[] = "there is no memory for it";
	int count = solution->vertexCount;
	pnVec3* vectors = malloc( (size_t)( count + 1 ) * sizeof( pnVec3 ) );
	pnSurface moved;
	if ( vectors == NULL || pnMakeSolutionSurface( solution, field, exaggerate, 0, 0, &moved ) == false )
	{
		free( vectors );
		return noMemory;
	}
	const char* problem = NULL;
	pnGlb* glb = pnOpenGlb( path, &problem );
	if ( glb != NULL )
	{
		for ( int i = 0; i < count; ++i )
		{
			vectors[i] = pnNarrow( solution->rest[i], 1.0 );
		}
		int positions = pnGlb_AddVectors( glb, vectors, count, true );
		for ( int i = 0; i < count; ++i )
		{
			vectors[i] = pnNarrow( solution->normals[i], 1.0 );
		}
		int normals = pnGlb_AddVectors( glb, vectors, count, false );
		for ( int i = 0; i < count; ++i )
		{
			vectors[i] = pnSub( moved.normals[i], vectors[i] );
		}
		int turns = pnGlb_AddVectors( glb, vectors, count, false );
		for ( int i = 0; i < count; ++i )
		{
			vectors[i] = pnNarrow( solution->displacements[i], exaggerate );
		}
		int motions = pnGlb_AddVectors( glb, vectors, count, true );
		int colors = pnGlb_AddColors( glb, moved.colors, count );
		int indices = pnGlb_AddTriangles( glb, solution->triangles, solution->triangleCount, 0 );
		static const float times[PN_GLB_TIMES] = { 0.0f, 0.5f, 2.0f, 3.5f, 5.0f }, weights[PN_GLB_TIMES] = { 0.0f, 0.0f, 1.0f, 1.0f, 0.0f }; // s
		int timeIndex = pnGlb_AddFloats( glb, times, PN_GLB_TIMES, 1, true );
		int weightIndex = pnGlb_AddFloats( glb, weights, PN_GLB_TIMES, 1, false );
		pnGlb_Add( glb, pn_glbMaterials, "{\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.6}}" );
		pnGlb_Add( glb, pn_glbMeshes,
				   "{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"COLOR_0\":%d},\"indices\":%d,\"material\":0,"
				   "\"targets\":[{\"POSITION\":%d,\"NORMAL\":%d}]}],\"weights\":[1],\"extras\":{\"targetNames\":[\"deformed\"],\"exaggeration\":%.9g}}",
				   positions, normals, colors, indices, motions, turns, exaggerate );
		pnGlb_Add( glb, pn_glbNodes, "{\"mesh\":0,\"name\":" );
		pnGlb_PutText( glb, pn_glbNodes, title );
		pnGlb_Put( glb, pn_glbNodes, "}" );
		pnGlb_Add( glb, pn_glbSamplers, "{\"input\":%d,\"output\":%d}", timeIndex, weightIndex );
		pnGlb_Add( glb, pn_glbChannels, "{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"weights\"}}" );
		problem = pnCloseGlb( glb, "load" );
	}
	pnDestroySurface( &moved );
	free( vectors );
	return problem;
}
