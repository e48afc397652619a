// journal.c - a room's log: records appended, made safe, read back. Knows bytes and files, no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "journal.h"

#include "image.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum
{
	PN_LOG_HEAD = 16,
	PN_RECORD_HEAD = 24,
};
static const char pnLogMagic[8] = { 'p', 'l', 'i', 'a', 'n', 't', 'L', '1' };

static void pnSetWord( uint8_t* bytes, uint32_t word )
{
	for ( int i = 0; i < 4; ++i )
	{
		bytes[i] = (uint8_t)( word >> 8 * i );
	}
}

static uint32_t pnWordAt( const uint8_t* bytes )
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static uint32_t pnCheckHead( const uint8_t head[PN_RECORD_HEAD], uint64_t offset )
{
	uint8_t all[24];
	memcpy( all, head, 8 );
	memcpy( all + 8, head + 16, 8 );
	pnSetWord( all + 16, (uint32_t)offset );
	pnSetWord( all + 20, (uint32_t)( offset >> 32 ) );
	uint64_t check = pnCheckBytes( all, sizeof( all ) );
	return (uint32_t)( check ^ check >> 32 );
}

static void pnWriteHead( uint8_t head[PN_RECORD_HEAD], pnRecordKind kind, const void* body, size_t size, uint64_t offset )
{
	memset( head, 0, PN_RECORD_HEAD );
	uint64_t check = pnCheckBytes( body, size );
	pnSetWord( head, (uint32_t)kind );
	pnSetWord( head + 4, (uint32_t)size );
	pnSetWord( head + 16, (uint32_t)check );
	pnSetWord( head + 20, (uint32_t)( check >> 32 ) );
	pnSetWord( head + 8, pnCheckHead( head, offset ) );
}

// ---- reading ----

bool pnIsLog( const void* bytes, size_t size ) { return size >= 8 && memcmp( bytes, pnLogMagic, 7 ) == 0; }

pnLogState pnOpenLog( pnLogReader* reader, const void* bytes, size_t size )
{
	static const uint8_t zeros[PN_LOG_HEAD - sizeof( pnLogMagic )];
	*reader = ( pnLogReader ){ .bytes = bytes, .size = size };
	bool good = size >= PN_LOG_HEAD && memcmp( bytes, pnLogMagic, sizeof( pnLogMagic ) ) == 0 &&
				memcmp( reader->bytes + sizeof( pnLogMagic ), zeros, sizeof( zeros ) ) == 0;
	reader->state = good ? pn_goodLog : pn_foreignLog;
	reader->at = good ? PN_LOG_HEAD : 0;
	return reader->state;
}

static bool pnIsZero( const uint8_t* bytes, size_t size )
{
	for ( size_t i = 0; i < size; ++i )
	{
		if ( bytes[i] != 0 )
		{
			return false;
		}
	}
	return true;
}

bool pnNextRecord( pnLogReader* reader, pnRecord* record )
{
	size_t left = reader->size - reader->at;
	if ( reader->state != pn_goodLog || left == 0 )
	{
		return false;
	}
	const uint8_t* head = reader->bytes + reader->at;
	// A file system that lost its power may leave zeros where it had not written yet.
	if ( left < PN_RECORD_HEAD || pnIsZero( head, left ) )
	{
		reader->state = pn_tornLog;
		return false;
	}
	if ( pnWordAt( head + 8 ) != pnCheckHead( head, reader->at ) || pnWordAt( head + 12 ) != 0 )
	{
		reader->state = pn_damagedLog;
		return false;
	}
	size_t size = pnWordAt( head + 4 ), whole = PN_RECORD_HEAD + ( ( size + 7 ) & ~(size_t)7 );
	if ( left < whole )
	{
		reader->state = pn_tornLog;
		return false;
	}
	uint64_t check = pnWordAt( head + 16 ) | (uint64_t)pnWordAt( head + 20 ) << 32;
	const uint8_t* body = head + PN_RECORD_HEAD;
	if ( check != pnCheckBytes( body, size ) || pnIsZero( body + size, whole - PN_RECORD_HEAD - size ) == false )
	{
		reader->state = pn_damagedLog;
		return false;
	}
	*record = ( pnRecord ){ .kind = pnWordAt( head ), .body = body, .size = size };
	reader->at += whole;
	return true;
}

bool pnReadFacts( const pnRecord* record, pnRoomFacts* facts )
{
	if ( record->kind != pn_factsRecord || record->size < 8 )
	{
		return false;
	}
	*facts = ( pnRoomFacts ){ .nextOwner = pnWordAt( record->body ), .flags = pnWordAt( record->body + 4 ) };
	return true;
}

bool pnReadHash( const pnRecord* record, uint32_t* step, uint64_t* hash )
{
	if ( record->kind != pn_hashRecord || record->size < 16 )
	{
		return false;
	}
	*step = pnWordAt( record->body );
	*hash = pnWordAt( record->body + 8 ) | (uint64_t)pnWordAt( record->body + 12 ) << 32;
	return true;
}

// ---- writing ----

static bool pnWriteAll( int fd, const struct iovec* pieces, int count, uint64_t offset )
{
	for ( int i = 0; i < count; ++i )
	{
		const uint8_t* bytes = pieces[i].iov_base;
		for ( size_t done = 0; done < pieces[i].iov_len; )
		{
			ssize_t written = pwrite( fd, bytes + done, pieces[i].iov_len - done, (off_t)( offset + done ) );
			if ( written <= 0 && errno != EINTR )
			{
				return false;
			}
			done += written > 0 ? (size_t)written : 0;
		}
		offset += pieces[i].iov_len;
	}
	return true;
}

bool pnAppendRecord( pnJournal* journal, pnRecordKind kind, const void* body, size_t size )
{
	static const uint8_t zeros[8];
	uint8_t head[PN_RECORD_HEAD];
	size_t pad = ( 8 - size % 8 ) % 8;
	pnWriteHead( head, kind, body, size, journal->size );
	int fd = journal->fd1 - 1;
	bool good;
	if ( size <= 4096 )
	{
		// One write: other processes, and a crash, see all of it or nothing.
		uint8_t whole[PN_RECORD_HEAD + 4096 + 8];
		memcpy( whole, head, sizeof( head ) );
		memcpy( whole + sizeof( head ), body, size );
		memset( whole + sizeof( head ) + size, 0, pad );
		good = pnWriteAll( fd, &( struct iovec ){ whole, sizeof( head ) + size + pad }, 1, journal->size );
	}
	else
	{
		struct iovec pieces[3] = { { head, sizeof( head ) }, { (void*)(uintptr_t)body, size }, { (void*)(uintptr_t)zeros, pad } };
		good = pnWriteAll( fd, pieces, 3, journal->size );
	}
	if ( good == false )
	{
		int why = errno;
		if ( ftruncate( fd, (off_t)journal->size ) != 0 )
		{
			// What is torn there is written over by the next one, and passed over when read.
		}
		errno = why;
		return false;
	}
	journal->size += sizeof( head ) + size + pad;
	journal->isDirty = true;
	return true;
}

bool pnAppendFacts( pnJournal* journal, const pnRoomFacts* facts )
{
	uint8_t body[8];
	pnSetWord( body, facts->nextOwner );
	pnSetWord( body + 4, facts->flags );
	return pnAppendRecord( journal, pn_factsRecord, body, sizeof( body ) );
}

bool pnAppendHash( pnJournal* journal, uint32_t step, uint64_t hash )
{
	uint8_t body[16] = { 0 };
	pnSetWord( body, step );
	pnSetWord( body + 8, (uint32_t)hash );
	pnSetWord( body + 12, (uint32_t)( hash >> 32 ) );
	return pnAppendRecord( journal, pn_hashRecord, body, sizeof( body ) );
}

bool pnSyncJournal( pnJournal* journal )
{
	return fdatasync( journal->fd1 - 1 ) == 0;
}

void pnCloseJournal( pnJournal* journal )
{
	if ( journal->fd1 > 0 )
	{
		close( journal->fd1 - 1 );
	}
	*journal = ( pnJournal ){ 0 };
}

static bool pnJoin( char path[PATH_MAX], const char* base, const char* end )
{
	int length = snprintf( path, PATH_MAX, "%s%s", base, end );
	errno = ENAMETOOLONG;
	return length > 0 && length < PATH_MAX;
}

bool pnBeginJournal( pnJournal* journal, const char* base, const pnRoomFacts* facts, const void* image, size_t size )
{
	char path[PATH_MAX];
	*journal = ( pnJournal ){ 0 };
	if ( pnJoin( path, base, ".new" ) == false )
	{
		return false;
	}
	int fd = open( path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600 );
	if ( fd < 0 )
	{
		return false;
	}
	uint8_t head[PN_LOG_HEAD] = { 0 };
	memcpy( head, pnLogMagic, sizeof( pnLogMagic ) );
	*journal = ( pnJournal ){ .fd1 = fd + 1, .size = PN_LOG_HEAD };
	bool good = pnWriteAll( fd, &( struct iovec ){ head, sizeof( head ) }, 1, 0 ) && pnAppendFacts( journal, facts ) &&
				pnAppendRecord( journal, pn_imageRecord, image, size ) && fsync( fd ) == 0;
	if ( good == false )
	{
		int why = errno;
		pnCloseJournal( journal );
		unlink( path );
		errno = why;
	}
	return good;
}

bool pnKeepJournal( const char* base )
{
	char fresh[PATH_MAX], old[PATH_MAX];
	if ( pnJoin( fresh, base, ".new" ) == false || pnJoin( old, base, ".old" ) == false )
	{
		return false;
	}
	// A second name for the present one first: at no time is there none.
	unlink( old );
	if ( link( base, old ) != 0 && errno != ENOENT )
	{
		return false;
	}
	return rename( fresh, base ) == 0;
}

bool pnSyncFolder( const char* base )
{
	char folder[PATH_MAX];
	if ( pnJoin( folder, base, "" ) == false )
	{
		return false;
	}
	char* slash = strrchr( folder, '/' );
	if ( slash != NULL )
	{
		slash[slash == folder ? 1 : 0] = 0;
	}
	int fd = open( slash != NULL ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC );
	bool good = fd >= 0 && fsync( fd ) == 0;
	if ( fd >= 0 )
	{
		close( fd );
	}
	return good;
}

bool pnOpenJournal( pnJournal* journal, const char* path, uint64_t size )
{
	int fd = open( path, O_RDWR | O_CLOEXEC );
	if ( fd < 0 )
	{
		return false;
	}
	*journal = ( pnJournal ){ .fd1 = fd + 1, .size = size };
	if ( ftruncate( fd, (off_t)size ) != 0 )
	{
		pnCloseJournal( journal );
		return false;
	}
	return true;
}
