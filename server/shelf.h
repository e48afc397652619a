// shelf.h - where a hosted room is when it is not open: a log in a folder, or bytes in memory; and how it gets there and back. Knows no visitors.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "hosted.h"

// By the room's thread. A new room, or as it was left; false: `why` says what is wrong with its log, and where.
bool pnTakeFromShelf( pnHosted* hosted );
void pnMindShelf( pnHosted* hosted, double now ); // between two steps: an image now and then
void pnPutOnShelf( pnHosted* hosted ); // the room is gone then

// What a log comes to. room is to be destroyed; NULL: `why` says why. torn: bytes at its end that do not count.
pnRoom* pnReplayLog( const void* bytes, size_t size, int workers, pnRoomFacts* facts, size_t* end, size_t* torn, char why[224] );
