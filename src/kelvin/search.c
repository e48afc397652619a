// search.c - rounds of placing, solving and looking where the answer is wrong. Knows no user.
#include "search.h"

#include "../base/cloud.h"

enum
{
	PN_MOST_PROBES = 600,
};
// A round has about twice the sources of the last: then all rounds together cost little more than the last.
static const double pn_growth = 2.0;
static const double pn_acrossContact = 5.0; // sources to the radius of a contact
// Of the sources under a tool, in a round: if all that is missed is elsewhere, if half of it is there or more. With as many in any case nothing was left of a round for the bore of a block, which
// had nine tenths of the residual's energy; with few in any case small contacts took a round more.
static const double pn_leastContactGrowth = 3.0;
static const double pn_mostContactGrowth = 9.0;
static const double pn_leastClaim = 0.005; // two answers may agree by chance: no smaller error is claimed, unless a smaller one is asked for
static const double pn_errorFactor = 1.2; // of the estimate
static const double pn_fewSources = 20.0;
static const double pn_evenShare = 0.4; // of the growth, as a power

void pnDestroyAnswer( pnAnswer* answer )
{
	pnFreeArray( pnVec3d, answer->contact, answer->system.points.count );
	pnFreeArray( pnPressed, answer->pressed, answer->toolCount );
	pnDestroySystem( &answer->system );
	*answer = (pnAnswer){ 0 };
}

double pnSumIndicators( const pnSystem* system )
{
	double sum = 0.0;
	for ( int q = 0; q < system->points.count; ++q )
	{
		sum += pnFindIndicator( system, q );
	}
	return sum;
}

// What the residual stands for, over the strain energy: what is given is missed by fields that reach as far as sources are apart.
static double pnFindResidualEnergy( const pnAnswer* answer )
{
	double sum = pnSumIndicators( &answer->system );
	return answer->quality.energy > 0.0 ? 0.5 * sum / answer->quality.energy : 0.0;
}

pnResult pnSolveAnswer( const pnSearch* search, pnAnswer* answer, bool withBetti )
{
	double start = pnNow();
	pnSystem* system = &answer->system;
	pnResult result = pnSolveSystem( system );
	if ( result == pn_success && search->toolCount > 0 )
	{
		if ( answer->contact == NULL )
		{
			answer->contact = pnAllocArray( pnVec3d, system->points.count );
			answer->pressed = pnAllocArray( pnPressed, search->toolCount );
			answer->toolCount = search->toolCount;
		}
		result = answer->contact == NULL || answer->pressed == NULL
					 ? pn_outOfMemory
					 : pnPressTools( system, &search->plan.units, search->tools, search->depths, search->forces, search->toolCount, answer->contact, answer->pressed, &answer->press );
	}
	if ( result == pn_success )
	{
		pnReadSystem( system );
		for ( int q = 0; q < system->points.count && answer->contact != NULL; ++q )
		{
			system->t[q] = pnAddD( system->t[q], answer->contact[q] );
		}
		answer->solveSeconds = pnNow() - start;
		answer->lengthScale = search->plan.units.size;
		result = pnJudge( system, withBetti, &answer->quality );
		answer->residualEnergy = pnFindResidualEnergy( answer );
	}
	return result;
}

static pnResult pnMakeAnswer( const pnSearch* search, const pnSpacing* spacing, int count, bool withBetti, pnAnswer* answer )
{
	*answer = (pnAnswer){ .estimate = -1.0 };
	pnResult result = pnBuildSystem( &search->plan, spacing, search->method, count, &answer->system );
	if ( result == pn_success )
	{
		result = pnSolveAnswer( search, answer, withBetti );
	}
	if ( result != pn_success )
	{
		pnDestroyAnswer( answer );
	}
	return result;
}

void pnSumDifference( const pnSystem* a, const pnSystem* b, double* differenceSum, double* wholeSum )
{
	const pnSystem* place = a;
	int stride = 1 + place->points.count / PN_MOST_PROBES;
	double difference = 0.0, whole = 0.0;
	for ( int q = 0; q < place->points.count; q += stride )
	{
		const pnCollocationPoint* point = place->points.points + q;
		pnVec3d x, y;
		pnSumFields( &a->rows.basis, a->coefficients, point->x, &x, NULL );
		pnSumFields( &b->rows.basis, b->coefficients, point->x, &y, NULL );
		pnVec3d d = pnSubD( x, y ), own;
		double ownStress[6];
		pnGetInsideField( &a->inside, point->x, &own, ownStress );
		x = pnAddD( x, own );
		difference += point->w * pnDotD( d, d );
		whole += point->w * pnDotD( x, x );
	}
	*differenceSum = stride * difference;
	*wholeSum = stride * whole;
}

double pnCompareAnswers( const pnAnswer* a, const pnAnswer* b )
{
	double difference, whole;
	pnSumDifference( &a->system, &b->system, &difference, &whole );
	return whole > 0.0 ? sqrt( difference / whole ) : 0.0;
}

// The relative error of the displacement of the finer of two answers. Two signs of it, which err in different ways: how far the answers
// are apart, which is little by chance or where both are too coarse; and the energy that the residual stands for, which is much where
// something is missed that hardly matters. Their geometric mean follows the error closely; its factor is from a population of drawn
// problems (test_kelvin_honest.c), as is the share of the residual's energy below which no difference is believed.
double pnEstimateFrom( double apart, double energy, int finerCount, int coarserCount, bool isEnergy )
{
	double growth = (double)finerCount / coarserCount;
	// Small steps show little of the way that is left.
	double difference = apart * fmax( 1.0, 0.5 / fmax( growth - 1.0, 0.05 ) );
	// Errors fall with the number of sources to the power 1.5 where fields are smooth.
	double smooth = difference / ( pow( fmax( growth, 1.5 ), 1.5 ) - 1.0 );
	if ( isEnergy == false )
	{
		return smooth; // least squares makes the residual small, whatever the error
	}
	// The fewer the sources, the less their errors follow any rule.
	double few = pn_fewSources / coarserCount, factor = pn_errorFactor * ( 1.0 + few * few );
	return fmax( fmax( factor * sqrt( difference * energy ), smooth ), pn_leastOfResidual * energy );
}

static double pnEstimateError( const pnAnswer* finer, const pnAnswer* coarser )
{
	double apart = pnCompareAnswers( finer, coarser );
	return pnEstimateFrom( apart, finer->residualEnergy, finer->system.sources.count, coarser->system.sources.count, finer->system.method == pn_energyMethod );
}

double pnLimitClaim( double estimate, double tolerance )
{
	return fmax( estimate, fmin( pn_leastClaim, 0.5 * tolerance ) );
}

int pnGetNextCount( int now, int most )
{
	// So that the last step is not much smaller than the others: its difference is the estimate.
	double steps = ceil( log( (double)most / now ) / log( pn_growth ) - 0.1 );
	return (int)( now * pow( (double)most / now, 1.0 / fmax( steps, 1.0 ) ) + 0.5 );
}

static double pnPredict( const pnCollocationPoints* points, const pnSpacing* spacing )
{
	double sum = 0.0;
	for ( int q = 0; q < points->count; ++q )
	{
		double s = pnGetSpacing( spacing, points->points[q].x );
		sum += points->points[q].w / ( s * s );
	}
	return sum;
}

// The same, and the spacing at each collocation point.
static double pnPredictAll( const pnCollocationPoints* points, const pnSpacing* spacing, double* spacings )
{
	double sum = 0.0;
	for ( int q = 0; q < points->count; ++q )
	{
		spacings[q] = pnGetSpacing( spacing, points->points[q].x );
		sum += points->points[q].w / ( spacings[q] * spacings[q] );
	}
	return sum;
}

// Lowers the spacings to what one more seed allows. Returns how many more sources that makes.
static double pnTakeSeed( const pnCollocationPoints* points, pnVec3d place, double value, double grading, double* spacings )
{
	double sum = 0.0;
	for ( int q = 0; q < points->count; ++q )
	{
		const pnCollocationPoint* point = points->points + q;
		pnVec3d d = pnSubD( point->x, place );
		double room = spacings[q] - value, distance2 = grading * grading * pnDotD( d, d );
		if ( room > 0.0 && distance2 < room * room )
		{
			double now = value + sqrt( distance2 );
			sum += point->w * ( 1.0 / ( now * now ) - 1.0 / ( spacings[q] * spacings[q] ) );
			spacings[q] = now;
		}
	}
	return sum;
}

// Under a tool, enough sources over the width of what it touches; how many more at most depends on its share of what is missed.
static pnResult pnRefineContact( const pnAnswer* answer, const double* indicators, pnSpacing* spacing )
{
	double there = 0.0, whole = 1e-300;
	for ( int q = 0; q < answer->system.points.count && answer->toolCount > 0; ++q )
	{
		there += pnDotD( answer->contact[q], answer->contact[q] ) > 0.0 ? indicators[q] : 0.0;
		whole += indicators[q];
	}
	double growth = pn_leastContactGrowth + ( pn_mostContactGrowth - pn_leastContactGrowth ) * fmin( 2.0 * there / whole, 1.0 );
	for ( int tool = 0; tool < answer->toolCount; ++tool )
	{
		double radius = sqrt( answer->pressed[tool].area / M_PI ) / answer->lengthScale;
		for ( int q = 0; q < answer->system.points.count; ++q )
		{
			const pnCollocationPoint* point = answer->system.points.points + q;
			double wanted = fmax( radius / pn_acrossContact, point->s / sqrt( growth ) );
			if ( pnDotD( answer->contact[q], answer->contact[q] ) > 0.0 && pnAddSeed( spacing, point->x, wanted ) == false )
			{
				return pn_outOfMemory;
			}
		}
	}
	return pn_success;
}

// Halves the spacing where most of the error is, so that there are about `wanted` sources next. Where the surface is not divisible,
// sources get no denser than its places allow.
static pnResult pnRefine( const pnAnswer* answer, bool divisible, double wanted, pnSpacing* spacing )
{
	const pnSystem* system = &answer->system;
	int count = system->points.count;
	pnScratch scratch = { 0 };
	double* indicators = pnTakeArray( &scratch, double, count );
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, 2 * (size_t)count );
	int32_t* order = pnTakeArray( &scratch, int32_t, 2 * (size_t)count );
	double* spacings = pnTakeArray( &scratch, double, count );
	pnResult result = scratch.failed ? pn_outOfMemory : pn_success;
	if ( result == pn_success )
	{
		double total = 0.0, bounded = 0.0, sources = 0.0, boundedSources = 0.0;
		for ( int q = 0; q < count; ++q )
		{
			const pnCollocationPoint* point = system->points.points + q;
			indicators[q] = pnFindIndicator( system, q );
			total += indicators[q];
			bounded += pnIsBounded( point ) ? indicators[q] : 0.0;
			sources += point->w / ( point->s * point->s );
			boundedSources += pnIsBounded( point ) ? point->w / ( point->s * point->s ) : 0.0;
			// Error of what one source stands for: so that a source more takes away as much as it can
			double each = indicators[q] * point->s * point->s / point->w;
			memcpy( keys + q, &each, sizeof( each ) ); // of doubles that are not negative, the bits have the same order
			order[q] = q;
		}
		pnSortByKey( keys, order, keys + count, order + count, count );
		// Hollows as a whole: their sources surround a field that any unevenness of theirs disturbs.
		if ( bounded * sources > total * boundedSources )
		{
			pnScaleSpacing( spacing->bound, sqrt( 1.0 / pn_growth ) );
		}
		// Part of the way everywhere: what is coarse as a whole has no place where it shows.
		double taken = 0.0, have = pnPredict( &system->points, spacing );
		double whole = pow( wanted / have, pn_evenShare );
		pnScaleSpacing( spacing, 1.0 / sqrt( whole ) );
		have *= whole;
		result = divisible ? pnRefineContact( answer, indicators, spacing ) : pn_success;
		have = result == pn_success && pnArrangeSpacing( spacing ) ? pnPredictAll( &system->points, spacing, spacings ) : have;
		for ( int i = count; i-- > 0 && taken < 0.9 * total && result == pn_success; )
		{
			const pnCollocationPoint* point = system->points.points + order[i];
			taken += indicators[order[i]];
			double now = spacings[order[i]];
			bool room = ( divisible || point->s > 4.0 * sqrt( point->w ) ) && pnIsBounded( point ) == false;
			if ( now > 0.75 * point->s && room )
			{
				result = pnAddSeed( spacing, point->x, 0.5 * point->s ) ? pn_success : pn_outOfMemory;
				have += pnTakeSeed( &system->points, point->x, 0.5 * point->s, spacing->grading, spacings );
				if ( have > 0.9 * wanted )
				{
					break;
				}
			}
		}
		// The rest of the way everywhere
		for ( int i = 0; i < 4 && result == pn_success; ++i )
		{
			double factor = sqrt( pnPredict( &system->points, spacing ) / wanted );
			pnScaleSpacing( spacing, factor );
		}
	}
	pnGiveBack( &scratch );
	return result;
}

// Scales the spacing so that as many sources as wanted go with it.
static void pnFitSpacing( const pnCollocationPoints* points, double wanted, pnSpacing* spacing )
{
	for ( int i = 0; i < 4; ++i )
	{
		pnScaleSpacing( spacing, sqrt( pnPredict( points, spacing ) / wanted ) );
	}
}

pnResult pnRefineAnswer( const pnAnswer* answer, bool divisible, int wanted, pnSpacing* spacing )
{
	pnResult result = pnRefine( answer, divisible, wanted, spacing );
	if ( result == pn_success )
	{
		pnFitSpacing( &answer->system.points, wanted, spacing );
		result = pnArrangeSpacing( spacing ) ? pn_success : pn_outOfMemory;
	}
	return result;
}

pnResult pnFindAnswer( const pnSearch* search, pnSpacing* spacing, pnAnswer* answer )
{
	pnAnswer last = { 0 };
	*answer = (pnAnswer){ 0 };
	pnResult result = pn_success;
	if ( search->isAdaptive == false )
	{
		if ( search->estimate && search->count >= 16 && search->plan.place.placement != pn_givenSources )
		{
			pnSpacing coarse = *spacing;
			coarse.seeds = NULL;
			coarse.count = coarse.capacity = 0;
			coarse.blocks = NULL;
			coarse.blockCount = coarse.blockCapacity = 0;
			coarse.most = spacing->most * sqrt( 2.0 );
			result = pnMakeAnswer( search, &coarse, search->count / 2, false, &last );
		}
		if ( result == pn_success )
		{
			result = pnMakeAnswer( search, spacing, search->count, true, answer );
		}
		if ( result == pn_success )
		{
			answer->roundCount = 1;
			answer->estimate = last.system.columns > 0 ? pnEstimateError( answer, &last ) : -1.0;
		}
		pnDestroyAnswer( &last );
		return result;
	}
	int wanted = 0; // first as the spacing says
	for ( int round = 1; result == pn_success; ++round )
	{
		pnAnswer next;
		// Not all at once: without a second round there is no estimate.
		pnSearch first = *search;
		first.plan.mostSources = search->count / 2 > 16 ? search->count / 2 : 16;
		result = pnMakeAnswer( round == 1 ? &first : search, spacing, wanted, false, &next );
		if ( result != pn_success )
		{
			break;
		}
		next.roundCount = round;
		if ( last.system.columns > 0 )
		{
			next.estimate = pnLimitClaim( pnEstimateError( &next, &last ), search->tolerance );
		}
		pnDestroyAnswer( &last );
		last = next;
		bool good = last.estimate >= 0.0 && last.estimate <= search->tolerance;
		if ( good || last.system.sources.count >= 0.8 * search->count || round == PN_MOST_ROUNDS )
		{
			break;
		}
		wanted = pnGetNextCount( last.system.sources.count, search->count );
		result = pnRefineAnswer( &last, search->plan.divisible, wanted, spacing );
	}
	if ( result == pn_success )
	{
		result = pnJudge( &last.system, true, &last.quality );
	}
	if ( result != pn_success )
	{
		pnDestroyAnswer( &last );
		return result;
	}
	*answer = last;
	return pn_success;
}
