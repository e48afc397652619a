// mesh_tetgen.c - TetGen's .node and .ele: points and tetrahedra, regions as groups. Numbered from 0 or from 1.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"
#include "mesh_text.h"

#include <stdio.h>
#include <string.h>

bool pnReadTetGen( const char* nodes, size_t nodesLength, const char* elements, size_t elementsLength, pnMeshFile* mesh, pnMeshFault* fault )
{
	pnText text = pnOpenText( nodes, nodesLength );
	int64_t head[4] = { 0 }, first = 0;
	if ( pnNextFullLine( &text, '#' ) == false || pnReadTextWhole( &text, head ) == false || pnReadTextWhole( &text, head + 1 ) == false || head[1] != 3 )
	{
		return pnFailMesh( fault, ".node, line %d: it begins with how many points there are and 3", text.line );
	}
	for ( int64_t i = 0; i < head[0] && mesh->failed == false; ++i )
	{
		int64_t number;
		pnVec3d p;
		if ( pnNextFullLine( &text, '#' ) == false )
		{
			return pnFailMesh( fault, ".node, line %d: the file ends after %lld of %lld points", text.line, (long long)i, (long long)head[0] );
		}
		if ( pnReadTextWhole( &text, &number ) == false || pnReadTextNumber( &text, &p.x ) == false || pnReadTextNumber( &text, &p.y ) == false ||
			 pnReadTextNumber( &text, &p.z ) == false )
		{
			return pnFailMesh( fault, ".node, line %d: a point has its number and three coordinates", text.line );
		}
		first = i == 0 ? number : first;
		if ( first > 1 || first < 0 || number != first + i )
		{
			return pnFailMesh( fault, ".node, line %d: points are numbered one by one, from 0 or from 1", text.line );
		}
		pnPutMeshPoint( mesh, p );
	}
	text = pnOpenText( elements, elementsLength );
	if ( pnNextFullLine( &text, '#' ) == false || pnReadTextWhole( &text, head ) == false || pnReadTextWhole( &text, head + 1 ) == false || ( head[1] != 4 && head[1] != 10 ) )
	{
		return pnFailMesh( fault, ".ele, line %d: it begins with how many tetrahedra there are and 4", text.line );
	}
	pnReadTextWhole( &text, head + 2 ); // is there a region for each?
	for ( int64_t i = 0; i < head[0] && mesh->failed == false; ++i )
	{
		int64_t number, corner, region = 0;
		int32_t corners[4];
		if ( pnNextFullLine( &text, '#' ) == false || pnReadTextWhole( &text, &number ) == false )
		{
			return pnFailMesh( fault, ".ele, line %d: the file ends after %lld of %lld tetrahedra", text.line, (long long)i, (long long)head[0] );
		}
		for ( int64_t j = 0; j < head[1]; ++j )
		{
			if ( pnReadTextWhole( &text, &corner ) == false || corner < first || corner >= first + mesh->pointCount )
			{
				return pnFailMesh( fault, ".ele, line %d: corner %lld is no point", text.line, (long long)j + 1 );
			}
			if ( j < 4 ) // those of ten are on the edges
			{
				corners[j] = (int32_t)( corner - first );
			}
		}
		char name[32] = "all";
		if ( head[2] > 0 && pnReadTextWhole( &text, &region ) )
		{
			snprintf( name, sizeof( name ), "%lld", (long long)region );
		}
		pnPutMeshTet( mesh, corners, pnPutMeshGroup( mesh, name, strlen( name ) ) );
	}
	return true;
}
