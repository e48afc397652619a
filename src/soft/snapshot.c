// snapshot.c - the whole world as bytes and back, and its hash. Knows all of the state and nothing of what a step does with it.
// An image is little endian: head, solids (each once), bodies, slots, grabs, contact (src/contact/image.c). Everything is checked before the
// world is touched.
//
// The hash is over gravity, slots, bodies, grabs and shapes: all that a user has made or can see move. Not over what contact remembers to save
// work (who is near, where a body was last looked at), nor over what the last step told (events, impulses on shapes, forces of grabs): a sleeping world keeps
// its hash. An image has all of it but the events, so that a restored world goes on with the same bits.
#include "../contact/image.h"
#include "fit.h"
#include "grip.h"
#include "world.h"

#include <float.h>
#include <math.h>

static const uint64_t pn_magic = 0x746e61696c700bull; // "\13pliant", version in the first byte

typedef struct pnHead
{
	uint64_t magic, size, checksum; // of the bytes after the head
	float gravity[3];
	int32_t enableSleep, solidCount, bodyCount, slotCount, grabSlotCount;
} pnHead;

// A solid's counts, in the image as in pnSolid.
typedef struct pnSolidHead
{
	int32_t pointCount, particleCount, clusterCount, memberCount, membershipCount, groupCount;
	int32_t skinCount, skinTriangleCount, skinVertexCount, skinBondCount, tetrahedronCount;
	int32_t maxClusterSize, overlapping;
	int32_t attributeTotal, attributedCount, materialCount, linkStartCount, linkCount;
	float tear[4];
	float totalMass, density, thickness;
	int32_t nodedCount;
	int32_t islandCount, inherited;
	pnCellSize cells;
	float spacing, whole, breadth2;
	int32_t unused; // 0
	double center[3];
	uint64_t hash;
} pnSolidHead;

// A material but for what came later: that has a place of its own, so that bodies without it keep their hash.
typedef struct pnMaterialImage
{
	int32_t mode;
	float hertz, dampingRatio, stretch, alpha, volume;
	pnCurve volumeCurve;
	int32_t cap;
	float capStart, capEnd;
	pnCurve capCurve;
	float yield, creep, maxPlastic, hardening, recovery, density, friction, restitution;
	int32_t bare;
} pnMaterialImage;

// A body but for its arrays: x, v, clusters, pins, forces.
typedef struct pnBodyHead
{
	pnBodyId id;
	int32_t solid, pinCount;
	pnMaterialImage material;
	float gravityScale, padToo, origin[3], motion[4], force[3];
	double step, lastStep, lastRate, lastLightness, lastSwing; // the response's, and those of the last step
	double account, moving, guarded, kinetic, elastic, strayMomentum[3], straySpin[3], lag[3], stored;
	uint64_t userData;
	int32_t fresh, revalued, struck, awake, forceCount, measured, followed, inherits, given, padLast;
	pnPointSums sums;
	int32_t detector, selfContact; // bit 0; bit 1: behind the arrays comes what its skins are shifted by; bit 2: just cut
	pnFilter filter;
	pnUnrest unrest;
	float tear, toughness; // of the material
	float unease, ebb;
} pnBodyHead;

typedef struct pnGrabSlotImage { uint32_t generation; int32_t alive; } pnGrabSlotImage;

// A grab but for its points.
typedef struct pnGrabImage
{
	double aim[3], offset[3], force[3];
	uint64_t userData;
	uint32_t owner;
	int32_t locked, body, pointCount; // body: its slot
	float hertz, dampingRatio, maxForce, target[3];
} pnGrabImage;
_Static_assert( sizeof( pnHead ) == 56 && sizeof( pnMaterialImage ) == 208 && sizeof( pnGrabImage ) == 120, "no hidden bytes" );

// ---- writing: the same walk counts, writes and hashes ----

typedef struct pnWriter
{
	uint8_t* bytes; // NULL only counts
	size_t size, capacity;
	uint64_t hash;
} pnWriter;

static void pnPut( pnWriter* w, const void* data, size_t size )
{
	if ( size == 0 )
	{
		return;
	}
	w->hash = pnHash( w->hash, data, size );
	if ( w->bytes != NULL && w->size + size <= w->capacity )
	{
		memcpy( w->bytes + w->size, data, size );
	}
	w->size += size;
}

static void pnPutForContact( void* context, const void* data, size_t size )
{
	pnPut( context, data, size );
}

static void pnPutSolid( pnWriter* w, const pnSolid* s )
{
	pnSolidHead head;
	memset( &head, 0, sizeof head );
	head.pointCount = s->pointCount, head.particleCount = s->particleCount, head.clusterCount = s->clusterCount;
	head.memberCount = s->memberCount, head.membershipCount = s->membershipCount, head.groupCount = s->groupCount;
	head.skinCount = s->skinCount, head.skinTriangleCount = s->skinTriangleCount;
	head.skinVertexCount = s->skinVertexCount, head.skinBondCount = s->skinBondCount, head.tetrahedronCount = s->tetrahedronCount;
	head.maxClusterSize = s->maxClusterSize, head.overlapping = s->overlapping;
	head.attributeTotal = s->attributeTotal, head.attributedCount = s->attributedCount, head.materialCount = s->materialCount;
	head.linkStartCount = s->linkStartCount, head.linkCount = s->linkCount, head.nodedCount = s->nodedCount;
	head.totalMass = s->totalMass, head.density = s->density, head.thickness = s->thickness, head.hash = s->hash;
	memcpy( head.center, s->center, sizeof head.center );
	memcpy( head.tear, s->tear, sizeof head.tear );
	head.islandCount = s->islandCount, head.inherited = s->inherited, head.cells = s->cells;
	head.spacing = s->spacing, head.whole = s->whole, head.breadth2 = s->breadth2;
	pnPut( w, &head, sizeof head );
	PN_NAME_COUNTS( s );
#define PN_PUT( T, name, count ) pnPut( w, s->name, sizeof( T ) * (size_t)( count ) );
	PN_SOLID_ARRAYS( PN_PUT )
#undef PN_PUT
}

static void pnPutMaterial( pnMaterialImage* out, const pnMaterial* in )
{
	out->mode = (int32_t)in->mode, out->hertz = in->hertz, out->dampingRatio = in->dampingRatio, out->stretch = in->stretch;
	out->alpha = in->alpha, out->volume = in->volume, out->volumeCurve = in->volumeCurve, out->cap = (int32_t)in->cap;
	out->capStart = in->capStart, out->capEnd = in->capEnd, out->capCurve = in->capCurve, out->yield = in->yield;
	out->creep = in->creep, out->maxPlastic = in->maxPlastic, out->hardening = in->hardening, out->recovery = in->recovery;
	out->density = in->density, out->friction = in->friction, out->restitution = in->restitution, out->bare = in->bare;
}

static pnMaterial pnTakeMaterial( const pnBodyHead* head )
{
	const pnMaterialImage* in = &head->material;
	return (pnMaterial){
		.mode = (pnMode)in->mode, .hertz = in->hertz, .dampingRatio = in->dampingRatio, .stretch = in->stretch,
		.alpha = in->alpha, .volume = in->volume, .volumeCurve = in->volumeCurve, .cap = (pnCap)in->cap,
		.capStart = in->capStart, .capEnd = in->capEnd, .capCurve = in->capCurve, .yield = in->yield,
		.creep = in->creep, .maxPlastic = in->maxPlastic, .hardening = in->hardening, .recovery = in->recovery, .tear = head->tear, .toughness = head->toughness,
		.density = in->density, .friction = in->friction, .restitution = in->restitution, .bare = in->bare != 0,
	};
}

// The rows that fill up the last four are nobody: they weigh nothing and may be anywhere.
static void pnPutRows( pnWriter* w, const float* rows, const pnBody* b )
{
	static const float nobody[16] = { 0.0f };
	int count = b->solid->particleCount;
	pnPut( w, rows, 4 * sizeof( float ) * (size_t)count );
	pnPut( w, nobody, 4 * sizeof( float ) * (size_t)( b->count - count ) );
}

static void pnPutBody( pnWriter* w, const pnBody* b, int solid )
{
	pnBodyHead head;
	memset( &head, 0, sizeof head );
	head.id = b->id, head.solid = solid, head.pinCount = b->pinCount;
	pnPutMaterial( &head.material, &b->material );
	head.gravityScale = b->gravityScale, head.lastStep = b->lastStep, head.lastRate = b->lastRate, head.lastLightness = b->lastLightness, head.lastSwing = b->lastSwing;
	memcpy( head.origin, b->origin, sizeof head.origin );
	memcpy( head.motion, b->match.motion, sizeof head.motion ); // what follows is made anew at each step
	memcpy( head.force, &b->force, sizeof head.force );
	head.step = b->response.step, head.account = b->account, head.moving = b->moving, head.guarded = b->guarded;
	head.kinetic = b->kinetic, head.elastic = b->elastic, head.userData = b->userData;
	memcpy( head.strayMomentum, b->strayMomentum, sizeof head.strayMomentum );
	memcpy( head.straySpin, b->straySpin, sizeof head.straySpin );
	memcpy( head.lag, b->lag, sizeof head.lag );
	head.stored = b->stored;
	head.fresh = b->fresh, head.revalued = b->revalued, head.struck = b->struck, head.awake = b->awake, head.forceCount = b->forceCount;
	head.measured = b->measured, head.followed = b->followed, head.inherits = b->inherits, head.given = b->given;
	if ( b->measured )
	{
		head.sums = b->sums;
	}
	head.detector = (int32_t)b->detector, head.selfContact = ( b->selfContact ? 1 : 0 ) | ( b->shiftLeft > 0.0f ? 2 : 0 ) | ( b->justCut ? 4 : 0 ), head.filter = b->filter, head.unrest = b->unrest, head.tear = b->material.tear, head.toughness = b->material.toughness, head.unease = b->unease, head.ebb = b->ebb;
	pnPut( w, &head, sizeof head );
	pnPutRows( w, b->match.x, b );
	pnPutRows( w, b->v, b );
	pnPut( w, b->match.clusters, sizeof( pnCluster ) * (size_t)b->solid->clusterCount );
	pnPut( w, b->pins, sizeof( pnPin ) * (size_t)b->pinCount );
	pnPut( w, b->forces, sizeof( pnPointForce ) * (size_t)b->forceCount );
	if ( b->shiftLeft > 0.0f )
	{
		pnPut( w, &b->shiftLeft, sizeof b->shiftLeft );
		pnPut( w, b->shifts, sizeof( pnVec3 ) * (size_t)b->solid->skinVertexCount );
	}
}

// Slots, their order of birth, and grabs in this order. told: with what the last step told.
static void pnPutGrabs( pnWriter* w, const pnWorld* world, bool told )
{
	for ( int i = 0; i < world->grabSlotCount; ++i )
	{
		pnGrabSlotImage slot = { world->grabs[i].generation, world->grabs[i].body >= 0 };
		pnPut( w, &slot, sizeof slot );
	}
	pnPut( w, world->grabOrder, sizeof( int32_t ) * (size_t)world->grabCount );
	for ( int i = 0; i < world->grabCount; ++i )
	{
		const pnGrab* grab = world->grabs + world->grabOrder[i];
		const pnGrip* grip = pnFindGrip( world->slots[grab->body].body, world->grabOrder[i] );
		pnGrabImage image = {
			.userData = grab->userData, .owner = grab->owner, .locked = ( grab->locked ? 1 : 0 ) | ( told && grip->yields ? 2 : 0 ), .body = grab->body, .pointCount = grip->pointCount,
			.hertz = grip->hertz, .dampingRatio = grip->dampingRatio, .maxForce = grip->maxForce,
		};
		memcpy( image.aim, grip->aim, sizeof image.aim );
		memcpy( image.offset, grip->offset, sizeof image.offset );
		memcpy( image.force, grip->force, told ? sizeof image.force : 0 );
		memcpy( image.target, grip->target, sizeof image.target );
		pnPut( w, &image, sizeof image );
		pnPut( w, grip->points, sizeof( pnGripPoint ) * (size_t)grip->pointCount );
	}
}

// The distinct solids of the bodies, in order of first use; index: of each body's among them. Returns how many.
static int pnListSolids( const pnWorld* world, const pnSolid** solids, int32_t* index )
{
	int count = 0;
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		int at = count - 1; // the last one first: bodies of one solid usually come one after another
		while ( at >= 0 && solids[at] != world->bodies[i]->solid )
		{
			at -= 1;
		}
		if ( at < 0 )
		{
			at = count++;
			solids[at] = world->bodies[i]->solid;
		}
		index[i] = at;
	}
	return count;
}

// Of everything but itself.
static uint64_t pnChecksum( pnHead head, const uint8_t* rest )
{
	head.checksum = 0;
	return pnHash( pnHash( PN_HASH_SEED, &head, sizeof head ), rest, head.size - sizeof head );
}

size_t pnWorld_Snapshot( const pnWorld* world, void* image, size_t capacity )
{
	int count = world->bodyCount > 0 ? world->bodyCount : 1;
	const pnSolid** solids = pnAllocArray( const pnSolid*, count );
	int32_t* index = pnAllocArray( int32_t, count );
	pnWriter w = { image, sizeof( pnHead ), capacity, PN_HASH_SEED };
	if ( solids == NULL || index == NULL )
	{
		w.size = 0;
	}
	else
	{
		int solidCount = pnListSolids( world, solids, index );
		for ( int i = 0; i < solidCount; ++i )
		{
			pnPutSolid( &w, solids[i] );
		}
		for ( int i = 0; i < world->bodyCount; ++i )
		{
			pnPutBody( &w, world->bodies[i], index[i] );
		}
		for ( int i = 0; i < world->slotCount; ++i )
		{
			pnPut( &w, &world->slots[i].generation, sizeof( uint32_t ) );
		}
		pnPutGrabs( &w, world, true );
		pnPutContacts( &world->contacts, pnPutForContact, &w );
		pnHead head = {
			.magic = pn_magic,
			.size = w.size,
			.gravity = { world->gravity.x, world->gravity.y, world->gravity.z },
			.enableSleep = world->enableSleep,
			.solidCount = solidCount,
			.bodyCount = world->bodyCount,
			.slotCount = world->slotCount,
			.grabSlotCount = world->grabSlotCount,
		};
		if ( image != NULL && w.size <= capacity )
		{
			head.checksum = pnChecksum( head, (const uint8_t*)image + sizeof head );
			memcpy( image, &head, sizeof head );
		}
	}
	pnFreeArray( const pnSolid*, solids, count );
	pnFreeArray( int32_t, index, count );
	return w.size;
}

uint64_t pnWorld_GetHash( const pnWorld* world )
{
	pnWriter w = { NULL, 0, 0, PN_HASH_SEED };
	pnPut( &w, &world->gravity, sizeof world->gravity );
	int32_t sleeps = world->enableSleep;
	pnPut( &w, &sleeps, sizeof sleeps );
	for ( int i = 0; i < world->slotCount; ++i )
	{
		pnPut( &w, &world->slots[i].generation, sizeof( uint32_t ) );
	}
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnPut( &w, &world->bodies[i]->solid->hash, sizeof( uint64_t ) );
		pnPutBody( &w, world->bodies[i], 0 );
	}
	pnPutGrabs( &w, world, false );
	pnPutShapes( &world->contacts, pnPutForContact, &w );
	return w.hash;
}

// ---- reading ----

typedef struct pnReader
{
	const uint8_t* bytes;
	size_t size, at;
	const char *wrong, *why; // the first thing that was; NULL: cut short or senseless
	int where;
	bool noMemory;
} pnReader;

static bool pnRefuse( pnReader* r, const char* what, int where )
{
	if ( r->wrong == NULL )
	{
		r->wrong = what;
		r->where = where;
	}
	return false;
}

static bool pnTake( pnReader* r, void* data, size_t size, const char* what, int where )
{
	if ( size > r->size - r->at )
	{
		return pnRefuse( r, what, where );
	}
	if ( size > 0 )
	{
		memcpy( data, r->bytes + r->at, size );
	}
	r->at += size;
	return true;
}

static bool pnTakeForContact( void* context, void* data, size_t size )
{
	pnReader* r = context;
	return size <= r->size - r->at && ( data == NULL || pnTake( r, data, size, "contact", 0 ) );
}

static bool pnAreWithin( const float* floats, size_t count, float limit )
{
	for ( size_t i = 0; i < count; ++i )
	{
		if ( !( floats[i] >= -limit && floats[i] <= limit ) )
		{
			return false;
		}
	}
	return true;
}

static bool pnAreIndices( const int32_t* indices, size_t count, int low, int end )
{
	for ( size_t i = 0; i < count; ++i )
	{
		if ( indices[i] < low || indices[i] >= end )
		{
			return false;
		}
	}
	return true;
}

static bool pnAreStarts( const int32_t* starts, int count, int end )
{
	for ( int i = 0; i < count; ++i )
	{
		if ( starts[i] > starts[i + 1] )
		{
			return false;
		}
	}
	return starts[0] == 0 && starts[count] == end;
}

// Two groups of one colour that share a particle would be stepped by two workers at once; small bodies have no colours.
static bool pnColorsHold( pnReader* r, const pnSolid* s )
{
	if ( s->clusterCount <= PN_LARGE_BODY )
	{
		return true;
	}
	int32_t* seen = pnAllocArray( int32_t, s->particleCount );
	if ( seen == NULL )
	{
		r->noMemory = true;
		return false;
	}
	bool fine = true;
	int first = 0; // group where the colour began
	for ( int g = 0; g < s->groupCount && fine; ++g )
	{
		fine = g == 0 || s->groupColor[g] >= s->groupColor[g - 1];
		first = g > 0 && s->groupColor[g] == s->groupColor[g - 1] ? first : g;
		int last = ( g + 1 ) * PN_LANES < s->clusterCount ? ( g + 1 ) * PN_LANES : s->clusterCount;
		for ( int m = s->clusterStart[g * PN_LANES]; m < s->clusterStart[last] && fine; ++m )
		{
			int32_t* mark = seen + s->memberPoint[m] / 16;
			fine = *mark <= first || *mark == g + 1; // marks are group + 1
			*mark = g + 1;
		}
	}
	pnFreeArray( int32_t, seen, s->particleCount );
	return fine;
}

static bool pnHasAxes( const pnClusterRest* rest )
{
	for ( int e = 0; e < 3; ++e )
	{
		double x = rest->basis[e], y = rest->basis[3 + e], z = rest->basis[6 + e];
		if ( !( x * x + y * y + z * z > 1e-60 ) )
		{
			return false;
		}
	}
	return true;
}

// The step trusts that a cluster's basis is orthonormal under its weights: small numbers then stay small.
static bool pnBasisHolds( const pnSolid* s, int c )
{
	const pnClusterRest* rest = s->clusters + c;
	double K[9];
	pnTrueBasis( rest, K );
	double gram[PN_MONOMIALS][PN_MONOMIALS] = { { 0 } }, mean[PN_MONOMIALS] = { 0 }, total = 0.0, norm2 = 0.0;
	for ( int i = s->clusterStart[c]; i < s->clusterStart[c + 1]; ++i )
	{
		const pnMember* m = s->members + i;
		double x = m->q[0], y = m->q[1], z = m->q[2], w = m->w, phi[PN_MONOMIALS] = { x, y, z };
		double e[PN_MONOMIALS] = { x, y, z, x * x - rest->mean[0], y * y - rest->mean[1], z * z - rest->mean[2],
								   x * y - rest->mean[3], y * z - rest->mean[4], z * x - rest->mean[5] };
		for ( int t = 0, at = 0; t < 6; at += 4 + t, ++t )
		{
			for ( int j = 0; j <= 3 + t; ++j )
			{
				phi[3 + t] += (double)rest->quadratic[at + j] * e[j];
			}
		}
		total += w;
		for ( int j = 0; j < PN_MONOMIALS; ++j )
		{
			mean[j] += w * phi[j];
			for ( int k = 0; k <= j; ++k )
			{
				gram[j][k] += w * phi[j] * phi[k];
			}
		}
	}
	bool fine = total > 0.99 && total < 1.01;
	for ( int j = 0; j < PN_MONOMIALS && fine; ++j )
	{
		fine = mean[j] > -0.02 && mean[j] < 0.02;
		for ( int k = 0; k <= j && fine; ++k )
		{
			bool one = j == k && ( j < 3 ? rest->missing[j] == 0.0f : gram[j][j] > 0.5 );
			double want = one ? 1.0 : 0.0;
			fine = gram[j][k] - want > -0.02 && gram[j][k] - want < 0.02;
		}
	}
	for ( int k = 0; k < 9; ++k )
	{
		norm2 += K[k] * K[k];
	}
	double det = K[0] * ( K[4] * K[8] - K[5] * K[7] ) - K[1] * ( K[3] * K[8] - K[5] * K[6] ) + K[2] * ( K[3] * K[7] - K[4] * K[6] );
	double size3 = norm2 * ( norm2 > 0.0 ? norm2 : 0.0 );
	return fine && rest->restNorm2 >= 0.99 * norm2 && rest->restNorm2 <= 1.01 * norm2 + 1e-30 &&
		   ( rest->fullRank == 0.0f || ( rest->restDet >= 0.98 * det && rest->restDet <= 1.02 * det && det * det > 1e-16 * size3 * norm2 ) );
}

static bool pnCheckSolid( pnReader* r, const pnSolid* s, int where )
{
	for ( int i = 0; i < s->particleCount; ++i )
	{
		if ( !( s->mass[i] > 0.0f && s->mass[i] <= 1.0f ) )
		{
			return pnRefuse( r, "masses of solid", where );
		}
	}
	bool fine = pnAreWithin( &s->rest[0].x, 3 * (size_t)s->particleCount, 1e8f ) && pnAreIndices( s->particleOf, (size_t)s->pointCount, 0, s->particleCount ) &&
				pnAreStarts( s->clusterStart, s->clusterCount, s->memberCount ) && pnAreWithin( s->clusterCenter, 3 * (size_t)s->clusterCount, 1e8f ) &&
				pnAreWithin( (const float*)s->members, 4 * (size_t)s->memberCount, 1e8f ) &&
				pnAreWithin( (const float*)s->clusters, sizeof( pnClusterRest ) / 4 * (size_t)s->clusterCount, 1e25f );
	for ( int c = 0; c < s->clusterCount && fine; ++c )
	{
		int length = s->clusterStart[c + 1] - s->clusterStart[c], size = s->clusterSize[c];
		const pnClusterRest* rest = s->clusters + c;
		bool full = rest->fullRank == 1.0f;
		fine = size > 0 && size <= length && length - size < 4 && length % 4 == 0 && length <= s->maxClusterSize && rest->share > 0.0f &&
			   ( full || rest->fullRank == 0.0f ) && pnAreWithin( rest->missing, 3, 1.0f ) && pnHasAxes( rest ) && ( !full || ( rest->restDet > 0.0f && rest->restNorm2 > 0.0f ) ) && pnAreWithin( rest->basis, 9, 1e8f ) && rest->share <= 1e4f && pnBasisHolds( s, c );
	}
	for ( int m = 0; m < s->memberCount && fine; ++m )
	{
		fine = s->memberPoint[m] % 16 == 0 && s->memberPoint[m] / 16 < (uint32_t)s->particleCount && s->members[m].w >= 0.0f && s->members[m].w <= 1.0f;
	}
	if ( !fine )
	{
		return pnRefuse( r, "clusters of solid", where );
	}
	if ( !pnColorsHold( r, s ) )
	{
		return pnRefuse( r, "groups of solid", where );
	}
	fine = pnAreIndices( s->skinParticle, (size_t)s->skinVertexCount, -1, s->particleCount ) && pnAreStarts( s->skinBondStart, s->skinVertexCount, s->skinBondCount ) &&
		   pnAreWithin( s->skinNormal != NULL ? &s->skinNormal[0].x : NULL, 3 * (size_t)s->skinVertexCount, 1.1f );
	for ( int b = 0; b < s->skinBondCount && fine; ++b )
	{
		fine = s->skinBonds[b].cluster >= 0 && s->skinBonds[b].cluster < s->clusterCount && pnAreWithin( &s->skinBonds[b].weight, 7, 1e8f );
	}
	for ( int k = 0; k < s->skinCount && fine; ++k )
	{
		const pnSkin* skin = s->skins + k;
		fine = skin->vertexCount >= 0 && skin->firstVertex >= 0 && skin->vertexCount <= s->skinVertexCount - skin->firstVertex && skin->triangleCount >= 0 &&
			   skin->firstTriangle >= 0 && ( k > 0 || ( skin->firstVertex == 0 && skin->firstTriangle == 0 ) ) && skin->triangleCount <= s->skinTriangleCount - skin->firstTriangle &&
			   pnAreIndices( s->skinTriangles + 3 * (size_t)skin->firstTriangle, 3 * (size_t)skin->triangleCount, 0, skin->vertexCount ) &&
			   pnAreIndices( s->skinWeld + skin->firstVertex, (size_t)skin->vertexCount, 0, skin->vertexCount ) &&
			   ( s->nodedCount == 0 || pnAreIndices( s->skinNode + skin->firstVertex, (size_t)skin->vertexCount, 0, skin->vertexCount ) ) &&
			   ( !skin->onParticles || pnAreIndices( s->skinParticle + skin->firstVertex, (size_t)skin->vertexCount, 0, s->particleCount ) );
	}
	int64_t attributes = 0;
	for ( int k = 0; k < s->attributedCount && fine; ++k )
	{
		fine = s->skinAttributed[k] >= 0 && s->skinAttributed[k] <= 16;
		attributes += (int64_t)s->skinAttributed[k] * s->skins[k].vertexCount;
	}
	fine = fine && attributes == s->attributeTotal && pnAreWithin( s->skinAttributes, (size_t)s->attributeTotal, 3e38f );
	fine = fine && ( s->linkCount == 0 || ( pnAreStarts( s->linkStart, s->particleCount, s->linkCount ) && pnAreIndices( s->links, (size_t)s->linkCount, 0, s->particleCount ) ) );
	fine = fine && pnAreIndices( s->tetrahedra, 4 * (size_t)s->tetrahedronCount, 0, s->particleCount );
	return fine || pnRefuse( r, "skins or tetrahedra of solid", where );
}

static pnSolid* pnTakeSolidImage( pnReader* r, int where )
{
	pnSolidHead head;
	if ( !pnTake( r, &head, sizeof head, "solid", where ) )
	{
		return NULL;
	}
	int32_t counts[] = { head.pointCount, head.particleCount, head.clusterCount, head.memberCount, head.membershipCount, head.groupCount,
						 head.skinCount, head.skinTriangleCount, head.skinVertexCount, head.skinBondCount, head.tetrahedronCount, head.attributeTotal,
						 head.attributedCount, head.materialCount, head.linkStartCount, head.linkCount, head.nodedCount };
	size_t left = r->size - r->at;
	for ( int i = 0; i < PN_COUNT( counts ); ++i )
	{
		if ( counts[i] < 0 || (size_t)counts[i] > left ) // each item takes at least a byte of what is left
		{
			pnRefuse( r, "counts of solid", where );
			return NULL;
		}
	}
	int groups = ( head.clusterCount + PN_LANES - 1 ) / PN_LANES;
	bool finite = head.totalMass >= 1e-30f && head.totalMass <= 1e30f && ( head.density == 0.0f || ( head.density >= 1e-12f && head.density <= 1e12f ) ) &&
				  head.thickness >= -3e38f && head.thickness <= 1e8f && head.spacing >= 0.0f && head.spacing <= 1e8f && head.whole >= 0.0f && head.whole <= 1e30f && head.breadth2 >= 0.0f && head.breadth2 <= 1e16f && head.unused == 0 && pnAreWithin( head.tear, 3, 1.1f ) && pnAreWithin( head.tear + 3, 1, 1e9f );
	for ( int k = 0; k < 3; ++k )
	{
		finite = finite && head.center[k] - head.center[k] == 0.0 && head.cells.edges[k] >= 0.0f && head.cells.edges[k] <= 1e8f;
	}
	if ( head.pointCount < 1 || head.particleCount < 1 || head.clusterCount < 1 || head.groupCount != groups || !finite || head.maxClusterSize < 4 ||
		 head.maxClusterSize > head.memberCount || head.islandCount < 1 || head.islandCount > head.clusterCount || ( head.inherited | 1 ) != 1 ||
		 !( head.cells.overlap >= 0.0f && head.cells.overlap <= 8.0f ) || head.particleCount > ( 1 << 27 ) ||
		 ( head.attributedCount != 0 && head.attributedCount != head.skinCount ) || ( head.attributedCount == 0 ) != ( head.attributeTotal == 0 ) ||
		 ( head.materialCount != 0 && head.materialCount != head.skinTriangleCount ) || ( head.nodedCount != 0 && head.nodedCount != head.skinVertexCount ) ||
		 head.linkStartCount != ( head.linkCount > 0 ? head.particleCount + 1 : 0 ) )
	{
		pnRefuse( r, "head of solid", where );
		return NULL;
	}
	pnSolid* s = pnAllocArray( pnSolid, 1 );
	if ( s == NULL )
	{
		r->noMemory = true;
		return NULL;
	}
	atomic_init( &s->refCount, 1 );
	s->pointCount = head.pointCount, s->particleCount = head.particleCount, s->clusterCount = head.clusterCount;
	s->memberCount = head.memberCount, s->membershipCount = head.membershipCount, s->groupCount = head.groupCount;
	s->skinCount = head.skinCount, s->skinTriangleCount = head.skinTriangleCount;
	s->skinVertexCount = head.skinVertexCount, s->skinBondCount = head.skinBondCount, s->tetrahedronCount = head.tetrahedronCount;
	s->maxClusterSize = head.maxClusterSize, s->overlapping = head.overlapping;
	s->attributeTotal = head.attributeTotal, s->attributedCount = head.attributedCount, s->materialCount = head.materialCount;
	s->linkStartCount = head.linkStartCount, s->linkCount = head.linkCount, s->nodedCount = head.nodedCount;
	s->totalMass = head.totalMass, s->density = head.density, s->thickness = head.thickness, s->hash = head.hash;
	memcpy( s->center, head.center, sizeof s->center );
	memcpy( s->tear, head.tear, sizeof s->tear );
	s->islandCount = head.islandCount, s->inherited = head.inherited, s->cells = head.cells;
	s->spacing = head.spacing, s->whole = head.whole, s->breadth2 = head.breadth2;
	if ( !pnAllocSolidArrays( s ) )
	{
		r->noMemory = true;
		pnFreeArray( pnSolid, s, 1 );
		return NULL;
	}
	PN_NAME_COUNTS( s );
	bool fine = true;
#define PN_TAKE( T, name, count ) fine = fine && pnTake( r, s->name, sizeof( T ) * (size_t)( count ), "arrays of solid", where );
	PN_SOLID_ARRAYS( PN_TAKE )
#undef PN_TAKE
	if ( !fine || !pnCheckSolid( r, s, where ) )
	{
		pnDestroySolid( s );
		return NULL;
	}
	return s;
}

static bool pnTakePointForces( pnReader* r, pnPointForce** list, int* outCount, int* capacity, int count, const pnBody* body, int where )
{
	if ( count < 0 || (size_t)count > ( r->size - r->at ) / sizeof( pnPointForce ) )
	{
		return pnRefuse( r, "forces of body", where );
	}
	if ( count > 0 && !pnGrow( (void**)list, capacity, 0, count, sizeof( pnPointForce ) ) )
	{
		r->noMemory = true;
		return false;
	}
	*outCount = count;
	bool fine = pnTake( r, *list, sizeof( pnPointForce ) * (size_t)count, "forces of body", where );
	for ( int i = 0; i < count && fine; ++i )
	{
		const pnPointForce* f = *list + i;
		fine = f->particle >= 0 && f->particle < body->solid->particleCount && pnAreWithin( f->value, 3, 1e37f );
	}
	return fine || pnRefuse( r, "forces of body", where );
}

static bool pnIsNear( const double* a, const double* b, int count, double most )
{
	bool near = true;
	for ( int k = 0; k < count; ++k )
	{
		near = near && a[k] - b[k] <= most && b[k] - a[k] <= most; // false for NaN
	}
	return near;
}

// Sums are what the particles add up to, but for the rounding of the step that took them.
static bool pnSumsAreTrue( const pnBody* b )
{
	pnPointSums sums = pnSumParticles( b );
	double wide2 = sums.second[0] + sums.second[1] + sums.second[2], fast2 = 0.0;
	for ( int i = 0; i < b->solid->particleCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double u = (double)b->v[4 * (size_t)i + k] - (double)b->match.motion[k];
			fast2 += (double)b->solid->mass[i] * u * u;
		}
	}
	const double tolerance = 1e-3; // far above rounding, and nothing can be done with less
	double wide = sqrt( wide2 ), fast = sqrt( fast2 ); // and what rounding of places and velocities makes of either
	for ( int k = 0; k < 3; ++k )
	{
		wide += 1e-4 * fabs( (double)b->origin[k] );
		fast += 1e-4 * fabs( (double)b->match.motion[k] );
	}
	return pnIsNear( sums.moment, b->sums.moment, 3, tolerance * wide ) && pnIsNear( sums.second, b->sums.second, 6, tolerance * wide * wide ) &&
		   pnIsNear( sums.flow, b->sums.flow, 3, tolerance * fast + 1e-9 ) && pnIsNear( sums.spin, b->sums.spin, 3, tolerance * wide * fast + 1e-9 * wide );
}

static pnBody* pnTakeBody( pnReader* r, pnSolid* const* solids, int solidCount, int slotCount, int where )
{
	pnBodyHead head;
	if ( !pnTake( r, &head, sizeof head, "body", where ) )
	{
		return NULL;
	}
	pnMaterial material = pnTakeMaterial( &head );
	double doubles[] = { head.account, head.moving, head.guarded, head.lastRate,
						 head.strayMomentum[0], head.strayMomentum[1], head.strayMomentum[2], head.straySpin[0], head.straySpin[1], head.straySpin[2], head.lag[0], head.lag[1], head.lag[2] };
	bool fine = ( head.material.bare | 1 ) == 1 && head.solid >= 0 && head.solid < solidCount && head.id.index1 >= 1 && head.id.index1 <= slotCount &&
				pnCheckMaterial( &material ) == NULL && pnAreWithin( &head.gravityScale, 1, 1e6f ) && head.lastStep >= 0.0 && head.lastStep <= 1e3 && head.lastRate >= 0.0 && head.lastLightness >= 0.0 && head.lastLightness <= 1.0 && head.lastSwing >= 0.0 && head.lastSwing <= 1.0 &&
				pnAreWithin( head.origin, 3, 1e9f ) && pnAreWithin( head.motion, 3, 1e9f ) && head.motion[3] >= 0.0f && head.motion[3] <= 2e9f && pnAreWithin( head.force, 3, 1e37f ) &&
				head.step >= 0.9e-9 && head.step <= 1e3 && ( head.fresh != 0 || head.material.bare != 0 || ( head.lastStep >= 0.9e-9 && head.lastLightness > 0.0 && head.lastSwing > 0.0 ) ) && ( head.fresh | 1 ) == 1 && ( head.revalued | 1 ) == 1 &&
				( head.struck | 1 ) == 1 && ( head.awake | 1 ) == 1 && ( head.measured | 1 ) == 1 && ( head.followed | 1 ) == 1 && ( head.inherits | 1 ) == 1 && ( head.given | 1 ) == 1;
	for ( int i = 0; i < PN_COUNT( doubles ); ++i )
	{
		fine = fine && doubles[i] >= -1e30 && doubles[i] <= 1e30;
	}
	fine = fine && fabs( head.stored ) <= 1e60; // J: of all the mass
	if ( fine && head.detector == pn_surfaceDetector && !pnSurfaceSolid( solids[head.solid] ) )
	{
		r->noMemory = true;
		return NULL;
	}
	fine = fine && ( head.selfContact | 7 ) == 7 && pnAreWithin( head.unrest.velocity, 3, 1e9f ) && pnAreWithin( head.unrest.turn, 3, 1e15f ) && pnAreWithin( head.unrest.rolls, 3, 1e15f ) && head.unrest.rolls[3] == 0.0f && head.unrest.shape2 >= 0.0f && head.unrest.shape2 <= 1e30f && head.unrest.rested >= 0.0f && head.unrest.rested <= 1e30f && head.unease >= 0.0f && head.unease <= 1e30f && head.ebb >= -1e30f && head.ebb <= 1e30f &&
		   ( head.detector == pn_fieldDetector || ( head.detector == pn_tetDetector && solids[head.solid]->tetrahedronCount > 0 ) ||
			 ( head.detector == pn_surfaceDetector && solids[head.solid]->surface.closed ) );
	if ( !fine )
	{
		pnRefuse( r, "head of body", where );
		return NULL;
	}
	pnBody* b = pnMakeBody( solids[head.solid] );
	if ( b == NULL )
	{
		r->noMemory = true;
		return NULL;
	}
	const pnSolid* solid = b->solid;
	float* x = (float*)b->match.x;
	pnWeighBody( b, &material );
	b->id = head.id, b->material = material, b->gravityScale = head.gravityScale, b->lastStep = head.lastStep, b->lastRate = head.lastRate, b->lastLightness = head.lastLightness, b->lastSwing = head.lastSwing;
	memcpy( b->origin, head.origin, sizeof b->origin );
	memcpy( b->match.motion, head.motion, sizeof head.motion );
	memcpy( &b->force, head.force, sizeof head.force );
	b->account = head.account, b->moving = head.moving, b->guarded = head.guarded, b->kinetic = head.kinetic, b->elastic = head.elastic;
	b->userData = head.userData;
	b->filter = head.filter, b->detector = (pnDetector)head.detector, b->selfContact = ( head.selfContact & 1 ) != 0, b->unrest = head.unrest;
	memcpy( b->strayMomentum, head.strayMomentum, sizeof b->strayMomentum );
	memcpy( b->straySpin, head.straySpin, sizeof b->straySpin );
	memcpy( b->lag, head.lag, sizeof b->lag );
	b->stored = head.stored;
	b->response = pnMakeTuning( &b->material, head.step, solid->overlapping, b->stiffening );
	fine = pnTake( r, x, 8 * sizeof( float ) * (size_t)b->count, "points of body", where ) &&
		   pnTake( r, b->match.clusters, sizeof( pnCluster ) * (size_t)solid->clusterCount, "clusters of body", where );
	for ( int i = 0; i < b->count && fine; ++i )
	{
		float m = i < solid->particleCount ? solid->mass[i] : 0.0f, inverse = m > 0.0f ? 1.0f / m : 0.0f;
		fine = x[4 * i + 3] == m && ( b->v[4 * i + 3] == inverse || ( b->v[4 * i + 3] == 0.0f && head.pinCount > 0 ) ) && pnAreWithin( x + 4 * i, 3, 1e8f ) &&
			   pnAreWithin( b->v + 4 * i, 3, 1e16f );
	}
	for ( int i = solid->particleCount; i < b->count && fine; ++i ) // nobody: it shall lie with the others
	{
		fine = pnAreWithin( x + 4 * i, 4, 0.0f ) && pnAreWithin( b->v + 4 * i, 4, 0.0f );
		memcpy( x + 4 * i, head.origin, sizeof head.origin );
		memcpy( b->v + 4 * i, head.motion, sizeof head.origin );
	}
	for ( int c = 0; c < solid->clusterCount && fine; ++c )
	{
		const pnCluster* k = b->match.clusters + c;
		const float* q = k->rotation;
		float length2 = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
		const float* p = k->plastic;
		float det = p[0] * ( p[4] * p[8] - p[5] * p[7] ) - p[1] * ( p[3] * p[8] - p[5] * p[6] ) + p[2] * ( p[3] * p[7] - p[4] * p[6] );
		fine = pnAreWithin( (const float*)k, sizeof( pnCluster ) / 4, 1e25f ) && length2 > 0.9f && length2 < 1.1f && det > 0.5f && det < 2.0f &&
			   pnAreWithin( p, 9, 1e4f ) && pnAreWithin( k->center, 3, 1e9f ) && pnAreWithin( k->centerRest, 3, 1e9f ) && pnAreWithin( k->coefficients, 27, 1e9f ) && k->plasticStrain >= 0.0f && k->softness > 0.0f &&
			   k->hardened >= 0.0f;
	}
	double perMass[] = { head.kinetic / b->mass, head.elastic / b->mass, head.force[0] / b->mass, head.force[1] / b->mass, head.force[2] / b->mass };
	for ( int i = 0; i < PN_COUNT( perMass ); ++i )
	{
		fine = fine && perMass[i] >= -1e30 && perMass[i] <= 1e30;
	}
	fine = fine && b->mass >= 1e-36f && b->mass <= 1e36f;
	if ( !fine )
	{
		pnRefuse( r, "points or clusters of body", where );
	}
	if ( fine && ( head.pinCount < 0 || head.pinCount > solid->particleCount || ( head.pinCount > 0 && !pnGrow( (void**)&b->pins, &b->pinCapacity, 0, head.pinCount, sizeof( pnPin ) ) ) ) )
	{
		r->noMemory = head.pinCount > 0 && head.pinCount <= solid->particleCount;
		fine = pnRefuse( r, "pins of body", where );
	}
	fine = fine && pnTake( r, b->pins, sizeof( pnPin ) * (size_t)head.pinCount, "pins of body", where );
	b->pinCount = fine ? head.pinCount : 0;
	for ( int i = 0; i < b->pinCount && fine; ++i )
	{
		const pnPin* pin = b->pins + i;
		fine = pin->particle >= 0 && pin->particle < solid->particleCount && ( i == 0 || pin->particle > pin[-1].particle ) && pnAreWithin( pin->target, 3, 1e8f );
		if ( !fine )
		{
			pnRefuse( r, "pins of body", where );
		}
	}
	if ( fine && b->pinCount > 0 && !pnHoldPins( b ) )
	{
		r->noMemory = true;
		fine = false;
	}
	fine = fine && pnTakePointForces( r, &b->forces, &b->forceCount, &b->forceCapacity, head.forceCount, b, where );
	if ( fine && ( head.selfContact & 2 ) != 0 )
	{
		int count = solid->skinVertexCount;
		fine = count > 0 || pnRefuse( r, "skin of body", where );
		b->shifts = fine ? pnAllocArray( pnVec3, count ) : NULL;
		r->noMemory = r->noMemory || ( fine && b->shifts == NULL );
		fine = b->shifts != NULL && pnTake( r, &b->shiftLeft, sizeof b->shiftLeft, "skin of body", where ) && pnTake( r, b->shifts, sizeof( pnVec3 ) * (size_t)count, "skin of body", where ) &&
			   ( ( b->shiftLeft > 0.0f && b->shiftLeft <= 1.0f && pnAreWithin( &b->shifts[0].x, 3 * count, 1e9f ) ) || pnRefuse( r, "skin of body", where ) );
	}
	b->unease = head.unease;
	b->ebb = head.ebb;
	b->justCut = ( head.selfContact & 4 ) != 0;
	b->inherits = head.inherits != 0, b->given = head.given != 0;
	b->fresh = head.fresh != 0;
	b->revalued = head.revalued != 0;
	b->struck = head.struck != 0;
	b->measured = head.measured != 0;
	b->followed = head.followed != 0;
	b->sums = head.sums;
	fine = fine && ( !b->measured || pnSumsAreTrue( b ) || pnRefuse( r, "sums of body", where ) );
	b->awake = head.awake != 0;
	if ( !fine )
	{
		pnFreeBody( b );
		return NULL;
	}
	return b;
}

static bool pnTakeGrab( pnReader* r, pnWorld* next, int32_t slot, int where )
{
	pnGrabImage image;
	if ( !pnTake( r, &image, sizeof image, "grab", where ) )
	{
		return false;
	}
	bool fine = ( image.locked | 3 ) == 3 && image.body >= 0 && image.body < next->slotCount && next->slots[image.body].body != NULL && image.hertz >= FLT_MIN &&
				image.hertz <= FLT_MAX && image.dampingRatio >= 0.0f && image.dampingRatio <= FLT_MAX && image.maxForce >= 0.0f && image.maxForce <= FLT_MAX &&
				pnAreWithin( image.target, 3, 1e8f );
	for ( int k = 0; k < 3; ++k )
	{
		fine = fine && fabs( image.aim[k] ) <= 1e8 && fabs( image.offset[k] ) <= 1e9 && fabs( image.force[k] ) <= 1e60;
	}
	pnBody* body = fine ? next->slots[image.body].body : NULL;
	if ( !fine || image.pointCount < 1 || image.pointCount > body->solid->particleCount )
	{
		return pnRefuse( r, "grab", where );
	}
	pnGrip* grip = pnAddBareGrip( body, image.pointCount );
	if ( grip == NULL )
	{
		r->noMemory = true;
		return false;
	}
	grip->slot = slot;
	grip->yields = ( image.locked & 2 ) != 0;
	grip->hertz = image.hertz, grip->dampingRatio = image.dampingRatio, grip->maxForce = image.maxForce;
	memcpy( grip->aim, image.aim, sizeof grip->aim );
	memcpy( grip->offset, image.offset, sizeof grip->offset );
	memcpy( grip->force, image.force, sizeof grip->force );
	memcpy( grip->target, image.target, sizeof grip->target );
	fine = pnTake( r, grip->points, sizeof( pnGripPoint ) * (size_t)image.pointCount, "points of grab", where );
	for ( int i = 0; i < image.pointCount && fine; ++i )
	{
		const pnGripPoint* point = grip->points + i;
		fine = point->particle > ( i > 0 ? point[-1].particle : -1 ) && point->particle < body->solid->particleCount && point->phi >= FLT_MIN && point->phi <= 1.0f;
	}
	pnGrab* grab = next->grabs + slot;
	grab->body = image.body, grab->owner = image.owner, grab->locked = ( image.locked & 1 ) != 0, grab->userData = image.userData;
	return fine || pnRefuse( r, "points of grab", where );
}

static bool pnTakeGrabs( pnReader* r, pnWorld* next, int slotCount )
{
	if ( slotCount < 0 || (size_t)slotCount > ( r->size - r->at ) / sizeof( pnGrabSlotImage ) )
	{
		return pnRefuse( r, "number of grabs", slotCount );
	}
	if ( !pnGrow( (void**)&next->grabs, &next->grabCapacity, 0, slotCount, sizeof( pnGrab ) ) ||
		 !pnGrow( (void**)&next->grabOrder, &next->grabOrderCapacity, 0, slotCount, sizeof( int32_t ) ) )
	{
		r->noMemory = true;
		return false;
	}
	bool fine = true;
	int alive = 0;
	for ( int i = 0; i < slotCount && fine; ++i )
	{
		pnGrabSlotImage slot = { 0 };
		fine = pnTake( r, &slot, sizeof slot, "slot of grab", i ) && ( ( slot.alive | 1 ) == 1 || pnRefuse( r, "slot of grab", i ) );
		next->grabs[i] = (pnGrab){ .body = slot.alive == 1 ? -2 : -1, .generation = slot.generation }; // -2: wanted
		alive += slot.alive == 1;
	}
	fine = fine && pnTake( r, next->grabOrder, sizeof( int32_t ) * (size_t)alive, "order of grabs", 0 );
	for ( int i = 0; i < alive && fine; ++i ) // each of the living once
	{
		int32_t slot = next->grabOrder[i];
		fine = ( slot >= 0 && slot < slotCount && next->grabs[slot].body == -2 ) || pnRefuse( r, "order of grabs", i );
		fine = fine && pnTakeGrab( r, next, slot, i );
	}
	next->grabSlotCount = slotCount;
	next->grabCount = alive;
	return fine;
}

static bool pnIsSameSolid( const pnSolid* a, const pnSolid* b )
{
	bool same = a->hash == b->hash && a->pointCount == b->pointCount && a->particleCount == b->particleCount && a->clusterCount == b->clusterCount &&
				a->memberCount == b->memberCount && a->groupCount == b->groupCount && a->skinCount == b->skinCount && a->skinTriangleCount == b->skinTriangleCount &&
				a->skinVertexCount == b->skinVertexCount && a->skinBondCount == b->skinBondCount && a->tetrahedronCount == b->tetrahedronCount &&
				a->attributeTotal == b->attributeTotal && a->materialCount == b->materialCount && a->linkCount == b->linkCount && a->nodedCount == b->nodedCount &&
				a->membershipCount == b->membershipCount && a->maxClusterSize == b->maxClusterSize && a->overlapping == b->overlapping && a->totalMass == b->totalMass &&
				a->density == b->density && a->thickness == b->thickness && memcmp( &a->cells, &b->cells, sizeof a->cells ) == 0 && a->spacing == b->spacing && a->whole == b->whole && a->breadth2 == b->breadth2 && memcmp( a->center, b->center, sizeof a->center ) == 0;
	PN_NAME_COUNTS( a );
#define PN_COMPARE( T, name, count ) same = same && memcmp( a->name, b->name, sizeof( T ) * (size_t)( count ) ) == 0;
	PN_SOLID_ARRAYS( PN_COMPARE )
#undef PN_COMPARE
	return same;
}

// A solid of the world with the same content, so that restored bodies share it; or the image's own.
static pnSolid* pnShareSolid( const pnWorld* world, pnSolid* solid )
{
	for ( int i = 0; i < world->bodyCount; ++i )
	{
		pnSolid* there = world->bodies[i]->solid;
		if ( pnIsSameSolid( there, solid ) )
		{
			pnRetainSolid( there );
			pnDestroySolid( solid );
			return there;
		}
	}
	return solid;
}

// Colliders for all bodies of the new world, then what the image says of them.
static bool pnTakeContact( pnReader* r, pnWorld* next, const pnWorld* world )
{
	bool fine = pnInitContacts( &next->contacts, next->workerCount, world->kernel->finders );
	for ( int i = 0; i < next->bodyCount && fine; ++i )
	{
		pnBody* body = next->bodies[i];
		bool touches = body->filter.layers != 0 && body->filter.mask != 0;
		fine = ( !touches || pnSurfaceSolid( body->solid ) ) && pnAddCollider( &next->contacts, body->id.index1 - 1, body->solid->clusterCount, touches ? &body->solid->surface : NULL );
		fine = fine && pnReserveContacts( &next->contacts, touches ? &body->solid->surface : NULL );
		if ( fine )
		{
			pnJoinContacts( next, body );
		}
	}
	if ( !fine )
	{
		r->noMemory = true;
		return false;
	}
	pnImageFault fault = { 0 };
	if ( pnTakeContacts( &next->contacts, &world->contacts, pnTakeForContact, r, &fault ) )
	{
		return true;
	}
	r->noMemory |= fault.noMemory;
	r->why = fault.why;
	return pnRefuse( r, fault.what != NULL ? fault.what : "contact", fault.where );
}

pnResult pnWorld_Restore( pnWorld* world, const void* image, size_t size )
{
	pnHead head;
	if ( image == NULL || size < sizeof head )
	{
		pnLog( "pnWorld_Restore: an image has at least %d bytes, this one %d", (int)sizeof head, (int)size );
		return pn_badImage;
	}
	memcpy( &head, image, sizeof head );
	if ( head.magic != pn_magic || head.size != size )
	{
		pnLog( "pnWorld_Restore: not an image of this version, or cut short: %d bytes", (int)size );
		return pn_badImage;
	}
	if ( head.checksum != pnChecksum( head, (const uint8_t*)image + sizeof head ) )
	{
		pnLog( "pnWorld_Restore: the image has been altered, its checksum does not fit" );
		return pn_badImage;
	}
	pnReader r = { .bytes = image, .size = size, .at = sizeof head };
	bool fine = head.solidCount >= 0 && head.bodyCount >= 0 && head.slotCount >= head.bodyCount && (size_t)head.solidCount <= size && (size_t)head.slotCount <= size &&
				head.solidCount <= head.bodyCount && pnAreWithin( head.gravity, 3, 1e6f ) && ( head.enableSleep | 1 ) == 1;
	if ( !fine )
	{
		pnLog( "pnWorld_Restore: the image's head makes no sense" );
		return pn_badImage;
	}
	// A world of its own takes what comes; only when all of it is there do the two change places.
	pnWorld next = *world;
	next.bodyCount = next.bodyCapacity = next.slotCount = next.slotCapacity = next.freeSlot = 0;
	next.demand = (pnDemand){ 0 };
	next.bodies = NULL;
	next.slots = NULL;
	next.contacts = (pnContacts){ 0 };
	next.grabSlotCount = next.grabCapacity = next.grabCount = next.grabOrderCapacity = 0;
	next.grabs = NULL;
	next.grabOrder = NULL;
	pnSolid** solids = pnAllocArray( pnSolid*, head.solidCount > 0 ? head.solidCount : 1 );
	int solidCount = 0;
	fine = solids != NULL && pnGrow( (void**)&next.bodies, &next.bodyCapacity, 0, head.bodyCount, sizeof( pnBody* ) ) &&
		   pnGrow( (void**)&next.slots, &next.slotCapacity, 0, head.slotCount, sizeof( pnSlot ) );
	r.noMemory = !fine;
	while ( fine && solidCount < head.solidCount )
	{
		pnSolid* solid = pnTakeSolidImage( &r, solidCount );
		fine = solid != NULL;
		if ( fine )
		{
			solid = pnShareSolid( world, solid );
			fine = solid != NULL;
			r.noMemory = !fine;
		}
		if ( fine )
		{
			solids[solidCount++] = solid;
		}
	}
	next.slotCount = fine ? head.slotCount : 0;
	while ( fine && next.bodyCount < head.bodyCount )
	{
		pnBody* body = pnTakeBody( &r, solids, solidCount, head.slotCount, next.bodyCount );
		fine = body != NULL && ( next.slots[body->id.index1 - 1].body == NULL || pnRefuse( &r, "id of body", next.bodyCount ) );
		if ( fine )
		{
			next.slots[body->id.index1 - 1].body = body;
			next.bodies[next.bodyCount++] = body;
			pnAddDemand( &next.demand, body );
		}
		else
		{
			pnFreeBody( body );
		}
	}
	for ( int i = 0; fine && i < head.slotCount; ++i )
	{
		fine = pnTake( &r, &next.slots[i].generation, sizeof( uint32_t ), "slot", i ) &&
			   ( next.slots[i].body == NULL || next.slots[i].body->id.generation == next.slots[i].generation || pnRefuse( &r, "generation of slot", i ) );
	}
	fine = fine && pnTakeGrabs( &r, &next, head.grabSlotCount ) && pnTakeContact( &r, &next, world ) && ( r.at == size || pnRefuse( &r, "bytes after the end", 0 ) );
	for ( int i = 0; i < solidCount; ++i )
	{
		pnDestroySolid( solids[i] ); // bodies hold their own references
	}
	pnFreeArray( pnSolid*, solids, head.solidCount > 0 ? head.solidCount : 1 );
	next.gravity = pnMakeVec3( head.gravity[0], head.gravity[1], head.gravity[2] );
	next.enableSleep = head.enableSleep != 0;
	next.reschedule = true;
	if ( fine && !pnReserveSchedule( &next, &next.demand ) )
	{
		fine = false;
		r.noMemory = true;
	}
	// What reserving has grown belongs to both from here on; bodies, slots, grabs and contacts of one of them go.
	pnWorld* gone = fine ? world : &next;
	for ( int i = 0; i < gone->bodyCount; ++i )
	{
		pnFreeBody( gone->bodies[i] );
	}
	pnFreeArray( pnBody*, gone->bodies, gone->bodyCapacity );
	pnFreeArray( pnSlot, gone->slots, gone->slotCapacity );
	pnFreeArray( pnGrab, gone->grabs, gone->grabCapacity );
	pnFreeArray( int32_t, gone->grabOrder, gone->grabOrderCapacity );
	pnFreeContacts( &gone->contacts );
	if ( fine )
	{
		*world = next;
		pnForgetPieces( world, world->pieceCount ); // of the time that it has left
		world->piecesTold = 0;
		return pn_success;
	}
	world->schedule = next.schedule;
	world->largeSums = next.largeSums;
	world->largeSumSize = next.largeSumSize;
	world->zeros = next.zeros;
	world->zeroSize = next.zeroSize;
	if ( r.noMemory )
	{
		return pn_outOfMemory;
	}
	pnLog( "pnWorld_Restore: %s %d in the image %s", r.wrong != NULL ? r.wrong : "something", r.where, r.why != NULL ? r.why : "is cut short or makes no sense" );
	return pn_badImage;
}
