// govern.c - the energy account. With H = 1/2 sum m v_mid^2 + (a/h^2) ( W - a/8 sum m d^2 ), one step changes H by exactly
// delta = (a'/h'^2) W' - (a/h^2) W - sum m v.( (a'/2h') d' + (a/2h) d ), v what it drifted with, for any goals whatever and from one
// step size to another. A positive balance is taken from the deviation of v_mid from the body's rigid motion, which touches no
// momentum; so H never rises by itself. Damping is part of d, and what it takes shows as a negative delta. Knows one body's sums,
// no world.
#include "govern.h"

#include <math.h>

// A little credit lets the zero-mean part of delta come and go; without it that part would act as damping.
static const double pn_credit = 0.02;
// Rounding of W in float, in units of the body's size: the account must not chase it.
static const double pn_noise = 2e-7;

// V as a function of the factor on the pull.
static double pnStored( double full, double curved, double factor )
{
	return factor * ( full - factor * curved );
}

void pnGovern( pnBody* body, pnPointStep* step, const pnPointSums* sums, double potential, double given, const pnMeasures* measures )
{
	double h = body->response.step, a = body->response.pull * body->softened, scale = a / ( h * h );
	double noise = pn_noise * scale * body->size2;
	if ( body->fresh || body->revalued )
	{
		body->account = body->account > 0.0 ? body->account : 0.0;
	}
	else
	{
		double last = body->lastPull / body->lastStep;
		body->account += scale * ( potential - given ) - last / body->lastStep * body->potential;
		body->account -= 0.5 * ( a / h * sums->power + last * sums->lastPower );
	}
	double energy = ( body->kinetic + body->elastic ) / body->mass;
	double lowest = -pn_credit * ( energy > 0.0 ? energy : 0.0 ) - noise;
	body->account = body->account > lowest ? body->account : lowest;

	// The rigid part of the kick is zero in theory; taking it out, and what the last step's rounding put in, keeps both momenta.
	double center[3], torque[3], second[6], turn[3] = { 0.0, 0.0, 0.0 };
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		center[k] = sums->moment[k];
		torque[k] = sums->torque[k] - ( sums->moment[k1] * sums->kick[k2] - sums->moment[k2] * sums->kick[k1] );
		second[k] = sums->second[k] - sums->moment[k] * sums->moment[k];
		second[3 + k] = sums->second[3 + k] - sums->moment[k] * sums->moment[k1];
	}
	if ( !step->held )
	{
		// What rounding did to a body that is a mere dot, seen from the origin, is no spin: to give it back would fling its points.
		double far2 = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			far2 += (double)step->origin[k] * (double)step->origin[k];
		}
		for ( int k = 0; k < 3 && second[0] + second[1] + second[2] > 1e-8 * far2; ++k )
		{
			torque[k] -= body->straySpin[k];
		}
		pnAngularVelocity( second, torque, turn );
	}
	step->keep = 1.0f;
	step->pullAfter = step->pull;
	for ( int k = 0; k < 3; ++k )
	{
		step->center[k] = (float)center[k];
		step->push[k] = step->held ? 0.0f : (float)( sums->kick[k] - body->strayMomentum[k] );
		step->turn[k] = step->held ? 0.0f : (float)turn[k];
		step->rigid[k] = step->spin[k] = 0.0f;
	}

	// Where turns are ill defined (collapsed to a line or a point) the kick may carry a real torque, and taking it out does work.
	double work = 0.0;
	for ( int k = 0; k < 3 && !step->held; ++k )
	{
		work += 0.5 * ( ( sums->kick[k] - body->strayMomentum[k] ) * ( sums->kick[k] - body->strayMomentum[k] ) + turn[k] * torque[k] );
	}
	bool softened = body->softened < 1.0, repaired = work > 1e-11 * energy + noise * 1e-3;
	if ( !( body->account > noise ) && !softened && !repaired )
	{
		return;
	}
	if ( !step->held )
	{
		pnPointRigid motion = measures->rigid( measures->context );
		double spin[3], omega[3];
		for ( int k = 0; k < 3; ++k )
		{
			int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
			spin[k] = motion.spin[k] - ( center[k1] * motion.moment[k2] - center[k2] * motion.moment[k1] );
			step->rigid[k] = (float)motion.moment[k];
			work += motion.moment[k] * ( sums->kick[k] - body->strayMomentum[k] ) + spin[k] * turn[k];
		}
		body->account += repaired ? work : 0.0;
		pnAngularVelocity( second, spin, omega );
		for ( int k = 0; k < 3; ++k )
		{
			step->spin[k] = (float)omega[k];
		}
	}
	else // held bodies have no free rigid motion: everything counts
	{
		for ( int k = 0; k < 3; ++k )
		{
			step->rigid[k] = -step->mean[k];
		}
	}
	if ( !( body->account > noise ) && !softened )
	{
		return;
	}
	double deviation = measures->deviation( measures->context );
	double full = body->response.pull / ( h * h ) * potential;
	double curved = body->response.pull * body->response.pull / ( 8.0 * h * h ) * sums->stiff2;
	if ( softened && !( body->account > noise ) )
	{
		// Let the pull come back by a quarter, if the motion can pay for it.
		double next = 1.25 * body->softened + 1e-3;
		next = next < 1.0 ? next : 1.0;
		double cost = pnStored( full, curved, next ) - pnStored( full, curved, body->softened );
		if ( body->account + cost < 0.5 * deviation || cost <= noise )
		{
			body->account += cost;
			body->softened = next;
		}
	}
	if ( body->account > 0.0 && deviation > 0.0 )
	{
		double taken = body->account < deviation ? body->account : deviation;
		step->keep = (float)sqrt( 1.0 - taken / deviation );
		body->account -= taken;
	}
	if ( body->account > noise )
	{
		// Nothing moves that could pay: soften the body so that its stored energy drops by the rest.
		double stored = pnStored( full, curved, body->softened ), wanted = stored - body->account;
		wanted = wanted > 0.0 ? wanted : 0.0;
		double under = full * full - 4.0 * curved * wanted;
		double factor = under >= 0.0 && full > 0.0 ? 2.0 * wanted / ( full + sqrt( under ) ) : body->softened;
		if ( factor < body->softened )
		{
			body->account -= stored - pnStored( full, curved, factor );
			body->softened = factor;
		}
	}
	step->pullAfter = (float)( body->response.pull * body->softened );
}

void pnBookEnergy( pnBody* body, const pnPointStep* step, const pnPointSums* sums, const pnPointTotals* totals, double potential )
{
	double h = body->response.step, a = step->pullAfter, mass = body->mass;
	body->kinetic = mass * totals->kinetic;
	body->elastic = mass * a / ( h * h ) * ( potential - 0.125 * a * sums->stiff2 );
	body->potential = potential;
	body->lastPull = a;
	body->lastStep = h;
}
