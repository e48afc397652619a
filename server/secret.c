// secret.c - random bytes, seals, comparing without telling. Knows no visitors.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

bool pnOpenSecret( const char* folder, pnSecret* secret )
{
	if ( getrandom( secret, sizeof( *secret ), 0 ) != (ssize_t)sizeof( *secret ) )
	{
		return false;
	}
	if ( folder == NULL )
	{
		return true;
	}
	char path[4096], temporary[4096 + 32];
	snprintf( path, sizeof( path ), "%s/server.secret", folder );
	snprintf( temporary, sizeof( temporary ), "%s.%ld", path, (long)getpid() );
	int fd = open( temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600 );
	bool good = fd >= 0 && write( fd, secret, sizeof( *secret ) ) == (ssize_t)sizeof( *secret ) && fsync( fd ) == 0;
	if ( fd >= 0 )
	{
		close( fd );
	}
	// Whoever is first; another server may begin at the same time.
	good = good && ( link( temporary, path ) == 0 || errno == EEXIST );
	int why = errno;
	unlink( temporary );
	errno = why;
	fd = good ? open( path, O_RDONLY | O_CLOEXEC ) : -1;
	good = fd >= 0 && read( fd, secret, sizeof( *secret ) ) == (ssize_t)sizeof( *secret );
	if ( fd >= 0 )
	{
		close( fd );
	}
	return good;
}

static uint64_t pnTurn( uint64_t x, int count ) { return x << count | x >> ( 64 - count ); }

static void pnSipRound( uint64_t v[4] )
{
	v[0] += v[1];
	v[1] = pnTurn( v[1], 13 ) ^ v[0];
	v[0] = pnTurn( v[0], 32 );
	v[2] += v[3];
	v[3] = pnTurn( v[3], 16 ) ^ v[2];
	v[0] += v[3];
	v[3] = pnTurn( v[3], 21 ) ^ v[0];
	v[2] += v[1];
	v[1] = pnTurn( v[1], 17 ) ^ v[2];
	v[2] = pnTurn( v[2], 32 );
}

void pnSeal( const pnSecret* secret, const char* text, char seal[PN_SEAL_SIZE] )
{
	const uint64_t* key = secret->key;
	uint64_t v[4] = { 0x736f6d6570736575u ^ key[0], 0x646f72616e646f6du ^ key[1] ^ 0xee, 0x6c7967656e657261u ^ key[0], 0x7465646279746573u ^ key[1] };
	size_t length = strlen( text );
	for ( size_t i = 0; i <= length / 8; ++i )
	{
		uint64_t word = 0;
		size_t count = length - 8 * i < 8 ? length - 8 * i : 8;
		for ( size_t k = 0; k < count; ++k )
		{
			word |= (uint64_t)(uint8_t)text[8 * i + k] << 8 * k;
		}
		word |= i == length / 8 ? (uint64_t)( length & 255 ) << 56 : 0;
		v[3] ^= word;
		pnSipRound( v );
		pnSipRound( v );
		v[0] ^= word;
	}
	uint64_t halves[2];
	v[2] ^= 0xee;
	for ( int half = 0; half < 2; ++half )
	{
		v[1] ^= half == 1 ? 0xdd : 0;
		for ( int i = 0; i < 4; ++i )
		{
			pnSipRound( v );
		}
		halves[half] = v[0] ^ v[1] ^ v[2] ^ v[3];
	}
	for ( int i = 0; i < 16; ++i )
	{
		snprintf( seal + 2 * i, 3, "%02x", (unsigned)( halves[i / 8] >> 8 * ( i % 8 ) & 255 ) );
	}
}

bool pnIsSame( const char* told, const char* wanted )
{
	char a[256] = { 0 }, b[256] = { 0 };
	strncpy( a, told, sizeof( a ) - 1 );
	strncpy( b, wanted, sizeof( b ) - 1 );
	volatile unsigned difference = 0;
	for ( size_t i = 0; i < sizeof( a ); ++i )
	{
		difference = difference | (unsigned)( a[i] ^ b[i] );
	}
	return difference == 0;
}

static void pnSealOwner( const pnSecret* secret, const char* room, uint32_t owner, char seal[PN_SEAL_SIZE] )
{
	char text[128];
	snprintf( text, sizeof( text ), "visitor %u of room %.64s", owner, room );
	pnSeal( secret, text, seal );
}

void pnMakeKey( const pnSecret* secret, const char* room, uint32_t owner, char key[65] )
{
	char seal[PN_SEAL_SIZE];
	pnSealOwner( secret, room, owner, seal );
	snprintf( key, 65, "%u-%s", owner, seal );
}

uint32_t pnReadKey( const pnSecret* secret, const char* room, const char* key )
{
	char* end;
	errno = 0;
	unsigned long owner = strtoul( key, &end, 10 );
	if ( key[0] < '0' || key[0] > '9' || *end != '-' || errno != 0 || owner > 65535 )
	{
		return 0;
	}
	char seal[PN_SEAL_SIZE];
	pnSealOwner( secret, room, (uint32_t)owner, seal );
	return pnIsSame( end + 1, seal ) ? (uint32_t)owner : 0;
}
