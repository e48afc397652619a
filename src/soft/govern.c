// govern.c - the energy account. Knows one body's sums, no world.
//
// With the stiffness w^2 and the deviation's inertia 1 / lightness, a body's energy per mass between the two halves of a kick is
//   E = kinetic energy of the whole + ( 1/2 sum m u^2 - 1/8 (a/h)^2 sum m d^2 ) / lightness + w^2 W,
// u the deviation of the velocity and d that of the places. One step changes it by w^2 times the trapezoid error of the potential along the drift,
// which clusters tell (pnAccountW): exactly, for any goals whatever and whoever has moved the particles. That is zero for small swings. A positive
// balance is taken from u, which touches no momentum; so E does not rise by itself. What u cannot pay stays owed until something moves. The stiffness
// is never touched.
// W does not depend on the step, so a step of another length changes E only by lightness and by the term with d: u is scaled so that E stays.
// Damping is not in the account: it only takes.
#include "govern.h"

#include <math.h>

// A little credit lets the zero-mean part of the error come and go; without it that part would act as damping.
static const double pn_credit = 0.05; // of E
// What may stand before it is taken out: the balance swings about zero by less than this.
static const double pn_patience = 0.001; // of E
// Rounding of W in float, in units of the body's size: the account must not chase it.
static const double pn_noise = 2e-7;
// Where damping takes nearly all of a deviation's velocity in each step nothing can build up: kicks then only descend.
static const double pn_overdamped = 0.9;

static double pnStored( double deviation2, double kick2, double rate, double lightness )
{
	return ( 0.5 * deviation2 - 0.125 * rate * rate * kick2 ) / lightness;
}

void pnGovern( pnBody* body, pnPointStep* step, const pnWeights* weights )
{
	const pnTuning* tuning = &body->response;
	double error = 0.0, rate = tuning->pull / tuning->step;
	bool known = !body->fresh && !body->revalued, changed = known && body->lastStep != tuning->step;
	step->keep = 1.0f;
	if ( tuning->dampFit > pn_overdamped && !body->solid->overlapping )
	{
		body->account = 0.0;
		return;
	}
	for ( int c = 0; c < body->solid->clusterCount && known; ++c )
	{
		error += (double)body->match.clusters[c].error;
	}
	double noise = pn_noise * tuning->stiffness * body->size2, energy = ( body->kinetic + body->elastic ) / body->mass;
	energy = energy > 0.0 ? energy : 0.0;
	double least = -pn_credit * energy - noise;
	body->account += tuning->stiffness * error;
	body->account = body->account > least ? body->account : least;
	if ( step->drag > 0.0f || ( !changed && !( body->account > pn_patience * energy + noise ) ) )
	{
		return; // what is damped pays beforehand (pnFindKeep)
	}
	double sums[2];
	weights->weigh( weights->context, sums );
	double deviation2 = sums[0], kick2 = sums[1], factor2 = 1.0;
	if ( !( deviation2 > 0.0 ) )
	{
		return;
	}
	if ( changed )
	{
		double before = pnStored( deviation2, kick2, body->lastRate, body->lastLightness ), ratio = tuning->lightness / body->lastLightness;
		double wanted = 2.0 * tuning->lightness * before + 0.25 * rate * rate * kick2;
		factor2 = wanted > 0.0 ? wanted / deviation2 : 0.0;
		// No swing is blown up to make up for a phase; nor what is left of one that the last step could not follow.
		double most = ratio > 1.0 && body->followed ? ratio : 1.0;
		factor2 = factor2 < most ? factor2 : most;
		body->account += pnStored( factor2 * deviation2, kick2, rate, tuning->lightness ) - before;
	}
	double there = 0.5 * factor2 * deviation2 / tuning->lightness;
	if ( body->account > 0.0 && there > 0.0 )
	{
		double taken = body->account < there ? body->account : there;
		factor2 *= 1.0 - taken / there;
		body->account -= taken;
	}
	step->keep = (float)sqrt( factor2 );
}

double pnFindKeep( pnBody* body )
{
	const pnTuning* tuning = &body->response;
	double keep2 = 1.0, energy = ( body->kinetic + body->elastic ) / body->mass, ratio = tuning->lightness / body->lastLightness;
	if ( body->lastStep != tuning->step && !body->revalued )
	{
		keep2 = ratio < 1.0 ? ratio : 1.0; // a shorter step would give velocity back: what is damped does without
	}
	if ( body->account > pn_patience * energy + pn_noise * tuning->stiffness * body->size2 && body->moving > 0.0 )
	{
		double taken = body->account < body->moving ? body->account : body->moving;
		keep2 *= 1.0 - taken / body->moving;
		body->account -= taken;
	}
	return sqrt( keep2 );
}

void pnBookEnergy( pnBody* body, const pnPointStep* step, const pnPointTotals* totals )
{
	const pnTuning* tuning = &body->response;
	double potential = 0.0, rate = tuning->pull / tuning->step;
	for ( int c = 0; c < body->solid->clusterCount; ++c )
	{
		potential += tuning->stiffness * (double)body->match.clusters[c].energy;
	}
	double kept = (double)step->keep * (double)step->kept; // by paying, and by damping
	double moving = 0.5 * kept * kept * totals->deviation2, whole = pnWholeEnergy( &body->whole );
	// The term with d is what a kick and the swing it belongs to differ by; what is damped at once does not swing. It is at most this part of the
	// potential, by its curvature; damping is in the sum of kicks, and may make it seem more.
	double bent = ( 1.0 - (double)tuning->damp ) * 0.125 * rate * rate * totals->kick2 / tuning->lightness, most = 0.25 * tuning->pull * tuning->curvature * potential;
	double stored = potential - ( bent < most ? bent : most );
	// What whole and deviation exchange in a turn is not in the clusters' errors. Of a body that nobody has touched it shows as what is left over.
	const double* v = body->whole.velocity;
	double turning = whole - 0.5 * ( v[0] * v[0] + v[1] * v[1] + v[2] * v[2] );
	double found = turning + pnStored( totals->deviation2, totals->kick2, body->lastRate, body->lastLightness ) + potential, error = 0.0;
	for ( int c = 0; c < body->solid->clusterCount; ++c )
	{
		error += tuning->stiffness * (double)body->match.clusters[c].error;
	}
	if ( step->turns && !( step->drag > 0.0f ) && body->untouched && !body->fresh && !body->revalued )
	{
		body->account += found - body->guarded - error;
	}
	body->guarded = turning + pnStored( (double)step->keep * (double)step->keep * totals->deviation2, totals->kick2, rate, tuning->lightness ) + potential;
	body->kinetic = body->mass * ( whole + moving );
	body->elastic = body->mass * ( stored + moving * ( 1.0 / tuning->lightness - 1.0 ) );
	body->moving = moving / tuning->lightness;
	body->followed = tuning->dampFit <= pn_overdamped;
	body->lastRate = rate;
	body->lastStep = tuning->step;
	body->lastLightness = tuning->lightness;
}
