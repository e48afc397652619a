// shelf.c - a hosted room's log: opened, followed, begun anew from an image, closed. Knows no visitors.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "shelf.h"

#include "tick.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

enum
{
	PN_LONG_LOG = 8 << 20, // bytes beyond its image: then a new one is begun even if nobody does anything
	PN_UNDO_COUNT = 32,
};

static pnRoom* pnMakeRoom( int workers, size_t undoBytes )
{
	pnRoomDef def = pnDefaultRoomDef();
	def.tasks.workerCount = workers;
	def.undoBytes = undoBytes;
	def.undoCount = PN_UNDO_COUNT;
	def.recordBytes = 0; // the log is the script
	pnRoom* room = NULL;
	return pnCreateRoom( &def, &room ) == pn_success ? room : NULL;
}

// ---- reading ----

// A hash that was written down, and is to be compared when the room has come so far.
typedef struct pnWitness { uint32_t step; uint64_t hash; bool waits; } pnWitness;

static void pnHearWitness( const pnRoom* room, pnWitness* witness, pnReplayed* replayed )
{
	if ( witness->waits == false || witness->step > pnRoom_GetStep( room ) )
	{
		return;
	}
	uint64_t hash = pnRoom_GetHash( room );
	witness->waits = false;
	if ( witness->step == pnRoom_GetStep( room ) && witness->hash != hash && replayed->differs == false )
	{
		replayed->differs = true;
		snprintf( replayed->why, sizeof( replayed->why ), "it was written by a version of pliant that computes otherwise: after step %u it came to hash 0x%016" PRIx64 ", here it is 0x%016" PRIx64,
				  witness->step, witness->hash, hash );
	}
}

static pnResult pnPlayTick( pnRoom* room, const pnRecord* record, pnWitness* witness, pnReplayed* replayed )
{
	int steps = 0;
	pnResult result = pnRoom_PostTick( room, record->body, record->size, &steps );
	// Steps one by one, as they were made: one that fails does not end those after it.
	for ( int i = 0; i < ( steps > 0 ? steps : 1 ) && result == pn_success; ++i )
	{
		pnRoom_Advance( room, steps > 0 ? 1 : 0 );
		pnHearWitness( room, witness, replayed );
	}
	return result;
}

pnRoom* pnReplayLog( const void* bytes, size_t size, int workers, pnReplayed* replayed )
{
	return pnReplayLogWatched( bytes, size, workers, NULL, NULL, replayed );
}

pnRoom* pnReplayLogWatched( const void* bytes, size_t size, int workers, pnWatchFcn* watch, void* context, pnReplayed* replayed )
{
	pnLogReader reader;
	pnRecord record = { 0 };
	*replayed = ( pnReplayed ){ .facts.nextOwner = PN_FIRST_OWNER };
	if ( pnOpenLog( &reader, bytes, size ) != pn_goodLog )
	{
		snprintf( replayed->why, sizeof( replayed->why ), pnIsLog( bytes, size ) ? "it was made by another version of pliant" : "it is not a room's log" );
		return NULL;
	}
	pnRoom* room = pnMakeRoom( workers, 0 ); // its image says how much it keeps
	bool hasImage = false;
	pnWitness witness = { 0 };
	pnResult result = room != NULL ? pn_success : pn_outOfMemory;
	size_t at = reader.at;
	bool goesOn = true;
	while ( result == pn_success && goesOn && pnNextRecord( &reader, &record ) )
	{
		if ( record.kind == pn_imageRecord )
		{
			result = pnRoom_LoadImage( room, record.body, record.size );
			hasImage = result == pn_success;
		}
		else if ( record.kind == pn_tickRecord )
		{
			result = hasImage ? pnPlayTick( room, &record, &witness, replayed ) : pn_badImage;
		}
		else if ( record.kind == pn_factsRecord )
		{
			pnReadFacts( &record, &replayed->facts );
		}
		else if ( pnReadHash( &record, &witness.step, &witness.hash ) )
		{
			witness.waits = true; // steps in silence are told after they were made, and their hash before them
			pnHearWitness( room, &witness, replayed );
		}
		at = result == pn_success ? reader.at : at;
		goesOn = watch == NULL || watch( context, (double)at, (double)size );
	}
	replayed->end = at;
	replayed->torn = reader.state == pn_tornLog ? size - at : 0;
	if ( result == pn_success && reader.state != pn_damagedLog && hasImage )
	{
		return room;
	}
	if ( result == pn_badImage && record.kind == pn_imageRecord )
	{
		// Its check was right: these are the bytes that were written.
		snprintf( replayed->why, sizeof( replayed->why ), "the room's image at byte %zu was made by another version of pliant", at );
	}
	else if ( result != pn_success )
	{
		snprintf( replayed->why, sizeof( replayed->why ), "the record at byte %zu cannot be used: %s", at, pnResultText( result ) );
	}
	else
	{
		snprintf( replayed->why, sizeof( replayed->why ), reader.state == pn_damagedLog ? "it is damaged at byte %zu" : "it ends at byte %zu, before the room's image does", reader.at );
	}
	pnDestroyRoom( room );
	return NULL;
}

static uint8_t* pnReadLogFile( const char* path, size_t* size )
{
	FILE* file = fopen( path, "rb" );
	uint8_t* bytes = NULL;
	*size = 0;
	if ( file != NULL && fseek( file, 0, SEEK_END ) == 0 )
	{
		long length = ftell( file );
		rewind( file );
		bytes = length >= 0 ? malloc( (size_t)length + 1 ) : NULL;
		if ( bytes != NULL && fread( bytes, 1, (size_t)length, file ) == (size_t)length )
		{
			*size = (size_t)length;
		}
	}
	if ( file != NULL )
	{
		fclose( file );
	}
	return bytes;
}

// ---- opening ----

static bool pnMakeNew( pnHosted* hosted )
{
	const pnHouse* house = hosted->house;
	hosted->room = pnMakeRoom( house->workers, house->undoBytes );
	if ( hosted->room == NULL )
	{
		snprintf( hosted->why, sizeof( hosted->why ), "there is no memory for a room" );
		return false;
	}
	if ( house->saved != NULL && hosted->firstScene[0] == 0 )
	{
		pnResult result = pnRoom_Restore( hosted->room, house->saved, house->savedSize );
		snprintf( hosted->why, sizeof( hosted->why ), "the saved world cannot be read: %s", pnResultText( result ) );
		return result == pn_success;
	}
	char line[96];
	snprintf( line, sizeof( line ), "load %s\n", hosted->firstScene[0] != 0 ? hosted->firstScene : house->scene );
	pnRoom_Post( hosted->room, 0, 0, line, strlen( line ) );
	pnRoom_Advance( hosted->room, 0 );
	if ( house->rate > 0.0f )
	{
		snprintf( line, sizeof( line ), "rate %g\n", (double)house->rate );
		pnRoom_Post( hosted->room, 0, 0, line, strlen( line ) );
		pnRoom_Advance( hosted->room, 0 );
	}
	return true;
}

// Only one server may have a room open. One that is about to end is waited for.
static bool pnLockRoom( pnHosted* hosted )
{
	char path[sizeof( hosted->path ) + 8];
	snprintf( path, sizeof( path ), "%s.lock", hosted->path );
	int fd = open( path, O_RDWR | O_CREAT | O_CLOEXEC, 0600 );
	for ( int i = 0; i < 50 && fd >= 0 && flock( fd, LOCK_EX | LOCK_NB ) != 0; ++i )
	{
		pthread_mutex_lock( &hosted->lock );
		bool mustEnd = hosted->mustEnd;
		pthread_mutex_unlock( &hosted->lock );
		if ( i == 49 || mustEnd )
		{
			close( fd );
			snprintf( hosted->why, sizeof( hosted->why ), "it is open in another server" );
			return false;
		}
		nanosleep( &( struct timespec ){ .tv_nsec = 100000000 }, NULL );
	}
	if ( fd < 0 )
	{
		snprintf( hosted->why, sizeof( hosted->why ), "its folder cannot be written: %s", strerror( errno ) );
		return false;
	}
	hosted->lockFile1 = fd + 1;
	return true;
}

// The scribe looks at the log that there is under the lock: it changes there only.
static void pnSetLog( pnHosted* hosted, pnJournal journal )
{
	pthread_mutex_lock( &hosted->lock );
	hosted->journal = journal;
	hosted->needsSync = false;
	pthread_mutex_unlock( &hosted->lock );
}

static void pnCloseLog( pnHosted* hosted )
{
	pnJournal journal = hosted->journal; // only this thread writes it
	pnSetLog( hosted, ( pnJournal ){ 0 } );
	pnCloseJournal( &journal );
}

static bool pnBeginLog( pnHosted* hosted )
{
	size_t size;
	pnJournal journal = { 0 };
	uint8_t* image = pnRoom_SaveImage( hosted->room, SIZE_MAX, &size );
	bool good = image != NULL && pnBeginJournal( &journal, hosted->path, &hosted->facts, image, size ) && pnKeepJournal( hosted->path ) &&
				pnSyncFolder( hosted->path );
	if ( good == false )
	{
		snprintf( hosted->why, sizeof( hosted->why ), "its log cannot be written: %s", image != NULL ? strerror( errno ) : "no memory" );
	}
	hosted->writtenFacts = hosted->facts;
	pnSetLog( hosted, journal );
	free( image );
	return good;
}

// A log of a version that computes otherwise is kept beside the room, which goes on from what it comes to here.
static void pnKeepOther( const pnHosted* hosted, const char* why )
{
	char kept[sizeof( hosted->path ) + 8];
	snprintf( kept, sizeof( kept ), "%s.other", hosted->path );
	unlink( kept );
	bool isKept = link( hosted->path, kept ) == 0;
	fprintf( stderr, "pliant serve: room %s goes on, but not with the bits of its log: %s. %s%s\n", hosted->name, why,
			 isKept ? "The log is kept as " : "The log could not be kept as ", kept );
}

static bool pnOpenLogFile( pnHosted* hosted )
{
	size_t size;
	uint8_t* bytes = pnReadLogFile( hosted->path, &size );
	if ( bytes == NULL )
	{
		return pnMakeNew( hosted ) && pnBeginLog( hosted );
	}
	pnReplayed replayed;
	hosted->room = pnReplayLog( bytes, size, hosted->house->workers, &replayed );
	hosted->facts = hosted->writtenFacts = replayed.facts;
	free( bytes );
	if ( hosted->room == NULL )
	{
		snprintf( hosted->why, sizeof( hosted->why ), "its log %.32s.log cannot be used: %.140s", hosted->name, replayed.why );
		return false;
	}
	if ( replayed.torn > 0 )
	{
		fprintf( stderr, "pliant serve: room %s: the last %zu bytes of its log were not written whole and do not count\n", hosted->name, replayed.torn );
	}
	if ( replayed.differs )
	{
		pnKeepOther( hosted, replayed.why );
		return pnBeginLog( hosted );
	}
	pnJournal journal;
	if ( pnOpenJournal( &journal, hosted->path, replayed.end ) == false )
	{
		snprintf( hosted->why, sizeof( hosted->why ), "its log cannot be written: %s", strerror( errno ) );
		return false;
	}
	pnSetLog( hosted, journal );
	return true;
}

// Whoever held something when the room was left does not hold it any more.
static void pnLetAllGo( pnHosted* hosted )
{
	for ( uint32_t owner = PN_FIRST_OWNER; owner < hosted->facts.nextOwner && hosted->inboxCount < PN_MAX_INBOX / 2; ++owner )
	{
		bool holds = false;
		pnWorld* world = pnRoom_GetWorld( hosted->room );
		pnGrabId grabs[256];
		int count = pnWorld_GetGrabs( world, grabs, 256 );
		for ( int i = 0; i < count && i < 256; ++i )
		{
			pnGrabState state;
			holds = holds || ( pnGrab_GetState( world, grabs[i], &state ) == pn_success && state.owner == owner && state.locked == false );
		}
		pnShapeId shapes[256];
		count = pnWorld_GetShapes( world, shapes, 256 );
		for ( int i = 0; i < count && i < 256; ++i )
		{
			pnShapeDef def;
			holds = holds || ( pnShape_GetDef( world, shapes[i], &def ) == pn_success && def.owner == owner );
		}
		char* text = holds ? malloc( 32 ) : NULL;
		if ( text != NULL )
		{
			int length = snprintf( text, 32, "letgo %u", owner );
			hosted->inbox[hosted->inboxCount++] = ( pnEntry ){ .text = text, .length = (size_t)length };
		}
	}
}

bool pnTakeFromShelf( pnHosted* hosted )
{
	bool good;
	if ( hosted->house->folder != NULL )
	{
		snprintf( hosted->path, sizeof( hosted->path ), "%s/%s.log", hosted->house->folder, hosted->name );
		good = pnLockRoom( hosted ) && pnOpenLogFile( hosted );
	}
	else if ( hosted->keptImage != NULL )
	{
		hosted->room = pnMakeRoom( hosted->house->workers, hosted->house->undoBytes );
		good = hosted->room != NULL && pnRoom_LoadImage( hosted->room, hosted->keptImage, hosted->keptSize ) == pn_success;
		hosted->facts = hosted->keptFacts;
		snprintf( hosted->why, sizeof( hosted->why ), "there is no memory for a room" );
		free( hosted->keptImage );
		hosted->keptImage = NULL;
	}
	else
	{
		good = pnMakeNew( hosted );
	}
	if ( good )
	{
		hosted->flags = hosted->facts.flags;
		pnLetAllGo( hosted );
	}
	return good;
}

// ---- while it is open ----

// The scribe has written an image: what happened since goes after it, and it becomes the log.
static void pnTakeScribed( pnHosted* hosted )
{
	pnJournal fresh = hosted->scribeJournal;
	bool good = hosted->scribeFailed == false && hosted->scribeSerial >= hosted->firstTick;
	for ( uint64_t serial = hosted->scribeSerial; serial < hosted->nextTick && good; ++serial )
	{
		const pnTick* tick = hosted->ticks + serial % PN_MAX_TICKS; // only this thread changes them
		good = pnAppendRecord( &fresh, pn_tickRecord, tick->data, tick->size );
	}
	good = good && pnAppendFacts( &fresh, &hosted->writtenFacts ) && pnKeepJournal( hosted->path );
	pthread_mutex_lock( &hosted->lock );
	pnJournal old = hosted->journal;
	if ( good )
	{
		hosted->journal = fresh;
		hosted->touched = false;
	}
	hosted->scribeJournal = ( pnJournal ){ 0 };
	hosted->scribeDone = hosted->scribeBusy = false;
	hosted->needsSync = hosted->needsFolderSync = true;
	pthread_mutex_unlock( &hosted->lock );
	pnCloseJournal( good ? &old : &fresh );
}

void pnMindShelf( pnHosted* hosted, double now )
{
	if ( hosted->journal.fd1 == 0 )
	{
		return;
	}
	pthread_mutex_lock( &hosted->lock );
	bool isBusy = hosted->scribeBusy, isDone = hosted->scribeDone;
	size_t imageSize = hosted->scribeSize;
	pthread_mutex_unlock( &hosted->lock );
	if ( isDone )
	{
		pnTakeScribed( hosted );
		return;
	}
	bool isTime = now - hosted->imageTime > hosted->house->imageSeconds;
	if ( isBusy || isTime == false || ( hosted->touched == false && hosted->journal.size < PN_LONG_LOG + imageSize ) )
	{
		return;
	}
	hosted->imageTime = now;
	if ( hosted->publishedStep != pnRoom_GetStep( hosted->room ) )
	{
		hosted->imageTime -= hosted->house->imageSeconds; // the next round, when all steps have been told
		return;
	}
	pnRoomImage* image = pnRoom_BeginImage( hosted->room, SIZE_MAX );
	if ( image != NULL )
	{
		pthread_mutex_lock( &hosted->lock );
		hosted->scribeImage = image;
		hosted->scribeSerial = hosted->nextTick;
		hosted->scribeFacts = hosted->writtenFacts;
		hosted->scribeBusy = true;
		hosted->scribeFailed = false;
		pthread_mutex_unlock( &hosted->lock );
	}
}

void pnServeScribe( pnHosted* hosted )
{
	pthread_mutex_lock( &hosted->lock );
	bool hasImage = hosted->scribeBusy && hosted->scribeDone == false && hosted->scribeImage != NULL;
	pnRoomImage* image = hosted->scribeImage;
	hosted->scribeImage = NULL;
	pnRoomFacts facts = hosted->scribeFacts;
	bool syncs = hosted->needsSync && hosted->journal.fd1 > 0, syncsFolder = hosted->needsFolderSync;
	int fd = syncs ? dup( hosted->journal.fd1 - 1 ) : -1;
	hosted->needsSync = hosted->needsFolderSync = false;
	pthread_mutex_unlock( &hosted->lock );
	if ( fd >= 0 )
	{
		fdatasync( fd );
		close( fd );
	}
	if ( syncsFolder )
	{
		pnSyncFolder( hosted->path );
	}
	if ( hasImage )
	{
		pnJournal journal = { 0 };
		size_t size;
		uint8_t* bytes = pnFinishRoomImage( image, &size );
		bool good = bytes != NULL && pnBeginJournal( &journal, hosted->path, &facts, bytes, size );
		free( bytes );
		if ( good == false )
		{
			atomic_fetch_add( &hosted->house->diskFaults, 1 );
		}
		pthread_mutex_lock( &hosted->lock );
		hosted->scribeSize = size;
		hosted->scribeJournal = journal;
		hosted->scribeFailed = good == false;
		hosted->scribeDone = true;
		pthread_mutex_unlock( &hosted->lock );
	}
}

void pnPutOnShelf( pnHosted* hosted )
{
	if ( hosted->room != NULL && hosted->state != pn_brokenState )
	{
		// The scribe may be at work on PATH.new
		for ( bool isBusy = true; isBusy; )
		{
			pthread_mutex_lock( &hosted->lock );
			isBusy = hosted->scribeBusy && hosted->scribeDone == false;
			pthread_mutex_unlock( &hosted->lock );
			if ( isBusy )
			{
				nanosleep( &( struct timespec ){ .tv_nsec = 5000000 }, NULL );
			}
		}
		pnCloseJournal( &hosted->scribeJournal );
		pnJournal old = hosted->journal;
		pnSetLog( hosted, ( pnJournal ){ 0 } );
		pthread_mutex_lock( &hosted->lock );
		pnRoomFacts facts = hosted->facts;
		pthread_mutex_unlock( &hosted->lock );
		if ( hosted->house->folder == NULL )
		{
			pnRoom_TrimHistory( hosted->room, PN_KEPT_PAST_BYTES );
			hosted->keptImage = pnRoom_SaveImage( hosted->room, SIZE_MAX, &hosted->keptSize );
			hosted->keptFacts = facts;
		}
		else
		{
			// If this fails the old log still has everything.
			pnSyncJournal( &old );
			if ( pnBeginLog( hosted ) == false )
			{
				fprintf( stderr, "pliant serve: room %s was closed without a new image: %s\n", hosted->name, hosted->why );
			}
			pnCloseLog( hosted );
			pnCloseJournal( &old );
		}
	}
	pnDestroyRoom( hosted->room );
	hosted->room = NULL;
	pnCloseLog( hosted );
	if ( hosted->lockFile1 > 0 )
	{
		close( hosted->lockFile1 - 1 );
		hosted->lockFile1 = 0;
	}
}
