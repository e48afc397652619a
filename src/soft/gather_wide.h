// gather_wide.h - the first loops of matching: members and particles into lanes, and their moments. Knows clusters and particles.
#pragma once

#include "../base/simd.h"
#include "match.h"

#include <stdalign.h>

enum { PN_PARTS = PN_LANES / PN_WIDTH, PN_TERMS = 9 }; // registers that make up a batch; monomials
enum { PN_SCRATCH_COLUMNS = 7 }; // per member in scratch: p, q, w

// A lane of the batch, looked up.
typedef struct pnLaneW
{
	const float* x;
	float* force; // the body's sums, four floats a particle
	const pnMember* members;
	const uint32_t* memberPoint;
	const pnClusterRest* rest;
	pnCluster* state;
	const pnTuning* response;
	const float* motion;
	int count; // members, a multiple of 4
	const pnMatchBody* body; // NULL: an empty lane
	int cluster;
} pnLaneW;

// The first floats of lane structs, row by row.
#define PN_LOAD( out, field, row )                                                                                            \
	do                                                                                                                        \
	{                                                                                                                         \
		const float* at[PN_WIDTH];                                                                                            \
		for ( int l = 0; l < PN_WIDTH; ++l )                                                                                  \
			at[l] = (const float*)lanes[l].field + 4 * ( row );                                                               \
		pnLoadRows( at, out );                                                                                                \
	}                                                                                                                         \
	while ( 0 )

// Sixteen floats of each lane's struct at once: four rows.
#define PN_LOAD_BLOCK( out, field, row )                                                                                      \
	do                                                                                                                        \
	{                                                                                                                         \
		const float* at[PN_WIDTH];                                                                                            \
		for ( int l = 0; l < PN_WIDTH; ++l )                                                                                  \
			at[l] = (const float*)lanes[l].field + 4 * ( row );                                                               \
		pnLoadBlocks( at, out );                                                                                              \
	}                                                                                                                         \
	while ( 0 )

// Where each lane reads. In memory, not in registers: there are three pointers for each of up to sixteen lanes.
typedef struct pnCursorW
{
	const char* x[PN_WIDTH];
	const char* members[PN_WIDTH];
	const char* points[PN_WIDTH];
	int count[PN_WIDTH];
	const char* zeros; // 16 bytes for each member of the longest lane
} pnCursorW;

// Lanes that end at `first` read zeros from there on: members without weight. Returns where the next lane ends.
PN_INLINE int pnEndLanes( pnCursorW* cursor, int first, int longest )
{
	int next = longest;
	for ( int l = 0; l < PN_WIDTH; ++l )
	{
		if ( cursor->count[l] == first )
		{
			cursor->members[l] = cursor->zeros - 16 * (size_t)first;
			cursor->points[l] = cursor->zeros - 4 * (size_t)first;
		}
		else if ( cursor->count[l] > first && cursor->count[l] < next )
		{
			next = cursor->count[l];
		}
	}
	return next;
}

// First loop: the members' linear moments about the near point. Writes p, q, w of each member to scratch.
static __attribute__( ( noinline ) ) void pnGatherW( pnCursorW* cursor, int longest, pnFloatW* scratch, const pnFloatW near[3], pnFloatW offset[3],
													 pnFloatW moment[3][PN_TERMS] )
{
	pnFloatW s0 = pnSplat( 0.0f ), s1 = s0, s2 = s0, a00 = s0, a01 = s0, a02 = s0, a10 = s0, a11 = s0, a12 = s0, a20 = s0, a21 = s0, a22 = s0;
	pnFloatW n0 = near[0], n1 = near[1], n2 = near[2];
	for ( int first = 0, end = 0; first < longest; first += 4 )
	{
		if ( first == end )
		{
			end = pnEndLanes( cursor, first, longest );
		}
		const float* block[PN_WIDTH];
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			block[l] = (const float*)( cursor->members[l] + 16 * (size_t)first );
			// Sixteen streams are more than the hardware follows. Four members are one cache line, asked for ahead.
			__builtin_prefetch( block[l] + 64 );
		}
		pnFloatW turned[4][4];
		pnLoadBlocks( block, turned );
		for ( int k = 0; k < 16; ++k )
		{
			scratch[PN_SCRATCH_COLUMNS * ( k / 4 ) + 3 + k % 4] = turned[k / 4][k % 4];
		}
		PN_FORGET_REGISTERS(); // read back from scratch: sixteen registers more would only be spilled
		for ( int k = 0; k < 4; ++k )
		{
			const float* row[PN_WIDTH];
			pnFloatW x[4];
			for ( int l = 0; l < PN_WIDTH; ++l )
			{
				uint32_t point;
				memcpy( &point, cursor->points[l] + 4 * (size_t)( first + k ), 4 );
				row[l] = (const float*)( cursor->x[l] + point );
			}
			pnLoadRows( row, x );
			pnFloatW p0 = x[0] - n0, p1 = x[1] - n1, p2 = x[2] - n2, q0 = scratch[3], q1 = scratch[4], q2 = scratch[5], w = scratch[6];
			scratch[0] = p0;
			scratch[1] = p1;
			scratch[2] = p2;
			scratch += PN_SCRATCH_COLUMNS;
			p0 = p0 * w;
			p1 = p1 * w;
			p2 = p2 * w;
			s0 = s0 + p0;
			s1 = s1 + p1;
			s2 = s2 + p2;
			a00 = a00 + p0 * q0;
			a01 = a01 + p0 * q1;
			a02 = a02 + p0 * q2;
			a10 = a10 + p1 * q0;
			a11 = a11 + p1 * q1;
			a12 = a12 + p1 * q2;
			a20 = a20 + p2 * q0;
			a21 = a21 + p2 * q1;
			a22 = a22 + p2 * q2;
		}
	}
	offset[0] = s0, offset[1] = s1, offset[2] = s2;
	moment[0][0] = a00, moment[0][1] = a01, moment[0][2] = a02;
	moment[1][0] = a10, moment[1][1] = a11, moment[1][2] = a12;
	moment[2][0] = a20, moment[2][1] = a21, moment[2][2] = a22;
}

// Three of the quadratic moments, squares or products, from scratch.
PN_INLINE void pnGatherThreeW( int longest, const pnFloatW* scratch, pnFloatW moment[3][PN_TERMS], const int products )
{
	pnFloatW a[3][3];
	for ( int k = 0; k < 9; ++k )
	{
		a[k / 3][k % 3] = pnSplat( 0.0f );
	}
	for ( int k = 0; k < longest; ++k, scratch += PN_SCRATCH_COLUMNS )
	{
		pnFloatW w = scratch[6], p0 = scratch[0] * w, p1 = scratch[1] * w, p2 = scratch[2] * w, q0 = scratch[3], q1 = scratch[4], q2 = scratch[5];
		for ( int j = 0; j < 3; ++j )
		{
			pnFloatW from = j == 0 ? q0 : j == 1 ? q1 : q2, next = j == 0 ? q1 : j == 1 ? q2 : q0, e = from * ( products ? next : from );
			a[0][j] = a[0][j] + p0 * e;
			a[1][j] = a[1][j] + p1 * e;
			a[2][j] = a[2][j] + p2 * e;
		}
	}
	for ( int k = 0; k < 9; ++k )
	{
		moment[k / 3][( products ? 6 : 3 ) + k % 3] = a[k / 3][k % 3];
	}
}

// The quadratic moments: in loops of their own, so that all their sums stay in registers, of which most machines have sixteen.
PN_INLINE void pnGatherQuadraticW( int longest, const pnFloatW* scratch, pnFloatW moment[3][PN_TERMS] )
{
#if PN_WIDTH < 16
	pnGatherThreeW( longest, scratch, moment, 0 );
	pnGatherThreeW( longest, scratch, moment, 1 );
#else
	pnFloatW a[3][6];
	for ( int k = 0; k < 18; ++k )
	{
		a[k / 6][k % 6] = pnSplat( 0.0f );
	}
	for ( int k = 0; k < longest; ++k, scratch += PN_SCRATCH_COLUMNS )
	{
		pnFloatW w = scratch[6], p0 = scratch[0] * w, p1 = scratch[1] * w, p2 = scratch[2] * w, q0 = scratch[3], q1 = scratch[4], q2 = scratch[5];
		pnFloatW e[6] = { q0 * q0, q1 * q1, q2 * q2, q0 * q1, q1 * q2, q2 * q0 };
		for ( int j = 0; j < 6; ++j )
		{
			a[0][j] = a[0][j] + p0 * e[j];
			a[1][j] = a[1][j] + p1 * e[j];
			a[2][j] = a[2][j] + p2 * e[j];
		}
	}
	for ( int k = 0; k < 18; ++k )
	{
		moment[k / 6][3 + k % 6] = a[k / 6][k % 6];
	}
#endif
}
