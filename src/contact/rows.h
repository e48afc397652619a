// rows.h - rows of four floats, x y z and something else, as vectors: the same bits on every machine. Knows no physics.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined( __SSE2__ )
#include <emmintrin.h>
#endif

#define PN_INLINE_CONTACT static inline __attribute__( ( always_inline ) )

typedef float pnF4 __attribute__( ( vector_size( 16 ) ) );
typedef int32_t pnI4 __attribute__( ( vector_size( 16 ) ) );

PN_INLINE_CONTACT pnF4 pnSplat4( float s ) { return (pnF4){ s, s, s, s }; }
PN_INLINE_CONTACT pnF4 pnRow4( const float* rows, int index ) // x y z 0
{
	pnF4 row;
	memcpy( &row, rows + 4 * (size_t)index, 16 );
	return (pnF4)( (pnI4)row & (pnI4){ -1, -1, -1, 0 } );
}
PN_INLINE_CONTACT float pnDot4( pnF4 a, pnF4 b )
{
	pnF4 c = a * b;
	return c[0] + c[1] + c[2];
}
PN_INLINE_CONTACT pnF4 pnTurn4( pnF4 a ) { return __builtin_shufflevector( a, a, 1, 2, 0, 3 ); }
PN_INLINE_CONTACT pnF4 pnCross4( pnF4 a, pnF4 b ) { return pnTurn4( a * pnTurn4( b ) - pnTurn4( a ) * b ); }
PN_INLINE_CONTACT void pnAddRow4( float* rows, int index, pnF4 add ) // the fourth of `add` must be zero
{
	pnF4 row;
	memcpy( &row, rows + 4 * (size_t)index, 16 );
	row += add;
	memcpy( rows + 4 * (size_t)index, &row, 16 );
}
PN_INLINE_CONTACT pnF4 pnLoad4( const float* at )
{
	pnF4 row;
	memcpy( &row, at, 16 );
	return row;
}
PN_INLINE_CONTACT pnF4 pnMin4( pnF4 a, pnF4 b ) // a < b ? a : b
{
#if defined( __SSE2__ )
	return (pnF4)_mm_min_ps( (__m128)a, (__m128)b );
#else
	pnI4 less = a < b;
	return (pnF4)( ( less & (pnI4)a ) | ( ~less & (pnI4)b ) );
#endif
}
PN_INLINE_CONTACT pnF4 pnMax4( pnF4 a, pnF4 b ) // a > b ? a : b
{
#if defined( __SSE2__ )
	return (pnF4)_mm_max_ps( (__m128)a, (__m128)b );
#else
	pnI4 more = a > b;
	return (pnF4)( ( more & (pnI4)a ) | ( ~more & (pnI4)b ) );
#endif
}
PN_INLINE_CONTACT bool pnInBox4( pnF4 place, pnF4 low, pnF4 high ) // the fourth does not count
{
	pnI4 in = ( place >= low ) & ( place <= high );
#if defined( __SSE2__ )
	return ( _mm_movemask_ps( (__m128)in ) & 7 ) == 7;
#else
	return ( in[0] & in[1] & in[2] ) != 0;
#endif
}
