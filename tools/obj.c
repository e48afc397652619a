// obj.c - a frame as a Wavefront OBJ file. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "obj.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static void pnWriteObject( FILE* file, const pnSurface* surface, int firstVertex, int vertexCount, int firstTriangle, int triangleCount,
						   bool hasNormals, bool hasColors )
{
	for ( int i = firstVertex; i < firstVertex + vertexCount; ++i )
	{
		pnVec3 p = surface->positions[i];
		fprintf( file, "v %.9g %.9g %.9g", (double)p.x, (double)p.y, (double)p.z );
		if ( hasColors )
		{
			uint32_t c = surface->colors[i];
			fprintf( file, " %.4g %.4g %.4g", ( c >> 16 & 255 ) / 255.0, ( c >> 8 & 255 ) / 255.0, ( c & 255 ) / 255.0 );
		}
		fputc( '\n', file );
	}
	for ( int i = firstVertex; i < firstVertex + vertexCount && hasNormals; ++i )
	{
		pnVec3 n = surface->normals[i];
		fprintf( file, "vn %.5g %.5g %.5g\n", (double)n.x, (double)n.y, (double)n.z );
	}
	for ( int i = firstTriangle; i < firstTriangle + triangleCount; ++i )
	{
		const int32_t* t = surface->triangles + 3 * (size_t)i;
		if ( hasNormals )
		{
			fprintf( file, "f %d//%d %d//%d %d//%d\n", t[0] + 1, t[0] + 1, t[1] + 1, t[1] + 1, t[2] + 1, t[2] + 1 );
		}
		else
		{
			fprintf( file, "f %d %d %d\n", t[0] + 1, t[1] + 1, t[2] + 1 );
		}
	}
}

const char* pnWriteObj( const pnOutFrame* frame, bool hasNormals, bool hasColors, bool hasShapes, const char* path )
{
	FILE* file = fopen( path, "wb" );
	if ( file == NULL )
	{
		return strerror( errno );
	}
	const pnSurface* surface = &frame->surface;
	fprintf( file, "# pliant, frame %d, %.9g s; metres, y up\n", frame->frame, frame->time );
	int triangle = 0;
	for ( int i = 0; i < frame->bodyCount; ++i )
	{
		const pnOutBody* body = frame->bodies + i;
		fprintf( file, "o body_%d\n", body->number );
		pnWriteObject( file, surface, body->firstVertex, body->vertexCount, body->firstTriangle, body->triangleCount, hasNormals, hasColors );
		triangle = body->firstTriangle + body->triangleCount;
	}
	if ( hasShapes && surface->triangleCount > triangle )
	{
		fprintf( file, "o shapes\n" );
		pnWriteObject( file, surface, surface->bodyVertexCount, surface->vertexCount - surface->bodyVertexCount, triangle,
					   surface->triangleCount - triangle, hasNormals, hasColors );
	}
	bool failed = ferror( file ) != 0;
	failed = fclose( file ) != 0 || failed;
	return failed ? strerror( errno ) : NULL;
}
