// ramp.c - four equal blocks of different friction on one slope: two slide, two stay.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_RAMP_BLOCKS = 4
};

pnResult pnCreateRamp( pnWorld* world )
{
	static const float frictions[PN_RAMP_BLOCKS] = { 0.1f, 0.25f, 0.45f, 0.8f };
	static const uint32_t colors[PN_RAMP_BLOCKS] = { 0x3d8fd1, 0x3aa88f, 0xe9a13b, 0xe0533d };
	const pnVec3 up = { 0.36f, 1.0f, 0.0f }; // of the slope: falls by 36 % along x, so what has more friction stays
	const pnVec3 blockSize = { 0.7f, 0.5f, 0.7f };

	pnResult result = pnAddFloor( world, 1.0f );
	pnShapeDef ramp = pnDefaultShapeDef();
	ramp.kind = pn_boxShape;
	ramp.halfExtents = pnMakeVec3( 3.0f, 0.15f, 2.4f );
	ramp.transform.p = pnMakeVec3( 0.0f, 1.0f, 0.0f );
	ramp.transform.q = pnSceneTilt( up );
	ramp.friction = 1.0f; // so a block's friction on it is the square root of the block's own
	pnShapeId shape;
	result = result == pn_success ? pnCreateShape( world, &ramp, &shape ) : result;

	pnSolid* solid = NULL;
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = blockSize,
				.points = { 5, 4, 5 },
				.cells = { 1, 1, 1 },
				.omit = -1,
				.faced = true,
				.radius = 0.05f,
				.flatSteps = { 4, 4, 4 },
				.cornerSteps = 3,
				.density = 1000.0f,
			},
			&solid );
	}
	for ( int i = 0; i < PN_RAMP_BLOCKS && result == pn_success; ++i )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.hertz = 12.0f;
		def.material.dampingRatio = 0.5f;
		def.material.friction = frictions[i] * frictions[i];
		pnVec3 onRamp = { -2.3f, ramp.halfExtents.y + 0.5f * blockSize.y + 0.01f, 1.1f * ( (float)i - 1.5f ) };
		def.transform.p = pnTransformPoint( ramp.transform, onRamp );
		def.transform.q = ramp.transform.q;
		def.userData = pnPackColors( 0, colors[i], 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}
