// squeeze.c - a duck pressed flat and turned inside out. After Fig. 11 of Mueller et al. 2005; the duck is our own.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "duck.h"
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

pnResult pnCreateSqueeze( pnWorld* world )
{
	pnSolid* solid = NULL;
	pnResult result = pnWorld_SetGravity( world, (pnVec3){ 0 } );
	if ( result == pn_success )
	{
		result = pnCreateDuck( &solid );
	}
	if ( result != pn_success )
	{
		return result;
	}
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.material.mode = pn_quadraticMode;
	def.material.hertz = 4.0f;
	def.material.dampingRatio = 0.5f;
	def.material.stretch = 0.7f;
	def.filter.mask = 0; // nothing touches here
	def.selfContact = false;
	def.userData = pnPackColors( 0xf2c230, 0xe8702a, 0x2b2b2b, 0 );
	pnBodyId body;
	result = pnCreateBody( world, &def, &body );
	pnDestroySolid( solid );
	return result;
}

// Pins carry all points to a plane, hold them and are gone; later once more, and through the plane.
pnResult pnAdvanceSqueeze( pnWorld* world, int frame, float timeStep )
{
	const float starts[2] = { 0.3f, 3.8f }, arrivals[2] = { 1.3f, 4.9f }, ends[2] = { 1.5f, 5.0f }; // s
	const float heights[2] = { 0.01f, -0.45f }; // of the rest height when let go; negative is inside out
	float time = (float)frame * timeStep;
	for ( int press = 0; press < 2; ++press )
	{
		pnBodyId body;
		bool lets = pnSceneCrosses( ends[press], frame, timeStep );
		bool holds = time > starts[press] && time < ends[press];
		if ( ( holds || lets ) == false || pnWorld_GetBodies( world, &body, 1 ) < 1 )
		{
			continue;
		}
		if ( lets )
		{
			return pnBody_Unpin( world, body, NULL, 0 );
		}
		// From wherever they are, in straight lines, so as to be there in time.
		float left = arrivals[press] - ( time - timeStep );
		float share = left > timeStep ? timeStep / left : 1.0f;
		pnVec3 targets[PN_DUCK_MAX_POINTS], goals[PN_DUCK_MAX_POINTS];
		int32_t indices[PN_DUCK_MAX_POINTS];
		int count = pnGetDuckPoints( goals, PN_DUCK_MAX_POINTS );
		pnBody_WritePoints( world, body, targets, NULL, count );
		for ( int i = 0; i < count; ++i )
		{
			indices[i] = i;
			goals[i].y *= heights[press];
			targets[i] = pnMulAdd( targets[i], share, pnSub( goals[i], targets[i] ) );
		}
		return pnBody_Pin( world, body, indices, targets, count );
	}
	return pn_success;
}
