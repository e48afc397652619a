// test_judge.c - the rulers of the contact bench: checker, diameters, linking numbers, and the heaps it draws. Knows no contact.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "../bench/checker.h"
#include "../bench/contact_scenes.h"
#include "test.h"

#include <math.h>

#define PI 3.14159265358979323846

static void CheckerAnswersKnownCases( void )
{
	ENSURE( pnTestChecker() );
}

// A cube of known size, its lowest points a known way below the floor.
static void DepthAndDiameterOfACube( void )
{
	pnSolid* cube = NULL;
	REQUIRE( pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &cube ) == pn_success );
	pnContactSceneDef def = pnDefaultContactSceneDef();
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	pnBodyDef body = pnDefaultBodyDef();
	body.solid = cube;
	body.transform.p.y = 0.2f;
	pnContactScene_Add( &scene, &body );
	REQUIRE( scene.result == pn_success );
	ENSURE_NEAR( scene.bodies[0].diameter, 0.5 * sqrt( 3.0 ), 1e-6 );
	ENSURE_NEAR( pnContactScene_GetDiameter( &scene, 0 ), 1.0, 1e-6 );
	ENSURE( scene.bodies[0].hasSurface );
	pnCheckResult inside = pnContactScene_Check( &scene );
	ENSURE( inside.sampleCount == 125 );
	ENSURE( inside.deepCount == 25 );
	ENSURE_NEAR( inside.maxDepth, 0.05, 1e-6 );
	ENSURE_NEAR( inside.maxShare, 0.05 / ( 0.5 * sqrt( 3.0 ) ), 1e-6 );

	// rays from inside, through, and past it; none along an edge
	pnVec3 x = { 1.0f, 0.0f, 0.0f };
	ENSURE( pnContactScene_CountHits( &scene, 0, pnMakeVec3( 0.1f, 0.23f, 0.03f ), x ) == 1 );
	ENSURE( pnContactScene_CountHits( &scene, 0, pnMakeVec3( -0.7f, 0.23f, 0.03f ), x ) == 2 );
	ENSURE( pnContactScene_CountHits( &scene, 0, pnMakeVec3( 0.7f, 0.23f, 0.03f ), x ) == 0 );
	ENSURE( pnContactScene_CountHits( &scene, 0, pnMakeVec3( -0.7f, 0.23f, 0.28f ), x ) == 0 );

	// twice as large along one axis: the diagonal of 1 x 0.5 x 0.5
	pnVec3 points[125];
	pnBody_WritePoints( scene.world, scene.bodies[0].id, points, NULL, 125 );
	for ( int i = 0; i < 125; ++i )
	{
		points[i].x *= 2.0f;
	}
	REQUIRE( pnBody_SetPoints( scene.world, scene.bodies[0].id, points, NULL, 125 ) == pn_success );
	ENSURE_NEAR( pnContactScene_GetWidest( &scene, 1.0 ), sqrt( 2.0 ), 1e-5 );
	ENSURE_NEAR( pnContactScene_GetWidest( &scene, 3.0 ), 3.0, 0.0 );
	pnCloseContactScene( &scene );
	pnDestroySolid( cube );
}

// A closed line that goes `turns` times about the core of a circle while it goes once around it; all of it turned and moved at random.
static void MakeLine( pnVec3* line, int count, int turns, float aside, pnTransform frame )
{
	for ( int i = 0; i < count; ++i )
	{
		double u = 2.0 * PI * i / count, out = 1.0 + 0.3 * ( turns != 0 ) * cos( turns * u ), up = 0.3 * ( turns != 0 ) * sin( turns * u );
		line[i] = pnTransformPoint( frame, pnMakeVec3( (float)( out * cos( u ) ) + aside, (float)up, (float)( out * sin( u ) ) ) );
	}
}

static void LinkingNumberCountsTurns( void )
{
	for ( int seed = 1; seed <= 50; ++seed )
	{
		uint32_t random = pnSeedContact( "linking", seed );
		pnTransform frame = { pnDrawVec3( &random, 3.0f ), pnDrawTurn( &random ) };
		int turns = pnDrawInt( &random, 9 ) - 4;
		pnTestContext( "seed %d, %d turns", seed, turns );
		pnVec3 core[60], coil[90], far[90];
		MakeLine( core, 60, 0, 0.0f, frame );
		MakeLine( coil, 90, turns, turns == 0 ? 3.0f : 0.0f, frame ); // without turns it would lie on the core
		MakeLine( far, 90, turns, 5.0f, frame );
		int found = pnGetLinkingNumber( core, 60, coil, 90 );
		ENSURE( found == turns || found == -turns );
		ENSURE( pnGetLinkingNumber( coil, 90, core, 60 ) == found );
		ENSURE( pnGetLinkingNumber( core, 60, far, 90 ) == 0 );
	}
	pnTestContext( "%s", "" );
}

static uint64_t DrawHeap( const pnHeapStock* stock, int seed, pnCheckResult* inside )
{
	uint32_t random = pnSeedContact( "heaps", seed );
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.wall = PN_HEAP_WALL;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	pnFillHeap( &scene, stock, &random, 60, NULL, 0 );
	ENSURE( scene.result == pn_success && scene.bodyCount == 60 );
	*inside = pnContactScene_Check( &scene );
	pnCheckResult clouds = pnContactScene_CheckClouds( &scene );
	inside->insideCount += clouds.insideCount;
	inside->sampleCount += clouds.sampleCount;
	uint64_t hash = pnWorld_GetHash( scene.world );
	pnCloseContactScene( &scene );
	return hash;
}

// Heaps are falls, not overlaps; and a seed is a heap.
static void HeapsStartApartAndRepeat( void )
{
	pnHeapStock stock;
	REQUIRE( pnOpenHeapStock( &stock ) == pn_success );
	uint64_t last = 0;
	for ( int seed = 1; seed <= 8; ++seed )
	{
		pnTestContext( "seed %d", seed );
		pnCheckResult inside, again;
		uint64_t hash = DrawHeap( &stock, seed, &inside );
		ENSURE( inside.isBroken == false && inside.sampleCount > 6000 );
		ENSURE( inside.insideCount == 0 );
		ENSURE( DrawHeap( &stock, seed, &again ) == hash );
		ENSURE( hash != last );
		last = hash;
	}
	pnTestContext( "%s", "" );
	pnCloseHeapStock( &stock );
}

static const pnTest s_tests[] = {
	RUN( CheckerAnswersKnownCases ),
	RUN( DepthAndDiameterOfACube ),
	RUN( LinkingNumberCountsTurns ),
	RUN( HeapsStartApartAndRepeat ),
};
SUITE( judge, s_tests );
