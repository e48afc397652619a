// options.c - command-line options from a table. Knows no commands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "options.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

int pnFail( int code, const char* command, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	fprintf( stderr, "%s: ", command );
	vfprintf( stderr, format, arguments );
	fputc( '\n', stderr );
	va_end( arguments );
	return code;
}

// Edits to get from one word to the other: letters put in, left out, changed, or swapped with their neighbour.
static int pnCountEdits( const char* a, const char* b )
{
	enum
	{
		maxLength = 40
	};
	int rows[3][maxLength + 1];
	int lengthA = (int)strlen( a ), lengthB = (int)strlen( b );
	if ( lengthA > maxLength || lengthB > maxLength )
	{
		return maxLength;
	}
	for ( int j = 0; j <= lengthB; ++j )
	{
		rows[0][j] = j;
	}
	for ( int i = 1; i <= lengthA; ++i )
	{
		int* row = rows[i % 3];
		const int* before = rows[( i + 2 ) % 3];
		const int* twoBefore = rows[( i + 1 ) % 3];
		row[0] = i;
		for ( int j = 1; j <= lengthB; ++j )
		{
			int edits = before[j - 1] + ( a[i - 1] != b[j - 1] );
			edits = before[j] + 1 < edits ? before[j] + 1 : edits;
			edits = row[j - 1] + 1 < edits ? row[j - 1] + 1 : edits;
			if ( i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && twoBefore[j - 2] + 1 < edits )
			{
				edits = twoBefore[j - 2] + 1;
			}
			row[j] = edits;
		}
	}
	return rows[lengthA % 3][lengthB];
}

const char* pnFindNearName( const char* typed, const char* const* names, int count )
{
	const char* best = NULL;
	int bestEdits = INT_MAX;
	size_t typedLength = strlen( typed );
	for ( int i = 0; i < count; ++i )
	{
		size_t length = strlen( names[i] );
		int edits = pnCountEdits( typed, names[i] );
		int allowed = length < 5 ? 1 : length < 9 ? 2 : 3;
		bool begins = typedLength >= 2 && strncmp( typed, names[i], typedLength ) == 0;
		if ( ( edits <= allowed || begins ) && edits < bestEdits )
		{
			best = names[i];
			bestEdits = edits;
		}
	}
	return best;
}

bool pnReadInt( const char* text, int* value )
{
	char* end;
	errno = 0;
	long number = strtol( text, &end, 10 );
	if ( end == text || *end != 0 || errno != 0 || number < INT_MIN || number > INT_MAX )
	{
		return false;
	}
	*value = (int)number;
	return true;
}

bool pnReadReal( const char* text, double* value )
{
	char* end;
	double number = strtod( text, &end );
	if ( end == text || *end != 0 || isfinite( number ) == 0 )
	{
		return false;
	}
	*value = number;
	return true;
}

static int pnSetOption( const char* command, const pnOption* option, const char* text )
{
	switch ( option->kind )
	{
	case pn_flagOption:
		*(bool*)option->value = true;
		return 0;

	case pn_textOption:
		if ( text[0] == 0 )
		{
			return pnFail( PN_EXIT_USAGE, command, "%s needs a value: %s %s", option->name, option->name, option->argument );
		}
		*(const char**)option->value = text;
		return 0;

	case pn_listOption:
	{
		pnTextList* list = option->value;
		if ( text[0] == 0 || list->count == PN_MAX_TEXTS )
		{
			return text[0] == 0 ? pnFail( PN_EXIT_USAGE, command, "%s needs a value: %s %s", option->name, option->name, option->argument )
								: pnFail( PN_EXIT_USAGE, command, "%s can be there up to %d times", option->name, PN_MAX_TEXTS );
		}
		list->texts[list->count++] = text;
		return 0;
	}

	case pn_intOption:
	{
		int number;
		if ( pnReadInt( text, &number ) == false )
		{
			return pnFail( PN_EXIT_USAGE, command, "%s needs a whole number, not '%s'", option->name, text );
		}
		if ( number < option->lower || number > option->upper )
		{
			return pnFail( PN_EXIT_USAGE, command, "%s goes from %.0f to %.0f, %d is outside", option->name, option->lower, option->upper,
						   number );
		}
		*(int*)option->value = number;
		return 0;
	}

	case pn_realOption:
	default:
	{
		double number;
		if ( pnReadReal( text, &number ) == false )
		{
			return pnFail( PN_EXIT_USAGE, command, "%s needs a number, not '%s'", option->name, text );
		}
		if ( number < option->lower || number > option->upper )
		{
			return pnFail( PN_EXIT_USAGE, command, "%s goes from %g to %g, %g is outside", option->name, option->lower, option->upper,
						   number );
		}
		*(double*)option->value = number;
		return 0;
	}
	}
}

static int pnFailUnknown( const char* command, const pnOption* options, int optionCount, const char* argument, size_t length )
{
	enum
	{
		maxOptions = 64
	};
	const char* names[maxOptions];
	int nameCount = 0;
	for ( int i = 0; i < optionCount && nameCount < maxOptions; ++i )
	{
		names[nameCount++] = options[i].name;
	}
	char typed[64];
	snprintf( typed, sizeof( typed ), "%.*s", (int)length, argument );
	const char* near = pnFindNearName( typed, names, nameCount );
	if ( near != NULL )
	{
		return pnFail( PN_EXIT_USAGE, command, "there is no option '%s'; did you mean '%s'?", typed, near );
	}
	return pnFail( PN_EXIT_USAGE, command, "there is no option '%s'; --help shows all", typed );
}

int pnReadOptions( const char* command, const pnOption* options, int optionCount, int argc, char** argv, const char** rest, int* restCount,
				   int restCapacity, bool* help )
{
	bool onlyRest = false;
	*restCount = 0;
	*help = false;
	for ( int i = 1; i < argc; ++i )
	{
		const char* argument = argv[i];
		if ( onlyRest || argument[0] != '-' || argument[1] == 0 )
		{
			if ( *restCount == restCapacity )
			{
				return pnFail( PN_EXIT_USAGE, command, "'%s' is one word too many", argument );
			}
			rest[( *restCount )++] = argument;
			continue;
		}
		if ( strcmp( argument, "--" ) == 0 )
		{
			onlyRest = true;
			continue;
		}
		if ( strcmp( argument, "--help" ) == 0 || strcmp( argument, "-h" ) == 0 )
		{
			*help = true;
			return 0;
		}
		const char* equals = strchr( argument, '=' );
		size_t length = equals != NULL ? (size_t)( equals - argument ) : strlen( argument );
		const pnOption* option = NULL;
		for ( int j = 0; j < optionCount; ++j )
		{
			bool same = strlen( options[j].name ) == length && strncmp( options[j].name, argument, length ) == 0;
			option = same ? options + j : option;
		}
		if ( option == NULL )
		{
			return pnFailUnknown( command, options, optionCount, argument, length );
		}
		const char* text = equals != NULL ? equals + 1 : NULL;
		if ( option->kind == pn_flagOption && text != NULL )
		{
			return pnFail( PN_EXIT_USAGE, command, "%s takes no value", option->name );
		}
		if ( option->kind != pn_flagOption && text == NULL )
		{
			if ( i + 1 == argc )
			{
				return pnFail( PN_EXIT_USAGE, command, "%s needs a value: %s %s", option->name, option->name, option->argument );
			}
			text = argv[++i];
		}
		int code = pnSetOption( command, option, text );
		if ( code != 0 )
		{
			return code;
		}
	}
	return 0;
}

void pnPrintOptions( FILE* file, const pnOption* options, int optionCount )
{
	for ( int i = 0; i < optionCount; ++i )
	{
		char left[64];
		snprintf( left, sizeof( left ), "%s%s%s", options[i].name, options[i].argument != NULL ? " " : "",
				  options[i].argument != NULL ? options[i].argument : "" );
		fprintf( file, "  %-24s %s\n", left, options[i].help );
	}
}
