// tick.h - what comes before some steps, as bytes: docs/wire.md. Written by whoever orders commands. Knows no rooms and no links.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "wire.h"

enum
{
	PN_TICK_HEAD = 8, // bytes
	PN_MAX_TICK_STEPS = 3600,
	PN_MAX_TICK_OWNER = 65535,
	PN_MAX_TICK_HAND = 255,
};

typedef struct pnTickEntry
{
	bool isMove; // else a line
	uint32_t owner, hand;
	pnVec3 place; // of a move
	uint32_t sequence; // of a line
	const char* text; // borrowed from the tick; not ended by a zero
	uint32_t length;
} pnTickEntry;

void pnBeginTick( pnBytes* bytes, uint32_t step, uint32_t steps ); // appends a head
void pnPutTickMove( pnBytes* bytes, uint32_t owner, uint32_t hand, pnVec3 place ); // rounded to twelve bits after the first, for everybody alike
void pnPutTickLine( pnBytes* bytes, uint32_t owner, uint32_t sequence, const char* text, size_t length );

// The head; false: it is none.
bool pnReadTickHead( const uint8_t* bytes, size_t size, uint32_t* step, uint32_t* steps );
// The command at *offset, which begins with PN_TICK_HEAD and is led on. False: the end, where *offset is size, or something that cannot be read.
bool pnReadTickEntry( const uint8_t* bytes, size_t size, size_t* offset, pnTickEntry* entry );
