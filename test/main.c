// main.c - runs the tests: all, or those whose suite.name holds the filter. Knows nothing of what they test.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "golden.h"
#include "response_exercise.h"
#include "test.h"
#include "wire_sample.h"

#include <cblas.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// In the order in which they run.
#define PN_SUITES( X ) \
	X( core ) \
	X( outline ) \
	X( clusters ) \
	X( match ) \
	X( swing ) \
	X( energy ) \
	X( momentum ) \
	X( step ) \
	X( clock ) \
	X( spin ) \
	X( plastic ) \
	X( skin ) \
	X( input ) \
	X( memory ) \
	X( state ) \
	X( threads ) \
	X( shape ) \
	X( detect ) \
	X( query ) \
	X( contact ) \
	X( edge ) \
	X( rubble ) \
	X( hit ) \
	X( pile ) \
	X( sleep ) \
	X( judge ) \
	X( plot ) \
	X( grab ) \
	X( pull ) \
	X( cut ) \
	X( moduli ) \
	X( near ) \
	X( slit ) \
	X( piece ) \
	X( tear ) \
	X( command ) \
	X( room ) \
	X( image ) \
	X( message ) \
	X( journal ) \
	X( stream ) \
	X( response ) \
	X( kernel ) \
	X( facets ) \
	X( indenter ) \
	X( kelvin_patches ) \
	X( kelvin ) \
	X( kelvin_exact ) \
	X( kelvin_honest ) \
	X( kelvin_parts ) \
	X( kelvin_scan ) \
	X( kelvin_friction ) \
	X( kelvin_glue ) \
	X( kelvin_rotate ) \
	X( kelvin_inside ) \
	X( kelvin_block ) \
	X( problem ) \
	X( scenefile ) \
	X( meshfile )

#define PN_DECLARE( name ) extern const pnTestSuite pn_##name##Suite;
PN_SUITES( PN_DECLARE )

#define PN_LIST_SUITE( name ) &pn_##name##Suite,
static const pnTestSuite* const s_suites[] = { PN_SUITES( PN_LIST_SUITE ) };

// Failures told in full for one test; the rest are only counted, so that a broken loop does not flood the screen.
#define TOLD_FAILURES 5

static atomic_int s_checks;
static atomic_int s_failures;
static char s_context[512];
static char s_note[512];

static void Fail( const char* file, int line, const char* format, ... )
{
	if ( atomic_fetch_add( &s_failures, 1 ) >= TOLD_FAILURES )
	{
		return;
	}
	const char* slash = strrchr( file, '/' );
	char text[1024];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof( text ), format, arguments );
	va_end( arguments );
	printf( "  %s:%d: %s%s%s\n", slash != NULL ? slash + 1 : file, line, text, s_context[0] != 0 ? " | " : "", s_context );
	fflush( stdout );
}

bool pnTestEnsure( bool held, const char* text, const char* file, int line )
{
	atomic_fetch_add( &s_checks, 1 );
	if ( held == false )
	{
		Fail( file, line, "%s", text );
	}
	return held;
}

bool pnTestEnsureNear( double value, double expected, double tolerance, const char* text, const char* file, int line )
{
	atomic_fetch_add( &s_checks, 1 );
	bool held = fabs( value - expected ) <= tolerance;
	if ( held == false )
	{
		Fail( file, line, "%s is %.9g, expected %.9g within %.3g", text, value, expected, tolerance );
	}
	return held;
}

bool pnTestEnsureMost( double value, double bound, const char* text, const char* file, int line )
{
	atomic_fetch_add( &s_checks, 1 );
	bool held = value <= bound;
	if ( held == false )
	{
		Fail( file, line, "%s is %.9g, at most %.9g expected", text, value, bound );
	}
	return held;
}

void pnTestContext( const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( s_context, sizeof( s_context ), format, arguments );
	va_end( arguments );
}

void pnTestNote( const char* format, ... )
{
	size_t used = strlen( s_note );
	if ( used > 0 && used + 2 < sizeof( s_note ) )
	{
		memcpy( s_note + used, "; ", 3 );
		used += 2;
	}
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( s_note + used, sizeof( s_note ) - used, format, arguments );
	va_end( arguments );
}

int main( int argumentCount, char** arguments )
{
	openblas_set_num_threads( 1 ); // the host's choice: the static solver leaves it as it is (kelvin.BlasStaysAsTheHostSetIt)
	const char* filter = "";
	bool listOnly = false;
	for ( int i = 1; i < argumentCount; ++i )
	{
		if ( strcmp( arguments[i], "--list" ) == 0 )
		{
			listOnly = true;
		}
		else if ( strcmp( arguments[i], "--golden" ) == 0 )
		{
			pnPrintGolden();
			return 0;
		}
		else if ( strcmp( arguments[i], "--response-hash" ) == 0 )
		{
			printf( "response hash 0x%016" PRIx64 "\n", pnExerciseResponse() );
			return 0;
		}
		else if ( strcmp( arguments[i], "--wire-sample" ) == 0 )
		{
			pnBytes bytes = { 0 };
			pnWriteWireSample( &bytes );
			fwrite( bytes.data, 1, bytes.size, stdout );
			free( bytes.data );
			return 0;
		}
		else if ( arguments[i][0] == '-' || filter[0] != 0 )
		{
			printf( "usage: %s [--list | --golden | --response-hash | --wire-sample] [part of a suite.name]\n", arguments[0] );
			return 2;
		}
		else
		{
			filter = arguments[i];
		}
	}

	int passed = 0, failed = 0;
	for ( int i = 0; i < (int)( sizeof( s_suites ) / sizeof( s_suites[0] ) ); ++i )
	{
		const pnTestSuite* suite = s_suites[i];
		for ( int j = 0; j < suite->count; ++j )
		{
			char name[256];
			snprintf( name, sizeof( name ), "%s.%s", suite->name, suite->tests[j].name );
			if ( strstr( name, filter ) == NULL )
			{
				continue;
			}
			if ( listOnly )
			{
				printf( "%s%s\n", name, suite->tests[j].open ? " (open)" : "" );
				continue;
			}
			if ( suite->tests[j].open && getenv( "PLIANT_OPEN" ) == NULL )
			{
				printf( "open %s\n", name );
				continue;
			}

			s_context[0] = 0;
			s_note[0] = 0;
			atomic_store( &s_checks, 0 );
			atomic_store( &s_failures, 0 );
			suite->tests[j].fcn();

			int checks = atomic_load( &s_checks );
			int failures = atomic_load( &s_failures );
			if ( failures == 0 )
			{
				passed += 1;
				printf( "pass %-44s %8d checks%s%s\n", name, checks, s_note[0] != 0 ? "  " : "", s_note );
			}
			else
			{
				failed += 1;
				printf( "FAIL %-44s %8d of %d checks%s%s\n", name, failures, checks, s_note[0] != 0 ? "  " : "", s_note );
			}
			fflush( stdout );
		}
	}

	if ( listOnly )
	{
		return 0;
	}
	printf( "%d passed, %d failed\n", passed, failed );
	// A filter that names no test is a mistake, not a success.
	return failed == 0 && passed > 0 ? 0 : 1;
}
