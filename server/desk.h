// desk.h - where a visitor comes in and is spoken to: messages taken, checked, passed on; messages given out. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "hosted.h"

typedef enum pnEntering
{
	pn_enteredNow,
	pn_enterLater, // the room is being opened or closed
	pn_enterNever, // `why` says why
} pnEntering;

// All by the thread that has the sockets.
// owner: who it was before, or 0. key and lookOnToken are what it is told.
pnEntering pnEnter( pnHosted* hosted, pnVisitor* visitor, const pnMessage* hello, uint32_t owner, pnGoodbye* reason, char why[224] );
void pnWelcomeVisitor( pnVisitor* visitor, const char* key, const char* lookOnToken );
void pnLeave( pnVisitor* visitor ); // the room's thread frees it
// Whatever comes after hello.
void pnTakeMessage( pnVisitor* visitor, const pnMessage* message, double now );

typedef enum pnOutgo { pn_nothingToSend, pn_toSend, pn_lastToSend } pnOutgo;
// The next message, into bytes that hold something already, which stays: room for what a socket wants in front.
pnOutgo pnNextOutgoing( pnVisitor* visitor, pnBytes* bytes, double now );

// Under the room's lock, by either thread.
void pnJudgeClaim( pnVisitor* visitor, pnClaim claim, uint64_t hash );
