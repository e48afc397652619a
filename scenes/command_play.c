// command_play.c - a script of commands, step by step, and hands that are on their way for some of them. Reads no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "command.h"

#include <string.h>

void pnStartPlayer( pnPlayer* player, const char* text, size_t length )
{
	player->text = text;
	player->length = length;
	player->offset = 0;
	player->line = 0;
	player->left = 0;
	player->glides.count = 0;
}

bool pnReadCommand( pnPlayer* player, pnCommand* command, pnFault* fault )
{
	*fault = ( pnFault ){ 0 };
	while ( player->offset < player->length )
	{
		const char* line = player->text + player->offset;
		const char* end = memchr( line, '\n', player->length - player->offset );
		size_t length = end != NULL ? (size_t)( end - line ) : player->length - player->offset;
		player->offset += length + ( end != NULL ? 1 : 0 );
		player->line += 1;
		if ( pnParseCommand( line, length, command, fault ) == false )
		{
			fault->line = player->line;
			return false;
		}
		if ( command->kind != pn_noCommand )
		{
			return true;
		}
	}
	return false;
}

static bool pnEndsGlide( const pnCommand* command, const pnCommand* move )
{
	bool isHand = command->kind == pn_grabCommand || command->kind == pn_pushCommand || command->kind == pn_moveCommand ||
				  command->kind == pn_dropCommand;
	return command->owner == move->owner && ( command->kind == pn_letGoCommand || ( isHand && command->hand == move->hand ) );
}

bool pnKeepGlides( pnGlides* glides, const pnCommand* command )
{
	int kept = 0;
	for ( int i = 0; i < glides->count; ++i )
	{
		if ( pnEndsGlide( command, &glides->glides[i].move ) == false )
		{
			glides->glides[kept++] = glides->glides[i];
		}
	}
	glides->count = kept;
	if ( command->kind != pn_moveCommand || command->steps <= 1 )
	{
		return true;
	}
	if ( kept == PN_MAX_GLIDES )
	{
		return false;
	}
	glides->glides[glides->count++] = ( pnGlide ){ *command, command->steps };
	return true;
}

static bool pnAccept( const pnPlayer* player, const pnWorld* world, pnOutcome outcome, const pnCommand* command, pnFault* fault )
{
	if ( outcome == pn_doneOutcome || outcome == pn_nothingOutcome )
	{
		return true;
	}
	*fault = ( pnFault ){ .line = player->line, .column = 1 };
	if ( outcome == pn_differsOutcome )
	{
		pnSay( fault, "the hash is " );
		pnSayHash( fault, pnWorld_GetHash( world ) );
		pnSay( fault, ", " );
		pnSayHash( fault, command->hash );
		pnSay( fault, " was expected" );
	}
	else
	{
		pnSay( fault, pnExplainOutcome( command, outcome ) );
	}
	return false;
}

bool pnStepGlides( pnGlides* glides, pnWorld* world )
{
	int kept = 0;
	bool good = true;
	for ( int i = 0; i < glides->count; ++i )
	{
		pnGlide glide = glides->glides[i];
		good = ( world == NULL || pnLeadHand( world, &glide.move, glide.left ) != pn_refusedOutcome ) && good;
		glide.left -= 1;
		if ( glide.left > 0 )
		{
			glides->glides[kept++] = glide;
		}
	}
	glides->count = kept;
	return good;
}

static pnPlayState pnAdvancePlayer( pnPlayer* player, pnWorld* world, pnFault* fault )
{
	*fault = ( pnFault ){ 0 };
	while ( player->left == 0 )
	{
		pnCommand command;
		if ( pnReadCommand( player, &command, fault ) == false )
		{
			return fault->line > 0 ? pn_faultState : pn_endState;
		}
		if ( pnKeepGlides( &player->glides, &command ) == false )
		{
			*fault = ( pnFault ){ player->line, 1, "no more than 64 hands may be on their way at once" };
			return pn_faultState;
		}
		if ( pnIsRoomCommand( command.kind ) )
		{
			*fault = ( pnFault ){ player->line, 1, "this is for a room, and a run is none; `pliant replay` takes it" };
			return pn_faultState;
		}
		if ( command.kind == pn_stepCommand )
		{
			player->step = command;
			player->left = command.steps;
		}
		else if ( world != NULL && ( command.kind != pn_moveCommand || command.steps == 1 ) &&
				  pnAccept( player, world, pnApplyCommand( world, &command ), &command, fault ) == false )
		{
			return pn_faultState;
		}
	}
	player->left -= 1;
	if ( pnStepGlides( &player->glides, world ) == false )
	{
		*fault = ( pnFault ){ player->line, 1, "the world does not take a hand's way" };
		return pn_faultState;
	}
	return pn_stepState;
}

pnPlayState pnPlay( pnPlayer* player, pnWorld* world, float* timeStep, int* substeps, pnFault* fault )
{
	pnPlayState state = pnAdvancePlayer( player, world, fault );
	if ( state == pn_stepState )
	{
		*timeStep = player->step.timeStep > 0.0f ? player->step.timeStep : *timeStep;
		*substeps = player->step.substeps > 0 ? player->step.substeps : *substeps;
	}
	return state;
}

pnPlayState pnSkip( pnPlayer* player, int steps, pnFault* fault )
{
	pnPlayState state = pn_stepState;
	for ( int i = 0; i < steps && state == pn_stepState; ++i )
	{
		state = pnAdvancePlayer( player, NULL, fault );
	}
	return state;
}

int pnCountSteps( const char* text, size_t length, pnFault* fault )
{
	pnPlayer player;
	pnStartPlayer( &player, text, length );
	pnCommand command;
	int64_t sum = 0;
	while ( pnReadCommand( &player, &command, fault ) )
	{
		sum += command.kind == pn_stepCommand ? command.steps : 0;
		if ( sum > PN_MAX_COMMAND_STEPS )
		{
			*fault = ( pnFault ){ player.line, 1, "a script has no more than 1000000 steps" };
			return -1;
		}
	}
	return fault->line > 0 ? -1 : (int)sum;
}
