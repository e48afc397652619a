// problem_file.c - surfaces and clouds out of files: those of mesh_file.h, and CSV. Knows no JSON.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem_file.h"

#include "mesh_file.h"
#include "whole_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool pnIsOrdinary( pnVec3d a ) { return fabs( a.x ) < 1e15 && fabs( a.y ) < 1e15 && fabs( a.z ) < 1e15; } // false for NaN

// ---- painted parts ----

enum { PN_MOST_PAINTS = 64 }; // more colours are a picture, not paint

// A colour's name: that of a pure one, else #rrggbb.
static void pnNamePaint( uint32_t paint, char name[PN_GROUP_NAME] )
{
	static const struct { uint32_t paint; const char* name; } pure[] = {
		{ 0xff0000, "red" }, { 0x00ff00, "green" }, { 0x0000ff, "blue" }, { 0xffff00, "yellow" }, { 0x00ffff, "cyan" }, { 0xff00ff, "magenta" }, { 0, "black" }, { 0xffffff, "white" },
	};
	snprintf( name, PN_GROUP_NAME, "#%06x", (unsigned)paint );
	for ( size_t i = 0; i < sizeof( pure ) / sizeof( pure[0] ); ++i )
	{
		if ( pure[i].paint == paint )
		{
			snprintf( name, PN_GROUP_NAME, "%s", pure[i].name );
		}
	}
}

// The group of each point by its colour, in a file with colours and no groups of its own. NULL: it is not painted (or no memory: failed).
static int32_t* pnFindPaint( const pnMeshFile* file, pnSkinMesh* mesh )
{
	uint32_t paints[PN_MOST_PAINTS];
	int paintCount = 0;
	if ( file->colors == NULL || file->groupCount > 1 || file->pointCount == 0 )
	{
		return NULL;
	}
	int32_t* painted = malloc( (size_t)file->pointCount * sizeof( int32_t ) );
	mesh->failed = mesh->failed || painted == NULL;
	for ( int i = 0; i < file->pointCount && painted != NULL; ++i )
	{
		uint32_t paint = 0;
		for ( int c = 0; c < 3; ++c )
		{
			float part = file->colors[3 * (size_t)i + (size_t)c];
			paint = paint << 8 | (uint32_t)( 255.0f * ( part > 0.0f ? part < 1.0f ? part : 1.0f : 0.0f ) + 0.5f ); // 0 for NaN
		}
		int index = 0;
		while ( index < paintCount && paints[index] != paint )
		{
			++index;
		}
		if ( index == PN_MOST_PAINTS )
		{
			free( painted );
			return NULL;
		}
		paints[index] = paint;
		paintCount = index == paintCount ? paintCount + 1 : paintCount;
		painted[i] = index;
	}
	if ( painted != NULL && paintCount < 2 )
	{
		free( painted );
		return NULL;
	}
	int32_t groups[PN_MOST_PAINTS];
	for ( int i = 0; i < paintCount && painted != NULL; ++i )
	{
		char name[PN_GROUP_NAME];
		pnNamePaint( paints[i], name );
		groups[i] = pnAddGroup( mesh, name );
	}
	for ( int i = 0; i < file->pointCount && painted != NULL; ++i )
	{
		painted[i] = groups[painted[i]];
	}
	return painted;
}

// A triangle has the colour of two of its corners.
static int pnGetPaint( const int32_t* painted, const int32_t corners[3] )
{
	int a = painted[corners[0]], b = painted[corners[1]], c = painted[corners[2]];
	return b == c ? b : a;
}

// ---- meshes ----

// A mesh of any file as a skin, or its points as a cloud, with their normals if they have any.
static bool pnLoadScene( const char* path, bool asCloud, pnSkinMesh* mesh, char* problem, size_t problemSize )
{
	pnMeshFile file;
	pnMeshFault fault;
	if ( pnLoadMeshFile( path, &file, &fault ) == false )
	{
		snprintf( problem, problemSize, "%s", fault.text );
		return false;
	}
	bool good = true;
	int32_t* painted = pnFindPaint( &file, mesh );
	int32_t* groups = malloc( (size_t)( file.groupCount + 1 ) * sizeof( int32_t ) );
	for ( int i = 0; i < file.groupCount && groups != NULL && painted == NULL; ++i )
	{
		groups[i] = pnAddGroup( mesh, file.names[i] );
	}
	int all = asCloud && painted == NULL ? pnAddGroup( mesh, "all" ) : 0;
	for ( int i = 0; i < file.pointCount && good && asCloud; ++i )
	{
		pnAddCloudPoint( mesh, file.points[i], file.normals != NULL ? file.normals[i] : (pnVec3d){ 0.0, 0.0, 0.0 }, painted != NULL ? painted[i] : all );
	}
	int32_t* moved = malloc( (size_t)file.pointCount * sizeof( int32_t ) ); // only what a triangle has is part of the surface
	for ( int i = 0; i < file.pointCount && moved != NULL; ++i )
	{
		moved[i] = -1;
	}
	for ( int i = 0; i < file.triangleCount && good && asCloud == false && groups != NULL && moved != NULL; ++i )
	{
		const int32_t* corners = file.triangles + 3 * (size_t)i;
		for ( int k = 0; k < 3; ++k )
		{
			moved[corners[k]] = moved[corners[k]] >= 0 ? moved[corners[k]] : pnAddSkinPoint( mesh, file.points[corners[k]] );
		}
		pnAddSkinTriangle( mesh, moved[corners[0]], moved[corners[1]], moved[corners[2]],
						   painted != NULL ? pnGetPaint( painted, corners ) : groups[file.triangleGroups[i]] );
	}
	bool hasMemory = moved != NULL && groups != NULL && mesh->failed == false;
	free( moved );
	if ( hasMemory == false )
	{
		snprintf( problem, problemSize, "there is no memory for it" );
		good = false;
	}
	free( groups );
	free( painted );
	pnFreeMeshFile( &file );
	return good;
}

bool pnLoadMeshSkin( const char* path, pnSkinMesh* mesh, char* problem, size_t problemSize )
{
	if ( pnLoadScene( path, false, mesh, problem, problemSize ) == false )
	{
		return false;
	}
	if ( pnWeldSkin( mesh ) == false )
	{
		snprintf( problem, problemSize, "there is no memory for it" );
		return false;
	}
	if ( mesh->triangleCount < 4 )
	{
		snprintf( problem, problemSize, "it has %d triangles, and a solid needs four", mesh->triangleCount );
		return false;
	}
	return true;
}

// ---- clouds as lines of text ----

// Up to six numbers, then perhaps a name. Returns how many numbers there were.
static int pnReadCloudLine( const char* line, double numbers[6], char name[PN_GROUP_NAME] )
{
	int count = 0;
	name[0] = 0;
	while ( *line != 0 )
	{
		line += strspn( line, " \t\r,;" );
		char* end;
		double number = strtod( line, &end );
		if ( count < 6 && end != line )
		{
			numbers[count++] = number;
			line = end;
		}
		else
		{
			size_t length = strcspn( line, ",;\r" );
			snprintf( name, PN_GROUP_NAME, "%.*s", (int)( length < PN_GROUP_NAME ? length : PN_GROUP_NAME - 1 ), line );
			break;
		}
	}
	return count;
}

static bool pnReadCloudText( char* text, pnSkinMesh* mesh, char* problem, size_t problemSize )
{
	int number = 0;
	bool hadRows = false;
	for ( char* line = text; line != NULL; )
	{
		char* end = strchr( line, '\n' );
		if ( end != NULL )
		{
			*end = 0;
		}
		number += 1;
		double v[6];
		char name[PN_GROUP_NAME];
		const char* start = line + strspn( line, " \t\r" );
		int count = *start != 0 && *start != '#' ? pnReadCloudLine( start, v, name ) : -1;
		bool isHeading = count == 0 && hadRows == false;
		if ( count >= 0 && isHeading == false )
		{
			hadRows = true;
			pnVec3d point = { v[0], v[1], v[2] }, normal = { 0.0, 0.0, 0.0 };
			if ( count == 6 )
			{
				normal = (pnVec3d){ v[3], v[4], v[5] };
			}
			if ( ( count != 6 && count != 3 ) || pnIsOrdinary( point ) == false || pnIsOrdinary( normal ) == false )
			{
				snprintf( problem, problemSize, "line %d wants three numbers, x, y, z, or six: also the outward normal", number );
				return false;
			}
			int group = pnAddGroup( mesh, name[0] != 0 ? name : "all" );
			pnAddCloudPoint( mesh, point, normal, group < 0 ? 0 : group );
			if ( mesh->failed || group < 0 || mesh->pointCount > PN_MAX_FILE_TRIANGLES )
			{
				snprintf( problem, problemSize, mesh->failed ? "there is no memory for it" : "line %d: too many points or groups", number );
				return false;
			}
		}
		hadRows = hadRows || isHeading;
		line = end != NULL ? end + 1 : NULL;
	}
	return true;
}

bool pnLoadCloudSkin( const char* path, pnSkinMesh* mesh, char* problem, size_t problemSize )
{
	size_t length = strlen( path );
	bool good;
	if ( length > 4 && strcmp( path + length - 4, ".ply" ) == 0 )
	{
		good = pnLoadScene( path, true, mesh, problem, problemSize );
	}
	else
	{
		size_t size;
		const char* why;
		uint8_t* bytes = pnReadFile( path, &size, &why );
		if ( bytes == NULL )
		{
			snprintf( problem, problemSize, "%s", why );
			return false;
		}
		char* text = malloc( size + 1 );
		good = text != NULL;
		if ( good )
		{
			memcpy( text, bytes, size );
			text[size] = 0;
			good = pnReadCloudText( text, mesh, problem, problemSize );
		}
		else
		{
			snprintf( problem, problemSize, "there is no memory for it" );
		}
		free( text );
		free( bytes );
	}
	if ( good && mesh->pointCount < 4 )
	{
		snprintf( problem, problemSize, "it has %d points, and a solid needs four", mesh->pointCount );
		return false;
	}
	return good;
}
