// fuzz_mesh.c - any bytes as a mesh file: read or refused with a sentence, and nothing else. The first byte chooses the format. Built with -fsanitize=fuzzer,address,undefined.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"

#include <stdlib.h>

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
	const char* format = data[0] == 'o' ? "obj" : data[0] == 'p' ? "ply" : data[0] == 's' ? "stl" : "msh";
	pnMeshFile mesh;
	pnMeshFault fault;
	bool good = pnReadMeshBytes( data + 1, size - 1, format, &mesh, &fault );
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
	Check( good == false || pnCheckMesh( &mesh, &check ) );
	pnFreeMeshFile( &mesh );
	return 0;
}
