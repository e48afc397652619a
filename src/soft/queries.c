// queries.c - what is asked of a world between steps: rays, overlaps, what is closest. From any number of threads; changes nothing.
#include "world.h"

#include "../contact/ask.h"
#include "../contact/query.h"
#include "check.h"

#include <float.h>
#include <math.h>

// A body as it lies now. The step leaves its bounds; one that was moved from outside since is looked at now.
static pnLying pnLieOf( const pnWorld* world, const pnBody* body )
{
	const pnCollider* c = world->contacts.colliders.at + ( body->id.index1 - 1 );
	float lower[4], upper[4];
	memcpy( lower, c->lower, sizeof lower );
	memcpy( upper, c->upper, sizeof upper );
	if ( body->fresh && body->awake )
	{
		pnBoundBody( body, lower, upper );
	}
	return (pnLying){ &body->solid->surface, body->match.x, { { lower[0], lower[1], lower[2] }, { upper[0], upper[1], upper[2] } } };
}

// The bodies and shapes to be looked at, one after another, in the order of the world's lists.
static int pnCountAsked( const pnWorld* world, const pnAsked* asked ) { return asked->bodyCount >= 0 ? asked->bodyCount : world->bodyCount; }
static const pnBody* pnAskedBody( const pnWorld* world, const pnAsked* asked, int i ) { return world->bodies[asked->bodyCount >= 0 ? asked->bodies[i] : i]; }
static int pnCountAskedShapes( const pnWorld* world, const pnAsked* asked ) { return asked->shapeCount >= 0 ? asked->shapeCount : world->contacts.shapeCount; }
static int pnAskedShape( const pnWorld* world, const pnAsked* asked, int i ) { return world->contacts.shapeOrder[asked->shapeCount >= 0 ? asked->shapes[i] : i]; }

static int pnPointOf( const pnSolid* solid, int32_t particle )
{
	int point = 0;
	while ( point < solid->pointCount && solid->particleOf[point] != particle )
	{
		point += 1;
	}
	return point < solid->pointCount ? point : -1;
}

static pnShapeId pnShapeIdOf( const pnWorld* world, int slot )
{
	return (pnShapeId){ slot + 1, world->contacts.shapes.at[slot].generation };
}

pnRayHit pnWorld_CastRay( const pnWorld* world, pnVec3 origin, pnVec3 translation, uint32_t mask )
{
	pnRayHit hit = { .triangle = -1, .point = -1 };
	if ( !pnCheckVec( "pnWorld_CastRay", "origin", -1, origin, PN_FARTHEST ) || !pnCheckVec( "pnWorld_CastRay", "translation", -1, translation, FLT_MAX ) )
	{
		return hit;
	}
	pnRay ray = { pnFine( origin ), pnFine( translation ) };
	if ( !( pnDotFine( ray.way, ray.way ) > 0.0 ) )
	{
		return hit; // it goes nowhere
	}
	pnAnswer answer = { .measure = PN_JUST_ABOVE };
	pnAsked asked;
	pnAskAlong( &world->contacts, &ray, &asked );
	const pnBody* met = NULL;
	for ( int i = 0; i < pnCountAsked( world, &asked ); ++i )
	{
		const pnBody* body = pnAskedBody( world, &asked, i );
		if ( ( body->filter.layers & mask ) != 0 && body->filter.mask != 0 )
		{
			pnLying lying = pnLieOf( world, body );
			if ( pnMeetsBox( &ray, lying.bounds, (double)lying.surface->thickness, answer.measure ) && pnCastAtSurface( &lying, &ray, &answer ) )
			{
				met = body;
			}
		}
	}
	const pnContacts* contacts = &world->contacts;
	for ( int i = 0; i < pnCountAskedShapes( world, &asked ); ++i )
	{
		int slot = pnAskedShape( world, &asked, i );
		const pnShape* shape = contacts->shapes.at + slot;
		if ( ( shape->filter.layers & mask ) != 0 && pnMeetsBox( &ray, shape->bounds, 0.0, answer.measure ) &&
			 pnCastAtForm( shape->form, shape->transform, &ray, &answer ) )
		{
			met = NULL;
			hit.shape = pnShapeIdOf( world, slot );
		}
	}
	hit.hit = met != NULL || hit.shape.index1 != 0;
	if ( met != NULL )
	{
		hit.body = met->id;
		hit.triangle = met->solid->surface.skinTriangle[answer.triangle];
		hit.point = pnPointOf( met->solid, answer.particle );
	}
	if ( hit.hit )
	{
		hit.position = pnCoarse( answer.position );
		hit.normal = pnCoarse( answer.normal );
		hit.fraction = answer.measure < 1.0 ? (float)answer.measure : 1.0f;
	}
	return hit;
}

// So far a ball reaches along each axis, with what rounding may be of it and of where it is.
static float pnReachAround( pnVec3 center, float radius )
{
	return radius * 1.00001f + 1e-6f * ( fabsf( center.x ) + fabsf( center.y ) + fabsf( center.z ) );
}

// Of both overlaps: there is somewhere to write to.
static bool pnCheckRoom( const char* call, const pnBodyId* bodies, int capacity )
{
	if ( bodies == NULL && capacity > 0 )
	{
		pnLog( "%s: bodies is NULL, but capacity is %d", call, capacity );
		return false;
	}
	return true;
}

int pnWorld_OverlapSphere( const pnWorld* world, pnVec3 center, float radius, uint32_t mask, pnBodyId* bodies, int capacity )
{
	const char* call = "pnWorld_OverlapSphere";
	if ( !pnCheckVec( call, "center", -1, center, PN_FARTHEST ) || !pnCheckRoom( call, bodies, capacity ) )
	{
		return 0;
	}
	if ( !( radius >= 0.0f ) )
	{
		pnLog( "%s: radius is %g, must be >= 0", call, (double)radius );
		return 0;
	}
	int count = 0;
	float reach = pnReachAround( center, radius );
	pnAsked asked;
	pnAskAround( &world->contacts, (pnAABB){ { center.x - reach, center.y - reach, center.z - reach }, { center.x + reach, center.y + reach, center.z + reach } }, &asked );
	for ( int i = 0; i < pnCountAsked( world, &asked ); ++i )
	{
		const pnBody* body = pnAskedBody( world, &asked, i );
		if ( ( body->filter.layers & mask ) == 0 || body->filter.mask == 0 )
		{
			continue;
		}
		pnLying lying = pnLieOf( world, body );
		if ( pnGetBoxDistance( lying.bounds, pnFine( center ) ) <= (double)radius * PN_JUST_ABOVE && pnOverlapsBall( &lying, center, (double)radius ) )
		{
			if ( count < capacity )
			{
				bodies[count] = body->id;
			}
			count += 1;
		}
	}
	return count;
}

int pnWorld_OverlapBox( const pnWorld* world, pnAABB box, uint32_t mask, pnBodyId* bodies, int capacity )
{
	const char* call = "pnWorld_OverlapBox";
	if ( !pnCheckVec( call, "box.lower", -1, box.lower, FLT_MAX ) || !pnCheckVec( call, "box.upper", -1, box.upper, FLT_MAX ) ||
		 !pnCheckRoom( call, bodies, capacity ) )
	{
		return 0;
	}
	if ( box.lower.x > box.upper.x || box.lower.y > box.upper.y || box.lower.z > box.upper.z )
	{
		pnLog( "%s: box.lower is above box.upper", call );
		return 0;
	}
	int count = 0;
	pnAsked asked;
	pnAskAround( &world->contacts, box, &asked );
	for ( int i = 0; i < pnCountAsked( world, &asked ); ++i )
	{
		const pnBody* body = pnAskedBody( world, &asked, i );
		if ( ( body->filter.layers & mask ) == 0 || body->filter.mask == 0 )
		{
			continue;
		}
		pnLying lying = pnLieOf( world, body );
		pnVec3 low = lying.bounds.lower, high = lying.bounds.upper;
		bool apart = low.x > box.upper.x || low.y > box.upper.y || low.z > box.upper.z || high.x < box.lower.x || high.y < box.lower.y || high.z < box.lower.z;
		if ( !apart && pnOverlapsBox( &lying, box ) )
		{
			if ( count < capacity )
			{
				bodies[count] = body->id;
			}
			count += 1;
		}
	}
	return count;
}

pnClosest pnWorld_FindClosest( const pnWorld* world, pnVec3 place, float maxDistance, uint32_t mask )
{
	pnClosest closest = { .triangle = -1, .point = -1 };
	if ( !pnCheckVec( "pnWorld_FindClosest", "place", -1, place, PN_FARTHEST ) )
	{
		return closest;
	}
	if ( !( maxDistance >= 0.0f ) )
	{
		pnLog( "pnWorld_FindClosest: maxDistance is %g, must be >= 0", (double)maxDistance );
		return closest;
	}
	// Zero still finds what the place lies on.
	pnAnswer answer = { .measure = maxDistance > 0.0f ? (double)maxDistance * PN_JUST_ABOVE : 1e-150 };
	float reach = pnReachAround( place, maxDistance );
	pnAsked asked;
	pnAskAround( &world->contacts, (pnAABB){ { place.x - reach, place.y - reach, place.z - reach }, { place.x + reach, place.y + reach, place.z + reach } }, &asked );
	// Nothing is farther than any one point of it: that spares looking at most bodies.
	for ( int i = 0; i < pnCountAsked( world, &asked ); ++i )
	{
		const pnBody* body = pnAskedBody( world, &asked, i );
		if ( ( body->filter.layers & mask ) == 0 || body->filter.mask == 0 || body->solid->surface.triangleCount == 0 )
		{
			continue;
		}
		const float* x = body->match.x + 4 * (size_t)body->solid->surface.triangles[0];
		pnFine3 way = pnSubFine( pnFine( place ), (pnFine3){ (double)x[0], (double)x[1], (double)x[2] } );
		double distance = sqrt( pnDotFine( way, way ) ) * PN_JUST_ABOVE;
		answer.measure = distance > 0.0 && distance < answer.measure ? distance : answer.measure;
	}
	const pnBody* near = NULL;
	bool inside = false;
	for ( int i = 0; i < pnCountAsked( world, &asked ); ++i )
	{
		const pnBody* body = pnAskedBody( world, &asked, i );
		if ( ( body->filter.layers & mask ) != 0 && body->filter.mask != 0 )
		{
			pnLying lying = pnLieOf( world, body );
			if ( pnGetBoxDistance( lying.bounds, pnFine( place ) ) < answer.measure && pnFindNearestOnSurface( &lying, place, &answer ) )
			{
				near = body;
			}
		}
	}
	const pnContacts* contacts = &world->contacts;
	for ( int i = 0; i < pnCountAskedShapes( world, &asked ); ++i )
	{
		int slot = pnAskedShape( world, &asked, i );
		const pnShape* shape = contacts->shapes.at + slot;
		if ( ( shape->filter.layers & mask ) != 0 && pnGetBoxDistance( shape->bounds, pnFine( place ) ) < answer.measure &&
			 pnFindNearestOnForm( shape->form, shape->transform, place, &answer, &inside ) )
		{
			near = NULL;
			closest.shape = pnShapeIdOf( world, slot );
		}
	}
	closest.found = near != NULL || closest.shape.index1 != 0;
	if ( near != NULL )
	{
		pnLying lying = pnLieOf( world, near );
		inside = pnTurnOutward( &lying, place, &answer );
		closest.body = near->id;
		closest.triangle = near->solid->surface.skinTriangle[answer.triangle];
		closest.point = pnPointOf( near->solid, answer.particle );
	}
	if ( closest.found )
	{
		closest.position = pnCoarse( answer.position );
		closest.normal = pnCoarse( answer.normal );
		closest.distance = inside ? -(float)answer.measure : (float)answer.measure;
	}
	return closest;
}
