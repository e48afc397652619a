// mesh_text.h - lines and words of a mesh file in text, without copies. Knows no format.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The text must end with a 0 byte after its length.
typedef struct pnText
{
	const char* at;
	const char* end;
	const char* lineEnd;
	int line; // the current one, from 1; 0 before the first
} pnText;

typedef struct pnTextWord { const char* text; size_t length; } pnTextWord;

pnText pnOpenText( const char* text, size_t length );
bool pnNextTextLine( pnText* text ); // to the beginning of the next line, empty ones included; false: there is none
pnTextWord pnNextTextWord( pnText* text ); // of this line; length 0: no more
bool pnIsText( pnTextWord word, const char* other );
bool pnReadTextNumber( pnText* text, double* value ); // the next word is a finite number
bool pnReadTextWhole( pnText* text, int64_t* value ); // the next word is a whole number
// To the next line that has a word which does not begin with `remark`; false: there is none.
bool pnNextFullLine( pnText* text, char remark );
