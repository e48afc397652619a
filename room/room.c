// room.c - a world that people share: what waits, what is done, in which order, and what was done. Knows no frames.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "room_inside.h"

#include "past.h"
#include "room_scenes.h"
#include "saved.h"
#include "shape.h"

#include <stdlib.h>
#include <string.h>

enum
{
	PN_ROOM_COOKIE = 0x726f6f6d
};

pnRoomDef pnDefaultRoomDef( void )
{
	return ( pnRoomDef ){ .undoCount = 64, .undoBytes = 96u << 20, .recordBytes = 32u << 20, .cookie = PN_ROOM_COOKIE };
}

pnResult pnMakeWorld( const pnRoom* room, pnWorld** world )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.tasks = room->def.tasks;
	return pnCreateWorld( &def, world );
}

pnResult pnCreateRoom( const pnRoomDef* def, pnRoom** out )
{
	*out = NULL;
	if ( def->cookie != PN_ROOM_COOKIE || def->undoCount < 1 || def->undoCount > PN_MAX_PASTS )
	{
		return pn_invalidInput;
	}
	pnRoom* room = calloc( 1, sizeof( pnRoom ) );
	if ( room == NULL )
	{
		return pn_outOfMemory;
	}
	room->def = *def;
	room->rate = 60.0f;
	room->substeps = 4;
	room->epoch = 1;
	room->queue = malloc( PN_MAX_QUEUE * sizeof( pnWaiting ) );
	pnResult result = room->queue != NULL ? pnMakeWorld( room, &room->world ) : pn_outOfMemory;
	if ( result != pn_success )
	{
		pnDestroyRoom( room );
		return result;
	}
	*out = room;
	return pn_success;
}

static void pnEmptyQueue( pnRoom* room )
{
	for ( int i = 0; i < room->queueCount; ++i )
	{
		free( room->queue[i].line );
	}
	room->queueCount = 0;
}

void pnDestroyRoom( pnRoom* room )
{
	if ( room == NULL )
	{
		return;
	}
	pnEmptyQueue( room );
	free( room->queue );
	pnForgetPasts( &room->undo );
	pnForgetPasts( &room->redo );
	pnFreeSolids( &room->solids );
	pnDestroyWorld( room->world );
	free( room->topology );
	free( room->record );
	free( room );
}

pnWorld* pnRoom_GetWorld( pnRoom* room ) { return room->world; }
uint32_t pnRoom_GetStep( const pnRoom* room ) { return room->step; }
float pnRoom_GetRate( const pnRoom* room ) { return room->rate; }
uint64_t pnRoom_GetHash( const pnRoom* room ) { return pnWorld_GetHash( room->world ); }
const char* pnRoom_GetScene( const pnRoom* room ) { return room->scene != NULL ? room->scene->name : ""; }

// ---- answers ----

static pnAnswer* pnAnswerTo( pnRoom* room, uint32_t owner, uint32_t sequence, pnAnswerKind kind, const char* text )
{
	room->answerCount += 1;
	pnAnswer* answer = room->answers + room->answerCount % PN_MAX_ANSWERS;
	*answer = ( pnAnswer ){ .serial = room->answerCount, .owner = owner, .sequence = sequence, .kind = kind };
	size_t length = strlen( text );
	length = length < sizeof( answer->text ) - 1 ? length : sizeof( answer->text ) - 1;
	memcpy( answer->text, text, length );
	return answer;
}

const pnAnswer* pnRoom_GetAnswer( const pnRoom* room, uint64_t after )
{
	uint64_t oldest = room->answerCount > PN_MAX_ANSWERS ? room->answerCount - PN_MAX_ANSWERS + 1 : 1;
	uint64_t next = after + 1 > oldest ? after + 1 : oldest;
	return next <= room->answerCount ? room->answers + next % PN_MAX_ANSWERS : NULL;
}

// ---- the script ----

static bool pnAppend( pnRoom* room, const char* text, size_t length )
{
	if ( room->recordFull || room->recordLength + length + 1 > room->def.recordBytes )
	{
		room->recordFull = true;
		return false;
	}
	if ( room->recordLength + length + 1 > room->recordCapacity )
	{
		size_t capacity = 2 * ( room->recordLength + length ) + 4096;
		char* record = realloc( room->record, capacity );
		if ( record == NULL )
		{
			room->recordFull = true;
			return false;
		}
		room->record = record;
		room->recordCapacity = capacity;
	}
	memcpy( room->record + room->recordLength, text, length );
	room->recordLength += length;
	room->record[room->recordLength] = 0;
	return true;
}

static void pnAppendSteps( pnRoom* room, int steps )
{
	char text[32] = "step ";
	char digits[12];
	int count = 0, length = 5;
	for ( int left = steps; left > 0; left /= 10 )
	{
		digits[count++] = (char)( '0' + left % 10 );
	}
	while ( count > 0 )
	{
		text[length++] = digits[--count];
	}
	pnAppend( room, text, (size_t)length );
}

static void pnWriteSteps( pnRoom* room )
{
	if ( room->recordSteps > 0 )
	{
		pnAppendSteps( room, room->recordSteps );
		pnAppend( room, "\n", 1 );
		room->recordSteps = 0;
	}
}

static void pnRecordLine( pnRoom* room, const char* line, size_t length )
{
	pnWriteSteps( room );
	pnAppend( room, line, length );
	pnAppend( room, "\n", 1 );
}

const char* pnRoom_GetScript( pnRoom* room, size_t* length )
{
	*length = 0;
	pnWriteSteps( room );
	size_t end = room->recordLength;
	pnFault hash = { 0 };
	pnSay( &hash, room->recordLoaded ? "# from a saved world, which this does not hold: " : "" );
	pnSay( &hash, "expect hash " );
	pnSayHash( &hash, pnRoom_GetHash( room ) );
	pnSay( &hash, "\n" );
	if ( pnAppend( room, hash.text, strlen( hash.text ) ) == false )
	{
		return NULL;
	}
	*length = room->recordLength;
	room->recordLength = end; // what comes next goes on before the hash
	return room->record;
}

// ---- what is done ----

void pnNotePieces( pnRoom* room )
{
	pnPieces pieces = pnWorld_GetPieces( room->world );
	for ( int i = 0; i < pieces.count; ++i )
	{
		const pnPiece* piece = pieces.pieces + i;
		if ( piece->serial <= room->pieceSerial )
		{
			continue;
		}
		room->pieceSerial = piece->serial;
		int index = piece->body.index1;
		if ( index >= room->topologyCount )
		{
			int count = 2 * index + 64;
			uint32_t* topology = realloc( room->topology, (size_t)count * sizeof( uint32_t ) );
			if ( topology == NULL )
			{
				room->epoch += 1; // everything is sent anew instead
				return;
			}
			memset( topology + room->topologyCount, 0, (size_t)( count - room->topologyCount ) * sizeof( uint32_t ) );
			room->topology = topology;
			room->topologyCount = count;
		}
		room->topology[index] += 1;
	}
}

void pnBeginAnew( pnRoom* room )
{
	room->epoch += 1;
	pnPieces pieces = pnWorld_GetPieces( room->world );
	room->pieceSerial = pieces.count > 0 ? pieces.pieces[pieces.count - 1].serial : 0;
	room->glides.count = 0;
}

static pnOutcome pnDoLoad( pnRoom* room, const pnCommand* command )
{
	const pnScene* scene = pnFindRoomScene( command->name );
	pnWorld* world = NULL;
	if ( scene == NULL )
	{
		return pn_nothingOutcome;
	}
	if ( pnMakeWorld( room, &world ) != pn_success || scene->create( world ) != pn_success )
	{
		pnDestroyWorld( world );
		return pn_refusedOutcome;
	}
	pnDestroyWorld( room->world );
	room->world = world;
	room->scene = scene;
	room->still = command->still;
	room->frame = 0;
	room->rate = scene->rate;
	room->substeps = scene->substeps;
	pnBeginAnew( room );
	return pn_doneOutcome;
}

static pnOutcome pnDoSpawn( pnRoom* room, const pnCommand* command )
{
	const pnNamedSolid* named = pnFindSolid( &room->solids, command->name );
	if ( named == NULL )
	{
		return pn_nothingOutcome;
	}
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = named->solid;
	def.material = named->material;
	if ( pnMixMaterial( command, &def.material ) == false )
	{
		return pn_nothingOutcome;
	}
	def.transform.p = command->place;
	const float degree = 3.14159265f / 180.0f;
	if ( pnDot( command->axis, command->axis ) > 0.0f )
	{
		def.transform.q = pnSceneTurn( command->axis, degree * command->angle );
	}
	def.velocity = command->velocity;
	def.angularVelocity = command->spin;
	def.userData = command->color != 0 ? pnPaintSolid( named, command->color ) : named->colors;
	pnBodyId body;
	return pnCreateBody( room->world, &def, &body ) == pn_success ? pn_doneOutcome : pn_refusedOutcome;
}

static pnOutcome pnDoUndo( pnRoom* room, pnPasts* from, pnPasts* to )
{
	if ( from->count == 0 )
	{
		return pn_nothingOutcome;
	}
	pnPast now;
	if ( pnTakePast( room, &now ) == false )
	{
		return pn_refusedOutcome;
	}
	pnPast* past = from->list + from->count - 1;
	now.owner = past->owner;
	if ( past->image == NULL )
	{
		room->lacksPast = true;
		pnFreePast( &now );
		return pn_refusedOutcome;
	}
	if ( pnWorld_Restore( room->world, past->image->bytes, past->size ) != pn_success )
	{
		pnFreePast( &now );
		return pn_refusedOutcome;
	}
	room->scene = past->scene;
	room->still = past->still;
	room->frame = past->frame;
	room->rate = past->rate;
	room->substeps = past->substeps;
	pnBeginAnew( room );
	if ( past->glides != NULL )
	{
		room->glides = *past->glides;
	}
	pnDropPast( from, from->count - 1 );
	pnKeepPast( to, from, &now, &room->def );
	room->lastDeed.kind = pn_noCommand;
	return pn_doneOutcome;
}

bool pnRoom_KeepsWorldFor( const pnCommand* command )
{
	switch ( command->kind )
	{
	case pn_grabCommand:
	case pn_pushCommand:
	case pn_cutCommand:
	case pn_gravityCommand:
	case pn_removeCommand:
	case pn_throwCommand:
	case pn_pinCommand:
	case pn_unpinCommand:
	case pn_materialCommand:
	case pn_spawnCommand:
	case pn_loadCommand:
		return true;
	case pn_shapeCommand:
		return command->deed != pn_moveDeed;
	default:
		return false;
	}
}

// A slider that is drawn along is one deed.
static bool pnGoesOn( const pnRoom* room, const pnCommand* command )
{
	const pnCommand* last = &room->lastDeed;
	bool isSlider = command->kind == pn_materialCommand || command->kind == pn_gravityCommand;
	return isSlider && last->kind == command->kind && last->body.index1 == command->body.index1 &&
		   last->body.generation == command->body.generation && (float)( room->step - room->lastDeedStep ) < room->rate && room->undo.count > 0;
}

static pnOutcome pnDoOne( pnRoom* room, const pnWaiting* waiting )
{
	const pnCommand* command = &waiting->command;
	switch ( command->kind )
	{
	case pn_spawnCommand:
		return pnDoSpawn( room, command );
	case pn_solidCommand:
		return pnBringSolid( &room->solids, command, waiting->line, waiting->length ) == pn_success ? pn_doneOutcome : pn_refusedOutcome;
	case pn_loadCommand:
		return pnDoLoad( room, command );
	case pn_undoCommand:
		return pnDoUndo( room, &room->undo, &room->redo );
	case pn_redoCommand:
		return pnDoUndo( room, &room->redo, &room->undo );
	case pn_rateCommand:
		room->rate = command->rate;
		return pn_doneOutcome;
	case pn_substepsCommand:
		room->substeps = command->substeps;
		return pn_doneOutcome;
	case pn_moveCommand:
		if ( command->steps > 1 )
		{
			return pnHasHand( room->world, command->owner, command->hand ) ? pn_doneOutcome : pn_nothingOutcome;
		}
		return pnApplyCommand( room->world, command );
	default:
		return pnApplyCommand( room->world, command );
	}
}

static pnOutcome pnDo( pnRoom* room, const pnWaiting* waiting )
{
	const pnCommand* command = &waiting->command;
	bool isDeed = pnRoom_KeepsWorldFor( command ), isNew = isDeed && pnGoesOn( room, command ) == false;
	pnPast past = { 0 };
	if ( isNew && pnTakePast( room, &past ) == false )
	{
		return pn_refusedOutcome;
	}
	pnOutcome outcome = pnDoOne( room, waiting );
	if ( outcome != pn_doneOutcome )
	{
		pnFreePast( &past );
		return outcome;
	}
	if ( isDeed )
	{
		pnForgetPasts( &room->redo );
	}
	if ( isNew )
	{
		past.owner = waiting->owner;
		pnKeepPast( &room->undo, &room->redo, &past, &room->def );
	}
	if ( isDeed )
	{
		room->lastDeed = *command;
		room->lastDeedStep = room->step;
	}
	if ( command->kind != pn_undoCommand && command->kind != pn_redoCommand )
	{
		pnKeepGlides( &room->glides, command );
	}
	pnNotePieces( room );
	return outcome;
}

// One turns back one's own deeds, and what nobody in particular did; owner 0 whatever was done.
static bool pnMayTurnBack( const pnRoom* room, const pnCommand* command, uint32_t owner )
{
	const pnPasts* pasts = command->kind == pn_undoCommand ? &room->undo : command->kind == pn_redoCommand ? &room->redo : NULL;
	uint32_t doer = pasts != NULL && pasts->count > 0 ? pasts->list[pasts->count - 1].owner : 0;
	return owner == 0 || doer == 0 || doer == owner;
}

// Does it, records it if it did something, answers it if not.
static pnOutcome pnPerform( pnRoom* room, const pnWaiting* waiting )
{
	const pnCommand* command = &waiting->command;
	if ( command->kind == pn_askCommand )
	{
		pnAnswer* answer = pnAnswerTo( room, waiting->owner, waiting->sequence, pn_doneAnswer, "" );
		answer->isPick = true;
		answer->pick = pnCastEyeRay( room->world, command->place, command->ray );
		return pn_doneOutcome;
	}
	if ( pnMayTurnBack( room, command, waiting->owner ) == false )
	{
		pnAnswerTo( room, waiting->owner, waiting->sequence, pn_nothingAnswer, "the last deed was another's" );
		return pn_nothingOutcome;
	}
	pnOutcome outcome = pnDo( room, waiting );
	if ( outcome == pn_doneOutcome )
	{
		if ( command->kind != pn_expectCommand && waiting->line != NULL )
		{
			pnRecordLine( room, waiting->line, waiting->length );
		}
		return outcome;
	}
	pnAnswerTo( room, waiting->owner, waiting->sequence, (pnAnswerKind)outcome, pnExplainOutcome( command, outcome ) );
	return outcome;
}

// ---- what waits ----

static bool pnIsOwn( const pnCommand* command, uint32_t owner )
{
	bool isHand = command->kind >= pn_grabCommand && command->kind <= pn_letGoCommand;
	return owner == 0 || isHand == false || command->owner == owner;
}

static void pnPostLine( pnRoom* room, uint32_t owner, uint32_t sequence, const char* line, size_t length )
{
	if ( room->queueCount == PN_MAX_QUEUE )
	{
		pnAnswerTo( room, owner, sequence, pn_refusedAnswer, "too many commands wait for the next step" );
		return;
	}
	pnWaiting* waiting = room->queue + room->queueCount;
	*waiting = ( pnWaiting ){ .owner = owner, .sequence = sequence, .order = room->queueCount, .length = length };
	// The command borrows from its line, so the line is copied first.
	waiting->line = malloc( length + 1 );
	if ( waiting->line == NULL )
	{
		pnAnswerTo( room, owner, sequence, pn_refusedAnswer, "there is no memory" );
		return;
	}
	memcpy( waiting->line, line, length );
	waiting->line[length] = 0;
	pnFault fault;
	bool good = pnParseCommand( waiting->line, length, &waiting->command, &fault );
	if ( good && waiting->command.kind == pn_stepCommand )
	{
		good = false;
		pnSay( &fault, "steps are the room's to make" );
	}
	else if ( good && pnIsOwn( &waiting->command, owner ) == false )
	{
		good = false;
		pnSay( &fault, "this hand is another's" );
	}
	if ( good && waiting->command.kind != pn_noCommand )
	{
		room->queueCount += 1;
		return;
	}
	if ( good == false )
	{
		pnAnswerTo( room, owner, sequence, pn_faultAnswer, fault.text );
	}
	free( waiting->line );
}

void pnRoom_Post( pnRoom* room, uint32_t owner, uint32_t sequence, const char* text, size_t length )
{
	for ( size_t begin = 0; begin < length; )
	{
		const char* end = memchr( text + begin, '\n', length - begin );
		size_t count = end != NULL ? (size_t)( end - text ) - begin : length - begin;
		pnPostLine( room, owner, sequence, text + begin, count );
		begin += count + 1;
	}
}

static int pnCompareWaiting( const void* a, const void* b )
{
	const pnWaiting *x = a, *y = b;
	return x->owner != y->owner		  ? ( x->owner < y->owner ? -1 : 1 )
		 : x->sequence != y->sequence ? ( x->sequence < y->sequence ? -1 : 1 )
									  : x->order - y->order;
}

static pnResult pnStepRoom( pnRoom* room, float timeStep, int substeps )
{
	if ( room->scene != NULL && room->still == false &&
		 pnLeadScene( room->scene, room->world, room->frame + 1, &timeStep, &substeps ) != pn_success )
	{
		// What its hands held is gone or changed: they rest from now on.
		room->still = true;
	}
	pnStepGlides( &room->glides, room->world );
	pnResult result = pnWorld_Step( room->world, timeStep, substeps );
	room->step += 1;
	if ( result != pn_success )
	{
		pnAnswerTo( room, 0, 0, pn_refusedAnswer, pnResultText( result ) );
		return result;
	}
	room->frame += 1;
	room->time += (double)timeStep;
	pnNotePieces( room );
	return pn_success;
}

void pnRoom_Advance( pnRoom* room, int steps )
{
	if ( room->isOrdered == false )
	{
		qsort( room->queue, (size_t)room->queueCount, sizeof( pnWaiting ), pnCompareWaiting );
	}
	room->isOrdered = false;
	for ( int i = 0; i < room->queueCount; ++i )
	{
		pnPerform( room, room->queue + i );
	}
	pnEmptyQueue( room );
	for ( int i = 0; i < steps && pnStepRoom( room, 1.0f / room->rate, room->substeps ) == pn_success; ++i )
	{
		room->recordSteps += 1;
	}
}

typedef struct pnWatch { pnWatchFcn* ask; void* context; double done, total; } pnWatch; // steps

static bool pnPlayLine( pnRoom* room, const char* line, size_t length, pnWatch* watch, pnFault* fault )
{
	pnWaiting one = { .line = (char*)line, .length = length };
	if ( pnParseCommand( line, length, &one.command, fault ) == false )
	{
		return false;
	}
	const pnCommand* command = &one.command;
	fault->column = 1;
	if ( command->kind == pn_noCommand )
	{
		return true;
	}
	if ( command->kind == pn_stepCommand )
	{
		float timeStep = command->timeStep > 0.0f ? command->timeStep : 1.0f / room->rate;
		int substeps = command->substeps > 0 ? command->substeps : room->substeps;
		bool isUsual = timeStep == 1.0f / room->rate && substeps == room->substeps;
		int made = 0;
		bool goesOn = true;
		for ( ; made < command->steps && goesOn; ++made )
		{
			if ( pnStepRoom( room, timeStep, substeps ) != pn_success )
			{
				pnSay( fault, "the step failed" );
				return false;
			}
			room->recordSteps += isUsual ? 1 : 0;
			watch->done += 1.0;
			goesOn = watch->ask == NULL || watch->ask( watch->context, watch->done, watch->total );
		}
		if ( isUsual == false && made == command->steps )
		{
			pnRecordLine( room, line, length );
		}
		else if ( isUsual == false ) // as many as were made
		{
			const char* rest = line;
			const char* end = line + length;
			while ( rest < end && ( *rest < '0' || *rest > '9' ) )
			{
				rest += 1;
			}
			while ( rest < end && *rest >= '0' && *rest <= '9' )
			{
				rest += 1;
			}
			pnWriteSteps( room );
			pnAppendSteps( room, made );
			pnAppend( room, rest, (size_t)( end - rest ) );
			pnAppend( room, "\n", 1 );
		}
		if ( goesOn == false )
		{
			pnSay( fault, "stopped" );
		}
		return goesOn;
	}
	pnOutcome outcome = pnPerform( room, &one );
	if ( outcome == pn_doneOutcome || outcome == pn_nothingOutcome )
	{
		return true;
	}
	pnSay( fault, pnExplainOutcome( command, outcome ) );
	if ( outcome == pn_differsOutcome )
	{
		pnSay( fault, ": " );
		pnSayHash( fault, pnRoom_GetHash( room ) );
	}
	return false;
}

bool pnRoom_Play( pnRoom* room, const char* text, size_t length, pnFault* fault )
{
	return pnRoom_PlayWatched( room, text, length, NULL, NULL, fault );
}

bool pnRoom_PlayWatched( pnRoom* room, const char* text, size_t length, pnWatchFcn* ask, void* context, pnFault* fault )
{
	pnWatch watch = { ask, context, 0.0, 0.0 };
	if ( ask != NULL )
	{
		int total = pnCountSteps( text, length, fault ); // -1: a line is wrong, and will be told when it is its turn
		watch.total = total > 0 ? (double)total : (double)PN_MAX_COMMAND_STEPS;
	}
	int number = 0;
	for ( size_t begin = 0; begin < length; )
	{
		const char* end = memchr( text + begin, '\n', length - begin );
		size_t count = end != NULL ? (size_t)( end - text ) - begin : length - begin;
		number += 1;
		*fault = ( pnFault ){ 0 };
		if ( pnPlayLine( room, text + begin, count, &watch, fault ) == false )
		{
			fault->line = number;
			return false;
		}
		begin += count + 1;
	}
	*fault = ( pnFault ){ 0 };
	return true;
}

// ---- put aside ----

size_t pnRoom_Save( const pnRoom* room, void* bytes, size_t capacity )
{
	pnSavedRun run = { .frame = room->frame, .substeps = room->substeps, .rate = room->rate };
	const char* name = room->scene != NULL ? room->scene->name : "";
	memcpy( run.scene, name, strlen( name ) + 1 );
	return pnWriteSaved( room->world, &run, bytes, capacity );
}

size_t pnRoom_GetHistory( const pnRoom* room ) { return room->undo.bytes + room->redo.bytes; }

void pnRoom_TrimHistory( pnRoom* room, size_t bytes )
{
	while ( room->undo.count + room->redo.count > 0 && pnRoom_GetHistory( room ) > bytes )
	{
		pnDropPast( room->redo.count > 0 ? &room->redo : &room->undo, 0 );
	}
}

pnResult pnRoom_Restore( pnRoom* room, const void* bytes, size_t size )
{
	pnPast past;
	pnSavedRun run;
	if ( pnTakePast( room, &past ) == false )
	{
		return pn_outOfMemory;
	}
	pnResult result = pnReadSaved( bytes, size, room->world, &run );
	if ( result != pn_success )
	{
		pnFreePast( &past );
		return result;
	}
	pnForgetPasts( &room->redo );
	pnKeepPast( &room->undo, &room->redo, &past, &room->def );
	room->scene = pnFindRoomScene( run.scene );
	room->still = room->scene == NULL;
	room->frame = run.frame;
	room->rate = run.rate;
	room->substeps = run.substeps;
	room->recordLength = 0;
	room->recordSteps = 0;
	room->recordFull = false;
	room->recordLoaded = true;
	pnBeginAnew( room );
	return pn_success;
}
