// peers.c - hands the pile to Node and reads back times and positions. Knows the files of peers/scene.mjs, no physics.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#define _POSIX_C_SOURCE 200809L // popen

#include "peers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

// Where the scripts are and where they may write; given by the build.
#ifndef PLIANT_PEERS_SOURCE
#define PLIANT_PEERS_SOURCE "bench/peers"
#endif
#ifndef PLIANT_PEERS_BUILD
#define PLIANT_PEERS_BUILD "build/peers"
#endif

#define SCENE_MAGIC 0x31504e50 // PNP1
#define RUN_MAGIC 0x31524e50 // PNR1
#define PATH_SIZE 1024
#define LINE_SIZE 512
#define MAX_FRAMES 100000

static const char* const s_names[pn_peerCount] = { "pliant", "rapier_plain", "rapier", "jolt" };

static void FailAll( pnPeerRun* runs, const char* why )
{
	for ( int i = 0; i < pn_peerCount; ++i )
	{
		snprintf( runs[i].why, sizeof( runs[i].why ), "%s", why );
	}
}

// ---- files ----

static bool WriteWords( FILE* file, const void* words, int count )
{
	return fwrite( words, 4, (size_t)count, file ) == (size_t)count;
}

static bool WriteScene( const pnPile* pile, uint32_t seed, const char* path )
{
	FILE* file = fopen( path, "wb" );
	pnVec3* positions = malloc( (size_t)pile->pointCount * sizeof( pnVec3 ) );
	bool isWell = file != NULL && positions != NULL;
	if ( isWell )
	{
		pnPile_WriteStart( pile, positions );
		int32_t head[2] = { SCENE_MAGIC, pile->bodyCount };
		isWell = WriteWords( file, head, 2 ) && WriteWords( file, &pile->halfWidth, 1 ) && WriteWords( file, &seed, 1 );
	}
	for ( int b = 0; b < pile->bodyCount && isWell; ++b )
	{
		const pnPileBody* body = pile->bodies + b;
		const pnPileMesh* mesh = pile->meshes + body->mesh;
		int32_t counts[2] = { mesh->pointCount, mesh->triangleCount };
		isWell = WriteWords( file, counts, 2 ) && WriteWords( file, &body->velocity, 3 ) &&
				 WriteWords( file, positions + body->firstPoint, 3 * mesh->pointCount ) && WriteWords( file, mesh->triangles, 3 * mesh->triangleCount );
	}
	free( positions );
	return file != NULL && fclose( file ) == 0 && isWell;
}

static bool ReadRun( FILE* file, int pointCount, pnPeerRun* run )
{
	int32_t head[4];
	if ( fread( head, 4, 4, file ) != 4 || head[0] != RUN_MAGIC || head[3] != pointCount || head[1] < 1 || head[1] > MAX_FRAMES || head[2] < 0 ||
		 head[2] > head[1] )
	{
		return false;
	}
	run->times = malloc( (size_t)head[1] * sizeof( double ) );
	run->shotFrames = malloc( (size_t)( head[2] + 1 ) * sizeof( int ) );
	run->shots = malloc( (size_t)( head[2] + 1 ) * (size_t)pointCount * sizeof( pnVec3 ) );
	if ( run->times == NULL || run->shotFrames == NULL || run->shots == NULL || fread( run->times, 8, (size_t)head[1], file ) != (size_t)head[1] )
	{
		return false;
	}
	for ( int i = 0; i < head[2]; ++i )
	{
		pnVec3* positions = run->shots + (size_t)i * (size_t)pointCount;
		if ( fread( run->shotFrames + i, 4, 1, file ) != 1 || fread( positions, 12, (size_t)pointCount, file ) != (size_t)pointCount )
		{
			return false;
		}
	}
	run->frameCount = head[1];
	run->shotCount = head[2];
	return true;
}

// ---- processes ----

static void CutLine( char* line )
{
	line[strcspn( line, "\r\n" )] = 0;
}

static int ClosePipe( FILE* pipe )
{
	int status = pclose( pipe );
	return WIFEXITED( status ) ? WEXITSTATUS( status ) : -1;
}

// The last line it prints is what is there or what is missing.
static bool Prepare( pnPeerRun* runs )
{
	char line[LINE_SIZE], last[LINE_SIZE] = "bash did not run";
	FILE* pipe = popen( "bash '" PLIANT_PEERS_SOURCE "/prepare.sh' '" PLIANT_PEERS_BUILD "'", "r" );
	while ( pipe != NULL && fgets( line, sizeof( line ), pipe ) != NULL )
	{
		CutLine( line );
		snprintf( last, sizeof( last ), "%s", line );
	}
	if ( pipe == NULL || ClosePipe( pipe ) != 0 )
	{
		FailAll( runs, last );
		return false;
	}
	fprintf( stderr, "bench: %s\n", last );
	return true;
}

static pnPeerRun* FindRun( pnPeerRun* runs, const char* name )
{
	for ( int i = 0; i < pn_peerCount; ++i )
	{
		if ( strcmp( s_names[i], name ) == 0 )
		{
			return runs + i;
		}
	}
	return NULL;
}

// One line of run_pile.mjs.
static void TakeLine( char* line, pnPeerRun* runs, pnPeerProgressFcn* progress, void* context )
{
	CutLine( line );
	char name[32], text[LINE_SIZE];
	int done, all;
	if ( sscanf( line, "progress %d %d", &done, &all ) == 2 )
	{
		progress( (double)done / all, "peers in Node", context );
	}
	else if ( sscanf( line, "version %31s %511[^\n]", name, text ) == 2 && FindRun( runs, name ) != NULL )
	{
		snprintf( FindRun( runs, name )->version, sizeof( runs->version ), "%.63s", text );
	}
	else if ( sscanf( line, "hash %31s %511[^\n]", name, text ) == 2 && FindRun( runs, name ) != NULL )
	{
		snprintf( FindRun( runs, name )->hash, sizeof( runs->hash ), "%.23s", text );
	}
	else if ( sscanf( line, "failed %31s %511[^\n]", name, text ) == 2 && FindRun( runs, name ) != NULL )
	{
		snprintf( FindRun( runs, name )->why, sizeof( runs->why ), "%.111s", text );
	}
}

static bool RunNode( const pnPeerSettings* settings, pnPeerProgressFcn* progress, void* context, pnPeerRun* runs )
{
	char command[4 * PATH_SIZE];
	snprintf( command, sizeof( command ),
			  "cd '%s' && node --no-liftoff --no-wasm-lazy-compilation run_pile.mjs pile.scene . %d "
			  "'{\"mode\":%d,\"substeps\":%d,\"hertz\":%g,\"dampingRatio\":%g,\"stretch\":%g,\"friction\":%g}' %s %s %s %s 2> node.log",
			  PLIANT_PEERS_BUILD, settings->frameCount, settings->mode, settings->substeps, settings->hertz, settings->dampingRatio, settings->stretch,
			  settings->friction, s_names[0], s_names[1], s_names[2], s_names[3] );
	char line[LINE_SIZE];
	FILE* pipe = popen( command, "r" );
	while ( pipe != NULL && fgets( line, sizeof( line ), pipe ) != NULL )
	{
		TakeLine( line, runs, progress, context );
	}
	return pipe != NULL && ClosePipe( pipe ) == 0;
}

void pnRunPeers( const pnPile* pile, const pnPeerSettings* settings, pnPeerProgressFcn* progress, void* context, pnPeerRun* runs )
{
	memset( runs, 0, pn_peerCount * sizeof( pnPeerRun ) );
	progress( 0.0, "making peers ready", context );
	if ( Prepare( runs ) == false )
	{
		return;
	}
	char path[PATH_SIZE];
	for ( int i = 0; i < pn_peerCount; ++i )
	{
		snprintf( path, sizeof( path ), "%s/%s.run", PLIANT_PEERS_BUILD, s_names[i] );
		remove( path ); // of an earlier time
	}
	if ( WriteScene( pile, settings->seed, PLIANT_PEERS_BUILD "/pile.scene" ) == false )
	{
		FailAll( runs, "the pile could not be written" );
		return;
	}
	if ( RunNode( settings, progress, context, runs ) == false )
	{
		FailAll( runs, "Node failed, see " PLIANT_PEERS_BUILD "/node.log" );
		return;
	}
	for ( int i = 0; i < pn_peerCount; ++i )
	{
		snprintf( path, sizeof( path ), "%s/%s.run", PLIANT_PEERS_BUILD, s_names[i] );
		FILE* file = fopen( path, "rb" );
		if ( runs[i].why[0] == 0 && ( file == NULL || ReadRun( file, pile->pointCount, runs + i ) == false ) )
		{
			snprintf( runs[i].why, sizeof( runs[i].why ), "its results could not be read" );
		}
		if ( file != NULL )
		{
			fclose( file );
		}
	}
}

void pnFreePeerRuns( pnPeerRun* runs )
{
	for ( int i = 0; i < pn_peerCount; ++i )
	{
		free( runs[i].times );
		free( runs[i].shotFrames );
		free( runs[i].shots );
	}
	memset( runs, 0, pn_peerCount * sizeof( pnPeerRun ) );
}
