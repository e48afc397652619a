// lsq.c - least squares, as Chang and Zhang (2004) solve: column-scaled QR with pivots, or conjugate gradients as in the paper. Knows rows, not where they come from.
#include "lsq.h"

#include "../../base/scratch.h"

#include <cblas.h>
#include <lapacke.h>

// Columns that add less than this to what the others span mean nothing in double precision.
static const double pn_rankTolerance = 1e-13;

static size_t pnGetMatrixSize( const pnLsq* lsq )
{
	return (size_t)lsq->columns * (size_t)( lsq->isIterative ? lsq->columns : lsq->rowCount );
}

void pnDestroyLsq( pnLsq* lsq )
{
	pnFreeArray( double, lsq->matrix, pnGetMatrixSize( lsq ) );
	pnFreeArray( double, lsq->tau, lsq->columns );
	pnFreeArray( double, lsq->scale, lsq->columns );
	pnFreeArray( int32_t, lsq->pivots, lsq->columns );
	pnFreeArray( double, lsq->work, lsq->workCount );
	*lsq = (pnLsq){ 0 };
}

// What a row counts: displacements as they are, tractions times the spacing of the sources, both by the root of the area. Then the
// answer does not depend on the units.
static double pnGetRowWeight( const pnRows* rows, int q, int axis )
{
	const pnCollocationPoint* point = rows->points.points + q;
	return sqrt( point->w ) * ( rows->bounds[q].held >> axis & 1 ? 1.0 : point->s );
}

// Weighted rows of some collocation points, each contiguous.
static void pnFillWeighted( const pnRows* rows, int begin, int end, double* u, double* t )
{
	int columns = pnGetColumnCount( &rows->basis );
	pnFillBlock( rows, begin, end, false, u, t );
	for ( int q = begin; q < end; ++q )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			size_t offset = (size_t)( 3 * ( q - begin ) + axis ) * (size_t)columns;
			if ( ( rows->bounds[q].held >> axis & 1 ) == 0 )
			{
				memcpy( u + offset, t + offset, (size_t)columns * sizeof( double ) );
			}
			cblas_dscal( columns, pnGetRowWeight( rows, q, axis ), u + offset, 1 );
		}
	}
}

static void pnFactorPivoted( pnLsq* lsq )
{
	int n = lsq->columns, m = lsq->rowCount;
	for ( int c = 0; c < n; ++c )
	{
		double* column = lsq->matrix + (size_t)c * (size_t)m;
		double length = cblas_dnrm2( m, column, 1 );
		lsq->scale[c] = length > 0.0 ? 1.0 / length : 1.0;
		cblas_dscal( m, lsq->scale[c], column, 1 );
	}
	LAPACKE_dgeqp3_work( LAPACK_COL_MAJOR, m, n, lsq->matrix, m, lsq->pivots, lsq->tau, lsq->work, lsq->workCount );
	double first = fabs( lsq->matrix[0] );
	int most = m < n ? m : n;
	for ( lsq->rank = 0; lsq->rank < most; ++lsq->rank )
	{
		double pivot = fabs( lsq->matrix[(size_t)lsq->rank * (size_t)( m + 1 )] );
		if ( ( pivot > pn_rankTolerance * first ) == false )
		{
			break;
		}
		lsq->conditionNumber = first / pivot;
	}
}

pnResult pnFactorLsq( const pnRows* rows, bool isIterative, pnLsq* lsq )
{
	double start = pnNow();
	int columns = pnGetColumnCount( &rows->basis ), pointCount = rows->points.count;
	pnGauge gauge;
	pnFindGauge( rows, &gauge );
	*lsq = (pnLsq){ .isIterative = isIterative, .columns = columns, .rowCount = 3 * pointCount + gauge.count, .gauge = gauge };
	if ( lsq->rowCount < columns )
	{
		pnLog( "There are %d collocation points for %d virtual sources: least squares needs more of them than of sources.", pointCount, rows->basis.sourceCount );
		*lsq = (pnLsq){ 0 };
		return pn_invalidInput;
	}
	lsq->workCount = 64 * ( columns + 1 ) + 2 * columns;
	lsq->matrix = pnAllocArray( double, pnGetMatrixSize( lsq ) );
	lsq->tau = pnAllocArray( double, columns );
	lsq->scale = pnAllocArray( double, columns );
	lsq->pivots = pnAllocArray( int32_t, columns );
	lsq->work = pnAllocArray( double, lsq->workCount );
	size_t block = (size_t)( 3 * PN_BLOCK_POINTS ) * (size_t)columns;
	pnScratch scratch = { 0 };
	double* u = pnTakeRawArray( &scratch, double, block );
	double* t = pnTakeRawArray( &scratch, double, block );
	double* means = pnTakeArray( &scratch, double, 6 * (size_t)columns );
	bool taken = lsq->matrix != NULL && lsq->tau != NULL && lsq->scale != NULL && lsq->pivots != NULL && lsq->work != NULL && scratch.failed == false;
	bool givenUp = false;
	if ( taken )
	{
		pnFillGauge( rows, &gauge, u, means );
		for ( int begin = 0; begin < pointCount + PN_BLOCK_POINTS && givenUp == false; begin += PN_BLOCK_POINTS )
		{
			givenUp = rows->tick != NULL && rows->tick( 0.5 * begin / ( pointCount + PN_BLOCK_POINTS ), rows->tickContext ) == false;
			int end = begin + PN_BLOCK_POINTS < pointCount ? begin + PN_BLOCK_POINTS : pointCount;
			// Rows of collocation points; in the end those that keep the solid where it is
			bool last = begin >= pointCount;
			int first = last ? 3 * pointCount : 3 * begin, some = last ? gauge.count : 3 * ( end - begin );
			const double* from = last ? means : u;
			if ( last == false )
			{
				pnFillWeighted( rows, begin, end, u, t );
			}
			if ( isIterative && some > 0 )
			{
				cblas_dsyrk( CblasColMajor, CblasLower, CblasNoTrans, columns, some, 1.0, from, columns, 1.0, lsq->matrix, columns );
			}
			for ( int r = 0; r < some && isIterative == false; ++r )
			{
				cblas_dcopy( columns, from + (size_t)r * (size_t)columns, 1, lsq->matrix + first + r, lsq->rowCount );
			}
		}
		lsq->assembleSeconds = pnNow() - start;
		start = pnNow();
		if ( givenUp )
		{
			lsq->rank = 0;
		}
		else if ( isIterative )
		{
			lsq->rank = columns;
			for ( int c = 0; c < columns; ++c )
			{
				double square = lsq->matrix[(size_t)c * (size_t)( columns + 1 )];
				lsq->scale[c] = square > 0.0 ? 1.0 / sqrt( square ) : 1.0;
			}
			for ( int c = 0; c < columns; ++c )
			{
				for ( int r = c; r < columns; ++r )
				{
					lsq->matrix[(size_t)c * (size_t)columns + (size_t)r] *= lsq->scale[c] * lsq->scale[r];
				}
			}
		}
		else
		{
			pnFactorPivoted( lsq );
		}
		lsq->factorSeconds = pnNow() - start;
	}
	pnGiveBack( &scratch );
	if ( taken == false || givenUp )
	{
		pnDestroyLsq( lsq );
		return givenUp ? pn_givenUp : pn_outOfMemory;
	}
	return pn_success;
}

// Weighted right side of all rows, balanced.
static void pnFillRightSide( const pnRows* rows, const pnLsq* lsq, double* side )
{
	double balance[6];
	pnBalanceLoad( rows, &lsq->gauge, balance );
	for ( int q = 0; q < rows->points.count; ++q )
	{
		double value[3];
		pnGetBalanced( rows, &lsq->gauge, balance, q, value );
		for ( int axis = 0; axis < 3; ++axis )
		{
			side[3 * q + axis] = pnGetRowWeight( rows, q, axis ) * value[axis];
		}
	}
}

static bool pnIterate( const pnRows* rows, const pnLsq* lsq, const double* side, double* coefficients, pnLsqRun* run )
{
	int n = lsq->columns, pointCount = rows->points.count, most = 4 * n;
	size_t block = (size_t)( 3 * PN_BLOCK_POINTS ) * (size_t)n;
	pnScratch scratch = { 0 };
	double* u = pnTakeRawArray( &scratch, double, block );
	double* t = pnTakeRawArray( &scratch, double, block );
	double* rest = pnTakeArray( &scratch, double, n );
	double* way = pnTakeArray( &scratch, double, n );
	double* product = pnTakeArray( &scratch, double, n );
	double* alphas = pnTakeArray( &scratch, double, most + 1 ); // Lanczos: eigenvalues from the coefficients
	double* betas = pnTakeArray( &scratch, double, most + 1 );
	bool done = scratch.failed == false;
	if ( done )
	{
		for ( int begin = 0; begin < pointCount; begin += PN_BLOCK_POINTS )
		{
			int end = begin + PN_BLOCK_POINTS < pointCount ? begin + PN_BLOCK_POINTS : pointCount;
			pnFillWeighted( rows, begin, end, u, t );
			cblas_dgemv( CblasColMajor, CblasNoTrans, n, 3 * ( end - begin ), 1.0, u, n, side + 3 * begin, 1, 1.0, rest, 1 );
		}
		memset( coefficients, 0, (size_t)n * sizeof( double ) );
		for ( int c = 0; c < n; ++c )
		{
			rest[c] *= lsq->scale[c];
			way[c] = rest[c];
		}
		double square = cblas_ddot( n, rest, 1, rest, 1 ), goal = 1e-24 * square, lastAlpha = 1.0, lastBeta = 0.0;
		int i = 0;
		for ( ; i < most && square > goal; ++i )
		{
			cblas_dsymv( CblasColMajor, CblasLower, n, 1.0, lsq->matrix, n, way, 1, 0.0, product, 1 );
			double curvature = cblas_ddot( n, way, 1, product, 1 );
			if ( ( curvature > 0.0 ) == false )
			{
				break;
			}
			double alpha = square / curvature;
			cblas_daxpy( n, alpha, way, 1, coefficients, 1 );
			cblas_daxpy( n, -alpha, product, 1, rest, 1 );
			double next = cblas_ddot( n, rest, 1, rest, 1 ), beta = next / square;
			alphas[i] = 1.0 / alpha + lastBeta / lastAlpha;
			betas[i] = sqrt( beta ) / alpha;
			lastAlpha = alpha;
			lastBeta = beta;
			for ( int c = 0; c < n; ++c )
			{
				way[c] = rest[c] + beta * way[c];
			}
			square = next;
		}
		run->iterationCount = i;
		run->converged = square <= goal;
		if ( i > 0 && LAPACKE_dsterf_work( i, alphas, betas ) == 0 && alphas[0] > 0.0 )
		{
			run->conditionNumber = sqrt( alphas[i - 1] / alphas[0] );
		}
		for ( int c = 0; c < n; ++c )
		{
			coefficients[c] *= lsq->scale[c];
		}
	}
	pnGiveBack( &scratch );
	return done;
}

bool pnSolveLsq( const pnRows* rows, const pnLsq* lsq, double* coefficients, pnLsqRun* run )
{
	*run = (pnLsqRun){ .converged = true };
	int n = lsq->columns, m = lsq->rowCount;
	double* side = pnAllocArray( double, m );
	if ( side == NULL )
	{
		return false;
	}
	pnFillRightSide( rows, lsq, side );
	bool done = true;
	if ( lsq->isIterative )
	{
		done = pnIterate( rows, lsq, side, coefficients, run );
	}
	else
	{
		LAPACKE_dormqr_work( LAPACK_COL_MAJOR, 'L', 'T', m, 1, n, lsq->matrix, m, lsq->tau, side, m, lsq->work, lsq->workCount );
		LAPACKE_dtrtrs_work( LAPACK_COL_MAJOR, 'U', 'N', 'N', lsq->rank, 1, lsq->matrix, m, side, m );
		memset( coefficients, 0, (size_t)n * sizeof( double ) );
		for ( int k = 0; k < lsq->rank; ++k )
		{
			int c = lsq->pivots[k] - 1;
			coefficients[c] = lsq->scale[c] * side[k];
		}
	}
	pnFreeArray( double, side, m );
	return done;
}
