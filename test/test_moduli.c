// test_moduli.c - pieces are of the stuff that was cut: they swing as much faster as they are smaller, carry what lies on them, and come back when they were drawn
// out. Knows only the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "cut_shapes.h"

#include <math.h>

static const pnVec3 s_zero = { 0.0f, 0.0f, 0.0f };

static pnBodyId PlaceShape( pnWorld* world, CutShape shape, const char* preset, pnVec3 at )
{
	pnSolid* solid = MakeCutSolid( &shape );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.transform.p = at;
	ENSURE( pnFindMaterial( preset, &def.material ) == pn_success );
	pnBodyId body = { 0 };
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	pnDestroySolid( solid );
	FreeCutShape( &shape );
	return body;
}

static void StepFrames( pnWorld* world, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 4 ) == pn_success );
	}
}

static double HeightOf( const pnWorld* world )
{
	pnBodyId bodies[64];
	int count = pnWorld_GetBodies( world, bodies, 64 );
	double height = 0.0;
	for ( int i = 0; i < count && i < 64; ++i )
	{
		pnBodyState state;
		ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		height = fmax( height, (double)state.bounds.upper.y );
	}
	return height;
}

// Swings a second of a body that is drawn out by a hundredth along x and let go, from the times at which its width passes what it is at rest.
static double FrequencyOf( pnWorld* world, pnBodyId body, const pnVec3* rest, int count )
{
	enum { most = 400 };
	pnVec3* x = calloc( (size_t)count, sizeof( pnVec3 ) );
	pnBodyState state;
	ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
	for ( int i = 0; i < count; ++i )
	{
		x[i] = rest[i];
		x[i].x += 0.01f * ( rest[i].x - state.center.x );
	}
	ENSURE( pnBody_SetPoints( world, body, x, NULL, count ) == pn_success );
	double before = 1.0, first = -1.0, last = -1.0, step = 1e-3;
	int passes = 0;
	for ( int k = 1; k <= most; ++k )
	{
		ENSURE( pnWorld_Step( world, (float)step, 1 ) == pn_success );
		pnBody_WritePoints( world, body, x, NULL, count );
		double now = 0.0;
		for ( int i = 0; i < count; ++i )
		{
			now += (double)( ( x[i].x - rest[i].x ) * ( rest[i].x - state.center.x ) );
		}
		if ( k > 1 && before * now < 0.0 )
		{
			double at = step * ( k - now / ( now - before ) );
			first = passes == 0 ? at : first;
			last = at;
			passes += 1;
		}
		before = now;
	}
	free( x );
	return passes > 1 ? 0.5 * ( passes - 1 ) / ( last - first ) : 0.0;
}

// Bodies of one shape and one material swing as much faster as they are smaller: an eighth of a block, halved along each axis, twice as fast as the block.
static void PiecesKeepTheirModuli( void )
{
	pnRandom random = SeedOf( 1308 );
	double least = 1e9, most = 0.0;
	for ( int run = 0; run < 12; ++run )
	{
		int sizes[3];
		for ( int k = 0; k < 3; ++k )
		{
			sizes[k] = 8 + 2 * pnRandomInt( &random, 4 );
		}
		pnTestContext( "run %d: %d x %d x %d", run, sizes[0], sizes[1], sizes[2] );
		CutShape shape = MakeBar( run % 2 == 1, sizes[0], sizes[1], sizes[2], 1 );
		shape.cellSize = 100.0f; // one cluster
		pnSolid* solid = MakeCutSolid( &shape );
		FreeCutShape( &shape );
		pnMaterial material = PlainMaterial( pn_linearMode, 5.0f, 0.5f );
		double frequencies[2];
		for ( int piece = 0; piece < 2; ++piece )
		{
			pnWorld* world = MakeWorld( s_zero );
			pnBodyId body = PlaceBody( world, solid, &material );
			for ( int k = 0; k < 3 && piece == 1; ++k )
			{
				pnCutDef cut = pnDefaultCutDef();
				cut.normal = k == 0 ? pnMakeVec3( 1.0f, 0.0f, 0.0f ) : k == 1 ? pnMakeVec3( 0.0f, 1.0f, 0.0f ) : pnMakeVec3( 0.0f, 0.0f, 1.0f );
				ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
			}
			pnBodyId bodies[16];
			int bodyCount = pnWorld_GetBodies( world, bodies, 16 );
			REQUIRE( bodyCount == ( piece == 0 ? 1 : 8 ) );
			body = bodies[pnRandomInt( &random, bodyCount )];
			int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
			pnVec3* rest = calloc( (size_t)count, sizeof( pnVec3 ) );
			pnBody_WritePoints( world, body, rest, NULL, count );
			frequencies[piece] = FrequencyOf( world, body, rest, count );
			free( rest );
			pnDestroyWorld( world );
		}
		pnDestroySolid( solid );
		ENSURE_NEAR( frequencies[0], 5.0 * sqrt( 0.5 ), 0.02 );
		double ratio = frequencies[1] / frequencies[0];
		ENSURE_NEAR( ratio, 2.0, 0.02 );
		least = fmin( least, ratio ), most = fmax( most, ratio );
	}
	pnTestNote( "%.2f to %.2f times as fast", least, most );
}

// A body that was shaved is nearly the one that it was, so it swings as fast. New points of its faces weigh no more than what they stand for.
static void ShavedBodiesSwingAsBefore( void )
{
	pnRandom random = SeedOf( 1310 );
	double worst = 0.0;
	for ( int run = 0; run < 36; ++run )
	{
		int kind = run % 6;
		pnTestContext( "run %d, kind %d", run, kind );
		CutShape shape = kind == 0 ? MakeBar( false, 6, 4, 5, 1 ) : kind == 1 ? MakeBar( true, 7, 4, 4, 2 ) : kind == 2 ? MakeSphereShape( 6 ) : kind == 3 ? MakeTorus( 32, 12 ) : kind == 4 ? MakeHollow( false ) : MakeCells( "comb", 2 * combTeeth - 1, 6, 2, 0.1f, IsCombCell );
		shape.cellSize = 100.0f; // one cluster
		pnSolid* solid = MakeCutSolid( &shape );
		FreeCutShape( &shape );
		pnMaterial material = PlainMaterial( pn_linearMode, 5.0f, 0.5f );
		pnWorld* world = MakeWorld( s_zero );
		pnBodyId body = PlaceBody( world, solid, &material );
		pnDestroySolid( solid );
		double part = pnRandomIn( &random, 0.001, 0.01 );
		for ( int i = 0; i < 1 + run % 3; ++i )
		{
			pnBodyState state;
			ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
			int axis = pnRandomInt( &random, 3 ), side = pnRandomInt( &random, 2 );
			pnVec3 way = pnMakeVec3( axis == 0, axis == 1, axis == 2 ), size = pnSub( state.bounds.upper, state.bounds.lower );
			pnCutDef cut = pnDefaultCutDef();
			cut.normal = side == 0 ? pnScale( -1.0f, way ) : way;
			cut.point = pnMulAdd( side == 0 ? state.bounds.lower : state.bounds.upper, -(float)part * pnDot( size, way ), cut.normal );
			ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
			pnBodyId bodies[64];
			int count = pnWorld_GetBodies( world, bodies, 64 );
			double heaviest = 0.0;
			for ( int k = 0; k < count && k < 64; ++k )
			{
				ENSURE( pnBody_GetState( world, bodies[k], &state ) == pn_success );
				body = (double)state.mass > heaviest ? bodies[k] : body;
				heaviest = fmax( heaviest, (double)state.mass );
			}
		}
		int points = pnBody_WritePoints( world, body, NULL, NULL, 0 );
		pnVec3* rest = calloc( (size_t)points, sizeof( pnVec3 ) );
		pnBody_WritePoints( world, body, rest, NULL, points );
		double ratio = FrequencyOf( world, body, rest, points ) / ( 5.0 * sqrt( 0.5 ) );
		ENSURE_NEAR( ratio, 1.0, 0.015 ); // it may be 3 % thinner along one axis
		worst = fmax( worst, fabs( ratio - 1.0 ) );
		free( rest );
		pnDestroyWorld( world );
	}
	pnTestNote( "to %.4f", worst );
}

// A loaf that is sliced where it lies stands as high, if it is hard. One frequency serves all directions of a slice, so soft ones are pressed more than the whole was, but none
// flat.
static void SlicesCarryTheirLoad( void )
{
	static const struct { const char* preset; double least; } stuffs[] = { { "jelly", 0.8 }, { "rubber", 0.88 }, { "flesh", 0.88 }, { "foam", 0.7 }, { "clay", 0.83 }, { "wood", 0.97 }, { "steel", 0.98 }, { "rigid", 0.99 } };
	double lowest = 1.0;
	for ( int run = 0; run < 16; ++run )
	{
		for ( int cuts = 1; cuts < 5; ++cuts )
		{
			pnTestContext( "%s, %d cuts, kind %d", stuffs[run / 2].preset, cuts, run % 2 );
			pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, -9.81f, 0.0f ) );
			pnShapeDef floor = pnDefaultShapeDef();
			pnShapeId shape;
			floor.friction = 0.8f;
			ENSURE( pnCreateShape( world, &floor, &shape ) == pn_success );
			PlaceShape( world, MakeBar( run % 2 == 1, 6, 4, 6, 1 ), stuffs[run / 2].preset, pnMakeVec3( 0.0f, 0.21f, 0.0f ) );
			StepFrames( world, 150 );
			double before = HeightOf( world );
			for ( int i = 0; i < cuts; ++i )
			{
				pnCutDef cut = pnDefaultCutDef();
				cut.point = pnMakeVec3( 0.0f, (float)( before * ( i + 1 ) / ( cuts + 1 ) ), 0.0f );
				ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
			}
			REQUIRE( pnWorld_GetBodies( world, NULL, 0 ) == cuts + 1 );
			StepFrames( world, 120 );
			double part = HeightOf( world ) / before;
			ENSURE_MOST( stuffs[run / 2].least, part );
			lowest = fmin( lowest, part );
			pnDestroyWorld( world );
		}
	}
	pnTestNote( "%.2f of the height at least", lowest );
}

// Drawn out to three times its length by its ends, cut, and let go: two seconds later there is no more of it than its own damping leaves, and its turning draws.
static void StretchedPiecesComeBack( void )
{
	enum { most = 2000 };
	static const char* const presets[] = { "rubber", "flesh", "jelly", "wood" };
	pnRandom random = SeedOf( 1309 );
	pnVec3 *x = calloc( most, sizeof( pnVec3 ) ), *v = calloc( most, sizeof( pnVec3 ) );
	int32_t* pins = calloc( most, sizeof( int32_t ) );
	double worst = 0.0;
	for ( int run = 0; run < 32; ++run )
	{
		const char* preset = presets[run % 4];
		pnTestContext( "run %d: %s", run, preset );
		pnWorld* world = MakeWorld( s_zero );
		CutShape shape = run / 4 % 3 == 0 ? MakeBar( false, 8, 4, 4, 1 ) : run / 4 % 3 == 1 ? MakeBar( true, 8, 4, 4, 1 ) : MakeCloud( "points", 9, 5, 5, 0.1f, IsBlockCell );
		shape.cellSize = run % 4 == 2 ? 100.0f : (float)pnRandomIn( &random, 0.45, 1.0 ); // where many clusters are a chain it swings more slowly, and its damping takes longer
		pnBodyId body = PlaceShape( world, shape, preset, s_zero );
		pnMaterial material;
		ENSURE( pnBody_GetMaterial( world, body, &material ) == pn_success );
		int count = pnBody_WritePoints( world, body, x, NULL, most ), held = 0;
		REQUIRE( count <= most );
		for ( int i = 0; i < count; ++i )
		{
			pins[held] = i;
			held += fabsf( x[i].x ) > 0.35f;
		}
		for ( int frame = 1; frame <= 90; ++frame )
		{
			for ( int i = 0; i < held; ++i )
			{
				v[i] = x[pins[i]];
				v[i].x += ( v[i].x > 0.0f ? 0.8f : -0.8f ) * fminf( (float)frame / 60.0f, 1.0f );
			}
			ENSURE( pnBody_Pin( world, body, pins, v, held ) == pn_success );
			StepFrames( world, 1 );
		}
		for ( int i = 0; i < 1 + run / 2 % 2; ++i )
		{
			pnCutDef cut = pnDefaultCutDef();
			cut.point = pnMakeVec3( (float)pnRandomIn( &random, -0.3, 0.3 ), 0.0f, 0.0f );
			cut.normal = pnAdd( pnMakeVec3( 1.0f, 0.0f, 0.0f ), RandomVec3( &random, pnRandomIn( &random, 0.0, 1.0 ) ) );
			ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
		}
		pnBodyId bodies[16];
		int bodyCount = pnWorld_GetBodies( world, bodies, 16 );
		REQUIRE( bodyCount > 1 && bodyCount <= 16 );
		for ( int i = 0; i < bodyCount; ++i )
		{
			ENSURE( pnBody_Unpin( world, bodies[i], NULL, 0 ) == pn_success );
		}
		StepFrames( world, 120 );
		double w = 2.0 * TEST_PI * material.hertz, shape2 = 1.0 - material.stretch, left = 2.0 * exp( -2.0 * material.dampingRatio * w * sqrt( shape2 ) );
		for ( int i = 0; i < bodyCount; ++i )
		{
			pnBodyState state;
			ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
			int points = pnBody_WritePoints( world, bodies[i], x, v, most );
			double speed2 = 0.0, size2 = 0.0;
			for ( int k = 0; k < points && k < most; ++k )
			{
				pnVec3 arm = pnSub( x[k], state.center ), u = pnSub( v[k], state.velocity );
				speed2 += (double)pnDot( u, u ), size2 += (double)pnDot( arm, arm );
			}
			double turning = size2 > 0.0 ? 2.0 * speed2 / size2 / ( w * w * shape2 ) : 0.0, strain = state.maxStretch - 1.0 - turning;
			ENSURE_MOST( strain, 0.02 + left );
			worst = fmax( worst, strain - left );
		}
		pnDestroyWorld( world );
	}
	free( x );
	free( v );
	free( pins );
	pnTestNote( "%.3f from rest, besides what damping leaves", worst );
}

static const pnTest s_tests[] = {
	RUN( PiecesKeepTheirModuli ),
	RUN( ShavedBodiesSwingAsBefore ),
	RUN( SlicesCarryTheirLoad ),
	RUN( StretchedPiecesComeBack ),
};
SUITE( moduli, s_tests );
