// tear.h - where a body that is stretched too far gives way. Knows one body, cuts nothing.
#pragma once

#include "../cut/blade.h"
#include "body.h"

// The blade of the next tear: across the stretch of the cluster that is stretched most, if that is more than the material bears; as wide as
// the cluster. False: it holds.
bool pnFindTear( const pnBody* body, pnBlade* blade );
