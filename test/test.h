// test.h - what every test uses: checks that print what they saw, and the tables main.c runs. Knows nothing of pliant.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef void pnTestFcn( void );
typedef struct pnTest { const char* name; pnTestFcn* fcn; bool open; } pnTest;
typedef struct pnTestSuite { const char* name; const pnTest* tests; int count; } pnTestSuite;

// A table entry, and a table:
//   static const pnTest s_tests[] = { RUN( SpinIsKept ), RUN( BodyAtRestStays ) };
//   SUITE( momentum, s_tests );
#define RUN( F ) { #F, F, false }
// A statement that does not hold yet, and shall: run only when PLIANT_OPEN is set in the environment, so that it stays in sight.
#define RUN_OPEN( F ) { #F, F, true }
#define SUITE( NAME, TESTS ) const pnTestSuite pn_##NAME##Suite = { #NAME, TESTS, (int)( sizeof( TESTS ) / sizeof( TESTS[0] ) ) }

// A check that fails is printed and counted, and the test goes on. May be called from several threads.
#define ENSURE( C ) pnTestEnsure( ( C ) ? true : false, #C, __FILE__, __LINE__ )
// |value - expected| <= tolerance; false for NaN
#define ENSURE_NEAR( V, E, T ) pnTestEnsureNear( ( V ), ( E ), ( T ), #V, __FILE__, __LINE__ )
// value <= bound; false for NaN
#define ENSURE_MOST( V, B ) pnTestEnsureMost( ( V ), ( B ), #V, __FILE__, __LINE__ )
// As ENSURE, but there is no point in going on: leaves the test (only in functions that return void)
#define REQUIRE( C ) \
	do \
	{ \
		if ( ENSURE( C ) == false ) \
		{ \
			return; \
		} \
	} while ( 0 )

// All three return whether it held.
bool pnTestEnsure( bool held, const char* text, const char* file, int line );
bool pnTestEnsureNear( double value, double expected, double tolerance, const char* text, const char* file, int line );
bool pnTestEnsureMost( double value, double bound, const char* text, const char* file, int line );

#if defined( __GNUC__ )
#define PN_PRINTF_LIKE __attribute__( ( format( printf, 1, 2 ) ) )
#else
#define PN_PRINTF_LIKE
#endif

// Printed if a check fails while it stands: which of many cases this is. Only from the main thread.
void pnTestContext( const char* format, ... ) PN_PRINTF_LIKE;
// A measured figure, printed at the end of the test's line. Only from the main thread.
void pnTestNote( const char* format, ... ) PN_PRINTF_LIKE;

// The same numbers on every machine (xorshift64*). A test seeds its own.
typedef struct pnRandom { uint64_t state; } pnRandom;

static inline pnRandom pnSeed( uint64_t seed )
{
	return ( pnRandom ){ seed * 0x9E3779B97F4A7C15ull + 0x1234567ull };
}

static inline uint32_t pnRandomBits( pnRandom* random )
{
	uint64_t s = random->state;
	s ^= s >> 12;
	s ^= s << 25;
	s ^= s >> 27;
	random->state = s;
	return (uint32_t)( ( s * 0x2545F4914F6CDD1Dull ) >> 32 );
}

static inline int pnRandomInt( pnRandom* random, int count ) // 0 .. count - 1
{
	return (int)( pnRandomBits( random ) % (uint32_t)count );
}

static inline double pnRandomIn( pnRandom* random, double lower, double upper )
{
	return lower + ( upper - lower ) * ( pnRandomBits( random ) / 4294967296.0 );
}
