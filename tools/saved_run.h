// saved_run.h - a run put aside: a snapshot of the world, and which scene and frame it is of. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

#define PN_SCENE_NAME_SIZE 32

typedef struct pnSavedRun
{
	char scene[PN_SCENE_NAME_SIZE];
	int frame; // the last one made
	int substeps;
	float rate; // Hz
} pnSavedRun;

// Both: NULL, or what went wrong, in a few words that stay valid until the next call.
const char* pnSaveRun( const char* path, const pnWorld* world, const pnSavedRun* run );
const char* pnLoadRun( const char* path, pnWorld* world, pnSavedRun* run );
