// dent.c - three cubes pressed in from above: one springs back, one keeps the dent, one heals. After Fig. 6 of Mueller et al. 2005.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_DENT_COUNT = 3,
	PN_DENT_EDGE = 9, // points along an edge
	PN_DENT_PATCH = 1, // points from the middle of a face that are pressed, to each side
	PN_DENT_FINGERS = 2 * ( 2 * PN_DENT_PATCH + 1 ) * ( 2 * PN_DENT_PATCH + 1 ), // points under both fingers
};

// The points in the middle of the top and the bottom, and where they are at rest.
static int pnListFingers( int cube, int32_t* points, pnVec3* places )
{
	const float spacing = 1.2f / (float)( PN_DENT_EDGE - 1 ); // m
	int count = 0;
	for ( int top = 0; top < 2; ++top )
	{
		for ( int row = -PN_DENT_PATCH; row <= PN_DENT_PATCH; ++row )
		{
			for ( int column = -PN_DENT_PATCH; column <= PN_DENT_PATCH; ++column )
			{
				int i = PN_DENT_EDGE / 2 + column, j = top * ( PN_DENT_EDGE - 1 ), k = PN_DENT_EDGE / 2 + row;
				points[count] = i + PN_DENT_EDGE * ( j + PN_DENT_EDGE * k );
				places[count++] = pnMakeVec3( 2.1f * (float)( cube - 1 ) + spacing * (float)column, (float)top, spacing * (float)row );
			}
		}
	}
	return count;
}

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
				.cells = { 4, 4, 4 },
				.overlap = 0.1f,
				.omit = -1,
				.radius = 0.1f,
				.flatSteps = { 24, 20, 24 },
				.cornerSteps = 4,
				.density = 500.0f,
			},
			&solid );
	}
	for ( int cube = 0; cube < PN_DENT_COUNT && result == pn_success; ++cube )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.mode = pn_quadraticMode;
		def.material.hertz = 6.0f;
		def.material.dampingRatio = 0.4f;
		def.material.stretch = 0.9f;
		if ( cube > 0 )
		{
			def.material.yield = 0.12f;
			def.material.creep = 30.0f;
			def.material.maxPlastic = 1.5f;
			def.material.recovery = cube == 2 ? 0.4f : 0.0f;
		}
		def.transform.p = pnMakeVec3( 2.1f * (float)( cube - 1 ), 0.5f, 0.0f );
		def.filter.mask = 0; // nothing touches here
		def.selfContact = false;
		def.userData = pnPackColors( colors[cube], 0, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}

// Two fingers pinch the middle of each cube from above and from below, hold, and are gone.
pnResult pnAdvanceDent( pnWorld* world, int frame, float timeStep )
{
	const float press = 1.0f, release = 1.6f; // s
	const float depth = 0.36f; // m, of each finger
	float time = (float)frame * timeStep;
	bool pressing = time < release;
	if ( pressing == false && pnSceneCrosses( release, frame, timeStep ) == false )
	{
		return pn_success;
	}
	pnBodyId bodies[PN_DENT_COUNT];
	int bodyCount = pnWorld_GetBodies( world, bodies, PN_DENT_COUNT );
	pnResult result = pn_success;
	for ( int cube = 0; cube < bodyCount && cube < PN_DENT_COUNT && result == pn_success; ++cube )
	{
		int32_t fingers[PN_DENT_FINGERS];
		pnVec3 targets[PN_DENT_FINGERS];
		int count = pnListFingers( cube, fingers, targets );
		for ( int i = 0; i < count; ++i )
		{
			targets[i].y += ( 1.0f - 2.0f * targets[i].y ) * depth * pnSceneEase( time / press );
		}
		result =
			pressing ? pnBody_Pin( world, bodies[cube], fingers, targets, count ) : pnBody_Unpin( world, bodies[cube], fingers, count );
	}
	return result;
}
