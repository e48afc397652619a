// mesh_gltf_data.c - a glTF 2.0 file as JSON, buffers and arrays of numbers; what is wrong is told by its byte. Knows no meshes and no nodes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// The container is that of the glTF 2.0 specification, section 4.4: a header of three words, then chunks, each a length, a kind and bytes; little endian.
// Buffers (3.6.1) are the second chunk, base64 in the JSON, or files; accessors (3.6.2) say where in them rows of numbers are.
#include "mesh_gltf.h"

#include "json_place.h"
#include "whole_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_GLB_HEADER = 12, // bytes
	PN_GLB_CHUNK_HEADER = 8,
	PN_GLTF_STEPS = 16, // deeper places are told by what they are in
};
static const uint32_t pnGlbMagic = 0x46546c67, pnJsonChunk = 0x4e4f534a, pnBinaryChunk = 0x004e4942; // "glTF", "JSON", "BIN"

static uint32_t pnGetWord( const uint8_t* bytes ) { return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24; }

// ---- places ----

// The steps from a value to one that is somewhere within it, and its path in words.
static bool pnFindSteps( const json_t* from, const json_t* wanted, int* steps, int depth, int* count, char* path, size_t size )
{
	if ( from == wanted )
	{
		*count = depth;
		return true;
	}
	size_t used = strlen( path );
	if ( depth == PN_GLTF_STEPS )
	{
		return false;
	}
	steps[depth] = 0;
	if ( json_is_array( from ) )
	{
		for ( size_t i = 0; i < json_array_size( from ); ++i, ++steps[depth] )
		{
			snprintf( path + used, size - used, "[%zu]", i );
			if ( pnFindSteps( json_array_get( from, i ), wanted, steps, depth + 1, count, path, size ) )
			{
				return true;
			}
		}
	}
	else if ( json_is_object( from ) )
	{
		for ( void* i = json_object_iter( (json_t*)from ); i != NULL; i = json_object_iter_next( (json_t*)from, i ), ++steps[depth] )
		{
			snprintf( path + used, size - used, "%s%.40s", used > 0 ? "." : "", json_object_iter_key( i ) );
			if ( pnFindSteps( json_object_iter_value( i ), wanted, steps, depth + 1, count, path, size ) )
			{
				return true;
			}
		}
	}
	path[used] = 0;
	return false;
}

bool pnGltf_Fail( pnGltf* gltf, const json_t* value, const char* format, ... )
{
	int steps[PN_GLTF_STEPS], count = 0;
	char path[120] = "", words[140];
	pnFindSteps( gltf->json, value, steps, 0, &count, path, sizeof( path ) );
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( words, sizeof( words ), format, arguments );
	va_end( arguments );
	return pnFailMesh( gltf->fault, "byte %zu: %.80s%s%s", gltf->first + pnFindJsonByte( gltf->text, gltf->length, steps, count ), path, path[0] != 0 ? ": " : "", words );
}

// ---- container ----

// first: the byte of the file at which the JSON begins.
static bool pnReadGltfJson( pnGltf* gltf, const uint8_t* bytes, size_t size, size_t first )
{
	while ( size > 0 && bytes[size - 1] == 0 ) // some fill the chunk up with zeros instead of spaces
	{
		size -= 1;
	}
	gltf->text = (const char*)bytes;
	gltf->length = size;
	gltf->first = first;
	json_error_t error;
	gltf->json = json_loadb( gltf->text, size, JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error );
	if ( gltf->json == NULL )
	{
		char words[160];
		snprintf( words, sizeof( words ), "%s", error.text );
		words[strcspn( words, "\n" )] = 0;
		// Jansson counts what it has read: the last of that is what it stumbled over.
		size_t at = json_error_code( &error ) == json_error_premature_end_of_input ? size : error.position > 0 ? (size_t)error.position - 1 : 0;
		return pnFailMesh( gltf->fault, "byte %zu: its JSON is broken at line %d, column %d: %.140s", first + ( at < size ? at : size ), error.line > 0 ? error.line : 1,
						   error.column > 0 ? error.column : 1, words );
	}
	return json_is_object( gltf->json ) ? true : pnFailMesh( gltf->fault, "byte %zu: its JSON is no object, { ... }; is it a glTF file?", first );
}

static bool pnReadGlb( pnGltf* gltf, const uint8_t* bytes, size_t size )
{
	pnMeshFault* fault = gltf->fault;
	if ( size < PN_GLB_HEADER )
	{
		return pnFailMesh( fault, "byte %zu: the file ends within its header of %d bytes", size, PN_GLB_HEADER );
	}
	uint32_t version = pnGetWord( bytes + 4 ), length = pnGetWord( bytes + 8 );
	if ( version != 2 )
	{
		return pnFailMesh( fault, "byte 4: it is glTF %u; version 2 is read", version );
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
		if ( chunk == 0 && pnReadGltfJson( gltf, bytes + at + PN_GLB_CHUNK_HEADER, count, at + PN_GLB_CHUNK_HEADER ) == false )
		{
			return false;
		}
		if ( chunk == 1 && kind == pnBinaryChunk )
		{
			gltf->binary = bytes + at + PN_GLB_CHUNK_HEADER;
			gltf->binarySize = count;
		}
		at += PN_GLB_CHUNK_HEADER + count;
	}
	return at > PN_GLB_HEADER ? true : pnFailMesh( fault, "byte %d: there is no chunk of JSON", PN_GLB_HEADER );
}

bool pnGltf_Open( pnGltf* gltf, const uint8_t* bytes, size_t size, bool isBinary, const char* folder, pnMeshFault* fault )
{
	*gltf = (pnGltf){ .folder = folder, .fault = fault };
	bool hasMagic = size >= 4 && pnGetWord( bytes ) == pnGlbMagic;
	if ( hasMagic == false && isBinary )
	{
		return pnFailMesh( fault, "byte 0: a GLB file begins with the letters glTF" );
	}
	size_t mark = size >= 3 && memcmp( bytes, "\xef\xbb\xbf", 3 ) == 0 ? 3 : 0; // of UTF-8
	if ( ( hasMagic ? pnReadGlb( gltf, bytes, size ) : pnReadGltfJson( gltf, bytes + mark, size - mark, mark ) ) == false )
	{
		return false;
	}
	gltf->buffers = calloc( json_array_size( json_object_get( gltf->json, "buffers" ) ) + 1, sizeof( pnGltfBuffer ) );
	return gltf->buffers != NULL ? true : pnFailMesh( fault, "there is no memory for it" );
}

void pnGltf_Close( pnGltf* gltf )
{
	size_t count = gltf->buffers != NULL ? json_array_size( json_object_get( gltf->json, "buffers" ) ) : 0;
	for ( size_t i = 0; i < count; ++i )
	{
		free( gltf->buffers[i].own );
	}
	free( gltf->buffers );
	json_decref( gltf->json );
}

// ---- values ----

bool pnGltf_GetWhole( pnGltf* gltf, const json_t* object, const char* key, int64_t otherwise, int64_t most, int64_t* value )
{
	const json_t* found = json_object_get( object, key );
	if ( found == NULL )
	{
		*value = otherwise;
		return otherwise >= 0 ? true : pnGltf_Fail( gltf, object, "\"%s\" is missing", key );
	}
	*value = json_integer_value( found );
	return json_is_integer( found ) && *value >= 0 && *value <= most ? true : pnGltf_Fail( gltf, found, "wants a whole number from 0 to %lld", (long long)most );
}

json_t* pnGltf_Follow( pnGltf* gltf, const json_t* object, const char* key, const char* list )
{
	const json_t* items = json_object_get( gltf->json, list );
	int64_t index;
	if ( json_array_size( items ) == 0 )
	{
		const json_t* found = json_object_get( object, key );
		pnGltf_Fail( gltf, found != NULL ? found : object, "there are no %s in the file", list );
		return NULL;
	}
	return pnGltf_GetWhole( gltf, object, key, -1, (int64_t)json_array_size( items ) - 1, &index ) ? json_array_get( items, (size_t)index ) : NULL;
}

// ---- buffers ----

static int pnGetDigit64( char c )
{
	return c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : c >= '0' && c <= '9' ? c - '0' + 52 : c == '+' ? 62 : c == '/' ? 63 : -1;
}

static bool pnReadBase64( pnGltf* gltf, const json_t* uri, const char* text, pnGltfBuffer* buffer )
{
	size_t length = strlen( text );
	uint8_t* bytes = malloc( length / 4 * 3 + 4 );
	uint32_t bits = 0;
	size_t count = 0, digits = 0;
	while ( bytes != NULL && digits < length && pnGetDigit64( text[digits] ) >= 0 )
	{
		bits = bits << 6 | (uint32_t)pnGetDigit64( text[digits] );
		digits += 1;
		if ( digits % 4 != 1 )
		{
			bytes[count++] = (uint8_t)( bits >> ( 6 - 2 * ( ( digits - 1 ) % 4 ) ) );
		}
	}
	buffer->own = bytes;
	buffer->bytes = bytes;
	buffer->size = count;
	if ( bytes == NULL )
	{
		return pnFailMesh( gltf->fault, "there is no memory for it" );
	}
	return strspn( text + digits, "=" ) == length - digits ? true : pnGltf_Fail( gltf, uri, "'%c' is no letter of base64", text[digits] );
}

// Files lie beside the glTF file or below: no scheme, no root, no steps up.
static bool pnReadBufferFile( pnGltf* gltf, const json_t* uri, const char* name, pnGltfBuffer* buffer )
{
	char path[4096];
	size_t at = gltf->folder != NULL ? strlen( gltf->folder ) : 0, begin = at;
	if ( gltf->folder == NULL || at + strlen( name ) >= sizeof( path ) )
	{
		return pnGltf_Fail( gltf, uri, "the file '%.60s' is out of reach", name );
	}
	memcpy( path, gltf->folder, at );
	for ( const char* c = name; *c != 0; ++c )
	{
		unsigned code = 0;
		bool isCode = c[0] == '%' && c[1] != 0 && c[2] != 0 && sscanf( c + 1, "%2x", &code ) == 1 && code != 0;
		path[at++] = isCode ? (char)code : *c;
		c += isCode ? 2 : 0;
	}
	path[at] = 0;
	const char* inside = path + begin;
	if ( inside[0] == 0 || inside[0] == '/' || strstr( inside, "://" ) != NULL || strstr( inside, ".." ) != NULL || strchr( inside, '\\' ) != NULL )
	{
		return pnGltf_Fail( gltf, uri, "'%.60s' is not a file in its folder", name );
	}
	const char* why;
	buffer->own = pnReadFile( path, &buffer->size, &why );
	buffer->bytes = buffer->own;
	return buffer->own != NULL ? true : pnGltf_Fail( gltf, uri, "'%.60s': %.60s", name, why );
}

static bool pnReadBuffer( pnGltf* gltf, const json_t* json, pnGltfBuffer* buffer )
{
	int64_t length;
	if ( pnGltf_GetWhole( gltf, json, "byteLength", -1, INT64_MAX, &length ) == false )
	{
		return false;
	}
	const json_t* uri = json_object_get( json, "uri" );
	const char* name = json_string_value( uri );
	const char* base64 = name != NULL && strncmp( name, "data:", 5 ) == 0 ? strstr( name, ";base64," ) : NULL;
	if ( uri != NULL && ( name == NULL || ( strncmp( name, "data:", 5 ) == 0 && base64 == NULL ) ) )
	{
		return pnGltf_Fail( gltf, uri, "wants the name of a file or \"data:...;base64,...\"" );
	}
	bool good = true;
	if ( uri == NULL )
	{
		buffer->bytes = gltf->binary;
		buffer->size = gltf->binarySize;
		good = gltf->binary != NULL ? true : pnGltf_Fail( gltf, json, "it has no \"uri\", and the file no second chunk" );
	}
	else
	{
		good = base64 != NULL ? pnReadBase64( gltf, uri, base64 + 8, buffer ) : pnReadBufferFile( gltf, uri, name, buffer );
	}
	if ( good && (uint64_t)length > buffer->size )
	{
		return pnGltf_Fail( gltf, json, "it says that it has %lld bytes, but there are %zu", (long long)length, buffer->size );
	}
	buffer->size = good ? (size_t)length : buffer->size;
	return good;
}

// ---- arrays ----

static size_t pnGetNumberSize( int type ) { return type == 5120 || type == 5121 ? 1 : type == 5122 || type == 5123 ? 2 : type == 5125 || type == 5126 ? 4 : 0; }

bool pnGltf_GetArray( pnGltf* gltf, const json_t* object, const char* key, pnGltfArray* array )
{
	static const struct { const char* name; int columns; } shapes[] = { { "SCALAR", 1 }, { "VEC2", 2 }, { "VEC3", 3 }, { "VEC4", 4 }, { "MAT4", 16 } };
	const json_t* accessor = pnGltf_Follow( gltf, object, key, "accessors" );
	int64_t type, count, offset, viewOffset, viewLength, stride;
	if ( accessor == NULL )
	{
		return false;
	}
	if ( json_object_get( accessor, "sparse" ) != NULL )
	{
		return pnGltf_Fail( gltf, accessor, "sparse accessors are not read" );
	}
	const json_t* view = pnGltf_Follow( gltf, accessor, "bufferView", "bufferViews" );
	if ( view == NULL || pnGltf_GetWhole( gltf, accessor, "componentType", -1, 65535, &type ) == false ||
		 pnGltf_GetWhole( gltf, accessor, "count", -1, PN_MAX_MESH_POINTS, &count ) == false || pnGltf_GetWhole( gltf, accessor, "byteOffset", 0, INT32_MAX, &offset ) == false ||
		 pnGltf_GetWhole( gltf, view, "byteOffset", 0, UINT32_MAX, &viewOffset ) == false || pnGltf_GetWhole( gltf, view, "byteLength", -1, UINT32_MAX, &viewLength ) == false ||
		 pnGltf_GetWhole( gltf, view, "byteStride", 0, 252, &stride ) == false )
	{
		return false;
	}
	const json_t* shape = json_object_get( accessor, "type" );
	array->columns = 0;
	for ( size_t i = 0; i < sizeof( shapes ) / sizeof( shapes[0] ) && json_is_string( shape ); ++i )
	{
		array->columns = strcmp( json_string_value( shape ), shapes[i].name ) == 0 ? shapes[i].columns : array->columns;
	}
	size_t size = pnGetNumberSize( (int)type );
	if ( array->columns == 0 || size == 0 )
	{
		return size == 0 ? pnGltf_Fail( gltf, json_object_get( accessor, "componentType" ), "%lld is no type of numbers; there are 5120 to 5123, 5125 and 5126", (long long)type )
						 : pnGltf_Fail( gltf, shape != NULL ? shape : accessor, "wants \"type\": \"SCALAR\", \"VEC2\", \"VEC3\", \"VEC4\" or \"MAT4\"" );
	}
	if ( pnGltf_Follow( gltf, view, "buffer", "buffers" ) == NULL )
	{
		return false;
	}
	size_t index = (size_t)json_integer_value( json_object_get( view, "buffer" ) );
	pnGltfBuffer* buffer = gltf->buffers + index;
	if ( buffer->bytes == NULL && pnReadBuffer( gltf, json_array_get( json_object_get( gltf->json, "buffers" ), index ), buffer ) == false )
	{
		return false;
	}
	if ( (uint64_t)( viewOffset + viewLength ) > buffer->size )
	{
		return pnGltf_Fail( gltf, view, "it ends at byte %lld of a buffer of %zu", (long long)( viewOffset + viewLength ), buffer->size );
	}
	size_t row = size * (size_t)array->columns;
	array->stride = stride > 0 ? (size_t)stride : row;
	int64_t end = count > 0 ? offset + ( count - 1 ) * (int64_t)array->stride + (int64_t)row : 0;
	if ( array->stride < row || end > viewLength )
	{
		return array->stride < row ? pnGltf_Fail( gltf, json_object_get( view, "byteStride" ), "%lld bytes are too few for rows of %zu", (long long)stride, row )
								   : pnGltf_Fail( gltf, accessor, "it ends at byte %lld of a buffer view of %lld", (long long)end, (long long)viewLength );
	}
	array->bytes = buffer->bytes + viewOffset + offset;
	array->count = (int)count;
	array->type = (int)type;
	array->isNormalized = json_is_true( json_object_get( accessor, "normalized" ) );
	return true;
}

double pnGltfArray_Get( const pnGltfArray* array, int row, int column )
{
	size_t size = pnGetNumberSize( array->type );
	const uint8_t* bytes = array->bytes + (size_t)row * array->stride + (size_t)column * size;
	uint32_t word = bytes[0] | ( size > 1 ? (uint32_t)bytes[1] << 8 : 0 );
	word = size == 4 ? pnGetWord( bytes ) : word;
	float number;
	memcpy( &number, &word, sizeof( number ) );
	double value = array->type == 5126 ? (double)number : array->type == 5120 ? (int8_t)word : array->type == 5122 ? (int16_t)word : (double)word;
	double full = array->type == 5120 ? 127.0 : array->type == 5121 ? 255.0 : array->type == 5122 ? 32767.0 : array->type == 5123 ? 65535.0 : 1.0;
	value = array->isNormalized ? value / full : value;
	return array->isNormalized && value < -1.0 ? -1.0 : value; // section 3.11
}
