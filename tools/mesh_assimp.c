// mesh_assimp.c - glTF and whatever else assimp reads: each mesh of the file is a group. Knows no welding.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pnVec3d pnTransformByMatrix( const struct aiMatrix4x4* m, const struct aiVector3D* a )
{
	double x = a->x, y = a->y, z = a->z;
	return (pnVec3d){ m->a1 * x + m->a2 * y + m->a3 * z + m->a4, m->b1 * x + m->b2 * y + m->b3 * z + m->b4,
					  m->c1 * x + m->c2 * y + m->c3 * z + m->c4 };
}

// Arrays beside the points: as long as these are now, zero where a mesh of the file has none.
static bool pnGrowBeside( void** array, size_t itemSize, int first, int count, bool wanted )
{
	if ( wanted == false && *array == NULL )
	{
		return true;
	}
	char* more = realloc( *array, (size_t)( first + count + 1 ) * itemSize );
	if ( more == NULL )
	{
		return false;
	}
	size_t filled = *array == NULL ? 0 : (size_t)first;
	memset( more + filled * itemSize, 0, ( (size_t)( first + count + 1 ) - filled ) * itemSize );
	*array = more;
	return true;
}

static bool pnAddAssimpMesh( const struct aiMesh* from, const char* nodeName, const struct aiMatrix4x4* transform, pnMeshFile* mesh, pnMeshFault* fault )
{
	const char* name = from->mName.length > 0 ? from->mName.data : nodeName;
	name = name[0] != 0 ? name : "all";
	int group = pnPutMeshGroup( mesh, name, strlen( name ) );
	int first = mesh->pointCount, count = (int)from->mNumVertices;
	if ( from->mNumVertices > PN_MAX_MESH_POINTS || mesh->failed )
	{
		mesh->failed = true;
		return true; // told later
	}
	bool hasColors = from->mColors[0] != NULL;
	if ( pnGrowBeside( (void**)&mesh->normals, sizeof( pnVec3d ), first, count, from->mNormals != NULL ) == false ||
		 pnGrowBeside( (void**)&mesh->colors, 3 * sizeof( float ), first, count, hasColors ) == false )
	{
		return pnFailMesh( fault, "there is no memory for it" );
	}
	for ( int i = 0; i < count; ++i )
	{
		pnVec3d point = pnTransformByMatrix( transform, from->mVertices + i );
		if ( !( fabs( point.x ) < 1e15 && fabs( point.y ) < 1e15 && fabs( point.z ) < 1e15 ) )
		{
			return pnFailMesh( fault, "vertex %d of '%.60s' is not a number", i, name );
		}
		pnPutMeshPoint( mesh, point );
		if ( from->mNormals != NULL )
		{
			mesh->normals[first + i] = (pnVec3d){ from->mNormals[i].x, from->mNormals[i].y, from->mNormals[i].z };
		}
		if ( hasColors )
		{
			const struct aiColor4D* color = from->mColors[0] + i;
			float* to = mesh->colors + 3 * (size_t)( first + i );
			to[0] = color->r;
			to[1] = color->g;
			to[2] = color->b;
		}
	}
	for ( unsigned i = 0; i < from->mNumFaces; ++i )
	{
		const struct aiFace* face = from->mFaces + i;
		if ( face->mNumIndices != 3 ) // points and lines are no surface
		{
			continue;
		}
		const unsigned* corner = face->mIndices;
		if ( corner[0] >= from->mNumVertices || corner[1] >= from->mNumVertices || corner[2] >= from->mNumVertices )
		{
			return pnFailMesh( fault, "triangle %u of '%.60s' has a corner that is no vertex", i, name );
		}
		pnPutMeshTriangle( mesh, first + (int)corner[0], first + (int)corner[1], first + (int)corner[2], group );
	}
	return true;
}

static bool pnAddAssimpNode( const struct aiScene* scene, const struct aiNode* node, struct aiMatrix4x4 transform, int depth, pnMeshFile* mesh, pnMeshFault* fault )
{
	struct aiMatrix4x4 here = transform;
	aiMultiplyMatrix4( &here, &node->mTransformation );
	for ( unsigned i = 0; i < node->mNumMeshes; ++i )
	{
		if ( pnAddAssimpMesh( scene->mMeshes[node->mMeshes[i]], node->mName.data, &here, mesh, fault ) == false )
		{
			return false;
		}
	}
	for ( unsigned i = 0; i < node->mNumChildren && depth < 64; ++i )
	{
		if ( pnAddAssimpNode( scene, node->mChildren[i], here, depth + 1, mesh, fault ) == false )
		{
			return false;
		}
	}
	return true;
}

bool pnLoadAssimp( const char* path, pnMeshFile* mesh, pnMeshFault* fault )
{
	FILE* file = fopen( path, "rb" ); // assimp does not tell why it cannot open a file
	if ( file == NULL )
	{
		return pnFailMesh( fault, "there is no such file, or it cannot be read" );
	}
	fclose( file );
	const struct aiScene* scene = aiImportFile( path, aiProcess_Triangulate );
	if ( scene == NULL || scene->mRootNode == NULL )
	{
		pnFailMesh( fault, "%.200s", scene == NULL ? aiGetErrorString() : "nothing is in it" );
		aiReleaseImport( scene );
		return false;
	}
	struct aiMatrix4x4 identity;
	aiIdentityMatrix4( &identity );
	bool good = pnAddAssimpNode( scene, scene->mRootNode, identity, 0, mesh, fault );
	aiReleaseImport( scene );
	return good;
}
