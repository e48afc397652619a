// main.c - the program `pliant`: finds the sub-command and calls it. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../options.h"
#include "pliant/base.h"

#include <stdio.h>
#include <string.h>

typedef struct pnCommand
{
	const char* name;
	const char* text;
	int ( *run )( int argc, char** argv );
} pnCommand;

static const pnCommand pnCommands[] = {
	{ "run", "simulate a scene; with pictures, numbers, meshes", pnCmdRun },
	{ "replay", "play commands that were saved, on the page or by a script", pnCmdReplay },
#ifdef PLIANT_HAS_SERVER
	{ "serve", "rooms that people share, and the page, in a browser", pnCmdServe },
#endif
	{ "scenes", "list the scenes that come with pliant", pnCmdScenes },
	{ "new", "write a starter scene, with remarks", pnCmdNew },
	{ "info", "tell what a mesh, a scene or a snapshot holds, and what it costs", pnCmdInfo },
	{ "check", "say what is wrong with a scene or a mesh, and where", pnCmdCheck },
	{ "bake", "write a scene as a snapshot", pnCmdBake },
	{ "solve", "find the shape a loaded solid comes to rest in; with pictures, numbers, files", pnCmdSolve },
	{ "bench", "measure speed and memory", pnCmdBench },
};
enum
{
	PN_COMMAND_COUNT = (int)( sizeof( pnCommands ) / sizeof( pnCommands[0] ) )
};

static void pnPrintUsage( FILE* file )
{
	fprintf( file, "pliant - soft bodies without meshes\n\nusage: pliant COMMAND [OPTION...]\n\ncommands:\n" );
	for ( int i = 0; i < PN_COMMAND_COUNT; ++i )
	{
		fprintf( file, "  %-8s %s\n", pnCommands[i].name, pnCommands[i].text );
	}
	fprintf( file, "\nexit codes:\n  0        done\n  1        it failed\n  2        it was called wrongly\n  130      stopped by Ctrl-C; what was done is kept\n" );
	fprintf( file, "\n`pliant COMMAND --help` tells more about a command; `pliant --version` which pliant this is.\n" );
}

int main( int argc, char** argv )
{
	if ( argc < 2 )
	{
		pnPrintUsage( stderr );
		return PN_EXIT_USAGE;
	}
	const char* name = argv[1];
	if ( strcmp( name, "--help" ) == 0 || strcmp( name, "-h" ) == 0 || strcmp( name, "help" ) == 0 )
	{
		pnPrintUsage( stdout );
		return 0;
	}
	if ( strcmp( name, "--version" ) == 0 )
	{
		printf( "pliant %d.%d.%d\n", PLIANT_VERSION_MAJOR, PLIANT_VERSION_MINOR, PLIANT_VERSION_PATCH );
		return 0;
	}
	const char* names[PN_COMMAND_COUNT];
	for ( int i = 0; i < PN_COMMAND_COUNT; ++i )
	{
		names[i] = pnCommands[i].name;
		if ( strcmp( name, names[i] ) == 0 )
		{
			return pnCommands[i].run( argc - 1, argv + 1 );
		}
	}
	const char* near = pnFindNearName( name, names, PN_COMMAND_COUNT );
	if ( near != NULL )
	{
		return pnFail( PN_EXIT_USAGE, "pliant", "there is no command '%s'; did you mean '%s'?", name, near );
	}
	return pnFail( PN_EXIT_USAGE, "pliant", "there is no command '%s'; `pliant --help` shows all", name );
}
