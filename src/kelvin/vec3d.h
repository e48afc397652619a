// vec3d.h - vectors of doubles, by value. Knows no physics.
#pragma once

#include "pliant/kelvin.h"

#include <math.h>
#include <stdbool.h>

static inline pnVec3d pnMakeD( double x, double y, double z ) { return (pnVec3d){ x, y, z }; }
static inline pnVec3d pnAddD( pnVec3d a, pnVec3d b ) { return (pnVec3d){ a.x + b.x, a.y + b.y, a.z + b.z }; }
static inline pnVec3d pnSubD( pnVec3d a, pnVec3d b ) { return (pnVec3d){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static inline pnVec3d pnScaleD( double s, pnVec3d a ) { return (pnVec3d){ s * a.x, s * a.y, s * a.z }; }
static inline pnVec3d pnMulAddD( pnVec3d a, double s, pnVec3d b ) { return (pnVec3d){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z }; } // a + s b
static inline double pnDotD( pnVec3d a, pnVec3d b ) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline pnVec3d pnCrossD( pnVec3d a, pnVec3d b )
{
	return (pnVec3d){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}
static inline double pnLengthD( pnVec3d a ) { return sqrt( pnDotD( a, a ) ); }
// The vector at length 1; zeros if it has none.
static inline pnVec3d pnUnitD( pnVec3d a )
{
	double length = pnLengthD( a );
	return length > 0.0 ? pnScaleD( 1.0 / length, a ) : pnMakeD( 0.0, 0.0, 0.0 );
}
static inline bool pnIsFiniteD( double x ) { return x - x == 0.0; }
static inline bool pnIsFinite3D( pnVec3d a ) { return pnIsFiniteD( a.x ) && pnIsFiniteD( a.y ) && pnIsFiniteD( a.z ); }
// Two more axes that make a right-handed frame with the unit vector n.
static inline void pnMakeFrameD( pnVec3d n, pnVec3d* s, pnVec3d* t )
{
	double ax = fabs( n.x ), ay = fabs( n.y ), az = fabs( n.z );
	pnVec3d e = ax <= ay && ax <= az ? pnMakeD( 1.0, 0.0, 0.0 ) : ay <= az ? pnMakeD( 0.0, 1.0, 0.0 ) : pnMakeD( 0.0, 0.0, 1.0 );
	*s = pnUnitD( pnCrossD( n, e ) );
	*t = pnCrossD( n, *s );
}
