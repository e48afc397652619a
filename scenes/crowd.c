// crowd.c - as many bodies, clusters and points as Fig. 9 of Mueller et al. 2005, afloat without contact.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

#include <math.h>

enum
{
	PN_CROWD_BODIES = 384,
	PN_CROWD_KINDS = 3,
	PN_CROWD_POINTS = 144,
};

typedef struct pnCrowdKind
{
	int bodyCount, cells[3];
	float radius; // of the skin's edges, metres
} pnCrowdKind;

// 294 * 8 + 6 * 2 + 84 * 1 = 2,448 clusters. Every fourth body lacks one point of 144: 384 * 144 - 96 = 55,200 points.
static const pnCrowdKind pnCrowdKinds[PN_CROWD_KINDS] = {
	{ 294, { 2, 2, 2 }, 0.1f },
	{ 6, { 2, 1, 1 }, 0.25f },
	{ 84, { 1, 1, 1 }, 1.0f },
};

static pnResult pnAddCrowdBody( pnWorld* world, const pnSolid* solid, int index, int kind, uint32_t* random )
{
	static const uint32_t colors[PN_CROWD_KINDS][4] = {
		{ 0xd9483b, 0xe0683a, 0xe98f3b, 0xe9b83b },
		{ 0xf3ead7, 0xf3ead7, 0xf3ead7, 0xf3ead7 },
		{ 0x3a9fa8, 0x3d82d1, 0x4f6fcb, 0x52a667 },
	};
	// A sunflower: each body a golden angle further on, the area the same for each. The first in the list lie outermost.
	float rank = (float)( PN_CROWD_BODIES - index ) + 0.5f;
	float radius = 1.05f * sqrtf( rank );
	float angle = 2.3999632f * rank;
	pnVec3 place = { radius * pnSceneCos( angle ), 0.012f * radius * radius, radius * pnSceneSin( angle ) };
	// A motion linear in the place maps the pattern to a pattern, so that none ever run into each other.
	pnVec3 velocity = { -0.08f * place.x - 0.13f * place.z, -0.15f * place.y, -0.08f * place.z + 0.13f * place.x };
	pnVec3 spin;
	spin.x = pnSceneRandomBetween( random, -2.0f, 2.0f );
	spin.y = pnSceneRandomBetween( random, -2.0f, 2.0f );
	spin.z = pnSceneRandomBetween( random, -2.0f, 2.0f );

	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.material.mode = pn_quadraticMode;
	def.material.hertz = 3.0f;
	def.material.dampingRatio = 0.0f;
	def.material.stretch = 0.8f;
	def.transform.p = place;
	def.transform.q = pnSceneTurn( (pnVec3){ 0.3f, 1.0f, 0.2f }, angle );
	def.userData = pnPackColors( colors[kind][pnSceneRandom( random ) & 3], 0, 0, 0 );
	pnBodyId body;
	pnResult result = pnCreateBody( world, &def, &body );
	if ( result != pn_success )
	{
		return result;
	}

	pnVec3 positions[PN_CROWD_POINTS], velocities[PN_CROWD_POINTS];
	int count = pnBody_WritePoints( world, body, positions, NULL, PN_CROWD_POINTS );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 q = pnSub( positions[i], place );
		q = pnMakeVec3( 1.2f * q.x, 0.9f * q.y + 0.25f * q.x * q.z, 0.9f * q.z );
		positions[i] = pnAdd( place, q );
		velocities[i] = pnAdd( velocity, pnCross( spin, q ) );
	}
	return pnBody_SetPoints( world, body, positions, velocities, count );
}

pnResult pnCreateCrowd( pnWorld* world )
{
	pnSolid* solids[PN_CROWD_KINDS][2] = { 0 };
	pnResult result = pnWorld_SetGravity( world, (pnVec3){ 0 } );
	for ( int i = 0; i < 2 * PN_CROWD_KINDS && result == pn_success; ++i )
	{
		const pnCrowdKind* kind = pnCrowdKinds + i / 2;
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 1.0f, 1.0f, 0.7f },
				.points = { 6, 6, 4 },
				.cells = { kind->cells[0], kind->cells[1], kind->cells[2] },
				.overlap = 0.4f,
				.omit = i % 2 == 0 ? -1 : 50, // an inner point
				.radius = kind->radius,
				.flatSteps = { 4, 4, 3 },
				.cornerSteps = 2,
				.density = 1000.0f,
			},
			&solids[i / 2][i % 2] );
	}
	uint32_t random = 2463534242u;
	for ( int kind = 0, index = 0; kind < PN_CROWD_KINDS; ++kind )
	{
		for ( int i = 0; i < pnCrowdKinds[kind].bodyCount && result == pn_success; ++i, ++index )
		{
			result = pnAddCrowdBody( world, solids[kind][index % 4 == 3], index, kind, &random );
		}
	}
	for ( int i = 0; i < 2 * PN_CROWD_KINDS; ++i )
	{
		pnDestroySolid( solids[i / 2][i % 2] );
	}
	return result;
}
