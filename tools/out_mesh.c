// out_mesh.c - a run as a mesh file for each frame: .ply with colours, .obj with an object for each body. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "out.h"

#include "obj.h"
#include "ply.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pnMeshOut
{
	char pattern[PN_OUT_PATH];
	uint32_t fields;
} pnMeshOut;

static void* pnOpenMeshes( const pnOutDef* def, char why[PN_OUT_WHY] )
{
	pnMeshOut* out = calloc( 1, sizeof( pnMeshOut ) );
	if ( out == NULL || pnMakeOutPattern( def->path, out->pattern ) == false )
	{
		snprintf( why, PN_OUT_WHY, "%s", out == NULL ? "there is no memory for it" : "it needs one number in its name, such as out_%04d.ply, or none" );
		free( out );
		return NULL;
	}
	out->fields = def->fields;
	return out;
}

static bool pnTellProblem( const char* problem, const char* path, char why[PN_OUT_WHY] )
{
	if ( problem != NULL )
	{
		snprintf( why, PN_OUT_WHY, "%.300s: %s", path, problem );
	}
	return problem == NULL;
}

static bool pnWritePlyFrame( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] )
{
	const pnMeshOut* out = file;
	char path[PN_OUT_PATH], part[PN_OUT_PATH];
	pnFillOutPattern( out->pattern, frame->frame, path );
	pnGetPartPath( path, part );
	const char* problem = pnWritePly( &frame->surface, part );
	return pnTellProblem( problem != NULL ? problem : pnPlacePart( path ), path, why );
}

static bool pnWriteObjFrame( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] )
{
	const pnMeshOut* out = file;
	char path[PN_OUT_PATH], part[PN_OUT_PATH];
	pnFillOutPattern( out->pattern, frame->frame, path );
	pnGetPartPath( path, part );
	const char* problem = pnWriteObj( frame, ( out->fields & pn_outNormal ) != 0, ( out->fields & pn_outColor ) != 0, true, part );
	return pnTellProblem( problem != NULL ? problem : pnPlacePart( path ), path, why );
}

static bool pnCloseMeshes( void* file, char why[PN_OUT_WHY] )
{
	(void)why;
	free( file );
	return true;
}

const pnOutKind pn_plyOut = {
	.ending = ".ply",
	.text = "a mesh for each frame, with colours",
	.fields = pn_outNormal | pn_outColor,
	.usualFields = pn_outNormal | pn_outColor,
	.isStreamed = true,
	.open = pnOpenMeshes,
	.frame = pnWritePlyFrame,
	.close = pnCloseMeshes,
};

const pnOutKind pn_objOut = {
	.ending = ".obj",
	.text = "a mesh for each frame, an object for each body",
	.fields = pn_outNormal | pn_outColor,
	.usualFields = pn_outNormal,
	.isStreamed = true,
	.open = pnOpenMeshes,
	.frame = pnWriteObjFrame,
	.close = pnCloseMeshes,
};
