// quality.h - what speaks for and against an answer, without knowing the right one. Knows one system, no rounds.
#pragma once

#include "system.h"

typedef struct pnQuality
{
	double residual, heldOutResidual; // relative
	double betti, reaction; // relative
	double energy; // strain energy, scaled
	double volumeChange; // relative
} pnQuality;

// Reads the answer at the collocation points (pnReadSystem has been called, t holds all that acts). withBetti: makes a second solution for it.
pnResult pnJudge( const pnSystem* system, bool withBetti, pnQuality* quality );

// How much error of energy the misfit at a collocation point stands for.
double pnFindIndicator( const pnSystem* system, int q );
