// respond.h - one contact, pushed apart: position and velocity together, so that x' - x = h v stays true; depth that was there before is
// made up for by moving only, a part each substep. The one response of all detectors and shapes. Knows colliders.
#pragma once

#include "contact.h"
#include "near.h"

// A contact as the response sees it, whoever found it.
typedef struct pnPush
{
	int32_t points[2]; // particles of the body that is outside, and their weights
	float pointWeights[2];
	int32_t parts[4]; // particles of the other one's surface
	float partWeights[4];
	pnF4 normal; // unit, the way the point is pushed
	pnF4 arm; // from the place on the surface to the point
	float gap; // metres, < 0: how far it is to be pushed
	pnF4 carried; // metres the ground under it has moved in this substep; 0 between bodies
} pnPush;

typedef struct pnPushing
{
	float h, perH;
	float friction;
	float perMassOf, perMassAt; // 1/kg; 0: it does not give way
	float slop; // metres of depth that may stay: what rests is left in peace
} pnPushing;

static const float pn_recovery = 0.3f; // of old depth, each substep: more makes piles tremble (measured on piles of ellipsoids)

PN_INLINE_CONTACT void pnAddTo( float sum[3], pnF4 add )
{
	sum[0] += add[0], sum[1] += add[1], sum[2] += add[2];
}

PN_INLINE_CONTACT float pnGiving( const pnCollider* c, int particle, float perMass )
{
	float held = c->held ? c->last[4 * (size_t)particle + 3] : 0.0f;
	return ( 1.0f - held ) * c->v[4 * (size_t)particle + 3] * perMass;
}

// partCount: 0 against a shape, 3 or 4 else. Returns the momentum given to `of`, N s.
PN_INLINE_CONTACT pnF4 pnRespond( const pnPushing* with, pnCollider* of, pnCollider* at, const pnPush* push, const int pointCount, const int partCount )
{
	pnF4 relative = -push->carried;
	float give[6], sum = 0.0f;
	for ( int i = 0; i < pointCount; ++i )
	{
		relative += pnRow4( of->v, push->points[i] ) * pnSplat4( with->h * push->pointWeights[i] );
		give[i] = pnGiving( of, push->points[i], with->perMassOf ) * push->pointWeights[i];
		sum += give[i] * push->pointWeights[i];
	}
	for ( int i = 0; i < partCount; ++i )
	{
		relative -= pnRow4( at->v, push->parts[i] ) * pnSplat4( with->h * push->partWeights[i] );
		give[2 + i] = pnGiving( at, push->parts[i], with->perMassAt ) * push->partWeights[i];
		sum += give[2 + i] * push->partWeights[i];
	}
	if ( !( sum > 1e-30f ) )
	{
		return pnSplat4( 0.0f );
	}
	pnF4 n = push->normal;
	float along = pnDot4( n, relative ), depth = -push->gap, before = depth + along; // depth it had when the substep began
	float old = before > 0.0f ? ( before < depth ? before : depth ) : 0.0f, fresh = depth - old;
	float kept = old > with->slop ? ( old - with->slop ) * pn_recovery : 0.0f;
	pnF4 slide = relative - n * pnSplat4( along );
	float slid2 = pnDot4( slide, slide ), most = with->friction * fresh;
	slide *= pnSplat4( slid2 > most * most ? most / __builtin_sqrtf( slid2 ) : 1.0f );
	float perSum = 1.0f / sum;
	pnF4 moved = ( n * pnSplat4( fresh ) - slide ) * pnSplat4( perSum ); // kg m, with velocity
	pnF4 shifted = n * pnSplat4( kept * perSum ); // and without
	pnF4 momentum = moved * pnSplat4( with->perH ), way = moved + shifted;
	for ( int i = 0; i < pointCount; ++i )
	{
		pnAddRow4( of->x, push->points[i], way * pnSplat4( give[i] ) );
		pnAddRow4( of->v, push->points[i], momentum * pnSplat4( give[i] ) );
	}
	for ( int k = 0; k < 3; ++k )
	{
		of->gain[k] += (double)( momentum[k] * with->perMassOf );
		of->shift[k] += (double)( shifted[k] * with->perMassOf );
	}
	of->shoved |= kept > 0.0f;
	of->touched = true;
	if ( partCount > 0 )
	{
		for ( int i = 0; i < partCount; ++i )
		{
			pnAddRow4( at->x, push->parts[i], -way * pnSplat4( give[2 + i] ) );
			pnAddRow4( at->v, push->parts[i], -momentum * pnSplat4( give[2 + i] ) );
		}
		// Momentum is exchanged where the two are now, a drift too late and a thickness apart: what spin that makes is kept count of.
		pnF4 after = ( relative + ( n * pnSplat4( fresh ) - slide ) ) * pnSplat4( with->perH );
		pnF4 spin = pnCross4( push->arm - relative, momentum ) + pnCross4( shifted, after );
		float share = with->perMassAt > 0.0f && with->perMassOf > 0.0f ? 0.5f : 1.0f;
		for ( int k = 0; k < 3; ++k )
		{
			of->spun[k] += (double)( share * spin[k] * with->perMassOf );
			at->spun[k] += (double)( share * spin[k] * with->perMassAt );
			at->gain[k] -= (double)( momentum[k] * with->perMassAt );
			at->shift[k] -= (double)( shifted[k] * with->perMassAt );
		}
		at->shoved |= kept > 0.0f;
		at->touched = true;
	}
	return momentum;
}
