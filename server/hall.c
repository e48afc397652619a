// hall.c - the rooms of a server by name, and the scribe. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "hall.h"

#include "shelf.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Logs are made safe against a machine that stops about five times a second: what was done in the last fifth may be lost to it. A process that stops
// loses nothing.
static const double pnBrokenSeconds = 2.0;
static const long pnScribeNanoseconds = 200000000;

static void* pnRunScribe( void* context )
{
	pnHall* hall = context;
	while ( atomic_load( &hall->isOver ) == false )
	{
		for ( int i = 0, count = 1; i < count; ++i )
		{
			pthread_mutex_lock( &hall->lock );
			count = hall->roomCount;
			pnHosted* hosted = i < count ? hall->rooms[i] : NULL;
			if ( hosted != NULL )
			{
				atomic_store( &hosted->isScribed, true ); // it stays until this is over
			}
			pthread_mutex_unlock( &hall->lock );
			if ( hosted != NULL )
			{
				pnServeScribe( hosted );
				atomic_store( &hosted->isScribed, false );
			}
		}
		nanosleep( &( struct timespec ){ .tv_nsec = pnScribeNanoseconds }, NULL );
	}
	return NULL;
}

// Worlds, those that can be undone to, and images come and go, 0.03 to 30 MB each. By itself glibc takes all such blocks from its heaps once one has been freed, and
// heaps between whose blocks others lie do not shrink: three rooms came to 250 MB, of which 75 were in use. Blocks of their own go back at once; and what is
// smaller comes from two heaps instead of eight for each core, so that what one room has freed is there for the next.
static void pnGiveBackMemory( void )
{
#ifdef __GLIBC__
	mallopt( M_MMAP_THRESHOLD, 32 << 10 ); // bytes
	mallopt( M_ARENA_MAX, 2 );
#endif
}

static void pnTrimMemory( void )
{
#ifdef __GLIBC__
	malloc_trim( 0 );
#endif
}

double pnGetUsedMemory( void )
{
#if defined( __GLIBC__ ) && ( __GLIBC__ > 2 || __GLIBC_MINOR__ >= 33 )
	struct mallinfo2 info = mallinfo2();
	return (double)info.uordblks + (double)info.hblkhd;
#else
	return 0.0;
#endif
}

bool pnOpenHall( pnHall* hall )
{
	pnGiveBackMemory();
	pthread_mutex_init( &hall->lock, NULL );
	return pthread_create( &hall->scribe, NULL, pnRunScribe, hall ) == 0;
}

static pnKeptRoom* pnFindKept( pnHall* hall, const char* name )
{
	for ( int i = 0; i < PN_MAX_KEPT; ++i )
	{
		if ( hall->kept[i].image != NULL && strcmp( hall->kept[i].name, name ) == 0 )
		{
			return hall->kept + i;
		}
	}
	return NULL;
}

pnHosted* pnFindHosted( pnHall* hall, const char* name, const char* scene )
{
	for ( int i = 0; i < hall->roomCount; ++i )
	{
		if ( strcmp( hall->rooms[i]->name, name ) == 0 )
		{
			return hall->rooms[i];
		}
	}
	if ( hall->roomCount >= hall->roomLimit || atomic_load( &hall->isOver ) )
	{
		return NULL;
	}
	pnKeptRoom* kept = pnFindKept( hall, name );
	pnRoomFacts facts = kept != NULL ? kept->facts : ( pnRoomFacts ){ 0 };
	pnHosted* hosted = pnOpenHosted( &hall->house, name, scene, kept != NULL ? kept->image : NULL, kept != NULL ? kept->size : 0, &facts );
	if ( kept != NULL )
	{
		*kept = ( pnKeptRoom ){ 0 };
	}
	if ( hosted != NULL )
	{
		pthread_mutex_lock( &hall->lock );
		hall->rooms[hall->roomCount++] = hosted;
		pthread_mutex_unlock( &hall->lock );
		hall->opened += 1;
	}
	return hosted;
}

static void pnKeepInMemory( pnHall* hall, pnHosted* hosted )
{
	pnKeptRoom* place = hall->kept;
	for ( int i = 1; i < PN_MAX_KEPT; ++i )
	{
		pnKeptRoom* one = hall->kept + i;
		bool isBetter = place->image != NULL && ( one->image == NULL || one->time < place->time );
		place = isBetter ? one : place;
	}
	free( place->image );
	*place = ( pnKeptRoom ){ .image = hosted->keptImage, .size = hosted->keptSize, .facts = hosted->keptFacts, .time = pnGetSteadyTime() };
	memcpy( place->name, hosted->name, sizeof( place->name ) );
	hosted->keptImage = NULL;
}

void pnTidyHall( pnHall* hall, void ( *forget )( pnHosted* hosted, void* context ), void* context )
{
	int roomCount = hall->roomCount;
	for ( int i = hall->roomCount - 1; i >= 0; --i )
	{
		pnHosted* hosted = hall->rooms[i];
		pthread_mutex_lock( &hosted->lock );
		// One that cannot be opened stays for a moment, so that those who asked for it are told why, and it is not tried over and over.
		bool isOver = hosted->state == pn_overState || ( hosted->state == pn_brokenState && pnGetSteadyTime() - hosted->emptyTime > pnBrokenSeconds );
		pthread_mutex_unlock( &hosted->lock );
		pthread_mutex_lock( &hall->lock );
		isOver = isOver && atomic_load( &hosted->isScribed ) == false;
		if ( isOver )
		{
			hall->rooms[i] = hall->rooms[--hall->roomCount];
		}
		pthread_mutex_unlock( &hall->lock );
		if ( isOver == false )
		{
			continue;
		}
		forget( hosted, context );
		if ( hosted->keptImage != NULL && hosted->state == pn_overState )
		{
			pnKeepInMemory( hall, hosted );
		}
		pnJoinHosted( hosted );
	}
	if ( hall->roomCount < roomCount )
	{
		pnTrimMemory(); // a room that is put away leaves nothing behind
	}
}

void pnEndHall( pnHall* hall )
{
	for ( int i = 0; i < hall->roomCount; ++i )
	{
		pnEndHosted( hall->rooms[i] );
	}
}

void pnCloseHall( pnHall* hall )
{
	atomic_store( &hall->isOver, true );
	pthread_join( hall->scribe, NULL );
	for ( int i = 0; i < PN_MAX_KEPT; ++i )
	{
		free( hall->kept[i].image );
	}
	pthread_mutex_destroy( &hall->lock );
}
