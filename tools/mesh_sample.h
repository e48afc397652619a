// mesh_sample.h - points evenly over a fine surface and within it, to carry it as a skin. Knows no files and no solids.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/vec.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct pnSampleDef
{
	const pnVec3* vertices; // m
	const int32_t* triangles;
	int vertexCount, triangleCount;
	float spacing; // m; or
	int count; // about so many points
	bool inside; // within the surface too; what is open has no inside
} pnSampleDef;

typedef struct pnSample { pnVec3* points; int pointCount, surfaceCount; float spacing; } pnSample; // those of the surface come first

// NULL, or what is wrong. The same bits on every machine.
const char* pnSampleMesh( const pnSampleDef* def, pnSample* sample );
void pnFreeSample( pnSample* sample );
