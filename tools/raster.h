// raster.h - draws a surface in perspective, shaded, over a floor with soft shadows. Knows no worlds and no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "image.h"
#include "surface.h"

typedef struct pnCamera
{
	pnVec3 target; // metres
	float azimuth, elevation; // degrees: 0, 0 looks along -z; azimuth turns about y
	float distance; // metres from the target
	float ground; // height of the floor, metres; drawn if the camera is above it
} pnCamera;

// Draws into a rectangle of the image that lies within it; isQuick: with fewer lights, for films. False if there is no memory.
bool pnDrawSurface( pnImage* image, int left, int top, int width, int height, const pnSurface* surface, const pnCamera* camera,
					bool isQuick );
