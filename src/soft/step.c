// step.c - the order of a step. Read this first.
//
// For each body: match every cluster to its particles, add up how far the particles are from their goals, book what the last
// step's error did to the energy, kick, drift. Small bodies go through all of it on one worker; a large one is shared.
#include "govern.h"
#include "world.h"

#include <math.h>

// ---- one body, once its clusters are matched ----

// What the blocks of one body need while its points are moved, perhaps by several workers.
typedef struct pnBodyStep
{
	pnWorld* world;
	pnBody* body;
	pnPointStep points;
	pnTasks* tasks; // NULL: this worker does all blocks
	pnBlockSums* blocks;
} pnBodyStep;

static void pnForBlocks( pnBodyStep* step, pnRangeFcn* fcn )
{
	int count = ( step->body->count + PN_BLOCK - 1 ) / PN_BLOCK;
	if ( step->tasks != NULL )
	{
		pnParallelFor( step->tasks, fcn, count, 1, step );
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
			const pnKernel* kernel = step->world->kernel;                                                                     \
			pnBlockSums* block = step->blocks + b;                                                                            \
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
		const double* block = (const double*)( (const char*)( step->blocks + b ) + offset );
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

// Velocity given at points since the last step is in v already, but it has not moved anything yet.
static double pnUnmovedWork( const pnBody* body, const float* sums )
{
	double work = 0.0;
	for ( int i = 0; i < body->kickCount; ++i )
	{
		const pnPointForce* kick = body->kicks + i;
		const float *force = sums + 4 * (size_t)kick->particle, *last = body->last + 4 * (size_t)kick->particle;
		double m = body->match.x[4 * (size_t)kick->particle + 3];
		for ( int k = 0; k < 3; ++k )
		{
			work += (double)kick->value[k] * ( (double)force[k] + m * (double)last[k] );
		}
	}
	return work * body->lastStep;
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
			float gain = (float)( h * (double)force->value[k] / body->solid->totalMass ) * v[3];
			v[k] += gain;
			x[k] += (float)h * gain;
			moment[k] += (double)x[3] * (double)gain;
		}
	}
}

// Pinned particles go straight to their targets in what is left of the step.
static void pnAimPins( pnBody* body, double timeLeft )
{
	for ( int i = 0; i < body->pinCount; ++i )
	{
		const pnPin* pin = body->pins + i;
		float *x = (float*)body->match.x + 4 * (size_t)pin->particle, *v = body->v + 4 * (size_t)pin->particle;
		for ( int k = 0; k < 3; ++k )
		{
			v[k] = (float)( ( (double)pin->target[k] - (double)x[k] ) / timeLeft );
		}
	}
}

static void pnLandPins( pnBody* body )
{
	for ( int i = 0; i < body->pinCount; ++i )
	{
		memcpy( (float*)body->match.x + 4 * (size_t)body->pins[i].particle, body->pins[i].target, sizeof body->pins[i].target );
	}
}

// Below this for half a second a body sleeps: far under anything seen, relative to its size.
static const double pn_sleepSpeed = 5e-4; // body sizes per second
static const float pn_sleepTime = 0.5f; // s

static void pnWatchRest( pnBody* body, double h )
{
	double speed2 = 2.0 * body->kinetic / body->solid->totalMass;
	body->calm = speed2 < pn_sleepSpeed * pn_sleepSpeed * body->size2 ? body->calm + (float)h : 0.0f;
}

// Kick and drift of one matched body. sums: its rows.
static void pnMoveBody( pnWorld* world, pnBody* body, float* sums, pnTasks* tasks, pnBlockSums* blocks, int stepsLeft )
{
	const pnResponse* response = &body->response;
	double h = response->step;
	pnBodyStep step = { world, body, { 0 }, tasks, blocks };
	pnPointStep* points = &step.points;
	points->x = (float*)body->match.x;
	points->v = body->v;
	points->last = body->last;
	points->force = sums;
	points->drag = sums + 4 * (size_t)body->count;
	points->count = body->count;
	points->held = body->pinCount > 0;
	points->pull = points->pullAfter = (float)( response->pull * body->softened );
	points->damp = body->fresh ? 0.0f : response->damp; // without a past the clusters' motion is not known
	points->step = (float)h;
	points->lastStep = body->lastStep;
	memcpy( points->origin, body->origin, sizeof points->origin );
	memcpy( points->mean, body->match.motion, sizeof points->mean );
	const float* gravity = &world->gravity.x;
	const float* force = &body->force.x;
	for ( int k = 0; k < 3; ++k )
	{
		points->gain[k] = (float)( h * ( (double)gravity[k] * body->gravityScale + (double)force[k] / body->solid->totalMass ) );
	}
	if ( response->bare )
	{
		pnAimPins( body, h * stepsLeft );
		pnForBlocks( &step, pnAdvanceBareTask );
		double moment[3] = { 0 };
		pnApplyPointForces( body, h, moment );
		body->kinetic = body->elastic = 0.0;
		return;
	}

	double given, potential = pnPotential( body, &given );
	pnPointSums total;
	pnForBlocks( &step, pnMeasureTask );
	PN_ADD_BLOCKS( &step, points, total );
	total.work -= pnUnmovedWork( body, sums );
	pnMeasures measures = { pnRigidOf, pnDeviationOf, &step };
	pnGovern( body, points, &total, potential, given, &measures );

	pnPointTotals totals;
	pnAimPins( body, h * stepsLeft );
	pnForBlocks( &step, pnAdvanceTask );
	PN_ADD_BLOCKS( &step, totals, totals );
	pnBookEnergy( body, points, &total, &totals, potential );
	double gained[3] = { 0.0, 0.0, 0.0 };
	pnApplyPointForces( body, h, gained );

	for ( int k = 0; k < 3; ++k )
	{
		body->strayMomentum[k] = points->held ? 0.0 : body->strayMomentum[k] + totals.flow[k] - total.flow[k] - (double)points->gain[k];
		body->straySpin[k] = points->held ? 0.0 : totals.stray[k];
		body->origin[k] += (float)total.moment[k]; // where the centre was; near enough for the next step
		body->match.motion[k] = points->held ? 0.0f : (float)( (double)points->mean[k] + totals.flow[k] + gained[k] );
	}
	body->match.motion[3] = (float)( 1.0 / h );
	body->lastStep = (float)h;
	body->kickCount = 0;
	body->fresh = false;
	if ( world->enableSleep && body->pinCount == 0 )
	{
		pnWatchRest( body, h );
	}
}

// ---- all bodies ----

typedef struct pnSubStep { pnWorld* world; pnBody* body; int firstGroup, stepsLeft; } pnSubStep; // body, firstGroup: large ones only

static void pnStepUnits( int begin, int end, int workerIndex, void* context )
{
	pnSubStep* sub = context;
	pnWorld* world = sub->world;
	pnWorker* worker = world->workers + workerIndex;
	for ( int u = begin; u < end; ++u )
	{
		const pnUnit* unit = world->schedule.units + u;
		double start = pnNow();
		for ( int b = 0; b < unit->batchCount; ++b )
		{
			const pnBatch* batch = world->schedule.batches + unit->firstBatch + b;
			const pnBatch* next = unit->firstBatch + b + 1 < world->schedule.batchCount ? batch + 1 : NULL;
			worker->rareCount += world->kernel->match( batch, next, worker->sums, worker->scratch, world->zeros );
		}
		double matched = pnNow();
		for ( int i = 0; i < unit->bodyCount; ++i )
		{
			const pnScheduled* item = world->schedule.bodies + unit->firstBody + i;
			pnMoveBody( world, item->body, worker->sums + (size_t)item->sumRow * PN_SUM_SIZE, NULL, worker->blocks, sub->stepsLeft );
		}
		worker->matchTime += matched - start;
		worker->pointTime += pnNow() - matched;
	}
}

// Some batches of one large body: clusters [16 begin, 16 end), whose groups share no particle.
static void pnMatchGroups( int begin, int end, int workerIndex, void* context )
{
	pnSubStep* sub = context;
	pnWorld* world = sub->world;
	pnWorker* worker = world->workers + workerIndex;
	const pnBody* body = sub->body;
	double start = pnNow();
	for ( int g = sub->firstGroup + begin; g < sub->firstGroup + end; ++g )
	{
		pnBatch batch = { .quadratic = body->material.mode == pn_quadraticMode, .bare = body->response.bare };
		for ( int l = 0; l < PN_LANES && PN_LANES * g + l < body->solid->clusterCount; ++l )
		{
			batch.lanes[l] = (pnLane){ &body->match, PN_LANES * g + l, 0 };
		}
		worker->rareCount += world->kernel->match( &batch, NULL, world->largeSums, worker->scratch, world->zeros );
	}
	worker->matchTime += pnNow() - start;
}

static void pnStepLargeBody( pnWorld* world, pnBody* body, int stepsLeft )
{
	pnSubStep sub = { world, body, 0, stepsLeft };
	const int32_t* color = body->solid->groupColor;
	int groupCount = body->solid->groupCount;
	while ( sub.firstGroup < groupCount )
	{
		int last = sub.firstGroup;
		while ( last < groupCount && color[last] == color[sub.firstGroup] )
		{
			last += 1;
		}
		pnParallelFor( world->tasks, pnMatchGroups, last - sub.firstGroup, 1, &sub );
		sub.firstGroup = last;
	}
	double start = pnNow();
	pnMoveBody( world, body, world->largeSums, world->tasks, world->workers[0].blocks, stepsLeft );
	world->workers[0].pointTime += pnNow() - start;
}

// Before the first substep: each body's response to this step size.
static void pnPrepareBodies( pnWorld* world, double h )
{
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnBody* body = world->bodies[i];
		if ( body->response.step != h )
		{
			body->response = pnMakeResponse( &body->material, h, body->solid->overlapping );
			body->fresh = true; // the account compares energies at one step size only
		}
	}
}

// After the last: pins are where they should be, forces are spent, what has come to rest sleeps.
static void pnSettleBodies( pnWorld* world )
{
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnBody* body = world->bodies[i];
		pnLandPins( body );
		body->forceCount = 0;
		body->force = pnMakeVec3( 0.0f, 0.0f, 0.0f );
		if ( body->awake && body->calm > pn_sleepTime )
		{
			for ( int p = 0; p < body->count; ++p )
			{
				memset( body->v + 4 * (size_t)p, 0, 3 * sizeof( float ) );
			}
			body->awake = false;
			world->reschedule = true;
		}
	}
}

static void pnReport( pnWorld* world, double seconds )
{
	pnProfile* profile = &world->profile;
	*profile = (pnProfile){ .step = (float)( 1e3 * seconds ), .bodyCount = world->bodyCount };
	double match = 0.0, points = 0.0;
	for ( int w = 0; w < world->workerCount; ++w )
	{
		match += world->workers[w].matchTime;
		points += world->workers[w].pointTime;
		profile->rareCount += world->workers[w].rareCount;
		world->workers[w].matchTime = world->workers[w].pointTime = 0.0;
		world->workers[w].rareCount = 0;
	}
	profile->match = (float)( 1e3 * match );
	profile->points = (float)( 1e3 * points );
	float other = profile->step - ( profile->match + profile->points ) / (float)world->workerCount;
	profile->other = other > 0.0f ? other : 0.0f;
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		const pnSolid* solid = world->bodies[i]->solid;
		profile->awakeCount += world->bodies[i]->awake;
		profile->pointCount += solid->particleCount;
		profile->clusterCount += solid->clusterCount;
		profile->membershipCount += solid->membershipCount;
	}
}

pnResult pnWorld_Step( pnWorld* world, float timeStep, int subStepCount )
{
	if ( !( timeStep >= 1e-6f && timeStep <= 1e3f ) || subStepCount < 1 || subStepCount > 1000 )
	{
		pnLog( "pnWorld_Step: timeStep %g must be in 1e-6..1e3 s and subStepCount %d in 1..1000", (double)timeStep, subStepCount );
		return pn_invalidInput;
	}
	double start = pnNow(), h = (double)timeStep / subStepCount;
	pnPrepareBodies( world, h );
	if ( world->reschedule )
	{
		pnBuildSchedule( world );
	}
	pnSchedule* schedule = &world->schedule;
	for ( int left = subStepCount; left > 0; --left )
	{
		pnSubStep sub = { world, NULL, 0, left };
		pnParallelFor( world->tasks, pnStepUnits, schedule->unitCount, 1, &sub );
		for ( int i = schedule->largeFirst; i < schedule->bodyCount; ++i )
		{
			pnStepLargeBody( world, schedule->bodies[i].body, left );
		}
	}
	pnSettleBodies( world );
	pnReport( world, pnNow() - start );
	return pn_success;
}
