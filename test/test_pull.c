// test_pull.c - how far hands draw a body out: its target may be anywhere, it drags the body along, and lets it be itself again afterwards.
// Knows the public header only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "help.h"

static const pnVec3 s_zero = { 0.0f, 0.0f, 0.0f };
static const char* const s_presets[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood", "steel", "rigid" };
enum { presetCount = 8, mostHands = 4 };

// Blocks, sticks, plates and ropes of any clusters, from 10 cm to 2 m.
static Shape DrawShape( pnRandom* random, char* text, size_t capacity, int* most )
{
	static const int sizes[6][3] = { { 4, 4, 4 }, { 10, 3, 3 }, { 7, 7, 2 }, { 24, 3, 3 }, { 6, 5, 4 }, { 16, 2, 2 } };
	const int* n = sizes[pnRandomInt( random, 6 )];
	float spacing = (float)pow( 10.0, pnRandomIn( random, -1.5, -0.8 ) );
	Shape shape = MakeBlock( n[0], n[1], n[2], spacing, 0.1f, pnRandomBits( random ) );
	int cells[3];
	for ( int k = 0; k < 3; ++k )
	{
		cells[k] = 1 + pnRandomInt( random, n[k] > 6 ? n[k] / 2 : n[k] > 3 ? 2 : 1 );
	}
	*most = cells[0] > cells[1] ? cells[0] : cells[1];
	*most = cells[2] > *most ? cells[2] : *most;
	CoverByCells( &shape, cells[0], cells[1], cells[2], 0.6f );
	for ( int i = 0; i < shape.count; ++i )
	{
		shape.masses[i] = (float)( 1000.0 * spacing * spacing * spacing );
	}
	snprintf( text, capacity, "%d x %d x %d points, %d x %d x %d cells", n[0], n[1], n[2], cells[0], cells[1], cells[2] );
	return shape;
}

// The largest distance between two points.
static double SpanOf( int count, const pnVec3* x )
{
	double most = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		for ( int k = i + 1; k < count; ++k )
		{
			most = fmax( most, DistanceOf( x[i], x[k] ) );
		}
	}
	return most;
}

// How much the clusters are stretched or squeezed, at most.
static double StrainOf( const Stage* stage )
{
	pnClusterState clusters[256];
	int count = pnBody_WriteClusters( stage->world, stage->body, clusters, 256 );
	double worst = 0.0;
	for ( int i = 0; i < count && i < 256; ++i )
	{
		worst = fmax( worst, fabs( clusters[i].stretch - 1.0 ) );
	}
	return worst;
}

typedef struct Pull
{
	Shape shape;
	Stage stage;
	pnMaterial material;
	char name[96];
	double span;
	int cells, subSteps, handCount; // cells: most along an axis
	pnGrabId hands[mostHands];
	float radii[mostHands];
} Pull;

static Pull MakePull( pnRandom* random, const char* preset )
{
	Pull pull = { 0 };
	pull.shape = DrawShape( random, pull.name, sizeof pull.name, &pull.cells );
	ENSURE( pnFindMaterial( preset, &pull.material ) == pn_success );
	pull.stage = MakeStage( &pull.shape, &pull.material, s_zero );
	pull.span = SpanOf( pull.shape.count, pull.shape.rest );
	pull.subSteps = 1 + pnRandomInt( random, 8 );
	pull.handCount = 1 + pnRandomInt( random, mostHands );
	for ( int i = 0; i < pull.handCount; ++i )
	{
		pnGrabDef def = pnDefaultGrabDef();
		def.body = pull.stage.body;
		def.place = pull.shape.rest[pnRandomInt( random, pull.shape.count )];
		int kind = pnRandomInt( random, 3 );
		def.radius = kind == 0 ? 0.0f : kind == 1 ? -1.0f : (float)( pull.span * pnRandomIn( random, 0.1, 0.7 ) );
		def.hertz = pnRandomInt( random, 2 ) == 0 ? 5.0f : (float)pow( 10.0, pnRandomIn( random, 0.0, 2.0 ) );
		pull.radii[i] = def.radius;
		ENSURE( pnCreateGrab( pull.stage.world, &def, pull.hands + i ) == pn_success );
	}
	return pull;
}

// What its turn draws it out by, at most: a body of stiffness ( 1 - stretch ) w^2 that turns with omega, which is at least spin over inertia.
static double SpinStrainOf( const Pull* pull )
{
	Motion motion = MeasureMotion( pull->shape.count, pull->shape.masses, pull->stage.x, pull->stage.v );
	double w = 2.0 * TEST_PI * pull->material.hertz, inertia = motion.mass * motion.size * motion.size, omega = 0.0;
	for ( int i = 0; i < pull->shape.count; ++i ) // about its own axis: long bodies turn about their middle
	{
		double u[3] = { pull->stage.v[i].x - motion.velocity[0], pull->stage.v[i].y - motion.velocity[1], pull->stage.v[i].z - motion.velocity[2] };
		omega += pull->shape.masses[i] * ( u[0] * u[0] + u[1] * u[1] + u[2] * u[2] );
	}
	return 2.0 * omega / inertia / ( w * w * ( 1.0 - pull->material.stretch ) );
}

static void FreePull( Pull* pull )
{
	FreeStage( &pull->stage );
	FreeShape( &pull->shape );
}

// Returns the largest span in this time, in parts of that at rest.
static double Watch( Pull* pull, double seconds )
{
	double most = 0.0;
	for ( int frame = 0; frame < (int)( 60.0 * seconds ); ++frame )
	{
		ENSURE( pnWorld_Step( pull->stage.world, 1.0f / 60.0f, pull->subSteps ) == pn_success );
		ReadStage( &pull->stage );
		most = fmax( most, SpanOf( pull->stage.count, pull->stage.x ) / pull->span );
	}
	return most;
}

// Targets that jump by 10 m or a kilometre, all to one side or each to its own: the body is dragged along, never beyond three times its size, and
// two seconds after all have let go it is as it was.
static void JumpingTargetsDragAlong( void )
{
	double longest = 0.0, worst = 0.0, slowest = 1e9;
	pnRandom random = SeedOf( 4100 );
	int cases = getenv( "PLIANT_LONG" ) != NULL ? 40 : 8;
	for ( int n = 0; n < cases * presetCount; ++n )
	{
		const char* preset = s_presets[n % presetCount];
		Pull pull = MakePull( &random, preset );
		double way = pnRandomInt( &random, 2 ) == 0 ? 10.0 : 1000.0;
		bool together = pnRandomInt( &random, 2 ) == 0, locked = pnRandomInt( &random, 2 ) == 0;
		pnVec3 side = RandomVec3( &random, 1.0 ), target = s_zero;
		for ( int i = 0; i < pull.handCount; ++i )
		{
			pnVec3 to = together ? side : RandomVec3( &random, 1.0 );
			to = pnScale( (float)( way / ( 1e-3 + LengthOf( to ) ) ), to );
			target = to;
			ENSURE( pnGrab_MoveTo( pull.stage.world, pull.hands[i], to ) == pn_success );
			ENSURE( pnGrab_Lock( pull.stage.world, pull.hands[i], locked ) == pn_success );
		}
		pnTestContext( "case %d: %s, %s, span %g, %d substeps, %d hands %s, the first radius %g, %g m", n, preset, pull.name, pull.span, pull.subSteps, pull.handCount, together ? "together" : "apart", pull.radii[0], way );
		double drawn = Watch( &pull, 3.0 );
		ENSURE_MOST( drawn, 3.0 );
		longest = fmax( longest, drawn );
		pnBodyState state;
		ENSURE( pnBody_GetState( pull.stage.world, pull.stage.body, &state ) == pn_success );
		if ( together )
		{
			double gone = way - DistanceOf( state.center, target );
			ENSURE( gone > 0.25 );
			slowest = fmin( slowest, gone );
		}
		for ( int i = 0; i < pull.handCount; ++i )
		{
			ENSURE( pnDestroyGrab( pull.stage.world, pull.hands[i] ) == pn_success );
		}
		ENSURE_MOST( Watch( &pull, 2.0 ), 3.0 );
		if ( pull.material.yield == 0.0f && pull.cells <= 2 ) // what flows keeps some of it, and a rope of many cells swings on for longer
		{
			double strain = StrainOf( &pull.stage ) - SpinStrainOf( &pull );
			double w = 2.0 * TEST_PI * pull.material.hertz, left = 2.0 * exp( -2.0 * pull.material.dampingRatio * w * sqrt( 1.0 - pull.material.stretch ) );
			ENSURE_MOST( strain, 0.05 + left ); // what its own damping leaves of twofold stretch
			worst = fmax( worst, strain );
		}
		FreePull( &pull );
	}
	pnTestNote( "drawn to %.2f sizes, %.1f %% from rest 2 s after, at least %.1f m on the way", longest, 100.0 * worst, slowest );
}

static const pnTest s_tests[] = {
	RUN( JumpingTargetsDragAlong ),
};

SUITE( pull, s_tests );
