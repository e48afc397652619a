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

// Deviations are told with the damping in them: d = ( force + drag m (v - mean) ) / m.
static void pnMeasurePoints( const pnPointStep* step, int begin, int end, pnPointSums* sums )
{
	pnQuad zero = { 0 }, kick = zero, torque = zero, moment = zero, diagonal = zero, mixed = zero, power = zero, lastPower = zero, stiff = zero, flow = zero;
	pnQuad origin = pnSplatVec( step->origin ), mean = pnSplatVec( step->mean ), drag = pnSplatQuad( step->drag );
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i ), v = pnLoadQuad( step->v + 4 * i ), last = pnLoadQuad( step->last + 4 * i );
		pnQuad m = pnSplatLast( x ), inverse = pnSplatLast( v ), p = x - origin, u = v - mean, mp = m * p, mu = m * u;
		pnQuad md = pnLoadQuad( step->force + 4 * i ) + drag * mu;
		kick += md;
		torque += pnCrossQuad( p, md );
		moment += mp;
		flow += mu;
		diagonal += mp * p;
		mixed += mp * pnTurnQuad( p );
		power += u * md;
		lastPower += mu * last;
		if ( step->held ) // what is held is not kicked
		{
			md = md * ( 1.0f - pnSplatLast( last ) );
		}
		stiff += md * md * inverse;
	}
	double rate = (double)step->pull / (double)step->step;
	for ( int c = 0; c < 3; ++c )
	{
		sums->kick[c] = rate * pnSumQuad( &kick, c );
		sums->torque[c] = rate * pnSumQuad( &torque, c );
		sums->moment[c] = pnSumQuad( &moment, c );
		sums->second[c] = pnSumQuad( &diagonal, c );
		sums->second[3 + c] = pnSumQuad( &mixed, c );
		sums->flow[c] = pnSumQuad( &flow, c );
	}
	sums->power = pnSumAll( &power );
	sums->lastPower = pnSumAll( &lastPower );
	sums->stiff2 = pnSumAll( &stiff );
}

// Deviation d, and the velocity in the middle of the kick relative to the mean, where energy is told.
PN_INLINE pnQuad pnMidVelocity( const pnPointStep* step, int i, pnQuad x, pnQuad v, pnQuad half, pnQuad* d )
{
	pnQuad u = v - pnSplatVec( step->mean ), md = pnLoadQuad( step->force + 4 * i ) + pnSplatQuad( step->drag ) * ( pnSplatLast( x ) * u );
	*d = md * pnSplatLast( v );
	return u - half * *d;
}

static void pnMeasureRigid( const pnPointStep* step, int begin, int end, pnPointRigid* sums )
{
	pnQuad zero = { 0 }, moment = zero, spin = zero, origin = pnSplatVec( step->origin ), half = pnSplatQuad( 0.5f * step->pull / step->step ), d;
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i ), v = pnLoadQuad( step->v + 4 * i );
		pnQuad mv = pnSplatLast( x ) * pnMidVelocity( step, i, x, v, half, &d );
		moment += mv;
		spin += pnCrossQuad( x - origin, mv );
	}
	for ( int c = 0; c < 3; ++c )
	{
		sums->moment[c] = pnSumQuad( &moment, c );
		sums->spin[c] = pnSumQuad( &spin, c );
	}
}

static double pnMeasureDeviation( const pnPointStep* step, int begin, int end )
{
	pnQuad sum = { 0 }, rigid = pnSplatVec( step->rigid ), spin = pnSplatVec( step->spin ), d;
	pnQuad origin = pnSplatVec( step->origin ), center = pnSplatVec( step->center ), half = pnSplatQuad( 0.5f * step->pull / step->step );
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i ), v = pnLoadQuad( step->v + 4 * i ), u = pnMidVelocity( step, i, x, v, half, &d );
		u = u - rigid - pnCrossQuad( spin, ( x - origin ) - center );
		if ( step->held )
		{
			u = u * ( 1.0f - pnSplatLast( pnLoadQuad( step->last + 4 * i ) ) );
		}
		sum += 0.5f * ( pnSplatLast( x ) * u * u );
	}
	return pnSumAll( &sum );
}

PN_INLINE pnQuad pnClampQuad( pnQuad x ) // a world is a cube of 2e8 m; what leaves it waits at its wall
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

PN_INLINE void pnAdvanceKind( const pnPointStep* step, int begin, int end, pnPointTotals* totals, const int held, const int govern )
{
	pnQuad kinetic = { 0 }, flow = { 0 }, stray = { 0 }, slip = { 0 }, lag = pnSplatVec( step->lag ), origin = pnSplatVec( step->origin );
	pnQuad h = pnSplatQuad( step->step ), mean = pnSplatVec( step->mean );
	pnQuad half = pnSplatQuad( 0.5f * step->pull / step->step ), halfAfter = pnSplatQuad( 0.5f * step->pullAfter / step->step ), d;
	pnQuad push = pnSplatVec( step->push ), turn = pnSplatVec( step->turn ), center = pnSplatVec( step->center ), gain = pnSplatVec( step->gain );
	pnQuad rigid = pnSplatVec( step->rigid ), spin = pnSplatVec( step->spin ), keep = pnSplatQuad( step->keep );
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i ), old = pnLoadQuad( step->v + 4 * i ), m = pnSplatLast( x ), arm = ( x - origin ) - center;
		pnQuad u = pnMidVelocity( step, i, x, old, half, &d );
		if ( govern )
		{
			pnQuad r = rigid + pnCrossQuad( spin, arm );
			u = r + keep * ( u - r );
		}
		u = u + push + pnCrossQuad( turn, arm );
		pnQuad mid = u + mean, v = mid - halfAfter * d + gain, last = { 0 };
		if ( held )
		{
			last = pnLoadQuad( step->last + 4 * i );
			pnQuad hold = pnSplatLast( last );
			v = v + hold * ( old - v );
			mid = mid + hold * ( old - mid );
		}
		kinetic += 0.5f * ( m * mid * mid );
		pnQuad way = h * v, next = pnClampQuad( x + ( way + lag ) ), off = ( next - x ) - way, mv = m * ( v - mean );
		flow += mv;
		stray += pnCrossQuad( off, mv );
		slip += m * off;
		pnStoreQuad( step->v + 4 * i, pnKeepLast( v, old ) );
		pnStoreQuad( step->last + 4 * i, pnKeepLast( d, last ) );
		pnStoreQuad( step->x + 4 * i, pnKeepLast( next, x ) );
		pnStoreQuad( step->force + 4 * i, ( pnQuad ){ 0 } );
	}
	totals->kinetic = pnSumAll( &kinetic );
	for ( int c = 0; c < 3; ++c )
	{
		totals->flow[c] = pnSumQuad( &flow, c );
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
	else if ( step->keep < 1.0f )
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
	pnQuad h = pnSplatQuad( step->step ), rate = pnSplatQuad( step->pull / step->step ), gain = pnSplatVec( step->gain );
	for ( int i = begin; i < end; i += 4 )
	{
		pnQuad x = pnLoadQuad( step->x + 4 * i ), old = pnLoadQuad( step->v + 4 * i );
		pnQuad force = pnLoadQuad( step->force + 4 * i );
		pnQuad v = old - rate * ( force * pnSplatLast( old ) ) + gain;
		if ( step->held )
		{
			v = v + pnSplatLast( pnLoadQuad( step->last + 4 * i ) ) * ( old - v );
		}
		pnStoreQuad( step->v + 4 * i, pnKeepLast( v, old ) );
		pnStoreQuad( step->x + 4 * i, pnKeepLast( pnClampQuad( x + h * v ), x ) );
		pnStoreQuad( step->force + 4 * i, ( pnQuad ){ 0 } );
	}
}
