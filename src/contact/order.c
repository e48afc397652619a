// order.c - in which order pairs are pushed apart, and which of them at the same time. Bodies that lie together form chunks; the pairs
// between two chunks are one group, which one worker does from first to last while its bodies are in the cache; groups of one colour share
// no chunk. All of it follows from the pairs and where bodies were at the last broad phase, never from how many workers there are.
#include "contact.h"

#include "../base/cloud.h"

enum { PN_CHUNK = 16 }; // bodies: a few dozen kilobytes

// Chunks along the curve of the broad phase.
void pnChunkColliders( pnContacts* c )
{
	int bodies = 0;
	for ( int i = 0; i < c->broad.count; ++i )
	{
		int32_t name = c->broad.names[c->broad.order[i]];
		if ( name < PN_FIRST_SHAPE )
		{
			c->colliders.at[name].chunk = bodies++ / PN_CHUNK;
		}
	}
}

bool pnReserveOrder( pnContacts* c, int pairs )
{
	int chunks = c->colliders.count / PN_CHUNK + 1;
	return pnGrowList( c->order, pairs ) && pnGrowList( c->spareOrder, pairs ) && pnGrowList( c->keys, pairs ) && pnGrowList( c->spareKeys, pairs ) && pnGrowList( c->groupStarts, pairs + 1 ) &&
		   pnGrowList( c->chunkColors, chunks );
}

bool pnOrderPairs( pnContacts* c )
{
	int count = c->pairs.count;
	if ( !pnReserveOrder( c, c->pairs.count ) )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		c->keys.at[i] = (uint64_t)(uint32_t)c->pairs.at[i].color << 32 | (uint32_t)c->pairs.at[i].group;
		c->order.at[i] = i;
	}
	pnSortByKey( c->keys.at, c->order.at, c->spareKeys.at, c->spareOrder.at, count );
	c->order.count = count;
	c->groupStarts.count = c->colorCount = 0;
	for ( int i = 0; i < count; ++i )
	{
		if ( i == 0 || c->keys.at[i] != c->keys.at[i - 1] )
		{
			while ( c->colorCount <= (int)( c->keys.at[i] >> 32 ) )
			{
				c->colorStart[c->colorCount++] = c->groupStarts.count;
			}
			c->groupStarts.at[c->groupStarts.count++] = i;
		}
	}
	c->colorStart[c->colorCount] = c->groupStarts.count;
	c->groupStarts.at[c->groupStarts.count] = count;
	return true;
}

bool pnGroupPairs( pnContacts* c )
{
	int count = c->pairs.count;
	if ( !pnReserveOrder( c, c->pairs.count ) )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		uint32_t a = (uint32_t)c->colliders.at[c->pairs.at[i].a].chunk, b = (uint32_t)c->colliders.at[c->pairs.at[i].b].chunk;
		c->keys.at[i] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
		c->order.at[i] = i;
	}
	pnSortByKey( c->keys.at, c->order.at, c->spareKeys.at, c->spareOrder.at, count );
	memset( c->chunkColors.at, 0, (size_t)( c->colliders.count / PN_CHUNK + 1 ) * sizeof( uint64_t ) );
	for ( int i = 0, group = -1, color = 0; i < count; ++i )
	{
		if ( i == 0 || c->keys.at[i] != c->keys.at[i - 1] )
		{
			uint64_t *a = c->chunkColors.at + ( c->keys.at[i] >> 32 ), *b = c->chunkColors.at + (uint32_t)c->keys.at[i], taken = *a | *b;
			color = taken == UINT64_MAX ? PN_LAST_COLOR : __builtin_ctzll( ~taken );
			*a |= color < PN_LAST_COLOR ? 1ull << color : 0;
			*b |= color < PN_LAST_COLOR ? 1ull << color : 0;
			group += 1;
		}
		pnPair* pair = c->pairs.at + c->order.at[i];
		pair->color = color;
		pair->group = color < PN_LAST_COLOR ? group : INT32_MAX; // those of the last colour share chunks: one worker does them all
	}
	return pnOrderPairs( c );
}
