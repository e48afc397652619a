// cmd_serve.c - `pliant serve`: the page, and rooms that people share, until Ctrl-C. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../options.h"
#include "../whole_file.h"
#include "message.h"
#include "room_scenes.h"
#include "server.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char pnServeName[] = "pliant serve";

typedef struct pnReady { const char* listen; bool isSafe, opensBrowser; } pnReady;

// In a process of its own; whatever the browser says is not ours to show.
static void pnOpenBrowser( const char* address )
{
	if ( getenv( "DISPLAY" ) == NULL && getenv( "WAYLAND_DISPLAY" ) == NULL )
	{
		return;
	}
	pid_t child = fork();
	if ( child == 0 )
	{
		if ( fork() == 0 && freopen( "/dev/null", "w", stdout ) != NULL && freopen( "/dev/null", "w", stderr ) != NULL )
		{
			execlp( "xdg-open", "xdg-open", address, (char*)NULL );
		}
		_exit( 0 );
	}
	waitpid( child, NULL, 0 );
}

static void pnTellReady( int port, void* context )
{
	const pnReady* ready = context;
	char address[128];
	snprintf( address, sizeof( address ), "%s://%s:%d/", ready->isSafe ? "https" : "http", ready->listen, port );
	printf( "The page is at %s (Ctrl-C ends it); a room to share is at %s?room=NAME\n", address, address );
	fflush( stdout );
	if ( ready->opensBrowser )
	{
		pnOpenBrowser( address );
	}
}

static bool pnIsFolder( const char* path )
{
	struct stat status;
	return stat( path, &status ) == 0 && S_ISDIR( status.st_mode );
}

// A scene's name, or a file that `pliant run --save` or the page wrote.
static int pnReadStart( const char* start, pnHouse* house, uint8_t** bytes )
{
	house->scene = "toys";
	if ( start == NULL )
	{
		return 0;
	}
	if ( pnFindRoomScene( start ) != NULL )
	{
		house->scene = start;
		return 0;
	}
	const char* problem;
	*bytes = pnReadFile( start, &house->savedSize, &problem );
	house->saved = *bytes;
	return *bytes != NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnServeName, "'%s' is no scene (`pliant scenes` lists them), and as a file: %s", start, problem );
}

static void pnLogToStderr( const char* message ) { fprintf( stderr, "pliant: %s\n", message ); }

int pnCmdServe( int argc, char** argv )
{
	pnServerDef def = { .listen = "127.0.0.1", .port = 8080, .visitorLimit = 1024, .silentSeconds = 25 };
	pnHall* hall = calloc( 1, sizeof( pnHall ) );
	if ( hall == NULL )
	{
		return pnFail( PN_EXIT_FAILURE, pnServeName, "there is no memory" );
	}
	const char *folder = NULL, *page = NULL;
	int rooms = 64, perRoom = 64, threads = 1, undo = 24;
	double rate = 0.0, emptySeconds = 10.0, imageSeconds = 30.0;
	bool browser = false, next = false;
	const pnOption options[] = {
		{ "--port", pn_intOption, &def.port, 0, 65535, "P", "port to listen at (8080); 0: any that is free" },
		{ "--next-port", pn_flagOption, &next, 0, 0, NULL, "one of the nine ports after it, if it is taken" },
		{ "--listen", pn_textOption, &def.listen, 0, 0, "ADDRESS", "address to listen at (127.0.0.1); others than this machine's need --token" },
		{ "--rooms", pn_intOption, &rooms, 1, PN_MAX_ROOMS, "N", "rooms that may be open at once (64)" },
		{ "--visitors", pn_intOption, &perRoom, 1, 4096, "N", "visitors that may be in one room (64)" },
		{ "--token", pn_textOption, &def.token, 0, 0, "T", "what visitors must know to come in; better in PLIANT_TOKEN, where others do not see it" },
		{ "--tls-cert", pn_textOption, &def.certificate, 0, 0, "FILE", "certificate, for https and wss" },
		{ "--tls-key", pn_textOption, &def.key, 0, 0, "FILE", "its key" },
		{ "--origin", pn_textOption, &def.origins, 0, 0, "O[,O...]", "pages of these origins may connect too, such as https://example.org" },
		{ "--dir", pn_textOption, &folder, 0, 0, "DIR", "folder for the rooms' logs; without it rooms end with the server" },
		{ "--page", pn_textOption, &page, 0, 0, "DIR", "folder with the page (" PLIANT_PAGE ")" },
		{ "--rate", pn_realOption, &rate, 20, 240, "HZ", "steps a second of new rooms (the scene's own)" },
		{ "--threads", pn_intOption, &threads, 1, 64, "T", "threads for each room's steps (1)" },
		{ "--undo", pn_intOption, &undo, 1, 1024, "MB", "what a new room keeps to undo and redo (24), beside its world" },
		{ "--empty-seconds", pn_realOption, &emptySeconds, 0, 1e6, "S", "an empty room is put away after so long (10)" },
		{ "--image-seconds", pn_realOption, &imageSeconds, 0.1, 1e6, "S", "a room's log begins anew with an image after so long (30)" },
		{ "--silent-seconds", pn_intOption, &def.silentSeconds, 3, 3600, "S", "a visitor whose line is dead is taken for gone after so long (25)" },
		{ "--browser", pn_flagOption, &browser, 0, 0, NULL, "open the page in a browser" },
	};
	enum
	{
		optionCount = (int)( sizeof( options ) / sizeof( options[0] ) )
	};
	const char* start = NULL;
	int startCount;
	bool help;
	uint8_t* bytes = NULL;
	int code = pnReadOptions( pnServeName, options, optionCount, argc, argv, &start, &startCount, 1, &help );
	if ( code == 0 && help )
	{
		printf( "usage: pliant serve [SCENE|FILE.pliant] [OPTION...]\nServes the page and rooms that people share; docs/room.md tells more.\n\n" );
		pnPrintOptions( stdout, options, optionCount );
		free( hall );
		return 0;
	}
	def.token = def.token != NULL ? def.token : getenv( "PLIANT_TOKEN" );
	bool isHere = strncmp( def.listen, "127.", 4 ) == 0 || strcmp( def.listen, "::1" ) == 0 || strcmp( def.listen, "localhost" ) == 0;
	size_t tokenLength = def.token != NULL ? strlen( def.token ) : 0;
	if ( code == 0 && isHere == false && tokenLength < 12 )
	{
		code = pnFail( PN_EXIT_USAGE, pnServeName, "others can reach %s: give a --token of at least 12 characters", def.listen );
	}
	if ( code == 0 && tokenLength >= PN_TOKEN_SIZE )
	{
		code = pnFail( PN_EXIT_USAGE, pnServeName, "a token has at most %d characters", PN_TOKEN_SIZE - 1 );
	}
	if ( code == 0 && ( def.certificate == NULL ) != ( def.key == NULL ) )
	{
		code = pnFail( PN_EXIT_USAGE, pnServeName, "--tls-cert and --tls-key go together" );
	}
	if ( code == 0 && folder != NULL && mkdir( folder, 0700 ) != 0 && errno != EEXIST )
	{
		code = pnFail( PN_EXIT_FAILURE, pnServeName, "the folder '%s' cannot be made: %s", folder, strerror( errno ) );
	}
	if ( code == 0 && page != NULL && pnIsFolder( page ) == false )
	{
		code = pnFail( PN_EXIT_FAILURE, pnServeName, "there is no folder '%s'", page );
	}
	code = code == 0 ? pnReadStart( start, &hall->house, &bytes ) : code;
	if ( code == 0 )
	{
		pnReady ready = { def.listen, def.certificate != NULL, browser };
		def.page = page != NULL ? page : pnIsFolder( PLIANT_PAGE ) ? PLIANT_PAGE : NULL;
		def.triesNext = next;
		def.visitorLimit = rooms * perRoom < 16384 ? rooms * perRoom : 16384;
		def.ready = pnTellReady;
		def.readyContext = &ready;
		hall->house.folder = folder;
		hall->house.rate = (float)rate;
		hall->house.workers = threads;
		hall->house.undoBytes = (size_t)undo << 20;
		hall->house.visitorsPerRoom = perRoom;
		hall->house.emptySeconds = emptySeconds;
		hall->house.imageSeconds = imageSeconds;
		hall->roomLimit = rooms;
		pnSetLogFcn( pnLogToStderr );
		code = pnRunServer( &def, hall );
	}
	free( bytes );
	free( hall );
	return code;
}
