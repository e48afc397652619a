// visitor.h - one who is in a room: what it may do, and what waits to be sent to it. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// A visitor is made by the thread that has the sockets and freed by the room's. Unless it says otherwise a field is the room's, under its lock.
#pragma once

#include "album.h"
#include "frame.h"
#include "message.h"

#include <stdatomic.h>

// Bytes that several are being sent.
typedef struct pnSharedImage { atomic_int users; uint32_t step; uint64_t tickSerial; size_t size; uint8_t* data; } pnSharedImage;

// So much a second, and so much at once.
typedef struct pnBudget { float left; double time; } pnBudget;

typedef enum pnBudgetKind
{
	pn_linesBudget,
	pn_deedsBudget, // each keeps a world to go back to
	pn_cutsBudget,
	pn_spawnsBudget,
	pn_loadsBudget,
	pn_verticesBudget, // that solids bring
	pn_asksBudget,
	pn_cursorsBudget,
	pn_modesBudget,
	pn_imagesBudget,
	pn_bytesBudget,
	pn_messagesBudget,
	pn_budgetCount,
} pnBudgetKind;

typedef struct pnClaim { uint32_t step; uint64_t hash; } pnClaim; // what a visitor says its room came to

enum
{
	PN_MAX_CLAIMS = 4,
	PN_MAX_WAITING = 256 << 10, // bytes of answers that wait to be sent; who lets more gather is too slow
	PN_MAX_HAND = 31, // the highest number of a hand
};

typedef struct pnVisitor
{
	struct pnHosted* hosted;
	struct pnVisitor* next; // in the room
	void* session; // of the sockets' thread
	uint32_t owner, color;
	pnSeeing mode;
	bool looksOn, isGone;
	char name[PN_PERSON_NAME];
	double joinTime;

	// What waits for it
	pnBytes waiting; // whole messages, a length before each
	size_t waitingAt;
	pnGoodbye goodbye; // after which it is cut off; 0: it stays
	char goodbyeText[160];
	uint64_t peopleSerial, stateSerial, cursorSerial; // seen of the room's
	double cursorTime;

	// Lockstep
	bool wantsImage;
	double imageTime; // not before
	uint64_t imageSerial; // and not from before this tick
	pnSharedImage* image; // being sent
	size_t imageAt;
	uint64_t tickSerial; // the next one it is sent; 0: none yet
	uint32_t knownStep; // it has told a hash of
	pnClaim claims[PN_MAX_CLAIMS];
	int claimCount;
	int differCount;

	// Streaming
	pnShading shading;
	pnShown shown;
	uint32_t framesMade, framesDrawn;
	double frameTime; // s, of the last one

	pnCursor cursor;
	uint64_t cursorMoved; // serial

	// The sockets' thread alone
	pnBudget budgets[pn_budgetCount];
	uint32_t refusals; // since the last one it was told of
	double refusalTime;
} pnVisitor;

pnVisitor* pnCreateVisitor( void* session, double now ); // NULL: no memory
void pnDestroyVisitor( pnVisitor* visitor );
void pnReleaseImage( pnSharedImage* image ); // NULL is fine

bool pnSpendBudget( pnVisitor* visitor, pnBudgetKind kind, float amount, double now ); // false: there is no more
// A message is written into `bytes` by the caller's pnPut...: begin, put, end.
size_t pnBeginWaiting( pnVisitor* visitor );
void pnEndWaiting( pnVisitor* visitor, size_t begin );
void pnSayGoodbye( pnVisitor* visitor, pnGoodbye reason, const char* text ); // the first one counts
