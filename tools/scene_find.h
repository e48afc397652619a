// scene_find.h - the scene that a word on the command line means: built in, shipped as a file, or a file. Knows no JSON.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "scenes.h"

enum
{
	PN_SCENE_PATH_SIZE = 4096,
	PN_MAX_SHIPPED_SCENES = 256,
};

typedef struct pnShippedScene { char name[64]; } pnShippedScene;

// The scene is yours until pnCloseScene. anyPath: a scene file may name files outside its folder. Returns 0, or an exit code after one
// sentence on stderr, which begins with the command's name.
int pnOpenScene( const char* command, const char* name, bool anyPath, const pnScene** scene );
void pnCloseScene( const pnScene* scene ); // built-in ones and NULL are fine
// The path of a scene file that comes with the program. False: there is none of that name.
bool pnFindShippedScene( const char* name, char path[PN_SCENE_PATH_SIZE] );
bool pnFindSceneSchema( char path[PN_SCENE_PATH_SIZE] ); // what editors complete scene files by
int pnListShippedScenes( pnShippedScene* names, int capacity ); // sorted; returns the count
