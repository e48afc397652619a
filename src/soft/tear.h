// tear.h - where a body that is stretched too far gives way. Knows one body, cuts nothing.
#pragma once

#include "../cut/blade.h"
#include "body.h"

// The blade of the next tear, at rest and relative to the solid's centre: across the stretch of a cluster that is stretched more than the
// material bears, as wide as the cluster, in the plane of the tear that is there already if it has come that far. plane: see pnSolid.tear.
// False: it holds.
bool pnFindTear( const pnBody* body, pnBlade* blade, float plane[4] );
