// plot.c - curves over one axis as an SVG. Knows no measurements.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "plot.h"

#include <math.h>

enum
{
	PN_WIDE = 640, // units of the drawing
	PN_HIGH = 420,
	PN_LEFT = 70,
	PN_RIGHT = 20,
	PN_TOP = 40,
	PN_BOTTOM = 50,
};

// 1, 2 or 5 times a power of ten, so that four to ten of them make the whole.
static double pnGetTick( double most )
{
	double power = pow( 10.0, floor( log10( most ) ) ), share = most / power;
	return share < 2.0 ? 0.2 * power : share < 5.0 ? 0.5 * power : power;
}

static double pnPlaceX( double value, double most ) { return PN_LEFT + value / most * ( PN_WIDE - PN_LEFT - PN_RIGHT ); }
static double pnPlaceY( double value, double most ) { return PN_HIGH - PN_BOTTOM - value / most * ( PN_HIGH - PN_TOP - PN_BOTTOM ); }

static void pnWriteGrid( FILE* file, double mostX, double mostY )
{
	double tick = pnGetTick( mostX );
	for ( int i = 0; i * tick <= mostX * ( 1.0 + 1e-9 ); ++i )
	{
		double x = pnPlaceX( i * tick, mostX );
		fprintf( file, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"%s\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%g</text>\n", x, x, PN_TOP,
				 PN_HIGH - PN_BOTTOM, i == 0 ? "#888" : "#ddd", x, PN_HIGH - PN_BOTTOM + 18, i * tick );
	}
	tick = pnGetTick( mostY );
	for ( int i = 0; i * tick <= mostY * ( 1.0 + 1e-9 ); ++i )
	{
		double y = pnPlaceY( i * tick, mostY );
		fprintf( file, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g</text>\n", PN_LEFT, PN_WIDE - PN_RIGHT, y, y,
				 i == 0 ? "#888" : "#ddd", PN_LEFT - 8, y + 4.0, i * tick );
	}
}

void pnWritePlot( FILE* file, const char* title, const char* xLabel, const char* yLabel, const double* xs, int count, const pnPlotCurve* curves, int curveCount )
{
	double mostX = count > 0 ? xs[count - 1] : 1.0, mostY = 0.0;
	for ( int c = 0; c < curveCount; ++c )
	{
		for ( int i = 0; i < count; ++i )
		{
			mostY = fmax( mostY, curves[c].values[i] );
		}
	}
	mostY = mostY > 0.0 ? mostY : 1.0;
	mostY = ceil( mostY / pnGetTick( mostY ) ) * pnGetTick( mostY );
	fprintf( file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-size=\"13\" font-family=\"sans-serif\">\n", PN_WIDE, PN_HIGH, PN_WIDE, PN_HIGH );
	fprintf( file, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n<text x=\"%d\" y=\"22\">%s</text>\n", PN_WIDE, PN_HIGH, PN_LEFT, title );
	pnWriteGrid( file, mostX, mostY );
	fprintf( file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", ( PN_LEFT + PN_WIDE - PN_RIGHT ) / 2, PN_HIGH - 10, xLabel );
	fprintf( file, "<text transform=\"translate(18 %d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", ( PN_TOP + PN_HIGH - PN_BOTTOM ) / 2, yLabel );
	for ( int c = 0; c < curveCount; ++c )
	{
		const pnPlotCurve* curve = curves + c;
		fprintf( file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", curve->color );
		for ( int i = 0; i < count; ++i )
		{
			fprintf( file, "%s%.2f,%.2f", i > 0 ? " " : "", pnPlaceX( xs[i], mostX ), pnPlaceY( curve->values[i], mostY ) );
		}
		fprintf( file, "\"/>\n" );
		for ( int i = 0; i < count; ++i )
		{
			fprintf( file, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3\" fill=\"%s\"/>\n", pnPlaceX( xs[i], mostX ), pnPlaceY( curve->values[i], mostY ), curve->color );
		}
		int y = PN_TOP + 20 + 20 * c; // the key, where curves from zero leave room
		fprintf( file, "<line x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\" stroke=\"%s\" stroke-width=\"2\"/><text x=\"%d\" y=\"%d\">%s</text>\n", PN_LEFT + 14, PN_LEFT + 38, y - 4, y - 4,
				 curve->color, PN_LEFT + 46, y, curve->name );
	}
	fprintf( file, "</svg>\n" );
}
