// test_room.c - a room: what was done plays again to the same bits, order does not depend on arrival, undo is exact, and frames show the world.
// The frame decoder here is written from docs/wire.md and shares nothing with the encoder. Knows the room's own headers.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "deeds.h"
#include "frame.h"
#include "handles.h"
#include "room.h"
#include "room_scenes.h"
#include "solids.h"
#include "test.h"
#include "wire_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pnRoom* MakeRoom( int workers )
{
	pnRoomDef def = pnDefaultRoomDef();
	def.tasks.workerCount = workers;
	pnRoom* room = NULL;
	ENSURE( pnCreateRoom( &def, &room ) == pn_success );
	return room;
}

static void Post( pnRoom* room, uint32_t owner, uint32_t sequence, const char* text ) { pnRoom_Post( room, owner, sequence, text, strlen( text ) ); }

static void Do( pnRoom* room, const char* text )
{
	Post( room, 0, 0, text );
	pnRoom_Advance( room, 0 );
}

static int CountBodies( pnRoom* room ) { return pnWorld_GetBodies( pnRoom_GetWorld( room ), NULL, 0 ); }

// Whatever two people do: the script that is left plays in an empty room, by three workers, to the same hash.
static void ScriptsPlayAgain( void )
{
	int64_t bytes = pnGetByteCount();
	int most = 0;
	for ( uint64_t seed = 1; seed <= 10; ++seed )
	{
		pnRandom random = pnSeed( 700 + seed );
		pnRoom* room = MakeRoom( 1 );
		pnTestContext( "seed %d", (int)seed );
		Do( room, seed % 3 == 0 ? "load grab" : "load toys" );
		char line[256];
		for ( uint32_t round = 0; round < 25; ++round )
		{
			for ( int i = pnRandomInt( &random, 4 ); i > 0; --i )
			{
				uint32_t owner = 10 + (uint32_t)pnRandomInt( &random, 2 );
				MakeDeed( &random, owner, line );
				Post( room, owner, round, line );
			}
			pnRoom_Advance( room, pnRandomInt( &random, 5 ) );
		}
		most = CountBodies( room ) > most ? CountBodies( room ) : most;
		size_t length;
		const char* script = pnRoom_GetScript( room, &length );
		REQUIRE( script != NULL );
		pnRoom* again = MakeRoom( 3 );
		pnFault fault;
		bool good = pnRoom_Play( again, script, length, &fault );
		pnTestContext( "seed %d, line %d: %s", (int)seed, fault.line, fault.text );
		ENSURE( good && pnRoom_GetHash( again ) == pnRoom_GetHash( room ) );
		// and what it left is the same script
		size_t secondLength;
		const char* second = pnRoom_GetScript( again, &secondLength );
		ENSURE( second != NULL && secondLength == length && memcmp( script, second, length ) == 0 );
		pnDestroyRoom( room );
		pnDestroyRoom( again );
	}
	ENSURE( pnGetByteCount() == bytes );
	pnTestNote( "up to %d bodies", most );
}

static bool StopAt( void* left, double done, double total )
{
	ENSURE( done >= 1.0 && done <= total && total == 31.0 );
	*(int*)left -= 1;
	return *(int*)left > 0;
}

// A watcher ends a script between any two steps: what the room then leaves as its script comes to where it stopped.
static void WatchersEndScripts( void )
{
	const char script[] = "load toys\nstep 9\nspawn ball at 0 2 0\nstep 12 dt 0.01 substeps 2\nstep 10\n";
	uint64_t whole[3] = { 0 };
	static const int stops[] = { 1, 8, 9, 10, 15, 21, 22, 31 }; // within each of the lines, and at their ends
	for ( int k = 0; k < 8; ++k )
	{
		int made = stops[k];
		pnRoom *room = MakeRoom( 1 ), *again = MakeRoom( 1 );
		pnFault fault;
		int left = made;
		pnTestContext( "%d steps", made );
		bool good = pnRoom_PlayWatched( room, script, sizeof( script ) - 1, StopAt, &left, &fault );
		ENSURE( good == false && strcmp( fault.text, "stopped" ) == 0 && fault.line == ( made <= 9 ? 2 : made <= 21 ? 4 : 5 ) );
		ENSURE( pnRoom_GetStep( room ) == (uint32_t)made );
		size_t length;
		const char* done = pnRoom_GetScript( room, &length );
		REQUIRE( done != NULL );
		ENSURE( pnRoom_Play( again, done, length, &fault ) && pnRoom_GetHash( again ) == pnRoom_GetHash( room ) );
		whole[0] = pnRoom_GetHash( room );
		pnDestroyRoom( room );
		pnDestroyRoom( again );
	}
	// All 31 steps, watched to the last one and not watched at all.
	pnRoom *room = MakeRoom( 1 ), *again = MakeRoom( 1 );
	pnFault fault;
	int left = 100;
	ENSURE( pnRoom_PlayWatched( room, script, sizeof( script ) - 1, StopAt, &left, &fault ) && left == 100 - 31 );
	ENSURE( pnRoom_Play( again, script, sizeof( script ) - 1, &fault ) );
	whole[1] = pnRoom_GetHash( room );
	whole[2] = pnRoom_GetHash( again );
	ENSURE( whole[1] == whole[2] && whole[0] == whole[1] );
	pnTestContext( " " );
	pnDestroyRoom( room );
	pnDestroyRoom( again );
}

// The same messages, arrived in another order, come to the same.
static void OrderIsByOwnerAndSequence( void )
{
	pnRandom random = pnSeed( 5 );
	for ( int round = 0; round < 6; ++round )
	{
		char lines[12][256];
		uint64_t hashes[2] = { 0 };
		for ( int i = 0; i < 12; ++i )
		{
			MakeDeed( &random, 10 + (uint32_t)i % 3, lines[i] );
		}
		int orders[2][12];
		for ( int i = 0; i < 12; ++i )
		{
			orders[0][i] = i;
			orders[1][i] = ( 5 * i + 3 ) % 12;
		}
		for ( int k = 0; k < 2; ++k )
		{
			pnRoom* room = MakeRoom( 1 );
			Do( room, "load toys" );
			for ( int i = 0; i < 12; ++i )
			{
				int which = orders[k][i];
				Post( room, 10 + (uint32_t)which % 3, 1 + (uint32_t)which / 3, lines[which] );
			}
			pnRoom_Advance( room, 8 );
			hashes[k] = pnRoom_GetHash( room );
			pnDestroyRoom( room );
		}
		pnTestContext( "round %d", round );
		ENSURE( hashes[0] == hashes[1] );
	}
}

static void UndoIsExact( void )
{
	pnRandom random = pnSeed( 11 );
	pnRoom* room = MakeRoom( 1 );
	Do( room, "load toys" );
	enum { depth = 8 };
	uint64_t before[depth + 1];
	for ( int i = 0; i < depth; ++i )
	{
		pnRoom_Advance( room, pnRandomInt( &random, 4 ) );
		before[i] = pnRoom_GetHash( room );
		char line[128];
		snprintf( line, sizeof( line ), "spawn ball at %.3f 2 %.3f", Around( &random, 1.0 ), Around( &random, 1.0 ) );
		Do( room, i % 2 == 0 ? line : "cut plane 0 0.4 0 0 1 0.2 inside 1" );
	}
	before[depth] = pnRoom_GetHash( room );
	for ( int i = depth - 1; i >= 0; --i )
	{
		Do( room, "undo" );
		pnTestContext( "undo %d", i );
		ENSURE( pnRoom_GetHash( room ) == before[i] );
	}
	ENSURE( CountBodies( room ) == 8 );
	// Forward again: each redo leads to where the deed had led, before the steps that followed
	for ( int i = 0; i < depth; ++i )
	{
		Do( room, "redo" );
	}
	ENSURE( pnRoom_GetHash( room ) == before[depth] );
	Do( room, "undo\nspawn cube at 0 2 0" );
	uint64_t now = pnRoom_GetHash( room );
	Do( room, "redo" ); // a new deed ends what could be redone
	ENSURE( pnRoom_GetHash( room ) == now );
	// A scene can be undone too, and a slider drawn along is one deed
	Do( room, "load pile" );
	Do( room, "undo" );
	ENSURE( pnRoom_GetHash( room ) == now );
	for ( int i = 1; i <= 30; ++i )
	{
		char line[64];
		snprintf( line, sizeof( line ), "material all hertz %d", 3 + i );
		Do( room, line );
	}
	Do( room, "undo" );
	ENSURE( pnRoom_GetHash( room ) == now );
	pnDestroyRoom( room );
}

// However many deeds there are, no more than what was allowed is kept; and one can always be undone.
static void UndoIsBounded( void )
{
	pnRoomDef def = pnDefaultRoomDef();
	def.undoCount = 3;
	pnRoom* room;
	REQUIRE( pnCreateRoom( &def, &room ) == pn_success );
	Do( room, "load toys" );
	uint64_t hashes[6];
	for ( int i = 0; i < 6; ++i )
	{
		hashes[i] = pnRoom_GetHash( room );
		Do( room, "spawn ball at 0 3 0" );
	}
	for ( int i = 5; i >= 3; --i )
	{
		Do( room, "undo" );
		ENSURE( pnRoom_GetHash( room ) == hashes[i] );
	}
	Do( room, "undo" );
	ENSURE( pnRoom_GetHash( room ) == hashes[3] );
	pnDestroyRoom( room );
	def.undoBytes = 1; // less than any world
	REQUIRE( pnCreateRoom( &def, &room ) == pn_success );
	Do( room, "load toys" );
	uint64_t hash = pnRoom_GetHash( room );
	Do( room, "remove all" );
	ENSURE( CountBodies( room ) == 0 );
	Do( room, "undo" );
	ENSURE( pnRoom_GetHash( room ) == hash );
	pnDestroyRoom( room );
}

// Whatever is done, undone and redone, in worlds of any size: both lists together keep to their bytes, and what is left of them is exact.
static void HistoryIsBounded( void )
{
	pnRoomDef def = pnDefaultRoomDef();
	pnRoom* room;
	pnRandom random = pnSeed( 41 );
	REQUIRE( pnCreateRoom( &def, &room ) == pn_success );
	Do( room, "load toys" );
	size_t world = pnRoom_Save( room, NULL, 0 );
	pnDestroyRoom( room );
	def.undoBytes = 5 * world;
	REQUIRE( pnCreateRoom( &def, &room ) == pn_success );
	Do( room, "load toys" );
	size_t most = 0;
	for ( int i = 0; i < 120; ++i )
	{
		static const char* const lines[] = { "spawn ball at 0 3 0", "undo", "undo", "redo", "remove all", "load toys" };
		Do( room, lines[pnRandomInt( &random, 6 )] );
		size_t kept = pnRoom_GetHistory( room );
		most = kept > most ? kept : most;
		ENSURE( kept <= def.undoBytes );
	}
	ENSURE( most > 3 * world ); // it was full now and then
	Do( room, "load toys" );
	uint64_t hash = pnRoom_GetHash( room );
	Do( room, "spawn ball at 0 3 0\nremove all" );
	Do( room, "undo" );
	pnRoom_TrimHistory( room, world + world / 2 );
	ENSURE( pnRoom_GetHistory( room ) > 0 && pnRoom_GetHistory( room ) <= world + world / 2 );
	Do( room, "undo" );
	ENSURE( pnRoom_GetHash( room ) == hash && pnRoom_LacksPast( room ) == false );
	pnRoom_TrimHistory( room, 0 );
	ENSURE( pnRoom_GetHistory( room ) == 0 );
	Do( room, "undo\nredo" );
	ENSURE( pnRoom_GetHash( room ) == hash && pnRoom_LacksPast( room ) == false );
	pnDestroyRoom( room );
}

static void WhatMeansNothingChangesNothing( void )
{
	static const struct
	{
		const char* line;
		pnAnswerKind kind;
	} cases[] = {
		{ "fly", pn_faultAnswer },
		{ "step 3", pn_faultAnswer },
		{ "grab 11:1 at 0 0 0", pn_faultAnswer }, // another's hand
		{ "letgo 11", pn_faultAnswer },
		{ "grab 10:1 at 0 50 0", pn_nothingAnswer },
		{ "grab 10:1 ray 0 50 0 0 1 0", pn_nothingAnswer },
		{ "move 10:1 0 0 0", pn_nothingAnswer },
		{ "move 10:1 0 0 0 steps 9", pn_nothingAnswer },
		{ "lock 10:1", pn_nothingAnswer },
		{ "cut plane 0 90 0 0 1 0", pn_nothingAnswer },
		{ "cut plane 0 0 0 0 0 0", pn_refusedAnswer },
		{ "remove 99.1", pn_nothingAnswer },
		{ "remove 1.7", pn_nothingAnswer },
		{ "throw 99.1 0 0 0", pn_nothingAnswer },
		{ "pin 1.1 at 0 90 0 radius 0.1", pn_nothingAnswer },
		{ "material 99.1 hertz 3", pn_nothingAnswer },
		{ "material all hertz -3", pn_refusedAnswer },
		{ "material all preset gold", pn_nothingAnswer },
		{ "spawn unicorn at 0 0 0", pn_nothingAnswer },
		{ "spawn ball at 0 0 0 hertz -1", pn_refusedAnswer },
		{ "spawn ball at 0 0 0 preset gold", pn_nothingAnswer },
		{ "shape 3 move 0 0 0", pn_nothingAnswer },
		{ "shape 3 ball at 0 0 0 radius -1", pn_refusedAnswer },
		{ "solid ball points 4 0 0 0 1 0 0 0 1 0 0 0 1 triangles 1 0 1 2", pn_refusedAnswer }, // this one comes along
		{ "solid flat points 4 0 0 0 0 0 0 0 0 0 0 0 0 triangles 1 0 1 2", pn_refusedAnswer },
		{ "load nowhere", pn_nothingAnswer },
		{ "undo", pn_nothingAnswer },
		{ "redo", pn_nothingAnswer },
		{ "expect hash 0x0000000000000000", pn_differsAnswer },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		// A room in which nothing can be undone: loaded before it was saved
		pnRoom* room = MakeRoom( 1 );
		bool isUndo = strcmp( cases[i].line, "undo" ) == 0;
		if ( isUndo == false )
		{
			Do( room, "load toys" );
		}
		uint64_t hash = pnRoom_GetHash( room ), last = 0;
		for ( const pnAnswer* old; ( old = pnRoom_GetAnswer( room, last ) ) != NULL; last = old->serial )
		{
		}
		Post( room, 10, 77, cases[i].line );
		pnRoom_Advance( room, 0 );
		const pnAnswer* answer = pnRoom_GetAnswer( room, last );
		pnTestContext( "%s: %s", cases[i].line, answer != NULL ? answer->text : "" );
		REQUIRE( answer != NULL );
		ENSURE( answer->kind == cases[i].kind && answer->owner == 10 && answer->sequence == 77 && answer->text[0] != 0 );
		ENSURE( pnRoom_GetHash( room ) == hash );
		size_t length;
		const char* script = pnRoom_GetScript( room, &length );
		ENSURE( script != NULL && strncmp( script, isUndo ? "expect hash" : "load toys\nexpect hash", isUndo ? 11 : 21 ) == 0 );
		pnDestroyRoom( room );
	}
}

static void SavedRoomsGoOn( void )
{
	pnRoom *room = MakeRoom( 1 ), *other = MakeRoom( 2 );
	Do( room, "load cuts\nrate 90\nsubsteps 3" );
	pnRoom_Advance( room, 40 );
	size_t size = pnRoom_Save( room, NULL, 0 );
	uint8_t* bytes = malloc( size );
	REQUIRE( bytes != NULL && pnRoom_Save( room, bytes, size ) == size );
	ENSURE( pnRoom_Restore( other, bytes, size ) == pn_success && pnRoom_GetHash( other ) == pnRoom_GetHash( room ) );
	ENSURE( pnRoom_GetRate( other ) == 90.0f );
	pnRoom_Advance( room, 40 );
	pnRoom_Advance( other, 40 );
	ENSURE( pnRoom_GetHash( other ) == pnRoom_GetHash( room ) );
	// Damaged bytes change nothing
	uint64_t hash = pnRoom_GetHash( other );
	pnRandom random = pnSeed( 3 );
	for ( int i = 0; i < 40; ++i )
	{
		size_t at = 56 + (size_t)pnRandomInt( &random, (int)size - 56 ); // after the head, which has no checksum of its own
		uint8_t bit = (uint8_t)( 1 << pnRandomInt( &random, 8 ) );
		bytes[at] ^= bit;
		ENSURE( pnRoom_Restore( other, bytes, size ) != pn_success && pnRoom_GetHash( other ) == hash );
		bytes[at] ^= bit;
		ENSURE( pnRoom_Restore( other, bytes, (size_t)pnRandomInt( &random, (int)size ) ) != pn_success && pnRoom_GetHash( other ) == hash );
	}
	for ( size_t cut = 0; cut < 60; ++cut )
	{
		ENSURE( pnRoom_Restore( other, bytes, cut ) != pn_success && pnRoom_GetHash( other ) == hash );
	}
	free( bytes );
	pnDestroyRoom( room );
	pnDestroyRoom( other );
}

// A cube as someone may bring it, in a fine and in a coarse mesh.
static void BroughtSolidsAreSoft( void )
{
	for ( int side = 2; side <= 24; side += 11 )
	{
		static char line[4000000];
		int length = snprintf( line, sizeof( line ), "solid mine points %d", 6 * side * side );
		for ( int face = 0; face < 6; ++face )
		{
			for ( int i = 0; i < side * side; ++i )
			{
				double u = (double)( i % side ) / ( side - 1 ) - 0.5, v = (double)( i / side ) / ( side - 1 ) - 0.5, w = face < 3 ? -0.5 : 0.5;
				double p[3];
				p[face % 3] = w;
				p[( face + 1 ) % 3] = face < 3 ? v : u;
				p[( face + 2 ) % 3] = face < 3 ? u : v;
				length += snprintf( line + length, sizeof( line ) - (size_t)length, " %.6g %.6g %.6g", p[0], p[1], p[2] );
			}
		}
		length += snprintf( line + length, sizeof( line ) - (size_t)length, " triangles %d", 12 * ( side - 1 ) * ( side - 1 ) );
		for ( int face = 0; face < 6; ++face )
		{
			for ( int i = 0; i < ( side - 1 ) * ( side - 1 ); ++i )
			{
				int a = face * side * side + i % ( side - 1 ) + side * ( i / ( side - 1 ) );
				length += snprintf( line + length, sizeof( line ) - (size_t)length, " %d %d %d %d %d %d", a, a + 1, a + side, a + 1, a + side + 1, a + side );
			}
		}
		pnRoom* room = MakeRoom( 1 );
		Do( room, "load table" );
		pnRoom_Post( room, 10, 1, line, (size_t)length );
		Post( room, 10, 2, "spawn mine at 0 1.5 0" );
		pnRoom_Advance( room, 150 );
		pnTestContext( "%d vertices along a side", side );
		REQUIRE( CountBodies( room ) == 1 );
		pnBodyId body;
		pnBodyState state;
		pnWorld_GetBodies( pnRoom_GetWorld( room ), &body, 1 );
		REQUIRE( pnBody_GetState( pnRoom_GetWorld( room ), body, &state ) == pn_success );
		ENSURE( state.center.y > 0.25f && state.center.y < 0.75f ); // on the table
		ENSURE( state.bounds.lower.y > -0.1f );
		size_t scriptLength;
		const char* script = pnRoom_GetScript( room, &scriptLength );
		pnRoom* again = MakeRoom( 2 );
		pnFault fault;
		ENSURE( script != NULL && pnRoom_Play( again, script, scriptLength, &fault ) );
		pnDestroyRoom( again );
		pnDestroyRoom( room );
	}
}

// ---- frames, read as docs/wire.md says ----

typedef struct Reader
{
	const uint8_t* bytes;
	size_t at, end;
	bool failed;
} Reader;

static const uint8_t* Take( Reader* r, size_t count )
{
	if ( count > r->end - r->at || r->failed )
	{
		static const uint8_t nothing[64];
		r->failed = true;
		return nothing;
	}
	r->at += count;
	return r->bytes + r->at - count;
}

static uint32_t Word( Reader* r )
{
	const uint8_t* b = Take( r, 4 );
	return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static float Float( Reader* r )
{
	uint32_t word = Word( r );
	float value;
	memcpy( &value, &word, 4 );
	return value;
}

static void Pad( Reader* r ) { Take( r, ( 4 - r->at % 4 ) % 4 ); }

enum { MAX_BODIES = 512, MAX_PARTS = 4 };

// What a viewer has put together from frames.
typedef struct Seen
{
	bool isThere;
	uint32_t generation;
	int partCount, vertexCounts[MAX_PARTS], triangleCounts[MAX_PARTS];
	pnVec3* vertices; // of all parts
	pnVec3* normals;
	float extent;
	float hertz;
} Seen;

static Seen s_seen[MAX_BODIES];

static void Forget( Seen* seen )
{
	free( seen->vertices );
	free( seen->normals );
	*seen = ( Seen ){ 0 };
}

static void ForgetAll( void )
{
	for ( int i = 0; i < MAX_BODIES; ++i )
	{
		Forget( s_seen + i );
	}
}

static void TakeBody( Reader* r )
{
	uint32_t index = Word( r ), generation = Word( r );
	Take( r, 8 ); // from
	Word( r ); // points
	REQUIRE( index > 0 && index < MAX_BODIES );
	Seen* seen = s_seen + index;
	Forget( seen );
	*seen = ( Seen ){ .isThere = true, .generation = generation, .partCount = (int)Word( r ) };
	REQUIRE( seen->partCount <= MAX_PARTS );
	size_t total = 0;
	for ( int i = 0; i < seen->partCount; ++i )
	{
		seen->vertexCounts[i] = (int)Word( r );
		seen->triangleCounts[i] = (int)Word( r );
		Take( r, 16 );
		for ( int k = 0; k < 3 * seen->triangleCounts[i]; ++k )
		{
			ENSURE( (int)Word( r ) < seen->vertexCounts[i] );
		}
		Take( r, (size_t)seen->triangleCounts[i] );
		Pad( r );
		total += (size_t)seen->vertexCounts[i];
	}
	seen->vertices = calloc( total + 1, sizeof( pnVec3 ) );
	seen->normals = calloc( total + 1, sizeof( pnVec3 ) );
}

static void TakeMotion( Reader* r )
{
	uint32_t index = Word( r ), generation = Word( r );
	REQUIRE( index > 0 && index < MAX_BODIES && s_seen[index].isThere && s_seen[index].generation == generation );
	Seen* seen = s_seen + index;
	float origin[3] = { Float( r ), Float( r ), Float( r ) };
	seen->extent = Float( r );
	bool isShaded = ( Word( r ) & 1 ) != 0;
	for ( int i = 0, first = 0; i < seen->partCount; first += seen->vertexCounts[i], ++i )
	{
		for ( int k = 0; k < 3 * seen->vertexCounts[i]; ++k )
		{
			const uint8_t* b = Take( r, 2 );
			( (float*)( seen->vertices + first ) )[k] = origin[k % 3] + seen->extent * (float)( b[0] | b[1] << 8 ) / 65535.0f;
		}
		Pad( r );
		for ( int k = 0; k < 3 * seen->vertexCounts[i]; ++k )
		{
			const uint8_t* b = Take( r, 2 );
			( (float*)( seen->normals + first ) )[k] = (float)(int16_t)( b[0] | b[1] << 8 ) / 32767.0f;
		}
		Pad( r );
		Take( r, isShaded ? (size_t)seen->vertexCounts[i] : 0 );
		Pad( r );
	}
}

// Returns the flags.
static uint32_t TakeFrame( const uint8_t* bytes, size_t size )
{
	Reader r = { bytes, 0, size, false };
	ENSURE( memcmp( Take( &r, 4 ), "pnF\1", 4 ) == 0 && Word( &r ) == size );
	Take( &r, 20 );
	uint32_t flags = Word( &r );
	if ( ( flags & 1 ) != 0 )
	{
		ForgetAll();
	}
	while ( r.at < r.end && r.failed == false )
	{
		uint32_t kind = Word( &r ), length = Word( &r );
		ENSURE( length % 4 == 0 && length <= r.end - r.at );
		Reader section = { bytes, r.at, r.at + length, false };
		if ( kind == 2 )
		{
			TakeBody( &section );
		}
		else if ( kind == 3 )
		{
			uint32_t index = Word( &section );
			ENSURE( index < MAX_BODIES && s_seen[index].isThere && s_seen[index].generation == Word( &section ) );
			Forget( s_seen + index );
		}
		else if ( kind == 4 )
		{
			uint32_t index = Word( &section );
			Take( &section, 8 );
			s_seen[index].hertz = Float( &section );
			section.at = section.end;
		}
		else if ( kind == 5 )
		{
			TakeMotion( &section );
			ENSURE( section.at == section.end );
		}
		ENSURE( section.failed == false );
		r.at += length;
	}
	ENSURE( r.failed == false );
	return flags;
}

static size_t TakeNext( pnViewer* viewer, const pnRoom* room )
{
	size_t size = 0;
	const uint8_t* bytes = pnViewer_WriteFrame( viewer, room, pn_noShading, &size );
	TakeFrame( bytes, size );
	return size;
}

static uint32_t TakeHandles( pnHandles* handles, bool fresh )
{
	size_t size = 0;
	const uint8_t* bytes = pnHandles_WriteFrame( handles, fresh, &size );
	return TakeFrame( bytes, size );
}

// All bodies of the world, and no others, lie in the viewer's memory where the world has them.
static void Compare( const pnWorld* world )
{
	static pnBodyId bodies[MAX_BODIES];
	int count = pnWorld_GetBodies( world, bodies, MAX_BODIES ), seenCount = 0;
	for ( int i = 0; i < MAX_BODIES; ++i )
	{
		seenCount += s_seen[i].isThere ? 1 : 0;
	}
	ENSURE( count == seenCount );
	for ( int i = 0; i < count; ++i )
	{
		const Seen* seen = s_seen + bodies[i].index1;
		REQUIRE( seen->isThere && seen->generation == bodies[i].generation );
		pnMaterial material;
		pnBody_GetMaterial( world, bodies[i], &material );
		ENSURE( material.hertz == seen->hertz );
		const pnSolid* solid = pnBody_GetSolid( world, bodies[i] );
		uint64_t colors = pnBody_GetUserData( world, bodies[i] );
		int skinCount = pnSolid_GetInfo( solid ).skinCount, part = 0, first = 0;
		for ( int skin = 0; skin < skinCount; ++skin )
		{
			if ( skinCount > 1 && pnUnpackColor( colors, skin ) == 0 )
			{
				continue;
			}
			pnSkinInfo info = pnSolid_GetSkin( solid, skin );
			REQUIRE( part < seen->partCount && seen->vertexCounts[part] == info.vertexCount && seen->triangleCounts[part] == info.triangleCount );
			pnVec3* positions = malloc( (size_t)info.vertexCount * sizeof( pnVec3 ) );
			pnVec3* normals = malloc( (size_t)info.vertexCount * sizeof( pnVec3 ) );
			pnBody_WriteSkin( world, bodies[i], skin, positions, normals, info.vertexCount );
			double worst = 0.0, worstNormal = 0.0;
			for ( int k = 0; k < 3 * info.vertexCount; ++k )
			{
				worst = fmax( worst, fabs( (double)( (float*)positions )[k] - (double)( (float*)( seen->vertices + first ) )[k] ) );
				worstNormal = fmax( worstNormal, fabs( (double)( (float*)normals )[k] - (double)( (float*)( seen->normals + first ) )[k] ) );
			}
			// half a step of the grid, and what floats of this size round
			ENSURE_MOST( worst, 0.5001 * (double)seen->extent / 65535.0 + 2e-6 );
			ENSURE_MOST( worstNormal, 0.5001 / 32767.0 + 1e-6 );
			free( positions );
			free( normals );
			first += info.vertexCount;
			part += 1;
		}
		ENSURE( part == seen->partCount );
	}
}

// Whatever happens, and however many steps lie between frames: what a viewer has put together is the world.
static void FramesShowTheWorld( void )
{
	size_t most = 0;
	for ( uint64_t seed = 1; seed <= 8; ++seed )
	{
		pnRandom random = pnSeed( 40 + seed );
		pnRoom* room = MakeRoom( 1 );
		pnViewer* viewer = pnCreateViewer();
		ForgetAll();
		Do( room, seed % 2 == 0 ? "load toys" : seed == 1 ? "load tear" : "load incision" );
		for ( int round = 0; round < 14; ++round )
		{
			char line[256];
			for ( int i = pnRandomInt( &random, 3 ); i > 0; --i )
			{
				MakeDeed( &random, 10, line );
				Post( room, 10, (uint32_t)round, line );
			}
			pnRoom_Advance( room, pnRandomInt( &random, 16 ) );
			size_t size;
			const uint8_t* bytes = pnViewer_WriteFrame( viewer, room, (pnShading)pnRandomInt( &random, 6 ), &size );
			REQUIRE( bytes != NULL );
			most = size > most ? size : most;
			pnTestContext( "seed %d, round %d", (int)seed, round );
			uint32_t flags = TakeFrame( bytes, size );
			ENSURE( round > 0 || ( flags & 1 ) != 0 );
			Compare( pnRoom_GetWorld( room ) );
		}
		pnDestroyViewer( viewer );
		pnDestroyRoom( room );
	}
	ForgetAll();
	pnTestNote( "up to %zu bytes", most );
}

// What sleeps is not sent again, but what is woken is.
static void SleepersAreNotSent( void )
{
	pnRoom* room = MakeRoom( 1 );
	pnViewer* viewer = pnCreateViewer();
	ForgetAll();
	Do( room, "load table\nspawn cube at 0 0.31 0 preset rubber damping 1 hertz 20" );
	size_t quiet = 0;
	for ( int i = 0; i < 40; ++i )
	{
		pnRoom_Advance( room, 15 );
		quiet = TakeNext( viewer, room );
		Compare( pnRoom_GetWorld( room ) );
	}
	pnProfile profile = pnWorld_GetProfile( pnRoom_GetWorld( room ) );
	ENSURE( profile.awakeCount == 0 && quiet < 400 );
	Do( room, "throw all 0 1 0" );
	pnRoom_Advance( room, 5 );
	ENSURE( TakeNext( viewer, room ) > 2000 );
	Compare( pnRoom_GetWorld( room ) );
	pnDestroyViewer( viewer );
	pnDestroyRoom( room );
	ForgetAll();
}

// A command that is taken between steps is answered without all the bodies; what it changed is there.
static void BetweenStepsNothingMoves( void )
{
	pnRoom* room = MakeRoom( 1 );
	pnViewer* viewer = pnCreateViewer();
	ForgetAll();
	Do( room, "load toys" );
	pnRoom_Advance( room, 20 );
	size_t all = TakeNext( viewer, room );
	Do( room, "ask ray 0 3 0 0 -6 0" );
	size_t answer = TakeNext( viewer, room );
	ENSURE( answer < 2000 && answer < all / 50 );
	Compare( pnRoom_GetWorld( room ) );
	Do( room, "cut plane -1.45 0.4 -0.45 1 0 0 inside 1" );
	ENSURE( TakeNext( viewer, room ) > answer );
	Compare( pnRoom_GetWorld( room ) );
	Do( room, "undo" );
	TakeNext( viewer, room );
	Compare( pnRoom_GetWorld( room ) );
	pnRoom_Advance( room, 1 );
	TakeNext( viewer, room );
	Compare( pnRoom_GetWorld( room ) );
	pnDestroyViewer( viewer );
	pnDestroyRoom( room );
	ForgetAll();
}

// From outside a box of planes one looks, and reaches, into it: whichever body a ray is aimed at, it is that one or one before it.
static void EyesLookIntoBoxes( void )
{
	pnRoom* room = MakeRoom( 1 );
	Do( room, "load pile" );
	pnRoom_Advance( room, 30 );
	const pnWorld* world = pnRoom_GetWorld( room );
	static pnBodyId bodies[MAX_BODIES];
	int count = pnWorld_GetBodies( world, bodies, MAX_BODIES );
	pnRandom random = pnSeed( 71 );
	for ( int i = 0; i < count; ++i )
	{
		pnBodyState state;
		REQUIRE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		float angle = (float)Around( &random, 3.1 );
		pnVec3 eye = { 12.0f * cosf( angle ), (float)pnRandomIn( &random, 1.0, 8.0 ), 12.0f * sinf( angle ) };
		pnVec3 way = pnSub( state.center, eye );
		pnRayHit hit = pnCastEyeRay( world, eye, way );
		ENSURE( hit.hit && hit.body.index1 != 0 );
		ENSURE( pnWorld_CastRay( world, eye, way, UINT32_MAX ).body.index1 == 0 ); // a wall stands before it
		// And out of the ground nothing is taken: a ray that stays under the floor meets it or nothing.
		ENSURE( pnCastEyeRay( world, pnMakeVec3( eye.x, -1.0f, eye.z ), pnMakeVec3( -eye.x, -0.1f, -eye.z ) ).body.index1 == 0 );
	}
	pnDestroyRoom( room );
}

// The bytes that the page's decoder is tested with as well.
static void WireIsAsRecorded( void )
{
	pnBytes bytes = { 0 };
	pnWriteWireSample( &bytes );
	FILE* file = fopen( PLIANT_WIRE_SAMPLE, "rb" );
	REQUIRE( file != NULL );
	uint8_t* recorded = malloc( bytes.size + 1 );
	size_t size = fread( recorded, 1, bytes.size + 1, file );
	fclose( file );
	ENSURE( size == bytes.size && memcmp( recorded, bytes.data, size ) == 0 );
	ForgetAll();
	ENSURE( TakeFrame( recorded, size ) == 1 );
	ENSURE( s_seen[7].isThere && s_seen[7].generation == 3 && s_seen[7].vertexCounts[0] == 4 && s_seen[7].triangleCounts[0] == 2 );
	ENSURE_NEAR( s_seen[7].vertices[2].y, 3.0, 1e-6 );
	ForgetAll();
	free( recorded );
	free( bytes.data );
}

// ---- a baked response ----

// Two handles of a strip; each moves the half it is on.
static size_t BakeStrip( uint8_t** bytes )
{
	enum { count = 20 };
	pnVec3 vertices[count];
	int32_t triangles[3 * ( count - 2 )];
	float motion[6][3 * count] = { { 0 } };
	double compliance[36] = { 0 };
	for ( int i = 0; i < count; ++i )
	{
		vertices[i] = pnMakeVec3( 0.1f * (float)( i / 2 ), i % 2 == 0 ? 0.0f : 0.2f, 0.0f );
		for ( int a = 0; a < 6; ++a )
		{
			motion[a][3 * i + a % 3] = ( a < 3 ) == ( i < count / 2 ) ? 1e-3f : 2e-4f;
		}
	}
	for ( int i = 0; i < 3 * ( count - 2 ); ++i )
	{
		triangles[i] = i / 3 + i % 3;
	}
	for ( int a = 0; a < 6; ++a )
	{
		compliance[7 * a] = 1e-3;
		compliance[6 * a + ( a + 3 ) % 6] = 2e-4;
	}
	const pnVec3 handles[2] = { vertices[4], vertices[16] };
	pnResponseDef def = pnDefaultResponseDef();
	def.handleCount = 2;
	def.vertexCount = count;
	def.triangleCount = count - 2;
	def.handles = handles;
	def.vertices = vertices;
	def.triangles = triangles;
	def.compliance = compliance;
	def.motion = motion[0];
	pnResponse* response = NULL;
	ENSURE( pnCreateResponse( &def, &response ) == pn_success );
	size_t size = pnResponse_Bake( response, NULL, 0 );
	*bytes = malloc( size );
	size = pnResponse_Bake( response, *bytes, size );
	pnDestroyResponse( response );
	return size;
}

static void HandlesLeadABakedSolid( void )
{
	uint8_t* bytes = NULL;
	size_t size = BakeStrip( &bytes );
	REQUIRE( size > 0 );
	pnHandles* handles = NULL;
	REQUIRE( pnOpenHandles( bytes, size, &handles ) == pn_success );
	pnResponse* response = NULL;
	REQUIRE( pnLoadResponse( bytes, size, &response ) == pn_success );
	pnVec3 place = pnResponse_GetHandles( response )[0];
	char line[160];
	const char* why;
	snprintf( line, sizeof( line ), "grab 10:1 at %.9g %.9g %.9g", (double)place.x, (double)place.y, (double)place.z );
	ENSURE( pnHandles_Post( handles, line, strlen( line ), &why ) );
	ForgetAll();
	ENSURE( ( TakeHandles( handles, true ) & 5 ) == 5 );
	snprintf( line, sizeof( line ), "move 10:1 %.9g %.9g %.9g", (double)place.x + 0.01, (double)place.y, (double)place.z );
	ENSURE( pnHandles_Post( handles, line, strlen( line ), &why ) );
	TakeHandles( handles, false );
	// 10 mm at the handle; a fifth of that on the other half, by the numbers above
	ENSURE_NEAR( (double)s_seen[1].vertices[4].x - (double)place.x, 0.01, 3e-5 );
	ENSURE_NEAR( (double)s_seen[1].vertices[16].x - 0.8, 0.002, 3e-5 );
	ENSURE( pnHandles_Post( handles, "drop 10:1", 9, &why ) );
	ENSURE( pnHandles_Post( handles, "drop 10:1", 9, &why ) == false && why[0] != 0 );
	ENSURE( pnHandles_Post( handles, "spawn duck at 0 0 0", 19, &why ) == false );
	// Let go, it is where it was: rest and preload
	pnVec3* rest = malloc( (size_t)pnResponse_GetVertexCount( response ) * sizeof( pnVec3 ) );
	pnResponse_Move( response, NULL, rest );
	TakeHandles( handles, false );
	double worst = 0.0;
	for ( int i = 0; i < pnResponse_GetVertexCount( response ); ++i )
	{
		worst = fmax( worst, fabs( (double)rest[i].x - (double)s_seen[1].vertices[i].x ) );
	}
	ENSURE_MOST( worst, (double)s_seen[1].extent / 65535.0 );
	for ( size_t cut = 0; cut < size; cut += 1 + size / 60 )
	{
		pnHandles* none = NULL;
		ENSURE( pnOpenHandles( bytes, cut, &none ) != pn_success && none == NULL );
	}
	free( rest );
	free( bytes );
	pnDestroyResponse( response );
	pnCloseHandles( handles );
	ForgetAll();
}

static void EverySceneAndSolidCanBeHad( void )
{
	pnRoom* room = MakeRoom( 1 );
	for ( int i = 0; pnGetRoomScene( i ) != NULL; ++i )
	{
		char line[64];
		snprintf( line, sizeof( line ), "load %s", pnGetRoomScene( i )->name );
		Do( room, line );
		pnRoom_Advance( room, 1 );
		pnTestContext( "%s", line );
		ENSURE( strcmp( pnGetRoomScene( i )->name, "table" ) == 0 || CountBodies( room ) > 0 );
	}
	Do( room, "load table" );
	int count;
	const char* const* names = pnGetSolidNames( &count );
	for ( int i = 0; i < count; ++i )
	{
		char line[64];
		snprintf( line, sizeof( line ), "spawn %s at %d 1 0", names[i], 2 * i );
		Do( room, line );
	}
	pnRoom_Advance( room, 60 );
	ENSURE( CountBodies( room ) == count );
	pnDestroyRoom( room );
}

static const pnTest s_tests[] = {
	RUN( ScriptsPlayAgain ),	 RUN( WatchersEndScripts ),		   RUN( OrderIsByOwnerAndSequence ), RUN( UndoIsExact ),		RUN( UndoIsBounded ), RUN( HistoryIsBounded ),
	RUN( WhatMeansNothingChangesNothing ), RUN( SavedRoomsGoOn ),  RUN( BroughtSolidsAreSoft ), RUN( FramesShowTheWorld ), RUN( BetweenStepsNothingMoves ), RUN( EyesLookIntoBoxes ),
	RUN( SleepersAreNotSent ),	 RUN( WireIsAsRecorded ),		   RUN( HandlesLeadABakedSolid ), RUN( EverySceneAndSolidCanBeHad ),
};
SUITE( room, s_tests );
