// scene_values.c - small values of scene files: numbers, vectors, turns, colours, names, paths, key frames. Knows no parts of a scene.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_parts.h"

#include "options.h"
#include "problem_parts.h"
#include "shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pnLargest = 1e9; // m, m/s, ...: what is farther off means nothing in single precision

bool pnReadFloat( pnReader* reader, const pnNode* object, const char* key, double lower, double upper, float* value )
{
	pnNode node = pnGetChild( object, key );
	double number = 0.0;
	if ( reader->failed || node.json == NULL )
	{
		return reader->failed == false;
	}
	if ( pnReadNumber( reader, &node, lower, upper, &number ) == false )
	{
		return false;
	}
	*value = (float)number;
	return true;
}

bool pnReadInteger( pnReader* reader, const pnNode* object, const char* key, int lower, int upper, int* value )
{
	pnNode node = pnGetChild( object, key );
	return reader->failed == false && ( node.json == NULL || pnReadWhole( reader, &node, lower, upper, value ) );
}

bool pnReadFlag( pnReader* reader, const pnNode* object, const char* key, bool* value )
{
	pnNode node = pnGetChild( object, key );
	return reader->failed == false && ( node.json == NULL || pnReadBool( reader, &node, value ) );
}

static bool pnReadVecAt( pnReader* reader, const pnNode* node, pnVec3* value )
{
	pnVec3d vector;
	if ( pnReadVector( reader, node, &vector ) == false )
	{
		return false;
	}
	if ( fabs( vector.x ) > pnLargest || fabs( vector.y ) > pnLargest || fabs( vector.z ) > pnLargest )
	{
		return pnFailAt( reader, node, "no number is more than 1e+09" );
	}
	*value = pnMakeVec3( (float)vector.x, (float)vector.y, (float)vector.z );
	return true;
}

bool pnReadVec( pnReader* reader, const pnNode* object, const char* key, pnVec3* value )
{
	pnNode node = pnGetChild( object, key );
	return reader->failed == false && ( node.json == NULL || pnReadVecAt( reader, &node, value ) );
}

bool pnReadSizes( pnReader* reader, const pnNode* object, const char* key, pnVec3* value )
{
	pnNode node = pnGetChild( object, key );
	if ( reader->failed || node.json == NULL )
	{
		return reader->failed == false;
	}
	if ( pnReadVecAt( reader, &node, value ) == false )
	{
		return false;
	}
	bool good = value->x >= 1e-6f && value->y >= 1e-6f && value->z >= 1e-6f && value->x <= 1e6f && value->y <= 1e6f && value->z <= 1e6f;
	return good ? true : pnFailAt( reader, &node, "wants three lengths from 1e-06 to 1e+06" );
}

bool pnReadCounts( pnReader* reader, const pnNode* object, const char* key, int lower, int upper, int count, int* values )
{
	pnNode node = pnGetChild( object, key );
	int length;
	if ( reader->failed || node.json == NULL )
	{
		return reader->failed == false;
	}
	if ( pnReadList( reader, &node, count, count, &length ) == false )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( &node, i );
		if ( pnReadWhole( reader, &item, lower, upper, values + i ) == false )
		{
			return false;
		}
	}
	return true;
}

static bool pnReadOneTurn( pnReader* reader, const pnNode* node, pnQuat* turn )
{
	pnVec3d along;
	if ( pnReadTurn( reader, node, &pn_turnKeys, &along ) == false )
	{
		return false;
	}
	double angle = sqrt( along.x * along.x + along.y * along.y + along.z * along.z );
	*turn = pnIdentityQuat();
	if ( angle > 0.0 )
	{
		*turn = pnSceneTurn( pnMakeVec3( (float)( along.x / angle ), (float)( along.y / angle ), (float)( along.z / angle ) ), (float)angle );
	}
	return true;
}

bool pnReadTurns( pnReader* reader, const pnNode* object, const char* key, pnQuat* turn )
{
	pnNode node = pnGetChild( object, key );
	if ( reader->failed || node.json == NULL )
	{
		return reader->failed == false;
	}
	if ( json_is_array( node.json ) == false )
	{
		return pnReadOneTurn( reader, &node, turn );
	}
	int count;
	if ( pnReadList( reader, &node, 1, 8, &count ) == false )
	{
		return false;
	}
	pnQuat all = pnIdentityQuat();
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( &node, i );
		pnQuat next;
		if ( pnReadOneTurn( reader, &item, &next ) == false )
		{
			return false;
		}
		all = pnMulQuat( next, all );
	}
	*turn = all;
	return true;
}

bool pnReadPose( pnReader* reader, const pnNode* object, pnTransform* transform )
{
	pnNode up = pnGetChild( object, "up" ), turn = pnGetChild( object, "turn" );
	if ( reader->failed == false && up.json != NULL && turn.json != NULL )
	{
		return pnFailAtKey( reader, &up, "says the same as \"turn\"; one of them will do" );
	}
	pnVec3 direction = { 0.0f, 1.0f, 0.0f };
	if ( pnReadVec( reader, object, "at", &transform->p ) == false || pnReadTurns( reader, object, "turn", &transform->q ) == false ||
		 pnReadVec( reader, object, "up", &direction ) == false )
	{
		return false;
	}
	if ( up.json != NULL )
	{
		float across = direction.x * direction.x + direction.z * direction.z;
		if ( !( across > 0.0f || direction.y > 0.0f ) )
		{
			return pnFailAt( reader, &up, "is the direction of its y axis, and not straight down; use \"turn\" for that" );
		}
		transform->q = pnSceneTilt( direction );
	}
	return true;
}

bool pnReadColor( pnReader* reader, const pnNode* node, uint32_t* color )
{
	const char* text;
	if ( pnReadText( reader, node, &text ) == false )
	{
		return false;
	}
	*color = 0;
	if ( strcmp( text, "none" ) == 0 )
	{
		return true;
	}
	bool good = text[0] == '#' && strlen( text ) == 7 && strspn( text + 1, "0123456789abcdefABCDEF" ) == 6;
	*color = good ? (uint32_t)strtoul( text + 1, NULL, 16 ) : 0;
	return good ? true : pnFailAt( reader, node, "'%.40s' is no colour; one is \"#rrggbb\", such as \"#e0533d\", or \"none\"", text );
}

bool pnReadPartName( pnReader* reader, const pnNode* node, const char* text, char name[PN_PART_NAME] )
{
	size_t length = strlen( text );
	bool good = length > 0 && length < PN_PART_NAME;
	for ( size_t i = 0; i < length && good; ++i )
	{
		char c = text[i];
		good = ( c >= 'a' && c <= 'z' ) || ( c >= 'A' && c <= 'Z' ) || ( c >= '0' && c <= '9' ) || c == '-' || c == '_';
	}
	if ( good == false )
	{
		return pnFailAtKey( reader, node, "a name has 1 to %d letters, digits, - and _", PN_PART_NAME - 1 );
	}
	memcpy( name, text, length + 1 );
	return true;
}

bool pnReadFilter( pnReader* reader, const pnNode* object, pnFilter* filter )
{
	bool touches = true;
	pnReadFlag( reader, object, "touches", &touches );
	pnNode nodes[2] = { pnGetChild( object, "layers" ), pnGetChild( object, "mask" ) };
	for ( int i = 0; i < 2 && reader->failed == false; ++i )
	{
		double number = 0.0;
		if ( nodes[i].json != NULL && pnReadNumber( reader, nodes + i, 0.0, 4294967295.0, &number ) )
		{
			*( i == 0 ? &filter->layers : &filter->mask ) = (uint32_t)number;
		}
	}
	if ( touches == false )
	{
		filter->mask = 0;
	}
	return reader->failed == false;
}

// Steps up (..) are counted: a path may go into folders and back, but not above where the scene is.
static bool pnStaysInside( const char* path )
{
	int depth = 0;
	if ( path[0] == '/' )
	{
		return false;
	}
	while ( *path != 0 )
	{
		size_t length = strcspn( path, "/\\" );
		bool isUp = length == 2 && path[0] == '.' && path[1] == '.';
		bool isHere = length == 0 || ( length == 1 && path[0] == '.' );
		depth += isUp ? -1 : isHere ? 0 : 1;
		if ( depth < 0 )
		{
			return false;
		}
		path += length + ( path[length] != 0 ? 1 : 0 );
	}
	return true;
}

bool pnReadScenePath( pnReader* reader, const pnNode* node, bool anyPath, char* path, size_t size )
{
	const char* name;
	if ( pnReadText( reader, node, &name ) == false )
	{
		return false;
	}
	const char* slash = strrchr( reader->file, '/' );
	int folder = name[0] == '/' || slash == NULL ? 0 : (int)( slash - reader->file ) + 1;
	int length = snprintf( path, size, "%.*s%s", folder, reader->file, name );
	if ( name[0] == 0 || length <= 0 || (size_t)length >= size )
	{
		return pnFailAt( reader, node, "wants the name of a file" );
	}
	if ( anyPath )
	{
		return true;
	}
	if ( pnStaysInside( name ) == false )
	{
		return pnFailAt( reader, node, "'%.80s' is not in the scene's folder; --any-path allows that", name );
	}
	// Links may lead elsewhere, too.
	char inside[4096];
	snprintf( inside, sizeof( inside ), "%.*s", folder > 0 ? folder : 1, folder > 0 ? reader->file : "." );
	char* home = realpath( inside, NULL );
	char* real = realpath( path, NULL );
	size_t homeLength = home != NULL ? strlen( home ) : 0;
	bool leaves = home != NULL && real != NULL && homeLength > 1 && ( strncmp( real, home, homeLength ) != 0 || real[homeLength] != '/' );
	free( home );
	free( real );
	return leaves ? pnFailAt( reader, node, "'%.80s' leads out of the scene's folder; --any-path allows that", name ) : true;
}

bool pnFailUnknown( pnReader* reader, const pnNode* node, const char* what, const char* name, const char* const* names, int count )
{
	const char* near = pnFindNearName( name, names, count );
	if ( near != NULL )
	{
		return pnFailAt( reader, node, "there is no %s '%.60s'; did you mean '%s'?", what, name, near );
	}
	char all[200] = "";
	for ( int i = 0; i < count; ++i )
	{
		size_t used = strlen( all );
		snprintf( all + used, sizeof( all ) - used, "%s%s", i > 0 ? ", " : "", names[i] );
	}
	return pnFailAt( reader, node, "there is no %s '%.60s'%s%s", what, name, count > 0 ? "; there are: " : "", all );
}

// ---- key frames ----

static const char* const shapeKeyList[] = { "time", "at", "turn" };
static const char* const pinKeyList[] = { "time", "move", "turn", "scale" };
static const char* const forceKeyList[] = { "time", "strength" };
const pnKeyTable pn_shapeKeyKeys = { "shapeKey", shapeKeyList, 3 }, pn_pinKeyKeys = { "pinKey", pinKeyList, 4 },
				 pn_forceKeyKeys = { "forceKey", forceKeyList, 2 };

bool pnReadKeys( pnReader* reader, const pnNode* object, const pnTransform* start, const pnKeyTable* table, pnKeys* keys )
{
	pnNode node = pnGetChild( object, "keys" );
	if ( reader->failed || pnReadFlag( reader, object, "linear", &keys->linear ) == false || node.json == NULL )
	{
		return reader->failed == false;
	}
	int count;
	if ( pnReadList( reader, &node, 1, PN_MAX_KEYS, &count ) == false )
	{
		return false;
	}
	keys->keys = calloc( (size_t)count, sizeof( pnKey ) );
	if ( keys->keys == NULL )
	{
		return pnFailAt( reader, &node, "there is no memory for it" );
	}
	keys->count = count;
	pnKey last = { 0.0f, start->p, start->q, { 1.0f, 1.0f, 1.0f }, 1.0f };
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( &node, i );
		pnKey* key = keys->keys + i;
		*key = last; // what is not said stays
		if ( pnCheckObject( reader, &item, table ) == false ||
			 pnCheckThere( reader, &item, "time", "when it is there, s" ) == false || pnReadFloat( reader, &item, "time", 0.0, 1e6, &key->time ) == false ||
			 pnReadVec( reader, &item, "move", &key->at ) == false || pnReadVec( reader, &item, "at", &key->at ) == false || pnReadTurns( reader, &item, "turn", &key->turn ) == false ||
			 pnReadVec( reader, &item, "scale", &key->scale ) == false || pnReadFloat( reader, &item, "strength", -1e6, 1e6, &key->strength ) == false )
		{
			return false;
		}
		if ( i > 0 && key->time <= last.time )
		{
			pnNode time = pnGetChild( &item, "time" );
			return pnFailAt( reader, &time, "%g s is not after the key before it, %g s", (double)key->time, (double)last.time );
		}
		last = *key;
	}
	return true;
}

pnKey pnEvaluateKeys( const pnKeys* keys, float time )
{
	const pnKey* all = keys->keys;
	int next = 0;
	while ( next < keys->count && all[next].time <= time )
	{
		next += 1;
	}
	if ( next == 0 || next == keys->count )
	{
		return all[next == 0 ? 0 : keys->count - 1];
	}
	const pnKey *a = all + next - 1, *b = all + next;
	float share = ( time - a->time ) / ( b->time - a->time );
	share = keys->linear ? share : pnSceneEase( share );
	pnKey key = { time, pnMulAdd( a->at, share, pnSub( b->at, a->at ) ), a->turn, pnMulAdd( a->scale, share, pnSub( b->scale, a->scale ) ),
				  a->strength + share * ( b->strength - a->strength ) };
	// Straight from one turn to the next, the shorter way: between keys less than half a turn apart hardly different from an even one.
	const pnQuat *p = &a->turn, *q = &b->turn;
	float dot = p->x * q->x + p->y * q->y + p->z * q->z + p->w * q->w;
	float first = 1.0f - share, second = dot < 0.0f ? -share : share;
	pnQuat mix = { first * p->x + second * q->x, first * p->y + second * q->y, first * p->z + second * q->z, first * p->w + second * q->w };
	float length = sqrtf( mix.x * mix.x + mix.y * mix.y + mix.z * mix.z + mix.w * mix.w );
	if ( length > 0.0f )
	{
		key.turn = (pnQuat){ mix.x / length, mix.y / length, mix.z / length, mix.w / length };
	}
	return key;
}
