// solve_picture.h - pictures of an answer: the deformed surface with colours, where it was at rest, what presses on it. Knows no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "image.h"
#include "solution.h"

typedef struct pnPictureDef
{
	const pnProblem* problem;
	const pnSolution* solution;
	const pnKelvin* kelvin; // for how far indenters were pressed
	pnFieldKind field;
	double exaggerate;
	double azimuth, elevation; // degrees
	int width, height; // pixels
	int legendHeight; // pixels more below it, for what the colours mean; 0: none
	bool withIndenters;
	bool withOutline; // creases and silhouette of the surface at rest
} pnPictureDef;

// As a report shows it: the view is one of the problem's own; no size yet.
pnPictureDef pnChoosePicture( const pnProblem* problem, const pnSolution* solution, const pnKelvin* kelvin, pnFieldKind field, int view );
// False if there is no memory.
bool pnDrawSolution( const pnPictureDef* def, pnImage* image );
// PNG as text, to be freed; NULL if there is no memory.
char* pnMakePngText( const pnImage* image );
