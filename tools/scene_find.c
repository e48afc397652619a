// scene_find.c - the scene that a word on the command line means: built in, shipped as a file, or a file. Knows no JSON.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_find.h"

#include "options.h"
#include "scene_file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Where the scene files that come with the program are: in the sources it was built from, or installed. Given by the build.
#ifndef PLIANT_SCENES_SOURCE
#define PLIANT_SCENES_SOURCE "scenes/files"
#endif
#ifndef PLIANT_SCENES_INSTALLED
#define PLIANT_SCENES_INSTALLED "share/pliant/scenes/files"
#endif

static const char* const pnSceneFolders[2] = { PLIANT_SCENES_SOURCE, PLIANT_SCENES_INSTALLED };
static const char pnSceneEnding[] = ".scene.json";

static int pnCompareSceneNames( const void* a, const void* b ) { return strcmp( ( (const pnShippedScene*)a )->name, ( (const pnShippedScene*)b )->name ); }

int pnListShippedScenes( pnShippedScene* names, int capacity )
{
	int count = 0;
	const size_t ending = sizeof( pnSceneEnding ) - 1;
	for ( int i = 0; i < 2 && count == 0; ++i )
	{
		DIR* directory = opendir( pnSceneFolders[i] );
		for ( struct dirent* entry = directory != NULL ? readdir( directory ) : NULL; entry != NULL && count < capacity; entry = readdir( directory ) )
		{
			size_t length = strlen( entry->d_name );
			if ( length > ending && length - ending < sizeof( names->name ) && strcmp( entry->d_name + length - ending, pnSceneEnding ) == 0 )
			{
				snprintf( names[count++].name, sizeof( names->name ), "%.*s", (int)( length - ending ), entry->d_name );
			}
		}
		if ( directory != NULL )
		{
			closedir( directory );
		}
	}
	qsort( names, (size_t)count, sizeof( names[0] ), pnCompareSceneNames );
	return count;
}

bool pnFindShippedScene( const char* name, char path[PN_SCENE_PATH_SIZE] )
{
	for ( int i = 0; i < 2; ++i )
	{
		snprintf( path, PN_SCENE_PATH_SIZE, "%s/%.200s%s", pnSceneFolders[i], name, pnSceneEnding );
		if ( strchr( name, '/' ) == NULL && access( path, R_OK ) == 0 )
		{
			return true;
		}
	}
	return false;
}

bool pnFindSceneSchema( char path[PN_SCENE_PATH_SIZE] )
{
	for ( int i = 0; i < 2; ++i )
	{
		const char* slash = strrchr( pnSceneFolders[i], '/' ); // beside the folder of the files
		snprintf( path, PN_SCENE_PATH_SIZE, "%.*sschema.json", slash != NULL ? (int)( slash - pnSceneFolders[i] ) + 1 : 0, pnSceneFolders[i] );
		if ( access( path, R_OK ) == 0 )
		{
			return true;
		}
	}
	return false;
}

// Neither built in nor shipped: the nearest name of both.
static int pnFailScene( const char* command, const char* name )
{
	int count, nearCount = 0;
	const pnScene* scenes = pnGetScenes( &count );
	const char* names[64 + PN_MAX_SHIPPED_SCENES];
	pnShippedScene shipped[PN_MAX_SHIPPED_SCENES];
	int shippedCount = pnListShippedScenes( shipped, PN_MAX_SHIPPED_SCENES );
	for ( int i = 0; i < count && i < 64; ++i )
	{
		names[nearCount++] = scenes[i].name;
	}
	for ( int i = 0; i < shippedCount; ++i )
	{
		names[nearCount++] = shipped[i].name;
	}
	const char* near = pnFindNearName( name, names, nearCount );
	if ( near != NULL )
	{
		return pnFail( PN_EXIT_USAGE, command, "there is no scene '%s'; did you mean '%s'?", name, near );
	}
	return pnFail( PN_EXIT_USAGE, command, "there is no scene '%s'; `pliant scenes` lists them", name );
}

int pnOpenScene( const char* command, const char* name, bool anyPath, const pnScene** scene )
{
	*scene = pnFindScene( name );
	if ( *scene != NULL )
	{
		return 0;
	}
	char path[PN_SCENE_PATH_SIZE];
	size_t length = strlen( name );
	bool isFile = length > 5 && strcmp( name + length - 5, ".json" ) == 0;
	if ( isFile == false && pnFindShippedScene( name, path ) == false )
	{
		return pnFailScene( command, name );
	}
	char message[PN_SCENE_MESSAGE];
	*scene = pnLoadSceneFile( isFile ? name : path, anyPath, message );
	return *scene != NULL ? 0 : pnFail( PN_EXIT_FAILURE, command, "%s", message );
}

void pnCloseScene( const pnScene* scene )
{
	if ( scene != NULL && scene->content != NULL )
	{
		pnFreeSceneFile( scene );
	}
}
