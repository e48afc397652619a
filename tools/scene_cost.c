// scene_cost.c - what a scene will cost: memory and time, found by running a part of it. Knows no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_cost.h"

#include <stdlib.h>
#include <time.h>

static double pnGetProcessorTime( void )
{
	struct timespec now;
	clock_gettime( CLOCK_THREAD_CPUTIME_ID, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Pairs that the first step finds deeper in each other than a tenth of the smaller body.
static void pnFindDeepPairs( const pnWorld* world, pnCost* cost )
{
	pnContactEvents events = pnWorld_GetContactEvents( world );
	for ( int i = 0; i < events.contactCount; ++i )
	{
		const pnContact* contact = events.contacts + i;
		pnBodyState a, b;
		float size = 1e30f;
		if ( pnBody_GetState( world, contact->touch.a, &a ) == pn_success )
		{
			pnVec3 d = pnSub( a.bounds.upper, a.bounds.lower );
			size = d.x < d.y ? ( d.x < d.z ? d.x : d.z ) : ( d.y < d.z ? d.y : d.z );
		}
		if ( contact->touch.b.index1 != 0 && pnBody_GetState( world, contact->touch.b, &b ) == pn_success )
		{
			pnVec3 d = pnSub( b.bounds.upper, b.bounds.lower );
			float other = d.x < d.y ? ( d.x < d.z ? d.x : d.z ) : ( d.y < d.z ? d.y : d.z );
			size = other < size ? other : size;
		}
		if ( contact->depth > 0.1f * size )
		{
			cost->deepCount += 1;
			if ( contact->depth > cost->depth )
			{
				cost->depth = contact->depth;
				cost->deepest = contact->touch;
			}
		}
	}
}

// costs: of each frame, s; NULL: not asked for
static bool pnRunFrames( const pnScene* scene, int substeps, double seconds, int mostFrames, pnCost* cost, double* costs )
{
	*cost = (pnCost){ .frames = scene->frames };
	pnWorld* world;
	pnWorldDef def = pnDefaultWorldDef();
	def.enableSleep = def.enableSleep && scene->sleepless == false;
	cost->result = pnCreateWorld( &def, &world );
	if ( cost->result != pn_success )
	{
		return false;
	}
	cost->result = pnFillScene( scene, world );
	int frames = mostFrames >= 0 && mostFrames < scene->frames ? mostFrames : scene->frames;
	double start = pnGetProcessorTime(), spent = 0.0;
	for ( int frame = 1; frame <= frames && cost->result == pn_success && ( spent < seconds || frame == 1 ); ++frame )
	{
		cost->result = pnStepScene( scene, world, frame, 1.0f / scene->rate, substeps );
		double now = pnGetProcessorTime() - start;
		if ( costs != NULL )
		{
			costs[frame - 1] = now - spent;
		}
		spent = now;
		cost->framesTried = frame;
		cost->profile = pnWorld_GetProfile( world );
		cost->byteCount = cost->profile.byteCount > cost->byteCount ? cost->profile.byteCount : cost->byteCount;
		if ( frame == 1 )
		{
			pnFindDeepPairs( world, cost );
		}
	}
	if ( cost->framesTried == 0 )
	{
		cost->profile = pnWorld_GetProfile( world );
		cost->byteCount = cost->profile.byteCount;
	}
	cost->millisecondsPerFrame = cost->framesTried > 0 ? 1e3 * spent / cost->framesTried : 0.0;
	pnDestroyWorld( world );
	return true;
}

bool pnTryScene( const pnScene* scene, double seconds, int mostFrames, pnCost* cost )
{
	bool good = pnRunFrames( scene, scene->substeps, seconds, mostFrames, cost, NULL );
	cost->forecast = cost->millisecondsPerFrame;
	cost->framesForecast = cost->framesTried;
	return good;
}

bool pnForecastScene( const pnScene* scene, double seconds, pnCost* cost )
{
	if ( pnTryScene( scene, seconds, -1, cost ) == false )
	{
		return false;
	}
	double* costs = cost->framesTried < cost->frames ? calloc( (size_t)cost->frames, sizeof( double ) ) : NULL;
	pnCost coarse;
	if ( costs != NULL && pnRunFrames( scene, 1, 2.0 * seconds, -1, &coarse, costs ) && coarse.result == pn_success && coarse.framesTried > cost->framesTried )
	{
		double first = 0.0, all = 0.0;
		for ( int i = 0; i < coarse.framesTried; ++i )
		{
			first += i < cost->framesTried ? costs[i] : 0.0;
			all += costs[i];
		}
		double ratio = first > 0.0 ? cost->millisecondsPerFrame * cost->framesTried / first : 0.0; // ms for each s
		cost->forecast = all * ratio / coarse.framesTried;
		cost->framesForecast = coarse.framesTried;
		cost->byteCount = coarse.byteCount > cost->byteCount ? coarse.byteCount : cost->byteCount;
	}
	free( costs );
	return true;
}
