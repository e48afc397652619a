// crowd.c - as many bodies, clusters and points as Fig. 9 of Mueller et al. 2005, falling on one another into a tray.
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
	PN_CROWD_LAYER = 64, // bodies that fall side by side
};

typedef struct pnCrowdKind
{
	int bodyCount, cells[3];
	float roundness, radius; // of the points; of the skin's edges, metres
} pnCrowdKind;

// 294 * 8 + 6 * 2 + 84 * 1 = 2,448 clusters. Every fourth body lacks one point of 144: 384 * 144 - 96 = 55,200 points.
static const pnCrowdKind pnCrowdKinds[PN_CROWD_KINDS] = {
	{ 294, { 2, 2, 2 }, 0.35f, 0.16f },
	{ 6, { 2, 1, 1 }, 0.0f, 0.06f },
	{ 84, { 1, 1, 1 }, 1.0f, 1.0f },
};

static pnResult pnAddCrowdBody( pnWorld* world, const pnSolid* solid, int index, int kind, uint32_t* random )
{
	static const uint32_t colors[PN_CROWD_KINDS][4] = {
		{ 0xd9483b, 0xe0683a, 0xe98f3b, 0xe9b83b },
		{ 0xf3ead7, 0xf3ead7, 0xf3ead7, 0xf3ead7 },
		{ 0x3a9fa8, 0x3d82d1, 0x4f6fcb, 0x52a667 },
	};
	// Layers, each a sunflower: every body a golden angle further on, the area the same for each.
	int layer = index / PN_CROWD_LAYER;
	float rank = (float)( index % PN_CROWD_LAYER ) + 0.5f;
	float radius = 0.9f * sqrtf( rank );
	float angle = 2.3999632f * rank + (float)layer;
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	pnFindMaterial( "rubber", &def.material );
	def.material.hertz = 20.0f; // they lie several deep
	def.material.dampingRatio = 0.5f;
	def.material.friction = 0.4f;
	def.transform.p = pnMakeVec3( radius * pnSceneCos( angle ), 3.0f + 1.6f * (float)layer, radius * pnSceneSin( angle ) );
	def.transform.q = pnSceneTurn( (pnVec3){ 0.3f, 1.0f, 0.2f }, angle );
	def.angularVelocity.x = pnSceneRandomBetween( random, -2.0f, 2.0f );
	def.angularVelocity.y = pnSceneRandomBetween( random, -2.0f, 2.0f );
	def.angularVelocity.z = pnSceneRandomBetween( random, -2.0f, 2.0f );
	def.userData = pnPackColors( 0, colors[kind][pnSceneRandom( random ) & 3], 0, 0 );
	pnBodyId body;
	return pnCreateBody( world, &def, &body );
}

pnResult pnCreateCrowd( pnWorld* world )
{
	pnSolid* solids[PN_CROWD_KINDS][2] = { 0 };
	pnResult result = pnAddFloor( world, 0.5f );
	result = result == pn_success ? pnAddWalls( world, 6.5f, 6.5f, 0.5f, 0.5f ) : result;
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
				.faced = true,
				.roundness = kind->roundness,
				.radius = kind->radius,
				.flatSteps = { 4, 4, 3 },
				.cornerSteps = 3,
				.density = 1000.0f,
			},
			&solids[i / 2][i % 2] );
	}
	// The kinds are mixed: each body is of the kind that is furthest behind its share.
	uint32_t random = 2463534242u;
	int counts[PN_CROWD_KINDS] = { 0 };
	for ( int index = 0; index < PN_CROWD_BODIES && result == pn_success; ++index )
	{
		int kind = 0;
		for ( int k = 1; k < PN_CROWD_KINDS; ++k )
		{
			int behind = pnCrowdKinds[k].bodyCount * ( index + 1 ) - counts[k] * PN_CROWD_BODIES;
			int most = pnCrowdKinds[kind].bodyCount * ( index + 1 ) - counts[kind] * PN_CROWD_BODIES;
			kind = behind > most ? k : kind;
		}
		counts[kind] += 1;
		result = pnAddCrowdBody( world, solids[kind][index % 4 == 3], index, kind, &random );
	}
	for ( int i = 0; i < 2 * PN_CROWD_KINDS; ++i )
	{
		pnDestroySolid( solids[i / 2][i % 2] );
	}
	return result;
}
