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
typedef struct pnSum3 { double of[3]; } pnSum3;
PN_INLINE pnSum3 pnSumQuad( const pnQuad* q )
{
	pnFloat4 row[4];
	pnSum3 sum;
	memcpy( row, q, 64 );
	pnDouble4 all = pnWiden4( row[0] );
	for ( int r = 1; r < 4; ++r )
	{
		all = all + pnWiden4( row[r] );
	}
	memcpy( sum.of, &all, sizeof sum.of );
	return sum;
}
PN_INLINE double pnSumAll( const pnQuad* q )
{
	pnSum3 sum = pnSumQuad( q );
	return ( sum.of[0] + sum.of[1] ) + sum.of[2];
}

PN_INLINE void pnStoreSum( double out[3], const pnQuad* q )
{
	pnSum3 sum = pnSumQuad( q );
	memcpy( out, sum.of, sizeof sum.of );
}
PN_INLINE void pnStoreTurned( double out[3], const pnQuad* q ) // of pnCrossTurned
{
	pnSum3 sum = pnSumQuad( q );
	out[0] = sum.of[1], out[1] = sum.of[2], out[2] = sum.of[0];
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

// A place's motion in a field: base + columns * p, p the place relative to the origin.
typedef struct pnField { pnRows columns[3], base; } pnField;

// base + m ( p - center ) + turn x ( p - center ), m row major.
PN_INLINE pnField pnSplatField( const float m[9], const float turn[3], const float base[3], const float center[3] )
{
	const float rows[9] = { m[0], m[1] - turn[2], m[2] + turn[1], m[3] + turn[2], m[4], m[5] - turn[0], m[6] - turn[1], m[7] + turn[0], m[8] };
	pnField field;
	float at[3];
	for ( int k = 0; k < 3; ++k )
	{
		const float* row = rows + 3 * k;
		at[k] = base[k] - ( row[0] * center[0] + row[1] * center[1] + row[2] * center[2] );
		field.columns[k] = pnSplatVec( rows[k], rows[3 + k], rows[6 + k] );
	}
	field.base = pnSplatVec( at[0], at[1], at[2] );
	return field;
}

// x y z: the place's components, each in all of its row.
PN_INLINE pnRows pnFieldAt( const pnField* field, pnRows x, pnRows y, pnRows z )
{
	return ( field->base + field->columns[0] * x ) + ( field->columns[1] * y + field->columns[2] * z );
}

// What all particles of a step have in common, laid out as they are. The fourth component of a row is not velocity or place and must stay as it is: fields,
// drag and step have 0 there, keep has 1.
typedef struct pnStepRows
{
	pnRows origin, drag, before, after, keep;
	pnField from, stray, to; // velocities of the whole with its chord, before and after the kick; and what the kick must not do
} pnStepRows;

// Of a free body the stray part of the kick is given back with the motion to come, and halves of the kick have it in them (pnLeaveOutStray); where pins hold,
// it is the drag of the whole and is taken out of each particle's kick.
PN_INLINE pnStepRows pnSplatStep( const pnPointStep* step, const int held )
{
	pnStepRows q;
	const float* o = step->origin;
	const float both = step->keep * step->before + step->after;
	float base[3], next[3], turn[3];
	for ( int k = 0; k < 3; ++k )
	{
		base[k] = step->mean[k] + step->rigid[k];
		next[k] = base[k] + step->gain[k] + ( held ? 0.0f : both * step->push[k] );
		turn[k] = step->turn[k] + step->swing[k] + ( held ? 0.0f : both * step->twist[k] );
	}
	q.origin = pnSplatVec( o[0], o[1], o[2] );
	q.before = pnSplatRows( step->before ), q.after = pnSplatRows( step->after );
	q.drag = pnSplatVec( step->drag, step->drag, step->drag ), q.keep = pnSplatRow( step->keep, step->keep, step->keep, 1.0f );
	q.from = pnSplatField( step->chordBefore, step->turn, base, step->center );
	q.to = pnSplatField( step->chordAfter, turn, next, step->center );
	if ( held )
	{
		const float none[9] = { 0.0f };
		q.stray = pnSplatField( none, step->twist, step->push, step->center );
	}
	return q;
}

// A particle between the two halves of the kick.
typedef struct pnHalfway
{
	pnRows deviation; // from its goal, with what damping takes in it
	pnRows past; // velocity beyond that of the whole before the first half
	pnRows own; // and after it
	pnRows toCome; // velocity of the whole after the kick
	pnRows loose; // 0 for what is pinned, else 1; only where some are
} pnHalfway;

PN_INLINE pnHalfway pnHalfKick( const pnStepRows* q, pnRows x, pnRows v, pnRows force, const int held )
{
	pnHalfway to;
	pnRows inverse = pnSplatLast( v ), p = x - q->origin;
	pnRows px = PN_SHUFFLE( p, p, 0, 0, 0, 0 ), py = PN_SHUFFLE( p, p, 1, 1, 1, 1 ), pz = PN_SHUFFLE( p, p, 2, 2, 2, 2 );
	pnRows u = v - pnFieldAt( &q->from, px, py, pz );
	to.deviation = force * inverse + q->drag * u;
	to.loose = inverse;
	if ( held )
	{
		to.loose = (pnRows)( (pnRowsMask)pnSplatRows( 1.0f ) & ( inverse > 0.0f ) );
		to.deviation = to.loose * ( to.deviation - pnFieldAt( &q->stray, px, py, pz ) );
	}
	to.past = u;
	to.own = u - q->before * to.deviation;
	to.toCome = pnFieldAt( &q->to, px, py, pz );
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

PN_INLINE void pnWeighKind( const pnPointStep* step, int begin, int end, double weights[2], const int held )
{
	pnQuad deviation2, kick2;
	pnStepRows q = pnSplatStep( step, held );
	PN_FOR_PIECES( piece )
	{
		pnRows addDeviation2 = { 0 }, addKick2 = { 0 };
		PN_FOR_PIECE( i, piece )
		{
			pnRows x = pnLoadPoints( step->x + 4 * i ), m = pnSplatLast( x );
			pnHalfway at = pnHalfKick( &q, x, pnLoadPoints( step->v + 4 * i ), pnLoadPoints( step->force + 4 * i ), held );
			m = held ? at.loose * m : m;
			addDeviation2 += m * at.own * at.own;
			addKick2 += m * at.deviation * at.deviation;
		}
		deviation2.pieces[piece] = addDeviation2;
		kick2.pieces[piece] = addKick2;
	}
	weights[0] = pnSumAll( &deviation2 );
	weights[1] = pnSumAll( &kick2 );
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
PN_INLINE pnRows pnStopAtWalls( pnRows to, pnRows* v )
{
	const float wall = 1e8f;
	if ( !pnAnyBeyond( to, wall ) )
	{
		return to;
	}
	pnRows next = pnMaxRows( pnMinRows( to, pnSplatRows( wall ) ), pnSplatRows( -wall ) );
	*v = (pnRows)( (pnRowsMask)*v & ( next == to ) );
	return next;
}

// The fourth component of each row is not velocity or place: it stays.
PN_INLINE pnRows pnKeepLast( pnRows rows, pnRows old )
{
	return PN_SHUFFLE( rows, old, 0, 1, 2, 7 );
}

// Damped, both halves and what is taken between them are one kick, and nobody scales what is between: `keep` is 1.
PN_INLINE void pnAdvanceKind( const pnPointStep* step, int begin, int end, pnPointTotals* totals, const int held, const int damped )
{
	float *xs = step->x, *vs = step->v, *forces = step->force; // what is stored cannot change them
	pnQuad sums[5], deviation2, kick2, across;
	pnStepRows q = pnSplatStep( step, held );
	pnRows both = pnSplatRows( step->before + step->after ), more = pnSplatRows( step->more );
	const float *l = step->lag, *a = step->ahead, *w = step->mean;
	pnRows h = pnSplatVec( step->step, step->step, step->step ), lag = pnSplatVec( l[0], l[1], l[2] ), ahead = pnSplatVec( a[0], a[1], a[2] ), mean = pnSplatVec( w[0], w[1], w[2] );
	PN_FOR_PIECES( piece )
	{
		pnRows zero = { 0 }, addDeviation2 = zero, addKick2 = zero, addAcross = zero;
		pnRowSums add = { .moment = { 0 } };
		PN_FOR_PIECE( i, piece )
		{
			pnRows x = pnLoadPoints( xs + 4 * i ), old = pnLoadPoints( vs + 4 * i ), m = pnSplatLast( x ), free = m;
			pnHalfway at = pnHalfKick( &q, x, old, pnLoadPoints( forces + 4 * i ), held );
			pnRows after = damped ? at.past - both * at.deviation : q.keep * at.own - q.after * at.deviation, v = at.toCome + after;
			if ( held )
			{
				pnRowsMask loose = at.loose > 0.0f;
				v = (pnRows)( ( (pnRowsMask)v & loose ) | ( (pnRowsMask)old & ~loose ) );
				free = at.loose * m;
			}
			pnRows next = pnStopAtWalls( x + ( h * v + lag ), &v );
			if ( damped )
			{
				addAcross += free * ( at.past + more * at.deviation ) * after;
			}
			else
			{
				addDeviation2 += free * at.own * at.own;
				addKick2 += free * at.deviation * at.deviation;
			}
			pnAddSums( &add, m, next - ahead, v - mean );
			pnStorePoints( vs + 4 * i, v );
			pnStorePoints( xs + 4 * i, next );
			pnStorePoints( forces + 4 * i, zero );
		}
		pnKeepSums( sums, piece, &add );
		deviation2.pieces[piece] = addDeviation2, kick2.pieces[piece] = addKick2, across.pieces[piece] = addAcross;
	}
	pnStoreSums( &totals->sums, sums );
	totals->deviation2 = damped ? 0.0 : pnSumAll( &deviation2 );
	totals->kick2 = damped ? 0.0 : pnSumAll( &kick2 );
	totals->across = damped ? pnSumAll( &across ) : 0.0;
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
