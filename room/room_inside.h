// room_inside.h - the room's own struct, for the files that make it up: what is done, undone, encoded. Nobody else includes it.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "room.h"
#include "solids.h"

#include <stdatomic.h>

typedef struct pnWaiting
{
	pnCommand command;
	uint32_t owner, sequence; // of the message
	int order; // in which it came
	char* line; // its text, as it will be recorded
	size_t length;
} pnWaiting;

typedef struct pnBlob { atomic_int users; uint8_t bytes[]; } pnBlob; // never changes; images that are being written share it with the room

// What a deed leads away from.
typedef struct pnPast
{
	pnBlob* image; // NULL: it was made before the image that this room began with
	size_t size; // bytes of it
	uint32_t owner; // whose deed it was; 0: nobody's
	const pnScene* scene;
	bool still;
	int frame;
	float rate;
	int substeps;
	pnGlides* glides; // or NULL: none
} pnPast;

#define PN_MAX_PASTS 256

typedef struct pnPasts { pnPast list[PN_MAX_PASTS]; int count; size_t bytes; } pnPasts;

struct pnRoom
{
	pnRoomDef def;
	pnWorld* world;
	const pnScene* scene; // or NULL
	bool still; // without the scene's own hands
	int frame; // of the scene
	float rate; // Hz
	int substeps;
	uint32_t step;
	double time; // s
	pnGlides glides;
	pnSolidList solids;

	pnWaiting* queue;
	int queueCount;
	bool isOrdered; // a tick's: applied as it lies

	pnPasts undo, redo;
	pnCommand lastDeed; // sliders send many: one undo for all of a kind that follow each other closely
	uint32_t lastDeedStep;
	bool lacksPast;

	char* record;
	size_t recordLength, recordCapacity;
	int recordSteps; // not written yet
	bool recordFull, recordLoaded;

	pnAnswer answers[PN_MAX_ANSWERS];
	uint64_t answerCount;

	// What a viewer must send anew
	uint32_t epoch; // another world: everything
	uint32_t* topology; // of a body by its index: rises when it is opened
	int topologyCount;
	uint64_t pieceSerial; // seen so far
};

void pnNotePieces( pnRoom* room ); // after whatever may have cut or torn
pnResult pnMakeWorld( const pnRoom* room, pnWorld** world );
void pnBeginAnew( pnRoom* room ); // after the world became another
