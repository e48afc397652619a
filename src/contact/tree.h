// tree.h - boxes over the triangles of a surface as they lie now, and the triangle nearest to a place, proven so. Knows a surface and its
// particles; no rest shape, no pairs, no time.
#pragma once

#include "rows.h"
#include "surface.h"

enum { PN_GROUP = 4 }; // triangles that are looked at together, in the order of the surface's own tree

// Four boxes to a node; the lowest level has boxes of groups, the next ones boxes of nodes, up to one node.
int pnCountLaidNodes( int triangleCount );
void pnLayTree( const pnSurface* surface, const float* x, pnBoxes* nodes );

typedef struct pnTree
{
	const pnSurface* surface;
	const float* x;
	const pnBoxes* nodes;
	int groupCount, levelCount, levelStarts[PN_TREE_LEVELS];
} pnTree;

pnTree pnReadTree( const pnSurface* surface, const float* x, const pnBoxes* nodes );

// The nearest triangle to a place, and its squared distance.
typedef struct pnNearest { int32_t triangle; float distance2; } pnNearest;

// Of all triangles nearer than sqrt( limit2 ); -1 and limit2: none. hint: a triangle that may be near, or -1. Of several as near: the first met.
pnNearest pnFindNearestTriangle( const pnTree* tree, pnF4 place, int hint, float limit2 );

// The nodes of the lowest level that hold boxes which come into a box, for many places in it; how many, or -1 if there are more than capacity.
// lower, upper: then of what is there, so that places farther from it are near to nothing.
int pnFindNodes( const pnTree* tree, pnF4* lower, pnF4* upper, int32_t* found, int capacity );
// A box over each of those nodes, four side by side: (count + 3) / 4.
void pnCoverNodes( const pnTree* tree, const int32_t* found, int foundCount, pnBoxes* over );
// As pnFindNearestTriangle, but of those nodes alone. over: their boxes.
pnNearest pnFindNearestIn( const pnTree* tree, const int32_t* found, const pnBoxes* over, int foundCount, pnF4 place, int hint, float limit2 );

// How often the surface runs around a place: 0 outside, also beside a fold of it that has no inside, where the nearest face may look either way.
int pnCountAround( const pnTree* tree, pnF4 place );
