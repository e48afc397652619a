// shelf.h - where a hosted room is when it is not open: a log in a folder, or bytes in memory; and how it gets there and back. Knows no visitors.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "hosted.h"

// By the room's thread. A new room, or as it was left; false: `why` says what is wrong with its log, and where.
bool pnTakeFromShelf( pnHosted* hosted );
void pnMindShelf( pnHosted* hosted, double now ); // between two steps: an image now and then
void pnPutOnShelf( pnHosted* hosted ); // the room is gone then

// What a log comes to.
typedef struct pnReplayed
{
	pnRoomFacts facts;
	size_t end, torn; // bytes that count, and those at its end that do not
	bool differs; // from a hash that was written down: the log is of a version that computes otherwise
	char why[224]; // it cannot be used, or what differs where
} pnReplayed;

pnRoom* pnReplayLog( const void* bytes, size_t size, int workers, pnReplayed* replayed ); // to be destroyed; NULL: `why` says why
// The same, and the watcher is asked after each record, done of total in bytes; if it says no, the room is as it was after that record.
pnRoom* pnReplayLogWatched( const void* bytes, size_t size, int workers, pnWatchFcn* watch, void* context, pnReplayed* replayed );
