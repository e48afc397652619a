// points_wide.h - a body's particles moved by one step; included once for each width. Knows particles and sums; knows no clusters and no
// bodies. Particles come in fours, and the fours in registers as wide as the machine has: one, two or four particles of x y z w to each. Sums
// are taken in sixteen fixed lanes, four particles of four, then lane by lane, so that every width and every machine adds in the same order.
#pragma once

#include "../base/simd.h"
#include "match.h"

// Never wider than the machine: compilers take vectors apart that are, float by float where they are shuffled.
#if PN_WIDTH == 16
enum { PN_ROWS = 4 };
#elif PN_WIDTH == 8
enum { PN_ROWS = 2 };
#else
enum { PN_ROWS = 1 };
#endif
enum { PN_PIECES = 4 / PN_ROWS }; // registers that make up four particles
typedef float pnRows __attribute__( ( vector_size( 16 * PN_ROWS ) ) );
typedef int32_t pnRowsMask __attribute__( ( vector_size( 16 * PN_ROWS ) ) );

// In each row the components i j k l: 0 to 3 of a, 4 to 7 of b.
#define PN_FROM( c, r ) ( ( c ) < 4 ? 4 * ( r ) + ( c ) : 4 * PN_ROWS + 4 * ( r ) + ( c ) - 4 )
#define PN_FROM4( i, j, k, l, r ) PN_FROM( i, r ), PN_FROM( j, r ), PN_FROM( k, r ), PN_FROM( l, r )
#if PN_WIDTH == 16
#define PN_SHUFFLE( a, b, i, j, k, l )                                                                                        \
	__builtin_shufflevector( a, b, PN_FROM4( i, j, k, l, 0 ), PN_FROM4( i, j, k, l, 1 ), PN_FROM4( i, j, k, l, 2 ), PN_FROM4( i, j, k, l, 3 ) )
#elif PN_WIDTH == 8
#define PN_SHUFFLE( a, b, i, j, k, l ) __builtin_shufflevector( a, b, PN_FROM4( i, j, k, l, 0 ), PN_FROM4( i, j, k, l, 1 ) )
#else
#define PN_SHUFFLE( a, b, i, j, k, l ) __builtin_shufflevector( a, b, PN_FROM4( i, j, k, l, 0 ) )
#endif

PN_INLINE pnRows pnLoadPoints( const float* at )
{
	pnRows rows;
	memcpy( &rows, at, sizeof rows );
	return rows;
}
PN_INLINE void pnStorePoints( float* at, pnRows rows ) { memcpy( at, &rows, sizeof rows ); }

PN_INLINE pnRows pnTurnRows( pnRows a ) { return PN_SHUFFLE( a, a, 1, 2, 0, 3 ); } // y z x w
PN_INLINE pnRows pnSplatLast( pnRows a ) { return PN_SHUFFLE( a, a, 3, 3, 3, 3 ); } // w w w w
// a x b, its components as z x y: a sum of these is turned when it is done.
PN_INLINE pnRows pnCrossTurned( pnRows a, pnRows b )
{
	return a * pnTurnRows( b ) - pnTurnRows( a ) * b;
}
PN_INLINE pnRows pnSplatRow( float x, float y, float z, float w )
{
	pnFloat4 row = { x, y, z, w };
	// Not by a shuffle to a wider vector: that goes through memory, a narrow store and a wide load that must wait for it.
#if PN_WIDTH == 16
	return (pnRows)_mm512_broadcast_f32x4( (__m128)row );
#elif PN_WIDTH == 8
	return (pnRows)_mm256_set_m128( (__m128)row, (__m128)row );
#else
	return row;
#endif
}
PN_INLINE pnRows pnSplatVec( float x, float y, float z ) { return pnSplatRow( x, y, z, 0.0f ); }
PN_INLINE pnRows pnSplatRows( float x )
{
	return x - (pnRows){ 0 };
}

// a < b ? a : b and a > b ? a : b, so b where a is not a number.
PN_INLINE pnRows pnMinRows( pnRows a, pnRows b )
{
#if PN_WIDTH == 16
	return (pnRows)_mm512_min_ps( (__m512)a, (__m512)b );
#elif PN_WIDTH == 8
	return (pnRows)_mm256_min_ps( (__m256)a, (__m256)b );
#elif defined( __SSE2__ )
	return (pnRows)_mm_min_ps( (__m128)a, (__m128)b );
#else
	pnRowsMask less = a < b;
	return (pnRows)( ( less & (pnRowsMask)a ) | ( ~less & (pnRowsMask)b ) );
#endif
}
PN_INLINE pnRows pnMaxRows( pnRows a, pnRows b )
{
#if PN_WIDTH == 16
	return (pnRows)_mm512_max_ps( (__m512)a, (__m512)b );
#elif PN_WIDTH == 8
	return (pnRows)_mm256_max_ps( (__m256)a, (__m256)b );
#elif defined( __SSE2__ )
	return (pnRows)_mm_max_ps( (__m128)a, (__m128)b );
#else
	pnRowsMask more = a > b;
	return (pnRows)( ( more & (pnRowsMask)a ) | ( ~more & (pnRowsMask)b ) );
#endif
}

// Sixteen lanes of a sum.
typedef struct pnQuad { pnRows pieces[PN_PIECES]; } pnQuad;

// The four particles, added in order.
PN_INLINE pnDouble4 pnSumQuad( const pnQuad* q )
{
	pnFloat4 row[4];
#if PN_WIDTH == 16
	// Not by memory: a narrow load would wait for the wide store.
	__m512 all4 = (__m512)q->pieces[0];
	row[0] = (pnFloat4)_mm512_castps512_ps128( all4 ), row[1] = (pnFloat4)_mm512_extractf32x4_ps( all4, 1 );
	row[2] = (pnFloat4)_mm512_extractf32x4_ps( all4, 2 ), row[3] = (pnFloat4)_mm512_extractf32x4_ps( all4, 3 );
#elif PN_WIDTH == 8
	row[0] = (pnFloat4)_mm256_castps256_ps128( (__m256)q->pieces[0] ), row[1] = (pnFloat4)_mm256_extractf128_ps( (__m256)q->pieces[0], 1 );
	row[2] = (pnFloat4)_mm256_castps256_ps128( (__m256)q->pieces[1] ), row[3] = (pnFloat4)_mm256_extractf128_ps( (__m256)q->pieces[1], 1 );
#else
	memcpy( row, q, 64 );
#endif
	pnDouble4 all = pnWiden4( row[0] );
	for ( int r = 1; r < 4; ++r )
	{
		all = all + pnWiden4( row[r] );
	}
	return all;
}

PN_INLINE void pnStoreSum( double out[3], const pnQuad* q )
{
	pnDouble4 sum = pnSumQuad( q );
	out[0] = sum[0], out[1] = sum[1], out[2] = sum[2];
}
PN_INLINE void pnStoreTurned( double out[3], const pnQuad* q ) // of pnCrossTurned
{
	pnDouble4 sum = pnSumQuad( q );
	out[0] = sum[1], out[1] = sum[2], out[2] = sum[0];
}

PN_INLINE void pnStoreSums( pnPointSums* sums, const pnQuad quads[5] )
{
	pnStoreSum( sums->moment, quads + 0 );
	pnStoreSum( sums->second, quads + 1 );
	pnStoreSum( sums->second + 3, quads + 2 );
	pnStoreSum( sums->flow, quads + 3 );
	pnStoreTurned( sums->spin, quads + 4 );
}

// What particles add up to, in one of the pieces.
typedef struct pnRowSums { pnRows moment, square, product, flow, spin; } pnRowSums;

// p, u: place and velocity of particles, relative to origin and mean.
PN_INLINE void pnAddSums( pnRowSums* sums, pnRows m, pnRows p, pnRows u )
{
	pnRows mp = m * p, mu = m * u;
	sums->moment += mp;
	sums->square += mp * p;
	sums->product += mp * pnTurnRows( p );
	sums->flow += mu;
	sums->spin += pnCrossTurned( p, mu );
}

PN_INLINE void pnKeepSums( pnQuad quads[5], int piece, const pnRowSums* sums )
{
	quads[0].pieces[piece] = sums->moment;
	quads[1].pieces[piece] = sums->square;
	quads[2].pieces[piece] = sums->product;
	quads[3].pieces[piece] = sums->flow;
	quads[4].pieces[piece] = sums->spin;
}

// One piece of the fours after another, each with its sums in registers.
#define PN_FOR_PIECES( piece ) for ( int piece = 0; piece < PN_PIECES; ++piece )
#define PN_FOR_PIECE( i, piece ) for ( int i = begin + PN_ROWS * ( piece ); i < end; i += 4 )

static void pnMeasurePoints( const pnPointStep* step, int begin, int end, pnPointSums* sums )
{
	pnQuad quads[5];
	const float *o = step->origin, *w = step->mean;
	pnRows origin = pnSplatVec( o[0], o[1], o[2] ), mean = pnSplatVec( w[0], w[1], w[2] );
	PN_FOR_PIECES( piece )
	{
		pnRowSums add = { .moment = { 0 } };
		PN_FOR_PIECE( i, piece )
		{
			pnRows x = pnLoadPoints( step->x + 4 * i );
			pnAddSums( &add, pnSplatLast( x ), x - origin, pnLoadPoints( step->v + 4 * i ) - mean );
		}
		pnKeepSums( quads, piece, &add );
	}
	pnStoreSums( sums, quads );
}

// Kick and drift take sixteen particles at a time, turned over: one register for each of x y z w, so that none of its lanes is idle. Lane 4 j + k is particle
// 4 k + j of the sixteen, whatever the width: of a narrow machine one piece after another.
PN_INLINE void pnTurnOver( const pnRows in[4], pnRows out[4] )
{
#if PN_WIDTH == 16
	__m512 a = (__m512)in[0], b = (__m512)in[1], c = (__m512)in[2], d = (__m512)in[3];
	__m512 ab0 = _mm512_unpacklo_ps( a, b ), ab1 = _mm512_unpackhi_ps( a, b ), cd0 = _mm512_unpacklo_ps( c, d ), cd1 = _mm512_unpackhi_ps( c, d );
	out[0] = (pnRows)_mm512_shuffle_ps( ab0, cd0, 0x44 ), out[1] = (pnRows)_mm512_shuffle_ps( ab0, cd0, 0xee );
	out[2] = (pnRows)_mm512_shuffle_ps( ab1, cd1, 0x44 ), out[3] = (pnRows)_mm512_shuffle_ps( ab1, cd1, 0xee );
#else
	pnRows ab0 = PN_SHUFFLE( in[0], in[1], 0, 4, 1, 5 ), ab1 = PN_SHUFFLE( in[0], in[1], 2, 6, 3, 7 );
	pnRows cd0 = PN_SHUFFLE( in[2], in[3], 0, 4, 1, 5 ), cd1 = PN_SHUFFLE( in[2], in[3], 2, 6, 3, 7 );
	out[0] = PN_SHUFFLE( ab0, cd0, 0, 1, 4, 5 ), out[1] = PN_SHUFFLE( ab0, cd0, 2, 3, 6, 7 );
	out[2] = PN_SHUFFLE( ab1, cd1, 0, 1, 4, 5 ), out[3] = PN_SHUFFLE( ab1, cd1, 2, 3, 6, 7 );
#endif
}

enum { PN_TOGETHER = 16 };

// at: of the first particle of this piece. fours: how many of the four fours there are; the others are the first, and stand in.
PN_INLINE void pnLoadTogether( const float* at, int fours, pnRows out[4] )
{
	pnRows rows[4];
	for ( int k = 0; k < 4; ++k )
	{
		rows[k] = pnLoadPoints( at + ( k < fours ? 16 * k : 0 ) );
	}
	pnTurnOver( rows, out );
}

PN_INLINE void pnStoreTogether( float* at, int fours, const pnRows in[4] )
{
	pnRows rows[4];
	pnTurnOver( in, rows );
	for ( int k = 0; k < fours; ++k )
	{
		pnStorePoints( at + 16 * k, rows[k] );
	}
}

// Nothing for those that stand in.
PN_INLINE pnRows pnMassTogether( pnRows m, int fours )
{
	for ( int lane = 0; lane < 4 * PN_ROWS && fours < 4; ++lane )
	{
		m[lane] = lane % 4 < fours ? m[lane] : 0.0f;
	}
	return m;
}

// Four sums, first over the particles of a row.
PN_INLINE void pnKeepTogether( pnQuad* quad, int piece, pnRows a, pnRows b, pnRows c, pnRows d )
{
	pnRows ab = PN_SHUFFLE( a, b, 0, 2, 4, 6 ) + PN_SHUFFLE( a, b, 1, 3, 5, 7 ); // first and second pair of a, then of b
	pnRows cd = PN_SHUFFLE( c, d, 0, 2, 4, 6 ) + PN_SHUFFLE( c, d, 1, 3, 5, 7 );
	quad->pieces[piece] = PN_SHUFFLE( ab, cd, 0, 2, 4, 6 ) + PN_SHUFFLE( ab, cd, 1, 3, 5, 7 );
}

// A place's motion in a field: base + rows * p, p the place relative to the origin.
typedef struct pnField { float rows[9], base[3]; } pnField;

// base + m ( p - center ) + turn x ( p - center ), m row major.
PN_INLINE void pnMakeField( pnField* field, const float m[9], const float turn[3], const float base[3], const float center[3] )
{
	float* to = field->rows; // one by one: who puts them together must wait for them
	to[0] = m[0], to[1] = m[1] - turn[2], to[2] = m[2] + turn[1];
	to[3] = m[3] + turn[2], to[4] = m[4], to[5] = m[5] - turn[0];
	to[6] = m[6] - turn[1], to[7] = m[7] + turn[0], to[8] = m[8];
	for ( int k = 0; k < 3; ++k )
	{
		field->base[k] = base[k] - ( to[3 * k] * center[0] + to[3 * k + 1] * center[1] + to[3 * k + 2] * center[2] );
	}
}

PN_INLINE pnRows pnFieldAt( const pnField* field, int k, const pnRows p[3] )
{
	const float* row = field->rows + 3 * k;
	return ( field->base[k] + row[0] * p[0] ) + ( row[1] * p[1] + row[2] * p[2] );
}

typedef struct pnStepFields
{
	pnField from, stray, to; // velocities of the whole with its chord, before and after the kick; and what the kick must not do
	float both, left; // 1/s: what a damped kick makes of a deviation; the part of a velocity that damping leaves
} pnStepFields;

// Of a free body the stray part of the kick is given back with the motion to come, and halves of the kick have it in them (pnLeaveOutStray); where pins hold,
// it is the drag of the whole and is taken out of each particle's kick.
PN_INLINE void pnMakeFields( pnStepFields* q, const pnPointStep* step, const int held )
{
	const float both = step->keep * step->before + step->after, none[9] = { 0.0f };
	float base[3], next[3], turn[3];
	for ( int k = 0; k < 3; ++k )
	{
		base[k] = step->mean[k] + step->rigid[k];
		next[k] = base[k] + step->gain[k] + ( held ? 0.0f : both * step->push[k] );
		turn[k] = step->turn[k] + step->swing[k] + ( held ? 0.0f : both * step->twist[k] );
	}
	q->both = step->before + step->after;
	q->left = 1.0f - q->both * step->drag;
	pnMakeField( &q->from, step->chordBefore, step->turn, base, step->center );
	pnMakeField( &q->to, step->chordAfter, turn, next, step->center );
	if ( held )
	{
		pnMakeField( &q->stray, none, step->twist, step->push, step->center );
	}
}

// Particles between the two halves of the kick.
typedef struct pnHalfway
{
	pnRows deviation[3]; // from their goals, with what damping takes in it
	pnRows past[3]; // velocity beyond that of the whole before the first half
	pnRows toCome[3]; // velocity of the whole after the kick
	pnRowsMask loose; // those that are not pinned; only where some are
} pnHalfway;

PN_INLINE pnHalfway pnHalfKick( const pnPointStep* step, const pnStepFields* q, const pnRows x[4], const pnRows v[4], const pnRows force[4], const int held )
{
	pnHalfway to;
	pnRows p[3] = { x[0] - step->origin[0], x[1] - step->origin[1], x[2] - step->origin[2] };
	to.loose = v[3] > 0.0f;
	for ( int k = 0; k < 3; ++k )
	{
		to.past[k] = v[k] - pnFieldAt( &q->from, k, p );
		to.deviation[k] = force[k] * v[3] + step->drag * to.past[k];
		if ( held )
		{
			to.deviation[k] = (pnRows)( to.loose & (pnRowsMask)( to.deviation[k] - pnFieldAt( &q->stray, k, p ) ) );
		}
		to.toCome[k] = pnFieldAt( &q->to, k, p );
	}
	return to;
}

static void pnBracePoints( const pnPointStep* step, int begin, int end, double kick[6] )
{
	pnQuad sum, torque;
	const float* o = step->origin;
	pnRows origin = pnSplatVec( o[0], o[1], o[2] );
	PN_FOR_PIECES( piece )
	{
		pnRows add = { 0 }, turned = { 0 };
		PN_FOR_PIECE( i, piece )
		{
			pnRows force = pnLoadPoints( step->force + 4 * i );
			add += force;
			turned += pnCrossTurned( pnLoadPoints( step->x + 4 * i ) - origin, force );
		}
		sum.pieces[piece] = add;
		torque.pieces[piece] = turned;
	}
	pnStoreSum( kick, &sum );
	pnStoreTurned( kick + 3, &torque );
}

PN_INLINE pnRows pnDotRows( const pnRows a[3], const pnRows b[3] )
{
	return ( a[0] * b[0] + a[1] * b[1] ) + a[2] * b[2];
}

PN_INLINE void pnWeighKind( const pnPointStep* step, int begin, int end, double weights[2], const int held )
{
	pnQuad sums;
	pnStepFields q;
	pnMakeFields( &q, step, held );
	PN_FOR_PIECES( piece )
	{
		pnRows zero = { 0 }, addDeviation2 = zero, addKick2 = zero;
		for ( int i = begin; i < end; i += PN_TOGETHER )
		{
			int at = 4 * ( i + PN_ROWS * piece ), fours = ( end - i ) / 4 < 4 ? ( end - i ) / 4 : 4;
			pnRows x[4], v[4], force[4], own[3];
			pnLoadTogether( step->x + at, fours, x );
			pnLoadTogether( step->v + at, fours, v );
			pnLoadTogether( step->force + at, fours, force );
			pnHalfway to = pnHalfKick( step, &q, x, v, force, held );
			pnRows m = pnMassTogether( x[3], fours );
			m = held ? (pnRows)( to.loose & (pnRowsMask)m ) : m;
			for ( int k = 0; k < 3; ++k )
			{
				own[k] = to.past[k] - step->before * to.deviation[k];
			}
			addDeviation2 += m * pnDotRows( own, own );
			addKick2 += m * pnDotRows( to.deviation, to.deviation );
		}
		pnKeepTogether( &sums, piece, addDeviation2, addKick2, zero, zero );
	}
	pnDouble4 sum = pnSumQuad( &sums );
	weights[0] = sum[0];
	weights[1] = sum[1];
}

static void pnWeighPoints( const pnPointStep* step, int begin, int end, double weights[2] )
{
	step->held ? pnWeighKind( step, begin, end, weights, 1 ) : pnWeighKind( step, begin, end, weights, 0 );
}

// Whether some number is beyond +-limit, or is none.
PN_INLINE int pnAnyBeyond( pnRows a, float limit )
{
	pnRows size = (pnRows)( (pnRowsMask)a & 0x7fffffff );
#if PN_WIDTH == 16
	return _mm512_cmp_ps_mask( (__m512)size, _mm512_set1_ps( limit ), _CMP_NLE_UQ ) != 0;
#elif PN_WIDTH == 8
	return _mm256_movemask_ps( _mm256_cmp_ps( (__m256)size, _mm256_set1_ps( limit ), _CMP_NLE_UQ ) ) != 0;
#elif defined( __SSE2__ )
	return _mm_movemask_ps( _mm_cmpnle_ps( (__m128)size, _mm_set1_ps( limit ) ) ) != 0;
#elif defined( __wasm_simd128__ )
	return !wasm_i32x4_all_true( (v128_t)( size <= limit ) );
#else
	pnRowsMask inside = size <= limit;
	return ( inside[0] & inside[1] & inside[2] & inside[3] ) == 0;
#endif
}

// A world is a cube of 2e8 m: what leaves it stands at its wall. That is rare, so it is a branch, whose answer nobody waits for.
static const float pn_wall = 1e8f; // m
PN_INLINE pnRows pnStopAtWalls( pnRows to, pnRows* v )
{
	if ( !pnAnyBeyond( to, pn_wall ) )
	{
		return to;
	}
	pnRows next = pnMaxRows( pnMinRows( to, pnSplatRows( pn_wall ) ), pnSplatRows( -pn_wall ) );
	*v = (pnRows)( (pnRowsMask)*v & ( next == to ) );
	return next;
}

// The fourth component of each row is not velocity or place: it stays.
PN_INLINE pnRows pnKeepLast( pnRows rows, pnRows old )
{
	return PN_SHUFFLE( rows, old, 0, 1, 2, 7 );
}

// What all particles add up to while they are moved.
typedef struct pnMovedSums { pnRows moment[3], square[3], product[3], flow[3], spin[3], deviation2, kick2, across; } pnMovedSums;

// Sixteen particles, or as many fours of them. Damped, both halves and what is taken between them are one kick, and nobody scales what is between: `keep` is 1.
PN_INLINE void pnAdvanceTogether( const pnPointStep* step, const pnStepFields* q, int at, int fours, pnMovedSums* add, const int held, const int damped )
{
	pnRows x[4], v[4], force[4], after[3], next[4], moved[4], none[4] = { { 0 } };
	pnLoadTogether( step->x + at, fours, x );
	pnLoadTogether( step->v + at, fours, v );
	pnLoadTogether( step->force + at, fours, force );
	pnHalfway to = pnHalfKick( step, q, x, v, force, held );
	pnRows m = pnMassTogether( x[3], fours ), free = held ? (pnRows)( to.loose & (pnRowsMask)m ) : m, beyond;
	if ( damped )
	{
		// after = past - both deviation, with the deviation taken apart: damping is the same for all of them.
		pnRows rate = q->both * v[3];
		for ( int k = 0; k < 3; ++k )
		{
			after[k] = held ? to.past[k] - q->both * to.deviation[k] : q->left * to.past[k] - rate * force[k];
		}
		pnRows across = pnDotRows( to.past, after );
		if ( step->more != 0.0f )
		{
			across += step->more * pnDotRows( to.deviation, after );
		}
		add->across += free * across;
	}
	else
	{
		pnRows own[3];
		for ( int k = 0; k < 3; ++k )
		{
			own[k] = to.past[k] - step->before * to.deviation[k];
			after[k] = step->keep * own[k] - step->after * to.deviation[k];
		}
		add->deviation2 += free * pnDotRows( own, own );
		add->kick2 += free * pnDotRows( to.deviation, to.deviation );
	}
	for ( int k = 0; k < 3; ++k )
	{
		moved[k] = to.toCome[k] + after[k];
		if ( held )
		{
			moved[k] = (pnRows)( ( (pnRowsMask)moved[k] & to.loose ) | ( (pnRowsMask)v[k] & ~to.loose ) );
		}
		next[k] = x[k] + ( step->step * moved[k] + step->lag[k] );
		pnRows away = (pnRows)( (pnRowsMask)next[k] & 0x7fffffff );
		beyond = k == 0 ? away : beyond + away; // at least as far as the farthest, and none if one is none
	}
	if ( pnAnyBeyond( beyond, pn_wall ) )
	{
		for ( int k = 0; k < 3; ++k )
		{
			next[k] = pnStopAtWalls( next[k], moved + k );
		}
	}
	next[3] = x[3], moved[3] = v[3];
	pnStoreTogether( step->v + at, fours, moved );
	pnStoreTogether( step->x + at, fours, next );
	for ( int k = 0; k < fours; ++k )
	{
		pnStorePoints( step->force + at + 16 * k, none[0] );
	}
	pnRows p[3], u[3], mp[3], mu[3];
	for ( int k = 0; k < 3; ++k )
	{
		p[k] = next[k] - step->ahead[k], u[k] = moved[k] - step->mean[k];
		mp[k] = m * p[k], mu[k] = m * u[k];
	}
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		add->moment[k] += mp[k];
		add->square[k] += mp[k] * p[k];
		add->product[k] += mp[k] * p[k1];
		add->flow[k] += mu[k];
		add->spin[k] += p[k1] * mu[k2] - p[k2] * mu[k1];
	}
}

// Where an operand may be one float in memory for all lanes, constants of a loop are best left there: in registers they would be spilled, as wide as those are.
#if PN_WIDTH == 16
#define PN_LEAVE_IN_MEMORY( at ) __asm__ volatile( "" ::"r"( at ) : "memory" )
#else
#define PN_LEAVE_IN_MEMORY( at ) ( (void)( at ) )
#endif

PN_INLINE void pnAdvanceKind( const pnPointStep* step, int begin, int end, pnPointTotals* totals, const int held, const int damped )
{
	pnQuad moment, square, product, flow, kicks;
	pnStepFields q;
	pnMakeFields( &q, step, held );
	PN_FOR_PIECES( piece )
	{
		pnMovedSums add = { .moment = { { 0 } } };
		int i = begin;
		for ( ; i + PN_TOGETHER <= end; i += PN_TOGETHER )
		{
			PN_LEAVE_IN_MEMORY( &q );
			pnAdvanceTogether( step, &q, 4 * ( i + PN_ROWS * piece ), 4, &add, held, damped );
		}
		if ( i < end )
		{
			pnAdvanceTogether( step, &q, 4 * ( i + PN_ROWS * piece ), ( end - i ) / 4, &add, held, damped );
		}
		pnKeepTogether( &moment, piece, add.moment[0], add.moment[1], add.moment[2], add.spin[0] );
		pnKeepTogether( &square, piece, add.square[0], add.square[1], add.square[2], add.spin[1] );
		pnKeepTogether( &product, piece, add.product[0], add.product[1], add.product[2], add.spin[2] );
		pnKeepTogether( &flow, piece, add.flow[0], add.flow[1], add.flow[2], damped ? add.across : add.deviation2 );
		if ( !damped )
		{
			pnKeepTogether( &kicks, piece, add.kick2, add.kick2, add.kick2, add.kick2 );
		}
	}
	pnDouble4 m = pnSumQuad( &moment ), s = pnSumQuad( &square ), p = pnSumQuad( &product ), f = pnSumQuad( &flow );
	totals->sums = (pnPointSums){ { m[0], m[1], m[2] }, { s[0], s[1], s[2], p[0], p[1], p[2] }, { f[0], f[1], f[2] }, { m[3], s[3], p[3] } };
	totals->across = damped ? f[3] : 0.0;
	totals->deviation2 = damped ? 0.0 : f[3];
	totals->kick2 = damped ? 0.0 : pnSumQuad( &kicks )[0];
}

static void pnAdvancePoints( const pnPointStep* step, int begin, int end, pnPointTotals* totals )
{
	bool damped = step->drag > 0.0f;
	if ( step->held )
	{
		damped ? pnAdvanceKind( step, begin, end, totals, 1, 1 ) : pnAdvanceKind( step, begin, end, totals, 1, 0 );
	}
	else
	{
		damped ? pnAdvanceKind( step, begin, end, totals, 0, 1 ) : pnAdvanceKind( step, begin, end, totals, 0, 0 );
	}
}

PN_INLINE void pnAdvanceBareKind( const pnPointStep* step, int begin, int end, const int held )
{
	float *xs = step->x, *vs = step->v, *forces = step->force;
	pnRows h = pnSplatRows( step->step ), rate = pnSplatRows( step->after ), gain = pnSplatVec( step->gain[0], step->gain[1], step->gain[2] );
	for ( int i = begin; i < end; i += PN_ROWS )
	{
		pnRows x = pnLoadPoints( xs + 4 * i ), old = pnLoadPoints( vs + 4 * i );
		pnRows force = pnLoadPoints( forces + 4 * i );
		pnRows v = old - rate * ( force * pnSplatLast( old ) ) + gain;
		if ( held )
		{
			pnRowsMask loose = pnSplatLast( old ) > 0.0f;
			v = (pnRows)( ( (pnRowsMask)v & loose ) | ( (pnRowsMask)old & ~loose ) );
		}
		pnRows next = pnStopAtWalls( x + h * v, &v );
		pnStorePoints( vs + 4 * i, pnKeepLast( v, old ) );
		pnStorePoints( xs + 4 * i, pnKeepLast( next, x ) );
		pnStorePoints( forces + 4 * i, (pnRows){ 0 } );
	}
}

static void pnAdvanceBarePoints( const pnPointStep* step, int begin, int end )
{
	step->held ? pnAdvanceBareKind( step, begin, end, 1 ) : pnAdvanceBareKind( step, begin, end, 0 );
}
