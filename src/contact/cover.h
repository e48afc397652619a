// cover.h - a surface over bare points. Knows rest positions only.
#pragma once

#include "pliant/vec.h"
#include "../base/scratch.h"

// Triangles on the points, looking outward where the points fill a volume; both ways alike where they lie in a plane; along a
// line they are segments (two equal corners), and a lone point is three equal corners. outer: for each point, 1 if it is at the outside, although
// perhaps in no triangle. Both live in the scratch. False: no memory.
bool pnCoverPoints( const pnVec3* points, int count, pnScratch* scratch, int32_t** triangles, int* triangleCount, uint8_t** outer );
