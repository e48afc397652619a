// test_plot.c - plots: what is drawn is where the values are, read back from the file. Knows bench/plot.h and no measurements.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "../bench/plot.h"

#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The numbers of the n-th polyline of a drawing, or fewer.
static int ReadLine( const char* text, int which, double* places, int capacity )
{
	const char* at = text;
	for ( int i = 0; i <= which && at != NULL; ++i )
	{
		at = strstr( at + 1, "<polyline" );
	}
	at = at != NULL ? strstr( at, "points=\"" ) : NULL;
	int count = 0;
	for ( at = at != NULL ? at + 8 : NULL; at != NULL && *at != '"' && *at != 0 && count < capacity; )
	{
		char* end;
		places[count++] = strtod( at, &end );
		at = *end == ',' || *end == ' ' ? end + 1 : end;
	}
	return count;
}

// Whatever the values: equal steps of a value are equal steps of the drawing, zero lies on the axis, and all of it is within the frame.
static void CurvesLieWhereTheirValuesAre( void )
{
	pnRandom random = pnSeed( 41 );
	for ( int round = 0; round < 20; ++round )
	{
		double xs[6], values[2][6], places[2][12], size = pnRandomIn( &random, 0.001, 4000.0 );
		for ( int i = 0; i < 6; ++i )
		{
			xs[i] = 50.0 * ( i + 1 ) + (double)round;
			values[0][i] = size * pnRandomIn( &random, 0.0, 1.0 );
			values[1][i] = i == 0 ? 0.0 : size * i / 5.0;
		}
		pnPlotCurve curves[2] = { { "one", "red", values[0] }, { "two", "blue", values[1] } };
		char* text = NULL;
		FILE* file = tmpfile();
		REQUIRE( file != NULL );
		pnWritePlot( file, "title", "x", "y", xs, 6, curves, 2 );
		long length = ftell( file );
		rewind( file );
		text = calloc( (size_t)length + 1, 1 );
		REQUIRE( text != NULL && fread( text, 1, (size_t)length, file ) == (size_t)length );
		fclose( file );
		ENSURE( strncmp( text, "<svg ", 5 ) == 0 && strcmp( text + length - 7, "</svg>\n" ) == 0 );
		for ( int c = 0; c < 2; ++c )
		{
			REQUIRE( ReadLine( text, c, places[c], 12 ) == 12 );
		}
		free( text );
		double zero = places[1][1], scale = ( places[1][11] - zero ) / size, left = places[0][0] - xs[0] / xs[5] * 550.0; // of 640, 70 and 20 at the sides
		for ( int k = 0; k < 12; ++k )
		{
			int c = k / 6, i = k % 6;
			ENSURE_NEAR( places[c][2 * i], left + 550.0 * xs[i] / xs[5], 0.02 );
			ENSURE_NEAR( places[c][2 * i + 1], zero + scale * values[c][i], 0.02 );
			ENSURE( places[c][2 * i] <= 640.0 && places[c][2 * i + 1] >= 0.0 && places[c][2 * i + 1] <= zero + 0.01 );
		}
		ENSURE( scale < 0.0 && -scale * size > 0.5 * 330.0 ); // the highest takes more than half of the height
	}
}

static const pnTest s_tests[] = { RUN( CurvesLieWhereTheirValuesAre ) };
SUITE( plot, s_tests );
