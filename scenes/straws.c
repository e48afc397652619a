// straws.c - square wooden sticks let go crosswise over each other: what touches is edge on edge, far from every corner.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_STRAW_COUNT = 24,
	PN_STRAW_LAYER = 3, // sticks side by side
};

pnResult pnCreateStraws( pnWorld* world )
{
	static const uint32_t colors[4] = { 0xe0533d, 0xe9a13b, 0x3d8fd1, 0x52a667 };
	pnResult result = pnWorld_SetGravity( world, (pnVec3){ 0.0f, -9.81f, 0.0f } );
	result = result == pn_success ? pnAddFloor( world, 0.6f ) : result;
	pnSolid* solid = NULL;
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 1.6f, 0.12f, 0.12f },
				.points = { 9, 2, 2 },
				.cells = { 1, 1, 1 },
				.omit = -1,
				.faced = true,
				.radius = 0.01f,
				.flatSteps = { 8, 1, 1 },
				.cornerSteps = 1,
				.density = 650.0f,
			},
			&solid );
	}
	uint32_t random = 7;
	for ( int i = 0; i < PN_STRAW_COUNT && result == pn_success; ++i )
	{
		int layer = i / PN_STRAW_LAYER, beside = i % PN_STRAW_LAYER - 1;
		float yaw = ( layer % 2 == 0 ? 0.0f : 1.5708f ) + pnSceneRandomBetween( &random, -0.3f, 0.3f ), out = 0.4f * (float)beside + pnSceneRandomBetween( &random, -0.06f, 0.06f );
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		pnFindMaterial( "wood", &def.material );
		// an edge below, not a face
		def.transform.q = pnMulQuat( pnSceneTurn( pnMakeVec3( 0.0f, 1.0f, 0.0f ), yaw ), pnSceneTurn( pnMakeVec3( 1.0f, 0.0f, 0.0f ), 0.7854f + pnSceneRandomBetween( &random, -0.4f, 0.4f ) ) );
		def.transform.p = pnMakeVec3( out * pnSceneSin( yaw ), 0.3f + 0.28f * (float)layer, out * pnSceneCos( yaw ) );
		def.userData = pnPackColors( 0, colors[layer % 4], 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}
