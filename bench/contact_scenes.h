// contact_scenes.h - worlds in which contact is judged, random draws to fill them with, and what can be seen of their bodies from outside.
// Knows the public library, the scenes' solids and the checker; knows no rows and no bars.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "checker.h"

#include "pliant/pliant.h"

#include <stdbool.h>
#include <stdint.h>

#define PN_CONTACT_RATE 60 // frames a second
#define PN_CONTACT_GRAVITY 9.81f // m/s^2

typedef struct pnContactBody
{
	pnBodyId id;
	double diameter; // metres: greatest distance of two points at rest
	int pointCount;
	bool hasSurface; // skin 0 is what touches; else that is not known outside, see pnContactScene_CheckClouds
} pnContactBody;

// Everything is done as long as `result` is pn_success; the first call that fails is remembered, those after it do nothing.
typedef struct pnContactScene
{
	pnWorld* world;
	pnShapeId floor;
	pnContactBody* bodies;
	int bodyCount, bodyCapacity;
	pnCheckWall walls[6]; // what bodies must not be in, besides each other
	int wallCount;
	pnVec3 *points, *velocities; // scratch for one body
	int pointCapacity;
	int substeps;
	pnResult result;
} pnContactScene;

typedef struct pnContactSceneDef
{
	bool enableSleep, hasFloor;
	float gravity; // m/s^2, downwards
	float friction; // of floor, walls and lid
	float wall; // four walls so far from the y axis, metres; 0: none
	float lid; // height of a ceiling, metres; 0: none
	int substeps;
} pnContactSceneDef;

pnContactSceneDef pnDefaultContactSceneDef( void ); // a floor of friction 0.6 under gravity, sleep, 4 substeps
void pnOpenContactScene( pnContactScene* scene, const pnContactSceneDef* def );
void pnCloseContactScene( pnContactScene* scene );
int pnContactScene_Add( pnContactScene* scene, const pnBodyDef* def ); // its index; a failure is remembered and gives 0
void pnContactScene_Adopt( pnContactScene* scene ); // forgets its bodies and takes those the world has now, pieces of a cut, as at rest
void pnContactScene_Step( pnContactScene* scene );
void pnContactScene_Run( pnContactScene* scene, int frames );

// ---- what is seen ----

typedef struct pnContactLook
{
	double kinetic, elastic; // J, as pnBodyState tells them: kinetic is not quite 0 in what lies still under its own weight
	double mass; // kg
	double speed; // m/s, of the fastest centre
	double momentum[3], spin[3]; // kg m/s; kg m^2/s about the origin
	int awakeCount;
} pnContactLook;
pnContactLook pnContactScene_Look( const pnContactScene* scene );
pnBodyState pnContactScene_GetState( const pnContactScene* scene, int body );
double pnContactScene_GetMotion( pnContactScene* scene ); // J/kg by the velocities of points, each of a body's with the same weight
double pnContactScene_GetDiameter( pnContactScene* scene, int body ); // over that at rest; HUGE_VAL where a point is nowhere
double pnContactScene_GetWidest( pnContactScene* scene, double atLeast ); // the largest of all, or atLeast if none is larger
// By bench/checker.c; sizes are diameters at rest. Bodies without a known surface are left out, or only they are asked, point by point.
pnCheckResult pnContactScene_Check( const pnContactScene* scene );
pnCheckResult pnContactScene_CheckClouds( const pnContactScene* scene );
// How often a ray meets the surface of a body as it lies now: odd from inside, even from outside. 0 if it has none.
int pnContactScene_CountHits( pnContactScene* scene, int body, pnVec3 origin, pnVec3 direction );
// How often two closed lines wind about each other: Gauss's integral over the lines' edges, a whole number.
int pnGetLinkingNumber( const pnVec3* a, int countA, const pnVec3* b, int countB );

// ---- draws ----

uint32_t pnSeedContact( const char* row, int seed ); // a state for the calls below: other rows and seeds, other sequences
int pnDrawInt( uint32_t* random, int count ); // [0, count)
float pnDrawFloat( uint32_t* random, float lower, float upper );
pnQuat pnDrawTurn( uint32_t* random ); // about any axis, by any angle
pnVec3 pnDrawVec3( uint32_t* random, float size ); // in the cube [-size, size]^3

// ---- what it is filled with ----

pnMaterial pnGetPreset( const char* name ); // one that exists
// A block whose surface is its outer points, n along each axis; one cluster.
pnResult pnCreateContactBlock( pnVec3 size, int nx, int ny, int nz, pnSolid** solid );
pnResult pnCreateContactBall( float radius, pnSolid** solid );
pnResult pnCreateContactTorus( float radius, float tube, pnSolid** solid ); // PN_RING_AROUND rings of PN_RING_ACROSS points
#define PN_RING_AROUND 24
#define PN_RING_ACROSS 8
// A cube of faces only, `faces` by `faces` quads on each side, filled with points so far apart.
pnResult pnCreateFilledCube( float side, int faces, float fillSpacing, pnSolid** solid );

// The bodies of the scene `heap`: solids and materials, to draw from.
typedef struct pnHeapStock
{
	pnWorld* world; // holds them
	pnBodyId* bodies;
	int bodyCount;
} pnHeapStock;
pnResult pnOpenHeapStock( pnHeapStock* stock ); // close it all the same
void pnCloseHeapStock( pnHeapStock* stock );
pnBodyDef pnHeapStock_Draw( const pnHeapStock* stock, uint32_t* random ); // nowhere yet
// Bodies of the stock in layers of 3 x 3 over the floor of a box PN_HEAP_WALL wide on each side; none touches another yet.
// Presets NULL: materials as in the scene; else one of so many names for each.
#define PN_HEAP_WALL 2.75f
void pnFillHeap( pnContactScene* scene, const pnHeapStock* stock, uint32_t* random, int count, const char* const* presets, int presetCount );
