// scene_file.h - a scene out of a JSON file: read, checked, ready to run like a built-in one. Knows no command line. docs/files.md has the format.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "scenes.h"

#include <stddef.h>

enum
{
	PN_SCENE_MESSAGE = 600, // bytes of a message
	PN_MAX_SCENE_TEXT = 16 << 20, // bytes of a scene file
	PN_MAX_SCENE_BODIES = 100000,
	PN_MAX_SCENE_POINTS = 8000000, // of all bodies
	PN_MAX_SOLID_SIDE = 2000, // points of a solid along an axis
	PN_MAX_MADE_POINTS = 1000000, // of one solid by formula
};

// A scene for pnFillScene, pnMoveScene and a player; NULL, and in `message` file:line:column: what: sentence. Nothing is kept if it fails.
// Files that it names are looked for beside it; anyPath: anywhere.
const pnScene* pnLoadSceneFile( const char* file, bool anyPath, char message[PN_SCENE_MESSAGE] );
const pnScene* pnReadSceneText( const char* text, size_t length, const char* file, bool anyPath, char message[PN_SCENE_MESSAGE] );
void pnFreeSceneFile( const pnScene* scene );
