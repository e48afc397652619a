// test_image.c - rooms that follow another by ticks, from an image taken at any time, have its bits. Bytes that mean nothing change nothing.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "deeds.h"
#include "image.h"
#include "room.h"
#include "test.h"
#include "tick.h"

#include <stdlib.h>
#include <string.h>

static pnRoom* MakeRoom( int workers )
{
	pnRoomDef def = pnDefaultRoomDef();
	def.tasks.workerCount = workers;
	def.undoCount = 6;
	pnRoom* room = NULL;
	ENSURE( pnCreateRoom( &def, &room ) == pn_success );
	return room;
}

static pnRoom* Join( const pnRoom* from, bool whole, int workers )
{
	size_t size;
	uint8_t* image = pnRoom_SaveImage( from, whole ? SIZE_MAX : 300000, &size );
	pnRoomDef def = pnDefaultRoomDef(); // the bounds of undo come with the image
	def.tasks.workerCount = workers;
	pnRoom* room = NULL;
	ENSURE( image != NULL && pnCreateRoom( &def, &room ) == pn_success && pnRoom_LoadImage( room, image, size ) == pn_success );
	ENSURE( pnRoom_GetHash( room ) == pnRoom_GetHash( from ) && pnRoom_GetStep( room ) == pnRoom_GetStep( from ) );
	free( image );
	return room;
}

static bool Follow( pnRoom* room, const pnBytes* tick )
{
	int steps;
	pnResult result = pnRoom_PostTick( room, tick->data, tick->size, &steps );
	pnRoom_Advance( room, steps );
	return result == pn_success;
}

static const char s_brought[] =
	"solid gem points 6 0.3 0 0 -0.3 0 0 0 0.4 0 0 -0.4 0 0 0 0.3 0 0 -0.3 triangles 8 0 2 4 4 2 1 1 2 5 5 2 0 0 4 3 4 1 3 1 5 3 5 0 3";

static void WriteTick( pnRandom* random, pnBytes* tick, uint32_t step, int round )
{
	static const char* const more[] = { "spawn gem at 0.2 2 0.1 preset clay", "rate 90", "substeps 3", "load cuts", "load toys", "gravity 0 -5 0", "rate 60" };
	tick->size = 0;
	pnBeginTick( tick, step, (uint32_t)pnRandomInt( random, 4 ) );
	char line[256];
	for ( int i = pnRandomInt( random, 4 ); i > 0; --i )
	{
		uint32_t owner = 1 + (uint32_t)pnRandomInt( random, 3 );
		if ( pnRandomInt( random, 3 ) == 0 )
		{
			pnVec3 place = { (float)Around( random, 1.0 ), (float)pnRandomIn( random, 0.1, 1.2 ), (float)Around( random, 1.0 ) };
			pnPutTickMove( tick, owner, 1 + (uint32_t)pnRandomInt( random, 3 ), place );
			continue;
		}
		MakeDeed( random, owner, line );
		pnPutTickLine( tick, owner, (uint32_t)round, line, strlen( line ) );
	}
	if ( round % 7 == 3 )
	{
		const char* other = more[pnRandomInt( random, 7 )];
		pnPutTickLine( tick, 2, (uint32_t)round, other, strlen( other ) );
	}
	if ( round % 11 == 5 )
	{
		pnPutTickLine( tick, 0, 0, "undo", 4 );
	}
}

// One follows from the first tick, one joins now and then with all that can be undone, one without: all have the bits of the first room.
// The last one may find that it lacks what an undo needs; then, and only then, it needs an image.
static void WhoeverJoinsHasTheSameBits( void )
{
	int64_t bytes = pnGetByteCount();
	int images = 0, lacks = 0;
	for ( uint64_t seed = 1; seed <= 4; ++seed )
	{
		pnRandom random = pnSeed( 4100 + seed );
		pnRoom *room = MakeRoom( 1 ), *first = MakeRoom( 2 ), *whole = NULL, *guest = NULL;
		pnBytes tick = { 0 };
		pnBeginTick( &tick, 0, 1 );
		pnPutTickLine( &tick, 0, 0, seed % 2 == 0 ? "load grab" : "load toys", 9 );
		pnPutTickLine( &tick, 1, 1, s_brought, sizeof( s_brought ) - 1 );
		ENSURE( Follow( room, &tick ) && Follow( first, &tick ) );
		for ( int round = 0; round < 60; ++round )
		{
			pnTestContext( "seed %d, round %d", (int)seed, round );
			if ( whole == NULL || pnRandomInt( &random, 12 ) == 0 )
			{
				pnDestroyRoom( whole );
				whole = Join( room, true, 2 );
			}
			if ( guest == NULL || pnRoom_LacksPast( guest ) || pnRandomInt( &random, 20 ) == 0 )
			{
				pnDestroyRoom( guest );
				guest = Join( room, false, 1 );
				images += 1;
			}
			WriteTick( &random, &tick, pnRoom_GetStep( room ), round );
			REQUIRE( tick.failed == false && Follow( room, &tick ) );
			ENSURE( Follow( first, &tick ) && Follow( whole, &tick ) && Follow( guest, &tick ) );
			uint64_t hash = pnRoom_GetHash( room );
			ENSURE( pnRoom_GetHash( first ) == hash && pnRoom_GetHash( whole ) == hash );
			ENSURE( pnRoom_GetHash( guest ) == hash || pnRoom_LacksPast( guest ) );
			lacks += pnRoom_LacksPast( guest ) ? 1 : 0;
			ENSURE( pnRoom_LacksPast( room ) == false && pnRoom_LacksPast( first ) == false && pnRoom_LacksPast( whole ) == false );
		}
		pnDestroyRoom( room );
		pnDestroyRoom( first );
		pnDestroyRoom( whole );
		pnDestroyRoom( guest );
		free( tick.data );
	}
	ENSURE( pnGetByteCount() == bytes );
	pnTestNote( "%d images, %d for an undo", images, lacks );
}

// An image of a room that came from an image is the same image, byte for byte.
static void ImagesAreExact( void )
{
	pnRandom random = pnSeed( 77 );
	pnRoom* room = MakeRoom( 1 );
	pnBytes tick = { 0 };
	pnBeginTick( &tick, 0, 3 );
	pnPutTickLine( &tick, 0, 0, "load toys", 9 );
	pnPutTickLine( &tick, 1, 1, s_brought, sizeof( s_brought ) - 1 );
	pnPutTickLine( &tick, 1, 2, "grab 1:1 ray 0 3 0 0 -4 0 radius 0.3", 36 );
	pnPutTickLine( &tick, 1, 2, "move 1:1 0 1 0 steps 50", 23 );
	ENSURE( Follow( room, &tick ) );
	for ( int round = 0; round < 12; ++round )
	{
		WriteTick( &random, &tick, pnRoom_GetStep( room ), round );
		ENSURE( Follow( room, &tick ) );
	}
	pnRoom* other = Join( room, true, 1 );
	size_t size, otherSize;
	uint8_t* image = pnRoom_SaveImage( room, SIZE_MAX, &size );
	uint8_t* otherImage = pnRoom_SaveImage( other, SIZE_MAX, &otherSize );
	REQUIRE( image != NULL && otherImage != NULL );
	ENSURE( size == otherSize && memcmp( image, otherImage, size ) == 0 );
	// Any byte that is another, and any that is missing, and it is refused: the room stays as it was.
	uint64_t hash = pnRoom_GetHash( other );
	for ( int i = 0; i < 120; ++i )
	{
		size_t at = i < 60 ? (size_t)i : (size_t)pnRandomIn( &random, 0.0, (double)size );
		at = at < size ? at : size - 1;
		uint8_t bit = (uint8_t)( 1 << pnRandomInt( &random, 8 ) );
		image[at] ^= bit;
		ENSURE( pnRoom_LoadImage( other, image, size ) == pn_badImage );
		image[at] ^= bit;
		ENSURE( pnRoom_LoadImage( other, image, at ) == pn_badImage );
	}
	// One whose check is right can still mean nothing
	for ( int i = 0; i < 60; ++i )
	{
		size_t at = 24 + (size_t)pnRandomInt( &random, i < 40 ? 400 : (int)( size - 24 ) );
		uint8_t was = image[at];
		image[at] = (uint8_t)pnRandomInt( &random, 256 );
		uint64_t check = pnCheckBytes( image + 16, size - 16 );
		memcpy( image + 8, &check, sizeof( check ) );
		pnResult result = pnRoom_LoadImage( other, image, size );
		ENSURE( result == pn_success || result == pn_badImage );
		if ( result == pn_success )
		{
			pnRoom_Advance( other, 1 );
		}
		image[at] = was;
	}
	ENSURE( pnRoom_LoadImage( other, otherImage, otherSize ) == pn_success && pnRoom_GetHash( other ) == hash );
	free( image );
	free( otherImage );
	free( tick.data );
	pnDestroyRoom( room );
	pnDestroyRoom( other );
}

// A tick that cannot be read, or is of another step, leaves nothing behind.
static void TicksAreReadWholeOrNotAtAll( void )
{
	pnRandom random = pnSeed( 3 );
	pnRoom* room = MakeRoom( 1 );
	pnBytes tick = { 0 };
	pnBeginTick( &tick, 0, 1 );
	pnPutTickLine( &tick, 0, 0, "load toys", 9 );
	ENSURE( Follow( room, &tick ) );
	uint64_t hash = pnRoom_GetHash( room );
	int steps;
	for ( int i = 0; i < 600; ++i )
	{
		WriteTick( &random, &tick, 1, i );
		size_t cut = 4 * (size_t)pnRandomInt( &random, (int)tick.size / 4 );
		pnTickEntry entry;
		size_t offset = PN_TICK_HEAD;
		while ( offset <= cut && pnReadTickEntry( tick.data, tick.size, &offset, &entry ) && offset < cut )
		{
		}
		pnResult result = pnRoom_PostTick( room, tick.data, cut, &steps );
		ENSURE( ( result == pn_success ) == ( cut >= PN_TICK_HEAD && ( offset == cut || cut == PN_TICK_HEAD ) ) );
		if ( result != pn_success )
		{
			pnRoom_Advance( room, 0 );
			ENSURE( pnRoom_GetHash( room ) == hash );
		}
		else
		{
			pnRoom_Advance( room, 0 );
			hash = pnRoom_GetHash( room );
		}
		tick.data[0] ^= 2;
		ENSURE( pnRoom_PostTick( room, tick.data, tick.size, &steps ) == pn_invalidInput && steps == 0 );
	}
	uint8_t nowhere[24] = { 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0xc0, 0x7f };
	ENSURE( pnRoom_PostTick( room, nowhere, sizeof( nowhere ), &steps ) == pn_badImage );
	free( tick.data );
	pnDestroyRoom( room );
}

// A move is told in twelve bytes, as near as 1/8192 of what it is; what does not fit in them is told in full.
static void MovesAreShort( void )
{
	pnRandom random = pnSeed( 11 );
	for ( int i = 0; i < 2000; ++i )
	{
		float values[3];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t word = (uint32_t)pnRandomInt( &random, 1 << 16 ) | (uint32_t)pnRandomInt( &random, 1 << 16 ) << 16;
			word = ( word >> 23 & 255 ) == 255 ? word ^ 1u << 30 : word; // a number
			memcpy( values + k, &word, sizeof( word ) );
		}
		pnBytes tick = { 0 };
		pnTickEntry entry;
		size_t offset = PN_TICK_HEAD;
		pnBeginTick( &tick, 0, 1 );
		pnPutTickMove( &tick, 65535, 31, pnMakeVec3( values[0], values[1], values[2] ) );
		pnTestContext( "%g %g %g", (double)values[0], (double)values[1], (double)values[2] );
		REQUIRE( pnReadTickEntry( tick.data, tick.size, &offset, &entry ) );
		ENSURE( offset == tick.size && entry.isMove && entry.owner == 65535 && entry.hand == 31 );
		bool isShort = tick.size == PN_TICK_HEAD + 12;
		const float told[3] = { entry.place.x, entry.place.y, entry.place.z };
		for ( int k = 0; k < 3; ++k )
		{
			double off = (double)told[k] - (double)values[k], most = (double)values[k] / 8192.0;
			ENSURE( isShort ? ( off < 0.0 ? -off : off ) <= ( most < 0.0 ? -most : most ) + 1e-41 : told[k] == values[k] );
		}
		free( tick.data );
	}
	pnBytes large = { 0 };
	pnBeginTick( &large, 0, 1 );
	pnPutTickMove( &large, 10, 1, pnMakeVec3( 3.4028234e38f, 0.0f, 0.0f ) );
	ENSURE( large.size == PN_TICK_HEAD + 16 );
	free( large.data );
}

// The last deed is turned back by who did it, or by owner 0.
static void UndoIsOnesOwn( void )
{
	pnRoom* room = MakeRoom( 1 );
	pnRoom_Post( room, 0, 0, "load toys", 9 );
	pnRoom_Advance( room, 0 );
	uint64_t before = pnRoom_GetHash( room );
	pnRoom_Post( room, 1, 1, "spawn ball at 0 3 0", 19 );
	pnRoom_Advance( room, 0 );
	uint64_t after = pnRoom_GetHash( room );
	pnRoom_Post( room, 2, 1, "undo", 4 );
	pnRoom_Advance( room, 0 );
	ENSURE( pnRoom_GetHash( room ) == after );
	pnRoom_Post( room, 1, 2, "undo", 4 );
	pnRoom_Advance( room, 0 );
	ENSURE( pnRoom_GetHash( room ) == before );
	pnRoom_Post( room, 2, 2, "redo", 4 );
	pnRoom_Advance( room, 0 );
	ENSURE( pnRoom_GetHash( room ) == before );
	pnRoom_Post( room, 1, 3, "redo", 4 );
	pnRoom_Advance( room, 0 );
	ENSURE( pnRoom_GetHash( room ) == after );
	pnRoom_Post( room, 0, 0, "undo", 4 );
	pnRoom_Advance( room, 0 );
	ENSURE( pnRoom_GetHash( room ) == before );
	pnDestroyRoom( room );
}

static const pnTest s_tests[] = {
	RUN( WhoeverJoinsHasTheSameBits ),
	RUN( ImagesAreExact ),
	RUN( TicksAreReadWholeOrNotAtAll ),
	RUN( MovesAreShort ),
	RUN( UndoIsOnesOwn ),
};
SUITE( image, s_tests );
