// saved.h - a run put aside as bytes: a snapshot of the world, and which scene and frame it is of. Knows no scenes and no files.
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

// 56 bytes of where it is, then the world's snapshot, little endian on every machine. NULL asks for the size; 0: there is no memory.
size_t pnWriteSaved( const pnWorld* world, const pnSavedRun* run, void* bytes, size_t capacity );
// Unless pn_success nothing has changed.
pnResult pnReadSaved( const void* bytes, size_t size, pnWorld* world, pnSavedRun* run );
