// write_solution.h - answers as files other programs read: VTP, PLY, CSV, GLB. Knows no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "solution.h"

// All: NULL, or what went wrong, in words that stay valid until the next call.
// VTK PolyData: the surface at rest, with displacement, stress, von_mises and traction at its points.
const char* pnWriteVtp( const pnSolution* solution, const char* path );
// The deformed surface with colours.
const char* pnWriteSolutionPly( const pnSolution* solution, pnFieldKind field, double exaggerate, const char* path );
// glTF 2.0: the surface at rest with colours, the deformation as a morph target that an animation blends in and out.
const char* pnWriteGlb( const pnSolution* solution, pnFieldKind field, double exaggerate, const char* title, const char* path );
// A row for each place on the surface where the answer was found.
const char* pnWriteCsv( const pnKelvin* kelvin, const char* path );
