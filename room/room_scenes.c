// room_scenes.c - a table full of toys, and an empty one. Knows no commands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "room_scenes.h"

#include "shape.h"
#include "solids.h"

#include <string.h>

static pnResult pnCreateTable( pnWorld* world ) { return pnAddFloor( world, 0.7f ); }

typedef struct pnToy
{
	const char *solid, *preset;
	pnVec3 place;
	float hertz; // 0: the preset's
	float turn; // radians about y
	uint32_t color; // 0: its own
} pnToy;

static const pnToy pnToys[] = {
	{ "duck", "rubber", { -0.15f, 0.75f, 0.35f }, 0.0f, -0.7f, 0 },
	{ "cube", "jelly", { 1.05f, 0.34f, 0.55f }, 7.0f, 0.4f, 0xd8365e },
	{ "cube", "jelly", { 1.12f, 1.02f, 0.5f }, 7.0f, 0.9f, 0xf08a3c },
	{ "melon", "flesh", { -1.45f, 0.46f, -0.45f }, 8.0f, 0.5f, 0 },
	{ "ring", "rubber", { 0.35f, 0.2f, 1.35f }, 0.0f, 0.0f, 0xe9a15b },
	{ "ball", "rubber", { -1.0f, 0.4f, 1.05f }, 0.0f, 0.0f, 0x3f8fd2 },
	{ "ball", "jelly", { 0.5f, 0.4f, -0.95f }, 7.5f, 0.0f, 0x6bbf59 },
	{ "cube", "clay", { 2.0f, 0.34f, -0.55f }, 0.0f, -0.3f, 0xb98a68 },
};

static pnResult pnCreateToys( pnWorld* world )
{
	pnSolidList solids = { 0 };
	pnResult result = pnAddFloor( world, 0.7f );
	for ( size_t i = 0; i < sizeof( pnToys ) / sizeof( pnToys[0] ) && result == pn_success; ++i )
	{
		const pnToy* toy = pnToys + i;
		const pnNamedSolid* named = pnFindSolid( &solids, toy->solid );
		if ( named == NULL )
		{
			result = pn_outOfMemory;
			break;
		}
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = named->solid;
		def.material = named->material;
		pnFindMaterial( toy->preset, &def.material );
		def.material.hertz = toy->hertz > 0.0f ? toy->hertz : def.material.hertz;
		def.transform.p = toy->place;
		def.transform.q = pnSceneTurn( pnMakeVec3( 0.0f, 1.0f, 0.0f ), toy->turn );
		def.userData = toy->color != 0 ? pnPaintSolid( named, toy->color ) : named->colors;
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnFreeSolids( &solids );
	return result;
}

static const pnScene pnRoomScenes[] = {
	{
		.name = "toys",
		.text = "soft things on a table, to be taken into your hands",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 360,
		.view = { { 0.25f, 0.42f, 0.1f }, 22.0f, 22.0f, 6.6f, 0.0f },
		.create = pnCreateToys,
	},
	{
		.name = "table",
		.text = "an empty table, for things of your own",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 360,
		.view = { { 0.0f, 0.5f, 0.0f }, 22.0f, 20.0f, 5.5f, 0.0f },
		.create = pnCreateTable,
	},
};
enum
{
	PN_ROOM_SCENE_COUNT = (int)( sizeof( pnRoomScenes ) / sizeof( pnRoomScenes[0] ) )
};

const pnScene* pnGetRoomScene( int index )
{
	int count;
	const pnScene* scenes = pnGetScenes( &count );
	return index < PN_ROOM_SCENE_COUNT ? pnRoomScenes + index : index - PN_ROOM_SCENE_COUNT < count ? scenes + index - PN_ROOM_SCENE_COUNT : NULL;
}

const pnScene* pnFindRoomScene( const char* name )
{
	for ( int i = 0; pnGetRoomScene( i ) != NULL; ++i )
	{
		if ( strcmp( pnGetRoomScene( i )->name, name ) == 0 )
		{
			return pnGetRoomScene( i );
		}
	}
	return NULL;
}
