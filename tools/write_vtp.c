// write_vtp.c - answers as VTP for ParaView, as PLY, and as rows of CSV. Knows no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "write_solution.h"

#include "ply.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* pnCloseFile( FILE* file )
{
	bool failed = ferror( file ) != 0;
	int problem = errno;
	if ( fclose( file ) != 0 && failed == false )
	{
		failed = true;
		problem = errno;
	}
	return failed ? strerror( problem ) : NULL;
}

static void pnWriteVectors( FILE* file, const char* name, const pnVec3d* vectors, int count )
{
	fprintf( file, "<DataArray type=\"Float64\" Name=\"%s\" NumberOfComponents=\"3\" format=\"ascii\">\n", name );
	for ( int i = 0; i < count; ++i )
	{
		fprintf( file, "%.9g %.9g %.9g\n", vectors[i].x, vectors[i].y, vectors[i].z );
	}
	fprintf( file, "</DataArray>\n" );
}

static void pnWriteInts( FILE* file, const char* name, const int32_t* values, int count ) // NULL: 3, 6, 9 ...
{
	fprintf( file, "<DataArray type=\"Int32\" Name=\"%s\" format=\"ascii\">\n", name );
	for ( int i = 0; i < count; ++i )
	{
		fprintf( file, "%d%c", values != NULL ? (int)values[i] : 3 * ( i + 1 ), i % 12 == 11 ? '\n' : ' ' );
	}
	fprintf( file, "\n</DataArray>\n" );
}

const char* pnWriteVtp( const pnSolution* solution, const char* path )
{
	FILE* file = fopen( path, "w" );
	if ( file == NULL )
	{
		return strerror( errno );
	}
	int count = solution->vertexCount;
	fprintf( file, "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" byte_order=\"LittleEndian\">\n<PolyData>\n"
				   "<Piece NumberOfPoints=\"%d\" NumberOfVerts=\"0\" NumberOfLines=\"0\" NumberOfStrips=\"0\" NumberOfPolys=\"%d\">\n",
			 count, solution->triangleCount );
	fprintf( file, "<PointData Scalars=\"von_mises\" Vectors=\"displacement\" Tensors=\"stress\" Normals=\"normal\">\n" );
	pnWriteVectors( file, "displacement", solution->displacements, count );
	pnWriteVectors( file, "normal", solution->normals, count );
	pnWriteVectors( file, "traction", solution->tractions, count );
	fprintf( file, "<DataArray type=\"Float64\" Name=\"von_mises\" format=\"ascii\">\n" );
	for ( int i = 0; i < count; ++i )
	{
		fprintf( file, "%.9g\n", solution->values[pn_stressField][i] );
	}
	fprintf( file, "</DataArray>\n<DataArray type=\"Float64\" Name=\"stress\" NumberOfComponents=\"9\" format=\"ascii\">\n" );
	for ( int i = 0; i < count; ++i )
	{
		const pnStress* s = solution->stresses + i;
		fprintf( file, "%.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g %.9g\n", s->xx, s->xy, s->zx, s->xy, s->yy, s->yz, s->zx, s->yz, s->zz );
	}
	fprintf( file, "</DataArray>\n</PointData>\n<Points>\n" );
	pnWriteVectors( file, "Points", solution->rest, count );
	fprintf( file, "</Points>\n<Polys>\n" );
	pnWriteInts( file, "connectivity", solution->triangles, 3 * solution->triangleCount );
	pnWriteInts( file, "offsets", NULL, solution->triangleCount );
	fprintf( file, "</Polys>\n</Piece>\n</PolyData>\n</VTKFile>\n" );
	return pnCloseFile( file );
}

const char* pnWriteSolutionPly( const pnSolution* solution, pnFieldKind field, double exaggerate, const char* path )
{
	pnSurface surface;
	if ( pnMakeSolutionSurface( solution, field, exaggerate, 0, 0, &surface ) == false )
	{
		return "there is no memory for it";
	}
	const char* problem = pnWritePly( &surface, path );
	pnDestroySurface( &surface );
	return problem;
}

const char* pnWriteCsv( const pnKelvin* kelvin, const char* path )
{
	int count;
	const pnKelvinPoint* places = pnKelvin_GetPoints( kelvin, &count );
	pnVec3d* points = malloc( (size_t)( count + 1 ) * sizeof( pnVec3d ) );
	pnStress* stresses = calloc( (size_t)( count + 1 ), sizeof( pnStress ) );
	FILE* file = points != NULL && stresses != NULL ? fopen( path, "w" ) : NULL;
	if ( file == NULL )
	{
		const char* problem = points != NULL && stresses != NULL ? strerror( errno ) : "there is no memory for it";
		free( points );
		free( stresses );
		return problem;
	}
	for ( int i = 0; i < count; ++i )
	{
		points[i] = places[i].point;
	}
	pnKelvin_Evaluate( kelvin, points, count, NULL, stresses );
	fprintf( file, "x,y,z,nx,ny,nz,area,held,ux,uy,uz,tx,ty,tz,sxx,syy,szz,sxy,syz,szx,von_mises\n" );
	for ( int i = 0; i < count; ++i )
	{
		const pnKelvinPoint* p = places + i;
		const pnStress* s = stresses + i;
		fprintf( file, "%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%u,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g\n", p->point.x,
				 p->point.y, p->point.z, p->normal.x, p->normal.y, p->normal.z, p->area, p->heldAxes, p->displacement.x, p->displacement.y,
				 p->displacement.z, p->traction.x, p->traction.y, p->traction.z, s->xx, s->yy, s->zz, s->xy, s->yz, s->zx, pnVonMises( s ) );
	}
	free( points );
	free( stresses );
	return pnCloseFile( file );
}
