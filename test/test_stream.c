// test_stream.c - one encoding for all who watch: whoever misses frames has the same picture in the end as who was sent them all.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "album.h"
#include "deeds.h"
#include "base/core.h"
#include "frame.h"
#include "help.h"
#include "room.h"
#include "test.h"

#include <stdlib.h>
#include <string.h>

enum
{
	MAX_THINGS = 4096,
	KIND_COUNT = 14,
};

// What one who watches has put together from frames: of each thing the section of each kind that came last.
typedef struct Section { uint8_t* data; size_t size; } Section;
typedef struct Picture
{
	uint32_t step, generations[2][MAX_THINGS]; // of bodies and of shapes; 0: not there
	Section sections[2][MAX_THINGS][3], single[KIND_COUNT];
	int replyCount;
	uint32_t lastReply;
} Picture;

static uint32_t WordAt( const uint8_t* bytes )
{
	uint32_t word;
	memcpy( &word, bytes, sizeof( word ) );
	return word;
}

static void Set( Section* section, const uint8_t* data, size_t size )
{
	free( section->data );
	section->data = data != NULL ? malloc( size ) : NULL;
	section->size = size;
	if ( data != NULL )
	{
		memcpy( section->data, data, size );
	}
}

static void Remove( Picture* picture, int group, uint32_t index )
{
	picture->generations[group][index] = 0;
	for ( int k = 0; k < 3; ++k )
	{
		Set( picture->sections[group][index] + k, NULL, 0 );
	}
}

static void Empty( Picture* picture )
{
	for ( uint32_t i = 0; i < MAX_THINGS; ++i )
	{
		Remove( picture, 0, i );
		Remove( picture, 1, i );
	}
}

static void FreePicture( Picture* picture )
{
	Empty( picture );
	for ( int i = 0; i < KIND_COUNT; ++i )
	{
		free( picture->single[i].data );
	}
	free( picture );
}

static void TakeSection( Picture* picture, const uint8_t* section, size_t size, uint32_t owner )
{
	uint32_t kind = WordAt( section ), index = WordAt( section + 8 ), generation = WordAt( section + 12 );
	int group = kind >= pn_shapeSection && kind <= pn_shapeMotionSection ? 1 : 0;
	switch ( kind )
	{
	case pn_bodySection:
	case pn_shapeSection:
		REQUIRE( index < MAX_THINGS );
		// Another with its index was told to be gone before.
		ENSURE( picture->generations[group][index] == 0 || picture->generations[group][index] == generation );
		picture->generations[group][index] = generation;
		Set( picture->sections[group][index], section, size );
		if ( kind == pn_shapeSection )
		{
			Set( picture->sections[group][index] + 1, NULL, 0 );
		}
		break;
	case pn_goneSection:
	case pn_shapeGoneSection:
		REQUIRE( index < MAX_THINGS && picture->generations[group][index] == generation ); // it was known
		Remove( picture, group, index );
		break;
	case pn_materialSection:
	case pn_motionSection:
	case pn_shapeMotionSection:
		REQUIRE( index < MAX_THINGS && picture->generations[group][index] == generation );
		Set( picture->sections[group][index] + ( kind == pn_motionSection ? 2 : 1 ), section, size );
		break;
	case pn_answerSection:
	case pn_pickSection:
		if ( index == owner )
		{
			ENSURE( generation > picture->lastReply ); // their sequence: each once, in order
			picture->lastReply = generation;
			picture->replyCount += 1;
		}
		break;
	default:
		REQUIRE( kind < KIND_COUNT );
		Set( picture->single + kind, section, size );
	}
}

static void TakeFrame( Picture* picture, const uint8_t* bytes, size_t size, uint32_t owner )
{
	REQUIRE( size >= 32 && WordAt( bytes + 4 ) == size );
	picture->step = WordAt( bytes + 12 );
	if ( WordAt( bytes + 28 ) & PN_FRESH_FRAME )
	{
		Empty( picture );
	}
	for ( size_t at = 32; at < size; at += 8 + WordAt( bytes + at + 4 ) )
	{
		REQUIRE( size - at >= 8 && WordAt( bytes + at + 4 ) <= size - at - 8 );
		TakeSection( picture, bytes + at, 8 + WordAt( bytes + at + 4 ), owner );
	}
}

static bool IsSame( const Section* a, const Section* b )
{
	return ( a->data == NULL ) == ( b->data == NULL ) && ( a->data == NULL || ( a->size == b->size && memcmp( a->data, b->data, a->size ) == 0 ) );
}

// A shape that was moved is where it was moved to; one that came later comes with its first place and is moved in the same frame.
static int CountDifferences( const Picture* a, const Picture* b )
{
	int count = a->step != b->step;
	for ( int group = 0; group < 2; ++group )
	{
		for ( int i = 0; i < MAX_THINGS; ++i )
		{
			count += a->generations[group][i] != b->generations[group][i];
			for ( int k = 0; k < 3; ++k )
			{
				count += IsSame( a->sections[group][i] + k, b->sections[group][i] + k ) == false;
			}
		}
	}
	static const int kinds[] = { pn_sceneSection, pn_handsSection, pn_metersSection };
	for ( int i = 0; i < 3; ++i )
	{
		count += IsSame( a->single + kinds[i], b->single + kinds[i] ) == false;
	}
	return count;
}

// One who looks: how often, what it has, how many frames it was sent.
typedef struct Watcher { Picture* picture; pnShown shown; uint32_t number, owner; int oneIn; } Watcher;

static Watcher MakeWatcher( int oneIn, uint32_t owner ) { return ( Watcher ){ .picture = calloc( 1, sizeof( Picture ) ), .oneIn = oneIn, .owner = owner }; }

static size_t Look( Watcher* watcher, const pnAlbum* album )
{
	pnBytes bytes = { 0 };
	watcher->number += 1;
	pnAlbum_Write( album, watcher->shown, watcher->number, watcher->owner, &bytes );
	ENSURE( bytes.failed == false && WordAt( bytes.data + 8 ) == watcher->number );
	TakeFrame( watcher->picture, bytes.data, bytes.size, watcher->owner );
	watcher->shown = ( pnShown ){ pnAlbum_GetNumber( album ), pnAlbum_GetNumber( album ) };
	free( bytes.data );
	return bytes.size;
}

// Whatever people do, whoever is sent one frame in one, in three, in ten has the picture of one who was sent them all; and who comes late too.
static void WhoMissesFramesSeesTheSame( void )
{
	size_t most = 0;
	int looks = 0, replies = 0;
	for ( int seed = 900; seed < 906; ++seed )
	{
		pnRandom random = SeedOf( seed );
		pnRoomDef def = pnDefaultRoomDef();
		pnRoom* room = NULL;
		REQUIRE( pnCreateRoom( &def, &room ) == pn_success );
		pnViewer* viewer = pnCreateViewer();
		pnAlbum* album = pnCreateAlbum();
		Picture* all = calloc( 1, sizeof( Picture ) );
		Watcher watchers[] = { MakeWatcher( 1, 10 ), MakeWatcher( 3, 11 ), MakeWatcher( 10, 12 ), MakeWatcher( 1000, 13 ) };
		pnRoom_Post( room, 0, 0, seed % 2 == 0 ? "load toys" : "load tear", 9 );
		for ( int round = 0; round < 60; ++round )
		{
			static const char* const more[] = { "shape 1 ball at 0 0.5 0 radius 0.2", "shape 1 move 0.3 0.5 0", "shape 1 remove", "load table", "load toys", "undo", "spawn cube at 0 2 0", "remove 1" };
			char line[256];
			for ( int i = pnRandomInt( &random, 3 ); i > 0; --i )
			{
				MakeDeed( &random, 10, line );
				pnRoom_Post( room, 10, (uint32_t)( 8 * round + i + 1 ), line, strlen( line ) );
			}
			if ( pnRandomInt( &random, 4 ) == 0 )
			{
				const char* text = more[pnRandomInt( &random, PN_COUNT( more ) )];
				pnRoom_Post( room, 12, (uint32_t)round + 1, text, strlen( text ) );
			}
			pnRoom_Post( room, 11, (uint32_t)round + 1, "ask ray 0 3 0 0 -6 0", 20 );
			pnRoom_Advance( room, pnRandomInt( &random, 4 ) );
			size_t size;
			const uint8_t* frame = pnViewer_WriteFrame( viewer, room, pn_noShading, &size );
			REQUIRE( frame != NULL && pnAlbum_Add( album, frame, size ) );
			TakeFrame( all, frame, size, 11 );
			most = size > most ? size : most;
			for ( int i = 0; i < PN_COUNT( watchers ); ++i )
			{
				if ( pnRandomInt( &random, watchers[i].oneIn ) == 0 || round == 59 )
				{
					pnTestContext( "seed %d, round %d, one in %d", seed, round, watchers[i].oneIn );
					Look( watchers + i, album );
					looks += 1;
					ENSURE( CountDifferences( watchers[i].picture, all ) == 0 );
				}
			}
		}
		// Answers reach whom they are for, each once, however many frames lie between, and nobody else.
		ENSURE( watchers[1].picture->replyCount == all->replyCount && all->replyCount == 60 );
		replies += watchers[1].picture->replyCount;
		// Nothing has happened since: the next frame is small.
		ENSURE( Look( watchers, album ) < 600 );
		for ( int i = 0; i < PN_COUNT( watchers ); ++i )
		{
			FreePicture( watchers[i].picture );
		}
		FreePicture( all );
		pnDestroyAlbum( album );
		pnDestroyViewer( viewer );
		pnDestroyRoom( room );
	}
	pnTestNote( "%d looks, frames of up to %zu bytes, %d answers", looks, most, replies );
}

// Things that come and go by the thousand: who missed more than is remembered is shown everything, and has no more and no fewer than there are.
static void ThingsComeAndGo( void )
{
	pnRandom random = SeedOf( 77 );
	pnAlbum* album = pnCreateAlbum();
	Picture* all = calloc( 1, sizeof( Picture ) );
	Watcher watchers[] = { MakeWatcher( 1, 10 ), MakeWatcher( 40, 10 ), MakeWatcher( 400, 10 ) };
	static uint32_t generations[64];
	static bool isThere[64];
	memset( generations, 0, sizeof( generations ) );
	memset( isThere, 0, sizeof( isThere ) );
	pnBytes frame = { 0 };
	for ( int round = 1; round <= 1200; ++round )
	{
		pnBeginFrame( &frame, &( pnFrameHead ){ (uint32_t)round, (uint32_t)round, 0.0f, 60.0f, 1, round == 1 ? PN_FRESH_FRAME : 0u } );
		bool hadTurn[64] = { 0 };
		for ( int i = 0; i < 6; ++i ) // those that go first
		{
			int index = 1 + pnRandomInt( &random, 63 );
			if ( isThere[index] )
			{
				size_t begin = pnBeginSection( &frame, pn_goneSection );
				pnPutBodyId( &frame, ( pnBodyId ){ index, generations[index] } );
				pnEndSection( &frame, begin );
				isThere[index] = false;
			}
			hadTurn[index] = pnRandomInt( &random, 2 ) == 0; // another may have its index at once
		}
		for ( int index = 1; index < 64; ++index )
		{
			if ( isThere[index] == false && hadTurn[index] == false && pnRandomInt( &random, 3 ) == 0 )
			{
				isThere[index] = true;
				generations[index] += 1;
				pnPutBody( &frame, ( pnBodyId ){ index, generations[index] }, ( pnBodyId ){ 0 }, round, NULL, 0 );
			}
		}
		pnEndFrame( &frame );
		REQUIRE( frame.failed == false && pnAlbum_Add( album, frame.data, frame.size ) );
		TakeFrame( all, frame.data, frame.size, 10 );
		for ( int i = 0; i < PN_COUNT( watchers ); ++i )
		{
			if ( pnRandomInt( &random, watchers[i].oneIn ) == 0 || round == 1200 )
			{
				pnTestContext( "round %d, one in %d", round, watchers[i].oneIn );
				Look( watchers + i, album );
				ENSURE( CountDifferences( watchers[i].picture, all ) == 0 );
			}
		}
	}
	// Bytes that are no frame leave nothing behind: there is nothing to show until everything has come anew.
	frame.data[39] ^= 0x40; // the length of the first section
	ENSURE( pnAlbum_Add( album, frame.data, frame.size ) == false && pnAlbum_GetNumber( album ) == 0 );
	pnBeginFrame( &frame, &( pnFrameHead ){ 1, 1, 0.0f, 60.0f, 1, PN_FRESH_FRAME } );
	pnEndFrame( &frame );
	ENSURE( pnAlbum_Add( album, frame.data, frame.size ) && pnAlbum_GetNumber( album ) > 1200 );
	TakeFrame( all, frame.data, frame.size, 10 );
	Look( watchers, album );
	ENSURE( CountDifferences( watchers[0].picture, all ) == 0 );
	for ( int i = 0; i < PN_COUNT( watchers ); ++i )
	{
		FreePicture( watchers[i].picture );
	}
	FreePicture( all );
	free( frame.data );
	pnDestroyAlbum( album );
}

static const pnTest s_tests[] = { RUN( WhoMissesFramesSeesTheSame ), RUN( ThingsComeAndGo ) };
SUITE( stream, s_tests );
