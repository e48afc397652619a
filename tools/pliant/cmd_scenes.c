// cmd_scenes.c - `pliant scenes`: a line for each scene, the name first. Knows the list, makes no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../options.h"
#include "scenes.h"

int pnCmdScenes( int argc, char** argv )
{
	int restCount;
	bool help, heavy = false;
	const pnOption options[] = { { "--heavy", pn_flagOption, &heavy, 0, 0, NULL, "only those with many bodies, which checks shorten" } };
	int code = pnReadOptions( "pliant scenes", options, 1, argc, argv, NULL, &restCount, 0, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		printf( "usage: pliant scenes [--heavy]\nLists the built-in scenes, a line each, the name first.\n" );
		pnPrintOptions( stdout, options, 1 );
		return 0;
	}
	int count;
	const pnScene* scenes = pnGetScenes( &count );
	for ( int i = 0; i < count; ++i )
	{
		if ( heavy && !scenes[i].heavy )
		{
			continue;
		}
		printf( "%-8s %s\n", scenes[i].name, scenes[i].text );
	}
	return fflush( stdout ) == 0 ? 0 : PN_EXIT_FAILURE;
}
