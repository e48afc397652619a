// ply.h - surfaces as binary PLY files, which MeshLab and Blender read. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "surface.h"

// Positions, normals, colours, triangles; little endian on every machine. NULL, or what went wrong, valid until the next call.
const char* pnWritePly( const pnSurface* surface, const char* path );
