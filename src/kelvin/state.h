// state.h - what a pnKelvin is made of, shared by the three files that open it: intake.c fills it, choose.c searches, kelvin.c answers.
#pragma once

#include "search.h"

struct pnKelvin
{
	pnUnits units;
	pnFacets facets;
	pnCollocationPoints given;
	pnVec3d* givenSources; // scaled; while the problem is made
	pnSpacing spacing, room;
	pnSpacing hollow; // bounds the spacing in hollows
	pnCondition* conditions;
	int conditionCount;
	pnTool* tools;
	double* depths;
	double* forces;
	int toolCount;
	pnTasks* tasks;
	pnSearch search;
	pnAnswer answer;
	double foundEstimate, foundResidual; // of the answer that the sources were placed for
	double foundReach; // pnGetReach then
	int firstCount; // sources of the first round
	pnKelvinPoint* points;
	pnVec3d* sources;
	int pointCount, sourceCount; // of the arrays above
	double gap; // of the cloud's areas
	bool wrapped; // the cloud became a mesh
	double startTime;
	pnProgressFcn* progress;
	void* progressContext;
	int stageIndex;
	double told; // of the progress; it never goes back
	bool givenUp;
};

// ---- intake.c: the user's problem, checked and scaled ----

// Checks all that can be checked without the surface. Logs what is wrong.
pnResult pnCheckDef( const pnKelvinDef* def );
// Size and place of the solid.
pnResult pnScaleProblem( const pnKelvinDef* def, pnKelvin* kelvin );
// Facets of a mesh or a cloud, or given places.
pnResult pnTakeSurface( const pnKelvinDef* def, pnKelvin* kelvin );
// New tools in the place of those there are, as many.
pnResult pnTakeTools( const pnIndenter* indenters, pnKelvin* kelvin );

// ---- choose.c: which method, how many sources, where ----

// Writes kelvin->answer.
pnResult pnFindBest( const pnKelvinDef* def, pnKelvin* kelvin );
// Places sources anew for the values and tools of now. If it fails, the old answer stays.
pnResult pnFindAgain( pnKelvin* kelvin );
double pnGetReach( const pnKelvin* kelvin ); // how far sources are apart where tools touch, in radii of the contact; the worst
bool pnTick( double fraction, void* kelvin ); // for pnPlan
