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
	int32_t* groups = malloc( (size_t)( file.groupCount + 1 ) * sizeof( int32_t ) );
	for ( int i = 0; i < file.groupCount && groups != NULL; ++i )
	{
		groups[i] = pnAddGroup( mesh, file.names[i] );
	}
	int all = asCloud && good ? pnAddGroup( mesh, "all" ) : 0;
	for ( int i = 0; i < file.pointCount && good && asCloud; ++i )
	{
		pnAddCloudPoint( mesh, file.points[i], file.normals != NULL ? file.normals[i] : (pnVec3d){ 0.0, 0.0, 0.0 }, all );
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
		pnAddSkinTriangle( mesh, moved[corners[0]], moved[corners[1]], moved[corners[2]], groups[file.triangleGroups[i]] );
	}
	bool hasMemory = moved != NULL && groups != NULL && mesh->failed == false;
	free( moved );
	if ( hasMemory == false )
	{
		snprintf( problem, problemSize, "there is no memory for it" );
		good = false;
	}
	free( groups );
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
