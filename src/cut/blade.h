// blade.h - what cuts: a plane, or a quad of it, flat or rough. Knows no surfaces.
#pragma once

#include "pliant/vec.h"

#include <stdbool.h>

// The plane n.( x - origin ) = 0, and how far on it the blade reaches. u, v, n: unit, right-handed.
typedef struct pnBlade
{
	double origin[3], u[3], v[3], n[3];
	bool whole; // reaches everywhere
	double corners[4][2]; // else a convex quad, counterclockwise, in u and v
	double rough, grain; // metres: how far it departs from its plane at most, and over which way; 0: it is flat
	double pattern[3]; // where the origin is in the pattern of that: blades in one plane have one surface
} pnBlade;

// False if the normal has no direction, or the quad no area. A quad that is bent or not convex becomes its flat convex hull.
bool pnMakePlaneBlade( pnVec3 point, pnVec3 normal, pnBlade* blade );
bool pnMakeQuadBlade( const pnVec3 quad[4], pnBlade* blade );
double pnGetRoughness( const pnBlade* blade, pnVec3 place ); // metres of its surface above its plane, at the foot of a place
// Metres above its surface.
static inline double pnGetHeight( const pnBlade* blade, pnVec3 place )
{
	double x = (double)place.x - blade->origin[0], y = (double)place.y - blade->origin[1], z = (double)place.z - blade->origin[2];
	double height = blade->n[0] * x + blade->n[1] * y + blade->n[2] * z;
	return blade->rough > 0.0 ? height - pnGetRoughness( blade, place ) : height;
}
// Does the way from a to b lead through the blade? Places in the plane count as above it.
bool pnPassesBlade( const pnBlade* blade, pnVec3 a, pnVec3 b );
bool pnPassesBetween( const pnBlade* blade, pnVec3 a, bool aboveA, pnVec3 b, bool aboveB ); // where it is known on which side they count
// Coordinates u, v of a place in the plane, and which way a to b to c turns there: twice the area, positive to the left.
void pnFlatten( const pnBlade* blade, pnVec3 place, double at[2] );
double pnTurnOf( const double a[2], const double b[2], const double c[2] );
