// search.h - from a plan to an answer that is good enough: rounds of placing, solving and looking where it is wrong. Knows no user.
#pragma once

#include "press.h"
#include "quality.h"

typedef struct pnSearch
{
	pnPlan plan;
	pnKelvinMethod method; // never pn_autoMethod
	bool isAdaptive;
	bool estimate; // make a second solution where rounds do not
	int count; // adaptive: the most; else the number
	double tolerance;
	const pnTool* tools;
	const double* depths; // m
	const double* forces; // N
	int toolCount;
} pnSearch;

typedef struct pnAnswer
{
	pnSystem system;
	pnQuality quality;
	double estimate; // of the relative error of displacement; negative: not made
	double residualEnergy; // energy of what is missed, over the strain energy
	pnVec3d* contact; // traction of the tools at the collocation points
	pnPressed* pressed;
	int toolCount;
	pnPressResult press;
	double lengthScale; // m, of the scaled lengths
	int roundCount;
	double solveSeconds;
} pnAnswer;

// Of the energy of the residual: no smaller error is claimed, however near two answers are.
static const double pn_leastOfResidual = 0.25;

enum { PN_MOST_ROUNDS = 12 };

void pnDestroyAnswer( pnAnswer* answer );
// spacing: where to begin, and how it was in the end.
pnResult pnFindAnswer( const pnSearch* search, pnSpacing* spacing, pnAnswer* answer );
// Solves anew for the values in the system's bounds and the tools of the search.
pnResult pnSolveAnswer( const pnSearch* search, pnAnswer* answer, bool withBetti );

// What the rounds are made of, for solids of several parts (parts.c).
// Energy of the misfits, scaled; an estimate is its half over the strain energy.
double pnSumIndicators( const pnSystem* system );
// Over the collocation points of the first: area times the square of the difference, and of the first; scaled.
void pnSumDifference( const pnSystem* a, const pnSystem* b, double* difference, double* whole );
// From the relative difference of two answers and the relative energy of the finer one's residual.
double pnEstimateFrom( double difference, double residualEnergy, int finerCount, int coarserCount, bool isEnergy );
double pnLimitClaim( double estimate, double tolerance ); // no smaller error is claimed
int pnGetNextCount( int now, int most ); // of sources
// The spacing for the next round: denser where the answer is wrong.
pnResult pnRefineAnswer( const pnAnswer* answer, bool divisible, int wanted, pnSpacing* spacing );
// Relative difference of the displacements of two answers, over the collocation points of the first.
double pnCompareAnswers( const pnAnswer* a, const pnAnswer* b );
