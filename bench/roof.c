// roof.c - measures one core's peak float rate and cache bandwidth with the widest vectors. Knows no physics.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L // sysconf

#include "roof.h"

#include "stopwatch.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#if defined( __x86_64__ )
#include <immintrin.h>
#endif

#define LOOP_COUNT 20000 // of one call of an arithmetic kernel: 50 microseconds or more, long beside reading the clock
#define CHAIN_COUNT 12 // independent chains: enough for 4 cycles of latency on 2 pipes or 3 on 4, and they fit into 16 registers
#define READ_BLOCK 128 // floats read in one turn of the widest reading loop

typedef float ArithmeticFcn( float factor, float term );
typedef float ReadFcn( const float* values, size_t count );

// Six chains of multiplies beside six of adds: nothing here can be fused, whatever the compiler's flags. Factor and term
// come from outside and the chains start apart, so nothing can be worked out beforehand. Two multiplies, two adds in turn:
// one and one reaches only five sixths on Zen 4.
#define DEFINE_MULADD( NAME, TARGET, WIDTH )                                                                           \
	TARGET static float NAME( float factor, float term )                                                               \
	{                                                                                                                  \
		typedef float Vector __attribute__( ( vector_size( 4 * WIDTH ) ) );                                            \
		Vector f = (Vector){ 0 } + factor, t = (Vector){ 0 } + term;                                                   \
		Vector m0 = f, m1 = f + 1.0f, m2 = f + 2.0f, m3 = f + 3.0f, m4 = f + 4.0f, m5 = f + 5.0f;                      \
		Vector a0 = t, a1 = t + 1.0f, a2 = t + 2.0f, a3 = t + 3.0f, a4 = t + 4.0f, a5 = t + 5.0f;                      \
		for ( int i = 0; i < LOOP_COUNT; ++i )                                                                         \
		{                                                                                                              \
			m0 *= f, m1 *= f, a0 += t, a1 += t, m2 *= f, m3 *= f;                                                      \
			a2 += t, a3 += t, m4 *= f, m5 *= f, a4 += t, a5 += t;                                                      \
		}                                                                                                              \
		Vector sum = m0 + m1 + m2 + m3 + m4 + m5 + a0 + a1 + a2 + a3 + a4 + a5;                                        \
		return sum[0];                                                                                                 \
	}

// Eight sums, so that the adds do not wait for each other.
#define DEFINE_READ( NAME, TARGET, WIDTH )                                                                             \
	TARGET static float NAME( const float* values, size_t count )                                                      \
	{                                                                                                                  \
		typedef float Vector __attribute__( ( vector_size( 4 * WIDTH ) ) );                                            \
		const Vector* v = (const Vector*)values;                                                                       \
		Vector s0 = { 0 }, s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;                              \
		for ( size_t i = 0; i < count / WIDTH; i += 8 )                                                                \
		{                                                                                                              \
			s0 += v[i], s1 += v[i + 1], s2 += v[i + 2], s3 += v[i + 3];                                                \
			s4 += v[i + 4], s5 += v[i + 5], s6 += v[i + 6], s7 += v[i + 7];                                            \
		}                                                                                                              \
		Vector sum = s0 + s1 + s2 + s3 + s4 + s5 + s6 + s7;                                                            \
		return sum[0];                                                                                                 \
	}

// Each chain is multiplied and added to in one instruction. SPLAT, FUSE and FIRST are the intrinsics of that width.
#define DEFINE_FUSED( NAME, TARGET, VECTOR, SPLAT, FUSE, FIRST )                                                       \
	TARGET static float NAME( float factor, float term )                                                               \
	{                                                                                                                  \
		VECTOR f = SPLAT( factor ), t = SPLAT( term );                                                                 \
		VECTOR c0 = SPLAT( 0.0f ), c1 = SPLAT( 1.0f ), c2 = SPLAT( 2.0f ), c3 = SPLAT( 3.0f );                         \
		VECTOR c4 = SPLAT( 4.0f ), c5 = SPLAT( 5.0f ), c6 = SPLAT( 6.0f ), c7 = SPLAT( 7.0f );                         \
		VECTOR c8 = SPLAT( 8.0f ), c9 = SPLAT( 9.0f ), c10 = SPLAT( 10.0f ), c11 = SPLAT( 11.0f );                     \
		for ( int i = 0; i < LOOP_COUNT; ++i )                                                                         \
		{                                                                                                              \
			c0 = FUSE( c0, f, t ), c1 = FUSE( c1, f, t ), c2 = FUSE( c2, f, t ), c3 = FUSE( c3, f, t );                \
			c4 = FUSE( c4, f, t ), c5 = FUSE( c5, f, t ), c6 = FUSE( c6, f, t ), c7 = FUSE( c7, f, t );                \
			c8 = FUSE( c8, f, t ), c9 = FUSE( c9, f, t ), c10 = FUSE( c10, f, t ), c11 = FUSE( c11, f, t );            \
		}                                                                                                              \
		VECTOR sum = c0 + c1 + c2 + c3 + c4 + c5 + c6 + c7 + c8 + c9 + c10 + c11;                                      \
		return FIRST( sum );                                                                                           \
	}

typedef struct RoofKernels
{
	const char* name;
	int width; // floats in a vector
	ArithmeticFcn* mulAdd;
	ArithmeticFcn* fused; // or NULL
	ReadFcn* read;
} RoofKernels;

#if defined( __x86_64__ )

#define TARGET( NAME ) __attribute__( ( target( NAME ) ) )

DEFINE_MULADD( MulAddSse2, TARGET( "sse2" ), 4 )
DEFINE_MULADD( MulAddAvx2, TARGET( "avx2" ), 8 )
DEFINE_MULADD( MulAddAvx512, TARGET( "avx512f" ), 16 )
DEFINE_FUSED( FusedAvx2, TARGET( "avx2,fma" ), __m256, _mm256_set1_ps, _mm256_fmadd_ps, _mm256_cvtss_f32 )
DEFINE_FUSED( FusedAvx512, TARGET( "avx512f" ), __m512, _mm512_set1_ps, _mm512_fmadd_ps, _mm512_cvtss_f32 )
DEFINE_READ( ReadSse2, TARGET( "sse2" ), 4 )
DEFINE_READ( ReadAvx2, TARGET( "avx2" ), 8 )
DEFINE_READ( ReadAvx512, TARGET( "avx512f" ), 16 )

static RoofKernels ChooseKernels( void )
{
	if ( __builtin_cpu_supports( "avx512f" ) )
	{
		return (RoofKernels){ "avx512", 16, MulAddAvx512, FusedAvx512, ReadAvx512 };
	}
	if ( __builtin_cpu_supports( "avx2" ) )
	{
		return (RoofKernels){ "avx2", 8, MulAddAvx2, __builtin_cpu_supports( "fma" ) ? FusedAvx2 : NULL, ReadAvx2 };
	}
	return (RoofKernels){ "sse2", 4, MulAddSse2, NULL, ReadSse2 };
}

#else

DEFINE_MULADD( MulAddGeneric, , 4 )
DEFINE_READ( ReadGeneric, , 4 )

static RoofKernels ChooseKernels( void )
{
	return (RoofKernels){ "generic", 4, MulAddGeneric, NULL, ReadGeneric };
}

#endif

static double MeasureArithmetic( ArithmeticFcn* kernel, int width, double seconds )
{
	// Values that stay finite and normal: some machines slow down on others. Volatile keeps them unknown.
	volatile float factor = 1.0f, term = 0.0f, sink = 0.0f;
	sink = kernel( factor, term ); // wide units take a moment to wake
	double flopCount = 0.0;
	double start = pnGetSeconds(), elapsed = 0.0;
	do
	{
		sink = kernel( factor, term );
		flopCount += (double)LOOP_COUNT * width;
		elapsed = pnGetSeconds() - start;
	}
	while ( elapsed < seconds );
	(void)sink;
	return 1e-9 * flopCount / elapsed;
}

static size_t SecondLevelBytes( void )
{
#if defined( _SC_LEVEL2_CACHE_SIZE )
	long bytes = sysconf( _SC_LEVEL2_CACHE_SIZE );
	if ( bytes > 0 )
	{
		return (size_t)bytes;
	}
#endif
	return 512 * 1024; // a small one of these years
}

const char* pnRoofSimdName( void )
{
	return ChooseKernels().name;
}

double pnMeasureMulAdd( double seconds )
{
	RoofKernels kernels = ChooseKernels();
	return CHAIN_COUNT * MeasureArithmetic( kernels.mulAdd, kernels.width, seconds );
}

double pnMeasureFused( double seconds )
{
	RoofKernels kernels = ChooseKernels();
	return kernels.fused == NULL ? 0.0 : 2.0 * CHAIN_COUNT * MeasureArithmetic( kernels.fused, kernels.width, seconds );
}

double pnMeasureCacheRead( double seconds )
{
	RoofKernels kernels = ChooseKernels();
	// half of it: well beyond the first level, and what else is in there need not go
	size_t count = SecondLevelBytes() / 2 / sizeof( float ) / READ_BLOCK * READ_BLOCK;
	float* values = aligned_alloc( 64, count * sizeof( float ) );
	if ( values == NULL )
	{
		return 0.0;
	}
	for ( size_t i = 0; i < count; ++i )
	{
		values[i] = 1.0f;
	}

	volatile float sink = kernels.read( values, count );
	double byteCount = 0.0;
	double start = pnGetSeconds(), elapsed = 0.0;
	do
	{
		sink = kernels.read( values, count );
		byteCount += (double)( count * sizeof( float ) );
		elapsed = pnGetSeconds() - start;
	}
	while ( elapsed < seconds );
	(void)sink;
	free( values );
	return 1e-9 * byteCount / elapsed;
}
