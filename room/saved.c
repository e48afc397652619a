// saved.c - a run as bytes. Knows no scenes and no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "saved.h"

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

size_t pnWriteSaved( const pnWorld* world, const pnSavedRun* run, void* bytes, size_t capacity )
{
	size_t size = pnWorld_Snapshot( world, NULL, 0 );
	if ( size == 0 || bytes == NULL || capacity < PN_RUN_HEAD + size )
	{
		return size == 0 ? 0 : PN_RUN_HEAD + size;
	}
	uint8_t* head = bytes;
	uint8_t* numbers = head + sizeof( pnRunMagic ) + PN_SCENE_NAME_SIZE;
	uint32_t rate;
	memset( head, 0, PN_RUN_HEAD );
	memcpy( head, pnRunMagic, sizeof( pnRunMagic ) );
	memcpy( head + sizeof( pnRunMagic ), run->scene, PN_SCENE_NAME_SIZE );
	memcpy( &rate, &run->rate, sizeof( rate ) );
	pnWriteWord( numbers, (uint32_t)run->frame );
	pnWriteWord( numbers + 4, (uint32_t)run->substeps );
	pnWriteWord( numbers + 8, rate );
	return pnWorld_Snapshot( world, head + PN_RUN_HEAD, size ) == size ? PN_RUN_HEAD + size : 0;
}

pnResult pnReadSaved( const void* bytes, size_t size, pnWorld* world, pnSavedRun* run )
{
	const uint8_t* head = bytes;
	if ( size < PN_RUN_HEAD || memcmp( head, pnRunMagic, sizeof( pnRunMagic ) ) != 0 )
	{
		return pn_badImage;
	}
	const uint8_t* numbers = head + sizeof( pnRunMagic ) + PN_SCENE_NAME_SIZE;
	uint32_t rate = pnReadWord( numbers + 8 );
	memcpy( run->scene, head + sizeof( pnRunMagic ), PN_SCENE_NAME_SIZE );
	run->scene[PN_SCENE_NAME_SIZE - 1] = 0;
	run->frame = (int)pnReadWord( numbers );
	run->substeps = (int)pnReadWord( numbers + 4 );
	memcpy( &run->rate, &rate, sizeof( rate ) );
	if ( run->frame < 0 || run->substeps < 1 || run->substeps > 64 || !( run->rate > 0.0f && run->rate < 1e6f ) )
	{
		return pn_badImage;
	}
	return pnWorld_Restore( world, head + PN_RUN_HEAD, size - PN_RUN_HEAD );
}
