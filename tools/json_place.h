// json_place.h - the line and column of a value in a JSON text. Knows no keys and no meanings: jansson has those, but forgets where.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>

// Follows `steps` from the outermost value: the how-manieth member of an object or item of an array, from 0. The text must be JSON;
// any other is survived. toKey: the place of the last member's key rather than of its value. Lines and columns count from 1,
// columns in characters. False: the steps lead nowhere, and the place is where they ended.
bool pnFindJsonPlace( const char* text, size_t length, const int* steps, int stepCount, bool toKey, int* line, int* column );

// The byte at which the value begins, with the same steps.
size_t pnFindJsonByte( const char* text, size_t length, const int* steps, int stepCount );
