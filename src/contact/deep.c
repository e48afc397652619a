// deep.c - one way out for two bodies whose surfaces have gone through each other. Knows the rows of one pair and its colliders.
//
// Where bodies are deep in each other the nearest face of a point may lead further in. If b moves against a by t, their common volume changes
// by t . ( sum over b's surface inside a of n dA - sum over a's surface inside b of n dA ); it shrinks fastest against that. A point whose own
// nearest face agrees with this way out stays an ordinary contact; the others take the way of the pair.
#include "deep.h"

#include "../base/trig.h"
#include "nodes.h"

static const float pn_deepPart = 0.1f; // of the thinner body: a point so far inside, and the nearest face may be the wrong one
static const float pn_agrees = 0.2f; // cosine: a face that points so far the way out knows it
static const float pn_telling = 0.3f; // of the inner area that the directed area must be, to tell a way
static const float pn_wovenPart = 0.8f; // of the thickness: surfaces that lie in each other are pressed so deep, from both sides
static const float pn_wayRate = 50.0f; // 1/s: how fast the way out follows what surfaces tell

// Sum of normals times area where a surface is inside the other one. Rows of one side name the points that are.
static pnF4 pnInnerArea( const pnContacts* c, const pnCollider* body, int first, int end, float inside, uint8_t* marks, float* size )
{
	const pnSurface* s = body->surface;
	memset( marks, 0, (size_t)body->count );
	for ( int i = first; i < end; ++i )
	{
		const pnRow* row = c->rows.at + i;
		if ( row->pointCount == 1 && row->place[3] > inside )
		{
			marks[row->at[0]] = 1;
		}
	}
	pnF4 sum = pnSplat4( 0.0f );
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* corner = s->triangles + 3 * (size_t)t;
		int count = marks[corner[0]] + marks[corner[1]] + marks[corner[2]];
		if ( count > 0 )
		{
			pnF4 a = pnRow4( body->x, corner[0] ), n = pnCross4( pnRow4( body->x, corner[1] ) - a, pnRow4( body->x, corner[2] ) - a ) * pnSplat4( (float)count / 6.0f );
			sum += n;
			*size += __builtin_sqrtf( pnDot4( n, n ) );
		}
	}
	return sum;
}

// Two that lie in one place: pushed from all around, by most of their surface.
static bool pnAreWoven( const pnContacts* c, const pnPair* pair, float thick )
{
	int counts[2] = { 0, 0 };
	pnF4 sum = pnSplat4( 0.0f );
	float weight = 0.0f;
	for ( int i = pair->rowFirst; i < pair->rowEnd; ++i )
	{
		const pnRow* row = c->rows.at + i;
		if ( row->pointCount == 1 && row->place[3] > pn_wovenPart * thick )
		{
			int side = i < pair->rowMiddle ? 1 : 0;
			counts[side] += 1;
			sum += pnRow4( row->normal, 0 ) * pnSplat4( side == 1 ? row->place[3] : -row->place[3] );
			weight += row->place[3];
		}
	}
	return 2 * counts[0] > c->colliders.at[pair->a].surface->vertexCount && 2 * counts[1] > c->colliders.at[pair->b].surface->vertexCount &&
		   pnDot4( sum, sum ) < 0.01f * weight * weight;
}

// What the surfaces tell; nothing: as it was, or along the line of centres.
static pnF4 pnFindWay( const pnContacts* c, pnPair* pair, float inside, float thin, uint8_t* marks )
{
	const pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
	float size = 0.0f;
	pnF4 told = pnInnerArea( c, a, pair->rowMiddle, pair->rowEnd, inside, marks, &size ) - pnInnerArea( c, b, pair->rowFirst, pair->rowMiddle, inside, marks, &size );
	float length = __builtin_sqrtf( pnDot4( told, told ) );
	bool telling = length > pn_telling * size && length > 0.0f;
	pnF4 old = { pair->way[0], pair->way[1], pair->way[2], 0.0f }, now = old;
	bool known = pnDot4( old, old ) > 0.5f;
	if ( telling )
	{
		told *= pnSplat4( 1.0f / length );
		float part = known ? 1.0f - (float)pnExp( -(double)pn_wayRate * (double)c->step ) : 1.0f;
		now = old + ( told - old ) * pnSplat4( part );
		length = __builtin_sqrtf( pnDot4( now, now ) );
		now = length > 0.1f ? now * pnSplat4( 1.0f / length ) : told;
	}
	else if ( !known )
	{
		now = pnRow4( b->center, 0 ) - pnRow4( a->center, 0 );
		length = __builtin_sqrtf( pnDot4( now, now ) );
		now = length > 1e-3f * thin ? now * pnSplat4( 1.0f / length ) : (pnF4){ 1.0f, 0.0f, 0.0f, 0.0f }; // no line: along x, the later body forward
	}
	return now;
}

pnF4 pnOwnNormal( const pnCollider* body, int32_t particle )
{
	const pnSurface* s = body->surface;
	const float* rest = &s->rest[particle].x;
	int node[3];
	for ( int k = 0; k < 3; ++k )
	{
		float at = ( rest[k] - s->lower[k] ) * s->perCell[k] + 0.5f;
		node[k] = at >= 1.0f ? at < (float)s->grid[k] ? (int)at : s->grid[k] - 1 : 0;
	}
	int triangle = pnAskNode( s, ( node[2] * s->grid[1] + node[1] ) * s->grid[0] + node[0] ).triangle;
	const int32_t* t = s->triangles + 3 * (size_t)triangle;
	if ( t[0] == particle || t[1] == particle || t[2] == particle )
	{
		return pnCornerNormal( s, body->x, triangle, particle );
	}
	pnF4 base = pnRow4( body->x, t[0] );
	return pnCross4( pnRow4( body->x, t[1] ) - base, pnRow4( body->x, t[2] ) - base );
}

// A body in itself: surfaces that meet look at each other. A point at a face that looks the way its own surface does has come through, with what lies behind
// it, and the face would hold it there. Its own shape knows the way back, and is left to find it.
static void pnFreeSelf( pnContacts* c, const pnPair* pair )
{
	const pnCollider* body = c->colliders.at + pair->a;
	for ( int i = pair->rowFirst; i < pair->rowMiddle && body->surface->closed; ++i ) // lips know their sides
	{
		pnRow* row = c->rows.at + i;
		if ( !( row->place[3] > 0.0f || row->push[3] > 0.0f || row->normal[3] < 0.0f ) )
		{
			continue;
		}
		pnF4 own = pnOwnNormal( body, row->at[0] );
		if ( pnDot4( pnRow4( row->normal, 0 ), own ) > pn_agrees * __builtin_sqrtf( pnDot4( own, own ) ) )
		{
			row->armOf[3] = row->armAt[3] = row->normal[3] = row->localOf = row->localAt = 0.0f; // nobody gives way, and it is not deep
			memset( row->push, 0, sizeof row->push );
		}
	}
}

void pnReadyDeep( pnContacts* c, pnPair* pair, pnContactWorker* worker )
{
	if ( pair->a == pair->b )
	{
		pnFreeSelf( c, pair );
		return;
	}
	pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
	float thick = pair->thick, thin = a->surface->thinnest < b->surface->thinnest ? a->surface->thinnest : b->surface->thinnest, deepest = 0.0f;
	for ( int i = pair->rowFirst; i < pair->rowEnd; ++i )
	{
		const pnRow* row = c->rows.at + i;
		float now = row->place[3], before = -row->normal[3], depth = ( now < before ? now : before ) - thick; // metres under the surface itself, not by this drift alone
		deepest = depth > deepest ? depth : deepest;
	}
	bool through = deepest > pn_deepPart * thin, woven = !through && thick >= 0.0f && pair->rowEnd > pair->rowFirst && pnAreWoven( c, pair, thick );
	bool fixed = !( a->perMass > 0.0f ) && !( b->perMass > 0.0f ); // neither can move as a whole: there is no way out
	bool apart = fixed || !a->surface->closed || !b->surface->closed || !( deepest > 0.0f || woven );
	pair->deep = !apart && ( through || woven || pair->deep ) && pnGrowList( worker->marks, a->count > b->count ? a->count : b->count );
	if ( !pair->deep )
	{
		memset( pair->way, 0, sizeof pair->way );
		return;
	}
	float inside = woven ? pn_wovenPart * thick : thick;
	pnF4 way = pnFindWay( c, pair, inside, thin, worker->marks.at );
	memcpy( pair->way, &way, sizeof pair->way );
	for ( int i = pair->rowFirst; i < pair->rowEnd; ++i )
	{
		pnRow* row = c->rows.at + i;
		int side = i < pair->rowMiddle ? 0 : 1;
		pnF4 out = side == 0 ? way : -way;
		bool within = row->place[3] > inside;
		row->outward = within;
		if ( within && pnDot4( pnRow4( row->normal, 0 ), out ) <= pn_agrees )
		{
			pnSides sides = pnSidesOf( c, pair, side );
			pnTurnRow( row, &sides, out, c->step );
		}
	}
}
