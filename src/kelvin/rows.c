// rows.c - the matrices, some collocation points at a time, and their mends. Knows no solver.
#include "rows.h"

#include "../base/cloud.h"

#include <cblas.h>
#include <lapacke.h>

static const double pn_exactEnough = 0.01; // of the energy of a polynomial: what sums over the collocation points may miss

void pnDestroyMends( pnMends* mends )
{
	size_t slots = (size_t)mends->sourceCount * PN_MENDED_POINTS;
	pnFreeArray( int32_t, mends->points, slots );
	pnFreeArray( double, mends->u, slots * 9 );
	pnFreeArray( double, mends->t, slots * 9 );
	pnFreeArray( int32_t, mends->starts, mends->pointCount + 1 );
	pnFreeArray( int32_t, mends->entries, slots );
	*mends = (pnMends){ 0 };
}

// Column of a mended source under a load along an axis; a hollow counts as a source after the others, with one load.
static int pnGetMendedColumn( const pnBasis* basis, int p, int load )
{
	int n = basis->sourceCount;
	return p < n ? load * n + p : 3 * n + PN_LINEAR_FIELDS + p - n;
}

static int pnGetLoadCount( const pnBasis* basis, int p )
{
	return p < basis->sourceCount ? 3 : 1;
}

// ---- filling ----

typedef struct pnFilling
{
	const pnRows* rows;
	int begin;
	bool mended;
	double* u;
	double* t;
} pnFilling;

static void pnAddMends( const pnRows* rows, int point, double* u, double* t )
{
	const pnMends* mends = &rows->mends;
	int columns = pnGetColumnCount( &rows->basis );
	for ( int e = mends->starts[point]; e < mends->starts[point + 1]; ++e )
	{
		int p = mends->entries[e] / PN_MENDED_POINTS, k = mends->entries[e] % PN_MENDED_POINTS;
		for ( int load = 0; load < pnGetLoadCount( &rows->basis, p ); ++load )
		{
			size_t slot = ( (size_t)( p * 3 + load ) * PN_MENDED_POINTS + (size_t)k ) * 3;
			for ( int axis = 0; axis < 3; ++axis )
			{
				size_t place = (size_t)axis * (size_t)columns + (size_t)pnGetMendedColumn( &rows->basis, p, load );
				if ( u != NULL )
				{
					u[place] += mends->u[slot + (size_t)axis];
				}
				if ( t != NULL )
				{
					t[place] += mends->t[slot + (size_t)axis];
				}
			}
		}
	}
}

void pnAddCurvedMends( const pnRows* rows, int point, int columns, double* u, double* t )
{
	const pnCollocationPoint* at = rows->points.points + point;
	int first = columns - PN_POLYNOMIALS;
	for ( int k = 0; k < PN_LINEAR_FIELDS; ++k )
	{
		pnVec3d v;
		double stress[6];
		pnGetLinearField( k, rows->basis.poissonRatio, at->x, &v, stress );
		pnVec3d traction = pnStressTimes( stress, at->n );
		double tractions[3] = { traction.x, traction.y, traction.z }, displacements[3] = { v.x, v.y, v.z };
		for ( int axis = 0; axis < 3; ++axis )
		{
			for ( int f = 0; f < PN_POLYNOMIALS; ++f )
			{
				double amount = rows->mends.curved[f * PN_LINEAR_FIELDS + k];
				if ( u != NULL )
				{
					u[axis * columns + first + f] += amount * tractions[axis];
				}
				if ( t != NULL )
				{
					t[axis * columns + first + f] -= amount * displacements[axis];
				}
			}
		}
	}
}

static void pnTurnRows( double* rows, int columns, pnVec3d n, pnVec3d s, pnVec3d t )
{
	double *x = rows, *y = rows + columns, *z = rows + 2 * columns;
	for ( int c = 0; c < columns; ++c )
	{
		double a = x[c], b = y[c], d = z[c];
		x[c] = n.x * a + n.y * b + n.z * d;
		y[c] = s.x * a + s.y * b + s.z * d;
		z[c] = t.x * a + t.y * b + t.z * d;
	}
}

static void pnFillSome( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnFilling* filling = context;
	const pnRows* rows = filling->rows;
	int columns = pnGetColumnCount( &rows->basis );
	for ( int i = begin; i < end; ++i )
	{
		int q = filling->begin + i;
		const pnCollocationPoint* point = rows->points.points + q;
		size_t offset = (size_t)i * 3 * (size_t)columns;
		double* u = filling->u != NULL ? filling->u + offset : NULL;
		double* t = filling->t != NULL ? filling->t + offset : NULL;
		pnFillRows( &rows->basis, point->x, point->n, u, t );
		if ( filling->mended && rows->mends.starts != NULL )
		{
			pnAddMends( rows, q, u, t );
			if ( rows->basis.curved )
			{
				pnAddCurvedMends( rows, q, columns, u, t );
			}
		}
		if ( rows->bounds[q].framed )
		{
			pnVec3d a, b;
			pnMakeFrameD( point->n, &a, &b );
			if ( u != NULL )
			{
				pnTurnRows( u, columns, point->n, a, b );
			}
			if ( t != NULL )
			{
				pnTurnRows( t, columns, point->n, a, b );
			}
		}
	}
}

void pnFillBlock( const pnRows* rows, int begin, int end, bool mended, double* u, double* t )
{
	pnFilling filling = { rows, begin, mended, u, t };
	pnParallelFor( rows->tasks, pnFillSome, end - begin, 8, &filling );
}

void pnSumMends( const pnRows* rows, int point, const double* coefficients, double u[3], double t[3] )
{
	const pnMends* mends = &rows->mends;
	for ( int axis = 0; axis < 3; ++axis )
	{
		u[axis] = t[axis] = 0.0;
	}
	for ( int e = mends->starts != NULL ? mends->starts[point] : 0; e < ( mends->starts != NULL ? mends->starts[point + 1] : 0 ); ++e )
	{
		int p = mends->entries[e] / PN_MENDED_POINTS, k = mends->entries[e] % PN_MENDED_POINTS;
		for ( int load = 0; load < pnGetLoadCount( &rows->basis, p ); ++load )
		{
			size_t slot = ( (size_t)( p * 3 + load ) * PN_MENDED_POINTS + (size_t)k ) * 3;
			double coefficient = coefficients[pnGetMendedColumn( &rows->basis, p, load )];
			for ( int axis = 0; axis < 3; ++axis )
			{
				u[axis] += coefficient * mends->u[slot + (size_t)axis];
				t[axis] += coefficient * mends->t[slot + (size_t)axis];
			}
		}
	}
	const pnCollocationPoint* at = rows->points.points + point;
	const double* curved = coefficients + pnGetColumnCount( &rows->basis ) - PN_POLYNOMIALS;
	for ( int k = 0; k < PN_LINEAR_FIELDS && rows->basis.curved && mends->starts != NULL; ++k )
	{
		double amount = 0.0;
		for ( int f = 0; f < PN_POLYNOMIALS; ++f )
		{
			amount += curved[f] * mends->curved[f * PN_LINEAR_FIELDS + k];
		}
		pnVec3d v;
		double stress[6];
		pnGetLinearField( k, rows->basis.poissonRatio, at->x, &v, stress );
		pnVec3d traction = pnStressTimes( stress, at->n );
		double tractions[3] = { traction.x, traction.y, traction.z }, displacements[3] = { v.x, v.y, v.z };
		for ( int axis = 0; axis < 3; ++axis )
		{
			u[axis] += amount * tractions[axis];
			t[axis] -= amount * displacements[axis];
		}
	}
}

// ---- mending ----

// Misfit of Betti's theorem between every column and every linear field: misfits[field * columns + column].
static bool pnFindMisfits( const pnRows* rows, double* misfits )
{
	int columns = pnGetColumnCount( &rows->basis ), blockRows = 3 * PN_BLOCK_POINTS;
	pnScratch scratch = { 0 };
	double* u = pnTakeRawArray( &scratch, double, (size_t)blockRows * (size_t)columns );
	double* t = pnTakeRawArray( &scratch, double, (size_t)blockRows * (size_t)columns );
	double* fieldU = pnTakeRawArray( &scratch, double, blockRows * PN_LINEAR_FIELDS ); // row r, field f: [f * blockRows + r]
	double* fieldT = pnTakeRawArray( &scratch, double, blockRows * PN_LINEAR_FIELDS );
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return false;
	}
	memset( misfits, 0, (size_t)columns * PN_LINEAR_FIELDS * sizeof( double ) );
	for ( int begin = 0; begin < rows->points.count; begin += PN_BLOCK_POINTS )
	{
		int end = begin + PN_BLOCK_POINTS < rows->points.count ? begin + PN_BLOCK_POINTS : rows->points.count;
		pnFillBlock( rows, begin, end, false, u, t );
		for ( int i = 0; i < end - begin; ++i )
		{
			const pnCollocationPoint* point = rows->points.points + begin + i;
			pnVec3d axes[3];
			pnGetAxes( point, rows->bounds + begin + i, axes );
			for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
			{
				pnVec3d v;
				double stress[6];
				pnGetLinearField( f, rows->basis.poissonRatio, point->x, &v, stress );
				pnVec3d traction = pnStressTimes( stress, point->n );
				double* toU = fieldU + f * blockRows + 3 * i;
				double* toT = fieldT + f * blockRows + 3 * i;
				for ( int axis = 0; axis < 3; ++axis )
				{
					toU[axis] = -point->w * pnDotD( v, axes[axis] );
					toT[axis] = point->w * pnDotD( traction, axes[axis] );
				}
			}
		}
		int some = 3 * ( end - begin );
		cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, columns, PN_LINEAR_FIELDS, some, 1.0, u, columns, fieldT, blockRows, 1.0, misfits, columns );
		cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, columns, PN_LINEAR_FIELDS, some, 1.0, t, columns, fieldU, blockRows, 1.0, misfits, columns );
	}
	pnGiveBack( &scratch );
	return true;
}

// The smallest change at the nearest collocation points that takes the misfits of one source away.
static void pnMendSource( const pnRows* rows, int p, const int32_t* near, const double* distances2, int nearCount, const double* misfits, pnMends* mends )
{
	int columns = pnGetColumnCount( &rows->basis ), loadCount = pnGetLoadCount( &rows->basis, p );
	double nu = rows->basis.poissonRatio;
	pnVec3d origin = rows->points.points[near[0]].x;
	double length = sqrt( distances2[nearCount - 1] );
	// Columns: unknowns (change of the displacement / length, then of the traction, times the area); rows: fields.
	double equations[6 * PN_MENDED_POINTS][PN_LINEAR_FIELDS] = { 0 }, weights[PN_MENDED_POINTS];
	for ( int k = 0; k < nearCount; ++k )
	{
		const pnCollocationPoint* point = rows->points.points + near[k];
		weights[k] = distances2[0] / distances2[k];
		pnVec3d local = pnScaleD( 1.0 / length, pnSubD( point->x, origin ) );
		for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
		{
			pnVec3d v;
			double stress[6];
			pnGetLinearField( f, nu, local, &v, stress );
			pnVec3d traction = pnStressTimes( stress, point->n );
			double tractions[3] = { traction.x, traction.y, traction.z }, displacements[3] = { v.x, v.y, v.z };
			for ( int axis = 0; axis < 3; ++axis )
			{
				equations[3 * k + axis][f] = weights[k] * tractions[axis];
				equations[3 * ( PN_MENDED_POINTS + k ) + axis][f] = -weights[k] * displacements[axis];
			}
		}
	}
	double matrix[PN_LINEAR_FIELDS * PN_LINEAR_FIELDS], wanted[3 * PN_LINEAR_FIELDS];
	cblas_dsyrk( CblasColMajor, CblasLower, CblasNoTrans, PN_LINEAR_FIELDS, 6 * PN_MENDED_POINTS, 1.0, &equations[0][0], PN_LINEAR_FIELDS, 0.0, matrix, PN_LINEAR_FIELDS );
	for ( int load = 0; load < loadCount; ++load )
	{
		const double* source = misfits + pnGetMendedColumn( &rows->basis, p, load );
		for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
		{
			double misfit = source[(size_t)f * (size_t)columns];
			if ( f >= 3 )
			{
				// About the origin of the near collocation points: a linear field there is one here and a translation.
				pnVec3d v;
				double stress[6];
				pnGetLinearField( f, nu, origin, &v, stress );
				misfit -= v.x * source[0] + v.y * source[columns] + v.z * source[2 * (size_t)columns];
				misfit /= length;
			}
			wanted[load * PN_LINEAR_FIELDS + f] = -misfit;
		}
	}
	double trace = 0.0;
	for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
	{
		trace += matrix[f * ( PN_LINEAR_FIELDS + 1 )];
	}
	for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
	{
		// Collocation points in one line leave some fields undetermined; they stay unmended then, instead of blown up.
		matrix[f * ( PN_LINEAR_FIELDS + 1 )] += 1e-14 * trace;
	}
	if ( LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', PN_LINEAR_FIELDS, matrix, PN_LINEAR_FIELDS ) != 0 ||
		 LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', PN_LINEAR_FIELDS, loadCount, matrix, PN_LINEAR_FIELDS, wanted, PN_LINEAR_FIELDS ) != 0 )
	{
		return;
	}
	for ( int load = 0; load < loadCount; ++load )
	{
		for ( int k = 0; k < nearCount; ++k )
		{
			size_t slot = ( (size_t)( p * 3 + load ) * PN_MENDED_POINTS + (size_t)k ) * 3;
			double scale = weights[k] / rows->points.points[near[k]].w;
			for ( int axis = 0; axis < 3; ++axis )
			{
				double u = 0.0, t = 0.0;
				for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
				{
					u += equations[3 * k + axis][f] * wanted[load * PN_LINEAR_FIELDS + f];
					t += equations[3 * ( PN_MENDED_POINTS + k ) + axis][f] * wanted[load * PN_LINEAR_FIELDS + f];
				}
				mends->u[slot + (size_t)axis] = scale * length * u;
				mends->t[slot + (size_t)axis] = scale * t;
			}
		}
	}
}

// The smallest change of the polynomials' rows, everywhere, that takes their misfits with the linear fields away.
static void pnMendPolynomials( const pnRows* rows, const double* misfits, pnMends* mends )
{
	int columns = pnGetColumnCount( &rows->basis ), first = columns - PN_POLYNOMIALS;
	double gram[PN_LINEAR_FIELDS * PN_LINEAR_FIELDS] = { 0.0 };
	for ( int q = 0; q < rows->points.count; ++q )
	{
		const pnCollocationPoint* point = rows->points.points + q;
		pnVec3d u[PN_LINEAR_FIELDS], t[PN_LINEAR_FIELDS];
		for ( int k = 0; k < PN_LINEAR_FIELDS; ++k )
		{
			double stress[6];
			pnGetLinearField( k, rows->basis.poissonRatio, point->x, u + k, stress );
			t[k] = pnStressTimes( stress, point->n );
			for ( int l = 0; l <= k; ++l )
			{
				gram[l * PN_LINEAR_FIELDS + k] += point->w * ( pnDotD( u[k], u[l] ) + pnDotD( t[k], t[l] ) );
			}
		}
	}
	for ( int f = 0; f < PN_POLYNOMIALS; ++f )
	{
		for ( int k = 0; k < PN_LINEAR_FIELDS; ++k )
		{
			mends->curved[f * PN_LINEAR_FIELDS + k] = -misfits[(size_t)k * (size_t)columns + (size_t)( first + f )];
		}
	}
	if ( LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', PN_LINEAR_FIELDS, gram, PN_LINEAR_FIELDS ) != 0 ||
		 LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', PN_LINEAR_FIELDS, PN_POLYNOMIALS, gram, PN_LINEAR_FIELDS, mends->curved, PN_LINEAR_FIELDS ) != 0 )
	{
		memset( mends->curved, 0, sizeof( mends->curved ) );
	}
}

bool pnCanCurve( const pnCollocationPoints* points, double poissonRatio, bool* outOfMemory )
{
	enum { n = PN_POLYNOMIALS, PN_ROWS = 3 * PN_BLOCK_POINTS };
	pnScratch scratch = { 0 };
	double* u = pnTakeRawArray( &scratch, double, PN_ROWS * n ); // row r, field f: [r * n + f]
	double* t = pnTakeRawArray( &scratch, double, PN_ROWS * n );
	*outOfMemory = scratch.failed;
	double work[n * n] = { 0.0 }, even[n * n], odd[n * n];
	for ( int begin = 0; begin < points->count && scratch.failed == false; begin += PN_BLOCK_POINTS )
	{
		int some = points->count - begin < PN_BLOCK_POINTS ? points->count - begin : PN_BLOCK_POINTS;
		for ( int i = 0; i < some; ++i )
		{
			const pnCollocationPoint* point = points->points + begin + i;
			double fields[3 * n], stresses[6 * n];
			pnGetPolynomials( poissonRatio, point->x, fields, stresses );
			for ( int f = 0; f < n; ++f )
			{
				pnVec3d traction = pnScaleD( point->w, pnStressTimes( stresses + 6 * f, point->n ) );
				double tractions[3] = { traction.x, traction.y, traction.z };
				for ( int axis = 0; axis < 3; ++axis )
				{
					u[( 3 * i + axis ) * n + f] = fields[3 * f + axis];
					t[( 3 * i + axis ) * n + f] = tractions[axis];
				}
			}
		}
		cblas_dgemm( CblasColMajor, CblasNoTrans, CblasTrans, n, n, 3 * some, 1.0, u, n, t, n, 1.0, work, n );
	}
	pnGiveBack( &scratch );
	if ( *outOfMemory )
	{
		return false;
	}
	for ( int f = 0; f < n; ++f )
	{
		for ( int g = 0; g < n; ++g )
		{
			even[f * n + g] = 0.5 * ( work[f * n + g] + work[g * n + f] );
			odd[f * n + g] = 0.5 * ( work[f * n + g] - work[g * n + f] );
		}
	}
	// In fields of unit energy that do no work on each other: what is odd there is the error.
	if ( LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', n, even, n ) != 0 )
	{
		return false;
	}
	cblas_dtrsm( CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, n, n, 1.0, even, n, odd, n );
	cblas_dtrsm( CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, n, n, 1.0, even, n, odd, n );
	return cblas_dnrm2( n * n, odd, 1 ) < pn_exactEnough;
}

pnResult pnFindMends( pnRows* rows )
{
	int n = rows->basis.sourceCount + rows->basis.hollowCount, columns = pnGetColumnCount( &rows->basis ), pointCount = rows->points.count;
	pnMends mends = { .sourceCount = n, .pointCount = pointCount };
	size_t slots = (size_t)n * PN_MENDED_POINTS;
	mends.points = pnAllocArray( int32_t, slots );
	mends.u = pnAllocArray( double, slots * 9 );
	mends.t = pnAllocArray( double, slots * 9 );
	mends.starts = pnAllocArray( int32_t, pointCount + 1 );
	mends.entries = pnAllocArray( int32_t, slots );
	pnScratch scratch = { 0 };
	double* misfits = pnTakeRawArray( &scratch, double, (size_t)columns * PN_LINEAR_FIELDS );
	pnVec3* places = pnTakeRawArray( &scratch, pnVec3, pointCount );
	pnPointTree tree;
	bool done = mends.points != NULL && mends.u != NULL && mends.t != NULL && mends.starts != NULL && mends.entries != NULL && scratch.failed == false;
	for ( int q = 0; q < pointCount && done; ++q )
	{
		pnVec3d x = rows->points.points[q].x;
		places[q] = pnMakeVec3( (float)x.x, (float)x.y, (float)x.z );
	}
	done = done && pnBuildPointTree( &tree, places, NULL, pointCount, &scratch ) && pnFindMisfits( rows, misfits );
	for ( int p = 0; p < n && done; ++p )
	{
		int32_t near[PN_MENDED_POINTS];
		double distances2[PN_MENDED_POINTS];
		int hollow = p - rows->basis.sourceCount;
		pnVec3d source = hollow < 0 ? pnMakeD( rows->basis.x[p], rows->basis.y[p], rows->basis.z[p] ) : rows->basis.hollows[hollow];
		int nearCount = pnFindNearest( &tree, pnMakeVec3( (float)source.x, (float)source.y, (float)source.z ), PN_MENDED_POINTS, near, distances2 );
		for ( int k = 0; k < PN_MENDED_POINTS; ++k )
		{
			mends.points[p * PN_MENDED_POINTS + k] = near[k < nearCount ? k : 0];
		}
		for ( int k = 0; k < nearCount; ++k )
		{
			// In double: the tree is of floats
			pnVec3d d = pnSubD( rows->points.points[near[k]].x, source );
			distances2[k] = pnDotD( d, d );
		}
		pnMendSource( rows, p, near, distances2, nearCount, misfits, &mends );
	}
	if ( done && rows->basis.curved )
	{
		pnMendPolynomials( rows, misfits, &mends );
	}
	if ( done )
	{
		// Which entries belong to a collocation point: counted, then dealt out.
		for ( size_t e = 0; e < slots; ++e )
		{
			++mends.starts[mends.points[e] + 1];
		}
		for ( int q = 0; q < pointCount; ++q )
		{
			mends.starts[q + 1] += mends.starts[q];
		}
		for ( size_t e = slots; e-- > 0; )
		{
			int q = mends.points[e];
			mends.entries[--mends.starts[q + 1]] = (int32_t)e;
		}
		// Dealing moved each end back to its start: starts[q + 1] is where q begins.
		for ( int q = 0; q < pointCount; ++q )
		{
			mends.starts[q] = mends.starts[q + 1];
		}
		mends.starts[pointCount] = (int32_t)slots;
	}
	pnGiveBack( &scratch );
	if ( done == false )
	{
		pnDestroyMends( &mends );
		return pn_outOfMemory;
	}
	rows->mends = mends;
	return pn_success;
}
