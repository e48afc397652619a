// tear.c - a bone of rubber is pulled at both ends until it parts in its waist.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

const char pnTearScript[] = "step 10\n"
							"grab 1:1 at -0.9 0.75 0 radius 0.45 hertz 12\n"
							"grab 1:2 at 0.9 0.75 0 radius 0.45 hertz 12\n"
							"lock 1:1\n"
							"lock 1:2\n"
							"gravity 0 -9.81 0\n"
							"step 20\n"
							"move 1:1 -1.7 0.75 0 steps 150\n"
							"move 1:2 1.7 0.75 0 steps 150\n"
							"step 210\n"
							"drop 1:1\n"
							"drop 1:2\n"
							"step 60\n";

pnResult pnCreateTear( pnWorld* world )
{
	pnSolid* solid = NULL;
	pnResult result = pnAddFloor( world, 0.6f );
	result = result == pn_success ? pnWorld_SetGravity( world, (pnVec3){ 0 } ) : result;
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 2.2f, 0.55f, 0.3f },
				.points = { 34, 7, 5 },
				.cells = { 16, 2, 1 },
				.overlap = 0.4f,
				.omit = -1,
				.faced = true,
				.waist = 0.5f,
				.radius = 0.06f,
				.flatSteps = { 60, 12, 6 },
				.cornerSteps = 3,
				.density = 1000.0f,
			},
			&solid );
	}
	if ( result == pn_success )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.hertz = 14.0f;
		def.material.dampingRatio = 0.5f;
		def.material.stretch = 0.7f;
		def.material.tear = 1.7f;
		def.transform.p = pnMakeVec3( 0.0f, 0.75f, 0.0f );
		def.userData = pnPackColors( 0, 0xd98b3a, 0xf1d7a8, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}
