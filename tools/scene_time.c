// scene_time.c - the time line of a scene file: commands of docs/hands.md at moments, made into one script. Knows no world.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_parts.h"

#include "command.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const momentList[] = { "at", "do" };
const pnKeyTable pn_momentKeys = { "moment", momentList, 2 };

static bool pnAppendScript( pnReader* reader, const pnNode* node, pnSceneFile* file, const char* text, size_t length )
{
	if ( file->scriptLength + length + 2 > file->scriptCapacity )
	{
		size_t capacity = 2 * ( file->scriptCapacity + length ) + 1024;
		char* more = realloc( file->script, capacity );
		if ( more == NULL )
		{
			return pnFailAt( reader, node, "there is no memory for it" );
		}
		file->script = more;
		file->scriptCapacity = capacity;
	}
	memcpy( file->script + file->scriptLength, text, length );
	file->scriptLength += length;
	file->script[file->scriptLength++] = '\n';
	file->script[file->scriptLength] = 0;
	return true;
}

static bool pnIsNameLetter( char c ) { return ( c >= 'a' && c <= 'z' ) || ( c >= 'A' && c <= 'Z' ) || ( c >= '0' && c <= '9' ) || c == '-' || c == '_'; }

// $name becomes the body's id: in a fresh world bodies are numbered as the file lists them.
static bool pnPutBodyIds( pnReader* reader, const pnNode* node, const pnSceneFile* file, const char* text, char line[PN_COMMAND_LINE] )
{
	size_t used = 0;
	while ( *text != 0 )
	{
		if ( used + 24 >= PN_COMMAND_LINE )
		{
			return pnFailAt( reader, node, "a command has no more than %d letters", PN_COMMAND_LINE - 24 );
		}
		if ( *text == '\n' || *text == '\r' )
		{
			return pnFailAt( reader, node, "is one command, in one line; several make a list" );
		}
		if ( *text != '$' )
		{
			line[used++] = *text++;
			continue;
		}
		char name[PN_PART_NAME] = "";
		size_t length = 0;
		text += 1;
		while ( pnIsNameLetter( *text ) && length + 1 < PN_PART_NAME )
		{
			name[length++] = *text++;
		}
		name[length] = 0;
		const char** names = malloc( (size_t)( file->nameCount + 1 ) * sizeof( const char* ) );
		int found = -1;
		for ( int i = 0; i < file->nameCount && names != NULL; ++i )
		{
			names[i] = file->names[i].name;
			found = strcmp( names[i], name ) == 0 ? file->names[i].body : found;
		}
		bool good = found >= 0 ? true : pnFailUnknown( reader, node, "body", name, names, names != NULL ? file->nameCount : 0 );
		free( names );
		if ( good == false )
		{
			return false;
		}
		used += (size_t)snprintf( line + used, PN_COMMAND_LINE - used, "%d.1", found + 1 );
	}
	line[used] = 0;
	return true;
}

// One command, checked, into the script. steps: how many it takes.
static bool pnAddCommand( pnReader* reader, const pnNode* node, pnSceneFile* file, bool stepsAllowed, int64_t* steps )
{
	const char* text;
	char line[PN_COMMAND_LINE];
	if ( pnReadText( reader, node, &text ) == false || pnPutBodyIds( reader, node, file, text, line ) == false )
	{
		return false;
	}
	pnCommand command;
	pnFault fault = { 0 };
	if ( pnParseCommand( line, strlen( line ), &command, &fault ) == false )
	{
		return pnFailAt( reader, node, "at letter %d of '%.100s': %s", fault.column, line, fault.text );
	}
	if ( pnIsRoomCommand( command.kind ) )
	{
		return pnFailAt( reader, node, "'%.40s' is for a room, and a scene is none; `pliant replay` takes it", line );
	}
	if ( command.kind == pn_stepCommand && stepsAllowed == false )
	{
		return pnFailAt( reader, node, "a moment has no steps: \"at\" says when the next one is" );
	}
	*steps += command.kind == pn_stepCommand ? command.steps : 0;
	if ( *steps > PN_MAX_COMMAND_STEPS )
	{
		return pnFailAt( reader, node, "a time line has no more than %d steps", PN_MAX_COMMAND_STEPS );
	}
	return pnAppendScript( reader, node, file, line, strlen( line ) );
}

static bool pnAddSteps( pnReader* reader, const pnNode* node, pnSceneFile* file, int64_t count )
{
	char line[40];
	int length = snprintf( line, sizeof( line ), "step %lld", (long long)count );
	return count <= 0 || pnAppendScript( reader, node, file, line, (size_t)length );
}

static bool pnReadMoment( pnReader* reader, const pnNode* node, pnSceneFile* file, int64_t* step )
{
	if ( pnCheckObject( reader, node, &pn_momentKeys ) == false || pnCheckThere( reader, node, "at", "when, s" ) == false ||
		 pnCheckThere( reader, node, "do", "a command of docs/hands.md, or a list of them" ) == false )
	{
		return false;
	}
	pnNode at = pnGetChild( node, "at" ), deeds = pnGetChild( node, "do" );
	double seconds = 0.0;
	if ( pnReadNumber( reader, &at, 0.0, 1e5, &seconds ) == false )
	{
		return false;
	}
	int64_t then = llround( seconds * (double)file->scene.rate );
	if ( then < *step || then > PN_MAX_COMMAND_STEPS )
	{
		return pnFailAt( reader, &at, then < *step ? "%g s is before the moment that comes before it" : "%g s is later than a run can be", seconds );
	}
	if ( pnAddSteps( reader, node, file, then - *step ) == false )
	{
		return false;
	}
	*step = then;
	int count = 1;
	bool isList = json_is_array( deeds.json );
	if ( isList && pnReadList( reader, &deeds, 1, PN_MAX_TIMELINE, &count ) == false )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode deed = isList ? pnGetItem( &deeds, i ) : deeds;
		int64_t none = 0;
		if ( pnAddCommand( reader, &deed, file, false, &none ) == false )
		{
			return false;
		}
	}
	return true;
}

bool pnReadSceneTimeline( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	int count;
	if ( node->json == NULL )
	{
		return true;
	}
	if ( pnReadList( reader, node, 0, PN_MAX_TIMELINE, &count ) == false )
	{
		return false;
	}
	int64_t step = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		bool good = json_is_string( item.json ) ? pnAddCommand( reader, &item, file, true, &step ) : pnReadMoment( reader, &item, file, &step );
		if ( good == false )
		{
			return false;
		}
	}
	if ( file->scene.frames < 0 ) // not said: as long as the time line
	{
		file->scene.frames = (int)step;
	}
	return pnAddSteps( reader, node, file, file->scene.frames - step );
}
