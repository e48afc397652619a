// energy.h - the coefficients that make the energy least: Nitsche's form of held parts, all integrals on the surface. Knows rows, not where
// they come from.
#pragma once

#include "gauge.h"
#include "processes.h"

struct pnEnergy
{
	const struct pnProcesses* processes; // NULL: this one alone; else the matrix is theirs
	void* spread; // this process' part of it
	double* matrix; // columns^2: Cholesky factor in the lower triangle, the scaled matrix itself above the diagonal
	double* diagonal; // of the scaled matrix
	double* scale; // of the unknowns
	double* gamma; // of each collocation point: what a held displacement weighs
	pnGauge gauge;
	int columns, pointCount, sourceCount;
	int retryCount;
	int leftOut; // columns whose coefficients are 0
	double conditionNumber; // estimate
	double assembleSeconds, factorSeconds;
};

void pnDestroyEnergy( pnEnergy* energy );
// What a column is scaled by that has this on the diagonal. other: its number among those that are no sources, else negative.
double pnGetEnergyScale( double diagonal, int other );
// lengths: of each collocation point, how near the boundary fields may change: the lesser of spacing and distance of sources.
// mayStiffen: if the matrix is not positive, held parts weigh more, and then everything is stiffened; otherwise pn_invalidInput.
// mayLeaveOut: before that, a few columns are left out, if that is enough.
pnResult pnFactorEnergy( const pnRows* rows, const double* lengths, bool mayStiffen, bool mayLeaveOut, pnEnergy* energy );

// The right side of the values in `bounds` (the rows' own). False: no memory.
bool pnLoadEnergy( const pnRows* rows, const pnEnergy* energy, double* load );
// Coefficients of the columns under a right side, in place. work: as many columns, twice.
void pnSolveEnergy( const pnEnergy* energy, double* load, double* work );
// Half of that for several right sides at once (columns each), in place: products of what comes out are the works of the answers on the right sides.
void pnHalfSolveEnergies( const pnEnergy* energy, double* loads, int count, pnTasks* tasks );
// Several right sides at once, without refinement.
void pnSolveEnergies( const pnEnergy* energy, double* loads, int count );
