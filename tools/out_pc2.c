// out_pc2.c - a run as a point cache, NAME.pc2, and the mesh that it moves, NAME.obj. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// "POINTCACHE2\0", i32 version 1, i32 vertices, f32 first frame, f32 frames a sample, i32 samples; then each sample's vertices, f32 x y z.
// Little endian. The count of samples is written anew after each, so that the file is whole at any moment.
#include "out.h"

#include "obj.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_PC2_COUNT_AT = 28, // byte
	PN_PC2_HEAD = 32,
};

typedef struct pnPc2Out
{
	FILE* file;
	char mesh[PN_OUT_PATH]; // the .obj beside it
	int vertexCount, sampleCount;
} pnPc2Out;

static void pnPutWord( uint8_t* bytes, uint32_t word )
{
	for ( int i = 0; i < 4; ++i )
	{
		bytes[i] = (uint8_t)( word >> 8 * i );
	}
}

static void pnPutReal( uint8_t* bytes, float value )
{
	uint32_t word;
	memcpy( &word, &value, sizeof( word ) );
	pnPutWord( bytes, word );
}

static void* pnOpenPc2( const pnOutDef* def, char why[PN_OUT_WHY] )
{
	pnPc2Out* out = calloc( 1, sizeof( pnPc2Out ) );
	FILE* file = out != NULL ? fopen( def->path, "wb" ) : NULL;
	if ( file == NULL )
	{
		snprintf( why, PN_OUT_WHY, "%s", out == NULL ? "there is no memory for it" : strerror( errno ) );
		free( out );
		return NULL;
	}
	out->file = file;
	snprintf( out->mesh, sizeof( out->mesh ), "%.*s.obj", (int)( strlen( def->path ) - strlen( pn_pc2Out.ending ) ), def->path );
	return out;
}

static bool pnWriteSample( pnPc2Out* out, const pnVec3* positions )
{
	uint8_t bytes[12 * 256];
	for ( int begin = 0; begin < out->vertexCount; begin += 256 )
	{
		int count = out->vertexCount - begin < 256 ? out->vertexCount - begin : 256;
		for ( int i = 0; i < count; ++i )
		{
			pnPutReal( bytes + 12 * i, positions[begin + i].x );
			pnPutReal( bytes + 12 * i + 4, positions[begin + i].y );
			pnPutReal( bytes + 12 * i + 8, positions[begin + i].z );
		}
		fwrite( bytes, 12, (size_t)count, out->file );
	}
	bool good = fflush( out->file ) == 0;
	out->sampleCount += 1;
	pnPutWord( bytes, (uint32_t)out->sampleCount );
	good = good && fseek( out->file, PN_PC2_COUNT_AT, SEEK_SET ) == 0 && fwrite( bytes, 1, 4, out->file ) == 4 && fflush( out->file ) == 0;
	return good && fseek( out->file, 0, SEEK_END ) == 0;
}

static bool pnWritePc2Frame( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] )
{
	pnPc2Out* out = file;
	const char* problem = NULL;
	if ( frame->index == 0 )
	{
		uint8_t head[PN_PC2_HEAD] = "POINTCACHE2";
		out->vertexCount = frame->surface.bodyVertexCount;
		pnPutWord( head + 12, 1 );
		pnPutWord( head + 16, (uint32_t)out->vertexCount );
		pnPutReal( head + 20, 0.0f );
		pnPutReal( head + 24, 1.0f );
		fwrite( head, 1, sizeof( head ), out->file );
		problem = pnWriteObj( frame, false, false, false, out->mesh );
	}
	else if ( frame->isChanged )
	{
		bool isSame = true; // shapes may come and go: they are not in it
		for ( int i = 0; i < frame->bodyCount; ++i )
		{
			isSame = isSame && frame->bodies[i].isNew == false;
		}
		if ( isSame == false || frame->surface.bodyVertexCount != out->vertexCount )
		{
			snprintf( why, PN_OUT_WHY, "bodies were cut, came or went by frame %d, and a point cache has the same vertices in every sample; it ends before. --to %d, or a .glb, holds it",
					  frame->frame, frame->frame - 1 );
			return false;
		}
	}
	if ( problem == NULL && pnWriteSample( out, frame->surface.positions ) == false )
	{
		problem = strerror( errno );
	}
	if ( problem != NULL )
	{
		snprintf( why, PN_OUT_WHY, "frame %d: %s", frame->frame, problem );
	}
	return problem == NULL;
}

static bool pnClosePc2( void* file, char why[PN_OUT_WHY] )
{
	pnPc2Out* out = file;
	bool good = fclose( out->file ) == 0;
	if ( good == false )
	{
		snprintf( why, PN_OUT_WHY, "%s", strerror( errno ) );
	}
	free( out );
	return good;
}

const pnOutKind pn_pc2Out = {
	.ending = ".pc2",
	.text = "point cache for Blender, Maya, Houdini, with its mesh as .obj",
	.isStreamed = true,
	.open = pnOpenPc2,
	.frame = pnWritePc2Frame,
	.close = pnClosePc2,
};
