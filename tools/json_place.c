// json_place.c - the line and column of a value in a JSON text. Knows no keys and no meanings.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "json_place.h"

typedef struct pnScan
{
	const char* text;
	size_t length, at;
} pnScan;

static char pnPeek( const pnScan* scan ) { return scan->at < scan->length ? scan->text[scan->at] : 0; }

static void pnSkipBlanks( pnScan* scan )
{
	char c = pnPeek( scan );
	while ( c == ' ' || c == '\t' || c == '\n' || c == '\r' )
	{
		scan->at += 1;
		c = pnPeek( scan );
	}
}

static void pnSkipString( pnScan* scan ) // from its first quote to after its last
{
	scan->at += 1;
	while ( scan->at < scan->length && scan->text[scan->at] != '"' )
	{
		scan->at += scan->text[scan->at] == '\\' ? 2 : 1;
	}
	scan->at += 1;
}

// Past one value, however deep it is: brackets are counted, strings are skipped over.
static void pnSkipValue( pnScan* scan )
{
	int depth = 0;
	do
	{
		pnSkipBlanks( scan );
		char c = pnPeek( scan );
		if ( c == '"' )
		{
			pnSkipString( scan );
		}
		else if ( c == '{' || c == '[' )
		{
			depth += 1;
			scan->at += 1;
		}
		else if ( c == '}' || c == ']' )
		{
			depth -= 1;
			scan->at += 1;
		}
		else if ( c == ',' || c == ':' )
		{
			scan->at += 1;
		}
		else // a number or a word
		{
			size_t begin = scan->at;
			while ( scan->at < scan->length && ( c == '-' || c == '+' || c == '.' || ( c >= '0' && c <= '9' ) || ( c >= 'A' && c <= 'Z' ) ||
												 ( c >= 'a' && c <= 'z' ) ) )
			{
				scan->at += 1;
				c = pnPeek( scan );
			}
			scan->at += scan->at == begin ? 1 : 0; // no JSON, but it must end
		}
	} while ( depth > 0 && scan->at < scan->length );
}

// From the opening bracket to the wanted member or item. False: there are not so many.
static bool pnEnter( pnScan* scan, int step, bool toKey )
{
	pnSkipBlanks( scan );
	char open = pnPeek( scan );
	if ( open != '{' && open != '[' )
	{
		return false;
	}
	scan->at += 1;
	for ( int i = 0; scan->at < scan->length; ++i )
	{
		pnSkipBlanks( scan );
		if ( pnPeek( scan ) == '}' || pnPeek( scan ) == ']' )
		{
			return false;
		}
		if ( i == step && toKey )
		{
			return true;
		}
		if ( open == '{' )
		{
			pnSkipValue( scan ); // the key
			pnSkipBlanks( scan );
			scan->at += pnPeek( scan ) == ':' ? 1 : 0;
			pnSkipBlanks( scan );
		}
		if ( i == step )
		{
			return true;
		}
		pnSkipValue( scan );
		pnSkipBlanks( scan );
		if ( pnPeek( scan ) != ',' )
		{
			return false;
		}
		scan->at += 1;
	}
	return false;
}

// False: the steps lead nowhere, and the scan is where they ended.
static bool pnFollowSteps( pnScan* scan, const int* steps, int stepCount, bool toKey )
{
	pnSkipBlanks( scan );
	bool found = true;
	for ( int i = 0; i < stepCount && found; ++i )
	{
		found = pnEnter( scan, steps[i], toKey && i == stepCount - 1 );
	}
	return found;
}

size_t pnFindJsonByte( const char* text, size_t length, const int* steps, int stepCount )
{
	pnScan scan = { text, length, 0 };
	pnFollowSteps( &scan, steps, stepCount, false );
	return scan.at < length ? scan.at : length;
}

bool pnFindJsonPlace( const char* text, size_t length, const int* steps, int stepCount, bool toKey, int* line, int* column )
{
	pnScan scan = { text, length, 0 };
	bool found = pnFollowSteps( &scan, steps, stepCount, toKey );
	*line = 1;
	*column = 1;
	for ( size_t i = 0; i < scan.at && i < length; ++i )
	{
		if ( text[i] == '\n' )
		{
			*line += 1;
			*column = 1;
		}
		else
		{
			*column += ( (unsigned char)text[i] & 0xc0 ) != 0x80 ? 1 : 0; // the later bytes of a character are no columns
		}
	}
	return found;
}
