// bend_wide.h - what pushes have made of a drift, particle by particle in double; included once for each width. Knows particles and sums. A particle is one
// vector of x y z w, and particles are added in order: the same bits for every width.
#pragma once

#include "../base/simd.h"
#include "match.h"

typedef int64_t pnLong4 __attribute__( ( vector_size( 32 ) ) );

PN_INLINE pnDouble4 pnLoadDouble( const float* row )
{
	pnFloat4 at;
	memcpy( &at, row, 16 );
	return pnWiden4( at );
}
PN_INLINE pnDouble4 pnSplatDouble( double s ) { return (pnDouble4){ s, s, s, s }; }
PN_INLINE pnDouble4 pnVecDouble( const double a[3] ) { return (pnDouble4){ a[0], a[1], a[2], 0.0 }; }
PN_INLINE pnDouble4 pnTurnDouble( pnDouble4 a ) { return __builtin_shufflevector( a, a, 1, 2, 0, 3 ); }
// a x b, its components as z x y: a sum of these is turned when it is done.
PN_INLINE pnDouble4 pnCrossDouble( pnDouble4 a, pnDouble4 b ) { return a * pnTurnDouble( b ) - pnTurnDouble( a ) * b; }
// Adds x y z of a vector, rounded to float; the fourth stays.
PN_INLINE void pnAddDouble( float* row, pnDouble4 a )
{
	pnFloat4 at;
	memcpy( &at, row, 16 );
	at += __builtin_convertvector( (pnDouble4)( (pnLong4)a & (pnLong4){ -1, -1, -1, 0 } ), pnFloat4 );
	memcpy( row, &at, 16 );
}
PN_INLINE void pnStoreDouble( double out[3], pnDouble4 a ) { memcpy( out, &a, 3 * sizeof( double ) ); }

static void pnSumStraight( const pnBend* bend, double center[3], double flow[3], double spin[3] )
{
	pnDouble4 h = pnSplatDouble( bend->step ), base = pnVecDouble( bend->center ), zero = pnSplatDouble( 0.0 ), moment = zero, motion = zero, turned = zero;
	for ( int i = 0; i < bend->count; ++i )
	{
		pnDouble4 x = pnLoadDouble( bend->x + 4 * (size_t)i ), v = pnLoadDouble( bend->v + 4 * (size_t)i ), m = pnSplatDouble( x[3] ), arm = x - h * v - base;
		moment += m * arm;
		motion += m * v;
		turned += m * pnCrossDouble( arm, v );
	}
	pnStoreDouble( center, moment );
	pnStoreDouble( flow, motion );
	pnStoreDouble( spin, pnTurnDouble( turned ) );
}

static void pnBendPoints( const pnBend* bend, double momentum[3], double spin[3] )
{
	pnDouble4 h = pnSplatDouble( bend->step ), center = pnVecDouble( bend->center ), columns[3];
	for ( int j = 0; j < 3; ++j )
	{
		columns[j] = (pnDouble4){ bend->chord[j], bend->chord[3 + j], bend->chord[6 + j], 0.0 };
	}
	pnDouble4 stray = pnVecDouble( momentum ), turned = { spin[2], spin[0], spin[1], 0.0 };
	for ( int i = 0; i < bend->count; ++i )
	{
		float *xs = bend->x + 4 * (size_t)i, *vs = bend->v + 4 * (size_t)i;
		pnDouble4 x = pnLoadDouble( xs ), v = pnLoadDouble( vs ), m = pnSplatDouble( x[3] ), arm = x - h * v - center;
		pnDouble4 more = ( ( pnSplatDouble( 0.0 ) + columns[0] * pnSplatDouble( arm[0] ) ) + columns[1] * pnSplatDouble( arm[1] ) ) + columns[2] * pnSplatDouble( arm[2] );
		pnAddDouble( vs, more );
		pnAddDouble( xs, h * more );
		pnDouble4 to = pnLoadDouble( xs ), now = pnLoadDouble( vs ), place = to - center, way = to - x;
		stray += m * ( now - v );
		turned += m * ( pnCrossDouble( place, now ) - pnCrossDouble( place - way, v ) );
	}
	pnStoreDouble( momentum, stray );
	pnStoreDouble( spin, pnTurnDouble( turned ) );
}
