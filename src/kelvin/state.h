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
	// A solid of several parts is a pnKelvin of its own whose parts are others, each with its own surface, material and sources.
	pnKelvin* parts; // partCount
	int partCount;
	int32_t* corners; // of a part: its triangles, scaled, three corners each: for what is inside
	int triangleCount;
	pnVec3d* vertices; // of a part, scaled
	int vertexCount;
	int* conditionIndices; // of a part: which of the whole's conditions it has
};

// ---- intake.c: the user's problem, checked and scaled ----

// Checks all that can be checked without the surface. Logs what is wrong.
pnResult pnCheckDef( const pnKelvinDef* def );
// Size and place of the solid.
pnResult pnScaleProblem( const pnKelvinDef* def, pnKelvin* kelvin );
// Facets of a mesh or a cloud, or given places.
pnResult pnTakeSurface( const pnKelvinDef* def, pnKelvin* kelvin );
pnResult pnCheckTools( const pnIndenter* indenters, const pnKelvin* kelvin ); // logs what is wrong
// New tools in the place of those there are, as many.
pnResult pnTakeTools( const pnIndenter* indenters, pnKelvin* kelvin );

// ---- kelvin.c ----

// All but the sources and the answer.
pnResult pnBeginKelvin( const pnKelvinDef* def, pnKelvin* kelvin );
void pnClearKelvin( pnKelvin* kelvin ); // frees what is in it
// What is read of the answer, in the user's units.
pnResult pnTakeResults( pnKelvin* kelvin );
void pnWritePoints( pnKelvin* kelvin );
void pnWriteInfo( const pnKelvin* kelvin, pnKelvinInfo* info );
// Other values of the same conditions, bound; held axes and springs must be as they were.
pnResult pnTakeValues( pnKelvin* kelvin, const pnCondition* conditions );

// ---- parts.c: solids of several materials ----

pnResult pnCheckParts( const pnKelvinDef* def );
pnResult pnFillParts( const pnKelvinDef* def, pnKelvin* kelvin );
pnResult pnSolveParts( pnKelvin* kelvin, const pnCondition* conditions );
void pnWritePartsInfo( const pnKelvin* kelvin, pnKelvinInfo* info );
const pnKelvin* pnFindPart( const pnKelvin* kelvin, pnVec3d point ); // the one the place (m) is in, or nearest to

// ---- choose.c: which method, how many sources, where ----

// Energy method: how many sources, and where they may be. No answer yet.
pnResult pnPrepareEnergy( const pnKelvinDef* def, pnKelvin* kelvin );
// Writes kelvin->answer.
pnResult pnFindBest( const pnKelvinDef* def, pnKelvin* kelvin );
// Places sources anew for the values and tools of now. If it fails, the old answer stays.
pnResult pnFindAgain( pnKelvin* kelvin );
double pnGetReach( const pnKelvin* kelvin ); // how far sources are apart where tools touch, in radii of the contact; the worst
bool pnTick( double fraction, void* kelvin ); // for pnPlan
