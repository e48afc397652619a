// hull.h - the convex hull of points, exact on a grid so fine that floats do not notice. Knows points; no shapes.
#pragma once

#include "triangles.h"

typedef struct pnHull
{
	pnVec3* points; // corners only, in the order given
	int32_t* triangles; // counterclockwise from outside
	pnFine3* normals; // unit, one for each triangle
	int pointCount, triangleCount;
} pnHull;

// pn_invalidInput: the points lie in a plane, to a millionth of their size. A hull of a hull's points is the same, bit for bit.
pnResult pnBuildHull( const pnVec3* points, int count, pnHull* hull );
void pnFreeHull( pnHull* hull );
size_t pnGetHullBytes( const pnHull* hull );
