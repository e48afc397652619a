// problem.h - a problem of statics as a JSON file has it: read, checked, ready for pnCreateKelvin. Knows no solutions and no pictures.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "problem_mesh.h"
#include "problem_read.h"

enum
{
	PN_MAX_CONDITIONS = 256,
	PN_MAX_INDENTERS = 16,
	PN_MAX_HANDLES = 256,
	PN_MAX_PROBES = 64,
	PN_MAX_VIEWS = 6,
	PN_MAX_CASES = 64,
	PN_MAX_PARTS = 16,
	PN_NAME_SIZE = 64,
};

// A place where the answer is read and, if it is known from elsewhere, compared.
typedef struct pnProbe
{
	char name[PN_NAME_SIZE];
	pnVec3d at; // m
	uint32_t knownAxes; // x = 1, y = 2, z = 4
	pnVec3d known; // m, displacement along those
	double knownStress; // Pa, von Mises; negative: not known
	char by[160]; // who says so
} pnProbe;

// A displacement that changes evenly from place to place.
typedef struct pnAffine
{
	pnVec3d rows[3]; // m of displacement along x, y, z for each m of way from the center
	pnVec3d center; // m
} pnAffine;

// Other sizes of the conditions: each is what the problem says, times its factor. What is held stays held.
typedef struct pnLoadCase
{
	char name[PN_NAME_SIZE];
	const double* factors; // one for each condition
} pnLoadCase;

typedef struct pnProblem
{
	char title[160], about[1200];
	pnKelvinDef def; // ready but for progress and tasks; points into what follows
	pnSkinMesh skin; // what is shown, and what is solved on unless there are places or parts
	pnSkinMesh partSkins[PN_MAX_PARTS]; // of several materials, one each; the skin is all of them, its groups are "part.group"
	pnKelvinPart parts[PN_MAX_PARTS];
	int partCount;
	pnVec3d lower, upper; // bounds of the skin, m
	pnVec3d* places; // where to collocate instead of the skin
	pnVec3d* placeNormals;
	double* placeAreas;
	int32_t* placeGroups;
	int placeCount;
	pnVec3d* sources;
	pnCondition* conditions;
	char ( *conditionNames )[PN_NAME_SIZE];
	pnAffine* affines; // one for each condition; most are not used
	int conditionCount;
	pnLoadCase* cases;
	double* caseFactors; // of all cases
	int caseCount;
	pnIndenter* indenters;
	char ( *indenterNames )[PN_NAME_SIZE];
	int indenterCount;
	pnVec3d* hullPoints; // of all indenters
	pnHandle* handles;
	int handleCount;
	pnProbe* probes;
	int probeCount;
	double exaggerate; // how many times larger displacements are shown; 0: as it suits
	int color; // 0 displacement, 1 stress, 2 force
	double views[PN_MAX_VIEWS][2]; // azimuth and elevation, degrees
	int viewCount;
	bool showIndenters;
} pnProblem;

// message (PN_MESSAGE_SIZE): file:line:column: what: sentence. Nothing is kept if it fails. `file` is where other files are looked
// for and how messages name it. dry: everything is checked that needs no surface, and none is made.
bool pnReadProblem( const char* text, size_t length, const char* file, bool dry, pnProblem* problem, char* message );
bool pnLoadProblem( const char* file, pnProblem* problem, char* message );
void pnFreeProblem( pnProblem* problem ); // zeros are fine

// The conditions of a load case, and the affine fields they point to: as many as the problem has conditions.
void pnScaleConditions( const pnProblem* problem, int loadCase, pnCondition* conditions, pnAffine* affines );

const pnKeyTable* pnGetProblemKeys( int* count ); // all objects of the format and their keys
// Is the place in the region? normal: unit. group: -1 if there are none.
bool pnRegionHas( const pnRegion* region, pnVec3d point, pnVec3d normal, int group );
