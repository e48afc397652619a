// match_wide.h - matching, PN_WIDTH clusters at a time; included once for each width. Knows clusters and particles, no bodies.
// After Mueller et al. 2005 ("Meshless deformations based on shape matching"), with one potential for blend, volume and caps.
// Each lane adds up its own cluster in member order, and a particle adds up what its clusters want of it in the order of the
// clusters: so no bit depends on the width, nor on which clusters happen to be matched together.
#pragma once

#include "../base/simd.h"
#include "match.h"
#include "rare.h"

#include <stdalign.h>

enum { PN_PARTS = PN_LANES / PN_WIDTH, PN_TERMS = 9 }; // registers that make up a batch; monomials
enum { PN_SCRATCH_COLUMNS = 7 }; // per member in scratch: p, q, w

// What the second loop needs of a cluster, one register per number.
typedef struct pnGoalW
{
	pnFloatW map[3][PN_TERMS], base[3]; // goal relative to the near point = base + map e( q )
	pnFloatW share; // the cluster's weight in the body
	pnFloatW fitted2; // squared distance from fit to goal: what the fit adds to the members' squared distances
	pnFloatW potential; // beyond the residual of the fit
	int count; // members of the longest lane
} pnGoalW;

// A lane of the batch, looked up.
typedef struct pnLaneW
{
	const float* x;
	float* force; // the body's sums, four floats a particle
	const pnMember* members;
	const uint32_t* memberPoint;
	const pnClusterRest* rest;
	pnCluster* state;
	const pnResponse* response;
	const float* motion;
	int count; // members, a multiple of 4
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

PN_INLINE void pnStoreStateRow( const pnLaneW* lanes, int row, pnFloatW a, pnFloatW b, pnFloatW c, pnFloatW d )
{
	pnFloatW in[4] = { a, b, c, d };
	pnFloat4 out[PN_WIDTH];
	pnToRows( in, out );
	for ( int l = 0; l < PN_WIDTH; ++l )
	{
		memcpy( (float*)lanes[l].state + 4 * row, out + l, 16 );
	}
}

PN_INLINE void pnQuatToMatrix( const pnFloatW q[4], pnFloatW R[3][3] )
{
	pnFloatW x = q[0], y = q[1], z = q[2], w = q[3];
	R[0][0] = 1.0f - 2.0f * ( y * y + z * z );
	R[0][1] = 2.0f * ( x * y - w * z );
	R[0][2] = 2.0f * ( x * z + w * y );
	R[1][0] = 2.0f * ( x * y + w * z );
	R[1][1] = 1.0f - 2.0f * ( x * x + z * z );
	R[1][2] = 2.0f * ( y * z - w * x );
	R[2][0] = 2.0f * ( x * z - w * y );
	R[2][1] = 2.0f * ( y * z + w * x );
	R[2][2] = 1.0f - 2.0f * ( x * x + y * y );
}

// The rotation R that makes trace( R^T B ) largest, from a near one. Newton on the quaternion: with S = R^T B, the gradient is
// t = axial S and the curvature J = tr( S ) 1 - sym S; J > 0 certifies the only maximum, which is never a reflection.
// B has entries of order one. `twist` stiffens turns that the rest shape cannot tell (about a line; all, of a point): it is symmetric,
// so it moves nothing. A lane that is done keeps its value, so that the others do not change its bits; one that does not get there
// (turned very far, inverted or collapsed) is done exactly.
PN_INLINE void pnNearestRotation( pnFloatW B[3][3], const pnFloatW twist[6], pnFloatW q[4] )
{
	pnMaskW open = pnSplat( 0.0f ) == pnSplat( 0.0f );
	for ( int turn = 0; turn < 8 && pnAny( open ); ++turn )
	{
		pnFloatW R[3][3], S[3][3];
		pnQuatToMatrix( q, R );
		for ( int i = 0; i < 3; ++i )
		{
			for ( int j = 0; j < 3; ++j )
			{
				S[i][j] = R[0][i] * B[0][j] + R[1][i] * B[1][j] + R[2][i] * B[2][j];
			}
		}
		pnFloatW t0 = S[2][1] - S[1][2], t1 = S[0][2] - S[2][0], t2 = S[1][0] - S[0][1];
		pnFloatW trace = S[0][0] + S[1][1] + S[2][2], norm = pnSplat( 0.0f );
		for ( int k = 0; k < 9; ++k )
		{
			norm = norm + S[k / 3][k % 3] * S[k / 3][k % 3];
		}
		norm = pnSqrtW( norm ) + 1e-3f;
		pnFloatW a = twist[0] + ( trace - S[0][0] ), b = twist[1] + ( trace - S[1][1] ), c = twist[2] + ( trace - S[2][2] );
		pnFloatW d = twist[3] - 0.5f * ( S[0][1] + S[1][0] ), e = twist[4] - 0.5f * ( S[1][2] + S[2][1] ), f = twist[5] - 0.5f * ( S[0][2] + S[2][0] );
		pnMaskW convex = ( a > 0.02f * norm ) & ( a * b - d * d > 0.0004f * norm * norm ) &
						 ( a * ( b * c - e * e ) - d * ( d * c - e * f ) + f * ( d * e - b * f ) > 8e-6f * norm * norm * norm );
		pnFloatW shift = pnSelect( convex, pnSplat( 0.0f ), 2.0f * norm );
		a = a + shift;
		b = b + shift;
		c = c + shift;
		pnFloatW c00 = b * c - e * e, c01 = f * e - d * c, c02 = d * e - f * b;
		pnFloatW c11 = a * c - f * f, c12 = d * f - a * e, c22 = a * b - d * d;
		pnFloatW scale = 0.5f / ( a * c00 + d * c01 + f * c02 );
		pnFloatW w0 = scale * ( c00 * t0 + c01 * t1 + c02 * t2 );
		pnFloatW w1 = scale * ( c01 * t0 + c11 * t1 + c12 * t2 );
		pnFloatW w2 = scale * ( c02 * t0 + c12 * t1 + c22 * t2 );
		// q * ( w, 1 ), normalised
		pnFloatW n3 = q[3] - q[0] * w0 - q[1] * w1 - q[2] * w2;
		pnFloatW n0 = q[0] + q[3] * w0 + q[1] * w2 - q[2] * w1;
		pnFloatW n1 = q[1] + q[3] * w1 + q[2] * w0 - q[0] * w2;
		pnFloatW n2 = q[2] + q[3] * w2 + q[0] * w1 - q[1] * w0;
		pnFloatW r = 1.0f / pnSqrtW( n0 * n0 + n1 * n1 + n2 * n2 + n3 * n3 );
		q[0] = pnSelect( open, n0 * r, q[0] );
		q[1] = pnSelect( open, n1 * r, q[1] );
		q[2] = pnSelect( open, n2 * r, q[2] );
		q[3] = pnSelect( open, n3 * r, q[3] );
		// The error after a step is about its square: below 2e-4 nothing is left in float.
		pnFloatW moved = w0 * w0 + w1 * w1 + w2 * w2;
		open = open & pnNot( convex & ( moved < 1e-8f ) );
	}
	if ( pnAny( open ) )
	{
		pnFloatW flag = pnSelect( open, pnSplat( 1.0f ), pnSplat( 0.0f ) );
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			if ( pnGetLane( &flag, l ) != 0.0f )
			{
				float matrix[9], turned[4];
				for ( int k = 0; k < 9; ++k )
				{
					matrix[k] = pnGetLane( &B[k / 3][k % 3], l );
				}
				for ( int k = 0; k < 4; ++k )
				{
					turned[k] = pnGetLane( q + k, l );
				}
				pnTurnExactly( matrix, turned );
				for ( int k = 0; k < 4; ++k )
				{
					pnSetLane( q + k, l, turned[k] );
				}
			}
		}
	}
}

// det and cofactor of a 3x3 block
PN_INLINE pnFloatW pnCofactorW( pnFloatW A[3][3], pnFloatW N[3][3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		int i1 = ( i + 1 ) % 3, i2 = ( i + 2 ) % 3;
		for ( int j = 0; j < 3; ++j )
		{
			int j1 = ( j + 1 ) % 3, j2 = ( j + 2 ) % 3;
			N[i][j] = A[i1][j1] * A[i2][j2] - A[i1][j2] * A[i2][j1];
		}
	}
	return A[0][0] * N[0][0] + A[0][1] * N[0][1] + A[0][2] * N[0][2];
}

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

// The quadratic moments, from scratch: a loop of its own, so that all its sums stay in registers.
PN_INLINE void pnGatherQuadraticW( int longest, const pnFloatW* scratch, pnFloatW moment[3][PN_TERMS] )
{
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
}

// From coefficients of the orthonormal basis to those of the monomials; the constant comes to base.
PN_INLINE void pnToMonomials( const pnFloatW quadratic[PN_QUADRATIC_COEFFICIENTS], const pnFloatW mean[6], pnFloatW C[3][PN_TERMS], pnFloatW base[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		int at = PN_QUADRATIC_COEFFICIENTS;
		pnFloatW out[PN_TERMS];
		for ( int j = 0; j < PN_TERMS; ++j )
		{
			out[j] = j < 3 ? C[i][j] : pnSplat( 0.0f );
		}
		for ( int t = 5; t >= 0; --t )
		{
			at -= 4 + t;
			for ( int j = 0; j <= 3 + t; ++j )
			{
				out[j] = out[j] + C[i][3 + t] * quadratic[at + j];
			}
		}
		for ( int j = 0; j < PN_TERMS; ++j )
		{
			C[i][j] = out[j];
		}
		for ( int t = 0; t < 6; ++t )
		{
			base[i] = base[i] - out[3 + t] * mean[t];
		}
	}
}

// Between the loops: from moments to goals. Returns how many lanes took the exact path.
PN_INLINE int pnShapeW( const pnLaneW* lanes, const pnFloatW near[3], pnFloatW offset[3], pnFloatW A[3][PN_TERMS], pnGoalW* goal, const int quadratic, const int bare )
{
	const int terms = quadratic ? PN_TERMS : 3;
	pnFloatW rest0[4][4], r4[4];
	PN_LOAD_BLOCK( rest0, rest, 0 );
	PN_LOAD( r4, rest, 4 );
	pnFloatW K[3][3] = { { rest0[0][0], rest0[0][1], rest0[0][2] }, { rest0[0][3], rest0[1][0], rest0[1][1] }, { rest0[1][2], rest0[1][3], rest0[2][0] } };
	pnFloatW restDet = rest0[2][1], restNorm2 = rest0[2][2], fullRank = r4[2];
	pnMaskW lacking = fullRank < 0.5f;
	if ( pnAny( lacking ) )
	{
		for ( int k = 0; k < 9; ++k )
		{
			K[k / 3][k % 3] = pnSelect( lacking, K[k / 3][k % 3] * ( 1.0f - rest0[3][k % 3] ), K[k / 3][k % 3] );
		}
	}
	goal->share = rest0[2][3];
	pnFloatW response0[4], response1[4], response2[4], response3[4];
	PN_LOAD( response0, response, 0 );
	PN_LOAD( response3, response, 3 );
	if ( !bare )
	{
		PN_LOAD( response1, response, 1 );
		PN_LOAD( response2, response, 2 );
	}
	pnFloatW beta = response0[0];

	// The fit: moments to coefficients of the orthonormal basis.
	pnFloatW C[48];
	const pnFloatW* mean = C + PN_QUADRATIC_COEFFICIENTS;
	if ( quadratic )
	{
		for ( int block = 0; block < 3; ++block )
		{
			PN_LOAD_BLOCK( (pnFloatW( * )[4])( C + 16 * block ), rest, 5 + 4 * block );
		}
		for ( int i = 0; i < 3; ++i )
		{
			pnFloatW fitted[6];
			int at = 0;
			for ( int t = 0; t < 6; ++t )
			{
				A[i][3 + t] = A[i][3 + t] - offset[i] * mean[t];
				pnFloatW sum = C[at] * A[i][0];
				for ( int j = 1; j <= 3 + t; ++j )
				{
					sum = sum + C[at + j] * A[i][j];
				}
				fitted[t] = response3[2] * sum; // 0 for lanes in linear mode
				at += 4 + t;
			}
			for ( int t = 0; t < 6; ++t )
			{
				A[i][3 + t] = fitted[t];
			}
		}
	}

	// The turn: of B = A ( S^p K )^T, brought to order one.
	pnFloatW turn[4], s1[4], s2[4], s3[4], s4[4], s5[4];
	PN_LOAD( turn, state, 0 );
	PN_LOAD( s1, state, 1 );
	PN_LOAD( s2, state, 2 );
	pnFloatW PK[3][3];
	pnMaskW flowed = s2[3] > 0.0f;
	if ( pnAny( flowed ) )
	{
		PN_LOAD( s3, state, 3 );
		PN_LOAD( s4, state, 4 );
		PN_LOAD( s5, state, 5 );
		pnFloatW P[3][3] = { { s3[0], s3[1], s3[2] }, { s3[3], s4[0], s4[1] }, { s4[2], s4[3], s5[0] } };
		for ( int i = 0; i < 3; ++i )
		{
			for ( int j = 0; j < 3; ++j )
			{
				PK[i][j] = pnSelect( flowed, P[i][0] * K[0][j] + P[i][1] * K[1][j] + P[i][2] * K[2][j], K[i][j] );
			}
		}
	}
	else
	{
		memcpy( PK, K, sizeof PK );
	}
	pnFloatW B[3][3], R[3][3], largest = pnSplat( 0.0f );
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			B[i][j] = A[i][0] * PK[j][0] + A[i][1] * PK[j][1] + A[i][2] * PK[j][2];
			largest = pnMaxW( largest, pnAbsW( B[i][j] ) );
		}
	}
	pnFloatW scale = pnSelect( largest > 1e-30f, 1.0f / pnMaxW( largest, pnSplat( 1e-30f ) ), pnSplat( 0.0f ) );
	for ( int k = 0; k < 9; ++k )
	{
		B[k / 3][k % 3] = scale * B[k / 3][k % 3];
	}
	pnFloatW twist[6];
	for ( int k = 0; k < 6; ++k )
	{
		twist[k] = pnSplat( 0.0f );
	}
	if ( pnAny( lacking ) )
	{
		// About a line: stiffen along its direction; of a point: all.
		pnFloatW lost = rest0[3][0] + rest0[3][1] + rest0[3][2]; // 1 plane, 2 line, 3 point
		pnFloatW inverse = 1.0f / pnMaxW( restNorm2, pnSplat( 1e-30f ) );
		static const int pairs[6][2] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 0, 1 }, { 1, 2 }, { 2, 0 } };
		for ( int k = 0; k < 6; ++k )
		{
			int i = pairs[k][0], j = pairs[k][1];
			pnFloatW line = inverse * ( K[i][0] * K[j][0] + K[i][1] * K[j][1] + K[i][2] * K[j][2] );
			twist[k] = pnSelect( lacking & ( lost > 1.5f ), pnSelect( lost > 2.5f, pnSplat( k < 3 ? 1.0f : 0.0f ), line ), twist[k] );
		}
	}
	pnNearestRotation( B, twist, turn );
	pnQuatToMatrix( turn, R );

	// The goal: rest target T = R S^p K, blended towards the fit; E = A - T.
	pnFloatW F[3][PN_TERMS], E[3][PN_TERMS], distance2 = pnSplat( 0.0f );
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < terms; ++j )
		{
			pnFloatW T = j < 3 ? R[i][0] * PK[0][j] + R[i][1] * PK[1][j] + R[i][2] * PK[2][j] : pnSplat( 0.0f );
			E[i][j] = A[i][j] - T;
			F[i][j] = T;
			distance2 = distance2 + E[i][j] * E[i][j];
		}
	}
	int rare = 0;
	pnFloatW blended = beta, given = pnSplat( 0.0f ), shift[3] = { given, given, given };
	if ( !bare )
	{
		pnMaskW exact = pnSplat( 1.0f ) < pnSplat( 0.0f );
		pnFloatW volume = response0[1], cap = pnSplat( 0.0f );
		goal->potential = 0.5f * ( 1.0f - beta ) * distance2;

		// Caps over all axes, as a potential of the distance r from rest.
		pnFloatW start2 = response1[0] * response1[0] * restNorm2, slow2 = response1[3] * response1[3] * restNorm2;
		pnMaskW capped = distance2 > start2;
		exact = exact | ( distance2 > slow2 );
		if ( pnAny( capped ) )
		{
			pnFloatW size2 = pnMaxW( restNorm2, pnSplat( 1e-30f ) );
			pnFloatW r = pnSqrtW( distance2 / size2 ), c = response1[0], m = response1[1] - c, t = r - c;
			pnMaskW soft = m > 0.0f;
			pnFloatW u = t / pnSelect( soft, m, pnSplat( 1.0f ) ), s = pnSqrtW( 1.0f + u * u );
			pnFloatW f = c + pnSelect( soft, t / s, pnSplat( 0.0f ) );
			pnFloatW integral = 0.5f * c * c + c * t + pnSelect( soft, m * m * ( s - 1.0f ), pnSplat( 0.0f ) );
			blended = pnSelect( capped, beta * ( f / r ), beta );
			cap = pnSelect( capped, beta * size2 * ( 0.5f * r * r - integral ), pnSplat( 0.0f ) );
			goal->potential = goal->potential + cap;
		}

		// Caps by rows, curves and plastic flow: decided here by bounds, done exactly below.
		pnMaskW byRows = response1[2] < 1e14f;
		if ( pnAny( byRows ) )
		{
			for ( int i = 0; i < 3; ++i )
			{
				pnFloatW norm2 = pnSplat( 0.0f ), rest2 = K[i][0] * K[i][0] + K[i][1] * K[i][1] + K[i][2] * K[i][2];
				for ( int j = 0; j < 3; ++j )
				{
					pnFloatW y = R[0][i] * A[0][j] + R[1][i] * A[1][j] + R[2][i] * A[2][j];
					norm2 = norm2 + y * y;
				}
				exact = exact | ( byRows & ( norm2 > response1[2] * response1[2] * rest2 ) );
			}
		}
		pnMaskW yields = ( response3[0] < 1e14f ) & ( fullRank > 0.5f );
		if ( pnAny( yields ) )
		{
			// | S S^p^-1 - 1 | <= | A - T | / ( smallest extent * smallest plastic stretch ); det K <= smallest * norm^2 / 2.
			pnFloatW bound = pnSplat( 0.0f );
			for ( int k = 0; k < 9; ++k )
			{
				bound = bound + E[k / 3][k % 3] * E[k / 3][k % 3];
			}
			pnFloatW extent = 2.0f * restDet / pnMaxW( restNorm2, pnSplat( 1e-30f ) ), limit = response3[0] * extent;
			exact = exact | ( yields & ( bound * s1[3] * s1[3] > limit * limit ) );
		}
		exact = exact | ( ( response3[1] > 0.5f ) & flowed );

		// Volume: the nearest linear part with det = det K, by Newton steps along the cofactor; far from rest exactly.
		pnMaskW solid = ( fullRank > 0.5f ) & ( volume > 0.0f );
		if ( pnAny( solid ) )
		{
			pnFloatW L[3][3], Ak[3][3], N[3][3], norm2 = pnSplat( 0.0f );
			for ( int k = 0; k < 9; ++k )
			{
				L[k / 3][k % 3] = A[k / 3][k % 3];
				norm2 = norm2 + A[k / 3][k % 3] * A[k / 3][k % 3];
			}
			pnFloatW det = pnCofactorW( L, N );
			pnMaskW inside = ( det >= response2[0] * restDet ) & ( det <= response2[1] * restDet );
			pnMaskW quick = ( det > response2[2] * restDet ) & ( det < response2[3] * restDet ) & ( norm2 < 64.0f * restNorm2 );
			exact = exact | ( solid & pnNot( inside ) & pnNot( quick ) ) | ( solid & ( response2[2] > 1e14f ) );
			pnMaskW project = solid & quick & pnNot( inside );
			if ( pnAny( project ) )
			{
				memcpy( Ak, L, sizeof Ak );
				for ( int turnCount = 0; turnCount < 3; ++turnCount )
				{
					det = pnCofactorW( Ak, N );
					pnFloatW nn = pnSplat( 0.0f ), along = pnSplat( 0.0f );
					for ( int k = 0; k < 9; ++k )
					{
						nn = nn + N[k / 3][k % 3] * N[k / 3][k % 3];
						along = along + N[k / 3][k % 3] * ( Ak[k / 3][k % 3] - L[k / 3][k % 3] );
					}
					pnFloatW lambda = ( restDet - det + along ) / pnSelect( project, nn, pnSplat( 1.0f ) );
					for ( int k = 0; k < 9; ++k )
					{
						Ak[k / 3][k % 3] = L[k / 3][k % 3] + lambda * N[k / 3][k % 3];
					}
				}
				pnFloatW gap2 = pnSplat( 0.0f );
				for ( int k = 0; k < 9; ++k )
				{
					pnFloatW gap = pnSelect( project, L[k / 3][k % 3] - Ak[k / 3][k % 3], pnSplat( 0.0f ) );
					gap2 = gap2 + gap * gap;
					F[k / 3][k % 3] = F[k / 3][k % 3] - volume * gap;
				}
				goal->potential = goal->potential + 0.5f * volume * gap2;
			}
		}
		for ( int i = 0; i < 3; ++i )
		{
			for ( int j = 0; j < terms; ++j )
			{
				F[i][j] = F[i][j] + blended * E[i][j];
			}
		}
		if ( pnAny( exact ) )
		{
			for ( int l = 0; l < PN_WIDTH; ++l )
			{
				pnFloatW flag = pnSelect( exact, pnSplat( 1.0f ), pnSplat( 0.0f ) );
				if ( pnGetLane( &flag, l ) == 0.0f )
				{
					continue;
				}
				float fit[27] = { 0 }, out[27];
				double potential;
				rare += 1;
				for ( int k = 0; k < 3 * terms; ++k )
				{
					fit[9 * ( k / terms ) + k % terms] = pnGetLane( &A[k / terms][k % terms], l );
				}
				for ( int k = 0; k < 4; ++k )
				{
					lanes[l].state->rotation[k] = pnGetLane( turn + k, l );
				}
				pnShapeExactly( lanes[l].rest, lanes[l].response, lanes[l].state, fit, out, &potential );
				for ( int k = 0; k < 4; ++k )
				{
					pnSetLane( turn + k, l, lanes[l].state->rotation[k] );
				}
				for ( int k = 0; k < 3 * terms; ++k )
				{
					pnSetLane( &F[k / terms][k % terms], l, out[9 * ( k / terms ) + k % terms] );
				}
				pnSetLane( &goal->potential, l, (float)potential );
				pnSetLane( &given, l, lanes[l].state->given );
				pnSetLane( s1 + 3, l, lanes[l].state->softness );
				pnSetLane( s2 + 3, l, lanes[l].state->plasticStrain );
			}
		}

		// Damping: the cluster's velocity field from how fit and centre moved since the last step, split into rigid motion (kept),
		// shape (damped by b_s) and what the fit does not see (damped by b). What is not to be damped is put into the goal, as
		// far as the pull will make that velocity of it (h/a); the particles then lose b of theirs.
		pnFloatW motion[4], reach[4];
		PN_LOAD( motion, motion, 0 );
		PN_LOAD( reach, motion, 1 );
		pnFloatW V[3][PN_TERMS], rate = motion[3], b = response0[2], bs = response0[3];
		pnFloatW last[32];
		PN_LOAD_BLOCK( (pnFloatW( * )[4])last, state, 6 );
		PN_LOAD_BLOCK( (pnFloatW( * )[4])( last + 16 ), state, 10 );
		for ( int k = 0; k < 3 * terms; ++k )
		{
			V[k / terms][k % terms] = ( A[k / terms][k % terms] - last[9 * ( k / terms ) + k % terms] ) * rate;
		}
		pnFloatW G[6], l3[3];
		for ( int k = 0; k < 6; ++k )
		{
			G[k] = pnSplat( 0.0f );
		}
		l3[0] = l3[1] = l3[2] = pnSplat( 0.0f );
		for ( int j = 0; j < terms; ++j )
		{
			pnFloatW x = A[0][j], y = A[1][j], z = A[2][j], u = V[0][j], v = V[1][j], w = V[2][j];
			G[0] = G[0] + ( y * y + z * z );
			G[1] = G[1] + ( x * x + z * z );
			G[2] = G[2] + ( x * x + y * y );
			G[3] = G[3] - x * y;
			G[4] = G[4] - y * z;
			G[5] = G[5] - z * x;
			l3[0] = l3[0] + ( y * w - z * v );
			l3[1] = l3[1] + ( z * u - x * w );
			l3[2] = l3[2] + ( x * v - y * u );
		}
		pnFloatW sum = G[0] + G[1] + G[2], inverse = pnSelect( sum > 1e-30f, 1.0f / pnMaxW( sum, pnSplat( 1e-30f ) ), pnSplat( 0.0f ) );
		for ( int k = 0; k < 6; ++k )
		{
			G[k] = G[k] * inverse + ( k < 3 ? 1e-6f : 0.0f ); // a line does not turn about itself
		}
		pnFloatW c00 = G[1] * G[2] - G[4] * G[4], c01 = G[5] * G[4] - G[3] * G[2], c02 = G[3] * G[4] - G[5] * G[1];
		pnFloatW c11 = G[0] * G[2] - G[5] * G[5], c12 = G[3] * G[5] - G[0] * G[4], c22 = G[0] * G[1] - G[3] * G[3];
		pnFloatW solve = inverse / ( G[0] * c00 + G[3] * c01 + G[5] * c02 );
		pnFloatW o0 = solve * ( c00 * l3[0] + c01 * l3[1] + c02 * l3[2] );
		pnFloatW o1 = solve * ( c01 * l3[0] + c11 * l3[1] + c12 * l3[2] );
		pnFloatW o2 = solve * ( c02 * l3[0] + c12 * l3[1] + c22 * l3[2] );
		pnFloatW free = reach[0] * ( b - bs ), kept = reach[0] * bs, fitted2 = pnSplat( 0.0f );
		for ( int j = 0; j < terms; ++j )
		{
			F[0][j] = F[0][j] + ( free * V[0][j] + kept * ( o1 * A[2][j] - o2 * A[1][j] ) );
			F[1][j] = F[1][j] + ( free * V[1][j] + kept * ( o2 * A[0][j] - o0 * A[2][j] ) );
			F[2][j] = F[2][j] + ( free * V[2][j] + kept * ( o0 * A[1][j] - o1 * A[0][j] ) );
		}
		for ( int i = 0; i < 3; ++i )
		{
			shift[i] = ( reach[0] * b ) * ( ( offset[i] - s2[i] ) * rate - motion[i] );
			fitted2 = fitted2 + shift[i] * shift[i];
		}
		for ( int k = 0; k < 3 * terms; ++k )
		{
			pnFloatW gap = A[k / terms][k % terms] - F[k / terms][k % terms];
			fitted2 = fitted2 + gap * gap;
		}
		goal->fitted2 = fitted2;
	}
	else
	{
		for ( int i = 0; i < 3; ++i )
		{
			for ( int j = 0; j < terms; ++j )
			{
				F[i][j] = F[i][j] + blended * E[i][j];
			}
		}
	}

	// What the next step needs, and the goal as the second loop reads it.
	pnFloatW center[3], left[3];
	for ( int i = 0; i < 3; ++i )
	{
		goal->base[i] = offset[i] + shift[i];
		center[i] = near[i] + offset[i];
		left[i] = offset[i] - ( center[i] - near[i] );
	}
	pnStoreStateRow( lanes, 0, turn[0], turn[1], turn[2], turn[3] );
	pnStoreStateRow( lanes, 1, center[0], center[1], center[2], s1[3] );
	pnStoreStateRow( lanes, 2, left[0], left[1], left[2], s2[3] );
	if ( !bare )
	{
		pnFloatW flat[32];
		float* at[PN_WIDTH];
		for ( int k = 0; k < 32; ++k )
		{
			flat[k] = k < 27 && k % 9 < terms ? A[k / 9][k % 9] : pnSplat( 0.0f );
		}
		flat[27] = given;
		for ( int half = 0; half < 2; ++half )
		{
			for ( int l = 0; l < PN_WIDTH; ++l )
			{
				at[l] = (float*)lanes[l].state + 24 + 16 * half;
			}
			pnStoreBlocks( (pnFloatW( * )[4])( flat + 16 * half ), at );
		}
	}
	if ( quadratic )
	{
		pnToMonomials( C, mean, F, goal->base );
	}
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < terms; ++j )
		{
			goal->map[i][j] = F[i][j];
		}
	}
	return rare;
}

// base + map e( q ), as a sum of three products.
PN_INLINE pnFloatW pnEvaluateW( const pnFloatW m[PN_TERMS], pnFloatW base, pnFloatW q0, pnFloatW q1, pnFloatW q2, const int quadratic )
{
	if ( !quadratic )
	{
		return ( ( base + m[0] * q0 ) + m[1] * q1 ) + m[2] * q2;
	}
	pnFloatW a = m[0] + ( m[3] * q0 + m[6] * q1 );
	pnFloatW b = m[1] + ( m[4] * q1 + m[7] * q2 );
	pnFloatW c = m[2] + ( m[5] * q2 + m[8] * q0 );
	return ( base + a * q0 ) + ( b * q1 + c * q2 );
}

// Adds the rows of one lane to its particles; a member's rows of all lanes are together.
PN_INLINE void pnAddRows( const pnLaneW* lane, const pnFloat4* rows )
{
	const size_t stride = 4 * sizeof( pnFloatW ) / sizeof( pnFloat4 );
	for ( int first = 0; first < lane->count; first += 4 )
	{
		const uint32_t* point = lane->memberPoint + first;
		for ( int k = 0; k < 4; ++k, rows += stride )
		{
			pnFloat4* at = (pnFloat4*)( (char*)lane->force + point[k] );
			*at = *at + *rows;
		}
	}
}

// Second loop: each member's deviation from its goal, then lane by lane added to the particles. The deviations go back to scratch as
// rows, one for each lane; there are fewer of them than of what they are made from, so they never overtake the reading.
PN_INLINE void pnScatterW( const pnLaneW* lanes, pnFloatW* scratch, const pnGoalW* goal, const int quadratic, const int bare )
{
	pnFloatW square = pnSplat( 0.0f );
	const pnFloatW* in = scratch;
	pnFloatW* out = scratch;
	for ( int k = 0; k < goal->count; ++k, in += PN_SCRATCH_COLUMNS, out += 4 )
	{
		pnFloatW q0 = in[3], q1 = in[4], q2 = in[5], share = in[6], w = share * goal->share, d[4];
		for ( int i = 0; i < 3; ++i )
		{
			d[i] = in[i] - pnEvaluateW( goal->map[i], goal->base[i], q0, q1, q2, quadratic );
		}
		if ( !bare )
		{
			square = square + share * ( d[0] * d[0] + d[1] * d[1] + d[2] * d[2] );
		}
		for ( int i = 0; i < 3; ++i )
		{
			d[i] = w * d[i];
		}
		d[3] = pnSplat( 0.0f );
		pnToShuffledRows( d, out );
	}
	for ( int l = 0; l < PN_WIDTH; ++l )
	{
		pnAddRows( lanes + l, (const pnFloat4*)scratch + PN_ROW( l ) );
	}
	if ( !bare )
	{
		pnFloatW energy = goal->share * ( 0.5f * ( square - goal->fitted2 ) + goal->potential );
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			lanes[l].state->energy = pnGetLane( &energy, l );
		}
	}
}

// Stands in for empty lanes: no members, no extent, and a turn that is found at once.
static const pnClusterRest pn_emptyRest = { .missing = { 1.0f, 1.0f, 1.0f } };
static const pnResponse pn_emptyResponse = { .capStart = PN_NEVER, .capEnd = PN_NEVER, .rowStart = PN_NEVER, .slowStart = PN_NEVER, .yield = PN_NEVER };
static const float pn_emptyMotion[8];

// Asks for what the next batch begins with, while this one is worked on.
PN_INLINE void pnPrefetchBatch( const pnBatch* batch )
{
	for ( int l = 0; l < PN_LANES; ++l )
	{
		const pnMatchBody* body = batch->lanes[l].body;
		int c = batch->lanes[l].cluster;
		if ( body == NULL )
		{
			continue;
		}
		int start = body->form->clusterStart[c];
		const char *rest = (const char*)( body->form->clusters + c ), *state = (const char*)( body->clusters + c );
		const char* members = (const char*)( body->form->members + start );
		for ( size_t line = 0; line < sizeof( pnClusterRest ); line += 64 )
		{
			__builtin_prefetch( rest + line );
		}
		for ( size_t line = 0; line < sizeof( pnCluster ); line += 64 )
		{
			__builtin_prefetch( state + line );
		}
		__builtin_prefetch( members );
		__builtin_prefetch( members + 64 );
		__builtin_prefetch( members + 128 );
		__builtin_prefetch( body->form->memberPoint + start );
		if ( c % PN_LANES == 0 )
		{
			int rows = body->form->particleCount < 256 ? body->form->particleCount : 256;
			for ( int i = 0; i < rows; i += 4 )
			{
				__builtin_prefetch( body->x + 4 * i );
			}
		}
	}
}

PN_INLINE int pnMatchKind( const pnBatch* batch, const pnBatch* next, float* sums, float* scratch, const float* zeros, const int quadratic, const int bare )
{
	pnCluster empty = { .rotation = { 0.0f, 0.0f, 0.0f, 1.0f }, .softness = 1.0f };
	int rare = 0;
	if ( next != NULL )
	{
		pnPrefetchBatch( next );
	}
	for ( int part = 0; part < PN_PARTS; ++part )
	{
		pnLaneW lanes[PN_WIDTH];
		pnCursorW cursor = { .zeros = (const char*)zeros };
		int longest = 0;
		for ( int l = 0; l < PN_WIDTH; ++l )
		{
			const pnLane* lane = batch->lanes + part * PN_WIDTH + l;
			const pnMatchBody* body = lane->body;
			int c = lane->cluster;
			if ( body == NULL )
			{
				lanes[l] = (pnLaneW){ pn_emptyMotion, sums, NULL, NULL, &pn_emptyRest, &empty, &pn_emptyResponse, pn_emptyMotion, 0 };
				cursor.x[l] = (const char*)pn_emptyMotion;
				continue;
			}
			int start = body->form->clusterStart[c], count = body->form->clusterStart[c + 1] - start;
			lanes[l] = (pnLaneW){
				.x = body->x,
				.force = sums + (size_t)lane->sumRow * PN_SUM_SIZE,
				.members = body->form->members + start,
				.memberPoint = body->form->memberPoint + start,
				.rest = body->form->clusters + c,
				.state = body->clusters + c,
				.response = body->response,
				.motion = body->motion,
				.count = count,
			};
			longest = count > longest ? count : longest;
			cursor.x[l] = (const char*)body->x;
			cursor.members[l] = (const char*)lanes[l].members;
			cursor.points[l] = (const char*)lanes[l].memberPoint;
			cursor.count[l] = count;
		}
		if ( longest == 0 )
		{
			continue;
		}
		alignas( 64 ) pnGoalW goal;
		pnFloatW state1[4], offset[3], moment[3][PN_TERMS], *wide = (pnFloatW*)scratch;
		goal.count = longest;
		PN_LOAD( state1, state, 1 );
		pnGatherW( &cursor, longest, wide, state1, offset, moment );
		if ( quadratic )
		{
			pnGatherQuadraticW( longest, wide, moment );
		}
		rare += pnShapeW( lanes, state1, offset, moment, &goal, quadratic, bare );
		pnScatterW( lanes, wide, &goal, quadratic, bare );
	}
	return rare;
}

#define PN_MATCH_KIND( name, quadratic, bare )                                                                                \
	static __attribute__( ( noinline ) ) int name( const pnBatch* batch, const pnBatch* next, float* sums, float* scratch, const float* zeros ) \
	{                                                                                                                         \
		return pnMatchKind( batch, next, sums, scratch, zeros, quadratic, bare );                                             \
	}
PN_MATCH_KIND( pnMatchLinear, 0, 0 )
PN_MATCH_KIND( pnMatchQuadratic, 1, 0 )
PN_MATCH_KIND( pnMatchLinearBare, 0, 1 )
PN_MATCH_KIND( pnMatchQuadraticBare, 1, 1 )

static int pnMatchWide( const pnBatch* batch, const pnBatch* next, float* sums, float* scratch, const float* zeros )
{
	if ( batch->bare )
	{
		return batch->quadratic ? pnMatchQuadraticBare( batch, next, sums, scratch, zeros ) : pnMatchLinearBare( batch, next, sums, scratch, zeros );
	}
	return batch->quadratic ? pnMatchQuadratic( batch, next, sums, scratch, zeros ) : pnMatchLinear( batch, next, sums, scratch, zeros );
}
