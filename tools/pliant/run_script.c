// run_script.c - a run's world and what hands do in it: made or loaded, stepped, written down. Knows no pictures.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "run.h"

#include "../options.h"
#include "../saved_run.h"
#include "../whole_file.h"

#include <errno.h>
#include <math.h>
#include <string.h>

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
	run->frame = run->firstFrame;
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
int pnRun_Step( pnRun* run, int frame )
{
	float timeStep = run->timeStep;
	int substeps = run->substeps;
	pnFault fault;
	if ( run->script != NULL && pnPlay( &run->player, run->world, &timeStep, &substeps, &fault ) == pn_faultState )
	{
		return pnFailScript( run, &fault );
	}
	pnResult result = pnMoveScene( run->scene, run->world, frame, timeStep );
	result = result == pn_success ? pnWorld_Step( run->world, timeStep, substeps ) : result;
	run->time += (double)timeStep;
	run->lastStep = (double)timeStep;
	run->frame = frame;
	return result == pn_success
			 ? 0
			 : pnFail( PN_EXIT_FAILURE, pnRunName, "the step to frame %d failed: %s", frame, pnResultText( result ) );
}

// What comes after the last step, if the run came so far.
int pnRun_EndScript( pnRun* run )
{
	float timeStep = run->timeStep;
	int substeps = run->substeps;
	pnFault fault;
	bool isThere = run->script != NULL && run->lastFrame == run->scriptSteps;
	return isThere && pnPlay( &run->player, run->world, &timeStep, &substeps, &fault ) == pn_faultState ? pnFailScript( run, &fault ) : 0;
}

// The commands of this run, with the length of every step, and the hash it came to.
int pnRun_Record( const pnRun* run )
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

int pnRun_OpenWorld( pnRun* run )
{
	const pnRunOptions* options = &run->options;
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks.workerCount = options->threads;
	def.enableSleep = def.enableSleep && run->scene->sleepless == false;
	pnResult result = pnCreateWorld( &def, &run->world );
	if ( result != pn_success )
	{
		return pnFail( PN_EXIT_FAILURE, pnRunName, "cannot make the world: %s", pnResultText( result ) );
	}
	float rate = options->rate > 0.0 ? (float)options->rate : run->scene->rate;
	run->substeps = options->substeps > 0 ? options->substeps : run->scene->substeps;
	if ( options->load == NULL )
	{
		result = pnFillScene( run->scene, run->world );
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
