// handles.c - a baked response in people's hands. Knows no worlds and no links.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "handles.h"

#include "command.h"
#include "wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A linear solid has no idea of how far is too far; past this part of its size it looks like nothing that exists.
static const float pnFarthest = 0.6f;

typedef struct pnHandleHand
{
	uint32_t owner, number; // 0: nobody's
	bool isHeld, isLocked;
	pnVec3 displacement; // m from rest
	pnVec3 grabbed; // the displacement when it was taken, and
	pnVec3 from; // where the hand was then
	int vertex; // the one that tells where it is
} pnHandleHand;

struct pnHandles
{
	pnResponse* response;
	int handleCount, vertexCount, triangleCount;
	float size; // m
	pnHandleHand* hands;
	uint8_t* held;
	pnVec3 *displacements, *forces, *vertices, *normals;
	pnHand* shown;
	pnBytes bytes;
	uint32_t number;
	bool isMoved, isHeldChanged;
};

static pnVec3 pnGetPlace( const pnHandles* handles, int index )
{
	int vertex = handles->hands[index].vertex;
	pnVec3 moved = pnSub( handles->vertices[vertex], pnResponse_GetVertices( handles->response )[vertex] );
	return pnAdd( pnResponse_GetHandles( handles->response )[index], moved );
}

static void pnSolveHandles( pnHandles* handles )
{
	for ( int i = 0; i < handles->handleCount; ++i )
	{
		handles->held[i] = handles->hands[i].isHeld ? 1 : 0;
		handles->displacements[i] = handles->hands[i].displacement;
	}
	if ( handles->isHeldChanged )
	{
		pnResponse_Hold( handles->response, handles->held );
		handles->isHeldChanged = false;
	}
	pnResponse_Solve( handles->response, handles->displacements, NULL, handles->forces );
	pnResponse_Move( handles->response, handles->forces, handles->vertices );
	memset( handles->normals, 0, (size_t)handles->vertexCount * sizeof( pnVec3 ) );
	const int32_t* triangles = pnResponse_GetTriangles( handles->response );
	for ( int i = 0; i < handles->triangleCount; ++i )
	{
		const int32_t* t = triangles + 3 * i;
		pnVec3 a = handles->vertices[t[0]];
		pnVec3 across = pnCross( pnSub( handles->vertices[t[1]], a ), pnSub( handles->vertices[t[2]], a ) );
		for ( int k = 0; k < 3; ++k )
		{
			handles->normals[t[k]] = pnAdd( handles->normals[t[k]], across );
		}
	}
	for ( int i = 0; i < handles->vertexCount; ++i )
	{
		float length = sqrtf( pnDot( handles->normals[i], handles->normals[i] ) );
		handles->normals[i] = length > 0.0f ? pnScale( 1.0f / length, handles->normals[i] ) : pnMakeVec3( 0.0f, 1.0f, 0.0f );
	}
	handles->isMoved = true;
}

static void pnMeasure( pnHandles* handles )
{
	const pnVec3* rest = pnResponse_GetVertices( handles->response );
	pnVec3 lower = rest[0], upper = rest[0];
	for ( int i = 1; i < handles->vertexCount; ++i )
	{
		lower = pnMin3( lower, rest[i] );
		upper = pnMax3( upper, rest[i] );
	}
	pnVec3 size = pnSub( upper, lower );
	handles->size = sqrtf( pnDot( size, size ) );
	for ( int h = 0; h < handles->handleCount; ++h )
	{
		float nearest = INFINITY;
		for ( int i = 0; i < handles->vertexCount; ++i )
		{
			pnVec3 way = pnSub( rest[i], pnResponse_GetHandles( handles->response )[h] );
			if ( pnDot( way, way ) < nearest )
			{
				nearest = pnDot( way, way );
				handles->hands[h].vertex = i;
			}
		}
	}
}

pnResult pnOpenHandles( const void* bytes, size_t size, pnHandles** out )
{
	*out = NULL;
	pnHandles* handles = calloc( 1, sizeof( pnHandles ) );
	pnResult result = handles != NULL ? pnLoadResponse( bytes, size, &handles->response ) : pn_outOfMemory;
	if ( result != pn_success )
	{
		free( handles );
		return result;
	}
	handles->handleCount = pnResponse_GetHandleCount( handles->response );
	handles->vertexCount = pnResponse_GetVertexCount( handles->response );
	handles->triangleCount = pnResponse_GetTriangleCount( handles->response );
	size_t count = (size_t)handles->handleCount, vertexCount = (size_t)handles->vertexCount;
	handles->hands = calloc( count, sizeof( pnHandleHand ) );
	handles->held = calloc( count, 1 );
	handles->displacements = calloc( count, sizeof( pnVec3 ) );
	handles->forces = calloc( count, sizeof( pnVec3 ) );
	handles->shown = calloc( count, sizeof( pnHand ) );
	handles->vertices = calloc( vertexCount, sizeof( pnVec3 ) );
	handles->normals = calloc( vertexCount, sizeof( pnVec3 ) );
	if ( handles->hands == NULL || handles->held == NULL || handles->displacements == NULL || handles->forces == NULL ||
		 handles->shown == NULL || handles->vertices == NULL || handles->normals == NULL )
	{
		pnCloseHandles( handles );
		return pn_outOfMemory;
	}
	pnMeasure( handles );
	pnSolveHandles( handles );
	*out = handles;
	return pn_success;
}

void pnCloseHandles( pnHandles* handles )
{
	if ( handles == NULL )
	{
		return;
	}
	pnDestroyResponse( handles->response );
	free( handles->hands );
	free( handles->held );
	free( handles->displacements );
	free( handles->forces );
	free( handles->shown );
	free( handles->vertices );
	free( handles->normals );
	free( handles->bytes.data );
	free( handles );
}

// ---- commands ----

// The nearest to a ray, its whole length; or to a place, if the ray has none. -1: none is near.
static int pnFindHandle( const pnHandles* handles, pnVec3 origin, pnVec3 ray )
{
	const float reach = 0.12f; // of the size
	float length2 = pnDot( ray, ray ), nearest = reach * reach * handles->size * handles->size;
	int found = -1;
	for ( int i = 0; i < handles->handleCount; ++i )
	{
		pnVec3 way = pnSub( pnGetPlace( handles, i ), origin );
		float along = length2 > 0.0f ? pnDot( way, ray ) / length2 : 0.0f;
		along = along > 0.0f ? along < 1.0f ? along : 1.0f : 0.0f;
		pnVec3 off = pnMulAdd( way, -along, ray );
		if ( pnDot( off, off ) < nearest && handles->hands[i].isLocked == false )
		{
			nearest = pnDot( off, off );
			found = i;
		}
	}
	return found;
}

static int pnFindHand( const pnHandles* handles, uint32_t owner, uint32_t number )
{
	for ( int i = 0; i < handles->handleCount; ++i )
	{
		if ( handles->hands[i].isHeld && handles->hands[i].owner == owner && handles->hands[i].number == number )
		{
			return i;
		}
	}
	return -1;
}

static void pnRelease( pnHandles* handles, int index )
{
	if ( index >= 0 )
	{
		pnHandleHand* hand = handles->hands + index;
		*hand = ( pnHandleHand ){ .vertex = hand->vertex };
		handles->isHeldChanged = true;
	}
}

static const char* pnTakeHandle( pnHandles* handles, const pnCommand* command )
{
	int found = pnFindHandle( handles, command->place, command->alongRay ? command->ray : pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	if ( found < 0 )
	{
		return "there is no handle here";
	}
	pnRelease( handles, pnFindHand( handles, command->owner, command->hand ) );
	pnHandleHand* hand = handles->hands + found;
	pnVec3 place = pnGetPlace( handles, found );
	hand->owner = command->owner;
	hand->number = command->hand;
	hand->isHeld = true;
	hand->displacement = pnSub( place, pnResponse_GetHandles( handles->response )[found] );
	hand->grabbed = hand->displacement;
	hand->from = place;
	handles->isHeldChanged = true;
	return NULL;
}

static const char* pnDoHandle( pnHandles* handles, const pnCommand* command )
{
	int index = pnFindHand( handles, command->owner, command->hand );
	pnHandleHand* hand = index >= 0 ? handles->hands + index : NULL;
	switch ( command->kind )
	{
	case pn_noCommand:
		return NULL;
	case pn_grabCommand:
		return pnTakeHandle( handles, command );
	case pn_moveCommand:
		if ( hand != NULL )
		{
			pnVec3 to = pnAdd( hand->grabbed, pnSub( command->place, hand->from ) );
			float length = sqrtf( pnDot( to, to ) ), most = pnFarthest * handles->size;
			hand->displacement = length > most ? pnScale( most / length, to ) : to;
		}
		break;
	case pn_lockCommand:
	case pn_unlockCommand:
		if ( hand != NULL )
		{
			hand->isLocked = command->kind == pn_lockCommand;
		}
		break;
	case pn_dropCommand:
		pnRelease( handles, index );
		break;
	case pn_letGoCommand:
		for ( int i = 0; i < handles->handleCount; ++i )
		{
			if ( handles->hands[i].owner == command->owner && handles->hands[i].isLocked == false )
			{
				pnRelease( handles, i );
			}
		}
		return NULL;
	default:
		return "only hands can do something to a baked solid: grab, move, lock, unlock, drop";
	}
	return hand != NULL ? NULL : "this hand holds nothing";
}

bool pnHandles_Post( pnHandles* handles, const char* text, size_t length, const char** why )
{
	*why = NULL;
	for ( size_t begin = 0; begin < length; )
	{
		const char* end = memchr( text + begin, '\n', length - begin );
		size_t count = end != NULL ? (size_t)( end - text ) - begin : length - begin;
		pnCommand command;
		pnFault fault;
		const char* problem =
			pnParseCommand( text + begin, count, &command, &fault ) ? pnDoHandle( handles, &command ) : "this cannot be read";
		*why = problem != NULL ? problem : *why;
		begin += count + 1;
	}
	pnSolveHandles( handles );
	return *why == NULL;
}

const uint8_t* pnHandles_WriteFrame( pnHandles* handles, bool fresh, size_t* size )
{
	handles->number += 1;
	pnFrameHead head = { .number = handles->number, .flags = PN_STATIC_FRAME | PN_STILL_FRAME | ( fresh ? PN_FRESH_FRAME : 0u ) };
	pnBeginFrame( &handles->bytes, &head );
	const pnBodyId body = { 1, 1 };
	pnPart part = {
		.vertexCount = handles->vertexCount,
		.triangleCount = handles->triangleCount,
		.triangles = pnResponse_GetTriangles( handles->response ),
		.colors = { 0xd9a05b, 0xd9a05b, 0xd9a05b, 0xd9a05b },
	};
	if ( fresh )
	{
		const pnVec3* rest = pnResponse_GetVertices( handles->response );
		pnVec3 lower = rest[0], upper = rest[0];
		for ( int i = 1; i < handles->vertexCount; ++i )
		{
			lower = pnMin3( lower, rest[i] );
			upper = pnMax3( upper, rest[i] );
		}
		pnSceneView view = { pnScale( 0.5f, pnAdd( lower, upper ) ), 30.0f, 20.0f, 1.9f * handles->size, lower.y - 0.25f * handles->size };
		pnPutScene( &handles->bytes, "", &view, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnPutBody( &handles->bytes, body, ( pnBodyId ){ 0 }, handles->vertexCount, &part, 1 );
	}
	if ( fresh || handles->isMoved )
	{
		pnPutMotion( &handles->bytes, body, &part, 1, handles->vertices, handles->normals, NULL );
		handles->isMoved = false;
	}
	for ( int i = 0; i < handles->handleCount; ++i )
	{
		const pnHandleHand* hand = handles->hands + i;
		pnVec3 place = pnGetPlace( handles, i );
		pnVec3 target = pnAdd( pnResponse_GetHandles( handles->response )[i], hand->displacement );
		handles->shown[i] = ( pnHand ){ hand->owner, hand->isHeld ? hand->number : (uint32_t)i, body, place, hand->isHeld ? target : place,
										handles->forces[i], hand->isLocked };
	}
	pnPutHands( &handles->bytes, handles->shown, handles->handleCount );
	pnEndFrame( &handles->bytes );
	*size = handles->bytes.size;
	return handles->bytes.failed ? NULL : handles->bytes.data;
}
