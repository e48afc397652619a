// solve_numbers.h - the numbers about an answer as lines of text with their meaning, for the screen and the report. Knows no pictures.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "solution.h"

typedef enum pnNumberPart
{
	pn_answerPart, // what was asked for
	pn_forcePart, // what holds and pushes
	pn_probePart, // at places named
	pn_trustPart, // what speaks for and against it
	pn_workPart, // how it was found
	pn_numberPartCount,
} pnNumberPart;

typedef struct pnNumberLine
{
	pnNumberPart part;
	char name[PN_NAME_SIZE];
	char value[200];
	char meaning[320]; // plain words; may be empty
} pnNumberLine;

enum
{
	PN_MAX_NUMBER_LINES = 32 + PN_MAX_CONDITIONS + PN_MAX_INDENTERS + PN_MAX_PROBES,
	PN_MAX_WARNINGS = 16,
};

typedef struct pnNumbers
{
	pnNumberLine lines[PN_MAX_NUMBER_LINES];
	int lineCount;
	const char* warnings[PN_MAX_WARNINGS]; // sentences that live for ever
	int warningCount;
	double probeError; // the largest relative difference from what is known; negative: nothing is known
} pnNumbers;

const char* pnNameMethod( pnKelvinMethod method );
void pnCollectNumbers( const pnProblem* problem, const pnKelvin* kelvin, const pnKelvinInfo* info, const pnSolution* solution, pnNumbers* numbers );
// One more line, for what only the command knows.
void pnAddNumber( pnNumbers* numbers, pnNumberPart part, const char* name, const char* meaning, const char* format, ... )
	__attribute__( ( format( printf, 5, 6 ) ) );
void pnPrintNumbers( const pnNumbers* numbers, FILE* file );
