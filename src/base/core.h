// core.h - memory, asserts, log: the hooks of base.h as the library uses them. Knows no physics.
// What is PN_EXPORT here and in task.h and cloud.h is for pliant_kelvin, which may be a shared library of its own; no promise to users.
#pragma once

#include "pliant/base.h"

#include <stdbool.h>
#include <string.h>

#define PN_COUNT( array ) ( (int)( sizeof( array ) / sizeof( ( array )[0] ) ) )
#define PN_UNUSED( x ) (void)( x )
#define PN_CACHE_LINE 64
#define PN_COOKIE 0x706c6e74 // in every def from a pnDefault function: what was not filled in shows

#if !defined( NDEBUG ) || defined( PLIANT_ASSERTS )
PN_EXPORT int pnAssertFailed( const char* condition, const char* file, int line );
#define PN_ASSERT( condition )                                                                   \
	do                                                                                           \
	{                                                                                            \
		if ( !( condition ) && pnAssertFailed( #condition, __FILE__, __LINE__ ) )                \
			__builtin_trap();                                                                    \
	}                                                                                            \
	while ( 0 )
#else
#define PN_ASSERT( condition ) ( (void)0 )
#endif

// Zeroed, aligned to a cache line; NULL if there is no memory or count * size overflows. Counted in pnGetByteCount.
PN_EXPORT void* pnAlloc( size_t count, size_t size );
PN_EXPORT void* pnAllocRaw( size_t count, size_t size ); // the same, not zeroed: large arrays of which little may ever be used
PN_EXPORT void pnFree( void* memory, size_t count, size_t size ); // NULL is fine
#define pnAllocArray( T, count ) ( (T*)pnAlloc( (size_t)( count ), sizeof( T ) ) )
#define pnFreeArray( T, memory, count ) pnFree( memory, (size_t)( count ), sizeof( T ) )
// Grows *memory (of *capacity elements, the first `count` kept) to hold at least `wanted`; false if there is no memory, nothing changed.
PN_EXPORT bool pnGrow( void** memory, int* capacity, int count, int wanted, size_t size );
PN_EXPORT bool pnGrowRaw( void** memory, int* capacity, int count, int wanted, size_t size ); // not zeroed: what is not used is not even touched

PN_EXPORT void pnLog( const char* format, ... ) __attribute__( ( format( printf, 1, 2 ) ) );

static inline bool pnIsFinite( float x ) { return x - x == 0.0f; }
// FNV-1a over 64-bit words, then bytes; start with PN_HASH_SEED.
#define PN_HASH_SEED 0xcbf29ce484222325ull
PN_EXPORT uint64_t pnHash( uint64_t hash, const void* bytes, size_t size );
PN_EXPORT double pnNow( void ); // seconds, of a steady clock; 0 where there is none
