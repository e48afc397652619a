// gauge.c - rigid motions that nothing resists. Knows no solver.
#include "gauge.h"

#include "../base/core.h"

#include <cblas.h>
#include <lapacke.h>

// The first six linear fields are the rigid motions.
static pnVec3d pnGetRigid( int field, pnVec3d place )
{
	pnVec3d v;
	double stress[6];
	pnGetLinearField( field, 0.25, place, &v, stress );
	return v;
}

static pnVec3d pnGetMotion( const pnGauge* gauge, int mode, pnVec3d place )
{
	pnVec3d sum = { 0.0, 0.0, 0.0 };
	for ( int f = 0; f < 6; ++f )
	{
		sum = pnMulAddD( sum, gauge->modes[mode][f], pnGetRigid( f, place ) );
	}
	return sum;
}

void pnFindGauge( const pnRows* rows, pnGauge* gauge )
{
	// Null vectors of the Gram matrix of the held parts of the six
	double gram[36] = { 0.0 }, values[6], work[64], whole = 0.0;
	gauge->count = 0;
	for ( int q = 0; q < rows->points.count; ++q )
	{
		const pnCollocationPoint* point = rows->points.points + q;
		pnVec3d axes[3];
		pnGetAxes( rows->points.points + q, rows->bounds + q, axes );
		whole += point->w;
		for ( int axis = 0; axis < 3; ++axis )
		{
			if ( ( rows->bounds[q].held >> axis & 1 ) == 0 && rows->bounds[q].spring[axis] == 0.0 )
			{
				continue;
			}
			double along[6];
			for ( int f = 0; f < 6; ++f )
			{
				along[f] = pnDotD( pnGetRigid( f, point->x ), axes[axis] );
			}
			for ( int a = 0; a < 6; ++a )
			{
				for ( int b = 0; b < 6; ++b )
				{
					gram[6 * a + b] += point->w * along[a] * along[b];
				}
			}
		}
	}
	if ( LAPACKE_dsyev_work( LAPACK_COL_MAJOR, 'V', 'L', 6, gram, 6, values, work, 64 ) != 0 )
	{
		return;
	}
	for ( int k = 0; k < 6; ++k )
	{
		if ( values[k] < 1e-7 * whole )
		{
			memcpy( gauge->modes[gauge->count++], gram + 6 * k, 6 * sizeof( double ) );
		}
	}
}

void pnFillGauge( const pnRows* rows, const pnGauge* gauge, double* block, double* means )
{
	int columns = pnGetColumnCount( &rows->basis );
	memset( means, 0, (size_t)gauge->count * (size_t)columns * sizeof( double ) );
	for ( int q = 0; q < rows->points.count && gauge->count > 0; ++q )
	{
		const pnCollocationPoint* point = rows->points.points + q;
		pnFillRows( &rows->basis, point->x, point->n, block, NULL );
		for ( int k = 0; k < gauge->count; ++k )
		{
			pnVec3d v = pnScaleD( point->w, pnGetMotion( gauge, k, point->x ) );
			double* to = means + (size_t)k * (size_t)columns;
			cblas_daxpy( columns, v.x, block, 1, to, 1 );
			cblas_daxpy( columns, v.y, block + columns, 1, to, 1 );
			cblas_daxpy( columns, v.z, block + 2 * columns, 1, to, 1 );
		}
	}
}

void pnBalanceLoad( const pnRows* rows, const pnGauge* gauge, double balance[6] )
{
	double gram[36] = { 0.0 };
	int count = gauge->count;
	memset( balance, 0, 6 * sizeof( double ) );
	for ( int q = 0; q < rows->points.count && count > 0; ++q )
	{
		const pnCollocationPoint* point = rows->points.points + q;
		const pnBound* bound = rows->bounds + q;
		pnVec3d axes[3], motions[6];
		pnGetAxes( rows->points.points + q, rows->bounds + q, axes );
		for ( int a = 0; a < count; ++a )
		{
			motions[a] = pnGetMotion( gauge, a, point->x );
			for ( int axis = 0; axis < 3; ++axis )
			{
				balance[a] += bound->held >> axis & 1 ? 0.0 : point->w * bound->value[axis] * pnDotD( motions[a], axes[axis] );
			}
		}
		for ( int a = 0; a < count; ++a )
		{
			for ( int b = 0; b < count; ++b )
			{
				gram[count * a + b] += point->w * pnDotD( motions[a], motions[b] );
			}
		}
	}
	if ( count > 0 && ( LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', count, gram, count ) != 0 ||
						LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', count, 1, gram, count, balance, 6 ) != 0 ) )
	{
		memset( balance, 0, 6 * sizeof( double ) );
	}
}

void pnGetBalanced( const pnRows* rows, const pnGauge* gauge, const double balance[6], int q, double value[3] )
{
	const pnBound* bound = rows->bounds + q;
	memcpy( value, bound->value, 3 * sizeof( double ) );
	if ( gauge->count == 0 )
	{
		return;
	}
	pnVec3d axes[3];
	pnGetAxes( rows->points.points + q, rows->bounds + q, axes );
	for ( int a = 0; a < gauge->count; ++a )
	{
		pnVec3d v = pnGetMotion( gauge, a, rows->points.points[q].x );
		for ( int axis = 0; axis < 3; ++axis )
		{
			value[axis] -= bound->held >> axis & 1 ? 0.0 : balance[a] * pnDotD( v, axes[axis] );
		}
	}
}
