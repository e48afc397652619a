// cmd_replay.c - `pliant replay`: plays a script of commands in a room, as the page records it, or a room's log. Knows no frames.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../options.h"
#include "../progress.h"
#include "../whole_file.h"
#include "room.h"
#include "shelf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char pnReplayName[] = "pliant replay";

typedef struct pnReplayWatch { pnBar bar; bool isStopped; } pnReplayWatch;

static bool pnWatchReplay( void* context, double done, double total )
{
	pnReplayWatch* watch = context;
	pnBar_Show( &watch->bar, done, total, NULL );
	watch->isStopped = pnIsInterrupted() && done < total;
	return watch->isStopped == false;
}

static int pnTellEnd( const char* path, const pnRoom* room, bool isStopped, bool hash )
{
	if ( isStopped )
	{
		fprintf( stderr, "%s: stopped after step %u; what follows is what it came to there\n", pnReplayName, pnRoom_GetStep( room ) );
	}
	if ( hash == false )
	{
		printf( "%s: %u steps, ", path, pnRoom_GetStep( room ) );
	}
	printf( "hash 0x%016llx\n", (unsigned long long)pnRoom_GetHash( room ) );
	return isStopped ? PN_EXIT_STOPPED : 0;
}

static int pnReplay( const char* path, const char* text, size_t length, int threads, bool hash )
{
	pnRoomDef def = pnDefaultRoomDef();
	def.tasks.workerCount = threads;
	pnRoom* room;
	pnResult result = pnCreateRoom( &def, &room );
	if ( result != pn_success )
	{
		return pnFail( PN_EXIT_FAILURE, pnReplayName, "there is no room: %s", pnResultText( result ) );
	}
	pnFault fault;
	pnReplayWatch watch = { .bar = pnStartBar( path, true ) };
	bool isWhole = pnRoom_PlayWatched( room, text, length, pnWatchReplay, &watch, &fault );
	pnBar_Clear( &watch.bar );
	int code = isWhole || watch.isStopped ? pnTellEnd( path, room, watch.isStopped, hash )
										  : pnFail( PN_EXIT_FAILURE, pnReplayName, "%s:%d:%d: %s", path, fault.line, fault.column, fault.text );
	pnDestroyRoom( room );
	return code;
}

// What `pliant serve` has written down.
static int pnReplayRoomLog( const char* path, const uint8_t* bytes, size_t size, int threads, bool hash )
{
	pnReplayed replayed;
	pnReplayWatch watch = { .bar = pnStartBar( path, true ) };
	pnRoom* room = pnReplayLogWatched( bytes, size, threads, pnWatchReplay, &watch, &replayed );
	pnBar_Clear( &watch.bar );
	if ( room == NULL && watch.isStopped )
	{
		return pnFail( PN_EXIT_STOPPED, pnReplayName, "stopped before the room was there" );
	}
	if ( room == NULL )
	{
		return pnFail( PN_EXIT_FAILURE, pnReplayName, "%s: %s", path, replayed.why );
	}
	if ( replayed.torn > 0 )
	{
		fprintf( stderr, "%s: %s: the last %zu bytes were not written whole and do not count\n", pnReplayName, path, replayed.torn );
	}
	int code = pnTellEnd( path, room, watch.isStopped, hash );
	pnDestroyRoom( room );
	return replayed.differs ? pnFail( PN_EXIT_FAILURE, pnReplayName, "%s: %s", path, replayed.why ) : code;
}

static void pnLogToStderr( const char* message ) { fprintf( stderr, "pliant: %s\n", message ); }

int pnCmdReplay( int argc, char** argv )
{
	int threads = 1;
	bool hash = false;
	const pnOption options[] = {
		{ "--threads", pn_intOption, &threads, 1, 64, "T", "threads to use (1); the result has the same bits for any number" },
		{ "--hash", pn_flagOption, &hash, 0, 0, NULL, "print the hash of the world at the end, and nothing else" },
	};
	enum
	{
		optionCount = (int)( sizeof( options ) / sizeof( options[0] ) )
	};
	const char* path = NULL;
	int pathCount;
	bool help;
	int code = pnReadOptions( pnReplayName, options, optionCount, argc, argv, &path, &pathCount, 1, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		printf( "usage: pliant replay FILE [OPTION...]\nPlays commands, such as the page saves them (docs/hands.md lists them), or a room's log as `pliant serve` writes it.\n"
				"What `pliant run SCENE --record FILE` wrote belongs to that scene: `pliant run SCENE --commands FILE` plays it.\n\n"
				"  pliant replay toys.txt\n  pliant replay room.log --threads 2 --hash\n\n" );
		pnPrintOptions( stdout, options, optionCount );
		printf( "\nCtrl-C ends it early and tells what it came to.\nExit codes: 0, 1 the file is wrong or comes to another hash, 2 called wrongly, 130 stopped.\n" );
		return 0;
	}
	if ( pathCount == 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnReplayName, "which file of commands?" );
	}
	size_t length = 0;
	const char* problem = NULL;
	char* text = (char*)pnReadFile( path, &length, &problem );
	if ( text == NULL )
	{
		return pnFail( PN_EXIT_FAILURE, pnReplayName, "cannot read '%s': %s", path, problem );
	}
	static const char recorded[] = "# pliant run "; // the first line of --record: its commands are for the world of a scene
	if ( length >= sizeof( recorded ) - 1 && memcmp( text, recorded, sizeof( recorded ) - 1 ) == 0 )
	{
		free( text );
		return pnFail( PN_EXIT_FAILURE, pnReplayName, "%s was recorded over a scene; `pliant run SCENE --commands %s` plays it", path, path );
	}
	pnSetLogFcn( pnLogToStderr );
	pnCatchInterrupts();
	code = pnIsLog( text, length ) ? pnReplayRoomLog( path, (const uint8_t*)text, length, threads, hash ) : pnReplay( path, text, length, threads, hash );
	free( text );
	return code;
}
