// grab.c - a fish is picked up by the nose, hung up by two locked hands, nudged, and let go. After Fig. 3 of Henriques and Wuensche 2011.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "fish.h"
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

const char pnGrabScript[] = "step 30\n"
							"grab 1:1 ray 0.54 2 0 0 -2 0      # the nose\n"
							"move 1:1 0.45 0.8 0 steps 50\n"
							"step 60\n"
							"grab 1:2 at -0.4 0.06 0 radius 0.15 # the tail\n"
							"move 1:1 0.5 1.15 0 steps 50\n"
							"move 1:2 -0.5 1.15 0 steps 50\n"
							"step 70\n"
							"lock 1:2\n"
							"move 1:1 0.85 1.15 0 steps 40     # a long nose\n"
							"step 50\n"
							"move 1:1 0.5 1.15 0 steps 30\n"
							"step 40\n"
							"lock 1:1\n"
							"letgo 1                           # locked hands stay\n"
							"push 2:1 at 0 0.5 0.9 radius 0.15\n"
							"move 2:1 0 1.1 0.05 steps 50\n"
							"step 50\n"
							"letgo 2\n"
							"step 60\n"
							"drop 1:2\n"
							"step 40\n"
							"drop 1:1\n"
							"step 80\n";

pnResult pnCreateGrabScene( pnWorld* world )
{
	pnResult result = pnAddFloor( world, 0.6f );
	pnSolid* solid = NULL;
	result = result == pn_success ? pnCreateFish( &solid ) : result;
	if ( result == pn_success )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.hertz = 16.0f;
		def.material.dampingRatio = 0.4f;
		def.material.stretch = 0.5f;
		def.material.friction = 0.5f;
		def.transform.p = pnMakeVec3( 0.0f, 0.25f, 0.0f );
		def.userData = pnPackColors( 0x6f8f6a, 0x1c1c1c, 0xe6d8b8, 0xc98f5a );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}
