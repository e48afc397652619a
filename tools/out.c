// out.c - the kinds of files that a run can become, and their names. Knows no format.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "out.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const pnOutKind* const pnOutKinds[] = {
	&pn_glbOut, &pn_pvdOut, &pn_plyOut, &pn_objOut, &pn_pc2Out, &pn_csvOut, &pn_pliantOut, &pn_htmlOut, &pn_mp4Out, &pn_webmOut,
};

const pnOutKind* const* pnGetOutKinds( int* count )
{
	*count = (int)( sizeof( pnOutKinds ) / sizeof( pnOutKinds[0] ) );
	return pnOutKinds;
}

const pnOutKind* pnFindOutKind( const char* path )
{
	int count;
	const pnOutKind* const* kinds = pnGetOutKinds( &count );
	size_t length = strlen( path );
	for ( int i = 0; i < count; ++i )
	{
		size_t ending = strlen( kinds[i]->ending );
		if ( length > ending && strcmp( path + length - ending, kinds[i]->ending ) == 0 )
		{
			return kinds[i];
		}
	}
	return NULL;
}

const char* pnGetOutFieldName( int bit )
{
	static const char* const names[] = { "normal", "color", "velocity", "stretch", "plastic", "cluster", "body", "contact" };
	return bit >= 0 && bit < (int)( sizeof( names ) / sizeof( names[0] ) ) ? names[bit] : NULL;
}

bool pnMakeOutPattern( const char* path, char pattern[PN_OUT_PATH] )
{
	const char* percent = strchr( path, '%' );
	const char* slash = strrchr( path, '/' );
	const char* dot = strrchr( slash != NULL ? slash : path, '.' );
	if ( percent == NULL )
	{
		int length = dot != NULL ? (int)( dot - path ) : (int)strlen( path );
		return snprintf( pattern, PN_OUT_PATH, "%.*s_%%04d%s", length, path, dot != NULL ? dot : "" ) < PN_OUT_PATH;
	}
	// One int and nothing else, because printf will get one.
	const char* end = percent + 1;
	end += strspn( end, "0" );
	size_t digits = strspn( end, "0123456789" );
	bool good = digits <= 2 && end[digits] == 'd' && strchr( end + digits, '%' ) == NULL;
	return good && snprintf( pattern, PN_OUT_PATH, "%s", path ) < PN_OUT_PATH;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
void pnFillOutPattern( const char* pattern, int number, char path[PN_OUT_PATH] ) { snprintf( path, PN_OUT_PATH, pattern, number ); }
#pragma GCC diagnostic pop

void pnGetPartPath( const char* path, char part[PN_OUT_PATH] ) { snprintf( part, PN_OUT_PATH, "%.4080s.part", path ); }

const char* pnPlacePart( const char* path )
{
	char part[PN_OUT_PATH];
	pnGetPartPath( path, part );
	return rename( part, path ) == 0 ? NULL : strerror( errno );
}
