// write_glb.c - answers as glTF 2.0 in one binary file: surface, colours, deformation as an animated morph target. Knows no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "write_solution.h"

#include "image.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_GLB_FLOAT = 5126,
	PN_GLB_UINT = 5125,
	PN_GLB_VERTICES = 34962, // what a buffer view is for
	PN_GLB_INDICES = 34963,
	PN_GLB_TIMES = 5,
};

// Bytes in the making; little endian on every machine.
typedef struct pnGlbBytes
{
	uint8_t* bytes;
	size_t count;
} pnGlbBytes;

static void pnPutGlbWord( pnGlbBytes* to, uint32_t word )
{
	for ( int i = 0; i < 4; ++i )
	{
		to->bytes[to->count++] = (uint8_t)( word >> 8 * i );
	}
}

static void pnPutGlbFloat( pnGlbBytes* to, double number )
{
	float narrow = (float)number;
	uint32_t word;
	memcpy( &word, &narrow, sizeof( word ) );
	pnPutGlbWord( to, word );
}

// Adds a buffer view and an accessor of the bytes since `begin`; the index of both is returned. target 0: none.
static int pnAddAccessor( json_t* views, json_t* accessors, size_t begin, size_t end, int target, int type, int count, const char* shape )
{
	json_t* view = json_pack( "{s:i, s:I, s:I}", "buffer", 0, "byteOffset", (json_int_t)begin, "byteLength", (json_int_t)( end - begin ) );
	if ( target != 0 )
	{
		json_object_set_new( view, "target", json_integer( target ) );
	}
	json_array_append_new( views, view );
	int index = (int)json_array_size( accessors );
	json_array_append_new( accessors, json_pack( "{s:i, s:i, s:i, s:s}", "bufferView", index, "componentType", type, "count", count, "type", shape ) );
	return index;
}

// Positions need their bounds.
static void pnPutBounds( json_t* accessor, const pnVec3d* vectors, int count, double scale )
{
	double lower[3] = { INFINITY, INFINITY, INFINITY }, upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( int i = 0; i < count; ++i )
	{
		double v[3] = { vectors[i].x, vectors[i].y, vectors[i].z };
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = fmin( lower[k], (double)(float)( scale * v[k] ) );
			upper[k] = fmax( upper[k], (double)(float)( scale * v[k] ) );
		}
	}
	json_object_set_new( accessor, "min", json_pack( "[f, f, f]", lower[0], lower[1], lower[2] ) );
	json_object_set_new( accessor, "max", json_pack( "[f, f, f]", upper[0], upper[1], upper[2] ) );
}

static double pnGetGlbLinear( uint32_t channel ) // colours of vertices are linear light
{
	double c = ( channel & 255 ) / 255.0;
	return c <= 0.04045 ? c / 12.92 : pow( ( c + 0.055 ) / 1.055, 2.4 );
}

// Everything after the header: the arrays, and what they are.
static json_t* pnMakeGlbScene( const pnSolution* solution, const pnSurface* moved, double exaggerate, const char* title, pnGlbBytes* to )
{
	json_t *views = json_array(), *accessors = json_array();
	int count = solution->vertexCount;
	size_t begin = to->count;
	for ( int i = 0; i < count; ++i )
	{
		pnPutGlbFloat( to, solution->rest[i].x );
		pnPutGlbFloat( to, solution->rest[i].y );
		pnPutGlbFloat( to, solution->rest[i].z );
	}
	int positions = pnAddAccessor( views, accessors, begin, to->count, PN_GLB_VERTICES, PN_GLB_FLOAT, count, "VEC3" );
	pnPutBounds( json_array_get( accessors, (size_t)positions ), solution->rest, count, 1.0 );
	begin = to->count;
	for ( int i = 0; i < count; ++i )
	{
		pnPutGlbFloat( to, solution->normals[i].x );
		pnPutGlbFloat( to, solution->normals[i].y );
		pnPutGlbFloat( to, solution->normals[i].z );
	}
	int normals = pnAddAccessor( views, accessors, begin, to->count, PN_GLB_VERTICES, PN_GLB_FLOAT, count, "VEC3" );
	begin = to->count;
	for ( int i = 0; i < count; ++i )
	{
		pnPutGlbFloat( to, pnGetGlbLinear( moved->colors[i] >> 16 ) );
		pnPutGlbFloat( to, pnGetGlbLinear( moved->colors[i] >> 8 ) );
		pnPutGlbFloat( to, pnGetGlbLinear( moved->colors[i] ) );
	}
	int colors = pnAddAccessor( views, accessors, begin, to->count, PN_GLB_VERTICES, PN_GLB_FLOAT, count, "VEC3" );
	begin = to->count;
	for ( int i = 0; i < count; ++i )
	{
		pnPutGlbFloat( to, exaggerate * solution->displacements[i].x );
		pnPutGlbFloat( to, exaggerate * solution->displacements[i].y );
		pnPutGlbFloat( to, exaggerate * solution->displacements[i].z );
	}
	int motions = pnAddAccessor( views, accessors, begin, to->count, PN_GLB_VERTICES, PN_GLB_FLOAT, count, "VEC3" );
	pnPutBounds( json_array_get( accessors, (size_t)motions ), solution->displacements, count, exaggerate );
	begin = to->count;
	for ( int i = 0; i < count; ++i )
	{
		pnPutGlbFloat( to, (double)moved->normals[i].x - solution->normals[i].x );
		pnPutGlbFloat( to, (double)moved->normals[i].y - solution->normals[i].y );
		pnPutGlbFloat( to, (double)moved->normals[i].z - solution->normals[i].z );
	}
	int turns = pnAddAccessor( views, accessors, begin, to->count, PN_GLB_VERTICES, PN_GLB_FLOAT, count, "VEC3" );
	begin = to->count;
	for ( int i = 0; i < 3 * solution->triangleCount; ++i )
	{
		pnPutGlbWord( to, (uint32_t)solution->triangles[i] );
	}
	int indices = pnAddAccessor( views, accessors, begin, to->count, PN_GLB_INDICES, PN_GLB_UINT, 3 * solution->triangleCount, "SCALAR" );
	static const double times[PN_GLB_TIMES] = { 0.0, 0.5, 2.0, 3.5, 5.0 }, weights[PN_GLB_TIMES] = { 0.0, 0.0, 1.0, 1.0, 0.0 }; // s
	begin = to->count;
	for ( int i = 0; i < PN_GLB_TIMES; ++i )
	{
		pnPutGlbFloat( to, times[i] );
	}
	int timeIndex = pnAddAccessor( views, accessors, begin, to->count, 0, PN_GLB_FLOAT, PN_GLB_TIMES, "SCALAR" );
	json_t* timeAccessor = json_array_get( accessors, (size_t)timeIndex );
	json_object_set_new( timeAccessor, "min", json_pack( "[f]", times[0] ) );
	json_object_set_new( timeAccessor, "max", json_pack( "[f]", times[PN_GLB_TIMES - 1] ) );
	begin = to->count;
	for ( int i = 0; i < PN_GLB_TIMES; ++i )
	{
		pnPutGlbFloat( to, weights[i] );
	}
	int weightIndex = pnAddAccessor( views, accessors, begin, to->count, 0, PN_GLB_FLOAT, PN_GLB_TIMES, "SCALAR" );

	json_t* primitive = json_pack( "{s:{s:i, s:i, s:i}, s:i, s:i, s:[{s:i, s:i}]}", "attributes", "POSITION", positions, "NORMAL", normals, "COLOR_0",
								   colors, "indices", indices, "material", 0, "targets", "POSITION", motions, "NORMAL", turns );
	json_t* scene = json_pack( "{s:{s:s, s:s}, s:i, s:[{s:[i]}], s:[{s:i, s:s}]}", "asset", "version", "2.0", "generator", "pliant", "scene", 0,
							   "scenes", "nodes", 0, "nodes", "mesh", 0, "name", title );
	json_object_set_new( scene, "meshes", json_pack( "[{s:[o], s:[f], s:{s:[s], s:f}}]", "primitives", primitive, "weights", 1.0, "extras",
													 "targetNames", "deformed", "exaggeration", exaggerate ) );
	json_object_set_new( scene, "materials", json_pack( "[{s:{s:[f, f, f, f], s:f, s:f}}]", "pbrMetallicRoughness", "baseColorFactor", 1.0, 1.0,
														1.0, 1.0, "metallicFactor", 0.0, "roughnessFactor", 0.6 ) );
	json_object_set_new( scene, "animations", json_pack( "[{s:s, s:[{s:i, s:i, s:s}], s:[{s:i, s:{s:i, s:s}}]}]", "name", "load", "samplers", "input",
														 timeIndex, "output", weightIndex, "interpolation", "LINEAR", "channels", "sampler", 0, "target",
														 "node", 0, "path", "weights" ) );
	json_object_set_new( scene, "accessors", accessors );
	json_object_set_new( scene, "bufferViews", views );
	json_object_set_new( scene, "buffers", json_pack( "[{s:I}]", "byteLength", (json_int_t)to->count ) );
	return scene;
}

const char* pnWriteGlb( const pnSolution* solution, pnFieldKind field, double exaggerate, const char* title, const char* path )
{
	static const char noMemory[] = "there is no memory for it";
	size_t room = (size_t)solution->vertexCount * 60 + (size_t)solution->triangleCount * 12 + 8 * PN_GLB_TIMES;
	pnGlbBytes binary = { malloc( room + 1 ), 0 };
	pnSurface moved;
	if ( binary.bytes == NULL || pnMakeSolutionSurface( solution, field, exaggerate, 0, 0, &moved ) == false )
	{
		free( binary.bytes );
		return noMemory;
	}
	json_t* scene = pnMakeGlbScene( solution, &moved, exaggerate, title, &binary );
	pnDestroySurface( &moved );
	char* text = scene != NULL ? json_dumps( scene, JSON_COMPACT | JSON_REAL_PRECISION( 9 ) ) : NULL;
	json_decref( scene );
	FILE* file = text != NULL ? fopen( path, "wb" ) : NULL;
	const char* problem = text == NULL ? noMemory : file == NULL ? strerror( errno ) : NULL;
	if ( file != NULL )
	{
		size_t length = strlen( text ), blanks = ( 4 - length % 4 ) % 4; // chunks are whole words; all arrays are
		uint8_t words[28];
		pnGlbBytes head = { words, 0 };
		pnPutGlbWord( &head, 0x46546c67 ); // glTF
		pnPutGlbWord( &head, 2 );
		pnPutGlbWord( &head, (uint32_t)( 28 + length + blanks + binary.count ) );
		pnPutGlbWord( &head, (uint32_t)( length + blanks ) );
		pnPutGlbWord( &head, 0x4e4f534a ); // JSON
		fwrite( words, 1, head.count, file );
		fwrite( text, 1, length, file );
		fwrite( "   ", 1, blanks, file );
		head.count = 0;
		pnPutGlbWord( &head, (uint32_t)binary.count );
		pnPutGlbWord( &head, 0x004e4942 ); // BIN
		fwrite( words, 1, head.count, file );
		fwrite( binary.bytes, 1, binary.count, file );
		bool failed = ferror( file ) != 0;
		failed = fclose( file ) != 0 || failed;
		problem = failed ? strerror( errno ) : NULL;
	}
	free( text );
	free( binary.bytes );
	return problem;
}
