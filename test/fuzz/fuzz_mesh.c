// fuzz_mesh.c - any bytes as a mesh file: read or refused with a sentence, and nothing else. The first byte chooses the format. Built with -fsanitize=fuzzer,address,undefined.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"

#include <stdlib.h>
#include <string.h>

static void Check( bool holds )
{
	if ( !holds )
	{
		abort();
	}
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );
int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	if ( size == 0 )
	{
		return 0;
	}
	const char* format = data[0] == 'o' ? "obj" : data[0] == 'p' ? "ply" : data[0] == 's' ? "stl" : data[0] == 'g' ? "glb" : data[0] == 'j' ? "gltf" : "msh";
	pnMeshFile mesh = { 0 };
	pnMeshFault fault = { "" };
	bool good;
	if ( data[0] == 't' ) // TetGen's two texts, with a $ between them; readers look one byte ahead, at a 0
	{
		char* text = calloc( size + 1, 1 );
		Check( text != NULL );
		memcpy( text, data + 1, size - 1 );
		size_t nodes = strcspn( text, "$" );
		size_t rest = nodes < size - 1 ? nodes + 1 : nodes;
		text[nodes] = 0;
		good = pnReadTetGen( text, nodes, text + rest, size - 1 - rest, &mesh, &fault );
		free( text );
	}
	else
	{
		good = pnReadMeshBytes( data + 1, size - 1, format, &mesh, &fault );
	}
	Check( good == ( fault.text[0] == 0 ) );
	for ( int i = 0; i < 3 * mesh.triangleCount; ++i )
	{
		Check( mesh.triangles[i] >= 0 && mesh.triangles[i] < mesh.pointCount );
	}
	for ( int i = 0; i < 4 * mesh.tetCount; ++i )
	{
		Check( mesh.tetrahedra[i] >= 0 && mesh.tetrahedra[i] < mesh.pointCount );
	}
	pnMeshCheck check;
	Check( good == false || mesh.failed || pnCheckMesh( &mesh, &check ) );
	pnFreeMeshFile( &mesh );
	return 0;
}
