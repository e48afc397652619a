// energy.c - the coefficients that make the energy least. Knows rows, not where they come from.
//
// Of all sums of Kelvin fields, the one with the least of: strain energy, less the work of given tractions, with held displacements
// brought in by Nitsche's symmetric terms. Every field is in equilibrium inside, so the energy is an integral over the surface:
//   H = sym( sum over loaded axes of w U't T - sum over held axes of w U't T ) + gamma sum over held axes of w U't U
#include "energy.h"

#include "../base/scratch.h"
#include "blas.h"
#include "patches.h"

#include <lapacke.h>

// What a held displacement weighs, over the length of the finest fields. Less loses definiteness, more spoils tractions.
static const double pn_holdWeight = 10.0;
enum { PN_FEWEST_FOR_PATCHES = 500 }; // sources; below, patches that many sources are far from are hardly larger than the spacing
static const double pn_mostLeftOut = 0.03; // of the columns; more, and something else is wrong than a corner here and there

void pnDestroyEnergy( pnEnergy* energy )
{
	size_t columns = (size_t)energy->columns;
	if ( energy->processes != NULL )
	{
		energy->processes->release( energy->processes, energy );
	}
	pnFreeArray( double, energy->matrix, columns * columns );
	pnFreeArray( double, energy->diagonal, columns );
	pnFreeArray( double, energy->scale, columns );
	pnFreeArray( double, energy->gamma, energy->pointCount );
	*energy = (pnEnergy){ 0 };
}

// u t' in panels of columns: each is one call whoever makes it.
typedef struct pnProduct
{
	int columns, rowCount;
	const double* u;
	const double* t;
	double* matrix;
} pnProduct;

enum { PN_PANEL = 256 };

static void pnAddPanels( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnProduct* product = context;
	int columns = product->columns;
	for ( int panel = begin; panel < end; ++panel )
	{
		int first = panel * PN_PANEL, width = columns - first < PN_PANEL ? columns - first : PN_PANEL;
		cblas_dgemm( CblasColMajor, CblasNoTrans, CblasTrans, columns, width, product->rowCount, 1.0, product->u, columns, product->t + first, columns, 1.0,
					 product->matrix + (size_t)first * (size_t)columns, columns );
	}
}

// Adds some collocation points to the two parts of the matrix. u, t are overwritten; held has room for as many rows.
static void pnAddBlock( const pnRows* rows, const double* lengths, int begin, int end, double* u, double* t, double* held, double* free, double* fixed )
{
	int columns = pnGetColumnCount( &rows->basis ), heldRows = 0;
	size_t bytes = (size_t)columns * sizeof( double );
	bool anyHeld = false;
	for ( int q = begin; q < end; ++q )
	{
		anyHeld = anyHeld || rows->bounds[q].held != 0;
	}
	if ( anyHeld )
	{
		// What is held is held as it really moves: unmended rows.
		pnFillBlock( rows, begin, end, false, u, NULL );
		for ( int q = begin; q < end; ++q )
		{
			double root = sqrt( rows->points.points[q].w * pn_holdWeight / lengths[q] );
			for ( int axis = 0; axis < 3; ++axis )
			{
				if ( rows->bounds[q].held >> axis & 1 )
				{
					const double* from = u + (size_t)( 3 * ( q - begin ) + axis ) * (size_t)columns;
					double* to = held + (size_t)heldRows++ * (size_t)columns;
					memcpy( to, from, bytes );
					cblas_dscal( columns, root, to, 1 );
				}
			}
		}
		cblas_dsyrk( CblasColMajor, CblasLower, CblasNoTrans, columns, heldRows, 1.0, held, columns, 1.0, fixed, columns );
	}
	pnFillBlock( rows, begin, end, true, u, t );
	for ( int q = begin; q < end; ++q )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			double sign = rows->bounds[q].held >> axis & 1 ? -1.0 : 1.0;
			if ( rows->bounds[q].spring[axis] > 0.0 && sign > 0.0 )
			{
				size_t row = (size_t)( 3 * ( q - begin ) + axis ) * (size_t)columns;
				cblas_daxpy( columns, rows->bounds[q].spring[axis], u + row, 1, t + row, 1 );
			}
			cblas_dscal( columns, sign * rows->points.points[q].w, t + (size_t)( 3 * ( q - begin ) + axis ) * (size_t)columns, 1 );
		}
	}
	pnProduct product = { columns, 3 * ( end - begin ), u, t, free };
	pnParallelBlas( rows->tasks, pnAddPanels, ( columns + PN_PANEL - 1 ) / PN_PANEL, 1, &product );
}

// By patches of the surface: beyond some hundred sources most of them are far from most of it.
static pnResult pnAddPatches( const pnRows* rows, const double* holds, double* free, double* fixed )
{
	int n = rows->basis.sourceCount;
	pnPatches patches;
	int32_t* all = pnAllocArray( int32_t, n );
	pnResult result = all != NULL ? pnMakePatches( rows, holds, &patches ) : pn_outOfMemory;
	if ( result == pn_success )
	{
		for ( int p = 0; p < n; ++p )
		{
			all[p] = p;
		}
		pnPairs pairs = { .left = all, .right = all, .leftCount = n, .rightCount = n, .withOthers = true, .free = free, .fixed = fixed, .leading = (size_t)pnGetColumnCount( &rows->basis ) };
		bool givenUp;
		result = pnAddPairs( &patches, &pairs, rows->tasks, &givenUp ) ? pn_success : givenUp ? pn_givenUp : pn_outOfMemory;
		pnDestroyPatches( &patches );
	}
	pnFreeArray( int32_t, all, n );
	return result;
}

double pnGetEnergyScale( double diagonal, int other )
{
	double size = sqrt( fabs( diagonal ) );
	// Linear fields that hardly cost energy (rigid ones) are not blown up.
	double least = 0 <= other && other < PN_LINEAR_FIELDS ? 1e-2 : 0.0;
	size = size > least ? size : least;
	return size > 0.0 ? 1.0 / size : 1.0;
}

// free + weight * fixed, scaled to a unit diagonal, into energy->matrix: whole, so that the upper triangle outlives the factorisation.
static void pnCombine( pnEnergy* energy, const double* free, const double* fixed, double weight, const double* gauge, int firstLinear )
{
	size_t n = (size_t)energy->columns;
	double* h = energy->matrix;
	for ( size_t c = 0; c < n; ++c )
	{
		for ( size_t r = c; r < n; ++r )
		{
			double value = 0.5 * ( free[c * n + r] + free[r * n + c] ) + ( fixed != NULL ? weight * fixed[c * n + r] : 0.0 );
			h[c * n + r] = value;
		}
	}
	for ( size_t c = 0; c < n; ++c )
	{
		energy->scale[c] = pnGetEnergyScale( h[c * n + c], (int)c - firstLinear );
	}
	for ( int k = 0; k < energy->gauge.count; ++k )
	{
		const double* row = gauge + (size_t)k * n;
		double length2 = 0.0;
		for ( size_t c = 0; c < n; ++c )
		{
			length2 += row[c] * energy->scale[c] * row[c] * energy->scale[c];
		}
		// Heavier than the mean column: the gauge has nothing to compete with, so its weight changes no answer.
		cblas_dsyr( CblasColMajor, CblasLower, energy->columns, 1.0 / ( length2 > 0.0 ? length2 : 1.0 ), row, 1, h, energy->columns );
	}
	for ( size_t c = 0; c < n; ++c )
	{
		for ( size_t r = c; r < n; ++r )
		{
			h[c * n + r] *= energy->scale[c] * energy->scale[r];
			h[r * n + c] = h[c * n + r];
		}
		energy->diagonal[c] = h[c * n + c];
	}
}

// The lower triangle and the diagonal as they were before the last try, from the upper triangle.
static void pnRestore( pnEnergy* energy )
{
	enum { PN_TILE = 64 };
	size_t n = (size_t)energy->columns;
	double* h = energy->matrix;
	for ( size_t left = 0; left < n; left += PN_TILE )
	{
		for ( size_t top = left; top < n; top += PN_TILE )
		{
			for ( size_t c = left; c < n && c < left + PN_TILE; ++c )
			{
				for ( size_t r = top > c + 1 ? top : c + 1; r < n && r < top + PN_TILE; ++r )
				{
					h[c * n + r] = h[r * n + c];
				}
			}
		}
	}
	for ( size_t c = 0; c < n; ++c )
	{
		h[c * ( n + 1 )] = energy->diagonal[c];
	}
}

// A source at a fold of the surface, or in a corner that the collocation points do not resolve, has an energy that is none. Pivoted Cholesky takes
// the columns with the most energy first; those it comes to no good with in the end are left out: their coefficients are 0.
// Returns how many; -1: no memory.
static int pnLeaveOut( pnEnergy* energy, double least )
{
	int n = energy->columns, rank = 0;
	size_t square = (size_t)n * (size_t)n;
	pnScratch scratch = { 0 };
	double* copy = pnTakeRawArray( &scratch, double, square );
	double* work = pnTakeRawArray( &scratch, double, 2 * (size_t)n );
	lapack_int* order = pnTakeArray( &scratch, lapack_int, n );
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return -1;
	}
	pnRestore( energy );
	memcpy( copy, energy->matrix, square * sizeof( double ) );
	LAPACKE_dpstrf_work( LAPACK_COL_MAJOR, 'L', n, copy, n, order, &rank, least, work );
	for ( int k = rank; k < n; ++k )
	{
		size_t c = (size_t)( order[k] - 1 );
		for ( size_t r = 0; r < (size_t)n; ++r )
		{
			energy->matrix[c * (size_t)n + r] = energy->matrix[r * (size_t)n + c] = r == c ? 1.0 : 0.0;
		}
		energy->diagonal[c] = 1.0;
		energy->scale[c] = 0.0;
	}
	pnGiveBack( &scratch );
	return n - rank;
}

// If the matrix is not positive and leaving out a few columns does not help: held parts weigh more, then everything is stiffened a little, ever more.
static pnResult pnTryFactors( pnEnergy* energy, const double* free, const double* fixed, const double* gauge, int firstLinear, bool mayStiffen, bool mayLeaveOut )
{
	enum { PN_MOST_RETRIES = 15, PN_WEIGHT_RETRIES = 3 };
	int n = energy->columns;
	double weight = 1.0, shift = 1e-15 * n;
	pnScratch scratch = { 0 };
	double* work = pnTakeArray( &scratch, double, 3 * n );
	lapack_int* whole = pnTakeArray( &scratch, lapack_int, n );
	pnResult result = scratch.failed ? pn_outOfMemory : pn_success;
	for ( energy->retryCount = 0; result == pn_success; ++energy->retryCount )
	{
		int retry = energy->retryCount;
		int stiffening = mayLeaveOut && retry > 0 ? retry - 1 : retry;
		if ( mayLeaveOut && retry == 1 )
		{
			energy->leftOut = pnLeaveOut( energy, 100.0 * shift );
			if ( energy->leftOut < 0 )
			{
				result = pn_outOfMemory;
				break;
			}
		}
		else if ( stiffening == 0 || ( stiffening <= PN_WEIGHT_RETRIES && fixed != NULL ) || ( stiffening == 1 && mayLeaveOut ) )
		{
			weight = fixed != NULL ? (double)( 1 << stiffening ) : 1.0;
			pnCombine( energy, free, fixed, weight, gauge, firstLinear );
		}
		else
		{
			shift *= 10.0;
			pnRestore( energy );
		}
		double* h = energy->matrix;
		double norm = LAPACKE_dlansy_work( LAPACK_COL_MAJOR, '1', 'L', n, h, n, work );
		for ( int c = 0; c < n; ++c )
		{
			h[(size_t)c * (size_t)( n + 1 )] += shift;
		}
		bool few = mayLeaveOut == false || retry != 1 || energy->leftOut <= pn_mostLeftOut * n;
		if ( few && LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', n, h, n ) == 0 )
		{
			energy->leftOut = mayLeaveOut && retry == 1 ? energy->leftOut : 0;
			double inverse = 0.0;
			LAPACKE_dpocon_work( LAPACK_COL_MAJOR, 'L', n, h, n, norm, &inverse, work, whole );
			energy->conditionNumber = inverse > 0.0 ? 1.0 / inverse : 1e300;
			break;
		}
		if ( mayStiffen == false )
		{
			result = pn_invalidInput;
		}
		else if ( retry == PN_MOST_RETRIES )
		{
			pnLog( "The equations could not be solved: there are too few collocation points on the surface for the virtual sources, or its normals are wrong." );
			result = pn_invalidInput;
		}
	}
	for ( int q = 0; q < energy->pointCount; ++q )
	{
		energy->gamma[q] *= weight;
	}
	// Leaving out counts as help only if it helped.
	energy->retryCount -= mayLeaveOut && energy->retryCount > 1;
	pnGiveBack( &scratch );
	return result;
}

// The same on several processes: none has more than its part of the matrix.
static pnResult pnFactorSpread( const pnRows* rows, const double* lengths, bool mayStiffen, pnEnergy* energy )
{
	int columns = pnGetColumnCount( &rows->basis ), pointCount = rows->points.count;
	*energy = (pnEnergy){ .columns = columns, .pointCount = pointCount, .sourceCount = rows->basis.sourceCount, .processes = rows->processes };
	energy->scale = pnAllocArray( double, columns );
	energy->diagonal = pnAllocArray( double, columns );
	energy->gamma = pnAllocArray( double, pointCount );
	pnScratch scratch = { 0 };
	double* u = pnTakeRawArray( &scratch, double, 3 * (size_t)columns );
	double* gauge = pnTakeArray( &scratch, double, 6 * (size_t)columns );
	double* holds = pnTakeArray( &scratch, double, pointCount );
	pnResult result = energy->scale != NULL && energy->diagonal != NULL && energy->gamma != NULL && scratch.failed == false ? pn_success : pn_outOfMemory;
	if ( result == pn_success )
	{
		for ( int q = 0; q < pointCount; ++q )
		{
			energy->gamma[q] = pn_holdWeight / lengths[q];
			holds[q] = energy->gamma[q] * rows->points.points[q].w;
		}
		pnFindGauge( rows, &energy->gauge );
		if ( energy->gauge.count > 0 )
		{
			pnFillGauge( rows, &energy->gauge, u, gauge );
		}
		result = rows->processes->factor( rows->processes, rows, holds, gauge, mayStiffen, energy );
	}
	pnGiveBack( &scratch );
	if ( result != pn_success )
	{
		pnDestroyEnergy( energy );
	}
	return result;
}

pnResult pnFactorEnergy( const pnRows* rows, const double* lengths, bool mayStiffen, bool mayLeaveOut, pnEnergy* energy )
{
	if ( rows->processes != NULL && rows->basis.sourceCount >= PN_FEWEST_FOR_PATCHES )
	{
		return pnFactorSpread( rows, lengths, mayStiffen, energy );
	}
	double start = pnNow();
	int columns = pnGetColumnCount( &rows->basis ), pointCount = rows->points.count;
	size_t square = (size_t)columns * (size_t)columns, block = (size_t)( 3 * PN_BLOCK_POINTS ) * (size_t)columns;
	*energy = (pnEnergy){ .columns = columns, .pointCount = pointCount };
	energy->matrix = pnAllocRaw( square, sizeof( double ) );
	energy->diagonal = pnAllocArray( double, columns );
	energy->scale = pnAllocArray( double, columns );
	energy->gamma = pnAllocArray( double, pointCount );
	bool anyHeld = false;
	for ( int q = 0; q < pointCount; ++q )
	{
		anyHeld = anyHeld || rows->bounds[q].held != 0;
	}
	pnScratch scratch = { 0 };
	double* free = pnTakeArray( &scratch, double, square );
	double* fixed = anyHeld ? pnTakeArray( &scratch, double, square ) : NULL;
	double* u = pnTakeRawArray( &scratch, double, block );
	double* t = pnTakeRawArray( &scratch, double, block );
	double* held = anyHeld ? pnTakeRawArray( &scratch, double, block ) : NULL;
	double* gauge = pnTakeArray( &scratch, double, 6 * (size_t)columns );
	bool taken = energy->matrix != NULL && energy->diagonal != NULL && energy->scale != NULL && energy->gamma != NULL && scratch.failed == false;
	pnResult result = taken ? pn_success : pn_outOfMemory;
	if ( taken )
	{
		bool inPatches = rows->basis.sourceCount >= PN_FEWEST_FOR_PATCHES;
		for ( int q = 0; q < pointCount; ++q )
		{
			energy->gamma[q] = pn_holdWeight / lengths[q] * rows->points.points[q].w;
		}
		result = inPatches ? pnAddPatches( rows, energy->gamma, free, fixed ) : pn_success;
		for ( int begin = 0; begin < pointCount && result == pn_success && inPatches == false; begin += PN_BLOCK_POINTS )
		{
			int end = begin + PN_BLOCK_POINTS < pointCount ? begin + PN_BLOCK_POINTS : pointCount;
			result = rows->tick == NULL || rows->tick( (double)begin / pointCount, rows->tickContext ) ? pn_success : pn_givenUp;
			pnAddBlock( rows, lengths, begin, end, u, t, held, free, fixed );
		}
		for ( int q = 0; q < pointCount; ++q )
		{
			energy->gamma[q] = pn_holdWeight / lengths[q];
		}
		pnFindGauge( rows, &energy->gauge );
		if ( energy->gauge.count > 0 )
		{
			pnFillGauge( rows, &energy->gauge, u, gauge );
		}
		energy->assembleSeconds = pnNow() - start;
		start = pnNow();
		result = result == pn_success ? pnTryFactors( energy, free, fixed, gauge, 3 * rows->basis.sourceCount, mayStiffen, mayStiffen && mayLeaveOut ) : result;
		energy->factorSeconds = pnNow() - start;
	}
	pnGiveBack( &scratch );
	if ( result != pn_success )
	{
		pnDestroyEnergy( energy );
	}
	return result;
}

bool pnLoadEnergy( const pnRows* rows, const pnEnergy* energy, double* load )
{
	enum { PN_BLOCK_ROWS = 3 * PN_BLOCK_POINTS };
	int columns = energy->columns, pointCount = rows->points.count;
	pnScratch scratch = { 0 };
	double* u = pnTakeRawArray( &scratch, double, PN_BLOCK_ROWS * (size_t)columns );
	double* t = pnTakeRawArray( &scratch, double, PN_BLOCK_ROWS * (size_t)columns );
	bool done = scratch.failed == false;
	double balance[6];
	pnBalanceLoad( rows, &energy->gauge, balance );
	memset( load, 0, (size_t)columns * sizeof( double ) );
	for ( int begin = 0; begin < pointCount && done; begin += PN_BLOCK_POINTS )
	{
		int end = begin + PN_BLOCK_POINTS < pointCount ? begin + PN_BLOCK_POINTS : pointCount, some = 3 * ( end - begin );
		double works[PN_BLOCK_ROWS], reactions[PN_BLOCK_ROWS], holds[PN_BLOCK_ROWS];
		bool anyWork = false, anyHold = false;
		for ( int q = begin; q < end; ++q )
		{
			double value[3];
			pnGetBalanced( rows, &energy->gauge, balance, q, value );
			for ( int axis = 0; axis < 3; ++axis )
			{
				int row = 3 * ( q - begin ) + axis;
				double amount = rows->points.points[q].w * value[axis];
				bool held = rows->bounds[q].held >> axis & 1;
				works[row] = held ? 0.0 : amount;
				reactions[row] = held ? -amount : 0.0;
				holds[row] = held ? amount * energy->gamma[q] : 0.0;
				anyWork = anyWork || works[row] != 0.0;
				anyHold = anyHold || holds[row] != 0.0;
			}
		}
		if ( anyWork || anyHold )
		{
			pnFillBlock( rows, begin, end, true, u, anyHold ? t : NULL );
			cblas_dgemv( CblasColMajor, CblasNoTrans, columns, some, 1.0, u, columns, works, 1, 1.0, load, 1 );
		}
		if ( anyHold )
		{
			cblas_dgemv( CblasColMajor, CblasNoTrans, columns, some, 1.0, t, columns, reactions, 1, 1.0, load, 1 );
			pnFillBlock( rows, begin, end, false, u, NULL );
			cblas_dgemv( CblasColMajor, CblasNoTrans, columns, some, 1.0, u, columns, holds, 1, 1.0, load, 1 );
		}
	}
	pnGiveBack( &scratch );
	return done;
}

void pnSolveEnergy( const pnEnergy* energy, double* load, double* work )
{
	int n = energy->columns;
	double *answer = work, *rest = work + n;
	for ( int c = 0; c < n; ++c )
	{
		load[c] *= energy->scale[c];
	}
	if ( energy->processes != NULL )
	{
		energy->processes->solve( energy->processes, energy, load, 1, 2, false );
		for ( int c = 0; c < n; ++c )
		{
			load[c] *= energy->scale[c];
		}
		return;
	}
	memcpy( answer, load, (size_t)n * sizeof( double ) );
	LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', n, 1, energy->matrix, n, answer, n );
	// Two steps of refinement, with the matrix as it was before the shift: above the diagonal it is still there.
	for ( int step = 0; step < 2; ++step )
	{
		memcpy( rest, load, (size_t)n * sizeof( double ) );
		cblas_dsymv( CblasColMajor, CblasUpper, n, -1.0, energy->matrix, n, answer, 1, 1.0, rest, 1 );
		for ( int c = 0; c < n; ++c )
		{
			rest[c] -= ( energy->diagonal[c] - energy->matrix[(size_t)c * (size_t)( n + 1 )] ) * answer[c];
		}
		LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', n, 1, energy->matrix, n, rest, n );
		cblas_daxpy( n, 1.0, rest, 1, answer, 1 );
	}
	for ( int c = 0; c < n; ++c )
	{
		load[c] = energy->scale[c] * answer[c];
	}
}

typedef struct pnHalfSolve
{
	const pnEnergy* energy;
	double* loads;
	int count;
} pnHalfSolve;

enum { PN_SIDES = 96 }; // right sides that go together

static void pnHalfSolveSome( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnHalfSolve* solve = context;
	int n = solve->energy->columns;
	for ( int panel = begin; panel < end; ++panel )
	{
		int first = panel * PN_SIDES, width = solve->count - first < PN_SIDES ? solve->count - first : PN_SIDES;
		double* some = solve->loads + (size_t)first * (size_t)n;
		for ( int k = 0; k < width; ++k )
		{
			for ( int c = 0; c < n; ++c )
			{
				some[(size_t)k * (size_t)n + (size_t)c] *= solve->energy->scale[c];
			}
		}
		if ( solve->energy->processes != NULL )
		{
			continue;
		}
		cblas_dtrsm( CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, width, 1.0, solve->energy->matrix, n, some, n );
	}
}

void pnHalfSolveEnergies( const pnEnergy* energy, double* loads, int count, pnTasks* tasks )
{
	pnHalfSolve solve = { energy, loads, count };
	pnParallelBlas( tasks, pnHalfSolveSome, ( count + PN_SIDES - 1 ) / PN_SIDES, 1, &solve );
	if ( energy->processes != NULL )
	{
		energy->processes->solve( energy->processes, energy, loads, count, 0, true );
	}
}

void pnSolveEnergies( const pnEnergy* energy, double* loads, int count )
{
	int n = energy->columns;
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int k = 0; k < count; ++k )
		{
			for ( int c = 0; c < n; ++c )
			{
				loads[(size_t)k * (size_t)n + (size_t)c] *= energy->scale[c];
			}
		}
		if ( pass == 0 && energy->processes != NULL )
		{
			energy->processes->solve( energy->processes, energy, loads, count, 0, false );
		}
		else if ( pass == 0 )
		{
			LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', n, count, energy->matrix, n, loads, n );
		}
	}
}
