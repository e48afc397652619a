// roster.c - bodies and shapes come and go, touch and part: the lists of colliders and shapes, events, and who must wake. Knows them by
// slot; no world.
#include "contact.h"

#include "bulk.h"
#include "field.h"
#include "ground.h"
#include "island.h"
#include "tree.h"

// ---- events ----

static pnTouch pnTouchOf( const pnContacts* c, const pnPair* pair, bool ground )
{
	const pnCollider* b = c->colliders.at + pair->b;
	pnBodyId second = { pair->b + 1, b->generation };
	if ( ground )
	{
		return (pnTouch){ .a = second, .shape = { pair->a + 1, c->shapes.at[pair->a].generation } };
	}
	return (pnTouch){ .a = { pair->a + 1, c->colliders.at[pair->a].generation }, .b = second };
}

void pnNoteParted( pnContacts* c, const pnPair* pair, bool ground, uint8_t depth )
{
	if ( pnGrowList( c->ended, c->ended.count + 1 ) )
	{
		c->ended.at[c->ended.count++] = pnTouchOf( c, pair, ground );
	}
	pnStir( c->colliders.at + pair->b, depth );
	if ( !ground )
	{
		pnStir( c->colliders.at + pair->a, depth );
	}
}

// A sweep carries on what is left undone between the contacts of a body, and a body whose step is too long for its frequency passes on less of it by its
// shape, by 1 / h^2 (tuning.h): with four sweeps in a tenth of a second what lies would tremble by a tenth of its sag (step.LyingKnowsNoStep).
// So what has to be carried on grows with the square of the step, and the sweeps do.
static const double pn_sweepRate2 = 14400.0; // 1/s^2: four in a frame of 1/60 s
// A stiff body passes on within the substep what it is pushed with, and each sweep carries that on by one body: stacks of eight need as many as this
// (pile.StiffStacksComeToRest). A soft one passes it on by its shape, later, and sweeping it more often changes nothing.
static const double pn_stiffSweepRate = 960.0; // 1/s
static const double pn_mostSweeps = 48.0; // in a substep, so that a frame of a second costs no more than one of 0.2 s

static int pnRoundSweeps( double wanted )
{
	wanted = wanted < pn_mostSweeps ? wanted : pn_mostSweeps;
	return (int)( wanted + 0.5 ); // steps are rounded
}

void pnBeginContacts( pnContacts* c, double subStep, int subStepCount )
{
	int least = subStepCount < PN_SWEEPS ? ( PN_SWEEPS + subStepCount - 1 ) / subStepCount : 1, all = pnRoundSweeps( pn_sweepRate2 * subStep * subStep );
	c->sweeps = all > least ? all : least;
	c->mostSweeps = (int)pn_mostSweeps;
	int stiff = pnRoundSweeps( pn_stiffSweepRate * subStep );
	c->stiffSweeps = stiff > c->sweeps ? stiff - c->sweeps : 0;
	c->stats = (pnContactStats){ 0 };
	// What parted between the steps is told with this one.
	int later = c->ended.count - c->endedKept;
	if ( later > 0 )
	{
		memmove( c->ended.at, c->ended.at + c->endedKept, (size_t)later * sizeof( pnTouch ) );
	}
	c->ended.count = later;
	c->endedKept = 0;
	c->begun.count = c->contacts.count = 0;
	for ( int s = 0; s < c->shapes.count; ++s )
	{
		memset( c->shapes.at[s].impulse, 0, sizeof c->shapes.at[s].impulse );
		memset( c->shapes.at[s].angular, 0, sizeof c->shapes.at[s].angular );
	}
	for ( int list = 0; list < 2; ++list )
	{
		pnPair* pairs = list == 0 ? c->pairs.at : c->grounds.at;
		for ( int i = 0; i < ( list == 0 ? c->pairs.count : c->grounds.count ); ++i )
		{
			pnPair* pair = pairs + i;
			pair->touched = pair->touching;
			memset( pair->impulse, 0, sizeof pair->impulse );
			memset( pair->torque, 0, sizeof pair->torque );
			memset( pair->position, 0, sizeof pair->position );
			memset( pair->normal, 0, sizeof pair->normal );
			pair->weight = pair->depth = pair->speed = 0.0f;
		}
	}
}

static const int pn_quietSteps = 3; // without a push, then two have parted: what rests lightly does not begin and end all the time

static void pnEndPair( pnContacts* c, pnPair* pair, bool ground )
{
	pnCollider *b = c->colliders.at + pair->b, *a = ground ? NULL : c->colliders.at + pair->a;
	bool asleep = !b->awake && ( ground || !a->awake ), stuck = !ground && pair->weight == 0.0f && ( b->awake ? b->held && !a->awake : a->held );
	if ( asleep || stuck ) // where one sleeps and pins hold the other nobody gives way, and no push tells whether they touch
	{
		return; // as it was
	}
	pair->quiet = pair->weight > 0.0f ? 0 : pair->quiet < 255 ? pair->quiet + 1 : 255;
	bool touches = pair->weight > 0.0f || ( pair->touching && pair->quiet < pn_quietSteps );
	if ( touches && !pair->touching && pnGrowList( c->begun, c->begun.count + 1 ) )
	{
		c->begun.at[c->begun.count++] = pnTouchOf( c, pair, ground );
	}
	if ( !touches && pair->touching )
	{
		bool still = !ground && a->awake != b->awake && pnLiesStill( pair, a->awake ? a : b, a->awake ? b : a );
		pnNoteParted( c, pair, ground, still ? 0 : 1 ); // who is no longer pressed as before wakes with those whom that concerns (island.c)
	}
	pair->touching = touches;
	if ( !touches )
	{
		return;
	}
	c->stats.contacts += 1;
	float thick = ground ? b->surface->thickness : pair->thick > 0.0f ? pair->thick : 0.0f, under = pair->depth - thick;
	c->stats.deepest = under > c->stats.deepest ? under : c->stats.deepest;
	if ( pnGrowList( c->contacts, c->contacts.count + 1 ) )
	{
		float per = pair->weight > 0.0f ? 1.0f / pair->weight : 0.0f;
		pnVec3 n = { pair->normal[0], pair->normal[1], pair->normal[2] };
		float length = __builtin_sqrtf( pnDot( n, n ) );
		c->contacts.at[c->contacts.count++] = (pnContact){
			.touch = pnTouchOf( c, pair, ground ),
			.position = { per * pair->position[0], per * pair->position[1], per * pair->position[2] },
			.normal = length > 1e-3f * pair->weight ? pnScale( 1.0f / length, n ) : pnMakeVec3( 0.0f, 0.0f, 0.0f ),
			.impulse = { pair->impulse[0], pair->impulse[1], pair->impulse[2] },
			.speed = pair->speed,
			.depth = pair->depth,
		};
	}
	b->carried = true;
	if ( ground )
	{
		b->disturbed |= c->shapes.at[pair->a].moves;
		return;
	}
	a->carried = true;
}

void pnEndContacts( pnContacts* c )
{
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		c->colliders.at[i].carried = c->colliders.at[i].disturbed = false;
	}
	for ( int i = 0; i < c->pairs.count && !c->resting; ++i ) // while all sleep, everything is as it was
	{
		pnEndPair( c, c->pairs.at + i, false );
	}
	for ( int i = 0; i < c->grounds.count && !c->resting; ++i )
	{
		pnPair* pair = c->grounds.at + i;
		pnShape* shape = c->shapes.at + pair->a;
		pnEndPair( c, pair, true );
		for ( int k = 0; k < 3; ++k )
		{
			shape->impulse[k] -= (double)pair->impulse[k];
			shape->angular[k] -= (double)pair->torque[k];
		}
	}
	c->endedKept = c->ended.count;
	for ( int s = 0; s < c->shapes.count; ++s )
	{
		pnShape* shape = c->shapes.at + s;
		if ( shape->form != NULL && shape->moves )
		{
			shape->moves = false;
			shape->before = shape->target = shape->transform;
			shape->bounds = pnGetFormBounds( shape->form, shape->transform );
			for ( int i = 0; i < c->grounds.count; ++i )
			{
				c->grounds.at[i].detected = c->grounds.at[i].a == s ? 0 : c->grounds.at[i].detected;
			}
		}
	}
	c->stats.pairs = c->pairs.count + c->grounds.count;
	c->stats.candidates = c->candidates.count;
}

// ---- come and go ----

void pnStirOnShape( pnContacts* c, int slot )
{
	for ( int i = 0; i < c->grounds.count; ++i )
	{
		const pnPair* pair = c->grounds.at + i;
		if ( pair->a == slot && pair->touching )
		{
			pnStir( c->colliders.at + pair->b, PN_STIR_ALL );
		}
	}
}

bool pnAddCollider( pnContacts* c, int slot, int mapCount, const pnSurface* surface )
{
	int wanted = slot + 1 > c->colliders.count ? slot + 1 : c->colliders.count;
	int laidCount = surface != NULL ? pnCountLaidNodes( surface->triangleCount ) : 0, dentCount = surface != NULL ? surface->vertexCount : 0;
	pnRestMap* maps = pnAllocArray( pnRestMap, mapCount );
	pnBoxes* laid = pnAllocArray( pnBoxes, laidCount );
	uint16_t* dents = pnAllocArray( uint16_t, dentCount );
	if ( maps == NULL || laid == NULL || dents == NULL || !pnGrowList( c->colliders, wanted ) )
	{
		pnFreeArray( pnRestMap, maps, mapCount );
		pnFreeArray( pnBoxes, laid, laidCount );
		pnFreeArray( uint16_t, dents, dentCount );
		return false;
	}
	while ( c->colliders.count < wanted )
	{
		c->colliders.at[c->colliders.count++] = (pnCollider){ 0 };
	}
	c->mostMaps = mapCount > c->mostMaps ? mapCount : c->mostMaps;
	c->colliders.at[slot] = (pnCollider){ .maps = maps, .mapCount = mapCount, .laid = laid, .laidCount = laidCount, .dents = dents, .dentCount = dentCount, .refreshed = true };
	c->renew = true;
	return true;
}

// To at least so many bytes; what was in it is gone.
static bool pnGrowArena( pnArena* arena, size_t size )
{
	if ( size <= arena->size )
	{
		return true;
	}
	char* memory = pnAllocRaw( size, 1 );
	if ( memory == NULL )
	{
		return false;
	}
	pnFree( arena->memory, arena->size, 1 );
	*arena = (pnArena){ memory, size, 0, 0 };
	return true;
}

// A step finds its lists long enough, unless bodies crowd more than they usually do.
bool pnReserveContacts( pnContacts* c, const pnSurface* added )
{
	int size = added != NULL ? added->vertexCount + added->sampleCount + added->lipCount : 0;
	size_t room = added != NULL ? pnGetSelfRoom( added->quadCount, c->mostMaps ) : 0;
	int bodies = c->surfaceCount + ( added != NULL ? 1 : 0 ), points = c->points + size, most = size > c->mostPoints ? size : c->mostPoints, pairs = 16 * bodies, grounds = bodies * ( c->shapeCount < 8 ? c->shapeCount : 8 );
	bool fine = pnReserveBroad( &c->broad, bodies + c->shapeCount ) && pnGrowList( c->pairs, pairs ) && pnGrowList( c->spare, pairs ) && pnGrowList( c->grounds, grounds ) && pnGrowList( c->spareGrounds, grounds ) &&
				pnReserveOrder( c, pairs ) && pnGrowList( c->groundStarts, bodies + 1 ) && pnGrowList( c->work, pairs + grounds ) && pnGrowList( c->placed, pairs + grounds ) &&
				pnGrowRawList( c->candidates, points ) && pnGrowRawList( c->spareCandidates, points ) && pnGrowRawList( c->rows, c->candidates.capacity ) && pnGrowList( c->contacts, 4 * bodies ) && pnGrowList( c->begun, 4 * bodies ) &&
				pnGrowList( c->ended, 4 * bodies ) && pnGrowList( c->hits, 4 * bodies ) && pnGrowList( c->bulks, bodies ) && pnGrowList( c->strays, bodies );
	for ( int w = 0; w < c->workerCount && fine; ++w )
	{
		fine = pnGrowRawList( c->workers[w].candidates, points + 2 * most ) && pnGrowArena( &c->workers[w].arena, room ) &&
			   pnGrowList( c->workers[w].marks, added != NULL ? 4 * added->quadCount : 0 );
	}
	if ( fine )
	{
		c->surfaceCount = bodies;
		c->points = points;
		c->mostPoints = most;
	}
	return fine;
}

static int pnDropPairs( pnContacts* c, pnPair* pairs, int count, int slot, bool ground, bool shape )
{
	int kept = 0;
	for ( int i = 0; i < count; ++i )
	{
		bool gone = shape ? pairs[i].a == slot : pairs[i].b == slot || ( !ground && pairs[i].a == slot );
		if ( gone && pairs[i].touching )
		{
			pnNoteParted( c, pairs + i, ground, PN_STIR_ALL );
		}
		if ( !gone )
		{
			pairs[kept++] = pairs[i];
		}
	}
	return kept;
}

void pnDropCollider( pnContacts* c, int slot )
{
	pnCollider* body = c->colliders.at + slot;
	c->surfaceCount -= body->surface != NULL ? 1 : 0;
	c->points -= body->surface != NULL ? body->surface->vertexCount + body->surface->sampleCount + body->surface->lipCount : 0;
	c->pairs.count = pnDropPairs( c, c->pairs.at, c->pairs.count, slot, false, false );
	c->grounds.count = pnDropPairs( c, c->grounds.at, c->grounds.count, slot, true, false );
	c->colorCount = 0;
	c->groundStarts.count = 0;
	c->renew = true;
	pnFreeArray( pnRestMap, body->maps, body->mapCount );
	pnFreeArray( pnBoxes, body->laid, body->laidCount );
	pnFreeArray( uint16_t, body->dents, body->dentCount );
	*body = (pnCollider){ 0 };
}

pnResult pnAddShape( pnContacts* c, const pnShapeDef* def, int* out )
{
	int slot = 0;
	while ( slot < c->shapes.count && c->shapes.at[slot].form != NULL )
	{
		slot += 1;
	}
	int wanted = slot + 1 > c->shapes.count ? slot + 1 : c->shapes.count;
	pnForm* form = NULL;
	pnResult result = pnCreateForm( def, &form );
	if ( result != pn_success )
	{
		return result;
	}
	if ( !pnGrowList( c->shapes, wanted ) || !pnGrow( (void**)&c->shapeOrder, &c->shapeOrderCapacity, c->shapeCount, c->shapeCount + 1, sizeof( int32_t ) ) )
	{
		pnDestroyForm( form );
		return pn_outOfMemory;
	}
	if ( slot == c->shapes.count )
	{
		c->shapes.at[slot] = (pnShape){ 0 };
		c->shapes.count += 1;
	}
	uint32_t generation = c->shapes.at[slot].generation + 1;
	c->shapes.at[slot] = (pnShape){ .form = form, .friction = def->friction, .restitution = def->restitution, .filter = def->filter, .userData = def->userData, .owner = def->owner, .generation = generation, .flat = def->kind == pn_planeShape };
	c->shapeOrder[c->shapeCount++] = slot;
	pnPlaceShape( c, slot, def->transform );
	*out = slot;
	return pn_success;
}

void pnPlaceShape( pnContacts* c, int slot, pnTransform transform )
{
	pnShape* shape = c->shapes.at + slot;
	float length2 = transform.q.x * transform.q.x + transform.q.y * transform.q.y + transform.q.z * transform.q.z + transform.q.w * transform.q.w;
	float per = 1.0f / __builtin_sqrtf( length2 );
	transform.q = (pnQuat){ per * transform.q.x, per * transform.q.y, per * transform.q.z, per * transform.q.w };
	shape->transform = shape->target = shape->before = transform;
	shape->moves = false;
	shape->bounds = pnGetFormBounds( shape->form, transform );
	pnLayPlane( shape );
	c->renew = true;
	pnStirOnShape( c, slot );
	for ( int i = 0; i < c->grounds.count; ++i )
	{
		c->grounds.at[i].detected = c->grounds.at[i].a == slot ? 0 : c->grounds.at[i].detected;
	}
}

void pnDropShape( pnContacts* c, int slot )
{
	c->grounds.count = pnDropPairs( c, c->grounds.at, c->grounds.count, slot, true, true );
	c->groundStarts.count = 0;
	c->renew = true;
	pnDestroyForm( c->shapes.at[slot].form );
	c->shapes.at[slot] = (pnShape){ .generation = c->shapes.at[slot].generation };
	int kept = 0;
	for ( int i = 0; i < c->shapeCount; ++i )
	{
		if ( c->shapeOrder[i] != slot )
		{
			c->shapeOrder[kept++] = c->shapeOrder[i];
		}
	}
	c->shapeCount = kept;
}
