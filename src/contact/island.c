// island.c - bodies that touch and rest together: who sleeps, and who wakes. Knows colliders and pairs; no bodies, no world.
//
// An island is a set of bodies that are linked by touching. It is at rest when its motion, all bodies together, is small; who has been in such a one for half a second sleeps, most of them at once.
// Shapes and bodies that never sleep (pinned, held by hands) carry islands and do not link them. What moves fast is no part of an island, nor are those that it
// touches: they stay awake, the others may sleep around them. So one that does not come to rest keeps its neighbours awake and nobody else.
// A sleeper wakes when something that moves comes to it, or when what presses on it changes; and with it as many, body behind body, as will feel that.
// A root is the lowest index of its island, and sums are taken by rising index: no bit depends on the order in which links were found.
#include "island.h"

#include <math.h>

static const float pn_sleepTime = 0.5f; // s at rest before a body sleeps
static const float pn_mover = 4.0f; // rest speeds: who moves so fast wakes whom it touches, and is not stopped whatever rests around it
static const float pn_restlessMover = 0.5f; // the same of those that never sleep: somebody moves them on purpose
static const float pn_loadChange = 0.5f; // weights of a sleeper: so much more or less on it wakes it; less neither lifts it nor overcomes usual friction
static const float pn_leastLed = 0.1f; // thicknesses of a sleeper: who is at rest and has moved less than what contact leaves in peace (solve.c) may press it as it likes
static const float pn_mostLed = 0.5f; // thicknesses of a sleeper: so far a body with pins goes at it, which it cannot press, before it wakes

static int pnRootOf( pnContacts* c, int i )
{
	pnCollider* at = c->colliders.at;
	while ( at[i].island != i )
	{
		at[i].island = at[at[i].island].island;
		i = at[i].island;
	}
	return i;
}

static void pnLink( pnContacts* c, int a, int b )
{
	int rootA = pnRootOf( c, a ), rootB = pnRootOf( c, b ), low = rootA < rootB ? rootA : rootB;
	c->colliders.at[rootA].island = c->colliders.at[rootB].island = low;
}

static bool pnMayMeet( pnFilter a, pnFilter b ) { return ( a.layers & b.mask ) != 0 && ( b.layers & a.mask ) != 0; }

static bool pnMoves( const pnCollider* c )
{
	return c->awake && c->motion > ( c->restless ? pn_restlessMover : pn_mover ) * c->restSpeed;
}

static uint8_t pnToDepth( float bodies ) { return bodies < 1.0f ? 1 : bodies < (float)( PN_STIR_ALL - 1 ) ? (uint8_t)( bodies + 0.999f ) : PN_STIR_ALL; }

// How many bodies deep a mover is felt: all that it can push share its momentum, and where each has too little of it to be a mover it is felt no more.
static uint8_t pnReachOf( const pnCollider* mover, float speed, const pnCollider* sleeper )
{
	return pnToDepth( mover->mass * speed / ( pn_mover * sleeper->mass * sleeper->restSpeed ) );
}

bool pnLiesStill( const pnPair* pair, const pnCollider* awake, const pnCollider* sleeper )
{
	float least = pn_leastLed * sleeper->thickness;
	return awake->rested > 0.0f && pair->led[0] * pair->led[0] + pair->led[1] * pair->led[1] + pair->led[2] * pair->led[2] < least * least;
}

// Who sleeps is a wall to those awake. It wakes when what they press it with is no longer what it was: it would move. What is given or taken is felt
// by as many as weigh as much, and only what overcomes the friction of what presses it; where nothing has weight, by those that it brings to their rest speed while they would fall asleep. One with pins may
// not give way either, and then nothing is pressed: it tells by its way. Where many touch, what they press each other with is not told by their weights, and is shared
// out otherwise whenever one of them falls asleep: loads from one that lies still mean nothing, or a heap of shards would wake itself for ever (rubble.ShardsSleep).
static void pnWatchLoad( pnPair* pair, const pnCollider* awake, pnCollider* sleeper, float timeStep )
{
	for ( int k = 0; k < 3; ++k )
	{
		pair->led[k] += timeStep * awake->mean[k];
	}
	pair->led[3] += timeStep * awake->motion;
	if ( awake->held )
	{
		pnStir( sleeper, pair->led[3] > pn_mostLed * sleeper->thickness ? 1 : 0 );
		return;
	}
	if ( pnLiesStill( pair, awake, sleeper ) )
	{
		return;
	}
	float change2 = 0.0f, fall2 = 0.0f, load2 = 0.0f, now2 = 0.0f;
	for ( int k = 0; k < 3; ++k )
	{
		float now = pair->impulse[k] / timeStep, change = now - pair->load[k];
		change2 += change * change;
		now2 += now * now;
		load2 += pair->load[k] * pair->load[k];
		fall2 += sleeper->fall[k] * sleeper->fall[k];
	}
	float weight = sleeper->mass * ( sqrtf( fall2 ) + sleeper->restSpeed / pn_sleepTime ), change = sqrtf( change2 );
	pnStir( sleeper, change > pn_loadChange * ( weight + sqrtf( load2 < now2 ? load2 : now2 ) ) ? pnToDepth( change / weight ) : 0 );
}

// Who can be a part of an island.
static bool pnIsLinked( const pnCollider* c ) { return c->awake && !c->restless && !c->disturbed && !pnMoves( c ); }

void pnFindIslands( pnContacts* c, float timeStep )
{
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		c->colliders.at[i].island = i;
		c->colliders.at[i].sleeps = false;
	}
	for ( int i = 0; i < c->pairs.count; ++i )
	{
		pnPair* pair = c->pairs.at + i;
		pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
		if ( !pair->touching || pair->a == pair->b || ( !a->awake && !b->awake ) )
		{
			continue;
		}
		bool movesA = pnMoves( a ), movesB = pnMoves( b );
		a->disturbed |= movesB;
		b->disturbed |= movesA;
		if ( a->awake && b->awake )
		{
			for ( int k = 0; k < 3; ++k )
			{
				pair->load[k] = pair->impulse[k] / timeStep;
			}
			memset( pair->led, 0, sizeof pair->led );
			continue;
		}
		pnCollider *awake = a->awake ? a : b, *sleeper = a->awake ? b : a;
		if ( pnMoves( awake ) && pair->weight > 0.0f )
		{
			pnStir( sleeper, pnReachOf( awake, awake->motion, sleeper ) );
		}
		pnWatchLoad( pair, awake, sleeper, timeStep );
	}
	for ( int i = 0; i < c->pairs.count; ++i )
	{
		const pnPair* pair = c->pairs.at + i;
		if ( pair->touching && pair->a != pair->b && pnIsLinked( c->colliders.at + pair->a ) && pnIsLinked( c->colliders.at + pair->b ) )
		{
			pnLink( c, pair->a, pair->b );
		}
	}
	// Roots come first: what an island comes to is kept at its root.
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		pnCollider* body = c->colliders.at + i;
		body->islandMotion = body->islandMost = 0.0;
	}
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		const pnCollider* body = c->colliders.at + i;
		pnCollider* root = c->colliders.at + pnRootOf( c, i );
		if ( body->awake )
		{
			bool linked = pnIsLinked( body );
			root->islandMotion += linked ? (double)body->mass * (double)body->motion * (double)body->motion : 1e30;
			root->islandMost += (double)body->mass * (double)body->restSpeed * (double)body->restSpeed;
		}
	}
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		pnCollider* body = c->colliders.at + i;
		const pnCollider* root = c->colliders.at + body->island;
		if ( body->awake )
		{
			body->rested = root->islandMotion < root->islandMost ? body->rested + timeStep : 0.0f;
			body->sleeps = body->rested > pn_sleepTime;
		}
	}
}

// The box over the way of something that moves in this step, with what both surfaces keep free. False: it is slow.
static bool pnSweepBox( const pnCollider* c, float timeStep, float lower[3], float upper[3], float* speed )
{
	float speed2 = 0.0f, fast = pn_mover * c->restSpeed;
	for ( int k = 0; k < 3; ++k )
	{
		float way = timeStep * c->mean[k];
		speed2 += c->mean[k] * c->mean[k];
		lower[k] = c->lower[k] - 2.0f * c->thickness + ( way < 0.0f ? way : 0.0f );
		upper[k] = c->upper[k] + 2.0f * c->thickness + ( way > 0.0f ? way : 0.0f );
	}
	*speed = sqrtf( speed2 );
	return speed2 > fast * fast;
}

static void pnStirOne( const pnCollider* mover, float speed, const pnBox* way, pnCollider* other )
{
	bool in = other->surface != NULL && !other->awake;
	for ( int k = 0; k < 3; ++k )
	{
		in = in && way->lower[k] < other->upper[k] && way->upper[k] > other->lower[k];
	}
	if ( in && pnMayMeet( mover->filter, other->filter ) )
	{
		pnStir( other, pnReachOf( mover, speed, other ) );
	}
}

enum { PN_MOST_AHEAD = 256 }; // bodies in the way of one: more, and all are looked at

// Sleepers in the way of a mover wake before it is there: for the step in which it comes they would be walls. Pairs do not tell: a fast one gets there first. The tree of
// the broad phase does, while nobody has come, gone or been moved since it was made: a sleeper lies in the box that it had there.
static void pnStirAhead( pnContacts* c, int mover, float timeStep )
{
	const pnCollider* body = c->colliders.at + mover;
	pnBox way;
	float speed;
	if ( !pnSweepBox( body, timeStep, way.lower, way.upper, &speed ) )
	{
		return;
	}
	int32_t ahead[PN_MOST_AHEAD];
	int count = !c->renew && c->broad.levelCount > 0 ? pnFindInBox( &c->broad, &way, ahead, PN_MOST_AHEAD ) : -1;
	for ( int i = 0; i < ( count >= 0 ? count : c->colliders.count ); ++i )
	{
		int other = count >= 0 ? ahead[i] : i;
		if ( other < PN_FIRST_SHAPE )
		{
			pnStirOne( body, speed, &way, c->colliders.at + other );
		}
	}
}

// Whoever lies with one that is stirred is so too, one body less deep. Returns whether anything has changed.
static bool pnPassOn( pnContacts* c, const pnPair* pair )
{
	pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
	if ( !pair->touching || a->awake || b->awake )
	{
		return false;
	}
	uint8_t most = a->stirred > b->stirred ? a->stirred : b->stirred, next = most == 0 || most == PN_STIR_ALL ? most : (uint8_t)( most - 1 );
	bool changes = next > a->stirred || next > b->stirred;
	pnStir( a, next );
	pnStir( b, next );
	return changes;
}

void pnStirIslands( pnContacts* c, float timeStep )
{
	bool any = false, asleep = false;
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		asleep |= c->colliders.at[i].surface != NULL && !c->colliders.at[i].awake;
	}
	for ( int i = 0; i < c->colliders.count && asleep; ++i )
	{
		if ( c->colliders.at[i].surface != NULL && c->colliders.at[i].awake )
		{
			pnStirAhead( c, i, timeStep );
		}
	}
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		any |= c->colliders.at[i].stirred > 1 && !c->colliders.at[i].awake;
	}
	while ( any ) // forth and back, until all know
	{
		any = false;
		for ( int i = 0; i < c->pairs.count; ++i )
		{
			any |= pnPassOn( c, c->pairs.at + i );
		}
		for ( int i = c->pairs.count - 1; i >= 0 && any; --i )
		{
			pnPassOn( c, c->pairs.at + i );
		}
	}
}
