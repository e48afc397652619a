// test_patches.c - sums over patches of a surface are the sums over its collocation points, and the energy they make is positive. Knows rows and patches.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "help.h"
#include "test.h"

#include "kelvin/patches.h"

#include <cblas.h>

#include <stdlib.h>
#include <string.h>

// A box with collocation points all over it, held, sprung, sliding and free by turns; sources around it, and one place inside that counts as a hollow.
typedef struct Case
{
	pnCollocationPoint* points;
	pnBound* bounds;
	double* holds;
	double *x, *y, *z;
	pnVec3d hollow;
	pnTasks* tasks;
	pnRows rows;
} Case;

static void FreeCase( Case* it )
{
	pnDestroyMends( &it->rows.mends );
	pnDestroyTasks( it->tasks );
	free( it->points );
	free( it->bounds );
	free( it->holds );
	free( it->x );
	free( it->y );
	free( it->z );
}

static bool MakeCase( Case* it, pnRandom* random, int pointCount, int sourceCount, int workerCount )
{
	*it = (Case){ 0 };
	it->points = calloc( (size_t)pointCount, sizeof( pnCollocationPoint ) );
	it->bounds = calloc( (size_t)pointCount, sizeof( pnBound ) );
	it->holds = calloc( (size_t)pointCount, sizeof( double ) );
	it->x = calloc( (size_t)sourceCount + 8, sizeof( double ) );
	it->y = calloc( (size_t)sourceCount + 8, sizeof( double ) );
	it->z = calloc( (size_t)sourceCount + 8, sizeof( double ) );
	double size[3] = { pnRandomIn( random, 0.3, 1.0 ), pnRandomIn( random, 0.3, 1.0 ), 1.0 };
	double area = 8.0 * ( size[0] * size[1] + size[1] * size[2] + size[2] * size[0] );
	bool withSprings = pnRandomInt( random, 2 ) == 0;
	for ( int i = 0; i < pointCount + sourceCount; ++i )
	{
		// A face by its area, a place on it
		double x[3], n[3] = { 0.0, 0.0, 0.0 }, chosen = pnRandomIn( random, 0.0, area / 8.0 );
		int axis = chosen < size[1] * size[2] ? 0 : chosen < size[1] * size[2] + size[2] * size[0] ? 1 : 2;
		for ( int k = 0; k < 3; ++k )
		{
			x[k] = pnRandomIn( random, -size[k], size[k] );
		}
		n[axis] = pnRandomInt( random, 2 ) == 0 ? -1.0 : 1.0;
		x[axis] = n[axis] * size[axis];
		if ( i >= pointCount )
		{
			double distance = pnRandomIn( random, 0.1, 0.4 );
			it->x[i - pointCount] = x[0] + distance * n[0];
			it->y[i - pointCount] = x[1] + distance * n[1];
			it->z[i - pointCount] = x[2] + distance * n[2];
			continue;
		}
		it->points[i] = (pnCollocationPoint){ .x = { x[0], x[1], x[2] }, .n = { n[0], n[1], n[2] }, .w = area / pointCount * pnRandomIn( random, 0.5, 1.5 ), .s = 0.2, .far = 0.2, .pad = i };
		bool below = axis == 2 && n[2] < 0.0, aside = axis == 0 && n[0] < 0.0;
		it->bounds[i] = (pnBound){ .held = below ? 7 : aside ? 1 : 0, .framed = aside };
		for ( int k = 0; k < 3; ++k )
		{
			it->bounds[i].spring[k] = withSprings && axis == 1 ? pnRandomIn( random, 0.0, 3.0 ) : 0.0;
		}
		it->holds[i] = it->points[i].w * pnRandomIn( random, 20.0, 60.0 );
	}
	it->hollow = pnMakeD( 0.1, -0.05, 0.2 );
	it->tasks = pnCreateTasks( &(pnTaskSystem){ .workerCount = workerCount } );
	it->rows = (pnRows){
		.points = { .points = it->points, .count = pointCount, .capacity = pointCount, .padCount = pointCount },
		.bounds = it->bounds,
		.basis = { .x = it->x, .y = it->y, .z = it->z, .sourceCount = sourceCount, .hollows = &it->hollow, .hollowCount = 1, .curved = pnRandomInt( random, 2 ) == 0, .poissonRatio = pnRandomIn( random, 0.0, 0.49 ) },
		.tasks = it->tasks,
	};
	return it->tasks != NULL && pnFindMends( &it->rows ) == pn_success;
}

// Point by point, as the definition says.
static void SumDirectly( const Case* it, double* toFree, double* toFixed )
{
	int columns = pnGetColumnCount( &it->rows.basis );
	size_t n = (size_t)columns;
	double* u = calloc( 6 * n, sizeof( double ) );
	double* t = u + 3 * n;
	for ( int q = 0; q < it->rows.points.count; ++q )
	{
		const pnBound* bound = it->bounds + q;
		for ( int mended = 0; mended < 2; ++mended )
		{
			pnFillBlock( &it->rows, q, q + 1, mended == 1, u, t );
			for ( int axis = 0; axis < 3; ++axis )
			{
				bool held = bound->held >> axis & 1;
				const double *a = u + (size_t)axis * n, *b = t + (size_t)axis * n;
				double w = it->points[q].w;
				if ( mended == 0 && held )
				{
					cblas_dger( CblasColMajor, columns, columns, it->holds[q], a, 1, a, 1, toFixed, columns );
				}
				if ( mended == 1 )
				{
					cblas_dger( CblasColMajor, columns, columns, held ? -w : w, a, 1, b, 1, toFree, columns );
					cblas_dger( CblasColMajor, columns, columns, held ? 0.0 : w * bound->spring[axis], a, 1, a, 1, toFree, columns );
				}
			}
		}
	}
	free( u );
}

static double LargestMiss( const double* a, const double* b, int count, size_t leading, double* size )
{
	double miss = 0.0;
	*size = 0.0;
	for ( int c = 0; c < count; ++c )
	{
		for ( int r = 0; r < count; ++r )
		{
			size_t at = (size_t)c * leading + (size_t)r;
			miss = fmax( miss, fabs( a[at] - b[at] ) );
			*size = fmax( *size, fabs( b[at] ) );
		}
	}
	return miss;
}

// All sources against all, and the other columns with them; then some against some others.
static void PatchesSumWhatTheirPointsSum( void )
{
	double worst = 0.0;
	for ( int draw = 0; draw < ( getenv( "PLIANT_LONG" ) != NULL ? 12 : 3 ); ++draw )
	{
		pnRandom random = SeedOf( 300 + draw );
		pnTestContext( "draw %d", draw );
		Case it;
		int sourceCount = 110 + pnRandomInt( &random, 60 );
		REQUIRE( MakeCase( &it, &random, 1500 + pnRandomInt( &random, 900 ), sourceCount, 1 + draw % 2 ) );
		int columns = pnGetColumnCount( &it.rows.basis );
		size_t square = (size_t)columns * (size_t)columns;
		double* sums = calloc( 6 * square, sizeof( double ) );
		int32_t all[256], some[256];
		double *free0 = sums, *fixed0 = sums + square, *free1 = sums + 2 * square, *fixed1 = sums + 3 * square, *freeSome = sums + 4 * square, *fixedSome = sums + 5 * square;
		SumDirectly( &it, free0, fixed0 );
		pnPatches patches;
		REQUIRE( pnMakePatches( &it.rows, it.holds, &patches ) == pn_success );
		ENSURE( patches.count > 4 );
		for ( int p = 0; p < sourceCount; ++p )
		{
			all[p] = p;
		}
		bool givenUp;
		pnPairs pairs = { .left = all, .right = all, .leftCount = sourceCount, .rightCount = sourceCount, .withOthers = true, .free = free1, .fixed = fixed1, .leading = (size_t)columns };
		REQUIRE( pnAddPairs( &patches, &pairs, it.tasks, &givenUp ) );
		double size, miss = LargestMiss( free1, free0, columns, (size_t)columns, &size );
		ENSURE_MOST( miss, 2e-5 * size );
		worst = fmax( worst, miss / size );
		miss = LargestMiss( fixed1, fixed0, columns, (size_t)columns, &size );
		ENSURE_MOST( miss, 2e-5 * size );
		worst = fmax( worst, miss / size );
		// Every third one on the left, the last 40 on the right
		int someCount = 0;
		for ( int p = draw % 3; p < sourceCount; p += 3 )
		{
			some[someCount++] = p;
		}
		pnPairs few = { .left = some, .right = all + sourceCount - 40, .leftCount = someCount, .rightCount = 40, .free = freeSome, .fixed = fixedSome, .leading = (size_t)columns };
		REQUIRE( pnAddPairs( &patches, &few, NULL, &givenUp ) );
		double apart = 0.0;
		for ( int c = 0; c < 3 * 40; ++c )
		{
			for ( int r = 0; r < 3 * someCount; ++r )
			{
				size_t whole = (size_t)( c / 40 * sourceCount + sourceCount - 40 + c % 40 ) * (size_t)columns + (size_t)( r / someCount * sourceCount + some[r % someCount] );
				size_t part = (size_t)c * (size_t)columns + (size_t)r;
				apart = fmax( apart, fmax( fabs( freeSome[part] - free1[whole] ), fabs( fixedSome[part] - fixed1[whole] ) ) );
			}
		}
		ENSURE_MOST( apart, 1e-10 * size );
		pnDestroyPatches( &patches );
		FreeCase( &it );
		free( sums );
	}
	pnTestNote( "off by %.1e of the largest", worst );
}

// Whoever works, and however many.
static void PatchesHaveOneAnswerForAllThreads( void )
{
	double* kept = NULL;
	size_t bytes = 0;
	for ( int workers = 1; workers <= 3; ++workers )
	{
		pnRandom random = SeedOf( 320 );
		Case it;
		REQUIRE( MakeCase( &it, &random, 1400, 120, workers ) );
		int columns = pnGetColumnCount( &it.rows.basis );
		bytes = 2 * (size_t)columns * (size_t)columns * sizeof( double );
		double* sums = calloc( 1, bytes );
		int32_t all[120];
		for ( int p = 0; p < 120; ++p )
		{
			all[p] = p;
		}
		pnPatches patches;
		bool givenUp;
		REQUIRE( pnMakePatches( &it.rows, it.holds, &patches ) == pn_success );
		pnPairs pairs = { .left = all, .right = all, .leftCount = 120, .rightCount = 120, .withOthers = true, .free = sums, .fixed = sums + (size_t)columns * (size_t)columns, .leading = (size_t)columns };
		REQUIRE( pnAddPairs( &patches, &pairs, it.tasks, &givenUp ) );
		ENSURE( kept == NULL || memcmp( kept, sums, bytes ) == 0 );
		free( kept );
		kept = sums;
		pnDestroyPatches( &patches );
		FreeCase( &it );
	}
	free( kept );
}

static const pnTest s_tests[] = {
	RUN( PatchesSumWhatTheirPointsSum ),
	RUN( PatchesHaveOneAnswerForAllThreads ),
};
SUITE( kelvin_patches, s_tests );
