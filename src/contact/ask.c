// ask.c - which bodies and shapes a query may meet. The tree of the broad phase holds boxes with room to move in; who has left his since is in a list besides, and after something
// came, went or was moved from outside there is no tree until the next step. Answers are in the order of the world's own lists, so that the tree's never shows. Knows colliders and shapes.
#include "ask.h"

void pnListStrays( pnContacts* c )
{
	c->moved = c->renew;
	if ( c->resting )
	{
		return; // nobody has moved
	}
	c->strays.count = 0;
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		const pnCollider* body = c->colliders.at + i;
		bool in = true;
		for ( int k = 0; k < 3 && body->surface != NULL; ++k )
		{
			in = in && body->lower[k] - body->surface->thickness >= body->fat[k] && body->upper[k] + body->surface->thickness <= body->fat[4 + k];
		}
		if ( !in && pnGrowList( c->strays, c->strays.count + 1 ) )
		{
			c->strays.at[c->strays.count++] = i;
		}
		else
		{
			c->moved |= !in; // no memory
		}
	}
}

// Shell's sort: in place, few numbers.
static void pnSortPlaces( int32_t* places, int count )
{
	static const int gaps[] = { 301, 132, 57, 23, 10, 4, 1 }; // Ciura 2001
	for ( size_t g = 0; g < sizeof gaps / sizeof gaps[0]; ++g )
	{
		for ( int i = gaps[g]; i < count; ++i )
		{
			int32_t place = places[i];
			int at = i;
			for ( ; at >= gaps[g] && places[at - gaps[g]] > place; at -= gaps[g] )
			{
				places[at] = places[at - gaps[g]];
			}
			places[at] = place;
		}
	}
}

static void pnTakeAsked( const pnContacts* c, int32_t name, pnAsked* asked )
{
	bool shape = name >= PN_FIRST_SHAPE;
	int32_t *list = shape ? asked->shapes : asked->bodies, *count = shape ? &asked->shapeCount : &asked->bodyCount;
	if ( *count >= 0 && *count < PN_MOST_ASKED )
	{
		list[( *count )++] = shape ? c->shapes.at[name - PN_FIRST_SHAPE].place : c->colliders.at[name].place;
	}
	else
	{
		*count = -1;
	}
}

static void pnAddStrays( const pnContacts* c, pnAsked* asked )
{
	for ( int i = 0; i < c->strays.count; ++i )
	{
		pnTakeAsked( c, c->strays.at[i], asked );
	}
	pnSortPlaces( asked->bodies, asked->bodyCount );
	pnSortPlaces( asked->shapes, asked->shapeCount );
	int kept = 0;
	for ( int i = 0; i < asked->bodyCount; ++i ) // who strays may be in the tree as well
	{
		asked->bodies[kept] = asked->bodies[i];
		kept += kept == 0 || asked->bodies[kept - 1] != asked->bodies[i];
	}
	asked->bodyCount = asked->bodyCount > 0 ? kept : asked->bodyCount;
}

static bool pnCanAsk( const pnContacts* c, pnAsked* asked )
{
	bool can = !c->renew && !c->moved && c->broad.levelCount > 0;
	asked->bodyCount = asked->shapeCount = can ? 0 : -1;
	return can;
}

typedef struct pnAsking { const pnContacts* contacts; const pnRay* ray; pnAABB box; pnAsked* asked; } pnAsking;

static bool pnIsAlong( void* context, const float lower[3], const float upper[3] )
{
	const pnAsking* asking = context;
	return pnMeetsBox( asking->ray, (pnAABB){ { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } }, 0.0, PN_JUST_ABOVE );
}

static bool pnIsAround( void* context, const float lower[3], const float upper[3] )
{
	const pnAABB* box = &( (const pnAsking*)context )->box;
	return lower[0] <= box->upper.x && upper[0] >= box->lower.x && lower[1] <= box->upper.y && upper[1] >= box->lower.y && lower[2] <= box->upper.z && upper[2] >= box->lower.z;
}

static void pnTellAsked( void* context, int32_t name )
{
	const pnAsking* asking = context;
	pnTakeAsked( asking->contacts, name, asking->asked );
}

void pnAskAlong( const pnContacts* c, const pnRay* ray, pnAsked* asked )
{
	if ( pnCanAsk( c, asked ) )
	{
		pnAsking asking = { .contacts = c, .ray = ray, .asked = asked };
		pnWalkTree( &c->broad, pnIsAlong, pnTellAsked, &asking );
		pnAddStrays( c, asked );
	}
}

void pnAskAround( const pnContacts* c, pnAABB box, pnAsked* asked )
{
	if ( pnCanAsk( c, asked ) )
	{
		pnAsking asking = { .contacts = c, .box = box, .asked = asked };
		pnWalkTree( &c->broad, pnIsAround, pnTellAsked, &asking );
		pnAddStrays( c, asked );
	}
}
