// shape.h - procedural solids for scenes: blocks of points in overlapping cells under a rounded skin; small maths. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

// Sines without libm, whose last bits differ between machines. Radians; good to 1e-6.
float pnSceneSin( float angle );
float pnSceneCos( float angle );
pnQuat pnSceneTurn( pnVec3 axis, float angle ); // axis of any length but zero
float pnSceneEase( float x ); // 0 before 0, 1 after 1, smooth between
bool pnSceneCrosses( float moment, int frame, float timeStep ); // is this the step that first ends at or after the moment?
uint32_t pnSceneRandom( uint32_t* state ); // xorshift
float pnSceneRandomBetween( uint32_t* state, float lower, float upper );

// A skin in the making. Any failed allocation is remembered, so that it needs checking only once.
typedef struct pnSceneMesh
{
	pnVec3* vertices;
	pnVec3* normals;
	int32_t* triangles;
	int vertexCount, triangleCount;
	int vertexCapacity, triangleCapacity;
	bool failed;
} pnSceneMesh;

int pnAddMeshVertex( pnSceneMesh* mesh, pnVec3 vertex, pnVec3 normal ); // returns its index
void pnAddMeshTriangle( pnSceneMesh* mesh, int a, int b, int c );
void pnFreeMesh( pnSceneMesh* mesh );
// A box with its edges and corners rounded; a radius of half the size or more gives an ellipsoid.
// flatSteps: quads along the flat part of each axis; cornerSteps: quads over half of a rounded edge.
void pnAddRoundedBox( pnSceneMesh* mesh, pnVec3 center, pnVec3 size, float radius, const int flatSteps[3], int cornerSteps );

// A block about the origin: a grid of points from face to face, in a grid of cells that overlap, under a rounded skin.
typedef struct pnBlockDef
{
	pnVec3 size; // metres
	int points[3]; // along x, y, z; point ( i, j, k ) has the index i + points[0] * ( j + points[1] * k )
	int cells[3]; // clusters along x, y, z
	float overlap; // how far a cell reaches over its neighbours on each side, in cell edges
	int omit; // a point left out, or -1; later points move up by one
	float radius; // of the skin's edges, metres
	int flatSteps[3];
	int cornerSteps;
	float density; // kg/m^3
} pnBlockDef;

pnResult pnCreateBlock( const pnBlockDef* def, pnSolid** solid );
