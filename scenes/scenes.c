// scenes.c - the list of scenes, and how one is stepped. Knows no shapes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scenes.h"

#include "command.h"
#include "scene_list.h"

#include <string.h>

// Figures are those of Mueller et al., Meshless Deformations Based on Shape Matching, 2005, where nobody else is named.
static const pnScene pnSceneList[] = {
	{
		.name = "spin",
		.text = "a block of 8 quadratic clusters under a fine skin, tumbling and swinging freely; both momenta are kept",
		.rate = 60.0f,
		.substeps = 2,
		.frames = 480,
		.view = { { 0.0f, 0.0f, 0.0f }, 25.0f, 20.0f, 5.2f, -1.1f },
		.shots = { 0, 12, 30, 60, 150, 240, 360, 480 },
		.shotCount = 8,
		.create = pnCreateSpin,
	},
	{
		.name = "sticks",
		.text = "three sticks of 1, 2 and 5 clusters, held at one end: more clusters bend more locally (Fig. 7)",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 480,
		.view = { { 0.1f, -0.45f, 0.0f }, 30.0f, 16.0f, 8.0f, -2.1f },
		.shots = { 0, 20, 40, 240, 345, 480 },
		.shotCount = 6,
		.create = pnCreateSticks,
		.advance = pnAdvanceSticks,
	},
	{
		.name = "cubes",
		.text = "a quadratic, a linear and a rigid cube, bent, twisted and let go by the same forces (Fig. 4)",
		.rate = 60.0f,
		.substeps = 2,
		.frames = 480,
		.view = { { 0.1f, 0.45f, 0.0f }, 14.0f, 20.0f, 8.0f, 0.0f },
		.shots = { 0, 70, 118, 132, 265, 282 },
		.shotCount = 6,
		.create = pnCreateCubes,
		.advance = pnAdvanceCubes,
	},
	{
		.name = "dent",
		.text = "an elastic, a plastic and a healing cube, pinched and let go: one returns, one keeps the dent, one heals (Fig. 6)",
		.rate = 60.0f,
		.substeps = 2,
		.frames = 480,
		.view = { { 0.1f, 0.38f, 0.0f }, 14.0f, 30.0f, 9.4f, -0.25f },
		.shots = { 0, 48, 95, 110, 180, 480 },
		.shotCount = 6,
		.create = pnCreateDent,
		.advance = pnAdvanceDent,
	},
	{
		.name = "squeeze",
		.text = "a duck pressed flat, let go, turned inside out, let go: it recovers each time (Fig. 11)",
		.rate = 60.0f,
		.substeps = 2,
		.frames = 480,
		.view = { { 0.05f, 0.05f, 0.0f }, 25.0f, 15.0f, 4.8f, -0.8f },
		.shots = { 0, 60, 90, 95, 225, 300, 305, 480 },
		.shotCount = 8,
		.create = pnCreateSqueeze,
		.advance = pnAdvanceSqueeze,
	},
	{
		.name = "modes",
		.text = "27 cubes, each swinging in one of the 3 x 9 modes of a quadratic map (Fig. 5)",
		.rate = 60.0f,
		.substeps = 2,
		.frames = 300,
		.view = { { 0.1f, -0.2f, 0.0f }, 10.0f, 9.0f, 27.0f, -2.9f },
		.shots = { 0, 10, 20, 30 },
		.shotCount = 4,
		.create = pnCreateModes,
	},
	{
		.name = "pile",
		.text = "100 ellipsoids dropped into an open box",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 360,
		.view = { { 0.0f, 1.7f, 0.0f }, 38.0f, 28.0f, 16.0f, 0.0f },
		.shots = { 0, 20, 40, 60, 120, 360 },
		.shotCount = 6,
		.create = pnCreatePile100,
	},
	{
		.name = "pile384",
		.text = "384 ellipsoids and 55,200 points dropped into an open box (the counts of Fig. 9)",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 360,
		.view = { { 0.0f, 2.4f, 0.0f }, 38.0f, 30.0f, 27.0f, 0.0f },
		.shots = { 0, 20, 40, 60, 120, 360 },
		.shotCount = 6,
		.heavy = true,
		.create = pnCreatePile384,
	},
	{
		.name = "crowd",
		.text = "384 bodies, 2,448 clusters and 55,200 points fall on one another into a tray (the counts of Fig. 9)",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 360,
		.view = { { 0.0f, 2.8f, 0.0f }, 38.0f, 34.0f, 40.0f, 0.0f },
		.shots = { 0, 40, 70, 100, 150, 360 },
		.shotCount = 6,
		.heavy = true,
		.create = pnCreateCrowd,
	},
	{
		.name = "heap",
		.text = "jelly, rubber, flesh, wood and ducks fall on a hill, a ball, a block and two pillars",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 360,
		.view = { { 0.0f, 1.8f, 0.0f }, 25.0f, 24.0f, 19.0f, 0.0f },
		.shots = { 0, 30, 50, 80, 130, 360 },
		.shotCount = 6,
		.create = pnCreateHeap,
		.heavy = true,
	},
	{
		.name = "ramp",
		.text = "four equal blocks on one slope: those of less friction slide, the others stay",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 300,
		.view = { { 0.3f, 0.8f, 0.0f }, 35.0f, 24.0f, 14.0f, 0.0f },
		.shots = { 0, 60, 100, 140, 200, 300 },
		.shotCount = 6,
		.create = pnCreateRamp,
	},
	{
		.name = "press",
		.text = "a plate presses a soft torus flat and lets go",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 300,
		.view = { { 0.0f, 0.36f, 0.0f }, 20.0f, 5.0f, 5.4f, 0.0f },
		.shots = { 0, 60, 96, 140, 165, 300 },
		.shotCount = 6,
		.create = pnCreatePress,
		.advance = pnAdvancePress,
	},
	{
		.name = "knot",
		.text = "the ends of a long stick are turned about each other: it touches itself",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 480,
		.view = { { 0.0f, 1.0f, 0.0f }, 15.0f, 14.0f, 10.0f, -0.7f },
		.shots = { 45, 110, 190, 215, 240, 270, 310, 480 },
		.shotCount = 8,
		.create = pnCreateKnot,
		.advance = pnAdvanceKnot,
	},
	{
		.name = "tets",
		.text = "64 balls, bricks and stars of 32 tetrahedra each fall together, contact by tetrahedra",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 360,
		.view = { { 0.0f, 1.3f, 0.0f }, 38.0f, 30.0f, 16.0f, 0.0f },
		.shots = { 0, 20, 40, 60, 120, 360 },
		.shotCount = 6,
		.create = pnCreateTets,
		.heavy = true,
	},
	{
		.name = "straws",
		.text = "square wooden sticks let go crosswise over each other, edge on edge",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 300,
		.view = { { 0.0f, 0.5f, 0.0f }, 30.0f, 24.0f, 7.0f, 0.0f },
		.shots = { 0, 20, 40, 70, 120, 300 },
		.shotCount = 6,
		.create = pnCreateStraws,
	},
	{
		.name = "wall",
		.text = "a cube without and three with a cap on stretch are pushed into a wall: the first one spreads (Henriques and Wuensche "
				"2011, Fig. 2)",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 300,
		.view = { { -0.4f, 0.0f, 0.4f }, -58.0f, 20.0f, 18.5f, -1.6f },
		.shots = { 0, 45, 90, 140, 180, 300 },
		.shotCount = 6,
		.create = pnCreateWall,
		.advance = pnAdvanceWall,
	},
	{
		.name = "grab",
		.text = "a fish is picked up by the nose, hung up by two locked hands, nudged and let go (Henriques and Wuensche 2011, Fig. 3)",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 480,
		.view = { { 0.1f, 0.7f, 0.0f }, 18.0f, 10.0f, 3.5f, 0.0f },
		.shots = { 0, 80, 150, 208, 298, 345, 395, 480 },
		.shotCount = 8,
		.create = pnCreateGrabScene,
		.script = pnGrabScript,
	},
	{
		.name = "cuts",
		.text = "a melon and a ring are cut, fall apart on the floor, and are cut again and again (Henriques and Wuensche 2011, Fig. 7)",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 360,
		.view = { { 0.0f, 0.35f, 0.0f }, 24.0f, 26.0f, 5.5f, 0.0f },
		.shots = { 0, 31, 69, 85, 129, 180, 220, 360 },
		.shotCount = 8,
		.create = pnCreateCuts,
		.script = pnCutsScript,
	},
	{
		.name = "incision",
		.text = "a pad held at its rim is opened by a blade in three strokes, and two hands pull the lips apart",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 300,
		.view = { { 0.0f, 0.15f, 0.0f }, 20.0f, 46.0f, 2.5f, 0.0f },
		.shots = { 0, 79, 105, 130, 179, 300 },
		.shotCount = 6,
		.create = pnCreateIncision,
		.script = pnIncisionScript,
	},
	{
		.name = "talk",
		.text = "a tennis ball cut nearly in half: a hand lifts its lip, and it talks",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 260,
		.view = { { 0.0f, 0.5f, 0.0f }, 28.0f, 14.0f, 3.4f, 0.0f },
		.shots = { 0, 50, 74, 90, 150, 260 },
		.shotCount = 6,
		.create = pnCreateTalk,
		.script = pnTalkScript,
	},
	{
		.name = "tear",
		.text = "four bones, of jelly, rubber, clay and wood, are pulled at both ends until they part",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 300,
		.view = { { 0.0f, 0.6f, 0.0f }, 24.0f, 32.0f, 8.0f, 0.0f },
		.shots = { 0, 60, 110, 130, 190, 300 },
		.shotCount = 6,
		.create = pnCreateTear,
		.script = pnTearScript,
	},
	{
		.name = "rip",
		.text = "a bar of clay is dented by a ball, keeps the dent, and is then pulled apart",
		.rate = 60.0f,
		.substeps = 4,
		.frames = 360,
		.view = { { 0.0f, 0.35f, 0.0f }, 22.0f, 22.0f, 5.8f, 0.0f },
		.shots = { 0, 70, 118, 165, 210, 240, 290, 360 },
		.shotCount = 8,
		.create = pnCreateRip,
		.script = pnRipScript,
	},
};

const pnScene* pnGetScenes( int* count )
{
	*count = (int)( sizeof( pnSceneList ) / sizeof( pnSceneList[0] ) );
	return pnSceneList;
}

const pnScene* pnFindScene( const char* name )
{
	int count;
	const pnScene* scenes = pnGetScenes( &count );
	for ( int i = 0; i < count; ++i )
	{
		if ( strcmp( scenes[i].name, name ) == 0 )
		{
			return scenes + i;
		}
	}
	return NULL;
}

pnResult pnFillScene( const pnScene* scene, pnWorld* world )
{
	return scene->content != NULL ? scene->build( scene->content, world ) : scene->create( world );
}

pnResult pnMoveScene( const pnScene* scene, pnWorld* world, int frame, float timeStep )
{
	if ( scene->content != NULL )
	{
		return scene->lead( scene->content, world, frame, timeStep );
	}
	return scene->advance != NULL ? scene->advance( world, frame, timeStep ) : pn_success;
}

pnResult pnLeadScene( const pnScene* scene, pnWorld* world, int frame, float* timeStep, int* substeps )
{
	pnResult result = pnMoveScene( scene, world, frame, *timeStep );
	if ( result != pn_success )
	{
		return result;
	}
	if ( scene->script != NULL )
	{
		// From its beginning each time: then nothing is remembered from step to step but the world.
		pnPlayer player;
		pnFault fault;
		pnStartPlayer( &player, scene->script, strlen( scene->script ) );
		if ( pnSkip( &player, frame - 1, &fault ) == pn_faultState ||
			 pnPlay( &player, world, timeStep, substeps, &fault ) == pn_faultState )
		{
			return pn_invalidInput;
		}
	}
	return pn_success;
}

pnResult pnStepScene( const pnScene* scene, pnWorld* world, int frame, float timeStep, int substeps )
{
	pnResult result = pnLeadScene( scene, world, frame, &timeStep, &substeps );
	return result == pn_success ? pnWorld_Step( world, timeStep, substeps ) : result;
}

static uint64_t pnPackColor( uint32_t color ) { return ( color >> 8 & 0xf800 ) | ( color >> 5 & 0x07e0 ) | ( color >> 3 & 0x001f ); }

uint64_t pnPackColors( uint32_t skin0, uint32_t skin1, uint32_t skin2, uint32_t skin3 )
{
	return pnPackColor( skin0 ) | pnPackColor( skin1 ) << 16 | pnPackColor( skin2 ) << 32 | pnPackColor( skin3 ) << 48;
}

uint32_t pnUnpackColor( uint64_t userData, int skin )
{
	uint32_t packed = (uint32_t)( userData >> 16 * ( skin & 3 ) ) & 0xffff;
	uint32_t red = packed >> 11, green = packed >> 5 & 63, blue = packed & 31;
	return ( red << 3 | red >> 2 ) << 16 | ( green << 2 | green >> 4 ) << 8 | ( blue << 3 | blue >> 2 );
}
