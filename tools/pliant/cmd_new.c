// cmd_new.c - `pliant new`: writes a starter scene with remarks, for a mesh of any size and place. Knows no worlds.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../mesh_file.h"
#include "../options.h"
#include "../scene_find.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static const char pnNewName[] = "pliant new";

static const char pnStarterHead[] =
	"{\n%s"
	"\t\"//\": \"A scene for pliant: metres, kilograms, seconds, degrees; y is up. Keys that begin with // are remarks. docs/files.md has all there is.\",\n"
	"\t\"title\": \"%s\",\n"
	"\t\"world\": { \"gravity\": [0, -9.81, 0], \"rate\": 60, \"substeps\": 4, \"seconds\": 5 },\n"
	"\t\"view\": { \"//\": \"what --png shows: from where, and which frames\", \"target\": [0.3, 1.2, 0], \"azimuth\": 25, \"elevation\": 15, \"distance\": 10, \"pictures\": [0, 30, 60, 130, 220, 300] },\n"
	"\n"
	"\t\"// materials\": \"jelly, rubber, flesh, foam, clay, wood, steel and rigid are there already; one of your own comes from one of them\",\n"
	"\t\"materials\": { \"soft\": { \"from\": \"rubber\", \"hertz\": 8, \"damping\": 0.2, \"friction\": 0.6 } },\n"
	"\n"
	"\t\"// solids\": \"box, ball, capsule, torus, stick, sheet, lattice, duck, fish, head; or a mesh file\",\n"
	"\t\"solids\": {\n";
static const char pnStarterBox[] = "\t\t\"block\": { \"shape\": \"box\", \"size\": [0.8, 0.8, 0.8], \"points\": [6, 6, 6], \"cells\": [2, 2, 2] }\n";
static const char pnStarterTail[] =
	"\t},\n"
	"\n"
	"\t\"// shapes\": \"what does not bend: floor, plane, ball, capsule, box, hull, mesh, heights, tray; moved by keys\",\n"
	"\t\"shapes\": [\n"
	"\t\t{ \"shape\": \"floor\", \"friction\": 0.6 },\n"
	"\t\t{ \"shape\": \"ball\", \"radius\": 0.25, \"at\": [-2.5, 0.9, 0], \"color\": \"#8f98a3\", \"keys\": [ { \"time\": 1.5, \"at\": [-2.5, 0.9, 0] }, { \"time\": 3, \"at\": [1.1, 0.9, 0] } ] }\n"
	"\t],\n"
	"\n"
	"\t\"// bodies\": \"one, or copies: grid, stack, scatter\",\n"
	"\t\"bodies\": [\n"
	"\t\t{ \"name\": \"first\", \"solid\": \"block\", \"material\": \"soft\", \"at\": [0, 1.2, 0], \"color\": \"#e0533d\" },\n"
	"\t\t{ \"solid\": \"block\", \"material\": \"jelly\", \"at\": [0, 2.4, 0], \"color\": \"#e9a13b\", \"stack\": { \"count\": 2, \"rise\": 1.1 }, \"jitter\": { \"shift\": [0.05, 0, 0.05], \"turn\": 30 } }\n"
	"\t],\n"
	"\n"
	"\t\"// timeline\": \"what hands do, in the words of docs/hands.md; $first is the body of that name\",\n"
	"\t\"timeline\": [\n"
	"\t\t{ \"at\": 3.5, \"do\": \"throw $first 0 4 0\" }\n"
	"\t]\n"
	"}\n";

static const double pnStarterSize = 0.8; // m, of the block: what the starter's view, ball and stack are made for
enum
{
	PN_MANY_STARTER_POINTS = 4000, // beyond, a mesh is carried by points sampled in it: three bodies of so many still run in real time
};

// A number that people like to read: two digits.
static double pnRoundPlainly( double value )
{
	double unit = pow( 10.0, floor( log10( value ) ) - 1.0 );
	return round( value / unit ) * unit;
}

// The mesh as the starter's block: scaled to its size, its middle where the block's is.
static int pnDescribeMesh( const char* path, const char* nameInScene, char* text, size_t size )
{
	pnMeshFile mesh;
	pnMeshFault fault;
	pnMeshCheck check;
	if ( pnLoadMeshFile( path, &mesh, &fault ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnNewName, "cannot read '%s': %s", path, fault.text );
	}
	bool checked = pnCheckMesh( &mesh, &check );
	int pointCount = mesh.pointCount, tetCount = mesh.tetCount;
	pnFreeMeshFile( &mesh );
	double extent = checked ? fmax( check.upper.x - check.lower.x, fmax( check.upper.y - check.lower.y, check.upper.z - check.lower.z ) ) : 0.0;
	if ( !( extent > 0.0 ) )
	{
		return pnFail( PN_EXIT_FAILURE, pnNewName, checked ? "'%s' has all its points in one place" : "there is no memory for '%s'", path );
	}
	double scale = pnRoundPlainly( pnStarterSize / extent );
	char sample[80] = "";
	if ( tetCount == 0 && pointCount > PN_MANY_STARTER_POINTS )
	{
		snprintf( sample, sizeof( sample ), "\"sample\": { \"count\": 1000, \"inside\": %s }, ", check.closed ? "true" : "false" );
	}
	snprintf( text, size,
			  "\t\t\"// block\": \"scale makes it about %.1f m large, move puts its middle to 0 0 0; then fill: m between points within, or sample: points that carry it\",\n"
			  "\t\t\"block\": { \"mesh\": \"%s\", \"scale\": %.6g, \"move\": [%.6g, %.6g, %.6g], %s\"clusters\": \"%s\" }\n",
			  pnStarterSize, nameInScene, scale, 0.0 - 0.5 * scale * ( check.lower.x + check.upper.x ), 0.0 - 0.5 * scale * ( check.lower.y + check.upper.y ),
			  0.0 - 0.5 * scale * ( check.lower.z + check.upper.z ), sample, tetCount > 0 ? "tets" : "auto" );
	return 0;
}

// What follows may stand in a JSON text as it is.
static bool pnIsPlainText( const char* text ) { return strpbrk( text, "\"\\\n\r\t" ) == NULL && strlen( text ) < 200; }

int pnCmdNew( int argc, char** argv )
{
	const char* mesh = NULL;
	const char* name = NULL;
	int nameCount;
	bool help;
	const pnOption options[] = { { "--mesh", pn_textOption, &mesh, 0, 0, "FILE", "a scene of your own mesh: OBJ, PLY, STL, glTF, GLB, Gmsh, TetGen" } };
	int code = pnReadOptions( pnNewName, options, 1, argc, argv, &name, &nameCount, 1, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		printf( "usage: pliant new NAME [--mesh FILE]\nWrites NAME.scene.json, a scene to begin with, full of remarks.\n\n"
				"  pliant new fall && pliant run fall.scene.json --png fall.png\n"
				"  pliant new vase --mesh vase.obj\n\n" );
		pnPrintOptions( stdout, options, 1 );
		printf( "\nExit codes: 0 written, 1 it is there already or cannot be written, or the mesh not read, 2 called wrongly.\n" );
		return 0;
	}
	if ( nameCount == 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnNewName, "what is it called? `pliant new fall` writes fall.scene.json" );
	}
	if ( pnIsPlainText( name ) == false || name[0] == 0 || ( mesh != NULL && pnIsPlainText( mesh ) == false ) )
	{
		return pnFail( PN_EXIT_USAGE, pnNewName, "a name has up to 199 letters, and no quotes" );
	}
	char path[256];
	size_t length = strlen( name );
	bool hasEnding = length > 5 && strcmp( name + length - 5, ".json" ) == 0;
	snprintf( path, sizeof( path ), "%s%s", name, hasEnding ? "" : ".scene.json" );
	const char* slash = strrchr( name, '/' );
	size_t folder = slash != NULL ? (size_t)( slash - name ) + 1 : 0;
	char block[1024];
	snprintf( block, sizeof( block ), "%s", pnStarterBox );
	if ( mesh != NULL )
	{
		// The command line names it from here, the scene from its own folder.
		code = pnDescribeMesh( mesh, strncmp( mesh, name, folder ) == 0 ? mesh + folder : mesh, block, sizeof( block ) );
		if ( code != 0 )
		{
			return code;
		}
	}
	char schema[PN_SCENE_PATH_SIZE], schemaLine[PN_SCENE_PATH_SIZE + 32] = "";
	if ( pnFindSceneSchema( schema ) && pnIsPlainText( schema ) )
	{
		snprintf( schemaLine, sizeof( schemaLine ), "\t\"$schema\": \"%s\",\n", schema );
	}
	FILE* file = fopen( path, "wx" ); // never over a file that is there
	if ( file == NULL )
	{
		return errno == EEXIST ? pnFail( PN_EXIT_FAILURE, pnNewName, "'%s' is there already", path )
							   : pnFail( PN_EXIT_FAILURE, pnNewName, "cannot write '%s': %s", path, strerror( errno ) );
	}
	fprintf( file, pnStarterHead, schemaLine, name + folder );
	fprintf( file, "%s%s", block, pnStarterTail );
	bool failed = ferror( file ) != 0;
	failed = fclose( file ) != 0 || failed;
	if ( failed )
	{
		return pnFail( PN_EXIT_FAILURE, pnNewName, "cannot write '%s': %s", path, strerror( errno ) );
	}
	printf( "%s\n", path );
	return 0;
}
