// world.c - the world, and bodies that come, go and are read. What changes them is in touch.c, what moves them in step.c, what is asked of all of them in queries.c.
#include "world.h"

#include "../base/mat3.h"
#include "check.h"
#include "frame.h"
#include "grip.h"
#include "skin.h"

#include <float.h>
#include <math.h>

void pnWake( pnWorld* world, pnBody* body )
{
	world->reschedule |= !body->awake;
	body->awake = true;
	body->unrest.rested = 0.0f;
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
	if ( !pnCheckVec( "pnCreateWorld", "gravity", -1, def->gravity, PN_FASTEST ) )
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
	if ( world->workers == NULL || !pnInitContacts( &world->contacts, world->workerCount, world->kernel->finders ) )
	{
		pnFreeArray( pnWorker, world->workers, world->workerCount );
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
	pnFreeContacts( &world->contacts );
	pnDestroyTasks( world->tasks );
	pnFreeArray( pnWorker, world->workers, world->workerCount );
	pnForgetPieces( world, world->pieceCount );
	pnFreeArray( pnPiece, world->pieces, world->pieceCapacity );
	pnFreeArray( pnSlot, world->slots, world->slotCapacity );
	pnFreeArray( pnBody*, world->bodies, world->bodyCapacity );
	pnFreeArray( pnGrab, world->grabs, world->grabCapacity );
	pnFreeArray( int32_t, world->grabOrder, world->grabOrderCapacity );
	pnFreeArray( pnWorld, world, 1 );
}

pnResult pnWorld_SetGravity( pnWorld* world, pnVec3 gravity )
{
	if ( !pnCheckVec( "pnWorld_SetGravity", "gravity", -1, gravity, PN_FASTEST ) )
	{
		return pn_invalidInput;
	}
	bool same = memcmp( &world->gravity, &gravity, sizeof gravity ) == 0;
	world->gravity = gravity;
	for ( int i = 0; i < world->bodyCount && !same; ++i )
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
	bytes += (size_t)world->grabCapacity * sizeof( pnGrab ) + (size_t)world->grabOrderCapacity * sizeof( int32_t );
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
	bytes += pnGetContactBytes( &world->contacts );
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

// ---- shapes ----

pnShapeDef pnDefaultShapeDef( void )
{
	return (pnShapeDef){
		.kind = pn_planeShape,
		.transform = pnIdentityTransform(),
		.radius = 0.5f,
		.halfExtents = { 0.5f, 0.5f, 0.5f },
		.friction = 0.5f,
		.filter = { 1, UINT32_MAX },
		.cookie = PN_COOKIE,
	};
}

pnResult pnCreateShape( pnWorld* world, const pnShapeDef* def, pnShapeId* out )
{
	if ( out == NULL )
	{
		pnLog( "pnCreateShape: shape is NULL" );
		return pn_invalidInput;
	}
	*out = (pnShapeId){ 0, 0 };
	if ( def == NULL || def->cookie != PN_COOKIE )
	{
		pnLog( "pnCreateShape: def was not made by pnDefaultShapeDef" );
		return pn_invalidInput;
	}
	int slot;
	pnResult result = pnAddShape( &world->contacts, def, &slot );
	if ( result == pn_success )
	{
		if ( !pnReserveContacts( &world->contacts, NULL ) )
		{
			pnDropShape( &world->contacts, slot );
			return pn_outOfMemory;
		}
		*out = (pnShapeId){ slot + 1, world->contacts.shapes.at[slot].generation };
	}
	return result;
}

bool pnShape_IsValid( const pnWorld* world, pnShapeId id )
{
	return id.index1 >= 1 && id.index1 <= world->contacts.shapes.count && world->contacts.shapes.at[id.index1 - 1].form != NULL &&
		   world->contacts.shapes.at[id.index1 - 1].generation == id.generation;
}

pnShape* pnFindShape( const pnWorld* world, pnShapeId id )
{
	if ( !pnShape_IsValid( world, id ) )
	{
		pnLog( "there is no shape %d of generation %u in this world", (int)id.index1, (unsigned)id.generation );
		return NULL;
	}
	return world->contacts.shapes.at + ( id.index1 - 1 );
}

pnResult pnDestroyShape( pnWorld* world, pnShapeId id )
{
	if ( pnFindShape( world, id ) == NULL )
	{
		return pn_notFound;
	}
	pnDropShape( &world->contacts, id.index1 - 1 );
	return pn_success;
}

pnResult pnShape_GetState( const pnWorld* world, pnShapeId id, pnShapeState* state )
{
	const pnShape* shape = pnFindShape( world, id );
	if ( state == NULL )
	{
		pnLog( "pnShape_GetState: state is NULL" );
		return pn_invalidInput;
	}
	if ( shape == NULL )
	{
		return pn_notFound;
	}
	*state = (pnShapeState){
		.transform = shape->transform,
		.impulse = { (float)shape->impulse[0], (float)shape->impulse[1], (float)shape->impulse[2] },
		.angularImpulse = { (float)shape->angular[0], (float)shape->angular[1], (float)shape->angular[2] },
		.userData = shape->userData,
	};
	return pn_success;
}

pnResult pnShape_GetDef( const pnWorld* world, pnShapeId id, pnShapeDef* def )
{
	const pnShape* shape = pnFindShape( world, id );
	if ( def == NULL )
	{
		pnLog( "pnShape_GetDef: def is NULL" );
		return pn_invalidInput;
	}
	if ( shape == NULL )
	{
		return pn_notFound;
	}
	*def = pnDefaultShapeDef();
	pnDescribeForm( shape->form, def );
	def->transform = shape->transform;
	def->friction = shape->friction;
	def->restitution = shape->restitution;
	def->filter = shape->filter;
	def->owner = shape->owner;
	def->userData = shape->userData;
	return pn_success;
}

int pnWorld_GetShapes( const pnWorld* world, pnShapeId* shapes, int capacity )
{
	const pnContacts* c = &world->contacts;
	for ( int i = 0; shapes != NULL && i < c->shapeCount && i < capacity; ++i )
	{
		shapes[i] = (pnShapeId){ c->shapeOrder[i] + 1, c->shapes.at[c->shapeOrder[i]].generation };
	}
	return c->shapeCount;
}

pnContactEvents pnWorld_GetContactEvents( const pnWorld* world )
{
	const pnContacts* c = &world->contacts;
	return (pnContactEvents){ c->begun.at, c->ended.at, c->contacts.at, c->begun.count, c->ended.count, c->contacts.count };
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
		.filter = { 1, UINT32_MAX },
		.detector = pn_fieldDetector,
		.selfContact = true,
		.cookie = PN_COOKIE,
	};
}

void pnJoinContacts( pnWorld* world, pnBody* body )
{
	pnCollider* collider = world->contacts.colliders.at + ( body->id.index1 - 1 );
	collider->filter = body->filter;
	collider->detector = body->detector;
	collider->self = body->selfContact;
	pnJoinCollider( body, collider );
	pnReadyCollider( body, collider );
	pnSurveyBody( body, collider );
}

bool pnAdmitBody( pnWorld* world, pnBody* body )
{
	int slot = world->freeSlot;
	while ( slot < world->slotCount && world->slots[slot].body != NULL )
	{
		slot += 1;
	}
	bool touches = body->filter.layers != 0 && body->filter.mask != 0;
	pnDemand demand = world->demand;
	pnAddDemand( &demand, body );
	if ( !pnGrow( (void**)&world->slots, &world->slotCapacity, world->slotCount, slot + 1, sizeof( pnSlot ) ) ||
		 !pnGrow( (void**)&world->bodies, &world->bodyCapacity, world->bodyCount, world->bodyCount + 1, sizeof( pnBody* ) ) ||
		 !pnReserveSchedule( world, &demand ) || !pnAddCollider( &world->contacts, slot, body->solid->clusterCount, touches ? &body->solid->surface : NULL ) )
	{
		return false;
	}
	if ( !pnReserveContacts( &world->contacts, touches ? &body->solid->surface : NULL ) )
	{
		pnDropCollider( &world->contacts, slot );
		return false;
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
	pnJoinContacts( world, body );
	world->bodies[world->bodyCount++] = body;
	world->reschedule = true;
	return true;
}

void pnDismissBody( pnWorld* world, pnBody* body )
{
	int at = world->bodyCount - 1, slot = body->id.index1 - 1;
	while ( world->bodies[at] != body )
	{
		at -= 1;
	}
	memmove( world->bodies + at, world->bodies + at + 1, (size_t)( world->bodyCount - at - 1 ) * sizeof( pnBody* ) );
	world->bodyCount -= 1;
	world->slots[slot].body = NULL;
	world->freeSlot = slot < world->freeSlot ? slot : world->freeSlot;
	pnDropCollider( &world->contacts, slot );
	pnDropDemand( &world->demand, body );
	world->reschedule = true;
	pnForgetGrabs( world, slot );
}

void pnReplaceBody( pnWorld* world, pnBody* before, pnBody* after )
{
	pnBodyId id = before->id;
	int at = 0, from = after->id.index1 - 1, to = id.index1 - 1;
	while ( world->bodies[at] != before )
	{
		at += 1;
	}
	pnCollider* colliders = world->contacts.colliders.at;
	pnDismissBody( world, before );
	world->slots[to].body = after;
	world->slots[from].body = NULL;
	after->id = id;
	colliders[to] = colliders[from];
	colliders[to].generation = id.generation;
	colliders[from] = (pnCollider){ 0 };
	int place = at;
	while ( world->bodies[place] != after ) // later than `before`: it was admitted since
	{
		place += 1;
	}
	memmove( world->bodies + at + 1, world->bodies + at, (size_t)( place - at ) * sizeof( pnBody* ) );
	world->bodies[at] = after;
	world->freeSlot = 0;
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
	bool tets = def->detector == pn_tetDetector, edges = def->detector == pn_surfaceDetector;
	if ( ( edges || ( def->filter.layers != 0 && def->filter.mask != 0 ) ) && !pnSurfaceSolid( def->solid ) )
	{
		return pn_outOfMemory;
	}
	if ( ( tets && def->solid->tetrahedronCount == 0 ) || ( edges && !def->solid->surface.closed ) || ( !tets && !edges && def->detector != pn_fieldDetector ) )
	{
		pnLog( "pnCreateBody: detector %d is unknown, or needs a solid of tetrahedra (tet) or with a closed surface (surface)", (int)def->detector );
		return pn_invalidInput;
	}
	if ( !pnCheckMaterialOf( "pnCreateBody", &def->material ) || !pnCheckTransform( "pnCreateBody", def->transform ) ||
		 !pnCheckVec( "pnCreateBody", "velocity", -1, def->velocity, PN_FASTEST ) ||
		 !pnCheckVec( "pnCreateBody", "angularVelocity", -1, def->angularVelocity, 1e5f ) ||
		 !pnCheckVec( "pnCreateBody", "gravityScale", -1, pnMakeVec3( def->gravityScale, 0.0f, 0.0f ), 1e6f ) )
	{
		return pn_invalidInput;
	}
	pnBody* body = pnMakeBody( def->solid );
	if ( body == NULL )
	{
		return pn_outOfMemory;
	}
	body->material = def->material;
	pnWeighBody( body, &def->material );
	body->response = pnMakeTuning( &body->material, 1.0 / 60.0, body->solid->overlapping, body->stiffening );
	body->gravityScale = def->gravityScale;
	body->userData = def->userData;
	body->filter = def->filter;
	body->detector = def->detector;
	body->selfContact = def->selfContact;
	pnPlaceBody( body, def );
	if ( !pnAdmitBody( world, body ) )
	{
		pnFreeBody( body );
		return pn_outOfMemory;
	}
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
	pnDismissBody( world, body );
	pnFreeBody( body );
	return pn_success;
}

// ---- what became of bodies that were cut ----

void pnForgetPieces( pnWorld* world, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		pnFreeArray( int32_t, (void*)world->pieces[i].pointSources, world->pieces[i].pointCount );
		pnFreeArray( pnVertexSource, (void*)world->pieces[i].vertexSources, world->pieces[i].vertexCount );
	}
	if ( count > 0 )
	{
		memmove( world->pieces, world->pieces + count, (size_t)( world->pieceCount - count ) * sizeof( pnPiece ) );
		world->pieceCount -= count;
	}
}

pnPieces pnWorld_GetPieces( const pnWorld* world )
{
	return (pnPieces){ world->pieces, world->pieceCount };
}

// ---- bodies are read ----

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

uint64_t pnBody_GetUserData( const pnWorld* world, pnBodyId id )
{
	const pnBody* body = pnLookUp( world, id );
	return body != NULL ? body->userData : 0;
}

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
	pnFrame few[PN_LARGE_BODY] = { 0 }, *frames = few;
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
	if ( carried && positions != NULL && body->shiftLeft > 0.0f )
	{
		pnShiftSkin( form, skin, frames, body->shifts, body->shiftLeft, positions, capacity );
	}
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
	double mass = body->mass;
	state->mass = body->mass;
	state->center = pnMakeVec3( (float)m.center[0], (float)m.center[1], (float)m.center[2] );
	state->velocity = pnMakeVec3( (float)m.velocity[0], (float)m.velocity[1], (float)m.velocity[2] );
	state->momentum = pnMakeVec3( (float)( mass * m.velocity[0] ), (float)( mass * m.velocity[1] ), (float)( mass * m.velocity[2] ) );
	state->angularMomentum = pnMakeVec3( (float)( mass * m.spin[0] ), (float)( mass * m.spin[1] ), (float)( mass * m.spin[2] ) );
	state->transform = pnRigidFit( body, &m );
	state->kinetic = body->kinetic;
	state->elastic = body->elastic + body->stored;
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

// ---- grabs ----

pnGrabDef pnDefaultGrabDef( void )
{
	return (pnGrabDef){ .radius = -1.0f, .hertz = 5.0f, .dampingRatio = 1.0f, .cookie = PN_COOKIE };
}

pnCutDef pnDefaultCutDef( void )
{
	return (pnCutDef){ .kind = pn_planeBlade, .normal = { 0.0f, 1.0f, 0.0f }, .mask = UINT32_MAX, .smallest = 1e-4f, .cookie = PN_COOKIE };
}

bool pnGrab_IsValid( const pnWorld* world, pnGrabId id )
{
	return id.index1 >= 1 && id.index1 <= world->grabSlotCount && world->grabs[id.index1 - 1].body >= 0 &&
		   world->grabs[id.index1 - 1].generation == id.generation;
}

pnGrip* pnFindGrab( const pnWorld* world, pnGrabId id, pnBody** body )
{
	if ( !pnGrab_IsValid( world, id ) )
	{
		pnLog( "there is no grab %d of generation %u in this world", (int)id.index1, (unsigned)id.generation );
		return NULL;
	}
	*body = world->slots[world->grabs[id.index1 - 1].body].body;
	return pnFindGrip( *body, id.index1 - 1 );
}

void pnDropGrab( pnWorld* world, int32_t slot )
{
	pnGrab* grab = world->grabs + slot;
	pnBody* body = world->slots[grab->body].body;
	pnGrip* grip = body != NULL ? pnFindGrip( body, slot ) : NULL;
	if ( grip != NULL )
	{
		pnDropGrip( body, (int)( grip - body->grips ) );
		pnWake( world, body ); // what was held may fall
	}
	*grab = (pnGrab){ .body = -1, .generation = grab->generation };
	int kept = 0;
	for ( int i = 0; i < world->grabCount; ++i )
	{
		if ( world->grabOrder[i] != slot )
		{
			world->grabOrder[kept++] = world->grabOrder[i];
		}
	}
	world->grabCount = kept;
}

void pnRelistGrabs( pnWorld* world, const pnBody* body )
{
	for ( int i = 0; i < body->gripCount; ++i )
	{
		world->grabs[body->grips[i].slot].body = body->id.index1 - 1;
	}
}

void pnForgetGrabs( pnWorld* world, int32_t slot )
{
	const pnBody* body = world->slots[slot].body;
	for ( int i = world->grabCount - 1; i >= 0; --i )
	{
		int32_t grab = world->grabOrder[i];
		if ( world->grabs[grab].body == slot && ( body == NULL || pnFindGrip( body, grab ) == NULL ) )
		{
			pnDropGrab( world, grab );
		}
	}
}

// The nearest float, and never infinite.
static float pnTellFloat( double x )
{
	x = x < FLT_MAX ? x : FLT_MAX;
	return (float)( x > -FLT_MAX ? x : -FLT_MAX );
}

pnResult pnGrab_GetState( const pnWorld* world, pnGrabId id, pnGrabState* state )
{
	if ( state == NULL )
	{
		pnLog( "pnGrab_GetState: state is NULL" );
		return pn_invalidInput;
	}
	pnBody* body;
	const pnGrip* grip = pnFindGrab( world, id, &body );
	if ( grip == NULL )
	{
		return pn_notFound;
	}
	const pnGrab* grab = world->grabs + ( id.index1 - 1 );
	double place[3];
	pnFindGripPlace( body, grip, place );
	*state = (pnGrabState){
		.body = body->id,
		.place = { (float)place[0], (float)place[1], (float)place[2] },
		.target = { grip->target[0], grip->target[1], grip->target[2] },
		.force = { pnTellFloat( grip->force[0] ), pnTellFloat( grip->force[1] ), pnTellFloat( grip->force[2] ) },
		.owner = grab->owner,
		.locked = grab->locked,
		.yields = grip->yields,
		.userData = grab->userData,
	};
	return pn_success;
}

int pnWorld_GetGrabs( const pnWorld* world, pnGrabId* grabs, int capacity )
{
	for ( int i = 0; grabs != NULL && i < world->grabCount && i < capacity; ++i )
	{
		grabs[i] = (pnGrabId){ world->grabOrder[i] + 1, world->grabs[world->grabOrder[i]].generation };
	}
	return world->grabCount;
}
