// room_scenes.h - scenes that need what a room has: its solids. After these come those of scenes/scenes.h. Knows no commands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "scenes.h"

const pnScene* pnGetRoomScene( int index ); // all there are, one after another; NULL after the last
const pnScene* pnFindRoomScene( const char* name ); // NULL if there is none
