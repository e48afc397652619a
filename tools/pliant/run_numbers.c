// run_numbers.c - what a run comes to in numbers: sums over all bodies, a row for each frame, a summary. Knows no pictures.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "run.h"

#include "../options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool pnGetTotals( const pnWorld* world, pnTotals* totals )
{
	*totals = (pnTotals){ 0 };
	int count = pnWorld_GetBodies( world, NULL, 0 );
	pnBodyId* bodies = malloc( (size_t)( count + 1 ) * sizeof( pnBodyId ) );
	if ( bodies == NULL )
	{
		return false;
	}
	pnWorld_GetBodies( world, bodies, count );
	for ( int i = 0; i < count; ++i )
	{
		pnBodyState state;
		if ( pnBody_GetState( world, bodies[i], &state ) != pn_success )
		{
			continue;
		}
		double p[3] = { state.momentum.x, state.momentum.y, state.momentum.z };
		double l[3] = { state.angularMomentum.x, state.angularMomentum.y, state.angularMomentum.z };
		double c[3] = { state.center.x, state.center.y, state.center.z };
		double orbit[3];
		for ( int d = 0; d < 3; ++d )
		{
			int e = ( d + 1 ) % 3, f = ( d + 2 ) % 3;
			orbit[d] = c[e] * p[f] - c[f] * p[e];
			totals->momentum[d] += p[d];
			totals->angular[d] += l[d] + orbit[d];
		}
		totals->mass += state.mass;
		totals->kinetic += state.kinetic;
		totals->elastic += state.elastic;
		totals->angularScale +=
			sqrt( l[0] * l[0] + l[1] * l[1] + l[2] * l[2] ) + sqrt( orbit[0] * orbit[0] + orbit[1] * orbit[1] + orbit[2] * orbit[2] );
		totals->minStretch = i == 0 || state.minStretch < totals->minStretch ? state.minStretch : totals->minStretch;
		totals->maxStretch = i == 0 || state.maxStretch > totals->maxStretch ? state.maxStretch : totals->maxStretch;
	}
	free( bodies );
	return true;
}
static double pnGetDistance( const double a[3], const double b[3] )
{
	return sqrt( ( a[0] - b[0] ) * ( a[0] - b[0] ) + ( a[1] - b[1] ) * ( a[1] - b[1] ) + ( a[2] - b[2] ) * ( a[2] - b[2] ) );
}

static void pnPrintDrift( const char* name, double change, double scale, const char* unit )
{
	printf( "  %-10s changed by %.2g %s", name, change, unit );
	if ( scale > change ) // else forces did it, and the share says nothing
	{
		printf( ", %.2g of all there was", change / scale );
	}
	printf( "\n" );
}

void pnRun_PrintSummary( const pnRun* run )
{
	pnTotals last;
	if ( pnGetTotals( run->world, &last ) == false )
	{
		return;
	}
	int count = run->lastFrame - run->firstFrame;
	pnProfile profile = pnWorld_GetProfile( run->world );
	double simulated = (double)count * (double)run->timeStep;
	printf( "%s: %d frames (%.2f s) in %.2f s", run->scene->name, count, simulated, run->wallTime );
	if ( run->stepSum > 0.0 )
	{
		printf( ", %.3g times real time", simulated / run->stepSum );
	}
	printf( "\n  %-10s %.3f ms mean, %.3f ms max; %d substeps at %g Hz\n", "frame", count > 0 ? 1e3 * run->stepSum / count : 0.0,
			1e3 * run->stepMax, run->substeps, 1.0 / (double)run->timeStep );
	printf( "  %-10s %d %s, %d points, %d %s, %d memberships\n", "world", profile.bodyCount, profile.bodyCount == 1 ? "body" : "bodies",
			profile.pointCount, profile.clusterCount, profile.clusterCount == 1 ? "cluster" : "clusters", profile.membershipCount );
	double before = run->first.kinetic + run->first.elastic, after = last.kinetic + last.elastic;
	printf( "  %-10s %.6g J after the first frame, %.6g J after the last", "energy", before, after );
	if ( before > 0.0 && after < 10.0 * before )
	{
		printf( " (%+.3g %%)", 100.0 * ( after - before ) / before );
	}
	printf( "\n" );
	pnPrintDrift( "momentum", pnGetDistance( last.momentum, run->start.momentum ),
				  sqrt( 2.0 * last.mass * fmax( run->first.kinetic, last.kinetic ) ), "kg m/s" );
	pnPrintDrift( "angular", pnGetDistance( last.angular, run->start.angular ), run->start.angularScale, "kg m^2/s" );
	printf( "  %-10s %s, %d thread%s, %.3g MB\n", "machine", pnWorld_GetSimdName( run->world ), run->options.threads,
			run->options.threads == 1 ? "" : "s", 1e-6 * (double)profile.byteCount );
}

// ---- a row for each frame ----

int pnRun_OpenStats( pnRun* run )
{
	const char* path = run->options.stats;
	if ( path == NULL )
	{
		return 0;
	}
	run->stats = fopen( path, "w" );
	if ( run->stats == NULL )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", path, strerror( errno ) );
	}
	fprintf( run->stats, "frame,time,kinetic,elastic,px,py,pz,lx,ly,lz,min_stretch,max_stretch,contacts,max_penetration,step_ms\n" );
	return 0;
}

int pnRun_WriteStats( pnRun* run, double stepTime )
{
	pnTotals totals;
	if ( run->stats == NULL )
	{
		return 0;
	}
	if ( pnGetTotals( run->world, &totals ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "there is no memory for the numbers" );
	}
	pnProfile profile = pnWorld_GetProfile( run->world );
	fprintf( run->stats, "%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%.9g,%.6g\n", run->frame, run->time, totals.kinetic,
			 totals.elastic, totals.momentum[0], totals.momentum[1], totals.momentum[2], totals.angular[0], totals.angular[1], totals.angular[2],
			 (double)totals.minStretch, (double)totals.maxStretch, profile.contactCount, (double)profile.maxPenetration, 1e3 * stepTime );
	return 0;
}

int pnRun_CloseStats( pnRun* run )
{
	if ( run->stats == NULL )
	{
		return 0;
	}
	bool failed = ferror( run->stats ) != 0;
	failed = fclose( run->stats ) != 0 || failed;
	run->stats = NULL;
	return failed ? pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", run->options.stats, strerror( errno ) ) : 0;
}
