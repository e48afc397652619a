// run_options.c - the words of `pliant run` that need more than a number: view, colours, sizes, which frames. Knows no steps.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "run.h"

#include "../options.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int pnRun_ReadView( pnRun* run )
{
	static const struct
	{
		const char* name;
		float azimuth, elevation;
	} views[] = {
		{ "front", 0.0f, 6.0f },
		{ "side", 90.0f, 6.0f },
		{ "top", 0.0f, 89.0f },
		{ "iso", 40.0f, 30.0f },
	};
	const pnSceneView* view = &run->scene->view;
	run->sheet.camera = (pnCamera){ view->target, view->azimuth, view->elevation, view->distance, view->ground };
	const char* text = run->options.view;
	if ( text == NULL )
	{
		return 0;
	}
	for ( size_t i = 0; i < sizeof( views ) / sizeof( views[0] ); ++i )
	{
		if ( strcmp( text, views[i].name ) == 0 )
		{
			run->sheet.camera.azimuth = views[i].azimuth;
			run->sheet.camera.elevation = views[i].elevation;
			return 0;
		}
	}
	double numbers[3] = { 0.0, 0.0, (double)view->distance };
	char copy[128];
	snprintf( copy, sizeof( copy ), "%s", text );
	int count = 0;
	bool good = strlen( text ) < sizeof( copy ) && text[strlen( text ) - 1] != ',';
	for ( char* word = strtok( copy, "," ); word != NULL; word = strtok( NULL, "," ) )
	{
		good = good && count < 3 && pnReadReal( word, numbers + count );
		count += 1;
	}
	if ( good == false || count < 2 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--view is front, side, top, iso or AZIMUTH,ELEVATION[,DISTANCE], not '%s'", text );
	}
	if ( fabs( numbers[0] ) > 3600.0 || fabs( numbers[1] ) > 90.0 || !( numbers[2] > 0.0 && numbers[2] < 1e6 ) )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName,
					   "--view '%s': the elevation goes from -90 to 90 degrees, the distance is more than 0 metres", text );
	}
	run->sheet.camera.azimuth = (float)numbers[0];
	run->sheet.camera.elevation = (float)numbers[1];
	run->sheet.camera.distance = (float)numbers[2];
	return 0;
}

int pnRun_ReadColor( pnRun* run )
{
	static const char* const names[] = { "none", "stretch", "speed", "cluster", "plastic" }; // in the order of pnColoring
	enum
	{
		nameCount = (int)( sizeof( names ) / sizeof( names[0] ) )
	};
	run->sheet.coloring = pn_plainColoring;
	for ( int i = 0; run->options.color != NULL; ++i )
	{
		if ( i == nameCount )
		{
			const char* near = pnFindNearName( run->options.color, names, nameCount );
			return pnFail( PN_EXIT_USAGE, pnRunName, "--color is none, stretch, speed, cluster or plastic, not '%s'%s%s%s",
						   run->options.color, near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "" );
		}
		if ( strcmp( run->options.color, names[i] ) == 0 )
		{
			run->sheet.coloring = (pnColoring)i;
			break;
		}
	}
	return 0;
}

int pnRun_ReadSize( pnRun* run )
{
	run->sheet.width = 480;
	run->sheet.height = 360;
	if ( run->options.size == NULL )
	{
		return 0;
	}
	char rest;
	int width, height;
	if ( sscanf( run->options.size, "%dx%d%c", &width, &height, &rest ) != 2 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--size is WIDTHxHEIGHT in pixels, such as 640x480, not '%s'", run->options.size );
	}
	if ( width < 64 || height < 64 || width > 4096 || height > 4096 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--size goes from 64x64 to 4096x4096, %dx%d is outside", width, height );
	}
	run->sheet.width = width;
	run->sheet.height = height;
	return 0;
}

static int pnCompareInts( const void* a, const void* b )
{
	return ( *(const int*)a > *(const int*)b ) - ( *(const int*)a < *(const int*)b );
}

// Which frames to draw: those of --at, or else the scene's own that the run comes by, and where it ends if that is sooner.
int pnRun_ReadShots( pnRun* run )
{
	run->shotCount = 0;
	if ( run->options.at == NULL )
	{
		for ( int i = 0; i < run->scene->shotCount; ++i )
		{
			int frame = run->scene->shots[i];
			if ( frame >= run->firstFrame && frame < run->lastFrame )
			{
				run->shotFrames[run->shotCount++] = frame;
			}
		}
		int last = run->scene->shotCount > 0 ? run->scene->shots[run->scene->shotCount - 1] : 0;
		if ( run->shotCount == 0 || run->lastFrame <= last )
		{
			run->shotFrames[run->shotCount++] = run->lastFrame;
		}
		return 0;
	}
	char copy[1024];
	snprintf( copy, sizeof( copy ), "%s", run->options.at );
	if ( strlen( run->options.at ) >= sizeof( copy ) )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--at takes up to %d frames", PN_MAX_SHOT_COUNT );
	}
	for ( char* word = strtok( copy, "," ); word != NULL; word = strtok( NULL, "," ) )
	{
		int frame;
		if ( pnReadInt( word, &frame ) == false )
		{
			return pnFail( PN_EXIT_USAGE, pnRunName, "--at needs frames with commas between, such as 0,30,60; '%s' is no frame", word );
		}
		if ( frame < run->firstFrame || frame > run->lastFrame )
		{
			return pnFail( PN_EXIT_USAGE, pnRunName, "--at: frame %d is not in this run, which goes from %d to %d", frame, run->firstFrame,
						   run->lastFrame );
		}
		if ( run->shotCount == PN_MAX_SHOT_COUNT )
		{
			return pnFail( PN_EXIT_USAGE, pnRunName, "--at takes up to %d frames", PN_MAX_SHOT_COUNT );
		}
		run->shotFrames[run->shotCount++] = frame;
	}
	if ( run->shotCount == 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--at needs frames with commas between, such as 0,30,60" );
	}
	qsort( run->shotFrames, (size_t)run->shotCount, sizeof( int ), pnCompareInts );
	int kept = 0;
	for ( int i = 0; i < run->shotCount; ++i )
	{
		if ( kept == 0 || run->shotFrames[i] != run->shotFrames[kept - 1] )
		{
			run->shotFrames[kept++] = run->shotFrames[i];
		}
	}
	run->shotCount = kept;
	return 0;
}
// Told before the run rather than after it. Leaves what is there untouched.
int pnCheckWritable( const char* path )
{
	FILE* old = path != NULL ? fopen( path, "rb" ) : NULL;
	FILE* file = path != NULL ? fopen( path, "ab" ) : NULL;
	int problem = errno;
	if ( old != NULL )
	{
		fclose( old );
	}
	if ( file != NULL )
	{
		fclose( file );
		if ( old == NULL )
		{
			remove( path );
		}
	}
	return path == NULL || file != NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", path, strerror( problem ) );
}
