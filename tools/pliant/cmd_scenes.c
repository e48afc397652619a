// cmd_scenes.c - `pliant scenes`: a line for each scene, the name first: those built in, and those that come as files. Makes no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../options.h"
#include "../scene_find.h"
#include "scenes.h"

#include <jansson.h>

static void pnPrintShippedScenes( void )
{
	pnShippedScene names[PN_MAX_SHIPPED_SCENES];
	int count = pnListShippedScenes( names, PN_MAX_SHIPPED_SCENES );
	for ( int i = 0; i < count; ++i )
	{
		char path[PN_SCENE_PATH_SIZE];
		json_t* json = pnFindShippedScene( names[i].name, path ) ? json_load_file( path, 0, NULL ) : NULL;
		const char* title = json_string_value( json_object_get( json, "title" ) );
		printf( "%-16s %s\n", names[i].name, title != NULL ? title : "" );
		json_decref( json );
	}
}

int pnCmdScenes( int argc, char** argv )
{
	int restCount;
	bool help, heavy = false, files = false;
	const pnOption options[] = {
		{ "--heavy", pn_flagOption, &heavy, 0, 0, NULL, "only built-in ones with many bodies, which checks shorten" },
		{ "--files", pn_flagOption, &files, 0, 0, NULL, "those that come as files (docs/files.md)" },
	};
	int code = pnReadOptions( "pliant scenes", options, 2, argc, argv, NULL, &restCount, 0, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		printf( "usage: pliant scenes [--heavy | --files]\nLists the built-in scenes, or those that come as files, a line each, the name first.\n" );
		pnPrintOptions( stdout, options, 2 );
		return 0;
	}
	if ( files )
	{
		pnPrintShippedScenes();
		return fflush( stdout ) == 0 ? 0 : PN_EXIT_FAILURE;
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
