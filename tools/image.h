// image.h - pictures in memory: pixels, small letters, colour maps, PNG files. Knows no third dimension.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct pnImage
{
	int width, height;
	uint8_t* pixels; // red, green, blue; rows from the top
} pnImage;

bool pnCreateImage( pnImage* image, int width, int height, uint32_t color ); // 0xRRGGBB; false if there is no memory
void pnDestroyImage( pnImage* image );
void pnFillRectangle( pnImage* image, int x, int y, int width, int height, uint32_t color ); // clipped

// Letters of 5 x 9 dots, one column apart, `scale` pixels a dot. Small letters, digits and a few signs; others are blank.
void pnDrawText( pnImage* image, int x, int y, int scale, uint32_t color, const char* text );
int pnGetTextWidth( int scale, const char* text ); // pixels
int pnGetTextHeight( int scale ); // of a letter without descender

// Blue over white-ish to red by way of yellow, even to the eye; 0 to 1.
uint32_t pnMapColor( float value );
// Colours far apart for neighbours in the list.
uint32_t pnPickColor( int index );
// A colour map laid out from `lower` to `upper`, with its name.
void pnDrawColorBar( pnImage* image, int x, int y, int width, int height, int scale, uint32_t color, const char* name, float lower,
					 float upper );

// NULL, or what went wrong, in a few words that stay valid until the next call.
const char* pnWritePng( const pnImage* image, const char* path );
