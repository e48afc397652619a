// bind.c - the user's conditions, looked up at each collocation point. Knows no sources and no matrices.
#include "bind.h"

#include "../base/core.h"

bool pnIsInRegion( const pnRegion* region, pnVec3d p, pnVec3d n, int group, double tolerance )
{
	uint32_t tests = region->tests;
	if ( pnGetMate( group ) >= 0 )
	{
		return false;
	}
	if ( tests & pn_inBox )
	{
		pnVec3d a = region->lower, b = region->upper;
		if ( p.x < a.x - tolerance || p.y < a.y - tolerance || p.z < a.z - tolerance || p.x > b.x + tolerance || p.y > b.y + tolerance || p.z > b.z + tolerance )
		{
			return false;
		}
	}
	if ( ( tests & pn_inBall ) && pnLengthD( pnSubD( p, region->center ) ) > region->radius + tolerance )
	{
		return false;
	}
	if ( ( tests & pn_beyondPlane ) && pnDotD( pnSubD( p, region->planePoint ), pnUnitD( region->planeNormal ) ) < -tolerance )
	{
		return false;
	}
	if ( ( tests & pn_facing ) && pnDotD( n, pnUnitD( region->direction ) ) < cos( region->angle ) - pn_borderTolerance )
	{
		return false;
	}
	return ( tests & pn_inGroup ) == 0 || group == region->group;
}

static bool pnIsRegionSane( const pnRegion* r )
{
	if ( ( r->tests & pn_inBox ) && ( ( r->lower.x <= r->upper.x && r->lower.y <= r->upper.y && r->lower.z <= r->upper.z ) == false || !pnIsFinite3D( r->lower ) || !pnIsFinite3D( r->upper ) ) )
	{
		return false;
	}
	if ( ( r->tests & pn_inBall ) && ( !pnIsFinite3D( r->center ) || !pnIsFiniteD( r->radius ) || ( r->radius >= 0.0 ) == false ) )
	{
		return false;
	}
	if ( ( r->tests & pn_beyondPlane ) && ( !pnIsFinite3D( r->planePoint ) || !pnIsFinite3D( r->planeNormal ) || ( pnLengthD( r->planeNormal ) > 0.0 ) == false ) )
	{
		return false;
	}
	return ( r->tests & pn_facing ) == 0 || ( pnIsFinite3D( r->direction ) && pnLengthD( r->direction ) > 0.0 && pnIsFiniteD( r->angle ) );
}

pnResult pnCheckConditions( const pnCondition* conditions, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		const pnCondition* c = conditions + i;
		if ( (int)c->kind < pn_holdCondition || c->kind > pn_springCondition )
		{
			pnLog( "Condition %d: %d is no kind of condition.", i, (int)c->kind );
			return pn_invalidInput;
		}
		if ( pnIsRegionSane( &c->region ) == false )
		{
			pnLog( "Condition %d: its region is empty or has a number that is not finite.", i );
			return pn_invalidInput;
		}
		if ( !pnIsFinite3D( c->vector ) || !pnIsFinite3D( c->turn ) || !pnIsFinite3D( c->center ) || !pnIsFiniteD( c->pressure ) )
		{
			pnLog( "Condition %d: a value is not finite.", i );
			return pn_invalidInput;
		}
		if ( c->kind == pn_springCondition && ( pnIsFiniteD( c->stiffness ) == false || c->stiffness <= 0.0 ) )
		{
			pnLog( "Condition %d: a spring of %g N/m^3; it must be positive.", i, c->stiffness );
			return pn_invalidInput;
		}
		if ( ( c->kind == pn_holdCondition || c->kind == pn_springCondition ) && ( c->axes == 0 || c->axes > 7 ) )
		{
			pnLog( "Condition %d: holds along no axis; axes is 1 for x, 2 for y, 4 for z, or a sum of them.", i );
			return pn_invalidInput;
		}
	}
	return pn_success;
}

// Rodrigues: where the turn takes p, less p.
static pnVec3d pnTurnBy( pnVec3d turn, pnVec3d p )
{
	double angle = pnLengthD( turn );
	if ( angle == 0.0 )
	{
		return pnMakeD( 0.0, 0.0, 0.0 );
	}
	pnVec3d axis = pnScaleD( 1.0 / angle, turn );
	double half = sin( 0.5 * angle );
	// 1 - cos as 2 sin^2 of the half angle: small turns keep all digits
	pnVec3d across = pnCrossD( axis, p ), twice = pnCrossD( axis, across );
	return pnAddD( pnScaleD( sin( angle ), across ), pnScaleD( 2.0 * half * half, twice ) );
}

typedef struct pnKnown
{
	uint32_t held; // x, y, z
	int holder[3]; // condition that holds the axis
	int roller; // condition, -1: none
	double displacement[3]; // m
	pnVec3d load; // Pa
	double spring[3]; // Pa/m
} pnKnown;

static void pnLogConflict( int a, int b, int axis, pnVec3d p )
{
	pnLog( "Conditions %d and %d contradict each other: both hold the place (%g, %g, %g) along %c, at different displacements.", a, b, p.x, p.y, p.z, "xyz"[axis] );
}

static pnResult pnHoldAxis( pnKnown* known, int axis, double value, int condition, double size, pnVec3d place )
{
	double tolerance = 1e-9 * size + 1e-6 * fabs( value );
	if ( ( known->held >> axis & 1 ) && fabs( known->displacement[axis] - value ) > tolerance )
	{
		pnLogConflict( known->holder[axis], condition, axis, place );
		return pn_invalidInput;
	}
	if ( ( known->held >> axis & 1 ) == 0 )
	{
		known->held |= 1u << axis;
		known->holder[axis] = condition;
		known->displacement[axis] = value;
	}
	return pn_success;
}

static pnResult pnAddCondition( pnKnown* known, const pnCondition* c, int index, double forceArea, double size, pnVec3d place, pnVec3d normal )
{
	pnVec3d field = { 0.0, 0.0, 0.0 };
	if ( c->field != NULL )
	{
		field = c->field( place, normal, c->fieldContext );
		if ( pnIsFinite3D( field ) == false )
		{
			pnLog( "Condition %d: its field is not finite at (%g, %g, %g).", index, place.x, place.y, place.z );
			return pn_invalidInput;
		}
	}
	pnVec3d value = pnAddD( c->vector, field );
	switch ( c->kind )
	{
	case pn_holdCondition:
		value = pnAddD( value, pnTurnBy( c->turn, pnSubD( place, c->center ) ) );
		for ( int axis = 0; axis < 3; ++axis )
		{
			double along = axis == 0 ? value.x : axis == 1 ? value.y : value.z;
			if ( ( c->axes >> axis & 1 ) && pnHoldAxis( known, axis, along, index, size, place ) != pn_success )
			{
				return pn_invalidInput;
			}
		}
		break;
	case pn_rollCondition:
		known->roller = index;
		break;
	case pn_tractionCondition:
		known->load = pnAddD( known->load, value );
		break;
	case pn_pressureCondition:
		known->load = pnAddD( known->load, pnMulAddD( field, -c->pressure, normal ) );
		break;
	case pn_springCondition:
	{
		double rest[3] = { value.x, value.y, value.z };
		for ( int axis = 0; axis < 3; ++axis )
		{
			double stiffness = c->axes >> axis & 1 ? c->stiffness : 0.0, pull = stiffness * rest[axis];
			known->spring[axis] += stiffness;
			known->load = pnAddD( known->load, pnMakeD( axis == 0 ? pull : 0.0, axis == 1 ? pull : 0.0, axis == 2 ? pull : 0.0 ) );
		}
		break;
	}
	case pn_forceCondition:
		known->load = pnAddD( known->load, pnAddD( field, pnScaleD( 1.0 / forceArea, c->vector ) ) );
		break;
	}
	return pn_success;
}

// A roller on a face across an axis is a hold along that axis; on a slanted face the axes are turned.
static pnResult pnSettle( const pnKnown* knownInput, const pnUnits* units, const pnCollocationPoint* point, pnVec3d place, pnBound* bound )
{
	pnKnown known = *knownInput;
	double n[3] = { point->n.x, point->n.y, point->n.z };
	bool framed = false;
	if ( known.roller >= 0 )
	{
		int axis = fabs( n[0] ) > fabs( n[1] ) ? 0 : 1;
		axis = fabs( n[2] ) > fabs( n[axis] ) ? 2 : axis;
		if ( fabs( n[axis] ) > 1.0 - 1e-12 )
		{
			if ( pnHoldAxis( &known, axis, 0.0, known.roller, units->size, place ) != pn_success )
			{
				return pn_invalidInput;
			}
		}
		else if ( known.held == 7 )
		{
			double along = known.displacement[0] * n[0] + known.displacement[1] * n[1] + known.displacement[2] * n[2];
			if ( fabs( along ) > 1e-9 * units->size )
			{
				pnLog( "Conditions %d and %d contradict each other: one lets the place (%g, %g, %g) roll, the other moves it along its normal.",
					   known.holder[0], known.roller, place.x, place.y, place.z );
				return pn_invalidInput;
			}
		}
		else if ( known.held != 0 )
		{
			pnLog( "Conditions cannot be combined at (%g, %g, %g): condition %d rolls on a slanted surface that is also held along single axes.", place.x, place.y, place.z, known.roller );
			return pn_invalidInput;
		}
		else
		{
			framed = true;
		}
	}
	pnVec3d load = pnScaleD( 1.0 / units->modulus, known.load );
	*bound = (pnBound){ .held = (uint8_t)known.held, .framed = framed };
	if ( framed && known.spring[0] + known.spring[1] + known.spring[2] > 0.0 )
	{
		pnLog( "Conditions cannot be combined at (%g, %g, %g): condition %d rolls on a slanted surface that also lies on springs.", place.x, place.y, place.z, known.roller );
		return pn_invalidInput;
	}
	if ( framed )
	{
		pnVec3d s, t;
		pnMakeFrameD( point->n, &s, &t );
		bound->held = 1;
		bound->value[1] = pnDotD( load, s );
		bound->value[2] = pnDotD( load, t );
		return pn_success;
	}
	double along[3] = { load.x, load.y, load.z };
	for ( int axis = 0; axis < 3; ++axis )
	{
		bool held = known.held >> axis & 1;
		bound->value[axis] = held ? known.displacement[axis] / units->size : along[axis];
		bound->spring[axis] = held ? 0.0 : known.spring[axis] * units->size / units->modulus;
	}
	return pn_success;
}

static bool pnIsAnythingIn( const pnRegion* region, const pnUnits* units, const pnCollocationPoints* points, double tolerance )
{
	bool found = false;
	for ( int q = 0; q < points->count && found == false; ++q )
	{
		const pnCollocationPoint* point = points->points + q;
		found = pnIsInRegion( region, pnToUser( units, point->x ), point->n, point->group, tolerance );
	}
	return found;
}

// A region that misses the surface: what is nearest to it, and whether it would meet the surface in other units of length.
static void pnTellMissed( int condition, const pnRegion* region, const pnUnits* units, const pnCollocationPoints* points, double tolerance )
{
	static const double factors[] = { 1e3, 1e-3, 1e2, 1e-2, 10.0, 0.1, 25.4, 1.0 / 25.4, 0.0254, 1.0 / 0.0254 };
	bool isBox = ( region->tests & pn_inBox ) != 0, isBall = ( region->tests & pn_inBall ) != 0;
	pnVec3d middle = isBox ? pnScaleD( 0.5, pnAddD( region->lower, region->upper ) ) : isBall ? region->center : region->planePoint;
	if ( ( region->tests & ( pn_inBox | pn_inBall | pn_beyondPlane ) ) == 0 || points->count == 0 )
	{
		pnLog( "Condition %d: no part of the surface lies in its region.", condition );
		return;
	}
	pnVec3d nearest = pnToUser( units, points->points[0].x );
	for ( int q = 1; q < points->count; ++q )
	{
		pnVec3d place = pnToUser( units, points->points[q].x );
		nearest = pnLengthD( pnSubD( place, middle ) ) < pnLengthD( pnSubD( nearest, middle ) ) ? place : nearest;
	}
	for ( int k = 0; k < PN_COUNT( factors ); ++k )
	{
		pnRegion other = *region;
		double f = factors[k];
		other.lower = pnScaleD( f, region->lower );
		other.upper = pnScaleD( f, region->upper );
		other.center = pnScaleD( f, region->center );
		other.planePoint = pnScaleD( f, region->planePoint );
		other.radius = f * region->radius;
		if ( pnIsAnythingIn( &other, units, points, tolerance ) )
		{
			pnLog( "Condition %d: no part of the surface lies in its region; the nearest is at (%g, %g, %g). With its lengths times %g it would: other units?", condition, nearest.x, nearest.y,
				   nearest.z, f );
			return;
		}
	}
	pnLog( "Condition %d: no part of the surface lies in its region; the nearest is at (%g, %g, %g).", condition, nearest.x, nearest.y, nearest.z );
}

pnResult pnBindConditions( const pnCondition* conditions, int conditionCount, const pnUnits* units, const pnCollocationPoints* points, pnBound* bounds )
{
	double tolerance = pn_borderTolerance * units->size;
	double* areas = pnAllocArray( double, conditionCount + 1 );
	if ( areas == NULL )
	{
		return pn_outOfMemory;
	}
	pnResult result = pn_success;
	for ( int i = 0; i < conditionCount && result == pn_success; ++i )
	{
		for ( int q = 0; q < points->count; ++q )
		{
			const pnCollocationPoint* point = points->points + q;
			areas[i] += pnIsInRegion( &conditions[i].region, pnToUser( units, point->x ), point->n, point->group, tolerance ) ? point->w * units->size * units->size : 0.0;
		}
		if ( areas[i] == 0.0 )
		{
			pnTellMissed( i, &conditions[i].region, units, points, tolerance );
			result = pn_invalidInput;
		}
	}
	for ( int q = 0; q < points->count && result == pn_success; ++q )
	{
		const pnCollocationPoint* point = points->points + q;
		pnVec3d place = pnToUser( units, point->x );
		pnKnown known = { .roller = -1 };
		for ( int i = 0; i < conditionCount && result == pn_success; ++i )
		{
			if ( pnIsInRegion( &conditions[i].region, place, point->n, point->group, tolerance ) )
			{
				result = pnAddCondition( &known, conditions + i, i, areas[i], units->size, place, point->n );
			}
		}
		if ( result == pn_success )
		{
			result = pnSettle( &known, units, point, place, bounds + q );
		}
	}
	pnFreeArray( double, areas, conditionCount + 1 );
	return result == pn_success ? pnMatchMoments( conditions, conditionCount, units, points, bounds ) : result;
}

uint64_t pnTellBorders( pnVec3d place, pnVec3d normal, int group, void* context )
{
	const pnBorders* borders = context;
	uint64_t bits = 0;
	pnVec3d user = pnToUser( borders->units, place );
	for ( int i = 0; i < borders->count; ++i )
	{
		bool in = pnIsInRegion( &borders->conditions[i].region, user, normal, group, pn_borderTolerance * borders->units->size );
		bits ^= in ? 1ull << ( i & 63 ) : 0ull;
	}
	return bits;
}
