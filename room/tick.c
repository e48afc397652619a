// tick.c - what comes before some steps, as bytes, and into a room. Knows no links.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "tick.h"

#include "room_inside.h"

#include <string.h>

enum
{
	PN_MOVE_FORM = 1,
	PN_LINE_FORM = 2,
	PN_SHORT_MOVE_FORM = 3,
	PN_SHORT_BITS = 21, // of a float: its sign, its exponent and twelve bits, 0.12 mm at a metre
};

static uint32_t pnGetWord( const uint8_t* bytes )
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float pnGetFloat( const uint8_t* bytes )
{
	uint32_t word = pnGetWord( bytes );
	float value;
	memcpy( &value, &word, sizeof( value ) );
	return value;
}

void pnBeginTick( pnBytes* bytes, uint32_t step, uint32_t steps )
{
	pnPutWord( bytes, step );
	pnPutWord( bytes, steps );
}

// The nearest float of 21 bits. One beyond the largest becomes no number; then it is to be told in full.
static uint32_t pnShorten( float value )
{
	uint32_t word;
	memcpy( &word, &value, sizeof( word ) );
	return ( word + 0x400u ) >> ( 32 - PN_SHORT_BITS );
}

static float pnLengthen( uint32_t bits )
{
	uint32_t word = bits << ( 32 - PN_SHORT_BITS );
	float value;
	memcpy( &value, &word, sizeof( value ) );
	return value;
}

static bool pnIsPlace( pnVec3 place )
{
	pnVec3 nothing = pnSub( place, place ); // not so of what is no number, and no hand can be there
	return nothing.x == 0.0f && nothing.y == 0.0f && nothing.z == 0.0f;
}

void pnPutTickMove( pnBytes* bytes, uint32_t owner, uint32_t hand, pnVec3 place )
{
	uint64_t x = pnShorten( place.x ), y = pnShorten( place.y ), z = pnShorten( place.z ), all = x | y << PN_SHORT_BITS | z << 2 * PN_SHORT_BITS;
	bool isShort = pnIsPlace( pnMakeVec3( pnLengthen( (uint32_t)x ), pnLengthen( (uint32_t)y ), pnLengthen( (uint32_t)z ) ) );
	pnPutWord( bytes, ( isShort ? PN_SHORT_MOVE_FORM : PN_MOVE_FORM ) | hand << 8 | owner << 16 );
	if ( isShort )
	{
		pnPutWord( bytes, (uint32_t)all );
		pnPutWord( bytes, (uint32_t)( all >> 32 ) );
	}
	else
	{
		pnPutVec3( bytes, place );
	}
}

void pnPutTickLine( pnBytes* bytes, uint32_t owner, uint32_t sequence, const char* text, size_t length )
{
	pnPutWord( bytes, PN_LINE_FORM | owner << 16 );
	pnPutWord( bytes, sequence );
	pnPutWord( bytes, (uint32_t)length );
	pnPutBytes( bytes, text, length );
	pnPad( bytes );
}

bool pnReadTickHead( const uint8_t* bytes, size_t size, uint32_t* step, uint32_t* steps )
{
	if ( size < PN_TICK_HEAD || size % 4 != 0 )
	{
		return false;
	}
	*step = pnGetWord( bytes );
	*steps = pnGetWord( bytes + 4 );
	return *steps <= PN_MAX_TICK_STEPS;
}

bool pnReadTickEntry( const uint8_t* bytes, size_t size, size_t* offset, pnTickEntry* entry )
{
	size_t at = *offset, left = at <= size ? size - at : 0;
	if ( left < 12 )
	{
		return false;
	}
	uint32_t head = pnGetWord( bytes + at ), form = head & 255;
	*entry = ( pnTickEntry ){ .isMove = form == PN_MOVE_FORM || form == PN_SHORT_MOVE_FORM, .hand = head >> 8 & 255, .owner = head >> 16 };
	if ( form == PN_MOVE_FORM && left >= 16 )
	{
		entry->place = pnMakeVec3( pnGetFloat( bytes + at + 4 ), pnGetFloat( bytes + at + 8 ), pnGetFloat( bytes + at + 12 ) );
		bool good = entry->owner != 0 && pnIsPlace( entry->place );
		*offset = good ? at + 16 : at;
		return good;
	}
	if ( form == PN_SHORT_MOVE_FORM )
	{
		const uint32_t mask = ( 1u << PN_SHORT_BITS ) - 1;
		uint64_t all = pnGetWord( bytes + at + 4 ) | (uint64_t)pnGetWord( bytes + at + 8 ) << 32;
		entry->place = pnMakeVec3( pnLengthen( (uint32_t)all & mask ), pnLengthen( (uint32_t)( all >> PN_SHORT_BITS ) & mask ), pnLengthen( (uint32_t)( all >> 2 * PN_SHORT_BITS ) & mask ) );
		bool good = entry->owner != 0 && pnIsPlace( entry->place ) && all >> 63 == 0;
		*offset = good ? at + 12 : at;
		return good;
	}
	uint32_t length = pnGetWord( bytes + at + 8 );
	if ( form != PN_LINE_FORM || length > left - 12 )
	{
		return false;
	}
	entry->sequence = pnGetWord( bytes + at + 4 );
	entry->text = (const char*)bytes + at + 12;
	entry->length = length;
	size_t end = at + 12 + ( ( (size_t)length + 3 ) & ~(size_t)3 );
	*offset = end <= size ? end : at;
	return end <= size;
}

pnResult pnRoom_PostTick( pnRoom* room, const void* data, size_t size, int* steps )
{
	const uint8_t* bytes = data;
	uint32_t step, count;
	*steps = 0;
	if ( pnReadTickHead( bytes, size, &step, &count ) == false )
	{
		return pn_badImage;
	}
	pnTickEntry entry;
	size_t offset = PN_TICK_HEAD;
	while ( pnReadTickEntry( bytes, size, &offset, &entry ) )
	{
	}
	if ( offset != size )
	{
		return pn_badImage;
	}
	if ( step != room->step )
	{
		return pn_invalidInput;
	}
	room->recordFull = true;
	room->isOrdered = true;
	for ( offset = PN_TICK_HEAD; pnReadTickEntry( bytes, size, &offset, &entry ); )
	{
		if ( entry.isMove == false )
		{
			pnRoom_Post( room, entry.owner, entry.sequence, entry.text, entry.length );
		}
		else if ( room->queueCount < PN_MAX_QUEUE )
		{
			room->queue[room->queueCount++] = ( pnWaiting ){
				.command = { .kind = pn_moveCommand, .owner = entry.owner, .hand = entry.hand, .steps = 1, .place = entry.place },
				.owner = entry.owner,
			};
		}
	}
	*steps = (int)count;
	return pn_success;
}
