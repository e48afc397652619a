// tear.h - where a body that is stretched too far gives way. Knows one body, cuts nothing.
#pragma once

#include "../cut/blade.h"
#include "body.h"

typedef struct pnTear
{
	pnBlade blade; // at rest and relative to the solid's centre
	float plane[4]; // see pnSolid.tear
	double cost; // of the new surface, J
} pnTear;

// The next tear: across the stretch of a cluster that is stretched more than the material bears, as wide as the cluster, in the plane of the tear that
// is there already if it has come that far. False: it holds.
bool pnFindTear( const pnBody* body, pnTear* tear );
#define PN_UNTOLD 1e30f // pnBody.ebb of a piece that has not moved yet
double pnFindEaseTime( const pnBody* body ); // s that a piece just torn off takes until it may tear anew
