// saved_run.c - a run in a file. Knows no scenes, and not what the bytes mean.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "saved_run.h"

#include "whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char* pnSaveRun( const char* path, const pnWorld* world, const pnSavedRun* run )
{
	size_t size = pnWriteSaved( world, run, NULL, 0 );
	uint8_t* bytes = size > 0 ? malloc( size ) : NULL;
	if ( bytes == NULL || pnWriteSaved( world, run, bytes, size ) != size )
	{
		free( bytes );
		return "there is no memory for the snapshot";
	}
	const char* problem = NULL;
	FILE* file = fopen( path, "wb" );
	if ( file == NULL )
	{
		problem = strerror( errno );
	}
	else
	{
		bool written = fwrite( bytes, 1, size, file ) == size;
		problem = written ? NULL : strerror( errno );
		if ( fclose( file ) != 0 && problem == NULL )
		{
			problem = strerror( errno );
		}
	}
	free( bytes );
	return problem;
}

const char* pnLoadRun( const char* path, pnWorld* world, pnSavedRun* run )
{
	size_t size = 0;
	const char* problem = NULL;
	uint8_t* bytes = pnReadFile( path, &size, &problem );
	if ( bytes == NULL )
	{
		return problem;
	}
	pnResult result = pnReadSaved( bytes, size, world, run );
	free( bytes );
	return result == pn_success ? NULL : pnResultText( result );
}
