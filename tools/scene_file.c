// scene_file.c - a scene out of a JSON file: the whole, and how it fills and moves a world. Its parts are in scene_*.c. Knows no command line.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_file.h"

#include "scene_parts.h"
#include "shape.h"
#include "whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const sceneList[] = { "$schema", "title", "description", "world", "view", "materials", "solids", "shapes", "bodies", "timeline", "write" };
static const char* const worldList[] = { "gravity", "rate", "substeps", "frames", "seconds", "sleep" };
static const char* const viewList[] = { "target", "azimuth", "elevation", "distance", "ground", "pictures" };
static const char* const writeList[] = { "out", "every" };
#define PN_TABLE( NAME ) const pnKeyTable pn_##NAME##Keys = { #NAME, NAME##List, (int)( sizeof( NAME##List ) / sizeof( NAME##List[0] ) ) }
PN_TABLE( scene );
PN_TABLE( world );
PN_TABLE( view );
PN_TABLE( write );

const pnKeyTable* pnGetSceneKeys( int* count )
{
	static pnKeyTable tables[32];
	*count = 0;
	const pnKeyTable* all[] = { &pn_sceneKeys, &pn_worldKeys, &pn_viewKeys, &pn_writeKeys, &pn_obstacleKeys, &pn_bodyKeys, &pn_gridKeys, &pn_stackKeys, &pn_scatterKeys,
								&pn_jitterKeys, &pn_pinKeys, &pn_shapeKeyKeys, &pn_pinKeyKeys, &pn_forceKeys, &pn_forceKeyKeys, &pn_meshKeys, &pn_sampleKeys, &pn_clusterKeys, &pn_momentKeys };
	for ( size_t i = 0; i < sizeof( all ) / sizeof( all[0] ); ++i )
	{
		tables[( *count )++] = *all[i];
	}
	for ( int i = 0; i < PN_MADE_KINDS; ++i )
	{
		tables[( *count )++] = pnSolidKeys[i];
	}
	tables[( *count )++] = pnGetMaterialKeys();
	return tables;
}

// ---- into a world ----

static pnResult pnFillBody( const pnSceneFile* file, pnWorld* world, int index )
{
	const pnSceneBody* body = file->bodies + index;
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = file->solids[body->solid].solid;
	def.material = body->material;
	def.transform = body->transform;
	def.velocity = body->velocity;
	def.angularVelocity = body->spin;
	def.gravityScale = body->gravityScale;
	def.filter = body->filter;
	def.detector = body->detector;
	def.selfContact = body->selfContact;
	def.userData = body->userData;
	pnBodyId id;
	pnResult result = pnCreateBody( world, &def, &id );
	if ( result != pn_success )
	{
		return result;
	}
	// Commands and pins know bodies by these numbers.
	if ( id.index1 != index + 1 || id.generation != 1 )
	{
		return pn_invalidInput;
	}
	if ( body->deform < 0 )
	{
		return pn_success;
	}
	int count = pnSolid_GetInfo( def.solid ).pointCount;
	pnVec3* places = malloc( (size_t)count * sizeof( pnVec3 ) );
	if ( places == NULL )
	{
		return pn_outOfMemory;
	}
	const float( *rows )[9] = file->deforms[body->deform].rows;
	pnBody_WritePoints( world, id, places, NULL, count );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 q = pnSub( places[i], body->transform.p );
		float values[9] = { q.x, q.y, q.z, q.x * q.x, q.y * q.y, q.z * q.z, q.x * q.y, q.y * q.z, q.z * q.x };
		float move[3] = { 0.0f, 0.0f, 0.0f };
		for ( int j = 0; j < 27; ++j )
		{
			move[j / 9] += rows[j / 9][j % 9] * values[j % 9];
		}
		places[i] = pnAdd( body->transform.p, pnMakeVec3( q.x + move[0], q.y + move[1], q.z + move[2] ) );
	}
	result = pnBody_SetPoints( world, id, places, NULL, count );
	free( places );
	return result;
}

static pnResult pnBuildSceneFile( const void* content, pnWorld* world )
{
	const pnSceneFile* file = content;
	pnResult result = file->hasGravity ? pnWorld_SetGravity( world, file->gravity ) : pn_success;
	for ( int i = 0; i < file->shapeCount && result == pn_success; ++i )
	{
		pnShapeId shape;
		result = pnCreateShape( world, &file->shapes[i].def, &shape );
	}
	for ( int i = 0; i < file->bodyCount && result == pn_success; ++i )
	{
		result = pnFillBody( file, world, i );
	}
	for ( int i = 0; i < file->pinCount && result == pn_success; ++i )
	{
		const pnPinSet* set = file->pins + i;
		if ( set->from == 0.0f )
		{
			result = pnBody_Pin( world, (pnBodyId){ set->body + 1, 1 }, set->points, NULL, set->count );
		}
	}
	return result;
}

// ---- before each step ----

// Where a pin is to be. Before the first key it goes there in a straight line from wherever it is, so as to be there in time.
static pnVec3 pnGetPinTarget( const pnPinSet* set, const pnKey* key, int i )
{
	pnVec3 arm = pnSub( set->places[i], set->about );
	arm = pnMakeVec3( key->scale.x * arm.x, key->scale.y * arm.y, key->scale.z * arm.z );
	bool turns = key->turn.x != 0.0f || key->turn.y != 0.0f || key->turn.z != 0.0f;
	arm = turns ? pnRotate( key->turn, arm ) : arm;
	return pnAdd( pnAdd( set->about, key->at ), arm );
}

static pnResult pnMovePins( pnWorld* world, const pnPinSet* set, int frame, float timeStep )
{
	pnBodyId body = { set->body + 1, 1 };
	float time = (float)frame * timeStep;
	if ( pnBody_IsValid( world, body ) == false ) // cut or torn: its pieces keep their pins
	{
		return pn_success;
	}
	if ( set->until > 0.0f && pnSceneCrosses( set->until, frame, timeStep ) )
	{
		return pnBody_Unpin( world, body, set->points, set->count );
	}
	bool holds = time > set->from && ( set->until == 0.0f || time < set->until );
	bool begins = set->from > 0.0f && pnSceneCrosses( set->from, frame, timeStep );
	if ( set->keys.count == 0 )
	{
		return begins ? pnBody_Pin( world, body, set->points, NULL, set->count ) : pn_success;
	}
	if ( holds == false )
	{
		return pn_success;
	}
	int pointCount = pnBody_WritePoints( world, body, NULL, NULL, 0 );
	pnVec3* targets = malloc( (size_t)set->count * sizeof( pnVec3 ) );
	pnVec3* places = malloc( (size_t)pointCount * sizeof( pnVec3 ) );
	pnResult result = targets != NULL && places != NULL ? pn_success : pn_outOfMemory;
	if ( result == pn_success )
	{
		pnKey key = pnEvaluateKeys( &set->keys, time );
		float arrival = set->keys.keys[0].time, left = arrival - ( time - timeStep );
		bool approaches = left > 0.0f;
		float share = left > timeStep ? timeStep / left : 1.0f;
		pnBody_WritePoints( world, body, places, NULL, pointCount );
		for ( int i = 0; i < set->count; ++i )
		{
			targets[i] = pnGetPinTarget( set, &key, i );
			pnVec3 here = set->points[i] < pointCount ? places[set->points[i]] : targets[i];
			targets[i] = approaches && share < 1.0f ? pnMulAdd( here, share, pnSub( targets[i], here ) ) : targets[i];
		}
		result = pnBody_Pin( world, body, set->points, targets, set->count );
	}
	free( targets );
	free( places );
	return result;
}

static pnResult pnLeadSceneFile( const void* content, pnWorld* world, int frame, float timeStep )
{
	const pnSceneFile* file = content;
	pnResult result = pn_success;
	float time = (float)frame * timeStep;
	for ( int i = 0; i < file->shapeCount && result == pn_success; ++i )
	{
		const pnSceneShape* shape = file->shapes + i;
		pnShapeId id = { i + 1, 1 }; // the first in a fresh world
		if ( shape->keys.count > 0 && pnShape_IsValid( world, id ) )
		{
			pnKey key = pnEvaluateKeys( &shape->keys, time );
			result = pnShape_MoveTo( world, id, (pnTransform){ key.at, key.turn } );
		}
	}
	for ( int i = 0; i < file->pinCount && result == pn_success; ++i )
	{
		result = pnMovePins( world, file->pins + i, frame, timeStep );
	}
	for ( int i = 0; i < file->forceCount && result == pn_success; ++i )
	{
		result = pnApplySceneForce( file, file->forces + i, world, time );
	}
	return result;
}

// ---- out of the text ----

static bool pnReadWorld( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	pnScene* scene = &file->scene;
	bool sleeps = true;
	float seconds = -1.0f;
	if ( node->json == NULL )
	{
		return true;
	}
	if ( pnCheckObject( reader, node, &pn_worldKeys ) == false )
	{
		return false;
	}
	pnNode gravity = pnGetChild( node, "gravity" ), frames = pnGetChild( node, "frames" ), secondsNode = pnGetChild( node, "seconds" );
	file->hasGravity = gravity.json != NULL;
	if ( frames.json != NULL && secondsNode.json != NULL )
	{
		return pnFailAtKey( reader, &secondsNode, "says the same as \"frames\"; one of them will do" );
	}
	bool good = pnReadVec( reader, node, "gravity", &file->gravity ) && pnReadFloat( reader, node, "rate", 1.0, 100000.0, &scene->rate ) &&
				pnReadInteger( reader, node, "substeps", 1, 64, &scene->substeps ) && pnReadInteger( reader, node, "frames", 0, 1000000, &scene->frames ) &&
				pnReadFloat( reader, node, "seconds", 0.0, 1e5, &seconds ) && pnReadFlag( reader, node, "sleep", &sleeps );
	scene->sleepless = sleeps == false;
	if ( good && seconds >= 0.0f )
	{
		float count = seconds * scene->rate + 0.5f;
		scene->frames = count < 1e6f ? (int)count : 1000000;
	}
	return good;
}

static bool pnReadPictures( pnReader* reader, const pnNode* node, pnScene* scene )
{
	int count;
	if ( node->json == NULL )
	{
		return true;
	}
	if ( pnReadList( reader, node, 1, PN_MAX_SHOTS, &count ) == false )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		if ( pnReadWhole( reader, &item, i == 0 ? 0 : scene->shots[i - 1] + 1, scene->frames, scene->shots + i ) == false )
		{
			return false;
		}
	}
	scene->shotCount = count;
	return true;
}

static bool pnReadView( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	pnSceneView* view = &file->scene.view;
	if ( node->json == NULL )
	{
		return true;
	}
	pnNode pictures = pnGetChild( node, "pictures" );
	return pnCheckObject( reader, node, &pn_viewKeys ) && pnReadVec( reader, node, "target", &view->target ) &&
		   pnReadFloat( reader, node, "azimuth", -360.0, 360.0, &view->azimuth ) && pnReadFloat( reader, node, "elevation", -90.0, 90.0, &view->elevation ) &&
		   pnReadFloat( reader, node, "distance", 1e-6, 1e6, &view->distance ) && pnReadFloat( reader, node, "ground", -1e6, 1e6, &view->ground ) &&
		   pnReadPictures( reader, &pictures, &file->scene );
}

// Where nothing is said: from a little above, so that all bodies are seen.
static void pnAimView( pnSceneFile* file )
{
	pnVec3 lower = { 1e30f, 1e30f, 1e30f }, upper = { -1e30f, -1e30f, -1e30f };
	for ( int i = 0; i < file->bodyCount; ++i )
	{
		pnAABB bounds = pnSolid_GetInfo( file->solids[file->bodies[i].solid].solid ).bounds;
		for ( int corner = 0; corner < 8; ++corner )
		{
			pnVec3 p = { ( corner & 1 ) != 0 ? bounds.upper.x : bounds.lower.x, ( corner & 2 ) != 0 ? bounds.upper.y : bounds.lower.y,
						 ( corner & 4 ) != 0 ? bounds.upper.z : bounds.lower.z };
			p = pnTransformPoint( file->bodies[i].transform, p );
			lower = pnMakeVec3( p.x < lower.x ? p.x : lower.x, p.y < lower.y ? p.y : lower.y, p.z < lower.z ? p.z : lower.z );
			upper = pnMakeVec3( p.x > upper.x ? p.x : upper.x, p.y > upper.y ? p.y : upper.y, p.z > upper.z ? p.z : upper.z );
		}
	}
	pnSceneView* view = &file->scene.view;
	*view = (pnSceneView){ { 0.0f, 0.5f, 0.0f }, 25.0f, 18.0f, 5.0f, 0.0f };
	if ( file->bodyCount > 0 )
	{
		pnVec3 size = pnSub( upper, lower );
		float most = size.x > size.y ? size.x : size.y;
		most = most > size.z ? most : size.z;
		view->target = pnScale( 0.5f, pnAdd( lower, upper ) );
		view->target.y *= 0.7f; // most scenes fall
		view->distance = 2.6f * most;
	}
}

static bool pnReadWrite( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	if ( node->json == NULL )
	{
		return true;
	}
	pnNode out = pnGetChild( node, "out" );
	const char* name;
	if ( pnCheckObject( reader, node, &pn_writeKeys ) == false || pnCheckThere( reader, node, "out", "a file, by its ending" ) == false ||
		 pnReadText( reader, &out, &name ) == false || pnReadInteger( reader, node, "every", 1, 1000000, &file->scene.outEvery ) == false )
	{
		return false;
	}
	// What a scene writes is written where one stands, never elsewhere.
	if ( name[0] == 0 || strlen( name ) >= sizeof( file->out ) || strchr( name, '/' ) != NULL || strchr( name, '\\' ) != NULL )
	{
		return pnFailAt( reader, &out, "wants the name of a file, without a folder" );
	}
	snprintf( file->out, sizeof( file->out ), "%s", name );
	file->scene.out = file->out;
	return true;
}

static bool pnReadSceneRoot( pnReader* reader, json_t* json, pnSceneFile* file )
{
	pnNode root = { .json = json };
	if ( pnCheckObject( reader, &root, &pn_sceneKeys ) == false || pnCheckThere( reader, &root, "bodies", "[{\"solid\": \"name\", \"at\": [x, y, z]}, ...]" ) == false ||
		 pnCheckThere( reader, &root, "solids", "{\"name\": {\"shape\": \"box\"}, ...}" ) == false )
	{
		return false;
	}
	pnNode schema = pnGetChild( &root, "$schema" ), title = pnGetChild( &root, "title" ), description = pnGetChild( &root, "description" );
	pnNode world = pnGetChild( &root, "world" ), view = pnGetChild( &root, "view" ), materials = pnGetChild( &root, "materials" );
	pnNode solids = pnGetChild( &root, "solids" ), shapes = pnGetChild( &root, "shapes" ), bodies = pnGetChild( &root, "bodies" );
	pnNode timeline = pnGetChild( &root, "timeline" ), write = pnGetChild( &root, "write" );
	const char *ignored, *text = "";
	bool good = ( schema.json == NULL || pnReadText( reader, &schema, &ignored ) ) && ( title.json == NULL || pnReadText( reader, &title, &text ) );
	good = good && ( description.json == NULL || json_is_array( description.json ) || pnReadText( reader, &description, &ignored ) );
	snprintf( file->title, sizeof( file->title ), "%s", text );
	file->scene.frames = -1;
	good = good && pnReadWorld( reader, &world, file ) && ( materials.json == NULL || pnReadSceneMaterials( reader, &materials, file ) );
	good = good && pnReadSceneSolids( reader, &solids, file ) && ( shapes.json == NULL || pnReadSceneShapes( reader, &shapes, file ) );
	good = good && pnReadSceneBodies( reader, &bodies, file ) && pnReadSceneTimeline( reader, &timeline, file );
	if ( good )
	{
		pnAimView( file );
		file->scene.frames = file->scene.frames < 0 ? 300 : file->scene.frames;
	}
	return good && pnReadView( reader, &view, file ) && pnReadWrite( reader, &write, file );
}

static void pnFreeContent( pnSceneFile* file )
{
	for ( int i = 0; i < file->solidCount; ++i )
	{
		pnDestroySolid( file->solids[i].solid );
		for ( int j = 0; j < file->solids[i].groupCount; ++j )
		{
			free( file->solids[i].groups[j].points );
		}
		free( file->solids[i].groups );
	}
	for ( int i = 0; i < file->shapeCount; ++i )
	{
		free( file->shapes[i].points );
		free( file->shapes[i].triangles );
		free( file->shapes[i].heights );
		free( file->shapes[i].keys.keys );
	}
	for ( int i = 0; i < file->pinCount; ++i )
	{
		free( file->pins[i].points );
		free( file->pins[i].places );
		free( file->pins[i].keys.keys );
	}
	for ( int i = 0; i < file->forceCount; ++i )
	{
		free( file->forces[i].points );
		free( file->forces[i].arms );
		free( file->forces[i].keys.keys );
	}
	free( file->materials );
	free( file->solids );
	free( file->shapes );
	free( file->bodies );
	free( file->names );
	free( file->pins );
	free( file->forces );
	free( file->deforms );
	free( file->script );
	pnDestroyWorld( file->scratch );
	free( file );
}

// fall.scene.json is `fall`.
static void pnNameScene( const char* path, char name[PN_PART_NAME] )
{
	const char* slash = strrchr( path, '/' );
	const char* stem = slash != NULL ? slash + 1 : path;
	size_t length = strcspn( stem, "." );
	length = length < 31 ? length : 31; // as long as a saved run can name it
	snprintf( name, PN_PART_NAME, "%.*s", (int)length, stem );
}

const pnScene* pnReadSceneText( const char* text, size_t length, const char* path, bool anyPath, char message[PN_SCENE_MESSAGE] )
{
	if ( length >= 3 && memcmp( text, "\xef\xbb\xbf", 3 ) == 0 ) // some editors begin UTF-8 with its mark
	{
		text += 3;
		length -= 3;
	}
	json_error_t error;
	json_t* json = json_loadb( text, length, JSON_REJECT_DUPLICATES, &error );
	if ( json == NULL )
	{
		snprintf( message, PN_SCENE_MESSAGE, "%s:%d:%d: this is not JSON: %s", path, error.line > 0 ? error.line : 1, error.column > 0 ? error.column : 1, error.text );
		for ( char* c = message; *c != 0; ++c )
		{
			*c = *c == '\n' ? ' ' : *c; // what is near a mistake may be the end of the line
		}
		return NULL;
	}
	pnSceneFile* file = calloc( 1, sizeof( pnSceneFile ) );
	pnWorldDef worldDef = pnDefaultWorldDef();
	if ( file == NULL || pnCreateWorld( &worldDef, &file->scratch ) != pn_success )
	{
		snprintf( message, PN_SCENE_MESSAGE, "%s: there is no memory for it", path );
		free( file );
		json_decref( json );
		return NULL;
	}
	file->anyPath = anyPath;
	file->scene = (pnScene){ .rate = 60.0f, .substeps = 4, .build = pnBuildSceneFile, .lead = pnLeadSceneFile };
	pnReader reader = { .file = path, .text = text, .length = length, .remarks = true };
	pnListenToLog();
	bool good = pnReadSceneRoot( &reader, json, file );
	pnSetLogFcn( NULL );
	json_decref( json );
	if ( good == false )
	{
		snprintf( message, PN_SCENE_MESSAGE, "%s", reader.message );
		pnFreeContent( file );
		return NULL;
	}
	pnDestroyWorld( file->scratch );
	file->scratch = NULL;
	pnNameScene( path, file->name );
	pnScene* scene = &file->scene;
	scene->name = file->name;
	scene->text = file->title;
	scene->script = file->script;
	scene->heavy = file->pointCount > 20000;
	scene->content = file;
	return scene;
}

const pnScene* pnLoadSceneFile( const char* path, bool anyPath, char message[PN_SCENE_MESSAGE] )
{
	size_t size;
	const char* why;
	uint8_t* bytes = pnReadFile( path, &size, &why );
	if ( bytes == NULL )
	{
		snprintf( message, PN_SCENE_MESSAGE, "cannot read '%.400s': %s", path, why );
		return NULL;
	}
	const pnScene* scene = NULL;
	if ( size > PN_MAX_SCENE_TEXT )
	{
		snprintf( message, PN_SCENE_MESSAGE, "%.400s: a scene file has up to %d bytes, not %zu", path, PN_MAX_SCENE_TEXT, size );
	}
	else
	{
		scene = pnReadSceneText( (const char*)bytes, size, path, anyPath, message );
	}
	free( bytes );
	return scene;
}

void pnFreeSceneFile( const pnScene* scene )
{
	if ( scene != NULL && scene->content != NULL )
	{
		pnFreeContent( (pnSceneFile*)(uintptr_t)scene->content );
	}
}
