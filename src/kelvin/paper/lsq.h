// lsq.h - the coefficients that miss what is given least, in the sum of squares: Chang and Zhang's way. Knows rows, not where they come from.
#pragma once

#include "../gauge.h"

typedef struct pnLsq
{
	bool isIterative;
	double* matrix; // rowCount x columns: pivoted QR; iterative: columns^2, the normal matrix of scaled columns
	double* tau;
	double* scale; // of the columns
	int32_t* pivots;
	double* work; // of LAPACK
	int workCount;
	pnGauge gauge;
	int columns, rowCount;
	int rank;
	double conditionNumber; // of the factors; iterative: see pnLsqRun
	double assembleSeconds, factorSeconds;
} pnLsq;

typedef struct pnLsqRun
{
	int iterationCount;
	bool converged;
	double conditionNumber; // from the iterations; 0 if there were none
} pnLsqRun;

void pnDestroyLsq( pnLsq* lsq );
pnResult pnFactorLsq( const pnRows* rows, bool isIterative, pnLsq* lsq );
// coefficients: columns. False: no memory.
bool pnSolveLsq( const pnRows* rows, const pnLsq* lsq, double* coefficients, pnLsqRun* run );
