// test_indenter.c - rigid shapes that are pressed into a solid: distances by closed forms, hulls, and what is refused.
// Knows the inside of room kelvin.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "test.h"

#include "base/core.h"
#include "kelvin/indenter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char s_said[512];

static void Hear( const char* message )
{
	snprintf( s_said, sizeof( s_said ), "%s", message );
}

static pnVec3d RandomPlace( pnRandom* random, double size )
{
	return pnMakeD( pnRandomIn( random, -size, size ), pnRandomIn( random, -size, size ), pnRandomIn( random, -size, size ) );
}

static pnIndenter MakeIndenter( pnIndenterKind kind )
{
	return (pnIndenter){ .kind = kind, .center = { 1.0, -2.0, 0.5 }, .radius = 0.3, .direction = { 0.0, 0.0, -2.0 } };
}

static void DistancesFromBallsAndPlates( void )
{
	pnRandom random = pnSeed( 11 );
	for ( int turn = 0; turn < 200; ++turn )
	{
		pnIndenter indenter = MakeIndenter( turn % 2 == 0 ? pn_ballIndenter : pn_plateIndenter );
		indenter.direction = RandomPlace( &random, 3.0 );
		indenter.center = RandomPlace( &random, 1.0 );
		pnTool tool;
		REQUIRE( pnMakeTool( &indenter, 0, &tool ) == pn_success );
		double depth = pnRandomIn( &random, -0.5, 0.5 );
		pnVec3d p = RandomPlace( &random, 1.0 ), away, d = pnUnitD( indenter.direction ), c = pnMulAddD( indenter.center, depth, d );
		double distance = pnGetToolDistance( &tool, depth, p, &away );
		if ( turn % 2 == 0 )
		{
			ENSURE_NEAR( distance, pnLengthD( pnSubD( p, c ) ) - 0.3, 1e-12 );
			ENSURE_MOST( pnLengthD( pnSubD( pnMulAddD( c, distance + 0.3, away ), p ) ), 1e-12 );
		}
		else
		{
			// what is before the face is outside: pressed further, the plate reaches it
			ENSURE_NEAR( distance, pnDotD( pnSubD( p, c ), d ), 1e-12 );
			ENSURE_MOST( pnLengthD( pnSubD( away, d ) ), 1e-12 );
		}
		pnVec3d same;
		ENSURE_NEAR( pnGetToolDistance( &tool, depth + 0.25, pnMulAddD( p, 0.25, d ), &same ), distance, 1e-12 ); // moved along with it
		pnDestroyTool( &tool );
	}
	pnIndenter ball = MakeIndenter( pn_ballIndenter );
	pnTool tool;
	pnVec3d away;
	REQUIRE( pnMakeTool( &ball, 0, &tool ) == pn_success );
	ENSURE_NEAR( pnGetToolDistance( &tool, 0.0, ball.center, &away ), -0.3, 0.0 );
	ENSURE_NEAR( pnLengthD( away ), 1.0, 1e-15 );
	pnDestroyTool( &tool );
	ENSURE( pnGetByteCount() == 0 );
}

static void ABoxHasSixPlanes( void )
{
	pnRandom random = pnSeed( 12 );
	pnVec3d points[64];
	int count = 0;
	for ( int i = 0; i < 64; ++i ) // corners, edges, faces and the inside of a box, far from the origin
	{
		points[count++] = pnMakeD( 100.0 + ( i & 3 ) / 3.0, -50.0 + 2.0 * ( i >> 2 & 3 ) / 3.0, 7.0 + 3.0 * ( i >> 4 ) / 3.0 );
	}
	pnIndenter indenter = MakeIndenter( pn_convexIndenter );
	indenter.points = points, indenter.pointCount = count;
	pnTool tool;
	REQUIRE( pnMakeTool( &indenter, 0, &tool ) == pn_success );
	ENSURE( tool.planeCount == 6 );
	for ( int i = 0; i < 500; ++i )
	{
		pnVec3d p = pnAddD( pnMakeD( 100.5, -49.0, 8.5 ), RandomPlace( &random, 3.0 ) ), away;
		double depth = pnRandomIn( &random, -0.5, 0.5 ), distance = pnGetToolDistance( &tool, depth, p, &away );
		double x = fabs( p.x - 100.5 ) - 0.5, y = fabs( p.y + 49.0 ) - 1.0, z = fabs( p.z + depth - 8.5 ) - 1.5; // it moves down
		double most = fmax( x, fmax( y, z ) ), bottom = 7.0 - depth - p.z;
		// From inside the way out is onwards: through the bottom, however near a side is.
		ENSURE_NEAR( distance, most > 0.0 ? most : bottom, 1e-10 );
		ENSURE( most > 0.0 || away.z == -1.0 );
		ENSURE_NEAR( pnLengthD( away ), 1.0, 1e-12 );
		ENSURE_NEAR( pnGetToolDistance( &tool, depth, pnMulAddD( p, 0.1, away ), &away ), distance + 0.1, 1e-10 );
	}
	pnDestroyTool( &tool );
	ENSURE( pnGetByteCount() == 0 );
}

// All points are in the hull, each plane holds three of them; Euler: a hull with triangles only has 2 n - 4 faces.
static void HullsOfRandomPoints( void )
{
	pnRandom random = pnSeed( 13 );
	static const int counts[] = { 4, 5, 8, 20, 50, 128 };
	for ( int turn = 0; turn < 60; ++turn )
	{
		pnVec3d points[128];
		int count = counts[turn % PN_COUNT( counts )];
		bool round = turn % 2 == 0; // on a ball: all are corners
		double size = turn % 3 == 0 ? 1e-3 : turn % 3 == 1 ? 1.0 : 1e4;
		for ( int i = 0; i < count; ++i )
		{
			pnVec3d p = RandomPlace( &random, 1.0 );
			points[i] = pnScaleD( size, round ? pnUnitD( p ) : p );
		}
		pnIndenter indenter = MakeIndenter( pn_convexIndenter );
		indenter.points = points, indenter.pointCount = count;
		pnTool tool;
		pnTestContext( "%d points, turn %d", count, turn );
		REQUIRE( pnMakeTool( &indenter, 0, &tool ) == pn_success );
		ENSURE( round ? tool.planeCount == 2 * count - 4 : tool.planeCount <= 2 * count - 4 );
		pnVec3d away;
		for ( int i = 0; i < count; ++i )
		{
			ENSURE_MOST( pnGetToolDistance( &tool, 0.0, points[i], &away ) / size, 1e-8 );
			double most = -1e300;
			for ( int k = 0; k < tool.planeCount; ++k )
			{
				most = fmax( most, pnDotD( pnSubD( points[i], tool.center ), tool.planes[k].normal ) - tool.planes[k].offset );
			}
			ENSURE_MOST( most / size, 1e-8 );
			ENSURE( !round || most / size > -1e-8 );
		}
		for ( int i = 0; i < tool.planeCount; ++i )
		{
			int on = 0;
			for ( int k = 0; k < count; ++k )
			{
				double height = pnDotD( pnSubD( points[k], tool.center ), tool.planes[i].normal ) - tool.planes[i].offset;
				on += fabs( height ) < 1e-8 * size;
			}
			ENSURE( on >= 3 );
		}
		ENSURE( pnGetToolDistance( &tool, 0.0, tool.center, &away ) < 0.0 );
		pnDestroyTool( &tool );
	}
	pnTestContext( "%s", "" );
	ENSURE( pnGetByteCount() == 0 );
}

static void BadIndentersAreRefusedInWords( void )
{
	static const struct { const char* what; const char* said; } cases[] = {
		{ "no radius", "radius is 0 m" },
		{ "negative radius", "radius is -1 m" },
		{ "radius not a number", "must be positive" },
		{ "no direction", "direction is zero" },
		{ "direction not a number", "direction is zero or not finite" },
		{ "depth not a number", "depth" },
		{ "negative force", "force is negative" },
		{ "infinite force", "not finite" },
		{ "infinite center", "center is not finite" },
		{ "unknown kind", "77 is no kind of indenter" },
		{ "no points", "4 to 128 points, not 0" },
		{ "three points", "4 to 128 points, not 3" },
		{ "too many points", "4 to 128 points, not 129" },
		{ "a point not a number", "point 2 is not finite" },
		{ "points in a plane", "is flat" },
		{ "points in a row", "is flat" },
		{ "points in one place", "is flat" },
	};
	pnSetLogFcn( Hear );
	for ( int i = 0; i < PN_COUNT( cases ); ++i )
	{
		pnVec3d points[129];
		for ( int k = 0; k < 129; ++k )
		{
			double t = k / 128.0;
			points[k] = pnMakeD( t, t * t, i == 14 ? 3.0 * t + t * t : t * t * t );
			points[k] = i == 15 ? pnMakeD( t, 2.0 * t, -t ) : i == 16 ? pnMakeD( 1.0, 2.0, 3.0 ) : points[k];
		}
		pnIndenter indenter = MakeIndenter( i < 10 ? pn_ballIndenter : pn_convexIndenter );
		indenter.points = points, indenter.pointCount = 20;
		indenter.radius = i == 0 ? 0.0 : i == 1 ? -1.0 : i == 2 ? (double)NAN : 1.0;
		indenter.direction = i == 3 ? pnMakeD( 0.0, 0.0, 0.0 ) : i == 4 ? pnMakeD( 0.0, (double)NAN, 1.0 ) : indenter.direction;
		indenter.depth = i == 5 ? (double)NAN : 0.1;
		indenter.force = i == 6 ? -1.0 : i == 7 ? (double)INFINITY : 0.0;
		indenter.center.y = i == 8 ? (double)INFINITY : 0.0;
		indenter.kind = i == 9 ? (pnIndenterKind)77 : indenter.kind;
		indenter.points = i == 10 ? NULL : points;
		indenter.pointCount = i == 11 ? 3 : i == 12 ? 129 : 20;
		points[2].z = i == 13 ? (double)NAN : points[2].z;
		pnTool tool;
		s_said[0] = 0;
		ENSURE( pnMakeTool( &indenter, 0, &tool ) == pn_invalidInput );
		pnTestContext( "%s: %s", cases[i].what, s_said );
		ENSURE( strstr( s_said, cases[i].said ) != NULL );
		ENSURE( tool.planes == NULL && tool.planeCount == 0 );
		ENSURE( pnGetByteCount() == 0 );
	}
	pnTestContext( "%s", "" );
	pnSetLogFcn( NULL );
}

static void* NoMemory( size_t size, size_t alignment )
{
	PN_UNUSED( size );
	PN_UNUSED( alignment );
	return NULL;
}

static void NothingToFree( void* memory, size_t size )
{
	PN_UNUSED( size );
	ENSURE( memory == NULL );
}

static void HullsNeedMemory( void )
{
	pnVec3d points[4] = { { 0.0, 0.0, 0.0 }, { 1.0, 0.0, 0.0 }, { 0.0, 1.0, 0.0 }, { 0.0, 0.0, 1.0 } };
	pnIndenter indenter = MakeIndenter( pn_convexIndenter );
	indenter.points = points, indenter.pointCount = 4;
	pnTool tool;
	ENSURE( pnGetByteCount() == 0 );
	pnSetAllocator( NoMemory, NothingToFree );
	ENSURE( pnMakeTool( &indenter, 0, &tool ) == pn_outOfMemory );
	pnSetAllocator( NULL, NULL );
	ENSURE( tool.planes == NULL && pnGetByteCount() == 0 );
}

static const pnTest s_tests[] = {
	RUN( DistancesFromBallsAndPlates ),
	RUN( ABoxHasSixPlanes ),
	RUN( HullsOfRandomPoints ),
	RUN( BadIndentersAreRefusedInWords ),
	RUN( HullsNeedMemory ),
};
SUITE( indenter, s_tests );
