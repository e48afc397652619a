// ccx.c - writes a bar for gmsh, turns its mesh into a deck for CalculiX, reads what comes back. Knows their files, no solver of ours.
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
	int nodeCapacity, nodeCount;
	int ( *tetrahedra )[11]; // number, ten nodes
	int tetrahedronCapacity, tetrahedronCount;
	double area; // of the end
} Mesh;

static void FreeMesh( Mesh* mesh )
{
	free( mesh->nodes );
	free( mesh->weights );
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
		if ( nodes == NULL || weights == NULL )
		{
			return false;
		}
		for ( int i = mesh->nodeCapacity; i < capacity; ++i )
		{
			mesh->nodes[i][0] = NAN;
			mesh->weights[i] = 0.0;
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

static bool AddTriangle( Mesh* mesh, const int t[7], double length )
{
	bool isEnd = true;
	for ( int i = 1; i < 7; ++i )
	{
		if ( IsNode( mesh, t[i] ) == false )
		{
			return false;
		}
		isEnd = isEnd && fabs( mesh->nodes[t[i]][2] - length ) < NEAR_END;
	}
	if ( isEnd )
	{
		const double *a = mesh->nodes[t[1]], *b = mesh->nodes[t[2]], *c = mesh->nodes[t[3]];
		double area = 0.5 * fabs( ( b[0] - a[0] ) * ( c[1] - a[1] ) - ( b[1] - a[1] ) * ( c[0] - a[0] ) );
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
static bool ReadMesh( const char* directory, double length, Mesh* mesh )
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
				good = wanted == 7 ? AddTriangle( mesh, numbers, length ) : AddTetrahedron( mesh, numbers );
				count = 0;
			}
		}
	}
	if ( file != NULL )
	{
		fclose( file );
	}
	return good && mesh->tetrahedronCount > 0 && fabs( mesh->area - 1.0 ) < 1e-6;
}

// ---- the deck and the answer ----

static bool WriteShape( const char* directory, const pnCcxBar* bar, double size )
{
	FILE* file = OpenIn( directory, "bar.geo", "w" );
	if ( file == NULL )
	{
		return false;
	}
	fprintf( file, "SetFactory(\"OpenCASCADE\");\nBox(1) = { 0, 0, 0, 1, 1, %.17g };\nMeshSize { : } = %.17g;\n", bar->length, size );
	fprintf( file, "end() = Surface In BoundingBox { -0.1, -0.1, %.17g, 1.1, 1.1, %.17g };\n", bar->length - 0.1, bar->length + 0.1 );
	fprintf( file, "Physical Volume(\"Bar\") = { 1 };\nPhysical Surface(\"End\") = { end() };\n" );
	return fclose( file ) == 0;
}

static bool WriteDeck( const char* directory, const pnCcxBar* bar, const Mesh* mesh )
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
			fprintf( file, "%d, %.17g, %.17g, %.17g\n", i, mesh->nodes[i][0], mesh->nodes[i][1], mesh->nodes[i][2] );
		}
	}
	fprintf( file, "*ELEMENT, TYPE=C3D10, ELSET=Bar\n" );
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
			if ( IsNode( mesh, i ) && fabs( mesh->nodes[i][2] - end * bar->length ) < NEAR_END )
			{
				fprintf( file, "%d,\n", i );
			}
		}
	}
	fprintf( file, "*MATERIAL, NAME=Stuff\n*ELASTIC\n%.17g, %.17g\n*SOLID SECTION, ELSET=Bar, MATERIAL=Stuff\n", bar->youngsModulus, bar->poissonRatio );
	fprintf( file, "*STEP\n*STATIC\n*BOUNDARY\nBase, 1, 3\n*CLOAD\n" );
	for ( int i = 1; i < mesh->nodeCapacity; ++i )
	{
		if ( mesh->weights[i] > 0.0 )
		{
			fprintf( file, "%d, 1, %.17g\n", i, bar->traction * mesh->weights[i] );
		}
	}
	fprintf( file, "*NODE PRINT, NSET=Tip\nU\n*END STEP\n" );
	return fclose( file ) == 0;
}

static bool ReadTip( const char* directory, const Mesh* mesh, double* tip )
{
	FILE* file = OpenIn( directory, "job.dat", "r" );
	char line[LINE_SIZE];
	double sum = 0.0, weight = 0.0;
	while ( file != NULL && fgets( line, sizeof( line ), file ) != NULL )
	{
		int number;
		double u[3];
		if ( sscanf( line, "%d %lf %lf %lf", &number, u, u + 1, u + 2 ) == 4 && IsNode( mesh, number ) )
		{
			sum += mesh->weights[number] * u[0];
			weight += mesh->weights[number];
		}
	}
	if ( file != NULL )
	{
		fclose( file );
	}
	*tip = weight > 0.0 ? sum / weight : 0.0;
	return fabs( weight - mesh->area ) < 1e-6;
}

bool pnRunCcx( const pnCcxBar* bar, double size, pnCcxRun* run )
{
	char directory[PATH_SIZE];
	Mesh mesh = { 0 };
	*run = (pnCcxRun){ 0 };
	if ( MakeDirectory( directory ) == false )
	{
		fprintf( stderr, "bench: no temporary directory could be made\n" );
		return false;
	}
	const char* failed = WriteShape( directory, bar, size ) == false												? "writing the shape"
						 : Run( directory, "gmsh -3 -order 2 -format inp -v 2 -nt 1 -o mesh.inp bar.geo", &run->meshSeconds ) == false ? "gmsh"
						 : ReadMesh( directory, bar->length, &mesh ) == false										? "reading the mesh"
						 : WriteDeck( directory, bar, &mesh ) == false												? "writing the deck"
						 : Run( directory, "ccx -i job", &run->solveSeconds ) == false								? "ccx"
						 : ReadTip( directory, &mesh, &run->tip ) == false											? "reading the answer"
																													: NULL;
	run->nodeCount = mesh.nodeCount;
	run->tetrahedronCount = mesh.tetrahedronCount;
	if ( failed != NULL )
	{
		fprintf( stderr, "bench: finite elements of %g m: %s failed\n", size, failed );
	}
	FreeMesh( &mesh );
	RemoveDirectory( directory );
	return failed == NULL;
}
