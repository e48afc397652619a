// glb.c - glTF 2.0 in one binary file, put together from parts on disk. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "glb.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_GLB_FLOAT = 5126,
	PN_GLB_UINT = 5125,
	PN_GLB_VERTICES = 34962, // what a buffer view is for
	PN_GLB_INDICES = 34963,
	PN_GLB_PARTS = PN_GLB_LISTS + 1,
	PN_GLB_BINARY = PN_GLB_LISTS,
	PN_GLB_COPY = 65536,
};

struct pnGlb
{
	char path[4096];
	FILE* parts[PN_GLB_PARTS]; // a text for each list, then the arrays
	int counts[PN_GLB_LISTS];
	size_t size; // bytes of the arrays
	size_t viewBegin;
};

// A file without a name beside the path: it is on the same disk, and gone if the program dies.
static FILE* pnOpenPart( const char* path, int index )
{
	char name[4200];
	snprintf( name, sizeof( name ), "%s.part%d", path, index );
	FILE* file = fopen( name, "w+b" );
	if ( file != NULL )
	{
		remove( name );
	}
	return file;
}

static void pnFreeGlb( pnGlb* glb )
{
	for ( int i = 0; i < PN_GLB_PARTS; ++i )
	{
		if ( glb->parts[i] != NULL )
		{
			fclose( glb->parts[i] );
		}
	}
	free( glb );
}

pnGlb* pnOpenGlb( const char* path, const char** problem )
{
	pnGlb* glb = calloc( 1, sizeof( pnGlb ) );
	if ( glb == NULL )
	{
		*problem = "there is no memory for it";
		return NULL;
	}
	snprintf( glb->path, sizeof( glb->path ), "%s", path );
	for ( int i = 0; i < PN_GLB_PARTS; ++i )
	{
		glb->parts[i] = pnOpenPart( path, i );
		if ( glb->parts[i] == NULL )
		{
			*problem = strerror( errno );
			pnFreeGlb( glb );
			return NULL;
		}
	}
	return glb;
}

int pnGlb_BeginEntry( pnGlb* glb, pnGlbList list )
{
	if ( glb->counts[list] > 0 )
	{
		fputc( ',', glb->parts[list] );
	}
	return glb->counts[list]++;
}

void pnGlb_Put( pnGlb* glb, pnGlbList list, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	vfprintf( glb->parts[list], format, arguments );
	va_end( arguments );
}

static void pnPutQuoted( FILE* file, const char* text )
{
	fputc( '"', file );
	for ( const unsigned char* c = (const unsigned char*)text; *c != 0; ++c )
	{
		if ( *c == '"' || *c == '\\' || *c < 32 )
		{
			fprintf( file, "\\u%04x", *c );
		}
		else
		{
			fputc( *c, file );
		}
	}
	fputc( '"', file );
}

void pnGlb_PutText( pnGlb* glb, pnGlbList list, const char* text ) { pnPutQuoted( glb->parts[list], text ); }

int pnGlb_Add( pnGlb* glb, pnGlbList list, const char* format, ... )
{
	int index = pnGlb_BeginEntry( glb, list );
	va_list arguments;
	va_start( arguments, format );
	vfprintf( glb->parts[list], format, arguments );
	va_end( arguments );
	return index;
}

// ---- arrays: little endian on every machine ----

static void pnPutWord( pnGlb* glb, uint32_t word )
{
	uint8_t bytes[4] = { (uint8_t)word, (uint8_t)( word >> 8 ), (uint8_t)( word >> 16 ), (uint8_t)( word >> 24 ) };
	fwrite( bytes, 1, 4, glb->parts[PN_GLB_BINARY] );
	glb->size += 4;
}

static void pnPutFloat( pnGlb* glb, float value )
{
	uint32_t word;
	memcpy( &word, &value, sizeof( word ) );
	pnPutWord( glb, word );
}

// A view of all that was put since viewBegin, and an accessor of all of the view; bounds NULL: without.
static int pnAddAccessor( pnGlb* glb, int target, int type, int count, int components, const float* lower, const float* upper )
{
	static const char* const shapes[] = { "SCALAR", "VEC2", "VEC3", "VEC4" };
	int view = pnGlb_Add( glb, pn_glbViews, "{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu", glb->viewBegin, glb->size - glb->viewBegin );
	if ( target != 0 )
	{
		pnGlb_Put( glb, pn_glbViews, ",\"target\":%d", target );
	}
	pnGlb_Put( glb, pn_glbViews, "}" );
	int accessor = pnGlb_Add( glb, pn_glbAccessors, "{\"bufferView\":%d,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"", view, type, count,
							  shapes[components - 1] );
	for ( int side = 0; side < 2 && lower != NULL; ++side )
	{
		const float* bound = side == 0 ? lower : upper;
		pnGlb_Put( glb, pn_glbAccessors, side == 0 ? ",\"min\":[" : ",\"max\":[" );
		for ( int k = 0; k < components; ++k )
		{
			pnGlb_Put( glb, pn_glbAccessors, "%s%.9g", k > 0 ? "," : "", (double)bound[k] );
		}
		pnGlb_Put( glb, pn_glbAccessors, "]" );
	}
	pnGlb_Put( glb, pn_glbAccessors, "}" );
	return accessor;
}

static int pnAddNumbers( pnGlb* glb, const float* values, int count, int components, int target, bool hasBounds )
{
	float lower[4] = { INFINITY, INFINITY, INFINITY, INFINITY }, upper[4] = { -INFINITY, -INFINITY, -INFINITY, -INFINITY };
	glb->viewBegin = glb->size;
	for ( int i = 0; i < count; ++i )
	{
		for ( int k = 0; k < components; ++k )
		{
			float value = values[components * i + k];
			lower[k] = fminf( lower[k], value );
			upper[k] = fmaxf( upper[k], value );
			pnPutFloat( glb, value );
		}
	}
	return pnAddAccessor( glb, target, PN_GLB_FLOAT, count, components, hasBounds ? lower : NULL, upper );
}

int pnGlb_AddVectors( pnGlb* glb, const pnVec3* vectors, int count, bool hasBounds )
{
	return pnAddNumbers( glb, &vectors->x, count, 3, PN_GLB_VERTICES, hasBounds );
}

int pnGlb_AddFloats( pnGlb* glb, const float* values, int count, int components, bool hasBounds )
{
	return pnAddNumbers( glb, values, count, components, 0, hasBounds );
}

static float pnGetLinear( uint32_t channel )
{
	double c = ( channel & 255 ) / 255.0;
	return (float)( c <= 0.04045 ? c / 12.92 : pow( ( c + 0.055 ) / 1.055, 2.4 ) );
}

int pnGlb_AddColors( pnGlb* glb, const uint32_t* colors, int count )
{
	glb->viewBegin = glb->size;
	for ( int i = 0; i < count; ++i )
	{
		pnPutFloat( glb, pnGetLinear( colors[i] >> 16 ) );
		pnPutFloat( glb, pnGetLinear( colors[i] >> 8 ) );
		pnPutFloat( glb, pnGetLinear( colors[i] ) );
	}
	return pnAddAccessor( glb, PN_GLB_VERTICES, PN_GLB_FLOAT, count, 3, NULL, NULL );
}

int pnGlb_AddTriangles( pnGlb* glb, const int32_t* triangles, int triangleCount, int firstVertex )
{
	glb->viewBegin = glb->size;
	for ( int i = 0; i < 3 * triangleCount; ++i )
	{
		pnPutWord( glb, (uint32_t)( triangles[i] - firstVertex ) );
	}
	return pnAddAccessor( glb, PN_GLB_INDICES, PN_GLB_UINT, 3 * triangleCount, 1, NULL, NULL );
}

bool pnGlb_IsFull( const pnGlb* glb, size_t bytes )
{
	const size_t limit = UINT32_MAX - 4096;
	size_t text = 0;
	for ( int i = 0; i < PN_GLB_LISTS; ++i )
	{
		long at = ftell( glb->parts[i] );
		text += at > 0 ? (size_t)at : 0;
	}
	return glb->size + text + bytes + bytes / 16 > limit;
}

// ---- the file ----

static const char* const pnListNames[PN_GLB_LISTS] = { "bufferViews", "accessors", "materials", "meshes", "nodes", "samplers", "channels" };

static bool pnCopyPart( FILE* from, FILE* to )
{
	char* bytes = malloc( PN_GLB_COPY );
	bool good = bytes != NULL && fflush( from ) == 0 && fseek( from, 0, SEEK_SET ) == 0;
	size_t count;
	while ( good && ( count = fread( bytes, 1, PN_GLB_COPY, from ) ) > 0 )
	{
		good = fwrite( bytes, 1, count, to ) == count;
	}
	good = good && ferror( from ) == 0;
	free( bytes );
	return good;
}

static bool pnCopyList( pnGlb* glb, pnGlbList list, FILE* to )
{
	fprintf( to, "\"%s\":[", pnListNames[list] );
	bool good = pnCopyPart( glb->parts[list], to );
	fputc( ']', to );
	return good;
}

static bool pnWriteJson( pnGlb* glb, const char* title, FILE* to )
{
	fprintf( to, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"pliant\"}" );
	bool good = true;
	for ( int list = 0; list < pn_glbSamplers; ++list )
	{
		if ( glb->counts[list] > 0 )
		{
			fputc( ',', to );
			good = good && pnCopyList( glb, (pnGlbList)list, to );
		}
	}
	if ( glb->counts[pn_glbNodes] > 0 )
	{
		fprintf( to, ",\"scene\":0,\"scenes\":[{\"nodes\":[" );
		for ( int i = 0; i < glb->counts[pn_glbNodes]; ++i )
		{
			fprintf( to, "%s%d", i > 0 ? "," : "", i );
		}
		fprintf( to, "]}]" );
	}
	if ( glb->counts[pn_glbChannels] > 0 )
	{
		fprintf( to, ",\"animations\":[{\"name\":" );
		pnPutQuoted( to, title );
		fputc( ',', to );
		good = good && pnCopyList( glb, pn_glbSamplers, to );
		fputc( ',', to );
		good = good && pnCopyList( glb, pn_glbChannels, to );
		fprintf( to, "}]" );
	}
	if ( glb->size > 0 )
	{
		fprintf( to, ",\"buffers\":[{\"byteLength\":%zu}]", glb->size );
	}
	fputc( '}', to );
	return good;
}

static void pnPutHead( FILE* file, const uint32_t* words, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		uint8_t bytes[4] = { (uint8_t)words[i], (uint8_t)( words[i] >> 8 ), (uint8_t)( words[i] >> 16 ), (uint8_t)( words[i] >> 24 ) };
		fwrite( bytes, 1, 4, file );
	}
}

const char* pnCloseGlb( pnGlb* glb, const char* title )
{
	static char problem[256];
	problem[0] = 0;
	char part[4200];
	snprintf( part, sizeof( part ), "%s.part", glb->path );
	bool good = true;
	for ( int i = 0; i < PN_GLB_PARTS; ++i )
	{
		good = good && ferror( glb->parts[i] ) == 0;
	}
	FILE* file = good ? fopen( part, "wb" ) : NULL;
	if ( file != NULL )
	{
		const uint32_t blank[5] = { 0 };
		pnPutHead( file, blank, 5 ); // lengths are known later
		good = pnWriteJson( glb, title, file );
		long end = ftell( file );
		for ( ; end % 4 != 0; ++end ) // chunks are whole words; all arrays are
		{
			fputc( ' ', file );
		}
		size_t binary = glb->size > 0 ? glb->size + 8 : 0;
		if ( glb->size > 0 )
		{
			pnPutHead( file, ( const uint32_t[] ){ (uint32_t)glb->size, 0x004e4942 }, 2 ); // BIN
			good = good && pnCopyPart( glb->parts[PN_GLB_BINARY], file );
		}
		good = good && (size_t)end + binary <= UINT32_MAX && fseek( file, 0, SEEK_SET ) == 0;
		pnPutHead( file, ( const uint32_t[] ){ 0x46546c67, 2, (uint32_t)( (size_t)end + binary ), (uint32_t)( end - 20 ), 0x4e4f534a }, 5 ); // glTF, JSON
		good = ferror( file ) == 0 && good;
		good = fclose( file ) == 0 && good;
		good = good && rename( part, glb->path ) == 0;
	}
	if ( file == NULL || good == false )
	{
		snprintf( problem, sizeof( problem ), "%s", errno != 0 ? strerror( errno ) : "it is larger than a .glb can be" );
		remove( part );
	}
	pnFreeGlb( glb );
	return problem[0] != 0 ? problem : NULL;
}
