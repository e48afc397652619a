// test_journal.c - a room's log: cut at any byte it says what was whole before; a bit that is another is found, with its place. In a folder of its own.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "image.h"
#include "journal.h"
#include "room.h"
#include "shelf.h"
#include "test.h"
#include "tick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <signal.h>
#include <unistd.h>

typedef struct Log { char folder[256], path[288]; uint8_t* bytes; size_t size; uint64_t hashes[64]; size_t ends[64]; int count; uint64_t last; uint32_t steps; } Log;

static uint8_t* ReadAll( const char* path, size_t* size )
{
	FILE* file = fopen( path, "rb" );
	uint8_t* bytes = malloc( 64 << 20 );
	*size = file != NULL && bytes != NULL ? fread( bytes, 1, 64 << 20, file ) : 0;
	if ( file != NULL )
	{
		fclose( file );
	}
	return bytes;
}

// A room in which something happens, written down as a server does; and what it came to after each record.
static void MakeLog( Log* log, int rounds )
{
	*log = ( Log ){ 0 };
	const char* temporary = getenv( "TMPDIR" );
	snprintf( log->folder, sizeof( log->folder ), "%s/pliant-journal-XXXXXX", temporary != NULL ? temporary : P_tmpdir );
	ENSURE( mkdtemp( log->folder ) != NULL );
	snprintf( log->path, sizeof( log->path ), "%s/test.log", log->folder );
	pnRoomDef def = pnDefaultRoomDef();
	def.undoCount = 4;
	pnRoom* room;
	ENSURE( pnCreateRoom( &def, &room ) == pn_success );
	pnRoom_Post( room, 0, 0, "load table\nspawn cube at 0 0.5 0", 32 );
	pnRoom_Advance( room, 3 );
	size_t size;
	uint8_t* image = pnRoom_SaveImage( room, SIZE_MAX, &size );
	pnJournal journal;
	ENSURE( image != NULL && pnBeginJournal( &journal, log->path, &( pnRoomFacts ){ 10, 0 }, image, size ) && pnKeepJournal( log->path ) );
	free( image );
	log->hashes[log->count] = pnRoom_GetHash( room );
	log->ends[log->count++] = (size_t)journal.size;
	for ( int i = 0; i < rounds; ++i )
	{
		pnBytes tick = { 0 };
		pnBeginTick( &tick, pnRoom_GetStep( room ), (uint32_t)( i % 4 ) );
		if ( i % 3 == 1 )
		{
			char line[64];
			int length = snprintf( line, sizeof( line ), i % 2 == 0 ? "spawn ball at 0.%d 1 0" : "throw all 0 %d 0", i % 10 );
			pnPutTickLine( &tick, 10, (uint32_t)i, line, (size_t)length );
		}
		int steps;
		ENSURE( pnAppendRecord( &journal, pn_tickRecord, tick.data, tick.size ) && pnRoom_PostTick( room, tick.data, tick.size, &steps ) == pn_success );
		pnRoom_Advance( room, steps );
		free( tick.data );
		log->hashes[log->count] = pnRoom_GetHash( room );
		log->ends[log->count++] = (size_t)journal.size;
	}
	log->steps = pnRoom_GetStep( room );
	ENSURE( pnSyncJournal( &journal ) && pnSyncFolder( log->path ) );
	pnCloseJournal( &journal );
	pnDestroyRoom( room );
	log->bytes = ReadAll( log->path, &log->size );
	ENSURE( log->size == log->ends[log->count - 1] );
}

static void DropLog( Log* log )
{
	static const char* const ends[] = { "", ".old", ".new" };
	for ( int i = 0; i < 3; ++i )
	{
		char path[320];
		snprintf( path, sizeof( path ), "%s%s", log->path, ends[i] );
		unlink( path );
	}
	rmdir( log->folder );
	free( log->bytes );
}

// How many ticks a reader sees, and how it ends.
static int CountTicks( const uint8_t* bytes, size_t size, pnLogReader* reader )
{
	pnRecord record;
	int count = 0;
	pnOpenLog( reader, bytes, size );
	while ( pnNextRecord( reader, &record ) )
	{
		count += record.kind == pn_tickRecord ? 1 : 0;
	}
	return count;
}

static void CutAnywhereItIsWholeBefore( void )
{
	Log log;
	MakeLog( &log, 40 );
	pnLogReader reader;
	ENSURE( CountTicks( log.bytes, log.size, &reader ) == 40 && reader.state == pn_goodLog );
	// Every byte of the ticks; of the image, which is long, some
	int at = 0;
	for ( size_t size = 0; size < log.size; size += size < log.ends[0] - 300 && size > 300 ? 997 : 1 )
	{
		while ( at < 40 && log.ends[at + 1] <= size )
		{
			at += 1;
		}
		pnTestContext( "%d of %d bytes", (int)size, (int)log.size );
		int count = CountTicks( log.bytes, size, &reader );
		bool isWhole = size >= log.ends[0] && log.ends[at] == size;
		ENSURE( count == ( size >= log.ends[0] ? at : 0 ) );
		ENSURE( size < 16 ? reader.state == pn_foreignLog : isWhole || size == 16 || size == 48 ? reader.state == pn_goodLog : reader.state == pn_tornLog );
	}
	// What a room comes to from there is what it was
	for ( int i = 0; i <= 40; i += 5 )
	{
		pnReplayed replayed;
		size_t size = log.ends[i] + ( i < 40 ? 5 : 0 );
		pnRoom* room = pnReplayLog( log.bytes, size, 1, &replayed );
		REQUIRE( room != NULL );
		ENSURE( pnRoom_GetHash( room ) == log.hashes[i] && replayed.end == log.ends[i] && replayed.torn == size - replayed.end && replayed.facts.nextOwner == 10 );
		pnDestroyRoom( room );
	}
	// Zeros at the end are what a file system leaves that lost its power
	uint8_t* padded = calloc( 1, log.size + 4096 );
	memcpy( padded, log.bytes, log.size );
	ENSURE( CountTicks( padded, log.size + 4096, &reader ) == 40 && reader.state == pn_tornLog && reader.at == log.size );
	free( padded );
	DropLog( &log );
}

// Nothing but a missing end is taken for one.
static void EveryBitIsLookedAfter( void )
{
	Log log;
	MakeLog( &log, 12 );
	pnLogReader reader;
	pnRandom random = pnSeed( 9 );
	for ( int i = 0; i < 4000; ++i )
	{
		bool isImage = i % 8 == 0;
		size_t at = isImage ? (size_t)pnRandomIn( &random, 0.0, (double)log.ends[0] ) : log.ends[0] + (size_t)pnRandomInt( &random, (int)( log.size - log.ends[0] ) );
		uint8_t bit = (uint8_t)( 1 << pnRandomInt( &random, 8 ) );
		log.bytes[at] ^= bit;
		CountTicks( log.bytes, log.size, &reader );
		pnTestContext( "byte %d", (int)at );
		ENSURE( reader.state == ( at < 16 ? pn_foreignLog : pn_damagedLog ) );
		ENSURE( reader.at <= at ); // and says where
		log.bytes[at] ^= bit;
	}
	// A record that is left out, or two that are exchanged
	size_t second = log.ends[2] - log.ends[1];
	uint8_t* other = malloc( log.size );
	memcpy( other, log.bytes, log.size );
	memmove( other + log.ends[1], other + log.ends[2], log.size - log.ends[2] );
	CountTicks( other, log.size - second, &reader );
	ENSURE( reader.state == pn_damagedLog && reader.at == log.ends[1] );
	// Another version's
	memcpy( other, log.bytes, log.size );
	other[7] = '0';
	pnReplayed replayed;
	ENSURE( pnReplayLog( other, log.size, 1, &replayed ) == NULL && strstr( replayed.why, "version" ) != NULL );
	free( other );
	DropLog( &log );
}

// A disk that is full: what could not be appended whole is not there, and it goes on when there is room again.
static void FullDisksLoseNothing( void )
{
	Log log;
	MakeLog( &log, 6 );
	pnJournal journal;
	REQUIRE( pnOpenJournal( &journal, log.path, log.size ) );
	struct rlimit old, little;
	void ( *before )( int ) = signal( SIGXFSZ, SIG_IGN );
	getrlimit( RLIMIT_FSIZE, &old );
	little = old;
	little.rlim_cur = log.size + 100; // one small record, and a part of the next
	setrlimit( RLIMIT_FSIZE, &little );
	uint8_t body[64] = { 7 };
	bool first = pnAppendRecord( &journal, pn_tickRecord, body, 40 ), second = pnAppendRecord( &journal, pn_tickRecord, body, 64 );
	uint8_t* large = calloc( 1, 100000 );
	bool third = pnAppendRecord( &journal, pn_tickRecord, large, 100000 );
	setrlimit( RLIMIT_FSIZE, &old );
	signal( SIGXFSZ, before );
	ENSURE( first && second == false && third == false );
	size_t size;
	uint8_t* bytes = ReadAll( log.path, &size );
	pnLogReader reader;
	ENSURE( CountTicks( bytes, size, &reader ) == 7 && reader.state == pn_goodLog );
	free( bytes );
	ENSURE( pnAppendRecord( &journal, pn_tickRecord, large, 100000 ) && pnAppendRecord( &journal, pn_tickRecord, body, 64 ) );
	bytes = ReadAll( log.path, &size );
	ENSURE( CountTicks( bytes, size, &reader ) == 9 && reader.state == pn_goodLog );
	free( bytes );
	free( large );
	pnCloseJournal( &journal );
	DropLog( &log );
}

// A new log takes the place of the old one at once, and the old one is still there.
static void OldOnesAreKept( void )
{
	Log log;
	MakeLog( &log, 5 );
	pnJournal journal;
	char old[320];
	snprintf( old, sizeof( old ), "%s.old", log.path );
	pnRecord record = { 0 };
	pnLogReader reader;
	pnOpenLog( &reader, log.bytes, log.size );
	while ( pnNextRecord( &reader, &record ) && record.kind != pn_imageRecord )
	{
	}
	ENSURE( pnBeginJournal( &journal, log.path, &( pnRoomFacts ){ 30, 4 }, record.body, record.size ) );
	size_t size;
	uint8_t* bytes = ReadAll( log.path, &size );
	ENSURE( size == log.size && memcmp( bytes, log.bytes, size ) == 0 ); // not yet
	free( bytes );
	ENSURE( pnKeepJournal( log.path ) );
	bytes = ReadAll( old, &size );
	ENSURE( size == log.size && memcmp( bytes, log.bytes, size ) == 0 );
	free( bytes );
	bytes = ReadAll( log.path, &size );
	pnReplayed replayed;
	pnRoom* room = pnReplayLog( bytes, size, 1, &replayed );
	ENSURE( room != NULL && pnRoom_GetHash( room ) == log.hashes[0] && replayed.facts.nextOwner == 30 && replayed.facts.flags == 4 );
	pnDestroyRoom( room );
	free( bytes );
	pnCloseJournal( &journal );
	DropLog( &log );
}

// Files of a version before this one: an image that has another version's world in it is refused with its place; ticks that come to another hash than was
// written down are played, and told of.
static void OlderVersionsAreTold( void )
{
	Log log;
	MakeLog( &log, 12 );
	pnRecord record = { 0 };
	pnLogReader reader;
	pnOpenLog( &reader, log.bytes, log.size );
	while ( pnNextRecord( &reader, &record ) && record.kind != pn_imageRecord )
	{
	}
	size_t imageAt = reader.at - record.size - 24 - ( 8 - record.size % 8 ) % 8, size;
	uint8_t* image = malloc( record.size );
	memcpy( image, record.body, record.size );
	// Snapshots of worlds in the image begin with their version and their name
	int worlds = 0;
	for ( size_t i = 16; i + 8 < record.size; ++i )
	{
		if ( image[i] > 0 && image[i] < 32 && memcmp( image + i + 1, "pliant", 7 ) == 0 )
		{
			image[i] -= 1;
			worlds += 1;
		}
	}
	REQUIRE( worlds > 0 );
	uint64_t check = pnCheckBytes( image + 16, record.size - 16 );
	memcpy( image + 8, &check, sizeof( check ) );
	pnJournal journal;
	REQUIRE( pnBeginJournal( &journal, log.path, &( pnRoomFacts ){ 10, 0 }, image, record.size ) && pnKeepJournal( log.path ) );
	pnCloseJournal( &journal );
	pnReplayed replayed;
	uint8_t* bytes = ReadAll( log.path, &size );
	pnRoom* room = pnReplayLog( bytes, size, 1, &replayed );
	char place[64];
	snprintf( place, sizeof( place ), "at byte %zu was made by another version", imageAt );
	pnTestContext( "%s (%s)", replayed.why, place );
	ENSURE( room == NULL && strstr( replayed.why, place ) != NULL );
	free( bytes );
	free( image );
	// A hash before the ticks that lead there, as in silence, and one after; right ones and wrong ones
	for ( int kind = 0; kind < 4; ++kind )
	{
		FILE* file = fopen( log.path, "wb" );
		REQUIRE( file != NULL );
		ENSURE( fwrite( log.bytes, 1, log.ends[10], file ) == log.ends[10] );
		fclose( file );
		REQUIRE( pnOpenJournal( &journal, log.path, log.ends[10] ) );
		room = pnReplayLog( log.bytes, log.size, 1, &replayed );
		REQUIRE( room != NULL );
		bool isLate = kind >= 2, isWrong = kind % 2 == 1;
		uint64_t hash = pnRoom_GetHash( room ) ^ ( isWrong ? 1u : 0u );
		pnDestroyRoom( room );
		ENSURE( isLate || pnAppendHash( &journal, log.steps, hash ) );
		for ( pnOpenLog( &reader, log.bytes, log.size ); pnNextRecord( &reader, &record ); )
		{
			ENSURE( reader.at <= log.ends[10] || pnAppendRecord( &journal, (pnRecordKind)record.kind, record.body, record.size ) );
		}
		ENSURE( isLate == false || pnAppendHash( &journal, log.steps, hash ) );
		pnCloseJournal( &journal );
		bytes = ReadAll( log.path, &size );
		room = pnReplayLog( bytes, size, 1, &replayed );
		pnTestContext( "kind %d: %s", kind, replayed.why );
		ENSURE( room != NULL && pnRoom_GetHash( room ) == log.hashes[12] && replayed.differs == isWrong );
		ENSURE( isWrong == false || strstr( replayed.why, "computes otherwise: after step" ) != NULL );
		pnDestroyRoom( room );
		free( bytes );
	}
	DropLog( &log );
}

static const pnTest s_tests[] = { RUN( CutAnywhereItIsWholeBefore ), RUN( EveryBitIsLookedAfter ), RUN( FullDisksLoseNothing ), RUN( OldOnesAreKept ), RUN( OlderVersionsAreTold ) };
SUITE( journal, s_tests );
