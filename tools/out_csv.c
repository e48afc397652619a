// out_csv.c - a run as rows of numbers: a row for each body of each frame. Knows no triangles.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "out.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void* pnOpenCsv( const pnOutDef* def, char why[PN_OUT_WHY] )
{
	FILE* file = fopen( def->path, "wb" );
	if ( file == NULL )
	{
		snprintf( why, PN_OUT_WHY, "%s", strerror( errno ) );
		return NULL;
	}
	fprintf( file, "frame,time,body,from,mass,x,y,z,vx,vy,vz,px,py,pz,lx,ly,lz,kinetic,elastic,min_stretch,max_stretch,plastic,volume,touching,push,awake\n" );
	return file;
}

// How many others touch a body, and how hard all of them push it: kg m/s in the last step.
static int pnCountTouching( const pnWorld* world, pnBodyId body, double* push )
{
	pnContactEvents events = pnWorld_GetContactEvents( world );
	int count = 0;
	*push = 0.0;
	for ( int i = 0; i < events.contactCount; ++i )
	{
		const pnContact* contact = events.contacts + i;
		bool isA = contact->touch.a.index1 == body.index1 && contact->touch.a.generation == body.generation;
		bool isB = contact->touch.b.index1 == body.index1 && contact->touch.b.generation == body.generation;
		if ( isA || isB )
		{
			count += 1;
			*push += sqrt( (double)pnDot( contact->impulse, contact->impulse ) );
		}
	}
	return count;
}

static bool pnWriteCsvFrame( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] )
{
	for ( int i = 0; i < frame->bodyCount; ++i )
	{
		const pnOutBody* body = frame->bodies + i;
		pnBodyState s;
		if ( pnBody_GetState( frame->world, body->id, &s ) != pn_success )
		{
			continue;
		}
		double push;
		int touching = pnCountTouching( frame->world, body->id, &push );
		const double numbers[] = {
			(double)s.mass,		  (double)s.center.x,		 (double)s.center.y,		(double)s.center.z,		   (double)s.velocity.x, (double)s.velocity.y,
			(double)s.velocity.z, (double)s.momentum.x,		 (double)s.momentum.y,		(double)s.momentum.z,	   (double)s.angularMomentum.x,
			(double)s.angularMomentum.y, (double)s.angularMomentum.z, s.kinetic, s.elastic, (double)s.minStretch, (double)s.maxStretch,
			(double)s.plasticStrain, (double)s.volume,
		};
		fprintf( file, "%d,%.9g,%d,%d", frame->frame, frame->time, body->number, body->from );
		for ( size_t k = 0; k < sizeof( numbers ) / sizeof( numbers[0] ); ++k )
		{
			fprintf( file, ",%.9g", numbers[k] );
		}
		fprintf( file, ",%d,%.9g,%d\n", touching, push, s.awake ? 1 : 0 );
	}
	if ( fflush( file ) != 0 )
	{
		snprintf( why, PN_OUT_WHY, "frame %d: %s", frame->frame, strerror( errno ) );
		return false;
	}
	return true;
}

static bool pnCloseCsv( void* file, char why[PN_OUT_WHY] )
{
	bool good = fclose( file ) == 0;
	if ( good == false )
	{
		snprintf( why, PN_OUT_WHY, "%s", strerror( errno ) );
	}
	return good;
}

const pnOutKind pn_csvOut = {
	.ending = ".csv",
	.text = "a row of numbers for each body of each frame",
	.isStreamed = true,
	.isBare = true,
	.open = pnOpenCsv,
	.frame = pnWriteCsvFrame,
	.close = pnCloseCsv,
};
