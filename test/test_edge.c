// test_edge.c - edges that cross edges where no point is near: cubes edge on edge, plates, combs; they hold, and keep their momenta. Knows the public header; who is inside
// whom is told by winding numbers, for places along all edges.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "test.h"

#include "contact_help.h"
#include "scenes.h"

static const char* const s_presets[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood", "steel", "rigid" };

enum { firstStiff = 5 }; // wood, and what comes after it

static pnMaterial Preset( int i )
{
	pnMaterial material = pnDefaultMaterial();
	ENSURE( pnFindMaterial( s_presets[i % COUNT( s_presets )], &material ) == pn_success );
	return material;
}

static pnQuat TurnAbout( pnVec3 axis, double angle )
{
	double s = sin( 0.5 * angle ) / LengthOf( axis );
	return ( pnQuat ){ (float)( s * axis.x ), (float)( s * axis.y ), (float)( s * axis.z ), (float)cos( 0.5 * angle ) };
}

// An edge that was along x is up (and another one down), turned by `yaw` about y.
static pnQuat EdgeUp( double yaw )
{
	return pnMulQuat( TurnAbout( pnMakeVec3( 0.0f, 1.0f, 0.0f ), yaw ), TurnAbout( pnMakeVec3( 1.0f, 0.0f, 0.0f ), 0.25 * TEST_PI ) );
}

// thickness: metres, negative: as it is by default.
static pnSolid* BoxSolid( pnVec3 size, int nx, int ny, int nz, float thickness )
{
	return SolidOf( MakeBoxRest( size, nx, ny, nz ), 1000.0f * size.x * size.y * size.z, thickness, 0.0f );
}

// Every second one keeps only a tenth of the default free around it: what is not seen in time goes in.
static float RandomThickness( pnRandom* random, double size ) { return pnRandomInt( random, 2 ) == 0 ? -1.0f : (float)( 0.001 * size ); }

// A comb: a bar along x with teeth down to -y, as wide as the gaps between them; `teeth` of them, of so many cells in height. Every second column of cells below the bar is empty.
static Rest MakeCombRest( double size, double thick, int teeth, int height )
{
	int nx = 2 * teeth - 1, ny = height + 1, strides[3] = { 1, nx + 1, ( nx + 1 ) * ( ny + 1 ) }, total = 2 * ( nx + 1 ) * ( ny + 1 );
	Rest rest = { .points = calloc( total, sizeof( pnVec3 ) ), .triangles = calloc( (size_t)12 * nx * ny, 3 * sizeof( int32_t ) ) };
	int* names = calloc( total, sizeof( int ) ); // 1 + index of the grid's points that are used
	for ( int cell = 0; cell < nx * ny; ++cell )
	{
		int at[3] = { cell % nx, cell / nx, 0 };
		for ( int side = 0; side < 6 && ( at[1] == ny - 1 || at[0] % 2 == 0 ); ++side )
		{
			int axis = side / 2, u = ( axis + 1 ) % 3, w = ( axis + 2 ) % 3, up = side % 2, next[3] = { at[0], at[1], at[2] };
			next[axis] += up == 1 ? 1 : -1;
			bool outer = next[0] < 0 || next[0] >= nx || next[1] < 0 || next[1] >= ny || next[2] != 0 || ( next[1] < ny - 1 && next[0] % 2 != 0 );
			int corners[4], first = at[0] * strides[0] + at[1] * strides[1] + up * strides[axis];
			for ( int k = 0; k < 4 && outer; ++k )
			{
				int name = first + ( k == 1 || k == 2 ? strides[u] : 0 ) + ( k >= 2 ? strides[w] : 0 );
				if ( names[name] == 0 )
				{
					rest.points[rest.count] = pnMakeVec3( (float)( size * ( (double)( name % ( nx + 1 ) ) / nx - 0.5 ) ), (float)( size * ( (double)( name / ( nx + 1 ) % ( ny + 1 ) ) / ny - 0.5 ) ), (float)( size * thick * ( name / strides[2] - 0.5 ) ) );
					names[name] = ++rest.count;
				}
				corners[k] = names[name] - 1;
			}
			if ( outer )
			{
				AddTriangle( &rest, corners[0], corners[up == 1 ? 1 : 2], corners[up == 1 ? 2 : 1] );
				AddTriangle( &rest, corners[0], corners[up == 1 ? 2 : 3], corners[up == 1 ? 3 : 2] );
			}
		}
	}
	free( names );
	return rest;
}

// How deep places along the edges of each are in the other, metres, vertices among them. A winding number may err where a place is in line with a triangle: who is inside is so a hair beside, too.
static double DeepestEdge( const pnWorld* world, pnBodyId first, pnBodyId second )
{
	enum { along = 12 };
	Hull hulls[2] = { ReadHull( world, first ), ReadHull( world, second ) };
	double deepest = 0.0, hair = 1e-4 * LengthOf( pnSub( hulls[0].upper, hulls[0].lower ) );
	for ( int side = 0; side < 2; ++side )
	{
		const Hull *of = hulls + side, *in = hulls + 1 - side;
		for ( int e = 0; e < 3 * of->triangleCount; ++e )
		{
			pnVec3 a = of->x[of->triangles[e]], b = of->x[of->triangles[e % 3 == 2 ? e - 2 : e + 1]];
			for ( int k = 0; k <= along && of->triangles[e] < of->triangles[e % 3 == 2 ? e - 2 : e + 1]; ++k )
			{
				double s = (double)k / along, p[3] = { a.x + s * ( b.x - a.x ), a.y + s * ( b.y - a.y ), a.z + s * ( b.z - a.z ) }, depth = DepthIn( in, p );
				for ( int axis = 0; axis < 3 && depth > deepest; ++axis )
				{
					double beside[3] = { p[0] + hair * ( 1.0 + axis ), p[1] - hair * ( axis == 1 ), p[2] + hair * ( axis == 2 ? -0.7 : 0.4 ) };
					depth = fmin( depth, DepthIn( in, beside ) + 3.2 * hair );
				}
				deepest = fmax( deepest, depth );
			}
		}
	}
	free( hulls[0].x );
	free( hulls[1].x );
	return deepest;
}

// ---- in free space ----

typedef struct Hits { double depth, linear, angular; } Hits;

// Two cubes fly at each other, edge on edge.
static void MeetEdgeOnEdge( pnRandom* random, int preset, Hits* worst )
{
	int cells = 1 + pnRandomInt( random, 4 ), subSteps = 1 << pnRandomInt( random, 4 ), other = pnRandomInt( random, 2 ) == 0 ? preset : pnRandomInt( random, COUNT( s_presets ) );
	double size = pnRandomIn( random, 0.3, 1.0 ), yaw = TEST_PI * pnRandomIn( random, 0.1, 0.9 ), first = TEST_PI * pnRandomIn( random, 0.0, 2.0 ), speed = pnRandomIn( random, 0.2, 3.0 );
	float thickness = RandomThickness( random, size );
	pnBodyId bodies[2];
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	for ( int i = 0; i < 2; ++i )
	{
		pnMaterial material = Preset( i == 0 ? preset : other );
		pnSolid* solid = BoxSolid( pnMakeVec3( (float)size, (float)size, (float)size ), cells, cells, cells, thickness );
		double off = 0.3 * size;
		pnBodyDef def = DefBody( solid, material, pnMakeVec3( (float)( i * pnRandomIn( random, -off, off ) ), (float)( i * 1.6 * size ), (float)( i * pnRandomIn( random, -off, off ) ) ) );
		def.transform.q = EdgeUp( first + i * yaw );
		def.velocity = pnMakeVec3( 0.0f, (float)( ( i == 0 ? 0.5 : -0.5 ) * speed ), 0.0f );
		bodies[i] = AddBody( world, &def );
		pnDestroySolid( solid );
	}
	pnTestContext( "%s and %s, %d cells, %.2f m, at %.0f degrees, %.1f m/s, %d substeps%s", s_presets[preset], s_presets[other], cells, size, yaw * 180.0 / TEST_PI, speed, subSteps, thickness < 0.0f ? "" : ", thin" );
	Motion before = MeasureWorld( world );
	double depth = 0.0, linear = 0.0;
	int touched = 0, frames = (int)( 60.0 * ( 0.3 * size / speed + 0.5 ) );
	for ( int frame = 0; frame < frames; ++frame )
	{
		StepWorld( world, 1, subSteps );
		touched += pnWorld_GetContactEvents( world ).contactCount;
		depth = fmax( depth, DeepestEdge( world, bodies[0], bodies[1] ) / size );
		linear = fmax( linear, Distance3( MeasureWorld( world ).momentum, before.momentum ) / before.momentumScale );
	}
	Motion after = MeasureWorld( world );
	double angular = Distance3( after.angularMomentum, before.angularMomentum ) / before.angularScale;
	ENSURE( touched > 0 );
	ENSURE_MOST( depth, 0.01 );
	ENSURE_MOST( linear, 1e-5 );
	ENSURE_MOST( angular, 1e-4 );
	worst->depth = fmax( worst->depth, depth ), worst->linear = fmax( worst->linear, linear ), worst->angular = fmax( worst->angular, angular );
	pnDestroyWorld( world );
}

static void CubesMeetEdgeOnEdge( void )
{
	const char* seed = getenv( "PLIANT_SEED" );
	pnRandom random = pnSeed( seed != NULL ? strtoull( seed, NULL, 10 ) : 1 );
	Hits worst = { 0 };
	int count = getenv( "PLIANT_LONG" ) != NULL ? 400 : 48;
	for ( int i = 0; i < count; ++i )
	{
		MeetEdgeOnEdge( &random, i % COUNT( s_presets ), &worst );
	}
	pnTestNote( "depth %.2f %% of the size, linear %.1e, angular %.1e", 100.0 * worst.depth, worst.linear, worst.angular );
}

// ---- held and pressed ----

// Pins the points of a body whose y is beyond a level, side +1 above, -1 below; returns them and where they are.
static int PinBeyond( pnWorld* world, pnBodyId body, double level, double side, int32_t* points, pnVec3* places )
{
	int total = pnBody_WritePoints( world, body, NULL, NULL, 0 ), count = 0;
	pnVec3* all = calloc( total, sizeof( pnVec3 ) );
	pnBody_WritePoints( world, body, all, NULL, total );
	for ( int i = 0; i < total; ++i )
	{
		if ( side * ( all[i].y - level ) > 0.0 )
		{
			points[count] = i;
			places[count++] = all[i];
		}
	}
	free( all );
	ENSURE( count > 0 && pnBody_Pin( world, body, points, NULL, count ) == pn_success );
	return count;
}

enum { pressedCubes, pressedPlates, pressedCombs };
static const char* const s_pressed[] = { "cubes", "plates", "combs" };

// One is held from below, the other from above and led down on it, until they are pressed by `press` of their size.
static double PressEdges( int kind, pnRandom* random, int preset )
{
	enum { mostPins = 1000 };
	int subSteps = 1 << pnRandomInt( random, 4 ), cells = 2 + pnRandomInt( random, 3 );
	double size = pnRandomIn( random, 0.3, 1.0 ), yaw = TEST_PI * pnRandomIn( random, 0.15, 0.85 ), thick = kind != pressedCubes ? pnRandomIn( random, 0.03, 0.1 ) : 1.0, press = preset < firstStiff ? 0.03 : 0.003; // what is stiff cannot give way by more between pins
	double half = kind == pressedCubes ? sqrt( 0.5 ) * size : 0.5 * size, off = 0.25 * size;
	float thickness = RandomThickness( random, size );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnBodyId bodies[2];
	double start = 2.0 * half + 0.05 * size;
	for ( int i = 0; i < 2; ++i )
	{
		int across = kind == pressedPlates ? 1 : cells;
		pnSolid* solid = kind == pressedCombs ? SolidOf( MakeCombRest( size, thick, 3 + cells, cells ), (float)( 1000.0 * thick * size * size * size ), thickness, 0.0f ) : BoxSolid( pnMakeVec3( (float)size, (float)size, (float)( thick * size ) ), cells, cells, across, thickness );
		pnBodyDef def = DefBody( solid, Preset( preset ), pnMakeVec3( (float)( i * pnRandomIn( random, -off, off ) ), (float)( i * start ), (float)( i * pnRandomIn( random, -off, off ) ) ) );
		def.transform.q = kind == pressedCubes ? EdgeUp( i * yaw ) : TurnAbout( pnMakeVec3( 0.0f, 1.0f, 0.0f ), i * yaw );
		def.transform.q = kind == pressedCombs && i == 0 ? TurnAbout( pnMakeVec3( 1.0f, 0.0f, 0.0f ), TEST_PI ) : def.transform.q; // teeth up
		bodies[i] = AddBody( world, &def );
		pnDestroySolid( solid );
	}
	pnTestContext( "%s %s, %d cells, %.2f m, thick %.2f, at %.0f degrees, %d substeps%s", s_presets[preset], s_pressed[kind], cells, size, thick, yaw * 180.0 / TEST_PI, subSteps, thickness < 0.0f ? "" : ", thin" );
	int32_t points[2][mostPins];
	pnVec3 places[2][mostPins];
	int counts[2];
	for ( int i = 0; i < 2; ++i )
	{
		counts[i] = PinBeyond( world, bodies[i], i * start + ( i == 0 ? 0.1 : -0.1 ) * size, i == 0 ? -1.0 : 1.0, points[i], places[i] );
	}
	double depth = 0.0;
	for ( int frame = 0; frame < 90; ++frame )
	{
		double down = ( 0.05 + press ) * size * fmin( 1.0, frame / 60.0 );
		pnVec3 targets[mostPins];
		for ( int k = 0; k < counts[1]; ++k )
		{
			targets[k] = pnSub( places[1][k], pnMakeVec3( 0.0f, (float)down, 0.0f ) );
		}
		ENSURE( pnBody_Pin( world, bodies[1], points[1], targets, counts[1] ) == pn_success );
		StepWorld( world, 1, subSteps );
		depth = fmax( depth, DeepestEdge( world, bodies[0], bodies[1] ) / size );
	}
	ENSURE_MOST( depth, 0.01 );
	pnDestroyWorld( world );
	return depth;
}

static void PressAll( int kind )
{
	const char* seed = getenv( "PLIANT_SEED" );
	pnRandom random = pnSeed( seed != NULL ? strtoull( seed, NULL, 10 ) : 1 );
	double worst = 0.0;
	int count = getenv( "PLIANT_LONG" ) != NULL ? 160 : 24;
	for ( int i = 0; i < count; ++i )
	{
		worst = fmax( worst, PressEdges( kind, &random, i % COUNT( s_presets ) ) );
	}
	pnTestNote( "depth %.2f %% of the size", 100.0 * worst );
}

static void PressedEdgesHold( void ) { PressAll( pressedCubes ); }
static void CrossedPlatesHold( void ) { PressAll( pressedPlates ); }
static void CombsTipOnTipHold( void ) { PressAll( pressedCombs ); }

// ---- many ----

// Sticks that fall crosswise on each other: none goes through, none stays inside, and once they lie they gain nothing.
static void StrawsLieOnEachOther( void )
{
	const pnScene* scene = pnFindScene( "straws" );
	REQUIRE( scene != NULL );
	static const int subSteps[] = { 2, 4, 8 };
	double worst = 0.0, rise = 0.0;
	for ( int k = 0; k < COUNT( subSteps ); ++k )
	{
		pnTestContext( "%d substeps", subSteps[k] );
		pnWorld* world = MakeFallingWorld();
		ENSURE( scene->create( world ) == pn_success );
		double lay = 0.0;
		for ( int frame = 1; frame <= 240; ++frame )
		{
			StepWorld( world, 1, subSteps[k] );
			lay = frame == 120 ? MeasureEnergy( world ) : lay; // J, when the last one has come down
			if ( frame % 8 == 0 )
			{
				worst = fmax( worst, AskWorld( world, 12 ).depth / 1.6 );
			}
		}
		ENSURE_MOST( worst, 0.01 );
		rise = MeasureEnergy( world ) / lay - 1.0;
		ENSURE_MOST( rise, 0.01 );
		ENSURE_MOST( MaxSpeed( world ), 0.5 );
		pnDestroyWorld( world );
	}
	pnTestNote( "depth %.2f %% of the size, energy rises by %.1e of itself in two seconds", 100.0 * worst, rise );
}

static const pnTest s_tests[] = {
	RUN( CubesMeetEdgeOnEdge ),
	RUN( PressedEdgesHold ),
	RUN( CrossedPlatesHold ),
	RUN( CombsTipOnTipHold ),
	RUN( StrawsLieOnEachOther ),
};
SUITE( edge, s_tests );
