// solve.c - everything that is near is pushed apart, once each substep, pair after pair in one fixed order: pairs by colour, so that workers
// may share a colour, and shapes last. Knows colliders and shapes; no world.
#include "contact.h"

#include "field.h"
#include "ground.h"
#include "respond.h"

static const int pn_stuckSteps = 30; // with a point inside: longer than pushing takes

// Candidates: points of `of` at the surface of `at`.
static void pnPushCandidates( pnPushing* with, pnPair* pair, pnCollider* of, pnCollider* at, pnCandidate* candidates, int count )
{
	const pnSurface *s = at->surface, *own = of->surface;
	float thick = at->thickness + of->thickness, motion = pair->motion;
	// Two pieces just cut lie at one another, but not in one another: what seems deep there is not.
	float shares[2] = { s->thickness > 0.0f ? at->thickness / s->thickness : 1.0f, own->thickness > 0.0f ? of->thickness / own->thickness : 1.0f };
	float deepest = 0.5f * s->thinnest * ( shares[0] > shares[1] ? shares[0] : shares[1] );
	deepest = deepest > 0.05f * s->thinnest ? deepest : 0.05f * s->thinnest;
	for ( int i = 0; i < count; ++i )
	{
		pnCandidate* candidate = candidates + i;
		if ( motion < candidate->key )
		{
			continue;
		}
		pnPush push; // filled in as far as it is read: zeros would cost as much as the test above
		pnF4 place;
		if ( candidate->point >= 0 )
		{
			push.points[0] = candidate->point;
			push.pointWeights[0] = 1.0f;
			place = pnRow4( of->x, candidate->point );
		}
		else
		{
			pnPointParts( own, candidate->point, push.points, push.pointWeights );
			place = pnRow4( of->x, push.points[0] ) * pnSplat4( push.pointWeights[0] ) + pnRow4( of->x, push.points[1] ) * pnSplat4( push.pointWeights[1] );
		}
		pnSpot spot = pnFindSpot( s, at->x, place, candidate->triangle, 1 );
		candidate->triangle = spot.triangle;
		if ( !s->closed && spot.facing != 0.0f )
		{
			candidate->side = candidate->side == 0.0f ? spot.facing : candidate->side;
			float turn = candidate->side * spot.facing; // it has come through: its own side is behind
			spot.normal *= pnSplat4( turn );
			spot.distance *= turn;
		}
		push.gap = spot.distance - thick;
		if ( push.gap >= 0.0f || ( s->closed && spot.distance < -deepest ) ) // deeper than it can be: it is at another side
		{
			candidate->key = push.gap >= 0.0f ? motion + push.gap : -1.0f;
			continue;
		}
		candidate->key = -1.0f;
		push.normal = spot.normal;
		push.arm = spot.normal * pnSplat4( spot.distance );
		if ( pair->stuck > pn_stuckSteps && spot.distance < 0.0f ) // a loop of the surface has been passed: away from the other body is out
		{
			pnF4 away = pnRow4( of->center, 0 ) - pnRow4( at->center, 0 );
			float length = __builtin_sqrtf( pnDot4( away, away ) );
			push.normal = length > 1e-3f * s->size ? away * pnSplat4( 1.0f / length ) : spot.normal;
		}
		memcpy( push.parts, s->triangles + 3 * (size_t)spot.triangle, 3 * sizeof( int32_t ) );
		memcpy( push.partWeights, spot.weights, sizeof spot.weights );
		push.place = place;
		if ( candidate->point >= 0 )
		{
			pnRespond( with, of, at, &push, 1, 3 );
		}
		else
		{
			pnRespond( with, of, at, &push, 2, 3 );
		}
	}
}

// What a paper's detector has found: no thickness, depth along one direction.
static void pnPushFound( pnPushing* with, pnCollider* of, pnCollider* at, const pnFound* found, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		const pnFound* f = found + i;
		pnPush push = { .points = { f->point }, .pointWeights = { 1.0f } };
		push.normal = (pnF4){ f->normal[0], f->normal[1], f->normal[2], 0.0f };
		memcpy( push.parts, f->parts, sizeof f->parts );
		memcpy( push.partWeights, f->weights, sizeof f->weights );
		pnF4 place = pnRow4( of->x, f->point ), foot = pnSplat4( 0.0f );
		for ( int k = 0; k < 4; ++k )
		{
			foot += pnRow4( at->x, f->parts[k] ) * pnSplat4( f->weights[k] );
		}
		push.arm = place - foot;
		push.gap = -f->depth;
		push.place = place;
		pnRespond( with, of, at, &push, 1, 4 );
	}
}

// Tangled bodies are drawn apart as wholes, along the line of their centres, until their surfaces know again which way is out.
static void pnDrawApart( pnPair* pair, pnCollider* a, pnCollider* b )
{
	float size = a->surface->size < b->surface->size ? a->surface->size : b->surface->size, way[3], length2 = 0.0f;
	for ( int k = 0; k < 3; ++k )
	{
		way[k] = b->center[k] - a->center[k];
		length2 += way[k] * way[k];
	}
	float length = __builtin_sqrtf( length2 );
	bool same = length < 1e-3f * size; // no line: along x, the later body forward
	float giveA = a->awake && !a->held ? 1.0f / a->mass : 0.0f, giveB = b->awake && !b->held ? 1.0f / b->mass : 0.0f, sum = giveA + giveB;
	// What that does to spin, as everywhere, is kept count of.
	pnF4 apart = pnRow4( b->mean, 0 ) - pnRow4( a->mean, 0 );
	for ( int k = 0; k < 3; ++k )
	{
		apart[k] += (float)( b->gain[k] - a->gain[k] );
	}
	pnF4 line = same ? (pnF4){ 1.0f, 0.0f, 0.0f, 0.0f } : (pnF4){ way[0] / length, way[1] / length, way[2] / length, 0.0f };
	pnF4 spin = sum > 0.0f ? pnCross4( line * pnSplat4( 0.02f * size / sum ), apart ) : pnSplat4( 0.0f );
	float share = giveA > 0.0f && giveB > 0.0f ? 0.5f : 1.0f;
	for ( int i = 0; i < 2 && sum > 0.0f; ++i )
	{
		pnCollider* body = i == 0 ? a : b;
		float part = 0.02f * size * ( i == 0 ? -giveA : giveB ) / sum;
		pnF4 move = line * pnSplat4( part );
		for ( int p = 0; p < body->count && part != 0.0f; ++p )
		{
			pnAddRow4( body->x, p, move );
		}
		for ( int k = 0; k < 3; ++k )
		{
			body->shift[k] += (double)move[k];
			body->spun[k] += (double)( share * spin[k] * ( i == 0 ? giveA : giveB ) );
		}
		body->touched = true;
	}
	pair->touching = 1;
}

static void pnPushPair( pnContacts* c, pnPair* pair )
{
	pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
	if ( !a->awake && !b->awake )
	{
		return;
	}
	bool apart = pair->tangled; // then the pushes are only measured
	if ( apart )
	{
		pnDrawApart( pair, a, b );
	}
	float giveA = a->awake && !apart ? 1.0f / a->mass : 0.0f, giveB = b->awake && !apart ? 1.0f / b->mass : 0.0f;
	for ( int side = 0; side < 2; ++side )
	{
		pnCollider *of = side == 0 ? b : a, *at = side == 0 ? a : b;
		pnPushing with = { .h = c->step, .perH = 1.0f / c->step, .friction = __builtin_sqrtf( a->friction * b->friction ), .perMassOf = side == 0 ? giveB : giveA,
						   .perMassAt = side == 0 ? giveA : giveB, .slop = 0.1f * ( a->thickness + b->thickness ) };
		int first = side == 0 ? pair->first : pair->middle, end = side == 0 ? pair->middle : pair->first + pair->count;
		pnPushCandidates( &with, pair, of, at, c->candidates.at + first, end - first );
		if ( pair->stored >= 0 )
		{
			int from = side == 0 ? 0 : pair->foundMiddle, to = side == 0 ? pair->foundMiddle : pair->foundCount;
			pnPushFound( &with, of, at, c->found.at + pair->stored + from, to - from );
		}
		pnClosePushing( &with, pair, of, at, side == 0 ? -1.0f : 1.0f );
	}
}

typedef struct pnColorTask { pnContacts* contacts; int first; } pnColorTask;

static void pnPushGroups( int begin, int end, int worker, void* context )
{
	pnColorTask* task = context;
	pnContacts* c = task->contacts;
	PN_UNUSED( worker );
	for ( int group = task->first + begin; group < task->first + end; ++group )
	{
		for ( int i = c->groupStarts.at[group]; i < c->groupStarts.at[group + 1]; ++i )
		{
			pnPushPair( c, c->pairs.at + c->order.at[i] );
		}
	}
}

static void pnPushGrounds( int begin, int end, int worker, void* context )
{
	pnContacts* c = context;
	PN_UNUSED( worker );
	for ( int body = begin; body < end; ++body )
	{
		for ( int i = c->groundStarts.at[body]; i < c->groundStarts.at[body + 1]; ++i )
		{
			pnPushFromGround( c, c->grounds.at + i );
		}
	}
}

void pnPushApart( pnContacts* c, pnTasks* tasks )
{
	double start = pnNow();
	if ( c->resting )
	{
		return;
	}
	for ( int color = 0; color < c->colorCount; ++color )
	{
		pnColorTask task = { c, c->colorStart[color] };
		pnParallelFor( tasks, pnPushGroups, c->colorStart[color + 1] - c->colorStart[color], 1, &task );
	}
	pnParallelFor( tasks, pnPushGrounds, c->groundStarts.count, 8, c );
	c->stats.solve += pnNow() - start;
}
