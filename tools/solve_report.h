// solve_report.h - an answer as one HTML file: pictures, numbers, a convergence plot. Knows no options and no solving.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "solve_numbers.h"

// The same problem with so many sources.
typedef struct pnConvergeRow
{
	int sources, points;
	double difference; // of the displacement from the last row's, relative, mean over the surface; negative: it is the last row
	double probeError; // from what is known; negative: nothing is
	double residual, heldOutResidual;
	double seconds;
} pnConvergeRow;

typedef struct pnReportDef
{
	const pnProblem* problem;
	const pnKelvin* kelvin;
	const pnSolution* solution;
	const pnNumbers* numbers;
	const pnConvergeRow* rows; // rising sources; NULL: no plot
	int rowCount;
	const char* command; // what was typed
	void ( *onPicture )( int done, int total, void* context ); // or NULL
	void* context;
} pnReportDef;

// NULL, or what went wrong, in words that stay valid until the next call.
const char* pnWriteReport( const pnReportDef* def, const char* path );
// An SVG of error against sources, both logarithmic.
void pnWriteConvergePlot( FILE* file, const pnConvergeRow* rows, int rowCount );
