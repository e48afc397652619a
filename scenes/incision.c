// incision.c - a pad held at its rim is opened by a blade in several strokes; two hands pull the lips apart and let them go.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// What Henriques and Wuensche 2011 leave to future work: cuts that do not go all the way, and flaps.
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_PAD_X = 25,
	PN_PAD_Y = 4,
	PN_PAD_Z = 20, // points along each axis
};

// The blade goes from right to left, 13 of 20 cm deep; each stroke begins within the last one.
const char pnIncisionScript[] = "step 20\n"
								"cut quad 0.45 0.5 0.01 0.45 0.10 0.01 0.15 0.08 0.01 0.15 0.5 0.01 inside 1\n"
								"step 15\n"
								"cut quad 0.18 0.5 0.01 0.18 0.08 0.01 -0.15 0.08 0.01 -0.15 0.5 0.01 inside 1\n"
								"step 15\n"
								"cut quad -0.12 0.5 0.01 -0.12 0.08 0.01 -0.45 0.10 0.01 -0.45 0.5 0.01 inside 1\n"
								"step 30\n"
								"grab 1:1 at 0 0.19 0.05 radius 0.1 hertz 8\n"
								"grab 1:2 at 0 0.19 -0.05 radius 0.1 hertz 8\n"
								"move 1:1 0 0.3 0.25 steps 60\n"
								"move 1:2 0 0.3 -0.25 steps 60\n"
								"step 100\n"
								"letgo 1\n"
								"step 120\n";

pnResult pnCreateIncision( pnWorld* world )
{
	pnSolid* solid = NULL;
	pnResult result = pnAddFloor( world, 0.5f );
	result = result != pn_success ? result
								  : pnCreateBlock(
										&( pnBlockDef ){
											.size = { 1.6f, 0.2f, 1.2f },
											.points = { PN_PAD_X, PN_PAD_Y, PN_PAD_Z },
											.cells = { 10, 1, 8 },
											.overlap = 0.4f,
											.omit = -1,
											.faced = true,
											.radius = 0.05f,
											.flatSteps = { 48, 4, 36 },
											.cornerSteps = 3,
											.density = 1000.0f,
										},
										&solid );
	if ( result == pn_success )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.hertz = 12.0f;
		def.material.dampingRatio = 0.7f;
		def.material.stretch = 0.6f;
		def.transform.p = pnMakeVec3( 0.0f, 0.125f, 0.0f );
		def.userData = pnPackColors( 0, 0xe3b799, 0xc0392b, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
		int32_t rim[PN_PAD_X * PN_PAD_Y * PN_PAD_Z];
		int count = 0;
		for ( int i = 0; i < PN_PAD_X * PN_PAD_Y * PN_PAD_Z; ++i )
		{
			int x = i % PN_PAD_X, z = i / ( PN_PAD_X * PN_PAD_Y );
			rim[count] = i;
			count += x == 0 || x == PN_PAD_X - 1 || z == 0 || z == PN_PAD_Z - 1 ? 1 : 0;
		}
		result = result == pn_success ? pnBody_Pin( world, body, rim, NULL, count ) : result;
	}
	pnDestroySolid( solid );
	return result;
}
