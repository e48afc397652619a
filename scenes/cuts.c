// cuts.c - a melon and a ring are cut, fall apart on the floor, and what is left is cut again and again. After Fig. 7 of Henriques and
// Wuensche 2011.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

const char pnCutsScript[] = "step 30\n"
							"cut plane -0.7 0.5 0 1 0 0.25 inside 1   # the melon in halves\n"
							"cut plane 0.8 0.2 0 1 0 0.2 inside 1     # the ring too\n"
							"step 40\n"
							"cut plane -1 0.5 0 1 -0.2 0.25 inside 1  # slices\n"
							"cut plane -0.4 0.5 0 1 0.2 0.25 inside 1\n"
							"step 60\n"
							"cut plane 0 0.3 -0.1 0.15 0.1 1 inside 1 # through all there is\n"
							"step 60\n"
							"cut plane 0 0.22 0 0.1 1 0.1 inside 1\n"
							"step 60\n"
							"cut plane 1 0.2 0 1 0.3 -1 inside 1\n"
							"cut plane -0.5 0.2 0 1 0.2 0.8 inside 1\n"
							"step 110\n";

pnResult pnCreateCuts( pnWorld* world )
{
	pnResult result = pnAddFloor( world, 0.6f );
	pnSolid *melon = NULL, *ring = NULL;
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&( pnBlockDef ){
				.size = { 1.3f, 1.0f, 1.0f },
				.points = { 13, 11, 11 },
				.cells = { 4, 3, 3 },
				.overlap = 0.3f,
				.omit = -1,
				.faced = true,
				.roundness = 1.0f,
				.radius = 1.0f,
				.flatSteps = { 1, 1, 1 },
				.cornerSteps = 10,
				.density = 900.0f,
			},
			&melon );
	}
	if ( result == pn_success )
	{
		result = pnCreateTorus( &( pnTorusDef ){ .radius = 0.42f, .tube = 0.17f, .around = 40, .across = 16, .clusters = 12, .overlap = 2 },
								&ring );
	}
	for ( int i = 0; i < 2 && result == pn_success; ++i )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = i == 0 ? melon : ring;
		def.material.hertz = 14.0f;
		def.material.dampingRatio = 0.6f;
		def.material.stretch = 0.4f;
		def.material.friction = 0.6f;
		def.transform.p = i == 0 ? pnMakeVec3( -0.7f, 0.55f, 0.0f ) : pnMakeVec3( 0.8f, 0.25f, 0.0f );
		def.userData = i == 0 ? pnPackColors( 0, 0x3f7d3a, 0xd9453d, 0 ) : pnPackColors( 0xa8683a, 0xf0d9a0, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( melon );
	pnDestroySolid( ring );
	return result;
}
