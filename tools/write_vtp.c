// write_vtp.c - answers as VTP for ParaView, as PLY, and as rows of CSV. Knows no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "write_solution.h"

#include "ply.h"
#include "vtk.h"

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

// A symmetric tensor as VTK has them, row by row.
static double* pnSpreadStresses( const pnSolution* solution )
{
	double* tensors = malloc( ( 9 * (size_t)solution->vertexCount + 1 ) * sizeof( double ) );
	for ( int i = 0; i < solution->vertexCount && tensors != NULL; ++i )
	{
		const pnStress* s = solution->stresses + i;
		const double rows[9] = { s->xx, s->xy, s->zx, s->xy, s->yy, s->yz, s->zx, s->yz, s->zz };
		memcpy( tensors + 9 * (size_t)i, rows, sizeof( rows ) );
	}
	return tensors;
}

const char* pnWriteVtp( const pnSolution* solution, const char* path )
{
	double* tensors = pnSpreadStresses( solution );
	if ( tensors == NULL )
	{
		return "there is no memory for it";
	}
	const pnVtkArray arrays[] = {
		{ "displacement", pn_vtkFloat64, 3, solution->displacements },
		{ "normal", pn_vtkFloat64, 3, solution->normals },
		{ "traction", pn_vtkFloat64, 3, solution->tractions },
		{ "von_mises", pn_vtkFloat64, 1, solution->values[pn_stressField] },
		{ "stress", pn_vtkFloat64, 9, tensors },
	};
	const pnVtkMesh mesh = {
		.pointCount = solution->vertexCount,
		.triangleCount = solution->triangleCount,
		.points = { "Points", pn_vtkFloat64, 3, solution->rest },
		.triangles = solution->triangles,
		.arrays = arrays,
		.arrayCount = (int)( sizeof( arrays ) / sizeof( arrays[0] ) ),
		.active = "Scalars=\"von_mises\" Vectors=\"displacement\" Tensors=\"stress\" Normals=\"normal\"",
		.time = -1.0,
	};
	const char* problem = pnWriteVtk( &mesh, path );
	free( tensors );
	return problem;
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
		const double before[] = { p->point.x, p->point.y, p->point.z, p->normal.x, p->normal.y, p->normal.z, p->area };
		const double after[] = { p->displacement.x, p->displacement.y, p->displacement.z, p->traction.x, p->traction.y, p->traction.z,
								 s->xx, s->yy, s->zz, s->xy, s->yz, s->zx, pnVonMises( s ) };
		// Fifteen digits are what a double surely has: answers of several solvers are compared by this file.
		for ( int k = 0; k < (int)( sizeof( before ) / sizeof( before[0] ) ); ++k )
		{
			fprintf( file, "%.15g,", before[k] );
		}
		fprintf( file, "%u", p->heldAxes );
		for ( int k = 0; k < (int)( sizeof( after ) / sizeof( after[0] ) ); ++k )
		{
			fprintf( file, ",%.15g", after[k] );
		}
		fprintf( file, "\n" );
	}
	free( points );
	free( stresses );
	return pnCloseFile( file );
}
