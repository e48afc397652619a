// problem_file.h - surfaces and clouds out of files: those of mesh_file.h, and CSV. Knows no JSON.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "problem_mesh.h"

#include <stddef.h>

// Both: false, and one sentence that names what is wrong (not the file).
// Groups are the names of the file's objects or groups; a file without any has one, "all".
bool pnLoadMeshSkin( const char* path, pnSkinMesh* mesh, char* problem, size_t problemSize );
// .csv: x, y, z, nx, ny, nz and perhaps the name of a group, a point a line; one heading and lines after # are skipped.
// .ply: points with normals.
bool pnLoadCloudSkin( const char* path, pnSkinMesh* mesh, char* problem, size_t problemSize );
