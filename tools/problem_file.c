// problem_file.c - surfaces and clouds out of files: OBJ, PLY, STL, glTF by assimp, CSV by hand. Knows no JSON.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem_file.h"

#include "whole_file.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool pnIsOrdinary( pnVec3d a ) { return fabs( a.x ) < 1e15 && fabs( a.y ) < 1e15 && fabs( a.z ) < 1e15; } // false for NaN

static pnVec3d pnTransformByMatrix( const struct aiMatrix4x4* m, const struct aiVector3D* a )
{
	double x = a->x, y = a->y, z = a->z;
	return (pnVec3d){ m->a1 * x + m->a2 * y + m->a3 * z + m->a4, m->b1 * x + m->b2 * y + m->b3 * z + m->b4,
					  m->c1 * x + m->c2 * y + m->c3 * z + m->c4 };
}

static bool pnAddMesh( const struct aiMesh* from, const char* nodeName, const struct aiMatrix4x4* transform, bool asCloud, pnSkinMesh* mesh,
					   char* problem, size_t problemSize )
{
	const char* name = from->mName.length > 0 ? from->mName.data : nodeName;
	name = name[0] != 0 ? name : "all";
	int group = pnAddGroup( mesh, name );
	if ( group < 0 )
	{
		snprintf( problem, problemSize, "it has more than %d groups", PN_MAX_GROUPS );
		return false;
	}
	if ( from->mNumVertices > 3u * PN_MAX_FILE_TRIANGLES || from->mNumFaces > PN_MAX_FILE_TRIANGLES )
	{
		snprintf( problem, problemSize, "it has more than %d triangles", PN_MAX_FILE_TRIANGLES );
		return false;
	}
	if ( asCloud && from->mNormals == NULL )
	{
		snprintf( problem, problemSize, "its points have no normals (nx, ny, nz); a cloud needs them" );
		return false;
	}
	int first = mesh->pointCount;
	for ( unsigned i = 0; i < from->mNumVertices; ++i )
	{
		pnVec3d point = pnTransformByMatrix( transform, from->mVertices + i );
		if ( pnIsOrdinary( point ) == false )
		{
			snprintf( problem, problemSize, "vertex %u of '%.60s' is not a number", i, name );
			return false;
		}
		if ( asCloud )
		{
			const struct aiVector3D* n = from->mNormals + i;
			pnAddCloudPoint( mesh, point, (pnVec3d){ n->x, n->y, n->z }, group );
		}
		else
		{
			pnAddSkinPoint( mesh, point );
		}
	}
	for ( unsigned i = 0; i < from->mNumFaces && asCloud == false; ++i )
	{
		const struct aiFace* face = from->mFaces + i;
		if ( face->mNumIndices == 3 ) // points and lines are no surface
		{
			pnAddSkinTriangle( mesh, first + (int)face->mIndices[0], first + (int)face->mIndices[1], first + (int)face->mIndices[2], group );
		}
	}
	if ( mesh->failed || mesh->triangleCount > PN_MAX_FILE_TRIANGLES )
	{
		snprintf( problem, problemSize, mesh->failed ? "there is no memory for it" : "it has too many triangles" );
		return false;
	}
	return true;
}

static bool pnAddNode( const struct aiScene* scene, const struct aiNode* node, struct aiMatrix4x4 transform, int depth, bool asCloud,
					   pnSkinMesh* mesh, char* problem, size_t problemSize )
{
	struct aiMatrix4x4 here = transform;
	aiMultiplyMatrix4( &here, &node->mTransformation );
	for ( unsigned i = 0; i < node->mNumMeshes; ++i )
	{
		if ( pnAddMesh( scene->mMeshes[node->mMeshes[i]], node->mName.data, &here, asCloud, mesh, problem, problemSize ) == false )
		{
			return false;
		}
	}
	for ( unsigned i = 0; i < node->mNumChildren && depth < 64; ++i )
	{
		if ( pnAddNode( scene, node->mChildren[i], here, depth + 1, asCloud, mesh, problem, problemSize ) == false )
		{
			return false;
		}
	}
	return true;
}

static bool pnLoadScene( const char* path, bool asCloud, pnSkinMesh* mesh, char* problem, size_t problemSize )
{
	FILE* file = fopen( path, "rb" ); // assimp does not tell why it cannot open a file
	if ( file == NULL )
	{
		snprintf( problem, problemSize, "there is no such file, or it cannot be read" );
		return false;
	}
	fclose( file );
	const struct aiScene* scene = aiImportFile( path, asCloud ? 0 : aiProcess_Triangulate );
	if ( scene == NULL || scene->mRootNode == NULL )
	{
		snprintf( problem, problemSize, "%.200s", scene == NULL ? aiGetErrorString() : "nothing is in it" );
		aiReleaseImport( scene );
		return false;
	}
	struct aiMatrix4x4 identity;
	aiIdentityMatrix4( &identity );
	bool good = pnAddNode( scene, scene->mRootNode, identity, 0, asCloud, mesh, problem, problemSize );
	aiReleaseImport( scene );
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
			pnVec3d point = { v[0], v[1], v[2] }, normal = { v[3], v[4], v[5] };
			if ( count < 6 || pnIsOrdinary( point ) == false || pnIsOrdinary( normal ) == false )
			{
				snprintf( problem, problemSize, "line %d wants six numbers: x, y, z and the outward normal", number );
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
