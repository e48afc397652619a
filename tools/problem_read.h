// problem_read.h - values out of a JSON text, checked, with errors that tell file, line and column. Knows no problems.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/kelvin.h"

#include <jansson.h>
#include <stdbool.h>

enum
{
	PN_MESSAGE_SIZE = 600,
	PN_MAX_STEPS = 16, // how deep values lie in a file of ours
};

// A text that is being read, and the first thing that was wrong with it.
typedef struct pnReader
{
	const char* file; // as messages name it
	const char* text;
	size_t length;
	bool remarks; // keys that begin with // are for people, and are passed over
	bool failed;
	char message[PN_MESSAGE_SIZE]; // file:line:column: path: sentence
} pnReader;

// A value and the way to it. Lives on the stack of whoever reads it.
typedef struct pnNode
{
	const struct pnNode* parent;
	const char* key; // NULL for items of arrays
	int ordinal; // among its parent's members or items
	json_t* json; // NULL: it is not there
} pnNode;

// The keys an object may have.
typedef struct pnKeyTable
{
	const char* name;
	const char* const* keys;
	int count;
} pnKeyTable;

pnNode pnGetChild( const pnNode* object, const char* key );
pnNode pnGetItem( const pnNode* array, int index );

// Only the first failure is kept. All return false, so that they can be returned.
bool pnFailAt( pnReader* reader, const pnNode* node, const char* format, ... ) __attribute__( ( format( printf, 3, 4 ) ) );
bool pnFailAtKey( pnReader* reader, const pnNode* node, const char* format, ... ) __attribute__( ( format( printf, 3, 4 ) ) );

// Each fails with what is wanted and what is there, and returns whether it went well. They do nothing once the reader has failed.
bool pnCheckObject( pnReader* reader, const pnNode* node, const pnKeyTable* keys ); // an object that has no other keys
bool pnCheckThere( pnReader* reader, const pnNode* object, const char* key, const char* what ); // the sentence: "needs KEY: WHAT"
bool pnReadNumber( pnReader* reader, const pnNode* node, double lower, double upper, double* value ); // both ends allowed
bool pnReadWhole( pnReader* reader, const pnNode* node, int lower, int upper, int* value );
bool pnReadBool( pnReader* reader, const pnNode* node, bool* value );
bool pnReadText( pnReader* reader, const pnNode* node, const char** value ); // lives as long as the JSON
bool pnReadWord( pnReader* reader, const pnNode* node, const char* const* words, int wordCount, int* index );
bool pnReadVector( pnReader* reader, const pnNode* node, pnVec3d* vector );
bool pnReadDirection( pnReader* reader, const pnNode* node, pnVec3d* direction ); // not of length 0; comes back as a unit vector
// Components may be null: mask has the bits of those that are numbers, x = 1, y = 2, z = 4; the others are 0.
bool pnReadPartVector( pnReader* reader, const pnNode* node, pnVec3d* vector, uint32_t* mask );
bool pnReadList( pnReader* reader, const pnNode* node, int lower, int upper, int* count ); // an array, and how long it is
