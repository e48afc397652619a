// saved_run.h - a run put aside in a file. Knows no scenes; what is in the file is room/saved.h's.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "saved.h"

// Both: NULL, or what went wrong, in a few words that stay valid until the next call.
const char* pnSaveRun( const char* path, const pnWorld* world, const pnSavedRun* run );
const char* pnLoadRun( const char* path, pnWorld* world, pnSavedRun* run );
