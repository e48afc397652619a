// past.h - what a room can go back to: bounded lists of snapshots. Knows no commands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "room_inside.h"

pnBlob* pnCreateBlob( size_t size ); // with one user; NULL: no memory
void pnReleaseBlob( pnBlob* blob ); // NULL is fine; from any thread
bool pnTakePast( const pnRoom* room, pnPast* past ); // as it is now; false: no memory
void pnFreePast( pnPast* past );
// Takes it over. The eldest of the list go until both lists, undo and redo, are within the bounds; if that is not enough, the others' eldest.
void pnKeepPast( pnPasts* pasts, pnPasts* others, pnPast* past, const pnRoomDef* bounds );
void pnDropPast( pnPasts* pasts, int index );
void pnForgetPasts( pnPasts* pasts );
