// secret.h - what others must not guess: random bytes, seals that only this server can make, comparing without telling. Knows no visitors.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum
{
	PN_SEAL_SIZE = 33 // characters of a seal, its end included
};
typedef struct pnSecret { uint64_t key[2]; } pnSecret;

// The one in the folder, made if there is none, so that servers of one folder agree; folder NULL: a new one. False: errno tells.
bool pnOpenSecret( const char* folder, pnSecret* secret );
// SipHash-2-4 with 128 bits (Aumasson and Bernstein 2012), as hexadecimal digits.
void pnSeal( const pnSecret* secret, const char* text, char seal[PN_SEAL_SIZE] );
// The time it takes does not depend on where they differ; texts of up to 255 characters.
bool pnIsSame( const char* told, const char* wanted );

// A key with which a visitor is who it was: its number in that room, sealed.
void pnMakeKey( const pnSecret* secret, const char* room, uint32_t owner, char key[65] );
uint32_t pnReadKey( const pnSecret* secret, const char* room, const char* key ); // 0: it is none
