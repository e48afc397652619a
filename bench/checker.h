// checker.h - how deep are points of one mesh inside another? In double, by brute force. Knows no engine: it judges them all.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/vec.h"

#include <stdbool.h>
#include <stdint.h>

// A closed surface as it lies now.
typedef struct pnCheckBody
{
	const pnVec3* positions;
	const int32_t* triangles; // counterclockwise from outside
	int vertexCount, triangleCount; // without triangles its vertices are asked, and nothing is inside it
	bool isMute; // its own vertices are not asked; others may be in it all the same
	double size; // metres, what depths are compared with; 0: they are not
} pnCheckBody;

#define PN_DEEP 0.01

// All points with normal . p < offset are in the wall.
typedef struct pnCheckWall { double normal[3], offset; } pnCheckWall;

typedef struct pnCheckScene
{
	const pnCheckBody* bodies;
	const pnCheckWall* walls;
	int bodyCount, wallCount;
} pnCheckScene;

typedef struct pnCheckResult
{
	int64_t sampleCount; // points asked
	int64_t insideCount; // of them inside another body or a wall
	double maxDepth, depthSum; // metres, of those inside: to the nearest place on the surface; the deepest of a point counts
	int64_t deepCount; // of those inside, deeper than PN_DEEP of the smaller of the two bodies' sizes; in a wall, of the body's own
	double maxShare; // deepest of those inside, in parts of that size
	int deepest[2]; // whose vertex that is, and in which body; in a wall -1
	bool isBroken; // some position is not a number; nothing else was asked
} pnCheckResult;

// Inside is where the winding number of the surface is above one half. Dense: not only vertices, also the middles of edges
// and faces. A body is not asked about itself.
pnCheckResult pnCheckScene_Run( const pnCheckScene* scene, bool dense );
double pnCheckBody_GetVolume( const pnCheckBody* body );
double pnCheckBody_GetWinding( const pnCheckBody* body, const double* place ); // 1 inside, 0 outside, the sum of solid angles / 4 pi

bool pnTestChecker( void ); // cases with known answers; false, and a line on stderr, if one is not met
