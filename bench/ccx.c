// ccx.c - writes a part for gmsh, turns its mesh into a deck for CalculiX, reads what comes back. Knows their files, no solver of ours.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#define _XOPEN_SOURCE 700 // mkdtemp

#include "ccx.h"

#include "stopwatch.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 512
#define LINE_SIZE 1024
#define NEAR_END 1e-6 // m

const char* pnFindCcx( void )
{
	return system( "command -v gmsh > /dev/null 2>&1" ) != 0	? "not measured: gmsh is not on the PATH"
		   : system( "command -v ccx > /dev/null 2>&1" ) != 0 ? "not measured: ccx is not on the PATH"
																: NULL;
}

// ---- a directory that goes away ----

static bool MakeDirectory( char* path )
{
	const char* parent = getenv( "TMPDIR" );
	// It becomes part of a command in quotes.
	parent = parent != NULL && parent[0] == '/' && strpbrk( parent, "'\\\n" ) == NULL ? parent : "/tmp";
	return snprintf( path, PATH_SIZE, "%s/pliant-ccx-XXXXXX", parent ) < PATH_SIZE && mkdtemp( path ) != NULL;
}

static void RemoveDirectory( const char* path )
{
	DIR* directory = opendir( path );
	for ( struct dirent* entry = directory != NULL ? readdir( directory ) : NULL; entry != NULL; entry = readdir( directory ) )
	{
		char file[2 * PATH_SIZE];
		if ( strcmp( entry->d_name, "." ) != 0 && strcmp( entry->d_name, ".." ) != 0 &&
			 snprintf( file, sizeof( file ), "%s/%s", path, entry->d_name ) < (int)sizeof( file ) )
		{
			(void)unlink( file );
		}
	}
	if ( directory != NULL )
	{
		closedir( directory );
	}
	(void)rmdir( path );
}

static FILE* OpenIn( const char* directory, const char* name, const char* mode )
{
	char path[2 * PATH_SIZE];
	snprintf( path, sizeof( path ), "%s/%s", directory, name );
	return fopen( path, mode );
}

static bool Run( const char* directory, const char* command, double* seconds )
{
	char line[2 * PATH_SIZE];
	snprintf( line, sizeof( line ), "cd '%s' && OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 %s > log.txt 2>&1", directory, command );
	double start = pnGetSeconds();
	int code = system( line );
	*seconds = pnGetSeconds() - start;
	return code == 0;
}

// ---- the mesh ----

typedef struct Mesh
{
	double ( *nodes )[3]; // by their number; one that is missing has no number in it
	double* weights; // of each node in the mean over the end: middles of edges have a third of their triangles, corners nothing
	bool* held;
	int nodeCapacity, nodeCount;
	int ( *tetrahedra )[11]; // number, ten nodes
	int tetrahedronCapacity, tetrahedronCount;
	double area; // of the end
} Mesh;

static void FreeMesh( Mesh* mesh )
{
	free( mesh->nodes );
	free( mesh->weights );
	free( mesh->held );
	free( mesh->tetrahedra );
}

static bool AddNode( Mesh* mesh, int number, const double place[3] )
{
	if ( number < 1 || number > 10000000 )
	{
		return false;
	}
	if ( number >= mesh->nodeCapacity )
	{
		int capacity = 2 * number + 1024;
		void* nodes = realloc( mesh->nodes, (size_t)capacity * sizeof( mesh->nodes[0] ) );
		mesh->nodes = nodes != NULL ? nodes : mesh->nodes;
		double* weights = realloc( mesh->weights, (size_t)capacity * sizeof( double ) );
		mesh->weights = weights != NULL ? weights : mesh->weights;
		bool* held = realloc( mesh->held, (size_t)capacity * sizeof( bool ) );
		mesh->held = held != NULL ? held : mesh->held;
		if ( nodes == NULL || weights == NULL || held == NULL )
		{
			return false;
		}
		for ( int i = mesh->nodeCapacity; i < capacity; ++i )
		{
			mesh->nodes[i][0] = NAN;
			mesh->weights[i] = 0.0;
			mesh->held[i] = false;
		}
		mesh->nodeCapacity = capacity;
	}
	memcpy( mesh->nodes[number], place, sizeof( mesh->nodes[0] ) );
	mesh->nodeCount += 1;
	return true;
}

static bool IsNode( const Mesh* mesh, int number )
{
	return number > 0 && number < mesh->nodeCapacity && mesh->nodes[number][0] == mesh->nodes[number][0];
}

static bool IsBeyond( const double place[3], int axis, double at, double side )
{
	return side * ( place[axis] - at ) > -NEAR_END;
}

// Of the surface: its nodes are held or not, and it belongs to the end with all of its corners or not at all.
static bool AddTriangle( Mesh* mesh, const int t[7], const pnCcxPart* part )
{
	bool isEnd = true, isHeld = true;
	for ( int i = 1; i < 7; ++i )
	{
		if ( IsNode( mesh, t[i] ) == false )
		{
			return false;
		}
		isEnd = isEnd && IsBeyond( mesh->nodes[t[i]], part->endAxis, part->endAt, part->endSide );
		isHeld = isHeld && IsBeyond( mesh->nodes[t[i]], part->heldAxis, part->heldAt, part->heldSide );
	}
	for ( int i = 1; i < 7 && isHeld; ++i )
	{
		mesh->held[t[i]] = true;
	}
	if ( isEnd )
	{
		const double *a = mesh->nodes[t[1]], *b = mesh->nodes[t[2]], *c = mesh->nodes[t[3]];
		double p[3], q[3], n[3];
		for ( int i = 0; i < 3; ++i )
		{
			p[i] = b[i] - a[i];
			q[i] = c[i] - a[i];
		}
		for ( int i = 0; i < 3; ++i )
		{
			n[i] = p[( i + 1 ) % 3] * q[( i + 2 ) % 3] - p[( i + 2 ) % 3] * q[( i + 1 ) % 3];
		}
		double area = 0.5 * sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
		mesh->area += area;
		for ( int i = 4; i < 7; ++i )
		{
			mesh->weights[t[i]] += area / 3.0;
		}
	}
	return true;
}

static bool AddTetrahedron( Mesh* mesh, const int t[11] )
{
	if ( mesh->tetrahedronCount == mesh->tetrahedronCapacity )
	{
		int capacity = 2 * mesh->tetrahedronCapacity + 1024;
		void* tetrahedra = realloc( mesh->tetrahedra, (size_t)capacity * sizeof( mesh->tetrahedra[0] ) );
		if ( tetrahedra == NULL )
		{
			return false;
		}
		mesh->tetrahedra = tetrahedra;
		mesh->tetrahedronCapacity = capacity;
	}
	memcpy( mesh->tetrahedra[mesh->tetrahedronCount++], t, sizeof( mesh->tetrahedra[0] ) );
	return true;
}

// What gmsh writes in Abaqus' format: *NODE, then blocks of CPS6 and C3D10. Numbers of an element may go on in the next line.
static bool ReadMesh( const char* directory, const pnCcxPart* part, Mesh* mesh )
{
	FILE* file = OpenIn( directory, "mesh.inp", "r" );
	char line[LINE_SIZE];
	int numbers[11], count = 0, wanted = 0; // 0: skipped, 1: a node, else so many numbers of an element
	bool good = file != NULL;
	while ( good && fgets( line, sizeof( line ), file ) != NULL )
	{
		if ( line[0] == '*' )
		{
			wanted = strncmp( line, "*NODE", 5 ) == 0 ? 1 : strstr( line, "type=CPS6" ) != NULL ? 7 : strstr( line, "type=C3D10" ) != NULL ? 11 : 0;
			good = count == 0;
			continue;
		}
		if ( wanted == 1 )
		{
			int number;
			double place[3];
			good = sscanf( line, "%d , %lf , %lf , %lf", &number, place, place + 1, place + 2 ) == 4 && AddNode( mesh, number, place );
			continue;
		}
		char* rest = line;
		for ( char* end; wanted > 1 && good; rest = end + ( *end == ',' ) )
		{
			long number = strtol( rest, &end, 10 );
			if ( end == rest )
			{
				break;
			}
			numbers[count++] = (int)number;
			if ( count == wanted )
			{
				good = wanted == 7 ? AddTriangle( mesh, numbers, part ) : AddTetrahedron( mesh, numbers );
				count = 0;
			}
		}
	}
	if ( file != NULL )
	{
		fclose( file );
	}
	return good && mesh->tetrahedronCount > 0 && mesh->area > 0.0;
}

// ---- the deck and the answer ----

static bool WriteShape( const char* directory, const pnCcxPart* part, double size )
{
	FILE* file = OpenIn( directory, "part.geo", "w" );
	if ( file == NULL )
	{
		return false;
	}
	if ( part->shape != NULL )
	{
		fprintf( file, "SetFactory(\"OpenCASCADE\");\n%s\nMeshSize { : } = %.17g;\n", part->shape, size );
		fprintf( file, "Physical Volume(\"Part\") = { Volume{:} };\nPhysical Surface(\"Skin\") = { Boundary { Volume{:}; } };\n" );
		return fclose( file ) == 0;
	}
	fprintf( file, "Merge \"part.stl\";\nSurface Loop(1) = { 1 };\nVolume(1) = { 1 };\nMesh.MeshSizeMax = %.17g;\n", size );
	fprintf( file, "Physical Volume(\"Part\") = { 1 };\nPhysical Surface(\"Skin\") = { 1 };\n" );
	bool good = fclose( file ) == 0;
	file = OpenIn( directory, "part.stl", "w" );
	if ( file == NULL )
	{
		return false;
	}
	fprintf( file, "solid part\n" );
	for ( int i = 0; i < part->triangleCount; ++i )
	{
		fprintf( file, "facet normal 0 0 0\nouter loop\n" );
		for ( int k = 0; k < 3; ++k )
		{
			const double* corner = part->corners[part->triangles[i][k]];
			fprintf( file, "vertex %.17g %.17g %.17g\n", corner[0], corner[1], corner[2] );
		}
		fprintf( file, "endloop\nendfacet\n" );
	}
	fprintf( file, "endsolid part\n" );
	return fclose( file ) == 0 && good;
}

static bool WriteDeck( const char* directory, const pnCcxPart* part, const Mesh* mesh )
{
	FILE* file = OpenIn( directory, "job.inp", "w" );
	if ( file == NULL )
	{
		return false;
	}
	fprintf( file, "*NODE\n" );
	for ( int i = 1; i < mesh->nodeCapacity; ++i )
	{
		if ( IsNode( mesh, i ) )
		{
			fprintf( file, "%d, %.12g, %.12g, %.12g\n", i, mesh->nodes[i][0], mesh->nodes[i][1], mesh->nodes[i][2] );
		}
	}
	fprintf( file, "*ELEMENT, TYPE=C3D10, ELSET=Part\n" );
	for ( int i = 0; i < mesh->tetrahedronCount; ++i )
	{
		for ( int k = 0; k < 11; ++k )
		{
			fprintf( file, k < 10 ? "%d, " : "%d\n", mesh->tetrahedra[i][k] );
		}
	}
	for ( int end = 0; end < 2; ++end )
	{
		fprintf( file, "*NSET, NSET=%s\n", end == 0 ? "Base" : "Tip" );
		for ( int i = 1; i < mesh->nodeCapacity; ++i )
		{
			if ( IsNode( mesh, i ) && ( end == 0 ? mesh->held[i] : mesh->weights[i] > 0.0 ) )
			{
				fprintf( file, "%d,\n", i );
			}
		}
	}
	fprintf( file, "*MATERIAL, NAME=Stuff\n*ELASTIC\n%.17g, %.17g\n*DENSITY\n1\n*SOLID SECTION, ELSET=Part, MATERIAL=Stuff\n", part->youngsModulus, part->poissonRatio );
	fprintf( file, "*STEP\n*STATIC\n*BOUNDARY\nBase, 1, 3\n" );
	const double *t = part->traction, *f = part->bodyForce;
	double force = sqrt( f[0] * f[0] + f[1] * f[1] + f[2] * f[2] );
	if ( force > 0.0 )
	{
		fprintf( file, "*DLOAD\nPart, GRAV, %.12g, %.12g, %.12g, %.12g\n", force, f[0] / force, f[1] / force, f[2] / force );
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		for ( int i = 1; i < mesh->nodeCapacity && t[axis] != 0.0; ++i )
		{
			if ( mesh->weights[i] > 0.0 )
			{
				fprintf( file, "*CLOAD\n%d, %d, %.12g\n", i, axis + 1, t[axis] * mesh->weights[i] );
			}
		}
	}
	fprintf( file, "*NODE PRINT, NSET=Tip\nU\n*END STEP\n" );
	return fclose( file ) == 0;
}

static bool ReadTip( const char* directory, const Mesh* mesh, double tip[3] )
{
	FILE* file = OpenIn( directory, "job.dat", "r" );
	char line[LINE_SIZE];
	double sum[3] = { 0.0 }, weight = 0.0;
	while ( file != NULL && fgets( line, sizeof( line ), file ) != NULL )
	{
		int number;
		double u[3];
		if ( sscanf( line, "%d %lf %lf %lf", &number, u, u + 1, u + 2 ) == 4 && IsNode( mesh, number ) )
		{
			for ( int axis = 0; axis < 3; ++axis )
			{
				sum[axis] += mesh->weights[number] * u[axis];
			}
			weight += mesh->weights[number];
		}
	}
	if ( file != NULL )
	{
		fclose( file );
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		tip[axis] = weight > 0.0 ? sum[axis] / weight : 0.0;
	}
	return fabs( weight - mesh->area ) < 1e-6 * mesh->area;
}

bool pnRunCcx( const pnCcxPart* part, double size, pnCcxRun* run )
{
	char directory[PATH_SIZE];
	Mesh mesh = { 0 };
	*run = (pnCcxRun){ 0 };
	if ( MakeDirectory( directory ) == false )
	{
		fprintf( stderr, "bench: no temporary directory could be made\n" );
		return false;
	}
	const char* failed = WriteShape( directory, part, size ) == false												? "writing the shape"
						 : Run( directory, "gmsh -3 -order 2 -format inp -v 2 -nt 1 -o mesh.inp part.geo", &run->meshSeconds ) == false ? "gmsh"
						 : ReadMesh( directory, part, &mesh ) == false										? "reading the mesh"
						 : WriteDeck( directory, part, &mesh ) == false												? "writing the deck"
						 : Run( directory, "ccx -i job", &run->solveSeconds ) == false								? "ccx"
						 : ReadTip( directory, &mesh, run->tip ) == false											? "reading the answer"
																													: NULL;
	run->nodeCount = mesh.nodeCount;
	run->tetrahedronCount = mesh.tetrahedronCount;
	if ( failed != NULL )
	{
		fprintf( stderr, "bench: %s by finite elements of %g m: %s failed\n", part->name, size, failed );
	}
	FreeMesh( &mesh );
	RemoveDirectory( directory );
	return failed == NULL;
}
