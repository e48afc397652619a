// cmd_run.c - `pliant run`: simulates a scene, with progress, numbers, pictures and meshes. Knows no shapes and no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../saved_run.h"
#include "../scene_find.h"
#include "run.h"

#include <stdlib.h>
#include <string.h>

static void pnLogToStderr( const char* message ) { fprintf( stderr, "pliant: %s\n", message ); }

static void pnShowProgress( pnRun* run )
{
	double elapsed = pnGetWallTime() - run->bar.start;
	int done = run->frame - run->firstFrame, total = run->lastFrame - run->firstFrame;
	char text[96];
	snprintf( text, sizeof( text ), "frame %d of %d, %.3g times real time", run->frame, run->lastFrame,
			  elapsed > 0.0 ? (double)done * (double)run->timeStep / elapsed : 0.0 );
	pnBar_Show( &run->bar, done, total, text );
}

static void pnShowShot( int done, int total, void* context )
{
	pnRun* run = context;
	pnBar_Show( &run->bar, done, total, "drawing" );
}

// A picture shows some frames from one side, in some colours: of two that agree in this, neither is older. FNV-1a.
static void pnMixShown( pnRun* run )
{
	const pnCamera* camera = &run->sheet.camera;
	const float view[7] = { camera->target.x, camera->target.y, camera->target.z, camera->azimuth, camera->elevation, camera->distance, camera->ground };
	const int sizes[4] = { run->frame, (int)run->sheet.coloring, run->sheet.width, run->sheet.height };
	const uint64_t world = pnWorld_GetHash( run->world );
	const struct
	{
		const void* data;
		size_t size;
	} parts[] = { { view, sizeof( view ) }, { sizes, sizeof( sizes ) }, { &world, sizeof( world ) } };
	run->shown = run->shown != 0 ? run->shown : 0xcbf29ce484222325ull;
	for ( size_t i = 0; i < sizeof( parts ) / sizeof( parts[0] ); ++i )
	{
		for ( size_t k = 0; k < parts[i].size; ++k )
		{
			run->shown = ( run->shown ^ ( (const uint8_t*)parts[i].data )[k] ) * 0x100000001b3ull;
		}
	}
}

// What a frame leaves behind: a row of numbers, files, a shot.
static int pnLeaveFrame( pnRun* run, double stepTime )
{
	int code = run->frame > run->firstFrame ? pnRun_WriteStats( run, stepTime ) : 0;
	code = code != 0 ? code : pnRun_WriteOuts( run );
	bool isShot = false;
	for ( int i = 0; i < run->shotCount; ++i )
	{
		isShot = isShot || run->shotFrames[i] == run->frame;
	}
	if ( code == 0 && isShot && run->options.shown )
	{
		pnMixShown( run );
	}
	if ( code != 0 || isShot == false || run->options.png == NULL )
	{
		return code;
	}
	pnSurface surface;
	if ( pnCreateSurface( run->world, run->sheet.coloring, &surface ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "there is no memory for the skins of frame %d", run->frame );
	}
	run->shots[run->drawnCount++] = (pnShot){ surface, run->frame, run->time };
	return 0;
}

static int pnSimulate( pnRun* run )
{
	if ( pnGetTotals( run->world, &run->start ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "there is no memory for the numbers" );
	}
	run->first = run->start;
	int code = pnLeaveFrame( run, 0.0 );
	double start = pnGetWallTime();
	run->bar = pnStartBar( run->scene->name, run->options.quiet == false );
	for ( int frame = run->firstFrame + 1; frame <= run->lastFrame && code == 0 && pnIsInterrupted() == false; ++frame )
	{
		double stepStart = pnGetWallTime();
		code = pnRun_Step( run, frame );
		if ( code != 0 )
		{
			return code;
		}
		double stepTime = pnGetWallTime() - stepStart;
		run->stepSum += stepTime;
		run->stepMax = stepTime > run->stepMax ? stepTime : run->stepMax;
		pnRun_WatchOuts( run );
		code = pnLeaveFrame( run, stepTime );
		if ( frame == run->firstFrame + 1 )
		{
			pnGetTotals( run->world, &run->first );
		}
		pnShowProgress( run );
	}
	run->wallTime = pnGetWallTime() - start;
	if ( code == 0 && run->frame < run->lastFrame )
	{
		pnBar_Clear( &run->bar );
		fprintf( stderr, "%s: stopped at frame %d of %d; what was done is kept\n", pnRunName, run->frame, run->lastFrame );
		run->lastFrame = run->frame;
		run->isStopped = true;
	}
	return code != 0 ? code : pnRun_EndScript( run );
}

static int pnWriteSheet( pnRun* run )
{
	if ( run->options.png == NULL || run->drawnCount == 0 ) // stopped before the first of its frames
	{
		return 0;
	}
	pnImage image;
	run->sheet.onShot = pnShowShot;
	run->sheet.context = run;
	if ( pnDrawSheet( &run->sheet, run->shots, run->drawnCount, &image ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "there is no memory for the picture" );
	}
	const char* problem = pnWritePng( &image, run->options.png );
	pnDestroyImage( &image );
	return problem == NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", run->options.png, problem );
}

static int pnFinishRun( pnRun* run )
{
	const pnRunOptions* options = &run->options;
	int code = pnWriteSheet( run );
	pnBar_Clear( &run->bar );
	int statsCode = pnRun_CloseStats( run );
	code = code != 0 ? code : statsCode;
	if ( code == 0 && options->save != NULL )
	{
		pnSavedRun saved = { .frame = run->lastFrame, .substeps = run->substeps, .rate = 1.0f / run->timeStep };
		snprintf( saved.scene, sizeof( saved.scene ), "%s", run->scene->name );
		const char* problem = pnSaveRun( options->save, run->world, &saved );
		code = problem == NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", options->save, problem );
	}
	if ( code == 0 && options->record != NULL )
	{
		code = pnRun_Record( run );
	}
	if ( code == 0 && options->quiet == false )
	{
		pnRun_PrintSummary( run );
	}
	if ( code == 0 && options->shown )
	{
		printf( "shown 0x%016llx\n", (unsigned long long)run->shown );
	}
	if ( code == 0 && options->hash )
	{
		printf( "hash 0x%016llx\n", (unsigned long long)pnWorld_GetHash( run->world ) );
	}
	return code;
}

static int pnPrepareRun( pnRun* run )
{
	const pnRunOptions* options = &run->options;
	int code = pnRun_ReadView( run );
	code = code != 0 ? code : pnRun_ReadColor( run );
	code = code != 0 ? code : pnRun_ReadSize( run );
	code = code != 0 ? code : pnRun_OpenWorld( run );
	code = code != 0 ? code : pnRun_ReadShots( run );
	if ( code == 0 && options->shown )
	{
		run->lastFrame = run->shotFrames[run->shotCount - 1];
	}
	code = code != 0 ? code : pnCheckWritable( options->png );
	code = code != 0 ? code : pnCheckWritable( options->save );
	code = code != 0 ? code : pnCheckWritable( options->record );
	if ( code != 0 )
	{
		return code;
	}
	run->sheet.title = run->scene->name;
	int width, height;
	pnGetSheetSize( &run->sheet, run->shotCount, &width, &height );
	if ( options->png != NULL && ( width > PN_MAX_SHEET_SIDE || height > PN_MAX_SHEET_SIDE ) )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "the picture would be %d x %d pixels; a smaller --size or fewer frames --at will do",
					   width, height );
	}
	code = pnRun_OpenStats( run );
	return code != 0 ? code : pnRun_OpenOuts( run );
}

static void pnCloseRun( pnRun* run )
{
	for ( int i = 0; i < run->drawnCount; ++i )
	{
		pnDestroySurface( &run->shots[i].surface );
	}
	if ( run->stats != NULL )
	{
		fclose( run->stats );
	}
	pnDestroyWorld( run->world );
	free( run->file );
}

int pnCmdRun( int argc, char** argv )
{
	pnRun run = { .options = { .frames = -1, .substeps = -1, .threads = 1, .from = -1, .to = -1 } };
	pnRunOptions* o = &run.options;
	bool anyPath = false;
	const pnOption options[] = {
		{ "--frames", pn_intOption, &o->frames, 0, PN_MAX_FRAMES, "N", "how many frames to simulate (as long as the scene is)" },
		{ "--rate", pn_realOption, &o->rate, 1.0, 100000.0, "HZ", "frames per second (the scene's)" },
		{ "--substeps", pn_intOption, &o->substeps, 1, 64, "K", "substeps per frame (the scene's)" },
		{ "--threads", pn_intOption, &o->threads, 1, 64, "T", "threads to use (1); the result has the same bits for any number" },
		{ "--stats", pn_textOption, &o->stats, 0, 0, "FILE.csv", "write energies, momenta, stretches and times, a row per frame" },
		{ "--hash", pn_flagOption, &o->hash, 0, 0, NULL, "print the hash of the world at the end" },
		{ "--quiet", pn_flagOption, &o->quiet, 0, 0, NULL, "print nothing else" },
		{ "--png", pn_textOption, &o->png, 0, 0, "FILE.png", "draw some frames into one picture" },
		{ "--shown", pn_flagOption, &o->shown, 0, 0, NULL, "print a hash of what --png would show, and end with its last frame" },
		{ "--at", pn_textOption, &o->at, 0, 0, "0,30,60", "which frames to draw, and to write with --out" },
		{ "--view", pn_textOption, &o->view, 0, 0, "VIEW", "front, side, top, iso, or AZIMUTH,ELEVATION[,DISTANCE] in degrees and metres" },
		{ "--color", pn_textOption, &o->color, 0, 0, "WHAT", "none, stretch, speed, cluster or plastic" },
		{ "--size", pn_textOption, &o->size, 0, 0, "WxH", "pixels of each frame drawn (480x360)" },
		{ "--out", pn_listOption, &o->out, 0, 0, "FILE", "write the run as a file, by its ending (below); may be there several times" },
		{ "--every", pn_intOption, &o->every, 1, PN_MAX_FRAMES, "N", "write every so many frames (1; films and pages: about 30 a second)" },
		{ "--from", pn_intOption, &o->from, 0, PN_MAX_FRAMES, "FRAME", "write from this frame on" },
		{ "--to", pn_intOption, &o->to, 0, PN_MAX_FRAMES, "FRAME", "write up to this frame" },
		{ "--fields", pn_textOption, &o->fields, 0, 0, "LIST", "what to tell of vertices: normal, color, velocity, stretch, plastic, cluster, body, contact, or all" },
		{ "--save", pn_textOption, &o->save, 0, 0, "FILE", "save the world at the end" },
		{ "--load", pn_textOption, &o->load, 0, 0, "FILE", "go on from a saved world" },
		{ "--commands", pn_textOption, &o->commands, 0, 0, "FILE", "what hands do, a command a line, instead of the scene's own commands" },
		{ "--record", pn_textOption, &o->record, 0, 0, "FILE", "write the commands of this run, and the hash it must come to again" },
		{ "--any-path", pn_flagOption, &anyPath, 0, 0, NULL, "a scene file may name files outside its folder" },
	};
	enum
	{
		optionCount = (int)( sizeof( options ) / sizeof( options[0] ) )
	};
	const char* name = NULL;
	int nameCount;
	bool help;
	int code = pnReadOptions( pnRunName, options, optionCount, argc, argv, &name, &nameCount, 1, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		printf( "usage: pliant run SCENE [OPTION...]\nSimulates a scene: a name that `pliant scenes` lists, or a file (docs/files.md).\n\n" );
		pnPrintOptions( stdout, options, optionCount );
		printf( "\nfiles that --out can write:\n" );
		int kindCount;
		const pnOutKind* const* kinds = pnGetOutKinds( &kindCount );
		for ( int i = 0; i < kindCount; ++i )
		{
			printf( "  %-24s %s\n", kinds[i]->ending, kinds[i]->text );
		}
		printf( "\nCtrl-C ends a run early and keeps what was done.\n" );
		return 0;
	}
	if ( nameCount == 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "which scene? `pliant scenes` lists them" );
	}
	code = pnOpenScene( pnRunName, name, anyPath, &run.scene );
	if ( code != 0 )
	{
		return code;
	}
	if ( o->out.count == 0 && run.scene->out != NULL ) // what the scene says it writes
	{
		o->out.texts[o->out.count++] = run.scene->out;
		o->every = o->every > 0 || o->at != NULL ? o->every : run.scene->outEvery;
	}
	pnSetLogFcn( pnLogToStderr );
	pnCatchInterrupts();
	code = pnPrepareRun( &run );
	code = code != 0 ? code : pnSimulate( &run );
	pnBar_Clear( &run.bar );
	int outCode = pnRun_CloseOuts( &run ); // also after a failure: what was done is in them
	code = code != 0 ? code : pnFinishRun( &run );
	code = code != 0 ? code : outCode;
	pnCloseRun( &run );
	pnCloseScene( run.scene );
	return code == 0 && run.isStopped ? PN_EXIT_STOPPED : code;
}
