// nodes.h - the field of a surface: what a node of its grid names is found when it is first asked for, and remembered. It depends on the
// surface alone, so it does not matter who asks first. Knows a surface; no bodies, no time.
#pragma once

#include "surface.h"
#include "../base/scratch.h"

typedef struct pnNode
{
	int32_t triangle; // the nearest at rest; of several as near the lowest
	float distance; // metres, negative inside
} pnNode;

// The boxes over the triangles, which come with the box of each. False: no memory.
bool pnBuildTree( pnSurface* surface, const pnAABB* boxes, pnScratch* scratch );
int pnCountTreeNodes( int triangleCount );

uint64_t pnFindNode( const pnSurface* surface, int node );

// Any number of threads may ask at once: those that find nothing all find the same.
static inline __attribute__( ( always_inline ) ) pnNode pnAskNode( const pnSurface* surface, int node )
{
	uint64_t word = atomic_load_explicit( surface->nodes + node, memory_order_relaxed );
	if ( __builtin_expect( word == 0, 0 ) )
	{
		word = pnFindNode( surface, node );
	}
	pnNode known = { (int32_t)( word >> 32 ) - 1, 0.0f };
	uint32_t bits = (uint32_t)word;
	memcpy( &known.distance, &bits, sizeof bits );
	return known;
}
