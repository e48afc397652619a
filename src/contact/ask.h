// ask.h - which bodies and shapes a query may meet, by the tree of the broad phase. Knows colliders and shapes by number; what they are like is told by query.h.
#pragma once

#include "contact.h"
#include "query.h"

enum { PN_MOST_ASKED = 512 }; // bodies, or shapes: more, and the caller looks at all

// In rising order of pnCollider.place and pnShape.place, which are those of the lists that a caller would walk through.
typedef struct pnAsked
{
	int bodyCount, shapeCount; // -1: not known, or too many: look at all
	int32_t bodies[PN_MOST_ASKED], shapes[PN_MOST_ASKED];
} pnAsked;

// After a step: bodies that reach beyond the box which they have in the tree.
void pnListStrays( pnContacts* contacts );

// Nothing else comes near the ray, or into the box. Any number of threads at once.
void pnAskAlong( const pnContacts* contacts, const pnRay* ray, pnAsked* asked );
void pnAskAround( const pnContacts* contacts, pnAABB box, pnAsked* asked );
