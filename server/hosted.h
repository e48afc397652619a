// hosted.h - a room that is open for visitors: a thread that makes its steps in time, and what visitors and it tell each other. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// The thread orders what has come in, writes it down, tells it, and only then makes the step. It holds the lock for moments only, never while it
// steps or writes; so nobody waits for a step, and no step waits for a visitor.
#pragma once

#include "journal.h"
#include "meter.h"
#include "stream.h"
#include "visitor.h"

#include <pthread.h>

enum
{
	PN_HASH_EVERY = 60, // steps
	PN_FIRST_OWNER = 10, // below are the hands of scenes
	PN_MAX_TICKS = 8192, // that are kept for those who are behind
	PN_MAX_TICK_BYTES = 16 << 20,
	PN_MAX_INBOX = 4096, // commands that wait for the next steps
	PN_MAX_OF_ONE = 64, // and of one sender: nobody takes up the others' place
	PN_MAX_INBOX_BYTES = 8 << 20,
	PN_MAX_WORLD_POINTS = 150000, // more are not spawned
	PN_HASH_COUNT = 64, // that are remembered
	PN_VISITOR_PAST_BYTES = 4 << 20, // of the worlds that can be undone to, in a visitor's image
	PN_KEPT_PAST_BYTES = 1 << 20, // and in that of an empty room, where there is no folder
};

typedef struct pnTick { uint8_t* data; size_t size; uint32_t step, steps; } pnTick;

typedef struct pnEntry
{
	bool isMove, isAsk, isHeavy;
	uint32_t sender, owner, sequence, hand; // the owner of what a host undoes is nobody
	pnVec3 place;
	char* text;
	size_t length;
} pnEntry;

// What all rooms of a server have in common. Counters are for /metrics.
typedef struct pnHouse
{
	void ( *wake )( void* context ); // there is something to send; called from any thread
	void* wakeContext;
	const char* folder; // where logs are, or NULL: nowhere
	const char* scene; // that new rooms begin with; or
	const uint8_t* saved; // a .pliant file's bytes
	size_t savedSize;
	float rate; // Hz, of new rooms; 0: the scene's
	int workers;
	size_t undoBytes; // of new rooms
	int visitorsPerRoom;
	double emptySeconds; // after which an empty room is put away
	double imageSeconds; // between two images on disk
	atomic_ullong ticks, steps, lateTicks, commands, refused, compared, differs, images, encodings, frames, sentBytes, sentMessages, heardMessages, diskFaults, joined;
	atomic_ullong lateBy; // us, the most
	pnWorkTotals work;
} pnHouse;

typedef enum pnHostedState { pn_openingState, pn_openState, pn_endingState, pn_brokenState, pn_overState } pnHostedState;

typedef struct pnHosted
{
	pnHouse* house;
	char name[PN_ROOM_NAME], path[4096];
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;

	// Under the lock
	pnHostedState state;
	char why[224]; // it is broken
	bool mustEnd, needsService; // of the sockets
	pnVisitor* visitors;
	int visitorCount;
	pnEntry inbox[PN_MAX_INBOX];
	int inboxCount;
	size_t inboxBytes;
	pnTick ticks[PN_MAX_TICKS]; // number serial % PN_MAX_TICKS
	uint64_t firstTick, nextTick; // serials, from 1
	size_t tickBytes;
	uint64_t peopleSerial, stateSerial, cursorSerial;
	pnRoomFacts facts; // flags: PN_SCENE_LOCKED_FLAG, PN_MATERIALS_LOCKED_FLAG, PN_FROZEN_FLAG
	uint32_t flags; // those, and PN_NO_DISK_FLAG
	uint32_t step; // told to all
	float rate;
	bool isFull; // no more points
	int bodyCount, pointCount;
	size_t worldBytes, historyBytes, streamBytes; // of the world, of those that can be undone and redone to, of what is kept for those who watch
	struct { uint32_t step; uint64_t hash; } hashes[PN_HASH_COUNT];
	int hashCount;
	char scene[32];
	pnSharedImage* image; // the latest for visitors
	double stepSeconds; // what one takes, a moving mean
	pnStreams streams; // has a lock of its own

	atomic_bool isScribed; // the scribe is looking at it
	// The scribe's, under the lock: an image that is being written
	pnRoomImage* scribeImage;
	size_t scribeSize; // bytes of the last one
	uint64_t scribeSerial; // of the first tick after it
	pnRoomFacts scribeFacts;
	bool scribeBusy, scribeDone, scribeFailed;
	pnJournal scribeJournal;
	bool needsSync, needsFolderSync;

	// The thread's alone
	pnMeter meter;
	pnRoom* room;
	pnJournal journal;
	int lockFile1;
	pnRoomFacts writtenFacts;
	uint32_t publishedStep;
	double meanSeconds, heavySeconds; // what a step, and a heavy command, takes
	pnEntry taken[PN_MAX_INBOX]; // for this round
	double activeTime, imageTime, sharedTime, peopleTime, emptyTime;
	bool touched; // since the last image on disk
	char firstScene[32];
	uint8_t* keptImage; // without a folder: what is left when it ends, or what it begins with
	size_t keptSize;
	pnRoomFacts keptFacts;
} pnHosted;

pnHosted* pnOpenHosted( pnHouse* house, const char* name, const char* scene, uint8_t* image, size_t size, const pnRoomFacts* facts ); // takes the image
void pnEndHosted( pnHosted* hosted ); // asks it to
void pnJoinHosted( pnHosted* hosted ); // after pn_overState or pn_brokenState; what it kept is to be taken first
void pnServeScribe( pnHosted* hosted ); // the scribe's turn: images and logs made safe; may take long
