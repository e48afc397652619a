// glb.h - glTF 2.0 in one binary file, put together piece by piece: arrays and JSON go to disk as they come. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pnGlb pnGlb;

// The lists of the JSON. Entries are numbered from 0 in the order in which they are added.
typedef enum pnGlbList
{
	pn_glbViews,
	pn_glbAccessors,
	pn_glbMaterials,
	pn_glbMeshes,
	pn_glbNodes,
	pn_glbSamplers, // of the one animation
	pn_glbChannels,
	PN_GLB_LISTS,
} pnGlbList;

// Parts are kept beside the path, without a name, until it is closed. NULL: problem says why.
pnGlb* pnOpenGlb( const char* path, const char** problem );
// Entry by entry, as JSON. Returns its number.
int pnGlb_Add( pnGlb* glb, pnGlbList list, const char* format, ... ) __attribute__( ( format( printf, 3, 4 ) ) );
// In pieces: begin, any number of texts, end.
int pnGlb_BeginEntry( pnGlb* glb, pnGlbList list );
void pnGlb_Put( pnGlb* glb, pnGlbList list, const char* format, ... ) __attribute__( ( format( printf, 3, 4 ) ) );
void pnGlb_PutText( pnGlb* glb, pnGlbList list, const char* text ); // in quotes, with what needs it escaped

// Arrays, each with an accessor whose number is returned. hasBounds: positions and times need them.
int pnGlb_AddVectors( pnGlb* glb, const pnVec3* vectors, int count, bool hasBounds ); // of vertices
int pnGlb_AddColors( pnGlb* glb, const uint32_t* colors, int count ); // 0xRRGGBB, made linear light
int pnGlb_AddTriangles( pnGlb* glb, const int32_t* triangles, int triangleCount, int firstVertex ); // the first vertex counts as 0
int pnGlb_AddFloats( pnGlb* glb, const float* values, int count, int components, bool hasBounds ); // of animations: 1, 3 or 4 components

bool pnGlb_IsFull( const pnGlb* glb, size_t bytes ); // so many bytes more would not fit into what a GLB can hold, 4 GB
// Puts the file together. NULL, or what went wrong, in words that stay valid until the next call. title: of the animation.
const char* pnCloseGlb( pnGlb* glb, const char* title );
