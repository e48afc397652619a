// detect.h - the detectors of the papers: which points of one body are inside another, how deep, and which way is out.
// Knows two bodies as they lie now; no time, no response, no world.
#pragma once

#include "surface.h"

// A body as it lies now.
typedef struct pnLying
{
	const pnSurface* surface;
	const float* x; // particles: x y z m, 16-byte aligned rows of four floats
	pnAABB bounds; // of its particles
} pnLying;

// A point of body b inside body a.
typedef struct pnFound
{
	int32_t point; // particle of b
	int32_t parts[4]; // particles of a that carry the place on the surface where the point should be; unused ones have weight 0 and index of the first
	float weights[4]; // add up to 1
	float normal[3]; // unit, outward: the way the point should go
	float depth; // metres, >= 0: how far it is inside along the normal
} pnFound;

// Workspace of one call: taken from the front, given back by setting used = 0. `wanted` is set if a call ran out.
typedef struct pnArena { char* memory; size_t size, used, wanted; } pnArena;

// Points of b that are inside tetrahedra of a: spatial hash of points against tetrahedra (Teschner et al. 2003), consistent penetration
// depth by propagation from the border (Heidelberger et al. 2004).
// Both return how many were found (up to capacity; the first ones in rising order of `point`), or -1 if the arena is too small.
int pnDetectByTets( const pnLying* a, const pnLying* b, pnArena* arena, pnFound* found, int capacity );
// Points of b inside the closed surface of a: edges against triangles through a spatial hash, border points, path-weighted directions,
// depth by casting rays (Henriques and Wuensche 2011, after Heidelberger et al.).
int pnDetectByEdges( const pnLying* a, const pnLying* b, pnArena* arena, pnFound* found, int capacity );
