// near.h - a place against a triangle of a deformed surface: signed distance, direction, weights; with a walk to the neighbour that is
// nearer. Four floats to a register, the same bits on every machine. Knows a surface and its particles.
#pragma once

#include "lanes.h"
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

// Nearer than this the direction to the nearest point is mere rounding: then the surface's own normal there is the way out.
static const float pn_touchingPart = 1e-4f; // of the surface's size

// What stands out at rest is nearest to places outside alone; if its faces say otherwise they have been crushed through each other. Likewise where a
// surface that is smooth at rest lies in a sharp fold. side2: squared length of the sum of the two unit normals.
PN_INLINE_CONTACT bool pnIsOutsideEdge( const pnSurface* s, int triangle, int edge, float side2 )
{
	int ridges = s->ridges[triangle] >> edge;
	return ( ridges & 1 ) != 0 || ( ( ridges & 64 ) == 0 && side2 < 2.0f );
}

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
	const int32_t* mate = s->triangles + 3 * (size_t)s->neighbors[3 * (size_t)triangle + e];
	pnF4 base = pnRow4( x, mate[0] ), other = pnCross4( pnRow4( x, mate[1] ) - base, pnRow4( x, mate[2] ) - base );
	other *= pnSplat4( 1.0f / __builtin_sqrtf( pnDot4( other, other ) + 1e-30f ) );
	pnF4 side = normal + other;
	float side2 = pnDot4( side, side ), sign = s->closed && pnDot4( side, off ) < 0.0f && !pnIsOutsideEdge( s, triangle, e, side2 ) ? -1.0f : 1.0f;
	spot.distance = sign * length;
	spot.normal = length > ( s->closed ? pn_touchingPart * s->size : 1e-9f ) ? off * pnSplat4( sign / length ) : side2 > 1e-12f ? side * pnSplat4( 1.0f / __builtin_sqrtf( side2 ) ) : normal;
	return spot;
}

// ---- sharp edges and slivers, where a walk from face to face goes astray ----

// The nearest point of a triangle: squared distance, weights, and what it is on: face 3, edge opposite corner 0..2, corner 4..6.
typedef struct pnNearPoint { float distance2, weights[3]; int feature; } pnNearPoint;

static inline pnNearPoint pnNearestOn( const pnSurface* s, const float* x, pnF4 place, int triangle )
{
	const int32_t* t = s->triangles + 3 * (size_t)triangle;
	pnF4 corners[3] = { pnRow4( x, t[0] ), pnRow4( x, t[1] ), pnRow4( x, t[2] ) };
	pnF4 e1 = corners[1] - corners[0], e2 = corners[2] - corners[0], r = place - corners[0], n = pnCross4( e1, e2 );
	float nn = pnDot4( n, n ), inverse = 1.0f / ( nn + 1e-30f ), w2 = pnDot4( pnCross4( e1, r ), n ) * inverse, w1 = pnDot4( pnCross4( r, e2 ), n ) * inverse;
	if ( w1 >= 0.0f && w2 >= 0.0f && w1 + w2 <= 1.0f && nn > 1e-25f )
	{
		float height = pnDot4( n, r );
		return (pnNearPoint){ height * height * inverse, { 1.0f - w1 - w2, w1, w2 }, 3 };
	}
	pnNearPoint best = { .distance2 = 1e30f };
	for ( int e = 0; e < 3; ++e )
	{
		int u = ( e + 1 ) % 3, w = ( e + 2 ) % 3;
		pnF4 along = corners[w] - corners[u], from = place - corners[u];
		float length2 = pnDot4( along, along ), part = length2 > 1e-30f ? pnDot4( from, along ) / length2 : 0.0f;
		part = part < 0.0f ? 0.0f : part > 1.0f ? 1.0f : part;
		pnF4 off = from - along * pnSplat4( part );
		float distance2 = pnDot4( off, off );
		if ( distance2 < best.distance2 )
		{
			best = (pnNearPoint){ distance2, { 0.0f, 0.0f, 0.0f }, part <= 0.0f ? 4 + u : part >= 1.0f ? 4 + w : e };
			best.weights[u] = 1.0f - part, best.weights[w] = part;
		}
	}
	return best;
}

static inline pnF4 pnFaceNormal( const pnSurface* s, const float* x, int triangle )
{
	const int32_t* t = s->triangles + 3 * (size_t)triangle;
	pnF4 a = pnRow4( x, t[0] ), n = pnCross4( pnRow4( x, t[1] ) - a, pnRow4( x, t[2] ) - a );
	return n * pnSplat4( 1.0f / __builtin_sqrtf( pnDot4( n, n ) + 1e-30f ) );
}

// The angle whose tangent of one half is t >= 0, in quarters of a turn or so: an odd polynomial, good to 1e-5 (after Hastings 1955).
static inline float pnDoubleArc( float t )
{
	bool steep = t > 1.0f;
	float x = steep ? 1.0f / t : t, x2 = x * x;
	float arc = x * ( 0.99997726f + x2 * ( -0.33262347f + x2 * ( 0.19354346f + x2 * ( -0.11643287f + x2 * ( 0.05265332f + x2 * -0.01172120f ) ) ) ) );
	return 2.0f * ( steep ? 1.57079633f - arc : arc );
}

enum { PN_MOST_AROUND = 256 }; // triangles around a corner

// Mean normal of the triangles around a corner, each by its angle there: tells the two sides of a place whose nearest point is that corner,
// where one or two of the faces alone do not. It must be the angle itself, or a face cut into more triangles would count for more. Not unit.
static inline pnF4 pnCornerNormal( const pnSurface* s, const float* x, int triangle, int32_t corner )
{
	pnF4 sum = pnSplat4( 0.0f );
	for ( int way = 1; way <= 2; ++way ) // one way around; and the other one, from a border
	{
		int at = triangle;
		for ( int turn = 0; turn < PN_MOST_AROUND; ++turn )
		{
			const int32_t* t = s->triangles + 3 * (size_t)at;
			int c = t[0] == corner ? 0 : t[1] == corner ? 1 : 2;
			if ( way == 1 || turn > 0 )
			{
				pnF4 p = pnRow4( x, t[c] ), u = pnRow4( x, t[( c + 1 ) % 3] ) - p, v = pnRow4( x, t[( c + 2 ) % 3] ) - p, n = pnCross4( u, v );
				float uu = pnDot4( u, u ), vv = pnDot4( v, v ), nn = pnDot4( n, n ), sides = __builtin_sqrtf( uu * vv );
				float area = __builtin_sqrtf( nn ), across = sides + pnDot4( u, v );
				sum += nn > 1e-30f ? n * pnSplat4( pnDoubleArc( area / ( across > 1e-12f * sides ? across : 1e-12f * sides ) ) / area ) : pnSplat4( 0.0f );
			}
			int next = s->neighbors[3 * (size_t)at + ( c + way ) % 3];
			if ( next == triangle )
			{
				return sum;
			}
			if ( next == at )
			{
				break;
			}
			at = next;
		}
	}
	return sum;
}

// A place against one triangle, known to be nearest; the side by the normal of what is nearest (Baerentzen and Aanaes 2005).
static inline pnSpot pnSpotOn( const pnSurface* s, const float* x, pnF4 place, int triangle )
{
	pnNearPoint near = pnNearestOn( s, x, place, triangle );
	const int32_t* t = s->triangles + 3 * (size_t)triangle;
	pnF4 normal = pnFaceNormal( s, x, triangle ), side = normal;
	pnF4 foot = pnRow4( x, t[0] ) * pnSplat4( near.weights[0] ) + pnRow4( x, t[1] ) * pnSplat4( near.weights[1] ) + pnRow4( x, t[2] ) * pnSplat4( near.weights[2] );
	pnF4 off = place - foot;
	side = near.feature < 3 ? normal + pnFaceNormal( s, x, s->neighbors[3 * (size_t)triangle + near.feature] ) : side;
	side = near.feature > 3 && s->closed ? pnCornerNormal( s, x, triangle, t[near.feature - 4] ) : side;
	int ridge = near.feature < 3 ? near.feature : near.feature - 1;
	bool standsOut = near.feature < 3 ? pnIsOutsideEdge( s, triangle, near.feature, pnDot4( side, side ) ) : near.feature > 3 && ( s->ridges[triangle] >> ridge & 1 ) != 0;
	float length = __builtin_sqrtf( near.distance2 ), sign = pnDot4( side, off ) < 0.0f && ( s->closed || near.feature == 3 ) && !standsOut ? -1.0f : 1.0f;
	pnSpot spot = { normal, { near.weights[0], near.weights[1], near.weights[2] }, sign * length, triangle, 0.0f };
	if ( near.feature == 3 )
	{
		spot.facing = sign;
		spot.normal = s->closed ? normal : normal * pnSplat4( sign );
		spot.distance = s->closed ? sign * length : length;
	}
	else if ( length > ( s->closed ? pn_touchingPart * s->size : 1e-9f ) )
	{
		spot.normal = off * pnSplat4( sign / length );
	}
	else
	{
		float side2 = pnDot4( side, side );
		spot.normal = side2 > 1e-12f ? side * pnSplat4( 1.0f / __builtin_sqrtf( side2 ) ) : normal;
	}
	return spot;
}

// From triangle to triangle while the true distance falls.
static pnSpot pnSettleSpot( const pnSurface* s, const float* x, pnF4 place, int triangle )
{
	float least = pnNearestOn( s, x, place, triangle ).distance2;
	for ( int step = 0; step < 8; ++step )
	{
		int best = triangle;
		for ( int e = 0; e < 3; ++e )
		{
			int next = s->neighbors[3 * (size_t)triangle + e];
			float other = pnNearestOn( s, x, place, next ).distance2;
			if ( other < least )
			{
				best = next, least = other;
			}
		}
		if ( best == triangle )
		{
			break;
		}
		triangle = best;
	}
	return pnSpotOn( s, x, place, triangle );
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
			pnSpot spot = pnOnRim( s, x, place, triangle, n, flat );
			// Inside, and nearest to an edge? Beyond sharp edges that is mostly a walk gone astray.
			return spot.distance < 0.0f && s->sampleCount > 0 ? pnSettleSpot( s, x, place, triangle ) : spot;
		}
		before = triangle;
		triangle = next;
	}
}

// Four places, each against a triangle of its own, whoever has it, as pnFindSpot sees them before it walks. inside: bit for each that is above its face; of the
// others nothing is told.
typedef struct pnSpots
{
	pnFour3 normal, foot; // of the face, also where the surface is open; and the nearest point on it
	pnF4 weights[3], distance;
	int inside;
} pnSpots;

PN_INLINE_CONTACT pnSpots pnSeeSpots( pnFour3 place, const float* const corners[3][4] )
{
	pnFour3 a = pnLoad43( corners[0] ), b = pnLoad43( corners[1] ), c = pnLoad43( corners[2] );
	pnFour3 e1 = pnSub43( b, a ), e2 = pnSub43( c, a ), r = pnSub43( place, a ), n = pnCross43( e1, e2 );
	pnF4 zero = pnSplat4( 0.0f ), one = pnSplat4( 1.0f ), inverse = one / ( pnDot43( n, n ) + pnSplat4( 1e-30f ) );
	pnSpots spots;
	spots.weights[2] = pnDot43( pnCross43( e1, r ), n ) * inverse;
	spots.weights[1] = pnDot43( pnCross43( r, e2 ), n ) * inverse;
	spots.weights[0] = one - spots.weights[1] - spots.weights[2];
	spots.normal = pnMul43( n, pnSqrt4( inverse ) );
	spots.distance = pnDot43( spots.normal, r );
	spots.foot = pnAdd43( pnAdd43( pnMul43( a, spots.weights[0] ), pnMul43( b, spots.weights[1] ) ), pnMul43( c, spots.weights[2] ) );
	spots.inside = pnMask4( ( spots.weights[0] >= zero ) & ( spots.weights[1] >= zero ) & ( spots.weights[2] >= zero ) & ( inverse <= pnSplat4( 1e25f ) ) );
	return spots;
}
