// scene_pin.c - the pins of a body of a scene file: which points they hold, when, and where they go. Knows no world but the one the body is tried in.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_parts.h"

#include "problem_parts.h"

#include <stdlib.h>
#include <string.h>

static const char* const pinList[] = { "box", "sphere", "plane", "group", "points", "all", "about", "from", "until", "keys", "linear" };
const pnKeyTable pn_pinKeys = { "pin", pinList, (int)( sizeof( pinList ) / sizeof( pinList[0] ) ) };

static bool pnReadPinWindow( pnReader* reader, const pnNode* node, pnPinSet* set )
{
	pnTransform start = pnIdentityTransform();
	if ( pnReadVec( reader, node, "about", &set->about ) == false || pnReadFloat( reader, node, "from", 0.0, 1e6, &set->from ) == false ||
		 pnReadFloat( reader, node, "until", 0.0, 1e6, &set->until ) == false || pnReadKeys( reader, node, &start, &pn_pinKeyKeys, &set->keys ) == false )
	{
		return false;
	}
	if ( set->until > 0.0f && set->until <= set->from )
	{
		pnNode until = pnGetChild( node, "until" );
		return pnFailAt( reader, &until, "%g s is not after \"from\", %g s", (double)set->until, (double)set->from );
	}
	return true;
}

static bool pnReadPinnedGroup( pnReader* reader, const pnNode* node, const pnSceneSolid* solid, bool* chosen, int count )
{
	const char* name;
	if ( pnReadText( reader, node, &name ) == false )
	{
		return false;
	}
	const char* names[PN_MAX_GROUPS];
	for ( int i = 0; i < solid->groupCount; ++i )
	{
		names[i] = solid->groups[i].name;
		if ( strcmp( names[i], name ) == 0 )
		{
			bool* inside = calloc( (size_t)count, 1 );
			if ( inside == NULL )
			{
				return pnFailAt( reader, node, "there is no memory for it" );
			}
			for ( int j = 0; j < solid->groups[i].count; ++j )
			{
				inside[solid->groups[i].points[j]] = true;
			}
			for ( int j = 0; j < count; ++j )
			{
				chosen[j] = chosen[j] && inside[j];
			}
			free( inside );
			return true;
		}
	}
	return pnFailUnknown( reader, node, "group", name, names, solid->groupCount );
}

static bool pnReadPinnedPoints( pnReader* reader, const pnNode* node, bool* chosen, int count )
{
	int listed;
	if ( pnReadList( reader, node, 1, PN_MAX_SCENE_POINTS, &listed ) == false )
	{
		return false;
	}
	for ( int i = 0; i < listed; ++i )
	{
		pnNode item = pnGetItem( node, i );
		int point = 0;
		if ( pnReadWhole( reader, &item, 0, count - 1, &point ) == false )
		{
			return false;
		}
		chosen[point] = true;
	}
	return true;
}

bool pnChoosePoints( pnReader* reader, const pnNode* node, const pnSceneSolid* solid, const pnVec3* places, int count, const char* why, pnPinSet* set )
{
	static const char* const words[] = { "box", "sphere", "plane", "group", "points", "all" };
	bool says = false, yes = true;
	for ( size_t i = 0; i < sizeof( words ) / sizeof( words[0] ); ++i )
	{
		says = says || json_object_get( node->json, words[i] ) != NULL;
	}
	if ( says == false )
	{
		return pnFailAt( reader, node, "needs one of \"box\", \"sphere\", \"plane\", \"group\", \"points\" and \"all\": which points %s", why );
	}
	if ( pnReadFlag( reader, node, "all", &yes ) == false )
	{
		return false;
	}
	pnNode group = pnGetChild( node, "group" ), list = pnGetChild( node, "points" );
	pnRegion region = { 0 };
	bool* chosen = malloc( (size_t)count );
	if ( chosen == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	memset( chosen, list.json == NULL, (size_t)count );
	bool good = pnReadRegionPlace( reader, node, 1e-6, &region );
	good = good && ( list.json == NULL || pnReadPinnedPoints( reader, &list, chosen, count ) );
	good = good && ( group.json == NULL || pnReadPinnedGroup( reader, &group, solid, chosen, count ) );
	for ( int i = 0; i < count && good; ++i )
	{
		pnVec3d place = { (double)places[i].x, (double)places[i].y, (double)places[i].z };
		chosen[i] = chosen[i] && pnRegionHas( &region, place, (pnVec3d){ 0.0, 1.0, 0.0 }, -1 );
		set->count += chosen[i] ? 1 : 0;
	}
	if ( good && set->count == 0 )
	{
		good = pnFailAt( reader, node, "no point of the body is there" );
	}
	set->points = good ? malloc( (size_t)set->count * sizeof( int32_t ) ) : NULL;
	set->places = good ? malloc( (size_t)set->count * sizeof( pnVec3 ) ) : NULL;
	if ( good && ( set->points == NULL || set->places == NULL ) )
	{
		good = pnFailAt( reader, node, "there is no memory for it" );
	}
	pnVec3d middle = { 0.0, 0.0, 0.0 };
	for ( int i = 0, next = 0; i < count && good; ++i )
	{
		if ( chosen[i] )
		{
			middle = (pnVec3d){ middle.x + (double)places[i].x, middle.y + (double)places[i].y, middle.z + (double)places[i].z };
			set->points[next] = i;
			set->places[next++] = places[i];
		}
	}
	if ( good )
	{
		double share = 1.0 / set->count;
		set->about = pnMakeVec3( (float)( middle.x * share ), (float)( middle.y * share ), (float)( middle.z * share ) );
	}
	free( chosen );
	return good;
}

bool pnReadPins( pnReader* reader, const pnNode* node, pnSceneFile* file, int body, pnBodyId id )
{
	int count;
	if ( pnReadList( reader, node, 1, PN_MAX_PIN_SETS, &count ) == false )
	{
		return false;
	}
	const pnSceneSolid* solid = file->solids + file->bodies[body].solid;
	int pointCount = pnSolid_GetInfo( solid->solid ).pointCount;
	pnVec3* places = malloc( (size_t)pointCount * sizeof( pnVec3 ) );
	pnPinSet* more = realloc( file->pins, (size_t)( file->pinCount + count ) * sizeof( pnPinSet ) );
	file->pins = more != NULL ? more : file->pins;
	bool good = places != NULL && more != NULL ? true : pnFailAt( reader, node, "there is no memory for it" );
	if ( good )
	{
		pnBody_WritePoints( file->scratch, id, places, NULL, pointCount );
	}
	for ( int i = 0; i < count && good; ++i )
	{
		pnNode item = pnGetItem( node, i );
		pnPinSet* set = file->pins + file->pinCount++;
		*set = (pnPinSet){ .body = body };
		good = pnCheckObject( reader, &item, &pn_pinKeys ) && pnChoosePoints( reader, &item, solid, places, pointCount, "are held", set );
		good = good && pnReadPinWindow( reader, &item, set );
	}
	free( places );
	return good;
}
