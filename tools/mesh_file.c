// mesh_file.c - meshes out of files by their endings, and how a mesh is put together. Each text or binary format has a file of its own.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"

#include "whole_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool pnFailMesh( pnMeshFault* fault, const char* format, ... )
{
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( fault->text, sizeof( fault->text ), format, arguments );
	va_end( arguments );
	return false;
}

// Room for one more of `size` bytes; capacities double.
static bool pnGrow( void** array, int count, int* capacity, size_t size )
{
	if ( count < *capacity )
	{
		return true;
	}
	int more = *capacity == 0 ? 1024 : 2 * *capacity;
	void* grown = realloc( *array, (size_t)more * size );
	if ( grown == NULL )
	{
		return false;
	}
	*array = grown;
	*capacity = more;
	return true;
}

int pnPutMeshPoint( pnMeshFile* mesh, pnVec3d point )
{
	if ( mesh->failed || mesh->pointCount >= PN_MAX_MESH_POINTS || pnGrow( (void**)&mesh->points, mesh->pointCount, &mesh->pointCapacity, sizeof( pnVec3d ) ) == false )
	{
		mesh->failed = true;
		return -1;
	}
	mesh->points[mesh->pointCount] = point;
	return mesh->pointCount++;
}

void pnPutMeshTriangle( pnMeshFile* mesh, int a, int b, int c, int group )
{
	int capacity = mesh->triangleCapacity;
	if ( mesh->failed || mesh->triangleCount >= PN_MAX_MESH_TRIANGLES ||
		 pnGrow( (void**)&mesh->triangles, mesh->triangleCount, &capacity, 3 * sizeof( int32_t ) ) == false ||
		 pnGrow( (void**)&mesh->triangleGroups, mesh->triangleCount, &mesh->triangleCapacity, sizeof( int32_t ) ) == false )
	{
		mesh->failed = true;
		return;
	}
	int32_t* corners = mesh->triangles + 3 * (size_t)mesh->triangleCount;
	corners[0] = a;
	corners[1] = b;
	corners[2] = c;
	mesh->triangleGroups[mesh->triangleCount++] = group;
}

void pnPutMeshTet( pnMeshFile* mesh, const int32_t corners[4], int group )
{
	int capacity = mesh->tetCapacity;
	if ( mesh->failed || mesh->tetCount >= PN_MAX_MESH_TETS ||
		 pnGrow( (void**)&mesh->tetrahedra, mesh->tetCount, &capacity, 4 * sizeof( int32_t ) ) == false ||
		 pnGrow( (void**)&mesh->tetGroups, mesh->tetCount, &mesh->tetCapacity, sizeof( int32_t ) ) == false )
	{
		mesh->failed = true;
		return;
	}
	memcpy( mesh->tetrahedra + 4 * (size_t)mesh->tetCount, corners, 4 * sizeof( int32_t ) );
	mesh->tetGroups[mesh->tetCount++] = group;
}

int pnPutMeshGroup( pnMeshFile* mesh, const char* name, size_t length )
{
	length = length < PN_MESH_NAME - 1 ? length : PN_MESH_NAME - 1;
	for ( int i = 0; i < mesh->groupCount; ++i )
	{
		if ( strlen( mesh->names[i] ) == length && memcmp( mesh->names[i], name, length ) == 0 )
		{
			return i;
		}
	}
	if ( mesh->names == NULL )
	{
		mesh->names = calloc( PN_MAX_MESH_GROUPS, PN_MESH_NAME );
	}
	if ( mesh->names == NULL || mesh->groupCount == PN_MAX_MESH_GROUPS )
	{
		mesh->failed = true;
		return -1;
	}
	memcpy( mesh->names[mesh->groupCount], name, length );
	mesh->names[mesh->groupCount][length] = 0;
	return mesh->groupCount++;
}

void pnFreeMeshFile( pnMeshFile* mesh )
{
	free( mesh->points );
	free( mesh->normals );
	free( mesh->colors );
	free( mesh->triangles );
	free( mesh->triangleGroups );
	free( mesh->tetrahedra );
	free( mesh->tetGroups );
	free( mesh->names );
	for ( int i = 0; i < mesh->valueCount; ++i )
	{
		free( mesh->values[i] );
	}
	*mesh = (pnMeshFile){ 0 };
}

pnVec3* pnCopyMeshPoints( const pnMeshFile* mesh, float scale )
{
	pnVec3* points = malloc( (size_t)( mesh->pointCount + 1 ) * sizeof( pnVec3 ) );
	for ( int i = 0; i < mesh->pointCount && points != NULL; ++i )
	{
		const pnVec3d* p = mesh->points + i;
		points[i] = (pnVec3){ scale * (float)p->x, scale * (float)p->y, scale * (float)p->z };
	}
	return points;
}

static const char* pnGetEnding( const char* path )
{
	const char* slash = strrchr( path, '/' );
	const char* dot = strrchr( slash != NULL ? slash : path, '.' );
	return dot != NULL ? dot + 1 : "";
}

bool pnIsMeshFile( const char* path )
{
	static const char* const endings[] = { "obj", "ply", "stl", "gltf", "glb", "msh", "node", "ele" };
	for ( size_t i = 0; i < sizeof( endings ) / sizeof( endings[0] ); ++i )
	{
		if ( strcasecmp( pnGetEnding( path ), endings[i] ) == 0 )
		{
			return true;
		}
	}
	return false;
}

// What holds for every format, once it is read: corners are points, there is something in it.
static bool pnAcceptMesh( pnMeshFile* mesh, bool good, pnMeshFault* fault )
{
	if ( mesh->failed )
	{
		good = pnFailMesh( fault, mesh->pointCount >= PN_MAX_MESH_POINTS || mesh->triangleCount >= PN_MAX_MESH_TRIANGLES ||
								   mesh->tetCount >= PN_MAX_MESH_TETS || mesh->groupCount >= PN_MAX_MESH_GROUPS
							   ? "it has more than 12,000,000 points, 4,000,000 triangles or tetrahedra, or 1,024 groups"
							   : "there is no memory for it" );
	}
	else if ( good && mesh->pointCount == 0 )
	{
		good = pnFailMesh( fault, "it has no points" );
	}
	if ( good == false )
	{
		pnFreeMeshFile( mesh );
	}
	return good;
}

// Text readers look one byte ahead: a 0 byte behind the text stops them.
static char* pnCopyText( const uint8_t* bytes, size_t size )
{
	char* text = malloc( size + 1 );
	if ( text != NULL )
	{
		memcpy( text, bytes, size );
		text[size] = 0;
	}
	return text;
}

bool pnReadMeshBytes( const uint8_t* bytes, size_t size, const char* format, pnMeshFile* mesh, pnMeshFault* fault )
{
	*mesh = (pnMeshFile){ 0 };
	fault->text[0] = 0;
	if ( strcasecmp( format, "ply" ) == 0 )
	{
		return pnAcceptMesh( mesh, pnReadPly( bytes, size, mesh, fault ), fault );
	}
	if ( strcasecmp( format, "stl" ) == 0 )
	{
		return pnAcceptMesh( mesh, pnReadStl( bytes, size, mesh, fault ), fault );
	}
	bool isGlb = strcasecmp( format, "glb" ) == 0;
	if ( isGlb || strcasecmp( format, "gltf" ) == 0 )
	{
		return pnAcceptMesh( mesh, pnReadGltf( bytes, size, isGlb, NULL, mesh, fault ), fault );
	}
	bool isObj = strcasecmp( format, "obj" ) == 0;
	if ( isObj == false && strcasecmp( format, "msh" ) != 0 )
	{
		return pnFailMesh( fault, "'%.20s' is no mesh that is read from memory", format );
	}
	char* text = pnCopyText( bytes, size );
	if ( text == NULL )
	{
		return pnFailMesh( fault, "there is no memory for it" );
	}
	bool good = isObj ? pnReadObj( text, size, mesh, fault ) : pnReadMsh( text, size, mesh, fault );
	free( text );
	return pnAcceptMesh( mesh, good, fault );
}

// TetGen writes two files: which one is named does not matter.
static bool pnLoadTetGen( const char* path, pnMeshFile* mesh, pnMeshFault* fault )
{
	char* texts[2] = { NULL, NULL };
	size_t sizes[2] = { 0, 0 };
	bool good = true;
	for ( int i = 0; i < 2 && good; ++i )
	{
		char other[4096];
		snprintf( other, sizeof( other ), "%.*s%s", (int)( pnGetEnding( path ) - path ), path, i == 0 ? "node" : "ele" );
		const char* why;
		uint8_t* bytes = pnReadFile( other, sizes + i, &why );
		texts[i] = bytes != NULL ? pnCopyText( bytes, sizes[i] ) : NULL;
		good = texts[i] != NULL ? true : pnFailMesh( fault, "'%.100s': %s", other, bytes == NULL ? why : "there is no memory for it" );
		free( bytes );
	}
	good = good && pnReadTetGen( texts[0], sizes[0], texts[1], sizes[1], mesh, fault );
	free( texts[0] );
	free( texts[1] );
	return pnAcceptMesh( mesh, good, fault );
}

bool pnLoadMeshFile( const char* path, pnMeshFile* mesh, pnMeshFault* fault )
{
	*mesh = (pnMeshFile){ 0 };
	fault->text[0] = 0;
	const char* ending = pnGetEnding( path );
	if ( strcasecmp( ending, "node" ) == 0 || strcasecmp( ending, "ele" ) == 0 )
	{
		return pnLoadTetGen( path, mesh, fault );
	}
	static const char* const own[] = { "obj", "ply", "stl", "msh" };
	for ( int i = 0; i < 4; ++i )
	{
		if ( strcasecmp( ending, own[i] ) == 0 )
		{
			size_t size;
			const char* why;
			uint8_t* bytes = pnReadFile( path, &size, &why );
			bool good = bytes != NULL ? pnReadMeshBytes( bytes, size, own[i], mesh, fault ) : pnFailMesh( fault, "%s", why );
			free( bytes );
			return good;
		}
	}
	bool isBinary = strcasecmp( ending, "glb" ) == 0;
	if ( isBinary == false && strcasecmp( ending, "gltf" ) != 0 )
	{
		return pnFailMesh( fault, "'.%.20s' is no mesh; .obj, .ply, .stl, .gltf, .glb, .msh, .node and .ele are read", ending );
	}
	size_t size;
	const char* why;
	uint8_t* bytes = pnReadFile( path, &size, &why );
	if ( bytes == NULL )
	{
		return pnFailMesh( fault, "%s", why );
	}
	const char* slash = strrchr( path, '/' );
	char folder[4096];
	snprintf( folder, sizeof( folder ), "%.*s", slash != NULL ? (int)( slash - path ) + 1 : 2, slash != NULL ? path : "./" );
	bool good = pnAcceptMesh( mesh, pnReadGltf( bytes, size, isBinary, folder, mesh, fault ), fault );
	free( bytes );
	return good;
}
