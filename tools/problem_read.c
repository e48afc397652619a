// problem_read.c - values out of a JSON text, checked, with errors that tell file, line and column. Knows no problems.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem_read.h"

#include "json_place.h"
#include "options.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

pnNode pnGetChild( const pnNode* object, const char* key )
{
	pnNode child = { .parent = object, .key = key, .json = json_object_get( object->json, key ) };
	const char* name;
	json_t* value;
	json_object_foreach( object->json, name, value ) // in the order of the text
	{
		if ( strcmp( name, key ) == 0 )
		{
			break;
		}
		child.ordinal += 1;
	}
	return child;
}

pnNode pnGetItem( const pnNode* array, int index )
{
	return (pnNode){ .parent = array, .ordinal = index, .json = json_array_get( array->json, (size_t)index ) };
}

// conditions[2].where.box; nothing for the outermost value.
static size_t pnWritePath( const pnNode* node, char* text, size_t size )
{
	if ( node->parent == NULL )
	{
		text[0] = 0;
		return 0;
	}
	size_t used = pnWritePath( node->parent, text, size );
	int more = node->key != NULL ? snprintf( text + used, size - used, "%s%s", used > 0 ? "." : "", node->key )
								 : snprintf( text + used, size - used, "[%d]", node->ordinal );
	used += more > 0 ? (size_t)more : 0;
	return used < size ? used : size - 1;
}

static bool pnFailThere( pnReader* reader, const pnNode* node, bool atKey, const char* format, va_list arguments )
{
	if ( reader->failed )
	{
		return false;
	}
	reader->failed = true;
	char path[160], sentence[320];
	pnWritePath( node, path, sizeof( path ) );
	vsnprintf( sentence, sizeof( sentence ), format, arguments );
	int steps[PN_MAX_STEPS], stepCount = 0;
	for ( const pnNode* up = node; up->parent != NULL && stepCount < PN_MAX_STEPS; up = up->parent )
	{
		stepCount += 1;
	}
	int step = stepCount;
	for ( const pnNode* up = node; step > 0; up = up->parent )
	{
		steps[--step] = up->ordinal;
	}
	int line, column;
	pnFindJsonPlace( reader->text, reader->length, steps, stepCount, atKey, &line, &column );
	snprintf( reader->message, sizeof( reader->message ), "%s:%d:%d: %s%s%s", reader->file, line, column, path, path[0] != 0 ? ": " : "",
			  sentence );
	return false;
}

bool pnFailAt( pnReader* reader, const pnNode* node, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	pnFailThere( reader, node, false, format, arguments );
	va_end( arguments );
	return false;
}

bool pnFailAtKey( pnReader* reader, const pnNode* node, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	pnFailThere( reader, node, true, format, arguments );
	va_end( arguments );
	return false;
}

// What is there instead of what was wanted.
static const char* pnNameKind( const json_t* json )
{
	if ( json == NULL )
	{
		return "nothing";
	}
	switch ( json_typeof( json ) )
	{
	case JSON_OBJECT:
		return "an object";
	case JSON_ARRAY:
		return "a list";
	case JSON_STRING:
		return "a text";
	case JSON_INTEGER:
	case JSON_REAL:
		return "a number";
	case JSON_TRUE:
	case JSON_FALSE:
		return json_is_true( json ) ? "true" : "false";
	default:
		return "null";
	}
}

bool pnCheckObject( pnReader* reader, const pnNode* node, const pnKeyTable* keys )
{
	if ( reader->failed )
	{
		return false;
	}
	if ( json_is_object( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants an object { ... }, not %s", pnNameKind( node->json ) );
	}
	const char* name;
	json_t* value;
	int ordinal = 0;
	json_object_foreach( node->json, name, value )
	{
		bool known = reader->remarks && strncmp( name, "//", 2 ) == 0;
		for ( int i = 0; i < keys->count; ++i )
		{
			known = known || strcmp( keys->keys[i], name ) == 0;
		}
		if ( known == false )
		{
			pnNode child = { node, name, ordinal, value };
			const char* near = pnFindNearName( name, keys->keys, keys->count );
			char all[200] = "";
			for ( int i = 0; near == NULL && i < keys->count; ++i )
			{
				size_t used = strlen( all );
				snprintf( all + used, sizeof( all ) - used, "%s%s", i > 0 ? ", " : "", keys->keys[i] );
			}
			return near != NULL ? pnFailAtKey( reader, &child, "there is no such key; did you mean '%s'?", near )
								: pnFailAtKey( reader, &child, "there is no such key; there are: %s", all );
		}
		ordinal += 1;
	}
	return true;
}

bool pnCheckThere( pnReader* reader, const pnNode* object, const char* key, const char* what )
{
	if ( reader->failed || json_object_get( object->json, key ) != NULL )
	{
		return reader->failed == false;
	}
	return pnFailAt( reader, object, "needs \"%s\": %s", key, what );
}

bool pnReadNumber( pnReader* reader, const pnNode* node, double lower, double upper, double* value )
{
	if ( reader->failed )
	{
		return false;
	}
	if ( json_is_number( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants a number, not %s", pnNameKind( node->json ) );
	}
	double number = json_number_value( node->json );
	if ( !( number >= lower && number <= upper ) )
	{
		return pnFailAt( reader, node, "goes from %g to %g, %g is outside", lower, upper, number );
	}
	*value = number;
	return true;
}

bool pnReadWhole( pnReader* reader, const pnNode* node, int lower, int upper, int* value )
{
	double number = 0.0;
	if ( reader->failed == false && json_is_real( node->json ) )
	{
		return pnFailAt( reader, node, "wants a whole number, not %g", json_real_value( node->json ) );
	}
	if ( pnReadNumber( reader, node, lower, upper, &number ) == false )
	{
		return false;
	}
	*value = (int)number;
	return true;
}

bool pnReadBool( pnReader* reader, const pnNode* node, bool* value )
{
	if ( reader->failed )
	{
		return false;
	}
	if ( json_is_boolean( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants true or false, not %s", pnNameKind( node->json ) );
	}
	*value = json_is_true( node->json );
	return true;
}

bool pnReadText( pnReader* reader, const pnNode* node, const char** value )
{
	if ( reader->failed )
	{
		return false;
	}
	if ( json_is_string( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants a text in quotes, not %s", pnNameKind( node->json ) );
	}
	*value = json_string_value( node->json );
	return true;
}

bool pnReadWord( pnReader* reader, const pnNode* node, const char* const* words, int wordCount, int* index )
{
	const char* text = "";
	if ( pnReadText( reader, node, &text ) == false )
	{
		return false;
	}
	char all[200] = "";
	for ( int i = 0; i < wordCount; ++i )
	{
		if ( strcmp( words[i], text ) == 0 )
		{
			*index = i;
			return true;
		}
		size_t used = strlen( all );
		snprintf( all + used, sizeof( all ) - used, "%s%s", i == 0 ? "" : i == wordCount - 1 ? " or " : ", ", words[i] );
	}
	const char* near = pnFindNearName( text, words, wordCount );
	return near != NULL ? pnFailAt( reader, node, "'%.60s' is not known; did you mean '%s'?", text, near )
						: pnFailAt( reader, node, "'%.60s' is not known; it is %s", text, all );
}

bool pnReadList( pnReader* reader, const pnNode* node, int lower, int upper, int* count )
{
	if ( reader->failed )
	{
		return false;
	}
	if ( json_is_array( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants a list [ ... ], not %s", pnNameKind( node->json ) );
	}
	size_t size = json_array_size( node->json );
	if ( size < (size_t)lower || size > (size_t)upper )
	{
		return lower == upper ? pnFailAt( reader, node, "wants %d items, not %zu", lower, size )
							  : pnFailAt( reader, node, "wants %d to %d items, not %zu", lower, upper, size );
	}
	*count = (int)size;
	return true;
}

bool pnReadPartVector( pnReader* reader, const pnNode* node, pnVec3d* vector, uint32_t* mask )
{
	if ( reader->failed )
	{
		return false;
	}
	if ( json_is_array( node->json ) == false || json_array_size( node->json ) != 3 )
	{
		return pnFailAt( reader, node, "wants three numbers [x, y, z], not %s%s", json_is_array( node->json ) ? "a list of another length" : "",
						 json_is_array( node->json ) ? "" : pnNameKind( node->json ) );
	}
	double values[3] = { 0.0, 0.0, 0.0 };
	uint32_t there = 0;
	for ( int i = 0; i < 3; ++i )
	{
		pnNode item = pnGetItem( node, i );
		if ( mask != NULL && json_is_null( item.json ) )
		{
			continue;
		}
		// 1e15 m, Pa or N: beyond it squares still are numbers, but nothing means anything any more
		if ( pnReadNumber( reader, &item, -1e15, 1e15, values + i ) == false )
		{
			return false;
		}
		there |= 1u << i;
	}
	*vector = (pnVec3d){ values[0], values[1], values[2] };
	if ( mask != NULL )
	{
		*mask = there;
	}
	return true;
}

bool pnReadVector( pnReader* reader, const pnNode* node, pnVec3d* vector ) { return pnReadPartVector( reader, node, vector, NULL ); }

bool pnReadDirection( pnReader* reader, const pnNode* node, pnVec3d* direction )
{
	pnVec3d vector = { 0.0, 0.0, 0.0 };
	if ( pnReadVector( reader, node, &vector ) == false )
	{
		return false;
	}
	double length = sqrt( vector.x * vector.x + vector.y * vector.y + vector.z * vector.z );
	if ( !( length > 1e-100 ) )
	{
		return pnFailAt( reader, node, "must not have the length 0: it is a direction" );
	}
	*direction = (pnVec3d){ vector.x / length, vector.y / length, vector.z / length };
	return true;
}
