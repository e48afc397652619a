// pile_scene.h - the pile every engine is timed on: ellipsoids over an open box, as meshes and places. Knows no engine and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/vec.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

// A closed surface at rest; its vertices are the points of the body.
typedef struct pnPileMesh
{
	pnVec3* points; // metres
	int32_t* triangles; // counterclockwise from outside
	int pointCount, triangleCount;
} pnPileMesh;

typedef struct pnPileBody
{
	int mesh; // index
	int firstPoint; // among the points of all bodies
	pnTransform transform;
	pnVec3 velocity; // m/s
} pnPileBody;

typedef struct pnPile
{
	pnPileMesh meshes[2];
	pnPileBody* bodies;
	int meshCount, bodyCount, pointCount; // points over all bodies
	float halfWidth; // of the box, metres: floor y = 0, walls x, z = +-halfWidth, no lid
	float diameter; // of a body, metres
} pnPile;

typedef struct pnPileDef
{
	int bodyCount;
	float spacing, rise; // metres between columns and between layers. 1.15 and 1.1: nothing touches at the start
	float speed; // downward, m/s
	uint32_t seed;
} pnPileDef;

pnPileDef pnDefaultPileDef( int bodyCount );

// 384 bodies have 55,200 points together, the count of figure 9 in Mueller et al. 2005: 144 in three bodies of four, 143 in
// the fourth. In any other number each has 131. The same bits on every machine. NULL if there is no memory.
pnPile* pnCreatePile( const pnPileDef* def );
void pnDestroyPile( pnPile* pile ); // NULL is fine
void pnPile_WriteStart( const pnPile* pile, pnVec3* positions ); // of all points

#ifdef __cplusplus
}
#endif
