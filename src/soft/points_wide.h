// points_wide.h - a body's particles moved by one step, four particles to a register of sixteen floats; included once for each
// width. Knows particles and sums; knows no clusters and no bodies. Sums are taken in sixteen fixed lanes, then lane by lane,
// so that every width and every machine adds in the same order.
#pragma once

#include "../base/simd.h"
#include "match.h"

typedef float pnQuad __attribute__( ( vector_size( 64 ) ) ); // four particles of x y z w
typedef int32_t pnQuadMask __attribute__( ( vector_size( 64 ) ) );

PN_INLINE pnQuad pnLoadQuad( const float* at )
{
	pnQuad q;
	memcpy( &q, at, 64 );
	return q;
}
PN_INLINE void pnStoreQuad( float* at, pnQuad q ) { memcpy( at, &q, 64 ); }

PN_INLINE pnQuad pnTurnQuad( pnQuad a ) // y z x w
{
	return __builtin_shufflevector( a, a, 1, 2, 0, 3, 5, 6, 4, 7, 9, 10, 8, 11, 13, 14, 12, 15 );
}
PN_INLINE pnQuad pnSplatLast( pnQuad a ) // w w w w
{
	return __builtin_shufflevector( a, a, 3, 3, 3, 3, 7, 7, 7, 7, 11, 11, 11, 11, 15, 15, 15, 15 );
}
PN_INLINE pnQuad pnCrossQuad( pnQuad a, pnQuad b )
{
	return pnTurnQuad( a * pnTurnQuad( b ) - pnTurnQuad( a ) * b );
}
PN_INLINE pnQuad pnSplatVec( const float v[3] )
{
	return (pnQuad){ v[0], v[1], v[2], 0, v[0], v[1], v[2], 0, v[0], v[1], v[2], 0, v[0], v[1], v[2], 0 };
}
PN_INLINE pnQuad pnSplatQuad( float x )
{
	return x - (pnQuad){ 0 };
}

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

// p, u: place and velocity of four particles, relative to origin and mean.
PN_INLINE void pnAddSums( pnQuad quads[5], pnQuad m, pnQuad p, pnQuad u )
{
	pnQuad mp = m * p, mu = m * u;
	quads[0] += mp;
	quads[1] += mp * p;
	quads[2] += mp * pnTurnQuad( p );
	quads[3] += mu;
	quads[4] += pnCrossQuad( p, mu );
}

static void pnMeasurePoints( const pnPointStep* step, int begin, int end, pnPointSums* sums )
{
	pnQuad quads[5] = { { 0 } }, origin = pnSplatVec( step->origin ), mean = pnSplatVec( step->mean );
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i );
		pnAddSums( quads, pnSplatLast( x ), x - origin, pnLoadQuad( step->v + 4 * i ) - mean );
	}
	pnStoreSums( sums, quads );
}

// Columns of a matrix, for pnMapQuad.
typedef struct pnQuadMap { pnQuad columns[3]; } pnQuadMap;
PN_INLINE pnQuadMap pnSplatMap( const float m[9] )
{
	pnQuadMap map;
	for ( int c = 0; c < 3; ++c )
	{
		map.columns[c] = pnSplatVec( ( float[3] ){ m[c], m[3 + c], m[6 + c] } );
	}
	return map;
}
PN_INLINE pnQuad pnMapQuad( const pnQuadMap* map, pnQuad a )
{
	pnQuad x = __builtin_shufflevector( a, a, 0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8, 12, 12, 12, 12 );
	pnQuad y = __builtin_shufflevector( a, a, 1, 1, 1, 1, 5, 5, 5, 5, 9, 9, 9, 9, 13, 13, 13, 13 );
	pnQuad z = __builtin_shufflevector( a, a, 2, 2, 2, 2, 6, 6, 6, 6, 10, 10, 10, 10, 14, 14, 14, 14 );
	return map->columns[0] * x + map->columns[1] * y + map->columns[2] * z;
}

// What all particles of a step have in common, laid out for four at a time.
typedef struct pnStepQuads
{
	pnQuad origin, mean, center, rigid, turn, push, twist, drag, before, after;
	pnQuadMap chordBefore, chordAfter;
} pnStepQuads;

PN_INLINE pnStepQuads pnSplatStep( const pnPointStep* step, const int turns )
{
	pnStepQuads q;
	q.origin = pnSplatVec( step->origin ), q.mean = pnSplatVec( step->mean ), q.center = pnSplatVec( step->center );
	q.rigid = pnSplatVec( step->rigid ), q.turn = pnSplatVec( step->turn ), q.push = pnSplatVec( step->push ), q.twist = pnSplatVec( step->twist );
	q.drag = pnSplatQuad( step->drag ), q.before = pnSplatQuad( step->before ), q.after = pnSplatQuad( step->after );
	if ( turns )
	{
		q.chordBefore = pnSplatMap( step->chordBefore ), q.chordAfter = pnSplatMap( step->chordAfter );
	}
	return q;
}

// From the velocity of the drift before, relative to the mean, to that between the two halves of the kick. Writes the particle's deviation
// from its goal (with what damping takes in it), its arm, and its motion with the whole. `loose` is 0 for what is pinned.
PN_INLINE pnQuad pnHalfKick( const pnStepQuads* q, pnQuad x, pnQuad v, pnQuad force, const int held, const int turns, pnQuad* deviation, pnQuad* arm, pnQuad* whole,
							 pnQuad* loose )
{
	pnQuad inverse = pnSplatLast( v ), u = v - q->mean;
	*arm = ( x - q->origin ) - q->center;
	*whole = q->rigid + pnCrossQuad( q->turn, *arm );
	if ( turns )
	{
		u = u - pnMapQuad( &q->chordBefore, *arm );
	}
	*deviation = force * inverse + q->drag * u - ( q->push + pnCrossQuad( q->twist, *arm ) );
	*loose = pnSplatQuad( 1.0f );
	if ( held )
	{
		*loose = (pnQuad)( (pnQuadMask)*loose & ( inverse > 0.0f ) );
		*deviation = *loose * *deviation;
	}
	return u - q->before * *deviation;
}

PN_INLINE void pnBraceKind( const pnPointStep* step, int begin, int end, double kick[6], const int turns )
{
	pnQuad sum = { 0 }, torque = { 0 };
	pnStepQuads q = pnSplatStep( step, turns );
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i ), u = pnLoadQuad( step->v + 4 * i ) - q.mean, p = x - q.origin;
		if ( turns )
		{
			u = u - pnMapQuad( &q.chordBefore, p - q.center );
		}
		pnQuad md = pnLoadQuad( step->force + 4 * i ) + q.drag * ( pnSplatLast( x ) * u );
		sum += md;
		torque += pnCrossQuad( p, md );
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
	pnQuad deviation2 = { 0 }, kick2 = { 0 };
	pnStepQuads q = pnSplatStep( step, turns );
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i ), v = pnLoadQuad( step->v + 4 * i ), d, arm, whole, loose;
		pnQuad own = pnHalfKick( &q, x, v, pnLoadQuad( step->force + 4 * i ), held, turns, &d, &arm, &whole, &loose ) - whole;
		pnQuad m = loose * pnSplatLast( x );
		deviation2 += m * own * own;
		kick2 += m * d * d;
	}
	weights[0] = pnSumAll( &deviation2 );
	weights[1] = pnSumAll( &kick2 );
}

static void pnWeighPoints( const pnPointStep* step, int begin, int end, double weights[2] )
{
	step->held ? pnWeighKind( step, begin, end, weights, 1, 1 ) : pnWeighKind( step, begin, end, weights, 0, 1 );
}

PN_INLINE pnQuad pnClampQuad( pnQuad x ) // a world is a cube of 2e8 m; what leaves it stands at its wall
{
	pnQuad limit = pnSplatQuad( 1e8f );
	pnQuadMask inside = x <= limit;
	x = (pnQuad)( ( inside & (pnQuadMask)x ) | ( ~inside & (pnQuadMask)limit ) );
	inside = x >= -limit;
	return (pnQuad)( ( inside & (pnQuadMask)x ) | ( ~inside & ( pnQuadMask ) - limit ) );
}

// The fourth component of each row is not velocity or place: it stays.
PN_INLINE pnQuad pnKeepLast( pnQuad rows, pnQuad old )
{
	return __builtin_shufflevector( rows, old, 0, 1, 2, 19, 4, 5, 6, 23, 8, 9, 10, 27, 12, 13, 14, 31 );
}

PN_INLINE void pnAdvanceKind( const pnPointStep* step, int begin, int end, pnPointTotals* totals, const int held, const int turns )
{
	pnQuad zero = { 0 }, sums[5] = { { 0 } }, impulse = zero, torque = zero, deviation2 = zero, kick2 = zero, stray = zero, slip = zero;
	pnStepQuads q = pnSplatStep( step, turns );
	pnQuad h = pnSplatQuad( step->step ), lag = pnSplatVec( step->lag );
	pnQuad gain = pnSplatVec( step->gain ), swing = pnSplatVec( step->swing ), ahead = pnSplatVec( step->ahead ), less = pnSplatQuad( 1.0f - step->keep );
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i ), old = pnLoadQuad( step->v + 4 * i ), m = pnSplatLast( x ), d, arm, whole, loose;
		pnQuad mid = pnHalfKick( &q, x, old, pnLoadQuad( step->force + 4 * i ), held, turns, &d, &arm, &whole, &loose ), own = mid - whole;
		pnQuad u = mid - less * own - q.after * d;
		if ( turns )
		{
			u = u + pnMapQuad( &q.chordAfter, arm );
		}
		pnQuad v = ( u + q.mean ) + gain;
		if ( held )
		{
			v = v + pnCrossQuad( swing, arm );
			v = (pnQuad)( ( (pnQuadMask)v & ( loose > 0.0f ) ) | ( (pnQuadMask)old & ( loose <= 0.0f ) ) );
		}
		pnQuad way = h * v, to = x + ( way + lag ), next = pnClampQuad( to ), off = ( next - x ) - way;
		v = (pnQuad)( (pnQuadMask)v & ( next == to ) );
		pnQuad made = m * ( v - old ), after = v - q.mean, free = loose * m;
		impulse += made;
		torque += pnCrossQuad( x - q.origin, made );
		deviation2 += free * own * own;
		kick2 += free * d * d;
		stray += pnCrossQuad( off, m * after );
		slip += m * off;
		pnAddSums( sums, m, next - ahead, after );
		pnStoreQuad( step->v + 4 * i, pnKeepLast( v, old ) );
		pnStoreQuad( step->x + 4 * i, pnKeepLast( next, x ) );
		pnStoreQuad( step->force + 4 * i, zero );
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

static void pnAdvanceBarePoints( const pnPointStep* step, int begin, int end )
{
	pnQuad h = pnSplatQuad( step->step ), rate = pnSplatQuad( step->after ), gain = pnSplatVec( step->gain );
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i ), old = pnLoadQuad( step->v + 4 * i );
		pnQuad force = pnLoadQuad( step->force + 4 * i );
		pnQuad v = old - rate * ( force * pnSplatLast( old ) ) + gain;
		if ( step->held )
		{
			pnQuadMask loose = pnSplatLast( old ) > 0.0f;
			v = (pnQuad)( ( (pnQuadMask)v & loose ) | ( (pnQuadMask)old & ~loose ) );
		}
		pnQuad to = x + h * v, next = pnClampQuad( to );
		v = (pnQuad)( (pnQuadMask)v & ( next == to ) );
		pnStoreQuad( step->v + 4 * i, pnKeepLast( v, old ) );
		pnStoreQuad( step->x + 4 * i, pnKeepLast( next, x ) );
		pnStoreQuad( step->force + 4 * i, ( pnQuad ){ 0 } );
	}
}
