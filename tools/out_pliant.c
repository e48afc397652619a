// out_pliant.c - saved worlds: the last frame as NAME.pliant, or each of them if the name has a number. Knows no bytes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "out.h"

#include "saved_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct pnPliantOut
{
	char pattern[PN_OUT_PATH];
	bool isSequence;
	const pnWorld* world;
	pnSavedRun saved;
	const int* frame; // that the run has come to
	bool hasFrame;
} pnPliantOut;

static void* pnOpenPliant( const pnOutDef* def, char why[PN_OUT_WHY] )
{
	pnPliantOut* out = calloc( 1, sizeof( pnPliantOut ) );
	bool isSequence = strchr( def->path, '%' ) != NULL;
	if ( out == NULL || ( isSequence && pnMakeOutPattern( def->path, out->pattern ) == false ) )
	{
		snprintf( why, PN_OUT_WHY, "%s", out == NULL ? "there is no memory for it" : "it needs one number in its name, such as out_%04d.pliant, or none" );
		free( out );
		return NULL;
	}
	out->isSequence = isSequence;
	if ( isSequence == false )
	{
		snprintf( out->pattern, sizeof( out->pattern ), "%s", def->path );
	}
	out->world = def->world;
	out->saved = def->saved;
	out->frame = def->frame;
	return out;
}

static bool pnSave( pnPliantOut* out, const char* path, char why[PN_OUT_WHY] )
{
	char part[PN_OUT_PATH];
	pnGetPartPath( path, part );
	out->saved.frame = *out->frame;
	const char* problem = pnSaveRun( part, out->world, &out->saved );
	problem = problem != NULL ? problem : pnPlacePart( path );
	if ( problem != NULL )
	{
		snprintf( why, PN_OUT_WHY, "frame %d: %s", out->saved.frame, problem );
	}
	return problem == NULL;
}

static bool pnWritePliantFrame( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] )
{
	pnPliantOut* out = file;
	out->hasFrame = true;
	char path[PN_OUT_PATH];
	pnFillOutPattern( out->pattern, frame->frame, path );
	// Of a single one the first is written at once, so that what cannot be written is told then; the last when it is closed.
	return ( out->isSequence == false && frame->index > 0 ) || pnSave( out, out->isSequence ? path : out->pattern, why );
}

static bool pnClosePliant( void* file, char why[PN_OUT_WHY] )
{
	pnPliantOut* out = file;
	bool good = out->isSequence || out->hasFrame == false || pnSave( out, out->pattern, why );
	free( out );
	return good;
}

const pnOutKind pn_pliantOut = {
	.ending = ".pliant",
	.text = "the world at the last frame, to go on from; or at each, with a number in the name",
	.isStreamed = true,
	.isBare = true,
	.open = pnOpenPliant,
	.frame = pnWritePliantFrame,
	.close = pnClosePliant,
};
