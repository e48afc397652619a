// rows.h - the matrices of displacement and traction, some collocation points at a time, and what makes them consistent. Knows no solver.
#pragma once

#include "../base/task.h"
#include "bind.h"
#include "kernel.h"
#include "place.h"

enum { PN_MENDED_POINTS = 12, PN_BLOCK_POINTS = 128 };

// The surface integrals are sums over collocation points. For a source outside and any linear field the sum of (displacement of one times
// traction of the other, less the reverse) should vanish (Betti), and does not quite: such a source acts as a spring to nowhere, which
// ruins slender parts. The smallest change of its rows at the nearest collocation points makes it vanish.
typedef struct pnMends
{
	int32_t* points; // of source p (hollows after the others): [p * PN_MENDED_POINTS, ...)
	double* u; // added to the displacement along axis a at the k-th collocation point, load l: [( ( p * 3 + l ) * PN_MENDED_POINTS + k ) * 3 + a]
	double* t; // to the traction
	int32_t* starts; // of collocation point q: entries [starts[q], starts[q + 1])
	int32_t* entries; // p * PN_MENDED_POINTS + k
	// Polynomials reach everywhere, and so do their mends: of the k-th linear field the traction is added to the displacement and the
	// displacement taken from the traction, [f * PN_LINEAR_FIELDS + k] times. Zeros if there are none.
	double curved[PN_POLYNOMIALS * PN_LINEAR_FIELDS];
	int sourceCount, pointCount;
} pnMends;

// Told how far a long stage is, in [0, 1]. False: give up.
typedef bool pnTickFcn( double fraction, void* context );

typedef struct pnRows
{
	pnCollocationPoints points; // borrowed
	const pnBound* bounds;
	pnBasis basis;
	pnMends mends; // zeros: none
	pnTasks* tasks;
	const struct pnProcesses* processes; // that share the matrix; NULL: this one alone
	pnTickFcn* tick; // NULL: nobody wants to know
	void* tickContext;
} pnRows;

void pnDestroyMends( pnMends* mends );
// Writes rows->mends. pn_outOfMemory: nothing is kept.
pnResult pnFindMends( pnRows* rows );

// Whether the sums over the collocation points are right for the polynomials of second and third degree: the work of one on another is that of the
// other on the one. In slender parts their energies are small differences of large sums.
bool pnCanCurve( const pnCollocationPoints* points, double poissonRatio, bool* outOfMemory );

// Rows of collocation points [begin, end): three per collocation point, along the axes of its bound, each as long as there are columns.
// u, t may be NULL. mended: with what the mends add.
void pnFillBlock( const pnRows* rows, int begin, int end, bool mended, double* u, double* t );
// Adds the mends of the polynomials, which are the last columns, to rows along x, y, z. u, t may be NULL.
void pnAddCurvedMends( const pnRows* rows, int point, int columns, double* u, double* t );
// The mends of one collocation point under given coefficients, along x, y, z.
void pnSumMends( const pnRows* rows, int point, const double* coefficients, double u[3], double t[3] );
