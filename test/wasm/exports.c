// exports.c - the scenes and a response as a WebAssembly module for run.mjs: numbers in, hashes out. Knows no JavaScript and needs no imports.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "../response_exercise.h"
#include "scenes.h"

#include <string.h>

#define EXPORT( NAME ) __attribute__( ( export_name( NAME ) ) )

static char s_message[512];

static void KeepMessage( const char* message )
{
	strncpy( s_message, message, sizeof( s_message ) - 1 );
}

EXPORT( "message" ) const char* GetMessage( void ) // what the library said last
{
	return s_message;
}

EXPORT( "sceneCount" ) int GetSceneCount( void )
{
	int count;
	pnGetScenes( &count );
	return count;
}

EXPORT( "sceneName" ) const char* GetSceneName( int index )
{
	int count;
	return pnGetScenes( &count )[index].name;
}

EXPORT( "simdName" ) const char* GetSimdName( void )
{
	pnWorldDef def = pnDefaultWorldDef();
	pnWorld* world;
	if ( pnCreateWorld( &def, &world ) != pn_success )
	{
		return "none";
	}
	const char* name = pnWorld_GetSimdName( world );
	pnDestroyWorld( world );
	return name;
}

EXPORT( "byteCount" ) int GetByteCount( void )
{
	return (int)pnGetByteCount();
}

// The hash after so many frames (an eighth in heavy scenes), as the command line gives it; 0 if something failed, then there is a message.
EXPORT( "run" ) uint64_t Run( int index, int frameCount )
{
	pnSetLogFcn( KeepMessage );
	int count;
	const pnScene* scene = pnGetScenes( &count ) + index;
	pnWorldDef def = pnDefaultWorldDef();
	pnWorld* world;
	if ( pnCreateWorld( &def, &world ) != pn_success )
	{
		return 0;
	}
	pnResult result = scene->create( world );
	frameCount = scene->heavy ? frameCount / 8 : frameCount;
	for ( int frame = 1; frame <= frameCount && result == pn_success; ++frame )
	{
		result = pnStepScene( scene, world, frame, 1.0f / scene->rate, scene->substeps );
	}
	uint64_t hash = result == pn_success ? pnWorld_GetHash( world ) : 0;
	pnDestroyWorld( world );
	return hash;
}

// What pliant_test --response-hash prints; 0 if something failed.
EXPORT( "responseHash" ) uint64_t GetResponseHash( void )
{
	pnSetLogFcn( KeepMessage );
	return pnExerciseResponse();
}
