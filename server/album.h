// album.h - the newest of everything that frames have shown, so that one encoding serves all who watch, however many frames each of them missed. Knows the
// bytes of frames (docs/wire.md), no rooms and no visitors.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "wire.h"

typedef struct pnAlbum pnAlbum;

pnAlbum* pnCreateAlbum( void ); // NULL: no memory
void pnDestroyAlbum( pnAlbum* album ); // NULL is fine
// A viewer's next frame. False: no memory, or no frame; then the album is empty, and the next one it is given must hold everything.
bool pnAlbum_Add( pnAlbum* album, const uint8_t* frame, size_t size );
uint32_t pnAlbum_GetNumber( const pnAlbum* album ); // of the latest frame; 0: there is nothing to be shown
size_t pnAlbum_GetBytes( const pnAlbum* album ); // that it keeps
// What one watcher has been sent.
typedef struct pnShown { uint32_t frame, answers; } pnShown; // numbers of the album's; frame 0: nothing yet
// Appends a frame with all that is newer than what it has, numbered as told; of answers only those to this owner.
void pnAlbum_Write( const pnAlbum* album, pnShown shown, uint32_t number, uint32_t owner, pnBytes* bytes );
