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

// ---- shards of stiff bodies ----

// A bar, a cube, a ball or a ring of one preset on a floor, cut through everything by ten planes, four frames apart.
typedef struct Shards
{
	pnWorld* world;
	int subSteps;
	double weight, size; // N; metres
} Shards;

static pnSolid* MakeShardSolid( pnRandom* random, float size, int* kind )
{
	int cells = 4 + pnRandomInt( random, 4 );
	*kind = pnRandomInt( random, 4 );
	float mass = 1000.0f * size * size * size;
	switch ( *kind )
	{
		case 0: return SolidOf( MakeBoxRest( pnMakeVec3( size, 0.4f * size, 0.4f * size ), cells, cells, cells ), 0.16f * mass, -1.0f, 0.0f );
		case 1: return SolidOf( MakeBoxRest( pnMakeVec3( size, size, size ), cells, cells, cells ), mass, -1.0f, 0.0f );
		case 2: return MakeBallSolid( 0.5f * size, 0.5f * mass, -1.0f );
		default: return SolidOf( MakeTorusRest( 0.32f * size, 0.18f * size, 3 * cells, 2 * cells ), 0.2f * mass, -1.0f, 0.0f );
	}
}

static double LargestStretch( const pnWorld* world )
{
	pnBodyId ids[mostPieces];
	int count = pnWorld_GetBodies( world, ids, mostPieces );
	double largest = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		largest = fmax( largest, (double)StateOf( world, ids[i] ).maxStretch );
	}
	return largest;
}

static Shards MakeShards( pnRandom* random, const char* preset, int subSteps, double* stretch )
{
	static const char* const kinds[] = { "bar", "cube", "ball", "ring" };
	float size = (float)pnRandomIn( random, 0.35, 1.2 );
	int kind;
	pnSolid* solid = MakeShardSolid( random, size, &kind );
	pnMaterial material = pnDefaultMaterial();
	ENSURE( pnFindMaterial( preset, &material ) == pn_success );
	float high = pnSolid_GetInfo( solid ).bounds.upper.y;
	pnBodyDef body = DefBody( solid, material, pnMakeVec3( 0.0f, 1.02f * high, 0.0f ) );
	Shards shards = { MakeSleepyWorld(), subSteps, GRAVITY * (double)pnSolid_GetInfo( solid ).mass, (double)size };
	AddFloor( shards.world, 0.5f );
	AddBody( shards.world, &body );
	pnDestroySolid( solid );
	pnTestContext( "%s of %.2f m, %s, %d substeps", kinds[kind], (double)size, preset, subSteps );
	StepWorld( shards.world, 60, subSteps );
	for ( int i = 0; i < 10; ++i )
	{
		pnCutDef cut = pnDefaultCutDef();
		cut.point = pnMakeVec3( size * (float)pnRandomIn( random, -0.25, 0.25 ), 2.0f * high * (float)pnRandomIn( random, 0.0, 1.0 ), size * (float)pnRandomIn( random, -0.25, 0.25 ) );
		cut.normal = pnRotate( RandomTurn( random ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) );
		ENSURE( pnWorld_Cut( shards.world, &cut, NULL ) == pn_success );
		for ( int frame = 0; frame < 4; ++frame )
		{
			StepWorld( shards.world, 1, subSteps );
			*stretch = fmax( *stretch, LargestStretch( shards.world ) );
		}
	}
	return shards;
}

static uint64_t FirstSeed( void )
{
	const char* chosen = getenv( "PLIANT_SEED" );
	return chosen != NULL ? strtoull( chosen, NULL, 10 ) : 0;
}

// A shard of a gram that is held between others by many times its weight stays what it is, also in one substep a frame: nothing stiff is drawn out to speak of, and nothing has more energy than
// falling gave it.
static void StiffShardsStayWhole( void )
{
	static const char* const presets[] = { "rigid", "steel", "wood" };
	double stretch = 0.0, most = 0.0;
	for ( int seed = 0; seed < 8; ++seed )
	{
		pnRandom random = pnSeed( FirstSeed() + 100 + (uint64_t)seed );
		Shards shards = MakeShards( &random, presets[seed % 3], 1 + seed % 2, &stretch );
		for ( int frame = 0; frame < 120; ++frame )
		{
			StepWorld( shards.world, 1, shards.subSteps );
			stretch = fmax( stretch, LargestStretch( shards.world ) );
			most = fmax( most, MeasureEnergy( shards.world ) / ( shards.weight * shards.size ) );
		}
		ENSURE_MOST( stretch, 1.6 );
		ENSURE_MOST( most, 1.0 );
		pnDestroyWorld( shards.world );
	}
	pnTestNote( "stretch %.3f, energy %.2f of a lift by their size, at most", stretch, most );
}

// Shards fall over, and then they sleep within eight seconds. Where many stiff ones touch, what they press each other with is not told by their weights; it changes whenever one of them falls
// asleep, and must not wake the others again.
static void ShardsSleep( void )
{
	static const char* const presets[] = { "wood", "steel", "rigid", "rubber", "foam" };
	double stretch = 0.0;
	int latest = 0, asleep = 0;
	for ( int seed = 0; seed < 10; ++seed )
	{
		pnRandom random = pnSeed( FirstSeed() + 200 + (uint64_t)seed );
		Shards shards = MakeShards( &random, presets[seed % 5], seed % 2 == 0 ? 4 : 2, &stretch );
		int frame = 0;
		while ( frame < 480 && pnWorld_GetProfile( shards.world ).awakeCount > 0 )
		{
			StepWorld( shards.world, 1, shards.subSteps );
			frame += 1;
		}
		latest = frame > latest ? frame : latest;
		asleep += pnWorld_GetProfile( shards.world ).awakeCount == 0;
		pnDestroyWorld( shards.world );
	}
	ENSURE( asleep >= 9 ); // one heap in some twenty has a piece that rocks for longer
	pnTestNote( "asleep after %.2f s at the latest", latest / 60.0 );
}

static const pnTest s_tests[] = {
	RUN( PiecesComeOutOfEachOther ),
	RUN( StiffShardsStayWhole ),
	RUN( ShardsSleep ),
};

SUITE( rubble, s_tests );
