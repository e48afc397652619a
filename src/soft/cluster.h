// cluster.h - which particles make up which cluster, and how much of each: chosen once. Knows rest positions; no masses, no fits.
#pragma once

#include "pliant/pliant.h"
#include "../base/cloud.h"
#include "cells.h"

enum
{
	PN_MIN_MEMBERS = 4, // a cell with fewer is dissolved: it could not tell a stretch
	PN_CELL_CORE = 64, // points in a cell of pn_autoClusters, without the overlap
	PN_WHOLE_COUNT = 32, // up to this many points are one cluster
	PN_GROUP_SIZE = 16, // clusters that are matched together, whether they share particles or not
	PN_UNCOLORED_COUNT = 64, // up to this many clusters are matched by one worker and need no colours
	PN_MAX_MEMBERS = 1 << 27,
};

// Every particle is in at least one cluster. The arrays live in the scratch that they were made with.
typedef struct pnClusterList
{
	int clusterCount, memberCount;
	int32_t* starts; // clusterCount + 1, into members
	int32_t* members; // particles, rising within a cluster
	double* shares; // part of the member that this cluster takes; they add up to 1 over the clusters of a particle
	int groupCount; // PN_GROUP_SIZE clusters each, but for the last
	int32_t* groupColors; // groups of one colour share no particle; rising
	int islandCount; // sets of clusters that share no particle with others
	pnCellSize cells; // zeros for kinds that have none
} pnClusterList;

typedef struct pnClusterSource
{
	const pnVec3* rest; // of particles
	int particleCount;
	const int32_t* particleOf; // of the user's points, which `members` of the def names
	const int32_t* tetrahedra; // user's points
	int tetrahedronCount;
	const pnCellSize* cells; // instead of the size that the def says, or NULL
	const pnAABB* frame; // what cells are laid over; NULL: the particles' bounds
	const int32_t *linkStart, *links; // particles that hang together with each; NULL: all do. A cluster then falls into sets that do
} pnClusterSource;

// The def has been checked. Clusters made of cells hold on to each other (bridge.h): where they would not, cells reach farther over, and where
// that does not help there are bridges; but none across a slit. Groups are ordered by colour, clusters in space; given ones keep their order if there are no colours.
pnResult pnMakeClusters( const pnClusterDef* def, const pnClusterSource* source, pnScratch* scratch, pnClusterList* list );

// The clusters of each particle, rising: starts has particleCount + 1 entries, clusters one for each member. `members` are
// particles times `stride`, and those of cluster c are sizes[c] (NULL: all up to the next start) from starts[c].
void pnInvertClusters( const int32_t* clusterStarts, const int32_t* sizes, int clusterCount, const uint32_t* members, uint32_t stride,
					   int particleCount, int32_t* starts, int32_t* clusters );
