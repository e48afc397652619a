// mesh_text.c - lines and words of a mesh file in text, without copies. Knows no format.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

pnText pnOpenText( const char* text, size_t length ) { return (pnText){ text, text + length, text, 0 }; }

bool pnNextTextLine( pnText* text )
{
	if ( text->line > 0 )
	{
		text->at = text->lineEnd < text->end ? text->lineEnd + 1 : text->end;
	}
	if ( text->at >= text->end )
	{
		return false;
	}
	const char* newline = memchr( text->at, '\n', (size_t)( text->end - text->at ) );
	text->lineEnd = newline != NULL ? newline : text->end;
	text->line += 1;
	return true;
}

static bool pnIsTextBlank( char c ) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

pnTextWord pnNextTextWord( pnText* text )
{
	while ( text->at < text->lineEnd && pnIsTextBlank( *text->at ) )
	{
		text->at += 1;
	}
	const char* begin = text->at;
	while ( text->at < text->lineEnd && pnIsTextBlank( *text->at ) == false )
	{
		text->at += 1;
	}
	return (pnTextWord){ begin, (size_t)( text->at - begin ) };
}

bool pnIsText( pnTextWord word, const char* other ) { return word.length == strlen( other ) && memcmp( word.text, other, word.length ) == 0; }

bool pnReadTextNumber( pnText* text, double* value )
{
	pnTextWord word = pnNextTextWord( text );
	if ( word.length == 0 || word.length > 60 )
	{
		return false;
	}
	char* end;
	*value = strtod( word.text, &end ); // stops at the blank, or the 0 byte, behind the word
	return end == word.text + word.length && fabs( *value ) < 1e15;
}

bool pnReadTextWhole( pnText* text, int64_t* value )
{
	pnTextWord word = pnNextTextWord( text );
	bool isMinus = word.length > 0 && word.text[0] == '-';
	int64_t number = 0;
	for ( size_t i = isMinus ? 1 : 0; i < word.length; ++i )
	{
		if ( word.text[i] < '0' || word.text[i] > '9' || i > 17 )
		{
			return false;
		}
		number = 10 * number + ( word.text[i] - '0' );
	}
	*value = isMinus ? -number : number;
	return word.length > ( isMinus ? 1u : 0u );
}

bool pnNextFullLine( pnText* text, char remark )
{
	while ( pnNextTextLine( text ) )
	{
		const char* at = text->at;
		while ( at < text->lineEnd && pnIsTextBlank( *at ) )
		{
			at += 1;
		}
		if ( at < text->lineEnd && *at != remark )
		{
			return true;
		}
	}
	return false;
}
