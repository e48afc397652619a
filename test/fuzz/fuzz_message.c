// fuzz_message.c - any bytes as a visitor's message, as a tick, as a log: read or refused, and nothing else. Built with -fsanitize=fuzzer,address,undefined.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "journal.h"
#include "message.h"
#include "room.h"
#include "tick.h"

#include <stdlib.h>
#include <string.h>

static void Check( bool holds )
{
	if ( !holds )
	{
		abort();
	}
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );
int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	pnMessage message;
	if ( pnReadMessage( data, size, &message ) && message.kind != pn_noMessage )
	{
		char again[PN_PERSON_NAME];
		pnCleanText( message.name, strlen( message.name ), again, sizeof( again ) );
		Check( strcmp( again, message.name ) == 0 && message.length <= size );
	}
	pnLogReader reader;
	pnRecord record;
	size_t last = 0;
	for ( pnOpenLog( &reader, data, size ); pnNextRecord( &reader, &record ); last = reader.at )
	{
		Check( reader.at > last && reader.at <= size && record.size <= size );
	}
	// One room for all ticks: it is at step 0, and what a tick holds is done, or answered.
	static pnRoom* room;
	if ( room == NULL )
	{
		pnRoomDef def = pnDefaultRoomDef();
		def.undoCount = 2;
		Check( pnCreateRoom( &def, &room ) == pn_success );
	}
	int steps;
	if ( pnRoom_PostTick( room, data, size, &steps ) == pn_success )
	{
		pnRoom_Advance( room, 0 );
	}
	Check( pnRoom_GetStep( room ) == 0 && pnRoom_LoadImage( room, data, size ) != pn_success );
	return 0;
}
