// test_near.c - nearest points, by cells, from place to place and as links, against looking at all of them. Knows src/base/cloud.h and src/cut/parts.h.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "../src/base/cloud.h"
#include "../src/cut/parts.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

enum { mostPoints = 400, kindCount = 6 };

// Clouds with what goes wrong: rows of equally far ones, lines, sheets, many in one place, far from the origin.
static int MakePoints( pnRandom* random, int kind, pnVec3* points )
{
	int count = 1 + pnRandomInt( random, mostPoints );
	for ( int i = 0; i < count; ++i )
	{
		float x = (float)pnRandomIn( random, -1.0, 1.0 ), y = (float)pnRandomIn( random, -1.0, 1.0 ), z = (float)pnRandomIn( random, -1.0, 1.0 );
		points[i] = kind == 0 ? pnMakeVec3( x, y, z )
			: kind == 1		  ? pnMakeVec3( 0.125f * (float)( i % 7 ), 0.125f * (float)( i / 7 % 7 ), 0.125f * (float)( i / 49 ) )
			: kind == 2		  ? pnMakeVec3( x, 0.0f, 0.0f )
			: kind == 3		  ? pnMakeVec3( 0.25f * (float)( i % 9 ), 0.25f * (float)( i / 9 ), 0.0f )
			: kind == 4		  ? pnMakeVec3( i % 3 == 0 ? x : 0.5f, i % 3 == 0 ? y : 0.5f, i % 3 == 0 ? z : 0.5f )
							  : pnMakeVec3( 1000.0f + x, y - 300.0f, z );
	}
	return count;
}

// From a point, beside one, or anywhere about.
static pnVec3 DrawPlace( pnRandom* random, const pnVec3* points, int count )
{
	pnVec3 place = points[pnRandomInt( random, count )];
	double beside = pnRandomInt( random, 3 ) == 0 ? 0.0 : pnRandomInt( random, 8 ) == 0 ? 5.0 : 0.2;
	place.x += (float)pnRandomIn( random, -beside, beside ), place.y += (float)pnRandomIn( random, -beside, beside ), place.z += (float)pnRandomIn( random, -beside, beside );
	return place;
}

static double DistanceTo( pnVec3 a, pnVec3 b )
{
	double x = (double)a.x - (double)b.x, y = (double)a.y - (double)b.y, z = (double)a.z - (double)b.z;
	return x * x + y * y + z * z;
}

// The first so many by distance, of equally far ones the lower: all are looked at.
static int LookAtAll( const pnVec3* points, int count, pnVec3 place, double limit2, int wanted, const int32_t* marks, int32_t mark, int32_t* found )
{
	int foundCount = 0;
	for ( ; foundCount < wanted; ++foundCount )
	{
		int best = -1;
		for ( int i = 0; i < count; ++i )
		{
			bool taken = DistanceTo( points[i], place ) > limit2 || ( marks != NULL && marks[i] == mark );
			for ( int k = 0; k < foundCount; ++k )
			{
				taken = taken || found[k] == i;
			}
			best = !taken && ( best < 0 || DistanceTo( points[i], place ) < DistanceTo( points[best], place ) ) ? i : best;
		}
		if ( best < 0 )
		{
			break;
		}
		found[foundCount] = best;
	}
	return foundCount;
}

static void CellsFindTheNearest( void )
{
	pnRandom random = pnSeed( 1401 );
	static pnVec3 points[mostPoints];
	static int32_t marks[mostPoints];
	for ( int run = 0; run < 120; ++run )
	{
		pnTestContext( "run %d", run );
		pnScratch scratch = { 0 };
		pnPointCells cells;
		int count = MakePoints( &random, run % kindCount, points );
		REQUIRE( pnFillPointCells( &cells, points, count, pnRandomIn( &random, 0.0, 0.6 ), &scratch ) );
		for ( int i = 0; i < count; ++i )
		{
			marks[i] = pnRandomInt( &random, 3 );
		}
		for ( int i = 0; i < 12; ++i )
		{
			int32_t expected[16], found[16];
			double distances2[16], distance2, farthest = pnRandomInt( &random, 4 ) == 0 ? 0.25 : pnRandomIn( &random, 0.0, 1.5 );
			int wanted = 1 + pnRandomInt( &random, 16 );
			pnVec3 place = DrawPlace( &random, points, count );
			int expectedCount = LookAtAll( points, count, place, farthest * farthest, wanted, NULL, 0, expected );
			int foundCount = pnFindNearestInCells( &cells, place, farthest, wanted, found, distances2 );
			ENSURE( foundCount == expectedCount );
			for ( int k = 0; k < foundCount && k < expectedCount; ++k )
			{
				ENSURE( found[k] == expected[k] && distances2[k] == DistanceTo( points[found[k]], place ) );
			}
			expectedCount = LookAtAll( points, count, place, farthest * farthest, 1, marks, 1, expected );
			int32_t nearest = pnFindNearestUnmarked( &cells, place, farthest, marks, 1, &distance2 );
			ENSURE( nearest == ( expectedCount > 0 ? expected[0] : -1 ) );
			ENSURE( nearest < 0 || distance2 == DistanceTo( points[nearest], place ) );
		}
		pnGiveBack( &scratch );
	}
}

// As the tree finds them, and no point left out is nearer.
static void SearchFindsWhatTheTreeFinds( void )
{
	pnRandom random = pnSeed( 1402 );
	static pnVec3 points[mostPoints];
	for ( int run = 0; run < 120; ++run )
	{
		pnTestContext( "run %d", run );
		pnScratch scratch = { 0 };
		pnPointTree tree;
		pnNearSearch search;
		int count = MakePoints( &random, run % kindCount, points );
		REQUIRE( pnBuildPointTree( &tree, points, NULL, count, &scratch ) && pnStartNearSearch( &search, points, count, &scratch ) );
		for ( int i = 0; i < 24; ++i )
		{
			int32_t expected[PN_NEAR_LIMIT], nearest[PN_NEAR_LIMIT];
			double distances2[PN_NEAR_LIMIT];
			int wanted = i % 3 == 0 ? 1 : 1 + pnRandomInt( &random, PN_NEAR_LIMIT );
			pnVec3 place = DrawPlace( &random, points, count );
			int expectedCount = pnFindNearest( &tree, place, wanted, expected, distances2 ), foundCount = pnFindNear( &search, place, wanted );
			ENSURE( foundCount == expectedCount && foundCount == LookAtAll( points, count, place, 1e300, wanted, NULL, 0, nearest ) );
			for ( int k = 0; k < foundCount && k < expectedCount; ++k )
			{
				ENSURE( search.found[k] == expected[k] && DistanceTo( points[search.found[k]], place ) == DistanceTo( points[nearest[k]], place ) );
			}
		}
		pnGiveBack( &scratch );
	}
}

// A plane through the cloud, which ends in its middle: it parts those on both sides of its half.
static bool IsParted( const void* context, int32_t a, int32_t b )
{
	const pnVec3* points = context;
	return points[a].x > 0.0f && points[b].x > 0.0f && ( points[a].y > 0.0f ) != ( points[b].y > 0.0f );
}

static bool AreLinked( const int32_t* pairs, int pairCount, int32_t a, int32_t b )
{
	bool linked = false;
	for ( int i = 0; i < pairCount && !linked; ++i )
	{
		linked = ( pairs[2 * i] == a && pairs[2 * i + 1] == b ) || ( pairs[2 * i] == b && pairs[2 * i + 1] == a );
	}
	return linked;
}

// Whoever is next in an octant is linked, if it is not parted and so near that no cells can hide it: sixteen for each point is the most there are. What is parted never is.
static void NextInEachOctantIsLinked( void )
{
	pnRandom random = pnSeed( 1403 );
	static pnVec3 points[mostPoints];
	static int32_t sets[mostPoints];
	int met = 0;
	for ( int run = 0; run < 40; ++run )
	{
		pnTestContext( "run %d", run );
		pnScratch scratch = { 0 };
		int count = mostPoints / 2 + pnRandomInt( &random, mostPoints / 2 ), pairCount = 0;
		int32_t* pairs = NULL;
		pnVec3 low = { 1e9f, 1e9f, 1e9f }, high = { -1e9f, -1e9f, -1e9f };
		for ( int i = 0; i < count; ++i )
		{
			points[i] = pnMakeVec3( (float)pnRandomIn( &random, -1.0, 1.0 ), (float)pnRandomIn( &random, -1.0, 1.0 ), (float)pnRandomIn( &random, -1.0, 1.0 ) );
			points[i] = run % 2 == 0 || i == 0 || pnRandomInt( &random, 4 ) > 0 ? points[i] : points[i - 1]; // some in one place
			low = pnMin3( low, points[i] ), high = pnMax3( high, points[i] );
			sets[i] = i;
		}
		pnVec3 wide = pnSub( high, low );
		double cell = 0.999 * cbrt( (double)wide.x * (double)wide.y * (double)wide.z / ( 16.0 * count ) );
		REQUIRE( pnFindLinks( points, count, sets, IsParted, points, &scratch, &pairs, &pairCount ) );
		for ( int i = 0; i < pairCount; ++i )
		{
			ENSURE( pairs[2 * i] < pairs[2 * i + 1] && !IsParted( points, pairs[2 * i], pairs[2 * i + 1] ) );
		}
		for ( int i = 0; i < 8 * count; ++i )
		{
			int next = -1;
			float least = 3e38f;
			int ties = 0;
			for ( int k = 0; k < count; ++k )
			{
				pnVec3 d = pnSub( points[k], points[i / 8] );
				int octant = ( d.x > 0.0f ) + 2 * ( d.y > 0.0f ) + 4 * ( d.z > 0.0f );
				if ( k != i / 8 && octant == i % 8 && !IsParted( points, i / 8, k ) && pnDot( d, d ) <= least )
				{
					ties = pnDot( d, d ) == least ? ties + 1 : 0;
					least = pnDot( d, d ), next = k;
				}
			}
			if ( next >= 0 && ties == 0 && sqrt( (double)least ) < cell )
			{
				ENSURE( AreLinked( pairs, pairCount, i / 8, next ) );
				met += 1;
			}
		}
		pnGiveBack( &scratch );
	}
	ENSURE( met > 1000 );
	pnTestNote( "%d neighbours", met );
}

static const pnTest s_tests[] = {
	RUN( CellsFindTheNearest ),
	RUN( SearchFindsWhatTheTreeFinds ),
	RUN( NextInEachOctantIsLinked ),
};
SUITE( near, s_tests );
