// sheet.c - a contact sheet: several moments of a run in one picture. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "sheet.h"

#include <math.h>
#include <stdio.h>

enum
{
	PN_SHEET_GAP = 8, // pixels between shots
	PN_SHEET_HEAD = 30, // pixels above them
};

static const uint32_t pnPaper = 0xf4f2ee, pnInk = 0x3a4048;

static int pnGetColumnCount( int shotCount )
{
	static const int columns[13] = { 1, 1, 2, 3, 2, 3, 3, 4, 4, 3, 4, 4, 4 };
	return shotCount <= 12 ? columns[shotCount] : (int)ceil( sqrt( 1.2 * shotCount ) );
}

void pnGetSheetSize( const pnSheetDef* def, int shotCount, int* width, int* height )
{
	int columnCount = pnGetColumnCount( shotCount );
	int rowCount = ( shotCount + columnCount - 1 ) / columnCount;
	*width = columnCount * ( def->width + PN_SHEET_GAP ) + PN_SHEET_GAP;
	*height = rowCount * ( def->height + PN_SHEET_GAP ) + PN_SHEET_GAP + PN_SHEET_HEAD;
}

static const char* pnGetScaleName( pnColoring coloring )
{
	return coloring == pn_stretchColoring ? "stretch" : coloring == pn_speedColoring ? "speed (m/s)" : "plastic strain";
}

// The same scale for all shots. Stretch has rest in the middle, the others start at nothing.
static void pnFindRange( pnColoring coloring, const pnShot* shots, int shotCount, float* lower, float* upper )
{
	float least = coloring == pn_stretchColoring ? 1.0f : 0.0f, most = least;
	for ( int i = 0; i < shotCount; ++i )
	{
		for ( int j = 0; j < shots[i].surface.bodyVertexCount; ++j )
		{
			least = fminf( least, shots[i].surface.values[j] );
			most = fmaxf( most, shots[i].surface.values[j] );
		}
	}
	if ( coloring == pn_stretchColoring )
	{
		float reach = fmaxf( fmaxf( most - 1.0f, 1.0f - least ), 0.01f );
		least = 1.0f - reach;
		most = 1.0f + reach;
	}
	*lower = least;
	*upper = most > least ? most : least + 1.0f;
}

bool pnDrawSheet( const pnSheetDef* def, pnShot* shots, int shotCount, pnImage* image )
{
	int width, height;
	pnGetSheetSize( def, shotCount, &width, &height );
	if ( pnCreateImage( image, width, height, pnPaper ) == false )
	{
		return false;
	}
	int scale = 2;
	pnDrawText( image, PN_SHEET_GAP + 2, ( PN_SHEET_HEAD - pnGetTextHeight( scale ) ) / 2 + 4, scale, pnInk, def->title );
	if ( pnIsScale( def->coloring ) )
	{
		float lower, upper;
		pnFindRange( def->coloring, shots, shotCount, &lower, &upper );
		for ( int i = 0; i < shotCount; ++i )
		{
			pnColorByValue( &shots[i].surface, lower, upper );
		}
		const char* name = pnGetScaleName( def->coloring );
		int left = 4 * PN_SHEET_GAP + pnGetTextWidth( scale, def->title );
		pnDrawColorBar( image, left, 11, 120, 16, 1, pnInk, name, lower, upper );
	}
	int columnCount = pnGetColumnCount( shotCount );
	for ( int i = 0; i < shotCount; ++i )
	{
		int left = PN_SHEET_GAP + i % columnCount * ( def->width + PN_SHEET_GAP );
		int top = PN_SHEET_HEAD + PN_SHEET_GAP + i / columnCount * ( def->height + PN_SHEET_GAP );
		if ( pnDrawSurface( image, left, top, def->width, def->height, &shots[i].surface, &def->camera, false ) == false )
		{
			pnDestroyImage( image );
			return false;
		}
		char label[64];
		snprintf( label, sizeof( label ), "frame %d  %.2f s", shots[i].frame, shots[i].time );
		int textScale = def->width < 320 ? 1 : 2;
		pnDrawText( image, left + 10, top + def->height - 10 * textScale - 4, textScale, pnInk, label );
		if ( def->onShot != NULL )
		{
			def->onShot( i + 1, shotCount, def->context );
		}
	}
	return true;
}
