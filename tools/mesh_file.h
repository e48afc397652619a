// mesh_file.h - what a file of triangles or tetrahedra holds, vertices in its own order, groups and values by name. Knows no scenes and no problems.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/kelvin.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
	PN_MESH_NAME = 64,
	PN_MAX_MESH_GROUPS = 1024,
	PN_MAX_MESH_VALUES = 64, // named values of each vertex: more than an armature's bones that one would make clusters of
	PN_MAX_MESH_POINTS = 12000000,
	PN_MAX_MESH_TRIANGLES = 4000000,
	PN_MAX_MESH_TETS = 4000000,
};

// What is wrong, in a sentence that does not name the file. Line (of text) or byte (of what is binary) are in it, where there is one.
typedef struct pnMeshFault { char text[240]; } pnMeshFault;

typedef struct pnMeshFile
{
	pnVec3d* points; // m, as the file has them
	pnVec3d* normals; // one for each point, or NULL
	float* colors; // red, green, blue in [0,1] of each point, or NULL
	int32_t* triangles; // three points each; polygons are cut into fans
	int32_t* triangleGroups; // one for each triangle, an index into names
	int32_t* tetrahedra; // four points each
	int32_t* tetGroups;
	char ( *names )[PN_MESH_NAME]; // of the groups, in the order of the file; without any: one, "all"
	float* values[PN_MAX_MESH_VALUES]; // one for each point
	char valueNames[PN_MAX_MESH_VALUES][PN_MESH_NAME];
	int pointCount, pointCapacity, triangleCount, triangleCapacity, tetCount, tetCapacity, groupCount, valueCount;
	bool failed; // no memory: remembered, so that it needs checking only once
} pnMeshFile;

// By the file's ending: .obj .ply .stl .gltf .glb .msh (Gmsh 2 and 4, text) .node/.ele (TetGen). False: nothing is kept.
bool pnLoadMeshFile( const char* path, pnMeshFile* mesh, pnMeshFault* fault );
void pnFreeMeshFile( pnMeshFile* mesh ); // zeros are fine
bool pnIsMeshFile( const char* path ); // has it one of these endings?
pnVec3* pnCopyMeshPoints( const pnMeshFile* mesh, float scale ); // in single precision; to be freed; NULL: no memory

// Out of memory; the same rules. `format` is an ending without its dot. Not TetGen's pair; of glTF those with all in one file.
bool pnReadMeshBytes( const uint8_t* bytes, size_t size, const char* format, pnMeshFile* mesh, pnMeshFault* fault );

// What a surface is like, by its edges. Points at one place count as one.
typedef struct pnMeshCheck
{
	bool closed; // every edge has two triangles, and they run along it in opposite ways
	bool manifold; // no edge has more than two
	int openEdges, crowdedEdges, flippedEdges, emptyTriangles, parts; // parts: that do not touch each other
	double volume, area; // m^3 (if closed), m^2
	pnVec3d lower, upper;
} pnMeshCheck;
bool pnCheckMesh( const pnMeshFile* mesh, pnMeshCheck* check ); // false: no memory

// ---- for the readers, one for each format ----

int pnPutMeshPoint( pnMeshFile* mesh, pnVec3d point ); // its index; -1 once there are too many
void pnPutMeshTriangle( pnMeshFile* mesh, int a, int b, int c, int group );
void pnPutMeshTet( pnMeshFile* mesh, const int32_t corners[4], int group );
int pnPutMeshGroup( pnMeshFile* mesh, const char* name, size_t length ); // the same name, the same group; -1: too many
bool pnFailMesh( pnMeshFault* fault, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) ); // false

bool pnReadObj( const char* text, size_t length, pnMeshFile* mesh, pnMeshFault* fault );
bool pnReadPly( const uint8_t* bytes, size_t size, pnMeshFile* mesh, pnMeshFault* fault );
bool pnReadStl( const uint8_t* bytes, size_t size, pnMeshFile* mesh, pnMeshFault* fault );
bool pnReadMsh( const char* text, size_t length, pnMeshFile* mesh, pnMeshFault* fault );
bool pnReadTetGen( const char* nodes, size_t nodesLength, const char* elements, size_t elementsLength, pnMeshFile* mesh, pnMeshFault* fault );
// folder: with its slash, where the buffers of a .gltf lie; NULL: those in the file alone. isBinary: it says it is a GLB.
bool pnReadGltf( const uint8_t* bytes, size_t size, bool isBinary, const char* folder, pnMeshFile* mesh, pnMeshFault* fault );
