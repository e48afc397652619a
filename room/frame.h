// frame.h - what a viewer needs to draw a room, as bytes: docs/wire.md. Each viewer remembers what it has been sent. Knows no links.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "room.h"

typedef struct pnViewer pnViewer;

typedef enum pnShading
{
	pn_noShading,
	pn_stretchShading, // of the clusters: 0 pressed to half, 128 rest, 255 drawn to double
	pn_plasticShading, // plastic strain: 0 none, 255 0.8
	pn_speedShading, // of the points: 255 is 4 m/s
	pn_contactShading, // as none; and the places where things touch are sent
	pn_clusterShading, // which cluster holds most of a vertex
	pn_shadingCount,
} pnShading;

pnViewer* pnCreateViewer( void ); // NULL: no memory
void pnViewer_SpreadShades( pnViewer* viewer ); // of many bodies that are first shaded at once, some come with later frames: where a frame must not take long
void pnDestroyViewer( pnViewer* viewer );
void pnViewer_Forget( pnViewer* viewer ); // the next frame holds everything
// What changed since the last frame. Borrowed until the next call. NULL: no memory; then the next one holds everything.
const uint8_t* pnViewer_WriteFrame( pnViewer* viewer, const pnRoom* room, pnShading shading, size_t* size );
