// surface.h - the skins and shapes of a world as one triangle mesh to draw or write, coloured by what one wants to see. Knows no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

typedef enum pnColoring
{
	pn_plainColoring, // each body's own colours
	pn_stretchColoring, // of the clusters, 1 is rest
	pn_speedColoring, // of the points, m/s
	pn_clusterColoring, // which cluster holds most of a point
	pn_plasticColoring, // plastic strain of the clusters
} pnColoring;

// Where in the surface a body is.
typedef struct pnSurfaceBody
{
	pnBodyId id;
	int firstVertex, vertexCount, firstTriangle, triangleCount;
} pnSurfaceBody;

typedef struct pnSurface
{
	pnVec3* positions;
	pnVec3* normals; // unit
	uint32_t* colors; // 0xRRGGBB
	float* values; // what the colouring asked for; only for those that are a scale
	int32_t* triangles;
	int vertexCount, triangleCount;
	int bodyVertexCount; // these come first; shapes keep their own colours
	int wallVertex, wallTriangle; // planes are last: seen from in front only, and without shadow
	pnSurfaceBody* bodies; // in order of birth
	int bodyCount;
} pnSurface;

bool pnIsScale( pnColoring coloring ); // has values rather than colours
// Every body with a skin by its skins that have a colour, the others by a small ball at each point; then the shapes and
// the hands, then walls. Bodies may have come and gone since the last one. False if there is no memory.
bool pnCreateSurface( const pnWorld* world, pnColoring coloring, pnSurface* surface );
void pnDestroySurface( pnSurface* surface );
void pnColorByValue( pnSurface* surface, float lower, float upper );
// A range that suits most scenes, for pictures that must agree without knowing each other.
void pnGetUsualRange( pnColoring coloring, float* lower, float* upper );
