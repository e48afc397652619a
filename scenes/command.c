// command.c - a line of text to the command it is. Knows no worlds and reads no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "command.h"

#include <stddef.h>
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

void pnSay( pnFault* fault, const char* text )
{
	size_t used = strlen( fault->text ), length = strlen( text ), room = sizeof( fault->text ) - 1 - used;
	length = length < room ? length : room;
	memcpy( fault->text + used, text, length );
	fault->text[used + length] = 0;
}

void pnSayHash( pnFault* fault, uint64_t hash )
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

static const char pnBodyText[] = "a body, INDEX.GENERATION, or all";

static bool pnReadBody( pnReader* reader, pnCommand* command )
{
	pnWord word = pnNextWord( reader );
	uint64_t index, generation;
	if ( pnIsWord( word, "all" ) )
	{
		return true;
	}
	int first = pnTakeNumber( word.text, word.length, INT32_MAX, &index );
	if ( first == 0 || index == 0 || first + 1 >= word.length || word.text[first] != '.' )
	{
		return pnComplain( reader, word, pnBodyText );
	}
	int second = pnTakeNumber( word.text + first + 1, word.length - first - 1, UINT32_MAX, &generation );
	if ( second == 0 || first + 1 + second != word.length )
	{
		return pnComplain( reader, word, pnBodyText );
	}
	command->body = ( pnBodyId ){ (int32_t)index, (uint32_t)generation };
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
	while ( good && ( word = pnNextWord( reader ) ).length > 0 )
	{
		good = pnIsWord( word, "inside" ) ? pnReadCount( reader, "a material number", -2147483647, 2147483647, &command->inside )
			 : pnIsWord( word, "body" )	  ? pnReadBody( reader, command )
										  : pnComplain( reader, word, "inside, body or the line's end" );
	}
	return good;
}

// ---- names, materials ----

static bool pnReadName( pnReader* reader, const char* what, char name[PN_NAME_SIZE] )
{
	pnWord word = pnNextWord( reader );
	bool good = word.length > 0 && word.length < PN_NAME_SIZE;
	for ( int i = 0; i < word.length && good; ++i )
	{
		char c = word.text[i];
		good = pnIsDigit( c ) || ( c >= 'a' && c <= 'z' ) || ( c >= 'A' && c <= 'Z' ) || c == '-' || c == '_';
	}
	if ( good == false )
	{
		return pnComplain( reader, word, what );
	}
	memset( name, 0, PN_NAME_SIZE );
	memcpy( name, word.text, (size_t)word.length );
	return true;
}

static bool pnReadColor( pnReader* reader, uint32_t* color )
{
	pnWord word = pnNextWord( reader );
	bool good = word.length == 8 && word.text[0] == '0' && word.text[1] == 'x';
	*color = 0;
	for ( int i = 2; i < 8 && good; ++i )
	{
		char c = word.text[i];
		int digit = pnIsDigit( c ) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
		good = digit >= 0;
		*color = *color << 4 | (uint32_t)( digit & 15 );
	}
	return good ? true : pnComplain( reader, word, "a colour, 0x and 6 of 0-9a-f," );
}

static const pnMaterialField pnFields[] = {
	{ "mode", pn_modeField, offsetof( pnMaterial, mode ) },
	{ "hertz", pn_floatField, offsetof( pnMaterial, hertz ) },
	{ "damping", pn_floatField, offsetof( pnMaterial, dampingRatio ) },
	{ "stretch", pn_floatField, offsetof( pnMaterial, stretch ) },
	{ "alpha", pn_floatField, offsetof( pnMaterial, alpha ) },
	{ "volume", pn_floatField, offsetof( pnMaterial, volume ) },
	{ "cap", pn_capField, offsetof( pnMaterial, cap ) },
	{ "capstart", pn_floatField, offsetof( pnMaterial, capStart ) },
	{ "capend", pn_floatField, offsetof( pnMaterial, capEnd ) },
	{ "yield", pn_floatField, offsetof( pnMaterial, yield ) },
	{ "creep", pn_floatField, offsetof( pnMaterial, creep ) },
	{ "maxplastic", pn_floatField, offsetof( pnMaterial, maxPlastic ) },
	{ "hardening", pn_floatField, offsetof( pnMaterial, hardening ) },
	{ "recovery", pn_floatField, offsetof( pnMaterial, recovery ) },
	{ "tear", pn_floatField, offsetof( pnMaterial, tear ) },
	{ "density", pn_floatField, offsetof( pnMaterial, density ) },
	{ "friction", pn_floatField, offsetof( pnMaterial, friction ) },
	{ "restitution", pn_floatField, offsetof( pnMaterial, restitution ) },
	{ "toughness", pn_floatField, offsetof( pnMaterial, toughness ) },
};
enum
{
	PN_FIELD_COUNT = (int)( sizeof( pnFields ) / sizeof( pnFields[0] ) )
};

const pnMaterialField* pnGetMaterialField( int index ) { return index >= 0 && index < PN_FIELD_COUNT ? pnFields + index : NULL; }

bool pnMixMaterial( const pnCommand* command, pnMaterial* material )
{
	if ( command->preset[0] != 0 && pnFindMaterial( command->preset, material ) != pn_success )
	{
		return false;
	}
	for ( int i = 0; i < PN_FIELD_COUNT; ++i )
	{
		if ( ( command->fields >> i & 1 ) != 0 )
		{
			size_t size = pnFields[i].kind == pn_floatField ? sizeof( float ) : pnFields[i].kind == pn_modeField ? sizeof( pnMode ) : sizeof( pnCap );
			memcpy( (char*)material + pnFields[i].offset, (const char*)&command->material + pnFields[i].offset, size );
		}
	}
	return true;
}

static int pnFindWord( pnWord word, const char* const* words, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( pnIsWord( word, words[i] ) )
		{
			return i;
		}
	}
	return -1;
}

// What follows the name of a field, or of `preset`. False without a complaint, and *known false: the word is none of these.
static bool pnReadMaterialField( pnReader* reader, pnWord word, pnCommand* command, bool* known )
{
	static const char* const modes[] = { "rigid", "linear", "quadratic" }; // as pnMode counts
	static const char* const caps[] = { "none", "rows", "blend", "scale" }; // as pnCap counts
	*known = true;
	if ( pnIsWord( word, "preset" ) )
	{
		return pnReadName( reader, "a material's name", command->preset );
	}
	for ( int i = 0; i < PN_FIELD_COUNT; ++i )
	{
		if ( pnIsWord( word, pnFields[i].name ) == false )
		{
			continue;
		}
		command->fields |= 1u << i;
		if ( pnFields[i].kind == pn_floatField )
		{
			return pnReadFloat( reader, "a number", (float*)( (char*)&command->material + pnFields[i].offset ) );
		}
		pnWord value = pnNextWord( reader );
		bool isMode = pnFields[i].kind == pn_modeField;
		int found = isMode ? pnFindWord( value, modes, 3 ) : pnFindWord( value, caps, 4 );
		if ( found < 0 )
		{
			return pnComplain( reader, value, isMode ? "rigid, linear or quadratic" : "none, rows, blend or scale" );
		}
		if ( isMode )
		{
			command->material.mode = (pnMode)found;
		}
		else
		{
			command->material.cap = (pnCap)found;
		}
		return true;
	}
	*known = false;
	return false;
}

// ---- lines of a room ----

static bool pnReadMaterial( pnReader* reader, pnCommand* command )
{
	bool good = pnReadBody( reader, command ), any = false;
	for ( pnWord word; good; any = true )
	{
		word = pnNextWord( reader );
		if ( word.length == 0 && any )
		{
			break;
		}
		bool known;
		good = pnReadMaterialField( reader, word, command, &known );
		if ( known == false )
		{
			return pnComplain( reader, word, "preset or a field of the material" );
		}
	}
	return good;
}

static bool pnExpectWord( pnReader* reader, const char* text )
{
	pnWord word = pnNextWord( reader );
	return pnIsWord( word, text ) ? true : pnComplain( reader, word, text );
}

static bool pnReadSpawn( pnReader* reader, pnCommand* command )
{
	bool good = pnReadName( reader, "a solid's name", command->name ) && pnExpectWord( reader, "at" ) &&
				pnReadVec( reader, "a coordinate", &command->place );
	for ( pnWord word; good && ( word = pnNextWord( reader ) ).length > 0; )
	{
		bool known = true;
		if ( pnIsWord( word, "turn" ) )
		{
			good = pnReadVec( reader, "a coordinate", &command->axis ) && pnReadFloat( reader, "degrees", &command->angle );
		}
		else if ( pnIsWord( word, "velocity" ) || pnIsWord( word, "spin" ) )
		{
			good = pnReadVec( reader, "a number", word.text[0] == 'v' ? &command->velocity : &command->spin );
		}
		else if ( pnIsWord( word, "color" ) )
		{
			good = pnReadColor( reader, &command->color );
		}
		else
		{
			good = pnReadMaterialField( reader, word, command, &known );
		}
		if ( known == false )
		{
			return pnComplain( reader, word, "turn, velocity, spin, color, preset, a field of the material or the line's end" );
		}
	}
	return good;
}

static bool pnReadShape( pnReader* reader, pnCommand* command )
{
	static const char* const deeds[] = { "ball", "box", "capsule", "move", "remove" }; // as pnShapeDeed counts
	int number;
	if ( pnReadCount( reader, "a number (1 to 2147483647)", 1, INT32_MAX, &number ) == false )
	{
		return false;
	}
	command->number = (uint32_t)number;
	pnWord word = pnNextWord( reader );
	int deed = pnFindWord( word, deeds, 5 );
	if ( deed < 0 )
	{
		return pnComplain( reader, word, "ball, box, capsule, move or remove" );
	}
	command->deed = (pnShapeDeed)deed;
	if ( command->deed == pn_removeDeed )
	{
		return true;
	}
	bool good = command->deed == pn_moveDeed || pnExpectWord( reader, "at" );
	good = good && pnReadVec( reader, "a coordinate", &command->place );
	if ( command->deed == pn_ballDeed || command->deed == pn_capsuleDeed )
	{
		good = good && pnExpectWord( reader, "radius" ) && pnReadFloat( reader, "a number", &command->radius );
	}
	if ( command->deed == pn_capsuleDeed )
	{
		good = good && pnExpectWord( reader, "half" ) && pnReadFloat( reader, "a number", &command->half.y );
	}
	if ( command->deed == pn_boxDeed )
	{
		good = good && pnExpectWord( reader, "half" ) && pnReadVec( reader, "a number", &command->half );
	}
	return good;
}

static bool pnReadSolid( pnReader* reader, pnCommand* command )
{
	if ( ( pnReadName( reader, "a solid's name", command->name ) && pnExpectWord( reader, "points" ) &&
		   pnReadCount( reader, "a number of points (4 to 50000)", 4, PN_MAX_SOLID_POINTS, &command->pointCount ) ) == false )
	{
		return false;
	}
	command->numbers = reader->line + reader->offset;
	bool good = true;
	pnVec3 point;
	for ( int i = 0; i < command->pointCount && good; ++i )
	{
		good = pnReadVec( reader, "a coordinate", &point );
	}
	good = good && pnExpectWord( reader, "triangles" ) &&
		   pnReadCount( reader, "a number of triangles (1 to 100000)", 1, PN_MAX_SOLID_TRIANGLES, &command->triangleCount );
	for ( int i = 0; i < 3 * command->triangleCount && good; ++i )
	{
		int corner;
		good = pnReadCount( reader, "a point of the solid, from 0,", 0, command->pointCount - 1, &corner );
	}
	command->numbersLength = (size_t)( reader->line + reader->offset - command->numbers );
	return good;
}

void pnReadSolidNumbers( const pnCommand* command, pnVec3* points, int32_t* triangles )
{
	pnFault fault = { 0 };
	pnReader reader = { command->numbers, command->numbersLength, 0, &fault };
	int corner, count;
	for ( int i = 0; i < command->pointCount; ++i )
	{
		pnReadVec( &reader, "", points + i );
	}
	pnExpectWord( &reader, "triangles" );
	pnReadCount( &reader, "", 1, PN_MAX_SOLID_TRIANGLES, &count );
	for ( int i = 0; i < 3 * command->triangleCount; ++i )
	{
		pnReadCount( &reader, "", 0, command->pointCount - 1, &corner );
		triangles[i] = corner;
	}
}

static bool pnReadLoad( pnReader* reader, pnCommand* command )
{
	if ( pnReadName( reader, "a scene's name", command->name ) == false )
	{
		return false;
	}
	pnWord word = pnNextWord( reader );
	command->still = pnIsWord( word, "still" );
	return word.length == 0 || command->still ? true : pnComplain( reader, word, "still or the line's end" );
}

static bool pnReadRate( pnReader* reader, pnCommand* command )
{
	size_t before = reader->offset;
	const char* what = "steps a second, from 10 to 1000,";
	if ( pnReadFloat( reader, what, &command->rate ) == false )
	{
		return false;
	}
	if ( command->rate >= 10.0f && command->rate <= 1000.0f )
	{
		return true;
	}
	reader->offset = before;
	return pnComplain( reader, pnNextWord( reader ), what );
}

// ---- verbs ----

static bool pnReadNothing( pnReader* reader, pnCommand* command )
{
	(void)reader, (void)command;
	return true;
}

static bool pnReadGravity( pnReader* reader, pnCommand* command ) { return pnReadVec( reader, "a coordinate", &command->gravity ); }

static bool pnReadExpect( pnReader* reader, pnCommand* command ) { return pnExpectWord( reader, "hash" ) && pnReadHash( reader, command ); }

static bool pnReadThrow( pnReader* reader, pnCommand* command )
{
	return pnReadBody( reader, command ) && pnReadVec( reader, "a number", &command->velocity );
}

static bool pnReadPin( pnReader* reader, pnCommand* command )
{
	return pnReadBody( reader, command ) && pnExpectWord( reader, "at" ) && pnReadVec( reader, "a coordinate", &command->place ) &&
		   pnExpectWord( reader, "radius" ) && pnReadFloat( reader, "a number", &command->radius );
}

static bool pnReadSubsteps( pnReader* reader, pnCommand* command )
{
	return pnReadCount( reader, "a number of substeps (1 to 64)", 1, 64, &command->substeps );
}

static bool pnReadAsk( pnReader* reader, pnCommand* command )
{
	return pnExpectWord( reader, "ray" ) && pnReadVec( reader, "a coordinate", &command->place ) &&
		   pnReadVec( reader, "a coordinate", &command->ray );
}

static const struct
{
	const char* name;
	pnCommandKind kind;
	bool ( *read )( pnReader* reader, pnCommand* command );
} pnVerbs[] = {
	{ "step", pn_stepCommand, pnReadStep },
	{ "grab", pn_grabCommand, pnReadGrab },
	{ "push", pn_pushCommand, pnReadPush },
	{ "move", pn_moveCommand, pnReadMove },
	{ "lock", pn_lockCommand, pnReadHand },
	{ "unlock", pn_unlockCommand, pnReadHand },
	{ "drop", pn_dropCommand, pnReadHand },
	{ "letgo", pn_letGoCommand, pnReadOwner },
	{ "cut", pn_cutCommand, pnReadCut },
	{ "gravity", pn_gravityCommand, pnReadGravity },
	{ "expect", pn_expectCommand, pnReadExpect },
	{ "remove", pn_removeCommand, pnReadBody },
	{ "throw", pn_throwCommand, pnReadThrow },
	{ "pin", pn_pinCommand, pnReadPin },
	{ "unpin", pn_unpinCommand, pnReadBody },
	{ "material", pn_materialCommand, pnReadMaterial },
	{ "shape", pn_shapeCommand, pnReadShape },
	{ "spawn", pn_spawnCommand, pnReadSpawn },
	{ "solid", pn_solidCommand, pnReadSolid },
	{ "load", pn_loadCommand, pnReadLoad },
	{ "undo", pn_undoCommand, pnReadNothing },
	{ "redo", pn_redoCommand, pnReadNothing },
	{ "rate", pn_rateCommand, pnReadRate },
	{ "substeps", pn_substepsCommand, pnReadSubsteps },
	{ "ask", pn_askCommand, pnReadAsk },
};

bool pnIsRoomCommand( pnCommandKind kind ) { return kind >= pn_spawnCommand && kind < pn_commandKindCount; }

bool pnParseCommand( const char* line, size_t length, pnCommand* command, pnFault* fault )
{
	memset( command, 0, sizeof( *command ) ); // padding too: equal commands are equal bytes
	*fault = ( pnFault ){ 0 };
	pnReader reader = { line, length, 0, fault };
	pnWord verb = pnNextWord( &reader );
	if ( verb.length == 0 )
	{
		return true;
	}
	for ( size_t i = 0; i < sizeof( pnVerbs ) / sizeof( pnVerbs[0] ); ++i )
	{
		if ( pnIsWord( verb, pnVerbs[i].name ) )
		{
			command->kind = pnVerbs[i].kind;
			if ( pnVerbs[i].read( &reader, command ) == false )
			{
				return false;
			}
			pnWord rest = pnNextWord( &reader );
			return rest.length == 0 ? true : pnComplain( &reader, rest, "the line's end" );
		}
	}
	return pnComplain( &reader, verb, "a command, such as step, grab, move, cut or spawn," );
}
