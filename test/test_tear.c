// test_tear.c - bodies that are pulled apart: one crack where they are thinnest, few pieces, and energy that only falls. Knows scenes' shapes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "help.h"

#include "shape.h"

static const pnVec3 s_zero = { 0.0f, 0.0f, 0.0f };
static const char* const s_presets[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood", "steel", "rigid" };
enum { presetCount = 8 };

// A bone along x: as long as 1 m, thinnest in the middle.
static pnSolid* MakeBone( float size, int cells, float waist )
{
	pnSolid* solid = NULL;
	pnBlockDef def = {
		.size = { 2.2f * size, 0.55f * size, 0.3f * size },
		.points = { 34, 7, 5 },
		.cells = { cells, 1, 1 },
		.overlap = 0.4f,
		.omit = -1,
		.faced = true,
		.waist = waist,
		.radius = 0.06f * size,
		.flatSteps = { 60, 12, 6 },
		.cornerSteps = 3,
		.density = 1000.0f,
	};
	ENSURE( pnCreateBlock( &def, &solid ) == pn_success );
	return solid;
}

static double EnergyOf( const pnWorld* world )
{
	pnBodyId bodies[512];
	int count = pnWorld_GetBodies( world, bodies, 512 );
	double sum = 0.0;
	for ( int i = 0; i < count && i < 512; ++i )
	{
		pnBodyState state;
		ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		sum += state.kinetic + state.elastic;
	}
	return sum;
}

typedef struct Pulled { int counts[5]; double highest, waist; } Pulled; // bodies after each second; energy after letting go, in parts of that then

static Pulled PullBone( const char* preset, double speed, float size, int cells, float tear, bool contact )
{
	Pulled pulled = { 0 };
	pnWorld* world = MakeWorld( s_zero );
	pnSolid* solid = MakeBone( size, cells, 0.55f );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	ENSURE( pnFindMaterial( preset, &def.material ) == pn_success );
	def.material.tear = tear;
	def.filter.mask = contact ? def.filter.mask : 0;
	pnBodyId body;
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	pnDestroySolid( solid );
	pnGrabId hands[2];
	for ( int i = 0; i < 2; ++i )
	{
		pnGrabDef grab = pnDefaultGrabDef();
		grab.body = body;
		grab.place = pnMakeVec3( ( i == 0 ? -0.85f : 0.85f ) * size, 0.0f, 0.0f );
		grab.radius = 0.5f * size;
		grab.hertz = 20.0f;
		ENSURE( pnCreateGrab( world, &grab, hands + i ) == pn_success );
	}
	double start = 0.0;
	for ( int frame = 1; frame <= 300; ++frame )
	{
		float way = (float)( 0.85 * size + fmin( 0.5 * speed * frame / 60.0, 1.5 * size ) );
		for ( int i = 0; i < 2 && frame <= 120; ++i )
		{
			if ( pnGrab_IsValid( world, hands[i] ) )
			{
				pnGrab_MoveTo( world, hands[i], pnMakeVec3( i == 0 ? -way : way, 0.0f, 0.0f ) );
			}
		}
		for ( int i = 0; i < 2 && frame == 120; ++i )
		{
			pnDestroyGrab( world, hands[i] );
		}
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 4 ) == pn_success );
		double energy = EnergyOf( world );
		start = frame <= 121 ? energy : start;
		pulled.highest = frame > 121 ? fmax( pulled.highest, energy / ( start + 1e-9 ) ) : 0.0;
		if ( frame % 60 == 0 )
		{
			pulled.counts[frame / 60 - 1] = pnWorld_GetBodies( world, NULL, 0 );
		}
	}
	pnDestroyWorld( world );
	return pulled;
}

static void BonesPartInTheWaist( void )
{
	for ( int n = 0; n < 4 * presetCount; ++n )
	{
		double speed = n / presetCount == 0 ? 2.0 : n / presetCount == 1 ? 5.0 : n / presetCount == 2 ? 10.0 : 20.0;
		Pulled p = PullBone( s_presets[n % presetCount], speed, 1.0f, 12, 1.6f, getenv( "CONTACT" ) != NULL );
		printf( "%s %g m/s: %d %d %d %d %d, energy %.3f\n", s_presets[n % presetCount], speed, p.counts[0], p.counts[1], p.counts[2], p.counts[3], p.counts[4], p.highest );
		fflush( stdout );
	}
}

static const pnTest s_tests[] = {
	RUN( BonesPartInTheWaist ),
};

SUITE( tear, s_tests );
