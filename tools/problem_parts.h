// problem_parts.h - the parts of a problem file, one function each. Knows what problem.h knows; used by problem.c only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "problem.h"

extern const pnKeyTable pn_regionKeys, pn_ballKeys, pn_planeKeys, pn_facingKeys, pn_conditionKeys, pn_rotatedKeys, pn_affineKeys, pn_indenterKeys,
	pn_turnKeys, pn_surfaceKeys, pn_caseKeys, pn_partKeys;

// Each reads its part into the problem. Conditions are read twice: without the skin (dry), then with it, when groups have names
// and a region that holds nothing is found.
bool pnReadConditions( pnReader* reader, const pnNode* node, bool dry, pnProblem* problem );
bool pnReadCases( pnReader* reader, const pnNode* node, pnProblem* problem ); // after the conditions, whose names they use
bool pnReadIndenters( pnReader* reader, const pnNode* node, pnProblem* problem );
// dry: only checks.
bool pnReadSurface( pnReader* reader, const pnNode* node, bool dry, pnProblem* problem );

// Several materials, instead of a surface and a material.
bool pnReadParts( pnReader* reader, const pnNode* root, const pnNode* node, bool dry, pnProblem* problem );
bool pnReadMaterial( pnReader* reader, const pnNode* node, pnKelvinDef* def );
bool pnReadInsideKeys( pnReader* reader, const pnNode* node, pnKelvinDef* def ); // what acts inside: body_force, thermal_strain

// What "box", "sphere" and "plane" of a region say of places, widened by the margin (m).
bool pnReadRegionPlace( pnReader* reader, const pnNode* node, double margin, pnRegion* region );
// {"axis", "degrees"}: radians along the axis.
bool pnReadTurn( pnReader* reader, const pnNode* node, const pnKeyTable* keys, pnVec3d* turn );
pnVec3d pnTurnBy( pnVec3d turn, pnVec3d a ); // by a rotation vector
bool pnReadName( pnReader* reader, const pnNode* object, const char* otherwise, char name[PN_NAME_SIZE] );
double pnGetProblemSize( const pnProblem* problem ); // m, the diagonal of its bounds
