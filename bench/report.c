// report.c - collects named numbers and prints them as a table or as JSON lines; shows progress. Knows no engine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L // isatty, fileno

#include "report.h"

#include "stopwatch.h"

#include <assert.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

void pnReport_Add( pnReport* report, const char* name, double value, const char* unit, pnBar bar )
{
	assert( report->rowCount < PN_REPORT_SIZE );
	pnReportRow* row = report->rows + report->rowCount;
	report->rowCount += 1;
	snprintf( row->name, sizeof( row->name ), "%s", name );
	row->value = value;
	row->unit = unit;
	row->bar = bar;
	row->note[0] = 0;
	row->text[0] = 0;
}

// What JSON would stumble over.
static void ReplaceQuotes( char* text )
{
	for ( char* c = text; *c != 0; ++c )
	{
		*c = *c == '"' || *c == '\\' || (unsigned char)*c < ' ' ? '\'' : *c;
	}
}

void pnReport_AddText( pnReport* report, const char* name, const char* text )
{
	pnReport_Add( report, name, 0.0, "", (pnBar){ pn_noBar, 0.0 } );
	pnReportRow* row = report->rows + report->rowCount - 1;
	snprintf( row->text, sizeof( row->text ), "%s", text );
	ReplaceQuotes( row->text );
}

void pnReport_SetNote( pnReport* report, const char* note )
{
	assert( report->rowCount > 0 );
	pnReportRow* row = report->rows + report->rowCount - 1;
	snprintf( row->note, sizeof( row->note ), "%s", note );
	ReplaceQuotes( row->note );
}

// Four digits say more than these clocks know; bytes are counted, so they are given in full.
static void FormatValue( double value, char* text, size_t capacity )
{
	if ( fabs( value ) >= 1000.0 )
	{
		snprintf( text, capacity, "%.0f", value );
	}
	else
	{
		snprintf( text, capacity, "%.4g", value );
	}
}

static bool IsMet( const pnReportRow* row )
{
	return row->bar.kind == pn_atMost ? row->value <= row->bar.value : row->value >= row->bar.value;
}

static int GetWidth( const pnReport* report )
{
	int width = 26;
	for ( int i = 0; i < report->rowCount; ++i )
	{
		int length = (int)strlen( report->rows[i].name );
		width = length > width ? length : width;
	}
	return width;
}

static void PrintTableRow( const pnReportRow* row, int width, FILE* file )
{
	char value[32], bar[32];
	FormatValue( row->value, value, sizeof( value ) );
	FormatValue( row->bar.value, bar, sizeof( bar ) );
	if ( row->text[0] != 0 )
	{
		fprintf( file, "%-*s %s\n", width, row->name, row->text );
	}
	else if ( row->bar.kind == pn_noBar )
	{
		fprintf( file, "%-*s %9s  %s\n", width, row->name, value, row->unit );
	}
	else
	{
		const char* relation = row->bar.kind == pn_atMost ? "<=" : ">=";
		fprintf( file, "%-*s %9s  %-14s %s %7s  %s%s%s\n", width, row->name, value, row->unit, relation, bar, IsMet( row ) ? "met" : "missed", row->note[0] != 0 ? "  " : "", row->note );
	}
}

static void PrintJsonRow( const pnReportRow* row, FILE* file )
{
	char value[32];
	if ( row->text[0] != 0 )
	{
		fprintf( file, "{\"name\": \"%s\", \"text\": \"%s\"}\n", row->name, row->text );
		return;
	}
	FormatValue( row->value, value, sizeof( value ) );
	fprintf( file, "{\"name\": \"%s\", \"value\": %s, \"unit\": \"%s\"", row->name, value, row->unit );
	if ( row->note[0] != 0 )
	{
		fprintf( file, ", \"note\": \"%s\"", row->note );
	}
	fprintf( file, "}\n" );
}

static void PrintHeader( int width, FILE* file )
{
	fprintf( file, "%-*s %9s  %-14s %10s\n", width, "name", "value", "unit", "bar" );
}

void pnReport_Show( pnReport* report, FILE* file )
{
	int width = GetWidth( report );
	if ( report->shownCount == 0 && report->rowCount > 0 && report->isJson == false )
	{
		PrintHeader( width, file );
	}
	for ( ; report->shownCount < report->rowCount; ++report->shownCount )
	{
		const pnReportRow* row = report->rows + report->shownCount;
		if ( report->isJson )
		{
			PrintJsonRow( row, file );
		}
		else
		{
			PrintTableRow( row, width, file );
		}
	}
	fflush( file );
}

void pnReport_PrintTable( const pnReport* report, FILE* file )
{
	int metCount = 0, barCount = 0, width = GetWidth( report );
	if ( report->shownCount == 0 )
	{
		PrintHeader( width, file );
	}
	for ( int i = 0; i < report->rowCount; ++i )
	{
		const pnReportRow* row = report->rows + i;
		bool hasBar = row->text[0] == 0 && row->bar.kind != pn_noBar;
		metCount += hasBar && IsMet( row );
		barCount += hasBar;
		if ( i >= report->shownCount )
		{
			PrintTableRow( row, width, file );
		}
	}
	fprintf( file, "%d of %d bars met\n", metCount, barCount );
}

void pnReport_PrintJson( const pnReport* report, FILE* file )
{
	for ( int i = report->shownCount; i < report->rowCount; ++i )
	{
		PrintJsonRow( report->rows + i, file );
	}
}

pnProgress pnStartProgress( int totalCount )
{
	return (pnProgress){ .start = pnGetSeconds(), .totalCount = totalCount, .isTerminal = isatty( fileno( stderr ) ) != 0 };
}

void pnProgress_Show( pnProgress* progress, const char* label )
{
	double elapsed = pnGetSeconds() - progress->start;
	if ( progress->isTerminal == false )
	{
		return;
	}
	fprintf( stderr, "\r%3d %%", 100 * progress->doneCount / progress->totalCount );
	if ( progress->doneCount > 0 )
	{
		// measurements differ in length, but each round has them all
		double left = elapsed * ( progress->totalCount - progress->doneCount ) / progress->doneCount;
		fprintf( stderr, "  %4.0f s left", left );
	}
	fprintf( stderr, "  %s\033[K", label );
	fflush( stderr );
}

void pnProgress_Advance( pnProgress* progress )
{
	progress->doneCount += 1;
}

void pnProgress_Finish( pnProgress* progress )
{
	if ( progress->isTerminal )
	{
		fprintf( stderr, "\r\033[K" );
		fflush( stderr );
	}
}
