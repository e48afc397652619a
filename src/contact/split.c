// split.c - a direction along which two bodies lie apart. Bodies that lie side by side, as pieces beside a cut do, are so along the normal of a
// face where they meet, mostly; the line of centres is tried first. Knows two colliders and their candidates.
#include "split.h"

#include "near.h"

static const pnI4 pn_lanes[16] = { { 0, 0, 0, 0 },	 { -1, 0, 0, 0 },	{ 0, -1, 0, 0 },   { -1, -1, 0, 0 },  { 0, 0, -1, 0 },	 { -1, 0, -1, 0 },	{ 0, -1, -1, 0 },	{ -1, -1, -1, 0 },
								   { 0, 0, 0, -1 }, { -1, 0, 0, -1 }, { 0, -1, 0, -1 }, { -1, -1, 0, -1 }, { 0, 0, -1, -1 }, { -1, 0, -1, -1 }, { 0, -1, -1, -1 }, { -1, -1, -1, -1 } };

// How far the surface reaches along an axis from the base, metres. What is not a number reaches nowhere.
static float pnReachAlong( const pnCollider* c, pnF4 base, pnF4 axis )
{
	const pnSurface* s = c->surface;
	pnF4 most = pnSplat4( -1e30f ), x = pnSplat4( axis[0] ), y = pnSplat4( axis[1] ), z = pnSplat4( axis[2] );
	for ( int quad = 0; quad < s->quadCount; ++quad )
	{
		const float* at = c->x + 16 * (size_t)quad;
		pnI4 lanes = pn_lanes[s->vertexMask[quad] & 15];
		pnF4 p = pnLoad4( at ) - base, q = pnLoad4( at + 4 ) - base, r = pnLoad4( at + 8 ) - base, t = pnLoad4( at + 12 ) - base;
		pnF4 pq = __builtin_shufflevector( p, q, 0, 4, 1, 5 ), rt = __builtin_shufflevector( r, t, 0, 4, 1, 5 );
		pnF4 zpq = __builtin_shufflevector( p, q, 2, 6, 3, 7 ), zrt = __builtin_shufflevector( r, t, 2, 6, 3, 7 );
		pnF4 along = __builtin_shufflevector( pq, rt, 0, 1, 4, 5 ) * x + __builtin_shufflevector( pq, rt, 2, 3, 6, 7 ) * y + __builtin_shufflevector( zpq, zrt, 0, 1, 4, 5 ) * z;
		along = (pnF4)( ( lanes & (pnI4)along ) | ( ~lanes & (pnI4)most ) );
		most = pnMax4( along, most );
	}
	float low = most[0] > most[1] ? most[0] : most[1], high = most[2] > most[3] ? most[2] : most[3];
	return low > high ? low : high;
}

static void pnTryAxis( pnSplit* best, const pnCollider* a, const pnCollider* b, pnF4 axis )
{
	float length2 = pnDot4( axis, axis );
	if ( !( length2 > 0.5f && length2 < 2.0f ) )
	{
		return; // a face without area has no normal
	}
	float upper = pnReachAlong( a, best->base, axis ), lower = -pnReachAlong( b, best->base, -axis );
	if ( lower - upper > best->lower - best->upper )
	{
		best->axis = axis, best->upper = upper, best->lower = lower;
	}
}

enum { PN_TRIED = 2 }; // faces of each

pnSplit pnFindSplit( const pnCollider* a, const pnCollider* b, const pnCandidate* candidates, int middle, int count )
{
	pnSplit best = { .axis = pnSplat4( 0.0f ), .base = pnRow4( a->center, 0 ), .upper = 1e30f, .lower = -1e30f };
	pnF4 between = pnRow4( b->center, 0 ) - best.base;
	pnTryAxis( &best, a, b, between * pnSplat4( 1.0f / __builtin_sqrtf( pnDot4( between, between ) + 1e-30f ) ) );
	for ( int i = 0; i < PN_TRIED && middle > 0; ++i )
	{
		pnTryAxis( &best, a, b, pnFaceNormal( a->surface, a->x, candidates[i * ( middle - 1 ) / PN_TRIED].triangle ) );
	}
	for ( int i = 0; i < PN_TRIED && count > middle; ++i )
	{
		pnTryAxis( &best, a, b, -pnFaceNormal( b->surface, b->x, candidates[middle + i * ( count - middle - 1 ) / PN_TRIED].triangle ) );
	}
	return best;
}
