// ground.h - shapes as bodies meet them: where they are within a step, which points are near, and the push. Knows colliders and shapes.
#pragma once

#include "contact.h"

void pnMoveShapes( pnContacts* contacts, int left ); // one substep on; left: substeps to go, this one included
// Points of the body nearer than reach. slack: lowered or raised to what the pair may move before a new point can be near. -1: no room.
int pnFindGroundPoints( const pnShape* shape, const pnCollider* body, float reach, float h, pnCandidate* out, int capacity, float* slack );
void pnPushFromGround( pnContacts* contacts, pnPair* pair );
