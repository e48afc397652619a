// image.h - the check that images and logs carry. The images themselves are in room.h. Knows nothing of what the bytes mean.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stddef.h>
#include <stdint.h>

enum
{
	PN_IMAGE_HEAD = 24 // bytes: magic, check, length
};

// Of any bytes, as docs/wire.md has it. A change of any eight of them in a row changes it.
uint64_t pnCheckBytes( const void* bytes, size_t size );
