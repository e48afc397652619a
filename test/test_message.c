// test_message.c - messages of visitors: read back as they were written, and any bytes at all are read or refused.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "message.h"
#include "secret.h"
#include "test.h"
#include "visitor.h"

#include <stdlib.h>
#include <string.h>

static void PutHello( pnBytes* bytes, const char* name, const char* token, const char* key, const char* scene )
{
	static const uint32_t words[] = { 1, 1, 0, 1, 0xff336699, 77 };
	for ( int i = 0; i < 6; ++i )
	{
		pnPutWord( bytes, words[i] );
	}
	pnPutText( bytes, name );
	pnPutText( bytes, token );
	pnPutText( bytes, key );
	pnPutText( bytes, scene );
}

static void MessagesAreRead( void )
{
	pnBytes bytes = { 0 };
	pnMessage message;
	PutHello( &bytes, "Ann \xc3\xa9", "a token", "10-abc", "heap" );
	REQUIRE( pnReadMessage( bytes.data, bytes.size, &message ) );
	ENSURE( message.kind == pn_helloMessage && message.version == 1 && message.flags == 1 && message.color == 0x336699 && message.step == 77 );
	ENSURE( strcmp( message.name, "Ann \xc3\xa9" ) == 0 && strcmp( message.token, "a token" ) == 0 && strcmp( message.key, "10-abc" ) == 0 );
	ENSURE( strcmp( message.scene, "heap" ) == 0 );
	// Any end that is missing
	for ( size_t size = 0; size < bytes.size; ++size )
	{
		pnTestContext( "%d bytes", (int)size );
		bool good = pnReadMessage( bytes.data, size, &message );
		ENSURE( good == false || size >= bytes.size - 4 );
	}
	// Bytes that later versions may add
	pnPutWord( &bytes, 5 );
	ENSURE( pnReadMessage( bytes.data, bytes.size, &message ) );
	const uint8_t unknown[8] = { 99 };
	ENSURE( pnReadMessage( unknown, 8, &message ) && message.kind == pn_noMessage );
	const uint8_t nowhere[20] = { 4, 0, 0, 0, 0, 0, 0xc0, 0x7f };
	ENSURE( pnReadMessage( nowhere, 20, &message ) == false ); // a cursor that is no place
	const uint8_t mode[12] = { 6, 0, 0, 0, 7 };
	ENSURE( pnReadMessage( mode, 12, &message ) == false );
	free( bytes.data );
}

// What is shown to others is right UTF-8 without control characters, whatever came.
static void NamesAreFitToBeShown( void )
{
	char clean[PN_PERSON_NAME];
	pnCleanText( "a\nb\x1b[1m\x7f", 9, clean, sizeof( clean ) );
	ENSURE( strcmp( clean, "ab[1m" ) == 0 );
	pnCleanText( "\xe2\x80\xae" "evil\xc2\x85", 9, clean, sizeof( clean ) ); // turned round, a control character
	ENSURE( strcmp( clean, "evil" ) == 0 );
	pnCleanText( "\xc0\xaf\xed\xa0\x80\xf5\x80\x80\x80x", 10, clean, sizeof( clean ) ); // overlong, half a pair, beyond the end
	ENSURE( strcmp( clean, "x" ) == 0 );
	char many[99];
	memset( many, 'a', sizeof( many ) );
	memcpy( many + 31, "\xc3\xa9", 2 );
	pnCleanText( many, sizeof( many ), clean, sizeof( clean ) );
	ENSURE( strlen( clean ) == 31 ); // no half of a character at the end
	pnRandom random = pnSeed( 4 );
	for ( int round = 0; round < 2000; ++round )
	{
		char any[64], again[PN_PERSON_NAME];
		for ( int i = 0; i < 64; ++i )
		{
			any[i] = (char)pnRandomInt( &random, 256 );
		}
		pnCleanText( any, (size_t)pnRandomInt( &random, 65 ), clean, sizeof( clean ) );
		pnCleanText( clean, strlen( clean ), again, sizeof( again ) );
		ENSURE( strlen( clean ) < sizeof( clean ) && strcmp( clean, again ) == 0 );
	}
	ENSURE( pnIsRoomName( "a-Room_7" ) && pnIsRoomName( "" ) == false && pnIsRoomName( "../x" ) == false && pnIsRoomName( "a b" ) == false );
	ENSURE( pnIsRoomName( "abcdefghijklmnopqrstuvwxyz01234" ) && pnIsRoomName( "abcdefghijklmnopqrstuvwxyz012345" ) == false );
}

static void AnyBytesAreReadOrRefused( void )
{
	pnRandom random = pnSeed( 8 );
	int read = 0;
	for ( int round = 0; round < 50000; ++round )
	{
		uint8_t any[96];
		size_t size = (size_t)pnRandomInt( &random, 97 );
		for ( size_t i = 0; i < size; ++i )
		{
			any[i] = pnRandomInt( &random, 3 ) == 0 ? (uint8_t)pnRandomInt( &random, 256 ) : 0;
		}
		if ( size > 4 )
		{
			memset( any, 0, 4 );
			any[0] = (uint8_t)pnRandomInt( &random, 13 );
		}
		pnMessage message;
		if ( pnReadMessage( any, size, &message ) )
		{
			read += 1;
			ENSURE( message.kind <= pn_personMessage && strlen( message.name ) < sizeof( message.name ) && message.length <= size );
		}
	}
	ENSURE( read > 1000 );
}

// Keys and tokens: only those that this server made, for this room.
static void KeysCannotBeForged( void )
{
	pnSecret secret = { { 0x0706050403020100u, 0x0f0e0d0c0b0a0908u } }, other = { { 1, 2 } };
	char seal[PN_SEAL_SIZE], key[65];
	pnSeal( &secret, "", seal );
	ENSURE( strcmp( seal, "a3817f04ba25a8e66df67214c7550293" ) == 0 ); // the reference's first vector
	pnMakeKey( &secret, "test", 12, key );
	ENSURE( pnReadKey( &secret, "test", key ) == 12 );
	ENSURE( pnReadKey( &secret, "rest", key ) == 0 && pnReadKey( &other, "test", key ) == 0 );
	for ( size_t i = 0; i < strlen( key ); ++i )
	{
		char forged[65];
		strcpy( forged, key );
		forged[i] = forged[i] == '1' ? '2' : '1';
		ENSURE( pnReadKey( &secret, "test", forged ) == 0 );
	}
	ENSURE( pnReadKey( &secret, "test", "" ) == 0 && pnReadKey( &secret, "test", "12" ) == 0 && pnReadKey( &secret, "test", "-" ) == 0 );
	ENSURE( pnIsSame( "abc", "abc" ) && pnIsSame( "abc", "abd" ) == false && pnIsSame( "abc", "ab" ) == false && pnIsSame( "", "abc" ) == false );
}

// Nobody has more than the budget, however it is asked for.
static void BudgetsHold( void )
{
	pnVisitor* visitor = pnCreateVisitor( NULL, 100.0 );
	pnRandom random = pnSeed( 2 );
	double now = 100.0;
	int cuts = 0;
	for ( int i = 0; i < 20000; ++i )
	{
		now += pnRandomIn( &random, 0.0, 0.002 );
		cuts += pnSpendBudget( visitor, pn_cutsBudget, 1.0f, now ) ? 1 : 0;
	}
	ENSURE( cuts >= 8 + 3 * (int)( now - 100.0 ) - 2 && cuts <= 8 + 3 * (int)( now - 100.0 ) + 4 );
	// Messages that wait are bounded: who does not take them is sent away
	int count = 0;
	while ( visitor->goodbye == 0 && count < 100000 )
	{
		size_t begin = pnBeginWaiting( visitor );
		pnPutNotice( &visitor->waiting, true, "something that is said over and over again" );
		pnEndWaiting( visitor, begin );
		count += 1;
	}
	ENSURE( visitor->goodbye == pn_slowGoodbye && visitor->waiting.size < PN_MAX_WAITING + 1024 );
	pnDestroyVisitor( visitor );
}

static const pnTest s_tests[] = { RUN( MessagesAreRead ), RUN( NamesAreFitToBeShown ), RUN( AnyBytesAreReadOrRefused ), RUN( KeysCannotBeForged ), RUN( BudgetsHold ) };
SUITE( message, s_tests );
