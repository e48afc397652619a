// around.h - where Chang and Zhang (2004) put their sources: on a box, a sphere or a cylinder around the solid. Pure geometry.
#pragma once

#include "../vec3d.h"

// The place of the shape in a direction (unit) from the middle of the solid, whose half sides are `half`; so far outside it.
pnVec3d pnReachAround( pnSourcePlacement placement, pnVec3d way, pnVec3d half, double offset );
