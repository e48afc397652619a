// report.h - what a benchmark hands back: named numbers with units and bars; and how they are shown. Knows no engine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdio.h>

typedef enum pnBarKind
{
	pn_noBar,
	pn_atMost,
	pn_atLeast,
} pnBarKind;

typedef struct pnBar { pnBarKind kind; double value; } pnBar;

typedef struct pnReportRow
{
	char name[48];
	double value;
	const char* unit; // a literal
	pnBar bar;
	char note[96]; // behind the verdict, may be empty: which cases missed the bar
	char text[128]; // instead of the value, if not empty: a hash, or why there is no value
} pnReportRow;

#define PN_REPORT_SIZE 256
// Starts as all zero.
typedef struct pnReport
{
	pnReportRow rows[PN_REPORT_SIZE];
	int rowCount;
	int shownCount; // rows that were printed as they came
	bool isJson;
} pnReport;

void pnReport_Add( pnReport* report, const char* name, double value, const char* unit, pnBar bar );
void pnReport_AddText( pnReport* report, const char* name, const char* text ); // what is no number
void pnReport_SetNote( pnReport* report, const char* note ); // of the row added last; cut off where it is too long
void pnReport_Show( pnReport* report, FILE* file ); // rows that were not printed yet, of a benchmark that takes minutes; the printing calls leave them out then
void pnReport_PrintTable( const pnReport* report, FILE* file ); // for people: aligned, with bar and verdict
void pnReport_PrintJson( const pnReport* report, FILE* file ); // for programs: one object per line

// One line on stderr that renews itself on a terminal; nothing elsewhere.
typedef struct pnProgress
{
	double start; // seconds
	int doneCount, totalCount;
	bool isTerminal;
} pnProgress;

pnProgress pnStartProgress( int totalCount );
void pnProgress_Show( pnProgress* progress, const char* label ); // what is being done now
void pnProgress_Advance( pnProgress* progress ); // it is done
void pnProgress_Finish( pnProgress* progress ); // clears the line
