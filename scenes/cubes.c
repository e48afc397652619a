// cubes.c - a quadratic, a linear and a rigid cube under the same forces. After Fig. 4 of Mueller et al. 2005.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_CUBES_COUNT = 3,
	PN_CUBES_EDGE = 5, // points along an edge
	PN_CUBES_POINTS = PN_CUBES_EDGE * PN_CUBES_EDGE * PN_CUBES_EDGE,
	PN_CUBES_LAYER = PN_CUBES_EDGE * PN_CUBES_EDGE,
};

// The points of one horizontal layer.
static void pnListCubeLayer( int32_t* indices, int layer )
{
	for ( int i = 0; i < PN_CUBES_LAYER; ++i )
	{
		indices[i] = i % PN_CUBES_EDGE + PN_CUBES_EDGE * ( layer + PN_CUBES_EDGE * ( i / PN_CUBES_EDGE ) );
	}
}

pnResult pnCreateCubes( pnWorld* world )
{
	static const pnMode modes[PN_CUBES_COUNT] = { pn_quadraticMode, pn_linearMode, pn_rigidMode };
	static const uint32_t colors[PN_CUBES_COUNT] = { 0xe0533d, 0xe9a13b, 0x3d8fd1 };
	pnSolid* solid = NULL;
	pnResult result = pnWorld_SetGravity( world, (pnVec3){ 0.0f, -9.81f, 0.0f } );
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 1.0f, 1.0f, 1.0f },
				.points = { PN_CUBES_EDGE, PN_CUBES_EDGE, PN_CUBES_EDGE },
				.cells = { 1, 1, 1 },
				.omit = -1,
				.radius = 0.1f,
				.flatSteps = { 16, 16, 16 },
				.cornerSteps = 4,
				.density = 500.0f,
			},
			&solid );
	}
	int32_t floor[PN_CUBES_LAYER];
	pnListCubeLayer( floor, 0 );
	for ( int cube = 0; cube < PN_CUBES_COUNT && result == pn_success; ++cube )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.mode = modes[cube];
		def.material.hertz = 7.0f;
		def.material.dampingRatio = 0.06f;
		def.material.stretch = 0.9f;
		def.transform.p = pnMakeVec3( 1.7f * (float)( cube - 1 ), 0.5f, 0.0f );
		def.filter.mask = 0; // nothing touches here
		def.selfContact = false;
		def.userData = pnPackColors( colors[cube], 0, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
		if ( result == pn_success )
		{
			result = pnBody_Pin( world, body, floor, NULL, PN_CUBES_LAYER );
		}
	}
	pnDestroySolid( solid );
	return result;
}

// The top faces are first pushed aside, then turned, the same for each; what comes of it is the mode's doing.
pnResult pnAdvanceCubes( pnWorld* world, int frame, float timeStep )
{
	float time = (float)frame * timeStep;
	float push = 90.0f * pnSceneEase( time / 1.5f ) * ( time < 2.0f ? 1.0f : 0.0f ); // m/s^2 on the points of the top
	float turn = 240.0f * pnSceneEase( ( time - 3.0f ) / 1.0f ) * ( time < 4.5f ? 1.0f : 0.0f ); // 1/s^2
	if ( push == 0.0f && turn == 0.0f )
	{
		return pn_success;
	}
	int32_t top[PN_CUBES_LAYER];
	pnListCubeLayer( top, PN_CUBES_EDGE - 1 );
	pnBodyId bodies[PN_CUBES_COUNT];
	int bodyCount = pnWorld_GetBodies( world, bodies, PN_CUBES_COUNT );
	pnResult result = pn_success;
	for ( int cube = 0; cube < bodyCount && cube < PN_CUBES_COUNT; ++cube )
	{
		float mass = pnSolid_GetInfo( pnBody_GetSolid( world, bodies[cube] ) ).mass / (float)PN_CUBES_POINTS;
		for ( int i = 0; i < PN_CUBES_LAYER && result == pn_success; ++i )
		{
			// Arms as at rest: were they the arms of now, a top that spreads would be turned harder and spread the more.
			float armX = (float)( i % PN_CUBES_EDGE ) / (float)( PN_CUBES_EDGE - 1 ) - 0.5f;
			float armZ = (float)( i / PN_CUBES_EDGE ) / (float)( PN_CUBES_EDGE - 1 ) - 0.5f;
			pnVec3 acceleration = { push + turn * armZ, 0.0f, -turn * armX };
			result = pnBody_ApplyForceAt( world, bodies[cube], top[i], pnScale( mass, acceleration ) );
		}
	}
	return result;
}
