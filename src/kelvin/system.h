// system.h - one discretisation: collocation points, sources, factored equations and the last answer at the collocation points. Knows no rounds and no user.
#pragma once

#include "energy.h"
#include "paper/lsq.h"

// What stays the same from round to round. Borrowed.
typedef struct pnPlan
{
	pnUnits units;
	double poissonRatio;
	pnInside inside;
	const pnFacets* facets; // or
	const pnCollocationPoints* given; // places that are not to be changed
	const pnCondition* conditions;
	int conditionCount;
	int perPiece;
	bool isCloud; // facets are cells of a cloud
	bool isWrapped; // facets are around a cloud: folds are possible where it is thinner than its points are apart
	bool divisible; // facets of a mesh are divided where sources are dense
	pnPlaceDef place; // its count is set by the system
	int mostSources; // 0: no limit
	pnTasks* tasks;
	const struct pnProcesses* processes; // that share the matrix; NULL: this one alone
	pnTickFcn* tick;
	void* tickContext;
} pnPlan;

typedef struct pnSystem
{
	pnCollocationPoints points;
	pnBound* bounds;
	double* lengths; // of each collocation point: the lesser of spacing and distance of the sources
	pnSources sources;
	pnVec3d* hollows; // PN_MOST_HOLLOWS
	pnRows rows;
	pnKelvinMethod method;
	pnInside inside;
	pnEnergy energy;
	pnLsq lsq;
	pnLsqRun run; // of the last solve
	double* coefficients; // of the columns
	double* work; // twice the columns
	pnVec3d* u; // at the collocation points, as the answer has it
	pnVec3d* t; // traction from outside: as given, on held axes as found, with what indenters add
	pnVec3d* raw; // traction as the answer has it, everywhere
	int columns;
	double placeSeconds;
} pnSystem;

void pnDestroySystem( pnSystem* system );
// count: sources wanted; 0: as the spacing says. Bounds are those of plan->conditions.
pnResult pnBuildSystem( const pnPlan* plan, const pnSpacing* spacing, pnKelvinMethod method, int count, pnSystem* system );
int pnCountSources( const pnCollocationPoints* points ); // as their spacing says
double pnGetThickness( const pnCollocationPoints* points ); // of the solid on the whole: twice its volume over its surface
const pnGauge* pnGetGauge( const pnSystem* system );

// Coefficients for the values in system->bounds.
pnResult pnSolveSystem( pnSystem* system );
// Displacement and tractions at the collocation points for the coefficients there are, with what acts inside.
void pnReadSystem( pnSystem* system );
// The field of what acts inside, at a collocation point: displacement, and traction on its plane.
void pnReadInside( const pnSystem* system, int point, pnVec3d* u, pnVec3d* t );
pnVec3d pnGetValue( const pnSystem* system, int point ); // of the bound, along x, y, z

// Coefficients of another right side: tractions on free axes (as if given), held axes at rest.
pnResult pnSolveTractions( const pnSystem* system, const pnVec3d* tractions, double* coefficients );
// Displacement of each collocation point under some coefficients.
void pnReadDisplacements( const pnSystem* system, const double* coefficients, pnVec3d* u );
// What acts on the held axes of a collocation point under some coefficients and held values (NULL: at rest).
void pnReadReactions( const pnSystem* system, const double* coefficients, const pnBound* bounds, pnVec3d* t );
