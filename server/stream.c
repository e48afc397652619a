// stream.c - frames for those who watch a room: encoded once for all of them, in time that the room has to spare. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "stream.h"

#include "hosted.h"

#include <stdlib.h>

static const double pnStreamHertz = 30.0;
static const double pnMostShare = 0.05; // of a room's time, where it has none to spare: then a round is late by one encoding now and then
static const double pnSpare = 1.25; // encodings are begun when there is time for so many

void pnOpenStreams( pnStreams* streams ) { pthread_mutex_init( &streams->lock, NULL ); }

static void pnEndStream( pnStreams* streams, pnStream* stream )
{
	pthread_mutex_lock( &streams->lock );
	pnAlbum* album = stream->album;
	stream->album = NULL;
	pthread_mutex_unlock( &streams->lock );
	pnDestroyAlbum( album );
	pnDestroyViewer( stream->viewer );
	*stream = ( pnStream ){ 0 };
}

void pnCloseStreams( pnStreams* streams )
{
	for ( int i = 0; i < pn_shadingCount; ++i )
	{
		pnEndStream( streams, streams->list + i );
	}
	pthread_mutex_destroy( &streams->lock );
}

// ---- the room's thread ----

static bool pnEncode( pnHosted* hosted, pnStream* stream, pnShading shading )
{
	pnStreams* streams = &hosted->streams;
	if ( stream->viewer == NULL && ( stream->viewer = pnCreateViewer() ) != NULL )
	{
		pnViewer_SpreadShades( stream->viewer );
	}
	pnAlbum* fresh = stream->album == NULL ? pnCreateAlbum() : NULL;
	size_t size;
	const uint8_t* frame = stream->viewer != NULL ? pnViewer_WriteFrame( stream->viewer, hosted->room, shading, &size ) : NULL;
	pthread_mutex_lock( &streams->lock );
	stream->album = fresh != NULL ? fresh : stream->album;
	bool good = frame != NULL && stream->album != NULL && pnAlbum_Add( stream->album, frame, size );
	pthread_mutex_unlock( &streams->lock );
	if ( good == false && stream->viewer != NULL )
	{
		pnViewer_Forget( stream->viewer );
	}
	atomic_fetch_add( &hosted->house->encodings, 1 );
	return good;
}

static bool pnCanTakeFrame( const pnVisitor* visitor ) { return visitor->framesMade - visitor->framesDrawn < 2; }

void pnEncodeStreams( pnHosted* hosted, double next )
{
	bool isWatched[pn_shadingCount] = { 0 }, isWanted[pn_shadingCount] = { 0 }, any = false;
	pthread_mutex_lock( &hosted->lock );
	for ( const pnVisitor* visitor = hosted->visitors; visitor != NULL; visitor = visitor->next )
	{
		bool watches = visitor->mode == pn_streamSeeing && visitor->isGone == false;
		isWatched[visitor->shading] = isWatched[visitor->shading] || watches;
		isWanted[visitor->shading] = isWanted[visitor->shading] || ( watches && pnCanTakeFrame( visitor ) );
	}
	pthread_mutex_unlock( &hosted->lock );
	pnStreams* streams = &hosted->streams;
	for ( int i = 0; i < pn_shadingCount; ++i )
	{
		int shading = ( streams->turn + i ) % pn_shadingCount;
		pnStream* stream = streams->list + shading;
		double now = pnGetSteadyTime(), age = now - stream->time;
		if ( isWatched[shading] == false && stream->viewer != NULL )
		{
			pnEndStream( streams, stream );
		}
		bool hasTime = next - now > pnSpare * stream->cost;
		if ( isWanted[shading] && age > 0.8 / pnStreamHertz && ( hasTime || ( any == false && pnMostShare * age > stream->cost ) ) )
		{
			any = pnEncode( hosted, stream, (pnShading)shading ) || any;
			stream->time = pnGetSteadyTime();
			double took = stream->time - now, mean = stream->cost + 0.1 * ( took - stream->cost );
			stream->cost = took > mean ? took : mean; // up at once, down by and by
			streams->turn = shading + 1;
		}
	}
	if ( any )
	{
		pthread_mutex_lock( &hosted->lock );
		hosted->needsService = true;
		pthread_mutex_unlock( &hosted->lock );
		hosted->house->wake( hosted->house->wakeContext );
	}
}

size_t pnCountStreams( const pnStreams* streams )
{
	size_t bytes = 0;
	for ( int i = 0; i < pn_shadingCount; ++i )
	{
		bytes += streams->list[i].album != NULL ? pnAlbum_GetBytes( streams->list[i].album ) : 0; // only this thread changes them
	}
	return bytes;
}

// ---- the sockets' thread ----

void pnBeginWatching( pnVisitor* visitor )
{
	pnStreams* streams = &visitor->hosted->streams;
	pthread_mutex_lock( &streams->lock );
	const pnAlbum* album = streams->list[visitor->shading].album;
	visitor->shown = ( pnShown ){ .answers = album != NULL ? pnAlbum_GetNumber( album ) : 0 }; // what was answered before is not for it
	pthread_mutex_unlock( &streams->lock );
	visitor->framesDrawn = visitor->framesMade;
	visitor->frameTime = 0.0;
}

// Only this thread changes what is read here of a visitor, so the room's lock is needed for what it writes only.
bool pnPutNextFrame( pnVisitor* visitor, pnBytes* bytes, double now )
{
	pnHosted* hosted = visitor->hosted;
	if ( visitor->mode != pn_streamSeeing || pnCanTakeFrame( visitor ) == false || now - visitor->frameTime < 0.8 / pnStreamHertz )
	{
		return false;
	}
	pthread_mutex_lock( &hosted->streams.lock );
	const pnAlbum* album = hosted->streams.list[visitor->shading].album;
	uint32_t newest = album != NULL ? pnAlbum_GetNumber( album ) : 0;
	bool isNew = newest > visitor->shown.frame;
	if ( isNew )
	{
		pnPutWord( bytes, pn_frameReply );
		pnAlbum_Write( album, visitor->shown, visitor->framesMade + 1, visitor->owner, bytes );
	}
	pthread_mutex_unlock( &hosted->streams.lock );
	if ( isNew )
	{
		pthread_mutex_lock( &hosted->lock );
		visitor->shown = ( pnShown ){ newest, newest };
		visitor->framesMade += 1;
		visitor->frameTime = now;
		pthread_mutex_unlock( &hosted->lock );
		atomic_fetch_add( &hosted->house->frames, 1 );
	}
	return isNew;
}
