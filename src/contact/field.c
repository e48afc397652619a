// field.c - our own detector. Between two bodies a tree of boxes over the triangles as they lie now (tree.c) finds the nearest one and proves it.
// For a body and itself a place is taken back to rest by the inverse of the nearest cluster's fit, the node of the field it falls on names a
// triangle, and a walk over neighbours as they lie now finds the nearest. Knows colliders; no time, no response.
#include "field.h"

#include "hash_grid.h"
#include "lanes.h"
#include "lips.h"
#include "near.h"
#include "nodes.h"
#include "split.h"
#include "tree.h"

#include <math.h>

enum { PN_WALK = 4 }; // edges a new candidate may walk over

PN_INLINE_CONTACT pnF4 pnToRest( const pnRestMap* map, pnF4 place )
{
	pnF4 d = place - pnLoad4( map->center );
	return pnLoad4( map->rest ) + ( pnLoad4( map->columns[0] ) * pnSplat4( d[0] ) + pnLoad4( map->columns[1] ) * pnSplat4( d[1] ) + pnLoad4( map->columns[2] ) * pnSplat4( d[2] ) );
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
	*out = (pnCandidate){ .point = point, .triangle = spot.triangle, .key = spot.distance, .side = s->closed ? 0.0f : spot.facing };
	return true;
}

// ---- two bodies ----

enum { PN_MOST_NODES = 20 }; // of the lowest level, that are kept for all places of a side; more: each place goes down from the root

typedef struct pnSearch
{
	pnTree tree;
	int32_t found[PN_MOST_NODES];
	pnBoxes over[( PN_MOST_NODES + 3 ) / 4]; // the boxes of those found
	int foundCount; // -1: too many
	pnF4 lower, upper; // places beyond are near to nothing
	pnF4 boxLower, boxUpper; // and beyond this one not inside
	float reach2;
	int hint; // what was nearest to the last place
} pnSearch;

// lower, upper: of the places, without the reach.
static void pnStartSearch( pnSearch* search, const pnCollider* a, pnF4 lower, pnF4 upper, float reach )
{
	pnF4 wide = pnSplat4( reach );
	search->tree = pnReadTree( a->surface, a->x, a->laid );
	search->lower = lower - wide, search->upper = upper + wide;
	search->foundCount = pnFindNodes( &search->tree, &search->lower, &search->upper, search->found, PN_MOST_NODES );
	if ( search->foundCount < 0 )
	{
		search->lower = pnLoad4( a->lower ), search->upper = pnLoad4( a->upper );
	}
	search->lower -= wide, search->upper += wide;
	search->boxLower = pnLoad4( a->lower ), search->boxUpper = pnLoad4( a->upper );
	search->reach2 = reach * reach;
	search->hint = -1;
}

// Leaves out what lies behind, as seen from b.
static void pnNarrowSearch( pnSearch* search, const pnLook* look )
{
	const pnTree* tree = &search->tree;
	int count = 0;
	for ( int i = 0; i < search->foundCount && tree->levelCount > 1; ++i )
	{
		const pnBoxes* above = tree->nodes + tree->levelStarts[1] + search->found[i] / 4;
		float most = 0.0f;
		for ( int k = 0; k < 3; ++k )
		{
			float to = look->axis[k] > 0.0f ? above->upper[k][search->found[i] % 4] : above->lower[k][search->found[i] % 4];
			most += look->axis[k] * ( to - look->base[k] );
		}
		search->found[count] = search->found[i];
		count += !( most < look->near );
	}
	search->foundCount = tree->levelCount > 1 && search->foundCount > 0 ? count : search->foundCount;
	pnCoverNodes( tree, search->found, search->foundCount > 0 ? search->foundCount : 0, search->over );
}

static pnNearest pnSearchWithin( pnSearch* search, pnF4 place )
{
	pnNearest near = search->foundCount >= 0 ? pnFindNearestIn( &search->tree, search->found, search->over, search->foundCount, place, search->hint, search->reach2 )
											 : pnFindNearestTriangle( &search->tree, place, search->hint, search->reach2 );
	return near;
}

// A place that may be deep inside: the nearest triangle however far.
static pnNearest pnSearchDeep( pnSearch* search, pnF4 place )
{
	bool close = search->foundCount > 0 && search->hint >= 0 && pnNearestOn( search->tree.surface, search->tree.x, place, search->hint ).distance2 < search->reach2;
	pnNearest near = close ? pnSearchWithin( search, place ) : pnFindNearestTriangle( &search->tree, place, search->hint, 1e30f );
	search->hint = near.triangle;
	return near;
}

// A place against the triangle that is nearest. Where a surface is folded flat, as a blade may leave it beside older edges, faces look either way: what seems
// to be inside is so only if the surface runs around it. doubtful: it does not.
PN_INLINE_CONTACT pnSpot pnSeeSpot( const pnTree* tree, pnF4 place, int triangle, bool* doubtful )
{
	pnSpot spot = pnSpotOn( tree->surface, tree->x, place, triangle );
	*doubtful = tree->surface->closed && spot.distance < -pn_touchingPart * tree->surface->size && pnCountAround( tree, place ) == 0;
	spot.distance = *doubtful ? -spot.distance : spot.distance;
	return spot;
}

// One place: 1 if it is a candidate. known: its entry in the old list, or NULL.
PN_INLINE_CONTACT int pnTryPoint( pnSearch* search, const pnLook* look, int32_t point, pnF4 place, const pnCandidate* known, pnCandidate* out, float* least )
{
	const pnSurface* s = search->tree.surface;
	if ( pnDot4( place - look->base, look->axis ) > look->far )
	{
		return 0;
	}
	bool deep = s->closed && ( ( known != NULL && !( known->key > look->motion ) ) || ( look->all && pnInBox4( place, search->boxLower, search->boxUpper ) ) );
	if ( !deep && !pnInBox4( place, search->lower, search->upper ) )
	{
		return 0;
	}
	search->hint = known != NULL ? known->triangle : deep ? search->hint : -1;
	pnNearest near = deep ? pnSearchDeep( search, place ) : pnSearchWithin( search, place );
	if ( near.triangle < 0 )
	{
		return 0;
	}
	bool doubtful;
	pnSpot spot = pnSeeSpot( &search->tree, place, near.triangle, &doubtful );
	if ( spot.distance >= look->reach )
	{
		return 0;
	}
	*least = spot.distance < *least ? spot.distance : *least;
	*out = (pnCandidate){ .point = point, .triangle = near.triangle, .key = spot.distance, .side = doubtful ? 1.0f : s->closed ? 0.0f : spot.facing };
	return 1;
}

// Inside of what is pressed flat inner particles come to its faces, and through them: nothing else holds them there.
static const float pn_crushed = 5.0f; // times as hard as at rest: from a strain of about 0.15 on

static int pnInnerMask( const pnCollider* c, int quad )
{
	const float* x = c->x + 16 * (size_t)quad;
	return ( x[3] > 0.0f ? 1 : 0 ) | ( x[7] > 0.0f ? 2 : 0 ) | ( x[11] > 0.0f ? 4 : 0 ) | ( x[15] > 0.0f ? 8 : 0 );
}

int pnDetectPoints( const pnCollider* a, const pnCollider* b, const pnLook* look, pnCandidate* out, int capacity, float* least )
{
	const pnSurface* s = b->surface;
	pnSearch search;
	pnStartSearch( &search, a, pnLoad4( b->lower ), pnLoad4( b->upper ), look->reach );
	pnNarrowSearch( &search, look );
	if ( search.foundCount == 0 && !look->all && look->oldCount == 0 )
	{
		return 0;
	}
	int count = 0, cursor = 0;
	bool crushed = b->harder > pn_crushed;
	pnFour3 base = pnSplat43( look->base ), axis = pnSplat43( look->axis ), lower = pnSplat43( search.lower ), upper = pnSplat43( search.upper );
	for ( int quad = 0; quad < s->quadCount; ++quad )
	{
		// Four at once: nobody is within reach, and nobody was. (Where anybody may be deep inside, who is beyond the axis alone is out of reach.)
		pnFour3 four = pnGather43( b->x, ( const int32_t[4] ){ 4 * quad, 4 * quad + 1, 4 * quad + 2, 4 * quad + 3 } );
		pnI4 far = pnDot43( pnSub43( four, base ), axis ) > pnSplat4( look->far );
		pnI4 in = ( four.x >= lower.x ) & ( four.x <= upper.x ) & ( four.y >= lower.y ) & ( four.y <= upper.y ) & ( four.z >= lower.z ) & ( four.z <= upper.z );
		int mask = crushed ? pnInnerMask( b, quad ) : s->vertexMask[quad], near = pnMask4( ~far & ( look->all ? ~( far ^ far ) : in ) );
		bool knows = cursor < look->oldCount && look->old[cursor].point >= 0 && look->old[cursor].point < 4 * quad + 4;
		if ( ( near & mask ) == 0 && !knows )
		{
			continue;
		}
		for ( int k = 0; mask != 0 && k < 4; ++k )
		{
			int point = 4 * quad + k;
			if ( ( mask >> k & 1 ) == 0 )
			{
				continue;
			}
			while ( cursor < look->oldCount && look->old[cursor].point >= 0 && look->old[cursor].point < point ) // inner ones, while it was crushed
			{
				cursor += 1;
			}
			bool known = cursor < look->oldCount && look->old[cursor].point == point;
			if ( count == capacity )
			{
				return -1;
			}
			count += pnTryPoint( &search, look, point, pnRow4( b->x, point ), known ? look->old + cursor : NULL, out + count, least );
			cursor += known;
		}
	}
	while ( cursor < look->oldCount && look->old[cursor].point >= 0 )
	{
		cursor += 1;
	}
	for ( int i = 0; i < s->sampleCount; ++i )
	{
		const pnSample* at = s->samples + i;
		pnF4 place = pnRow4( b->x, at->a ) * pnSplat4( at->w ) + pnRow4( b->x, at->b ) * pnSplat4( 1.0f - at->w );
		bool known = cursor < look->oldCount && look->old[cursor].point == ~i;
		if ( count == capacity )
		{
			return -1;
		}
		count += pnTryPoint( &search, look, ~i, place, known ? look->old + cursor : NULL, out + count, least );
		cursor += known;
	}
	return count;
}

float pnProbePoints( const pnCollider* a, const pnCollider* b, const float shift[3], float thick, float deep, pnF4 axis, pnF4 base, float upper, double place[3], double outward[3], pnProbes* probes )
{
	const pnSurface* s = b->surface;
	pnF4 move = { shift[0], shift[1], shift[2], 0.0f };
	pnSearch search;
	pnStartSearch( &search, a, pnLoad4( b->lower ) + move, pnLoad4( b->upper ) + move, thick > deep ? thick : deep );
	pnCoverNodes( &search.tree, search.found, search.foundCount > 0 ? search.foundCount : 0, search.over );
	float weight = 0.0f, far = pnFarLimit( upper, 1.001f * thick, a->surface->size ), near2 = 1.002f * thick * thick, deep2 = search.reach2; // a little more than the thickness, for what rounding makes of it
	pnF4 around = pnSplat4( 1.001f * thick ), nearLower = search.boxLower - around, nearUpper = search.boxUpper + around;
	for ( int i = 0; i < 4 * s->quadCount && search.foundCount != 0; ++i )
	{
		pnF4 p = pnRow4( b->x, i ) + move;
		if ( ( s->vertexMask[i / 4] >> i % 4 & 1 ) == 0 || !pnInBox4( p, search.lower, search.upper ) || !pnInBox4( p, nearLower, nearUpper ) || pnDot4( p - base, axis ) > far )
		{
			continue;
		}
		// Beyond a's box nobody is inside, and who is outside only matters within the thickness.
		bool inside = a->surface->closed && pnInBox4( p, search.boxLower, search.boxUpper );
		search.reach2 = inside || near2 > deep2 ? deep2 : near2;
		pnNearest near = pnSearchWithin( &search, p );
		if ( near.triangle < 0 )
		{
			continue;
		}
		bool doubtful;
		pnSpot spot = pnSeeSpot( &search.tree, p, near.triangle, &doubtful );
		spot.normal = doubtful ? -spot.normal : spot.normal;
		float under = thick - spot.distance;
		if ( under > 0.0f )
		{
			weight += under;
			for ( int k = 0; k < 3; ++k )
			{
				place[k] += (double)( under * p[k] );
				outward[k] += (double)( under * spot.normal[k] );
			}
			if ( probes->count < PN_PROBES )
			{
				spot.normal[3] = under;
				probes->at[probes->count++] = (pnProbed){ p, spot.normal };
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

int pnDetectLips( const pnCollider* c, float reach, pnCandidate* out, int capacity )
{
	const pnSurface* s = c->surface;
	int count = 0;
	for ( int i = 0; i < s->lipCount; ++i )
	{
		pnSpot spot;
		if ( !pnSeeLip( s->lips + i, c->x, &spot ) || spot.distance >= reach )
		{
			continue;
		}
		if ( count == capacity )
		{
			return -1;
		}
		out[count++] = (pnCandidate){ .point = s->lips[i].particle, .triangle = i, .key = spot.distance };
	}
	return count;
}

const pnFinders pn_finders = { pnLayTree, pnFindSplit, pnDetectPoints };
