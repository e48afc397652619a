// cmd_solve.c - `pliant solve`: the shape a loaded solid comes to rest in, from a problem file. Knows no formats and no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../options.h"
#include "../progress.h"
#include "../solve_picture.h"
#include "../solve_report.h"
#include "../write_solution.h"

#ifdef PLIANT_MPI
#include "pliant/kelvin_mpi.h"
#endif

#include <cblas.h>
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

// Where the problems that come with the program are: in the sources it was built from, or installed. Given by the build.
#ifndef PLIANT_PROBLEMS_SOURCE
#define PLIANT_PROBLEMS_SOURCE "problems"
#endif
#ifndef PLIANT_PROBLEMS_INSTALLED
#define PLIANT_PROBLEMS_INSTALLED "share/pliant/problems"
#endif

static const char pnSolveName[] = "pliant solve";

enum
{
	PN_SOLVE_PATH = 4096,
	PN_MAX_SHIPPED = 64,
	PN_CONVERGE_ROWS = 4,
	PN_CONVERGE_SOURCES = 400, // of the last row
	PN_PNG_WIDTH = 640, // pixels
	PN_PNG_HEIGHT = 440,
	PN_PNG_LEGEND = 28, // below it
	PN_RESPONSE_TRIES = 200, // how often the motion of handles is timed
};

typedef struct pnSolveOptions
{
	int sources, threads;
	double tolerance;
	const char *out, *report, *png, *method, *bake;
	bool converge, rotations, quiet, list, mpi;
} pnSolveOptions;

typedef struct pnSolving
{
	pnSolveOptions options;
	char path[PN_SOLVE_PATH];
	pnProblem problem;
	const pnProcesses* processes; // of --mpi; NULL: this one alone
	pnKelvin* kelvin;
	pnKelvinInfo info;
	pnSolution solution;
	pnNumbers numbers;
	pnConvergeRow rows[PN_CONVERGE_ROWS];
	int rowCount;
	char command[600];
	pnBar bar;
} pnSolving;

static char pnLastLog[400]; // what the library said last: why it could not do something

static void pnKeepLog( const char* message ) { snprintf( pnLastLog, sizeof( pnLastLog ), "%s", message ); }

// ---- progress ----

static void pnBeginTask( pnSolving* solving, const char* task ) { solving->bar = pnStartBar( task, solving->options.quiet == false ); }

// Ctrl-C ends the solving: there is no half an answer.
static int pnShowSolving( double fraction, const char* stage, void* context )
{
	pnSolving* solving = context;
	pnBar_Show( &solving->bar, fraction, 1.0, stage );
	return pnIsInterrupted() ? 1 : 0;
}

static void pnShowPicture( int done, int total, void* context ) { pnShowSolving( (double)done / total, "pictures", context ); }

static void pnClearSolving( pnSolving* solving ) { pnBar_Clear( &solving->bar ); }

// ---- the problems that come with the program ----

static const char* const pnProblemFolders[2] = { PLIANT_PROBLEMS_SOURCE, PLIANT_PROBLEMS_INSTALLED };

static int pnCompareNames( const void* a, const void* b ) { return strcmp( a, b ); }

// Names without .json, sorted; those of the first folder that is there.
static int pnListShipped( char names[PN_MAX_SHIPPED][PN_NAME_SIZE], const char** folder )
{
	int count = 0;
	for ( int i = 0; i < 2 && count == 0; ++i )
	{
		DIR* directory = opendir( pnProblemFolders[i] );
		*folder = pnProblemFolders[i];
		for ( struct dirent* entry = directory != NULL ? readdir( directory ) : NULL; entry != NULL && count < PN_MAX_SHIPPED; entry = readdir( directory ) )
		{
			size_t length = strlen( entry->d_name );
			if ( length > 5 && length < PN_NAME_SIZE && strcmp( entry->d_name + length - 5, ".json" ) == 0 && strcmp( entry->d_name, "schema.json" ) != 0 )
			{
				snprintf( names[count++], PN_NAME_SIZE, "%.*s", (int)length - 5, entry->d_name );
			}
		}
		if ( directory != NULL )
		{
			closedir( directory );
		}
	}
	qsort( names, (size_t)count, PN_NAME_SIZE, pnCompareNames );
	return count;
}

static int pnPrintShipped( void )
{
	char names[PN_MAX_SHIPPED][PN_NAME_SIZE];
	const char* folder;
	int count = pnListShipped( names, &folder );
	if ( count == 0 )
	{
		return pnFail( PN_EXIT_FAILURE, pnSolveName, "the problems that come with pliant are not where they should be: %s", pnProblemFolders[0] );
	}
	for ( int i = 0; i < count; ++i )
	{
		char path[PN_SOLVE_PATH];
		snprintf( path, sizeof( path ), "%.4000s/%.63s.json", folder, names[i] );
		json_t* json = json_load_file( path, 0, NULL );
		const char* title = json_string_value( json_object_get( json, "title" ) );
		printf( "%-16s %s\n", names[i], title != NULL ? title : "" );
		json_decref( json );
	}
	return 0;
}

// A file, or the bare name of a shipped problem.
static int pnFindProblem( pnSolving* solving, const char* name )
{
	snprintf( solving->path, sizeof( solving->path ), "%s", name );
	if ( access( name, F_OK ) == 0 || strchr( name, '/' ) != NULL || strchr( name, '.' ) != NULL )
	{
		return 0;
	}
	char names[PN_MAX_SHIPPED][PN_NAME_SIZE];
	const char* list[PN_MAX_SHIPPED];
	const char* folder;
	int count = pnListShipped( names, &folder );
	for ( int i = 0; i < count; ++i )
	{
		list[i] = names[i];
		if ( strcmp( names[i], name ) == 0 )
		{
			snprintf( solving->path, sizeof( solving->path ), "%.4000s/%.63s.json", folder, names[i] );
			return 0;
		}
	}
	const char* near = pnFindNearName( name, list, count );
	if ( near != NULL )
	{
		return pnFail( PN_EXIT_USAGE, pnSolveName, "there is no file or problem '%s'; did you mean '%s'?", name, near );
	}
	return pnFail( PN_EXIT_USAGE, pnSolveName, "there is no file or problem '%s'; --list shows those that come with pliant", name );
}

// ---- what was asked for ----

static const char* pnGetSuffix( const char* path )
{
	const char* dot = strrchr( path, '.' );
	return dot != NULL && strchr( dot, '/' ) == NULL ? dot : "";
}

static int pnCheckOutputs( const pnSolveOptions* options )
{
	static const char* const suffixes[] = { ".vtp", ".ply", ".csv", ".glb" };
	bool known = options->out == NULL;
	for ( int i = 0; i < 4 && known == false; ++i )
	{
		known = strcmp( pnGetSuffix( options->out ), suffixes[i] ) == 0;
	}
	if ( known == false )
	{
		return pnFail( PN_EXIT_USAGE, pnSolveName, "--out ends in .vtp, .ply, .csv or .glb, and '%s' does not", options->out );
	}
	const char* paths[4] = { options->out, options->report, options->png, options->bake };
	for ( int i = 0; i < 4; ++i ) // told now rather than after minutes; leaves what is there untouched
	{
		bool isNew = paths[i] != NULL && access( paths[i], F_OK ) != 0;
		FILE* file = paths[i] != NULL ? fopen( paths[i], "ab" ) : NULL;
		if ( paths[i] != NULL && file == NULL )
		{
			return pnFail( PN_EXIT_FAILURE, pnSolveName, "cannot write '%s': %s", paths[i], strerror( errno ) );
		}
		if ( file != NULL )
		{
			fclose( file );
		}
		if ( isNew )
		{
			remove( paths[i] );
		}
	}
	return 0;
}

static int pnApplyOptions( pnSolving* solving )
{
	const pnSolveOptions* options = &solving->options;
	pnKelvinDef* def = &solving->problem.def;
	if ( options->method != NULL )
	{
		static const char* const methods[] = { "energy", "lsq", "lsq-cg", "auto" };
		int method = 0;
		while ( method < 4 && strcmp( options->method, methods[method] ) != 0 )
		{
			method += 1;
		}
		if ( method == 4 )
		{
			const char* near = pnFindNearName( options->method, methods, 4 );
			return pnFail( PN_EXIT_USAGE, pnSolveName, "--method is energy, lsq, lsq-cg or auto, not '%s'%s%s%s", options->method,
						   near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "" );
		}
		if ( solving->problem.indenterCount > 0 && ( method == pn_lsqMethod || method == pn_lsqCgMethod ) )
		{
			return pnFail( PN_EXIT_USAGE, pnSolveName, "the problem has indenters, which need --method energy" );
		}
		def->method = (pnKelvinMethod)method;
	}
	if ( options->sources > 0 && def->placement == pn_givenSources )
	{
		return pnFail( PN_EXIT_USAGE, pnSolveName, "the problem gives its sources one by one, so --sources cannot change how many there are" );
	}
	if ( options->bake != NULL && solving->problem.handleCount == 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnSolveName, "--bake needs a problem with \"handles\", and %s has none", solving->path );
	}
	def->sourceCount = options->sources > 0 ? options->sources : def->sourceCount;
	def->tolerance = options->tolerance > 0.0 ? options->tolerance : def->tolerance;
	def->tasks.workerCount = options->threads;
	def->processes = solving->processes;
	def->progress = pnShowSolving;
	def->progressContext = solving;
	return 0;
}

// ---- solving ----

static int pnFailSolve( const pnSolving* solving, pnResult result )
{
	if ( pnIsInterrupted() )
	{
		return pnFail( PN_EXIT_STOPPED, pnSolveName, "stopped; there is no answer yet" );
	}
	return pnFail( PN_EXIT_FAILURE, pnSolveName, "%s cannot be solved: %s", solving->path, pnLastLog[0] != 0 ? pnLastLog : pnResultText( result ) );
}

static bool pnShapeSolution( pnSolving* solving )
{
	return pnCreateSolution( &solving->problem, solving->kelvin, &solving->solution ) &&
		   ( solving->options.rotations == false || pnRotateSolution( solving->kelvin, &solving->solution ) );
}

static int pnSolveOnce( pnSolving* solving )
{
	pnBeginTask( solving, "solving" );
	pnResult result = pnCreateKelvin( &solving->problem.def, &solving->kelvin, &solving->info );
	pnClearSolving( solving );
	if ( result < 0 )
	{
		return pnFailSolve( solving, result );
	}
	if ( pnShapeSolution( solving ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnSolveName, "there is no memory for the surface" );
	}
	pnCollectNumbers( &solving->problem, solving->kelvin, &solving->info, &solving->solution, &solving->numbers );
	return 0;
}

// Relative and mean over the vertices of the shown surface.
static double pnCompareFields( const pnVec3d* a, const pnVec3d* b, int count )
{
	double difference = 0.0, size = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		double d[3] = { a[i].x - b[i].x, a[i].y - b[i].y, a[i].z - b[i].z };
		difference += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
		size += b[i].x * b[i].x + b[i].y * b[i].y + b[i].z * b[i].z;
	}
	return size > 0.0 ? sqrt( difference / size ) : 0.0;
}

// The same problem with more and more sources, each twice as many.
static int pnConverge( pnSolving* solving )
{
	int count = solving->solution.vertexCount;
	pnVec3d* fields = malloc( PN_CONVERGE_ROWS * (size_t)count * sizeof( pnVec3d ) );
	pnNumbers* numbers = malloc( sizeof( pnNumbers ) );
	int code = fields != NULL && numbers != NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnSolveName, "there is no memory for --converge" );
	pnKelvinDef def = solving->problem.def;
	int last = PN_CONVERGE_SOURCES;
	if ( solving->problem.placeAreas != NULL ) // the points are what they are, and must outnumber the sources
	{
		last = def.sourceCount > 0 ? def.sourceCount : def.pointCount / 2;
	}
	if ( def.placement == pn_adaptiveSources || def.placement == pn_givenSources )
	{
		def.placement = pn_offsetSources;
		def.sources = NULL;
	}
	def.estimateError = 0;
	for ( int row = 0; row < PN_CONVERGE_ROWS && code == 0; ++row )
	{
		char task[32];
		snprintf( task, sizeof( task ), "%d of %d", row + 1, PN_CONVERGE_ROWS );
		pnBeginTask( solving, task );
		def.sourceCount = last >> ( PN_CONVERGE_ROWS - 1 - row );
		pnKelvin* kelvin;
		pnKelvinInfo info;
		pnResult result = pnCreateKelvin( &def, &kelvin, &info );
		pnClearSolving( solving );
		if ( result < 0 )
		{
			code = pnFailSolve( solving, result );
			break;
		}
		pnKelvin_Evaluate( kelvin, solving->solution.rest, count, fields + (size_t)row * (size_t)count, NULL );
		pnCollectNumbers( &solving->problem, kelvin, &info, &solving->solution, numbers );
		solving->rows[row] = (pnConvergeRow){ .sources = info.sourceCount, .points = info.pointCount, .difference = -1.0, .probeError = numbers->probeError };
		solving->rows[row].residual = info.residual;
		solving->rows[row].heldOutResidual = info.heldOutResidual;
		solving->rows[row].seconds = info.totalSeconds;
		solving->rowCount = row + 1;
		pnDestroyKelvin( kelvin );
	}
	for ( int row = 0; row + 1 < PN_CONVERGE_ROWS && code == 0; ++row )
	{
		solving->rows[row].difference = pnCompareFields( fields + (size_t)row * (size_t)count, fields + ( PN_CONVERGE_ROWS - 1 ) * (size_t)count, count );
	}
	free( fields );
	free( numbers );
	return code;
}

static void pnPrintConvergence( const pnSolving* solving )
{
	printf( "  %-18s %8s %8s %18s %12s %9s\n", "convergence", "sources", "points", "from the last", "from known", "time" );
	for ( int i = 0; i < solving->rowCount; ++i )
	{
		const pnConvergeRow* row = solving->rows + i;
		char difference[32] = "", known[32] = "";
		if ( row->difference >= 0.0 )
		{
			snprintf( difference, sizeof( difference ), "%.3g %%", 100.0 * row->difference );
		}
		if ( row->probeError >= 0.0 )
		{
			snprintf( known, sizeof( known ), "%.3g %%", 100.0 * row->probeError );
		}
		printf( "  %-18s %8d %8d %18s %12s %7.2f s\n", "", row->sources, row->points, difference, known, row->seconds );
	}
}

// ---- handles ----

static int pnWriteBytes( const char* path, const void* bytes, size_t size )
{
	FILE* file = fopen( path, "wb" );
	bool good = file != NULL && fwrite( bytes, 1, size, file ) == size;
	good = file != NULL && fclose( file ) == 0 && good;
	return good ? 0 : pnFail( PN_EXIT_FAILURE, pnSolveName, "cannot write '%s': %s", path, strerror( errno ) );
}

// How long one motion of a held handle takes, s.
static double pnTimeResponse( pnResponse* response )
{
	int handleCount = pnResponse_GetHandleCount( response ), vertexCount = pnResponse_GetVertexCount( response );
	uint8_t* held = calloc( (size_t)handleCount, 1 );
	pnVec3* moves = calloc( 2 * (size_t)handleCount, sizeof( pnVec3 ) );
	pnVec3* vertices = malloc( (size_t)vertexCount * sizeof( pnVec3 ) );
	double seconds = -1.0;
	if ( held != NULL && moves != NULL && vertices != NULL )
	{
		held[0] = 1;
		pnResponse_Hold( response, held );
		double start = pnGetWallTime();
		for ( int i = 0; i < PN_RESPONSE_TRIES; ++i )
		{
			moves[0].x = 1e-3f * (float)i;
			pnResponse_Solve( response, moves, NULL, moves + handleCount );
			pnResponse_Move( response, moves + handleCount, vertices );
		}
		seconds = ( pnGetWallTime() - start ) / PN_RESPONSE_TRIES;
	}
	free( held );
	free( moves );
	free( vertices );
	return seconds;
}

static int pnMakeResponse( pnSolving* solving )
{
	const pnProblem* problem = &solving->problem;
	const pnSkinMesh* skin = &problem->skin;
	if ( problem->handleCount == 0 )
	{
		return 0;
	}
	if ( solving->info.method != pn_energyMethod )
	{
		return solving->options.bake != NULL ? pnFail( PN_EXIT_USAGE, pnSolveName, "--bake needs the method energy" ) : 0;
	}
	pnResponse* response;
	double start = pnGetWallTime();
	pnResult result = pnKelvin_CreateResponse( solving->kelvin, problem->handles, problem->handleCount, skin->points, skin->pointCount,
											   skin->normals == NULL ? skin->triangles : NULL, skin->normals == NULL ? skin->triangleCount : 0, &response );
	if ( result < 0 )
	{
		return pnFail( PN_EXIT_FAILURE, pnSolveName, "the handles of %s cannot be used: %s", solving->path,
					   pnLastLog[0] != 0 ? pnLastLog : pnResultText( result ) );
	}
	double made = pnGetWallTime() - start, seconds = pnTimeResponse( response );
	pnAddNumber( &solving->numbers, pn_workPart, "handles", "One handle held and moved: the force it feels and where all vertices are.",
				 "%d, ready after %.2f s; then %.3f ms a motion", problem->handleCount, made, 1e3 * seconds );
	int code = 0;
	if ( solving->options.bake != NULL )
	{
		size_t size = pnResponse_Bake( response, NULL, 0 );
		void* bytes = malloc( size );
		code = bytes != NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnSolveName, "there is no memory to bake %zu bytes", size );
		if ( code == 0 )
		{
			pnResponse_Bake( response, bytes, size );
			code = pnWriteBytes( solving->options.bake, bytes, size );
		}
		free( bytes );
	}
	pnDestroyResponse( response );
	return code;
}

// ---- what is left behind ----

// The first picture of the report, larger.
static int pnWritePicture( pnSolving* solving )
{
	pnPictureDef def = pnChoosePicture( &solving->problem, &solving->solution, solving->kelvin, (pnFieldKind)solving->problem.color, 0 );
	def.width = PN_PNG_WIDTH;
	def.height = PN_PNG_HEIGHT;
	def.legendHeight = PN_PNG_LEGEND;
	pnImage image;
	if ( pnDrawSolution( &def, &image ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnSolveName, "there is no memory for the picture" );
	}
	const char* problem = pnWritePng( &image, solving->options.png );
	pnDestroyImage( &image );
	return problem == NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnSolveName, "cannot write '%s': %s", solving->options.png, problem );
}

static int pnWriteOutputs( pnSolving* solving )
{
	const pnSolveOptions* options = &solving->options;
	const pnProblem* problem = &solving->problem;
	double exaggerate = problem->exaggerate > 0.0 ? problem->exaggerate : 1.0;
	const char* problemText = NULL;
	if ( options->out != NULL )
	{
		const char* suffix = pnGetSuffix( options->out );
		pnFieldKind field = (pnFieldKind)problem->color;
		problemText = strcmp( suffix, ".vtp" ) == 0	  ? pnWriteVtp( &solving->solution, options->out )
					  : strcmp( suffix, ".ply" ) == 0 ? pnWriteSolutionPly( &solving->solution, field, exaggerate, options->out )
					  : strcmp( suffix, ".csv" ) == 0 ? pnWriteCsv( solving->kelvin, options->out )
													  : pnWriteGlb( &solving->solution, field, exaggerate, problem->title, options->out );
		if ( problemText != NULL )
		{
			return pnFail( PN_EXIT_FAILURE, pnSolveName, "cannot write '%s': %s", options->out, problemText );
		}
	}
	if ( options->report != NULL )
	{
		pnBeginTask( solving, "drawing" );
		pnReportDef def = { .problem = problem, .kelvin = solving->kelvin, .solution = &solving->solution, .numbers = &solving->numbers };
		def.rows = solving->rowCount > 0 ? solving->rows : NULL;
		def.rowCount = solving->rowCount;
		def.command = solving->command;
		def.onPicture = pnShowPicture;
		def.context = solving;
		problemText = pnWriteReport( &def, options->report );
		pnClearSolving( solving );
		if ( problemText != NULL )
		{
			return pnFail( PN_EXIT_FAILURE, pnSolveName, "cannot write '%s': %s", options->report, problemText );
		}
	}
	return options->png != NULL ? pnWritePicture( solving ) : 0;
}

// Of FILE.vtp: FILE.CASE.vtp.
static const char* pnNameForCase( const char* path, const char* name, char* text )
{
	if ( path == NULL )
	{
		return NULL;
	}
	size_t stem = strlen( path ) - strlen( pnGetSuffix( path ) );
	snprintf( text, PN_SOLVE_PATH, "%.*s.%s%s", (int)stem, path, name, path + stem );
	return text;
}

// One load case after the other, with the equations that are factored already; each leaves files and numbers of its own.
static int pnSolveCases( pnSolving* solving )
{
	pnProblem* problem = &solving->problem;
	const pnSolveOptions asked = solving->options;
	pnCondition* conditions = calloc( (size_t)problem->conditionCount + 1, sizeof( pnCondition ) );
	pnAffine* affines = calloc( (size_t)problem->conditionCount + 1, sizeof( pnAffine ) );
	char* paths = malloc( 3 * PN_SOLVE_PATH );
	int code = conditions != NULL && affines != NULL && paths != NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnSolveName, "there is no memory for the load cases" );
	for ( int i = 0; i < problem->probeCount; ++i )
	{
		// Known of the problem as it is written, not of its cases
		problem->probes[i].knownAxes = 0;
		problem->probes[i].knownStress = -1.0;
	}
	solving->rowCount = 0; // of --converge, likewise
	for ( int i = 0; i < problem->caseCount && code == 0; ++i )
	{
		const char* name = problem->cases[i].name;
		pnScaleConditions( problem, i, conditions, affines );
		pnBeginTask( solving, name );
		pnResult result = pnKelvin_Solve( solving->kelvin, conditions, problem->indenters, &solving->info );
		pnClearSolving( solving );
		if ( result < 0 )
		{
			code = pnFailSolve( solving, result );
			break;
		}
		pnDestroySolution( &solving->solution );
		if ( pnShapeSolution( solving ) == false )
		{
			code = pnFail( PN_EXIT_FAILURE, pnSolveName, "there is no memory for the surface" );
			break;
		}
		pnCollectNumbers( problem, solving->kelvin, &solving->info, &solving->solution, &solving->numbers );
		solving->options.out = pnNameForCase( asked.out, name, paths );
		solving->options.report = pnNameForCase( asked.report, name, paths + PN_SOLVE_PATH );
		solving->options.png = pnNameForCase( asked.png, name, paths + 2 * PN_SOLVE_PATH );
		code = pnWriteOutputs( solving );
		if ( code == 0 && asked.quiet == false )
		{
			printf( "\n%s, load case %s\n", problem->title, name );
			pnPrintNumbers( &solving->numbers, stdout );
		}
	}
	solving->options = asked;
	free( conditions );
	free( affines );
	free( paths );
	return code;
}

static int pnRunSolve( pnSolving* solving )
{
	char message[PN_MESSAGE_SIZE];
	if ( pnLoadProblem( solving->path, &solving->problem, message ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnSolveName, "%s", message );
	}
	int code = pnApplyOptions( solving );
	code = code == 0 ? pnSolveOnce( solving ) : code;
	code = code == 0 ? pnMakeResponse( solving ) : code;
	code = code == 0 && solving->options.converge ? pnConverge( solving ) : code;
	code = code == 0 ? pnWriteOutputs( solving ) : code;
	if ( code == 0 && solving->options.quiet == false )
	{
		printf( "%s\n", solving->problem.title );
		pnPrintNumbers( &solving->numbers, stdout );
		if ( solving->rowCount > 0 )
		{
			pnPrintConvergence( solving );
		}
	}
	return code == 0 && solving->problem.caseCount > 0 ? pnSolveCases( solving ) : code;
}

#ifdef PLIANT_MPI
// All processes do the same; only the first is heard.
static int pnJoinProcesses( pnSolving* solving )
{
	pnSolveOptions* options = &solving->options;
	int rank, count;
	if ( pnStartProcesses( &solving->processes, &rank, &count ) != pn_success )
	{
		return pnFail( PN_EXIT_FAILURE, pnSolveName, "there is no memory" );
	}
	if ( rank > 0 )
	{
		options->out = options->report = options->png = options->bake = NULL;
		options->quiet = true;
	}
	return 0;
}
#endif

int pnCmdSolve( int argc, char** argv )
{
	// This program's own choice, told by --help: the library takes BLAS as it finds it. With one thread in BLAS, --threads alone says how many
	// work, and the bits of the answer do not depend on it.
	openblas_set_num_threads( 1 );
	pnSolving* solving = calloc( 1, sizeof( pnSolving ) ); // large
	if ( solving == NULL )
	{
		return pnFail( PN_EXIT_FAILURE, pnSolveName, "there is no memory" );
	}
	pnSolveOptions* options = &solving->options;
	options->threads = 1;
	const pnOption table[] = {
		{ "--out", pn_textOption, (void*)&options->out, 0, 0, "FILE", "write the answer: .vtp for ParaView, .ply or .glb to look at, .csv as rows" },
		{ "--report", pn_textOption, (void*)&options->report, 0, 0, "FILE.html", "write one page with pictures and numbers" },
		{ "--png", pn_textOption, (void*)&options->png, 0, 0, "FILE.png", "write the first picture of the report" },
		{ "--method", pn_textOption, (void*)&options->method, 0, 0, "NAME", "energy, lsq, lsq-cg or auto, instead of the problem's own" },
		{ "--sources", pn_intOption, &options->sources, 4, 5000, "N", "how many sources, at most" },
		{ "--tolerance", pn_realOption, &options->tolerance, 1e-8, 1, "X", "how exact the displacement is to be, relative; 0.01 is 1 %" },
		{ "--converge", pn_flagOption, &options->converge, 0, 0, NULL, "solve with 50, 100, 200, 400 sources as well, and compare" },
		{ "--rotations", pn_flagOption, &options->rotations, 0, 0, NULL, "turn what turns far instead of letting it swell; stress stays as it is" },
		{ "--bake", pn_textOption, (void*)&options->bake, 0, 0, "FILE", "write how the problem's handles move it, for real time" },
		{ "--threads", pn_intOption, &options->threads, 1, 64, "N", "threads that work at once (1); BLAS has none beside them, whatever OPENBLAS_NUM_THREADS says" },
#ifdef PLIANT_MPI
		{ "--mpi", pn_flagOption, &options->mpi, 0, 0, NULL, "share the matrix with the other processes of mpirun; the first writes and tells" },
#endif
		{ "--list", pn_flagOption, &options->list, 0, 0, NULL, "list the problems that come with pliant" },
		{ "--quiet", pn_flagOption, &options->quiet, 0, 0, NULL, "no progress and no numbers" },
	};
	const int optionCount = (int)( sizeof( table ) / sizeof( table[0] ) );
	const char* rest[1];
	int restCount;
	bool help;
	int code = pnReadOptions( pnSolveName, table, optionCount, argc, argv, rest, &restCount, 1, &help );
	if ( code == 0 && help )
	{
		printf( "usage: pliant solve PROBLEM [OPTION...]\n\nThe shape a loaded solid comes to rest in. PROBLEM is a JSON file (docs/solve.md) or one of --list.\n\n" );
		pnPrintOptions( stdout, table, optionCount );
	}
	else if ( code == 0 && options->list )
	{
		code = pnPrintShipped();
	}
	else if ( code == 0 && restCount == 0 )
	{
		code = pnFail( PN_EXIT_USAGE, pnSolveName, "which problem? A JSON file, or a name of --list; --help tells more" );
	}
	else if ( code == 0 )
	{
		snprintf( solving->command, sizeof( solving->command ), "pliant" );
		for ( int i = 0; i < argc; ++i )
		{
			size_t used = strlen( solving->command );
			snprintf( solving->command + used, sizeof( solving->command ) - used, " %s", argv[i] );
		}
		pnCatchInterrupts();
#ifdef PLIANT_MPI
		code = options->mpi ? pnJoinProcesses( solving ) : 0;
#endif
		pnLastLog[0] = 0;
		pnSetLogFcn( pnKeepLog );
		code = code == 0 ? pnFindProblem( solving, rest[0] ) : code;
		code = code == 0 ? pnCheckOutputs( options ) : code;
		code = code == 0 ? pnRunSolve( solving ) : code;
		pnSetLogFcn( NULL );
	}
	if ( solving->kelvin != NULL )
	{
		pnDestroyKelvin( solving->kelvin );
	}
#ifdef PLIANT_MPI
	pnStopProcesses( solving->processes );
#endif
	pnDestroySolution( &solving->solution );
	pnFreeProblem( &solving->problem );
	free( solving );
	return code;
}
