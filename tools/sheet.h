// sheet.h - a contact sheet: several moments of a run in one picture, with labels. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "image.h"
#include "raster.h"
#include "surface.h"

typedef struct pnShot
{
	pnSurface surface;
	int frame;
	double time; // s
} pnShot;

typedef struct pnSheetDef
{
	const char* title;
	pnCamera camera;
	pnColoring coloring;
	int width, height; // of one shot, pixels
	void ( *onShot )( int done, int total, void* context ); // after each shot, or NULL
	void* context;
} pnSheetDef;

void pnGetSheetSize( const pnSheetDef* def, int shotCount, int* width, int* height ); // pixels
// Colours the surfaces anew if the colouring is a scale. False if there is no memory.
bool pnDrawSheet( const pnSheetDef* def, pnShot* shots, int shotCount, pnImage* image );
