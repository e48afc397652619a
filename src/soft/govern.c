// govern.c - the energy account. Knows one body's sums, no world.
//
// With the stiffness w^2 and the deviation's inertia 1 / lightness, a body's energy per mass between the two halves of a kick is
//   E = kinetic energy of the whole + ( 1/2 sum m u^2 - 1/8 (a/h)^2 sum m d^2 ) / lightness + w^2 W,
// u the deviation of the velocity and d that of the places. One step changes it by w^2 times the trapezoid error of the potential along the drift,
// which clusters tell (pnAccountW): exactly, for any goals whatever and whoever has moved the particles. That is zero for small swings. A positive
// balance is taken from u, which touches no momentum; so E does not rise by itself. What u cannot pay is taken from W, by relaxing: places go a part of
// the way to their goals, and the body is matched again. The stiffness is never touched.
// W does not depend on the step, so a step of another length changes E only by lightness and by the term with d: u is scaled so that E stays. Where a
// swing turns there is no u, and a shorter step finds more energy there than the longer one has: that too is relaxed.
// Damping is not in the account: it only takes.
#include "govern.h"

#include <math.h>

// A little credit lets the zero-mean part of the error come and go; without it that part would act as damping (energy.EnergyIsKept fails at 0). The
// energy does not get above its start by it: only what was lost before is given back. But clusters may tell a loss that is rounding alone: with what may stand
// (pn_patience) it is a hundredth, the bound that is promised.
static const double pn_credit = 0.009; // of E
// What may stand before it is taken out, a tenth of the bound: who paid for every ripple would shake what hangs still (momentum.HangingBodyIsStatic).
static const double pn_patience = 0.001; // of E
// Rounding of places in float, in units of the body's size: the account must not chase what that makes of W.
static const double pn_noise = 2e-7;
// Each time a body is relaxed it comes nearer to what is owed; a few times are enough.
enum { PN_MOST_RELAXINGS = 8 };

static double pnStored( double deviation2, double kick2, double rate, double lightness )
{
	return ( 0.5 * deviation2 - 0.125 * rate * rate * kick2 ) / lightness;
}

// Of a step that damps. Damping takes b of the first half kick also where it leaves the swing alone, of clusters against each other: that swings as if it
// were as much more inert.
static double pnSwingLightness( const pnTuning* tuning )
{
	return tuning->lightness * ( 1.0 - 0.5 * (double)tuning->damp );
}

static double pnPotential( const pnBody* body )
{
	double potential = 0.0;
	for ( int c = 0; c < body->solid->clusterCount; ++c )
	{
		potential += (double)body->match.clusters[c].energy;
	}
	return body->response.stiffness * potential;
}

// What rounding may make of the account in a step, J/kg. Fits and goals are wrong by noise sizes. Clusters tell an error as the work along a way that may be as
// long as the body; of a body whose energy is compared itself (alone) it is that much times how far fit and goal are apart.
static double pnFindNoise( const pnBody* body, bool alone )
{
	double scale = body->response.stiffness * body->size2;
	if ( !alone )
	{
		return pn_noise * scale;
	}
	double potential = pnPotential( body );
	return pn_noise * sqrt( 2.0 * ( potential > 0.0 ? potential : 0.0 ) * scale ) + pn_noise * pn_noise * scale;
}

// The energy of the whole, but for the motion of the centre. whole: all of it.
static double pnTurning( const pnBody* body, double whole )
{
	const double* v = body->whole.velocity;
	return whole - 0.5 * ( v[0] * v[0] + v[1] * v[1] + v[2] * v[2] );
}

// What flow and healing have changed the potential by since the last match: no error of the step.
static double pnFindFlowed( const pnBody* body )
{
	double given = 0.0;
	for ( int c = 0; c < body->solid->clusterCount; ++c )
	{
		given += (double)body->match.form->clusters[c].share * (double)body->match.clusters[c].given;
	}
	return body->response.stiffness * given;
}

// Whether the energy that damped steps tell of it can be compared from one to the next: nobody has touched a free body, and its step is as long as the last.
static bool pnIsCompared( const pnBody* body )
{
	const pnTuning* tuning = &body->response;
	// What was given to it before is scaled so that it has the same (pnFinishReady). Where a step can follow a swing that is told too roughly.
	bool same = body->lastSwing == pnSwingLightness( tuning ) || ( body->given && tuning->followed < 1.0 );
	return same && body->lastStep == tuning->step && body->untouched && !body->revalued && !body->fresh && tuning->lightness < 1.0 && body->pinCount == 0;
}

// And what rounding makes of that: where steps are too long for swings, as little as of what is compared itself.
static double pnFindToldNoise( const pnBody* body )
{
	return pnFindNoise( body, body->response.followed < 1.0 && pnIsCompared( body ) );
}

double pnGovern( pnBody* body, pnPointStep* step, const pnWeights* weights )
{
	const pnTuning* tuning = &body->response;
	// Velocities that were given to it are those of a step without end: no half kick is in them, and all of their inertia is its own.
	double rate = tuning->pull / tuning->step, rateBefore = body->fresh ? 0.0 : body->lastRate, lightnessBefore = body->fresh ? 1.0 : body->lastLightness;
	double error = 0.0;
	if ( body->inherits ) // its clusters are others than those that it was in, and may find more in the same places
	{
		double more = pnPotential( body ) - body->guarded;
		body->account += more > 0.0 ? more : 0.0;
		body->inherits = false;
	}
	bool known = !body->fresh && !body->revalued, changed = body->fresh || ( known && body->lastStep != tuning->step );
	// Nobody but the step has changed its energy, but for the motion of its centre. Gravity changes that of a body that turns about its pins.
	bool alone = known && body->untouched && body->relaxings == 0 && !( step->drag > 0.0f ) && !step->held;
	bool compared = step->drag > 0.0f && pnIsCompared( body ); // by what it tells (pnBookEnergy): clusters need not be asked
	step->keep = 1.0f;
	for ( int c = 0; c < body->solid->clusterCount && known && !compared && body->relaxings == 0; ++c )
	{
		error += (double)body->match.clusters[c].error;
	}
	double noise = compared ? pnFindToldNoise( body ) : pnFindNoise( body, alone ), energy = ( body->kinetic + body->elastic ) / body->mass;
	energy = energy > 0.0 ? energy : 0.0;
	double least = -pn_credit * energy - noise, owed = pn_patience * energy + noise;
	if ( body->relaxings == 0 ) // What error has put in before is damped like all the rest. Of clusters that overlap it is kept: they come back with fewer knots.
	{
		body->account = ( body->solid->overlapping ? 1.0 : 1.0 - (double)tuning->dampFit ) * body->account + tuning->stiffness * error;
	}
	body->account = body->account > least ? body->account : least;
	if ( step->drag > 0.0f || ( !changed && !alone && !( body->account > owed ) ) )
	{
		return 0.0; // what is damped pays beforehand (pnFindKeep)
	}
	double sums[2];
	weights->weigh( weights->context, sums );
	double deviation2 = sums[0], kick2 = sums[1], factor2 = 1.0, left = body->loses ? 1.0 - (double)tuning->damp : 1.0;
	double before = pnStored( deviation2, kick2, rateBefore, lightnessBefore ), all = pnTurning( body, pnWholeEnergy( &body->whole ) ) + before + pnPotential( body );
	if ( alone ) // what whole and deviation exchange in a turn is not in the clusters' errors, nor is rounding: it shows as what is left over
	{
		body->account += all - body->guarded - pnFindFlowed( body ) - tuning->stiffness * error;
	}
	// What relaxing has changed its energy by is booked as it is, not as the error of a drift.
	double balance = body->account + ( body->relaxings > 0 ? all - body->beforeRelaxing - pnFindFlowed( body ) : 0.0 );
	balance = balance > least ? balance : least;
	if ( changed )
	{
		double ratio = tuning->lightness / lightnessBefore, bent = left * 0.25 * rate * rate * kick2;
		double wanted = 2.0 * tuning->lightness * before + bent;
		factor2 = wanted > 0.0 && deviation2 > 0.0 ? wanted / deviation2 : 0.0;
		// No swing is blown up to make up for a phase; nor what is left of one that the last step could not follow.
		double most = body->loses ? left * left * ( ratio < 1.0 ? ratio : 1.0 ) : ratio > 1.0 && body->followed ? ratio : 1.0;
		factor2 = factor2 < most ? factor2 : most;
		balance += 0.5 * ( factor2 * deviation2 - bent ) / tuning->lightness - before;
	}
	double there = 0.5 * factor2 * deviation2 / tuning->lightness;
	if ( balance > ( changed ? 0.0 : owed ) && there > 0.0 )
	{
		double taken = balance < there ? balance : there;
		factor2 *= 1.0 - taken / there;
		balance -= taken;
	}
	body->unbooked = body->account;
	body->beforeRelaxing = body->relaxings == 0 ? all : body->beforeRelaxing;
	body->account = balance;
	step->keep = (float)sqrt( factor2 );
	bool relaxes = balance > owed && body->relaxings < PN_MOST_RELAXINGS && body->gripCount == 0; // a hand would have to be asked
	return relaxes ? balance : 0.0;
}

void pnInheritEnergy( const pnBody* from, pnBody* const* pieces, int pieceCount, const int32_t* pieceOf )
{
	const pnSolid* form = from->match.form;
	for ( int p = 0; p < pieceCount; ++p )
	{
		pnBody* piece = pieces[p];
		if ( piece == NULL )
		{
			continue;
		}
		double held = 0.0, moving = 0.0;
		for ( int c = 0; c < form->clusterCount; ++c )
		{
			double part = 0.0;
			for ( int m = form->clusterStart[c]; m < form->clusterStart[c] + form->clusterSize[c]; ++m )
			{
				part += pieceOf[form->memberPoint[m] / 16] == p ? (double)form->members[m].w : 0.0;
			}
			held += part * (double)from->match.clusters[c].energy;
		}
		for ( int i = 0; i < piece->solid->particleCount; ++i )
		{
			const float* v = piece->v + 4 * (size_t)i;
			moving += 0.5 * (double)piece->match.x[4 * (size_t)i + 3] * ( (double)v[0] * (double)v[0] + (double)v[1] * (double)v[1] + (double)v[2] * (double)v[2] );
		}
		held *= from->response.stiffness * (double)from->mass;
		piece->elastic = held;
		piece->kinetic = moving * (double)piece->mass;
		piece->guarded = held / (double)piece->mass;
		piece->inherits = !from->fresh && !from->response.bare;
	}
}

// What the deviation's velocity has to pay before it is kicked and damped, of an energy of the body.
static double pnFindDue( const pnBody* body, double energy )
{
	bool due = body->account > pn_patience * energy + pnFindToldNoise( body );
	return due ? body->account < body->moving ? body->account : body->moving : 0.0;
}

double pnFindKeep( pnBody* body )
{
	const pnTuning* tuning = &body->response;
	double keep2 = 1.0, ratio = pnSwingLightness( tuning ) / body->lastSwing, due = pnFindDue( body, ( body->kinetic + body->elastic ) / body->mass );
	if ( body->lastStep != tuning->step && !body->revalued )
	{
		keep2 = ratio < 1.0 ? ratio : 1.0; // a shorter step would give velocity back: what is damped does without
	}
	if ( due > 0.0 )
	{
		keep2 *= 1.0 - due / body->moving;
		body->account -= due;
		body->guarded -= due;
	}
	return sqrt( keep2 );
}

void pnBookEnergy( pnBody* body, const pnPointStep* step, const pnPointTotals* totals )
{
	const pnTuning* tuning = &body->response;
	double potential = pnPotential( body ), rate = tuning->pull / tuning->step;
	double whole = pnWholeEnergy( &body->whole ), lightness = tuning->lightness, moving, stored;
	if ( step->drag > 0.0f )
	{
		// What is damped has no one instant between the halves. Velocities before and after a kick have the product u^2 - (a/2h)^2 d^2 where nothing is damped,
		// and what damping leaves of both where something is, whatever of it: clusters that swing against each other are not damped as their shape is.
		// Where a swing turns the product is negative, as the term with d is where nothing is damped: at most the part a c / 4 of the potential.
		lightness = pnSwingLightness( tuning );
		double least = -0.25 * tuning->pull * tuning->curvature * lightness * potential;
		moving = 0.5 * (double)step->kept * totals->across;
		moving = moving > least ? moving : least;
		stored = potential;
		// A spin draws out clusters that swing against each other by more than it loses, b / ( 2 - b ) of it, where a step is too long for its frequency (docs/step.md). That is in no
		// cluster's error: what is told may not rise by it.
		double guarded = pnTurning( body, whole ) + moving / lightness + potential;
		body->account += pnIsCompared( body ) ? guarded - body->guarded - pnFindFlowed( body ) : 0.0;
		body->guarded = guarded;
	}
	else
	{
		// The term with d is what a kick and the swing it belongs to differ by; what is damped at once does not swing.
		moving = 0.5 * (double)step->keep * (double)step->keep * totals->deviation2;
		stored = potential - ( 1.0 - (double)tuning->damp ) * 0.125 * rate * rate * totals->kick2 / tuning->lightness;
		body->guarded = pnTurning( body, whole ) + pnStored( 2.0 * moving, totals->kick2, rate, tuning->lightness ) + potential;
	}
	body->strained = (float)potential;
	stored += moving < 0.0 ? moving / lightness : 0.0;
	moving = moving > 0.0 ? moving : 0.0;
	body->moving = moving / lightness;
	// What damping steps have put in by error goes before the next kick: it is not the body's.
	moving -= step->drag > 0.0f ? lightness * pnFindDue( body, whole + body->moving + stored ) : 0.0;
	body->kinetic = body->mass * ( whole + moving );
	body->elastic = body->mass * ( stored + moving * ( 1.0 / lightness - 1.0 ) );
	body->followed = tuning->followed >= 1.0;
	body->lastRate = rate;
	body->lastStep = tuning->step;
	body->lastLightness = tuning->lightness;
	body->lastSwing = lightness;
}
