// fuzz_command.c - any bytes as commands: read, refused or done, and what was done plays again. Built with -fsanitize=fuzzer,address,undefined.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "frame.h"
#include "room.h"

#include <stdlib.h>
#include <string.h>

static void Check( bool holds )
{
	if ( !holds )
	{
		abort();
	}
}

// Whether a line of it is a command.
static bool IsReadable( const uint8_t* data, size_t size )
{
	bool any = false;
	for ( size_t begin = 0; begin < size; )
	{
		const uint8_t* end = memchr( data + begin, '\n', size - begin );
		size_t length = end != NULL ? (size_t)( end - data ) - begin : size - begin;
		pnCommand command;
		pnFault fault;
		any = ( pnParseCommand( (const char*)data + begin, length, &command, &fault ) && command.kind != pn_noCommand ) || any;
		begin += length + 1;
	}
	return any;
}

// Most inputs mean nothing: those meet one room that is there for all of them, and must leave it as it is.
static void MeetInVain( const uint8_t* data, size_t size )
{
	static pnRoom* room;
	static uint64_t hash;
	if ( room == NULL )
	{
		pnRoomDef def = pnDefaultRoomDef();
		Check( pnCreateRoom( &def, &room ) == pn_success );
		pnRoom_Post( room, 0, 0, "load table\nspawn cube at 0 0.4 0", 32 );
		pnRoom_Advance( room, 0 );
		hash = pnRoom_GetHash( room );
	}
	pnRoom_Post( room, 1, 1, (const char*)data, size );
	pnRoom_Advance( room, 0 );
	Check( pnRoom_GetHash( room ) == hash );
}

static void Meet( const uint8_t* data, size_t size )
{
	pnRoomDef def = pnDefaultRoomDef();
	def.undoCount = 4;
	pnRoom *room = NULL, *again = NULL;
	pnViewer* viewer = pnCreateViewer();
	Check( pnCreateRoom( &def, &room ) == pn_success && pnCreateRoom( &def, &again ) == pn_success && viewer != NULL );
	pnRoom_Post( room, 0, 0, "load table\nspawn cube at 0 0.4 0", 32 );
	pnRoom_Advance( room, 0 );
	pnRoom_Post( room, 1, 2, (const char*)data, size );
	pnRoom_Advance( room, 1 );
	size_t frameSize, length;
	pnFault fault;
	Check( pnViewer_WriteFrame( viewer, room, (pnShading)( size % 6 ), &frameSize ) != NULL );
	const char* script = pnRoom_GetScript( room, &length );
	Check( script != NULL );
	Check( pnRoom_Play( again, script, length, &fault ) && pnRoom_GetHash( again ) == pnRoom_GetHash( room ) );
	pnDestroyViewer( viewer );
	pnDestroyRoom( room );
	pnDestroyRoom( again );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );
int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	if ( IsReadable( data, size ) )
	{
		Meet( data, size );
	}
	else
	{
		MeetInVain( data, size );
	}
	return 0;
}
