// ground.h - shapes as bodies meet them: where they are within a step, which points are near, and the push. Knows colliders and shapes.
#pragma once

#include "row.h"

void pnMoveShapes( pnContacts* contacts, int left ); // one substep on; left: substeps to go, this one included
void pnLayPlane( pnShape* shape ); // after its transform has changed
// Points of the body nearer than reach. slack: lowered or raised to what the pair may move before a new point can be near. -1: no room.
int pnFindGroundPoints( const pnShape* shape, const pnCollider* body, float reach, float h, pnCandidate* out, int capacity, float* slack );
// Points of the body that have come to touch or pass the surface: depth-weighted sums of places, directions and the shape's velocity; the
// deepest one, metres. Returns the weight, 0: none.
double pnProbeGround( const pnShape* shape, const pnCollider* body, float h, double place[3], double outward[3], double velocity[3], double* deepest );
void pnReadyGround( pnContacts* contacts, pnPair* pair, const pnSides* sides ); // rows of the pair's candidates that are near
