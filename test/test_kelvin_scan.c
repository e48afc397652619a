// test_kelvin_scan.c - clouds as scanners give them: bare points, noise, outliers, few of them. Knows the public header, wrap.h and closed forms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "kelvin_help.h"

#include "help.h"
#include "kelvin/wrap.h"

static double Normal( pnRandom* random )
{
	double sum = -6.0;
	for ( int i = 0; i < 12; ++i )
	{
		sum += pnRandomIn( random, 0.0, 1.0 );
	}
	return sum;
}

static pnVec3d Shaken( pnRandom* random, pnVec3d p, double by )
{
	double x = Normal( random ), y = Normal( random ), z = Normal( random );
	return pnMakeD( p.x + by * x, p.y + by * y, p.z + by * z );
}

// A random place on the unit sphere.
static pnVec3d OnSphere( pnRandom* random )
{
	double x = Normal( random ), y = Normal( random ), z = Normal( random );
	return pnUnitD( pnMakeD( x, y, z ) );
}

static int s_untilFailure; // allocations that still succeed; negative: all

static void* FailingAlloc( size_t size, size_t alignment )
{
	if ( s_untilFailure >= 0 && s_untilFailure-- == 0 )
	{
		s_untilFailure = -1; // one only: what comes after must cope by itself
		return NULL;
	}
	return aligned_alloc( alignment, ( size + alignment - 1 ) / alignment * alignment );
}

static void FailingFree( void* memory, size_t size )
{
	(void)size;
	free( memory );
}

// ---- the wrapped surface ----

typedef struct Form
{
	double volume, radius2, worstTurn; // radius2: mean square of what the radius is off by
} Form;

static Form Measure( const pnFacets* facets )
{
	Form form = { .worstTurn = 1.0 };
	double area = 0.0;
	for ( int f = 0; f < facets->count; ++f )
	{
		double w = facets->areas[f], off = pnLengthD( facets->centroids[f] ) - 1.0;
		form.volume += w * pnDotD( facets->centroids[f], facets->normals[f] ) / 3.0;
		form.radius2 += w * off * off;
		form.worstTurn = fmin( form.worstTurn, pnDotD( pnUnitD( facets->centroids[f] ), facets->normals[f] ) );
		area += w;
	}
	form.radius2 /= area;
	return form;
}

static void BarePointsOfASphereBecomeOne( void )
{
	pnRandom random = SeedOf( 1651 );
	pnTaskSystem none = { 0 };
	pnTasks* tasks = pnCreateTasks( &none );
	for ( int round = 0; round < 3; ++round )
	{
		static const double noises[] = { 0.0, 0.005, 0.01 }; // of the diameter
		enum { count = 700, strays = 5 };
		pnVec3d points[count + strays];
		for ( int i = 0; i < count; ++i )
		{
			points[i] = Shaken( &random, OnSphere( &random ), 2.0 * noises[round] );
		}
		for ( int i = 0; i < strays; ++i )
		{
			points[count + i] = pnScaleD( pnRandomIn( &random, 2.0, 4.0 ), OnSphere( &random ) );
		}
		pnFacets facets;
		pnTestContext( "noise %g", noises[round] );
		REQUIRE( pnWrapCloud( points, NULL, count + strays, tasks, &facets ) == pn_success );
		Form form = Measure( &facets );
		ENSURE_NEAR( form.volume, 4.0 / 3.0 * TEST_PI, 0.02 * 4.0 / 3.0 * TEST_PI );
		ENSURE_MOST( sqrt( form.radius2 ), 0.003 + 0.7 * 2.0 * noises[round] ); // the fit averages the noise
		ENSURE( form.worstTurn > 0.5 ); // nothing is folded
		pnTestNote( "noise %g: radius %.4f off, volume %.3f", noises[round], sqrt( form.radius2 ), form.volume / ( 4.0 / 3.0 * TEST_PI ) );
		pnDestroyFacets( &facets );
	}
	pnDestroyTasks( tasks );
}

static void NoiseIsSeenInNormals( void )
{
	pnRandom random = SeedOf( 1652 );
	enum { count = 600 };
	pnVec3d points[count], normals[count], shaken[count];
	for ( int i = 0; i < count; ++i )
	{
		points[i] = normals[i] = OnSphere( &random );
		shaken[i] = Shaken( &random, points[i], 0.01 );
	}
	double clean = pnGetCloudNoise( points, normals, count ), noisy = pnGetCloudNoise( shaken, normals, count );
	ENSURE_MOST( clean, 1e-9 ); // on a sphere chords lean against both normals equally
	ENSURE( noisy > 0.04 );
	pnTestNote( "%.1e and %.3f", clean, noisy );
}

static void WrapsWithoutMemoryLeaveNothing( void )
{
	pnRandom random = SeedOf( 1653 );
	enum { count = 60 };
	pnVec3d points[count];
	for ( int i = 0; i < count; ++i )
	{
		points[i] = OnSphere( &random );
	}
	pnSetAllocator( FailingAlloc, FailingFree );
	pnTaskSystem none = { 0 };
	s_untilFailure = -1;
	pnTasks* tasks = pnCreateTasks( &none );
	int64_t bytes = pnGetByteCount();
	pnFacets facets;
	pnResult result = pn_outOfMemory;
	int tries = 0;
	for ( ; result == pn_outOfMemory && tries < 500; ++tries )
	{
		s_untilFailure = tries;
		result = pnWrapCloud( points, NULL, count, tasks, &facets );
		s_untilFailure = -1;
		ENSURE( result == pn_success || ( facets.count == 0 && pnGetByteCount() == bytes ) );
	}
	ENSURE( result == pn_success && tries > 10 );
	pnDestroyFacets( &facets );
	ENSURE( pnGetByteCount() == bytes );
	pnDestroyTasks( tasks );
	pnSetAllocator( NULL, NULL );
	pnTestNote( "%d allocations", tries - 1 );
}

// ---- whole problems ----

static const double s_tip = 0.0745; // m, of the bar below: where finer and finer finite elements of CalculiX tend to (bench_kelvin.c)

// A bar of 1 x 1 x 4 m that is held at one end and drawn aside at the other, from bare random points.
static void ScannedBarsBendAsTheyShould( void )
{
	static const double noises[] = { 0.0, 0.005 }; // of the diagonal
	pnRandom random = SeedOf( 1654 );
	Surface s = MakeBox( pnMakeD( -0.5, -0.5, 0.0 ), pnMakeD( 0.5, 0.5, 4.0 ), 4, 4, 16 );
	for ( int round = 0; round < 2; ++round )
	{
		Cloud cloud = SampleSurface( &s, 1500, 3 + (uint64_t)round );
		for ( int i = 0; i < cloud.count; ++i )
		{
			cloud.points[i] = Shaken( &random, cloud.points[i], noises[round] * sqrt( 18.0 ) );
		}
		pnKelvinDef def = MaterialDef( 2.0 * 120.0 * 1.45, 0.45 );
		def.points = cloud.points;
		def.pointCount = cloud.count;
		def.sourceCount = 250;
		pnCondition conditions[2] = { Hold( BoxRegion( pnMakeD( -1.0, -1.0, -0.5 ), pnMakeD( 1.0, 1.0, 0.02 ) ) ), pnDefaultCondition() };
		conditions[1].kind = pn_forceCondition;
		conditions[1].region = BoxRegion( pnMakeD( -1.0, -1.0, 3.9 ), pnMakeD( 1.0, 1.0, 4.5 ) );
		conditions[1].vector = pnMakeD( 0.1, 0.0, 0.0 );
		SetConditions( &def, conditions, 2 );
		pnKelvinInfo info;
		pnTestContext( "noise %g", noises[round] );
		pnKelvin* kelvin = Solved( &def, &info );
		REQUIRE( kelvin != NULL );
		double tip = DisplacementAt( kelvin, pnMakeD( 0.0, 0.0, 3.97 ) ).x, error = tip / s_tip - 1.0;
		ENSURE_MOST( fabs( error ), 0.05 );
		ENSURE( info.retryCount < 3 );
		pnTestNote( "noise %g: %+.1f %% (estimate %.1f %%)", noises[round], 100.0 * error, 100.0 * info.errorEstimate );
		pnDestroyKelvin( kelvin );
		FreeCloud( &cloud );
	}
	FreeSurface( &s );
}

static const pnTest s_tests[] = {
	RUN( BarePointsOfASphereBecomeOne ),
	RUN( NoiseIsSeenInNormals ),
	RUN( WrapsWithoutMemoryLeaveNothing ),
	RUN( ScannedBarsBendAsTheyShould ),
};
SUITE( kelvin_scan, s_tests );
