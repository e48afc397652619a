// plot.h - curves over one axis as an SVG, both axes even and from zero. Knows no measurements.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdio.h>

typedef struct pnPlotCurve { const char *name, *color; const double* values; } pnPlotCurve; // a value for each x; the colour as SVG has it

// xs rise and are positive, values are not negative. Words are written as they are: no <, > or &. Up to 8 curves.
void pnWritePlot( FILE* file, const char* title, const char* xLabel, const char* yLabel, const double* xs, int count, const pnPlotCurve* curves, int curveCount );
