// field.c - our own detector. A place is taken back to rest by the inverse of the nearest cluster's fit; the node of the field it falls on
// names a triangle; from there a walk over neighbours as they lie now finds the nearest one. So the map may be crude: it only has to
// land near the right triangle. Knows colliders; no time, no response.
#include "field.h"

#include "hash_grid.h"
#include "near.h"
#include "nodes.h"

#include <math.h>

enum { PN_WALK = 4 }; // edges a new candidate may walk over

PN_INLINE_CONTACT pnF4 pnToRest( const pnRestMap* map, pnF4 place )
{
	pnF4 d = place - pnLoad4( map->center );
	return pnLoad4( map->rest ) + ( pnLoad4( map->columns[0] ) * pnSplat4( d[0] ) + pnLoad4( map->columns[1] ) * pnSplat4( d[1] ) + pnLoad4( map->columns[2] ) * pnSplat4( d[2] ) );
}

static float pnApart2( pnF4 a, const float* b )
{
	pnF4 d = a - pnLoad4( b );
	return pnDot4( d, d );
}

// The cluster whose part of the body a place is in or near: nearest now, then nearest at rest.
static const pnRestMap* pnChooseMap( const pnCollider* c, pnF4 place )
{
	int best = 0;
	float least = 1e30f;
	for ( int i = 0; i < c->mapCount; ++i )
	{
		float d2 = pnApart2( place, c->maps[i].center );
		best = d2 < least ? i : best;
		least = d2 < least ? d2 : least;
	}
	for ( int turn = 0; turn < 2; ++turn )
	{
		pnF4 q = pnToRest( c->maps + best, place );
		int now = best;
		least = 1e30f;
		for ( int i = 0; i < c->mapCount; ++i )
		{
			float d2 = pnApart2( q, c->maps[i].rest );
			now = d2 < least ? i : now;
			least = d2 < least ? d2 : least;
		}
		if ( now == best )
		{
			break;
		}
		best = now;
	}
	return c->maps + best;
}

// Nearest node of the field; places outside the grid take the node at its rim.
PN_INLINE_CONTACT int pnNodeOf( const pnSurface* s, pnF4 q )
{
	pnF4 last = { (float)( s->grid[0] - 1 ), (float)( s->grid[1] - 1 ), (float)( s->grid[2] - 1 ), 0.0f };
	pnF4 at = ( q - pnRow4( s->lower, 0 ) ) * pnLoad4( s->perCell ) + pnSplat4( 0.5f );
	at = pnMin4( pnMax4( at, pnSplat4( 0.0f ) ), last ); // NaN lands at 0
	return ( (int)at[2] * s->grid[1] + (int)at[1] ) * s->grid[0] + (int)at[0];
}

// A place near the surface becomes a candidate.
PN_INLINE_CONTACT bool pnTryPlace( const pnCollider* a, const pnRestMap* map, pnF4 q, pnF4 place, int32_t point, float reach, pnCandidate* out )
{
	const pnSurface* s = a->surface;
	pnNode node = pnAskNode( s, pnNodeOf( s, q ) );
	if ( node.distance > reach * map->rest[3] + map->center[3] + s->cell )
	{
		return false;
	}
	pnSpot spot = pnFindSpot( s, a->x, place, node.triangle, PN_WALK );
	// Far deeper than the field says: the walk has ended on another side of the body.
	float deepest = node.distance < 0.0f ? 2.0f * node.distance : 0.0f;
	if ( spot.distance >= reach || ( s->closed && spot.distance < deepest - reach - 0.25f * s->thinnest ) )
	{
		return false;
	}
	*out = (pnCandidate){ .point = point, .triangle = spot.triangle, .key = -1.0f, .side = s->closed ? 0.0f : spot.facing };
	return true;
}

int pnDetectByField( const pnCollider* a, const pnCollider* b, float reach, pnCandidate* out, int capacity )
{
	const pnSurface* s = b->surface;
	pnF4 low = pnLoad4( a->lower ) - pnSplat4( reach ), high = pnLoad4( a->upper ) + pnSplat4( reach );
	int count = 0;
	for ( int quad = 0; quad < s->quadCount; ++quad )
	{
		int mask = s->vertexMask[quad];
		for ( int k = 0; mask != 0 && k < 4; ++k )
		{
			pnF4 row = pnLoad4( b->x + 16 * (size_t)quad + 4 * k );
			if ( ( mask >> k & 1 ) == 0 || !pnInBox4( row, low, high ) )
			{
				continue;
			}
			pnF4 place = pnRow4( b->x, 4 * quad + k );
			const pnRestMap* map = a->mapCount == 1 ? a->maps : pnChooseMap( a, place );
			if ( count == capacity )
			{
				return -1;
			}
			count += pnTryPlace( a, map, pnToRest( map, place ), place, 4 * quad + k, reach, out + count );
		}
	}
	for ( int i = 0; i < s->sampleCount; ++i )
	{
		const pnSample* at = s->samples + i;
		pnF4 place = pnRow4( b->x, at->a ) * pnSplat4( at->w ) + pnRow4( b->x, at->b ) * pnSplat4( 1.0f - at->w );
		if ( !pnInBox4( place, low, high ) )
		{
			continue;
		}
		const pnRestMap* map = a->mapCount == 1 ? a->maps : pnChooseMap( a, place );
		if ( count == capacity )
		{
			return -1;
		}
		count += pnTryPlace( a, map, pnToRest( map, place ), place, ~i, reach, out + count );
	}
	return count;
}

float pnProbeByField( const pnCollider* a, const pnCollider* b, const float shift[3], float thick, double place[3], double outward[3] )
{
	const pnSurface *s = b->surface, *at = a->surface;
	pnF4 move = { shift[0], shift[1], shift[2], 0.0f }, low = pnLoad4( a->lower ) - pnSplat4( thick ), high = pnLoad4( a->upper ) + pnSplat4( thick );
	float weight = 0.0f;
	for ( int i = 0; i < 4 * s->quadCount; ++i )
	{
		pnF4 p = pnRow4( b->x, i ) + move;
		if ( ( s->vertexMask[i / 4] >> i % 4 & 1 ) == 0 || !pnInBox4( p, low, high ) )
		{
			continue;
		}
		const pnRestMap* map = a->mapCount == 1 ? a->maps : pnChooseMap( a, p );
		pnNode node = pnAskNode( at, pnNodeOf( at, pnToRest( map, p ) ) );
		if ( node.distance > thick * map->rest[3] + map->center[3] + at->cell )
		{
			continue;
		}
		pnSpot spot = pnFindSpot( at, a->x, p, node.triangle, PN_WALK );
		float deep = thick - spot.distance;
		if ( deep > 0.0f )
		{
			weight += deep;
			for ( int k = 0; k < 3; ++k )
			{
				place[k] += (double)( deep * p[k] );
				outward[k] += (double)( deep * spot.normal[k] );
			}
		}
	}
	return weight;
}

// ---- self-contact ----

static bool pnRestApart( const pnRestMap* a, const pnRestMap* b )
{
	bool apart = false;
	for ( int k = 0; k < 3; ++k )
	{
		apart |= a->lower[k] > b->upper[k] || b->lower[k] > a->upper[k];
	}
	return apart;
}

static bool pnLieTogether( const pnRestMap* a, const pnRestMap* b, float reach )
{
	bool together = true;
	for ( int k = 0; k < 3; ++k )
	{
		float d = a->center[k] - b->center[k];
		together = together && ( d < 0.0f ? -d : d ) <= a->half[k] + b->half[k] + reach;
	}
	return together;
}

// Boxes over blocks of items that are neighbours in memory, and so mostly in space; boxes over blocks of those, and so on. A walk over them meets
// the items in their order and leaves out what is far, so that many clusters need not look at all points of a large body.
enum { PN_BLOCK_LENGTH = 8, PN_MOST_LEVELS = 12 };
enum { PN_FEW_MAPS = 16 }; // these are compared sooner than boxes are made

typedef struct pnBlockBox { float lower[3], upper[3], half[3]; } pnBlockBox; // half: of the widest item; 0 for points

typedef struct pnBlocks
{
	int itemCount, levelCount; // no level: all items are met
	pnBlockBox* levels[PN_MOST_LEVELS]; // a box for PN_BLOCK_LENGTH items, for as many of those boxes, ...
} pnBlocks;

static const pnBlockBox pn_emptyBlock = { { 1e30f, 1e30f, 1e30f }, { -1e30f, -1e30f, -1e30f }, { 0.0f, 0.0f, 0.0f } };

static int pnCountBlocks( int count ) { return ( count + PN_BLOCK_LENGTH - 1 ) / PN_BLOCK_LENGTH; }

static void pnTakeBlocks( pnBlocks* blocks, int itemCount, pnArena* arena )
{
	*blocks = (pnBlocks){ .itemCount = itemCount };
	for ( int count = pnCountBlocks( itemCount ); blocks->levelCount < PN_MOST_LEVELS; count = pnCountBlocks( count ) )
	{
		blocks->levels[blocks->levelCount++] = pnTakeRoomFor( arena, pnBlockBox, count );
		if ( count <= PN_BLOCK_LENGTH )
		{
			break;
		}
	}
}

// What is not a number is in no box: it is near nothing.
static void pnWidenBlock( pnBlockBox* box, const float lower[3], const float upper[3], const float half[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		box->lower[k] = lower[k] < box->lower[k] ? lower[k] : box->lower[k];
		box->upper[k] = upper[k] > box->upper[k] ? upper[k] : box->upper[k];
		box->half[k] = half[k] > box->half[k] ? half[k] : box->half[k];
	}
}

// The lowest level is there: those above it.
static void pnStackBlocks( pnBlocks* blocks )
{
	int count = pnCountBlocks( blocks->itemCount );
	for ( int level = 1; level < blocks->levelCount; ++level )
	{
		for ( int i = 0; i < count; ++i )
		{
			pnBlockBox *from = blocks->levels[level - 1] + i, *to = blocks->levels[level] + i / PN_BLOCK_LENGTH;
			*to = i % PN_BLOCK_LENGTH == 0 ? pn_emptyBlock : *to;
			pnWidenBlock( to, from->lower, from->upper, from->half );
		}
		count = pnCountBlocks( count );
	}
}

// Subtraction and addition in float never turn an order around: what is far by the box would be so by itself.
static bool pnIsBlockFar( const pnBlockBox* box, const pnRestMap* map, float reach )
{
	bool far = false;
	for ( int k = 0; k < 3; ++k )
	{
		float limit = map->half[k] + box->half[k] + reach;
		far |= box->lower[k] - map->center[k] > limit || map->center[k] - box->upper[k] > limit;
	}
	return far;
}

// The first block of items from `item` on, a multiple of PN_BLOCK_LENGTH, that is not far; itemCount if there is none.
static int pnNextBlock( const pnBlocks* blocks, int item, const pnRestMap* map, float reach )
{
	int block = item / PN_BLOCK_LENGTH, level = 0, length = 1; // of the box in blocks
	while ( blocks->levelCount > 0 && block * PN_BLOCK_LENGTH < blocks->itemCount )
	{
		while ( level + 1 < blocks->levelCount && block % ( length * PN_BLOCK_LENGTH ) == 0 )
		{
			level += 1, length *= PN_BLOCK_LENGTH;
		}
		while ( level > 0 && !pnIsBlockFar( blocks->levels[level] + block / length, map, reach ) )
		{
			level -= 1, length /= PN_BLOCK_LENGTH;
		}
		if ( level == 0 && !pnIsBlockFar( blocks->levels[0] + block, map, reach ) )
		{
			break;
		}
		block += length;
	}
	return block * PN_BLOCK_LENGTH < blocks->itemCount ? block * PN_BLOCK_LENGTH : blocks->itemCount;
}

size_t pnGetSelfRoom( int quadCount, int mapCount )
{
	pnArena none = { 0 };
	pnBlocks quads, maps;
	if ( mapCount > PN_FEW_MAPS )
	{
		pnTakeBlocks( &quads, quadCount, &none );
		pnTakeBlocks( &maps, mapCount, &none );
	}
	return none.used > 0 ? none.used + 15 : 0; // memory may begin anywhere
}

// False: no room.
static bool pnLayBlocks( const pnCollider* c, pnArena* arena, pnBlocks* quads, pnBlocks* maps )
{
	const pnSurface* s = c->surface;
	*quads = (pnBlocks){ .itemCount = s->quadCount }, *maps = (pnBlocks){ .itemCount = c->mapCount };
	if ( c->mapCount <= PN_FEW_MAPS )
	{
		return true;
	}
	arena->used = 0;
	pnTakeBlocks( quads, s->quadCount, arena );
	pnTakeBlocks( maps, c->mapCount, arena );
	if ( !pnHasRoom( arena ) )
	{
		return false;
	}
	const float none[3] = { 0.0f, 0.0f, 0.0f };
	for ( int quad = 0; quad < s->quadCount; ++quad )
	{
		pnBlockBox* box = quads->levels[0] + quad / PN_BLOCK_LENGTH;
		*box = quad % PN_BLOCK_LENGTH == 0 ? pn_emptyBlock : *box;
		for ( int k = 0; k < 4; ++k )
		{
			const float* x = c->x + 16 * (size_t)quad + 4 * k;
			if ( ( s->vertexMask[quad] >> k & 1 ) != 0 )
			{
				pnWidenBlock( box, x, x, none );
			}
		}
	}
	for ( int m = 0; m < c->mapCount; ++m )
	{
		pnBlockBox* box = maps->levels[0] + m / PN_BLOCK_LENGTH;
		*box = m % PN_BLOCK_LENGTH == 0 ? pn_emptyBlock : *box;
		pnWidenBlock( box, c->maps[m].center, c->maps[m].center, c->maps[m].half );
	}
	pnStackBlocks( quads );
	pnStackBlocks( maps );
	return true;
}

// Does some part that is far from this cluster at rest lie at it now?
static bool pnIsFolded( const pnCollider* c, const pnRestMap* map, const pnBlocks* maps, float reach )
{
	for ( int first = pnNextBlock( maps, 0, map, reach ); first < c->mapCount; first = pnNextBlock( maps, first + PN_BLOCK_LENGTH, map, reach ) )
	{
		for ( int other = first; other < first + PN_BLOCK_LENGTH && other < c->mapCount; ++other )
		{
			if ( pnLieTogether( map, c->maps + other, reach ) && pnRestApart( map, c->maps + other ) )
			{
				return true;
			}
		}
	}
	return false;
}

// Does a particle touch a cluster that it is far from at rest? Then it is a candidate.
static bool pnTrySelf( const pnCollider* c, const pnRestMap* map, int particle, float reach, pnCandidate* out )
{
	const pnSurface* s = c->surface;
	pnF4 place = pnRow4( c->x, particle ), q = pnToRest( map, place ), home = pnLoad4( (const float*)( s->rest + particle ) ), way = q - home;
	float far2 = map->upper[3] * map->upper[3];
	bool inside = true;
	for ( int axis = 0; axis < 3; ++axis )
	{
		inside = inside && q[axis] >= map->lower[axis] - reach && q[axis] <= map->upper[axis] + reach;
	}
	// At rest this point is elsewhere, and so is the triangle it is about to meet.
	if ( !inside || pnDot4( way, way ) < far2 || !pnTryPlace( c, map, q, place, particle, reach, out ) )
	{
		return false;
	}
	const pnVec3* foot = s->rest + s->triangles[3 * (size_t)out->triangle];
	float dx = foot->x - home[0], dy = foot->y - home[1], dz = foot->z - home[2];
	return dx * dx + dy * dy + dz * dz >= far2;
}

int pnDetectSelf( const pnCollider* c, float reach, pnArena* arena, pnCandidate* out, int capacity )
{
	const pnSurface* s = c->surface;
	pnBlocks quads, maps;
	if ( !pnLayBlocks( c, arena, &quads, &maps ) )
	{
		return -1;
	}
	int count = 0;
	for ( int m = 0; m < c->mapCount; ++m )
	{
		const pnRestMap* map = c->maps + m;
		bool folded = pnIsFolded( c, map, &maps, reach );
		for ( int first = folded ? pnNextBlock( &quads, 0, map, reach ) : s->quadCount; first < s->quadCount;
			  first = pnNextBlock( &quads, first + PN_BLOCK_LENGTH, map, reach ) )
		{
			int end = first + PN_BLOCK_LENGTH < s->quadCount ? first + PN_BLOCK_LENGTH : s->quadCount;
			for ( int particle = 4 * first; particle < 4 * end; ++particle )
			{
				pnF4 d = pnRow4( c->x, particle ) - pnLoad4( map->center );
				bool near = ( s->vertexMask[particle / 4] >> particle % 4 & 1 ) != 0;
				for ( int axis = 0; axis < 3; ++axis )
				{
					near = near && ( d[axis] < 0.0f ? -d[axis] : d[axis] ) <= map->half[axis] + reach;
				}
				pnCandidate candidate;
				if ( !near || !pnTrySelf( c, map, particle, reach, &candidate ) )
				{
					continue;
				}
				if ( count == capacity )
				{
					return -1;
				}
				out[count++] = candidate;
			}
		}
	}
	return count;
}
