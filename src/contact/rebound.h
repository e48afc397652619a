// rebound.h - how much of a hit a contact gives back, and how what rocks on it comes to rest. Knows the rows of one pair and its colliders.
//
// Only the particles of a body that touch are damped against the rest of it: n of N of them hold it with n/N of its stiffness and of its damping, so that as a
// whole it would swing on its contact with a damping ratio of only sqrt( n/N ) of its material's. A dashpot between the two as wholes makes up for the rest:
// a contact then gives back what a spring of that damping ratio does. It is part of the push: it never pulls more than surfaces have pushed. Likewise for what
// rocks: about the middle of its patch a dashpot slows its turn.
#pragma once

#include "row.h"

// Where two touch in this substep: sums over their rows.
typedef struct pnPatch
{
	pnF4 normal, armA, armB, apart, place, ground; // the way b goes; from the pivots; from the one to the other; after the drift; velocity of the shape there
	pnF4 lever, square, product; // arm x normal of b, by which a turn of it lifts it there; products xx yy zz and xy yz zx
	pnF4 pressed, lifted; // levers times pushes, and times the shape's speed along the normal
	float lift; // that speed
	float push; // N s that they begin with
	int count, pointsA, pointsB; // rows; points of each that touch
} pnPatch;

PN_INLINE_CONTACT pnPatch pnNoPatch( void )
{
	pnF4 zero = pnSplat4( 0.0f );
	return (pnPatch){ zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, 0.0f, 0.0f, 0, 0, 0 };
}

PN_INLINE_CONTACT void pnAddToPatch( pnPatch* patch, const pnRow* row, const pnSides* s, bool ofB ) // ofB: it is b that has the point
{
	if ( !( row->push[3] > 0.0f || row->place[3] > 0.0f ) || row->outward )
	{
		return;
	}
	pnF4 sign = pnSplat4( ofB ? 1.0f : -1.0f );
	patch->normal += pnLoad4( row->normal ) * sign;
	patch->apart += s->at != NULL ? pnExchangedOver( row, s, 0.0f, 0.0f ) * sign : pnSplat4( 0.0f );
	patch->armB += pnLoad4( ofB ? row->armOf : row->armAt );
	patch->armA += pnLoad4( ofB ? row->armAt : row->armOf );
	patch->place += pnLoad4( row->place );
	patch->ground += pnLoad4( row->ground );
	pnF4 lever = pnCross4( pnLoad4( ofB ? row->armOf : row->armAt ), pnLoad4( row->normal ) * sign );
	float lift = pnDot4( pnLoad4( row->normal ), pnLoad4( row->ground ) );
	patch->lever += lever;
	patch->square += lever * lever;
	patch->product += lever * pnTurn4( lever );
	patch->lifted += lever * pnSplat4( lift );
	patch->pressed += lever * pnSplat4( row->push[3] );
	patch->lift += lift;
	patch->push += row->push[3];
	patch->count += 1;
	patch->pointsA += !ofB;
	patch->pointsB += ofB;
}

// The dashpot of a pair, given to its wholes before rows are swept. of: b.
void pnDampPair( pnPair* pair, const pnPatch* patch, const pnSides* sides, float h );
// After each sweep: what it pulled more than the rows have pushed, N s along their normals, is given back.
void pnTrimDashpot( pnPair* pair, const pnSides* sides, float pushed );
// After the last. sums: what there is to be booked for b.
void pnCloseDashpot( pnPair* pair, const pnSides* sides, pnF4 origin, pnPushSums* sums );
