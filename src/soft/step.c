// step.c - the order of a step. Read this first.
//
// For each body: match every cluster to its particles (match_wide.h) and add up how far the particles are from their goals; then
// book what the last step's error did to the energy, kick, drift (move.c, govern.c). Small bodies go through all of it on one
// worker, several side by side; a large one is shared by all workers. Then what touches is found and pushed apart (src/contact),
// positions and velocities together, so that each particle has moved by h v.
#include "../base/trig.h"
#include "grip.h"
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

// Returns whether the round is done (pnMoveBody).
static bool pnMoveAndSurvey( const pnMover* mover, pnBody* body, pnCollider* collider, float* sums )
{
	if ( collider->surface != NULL && body->relaxings == 0 )
	{
		pnWatchWander( body, collider, body->lastStep );
	}
	bool done = pnMoveBody( mover, body, sums );
	if ( collider->surface != NULL && !done ) // relaxed: whatever was known of where it is is old
	{
		collider->wander += (double)collider->surface->size;
		collider->wanderBefore += (double)collider->surface->size;
	}
	if ( collider->surface != NULL && done )
	{
		pnReadyPushes( body, collider, mover->step );
		pnSurveyBody( body, collider );
	}
	return done;
}

// The rounds that a body takes by itself, after the one it took with others.
static void pnStepAgain( const pnSubStep* sub, pnWorker* worker, const pnMover* mover, pnBody* body, float* sums, int done )
{
	pnWorld* world = sub->world;
	while ( done < body->rounds )
	{
		pnReadyBody( mover, body, done );
		for ( int group = 0; group * PN_LANES < body->solid->clusterCount; ++group )
		{
			pnBatch batch = pnMakeBatch( body, group );
			worker->rareCount += world->kernel->match( &batch, NULL, sums, worker->scratch, world->zeros );
		}
		done += pnMoveAndSurvey( mover, body, pnColliderOf( world, body ), sums );
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
		for ( int i = 0; i < unit->bodyCount; ++i )
		{
			if ( i + 1 < unit->bodyCount )
			{
				pnPrefetchReady( items[i + 1].body );
			}
			pnReadyBody( &mover, items[i].body, 0 );
		}
		for ( int b = 0; b < unit->batchCount; ++b )
		{
			const pnBatch* batch = world->schedule.batches + unit->firstBatch + b;
			const pnBatch* next = unit->firstBatch + b + 1 < world->schedule.batchCount ? batch + 1 : NULL;
			worker->rareCount += world->kernel->match( batch, next, worker->sums, worker->scratch, world->zeros );
		}
		double matched = pnNow();
		for ( int i = 0; i < unit->bodyCount; ++i )
		{
			if ( i + 1 < unit->bodyCount )
			{
				pnPrefetchBody( items[i + 1].body );
			}
			pnBody* body = items[i].body;
			float* sums = worker->sums + (size_t)items[i].sumRow * PN_SUM_SIZE;
			int done = pnMoveAndSurvey( &mover, body, pnColliderOf( world, body ), sums );
			pnStepAgain( sub, worker, &mover, body, sums, done );
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
	int groupCount = body->solid->groupCount, rounds = 1;
	sub->body = body;
	for ( int done = 0; done < rounds; )
	{
		rounds = done + pnReadyBody( &mover, body, done );
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
		done += pnMoveAndSurvey( &mover, body, pnColliderOf( world, body ), world->largeSums );
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

static void pnTouchBodies( pnWorld* world, double h, int left )
{
	pnContacts* contacts = &world->contacts;
	pnFindPairs( contacts, h, left );
	if ( contacts->mapsWanted )
	{
		pnParallelFor( world->tasks, pnMapBodies, world->bodyCount, 16, world );
	}
	pnLayTrees( contacts, world->tasks );
	pnStopHardHits( contacts );
	pnDetectPairs( contacts, world->tasks );
	pnPushApart( contacts, world->tasks );
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnTakePushes( world->bodies[i], pnColliderOf( world, world->bodies[i] ), h );
	}
}

// Before the first substep: what was stirred wakes.
static void pnPrepareBodies( pnWorld* world )
{
	const float* g = &world->gravity.x;
	world->contacts.gravity = sqrtf( g[0] * g[0] + g[1] * g[1] + g[2] * g[2] );
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnBody* body = world->bodies[i];
		pnCollider* collider = pnColliderOf( world, body );
		if ( collider->stirred && !body->awake )
		{
			pnWake( world, body );
		}
		collider->stirred = false;
		for ( int k = 0; k < 3; ++k )
		{
			collider->fall[k] = body->gravityScale * g[k];
		}
		pnReadyCollider( body, collider );
		pnReadyGrips( body );
		collider->wanderBefore = collider->wander;
		if ( body->fresh && body->awake && collider->surface != NULL ) // moved from outside, or new: whatever was known of it is old
		{
			pnSurveyBody( body, collider );
			collider->wander += 1e3 * (double)collider->surface->size;
			collider->wanderBefore = collider->wander;
			collider->refreshed = true;
			world->contacts.renew = true;
		}
	}
}

static const float pn_sleepTime = 0.5f; // s at rest before a body sleeps

// What is carried lies still under its load: not its strain counts, only how much it moves, as a whole and in its parts.
static void pnWatchCarried( const pnContacts* contacts, pnBody* body, pnCollider* collider, float timeStep )
{
	const float* mean = body->match.motion;
	float whole = sqrtf( mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2] ), parts = (float)( collider->wander - collider->wanderBefore ) / timeStep;
	float speed = whole + 0.15f * parts, part = 8.0f * timeStep < 1.0f ? 8.0f * timeStep : 1.0f; // smoothed over an eighth of a second
	body->unrest += part * ( speed - body->unrest );
	collider->unrest = body->unrest;
	bool still = collider->carried && !collider->disturbed && !body->response.bare && body->unrest < pnRestSpeed( contacts, collider );
	body->still = still ? body->still + timeStep : 0.0f;
}

// A piece lies against its neighbours where the blade has left it, and keeps no distance from them. It grows as thick as others while it moves, a
// twentieth of its way, over a second at least: pieces at rest stay at rest.
static void pnAgePiece( pnBody* body, float timeStep )
{
	static const float part = 0.05f; // of the way that it goes, by which it grows thicker
	static const double rate = 6.0; // 1/s, at which its skin comes to lie as its clusters carry it
	if ( body->shiftLeft > 0.0f )
	{
		float left = (float)( (double)body->shiftLeft * pnExp( -rate * (double)timeStep ) );
		body->shiftLeft = left > 1e-4f ? left : 0.0f;
	}
	if ( !( body->newness > 0.0f ) )
	{
		return;
	}
	const float* mean = body->match.motion;
	float speed = body->awake ? sqrtf( mean[0] * mean[0] + mean[1] * mean[1] + mean[2] * mean[2] ) : 0.0f;
	float thickness = atomic_load( &body->solid->surfaceState ) == 2 ? body->solid->surface.thickness : 0.0f, lost = part * speed * timeStep;
	lost = lost < thickness * timeStep ? lost / thickness : timeStep;
	body->newness = body->newness > lost ? body->newness - lost : 0.0f;
}

// After the last: pins and targets are where they should be, forces are spent, what has come to rest sleeps.
static void pnSettleBodies( pnWorld* world, float timeStep )
{
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnBody* body = world->bodies[i];
		if ( body->awake )
		{
			pnLandPins( body );
		}
		pnLandGrips( body, (double)timeStep );
		pnAgePiece( body, timeStep );
		body->forceCount = 0;
		body->force = pnMakeVec3( 0.0f, 0.0f, 0.0f );
		if ( body->awake )
		{
			pnCollider* collider = pnColliderOf( world, body );
			if ( collider->surface != NULL )
			{
				pnWatchCarried( &world->contacts, body, collider, timeStep );
				if ( !body->measured || body->pinCount > 0 ) // where pushes and pins have left it, for queries
				{
					pnSurveyBody( body, collider );
				}
			}
		}
		if ( world->enableSleep && body->awake && body->pinCount == 0 && body->gripCount == 0 && ( body->calm > pn_sleepTime || body->still > pn_sleepTime ) )
		{
			for ( int p = 0; p < body->count; ++p )
			{
				memset( body->v + 4 * (size_t)p, 0, 3 * sizeof( float ) );
			}
			pnRefreshBody( body );
			body->kinetic = 0.0;
			body->unrest = pnColliderOf( world, body )->unrest = 0.0f;
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
	const pnContactStats* contact = &world->contacts.stats;
	profile->broad = (float)( 1e3 * contact->broad );
	profile->narrow = (float)( 1e3 * contact->narrow );
	profile->solve = (float)( 1e3 * contact->solve );
	profile->pairCount = contact->pairs, profile->candidateCount = contact->candidates, profile->contactCount = contact->contacts;
	profile->droppedCount = contact->dropped, profile->maxPenetration = contact->deepest;
	profile->match = (float)( 1e3 * match );
	profile->points = (float)( 1e3 * points );
	float other = profile->step - ( profile->match + profile->points ) / (float)world->workerCount - profile->broad - profile->narrow - profile->solve;
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
	pnForgetPieces( world, world->piecesTold );
	world->piecesTold = 0;
	pnPrepareBodies( world );
	if ( world->reschedule )
	{
		pnBuildSchedule( world );
	}
	pnSchedule* schedule = &world->schedule;
	pnBeginContacts( &world->contacts, subStepCount );
	for ( int left = subStepCount; left > 0; --left )
	{
		pnSubStep sub = { world, NULL, 0, h, h * left };
		pnParallelFor( world->tasks, pnStepUnits, schedule->unitCount, 1, &sub );
		for ( int i = schedule->largeFirst; i < schedule->bodyCount; ++i )
		{
			pnStepLargeBody( &sub, schedule->bodies[i].body );
		}
		pnTouchBodies( world, h, left );
	}
	pnEndContacts( &world->contacts );
	pnSettleBodies( world, timeStep );
	pnTearBodies( world, timeStep );
	world->piecesTold = world->pieceCount;
	pnReport( world, pnNow() - start );
	return pn_success;
}
