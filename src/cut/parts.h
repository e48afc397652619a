// parts.h - what hangs together: parts of a surface, hollows with what is around them, points with what they are inside of. Knows places
// and triangles; no bodies, no time.
#pragma once

#include "../base/cloud.h"
#include "../base/sets.h"

static inline void pnJoinTriangles( int32_t* sets, const int32_t* triangles, int triangleCount )
{
	for ( int t = 0; t < triangleCount; ++t )
	{
		pnJoinSets( sets, triangles[3 * t], triangles[3 * t + 1] );
		pnJoinSets( sets, triangles[3 * t + 1], triangles[3 * t + 2] );
	}
}

// Neighbours at rest that are of different sets: pairs of nodes, the lower first, rising. Those that are in no pair otherwise are paired
// with the nearest, so that all hang together. pairs lives in the scratch. False: no memory.
// apart (or NULL): whether two nodes must not be paired, however near they are.
typedef bool pnApartFcn( const void* context, int32_t a, int32_t b );
bool pnFindLinks( const pnVec3* places, int nodeCount, int32_t* sets, pnApartFcn* apart, const void* context, pnScratch* scratch, int32_t** pairs,
				  int* pairCount );

// A way to ask what a place is inside of. Lives in the scratch.
typedef struct pnLocator
{
	const pnVec3* places;
	const int32_t* triangles;
	double low[2], perCell[2], nudge[2];
	int cells[2];
	int32_t *starts, *inside; // triangles over each cell of y and z
} pnLocator;

bool pnMakeLocator( const pnVec3* places, int nodeCount, const int32_t* triangles, int triangleCount, pnScratch* scratch, pnLocator* locator );
// The first triangle that the way from a place along x leads out through, but for those of the set `except` (-1: none); -1: none.
int32_t pnLocate( const pnLocator* locator, pnVec3 place, const int32_t* sets, int32_t except );
// How often a set's triangles run around a place: 1 inside, 0 outside.
int pnWindAround( const pnLocator* locator, pnVec3 place, const int32_t* sets, int32_t set );

// Six times the volume that each set's triangles enclose, at the set's own node; places of one set relative to that.
void pnMeasureSets( const pnVec3* places, const int32_t* triangles, int triangleCount, const int32_t* sets, double* volumes );
