// run_out.c - the files of `pliant run --out`: opened, fed with the frames that they want, closed. Knows no formats.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The names of --fields as bits; 0: none were said.
static int pnReadFields( pnRun* run, uint32_t* fields )
{
	*fields = 0;
	if ( run->options.fields == NULL )
	{
		return 0;
	}
	const char* names[16];
	int nameCount = 0;
	while ( pnGetOutFieldName( nameCount ) != NULL )
	{
		names[nameCount] = pnGetOutFieldName( nameCount );
		nameCount += 1;
	}
	char copy[256];
	snprintf( copy, sizeof( copy ), "%s", run->options.fields );
	for ( char* word = strtok( copy, "," ); word != NULL; word = strtok( NULL, "," ) )
	{
		uint32_t found = strcmp( word, "all" ) == 0 ? pn_outAll : 0;
		for ( int i = 0; i < nameCount; ++i )
		{
			found |= strcmp( word, names[i] ) == 0 ? 1u << i : 0u;
		}
		if ( found == 0 )
		{
			const char* near = pnFindNearName( word, names, nameCount );
			return pnFail( PN_EXIT_USAGE, pnRunName, "--fields: there is no '%s'; %s%s%s", word, near != NULL ? "did you mean '" : "--help lists them",
						   near != NULL ? near : "", near != NULL ? "'?" : "" );
		}
		*fields |= found;
	}
	return 0;
}

// Each field that was named must have a place in one of the files.
static int pnCheckFields( const pnRun* run, uint32_t fields )
{
	uint32_t held = 0;
	for ( int i = 0; i < run->outCount; ++i )
	{
		held |= run->outs[i].kind->fields;
	}
	for ( int i = 0; pnGetOutFieldName( i ) != NULL && fields != pn_outAll; ++i )
	{
		if ( ( fields & ~held & 1u << i ) != 0 )
		{
			return pnFail( PN_EXIT_USAGE, pnRunName, "--fields: no file of --out can hold '%s'; a .pvd can", pnGetOutFieldName( i ) );
		}
	}
	return 0;
}

static int pnFindKinds( pnRun* run )
{
	for ( int i = 0; i < run->options.out.count; ++i )
	{
		const char* path = run->options.out.texts[i];
		const pnOutKind* kind = pnFindOutKind( path );
		if ( kind == NULL )
		{
			char list[256] = "";
			int count;
			const pnOutKind* const* kinds = pnGetOutKinds( &count );
			for ( int k = 0; k < count; ++k )
			{
				size_t used = strlen( list );
				snprintf( list + used, sizeof( list ) - used, "%s%s", k == 0 ? "" : k + 1 < count ? ", " : " or ", kinds[k]->ending );
			}
			return pnFail( PN_EXIT_USAGE, pnRunName, "--out '%s': what kind of file? The name ends in %s", path, list );
		}
		for ( int k = 0; k < i; ++k )
		{
			if ( strcmp( run->outs[k].path, path ) == 0 )
			{
				return pnFail( PN_EXIT_USAGE, pnRunName, "--out '%s' is there twice", path );
			}
		}
		run->outs[run->outCount++] = (pnRunOut){ .path = path, .kind = kind };
	}
	return 0;
}

int pnRun_OpenOuts( pnRun* run )
{
	const pnRunOptions* options = &run->options;
	uint32_t fields;
	int code = pnFindKinds( run );
	code = code != 0 ? code : pnReadFields( run, &fields );
	code = code != 0 || run->outCount == 0 ? code : pnCheckFields( run, fields );
	if ( code == 0 && options->at != NULL && ( options->every > 0 || options->from >= 0 || options->to >= 0 ) )
	{
		code = pnFail( PN_EXIT_USAGE, pnRunName, "--at names the frames to write; --every, --from and --to do not go with it" );
	}
	if ( code == 0 && options->from >= 0 && ( options->from > run->lastFrame || ( options->to >= 0 && options->to < options->from ) ) )
	{
		code = pnFail( PN_EXIT_USAGE, pnRunName, "--from %d: there is nothing to write, the run goes from %d to %d%s", options->from, run->firstFrame,
					   run->lastFrame, options->to >= 0 ? ", and --to ends before" : "" );
	}
	for ( int i = 0; i < run->outCount && code == 0; ++i )
	{
		pnRunOut* out = run->outs + i;
		double rate = 1.0 / (double)run->timeStep;
		out->every = options->every > 0 ? options->every : out->kind->usualRate > 0 ? (int)lround( rate / out->kind->usualRate ) : 1;
		out->every = out->every > 1 && options->at == NULL ? out->every : 1;
		pnOutDef def = {
			.path = out->path,
			.title = run->scene->name,
			.world = run->world,
			.rate = rate / out->every,
			.fields = ( fields != 0 ? fields : out->kind->usualFields ) & out->kind->fields,
			.camera = run->sheet.camera,
			.coloring = run->sheet.coloring,
			.width = run->sheet.width,
			.height = run->sheet.height,
			.saved = { .substeps = run->substeps, .rate = (float)rate },
			.frame = &run->frame,
		};
		snprintf( def.saved.scene, sizeof( def.saved.scene ), "%s", run->scene->name );
		char why[PN_OUT_WHY] = "there is no memory for it";
		out->maker = pnCreateOutMaker( run->sheet.coloring, def.fields, out->kind->isBare );
		out->file = out->maker != NULL ? out->kind->open( &def, why ) : NULL;
		code = out->file != NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", out->path, why );
	}
	return code;
}

// One that failed is closed with what it has; the others go on.
static void pnGiveUp( pnRun* run, pnRunOut* out, const char* why )
{
	char ignored[PN_OUT_WHY];
	pnBar_Clear( &run->bar );
	pnFail( PN_EXIT_FAILURE, pnRunName, "'%s': %s", out->path, why );
	out->kind->close( out->file, ignored );
	out->file = NULL;
	run->outFailed = true;
}

void pnRun_WatchOuts( pnRun* run )
{
	for ( int i = 0; i < run->outCount; ++i )
	{
		if ( run->outs[i].file != NULL && pnOutMaker_Watch( run->outs[i].maker, run->world ) == false )
		{
			pnGiveUp( run, run->outs + i, "there is no memory for what was cut" );
		}
	}
}

static bool pnIsWanted( const pnRun* run, const pnRunOut* out )
{
	if ( run->options.at != NULL )
	{
		bool isNamed = false;
		for ( int i = 0; i < run->shotCount; ++i )
		{
			isNamed = isNamed || run->shotFrames[i] == run->frame;
		}
		return isNamed;
	}
	int from = run->options.from > run->firstFrame ? run->options.from : run->firstFrame;
	bool isLate = run->options.to >= 0 && run->frame > run->options.to;
	return run->frame >= from && isLate == false && ( run->frame - from ) % out->every == 0;
}

int pnRun_WriteOuts( pnRun* run )
{
	for ( int i = 0; i < run->outCount; ++i )
	{
		pnRunOut* out = run->outs + i;
		if ( out->file == NULL || pnIsWanted( run, out ) == false )
		{
			continue;
		}
		char why[PN_OUT_WHY] = "there is no memory for this frame";
		const pnOutFrame* frame = pnOutMaker_Make( out->maker, run->world, run->frame, run->time, run->lastStep );
		if ( frame == NULL || out->kind->frame( out->file, frame, why ) == false )
		{
			pnGiveUp( run, out, why );
		}
	}
	return 0;
}

int pnRun_CloseOuts( pnRun* run )
{
	int code = run->outFailed ? PN_EXIT_FAILURE : 0;
	for ( int i = 0; i < run->outCount; ++i )
	{
		pnRunOut* out = run->outs + i;
		char why[PN_OUT_WHY] = "";
		if ( out->file != NULL && out->kind->close( out->file, why ) == false )
		{
			code = pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", out->path, why );
		}
		out->file = NULL;
		pnDestroyOutMaker( out->maker );
		out->maker = NULL;
	}
	return code;
}
