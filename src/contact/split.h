// split.h - a direction along which two bodies lie apart, or nearly so: what is on the far side of either need not be searched. Knows two
// colliders and their candidates; no pairs, no time.
#pragma once

#include "contact.h"
#include "rows.h"

typedef struct pnSplit
{
	pnF4 axis; // unit, from a to b
	pnF4 base; // places are measured from here
	float upper; // metres along the axis: no point of a's surface is farther
	float lower; // none of b's is nearer
} pnSplit;

// Of the line of centres and of the faces that candidates are at: the one along which there is most room between them; lower - upper, negative if
// none separates them. Points of b at a's surface come first, then from `middle` on those of a at b's.
pnSplit pnFindSplit( const pnCollider* a, const pnCollider* b, const pnCandidate* candidates, int middle, int count );

// How one body drifts against the other in a substep, as far as it may be looked back: beyond half the thinner one it would be another side's.
static inline pnF4 pnDriftOf( const pnCollider* of, const pnCollider* at, float h )
{
	pnF4 drift = ( pnRow4( of->mean, 0 ) - pnRow4( at->mean, 0 ) ) * pnSplat4( of == at ? 0.0f : h );
	float thin = of->surface->thinnest < at->surface->thinnest ? of->surface->thinnest : at->surface->thinnest, most = 0.5f * thin, way2 = pnDot4( drift, drift );
	return way2 > most * most ? drift * pnSplat4( most / __builtin_sqrtf( way2 ) ) : drift;
}

// A place of b that is farther along the axis is out of reach of a.
static inline float pnFarLimit( float upper, float reach, float size ) { return upper + reach + 1e-5f * size; } // and what rounding may be
