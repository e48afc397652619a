// shape.h - things that do not bend: how far a place is from them and which way is out. Knows geometry in one frame; no bodies, no world.
#pragma once

#include "pliant/pliant.h"
#include "../base/core.h"

// A shape's geometry, copied from its def and never changed.
typedef struct pnForm pnForm;

// Checks the def (the log names what is wrong) and copies what its kind needs.
pnResult pnCreateForm( const pnShapeDef* def, pnForm** form );
void pnDestroyForm( pnForm* form ); // NULL is fine
size_t pnGetFormBytes( const pnForm* form );
// What the form was made of, for saving: geometry only. Pointers live as long as the form.
void pnDescribeForm( const pnForm* form, pnShapeDef* def );

// Bounds of the form in a frame that lies so. A plane reaches to +-1e9 m.
pnAABB pnGetFormBounds( const pnForm* form, pnTransform transform );

// All below in the form's own frame, metres. None allocates; all are the same bits on every machine.
// Distance of a place from the surface, negative inside, and the unit direction outward. Always finite.
float pnFormDistance( const pnForm* form, pnVec3 place, pnVec3* outward );
// Is nothing of the form within reach of the place, and no place within reach inside? A quick look: it may say no where it is so.
bool pnIsFormBeyond( const pnForm* form, pnVec3 place, float reach );
// The way from `from` to `to` of a ball of this radius: the fraction in [0,1] at which it first touches, and the direction outward
// there; 2 if it does not. A ball that touches at the start and moves away does not; one that moves on inward does, at 0.
float pnFormSweep( const pnForm* form, pnVec3 from, pnVec3 to, float radius, pnVec3* outward );
