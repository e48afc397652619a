// quality.c - what speaks for and against an answer. Knows one system, no rounds.
#include "quality.h"

#include "../base/cloud.h"

// Misfits of what is given at a place: squares of displacement on held axes and of traction on free ones.
static void pnGetMisfit( const pnSystem* system, int q, pnVec3d u, pnVec3d raw, pnVec3d given, pnVec3d acting, double* held2, double* free2 )
{
	pnVec3d axes[3];
	pnGetAxes( system->points.points + q, system->bounds + q, axes );
	*held2 = *free2 = 0.0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		bool held = system->bounds[q].held >> axis & 1;
		double miss = held ? pnDotD( pnSubD( u, given ), axes[axis] ) : pnDotD( pnSubD( raw, acting ), axes[axis] );
		*( held ? held2 : free2 ) += miss * miss;
	}
}

double pnFindIndicator( const pnSystem* system, int q )
{
	const pnCollocationPoint* point = system->points.points + q;
	double held2, free2;
	pnGetMisfit( system, q, system->u[q], system->raw[q], pnGetValue( system, q ), system->t[q], &held2, &free2 );
	// What is given between the collocation points is missed whatever the answer is.
	return point->w * ( point->s * free2 + held2 / point->s + system->bounds[q].rest );
}

// Root mean squares over the surface, so that misfits are relative to what there is.
static void pnFindScales( const pnSystem* system, double* displacement, double* traction )
{
	double u2 = 0.0, t2 = 0.0, whole = 0.0;
	for ( int q = 0; q < system->points.count; ++q )
	{
		double w = system->points.points[q].w;
		u2 += w * pnDotD( system->u[q], system->u[q] );
		t2 += w * pnDotD( system->raw[q], system->raw[q] );
		whole += w;
	}
	*displacement = sqrt( u2 / whole ) + 1e-300;
	*traction = sqrt( t2 / whole ) + 1e-300;
}

typedef struct pnSumOfMisfits
{
	double held2, free2, area;
} pnSumOfMisfits;

static double pnGetRelative( const pnSumOfMisfits* sum, double displacement, double traction )
{
	if ( ( sum->area > 0.0 ) == false )
	{
		return 0.0;
	}
	return sqrt( ( sum->held2 / ( displacement * displacement ) + sum->free2 / ( traction * traction ) ) / sum->area );
}

static bool pnAreAlike( const pnSystem* system, int a, int b )
{
	const pnBound *x = system->bounds + a, *y = system->bounds + b;
	return x->held == y->held && x->framed == y->framed && pnDotD( system->points.points[a].n, system->points.points[b].n ) > 0.999;
}

// Between the collocation points: the middles of pieces, or half way to the next collocation point of the same kind.
static bool pnFindHeldOut( const pnSystem* system, double displacement, double traction, double* relative )
{
	int count = system->points.count;
	const pnCollocationPoint* points = system->points.points;
	pnSumOfMisfits sum = { 0 };
	pnScratch scratch = { 0 };
	pnVec3* places = NULL;
	pnPointTree tree;
	int stride = 1 + count / 3000;
	for ( int q = 0; q < count; q += stride )
	{
		int mates[3] = { q, -1, -1 };
		if ( q + 2 < count && points[q + 2].pad == points[q].pad && ( q == 0 || points[q - 1].pad != points[q].pad ) )
		{
			mates[1] = q + 1;
			mates[2] = q + 2;
		}
		else if ( ( q + 1 < count && points[q + 1].pad == points[q].pad ) || ( q > 0 && points[q - 1].pad == points[q].pad ) )
		{
			continue; // its piece is or was looked at from its first collocation point
		}
		else
		{
			if ( places == NULL )
			{
				places = pnTakeRawArray( &scratch, pnVec3, count );
				for ( int i = 0; i < count && places != NULL; ++i )
				{
					places[i] = pnMakeVec3( (float)points[i].x.x, (float)points[i].x.y, (float)points[i].x.z );
				}
				if ( places == NULL || pnBuildPointTree( &tree, places, NULL, count, &scratch ) == false )
				{
					pnGiveBack( &scratch );
					return false;
				}
			}
			int32_t near[4];
			double distances2[4];
			int nearCount = pnFindNearest( &tree, places[q], 4, near, distances2 );
			for ( int k = 0; k < nearCount && mates[1] < 0; ++k )
			{
				mates[1] = near[k] != q && pnAreAlike( system, q, near[k] ) ? near[k] : -1;
			}
			if ( mates[1] < 0 )
			{
				continue;
			}
		}
		int mateCount = mates[2] >= 0 ? 3 : 2;
		pnVec3d place = { 0.0, 0.0, 0.0 }, given = place, acting = place, normal = place;
		double area = 0.0;
		for ( int k = 0; k < mateCount; ++k )
		{
			double share = 1.0 / mateCount;
			place = pnMulAddD( place, share, points[mates[k]].x );
			normal = pnMulAddD( normal, share, points[mates[k]].n );
			given = pnMulAddD( given, share, pnGetValue( system, mates[k] ) );
			acting = pnMulAddD( acting, share, system->t[mates[k]] );
			area += share * points[mates[k]].w;
		}
		pnVec3d u;
		double stress[6], held2, free2;
		pnSumFields( &system->rows.basis, system->coefficients, place, &u, stress );
		pnVec3d own;
		double ownStress[6];
		pnGetInsideField( &system->inside, place, &own, ownStress );
		u = pnAddD( u, own );
		for ( int k = 0; k < 6; ++k )
		{
			stress[k] += ownStress[k];
		}
		pnGetMisfit( system, q, u, pnStressTimes( stress, pnUnitD( normal ) ), given, acting, &held2, &free2 );
		sum.held2 += area * held2;
		sum.free2 += area * free2;
		sum.area += area;
	}
	pnGiveBack( &scratch );
	*relative = pnGetRelative( &sum, displacement, traction );
	return true;
}

// Force and torque of all that acts, over the force of what is given or, if that is nothing in all, over the sum of its parts.
static double pnGetImbalance( const pnSystem* system )
{
	pnVec3d force = { 0.0, 0.0, 0.0 }, torque = force, load = force;
	double parts = 0.0;
	for ( int q = 0; q < system->points.count; ++q )
	{
		const pnCollocationPoint* point = system->points.points + q;
		// The field of what acts inside has tractions that carry the force on the volume.
		pnVec3d ownU, ownT;
		pnReadInside( system, q, &ownU, &ownT );
		pnVec3d f = pnScaleD( point->w, pnSubD( system->t[q], ownT ) );
		force = pnAddD( force, f );
		torque = pnAddD( torque, pnCrossD( point->x, f ) );
		load = system->bounds[q].held == 0 ? pnAddD( load, f ) : load;
		parts += pnLengthD( f );
	}
	double size = pnLengthD( load );
	size = size > 0.01 * parts ? size : parts;
	return size > 0.0 ? fmax( pnLengthD( force ), pnLengthD( torque ) ) / size : 0.0;
}

// A second load, of the shape of the first displacement: each must do the same work on the other's displacement. Nothing is found out
// where displacements alone are given, or where the solid floats.
static pnResult pnFindBetti( const pnSystem* system, double* betti )
{
	int count = system->points.count;
	pnScratch scratch = { 0 };
	pnVec3d* tractions = pnTakeArray( &scratch, pnVec3d, count );
	pnVec3d* u = pnTakeArray( &scratch, pnVec3d, count );
	pnVec3d* t = pnTakeArray( &scratch, pnVec3d, count );
	double* coefficients = pnTakeArray( &scratch, double, system->columns );
	pnResult result = scratch.failed ? pn_outOfMemory : pn_success;
	bool loaded = false;
	if ( result == pn_success )
	{
		for ( int q = 0; q < count; ++q )
		{
			pnVec3d axes[3];
			pnGetAxes( system->points.points + q, system->bounds + q, axes );
			for ( int axis = 0; axis < 3; ++axis )
			{
				loaded = loaded || ( ( system->bounds[q].held >> axis & 1 ) == 0 && pnDotD( system->t[q], axes[axis] ) != 0.0 );
			}
		}
	}
	if ( result == pn_success && loaded && pnGetGauge( system )->count == 0 )
	{
		memcpy( tractions, system->u, (size_t)count * sizeof( pnVec3d ) );
		result = pnSolveTractions( system, tractions, coefficients );
	}
	else
	{
		loaded = false;
	}
	if ( result == pn_success && loaded )
	{
		pnReadDisplacements( system, coefficients, u );
		pnReadReactions( system, coefficients, NULL, t );
		double first = 0.0, second = 0.0, size = 0.0;
		for ( int q = 0; q < count; ++q )
		{
			double w = system->points.points[q].w;
			pnVec3d axes[3], ownU, ownT;
			pnGetAxes( system->points.points + q, system->bounds + q, axes );
			pnReadInside( system, q, &ownU, &ownT );
			for ( int axis = 0; axis < 3; ++axis )
			{
				if ( system->bounds[q].held >> axis & 1 )
				{
					double work = w * pnDotD( t[q], axes[axis] ) * ( system->bounds[q].value[axis] - pnDotD( ownU, axes[axis] ) );
					second += work;
					size += fabs( work );
				}
				else
				{
					// Springs belong to the solid here: what acts beside them.
					pnVec3d restU = pnSubD( system->u[q], ownU ), beside = pnMulAddD( pnSubD( system->t[q], ownT ), system->bounds[q].spring[axis], restU );
					double forth = w * pnDotD( beside, axes[axis] ) * pnDotD( u[q], axes[axis] );
					double back = w * pnDotD( tractions[q], axes[axis] ) * pnDotD( restU, axes[axis] );
					first += forth;
					second += back;
					size += 0.5 * ( fabs( forth ) + fabs( back ) );
				}
			}
		}
		*betti = size > 0.0 ? fabs( first - second ) / size : 0.0;
	}
	pnGiveBack( &scratch );
	return result;
}

pnResult pnJudge( const pnSystem* system, bool withBetti, pnQuality* quality )
{
	*quality = (pnQuality){ 0 };
	double displacement, traction, flux = 0.0, volume = 0.0;
	pnFindScales( system, &displacement, &traction );
	pnSumOfMisfits sum = { 0 };
	for ( int q = 0; q < system->points.count; ++q )
	{
		const pnCollocationPoint* point = system->points.points + q;
		pnVec3d given = pnGetValue( system, q );
		double held2, free2;
		pnGetMisfit( system, q, system->u[q], system->raw[q], given, system->t[q], &held2, &free2 );
		sum.held2 += point->w * held2;
		sum.free2 += point->w * free2;
		sum.area += point->w;
		flux += point->w * pnDotD( system->u[q], point->n );
		volume += point->w * pnDotD( point->x, point->n ) / 3.0;
		// What heat alone would make of it is no strain: the mean stress, which is the sum of t x, does no work on it.
		quality->energy += 0.5 * point->w * pnDotD( system->t[q], pnMulAddD( system->u[q], -system->inside.swelling, point->x ) );
		if ( pnIsInsideBusy( &system->inside ) )
		{
			// The work of the force on the volume, by Betti with its own field, and of that field itself.
			const pnInside* inside = &system->inside;
			double soft = ( 1.0 - 2.0 * inside->poissonRatio ) / ( 1.0 - inside->poissonRatio );
			pnVec3d ownU, ownT, x = point->x, f = inside->force;
			pnReadInside( system, q, &ownU, &ownT );
			double work = pnDotD( system->t[q], ownU ) - pnDotD( ownT, system->u[q] );
			double own = f.x * f.x * x.x * x.x * x.x * point->n.x + f.y * f.y * x.y * x.y * x.y * point->n.y + f.z * f.z * x.z * x.z * x.z * point->n.z;
			quality->energy += inside->swelling == 0.0 ? 0.5 * point->w * ( work - soft * own / 6.0 ) : 0.0;
		}
	}
	quality->volumeChange = volume > 0.0 ? flux / volume : 0.0;
	quality->residual = pnGetRelative( &sum, displacement, traction );
	quality->reaction = pnGetImbalance( system );
	if ( pnFindHeldOut( system, displacement, traction, &quality->heldOutResidual ) == false )
	{
		return pn_outOfMemory;
	}
	return withBetti ? pnFindBetti( system, &quality->betti ) : pn_success;
}
