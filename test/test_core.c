// test_core.c - the room everything stands on: memory, log, hash, loops over workers, small vectors, own trigonometry, 3x3 SVD.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For posix_memalign, also when compiled as strict C17.
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include "crew.h"
#include "pliant/vec.h"

#include "base/core.h"
#include "base/mat3.h"
#include "base/task.h"
#include "base/trig.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ----

static bool s_refuse; // the next allocations fail
static int s_allocCount;
static size_t s_smallestSize, s_largestSize;

static void* WatchAlloc( size_t size, size_t alignment )
{
	s_allocCount += 1;
	s_smallestSize = size < s_smallestSize ? size : s_smallestSize;
	s_largestSize = size > s_largestSize ? size : s_largestSize;
	if ( s_refuse || size > ( (size_t)1 << 30 ) )
	{
		return NULL;
	}
	void* memory = NULL;
	if ( posix_memalign( &memory, alignment, size ) != 0 )
	{
		return NULL;
	}
	memset( memory, 0xA5, size ); // what a used heap looks like
	return memory;
}

static void WatchFree( void* memory, size_t size )
{
	(void)size;
	free( memory );
}

static void WatchAllocations( void )
{
	s_refuse = false;
	s_allocCount = 0;
	s_smallestSize = SIZE_MAX;
	s_largestSize = 0;
	pnSetAllocator( WatchAlloc, WatchFree );
}

static void MemoryIsZeroAlignedAndCounted( void )
{
	WatchAllocations();
	int64_t before = pnGetByteCount();
	int64_t held = 0;
	unsigned char* blocks[64];
	for ( int i = 0; i < 64; ++i )
	{
		size_t count = (size_t)( 7 * i + 1 );
		blocks[i] = pnAlloc( count, 3 );
		REQUIRE( blocks[i] != NULL );
		ENSURE( (uintptr_t)blocks[i] % PN_CACHE_LINE == 0 );
		bool zero = true;
		for ( size_t k = 0; k < 3 * count; ++k )
		{
			zero = zero && blocks[i][k] == 0;
		}
		ENSURE( zero );
		memset( blocks[i], 0xFF, 3 * count );
		held += (int64_t)( 3 * count );
	}
	ENSURE( pnGetByteCount() - before >= held );
	for ( int i = 0; i < 64; ++i )
	{
		pnFree( blocks[( 37 * i ) % 64], (size_t)( 7 * ( ( 37 * i ) % 64 ) + 1 ), 3 );
	}
	ENSURE( pnGetByteCount() == before );

	pnFree( NULL, 10, 10 );
	ENSURE( pnGetByteCount() == before );

	// an empty array may be asked for and given back; the hook never hears of size 0
	void* nothing = pnAlloc( 0, 16 );
	pnFree( nothing, 0, 16 );
	ENSURE( pnGetByteCount() == before );
	ENSURE( s_smallestSize > 0 );
	pnSetAllocator( NULL, NULL );
}

static void OverflowingSizesAreRefused( void )
{
	WatchAllocations();
	int64_t before = pnGetByteCount();
	const size_t half = (size_t)1 << ( 4 * sizeof( size_t ) );
	ENSURE( pnAlloc( SIZE_MAX, 2 ) == NULL );
	ENSURE( pnAlloc( SIZE_MAX, SIZE_MAX ) == NULL );
	ENSURE( pnAlloc( SIZE_MAX, 1 ) == NULL );
	ENSURE( pnAlloc( SIZE_MAX - 62, 1 ) == NULL );
	ENSURE( pnAlloc( half, half ) == NULL ); // the product is 0 modulo 2^64
	ENSURE( pnAlloc( half + 1, half ) == NULL );
	ENSURE( pnAlloc( SIZE_MAX / 12 + 1, 12 ) == NULL );
	ENSURE( pnGetByteCount() == before );
	ENSURE( s_allocCount == 0 || s_largestSize > ( (size_t)1 << 30 ) ); // never a wrapped, small size
	pnSetAllocator( NULL, NULL );
}

static void GrowingKeepsWhatIsThere( void )
{
	WatchAllocations();
	int64_t before = pnGetByteCount();
	int32_t* items = NULL;
	int capacity = 0;
	for ( int count = 0; count < 5000; ++count )
	{
		REQUIRE( pnGrow( (void**)&items, &capacity, count, count + 1, sizeof( int32_t ) ) );
		ENSURE( capacity >= count + 1 );
		items[count] = 3 * count;
	}
	bool kept = true;
	for ( int i = 0; i < 5000; ++i )
	{
		kept = kept && items[i] == 3 * i;
	}
	ENSURE( kept );
	ENSURE( s_allocCount < 100 ); // grows by factors, not one by one

	// enough room already: nothing moves
	int32_t* place = items;
	int calls = s_allocCount;
	ENSURE( pnGrow( (void**)&items, &capacity, 5000, capacity, sizeof( int32_t ) ) );
	ENSURE( items == place && s_allocCount == calls );

	// no memory: nothing moves either
	s_refuse = true;
	int32_t oldCapacity = capacity;
	ENSURE( pnGrow( (void**)&items, &capacity, 5000, capacity + 1, sizeof( int32_t ) ) == false );
	ENSURE( items == place && capacity == oldCapacity && items[4999] == 3 * 4999 );
	s_refuse = false;
	ENSURE( pnGrow( (void**)&items, &capacity, 5000, INT_MAX, (size_t)1 << 60 ) == false );
	ENSURE( items == place && capacity == oldCapacity );

	pnFree( items, (size_t)capacity, sizeof( int32_t ) );
	ENSURE( pnGetByteCount() == before );
	pnSetAllocator( NULL, NULL );
}

// ---- log and hash ----

static char s_logged[4096];

static void KeepLog( const char* message )
{
	strncpy( s_logged, message, sizeof( s_logged ) - 1 );
}

static void LogSaysWhatWasAsked( void )
{
	pnSetLogFcn( KeepLog );
	pnLog( "point %d of %d in %s has mass %g", 17, -4, "skin", -0.5 );
	ENSURE( strcmp( s_logged, "point 17 of -4 in skin has mass -0.5" ) == 0 );
	pnLog( "%zu %lld %u %x %c%%", (size_t)123456789012345ull, INT64_MIN + 0ll, UINT_MAX, 0xbeefu, 'z' );
	ENSURE( strcmp( s_logged, "123456789012345 -9223372036854775808 4294967295 beef z%" ) == 0 );
	pnLog( "%g %g %g", (double)NAN, (double)INFINITY, -(double)INFINITY );
	ENSURE( strcmp( s_logged, "nan inf -inf" ) == 0 );
	pnLog( "%g %g %g %g", 0.0, 1.0, 1e-9, 1.5e20 );
	ENSURE( strcmp( s_logged, "0 1 1e-09 1.5e+20" ) == 0 );
	pnLog( "%g %g %g", 123456.0, 0.001, 9.9999999 );
	ENSURE( strcmp( s_logged, "123456 0.001 10" ) == 0 );

	char large[3000];
	memset( large, 'x', sizeof( large ) );
	large[sizeof( large ) - 1] = 0;
	s_logged[0] = 0;
	pnLog( "%s%s", large, large ); // cut, not overrun
	ENSURE( s_logged[0] == 'x' && strlen( s_logged ) < sizeof( s_logged ) - 1 );

	s_logged[0] = 0;
	pnSetLogFcn( NULL );
	pnLog( "nobody %d", 1 );
	ENSURE( s_logged[0] == 0 );
}

static void EveryResultHasASentence( void )
{
	const pnResult results[] = { pn_success, pn_invalidInput, pn_outOfMemory, pn_badImage, pn_notFound, (pnResult)77, (pnResult)-99 };
	for ( int i = 0; i < PN_COUNT( results ); ++i )
	{
		const char* text = pnResultText( results[i] );
		REQUIRE( text != NULL );
		ENSURE( strlen( text ) > 5 );
		for ( int j = 0; j < i && i < 5; ++j )
		{
			ENSURE( strcmp( text, pnResultText( results[j] ) ) != 0 );
		}
	}
}

static void HashesAreKnownNumbers( void )
{
	// below eight bytes it is plain FNV-1a: the values are the published ones
	ENSURE( pnHash( PN_HASH_SEED, "", 0 ) == 0xcbf29ce484222325ull );
	ENSURE( pnHash( PN_HASH_SEED, "a", 1 ) == 0xaf63dc4c8601ec8cull );
	ENSURE( pnHash( PN_HASH_SEED, "foobar", 6 ) == 0x85944171f73967e8ull );
	// with words: worked out apart from the library
	ENSURE( pnHash( PN_HASH_SEED, "01234567", 8 ) == 0x923ea2a782701b08ull );
	ENSURE( pnHash( PN_HASH_SEED, "shape matching", 14 ) == 0xb4acc8c68bb8d049ull );
	unsigned char bytes[25];
	for ( int i = 0; i < 25; ++i )
	{
		bytes[i] = (unsigned char)( i - 1 );
	}
	ENSURE( pnHash( PN_HASH_SEED, bytes + 1, 24 ) == 0x02ac1c3df74cdc17ull ); // also where words are not aligned
}

static void HashesTellEveryOneAndTwoBits( void )
{
	unsigned char bytes[64];
	pnRandom random = pnSeed( 5 );
	for ( int i = 0; i < 64; ++i )
	{
		bytes[i] = (unsigned char)pnRandomInt( &random, 256 );
	}
	uint64_t hash = pnHash( PN_HASH_SEED, bytes, 61 );
	bool told = true;
	for ( int i = 0; i < 8 * 61; ++i )
	{
		bytes[i / 8] ^= (unsigned char)( 1 << i % 8 );
		told = told && pnHash( PN_HASH_SEED, bytes, 61 ) != hash;
		for ( int j = 0; j < i; ++j ) // such as the signs of two floats
		{
			bytes[j / 8] ^= (unsigned char)( 1 << j % 8 );
			told = told && pnHash( PN_HASH_SEED, bytes, 61 ) != hash;
			bytes[j / 8] ^= (unsigned char)( 1 << j % 8 );
		}
		bytes[i / 8] ^= (unsigned char)( 1 << i % 8 );
	}
	ENSURE( told );
	ENSURE( pnHash( PN_HASH_SEED, bytes, 60 ) != hash );
}

// ---- loops ----

typedef struct Loop
{
	int count, minRange, workerCount;
	atomic_int* visits; // of each index
	atomic_int busy[64]; // calls that run now with this worker
	atomic_int wrongRanges, wrongWorkers, sharedWorkers;
	int work; // so that calls overlap
} Loop;

static void Visit( int begin, int end, int worker, void* context )
{
	Loop* loop = context;
	if ( begin < 0 || begin >= end || end > loop->count || ( end - begin < loop->minRange && end != loop->count ) )
	{
		atomic_fetch_add( &loop->wrongRanges, 1 );
		return;
	}
	if ( worker < 0 || worker >= loop->workerCount )
	{
		atomic_fetch_add( &loop->wrongWorkers, 1 );
		return;
	}
	if ( atomic_fetch_add( loop->busy + worker, 1 ) != 0 )
	{
		atomic_fetch_add( &loop->sharedWorkers, 1 );
	}
	for ( int i = begin; i < end; ++i )
	{
		atomic_fetch_add_explicit( loop->visits + i, 1, memory_order_relaxed );
	}
	volatile int spent = 0;
	for ( int i = 0; i < loop->work; ++i )
	{
		spent = spent + i;
	}
	atomic_fetch_sub( loop->busy + worker, 1 );
}

static void EnsureLoopVisitsAll( pnTasks* tasks, int workerCount, int count, int minRange, int work )
{
	Loop* loop = calloc( 1, sizeof( Loop ) );
	loop->count = count;
	loop->minRange = minRange;
	loop->workerCount = workerCount;
	loop->work = work;
	loop->visits = calloc( (size_t)count + 1, sizeof( atomic_int ) );
	pnParallelFor( tasks, Visit, count, minRange, loop );
	bool once = true;
	for ( int i = 0; i < count; ++i )
	{
		once = once && atomic_load( loop->visits + i ) == 1;
	}
	ENSURE( once );
	ENSURE( loop->wrongRanges == 0 );
	ENSURE( loop->wrongWorkers == 0 );
	ENSURE( loop->sharedWorkers == 0 );
	free( loop->visits );
	free( loop );
}

static void LoopsVisitEachIndexOnce( void )
{
	static const int counts[] = { 0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 100, 1000, 1023, 10007 };
	static const int ranges[] = { 1, 2, 3, 8, 16, 64, 100, 5000, 1 << 30 };
	static const int workers[] = { 0, 1, 2, 3, 4, 8, 64 };
	for ( int kind = 0; kind < pn_crewKindCount; ++kind )
	{
		for ( int w = 0; w < PN_COUNT( workers ); ++w )
		{
			int64_t before = pnGetByteCount();
			pnTaskSystem system = pnMakeCrew( (pnCrewKind)kind, workers[w] );
			pnTasks* tasks = pnCreateTasks( &system );
			REQUIRE( tasks != NULL );
			int workerCount = pnGetWorkerCount( tasks );
			ENSURE( workerCount == ( workers[w] < 1 ? 1 : workers[w] ) );
			int64_t held = pnGetByteCount();
			for ( int c = 0; c < PN_COUNT( counts ); ++c )
			{
				// threads made for each task are dear: fewer cases where there are many
				bool few = kind == pn_threadCrew && workers[w] > 8;
				for ( int r = 0; r < PN_COUNT( ranges ); r += few ? 3 : 1 )
				{
					pnTestContext( "crew %d, %d workers, %d items, at least %d", kind, workers[w], counts[c], ranges[r] );
					EnsureLoopVisitsAll( tasks, workerCount, counts[c], ranges[r], 50 );
				}
			}
			ENSURE( pnGetByteCount() == held );
			pnDestroyTasks( tasks );
			ENSURE( pnGetByteCount() == before );
		}
	}
}

// Loops that follow each other at once, short and long ones mixed, catch a worker that comes late into the wrong loop.
static void LoopsFollowEachOtherSafely( void )
{
	for ( int workerCount = 2; workerCount <= 8; workerCount += 3 )
	{
		pnTaskSystem system = pnMakeCrew( pn_ownPool, workerCount );
		pnTasks* tasks = pnCreateTasks( &system );
		REQUIRE( tasks != NULL );
		pnTestContext( "%d workers", workerCount );
		pnRandom random = pnSeed( 11 );
		for ( int i = 0; i < 3000; ++i )
		{
			EnsureLoopVisitsAll( tasks, workerCount, 1 + pnRandomInt( &random, 200 ), 1 + pnRandomInt( &random, 9 ), pnRandomInt( &random, 300 ) );
		}
		pnDestroyTasks( tasks );
	}
}

// ---- vec.h ----

static pnQuat RandomQuat( pnRandom* random )
{
	double q[4], length = 0.0;
	do
	{
		length = 0.0;
		for ( int i = 0; i < 4; ++i )
		{
			q[i] = pnRandomIn( random, -1.0, 1.0 );
			length += q[i] * q[i];
		}
	}
	while ( length > 1.0 || length < 0.01 );
	length = sqrt( length );
	return ( pnQuat ){ (float)( q[0] / length ), (float)( q[1] / length ), (float)( q[2] / length ), (float)( q[3] / length ) };
}

static void QuaternionsTurnAsTheirMatrices( void )
{
	pnRandom random = pnSeed( 3 );
	for ( int i = 0; i < 2000; ++i )
	{
		pnQuat a = RandomQuat( &random ), b = RandomQuat( &random );
		pnMat3d matrixA = pnFromQuat3( a.x, a.y, a.z, a.w ), matrixB = pnFromQuat3( b.x, b.y, b.z, b.w );
		pnMat3d both = pnMul3( matrixA, matrixB ); // first b, then a
		double v[3] = { pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ) };
		pnVec3 f = pnMakeVec3( (float)v[0], (float)v[1], (float)v[2] );
		pnVec3 turned = pnRotate( a, f );
		pnVec3 product = pnRotate( pnMulQuat( a, b ), f );
		pnVec3 inTurn = pnRotate( a, pnRotate( b, f ) );
		pnVec3 back = pnRotate( pnConjugate( a ), turned );
		const float one[3] = { turned.x, turned.y, turned.z }, two[3] = { product.x, product.y, product.z }, three[3] = { inTurn.x, inTurn.y, inTurn.z };
		for ( int k = 0; k < 3; ++k )
		{
			const double* ra = matrixA.m + 3 * k;
			const double* rb = both.m + 3 * k;
			ENSURE_NEAR( one[k], ra[0] * f.x + ra[1] * f.y + ra[2] * f.z, 1e-6 );
			ENSURE_NEAR( two[k], rb[0] * f.x + rb[1] * f.y + rb[2] * f.z, 2e-6 );
			ENSURE_NEAR( three[k], two[k], 2e-6 );
		}
		ENSURE_NEAR( back.x, f.x, 1e-6 );
		ENSURE_NEAR( back.y, f.y, 1e-6 );
		ENSURE_NEAR( back.z, f.z, 1e-6 );
		pnTransform t = { { 1.0f, -2.0f, 3.0f }, a };
		pnVec3 moved = pnSub( pnTransformPoint( t, f ), pnAdd( turned, t.p ) );
		ENSURE( moved.x == 0.0f && moved.y == 0.0f && moved.z == 0.0f );
	}
	// the handedness, without any arithmetic of ours: a quarter turn about z takes x to y
	pnVec3 y = pnRotate( ( pnQuat ){ 0.0f, 0.0f, 0.70710678f, 0.70710678f }, pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
	ENSURE_NEAR( y.x, 0.0, 1e-6 );
	ENSURE_NEAR( y.y, 1.0, 1e-6 );
	pnVec3 z = pnCross( pnMakeVec3( 1.0f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) );
	ENSURE( z.x == 0.0f && z.y == 0.0f && z.z == 1.0f );
	pnVec3 same = pnRotate( pnIdentityQuat(), pnMakeVec3( 1.5f, -2.5f, 3.5f ) );
	ENSURE( same.x == 1.5f && same.y == -2.5f && same.z == 3.5f );
}

static void VectorsAddUp( void )
{
	pnVec3 a = { 1.0f, -2.0f, 3.0f }, b = { 0.5f, 4.0f, -8.0f };
	pnMat3 m = { { 1.0f, 2.0f, 3.0f }, { 4.0f, 5.0f, 6.0f }, { 7.0f, 8.0f, 10.0f } };
	pnVec3 r = pnMulMV( m, a );
	ENSURE( r.x == 14.0f && r.y == 16.0f && r.z == 21.0f );
	ENSURE( pnDot( a, b ) == -31.5f );
	r = pnMulAdd( a, 2.0f, b );
	ENSURE( r.x == 2.0f && r.y == 6.0f && r.z == -13.0f );
	r = pnCross( a, b );
	ENSURE( pnDot( r, a ) == 0.0f && pnDot( r, b ) == 0.0f && r.x == 4.0f && r.y == 9.5f && r.z == 5.0f );
	r = pnMin3( a, b );
	ENSURE( r.x == 0.5f && r.y == -2.0f && r.z == -8.0f );
	r = pnMax3( a, b );
	ENSURE( r.x == 1.0f && r.y == 4.0f && r.z == 3.0f );
	r = pnSub( pnScale( 2.0f, a ), b );
	ENSURE( r.x == 1.5f && r.y == -8.0f && r.z == 14.0f );
}

// ---- trig.h ----

#define RELATIVE 1e-14

static void OwnFunctionsAgreeWithLibm( void )
{
	pnRandom random = pnSeed( 17 );
	double worst[5] = { 0.0 };
	for ( int i = 0; i < 200000; ++i )
	{
		// even in x and, every other time, even in the exponent of x
		double power = pow( 10.0, pnRandomIn( &random, -300.0, 300.0 ) );
		double x = pnRandomIn( &random, -690.0, 690.0 );
		x = i % 2 == 0 ? x : fmod( x * power, 690.0 );
		double error = fabs( pnExp( x ) - exp( x ) ) / exp( x );
		worst[0] = error > worst[0] ? error : worst[0];

		double y = i % 2 == 0 ? power : 1.0 + pnRandomIn( &random, -0.5, 0.5 );
		error = log( y ) != 0.0 ? fabs( ( pnLn( y ) - log( y ) ) / log( y ) ) : fabs( pnLn( y ) );
		worst[1] = error > worst[1] ? error : worst[1];
		y = i % 4 < 2 ? y : -y;
		error = fabs( ( pnCbrt( y ) - cbrt( y ) ) / cbrt( y ) );
		worst[2] = error > worst[2] ? error : worst[2];

		double angle = i % 2 == 0 ? pnRandomIn( &random, -1e6, 1e6 ) : pnRandomIn( &random, -7.0, 7.0 );
		error = fabs( pnCos( angle ) - cos( angle ) );
		worst[3] = error > worst[3] ? error : worst[3];
		error = fabs( pnSin( angle ) - sin( angle ) );
		worst[4] = error > worst[4] ? error : worst[4];
		// relative as well, away from the zeros of either
		if ( fabs( cos( angle ) ) > 1e-3 && fabs( sin( angle ) ) > 1e-3 )
		{
			ENSURE_MOST( fabs( pnCos( angle ) / cos( angle ) - 1.0 ), RELATIVE );
			ENSURE_MOST( fabs( pnSin( angle ) / sin( angle ) - 1.0 ), RELATIVE );
		}
	}
	ENSURE_MOST( worst[0], RELATIVE );
	ENSURE_MOST( worst[1], RELATIVE );
	ENSURE_MOST( worst[2], RELATIVE );
	ENSURE_MOST( worst[3], RELATIVE );
	ENSURE_MOST( worst[4], RELATIVE );
	pnTestNote( "exp %.1e log %.1e cbrt %.1e cos %.1e sin %.1e", worst[0], worst[1], worst[2], worst[3], worst[4] );
}

static void OwnFunctionsAreSensibleAtTheEnds( void )
{
	ENSURE( pnExp( 0.0 ) == 1.0 );
	ENSURE( pnExp( -1e9 ) == 0.0 && pnExp( -(double)INFINITY ) == 0.0 );
	ENSURE( isfinite( pnExp( 1e9 ) ) && pnExp( 1e9 ) >= 1e304 );
	ENSURE( isfinite( pnExp( (double)INFINITY ) ) );
	ENSURE( pnExp( -1e-300 ) == 1.0 );
	ENSURE( pnLn( 1.0 ) == 0.0 );
	ENSURE( isfinite( pnLn( 0.0 ) ) && isfinite( pnLn( -1.0 ) ) && pnLn( 0.0 ) < -700.0 );
	ENSURE_NEAR( pnLn( 5e-324 ), log( 5e-324 ), 1e-11 );
	ENSURE_NEAR( pnLn( DBL_MAX ), log( DBL_MAX ), 1e-11 );
	ENSURE( pnCbrt( 0.0 ) == 0.0 );
	ENSURE_NEAR( pnCbrt( -27.0 ), -3.0, 1e-14 );
	const double ends[] = { DBL_MAX, DBL_MIN, 1e308, 1e-300, -DBL_MAX };
	for ( int i = 0; i < PN_COUNT( ends ); ++i )
	{
		pnTestContext( "%g", ends[i] );
		ENSURE_MOST( fabs( pnCbrt( ends[i] ) / cbrt( ends[i] ) - 1.0 ), RELATIVE );
	}
	ENSURE( pnCos( 0.0 ) == 1.0 && pnSin( 0.0 ) == 0.0 );
	for ( int k = -8; k <= 8; ++k )
	{
		double angle = 0.5 * 3.14159265358979323846 * (double)k;
		pnTestContext( "%d quarter turns", k );
		ENSURE_NEAR( pnCos( angle ), cos( angle ), 1e-15 );
		ENSURE_NEAR( pnSin( angle ), sin( angle ), 1e-15 );
	}
}

// ---- mat3.h ----

static pnMat3d RandomTurn( pnRandom* random )
{
	double q[4], length;
	do
	{
		length = 0.0;
		for ( int i = 0; i < 4; ++i )
		{
			q[i] = pnRandomIn( random, -1.0, 1.0 );
			length += q[i] * q[i];
		}
	}
	while ( length > 1.0 || length < 0.01 );
	length = sqrt( length );
	return pnFromQuat3( q[0] / length, q[1] / length, q[2] / length, q[3] / length );
}

static double Difference( pnMat3d a, pnMat3d b )
{
	double largest = 0.0;
	for ( int k = 0; k < 9; ++k )
	{
		double d = fabs( a.m[k] - b.m[k] );
		largest = d > largest || isnan( d ) ? d : largest;
	}
	return largest;
}

static double Largest( pnMat3d a )
{
	return Difference( a, pnScale3( 0.0, a ) );
}

static pnMat3d Diagonal( double x, double y, double z )
{
	return ( pnMat3d ){ { x, 0, 0, 0, y, 0, 0, 0, z } };
}

static void EnsureRotation( pnMat3d r )
{
	ENSURE_MOST( Difference( pnMulT3( r, r ), pnIdentity3() ), 1e-14 );
	ENSURE_NEAR( pnDet3( r ), 1.0, 1e-14 );
}

static void EnsureSvd( pnMat3d a )
{
	pnMat3d u, v;
	double s[3];
	pnSvd3( a, &u, s, &v );
	double size = Largest( a );
	EnsureRotation( u );
	EnsureRotation( v );
	pnMat3d again = pnMulT3( pnMul3( u, Diagonal( s[0], s[1], s[2] ) ), v );
	ENSURE_MOST( Difference( again, a ), 1e-14 * size );
	// equal ones may come in either order within rounding
	ENSURE( s[0] >= s[1] - 1e-14 * size && s[1] >= fabs( s[2] ) - 1e-14 * size && s[1] >= -1e-14 * size );
}

static void SvdHoldsForAnyMatrix( void )
{
	pnRandom random = pnSeed( 23 );
	static const double scales[] = { 1.0, 1e-6, 1e6, 1e-30, 1e30, 1e-150, 1e150, 1e-290, 1e290 };
	for ( int i = 0; i < 20000; ++i )
	{
		int kind = i % 10;
		double scale = scales[( i / 10 ) % PN_COUNT( scales )];
		pnMat3d a;
		for ( int k = 0; k < 9; ++k )
		{
			a.m[k] = pnRandomIn( &random, -1.0, 1.0 );
		}
		pnMat3d u = RandomTurn( &random ), v = RandomTurn( &random );
		double small = pow( 10.0, pnRandomIn( &random, -20.0, 0.0 ) ), smaller = small * pow( 10.0, pnRandomIn( &random, -20.0, 0.0 ) );
		switch ( kind )
		{
			case 0: break;
			case 1: a = u; break; // all equal
			case 2: a = pnScale3( -1.0, u ); break; // mirrored, all equal
			case 3: a = pnMulT3( pnMul3( u, Diagonal( 1.0, small, smaller ) ), v ); break;
			case 4: a = pnMulT3( pnMul3( u, Diagonal( 1.0, small, -smaller ) ), v ); break;
			case 5: a = pnMulT3( pnMul3( u, Diagonal( 1.0, 0.5, 0.0 ) ), v ); break; // flat
			case 6: a = pnMulT3( pnMul3( u, Diagonal( 1.0, 0.0, 0.0 ) ), v ); break; // a line
			case 7: // two equal rows and a zero one: singular to the last bit
				for ( int k = 0; k < 3; ++k )
				{
					a.m[3 + k] = a.m[k];
					a.m[6 + k] = 0.0;
				}
				break;
			case 8: a = Diagonal( pnRandomInt( &random, 3 ) - 1, pnRandomInt( &random, 3 ) - 1, pnRandomInt( &random, 3 ) - 1 ); break; // zeros and signs
			default: a = pnMulT3( pnMul3( u, Diagonal( 1.0, 1.0, small ) ), v ); break; // a pair
		}
		pnTestContext( "kind %d, scale %g, case %d", kind, scale, i );
		EnsureSvd( pnScale3( scale, a ) );
	}
}

static void SvdKeepsTheSignOfTheDeterminant( void )
{
	pnRandom random = pnSeed( 29 );
	for ( int i = 0; i < 5000; ++i )
	{
		double s[3] = { pnRandomIn( &random, 1.0, 2.0 ), pnRandomIn( &random, 0.1, 1.0 ), pnRandomIn( &random, 0.001, 0.1 ) };
		double sign = i % 2 == 0 ? 1.0 : -1.0;
		pnMat3d a = pnMulT3( pnMul3( RandomTurn( &random ), Diagonal( s[0], s[1], sign * s[2] ) ), RandomTurn( &random ) );
		pnMat3d u, v;
		double found[3];
		pnSvd3( a, &u, found, &v );
		ENSURE_NEAR( found[0], s[0], 1e-14 );
		ENSURE_NEAR( found[1], s[1], 1e-14 );
		ENSURE_NEAR( found[2], sign * s[2], 1e-14 );
	}
}

static void EigenvectorsDiagonalise( void )
{
	pnRandom random = pnSeed( 31 );
	for ( int i = 0; i < 5000; ++i )
	{
		pnMat3d turn = RandomTurn( &random );
		double e[3] = { pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ) };
		if ( i % 3 == 1 )
		{
			e[1] = e[0];
		}
		if ( i % 5 == 1 )
		{
			e[2] = 0.0;
		}
		double scale = pow( 10.0, pnRandomIn( &random, -100.0, 100.0 ) );
		pnMat3d a = pnScale3( scale, pnMulT3( pnMul3( turn, Diagonal( e[0], e[1], e[2] ) ), turn ) );
		a.m[3] = a.m[1];
		a.m[6] = a.m[2];
		a.m[7] = a.m[5];
		pnMat3d v;
		double values[3];
		pnEigen3( a, &v, values );
		EnsureRotation( v );
		ENSURE( values[0] >= values[1] && values[1] >= values[2] );
		ENSURE_MOST( Difference( pnMulT3( pnMul3( v, Diagonal( values[0], values[1], values[2] ) ), v ), a ), 1e-14 * scale );
	}
}

static void MatricesMultiplyAndSolve( void )
{
	pnRandom random = pnSeed( 37 );
	for ( int i = 0; i < 2000; ++i )
	{
		pnMat3d a, b;
		for ( int k = 0; k < 9; ++k )
		{
			a.m[k] = pnRandomIn( &random, -1.0, 1.0 );
			b.m[k] = pnRandomIn( &random, -1.0, 1.0 );
		}
		ENSURE_NEAR( pnDet3( pnMul3( a, b ) ), pnDet3( a ) * pnDet3( b ), 1e-14 );
		ENSURE_NEAR( pnDot3( pnMul3( a, b ), pnIdentity3() ), pnDot3( a, pnTMul3( pnIdentity3(), pnMulT3( pnIdentity3(), b ) ) ), 1e-14 );
		// a^T cof( a ) = det a
		ENSURE_MOST( Difference( pnTMul3( a, pnCofactor3( a ) ), pnScale3( pnDet3( a ), pnIdentity3() ) ), 1e-15 * 10 );
		ENSURE_MOST( Largest( pnAdd3( pnMul3( a, b ), -1.0, pnMulT3( a, pnMulT3( pnIdentity3(), b ) ) ) ), 0.0 );

		// a positive definite one that is far from singular: the answer is exact to rounding
		pnMat3d definite = pnAdd3( pnMulT3( a, a ), 0.1, pnIdentity3() );
		double x[3] = { pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ), pnRandomIn( &random, -1, 1 ) }, right[3], found[3];
		for ( int k = 0; k < 3; ++k )
		{
			right[k] = definite.m[3 * k] * x[0] + definite.m[3 * k + 1] * x[1] + definite.m[3 * k + 2] * x[2];
		}
		pnSolve3( definite, 1e-12, right, found );
		for ( int k = 0; k < 3; ++k )
		{
			ENSURE_NEAR( found[k], x[k], 1e-12 );
		}
	}
	// what cannot be told is left out, and nothing becomes infinite
	const double right[3] = { 1.0, 2.0, 3.0 };
	double found[3];
	pnSolve3( Diagonal( 2.0, 0.0, 0.0 ), 1e-12, right, found );
	ENSURE( found[0] == 0.5 && found[1] == 0.0 && found[2] == 0.0 );
	pnSolve3( Diagonal( 0.0, 0.0, 0.0 ), 1e-12, right, found );
	ENSURE( found[0] == 0.0 && found[1] == 0.0 && found[2] == 0.0 );
}

static const pnTest s_tests[] = {
	RUN( MemoryIsZeroAlignedAndCounted ),
	RUN( OverflowingSizesAreRefused ),
	RUN( GrowingKeepsWhatIsThere ),
	RUN( LogSaysWhatWasAsked ),
	RUN( EveryResultHasASentence ),
	RUN( HashesAreKnownNumbers ),
	RUN( HashesTellEveryOneAndTwoBits ),
	RUN( LoopsVisitEachIndexOnce ),
	RUN( LoopsFollowEachOtherSafely ),
	RUN( QuaternionsTurnAsTheirMatrices ),
	RUN( VectorsAddUp ),
	RUN( OwnFunctionsAgreeWithLibm ),
	RUN( OwnFunctionsAreSensibleAtTheEnds ),
	RUN( SvdHoldsForAnyMatrix ),
	RUN( SvdKeepsTheSignOfTheDeterminant ),
	RUN( EigenvectorsDiagonalise ),
	RUN( MatricesMultiplyAndSolve ),
};
SUITE( core, s_tests );
