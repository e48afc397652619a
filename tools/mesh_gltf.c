// mesh_gltf.c - is a glTF file whole: the container of a .glb and the JSON within, told by byte before assimp is asked. Knows no meshes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// The container is that of the glTF 2.0 specification, section 4.4: a header of three words, then chunks, each a length, a kind and bytes; little endian.
#include "mesh_file.h"

#include <jansson.h>
#include <string.h>

enum
{
	PN_GLB_HEADER = 12, // bytes
	PN_GLB_CHUNK_HEADER = 8,
};
static const uint32_t pnGlbMagic = 0x46546c67, pnJsonChunk = 0x4e4f534a, pnBinaryChunk = 0x004e4942; // "glTF", "JSON", "BIN"

static uint32_t pnGetWord( const uint8_t* bytes ) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24; }

// first: the byte of the file at which the JSON begins.
static bool pnCheckGltfJson( const uint8_t* bytes, size_t size, size_t first, pnMeshFault* fault )
{
	while ( size > 0 && bytes[size - 1] == 0 ) // some fill the chunk up with zeros instead of spaces
	{
		size -= 1;
	}
	json_error_t error;
	json_t* json = json_loadb( (const char*)bytes, size, JSON_ALLOW_NUL, &error );
	if ( json == NULL )
	{
		char words[160];
		snprintf( words, sizeof( words ), "%s", error.text );
		words[strcspn( words, "\n" )] = 0;
		// Jansson counts what it has read: the last of that is what it stumbled over.
		size_t at = json_error_code( &error ) == json_error_premature_end_of_input ? size : error.position > 0 ? (size_t)error.position - 1 : 0;
		return pnFailMesh( fault, "byte %zu: its JSON is broken at line %d, column %d: %.140s", first + ( at < size ? at : size ), error.line > 0 ? error.line : 1,
						   error.column > 0 ? error.column : 1, words );
	}
	bool good = json_is_object( json );
	json_decref( json );
	return good ? true : pnFailMesh( fault, "byte %zu: its JSON is no object, { ... }; is it a glTF file?", first );
}

static bool pnCheckGlb( const uint8_t* bytes, size_t size, pnMeshFault* fault )
{
	if ( size < PN_GLB_HEADER )
	{
		return pnFailMesh( fault, "byte %zu: the file ends within its header of %d bytes", size, PN_GLB_HEADER );
	}
	uint32_t version = pnGetWord( bytes + 4 ), length = pnGetWord( bytes + 8 );
	if ( version == 1 )
	{
		return true; // another container; assimp knows it
	}
	if ( version != 2 )
	{
		return pnFailMesh( fault, "byte 4: it is glTF %u; versions 1 and 2 are read", version );
	}
	if ( length > size )
	{
		return pnFailMesh( fault, "byte 8: it says that it has %u bytes, but ends after %zu", length, size );
	}
	size_t at = PN_GLB_HEADER;
	for ( int chunk = 0; at < length; ++chunk )
	{
		if ( length - at < PN_GLB_CHUNK_HEADER )
		{
			return pnFailMesh( fault, "byte %zu: %zu bytes are left, and a chunk begins with %d", at, length - at, PN_GLB_CHUNK_HEADER );
		}
		uint32_t count = pnGetWord( bytes + at ), kind = pnGetWord( bytes + at + 4 );
		size_t left = length - at - PN_GLB_CHUNK_HEADER;
		if ( count > left )
		{
			return pnFailMesh( fault, "byte %zu: the chunk says that it has %u bytes, but %zu are left", at, count, left );
		}
		if ( chunk == 0 && kind != pnJsonChunk )
		{
			return pnFailMesh( fault, "byte %zu: the first chunk is to be JSON", at + 4 );
		}
		if ( chunk == 1 && kind == pnJsonChunk )
		{
			return pnFailMesh( fault, "byte %zu: there is a second chunk of JSON", at + 4 );
		}
		if ( kind == pnBinaryChunk && chunk != 1 )
		{
			return pnFailMesh( fault, "byte %zu: a chunk of bytes comes right behind the JSON, or not at all", at + 4 );
		}
		if ( chunk == 0 && pnCheckGltfJson( bytes + at + PN_GLB_CHUNK_HEADER, count, at + PN_GLB_CHUNK_HEADER, fault ) == false )
		{
			return false;
		}
		at += PN_GLB_CHUNK_HEADER + count;
	}
	return at > PN_GLB_HEADER ? true : pnFailMesh( fault, "byte %d: there is no chunk of JSON", PN_GLB_HEADER );
}

bool pnCheckGltf( const uint8_t* bytes, size_t size, bool isBinary, pnMeshFault* fault )
{
	bool hasMagic = size >= 4 && pnGetWord( bytes ) == pnGlbMagic;
	if ( hasMagic )
	{
		return pnCheckGlb( bytes, size, fault );
	}
	if ( isBinary )
	{
		return pnFailMesh( fault, "byte 0: a GLB file begins with the letters glTF" );
	}
	size_t mark = size >= 3 && memcmp( bytes, "\xef\xbb\xbf", 3 ) == 0 ? 3 : 0; // of UTF-8
	return pnCheckGltfJson( bytes + mark, size - mark, mark, fault );
}
