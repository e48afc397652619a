// kelvin.c - the user's problem: checked, scaled, searched, answered in the user's units. Knows no matrices.
#include "handles.h"
#include "search.h"

#include "../base/scratch.h"

#include <cblas.h>

enum
{
	PN_FIRST_SOURCES = 180, // of the first round
	PN_USUAL_SOURCES = 300, // where rounds do not tell
	PN_MOST_ADAPTIVE = 1200, // unless asked for more
	PN_MOST_SOURCES = 8000, // a matrix of 4.6 GB
	PN_FEWEST_POINTS = 24,
	PN_MOST_TOOLS = 64,
};
// Coordinates are rounded to this part of the solid's size, so that a problem in other units is the same problem bit by bit and
// sources go to the same places.
static const double pn_grain = 0x1p-36;
static const double pn_usualTolerance = 0.02;
// Spacing may change by this over a unit of length: neighbours differ by a third or so, and a small region costs few more sources.
static const double pn_grading = 0.5;
static const double pn_shellDistance = 1.5; // of sources from the surface, in spacings

struct pnKelvin
{
	pnUnits units;
	pnFacets facets;
	pnSpots given;
	pnVec3d* givenSources; // scaled; while the problem is made
	pnSpacing spacing, room;
	pnCondition* conditions;
	int conditionCount;
	pnTool* tools;
	double* depths;
	double* forces;
	int toolCount;
	pnTasks* tasks;
	pnSearch search;
	pnAnswer answer;
	pnKelvinPoint* points;
	pnVec3d* sources;
	int pointCount, sourceCount; // of the arrays above
	double gap; // of the cloud's areas
	double startTime;
	pnProgressFcn* progress;
	void* progressContext;
	int stageIndex;
	double told; // of the progress; it never goes back
	bool givenUp;
};

pnKelvinDef pnDefaultKelvinDef( void )
{
	return (pnKelvinDef){
		.youngsModulus = 1e6,
		.poissonRatio = 0.3,
		.tolerance = pn_usualTolerance,
		.refineSurface = 1,
		.estimateError = 1,
		.cookie = PN_COOKIE,
	};
}

pnCondition pnDefaultCondition( void )
{
	return (pnCondition){ .kind = pn_holdCondition, .axes = 7 };
}

pnIndenter pnDefaultIndenter( void )
{
	return (pnIndenter){ .kind = pn_ballIndenter, .radius = 1.0, .direction = { 0.0, 0.0, -1.0 } };
}

const char* pnKelvinWarningText( uint32_t warning )
{
	switch ( warning )
	{
	case pn_coarseQuadrature:
		return "There are too few places on the surface for the sources: give a finer surface or ask for fewer sources.";
	case pn_largeResidual:
		return "What is given is missed at places that were not used to find the answer.";
	case pn_largeBetti:
		return "Two loads do not do equal work on each other's displacements (Betti): displacements may be far off.";
	case pn_largeReaction:
		return "The held parts do not carry the load.";
	case pn_largeError:
		return "Two solutions differ by more than the tolerance: ask for more sources.";
	case pn_nothingHeld:
		return "Nothing holds the solid against some rigid motion: the load was balanced and the mean motion set to nothing.";
	case pn_nearlyIncompressible:
		return "The material hardly changes its volume (Poisson's ratio above 0.495): pressures inside are less certain than displacements.";
	case pn_slowConvergence:
		return "The iterations were stopped at their limit.";
	case pn_openCloud:
		return "The cloud does not close: parts are missing, or normals are turned.";
	default:
		return "This is no warning pliant knows.";
	}
}

void pnDestroyKelvin( pnKelvin* kelvin )
{
	if ( kelvin == NULL )
	{
		return;
	}
	pnDestroyAnswer( &kelvin->answer );
	pnFreeArray( pnKelvinPoint, kelvin->points, kelvin->pointCount );
	pnFreeArray( pnVec3d, kelvin->sources, kelvin->sourceCount );
	for ( int i = 0; i < kelvin->toolCount && kelvin->tools != NULL; ++i )
	{
		pnDestroyTool( kelvin->tools + i );
	}
	pnFreeArray( pnTool, kelvin->tools, kelvin->toolCount );
	pnFreeArray( double, kelvin->depths, kelvin->toolCount );
	pnFreeArray( double, kelvin->forces, kelvin->toolCount );
	pnFreeArray( pnCondition, kelvin->conditions, kelvin->conditionCount );
	pnDestroySpacing( &kelvin->spacing );
	pnDestroySpacing( &kelvin->room );
	pnDestroySpots( &kelvin->given );
	pnDestroyFacets( &kelvin->facets );
	if ( kelvin->tasks != NULL )
	{
		pnDestroyTasks( kelvin->tasks );
	}
	pnFreeArray( pnKelvin, kelvin, 1 );
}

// Our own tasks divide the work, always in the same parts, so that the bits do not depend on the threads. What BLAS would divide
// depends on them: while we work it has one. The setting is the process's; the user gets it back.
static int pnTakeBlas( void )
{
	int threads = openblas_get_num_threads();
	openblas_set_num_threads( 1 );
	return threads;
}

static void pnGiveBlas( int threads )
{
	openblas_set_num_threads( threads );
}

// ---- checking and scaling ----

static pnResult pnCheckDef( const pnKelvinDef* def )
{
	if ( def->cookie != PN_COOKIE )
	{
		pnLog( "The definition was not made by pnDefaultKelvinDef." );
		return pn_invalidInput;
	}
	if ( pnIsFiniteD( def->youngsModulus ) == false || def->youngsModulus <= 0.0 )
	{
		pnLog( "Young's modulus is %g Pa; it must be positive.", def->youngsModulus );
		return pn_invalidInput;
	}
	if ( ( def->poissonRatio > -1.0 && def->poissonRatio < 0.5 ) == false )
	{
		pnLog( "Poisson's ratio is %g; it must be above -1 and below 0.5 (0.499 is nearly incompressible).", def->poissonRatio );
		return pn_invalidInput;
	}
	if ( def->points == NULL || def->pointCount < 4 || ( def->triangles == NULL && def->pointCount < PN_FEWEST_POINTS ) )
	{
		pnLog( "The surface has %d points; a mesh needs 4 or more, a cloud %d.", def->points == NULL ? 0 : def->pointCount, PN_FEWEST_POINTS );
		return pn_invalidInput;
	}
	for ( int i = 0; i < def->pointCount; ++i )
	{
		if ( pnIsFinite3D( def->points[i] ) == false || ( def->triangles == NULL && def->areas != NULL && ( def->areas[i] > 0.0 && pnIsFiniteD( def->areas[i] ) ) == false ) )
		{
			pnLog( "Point %d: its place or its area is not finite, or it has no area.", i );
			return pn_invalidInput;
		}
	}
	if ( def->triangles == NULL && def->normals == NULL )
	{
		pnLog( "A cloud of points needs normals." );
		return pn_invalidInput;
	}
	for ( int i = 0; i < def->pointCount && def->triangles == NULL; ++i )
	{
		double length = pnLengthD( def->normals[i] );
		if ( ( length > 0.0 && pnIsFiniteD( length ) ) == false )
		{
			pnLog( "Point %d: its normal has no length or is not finite.", i );
			return pn_invalidInput;
		}
	}
	if ( def->conditionCount < 0 || ( def->conditionCount > 0 && def->conditions == NULL ) || def->indenterCount < 0 || def->indenterCount > PN_MOST_TOOLS ||
		 ( def->indenterCount > 0 && def->indenters == NULL ) )
	{
		pnLog( "There are %d conditions and %d indenters (at most %d), but not the arrays.", def->conditionCount, def->indenterCount, PN_MOST_TOOLS );
		return pn_invalidInput;
	}
	if ( def->sourceCount < 0 || def->sourceCount > PN_MOST_SOURCES || ( def->placement == pn_givenSources && ( def->sources == NULL || def->sourceCount < 4 ) ) )
	{
		pnLog( "%d sources: there may be up to %d, and given ones must be there, 4 or more.", def->sourceCount, PN_MOST_SOURCES );
		return pn_invalidInput;
	}
	if ( ( def->tolerance >= 0.0 && def->sourceDistance >= 0.0 && def->sourceDistance < 1e3 ) == false || ( def->pointsPerTriangle != 0 && def->pointsPerTriangle != 1 && def->pointsPerTriangle != 3 ) )
	{
		pnLog( "Tolerance %g and source distance %g must not be negative, points per triangle (%d) are 1 or 3.", def->tolerance, def->sourceDistance, def->pointsPerTriangle );
		return pn_invalidInput;
	}
	if ( (int)def->method < pn_energyMethod || def->method > pn_autoMethod || (int)def->placement < pn_adaptiveSources || def->placement > pn_givenSources )
	{
		pnLog( "Method %d or placement %d is none.", (int)def->method, (int)def->placement );
		return pn_invalidInput;
	}
	if ( def->indenterCount > 0 && def->method != pn_energyMethod && def->method != pn_autoMethod )
	{
		pnLog( "Indenters need the energy method." );
		return pn_invalidInput;
	}
	return pnCheckConditions( def->conditions, def->conditionCount );
}

static double pnRound( double x )
{
	return nearbyint( x / pn_grain ) * pn_grain;
}

static pnVec3d pnToOurs( const pnUnits* units, pnVec3d place )
{
	pnVec3d x = pnScaleD( 1.0 / units->size, pnSubD( place, units->center ) );
	return pnMakeD( pnRound( x.x ), pnRound( x.y ), pnRound( x.z ) );
}

static pnResult pnScaleProblem( const pnKelvinDef* def, pnKelvin* kelvin )
{
	pnVec3d lower = def->points[0], upper = lower;
	for ( int i = 0; i < def->pointCount; ++i )
	{
		pnVec3d p = def->points[i];
		lower = pnMakeD( fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) );
		upper = pnMakeD( fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) );
	}
	kelvin->units.center = pnScaleD( 0.5, pnAddD( lower, upper ) );
	kelvin->units.size = 0.5 * pnLengthD( pnSubD( upper, lower ) );
	kelvin->units.modulus = def->youngsModulus / ( 1.0 + def->poissonRatio );
	if ( ( kelvin->units.size > 0.0 && pnIsFiniteD( kelvin->units.size ) ) == false )
	{
		pnLog( "The surface has no extent: all points are in one place." );
		return pn_invalidInput;
	}
	return pn_success;
}

static pnResult pnTakeSurface( const pnKelvinDef* def, pnKelvin* kelvin )
{
	pnScratch scratch = { 0 };
	pnVec3d* places = pnTakeArray( &scratch, pnVec3d, def->pointCount );
	pnVec3d* normals = pnTakeArray( &scratch, pnVec3d, def->pointCount );
	pnResult result = scratch.failed ? pn_outOfMemory : pn_success;
	for ( int i = 0; i < def->pointCount && result == pn_success; ++i )
	{
		places[i] = pnToOurs( &kelvin->units, def->points[i] );
		if ( def->triangles == NULL )
		{
			pnVec3d n = pnUnitD( def->normals[i] );
			normals[i] = pnUnitD( pnMakeD( pnRound( n.x ), pnRound( n.y ), pnRound( n.z ) ) );
		}
	}
	if ( result == pn_success && def->triangles != NULL )
	{
		result = pnMakeMeshFacets( places, def->pointCount, def->triangles, def->triangleCount, def->groups, &kelvin->facets );
	}
	else if ( result == pn_success && def->areas == NULL )
	{
		result = pnMakeCloudFacets( places, normals, def->groups, def->pointCount, &kelvin->facets, &kelvin->gap );
	}
	else if ( result == pn_success )
	{
		pnSpots* given = &kelvin->given;
		given->spots = pnAllocArray( pnSpot, def->pointCount );
		if ( given->spots == NULL )
		{
			pnGiveBack( &scratch );
			return pn_outOfMemory;
		}
		given->capacity = given->count = given->padCount = def->pointCount;
		double area = kelvin->units.size * kelvin->units.size, whole = 0.0;
		pnVec3d open = { 0.0, 0.0, 0.0 };
		for ( int i = 0; i < def->pointCount; ++i )
		{
			double w = def->areas[i] / area;
			given->spots[i] = (pnSpot){ .x = places[i], .n = normals[i], .w = w, .facet = -1, .group = def->groups != NULL ? def->groups[i] : 0, .pad = i };
			open = pnMulAddD( open, w, normals[i] );
			whole += w;
		}
		kelvin->gap = pnLengthD( open ) / whole;
	}
	pnGiveBack( &scratch );
	return result;
}

static pnResult pnTakeTools( const pnIndenter* indenters, pnKelvin* kelvin )
{
	for ( int i = 0; i < kelvin->toolCount; ++i )
	{
		pnTool tool = { 0 };
		pnResult result = pnMakeTool( indenters + i, i, &tool );
		if ( result != pn_success )
		{
			return result;
		}
		pnDestroyTool( kelvin->tools + i );
		kelvin->tools[i] = tool;
		kelvin->depths[i] = indenters[i].depth;
		kelvin->forces[i] = indenters[i].force;
	}
	return pn_success;
}

// ---- searching ----

static bool pnTick( double fraction, void* context )
{
	pnKelvin* kelvin = context;
	if ( kelvin->progress != NULL && kelvin->givenUp == false )
	{
		// Each round takes more than all before it: half of what is left.
		double before = 1.0 - pow( 0.5, kelvin->stageIndex ), share = pow( 0.5, kelvin->stageIndex + 1 );
		if ( fraction == 0.0 && kelvin->stageIndex < 8 )
		{
			++kelvin->stageIndex;
		}
		kelvin->told = fmax( kelvin->told, before + share * fraction );
		kelvin->givenUp = kelvin->progress( kelvin->told, "solving", kelvin->progressContext ) != 0;
	}
	return kelvin->givenUp == false;
}

// Where a tool will touch, and how wide: sources must be dense there from the beginning, or a small contact is not seen at all.
// Balls after Hertz; others by what of the surface is in them.
static bool pnExpectContacts( pnKelvin* kelvin, const pnSpots* survey )
{
	const pnUnits* units = &kelvin->units;
	double nu = kelvin->search.plan.poissonRatio, modulus = units->modulus * ( 1.0 + nu );
	for ( int i = 0; i < kelvin->toolCount; ++i )
	{
		const pnTool* tool = kelvin->tools + i;
		int nearest = -1;
		double least = 1e300, overlap = 0.0;
		for ( int q = 0; q < survey->count; ++q )
		{
			pnVec3d away;
			double gap = pnGetToolDistance( tool, kelvin->depths[i], pnToUser( units, survey->spots[q].x ), &away );
			if ( pnDotD( away, survey->spots[q].n ) < 0.0 )
			{
				nearest = gap < least ? q : nearest;
				least = gap < least ? gap : least;
				overlap += gap < 0.0 ? survey->spots[q].w : 0.0;
			}
		}
		double radius = sqrt( overlap / M_PI );
		if ( tool->kind == pn_ballIndenter )
		{
			// The nearest spot is somewhere on the piece that is really nearest.
			double slack = nearest >= 0 ? survey->spots[nearest].w * units->size * units->size / ( 2.0 * tool->radius ) : 0.0;
			double reach = kelvin->forces[i] > 0.0 ? cbrt( 0.75 * kelvin->forces[i] * tool->radius * ( 1.0 - nu * nu ) / modulus ) : sqrt( tool->radius * fmax( slack - least, 0.0 ) );
			radius = reach / units->size;
		}
		double wanted = fmax( radius / 4.0, 0.05 * kelvin->spacing.most );
		if ( nearest >= 0 && radius > 0.0 && pnAddSeed( &kelvin->spacing, survey->spots[nearest].x, wanted ) == false )
		{
			return false;
		}
	}
	return true;
}

// Coarse spots over the whole surface, for its area and the room around it.
static pnResult pnSurveySurface( pnKelvin* kelvin, int sourceCount )
{
	pnSpots spots = { 0 };
	double area = 0.0;
	for ( int i = 0; i < kelvin->facets.count; ++i )
	{
		area += kelvin->facets.areas[i];
	}
	for ( int i = 0; i < kelvin->given.count; ++i )
	{
		area += kelvin->given.spots[i].w;
	}
	kelvin->spacing.most = sqrt( area / sourceCount );
	kelvin->spacing.grading = pn_grading;
	kelvin->room.grading = 1.0; // as fast as one moves away
	const pnSpots* survey = &kelvin->given;
	if ( kelvin->facets.count > 0 )
	{
		pnSpacing even = { .most = kelvin->spacing.most, .grading = pn_grading };
		pnSpotDef def = { .edge = 0.7, .borderEdge = 0.7, .perPiece = 1 };
		pnResult result = pnMakeSpots( &kelvin->facets, &even, &def, &spots );
		if ( result != pn_success )
		{
			return result;
		}
		survey = &spots;
	}
	kelvin->room.most = pn_shellDistance * kelvin->spacing.most;
	bool done = pnFindRoom( survey, kelvin->room.most, &kelvin->room );
	// Where sources must be near they must be dense: no farther apart than a little more than their distance.
	for ( int i = 0; i < kelvin->room.count && done; ++i )
	{
		pnSpacingSeed seed = kelvin->room.seeds[i];
		done = pnAddSeed( &kelvin->spacing, seed.place, seed.spacing / 0.6 );
	}
	done = done && pnExpectContacts( kelvin, survey );
	pnDestroySpots( &spots );
	return done ? pn_success : pn_outOfMemory;
}

// Sources far from few places are hard to tell apart: where the places are as they are, sources come nearer.
static double pnGetUsualDistance( const pnKelvin* kelvin, bool refine, int sourceCount )
{
	if ( refine && kelvin->given.count == 0 )
	{
		return pn_shellDistance;
	}
	int spots = kelvin->given.count > 0 ? kelvin->given.count : 3 * kelvin->facets.count;
	return fmin( fmax( 0.8 + 0.06 * spots / sourceCount, 1.0 ), pn_shellDistance );
}

// Where the places are as they are, they allow so many.
static int pnGetMostSources( const pnKelvin* kelvin, bool refine )
{
	int spots = kelvin->given.count > 0 ? kelvin->given.count : 3 * kelvin->facets.count;
	int allowed = refine && kelvin->given.count == 0 ? PN_MOST_ADAPTIVE : spots / 4 + 4;
	return allowed < PN_MOST_ADAPTIVE ? allowed : PN_MOST_ADAPTIVE;
}

static pnResult pnFindEnergy( const pnKelvinDef* def, pnKelvin* kelvin, pnAnswer* answer )
{
	pnSearch* search = &kelvin->search;
	search->method = pn_energyMethod;
	search->isAdaptive = def->placement == pn_adaptiveSources;
	int first = search->isAdaptive ? def->sourceCount > 0 && def->sourceCount < 2 * PN_FIRST_SOURCES ? ( def->sourceCount + 1 ) / 2 : PN_FIRST_SOURCES
								   : def->sourceCount > 0 ? def->sourceCount : PN_USUAL_SOURCES;
	search->count = search->isAdaptive ? def->sourceCount > 0 ? def->sourceCount : pnGetMostSources( kelvin, def->refineSurface != 0 ) : first;
	first = first < search->count ? first : search->count;
	search->plan.mostSources = search->count;
	search->estimate = def->estimateError != 0;
	bool around = def->placement == pn_boxSources || def->placement == pn_sphereSources || def->placement == pn_cylinderSources;
	search->plan.place = (pnPlaceDef){
		.placement = def->placement == pn_adaptiveSources ? pn_offsetSources : def->placement,
		.distance = def->sourceDistance > 0.0 ? def->sourceDistance : around ? 1.0 : pnGetUsualDistance( kelvin, def->refineSurface != 0, first ),
		.room = &kelvin->room,
		.given = kelvin->givenSources,
		.seed = def->seed,
	};
	pnResult result = pnSurveySurface( kelvin, first );
	return result == pn_success ? pnFindAnswer( search, &kelvin->spacing, answer ) : result;
}

// Least squares is best with far sources where the fields are smooth. How far is found by trying.
static pnResult pnFindLsq( const pnKelvinDef* def, pnKelvin* kelvin, pnKelvinMethod method, pnAnswer* answer )
{
	static const double distances[] = { 1.5, 3.0, 6.0, 10.0 };
	pnSearch* search = &kelvin->search;
	search->method = method;
	search->isAdaptive = false;
	search->count = def->sourceCount > 0 ? def->sourceCount : PN_USUAL_SOURCES;
	search->plan.mostSources = search->count;
	search->estimate = def->estimateError != 0;
	bool around = def->placement == pn_boxSources || def->placement == pn_sphereSources || def->placement == pn_cylinderSources;
	search->plan.place = (pnPlaceDef){
		.placement = def->placement == pn_adaptiveSources ? pn_offsetSources : def->placement,
		.distance = def->sourceDistance,
		.room = &kelvin->room,
		.given = kelvin->givenSources,
		.seed = def->seed,
	};
	pnResult result = pnSurveySurface( kelvin, search->count );
	bool fixed = def->sourceDistance > 0.0 || around || def->placement == pn_givenSources;
	if ( around && def->sourceDistance == 0.0 )
	{
		search->plan.place.distance = 2.0;
	}
	if ( fixed || result != pn_success )
	{
		return result == pn_success ? pnFindAnswer( search, &kelvin->spacing, answer ) : result;
	}
	double best = 0.0, bestMisfit = 1e300;
	bool estimate = search->estimate;
	search->estimate = false;
	for ( int i = 0; i < PN_COUNT( distances ) && result == pn_success; ++i )
	{
		pnAnswer tried;
		search->plan.place.distance = distances[i];
		// Far sources: the room counts from the far side.
		kelvin->room.most = distances[i] * kelvin->spacing.most;
		result = pnFindAnswer( search, &kelvin->spacing, &tried );
		if ( result == pn_success )
		{
			double misfit = fmax( tried.quality.heldOutResidual, fmax( tried.quality.betti, tried.quality.reaction ) );
			if ( misfit < bestMisfit )
			{
				bestMisfit = misfit;
				best = distances[i];
			}
			pnDestroyAnswer( &tried );
		}
	}
	if ( result == pn_success )
	{
		search->estimate = estimate;
		search->plan.place.distance = best;
		kelvin->room.most = best * kelvin->spacing.most;
		result = pnFindAnswer( search, &kelvin->spacing, answer );
	}
	return result;
}

static pnResult pnFindBest( const pnKelvinDef* def, pnKelvin* kelvin )
{
	if ( def->method == pn_energyMethod || ( def->method == pn_autoMethod && def->indenterCount > 0 ) )
	{
		return pnFindEnergy( def, kelvin, &kelvin->answer );
	}
	if ( def->method != pn_autoMethod )
	{
		return pnFindLsq( def, kelvin, def->method, &kelvin->answer );
	}
	pnAnswer other = { 0 };
	pnResult result = pnFindEnergy( def, kelvin, &kelvin->answer );
	if ( result != pn_success )
	{
		return result;
	}
	pnSearch kept = kelvin->search;
	pnDestroySpacing( &kelvin->spacing );
	pnDestroySpacing( &kelvin->room );
	result = pnFindLsq( def, kelvin, pn_lsqMethod, &other );
	if ( result == pn_outOfMemory || result == pn_givenUp )
	{
		return result;
	}
	bool better = false;
	if ( result == pn_success )
	{
		// Two answers that claim more than their difference allows: the one in balance is believed.
		double apart = pnCompareAnswers( &kelvin->answer, &other );
		bool sound = other.quality.betti < 0.01;
		better = sound && other.estimate >= 0.0 && other.estimate < kelvin->answer.estimate && apart < 3.0 * ( other.estimate + kelvin->answer.estimate );
	}
	if ( better )
	{
		pnDestroyAnswer( &kelvin->answer );
		kelvin->answer = other;
	}
	else
	{
		pnDestroyAnswer( &other );
		kelvin->search = kept;
	}
	return pn_success;
}

// ---- the answer in the user's units ----

static void pnWriteInfo( const pnKelvin* kelvin, pnKelvinInfo* info )
{
	const pnAnswer* answer = &kelvin->answer;
	const pnSystem* system = &answer->system;
	bool isEnergy = system->method == pn_energyMethod;
	double size = kelvin->units.size;
	*info = (pnKelvinInfo){
		.method = system->method,
		.pointCount = system->spots.count,
		.sourceCount = system->sources.count,
		.unknownCount = system->columns,
		.rank = isEnergy ? system->columns : system->lsq.rank,
		.retryCount = isEnergy ? system->energy.retryCount : 0,
		.roundCount = answer->roundCount,
		.iterationCount = kelvin->toolCount > 0 ? answer->press.iterationCount : answer->iterationCount,
		.residual = answer->quality.residual,
		.heldOutResidual = answer->quality.heldOutResidual,
		.bettiMismatch = answer->quality.betti,
		.reactionMismatch = answer->quality.reaction,
		.errorEstimate = answer->estimate,
		.conditionNumber = isEnergy ? system->energy.conditionNumber : system->lsq.conditionNumber,
		.strainEnergy = answer->quality.energy * kelvin->units.modulus * size * size * size,
		.volumeChange = answer->quality.volumeChange,
		.placeSeconds = system->placeSeconds,
		.assembleSeconds = isEnergy ? system->energy.assembleSeconds : system->lsq.assembleSeconds,
		.factorSeconds = isEnergy ? system->energy.factorSeconds : system->lsq.factorSeconds,
		.solveSeconds = answer->solveSeconds,
		.totalSeconds = pnNow() - kelvin->startTime,
	};
	uint32_t warnings = 0;
	warnings |= info->retryCount >= 3 ? pn_coarseQuadrature : 0;
	warnings |= info->heldOutResidual > ( isEnergy ? 0.5 : 0.1 ) ? pn_largeResidual : 0;
	warnings |= info->bettiMismatch > 0.01 ? pn_largeBetti : 0;
	warnings |= info->reactionMismatch > 0.01 ? pn_largeReaction : 0;
	double tolerance = kelvin->search.tolerance;
	warnings |= info->errorEstimate > tolerance ? pn_largeError : 0;
	warnings |= pnGetGauge( system )->count > 0 ? pn_nothingHeld : 0;
	warnings |= kelvin->search.plan.poissonRatio > 0.495 ? pn_nearlyIncompressible : 0;
	warnings |= ( kelvin->toolCount > 0 && answer->press.converged == false ) || ( system->method == pn_lsqCgMethod && answer->converged == false ) ? pn_slowConvergence : 0;
	warnings |= kelvin->gap > 0.02 ? pn_openCloud : 0;
	info->warnings = warnings;
}

// Where it is held as it is given, else as found.
static pnVec3d pnGetKnownDisplacement( const pnSystem* system, int q )
{
	const pnBound* bound = system->bounds + q;
	pnVec3d u = system->u[q];
	if ( bound->framed )
	{
		pnVec3d n = system->spots.spots[q].n;
		return pnMulAddD( u, bound->value[0] - pnDotD( u, n ), n );
	}
	return pnMakeD( bound->held & 1 ? bound->value[0] : u.x, bound->held & 2 ? bound->value[1] : u.y, bound->held & 4 ? bound->value[2] : u.z );
}

static void pnWritePoints( pnKelvin* kelvin )
{
	const pnSystem* system = &kelvin->answer.system;
	const pnUnits* units = &kelvin->units;
	for ( int q = 0; q < system->spots.count; ++q )
	{
		const pnSpot* spot = system->spots.spots + q;
		kelvin->points[q] = (pnKelvinPoint){
			.point = pnToUser( units, spot->x ),
			.normal = spot->n,
			.area = spot->w * units->size * units->size,
			.spacing = spot->s * units->size,
			.heldAxes = system->bounds[q].framed ? 8u : system->bounds[q].held,
			.displacement = pnScaleD( units->size, pnGetKnownDisplacement( system, q ) ),
			.traction = pnScaleD( units->modulus, system->t[q] ),
		};
	}
}

static pnResult pnTakeResults( pnKelvin* kelvin )
{
	const pnSystem* system = &kelvin->answer.system;
	kelvin->points = pnAllocArray( pnKelvinPoint, system->spots.count );
	kelvin->pointCount = kelvin->points != NULL ? system->spots.count : 0;
	kelvin->sources = pnAllocArray( pnVec3d, system->sources.count );
	kelvin->sourceCount = kelvin->sources != NULL ? system->sources.count : 0;
	if ( kelvin->points == NULL || kelvin->sources == NULL )
	{
		return pn_outOfMemory;
	}
	for ( int p = 0; p < kelvin->sourceCount; ++p )
	{
		kelvin->sources[p] = pnToUser( &kelvin->units, pnMakeD( system->sources.x[p], system->sources.y[p], system->sources.z[p] ) );
	}
	pnWritePoints( kelvin );
	return pn_success;
}

static pnResult pnFillKelvin( const pnKelvinDef* def, pnKelvin* kelvin )
{
	kelvin->startTime = pnNow();
	kelvin->progress = def->progress;
	kelvin->progressContext = def->progressContext;
	kelvin->conditions = pnAllocArray( pnCondition, def->conditionCount + 1 );
	kelvin->conditionCount = kelvin->conditions != NULL ? def->conditionCount + 1 : 0;
	kelvin->tasks = pnCreateTasks( &def->tasks );
	if ( def->indenterCount > 0 )
	{
		kelvin->tools = pnAllocArray( pnTool, def->indenterCount );
		kelvin->depths = pnAllocArray( double, def->indenterCount );
		kelvin->forces = pnAllocArray( double, def->indenterCount );
		kelvin->toolCount = def->indenterCount;
	}
	if ( kelvin->conditions == NULL || kelvin->tasks == NULL || ( def->indenterCount > 0 && ( kelvin->tools == NULL || kelvin->depths == NULL || kelvin->forces == NULL ) ) )
	{
		// Arrays that are there are given back by their count.
		return pn_outOfMemory;
	}
	if ( def->conditionCount > 0 )
	{
		memcpy( kelvin->conditions, def->conditions, (size_t)def->conditionCount * sizeof( pnCondition ) );
	}
	pnResult result = pnScaleProblem( def, kelvin );
	result = result == pn_success ? pnTakeTools( def->indenters, kelvin ) : result;
	result = result == pn_success ? pnTakeSurface( def, kelvin ) : result;
	if ( result != pn_success )
	{
		return result;
	}
	kelvin->search = (pnSearch){
		.plan = {
			.units = kelvin->units,
			.poissonRatio = def->poissonRatio,
			.facets = kelvin->facets.count > 0 ? &kelvin->facets : NULL,
			.given = kelvin->given.count > 0 ? &kelvin->given : NULL,
			.conditions = kelvin->conditions,
			.conditionCount = def->conditionCount,
			.perPiece = def->pointsPerTriangle > 0 ? def->pointsPerTriangle : def->refineSurface != 0 ? 0 : 3,
			.refine = def->refineSurface != 0,
			.tasks = kelvin->tasks,
			.tick = pnTick,
			.tickContext = kelvin,
		},
		.tolerance = def->tolerance > 0.0 ? def->tolerance : pn_usualTolerance,
		.tools = kelvin->tools,
		.depths = kelvin->depths,
		.forces = kelvin->forces,
		.toolCount = kelvin->toolCount,
	};
	int sourceCount = def->placement == pn_givenSources ? def->sourceCount : 0;
	if ( sourceCount > 0 )
	{
		kelvin->givenSources = pnAllocArray( pnVec3d, sourceCount );
		if ( kelvin->givenSources == NULL )
		{
			return pn_outOfMemory;
		}
		for ( int i = 0; i < sourceCount; ++i )
		{
			kelvin->givenSources[i] = pnScaleD( 1.0 / kelvin->units.size, pnSubD( def->sources[i], kelvin->units.center ) );
		}
	}
	result = pnFindBest( def, kelvin );
	pnFreeArray( pnVec3d, kelvin->givenSources, sourceCount );
	kelvin->givenSources = NULL;
	kelvin->search.plan.place.given = NULL;
	return result == pn_success ? pnTakeResults( kelvin ) : result;
}

pnResult pnCreateKelvin( const pnKelvinDef* def, pnKelvin** out, pnKelvinInfo* info )
{
	*out = NULL;
	if ( info != NULL )
	{
		*info = (pnKelvinInfo){ .errorEstimate = -1.0 };
	}
	pnResult result = pnCheckDef( def );
	if ( result != pn_success )
	{
		return result;
	}
	pnKelvin* kelvin = pnAllocArray( pnKelvin, 1 );
	if ( kelvin == NULL )
	{
		return pn_outOfMemory;
	}
	int threads = pnTakeBlas();
	result = pnFillKelvin( def, kelvin );
	pnGiveBlas( threads );
	if ( result != pn_success )
	{
		pnDestroyKelvin( kelvin );
		return result;
	}
	pnKelvinInfo numbers;
	pnWriteInfo( kelvin, &numbers );
	if ( def->progress != NULL && def->progress( 1.0, "done", def->progressContext ) != 0 )
	{
		pnDestroyKelvin( kelvin );
		return pn_givenUp;
	}
	if ( info != NULL )
	{
		*info = numbers;
	}
	*out = kelvin;
	return numbers.warnings != 0 ? pn_weakAnswer : pn_success;
}

pnResult pnKelvin_Solve( pnKelvin* kelvin, const pnCondition* conditions, const pnIndenter* indenters, pnKelvinInfo* info )
{
	kelvin->startTime = pnNow();
	pnSystem* system = &kelvin->answer.system;
	int conditionCount = kelvin->search.plan.conditionCount, spotCount = system->spots.count;
	if ( conditionCount > 0 && conditions != NULL )
	{
		pnResult result = pnCheckConditions( conditions, conditionCount );
		if ( result != pn_success )
		{
			return result;
		}
		pnBound* bounds = pnAllocArray( pnBound, spotCount );
		if ( bounds == NULL )
		{
			return pn_outOfMemory;
		}
		result = pnBindConditions( conditions, conditionCount, &kelvin->units, &system->spots, bounds );
		for ( int q = 0; q < spotCount && result == pn_success; ++q )
		{
			if ( bounds[q].held != system->bounds[q].held || bounds[q].framed != system->bounds[q].framed )
			{
				pnVec3d p = pnToUser( &kelvin->units, system->spots.spots[q].x );
				pnLog( "Other axes are held at (%g, %g, %g) than when the problem was made: only values may change.", p.x, p.y, p.z );
				result = pn_invalidInput;
			}
		}
		if ( result == pn_success )
		{
			memcpy( system->bounds, bounds, (size_t)spotCount * sizeof( pnBound ) );
			memcpy( kelvin->conditions, conditions, (size_t)conditionCount * sizeof( pnCondition ) );
		}
		pnFreeArray( pnBound, bounds, spotCount );
		if ( result != pn_success )
		{
			return result;
		}
	}
	pnResult result = indenters != NULL ? pnTakeTools( indenters, kelvin ) : pn_success;
	int threads = pnTakeBlas();
	result = result == pn_success ? pnSolveAnswer( &kelvin->search, &kelvin->answer, true ) : result;
	pnGiveBlas( threads );
	if ( result != pn_success )
	{
		return result;
	}
	pnWritePoints( kelvin );
	pnKelvinInfo numbers;
	pnWriteInfo( kelvin, &numbers );
	if ( info != NULL )
	{
		*info = numbers;
	}
	return numbers.warnings != 0 ? pn_weakAnswer : pn_success;
}

// ---- reading ----

typedef struct pnEvaluation
{
	const pnKelvin* kelvin;
	const pnVec3d* points;
	pnVec3d* displacements;
	pnStress* stresses;
} pnEvaluation;

static void pnEvaluateSome( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnEvaluation* job = context;
	const pnUnits* units = &job->kelvin->units;
	const pnSystem* system = &job->kelvin->answer.system;
	for ( int i = begin; i < end; ++i )
	{
		pnVec3d u;
		double s[6];
		pnVec3d place = pnScaleD( 1.0 / units->size, pnSubD( job->points[i], units->center ) );
		pnSumFields( &system->rows.basis, system->strengths, place, &u, job->stresses != NULL ? s : NULL );
		if ( job->displacements != NULL )
		{
			job->displacements[i] = pnScaleD( units->size, u );
		}
		if ( job->stresses != NULL )
		{
			double g = units->modulus;
			job->stresses[i] = (pnStress){ g * s[0], g * s[1], g * s[2], g * s[3], g * s[4], g * s[5] };
		}
	}
}

void pnKelvin_Evaluate( const pnKelvin* kelvin, const pnVec3d* points, int count, pnVec3d* displacements, pnStress* stresses )
{
	pnEvaluation job = { kelvin, points, displacements, stresses };
	pnParallelFor( kelvin->tasks, pnEvaluateSome, count, 16, &job );
}

double pnVonMises( const pnStress* s )
{
	double a = s->xx - s->yy, b = s->yy - s->zz, c = s->zz - s->xx;
	return sqrt( 0.5 * ( a * a + b * b + c * c ) + 3.0 * ( s->xy * s->xy + s->yz * s->yz + s->zx * s->zx ) );
}

pnVec3d pnTraction( const pnStress* s, pnVec3d n )
{
	double stress[6] = { s->xx, s->yy, s->zz, s->xy, s->yz, s->zx };
	return pnStressTimes( stress, n );
}

void pnKelvin_GetForce( const pnKelvin* kelvin, const pnRegion* region, pnVec3d about, pnVec3d* force, pnVec3d* torque )
{
	pnVec3d f = { 0.0, 0.0, 0.0 }, m = f;
	const pnSystem* system = &kelvin->answer.system;
	for ( int q = 0; q < kelvin->pointCount; ++q )
	{
		const pnKelvinPoint* point = kelvin->points + q;
		if ( pnIsInRegion( region, point->point, point->normal, system->spots.spots[q].group, 1e-7 * kelvin->units.size ) )
		{
			pnVec3d t = pnScaleD( point->area, point->traction );
			f = pnAddD( f, t );
			m = pnAddD( m, pnCrossD( pnSubD( point->point, about ), t ) );
		}
	}
	if ( force != NULL )
	{
		*force = f;
	}
	if ( torque != NULL )
	{
		*torque = m;
	}
}

void pnKelvin_GetIndenter( const pnKelvin* kelvin, int indenter, pnVec3d* force, double* depth, double* area )
{
	bool there = 0 <= indenter && indenter < kelvin->answer.toolCount;
	PN_ASSERT( there );
	pnPressed pressed = there ? kelvin->answer.pressed[indenter] : (pnPressed){ 0 };
	if ( force != NULL )
	{
		*force = pressed.force;
	}
	if ( depth != NULL )
	{
		*depth = pressed.depth;
	}
	if ( area != NULL )
	{
		*area = pressed.area;
	}
}

const pnKelvinPoint* pnKelvin_GetPoints( const pnKelvin* kelvin, int* count )
{
	*count = kelvin->pointCount;
	return kelvin->points;
}

const pnVec3d* pnKelvin_GetSources( const pnKelvin* kelvin, int* count )
{
	*count = kelvin->sourceCount;
	return kelvin->sources;
}

pnResult pnKelvin_CreateResponse( pnKelvin* kelvin, const pnHandle* handles, int handleCount, const pnVec3d* vertices, int vertexCount, const int32_t* triangles,
								  int triangleCount, pnResponse** response )
{
	*response = NULL;
	if ( kelvin->answer.system.method != pn_energyMethod || kelvin->toolCount > 0 )
	{
		pnLog( "A response needs the energy method and no indenters: else it is not linear, or a hand could gain energy." );
		return pn_invalidInput;
	}
	if ( handles == NULL || handleCount < 1 || vertices == NULL || vertexCount < 1 || triangleCount < 0 || ( triangleCount > 0 && triangles == NULL ) )
	{
		pnLog( "A response needs handles (%d) and vertices (%d).", handleCount, vertexCount );
		return pn_invalidInput;
	}
	for ( int h = 0; h < handleCount; ++h )
	{
		if ( pnIsFinite3D( handles[h].center ) == false || ( handles[h].radius > 0.0 && pnIsFiniteD( handles[h].radius ) ) == false )
		{
			pnLog( "Handle %d: its center is not finite or its radius is not positive.", h );
			return pn_invalidInput;
		}
	}
	for ( int v = 0; v < vertexCount; ++v )
	{
		if ( pnIsFinite3D( vertices[v] ) == false )
		{
			pnLog( "Vertex %d is not finite.", v );
			return pn_invalidInput;
		}
	}
	int threads = pnTakeBlas();
	pnResult result = pnMakeHandleResponse( &kelvin->answer.system, &kelvin->units, handles, handleCount, vertices, vertexCount, triangles, triangleCount, response );
	pnGiveBlas( threads );
	return result;
}
