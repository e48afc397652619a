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

// The boxes over the triangles. False: no memory.
bool pnBuildTree( pnSurface* surface, pnScratch* scratch );
int pnCountTreeNodes( int triangleCount );

// Finds and remembers: nearest triangle + 1 << 32 | bits of its distance. Never zero: that is what a node says which was not asked yet.
uint64_t pnFindNode( const pnSurface* surface, int node );

enum { pn_rawRun, pn_runBeingCleared, pn_clearRun };

// Any number of threads may ask at once: those that find nothing known all find the same.
static inline __attribute__( ( always_inline ) ) pnNode pnAskNode( const pnSurface* surface, int node )
{
	bool clear = atomic_load_explicit( surface->runs + (unsigned)node / PN_RUN, memory_order_acquire ) == pn_clearRun;
	uint64_t word = clear ? atomic_load_explicit( surface->nodes + node, memory_order_relaxed ) : 0;
	if ( __builtin_expect( word == 0, 0 ) )
	{
		word = pnFindNode( surface, node );
	}
	pnNode known = { (int32_t)( word >> 32 ) - 1, 0.0f };
	uint32_t bits = (uint32_t)word;
	memcpy( &known.distance, &bits, sizeof bits );
	return known;
}
