// deeds.h - what a person might do in a room, drawn at random. Knows no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "test.h"

#include <stdio.h>

static double Around( pnRandom* random, double size ) { return pnRandomIn( random, -size, size ); }

// Something that a person might do.
static void MakeDeed( pnRandom* random, uint32_t owner, char line[256] )
{
	static const char* const solids[] = { "ball", "cube", "ring", "stick", "melon", "duck" };
	static const char* const presets[] = { "jelly", "rubber", "clay", "foam", "wood" };
	double x = Around( random, 1.0 ), y = pnRandomIn( random, 0.1, 1.2 ), z = Around( random, 1.0 );
	unsigned hand = 1 + (unsigned)pnRandomInt( random, 3 );
	switch ( pnRandomInt( random, 20 ) )
	{
	case 0:
	case 1:
		snprintf( line, 256, "grab %u:%u ray %.3f 3 %.3f 0 -4 0 radius 0.3", owner, hand, x, z );
		break;
	case 2:
	case 3:
		snprintf( line, 256, "move %u:%u %.3f %.3f %.3f steps %d", owner, hand, x, y, z, 1 + pnRandomInt( random, 9 ) );
		break;
	case 4:
		snprintf( line, 256, "lock %u:%u", owner, hand );
		break;
	case 5:
		snprintf( line, 256, "drop %u:%u", owner, hand );
		break;
	case 6:
		snprintf( line, 256, "push %u:%u at %.3f %.3f %.3f radius 0.2", owner, hand, x, y, z );
		break;
	case 7:
	case 8:
		snprintf( line, 256, "cut plane %.3f %.3f %.3f %.3f %.3f 0.3 inside 1", x, y, z, Around( random, 1.0 ), Around( random, 1.0 ) );
		break;
	case 9:
	case 10:
		snprintf( line, 256, "spawn %s at %.3f 2 %.3f turn 1 %.3f 0 %.1f preset %s color 0x%06x", solids[pnRandomInt( random, 6 )], x, z, y,
				  Around( random, 180.0 ), presets[pnRandomInt( random, 5 )], pnRandomInt( random, 0xffffff ) + 1 );
		break;
	case 11:
		snprintf( line, 256, "material all hertz %.2f damping %.2f", pnRandomIn( random, 3.0, 15.0 ), pnRandomIn( random, 0.05, 1.0 ) );
		break;
	case 12:
		snprintf( line, 256, "remove %d.%d", 1 + pnRandomInt( random, 12 ), 1 + pnRandomInt( random, 2 ) );
		break;
	case 13:
		snprintf( line, 256, "throw all %.3f 2 %.3f", x, z );
		break;
	case 14:
		snprintf( line, 256, "undo" );
		break;
	case 15:
		snprintf( line, 256, "redo" );
		break;
	case 16:
		snprintf( line, 256, "shape %d box at %.3f %.3f %.3f half 0.2 0.1 0.3", 1 + pnRandomInt( random, 2 ), x, y, z );
		break;
	case 17:
		snprintf( line, 256, "pin %d.1 at %.3f %.3f %.3f radius 0.4", 1 + pnRandomInt( random, 8 ), x, y, z );
		break;
	case 18:
		snprintf( line, 256, "unpin all" );
		break;
	default:
		snprintf( line, 256, "letgo %u", owner );
		break;
	}
}
