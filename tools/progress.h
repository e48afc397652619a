// progress.h - a bar with the time that is left, on a terminal; and Ctrl-C, noticed instead of obeyed at once. Knows nothing of the work.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>

typedef struct pnBar
{
	char title[64];
	bool isOn; // on a terminal, and wanted
	bool isDrawn;
	double start, drawn; // s, by the wall's clock
} pnBar;

double pnGetWallTime( void ); // s, from some moment on

// Nothing is printed where stderr is no terminal, and nothing in the first second: what is done by then needs no bar.
pnBar pnStartBar( const char* title, bool isWanted );
// What the bar says beside the share and the time left; text may be NULL. Done of total, in any unit.
void pnBar_Show( pnBar* bar, double done, double total, const char* text );
void pnBar_Clear( pnBar* bar ); // before other words are printed

// From here on the first Ctrl-C (or a polite kill) is only remembered; the second one ends the program.
void pnCatchInterrupts( void );
bool pnIsInterrupted( void );
