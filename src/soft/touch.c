// touch.c - what a user does to bodies between steps: materials, forces, impulses, pins, velocities, places, grabs. Knows no step.
#include "check.h"
#include "govern.h"
#include "piece.h"
#include "tear.h"
#include "grip.h"
#include "world.h"

#include <float.h>

static int pnFindParticle( const char* call, const pnBody* body, int point )
{
	if ( point < 0 || point >= body->solid->pointCount )
	{
		pnLog( "%s: point %d is outside 0..%d", call, point, body->solid->pointCount - 1 );
		return -1;
	}
	return body->solid->particleOf[point];
}

pnResult pnBody_SetMaterial( pnWorld* world, pnBodyId id, const pnMaterial* material )
{
	PN_FIND_OR_RETURN( world, id );
	if ( !pnCheckMaterialOf( "pnBody_SetMaterial", material ) )
	{
		return pn_invalidInput;
	}
	bool otherwise = body->material.mode != material->mode || body->material.bare != material->bare; // the past was fitted otherwise
	body->revalued = true;
	body->material = *material;
	pnWeighBody( body, material );
	body->response = pnMakeTuning( &body->material, body->response.step, body->solid->overlapping, body->stiffening );
	body->account = 0.0;
	world->reschedule = true; // it may be of another kind now
	if ( otherwise )
	{
		pnRefreshBody( body );
	}
	pnWake( world, body );
	return pn_success;
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
		if ( ( positions != NULL && !pnCheckVec( "pnBody_SetPoints", "positions", i, positions[i], PN_FARTHEST ) ) ||
			 ( velocities != NULL && !pnCheckVec( "pnBody_SetPoints", "velocities", i, velocities[i], PN_FASTEST ) ) )
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
	world->contacts.moved = true;
	return pn_success;
}

pnResult pnBody_ApplyForce( pnWorld* world, pnBodyId id, pnVec3 force )
{
	PN_FIND_OR_RETURN( world, id );
	if ( !pnCheckVec( "pnBody_ApplyForce", "force", -1, pnScale( 1.0f / body->mass, force ), 1e9f ) )
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
	if ( particle < 0 || !pnCheckVec( "pnBody_ApplyForceAt", "force", -1, pnScale( body->v[4 * (size_t)particle + 3] / body->mass, force ), 1e9f ) )
	{
		return pn_invalidInput;
	}
	if ( !pnGrow( (void**)&body->forces, &body->forceCapacity, body->forceCount, body->forceCount + 1, sizeof( pnPointForce ) ) )
	{
		return pn_outOfMemory;
	}
	body->forces[body->forceCount++] = (pnPointForce){ particle, { force.x, force.y, force.z } };
	pnWake( world, body );
	return pn_success;
}

pnResult pnBody_ApplyImpulse( pnWorld* world, pnBodyId id, pnVec3 impulse )
{
	PN_FIND_OR_RETURN( world, id );
	pnVec3 gain = pnScale( 1.0f / body->mass, impulse );
	if ( !pnCheckVec( "pnBody_ApplyImpulse", "impulse", -1, gain, PN_FASTEST ) )
	{
		return pn_invalidInput;
	}
	// All alike; but a body that pins hold turns about them, and is strained by the rest.
	double local = body->pinCount > 0 ? body->response.local : 1.0, J[3] = { gain.x, gain.y, gain.z }, arm[3], velocity[3] = { 0 }, turn[3] = { 0 };
	pnBodyMotion motion = pnMeasureBody( body );
	body->whole = pnFindWholeNow( body );
	for ( int k = 0; k < 3; ++k )
	{
		arm[k] = motion.center[k] - body->whole.center[k];
		body->match.motion[k] += body->pinCount > 0 ? 0.0f : (float)J[k];
	}
	for ( int i = 0; i < body->solid->particleCount; ++i )
	{
		float* v = body->v + 4 * (size_t)i;
		for ( int k = 0; k < 3 && !pnIsPinned( body, i ); ++k )
		{
			v[k] += (float)( local * J[k] );
		}
	}
	pnPushWhole( &body->whole, 1.0 - local, arm, J, velocity, turn );
	pnMoveWhole( body, velocity, turn, 0.0, 0.0 );
	body->struck = true;
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
	float *v = body->v + 4 * (size_t)particle, local = (float)body->response.local;
	pnVec3 gain = pnScale( v[3] / body->mass, impulse );
	if ( !pnCheckVec( "pnBody_ApplyImpulseAt", "impulse", -1, gain, PN_FASTEST ) )
	{
		return pn_invalidInput;
	}
	if ( pnIsPinned( body, particle ) ) // it takes none
	{
		return pn_success;
	}
	double J[3] = { (double)impulse.x / body->mass, (double)impulse.y / body->mass, (double)impulse.z / body->mass }, arm[3], velocity[3] = { 0 }, turn[3] = { 0 };
	const float direct[3] = { local * gain.x, local * gain.y, local * gain.z };
	body->whole = pnFindWholeNow( body );
	for ( int k = 0; k < 3; ++k )
	{
		arm[k] = (double)body->match.x[4 * (size_t)particle + k] - body->whole.center[k];
	}
	pnPushWhole( &body->whole, 1.0 - (double)local, arm, J, velocity, turn );
	for ( int k = 0; k < 3; ++k )
	{
		v[k] += direct[k];
	}
	pnMoveWhole( body, velocity, turn, 0.0, 0.0 );
	body->struck = true;
	pnWake( world, body );
	return pn_success;
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
		if ( particle < 0 || ( targets != NULL && !pnCheckVec( "pnBody_Pin", "targets", i, targets[i], PN_FARTHEST ) ) )
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
		world->reschedule = true; // it is matched to another form now
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
	if ( keptCount == body->pinCount )
	{
		pnFreeArray( pnPin, kept, capacity );
		return pn_success;
	}
	pnPin* old = body->pins;
	int oldCount = body->pinCount, oldCapacity = body->pinCapacity;
	body->pins = kept;
	body->pinCount = keptCount;
	body->pinCapacity = capacity;
	if ( !pnHoldPins( body ) )
	{
		body->pins = old;
		body->pinCount = oldCount;
		body->pinCapacity = oldCapacity;
		pnFreeArray( pnPin, kept, capacity );
		return pn_outOfMemory;
	}
	pnFreeArray( pnPin, old, oldCapacity );
	world->reschedule = true; // it is matched to another form now
	pnRefreshBody( body );
	return pn_success;
}

pnResult pnBody_SetVelocity( pnWorld* world, pnBodyId id, pnVec3 linear, pnVec3 angular )
{
	PN_FIND_OR_RETURN( world, id );
	if ( !pnCheckVec( "pnBody_SetVelocity", "linear", -1, linear, PN_FASTEST ) || !pnCheckVec( "pnBody_SetVelocity", "angular", -1, angular, 1e5f ) )
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
	body->unrest.rested = 0.0f;
	return pn_success;
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
	transform.q = pnUnitQuat( transform.q );
	pnQuat turn = pnUnitQuat( pnMulQuat( transform.q, pnConjugate( now.q ) ) );
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
		pnQuat r = pnUnitQuat( pnMulQuat( turn, (pnQuat){ q[0], q[1], q[2], q[3] } ) );
		memcpy( q, &r, sizeof r );
	}
	world->reschedule |= !body->awake;
	pnRefreshBody( body );
	world->contacts.moved = true;
	return pn_success;
}

pnResult pnShape_MoveTo( pnWorld* world, pnShapeId id, pnTransform target )
{
	pnShape* shape = pnFindShape( world, id );
	if ( shape == NULL )
	{
		return pn_notFound;
	}
	if ( !pnCheckTransform( "pnShape_MoveTo", target ) )
	{
		return pn_invalidInput;
	}
	target.q = pnUnitQuat( target.q );
	shape->target = target;
	shape->before = shape->transform;
	shape->moves = true;
	pnStirOnShape( &world->contacts, id.index1 - 1 );
	return pn_success;
}

pnResult pnShape_SetTransform( pnWorld* world, pnShapeId id, pnTransform transform )
{
	if ( pnFindShape( world, id ) == NULL )
	{
		return pn_notFound;
	}
	if ( !pnCheckTransform( "pnShape_SetTransform", transform ) )
	{
		return pn_invalidInput;
	}
	pnPlaceShape( &world->contacts, id.index1 - 1, transform );
	return pn_success;
}

// ---- grabs ----

static bool pnCheckAmount( const char* call, const char* what, float value, float lowest, const char* mustBe )
{
	if ( !( value >= lowest && value <= FLT_MAX ) )
	{
		pnLog( "%s: %s is %g, must be %s", call, what, (double)value, mustBe );
		return false;
	}
	return true;
}

pnResult pnCreateGrab( pnWorld* world, const pnGrabDef* def, pnGrabId* out )
{
	const char* call = "pnCreateGrab";
	if ( out == NULL )
	{
		pnLog( "%s: grab is NULL", call );
		return pn_invalidInput;
	}
	*out = (pnGrabId){ 0, 0 };
	if ( def == NULL || def->cookie != PN_COOKIE )
	{
		pnLog( "%s: def was not made by pnDefaultGrabDef", call );
		return pn_invalidInput;
	}
	PN_FIND_OR_RETURN( world, def->body );
	if ( !pnCheckVec( call, "place", -1, def->place, PN_FARTHEST ) || !pnCheckAmount( call, "radius", def->radius, -FLT_MAX, "finite" ) ||
		 !pnCheckAmount( call, "hertz", def->hertz, FLT_MIN, "> 0" ) || !pnCheckAmount( call, "dampingRatio", def->dampingRatio, 0.0f, ">= 0" ) ||
		 !pnCheckAmount( call, "maxForce", def->maxForce, 0.0f, ">= 0" ) )
	{
		return pn_invalidInput;
	}
	int slot = 0;
	while ( slot < world->grabSlotCount && world->grabs[slot].body >= 0 )
	{
		slot += 1;
	}
	if ( !pnGrow( (void**)&world->grabs, &world->grabCapacity, world->grabSlotCount, slot + 1, sizeof( pnGrab ) ) ||
		 !pnGrow( (void**)&world->grabOrder, &world->grabOrderCapacity, world->grabCount, world->grabCount + 1, sizeof( int32_t ) ) )
	{
		return pn_outOfMemory;
	}
	pnGrip* grip = pnAddGrip( body, def->place, def->radius );
	if ( grip == NULL )
	{
		return pn_outOfMemory;
	}
	grip->slot = slot;
	grip->hertz = def->hertz;
	grip->dampingRatio = def->dampingRatio;
	grip->maxForce = def->maxForce;
	uint32_t generation = slot < world->grabSlotCount ? world->grabs[slot].generation + 1 : 1;
	world->grabSlotCount = slot < world->grabSlotCount ? world->grabSlotCount : slot + 1;
	world->grabs[slot] = (pnGrab){ .body = body->id.index1 - 1, .generation = generation, .owner = def->owner, .userData = def->userData };
	world->grabOrder[world->grabCount++] = slot;
	pnWake( world, body );
	*out = (pnGrabId){ slot + 1, generation };
	return pn_success;
}

pnResult pnDestroyGrab( pnWorld* world, pnGrabId id )
{
	pnBody* body;
	if ( pnFindGrab( world, id, &body ) == NULL )
	{
		return pn_notFound;
	}
	pnDropGrab( world, id.index1 - 1 );
	return pn_success;
}

pnResult pnGrab_MoveTo( pnWorld* world, pnGrabId id, pnVec3 target )
{
	pnBody* body;
	pnGrip* grip = pnFindGrab( world, id, &body );
	if ( grip == NULL )
	{
		return pn_notFound;
	}
	if ( !pnCheckVec( "pnGrab_MoveTo", "target", -1, target, PN_FARTHEST ) )
	{
		return pn_invalidInput;
	}
	memcpy( grip->target, &target, sizeof grip->target );
	pnWake( world, body );
	return pn_success;
}

pnResult pnGrab_Lock( pnWorld* world, pnGrabId id, bool locked )
{
	pnBody* body;
	if ( pnFindGrab( world, id, &body ) == NULL )
	{
		return pn_notFound;
	}
	world->grabs[id.index1 - 1].locked = locked;
	return pn_success;
}

void pnWorld_LetGo( pnWorld* world, uint32_t owner )
{
	for ( int i = world->grabCount - 1; i >= 0 && owner != 0; --i )
	{
		const pnGrab* grab = world->grabs + world->grabOrder[i];
		if ( grab->owner == owner && !grab->locked )
		{
			pnDropGrab( world, world->grabOrder[i] );
		}
	}
	pnContacts* c = &world->contacts;
	for ( int i = c->shapeCount - 1; i >= 0 && owner != 0; --i )
	{
		if ( c->shapes.at[c->shapeOrder[i]].owner == owner )
		{
			pnDropShape( c, c->shapeOrder[i] );
		}
	}
}

// ---- cuts ----

// What a cut is about to make of one body.
typedef struct pnCarved { pnBody* body; pnCutBody cut; int admitted; } pnCarved;

// Forces that were given at points, for the step to come, go to the pieces that have the points.
static bool pnCopyForces( const pnCutBody* cut, const pnBody* from, pnBody* const* pieces )
{
	for ( int i = 0; i < from->forceCount; ++i )
	{
		pnPointForce force = from->forces[i];
		int32_t piece = cut->pieceOf[force.particle];
		pnBody* taker = piece >= 0 ? pieces[piece] : NULL;
		if ( taker != NULL )
		{
			if ( !pnGrow( (void**)&taker->forces, &taker->forceCapacity, taker->forceCount, taker->forceCount + 1, sizeof( pnPointForce ) ) )
			{
				return false;
			}
			force.particle = cut->particleOf[force.particle];
			taker->forces[taker->forceCount++] = force;
		}
	}
	return true;
}

static bool pnAdmitPieces( pnWorld* world, pnCarved* carved )
{
	const pnCutBody* cut = &carved->cut;
	pnBody** bodies = pnAllocArray( pnBody*, cut->pieceCount );
	bool fine = bodies != NULL;
	for ( int i = 0; i < cut->pieceCount && fine; ++i )
	{
		bodies[i] = cut->pieces[i].body;
		fine = bodies[i] == NULL || pnAdmitBody( world, bodies[i] );
		carved->admitted += fine;
	}
	fine = fine && pnCopyGrips( carved->body, bodies, cut->pieceCount, cut->pieceOf, cut->particleOf ) && pnCopyForces( cut, carved->body, bodies );
	if ( fine )
	{
		pnInheritEnergy( carved->body, bodies, cut->pieceCount, cut->pieceOf );
	}
	pnFreeArray( pnBody*, bodies, cut->pieceCount );
	return fine;
}

// Nothing can fail any more.
static void pnCommitPieces( pnWorld* world, pnCarved* carved, pnCutResult* result )
{
	pnCutBody* cut = &carved->cut;
	pnBody* before = carved->body;
	pnBodyId from = before->id;
	bool opened = cut->pieceCount == 1;
	if ( opened )
	{
		pnRelistGrabs( world, cut->pieces[0].body ); // or they would be forgotten with the old one
		pnReplaceBody( world, before, cut->pieces[0].body );
	}
	for ( int i = 0; i < cut->pieceCount; ++i )
	{
		if ( cut->pieces[i].body != NULL )
		{
			pnRelistGrabs( world, cut->pieces[i].body );
		}
	}
	if ( !opened )
	{
		pnDismissBody( world, before );
	}
	pnFreeBody( before );
	for ( int i = 0; i < cut->pieceCount; ++i )
	{
		pnCutPiece* piece = cut->pieces + i;
		world->pieces[world->pieceCount++] = (pnPiece){
			.serial = ++world->pieceSerial,
			.from = from,
			.body = piece->body != NULL ? piece->body->id : (pnBodyId){ 0, 0 },
			.mass = (float)piece->mass,
			.center = piece->center,
			.pointSources = piece->pointSources,
			.vertexSources = piece->vertexSources,
			.pointCount = piece->pointCount,
			.vertexCount = piece->vertexCount,
		};
		result->pieceCount += piece->body != NULL;
		result->removedCount += piece->body == NULL;
		result->removedMass += piece->body == NULL ? (float)piece->mass : 0.0f;
		*piece = (pnCutPiece){ 0 };
	}
	result->cutCount += 1;
}

// All bodies or none.
static pnResult pnCutBodies( pnWorld* world, pnBody* const* bodies, int count, const pnBlade* blade, const pnCutRules* rules, pnCutResult* result )
{
	pnCarved* carved = pnAllocArray( pnCarved, count );
	pnResult outcome = carved != NULL ? pn_success : pn_outOfMemory;
	int cutCount = 0, pieceCount = 0, slotCount = world->slotCount;
	for ( int i = 0; i < count && outcome == pn_success; ++i )
	{
		pnCarved* next = carved + cutCount;
		next->body = bodies[i];
		outcome = pnCutApart( bodies[i], blade, rules, &next->cut );
		bool touched = outcome != pn_success || next->cut.touched;
		cutCount += touched;
		pieceCount += touched ? next->cut.pieceCount : 0;
		if ( !touched )
		{
			pnFreeCutBody( &next->cut );
		}
	}
	if ( outcome == pn_success && !pnGrow( (void**)&world->pieces, &world->pieceCapacity, world->pieceCount, world->pieceCount + pieceCount, sizeof( pnPiece ) ) )
	{
		outcome = pn_outOfMemory;
	}
	for ( int i = 0; i < cutCount && outcome == pn_success; ++i )
	{
		outcome = pnAdmitPieces( world, carved + i ) ? pn_success : pn_outOfMemory;
	}
	for ( int i = 0; i < cutCount; ++i )
	{
		if ( outcome == pn_success )
		{
			pnCommitPieces( world, carved + i, result );
		}
		for ( int k = 0; k < carved[i].admitted && outcome != pn_success; ++k )
		{
			pnBody* piece = carved[i].cut.pieces[k].body;
			if ( piece != NULL )
			{
				pnDismissBody( world, piece );
				world->slots[piece->id.index1 - 1].generation -= 1; // nobody has seen its id
			}
		}
		pnFreeCutBody( &carved[i].cut );
	}
	world->slotCount = outcome == pn_success ? world->slotCount : slotCount;
	pnFreeArray( pnCarved, carved, count );
	return outcome;
}

pnResult pnWorld_Cut( pnWorld* world, const pnCutDef* def, pnCutResult* out )
{
	const char* call = "pnWorld_Cut";
	pnCutResult result = { 0 };
	if ( out != NULL )
	{
		*out = result;
	}
	if ( def == NULL || def->cookie != PN_COOKIE )
	{
		pnLog( "%s: def was not made by pnDefaultCutDef", call );
		return pn_invalidInput;
	}
	if ( def->kind != pn_planeBlade && def->kind != pn_quadBlade )
	{
		pnLog( "%s: kind is %d, which is no pnBladeKind", call, (int)def->kind );
		return pn_invalidInput;
	}
	if ( !( def->smallest >= 0.0f && def->smallest < 1.0f ) )
	{
		pnLog( "%s: smallest is %g, must be in 0..1", call, (double)def->smallest );
		return pn_invalidInput;
	}
	bool plane = def->kind == pn_planeBlade, fine = !plane || ( pnCheckVec( call, "point", -1, def->point, PN_FARTHEST ) && pnCheckVec( call, "normal", -1, def->normal, 1e18f ) );
	for ( int i = 0; i < 4 && fine && !plane; ++i )
	{
		fine = pnCheckVec( call, "quad", i, def->quad[i], PN_FARTHEST );
	}
	pnBlade blade;
	if ( fine && !( plane ? pnMakePlaneBlade( def->point, def->normal, &blade ) : pnMakeQuadBlade( def->quad, &blade ) ) )
	{
		pnLog( "%s: the %s", call, plane ? "normal has no direction" : "quad has no area" );
		fine = false;
	}
	if ( !fine )
	{
		return pn_invalidInput;
	}
	bool all = def->body.index1 == 0;
	pnBody* one = all ? NULL : pnFindBody( world, def->body );
	if ( !all && one == NULL )
	{
		return pn_notFound;
	}
	pnBody** bodies = pnAllocArray( pnBody*, world->bodyCount );
	if ( bodies == NULL )
	{
		return pn_outOfMemory;
	}
	int count = 0, held = world->bodyCount;
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnBody* body = world->bodies[i];
		if ( all ? ( body->filter.layers & def->mask ) != 0 : body == one )
		{
			bodies[count++] = body;
		}
	}
	pnCutRules rules = { .inside = def->inside, .smallest = (double)def->smallest };
	pnResult outcome = pnCutBodies( world, bodies, count, &blade, &rules, &result );
	pnFreeArray( pnBody*, bodies, held );
	if ( out != NULL && outcome == pn_success )
	{
		*out = result;
	}
	return outcome;
}

// ---- tears ----

// Pieces of a tear owe what their new faces cost, and ease before they tear anew.
static void pnOweTear( pnWorld* world, int firstPiece, double perMass )
{
	for ( int i = firstPiece; i < world->pieceCount; ++i )
	{
		pnBody* piece = world->pieces[i].body.index1 > 0 ? world->slots[world->pieces[i].body.index1 - 1].body : NULL;
		if ( piece != NULL )
		{
			piece->account += perMass;
			piece->ebb = PN_UNTOLD;
			piece->unease = (float)pnFindEaseTime( piece );
		}
	}
}

void pnTearBodies( pnWorld* world, float timeStep )
{
	for ( int i = world->bodyCount - 1; i >= 0; --i ) // pieces come last, and are looked at in the next step
	{
		pnBody* body = world->bodies[i];
		body->unease = body->unease > timeStep ? body->unease - timeStep : 0.0f;
		body->ebb = body->solid->inherited && (float)body->guarded < body->ebb ? (float)body->guarded : body->ebb;
		pnTear tear;
		if ( body->material.tear > 0.0f && body->awake && pnFindTear( body, &tear ) )
		{
			pnCutRules rules = { .inside = 1, .smallest = 1e-4, .atRest = true };
			pnCutResult result = { 0 };
			int firstPiece = world->pieceCount;
			double perMass = tear.cost / (double)body->mass;
			memcpy( rules.tear, tear.plane, sizeof rules.tear );
			pnCutBodies( world, &body, 1, &tear.blade, &rules, &result );
			pnOweTear( world, firstPiece, perMass );
		}
	}
}
