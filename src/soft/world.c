// world.c - the world and its bodies as the user handles them: making, changing, reading. Knows bodies; the step is in step.c.
#include "world.h"

#include "../base/mat3.h"
#include "frame.h"
#include "skin.h"

#include <math.h>

static const float pn_farthest = 1e7f; // m: beyond it float positions are worth nothing
static const float pn_fastest = 1e6f; // m/s

// ---- checks: each names what is wrong ----

static bool pnCheckVec( const char* call, const char* what, int index, pnVec3 v, float limit )
{
	const float c[3] = { v.x, v.y, v.z };
	for ( int k = 0; k < 3; ++k )
	{
		if ( !( c[k] >= -limit && c[k] <= limit ) )
		{
			if ( index < 0 )
			{
				pnLog( "%s: %s.%s is %g, must be finite and within %g", call, what, k == 0 ? "x" : k == 1 ? "y" : "z", (double)c[k], (double)limit );
			}
			else
			{
				pnLog( "%s: %s[%d].%s is %g, must be finite and within %g", call, what, index, k == 0 ? "x" : k == 1 ? "y" : "z", (double)c[k], (double)limit );
			}
			return false;
		}
	}
	return true;
}

static bool pnCheckTransform( const char* call, pnTransform t )
{
	float n = t.q.x * t.q.x + t.q.y * t.q.y + t.q.z * t.q.z + t.q.w * t.q.w;
	if ( !( n > 0.99f && n < 1.01f ) )
	{
		pnLog( "%s: transform.q is not a rotation, its length is not 1", call );
		return false;
	}
	return pnCheckVec( call, "transform.p", -1, t.p, pn_farthest );
}

static bool pnCheckMaterialOf( const char* call, const pnMaterial* material )
{
	const char* field = material == NULL ? "material (NULL)" : pnCheckMaterial( material );
	if ( field != NULL )
	{
		pnLog( "%s: material.%s is out of its range", call, field );
	}
	return field == NULL;
}

static int pnFindParticle( const char* call, const pnBody* body, int point )
{
	if ( point < 0 || point >= body->solid->pointCount )
	{
		pnLog( "%s: point %d is outside 0..%d", call, point, body->solid->pointCount - 1 );
		return -1;
	}
	return body->solid->particleOf[point];
}

static void pnWake( pnWorld* world, pnBody* body )
{
	world->reschedule |= !body->awake;
	body->awake = true;
	body->calm = 0.0f;
}

// ---- world ----

pnWorldDef pnDefaultWorldDef( void )
{
	return (pnWorldDef){ .gravity = { 0.0f, -9.81f, 0.0f }, .enableSleep = true, .cookie = PN_COOKIE };
}

pnResult pnCreateWorld( const pnWorldDef* def, pnWorld** out )
{
	if ( out == NULL )
	{
		pnLog( "pnCreateWorld: world is NULL" );
		return pn_invalidInput;
	}
	*out = NULL;
	if ( def == NULL || def->cookie != PN_COOKIE )
	{
		pnLog( "pnCreateWorld: def was not made by pnDefaultWorldDef" );
		return pn_invalidInput;
	}
	if ( !pnCheckVec( "pnCreateWorld", "gravity", -1, def->gravity, pn_fastest ) )
	{
		return pn_invalidInput;
	}
	if ( def->tasks.workerCount < 0 || def->tasks.workerCount > 64 || ( def->tasks.enqueue == NULL ) != ( def->tasks.finish == NULL ) )
	{
		pnLog( "pnCreateWorld: tasks.workerCount %d must be in 0..64, and enqueue and finish given both or not at all", def->tasks.workerCount );
		return pn_invalidInput;
	}
	pnWorld* world = pnAllocArray( pnWorld, 1 );
	if ( world == NULL )
	{
		return pn_outOfMemory;
	}
	world->gravity = def->gravity;
	world->enableSleep = def->enableSleep;
	world->kernel = pnChooseKernel();
	world->tasks = pnCreateTasks( &def->tasks );
	if ( world->tasks != NULL )
	{
		world->workerCount = pnGetWorkerCount( world->tasks );
		world->workers = pnAllocArray( pnWorker, world->workerCount );
	}
	if ( world->workers == NULL )
	{
		pnDestroyTasks( world->tasks );
		pnFreeArray( pnWorld, world, 1 );
		return pn_outOfMemory;
	}
	*out = world;
	return pn_success;
}

void pnDestroyWorld( pnWorld* world )
{
	if ( world == NULL )
	{
		return;
	}
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnFreeBody( world->bodies[i] );
	}
	pnFreeSchedule( world );
	pnDestroyTasks( world->tasks );
	pnFreeArray( pnWorker, world->workers, world->workerCount );
	pnFreeArray( pnSlot, world->slots, world->slotCapacity );
	pnFreeArray( pnBody*, world->bodies, world->bodyCapacity );
	pnFreeArray( pnWorld, world, 1 );
}

pnResult pnWorld_SetGravity( pnWorld* world, pnVec3 gravity )
{
	if ( !pnCheckVec( "pnWorld_SetGravity", "gravity", -1, gravity, pn_fastest ) )
	{
		return pn_invalidInput;
	}
	world->gravity = gravity;
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnWake( world, world->bodies[i] );
	}
	return pn_success;
}

pnVec3 pnWorld_GetGravity( const pnWorld* world )
{
	return world->gravity;
}

pnProfile pnWorld_GetProfile( const pnWorld* world )
{
	pnProfile profile = world->profile;
	size_t bytes = sizeof( pnWorld );
	const pnSchedule* s = &world->schedule;
	bytes += (size_t)s->unitCapacity * sizeof( pnUnit ) + (size_t)s->bodyCapacity * sizeof( pnScheduled ) + (size_t)s->batchCapacity * sizeof( pnBatch );
	for ( int w = 0; w < world->workerCount; ++w )
	{
		const pnWorker* worker = world->workers + w;
		bytes += sizeof( pnWorker ) + ( worker->sumSize + worker->scratchSize ) * sizeof( float ) + (size_t)worker->blockCapacity * sizeof( pnBlockSums );
	}
	bytes += pnGetTaskBytes( world->tasks ) + ( world->largeSumSize + world->zeroSize ) * sizeof( float ) + (size_t)world->slotCapacity * sizeof( pnSlot ) + (size_t)world->bodyCapacity * sizeof( pnBody* );
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		const pnBody* body = world->bodies[i];
		bytes += pnGetBodyBytes( body );
		bool seen = false; // bodies of one solid usually come one after another
		for ( int k = i - 1; k >= 0 && k >= i - 32 && !seen; --k )
		{
			seen = world->bodies[k]->solid == body->solid;
		}
		bytes += seen ? 0 : pnGetSolidBytes( body->solid );
	}
	profile.byteCount = (int64_t)bytes;
	return profile;
}

const char* pnWorld_GetSimdName( const pnWorld* world )
{
	return world->kernel->name;
}

int pnWorld_GetBodies( const pnWorld* world, pnBodyId* bodies, int capacity )
{
	for ( int i = 0; bodies != NULL && i < world->bodyCount && i < capacity; ++i )
	{
		bodies[i] = world->bodies[i]->id;
	}
	return world->bodyCount;
}

// ---- bodies come and go ----

static pnBody* pnLookUp( const pnWorld* world, pnBodyId id )
{
	if ( id.index1 < 1 || id.index1 > world->slotCount )
	{
		return NULL;
	}
	const pnSlot* slot = world->slots + ( id.index1 - 1 );
	return slot->generation == id.generation ? slot->body : NULL;
}

pnBody* pnFindBody( const pnWorld* world, pnBodyId id )
{
	pnBody* body = pnLookUp( world, id );
	if ( body == NULL )
	{
		pnLog( "there is no body %d of generation %u in this world", (int)id.index1, (unsigned)id.generation );
	}
	return body;
}

bool pnBody_IsValid( const pnWorld* world, pnBodyId id )
{
	return pnLookUp( world, id ) != NULL;
}

pnBodyDef pnDefaultBodyDef( void )
{
	return (pnBodyDef){
		.material = pnDefaultMaterial(),
		.transform = pnIdentityTransform(),
		.gravityScale = 1.0f,
		.cookie = PN_COOKIE,
	};
}

pnResult pnCreateBody( pnWorld* world, const pnBodyDef* def, pnBodyId* out )
{
	if ( out == NULL )
	{
		pnLog( "pnCreateBody: body is NULL" );
		return pn_invalidInput;
	}
	*out = (pnBodyId){ 0 };
	if ( def == NULL || def->cookie != PN_COOKIE )
	{
		pnLog( "pnCreateBody: def was not made by pnDefaultBodyDef" );
		return pn_invalidInput;
	}
	if ( def->solid == NULL )
	{
		pnLog( "pnCreateBody: solid is NULL" );
		return pn_invalidInput;
	}
	if ( !pnCheckMaterialOf( "pnCreateBody", &def->material ) || !pnCheckTransform( "pnCreateBody", def->transform ) ||
		 !pnCheckVec( "pnCreateBody", "velocity", -1, def->velocity, pn_fastest ) ||
		 !pnCheckVec( "pnCreateBody", "angularVelocity", -1, def->angularVelocity, 1e5f ) ||
		 !pnCheckVec( "pnCreateBody", "gravityScale", -1, pnMakeVec3( def->gravityScale, 0.0f, 0.0f ), 1e6f ) )
	{
		return pn_invalidInput;
	}
	pnBody* body = pnMakeBody( def->solid );
	int slot = world->freeSlot;
	while ( slot < world->slotCount && world->slots[slot].body != NULL )
	{
		slot += 1;
	}
	pnDemand demand = world->demand;
	if ( body != NULL )
	{
		pnAddDemand( &demand, body );
	}
	if ( body == NULL || !pnGrow( (void**)&world->slots, &world->slotCapacity, world->slotCount, slot + 1, sizeof( pnSlot ) ) ||
		 !pnGrow( (void**)&world->bodies, &world->bodyCapacity, world->bodyCount, world->bodyCount + 1, sizeof( pnBody* ) ) ||
		 !pnReserveSchedule( world, &demand ) )
	{
		pnFreeBody( body );
		return pn_outOfMemory;
	}
	if ( slot == world->slotCount )
	{
		world->slots[slot] = (pnSlot){ NULL, 0 };
		world->slotCount += 1;
	}
	world->demand = demand;
	world->freeSlot = slot + 1;
	world->slots[slot].body = body;
	world->slots[slot].generation += 1;
	body->id = (pnBodyId){ slot + 1, world->slots[slot].generation };
	body->material = def->material;
	body->response = pnMakeResponse( &def->material, 1.0 / 60.0, body->solid->overlapping );
	body->gravityScale = def->gravityScale;
	body->userData = def->userData;
	pnPlaceBody( body, def );
	world->bodies[world->bodyCount++] = body;
	world->reschedule = true;
	*out = body->id;
	return pn_success;
}

pnResult pnDestroyBody( pnWorld* world, pnBodyId id )
{
	pnBody* body = pnFindBody( world, id );
	if ( body == NULL )
	{
		return pn_notFound;
	}
	int at = 0;
	while ( world->bodies[at] != body )
	{
		at += 1;
	}
	memmove( world->bodies + at, world->bodies + at + 1, (size_t)( world->bodyCount - at - 1 ) * sizeof( pnBody* ) );
	world->bodyCount -= 1;
	world->slots[id.index1 - 1].body = NULL;
	world->freeSlot = id.index1 - 1 < world->freeSlot ? id.index1 - 1 : world->freeSlot;
	pnDropDemand( &world->demand, body );
	world->reschedule = true;
	pnFreeBody( body );
	return pn_success;
}

// ---- bodies are changed ----

#define PN_FIND_OR_RETURN( world, id )                                                                                        \
	pnBody* body = pnFindBody( world, id );                                                                                   \
	if ( body == NULL )                                                                                                       \
	return pn_notFound

const pnSolid* pnBody_GetSolid( const pnWorld* world, pnBodyId id )
{
	const pnBody* body = pnLookUp( world, id );
	return body != NULL ? body->solid : NULL;
}

pnResult pnBody_GetMaterial( const pnWorld* world, pnBodyId id, pnMaterial* material )
{
	if ( material == NULL )
	{
		pnLog( "pnBody_GetMaterial: material is NULL" );
		return pn_invalidInput;
	}
	PN_FIND_OR_RETURN( world, id );
	*material = body->material;
	return pn_success;
}

pnResult pnBody_SetMaterial( pnWorld* world, pnBodyId id, const pnMaterial* material )
{
	PN_FIND_OR_RETURN( world, id );
	if ( !pnCheckMaterialOf( "pnBody_SetMaterial", material ) )
	{
		return pn_invalidInput;
	}
	body->material = *material;
	body->response = pnMakeResponse( material, body->response.step, body->solid->overlapping );
	body->fresh = true;
	body->account = 0.0;
	body->softened = 1.0;
	world->reschedule = true; // it may be of another kind now
	pnWake( world, body );
	return pn_success;
}

uint64_t pnBody_GetUserData( const pnWorld* world, pnBodyId id )
{
	const pnBody* body = pnLookUp( world, id );
	return body != NULL ? body->userData : 0;
}

pnResult pnBody_SetUserData( pnWorld* world, pnBodyId id, uint64_t userData )
{
	PN_FIND_OR_RETURN( world, id );
	body->userData = userData;
	return pn_success;
}

pnResult pnBody_SetGravityScale( pnWorld* world, pnBodyId id, float scale )
{
	PN_FIND_OR_RETURN( world, id );
	if ( !pnCheckVec( "pnBody_SetGravityScale", "scale", -1, pnMakeVec3( scale, 0.0f, 0.0f ), 1e6f ) )
	{
		return pn_invalidInput;
	}
	body->gravityScale = scale;
	pnWake( world, body );
	return pn_success;
}

pnResult pnBody_SetPoints( pnWorld* world, pnBodyId id, const pnVec3* positions, const pnVec3* velocities, int count )
{
	PN_FIND_OR_RETURN( world, id );
	if ( count != body->solid->pointCount )
	{
		pnLog( "pnBody_SetPoints: count is %d, the body has %d points", count, body->solid->pointCount );
		return pn_invalidInput;
	}
	for ( int i = 0; i < count; ++i )
	{
		if ( ( positions != NULL && !pnCheckVec( "pnBody_SetPoints", "positions", i, positions[i], pn_farthest ) ) ||
			 ( velocities != NULL && !pnCheckVec( "pnBody_SetPoints", "velocities", i, velocities[i], pn_fastest ) ) )
		{
			return pn_invalidInput;
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		size_t row = 4 * (size_t)body->solid->particleOf[i];
		if ( positions != NULL )
		{
			memcpy( (float*)body->match.x + row, positions + i, sizeof( pnVec3 ) );
		}
		if ( velocities != NULL )
		{
			memcpy( body->v + row, velocities + i, sizeof( pnVec3 ) );
		}
	}
	world->reschedule |= !body->awake;
	pnRefreshBody( body );
	return pn_success;
}

static pnResult pnAddPointForce( pnPointForce** list, int* count, int* capacity, int particle, pnVec3 value )
{
	if ( !pnGrow( (void**)list, capacity, *count, *count + 1, sizeof( pnPointForce ) ) )
	{
		return pn_outOfMemory;
	}
	( *list )[( *count )++] = (pnPointForce){ particle, { value.x, value.y, value.z } };
	return pn_success;
}

pnResult pnBody_ApplyForce( pnWorld* world, pnBodyId id, pnVec3 force )
{
	PN_FIND_OR_RETURN( world, id );
	if ( !pnCheckVec( "pnBody_ApplyForce", "force", -1, pnScale( 1.0f / body->solid->totalMass, force ), 1e9f ) )
	{
		return pn_invalidInput;
	}
	body->force = pnAdd( body->force, force );
	pnWake( world, body );
	return pn_success;
}

pnResult pnBody_ApplyForceAt( pnWorld* world, pnBodyId id, int point, pnVec3 force )
{
	PN_FIND_OR_RETURN( world, id );
	int particle = pnFindParticle( "pnBody_ApplyForceAt", body, point );
	if ( particle < 0 || !pnCheckVec( "pnBody_ApplyForceAt", "force", -1, pnScale( body->v[4 * (size_t)particle + 3] / body->solid->totalMass, force ), 1e9f ) )
	{
		return pn_invalidInput;
	}
	pnResult result = pnAddPointForce( &body->forces, &body->forceCount, &body->forceCapacity, particle, force );
	if ( result == pn_success )
	{
		pnWake( world, body );
	}
	return result;
}

pnResult pnBody_ApplyImpulse( pnWorld* world, pnBodyId id, pnVec3 impulse )
{
	PN_FIND_OR_RETURN( world, id );
	pnVec3 gain = pnScale( 1.0f / body->solid->totalMass, impulse );
	if ( !pnCheckVec( "pnBody_ApplyImpulse", "impulse", -1, gain, pn_fastest ) )
	{
		return pn_invalidInput;
	}
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		float* v = body->v + 4 * (size_t)i;
		v[0] += gain.x, v[1] += gain.y, v[2] += gain.z;
	}
	// The account's work does not change: forces and last forces add up to nothing over a body.
	body->match.motion[0] += gain.x, body->match.motion[1] += gain.y, body->match.motion[2] += gain.z;
	pnWake( world, body );
	return pn_success;
}

pnResult pnBody_ApplyImpulseAt( pnWorld* world, pnBodyId id, int point, pnVec3 impulse )
{
	PN_FIND_OR_RETURN( world, id );
	int particle = pnFindParticle( "pnBody_ApplyImpulseAt", body, point );
	if ( particle < 0 )
	{
		return pn_invalidInput;
	}
	float* v = body->v + 4 * (size_t)particle;
	pnVec3 gain = pnScale( v[3] / body->solid->totalMass, impulse );
	if ( !pnCheckVec( "pnBody_ApplyImpulseAt", "impulse", -1, gain, pn_fastest ) )
	{
		return pn_invalidInput;
	}
	pnResult result = pnAddPointForce( &body->kicks, &body->kickCount, &body->kickCapacity, particle, gain );
	if ( result == pn_success )
	{
		v[0] += gain.x, v[1] += gain.y, v[2] += gain.z;
		pnWake( world, body );
	}
	return result;
}

// Where `particle` is or would be among the pins.
static int pnFindPin( const pnBody* body, int particle )
{
	int low = 0, high = body->pinCount;
	while ( low < high )
	{
		int middle = ( low + high ) / 2;
		if ( body->pins[middle].particle < particle )
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low;
}

pnResult pnBody_Pin( pnWorld* world, pnBodyId id, const int32_t* points, const pnVec3* targets, int count )
{
	PN_FIND_OR_RETURN( world, id );
	if ( count < 0 || ( count > 0 && points == NULL ) )
	{
		pnLog( "pnBody_Pin: count is %d, points %s", count, points == NULL ? "NULL" : "given" );
		return pn_invalidInput;
	}
	int fresh = 0;
	for ( int i = 0; i < count; ++i )
	{
		int particle = pnFindParticle( "pnBody_Pin", body, points[i] );
		if ( particle < 0 || ( targets != NULL && !pnCheckVec( "pnBody_Pin", "targets", i, targets[i], pn_farthest ) ) )
		{
			return pn_invalidInput;
		}
		int at = pnFindPin( body, particle );
		fresh += at == body->pinCount || body->pins[at].particle != particle;
	}
	// A copy first: only when all has worked is it the body's.
	int oldCount = body->pinCount, oldCapacity = body->pinCapacity, capacity = oldCount + fresh;
	pnPin* old = body->pins;
	if ( fresh > 0 )
	{
		pnPin* pins = pnAllocArray( pnPin, capacity );
		if ( pins == NULL )
		{
			return pn_outOfMemory;
		}
		if ( oldCount > 0 )
		{
			memcpy( pins, old, (size_t)oldCount * sizeof( pnPin ) );
		}
		body->pins = pins;
		body->pinCapacity = capacity;
	}
	for ( int i = 0; i < count; ++i )
	{
		int particle = body->solid->particleOf[points[i]], at = pnFindPin( body, particle );
		const float* x = body->match.x + 4 * (size_t)particle;
		pnVec3 target = targets != NULL ? targets[i] : pnMakeVec3( x[0], x[1], x[2] );
		if ( at == body->pinCount || body->pins[at].particle != particle )
		{
			memmove( body->pins + at + 1, body->pins + at, (size_t)( body->pinCount - at ) * sizeof( pnPin ) );
			body->pinCount += 1;
		}
		body->pins[at] = (pnPin){ particle, { target.x, target.y, target.z } };
	}
	if ( fresh > 0 )
	{
		if ( !pnHoldPins( body ) )
		{
			pnFreeArray( pnPin, body->pins, body->pinCapacity );
			body->pins = old;
			body->pinCount = oldCount;
			body->pinCapacity = oldCapacity;
			return pn_outOfMemory;
		}
		pnFreeArray( pnPin, old, oldCapacity );
		world->reschedule |= !body->awake;
		pnRefreshBody( body );
	}
	pnWake( world, body );
	return pn_success;
}

pnResult pnBody_Unpin( pnWorld* world, pnBodyId id, const int32_t* points, int count )
{
	PN_FIND_OR_RETURN( world, id );
	if ( points != NULL && count < 0 )
	{
		pnLog( "pnBody_Unpin: count is %d", count );
		return pn_invalidInput;
	}
	for ( int i = 0; points != NULL && i < count; ++i )
	{
		if ( pnFindParticle( "pnBody_Unpin", body, points[i] ) < 0 )
		{
			return pn_invalidInput;
		}
	}
	pnPin* kept = body->pinCount > 0 ? pnAllocArray( pnPin, body->pinCount ) : NULL;
	if ( body->pinCount == 0 )
	{
		return pn_success;
	}
	if ( kept == NULL )
	{
		return pn_outOfMemory;
	}
	int capacity = body->pinCount, keptCount = 0;
	for ( int i = 0; i < body->pinCount; ++i )
	{
		bool gone = points == NULL;
		for ( int k = 0; k < count && !gone; ++k )
		{
			gone = body->solid->particleOf[points[k]] == body->pins[i].particle;
		}
		if ( !gone )
		{
			kept[keptCount++] = body->pins[i];
		}
	}
	pnPin* old = body->pins;
	int oldCount = body->pinCount, oldCapacity = body->pinCapacity;
	body->pins = kept;
	body->pinCount = keptCount;
	body->pinCapacity = capacity;
	if ( keptCount != oldCount && !pnHoldPins( body ) )
	{
		body->pins = old;
		body->pinCount = oldCount;
		body->pinCapacity = oldCapacity;
		pnFreeArray( pnPin, kept, capacity );
		return pn_outOfMemory;
	}
	pnFreeArray( pnPin, old, oldCapacity );
	world->reschedule |= !body->awake;
	pnRefreshBody( body );
	return pn_success;
}

pnResult pnBody_SetVelocity( pnWorld* world, pnBodyId id, pnVec3 linear, pnVec3 angular )
{
	PN_FIND_OR_RETURN( world, id );
	if ( !pnCheckVec( "pnBody_SetVelocity", "linear", -1, linear, pn_fastest ) || !pnCheckVec( "pnBody_SetVelocity", "angular", -1, angular, 1e5f ) )
	{
		return pn_invalidInput;
	}
	pnBodyMotion m = pnMeasureBody( body );
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		const float* x = body->match.x + 4 * (size_t)i;
		float* v = body->v + 4 * (size_t)i;
		pnVec3 arm = { (float)( x[0] - m.center[0] ), (float)( x[1] - m.center[1] ), (float)( x[2] - m.center[2] ) };
		pnVec3 u = pnAdd( linear, pnCross( angular, arm ) );
		v[0] = u.x, v[1] = u.y, v[2] = u.z;
	}
	world->reschedule |= !body->awake;
	pnRefreshBody( body );
	return pn_success;
}

pnResult pnBody_SetAwake( pnWorld* world, pnBodyId id, bool awake )
{
	PN_FIND_OR_RETURN( world, id );
	world->reschedule |= body->awake != awake;
	body->awake = awake;
	body->calm = 0.0f;
	return pn_success;
}

// ---- bodies are read ----

int pnBody_WritePoints( const pnWorld* world, pnBodyId id, pnVec3* positions, pnVec3* velocities, int capacity )
{
	const pnBody* body = pnLookUp( world, id );
	if ( body == NULL )
	{
		return 0;
	}
	for ( int i = 0; i < body->solid->pointCount && i < capacity; ++i )
	{
		size_t row = 4 * (size_t)body->solid->particleOf[i];
		if ( positions != NULL )
		{
			memcpy( positions + i, body->match.x + row, sizeof( pnVec3 ) );
		}
		if ( velocities != NULL )
		{
			memcpy( velocities + i, body->v + row, sizeof( pnVec3 ) );
		}
	}
	return body->solid->pointCount;
}

int pnBody_WriteSkin( const pnWorld* world, pnBodyId id, int skin, pnVec3* positions, pnVec3* normals, int capacity )
{
	const pnBody* body = pnLookUp( world, id );
	if ( body == NULL || skin < 0 || skin >= body->solid->skinCount )
	{
		return 0;
	}
	const pnSolid* form = body->match.form;
	int count = form->skins[skin].vertexCount;
	if ( positions == NULL && normals == NULL )
	{
		return count;
	}
	pnFrame few[PN_LARGE_BODY], *frames = few;
	few[0] = (pnFrame){ 0 };
	bool carried = !form->skins[skin].onParticles, many = form->clusterCount > PN_LARGE_BODY;
	if ( carried && many && ( frames = pnAllocArray( pnFrame, form->clusterCount ) ) == NULL )
	{
		return 0;
	}
	for ( int c = 0; carried && c < form->clusterCount; ++c )
	{
		frames[c] = pnComputeFrame( &body->match, c, body->material.mode );
	}
	pnWriteSkin( form, skin, body->match.x, frames, positions, normals, capacity );
	if ( carried && many )
	{
		pnFreeArray( pnFrame, frames, form->clusterCount );
	}
	return count;
}

int pnBody_WriteClusters( const pnWorld* world, pnBodyId id, pnClusterState* clusters, int capacity )
{
	const pnBody* body = pnLookUp( world, id );
	if ( body == NULL )
	{
		return 0;
	}
	for ( int c = 0; clusters != NULL && c < body->solid->clusterCount && c < capacity; ++c )
	{
		pnFrame frame = pnComputeFrame( &body->match, c, body->material.mode );
		double map[9], center[3], s[3];
		pnMat3d m, u, v;
		pnLinearMap( &body->match, c, &frame, map, center );
		memcpy( m.m, map, sizeof map );
		pnSvd3( m, &u, s, &v );
		double q[4];
		pnMat3d R;
		for ( int k = 0; k < 9; ++k )
		{
			R.m[k] = frame.rotation[k / 3][k % 3];
		}
		pnToQuat3( R, q );
		clusters[c] = (pnClusterState){
			.center = { (float)center[0], (float)center[1], (float)center[2] },
			.rotation = { (float)q[0], (float)q[1], (float)q[2], (float)q[3] },
			.map = { { (float)map[0], (float)map[3], (float)map[6] }, { (float)map[1], (float)map[4], (float)map[7] }, { (float)map[2], (float)map[5], (float)map[8] } },
			.stretch = (float)s[0],
			.plasticStrain = body->match.clusters[c].plasticStrain,
			.memberCount = body->solid->clusterSize[c],
		};
	}
	return body->solid->clusterCount;
}

// The best rigid motion from rest to here: of all particles, as one cluster would be fitted.
static pnTransform pnRigidFit( const pnBody* body, const pnBodyMotion* motion )
{
	const pnSolid* solid = body->solid;
	const float* turn = body->match.clusters[0].rotation; // where the points do not tell the turn
	pnMat3d B = { { 0 } };
	double r[4];
	for ( int i = 0; i < solid->particleCount; ++i )
	{
		const float* x = body->match.x + 4 * (size_t)i;
		const float* q = &solid->rest[i].x;
		for ( int k = 0; k < 9; ++k )
		{
			B.m[k] += (double)x[3] * ( (double)x[k / 3] - motion->center[k / 3] ) * (double)q[k % 3];
		}
	}
	pnToQuat3( pnNearestRotation3( B, pnFromQuat3( turn[0], turn[1], turn[2], turn[3] ) ), r );
	pnTransform t = { .q = { (float)r[0], (float)r[1], (float)r[2], (float)r[3] } };
	pnVec3 center = { (float)solid->center[0], (float)solid->center[1], (float)solid->center[2] };
	pnVec3 turned = pnRotate( t.q, center );
	t.p = pnMakeVec3( (float)( motion->center[0] - turned.x ), (float)( motion->center[1] - turned.y ), (float)( motion->center[2] - turned.z ) );
	return t;
}

pnResult pnBody_SetTransform( pnWorld* world, pnBodyId id, pnTransform transform )
{
	PN_FIND_OR_RETURN( world, id );
	if ( !pnCheckTransform( "pnBody_SetTransform", transform ) )
	{
		return pn_invalidInput;
	}
	pnBodyMotion m = pnMeasureBody( body );
	pnTransform now = pnRigidFit( body, &m );
	pnQuat turn = pnMulQuat( transform.q, pnConjugate( now.q ) );
	pnVec3 center = { (float)body->solid->center[0], (float)body->solid->center[1], (float)body->solid->center[2] };
	pnVec3 base = pnTransformPoint( transform, center );
	for ( int i = 0; i < body->count; ++i )
	{
		float *x = (float*)body->match.x + 4 * (size_t)i, *v = body->v + 4 * (size_t)i;
		pnVec3 arm = { (float)( x[0] - m.center[0] ), (float)( x[1] - m.center[1] ), (float)( x[2] - m.center[2] ) };
		pnVec3 p = pnAdd( base, pnRotate( turn, arm ) ), u = pnRotate( turn, pnMakeVec3( v[0], v[1], v[2] ) );
		x[0] = p.x, x[1] = p.y, x[2] = p.z;
		v[0] = u.x, v[1] = u.y, v[2] = u.z;
	}
	for ( int c = 0; c < body->solid->clusterCount; ++c )
	{
		float* q = body->match.clusters[c].rotation;
		pnQuat r = pnMulQuat( turn, (pnQuat){ q[0], q[1], q[2], q[3] } );
		memcpy( q, &r, sizeof r );
	}
	world->reschedule |= !body->awake;
	pnRefreshBody( body );
	return pn_success;
}

pnResult pnBody_GetState( const pnWorld* world, pnBodyId id, pnBodyState* state )
{
	if ( state == NULL )
	{
		pnLog( "pnBody_GetState: state is NULL" );
		return pn_invalidInput;
	}
	PN_FIND_OR_RETURN( world, id );
	*state = (pnBodyState){ 0 };
	pnBodyMotion m = pnMeasureBody( body );
	double mass = body->solid->totalMass;
	state->mass = body->solid->totalMass;
	state->center = pnMakeVec3( (float)m.center[0], (float)m.center[1], (float)m.center[2] );
	state->velocity = pnMakeVec3( (float)m.velocity[0], (float)m.velocity[1], (float)m.velocity[2] );
	state->momentum = pnMakeVec3( (float)( mass * m.velocity[0] ), (float)( mass * m.velocity[1] ), (float)( mass * m.velocity[2] ) );
	state->angularMomentum = pnMakeVec3( (float)( mass * m.spin[0] ), (float)( mass * m.spin[1] ), (float)( mass * m.spin[2] ) );
	state->transform = pnRigidFit( body, &m );
	state->kinetic = body->kinetic;
	state->elastic = body->elastic;
	state->awake = body->awake;
	const float* x0 = body->match.x;
	state->bounds = (pnAABB){ { x0[0], x0[1], x0[2] }, { x0[0], x0[1], x0[2] } };
	for ( int i = 1; i < body->solid->particleCount; ++i )
	{
		pnVec3 p = { x0[4 * i], x0[4 * i + 1], x0[4 * i + 2] };
		state->bounds.lower = pnMin3( state->bounds.lower, p );
		state->bounds.upper = pnMax3( state->bounds.upper, p );
	}
	double volume = 0.0, low = 1e30, high = 0.0;
	for ( int c = 0; c < body->solid->clusterCount; ++c )
	{
		pnFrame frame = pnComputeFrame( &body->match, c, body->material.mode );
		double map[9], center[3], s[3];
		pnMat3d a, u, v;
		pnLinearMap( &body->match, c, &frame, map, center );
		memcpy( a.m, map, sizeof map );
		pnSvd3( a, &u, s, &v );
		low = fabs( s[2] ) < low ? fabs( s[2] ) : low;
		high = s[0] > high ? s[0] : high;
		volume += pnDet3( a ) / body->solid->clusterCount;
		float strain = body->match.clusters[c].plasticStrain;
		state->plasticStrain = strain > state->plasticStrain ? strain : state->plasticStrain;
	}
	state->minStretch = (float)low;
	state->maxStretch = (float)high;
	state->volume = (float)volume;
	return pn_success;
}
