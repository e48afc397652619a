// rest.c - how much a body moves, and how little of that is rest. Knows one body and its collider; no world, no islands.
//
// A body's motion is a speed: the root of twice its kinetic energy per mass, with the velocity of the centre and the turn smoothed as vectors, so that what
// trembles without going anywhere counts little. What nothing carries has nothing that could hold its strain: its elastic energy is motion to come, and
// counts as such.
#include "rest.h"

#include "../base/trig.h"
#include "../contact/rows.h"

#include <math.h>

static const double pn_restPart = 0.02; // of the speed of a fall from its own size: so slow is at rest what is carried against gravity
static const double pn_restRate = 5e-4; // 1/s, body sizes: the same of what nothing draws, far under anything seen
static const double pn_smoothing = 8.0; // 1/s
static const double pn_rollRate = 1.0; // 1/s: slower than anything rocks

float pnFindRestSpeed( const pnBody* body, const float fall[3] )
{
	double gravity = sqrt( (double)fall[0] * (double)fall[0] + (double)fall[1] * (double)fall[1] + (double)fall[2] * (double)fall[2] );
	double size = body->extent > 0.0 ? body->extent : pnCbrt( body->mass / (double)body->material.density ); // a lone point is as large as what it stands for
	return (float)( pn_restPart * sqrt( gravity * size ) + pn_restRate * ( body->size2 > 0.0 ? sqrt( body->size2 ) : size ) );
}

static bool pnHeals( const pnBody* body )
{
	bool heals = false;
	for ( int c = 0; body->response.recovers > 0.5f && c < body->solid->clusterCount; ++c )
	{
		heals |= body->match.clusters[c].plasticStrain > 0.0f;
	}
	return heals;
}

// Spin about the centre, per mass, and the mean square of the velocities against that of the centre, (m/s)^2, as contact has left them.
static double pnMeasureParticles( const pnBody* body, double spin[3] )
{
	pnF4 center = { body->origin[0], body->origin[1], body->origin[2], 0.0f }, mean = pnRow4( body->match.motion, 0 ), square = pnSplat4( 0.0f ), sum = square;
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		pnF4 arm = pnRow4( body->match.x, i ) - center, u = pnRow4( body->v, i ) - mean, m = pnSplat4( body->match.x[4 * (size_t)i + 3] );
		square += u * u * m;
		sum += pnCross4( arm, u ) * m;
	}
	for ( int k = 0; k < 3; ++k )
	{
		spin[k] = (double)sum[k];
	}
	return (double)square[0] + (double)square[1] + (double)square[2];
}

// The same where nobody has pushed it since it moved: the step's own sums tell. Of the mean square all but the turn's part.
static double pnRecallMotion( const pnBody* body, double spin[3] )
{
	const pnPointSums* s = &body->sums;
	for ( int k = 0; k < 3; ++k )
	{
		int k1 = ( k + 1 ) % 3, k2 = ( k + 2 ) % 3;
		spin[k] = s->spin[k] - ( s->moment[k1] * s->flow[k2] - s->moment[k2] * s->flow[k1] );
	}
	return 2.0 * body->lastSwing * body->moving;
}

pnSmoothing pnFindSmoothing( float timeStep )
{
	return (pnSmoothing){ 1.0 - pnExp( -pn_smoothing * (double)timeStep ), 1.0 - pnExp( -pn_rollRate * (double)timeStep ) };
}

void pnWatchUnrest( pnBody* body, pnCollider* collider, pnSmoothing by )
{
	pnUnrest* unrest = &body->unrest;
	const float* mean = body->match.motion;
	const double* second = body->whole.second;
	bool held = body->pinCount > 0 || body->gripCount > 0, pulled = collider->fall[0] != 0.0f || collider->fall[1] != 0.0f || collider->fall[2] != 0.0f;
	collider->restless = held || body->response.bare;
	collider->rested = unrest->rested;
	if ( collider->restless && collider->surface == NULL ) // it never sleeps, and there is nobody whom it could keep awake
	{
		return;
	}
	double velocity2 = 0.0, turn2 = 0.0, turn[3], spin[3];
	bool recalled = body->measured && !held;
	double all2 = recalled ? pnRecallMotion( body, spin ) : pnMeasureParticles( body, spin );
	if ( body->pinCount > 0 )
	{
		pnAngularVelocity( second, spin, turn );
	}
	for ( int k = 0; k < 3 && body->pinCount == 0; ++k )
	{
		const double* row = body->whole.perInertia + 3 * k;
		turn[k] = row[0] * spin[0] + row[1] * spin[1] + row[2] * spin[2];
	}
	for ( int k = 0; k < 3 && recalled; ++k )
	{
		all2 += turn[k] * spin[k];
	}
	double shape2 = all2;
	for ( int k = 0; k < 3; ++k )
	{
		shape2 -= turn[k] * spin[k];
		all2 += (double)mean[k] * (double)mean[k];
		unrest->velocity[k] += (float)( by.rest * ( (double)mean[k] - (double)unrest->velocity[k] ) );
		unrest->turn[k] += (float)( by.rest * ( turn[k] - (double)unrest->turn[k] ) );
		unrest->rolls[k] += (float)( by.rolls * ( turn[k] - (double)unrest->rolls[k] ) );
		velocity2 += (double)unrest->velocity[k] * (double)unrest->velocity[k];
		turn2 += (double)unrest->turn[k] * (double)unrest->turn[k];
	}
	unrest->shape2 += (float)( by.rest * ( ( shape2 > 0.0 ? shape2 : 0.0 ) - (double)unrest->shape2 ) );
	double motion2 = velocity2 + turn2 * ( second[0] + second[1] + second[2] ) * 2.0 / 3.0 + (double)unrest->shape2;
	motion2 += (double)collider->shoveSpeed * (double)collider->shoveSpeed; // what is moved out of others is not at rest
	if ( held ) // it moves as those do who hold it, now
	{
		motion2 = all2;
	}
	else if ( !collider->carried )
	{
		motion2 += pulled || pnHeals( body ) ? 1e12 : 2.0 * body->response.lightness * body->elastic / (double)body->mass;
	}
	collider->motion = (float)sqrt( motion2 );
}

void pnLaySleeping( pnBody* body )
{
	for ( int p = 0; p < body->count; ++p )
	{
		memset( body->v + 4 * (size_t)p, 0, 3 * sizeof( float ) );
	}
	pnRefreshBody( body );
	body->kinetic = 0.0;
	body->unrest = (pnUnrest){ 0 };
	body->awake = false;
}
