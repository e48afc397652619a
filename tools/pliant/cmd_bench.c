// cmd_bench.c - `pliant bench`: runs groups of measurements and prints them. Knows the groups, not how they measure.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "../../bench/bench_contact.h"
#include "../../bench/bench_cut.h"
#include "../../bench/bench_kelvin.h"
#include "../../bench/bench_match.h"
#include "../../bench/bench_page.h"
#include "../../bench/bench_pile.h"
#include "../../bench/bench_points.h"
#include "../../bench/report.h"
#include "../options.h"
#include "commands.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static const char s_command[] = "pliant bench";

typedef struct Settings
{
	bool isQuick;
	pnPileOptions pile;
	pnContactOptions contact;
	pnKelvinBenchOptions kelvin;
	const char* svg;
} Settings;

static bool RunMatch( const Settings* settings, pnReport* report )
{
	return pnRunMatchBench( settings->isQuick, report );
}

static bool RunPile( const Settings* settings, pnReport* report )
{
	return pnRunPileBench( &settings->pile, report );
}

static bool RunContact( const Settings* settings, pnReport* report )
{
	return pnRunContactBench( &settings->contact, report );
}

static bool RunCut( const Settings* settings, pnReport* report )
{
	return pnRunCutBench( settings->isQuick, report );
}

static bool RunPage( const Settings* settings, pnReport* report )
{
	return pnRunPageBench( settings->isQuick, report );
}

static bool RunKelvin( const Settings* settings, pnReport* report )
{
	return pnRunKelvinBench( &settings->kelvin, report );
}

static bool RunPoints( const Settings* settings, pnReport* report )
{
	return pnRunPointsBench( settings->isQuick, settings->svg, report );
}

typedef struct Group
{
	const char* name;
	bool ( *run )( const Settings* settings, pnReport* report );
	const char* summary;
	bool isLong; // run only if it is named
} Group;

static const Group groups[] = {
	{ "match", RunMatch, "fitting clusters and moving points, without contact", false },
	{ "cut", RunCut, "cutting bodies of 5,000 to 200,000 triangles", false },
	{ "page", RunPage, "the page: steps of its module in Node, frames and their encoding", false },
	{ "kelvin", RunKelvin, "the static solver and baked responses, exact fields, finite elements", false },
	{ "pile", RunPile, "bodies in a box: contact, its cost and how clean it is, and the peers' (about 5 minutes)", false },
	{ "points", RunPoints, "what a frame takes over the number of points, as Fig. 8 of the paper has it; only if it is named", true },
	{ "contact", RunContact, "how good contact is over many random cases (two hours; --quick: 3 minutes); only if it is named", true },
};
enum
{
	groupCount = sizeof( groups ) / sizeof( groups[0] )
};

static void PrintHelp( const pnOption* options, int optionCount )
{
	printf( "usage: pliant bench [GROUP...] [OPTION...]\ngroups (all but points and contact, if none is named):\n" );
	for ( int i = 0; i < groupCount; ++i )
	{
		printf( "  %-8s %s\n", groups[i].name, groups[i].summary );
	}
	int rowCount;
	const char* const* rows = pnGetContactRows( &rowCount );
	printf( "rows of contact:" );
	for ( int i = 0; i < rowCount; ++i )
	{
		printf( " %s", rows[i] );
	}
	printf( "\n\n" );
	pnPrintOptions( stdout, options, optionCount );
}

static int FindGroup( const char* name )
{
	for ( int i = 0; i < groupCount; ++i )
	{
		if ( strcmp( groups[i].name, name ) == 0 )
		{
			return i;
		}
	}
	return -1;
}

static bool HasRow( const char* name )
{
	int count;
	const char* const* names = pnGetContactRows( &count );
	for ( int i = 0; i < count; ++i )
	{
		if ( strcmp( names[i], name ) == 0 )
		{
			return true;
		}
	}
	return false;
}

static bool ReadMode( const char* name, int* mode )
{
	static const char* const names[] = { "rigid", "linear", "quadratic" }; // as pnMode counts
	for ( int i = 0; i < 3; ++i )
	{
		if ( strcmp( names[i], name ) == 0 )
		{
			*mode = i;
			return true;
		}
	}
	return false;
}

// 0 whatever the bars say: they are read, not enforced. 1 if a measurement could not be made, 2 if the call is wrong.
int pnCmdBench( int argc, char** argv )
{
	Settings settings = { .pile = pnDefaultPileOptions(), .contact = pnDefaultContactOptions() };
	bool isJson = false;
	const char* mode = NULL;
	const pnOption options[] = {
		{ "--json", pn_flagOption, &isJson, 0, 0, NULL, "one object per line on stdout, nothing else there" },
		{ "--quick", pn_flagOption, &settings.isQuick, 0, 0, NULL, "fewer rounds and steps, more noise" },
		{ "--size", pn_intOption, &settings.pile.size, 100, 1000, "N", "pile: only that of 100, 384 or 1000 bodies" },
		{ "--no-peers", pn_flagOption, &settings.pile.noPeers, 0, 0, NULL, "pile, kelvin: without Bullet, CalculiX and what runs in Node" },
		{ "--csv", pn_textOption, &settings.kelvin.csv, 0, 0, "FILE.csv", "kelvin: write errors over the number of sources" },
		{ "--svg", pn_textOption, &settings.svg, 0, 0, "FILE.svg", "points: write the curves" },
		{ "--mode", pn_textOption, &mode, 0, 0, "NAME", "pile: rigid, linear or quadratic; default quadratic" },
		{ "--hertz", pn_realOption, &settings.pile.hertz, 0.1, 1000, "HZ", "pile: how fast bodies return to shape; default 20" },
		{ "--stretch", pn_realOption, &settings.pile.stretch, 0, 1, "BETA", "pile: how far goals follow the fitted shape; default 0.5" },
		{ "--substeps", pn_intOption, &settings.pile.substeps, 1, 64, "N", "pile: of each frame; default 4" },
		{ "--seed", pn_intOption, &settings.pile.seed, 1, 1000000, "N", "pile: where bodies start; contact: of the first case; default 1" },
		{ "--row", pn_textOption, &settings.contact.row, 0, 0, "NAME", "contact: only this row" },
		{ "--cases", pn_intOption, &settings.contact.cases, 1, 100000, "N", "contact: of each row" },
	};
	enum
	{
		optionCount = sizeof( options ) / sizeof( options[0] )
	};
	const char* names[groupCount];
	int nameCount;
	bool help;
	int code = pnReadOptions( s_command, options, optionCount, argc, argv, names, &nameCount, groupCount, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		PrintHelp( options, optionCount );
		return 0;
	}

	bool isChosen[groupCount] = { false };
	for ( int i = 0; i < nameCount; ++i )
	{
		int group = FindGroup( names[i] );
		if ( group < 0 )
		{
			return pnFail( PN_EXIT_USAGE, s_command, "there is no group '%s'; --help names them", names[i] );
		}
		isChosen[group] = true;
	}
	if ( mode != NULL && ReadMode( mode, &settings.pile.mode ) == false )
	{
		return pnFail( PN_EXIT_USAGE, s_command, "there is no mode '%s', only rigid, linear and quadratic", mode );
	}
	int size = settings.pile.size;
	if ( size != 0 && size != 100 && size != 384 && size != 1000 )
	{
		return pnFail( PN_EXIT_USAGE, s_command, "piles have 100, 384 or 1000 bodies, not %d", size );
	}
	settings.pile.quick = settings.isQuick;
	settings.kelvin.quick = settings.isQuick;
	settings.contact.quick = settings.isQuick;
	settings.contact.seed = settings.pile.seed;
	if ( settings.contact.row != NULL && HasRow( settings.contact.row ) == false )
	{
		return pnFail( PN_EXIT_USAGE, s_command, "there is no row '%s'; --help names them", settings.contact.row );
	}
	settings.kelvin.noPeers = settings.pile.noPeers;

	pnReport report = { .isJson = isJson };
	for ( int i = 0; i < groupCount; ++i )
	{
		if ( ( isChosen[i] || ( nameCount == 0 && groups[i].isLong == false ) ) && groups[i].run( &settings, &report ) == false )
		{
			return PN_EXIT_FAILURE;
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
