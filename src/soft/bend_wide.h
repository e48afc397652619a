// bend_wide.h - what contact has made of a body as a whole and of its drift, particle by particle; included once for each width, after points_wide.h. Knows
// particles and sums: rows and lanes are those of points_wide.h, blocks of PN_BLOCK are added in order, so every width and every machine comes to the same bits.
#pragma once

#include "points_wide.h"

PN_INLINE pnRows pnSplatFour( const float a[4] ) { return pnSplatVec( a[0], a[1], a[2] ); }
PN_INLINE pnRows pnCrossRows( pnRows a, pnRows b ) { return pnTurnRows( pnCrossTurned( a, b ) ); }
PN_INLINE pnRows pnOnlyWhere( pnRowsMask mask, pnRows a ) { return (pnRows)( (pnRowsMask)a & mask ); }

PN_INLINE void pnAddSum3( double to[3], const double add[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		to[k] += add[k];
	}
}

// Rows from begin to end. What is pinned, or nobody, stays.
PN_INLINE void pnSpreadBlock( const pnSpread* s, int begin, int end, double center[3], double spin[3], double shoved[3] )
{
	float *xs = s->x, *vs = s->v;
	pnRows velocity = pnSplatFour( s->velocity ), turn = pnSplatFour( s->turn ), move = pnSplatFour( s->move ), twist = pnSplatFour( s->twist );
	pnRows pivot = pnSplatFour( s->pivot ), mean = pnSplatFour( s->mean ), h = pnSplatVec( s->step, s->step, s->step );
	pnQuad moment, turned, moved;
	double sum[3];
	PN_FOR_PIECES( piece )
	{
		pnRows addMoment = { 0 }, addTurned = { 0 }, addMoved = { 0 };
		PN_FOR_PIECE( i, piece )
		{
			pnRows x = pnLoadPoints( xs + 4 * i ), v = pnLoadPoints( vs + 4 * i );
			pnRowsMask loose = pnSplatLast( v ) > 0.0f;
			pnRows arm = x - v * h - pivot, gained = pnOnlyWhere( loose, velocity + pnCrossRows( turn, arm ) ), way = pnOnlyWhere( loose, pnCrossRows( twist, arm ) ), m = pnOnlyWhere( loose, pnSplatLast( x ) );
			pnRows aside = pnOnlyWhere( loose, move ) + way;
			v += gained;
			x += gained * h + aside;
			pnStorePoints( vs + 4 * i, v );
			pnStorePoints( xs + 4 * i, x );
			pnRows own = m * ( v - mean );
			addMoment += m * ( arm + aside );
			addTurned += pnCrossTurned( arm, own );
			addMoved += pnCrossTurned( way, own );
		}
		moment.pieces[piece] = addMoment, turned.pieces[piece] = addTurned, moved.pieces[piece] = addMoved;
	}
	pnStoreSum( sum, &moment );
	pnAddSum3( center, sum );
	pnStoreTurned( sum, &turned );
	pnAddSum3( spin, sum );
	pnStoreTurned( sum, &moved );
	pnAddSum3( shoved, sum );
}

static void pnSpreadWhole( const pnSpread* s, double center[3], double spin[3], double shoved[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		center[k] = spin[k] = shoved[k] = 0.0;
	}
	for ( int begin = 0; begin < s->count; begin += PN_BLOCK )
	{
		pnSpreadBlock( s, begin, begin + PN_BLOCK < s->count ? begin + PN_BLOCK : s->count, center, spin, shoved );
	}
}

PN_INLINE void pnBendBlock( const pnBend* bend, int begin, int end, double momentum[3], double spin[3] )
{
	float *xs = bend->x, *vs = bend->v;
	const float* c = bend->chord;
	pnRows h = pnSplatVec( bend->step, bend->step, bend->step ), center = pnSplatFour( bend->center ), rest = pnSplatFour( bend->rest ), mean = pnSplatFour( bend->mean ), turn = pnSplatFour( bend->turn );
	pnRows columns[3] = { pnSplatVec( c[0], c[3], c[6] ), pnSplatVec( c[1], c[4], c[7] ), pnSplatVec( c[2], c[5], c[8] ) };
	pnQuad stray, turned;
	double sum[3];
	PN_FOR_PIECES( piece )
	{
		pnRows addStray = { 0 }, addTurned = { 0 };
		PN_FOR_PIECE( i, piece )
		{
			pnRows x = pnLoadPoints( xs + 4 * i ), v = pnLoadPoints( vs + 4 * i ), m = pnSplatLast( x ), place = x - center - rest, arm = place - h * v;
			pnRowsMask there = m > 0.0f;
			pnRows ax = PN_SHUFFLE( arm, arm, 0, 0, 0, 0 ), ay = PN_SHUFFLE( arm, arm, 1, 1, 1, 1 ), az = PN_SHUFFLE( arm, arm, 2, 2, 2, 2 );
			pnRows more = pnOnlyWhere( there, ( columns[0] * ax + columns[1] * ay ) + columns[2] * az );
			pnRows v1 = v + ( more + pnOnlyWhere( there, pnCrossRows( turn, place - h * mean ) ) ), x1 = x + h * more, gained = m * ( v1 - v ), way = x1 - x;
			pnStorePoints( vs + 4 * i, v1 );
			pnStorePoints( xs + 4 * i, x1 );
			addStray += gained;
			addTurned += pnCrossTurned( place + way, gained ) + pnCrossTurned( way, m * v );
		}
		stray.pieces[piece] = addStray, turned.pieces[piece] = addTurned;
	}
	pnStoreSum( sum, &stray );
	pnAddSum3( momentum, sum );
	pnStoreTurned( sum, &turned );
	pnAddSum3( spin, sum );
}

static void pnBendPoints( const pnBend* bend, double momentum[3], double spin[3] )
{
	for ( int begin = 0; begin < bend->count; begin += PN_BLOCK )
	{
		pnBendBlock( bend, begin, begin + PN_BLOCK < bend->count ? begin + PN_BLOCK : bend->count, momentum, spin );
	}
}
