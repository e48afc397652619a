// test_scene_file.c - scene files: mistakes are told with their place, files come to the hash of the scenes they repeat, every one that is shipped runs
// the same on one thread and on two, the schema agrees with the reader, no bytes harm it. Knows the reader of tools/.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "scene_file.h"
#include "scene_find.h"
#include "scene_parts.h"
#include "whole_file.h"

#include "test.h"

#include <dirent.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef PLIANT_SOURCE
#define PLIANT_SOURCE "."
#endif

static const char s_ending[] = ".scene.json";

static bool IsLong( void ) { return getenv( "PLIANT_LONG" ) != NULL; }

static char* ReadText( const char* path, size_t* length )
{
	const char* why;
	uint8_t* bytes = pnReadFile( path, length, &why );
	char* text = bytes != NULL ? malloc( *length + 1 ) : NULL;
	if ( text != NULL )
	{
		memcpy( text, bytes, *length );
		text[*length] = 0;
	}
	free( bytes );
	return text;
}

// The scene files of a folder, sorted by nothing but the file system: each is a case of its own.
typedef void SceneFcn( const char* path, const char* name );

static int ForEachScene( const char* folder, SceneFcn* fcn )
{
	DIR* directory = opendir( folder );
	int count = 0;
	for ( struct dirent* entry = directory != NULL ? readdir( directory ) : NULL; entry != NULL; entry = readdir( directory ) )
	{
		size_t length = strlen( entry->d_name ), ending = sizeof( s_ending ) - 1;
		if ( length > ending && strcmp( entry->d_name + length - ending, s_ending ) == 0 )
		{
			char path[4096], name[64];
			snprintf( path, sizeof( path ), "%s/%s", folder, entry->d_name );
			snprintf( name, sizeof( name ), "%.*s", (int)( length - ending ), entry->d_name );
			pnTestContext( "%s", name );
			fcn( path, name );
			count += 1;
		}
	}
	if ( directory != NULL )
	{
		closedir( directory );
	}
	pnTestContext( " " );
	return count;
}

// ---- mistakes ----

static void CheckWrongScene( const char* path, const char* name )
{
	char message[PN_SCENE_MESSAGE] = "", expectedPath[4096];
	snprintf( expectedPath, sizeof( expectedPath ), "%.*s.txt", (int)( strlen( path ) - sizeof( s_ending ) + 1 ), path );
	size_t length = 0;
	char* expected = ReadText( expectedPath, &length );
	REQUIRE( expected != NULL );
	expected[strcspn( expected, "\n" )] = 0;
	int64_t before = pnGetByteCount();
	const pnScene* scene = pnLoadSceneFile( path, false, message );
	ENSURE( scene == NULL );
	ENSURE( pnGetByteCount() == before ); // nothing is half-loaded
	// The message names files by their path; here they are in a folder.
	char folder[4096], plain[2 * PN_SCENE_MESSAGE] = "";
	snprintf( folder, sizeof( folder ), "%.*s", (int)( strlen( path ) - strlen( name ) - sizeof( s_ending ) + 1 ), path );
	for ( const char *at = message, *next; at != NULL && *at != 0; at = next )
	{
		next = strstr( at, folder );
		size_t used = strlen( plain );
		snprintf( plain + used, sizeof( plain ) - used, "%.*s", next != NULL ? (int)( next - at ) : PN_SCENE_MESSAGE, at );
		next = next != NULL ? next + strlen( folder ) : NULL;
	}
	if ( ENSURE( strcmp( plain, expected ) == 0 ) == false )
	{
		printf( "    found    %s\n    expected %s\n", plain, expected );
	}
	free( expected );
	if ( scene != NULL )
	{
		pnFreeSceneFile( scene );
	}
}

static void WrongScenesAreToldByPlace( void )
{
	int count = ForEachScene( PLIANT_SOURCE "/test/scenes/wrong", CheckWrongScene );
	ENSURE( count >= 70 );
	pnTestNote( "%d wrong scenes", count );
}

// ---- right scenes ----

static uint64_t RunScene( const pnScene* scene, int frames, int threads )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks.workerCount = threads;
	def.enableSleep = scene->sleepless == false;
	pnWorld* world = NULL;
	uint64_t hash = 0;
	if ( ENSURE( pnCreateWorld( &def, &world ) == pn_success ) && ENSURE( pnFillScene( scene, world ) == pn_success ) )
	{
		bool good = true;
		for ( int frame = 1; frame <= frames && good; ++frame )
		{
			good = ENSURE( pnStepScene( scene, world, frame, 1.0f / scene->rate, scene->substeps ) == pn_success );
		}
		hash = pnWorld_GetHash( world );
	}
	pnDestroyWorld( world );
	return hash;
}

static void CheckSameScene( const char* path, const char* name )
{
	char message[PN_SCENE_MESSAGE];
	const pnScene* builtIn = pnFindScene( name );
	const pnScene* scene = pnLoadSceneFile( path, false, message );
	if ( ENSURE( builtIn != NULL ) && ENSURE( scene != NULL ) )
	{
		bool isSmall = strcmp( name, "cubes" ) == 0 || strcmp( name, "sticks" ) == 0; // forces act late in them
		int frames = IsLong() || isSmall ? builtIn->frames : 45;
		ENSURE( scene->frames == builtIn->frames );
		ENSURE( RunScene( scene, frames, 1 ) == RunScene( builtIn, frames, 1 ) );
	}
	else
	{
		printf( "    %s\n", message );
	}
	pnCloseScene( scene );
}

static void FilesSayWhatBuiltInScenesDo( void ) { ENSURE( ForEachScene( PLIANT_SOURCE "/test/scenes/same", CheckSameScene ) >= 3 ); }

static void CheckShippedScene( const char* path, const char* name )
{
	char message[PN_SCENE_MESSAGE] = "";
	int64_t before = pnGetByteCount();
	const pnScene* scene = pnLoadSceneFile( path, false, message );
	if ( ENSURE( scene != NULL ) == false )
	{
		printf( "    %s\n", message );
		return;
	}
	ENSURE( strcmp( scene->name, name ) == 0 && scene->text[0] != 0 && scene->shotCount > 0 && scene->frames > 0 );
	int frames = IsLong() ? scene->frames : scene->heavy ? 2 : 12;
	frames = frames < scene->frames ? frames : scene->frames;
	ENSURE( RunScene( scene, frames, 1 ) == RunScene( scene, frames, 2 ) );
	pnFreeSceneFile( scene );
	ENSURE( pnGetByteCount() == before );
}

static void ShippedScenesRunTheSameOnTwoThreads( void )
{
	int count = ForEachScene( PLIANT_SOURCE "/scenes/files", CheckShippedScene );
	ENSURE( count >= 7 );
	pnTestNote( "%d scenes", count );
}

// A snapshot taken in the middle goes on as the run would have, moving shapes, pins and time line included.
static void RestoredFilesGoOn( void )
{
	static const char* const names[] = { "soft_gripper", "jelly_plate", "cuts" };
	for ( int i = 0; i < 3; ++i )
	{
		char path[4096], message[PN_SCENE_MESSAGE];
		snprintf( path, sizeof( path ), "%s/%s/%s%s", PLIANT_SOURCE, i < 2 ? "scenes/files" : "test/scenes/same", names[i], s_ending );
		const pnScene* scene = pnLoadSceneFile( path, false, message );
		REQUIRE( scene != NULL );
		pnWorldDef def = pnDefaultWorldDef();
		pnWorld *world = NULL, *other = NULL;
		REQUIRE( pnCreateWorld( &def, &world ) == pn_success && pnCreateWorld( &def, &other ) == pn_success );
		REQUIRE( pnFillScene( scene, world ) == pn_success );
		for ( int frame = 1; frame <= 70; ++frame )
		{
			if ( frame == 36 )
			{
				size_t size = pnWorld_Snapshot( world, NULL, 0 );
				void* image = malloc( size );
				ENSURE( pnWorld_Snapshot( world, image, size ) == size && pnWorld_Restore( other, image, size ) == pn_success );
				free( image );
			}
			ENSURE( pnStepScene( scene, world, frame, 1.0f / scene->rate, scene->substeps ) == pn_success );
			ENSURE( frame < 36 || pnStepScene( scene, other, frame, 1.0f / scene->rate, scene->substeps ) == pn_success );
		}
		ENSURE( pnWorld_GetHash( world ) == pnWorld_GetHash( other ) );
		pnDestroyWorld( world );
		pnDestroyWorld( other );
		pnFreeSceneFile( scene );
	}
}

// ---- what a scene says is what is there ----

static const pnScene* Read( const char* text )
{
	char message[PN_SCENE_MESSAGE] = "";
	const pnScene* scene = pnReadSceneText( text, strlen( text ), "test.scene.json", false, message );
	if ( scene == NULL )
	{
		printf( "    %s\n", message );
	}
	return scene;
}

static void KeysMoveShapesAndPins( void )
{
	const pnScene* scene = Read( "{ \"world\": { \"gravity\": [0, 0, 0], \"seconds\": 2 },"
								 "\"solids\": { \"b\": { \"shape\": \"box\", \"points\": [3, 3, 3], \"surface\": false } },"
								 "\"shapes\": [ { \"shape\": \"ball\", \"radius\": 0.1, \"touches\": false, \"linear\": true,"
								 "  \"keys\": [ { \"time\": 0.5, \"at\": [5, 0, 0] }, { \"time\": 1.5, \"at\": [5, 2, 0], \"turn\": { \"axis\": [0, 1, 0], \"degrees\": 90 } } ] } ],"
								 "\"bodies\": [ { \"solid\": \"b\", \"touches\": false, \"pins\": [ { \"plane\": { \"point\": [0.4, 0, 0], \"normal\": [1, 0, 0] },"
								 "  \"keys\": [ { \"time\": 0 }, { \"time\": 1, \"move\": [0.5, 0, 0] } ], \"until\": 1.5 } ] } ] }" );
	REQUIRE( scene != NULL );
	pnWorldDef def = pnDefaultWorldDef();
	pnWorld* world = NULL;
	REQUIRE( pnCreateWorld( &def, &world ) == pn_success && pnFillScene( scene, world ) == pn_success );
	pnVec3 points[27];
	pnShapeState state;
	pnBodyId body = { 1, 1 };
	ENSURE( scene->frames == 120 );
	for ( int frame = 1; frame <= 120; ++frame )
	{
		REQUIRE( pnStepScene( scene, world, frame, 1.0f / 60.0f, 4 ) == pn_success );
		REQUIRE( pnShape_GetState( world, ( pnShapeId ){ 1, 1 }, &state ) == pn_success );
		double height = frame <= 30 ? 0.0 : frame >= 90 ? 2.0 : 2.0 * ( frame - 30 ) / 60.0;
		ENSURE_NEAR( state.transform.p.y, height, 1e-5 );
		pnBody_WritePoints( world, body, points, NULL, 27 );
		double x = frame / 60.0, eased = x < 1.0 ? x * x * ( 3.0 - 2.0 * x ) : 1.0;
		if ( frame <= 60 )
		{
			ENSURE_NEAR( points[2].x, 0.5 + 0.5 * eased, 1e-4 );
		}
		if ( frame == 89 )
		{
			ENSURE_NEAR( points[2].x, 1.0, 1e-5 );
		}
	}
	ENSURE_NEAR( state.transform.q.y, sqrt( 0.5 ), 1e-5 );
	pnDestroyWorld( world );
	pnFreeSceneFile( scene );
}

static pnBodyState RunForce( const char* force, double* mass )
{
	char text[1000];
	snprintf( text, sizeof( text ),
			  "{ \"world\": { \"gravity\": [0, 0, 0], \"frames\": 60 }, \"solids\": { \"b\": { \"shape\": \"box\", \"size\": [1, 0.5, 0.8], \"points\": [4, 3, 3],"
			  "\"density\": 50, \"surface\": false } }, \"bodies\": [ { \"solid\": \"b\", \"at\": [3, -2, 1], \"turn\": { \"axis\": [0, 0, 1], \"degrees\": 90 }, \"touches\": false,"
			  "\"material\": { \"mode\": \"rigid\" }, \"forces\": [ %s ] } ] }",
			  force );
	const pnScene* scene = Read( text );
	pnBodyState state = { 0 };
	pnWorldDef def = pnDefaultWorldDef();
	pnWorld* world = NULL;
	bool good = ENSURE( scene != NULL ) && ENSURE( pnCreateWorld( &def, &world ) == pn_success ) && ENSURE( pnFillScene( scene, world ) == pn_success );
	for ( int frame = 1; frame <= 60 && good; ++frame )
	{
		good = ENSURE( pnStepScene( scene, world, frame, 1.0f / 60.0f, 4 ) == pn_success );
	}
	ENSURE( good && pnBody_GetState( world, (pnBodyId){ 1, 1 }, &state ) == pn_success );
	*mass = 50.0 * 1.0 * 0.5 * 0.8;
	pnDestroyWorld( world );
	pnCloseScene( scene );
	return state;
}

// A force gives its product with time as momentum, whatever points it acts on; an acceleration that times mass; a twist no momentum but a turn about its
// axis; two equal springs to places on both sides of the middle none at all.
static void ForcesGiveTheirMomentum( void )
{
	double mass;
	// Steps that end at t in [from, until): 15 .. 44 of 60, so half a second.
	pnBodyState state = RunForce( "{ \"all\": true, \"force\": [2, 0, -4], \"from\": 0.245, \"until\": 0.745 }", &mass );
	ENSURE_NEAR( state.momentum.x, 1.0, 1e-4 );
	ENSURE_NEAR( state.momentum.z, -2.0, 1e-4 );
	state = RunForce( "{ \"points\": [0, 7, 20], \"force\": [0, 3, 0], \"from\": 0.245, \"until\": 0.745 }", &mass );
	ENSURE_NEAR( state.momentum.y, 1.5, 1e-3 );
	ENSURE_NEAR( state.momentum.x, 0.0, 1e-3 );
	state = RunForce( "{ \"all\": true, \"acceleration\": [0, 0, 0.7] }", &mass );
	ENSURE_NEAR( state.momentum.z, 0.7 * mass, 1e-3 * mass );
	// Evenly from 0 to 1 in a second, sampled at the ends of steps: the mean is 61/120.
	state = RunForce( "{ \"all\": true, \"force\": [6, 0, 0], \"linear\": true, \"keys\": [ { \"time\": 0, \"strength\": 0 }, { \"time\": 1, \"strength\": 1 } ] }", &mass );
	ENSURE_NEAR( state.momentum.x, 6.0 * 61.0 / 120.0, 1e-3 );
	// Of points of equal mass at places r: momentum a x mean r = 0 about the middle, angular momentum the inertia about the axis times 0.3/s.
	state = RunForce( "{ \"all\": true, \"twist\": [0, 0, 0.3] }", &mass );
	ENSURE_NEAR( state.momentum.x, 0.0, 1e-3 );
	ENSURE_NEAR( state.momentum.y, 0.0, 1e-3 );
	double inertia = mass * ( ( 0.25 + 1.0 / 36.0 ) / 2.0 + 0.25 * 0.25 * 2.0 / 3.0 ); // x at +-1/2 and +-1/6, y at +-1/4 and 0
	ENSURE_NEAR( state.angularMomentum.z, 0.3 * inertia, 0.02 * 0.3 * inertia ); // arms stay those at the beginning, and the body turns 9 degrees
	state = RunForce( "{ \"all\": true, \"toward\": [4, -2, 1], \"stiffness\": 0.01 }, { \"all\": true, \"toward\": [2, -2, 1], \"stiffness\": 0.01 }", &mass );
	ENSURE_NEAR( state.momentum.x, 0.0, 1e-4 );
}

static void CopiesLieWhereTheySay( void )
{
	const pnScene* scene = Read( "{ \"solids\": { \"a\": { \"shape\": \"ball\", \"radius\": 0.1 }, \"b\": { \"shape\": \"duck\" } }, \"bodies\": ["
								 "{ \"solid\": [\"a\", \"b\"], \"at\": [1, 2, 3], \"grid\": { \"count\": [2, 3, 2], \"spacing\": [2, 3, 4] } },"
								 "{ \"solid\": \"a\", \"at\": [0, 20, 0], \"scatter\": { \"count\": 30, \"box\": [[-2, 0, -2], [2, 2, 2]], \"apart\": 0.5, \"seed\": 7 } },"
								 "{ \"name\": \"top\", \"solid\": \"a\", \"at\": [0, 30, 0], \"stack\": { \"count\": 4, \"rise\": 0.5 } } ],"
								 "\"timeline\": [ { \"at\": 0, \"do\": \"throw $top 0 5 0\" } ], \"world\": { \"frames\": 3 } }" );
	REQUIRE( scene != NULL );
	pnWorldDef def = pnDefaultWorldDef();
	pnWorld* world = NULL;
	REQUIRE( pnCreateWorld( &def, &world ) == pn_success && pnFillScene( scene, world ) == pn_success );
	REQUIRE( pnWorld_GetBodies( world, NULL, 0 ) == 12 + 30 + 4 );
	pnBodyState state, other;
	REQUIRE( pnBody_GetState( world, ( pnBodyId ){ 1, 1 }, &state ) == pn_success );
	ENSURE_NEAR( state.transform.p.x, 0.0, 1e-6 );
	ENSURE_NEAR( state.transform.p.y, 2.0, 1e-6 );
	ENSURE_NEAR( state.transform.p.z, 1.0, 1e-6 );
	REQUIRE( pnBody_GetState( world, ( pnBodyId ){ 12, 1 }, &state ) == pn_success );
	ENSURE_NEAR( state.transform.p.x, 2.0, 1e-5 );
	ENSURE_NEAR( state.transform.p.y, 8.0, 1e-5 );
	ENSURE_NEAR( state.transform.p.z, 5.0, 1e-5 );
	for ( int i = 13; i <= 42; ++i )
	{
		for ( int j = i + 1; j <= 42; ++j )
		{
			pnBody_GetState( world, ( pnBodyId ){ i, 1 }, &state );
			pnBody_GetState( world, ( pnBodyId ){ j, 1 }, &other );
			pnVec3 off = pnSub( state.transform.p, other.transform.p );
			ENSURE( pnDot( off, off ) >= 0.25f - 1e-5f );
		}
	}
	ENSURE( pnStepScene( scene, world, 1, 1.0f / 60.0f, 4 ) == pn_success );
	REQUIRE( pnBody_GetState( world, ( pnBodyId ){ 43, 1 }, &state ) == pn_success );
	ENSURE_NEAR( state.velocity.y, 5.0 - 9.81 / 60.0, 1e-3 );
	pnDestroyWorld( world );
	pnFreeSceneFile( scene );
}

// ---- the schema ----

static json_t* Follow( json_t* json, const char* path )
{
	char step[64];
	while ( *path != 0 && json != NULL )
	{
		size_t length = strcspn( path, "/" );
		snprintf( step, sizeof( step ), "%.*s", (int)length, path );
		json = json_is_array( json ) ? json_array_get( json, (size_t)atoi( step ) ) : json_object_get( json, step );
		path += length + ( path[length] != 0 ? 1 : 0 );
	}
	return json;
}

static void SchemaHasTheReadersKeys( void )
{
	static const struct { const char *table, *path; } paths[] = {
		{ "scene", "" }, { "world", "properties/world" }, { "view", "properties/view" }, { "write", "properties/write" }, { "shape", "$defs/shape" }, { "body", "$defs/body" },
		{ "grid", "$defs/body/properties/grid" }, { "stack", "$defs/body/properties/stack" }, { "scatter", "$defs/body/properties/scatter" },
		{ "jitter", "$defs/body/properties/jitter" }, { "pin", "$defs/pin" }, { "force", "$defs/force" }, { "forceKey", "$defs/force/properties/keys/items" }, { "shapeKey", "$defs/shape/properties/keys/items" }, { "pinKey", "$defs/pin/properties/keys/items" },
		{ "mesh", "properties/solids/additionalProperties/oneOf/10" }, { "sample", "properties/solids/additionalProperties/oneOf/10/properties/sample" },
		{ "clusters", "$defs/clusters/oneOf/2" }, { "moment", "properties/timeline/items/oneOf/1" }, { "box", "properties/solids/additionalProperties/oneOf/0" },
		{ "ball", "properties/solids/additionalProperties/oneOf/1" }, { "capsule", "properties/solids/additionalProperties/oneOf/2" },
		{ "torus", "properties/solids/additionalProperties/oneOf/3" }, { "stick", "properties/solids/additionalProperties/oneOf/4" },
		{ "sheet", "properties/solids/additionalProperties/oneOf/5" }, { "lattice", "properties/solids/additionalProperties/oneOf/6" },
		{ "duck", "properties/solids/additionalProperties/oneOf/7" }, { "fish", "properties/solids/additionalProperties/oneOf/8" },
		{ "head", "properties/solids/additionalProperties/oneOf/9" }, { "material", "$defs/material" },
	};
	json_t* schema = json_load_file( PLIANT_SOURCE "/scenes/schema.json", 0, NULL );
	REQUIRE( schema != NULL );
	int count;
	const pnKeyTable* tables = pnGetSceneKeys( &count );
	ENSURE( count == (int)( sizeof( paths ) / sizeof( paths[0] ) ) );
	for ( int i = 0; i < count; ++i )
	{
		pnTestContext( "%s", tables[i].name );
		const char* path = NULL;
		for ( size_t j = 0; j < sizeof( paths ) / sizeof( paths[0] ); ++j )
		{
			path = strcmp( paths[j].table, tables[i].name ) == 0 ? paths[j].path : path;
		}
		json_t* object = path != NULL ? Follow( schema, path ) : NULL;
		json_t* properties = json_object_get( object, "properties" );
		if ( ENSURE( properties != NULL ) == false )
		{
			continue;
		}
		ENSURE( json_is_false( json_object_get( object, "additionalProperties" ) ) );
		ENSURE( (int)json_object_size( properties ) == tables[i].count );
		for ( int k = 0; k < tables[i].count; ++k )
		{
			if ( ENSURE( json_object_get( properties, tables[i].keys[k] ) != NULL ) == false )
			{
				printf( "    the schema lacks %s.%s\n", tables[i].name, tables[i].keys[k] );
			}
		}
	}
	pnTestContext( " " );
	json_decref( schema );
}

// ---- any scene that can be said ----

typedef struct Draft { char text[16384]; size_t length; pnRandom* random; } Draft;

static void Say( Draft* draft, const char* format, ... ) __attribute__( ( format( printf, 2, 3 ) ) );
static void Say( Draft* draft, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	int more = vsnprintf( draft->text + draft->length, sizeof( draft->text ) - draft->length, format, arguments );
	va_end( arguments );
	draft->length += more > 0 ? (size_t)more : 0;
}

static double In( Draft* draft, double lower, double upper ) { return pnRandomIn( draft->random, lower, upper ); }
static int Pick( Draft* draft, int count ) { return pnRandomInt( draft->random, count ); }

static void SaySolid( Draft* draft, int number )
{
	Say( draft, "%s\"s%d\": { ", number > 0 ? ", " : "", number );
	double size = exp( In( draft, log( 0.05 ), log( 3.0 ) ) );
	switch ( Pick( draft, 11 ) )
	{
	case 0:
		Say( draft, "\"shape\": \"box\", \"size\": [%.4g, %.4g, %.4g], \"points\": [%d, %d, %d], \"cells\": [%d, %d, %d], \"round\": %.3g, \"waist\": %.3g, \"surface\": %s", size,
			 size * In( draft, 0.1, 1 ), size * In( draft, 0.1, 1 ), 3 + Pick( draft, 8 ), 3 + Pick( draft, 5 ), 3 + Pick( draft, 5 ), 1 + Pick( draft, 3 ), 1 + Pick( draft, 2 ),
			 1 + Pick( draft, 2 ), In( draft, 0, 1 ), In( draft, 0, 0.5 ), Pick( draft, 4 ) > 0 ? "true" : "false" );
		break;
	case 1:
		Say( draft, "\"shape\": \"ball\", \"radii\": [%.4g, %.4g, %.4g], \"points\": %d, \"inner\": %d, \"faces\": %d, \"clusters\": %d", size, size * In( draft, 0.2, 1 ),
			 size * In( draft, 0.2, 1 ), 12 + Pick( draft, 200 ), Pick( draft, 5 ), 8 + Pick( draft, 900 ), 1 + Pick( draft, 6 ) );
		break;
	case 2:
		Say( draft, "\"shape\": \"capsule\", \"radius\": %.4g, \"length\": %.4g, \"clusters\": \"auto\"", 0.3 * size, size * In( draft, 0.3, 2 ) );
		break;
	case 3:
		Say( draft, "\"shape\": \"torus\", \"radius\": %.4g, \"tube\": %.4g, \"around\": %d, \"across\": %d, \"clusters\": %d, \"overlap\": 2", size, size * In( draft, 0.1, 0.6 ),
			 2 * ( 8 + Pick( draft, 12 ) ), 4 + Pick( draft, 10 ), 2 + Pick( draft, 6 ) );
		break;
	case 4:
		Say( draft, "\"shape\": \"stick\", \"length\": %.4g, \"thick\": %.4g, \"points\": %d, \"clusters\": %d", size, size * In( draft, 0.03, 0.3 ), 6 + Pick( draft, 20 ), 1 + Pick( draft, 6 ) );
		break;
	case 5:
		Say( draft, "\"shape\": \"sheet\", \"size\": [%.4g, %.4g], \"thick\": %.4g, \"points\": [%d, %d], \"clusters\": [%d, %d]", size, size * In( draft, 0.3, 2 ), size * In( draft, 0.01, 0.1 ),
			 6 + Pick( draft, 10 ), 6 + Pick( draft, 10 ), 1 + Pick( draft, 5 ), 1 + Pick( draft, 5 ) );
		break;
	case 6:
		Say( draft, "\"shape\": \"lattice\", \"cells\": [%d, %d, %d], \"cell\": %.4g, \"strut\": %.4g", 1 + Pick( draft, 3 ), 1 + Pick( draft, 3 ), 1 + Pick( draft, 3 ), size,
			 size * In( draft, 0.05, 0.6 ) );
		break;
	case 7:
		Say( draft, "\"mesh\": \"../test/scenes/wrong/two.obj\", \"scale\": %.4g, \"turn\": { \"axis\": [1, %.3g, 0], \"degrees\": %.4g }%s", size, In( draft, -1, 1 ), In( draft, -180, 180 ),
			 Pick( draft, 2 ) == 0 ? ", \"clusters\": \"groups\"" : ", \"fill\": 0.3" );
		break;
	default:
		Say( draft, "\"shape\": \"%s\"", Pick( draft, 3 ) == 0 ? "duck" : Pick( draft, 2 ) == 0 ? "fish" : "head" );
		break;
	}
	Say( draft, " }" );
}

static void SayShape( Draft* draft )
{
	static const char* const kinds[] = { "\"ball\", \"radius\": 0.5", "\"capsule\", \"radius\": 0.2, \"length\": 1", "\"box\", \"size\": [1, 0.2, 1]",
										 "\"hull\", \"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]", "\"heights\", \"spacing\": 2, \"rows\": [[0, 1, 0], [1, 0, 1], [0, 1, 0]]",
										 "\"mesh\", \"file\": \"../test/scenes/wrong/two.obj\"" };
	Say( draft, ", { \"shape\": %s, \"at\": [%.3g, %.3g, %.3g], \"friction\": %.3g", kinds[Pick( draft, 6 )], In( draft, -2, 2 ), In( draft, -1, 1 ), In( draft, -2, 2 ), In( draft, 0, 2 ) );
	if ( Pick( draft, 2 ) == 0 )
	{
		Say( draft, ", \"keys\": [ { \"time\": 0.05 }, { \"time\": %.3g, \"at\": [%.3g, %.3g, %.3g], \"turn\": { \"axis\": [0, 1, 0.2], \"degrees\": %.4g } } ], \"linear\": %s", In( draft, 0.1, 1 ),
			 In( draft, -2, 2 ), In( draft, -1, 2 ), In( draft, -2, 2 ), In( draft, -170, 170 ), Pick( draft, 2 ) == 0 ? "true" : "false" );
	}
	Say( draft, " }" );
}

static void SayBody( Draft* draft, int number, int solidCount )
{
	static const char* const materials[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood", "steel", "rigid", "own" };
	Say( draft, "%s{ \"name\": \"b%d\", \"solid\": \"s%d\", \"material\": \"%s\", \"at\": [%.3g, %.3g, %.3g], \"velocity\": [%.3g, %.3g, 0], \"spin\": [0, %.3g, 1]", number > 0 ? ", " : "", number,
		 Pick( draft, solidCount ), materials[Pick( draft, 9 )], In( draft, -2, 2 ), In( draft, 0.5, 5 ), In( draft, -2, 2 ), In( draft, -5, 5 ), In( draft, -5, 5 ), In( draft, -5, 5 ) );
	static const char* const forces[] = { "\"force\": [%.3g, %.3g, 0]", "\"acceleration\": [%.3g, 0, %.3g]", "\"twist\": [%.3g, %.3g, 1], \"about\": [0.1, 0, 0]",
										  "\"toward\": [%.3g, %.3g, 0], \"stiffness\": 50" };
	static const char* const where[] = { "\"all\": true", "\"points\": [0, 2, 3]", "\"sphere\": { \"center\": [0, 2, 0], \"radius\": 9 }" };
	switch ( Pick( draft, 6 ) )
	{
	case 0:
		Say( draft, ", \"grid\": { \"count\": [2, %d, 2], \"spacing\": [2, 2.5, 2] }, \"palette\": [\"#ff0000\", \"#00ff00\"]", 1 + Pick( draft, 2 ) );
		break;
	case 1:
		Say( draft, ", \"stack\": { \"count\": %d, \"rise\": %.3g }, \"jitter\": { \"shift\": [0.1, 0, 0.1], \"turn\": 90, \"seed\": %d }", 1 + Pick( draft, 4 ), In( draft, 0.5, 3 ), 1 + Pick( draft, 1000 ) );
		break;
	case 2:
		Say( draft, ", \"scatter\": { \"count\": %d, \"box\": [[-4, 0, -4], [4, 4, 4]], \"seed\": %d }", 1 + Pick( draft, 5 ), 1 + Pick( draft, 1000 ) );
		break;
	case 3:
		Say( draft, ", \"pins\": [ { \"points\": [0, 1, 2, 3], \"from\": %.3g, \"until\": 0.4, \"keys\": [ { \"time\": 0.1 }, { \"time\": 0.3, \"move\": [%.3g, 0.2, 0], \"scale\": [1, %.3g, 1] } ] } ]", Pick( draft, 2 ) == 0 ? 0.0 : 0.04,
			 In( draft, -1, 1 ), In( draft, -1, 1 ) );
		break;
	case 4:
		Say( draft, ", \"turn\": { \"axis\": [1, 1, 0], \"degrees\": 40 }, \"forces\": [ { %s, \"from\": %.3g, \"until\": 0.3, \"keys\": [ { \"time\": 0.1, \"strength\": %.3g }, { \"time\": 0.2, \"strength\": 1 } ], ",
			 where[Pick( draft, 3 )], In( draft, 0, 0.2 ), In( draft, -1, 1 ) );
		Say( draft, forces[Pick( draft, 4 )], In( draft, -20, 20 ), In( draft, -20, 20 ) );
		Say( draft, " } ]" );
		break;
	default:
		break;
	}
	Say( draft, " }" );
}

static void SayScene( Draft* draft )
{
	draft->length = 0;
	int solidCount = 1 + Pick( draft, 3 ), bodyCount = 1 + Pick( draft, 3 ), shapeCount = Pick( draft, 3 );
	Say( draft, "{ \"world\": { \"rate\": %d, \"substeps\": %d, \"frames\": 40, \"sleep\": %s },\n", 30 + Pick( draft, 90 ), 1 + Pick( draft, 5 ), Pick( draft, 2 ) == 0 ? "true" : "false" );
	Say( draft, "\"materials\": { \"own\": { \"from\": \"clay\", \"mode\": \"%s\", \"hertz\": %.3g, \"damping\": %.3g, \"stretch\": %.3g, \"volume\": %.3g, \"friction\": %.3g } },\n",
		 Pick( draft, 2 ) == 0 ? "linear" : "quadratic", In( draft, 1, 60 ), In( draft, 0, 1 ), In( draft, 0, 1 ), In( draft, 0, 5 ), In( draft, 0, 2 ) );
	Say( draft, "\"solids\": { " );
	for ( int i = 0; i < solidCount; ++i )
	{
		SaySolid( draft, i );
	}
	Say( draft, " },\n\"shapes\": [ { \"shape\": \"floor\" }" );
	for ( int i = 0; i < shapeCount; ++i )
	{
		SayShape( draft );
	}
	Say( draft, " ],\n\"bodies\": [ " );
	for ( int i = 0; i < bodyCount; ++i )
	{
		SayBody( draft, i, solidCount );
	}
	Say( draft, " ],\n\"timeline\": [ { \"at\": 0.1, \"do\": [\"grab 1:1 ray 0 9 0 0 -9 0\", \"move 1:1 %.3g 2 0 steps 10\", \"throw $b0 0 3 0\"] }, { \"at\": 0.2, \"do\": \"cut plane 0 1 0 1 %.3g 0.1 inside 1\" } ] }",
		 In( draft, -2, 2 ), In( draft, -1, 1 ) );
}

static void AnySceneRunsTheSame( void )
{
	const char* seedText = getenv( "PLIANT_SEED" );
	pnRandom random = pnSeed( seedText != NULL ? strtoull( seedText, NULL, 10 ) : 5 );
	int total = IsLong() ? 400 : 24, taken = 0;
	static Draft draft;
	draft.random = &random;
	for ( int i = 0; i < total; ++i )
	{
		char message[PN_SCENE_MESSAGE] = "";
		SayScene( &draft );
		pnTestContext( "scene %d", i );
		const pnScene* scene = pnReadSceneText( draft.text, draft.length, PLIANT_SOURCE "/scenes/any.scene.json", true, message );
		// What it says is within every bound; only a solid of tiny points or a body that a world cannot make may be refused, in words.
		if ( scene == NULL )
		{
			printf( "    %s\n", message );
			ENSURE( strstr( message, ":" ) != NULL );
			continue;
		}
		taken += 1;
		uint64_t one = RunScene( scene, 20, 1 );
		if ( ENSURE( RunScene( scene, 20, 2 ) == one ) == false )
		{
			printf( "%s\n", draft.text );
		}
		pnFreeSceneFile( scene );
	}
	pnTestContext( " " );
	ENSURE( taken == total );
	pnTestNote( "%d of %d taken", taken, total );
}

// ---- any bytes ----

// Bytes of shipped scenes changed, cut off, doubled: told or taken, nothing leaks. Run under the sanitizers too.
static void ChangedBytesDoNoHarm( void )
{
	static const char* const names[] = { "scenes/files/pancakes", "scenes/files/soft_gripper", "test/scenes/same/cuts", "test/scenes/wrong/mesh_groups" };
	const char* seedText = getenv( "PLIANT_SEED" );
	pnRandom random = pnSeed( seedText != NULL ? strtoull( seedText, NULL, 10 ) : 17 );
	int refused = 0, total = IsLong() ? 2000 : 160;
	for ( int i = 0; i < total; ++i )
	{
		char path[4096], message[PN_SCENE_MESSAGE] = "";
		snprintf( path, sizeof( path ), "%s/%s%s", PLIANT_SOURCE, names[i % 4], s_ending );
		size_t length = 0;
		char* text = ReadText( path, &length );
		REQUIRE( text != NULL );
		int changes = 1 + (int)( pnRandomBits( &random ) % 3 );
		for ( int c = 0; c < changes; ++c )
		{
			size_t at = pnRandomBits( &random ) % length;
			static const char letters[] = "0123456789-.e\"[]{}:, abcxyz#$/";
			text[at] = pnRandomBits( &random ) % 4 == 0 ? (char)pnRandomBits( &random ) : letters[pnRandomBits( &random ) % ( sizeof( letters ) - 1 )];
		}
		length = pnRandomBits( &random ) % 10 == 0 ? pnRandomBits( &random ) % length : length;
		int64_t before = pnGetByteCount();
		const pnScene* scene = pnReadSceneText( text, length, path, false, message );
		ENSURE( ( scene == NULL ) == ( message[0] != 0 ) );
		ENSURE( scene != NULL || strncmp( message, path, strlen( path ) ) == 0 );
		refused += scene == NULL ? 1 : 0;
		pnCloseScene( scene );
		ENSURE( pnGetByteCount() == before );
		free( text );
	}
	pnTestNote( "%d of %d refused", refused, total );
}

// A link that leads out of the folder is seen.
static void LinksDoNotLeadOut( void )
{
	char folder[] = P_tmpdir "/pliant_scene_XXXXXX", path[128], message[PN_SCENE_MESSAGE] = "";
	REQUIRE( mkdtemp( folder ) != NULL );
	snprintf( path, sizeof( path ), "%s/cube.obj", folder );
	ENSURE( symlink( PLIANT_SOURCE "/test/scenes/wrong/two.obj", path ) == 0 );
	char scenePath[128];
	snprintf( scenePath, sizeof( scenePath ), "%s/a.scene.json", folder );
	const char* text = "{ \"solids\": { \"c\": { \"mesh\": \"cube.obj\" } }, \"bodies\": [ { \"solid\": \"c\" } ] }";
	const pnScene* inside = pnReadSceneText( text, strlen( text ), scenePath, false, message );
	ENSURE( inside == NULL && strstr( message, "leads out of the scene's folder" ) != NULL );
	const pnScene* anywhere = pnReadSceneText( text, strlen( text ), scenePath, true, message );
	ENSURE( anywhere != NULL );
	pnCloseScene( inside );
	pnCloseScene( anywhere );
	unlink( path );
	rmdir( folder );
}

static const pnTest s_tests[] = {
	RUN( WrongScenesAreToldByPlace ), RUN( FilesSayWhatBuiltInScenesDo ), RUN( ShippedScenesRunTheSameOnTwoThreads ), RUN( RestoredFilesGoOn ), RUN( KeysMoveShapesAndPins ), RUN( ForcesGiveTheirMomentum ),
	RUN( CopiesLieWhereTheySay ), RUN( SchemaHasTheReadersKeys ), RUN( AnySceneRunsTheSame ), RUN( ChangedBytesDoNoHarm ), RUN( LinksDoNotLeadOut ),
};
SUITE( scenefile, s_tests );
