// options.h - command-line options from a table: read, checked, explained. Knows no commands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum
{
	PN_EXIT_FAILURE = 1, // it could not be done
	PN_EXIT_USAGE = 2, // it was not said rightly
	PN_EXIT_STOPPED = 130, // by Ctrl-C; what was done is kept
};

typedef enum pnOptionKind
{
	pn_flagOption, // bool
	pn_textOption, // const char*
	pn_intOption, // int
	pn_realOption, // double
	pn_listOption, // pnTextList: it may be there several times
} pnOptionKind;

#define PN_MAX_TEXTS 16
typedef struct pnTextList { const char* texts[PN_MAX_TEXTS]; int count; } pnTextList;

typedef struct pnOption
{
	const char* name; // with its dashes
	pnOptionKind kind;
	void* value; // written if the option is there
	double lower, upper; // of numbers, both allowed
	const char* argument; // as the help shows it; NULL for flags
	const char* help;
} pnOption;

// Takes `--name value` and `--name=value`; what is no option goes to `rest`. `--` ends the options.
// Returns 0, or an exit code after one sentence on stderr. --help and -h set *help and end it.
int pnReadOptions( const char* command, const pnOption* options, int optionCount, int argc, char** argv, const char** rest, int* restCount,
				   int restCapacity, bool* help );
void pnPrintOptions( FILE* file, const pnOption* options, int optionCount );

// One sentence on stderr, the command's name before it. Returns the code.
int pnFail( int code, const char* command, const char* format, ... ) __attribute__( ( format( printf, 3, 4 ) ) );
// The name in the list that is nearest to what was typed, or NULL if none is near.
const char* pnFindNearName( const char* typed, const char* const* names, int count );
// A whole number or a real one with nothing after it.
bool pnReadInt( const char* text, int* value );
bool pnReadReal( const char* text, double* value );
