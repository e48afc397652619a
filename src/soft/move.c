// move.c - kick and drift of one body whose clusters have been matched: energy account, pins, grips, forces. Knows one body, no world.
#include "move.h"

#include "govern.h"
#include "grip.h"

#include <math.h>

// What the blocks of one body need while its points are moved, perhaps by several workers.
typedef struct pnBodyStep
{
	const pnMover* mover;
	pnBody* body;
	pnPointStep points;
} pnBodyStep;

static void pnForBlocks( pnBodyStep* step, pnRangeFcn* fcn )
{
	int count = ( step->body->count + PN_BLOCK - 1 ) / PN_BLOCK;
	if ( step->mover->tasks != NULL )
	{
		pnParallelFor( step->mover->tasks, fcn, count, 1, step );
	}
	else
	{
		fcn( 0, count, 0, step );
	}
}

#define PN_BLOCK_TASK( name, call )                                                                                           \
	static void name( int begin, int end, int worker, void* context )                                                         \
	{                                                                                                                         \
		pnBodyStep* step = context;                                                                                           \
		PN_UNUSED( worker );                                                                                                  \
		for ( int b = begin; b < end; ++b )                                                                                   \
		{                                                                                                                     \
			int first = b * PN_BLOCK, last = first + PN_BLOCK < step->body->count ? first + PN_BLOCK : step->body->count;    \
			const pnKernel* kernel = step->mover->kernel;                                                                     \
			pnBlockSums* block = step->mover->blocks + b;                                                                     \
			PN_UNUSED( block );                                                                                               \
			call;                                                                                                             \
		}                                                                                                                     \
	}
PN_BLOCK_TASK( pnMeasureTask, kernel->measure( &step->points, first, last, &block->points ) )
PN_BLOCK_TASK( pnRigidTask, kernel->rigid( &step->points, first, last, &block->rigid ) )
PN_BLOCK_TASK( pnDeviationTask, block->deviation = kernel->deviation( &step->points, first, last ) )
PN_BLOCK_TASK( pnAdvanceTask, kernel->advance( &step->points, first, last, &block->totals ) )
PN_BLOCK_TASK( pnAdvanceBareTask, kernel->advanceBare( &step->points, first, last ) )

// Adds up a struct of doubles over the blocks, in order.
static void pnAddBlocks( const pnBodyStep* step, size_t offset, int doubles, double* sums )
{
	int count = ( step->body->count + PN_BLOCK - 1 ) / PN_BLOCK;
	for ( int k = 0; k < doubles; ++k )
	{
		sums[k] = 0.0;
	}
	for ( int b = 0; b < count; ++b )
	{
		const double* block = (const double*)( (const char*)( step->mover->blocks + b ) + offset );
		for ( int k = 0; k < doubles; ++k )
		{
			sums[k] += block[k];
		}
	}
}
#define PN_ADD_BLOCKS( step, field, sums ) pnAddBlocks( step, offsetof( pnBlockSums, field ), (int)( sizeof( sums ) / sizeof( double ) ), (double*)&( sums ) )

static pnPointRigid pnRigidOf( void* context )
{
	pnBodyStep* step = context;
	pnPointRigid sums;
	pnForBlocks( step, pnRigidTask );
	PN_ADD_BLOCKS( step, rigid, sums );
	return sums;
}

static double pnDeviationOf( void* context )
{
	pnBodyStep* step = context;
	double sum;
	pnForBlocks( step, pnDeviationTask );
	PN_ADD_BLOCKS( step, deviation, sum );
	return sum;
}

// A body's potential: its clusters', in order.
static double pnPotential( const pnBody* body, double* given )
{
	double sum = 0.0;
	*given = 0.0;
	for ( int c = 0; c < body->solid->clusterCount; ++c )
	{
		const pnCluster* cluster = body->match.clusters + c;
		sum += (double)cluster->energy;
		*given += (double)body->match.form->clusters[c].share * (double)cluster->given;
	}
	return sum;
}

// Velocity given at points since the last step is in v already, but it has not moved anything yet: the account must not see it.
static void pnTakeOutKicks( const pnBody* body, const pnPointStep* points, pnPointSums* sums )
{
	for ( int i = 0; i < body->kickCount; ++i )
	{
		const pnPointForce* kick = body->kicks + i;
		size_t row = 4 * (size_t)kick->particle;
		double m = points->x[row + 3];
		for ( int k = 0; k < 3; ++k )
		{
			double u = (double)( points->v[row + k] - points->mean[k] ), gained = (double)kick->value[k];
			sums->power -= gained * ( (double)points->force[row + k] + m * (double)points->drag * u );
			sums->lastPower -= gained * m * (double)points->last[row + k];
		}
	}
}

// Forces at points: velocity h f / m, and the way it makes in this drift.
static void pnApplyPointForces( pnBody* body, double h, double moment[3] )
{
	for ( int i = 0; i < body->forceCount; ++i )
	{
		const pnPointForce* force = body->forces + i;
		float *x = (float*)body->match.x + 4 * (size_t)force->particle, *v = body->v + 4 * (size_t)force->particle;
		if ( body->last[4 * (size_t)force->particle + 3] > 0.0f )
		{
			continue; // held
		}
		for ( int k = 0; k < 3; ++k )
		{
			float gain = (float)( h * (double)force->value[k] / body->mass ) * v[3];
			v[k] += gain;
			x[k] += (float)h * gain;
			moment[k] += (double)x[3] * (double)gain;
		}
	}
}

// Pinned particles go straight to their targets in what is left of the step. Returns true if any of them moves.
static bool pnAimPins( pnBody* body, double timeLeft )
{
	bool moves = false;
	for ( int i = 0; i < body->pinCount; ++i )
	{
		const pnPin* pin = body->pins + i;
		float *x = (float*)body->match.x + 4 * (size_t)pin->particle, *v = body->v + 4 * (size_t)pin->particle;
		for ( int k = 0; k < 3; ++k )
		{
			v[k] = (float)( ( (double)pin->target[k] - (double)x[k] ) / timeLeft );
			moves |= v[k] != 0.0f;
		}
	}
	return moves;
}

void pnLandPins( pnBody* body )
{
	for ( int i = 0; i < body->pinCount; ++i )
	{
		memcpy( (float*)body->match.x + 4 * (size_t)body->pins[i].particle, body->pins[i].target, sizeof body->pins[i].target );
	}
}

// Below this a body is at rest: far under anything seen, relative to its size.
static const double pn_restSpeed = 5e-4; // body sizes per second

// At rest: nothing moves, nothing is strained, nothing pulls, nothing heals.
static void pnWatchRest( pnBody* body, const pnPointStep* points )
{
	double most = pn_restSpeed * pn_restSpeed * body->size2, pulled = 0.0;
	bool heals = false;
	for ( int k = 0; k < 3; ++k )
	{
		pulled += (double)points->gain[k] * (double)points->gain[k];
	}
	for ( int c = 0; c < body->solid->clusterCount && body->response.recovers > 0.5f; ++c )
	{
		heals |= body->match.clusters[c].plasticStrain > 0.0f;
	}
	bool rests = 2.0 * body->kinetic < most * body->mass && 2.0 * body->elastic < most * body->mass && pulled == 0.0 && !heals;
	body->calm = rests ? body->calm + points->step : 0.0f;
}

void pnReadyBody( pnBody* body )
{
	// Without a past the clusters' motion is not known; and a body softened to nothing has no pull that could carry it.
	double a = body->response.pull * body->softened;
	bool damps = !body->fresh && body->response.damp > 0.0f && body->softened > 0.1 && a > 1e-30 && body->match.motion[3] > 0.0f;
	body->match.motion[4] = damps ? (float)( body->response.step / a ) : 0.0f;
}

void pnPrefetchBody( const pnBody* body )
{
	int count = body->count < 256 ? body->count : 256; // longer runs the hardware follows by itself
	for ( int i = 0; i < count; i += 4 ) // four rows are one cache line
	{
		__builtin_prefetch( body->v + 4 * i, 1 );
		if ( !body->response.bare )
		{
			__builtin_prefetch( body->last + 4 * i, 1 );
		}
	}
}

void pnMoveBody( const pnMover* mover, pnBody* body, float* sums )
{
	const pnTuning* response = &body->response;
	double h = response->step;
	pnBodyStep step = { mover, body, { 0 } };
	pnPointStep* points = &step.points;
	points->x = (float*)body->match.x;
	points->v = body->v;
	points->last = body->last;
	points->force = sums;
	points->drag = response->damp * body->match.motion[4];
	points->count = body->count;
	points->held = body->pinCount > 0;
	points->pull = points->pullAfter = (float)( response->pull * body->softened );
	points->step = (float)h;
	memcpy( points->origin, body->origin, sizeof points->origin );
	memcpy( points->mean, body->match.motion, sizeof points->mean );
	const float* gravity = &mover->gravity.x;
	const float* force = &body->force.x;
	for ( int k = 0; k < 3; ++k )
	{
		points->lag[k] = (float)body->lag[k];
		points->gain[k] = (float)( h * ( (double)gravity[k] * body->gravityScale + (double)force[k] / body->mass ) );
	}
	if ( response->bare )
	{
		pnAimPins( body, h * mover->stepsLeft );
		pnForBlocks( &step, pnAdvanceBareTask );
		double moment[3] = { 0 };
		pnApplyPointForces( body, h, moment );
		pnPullGrips( body, h, mover->stepsLeft, moment );
		body->kinetic = body->elastic = 0.0;
		body->kickCount = 0;
		return;
	}

	double given, potential = pnPotential( body, &given );
	pnPointSums total;
	pnForBlocks( &step, pnMeasureTask );
	PN_ADD_BLOCKS( &step, points, total );
	pnTakeOutKicks( body, points, &total );
	pnMeasures measures = { pnRigidOf, pnDeviationOf, &step };
	pnGovern( body, points, &total, potential, given, &measures );

	pnWatchGrips( body );
	pnPointTotals totals;
	bool pulled = pnAimPins( body, h * mover->stepsLeft );
	pnForBlocks( &step, pnAdvanceTask );
	PN_ADD_BLOCKS( &step, totals, totals );
	pnBookEnergy( body, points, &total, &totals, potential );
	pnFindSwerves( body, points->gain, (double)points->pullAfter / h );
	double gained[3] = { 0.0, 0.0, 0.0 };
	pnApplyPointForces( body, h, gained );
	pnPullGrips( body, h, mover->stepsLeft, gained );

	for ( int k = 0; k < 3; ++k )
	{
		body->strayMomentum[k] = points->held ? 0.0 : body->strayMomentum[k] + totals.flow[k] - total.flow[k] - (double)points->gain[k];
		body->straySpin[k] = points->held ? 0.0 : totals.stray[k];
		double lag = body->lag[k] - totals.slip[k], most = 1e-6 * ( 1.0 + fabs( (double)body->origin[k] ) );
		body->lag[k] = points->held || lag > most || lag < -most ? 0.0 : lag; // more than rounding: it stands at the wall
		body->match.motion[k] = points->held ? 0.0f : (float)( (double)points->mean[k] + totals.flow[k] + gained[k] );
		body->origin[k] += (float)( total.moment[k] + h * ( (double)points->mean[k] + totals.flow[k] + gained[k] ) ); // where the centre is now
	}
	body->match.motion[3] = (float)( 1.0 / h );
	body->kickCount = 0;
	body->fresh = false;
	body->revalued = pulled; // pins that move do work, which is nobody's error
	pnWatchRest( body, points );
}
