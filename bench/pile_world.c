// pile_world.c - fills a pliant world with the pile. Knows the public library only, and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "pile_world.h"

#include <stdlib.h>

#define FRICTION 0.5f // of bodies and box

pnPileWorldDef pnDefaultPileWorldDef( void )
{
	pnPileWorldDef def = { .material = pnDefaultMaterial(), .workerCount = 1, .enableSleep = false };
	def.material.mode = pn_quadraticMode;
	def.material.hertz = 20.0f;
	def.material.dampingRatio = 1.0f;
	def.material.stretch = 0.5f;
	def.material.volume = 3.0f;
	def.material.friction = FRICTION;
	return def;
}

static pnResult CreateSolidOf( const pnPileMesh* mesh, pnSolid** solid )
{
	pnSolidDef def = pnDefaultSolidDef();
	def.points = mesh->points;
	def.pointCount = mesh->pointCount;
	def.triangles = mesh->triangles;
	def.triangleCount = mesh->triangleCount;
	def.clusters.kind = pn_countClusters;
	def.clusters.count = 1;
	return pnCreateSolid( &def, solid );
}

static pnResult AddPlane( pnWorld* world, pnVec3 place, pnQuat turn, float friction )
{
	pnShapeDef def = pnDefaultShapeDef();
	def.kind = pn_planeShape;
	def.transform = (pnTransform){ place, turn };
	def.friction = friction;
	pnShapeId id;
	return pnCreateShape( world, &def, &id );
}

// A floor and four walls. A plane looks along y of its frame, so walls are turned by a quarter: inward.
static pnResult AddBox( pnWorld* world, float halfWidth, float friction )
{
	const float r = 0.70710678f;
	const pnVec3 places[5] = { { 0, 0, 0 }, { halfWidth, 0, 0 }, { -halfWidth, 0, 0 }, { 0, 0, halfWidth }, { 0, 0, -halfWidth } };
	const pnQuat turns[5] = { { 0, 0, 0, 1 }, { 0, 0, r, r }, { 0, 0, -r, r }, { -r, 0, 0, r }, { r, 0, 0, r } };
	pnResult result = pn_success;
	for ( int i = 0; i < 5 && result == pn_success; ++i )
	{
		result = AddPlane( world, places[i], turns[i], friction );
	}
	return result;
}

static pnResult AddBodies( const pnPile* pile, const pnPileWorldDef* def, pnSolid* const* solids, pnPileWorld* pileWorld )
{
	pnResult result = pn_success;
	for ( int b = 0; b < pile->bodyCount && result == pn_success; ++b )
	{
		const pnPileBody* body = pile->bodies + b;
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.solid = solids[body->mesh];
		bodyDef.material = def->material;
		bodyDef.transform = body->transform;
		bodyDef.velocity = body->velocity;
		bodyDef.selfContact = true;
		result = pnCreateBody( pileWorld->world, &bodyDef, pileWorld->bodies + b );
	}
	return result;
}

pnResult pnCreatePileWorld( const pnPile* pile, const pnPileWorldDef* def, pnPileWorld* pileWorld )
{
	*pileWorld = (pnPileWorld){ 0 };
	pnSolid* solids[2] = { NULL, NULL };
	pileWorld->bodies = malloc( (size_t)pile->bodyCount * sizeof( pnBodyId ) );
	pnResult result = pileWorld->bodies == NULL ? pn_outOfMemory : pn_success;
	for ( int i = 0; i < pile->meshCount && result == pn_success; ++i )
	{
		result = CreateSolidOf( pile->meshes + i, solids + i );
	}
	if ( result == pn_success )
	{
		pnWorldDef worldDef = pnDefaultWorldDef();
		worldDef.enableSleep = def->enableSleep;
		worldDef.tasks.workerCount = def->workerCount;
		result = pnCreateWorld( &worldDef, &pileWorld->world );
	}
	if ( result == pn_success )
	{
		result = AddBox( pileWorld->world, pile->halfWidth, def->material.friction );
	}
	if ( result == pn_success )
	{
		result = AddBodies( pile, def, solids, pileWorld );
	}

	pnDestroySolid( solids[0] ); // the bodies keep theirs
	pnDestroySolid( solids[1] );
	if ( result != pn_success )
	{
		pnDestroyPileWorld( pileWorld );
	}
	return result;
}

void pnDestroyPileWorld( pnPileWorld* pileWorld )
{
	pnDestroyWorld( pileWorld->world );
	free( pileWorld->bodies );
	*pileWorld = (pnPileWorld){ 0 };
}

void pnPileWorld_WritePositions( const pnPileWorld* pileWorld, const pnPile* pile, pnVec3* positions )
{
	for ( int b = 0; b < pile->bodyCount; ++b )
	{
		const pnPileBody* body = pile->bodies + b;
		pnBody_WritePoints( pileWorld->world, pileWorld->bodies[b], positions + body->firstPoint, NULL, pile->meshes[body->mesh].pointCount );
	}
}
