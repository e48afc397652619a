// round.h - balls with few points and fine skins, and capsules, for scenes. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"

// An ellipsoid about the origin: points on its surface in rings about y, and some inside along x.
typedef struct pnBallDef
{
	pnVec3 radii; // m
	int surfacePoints, innerPoints;
	int faces; // > 0: about so many triangles are carried by the points as skin 1
	pnSolidDef solid; // density, thickness, filling and clusters; the rest is set here
} pnBallDef;

pnResult pnCreateBall( const pnBallDef* def, pnSolid** solid );

// A cylinder along x with half balls at its ends.
typedef struct pnCapsuleDef
{
	float radius, length; // m; the length between the centres of the ends
	float spacing; // m, between points of the surface
	pnSolidDef solid; // as above
} pnCapsuleDef;

pnResult pnCreateCapsule( const pnCapsuleDef* def, pnSolid** solid );
