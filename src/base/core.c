// core.c - memory, asserts, log, hash, clock. Knows no physics, and no stdio: a WebAssembly module then needs no imports.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For posix_memalign, madvise and clock_gettime, also when compiled as strict C17.
#define _DEFAULT_SOURCE 1

#include "core.h"

#include <limits.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef __wasm__
#include <time.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif

const char* pnResultText( pnResult result )
{
	switch ( result )
	{
	case pn_success:
		return "It worked.";
	case pn_invalidInput:
		return "The input cannot mean a solid, a body or a problem.";
	case pn_outOfMemory:
		return "There is not enough memory.";
	case pn_badImage:
		return "These bytes are no snapshot of this version, or they are cut short or altered.";
	case pn_notFound:
		return "There is nothing with that name, id or index.";
	case pn_givenUp:
		return "It was given up, as the progress function asked.";
	case pn_weakAnswer:
		return "There is an answer, but it is weaker than asked.";
	}
	return "This is no result pliant knows.";
}

// ---- memory ----

static void* pnDefaultAlloc( size_t size, size_t alignment )
{
	void* memory = NULL;
#ifdef __linux__
	// Large arrays are read in an order of their own: with large pages the machine finds its way in them.
	const size_t largePage = (size_t)1 << 21;
	if ( size >= 2 * largePage && posix_memalign( &memory, largePage, size ) == 0 )
	{
		(void)madvise( memory, size, MADV_HUGEPAGE ); // a wish: nothing depends on it
		return memory;
	}
#endif
	return posix_memalign( &memory, alignment, size ) == 0 ? memory : NULL;
}

static void pnDefaultFree( void* memory, size_t size )
{
	PN_UNUSED( size );
	free( memory );
}

static pnAllocFcn* s_alloc = pnDefaultAlloc;
static pnFreeFcn* s_free = pnDefaultFree;
static atomic_llong s_byteCount;

void pnSetAllocator( pnAllocFcn* alloc, pnFreeFcn* free )
{
	// A pair or nothing: memory of one must not be freed by the other.
	bool both = alloc != NULL && free != NULL;
	s_alloc = both ? alloc : pnDefaultAlloc;
	s_free = both ? free : pnDefaultFree;
}

int64_t pnGetByteCount( void )
{
	return (int64_t)atomic_load_explicit( &s_byteCount, memory_order_relaxed );
}

void* pnAllocRaw( size_t count, size_t size )
{
	size_t byteCount;
	if ( __builtin_mul_overflow( count, size, &byteCount ) || byteCount > (size_t)PTRDIFF_MAX - PN_CACHE_LINE )
	{
		return NULL;
	}
	// An empty array is an address too, so that NULL always means that there is no memory.
	byteCount = byteCount > 0 ? byteCount : 1;
	void* memory = s_alloc( byteCount, PN_CACHE_LINE );
	if ( memory == NULL )
	{
		return NULL;
	}
	PN_ASSERT( ( (uintptr_t)memory & ( PN_CACHE_LINE - 1 ) ) == 0 );
	atomic_fetch_add_explicit( &s_byteCount, (long long)byteCount, memory_order_relaxed );
	return memory;
}

void* pnAlloc( size_t count, size_t size )
{
	void* memory = pnAllocRaw( count, size );
	return memory != NULL ? memset( memory, 0, count * size ) : NULL;
}

void pnFree( void* memory, size_t count, size_t size )
{
	if ( memory == NULL )
	{
		return;
	}
	size_t byteCount = count * size;
	byteCount = byteCount > 0 ? byteCount : 1;
	s_free( memory, byteCount );
	atomic_fetch_sub_explicit( &s_byteCount, (long long)byteCount, memory_order_relaxed );
}

static bool pnGrowTo( void** memory, int* capacity, int count, int wanted, size_t size, bool zeroed )
{
	PN_ASSERT( 0 <= count && count <= *capacity );
	if ( wanted <= *capacity )
	{
		return true;
	}
	int doubled = *capacity <= INT_MAX / 2 ? 2 * *capacity : INT_MAX;
	int newCapacity = wanted > doubled ? wanted : doubled;
	void* newMemory = pnAllocRaw( (size_t)newCapacity, size );
	if ( newMemory == NULL )
	{
		return false;
	}
	if ( count > 0 )
	{
		memcpy( newMemory, *memory, (size_t)count * size );
	}
	if ( zeroed )
	{
		memset( (char*)newMemory + (size_t)count * size, 0, (size_t)( newCapacity - count ) * size );
	}
	pnFree( *memory, (size_t)*capacity, size );
	*memory = newMemory;
	*capacity = newCapacity;
	return true;
}

bool pnGrow( void** memory, int* capacity, int count, int wanted, size_t size )
{
	return pnGrowTo( memory, capacity, count, wanted, size, true );
}

bool pnGrowRaw( void** memory, int* capacity, int count, int wanted, size_t size )
{
	return pnGrowTo( memory, capacity, count, wanted, size, false );
}

// ---- asserts ----

static int pnDefaultAssert( const char* condition, const char* file, int line )
{
	pnLog( "%s:%d: %s does not hold", file, line, condition );
	return 1;
}

static pnAssertFcn* s_assert = pnDefaultAssert;

void pnSetAssertFcn( pnAssertFcn* fcn )
{
	s_assert = fcn != NULL ? fcn : pnDefaultAssert;
}

// Also in builds without asserts, so that a program with them can link this library.
int pnAssertFailed( const char* condition, const char* file, int line );
int pnAssertFailed( const char* condition, const char* file, int line )
{
	return s_assert( condition, file, line );
}

// ---- log ----

static pnLogFcn* s_log = NULL;

void pnSetLogFcn( pnLogFcn* fcn )
{
	s_log = fcn;
}

// A message under construction; what does not fit is dropped.
typedef struct pnText
{
	char bytes[512];
	int length;
} pnText;

static void pnPutChar( pnText* text, char c )
{
	if ( text->length < PN_COUNT( text->bytes ) - 1 )
	{
		text->bytes[text->length++] = c;
	}
}

static void pnPutString( pnText* text, const char* string )
{
	for ( const char* c = string != NULL ? string : "(null)"; *c != 0; ++c )
	{
		pnPutChar( text, *c );
	}
}

static void pnPutUnsigned( pnText* text, unsigned long long value, unsigned base, int minDigits )
{
	char digits[24];
	int count = 0;
	do
	{
		digits[count++] = "0123456789abcdef"[value % base];
		value /= base;
	}
	while ( value > 0 || count < minDigits );
	while ( count > 0 )
	{
		pnPutChar( text, digits[--count] );
	}
}

static void pnPutSigned( pnText* text, long long value )
{
	if ( value < 0 )
	{
		pnPutChar( text, '-' );
	}
	pnPutUnsigned( text, value < 0 ? 0ull - (unsigned long long)value : (unsigned long long)value, 10, 1 );
}

// Like %g, within an ulp or so of it: good for reading, not for reading back.
static void pnPutDouble( pnText* text, double value, int precision )
{
	if ( value != value )
	{
		pnPutString( text, "nan" );
		return;
	}
	if ( value < 0.0 )
	{
		pnPutChar( text, '-' );
		value = -value;
	}
	if ( value - value != 0.0 )
	{
		pnPutString( text, "inf" );
		return;
	}
	if ( value == 0.0 )
	{
		pnPutChar( text, '0' );
		return;
	}

	// value = x 10^exponent with x in [1, 10)
	static const double powers[] = { 1e256, 1e128, 1e64, 1e32, 1e16, 1e8, 1e4, 1e2, 1e1 };
	static const double inverses[] = { 1e-255, 1e-127, 1e-63, 1e-31, 1e-15, 1e-7, 1e-3, 1e-1, 1e0 };
	double x = value;
	int exponent = 0;
	for ( int i = 0, step = 256; i < PN_COUNT( powers ); ++i, step /= 2 )
	{
		if ( x >= powers[i] )
		{
			x /= powers[i];
			exponent += step;
		}
		else if ( x < inverses[i] )
		{
			x *= powers[i];
			exponent -= step;
		}
	}

	int digitCount = precision < 1 ? 1 : ( precision > 15 ? 15 : precision );
	unsigned long long unit = 1; // of the first digit
	for ( int i = 1; i < digitCount; ++i )
	{
		unit *= 10;
	}
	unsigned long long mantissa = (unsigned long long)( x * (double)unit + 0.5 );
	if ( mantissa >= 10 * unit )
	{
		mantissa /= 10;
		exponent += 1;
	}

	bool scientific = exponent < -4 || exponent >= digitCount;
	int pointAfter = scientific ? 0 : exponent; // the digit after which the point comes
	if ( pointAfter < 0 )
	{
		pnPutString( text, "0." );
		for ( int i = -1; i > pointAfter; --i )
		{
			pnPutChar( text, '0' );
		}
	}
	for ( int i = 0; i < digitCount && ( mantissa > 0 || i <= pointAfter ); ++i )
	{
		if ( i > 0 && i == pointAfter + 1 )
		{
			pnPutChar( text, '.' );
		}
		pnPutChar( text, (char)( '0' + mantissa / unit ) );
		mantissa = mantissa % unit;
		unit = unit > 1 ? unit / 10 : 1;
	}
	if ( scientific )
	{
		pnPutString( text, exponent < 0 ? "e-" : "e+" );
		pnPutUnsigned( text, (unsigned long long)( exponent < 0 ? -exponent : exponent ), 10, 2 );
	}
}

// %% %c %s %d %i %u %x with l, ll or z, and %g (also for %f and %e) with a precision. No widths, no flags.
static void pnFormat( pnText* text, const char* format, va_list arguments )
{
	for ( const char* c = format; *c != 0; ++c )
	{
		if ( *c != '%' )
		{
			pnPutChar( text, *c );
			continue;
		}
		c += 1;
		int precision = 6;
		if ( *c == '.' )
		{
			precision = 0;
			for ( c += 1; '0' <= *c && *c <= '9'; ++c )
			{
				precision = precision < 100 ? 10 * precision + ( *c - '0' ) : precision;
			}
		}
		int longCount = 0;
		bool isSize = false;
		for ( ; *c == 'l' || *c == 'z'; ++c )
		{
			longCount += *c == 'l';
			isSize = isSize || *c == 'z';
		}

		switch ( *c )
		{
		case '%':
			pnPutChar( text, '%' );
			break;
		case 'c':
			pnPutChar( text, (char)va_arg( arguments, int ) );
			break;
		case 's':
			pnPutString( text, va_arg( arguments, const char* ) );
			break;
		case 'd':
		case 'i':
			pnPutSigned( text, isSize ? (long long)va_arg( arguments, ptrdiff_t )
						 : longCount == 0 ? va_arg( arguments, int )
						 : longCount == 1 ? va_arg( arguments, long )
										  : va_arg( arguments, long long ) );
			break;
		case 'u':
		case 'x':
			pnPutUnsigned( text, isSize ? va_arg( arguments, size_t )
						   : longCount == 0 ? va_arg( arguments, unsigned )
						   : longCount == 1 ? va_arg( arguments, unsigned long )
											: va_arg( arguments, unsigned long long ),
						   *c == 'x' ? 16 : 10, 1 );
			break;
		case 'e':
		case 'f':
		case 'g':
			pnPutDouble( text, va_arg( arguments, double ), precision );
			break;
		default:
			// The arguments can no longer be told apart.
			PN_ASSERT( false && "a format pnLog does not know" );
			pnPutString( text, "%?" );
			return;
		}
	}
}

void pnLog( const char* format, ... )
{
	if ( s_log == NULL )
	{
		return;
	}
	pnText text;
	text.length = 0;
	va_list arguments;
	va_start( arguments, format );
	pnFormat( &text, format, arguments );
	va_end( arguments );
	text.bytes[text.length] = 0;
	s_log( text.bytes );
}

// ---- hash and clock ----

uint64_t pnHash( uint64_t hash, const void* bytes, size_t size )
{
	// Words are taken as they lie in memory, so little-endian machines agree.
	// A product only carries upwards; the shift brings the high bits (signs of floats) back down, or two of them could cancel.
	const uint64_t prime = 0x100000001b3ull;
	const unsigned char* byte = bytes;
	for ( ; size >= 8; size -= 8, byte += 8 )
	{
		uint64_t word;
		memcpy( &word, byte, 8 );
		hash = ( hash ^ word ) * prime;
		hash ^= hash >> 32;
	}
	for ( ; size > 0; size -= 1, byte += 1 )
	{
		hash = ( hash ^ *byte ) * prime;
	}
	return hash;
}

double pnNow( void )
{
#ifdef __wasm__
	return 0.0;
#else
	struct timespec time;
	clock_gettime( CLOCK_MONOTONIC, &time );
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
#endif
}
