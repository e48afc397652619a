// response.c - what a linear solid answers when some of its handles are held and others pushed. Knows arrays of numbers only: neither
// how they were found nor what they are a picture of.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// With C the compliance, d where the handles stand and f what acts on them: d = d0 + C f, d0 the preload. Held degrees h know d,
// free ones know f; so C_hh f_h = d_h - d0_h - C_hf f_f. Hold inverts C_hh, Solve multiplies by the inverse, Move adds up columns.
//
// Bits: every sum has one order, and nothing but + - * / is used, so all machines agree. Images are little endian because the machines are.
#include "pliant/response.h"

#include "../base/scratch.h"
#define PN_WIDTH 4
#include "../base/simd.h"

#include <float.h>
#include <limits.h>
#include <math.h>

enum
{
	PN_MOST_HANDLES = 10000,
	PN_LINE_FLOATS = 32, // of a vertex block: two cache lines for each degree, eight sums that stay in registers
	PN_LINE_VECTORS = PN_LINE_FLOATS / PN_WIDTH,
	PN_ROWS_AT_ONCE = 8, // of the inverse: so often fewer does Solve read and write its sums
};

// The two halves of a symmetric matrix may differ by the rounding of single precision.
#define PN_SYMMETRY 1e-6
// Of a degree's compliance, the part that is left when all degrees before it are held still. Below this it cannot be told from
// rounding that the degree moves by itself at all.
#define PN_LEAST_OWN_PART 1e-12
// m/N. Stiffer than any planet, softer than any fog: what is beyond is a mistake, and what is within can be inverted.
#define PN_LEAST_COMPLIANCE 1e-30
#define PN_MOST_COMPLIANCE 1e30

struct pnResponse
{
	int handleCount, vertexCount, triangleCount;
	int degreeCount; // 3 handleCount
	int blockCount; // of PN_LINE_FLOATS floats; 3 vertexCount, rounded up
	pnVec3* handles;
	pnVec3* handlePreload;
	pnVec3* vertices;
	pnVec3* preload;
	float* start; // vertices + preload, then zeros up to the end of the last block
	int32_t* triangles;
	double* compliance; // degreeCount^2, exactly symmetric
	pnFloatW* motion; // block by block, in each degree by degree: what Move reads lies in the order in which it is read

	uint8_t* held; // of each handle
	int32_t* heldDegrees; // ascending
	int heldCount; // degrees
	int stride; // of the rows of the inverse: heldCount, rounded up
	double* inverse; // of C_hh; stride^2, zeros where there is no degree

	// workspace
	double* sums; // of Solve and of Hold, stride each
	double* known;
	int32_t* pushed; // degrees that carry a force, in Solve and Move
	float* pushes;

	pnScratch memory; // all of the above
};

static int pnRoundUp( int count, int step )
{
	return ( count + step - 1 ) / step * step;
}

// ---- made and destroyed ----

pnResponseDef pnDefaultResponseDef( void )
{
	return (pnResponseDef){ .cookie = PN_COOKIE };
}

void pnDestroyResponse( pnResponse* response )
{
	if ( response != NULL )
	{
		pnScratch memory = response->memory;
		pnGiveBack( &memory );
		pnFreeArray( pnResponse, response, 1 );
	}
}

// All arrays, empty. NULL: no memory.
static pnResponse* pnAllocResponse( int handleCount, int vertexCount, int triangleCount )
{
	pnResponse* response = pnAllocArray( pnResponse, 1 );
	if ( response == NULL )
	{
		return NULL;
	}
	response->handleCount = handleCount;
	response->vertexCount = vertexCount;
	response->triangleCount = triangleCount;
	int degreeCount = response->degreeCount = 3 * handleCount;
	response->blockCount = pnRoundUp( 3 * vertexCount, PN_LINE_FLOATS ) / PN_LINE_FLOATS;
	size_t wide = (size_t)pnRoundUp( degreeCount, PN_ROWS_AT_ONCE ), vectorCount;
	bool fits = __builtin_mul_overflow( (size_t)response->blockCount * PN_LINE_VECTORS, (size_t)degreeCount, &vectorCount ) == false;

	pnScratch* memory = &response->memory;
	response->handles = pnTakeArray( memory, pnVec3, handleCount );
	response->handlePreload = pnTakeArray( memory, pnVec3, handleCount );
	response->vertices = pnTakeArray( memory, pnVec3, vertexCount );
	response->preload = pnTakeArray( memory, pnVec3, vertexCount );
	response->start = pnTakeArray( memory, float, (size_t)response->blockCount * PN_LINE_FLOATS );
	response->triangles = pnTakeArray( memory, int32_t, 3 * (size_t)triangleCount );
	response->compliance = pnTakeArray( memory, double, (size_t)degreeCount * (size_t)degreeCount );
	response->motion = fits ? pnTakeArray( memory, pnFloatW, vectorCount ) : NULL;
	response->held = pnTakeArray( memory, uint8_t, handleCount );
	response->heldDegrees = pnTakeArray( memory, int32_t, degreeCount );
	response->inverse = pnTakeArray( memory, double, wide * wide );
	response->sums = pnTakeArray( memory, double, wide );
	response->known = pnTakeArray( memory, double, wide );
	response->pushed = pnTakeArray( memory, int32_t, degreeCount );
	response->pushes = pnTakeArray( memory, float, degreeCount );
	if ( memory->failed || fits == false )
	{
		pnDestroyResponse( response );
		return NULL;
	}
	return response;
}

// ---- what it must be ----

static bool pnCheckCounts( const char* call, int64_t handleCount, int64_t vertexCount, int64_t triangleCount )
{
	const int64_t most = ( INT_MAX - PN_LINE_FLOATS ) / 3;
	if ( handleCount < 1 || handleCount > PN_MOST_HANDLES )
	{
		pnLog( "%s: handleCount is %lld, must be 1 to %d", call, (long long)handleCount, PN_MOST_HANDLES );
		return false;
	}
	if ( vertexCount < 1 || vertexCount > most || triangleCount < 0 || triangleCount > most )
	{
		pnLog( "%s: vertexCount is %lld and triangleCount %lld, must be from 1 and from 0 to %lld", call, (long long)vertexCount, (long long)triangleCount,
			   (long long)most );
		return false;
	}
	return true;
}

static bool pnCheckVectors( const char* call, const char* name, const pnVec3* vectors, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		const float c[3] = { vectors[i].x, vectors[i].y, vectors[i].z };
		for ( int axis = 0; axis < 3; ++axis )
		{
			if ( pnIsFinite( c[axis] ) == false )
			{
				pnLog( "%s: %s[%d].%c is not finite", call, name, i, "xyz"[axis] );
				return false;
			}
		}
	}
	return true;
}

static bool pnCheckTriangles( const char* call, const pnResponse* response )
{
	for ( int i = 0; i < 3 * response->triangleCount; ++i )
	{
		if ( response->triangles[i] < 0 || response->triangles[i] >= response->vertexCount )
		{
			pnLog( "%s: triangles[%d] is %d, but there are %d vertices", call, i, (int)response->triangles[i], response->vertexCount );
			return false;
		}
	}
	return true;
}

// Leaves the symmetric part.
static bool pnCheckCompliance( const char* call, pnResponse* response )
{
	double* c = response->compliance;
	size_t n = (size_t)response->degreeCount;
	for ( size_t i = 0; i < n; ++i )
	{
		double own = c[i * n + i];
		if ( ( own >= PN_LEAST_COMPLIANCE && own <= PN_MOST_COMPLIANCE ) == false )
		{
			pnLog( "%s: compliance[%d][%d] is %g m/N, must be positive", call, (int)i, (int)i, own );
			return false;
		}
	}
	for ( size_t i = 0; i < n; ++i )
	{
		for ( size_t j = 0; j < i; ++j )
		{
			double lower = c[i * n + j], upper = c[j * n + i], scale = sqrt( c[i * n + i] ) * sqrt( c[j * n + j] );
			// also false if one of them is not finite
			if ( ( fabs( lower ) <= PN_MOST_COMPLIANCE && fabs( upper ) <= PN_MOST_COMPLIANCE ) == false )
			{
				pnLog( "%s: compliance[%d][%d] is %g and compliance[%d][%d] is %g, must be finite", call, (int)i, (int)j, lower, (int)j, (int)i, upper );
				return false;
			}
			if ( fabs( lower - upper ) > PN_SYMMETRY * scale )
			{
				pnLog( "%s: compliance[%d][%d] is %g but compliance[%d][%d] is %g, must be symmetric", call, (int)i, (int)j, lower, (int)j, (int)i, upper );
				return false;
			}
			c[i * n + j] = c[j * n + i] = 0.5 * ( lower + upper );
		}
	}
	return true;
}

// Copies one degree after the other, each 3 vertexCount floats, to where Move reads them. The source need not be aligned.
static bool pnTakeMotion( const char* call, pnResponse* response, const void* source )
{
	size_t floatCount = 3 * (size_t)response->vertexCount;
	for ( size_t degree = 0; degree < (size_t)response->degreeCount; ++degree )
	{
		const char* column = (const char*)source + degree * floatCount * sizeof( float );
		for ( size_t block = 0; block < (size_t)response->blockCount; ++block )
		{
			float line[PN_LINE_FLOATS] = { 0.0f };
			size_t first = block * PN_LINE_FLOATS, count = floatCount - first < PN_LINE_FLOATS ? floatCount - first : PN_LINE_FLOATS;
			memcpy( line, column + first * sizeof( float ), count * sizeof( float ) );
			int good = 1;
			for ( int i = 0; i < PN_LINE_FLOATS; ++i )
			{
				good &= pnIsFinite( line[i] );
			}
			if ( good == 0 )
			{
				int i = 0;
				while ( pnIsFinite( line[i] ) )
				{
					i += 1;
				}
				size_t at = first + (size_t)i;
				pnLog( "%s: motion of degree %d (handle %d, axis %c) at vertex %d, axis %c is not finite", call, (int)degree, (int)( degree / 3 ),
					   "xyz"[degree % 3], (int)( at / 3 ), "xyz"[at % 3] );
				return false;
			}
			memcpy( response->motion + ( block * (size_t)response->degreeCount + degree ) * PN_LINE_VECTORS, line, sizeof( line ) );
		}
	}
	return true;
}

// ---- held ----

// The inverse of the held part of the compliance. Each step of this turns one degree from pushed into held (the sweep operator; the
// pivots are those of Cholesky's factorisation): no square roots, one loop, and with upper rows only as few operations as a
// factorisation and two triangular solves. Returns the degree of whose compliance less than leastPart is its own, or -1.
static int pnInvertHeld( pnResponse* response, double leastPart )
{
	int n = response->heldCount, stride = response->stride = pnRoundUp( n, PN_ROWS_AT_ONCE );
	size_t s = (size_t)stride, degreeCount = (size_t)response->degreeCount;
	double* restrict a = response->inverse;
	double* restrict row = response->sums;
	const int32_t* degrees = response->heldDegrees;
	memset( a, 0, s * s * sizeof( double ) );
	for ( int i = 0; i < n; ++i )
	{
		for ( int j = i; j < n; ++j )
		{
			a[(size_t)i * s + (size_t)j] = response->compliance[(size_t)degrees[i] * degreeCount + (size_t)degrees[j]];
		}
	}
	for ( int k = 0; k < n; ++k )
	{
		double* restrict ak = a + (size_t)k * s;
		double pivot = ak[k], least = leastPart * response->compliance[(size_t)degrees[k] * ( degreeCount + 1 )];
		if ( ( pivot >= least ) == false )
		{
			return degrees[k];
		}
		double over = 1.0 / pivot;
		for ( int j = 0; j < k; ++j )
		{
			row[j] = a[(size_t)j * s + (size_t)k];
		}
		for ( int j = k; j < n; ++j )
		{
			row[j] = ak[j];
		}
		for ( int i = 0; i < n; ++i )
		{
			double* restrict ai = a + (size_t)i * s;
			double factor = row[i] * over;
			for ( int j = i; j < n; ++j )
			{
				ai[j] -= factor * row[j];
			}
		}
		// Row and column k are not differences but quotients.
		for ( int j = 0; j < k; ++j )
		{
			a[(size_t)j * s + (size_t)k] = row[j] * over;
		}
		for ( int j = k + 1; j < n; ++j )
		{
			ak[j] = row[j] * over;
		}
		ak[k] = -over;
	}
	for ( int i = 0; i < n; ++i )
	{
		for ( int j = i; j < n; ++j )
		{
			double value = -a[(size_t)i * s + (size_t)j];
			a[(size_t)i * s + (size_t)j] = a[(size_t)j * s + (size_t)i] = value;
		}
	}
	return -1;
}

void pnResponse_Hold( pnResponse* response, const uint8_t* held )
{
	response->heldCount = 0;
	for ( int handle = 0; handle < response->handleCount; ++handle )
	{
		bool isHeld = held != NULL && held[handle] != 0;
		response->held[handle] = isHeld;
		for ( int axis = 0; axis < 3 && isHeld; ++axis )
		{
			response->heldDegrees[response->heldCount++] = 3 * handle + axis;
		}
	}
	// Holding fewer leaves a degree more of its own, so what went well with all held goes well, whatever the rounding.
	int weak = pnInvertHeld( response, 0.01 * PN_LEAST_OWN_PART );
	PN_ASSERT( weak < 0 );
	if ( weak >= 0 )
	{
		pnResponse_Hold( response, NULL );
	}
}

// ---- made from numbers, checked ----

// Once all arrays are filled: what must hold for any response. Leaves none held.
static bool pnFinishResponse( const char* call, pnResponse* response )
{
	if ( pnCheckVectors( call, "handles", response->handles, response->handleCount ) == false ||
		 pnCheckVectors( call, "handlePreload", response->handlePreload, response->handleCount ) == false ||
		 pnCheckVectors( call, "vertices", response->vertices, response->vertexCount ) == false ||
		 pnCheckVectors( call, "preload", response->preload, response->vertexCount ) == false || pnCheckTriangles( call, response ) == false ||
		 pnCheckCompliance( call, response ) == false )
	{
		return false;
	}
	for ( int i = 0; i < response->vertexCount; ++i )
	{
		pnVec3 at = pnAdd( response->vertices[i], response->preload[i] );
		if ( pnIsFinite( at.x ) == false || pnIsFinite( at.y ) == false || pnIsFinite( at.z ) == false )
		{
			pnLog( "%s: vertices[%d] + preload[%d] is not finite", call, i, i );
			return false;
		}
		memcpy( response->start + 3 * (size_t)i, &at, sizeof( at ) );
	}
	for ( int degree = 0; degree < response->degreeCount; ++degree )
	{
		response->heldDegrees[degree] = degree;
	}
	response->heldCount = response->degreeCount;
	int weak = pnInvertHeld( response, PN_LEAST_OWN_PART );
	if ( weak >= 0 )
	{
		pnLog( "%s: compliance is not positive definite: with all before it held, degree %d (handle %d, axis %c) does not yield; two handles may be the same",
			   call, weak, weak / 3, "xyz"[weak % 3] );
		return false;
	}
	pnResponse_Hold( response, NULL );
	return true;
}

pnResult pnCreateResponse( const pnResponseDef* def, pnResponse** response )
{
	static const char call[] = "pnCreateResponse";
	*response = NULL;
	if ( def == NULL || def->cookie != PN_COOKIE )
	{
		pnLog( "%s: the def is not from pnDefaultResponseDef", call );
		return pn_invalidInput;
	}
	if ( pnCheckCounts( call, def->handleCount, def->vertexCount, def->triangleCount ) == false )
	{
		return pn_invalidInput;
	}
	const char* missing = def->handles == NULL ? "handles" : def->vertices == NULL ? "vertices" : def->compliance == NULL ? "compliance" :
						  def->motion == NULL ? "motion" : def->triangleCount > 0 && def->triangles == NULL ? "triangles" : NULL;
	if ( missing != NULL )
	{
		pnLog( "%s: %s is NULL", call, missing );
		return pn_invalidInput;
	}
	pnResponse* made = pnAllocResponse( def->handleCount, def->vertexCount, def->triangleCount );
	if ( made == NULL )
	{
		return pn_outOfMemory;
	}
	size_t handleBytes = (size_t)def->handleCount * sizeof( pnVec3 ), vertexBytes = (size_t)def->vertexCount * sizeof( pnVec3 );
	memcpy( made->handles, def->handles, handleBytes );
	memcpy( made->vertices, def->vertices, vertexBytes );
	memcpy( made->compliance, def->compliance, (size_t)made->degreeCount * (size_t)made->degreeCount * sizeof( double ) );
	if ( def->handlePreload != NULL )
	{
		memcpy( made->handlePreload, def->handlePreload, handleBytes );
	}
	if ( def->preload != NULL )
	{
		memcpy( made->preload, def->preload, vertexBytes );
	}
	if ( def->triangleCount > 0 )
	{
		memcpy( made->triangles, def->triangles, 3 * (size_t)def->triangleCount * sizeof( int32_t ) );
	}
	if ( pnTakeMotion( call, made, def->motion ) == false || pnFinishResponse( call, made ) == false )
	{
		pnDestroyResponse( made );
		return pn_invalidInput;
	}
	*response = made;
	return pn_success;
}

int pnResponse_GetHandleCount( const pnResponse* response ) { return response->handleCount; }
int pnResponse_GetVertexCount( const pnResponse* response ) { return response->vertexCount; }
int pnResponse_GetTriangleCount( const pnResponse* response ) { return response->triangleCount; }
const pnVec3* pnResponse_GetHandles( const pnResponse* response ) { return response->handles; }
const pnVec3* pnResponse_GetVertices( const pnResponse* response ) { return response->vertices; }
const int32_t* pnResponse_GetTriangles( const pnResponse* response ) { return response->triangles; }

// ---- as bytes ----

// Head, handles, handlePreload, vertices, preload, triangles, compliance, motion degree by degree, hash of all before it.
typedef struct pnResponseHead
{
	uint64_t magic, size; // of all
	int32_t handleCount, vertexCount, triangleCount, zero;
} pnResponseHead;
_Static_assert( sizeof( pnResponseHead ) == 32, "no hidden bytes" );

static const uint64_t pn_responseMagic = 0x6e6f7073657201ull; // "\1respon", version in the first byte

// Counts that were checked cannot overflow it.
static uint64_t pnImageSize( int handleCount, int vertexCount, int triangleCount )
{
	uint64_t degreeCount = 3 * (uint64_t)handleCount, vertices = (uint64_t)vertexCount;
	return sizeof( pnResponseHead ) + 24 * (uint64_t)handleCount + 24 * vertices + 12 * (uint64_t)triangleCount + 8 * degreeCount * degreeCount +
		   12 * degreeCount * vertices + sizeof( uint64_t );
}

static void pnWriteBytes( uint8_t** cursor, const void* bytes, size_t size )
{
	memcpy( *cursor, bytes, size );
	*cursor += size;
}

size_t pnResponse_Bake( const pnResponse* response, void* buffer, size_t capacity )
{
	size_t size = (size_t)pnImageSize( response->handleCount, response->vertexCount, response->triangleCount );
	if ( buffer == NULL || capacity < size )
	{
		return size;
	}
	uint8_t* cursor = buffer;
	pnResponseHead head = { pn_responseMagic, size, response->handleCount, response->vertexCount, response->triangleCount, 0 };
	size_t handleBytes = (size_t)response->handleCount * sizeof( pnVec3 ), vertexBytes = (size_t)response->vertexCount * sizeof( pnVec3 );
	size_t degreeCount = (size_t)response->degreeCount, floatCount = 3 * (size_t)response->vertexCount;
	pnWriteBytes( &cursor, &head, sizeof( head ) );
	pnWriteBytes( &cursor, response->handles, handleBytes );
	pnWriteBytes( &cursor, response->handlePreload, handleBytes );
	pnWriteBytes( &cursor, response->vertices, vertexBytes );
	pnWriteBytes( &cursor, response->preload, vertexBytes );
	pnWriteBytes( &cursor, response->triangles, 3 * (size_t)response->triangleCount * sizeof( int32_t ) );
	pnWriteBytes( &cursor, response->compliance, degreeCount * degreeCount * sizeof( double ) );
	for ( size_t degree = 0; degree < degreeCount; ++degree )
	{
		for ( size_t block = 0; block < (size_t)response->blockCount; ++block )
		{
			size_t first = block * PN_LINE_FLOATS, count = floatCount - first < PN_LINE_FLOATS ? floatCount - first : PN_LINE_FLOATS;
			pnWriteBytes( &cursor, response->motion + ( block * degreeCount + degree ) * PN_LINE_VECTORS, count * sizeof( float ) );
		}
	}
	uint64_t hash = pnHash( PN_HASH_SEED, buffer, size - sizeof( hash ) );
	pnWriteBytes( &cursor, &hash, sizeof( hash ) );
	PN_ASSERT( (size_t)( cursor - (uint8_t*)buffer ) == size );
	return size;
}

static void pnReadBytes( const uint8_t** cursor, void* bytes, size_t size )
{
	memcpy( bytes, *cursor, size );
	*cursor += size;
}

pnResult pnLoadResponse( const void* bytes, size_t size, pnResponse** response )
{
	static const char call[] = "pnLoadResponse";
	*response = NULL;
	pnResponseHead head;
	const uint8_t* cursor = bytes;
	if ( bytes == NULL || size < sizeof( head ) + sizeof( uint64_t ) )
	{
		pnLog( "%s: %zu bytes are too few", call, size );
		return pn_badImage;
	}
	pnReadBytes( &cursor, &head, sizeof( head ) );
	if ( head.magic != pn_responseMagic )
	{
		pnLog( "%s: this is no response, or one of another version", call );
		return pn_badImage;
	}
	if ( head.size != size || head.zero != 0 || pnCheckCounts( call, head.handleCount, head.vertexCount, head.triangleCount ) == false ||
		 head.size != pnImageSize( head.handleCount, head.vertexCount, head.triangleCount ) )
	{
		pnLog( "%s: %zu bytes are not what the head says", call, size );
		return pn_badImage;
	}
	uint64_t hash;
	memcpy( &hash, (const uint8_t*)bytes + size - sizeof( hash ), sizeof( hash ) );
	if ( hash != pnHash( PN_HASH_SEED, bytes, size - sizeof( hash ) ) )
	{
		pnLog( "%s: the bytes are not as they were written", call );
		return pn_badImage;
	}
	pnResponse* made = pnAllocResponse( head.handleCount, head.vertexCount, head.triangleCount );
	if ( made == NULL )
	{
		return pn_outOfMemory;
	}
	size_t handleBytes = (size_t)made->handleCount * sizeof( pnVec3 ), vertexBytes = (size_t)made->vertexCount * sizeof( pnVec3 );
	pnReadBytes( &cursor, made->handles, handleBytes );
	pnReadBytes( &cursor, made->handlePreload, handleBytes );
	pnReadBytes( &cursor, made->vertices, vertexBytes );
	pnReadBytes( &cursor, made->preload, vertexBytes );
	pnReadBytes( &cursor, made->triangles, 3 * (size_t)made->triangleCount * sizeof( int32_t ) );
	pnReadBytes( &cursor, made->compliance, (size_t)made->degreeCount * (size_t)made->degreeCount * sizeof( double ) );
	if ( pnTakeMotion( call, made, cursor ) == false || pnFinishResponse( call, made ) == false )
	{
		pnDestroyResponse( made );
		return pn_badImage;
	}
	*response = made;
	return pn_success;
}

// ---- at haptic rate ----

static float pnFiniteOrZero( float x )
{
	PN_ASSERT( pnIsFinite( x ) );
	return pnIsFinite( x ) ? x : 0.0f;
}

// As a float, whatever it is: too large is the largest, and no number is none.
static float pnToFloat( double x )
{
	return (float)( x > FLT_MAX ? FLT_MAX : x < -FLT_MAX ? -FLT_MAX : x == x ? x : 0.0 );
}

// The degrees of handles that are not left out and carry a force, in workspace; returns how many.
static int pnGatherPushes( const pnResponse* response, const pnVec3* forces, const uint8_t* leftOut )
{
	int count = 0;
	for ( int handle = 0; handle < response->handleCount && forces != NULL; ++handle )
	{
		if ( leftOut != NULL && leftOut[handle] != 0 )
		{
			continue;
		}
		const float force[3] = { forces[handle].x, forces[handle].y, forces[handle].z };
		for ( int axis = 0; axis < 3; ++axis )
		{
			float push = pnFiniteOrZero( force[axis] );
			response->pushed[count] = 3 * handle + axis;
			response->pushes[count] = push;
			count += push != 0.0f;
		}
	}
	return count;
}

void pnResponse_Solve( const pnResponse* response, const pnVec3* displacements, const pnVec3* pushes, pnVec3* forces )
{
	if ( forces == NULL )
	{
		return;
	}
	int n = response->heldCount, stride = response->stride;
	double* restrict known = response->known;
	double* restrict sums = response->sums;
	for ( int i = 0; i < n; i += 3 )
	{
		int handle = response->heldDegrees[i] / 3;
		pnVec3 place = displacements != NULL ? displacements[handle] : (pnVec3){ 0 }, rest = response->handlePreload[handle];
		known[i] = (double)pnFiniteOrZero( place.x ) - (double)rest.x;
		known[i + 1] = (double)pnFiniteOrZero( place.y ) - (double)rest.y;
		known[i + 2] = (double)pnFiniteOrZero( place.z ) - (double)rest.z;
	}
	int pushedCount = pnGatherPushes( response, pushes, response->held );
	for ( int k = 0; k < pushedCount; ++k )
	{
		const double* row = response->compliance + (size_t)response->pushed[k] * (size_t)response->degreeCount;
		double push = (double)response->pushes[k];
		for ( int i = 0; i < n; ++i )
		{
			known[i] -= row[response->heldDegrees[i]] * push;
		}
	}
	for ( int i = n; i < stride; ++i )
	{
		known[i] = 0.0;
	}
	memset( sums, 0, (size_t)stride * sizeof( double ) );
	for ( int k = 0; k < stride; k += PN_ROWS_AT_ONCE )
	{
		// The inverse is symmetric: its rows are its columns.
		const double* restrict a = response->inverse + (size_t)k * (size_t)stride;
		const double x0 = known[k], x1 = known[k + 1], x2 = known[k + 2], x3 = known[k + 3];
		const double x4 = known[k + 4], x5 = known[k + 5], x6 = known[k + 6], x7 = known[k + 7];
		for ( int i = 0; i < stride; ++i )
		{
			double sum = sums[i];
			sum += a[i] * x0;
			sum += a[i + stride] * x1;
			sum += a[i + 2 * stride] * x2;
			sum += a[i + 3 * stride] * x3;
			sum += a[i + 4 * stride] * x4;
			sum += a[i + 5 * stride] * x5;
			sum += a[i + 6 * stride] * x6;
			sum += a[i + 7 * stride] * x7;
			sums[i] = sum;
		}
	}
	// Pushes were read before forces are written: they may be the same array.
	for ( int handle = 0; handle < response->handleCount; ++handle )
	{
		if ( response->held[handle] == 0 )
		{
			forces[handle] = (pnVec3){ 0.0f, 0.0f, 0.0f };
		}
	}
	for ( int k = 0; k < pushedCount; ++k )
	{
		memcpy( (char*)forces + sizeof( float ) * (size_t)response->pushed[k], response->pushes + k, sizeof( float ) );
	}
	for ( int i = 0; i < n; i += 3 )
	{
		forces[response->heldDegrees[i] / 3] = pnMakeVec3( pnToFloat( sums[i] ), pnToFloat( sums[i + 1] ), pnToFloat( sums[i + 2] ) );
	}
}

void pnResponse_Move( const pnResponse* response, const pnVec3* forces, pnVec3* vertices )
{
	int pushedCount = pnGatherPushes( response, forces, NULL );
	size_t floatCount = 3 * (size_t)response->vertexCount, degreeCount = (size_t)response->degreeCount;
	for ( size_t block = 0; block < (size_t)response->blockCount; ++block )
	{
		const pnFloatW* lines = response->motion + block * degreeCount * PN_LINE_VECTORS;
		pnFloatW s0 = { 0 }, s1 = s0, s2 = s0, s3 = s0, s4 = s0, s5 = s0, s6 = s0, s7 = s0;
		for ( int k = 0; k < pushedCount; ++k )
		{
			const pnFloatW* line = lines + (size_t)response->pushed[k] * PN_LINE_VECTORS;
			pnFloatW push = pnSplat( response->pushes[k] );
			s0 += line[0] * push;
			s1 += line[1] * push;
			s2 += line[2] * push;
			s3 += line[3] * push;
			s4 += line[4] * push;
			s5 += line[5] * push;
			s6 += line[6] * push;
			s7 += line[7] * push;
		}
		pnFloatW sums[PN_LINE_VECTORS] = { s0, s1, s2, s3, s4, s5, s6, s7 };
		size_t first = block * PN_LINE_FLOATS, count = floatCount - first < PN_LINE_FLOATS ? floatCount - first : PN_LINE_FLOATS;
		for ( int i = 0; i < PN_LINE_VECTORS; ++i )
		{
			pnFloatW start;
			memcpy( &start, response->start + first + (size_t)i * PN_WIDTH, sizeof( start ) );
			// Forces beyond all measure move nothing, rather than to nowhere.
			sums[i] = start + pnSelect( sums[i] - sums[i] == 0.0f, sums[i], pnSplat( 0.0f ) );
		}
		memcpy( (char*)vertices + first * sizeof( float ), sums, count * sizeof( float ) );
	}
}
