// pile_world.h - the pile as a pliant world: bodies, floor, walls. Knows the public library only, and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pile_scene.h"

#include "pliant/pliant.h"

typedef struct pnPileWorldDef
{
	pnMaterial material;
	int workerCount;
	bool enableSleep;
} pnPileWorldDef;

typedef struct pnPileWorld
{
	pnWorld* world;
	pnBodyId* bodies;
} pnPileWorld;

pnPileWorldDef pnDefaultPileWorldDef( void ); // the material of the benchmark, one worker, no sleep
// One cluster to a body, contact with each other, themselves and the box. On failure nothing is left of it.
pnResult pnCreatePileWorld( const pnPile* pile, const pnPileWorldDef* def, pnPileWorld* pileWorld );
void pnDestroyPileWorld( pnPileWorld* pileWorld );
void pnPileWorld_WritePositions( const pnPileWorld* pileWorld, const pnPile* pile, pnVec3* positions ); // of all points
