// room.h - a world that people share: commands in, steps, frames out. Knows no sockets, no files, no clock and no JavaScript.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Everything anyone does is a command (scenes/command.h, docs/hands.md). Those that arrived before a step are applied in a fixed order, by owner
// and then by sequence, so a room and a list of commands per step come to the same bits wherever they run. What was done is kept as a
// script that plays again to the same hash.
#pragma once

#include "command.h"
#include "pliant/pliant.h"
#include "scenes.h"

typedef struct pnRoom pnRoom; // one thread at a time

typedef struct pnRoomDef
{
	pnTaskSystem tasks;
	int undoCount; // at most so many deeds can be undone
	size_t undoBytes; // and so many bytes are kept for undo and redo together; one deed always can
	size_t recordBytes; // as long may the script become
	int cookie;
} pnRoomDef;
pnRoomDef pnDefaultRoomDef( void );

pnResult pnCreateRoom( const pnRoomDef* def, pnRoom** room ); // empty: no scene, no floor
void pnDestroyRoom( pnRoom* room ); // NULL is fine
pnWorld* pnRoom_GetWorld( pnRoom* room ); // another one after each load, undo and redo. To look at: what is done to it is not in the script

#define PN_MAX_QUEUE 4096 // commands that wait for the next step

// Lines of commands from one person, to be applied before the next step. A line that cannot be read, and a hand that is not the owner's,
// is answered with why. Owner 0 may use any hand: a script. Sequence is the sender's own number of this message, for the answer.
void pnRoom_Post( pnRoom* room, uint32_t owner, uint32_t sequence, const char* text, size_t length );
// Applies what waits, then makes so many steps; 0: only applies. A step that fails is answered, and the world is as it was before it.
void pnRoom_Advance( pnRoom* room, int steps );
// A script from its first line to its last, steps included. False: fault says where it ended and why.
bool pnRoom_Play( pnRoom* room, const char* text, size_t length, pnFault* fault );
// Asked after each step of a long job, done of total in steps; false ends the job there. Called by the thread that does the job.
typedef bool pnWatchFcn( void* context, double done, double total );
// The same; if the watcher ends it, false, and the fault's line is the one that it was in. The room is whole then, after the step that was made last.
bool pnRoom_PlayWatched( pnRoom* room, const char* text, size_t length, pnWatchFcn* watch, void* context, pnFault* fault );

uint32_t pnRoom_GetStep( const pnRoom* room ); // made since the room is there, those that failed too; undo does not turn it back
float pnRoom_GetRate( const pnRoom* room ); // steps a second
uint64_t pnRoom_GetHash( const pnRoom* room );
const char* pnRoom_GetScene( const pnRoom* room ); // its name, "" if there is none
bool pnRoom_KeepsWorldFor( const pnCommand* command ); // a world is kept before it is applied, so that it can be undone
// All that was done, as commands. Ends with the hash that it comes to. Borrowed until the next call; NULL: it became too long to keep, or no memory.
const char* pnRoom_GetScript( pnRoom* room, size_t* length );
// The room's world, scene and step length as bytes, as `pliant run --save` writes them; NULL asks for the size. 0: no memory.
size_t pnRoom_Save( const pnRoom* room, void* bytes, size_t capacity );
// Unless pn_success nothing has changed. It can be undone. From here on the script begins with these bytes and cannot be played without them:
// pnRoom_GetScript tells so.
pnResult pnRoom_Restore( pnRoom* room, const void* bytes, size_t size );

// All that the room needs to go on with the same bits wherever it is loaded, pnRoom_GetScript aside; between two steps, when nothing waits.
// Of the worlds that can be undone to it holds the latest, as many as pastBytes allow; an undo beyond them finds pnRoom_LacksPast. To be
// freed. NULL: no memory, or something waits.
uint8_t* pnRoom_SaveImage( const pnRoom* room, size_t pastBytes, size_t* size );
// The same in two parts: what depends on the room as it is now, which takes as long as a snapshot of its world; and the rest, in any thread and however
// long after.
typedef struct pnRoomImage pnRoomImage;
pnRoomImage* pnRoom_BeginImage( const pnRoom* room, size_t pastBytes );
uint8_t* pnFinishRoomImage( pnRoomImage* image, size_t* size ); // takes it. NULL: no memory
void pnDestroyRoomImage( pnRoomImage* image ); // one that is not to be finished; NULL is fine
// Unless pn_success nothing has changed. The bounds of what can be undone become those of the room that was saved: they decide what an undo does.
pnResult pnRoom_LoadImage( pnRoom* room, const void* bytes, size_t size );
// An undo or redo needed a world that this room never had: it no longer agrees with the others and must load an image.
bool pnRoom_LacksPast( const pnRoom* room );
// Bytes of the worlds that can be undone and redone to: at most undoBytes, or one world if that is larger.
size_t pnRoom_GetHistory( const pnRoom* room );
// What can be redone goes, then the eldest that can be undone, until no more bytes than these are kept. It decides what an undo does: only where
// nobody else has this room, and before an image of it.
void pnRoom_TrimHistory( pnRoom* room, size_t bytes );
// What comes before some steps, as it is sent and logged (docs/wire.md). Its commands wait for pnRoom_Advance, in the order in which they
// are, whoever's they are; `steps` is how many are to be made after. pn_badImage: it cannot be read. pn_invalidInput: it is not of the step
// that this room is at. Then nothing waits. What is done by ticks is not in the script: whoever sends them has it.
pnResult pnRoom_PostTick( pnRoom* room, const void* bytes, size_t size, int* steps );

// What the room has to say to a command.
typedef enum pnAnswerKind
{
	pn_doneAnswer, // only of commands that are a question, or undo and redo
	pn_nothingAnswer, // it changed nothing, and here is why
	pn_refusedAnswer,
	pn_differsAnswer,
	pn_faultAnswer, // it cannot be read
} pnAnswerKind;

typedef struct pnAnswer
{
	uint64_t serial; // rises from answer to answer
	uint32_t owner, sequence;
	pnAnswerKind kind;
	bool isPick; // to `ask ray`
	pnRayHit pick;
	char text[224];
} pnAnswer;

#define PN_MAX_ANSWERS 256 // the latest are kept
// The answer that follows this serial, or NULL. Begin with 0.
const pnAnswer* pnRoom_GetAnswer( const pnRoom* room, uint64_t after );
