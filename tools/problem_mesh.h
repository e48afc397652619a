// problem_mesh.h - a surface in the making, with named groups; and the shapes that come with the program. Knows no files and no JSON.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/kelvin.h"

#include <stdbool.h>

enum
{
	PN_GROUP_NAME = 64,
	PN_MAX_GROUPS = 1024,
	PN_MAX_SHAPE_TRIANGLES = 200000, // a problem cannot ask for more
	PN_MAX_FILE_TRIANGLES = 4000000, // of a mesh or points of a scan: places to collocate at are sampled from them
};

// Triangles, or points with normals. A failed allocation is remembered, so that it needs checking only once.
typedef struct pnSkinMesh
{
	pnVec3d* points; // m
	pnVec3d* normals; // clouds only
	int32_t* triangles; // counterclockwise seen from outside
	int32_t* groups; // of each triangle, or of each point of a cloud
	int pointCount, pointCapacity;
	int triangleCount, triangleCapacity;
	char ( *names )[PN_GROUP_NAME]; // of the groups
	int nameCount;
	bool quads; // triangles 2 i and 2 i + 1 are halves of one facet
	bool failed;
} pnSkinMesh;

void pnFreeSkinMesh( pnSkinMesh* mesh );
int pnAddSkinPoint( pnSkinMesh* mesh, pnVec3d point );
void pnAddSkinTriangle( pnSkinMesh* mesh, int a, int b, int c, int group );
// A point of a cloud: returns nothing, the points are their own facets.
void pnAddCloudPoint( pnSkinMesh* mesh, pnVec3d point, pnVec3d normal, int group );
int pnAddGroup( pnSkinMesh* mesh, const char* name ); // the same name, the same group; cut to what fits; -1: too many
int pnFindGroup( const pnSkinMesh* mesh, const char* name ); // -1: there is none
// Points at one place become one point; triangles that have no area by it are left out. False: no memory.
bool pnWeldSkin( pnSkinMesh* mesh );

// All about the origin, y up; sizes in m, positive; divisions as small as 1.
void pnMakeBoxSkin( pnSkinMesh* mesh, pnVec3d size, const int divisions[3] ); // left right bottom top back front
void pnMakeSphereSkin( pnSkinMesh* mesh, double radius, double innerRadius, int divisions ); // outside, and inside if there is one
void pnMakeCylinderSkin( pnSkinMesh* mesh, double radius, double height, const int divisions[2] ); // about y; bottom top side
// A box with a round hole along z: left right bottom top back front hole. divisions: around a quarter, along z, from hole to wall.
void pnMakeHoleSkin( pnSkinMesh* mesh, pnVec3d size, double holeRadius, const int divisions[3] );
// A fat animal on four legs, 1 m long, looking along x, its feet at y = 0; divisions: cells along its length. One group, "all".
void pnMakeAnimalSkin( pnSkinMesh* mesh, int divisions );
