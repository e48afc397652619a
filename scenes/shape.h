// shape.h - procedural solids for scenes: blocks, ellipsoids, tori; floors and walls; small maths. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

// Sines without libm, whose last bits differ between machines. Radians; good to 1e-6.
float pnSceneSin( float angle );
float pnSceneCos( float angle );
pnQuat pnSceneTurn( pnVec3 axis, float angle ); // axis of any length but zero
float pnSceneEase( float x ); // 0 before 0, 1 after 1, smooth between
pnQuat pnSceneTilt( pnVec3 up ); // the shortest turn that brings y there; up of any length but zero, not straight down
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

// An ellipsoid about the origin: so many vertices (4 or more) in rings about y, as far apart as those in a ring; 2 * pointCount - 4 triangles.
void pnAddEllipsoidMesh( pnSceneMesh* mesh, pnVec3 radii, int pointCount );

// A block about the origin: a grid of points from face to face, in a grid of cells that overlap, under a rounded skin.
typedef struct pnBlockDef
{
	pnVec3 size; // metres
	int points[3]; // along x, y, z; point ( i, j, k ) has the index i + points[0] * ( j + points[1] * k )
	int cells[3]; // clusters along x, y, z
	float overlap; // how far a cell reaches over its neighbours on each side, in cell edges
	int omit; // a point left out, or -1; later points move up by one. Must be an inner one if faced
	bool faced; // triangles over the outer points are skin 0, which is what touches, and the rounded skin is skin 1
	float roundness; // [0,1] from a block to an ellipsoid, for the points
	float waist; // [0,1) how much thinner it is in the middle of its length x, skin and all
	float radius; // of the skin's edges, metres
	int flatSteps[3];
	int cornerSteps;
	float density; // kg/m^3
} pnBlockDef;

pnResult pnCreateBlock( const pnBlockDef* def, pnSolid** solid );

// An ellipsoid about the origin in one cluster: points on its surface in rings about y, evenly, and some inside along x.
// Its skin has 2 * surfacePoints - 4 triangles.
pnResult pnCreateEllipsoid( pnVec3 radii, int surfacePoints, int innerPoints, pnSolid** solid );

// A torus about y. Points lie on its surface: point ( i, j ) has the index i + across * j. Clusters are arcs that overlap.
typedef struct pnTorusDef
{
	float radius; // metres, from the centre to the middle of the tube
	float tube; // metres, half the tube's thickness
	int around, across; // points
	int clusters;
	int overlap; // rings of points that a cluster shares with each neighbour
} pnTorusDef;

pnResult pnCreateTorus( const pnTorusDef* def, pnSolid** solid );

// ---- things that do not bend ----

pnResult pnAddFloor( pnWorld* world, float friction ); // y = 0
// Four planes about the y axis, so far from it at y = 0, leaning outward by this slope (0: upright).
pnResult pnAddWalls( pnWorld* world, float halfX, float halfZ, float slope, float friction );
