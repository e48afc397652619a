// outline.h - fills flat outlines with triangles: constrained Delaunay, exact predicates on whole numbers. Knows no third dimension.
#pragma once

#include "../base/scratch.h"

#include <stdint.h>

enum { PN_OUTLINE_REACH = 1 << 29 }; // coordinates are within +- this: differences have 31 bits, exact determinants fit 64 and 128 bits

typedef struct pnPoint2 { int32_t x, y; } pnPoint2;

// Directed edges over points, from and to, with the inside on their left. As many come to a point as leave it. Points may lie on one
// another, and so may edges: the two lips of a slit.
typedef struct pnOutline
{
	const pnPoint2* points;
	int pointCount;
	const int32_t* edges; // two for each
	int edgeCount;
	int32_t spacing; // between points that are put inside; 0: none are put
} pnOutline;

typedef struct pnFilling
{
	pnPoint2* inner; // points put inside; point i of them is pointCount + i
	int innerCount;
	int32_t* triangles; // counterclockwise
	int triangleCount;
	bool flat; // false: the outline crosses itself, and some triangles lie over others or are turned
} pnFilling;

// Whatever the outline: each of its edges is one edge of one triangle, in its direction; each other edge of a triangle is another one's,
// the other way round. So a surface with this outline as its border is closed by the filling. What is written lives in the scratch.
// False: no memory.
bool pnFillOutline( const pnOutline* outline, pnScratch* scratch, pnFilling* filling );
