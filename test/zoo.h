// zoo.h - a world with a body of every kind, and what a user does to it frame by frame. Knows only the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "blocks.h"
#include "crew.h"

enum
{
	pn_jellyAnimal, // changes its material
	pn_heldAnimal, // quadratic, many overlapping clusters, two points led about
	pn_clayAnimal, // is hit until it gives way
	pn_tetAnimal, // a cluster per tetrahedron, under a force
	pn_filledAnimal, // a surface with a filling, capped
	pn_sleepingAnimal,
	pn_bareAnimal, // the paper's own equations
	pn_pointAnimal, // one point only; dies and is born again
	pn_flatAnimal, // no extent along z
	pn_animalCount,
};

typedef struct pnZoo
{
	pnWorld* world;
	pnBodyId animals[pn_animalCount];
} pnZoo;

static inline pnSolid* pnCreateAnimalSolid( int animal )
{
	pnSolid* solid = NULL;
	if ( animal == pn_tetAnimal )
	{
		pnSolidDef def = pnDefTetrahedra();
		pnCreateSolid( &def, &solid );
	}
	else if ( animal == pn_filledAnimal )
	{
		pnSolidDef def = pnDefBox();
		def.fillSpacing = 0.25f;
		pnCreateSolid( &def, &solid );
	}
	else if ( animal == pn_heldAnimal )
	{
		solid = pnCreateGridSolid( 9, 4, 4, 0.1f, 0.2f );
	}
	else if ( animal == pn_pointAnimal )
	{
		solid = pnCreateGridSolid( 1, 1, 1, 0.1f, 0.0f );
	}
	else if ( animal == pn_flatAnimal )
	{
		solid = pnCreateGridSolid( 5, 5, 1, 0.1f, 0.0f );
	}
	else
	{
		solid = pnCreateGridSolid( 4, 4, 4, 0.1f, 0.0f );
	}
	return solid;
}

static inline pnResult pnCreateAnimal( pnZoo* zoo, int animal )
{
	static const char* const names[pn_animalCount] = { "jelly", "flesh", "clay", "rubber", "foam", "rubber", "jelly", "steel", "wood" };
	pnSolid* solid = pnCreateAnimalSolid( animal );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	pnFindMaterial( names[animal], &def.material );
	if ( animal == pn_heldAnimal )
	{
		def.material.mode = pn_quadraticMode;
	}
	if ( animal == pn_bareAnimal )
	{
		def.material.bare = true;
		def.material.alpha = 0.25f;
		def.filter.mask = 0; // under a step that varies it grows without end, and would meet the others
	}
	if ( animal == pn_filledAnimal )
	{
		def.material.cap = pn_rowCap;
		def.material.capStart = 1.05f;
		def.material.capEnd = 1.2f;
	}
	def.transform.p = pnMakeVec3( 3.0f * (float)animal, 1.0f, -2.0f );
	def.transform.q = ( pnQuat ){ 0.0f, 0.6f, 0.0f, 0.8f };
	def.velocity = pnMakeVec3( 0.1f, 0.5f, 0.0f );
	def.angularVelocity = pnMakeVec3( 1.0f, 0.0f, 2.0f );
	def.userData = 100 + (uint64_t)animal;
	if ( animal == pn_sleepingAnimal )
	{
		def.gravityScale = 0.0f;
		def.velocity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
		def.angularVelocity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
	}
	pnResult result = pnCreateBody( zoo->world, &def, zoo->animals + animal );
	pnDestroySolid( solid );
	return result;
}

// world is NULL if anything could not be made.
static inline pnZoo pnCreateZoo( pnTaskSystem tasks )
{
	pnZoo zoo = { 0 };
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks = tasks;
	def.enableSleep = true;
	if ( pnCreateWorld( &def, &zoo.world ) != pn_success )
	{
		return zoo;
	}
	for ( int i = 0; i < pn_animalCount; ++i )
	{
		if ( pnCreateAnimal( &zoo, i ) != pn_success )
		{
			pnDestroyWorld( zoo.world );
			zoo.world = NULL;
			return zoo;
		}
	}
	return zoo;
}

// What the user does before the step of this frame. Plain arithmetic, so that it is the same everywhere.
// Animals that are not there (null ids) are passed over.
static inline void pnTendZoo( pnZoo* zoo, int frame )
{
	pnWorld* world = zoo->world;
	const pnBodyId* animals = zoo->animals;

	// two corners of one end, led up and down and sideways
	int phase = frame % 20;
	float swing = 0.02f * (float)( phase < 10 ? phase : 20 - phase );
	int32_t held[2] = { 0, 9 };
	pnVec3 targets[2] = { { 3.0f, 1.0f + swing, -2.0f }, { 3.0f + swing, 1.1f, -2.0f } };
	if ( frame % 19 == 18 )
	{
		pnBody_Unpin( world, animals[pn_heldAnimal], NULL, 0 );
	}
	else
	{
		pnBody_Pin( world, animals[pn_heldAnimal], held, targets, 2 );
	}

	if ( frame % 7 == 1 )
	{
		pnBody_ApplyImpulseAt( world, animals[pn_clayAnimal], 63, pnMakeVec3( 0.0f, -30.0f, 12.0f ) );
		pnBody_ApplyImpulseAt( world, animals[pn_clayAnimal], 0, pnMakeVec3( 0.0f, 30.0f, -12.0f ) );
	}
	pnBody_ApplyForceAt( world, animals[pn_tetAnimal], 7, pnMakeVec3( 0.0f, 400.0f, (float)phase ) );
	if ( frame % 11 == 3 )
	{
		pnMaterial material = pnDefaultMaterial();
		pnFindMaterial( frame % 2 == 0 ? "jelly" : "rubber", &material );
		pnBody_SetMaterial( world, animals[pn_jellyAnimal], &material );
	}
	if ( frame % 13 == 5 && pnDestroyBody( world, animals[pn_pointAnimal] ) == pn_success )
	{
		pnCreateAnimal( zoo, pn_pointAnimal );
	}
	if ( frame % 17 == 4 )
	{
		pnBody_SetAwake( world, animals[pn_sleepingAnimal], frame % 2 == 1 );
	}
	if ( frame % 23 == 9 )
	{
		pnBody_SetVelocity( world, animals[pn_flatAnimal], pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnMakeVec3( 3.0f, 0.0f, 1.0f ) );
	}
}

static inline pnResult pnRunZoo( pnZoo* zoo, int firstFrame, int frameCount )
{
	for ( int frame = firstFrame; frame < firstFrame + frameCount; ++frame )
	{
		pnTendZoo( zoo, frame );
		pnResult result = pnWorld_Step( zoo->world, 1.0f / 60.0f, 1 + frame % 3 );
		if ( result != pn_success )
		{
			return result;
		}
	}
	return pn_success;
}

// No point of any body is NaN or infinite.
static inline bool pnIsWorldFinite( const pnWorld* world )
{
	int bodyCount = pnWorld_GetBodies( world, NULL, 0 );
	pnBodyId* bodies = (pnBodyId*)malloc( ( (size_t)bodyCount + 1 ) * sizeof( pnBodyId ) );
	pnWorld_GetBodies( world, bodies, bodyCount );
	bool finite = true;
	for ( int i = 0; i < bodyCount; ++i )
	{
		int count = pnBody_WritePoints( world, bodies[i], NULL, NULL, 0 );
		pnVec3* positions = (pnVec3*)malloc( 2 * ( (size_t)count + 1 ) * sizeof( pnVec3 ) );
		pnVec3* velocities = positions + count + 1;
		pnBody_WritePoints( world, bodies[i], positions, velocities, count );
		for ( int j = 0; j < count; ++j )
		{
			finite = finite && pnIsFiniteVec3( positions[j] ) && pnIsFiniteVec3( velocities[j] );
		}
		free( positions );
	}
	free( bodies );
	return finite;
}
