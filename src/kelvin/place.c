// place.c - where the sources go. Knows no elasticity.
#include "place.h"

#include "paper/around.h"

#include "../base/cloud.h"

#include <stdlib.h>

enum { PN_LANE_PADDING = 8, PN_NEIGHBOURS = 24, PN_TILTS = 6 };
// Beyond these the normals of near places belong to different faces.
static const double pn_sameFaceCosine = 0.77;
static const double pn_creaseCosine = 0.9;

void pnDestroySources( pnSources* sources )
{
	pnFreeArray( double, sources->x, sources->capacity );
	pnFreeArray( double, sources->y, sources->capacity );
	pnFreeArray( double, sources->z, sources->capacity );
	*sources = (pnSources){ 0 };
}

static bool pnTakeSources( pnSources* sources, int count )
{
	int capacity = ( count + PN_LANE_PADDING ) / PN_LANE_PADDING * PN_LANE_PADDING;
	*sources = (pnSources){ pnAllocArray( double, capacity ), pnAllocArray( double, capacity ), pnAllocArray( double, capacity ), 0, capacity };
	if ( sources->x == NULL || sources->y == NULL || sources->z == NULL )
	{
		pnDestroySources( sources );
		return false;
	}
	for ( int i = 0; i < capacity; ++i )
	{
		sources->x[i] = sources->y[i] = sources->z[i] = 1e3;
	}
	return true;
}

static void pnAddSource( pnSources* sources, pnVec3d place )
{
	int i = sources->count++;
	sources->x[i] = place.x;
	sources->y[i] = place.y;
	sources->z[i] = place.z;
}

bool pnFindRoom( const pnCollocationPoints* points, double most, double least, pnSpacing* room )
{
	for ( int i = 0; i < points->count; ++i )
	{
		const pnCollocationPoint* a = points->points + i;
		double radius = 2.0 * most;
		for ( int j = 0; j < points->count; ++j )
		{
			const pnCollocationPoint* b = points->points + j;
			pnVec3d d = pnSubD( b->x, a->x );
			double ahead = pnDotD( d, a->n ), distance2 = pnDotD( d, d );
			if ( distance2 >= 2.0 * ahead * radius || ahead <= 1e-6 )
			{
				continue;
			}
			// Near places on one smooth face say more about its facets than about its curvature.
			if ( pnDotD( a->n, b->n ) > pn_sameFaceCosine && distance2 < 4.0 * ( a->w + b->w ) )
			{
				continue;
			}
			radius = 0.5 * distance2 / ahead;
		}
		double allowed = fmax( 0.5 * radius, fmin( least * sqrt( a->w ), 0.9 * radius ) );
		allowed = fmax( allowed, 0.15 * most );
		if ( allowed < most && pnAddSeed( room, a->x, allowed ) == false )
		{
			return false;
		}
	}
	return true;
}

// In hollows, where sources are bounded: farther away than elsewhere, because their unevenness shows in the stress at the wall; but as far as
// half the radius coefficients grew until the stress was off by 18 % in places.
static const double pn_farther = 1.45;

double pnGetDistance( const pnPlaceDef* def, const pnCollocationPoint* point )
{
	double distance = def->distance * fmin( point->far, pn_farther * point->s );
	if ( def->room != NULL )
	{
		double room = pnGetSpacing( def->room, point->x );
		distance = room < distance ? room : distance;
	}
	return distance;
}

// How often the surface winds around a place: 1 inside, 0 outside (Gauss). Right to some hundredths if the collocation points are denser than
// the distance to the surface.
double pnGetWinding( const pnCollocationPoints* points, pnVec3d place )
{
	double sum = 0.0;
	for ( int i = 0; i < points->count; ++i )
	{
		const pnCollocationPoint* point = points->points + i;
		pnVec3d d = pnSubD( point->x, place );
		double r2 = pnDotD( d, d ) + 1e-12;
		sum += point->w * pnDotD( d, point->n ) / ( r2 * sqrt( r2 ) );
	}
	return sum / ( 4.0 * M_PI );
}

// ---- shells ----

typedef struct pnCandidate
{
	pnVec3d place, foot; // the collocation point it stands over
	double s; // spacing
} pnCandidate;

typedef struct pnShell
{
	const pnCollocationPoints* points;
	const double* distances; // of each collocation point
	pnPointTree tree;
	pnCandidate* candidates;
	int count, capacity;
	bool failed;
} pnShell;

static pnVec3 pnToFloat( pnVec3d a )
{
	return pnMakeVec3( (float)a.x, (float)a.y, (float)a.z );
}

static int pnFindNearestCollocationPoint( const pnShell* shell, pnVec3d place )
{
	int32_t found = 0;
	double distance2;
	pnFindNearest( &shell->tree, pnToFloat( place ), 1, &found, &distance2 );
	return found;
}

// Moves the place to its distance from the nearest collocation point, and keeps it if it is outside and nothing else is nearer.
static void pnTryCandidate( pnShell* shell, pnVec3d place, pnVec3d foot, double s, double d, bool move )
{
	for ( int i = 0; i < 2 && move; ++i )
	{
		int q = pnFindNearestCollocationPoint( shell, place );
		const pnCollocationPoint* point = shell->points->points + q;
		pnVec3d v = pnSubD( place, point->x );
		double length = pnLengthD( v );
		if ( ( length > 0.0 ) == false || pnDotD( v, point->n ) <= 0.0 )
		{
			return;
		}
		s = point->s;
		foot = point->x;
		d = shell->distances[q];
		place = pnMulAddD( point->x, d / length, v );
	}
	int q = pnFindNearestCollocationPoint( shell, place );
	const pnCollocationPoint* point = shell->points->points + q;
	pnVec3d v = pnSubD( place, point->x );
	double least = 0.9 * ( d < shell->distances[q] ? d : shell->distances[q] );
	if ( pnDotD( v, v ) < least * least || pnDotD( v, point->n ) <= 0.0 )
	{
		return;
	}
	if ( shell->count == shell->capacity && pnGrow( (void**)&shell->candidates, &shell->capacity, shell->count, shell->count + 1, sizeof( pnCandidate ) ) == false )
	{
		shell->failed = true;
		return;
	}
	shell->candidates[shell->count++] = (pnCandidate){ place, foot, s };
}

// Along the normal of each collocation point; and, where the surface turns away, also to the sides: normals alone leave gaps beyond edges.
static void pnFindCandidates( pnShell* shell )
{
	const pnCollocationPoints* points = shell->points;
	for ( int q = 0; q < points->count && shell->failed == false; ++q )
	{
		const pnCollocationPoint* point = points->points + q;
		double d = shell->distances[q];
		pnTryCandidate( shell, pnMulAddD( point->x, d, point->n ), point->x, point->s, d, false );
		int32_t near[PN_NEIGHBOURS];
		double distances2[PN_NEIGHBOURS];
		int nearCount = pnFindNearest( &shell->tree, pnToFloat( point->x ), PN_NEIGHBOURS, near, distances2 );
		bool atEdge = false;
		for ( int k = 0; k < nearCount; ++k )
		{
			const pnCollocationPoint* other = points->points + near[k];
			atEdge = atEdge || ( pnDotD( point->n, other->n ) < pn_creaseCosine && pnDotD( pnSubD( other->x, point->x ), pnSubD( other->n, point->n ) ) > 0.0 );
		}
		for ( int tilt = 0; tilt < PN_TILTS && atEdge; ++tilt )
		{
			pnVec3d a, b;
			pnMakeFrameD( point->n, &a, &b );
			double angle = 2.0 * M_PI * tilt / PN_TILTS;
			pnVec3d way = pnUnitD( pnAddD( point->n, pnAddD( pnScaleD( cos( angle ), a ), pnScaleD( sin( angle ), b ) ) ) );
			pnTryCandidate( shell, pnMulAddD( point->x, 1.2 * d, way ), point->x, point->s, d, true );
		}
	}
}

// One after another the candidate that is farthest from those taken, in local spacings.
static bool pnTakeFarthest( const pnCollocationPoints* points, const pnCandidate* candidates, int candidateCount, int wanted, bool mayBeInside, pnSources* sources )
{
	double* away = pnAllocArray( double, candidateCount + 1 );
	if ( away == NULL )
	{
		return false;
	}
	for ( int i = 0; i < candidateCount; ++i )
	{
		// The first one: whichever is farthest from the middle
		away[i] = 1e6 + pnDotD( candidates[i].place, candidates[i].place );
	}
	while ( sources->count < wanted )
	{
		int best = -1;
		for ( int i = 0; i < candidateCount; ++i )
		{
			best = away[i] > 0.0 && ( best < 0 || away[i] > away[best] ) ? i : best;
		}
		if ( best < 0 )
		{
			break;
		}
		const pnCandidate* taken = candidates + best;
		if ( mayBeInside && pnGetWinding( points, taken->place ) > 0.3 )
		{
			away[best] = 0.0;
			continue;
		}
		pnAddSource( sources, taken->place );
		for ( int i = 0; i < candidateCount; ++i )
		{
			// In hollows sources are nearer to each other than the places they stand for, beyond edges it is the other way round.
			pnVec3d d = pnSubD( candidates[i].place, taken->place ), f = pnSubD( candidates[i].foot, taken->foot );
			double distance2 = fmax( pnDotD( d, d ), pnDotD( f, f ) ) / ( candidates[i].s * candidates[i].s );
			away[i] = distance2 < away[i] ? distance2 : away[i];
		}
	}
	pnFreeArray( double, away, candidateCount + 1 );
	return true;
}

// To its distance from the nearest collocation point, twice: the way there may change which is nearest. False: it comes to lie behind or too near to a collocation point.
static bool pnMoveToShell( const pnShell* shell, pnVec3d* place, pnVec3d* foot )
{
	for ( int i = 0; i < 3; ++i )
	{
		int q = pnFindNearestCollocationPoint( shell, *place );
		const pnCollocationPoint* point = shell->points->points + q;
		pnVec3d v = pnSubD( *place, point->x );
		double length = pnLengthD( v );
		if ( ( length > 0.0 ) == false || pnDotD( v, point->n ) <= 0.0 || ( i == 2 && length < 0.9 * shell->distances[q] ) )
		{
			return false;
		}
		*place = i < 2 ? pnMulAddD( point->x, shell->distances[q] / length, v ) : *place;
		*foot = point->x;
	}
	return true;
}

// Farthest points cover a shell, but not evenly. Each source goes to the middle of the candidates that are nearest to it (Lloyd), and back
// to its distance from the surface: sums of the same number of fields are smoother then.
static bool pnEvenSources( const pnShell* shell, pnSources* sources )
{
	enum { PN_LLOYD_ROUNDS = 4, PN_AROUND = 7 };
	int count = sources->count, candidateCount = shell->count;
	pnScratch scratch = { 0 };
	pnVec3* places = pnTakeArray( &scratch, pnVec3, candidateCount + 1 );
	double* weights = pnTakeArray( &scratch, double, candidateCount + 1 );
	pnVec3d* feet = pnTakeArray( &scratch, pnVec3d, count + 1 );
	pnVec3d* sums = pnTakeArray( &scratch, pnVec3d, count + 1 );
	double* wholes = pnTakeArray( &scratch, double, count + 1 );
	pnPointTree tree;
	bool done = scratch.failed == false;
	for ( int i = 0; i < candidateCount && done; ++i )
	{
		places[i] = pnToFloat( shell->candidates[i].place );
	}
	done = done && ( candidateCount == 0 || pnBuildPointTree( &tree, places, NULL, candidateCount, &scratch ) );
	for ( int i = 0; i < candidateCount && done; ++i )
	{
		// Share of the shell, in squares of the spacing; and once more by that square, for cells to come out as large as the spacing says
		int32_t near[PN_AROUND];
		double distances2[PN_AROUND], s = shell->candidates[i].s;
		int found = pnFindNearest( &tree, places[i], PN_AROUND, near, distances2 );
		weights[i] = ( distances2[found - 1] + 1e-12 ) / ( s * s * s * s );
	}
	for ( int p = 0; p < count && done; ++p )
	{
		feet[p] = shell->points->points[pnFindNearestCollocationPoint( shell, pnMakeD( sources->x[p], sources->y[p], sources->z[p] ) )].x;
	}
	for ( int round = 0; round < PN_LLOYD_ROUNDS && done; ++round )
	{
		memset( sums, 0, (size_t)count * sizeof( pnVec3d ) );
		memset( wholes, 0, (size_t)count * sizeof( double ) );
		for ( int i = 0; i < candidateCount; ++i )
		{
			const pnCandidate* candidate = shell->candidates + i;
			double least = 1e300;
			int owner = 0;
			for ( int p = 0; p < count; ++p )
			{
				// As in the choice of the farthest
				pnVec3d d = pnSubD( candidate->place, pnMakeD( sources->x[p], sources->y[p], sources->z[p] ) ), f = pnSubD( candidate->foot, feet[p] );
				double distance2 = fmax( pnDotD( d, d ), pnDotD( f, f ) );
				owner = distance2 < least ? p : owner;
				least = distance2 < least ? distance2 : least;
			}
			sums[owner] = pnMulAddD( sums[owner], weights[i], candidate->place );
			wholes[owner] += weights[i];
		}
		for ( int p = 0; p < count; ++p )
		{
			pnVec3d place = pnScaleD( 1.0 / fmax( wholes[p], 1e-300 ), sums[p] ), foot;
			bool last = round == PN_LLOYD_ROUNDS - 1;
			if ( wholes[p] > 0.0 && pnMoveToShell( shell, &place, &foot ) && ( last == false || pnGetWinding( shell->points, place ) < 0.3 ) )
			{
				sources->x[p] = place.x;
				sources->y[p] = place.y;
				sources->z[p] = place.z;
				feet[p] = foot;
			}
		}
	}
	pnGiveBack( &scratch );
	return done;
}

static uint64_t pnNextRandom( uint64_t* state )
{
	uint64_t z = *state += 0x9e3779b97f4a7c15ull;
	z = ( z ^ z >> 30 ) * 0xbf58476d1ce4e5b9ull;
	z = ( z ^ z >> 27 ) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}

static pnResult pnPlaceOnShell( const pnCollocationPoints* points, const pnPlaceDef* def, pnSources* sources )
{
	pnScratch scratch = { 0 };
	pnVec3* places = pnTakeArray( &scratch, pnVec3, points->count );
	double* distances = pnTakeArray( &scratch, double, points->count );
	pnShell shell = { .points = points, .distances = distances };
	bool done = scratch.failed == false;
	for ( int q = 0; q < points->count && done; ++q )
	{
		places[q] = pnToFloat( points->points[q].x );
		distances[q] = pnGetDistance( def, points->points + q );
	}
	done = done && pnBuildPointTree( &shell.tree, places, NULL, points->count, &scratch );
	if ( done && def->placement == pn_randomSources )
	{
		uint64_t state = def->seed;
		// Places that are taken already or have no room are drawn again, but not for ever.
		for ( int tries = 0; sources->count < def->count && tries < 20 * def->count; ++tries )
		{
			int q = (int)( pnNextRandom( &state ) % (uint64_t)points->count );
			shell.count = 0;
			if ( distances[q] > 0.0 )
			{
				pnTryCandidate( &shell, pnMulAddD( points->points[q].x, distances[q], points->points[q].n ), points->points[q].x, 1.0, distances[q], false );
			}
			if ( shell.count == 1 && pnGetWinding( points, shell.candidates[0].place ) < 0.3 )
			{
				pnAddSource( sources, shell.candidates[0].place );
				distances[q] = -distances[q]; // drawn
			}
			done = shell.failed == false;
		}
	}
	else if ( done )
	{
		pnFindCandidates( &shell );
		done = shell.failed == false && pnTakeFarthest( points, shell.candidates, shell.count, def->count, true, sources );
		done = done && ( def->fixedPoints || pnEvenSources( &shell, sources ) );
	}
	pnFree( shell.candidates, (size_t)shell.capacity, sizeof( pnCandidate ) );
	pnGiveBack( &scratch );
	return done ? pn_success : pn_outOfMemory;
}

// ---- around the whole ----

// Collocation points stand for discs of their area.
bool pnIsEnclosed( const pnCollocationPoints* points, pnVec3d place )
{
	for ( int way = 0; way < 26; ++way )
	{
		int code = way < 13 ? way : way + 1;
		pnVec3d ray = pnUnitD( pnMakeD( code % 3 - 1 + 0.01, code / 3 % 3 - 1 + 0.02, code / 9 - 1 + 0.03 ) );
		bool blocked = false;
		for ( int i = 0; i < points->count && blocked == false; ++i )
		{
			const pnCollocationPoint* point = points->points + i;
			pnVec3d d = pnSubD( point->x, place );
			double along = pnDotD( d, ray );
			blocked = along > 0.0 && pnDotD( d, d ) - along * along < 0.6 * point->w;
		}
		if ( blocked == false )
		{
			return false;
		}
	}
	return true;
}

int pnFindHollows( const pnCollocationPoints* points, const pnSources* sources, pnVec3d* hollows, int most )
{
	int count = sources->count, hollowCount = 0;
	pnScratch scratch = { 0 };
	int32_t* inside = pnTakeArray( &scratch, int32_t, count ); // sources in hollows not dealt with yet
	int32_t* stack = pnTakeArray( &scratch, int32_t, count );
	double* walls = pnTakeArray( &scratch, double, count ); // distance to the surface
	double* widths = pnTakeArray( &scratch, double, count ); // spacing there
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return -1;
	}
	int insideCount = 0;
	for ( int p = 0; p < count; ++p )
	{
		pnVec3d place = pnMakeD( sources->x[p], sources->y[p], sources->z[p] );
		if ( pnIsEnclosed( points, place ) == false )
		{
			continue;
		}
		walls[p] = 1e300;
		for ( int q = 0; q < points->count; ++q )
		{
			double distance = pnLengthD( pnSubD( points->points[q].x, place ) );
			if ( distance < walls[p] )
			{
				walls[p] = distance;
				widths[p] = points->points[q].s;
			}
		}
		inside[insideCount++] = p;
	}
	while ( insideCount > 0 && hollowCount < most )
	{
		// One after another of those that hang together: near, and nothing solid between.
		int stackCount = 1, best = inside[--insideCount];
		stack[0] = best;
		while ( stackCount > 0 )
		{
			int p = stack[--stackCount];
			pnVec3d place = pnMakeD( sources->x[p], sources->y[p], sources->z[p] );
			best = walls[p] > walls[best] ? p : best;
			for ( int i = insideCount; i-- > 0; )
			{
				int other = inside[i];
				pnVec3d place2 = pnMakeD( sources->x[other], sources->y[other], sources->z[other] );
				double reach = 3.0 * fmax( widths[p], widths[other] ) + walls[p] + walls[other];
				if ( pnLengthD( pnSubD( place, place2 ) ) < reach && pnGetWinding( points, pnScaleD( 0.5, pnAddD( place, place2 ) ) ) < 0.5 )
				{
					stack[stackCount++] = other;
					inside[i] = inside[--insideCount];
				}
			}
		}
		hollows[hollowCount++] = pnMakeD( sources->x[best], sources->y[best], sources->z[best] );
	}
	pnGiveBack( &scratch );
	return hollowCount;
}

static pnResult pnPlaceAround( const pnCollocationPoints* points, const pnPlaceDef* def, pnSources* sources )
{
	pnVec3d lower = points->points[0].x, upper = lower;
	double total = 0.0, hollow = 0.0;
	for ( int q = 0; q < points->count; ++q )
	{
		pnVec3d x = points->points[q].x;
		lower = pnMakeD( fmin( lower.x, x.x ), fmin( lower.y, x.y ), fmin( lower.z, x.z ) );
		upper = pnMakeD( fmax( upper.x, x.x ), fmax( upper.y, x.y ), fmax( upper.z, x.z ) );
		total += points->points[q].w;
	}
	pnVec3d middle = pnScaleD( 0.5, pnAddD( lower, upper ) ), half = pnScaleD( 0.5, pnSubD( upper, lower ) );
	double least = fmin( half.x, fmin( half.y, half.z ) ), offset = def->distance * ( least > 0.0 ? least : 1.0 );
	// Hollows get a shell of their own: nothing outside can stand for what acts in them.
	pnCollocationPoints inner = { 0 };
	inner.points = pnAllocArray( pnCollocationPoint, points->count );
	inner.capacity = points->count;
	int fine = 40 * def->count + 400;
	pnCandidate* candidates = pnAllocArray( pnCandidate, fine );
	pnResult result = inner.points == NULL || candidates == NULL ? pn_outOfMemory : pn_success;
	if ( result == pn_success )
	{
		int stride = points->count / 64 + 1;
		bool any = false;
		for ( int q = 0; q < points->count && any == false; q += stride )
		{
			any = pnIsEnclosed( points, pnMulAddD( points->points[q].x, 1e-3, points->points[q].n ) );
		}
		for ( int q = 0; q < points->count && any; ++q )
		{
			if ( pnIsEnclosed( points, pnMulAddD( points->points[q].x, 1e-3, points->points[q].n ) ) )
			{
				inner.points[inner.count++] = points->points[q];
				hollow += points->points[q].w;
			}
		}
		if ( inner.count > 0 )
		{
			pnPlaceDef shell = *def;
			shell.placement = pn_offsetSources;
			shell.distance = 1.5;
			shell.count = (int)( def->count * hollow / total + 0.5 );
			result = pnPlaceOnShell( &inner, &shell, sources );
		}
	}
	int made = 0;
	for ( int i = 0; i < fine && result == pn_success; ++i )
	{
		// Evenly over a ball (Fibonacci), then pushed out to the shape.
		double z = 1.0 - ( 2.0 * i + 1.0 ) / fine, angle = 2.399963229728653 * i, flat = sqrt( 1.0 - z * z );
		pnVec3d way = { flat * cos( angle ), flat * sin( angle ), z }, place = pnReachAround( def->placement, way, half, offset );
		candidates[made++] = (pnCandidate){ pnAddD( middle, place ), pnAddD( middle, place ), 1.0 };
	}
	if ( result == pn_success && pnTakeFarthest( points, candidates, made, def->count, false, sources ) == false )
	{
		result = pn_outOfMemory;
	}
	pnFreeArray( pnCandidate, candidates, fine );
	pnDestroyCollocationPoints( &inner );
	return result;
}

pnResult pnPlaceSources( const pnCollocationPoints* points, const pnPlaceDef* def, pnSources* sources )
{
	if ( pnTakeSources( sources, def->count ) == false )
	{
		return pn_outOfMemory;
	}
	pnResult result = pn_success;
	switch ( def->placement )
	{
	case pn_givenSources:
		for ( int i = 0; i < def->count && result == pn_success; ++i )
		{
			if ( pnIsFinite3D( def->given[i] ) == false || pnGetWinding( points, def->given[i] ) > 0.5 )
			{
				pnLog( "Source %d is not finite or lies inside the solid.", i );
				result = pn_invalidInput;
				break;
			}
			pnAddSource( sources, def->given[i] );
		}
		break;
	case pn_boxSources:
	case pn_sphereSources:
	case pn_cylinderSources:
		result = pnPlaceAround( points, def, sources );
		break;
	default:
		result = pnPlaceOnShell( points, def, sources );
		break;
	}
	if ( result == pn_success && sources->count < 4 )
	{
		pnLog( "There is room for %d sources only; at least 4 are needed.", sources->count );
		result = pn_invalidInput;
	}
	if ( result != pn_success )
	{
		pnDestroySources( sources );
	}
	return result;
}
