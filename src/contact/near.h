// near.h - a place against a triangle of a deformed surface: signed distance, direction, weights; with a walk to the neighbour that is
// nearer. Four floats to a register, the same bits on every machine. Knows a surface and its particles.
#pragma once

#include "rows.h"
#include "surface.h"

// Where a place is with regard to a surface.
typedef struct pnSpot
{
	pnF4 normal; // unit, outward: the way that leads out
	float weights[3]; // of the triangle's corners: the nearest point
	float distance; // metres, negative inside
	int32_t triangle;
	float facing; // which side of the triangle it is on: +1 where its normal points, -1 behind; 0 beyond its rim
} pnSpot;

// The nearest point of the triangle's rim. Beyond the rim of an open surface everywhere is outside.
PN_INLINE_CONTACT pnSpot pnOnRim( const pnSurface* s, const float* x, pnF4 place, int triangle, pnF4 normal, const float flat[3] )
{
	const int32_t* t = s->triangles + 3 * (size_t)triangle;
	int e = flat[0] < flat[1] ? ( flat[0] < flat[2] ? 0 : 2 ) : ( flat[1] < flat[2] ? 1 : 2 );
	int u = ( e + 1 ) % 3, w = ( e + 2 ) % 3;
	pnF4 from = pnRow4( x, t[u] ), along = pnRow4( x, t[w] ) - from;
	float length2 = pnDot4( along, along ), part = length2 > 1e-30f ? pnDot4( place - from, along ) / length2 : 0.0f;
	part = part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part;
	pnSpot spot = { .normal = normal, .triangle = triangle };
	spot.weights[e] = 0.0f, spot.weights[u] = 1.0f - part, spot.weights[w] = part;
	pnF4 off = place - ( from + along * pnSplat4( part ) );
	float length = __builtin_sqrtf( pnDot4( off, off ) );
	spot.distance = 0.0f;
	if ( length > 1e-9f )
	{
		const int32_t* mate = s->triangles + 3 * (size_t)s->neighbors[3 * (size_t)triangle + e];
		pnF4 base = pnRow4( x, mate[0] ), other = pnCross4( pnRow4( x, mate[1] ) - base, pnRow4( x, mate[2] ) - base );
		other *= pnSplat4( 1.0f / __builtin_sqrtf( pnDot4( other, other ) + 1e-30f ) );
		float sign = s->closed && pnDot4( normal + other, off ) < 0.0f ? -1.0f : 1.0f;
		spot.normal = off * pnSplat4( sign / length );
		spot.distance = sign * length;
	}
	return spot;
}

// Starts at a triangle and walks over at most `steps` edges towards the place.
PN_INLINE_CONTACT pnSpot pnFindSpot( const pnSurface* s, const float* x, pnF4 place, int triangle, int steps )
{
	int before = -1;
	for ( int step = 0;; ++step )
	{
		const int32_t* t = s->triangles + 3 * (size_t)triangle;
		pnF4 a = pnRow4( x, t[0] ), e1 = pnRow4( x, t[1] ) - a, e2 = pnRow4( x, t[2] ) - a, r = place - a, n = pnCross4( e1, e2 );
		float inverse = 1.0f / ( pnDot4( n, n ) + 1e-30f ), flat[3];
		flat[2] = pnDot4( pnCross4( e1, r ), n ) * inverse;
		flat[1] = pnDot4( pnCross4( r, e2 ), n ) * inverse;
		flat[0] = 1.0f - flat[1] - flat[2];
		n *= pnSplat4( __builtin_sqrtf( inverse ) );
		bool sliver = inverse > 1e25f; // no area: a segment, a point, or crushed
		if ( flat[0] >= 0.0f && flat[1] >= 0.0f && flat[2] >= 0.0f && !sliver )
		{
			float distance = pnDot4( n, r );
			bool turn = !s->closed && distance < 0.0f;
			return (pnSpot){ turn ? -n : n, { flat[0], flat[1], flat[2] }, turn ? -distance : distance, triangle, distance < 0.0f ? -1.0f : 1.0f };
		}
		int e = flat[0] < flat[1] ? ( flat[0] < flat[2] ? 0 : 2 ) : ( flat[1] < flat[2] ? 1 : 2 ), next = s->neighbors[3 * (size_t)triangle + e];
		if ( step >= steps || next == before || next == triangle || sliver )
		{
			return pnOnRim( s, x, place, triangle, n, flat );
		}
		before = triangle;
		triangle = next;
	}
}
