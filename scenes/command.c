// command.c - what hands do to a world, as text: read, written, applied, played. Knows no scenes and reads no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "command.h"

#include "scenes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- words ----

typedef struct pnReader
{
	const char* line;
	size_t length, offset;
	pnFault* fault;
} pnReader;

typedef struct pnWord
{
	const char* text;
	int length;
	int column;
} pnWord;

static bool pnIsBlank( char c ) { return c == ' ' || c == '\t' || c == '\r'; }

// A word of length 0: there is none left. A remark ends the line.
static pnWord pnNextWord( pnReader* reader )
{
	while ( reader->offset < reader->length && pnIsBlank( reader->line[reader->offset] ) )
	{
		reader->offset += 1;
	}
	size_t start = reader->offset, end = start;
	while ( end < reader->length && pnIsBlank( reader->line[end] ) == false && reader->line[end] != '#' )
	{
		end += 1;
	}
	reader->offset = end;
	int column = start < 1000000000 ? (int)start + 1 : 1000000000;
	return ( pnWord ){ reader->line + start, end - start < 1000000000 ? (int)( end - start ) : 1000000000, column };
}

static bool pnIsWord( pnWord word, const char* text )
{
	return (size_t)word.length == strlen( text ) && memcmp( word.text, text, (size_t)word.length ) == 0;
}

// printf would bring files along, which a page in a browser does not have.
static void pnSay( pnFault* fault, const char* text )
{
	size_t used = strlen( fault->text ), length = strlen( text ), room = sizeof( fault->text ) - 1 - used;
	length = length < room ? length : room;
	memcpy( fault->text + used, text, length );
	fault->text[used + length] = 0;
}

static void pnSayHash( pnFault* fault, uint64_t hash )
{
	char text[19] = "0x";
	for ( int i = 0; i < 16; ++i )
	{
		text[2 + i] = "0123456789abcdef"[hash >> ( 60 - 4 * i ) & 15];
	}
	pnSay( fault, text );
}

// `expected` was, and this word is there instead.
static bool pnComplain( pnReader* reader, pnWord word, const char* expected )
{
	char found[24] = { 0 };
	int length = word.length < 20 ? word.length : 20;
	for ( int i = 0; i < length; ++i )
	{
		found[i] = word.text[i] > ' ' && word.text[i] < 127 ? word.text[i] : '?';
	}
	reader->fault->column = word.column;
	pnSay( reader->fault, expected );
	pnSay( reader->fault, length == 0 ? " expected, the line ends" : " expected, not '" );
	pnSay( reader->fault, found );
	pnSay( reader->fault, length == 0 ? "" : word.length > length ? "...'" : "'" );
	return false;
}

static bool pnIsDigit( char c ) { return c >= '0' && c <= '9'; }

// As C writes numbers, but neither hexadecimal nor infinite; and what is too large for a float is none.
static bool pnReadFloat( pnReader* reader, const char* what, float* value )
{
	pnWord word = pnNextWord( reader );
	char text[64];
	bool good = word.length > 0 && word.length < (int)sizeof( text );
	for ( int i = 0; i < word.length && good; ++i )
	{
		text[i] = word.text[i];
		good = pnIsDigit( text[i] ) || ( text[i] != 0 && strchr( "+-.eE", text[i] ) != NULL );
	}
	if ( good )
	{
		text[word.length] = 0;
		char* end;
		*value = strtof( text, &end );
		good = end == text + word.length && *value - *value == 0.0f;
	}
	return good ? true : pnComplain( reader, word, what );
}

static bool pnReadVec( pnReader* reader, const char* what, pnVec3* value )
{
	return pnReadFloat( reader, what, &value->x ) && pnReadFloat( reader, what, &value->y ) && pnReadFloat( reader, what, &value->z );
}

// Digits only. Returns how many were taken, 0 if there is none or the number is above `most`.
static int pnTakeNumber( const char* text, int length, uint64_t most, uint64_t* value )
{
	int count = 0;
	*value = 0;
	while ( count < length && pnIsDigit( text[count] ) )
	{
		*value = 10 * *value + (uint64_t)( text[count] - '0' );
		count += 1;
		if ( *value > most )
		{
			return 0;
		}
	}
	return count;
}

static bool pnReadCount( pnReader* reader, const char* what, int least, int most, int* value )
{
	pnWord word = pnNextWord( reader );
	uint64_t number;
	int sign = word.length > 0 && word.text[0] == '-' ? 1 : 0;
	int count = pnTakeNumber( word.text + sign, word.length - sign, 2147483647, &number );
	int64_t found = sign != 0 ? -(int64_t)number : (int64_t)number;
	if ( count == 0 || count + sign != word.length || found < least || found > most )
	{
		return pnComplain( reader, word, what );
	}
	*value = (int)found;
	return true;
}

static const char pnOwnerText[] = "an owner (1 to 4294967295)";
static const char pnHandText[] = "a hand, OWNER:NUMBER,";

static bool pnReadHand( pnReader* reader, pnCommand* command )
{
	pnWord word = pnNextWord( reader );
	uint64_t owner, hand;
	int first = pnTakeNumber( word.text, word.length, UINT32_MAX, &owner );
	if ( first == 0 || owner == 0 || first + 1 >= word.length || word.text[first] != ':' )
	{
		return pnComplain( reader, word, pnHandText );
	}
	int second = pnTakeNumber( word.text + first + 1, word.length - first - 1, UINT32_MAX, &hand );
	if ( second == 0 || first + 1 + second != word.length )
	{
		return pnComplain( reader, word, pnHandText );
	}
	command->owner = (uint32_t)owner;
	command->hand = (uint32_t)hand;
	return true;
}

static bool pnReadOwner( pnReader* reader, pnCommand* command )
{
	pnWord word = pnNextWord( reader );
	uint64_t owner;
	int count = pnTakeNumber( word.text, word.length, UINT32_MAX, &owner );
	if ( count == 0 || count != word.length || owner == 0 )
	{
		return pnComplain( reader, word, pnOwnerText );
	}
	command->owner = (uint32_t)owner;
	return true;
}

static bool pnReadHash( pnReader* reader, pnCommand* command )
{
	pnWord word = pnNextWord( reader );
	bool good = word.length == 18 && word.text[0] == '0' && word.text[1] == 'x';
	for ( int i = 2; i < 18 && good; ++i )
	{
		char c = word.text[i];
		int digit = pnIsDigit( c ) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
		good = digit >= 0;
		command->hash = command->hash << 4 | (uint64_t)( digit & 15 );
	}
	return good ? true : pnComplain( reader, word, "a hash, 0x and 16 of 0-9a-f," );
}

// ---- a line ----

static bool pnReadStep( pnReader* reader, pnCommand* command )
{
	bool good = pnReadCount( reader, "a number of steps (1 to 1000000)", 1, PN_MAX_COMMAND_STEPS, &command->steps );
	for ( pnWord word; good && ( word = pnNextWord( reader ) ).length > 0; )
	{
		if ( pnIsWord( word, "dt" ) )
		{
			size_t before = reader->offset;
			good = pnReadFloat( reader, "a time step in seconds, above 0 and up to 1,", &command->timeStep );
			if ( good && !( command->timeStep > 0.0f && command->timeStep <= 1.0f ) )
			{
				reader->offset = before;
				good = pnComplain( reader, pnNextWord( reader ), "a time step in seconds, above 0 and up to 1," );
			}
		}
		else if ( pnIsWord( word, "substeps" ) )
		{
			good = pnReadCount( reader, "a number of substeps (1 to 64)", 1, 64, &command->substeps );
		}
		else
		{
			good = pnComplain( reader, word, "dt, substeps or the line's end" );
		}
	}
	return good;
}

static bool pnReadGrab( pnReader* reader, pnCommand* command )
{
	pnGrabDef def = pnDefaultGrabDef();
	command->radius = def.radius;
	command->hertz = def.hertz;
	command->dampingRatio = def.dampingRatio;
	command->maxForce = def.maxForce;
	if ( pnReadHand( reader, command ) == false )
	{
		return false;
	}
	pnWord how = pnNextWord( reader );
	command->alongRay = pnIsWord( how, "ray" );
	bool good = command->alongRay || pnIsWord( how, "at" ) ? true : pnComplain( reader, how, "at or ray" );
	good = good && pnReadVec( reader, "a coordinate", &command->place );
	good = good && ( command->alongRay == false || pnReadVec( reader, "a coordinate", &command->ray ) );
	for ( pnWord word; good && ( word = pnNextWord( reader ) ).length > 0; )
	{
		float* value = pnIsWord( word, "radius" )  ? &command->radius
					 : pnIsWord( word, "hertz" )   ? &command->hertz
					 : pnIsWord( word, "damping" ) ? &command->dampingRatio
					 : pnIsWord( word, "force" )   ? &command->maxForce
												   : NULL;
		good = value != NULL ? pnReadFloat( reader, "a number", value )
							 : pnComplain( reader, word, "radius, hertz, damping, force or the line's end" );
	}
	return good;
}

static bool pnReadPush( pnReader* reader, pnCommand* command )
{
	if ( pnReadHand( reader, command ) == false )
	{
		return false;
	}
	pnWord word = pnNextWord( reader );
	if ( pnIsWord( word, "at" ) == false )
	{
		return pnComplain( reader, word, "at" );
	}
	if ( pnReadVec( reader, "a coordinate", &command->place ) == false )
	{
		return false;
	}
	word = pnNextWord( reader );
	return pnIsWord( word, "radius" ) ? pnReadFloat( reader, "a number", &command->radius ) : pnComplain( reader, word, "radius" );
}

static bool pnReadMove( pnReader* reader, pnCommand* command )
{
	command->steps = 1;
	if ( pnReadHand( reader, command ) == false || pnReadVec( reader, "a coordinate", &command->place ) == false )
	{
		return false;
	}
	pnWord word = pnNextWord( reader );
	if ( word.length == 0 )
	{
		return true;
	}
	return pnIsWord( word, "steps" ) ? pnReadCount( reader, "a number of steps (1 to 1000000)", 1, PN_MAX_COMMAND_STEPS, &command->steps )
									 : pnComplain( reader, word, "steps or the line's end" );
}

static bool pnReadCut( pnReader* reader, pnCommand* command )
{
	pnWord word = pnNextWord( reader );
	bool good;
	if ( pnIsWord( word, "plane" ) )
	{
		command->blade = pn_planeBlade;
		good = pnReadVec( reader, "a coordinate", &command->point ) && pnReadVec( reader, "a coordinate", &command->normal );
	}
	else if ( pnIsWord( word, "quad" ) )
	{
		command->blade = pn_quadBlade;
		good = true;
		for ( int i = 0; i < 4 && good; ++i )
		{
			good = pnReadVec( reader, "a coordinate", command->quad + i );
		}
	}
	else
	{
		good = pnComplain( reader, word, "plane or quad" );
	}
	word = good ? pnNextWord( reader ) : word;
	if ( good && word.length > 0 )
	{
		good = pnIsWord( word, "inside" ) ? pnReadCount( reader, "a material number", -2147483647, 2147483647, &command->inside )
										  : pnComplain( reader, word, "inside or the line's end" );
	}
	return good;
}

bool pnParseCommand( const char* line, size_t length, pnCommand* command, pnFault* fault )
{
	memset( command, 0, sizeof( *command ) ); // padding too: equal commands are equal bytes
	*fault = ( pnFault ){ 0 };
	pnReader reader = { line, length, 0, fault };
	pnWord verb = pnNextWord( &reader );
	bool good = true;
	if ( verb.length == 0 )
	{
		return true;
	}
	if ( pnIsWord( verb, "step" ) )
	{
		command->kind = pn_stepCommand;
		good = pnReadStep( &reader, command );
	}
	else if ( pnIsWord( verb, "grab" ) )
	{
		command->kind = pn_grabCommand;
		good = pnReadGrab( &reader, command );
	}
	else if ( pnIsWord( verb, "push" ) )
	{
		command->kind = pn_pushCommand;
		good = pnReadPush( &reader, command );
	}
	else if ( pnIsWord( verb, "move" ) )
	{
		command->kind = pn_moveCommand;
		good = pnReadMove( &reader, command );
	}
	else if ( pnIsWord( verb, "lock" ) || pnIsWord( verb, "unlock" ) || pnIsWord( verb, "drop" ) )
	{
		command->kind = verb.text[0] == 'l' ? pn_lockCommand : verb.text[0] == 'u' ? pn_unlockCommand : pn_dropCommand;
		good = pnReadHand( &reader, command );
	}
	else if ( pnIsWord( verb, "letgo" ) )
	{
		command->kind = pn_letGoCommand;
		good = pnReadOwner( &reader, command );
	}
	else if ( pnIsWord( verb, "cut" ) )
	{
		command->kind = pn_cutCommand;
		good = pnReadCut( &reader, command );
	}
	else if ( pnIsWord( verb, "gravity" ) )
	{
		command->kind = pn_gravityCommand;
		good = pnReadVec( &reader, "a coordinate", &command->gravity );
	}
	else if ( pnIsWord( verb, "expect" ) )
	{
		command->kind = pn_expectCommand;
		pnWord word = pnNextWord( &reader );
		good = pnIsWord( word, "hash" ) ? pnReadHash( &reader, command ) : pnComplain( &reader, word, "hash" );
	}
	else
	{
		good = pnComplain( &reader, verb, "step, grab, push, move, lock, unlock, drop, letgo, cut, gravity or expect" );
	}
	if ( good )
	{
		pnWord rest = pnNextWord( &reader );
		good = rest.length == 0 ? true : pnComplain( &reader, rest, "the line's end" );
	}
	return good;
}

// ---- back to a line ----

typedef struct pnWriter
{
	char* line;
	int length;
} pnWriter;

__attribute__( ( format( printf, 2, 3 ) ) ) static void pnPut( pnWriter* writer, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	int count = vsnprintf( writer->line + writer->length, (size_t)( PN_COMMAND_LINE - writer->length ), format, arguments );
	va_end( arguments );
	int left = PN_COMMAND_LINE - 1 - writer->length;
	writer->length += count < left ? count : left;
}

// Nine digits tell every float from every other.
static void pnPutVec( pnWriter* writer, pnVec3 v ) { pnPut( writer, " %.9g %.9g %.9g", (double)v.x, (double)v.y, (double)v.z ); }

static void pnPutChanged( pnWriter* writer, const char* name, float value, float usual )
{
	if ( memcmp( &value, &usual, sizeof( float ) ) != 0 )
	{
		pnPut( writer, " %s %.9g", name, (double)value );
	}
}

int pnFormatCommand( const pnCommand* command, char line[PN_COMMAND_LINE] )
{
	pnWriter writer = { line, 0 };
	line[0] = 0;
	pnGrabDef usual = pnDefaultGrabDef();
	switch ( command->kind )
	{
	case pn_noCommand:
		break;
	case pn_stepCommand:
		pnPut( &writer, "step %d", command->steps );
		pnPutChanged( &writer, "dt", command->timeStep, 0.0f );
		if ( command->substeps != 0 )
		{
			pnPut( &writer, " substeps %d", command->substeps );
		}
		break;
	case pn_grabCommand:
		pnPut( &writer, "grab %u:%u %s", command->owner, command->hand, command->alongRay ? "ray" : "at" );
		pnPutVec( &writer, command->place );
		if ( command->alongRay )
		{
			pnPutVec( &writer, command->ray );
		}
		pnPutChanged( &writer, "radius", command->radius, usual.radius );
		pnPutChanged( &writer, "hertz", command->hertz, usual.hertz );
		pnPutChanged( &writer, "damping", command->dampingRatio, usual.dampingRatio );
		pnPutChanged( &writer, "force", command->maxForce, usual.maxForce );
		break;
	case pn_pushCommand:
		pnPut( &writer, "push %u:%u at", command->owner, command->hand );
		pnPutVec( &writer, command->place );
		pnPut( &writer, " radius %.9g", (double)command->radius );
		break;
	case pn_moveCommand:
		pnPut( &writer, "move %u:%u", command->owner, command->hand );
		pnPutVec( &writer, command->place );
		if ( command->steps != 1 )
		{
			pnPut( &writer, " steps %d", command->steps );
		}
		break;
	case pn_lockCommand:
		pnPut( &writer, "lock %u:%u", command->owner, command->hand );
		break;
	case pn_unlockCommand:
		pnPut( &writer, "unlock %u:%u", command->owner, command->hand );
		break;
	case pn_dropCommand:
		pnPut( &writer, "drop %u:%u", command->owner, command->hand );
		break;
	case pn_letGoCommand:
		pnPut( &writer, "letgo %u", command->owner );
		break;
	case pn_cutCommand:
		pnPut( &writer, "cut %s", command->blade == pn_planeBlade ? "plane" : "quad" );
		if ( command->blade == pn_planeBlade )
		{
			pnPutVec( &writer, command->point );
			pnPutVec( &writer, command->normal );
		}
		for ( int i = 0; i < 4 && command->blade == pn_quadBlade; ++i )
		{
			pnPutVec( &writer, command->quad[i] );
		}
		if ( command->inside != 0 )
		{
			pnPut( &writer, " inside %d", command->inside );
		}
		break;
	case pn_gravityCommand:
		pnPut( &writer, "gravity" );
		pnPutVec( &writer, command->gravity );
		break;
	case pn_expectCommand:
		pnPut( &writer, "expect hash 0x%016llx", (unsigned long long)command->hash );
		break;
	}
	return writer.length;
}

// ---- to a world ----

// A pushing hand is a shape. Its colour is in the lower part of the user data, as scenes have it, and its number in the upper one.
static const uint32_t pnPushColor = 0xd8b08c;
static uint64_t pnNamePush( uint32_t hand ) { return pnPackColors( pnPushColor, 0, 0, 0 ) | (uint64_t)hand << 32; }

static pnOutcome pnTell( pnResult result )
{
	return result == pn_success ? pn_doneOutcome : result == pn_notFound ? pn_nothingOutcome : pn_refusedOutcome;
}

static bool pnFindHandGrab( const pnWorld* world, uint32_t owner, uint32_t hand, pnGrabId* grab )
{
	int count = pnWorld_GetGrabs( world, NULL, 0 );
	pnGrabId* grabs = malloc( (size_t)( count + 1 ) * sizeof( pnGrabId ) );
	bool found = false;
	if ( grabs != NULL )
	{
		pnWorld_GetGrabs( world, grabs, count );
		for ( int i = 0; i < count && found == false; ++i )
		{
			pnGrabState state;
			found = pnGrab_GetState( world, grabs[i], &state ) == pn_success && state.owner == owner && state.userData == hand;
			*grab = grabs[i];
		}
	}
	free( grabs );
	return found;
}

static bool pnFindHandShape( const pnWorld* world, uint32_t owner, uint32_t hand, pnShapeId* shape )
{
	int count = pnWorld_GetShapes( world, NULL, 0 );
	pnShapeId* shapes = malloc( (size_t)( count + 1 ) * sizeof( pnShapeId ) );
	bool found = false;
	if ( shapes != NULL )
	{
		pnWorld_GetShapes( world, shapes, count );
		for ( int i = 0; i < count && found == false; ++i )
		{
			pnShapeDef def;
			found = pnShape_GetDef( world, shapes[i], &def ) == pn_success && def.owner == owner && def.userData == pnNamePush( hand );
			*shape = shapes[i];
		}
	}
	free( shapes );
	return found;
}

// What a hand holds or is.
typedef struct pnHeld
{
	bool isGrab, isPush;
	pnGrabId grab;
	pnShapeId push;
} pnHeld;

static pnHeld pnFindHeld( const pnWorld* world, const pnCommand* command )
{
	pnHeld held = { 0 };
	held.isGrab = pnFindHandGrab( world, command->owner, command->hand, &held.grab );
	held.isPush = held.isGrab == false && pnFindHandShape( world, command->owner, command->hand, &held.push );
	return held;
}

static pnOutcome pnDropHeld( pnWorld* world, const pnHeld* held )
{
	return pnTell( held->isGrab ? pnDestroyGrab( world, held->grab ) : held->isPush ? pnDestroyShape( world, held->push ) : pn_notFound );
}

// The eldest body that is there, or else near.
static bool pnFindBodyAt( const pnWorld* world, pnVec3 place, float radius, pnBodyId* body )
{
	const float touch = 1e-3f, near = 0.05f; // m
	return pnWorld_OverlapSphere( world, place, touch, UINT32_MAX, body, 1 ) > 0 ||
		   pnWorld_OverlapSphere( world, place, radius > touch ? radius : near, UINT32_MAX, body, 1 ) > 0;
}

static pnOutcome pnApplyGrab( pnWorld* world, const pnCommand* command )
{
	pnGrabDef def = pnDefaultGrabDef();
	def.place = command->place;
	def.radius = command->radius;
	def.hertz = command->hertz;
	def.dampingRatio = command->dampingRatio;
	def.maxForce = command->maxForce;
	def.owner = command->owner;
	def.userData = command->hand;
	if ( command->alongRay )
	{
		pnRayHit hit = pnWorld_CastRay( world, command->place, command->ray, UINT32_MAX );
		def.body = hit.body;
		def.place = hit.position;
		if ( hit.hit == false || hit.body.index1 == 0 )
		{
			return pn_nothingOutcome;
		}
	}
	else if ( pnFindBodyAt( world, command->place, command->radius, &def.body ) == false )
	{
		return pn_nothingOutcome;
	}
	pnHeld old = pnFindHeld( world, command );
	pnGrabId grab;
	pnOutcome outcome = pnTell( pnCreateGrab( world, &def, &grab ) );
	if ( outcome == pn_doneOutcome )
	{
		pnDropHeld( world, &old );
	}
	return outcome;
}

static pnOutcome pnApplyPush( pnWorld* world, const pnCommand* command )
{
	pnShapeDef def = pnDefaultShapeDef();
	def.kind = pn_sphereShape;
	def.transform.p = command->place;
	def.radius = command->radius;
	def.owner = command->owner;
	def.userData = pnNamePush( command->hand );
	pnHeld old = pnFindHeld( world, command );
	pnShapeId shape;
	pnOutcome outcome = pnTell( pnCreateShape( world, &def, &shape ) );
	if ( outcome == pn_doneOutcome )
	{
		pnDropHeld( world, &old );
	}
	return outcome;
}

static pnOutcome pnMoveHeld( pnWorld* world, const pnHeld* held, pnVec3 place )
{
	if ( held->isGrab )
	{
		return pnTell( pnGrab_MoveTo( world, held->grab, place ) );
	}
	pnShapeState state;
	if ( held->isPush == false || pnShape_GetState( world, held->push, &state ) != pn_success )
	{
		return pn_nothingOutcome;
	}
	state.transform.p = place;
	return pnTell( pnShape_MoveTo( world, held->push, state.transform ) );
}

static pnOutcome pnApplyCut( pnWorld* world, const pnCommand* command )
{
	pnCutDef def = pnDefaultCutDef();
	def.kind = command->blade;
	def.point = command->point;
	def.normal = command->normal;
	memcpy( def.quad, command->quad, sizeof( def.quad ) );
	def.inside = command->inside;
	pnCutResult cut;
	pnResult result = pnWorld_Cut( world, &def, &cut );
	return result == pn_success && cut.cutCount == 0 ? pn_nothingOutcome : pnTell( result );
}

pnOutcome pnApplyCommand( pnWorld* world, const pnCommand* command )
{
	pnHeld held = { 0 };
	switch ( command->kind )
	{
	case pn_noCommand:
	case pn_stepCommand:
		break;
	case pn_grabCommand:
		return pnApplyGrab( world, command );
	case pn_pushCommand:
		return pnApplyPush( world, command );
	case pn_moveCommand:
		held = pnFindHeld( world, command );
		return pnMoveHeld( world, &held, command->place );
	case pn_lockCommand:
	case pn_unlockCommand:
		held = pnFindHeld( world, command );
		return held.isGrab ? pnTell( pnGrab_Lock( world, held.grab, command->kind == pn_lockCommand ) ) : pn_nothingOutcome;
	case pn_dropCommand:
		held = pnFindHeld( world, command );
		return pnDropHeld( world, &held );
	case pn_letGoCommand:
		pnWorld_LetGo( world, command->owner );
		break;
	case pn_cutCommand:
		return pnApplyCut( world, command );
	case pn_gravityCommand:
		return pnTell( pnWorld_SetGravity( world, command->gravity ) );
	case pn_expectCommand:
		return pnWorld_GetHash( world ) == command->hash ? pn_doneOutcome : pn_differsOutcome;
	}
	return pn_doneOutcome;
}

// ---- playing ----

void pnStartPlayer( pnPlayer* player, const char* text, size_t length )
{
	player->text = text;
	player->length = length;
	player->offset = 0;
	player->line = 0;
	player->left = 0;
	player->glideCount = 0;
}

bool pnReadCommand( pnPlayer* player, pnCommand* command, pnFault* fault )
{
	*fault = ( pnFault ){ 0 };
	while ( player->offset < player->length )
	{
		const char* line = player->text + player->offset;
		const char* end = memchr( line, '\n', player->length - player->offset );
		size_t length = end != NULL ? (size_t)( end - line ) : player->length - player->offset;
		player->offset += length + ( end != NULL ? 1 : 0 );
		player->line += 1;
		if ( pnParseCommand( line, length, command, fault ) == false )
		{
			fault->line = player->line;
			return false;
		}
		if ( command->kind != pn_noCommand )
		{
			return true;
		}
	}
	return false;
}

static bool pnEndsGlide( const pnCommand* command, const pnCommand* move )
{
	bool isHand = command->kind == pn_grabCommand || command->kind == pn_pushCommand || command->kind == pn_moveCommand ||
				  command->kind == pn_dropCommand;
	return command->owner == move->owner && ( command->kind == pn_letGoCommand || ( isHand && command->hand == move->hand ) );
}

// A hand's new command ends the way it was on.
static bool pnKeepGlides( pnPlayer* player, const pnCommand* command, pnFault* fault )
{
	int kept = 0;
	for ( int i = 0; i < player->glideCount; ++i )
	{
		if ( pnEndsGlide( command, &player->glides[i].move ) == false )
		{
			player->glides[kept++] = player->glides[i];
		}
	}
	player->glideCount = kept;
	if ( command->kind == pn_moveCommand && command->steps > 1 )
	{
		if ( kept == PN_MAX_GLIDES )
		{
			*fault = ( pnFault ){ player->line, 1, "no more than 64 hands may be on their way at once" };
			return false;
		}
		player->glides[player->glideCount++] = ( pnGlide ){ *command, command->steps };
	}
	return true;
}

static bool pnAccept( const pnPlayer* player, const pnWorld* world, pnOutcome outcome, const pnCommand* command, pnFault* fault )
{
	if ( outcome == pn_doneOutcome || outcome == pn_nothingOutcome )
	{
		return true;
	}
	*fault = ( pnFault ){ .line = player->line, .column = 1 };
	if ( outcome == pn_differsOutcome )
	{
		pnSay( fault, "the hash is " );
		pnSayHash( fault, pnWorld_GetHash( world ) );
		pnSay( fault, ", " );
		pnSayHash( fault, command->hash );
		pnSay( fault, " was expected" );
	}
	else
	{
		pnSay( fault, "the world does not take this" );
	}
	return false;
}

// Evenly: of the way that is left, the part that one of the steps left has. Returns pn_nothingOutcome if there is no such hand any more.
static pnOutcome pnGoOn( pnWorld* world, const pnGlide* glide )
{
	pnHeld held = pnFindHeld( world, &glide->move );
	pnGrabState grab;
	pnShapeState push;
	pnVec3 from;
	if ( held.isGrab && pnGrab_GetState( world, held.grab, &grab ) == pn_success )
	{
		from = grab.target;
	}
	else if ( held.isPush && pnShape_GetState( world, held.push, &push ) == pn_success )
	{
		from = push.transform.p;
	}
	else
	{
		return pn_nothingOutcome;
	}
	pnVec3 to = glide->move.place;
	to = glide->left > 1 ? pnMulAdd( from, 1.0f / (float)glide->left, pnSub( to, from ) ) : to;
	return pnMoveHeld( world, &held, to );
}

// A step of all that glides; world NULL: only counted.
static bool pnGlideAll( pnPlayer* player, pnWorld* world, pnFault* fault )
{
	int kept = 0;
	bool good = true;
	for ( int i = 0; i < player->glideCount; ++i )
	{
		pnGlide glide = player->glides[i];
		if ( world != NULL )
		{
			good = pnAccept( player, world, pnGoOn( world, &glide ), &glide.move, fault ) && good;
		}
		glide.left -= 1;
		if ( glide.left > 0 )
		{
			player->glides[kept++] = glide;
		}
	}
	player->glideCount = kept;
	return good;
}

static pnPlayState pnAdvancePlayer( pnPlayer* player, pnWorld* world, pnFault* fault )
{
	*fault = ( pnFault ){ 0 };
	while ( player->left == 0 )
	{
		pnCommand command;
		if ( pnReadCommand( player, &command, fault ) == false )
		{
			return fault->line > 0 ? pn_faultState : pn_endState;
		}
		if ( pnKeepGlides( player, &command, fault ) == false )
		{
			return pn_faultState;
		}
		if ( command.kind == pn_stepCommand )
		{
			player->step = command;
			player->left = command.steps;
		}
		else if ( world != NULL && ( command.kind != pn_moveCommand || command.steps == 1 ) &&
				  pnAccept( player, world, pnApplyCommand( world, &command ), &command, fault ) == false )
		{
			return pn_faultState;
		}
	}
	player->left -= 1;
	return pnGlideAll( player, world, fault ) ? pn_stepState : pn_faultState;
}

pnPlayState pnPlay( pnPlayer* player, pnWorld* world, float* timeStep, int* substeps, pnFault* fault )
{
	pnPlayState state = pnAdvancePlayer( player, world, fault );
	if ( state == pn_stepState )
	{
		*timeStep = player->step.timeStep > 0.0f ? player->step.timeStep : *timeStep;
		*substeps = player->step.substeps > 0 ? player->step.substeps : *substeps;
	}
	return state;
}

pnPlayState pnSkip( pnPlayer* player, int steps, pnFault* fault )
{
	pnPlayState state = pn_stepState;
	for ( int i = 0; i < steps && state == pn_stepState; ++i )
	{
		state = pnAdvancePlayer( player, NULL, fault );
	}
	return state;
}

int pnCountSteps( const char* text, size_t length, pnFault* fault )
{
	pnPlayer player;
	pnStartPlayer( &player, text, length );
	pnCommand command;
	int64_t sum = 0;
	while ( pnReadCommand( &player, &command, fault ) )
	{
		sum += command.kind == pn_stepCommand ? command.steps : 0;
		if ( sum > PN_MAX_COMMAND_STEPS )
		{
			*fault = ( pnFault ){ player.line, 1, "a script has no more than 1000000 steps" };
			return -1;
		}
	}
	return fault->line > 0 ? -1 : (int)sum;
}
