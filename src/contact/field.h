// field.h - our own detector: which points are near which triangles, of two bodies or of one and itself. Knows colliders.
#pragma once

#include "contact.h"
#include "rows.h"
#include "split.h"

// How one side of a pair is looked at.
typedef struct pnLook
{
	float reach; // metres
	float motion; // metres the two have moved since the old candidates were found, and as near as they count as touching
	bool all; // any point may be deep inside; else only candidates that have moved as far as their keys
	const pnCandidate* old; // these, in the order of points, then samples
	int oldCount;
	pnF4 axis, base; // unit: a place of b that is farther than `far` from the base along it is out of reach (split.h),
	float far, near; // and so are triangles of a that are not as far as `near`
} pnLook;

// Points and samples of b nearer than the reach to the surface of a, or inside it. Their keys are their distances; *least becomes the least one.
// Returns how many, or -1 if there are more than capacity.
int pnDetectPoints( const pnCollider* a, const pnCollider* b, const pnLook* look, pnCandidate* out, int capacity, float* least );
// Some points of a body at the faces of another.
enum { PN_PROBES = 96 }; // at most: enough to tell which faces are met
typedef struct pnProbed { pnF4 place, normal; } pnProbed; // where it is; out of the face it is at, fourth: metres of the thickness that are gone
typedef struct pnProbes { pnProbed at[PN_PROBES]; int count; } pnProbes;

// Points of b, moved by `shift`, that are nearer than thick to a, or inside and no deeper than `deep`: depth-weighted sums of places and
// directions, and the weight; 0: none. No point of a's surface is farther than `upper` from the base along the axis (split.h). The first of them are added to `probes`.
float pnProbePoints( const pnCollider* a, const pnCollider* b, const float shift[3], float thick, float deep, pnF4 axis, pnF4 base, float upper, double place[3], double outward[3], pnProbes* probes );
// Points of a body near parts of its own surface that are far from them at rest; -1 also if the arena is too small.
size_t pnGetSelfRoom( int quadCount, int mapCount ); // bytes of the arena that it needs
int pnDetectSelf( const pnCollider* c, float reach, pnArena* arena, pnCandidate* out, int capacity );
// Particles at slits that are nearer than the reach to the other lip. Returns how many, or -1 if there are more than capacity.
int pnDetectLips( const pnCollider* c, float reach, pnCandidate* out, int capacity );

// What is asked most while looking, as compiled for a machine: all come to the same bits.
typedef struct pnFinders
{
	void ( *layTree )( const pnSurface* surface, const float* x, pnBoxes* nodes ); // pnLayTree
	pnSplit ( *findSplit )( const pnCollider* a, const pnCollider* b, const pnCandidate* candidates, int middle, int count ); // pnFindSplit
	int ( *detectPoints )( const pnCollider* a, const pnCollider* b, const pnLook* look, pnCandidate* out, int capacity, float* least ); // pnDetectPoints
} pnFinders;
extern const pnFinders pn_finders; // for any machine; pn_findersAvx2 (field_avx2.c) where it has AVX2

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
