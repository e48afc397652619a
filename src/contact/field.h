// field.h - our own detector: the field at rest names the triangle, the triangle as it lies now tells the distance. Knows colliders.
#pragma once

#include "contact.h"

// Points and samples of b nearer than `reach` to the surface of a, or inside it. Returns how many, or -1 if there are more than capacity.
int pnDetectByField( const pnCollider* a, const pnCollider* b, float reach, pnCandidate* out, int capacity );
// Points of b, moved by `shift`, that are inside a or nearer than thick: depth-weighted sums of places and directions, and the weight; 0: none.
float pnProbeByField( const pnCollider* a, const pnCollider* b, const float shift[3], float thick, double place[3], double outward[3] );
// Points of a body near parts of its own surface that are far from them at rest; -1 also if the arena is too small.
size_t pnGetSelfRoom( int quadCount, int mapCount ); // bytes of the arena that it needs
int pnDetectSelf( const pnCollider* c, float reach, pnArena* arena, pnCandidate* out, int capacity );

// The particles of a candidate's point and their weights.
static inline __attribute__( ( always_inline ) ) void pnPointParts( const pnSurface* s, int32_t point, int32_t parts[2], float weights[2] )
{
	bool sample = point < 0;
	const pnSample* at = s->samples + ( sample ? ~point : 0 );
	parts[0] = sample ? at->a : point;
	parts[1] = sample ? at->b : point;
	weights[0] = sample ? at->w : 1.0f;
	weights[1] = sample ? 1.0f - at->w : 0.0f;
}
