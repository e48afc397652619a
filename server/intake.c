// intake.c - a visitor's commands: read, allowed or refused, put where the next step finds them. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "intake.h"

#include "desk.h"

#include <stdlib.h>
#include <string.h>

// What a server's steps may become by commands: others have to make them too.
static const float pnLeastRate = 20.0f, pnMostRate = 240.0f;
enum
{
	PN_MOST_SUBSTEPS = 16,
	PN_MOST_GLIDE = 600, // steps that a hand may be under way
};

typedef struct pnIntake { pnVisitor* visitor; double now; uint32_t sequence; bool isHost, streams; uint32_t flags; bool isFull; } pnIntake;

static bool pnIsHandCommand( const pnCommand* command ) { return command->kind >= pn_grabCommand && command->kind <= pn_letGoCommand; }

static bool pnIsOfScene( pnCommandKind kind )
{
	return kind == pn_loadCommand || kind == pn_spawnCommand || kind == pn_solidCommand || kind == pn_removeCommand || kind == pn_shapeCommand ||
		   kind == pn_gravityCommand || kind == pn_rateCommand || kind == pn_substepsCommand;
}

// Why it is not allowed, or NULL.
static const char* pnForbid( const pnIntake* intake, const pnCommand* command )
{
	const pnVisitor* visitor = intake->visitor;
	if ( visitor->looksOn && command->kind != pn_askCommand )
	{
		return "you only look on";
	}
	if ( pnIsHandCommand( command ) && command->owner != visitor->owner )
	{
		return "this hand is another's";
	}
	if ( pnIsHandCommand( command ) && command->hand > PN_MAX_HAND )
	{
		return "hands are numbered from 0 to 31";
	}
	if ( intake->isHost == false && ( intake->flags & PN_SCENE_LOCKED_FLAG ) != 0 && pnIsOfScene( command->kind ) )
	{
		return "the host has locked the scene";
	}
	if ( intake->isHost == false && ( intake->flags & PN_MATERIALS_LOCKED_FLAG ) != 0 && command->kind == pn_materialCommand )
	{
		return "the host has locked the materials";
	}
	switch ( command->kind )
	{
	case pn_stepCommand:
		return "steps are the room's to make";
	case pn_expectCommand:
		return "hashes are compared anyway";
	case pn_askCommand:
		return intake->streams ? NULL : "ask your own room";
	case pn_rateCommand:
		return intake->isHost == false									 ? "only the host can do that"
			 : command->rate >= pnLeastRate && command->rate <= pnMostRate ? NULL
																		 : "a shared room makes 20 to 240 steps a second";
	case pn_substepsCommand:
		return intake->isHost == false ? "only the host can do that" : command->substeps <= PN_MOST_SUBSTEPS ? NULL : "a shared room makes up to 16 substeps";
	case pn_spawnCommand:
		return intake->isFull ? "the room is full of things: remove some" : NULL;
	case pn_moveCommand:
		return command->steps <= PN_MOST_GLIDE ? NULL : "a hand may be under way for 600 steps";
	default:
		return NULL;
	}
}

// Whether there is enough left of what it takes.
static bool pnAfford( const pnIntake* intake, const pnCommand* command )
{
	pnVisitor* visitor = intake->visitor;
	double now = intake->now;
	switch ( command->kind )
	{
	case pn_cutCommand:
		return pnSpendBudget( visitor, pn_cutsBudget, 1.0f, now ) && pnSpendBudget( visitor, pn_deedsBudget, 1.0f, now );
	case pn_spawnCommand:
		return pnSpendBudget( visitor, pn_spawnsBudget, 1.0f, now ) && pnSpendBudget( visitor, pn_deedsBudget, 1.0f, now );
	case pn_loadCommand:
		return pnSpendBudget( visitor, pn_loadsBudget, 1.0f, now ) && pnSpendBudget( visitor, pn_deedsBudget, 1.0f, now );
	case pn_solidCommand:
		return pnSpendBudget( visitor, pn_verticesBudget, (float)( command->pointCount + command->triangleCount ), now );
	case pn_grabCommand:
	case pn_pushCommand:
	case pn_removeCommand:
	case pn_throwCommand:
	case pn_pinCommand:
	case pn_unpinCommand:
	case pn_undoCommand:
	case pn_redoCommand:
		return pnSpendBudget( visitor, pn_deedsBudget, 1.0f, now );
	case pn_shapeCommand:
		return command->deed == pn_moveDeed || pnSpendBudget( visitor, pn_deedsBudget, 1.0f, now );
	case pn_askCommand:
		return pnSpendBudget( visitor, pn_asksBudget, 1.0f, now );
	default:
		return true;
	}
}

// Those that keep, make or bring back a world or a solid: they take as long as steps do.
static bool pnIsHeavy( const pnCommand* command )
{
	return pnRoom_KeepsWorldFor( command ) || command->kind == pn_solidCommand || command->kind == pn_undoCommand || command->kind == pn_redoCommand;
}

static void pnRefuse( const pnIntake* intake, uint32_t outcome, const char* why )
{
	pnVisitor* visitor = intake->visitor;
	atomic_fetch_add( &visitor->hosted->house->refused, 1 );
	// One who is refused over and over is told so four times a second.
	if ( intake->now - visitor->refusalTime < 0.25 && visitor->refusals > 8 )
	{
		return;
	}
	visitor->refusals = intake->now - visitor->refusalTime < 0.25 ? visitor->refusals + 1 : 0;
	visitor->refusalTime = visitor->refusals == 0 ? intake->now : visitor->refusalTime;
	size_t begin = pnBeginWaiting( visitor );
	pnPutAnswer( &visitor->waiting, intake->sequence, outcome, why );
	pnEndWaiting( visitor, begin );
}

// A hand that is moved again before the step was only ever there.
static bool pnMoveAgain( pnHosted* hosted, const pnCommand* command )
{
	for ( int i = hosted->inboxCount - 1; i >= 0; --i )
	{
		pnEntry* entry = hosted->inbox + i;
		if ( entry->owner == command->owner && entry->isMove == false )
		{
			return false;
		}
		if ( entry->owner == command->owner && entry->hand == command->hand )
		{
			entry->place = command->place;
			return true;
		}
	}
	return false;
}

static int pnCountWaiting( const pnHosted* hosted, uint32_t sender )
{
	int count = 0;
	for ( int i = 0; i < hosted->inboxCount; ++i )
	{
		count += hosted->inbox[i].sender == sender ? 1 : 0;
	}
	return count;
}

static void pnPutInInbox( const pnIntake* intake, const pnCommand* command, const char* line, size_t length )
{
	pnHosted* hosted = intake->visitor->hosted;
	uint32_t owner = intake->visitor->owner;
	pnEntry entry = { .sender = owner, .owner = owner, .sequence = intake->sequence, .isAsk = command->kind == pn_askCommand, .isHeavy = pnIsHeavy( command ) };
	bool isPlainMove = command->kind == pn_moveCommand && command->steps == 1;
	if ( isPlainMove && pnMoveAgain( hosted, command ) )
	{
		return;
	}
	if ( hosted->inboxCount >= PN_MAX_INBOX || pnCountWaiting( hosted, owner ) >= PN_MAX_OF_ONE || hosted->inboxBytes + length > PN_MAX_INBOX_BYTES )
	{
		pnRefuse( intake, 2, "too many of your commands wait for the next step" );
		return;
	}
	if ( isPlainMove )
	{
		entry.isMove = true;
		entry.hand = command->hand;
		entry.place = command->place;
	}
	else
	{
		// What the host turns back need not be the host's.
		bool turnsBack = command->kind == pn_undoCommand || command->kind == pn_redoCommand;
		entry.owner = turnsBack && intake->isHost ? 0 : entry.owner;
		entry.text = malloc( length + 1 );
		if ( entry.text == NULL )
		{
			pnRefuse( intake, 2, "there is no memory" );
			return;
		}
		memcpy( entry.text, line, length );
		entry.text[length] = 0;
		entry.length = length;
		hosted->inboxBytes += length;
	}
	hosted->inbox[hosted->inboxCount++] = entry;
}

// False: it sends too much.
static bool pnTakeLine( const pnIntake* intake, const char* line, size_t length )
{
	pnVisitor* visitor = intake->visitor;
	pnCommand command;
	pnFault fault;
	bool isRead = pnSpendBudget( visitor, pn_linesBudget, 1.0f, intake->now );
	bool good = isRead && pnParseCommand( line, length, &command, &fault );
	pthread_mutex_lock( &visitor->hosted->lock );
	if ( good )
	{
		const char* why = command.kind != pn_noCommand ? pnForbid( intake, &command ) : NULL;
		if ( why != NULL )
		{
			pnRefuse( intake, 2, why );
		}
		else if ( command.kind != pn_noCommand && pnAfford( intake, &command ) == false )
		{
			pnRefuse( intake, 2, "not so much at once" );
		}
		else if ( command.kind != pn_noCommand )
		{
			pnPutInInbox( intake, &command, line, length );
		}
	}
	else
	{
		pnRefuse( intake, isRead ? 4 : 2, isRead ? fault.text : "not so much at once" );
	}
	pthread_mutex_unlock( &visitor->hosted->lock );
	return isRead;
}

void pnTakeCommands( pnVisitor* visitor, const pnMessage* message, double now )
{
	pnHosted* hosted = visitor->hosted;
	pthread_mutex_lock( &hosted->lock );
	bool isHost = visitor->looksOn == false;
	for ( const pnVisitor* one = hosted->visitors; one != NULL; one = one->next )
	{
		isHost = isHost && ( one->isGone || one->looksOn || one->owner >= visitor->owner );
	}
	pnIntake intake = { visitor, now, message->sequence, isHost, visitor->mode == pn_streamSeeing, hosted->facts.flags, hosted->isFull };
	pthread_mutex_unlock( &hosted->lock );
	for ( size_t begin = 0; begin < message->length; )
	{
		const char* end = memchr( message->text + begin, '\n', message->length - begin );
		size_t count = end != NULL ? (size_t)( end - message->text ) - begin : message->length - begin;
		if ( count > 0 && pnTakeLine( &intake, message->text + begin, count ) == false )
		{
			break; // the rest of it would be too much too
		}
		begin += count + 1;
	}
}
