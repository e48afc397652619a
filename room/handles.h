// handles.h - a baked response in people's hands: the commands of hands in, frames out, as a room does. Knows no worlds, no time, no links.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/response.h"

#include <stdbool.h>

typedef struct pnHandles pnHandles;

// From what pnResponse_Bake wrote. Unless pn_success there is none.
pnResult pnOpenHandles( const void* bytes, size_t size, pnHandles** handles );
void pnCloseHandles( pnHandles* handles ); // NULL is fine
// Lines of commands: grab (at or ray: the handle nearest to what is met), move, lock, unlock, drop, letgo. A locked handle stays where it is;
// what else is written means nothing here. Returns false if something did, and `why` says so.
bool pnHandles_Post( pnHandles* handles, const char* text, size_t length, const char** why );
// The shape that comes of it, and what each hand pulls with. Borrowed until the next call; NULL: no memory. fresh: with everything.
const uint8_t* pnHandles_WriteFrame( pnHandles* handles, bool fresh, size_t* size );
