// scratch.h - workspace that is given back all at once, on every path. Knows no physics.
#pragma once

#include "core.h"

enum { PN_SCRATCH_BLOCKS = 32 };

// Starts from zeros. Once a block could not be had, `failed` stays set and later ones are NULL too: a routine takes all it
// needs and checks once.
typedef struct pnScratch
{
	struct { void* memory; size_t count, size; } blocks[PN_SCRATCH_BLOCKS];
	int blockCount;
	bool failed;
} pnScratch;

static inline void* pnTakeBlock( pnScratch* scratch, size_t count, size_t size, bool zeroed )
{
	PN_ASSERT( scratch->blockCount < PN_SCRATCH_BLOCKS );
	void* memory = scratch->failed || scratch->blockCount == PN_SCRATCH_BLOCKS ? NULL : zeroed ? pnAlloc( count, size ) : pnAllocRaw( count, size );
	if ( memory == NULL )
	{
		scratch->failed = true;
		return NULL;
	}
	int block = scratch->blockCount++;
	scratch->blocks[block].memory = memory;
	scratch->blocks[block].count = count;
	scratch->blocks[block].size = size;
	return memory;
}
#define pnTakeArray( scratch, T, count ) ( (T*)pnTakeBlock( scratch, (size_t)( count ), sizeof( T ), true ) )
// Not zeroed: for large arrays of which every item that is read has been written.
#define pnTakeRawArray( scratch, T, count ) ( (T*)pnTakeBlock( scratch, (size_t)( count ), sizeof( T ), false ) )

// The last taken first.
static inline void pnGiveBack( pnScratch* scratch )
{
	while ( scratch->blockCount > 0 )
	{
		int block = --scratch->blockCount;
		pnFree( scratch->blocks[block].memory, scratch->blocks[block].count, scratch->blocks[block].size );
	}
	scratch->failed = false;
}

// What one holds is held by the other from now on.
static inline void pnHandOver( pnScratch* from, pnScratch* to )
{
	PN_ASSERT( from->blockCount + to->blockCount <= PN_SCRATCH_BLOCKS );
	for ( int block = 0; block < from->blockCount; ++block )
	{
		to->blocks[to->blockCount++] = from->blocks[block];
	}
	to->failed = to->failed || from->failed;
	*from = (pnScratch){ 0 };
}
