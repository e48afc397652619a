// solids.h - the solids that can be spawned by name: those that come along, and those someone has brought. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "command.h"
#include "pliant/pliant.h"

#define PN_MAX_SOLIDS 64

typedef struct pnNamedSolid
{
	char name[PN_NAME_SIZE];
	pnSolid* solid;
	uint64_t colors; // as pnPackColors
	int paintedSkin; // which of its skins takes a given colour
	pnMaterial material; // unless one is given
	char* line; // the command that brought it; NULL: it came along
	size_t lineLength;
} pnNamedSolid;

typedef struct pnSolidList { pnNamedSolid list[PN_MAX_SOLIDS]; int count; } pnSolidList; // zero: empty

const char* const* pnGetSolidNames( int* count ); // those that come along
// Made when first asked for. NULL: there is none of this name, or no memory.
const pnNamedSolid* pnFindSolid( pnSolidList* list, const char* name );
// From a mesh of any size, orientation, with holes or seams; a name that is there is replaced, but for those that come along.
pnResult pnBringSolid( pnSolidList* list, const pnCommand* command, const char* line, size_t length ); // the line that it was read from is kept
uint64_t pnPaintSolid( const pnNamedSolid* named, uint32_t color ); // its colours, but for this one, 0xRRGGBB
void pnFreeSolids( pnSolidList* list );
