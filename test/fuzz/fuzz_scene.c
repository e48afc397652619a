// fuzz_scene.c - any bytes as a scene file: read or refused with a place, and nothing else. Built with -fsanitize=fuzzer,address,undefined.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_file.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );
int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	char message[PN_SCENE_MESSAGE] = "";
	const pnScene* scene = pnReadSceneText( (const char*)data, size, "/nowhere/fuzz.scene.json", false, message );
	if ( ( scene == NULL ) != ( strncmp( message, "/nowhere/fuzz.scene.json:", 25 ) == 0 ) )
	{
		abort();
	}
	if ( scene != NULL )
	{
		pnFreeSceneFile( scene );
	}
	return 0;
}
