// touch.c - what a user does to bodies between steps: materials, forces, impulses, pins, velocities, places. Knows no step.
#include "check.h"
#include "world.h"

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
	body->response = pnMakeResponse( material, body->response.step, body->solid->overlapping );
	body->account = 0.0;
	body->softened = 1.0;
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
	pnVec3 gain = pnScale( 1.0f / body->mass, impulse );
	if ( !pnCheckVec( "pnBody_ApplyImpulse", "impulse", -1, gain, PN_FASTEST ) )
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
	pnVec3 gain = pnScale( v[3] / body->mass, impulse );
	bool held = body->last[4 * (size_t)particle + 3] > 0.0f; // what is pinned takes none
	if ( !pnCheckVec( "pnBody_ApplyImpulseAt", "impulse", -1, gain, PN_FASTEST ) )
	{
		return pn_invalidInput;
	}
	pnResult result = held ? pn_success : pnAddPointForce( &body->kicks, &body->kickCount, &body->kickCapacity, particle, gain );
	if ( result == pn_success && !held )
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
	world->reschedule |= !body->awake;
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
	body->calm = 0.0f;
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
