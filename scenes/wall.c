// wall.c - four equal cubes pushed into a wall, without a cap on stretch and with each of the three: the first one spreads
// out, the others keep their size. After Fig. 2 of Henriques and Wuensche 2011.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_WALL_CUBES = 4
};

static const float pnWallSpacing = 2.6f; // m

pnResult pnCreateWall( pnWorld* world )
{
	static const pnCap caps[PN_WALL_CUBES] = { pn_noCap, pn_rowCap, pn_blendCap, pn_scaleCap };
	static const uint32_t colors[PN_WALL_CUBES] = { 0xe0533d, 0xe9a13b, 0x3d8fd1, 0x52a667 };
	pnResult result = pnWorld_SetGravity( world, (pnVec3){ 0 } );
	pnShapeDef wall = pnDefaultShapeDef();
	wall.kind = pn_boxShape;
	wall.halfExtents = pnMakeVec3( 0.2f, 1.6f, 2.2f * pnWallSpacing );
	wall.transform.p = pnMakeVec3( 0.2f, 0.0f, 0.0f ); // its face is x = 0
	wall.friction = 0.0f; // else it would hold what spreads
	wall.userData = pnPackColors( 0xb9bfc6, 0, 0, 0 );
	pnShapeId shape;
	result = result == pn_success ? pnCreateShape( world, &wall, &shape ) : result;
	pnSolid* solid = NULL;
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 1.0f, 1.0f, 1.0f },
				.points = { 6, 6, 6 },
				.cells = { 1, 1, 1 },
				.omit = -1,
				.faced = true,
				.radius = 0.08f,
				.flatSteps = { 8, 8, 8 },
				.cornerSteps = 3,
				.density = 1000.0f,
			},
			&solid );
	}
	for ( int i = 0; i < PN_WALL_CUBES && result == pn_success; ++i )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.mode = pn_linearMode;
		def.material.hertz = 6.0f;
		def.material.dampingRatio = 0.6f;
		def.material.stretch = 0.95f;
		def.material.volume = 1.0f;
		def.material.cap = caps[i];
		def.material.capStart = 1.15f;
		def.material.capEnd = 1.3f;
		def.transform.p = pnMakeVec3( -0.6f, 0.0f, pnWallSpacing * ( 1.5f - (float)i ) );
		def.userData = pnPackColors( 0, colors[i], 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}

// The same push for each, rising to a hold and falling back to what just keeps them at the wall.
pnResult pnAdvanceWall( pnWorld* world, int frame, float timeStep )
{
	const float most = 60.0f, least = 4.0f; // m/s^2
	float time = (float)frame * timeStep;
	float rise = pnSceneEase( time / 1.5f ), fall = pnSceneEase( ( time - 2.5f ) / 0.5f );
	float push = least + ( most - least ) * ( rise - fall );
	pnBodyId bodies[PN_WALL_CUBES];
	int bodyCount = pnWorld_GetBodies( world, bodies, PN_WALL_CUBES );
	pnResult result = pn_success;
	for ( int i = 0; i < bodyCount && i < PN_WALL_CUBES && result == pn_success; ++i )
	{
		float mass = pnSolid_GetInfo( pnBody_GetSolid( world, bodies[i] ) ).mass;
		result = pnBody_ApplyForce( world, bodies[i], pnMakeVec3( mass * push, 0.0f, 0.0f ) );
	}
	return result;
}
