// glue.h - what glued parts do to each other: the tractions between them that leave no gap. Knows systems and where they touch, no rounds.
#pragma once

#include "system.h"

typedef struct pnGlued
{
	pnSystem* system; // its coefficients become those of the whole
	const pnUnits* units;
	const pnSpacing* spacing; // of its sources
	pnVec3d* tractions; // of each collocation point: what the mates do (scaled)
} pnGlued;

// Solves every part for the values in its bounds and finds the tractions on the places whose group says PN_GLUED. pn_invalidInput: the whole is free in
// space, and a line says so.
pnResult pnGlueParts( const pnGlued* parts, int count );
