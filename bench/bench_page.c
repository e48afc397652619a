// bench_page.c - what the page costs. Frames are encoded here, natively; steps are made by the module in Node.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "bench_page.h"

#include "frame.h"
#include "room.h"
#include "wire.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double GetMicroseconds( void )
{
	struct timespec now;
	clock_gettime( CLOCK_MONOTONIC, &now );
	return 1e6 * (double)now.tv_sec + 1e-3 * (double)now.tv_nsec;
}

static int CompareDoubles( const void* a, const void* b ) { return ( *(const double*)a > *(const double*)b ) - ( *(const double*)a < *(const double*)b ); }

enum
{
	maxRounds = 41,
	bodyCount = 384,
	pointCount = 55200
};

// As many vertices in as many bodies as the pile of Fig. 9, from memory: quantising and writing, nothing else.
static double MeasureEncoding( int rounds )
{
	static pnVec3 positions[pointCount], normals[pointCount];
	for ( int i = 0; i < pointCount; ++i )
	{
		positions[i] = pnMakeVec3( 0.001f * (float)( i % 997 ), 0.001f * (float)( i % 991 ), 0.001f * (float)( i % 983 ) );
		normals[i] = pnMakeVec3( 0.6f, -0.8f, 0.0f );
	}
	pnBytes bytes = { 0 };
	double times[maxRounds];
	for ( int round = 0; round < rounds; ++round )
	{
		const pnFrameHead head = { 0 };
		double begin = GetMicroseconds();
		pnBeginFrame( &bytes, &head );
		for ( int i = 0; i < bodyCount; ++i )
		{
			int first = (int)( (int64_t)pointCount * i / bodyCount ), end = (int)( (int64_t)pointCount * ( i + 1 ) / bodyCount );
			const pnPart part = { .vertexCount = end - first };
			pnPutMotion( &bytes, ( pnBodyId ){ i + 1, 1 }, &part, 1, positions + first, normals + first, NULL );
		}
		pnEndFrame( &bytes );
		times[round] = GetMicroseconds() - begin;
	}
	free( bytes.data );
	qsort( times, (size_t)rounds, sizeof( double ), CompareDoubles );
	return times[rounds / 2];
}

// A whole frame of the pile while it falls: skins, normals, everything.
static bool MeasureFrame( int rounds, double* microseconds, double* byteCount )
{
	pnRoomDef def = pnDefaultRoomDef();
	pnRoom* room = NULL;
	pnViewer* viewer = pnCreateViewer();
	if ( viewer == NULL || pnCreateRoom( &def, &room ) != pn_success )
	{
		return false;
	}
	pnRoom_Post( room, 0, 0, "load pile384", 12 );
	pnRoom_Advance( room, 1 );
	double times[maxRounds];
	size_t size = 0;
	pnViewer_WriteFrame( viewer, room, pn_noShading, &size );
	for ( int round = 0; round < rounds; ++round )
	{
		pnRoom_Advance( room, 1 ); // else nothing would have moved
		double begin = GetMicroseconds();
		pnViewer_WriteFrame( viewer, room, pn_noShading, &size );
		times[round] = GetMicroseconds() - begin;
	}
	qsort( times, (size_t)rounds, sizeof( double ), CompareDoubles );
	*microseconds = times[rounds / 2];
	*byteCount = (double)size;
	pnDestroyViewer( viewer );
	pnDestroyRoom( room );
	return true;
}

// `NAME VALUE UNIT` a line, from Node.
static bool RunModule( bool isQuick, pnReport* report )
{
	static const char* const units[] = { "ms", "bytes" };
	char line[256];
	snprintf( line, sizeof( line ), "node %s %s %d", PLIANT_PAGE_BENCH, PLIANT_PAGE_MODULE, isQuick ? 30 : 120 );
	FILE* pipe = popen( line, "r" );
	bool good = pipe != NULL;
	while ( good && fgets( line, sizeof( line ), pipe ) != NULL )
	{
		char name[48], unit[16];
		double value;
		if ( sscanf( line, "%47s %lf %15s", name, &value, unit ) == 3 )
		{
			pnReport_Add( report, name, value, strcmp( unit, "ms" ) == 0 ? units[0] : units[1], ( pnBar ){ 0 } );
		}
	}
	return good && pclose( pipe ) == 0;
}

bool pnRunPageBench( bool isQuick, pnReport* report )
{
	int rounds = isQuick ? 11 : maxRounds;
	double frame, bytes;
	pnReport_Add( report, "page.encode.55200", MeasureEncoding( rounds ), "us", ( pnBar ){ pn_atMost, 400.0 } );
	if ( MeasureFrame( rounds, &frame, &bytes ) == false )
	{
		fprintf( stderr, "pliant bench: there is no memory for a room\n" );
		return false;
	}
	pnReport_Add( report, "page.frame.pile384", frame, "us", ( pnBar ){ 0 } );
	pnReport_Add( report, "page.frame.pile384.bytes", bytes, "bytes", ( pnBar ){ 0 } );
	if ( RunModule( isQuick, report ) == false )
	{
		pnReport_AddText( report, "page.module", "not measured: it needs Node, and the module that `make page` builds" );
	}
	return true;
}
