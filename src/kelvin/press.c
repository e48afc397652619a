// press.c - rigid tools against the surface. Knows one system, no rounds.
//
// The pressure on each pad (a small piece of the surface) is unknown, and never negative; the gap between a pad and its tool is
// never negative; one of the two is zero. How the pads give way to pressures is a compliance from the factored energy, so each try of
// an active set is a small positive definite system (primal-dual active sets).
#include "press.h"

#include "../base/cloud.h"

#include <cblas.h>
#include <lapacke.h>

enum
{
	PN_MOST_PADS = 2500, // of a compliance; it is dense
	PN_MOST_CHANGES = 60, // of the active set
	PN_MOST_DEPTHS = 40, // tried for a wanted force
};
// Fields finer than the sources are not resolved, so pressures of neighbouring pads are not told apart. A skin that gives way by this
// part of the spacing does.
static const double pn_skinThickness = 0.025;

typedef struct pnPad
{
	pnVec3d x; // scaled
	double area, s;
	int begin, end; // of its spots in `members`
	int tool;
	pnVec3d away; // unit, out of the tool
	double gap; // at rest, scaled
	double pressure; // scaled
} pnPad;

typedef struct pnContact
{
	pnSystem* system;
	const pnUnits* units;
	const pnTool* tools;
	int toolCount;
	double* depths; // m, now
	double* prepared; // m, when the pads were collected
	pnPad* pads;
	int padCount;
	int32_t* members; // spots of the pads
	double* answers; // strengths of a unit traction along each axis on each pad: columns x 3 padCount
	double* compliance; // area times mean displacement, of the same: ( 3 padCount )^2
	double* base; // of the conditions alone: 3 padCount
	double* matrix; // padCount^2
	double* small; // padCount^2, factored
	double* side; // padCount
	double* gaps; // padCount
	uint8_t* active;
	pnScratch scratch;
	int changeCount;
	bool settled;
} pnContact;

static void pnPlacePad( const pnContact* contact, pnPad* pad )
{
	pnVec3d place = pnToUser( contact->units, pad->x );
	pad->gap = 1e300;
	for ( int i = 0; i < contact->toolCount; ++i )
	{
		pnVec3d away;
		double gap = pnGetToolDistance( contact->tools + i, contact->depths[i], place, &away ) / contact->units->size;
		if ( gap < pad->gap )
		{
			pad->gap = gap;
			pad->away = away;
			pad->tool = i;
		}
	}
}

// Spots of one cell that look the same way are a pad: about as large as what the sources can tell apart.
static uint64_t pnGetPadKey( const pnSpot* spot )
{
	double cell = exp2( floor( log2( 1.2 * spot->s ) ) );
	int64_t words[7] = {
		(int64_t)floor( spot->x.x / cell ),
		(int64_t)floor( spot->x.y / cell ),
		(int64_t)floor( spot->x.z / cell ),
		(int64_t)( 1.0 / cell ),
		(int64_t)floor( 4.0 * spot->n.x + 0.5 ),
		(int64_t)floor( 4.0 * spot->n.y + 0.5 ),
		(int64_t)floor( 4.0 * spot->n.z + 0.5 ),
	};
	return pnHash( PN_HASH_SEED, words, sizeof( words ) );
}

// Pads a tool may touch: before it or in it, looking at it, and not held.
static bool pnCollectPads( pnContact* contact )
{
	const pnSpots* spots = &contact->system->spots;
	size_t room = (size_t)spots->count + 1;
	contact->pads = pnTakeArray( &contact->scratch, pnPad, room );
	contact->members = pnTakeArray( &contact->scratch, int32_t, 2 * room );
	uint64_t* keys = pnTakeArray( &contact->scratch, uint64_t, 2 * room );
	if ( contact->scratch.failed )
	{
		return false;
	}
	int count = 0;
	for ( int q = 0; q < spots->count; ++q )
	{
		const pnSpot* spot = spots->spots + q;
		pnPad alone = { .x = spot->x };
		pnPlacePad( contact, &alone );
		if ( contact->system->bounds[q].held == 0 && alone.gap < spot->s && pnDotD( alone.away, spot->n ) < 0.0 )
		{
			keys[count] = pnGetPadKey( spot );
			contact->members[count++] = q;
		}
	}
	pnSortByKey( keys, contact->members, keys + room, contact->members + room, count );
	for ( int begin = 0, end; begin < count; begin = end )
	{
		pnPad pad = { .begin = begin };
		for ( end = begin; end < count && keys[end] == keys[begin]; ++end )
		{
			const pnSpot* spot = spots->spots + contact->members[end];
			pad.x = pnMulAddD( pad.x, spot->w, spot->x );
			pad.s += spot->w * spot->s;
			pad.area += spot->w;
		}
		pad.end = end;
		pad.x = pnScaleD( 1.0 / pad.area, pad.x );
		pad.s /= pad.area;
		// More than can be dealt with: what is left out may end up inside the tool, and the answer says that it is not settled.
		contact->settled = contact->settled && contact->padCount < PN_MOST_PADS;
		if ( contact->padCount < PN_MOST_PADS )
		{
			contact->pads[contact->padCount++] = pad;
		}
	}
	return true;
}

static bool pnFindCompliance( pnContact* contact )
{
	const pnSystem* system = contact->system;
	int columns = system->columns, count = 3 * contact->padCount;
	double* loads = pnTakeRawArray( &contact->scratch, double, (size_t)columns * (size_t)count );
	contact->answers = pnTakeRawArray( &contact->scratch, double, (size_t)columns * (size_t)count );
	contact->compliance = pnTakeRawArray( &contact->scratch, double, (size_t)count * (size_t)count );
	contact->base = pnTakeArray( &contact->scratch, double, count );
	contact->matrix = pnTakeRawArray( &contact->scratch, double, (size_t)contact->padCount * (size_t)contact->padCount );
	contact->small = pnTakeRawArray( &contact->scratch, double, (size_t)contact->padCount * (size_t)contact->padCount );
	contact->side = pnTakeArray( &contact->scratch, double, contact->padCount );
	contact->gaps = pnTakeArray( &contact->scratch, double, contact->padCount );
	contact->active = pnTakeArray( &contact->scratch, uint8_t, contact->padCount );
	double* rows = pnTakeRawArray( &contact->scratch, double, 3 * (size_t)columns );
	if ( contact->scratch.failed )
	{
		return false;
	}
	memset( loads, 0, (size_t)columns * (size_t)count * sizeof( double ) );
	for ( int k = 0; k < contact->padCount; ++k )
	{
		const pnPad* pad = contact->pads + k;
		for ( int i = pad->begin; i < pad->end; ++i )
		{
			int q = contact->members[i];
			// Pads have no held axes, so their rows are along x, y, z. Unmended: mends are right in sum, not place by place.
			pnFillBlock( &system->rows, q, q + 1, false, rows, NULL );
			cblas_daxpy( 3 * columns, system->spots.spots[q].w, rows, 1, loads + (size_t)( 3 * k ) * (size_t)columns, 1 );
		}
	}
	memcpy( contact->answers, loads, (size_t)columns * (size_t)count * sizeof( double ) );
	pnSolveEnergies( &system->energy, contact->answers, count );
	cblas_dgemm( CblasColMajor, CblasTrans, CblasNoTrans, count, count, columns, 1.0, loads, columns, contact->answers, columns, 0.0, contact->compliance, count );
	cblas_dgemv( CblasColMajor, CblasTrans, columns, count, 1.0, loads, columns, system->strengths, 1, 0.0, contact->base, 1 );
	for ( int k = 0; k < contact->padCount; ++k )
	{
		for ( int i = contact->pads[k].begin; i < contact->pads[k].end; ++i )
		{
			pnVec3d u, t;
			pnReadInside( system, contact->members[i], &u, &t );
			double w = system->spots.spots[contact->members[i]].w, own[3] = { w * u.x, w * u.y, w * u.z };
			cblas_daxpy( 3, 1.0, own, 1, contact->base + 3 * k, 1 );
		}
	}
	return true;
}

static double pnDot3( const double* a, pnVec3d b )
{
	return a[0] * b.x + a[1] * b.y + a[2] * b.z;
}

// The compliance along the ways the tools push, and what is missing to no penetration.
static void pnTurnCompliance( pnContact* contact )
{
	int n = contact->padCount, count = 3 * n;
	for ( int k = 0; k < n; ++k )
	{
		pnPad* pad = contact->pads + k;
		pnPlacePad( contact, pad );
		contact->side[k] = -pad->gap * pad->area - pnDot3( contact->base + 3 * k, pad->away );
	}
	for ( int b = 0; b < n; ++b )
	{
		for ( int a = 0; a < n; ++a )
		{
			const double* block = contact->compliance + (size_t)( 3 * b ) * (size_t)count + (size_t)( 3 * a );
			pnVec3d along = pnMakeD( pnDot3( block, contact->pads[a].away ), pnDot3( block + count, contact->pads[a].away ), pnDot3( block + 2 * count, contact->pads[a].away ) );
			contact->matrix[(size_t)b * (size_t)n + (size_t)a] = pnDotD( along, contact->pads[b].away );
		}
		contact->matrix[(size_t)b * (size_t)( n + 1 )] += pn_skinThickness * contact->pads[b].s * contact->pads[b].area;
	}
}

// Pressures of the active pads for a right side, by the order of the active ones; the factor stays in contact->small. Returns how many.
static int pnSolveActive( pnContact* contact, double* values, bool factor )
{
	int n = contact->padCount, count = 0;
	for ( int k = 0; k < n; ++k )
	{
		if ( contact->active[k] )
		{
			values[count++] = values[k];
		}
	}
	if ( factor )
	{
		int column = 0;
		for ( int b = 0; b < n; ++b )
		{
			int row = 0;
			for ( int a = 0; a < n && contact->active[b]; ++a )
			{
				if ( contact->active[a] )
				{
					contact->small[(size_t)column * (size_t)count + (size_t)row++] = contact->matrix[(size_t)b * (size_t)n + (size_t)a];
				}
			}
			column += contact->active[b];
		}
		if ( count > 0 && LAPACKE_dpotrf_work( LAPACK_COL_MAJOR, 'L', count, contact->small, count ) != 0 )
		{
			return -1;
		}
	}
	if ( count > 0 )
	{
		LAPACKE_dpotrs_work( LAPACK_COL_MAJOR, 'L', count, 1, contact->small, count, values, count );
	}
	return count;
}

// Which pads are pushed, at these depths. First whole sets are exchanged; if that goes round in circles, one pad at a time (Murty),
// which always ends.
static bool pnSettlePads( pnContact* contact )
{
	int n = contact->padCount;
	for ( int change = 0; change < 20 * PN_MOST_CHANGES; ++change )
	{
		++contact->changeCount;
		memcpy( contact->gaps, contact->side, (size_t)n * sizeof( double ) );
		if ( pnSolveActive( contact, contact->gaps, true ) < 0 )
		{
			return false;
		}
		for ( int k = 0, next = 0; k < n; ++k )
		{
			contact->pads[k].pressure = contact->active[k] ? contact->gaps[next++] : 0.0;
		}
		// Gap times area of the others
		for ( int k = 0; k < n; ++k )
		{
			contact->gaps[k] = -contact->side[k];
		}
		for ( int b = 0; b < n; ++b )
		{
			if ( contact->pads[b].pressure != 0.0 )
			{
				cblas_daxpy( n, contact->pads[b].pressure, contact->matrix + (size_t)b * (size_t)n, 1, contact->gaps, 1 );
			}
		}
		int wrong = 0;
		for ( int k = 0; k < n; ++k )
		{
			bool should = contact->active[k] ? contact->pads[k].pressure > 0.0 : contact->gaps[k] < -1e-12 * contact->pads[k].area;
			if ( should != ( contact->active[k] != 0 ) )
			{
				++wrong;
				if ( change < PN_MOST_CHANGES || wrong == 1 )
				{
					contact->active[k] = should;
				}
			}
		}
		if ( wrong == 0 )
		{
			return true;
		}
	}
	return false;
}

static pnVec3d pnGetToolForce( const pnContact* contact, int tool ) // scaled
{
	pnVec3d force = { 0.0, 0.0, 0.0 };
	for ( int k = 0; k < contact->padCount; ++k )
	{
		const pnPad* pad = contact->pads + k;
		force = pad->tool == tool ? pnMulAddD( force, pad->pressure * pad->area, pad->away ) : force;
	}
	return force;
}

// How much more a tool carries if it is pressed on, for the pads active now.
static double pnGetToolStiffness( pnContact* contact, int tool )
{
	int n = contact->padCount;
	pnVec3d way = contact->tools[tool].direction;
	for ( int k = 0; k < n; ++k )
	{
		const pnPad* pad = contact->pads + k;
		contact->gaps[k] = pad->tool == tool ? pad->area * pnDotD( pad->away, way ) : 0.0;
	}
	int count = pnSolveActive( contact, contact->gaps, false );
	double sum = 0.0;
	for ( int k = 0, next = 0; k < n && count > 0; ++k )
	{
		const pnPad* pad = contact->pads + k;
		if ( contact->active[k] )
		{
			sum += contact->gaps[next++] * ( pad->tool == tool ? pad->area * pnDotD( pad->away, way ) : 0.0 );
		}
	}
	return sum;
}

// The least gap of a tool to any pad that looks at it, m; it may be moved on by this before it touches.
static double pnGetClearance( const pnContact* contact, int tool )
{
	double least = 1e300;
	const pnSpots* spots = &contact->system->spots;
	for ( int q = 0; q < spots->count; ++q )
	{
		pnVec3d away;
		double gap = pnGetToolDistance( contact->tools + tool, contact->depths[tool], pnToUser( contact->units, spots->spots[q].x ), &away );
		least = gap < least && pnDotD( away, spots->spots[q].n ) < 0.0 ? gap : least;
	}
	return least;
}

// Pads, their compliance and the active set at the present depths.
static pnResult pnPrepare( pnContact* contact )
{
	pnGiveBack( &contact->scratch );
	contact->padCount = 0;
	if ( pnCollectPads( contact ) == false || pnFindCompliance( contact ) == false )
	{
		return pn_outOfMemory;
	}
	return pn_success;
}

static void pnSettleAtDepths( pnContact* contact )
{
	pnTurnCompliance( contact );
	for ( int k = 0; k < contact->padCount; ++k )
	{
		contact->active[k] = contact->side[k] > 0.0;
	}
	contact->settled = pnSettlePads( contact ) && contact->settled;
}

// Newton's method on the depths of the tools that must carry a force. The force grows ever faster with the depth, so that from the
// second step on it comes from one side.
static pnResult pnFindDepths( pnContact* contact, const double* wantedForces )
{
	double forceScale = contact->units->modulus * contact->units->size * contact->units->size;
	bool anyForce = false;
	for ( int i = 0; i < contact->toolCount; ++i )
	{
		if ( wantedForces[i] > 0.0 )
		{
			anyForce = true;
			double clearance = pnGetClearance( contact, i );
			// Just in: far enough that some pads are touched
			contact->depths[i] += clearance < 1e200 ? clearance + 0.01 * contact->units->size : 0.0;
		}
	}
	pnResult result = pnPrepare( contact );
	if ( result == pn_success )
	{
		pnSettleAtDepths( contact );
	}
	size_t depthBytes = (size_t)contact->toolCount * sizeof( double );
	memcpy( contact->prepared, contact->depths, depthBytes );
	bool met = anyForce == false;
	for ( int step = 0; step < PN_MOST_DEPTHS && result == pn_success && met == false; ++step )
	{
		met = true;
		bool deeper = false;
		for ( int i = 0; i < contact->toolCount; ++i )
		{
			if ( ( wantedForces[i] > 0.0 ) == false )
			{
				continue;
			}
			double wanted = wantedForces[i] / forceScale, carried = pnDotD( pnGetToolForce( contact, i ), contact->tools[i].direction );
			double stiffness = pnGetToolStiffness( contact, i );
			double way = stiffness > 0.0 ? ( wanted - carried ) / stiffness : 0.02;
			// Pads beyond those touched would join: no more than doubles of what is pressed now
			way = fmin( fmax( way, -0.1 ), 0.1 );
			met = met && fabs( wanted - carried ) < 1e-6 * wanted;
			contact->depths[i] += way * contact->units->size;
			deeper = deeper || contact->depths[i] > contact->prepared[i] + 1e-9 * contact->units->size;
		}
		if ( met )
		{
			break;
		}
		if ( deeper )
		{
			result = pnPrepare( contact );
			memcpy( contact->prepared, contact->depths, depthBytes );
		}
		if ( result == pn_success )
		{
			pnSettleAtDepths( contact );
		}
	}
	contact->settled = contact->settled && met;
	return result;
}

pnResult pnPressTools( pnSystem* system, const pnUnits* units, const pnTool* tools, const double* depths, const double* wantedForces, int toolCount, pnVec3d* contactTractions,
					   pnPressed* pressed, pnPressResult* info )
{
	pnContact contact = { .system = system, .units = units, .tools = tools, .toolCount = toolCount, .settled = true };
	contact.depths = pnAllocArray( double, 2 * toolCount );
	if ( contact.depths == NULL )
	{
		return pn_outOfMemory;
	}
	contact.prepared = contact.depths + toolCount;
	memcpy( contact.depths, depths, (size_t)toolCount * sizeof( double ) );
	memset( contactTractions, 0, (size_t)system->spots.count * sizeof( pnVec3d ) );
	pnResult result = pnFindDepths( &contact, wantedForces );
	if ( result == pn_success )
	{
		double area = units->size * units->size;
		for ( int i = 0; i < toolCount; ++i )
		{
			pressed[i] = (pnPressed){ .force = pnScaleD( units->modulus * area, pnGetToolForce( &contact, i ) ), .depth = contact.depths[i] };
		}
		for ( int k = 0; k < contact.padCount; ++k )
		{
			const pnPad* pad = contact.pads + k;
			if ( pad->pressure == 0.0 )
			{
				continue;
			}
			pressed[pad->tool].area += pad->area * area;
			pnVec3d traction = pnScaleD( pad->pressure, pad->away );
			for ( int i = pad->begin; i < pad->end; ++i )
			{
				contactTractions[contact.members[i]] = traction;
			}
			const double* answers = contact.answers + (size_t)( 3 * k ) * (size_t)system->columns;
			cblas_daxpy( system->columns, traction.x, answers, 1, system->strengths, 1 );
			cblas_daxpy( system->columns, traction.y, answers + system->columns, 1, system->strengths, 1 );
			cblas_daxpy( system->columns, traction.z, answers + 2 * system->columns, 1, system->strengths, 1 );
		}
		info->iterationCount = contact.changeCount;
		info->converged = contact.settled;
	}
	pnGiveBack( &contact.scratch );
	pnFreeArray( double, contact.depths, 2 * toolCount );
	return result;
}
