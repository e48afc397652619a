// message.c - messages between a visitor and a server, read and written. Knows no sockets and no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "message.h"

#include "frame.h"

#include <string.h>

// ---- text ----

bool pnIsRoomName( const char* name )
{
	size_t length = 0;
	for ( ; name[length] != 0 && length < PN_ROOM_NAME; ++length )
	{
		char c = name[length];
		bool good = ( c >= 'a' && c <= 'z' ) || ( c >= 'A' && c <= 'Z' ) || ( c >= '0' && c <= '9' ) || c == '-' || c == '_';
		if ( good == false )
		{
			return false;
		}
	}
	return length > 0 && length < PN_ROOM_NAME;
}

// The bytes of one character, or 0: these are none, or a control character.
static size_t pnMeasureCharacter( const uint8_t* text, size_t left )
{
	uint32_t code = text[0];
	size_t count = code < 0x80 ? 1 : code >= 0xc2 && code < 0xe0 ? 2 : code >= 0xe0 && code < 0xf0 ? 3 : code >= 0xf0 && code < 0xf5 ? 4 : 0;
	if ( count == 0 || count > left )
	{
		return 0;
	}
	code = count == 1 ? code : code & ( 0xffu >> ( count + 1 ) );
	for ( size_t i = 1; i < count; ++i )
	{
		if ( ( text[i] & 0xc0 ) != 0x80 )
		{
			return 0;
		}
		code = code << 6 | ( text[i] & 0x3fu );
	}
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	bool isControl = code < 0x20 || ( code >= 0x7f && code < 0xa0 ) || ( code >= 0x200b && code <= 0x200f ) || ( code >= 0x2028 && code <= 0x202e ) ||
					 ( code >= 0x2066 && code <= 0x2069 ) || code == 0xfeff;
	bool isSurrogate = code >= 0xd800 && code < 0xe000;
	return code < least[count] || code > 0x10ffff || isControl || isSurrogate ? 0 : count;
}

void pnCleanText( const char* text, size_t length, char* clean, size_t capacity )
{
	size_t used = 0;
	for ( size_t i = 0; i < length; )
	{
		size_t count = pnMeasureCharacter( (const uint8_t*)text + i, length - i );
		if ( count > 0 )
		{
			if ( used + count > capacity - 1 )
			{
				break;
			}
			memcpy( clean + used, text + i, count );
			used += count;
		}
		i += count > 0 ? count : 1;
	}
	clean[used] = 0;
}

// ---- reading ----

typedef struct pnReading { const uint8_t* bytes; size_t size, at; bool good; } pnReading;

static const uint8_t* pnTakeBytes( pnReading* in, size_t count )
{
	if ( in->good == false || count > in->size - in->at )
	{
		in->good = false;
		return NULL;
	}
	const uint8_t* bytes = in->bytes + in->at;
	size_t end = in->at + ( ( count + 3 ) & ~(size_t)3 );
	in->at = end < in->size ? end : in->size;
	return bytes;
}

static uint32_t pnTakeU32( pnReading* in )
{
	const uint8_t* b = pnTakeBytes( in, 4 );
	return b != NULL ? (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24 : 0;
}

static float pnTakeF32( pnReading* in )
{
	uint32_t word = pnTakeU32( in );
	float value;
	memcpy( &value, &word, sizeof( value ) );
	in->good = in->good && value - value == 0.0f;
	return value;
}

static void pnTakeClean( pnReading* in, char* text, size_t capacity )
{
	uint32_t length = pnTakeU32( in );
	const uint8_t* bytes = pnTakeBytes( in, length );
	text[0] = 0;
	if ( bytes != NULL )
	{
		pnCleanText( (const char*)bytes, length, text, capacity );
	}
}

bool pnReadMessage( const uint8_t* bytes, size_t size, pnMessage* message )
{
	pnReading in = { .bytes = bytes, .size = size, .good = true };
	*message = ( pnMessage ){ 0 };
	uint32_t kind = pnTakeU32( &in );
	if ( in.good == false || kind > 1000 )
	{
		return false;
	}
	message->kind = kind <= pn_personMessage ? (pnMessageKind)kind : pn_noMessage;
	switch ( message->kind )
	{
	case pn_noMessage:
	case pn_againMessage:
		break;
	case pn_helloMessage:
		message->version = pnTakeU32( &in );
		message->mode = pnTakeU32( &in );
		message->flags = pnTakeU32( &in );
		message->color = pnTakeU32( &in ) & 0xffffff;
		message->step = pnTakeU32( &in );
		pnTakeClean( &in, message->name, sizeof( message->name ) );
		pnTakeClean( &in, message->token, sizeof( message->token ) );
		pnTakeClean( &in, message->key, sizeof( message->key ) );
		pnTakeClean( &in, message->scene, sizeof( message->scene ) );
		in.good = in.good && message->mode <= pn_streamSeeing;
		break;
	case pn_commandsMessage:
		message->sequence = pnTakeU32( &in );
		message->text = (const char*)bytes + in.at;
		message->length = size - in.at;
		break;
	case pn_hashMessage:
		message->step = pnTakeU32( &in );
		message->hash = pnTakeU32( &in );
		message->hash |= (uint64_t)pnTakeU32( &in ) << 32;
		break;
	case pn_cursorMessage:
		message->place.x = pnTakeF32( &in );
		message->place.y = pnTakeF32( &in );
		message->place.z = pnTakeF32( &in );
		message->flags = pnTakeU32( &in );
		break;
	case pn_readyMessage:
	case pn_pingMessage:
		message->number = pnTakeU32( &in );
		break;
	case pn_modeMessage:
		message->mode = pnTakeU32( &in );
		message->shading = pnTakeU32( &in );
		in.good = in.good && message->mode <= pn_streamSeeing && message->shading < pn_shadingCount;
		break;
	case pn_actMessage:
		message->act = pnTakeU32( &in );
		message->owner = pnTakeU32( &in );
		in.good = in.good && message->act >= pn_lockSceneAct && message->act <= pn_removeAct;
		break;
	case pn_personMessage:
		message->color = pnTakeU32( &in ) & 0xffffff;
		pnTakeClean( &in, message->name, sizeof( message->name ) );
		break;
	}
	return in.good;
}

// ---- writing ----

static void pnPutU64( pnBytes* bytes, uint64_t value )
{
	pnPutWord( bytes, (uint32_t)value );
	pnPutWord( bytes, (uint32_t)( value >> 32 ) );
}

void pnPutWelcome( pnBytes* bytes, const pnWelcome* welcome )
{
	pnPutWord( bytes, pn_welcomeReply );
	pnPutWord( bytes, PN_PROTOCOL_VERSION );
	pnPutWord( bytes, welcome->owner );
	pnPutWord( bytes, welcome->flags );
	pnPutFloat( bytes, welcome->rate );
	pnPutWord( bytes, welcome->step );
	pnPutWord( bytes, welcome->hashEvery );
	pnPutWord( bytes, PN_MAX_MESSAGE );
	pnPutText( bytes, welcome->room );
	pnPutText( bytes, welcome->key );
	pnPutText( bytes, welcome->lookOnToken );
}

void pnPutImagePiece( pnBytes* bytes, uint32_t step, size_t total, size_t offset, const uint8_t* piece, size_t size )
{
	pnPutWord( bytes, pn_imageReply );
	pnPutWord( bytes, step );
	pnPutWord( bytes, (uint32_t)total );
	pnPutWord( bytes, (uint32_t)offset );
	pnPutBytes( bytes, piece, size );
}

void pnPutPeople( pnBytes* bytes, const pnPerson* people, int count )
{
	pnPutWord( bytes, pn_peopleReply );
	pnPutWord( bytes, (uint32_t)count );
	for ( int i = 0; i < count; ++i )
	{
		pnPutWord( bytes, people[i].owner );
		pnPutWord( bytes, people[i].flags );
		pnPutWord( bytes, people[i].color );
		pnPutWord( bytes, people[i].behind );
		pnPutText( bytes, people[i].name );
	}
}

void pnPutCursors( pnBytes* bytes, const pnCursor* cursors, int count )
{
	pnPutWord( bytes, pn_cursorsReply );
	pnPutWord( bytes, (uint32_t)count );
	for ( int i = 0; i < count; ++i )
	{
		pnPutWord( bytes, cursors[i].owner );
		pnPutWord( bytes, cursors[i].isSeen ? 1 : 0 );
		pnPutVec3( bytes, cursors[i].place );
	}
}

void pnPutDiffers( pnBytes* bytes, uint32_t step, uint64_t wanted, uint64_t told )
{
	pnPutWord( bytes, pn_differsReply );
	pnPutWord( bytes, step );
	pnPutU64( bytes, wanted );
	pnPutU64( bytes, told );
}

void pnPutNotice( pnBytes* bytes, bool isRefusal, const char* text )
{
	pnPutWord( bytes, pn_noticeReply );
	pnPutWord( bytes, isRefusal ? 1 : 0 );
	pnPutText( bytes, text );
}

void pnPutPong( pnBytes* bytes, uint32_t number, uint32_t step )
{
	pnPutWord( bytes, pn_pongReply );
	pnPutWord( bytes, number );
	pnPutWord( bytes, step );
}

void pnPutAnswer( pnBytes* bytes, uint32_t sequence, uint32_t outcome, const char* text )
{
	pnPutWord( bytes, pn_answerReply );
	pnPutWord( bytes, sequence );
	pnPutWord( bytes, outcome );
	pnPutText( bytes, text );
}

void pnPutState( pnBytes* bytes, uint32_t flags, float rate )
{
	pnPutWord( bytes, pn_stateReply );
	pnPutWord( bytes, flags );
	pnPutFloat( bytes, rate );
}

void pnPutGoodbye( pnBytes* bytes, pnGoodbye reason, const char* text )
{
	pnPutWord( bytes, pn_goodbyeReply );
	pnPutWord( bytes, reason );
	pnPutText( bytes, text );
}
