// vtk.h - triangles with arrays at their points as a VTK file (.vtp or .vtu), arrays in binary. Knows no worlds and no solutions.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef enum pnVtkType
{
	pn_vtkFloat32,
	pn_vtkFloat64,
	pn_vtkInt32,
	pn_vtkUInt8,
} pnVtkType;

typedef struct pnVtkArray
{
	const char* name;
	pnVtkType type;
	int components;
	const void* data; // components for each point
} pnVtkArray;

typedef struct pnVtkMesh
{
	int pointCount, triangleCount;
	pnVtkArray points; // three components
	const int32_t* triangles;
	const pnVtkArray* arrays;
	int arrayCount;
	const char* active; // XML attributes that say which arrays are shown first, such as Scalars="stretch"
	double time; // s; negative: none is told
	bool isGrid; // UnstructuredGrid (.vtu) instead of PolyData (.vtp)
} pnVtkMesh;

const char* pnWriteVtk( const pnVtkMesh* mesh, const char* path ); // NULL, or what went wrong
