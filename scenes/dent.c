// dent.c - three cubes pressed in from above: one springs back, one keeps the dent, one heals. After Fig. 6 of Mueller et al. 2005.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_DENT_COUNT = 3,
	PN_DENT_EDGE = 7, // points along an edge
	PN_DENT_POINTS = PN_DENT_EDGE * PN_DENT_EDGE * PN_DENT_EDGE,
	PN_DENT_FINGER = 3, // points along the edge of the patch that is pressed
};

pnResult pnCreateDent( pnWorld* world )
{
	static const uint32_t colors[PN_DENT_COUNT] = { 0x3d8fd1, 0xb5754c, 0x5fae5b };
	pnSolid* solid = NULL;
	pnResult result = pnWorld_SetGravity( world, (pnVec3){ 0 } );
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 1.2f, 1.0f, 1.2f },
				.points = { PN_DENT_EDGE, PN_DENT_EDGE, PN_DENT_EDGE },
				.cells = { 3, 3, 3 },
				.overlap = 0.3f,
				.omit = -1,
				.radius = 0.1f,
				.flatSteps = { 24, 20, 24 },
				.cornerSteps = 4,
				.density = 500.0f,
			},
			&solid );
	}
	int32_t floor[PN_DENT_EDGE * PN_DENT_EDGE];
	for ( int i = 0; i < PN_DENT_EDGE * PN_DENT_EDGE; ++i )
	{
		floor[i] = i % PN_DENT_EDGE + PN_DENT_EDGE * PN_DENT_EDGE * ( i / PN_DENT_EDGE );
	}
	for ( int cube = 0; cube < PN_DENT_COUNT && result == pn_success; ++cube )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.mode = pn_linearMode;
		def.material.hertz = 6.0f;
		def.material.dampingRatio = 0.25f;
		def.material.stretch = 0.6f;
		if ( cube > 0 )
		{
			def.material.yield = 0.08f;
			def.material.creep = 12.0f;
			def.material.maxPlastic = 0.9f;
			def.material.recovery = cube == 2 ? 0.6f : 0.0f;
		}
		def.transform.p = pnMakeVec3( 1.8f * (float)( cube - 1 ), 0.5f, 0.0f );
		def.userData = pnPackColors( colors[cube], 0, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
		if ( result == pn_success )
		{
			result = pnBody_Pin( world, body, floor, NULL, PN_DENT_EDGE * PN_DENT_EDGE );
		}
	}
	pnDestroySolid( solid );
	return result;
}

// A finger goes down on the middle of each top face, holds, and is gone.
pnResult pnAdvanceDent( pnWorld* world, int frame, float timeStep )
{
	const float press = 1.0f, release = 1.6f; // s
	const float depth = 0.38f; // m
	float time = (float)frame * timeStep;
	bool pressing = time < release;
	if ( pressing == false && pnSceneCrosses( release, frame, timeStep ) == false )
	{
		return pn_success;
	}
	int32_t finger[PN_DENT_FINGER * PN_DENT_FINGER];
	pnVec3 targets[PN_DENT_FINGER * PN_DENT_FINGER];
	pnBodyId bodies[PN_DENT_COUNT];
	int bodyCount = pnWorld_GetBodies( world, bodies, PN_DENT_COUNT );
	pnResult result = pn_success;
	for ( int cube = 0; cube < bodyCount && cube < PN_DENT_COUNT && result == pn_success; ++cube )
	{
		const int margin = ( PN_DENT_EDGE - PN_DENT_FINGER ) / 2;
		for ( int i = 0; i < PN_DENT_FINGER * PN_DENT_FINGER; ++i )
		{
			int column = i % PN_DENT_FINGER + margin, row = i / PN_DENT_FINGER + margin;
			finger[i] = column + PN_DENT_EDGE * ( PN_DENT_EDGE - 1 + PN_DENT_EDGE * row );
			float spacing = 1.2f / (float)( PN_DENT_EDGE - 1 );
			targets[i].x = 1.8f * (float)( cube - 1 ) - 0.6f + spacing * (float)column;
			targets[i].y = 1.0f - depth * pnSceneEase( time / press );
			targets[i].z = -0.6f + spacing * (float)row;
		}
		if ( pressing )
		{
			result = pnBody_Pin( world, bodies[cube], finger, targets, PN_DENT_FINGER * PN_DENT_FINGER );
		}
		else
		{
			result = pnBody_Unpin( world, bodies[cube], finger, PN_DENT_FINGER * PN_DENT_FINGER );
		}
	}
	return result;
}
