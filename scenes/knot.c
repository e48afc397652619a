// knot.c - a long stick, held in its middle; its ends are brought together and turned about each other, as one wrings a towel.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Without self-contact its legs would go through each other at every half turn.
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_KNOT_LENGTH = 65, // points along the stick
	PN_KNOT_ACROSS = 4, // and each way across
	PN_KNOT_HELD = 3, // layers of points held at each end and in the middle
	PN_KNOT_PINS = 3 * PN_KNOT_HELD * PN_KNOT_ACROSS * PN_KNOT_ACROSS,
};

static const float pnKnotLength = 6.4f, pnKnotThickness = 0.3f; // m

// Where the end of this side (-1 or 1) is, and how it is turned.
static pnTransform pnGetKnotEnd( float side, float time )
{
	const float pi = 3.14159265f;
	const float near = 0.4f, high = 2.5f; // m: half the distance of the ends, and their height, when they are together
	float half = 0.5f * pnKnotLength;
	float lift = 0.5f * pi * pnSceneEase( time / 1.8f ); // a quarter turn, upwards
	float wring = 2.0f * pi * pnSceneEase( ( time - 1.8f ) / 4.2f ); // about y
	pnVec3 place = { side * ( near + ( half - near ) * pnSceneCos( lift ) ), high * pnSceneSin( lift ), 0.0f };
	pnQuat about = pnSceneTurn( (pnVec3){ 0.0f, 1.0f, 0.0f }, wring );
	pnQuat upwards = pnSceneTurn( (pnVec3){ 0.0f, 0.0f, 1.0f }, side * lift );
	return (pnTransform){ pnRotate( about, place ), pnMulQuat( about, upwards ) };
}

static int pnListKnotPins( float time, int32_t* points, pnVec3* targets )
{
	const float spacing = pnKnotLength / (float)( PN_KNOT_LENGTH - 1 ), across = pnKnotThickness / (float)( PN_KNOT_ACROSS - 1 );
	int count = 0;
	for ( int part = -1; part <= 1; ++part )
	{
		pnTransform end = part == 0 ? pnIdentityTransform() : pnGetKnotEnd( (float)part, time );
		int first = part < 0 ? 0 : part == 0 ? ( PN_KNOT_LENGTH - PN_KNOT_HELD ) / 2 : PN_KNOT_LENGTH - PN_KNOT_HELD;
		for ( int i = 0; i < PN_KNOT_HELD * PN_KNOT_ACROSS * PN_KNOT_ACROSS; ++i )
		{
			int layer = first + i % PN_KNOT_HELD, j = i / PN_KNOT_HELD % PN_KNOT_ACROSS, k = i / ( PN_KNOT_HELD * PN_KNOT_ACROSS );
			points[count] = layer + PN_KNOT_LENGTH * ( j + PN_KNOT_ACROSS * k );
			pnVec3 place = { spacing * (float)layer - 0.5f * pnKnotLength * (float)( 1 + part ), across * (float)j - 0.5f * pnKnotThickness,
							 across * (float)k - 0.5f * pnKnotThickness };
			targets[count++] = pnTransformPoint( end, place );
		}
	}
	return count;
}

pnResult pnCreateKnot( pnWorld* world )
{
	pnSolid* solid = NULL;
	pnResult result = pnCreateBlock(
		&(pnBlockDef){
			.size = { pnKnotLength, pnKnotThickness, pnKnotThickness },
			.points = { PN_KNOT_LENGTH, PN_KNOT_ACROSS, PN_KNOT_ACROSS },
			.cells = { 20, 1, 1 },
			.overlap = 0.5f,
			.omit = -1,
			.faced = true,
			.radius = 0.06f,
			.flatSteps = { 96, 3, 3 },
			.cornerSteps = 3,
			.density = 1000.0f,
		},
		&solid );
	if ( result == pn_success )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.hertz = 15.0f;
		def.material.dampingRatio = 0.8f;
		def.material.stretch = 0.6f;
		def.userData = pnPackColors( 0, 0xe9a13b, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}

pnResult pnAdvanceKnot( pnWorld* world, int frame, float timeStep )
{
	pnBodyId body;
	if ( pnWorld_GetBodies( world, &body, 1 ) < 1 )
	{
		return pn_success;
	}
	int32_t points[PN_KNOT_PINS];
	pnVec3 targets[PN_KNOT_PINS];
	int count = pnListKnotPins( (float)frame * timeStep, points, targets );
	return pnBody_Pin( world, body, points, targets, count );
}
