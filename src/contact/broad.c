// broad.c - which boxes overlap. Boxes are ordered along a Z curve by their middles; four neighbours share a node, four nodes the next,
// and each box asks the tree for those that come after it. Knows boxes; no bodies.
#include "broad.h"

#include "../base/cloud.h"

typedef float pnFour4 __attribute__( ( vector_size( 16 ) ) );
typedef int32_t pnMask4 __attribute__( ( vector_size( 16 ) ) );

struct pnFour { pnFour4 lower[3], upper[3]; }; // four boxes, axis by axis
typedef struct pnFour pnFour;

static int pnNodesFor( int count )
{
	int nodes = 0;
	do
	{
		count = ( count + 3 ) / 4;
		nodes += count;
	}
	while ( count > 1 );
	return nodes;
}

bool pnReserveBroad( pnBroad* b, int count )
{
	int spare = b->capacity;
	if ( count > b->capacity )
	{
		int capacity = count + count / 2 + 16;
		pnBox* boxes = pnAllocArray( pnBox, capacity );
		int32_t* names = pnAllocArray( int32_t, capacity );
		uint64_t *keys = pnAllocArray( uint64_t, capacity ), *spareKeys = pnAllocArray( uint64_t, capacity );
		int32_t *order = pnAllocArray( int32_t, capacity ), *spareOrder = pnAllocArray( int32_t, capacity );
		if ( boxes == NULL || names == NULL || keys == NULL || spareKeys == NULL || order == NULL || spareOrder == NULL )
		{
			pnFreeArray( pnBox, boxes, capacity );
			pnFreeArray( int32_t, names, capacity );
			pnFreeArray( uint64_t, keys, capacity );
			pnFreeArray( uint64_t, spareKeys, capacity );
			pnFreeArray( int32_t, order, capacity );
			pnFreeArray( int32_t, spareOrder, capacity );
			return false;
		}
		pnFreeArray( pnBox, b->boxes, spare );
		pnFreeArray( int32_t, b->names, spare );
		pnFreeArray( uint64_t, b->keys, spare );
		pnFreeArray( uint64_t, b->spareKeys, spare );
		pnFreeArray( int32_t, b->order, spare );
		pnFreeArray( int32_t, b->spareOrder, spare );
		b->boxes = boxes, b->names = names, b->keys = keys, b->spareKeys = spareKeys, b->order = order, b->spareOrder = spareOrder;
		b->capacity = capacity;
	}
	return pnGrow( (void**)&b->nodes, &b->nodeCapacity, 0, pnNodesFor( b->capacity ), sizeof( pnFour ) ) &&
		   pnGrow( (void**)&b->found, &b->foundCapacity, 0, 24 * count + 64, sizeof( pnNear ) );
}

void pnFreeBroad( pnBroad* b )
{
	pnFreeArray( pnBox, b->boxes, b->capacity );
	pnFreeArray( int32_t, b->names, b->capacity );
	pnFreeArray( uint64_t, b->keys, b->capacity );
	pnFreeArray( uint64_t, b->spareKeys, b->capacity );
	pnFreeArray( int32_t, b->order, b->capacity );
	pnFreeArray( int32_t, b->spareOrder, b->capacity );
	pnFreeArray( pnFour, b->nodes, b->nodeCapacity );
	pnFreeArray( pnNear, b->found, b->foundCapacity );
	*b = (pnBroad){ 0 };
}

size_t pnGetBroadBytes( const pnBroad* b )
{
	size_t one = sizeof( pnBox ) + 3 * sizeof( int32_t ) + 2 * sizeof( uint64_t );
	return (size_t)b->capacity * one + (size_t)b->nodeCapacity * sizeof( pnFour ) + (size_t)b->foundCapacity * sizeof( pnNear );
}

static uint64_t pnSpreadBits( uint32_t x ) // bit i goes to 3 i; 16 bits
{
	uint64_t y = x & 0xffff;
	y = ( y | y << 16 ) & 0x0000ff0000ffull;
	y = ( y | y << 8 ) & 0x00f00f00f00full;
	y = ( y | y << 4 ) & 0x0c30c30c30c3ull;
	y = ( y | y << 2 ) & 0x249249249249ull;
	return y;
}

static void pnOrderBoxes( pnBroad* b )
{
	float low[3] = { 1e30f, 1e30f, 1e30f }, high[3] = { -1e30f, -1e30f, -1e30f }, scale = 0.0f;
	for ( int i = 0; i < b->movingCount; ++i ) // the others may lie anywhere, and reach to everywhere
	{
		for ( int k = 0; k < 3; ++k )
		{
			float middle = 0.5f * b->boxes[i].lower[k] + 0.5f * b->boxes[i].upper[k];
			low[k] = middle < low[k] ? middle : low[k];
			high[k] = middle > high[k] ? middle : high[k];
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		scale = high[k] - low[k] > scale ? high[k] - low[k] : scale;
	}
	scale = scale > 1e-20f ? 65535.0f / scale : 0.0f;
	for ( int i = 0; i < b->count; ++i )
	{
		uint64_t key = 0;
		for ( int k = 0; k < 3; ++k )
		{
			float middle = 0.5f * b->boxes[i].lower[k] + 0.5f * b->boxes[i].upper[k], at = ( middle - low[k] ) * scale;
			key |= pnSpreadBits( (uint32_t)( at < 65535.0f ? at > 0.0f ? at : 0.0f : 65535.0f ) ) << k;
		}
		b->keys[i] = key;
		b->order[i] = i;
	}
	pnSortByKey( b->keys, b->order, b->spareKeys, b->spareOrder, b->count );
}

static void pnPutBox( pnFour* node, int lane, const float lower[3], const float upper[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		node->lower[k][lane] = lower[k];
		node->upper[k][lane] = upper[k];
	}
}

static void pnBuildTree( pnBroad* b )
{
	const float none[2][3] = { { 1e30f, 1e30f, 1e30f }, { -1e30f, -1e30f, -1e30f } };
	int size = b->count, start = 0;
	b->levelCount = 0;
	do
	{
		int nodes = ( size + 3 ) / 4, below = b->levelCount > 0 ? b->levelStart[b->levelCount - 1] : 0;
		for ( int i = 0; i < 4 * nodes; ++i )
		{
			float lower[3], upper[3];
			memcpy( lower, none[0], sizeof lower );
			memcpy( upper, none[1], sizeof upper );
			if ( i < size && b->levelCount == 0 )
			{
				memcpy( lower, b->boxes[b->order[i]].lower, sizeof lower );
				memcpy( upper, b->boxes[b->order[i]].upper, sizeof upper );
			}
			for ( int c = 0; i < size && b->levelCount > 0 && c < 4; ++c )
			{
				const pnFour* child = b->nodes + below + i;
				for ( int k = 0; k < 3; ++k )
				{
					lower[k] = child->lower[k][c] < lower[k] ? child->lower[k][c] : lower[k];
					upper[k] = child->upper[k][c] > upper[k] ? child->upper[k][c] : upper[k];
				}
			}
			pnPutBox( b->nodes + start + i / 4, i % 4, lower, upper );
		}
		b->levelStart[b->levelCount] = start;
		b->levelSize[b->levelCount++] = nodes;
		start += nodes;
		size = nodes;
	}
	while ( size > 1 );
	b->nodeCount = start;
}

static int pnOverlapFour( const pnFour* node, const pnBox* box )
{
	pnMask4 hit = ( node->lower[0] <= box->upper[0] ) & ( node->upper[0] >= box->lower[0] ) & ( node->lower[1] <= box->upper[1] ) &
				  ( node->upper[1] >= box->lower[1] ) & ( node->lower[2] <= box->upper[2] ) & ( node->upper[2] >= box->lower[2] );
	return ( hit[0] & 1 ) | ( hit[1] & 2 ) | ( hit[2] & 4 ) | ( hit[3] & 8 );
}

// Those that come after `leaf` in the order and overlap it.
static void pnAskTree( pnBroad* b, int leaf, bool* dropped )
{
	const pnBox* box = b->boxes + b->order[leaf];
	int name = b->names[b->order[leaf]], top = 0;
	bool fixed = b->order[leaf] >= b->movingCount;
	struct { int level, node; } stack[80] = { { b->levelCount - 1, 0 } };
	top = 1;
	while ( top > 0 )
	{
		int level = stack[--top].level, node = stack[top].node, hits = pnOverlapFour( b->nodes + b->levelStart[level] + node, box );
		for ( int c = 3; c >= 0; --c )
		{
			int child = 4 * node + c;
			bool after = ( ( (int64_t)child + 1 ) << ( 2 * level ) ) - 1 > leaf; // its last leaf
			if ( ( hits >> c & 1 ) == 0 || !after )
			{
				continue;
			}
			if ( level > 0 )
			{
				stack[top].level = level - 1;
				stack[top++].node = child;
				continue;
			}
			if ( fixed && b->order[child] >= b->movingCount )
			{
				continue;
			}
			if ( b->foundCount == b->foundCapacity && !pnGrow( (void**)&b->found, &b->foundCapacity, b->foundCount, 2 * b->foundCount, sizeof( pnNear ) ) )
			{
				*dropped = true;
				return;
			}
			int other = b->names[b->order[child]];
			b->found[b->foundCount++] = name < other ? (pnNear){ name, other } : (pnNear){ other, name };
		}
	}
}

void pnWalkTree( const pnBroad* b, pnMeetsFcn* meets, void ( *tell )( void* context, int32_t name ), void* context )
{
	struct { int level, node; } stack[80] = { { b->levelCount - 1, 0 } };
	int top = b->levelCount > 0 ? 1 : 0;
	while ( top > 0 )
	{
		int level = stack[--top].level, node = stack[top].node;
		const pnFour* four = b->nodes + b->levelStart[level] + node;
		for ( int c = 0; c < 4; ++c )
		{
			const float lower[3] = { four->lower[0][c], four->lower[1][c], four->lower[2][c] }, upper[3] = { four->upper[0][c], four->upper[1][c], four->upper[2][c] };
			if ( !( lower[0] <= upper[0] ) || !meets( context, lower, upper ) )
			{
				continue;
			}
			if ( level > 0 )
			{
				stack[top].level = level - 1;
				stack[top++].node = 4 * node + c;
			}
			else
			{
				tell( context, b->names[b->order[4 * node + c]] );
			}
		}
	}
}

int pnFindInBox( const pnBroad* b, const pnBox* box, int32_t* names, int capacity )
{
	struct { int level, node; } stack[80] = { { b->levelCount - 1, 0 } };
	int top = b->levelCount > 0 ? 1 : 0, count = 0;
	while ( top > 0 )
	{
		int level = stack[--top].level, node = stack[top].node;
		for ( int hits = pnOverlapFour( b->nodes + b->levelStart[level] + node, box ); hits != 0; hits &= hits - 1 )
		{
			int child = 4 * node + __builtin_ctz( (unsigned)hits );
			if ( level > 0 )
			{
				stack[top].level = level - 1;
				stack[top++].node = child;
				continue;
			}
			if ( count == capacity )
			{
				return -1;
			}
			names[count++] = b->names[b->order[child]];
		}
	}
	return count;
}

static bool pnGoesBefore( pnNear a, pnNear b ) { return a.first != b.first ? a.first < b.first : a.second < b.second; }

static void pnSortFound( pnNear* found, int count ) // heap sort: in place, and no worst case
{
	for ( int start = count / 2 - 1, end = count; end > 1; )
	{
		int root = 0;
		if ( start >= 0 )
		{
			root = start--;
		}
		else
		{
			pnNear swap = found[0];
			found[0] = found[--end];
			found[end] = swap;
		}
		for ( int child; ( child = 2 * root + 1 ) < end; root = child )
		{
			child += child + 1 < end && pnGoesBefore( found[child], found[child + 1] );
			if ( !pnGoesBefore( found[root], found[child] ) )
			{
				break;
			}
			pnNear swap = found[root];
			found[root] = found[child];
			found[child] = swap;
		}
	}
}

bool pnFindOverlaps( pnBroad* b )
{
	bool dropped = false;
	b->foundCount = b->levelCount = 0;
	if ( b->count < 2 )
	{
		return true;
	}
	pnOrderBoxes( b );
	pnBuildTree( b );
	for ( int leaf = 0; leaf < b->count && !dropped; ++leaf )
	{
		pnAskTree( b, leaf, &dropped );
	}
	pnSortFound( b->found, b->foundCount );
	return !dropped;
}
