// deep.h - two bodies whose surfaces have gone through each other: which way they part. Knows rows and colliders.
#pragma once

#include "contact.h"
#include "row.h"

// After a pair's rows are ready: whether it is deep, its way out, and the rows whose own surface does not know it.
void pnReadyDeep( pnContacts* contacts, pnPair* pair, pnContactWorker* worker );

// Which way the surface looks where a particle of it is. Not unit.
pnF4 pnOwnNormal( const pnCollider* body, int32_t particle );
