// outline.h - fills flat outlines with triangles: constrained Delaunay, exact predicates on whole numbers. Knows no third dimension.
#pragma once

#include "../base/scratch.h"

#include <stdint.h>

enum { PN_OUTLINE_REACH = 1 << 29 }; // coordinates are within +- this: differences have 31 bits, exact determinants fit 64 and 128 bits

typedef struct pnPoint2 { int32_t x, y; } pnPoint2;

// Twice the area of a b p, exactly: positive if p is to the left of the way from a to b.
static inline int64_t pnSideOf( pnPoint2 a, pnPoint2 b, pnPoint2 p )
{
	return ( (int64_t)b.x - a.x ) * ( (int64_t)p.y - a.y ) - ( (int64_t)b.y - a.y ) * ( (int64_t)p.x - a.x );
}

// Directed edges over points, from and to, with the inside on their left. As many come to a point as leave it. Points may lie on one
// another, and so may edges: the two lips of a slit.
typedef struct pnOutline
{
	const pnPoint2* points;
	int pointCount;
	const int32_t* edges; // two for each
	int edgeCount;
	int32_t spacing; // between points that are put inside, away from edges; 0: none are put. Made wider if a million would fit
} pnOutline;

typedef struct pnFilling
{
	pnPoint2* inner; // points put inside, and some where edges cross or lie on one another; point i of them is pointCount + i
	int innerCount;
	int32_t* triangles; // counterclockwise; without area where points or edges lie on one another
	int triangleCount;
	bool flat; // false: the outline crosses itself or runs around a place more than once, and triangles lie over others or are turned
} pnFilling;

// Whatever the outline: each of its edges is one edge of one triangle, in its direction; each other edge of a triangle is another one's,
// the other way round. So a surface with this outline as its border is closed by the filling. If it runs around its inside once, the
// triangles are constrained Delaunay. If not, each outer loop is filled with its own holes, as well as that goes. What is written lives in
// the scratch and takes two blocks. False: no memory.
bool pnFillOutline( const pnOutline* outline, pnScratch* scratch, pnFilling* filling );
