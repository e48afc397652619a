// rest.h - how much a body moves, and how little of that is rest. Knows one body and its collider; no world, no islands.
#pragma once

#include "body.h"

#include "../contact/collider.h"

float pnFindRestSpeed( const pnBody* body, const float fall[3] ); // m/s: what moves slower is at rest. fall: m/s^2 by which gravity draws it
// The parts of a body's motion that a step adds to the smoothed ones: to that by which rest is judged, and to the turn that it keeps.
typedef struct pnSmoothing { double rest, rolls; } pnSmoothing;
pnSmoothing pnFindSmoothing( float timeStep );
// After a step: its smoothed motion, and what island.c must know of it.
void pnWatchUnrest( pnBody* body, pnCollider* collider, pnSmoothing by );
void pnLaySleeping( pnBody* body ); // stopped where it is
