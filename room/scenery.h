// scenery.h - things that do not bend as triangles: balls, capsules, boxes, hulls, meshes, hills, walls. Knows no worlds and no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "shape.h"

// Adds the shape as its def says it lies. Planes and users' own distances are left out.
void pnAddShapeTriangles( pnSceneMesh* mesh, const pnShapeDef* def );
// Adds the part of a plane that is not behind the other ones, up to 0.4 as high as its foot is wide. Level ones are left out: they are
// the floor. reach: how far an unbounded plane is drawn from the middle, metres.
void pnAddPlaneTriangles( pnSceneMesh* mesh, const pnTransform* planes, int planeCount, int index, pnVec3 middle, float reach );
