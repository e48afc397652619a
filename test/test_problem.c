// test_problem.c - problem files: mistakes are told with their place, shipped problems and the schema agree with the reader, no bytes harm it,
// and the shapes that come with the program are closed. Knows the reader of tools/; of the solver that load cases
// are what it would find for them alone.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "json_place.h"
#include "problem.h"
#include "problem_parts.h"
#include "whole_file.h"

#include "test.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PLIANT_PROBLEMS_SOURCE
#define PLIANT_PROBLEMS_SOURCE "problems"
#endif

// ---- mistakes ----

#define GOOD_SURFACE "\"surface\": { \"shape\": \"box\", \"size\": [1, 1, 1], \"divisions\": [2, 2, 2] },\n"
#define GOOD_MATERIAL "\"material\": { \"youngs_modulus\": 1e6, \"poisson_ratio\": 0.3 },\n"
#define HOLDS "\"conditions\": [ { \"where\": { \"group\": \"left\" }, \"fixed\": true } ]"
#define HEAD "{\n" GOOD_SURFACE GOOD_MATERIAL // what follows is line 4
#define CONDITION( C ) HEAD "\"conditions\": [\n" C "\n] }" // the condition is line 5

typedef struct Mistake
{
	const char* text;
	const char* message; // after the file's name and a colon
} Mistake;

static const Mistake s_mistakes[] = {
	// what is no JSON
	{ "", "1:1: this is not JSON: '[' or '{' expected near end of file" },
	{ "{\n\t\"surface\": {,}\n}", "2:14: this is not JSON: string or '}' expected near ','" },
	{ "{ \"a\": 1, \"a\": 2 }", "1:13: this is not JSON: duplicate object key near '\"a\"'" },
	{ "{ \"tolerance\": NaN }", "1:18: this is not JSON: invalid token near 'NaN'" },
	{ "{ \"tolerance\": 1e999 }", "1:20: this is not JSON: real number overflow near '1e999'" },
	// what is not there, and what is there but unknown
	{ "[]", "1:1: wants an object { ... }, not a list" },
	{ "\n {}", "2:2: needs \"surface\": a shape, or a file with a mesh or a cloud" },
	{ "{\n" GOOD_SURFACE "\"materials\": {} }", "3:1: materials: there is no such key; did you mean 'material'?" },
	{ HEAD "\"tolerance\": 0.1 }", "1:1: needs \"conditions\": what is held and what is loaded" },
	{ HEAD "\"qqqq\": 1 }", "4:1: qqqq: there is no such key; there are: $schema, title, about, " },
	{ HEAD HOLDS ",\n\"sources\": { \"number\": 3 } }", "5:14: sources.number: there is no such key; there are: placement, count, distance, seed, points" },
	// values
	{ HEAD HOLDS ", \"tolerance\": \"small\" }", "4:81: tolerance: wants a number, not a text" },
	{ HEAD HOLDS ",\n\"tolerance\": 7 }", "5:14: tolerance: goes from 1e-08 to 1, 7 is outside" },
	{ HEAD HOLDS ",\n\"points_per_triangle\": 2 }", "5:24: points_per_triangle: is 1 or 3" },
	{ HEAD HOLDS ",\n\"points_per_triangle\": 1.5 }", "5:24: points_per_triangle: wants a whole number, not 1.5" },
	{ HEAD HOLDS ",\n\"method\": \"lqs\" }", "5:11: method: 'lqs' is not known; did you mean 'lsq'?" },
	{ HEAD HOLDS ",\n\"method\": \"magic\" }", "5:11: method: 'magic' is not known; it is energy, lsq, lsq-cg or auto" },
	{ HEAD HOLDS ",\n\"sources\": { \"count\": 2 } }", "5:23: sources.count: goes from 4 to 5000, 2 is outside" },
	{ HEAD HOLDS ",\n\"sources\": { \"placement\": \"given\" } }", "5:12: sources: \"placement\": \"given\" and \"points\": [[x, y, z], ...] go together" },
	{ HEAD HOLDS ",\n\"refine_surface\": 1 }", "5:19: refine_surface: wants true or false, not a number" },
	// material
	{ "{\n" GOOD_SURFACE "\"material\": { \"youngs_modulus\": 1e6, \"poisson_ratio\": 0.5 },\n" HOLDS "}",
	  "3:55: material.poisson_ratio: must lie between -1 and 0.5; at 0.5 nothing can be compressed, 0.49 is near it" },
	{ "{\n" GOOD_SURFACE "\"material\": { \"youngs_modulus\": -1, \"poisson_ratio\": 0.3 },\n" HOLDS "}",
	  "3:33: material.youngs_modulus: goes from 1e-06 to 1e+15, -1 is outside" },
	{ "{\n" GOOD_SURFACE "\"material\": { \"poisson_ratio\": 0.3 },\n" HOLDS "}",
	  "3:13: material: needs either \"youngs_modulus\" or \"shear_modulus\", Pa" },
	// surfaces
	{ "{ \"surface\": {},\n" GOOD_MATERIAL HOLDS "}", "1:14: surface: needs one of \"shape\", \"mesh\" (a file) and \"cloud\" (a file)" },
	{ "{ \"surface\": { \"shape\": \"bpx\" },\n" GOOD_MATERIAL HOLDS "}", "1:25: surface.shape: 'bpx' is not known; did you mean 'box'?" },
	{ "{ \"surface\": { \"shape\": \"box\" },\n" GOOD_MATERIAL HOLDS "}", "1:14: surface: needs \"size\": [x, y, z], m" },
	{ "{ \"surface\": { \"shape\": \"box\", \"size\": [1, 0, 1] },\n" GOOD_MATERIAL HOLDS "}",
	  "1:40: surface.size: wants three lengths from 1e-06 to 1e+06" },
	{ "{ \"surface\": { \"shape\": \"box\", \"size\": [1, 1, 1], \"radius\": 1 },\n" GOOD_MATERIAL HOLDS "}",
	  "1:51: surface.radius: means nothing for a box" },
	{ "{ \"surface\": { \"shape\": \"box\", \"size\": [1, 1, 1], \"divisions\": [200, 200, 200] },\n" GOOD_MATERIAL HOLDS "}",
	  "1:64: surface.divisions: makes more than 200000 triangles" },
	{ "{ \"surface\": { \"shape\": \"box\", \"size\": [1, 1, 1], \"divisions\": [2, 1e9, 2] },\n" GOOD_MATERIAL HOLDS "}",
	  "1:68: surface.divisions[1]: wants a whole number, not 1e+09" },
	{ "{ \"surface\": { \"shape\": \"hollow_sphere\", \"radius\": 1, \"inner_radius\": 1 },\n" GOOD_MATERIAL HOLDS "}",
	  "1:71: surface.inner_radius: must be less than the radius" },
	{ "{ \"surface\": { \"mesh\": \"no_such_file.obj\" },\n" GOOD_MATERIAL HOLDS "}",
	  "1:24: surface.mesh: cannot use 'no_such_file.obj': No such file or directory" },
	{ "{ \"surface\": { \"cloud\": \"no_such_file.csv\" },\n" GOOD_MATERIAL HOLDS "}",
	  "1:25: surface.cloud: cannot use 'no_such_file.csv': No such file or directory" },
	{ "{ \"surface\": { \"mesh\": \"a.obj\", \"size\": [1, 1, 1] },\n" GOOD_MATERIAL HOLDS "}",
	  "1:33: surface.size: goes with a shape; a file is made larger with \"scale\"" },
	{ "{ \"surface\": { \"shape\": \"animal\", \"points\": 50 },\n" GOOD_MATERIAL HOLDS "}", "1:35: surface.points: goes with \"as\": \"cloud\"" },
	// regions and conditions
	{ CONDITION( "{ \"fixed\": true }" ), "5:1: conditions[0]: needs \"where\": a region such as " },
	{ CONDITION( "{ \"where\": {} }" ),
	  "5:1: conditions[0]: says nothing: it needs fixed, displaced, rotated, affine, traction, pressure, force, spring, roller or symmetry" },
	{ CONDITION( "{ \"where\": {}, \"fixed\": true, \"pressure\": 1 }" ),
	  "5:31: conditions[0].pressure: a condition says one thing; this one has \"fixed\" already" },
	{ CONDITION( "{ \"where\": {}, \"fixed\": \"xw\" }" ),
	  "5:25: conditions[0].fixed: wants true or the axes that are fixed, such as \"xz\"" },
	{ CONDITION( "{ \"where\": { \"group\": \"lefd\" }, \"fixed\": true }" ),
	  "5:23: conditions[0].where.group: the surface has no group 'lefd'; did you mean 'left'?" },
	{ CONDITION( "{ \"where\": { \"group\": \"wheel\" }, \"fixed\": true }" ),
	  "5:23: conditions[0].where.group: the surface has no group 'wheel'; it has: left, right, bottom, top, back, front" },
	{ CONDITION( "{ \"where\": {}, \"fixed\": true },\n{ \"where\": { \"box\": [[5, 5, 5], [6, 6, 6]] }, \"fixed\": true }" ),
	  "6:12: conditions[1].where: no part of the surface is there; the solid goes from (-0.5, -0.5, -0.5) to (0.5, 0.5, 0.5)" },
	{ CONDITION( "{ \"where\": {}, \"fixed\": true },\n{ \"where\": { \"box\": [[400, -500, -500], [500, 500, 500]] }, \"fixed\": true }" ),
	  "6:12: conditions[1].where: no part of the surface is there; the solid goes from (-0.5, -0.5, -0.5) to (0.5, 0.5, 0.5); with its lengths times 0.001 it "
	  "would be: other units?" },
	{ CONDITION( "{ \"where\": { \"box\": [[5, 5, 5]] }, \"fixed\": true }" ),
	  "5:21: conditions[0].where.box: wants two corners of three numbers, [[x, y, z], [x, y, z]]" },
	{ CONDITION( "{ \"where\": { \"box\": [[5, 5, 5], [1, 2]] }, \"fixed\": true }" ),
	  "5:33: conditions[0].where.box[1]: wants three numbers [x, y, z], not a list of another length" },
	{ CONDITION( "{ \"where\": { \"box\": [[5, 5, 5], [1, 2, null]] }, \"fixed\": true }" ),
	  "5:40: conditions[0].where.box[1][2]: wants a number, not null" },
	{ CONDITION( "{ \"where\": { \"facing\": { \"direction\": [0, 0, 0], \"angle\": 5 } }, \"fixed\": true }" ),
	  "5:39: conditions[0].where.facing.direction: must not have the length 0: it is a direction" },
	{ CONDITION( "{ \"where\": { \"sphere\": { \"center\": [0, 0, 0] } }, \"fixed\": true }" ),
	  "5:24: conditions[0].where.sphere: needs \"radius\": m" },
	{ CONDITION( "{ \"where\": {}, \"displaced\": [null, null, null] }" ),
	  "5:29: conditions[0].displaced: all three are null: nothing is displaced" },
	{ CONDITION( "{ \"where\": {}, \"roller\": false }" ), "5:26: conditions[0].roller: is true or not there" },
	{ CONDITION( "{ \"where\": {}, \"rotated\": { \"axis\": [0, 0, 1] } }" ),
	  "5:27: conditions[0].rotated: needs \"degrees\": how far, counterclockwise seen from the tip of the axis" },
	{ CONDITION( "{ \"where\": {}, \"affine\": { \"matrix\": [null, [1, 2], null] } }" ),
	  "5:45: conditions[0].affine.matrix[1]: wants three numbers [x, y, z], not a list of another length" },
	// indenters, handles, probes
	{ HEAD HOLDS ",\n\"indenters\": [ { \"shape\": \"ball\", \"center\": [0, 1, 0], \"radius\": 1, \"direction\": [0, -1, 0] } ] }",
	  "5:16: indenters[0]: needs either \"depth\" (m along the direction) or \"force\" (N)" },
	{ HEAD HOLDS ",\n\"indenters\": [ { \"shape\": \"ball\", \"center\": [0, 1, 0], \"direction\": [0, -1, 0], \"depth\": 1 } ] }",
	  "5:16: indenters[0]: needs \"radius\": m" },
	{ HEAD HOLDS ",\n\"indenters\": [ { \"shape\": \"plate\", \"center\": [0, 1, 0], \"radius\": 1, \"direction\": [0, -1, 0], \"depth\": 1 } ] }",
	  "5:57: indenters[0].radius: means nothing for a plate" },
	{ HEAD HOLDS ",\n\"indenters\": [ { \"shape\": \"plate\", \"center\": [0, 1, 0], \"direction\": [0, -1, 0], \"depth\": 1, \"friction\": -1 } ] }",
	  "5:106: indenters[0].friction: goes from 0 to 1e+06, -1 is outside" },
	{ HEAD HOLDS ",\n\"indenters\": [ { \"shape\": \"plate\", \"center\": [0, 1, 0], \"direction\": [0, -1, 0], \"depth\": 1, \"drag\": [1, 1, 0] } ] }",
	  "5:102: indenters[0].drag: is not across the direction" },
	// several materials
	{ HEAD HOLDS ",\n\"parts\": [] }", "2:1: surface: is said of each part when there are parts" },
	{ "{\n\"parts\": [ { \"surface\": { \"shape\": \"box\", \"size\": [1, 1, 1] } } ],\n" HOLDS "}", "2:10: parts: wants 2 to 16 items, not 1" },
	{ "{\n\"parts\": [ { \"surface\": { \"cloud\": \"x.csv\" }, " GOOD_MATERIAL "\"name\": \"a\" }, {} ],\n" HOLDS "}", "2:27: parts[0].surface.cloud: is not for parts: they are meshes" },
	{ HEAD HOLDS ",\n\"method\": \"lsq\", \"indenters\": [ { \"shape\": \"plate\", \"center\": [0, 1, 0], \"direction\": [0, -1, 0], \"depth\": 1 } ] }",
	  "5:11: method: indenters need the method \"energy\"" },
	{ HEAD HOLDS ",\n\"handles\": [ { \"center\": [9, 9, 9], \"radius\": 1 } ] }", "5:14: handles[0]: reaches no vertex of the surface" },
	{ HEAD HOLDS ",\n\"probes\": [ { \"at\": [0, 0.6, 0] } ] }", "5:21: probes[0].at: lies outside the solid, where there is no answer" },
	// load cases
	{ HEAD HOLDS ",\n\"cases\": [ { \"name\": \"a\" } ] }", "5:12: cases[0]: needs \"factors\": such as {\"load\": 2, \"wind\": 0}, by names of conditions" },
	{ HEAD HOLDS ",\n\"cases\": [ { \"name\": \"a/b\", \"factors\": {} } ] }",
	  "5:22: cases[0].name: becomes part of file names: letters, digits, _ and - only" },
	{ HEAD HOLDS ",\n\"cases\": [ { \"name\": \"a\", \"factors\": {} },\n{ \"name\": \"a\", \"factors\": {} } ] }", "6:11: cases[1].name: there is another case 'a'" },
	{ HEAD HOLDS ",\n\"cases\": [ { \"name\": \"a\", \"factors\": { \"condition 2\": 1 } } ] }",
	  "5:40: cases[0].factors.condition 2: no condition has this name; did you mean 'condition 1'?" },
	{ HEAD HOLDS ",\n\"cases\": [ { \"name\": \"a\", \"factors\": { \"condition 1\": true } } ] }",
	  "5:55: cases[0].factors.condition 1: wants a number, not true" },
	{ HEAD HOLDS ",\n\"cases\": [ { \"name\": \"a\", \"factors\": [1] } ] }", "5:38: cases[0].factors: wants an object: names of conditions with a factor each" },
	// columns are characters, not bytes; tabs are one
	{ HEAD "\t\"title\": \"d\xc3\xa4 \xe2\x82\xac\", \"tolerance\": 3 }", "1:1: needs \"conditions\": what is held and what is loaded" },
	{ HEAD HOLDS ",\n\t\"title\": \"d\xc3\xa4 \xe2\x82\xac\", \"tolerance\": 3 }", "5:32: tolerance: goes from 1e-08 to 1, 3 is outside" },
};

static void MistakesAreToldWithTheirPlace( void )
{
	for ( size_t i = 0; i < sizeof( s_mistakes ) / sizeof( s_mistakes[0] ); ++i )
	{
		pnProblem problem;
		char message[PN_MESSAGE_SIZE] = "";
		bool read = pnReadProblem( s_mistakes[i].text, strlen( s_mistakes[i].text ), "x.json", false, &problem, message );
		pnTestContext( "it said %s, not %s", message, s_mistakes[i].message );
		ENSURE( read == false );
		ENSURE( strncmp( message, "x.json:", 7 ) == 0 && strncmp( message + 7, s_mistakes[i].message, strlen( s_mistakes[i].message ) ) == 0 );
		if ( read )
		{
			pnFreeProblem( &problem );
		}
	}
}

static void PlacesOnTheSurfaceAreInside( void )
{
	static const char* const places[] = { "[0, 0, 0]", "[0.5, 0, 0]", "[-0.5, 0.5, 0.5]", "[0.5, 0.5, 0.5]", "[0, -0.5, 0.25]" };
	for ( int i = 0; i < 5; ++i )
	{
		char text[1000], message[PN_MESSAGE_SIZE] = "";
		snprintf( text, sizeof( text ), HEAD HOLDS ", \"probes\": [ { \"at\": %s } ] }", places[i] );
		pnProblem problem;
		pnTestContext( "%s", places[i] );
		if ( ENSURE( pnReadProblem( text, strlen( text ), "x.json", false, &problem, message ) ) )
		{
			pnFreeProblem( &problem );
		}
	}
}

// ---- what is shipped ----

enum
{
	maxShipped = 64
};

typedef struct Shipped
{
	char name[256];
	char* text;
	size_t length;
} Shipped;

static int CompareShipped( const void* a, const void* b ) { return strcmp( ( (const Shipped*)a )->name, ( (const Shipped*)b )->name ); }

// In the order of their names; texts end with a zero.
static int LoadShipped( Shipped* all )
{
	int count = 0;
	DIR* directory = opendir( PLIANT_PROBLEMS_SOURCE );
	for ( struct dirent* entry = directory != NULL ? readdir( directory ) : NULL; entry != NULL && count < maxShipped; entry = readdir( directory ) )
	{
		size_t length = strlen( entry->d_name );
		if ( length < 6 || strcmp( entry->d_name + length - 5, ".json" ) != 0 || strcmp( entry->d_name, "schema.json" ) == 0 )
		{
			continue;
		}
		char path[600];
		const char* why;
		snprintf( path, sizeof( path ), "%s/%s", PLIANT_PROBLEMS_SOURCE, entry->d_name );
		snprintf( all[count].name, sizeof( all[count].name ), "%s", entry->d_name );
		uint8_t* bytes = pnReadFile( path, &all[count].length, &why );
		all[count].text = bytes != NULL ? calloc( all[count].length + 1, 1 ) : NULL;
		if ( all[count].text != NULL )
		{
			memcpy( all[count].text, bytes, all[count].length );
			count += 1;
		}
		free( bytes );
	}
	if ( directory != NULL )
	{
		closedir( directory );
	}
	qsort( all, (size_t)count, sizeof( Shipped ), CompareShipped );
	return count;
}

static void FreeShipped( Shipped* all, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		free( all[i].text );
	}
}

static void ShippedProblemsAreRead( void )
{
	static Shipped all[maxShipped];
	int count = LoadShipped( all );
	ENSURE( count >= 10 );
	for ( int i = 0; i < count; ++i )
	{
		pnProblem problem;
		char message[PN_MESSAGE_SIZE] = "";
		bool read = pnReadProblem( all[i].text, all[i].length, all[i].name, false, &problem, message );
		// the bunny is fetched, not shipped
		bool isAway = strstr( message, "tools/fetch_bunny.sh" ) != NULL && strstr( all[i].text, "\"bunny\"" ) != NULL;
		pnTestContext( "%s: %s", all[i].name, message );
		ENSURE( read || isAway );
		ENSURE( strstr( all[i].text, "\"$schema\": \"schema.json\"" ) != NULL );
		if ( read )
		{
			ENSURE( problem.title[0] != 0 && problem.about[0] != 0 );
			ENSURE( ( problem.def.pointCount > 3 || problem.def.partCount > 1 ) && problem.conditionCount > 0 );
			pnFreeProblem( &problem );
		}
	}
	FreeShipped( all, count );
}

// With fewer sources than they ask for, so that it is quick; then the answer may be a weak one.
static void ShippedProblemsAreSolved( void )
{
	static Shipped all[maxShipped];
	int count = LoadShipped( all ), solved = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnProblem problem;
		char message[PN_MESSAGE_SIZE] = "";
		if ( !pnReadProblem( all[i].text, all[i].length, all[i].name, false, &problem, message ) )
		{
			continue; // the bunny is fetched, not shipped
		}
		pnKelvin* kelvin = NULL;
		problem.def.sourceCount = problem.def.sourceCount > 120 || problem.def.sourceCount == 0 ? 120 : problem.def.sourceCount;
		pnTestContext( "%s", all[i].name );
		ENSURE( pnCreateKelvin( &problem.def, &kelvin, NULL ) >= 0 );
		solved += kelvin != NULL;
		pnDestroyKelvin( kelvin );
		pnFreeProblem( &problem );
	}
	ENSURE( solved >= 8 );
	FreeShipped( all, count );
}

static void SchemaHasTheReadersKeys( void )
{
	json_t* schema = json_load_file( PLIANT_PROBLEMS_SOURCE "/schema.json", 0, NULL );
	REQUIRE( schema != NULL );
	int tableCount;
	const pnKeyTable* tables = pnGetProblemKeys( &tableCount );
	json_t* definitions = json_object_get( schema, "$defs" );
	for ( int i = 0; i < tableCount; ++i )
	{
		bool isRoot = strcmp( tables[i].name, "problem" ) == 0;
		json_t* object = isRoot ? schema : json_object_get( definitions, tables[i].name );
		json_t* properties = json_object_get( object, "properties" );
		pnTestContext( "%s", tables[i].name );
		ENSURE( json_is_false( json_object_get( object, "additionalProperties" ) ) );
		ENSURE( (int)json_object_size( properties ) == tables[i].count );
		for ( int j = 0; j < tables[i].count; ++j )
		{
			json_t* key = json_object_get( properties, tables[i].keys[j] );
			pnTestContext( "%s.%s", tables[i].name, tables[i].keys[j] );
			ENSURE( json_is_string( json_object_get( key, "description" ) ) || json_is_string( json_object_get( key, "$ref" ) ) );
		}
	}
	const char* name;
	json_t* definition;
	json_object_foreach( definitions, name, definition ) // and nothing that the reader does not know
	{
		bool known = json_object_get( definition, "properties" ) == NULL; // vectors
		for ( int i = 0; i < tableCount; ++i )
		{
			known = known || strcmp( tables[i].name, name ) == 0;
		}
		pnTestContext( "%s", name );
		ENSURE( known && json_is_string( json_object_get( definition, "description" ) ) );
	}
	json_decref( schema );
}

// ---- bytes from outside ----

// Bytes changed, left out, doubled; words of the format put where they do not belong.
static size_t Mutate( pnRandom* random, const Shipped* from, const Shipped* other, char* text )
{
	static const char* const words[] = { "null", "true", "[]", "{}", "-1", "1e15", "0", "\"\"", "1e-300", "99999999", "[null,null,null]", "\"left\"",
										 "{\"axis\":[0,0,1],\"degrees\":9}", "[[0,0,0],[1,1,1]]", "\"\\u0000\"", ",", ":", "\"radius\":1,", "\xff" };
	size_t length = from->length;
	memcpy( text, from->text, length );
	int changes = 1 + pnRandomInt( random, 4 );
	for ( int i = 0; i < changes; ++i )
	{
		size_t at = (size_t)pnRandomInt( random, (int)length ), size;
		switch ( pnRandomInt( random, 5 ) )
		{
		case 0:
			text[at] = (char)pnRandomInt( random, 256 );
			break;

		case 1: // leave some out
			size = (size_t)pnRandomInt( random, 20 );
			size = size < length - at ? size : length - at - 1;
			memmove( text + at, text + at + size, length - at - size );
			length -= size;
			break;

		case 2: // another value: from one mark to the next
		{
			const char* word = words[pnRandomInt( random, (int)( sizeof( words ) / sizeof( words[0] ) ) )];
			while ( at > 0 && strchr( ":[,", text[at] ) == NULL )
			{
				at -= 1;
			}
			size_t end = at + 1;
			while ( end < length && strchr( ",]}\n", text[end] ) == NULL )
			{
				end += 1;
			}
			size = strlen( word );
			memmove( text + at + 1 + size, text + end, length - end );
			memcpy( text + at + 1, word, size );
			length = at + 1 + size + length - end;
			break;
		}

		case 3: // a digit
			for ( size_t k = 0; k < length && ( text[at] < '0' || text[at] > '9' ); ++k )
			{
				at = ( at + 1 ) % length;
			}
			text[at] = (char)( '0' + pnRandomInt( random, 10 ) );
			break;

		default: // a piece of another problem
			size = (size_t)pnRandomInt( random, 60 );
			size = size < other->length ? size : other->length;
			memmove( text + at + size, text + at, length - at );
			memcpy( text + at, other->text + pnRandomInt( random, (int)( other->length - size ) + 1 ), size );
			length += size;
			break;
		}
	}
	return length;
}

static void NoBytesHarmTheReader( void )
{
	static Shipped all[maxShipped];
	int count = LoadShipped( all );
	REQUIRE( count > 0 );
	pnRandom random = pnSeed( 41 );
	int readCount = 0, madeCount = 0, unplaced = 0;
	char* text = malloc( 65536 );
	REQUIRE( text != NULL );
	for ( int i = 0; i < 20000; ++i )
	{
		size_t length = Mutate( &random, all + pnRandomInt( &random, count ), all + pnRandomInt( &random, count ), text );
		// exactly as long as it is, so that a reader that runs over the end is caught
		char* exact = malloc( length );
		REQUIRE( exact != NULL );
		memcpy( exact, text, length );
		bool dry = i % 50 != 0; // making surfaces takes its time
		pnProblem problem;
		char message[PN_MESSAGE_SIZE] = "";
		bool read = pnReadProblem( exact, length, "f.json", dry, &problem, message );
		int line, column;
		unplaced += read == false && sscanf( message, "f.json:%d:%d: ", &line, &column ) != 2;
		readCount += read;
		madeCount += read && dry == false;
		if ( read )
		{
			pnFreeProblem( &problem );
		}
		free( exact );
	}
	ENSURE( unplaced == 0 );
	ENSURE( readCount > 1000 && madeCount > 10 ); // mutations that leave it whole reach the later checks
	pnTestNote( "%d of 20000 were read, %d with surfaces", readCount, madeCount );
	free( text );
	FreeShipped( all, count );
}

static void PlacesAreFoundInAnyText( void )
{
	pnRandom random = pnSeed( 7 );
	for ( int i = 0; i < 20000; ++i )
	{
		static const char letters[] = "{}[]:,\"\\ \n0a";
		char text[64];
		int length = pnRandomInt( &random, 64 ), steps[4], line, column;
		for ( int k = 0; k < length; ++k )
		{
			text[k] = letters[pnRandomInt( &random, (int)sizeof( letters ) - 1 )];
		}
		for ( int k = 0; k < 4; ++k )
		{
			steps[k] = pnRandomInt( &random, 3 );
		}
		pnFindJsonPlace( text, (size_t)length, steps, pnRandomInt( &random, 5 ), i % 2 == 0, &line, &column );
		ENSURE( line >= 1 && column >= 1 && line + column <= length + 2 );
	}
}

// ---- shapes ----

static int CompareEdges( const void* a, const void* b ) { return ( *(const uint64_t*)a > *(const uint64_t*)b ) - ( *(const uint64_t*)a < *(const uint64_t*)b ); }

// Each directed edge is there once, and so is its reverse. Returns the volume, m^3; NAN if it is not closed.
static double CheckClosed( const pnSkinMesh* skin )
{
	size_t count = 3 * (size_t)skin->triangleCount;
	uint64_t* edges = malloc( 2 * count * sizeof( uint64_t ) );
	if ( edges == NULL )
	{
		return NAN;
	}
	double volume = 0.0;
	for ( size_t i = 0; i < count; ++i )
	{
		const int32_t* c = skin->triangles + i / 3 * 3;
		uint64_t a = (uint64_t)c[i % 3], b = (uint64_t)c[( i + 1 ) % 3];
		edges[i] = a << 32 | b;
		edges[count + i] = b << 32 | a;
		const pnVec3d *p = skin->points + c[0], *q = skin->points + c[1], *r = skin->points + c[2];
		volume += i % 3 == 0 ? ( p->x * ( q->y * r->z - q->z * r->y ) + p->y * ( q->z * r->x - q->x * r->z ) + p->z * ( q->x * r->y - q->y * r->x ) ) / 6.0 : 0.0;
	}
	qsort( edges, count, sizeof( uint64_t ), CompareEdges );
	qsort( edges + count, count, sizeof( uint64_t ), CompareEdges );
	bool closed = memcmp( edges, edges + count, count * sizeof( uint64_t ) ) == 0;
	for ( size_t i = 1; i < count; ++i )
	{
		closed = closed && edges[i] != edges[i - 1];
	}
	free( edges );
	return closed ? volume : NAN;
}

static void ShapesAreClosedAndLookOutward( void )
{
	const double pi = 3.14159265358979;
	for ( int i = 0; i < 9; ++i )
	{
		pnSkinMesh skin = { 0 };
		double volume = 0.0, tolerance = 1e-12;
		if ( i == 0 )
		{
			pnMakeBoxSkin( &skin, (pnVec3d){ 1.0, 2.0, 3.0 }, ( const int[3] ){ 2, 3, 4 } );
			volume = 6.0;
		}
		else if ( i < 3 )
		{
			pnMakeSphereSkin( &skin, 1.0, i == 2 ? 0.5 : 0.0, 30 );
			volume = 4.0 / 3.0 * pi * ( i == 2 ? 0.875 : 1.0 );
			tolerance = 0.01;
		}
		else if ( i == 3 )
		{
			pnMakeCylinderSkin( &skin, 1.0, 2.0, ( const int[2] ){ 30, 4 } );
			volume = 2.0 * pi;
			tolerance = 0.01;
		}
		else if ( i == 4 )
		{
			pnMakeHoleSkin( &skin, (pnVec3d){ 2.0, 3.0, 1.0 }, 0.5, ( const int[3] ){ 20, 3, 4 } );
			volume = 6.0 - 0.25 * pi;
			tolerance = 0.002;
		}
		else
		{
			static const int divisions[4] = { 20, 30, 47, 60 };
			pnMakeAnimalSkin( &skin, divisions[i - 5] );
			volume = 0.13;
			tolerance = 0.03;
		}
		pnTestContext( "shape %d", i );
		REQUIRE( skin.failed == false );
		ENSURE_NEAR( CheckClosed( &skin ), volume, tolerance );
		pnFreeSkinMesh( &skin );
	}
}

static void FacetsOfABeamAreThePapers450( void )
{
	static const char text[] = HEAD HOLDS "}";
	static const char beam[] = "{ \"surface\": { \"shape\": \"box\", \"size\": [0.4, 0.1, 0.1], \"divisions\": [20, 5, 5], \"as\": \"points\" },\n" GOOD_MATERIAL HOLDS "}";
	pnProblem problem;
	char message[PN_MESSAGE_SIZE];
	REQUIRE( pnReadProblem( text, strlen( text ), "x.json", false, &problem, message ) );
	ENSURE( problem.def.triangleCount == 48 && problem.def.normals == NULL && problem.def.areas == NULL );
	pnFreeProblem( &problem );
	REQUIRE( pnReadProblem( beam, strlen( beam ), "x.json", false, &problem, message ) );
	ENSURE( problem.def.pointCount == 450 && problem.def.triangles == NULL );
	double area = 0.0;
	for ( int i = 0; i < problem.def.pointCount; ++i )
	{
		area += problem.def.areas[i];
	}
	ENSURE_NEAR( area, 0.18, 1e-12 );
	pnFreeProblem( &problem );
}

// ---- load cases ----

// Of every case: what a problem that says so at once comes to, with the same sources; every kind of value is scaled.
static void LoadCasesAreProblemsOfTheirOwn( void )
{
	static const double factors[2][4] = { { 1.0, 1.0, 1.0, 1.0 }, { -2.5, 0.5, 0.0, 3.0 } };
	static const char head[] = HEAD "\"sources\": { \"placement\": \"offset\", \"count\": 60 }, \"estimate_error\": false,\n\"conditions\": [\n";
	pnVec3d places[3] = { { 0.3, 0.2, 0.1 }, { 0.45, -0.4, 0.3 }, { 0.0, 0.4, -0.4 } }, found[2][3];
	for ( int way = 0; way < 2; ++way )
	{
		const double* f = factors[1 - way]; // written in the conditions; the cases do the rest
		char text[3000], message[PN_MESSAGE_SIZE] = "";
		snprintf( text, sizeof( text ),
				  "%s{ \"name\": \"moved\", \"where\": { \"group\": \"left\" }, \"displaced\": [%g, 0, 0] },\n"
				  "{ \"name\": \"pulled\", \"where\": { \"group\": \"right\" }, \"traction\": [0, %g, 0] },\n"
				  "{ \"name\": \"pressed\", \"where\": { \"group\": \"top\" }, \"pressure\": %g },\n"
				  "{ \"name\": \"sheared\", \"where\": { \"group\": \"bottom\" }, \"affine\": { \"matrix\": [null, null, [%g, 0, 0]], \"center\": [-0.5, 0, 0] } }\n]%s }",
				  head, 0.01 * f[0], 2000.0 * f[1], 500.0 * f[2], 0.01 * f[3],
				  way == 0 ? "" : ", \"cases\": [ { \"name\": \"other\", \"factors\": { \"sheared\": 3, \"moved\": -2.5, \"pulled\": 0.5, \"pressed\": 0 } } ]" );
		pnProblem problem;
		pnTestContext( "%s", message );
		REQUIRE( pnReadProblem( text, strlen( text ), "x.json", false, &problem, message ) );
		ENSURE( problem.caseCount == way );
		pnKelvin* kelvin;
		REQUIRE( pnCreateKelvin( &problem.def, &kelvin, NULL ) >= 0 );
		pnCondition conditions[4];
		pnAffine affines[4];
		if ( way == 1 )
		{
			pnScaleConditions( &problem, 0, conditions, affines );
			ENSURE( pnKelvin_Solve( kelvin, conditions, NULL, NULL ) >= 0 );
		}
		pnKelvin_Evaluate( kelvin, places, 3, found[way], NULL );
		pnDestroyKelvin( kelvin );
		pnFreeProblem( &problem );
	}
	for ( int i = 0; i < 3; ++i )
	{
		double apart = fabs( found[0][i].x - found[1][i].x ) + fabs( found[0][i].y - found[1][i].y ) + fabs( found[0][i].z - found[1][i].z );
		ENSURE_MOST( apart, 1e-9 );
		ENSURE( fabs( found[0][i].x ) > 1e-3 );
	}
}

// ---- painted parts ----

static void WritePaintedBox( const char* path, int colors )
{
	FILE* file = fopen( path, "w" );
	REQUIRE( file != NULL );
	fprintf( file, "ply\nformat ascii 1.0\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\n" );
	fprintf( file, "element face 12\nproperty list uchar int vertex_indices\nend_header\n" );
	for ( int i = 0; i < 8; ++i )
	{
		// The left end is red, of the right end the lower half is of a colour without a name
		fprintf( file, "%d %d %d %s\n", i & 1, i >> 1 & 1, i >> 2, colors < 2 ? "9 9 9" : i & 1 ? i & 4 ? "255 255 255" : "1 2 254" : "255 0 0" );
	}
	static const int32_t triangles[] = { 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5 };
	for ( int i = 0; i < 12; ++i )
	{
		fprintf( file, "3 %d %d %d\n", triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2] );
	}
	fclose( file );
}

static void PaintedPartsAreGroups( void )
{
	char folder[] = P_tmpdir "/pliant_paint_XXXXXX", path[128];
	REQUIRE( mkdtemp( folder ) != NULL );
	snprintf( path, sizeof( path ), "%s/box.ply", folder );
	for ( int colors = 1; colors <= 2; ++colors )
	{
		WritePaintedBox( path, colors );
		char text[1000], file[64], message[PN_MESSAGE_SIZE] = "";
		snprintf( file, sizeof( file ), "%s/x.json", folder );
		snprintf( text, sizeof( text ), "{ \"surface\": { \"mesh\": \"box.ply\" }, " GOOD_MATERIAL "\"conditions\": [ { \"where\": { \"group\": \"%s\" }, \"fixed\": true } ] }", colors == 2 ? "red" : "all" );
		pnProblem problem;
		bool read = pnReadProblem( text, strlen( text ), file, false, &problem, message );
		pnTestContext( "%d colours: %s", colors, message );
		REQUIRE( read );
		const pnSkinMesh* skin = &problem.skin;
		ENSURE( skin->nameCount == ( colors == 2 ? 3 : 1 ) );
		for ( int i = 0; i < skin->triangleCount && colors == 2; ++i )
		{
			// What two corners have
			int left = 0, low = 0;
			for ( int k = 0; k < 3; ++k )
			{
				pnVec3d p = skin->points[skin->triangles[3 * i + k]];
				left += p.x < 0.5;
				low += p.x > 0.5 && p.z < 0.5;
			}
			const char* expected = left >= 2 ? "red" : low >= 2 ? "#0102fe" : left + low <= 1 ? "white" : NULL;
			ENSURE( expected == NULL || strcmp( skin->names[skin->groups[i]], expected ) == 0 );
		}
		pnFreeProblem( &problem );
	}
	remove( path );
	rmdir( folder );
}

static const pnTest s_tests[] = {
	RUN( PaintedPartsAreGroups ),
	RUN( LoadCasesAreProblemsOfTheirOwn ),
	RUN( MistakesAreToldWithTheirPlace ), RUN( PlacesOnTheSurfaceAreInside ), RUN( ShippedProblemsAreRead ), RUN( ShippedProblemsAreSolved ),		RUN( SchemaHasTheReadersKeys ),
	RUN( NoBytesHarmTheReader ),		  RUN( PlacesAreFoundInAnyText ),	  RUN( ShapesAreClosedAndLookOutward ), RUN( FacetsOfABeamAreThePapers450 ),
};
SUITE( problem, s_tests );
