// saved_run.c - a run in a file: 56 bytes of where it is, then the world's snapshot. Little endian on every machine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "saved_run.h"

#include "whole_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_RUN_HEAD = 8 + PN_SCENE_NAME_SIZE + 4 + 4 + 4 + 4
}; // magic, scene, frame, substeps, rate, nothing
static const char pnRunMagic[8] = { 'p', 'l', 'i', 'a', 'n', 't', 'R', '1' };

static void pnWriteWord( uint8_t* bytes, uint32_t word )
{
	for ( int i = 0; i < 4; ++i )
	{
		bytes[i] = (uint8_t)( word >> 8 * i );
	}
}

static uint32_t pnReadWord( const uint8_t* bytes )
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

const char* pnSaveRun( const char* path, const pnWorld* world, const pnSavedRun* run )
{
	size_t size = pnWorld_Snapshot( world, NULL, 0 );
	uint8_t* bytes = size > 0 ? calloc( 1, PN_RUN_HEAD + size ) : NULL;
	if ( bytes == NULL || pnWorld_Snapshot( world, bytes + PN_RUN_HEAD, size ) != size )
	{
		free( bytes );
		return "there is no memory for the snapshot";
	}
	uint8_t* numbers = bytes + sizeof( pnRunMagic ) + PN_SCENE_NAME_SIZE;
	uint32_t rate;
	memcpy( bytes, pnRunMagic, sizeof( pnRunMagic ) );
	memcpy( bytes + sizeof( pnRunMagic ), run->scene, PN_SCENE_NAME_SIZE );
	memcpy( &rate, &run->rate, sizeof( rate ) );
	pnWriteWord( numbers, (uint32_t)run->frame );
	pnWriteWord( numbers + 4, (uint32_t)run->substeps );
	pnWriteWord( numbers + 8, rate );

	const char* problem = NULL;
	FILE* file = fopen( path, "wb" );
	if ( file == NULL )
	{
		problem = strerror( errno );
	}
	else
	{
		bool written = fwrite( bytes, 1, PN_RUN_HEAD + size, file ) == PN_RUN_HEAD + size;
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
	if ( size < PN_RUN_HEAD || memcmp( bytes, pnRunMagic, sizeof( pnRunMagic ) ) != 0 )
	{
		free( bytes );
		return "it is not a saved run";
	}
	const uint8_t* numbers = bytes + sizeof( pnRunMagic ) + PN_SCENE_NAME_SIZE;
	uint32_t rate = pnReadWord( numbers + 8 );
	memcpy( run->scene, bytes + sizeof( pnRunMagic ), PN_SCENE_NAME_SIZE );
	run->scene[PN_SCENE_NAME_SIZE - 1] = 0;
	run->frame = (int)pnReadWord( numbers );
	run->substeps = (int)pnReadWord( numbers + 4 );
	memcpy( &run->rate, &rate, sizeof( rate ) );
	if ( run->frame < 0 || run->substeps < 1 || !( run->rate > 0.0f && run->rate < 1e6f ) )
	{
		problem = "its head is damaged";
	}
	else
	{
		pnResult result = pnWorld_Restore( world, bytes + PN_RUN_HEAD, size - PN_RUN_HEAD );
		problem = result == pn_success ? NULL : pnResultText( result );
	}
	free( bytes );
	return problem;
}
