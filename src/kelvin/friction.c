// friction.c - pressures and Coulomb's friction on the pads of a contact, from their compliance. Knows no tools' shapes and no solids.
//
// A pad that is pushed (p > 0) has no gap: ( K x - side ) along the normal is 0. Along the tool either nothing slips, which is the same along the tangents,
// or the traction is t = friction * p * e, where e is the way the tool rubs. Both are said at once by the projection of a trial:
//   trial = t + r ( side - K x ) / area,   t = trial where |trial| <= friction * p, else friction * p * trial / |trial|
// for any r > 0. Newton's method on this changes sets and directions together. The load is put on in one step, so a place has one slip: that from
// where it was touched to where it is now.
#include "friction.h"

#include "../base/scratch.h"

#include <cblas.h>
#include <lapacke.h>

enum
{
	PN_MOST_STEPS = 100,
	PN_STEPS_BETWEEN = 20, // sweeps: Newton's steps settle in ten or not at all
	PN_SWEEPS = 60,
};
static const double pn_sameTraction = 1e-10; // of the largest: then a step has changed nothing

typedef struct pnSlip
{
	double along[2]; // the trial's direction
	double loose; // friction * p / |trial|: how far the direction follows the trial
	double stiffness; // r / area
} pnSlip;

// Area times ( displacement along an axis, less the tool's ).
static double pnGetMiss( const pnFriction* friction, int row )
{
	int n = 3 * friction->count;
	return cblas_ddot( n, friction->matrix + (size_t)row * (size_t)n, 1, friction->tractions, 1 ) - friction->side[row];
}

// States for the tractions there are, and how the sliding ones slide. Returns how many states changed.
static int pnTellStates( pnFriction* friction, pnSlip* slips )
{
	int n = 3 * friction->count, changed = 0;
	for ( int k = 0; k < friction->count; ++k )
	{
		size_t diagonal = (size_t)( 3 * k ) * (size_t)( n + 1 );
		// r: about what moves the pad back by itself.
		double stiffness[2] = { 1.0 / friction->matrix[diagonal], 2.0 / ( friction->matrix[diagonal + (size_t)n + 1] + friction->matrix[diagonal + 2 * (size_t)n + 2] ) };
		const double* t = friction->tractions + 3 * k;
		double push = t[0] - stiffness[0] * pnGetMiss( friction, 3 * k );
		double trial[2] = { t[1] - stiffness[1] * pnGetMiss( friction, 3 * k + 1 ), t[2] - stiffness[1] * pnGetMiss( friction, 3 * k + 2 ) };
		double size = hypot( trial[0], trial[1] ), most = friction->coefficients[k] * fmax( t[0], 0.0 );
		uint8_t state = push <= 0.0 ? pn_openPad : size <= most && friction->coefficients[k] > 0.0 ? pn_stickingPad : pn_slidingPad;
		changed += state != friction->states[k];
		friction->states[k] = state;
		slips[k] = (pnSlip){ .stiffness = stiffness[1] };
		if ( size > 0.0 )
		{
			slips[k].along[0] = trial[0] / size;
			slips[k].along[1] = trial[1] / size;
			slips[k].loose = fmin( most / size, 1.0 );
		}
	}
	return changed;
}

// One row of the equations of the pads that are not open. Their unknowns are in the order of the pads.
static void pnFillRow( const pnFriction* friction, int row, double factor, double* to )
{
	int n = 3 * friction->count;
	const double* from = friction->matrix + (size_t)row * (size_t)n;
	for ( int k = 0, next = 0; k < friction->count; ++k )
	{
		if ( friction->states[k] != pn_openPad )
		{
			to[next] += factor * from[3 * k];
			to[next + 1] += factor * from[3 * k + 1];
			to[next + 2] += factor * from[3 * k + 2];
			next += 3;
		}
	}
}

// Tractions for these states. Rows of the matrix are in memory one after the other: LAPACK is told the transpose.
static bool pnSolveStates( const pnFriction* friction, const pnSlip* slips, double* equations, double* values, lapack_int* pivots, int* size )
{
	int count = 0;
	for ( int k = 0; k < friction->count; ++k )
	{
		count += friction->states[k] != pn_openPad ? 3 : 0;
	}
	*size = count;
	if ( count == 0 )
	{
		return true;
	}
	memset( equations, 0, (size_t)count * (size_t)count * sizeof( double ) );
	for ( int k = 0, next = 0; k < friction->count; ++k )
	{
		if ( friction->states[k] == pn_openPad )
		{
			continue;
		}
		double* rows[3];
		for ( int axis = 0; axis < 3; ++axis )
		{
			rows[axis] = equations + (size_t)( next + axis ) * (size_t)count;
		}
		pnFillRow( friction, 3 * k, 1.0, rows[0] );
		values[next] = friction->side[3 * k];
		const pnSlip* slip = slips + k;
		for ( int i = 0; i < 2; ++i )
		{
			double* row = rows[1 + i];
			values[next + 1 + i] = 0.0;
			if ( friction->states[k] == pn_stickingPad )
			{
				pnFillRow( friction, 3 * k + 1 + i, 1.0, row );
				values[next + 1 + i] = friction->side[3 * k + 1 + i];
				continue;
			}
			// t - friction p e - loose ( 1 - e e' ) ( t + stiffness ( side - K x ) ) = 0, over the stiffness, so that rows have one size
			double unit = 1.0 / slip->stiffness;
			row[next + 1 + i] += unit;
			row[next] -= unit * friction->coefficients[k] * slip->along[i];
			for ( int j = 0; j < 2; ++j )
			{
				double across = slip->loose * ( ( i == j ? 1.0 : 0.0 ) - slip->along[i] * slip->along[j] );
				row[next + 1 + j] -= unit * across;
				if ( across != 0.0 )
				{
					pnFillRow( friction, 3 * k + 1 + j, across, row );
					values[next + 1 + i] += across * friction->side[3 * k + 1 + j];
				}
			}
		}
		next += 3;
	}
	return LAPACKE_dgetrf_work( LAPACK_COL_MAJOR, count, count, equations, count, pivots ) == 0 &&
		   LAPACKE_dgetrs_work( LAPACK_COL_MAJOR, 'T', count, 1, equations, count, pivots, values, count ) == 0;
}

// Pad after pad, each for the tractions of the others as they are (Gauss-Seidel). Slower than Newton's steps and surer: these may go round in circles where pads
// at the rim of a punch are pushed only because others stick.
static void pnSweepPads( pnFriction* friction )
{
	int n = 3 * friction->count;
	for ( int k = 0; k < friction->count; ++k )
	{
		size_t diagonal = (size_t)( 3 * k ) * (size_t)( n + 1 );
		double* t = friction->tractions + 3 * k;
		t[0] = fmax( t[0] - pnGetMiss( friction, 3 * k ) / friction->matrix[diagonal], 0.0 );
		double give = fmax( friction->matrix[diagonal + (size_t)n + 1], friction->matrix[diagonal + 2 * (size_t)n + 2] );
		double trial[2] = { t[1] - pnGetMiss( friction, 3 * k + 1 ) / give, t[2] - pnGetMiss( friction, 3 * k + 2 ) / give };
		double size = hypot( trial[0], trial[1] ), most = friction->coefficients[k] * t[0], kept = size > most ? most / size : 1.0;
		t[1] = kept * trial[0];
		t[2] = kept * trial[1];
	}
}

bool pnSettleFriction( pnFriction* friction, int* changes, bool* outOfMemory )
{
	int n = 3 * friction->count;
	pnScratch scratch = { 0 };
	double* equations = pnTakeRawArray( &scratch, double, (size_t)n * (size_t)n );
	double* values = pnTakeArray( &scratch, double, n );
	pnSlip* slips = pnTakeArray( &scratch, pnSlip, friction->count );
	lapack_int* pivots = pnTakeArray( &scratch, lapack_int, n );
	*outOfMemory = scratch.failed;
	bool settled = false;
	for ( int step = 0; step < PN_MOST_STEPS && scratch.failed == false && settled == false; ++step )
	{
		++*changes;
		for ( int sweep = 0; sweep < PN_SWEEPS && step > 0 && step % PN_STEPS_BETWEEN == 0; ++sweep )
		{
			pnSweepPads( friction );
		}
		int changed = pnTellStates( friction, slips ), size;
		if ( pnSolveStates( friction, slips, equations, values, pivots, &size ) == false )
		{
			break;
		}
		double most = 0.0, apart = 0.0;
		for ( int k = 0, next = 0; k < friction->count; ++k )
		{
			bool open = friction->states[k] == pn_openPad;
			for ( int axis = 0; axis < 3; ++axis )
			{
				double now = open ? 0.0 : values[next + axis];
				apart = fmax( apart, fabs( now - friction->tractions[3 * k + axis] ) );
				most = fmax( most, fabs( now ) );
				friction->tractions[3 * k + axis] = now;
			}
			next += open ? 0 : 3;
		}
		settled = changed == 0 && apart <= pn_sameTraction * most;
	}
	pnGiveBack( &scratch );
	return settled;
}
