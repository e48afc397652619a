// cmd_run.c - `pliant run`: simulates a scene, with progress, numbers, pictures and meshes. Knows no shapes and no pixels.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../options.h"
#include "../ply.h"
#include "../saved_run.h"
#include "../sheet.h"
#include "../whole_file.h"
#include "command.h"
#include "scenes.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char pnRunName[] = "pliant run";

enum
{
	PN_MAX_FRAMES = 1000000,
	PN_MAX_SHOT_COUNT = 64,
	PN_MAX_SHEET_SIDE = 16384, // pixels
	PN_PATH_SIZE = 4096,
};

// As the words on the command line say it; -1 and NULL: not said.
typedef struct pnRunOptions
{
	int frames, substeps, threads;
	double rate;
	const char *stats, *png, *at, *view, *color, *size, *out, *save, *load, *commands, *record;
	bool hash, quiet;
} pnRunOptions;

// Sums over all bodies.
typedef struct pnTotals
{
	double kinetic, elastic; // J
	double momentum[3], angular[3]; // kg m/s; kg m^2/s about the origin
	double mass; // kg
	double angularScale; // sum of the sizes, to compare with
	float minStretch, maxStretch;
} pnTotals;

// A run, and all that is open or held for it.
typedef struct pnRun
{
	const pnScene* scene;
	pnRunOptions options;
	pnWorld* world;
	float timeStep; // s
	int substeps;
	int firstFrame, lastFrame; // the first is there already
	const char* script; // what hands do, or NULL
	size_t scriptLength;
	int scriptSteps;
	char* file; // the script's text, if it was read
	pnPlayer player;
	double time; // s, at the last frame
	FILE* stats;
	pnSheetDef sheet;
	pnShot shots[PN_MAX_SHOT_COUNT];
	int shotCount, drawnCount;
	int shotFrames[PN_MAX_SHOT_COUNT]; // rising
	bool onlyShots; // meshes of the --at frames only
	pnTotals start, first; // before the first step, and after it: only then there are energies
	double wallTime, stepSum, stepMax; // s
	double shownTime; // when the progress was shown last
	bool isTerminal;
} pnRun;

static double pnGetWallTime( void )
{
	struct timespec now;
	clock_gettime( CLOCK_MONOTONIC, &now );
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void pnLogToStderr( const char* message ) { fprintf( stderr, "pliant: %s\n", message ); }

static bool pnGetTotals( const pnWorld* world, pnTotals* totals )
{
	*totals = (pnTotals){ 0 };
	int count = pnWorld_GetBodies( world, NULL, 0 );
	pnBodyId* bodies = malloc( (size_t)( count + 1 ) * sizeof( pnBodyId ) );
	if ( bodies == NULL )
	{
		return false;
	}
	pnWorld_GetBodies( world, bodies, count );
	for ( int i = 0; i < count; ++i )
	{
		pnBodyState state;
		if ( pnBody_GetState( world, bodies[i], &state ) != pn_success )
		{
			continue;
		}
		double p[3] = { state.momentum.x, state.momentum.y, state.momentum.z };
		double l[3] = { state.angularMomentum.x, state.angularMomentum.y, state.angularMomentum.z };
		double c[3] = { state.center.x, state.center.y, state.center.z };
		double orbit[3];
		for ( int d = 0; d < 3; ++d )
		{
			int e = ( d + 1 ) % 3, f = ( d + 2 ) % 3;
			orbit[d] = c[e] * p[f] - c[f] * p[e];
			totals->momentum[d] += p[d];
			totals->angular[d] += l[d] + orbit[d];
		}
		totals->mass += state.mass;
		totals->kinetic += state.kinetic;
		totals->elastic += state.elastic;
		totals->angularScale +=
			sqrt( l[0] * l[0] + l[1] * l[1] + l[2] * l[2] ) + sqrt( orbit[0] * orbit[0] + orbit[1] * orbit[1] + orbit[2] * orbit[2] );
		totals->minStretch = i == 0 || state.minStretch < totals->minStretch ? state.minStretch : totals->minStretch;
		totals->maxStretch = i == 0 || state.maxStretch > totals->maxStretch ? state.maxStretch : totals->maxStretch;
	}
	free( bodies );
	return true;
}

// ---- what was asked for ----

static int pnFailScene( const char* name )
{
	int count;
	const pnScene* scenes = pnGetScenes( &count );
	const char* names[64];
	for ( int i = 0; i < count && i < 64; ++i )
	{
		names[i] = scenes[i].name;
	}
	const char* near = pnFindNearName( name, names, count < 64 ? count : 64 );
	if ( near != NULL )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "there is no scene '%s'; did you mean '%s'?", name, near );
	}
	return pnFail( PN_EXIT_USAGE, pnRunName, "there is no scene '%s'; `pliant scenes` lists them", name );
}

static int pnReadView( pnRun* run )
{
	static const struct
	{
		const char* name;
		float azimuth, elevation;
	} views[] = {
		{ "front", 0.0f, 6.0f },
		{ "side", 90.0f, 6.0f },
		{ "top", 0.0f, 89.0f },
		{ "iso", 40.0f, 30.0f },
	};
	const pnSceneView* view = &run->scene->view;
	run->sheet.camera = (pnCamera){ view->target, view->azimuth, view->elevation, view->distance, view->ground };
	const char* text = run->options.view;
	if ( text == NULL )
	{
		return 0;
	}
	for ( size_t i = 0; i < sizeof( views ) / sizeof( views[0] ); ++i )
	{
		if ( strcmp( text, views[i].name ) == 0 )
		{
			run->sheet.camera.azimuth = views[i].azimuth;
			run->sheet.camera.elevation = views[i].elevation;
			return 0;
		}
	}
	double numbers[3] = { 0.0, 0.0, (double)view->distance };
	char copy[128];
	snprintf( copy, sizeof( copy ), "%s", text );
	int count = 0;
	bool good = strlen( text ) < sizeof( copy ) && text[strlen( text ) - 1] != ',';
	for ( char* word = strtok( copy, "," ); word != NULL; word = strtok( NULL, "," ) )
	{
		good = good && count < 3 && pnReadReal( word, numbers + count );
		count += 1;
	}
	if ( good == false || count < 2 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--view is front, side, top, iso or AZIMUTH,ELEVATION[,DISTANCE], not '%s'", text );
	}
	if ( fabs( numbers[0] ) > 3600.0 || fabs( numbers[1] ) > 90.0 || !( numbers[2] > 0.0 && numbers[2] < 1e6 ) )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName,
					   "--view '%s': the elevation goes from -90 to 90 degrees, the distance is more than 0 metres", text );
	}
	run->sheet.camera.azimuth = (float)numbers[0];
	run->sheet.camera.elevation = (float)numbers[1];
	run->sheet.camera.distance = (float)numbers[2];
	return 0;
}

static int pnReadColor( pnRun* run )
{
	static const char* const names[] = { "none", "stretch", "speed", "cluster", "plastic" }; // in the order of pnColoring
	enum
	{
		nameCount = (int)( sizeof( names ) / sizeof( names[0] ) )
	};
	run->sheet.coloring = pn_plainColoring;
	for ( int i = 0; run->options.color != NULL; ++i )
	{
		if ( i == nameCount )
		{
			const char* near = pnFindNearName( run->options.color, names, nameCount );
			return pnFail( PN_EXIT_USAGE, pnRunName, "--color is none, stretch, speed, cluster or plastic, not '%s'%s%s%s",
						   run->options.color, near != NULL ? "; did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?" : "" );
		}
		if ( strcmp( run->options.color, names[i] ) == 0 )
		{
			run->sheet.coloring = (pnColoring)i;
			break;
		}
	}
	return 0;
}

static int pnReadSize( pnRun* run )
{
	run->sheet.width = 480;
	run->sheet.height = 360;
	if ( run->options.size == NULL )
	{
		return 0;
	}
	char rest;
	int width, height;
	if ( sscanf( run->options.size, "%dx%d%c", &width, &height, &rest ) != 2 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--size is WIDTHxHEIGHT in pixels, such as 640x480, not '%s'", run->options.size );
	}
	if ( width < 64 || height < 64 || width > 4096 || height > 4096 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--size goes from 64x64 to 4096x4096, %dx%d is outside", width, height );
	}
	run->sheet.width = width;
	run->sheet.height = height;
	return 0;
}

static int pnCompareInts( const void* a, const void* b )
{
	return ( *(const int*)a > *(const int*)b ) - ( *(const int*)a < *(const int*)b );
}

// Which frames to draw: those of --at, or else the scene's own that the run comes by, and where it ends if that is sooner.
static int pnReadShots( pnRun* run )
{
	run->shotCount = 0;
	if ( run->options.at == NULL )
	{
		for ( int i = 0; i < run->scene->shotCount; ++i )
		{
			int frame = run->scene->shots[i];
			if ( frame >= run->firstFrame && frame < run->lastFrame )
			{
				run->shotFrames[run->shotCount++] = frame;
			}
		}
		int last = run->scene->shotCount > 0 ? run->scene->shots[run->scene->shotCount - 1] : 0;
		if ( run->shotCount == 0 || run->lastFrame <= last )
		{
			run->shotFrames[run->shotCount++] = run->lastFrame;
		}
		return 0;
	}
	char copy[1024];
	snprintf( copy, sizeof( copy ), "%s", run->options.at );
	if ( strlen( run->options.at ) >= sizeof( copy ) )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--at takes up to %d frames", PN_MAX_SHOT_COUNT );
	}
	for ( char* word = strtok( copy, "," ); word != NULL; word = strtok( NULL, "," ) )
	{
		int frame;
		if ( pnReadInt( word, &frame ) == false )
		{
			return pnFail( PN_EXIT_USAGE, pnRunName, "--at needs frames with commas between, such as 0,30,60; '%s' is no frame", word );
		}
		if ( frame < run->firstFrame || frame > run->lastFrame )
		{
			return pnFail( PN_EXIT_USAGE, pnRunName, "--at: frame %d is not in this run, which goes from %d to %d", frame, run->firstFrame,
						   run->lastFrame );
		}
		if ( run->shotCount == PN_MAX_SHOT_COUNT )
		{
			return pnFail( PN_EXIT_USAGE, pnRunName, "--at takes up to %d frames", PN_MAX_SHOT_COUNT );
		}
		run->shotFrames[run->shotCount++] = frame;
	}
	if ( run->shotCount == 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--at needs frames with commas between, such as 0,30,60" );
	}
	qsort( run->shotFrames, (size_t)run->shotCount, sizeof( int ), pnCompareInts );
	int kept = 0;
	for ( int i = 0; i < run->shotCount; ++i )
	{
		if ( kept == 0 || run->shotFrames[i] != run->shotFrames[kept - 1] )
		{
			run->shotFrames[kept++] = run->shotFrames[i];
		}
	}
	run->shotCount = kept;
	return 0;
}

// The pattern must ask for one int and nothing else, because printf will get one.
static int pnCheckPattern( const char* pattern )
{
	const char* percent = strchr( pattern, '%' );
	bool good = percent != NULL;
	if ( good )
	{
		const char* end = percent + 1;
		end += strspn( end, "0" );
		size_t digits = strspn( end, "0123456789" );
		good = digits <= 2 && end[digits] == 'd' && strchr( end + digits, '%' ) == NULL;
	}
	if ( good == false )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--out needs one number in the file's name, such as out_%%04d.ply, not '%s'", pattern );
	}
	return 0;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void pnMakePath( char path[PN_PATH_SIZE], const char* pattern, int frame ) // pattern: checked
{
	snprintf( path, PN_PATH_SIZE, pattern, frame );
}
#pragma GCC diagnostic pop

// Told before the run rather than after it. Leaves what is there untouched.
static int pnCheckWritable( const char* path )
{
	FILE* old = path != NULL ? fopen( path, "rb" ) : NULL;
	FILE* file = path != NULL ? fopen( path, "ab" ) : NULL;
	int problem = errno;
	if ( old != NULL )
	{
		fclose( old );
	}
	if ( file != NULL )
	{
		fclose( file );
		if ( old == NULL )
		{
			remove( path );
		}
	}
	return path == NULL || file != NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", path, strerror( problem ) );
}

// ---- the run ----

static int pnFailScript( const pnRun* run, const pnFault* fault )
{
	const char* name = run->options.commands != NULL ? run->options.commands : run->scene->name;
	return pnFail( PN_EXIT_FAILURE, pnRunName, "%s:%d:%d: %s", name, fault->line, fault->column, fault->text );
}

// The commands of a file, or else the scene's own, and how far they are at the first frame.
static int pnOpenScript( pnRun* run )
{
	const pnRunOptions* options = &run->options;
	run->time = (double)run->firstFrame * (double)run->timeStep;
	run->script = run->scene->script;
	run->scriptLength = run->script != NULL ? strlen( run->script ) : 0;
	if ( options->commands != NULL )
	{
		const char* problem = NULL;
		run->file = (char*)pnReadFile( options->commands, &run->scriptLength, &problem );
		run->script = run->file;
		if ( run->file == NULL )
		{
			return pnFail( PN_EXIT_FAILURE, pnRunName, "cannot read '%s': %s", options->commands, problem );
		}
	}
	if ( options->record != NULL && run->firstFrame > 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "--record needs the whole run, so it cannot go with --load" );
	}
	if ( run->script == NULL )
	{
		return 0;
	}
	if ( options->commands == NULL && options->rate > 0.0 && (float)options->rate != run->scene->rate )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "the commands of the scene '%s' are for %g steps a second", run->scene->name,
					   (double)run->scene->rate );
	}
	pnFault fault;
	run->scriptSteps = pnCountSteps( run->script, run->scriptLength, &fault );
	if ( run->scriptSteps < 0 )
	{
		return pnFailScript( run, &fault );
	}
	pnStartPlayer( &run->player, run->script, run->scriptLength );
	return pnSkip( &run->player, run->firstFrame, &fault ) != pn_faultState ? 0 : pnFailScript( run, &fault );
}

// The commands that come before a frame, then its step.
static int pnStepRun( pnRun* run, int frame )
{
	float timeStep = run->timeStep;
	int substeps = run->substeps;
	pnFault fault;
	if ( run->script != NULL && pnPlay( &run->player, run->world, &timeStep, &substeps, &fault ) == pn_faultState )
	{
		return pnFailScript( run, &fault );
	}
	pnResult result = run->scene->advance != NULL ? run->scene->advance( run->world, frame, timeStep ) : pn_success;
	result = result == pn_success ? pnWorld_Step( run->world, timeStep, substeps ) : result;
	run->time += (double)timeStep;
	return result == pn_success
			 ? 0
			 : pnFail( PN_EXIT_FAILURE, pnRunName, "the step to frame %d failed: %s", frame, pnResultText( result ) );
}

// What comes after the last step, if the run came so far.
static int pnEndScript( pnRun* run )
{
	float timeStep = run->timeStep;
	int substeps = run->substeps;
	pnFault fault;
	bool isThere = run->script != NULL && run->lastFrame == run->scriptSteps;
	return isThere && pnPlay( &run->player, run->world, &timeStep, &substeps, &fault ) == pn_faultState ? pnFailScript( run, &fault ) : 0;
}

// The commands of this run, with the length of every step, and the hash it came to.
static int pnRecord( const pnRun* run )
{
	const char* path = run->options.record;
	FILE* file = fopen( path, "w" );
	if ( file == NULL )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", path, strerror( errno ) );
	}
	fprintf( file, "# pliant run %s --commands FILE\n", run->scene->name );
	pnPlayer player;
	pnStartPlayer( &player, run->script, run->scriptLength );
	pnCommand command;
	pnFault fault;
	char line[PN_COMMAND_LINE];
	int left = run->lastFrame;
	while ( run->script != NULL && pnReadCommand( &player, &command, &fault ) )
	{
		bool isStep = command.kind == pn_stepCommand;
		if ( command.kind == pn_expectCommand || ( left == 0 && run->lastFrame < run->scriptSteps ) )
		{
			continue;
		}
		if ( isStep )
		{
			command.steps = command.steps < left ? command.steps : left;
			command.timeStep = command.timeStep > 0.0f ? command.timeStep : run->timeStep;
			command.substeps = command.substeps > 0 ? command.substeps : run->substeps;
			left -= command.steps;
		}
		pnFormatCommand( &command, line );
		fprintf( file, "%s\n", line );
	}
	if ( left > 0 )
	{
		command = (pnCommand){ .kind = pn_stepCommand, .steps = left, .timeStep = run->timeStep, .substeps = run->substeps };
		pnFormatCommand( &command, line );
		fprintf( file, "%s\n", line );
	}
	command = (pnCommand){ .kind = pn_expectCommand, .hash = pnWorld_GetHash( run->world ) };
	pnFormatCommand( &command, line );
	fprintf( file, "%s\n", line );
	bool failed = ferror( file ) != 0;
	failed = fclose( file ) != 0 || failed;
	return failed ? pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", path, strerror( errno ) ) : 0;
}

static int pnOpenWorld( pnRun* run )
{
	const pnRunOptions* options = &run->options;
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks.workerCount = options->threads;
	pnResult result = pnCreateWorld( &def, &run->world );
	if ( result != pn_success )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "cannot make the world: %s", pnResultText( result ) );
	}
	float rate = options->rate > 0.0 ? (float)options->rate : run->scene->rate;
	run->substeps = options->substeps > 0 ? options->substeps : run->scene->substeps;
	if ( options->load == NULL )
	{
		result = run->scene->create( run->world );
		if ( result != pn_success )
		{
			return pnFail( PN_EXIT_FAILURE, pnRunName, "cannot make the scene '%s': %s", run->scene->name, pnResultText( result ) );
		}
	}
	else
	{
		pnSavedRun saved;
		const char* problem = pnLoadRun( options->load, run->world, &saved );
		if ( problem != NULL )
		{
			return pnFail( PN_EXIT_FAILURE, pnRunName, "cannot load '%s': %s", options->load, problem );
		}
		if ( strcmp( saved.scene, run->scene->name ) != 0 )
		{
			return pnFail( PN_EXIT_USAGE, pnRunName, "'%s' was saved from the scene '%s', not '%s'", options->load, saved.scene,
						   run->scene->name );
		}
		if ( options->rate > 0.0 && rate != saved.rate )
		{
			return pnFail( PN_EXIT_USAGE, pnRunName, "'%s' was saved at %g Hz and goes on at that rate", options->load,
						   (double)saved.rate );
		}
		rate = saved.rate;
		run->substeps = options->substeps > 0 ? options->substeps : saved.substeps;
		run->firstFrame = saved.frame;
	}
	run->timeStep = 1.0f / rate;
	int code = pnOpenScript( run );
	if ( code != 0 )
	{
		return code;
	}
	int sceneFrames = (int)lround( (double)run->scene->frames / (double)run->scene->rate * (double)rate );
	sceneFrames = options->commands != NULL ? run->scriptSteps : sceneFrames;
	int left = sceneFrames > run->firstFrame ? sceneFrames - run->firstFrame : 0;
	run->lastFrame = run->firstFrame + ( options->frames >= 0 ? options->frames : left );
	return 0;
}

static void pnShowProgress( pnRun* run, int frame, double start )
{
	double now = pnGetWallTime();
	if ( run->options.quiet || now - run->shownTime < ( run->isTerminal ? 0.1 : 2.0 ) )
	{
		return;
	}
	run->shownTime = now;
	int done = frame - run->firstFrame, total = run->lastFrame - run->firstFrame;
	double elapsed = now - start;
	double speed = elapsed > 0.0 ? (double)done * (double)run->timeStep / elapsed : 0.0;
	double left = done > 0 ? elapsed * (double)( total - done ) / (double)done : 0.0;
	fprintf( stderr, "%s%s: frame %d of %d, %.3g times real time, %.0f s left%s", run->isTerminal ? "\r" : "", run->scene->name, frame,
			 run->lastFrame, speed, left, run->isTerminal ? "   " : "\n" );
}

static void pnShowShot( int done, int total, void* context )
{
	pnRun* run = context;
	double now = pnGetWallTime();
	if ( run->options.quiet || now - run->shownTime < ( run->isTerminal ? 0.1 : 2.0 ) )
	{
		return;
	}
	run->shownTime = now;
	fprintf( stderr, "%s%s: picture %d of %d%s", run->isTerminal ? "\r" : "", run->scene->name, done, total,
			 run->isTerminal ? "                                        " : "\n" );
}

static void pnClearProgress( const pnRun* run )
{
	if ( run->isTerminal && run->options.quiet == false )
	{
		fprintf( stderr, "\r%70s\r", "" );
	}
}

// What a frame leaves behind: a row of numbers, a mesh, a shot.
static int pnRecordFrame( pnRun* run, int frame, double stepTime )
{
	if ( run->stats != NULL && frame > run->firstFrame )
	{
		pnTotals totals;
		if ( pnGetTotals( run->world, &totals ) == false )
		{
			return pnFail( PN_EXIT_FAILURE, pnRunName, "there is no memory for the numbers" );
		}
		pnProfile profile = pnWorld_GetProfile( run->world );
		fprintf( run->stats, "%d,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%d,%.9g,%.6g\n", frame, run->time,
				 totals.kinetic, totals.elastic, totals.momentum[0], totals.momentum[1], totals.momentum[2], totals.angular[0],
				 totals.angular[1], totals.angular[2], (double)totals.minStretch, (double)totals.maxStretch, profile.contactCount,
				 (double)profile.maxPenetration, 1e3 * stepTime );
	}
	bool isShot = false;
	for ( int i = 0; i < run->shotCount; ++i )
	{
		isShot = isShot || run->shotFrames[i] == frame;
	}
	bool wantsMesh = run->options.out != NULL && ( isShot || run->onlyShots == false );
	bool wantsShot = run->options.png != NULL && isShot;
	if ( wantsMesh == false && wantsShot == false )
	{
		return 0;
	}
	pnSurface surface;
	if ( pnCreateSurface( run->world, run->sheet.coloring, &surface ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "there is no memory for the skins of frame %d", frame );
	}
	int code = 0;
	if ( wantsMesh )
	{
		char path[PN_PATH_SIZE];
		pnMakePath( path, run->options.out, frame );
		if ( pnIsScale( run->sheet.coloring ) )
		{
			float lower, upper;
			pnGetUsualRange( run->sheet.coloring, &lower, &upper ); // one for all files, or they would flicker
			pnColorByValue( &surface, lower, upper );
		}
		const char* problem = pnWritePly( &surface, path );
		code = problem == NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", path, problem );
	}
	if ( wantsShot && code == 0 )
	{
		run->shots[run->drawnCount++] = (pnShot){ surface, frame, run->time };
	}
	else
	{
		pnDestroySurface( &surface );
	}
	return code;
}

static int pnSimulate( pnRun* run )
{
	if ( pnGetTotals( run->world, &run->start ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "there is no memory for the numbers" );
	}
	run->first = run->start;
	int code = pnRecordFrame( run, run->firstFrame, 0.0 );
	double start = pnGetWallTime();
	run->shownTime = start;
	for ( int frame = run->firstFrame + 1; frame <= run->lastFrame && code == 0; ++frame )
	{
		double stepStart = pnGetWallTime();
		code = pnStepRun( run, frame );
		if ( code != 0 )
		{
			return code;
		}
		double stepTime = pnGetWallTime() - stepStart;
		run->stepSum += stepTime;
		run->stepMax = stepTime > run->stepMax ? stepTime : run->stepMax;
		code = pnRecordFrame( run, frame, stepTime );
		if ( frame == run->firstFrame + 1 )
		{
			pnGetTotals( run->world, &run->first );
		}
		pnShowProgress( run, frame, start );
	}
	run->wallTime = pnGetWallTime() - start;
	return code != 0 ? code : pnEndScript( run );
}

static int pnWriteSheet( pnRun* run )
{
	if ( run->options.png == NULL )
	{
		return 0;
	}
	pnImage image;
	run->sheet.onShot = pnShowShot;
	run->sheet.context = run;
	if ( pnDrawSheet( &run->sheet, run->shots, run->drawnCount, &image ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "there is no memory for the picture" );
	}
	const char* problem = pnWritePng( &image, run->options.png );
	pnDestroyImage( &image );
	return problem == NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", run->options.png, problem );
}

static double pnGetDistance( const double a[3], const double b[3] )
{
	return sqrt( ( a[0] - b[0] ) * ( a[0] - b[0] ) + ( a[1] - b[1] ) * ( a[1] - b[1] ) + ( a[2] - b[2] ) * ( a[2] - b[2] ) );
}

static void pnPrintDrift( const char* name, double change, double scale, const char* unit )
{
	printf( "  %-10s changed by %.2g %s", name, change, unit );
	if ( scale > change ) // else forces did it, and the share says nothing
	{
		printf( ", %.2g of all there was", change / scale );
	}
	printf( "\n" );
}

static void pnPrintSummary( const pnRun* run )
{
	pnTotals last;
	if ( pnGetTotals( run->world, &last ) == false )
	{
		return;
	}
	int count = run->lastFrame - run->firstFrame;
	pnProfile profile = pnWorld_GetProfile( run->world );
	double simulated = (double)count * (double)run->timeStep;
	printf( "%s: %d frames (%.2f s) in %.2f s", run->scene->name, count, simulated, run->wallTime );
	if ( run->stepSum > 0.0 )
	{
		printf( ", %.3g times real time", simulated / run->stepSum );
	}
	printf( "\n  %-10s %.3f ms mean, %.3f ms max; %d substeps at %g Hz\n", "frame", count > 0 ? 1e3 * run->stepSum / count : 0.0,
			1e3 * run->stepMax, run->substeps, 1.0 / (double)run->timeStep );
	printf( "  %-10s %d %s, %d points, %d %s, %d memberships\n", "world", profile.bodyCount, profile.bodyCount == 1 ? "body" : "bodies",
			profile.pointCount, profile.clusterCount, profile.clusterCount == 1 ? "cluster" : "clusters", profile.membershipCount );
	double before = run->first.kinetic + run->first.elastic, after = last.kinetic + last.elastic;
	printf( "  %-10s %.6g J after the first frame, %.6g J after the last", "energy", before, after );
	if ( before > 0.0 && after < 10.0 * before )
	{
		printf( " (%+.3g %%)", 100.0 * ( after - before ) / before );
	}
	printf( "\n" );
	pnPrintDrift( "momentum", pnGetDistance( last.momentum, run->start.momentum ),
				  sqrt( 2.0 * last.mass * fmax( run->first.kinetic, last.kinetic ) ), "kg m/s" );
	pnPrintDrift( "angular", pnGetDistance( last.angular, run->start.angular ), run->start.angularScale, "kg m^2/s" );
	printf( "  %-10s %s, %d thread%s, %.3g MB\n", "machine", pnWorld_GetSimdName( run->world ), run->options.threads,
			run->options.threads == 1 ? "" : "s", 1e-6 * (double)profile.byteCount );
}

static int pnFinishRun( pnRun* run )
{
	const pnRunOptions* options = &run->options;
	int code = pnWriteSheet( run );
	pnClearProgress( run );
	if ( code == 0 && run->stats != NULL )
	{
		bool failed = ferror( run->stats ) != 0;
		failed = fclose( run->stats ) != 0 || failed;
		run->stats = NULL;
		code = failed ? pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", options->stats, strerror( errno ) ) : 0;
	}
	if ( code == 0 && options->save != NULL )
	{
		pnSavedRun saved = { .frame = run->lastFrame, .substeps = run->substeps, .rate = 1.0f / run->timeStep };
		snprintf( saved.scene, sizeof( saved.scene ), "%s", run->scene->name );
		const char* problem = pnSaveRun( options->save, run->world, &saved );
		code = problem == NULL ? 0 : pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", options->save, problem );
	}
	if ( code == 0 && options->record != NULL )
	{
		code = pnRecord( run );
	}
	if ( code == 0 && options->quiet == false )
	{
		pnPrintSummary( run );
	}
	if ( code == 0 && options->hash )
	{
		printf( "hash 0x%016llx\n", (unsigned long long)pnWorld_GetHash( run->world ) );
	}
	return code;
}

static int pnPrepareRun( pnRun* run )
{
	const pnRunOptions* options = &run->options;
	int code = pnReadView( run );
	code = code != 0 ? code : pnReadColor( run );
	code = code != 0 ? code : pnReadSize( run );
	code = code != 0 || options->out == NULL ? code : pnCheckPattern( options->out );
	code = code != 0 ? code : pnOpenWorld( run );
	code = code != 0 ? code : pnReadShots( run );
	code = code != 0 ? code : pnCheckWritable( options->png );
	code = code != 0 ? code : pnCheckWritable( options->save );
	code = code != 0 ? code : pnCheckWritable( options->record );
	if ( code != 0 )
	{
		return code;
	}
	run->onlyShots = options->at != NULL;
	run->isTerminal = isatty( STDERR_FILENO ) != 0;
	run->sheet.title = run->scene->name;
	int width, height;
	pnGetSheetSize( &run->sheet, run->shotCount, &width, &height );
	if ( options->png != NULL && ( width > PN_MAX_SHEET_SIDE || height > PN_MAX_SHEET_SIDE ) )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "the picture would be %d x %d pixels; a smaller --size or fewer frames --at will do",
					   width, height );
	}
	if ( options->stats != NULL )
	{
		run->stats = fopen( options->stats, "w" );
		if ( run->stats == NULL )
		{
			return pnFail( PN_EXIT_FAILURE, pnRunName, "cannot write '%s': %s", options->stats, strerror( errno ) );
		}
		fprintf( run->stats, "frame,time,kinetic,elastic,px,py,pz,lx,ly,lz,min_stretch,max_stretch,contacts,max_penetration,step_ms\n" );
	}
	return 0;
}

static void pnCloseRun( pnRun* run )
{
	for ( int i = 0; i < run->drawnCount; ++i )
	{
		pnDestroySurface( &run->shots[i].surface );
	}
	if ( run->stats != NULL )
	{
		fclose( run->stats );
	}
	pnDestroyWorld( run->world );
	free( run->file );
}

int pnCmdRun( int argc, char** argv )
{
	pnRun run = { .options = { .frames = -1, .substeps = -1, .threads = 1 } };
	pnRunOptions* o = &run.options;
	const pnOption options[] = {
		{ "--frames", pn_intOption, &o->frames, 0, PN_MAX_FRAMES, "N", "how many frames to simulate (as long as the scene is)" },
		{ "--rate", pn_realOption, &o->rate, 1.0, 100000.0, "HZ", "frames per second (the scene's)" },
		{ "--substeps", pn_intOption, &o->substeps, 1, 64, "K", "substeps per frame (the scene's)" },
		{ "--threads", pn_intOption, &o->threads, 1, 64, "T", "threads to use (1); the result has the same bits for any number" },
		{ "--stats", pn_textOption, &o->stats, 0, 0, "FILE.csv", "write energies, momenta, stretches and times, a row per frame" },
		{ "--hash", pn_flagOption, &o->hash, 0, 0, NULL, "print the hash of the world at the end" },
		{ "--quiet", pn_flagOption, &o->quiet, 0, 0, NULL, "print nothing else" },
		{ "--png", pn_textOption, &o->png, 0, 0, "FILE.png", "draw some frames into one picture" },
		{ "--at", pn_textOption, &o->at, 0, 0, "0,30,60", "which frames to draw, and to write with --out" },
		{ "--view", pn_textOption, &o->view, 0, 0, "VIEW", "front, side, top, iso, or AZIMUTH,ELEVATION[,DISTANCE] in degrees and metres" },
		{ "--color", pn_textOption, &o->color, 0, 0, "WHAT", "none, stretch, speed, cluster or plastic" },
		{ "--size", pn_textOption, &o->size, 0, 0, "WxH", "pixels of each frame drawn (480x360)" },
		{ "--out", pn_textOption, &o->out, 0, 0, "FILE_%04d.ply", "write skins and shapes as meshes, every frame or those of --at" },
		{ "--save", pn_textOption, &o->save, 0, 0, "FILE", "save the world at the end" },
		{ "--load", pn_textOption, &o->load, 0, 0, "FILE", "go on from a saved world" },
		{ "--commands", pn_textOption, &o->commands, 0, 0, "FILE", "what hands do, a command a line, instead of the scene's own commands" },
		{ "--record", pn_textOption, &o->record, 0, 0, "FILE", "write the commands of this run, and the hash it must come to again" },
	};
	enum
	{
		optionCount = (int)( sizeof( options ) / sizeof( options[0] ) )
	};
	const char* name = NULL;
	int nameCount;
	bool help;
	int code = pnReadOptions( pnRunName, options, optionCount, argc, argv, &name, &nameCount, 1, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		printf( "usage: pliant run SCENE [OPTION...]\nSimulates a built-in scene; `pliant scenes` lists them.\n\n" );
		pnPrintOptions( stdout, options, optionCount );
		return 0;
	}
	if ( nameCount == 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnRunName, "which scene? `pliant scenes` lists them" );
	}
	run.scene = pnFindScene( name );
	if ( run.scene == NULL )
	{
		return pnFailScene( name );
	}
	pnSetLogFcn( pnLogToStderr );
	code = pnPrepareRun( &run );
	code = code != 0 ? code : pnSimulate( &run );
	code = code != 0 ? code : pnFinishRun( &run );
	pnCloseRun( &run );
	return code;
}
