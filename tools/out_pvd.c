// out_pvd.c - a run for ParaView: NAME.pvd, which lists a .vtu file for each frame in the folder NAME. Knows no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#define _POSIX_C_SOURCE 200809L // mkdir
#include "out.h"

#include "vtk.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
	PN_PVD_ARRAYS = 8
};

typedef struct pnPvdOut
{
	FILE* list;
	long end; // where the next entry goes: before the closing tags
	char folder[PN_OUT_PATH - 32];
	const char* name; // of the folder, in its path
	uint32_t fields;
	void* arrays[PN_PVD_ARRAYS];
} pnPvdOut;

static const char pnClosingTags[] = "</Collection>\n</VTKFile>\n";

static void* pnOpenPvd( const pnOutDef* def, char why[PN_OUT_WHY] )
{
	pnPvdOut* out = calloc( 1, sizeof( pnPvdOut ) );
	const char* problem = out == NULL ? "there is no memory for it" : NULL;
	size_t length = strlen( def->path ) - strlen( pn_pvdOut.ending );
	if ( problem == NULL && length + 1 > sizeof( out->folder ) )
	{
		problem = "its name is too long";
	}
	if ( problem == NULL )
	{
		memcpy( out->folder, def->path, length );
		const char* slash = strrchr( out->folder, '/' );
		out->name = slash != NULL ? slash + 1 : out->folder;
		out->fields = def->fields;
		problem = mkdir( out->folder, 0777 ) != 0 && errno != EEXIST ? strerror( errno ) : NULL;
	}
	if ( problem == NULL )
	{
		out->list = fopen( def->path, "wb" );
		problem = out->list == NULL ? strerror( errno ) : NULL;
	}
	if ( problem != NULL )
	{
		snprintf( why, PN_OUT_WHY, "%s", problem );
		free( out );
		return NULL;
	}
	fprintf( out->list, "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n" );
	out->end = ftell( out->list );
	fputs( pnClosingTags, out->list );
	fflush( out->list );
	return out;
}

// An array for all vertices that are written: the bodies' own, and what shapes have in its place.
static void* pnExtend( pnPvdOut* out, int slot, const void* values, size_t size, int count, int total, const void* shapeValue )
{
	free( out->arrays[slot] );
	char* array = malloc( (size_t)( total + 1 ) * size );
	out->arrays[slot] = array;
	if ( array != NULL )
	{
		memcpy( array, values, (size_t)count * size );
		for ( int i = count; i < total; ++i )
		{
			memcpy( array + (size_t)i * size, shapeValue, size );
		}
	}
	return array;
}

static bool pnWritePvdFrame( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] )
{
	pnPvdOut* out = file;
	const pnSurface* surface = &frame->surface;
	int count = surface->bodyVertexCount, total = surface->wallVertex; // without walls: they would hide what is behind
	const pnVec3 still = { 0 };
	const float zero = 0.0f, one = 1.0f;
	const int32_t none = -1;
	pnVtkArray arrays[PN_PVD_ARRAYS + 1];
	int n = 0;
	int32_t* numbers = malloc( (size_t)( count + 1 ) * sizeof( int32_t ) );
	for ( int i = 0; i < frame->bodyCount && numbers != NULL; ++i )
	{
		for ( int v = 0; v < frame->bodies[i].vertexCount; ++v )
		{
			numbers[frame->bodies[i].firstVertex + v] = frame->bodies[i].number;
		}
	}
	const struct
	{
		uint32_t field;
		pnVtkArray array;
		size_t size;
		const void* shapeValue;
	} wanted[] = {
		{ pn_outVelocity, { "velocity", pn_vtkFloat32, 3, frame->velocities }, sizeof( pnVec3 ), &still },
		{ pn_outStretch, { "stretch", pn_vtkFloat32, 1, frame->stretches }, sizeof( float ), &one },
		{ pn_outPlastic, { "plastic", pn_vtkFloat32, 1, frame->plastics }, sizeof( float ), &zero },
		{ pn_outContact, { "contact", pn_vtkFloat32, 1, frame->contacts }, sizeof( float ), &zero },
		{ pn_outCluster, { "cluster", pn_vtkInt32, 1, frame->clusters }, sizeof( int32_t ), &none },
		{ pn_outBody, { "body", pn_vtkInt32, 1, numbers }, sizeof( int32_t ), &none },
	};
	bool good = numbers != NULL;
	if ( out->fields & pn_outNormal )
	{
		arrays[n++] = (pnVtkArray){ "normal", pn_vtkFloat32, 3, surface->normals };
	}
	for ( int i = 0; i < (int)( sizeof( wanted ) / sizeof( wanted[0] ) ) && good; ++i )
	{
		if ( ( out->fields & wanted[i].field ) != 0 && wanted[i].array.data != NULL )
		{
			arrays[n] = wanted[i].array;
			arrays[n].data = pnExtend( out, i, wanted[i].array.data, wanted[i].size, count, total, wanted[i].shapeValue );
			good = arrays[n++].data != NULL;
		}
	}
	char path[PN_OUT_PATH], part[PN_OUT_PATH];
	snprintf( path, sizeof( path ), "%s/%04d.vtu", out->folder, frame->frame );
	pnGetPartPath( path, part );
	const pnVtkMesh mesh = {
		.pointCount = total,
		.triangleCount = surface->wallTriangle,
		.points = { "Points", pn_vtkFloat32, 3, surface->positions },
		.triangles = surface->triangles,
		.arrays = arrays,
		.arrayCount = n,
		.active = ( out->fields & pn_outStretch ) != 0 ? "Scalars=\"stretch\"" : "",
		.time = frame->time,
		.isGrid = true,
	};
	const char* problem = good ? pnWriteVtk( &mesh, part ) : "there is no memory for it";
	problem = problem != NULL ? problem : pnPlacePart( path );
	free( numbers );
	if ( problem == NULL )
	{
		// Entry and closing tags in one write, over the old closing tags: the list is whole at any moment.
		char entry[PN_OUT_PATH];
		snprintf( entry, sizeof( entry ), "<DataSet timestep=\"%.9g\" part=\"0\" file=\"%s/%04d.vtu\"/>\n", frame->time, out->name, frame->frame );
		fseek( out->list, out->end, SEEK_SET );
		fprintf( out->list, "%s%s", entry, pnClosingTags );
		problem = fflush( out->list ) != 0 ? strerror( errno ) : NULL;
		out->end += (long)strlen( entry );
	}
	if ( problem != NULL )
	{
		snprintf( why, PN_OUT_WHY, "frame %d: %s", frame->frame, problem );
	}
	return problem == NULL;
}

static bool pnClosePvd( void* file, char why[PN_OUT_WHY] )
{
	pnPvdOut* out = file;
	bool good = fclose( out->list ) == 0;
	if ( good == false )
	{
		snprintf( why, PN_OUT_WHY, "%s", strerror( errno ) );
	}
	for ( int i = 0; i < PN_PVD_ARRAYS; ++i )
	{
		free( out->arrays[i] );
	}
	free( out );
	return good;
}

const pnOutKind pn_pvdOut = {
	.ending = ".pvd",
	.text = "for ParaView, with all fields",
	.fields = pn_outAll & ~(uint32_t)pn_outColor,
	.usualFields = pn_outAll & ~(uint32_t)pn_outColor,
	.isStreamed = true,
	.open = pnOpenPvd,
	.frame = pnWritePvdFrame,
	.close = pnClosePvd,
};
