// talk.c - a tennis ball cut nearly in half: a hand lifts its upper lip and lets it snap, and it talks.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Henriques and Wuensche 2011 wish for cuts that leave a flap which behaves as one.
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_BALL_POINTS = 11, // along each axis
	PN_BALL_ALL = PN_BALL_POINTS * PN_BALL_POINTS * PN_BALL_POINTS,
};

// The blade comes in from the front, two strokes of three quarters of the ball. Syllables: up, and down again.
const char pnTalkScript[] = "step 20\n"
							"cut quad 0.7 0.52 -0.7 0.7 0.52 0.7 0.1 0.52 0.7 0.1 0.52 -0.7 inside 1\n"
							"step 10\n"
							"cut quad 0.7 0.52 -0.7 0.7 0.52 0.7 -0.25 0.52 0.7 -0.25 0.52 -0.7 inside 1\n"
							"step 20\n"
							"grab 1:1 at 0.42 0.62 0 radius 0.25 hertz 6\n"
							"move 1:1 0.30 0.98 0 steps 16\n"
							"step 24\n"
							"move 1:1 0.42 0.66 0 steps 12\n"
							"step 16\n"
							"move 1:1 0.34 0.90 0 steps 8\n"
							"step 10\n"
							"move 1:1 0.42 0.66 0 steps 8\n"
							"step 14\n"
							"move 1:1 0.26 1.05 0 steps 20\n"
							"step 36\n"
							"letgo 1\n"
							"step 110\n";

pnResult pnCreateTalk( pnWorld* world )
{
	pnSolid* solid = NULL;
	pnResult result = pnAddFloor( world, 0.8f );
	result = result != pn_success ? result
								  : pnCreateBlock(
										&( pnBlockDef ){
											.size = { 1.0f, 1.0f, 1.0f },
											.points = { PN_BALL_POINTS, PN_BALL_POINTS, PN_BALL_POINTS },
											.cells = { 4, 4, 4 },
											.overlap = 0.4f,
											.omit = -1,
											.faced = true,
											.roundness = 1.0f,
											.radius = 1.0f,
											.flatSteps = { 1, 1, 1 },
											.cornerSteps = 12,
											.density = 400.0f,
										},
										&solid );
	if ( result == pn_success )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.hertz = 20.0f;
		def.material.dampingRatio = 0.9f;
		def.material.stretch = 0.4f;
		def.gravityScale = 0.0f; // lips do not carry each other
		def.material.friction = 0.8f;
		def.transform.p = pnMakeVec3( 0.0f, 0.515f, 0.0f );
		def.userData = pnPackColors( 0, 0xc9dd3a, 0x8c2f39, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
		pnVec3 places[PN_BALL_ALL]; // its back stays where it is
		int32_t back[PN_BALL_ALL];
		int count = result == pn_success ? pnBody_WritePoints( world, body, places, NULL, PN_BALL_ALL ) : 0, held = 0;
		for ( int i = 0; i < count && i < PN_BALL_ALL; ++i )
		{
			back[held] = i;
			held += places[i].x < -0.36f ? 1 : 0;
		}
		result = result == pn_success ? pnBody_Pin( world, body, back, NULL, held ) : result;
	}
	pnDestroySolid( solid );
	return result;
}
