// island.h - bodies that touch and rest together: who sleeps, and who wakes. Knows colliders and pairs; no bodies, no world.
#pragma once

#include "contact.h"

// After a step: `rested` and `sleeps` of all colliders that are awake, from `motion`, `restSpeed`, `restless` and who touches whom; and who asleep is
// to wake, because something that moves touches it or what presses on it has changed.
void pnFindIslands( pnContacts* contacts, float timeStep );
// Before a step: whoever sleeps where something that moves will come in it is to wake, and with each one that wakes as many that it lies together with as will feel it.
void pnStirIslands( pnContacts* contacts, float timeStep );
// Whether one that is awake has been at rest beside a sleeper, and has not moved to speak of since both were awake.
bool pnLiesStill( const pnPair* pair, const pnCollider* awake, const pnCollider* sleeper );
