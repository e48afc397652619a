// tear.c - four bones side by side, of jelly, rubber, clay and wood, are pulled at both ends until they part in their waists.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

#define HANDS( N, M, Z )                                    \
	"grab 1:" N " at -0.85 0.75 " Z " radius 0.5 hertz 20\n" \
	"grab 1:" M " at 0.85 0.75 " Z " radius 0.5 hertz 20\n"  \
	"move 1:" N " -1.9 0.75 " Z " steps 180\n"              \
	"move 1:" M " 1.9 0.75 " Z " steps 180\n"

const char pnTearScript[] = HANDS( "1", "2", "-1.2" ) HANDS( "3", "4", "-0.4" ) HANDS( "5", "6", "0.4" ) HANDS( "7", "8", "1.2" )
	"step 200\n"
	"gravity 0 -9.81 0\n"
	"letgo 1\n"
	"step 100\n";

pnResult pnCreateTear( pnWorld* world )
{
	static const struct { const char* preset; float tear; uint32_t color, inside; } bones[] = {
		{ "jelly", 1.6f, 0xc9487a, 0xf0b3c8 }, // soft: it swings back, and holds
		{ "rubber", 1.8f, 0xd98b3a, 0xf1d7a8 },
		{ "clay", 1.9f, 0x9a6a4c, 0xc79a7a }, // flows first, and stays drawn out
		{ "wood", 1.06f, 0xb99a63, 0xe3cf9f }, // hardly stretches
	};
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
	for ( int i = 0; i < 4 && result == pn_success; ++i )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		result = pnFindMaterial( bones[i].preset, &def.material );
		def.material.tear = bones[i].tear;
		def.transform.p = pnMakeVec3( 0.0f, 0.75f, -1.2f + 0.8f * (float)i );
		def.userData = pnPackColors( 0, bones[i].color, bones[i].inside, 0 );
		pnBodyId body;
		result = result == pn_success ? pnCreateBody( world, &def, &body ) : result;
	}
	pnDestroySolid( solid );
	return result;
}
