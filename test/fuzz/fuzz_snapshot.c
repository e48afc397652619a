// fuzz_snapshot.c - any bytes as a snapshot: refused, or a world that steps and can be saved again. Built with -fsanitize=fuzzer,address,undefined.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "pliant/pliant.h"

#include "base/core.h"

#include <stdlib.h>

static void Check( bool holds )
{
	if ( !holds )
	{
		abort();
	}
}

// The size is the second and the checksum the third word of the head; no fuzzer would guess them.
static void Seal( uint8_t* bytes, size_t size )
{
	uint64_t word = size;
	memcpy( bytes + 8, &word, 8 );
	memset( bytes + 16, 0, 8 );
	word = pnHash( PN_HASH_SEED, bytes, size );
	memcpy( bytes + 16, &word, 8 );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );
int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	pnWorldDef def = pnDefaultWorldDef();
	pnWorld* world = NULL;
	if ( pnCreateWorld( &def, &world ) != pn_success )
	{
		return 0;
	}
	uint64_t empty = pnWorld_GetHash( world );
	int64_t bytes = pnGetByteCount();
	uint8_t* image = malloc( size > 0 ? size : 1 );
	if ( size > 0 )
	{
		memcpy( image, data, size );
	}
	if ( size >= 24 )
	{
		Seal( image, size );
	}
	pnResult result = pnWorld_Restore( world, image, size );
	free( image );
	if ( result != pn_success )
	{
		Check( pnWorld_GetHash( world ) == empty && pnGetByteCount() == bytes );
	}
	else
	{
		// what was taken is what is saved
		size_t again = pnWorld_Snapshot( world, NULL, 0 );
		Check( again == size );
		Check( pnWorld_Step( world, 1.0f / 60.0f, 2 ) == pn_success );
		pnBodyId bodies[16];
		int count = pnWorld_GetBodies( world, bodies, 16 );
		for ( int i = 0; i < count && i < 16; ++i )
		{
			pnVec3 points[64], normals[64];
			pnBodyState state;
			int pointCount = pnBody_WritePoints( world, bodies[i], points, NULL, 64 );
			for ( int k = 0; k < pointCount && k < 64; ++k )
			{
				pnVec3 p = points[k];
				Check( p.x - p.x == 0.0f && p.y - p.y == 0.0f && p.z - p.z == 0.0f );
			}
			pnBody_WriteSkin( world, bodies[i], 0, points, normals, 64 );
			Check( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		}
	}
	pnDestroyWorld( world );
	Check( pnGetByteCount() == 0 );
	return 0;
}
