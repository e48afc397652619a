// mesh_obj.c - Wavefront OBJ: vertices in their order, polygons, groups, vertex colours. Knows no materials and no textures.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"
#include "mesh_text.h"

#include <stdlib.h>
#include <string.h>

// A vertex, and a colour if three more numbers follow.
static bool pnReadObjVertex( pnText* text, pnMeshFile* mesh, int* colorCapacity, pnMeshFault* fault )
{
	double v[7];
	int count = 0;
	while ( count < 7 && pnReadTextNumber( text, v + count ) )
	{
		count += 1;
	}
	if ( count < 3 )
	{
		return pnFailMesh( fault, "line %d: a vertex has three numbers, v X Y Z", text->line );
	}
	int index = pnPutMeshPoint( mesh, (pnVec3d){ v[0], v[1], v[2] } );
	bool hasColor = count == 6;
	if ( index < 0 || ( hasColor == false && mesh->colors == NULL ) )
	{
		return true; // no memory is told later
	}
	if ( mesh->pointCount > *colorCapacity )
	{
		int capacity = mesh->pointCapacity;
		float* more = realloc( mesh->colors, 3 * (size_t)capacity * sizeof( float ) );
		if ( more == NULL )
		{
			mesh->failed = true;
			return true;
		}
		memset( more + 3 * (size_t)*colorCapacity, 0, 3 * (size_t)( capacity - *colorCapacity ) * sizeof( float ) );
		mesh->colors = more;
		*colorCapacity = capacity;
	}
	for ( int i = 0; i < 3; ++i )
	{
		mesh->colors[3 * (size_t)index + (size_t)i] = hasColor ? (float)v[3 + i] : 0.0f;
	}
	return true;
}

// A corner, A or A/B or A//C or A/B/C; only the vertex counts. Negative ones count back from the last.
static bool pnReadObjCorner( pnTextWord word, int pointCount, int* corner )
{
	bool isMinus = word.text[0] == '-';
	size_t i = isMinus ? 1 : 0;
	int64_t number = 0;
	for ( ; i < word.length && word.text[i] >= '0' && word.text[i] <= '9' && number < 1000000000; ++i )
	{
		number = 10 * number + ( word.text[i] - '0' );
	}
	bool good = i > ( isMinus ? 1u : 0u ) && ( i == word.length || word.text[i] == '/' );
	int64_t index = isMinus ? pointCount - number : number - 1;
	*corner = (int)index;
	return good && number > 0 && index >= 0 && index < pointCount;
}

static bool pnReadObjFace( pnText* text, pnMeshFile* mesh, int group, pnMeshFault* fault )
{
	int first = 0, last = 0, count = 0;
	for ( pnTextWord word = pnNextTextWord( text ); word.length > 0; word = pnNextTextWord( text ) )
	{
		int corner;
		if ( word.length == 1 && word.text[0] == '\\' ) // the line goes on in the next one
		{
			pnNextTextLine( text );
			continue;
		}
		if ( pnReadObjCorner( word, mesh->pointCount, &corner ) == false )
		{
			int length = word.length < 30 ? (int)word.length : 30;
			return pnFailMesh( fault, "line %d: '%.*s' is no corner; there are %d vertices before it", text->line, length, word.text, mesh->pointCount );
		}
		count += 1;
		if ( count == 1 )
		{
			first = corner;
		}
		else if ( count > 2 )
		{
			pnPutMeshTriangle( mesh, first, last, corner, group );
		}
		last = corner;
	}
	return count >= 3 ? true : pnFailMesh( fault, "line %d: a face has three corners or more, not %d", text->line, count );
}

bool pnReadObj( const char* bytes, size_t length, pnMeshFile* mesh, pnMeshFault* fault )
{
	pnText text = pnOpenText( bytes, length );
	int group = -1, colorCapacity = 0;
	while ( pnNextTextLine( &text ) && mesh->failed == false )
	{
		pnTextWord word = pnNextTextWord( &text );
		if ( word.length == 0 || word.text[0] == '#' )
		{
			continue;
		}
		if ( pnIsText( word, "v" ) )
		{
			if ( pnReadObjVertex( &text, mesh, &colorCapacity, fault ) == false )
			{
				return false;
			}
		}
		else if ( pnIsText( word, "f" ) )
		{
			group = group < 0 ? pnPutMeshGroup( mesh, "all", 3 ) : group;
			if ( pnReadObjFace( &text, mesh, group, fault ) == false )
			{
				return false;
			}
		}
		else if ( pnIsText( word, "g" ) || pnIsText( word, "o" ) )
		{
			pnTextWord name = pnNextTextWord( &text );
			group = name.length > 0 ? pnPutMeshGroup( mesh, name.text, name.length ) : pnPutMeshGroup( mesh, "all", 3 );
		}
		else if ( memchr( word.text, 0, word.length ) != NULL )
		{
			return pnFailMesh( fault, "line %d: this is not text", text.line );
		}
		// what else there is (normals, textures, materials, lines, curves) says nothing of the shape
	}
	if ( mesh->failed == false && mesh->pointCount == 0 )
	{
		return pnFailMesh( fault, "it has no vertices, v X Y Z; is it an OBJ file?" );
	}
	return true;
}
