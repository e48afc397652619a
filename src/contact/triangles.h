// triangles.h - triangles that never move: the nearest place on them, the first one a ball meets. Knows geometry in one frame; no shapes.
#pragma once

#include "pliant/vec.h"
#include "../base/core.h"

// ---- vectors in double: floats go in, and what is found between them is not rounded until the end ----

typedef struct pnFine3 { double x, y, z; } pnFine3;

static inline pnFine3 pnFine( pnVec3 a ) { return (pnFine3){ (double)a.x, (double)a.y, (double)a.z }; }
static inline pnVec3 pnCoarse( pnFine3 a ) { return (pnVec3){ (float)a.x, (float)a.y, (float)a.z }; }
static inline pnFine3 pnAddFine( pnFine3 a, pnFine3 b ) { return (pnFine3){ a.x + b.x, a.y + b.y, a.z + b.z }; }
static inline pnFine3 pnSubFine( pnFine3 a, pnFine3 b ) { return (pnFine3){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static inline pnFine3 pnScaleFine( double s, pnFine3 a ) { return (pnFine3){ s * a.x, s * a.y, s * a.z }; }
static inline double pnDotFine( pnFine3 a, pnFine3 b ) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline pnFine3 pnCrossFine( pnFine3 a, pnFine3 b )
{
	return (pnFine3){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// ---- one triangle ----

enum { pn_nearFace = 0, pn_nearCorner = 1, pn_nearEdge = 4 }; // + k: corner k, edge from corner k to the next

typedef struct pnNearPart
{
	pnFine3 offset; // from the nearest place of the triangle
	double distance2;
	int part;
} pnNearPart;

// After Ericson, Real-Time Collision Detection (2005), 5.1.5.
static inline pnNearPart pnFindNearPart( pnFine3 a, pnFine3 b, pnFine3 c, pnFine3 place )
{
	pnFine3 ab = pnSubFine( b, a ), ac = pnSubFine( c, a ), ap = pnSubFine( place, a ), bp = pnSubFine( place, b ), cp = pnSubFine( place, c );
	double d1 = pnDotFine( ab, ap ), d2 = pnDotFine( ac, ap );
	double d3 = pnDotFine( ab, bp ), d4 = pnDotFine( ac, bp );
	double d5 = pnDotFine( ab, cp ), d6 = pnDotFine( ac, cp );
	double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
	pnNearPart near;
	if ( d1 <= 0.0 && d2 <= 0.0 )
	{
		near.offset = ap;
		near.part = pn_nearCorner + 0;
	}
	else if ( d3 >= 0.0 && d4 <= d3 )
	{
		near.offset = bp;
		near.part = pn_nearCorner + 1;
	}
	else if ( d6 >= 0.0 && d5 <= d6 )
	{
		near.offset = cp;
		near.part = pn_nearCorner + 2;
	}
	else if ( vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 )
	{
		near.offset = pnSubFine( ap, pnScaleFine( d1 / ( d1 - d3 ), ab ) );
		near.part = pn_nearEdge + 0;
	}
	else if ( vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 )
	{
		near.offset = pnSubFine( ap, pnScaleFine( d2 / ( d2 - d6 ), ac ) );
		near.part = pn_nearEdge + 2;
	}
	else if ( va <= 0.0 && d4 >= d3 && d5 >= d6 )
	{
		near.offset = pnSubFine( bp, pnScaleFine( ( d4 - d3 ) / ( ( d4 - d3 ) + ( d5 - d6 ) ), pnSubFine( c, b ) ) );
		near.part = pn_nearEdge + 1;
	}
	else
	{
		// In needles the three areas are mostly rounding; held within the triangle the place is at least one of it.
		double sum = va + vb + vc;
		double v = vb / sum, w = vc / sum;
		v = v > 0.0 ? v < 1.0 ? v : 1.0 : 0.0;
		w = w > 0.0 ? w < 1.0 - v ? w : 1.0 - v : 0.0;
		near.offset = pnSubFine( pnSubFine( ap, pnScaleFine( v, ab ) ), pnScaleFine( w, ac ) );
		near.part = pn_nearFace;
	}
	near.distance2 = pnDotFine( near.offset, near.offset );
	return near;
}

// ---- a ball on its way ----

#define PN_SWEEP_SLIDE 1e-6 // of the way: who sinks by no more of it slides

typedef struct pnSweep
{
	pnFine3 from, way;
	double length, radius;
	double tolerance; // metres: this near is touching
	double best; // fraction of the way: what is met later does not matter
} pnSweep;

typedef struct pnMeeting
{
	double fraction; // of the way
	pnFine3 outward; // unit, to the side the ball comes from
	pnFine3 offset; // from the place that was met to the centre
	int part;
	bool graze; // the centre itself is on the triangle: offset has no direction
} pnMeeting;

// reach: metres, the size of what there is to meet and where it is, for the tolerance.
pnSweep pnMakeSweep( pnVec3 from, pnVec3 to, float radius, double reach );
// For surfaces, once the distance at the start is known (negative: inside, if there is one). True: the ball touches and moves on
// inward. Else one that touches is made smaller, so that what it lies on does not stop it while something else still does.
bool pnStartSweep( pnSweep* sweep, double distance, pnFine3 outward, bool solid );
// The fraction at which the ball's centre comes nearer than its radius to the box; 2 if it does not before the best.
double pnEnterBox( const pnSweep* sweep, pnFine3 lower, pnFine3 upper );
// normal: unit. Both sides count.
bool pnMeetTriangle( const pnSweep* sweep, pnFine3 a, pnFine3 b, pnFine3 c, pnFine3 normal, pnMeeting* meeting );

// ---- many ----

typedef struct pnTriangle { pnVec3 corners[3], normal; } pnTriangle;
typedef struct pnTriangleNode
{
	float lower[3], upper[3];
	int32_t first; // a leaf's first triangle; else its first child, the other one comes after it
	int32_t count; // of a leaf's triangles; 0: not a leaf
} pnTriangleNode;

#define PN_TRIANGLES_ARRAYS( X )                                                                                         \
	X( pnTriangle, triangles, count ) /* in the order of the leaves */                                                   \
	X( int32_t, names, count ) /* their indices as given */                                                              \
	X( int32_t, corners, 3 * count ) /* points; those that coincide are one */                                           \
	X( pnVec3, edgeNormals, 3 * count ) /* unit, of the surface at the edge from corner k to the next */                 \
	X( pnVec3, cornerNormals, pointCount ) /* unit, of the surface at a point */                                         \
	X( pnTriangleNode, nodes, nodeCapacity ) /* 0 is the root, 1 is empty, then pairs: each pair is one cache line */

typedef struct pnTriangles
{
	int count, pointCount, nodeCapacity;
	double size; // metres: farthest coordinate from the origin
	bool closed; // has an inside
#define PN_DECLARE( T, name, length ) T* name;
	PN_TRIANGLES_ARRAYS( PN_DECLARE )
#undef PN_DECLARE
} pnTriangles;

// normals: unit, or NULL: from the corners. pn_invalidInput: no triangle has an area.
pnResult pnBuildTriangles( const pnVec3* points, int pointCount, const int32_t* indices, int triangleCount, const pnFine3* normals,
						   pnTriangles* triangles );
void pnFreeTriangles( pnTriangles* triangles );
size_t pnGetTrianglesBytes( const pnTriangles* triangles );

// Metres, negative behind the nearest triangle; the sign is that of the angle-weighted normal of the nearest part (Baerentzen and
// Aanaes 2005), right for all places if the surface is closed.
double pnMeasureTriangles( const pnTriangles* triangles, pnVec3 place, pnFine3* outward );
// As pnFormSweep. From inside a closed surface a ball may go out.
float pnSweepTriangles( const pnTriangles* triangles, pnVec3 from, pnVec3 to, float radius, pnVec3* outward );
