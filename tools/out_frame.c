// out_frame.c - a world as a frame for those who write files: surface, who is new, what each vertex has to tell. Knows no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "out.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_NEAR_COUNT = 4 // points that a vertex takes its values from
};

// Where a vertex takes its values from: the points that were nearest when its body first had these triangles.
typedef struct pnNear
{
	int32_t points[PN_NEAR_COUNT];
	float weights[PN_NEAR_COUNT]; // add up to 1
} pnNear;

// What is remembered of a body from frame to frame; by its index.
typedef struct pnKnownBody
{
	pnBodyId id; // null: none
	int number, from;
	bool isCut; // since the last frame
	int vertexCount, triangleCount;
	pnNear* nears; // of its vertices, or NULL
} pnKnownBody;

typedef struct pnKnownShape
{
	pnShapeId id;
	int number;
} pnKnownShape;

struct pnOutMaker
{
	pnColoring coloring;
	uint32_t fields;
	bool isBare;
	pnKnownBody* bodies;
	int bodyCapacity, bodyNumber;
	pnKnownShape* shapes;
	int shapeCapacity, shapeNumber;
	uint64_t serial; // of the last piece that was seen
	int lastBodyCount, lastShapeCount;
	pnOutFrame frame;
	pnVec3* points;
	pnVec3* pointVelocities;
	int32_t* pointClusters;
	pnClusterState* clusters;
	int pointCapacity, clusterCapacity;
};

pnOutMaker* pnCreateOutMaker( pnColoring coloring, uint32_t fields, bool isBare )
{
	pnOutMaker* maker = calloc( 1, sizeof( pnOutMaker ) );
	if ( maker != NULL )
	{
		maker->coloring = coloring;
		maker->fields = isBare ? 0 : fields;
		maker->isBare = isBare;
		maker->frame.index = -1;
	}
	return maker;
}

static void pnFreeFrame( pnOutFrame* frame )
{
	pnDestroySurface( &frame->surface );
	free( frame->bodies );
	free( frame->shapes );
	free( frame->velocities );
	free( frame->stretches );
	free( frame->plastics );
	free( frame->contacts );
	free( frame->clusters );
	*frame = (pnOutFrame){ .index = frame->index };
}

void pnDestroyOutMaker( pnOutMaker* maker )
{
	if ( maker == NULL )
	{
		return;
	}
	pnFreeFrame( &maker->frame );
	for ( int i = 0; i < maker->bodyCapacity; ++i )
	{
		free( maker->bodies[i].nears );
	}
	free( maker->bodies );
	free( maker->shapes );
	free( maker->points );
	free( maker->pointVelocities );
	free( maker->pointClusters );
	free( maker->clusters );
	free( maker );
}

// A list with room for this index; what is new in it is zero.
static bool pnReserveKnown( void** list, int* capacity, int index, size_t size )
{
	if ( index < *capacity )
	{
		return true;
	}
	int more = 2 * index + 64;
	char* grown = realloc( *list, (size_t)more * size );
	if ( grown == NULL )
	{
		return false;
	}
	memset( grown + (size_t)*capacity * size, 0, (size_t)( more - *capacity ) * size );
	*list = grown;
	*capacity = more;
	return true;
}

// The known body with this id; a new one gets a number.
static pnKnownBody* pnKnowBody( pnOutMaker* maker, pnBodyId id, int from )
{
	if ( pnReserveKnown( (void**)&maker->bodies, &maker->bodyCapacity, id.index1, sizeof( pnKnownBody ) ) == false )
	{
		return NULL;
	}
	pnKnownBody* known = maker->bodies + id.index1;
	if ( known->id.index1 == 0 || known->id.generation != id.generation )
	{
		free( known->nears );
		*known = (pnKnownBody){ .id = id, .number = maker->bodyNumber++, .from = from, .vertexCount = -1 };
	}
	return known;
}

// The number of a body that was known before, or -1.
static int pnFindNumber( const pnOutMaker* maker, pnBodyId id )
{
	bool isKnown = id.index1 > 0 && id.index1 < maker->bodyCapacity && maker->bodies[id.index1].id.generation == id.generation;
	return isKnown ? maker->bodies[id.index1].number : -1;
}

bool pnOutMaker_Watch( pnOutMaker* maker, const pnWorld* world )
{
	pnPieces pieces = pnWorld_GetPieces( world );
	if ( pieces.count == 0 || pieces.pieces[pieces.count - 1].serial <= maker->serial )
	{
		return true;
	}
	// Where they come from is looked up first: a piece may have the index of the body that it was cut from.
	int* origins = malloc( (size_t)pieces.count * sizeof( int ) );
	for ( int i = 0; i < pieces.count && origins != NULL; ++i )
	{
		origins[i] = pnFindNumber( maker, pieces.pieces[i].from );
	}
	bool good = origins != NULL;
	for ( int i = 0; i < pieces.count && good; ++i )
	{
		const pnPiece* piece = pieces.pieces + i;
		if ( piece->serial > maker->serial && piece->body.index1 != 0 )
		{
			int from = origins[i] >= 0 ? origins[i] : pnFindNumber( maker, piece->from ); // a piece of a piece
			pnKnownBody* known = pnKnowBody( maker, piece->body, from );
			good = known != NULL;
			if ( good )
			{
				known->isCut = true;
			}
		}
	}
	maker->serial = pieces.pieces[pieces.count - 1].serial;
	free( origins );
	return good;
}

// ---- what vertices have to tell ----

static pnNear pnFindNear( const pnVec3* points, int count, pnVec3 vertex )
{
	pnNear near = { 0 };
	float distances[PN_NEAR_COUNT];
	int found = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 way = pnSub( points[i], vertex );
		float distance = pnDot( way, way );
		if ( found == PN_NEAR_COUNT && distance >= distances[found - 1] )
		{
			continue;
		}
		int at = found < PN_NEAR_COUNT ? found++ : found - 1;
		for ( ; at > 0 && distances[at - 1] > distance; --at )
		{
			distances[at] = distances[at - 1];
			near.points[at] = near.points[at - 1];
		}
		distances[at] = distance;
		near.points[at] = i;
	}
	float sum = 0.0f, least = 1e-6f * ( found > 0 ? distances[found - 1] : 0.0f ) + 1e-20f; // a vertex on a point is that point's
	for ( int i = 0; i < found; ++i )
	{
		near.weights[i] = 1.0f / ( distances[i] + least );
		sum += near.weights[i];
	}
	for ( int i = 0; i < found; ++i )
	{
		near.weights[i] /= sum;
	}
	return near;
}

static bool pnReservePoints( pnOutMaker* maker, int pointCount, int clusterCount )
{
	if ( pointCount > maker->pointCapacity )
	{
		free( maker->points );
		free( maker->pointVelocities );
		free( maker->pointClusters );
		maker->pointCapacity = 2 * pointCount;
		maker->points = malloc( (size_t)maker->pointCapacity * sizeof( pnVec3 ) );
		maker->pointVelocities = malloc( (size_t)maker->pointCapacity * sizeof( pnVec3 ) );
		maker->pointClusters = malloc( (size_t)maker->pointCapacity * sizeof( int32_t ) );
	}
	if ( clusterCount > maker->clusterCapacity )
	{
		free( maker->clusters );
		maker->clusterCapacity = 2 * clusterCount;
		maker->clusters = malloc( (size_t)maker->clusterCapacity * sizeof( pnClusterState ) );
	}
	bool good = maker->points != NULL && maker->pointVelocities != NULL && maker->pointClusters != NULL && maker->clusters != NULL;
	maker->pointCapacity = good ? maker->pointCapacity : 0;
	maker->clusterCapacity = good ? maker->clusterCapacity : 0;
	return good;
}

static bool pnTellVertices( pnOutMaker* maker, const pnWorld* world, const pnOutBody* body, pnKnownBody* known )
{
	pnOutFrame* frame = &maker->frame;
	const pnSolid* solid = pnBody_GetSolid( world, body->id );
	pnSolidInfo info = pnSolid_GetInfo( solid );
	if ( pnReservePoints( maker, info.pointCount, info.clusterCount ) == false )
	{
		return false;
	}
	pnBody_WritePoints( world, body->id, maker->points, maker->pointVelocities, info.pointCount );
	pnBody_WriteClusters( world, body->id, maker->clusters, info.clusterCount );
	pnSolid_WriteMainClusters( solid, maker->pointClusters, info.pointCount );
	if ( known->nears == NULL )
	{
		known->nears = malloc( (size_t)( body->vertexCount + 1 ) * sizeof( pnNear ) );
		for ( int i = 0; i < body->vertexCount && known->nears != NULL; ++i )
		{
			known->nears[i] = pnFindNear( maker->points, info.pointCount, frame->surface.positions[body->firstVertex + i] );
		}
	}
	for ( int i = 0; i < body->vertexCount && known->nears != NULL; ++i )
	{
		const pnNear* near = known->nears + i;
		int vertex = body->firstVertex + i;
		pnVec3 velocity = { 0 };
		float stretch = 0.0f, plastic = 0.0f;
		for ( int k = 0; k < PN_NEAR_COUNT; ++k )
		{
			int point = near->points[k];
			const pnClusterState* cluster = maker->clusters + maker->pointClusters[point];
			velocity = pnMulAdd( velocity, near->weights[k], maker->pointVelocities[point] );
			stretch += near->weights[k] * cluster->stretch;
			plastic += near->weights[k] * cluster->plasticStrain;
		}
		frame->velocities[vertex] = velocity;
		frame->stretches[vertex] = stretch;
		frame->plastics[vertex] = plastic;
		frame->clusters[vertex] = maker->pointClusters[near->points[0]];
	}
	return known->nears != NULL;
}

// Each push is told at the vertex nearest to where the two touch, so that a body's vertices add up to all that pushes it.
static void pnTellContacts( pnOutFrame* frame, const pnWorld* world, double timeStep )
{
	pnContactEvents events = pnWorld_GetContactEvents( world );
	for ( int i = 0; i < events.contactCount && timeStep > 0.0; ++i )
	{
		const pnContact* contact = events.contacts + i;
		float force = (float)( sqrt( (double)pnDot( contact->impulse, contact->impulse ) ) / timeStep );
		pnBodyId sides[2] = { contact->touch.a, contact->touch.b };
		bool isSelf = sides[0].index1 == sides[1].index1;
		for ( int side = 0; side < ( isSelf ? 1 : 2 ); ++side )
		{
			for ( int k = 0; k < frame->bodyCount; ++k )
			{
				const pnOutBody* body = frame->bodies + k;
				if ( body->id.index1 != sides[side].index1 || body->id.generation != sides[side].generation || body->vertexCount == 0 )
				{
					continue;
				}
				int best = body->firstVertex;
				float bestDistance = INFINITY;
				for ( int v = body->firstVertex; v < body->firstVertex + body->vertexCount; ++v )
				{
					pnVec3 way = pnSub( frame->surface.positions[v], contact->position );
					float distance = pnDot( way, way );
					best = distance < bestDistance ? v : best;
					bestDistance = fminf( bestDistance, distance );
				}
				frame->contacts[best] += force;
			}
		}
	}
}

// ---- the frame ----

// A surface of bodies without a vertex.
static bool pnCreateBareSurface( const pnWorld* world, pnSurface* surface )
{
	int count = pnWorld_GetBodies( world, NULL, 0 );
	pnBodyId* ids = malloc( (size_t)( count + 1 ) * sizeof( pnBodyId ) );
	*surface = (pnSurface){ .bodies = calloc( (size_t)( count + 1 ), sizeof( pnSurfaceBody ) ) };
	bool good = ids != NULL && surface->bodies != NULL;
	if ( good )
	{
		surface->bodyCount = pnWorld_GetBodies( world, ids, count );
		for ( int i = 0; i < count; ++i )
		{
			surface->bodies[i].id = ids[i];
		}
	}
	free( ids );
	return good;
}

static bool pnListBodies( pnOutMaker* maker )
{
	pnOutFrame* frame = &maker->frame;
	const pnSurface* surface = &frame->surface;
	frame->bodyCount = surface->bodyCount;
	frame->bodies = malloc( (size_t)( surface->bodyCount + 1 ) * sizeof( pnOutBody ) );
	for ( int i = 0; i < surface->bodyCount && frame->bodies != NULL; ++i )
	{
		const pnSurfaceBody* range = surface->bodies + i;
		pnKnownBody* known = pnKnowBody( maker, range->id, -1 );
		if ( known == NULL )
		{
			return false;
		}
		bool isNew = known->isCut || known->vertexCount != range->vertexCount || known->triangleCount != range->triangleCount;
		known->isCut = false;
		known->vertexCount = range->vertexCount;
		known->triangleCount = range->triangleCount;
		if ( isNew )
		{
			free( known->nears );
			known->nears = NULL;
			frame->isChanged = true;
		}
		frame->bodies[i] = (pnOutBody){ range->id,			 known->number,		  known->from, isNew, range->firstVertex, range->vertexCount,
										range->firstTriangle, range->triangleCount };
	}
	frame->isChanged = frame->isChanged || surface->bodyCount != maker->lastBodyCount;
	maker->lastBodyCount = surface->bodyCount;
	return frame->bodies != NULL;
}

static bool pnListShapes( pnOutMaker* maker, const pnWorld* world )
{
	pnOutFrame* frame = &maker->frame;
	int count = pnWorld_GetShapes( world, NULL, 0 );
	pnShapeId* ids = malloc( (size_t)( count + 1 ) * sizeof( pnShapeId ) );
	frame->shapes = malloc( (size_t)( count + 1 ) * sizeof( pnOutShape ) );
	bool good = ids != NULL && frame->shapes != NULL;
	if ( good )
	{
		pnWorld_GetShapes( world, ids, count );
	}
	for ( int i = 0; i < count && good; ++i )
	{
		pnOutShape* shape = frame->shapes + frame->shapeCount;
		good = pnReserveKnown( (void**)&maker->shapes, &maker->shapeCapacity, ids[i].index1, sizeof( pnKnownShape ) );
		if ( good && pnShape_GetDef( world, ids[i], &shape->def ) == pn_success )
		{
			pnKnownShape* known = maker->shapes + ids[i].index1;
			shape->isNew = known->id.index1 == 0 || known->id.generation != ids[i].generation;
			if ( shape->isNew )
			{
				*known = (pnKnownShape){ ids[i], maker->shapeNumber++ };
			}
			shape->id = ids[i];
			shape->number = known->number;
			frame->isChanged = frame->isChanged || shape->isNew;
			frame->shapeCount += 1;
		}
	}
	frame->isChanged = frame->isChanged || frame->shapeCount != maker->lastShapeCount;
	maker->lastShapeCount = frame->shapeCount;
	free( ids );
	return good;
}

static bool pnTellFields( pnOutMaker* maker, const pnWorld* world, double timeStep )
{
	pnOutFrame* frame = &maker->frame;
	size_t count = (size_t)( frame->surface.bodyVertexCount + 1 );
	if ( maker->fields & ( pn_outVelocity | pn_outStretch | pn_outPlastic | pn_outCluster ) )
	{
		frame->velocities = malloc( count * sizeof( pnVec3 ) );
		frame->stretches = malloc( count * sizeof( float ) );
		frame->plastics = malloc( count * sizeof( float ) );
		frame->clusters = malloc( count * sizeof( int32_t ) );
		bool good = frame->velocities != NULL && frame->stretches != NULL && frame->plastics != NULL && frame->clusters != NULL;
		for ( int i = 0; i < frame->bodyCount && good; ++i )
		{
			good = pnTellVertices( maker, world, frame->bodies + i, maker->bodies + frame->bodies[i].id.index1 );
		}
		if ( good == false )
		{
			return false;
		}
	}
	if ( maker->fields & pn_outContact )
	{
		frame->contacts = calloc( count, sizeof( float ) );
		if ( frame->contacts == NULL )
		{
			return false;
		}
		pnTellContacts( frame, world, timeStep );
	}
	return true;
}

const pnOutFrame* pnOutMaker_Make( pnOutMaker* maker, const pnWorld* world, int number, double time, double timeStep )
{
	pnOutFrame* frame = &maker->frame;
	int index = frame->index + 1;
	pnFreeFrame( frame );
	*frame = (pnOutFrame){ .world = world, .frame = number, .time = time, .index = index };
	bool good = pnOutMaker_Watch( maker, world );
	good = good && ( maker->isBare ? pnCreateBareSurface( world, &frame->surface ) : pnCreateSurface( world, maker->coloring, &frame->surface ) );
	if ( good && maker->isBare == false && pnIsScale( maker->coloring ) )
	{
		float lower, upper;
		pnGetUsualRange( maker->coloring, &lower, &upper ); // one for all frames, or they would flicker
		pnColorByValue( &frame->surface, lower, upper );
	}
	good = good && pnListBodies( maker ) && pnListShapes( maker, world ) && pnTellFields( maker, world, timeStep );
	return good ? frame : NULL;
}
