// cmd_bench.c - `pliant bench`: runs groups of measurements and prints them. Knows the groups, not how they measure.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "../../bench/bench_match.h"
#include "../../bench/report.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int pnCmdBench( int argc, char** argv ); // argv[0] is the command's own name

typedef struct Group
{
	const char* name;
	bool ( *run )( bool quick, pnReport* report );
	const char* summary;
} Group;

static const Group groups[] = {
	{ "match", pnRunMatchBench, "fitting clusters and moving points, without contact" },
};
#define GROUP_COUNT ( (int)( sizeof( groups ) / sizeof( groups[0] ) ) )

static void PrintUsage( FILE* file )
{
	fprintf( file, "usage: pliant bench [GROUP...] [--json] [--quick]\n"
				   "  --json   one object per line on stdout, nothing else there\n"
				   "  --quick  fewer rounds and steps, more noise\n"
				   "groups (all, if none is named):\n" );
	for ( int i = 0; i < GROUP_COUNT; ++i )
	{
		fprintf( file, "  %-8s %s\n", groups[i].name, groups[i].summary );
	}
}

static int FindGroup( const char* name )
{
	for ( int i = 0; i < GROUP_COUNT; ++i )
	{
		if ( strcmp( groups[i].name, name ) == 0 )
		{
			return i;
		}
	}
	return -1;
}

// 0 whatever the bars say: they are read, not enforced. 1 if a measurement could not be made, 2 if the call is wrong.
int pnCmdBench( int argc, char** argv )
{
	bool isJson = false, isQuick = false, isChosen[GROUP_COUNT] = { false }, isAnyChosen = false;
	for ( int i = 1; i < argc; ++i )
	{
		int group = FindGroup( argv[i] );
		if ( group >= 0 )
		{
			isChosen[group] = true;
			isAnyChosen = true;
		}
		else if ( strcmp( argv[i], "--json" ) == 0 )
		{
			isJson = true;
		}
		else if ( strcmp( argv[i], "--quick" ) == 0 )
		{
			isQuick = true;
		}
		else if ( strcmp( argv[i], "--help" ) == 0 || strcmp( argv[i], "-h" ) == 0 )
		{
			PrintUsage( stdout );
			return 0;
		}
		else
		{
			fprintf( stderr, "pliant bench: there is no group or option '%s'\n", argv[i] );
			PrintUsage( stderr );
			return 2;
		}
	}

	pnReport report = { 0 };
	for ( int i = 0; i < GROUP_COUNT; ++i )
	{
		if ( ( isChosen[i] || isAnyChosen == false ) && groups[i].run( isQuick, &report ) == false )
		{
			return 1;
		}
	}

	if ( isJson )
	{
		pnReport_PrintJson( &report, stdout );
	}
	else
	{
		pnReport_PrintTable( &report, stdout );
	}
	return 0;
}
