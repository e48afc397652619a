// image.c - pictures in memory: pixels, small letters, colour maps, PNG files by libpng. Knows no third dimension.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "image.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_GLYPH_WIDTH = 5,
	PN_GLYPH_HEIGHT = 9,
	PN_GLYPH_BASE = 7
};

typedef struct pnGlyph
{
	char letter;
	uint8_t rows[PN_GLYPH_HEIGHT]; // from the top, the highest of 5 bits is leftmost
} pnGlyph;

static const pnGlyph pnGlyphs[] = {
	{ '%', { 25, 25, 2, 4, 8, 19, 19, 0, 0 } },    { '(', { 2, 4, 8, 8, 8, 4, 2, 0, 0 } },
	{ ')', { 8, 4, 2, 2, 2, 4, 8, 0, 0 } },        { '+', { 0, 4, 4, 31, 4, 4, 0, 0, 0 } },
	{ ',', { 0, 0, 0, 0, 0, 12, 12, 4, 8 } },      { '-', { 0, 0, 0, 31, 0, 0, 0, 0, 0 } },
	{ '.', { 0, 0, 0, 0, 0, 12, 12, 0, 0 } },      { '/', { 1, 2, 2, 4, 8, 8, 16, 0, 0 } },
	{ '0', { 14, 17, 17, 17, 17, 17, 14, 0, 0 } }, { '1', { 4, 12, 4, 4, 4, 4, 14, 0, 0 } },
	{ '2', { 14, 17, 1, 2, 4, 8, 31, 0, 0 } },     { '3', { 14, 17, 1, 6, 1, 17, 14, 0, 0 } },
	{ '4', { 2, 6, 10, 18, 31, 2, 2, 0, 0 } },     { '5', { 31, 16, 30, 1, 1, 17, 14, 0, 0 } },
	{ '6', { 6, 8, 16, 30, 17, 17, 14, 0, 0 } },   { '7', { 31, 1, 2, 2, 4, 4, 4, 0, 0 } },
	{ '8', { 14, 17, 17, 14, 17, 17, 14, 0, 0 } }, { '9', { 14, 17, 17, 15, 1, 2, 12, 0, 0 } },
	{ ':', { 0, 0, 12, 12, 0, 12, 12, 0, 0 } },    { '_', { 0, 0, 0, 0, 0, 0, 0, 31, 0 } },
	{ 'a', { 0, 0, 14, 1, 15, 17, 15, 0, 0 } },    { 'b', { 16, 16, 30, 17, 17, 17, 30, 0, 0 } },
	{ 'c', { 0, 0, 14, 17, 16, 17, 14, 0, 0 } },   { 'd', { 1, 1, 15, 17, 17, 17, 15, 0, 0 } },
	{ 'e', { 0, 0, 14, 17, 31, 16, 14, 0, 0 } },   { 'f', { 6, 8, 30, 8, 8, 8, 8, 0, 0 } },
	{ 'g', { 0, 0, 15, 17, 17, 17, 15, 1, 14 } },  { 'h', { 16, 16, 30, 17, 17, 17, 17, 0, 0 } },
	{ 'i', { 4, 0, 12, 4, 4, 4, 14, 0, 0 } },      { 'j', { 2, 0, 6, 2, 2, 2, 2, 2, 12 } },
	{ 'k', { 16, 16, 18, 20, 24, 20, 18, 0, 0 } }, { 'l', { 12, 4, 4, 4, 4, 4, 14, 0, 0 } },
	{ 'm', { 0, 0, 26, 21, 21, 21, 21, 0, 0 } },   { 'n', { 0, 0, 30, 17, 17, 17, 17, 0, 0 } },
	{ 'o', { 0, 0, 14, 17, 17, 17, 14, 0, 0 } },   { 'p', { 0, 0, 30, 17, 17, 17, 30, 16, 16 } },
	{ 'q', { 0, 0, 15, 17, 17, 17, 15, 1, 1 } },   { 'r', { 0, 0, 22, 25, 16, 16, 16, 0, 0 } },
	{ 's', { 0, 0, 15, 16, 14, 1, 30, 0, 0 } },    { 't', { 8, 8, 30, 8, 8, 8, 6, 0, 0 } },
	{ 'u', { 0, 0, 17, 17, 17, 17, 15, 0, 0 } },   { 'v', { 0, 0, 17, 17, 17, 10, 4, 0, 0 } },
	{ 'w', { 0, 0, 17, 21, 21, 21, 10, 0, 0 } },   { 'x', { 0, 0, 17, 10, 4, 10, 17, 0, 0 } },
	{ 'y', { 0, 0, 17, 17, 17, 17, 15, 1, 14 } },  { 'z', { 0, 0, 31, 2, 4, 8, 31, 0, 0 } },
};

bool pnCreateImage( pnImage* image, int width, int height, uint32_t color )
{
	*image = (pnImage){ width, height, malloc( 3 * (size_t)width * (size_t)height ) };
	if ( image->pixels == NULL )
	{
		return false;
	}
	pnFillRectangle( image, 0, 0, width, height, color );
	return true;
}

void pnDestroyImage( pnImage* image )
{
	free( image->pixels );
	*image = (pnImage){ 0 };
}

void pnFillRectangle( pnImage* image, int x, int y, int width, int height, uint32_t color )
{
	int left = x < 0 ? 0 : x, top = y < 0 ? 0 : y;
	int right = x + width > image->width ? image->width : x + width;
	int bottom = y + height > image->height ? image->height : y + height;
	for ( int row = top; row < bottom; ++row )
	{
		uint8_t* pixel = image->pixels + 3 * ( (size_t)row * (size_t)image->width + (size_t)left );
		for ( int column = left; column < right; ++column, pixel += 3 )
		{
			pixel[0] = (uint8_t)( color >> 16 );
			pixel[1] = (uint8_t)( color >> 8 );
			pixel[2] = (uint8_t)color;
		}
	}
}

void pnDrawText( pnImage* image, int x, int y, int scale, uint32_t color, const char* text )
{
	for ( ; *text != 0; ++text, x += ( PN_GLYPH_WIDTH + 1 ) * scale )
	{
		const pnGlyph* glyph = NULL;
		for ( size_t i = 0; i < sizeof( pnGlyphs ) / sizeof( pnGlyphs[0] ); ++i )
		{
			glyph = pnGlyphs[i].letter == tolower( (unsigned char)*text ) ? pnGlyphs + i : glyph;
		}
		for ( int bit = 0; glyph != NULL && bit < PN_GLYPH_WIDTH * PN_GLYPH_HEIGHT; ++bit )
		{
			int column = bit % PN_GLYPH_WIDTH, row = bit / PN_GLYPH_WIDTH;
			if ( ( glyph->rows[row] >> ( PN_GLYPH_WIDTH - 1 - column ) & 1 ) != 0 )
			{
				pnFillRectangle( image, x + column * scale, y + row * scale, scale, scale, color );
			}
		}
	}
}

int pnGetTextWidth( int scale, const char* text )
{
	int length = (int)strlen( text );
	return length == 0 ? 0 : scale * ( ( PN_GLYPH_WIDTH + 1 ) * length - 1 );
}

int pnGetTextHeight( int scale ) { return scale * PN_GLYPH_BASE; }

uint32_t pnMapColor( float value )
{
	static const float stops[5][3] = {
		{ 52.0f, 92.0f, 170.0f },  { 104.0f, 178.0f, 206.0f }, { 244.0f, 236.0f, 196.0f },
		{ 240.0f, 158.0f, 82.0f }, { 188.0f, 38.0f, 44.0f },
	};
	value = value > 0.0f ? value : 0.0f; // also what is not a number
	value = value < 1.0f ? 4.0f * value : 4.0f;
	int stop = value < 3.0f ? (int)value : 3;
	float share = value - (float)stop;
	uint32_t color = 0;
	for ( int i = 0; i < 3; ++i )
	{
		float channel = stops[stop][i] + share * ( stops[stop + 1][i] - stops[stop][i] );
		color = color << 8 | (uint32_t)( channel + 0.5f );
	}
	return color;
}

uint32_t pnPickColor( int index )
{
	static const uint32_t colors[12] = {
		0xe0533d, 0x3d8fd1, 0xe9b13b, 0x4fa85c, 0x8a63c9, 0x37a6a0, 0xd9689f, 0x9aa83a, 0x5b6fd6, 0xe0813a, 0x7fb7e0, 0xa8684a,
	};
	return colors[index % 12];
}

void pnDrawColorBar( pnImage* image, int x, int y, int width, int height, int scale, uint32_t color, const char* name, float lower,
					 float upper )
{
	char low[32], high[32];
	snprintf( low, sizeof( low ), "%.3g", (double)lower );
	snprintf( high, sizeof( high ), "%.3g", (double)upper );
	int textTop = y + ( height - pnGetTextHeight( scale ) ) / 2;
	int gap = 6 * scale;
	pnDrawText( image, x, textTop, scale, color, name );
	x += pnGetTextWidth( scale, name ) + 2 * gap;
	pnDrawText( image, x, textTop, scale, color, low );
	x += pnGetTextWidth( scale, low ) + gap;
	for ( int i = 0; i < width; ++i )
	{
		pnFillRectangle( image, x + i, y, 1, height, pnMapColor( ( (float)i + 0.5f ) / (float)width ) );
	}
	pnDrawText( image, x + width + gap, textTop, scale, color, high );
}

const char* pnWritePng( const pnImage* image, const char* path )
{
	static char problem[160];
	FILE* file = fopen( path, "wb" );
	if ( file == NULL )
	{
		return strerror( errno );
	}
	png_image png = { .version = PNG_IMAGE_VERSION };
	png.width = (png_uint_32)image->width;
	png.height = (png_uint_32)image->height;
	png.format = PNG_FORMAT_RGB;
	bool written = png_image_write_to_stdio( &png, file, 0, image->pixels, 0, NULL ) != 0;
	snprintf( problem, sizeof( problem ), "%s", png.message );
	if ( fclose( file ) != 0 && written )
	{
		return strerror( errno );
	}
	return written ? NULL : problem;
}
