// test_rubble.c - bodies cut by many planes where they lie: how deep pieces are in each other, as told and as it is. Knows the public header; who is inside whom is told by the
// contact bench's checker, in double, by winding numbers.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "test.h"

#include "../bench/checker.h"
#include "contact_help.h"

#include <math.h>

static const char* const s_presets[] = { "jelly", "rubber", "flesh", "wood" };

enum { mostPieces = 256 };

// A block or a ball on a floor, at rest, then cut by some planes through its middle in any direction.
static pnWorld* MakeRubble( pnRandom* random, int cutCount )
{
	pnWorld* world = MakeFallingWorld();
	pnShapeDef floor = pnDefaultShapeDef();
	AddShape( world, &floor );
	pnMaterial material = pnDefaultMaterial();
	const char* preset = s_presets[pnRandomInt( random, COUNT( s_presets ) )];
	ENSURE( pnFindMaterial( preset, &material ) == pn_success );
	float size = (float)pnRandomIn( random, 0.5, 1.5 );
	bool ball = pnRandomInt( random, 2 ) == 0;
	pnSolid* solid = ball ? MakeBallSolid( 0.5f * size, 500.0f * size * size * size, -1.0f ) : MakeCubeSolid( size, 1000.0f * size * size * size, -1.0f );
	pnBodyDef body = DefBody( solid, material, pnMakeVec3( 0.0f, 0.52f * size, 0.0f ) );
	AddBody( world, &body );
	pnDestroySolid( solid );
	pnTestContext( "%s of %.2f m, %s, %d cuts", ball ? "ball" : "cube", (double)size, preset, cutCount );
	for ( int i = 0; i < 60; ++i )
	{
		ENSURE( pnWorld_Step( world, STEP, 4 ) == pn_success );
	}
	for ( int i = 0; i < cutCount; ++i )
	{
		pnCutDef cut = pnDefaultCutDef();
		cut.point = pnMakeVec3( size * (float)pnRandomIn( random, -0.25, 0.25 ), size * (float)pnRandomIn( random, 0.25, 0.75 ), size * (float)pnRandomIn( random, -0.25, 0.25 ) );
		double up = pnRandomIn( random, -1.0, 1.0 ), angle = pnRandomIn( random, 0.0, 2.0 * TEST_PI ), across = sqrt( 1.0 - up * up );
		cut.normal = pnMakeVec3( (float)( across * cos( angle ) ), (float)up, (float)( across * sin( angle ) ) );
		ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
	}
	return world;
}

// dense: also the middles of edges and faces.
static pnCheckResult CheckPieces( const pnWorld* world, bool dense, double* largest )
{
	pnBodyId ids[mostPieces];
	pnCheckBody bodies[mostPieces] = { 0 };
	int count = pnWorld_GetBodies( world, ids, mostPieces );
	*largest = 0.0;
	ENSURE( count <= mostPieces );
	count = count < mostPieces ? count : mostPieces;
	for ( int i = 0; i < count; ++i )
	{
		pnSkinInfo skin = pnSolid_GetSkin( pnBody_GetSolid( world, ids[i] ), 0 );
		pnVec3* places = calloc( (size_t)skin.vertexCount, sizeof( pnVec3 ) );
		pnBody_WriteSkin( world, ids[i], 0, places, NULL, skin.vertexCount );
		pnBodyState state;
		ENSURE( pnBody_GetState( world, ids[i], &state ) == pn_success );
		double size = LengthOf( pnSub( state.bounds.upper, state.bounds.lower ) );
		*largest = fmax( *largest, size );
		bodies[i] = (pnCheckBody){ places, skin.triangles, skin.vertexCount, skin.triangleCount, false, size };
	}
	pnCheckScene scene = { bodies, NULL, count, 0 };
	pnCheckResult result = pnCheckScene_Run( &scene, dense );
	for ( int i = 0; i < count; ++i )
	{
		free( (void*)bodies[i].positions );
	}
	return result;
}

// What is released by the cuts presses pieces into each other for a moment; a second later hardly a vertex is deeper in another piece than a hundredth of its size. And depth is
// told as it is: a piece that has slid past another one's edge, or along a face and off it, is not in it. (Edges that were seen to come tell how far they have gone past each other, which may be more than any
// place is inside: some hundredths.)
static void PiecesComeOutOfEachOther( void )
{
	const char* chosen = getenv( "PLIANT_SEED" );
	uint64_t first = chosen != NULL ? strtoull( chosen, NULL, 10 ) : 0;
	double worst = 0.0, falsest = 0.0;
	int64_t deep = 0, asked = 0;
	for ( int seed = 0; seed < 6; ++seed )
	{
		pnRandom random = pnSeed( first + (uint64_t)seed );
		pnWorld* world = MakeRubble( &random, 6 + pnRandomInt( &random, 5 ) );
		double largest;
		for ( int frame = 1; frame <= 60; ++frame )
		{
			ENSURE( pnWorld_Step( world, STEP, 4 ) == pn_success );
			if ( frame % 15 == 0 )
			{
				pnCheckResult all = CheckPieces( world, true, &largest );
				double more = ( (double)pnWorld_GetProfile( world ).maxPenetration - all.maxDepth ) / largest;
				falsest = fmax( falsest, more );
				ENSURE_MOST( more, 0.05 );
			}
		}
		pnCheckResult vertices = CheckPieces( world, false, &largest );
		worst = fmax( worst, vertices.maxShare );
		deep += vertices.deepCount;
		asked += vertices.sampleCount;
		pnDestroyWorld( world );
	}
	ENSURE_MOST( (double)deep, 5e-4 * (double)asked );
	pnTestNote( "%d of %d vertices deeper than 1 %%, up to %.1f %%; told too deep by %.2f %% at most", (int)deep, (int)asked, 100.0 * worst, 100.0 * falsest );
}

static const pnTest s_tests[] = {
	RUN( PiecesComeOutOfEachOther ),
};

SUITE( rubble, s_tests );
