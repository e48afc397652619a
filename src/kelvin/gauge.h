// gauge.h - rigid motions that nothing resists: which they are, and a load that does not set them going. Knows no solver.
#pragma once

#include "rows.h"

typedef struct pnGauge
{
	double modes[6][6]; // coefficients of three translations and three rotations
	int count;
} pnGauge;

void pnFindGauge( const pnRows* rows, pnGauge* gauge );
// Sum over the surface of each column along each free motion: means[mode * columns + column]. block: room for three rows.
void pnFillGauge( const pnRows* rows, const pnGauge* gauge, double* block, double* means );
// How much of each free motion, as a traction, must be taken off the load so that it is in balance.
void pnBalanceLoad( const pnRows* rows, const pnGauge* gauge, double balance[6] );
// The values of a collocation point's bound, tractions balanced.
void pnGetBalanced( const pnRows* rows, const pnGauge* gauge, const double balance[6], int point, double value[3] );
