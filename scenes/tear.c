// tear.c - a bone of rubber is pulled at both ends until it parts in its waist.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

const char pnTearScript[] = "grab 1:1 at -0.85 0.75 0 radius 0.5 hertz 20\n"
							"grab 1:2 at 0.85 0.75 0 radius 0.5 hertz 20\n"
							"move 1:1 -1.7 0.75 0 steps 180\n"
							"move 1:2 1.7 0.75 0 steps 180\n"
							"step 200\n"
							"gravity 0 -9.81 0\n"
							"letgo 1\n"
							"step 100\n";

pnResult pnCreateTear( pnWorld* world )
{
	pnSolid* solid = NULL;
	pnResult result = pnAddFloor( world, 0.6f );
	result = result == pn_success ? pnWorld_SetGravity( world, ( pnVec3 ){ 0 } ) : result;
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&( pnBlockDef ){
				.size = { 2.2f, 0.55f, 0.3f },
				.points = { 34, 7, 5 },
				.cells = { 12, 1, 1 },
				.overlap = 0.4f,
				.omit = -1,
				.faced = true,
				.waist = 0.55f,
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
		def.material.stretch = 0.8f;
		def.material.tear = 1.8f;
		def.transform.p = pnMakeVec3( 0.0f, 0.75f, 0.0f );
		def.userData = pnPackColors( 0, 0xd98b3a, 0xf1d7a8, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}
