// test_near.c - nearest points, by cells and from place to place, against looking at all of them. Knows src/base/cloud.h.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "../src/base/cloud.h"
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

static const pnTest s_tests[] = {
	RUN( CellsFindTheNearest ),
	RUN( SearchFindsWhatTheTreeFinds ),
};
SUITE( near, s_tests );
