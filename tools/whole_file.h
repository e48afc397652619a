// whole_file.h - a file's bytes, all of them at once. Knows nothing of what they mean.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

// To be freed; or NULL, and what went wrong in a few words that stay valid until the next call.
uint8_t* pnReadFile( const char* path, size_t* size, const char** problem );
