// cmd_bake.c - `pliant bake`: a scene as a snapshot, ready or run for a while, so that programs need no JSON and no meshes. Knows no formats.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../options.h"
#include "../saved_run.h"
#include "../scene_find.h"

#include <stdlib.h>

static const char pnBakeName[] = "pliant bake";

static int pnBake( const pnScene* scene, int frames, int threads, const char* path )
{
	pnWorld* world;
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks.workerCount = threads;
	def.enableSleep = def.enableSleep && scene->sleepless == false;
	pnResult result = pnCreateWorld( &def, &world );
	if ( result != pn_success )
	{
		return pnFail( PN_EXIT_FAILURE, pnBakeName, "cannot make the world: %s", pnResultText( result ) );
	}
	result = pnFillScene( scene, world );
	for ( int frame = 1; frame <= frames && result == pn_success; ++frame )
	{
		result = pnStepScene( scene, world, frame, 1.0f / scene->rate, scene->substeps );
	}
	int code = result == pn_success ? 0 : pnFail( PN_EXIT_FAILURE, pnBakeName, "cannot run the scene '%s': %s", scene->name, pnResultText( result ) );
	if ( code == 0 )
	{
		pnSavedRun saved = { .frame = frames, .substeps = scene->substeps, .rate = scene->rate };
		snprintf( saved.scene, sizeof( saved.scene ), "%s", scene->name );
		const char* problem = pnSaveRun( path, world, &saved );
		code = problem == NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnBakeName, "cannot write '%s': %s", path, problem );
	}
	if ( code == 0 )
	{
		printf( "%s: %s at frame %d, %d bodies, hash 0x%016llx\n", path, scene->name, frames, pnWorld_GetBodies( world, NULL, 0 ), (unsigned long long)pnWorld_GetHash( world ) );
	}
	pnDestroyWorld( world );
	return code;
}

int pnCmdBake( int argc, char** argv )
{
	const char *out = NULL, *name = NULL;
	int frames = 0, threads = 1, nameCount;
	bool help, anyPath = false;
	const pnOption options[] = {
		{ "-o", pn_textOption, &out, 0, 0, "FILE.pliant", "what to write" },
		{ "--frames", pn_intOption, &frames, 0, 1000000, "N", "run for so many frames before (0)" },
		{ "--threads", pn_intOption, &threads, 1, 64, "T", "threads to use (1)" },
		{ "--any-path", pn_flagOption, &anyPath, 0, 0, NULL, "a scene file may name files outside its folder" },
	};
	int code = pnReadOptions( pnBakeName, options, 4, argc, argv, &name, &nameCount, 1, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		printf( "usage: pliant bake SCENE -o FILE.pliant [OPTION...]\nWrites a scene, built in or a file, as a snapshot: bodies, shapes, solids, all.\n\n"
				"  pliant bake heap -o heap.pliant --frames 120     # as it lies after two seconds\n"
				"  pliant run heap --load heap.pliant               # goes on from there\n\n" );
		pnPrintOptions( stdout, options, 4 );
		printf( "\nExit codes: 0 written, 1 the scene is wrong or the file cannot be written, 2 called wrongly.\n" );
		return 0;
	}
	if ( nameCount == 0 || out == NULL )
	{
		return pnFail( PN_EXIT_USAGE, pnBakeName, nameCount == 0 ? "which scene? `pliant scenes` lists them" : "-o FILE.pliant says what to write" );
	}
	const pnScene* scene;
	code = pnOpenScene( pnBakeName, name, anyPath, &scene );
	if ( code != 0 )
	{
		return code;
	}
	code = pnBake( scene, frames, threads, out );
	pnCloseScene( scene );
	return code;
}
