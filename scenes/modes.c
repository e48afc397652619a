// modes.c - every mode of a quadratic map by itself, one cube each. After Fig. 5 of Mueller et al. 2005.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_MODES_EDGE = 5, // points along an edge
	PN_MODES_POINTS = PN_MODES_EDGE * PN_MODES_EDGE * PN_MODES_EDGE,
	PN_MODES_MONOMIALS = 9,
};

pnResult pnCreateModes( pnWorld* world )
{
	static const uint32_t colors[PN_MODES_MONOMIALS] = {
		0xd9483b, 0xe0683a, 0xe98f3b, 0xe9b83b, 0xa3b845, 0x52a667, 0x3a9fa8, 0x3d82d1, 0x6c63c9,
	};
	pnSolid* solid = NULL;
	pnResult result = pnWorld_SetGravity( world, (pnVec3){ 0 } );
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 1.0f, 1.0f, 1.0f },
				.points = { PN_MODES_EDGE, PN_MODES_EDGE, PN_MODES_EDGE },
				.cells = { 1, 1, 1 },
				.omit = -1,
				.radius = 0.08f,
				.flatSteps = { 8, 8, 8 },
				.cornerSteps = 3,
				.density = 1000.0f,
			},
			&solid );
	}
	for ( int direction = 0; direction < 3; ++direction )
	{
		for ( int monomial = 0; monomial < PN_MODES_MONOMIALS && result == pn_success; ++monomial )
		{
			pnVec3 place = { 1.85f * (float)( monomial - 4 ), 1.85f * (float)( 1 - direction ), 0.0f };
			pnBodyDef def = pnDefaultBodyDef();
			def.solid = solid;
			def.material.mode = pn_quadraticMode;
			def.material.hertz = 2.0f;
			def.material.dampingRatio = 0.0f;
			def.material.stretch = 0.75f; // so a mode swings once a second
			def.material.volume = 0.0f;
			def.transform.p = place;
			def.filter.mask = 0; // nothing touches here
			def.selfContact = false;
			def.userData = pnPackColors( colors[monomial], 0, 0, 0 );
			pnBodyId body;
			result = pnCreateBody( world, &def, &body );
			if ( result != pn_success )
			{
				break;
			}
			pnVec3 positions[PN_MODES_POINTS];
			int count = pnBody_WritePoints( world, body, positions, NULL, PN_MODES_POINTS );
			for ( int i = 0; i < count; ++i )
			{
				pnVec3 q = pnSub( positions[i], place );
				float values[PN_MODES_MONOMIALS] = { q.x, q.y, q.z, q.x * q.x, q.y * q.y, q.z * q.z, q.x * q.y, q.y * q.z, q.z * q.x };
				float amplitude = monomial < 3 ? 0.4f : 1.2f; // 1/m for the quadratic ones: edges go as far as the linear ones
				float move = amplitude * values[monomial];
				q.x += direction == 0 ? move : 0.0f;
				q.y += direction == 1 ? move : 0.0f;
				q.z += direction == 2 ? move : 0.0f;
				positions[i] = pnAdd( place, q );
			}
			result = pnBody_SetPoints( world, body, positions, NULL, count );
		}
	}
	pnDestroySolid( solid );
	return result;
}
