// lanes.h - four vectors side by side: x of all in one register, then y, then z. The same bits on every machine, and as one by one with rows.h. Knows no physics.
#pragma once

#include "rows.h"

#if defined( __wasm_simd128__ )
#include <wasm_simd128.h>
#endif

// Rows become columns.
PN_INLINE_CONTACT void pnTranspose4( pnF4 rows[4] )
{
	pnF4 ab = __builtin_shufflevector( rows[0], rows[1], 0, 4, 1, 5 ), cd = __builtin_shufflevector( rows[2], rows[3], 0, 4, 1, 5 );
	pnF4 zab = __builtin_shufflevector( rows[0], rows[1], 2, 6, 3, 7 ), zcd = __builtin_shufflevector( rows[2], rows[3], 2, 6, 3, 7 );
	rows[0] = __builtin_shufflevector( ab, cd, 0, 1, 4, 5 ), rows[1] = __builtin_shufflevector( ab, cd, 2, 3, 6, 7 );
	rows[2] = __builtin_shufflevector( zab, zcd, 0, 1, 4, 5 ), rows[3] = __builtin_shufflevector( zab, zcd, 2, 3, 6, 7 );
}

typedef struct pnFour3 { pnF4 x, y, z; } pnFour3; 

PN_INLINE_CONTACT pnFour3 pnSub43( pnFour3 a, pnFour3 b ) { return (pnFour3){ a.x - b.x, a.y - b.y, a.z - b.z }; }
PN_INLINE_CONTACT pnF4 pnDot43( pnFour3 a, pnFour3 b ) { return a.x * b.x + a.y * b.y + a.z * b.z; }
PN_INLINE_CONTACT pnFour3 pnCross43( pnFour3 a, pnFour3 b )
{
	return (pnFour3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

PN_INLINE_CONTACT pnFour3 pnLoad43( const float* const rows[4] )
{
	pnF4 a = pnLoad4( rows[0] ), b = pnLoad4( rows[1] ), c = pnLoad4( rows[2] ), d = pnLoad4( rows[3] );
	pnF4 ab = __builtin_shufflevector( a, b, 0, 4, 1, 5 ), cd = __builtin_shufflevector( c, d, 0, 4, 1, 5 );
	pnF4 zab = __builtin_shufflevector( a, b, 2, 6, 3, 7 ), zcd = __builtin_shufflevector( c, d, 2, 6, 3, 7 );
	return (pnFour3){ __builtin_shufflevector( ab, cd, 0, 1, 4, 5 ), __builtin_shufflevector( ab, cd, 2, 3, 6, 7 ), __builtin_shufflevector( zab, zcd, 0, 1, 4, 5 ) };
}

PN_INLINE_CONTACT pnFour3 pnGather43( const float* x, const int32_t at[4] )
{
	return pnLoad43( ( const float* const[4] ){ x + 4 * (size_t)at[0], x + 4 * (size_t)at[1], x + 4 * (size_t)at[2], x + 4 * (size_t)at[3] } );
}

// Bit k: lane k is set.
PN_INLINE_CONTACT int pnMask4( pnI4 lanes )
{
#if defined( __SSE2__ )
	return _mm_movemask_ps( (__m128)lanes );
#else
	return ( lanes[0] & 1 ) | ( lanes[1] & 2 ) | ( lanes[2] & 4 ) | ( lanes[3] & 8 );
#endif
}

PN_INLINE_CONTACT pnFour3 pnAdd43( pnFour3 a, pnFour3 b ) { return (pnFour3){ a.x + b.x, a.y + b.y, a.z + b.z }; }
PN_INLINE_CONTACT pnFour3 pnMul43( pnFour3 a, pnF4 s ) { return (pnFour3){ a.x * s, a.y * s, a.z * s }; }
PN_INLINE_CONTACT pnFour3 pnSplat43( pnF4 a ) { return (pnFour3){ pnSplat4( a[0] ), pnSplat4( a[1] ), pnSplat4( a[2] ) }; }
PN_INLINE_CONTACT pnFour3 pnLanes43( pnF4 a, pnF4 b, pnF4 c, pnF4 d ) // four rows, side by side
{
	pnF4 rows[4] = { a, b, c, d };
	pnTranspose4( rows );
	return (pnFour3){ rows[0], rows[1], rows[2] };
}
PN_INLINE_CONTACT void pnRows43( pnFour3 a, pnF4 last, pnF4 rows[4] ) // the other way round, each with its fourth
{
	rows[0] = a.x, rows[1] = a.y, rows[2] = a.z, rows[3] = last;
	pnTranspose4( rows );
}
PN_INLINE_CONTACT pnF4 pnSqrt4( pnF4 a )
{
#if defined( __SSE2__ )
	return (pnF4)_mm_sqrt_ps( (__m128)a );
#elif defined( __wasm_simd128__ )
	return (pnF4)wasm_f32x4_sqrt( (v128_t)a );
#else
	return (pnF4){ __builtin_sqrtf( a[0] ), __builtin_sqrtf( a[1] ), __builtin_sqrtf( a[2] ), __builtin_sqrtf( a[3] ) };
#endif
}
