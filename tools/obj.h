// obj.h - a frame as a Wavefront OBJ file. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "out.h"

// An object for each body, then, if wanted, one for shapes. Colours as three numbers after each vertex. NULL, or what went wrong.
const char* pnWriteObj( const pnOutFrame* frame, bool hasNormals, bool hasColors, bool hasShapes, const char* path );
