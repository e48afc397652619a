// skin.h - surfaces carried by a solid: bound once, written on request. Knows frames and particles, no bodies.
#pragma once

#include "frame.h"

// Writes skin `index` of the solid where its particles (x: 4 floats each, metres) and frames are now. Either output may be NULL.
// Writes up to capacity vertices; normals are unit. Allocates nothing (normals is used as scratch for skins on particles).
void pnWriteSkin( const pnSolid* solid, int index, const float* x, const pnFrame* frames, pnVec3* positions, pnVec3* normals, int capacity );
