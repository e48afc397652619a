// query.h - one surface as it lies, or one form in its place, against a ray, a ball, a box, a place. Knows no bodies, no world.
#pragma once

#include "detect.h"
#include "shape.h"
#include "triangles.h"

// None of these allocates or writes anything but its answer; all use + - * / and sqrt in double only: the same bits on every machine.

typedef struct pnRay { pnFine3 from, way; } pnRay;

// The best answer so far. Offered to one thing after another, each puts itself in if it is nearer and says so.
typedef struct pnAnswer
{
	double measure; // fraction of the way, or metres from the place: only what is less counts
	int32_t triangle; // of the surface, -1 on forms
	int32_t particle; // the triangle's corner nearest to the position, -1 on forms
	pnFine3 position, normal; // unit: against the ray; out of what was found
} pnAnswer;

#define PN_JUST_ABOVE 1.000000000001 // a first measure times this: what is as far as it still counts

// Metres from a place to a box, 0 inside. Does the ray meet the box, larger by `room`, before `best`?
double pnGetBoxDistance( pnAABB box, pnFine3 place );
bool pnMeetsBox( const pnRay* ray, pnAABB box, double room, double best );

// Both sides of triangles count. What is no triangle but a segment or a point is met at the surface's thickness.
bool pnCastAtSurface( const pnLying* body, const pnRay* ray, pnAnswer* answer );
// From outside and from inside. A height field is met from below only by rays that start there.
bool pnCastAtForm( const pnForm* form, pnTransform transform, const pnRay* ray, pnAnswer* answer );

// Is a place enclosed? Always false for open surfaces.
bool pnIsInside( const pnLying* body, pnFine3 place );
// Some part of the triangles, or of what a closed surface encloses, is in it.
bool pnOverlapsBall( const pnLying* body, pnVec3 center, double radius );
bool pnOverlapsBox( const pnLying* body, pnAABB box );

// On a surface: which side the place is on takes a look at all triangles, so it is asked only once that is the nearest of all things.
bool pnFindNearestOnSurface( const pnLying* body, pnVec3 place, pnAnswer* answer ); // the normal leads to the place
bool pnTurnOutward( const pnLying* body, pnVec3 place, pnAnswer* answer ); // the normal leads out; true if the place is inside
// On a form: *inside and the normal are known at once.
bool pnFindNearestOnForm( const pnForm* form, pnTransform transform, pnVec3 place, pnAnswer* answer, bool* inside );
