// ply.c - surfaces as binary PLY files. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "ply.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static uint8_t* pnPutWord( uint8_t* bytes, uint32_t word )
{
	for ( int i = 0; i < 4; ++i )
	{
		*bytes++ = (uint8_t)( word >> 8 * i );
	}
	return bytes;
}

static uint8_t* pnPutVector( uint8_t* bytes, pnVec3 a )
{
	float values[3] = { a.x, a.y, a.z };
	for ( int i = 0; i < 3; ++i )
	{
		uint32_t word;
		memcpy( &word, values + i, sizeof( word ) );
		bytes = pnPutWord( bytes, word );
	}
	return bytes;
}

const char* pnWritePly( const pnSurface* surface, const char* path )
{
	FILE* file = fopen( path, "wb" );
	if ( file == NULL )
	{
		return strerror( errno );
	}
	fprintf( file,
			 "ply\nformat binary_little_endian 1.0\ncomment pliant skins, metres, y up\nelement vertex %d\n"
			 "property float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float nz\n"
			 "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face %d\n"
			 "property list uchar int vertex_indices\nend_header\n",
			 surface->vertexCount, surface->triangleCount );
	for ( int i = 0; i < surface->vertexCount; ++i )
	{
		uint8_t bytes[27];
		uint8_t* end = pnPutVector( bytes, surface->positions[i] );
		end = pnPutVector( end, surface->normals[i] );
		*end++ = (uint8_t)( surface->colors[i] >> 16 );
		*end++ = (uint8_t)( surface->colors[i] >> 8 );
		*end++ = (uint8_t)surface->colors[i];
		fwrite( bytes, 1, sizeof( bytes ), file );
	}
	for ( int i = 0; i < surface->triangleCount; ++i )
	{
		uint8_t bytes[13] = { 3 };
		uint8_t* end = bytes + 1;
		for ( int j = 0; j < 3; ++j )
		{
			end = pnPutWord( end, (uint32_t)surface->triangles[3 * i + j] );
		}
		fwrite( bytes, 1, sizeof( bytes ), file );
	}
	bool failed = ferror( file ) != 0;
	int problem = errno;
	if ( fclose( file ) != 0 && failed == false )
	{
		failed = true;
		problem = errno;
	}
	return failed ? strerror( problem ) : NULL;
}
