// handles.h - how a solved system answers to patches of its surface being pushed: compliance and motion of vertices. Knows no user.
#pragma once

#include "system.h"

// All in the user's units. Energy method only. Logs handles that have no collocation points or only held ones.
pnResult pnMakeHandleResponse( const pnSystem* system, const pnUnits* units, const pnHandle* handles, int handleCount, const pnVec3d* vertices, int vertexCount,
						 const int32_t* triangles, int triangleCount, pnResponse** response );
