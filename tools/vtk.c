// vtk.c - triangles with arrays at their points as a VTK file. Knows no worlds and no solutions.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// PolyData or UnstructuredGrid in XML, the arrays appended raw after it: each a u64 with its bytes, then these, in this machine's order, which the head names.
#include "vtk.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t pnGetItemSize( pnVtkType type ) { return type == pn_vtkFloat64 ? 8 : type == pn_vtkUInt8 ? 1 : 4; }

// Declares an array, whose bytes come later at *offset.
static void pnDeclare( FILE* file, const pnVtkArray* array, int count, size_t* offset )
{
	static const char* const types[] = { "Float32", "Float64", "Int32", "UInt8" };
	fprintf( file, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"appended\" offset=\"%zu\"/>\n", types[array->type],
			 array->name, array->components, *offset );
	*offset += sizeof( uint64_t ) + (size_t)count * (size_t)array->components * pnGetItemSize( array->type );
}

static void pnAppend( FILE* file, const pnVtkArray* array, int count )
{
	uint64_t size = (uint64_t)count * (uint64_t)array->components * pnGetItemSize( array->type );
	fwrite( &size, sizeof( size ), 1, file );
	fwrite( array->data, 1, (size_t)size, file );
}

const char* pnWriteVtk( const pnVtkMesh* mesh, const char* path )
{
	int32_t* ends = malloc( (size_t)( mesh->triangleCount + 1 ) * ( sizeof( int32_t ) + 1 ) );
	uint8_t* kinds = ends != NULL ? (uint8_t*)( ends + mesh->triangleCount + 1 ) : NULL;
	FILE* file = ends != NULL ? fopen( path, "wb" ) : NULL;
	if ( file == NULL )
	{
		const char* problem = ends != NULL ? strerror( errno ) : "there is no memory for it";
		free( ends );
		return problem;
	}
	for ( int i = 0; i < mesh->triangleCount; ++i )
	{
		ends[i] = 3 * ( i + 1 );
		kinds[i] = 5; // VTK_TRIANGLE
	}
	const pnVtkArray corners = { "connectivity", pn_vtkInt32, 1, mesh->triangles }, offsets = { "offsets", pn_vtkInt32, 1, ends }, types = { "types", pn_vtkUInt8, 1, kinds };
	const char *set = mesh->isGrid ? "UnstructuredGrid" : "PolyData", *cells = mesh->isGrid ? "Cells" : "Polys";
	const uint16_t probe = 1;
	size_t offset = 0;
	fprintf( file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"%s\" header_type=\"UInt64\">\n<%s>\n", set,
			 *(const uint8_t*)&probe == 1 ? "LittleEndian" : "BigEndian", set );
	if ( mesh->time >= 0.0 )
	{
		fprintf( file, "<FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">%.9g</DataArray></FieldData>\n", mesh->time );
	}
	fprintf( file, "<Piece NumberOfPoints=\"%d\" %s=\"%d\">\n<PointData %s>\n", mesh->pointCount,
			 mesh->isGrid ? "NumberOfCells" : "NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys", mesh->triangleCount, mesh->active );
	for ( int i = 0; i < mesh->arrayCount; ++i )
	{
		pnDeclare( file, mesh->arrays + i, mesh->pointCount, &offset );
	}
	fprintf( file, "</PointData>\n<Points>\n" );
	pnDeclare( file, &mesh->points, mesh->pointCount, &offset );
	fprintf( file, "</Points>\n<%s>\n", cells );
	pnDeclare( file, &corners, 3 * mesh->triangleCount, &offset );
	pnDeclare( file, &offsets, mesh->triangleCount, &offset );
	if ( mesh->isGrid )
	{
		pnDeclare( file, &types, mesh->triangleCount, &offset );
	}
	fprintf( file, "</%s>\n</Piece>\n</%s>\n<AppendedData encoding=\"raw\">\n_", cells, set );
	for ( int i = 0; i < mesh->arrayCount; ++i )
	{
		pnAppend( file, mesh->arrays + i, mesh->pointCount );
	}
	pnAppend( file, &mesh->points, mesh->pointCount );
	pnAppend( file, &corners, 3 * mesh->triangleCount );
	pnAppend( file, &offsets, mesh->triangleCount );
	if ( mesh->isGrid )
	{
		pnAppend( file, &types, mesh->triangleCount );
	}
	fprintf( file, "\n</AppendedData>\n</VTKFile>\n" );
	free( ends );
	bool failed = ferror( file ) != 0;
	int problem = errno;
	if ( fclose( file ) != 0 && failed == false )
	{
		failed = true;
		problem = errno;
	}
	return failed ? strerror( problem ) : NULL;
}
