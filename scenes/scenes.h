// scenes.h - named scenes for the command line, the tests and the benchmarks alike. Knows the public API only; reads no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// All shapes are made by plain arithmetic and square roots, so that a scene is the same bits on every machine.
// y is up. The user data of each body and shape holds its colours, see pnPackColors.
#pragma once

#include "pliant/pliant.h"

// From where a scene looks well.
typedef struct pnSceneView
{
	pnVec3 target; // metres
	float azimuth; // degrees about y: 0 looks along -z, 90 along -x
	float elevation; // degrees above the horizon
	float distance; // metres from the target
	float ground; // height of the floor that pictures show, metres. What touches is the scene's own plane, if it has one
} pnSceneView;

#define PN_MAX_SHOTS 8

typedef struct pnScene
{
	const char* name;
	const char* text; // what it shows, one line
	float rate; // steps per second
	int substeps;
	int frames; // how long it is
	pnSceneView view;
	int shots[PN_MAX_SHOTS]; // frames worth a picture
	int shotCount;
	bool heavy; // many bodies: checks that run every scene over and over may stop early
	pnResult ( *create )( pnWorld* world ); // fills an empty world
	// The hand that moves pins and pulls; called before the step that makes `frame` (the first is 1). NULL: nobody does.
	// It asks nothing but the frame and the world, so a restored world goes on as the saved one would have.
	pnResult ( *advance )( pnWorld* world, int frame, float timeStep );
	const char* script; // or what hands do as commands, see command.h: at the scene's own rate. NULL: none
	// A scene that was read from a file, see tools/scene_file.h: what it holds is handed to these two instead of the two above.
	const void* content; // NULL: built in
	pnResult ( *build )( const void* content, pnWorld* world );
	pnResult ( *lead )( const void* content, pnWorld* world, int frame, float timeStep );
	bool sleepless; // its bodies stay awake; the world is to be made so
	const char* out; // what a run writes if it is not told otherwise; NULL: nothing
	int outEvery; // every so many frames; 0: as suits the file
} pnScene;

const pnScene* pnGetScenes( int* count );
const pnScene* pnFindScene( const char* name ); // NULL if there is none
pnResult pnFillScene( const pnScene* scene, pnWorld* world ); // what it begins with, into an empty world
// Its pins, pulls and moving shapes before the step that makes a frame (the first is 1); its script is the player's.
pnResult pnMoveScene( const pnScene* scene, pnWorld* world, int frame, float timeStep );
// The scene's hand, before the step that makes a frame. timeStep and substeps are changed if its script says so.
pnResult pnLeadScene( const pnScene* scene, pnWorld* world, int frame, float* timeStep, int* substeps );
// The scene's hand, then the world's step. Frames count from 1; timeStep is usually 1 / scene->rate.
pnResult pnStepScene( const pnScene* scene, pnWorld* world, int frame, float timeStep, int substeps );

// Colours of up to four skins in one user data: 5, 6, 5 bits each, skin 0 lowest. Written as 0xRRGGBB; a skin of colour 0 is not drawn.
uint64_t pnPackColors( uint32_t skin0, uint32_t skin1, uint32_t skin2, uint32_t skin3 );
// Triangles of another material than 0 (the inside of what is cut) have the colour so many skins further on.
uint32_t pnUnpackColor( uint64_t userData, int skin ); // 0xRRGGBB
