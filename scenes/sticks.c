// sticks.c - three equal sticks of 60 points in 1, 2 and 5 clusters, held at one end. After Fig. 7 of Mueller et al. 2005.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_STICK_COUNT = 3,
	PN_STICK_LENGTH = 15, // points along a stick, 2 x 2 across
	PN_STICK_HELD = 2, // layers of points held: two, so that the end cannot turn
};

pnResult pnCreateSticks( pnWorld* world )
{
	static const int clusterCounts[PN_STICK_COUNT] = { 1, 2, 5 };
	static const float overlaps[PN_STICK_COUNT] = { 0.0f, 0.35f, 0.9f }; // of a cell: about three layers of points each
	static const uint32_t colors[PN_STICK_COUNT] = { 0xe0533d, 0xe9a13b, 0x3d8fd1 };
	pnResult result = pnWorld_SetGravity( world, (pnVec3){ 0.0f, -9.81f, 0.0f } );
	for ( int stick = 0; stick < PN_STICK_COUNT && result == pn_success; ++stick )
	{
		pnSolid* solid;
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 3.0f, 0.4f, 0.4f },
				.points = { PN_STICK_LENGTH, 2, 2 },
				.cells = { clusterCounts[stick], 1, 1 },
				.overlap = overlaps[stick],
				.omit = -1,
				.radius = 0.08f,
				.flatSteps = { 60, 4, 4 },
				.cornerSteps = 3,
				.density = 500.0f,
			},
			&solid );
		if ( result != pn_success )
		{
			break;
		}
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.mode = pn_quadraticMode;
		def.material.hertz = 20.0f;
		def.material.dampingRatio = 0.6f;
		def.material.stretch = 0.95f;
		def.transform.p = pnMakeVec3( 0.0f, 0.0f, 1.1f * (float)( stick - 1 ) );
		def.filter.mask = 0; // nothing touches here
		def.selfContact = false;
		def.userData = pnPackColors( colors[stick], 0, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
		pnDestroySolid( solid );
		if ( result != pn_success )
		{
			break;
		}
		int32_t held[4 * PN_STICK_HELD];
		for ( int i = 0; i < 4 * PN_STICK_HELD; ++i )
		{
			held[i] = i % PN_STICK_HELD + PN_STICK_LENGTH * ( i / PN_STICK_HELD );
		}
		result = pnBody_Pin( world, body, held, NULL, 4 * PN_STICK_HELD );
	}
	return result;
}

// As in the paper, a spring pulls the same surface point of each stick towards the same place; here for a while only.
pnResult pnAdvanceSticks( pnWorld* world, int frame, float timeStep )
{
	const float pullStart = 4.0f, pullEnd = 6.0f; // s
	const float stiffness = 1500.0f; // N/m
	float time = (float)frame * timeStep;
	if ( time < pullStart || time > pullEnd )
	{
		return pn_success;
	}
	pnBodyId bodies[PN_STICK_COUNT];
	int bodyCount = pnWorld_GetBodies( world, bodies, PN_STICK_COUNT );
	pnResult result = pn_success;
	for ( int stick = 0; stick < bodyCount && stick < PN_STICK_COUNT && result == pn_success; ++stick )
	{
		pnVec3 positions[4 * PN_STICK_LENGTH];
		pnBody_WritePoints( world, bodies[stick], positions, NULL, 4 * PN_STICK_LENGTH );
		int tip = 2 * PN_STICK_LENGTH - 1;
		pnVec3 anchor = { 1.0f, 1.6f, 1.1f * (float)( stick - 1 ) - 0.2f };
		pnVec3 pull = pnScale( stiffness * pnSceneEase( time - pullStart ), pnSub( anchor, positions[tip] ) );
		result = pnBody_ApplyForceAt( world, bodies[stick], tip, pull );
	}
	return result;
}
