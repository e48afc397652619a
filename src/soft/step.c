// step.c - the order of a step. Read this first.
//
// For each body: match every cluster to its particles (match_wide.h) and add up how far the particles are from their goals; then
// book what the last step's error did to the energy, kick, drift (move.c, govern.c). Small bodies go through all of it on one
// worker, several side by side; a large one is shared by all workers. Then what touches is found and pushed apart (src/contact),
// positions and velocities together, so that each particle has moved by h v.
#include "../contact/ask.h"
#include "../contact/island.h"
#include "grip.h"
#include "piece.h"
#include "rest.h"
#include "world.h"

#include <math.h>

static pnCollider* pnColliderOf( pnWorld* world, const pnBody* body )
{
	return world->contacts.colliders.at + ( body->id.index1 - 1 );
}

// One substep for all; body and firstGroup: of a large one.
typedef struct pnSubStep { pnWorld* world; pnBody* body; int firstGroup; double step, timeLeft; } pnSubStep;

static pnBatch pnMakeBatch( const pnBody* body, int group )
{
	pnBatch batch = { .quadratic = body->material.mode == pn_quadraticMode, .bare = body->response.bare };
	for ( int l = 0; l < PN_LANES && PN_LANES * group + l < body->solid->clusterCount; ++l )
	{
		batch.lanes[l] = pnMakeLane( &body->match, PN_LANES * group + l, 0 );
	}
	return batch;
}

static pnMover pnMakeMover( const pnSubStep* sub, pnTasks* tasks, pnWorker* worker )
{
	return (pnMover){ sub->world->kernel, tasks, worker->blocks, sub->world->gravity, sub->step, sub->timeLeft };
}

// A few bodies that were matched. done: see pnMoveBodies.
static void pnMoveAndSurvey( const pnMover* mover, pnBody* const* bodies, pnCollider* const* colliders, float* const* sums, int count, bool* done )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( colliders[i]->surface != NULL )
		{
			if ( bodies[i]->relaxings == 0 )
			{
				pnWatchWander( bodies[i], colliders[i], bodies[i]->lastStep );
			}
			pnFindDents( bodies[i], colliders[i], sums[i] );
		}
	}
	pnMoveBodies( mover, bodies, sums, count, done );
	for ( int i = 0; i < count; ++i )
	{
		if ( colliders[i]->surface == NULL )
		{
			continue;
		}
		if ( !done[i] ) // relaxed: whatever was known of where it is is old
		{
			colliders[i]->wander += (double)colliders[i]->surface->size;
			continue;
		}
		pnReadyPushes( bodies[i], colliders[i], mover->step );
		pnSurveyBody( bodies[i], colliders[i] );
	}
}

static int pnMoveAndSurveyOne( const pnMover* mover, pnBody* body, pnCollider* collider, float* sums )
{
	bool done;
	pnMoveAndSurvey( mover, &body, &collider, &sums, 1, &done );
	return done ? 1 : 0;
}

// The rounds that a body takes by itself, after the one it took with others.
static void pnStepAgain( const pnSubStep* sub, pnWorker* worker, const pnMover* mover, pnBody* body, float* sums, int done )
{
	pnWorld* world = sub->world;
	while ( done < body->rounds )
	{
		pnReadyBodies( mover, &body, 1, done );
		for ( int group = 0; group * PN_LANES < body->solid->clusterCount; ++group )
		{
			pnBatch batch = pnMakeBatch( body, group );
			worker->rareCount += world->kernel->match( &batch, NULL, sums, worker->scratch, world->zeros );
		}
		done += pnMoveAndSurveyOne( mover, body, pnColliderOf( world, body ), sums );
	}
}

// Some bodies of a unit, side by side: before they are matched.
static void pnReadySome( const pnMover* mover, const pnScheduled* items, int count, int more )
{
	pnBody* bodies[PN_MOST_CROWD];
	for ( int i = 0; i < count; ++i )
	{
		bodies[i] = items[i].body;
	}
	for ( int i = count; i < more && i < count + PN_MOST_CROWD; ++i )
	{
		pnPrefetchReady( items[i].body );
	}
	pnReadyBodies( mover, bodies, count, 0 );
}

// And after.
static void pnMoveSome( const pnSubStep* sub, pnWorker* worker, const pnMover* mover, const pnScheduled* items, int count, int more )
{
	pnBody* bodies[PN_MOST_CROWD];
	pnCollider* colliders[PN_MOST_CROWD];
	float* sums[PN_MOST_CROWD];
	bool done[PN_MOST_CROWD];
	for ( int i = 0; i < count; ++i )
	{
		bodies[i] = items[i].body;
		colliders[i] = pnColliderOf( sub->world, bodies[i] );
		sums[i] = worker->sums + (size_t)items[i].sumRow * PN_SUM_SIZE;
	}
	for ( int i = count; i < more && i < count + PN_MOST_CROWD; ++i )
	{
		pnPrefetchBody( items[i].body );
		__builtin_prefetch( &pnColliderOf( sub->world, items[i].body )->surface );
	}
	pnMoveAndSurvey( mover, bodies, colliders, sums, count, done );
	for ( int i = 0; i < count; ++i )
	{
		pnStepAgain( sub, worker, mover, bodies[i], sums[i], done[i] ? 1 : 0 );
	}
}

static void pnStepUnits( int begin, int end, int workerIndex, void* context )
{
	pnSubStep* sub = context;
	pnWorld* world = sub->world;
	pnWorker* worker = world->workers + workerIndex;
	pnMover mover = pnMakeMover( sub, NULL, worker );
	for ( int u = begin; u < end; ++u )
	{
		const pnUnit* unit = world->schedule.units + u;
		const pnScheduled* items = world->schedule.bodies + unit->firstBody;
		double start = pnNow();
		for ( int i = 0; i < unit->bodyCount; i += PN_MOST_CROWD )
		{
			int left = unit->bodyCount - i;
			pnReadySome( &mover, items + i, left < PN_MOST_CROWD ? left : PN_MOST_CROWD, left );
		}
		for ( int b = 0; b < unit->batchCount; ++b )
		{
			const pnBatch* batch = world->schedule.batches + unit->firstBatch + b;
			const pnBatch* next = unit->firstBatch + b + 1 < world->schedule.batchCount ? batch + 1 : NULL;
			worker->rareCount += world->kernel->match( batch, next, worker->sums, worker->scratch, world->zeros );
		}
		double matched = pnNow();
		for ( int i = 0; i < unit->bodyCount; i += PN_MOST_CROWD )
		{
			int left = unit->bodyCount - i;
			pnMoveSome( sub, worker, &mover, items + i, left < PN_MOST_CROWD ? left : PN_MOST_CROWD, left );
		}
		worker->matchTime += matched - start;
		worker->pointTime += pnNow() - matched;
	}
}

// Some groups of one large body, which share no particle.
static void pnMatchGroups( int begin, int end, int workerIndex, void* context )
{
	pnSubStep* sub = context;
	pnWorld* world = sub->world;
	pnWorker* worker = world->workers + workerIndex;
	const pnBody* body = sub->body;
	double start = pnNow();
	pnBatch batches[2]; // this one, and the next, which is asked into the cache meanwhile
	batches[begin % 2] = pnMakeBatch( body, sub->firstGroup + begin );
	for ( int g = begin; g < end; ++g )
	{
		bool more = g + 1 < end;
		if ( more )
		{
			batches[( g + 1 ) % 2] = pnMakeBatch( body, sub->firstGroup + g + 1 );
		}
		const pnBatch* next = more ? &batches[( g + 1 ) % 2] : NULL;
		worker->rareCount += world->kernel->match( &batches[g % 2], next, world->largeSums, worker->scratch, world->zeros );
	}
	worker->matchTime += pnNow() - start;
}

static void pnStepLargeBody( pnSubStep* sub, pnBody* body )
{
	pnWorld* world = sub->world;
	pnMover mover = pnMakeMover( sub, world->tasks, world->workers );
	const int32_t* color = body->solid->groupColor;
	int groupCount = body->solid->groupCount;
	sub->body = body;
	body->rounds = 1;
	for ( int done = 0; done < body->rounds; )
	{
		pnReadyBodies( &mover, &body, 1, done );
		for ( int first = 0, last = 0; first < groupCount; first = last )
		{
			while ( last < groupCount && color[last] == color[first] )
			{
				last += 1;
			}
			sub->firstGroup = first;
			pnParallelFor( world->tasks, pnMatchGroups, last - first, 1, sub );
		}
		double start = pnNow();
		done += pnMoveAndSurveyOne( &mover, body, pnColliderOf( world, body ), world->largeSums );
		world->workers[0].pointTime += pnNow() - start;
	}
}

// Maps to rest of bodies that contact wants to look at.
static void pnMapBodies( int begin, int end, int worker, void* context )
{
	pnWorld* world = context;
	PN_UNUSED( worker );
	for ( int i = begin; i < end; ++i )
	{
		pnCollider* collider = pnColliderOf( world, world->bodies[i] );
		if ( collider->mapped )
		{
			pnMapToRest( world->bodies[i], collider, world->bodies[i]->awake ? world->bodies[i]->response.step : 0.0 );
		}
	}
}

static void pnTakeAllPushes( int begin, int end, int worker, void* context )
{
	const pnSubStep* sub = context;
	pnWorld* world = sub->world;
	PN_UNUSED( worker );
	for ( int i = begin; i < end; ++i )
	{
		pnTakePushes( world->bodies[i], pnColliderOf( world, world->bodies[i] ), world->kernel, sub->step );
	}
}

static void pnTouchBodies( pnSubStep* sub, int left )
{
	pnWorld* world = sub->world;
	pnContacts* contacts = &world->contacts;
	pnFindPairs( contacts, sub->step, left );
	if ( contacts->mapsWanted )
	{
		pnParallelFor( world->tasks, pnMapBodies, world->bodyCount, 16, world );
	}
	pnLayTrees( contacts, world->tasks );
	pnStopHardHits( contacts );
	pnDetectPairs( contacts, world->tasks );
	world->kernel->pushApart( contacts, world->tasks );
	if ( !contacts->resting )
	{
		pnParallelFor( world->tasks, pnTakeAllPushes, world->bodyCount, 16, sub );
	}
}

enum { PN_FEWEST_TOLD = 64 }; // bodies that a worker tells or watches at once: for fewer it is not worth being called

// What contact must know of bodies before the first substep.
static void pnTellColliders( int begin, int end, int worker, void* context )
{
	pnWorld* world = context;
	const float* g = &world->gravity.x;
	PN_UNUSED( worker );
	for ( int i = begin; i < end; ++i )
	{
		pnBody* body = world->bodies[i];
		pnCollider* collider = pnColliderOf( world, body );
		for ( int k = 0; k < 3; ++k )
		{
			collider->fall[k] = body->gravityScale * g[k];
		}
		collider->awake = body->awake;
		collider->place = i;
		collider->restSpeed = pnFindRestSpeed( body, collider->fall );
	}
}

// Before the first substep: what was stirred wakes, and as many that it lies together with as will feel it.
static void pnPrepareBodies( pnWorld* world, float timeStep )
{
	const float* g = &world->gravity.x;
	world->contacts.gravity = sqrtf( g[0] * g[0] + g[1] * g[1] + g[2] * g[2] );
	pnParallelFor( world->tasks, pnTellColliders, world->bodyCount, PN_FEWEST_TOLD, world );
	pnStirIslands( &world->contacts, timeStep );
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnBody* body = world->bodies[i];
		pnCollider* collider = pnColliderOf( world, body );
		if ( collider->stirred > 0 && !body->awake )
		{
			pnWake( world, body );
		}
		collider->stirred = 0;
		pnReadyCollider( body, collider );
		pnReadyGrips( body );
		if ( body->fresh && body->awake && collider->surface != NULL ) // moved from outside, or new: whatever was known of it is old
		{
			pnSurveyBody( body, collider );
			collider->wander += 1e3 * (double)collider->surface->size;
			collider->refreshed = true;
			world->contacts.renew = true;
		}
	}
}

// After the last substep: pins and targets are where they should be, forces are spent.
typedef struct pnSettling { pnWorld* world; float timeStep; pnSmoothing smoothing; } pnSettling;
static void pnSettleRange( int begin, int end, int worker, void* context )
{
	const pnSettling* settling = context;
	pnWorld* world = settling->world;
	PN_UNUSED( worker );
	for ( int i = begin; i < end; ++i )
	{
		pnBody* body = world->bodies[i];
		if ( i + 1 < end )
		{
			pnPrefetchReady( world->bodies[i + 1] );
		}
		if ( body->awake )
		{
			pnLandPins( body );
		}
		pnLandGrips( body, (double)settling->timeStep );
		pnAgePiece( body, settling->timeStep );
		body->forceCount = 0;
		body->force = pnMakeVec3( 0.0f, 0.0f, 0.0f );
		if ( body->awake )
		{
			pnCollider* collider = pnColliderOf( world, body );
			if ( collider->surface != NULL && ( !body->measured || body->pinCount > 0 ) ) // where pushes and pins have left it, for queries
			{
				pnSurveyBody( body, collider );
			}
			pnWatchUnrest( body, collider, settling->smoothing );
		}
	}
}

// What pushes gave to one body may be what they took of another one that it touches: the accounts of two that touch make up for each other.
static void pnSettlePushes( pnWorld* world )
{
	if ( world->contacts.resting ) // nobody was pushed
	{
		return;
	}
	for ( int i = 0; i < world->contacts.pairs.count; ++i )
	{
		const pnPair* pair = world->contacts.pairs.at + i;
		if ( ( pair->touching || pair->touched ) && pair->a != pair->b )
		{
			pnBody *a = world->slots[pair->a].body, *b = world->slots[pair->b].body;
			if ( ( a->stored < 0.0 && b->stored > 0.0 ) || ( a->stored > 0.0 && b->stored < 0.0 ) )
			{
				pnBody *owes = a->stored < 0.0 ? a : b, *has = owes == a ? b : a;
				double paid = -owes->stored < has->stored ? -owes->stored : has->stored;
				owes->stored += paid, has->stored -= paid;
			}
		}
	}
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		world->bodies[i]->stored = world->bodies[i]->stored > 1e-30 ? world->bodies[i]->stored : 0.0;
	}
}

// And what has come to rest sleeps.
static void pnSettleBodies( pnWorld* world, float timeStep )
{
	pnSettling settling = { world, timeStep, pnFindSmoothing( timeStep ) };
	pnParallelFor( world->tasks, pnSettleRange, world->bodyCount, PN_FEWEST_TOLD, &settling );
	pnFindIslands( &world->contacts, timeStep );
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnBody* body = world->bodies[i];
		const pnCollider* collider = pnColliderOf( world, body );
		body->unrest.rested = body->awake ? collider->rested : 0.0f;
		if ( body->awake && collider->sleeps && world->enableSleep )
		{
			pnLaySleeping( body );
			world->reschedule = true;
		}
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
	pnForgetPieces( world, world->piecesTold );
	world->piecesTold = 0;
	pnPrepareBodies( world, timeStep );
	if ( world->reschedule )
	{
		pnBuildSchedule( world );
	}
	pnSchedule* schedule = &world->schedule;
	pnBeginContacts( &world->contacts, h, subStepCount );
	for ( int left = subStepCount; left > 0; --left )
	{
		pnSubStep sub = { world, NULL, 0, h, h * left };
		pnParallelFor( world->tasks, pnStepUnits, schedule->unitCount, 1, &sub );
		for ( int i = schedule->largeFirst; i < schedule->bodyCount; ++i )
		{
			pnStepLargeBody( &sub, schedule->bodies[i].body );
		}
		pnTouchBodies( &sub, left );
	}
	pnEndContacts( &world->contacts );
	pnSettlePushes( world );
	pnSettleBodies( world, timeStep );
	pnListStrays( &world->contacts );
	pnTearBodies( world, timeStep );
	world->piecesTold = world->pieceCount;
	pnProfileStep( world, pnNow() - start );
	return pn_success;
}
