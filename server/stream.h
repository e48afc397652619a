// stream.h - frames for those who watch a room: encoded once for all of them, in time that the room has to spare. Knows no sockets.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "album.h"
#include "frame.h"

#include <pthread.h>

// What all who want one shading are shown.
typedef struct pnStream
{
	pnViewer* viewer; // the room's thread alone, as all but the album
	pnAlbum* album;
	double time; // s, when it was encoded last
	double cost; // s that this takes
} pnStream;

typedef struct pnStreams { pthread_mutex_t lock; pnStream list[pn_shadingCount]; int turn; } pnStreams; // the lock is for albums

struct pnHosted;
struct pnVisitor;

void pnOpenStreams( pnStreams* streams );
void pnCloseStreams( pnStreams* streams );
// The room's thread, when a round is done: what the watchers are to be shown is encoded, if there is time for that before `next`, when the next round begins.
void pnEncodeStreams( struct pnHosted* hosted, double next );
size_t pnCountStreams( const pnStreams* streams ); // bytes that are kept
// The sockets' thread, under the room's lock: it knows nothing yet, and is to be shown everything.
void pnBeginWatching( struct pnVisitor* visitor );
// The sockets' thread, without the lock: the newest frame for this visitor, appended as a message. False: there is none that it should have now.
bool pnPutNextFrame( struct pnVisitor* visitor, pnBytes* bytes, double now );
