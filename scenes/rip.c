// rip.c - a bar of clay is dented by a ball, keeps the dent, and is then pulled apart where it is thinnest.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

const char pnRipScript[] = "step 20\n"
						   "push 1:1 at 0.05 0.75 0 radius 0.22\n"
						   "move 1:1 0.05 0.38 0 steps 40          # into the clay\n"
						   "step 60\n"
						   "move 1:1 0.05 0.9 0 steps 30\n"
						   "step 40\n"
						   "drop 1:1\n"
						   "grab 2:1 at -0.7 0.2 0 radius 0.5 hertz 15\n"
						   "grab 2:2 at 0.7 0.2 0 radius 0.5 hertz 15\n"
						   "move 2:1 -0.7 0.6 0 steps 40\n"
						   "move 2:2 0.7 0.6 0 steps 40\n"
						   "step 50\n"
						   "move 2:1 -1.6 0.6 0 steps 120\n"
						   "move 2:2 1.6 0.6 0 steps 120\n"
						   "step 130\n"
						   "letgo 2\n"
						   "step 60\n";

pnResult pnCreateRip( pnWorld* world )
{
	pnSolid* solid = NULL;
	pnResult result = pnAddFloor( world, 0.8f );
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&( pnBlockDef ){
				.size = { 1.8f, 0.36f, 0.5f },
				.points = { 28, 7, 9 },
				.cells = { 10, 1, 2 },
				.overlap = 0.3f,
				.omit = -1,
				.faced = true,
				.radius = 0.07f,
				.flatSteps = { 56, 8, 14 },
				.cornerSteps = 3,
				.density = 1500.0f,
			},
			&solid );
	}
	if ( result == pn_success )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.hertz = 40.0f;
		def.material.dampingRatio = 0.9f;
		def.material.stretch = 0.8f;
		def.material.yield = 0.1f;
		def.material.creep = 30.0f;
		def.material.maxPlastic = 1.2f;
		def.material.tear = 2.2f;
		def.material.friction = 0.8f;
		def.transform.p = pnMakeVec3( 0.0f, 0.2f, 0.0f );
		def.userData = pnPackColors( 0, 0xb0714b, 0xd9a07a, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}
