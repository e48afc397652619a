// choose.c - which method, how many sources, and where they may be. Knows the user's wishes, no matrices.
#include "state.h"

#include "../base/core.h"
#include "../base/scratch.h"

enum
{
	PN_FIRST_SOURCES = 180, // of the first round
	PN_USUAL_SOURCES = 300, // where rounds do not tell
	PN_MOST_ADAPTIVE = 1200, // unless asked for more
	PN_FINE_MESH = 5000, // facets
};
// Spacing may change by this over a unit of length: neighbours differ by a third or so, and a small region costs few more sources.
static const double pn_grading = 0.5;
static const double pn_coarseDistance = 1.8; // of sources from places that cannot be divided, in their widths: nearer, sums over them are not right
static const double pn_acrossExpected = 4.0; // sources to the radius of a contact, at first
static const double pn_hollowSpacing = 0.6; // of sources in hollows at most, in the room there: 140 to a sphere
static const double pn_hollowShare = 0.9; // of the sources of the first round, for all hollows together
static const double pn_surveyApart = 0.13; // of the places that tell how much room there is, in spacings
static const double pn_shellDistance = 1.5; // of sources from the surface, in spacings

bool pnTick( double fraction, void* context )
{
	pnKelvin* kelvin = context;
	if ( kelvin->progress != NULL && kelvin->givenUp == false )
	{
		// A round begins at 0. Each takes more than all before it; how many there will be is not known: half of what is left.
		kelvin->stageIndex += fraction == 0.0 && kelvin->stageIndex < 8;
		double before = 1.0 - pow( 0.5, kelvin->stageIndex ), share = pow( 0.5, kelvin->stageIndex + 1 );
		kelvin->told = fmax( kelvin->told, before + share * fraction );
		kelvin->givenUp = kelvin->progress( kelvin->told, "solving", kelvin->progressContext ) != 0;
	}
	return kelvin->givenUp == false;
}

// Where a tool will touch, and how wide: the nearest collocation point (-1: none faces it) and the radius. Balls after Hertz; others by what of the
// surface is in them.
static int pnExpectContact( const pnKelvin* kelvin, const pnCollocationPoints* survey, int i, double* radius )
{
	const pnUnits* units = &kelvin->units;
	const pnTool* tool = kelvin->tools + i;
	double nu = kelvin->search.plan.poissonRatio, modulus = units->modulus * ( 1.0 + nu );
	int nearest = -1;
	double least = 1e300, overlap = 0.0;
	for ( int q = 0; q < survey->count; ++q )
	{
		pnVec3d away;
		double gap = pnGetToolDistance( tool, kelvin->depths[i], pnToUser( units, survey->points[q].x ), &away );
		if ( pnDotD( away, survey->points[q].n ) < 0.0 )
		{
			nearest = gap < least ? q : nearest;
			least = gap < least ? gap : least;
			overlap += gap < 0.0 ? survey->points[q].w : 0.0;
		}
	}
	*radius = sqrt( overlap / M_PI );
	if ( tool->kind == pn_ballIndenter )
	{
		// The nearest collocation point is somewhere on the piece that is really nearest.
		double slack = nearest >= 0 ? survey->points[nearest].w * units->size * units->size / ( 2.0 * tool->radius ) : 0.0;
		double reach = kelvin->forces[i] > 0.0 ? cbrt( 0.75 * kelvin->forces[i] * tool->radius * ( 1.0 - nu * nu ) / modulus ) : sqrt( tool->radius * fmax( slack - least, 0.0 ) );
		*radius = reach / units->size;
	}
	return nearest;
}

// Sources must be dense there from the beginning, or a small contact is not seen at all.
static bool pnExpectContacts( pnKelvin* kelvin, const pnCollocationPoints* survey )
{
	for ( int i = 0; i < kelvin->toolCount; ++i )
	{
		double radius;
		int nearest = pnExpectContact( kelvin, survey, i, &radius );
		double wanted = fmax( radius / pn_acrossExpected, 0.05 * kelvin->spacing.most );
		if ( nearest >= 0 && radius > 0.0 && pnAddSeed( &kelvin->spacing, survey->points[nearest].x, wanted ) == false )
		{
			return false;
		}
	}
	return true;
}

double pnGetReach( const pnKelvin* kelvin )
{
	const pnCollocationPoints* points = &kelvin->answer.system.points;
	double most = 0.0;
	for ( int i = 0; i < kelvin->toolCount; ++i )
	{
		double radius;
		int nearest = pnExpectContact( kelvin, points, i, &radius );
		most = nearest >= 0 && radius > 0.0 ? fmax( most, points->points[nearest].s / radius ) : most;
	}
	return most;
}

// Fields around a hollow are as large as the hollow, however small its share of the surface: sources there are denser from the beginning, or
// displacements are right and stresses at its wall are not.
static bool pnRefineHollows( pnKelvin* kelvin, const pnCollocationPoints* survey )
{
	pnScratch scratch = { 0 };
	int32_t* walls = pnTakeArray( &scratch, int32_t, survey->count + 1 );
	double* rooms = pnTakeArray( &scratch, double, survey->count + 1 );
	double* widths = pnTakeArray( &scratch, double, survey->count + 1 );
	bool done = scratch.failed == false;
	int count = 0;
	for ( int q = 0; q < survey->count && done; ++q )
	{
		const pnCollocationPoint* point = survey->points + q;
		double room = pnGetSpacing( &kelvin->room, point->x );
		// In the middle of the ball that touches here: next to the wall of a bore, places hide the way out.
		// What lies beyond the other side of a notch is enclosed too, by the solid: it is no hollow.
		pnVec3d middle = pnMulAddD( point->x, 2.0 * room, point->n );
		if ( room < kelvin->room.most && pnIsEnclosed( survey, middle ) && pnGetWinding( survey, middle ) < 0.5 )
		{
			rooms[count] = room;
			walls[count++] = q;
		}
	}
	double sources = 0.0, most = pn_hollowShare * kelvin->firstCount;
	for ( int i = 0; i < count && done; ++i )
	{
		// In the corners of a hollow there is less room; the widest near by tells how wide it is.
		widths[i] = rooms[i];
		for ( int k = 0; k < count; ++k )
		{
			double apart = pnLengthD( pnSubD( survey->points[walls[i]].x, survey->points[walls[k]].x ) );
			widths[i] = apart < 4.0 * rooms[k] && rooms[k] > widths[i] ? rooms[k] : widths[i];
		}
		double s = pn_hollowSpacing * widths[i];
		sources += survey->points[walls[i]].w / ( s * s );
	}
	// Many hollows share what can be spent on them.
	double factor = pn_hollowSpacing * fmax( 1.0, sqrt( sources / most ) );
	pnDestroySpacing( &kelvin->hollow );
	kelvin->hollow = (pnSpacing){ .most = 1e30, .grading = pn_grading };
	kelvin->spacing.bound = &kelvin->hollow;
	for ( int i = 0; i < count && done; ++i )
	{
		done = pnAddSeed( &kelvin->hollow, survey->points[walls[i]].x, factor * widths[i] );
	}
	pnGiveBack( &scratch );
	return done;
}

// Coarse collocation points over the whole surface, for its area and the room around it.
static pnResult pnSurveySurface( pnKelvin* kelvin, int sourceCount )
{
	pnCollocationPoints points = { 0 };
	double area = 0.0;
	for ( int i = 0; i < kelvin->facets.count; ++i )
	{
		area += kelvin->facets.areas[i];
	}
	for ( int i = 0; i < kelvin->given.count; ++i )
	{
		area += kelvin->given.points[i].w;
	}
	kelvin->spacing.most = sqrt( area / sourceCount );
	kelvin->spacing.grading = pn_grading;
	kelvin->room.grading = 1.0; // as fast as one moves away
	const pnCollocationPoints* survey = &kelvin->given;
	if ( kelvin->facets.count > 0 )
	{
		pnSpacing even = { .most = kelvin->spacing.most, .grading = pn_grading };
		// Every pair is looked at: of a fine mesh, fewer places.
		bool fine = kelvin->facets.count > PN_FINE_MESH || kelvin->wrapped;
		pnCollocationDef def = { .edge = fine ? 1.4 : 0.7, .borderEdge = fine ? 1.4 : 0.7, .perPiece = fine ? 0 : 1, .few = true, .even = kelvin->wrapped, .apart = pn_surveyApart };
		pnResult result = pnMakeCollocationPoints( &kelvin->facets, &even, &def, &points );
		if ( result != pn_success )
		{
			return result;
		}
		survey = &points;
	}
	kelvin->room.most = pn_shellDistance * kelvin->spacing.most;
	bool done = pnFindRoom( survey, kelvin->room.most, kelvin->search.plan.divisible ? 0.0 : pn_coarseDistance, &kelvin->room );
	// Where sources must be near they must be dense: no farther apart than a little more than their distance.
	for ( int i = 0; i < kelvin->room.count && done; ++i )
	{
		pnSpacingSeed seed = kelvin->room.seeds[i];
		done = pnAddSeed( &kelvin->spacing, seed.place, seed.spacing / 0.6 );
	}
	// Not in what is wrapped around a noisy cloud: its dimples look closed.
	bool mayHaveHollows = kelvin->search.plan.divisible && kelvin->wrapped == false && kelvin->search.isAdaptive;
	done = done && ( mayHaveHollows == false || pnRefineHollows( kelvin, survey ) );
	done = done && pnExpectContacts( kelvin, survey );
	done = done && pnArrangeSpacing( &kelvin->spacing ) && pnArrangeSpacing( &kelvin->room ) && pnArrangeSpacing( &kelvin->hollow );
	pnDestroyCollocationPoints( &points );
	return done ? pn_success : pn_outOfMemory;
}

// Places that are as they are: given ones, cells of a cloud, or triangles that are not to be divided.
static int pnCountPlaces( const pnKelvin* kelvin )
{
	bool cells = kelvin->facets.count > 0 && kelvin->search.plan.isCloud;
	return kelvin->given.count > 0 ? kelvin->given.count : cells ? kelvin->facets.count : 3 * kelvin->facets.count;
}

// Sources far from few places are hard to tell apart: they come nearer.
static double pnGetUsualDistance( const pnKelvin* kelvin, int sourceCount )
{
	double perSource = (double)pnCountPlaces( kelvin ) / sourceCount;
	return kelvin->search.plan.divisible ? pn_shellDistance : fmin( fmax( 0.8 + 0.06 * perSource, 1.0 ), pn_shellDistance );
}

static int pnGetMostSources( const pnKelvin* kelvin )
{
	int allowed = kelvin->search.plan.divisible ? PN_MOST_ADAPTIVE : pnCountPlaces( kelvin ) / 4 + 4;
	return allowed < PN_MOST_ADAPTIVE ? allowed : PN_MOST_ADAPTIVE;
}

pnResult pnPrepareEnergy( const pnKelvinDef* def, pnKelvin* kelvin )
{
	pnSearch* search = &kelvin->search;
	search->method = pn_energyMethod;
	search->isAdaptive = def->placement == pn_adaptiveSources;
	int first = search->isAdaptive ? def->sourceCount > 0 && def->sourceCount < 2 * PN_FIRST_SOURCES ? ( def->sourceCount + 1 ) / 2 : PN_FIRST_SOURCES
								   : def->sourceCount > 0 ? def->sourceCount : PN_USUAL_SOURCES;
	search->count = search->isAdaptive ? def->sourceCount > 0 ? def->sourceCount : pnGetMostSources( kelvin ) : first;
	first = first < search->count ? first : search->count;
	search->plan.mostSources = search->count;
	search->estimate = def->estimateError != 0;
	bool around = def->placement == pn_boxSources || def->placement == pn_sphereSources || def->placement == pn_cylinderSources;
	search->plan.place = (pnPlaceDef){
		.placement = def->placement == pn_adaptiveSources ? pn_offsetSources : def->placement,
		.distance = def->sourceDistance > 0.0 ? def->sourceDistance : around ? 1.0 : pnGetUsualDistance( kelvin, first ),
		.room = &kelvin->room,
		.given = kelvin->givenSources,
		.seed = def->seed,
	};
	kelvin->firstCount = first;
	return pnSurveySurface( kelvin, first );
}

static pnResult pnFindEnergy( const pnKelvinDef* def, pnKelvin* kelvin, pnAnswer* answer )
{
	pnResult result = pnPrepareEnergy( def, kelvin );
	return result == pn_success ? pnFindAnswer( &kelvin->search, &kelvin->spacing, answer ) : result;
}

pnResult pnFindAgain( pnKelvin* kelvin )
{
	pnSpacing spacing = kelvin->spacing, room = kelvin->room;
	kelvin->spacing = kelvin->room = (pnSpacing){ 0 };
	kelvin->stageIndex = -1;
	kelvin->told = 0.0;
	pnAnswer fresh;
	pnResult result = pnSurveySurface( kelvin, kelvin->firstCount );
	result = result == pn_success ? pnFindAnswer( &kelvin->search, &kelvin->spacing, &fresh ) : result;
	if ( result == pn_success )
	{
		pnDestroyAnswer( &kelvin->answer );
		kelvin->answer = fresh;
	}
	pnDestroySpacing( result == pn_success ? &spacing : &kelvin->spacing );
	pnDestroySpacing( result == pn_success ? &room : &kelvin->room );
	if ( result != pn_success )
	{
		kelvin->spacing = spacing;
		kelvin->room = room;
	}
	return result;
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

pnResult pnFindBest( const pnKelvinDef* def, pnKelvin* kelvin )
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
