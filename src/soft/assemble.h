// assemble.h - from the parts of a solid, all decided, to the rest shape that the step reads. Knows no defs of users, no time, no bodies.
#pragma once

#include "solid.h"

typedef struct pnSkinPart
{
	int vertexCount, triangleCount;
	const int32_t* triangles; // vertices of this skin
	const int32_t* particles; // of each vertex; or NULL: carried, then
	const pnVec3* places; // rest, user's coordinates
	const pnVec3* normals; // or NULL: from the triangles
	const int32_t* weld; // the first vertex that shares its normal; or NULL: all in one place share it
	const int32_t* nodes; // the first vertex that hangs together with it in its place; or NULL: all in one place do
	const int32_t* anchors; // a particle on its side of all slits, of each vertex; or NULL
	const float* attributes; // attributeCount for each vertex
	int attributeCount;
	const int32_t* materials; // of triangles, or NULL
} pnSkinPart;

typedef struct pnSolidParts
{
	const pnVec3* particles; // rest, user's coordinates
	const double* masses; // kg
	int particleCount;
	const int32_t* particleOf; // of the user's points
	int pointCount;
	double totalMass; // kg: the masses add up to it
	float density; // kg/m^3, 0 with given masses
	float thickness; // metres
	float tear[4]; // see pnSolid
	const pnClusterDef* clusters;
	float spacing, whole, breadth2; // of a piece, see pnSolid
	const pnCellSize* cells; // of a piece: those of what it was cut from, with the overlap of the def. Or NULL
	const pnAABB* frame; // what cells are laid over, user's coordinates; particles outside are in the outermost. NULL: all particles
	const int32_t* tetrahedra; // user's points
	int tetrahedronCount;
	const int32_t* links; // pairs of particles that hang together, the lower first, rising; clusters hold only such
	int linkCount; // 0: all do
	const pnSkinPart* skins;
	int skinCount;
} pnSolidParts;

// placeOf (or NULL): where each particle of the parts has come to be among those of the solid.
pnResult pnAssembleSolid( const pnSolidParts* parts, pnSolid* solid, int32_t* placeOf );
// Fits one cluster whose members' particles are there. positions, weights: 3 and 1 for each member; the weights are given.
void pnFitSolidCluster( pnSolid* solid, int cluster, double* positions, const double* weights );
