// exports.c - the room as a WebAssembly module: numbers and addresses in and out. Knows no JavaScript; imports a clock and nothing else.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "frame.h"
#include "handles.h"
#include "room.h"
#include "room_scenes.h"
#include "solids.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT( NAME ) __attribute__( ( export_name( NAME ) ) )

// The linker lets the library's clock, which is none in WebAssembly, be this one: what stages cost is for people to see, no result depends on it.
__attribute__( ( import_module( "page" ), import_name( "seconds" ) ) ) double pnGetPageSeconds( void );
double __wrap_pnNow( void );
double __wrap_pnNow( void ) { return pnGetPageSeconds(); }

static pnRoom* s_room;
static pnViewer* s_viewer;
static pnHandles* s_handles; // or NULL: the room is shown
static size_t s_size; // of what was last handed out
static char s_message[512]; // what the library said last
static uint8_t* s_saved;

static void KeepMessage( const char* message )
{
	strncpy( s_message, message, sizeof( s_message ) - 1 );
}

EXPORT( "open" ) int Open( void ) // 1: there is a room
{
	pnSetLogFcn( KeepMessage );
	pnRoomDef def = pnDefaultRoomDef();
	s_viewer = pnCreateViewer();
	return s_viewer != NULL && pnCreateRoom( &def, &s_room ) == pn_success;
}

EXPORT( "take" ) void* Take( size_t size ) { return malloc( size > 0 ? size : 1 ); }
EXPORT( "give" ) void Give( void* memory ) { free( memory ); }
EXPORT( "size" ) size_t GetSize( void ) { return s_size; }

EXPORT( "message" ) const char* GetMessage( void )
{
	s_size = strlen( s_message );
	return s_message;
}

EXPORT( "forgetMessage" ) void ForgetMessage( void ) { s_message[0] = 0; }

EXPORT( "post" ) void Post( uint32_t owner, uint32_t sequence, const char* text, size_t length )
{
	if ( s_handles != NULL )
	{
		const char* why;
		pnHandles_Post( s_handles, text, length, &why );
		return;
	}
	pnRoom_Post( s_room, owner, sequence, text, length );
}

EXPORT( "advance" ) void Advance( int steps )
{
	if ( s_handles == NULL )
	{
		pnRoom_Advance( s_room, steps );
	}
}

// 1: it was played; else the message says where it ended.
EXPORT( "play" ) int Play( const char* text, size_t length )
{
	pnFault fault;
	bool good = pnRoom_Play( s_room, text, length, &fault );
	if ( good == false )
	{
		KeepMessage( fault.text );
	}
	return good ? 1 : 0;
}

EXPORT( "rate" ) float GetRate( void ) { return pnRoom_GetRate( s_room ); }
EXPORT( "step" ) uint32_t GetStep( void ) { return pnRoom_GetStep( s_room ); }
EXPORT( "hash" ) uint64_t GetHash( void ) { return pnRoom_GetHash( s_room ); }

// The address of a frame, 0 if there is no memory.
EXPORT( "frame" ) const uint8_t* WriteFrame( int shading, int fresh )
{
	if ( s_handles != NULL )
	{
		return pnHandles_WriteFrame( s_handles, fresh != 0, &s_size );
	}
	if ( fresh != 0 )
	{
		pnViewer_Forget( s_viewer );
	}
	return pnViewer_WriteFrame( s_viewer, s_room, (pnShading)shading, &s_size );
}

EXPORT( "script" ) const char* GetScript( void ) { return pnRoom_GetScript( s_room, &s_size ); }

EXPORT( "save" ) const uint8_t* Save( void )
{
	free( s_saved );
	size_t size = pnRoom_Save( s_room, NULL, 0 );
	s_saved = size > 0 ? malloc( size ) : NULL;
	s_size = s_saved != NULL ? pnRoom_Save( s_room, s_saved, size ) : 0;
	return s_size > 0 ? s_saved : NULL;
}

EXPORT( "restore" ) int Restore( const void* bytes, size_t size ) // a pnResult
{
	return pnRoom_Restore( s_room, bytes, size );
}

// ---- following another room: an image of it, then what comes before each of its steps ----

EXPORT( "loadImage" ) int LoadImage( const void* bytes, size_t size ) // a pnResult
{
	return pnRoom_LoadImage( s_room, bytes, size );
}

EXPORT( "saveImage" ) const uint8_t* SaveImage( void ) // 0: no memory, or something waits
{
	free( s_saved );
	s_saved = pnRoom_SaveImage( s_room, 0, &s_size );
	return s_saved;
}

// So many steps are to be made after the commands, which wait for advance; below zero a pnResult, and nothing waits.
EXPORT( "postTick" ) int PostTick( const void* bytes, size_t size )
{
	int steps;
	pnResult result = pnRoom_PostTick( s_room, bytes, size, &steps );
	return result == pn_success ? steps : result;
}

EXPORT( "lacksPast" ) int LacksPast( void ) { return pnRoom_LacksPast( s_room ) ? 1 : 0; }

EXPORT( "openHandles" ) int OpenHandles( const void* bytes, size_t size ) // a pnResult; the room waits meanwhile
{
	pnHandles* handles;
	pnResult result = pnOpenHandles( bytes, size, &handles );
	if ( result == pn_success )
	{
		pnCloseHandles( s_handles );
		s_handles = handles;
	}
	return result;
}

EXPORT( "closeHandles" ) void CloseHandles( void )
{
	pnCloseHandles( s_handles );
	s_handles = NULL;
}

EXPORT( "resultText" ) const char* GetResultText( int result )
{
	const char* text = pnResultText( (pnResult)result );
	s_size = strlen( text );
	return text;
}

// Names one after another, a line each: scenes with their text after a tab, solids, materials.
static const char* List( const char* ( *get )( int index, const char** more ) )
{
	static char list[8192];
	size_t length = 0;
	const char* more = NULL;
	for ( int i = 0; get( i, &more ) != NULL; ++i )
	{
		const char* parts[4] = { get( i, &more ), more != NULL ? "\t" : "", more != NULL ? more : "", "\n" };
		for ( int k = 0; k < 4; ++k )
		{
			size_t count = strlen( parts[k] );
			count = length + count < sizeof( list ) ? count : 0;
			memcpy( list + length, parts[k], count );
			length += count;
		}
	}
	s_size = length;
	return list;
}

static const char* GetScene( int index, const char** more )
{
	const pnScene* scene = pnGetRoomScene( index );
	*more = scene != NULL ? scene->text : NULL;
	return scene != NULL ? scene->name : NULL;
}

static const char* GetSolidName( int index, const char** more )
{
	int count;
	const char* const* names = pnGetSolidNames( &count );
	*more = NULL;
	return index < count ? names[index] : NULL;
}

static const char* GetMaterialName( int index, const char** more )
{
	int count;
	const char* const* names = pnGetMaterialNames( &count );
	*more = NULL;
	return index < count ? names[index] : NULL;
}

EXPORT( "scenes" ) const char* GetScenes( void ) { return List( GetScene ); }
EXPORT( "solids" ) const char* GetSolids( void ) { return List( GetSolidName ); }
EXPORT( "materials" ) const char* GetMaterials( void ) { return List( GetMaterialName ); }

// The fields of a preset as a frame's material section has them. Returns 0 if there is none of this name.
EXPORT( "preset" ) const float* GetPreset( const char* name )
{
	static float values[32];
	pnMaterial material;
	if ( pnFindMaterial( name, &material ) != pn_success )
	{
		return NULL;
	}
	int count = 0;
	for ( ; pnGetMaterialField( count ) != NULL; ++count )
	{
		const pnMaterialField* field = pnGetMaterialField( count );
		values[count] = field->kind == pn_modeField ? (float)material.mode : (float)material.cap;
		if ( field->kind == pn_floatField )
		{
			memcpy( values + count, (const char*)&material + field->offset, sizeof( float ) );
		}
	}
	s_size = (size_t)count * sizeof( float );
	return values;
}
