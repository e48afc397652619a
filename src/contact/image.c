// image.c - the contact state as bytes and back. Knows contacts; no world, no bodies, no file.
// In order: head, colliders (of slots that have one), shapes by slot, order of birth, pairs, grounds, candidates, partings not told yet.
// Candidates lie in the order of their pairs, so that equal states have equal images whatever has come and gone between.
#include "image.h"

#include "ground.h"

typedef struct pnContactHead
{
	int32_t shapeSlotCount, shapeCount, pairCount, groundCount;
	int32_t candidateCount, endedCount, renew;
	float lastStep;
} pnContactHead;

typedef struct pnColliderImage
{
	double wander;
	float lower[4], upper[4], center[4], mean[4]; // of sleepers: from when they were last looked at
	float fat[8];
	uint8_t refreshed, stirred, pad[6];
} pnColliderImage;

typedef struct pnSlotImage { uint32_t generation; int32_t alive; } pnSlotImage;

typedef struct pnShapeImage
{
	uint64_t userData;
	pnTransform transform, target;
	float friction, restitution;
	pnFilter filter;
	int32_t moves, kind;
	float radius, halfExtents[3], heightSpacing;
	pnAABB bounds;
	int32_t pointCount, triangleCount, heightCountX, heightCountZ;
	uint32_t owner;
} pnShapeImage;

typedef struct pnPairImage
{
	double wanderA, wanderB;
	int32_t a, b, middle, count; // middle: from the first candidate on
	int32_t group;
	float base[3], slack, motion;
	float way[3], thick, load[3], led[4];
	int32_t edgeCount;
	uint8_t color, detected, touching, quiet, deep, pad[3];
} pnPairImage;

_Static_assert( sizeof( pnColliderImage ) == 112 && sizeof( pnShapeImage ) == 152 && sizeof( pnPairImage ) == 112, "no hidden bytes" );
_Static_assert( sizeof( pnCandidate ) == 32 && sizeof( pnTouch ) == 24, "these are written as they are" );

// ---- writing ----

static pnShapeImage pnDescribeShape( const pnShape* shape, pnShapeDef* def )
{
	pnDescribeForm( shape->form, def );
	pnShapeImage image;
	memset( &image, 0, sizeof image );
	image.userData = shape->userData, image.owner = shape->owner;
	image.transform = shape->transform, image.target = shape->target;
	image.friction = shape->friction, image.restitution = shape->restitution;
	image.filter = shape->filter;
	image.moves = shape->moves, image.kind = (int32_t)def->kind;
	image.radius = def->radius, image.heightSpacing = def->heightSpacing;
	image.halfExtents[0] = def->halfExtents.x, image.halfExtents[1] = def->halfExtents.y, image.halfExtents[2] = def->halfExtents.z;
	image.bounds = def->bounds;
	image.pointCount = def->pointCount, image.triangleCount = def->triangleCount;
	image.heightCountX = def->heightCountX, image.heightCountZ = def->heightCountZ;
	return image;
}

static void pnPutShape( const pnShape* shape, pnPutFcn* put, void* context )
{
	pnSlotImage slot = { shape->generation, shape->form != NULL };
	put( context, &slot, sizeof slot );
	if ( shape->form == NULL )
	{
		return;
	}
	pnShapeDef def = { 0 };
	pnShapeImage image = pnDescribeShape( shape, &def );
	put( context, &image, sizeof image );
	put( context, def.points, sizeof( pnVec3 ) * (size_t)def.pointCount );
	put( context, def.triangles, 3 * sizeof( int32_t ) * (size_t)def.triangleCount );
	put( context, def.heights, sizeof( float ) * (size_t)def.heightCountX * (size_t)def.heightCountZ );
}

void pnPutShapes( const pnContacts* c, pnPutFcn* put, void* context )
{
	for ( int s = 0; s < c->shapes.count; ++s )
	{
		pnPutShape( c->shapes.at + s, put, context );
	}
	put( context, c->shapeOrder, sizeof( int32_t ) * (size_t)c->shapeCount );
}

static int pnCountCandidates( const pnPair* pairs, int count )
{
	int sum = 0;
	for ( int i = 0; i < count; ++i )
	{
		sum += pairs[i].count + pairs[i].edgeCount;
	}
	return sum;
}

static void pnPutPairs( const pnPair* pairs, int count, pnPutFcn* put, void* context )
{
	for ( int i = 0; i < count; ++i )
	{
		const pnPair* p = pairs + i;
		pnPairImage image;
		memset( &image, 0, sizeof image );
		image.wanderA = p->wanderA, image.wanderB = p->wanderB;
		image.a = p->a, image.b = p->b, image.middle = p->middle - p->first, image.count = p->count, image.edgeCount = p->edgeCount;
		memcpy( image.base, p->base, sizeof image.base );
		image.slack = p->slack, image.motion = p->motion, image.thick = p->thick;
		image.group = p->group, image.color = (uint8_t)p->color;
		image.detected = p->detected, image.touching = p->touching, image.quiet = p->quiet, image.deep = p->deep;
		memcpy( image.way, p->way, sizeof image.way );
		memcpy( image.load, p->load, sizeof image.load );
		memcpy( image.led, p->led, sizeof image.led );
		put( context, &image, sizeof image );
	}
}

static void pnPutCandidates( const pnContacts* c, const pnPair* pairs, int count, pnPutFcn* put, void* context )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( pairs[i].count + pairs[i].edgeCount > 0 )
		{
			put( context, c->candidates.at + pairs[i].first, sizeof( pnCandidate ) * (size_t)( pairs[i].count + pairs[i].edgeCount ) );
		}
	}
}

void pnPutContacts( const pnContacts* c, pnPutFcn* put, void* context )
{
	pnContactHead head = {
		c->shapes.count, c->shapeCount, c->pairs.count, c->grounds.count,
		pnCountCandidates( c->pairs.at, c->pairs.count ) + pnCountCandidates( c->grounds.at, c->grounds.count ),
		c->ended.count - c->endedKept, c->renew, c->lastStep,
	};
	put( context, &head, sizeof head );
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		const pnCollider* from = c->colliders.at + i;
		if ( from->surface == NULL )
		{
			continue;
		}
		pnColliderImage to;
		memset( &to, 0, sizeof to );
		to.wander = from->wander;
		memcpy( to.lower, from->lower, sizeof to.lower );
		memcpy( to.upper, from->upper, sizeof to.upper );
		memcpy( to.center, from->center, sizeof to.center );
		memcpy( to.mean, from->mean, sizeof to.mean );
		memcpy( to.fat, from->fat, sizeof to.fat );
		to.refreshed = from->refreshed, to.stirred = from->stirred;
		put( context, &to, sizeof to );
	}
	pnPutShapes( c, put, context );
	for ( int s = 0; s < c->shapes.count; ++s )
	{
		if ( c->shapes.at[s].form != NULL )
		{
			put( context, c->shapes.at[s].impulse, sizeof c->shapes.at[s].impulse );
			put( context, c->shapes.at[s].angular, sizeof c->shapes.at[s].angular );
		}
	}
	pnPutPairs( c->pairs.at, c->pairs.count, put, context );
	pnPutPairs( c->grounds.at, c->grounds.count, put, context );
	pnPutCandidates( c, c->pairs.at, c->pairs.count, put, context );
	pnPutCandidates( c, c->grounds.at, c->grounds.count, put, context );
	if ( head.endedCount > 0 )
	{
		put( context, c->ended.at + c->endedKept, sizeof( pnTouch ) * (size_t)head.endedCount );
	}
}

// ---- reading ----

typedef struct pnSource
{
	pnTakeFcn* take;
	void* context;
	pnImageFault* fault;
} pnSource;

static bool pnFaulty( pnSource* s, const char* what, int where )
{
	if ( s->fault->what == NULL )
	{
		s->fault->what = what;
		s->fault->where = where;
	}
	return false;
}

static bool pnNoMemory( pnSource* s )
{
	s->fault->noMemory = true;
	return false;
}

// `count` things, one after another.
static bool pnTakeItems( pnSource* s, void* to, int count, size_t size, const char* what, int where )
{
	return count == 0 || ( count > 0 && s->take( s->context, to, size * (size_t)count ) ) || pnFaulty( s, what, where );
}

static bool pnAreLeft( pnSource* s, int count, size_t size )
{
	return count >= 0 && s->take( s->context, NULL, size * (size_t)count );
}

static bool pnWithin( const float* floats, int count, float limit )
{
	bool fine = true;
	for ( int i = 0; i < count; ++i )
	{
		fine = fine && floats[i] >= -limit && floats[i] <= limit;
	}
	return fine;
}

static bool pnDoublesWithin( const double* doubles, int count, double limit )
{
	bool fine = true;
	for ( int i = 0; i < count; ++i )
	{
		fine = fine && doubles[i] >= -limit && doubles[i] <= limit;
	}
	return fine;
}

static bool pnTakeCollider( pnSource* s, pnCollider* to, int where )
{
	pnColliderImage from;
	if ( !pnTakeItems( s, &from, 1, sizeof from, "collider", where ) )
	{
		return false;
	}
	bool fine = from.wander >= 0.0 && from.wander <= 1e30 && pnWithin( from.lower, 4, 1e15f ) && pnWithin( from.upper, 4, 1e15f ) && pnWithin( from.center, 4, 1e15f ) &&
				pnWithin( from.mean, 4, 1e16f ) && pnWithin( from.fat, 8, 1e15f ) && from.refreshed <= 1;
	if ( !fine )
	{
		return pnFaulty( s, "collider", where );
	}
	to->wander = from.wander;
	memcpy( to->lower, from.lower, sizeof to->lower );
	memcpy( to->upper, from.upper, sizeof to->upper );
	memcpy( to->center, from.center, sizeof to->center );
	memcpy( to->mean, from.mean, sizeof to->mean );
	memcpy( to->fat, from.fat, sizeof to->fat );
	to->refreshed = from.refreshed != 0, to->stirred = from.stirred;
	return true;
}

static bool pnIsPlacement( pnTransform t )
{
	float length2 = t.q.x * t.q.x + t.q.y * t.q.y + t.q.z * t.q.z + t.q.w * t.q.w;
	return pnWithin( &t.p.x, 3, 1e7f ) && length2 > 0.99f && length2 < 1.01f;
}

// No image can carry a function: the living shape of the same id lends its own.
static bool pnLendDistance( pnSource* s, const pnContacts* living, int slot, uint32_t generation, pnShapeDef* def )
{
	const pnShape* shape = slot < living->shapes.count ? living->shapes.at + slot : NULL;
	pnShapeDef its = { 0 };
	if ( shape != NULL && shape->form != NULL && shape->generation == generation )
	{
		pnDescribeForm( shape->form, &its );
		def->distance = its.distance;
		def->context = its.context;
	}
	if ( def->distance == NULL )
	{
		s->fault->why = "needs a distance function, and the world has no distance shape of its id to take it from";
		return pnFaulty( s, "shape of slot", slot );
	}
	return true;
}

// A new form of what the image describes; its arrays are lent for that long.
static bool pnTakeForm( pnSource* s, const pnContacts* living, int slot, const pnShapeImage* image, pnShape* shape )
{
	const char* what = "shape of slot";
	const int most = 1 << 26;
	int64_t heightCount = (int64_t)image->heightCountX * image->heightCountZ;
	bool fine = image->kind >= pn_planeShape && image->kind <= pn_distanceShape && image->pointCount >= 0 && image->pointCount <= most && image->triangleCount >= 0 &&
				image->triangleCount <= most && image->heightCountX >= 0 && image->heightCountZ >= 0 && heightCount <= most &&
				pnAreLeft( s, image->pointCount, sizeof( pnVec3 ) ) && pnAreLeft( s, image->triangleCount, 3 * sizeof( int32_t ) ) && pnAreLeft( s, (int)heightCount, sizeof( float ) );
	if ( !fine )
	{
		return pnFaulty( s, what, slot );
	}
	pnVec3* points = pnAllocArray( pnVec3, image->pointCount );
	int32_t* triangles = pnAllocArray( int32_t, 3 * (size_t)image->triangleCount );
	float* heights = pnAllocArray( float, heightCount );
	pnShapeDef def = { .kind = (pnShapeKind)image->kind, .transform = image->transform, .radius = image->radius, .cookie = PN_COOKIE };
	def.halfExtents = pnMakeVec3( image->halfExtents[0], image->halfExtents[1], image->halfExtents[2] );
	def.points = points, def.pointCount = image->pointCount;
	def.triangles = triangles, def.triangleCount = image->triangleCount;
	def.heights = heights, def.heightCountX = image->heightCountX, def.heightCountZ = image->heightCountZ, def.heightSpacing = image->heightSpacing;
	def.bounds = image->bounds;
	def.friction = image->friction, def.restitution = image->restitution;
	fine = ( points != NULL && triangles != NULL && heights != NULL ) || pnNoMemory( s );
	fine = fine && pnTakeItems( s, points, image->pointCount, sizeof( pnVec3 ), what, slot ) &&
		   pnTakeItems( s, triangles, image->triangleCount, 3 * sizeof( int32_t ), what, slot ) && pnTakeItems( s, heights, (int)heightCount, sizeof( float ), what, slot ) &&
		   ( def.kind != pn_distanceShape || pnLendDistance( s, living, slot, shape->generation, &def ) );
	pnResult result = fine ? pnCreateForm( &def, &shape->form ) : pn_badImage;
	pnFreeArray( pnVec3, points, image->pointCount );
	pnFreeArray( int32_t, triangles, 3 * (size_t)image->triangleCount );
	pnFreeArray( float, heights, heightCount );
	return result == pn_success || ( result == pn_outOfMemory ? pnNoMemory( s ) : pnFaulty( s, what, slot ) );
}

static bool pnTakeShape( pnSource* s, const pnContacts* living, pnShape* shape, int slot )
{
	pnSlotImage head;
	pnShapeImage image;
	if ( !pnTakeItems( s, &head, 1, sizeof head, "slot of shape", slot ) )
	{
		return false;
	}
	shape->generation = head.generation;
	if ( head.alive == 0 )
	{
		return true;
	}
	bool fine = head.alive == 1 && s->take( s->context, &image, sizeof image ) && ( image.moves | 1 ) == 1 && pnIsPlacement( image.transform ) && pnIsPlacement( image.target ) &&
				( image.moves == 1 || memcmp( &image.target, &image.transform, sizeof image.target ) == 0 );
	if ( !fine )
	{
		return pnFaulty( s, "shape of slot", slot );
	}
	if ( !pnTakeForm( s, living, slot, &image, shape ) )
	{
		return false;
	}
	shape->transform = shape->before = image.transform;
	shape->target = image.target;
	shape->friction = image.friction, shape->restitution = image.restitution;
	shape->filter = image.filter;
	shape->userData = image.userData, shape->owner = image.owner;
	shape->moves = image.moves != 0;
	shape->bounds = pnGetFormBounds( shape->form, shape->transform );
	shape->flat = image.kind == pn_planeShape;
	pnLayPlane( shape );
	// What its kind has no use for must not be there: then what was taken is what would be saved.
	pnShapeDef def = { 0 };
	pnShapeImage again = pnDescribeShape( shape, &def );
	return memcmp( &again, &image, sizeof image ) == 0 || pnFaulty( s, "shape of slot", slot );
}

static bool pnTakeShapes( pnSource* s, pnContacts* c, const pnContacts* living, const pnContactHead* head )
{
	if ( !pnAreLeft( s, head->shapeSlotCount, sizeof( pnSlotImage ) ) || head->shapeCount < 0 || head->shapeCount > head->shapeSlotCount )
	{
		return pnFaulty( s, "number of shapes", head->shapeSlotCount );
	}
	if ( !pnGrowList( c->shapes, head->shapeSlotCount ) || !pnGrow( (void**)&c->shapeOrder, &c->shapeOrderCapacity, 0, head->shapeCount, sizeof( int32_t ) ) )
	{
		return pnNoMemory( s );
	}
	int alive = 0;
	for ( int i = 0; i < head->shapeSlotCount; ++i )
	{
		c->shapes.at[i] = (pnShape){ 0 };
		c->shapes.count = i + 1;
		if ( !pnTakeShape( s, living, c->shapes.at + i, i ) )
		{
			return false;
		}
		alive += c->shapes.at[i].form != NULL;
	}
	bool fine = alive == head->shapeCount && pnTakeItems( s, c->shapeOrder, alive, sizeof( int32_t ), "order of shapes", 0 );
	bool* seen = pnAllocArray( bool, c->shapes.count );
	if ( seen == NULL )
	{
		return pnNoMemory( s );
	}
	for ( int i = 0; i < alive && fine; ++i ) // each of the living once
	{
		int slot = c->shapeOrder[i];
		fine = slot >= 0 && slot < c->shapes.count && c->shapes.at[slot].form != NULL && !seen[slot];
		if ( fine )
		{
			seen[slot] = true;
		}
	}
	pnFreeArray( bool, seen, c->shapes.count );
	if ( !fine )
	{
		return pnFaulty( s, "order of shapes", 0 );
	}
	c->shapeCount = alive;
	for ( int i = 0; i < c->shapes.count; ++i )
	{
		pnShape* shape = c->shapes.at + i;
		fine = shape->form == NULL || ( pnTakeItems( s, shape->impulse, 1, sizeof shape->impulse, "impulse on shape", i ) &&
										pnTakeItems( s, shape->angular, 1, sizeof shape->angular, "impulse on shape", i ) &&
										pnDoublesWithin( shape->impulse, 3, 3e38 ) && pnDoublesWithin( shape->angular, 3, 3e38 ) );
		if ( !fine )
		{
			return pnFaulty( s, "impulse on shape", i );
		}
	}
	return true;
}

static bool pnIsCollider( const pnContacts* c, int slot ) { return slot >= 0 && slot < c->colliders.count && c->colliders.at[slot].surface != NULL; }
static bool pnIsShape( const pnContacts* c, int slot ) { return slot >= 0 && slot < c->shapes.count && c->shapes.at[slot].form != NULL; }

// first: where the candidates of the next pair begin.
static bool pnTakePairs( pnSource* s, pnContacts* c, pnPair* pairs, int count, bool ground, int candidateCount, int* first )
{
	const char* what = ground ? "ground" : "pair";
	static const uint8_t none[sizeof( (pnPairImage){ 0 }.pad )];
	for ( int i = 0; i < count; ++i )
	{
		pnPairImage from;
		if ( !pnTakeItems( s, &from, 1, sizeof from, what, i ) )
		{
			return false;
		}
		const pnPair* last = i > 0 ? pairs + i - 1 : NULL;
		bool after = last == NULL || ( ground ? from.b > last->b || ( from.b == last->b && from.a > last->a ) : from.a > last->a || ( from.a == last->a && from.b > last->b ) );
		bool fine = after && pnIsCollider( c, from.b ) && ( ground ? pnIsShape( c, from.a ) : from.a <= from.b && pnIsCollider( c, from.a ) ) && from.count >= 0 &&
					from.count <= candidateCount - *first && from.edgeCount >= 0 && from.edgeCount <= candidateCount - *first - from.count && ( from.edgeCount == 0 || ( !ground && from.a < from.b ) ) && from.middle >= 0 && from.middle <= from.count && from.wanderA >= 0.0 && from.wanderA <= 1e30 &&
					from.wanderB >= 0.0 && from.wanderB <= 1e30 && pnWithin( from.base, 3, 1e16f ) && pnWithin( &from.slack, 1, 1e30f ) && from.motion >= 0.0f &&
					from.motion <= 1e30f && from.detected <= 1 && from.touching <= 1 && from.deep <= 1 && pnWithin( from.way, 3, 1.001f ) && from.thick >= PN_UNSEEN && from.thick <= 1e15f && pnWithin( from.load, 3, 1e30f ) && pnWithin( from.led, 4, 1e15f ) && memcmp( from.pad, none, sizeof none ) == 0 && from.group >= 0 && from.color <= PN_LAST_COLOR &&
					( ground || from.color < PN_LAST_COLOR || from.group == INT32_MAX );
		if ( !fine )
		{
			return pnFaulty( s, what, i );
		}
		pairs[i] = (pnPair){
			.a = from.a, .b = from.b, .first = *first, .middle = *first + from.middle, .count = from.count, .edgeCount = from.edgeCount, .stored = -1,
			.base = { from.base[0], from.base[1], from.base[2] }, .slack = from.slack, .motion = from.motion, .thick = from.thick, .wanderA = from.wanderA, .wanderB = from.wanderB,
			.color = from.color, .group = from.group, .detected = from.detected, .touching = from.touching, .quiet = from.quiet, .deep = from.deep,
			.way = { from.way[0], from.way[1], from.way[2] }, .load = { from.load[0], from.load[1], from.load[2] }, .led = { from.led[0], from.led[1], from.led[2], from.led[3] },
		};
		*first += from.count + from.edgeCount;
	}
	return true;
}

// Workers share a colour, a group each: a body in two groups of it would be pushed by two at once. The last colour is one group.
static bool pnTakeOrder( pnSource* s, pnContacts* c )
{
	uint64_t* owners = pnAllocArray( uint64_t, c->colliders.count ); // colour + 1 and group that a body was last in
	if ( owners == NULL || !pnOrderPairs( c ) )
	{
		pnFreeArray( uint64_t, owners, c->colliders.count );
		return pnNoMemory( s );
	}
	bool fine = true;
	for ( int i = 0; i < c->pairs.count && fine; ++i )
	{
		const pnPair* pair = c->pairs.at + c->order.at[i];
		uint64_t color = (uint64_t)pair->color + 1, owner = color << 32 | (uint32_t)pair->group;
		fine = ( owners[pair->a] >> 32 != color || owners[pair->a] == owner ) && ( owners[pair->b] >> 32 != color || owners[pair->b] == owner );
		owners[pair->a] = owners[pair->b] = owner;
	}
	pnFreeArray( uint64_t, owners, c->colliders.count );
	return fine || pnFaulty( s, "order of pairs", 0 );
}

static bool pnIsPush( const float push[4] )
{
	bool fine = push[3] >= 0.0f;
	for ( int k = 0; k < 4; ++k )
	{
		fine = fine && push[k] >= -1e9f && push[k] <= 1e9f;
	}
	return fine;
}

// Points of `of`, at a surface of so many triangles.
static bool pnAreCandidates( const pnCandidate* candidates, int count, const pnCollider* of, int triangleCount )
{
	for ( int i = 0; i < count; ++i )
	{
		const pnCandidate* p = candidates + i;
		bool there = p->point >= 0 ? p->point < of->count && of->x[4 * (size_t)p->point + 3] > 0.0f : ~p->point < of->surface->sampleCount;
		if ( !there || p->triangle < 0 || p->triangle >= triangleCount || !( p->key >= -1.0f ) || !( p->side == 0.0f || p->side == 1.0f || p->side == -1.0f ) || !pnIsPush( p->push ) )
		{
			return false;
		}
	}
	return true;
}

// Edges of a, at edges of b, in order.
static bool pnAreEdges( const pnCandidate* candidates, int count, const pnSurface* a, const pnSurface* b )
{
	for ( int i = 0; i < count; ++i )
	{
		const pnCandidate *p = candidates + i, *last = i > 0 ? p - 1 : NULL;
		bool after = last == NULL || p->point > last->point || ( p->point == last->point && p->triangle > last->triangle );
		if ( !after || p->point < 0 || p->point >= a->edgeCount || p->triangle < 0 || p->triangle >= b->edgeCount || !( p->key >= -1.0f ) || !( p->side == 0.0f || p->side == 1.0f ) || !pnIsPush( p->push ) )
		{
			return false;
		}
	}
	return true;
}

static bool pnTakeCandidates( pnSource* s, pnContacts* c, int count )
{
	if ( !pnTakeItems( s, c->candidates.at, count, sizeof( pnCandidate ), "candidates", 0 ) )
	{
		return false;
	}
	c->candidates.count = count;
	for ( int i = 0; i < c->pairs.count && count > 0; ++i )
	{
		const pnPair* pair = c->pairs.at + i;
		const pnCollider *a = c->colliders.at + pair->a, *b = c->colliders.at + pair->b;
		if ( !pnAreCandidates( c->candidates.at + pair->first, pair->middle - pair->first, b, a->surface->triangleCount ) ||
			 !pnAreCandidates( c->candidates.at + pair->middle, pair->first + pair->count - pair->middle, a, pair->a == pair->b ? b->surface->lipCount : b->surface->triangleCount ) ||
			 !pnAreEdges( c->candidates.at + pair->first + pair->count, pair->edgeCount, a->surface, b->surface ) )
		{
			return pnFaulty( s, "candidates of pair", i );
		}
	}
	for ( int i = 0; i < c->grounds.count && count > 0; ++i )
	{
		const pnPair* pair = c->grounds.at + i;
		if ( !pnAreCandidates( c->candidates.at + pair->first, pair->count, c->colliders.at + pair->b, 1 ) ) // shapes have no triangles to name
		{
			return pnFaulty( s, "candidates of ground", i );
		}
	}
	return true;
}

static void pnFindGroundStarts( pnContacts* c )
{
	c->groundStarts.count = 0;
	for ( int i = 0; i < c->grounds.count; ++i )
	{
		if ( i == 0 || c->grounds.at[i].b != c->grounds.at[i - 1].b )
		{
			c->groundStarts.at[c->groundStarts.count++] = i;
		}
	}
	c->groundStarts.at[c->groundStarts.count] = c->grounds.count;
}

static bool pnTakeEnded( pnSource* s, pnContacts* c, int count )
{
	bool fine = pnTakeItems( s, c->ended.at, count, sizeof( pnTouch ), "partings", 0 );
	for ( int i = 0; i < count && fine; ++i )
	{
		const pnTouch* touch = c->ended.at + i;
		fine = touch->a.index1 >= 0 && touch->b.index1 >= 0 && touch->shape.index1 >= 0;
	}
	c->ended.count = fine ? count : 0;
	c->endedKept = 0;
	return fine || pnFaulty( s, "partings", 0 );
}

bool pnTakeContacts( pnContacts* c, const pnContacts* living, pnTakeFcn* take, void* context, pnImageFault* fault )
{
	pnSource source = { take, context, fault }, *s = &source;
	pnContactHead head;
	if ( !pnTakeItems( s, &head, 1, sizeof head, "contact", 0 ) )
	{
		return false;
	}
	for ( int i = 0; i < c->colliders.count; ++i )
	{
		if ( c->colliders.at[i].surface != NULL && !pnTakeCollider( s, c->colliders.at + i, i ) )
		{
			return false;
		}
	}
	if ( !pnTakeShapes( s, c, living, &head ) )
	{
		return false;
	}
	if ( !pnAreLeft( s, head.pairCount, sizeof( pnPairImage ) ) || !pnAreLeft( s, head.groundCount, sizeof( pnPairImage ) ) ||
		 !pnAreLeft( s, head.candidateCount, sizeof( pnCandidate ) ) || !pnAreLeft( s, head.endedCount, sizeof( pnTouch ) ) || ( head.renew | 1 ) != 1 || !( head.lastStep == 0.0f || ( head.lastStep >= 0.9e-9f && head.lastStep <= 1e3f ) ) )
	{
		return pnFaulty( s, "contact", 0 );
	}
	if ( !pnGrowList( c->pairs, head.pairCount ) || !pnGrowList( c->grounds, head.groundCount ) ||
		 !pnGrowList( c->candidates, head.candidateCount ) || !pnGrowList( c->groundStarts, head.groundCount + 1 ) || !pnGrowList( c->ended, head.endedCount ) )
	{
		return pnNoMemory( s );
	}
	int first = 0;
	if ( !pnTakePairs( s, c, c->pairs.at, head.pairCount, false, head.candidateCount, &first ) ||
		 !pnTakePairs( s, c, c->grounds.at, head.groundCount, true, head.candidateCount, &first ) )
	{
		return false;
	}
	c->pairs.count = head.pairCount;
	c->grounds.count = head.groundCount;
	if ( first != head.candidateCount )
	{
		return pnFaulty( s, "number of candidates", head.candidateCount );
	}
	bool fine = pnTakeOrder( s, c ) && pnTakeCandidates( s, c, head.candidateCount ) && pnTakeEnded( s, c, head.endedCount );
	if ( fine )
	{
		pnFindGroundStarts( c );
		c->renew = head.renew != 0;
		c->lastStep = head.lastStep;
		pnReserveContacts( c, NULL ); // if there is no memory the step will ask again
	}
	return fine;
}
