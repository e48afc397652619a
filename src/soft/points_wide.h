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
PN_INLINE pnRows pnCrossRows( pnRows a, pnRows b )
{
	return pnTurnRows( a * pnTurnRows( b ) - pnTurnRows( a ) * b );
}
PN_INLINE pnRows pnSplatVec( const float v[3] )
{
	float rows[16];
	for ( int k = 0; k < 16; ++k )
	{
		rows[k] = k % 4 < 3 ? v[k % 4] : 0.0f;
	}
	return pnLoadPoints( rows );
}
PN_INLINE pnRows pnSplatRows( float x )
{
	return x - (pnRows){ 0 };
}

// Sixteen lanes of a sum.
typedef struct pnQuad { pnRows pieces[PN_PIECES]; } pnQuad;

// Adds component c of the four particles, in order.
PN_INLINE double pnSumQuad( const pnQuad* q, int c )
{
	float lane[16];
	memcpy( lane, q, 64 );
	return ( ( (double)lane[c] + (double)lane[4 + c] ) + (double)lane[8 + c] ) + (double)lane[12 + c];
}
PN_INLINE double pnSumAll( const pnQuad* q )
{
	return ( pnSumQuad( q, 0 ) + pnSumQuad( q, 1 ) ) + pnSumQuad( q, 2 );
}

PN_INLINE void pnStoreSums( pnPointSums* sums, const pnQuad quads[5] )
{
	for ( int c = 0; c < 3; ++c )
	{
		sums->moment[c] = pnSumQuad( quads + 0, c );
		sums->second[c] = pnSumQuad( quads + 1, c );
		sums->second[3 + c] = pnSumQuad( quads + 2, c );
		sums->flow[c] = pnSumQuad( quads + 3, c );
		sums->spin[c] = pnSumQuad( quads + 4, c );
	}
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
	sums->spin += pnCrossRows( p, mu );
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
	pnRows origin = pnSplatVec( step->origin ), mean = pnSplatVec( step->mean );
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

// Columns of a matrix, for pnMapRows.
typedef struct pnRowsMap { pnRows columns[3]; } pnRowsMap;
PN_INLINE pnRowsMap pnSplatMap( const float m[9] )
{
	pnRowsMap map;
	for ( int c = 0; c < 3; ++c )
	{
		map.columns[c] = pnSplatVec( ( float[3] ){ m[c], m[3 + c], m[6 + c] } );
	}
	return map;
}
PN_INLINE pnRows pnMapRows( const pnRowsMap* map, pnRows a )
{
	pnRows x = PN_SHUFFLE( a, a, 0, 0, 0, 0 ), y = PN_SHUFFLE( a, a, 1, 1, 1, 1 ), z = PN_SHUFFLE( a, a, 2, 2, 2, 2 );
	return map->columns[0] * x + map->columns[1] * y + map->columns[2] * z;
}

// What all particles of a step have in common, laid out as they are.
typedef struct pnStepRows
{
	pnRows origin, mean, center, rigid, turn, push, twist, drag, before, after;
	pnRowsMap chordBefore, chordAfter;
} pnStepRows;

PN_INLINE pnStepRows pnSplatStep( const pnPointStep* step, const int turns )
{
	pnStepRows q;
	q.origin = pnSplatVec( step->origin ), q.mean = pnSplatVec( step->mean ), q.center = pnSplatVec( step->center );
	q.rigid = pnSplatVec( step->rigid ), q.turn = pnSplatVec( step->turn ), q.push = pnSplatVec( step->push ), q.twist = pnSplatVec( step->twist );
	q.drag = pnSplatRows( step->drag ), q.before = pnSplatRows( step->before ), q.after = pnSplatRows( step->after );
	if ( turns )
	{
		q.chordBefore = pnSplatMap( step->chordBefore ), q.chordAfter = pnSplatMap( step->chordAfter );
	}
	return q;
}

// From the velocity of the drift before, relative to the mean, to that between the two halves of the kick. Writes the particle's deviation
// from its goal (with what damping takes in it), its arm, and its motion with the whole. `loose` is 0 for what is pinned.
PN_INLINE pnRows pnHalfKick( const pnStepRows* q, pnRows x, pnRows v, pnRows force, const int held, const int turns, pnRows* deviation, pnRows* arm, pnRows* whole,
							 pnRows* loose )
{
	pnRows inverse = pnSplatLast( v ), u = v - q->mean;
	*arm = ( x - q->origin ) - q->center;
	*whole = q->rigid + pnCrossRows( q->turn, *arm );
	if ( turns )
	{
		u = u - pnMapRows( &q->chordBefore, *arm );
	}
	*deviation = force * inverse + q->drag * u - ( q->push + pnCrossRows( q->twist, *arm ) );
	*loose = pnSplatRows( 1.0f );
	if ( held )
	{
		*loose = (pnRows)( (pnRowsMask)*loose & ( inverse > 0.0f ) );
		*deviation = *loose * *deviation;
	}
	return u - q->before * *deviation;
}

PN_INLINE void pnBraceKind( const pnPointStep* step, int begin, int end, double kick[6], const int turns )
{
	pnQuad sum, torque;
	pnStepRows q = pnSplatStep( step, turns );
	PN_FOR_PIECES( piece )
	{
		pnRows add = { 0 }, turned = { 0 };
		PN_FOR_PIECE( i, piece )
		{
			pnRows x = pnLoadPoints( step->x + 4 * i ), u = pnLoadPoints( step->v + 4 * i ) - q.mean, p = x - q.origin;
			if ( turns )
			{
				u = u - pnMapRows( &q.chordBefore, p - q.center );
			}
			pnRows md = pnLoadPoints( step->force + 4 * i ) + q.drag * ( pnSplatLast( x ) * u );
			add += md;
			turned += pnCrossRows( p, md );
		}
		sum.pieces[piece] = add;
		torque.pieces[piece] = turned;
	}
	for ( int c = 0; c < 3; ++c )
	{
		kick[c] = pnSumQuad( &sum, c );
		kick[3 + c] = pnSumQuad( &torque, c );
	}
}

static void pnBracePoints( const pnPointStep* step, int begin, int end, double kick[6] )
{
	step->turns ? pnBraceKind( step, begin, end, kick, 1 ) : pnBraceKind( step, begin, end, kick, 0 );
}

PN_INLINE void pnWeighKind( const pnPointStep* step, int begin, int end, double weights[2], const int held, const int turns )
{
	pnQuad deviation2, kick2;
	pnStepRows q = pnSplatStep( step, turns );
	PN_FOR_PIECES( piece )
	{
		pnRows addDeviation2 = { 0 }, addKick2 = { 0 };
		PN_FOR_PIECE( i, piece )
		{
			pnRows x = pnLoadPoints( step->x + 4 * i ), v = pnLoadPoints( step->v + 4 * i ), d, arm, whole, loose;
			pnRows own = pnHalfKick( &q, x, v, pnLoadPoints( step->force + 4 * i ), held, turns, &d, &arm, &whole, &loose ) - whole;
			pnRows m = loose * pnSplatLast( x );
			addDeviation2 += m * own * own;
			addKick2 += m * d * d;
		}
		deviation2.pieces[piece] = addDeviation2;
		kick2.pieces[piece] = addKick2;
	}
	weights[0] = pnSumAll( &deviation2 );
	weights[1] = pnSumAll( &kick2 );
}

static void pnWeighPoints( const pnPointStep* step, int begin, int end, double weights[2] )
{
	step->held ? pnWeighKind( step, begin, end, weights, 1, 1 ) : pnWeighKind( step, begin, end, weights, 0, 1 );
}

PN_INLINE pnRows pnClampRows( pnRows x ) // a world is a cube of 2e8 m; what leaves it stands at its wall
{
	pnRows limit = pnSplatRows( 1e8f );
	pnRowsMask inside = x <= limit;
	x = (pnRows)( ( inside & (pnRowsMask)x ) | ( ~inside & (pnRowsMask)limit ) );
	inside = x >= -limit;
	return (pnRows)( ( inside & (pnRowsMask)x ) | ( ~inside & ( pnRowsMask ) - limit ) );
}

// The fourth component of each row is not velocity or place: it stays.
PN_INLINE pnRows pnKeepLast( pnRows rows, pnRows old )
{
	pnRows last = PN_SHUFFLE( rows, old, 2, 2, 7, 7 ); // z z w w
	return PN_SHUFFLE( rows, last, 0, 1, 4, 6 );
}

PN_INLINE void pnAdvanceKind( const pnPointStep* step, int begin, int end, pnPointTotals* totals, const int held, const int turns )
{
	pnQuad sums[5], impulse, torque, deviation2, kick2, stray, slip;
	pnStepRows q = pnSplatStep( step, turns );
	pnRows h = pnSplatRows( step->step ), lag = pnSplatVec( step->lag );
	pnRows gain = pnSplatVec( step->gain ), swing = pnSplatVec( step->swing ), ahead = pnSplatVec( step->ahead ), less = pnSplatRows( 1.0f - step->keep );
	PN_FOR_PIECES( piece )
	{
		pnRows zero = { 0 }, addImpulse = zero, addTorque = zero, addDeviation2 = zero, addKick2 = zero, addStray = zero, addSlip = zero;
		pnRowSums add = { .moment = { 0 } };
		PN_FOR_PIECE( i, piece )
		{
			pnRows x = pnLoadPoints( step->x + 4 * i ), old = pnLoadPoints( step->v + 4 * i ), m = pnSplatLast( x ), d, arm, whole, loose;
			pnRows mid = pnHalfKick( &q, x, old, pnLoadPoints( step->force + 4 * i ), held, turns, &d, &arm, &whole, &loose ), own = mid - whole;
			pnRows u = mid - less * own - q.after * d;
			if ( turns )
			{
				u = u + pnMapRows( &q.chordAfter, arm );
			}
			pnRows v = ( u + q.mean ) + gain;
			if ( held )
			{
				v = v + pnCrossRows( swing, arm );
				v = (pnRows)( ( (pnRowsMask)v & ( loose > 0.0f ) ) | ( (pnRowsMask)old & ( loose <= 0.0f ) ) );
			}
			pnRows way = h * v, to = x + ( way + lag ), next = pnClampRows( to ), off = ( next - x ) - way;
			v = (pnRows)( (pnRowsMask)v & ( next == to ) );
			pnRows made = m * ( v - old ), after = v - q.mean, free = held ? loose * m : m;
			addImpulse += made;
			addTorque += pnCrossRows( x - q.origin, made );
			addDeviation2 += free * own * own;
			addKick2 += free * d * d;
			addStray += pnCrossRows( off, m * after );
			addSlip += m * off;
			pnAddSums( &add, m, next - ahead, after );
			pnStorePoints( step->v + 4 * i, pnKeepLast( v, old ) );
			pnStorePoints( step->x + 4 * i, pnKeepLast( next, x ) );
			pnStorePoints( step->force + 4 * i, zero );
		}
		pnKeepSums( sums, piece, &add );
		impulse.pieces[piece] = addImpulse, torque.pieces[piece] = addTorque;
		deviation2.pieces[piece] = addDeviation2, kick2.pieces[piece] = addKick2;
		stray.pieces[piece] = addStray, slip.pieces[piece] = addSlip;
	}
	pnStoreSums( &totals->sums, sums );
	totals->deviation2 = pnSumAll( &deviation2 );
	totals->kick2 = pnSumAll( &kick2 );
	for ( int c = 0; c < 3; ++c )
	{
		totals->impulse[c] = pnSumQuad( &impulse, c );
		totals->torque[c] = pnSumQuad( &torque, c );
		totals->stray[c] = pnSumQuad( &stray, c );
		totals->slip[c] = pnSumQuad( &slip, c );
	}
}

static void pnAdvancePoints( const pnPointStep* step, int begin, int end, pnPointTotals* totals )
{
	if ( step->held )
	{
		pnAdvanceKind( step, begin, end, totals, 1, 1 );
	}
	else if ( step->turns )
	{
		pnAdvanceKind( step, begin, end, totals, 0, 1 );
	}
	else
	{
		pnAdvanceKind( step, begin, end, totals, 0, 0 );
	}
}

PN_INLINE void pnAdvanceBareKind( const pnPointStep* step, int begin, int end, const int held )
{
	pnRows h = pnSplatRows( step->step ), rate = pnSplatRows( step->after ), gain = pnSplatVec( step->gain );
	for ( int i = begin; i < end; i += PN_ROWS )
	{
		pnRows x = pnLoadPoints( step->x + 4 * i ), old = pnLoadPoints( step->v + 4 * i );
		pnRows force = pnLoadPoints( step->force + 4 * i );
		pnRows v = old - rate * ( force * pnSplatLast( old ) ) + gain;
		if ( held )
		{
			pnRowsMask loose = pnSplatLast( old ) > 0.0f;
			v = (pnRows)( ( (pnRowsMask)v & loose ) | ( (pnRowsMask)old & ~loose ) );
		}
		pnRows to = x + h * v, next = pnClampRows( to );
		v = (pnRows)( (pnRowsMask)v & ( next == to ) );
		pnStorePoints( step->v + 4 * i, pnKeepLast( v, old ) );
		pnStorePoints( step->x + 4 * i, pnKeepLast( next, x ) );
		pnStorePoints( step->force + 4 * i, (pnRows){ 0 } );
	}
}

static void pnAdvanceBarePoints( const pnPointStep* step, int begin, int end )
{
	step->held ? pnAdvanceBareKind( step, begin, end, 1 ) : pnAdvanceBareKind( step, begin, end, 0 );
}
