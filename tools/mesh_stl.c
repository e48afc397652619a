// mesh_stl.c - STL, text or binary: three points of its own for each triangle, as the format has it. Knows no welding.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"
#include "mesh_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool pnReadStlText( const char* bytes, size_t length, pnMeshFile* mesh, pnMeshFault* fault )
{
	pnText text = pnOpenText( bytes, length );
	int group = -1, corners = 0;
	while ( pnNextTextLine( &text ) && mesh->failed == false )
	{
		pnTextWord word = pnNextTextWord( &text );
		if ( pnIsText( word, "solid" ) )
		{
			pnTextWord name = pnNextTextWord( &text );
			group = name.length > 0 ? pnPutMeshGroup( mesh, name.text, name.length ) : pnPutMeshGroup( mesh, "all", 3 );
		}
		else if ( pnIsText( word, "vertex" ) )
		{
			pnVec3d p;
			if ( pnReadTextNumber( &text, &p.x ) == false || pnReadTextNumber( &text, &p.y ) == false || pnReadTextNumber( &text, &p.z ) == false )
			{
				return pnFailMesh( fault, "line %d: a vertex has three numbers", text.line );
			}
			pnPutMeshPoint( mesh, p );
			corners += 1;
		}
		else if ( pnIsText( word, "endfacet" ) || pnIsText( word, "endloop" ) )
		{
			if ( pnIsText( word, "endloop" ) )
			{
				if ( corners != 3 )
				{
					return pnFailMesh( fault, "line %d: a facet has three vertices, not %d", text.line, corners );
				}
				pnPutMeshTriangle( mesh, mesh->pointCount - 3, mesh->pointCount - 2, mesh->pointCount - 1, group < 0 ? 0 : group );
				corners = 0;
			}
		}
		else if ( word.length > 0 && pnIsText( word, "facet" ) == false && pnIsText( word, "outer" ) == false && pnIsText( word, "endsolid" ) == false )
		{
			return pnFailMesh( fault, "line %d: '%.*s' is no word of an STL file", text.line, word.length < 30 ? (int)word.length : 30, word.text );
		}
	}
	return corners == 0 ? true : pnFailMesh( fault, "line %d: the file ends within a facet", text.line );
}

static float pnReadStlFloat( const uint8_t* bytes )
{
	uint32_t bits = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
	float value;
	memcpy( &value, &bits, sizeof( value ) );
	return value;
}

bool pnReadStl( const uint8_t* bytes, size_t size, pnMeshFile* mesh, pnMeshFault* fault )
{
	// Binary files may begin with `solid` too: the size tells.
	uint64_t count = 0;
	if ( size >= 84 )
	{
		count = (uint64_t)bytes[80] | (uint64_t)bytes[81] << 8 | (uint64_t)bytes[82] << 16 | (uint64_t)bytes[83] << 24;
	}
	bool fits = size >= 84 && 84 + 50 * count == size;
	if ( fits == false && size >= 5 && memcmp( bytes, "solid", 5 ) == 0 )
	{
		char* text = malloc( size + 1 );
		if ( text == NULL )
		{
			return pnFailMesh( fault, "there is no memory for it" );
		}
		memcpy( text, bytes, size );
		text[size] = 0;
		bool good = pnReadStlText( text, size, mesh, fault );
		free( text );
		return good;
	}
	if ( fits == false )
	{
		return size < 84 ? pnFailMesh( fault, "byte %zu: the file ends before its triangles; is it an STL file?", size )
						 : pnFailMesh( fault, "byte 80: it says %llu triangles, which take %llu bytes; the file has %zu", (unsigned long long)count,
									   (unsigned long long)( 84 + 50 * count ), size );
	}
	int group = pnPutMeshGroup( mesh, "all", 3 );
	for ( uint64_t i = 0; i < count && mesh->failed == false; ++i )
	{
		const uint8_t* facet = bytes + 84 + 50 * i;
		for ( int corner = 0; corner < 3; ++corner )
		{
			const uint8_t* at = facet + 12 + 12 * corner;
			pnVec3d p = { (double)pnReadStlFloat( at ), (double)pnReadStlFloat( at + 4 ), (double)pnReadStlFloat( at + 8 ) };
			if ( !( fabs( p.x ) < 1e15 && fabs( p.y ) < 1e15 && fabs( p.z ) < 1e15 ) )
			{
				return pnFailMesh( fault, "byte %zu: a vertex of triangle %llu is not a number", (size_t)( at - bytes ), (unsigned long long)i );
			}
			pnPutMeshPoint( mesh, p );
		}
		pnPutMeshTriangle( mesh, mesh->pointCount - 3, mesh->pointCount - 2, mesh->pointCount - 1, group );
	}
	return true;
}
