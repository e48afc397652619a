// past.h - what a room can go back to: bounded lists of snapshots. Knows no commands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "room_inside.h"

bool pnTakePast( const pnRoom* room, pnPast* past ); // as it is now; false: no memory
void pnFreePast( pnPast* past );
void pnKeepPast( pnPasts* pasts, pnPast* past, const pnRoomDef* bounds ); // takes it over; the eldest go until all is within the bounds
void pnDropPast( pnPasts* pasts, int index );
void pnForgetPasts( pnPasts* pasts );
