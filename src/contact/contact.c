// contact.c - who is near whom: pairs from the broad phase, their lists of candidates, and when these must be made anew. Knows colliders
// and shapes; how they are pushed apart is in solve.c.
#include "contact.h"

#include "bulk.h"
#include "deep.h"
#include "edges.h"
#include "field.h"
#include "ground.h"
#include "row.h"
#include "split.h"
#include "tree.h"

#include <math.h>

// ---- lifetime ----

bool pnInitContacts( pnContacts* c, int workerCount, const pnFinders* finders )
{
	c->finders = finders;
	c->workers = pnAllocArray( pnContactWorker, workerCount );
	c->workerCount = c->workers != NULL ? workerCount : 0;
	return c->workers != NULL;
}

void pnFreeContacts( pnContacts* c )
{
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		pnFreeArray( pnRestMap, c->colliders.at[i].maps, c->colliders.at[i].mapCount );
		pnFreeArray( pnBoxes, c->colliders.at[i].laid, c->colliders.at[i].laidCount );
		pnFreeArray( uint16_t, c->colliders.at[i].dents, c->colliders.at[i].dentCount );
	}
	for ( int i = 0; i < c->shapes.count; ++i )
	{
		pnDestroyForm( c->shapes.at[i].form );
	}
	for ( int w = 0; w < c->workerCount; ++w )
	{
		pnFreeList( c->workers[w].candidates );
		pnFreeList( c->workers[w].found );
		pnFreeList( c->workers[w].marks );
		pnFree( c->workers[w].arena.memory, c->workers[w].arena.size, 1 );
	}
	pnFreeArray( pnContactWorker, c->workers, c->workerCount );
	pnFreeArray( int32_t, c->shapeOrder, c->shapeOrderCapacity );
	pnFreeBroad( &c->broad );
	pnFreeList( c->colliders );
	pnFreeList( c->shapes );
	pnFreeList( c->pairs );
	pnFreeList( c->grounds );
	pnFreeList( c->spare );
	pnFreeList( c->spareGrounds );
	pnFreeList( c->candidates );
	pnFreeList( c->spareCandidates );
	pnFreeList( c->found );
	pnFreeList( c->rows );
	pnFreeList( c->order );
	pnFreeList( c->spareOrder );
	pnFreeList( c->keys );
	pnFreeList( c->spareKeys );
	pnFreeList( c->groupStarts );
	pnFreeList( c->chunkColors );
	pnFreeList( c->hits );
	pnFreeList( c->bulks );
	pnFreeList( c->groundStarts );
	pnFreeList( c->work );
	pnFreeList( c->placed );
	pnFreeList( c->contacts );
	pnFreeList( c->begun );
	pnFreeList( c->ended );
	pnFreeList( c->strays );
	*c = (pnContacts){ 0 };
}

#define PN_LIST_BYTES( list ) ( (size_t)( list ).capacity * sizeof( *( list ).at ) )

size_t pnGetContactBytes( const pnContacts* c )
{
	size_t bytes = PN_LIST_BYTES( c->colliders ) + PN_LIST_BYTES( c->shapes ) + PN_LIST_BYTES( c->pairs ) + PN_LIST_BYTES( c->grounds ) +
				   PN_LIST_BYTES( c->spare ) + PN_LIST_BYTES( c->spareGrounds ) + PN_LIST_BYTES( c->candidates ) + PN_LIST_BYTES( c->spareCandidates ) + PN_LIST_BYTES( c->found ) + PN_LIST_BYTES( c->rows ) +
				   PN_LIST_BYTES( c->order ) + PN_LIST_BYTES( c->spareOrder ) + PN_LIST_BYTES( c->keys ) + PN_LIST_BYTES( c->spareKeys ) + PN_LIST_BYTES( c->groupStarts ) + PN_LIST_BYTES( c->chunkColors ) + PN_LIST_BYTES( c->hits ) + PN_LIST_BYTES( c->bulks ) + PN_LIST_BYTES( c->groundStarts ) + PN_LIST_BYTES( c->work ) + PN_LIST_BYTES( c->placed ) +
				   PN_LIST_BYTES( c->contacts ) + PN_LIST_BYTES( c->begun ) + PN_LIST_BYTES( c->ended ) + PN_LIST_BYTES( c->strays ) + pnGetBroadBytes( &c->broad );
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		bytes += (size_t)c->colliders.at[i].mapCount * sizeof( pnRestMap ) + (size_t)c->colliders.at[i].laidCount * sizeof( pnBoxes ) + (size_t)c->colliders.at[i].dentCount * sizeof( uint16_t );
	}
	for ( int i = 0; i < c->shapes.count; ++i )
	{
		bytes += c->shapes.at[i].form != NULL ? pnGetFormBytes( c->shapes.at[i].form ) : 0;
	}
	for ( int w = 0; w < c->workerCount; ++w )
	{
		bytes += sizeof( pnContactWorker ) + PN_LIST_BYTES( c->workers[w].candidates ) + PN_LIST_BYTES( c->workers[w].found ) + PN_LIST_BYTES( c->workers[w].marks ) + c->workers[w].arena.size;
	}
	return bytes;
}

// ---- who is near ----

static const float pn_slack = 0.04f; // how far two may move before they are looked at again, in body sizes: their mean, but no more than twice the smaller
static const float pn_margin = 0.05f; // by which boxes are larger than what they hold, in body sizes
static const float pn_deepPart = 0.1f; // of the thinner body: so far inside, and the nearest face is soon another one

static bool pnMayTouch( pnFilter a, pnFilter b ) { return ( a.layers & b.mask ) != 0 && ( b.layers & a.mask ) != 0; }

static float pnReachOf( const pnCollider* c ) { return c->surface->thickness + 0.5f * pn_slack * c->surface->size; }

static bool pnLeftItsBox( const pnCollider* c, float h )
{
	bool left = false;
	float reach = pnReachOf( c );
	for ( int k = 0; k < 3; ++k )
	{
		float back = h * c->mean[k]; // where it comes from must be in it too
		left |= c->lower[k] - reach - ( back > 0.0f ? back : 0.0f ) < c->fat[k] || c->upper[k] + reach - ( back < 0.0f ? back : 0.0f ) > c->fat[4 + k];
	}
	return left;
}

// A box with room to move in, more of it ahead; and over the way just made, where something thin may have been passed.
static void pnFattenBox( pnCollider* c, float h )
{
	float reach = pnReachOf( c ) + pn_margin * c->surface->size;
	for ( int k = 0; k < 3; ++k )
	{
		float way = h * c->mean[k], more = way < 0.0f ? -way : way;
		c->fat[k] = c->lower[k] - reach - ( way < 0.0f ? 2.0f : 1.0f ) * more;
		c->fat[4 + k] = c->upper[k] + reach + ( way > 0.0f ? 2.0f : 1.0f ) * more;
	}
}

static int pnComparePairs( const pnPair* a, int first, int second )
{
	return a->a != first ? ( a->a < first ? -1 : 1 ) : a->b != second ? ( a->b < second ? -1 : 1 ) : 0;
}

// A pair that is there now: as it was if it was there before. cursor walks through the old list, which is sorted alike. Old ones that are
// passed over have parted.
static bool pnTakePair( pnContacts* c, pnPair* list, int oldCount, int* cursor, int a, int b, bool byB )
{
	while ( *cursor < oldCount && ( byB ? ( list[*cursor].b != b ? list[*cursor].b < b : list[*cursor].a < a ) : pnComparePairs( list + *cursor, a, b ) < 0 ) )
	{
		*cursor += 1;
	}
	if ( !pnGrowList( c->spare, c->spare.count + 1 ) )
	{
		return false;
	}
	bool same = *cursor < oldCount && list[*cursor].a == a && list[*cursor].b == b;
	c->spare.at[c->spare.count++] = same ? list[*cursor] : (pnPair){ .a = a, .b = b, .thick = PN_UNSEEN };
	return true;
}

// Old pairs that are not in the new list have parted.
static void pnComparePairLists( pnContacts* c, const pnPair* old, int oldCount, const pnPair* now, int nowCount, bool ground )
{
	for ( int i = 0, k = 0; i < oldCount; ++i )
	{
		while ( k < nowCount && ( ground ? ( now[k].b != old[i].b ? now[k].b < old[i].b : now[k].a < old[i].a ) : pnComparePairs( now + k, old[i].a, old[i].b ) < 0 ) )
		{
			k += 1;
		}
		if ( ( k == nowCount || now[k].a != old[i].a || now[k].b != old[i].b ) && ( old[i].touching || old[i].touched ) )
		{
			pnNoteParted( c, old + i, ground, PN_STIR_ALL );
		}
	}
}

#define PN_SWAP( T, x, y )                                                                                               \
	do                                                                                                                   \
	{                                                                                                                    \
		T swap = ( x );                                                                                                  \
		( x ) = ( y );                                                                                                   \
		( y ) = swap;                                                                                                    \
	}                                                                                                                    \
	while ( 0 )

static void pnSwapPairs( pnPair** a, int* aCount, int* aCapacity, pnPair** b, int* bCount, int* bCapacity )
{
	PN_SWAP( pnPair*, *a, *b );
	PN_SWAP( int, *aCount, *bCount );
	PN_SWAP( int, *aCapacity, *bCapacity );
}

static void pnRenewPairs( pnContacts* c )
{
	pnBroad* broad = &c->broad;
	int bodies = 0;
	if ( !pnReserveBroad( broad, c->surfaceCount + c->shapeCount ) )
	{
		return; // the old pairs must do; everything near them is still there
	}
	broad->count = 0;
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		pnCollider* body = c->colliders.at + i;
		if ( body->surface == NULL )
		{
			continue;
		}
		bodies += 1;
		if ( body->awake || body->refreshed )
		{
			pnFattenBox( body, c->step );
		}
		body->refreshed = false;
		if ( body->filter.mask == 0 || body->filter.layers == 0 )
		{
			continue;
		}
		pnBox* box = broad->boxes + broad->count;
		memcpy( box->lower, body->fat, sizeof box->lower );
		memcpy( box->upper, body->fat + 4, sizeof box->upper );
		broad->names[broad->count++] = i;
	}
	broad->movingCount = broad->count;
	for ( int i = 0; i < c->shapeCount; ++i )
	{
		int slot = c->shapeOrder[i];
		pnShape* shape = c->shapes.at + slot;
		shape->place = i;
		memcpy( broad->boxes[broad->count].lower, &shape->bounds.lower, 3 * sizeof( float ) );
		memcpy( broad->boxes[broad->count].upper, &shape->bounds.upper, 3 * sizeof( float ) );
		broad->names[broad->count++] = PN_FIRST_SHAPE + slot;
	}
	c->renew = !pnFindOverlaps( broad ); // what did not fit is looked for again
	pnChunkColliders( c );
	// Pairs with themselves and with others, in order. What there is no memory for is looked for again.
	bool all = true;
	c->spare.count = 0;
	int cursor = 0, next = 0;
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		const pnCollider* body = c->colliders.at + i;
		if ( body->surface != NULL && body->self && body->mapCount > 1 && body->filter.mask != 0 )
		{
			all &= pnTakePair( c, c->pairs.at, c->pairs.count, &cursor, i, i, false );
		}
		for ( ; next < broad->foundCount && broad->found[next].first == i; ++next )
		{
			int second = broad->found[next].second;
			if ( second < PN_FIRST_SHAPE && pnMayTouch( body->filter, c->colliders.at[second].filter ) )
			{
				all &= pnTakePair( c, c->pairs.at, c->pairs.count, &cursor, i, second, false );
			}
		}
	}
	pnComparePairLists( c, c->pairs.at, c->pairs.count, c->spare.at, c->spare.count, false );
	pnSwapPairs( &c->pairs.at, &c->pairs.count, &c->pairs.capacity, &c->spare.at, &c->spare.count, &c->spare.capacity );
	if ( !pnGroupPairs( c ) )
	{
		c->pairs.count = c->colorCount = 0;
		c->renew = true;
	}
	// Shapes and bodies, by body.
	if ( !pnGrow( (void**)&c->groundStarts.at, &c->groundStarts.capacity, 0, bodies + 1, sizeof( int32_t ) ) )
	{
		c->grounds.count = 0;
		c->renew = true;
		return;
	}
	pnSwapPairs( &c->spare.at, &c->spare.count, &c->spare.capacity, &c->spareGrounds.at, &c->spareGrounds.count, &c->spareGrounds.capacity );
	c->spare.count = 0;
	c->groundStarts.count = 0;
	cursor = 0;
	for ( next = 0; next < broad->foundCount; )
	{
		int i = broad->found[next].first, before = c->spare.count;
		for ( ; next < broad->foundCount && broad->found[next].first == i; ++next )
		{
			int s = broad->found[next].second - PN_FIRST_SHAPE;
			if ( s >= 0 && pnMayTouch( c->colliders.at[i].filter, c->shapes.at[s].filter ) )
			{
				all &= pnTakePair( c, c->grounds.at, c->grounds.count, &cursor, s, i, true );
			}
		}
		if ( c->spare.count > before )
		{
			c->groundStarts.at[c->groundStarts.count++] = before;
		}
	}
	c->groundStarts.at[c->groundStarts.count] = c->spare.count;
	c->renew |= !all;
	pnComparePairLists( c, c->grounds.at, c->grounds.count, c->spare.at, c->spare.count, true );
	pnSwapPairs( &c->grounds.at, &c->grounds.count, &c->grounds.capacity, &c->spare.at, &c->spare.count, &c->spare.capacity );
	pnSwapPairs( &c->spare.at, &c->spare.count, &c->spare.capacity, &c->spareGrounds.at, &c->spareGrounds.count, &c->spareGrounds.capacity );
}

// ---- what must be looked at again ----

static bool pnAddWork( pnContacts* c, int item )
{
	if ( !pnGrowList( c->work, c->work.count + 1 ) )
	{
		return false;
	}
	c->work.at[c->work.count++] = item;
	return true;
}

static void pnWatchPair( pnContacts* c, int index )
{
	pnPair* pair = c->pairs.at + index;
	pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
	if ( !a->awake && !b->awake && pair->detected )
	{
		return;
	}
	float way2 = 0.0f;
	for ( int k = 0; k < 3; ++k )
	{
		float d = a->center[k] - b->center[k] - pair->base[k];
		way2 += d * d;
	}
	double wandered = ( a->wander - pair->wanderA ) + ( pair->a != pair->b ? b->wander - pair->wanderB : 0.0 );
	float motion = __builtin_sqrtf( way2 ) + (float)wandered;
	pair->stale = !pair->detected || !( motion < pair->slack ) || a->detector != pn_fieldDetector || b->detector != pn_fieldDetector;
	pair->motion = motion > pair->motion ? motion : pair->motion;
	bool fast = pnMeetFast( c, pair );
	c->fast |= fast;
	pair->stale = pair->stale && pnAddWork( c, index );
	bool self = pair->a == pair->b;
	if ( fast || ( pair->stale && !self ) )
	{
		a->wanted = b->wanted = c->treesWanted = true;
	}
	if ( pair->stale && self )
	{
		a->mapped = c->mapsWanted = true;
	}
}

static void pnWatchGround( pnContacts* c, int index )
{
	pnPair* pair = c->grounds.at + index;
	const pnShape* shape = c->shapes.at + pair->a;
	pnCollider* b = c->colliders.at + pair->b;
	if ( !b->awake )
	{
		double place[3], outward[3], velocity[3], deepest = 0.0;
		if ( shape->moves && pnProbeGround( shape, b, 0.0f, place, outward, velocity, &deepest ) > 0.0 )
		{
			pnStir( b, PN_STIR_ALL );
		}
		return;
	}
	float way2 = 0.0f;
	for ( int k = 0; k < 3; ++k )
	{
		float d = b->center[k] - pair->base[k];
		way2 += d * d;
	}
	float motion = __builtin_sqrtf( way2 ) + (float)( b->wander - pair->wanderB );
	pair->stale = !pair->detected || shape->moves || !( motion < pair->slack );
	pair->motion = motion > pair->motion ? motion : pair->motion;
	pair->stale = pair->stale && pnAddWork( c, ~index );
}

void pnFindPairs( pnContacts* c, double h, int left )
{
	double start = pnNow();
	c->step = (float)h;
	c->work.count = 0;
	c->treesWanted = c->mapsWanted = c->fast = false;
	pnMoveShapes( c, left );
	bool awake = false;
	for ( int i = 0; i < c->colliders.count && !awake; ++i )
	{
		awake = c->colliders.at[i].surface != NULL && c->colliders.at[i].awake;
	}
	for ( int i = 0; i < c->shapes.count && !awake; ++i )
	{
		awake = c->shapes.at[i].form != NULL && c->shapes.at[i].moves;
	}
	c->resting = !awake;
	if ( c->resting )
	{
		return;
	}
	for ( int i = 0; i < c->colliders.count && !c->renew; ++i )
	{
		const pnCollider* body = c->colliders.at + i;
		c->renew = body->surface != NULL && body->awake && pnLeftItsBox( body, c->step );
	}
	if ( c->renew )
	{
		pnRenewPairs( c );
	}
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		c->colliders.at[i].wanted = c->colliders.at[i].mapped = false;
	}
	for ( int i = 0; i < c->pairs.count; ++i )
	{
		pnWatchPair( c, i );
	}
	for ( int i = 0; i < c->grounds.count; ++i )
	{
		pnWatchGround( c, i );
	}
	c->stats.broad += pnNow() - start;
}

// ---- looking ----

static bool pnFarApart( const pnCollider* a, const pnCollider* b, float* gap )
{
	float most = 0.0f;
	for ( int k = 0; k < 3; ++k )
	{
		float d = a->lower[k] - b->upper[k], e = b->lower[k] - a->upper[k];
		most = d > most ? d : most;
		most = e > most ? e : most;
	}
	*gap = most;
	return most > 0.0f;
}

// One side of a pair by a detector of the papers. False: no room.
static bool pnDetectByPaper( const pnCollider* a, const pnCollider* b, pnContactWorker* worker )
{
	pnLying lying[2] = { { a->surface, a->x, { { a->lower[0], a->lower[1], a->lower[2] }, { a->upper[0], a->upper[1], a->upper[2] } } },
						 { b->surface, b->x, { { b->lower[0], b->lower[1], b->lower[2] }, { b->upper[0], b->upper[1], b->upper[2] } } } };
	worker->arena.used = 0;
	int room = worker->found.capacity - worker->found.count;
	if ( room < b->surface->vertexCount || room == 0 )
	{
		return false;
	}
	bool tets = a->detector == pn_tetDetector;
	pnFound* out = worker->found.at + worker->found.count;
	int count = tets ? pnDetectByTets( lying, lying + 1, &worker->arena, out, room ) : pnDetectByEdges( lying, lying + 1, &worker->arena, out, room );
	worker->found.count += count > 0 ? count : 0;
	return count >= 0;
}

// Points of b at a. False: no room.
static bool pnDetectSide( const pnContacts* c, const pnCollider* a, const pnCollider* b, const pnLook* look, pnContactWorker* worker, float* least )
{
	if ( a->detector != pn_fieldDetector )
	{
		return pnDetectByPaper( a, b, worker );
	}
	int room = worker->candidates.capacity - worker->candidates.count;
	int count = room > 0 ? c->finders->detectPoints( a, b, look, worker->candidates.at + worker->candidates.count, room, least ) : -1;
	worker->candidates.count += count > 0 ? count : 0;
	return count >= 0;
}

// Where a body is pressed thin its far side comes near, and a point there seems to be deep behind it; pushes would drive it out sideways, farther with each, and
// strain the body without end (contact.PressedBodiesDoNotMeetThemselves). A point is inside another part of its body only if the surface runs around a place just
// outside of its own. Returns how many are left.
static int pnKeepOverlapped( const pnCollider* a, pnCandidate* candidates, int count )
{
	const pnSurface* s = a->surface;
	float loose = pn_touchingPart * s->size;
	bool laid = a->wanted; // else nobody but this pair asks for it
	pnTree tree = pnReadTree( s, a->x, a->laid );
	int kept = 0;
	for ( int i = 0; i < count; ++i )
	{
		bool inside = candidates[i].key < -loose, overlapped = !inside;
		if ( inside )
		{
			if ( !laid )
			{
				pnLayTree( s, a->x, a->laid );
				laid = true;
			}
			pnF4 own = pnOwnNormal( a, candidates[i].point );
			float length = __builtin_sqrtf( pnDot4( own, own ) );
			pnF4 outside = pnRow4( a->x, candidates[i].point ) + own * pnSplat4( length > 0.0f ? loose / length : 0.0f );
			overlapped = pnCountAround( &tree, outside ) > 0;
		}
		if ( overlapped )
		{
			candidates[kept++] = candidates[i];
		}
	}
	return kept;
}

static bool pnDetectItself( const pnCollider* a, float reach, pnContactWorker* worker )
{
	int room = worker->candidates.capacity - worker->candidates.count;
	int count = room > 0 ? pnDetectSelf( a, reach, &worker->arena, worker->candidates.at + worker->candidates.count, room ) : -1;
	if ( count > 0 && a->surface->closed )
	{
		count = pnKeepOverlapped( a, worker->candidates.at + worker->candidates.count, count );
	}
	worker->candidates.count += count > 0 ? count : 0;
	return count >= 0;
}

static bool pnDetectItsLips( const pnCollider* a, float reach, pnContactWorker* worker )
{
	int room = worker->candidates.capacity - worker->candidates.count;
	int count = a->surface->lipCount == 0 ? 0 : pnDetectLips( a, reach, worker->candidates.at + worker->candidates.count, room );
	worker->candidates.count += count > 0 ? count : 0;
	return count >= 0;
}

// Edges of a at b's. False: no room.
static bool pnDetectItsEdges( const pnContacts* c, const pnPair* pair, const pnCollider* a, const pnCollider* b, const pnSplit* split, float reach, pnContactWorker* worker, struct pnPlaced* placed, float* least )
{
	if ( a->surface->edgeCount == 0 || b->surface->edgeCount == 0 || a->detector != pn_fieldDetector || b->detector != pn_fieldDetector )
	{
		return true;
	}
	const pnCandidate* old = c->candidates.at + pair->first + pair->count;
	pnF4 drift = pnDriftOf( a, b, c->step );
	reach += __builtin_sqrtf( pnDot4( drift, drift ) );
	float past = 0.0f, thin = a->surface->thinnest < b->surface->thinnest ? a->surface->thinnest : b->surface->thinnest;
	for ( int i = 0; i < pair->edgeCount; ++i ) // who has gone past is not lost, unless by so much that it would be another side's
	{
		float gone = old[i].side > 0.0f ? pair->motion - old[i].key : 0.0f;
		past = gone > past ? gone : past;
	}
	past = past < 0.5f * thin ? past : 0.5f * thin;
	reach = past > reach ? past : reach;
	pnEdgeLook look = { .reach = reach, .drift = drift, .axis = split->axis, .base = split->base, .upper = split->upper, .lower = split->lower, .old = old, .oldCount = pair->edgeCount };
	int room = worker->candidates.capacity - worker->candidates.count;
	placed->edgeCount = pnDetectEdges( a, b, &look, worker->candidates.at + worker->candidates.count, room, least );
	worker->candidates.count += placed->edgeCount > 0 ? placed->edgeCount : 0;
	return placed->edgeCount >= 0;
}

// Metres. What moves fast gets more room, so that it is not looked at again in every substep.
static float pnChooseSlack( const pnContacts* c, const pnCollider* a, const pnCollider* b )
{
	float way2 = 0.0f, mean = 0.5f * ( a->surface->size + b->surface->size ), small = a->surface->size < b->surface->size ? a->surface->size : b->surface->size;
	float least = pn_slack * ( mean < 2.0f * small ? mean : 2.0f * small );
	for ( int k = 0; k < 3; ++k )
	{
		float d = ( a->awake ? a->mean[k] : 0.0f ) - ( b->awake ? b->mean[k] : 0.0f );
		way2 += d * d;
	}
	float wanted = 4.0f * ( c->step * __builtin_sqrtf( way2 ) + ( a->awake ? a->wanderStep : 0.0f ) + ( b->awake ? b->wanderStep : 0.0f ) );
	return wanted < least ? least : wanted > 4.0f * least ? 4.0f * least : wanted;
}

// A surface made over bare points is as coarse as they are: two of them may lie in each other though nothing of what they stand for does.
static bool pnIsCover( const pnCollider* c ) { return c->surface->triangleCount > 0 && c->surface->skinTriangle[0] < 0; }

// How far any particle has moved in this substep against something that moves with a velocity.
static float pnLongestWay( const pnCollider* c, pnF4 against, float h )
{
	pnF4 most = pnSplat4( 0.0f );
	for ( int i = 0; i < c->count; ++i )
	{
		pnF4 v = c->awake ? pnRow4( c->v, i ) - against : -against;
		most = pnMax4( v * v, most );
	}
	return h * __builtin_sqrtf( most[0] + most[1] + most[2] );
}

// What two keep free between them. Pieces just cut, which lie against each other or against older pieces when they are first seen, keep the gap they have until they have
// come farther apart; where covers lie in each other, that is less than none. Of two that are fresh all of it is the covers' coarseness, however deep.
static void pnChooseThick( pnPair* pair, const pnCollider* a, const pnCollider* b, float thick, float thin, float h, float least )
{
	if ( pair->thick <= PN_UNSEEN && least < 0.0f && a->piece && b->piece && ( a->fresh || b->fresh ) )
	{
		pnF4 both = ( pnRow4( a->mean, 0 ) + pnRow4( b->mean, 0 ) ) * pnSplat4( 0.5f );
		least += pnLongestWay( a, both, h ) + pnLongestWay( b, both, h ); // they are seen after they have begun to move
		least = least < 0.0f ? least : 0.0f;
	}
	bool cover = pnIsCover( a ) || pnIsCover( b );
	float misfit = a->misfit > b->misfit ? a->misfit : b->misfit, slight = -0.1f * thick;
	float deepest = !cover ? ( a->fresh && b->fresh && -misfit < slight ? -misfit : slight ) : a->fresh && b->fresh ? -1e30f : -pn_deepPart * thin;
	bool against = a->piece && b->piece && ( a->fresh || b->fresh ) && least < thick;
	float begin = against ? ( least < 0.0f && least >= deepest && ( cover || least < slight ) ? least : 0.0f ) : thick, before = pair->thick > PN_UNSEEN ? pair->thick : begin, kept = least > before ? least : before;
	pair->thick = kept < thick ? kept : thick;
}

static bool pnDetectPair( pnContacts* c, pnPair* pair, pnContactWorker* worker, struct pnPlaced* placed )
{
	const pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
	float size = 0.5f * ( a->surface->size + b->surface->size ), slack = pnChooseSlack( c, a, b ), thick = a->surface->thickness + b->surface->thickness, gap = 0.0f;
	bool fine = true;
	float least = 1e30f;
	bool lost = !pair->detected || pair->motion > pair->slack + thick; // who was out of reach and has moved less than that is still outside
	placed->middle = placed->first;
	if ( pair->a != pair->b && pnFarApart( a, b, &gap ) && gap > thick + slack )
	{
		slack = gap - thick;
	}
	else if ( pair->a == pair->b )
	{
		fine = pnDetectItself( a, thick + slack, worker );
		placed->middle = worker->candidates.count;
		fine = fine && pnDetectItsLips( a, thick + slack, worker );
	}
	else
	{
		const pnCandidate* old = c->candidates.at + pair->first;
		int oldMiddle = pair->middle - pair->first;
		pnSplit split = c->finders->findSplit( a, b, old, oldMiddle, pair->count );
		float room = split.lower - split.upper, reach = thick + slack;
		if ( room > reach )
		{
			slack = room - thick;
		}
		else
		{
			pnLook look = { .reach = reach, .motion = pair->motion + PN_CONTACT_MARGIN * thick, .all = lost, .old = old, .oldCount = oldMiddle, .axis = split.axis, .base = split.base, .far = pnFarLimit( split.upper, reach, size ), .near = -pnFarLimit( -split.lower, reach, size ) };
			fine = pnDetectSide( c, a, b, &look, worker, &least );
			placed->middle = worker->candidates.count;
			placed->foundMiddle = worker->found.count;
			look.old = old + oldMiddle, look.oldCount = pair->count - oldMiddle, look.axis = -split.axis, look.far = pnFarLimit( -split.lower, reach, size ), look.near = -pnFarLimit( split.upper, reach, size );
			fine = fine && pnDetectSide( c, b, a, &look, worker, &least ) && pnDetectItsEdges( c, pair, a, b, &split, reach, worker, placed, &least );
		}
	}
	if ( fine )
	{
		float thin = a->surface->thinnest < b->surface->thinnest ? a->surface->thinnest : b->surface->thinnest;
		pnChooseThick( pair, a, b, thick, thin, c->step, least );
		for ( int i = placed->first; i < worker->candidates.count; ++i )
		{
			pnCandidate* candidate = worker->candidates.at + i;
			bool lip = pair->a == pair->b && i >= placed->middle; // lips keep nothing free
			float far = candidate->key - ( lip ? 0.0f : pair->thick );
			candidate->key = far > -1.0f ? far : -1.0f;
		}
		for ( int k = 0; k < 3; ++k )
		{
			pair->base[k] = a->center[k] - b->center[k];
		}
		pair->wanderA = a->wander;
		pair->wanderB = b->wander;
		pair->motion = 0.0f;
		pair->slack = slack * ( least < -pn_deepPart * thin ? 0.25f : 1.0f ); // what is nearest deep inside changes soon
	}
	return fine;
}

static bool pnDetectGround( pnContacts* c, pnPair* pair, pnContactWorker* worker )
{
	const pnCollider* b = c->colliders.at + pair->b;
	const pnShape* shape = c->shapes.at + pair->a;
	pair->slack = pn_slack * b->surface->size;
	int room = worker->candidates.capacity - worker->candidates.count;
	if ( room == 0 )
	{
		return false;
	}
	int count = pnFindGroundPoints( shape, b, b->surface->thickness + pair->slack, c->step, worker->candidates.at + worker->candidates.count, room, &pair->slack );
	worker->candidates.count += count > 0 ? count : 0;
	memcpy( pair->base, b->center, sizeof pair->base );
	pair->wanderB = b->wander;
	pair->motion = 0.0f;
	return count >= 0;
}

static void pnDetectTask( int begin, int end, int workerIndex, void* context )
{
	pnContacts* c = context;
	pnContactWorker* worker = c->workers + workerIndex;
	for ( int i = begin; i < end; ++i )
	{
		int item = c->work.at[i];
		struct pnPlaced* placed = c->placed.at + i;
		if ( placed->worker >= 0 || worker->full )
		{
			continue; // done in an earlier try, or left to the next one
		}
		*placed = (struct pnPlaced){ .worker = workerIndex, .first = worker->candidates.count, .foundFirst = worker->found.count, .foundMiddle = worker->found.count };
		bool fine = item >= 0 ? pnDetectPair( c, c->pairs.at + item, worker, placed ) : pnDetectGround( c, c->grounds.at + ~item, worker );
		if ( !fine ) // given back; the caller makes room and tries again
		{
			worker->candidates.count = placed->first;
			worker->found.count = placed->foundFirst;
			placed->worker = -1;
			worker->full = true;
			continue;
		}
		placed->count = worker->candidates.count - placed->first - placed->edgeCount;
		placed->foundCount = worker->found.count - placed->foundFirst;
	}
}

// Room for all that was found, and the next body's points, with every worker alike: who looks at what is chance, and no step must allocate by
// chance. False if there was room already, or none is to be had.
static bool pnMakeRoom( pnContacts* c )
{
	bool more = false, any = false, full = false;
	int points = c->mostPoints > 64 ? c->mostPoints : 64, candidates = 2 * points, found = points, most = 0;
	size_t wanted = 0;
	for ( int w = 0; w < c->workerCount; ++w )
	{
		pnContactWorker* worker = c->workers + w;
		any |= worker->full || worker->found.count > 0 || worker->found.capacity > 0;
		full |= worker->full;
		most = worker->candidates.capacity > most ? worker->candidates.capacity : most;
		candidates += worker->candidates.count;
		found += worker->found.count;
		wanted = worker->arena.wanted > wanted ? worker->arena.wanted : wanted;
		worker->full = false;
	}
	for ( int w = 0; w < c->workerCount; ++w )
	{
		pnContactWorker* worker = c->workers + w;
		more |= candidates > worker->candidates.capacity && pnGrowList( worker->candidates, candidates );
		more |= any && found > worker->found.capacity && pnGrowList( worker->found, found + points );
		if ( wanted > worker->arena.size )
		{
			size_t size = wanted + wanted / 2;
			char* memory = pnAlloc( size, 1 );
			if ( memory != NULL )
			{
				pnFree( worker->arena.memory, worker->arena.size, 1 );
				worker->arena = (pnArena){ memory, size, 0, 0 };
				more = true;
			}
		}
	}
	// Shapes meet inner particles too, and a point may be a candidate several times: if nothing else was short, these lists are.
	for ( int w = 0; w < c->workerCount && full && !more; ++w )
	{
		more |= pnGrowList( c->workers[w].candidates, 2 * most + 2 * points );
	}
	return more;
}

// A point that is pushed has come through the face it leans on. If it is inside and another face is nearer now, that may be one on the far side of a body that is thin, or pressed flat: the point stays
// with its own, unless that is several times as deep: then it has slid off it.
static const float pn_slidOff = 3.0f; // times as deep as the nearest, and the thickness

static bool pnStaysWith( const pnCollider* of, const pnCollider* at, int32_t point, int own, int nearest )
{
	int32_t parts[2];
	float weights[2];
	pnPointParts( of->surface, point, parts, weights );
	pnF4 place = pnRow4( of->x, parts[0] ) * pnSplat4( weights[0] ) + pnRow4( of->x, parts[1] ) * pnSplat4( weights[1] );
	pnSpot mine = pnFindSpot( at->surface, at->x, place, own, 0 ), other = pnFindSpot( at->surface, at->x, place, nearest, 0 );
	return mine.distance > pn_slidOff * other.distance - at->surface->thickness - of->surface->thickness;
}

// What was pushed goes on being pushed: a point that was in the old list takes its push along. Both lists are in one order. at NULL: what stands in place of triangles stays as it was found.
static void pnHandOver( const pnCandidate* old, int oldCount, pnCandidate* now, int count, const pnCollider* of, const pnCollider* at )
{
	for ( int i = 0, k = 0; i < count; ++i )
	{
		int was = k;
		while ( was < oldCount && old[was].point != now[i].point )
		{
			was += 1;
		}
		if ( was < oldCount )
		{
			memcpy( now[i].push, old[was].push, sizeof now[i].push );
			bool leans = at != NULL && old[was].push[3] > 0.0f && old[was].triangle != now[i].triangle;
			now[i].triangle = leans && pnStaysWith( of, at, now[i].point, old[was].triangle, now[i].triangle ) ? old[was].triangle : now[i].triangle;
			k = was + 1;
		}
	}
}

// The lists of one kind of pair, old and new, one after another. bodies: not grounds.
static void pnGatherCandidates( pnContacts* c, pnPair* pairs, int count, bool bodies )
{
	for ( int i = 0; i < count; ++i )
	{
		pnPair* pair = pairs + i;
		const pnCandidate* from = c->candidates.at + pair->first;
		int first = pair->first, middle = pair->middle, size = pair->count, edges = pair->edgeCount;
		const struct pnPlaced* placed = pair->stale ? c->placed.at + pair->stored : NULL;
		pair->stored = -1;
		if ( placed != NULL && placed->worker >= 0 )
		{
			from = c->workers[placed->worker].candidates.at + placed->first;
			first = placed->first, middle = placed->middle > placed->first ? placed->middle : placed->first, size = placed->count, edges = placed->edgeCount;
			pair->detected = 1;
			if ( placed->foundCount > 0 && pnGrowList( c->found, c->found.count + placed->foundCount ) )
			{
				pair->stored = c->found.count;
				pair->foundMiddle = placed->foundMiddle - placed->foundFirst;
				pair->foundCount = placed->foundCount;
				memcpy( c->found.at + c->found.count, c->workers[placed->worker].found.at + placed->foundFirst, (size_t)placed->foundCount * sizeof( pnFound ) );
				c->found.count += placed->foundCount;
			}
		}
		else if ( placed != NULL )
		{
			size = edges = 0;
			pair->detected = 0;
			c->stats.dropped += 1;
		}
		if ( !pnGrowList( c->spareCandidates, c->spareCandidates.count + size + edges ) )
		{
			c->stats.dropped += size + edges;
			size = edges = 0;
			pair->detected = 0;
		}
		if ( size + edges > 0 )
		{
			pnCandidate* now = c->spareCandidates.at + c->spareCandidates.count;
			memcpy( now, from, (size_t)( size + edges ) * sizeof( pnCandidate ) );
			if ( placed != NULL && placed->worker >= 0 )
			{
				const pnCandidate* old = c->candidates.at + pair->first;
				int oldMiddle = pair->middle - pair->first, nowMiddle = middle - first;
				const pnCollider *b = c->colliders.at + pair->b, *a = bodies ? c->colliders.at + pair->a : NULL;
				pnHandOver( old, oldMiddle, now, nowMiddle, b, a );
				pnHandOver( old + oldMiddle, pair->count - oldMiddle, now + nowMiddle, size - nowMiddle, a, bodies && a != b ? b : NULL );
			}
		}
		pair->middle = c->spareCandidates.count + ( size > 0 ? middle - first : 0 );
		pair->first = c->spareCandidates.count;
		pair->count = size;
		pair->edgeCount = edges;
		c->spareCandidates.count += size + edges;
		pair->stale = 0;
	}
}

static void pnLayTask( int begin, int end, int worker, void* context )
{
	pnContacts* c = context;
	PN_UNUSED( worker );
	for ( int i = begin; i < end; ++i )
	{
		const pnCollider* body = c->colliders.at + i;
		if ( body->wanted )
		{
			c->finders->layTree( body->surface, body->x, body->laid );
		}
	}
}

void pnLayTrees( pnContacts* c, pnTasks* tasks )
{
	double start = pnNow();
	if ( c->treesWanted )
	{
		pnParallelFor( tasks, pnLayTask, c->colliders.count, 16, c );
	}
	c->stats.narrow += pnNow() - start;
}

void pnDetectPairs( pnContacts* c, pnTasks* tasks )
{
	double start = pnNow();
	c->found.count = 0;
	bool room = pnGrowList( c->placed, c->work.count );
	for ( int i = 0; i < c->work.count && !room; ++i ) // no memory: they keep what they have and are looked at again
	{
		pnPair* pair = c->work.at[i] >= 0 ? c->pairs.at + c->work.at[i] : c->grounds.at + ~c->work.at[i];
		pair->stale = 0;
	}
	if ( c->work.count == 0 || !room )
	{
		return;
	}
	for ( int i = 0; i < c->bulks.count; ++i ) // hard hits have moved it
	{
		const pnCollider* body = c->colliders.at + c->bulks.at[i].collider;
		if ( c->bulks.at[i].pushed && body->wanted )
		{
			c->finders->layTree( body->surface, body->x, body->laid );
		}
	}
	for ( int w = 0; w < c->workerCount; ++w )
	{
		c->workers[w].candidates.count = c->workers[w].found.count = 0;
		c->workers[w].full = false;
	}
	for ( int i = 0; i < c->work.count; ++i )
	{
		c->placed.at[i].worker = -1;
		pnPair* pair = c->work.at[i] >= 0 ? c->pairs.at + c->work.at[i] : c->grounds.at + ~c->work.at[i];
		pair->stored = i;
	}
	bool full = true;
	while ( full )
	{
		pnParallelFor( tasks, pnDetectTask, c->work.count, 4, c );
		full = false;
		for ( int w = 0; w < c->workerCount; ++w )
		{
			full |= c->workers[w].full;
		}
		full = full && pnMakeRoom( c );
	}
	pnMakeRoom( c );
	c->spareCandidates.count = 0;
	pnGatherCandidates( c, c->pairs.at, c->pairs.count, true );
	pnGatherCandidates( c, c->grounds.at, c->grounds.count, false );
	PN_SWAP( pnCandidate*, c->candidates.at, c->spareCandidates.at );
	PN_SWAP( int, c->candidates.count, c->spareCandidates.count );
	PN_SWAP( int, c->candidates.capacity, c->spareCandidates.capacity );
	c->stats.narrow += pnNow() - start;
}
