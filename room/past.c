// past.c - what a room can go back to: bounded lists of snapshots. Knows no commands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "past.h"

#include <stdlib.h>
#include <string.h>

pnBlob* pnCreateBlob( size_t size )
{
	pnBlob* blob = malloc( sizeof( pnBlob ) + size );
	if ( blob != NULL )
	{
		atomic_init( &blob->users, 1 );
	}
	return blob;
}

void pnReleaseBlob( pnBlob* blob )
{
	if ( blob != NULL && atomic_fetch_sub( &blob->users, 1 ) == 1 )
	{
		free( blob );
	}
}

bool pnTakePast( const pnRoom* room, pnPast* past )
{
	*past = ( pnPast ){
		.scene = room->scene, .still = room->still, .frame = room->frame, .rate = room->rate, .substeps = room->substeps
	};
	past->size = pnWorld_Snapshot( room->world, NULL, 0 );
	past->image = past->size > 0 ? pnCreateBlob( past->size ) : NULL;
	bool good = past->image != NULL && pnWorld_Snapshot( room->world, past->image->bytes, past->size ) == past->size;
	if ( good && room->glides.count > 0 )
	{
		past->glides = malloc( sizeof( pnGlides ) );
		good = past->glides != NULL;
		if ( good )
		{
			*past->glides = room->glides;
		}
	}
	if ( good == false )
	{
		pnFreePast( past );
	}
	return good;
}

void pnFreePast( pnPast* past )
{
	pnReleaseBlob( past->image );
	free( past->glides );
	*past = ( pnPast ){ 0 };
}

void pnDropPast( pnPasts* pasts, int index )
{
	pasts->bytes -= pasts->list[index].size;
	pnFreePast( pasts->list + index );
	memmove( pasts->list + index, pasts->list + index + 1, (size_t)( pasts->count - index - 1 ) * sizeof( pnPast ) );
	pasts->count -= 1;
}

void pnKeepPast( pnPasts* pasts, pnPasts* others, pnPast* past, const pnRoomDef* bounds )
{
	while ( pasts->count > 0 && ( pasts->count >= bounds->undoCount || pasts->bytes + others->bytes + past->size > bounds->undoBytes ) )
	{
		pnDropPast( pasts, 0 );
	}
	while ( others->count > 0 && pasts->bytes + others->bytes + past->size > bounds->undoBytes )
	{
		pnDropPast( others, 0 );
	}
	pasts->list[pasts->count++] = *past;
	pasts->bytes += past->size;
	*past = ( pnPast ){ 0 };
}

void pnForgetPasts( pnPasts* pasts )
{
	while ( pasts->count > 0 )
	{
		pnDropPast( pasts, pasts->count - 1 );
	}
}
