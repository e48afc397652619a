// glue.c - what glued parts do to each other: the tractions between them that leave no gap. Knows systems and where they touch, no rounds.
//
// The traction between two parts is a sum of smooth hills (pads) that add up to one, three unknowns each; the displacements of both, weighted by a hill, are the
// same. How parts give way to pads is a compliance from their factored energies, and a part that nothing holds may besides move as a rigid body,
// which is paid for by its balance:
//   C l + G a = -d,   G' l = -e      (Lagrange multipliers on the interface; Farhat and Roux 1991)
// Integrals over an interface are sums over the collocation points of one of the two parts, for both of them, so that action is reaction.
#include "glue.h"

#include "../base/scratch.h"

#include <cblas.h>
#include <lapacke.h>

// Of pads, in spacings of the sources (the larger of the two parts'): finer tractions the sources do not resolve.
static const double pn_gluePadsApart = 1.0;
static const double pn_gluePadReach = 1.9; // of a hill, in distances of pads
static const double pn_freeMotion = 1e-8; // of a motion's gaps between parts, relative: less, and nothing resists it

typedef struct pnGluePad
{
	pnVec3d place; // m
	int parts[2]; // the traction acts on the first, its opposite on the second
	double reach; // m
} pnGluePad;

typedef struct pnJoint
{
	const pnGlued* parts;
	int partCount;
	pnGluePad* pads;
	int padCount;
	double* loads[PN_MOST_PARTS]; // columns x 3 padCount: area times hill times displacement of each column; m^2
	double* answers[PN_MOST_PARTS]; // the same, solved
	double* jumps; // 3 padCount: d
	int modeCount; // rigid motions of all parts
	int modeParts[6 * PN_MOST_PARTS], modeIndices[6 * PN_MOST_PARTS];
	pnScratch scratch;
} pnJoint;

static pnVec3d pnToPart( const pnGlued* part, pnVec3d place )
{
	return pnScaleD( 1.0 / part->units->size, pnSubD( place, part->units->center ) );
}

// Does the collocation point of part i belong to the glue of the pair? Sums are made over the points of the first part of a pair.
static bool pnIsBetween( const pnGlued* parts, int i, int q, int other )
{
	return pnGetMate( parts[i].system->points.points[q].group ) == other;
}

static int pnCountBetween( const pnGlued* parts, int i, int other )
{
	int count = 0;
	for ( int q = 0; q < parts[i].system->points.count; ++q )
	{
		count += pnIsBetween( parts, i, q, other );
	}
	return count;
}

static double pnGetApart( const pnJoint* joint, int i, int j, pnVec3d place )
{
	double a = joint->parts[i].units->size * pnGetSpacing( joint->parts[i].spacing, pnToPart( joint->parts + i, place ) );
	double b = joint->parts[j].units->size * pnGetSpacing( joint->parts[j].spacing, pnToPart( joint->parts + j, place ) );
	return pn_gluePadsApart * fmax( a, b );
}

// The next pad is always the place farthest from all before it.
static bool pnAddPads( pnJoint* joint, int i, int j )
{
	const pnSystem* system = joint->parts[i].system;
	const pnUnits* units = joint->parts[i].units;
	int count = system->points.count, next = -1;
	pnScratch scratch = { 0 };
	double* nearest = pnTakeArray( &scratch, double, count );
	double* apart = pnTakeArray( &scratch, double, count );
	for ( int q = 0; q < count && scratch.failed == false; ++q )
	{
		bool between = pnIsBetween( joint->parts, i, q, j );
		nearest[q] = between ? 1e300 : -1.0;
		apart[q] = between ? pnGetApart( joint, i, j, pnToUser( units, system->points.points[q].x ) ) : 1.0;
		next = next < 0 && between ? q : next;
	}
	while ( next >= 0 && scratch.failed == false )
	{
		pnVec3d place = pnToUser( units, system->points.points[next].x );
		joint->pads[joint->padCount++] = (pnGluePad){ .place = place, .parts = { i, j }, .reach = pn_gluePadReach * apart[next] };
		double farthest = 1.0;
		next = -1;
		for ( int q = 0; q < count; ++q )
		{
			if ( nearest[q] >= 0.0 )
			{
				double distance = pnLengthD( pnSubD( pnToUser( units, system->points.points[q].x ), place ) ) / apart[q];
				nearest[q] = fmin( nearest[q], distance );
				next = nearest[q] > farthest ? q : next;
				farthest = fmax( farthest, nearest[q] );
			}
		}
	}
	bool done = scratch.failed == false;
	pnGiveBack( &scratch );
	return done;
}

// Shares of the pads of a pair at a place, in sum 1.
static void pnShareOut( const pnJoint* joint, int i, int j, pnVec3d place, double* shares )
{
	double sum = 0.0;
	for ( int k = 0; k < joint->padCount; ++k )
	{
		const pnGluePad* pad = joint->pads + k;
		bool same = ( pad->parts[0] == i && pad->parts[1] == j ) || ( pad->parts[0] == j && pad->parts[1] == i );
		pnVec3d d = pnSubD( place, pad->place );
		double inside = same ? 1.0 - pnDotD( d, d ) / ( pad->reach * pad->reach ) : 0.0;
		shares[k] = inside > 0.0 ? inside * inside : 0.0;
		sum += shares[k];
	}
	for ( int k = 0; k < joint->padCount && sum > 0.0; ++k )
	{
		shares[k] /= sum;
	}
}

// Loads of the pads on both parts, and how far the parts are apart without them.
static bool pnLoadPads( pnJoint* joint, int i, int j )
{
	const pnGlued* parts = joint->parts;
	const pnSystem* system = parts[i].system;
	int most = parts[i].system->columns > parts[j].system->columns ? parts[i].system->columns : parts[j].system->columns;
	pnScratch scratch = { 0 };
	double* rows = pnTakeRawArray( &scratch, double, 3 * (size_t)most );
	double* shares = pnTakeArray( &scratch, double, joint->padCount + 1 );
	bool done = scratch.failed == false;
	for ( int q = 0; q < system->points.count && done; ++q )
	{
		if ( pnIsBetween( parts, i, q, j ) == false )
		{
			continue;
		}
		pnVec3d place = pnToUser( parts[i].units, system->points.points[q].x );
		double area = system->points.points[q].w * parts[i].units->size * parts[i].units->size;
		pnShareOut( joint, i, j, place, shares );
		for ( int side = 0; side < 2; ++side )
		{
			const pnGlued* part = parts + ( side == 0 ? i : j );
			int columns = part->system->columns;
			pnVec3d at = pnToPart( part, place ), own;
			double stress[6], sign = side == 0 ? 1.0 : -1.0;
			pnFillRows( &part->system->rows.basis, at, system->points.points[q].n, rows, NULL );
			pnGetInsideField( &part->system->inside, at, &own, stress );
			double owns[3] = { own.x, own.y, own.z };
			for ( int k = 0; k < joint->padCount; ++k )
			{
				if ( shares[k] > 0.0 )
				{
					cblas_daxpy( 3 * columns, area * shares[k], rows, 1, joint->loads[part - parts] + (size_t)( 3 * k ) * (size_t)columns, 1 );
					cblas_daxpy( 3, sign * part->units->size * area * shares[k], owns, 1, joint->jumps + 3 * k, 1 );
				}
			}
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// What acts on a part from outside, on one of its rigid motions (scaled): held axes carry nothing there.
static double pnGetModeLoad( const pnSystem* system, int mode )
{
	const pnGauge* gauge = &system->energy.gauge;
	double sum = 0.0;
	for ( int q = 0; q < system->points.count; ++q )
	{
		const pnCollocationPoint* point = system->points.points + q;
		const pnBound* bound = system->bounds + q;
		pnVec3d axes[3], motion = { 0.0, 0.0, 0.0 }, ownU, ownT;
		pnGetAxes( point, bound, axes );
		pnReadInside( system, q, &ownU, &ownT );
		for ( int f = 0; f < 6; ++f )
		{
			pnVec3d v;
			double stress[6];
			pnGetLinearField( f, 0.25, point->x, &v, stress );
			motion = pnMulAddD( motion, gauge->modes[mode][f], v );
		}
		for ( int axis = 0; axis < 3; ++axis )
		{
			double value = bound->value[axis] - pnDotD( ownT, axes[axis] );
			sum += bound->held >> axis & 1 ? 0.0 : point->w * value * pnDotD( motion, axes[axis] );
		}
	}
	return sum;
}

// Displacement (m^3: weighted by pads) of one of a part's rigid motions, of all pads: G.
static void pnFillMode( const pnJoint* joint, int m, double* column )
{
	const pnGlued* part = joint->parts + joint->modeParts[m];
	const pnSystem* system = part->system;
	const double* mode = system->energy.gauge.modes[joint->modeIndices[m]];
	int n = 3 * joint->padCount, first = 3 * system->sources.count;
	for ( int r = 0; r < n; ++r )
	{
		double sum = 0.0; // the loads have their signs
		for ( int f = 0; f < 6; ++f )
		{
			sum += mode[f] * joint->loads[joint->modeParts[m]][(size_t)r * (size_t)system->columns + (size_t)( first + f )];
		}
		column[r] = part->units->size * sum;
	}
}

// Does a rigid motion of all parts together open no glue? Then nothing holds the whole.
static bool pnIsFree( const double* g, int n, int modeCount )
{
	double gram[36 * PN_MOST_PARTS * PN_MOST_PARTS], values[6 * PN_MOST_PARTS], work[32 * 6 * PN_MOST_PARTS];
	if ( modeCount == 0 )
	{
		return false;
	}
	cblas_dsyrk( CblasColMajor, CblasLower, CblasTrans, modeCount, n, 1.0, g, n, 0.0, gram, modeCount );
	for ( int a = 0; a < modeCount; ++a ) // to unit gaps
	{
		values[a] = 1.0 / sqrt( gram[a * ( modeCount + 1 )] + 1e-300 );
	}
	for ( int a = 0; a < modeCount; ++a )
	{
		for ( int b = a; b < modeCount; ++b )
		{
			gram[a * modeCount + b] *= values[a] * values[b];
		}
	}
	return LAPACKE_dsyev_work( LAPACK_COL_MAJOR, 'N', 'L', modeCount, gram, modeCount, values, work, 32 * 6 * PN_MOST_PARTS ) != 0 || values[0] < pn_freeMotion;
}

// Tractions of the pads (Pa) and rigid motions (scaled), one after the other in `values`.
static pnResult pnSolveJoint( pnJoint* joint, double* values )
{
	int n = 3 * joint->padCount, size = n + joint->modeCount;
	pnScratch scratch = { 0 };
	double* matrix = pnTakeArray( &scratch, double, (size_t)size * (size_t)size );
	double* scale = pnTakeArray( &scratch, double, size );
	double* g = pnTakeArray( &scratch, double, (size_t)n * (size_t)( joint->modeCount + 1 ) );
	lapack_int* pivots = pnTakeArray( &scratch, lapack_int, size );
	double* work = pnTakeArray( &scratch, double, 64 * (size_t)size );
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return pn_outOfMemory;
	}
	for ( int p = 0; p < joint->partCount; ++p )
	{
		const pnGlued* part = joint->parts + p;
		double factor = 1.0 / ( part->units->size * part->units->modulus );
		cblas_dgemm( CblasColMajor, CblasTrans, CblasNoTrans, n, n, part->system->columns, factor, joint->loads[p], part->system->columns, joint->answers[p], part->system->columns, 1.0, matrix, size );
	}
	for ( int m = 0; m < joint->modeCount; ++m )
	{
		pnFillMode( joint, m, g + (size_t)m * (size_t)n );
	}
	if ( pnIsFree( g, n, joint->modeCount ) )
	{
		pnLog( "Nothing holds the parts against some rigid motion: hold them." );
		pnGiveBack( &scratch );
		return pn_invalidInput;
	}
	for ( int r = 0; r < n; ++r )
	{
		scale[r] = 1.0 / sqrt( matrix[(size_t)r * (size_t)( size + 1 )] );
		values[r] = -joint->jumps[r];
	}
	for ( int m = 0; m < joint->modeCount; ++m )
	{
		const pnGlued* part = joint->parts + joint->modeParts[m];
		double length2 = 0.0, unit = part->units->size;
		for ( int r = 0; r < n; ++r )
		{
			double value = g[(size_t)m * (size_t)n + (size_t)r];
			matrix[(size_t)r * (size_t)size + (size_t)( n + m )] = value;
			length2 += value * value * scale[r] * scale[r];
		}
		scale[n + m] = 1.0 / sqrt( length2 );
		values[n + m] = -unit * unit * unit * part->units->modulus * pnGetModeLoad( part->system, joint->modeIndices[m] );
	}
	for ( int c = 0; c < size; ++c )
	{
		values[c] *= scale[c];
		for ( int r = c; r < size; ++r )
		{
			matrix[(size_t)c * (size_t)size + (size_t)r] *= scale[c] * scale[r];
		}
	}
	lapack_int failed = LAPACKE_dsysv_work( LAPACK_COL_MAJOR, 'L', size, 1, matrix, size, pivots, values, size, work, 64 * size );
	for ( int c = 0; c < size; ++c )
	{
		values[c] *= scale[c];
	}
	pnGiveBack( &scratch );
	if ( failed != 0 )
	{
		pnLog( "The equations of the glue between the parts could not be solved." );
	}
	return failed == 0 ? pn_success : pn_invalidInput;
}

// Pads of one pair act with opposite signs on its two parts.
static void pnSignLoads( pnJoint* joint, int p )
{
	int columns = joint->parts[p].system->columns;
	for ( int k = 0; k < joint->padCount; ++k )
	{
		if ( joint->pads[k].parts[1] == p )
		{
			cblas_dscal( 3 * columns, -1.0, joint->loads[p] + (size_t)( 3 * k ) * (size_t)columns, 1 );
		}
	}
}

static pnResult pnFindPads( pnJoint* joint )
{
	int most = 0;
	for ( int i = 0; i < joint->partCount; ++i )
	{
		most += joint->parts[i].system->points.count;
	}
	joint->pads = pnTakeArray( &joint->scratch, pnGluePad, most + 1 );
	for ( int i = 0; i < joint->partCount && joint->scratch.failed == false; ++i )
	{
		for ( int j = i + 1; j < joint->partCount; ++j )
		{
			bool first = pnCountBetween( joint->parts, i, j ) >= pnCountBetween( joint->parts, j, i );
			if ( pnAddPads( joint, first ? i : j, first ? j : i ) == false )
			{
				return pn_outOfMemory;
			}
		}
	}
	return joint->scratch.failed ? pn_outOfMemory : pn_success;
}

// Each part alone: its coefficients for what is given, and the answers to all pads.
static pnResult pnSolveAlone( pnJoint* joint, int p )
{
	pnSystem* system = joint->parts[p].system;
	size_t length = (size_t)system->columns * (size_t)( 3 * joint->padCount );
	// Its load need not be in balance: the mates bring the rest.
	int gaugeCount = system->energy.gauge.count;
	system->energy.gauge.count = 0;
	pnResult result = pnSolveSystem( system );
	system->energy.gauge.count = gaugeCount;
	for ( int m = 0; m < gaugeCount; ++m )
	{
		joint->modeParts[joint->modeCount] = p;
		joint->modeIndices[joint->modeCount++] = m;
	}
	if ( result != pn_success )
	{
		return result;
	}
	memcpy( joint->answers[p], joint->loads[p], length * sizeof( double ) );
	pnSolveEnergies( &system->energy, joint->answers[p], 3 * joint->padCount );
	return pn_success;
}

static pnResult pnApplyJoint( pnJoint* joint, const double* values )
{
	int n = 3 * joint->padCount;
	for ( int p = 0; p < joint->partCount; ++p )
	{
		const pnGlued* part = joint->parts + p;
		pnSystem* system = part->system;
		double factor = 1.0 / ( part->units->size * part->units->size * part->units->modulus );
		cblas_dgemv( CblasColMajor, CblasNoTrans, system->columns, n, factor, joint->answers[p], system->columns, values, 1, 1.0, system->coefficients, 1 );
	}
	for ( int m = 0; m < joint->modeCount; ++m )
	{
		pnSystem* system = joint->parts[joint->modeParts[m]].system;
		for ( int f = 0; f < 6; ++f )
		{
			system->coefficients[3 * system->sources.count + f] += values[n + m] * system->energy.gauge.modes[joint->modeIndices[m]][f];
		}
	}
	double* shares = pnTakeArray( &joint->scratch, double, joint->padCount + 1 );
	for ( int p = 0; p < joint->partCount && shares != NULL; ++p )
	{
		const pnGlued* part = joint->parts + p;
		for ( int q = 0; q < part->system->points.count; ++q )
		{
			int mate = pnGetMate( part->system->points.points[q].group );
			part->tractions[q] = pnMakeD( 0.0, 0.0, 0.0 );
			if ( mate < 0 )
			{
				continue;
			}
			pnShareOut( joint, p, mate, pnToUser( part->units, part->system->points.points[q].x ), shares );
			for ( int k = 0; k < joint->padCount; ++k )
			{
				double share = shares[k] * ( joint->pads[k].parts[0] == p ? 1.0 : -1.0 ) / part->units->modulus;
				part->tractions[q] = pnMulAddD( part->tractions[q], share, pnMakeD( values[3 * k], values[3 * k + 1], values[3 * k + 2] ) );
			}
		}
	}
	return shares != NULL ? pn_success : pn_outOfMemory;
}

pnResult pnGlueParts( const pnGlued* parts, int count )
{
	pnJoint joint = { .parts = parts, .partCount = count };
	pnResult result = pnFindPads( &joint );
	size_t n = 3 * (size_t)joint.padCount;
	joint.jumps = pnTakeArray( &joint.scratch, double, n + 1 );
	double* values = pnTakeArray( &joint.scratch, double, n + 6 * PN_MOST_PARTS );
	double* loads = NULL;
	size_t whole = 0, used = 0;
	for ( int p = 0; p < count; ++p )
	{
		whole += 2 * n * (size_t)parts[p].system->columns;
	}
	loads = pnTakeArray( &joint.scratch, double, whole + 1 );
	result = joint.scratch.failed ? pn_outOfMemory : result;
	for ( int p = 0; p < count && result == pn_success; ++p )
	{
		size_t length = n * (size_t)parts[p].system->columns;
		joint.loads[p] = loads + used;
		joint.answers[p] = loads + used + length;
		used += 2 * length;
	}
	for ( int i = 0; i < count && result == pn_success; ++i )
	{
		for ( int j = i + 1; j < count && result == pn_success; ++j )
		{
			bool first = pnCountBetween( parts, i, j ) >= pnCountBetween( parts, j, i );
			result = pnLoadPads( &joint, first ? i : j, first ? j : i ) ? pn_success : pn_outOfMemory;
		}
	}
	for ( int p = 0; p < count && result == pn_success; ++p )
	{
		pnSignLoads( &joint, p );
		result = pnSolveAlone( &joint, p );
		// How far apart they are without pads: the loads have their signs by now.
		if ( result == pn_success )
		{
			cblas_dgemv( CblasColMajor, CblasTrans, parts[p].system->columns, (int)n, parts[p].units->size, joint.loads[p], parts[p].system->columns, parts[p].system->coefficients, 1, 1.0, joint.jumps, 1 );
		}
	}
	result = result == pn_success ? pnSolveJoint( &joint, values ) : result;
	result = result == pn_success ? pnApplyJoint( &joint, values ) : result;
	pnGiveBack( &joint.scratch );
	return result;
}
