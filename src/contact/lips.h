// lips.h - the lips of slits: which particles face which across a slit. Knows rest places and links; no bodies, no time.
#pragma once

#include "near.h"
#include "surface.h"

#include "../base/cloud.h"

// lips: room for one of each particle. False: no memory.
bool pnFindLipsOf( const pnSurfaceSource* source, pnScratch* scratch, pnLip* lips, int* lipCount );

// A particle against what faces it across the slit: the plane of three particles of the other lip. The distance is what the slit gapes. False: it has slid away from
// there, or that lip is crushed.
static inline bool pnSeeLip( const pnLip* lip, const float* x, pnSpot* spot )
{
	static const float beyond = -0.5f; // least weight of a corner: a particle may lie beside the three by half of their size
	pnF4 a = pnRow4( x, lip->corners[0] ), e1 = pnRow4( x, lip->corners[1] ) - a, e2 = pnRow4( x, lip->corners[2] ) - a, r = pnRow4( x, lip->particle ) - a, n = pnCross4( e1, e2 );
	float area2 = pnDot4( n, n ), inverse = 1.0f / ( area2 + 1e-30f );
	spot->weights[2] = pnDot4( pnCross4( e1, r ), n ) * inverse;
	spot->weights[1] = pnDot4( pnCross4( r, e2 ), n ) * inverse;
	spot->weights[0] = 1.0f - spot->weights[1] - spot->weights[2];
	spot->normal = n * pnSplat4( __builtin_sqrtf( inverse ) );
	spot->distance = pnDot4( spot->normal, r ) - lip->gap;
	spot->triangle = -1;
	spot->facing = 1.0f;
	return area2 > 0.1f * lip->area2 && spot->weights[0] > beyond && spot->weights[1] > beyond && spot->weights[2] > beyond;
}
