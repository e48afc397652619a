// bend_wide.h - what contact has made of a body as a whole and of its drift, particle by particle; included once for each width. Knows particles and sums. A
// particle is one vector of x y z w, and particles are added in order: the same bits for every width.
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

PN_INLINE pnFloat4 pnLoadFloat( const float* row )
{
	pnFloat4 at;
	memcpy( &at, row, 16 );
	return at;
}
PN_INLINE pnFloat4 pnSplatFloat( float s ) { return (pnFloat4){ s, s, s, s }; }
PN_INLINE pnFloat4 pnTurnFloat( pnFloat4 a ) { return __builtin_shufflevector( a, a, 1, 2, 0, 3 ); }
PN_INLINE pnFloat4 pnCrossAsZxy( pnFloat4 a, pnFloat4 b ) { return a * pnTurnFloat( b ) - pnTurnFloat( a ) * b; }
PN_INLINE pnFloat4 pnCrossFloat( pnFloat4 a, pnFloat4 b ) { return pnTurnFloat( pnCrossAsZxy( a, b ) ); }

static void pnSpreadWhole( const pnSpread* s, double center[3], double spin[3], double shoved[3] )
{
	pnFloat4 velocity = pnLoadFloat( s->velocity ), turn = pnLoadFloat( s->turn ), move = pnLoadFloat( s->move ), twist = pnLoadFloat( s->twist );
	pnFloat4 pivot = pnLoadFloat( s->pivot ), mean = pnLoadFloat( s->mean ), h = pnSplatFloat( s->step );
	pnDouble4 moment = pnSplatDouble( 0.0 ), turned = moment, moved = moment;
	for ( int i = 0; i < s->count; ++i )
	{
		float *xs = s->x + 4 * (size_t)i, *vs = s->v + 4 * (size_t)i;
		pnFloat4 x = pnLoadFloat( xs ), v = pnLoadFloat( vs );
		if ( !( v[3] > 0.0f ) )
		{
			continue; // pinned, or nobody
		}
		pnFloat4 arm = x - v * h - pivot, gained = velocity + pnCrossFloat( turn, arm ), way = pnCrossFloat( twist, arm ), m = pnSplatFloat( x[3] );
		gained[3] = way[3] = 0.0f; // masses stay
		v += gained;
		pnFloat4 aside = move + way;
		x += gained * h + aside;
		memcpy( vs, &v, 16 );
		memcpy( xs, &x, 16 );
		pnFloat4 own = v - mean;
		moment += pnWiden4( m * ( arm + aside ) );
		turned += pnWiden4( m * pnCrossAsZxy( arm, own ) );
		moved += pnWiden4( m * pnCrossAsZxy( way, own ) );
	}
	pnStoreDouble( center, moment );
	pnStoreDouble( spin, pnTurnDouble( turned ) );
	pnStoreDouble( shoved, pnTurnDouble( moved ) );
}

static void pnBendPoints( const pnBend* bend, double momentum[3], double spin[3] )
{
	pnDouble4 h = pnSplatDouble( bend->step ), center = pnVecDouble( bend->center ), pivot = pnVecDouble( bend->pivot ), turn = pnVecDouble( bend->turn ), columns[3];
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
		pnAddDouble( vs, more + pnTurnDouble( pnCrossDouble( turn, x - pivot ) ) );
		pnAddDouble( xs, h * more );
		pnDouble4 to = pnLoadDouble( xs ), now = pnLoadDouble( vs ), place = to - center, way = to - x;
		stray += m * ( now - v );
		turned += m * ( pnCrossDouble( place, now ) - pnCrossDouble( place - way, v ) );
	}
	pnStoreDouble( momentum, stray );
	pnStoreDouble( spin, pnTurnDouble( turned ) );
}
