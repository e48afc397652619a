// spin.c - a block that tumbles and swings with nothing to hold it. Few points, a fine skin (as in Fig. 10).
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_SPIN_POINTS = 64
};

pnResult pnCreateSpin( pnWorld* world )
{
	pnResult result = pnWorld_SetGravity( world, (pnVec3){ 0 } );
	pnSolid* solid = NULL;
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 1.5f, 1.0f, 0.6f },
				.points = { 4, 4, 4 },
				.cells = { 2, 2, 2 },
				.overlap = 0.4f,
				.omit = -1,
				.radius = 0.14f,
				.flatSteps = { 24, 18, 12 },
				.cornerSteps = 5,
				.density = 1000.0f,
			},
			&solid );
	}
	if ( result != pn_success )
	{
		return result;
	}

	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.material.mode = pn_quadraticMode;
	def.material.hertz = 5.0f;
	def.material.dampingRatio = 0.0f;
	def.material.stretch = 0.8f;
	def.filter.mask = 0; // nothing touches here
	def.selfContact = false;
	def.userData = pnPackColors( 0xe8663a, 0, 0, 0 );
	pnBodyId body;
	result = pnCreateBody( world, &def, &body );
	pnDestroySolid( solid );
	if ( result != pn_success )
	{
		return result;
	}

	// Twisted about its long axis and bent, and turning about the axis of middle inertia, which is the unsteady one.
	pnVec3 positions[PN_SPIN_POINTS], velocities[PN_SPIN_POINTS];
	pnVec3 spin = { 0.35f, 3.6f, 0.2f };
	pnVec3 drift = { 0.03f, 0.02f, 0.0f };
	int count = pnBody_WritePoints( world, body, positions, NULL, PN_SPIN_POINTS );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 p = positions[i];
		pnQuat twist = pnSceneTurn( (pnVec3){ 1.0f, 0.0f, 0.0f }, 0.65f * p.x );
		p = pnRotate( twist, p );
		p.y += 0.22f * ( p.x * p.x - 0.2f );
		positions[i] = p;
		velocities[i] = pnAdd( drift, pnCross( spin, p ) );
	}
	return pnBody_SetPoints( world, body, positions, velocities, count );
}
