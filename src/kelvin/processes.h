// processes.h - a matrix that lies on several processes: who sums, factors and solves it. Knows no MPI; src/kelvin/mpi does.
#pragma once

#include "rows.h"

typedef struct pnEnergy pnEnergy;

// Every process makes the same calls with the same values, and gets the same answers.
struct pnProcesses
{
	// Sums the matrix over the surface, each process its own part of it, and factors it. Writes energy->spread, scale, retryCount, conditionNumber and the times;
	// multiplies energy->gamma by what held parts had to weigh more. holds: area times weight of what is held. gauge: rows of the rigid motions, columns each.
	pnResult ( *factor )( const struct pnProcesses* processes, const pnRows* rows, const double* holds, const double* gauge, bool mayStiffen, pnEnergy* energy );
	// Right sides, scaled, become answers, with `refinements` steps; half: only the first of the two triangular solutions, in any order of the unknowns.
	void ( *solve )( const struct pnProcesses* processes, const pnEnergy* energy, double* loads, int count, int refinements, bool half );
	void ( *release )( const struct pnProcesses* processes, pnEnergy* energy );
};
