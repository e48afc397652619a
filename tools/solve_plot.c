// solve_plot.c - error against the number of sources as an SVG. Knows no problems.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "solve_report.h"

#include <math.h>
#include <stdio.h>

enum
{
	PN_PLOT_WIDTH = 640, // units of the drawing
	PN_PLOT_HEIGHT = 400,
	PN_PLOT_LEFT = 70,
	PN_PLOT_RIGHT = 20,
	PN_PLOT_TOP = 30,
	PN_PLOT_BOTTOM = 50,
};

typedef struct pnPlotRange
{
	double low[2], high[2]; // decades, of x and y
} pnPlotRange;

static double pnGetPlotX( const pnPlotRange* range, double value )
{
	return PN_PLOT_LEFT + ( log10( value ) - range->low[0] ) / ( range->high[0] - range->low[0] ) * ( PN_PLOT_WIDTH - PN_PLOT_LEFT - PN_PLOT_RIGHT );
}

static double pnGetPlotY( const pnPlotRange* range, double value )
{
	return PN_PLOT_HEIGHT - PN_PLOT_BOTTOM -
		   ( log10( value ) - range->low[1] ) / ( range->high[1] - range->low[1] ) * ( PN_PLOT_HEIGHT - PN_PLOT_TOP - PN_PLOT_BOTTOM );
}

static double pnGetRowValue( const pnConvergeRow* row, int series ) { return series == 0 ? row->difference : row->probeError; }

static void pnWriteSeries( FILE* file, const pnPlotRange* range, const pnConvergeRow* rows, int rowCount, int series, const char* color, const char* name )
{
	int shown = 0;
	fprintf( file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", color );
	for ( int i = 0; i < rowCount; ++i )
	{
		double value = pnGetRowValue( rows + i, series );
		if ( value > 0.0 )
		{
			fprintf( file, "%.1f,%.1f ", pnGetPlotX( range, rows[i].sources ), pnGetPlotY( range, value ) );
			shown += 1;
		}
	}
	fprintf( file, "\"/>\n" );
	for ( int i = 0; i < rowCount; ++i )
	{
		double value = pnGetRowValue( rows + i, series );
		if ( value > 0.0 )
		{
			fprintf( file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n", pnGetPlotX( range, rows[i].sources ), pnGetPlotY( range, value ), color );
		}
	}
	if ( shown > 0 )
	{
		int y = PN_PLOT_TOP - 12, x = PN_PLOT_LEFT + 260 * series;
		fprintf( file, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" fill=\"%s\"/><text x=\"%d\" y=\"%d\">%s</text>\n", x + 6, y - 4, color, x + 16, y, name );
	}
}

void pnWriteConvergePlot( FILE* file, const pnConvergeRow* rows, int rowCount )
{
	double least[2] = { INFINITY, INFINITY }, most[2] = { 0.0, 0.0 };
	for ( int i = 0; i < 2 * rowCount; ++i )
	{
		double value = pnGetRowValue( rows + i / 2, i % 2 );
		least[0] = fmin( least[0], rows[i / 2].sources );
		most[0] = fmax( most[0], rows[i / 2].sources );
		least[1] = value > 0.0 ? fmin( least[1], value ) : least[1];
		most[1] = fmax( most[1], value );
	}
	if ( !( most[1] > 0.0 ) )
	{
		return;
	}
	pnPlotRange range;
	range.low[0] = log10( least[0] ) - 0.08;
	range.high[0] = log10( most[0] ) + 0.08;
	range.low[1] = floor( log10( least[1] ) );
	range.high[1] = fmax( ceil( log10( most[1] ) ), range.low[1] + 1.0 );
	fprintf( file, "<svg viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" font-size=\"13\" font-family=\"sans-serif\">\n", PN_PLOT_WIDTH, PN_PLOT_HEIGHT,
			 PN_PLOT_WIDTH, PN_PLOT_HEIGHT );
	for ( int decade = (int)range.low[1]; decade <= (int)range.high[1]; ++decade )
	{
		for ( int k = 1; k < 10; ++k )
		{
			double value = k * pow( 10.0, decade );
			if ( log10( value ) <= range.high[1] + 1e-9 )
			{
				double y = pnGetPlotY( &range, value );
				fprintf( file, "<line x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>\n", PN_PLOT_LEFT, PN_PLOT_WIDTH - PN_PLOT_RIGHT, y, y,
						 k == 1 ? "#bbb" : "#eee" );
			}
			if ( k == 1 )
			{
				fprintf( file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g %%</text>\n", PN_PLOT_LEFT - 8, pnGetPlotY( &range, value ) + 4.0,
						 100.0 * value );
			}
		}
	}
	for ( int i = 0; i < rowCount; ++i )
	{
		double x = pnGetPlotX( &range, rows[i].sources );
		fprintf( file, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\" stroke=\"#ddd\"/><text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%d</text>\n", x, x,
				 PN_PLOT_TOP, PN_PLOT_HEIGHT - PN_PLOT_BOTTOM, x, PN_PLOT_HEIGHT - PN_PLOT_BOTTOM + 18, rows[i].sources );
	}
	fprintf( file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">sources</text>\n", ( PN_PLOT_LEFT + PN_PLOT_WIDTH ) / 2, PN_PLOT_HEIGHT - 10 );
	pnWriteSeries( file, &range, rows, rowCount, 0, "#345caa", "from the answer with most sources" );
	pnWriteSeries( file, &range, rows, rowCount, 1, "#bc262c", "from what is known" );
	fprintf( file, "</svg>\n" );
}
