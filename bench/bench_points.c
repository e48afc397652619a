// bench_points.c - what a frame takes, over the number of points: Fig. 8 of Mueller et al. 2005. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// As there: bodies of 100 points whose points begin away from their goals, in one cluster and in eight, with linear and with quadratic goals;
// nothing but matching, one substep a frame, one thread.
#include "bench_points.h"

#include "plot.h"
#include "stopwatch.h"
#include "workload.h"

#include "pliant/pliant.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_SIZES = 10, // 1000, 2000, ... 10,000 points
	PN_CURVES = 4,
	PN_BODIES_PER_SIZE = 10, // of 100 points each
	PN_WARM_STEPS = 5,
	PN_TIMED_STEPS = 60,
	PN_ROUNDS = 7, // over all of it, so that a slow moment of the machine falls on a few values only
	PN_QUICK_ROUNDS = 3,
};

typedef struct pnCurveDef { const char *key, *name, *color; int workload; pnMode mode; } pnCurveDef;

static const pnCurveDef curveDefs[PN_CURVES] = {
	{ "quadratic.8", "quadratic, 8 clusters a body", "#bc262c", 2, pn_quadraticMode },
	{ "linear.8", "linear, 8 clusters a body", "#e98f3b", 2, pn_linearMode },
	{ "quadratic.1", "quadratic, 1 cluster a body", "#345caa", 1, pn_quadraticMode },
	{ "linear.1", "linear, 1 cluster a body", "#52a667", 1, pn_linearMode },
};

static pnResult AddBody( pnWorld* world, const pnWorkload* workload, int index, pnMode mode )
{
	const pnWorkBody* body = workload->bodies + index;
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = body->points;
	solidDef.pointCount = body->pointCount;
	solidDef.masses = workload->masses;
	solidDef.clusters.kind = pn_givenClusters;
	solidDef.clusters.count = body->clusterCount;
	solidDef.clusters.starts = body->clusterStarts;
	solidDef.clusters.members = body->members;
	pnSolid* solid = NULL;
	pnResult result = pnCreateSolid( &solidDef, &solid );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	// the paper's equations 9 and 10 and nothing else
	def.material.mode = mode;
	def.material.alpha = 0.5f;
	def.material.stretch = 0.4f;
	def.material.volume = 0.0f;
	def.material.cap = pn_noCap;
	def.material.bare = true;
	def.filter = (pnFilter){ 0, 0 };
	pnBodyId id;
	result = result == pn_success ? pnCreateBody( world, &def, &id ) : result;
	result = result == pn_success ? pnBody_SetPoints( world, id, body->positions, body->velocities, body->pointCount ) : result;
	pnDestroySolid( solid );
	return result;
}

// Milliseconds of processor time of a frame, the median.
static pnResult TimeFrames( const pnWorkload* workload, int bodyCount, pnMode mode, double* milliseconds )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.gravity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
	def.enableSleep = false;
	pnWorld* world = NULL;
	pnResult result = pnCreateWorld( &def, &world );
	for ( int b = 0; b < bodyCount && result == pn_success; ++b )
	{
		result = AddBody( world, workload, b, mode );
	}
	double times[PN_TIMED_STEPS];
	for ( int i = -PN_WARM_STEPS; i < PN_TIMED_STEPS && result == pn_success; ++i )
	{
		double start = pnGetCpuSeconds();
		result = pnWorld_Step( world, 1.0f / 60.0f, 1 );
		times[i < 0 ? 0 : i] = pnGetCpuSeconds() - start;
	}
	*milliseconds = result == pn_success ? 1e3 * pnMedian( times, PN_TIMED_STEPS ) : 0.0;
	pnDestroyWorld( world );
	return result;
}

static bool WriteCurves( const char* path, double values[PN_CURVES][PN_SIZES] )
{
	double xs[PN_SIZES];
	pnPlotCurve curves[PN_CURVES];
	for ( int i = 0; i < PN_SIZES; ++i )
	{
		xs[i] = 100.0 * PN_BODIES_PER_SIZE * ( i + 1 );
	}
	for ( int c = 0; c < PN_CURVES; ++c )
	{
		curves[c] = (pnPlotCurve){ curveDefs[c].name, curveDefs[c].color, values[c] };
	}
	FILE* file = fopen( path, "w" );
	if ( file != NULL )
	{
		pnWritePlot( file, "what a frame takes on one thread (Fig. 8 of M\303\274ller et al. 2005)", "points, in bodies of 100", "milliseconds", xs, PN_SIZES, curves, PN_CURVES );
	}
	bool failed = file == NULL || ferror( file ) != 0;
	failed = ( file != NULL && fclose( file ) != 0 ) || failed;
	if ( failed )
	{
		fprintf( stderr, "bench: cannot write '%s': %s\n", path, strerror( errno ) );
	}
	return failed == false;
}

bool pnRunPointsBench( bool quick, const char* svg, pnReport* report )
{
	double values[PN_CURVES][PN_SIZES], samples[PN_CURVES][PN_SIZES][PN_ROUNDS];
	int rounds = quick ? PN_QUICK_ROUNDS : PN_ROUNDS;
	pnResult result = pn_success;
	pnProgress progress = pnStartProgress( PN_CURVES * rounds );
	for ( int k = 0; k < PN_CURVES * rounds && result == pn_success; ++k )
	{
		int c = k % PN_CURVES, round = k / PN_CURVES;
		pnProgress_Show( &progress, curveDefs[c].name );
		pnWorkload* workload = pnCreateWorkload( curveDefs[c].workload );
		result = workload != NULL ? pn_success : pn_outOfMemory;
		for ( int i = 0; i < PN_SIZES && result == pn_success; ++i )
		{
			result = TimeFrames( workload, PN_BODIES_PER_SIZE * ( i + 1 ), curveDefs[c].mode, &samples[c][i][round] );
		}
		pnDestroyWorkload( workload );
		pnProgress_Advance( &progress );
	}
	pnProgress_Finish( &progress );
	if ( result != pn_success )
	{
		fprintf( stderr, "bench: points: %s\n", pnResultText( result ) );
		return false;
	}
	for ( int c = 0; c < PN_CURVES; ++c )
	{
		for ( int i = 0; i < PN_SIZES; ++i )
		{
			char name[48];
			values[c][i] = samples[c][i][0];
			for ( int round = 1; round < rounds; ++round ) // what else runs on the machine only ever adds
			{
				values[c][i] = samples[c][i][round] < values[c][i] ? samples[c][i][round] : values[c][i];
			}
			snprintf( name, sizeof( name ), "points.%s.%d", curveDefs[c].key, 100 * PN_BODIES_PER_SIZE * ( i + 1 ) );
			pnReport_Add( report, name, values[c][i], "ms/frame", (pnBar){ pn_noBar, 0.0 } );
		}
	}
	return svg == NULL || WriteCurves( svg, values );
}
