// skin.h - surfaces carried by a solid: bound once, written on request. Knows frames and particles, no bodies.
#pragma once

#include "frame.h"

enum { PN_MAX_BONDS = 8 }; // of a skin vertex: as many cells meet at a corner of theirs

// Makes the bonds of all skins; the solid has everything else. places: rest, of each skin vertex, relative to the solid's centre.
// A vertex on a particle gets one bond, with the cluster that holds most of it. False: no memory, and no bonds.
// anchors: a particle that tells on which side of slits a carried vertex is, or -1.
bool pnBindSkins( pnSolid* solid, const pnVec3* places, const int32_t* anchors );
// Bonds with clusters whose fit is another one in `solid` than in `before`, but the skins the same.
void pnRenewBonds( pnSolid* solid, const pnSolid* before );
// For each particle the cluster that holds most of it, the first of equals. most: scratch, one float for each particle.
void pnFindMainClusters( const pnSolid* solid, int32_t* clusters, float* most );

// Writes skin `index` of the solid where its particles (x: 4 floats each, metres) and frames (not needed on particles) are now. Either output may be NULL.
// Writes up to capacity vertices; normals are unit. Allocates nothing (normals is used as scratch for skins on particles).
void pnWriteSkin( const pnSolid* solid, int index, const float* x, const pnFrame* frames, pnVec3* positions, pnVec3* normals, int capacity );
// What carried vertices lie off it is added: shifts, of all skin vertices, along the axes of each one's first cluster, times `part`.
void pnShiftSkin( const pnSolid* solid, int index, const pnFrame* frames, const pnVec3* shifts, float part, pnVec3* positions, int capacity );
// The shifts of one skin that lead from where its clusters carry it to `places`. Returns the longest, metres.
float pnMeasureShifts( const pnSolid* solid, int index, const pnFrame* frames, const pnVec3* positions, const pnVec3* places, pnVec3* shifts );
