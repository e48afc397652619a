// pile.c - ellipsoids dropped into an open box: 100 of them, and as many bodies and points as Fig. 9 of Mueller et al. 2005.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_PILE_SMALL = 100,
	PN_PILE_LARGE = 384,
};

// Bodies in layers of so many each way, every one turned a little; solids: one, or two of which every fourth body has the second.
static pnResult pnFillPile( pnWorld* world, pnSolid* const solids[2], int bodyCount, int perSide )
{
	static const uint32_t colors[6] = { 0xd9483b, 0xe98f3b, 0xe9b83b, 0x52a667, 0x3a9fa8, 0x3d82d1 };
	const float spacing = 1.15f, rise = 1.1f; // m between neighbours and between layers
	float half = 0.5f * ( (float)perSide * spacing + 0.2f );
	pnResult result = pnAddFloor( world, 0.5f );
	result = result == pn_success ? pnAddWalls( world, half, half, 0.0f, 0.5f ) : result;
	uint32_t random = 2463534242u;
	for ( int i = 0; i < bodyCount && result == pn_success; ++i )
	{
		int column = i % perSide, row = i / perSide % perSide, layer = i / ( perSide * perSide );
		float middle = 0.5f * (float)( perSide - 1 );
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solids[i % 4 == 3 && solids[1] != NULL ? 1 : 0];
		def.material.hertz = 20.0f;
		def.material.dampingRatio = 1.0f;
		def.material.stretch = 0.5f;
		def.transform.p.x = ( (float)column - middle ) * spacing + pnSceneRandomBetween( &random, -0.05f, 0.05f );
		def.transform.p.y = 0.8f + (float)layer * rise;
		def.transform.p.z = ( (float)row - middle ) * spacing + pnSceneRandomBetween( &random, -0.05f, 0.05f );
		pnQuat turn = pnSceneTurn( (pnVec3){ 0.0f, 1.0f, 0.0f }, pnSceneRandomBetween( &random, 0.0f, 6.28f ) );
		pnQuat tilt = pnSceneTurn( (pnVec3){ 1.0f, 0.0f, 0.0f }, pnSceneRandomBetween( &random, -0.5f, 0.5f ) );
		def.transform.q = pnMulQuat( turn, tilt );
		def.userData = pnPackColors( colors[pnSceneRandom( &random ) % 6], 0, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	return result;
}

static const pnVec3 pnPileRadii = { 0.5f, 0.4f, 0.5f }; // m

pnResult pnCreatePile100( pnWorld* world )
{
	pnSolid* solids[2] = { 0 };
	pnResult result = pnCreateEllipsoid( pnPileRadii, 131, 0, &solids[0] );
	result = result == pn_success ? pnFillPile( world, solids, PN_PILE_SMALL, 5 ) : result;
	pnDestroySolid( solids[0] );
	return result;
}

// Every fourth body lacks one point of 144: 384 * 144 - 96 = 55,200 points.
pnResult pnCreatePile384( pnWorld* world )
{
	pnSolid* solids[2] = { 0 };
	pnResult result = pnCreateEllipsoid( pnPileRadii, 142, 2, &solids[0] );
	result = result == pn_success ? pnCreateEllipsoid( pnPileRadii, 142, 1, &solids[1] ) : result;
	result = result == pn_success ? pnFillPile( world, solids, PN_PILE_LARGE, 8 ) : result;
	pnDestroySolid( solids[0] );
	pnDestroySolid( solids[1] );
	return result;
}
