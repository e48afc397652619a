// simd.h - PN_WIDTH floats at once, with the same bits for every width. Knows no physics.
// Include with PN_WIDTH 1, 4, 8 or 16 defined; 4 serves SSE2, NEON and WebAssembly. Plain operators work on pnFloatW, and
// multiply and add stay two operations (-ffp-contract=off), so a lane does the same arithmetic whatever its neighbours are.
#pragma once

#include <stdint.h>
#include <string.h>

#if PN_WIDTH >= 8
#include <immintrin.h>
#elif defined( __SSE2__ )
#include <emmintrin.h>
#elif defined( __wasm_simd128__ )
#include <wasm_simd128.h>
#endif

// Wide vectors never cross a call that is not inlined, so how they would be passed does not matter.
#pragma GCC diagnostic ignored "-Wpsabi"

// What has been stored must be loaded again from here on.
#define PN_FORGET_REGISTERS() __asm__ volatile( "" ::: "memory" )
#define PN_INLINE static inline __attribute__( ( always_inline ) )

typedef float pnFloat4 __attribute__( ( vector_size( 16 ) ) );
typedef double pnDouble4 __attribute__( ( vector_size( 32 ) ) );

PN_INLINE pnDouble4 pnWiden4( pnFloat4 a )
{
#if PN_WIDTH >= 8
	return (pnDouble4)_mm256_cvtps_pd( (__m128)a ); // compilers make two of it, and put them together
#else
	return __builtin_convertvector( a, pnDouble4 );
#endif
}

#if PN_WIDTH == 1
typedef float pnFloatW;
typedef int32_t pnMaskW; // 0 or 1
#else
typedef float pnFloatW __attribute__( ( vector_size( 4 * PN_WIDTH ) ) );
typedef int32_t pnMaskW __attribute__( ( vector_size( 4 * PN_WIDTH ) ) ); // 0 or -1 in each lane
#endif

PN_INLINE pnFloatW pnSplat( float x )
{
#if PN_WIDTH == 1
	return x;
#else
	return x - (pnFloatW){ 0 };
#endif
}

PN_INLINE float pnGetLane( const pnFloatW* v, int lane )
{
	float x;
	memcpy( &x, (const char*)v + 4 * lane, 4 );
	return x;
}

PN_INLINE void pnSetLane( pnFloatW* v, int lane, float x )
{
	memcpy( (char*)v + 4 * lane, &x, 4 );
}

// m ? a : b
PN_INLINE pnFloatW pnSelect( pnMaskW m, pnFloatW a, pnFloatW b )
{
#if PN_WIDTH == 1
	return m ? a : b;
#else
	return (pnFloatW)( ( m & (pnMaskW)a ) | ( ~m & (pnMaskW)b ) );
#endif
}

PN_INLINE pnFloatW pnMaxW( pnFloatW a, pnFloatW b ) { return pnSelect( a > b, a, b ); }
PN_INLINE pnFloatW pnAbsW( pnFloatW a ) { return pnSelect( a < 0.0f, -a, a ); }

PN_INLINE int pnAny( pnMaskW m )
{
#if PN_WIDTH == 1
	return m;
#elif PN_WIDTH == 16
	return _mm512_movepi32_mask( (__m512i)m ) != 0;
#elif PN_WIDTH == 8
	return _mm256_movemask_ps( (__m256)m ) != 0;
#elif defined( __SSE2__ )
	return _mm_movemask_ps( (__m128)m ) != 0;
#else
	return ( m[0] | m[1] | m[2] | m[3] ) != 0;
#endif
}

PN_INLINE pnMaskW pnNot( pnMaskW m )
{
#if PN_WIDTH == 1
	return !m;
#else
	return ~m;
#endif
}

PN_INLINE pnFloatW pnSqrtW( pnFloatW a )
{
#if PN_WIDTH == 1
	return __builtin_sqrtf( a );
#elif PN_WIDTH == 16
	return (pnFloatW)_mm512_sqrt_ps( (__m512)a );
#elif PN_WIDTH == 8
	return (pnFloatW)_mm256_sqrt_ps( (__m256)a );
#elif defined( __SSE2__ )
	return (pnFloatW)_mm_sqrt_ps( (__m128)a );
#elif defined( __wasm_simd128__ )
	return (pnFloatW)wasm_f32x4_sqrt( (v128_t)a );
#else
	return (pnFloatW){ __builtin_sqrtf( a[0] ), __builtin_sqrtf( a[1] ), __builtin_sqrtf( a[2] ), __builtin_sqrtf( a[3] ) };
#endif
}

// Lane l reads four floats at row[l]: component c of lane l comes to out[c].
PN_INLINE void pnLoadRows( const float* const row[PN_WIDTH], pnFloatW out[4] )
{
#if PN_WIDTH == 1
	for ( int c = 0; c < 4; ++c )
	{
		out[c] = row[0][c];
	}
#elif PN_WIDTH == 4
	pnFloat4 a, b, c, d;
	memcpy( &a, row[0], 16 );
	memcpy( &b, row[1], 16 );
	memcpy( &c, row[2], 16 );
	memcpy( &d, row[3], 16 );
	pnFloat4 ab0 = __builtin_shufflevector( a, b, 0, 4, 1, 5 ), ab1 = __builtin_shufflevector( a, b, 2, 6, 3, 7 );
	pnFloat4 cd0 = __builtin_shufflevector( c, d, 0, 4, 1, 5 ), cd1 = __builtin_shufflevector( c, d, 2, 6, 3, 7 );
	out[0] = __builtin_shufflevector( ab0, cd0, 0, 1, 4, 5 );
	out[1] = __builtin_shufflevector( ab0, cd0, 2, 3, 6, 7 );
	out[2] = __builtin_shufflevector( ab1, cd1, 0, 1, 4, 5 );
	out[3] = __builtin_shufflevector( ab1, cd1, 2, 3, 6, 7 );
#elif PN_WIDTH == 8
#define PN_PAIR( i, j ) _mm256_insertf128_ps( _mm256_castps128_ps256( _mm_loadu_ps( row[i] ) ), _mm_loadu_ps( row[j] ), 1 )
	__m256 a = PN_PAIR( 0, 4 ), b = PN_PAIR( 1, 5 ), c = PN_PAIR( 2, 6 ), d = PN_PAIR( 3, 7 );
#undef PN_PAIR
	__m256 ab0 = _mm256_unpacklo_ps( a, b ), ab1 = _mm256_unpackhi_ps( a, b );
	__m256 cd0 = _mm256_unpacklo_ps( c, d ), cd1 = _mm256_unpackhi_ps( c, d );
	out[0] = (pnFloatW)_mm256_shuffle_ps( ab0, cd0, 0x44 );
	out[1] = (pnFloatW)_mm256_shuffle_ps( ab0, cd0, 0xee );
	out[2] = (pnFloatW)_mm256_shuffle_ps( ab1, cd1, 0x44 );
	out[3] = (pnFloatW)_mm256_shuffle_ps( ab1, cd1, 0xee );
#else
	// Masked broadcasts leave the shuffle units to the transpose below.
#define PN_MERGE( into, lanes, i ) _mm512_mask_broadcast_f32x4( into, lanes, _mm_loadu_ps( row[i] ) )
#define PN_FOUR( i, j, k, l )                                                                                                 \
	PN_MERGE( PN_MERGE( PN_MERGE( _mm512_castps128_ps512( _mm_loadu_ps( row[i] ) ), 0x00f0, j ), 0x0f00, k ), 0xf000, l )
	__m512 a = PN_FOUR( 0, 4, 8, 12 ), b = PN_FOUR( 1, 5, 9, 13 ), c = PN_FOUR( 2, 6, 10, 14 ), d = PN_FOUR( 3, 7, 11, 15 );
#undef PN_FOUR
#undef PN_MERGE
	__m512 ab0 = _mm512_unpacklo_ps( a, b ), ab1 = _mm512_unpackhi_ps( a, b );
	__m512 cd0 = _mm512_unpacklo_ps( c, d ), cd1 = _mm512_unpackhi_ps( c, d );
	out[0] = (pnFloatW)_mm512_shuffle_ps( ab0, cd0, 0x44 );
	out[1] = (pnFloatW)_mm512_shuffle_ps( ab0, cd0, 0xee );
	out[2] = (pnFloatW)_mm512_shuffle_ps( ab1, cd1, 0x44 );
	out[3] = (pnFloatW)_mm512_shuffle_ps( ab1, cd1, 0xee );
#endif
}

// The other way round: components 0..3 become rows, in four registers; lane l's row is the PN_ROW( l )-th group of four floats.
#if PN_WIDTH == 1
#define PN_ROW( l ) ( 0 * ( l ) )
#else
#define PN_ROW( l ) ( ( ( l ) % 4 ) * ( PN_WIDTH / 4 ) + ( l ) / 4 )
#endif
PN_INLINE void pnToRows( const pnFloatW in[4], pnFloatW out[4] )
{
#if PN_WIDTH == 16
	__m512 a = (__m512)in[0], b = (__m512)in[1], c = (__m512)in[2], d = (__m512)in[3];
	__m512 ab0 = _mm512_unpacklo_ps( a, b ), ab1 = _mm512_unpackhi_ps( a, b );
	__m512 cd0 = _mm512_unpacklo_ps( c, d ), cd1 = _mm512_unpackhi_ps( c, d );
	out[0] = (pnFloatW)_mm512_shuffle_ps( ab0, cd0, 0x44 );
	out[1] = (pnFloatW)_mm512_shuffle_ps( ab0, cd0, 0xee );
	out[2] = (pnFloatW)_mm512_shuffle_ps( ab1, cd1, 0x44 );
	out[3] = (pnFloatW)_mm512_shuffle_ps( ab1, cd1, 0xee );
#elif PN_WIDTH == 8
	__m256 a = (__m256)in[0], b = (__m256)in[1], c = (__m256)in[2], d = (__m256)in[3];
	__m256 ab0 = _mm256_unpacklo_ps( a, b ), ab1 = _mm256_unpackhi_ps( a, b );
	__m256 cd0 = _mm256_unpacklo_ps( c, d ), cd1 = _mm256_unpackhi_ps( c, d );
	out[0] = (pnFloatW)_mm256_shuffle_ps( ab0, cd0, 0x44 );
	out[1] = (pnFloatW)_mm256_shuffle_ps( ab0, cd0, 0xee );
	out[2] = (pnFloatW)_mm256_shuffle_ps( ab1, cd1, 0x44 );
	out[3] = (pnFloatW)_mm256_shuffle_ps( ab1, cd1, 0xee );
#elif PN_WIDTH == 4
	pnFloat4 ab0 = __builtin_shufflevector( in[0], in[1], 0, 4, 1, 5 ), ab1 = __builtin_shufflevector( in[0], in[1], 2, 6, 3, 7 );
	pnFloat4 cd0 = __builtin_shufflevector( in[2], in[3], 0, 4, 1, 5 ), cd1 = __builtin_shufflevector( in[2], in[3], 2, 6, 3, 7 );
	out[0] = __builtin_shufflevector( ab0, cd0, 0, 1, 4, 5 );
	out[1] = __builtin_shufflevector( ab0, cd0, 2, 3, 6, 7 );
	out[2] = __builtin_shufflevector( ab1, cd1, 0, 1, 4, 5 );
	out[3] = __builtin_shufflevector( ab1, cd1, 2, 3, 6, 7 );
#else
	memcpy( out, in, 16 );
#endif
}

#if PN_WIDTH == 16
// Sixteen registers as a square, turned over: within each quarter of a register, four registers at a time, then the quarters.
PN_INLINE void pnTransposeFour( const __m512 in[4], __m512 part[4] )
{
	__m512 ab0 = _mm512_unpacklo_ps( in[0], in[1] ), ab1 = _mm512_unpackhi_ps( in[0], in[1] );
	__m512 cd0 = _mm512_unpacklo_ps( in[2], in[3] ), cd1 = _mm512_unpackhi_ps( in[2], in[3] );
	part[0] = _mm512_shuffle_ps( ab0, cd0, 0x44 );
	part[1] = _mm512_shuffle_ps( ab0, cd0, 0xee );
	part[2] = _mm512_shuffle_ps( ab1, cd1, 0x44 );
	part[3] = _mm512_shuffle_ps( ab1, cd1, 0xee );
}
PN_INLINE void pnTransposeQuarters( __m512 part[4][4], __m512 out[16] )
{
	for ( int c = 0; c < 4; ++c )
	{
		__m512 low01 = _mm512_shuffle_f32x4( part[0][c], part[1][c], 0x44 ), high01 = _mm512_shuffle_f32x4( part[0][c], part[1][c], 0xee );
		__m512 low23 = _mm512_shuffle_f32x4( part[2][c], part[3][c], 0x44 ), high23 = _mm512_shuffle_f32x4( part[2][c], part[3][c], 0xee );
		out[c] = _mm512_shuffle_f32x4( low01, low23, 0x88 );
		out[4 + c] = _mm512_shuffle_f32x4( low01, low23, 0xdd );
		out[8 + c] = _mm512_shuffle_f32x4( high01, high23, 0x88 );
		out[12 + c] = _mm512_shuffle_f32x4( high01, high23, 0xdd );
	}
}
#endif

// Lane l reads four rows of four floats (64 bytes) at block[l]: component c of row r of lane l comes to out[r][c].
PN_INLINE void pnLoadBlocks( const float* const block[PN_WIDTH], pnFloatW out[4][4] )
{
#if PN_WIDTH == 16
	__m512 part[4][4];
	for ( int g = 0; g < 4; ++g )
	{
		__m512 in[4] = { _mm512_loadu_ps( block[4 * g] ), _mm512_loadu_ps( block[4 * g + 1] ), _mm512_loadu_ps( block[4 * g + 2] ), _mm512_loadu_ps( block[4 * g + 3] ) };
		pnTransposeFour( in, part[g] );
		PN_FORGET_REGISTERS(); // all sixteen loaded at once would be spilled
	}
	pnTransposeQuarters( part, (__m512*)out );
#else
	for ( int r = 0; r < 4; ++r )
	{
		const float* row[PN_WIDTH];
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			row[l] = block[l] + 4 * r;
		}
		pnLoadRows( row, out[r] );
	}
#endif
}

// The other way round.
PN_INLINE void pnStoreBlocks( pnFloatW in[4][4], float* const block[PN_WIDTH] )
{
#if PN_WIDTH == 16
	__m512 part[4][4], out[16];
	for ( int g = 0; g < 4; ++g )
	{
		pnTransposeFour( (__m512*)in + 4 * g, part[g] );
	}
	pnTransposeQuarters( part, out );
	for ( int l = 0; l < 16; ++l )
	{
		_mm512_storeu_ps( block[l], out[l] );
	}
#else
	for ( int r = 0; r < 4; ++r )
	{
		pnFloatW rows[4];
		pnToRows( in[r], rows );
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			memcpy( block[l] + 4 * r, (const pnFloat4*)rows + PN_ROW( l ), 16 );
		}
	}
#endif
}
