// test_command.c - commands as text: they read back as the same bits, no bytes harm the reader, and what is played again comes to the same.
// Knows the public header, the scenes and their commands.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "command.h"
#include "scenes.h"
#include "shape.h"

#include "pliant/pliant.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- lines ----

static const char* const s_lines[] = {
	"step 1",
	"step 60 dt 0.0166666675 substeps 4",
	"grab 1:1 at 0 0.5 -0.25",
	"grab 4294967295:0 ray 0 2 0 0 -4 0 radius 0.200000003 hertz 8 damping 0.5 force 100",
	"push 2:7 at 1 2 3 radius 0.25",
	"move 1:1 0.100000001 -0 1e-30",
	"move 1:1 0 0 0 steps 30",
	"lock 1:1",
	"unlock 1:1",
	"drop 1:1",
	"letgo 3",
	"cut plane 0 0.5 0 0 1 0",
	"cut plane 0 0.5 0 0.300000012 1 -0.5 inside 2",
	"cut quad 0 0 0 1 0 0 1 1 0 0 1 0 inside -3",
	"gravity 0 -9.81000042 0",
	"expect hash 0x0123456789abcdef",
	"cut plane 0 0.5 0 0 1 0 inside 1 body 12.3",
	"remove all",
	"remove 3.1",
	"throw 3.1 0 2.5 -1",
	"pin all at 0 1 0 radius 0.25",
	"unpin 4.2",
	"material all preset jelly hertz 3.5 cap blend",
	"material 7.4 mode linear damping 0.100000001 tear 2",
	"shape 1 ball at 0 1 2 radius 0.5",
	"shape 2 box at 0 1 2 half 1 0.5 0.25",
	"shape 3 capsule at 0 1 2 radius 0.25 half 0.5",
	"shape 3 move 1 1 1",
	"shape 3 remove",
	"spawn duck at 0 2 0",
	"spawn my-thing_2 at 0 2 0 turn 0 1 0 45 velocity 1 0 0 spin 0 2 0 color 0xff8800 preset clay yield 0.0500000007",
	"load toys",
	"load grab still",
	"undo",
	"redo",
	"rate 120",
	"substeps 8",
	"ask ray 0 1 5 0 0 -10",
};
enum { lineCount = sizeof( s_lines ) / sizeof( s_lines[0] ) };

static bool Reads( const char* line, pnCommand* command )
{
	pnFault fault;
	return pnParseCommand( line, strlen( line ), command, &fault );
}

static void LinesReadBack( void )
{
	for ( int i = 0; i < lineCount; ++i )
	{
		pnTestContext( "%s", s_lines[i] );
		pnCommand command, again;
		char line[PN_COMMAND_LINE];
		REQUIRE( Reads( s_lines[i], &command ) );
		ENSURE( pnFormatCommand( &command, line ) == (int)strlen( s_lines[i] ) && strcmp( line, s_lines[i] ) == 0 );
		ENSURE( Reads( line, &again ) && memcmp( &command, &again, sizeof( command ) ) == 0 );
		// blanks and remarks mean nothing
		char wide[2 * PN_COMMAND_LINE];
		snprintf( wide, sizeof( wide ), "\t  %s  \t# %s", s_lines[i], s_lines[i] );
		ENSURE( Reads( wide, &again ) && memcmp( &command, &again, sizeof( command ) ) == 0 );
	}
	pnCommand nothing;
	ENSURE( Reads( "", &nothing ) && nothing.kind == pn_noCommand );
	ENSURE( Reads( " \t\r", &nothing ) && nothing.kind == pn_noCommand );
	ENSURE( Reads( "# step", &nothing ) && nothing.kind == pn_noCommand );
}

static float AnyFloat( pnRandom* random )
{
	for ( ;; )
	{
		uint32_t bits = pnRandomBits( random );
		float value;
		memcpy( &value, &bits, sizeof( value ) );
		if ( value - value == 0.0f )
		{
			return value;
		}
	}
}

static pnVec3 AnyVec( pnRandom* random )
{
	float x = AnyFloat( random ), y = AnyFloat( random ), z = AnyFloat( random );
	return pnMakeVec3( x, y, z );
}

// Every float and every number there is comes back, to the bit.
static void NumbersReadBack( void )
{
	pnRandom random = pnSeed( 1 );
	for ( int i = 0; i < 20000; ++i )
	{
		pnCommand c, again;
		memset( &c, 0, sizeof( c ) );
		c.kind = (pnCommandKind)( 1 + i % 11 );
		bool isHand = c.kind >= pn_grabCommand && c.kind <= pn_dropCommand;
		c.owner = isHand || c.kind == pn_letGoCommand ? pnRandomBits( &random ) | 1u : 0;
		c.hand = isHand ? pnRandomBits( &random ) : 0;
		c.steps = c.kind == pn_stepCommand || c.kind == pn_moveCommand ? 1 + pnRandomInt( &random, PN_MAX_COMMAND_STEPS ) : 0;
		if ( c.kind == pn_stepCommand && i % 2 == 0 )
		{
			c.timeStep = (float)pnRandomIn( &random, 1e-6, 1.0 );
			c.substeps = 1 + pnRandomInt( &random, 64 );
		}
		if ( c.kind == pn_grabCommand || c.kind == pn_pushCommand || c.kind == pn_moveCommand )
		{
			c.place = AnyVec( &random );
		}
		if ( c.kind == pn_grabCommand )
		{
			c.alongRay = pnRandomInt( &random, 2 ) == 0;
			c.ray = c.alongRay ? AnyVec( &random ) : c.ray;
			c.hertz = AnyFloat( &random );
			c.dampingRatio = AnyFloat( &random );
			c.maxForce = AnyFloat( &random );
		}
		c.radius = c.kind == pn_grabCommand || c.kind == pn_pushCommand ? AnyFloat( &random ) : 0.0f;
		if ( c.kind == pn_cutCommand )
		{
			c.blade = pnRandomInt( &random, 2 ) == 0 ? pn_planeBlade : pn_quadBlade;
			c.point = c.blade == pn_planeBlade ? AnyVec( &random ) : c.point;
			c.normal = c.blade == pn_planeBlade ? AnyVec( &random ) : c.normal;
			for ( int k = 0; k < 4 && c.blade == pn_quadBlade; ++k )
			{
				c.quad[k] = AnyVec( &random );
			}
			c.inside = pnRandomInt( &random, 2147483647 ) * ( i % 4 < 2 ? 1 : -1 );
		}
		c.gravity = c.kind == pn_gravityCommand ? AnyVec( &random ) : c.gravity;
		c.hash = c.kind == pn_expectCommand ? (uint64_t)pnRandomBits( &random ) << 32 | pnRandomBits( &random ) : 0;
		char line[PN_COMMAND_LINE];
		int length = pnFormatCommand( &c, line );
		pnTestContext( "%s", line );
		REQUIRE( length < PN_COMMAND_LINE - 1 );
		REQUIRE( Reads( line, &again ) && memcmp( &c, &again, sizeof( c ) ) == 0 );
	}
}

static void FaultsNameThePlace( void )
{
	static const struct
	{
		const char* line;
		int column;
		const char* text; // part of what is said
	} cases[] = {
		{ "fly 1:1", 1, "a command, such as step" },
		{ "step", 5, "a number of steps" },
		{ "step 0", 6, "not '0'" },
		{ "step 1000001", 6, "a number of steps" },
		{ "step 1.5", 6, "not '1.5'" },
		{ "step 3 dt 0", 11, "a time step" },
		{ "step 3 substeps 65", 17, "substeps" },
		{ "step 3 4", 8, "dt, substeps or the line's end" },
		{ "grab 1 at 0 0 0", 6, "OWNER:NUMBER" },
		{ "grab 0:1 at 0 0 0", 6, "OWNER:NUMBER" },
		{ "grab 1: at 0 0 0", 6, "OWNER:NUMBER" },
		{ "grab 1:2x at 0 0 0", 6, "OWNER:NUMBER" },
		{ "grab 4294967296:1 at 0 0 0", 6, "OWNER:NUMBER" },
		{ "grab 1:1 on 0 0 0", 10, "at or ray" },
		{ "grab 1:1 at 0 0", 16, "the line ends" },
		{ "grab 1:1 at 0 nan 0", 15, "not 'nan'" },
		{ "grab 1:1 at 0 1e39 0", 15, "not '1e39'" },
		{ "grab 1:1 at 0 0x1p3 0", 15, "a coordinate" },
		{ "grab 1:1 ray 0 0 0 1 1", 23, "a coordinate" },
		{ "grab 1:1 at 0 0 0 strength 3", 19, "radius, hertz" },
		{ "push 1:1 at 0 0 0", 18, "radius" },
		{ "move 1:1 0 0 0 steps -1", 22, "a number of steps" },
		{ "lock 1:1 2", 10, "the line's end" },
		{ "letgo 1:1", 7, "an owner" },
		{ "cut 0 0 0", 5, "plane or quad" },
		{ "cut quad 0 0 0 1 0 0 1 1 0 0 1", 31, "a coordinate" },
		{ "cut plane 0 0 0 0 1 0 inside x", 30, "a material number" },
		{ "gravity 0 0", 12, "a coordinate" },
		{ "expect hash 0x12", 13, "a hash" },
		{ "expect 0x0123456789abcdef", 8, "hash" },
		{ "cut plane 0 0 0 0 1 0 body 3", 28, "INDEX.GENERATION" },
		{ "remove 0.1", 8, "INDEX.GENERATION" },
		{ "remove 3", 8, "INDEX.GENERATION" },
		{ "material all", 13, "preset or a field" },
		{ "material all colour 3", 14, "preset or a field" },
		{ "material all mode wobbly", 19, "rigid, linear or quadratic" },
		{ "spawn du/ck at 0 0 0", 7, "a solid's name" },
		{ "spawn duck at 0 0 0 size 3", 21, "turn, velocity" },
		{ "spawn duck at 0 0 0 color 0xff88", 27, "a colour" },
		{ "shape 0 remove", 7, "a number" },
		{ "shape 1 cone at 0 0 0", 9, "ball, box" },
		{ "solid x points 3", 16, "a number of points" },
		{ "solid x points 4 0 0 0 1 0 0 0 1 0 0 0 1 triangles 1 0 1 4", 58, "a point of the solid" },
		{ "solid x points 4 0 0 0 1 0 0 0 1 0 0 0 triangles 1 0 1 2", 40, "a coordinate" },
		{ "load", 5, "a scene's name" },
		{ "load toys quiet", 11, "still or the line's end" },
		{ "rate 5", 6, "from 10 to 1000" },
		{ "substeps 0", 10, "substeps" },
		{ "undo 3", 6, "the line's end" },
		{ "ask 0 0 0", 5, "ray" },
	};
	for ( size_t i = 0; i < sizeof( cases ) / sizeof( cases[0] ); ++i )
	{
		pnCommand command;
		pnFault fault;
		bool good = pnParseCommand( cases[i].line, strlen( cases[i].line ), &command, &fault );
		pnTestContext( "'%s' column %d: %s", cases[i].line, fault.column, fault.text );
		ENSURE( good == false && fault.column == cases[i].column && strstr( fault.text, cases[i].text ) != NULL );
	}
	const char text[] = "step 2\n\n# a remark\nmove 1:1 0 0\nstep 1\n";
	pnFault fault;
	ENSURE( pnCountSteps( text, strlen( text ), &fault ) == -1 && fault.line == 4 && fault.column == 13 );
}

// ---- any bytes ----

static void ReadAll( const char* bytes, size_t length )
{
	pnPlayer player;
	pnStartPlayer( &player, bytes, length );
	pnFault fault;
	pnCommand command;
	do
	{
		if ( pnReadCommand( &player, &command, &fault ) )
		{
			char line[PN_COMMAND_LINE];
			pnCommand again;
			pnFormatCommand( &command, line );
			ENSURE( command.kind == pn_solidCommand || ( Reads( line, &again ) && memcmp( &command, &again, sizeof( command ) ) == 0 ) );
		}
		else if ( fault.line > 0 )
		{
			ENSURE( fault.column >= 1 && fault.text[0] != 0 && memchr( fault.text, 0, sizeof( fault.text ) ) != NULL );
		}
	}
	while ( player.offset < length );
}

// Random bytes; and good scripts with bytes changed, cut out and put in twice. What is read is whole, what is not is told.
static void NoBytesDoHarm( void )
{
	pnRandom random = pnSeed( 2 );
	for ( int round = 0; round < 30000; ++round )
	{
		char text[1024];
		size_t length = 0;
		if ( round % 3 == 0 )
		{
			length = (size_t)pnRandomInt( &random, 200 );
			for ( size_t i = 0; i < length; ++i )
			{
				text[i] = (char)pnRandomBits( &random );
			}
		}
		else
		{
			for ( int i = 0; i < 4; ++i )
			{
				const char* line = s_lines[pnRandomInt( &random, lineCount )];
				memcpy( text + length, line, strlen( line ) );
				length += strlen( line );
				text[length++] = '\n';
			}
			for ( int i = 1 + pnRandomInt( &random, 4 ); i > 0; --i )
			{
				size_t at = (size_t)pnRandomInt( &random, (int)length ), many = (size_t)pnRandomInt( &random, 6 );
				many = at + many <= length ? many : length - at;
				switch ( pnRandomInt( &random, 4 ) )
				{
				case 0:
					text[at] = (char)pnRandomBits( &random );
					break;
				case 1:
					text[at] = "0123456789+-.eE:# \n\t"[pnRandomInt( &random, 20 )];
					break;
				case 2:
					memmove( text + at, text + at + many, length - at - many );
					length -= many;
					break;
				default:
					memmove( text + at + many, text + at, length - at );
					length += many;
					break;
				}
				length = length > 0 ? length : 1;
			}
		}
		char* copy = malloc( length + 1 ); // of its exact size, so that reading on is caught
		REQUIRE( copy != NULL );
		char* bytes = realloc( copy, length > 0 ? length : 1 );
		REQUIRE( bytes != NULL );
		memcpy( bytes, text, length );
		ReadAll( bytes, length );
		free( bytes );
	}
}

// ---- worlds ----

static pnWorld* MakeWorld( int workerCount )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks.workerCount = workerCount;
	pnWorld* world = NULL;
	ENSURE( pnCreateWorld( &def, &world ) == pn_success && pnAddFloor( world, 0.5f ) == pn_success );
	pnSolid* solids[3] = { NULL, NULL, NULL };
	ENSURE( pnCreateBlock(
				&(pnBlockDef){
					.size = { 0.6f, 0.5f, 0.4f },
					.points = { 6, 5, 4 },
					.cells = { 3, 2, 2 },
					.overlap = 0.3f,
					.omit = -1,
					.faced = true,
					.radius = 0.05f,
					.flatSteps = { 6, 5, 4 },
					.cornerSteps = 1,
					.density = 1000.0f,
				},
				solids ) == pn_success );
	ENSURE( pnCreateEllipsoid( pnMakeVec3( 0.3f, 0.25f, 0.3f ), 80, 4, solids + 1 ) == pn_success );
	ENSURE( pnCreateTorus( &(pnTorusDef){ .radius = 0.3f, .tube = 0.1f, .around = 16, .across = 6, .clusters = 5, .overlap = 1 }, solids + 2 ) ==
			pn_success );
	for ( int i = 0; i < 3; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = solids[i];
		body.transform.p = pnMakeVec3( 0.8f * (float)( i - 1 ), 0.4f, 0.0f );
		body.material.hertz = 10.0f;
		pnBodyId id;
		ENSURE( pnCreateBody( world, &body, &id ) == pn_success );
		pnDestroySolid( solids[i] );
	}
	return world;
}

static bool IsFinite( const pnWorld* world )
{
	int count = pnWorld_GetBodies( world, NULL, 0 );
	pnBodyId* bodies = malloc( (size_t)( count + 1 ) * sizeof( pnBodyId ) );
	pnWorld_GetBodies( world, bodies, count );
	bool good = true;
	for ( int i = 0; i < count; ++i )
	{
		int pointCount = pnSolid_GetInfo( pnBody_GetSolid( world, bodies[i] ) ).pointCount;
		pnVec3* points = malloc( 2 * (size_t)( pointCount + 1 ) * sizeof( pnVec3 ) );
		pnBody_WritePoints( world, bodies[i], points, points + pointCount, pointCount );
		for ( int k = 0; k < 2 * pointCount; ++k )
		{
			pnVec3 p = points[k];
			good = good && p.x - p.x == 0.0f && p.y - p.y == 0.0f && p.z - p.z == 0.0f;
		}
		free( points );
	}
	free( bodies );
	return good;
}

static pnPlayState PlayOn( pnPlayer* player, pnWorld* world, int steps, pnFault* fault )
{
	pnPlayState state = pn_stepState;
	for ( int i = 0; i < steps && state == pn_stepState; ++i )
	{
		float timeStep = 1.0f / 60.0f;
		int substeps = 2;
		state = pnPlay( player, world, &timeStep, &substeps, fault );
		if ( state == pn_stepState )
		{
			ENSURE( pnWorld_Step( world, timeStep, substeps ) == pn_success );
		}
	}
	return state;
}

static pnPlayState PlayText( pnWorld* world, const char* text )
{
	pnPlayer player;
	pnFault fault;
	pnStartPlayer( &player, text, strlen( text ) );
	pnPlayState state = PlayOn( &player, world, PN_MAX_COMMAND_STEPS, &fault );
	if ( state == pn_faultState )
	{
		pnTestContext( "line %d, column %d: %s", fault.line, fault.column, fault.text );
	}
	ENSURE( state == pn_endState );
	return state;
}

// Two people with two hands each: a hand is one thing at a time, locks stay, what is not there is passed over.
static void HandsAreNamed( void )
{
	pnWorld* world = MakeWorld( 1 );
	int shapes = pnWorld_GetShapes( world, NULL, 0 );
	PlayText( world, "grab 1:1 at -0.8 0.4 0\ngrab 1:2 ray 0 2 0 0 -4 0\ngrab 2:1 at 0.8 0.4 0.3 radius 0.2\npush 2:2 at 0 2 0 radius 0.1\n" );
	ENSURE( pnWorld_GetGrabs( world, NULL, 0 ) == 3 && pnWorld_GetShapes( world, NULL, 0 ) == shapes + 1 );
	PlayText( world, "grab 1:3 at 5 5 5\ngrab 1:3 ray 5 5 5 0 -9 0\nmove 1:3 0 0 0\nlock 3:1\nunlock 2:2\ndrop 9:9\ncut plane 0 50 0 0 1 0\n" );
	ENSURE( pnWorld_GetGrabs( world, NULL, 0 ) == 3 && pnWorld_GetShapes( world, NULL, 0 ) == shapes + 1 );
	PlayText( world, "grab 1:1 ray 0 2 0 0 -4 0\n" ); // it takes something else
	ENSURE( pnWorld_GetGrabs( world, NULL, 0 ) == 3 );
	PlayText( world, "push 1:1 at 1 2 0 radius 0.1\n" ); // and is a fist
	ENSURE( pnWorld_GetGrabs( world, NULL, 0 ) == 2 && pnWorld_GetShapes( world, NULL, 0 ) == shapes + 2 );
	PlayText( world, "lock 1:2\nletgo 1\n" );
	ENSURE( pnWorld_GetGrabs( world, NULL, 0 ) == 2 && pnWorld_GetShapes( world, NULL, 0 ) == shapes + 1 );
	PlayText( world, "move 2:1 0.8 1 0.3 steps 10\nmove 2:2 0.5 2 0 steps 10\nstep 5\n" );
	pnGrabId grabs[2];
	pnGrabState state;
	pnWorld_GetGrabs( world, grabs, 2 );
	ENSURE( pnGrab_GetState( world, grabs[1], &state ) == pn_success );
	ENSURE_NEAR( state.target.y, 0.7, 1e-5 );
	PlayText( world, "unlock 1:2\nletgo 1\nletgo 2\n" );
	ENSURE( pnWorld_GetGrabs( world, NULL, 0 ) == 0 && pnWorld_GetShapes( world, NULL, 0 ) == shapes );
	pnDestroyWorld( world );
}

// A way of many steps goes evenly and ends where it should; a new command ends it.
static void HandsGlide( void )
{
	pnWorld* world = MakeWorld( 1 );
	const char text[] = "push 1:1 at 0 3 0 radius 0.1\nmove 1:1 1 3 0 steps 8\nstep 4\nstep 4\nstep 4\nmove 1:1 0 3 0 steps 8\nstep 2\nmove 1:1 5 3 0\nstep 3\n";
	static const float places[] = { 0.125f, 0.25f, 0.375f, 0.5f, 0.625f, 0.75f, 0.875f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 0.875f, 0.75f, 5.0f, 5.0f, 5.0f };
	pnPlayer player;
	pnFault fault;
	pnStartPlayer( &player, text, strlen( text ) );
	for ( int i = 0; i < 17; ++i )
	{
		ENSURE( PlayOn( &player, world, 1, &fault ) == pn_stepState );
		pnShapeId shapes[2];
		pnWorld_GetShapes( world, shapes, 2 );
		pnShapeState state;
		ENSURE( pnShape_GetState( world, shapes[1], &state ) == pn_success );
		ENSURE_NEAR( state.transform.p.x, places[i], 1e-5 );
	}
	ENSURE( PlayOn( &player, world, 1, &fault ) == pn_endState );
	pnDestroyWorld( world );
}

static float Around( pnRandom* random, float reach ) { return (float)pnRandomIn( random, -(double)reach, (double)reach ); }

// Hands of three owners that take, pull, push and cut what is there, more or less.
static size_t MakeScript( pnRandom* random, char* text, size_t capacity )
{
	size_t length = 0;
	for ( int i = 0; i < 40; ++i )
	{
		char line[PN_COMMAND_LINE];
		pnCommand c;
		memset( &c, 0, sizeof( c ) );
		c.owner = 1 + (uint32_t)pnRandomInt( random, 3 );
		c.hand = (uint32_t)pnRandomInt( random, 3 );
		pnGrabDef usual = pnDefaultGrabDef();
		c.radius = usual.radius;
		c.hertz = usual.hertz;
		c.dampingRatio = usual.dampingRatio;
		c.place = pnMakeVec3( Around( random, 1.2f ), 0.4f + Around( random, 0.5f ), Around( random, 0.5f ) );
		int kind = i % 3 == 2 ? 0 : pnRandomInt( random, 16 );
		if ( kind == 0 )
		{
			c.kind = pn_stepCommand;
			c.steps = 1 + pnRandomInt( random, 5 );
			c.substeps = 1 + pnRandomInt( random, 3 );
			c.timeStep = pnRandomInt( random, 4 ) == 0 ? 0.01f : 0.0f;
		}
		else if ( kind < 5 )
		{
			c.kind = pn_grabCommand;
			c.alongRay = kind < 3;
			c.ray = pnMakeVec3( 0.0f, -2.0f, 0.0f );
			c.place.y += c.alongRay ? 1.0f : 0.0f;
			c.hertz = kind == 1 ? 1000.0f : c.hertz;
		}
		else if ( kind < 9 )
		{
			c.kind = pn_moveCommand;
			c.steps = kind < 7 ? 1 : 10;
			c.place = kind == 5 ? pnScale( 5.0f, c.place ) : c.place;
		}
		else if ( kind == 9 )
		{
			c.kind = pn_pushCommand;
			c.radius = 0.15f;
		}
		else if ( kind < 13 )
		{
			c.kind = pn_cutCommand;
			c.blade = kind < 12 ? pn_quadBlade : pn_planeBlade;
			c.point = c.place;
			c.normal = pnMakeVec3( Around( random, 1.0f ), Around( random, 1.0f ), Around( random, 1.0f ) );
			pnVec3 a = pnMakeVec3( Around( random, 0.5f ), Around( random, 0.5f ), Around( random, 0.5f ) );
			pnVec3 b = pnMakeVec3( Around( random, 0.5f ), Around( random, 0.5f ), Around( random, 0.5f ) );
			c.quad[0] = c.place;
			c.quad[1] = pnAdd( c.place, a );
			c.quad[2] = pnAdd( c.quad[1], b );
			c.quad[3] = pnAdd( c.place, b );
			c.inside = 1;
		}
		else
		{
			c.kind = kind == 13 ? pn_lockCommand : kind == 14 ? pn_dropCommand : pn_letGoCommand;
		}
		int count = pnFormatCommand( &c, line );
		if ( length + (size_t)count + 2 < capacity )
		{
			memcpy( text + length, line, (size_t)count );
			length += (size_t)count;
			text[length++] = '\n';
		}
	}
	text[length] = 0;
	return length;
}

// Random scripts: every point stays finite, three workers and a world restored half way come to the same hash, nothing is left over.
static void ScriptsPlayAgain( void )
{
	int64_t bytes = pnGetByteCount();
	int cutCount = 0, most = 0;
	for ( int round = 0; round < 60; ++round )
	{
		pnRandom random = pnSeed( 100 + (uint64_t)round );
		char text[8192];
		size_t length = MakeScript( &random, text, sizeof( text ) );
		pnFault fault;
		int steps = pnCountSteps( text, length, &fault );
		pnTestContext( "script %d", round );
		REQUIRE( steps > 0 );
		pnWorld* worlds[3] = { MakeWorld( 1 ), MakeWorld( 3 ), NULL };
		uint64_t hashes[3] = { 0 };
		void* image = NULL;
		size_t size = 0;
		for ( int run = 0; run < 2; ++run )
		{
			pnPlayer player;
			pnStartPlayer( &player, text, length );
			pnPlayState state = PlayOn( &player, worlds[run], steps / 2, &fault );
			if ( run == 0 )
			{
				size = pnWorld_Snapshot( worlds[0], NULL, 0 );
				image = malloc( size );
				REQUIRE( image != NULL && pnWorld_Snapshot( worlds[0], image, size ) == size );
			}
			state = state == pn_stepState ? PlayOn( &player, worlds[run], steps, &fault ) : state;
			ENSURE( state == pn_endState );
			hashes[run] = pnWorld_GetHash( worlds[run] );
			ENSURE( IsFinite( worlds[run] ) );
		}
		pnWorldDef def = pnDefaultWorldDef();
		REQUIRE( pnCreateWorld( &def, worlds + 2 ) == pn_success );
		ENSURE( pnWorld_Restore( worlds[2], image, size ) == pn_success );
		pnPlayer player;
		pnStartPlayer( &player, text, length );
		ENSURE( pnSkip( &player, steps / 2, &fault ) == pn_stepState );
		ENSURE( PlayOn( &player, worlds[2], steps, &fault ) == pn_endState );
		hashes[2] = pnWorld_GetHash( worlds[2] );
		ENSURE( hashes[0] == hashes[1] && hashes[0] == hashes[2] );
		int bodyCount = pnWorld_GetBodies( worlds[0], NULL, 0 );
		cutCount += bodyCount > 3;
		most = bodyCount > most ? bodyCount : most;
		// as it is recorded: what it came to is expected, and another hash is told
		pnWorld* again = MakeWorld( 2 );
		snprintf( text + length, sizeof( text ) - length, "expect hash 0x%016llx\n", (unsigned long long)hashes[0] );
		ENSURE( PlayText( again, text ) == pn_endState );
		pnCommand wrong = { .kind = pn_expectCommand, .hash = hashes[0] + 1 };
		ENSURE( pnApplyCommand( again, &wrong ) == pn_differsOutcome );
		pnDestroyWorld( again );
		for ( int i = 0; i < 3; ++i )
		{
			pnDestroyWorld( worlds[i] );
		}
		free( image );
	}
	ENSURE( pnGetByteCount() == bytes && cutCount > 30 );
	pnTestNote( "%d of 60 worlds cut, up to %d bodies", cutCount, most );
}

static void ScenesAreAsLongAsTheirScripts( void )
{
	int count;
	const pnScene* scenes = pnGetScenes( &count );
	for ( int i = 0; i < count; ++i )
	{
		pnFault fault = { 0 };
		if ( scenes[i].script != NULL )
		{
			int steps = pnCountSteps( scenes[i].script, strlen( scenes[i].script ), &fault );
			pnTestContext( "%s: %d steps, %d:%d %s", scenes[i].name, steps, fault.line, fault.column, fault.text );
			ENSURE( steps == scenes[i].frames );
		}
	}
}

static const pnTest s_tests[] = {
	RUN( LinesReadBack ),	 RUN( NumbersReadBack ), RUN( FaultsNameThePlace ), RUN( NoBytesDoHarm ),
	RUN( HandsAreNamed ),	 RUN( HandsGlide ),		 RUN( ScriptsPlayAgain ),	RUN( ScenesAreAsLongAsTheirScripts ),
};
SUITE( command, s_tests );
