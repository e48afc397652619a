// heap.c - jelly ellipsoids, rubber cubes, tori of flesh, wooden sticks and ducks fall on a hill, a ball, a block and two pillars.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "duck.h"
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

enum
{
	PN_HEAP_COUNT = 60,
	PN_HEAP_KINDS = 5,
	PN_HILL_SIDE = 13, // heights along a side of the hill
};

// Square, level with the floor all around its edge.
static pnResult pnAddHill( pnWorld* world, pnVec3 center, float side, float height )
{
	float heights[PN_HILL_SIDE * PN_HILL_SIDE];
	for ( int i = 0; i < PN_HILL_SIDE * PN_HILL_SIDE; ++i )
	{
		float x = 2.0f * (float)( i % PN_HILL_SIDE ) / (float)( PN_HILL_SIDE - 1 ) - 1.0f;
		float z = 2.0f * (float)( i / PN_HILL_SIDE ) / (float)( PN_HILL_SIDE - 1 ) - 1.0f;
		float across = ( 1.0f - x * x ) * ( 1.0f - z * z );
		heights[i] = height * across * across;
	}
	pnShapeDef def = pnDefaultShapeDef();
	def.kind = pn_heightShape;
	def.transform.p = pnSub( center, pnMakeVec3( 0.5f * side, 0.0f, 0.5f * side ) );
	def.heights = heights;
	def.heightCountX = PN_HILL_SIDE;
	def.heightCountZ = PN_HILL_SIDE;
	def.heightSpacing = side / (float)( PN_HILL_SIDE - 1 );
	def.friction = 0.6f;
	def.userData = pnPackColors( 0x9db38a, 0, 0, 0 );
	pnShapeId shape;
	return pnCreateShape( world, &def, &shape );
}

static pnResult pnAddGround( pnWorld* world )
{
	pnResult result = pnAddFloor( world, 0.6f );
	result = result == pn_success ? pnAddHill( world, (pnVec3){ 0.0f, 0.0f, 0.0f }, 6.0f, 0.9f ) : result;
	const struct
	{
		pnShapeKind kind;
		float radius;
		pnVec3 halfExtents, place, up;
	} things[] = {
		{ pn_sphereShape, 0.7f, { 0.0f, 0.0f, 0.0f }, { -3.2f, 0.35f, 1.6f }, { 0.0f, 1.0f, 0.0f } },
		{ pn_boxShape, 0.0f, { 0.9f, 0.45f, 0.6f }, { 3.1f, 0.3f, 1.3f }, { 0.25f, 1.0f, 0.1f } },
		{ pn_capsuleShape, 0.35f, { 0.0f, 1.0f, 0.0f }, { -1.8f, 0.5f, -3.0f }, { 1.0f, 0.2f, 0.1f } },
		{ pn_capsuleShape, 0.3f, { 0.0f, 0.7f, 0.0f }, { 2.3f, 0.7f, -2.4f }, { 0.1f, 1.0f, 0.0f } },
	};
	for ( size_t i = 0; i < sizeof( things ) / sizeof( things[0] ) && result == pn_success; ++i )
	{
		pnShapeDef def = pnDefaultShapeDef();
		def.kind = things[i].kind;
		def.radius = things[i].radius;
		def.halfExtents = things[i].halfExtents;
		def.transform.p = things[i].place;
		def.transform.q = pnSceneTilt( things[i].up );
		def.friction = 0.6f;
		pnShapeId shape;
		result = pnCreateShape( world, &def, &shape );
	}
	return result;
}

static pnResult pnCreateHeapSolids( pnSolid* solids[PN_HEAP_KINDS] )
{
	pnResult result = pnCreateEllipsoid( (pnVec3){ 0.5f, 0.4f, 0.5f }, 131, 0, &solids[0] );
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 0.8f, 0.8f, 0.8f },
				.points = { 5, 5, 5 },
				.cells = { 1, 1, 1 },
				.omit = -1,
				.faced = true,
				.radius = 0.06f,
				.flatSteps = { 4, 4, 4 },
				.cornerSteps = 2,
				.density = 1000.0f,
			},
			&solids[1] );
	}
	if ( result == pn_success )
	{
		result = pnCreateTorus( &(pnTorusDef){ .radius = 0.46f, .tube = 0.18f, .around = 20, .across = 8, .clusters = 5, .overlap = 2 },
								&solids[2] );
	}
	if ( result == pn_success )
	{
		result = pnCreateBlock(
			&(pnBlockDef){
				.size = { 1.6f, 0.24f, 0.24f },
				.points = { 17, 3, 3 },
				.cells = { 2, 1, 1 },
				.overlap = 0.3f,
				.omit = -1,
				.faced = true,
				.radius = 0.04f,
				.flatSteps = { 16, 2, 2 },
				.cornerSteps = 2,
				.density = 650.0f,
			},
			&solids[3] );
	}
	return result == pn_success ? pnCreateDuck( &solids[4] ) : result;
}

pnResult pnCreateHeap( pnWorld* world )
{
	static const char* const materials[PN_HEAP_KINDS] = { "jelly", "rubber", "flesh", "wood", "rubber" };
	static const uint32_t colors[PN_HEAP_KINDS][3] = {
		{ 0xd9483b, 0xc23f5e, 0xe0683a }, { 0x3d82d1, 0x3a9fa8, 0x4f6fcb }, { 0xe9a8a0, 0xdf8f88, 0xeec0a8 },
		{ 0xb5854c, 0xa57440, 0xc4955c }, { 0xf2c230, 0xf2c230, 0xf2c230 },
	};
	const int perSide = 4;
	pnSolid* solids[PN_HEAP_KINDS] = { 0 };
	pnResult result = pnCreateHeapSolids( solids );
	result = result == pn_success ? pnAddGround( world ) : result;
	uint32_t random = 88675123u;
	for ( int i = 0; i < PN_HEAP_COUNT && result == pn_success; ++i )
	{
		int kind = i % 15 == 14 ? 4 : (int)( pnSceneRandom( &random ) >> 8 & 3 );
		int column = i % perSide, row = i / perSide % perSide, layer = i / ( perSide * perSide );
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solids[kind];
		pnFindMaterial( materials[kind], &def.material );
		// Stiffer than at the fair: here they carry each other. And calmer.
		def.material.hertz = def.material.hertz > 12.0f ? def.material.hertz : 12.0f;
		def.material.dampingRatio = def.material.dampingRatio > 0.4f ? def.material.dampingRatio : 0.4f;
		def.transform.p.x = 1.6f * ( (float)column - 1.5f ) + pnSceneRandomBetween( &random, -0.1f, 0.1f ) + 0.3f * (float)( layer & 1 );
		def.transform.p.y = 2.3f + 1.7f * (float)layer;
		def.transform.p.z = 1.6f * ( (float)row - 1.5f ) + pnSceneRandomBetween( &random, -0.1f, 0.1f ) - 0.3f * (float)( layer & 1 );
		pnQuat turn = pnSceneTurn( (pnVec3){ 0.0f, 1.0f, 0.0f }, pnSceneRandomBetween( &random, 0.0f, 6.28f ) );
		pnQuat tilt = pnSceneTurn( (pnVec3){ 1.0f, 0.0f, 0.0f }, pnSceneRandomBetween( &random, -0.6f, 0.6f ) );
		def.transform.q = pnMulQuat( turn, tilt );
		uint32_t color = colors[kind][pnSceneRandom( &random ) % 3];
		bool hasFaces = kind == 1 || kind == 3;
		def.userData = kind == 4 ? pnPackColors( color, 0xe8702a, 0x2b2b2b, 0 )
					 : hasFaces  ? pnPackColors( 0, color, 0, 0 )
								 : pnPackColors( color, 0, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	for ( int i = 0; i < PN_HEAP_KINDS; ++i )
	{
		pnDestroySolid( solids[i] );
	}
	return result;
}
