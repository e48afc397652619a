// system.c - one discretisation, from the surface to the answer at its collocation points. Knows no rounds and no user.
#include "system.h"

#include "../base/scratch.h"

#include <lapacke.h>

// Longest edge of a piece, in spacings of the sources: some ten collocation points to a source. With one collocation point it is less.
static const double pn_pieceEdge = 2.0;
static const double pn_lonePieceEdge = 0.7;
static const double pn_borderEdge = 0.2;
static const double pn_pointsApart = 0.15; // of collocation points on finer meshes, in spacings: some thirty to a source
static const double pn_compact = 0.25; // thickness over half the diagonal: of a bar 1 to 3
static const double pn_slender = 0.15; // of a bar 1 to 6
enum { PN_MOST_MORE = 6 }; // times as many collocation points, for polynomials

void pnDestroySystem( pnSystem* system )
{
	int pointCount = system->points.count;
	pnDestroyMends( &system->rows.mends );
	pnDestroyEnergy( &system->energy );
	pnDestroyLsq( &system->lsq );
	pnFreeArray( pnBound, system->bounds, pointCount );
	pnFreeArray( double, system->lengths, pointCount );
	pnFreeArray( pnVec3d, system->u, pointCount );
	pnFreeArray( pnVec3d, system->t, pointCount );
	pnFreeArray( pnVec3d, system->raw, pointCount );
	pnFreeArray( double, system->coefficients, system->columns );
	pnFreeArray( double, system->work, 2 * system->columns );
	pnFreeArray( pnVec3d, system->hollows, PN_MOST_HOLLOWS );
	pnDestroySources( &system->sources );
	pnDestroyCollocationPoints( &system->points );
	*system = (pnSystem){ 0 };
}

int pnCountSources( const pnCollocationPoints* points )
{
	double sum = 0.0;
	for ( int q = 0; q < points->count; ++q )
	{
		sum += points->points[q].w / ( points->points[q].s * points->points[q].s );
	}
	return (int)( sum + 0.5 );
}

static pnResult pnLayCollocationPoints( const pnPlan* plan, const pnSpacing* spacing, int fewest, pnSystem* system )
{
	if ( plan->given != NULL )
	{
		system->points.points = pnAllocArray( pnCollocationPoint, plan->given->count );
		if ( system->points.points == NULL )
		{
			return pn_outOfMemory;
		}
		system->points.count = system->points.capacity = plan->given->count;
		system->points.padCount = plan->given->padCount;
		memcpy( system->points.points, plan->given->points, (size_t)plan->given->count * sizeof( pnCollocationPoint ) );
		for ( int q = 0; q < system->points.count; ++q )
		{
			system->points.points[q].s = pnGetSpacing( spacing, system->points.points[q].x );
			system->points.points[q].far = pnGetFreeSpacing( spacing, system->points.points[q].x );
		}
	}
	else
	{
		pnBorders borders = { plan->conditions, plan->conditionCount, &plan->units };
		pnCollocationDef def = {
			.edge = plan->divisible ? plan->perPiece == 1 ? pn_lonePieceEdge : pn_pieceEdge : 0.0,
			.borderEdge = pn_borderEdge,
			.perPiece = plan->perPiece,
			.few = system->method != pn_energyMethod, // least squares sums nothing up: it needs no exact sums
			.even = plan->isWrapped,
			.apart = pn_pointsApart,
			.fewest = fewest,
			.room = plan->place.room,
			.distance = plan->place.distance,
			.border = pnTellBorders,
			.context = &borders,
		};
		pnResult result = pnMakeCollocationPoints( plan->facets, spacing, &def, &system->points );
		if ( result != pn_success )
		{
			return result;
		}
	}
	if ( pnCloseCollocationPoints( &system->points ) == false )
	{
		pnLog( "The surface has %d collocation points only, or they lie in one plane: too few to enclose a solid.", system->points.count );
		return pn_invalidInput;
	}
	return pn_success;
}

double pnGetThickness( const pnCollocationPoints* points )
{
	double volume = 0.0, area = 0.0;
	for ( int q = 0; q < points->count; ++q )
	{
		volume += points->points[q].w * pnDotD( points->points[q].x, points->points[q].n ) / 3.0;
		area += points->points[q].w;
	}
	return 2.0 * volume / area;
}

// Collocation points, and whether polynomials may be used with them. In slender parts these matter more than anything: if the collocation points are too few for
// them, and more of them would do, more are taken.
static pnResult pnLayBestCollocationPoints( const pnPlan* plan, const pnSpacing* spacing, pnSystem* system, bool* curved )
{
	pnResult result = pnLayCollocationPoints( plan, spacing, 1, system );
	bool outOfMemory = false;
	// In compact parts sources do all that polynomials would.
	double thickness = result == pn_success ? pnGetThickness( &system->points ) : 0.0;
	bool wanted = result == pn_success && system->method == pn_energyMethod && thickness < pn_compact;
	*curved = wanted && pnCanCurve( &system->points, plan->poissonRatio, &outOfMemory );
	if ( wanted && *curved == false && outOfMemory == false && plan->given == NULL && plan->divisible && plan->perPiece == 0 && thickness < ( plan->isWrapped ? pn_compact : pn_slender ) )
	{
		pnCollocationPoints few = system->points;
		for ( int fewest = 3; fewest <= 7 && *curved == false && outOfMemory == false; fewest += 4 )
		{
			system->points = (pnCollocationPoints){ 0 };
			*curved = pnLayCollocationPoints( plan, spacing, fewest, system ) == pn_success && system->points.count < PN_MOST_MORE * few.count && pnCanCurve( &system->points, plan->poissonRatio, &outOfMemory );
			if ( *curved == false )
			{
				pnDestroyCollocationPoints( &system->points );
			}
		}
		if ( *curved )
		{
			pnDestroyCollocationPoints( &few );
		}
		else
		{
			system->points = few;
		}
	}
	return outOfMemory ? pn_outOfMemory : result;
}

// Columns and factored equations of the sources and collocation points there are. curved: with polynomials; then pn_invalidInput if that is not
// positive as it is, and nothing is kept.
static pnResult pnFactorSystem( const pnPlan* plan, int hollowCount, bool curved, pnSystem* system )
{
	const pnSources* sources = &system->sources;
	pnBasis basis = {
		.x = sources->x,
		.y = sources->y,
		.z = sources->z,
		.sourceCount = sources->count,
		.hollows = system->hollows,
		.hollowCount = hollowCount,
		.curved = curved,
		.poissonRatio = plan->poissonRatio,
	};
	system->rows = (pnRows){ .points = system->points, .bounds = system->bounds, .basis = basis, .tasks = plan->tasks, .processes = plan->processes, .tick = plan->tick, .tickContext = plan->tickContext };
	system->columns = pnGetColumnCount( &basis );
	system->coefficients = pnAllocArray( double, system->columns );
	system->work = pnAllocArray( double, 2 * system->columns );
	if ( system->coefficients == NULL || system->work == NULL )
	{
		return pn_outOfMemory;
	}
	if ( system->method != pn_energyMethod )
	{
		return pnFactorLsq( &system->rows, system->method == pn_lsqCgMethod, &system->lsq );
	}
	double start = pnNow();
	pnResult result = pnFindMends( &system->rows );
	double mendSeconds = pnNow() - start;
	result = result == pn_success ? pnFactorEnergy( &system->rows, system->lengths, curved == false, plan->isWrapped, &system->energy ) : result;
	system->energy.assembleSeconds += mendSeconds;
	if ( result == pn_invalidInput && curved )
	{
		pnFreeArray( double, system->coefficients, system->columns );
		pnFreeArray( double, system->work, 2 * system->columns );
		pnDestroyMends( &system->rows.mends );
		system->coefficients = system->work = NULL;
		system->columns = 0;
	}
	return result;
}

pnResult pnBuildSystem( const pnPlan* plan, const pnSpacing* spacing, pnKelvinMethod method, int count, pnSystem* system )
{
	*system = (pnSystem){ .method = method, .inside = plan->inside };
	double start = pnNow();
	bool curved = false;
	pnResult result = pnLayBestCollocationPoints( plan, spacing, system, &curved );
	int pointCount = system->points.count;
	if ( result == pn_success )
	{
		system->bounds = pnAllocArray( pnBound, pointCount );
		system->lengths = pnAllocArray( double, pointCount );
		system->u = pnAllocArray( pnVec3d, pointCount );
		system->t = pnAllocArray( pnVec3d, pointCount );
		system->raw = pnAllocArray( pnVec3d, pointCount );
		bool taken = system->bounds != NULL && system->lengths != NULL && system->u != NULL && system->t != NULL && system->raw != NULL;
		result = taken ? pnBindConditions( plan->conditions, plan->conditionCount, &plan->units, &system->points, system->bounds ) : pn_outOfMemory;
	}
	if ( result == pn_success )
	{
		pnPlaceDef place = plan->place;
		place.fixedPoints = plan->divisible == false;
		place.count = count > 0 ? count : pnCountSources( &system->points );
		place.count = plan->mostSources > 0 && place.count > plan->mostSources ? plan->mostSources : place.count;
		result = pnPlaceSources( &system->points, &place, &system->sources );
		for ( int q = 0; q < pointCount && result == pn_success; ++q )
		{
			double s = system->points.points[q].s, d = pnGetDistance( &place, system->points.points + q );
			system->lengths[q] = s < d ? s : d;
		}
	}
	int hollowCount = 0;
	if ( result == pn_success )
	{
		system->hollows = pnAllocArray( pnVec3d, PN_MOST_HOLLOWS );
		hollowCount = system->hollows != NULL ? pnFindHollows( &system->points, &system->sources, system->hollows, PN_MOST_HOLLOWS ) : -1;
		result = hollowCount >= 0 ? pn_success : pn_outOfMemory;
	}
	system->placeSeconds = pnNow() - start;
	if ( result == pn_success )
	{
		result = pnFactorSystem( plan, hollowCount, curved, system );
		if ( result == pn_invalidInput && curved )
		{
			// The sources reach what the polynomials do so nearly that the sums over the collocation points cannot tell them apart.
			result = pnFactorSystem( plan, hollowCount, false, system );
		}
	}
	if ( result != pn_success )
	{
		pnDestroySystem( system );
	}
	return result;
}

const pnGauge* pnGetGauge( const pnSystem* system )
{
	return system->method == pn_energyMethod ? &system->energy.gauge : &system->lsq.gauge;
}

static pnResult pnSolveRows( const pnSystem* system, const pnRows* rows, double* coefficients, pnLsqRun* run )
{
	if ( system->method != pn_energyMethod )
	{
		return pnSolveLsq( rows, &system->lsq, coefficients, run ) ? pn_success : pn_outOfMemory;
	}
	if ( pnLoadEnergy( rows, &system->energy, coefficients ) == false )
	{
		return pn_outOfMemory;
	}
	pnSolveEnergy( &system->energy, coefficients, system->work );
	return pn_success;
}

// Of each linear field, what would be given at a collocation point: displacement on held axes, traction on free ones.
static void pnGetLinearValues( const pnSystem* system, int q, double fields[PN_LINEAR_FIELDS][3] )
{
	const pnCollocationPoint* point = system->points.points + q;
	const pnBound* bound = system->bounds + q;
	pnVec3d axes[3];
	pnGetAxes( point, bound, axes );
	for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
	{
		pnVec3d u;
		double stress[6];
		pnGetLinearField( f, system->rows.basis.poissonRatio, point->x, &u, stress );
		pnVec3d t = pnStressTimes( stress, point->n );
		for ( int axis = 0; axis < 3; ++axis )
		{
			fields[f][axis] = bound->held >> axis & 1 ? pnDotD( u, axes[axis] ) : pnDotD( pnMulAddD( t, bound->spring[axis], u ), axes[axis] );
		}
	}
}

// The linear fields that fit the values best; false if they miss them by more than a millionth.
static bool pnFitLinear( const pnSystem* system, double amounts[PN_LINEAR_FIELDS] )
{
	double matrix[PN_LINEAR_FIELDS * PN_LINEAR_FIELDS] = { 0.0 }, side[PN_LINEAR_FIELDS] = { 0.0 }, whole = 0.0, missed = 0.0, trace = 0.0;
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int q = 0; q < system->points.count; ++q )
		{
			const pnCollocationPoint* point = system->points.points + q;
			const pnBound* bound = system->bounds + q;
			double fields[PN_LINEAR_FIELDS][3];
			pnGetLinearValues( system, q, fields );
			for ( int axis = 0; axis < 3; ++axis )
			{
				double weight = point->w * ( bound->held >> axis & 1 ? 1.0 : point->s * point->s ), miss = bound->value[axis];
				for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
				{
					miss -= pass == 1 ? amounts[f] * fields[f][axis] : 0.0;
					side[f] += pass == 0 ? weight * fields[f][axis] * bound->value[axis] : 0.0;
					for ( int g = 0; g < PN_LINEAR_FIELDS && pass == 0; ++g )
					{
						matrix[f * PN_LINEAR_FIELDS + g] += weight * fields[f][axis] * fields[g][axis];
					}
				}
				whole += pass == 0 ? weight * miss * miss : 0.0;
				missed += pass == 1 ? weight * miss * miss : 0.0;
			}
		}
		if ( pass == 0 )
		{
			for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
			{
				trace += matrix[f * ( PN_LINEAR_FIELDS + 1 )];
			}
			for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
			{
				// Rigid motions may be free; they are left out then.
				matrix[f * ( PN_LINEAR_FIELDS + 1 )] += 1e-13 * trace;
			}
			if ( LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', PN_LINEAR_FIELDS, matrix, PN_LINEAR_FIELDS ) != 0 ||
				 LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', PN_LINEAR_FIELDS, 1, matrix, PN_LINEAR_FIELDS, side, PN_LINEAR_FIELDS ) != 0 )
			{
				return false;
			}
			memcpy( amounts, side, sizeof( side ) );
		}
	}
	return whole > 0.0 && missed < 1e-12 * whole;
}

void pnReadInside( const pnSystem* system, int q, pnVec3d* u, pnVec3d* t )
{
	double stress[6];
	pnGetInsideField( &system->inside, system->points.points[q].x, u, stress );
	*t = pnStressTimes( stress, system->points.points[q].n );
}

static pnResult pnSolveBounds( pnSystem* system )
{
	// Values that are a linear field but for rounding: it is taken out and put back, so that the equations have next to nothing to do
	// and their condition does not show.
	double amounts[PN_LINEAR_FIELDS] = { 0.0 };
	if ( system->method != pn_energyMethod || pnFitLinear( system, amounts ) == false )
	{
		return pnSolveRows( system, &system->rows, system->coefficients, &system->run );
	}
	int count = system->points.count;
	pnBound* rest = pnAllocArray( pnBound, count );
	if ( rest == NULL )
	{
		return pn_outOfMemory;
	}
	for ( int q = 0; q < count; ++q )
	{
		double fields[PN_LINEAR_FIELDS][3];
		pnGetLinearValues( system, q, fields );
		rest[q] = system->bounds[q];
		for ( int f = 0; f < PN_LINEAR_FIELDS; ++f )
		{
			for ( int axis = 0; axis < 3; ++axis )
			{
				rest[q].value[axis] -= amounts[f] * fields[f][axis];
			}
		}
	}
	pnRows rows = system->rows;
	rows.bounds = rest;
	pnResult result = pnSolveRows( system, &rows, system->coefficients, &system->run );
	for ( int f = 0; f < PN_LINEAR_FIELDS && result == pn_success; ++f )
	{
		system->coefficients[3 * system->sources.count + f] += amounts[f];
	}
	pnFreeArray( pnBound, rest, count );
	return result;
}

pnResult pnSolveSystem( pnSystem* system )
{
	if ( pnIsInsideBusy( &system->inside ) == false )
	{
		return pnSolveBounds( system );
	}
	// The rest has to bring what is given, less what the field of what acts inside brings.
	int count = system->points.count;
	pnBound* whole = system->bounds;
	pnBound* rest = pnAllocArray( pnBound, count );
	if ( rest == NULL )
	{
		return pn_outOfMemory;
	}
	for ( int q = 0; q < count; ++q )
	{
		pnVec3d u, t, axes[3];
		pnReadInside( system, q, &u, &t );
		pnGetAxes( system->points.points + q, whole + q, axes );
		rest[q] = whole[q];
		for ( int axis = 0; axis < 3; ++axis )
		{
			rest[q].value[axis] -= whole[q].held >> axis & 1 ? pnDotD( u, axes[axis] ) : pnDotD( pnMulAddD( t, whole[q].spring[axis], u ), axes[axis] );
		}
	}
	system->bounds = rest;
	system->rows.bounds = rest;
	pnResult result = pnSolveBounds( system );
	system->bounds = whole;
	system->rows.bounds = whole;
	pnFreeArray( pnBound, rest, count );
	return result;
}

pnResult pnSolveTractions( const pnSystem* system, const pnVec3d* tractions, double* coefficients )
{
	int pointCount = system->points.count;
	pnBound* bounds = pnAllocArray( pnBound, pointCount );
	if ( bounds == NULL )
	{
		return pn_outOfMemory;
	}
	for ( int q = 0; q < pointCount; ++q )
	{
		bounds[q] = system->bounds[q];
		pnVec3d axes[3];
		pnGetAxes( system->points.points + q, bounds + q, axes );
		for ( int axis = 0; axis < 3; ++axis )
		{
			bounds[q].value[axis] = bounds[q].held >> axis & 1 ? 0.0 : pnDotD( tractions[q], axes[axis] );
		}
	}
	pnRows rows = system->rows;
	rows.bounds = bounds;
	pnLsqRun run;
	pnResult result = pnSolveRows( system, &rows, coefficients, &run );
	pnFreeArray( pnBound, bounds, pointCount );
	return result;
}

// ---- reading ----

typedef struct pnReading
{
	const pnSystem* system;
	const double* coefficients;
	const pnBound* bounds; // NULL: held axes at rest
	bool inside; // with what acts there
	pnVec3d* u;
	pnVec3d* t; // what acts: given or found
	pnVec3d* raw;
} pnReading;

static void pnReadSome( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnReading* reading = context;
	const pnSystem* system = reading->system;
	for ( int q = begin; q < end; ++q )
	{
		const pnCollocationPoint* point = system->points.points + q;
		const pnBound* shape = system->bounds + q;
		pnVec3d u;
		double stress[6];
		bool wantsTraction = reading->raw != NULL || ( reading->t != NULL && shape->held != 0 );
		pnSumFields( &system->rows.basis, reading->coefficients, point->x, &u, wantsTraction ? stress : NULL );
		pnVec3d raw = wantsTraction ? pnStressTimes( stress, point->n ) : pnMakeD( 0.0, 0.0, 0.0 );
		if ( reading->inside )
		{
			pnVec3d ownU, ownT;
			pnReadInside( system, q, &ownU, &ownT );
			u = pnAddD( u, ownU );
			raw = pnAddD( raw, ownT );
		}
		if ( reading->u != NULL )
		{
			reading->u[q] = u;
		}
		if ( reading->raw != NULL )
		{
			reading->raw[q] = raw;
		}
		if ( reading->t == NULL )
		{
			continue;
		}
		pnVec3d axes[3];
		pnGetAxes( point, shape, axes );
		pnVec3d found = raw;
		if ( system->method == pn_energyMethod && shape->held != 0 )
		{
			double mendU[3], mendT[3];
			pnSumMends( &system->rows, q, reading->coefficients, mendU, mendT );
			found = pnAddD( found, pnMakeD( mendT[0], mendT[1], mendT[2] ) );
		}
		pnVec3d t = { 0.0, 0.0, 0.0 };
		for ( int axis = 0; axis < 3; ++axis )
		{
			double value = reading->bounds != NULL ? reading->bounds[q].value[axis] : 0.0, along = value;
			if ( shape->held >> axis & 1 )
			{
				along = pnDotD( found, axes[axis] );
				// The reaction that belongs to the energy: it balances the load to rounding.
				along -= system->method == pn_energyMethod ? system->energy.gamma[q] * ( pnDotD( u, axes[axis] ) - value ) : 0.0;
			}
			else
			{
				along -= shape->spring[axis] * pnDotD( u, axes[axis] );
			}
			t = pnMulAddD( t, along, axes[axis] );
		}
		reading->t[q] = t;
	}
}

void pnReadSystem( pnSystem* system )
{
	pnReading reading = { system, system->coefficients, system->bounds, pnIsInsideBusy( &system->inside ), system->u, system->t, system->raw };
	pnParallelFor( system->rows.tasks, pnReadSome, system->points.count, 16, &reading );
}

void pnReadDisplacements( const pnSystem* system, const double* coefficients, pnVec3d* u )
{
	pnReading reading = { system, coefficients, NULL, false, u, NULL, NULL };
	pnParallelFor( system->rows.tasks, pnReadSome, system->points.count, 16, &reading );
}

void pnReadReactions( const pnSystem* system, const double* coefficients, const pnBound* bounds, pnVec3d* t )
{
	pnReading reading = { system, coefficients, bounds, false, NULL, t, NULL };
	pnParallelFor( system->rows.tasks, pnReadSome, system->points.count, 16, &reading );
}

pnVec3d pnGetValue( const pnSystem* system, int q )
{
	const double* value = system->bounds[q].value;
	pnVec3d axes[3];
	pnGetAxes( system->points.points + q, system->bounds + q, axes );
	return pnAddD( pnScaleD( value[0], axes[0] ), pnAddD( pnScaleD( value[1], axes[1] ), pnScaleD( value[2], axes[2] ) ) );
}
