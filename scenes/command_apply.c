// command_apply.c - what a command does to a world. Knows no text and no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "command.h"
#include "scenes.h"
#include "shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A pushing hand is a shape. Its colour is in the lower part of the user data, as scenes have it, and its number in the upper one.
static const uint32_t pnPushColor = 0xd8b08c;
static uint64_t pnNamePush( uint32_t hand ) { return pnPackColors( pnPushColor, 0, 0, 0 ) | (uint64_t)hand << 32; }

static pnOutcome pnTell( pnResult result )
{
	return result == pn_success ? pn_doneOutcome : result == pn_notFound ? pn_nothingOutcome : pn_refusedOutcome;
}

static bool pnFindHandGrab( const pnWorld* world, uint32_t owner, uint32_t hand, pnGrabId* grab )
{
	int count = pnWorld_GetGrabs( world, NULL, 0 );
	pnGrabId* grabs = malloc( (size_t)( count + 1 ) * sizeof( pnGrabId ) );
	bool found = false;
	if ( grabs != NULL )
	{
		pnWorld_GetGrabs( world, grabs, count );
		for ( int i = 0; i < count && found == false; ++i )
		{
			pnGrabState state;
			found = pnGrab_GetState( world, grabs[i], &state ) == pn_success && state.owner == owner && state.userData == hand;
			*grab = grabs[i];
		}
	}
	free( grabs );
	return found;
}

static bool pnFindShape( const pnWorld* world, uint32_t owner, uint64_t userData, pnShapeId* shape )
{
	int count = pnWorld_GetShapes( world, NULL, 0 );
	pnShapeId* shapes = malloc( (size_t)( count + 1 ) * sizeof( pnShapeId ) );
	bool found = false;
	if ( shapes != NULL )
	{
		pnWorld_GetShapes( world, shapes, count );
		for ( int i = 0; i < count && found == false; ++i )
		{
			pnShapeDef def;
			found = pnShape_GetDef( world, shapes[i], &def ) == pn_success && def.owner == owner && def.userData == userData;
			*shape = shapes[i];
		}
	}
	free( shapes );
	return found;
}

// What a hand holds or is.
typedef struct pnHeld
{
	bool isGrab, isPush;
	pnGrabId grab;
	pnShapeId push;
} pnHeld;

static pnHeld pnFindHeld( const pnWorld* world, const pnCommand* command )
{
	pnHeld held = { 0 };
	held.isGrab = pnFindHandGrab( world, command->owner, command->hand, &held.grab );
	held.isPush = held.isGrab == false && pnFindShape( world, command->owner, pnNamePush( command->hand ), &held.push );
	return held;
}

bool pnHasHand( const pnWorld* world, uint32_t owner, uint32_t hand )
{
	pnCommand command = { .owner = owner, .hand = hand };
	pnHeld held = pnFindHeld( world, &command );
	return held.isGrab || held.isPush;
}

static pnOutcome pnDropHeld( pnWorld* world, const pnHeld* held )
{
	return pnTell( held->isGrab ? pnDestroyGrab( world, held->grab ) : held->isPush ? pnDestroyShape( world, held->push ) : pn_notFound );
}

// The eldest body that is there, or else near.
static bool pnFindBodyAt( const pnWorld* world, pnVec3 place, float radius, pnBodyId* body )
{
	const float touch = 1e-3f, near = 0.05f; // m
	return pnWorld_OverlapSphere( world, place, touch, UINT32_MAX, body, 1 ) > 0 ||
		   pnWorld_OverlapSphere( world, place, radius > touch ? radius : near, UINT32_MAX, body, 1 ) > 0;
}

pnRayHit pnCastEyeRay( const pnWorld* world, pnVec3 origin, pnVec3 translation )
{
	int count = pnWorld_GetShapes( world, NULL, 0 );
	pnShapeId* shapes = malloc( (size_t)( count + 1 ) * sizeof( pnShapeId ) );
	if ( shapes == NULL )
	{
		return ( pnRayHit ){ .triangle = -1, .point = -1 };
	}
	pnWorld_GetShapes( world, shapes, count );
	float begin = 0.0f; // of the translation: where it has left all planes that it began behind
	for ( int i = 0; i < count; ++i )
	{
		pnShapeDef def;
		if ( pnShape_GetDef( world, shapes[i], &def ) == pn_success && def.kind == pn_planeShape )
		{
			pnVec3 normal = pnRotate( def.transform.q, pnMakeVec3( 0.0f, 1.0f, 0.0f ) );
			float behind = pnDot( normal, pnSub( def.transform.p, origin ) ), rise = pnDot( normal, translation );
			begin = behind > 0.0f && rise > behind && behind / rise > begin ? behind / rise : begin;
		}
	}
	free( shapes );
	// Past the surface by more than rounding
	begin = begin > 0.0f ? begin * 1.0001f : 0.0f;
	return pnWorld_CastRay( world, pnMulAdd( origin, begin, translation ), pnScale( 1.0f - begin, translation ), UINT32_MAX );
}

static pnOutcome pnApplyGrab( pnWorld* world, const pnCommand* command )
{
	pnGrabDef def = pnDefaultGrabDef();
	def.place = command->place;
	def.radius = command->radius;
	def.hertz = command->hertz;
	def.dampingRatio = command->dampingRatio;
	def.maxForce = command->maxForce;
	def.owner = command->owner;
	def.userData = command->hand;
	if ( command->alongRay )
	{
		pnRayHit hit = pnCastEyeRay( world, command->place, command->ray );
		def.body = hit.body;
		def.place = hit.position;
		if ( hit.hit == false || hit.body.index1 == 0 )
		{
			return pn_nothingOutcome;
		}
	}
	else if ( pnFindBodyAt( world, command->place, command->radius, &def.body ) == false )
	{
		return pn_nothingOutcome;
	}
	pnHeld old = pnFindHeld( world, command );
	pnGrabId grab;
	pnOutcome outcome = pnTell( pnCreateGrab( world, &def, &grab ) );
	if ( outcome == pn_doneOutcome )
	{
		pnDropHeld( world, &old );
	}
	return outcome;
}

static pnOutcome pnApplyPush( pnWorld* world, const pnCommand* command )
{
	pnShapeDef def = pnDefaultShapeDef();
	def.kind = pn_sphereShape;
	def.transform.p = command->place;
	def.radius = command->radius;
	def.owner = command->owner;
	def.userData = pnNamePush( command->hand );
	pnHeld old = pnFindHeld( world, command );
	pnShapeId shape;
	pnOutcome outcome = pnTell( pnCreateShape( world, &def, &shape ) );
	if ( outcome == pn_doneOutcome )
	{
		pnDropHeld( world, &old );
	}
	return outcome;
}

static pnOutcome pnMoveHeld( pnWorld* world, const pnHeld* held, pnVec3 place )
{
	if ( held->isGrab )
	{
		return pnTell( pnGrab_MoveTo( world, held->grab, place ) );
	}
	pnShapeState state;
	if ( held->isPush == false || pnShape_GetState( world, held->push, &state ) != pn_success )
	{
		return pn_nothingOutcome;
	}
	state.transform.p = place;
	return pnTell( pnShape_MoveTo( world, held->push, state.transform ) );
}

pnOutcome pnLeadHand( pnWorld* world, const pnCommand* move, int left )
{
	pnHeld held = pnFindHeld( world, move );
	pnGrabState grab;
	pnShapeState push;
	pnVec3 from;
	if ( held.isGrab && pnGrab_GetState( world, held.grab, &grab ) == pn_success )
	{
		from = grab.target;
	}
	else if ( held.isPush && pnShape_GetState( world, held.push, &push ) == pn_success )
	{
		from = push.transform.p;
	}
	else
	{
		return pn_nothingOutcome;
	}
	pnVec3 to = move->place;
	to = left > 1 ? pnMulAdd( from, 1.0f / (float)left, pnSub( to, from ) ) : to;
	return pnMoveHeld( world, &held, to );
}

static pnOutcome pnApplyCut( pnWorld* world, const pnCommand* command )
{
	pnCutDef def = pnDefaultCutDef();
	def.kind = command->blade;
	def.point = command->point;
	def.normal = command->normal;
	memcpy( def.quad, command->quad, sizeof( def.quad ) );
	def.inside = command->inside;
	def.body = command->body;
	pnCutResult cut;
	pnResult result = pnWorld_Cut( world, &def, &cut );
	return result == pn_success && cut.cutCount == 0 ? pn_nothingOutcome : pnTell( result );
}

// ---- bodies ----

typedef struct pnBodies { pnBodyId* ids; int count; } pnBodies; // ids NULL: no memory

// The one that is named, if it lives, or all. Give ids to free.
static pnBodies pnListBodies( const pnWorld* world, pnBodyId body )
{
	int count = body.index1 != 0 ? 1 : pnWorld_GetBodies( world, NULL, 0 );
	pnBodies bodies = { malloc( (size_t)( count + 1 ) * sizeof( pnBodyId ) ), 0 };
	if ( bodies.ids == NULL )
	{
		return bodies;
	}
	if ( body.index1 == 0 )
	{
		bodies.count = pnWorld_GetBodies( world, bodies.ids, count );
	}
	else if ( pnBody_IsValid( world, body ) )
	{
		bodies.ids[bodies.count++] = body;
	}
	return bodies;
}

// The points of a body within the radius, where they are.
static pnResult pnPinNear( pnWorld* world, pnBodyId body, pnVec3 place, float radius )
{
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
	pnVec3* points = malloc( (size_t)( count + 1 ) * sizeof( pnVec3 ) );
	int32_t* near = malloc( (size_t)( count + 1 ) * sizeof( int32_t ) );
	pnResult result = points != NULL && near != NULL ? pn_success : pn_outOfMemory;
	if ( result == pn_success )
	{
		int nearCount = 0;
		pnBody_WritePoints( world, body, points, NULL, count );
		for ( int i = 0; i < count; ++i )
		{
			pnVec3 way = pnSub( points[i], place );
			near[nearCount] = i;
			nearCount += pnDot( way, way ) <= radius * radius ? 1 : 0;
		}
		result = nearCount > 0 ? pnBody_Pin( world, body, near, NULL, nearCount ) : pn_notFound;
	}
	free( points );
	free( near );
	return result;
}

static pnResult pnThrowBody( pnWorld* world, pnBodyId body, pnVec3 velocity )
{
	pnBodyState state;
	pnResult result = pnBody_GetState( world, body, &state );
	return result == pn_success ? pnBody_ApplyImpulse( world, body, pnScale( state.mass, velocity ) ) : result;
}

static pnResult pnChangeBody( pnWorld* world, pnBodyId body, const pnCommand* command )
{
	pnMaterial material;
	pnResult result = pn_success;
	switch ( command->kind )
	{
	case pn_removeCommand:
		return pnDestroyBody( world, body );
	case pn_throwCommand:
		return pnThrowBody( world, body, command->velocity );
	case pn_pinCommand:
		return pnPinNear( world, body, command->place, command->radius );
	case pn_unpinCommand:
		return pnBody_Unpin( world, body, NULL, 0 );
	default:
		result = pnBody_GetMaterial( world, body, &material );
		result = result == pn_success && pnMixMaterial( command, &material ) == false ? pn_notFound : result;
		return result == pn_success ? pnBody_SetMaterial( world, body, &material ) : result;
	}
}

// Each body takes it or leaves it; what one does not take changes nothing of it, and the others have no part in that.
static pnOutcome pnApplyToBodies( pnWorld* world, const pnCommand* command )
{
	pnBodies bodies = pnListBodies( world, command->body );
	pnOutcome outcome = bodies.ids == NULL ? pn_refusedOutcome : pn_nothingOutcome;
	for ( int i = 0; i < bodies.count; ++i )
	{
		pnOutcome one = pnTell( pnChangeBody( world, bodies.ids[i], command ) );
		outcome = one == pn_doneOutcome || outcome == pn_doneOutcome ? pn_doneOutcome : one == pn_refusedOutcome ? one : outcome;
	}
	free( bodies.ids );
	return outcome;
}

// ---- obstacles: nobody's shapes, with their number above their colour ----

static const uint32_t pnObstacleColor = 0xb9b4aa;
static uint64_t pnNameObstacle( uint32_t number ) { return pnPackColors( pnObstacleColor, 0, 0, 0 ) | (uint64_t)number << 32; }

static pnOutcome pnApplyShape( pnWorld* world, const pnCommand* command )
{
	static const pnShapeKind kinds[] = { pn_sphereShape, pn_boxShape, pn_capsuleShape }; // as pnShapeDeed counts
	pnShapeId old;
	bool found = pnFindShape( world, 0, pnNameObstacle( command->number ), &old );
	pnShapeState state;
	if ( command->deed == pn_moveDeed || command->deed == pn_removeDeed )
	{
		if ( found == false || pnShape_GetState( world, old, &state ) != pn_success )
		{
			return pn_nothingOutcome;
		}
		state.transform.p = command->place;
		return pnTell( command->deed == pn_moveDeed ? pnShape_MoveTo( world, old, state.transform ) : pnDestroyShape( world, old ) );
	}
	pnShapeDef def = pnDefaultShapeDef();
	def.kind = kinds[command->deed];
	def.transform.p = command->place;
	def.radius = command->radius;
	def.halfExtents = command->half;
	def.userData = pnNameObstacle( command->number );
	pnShapeId shape;
	pnOutcome outcome = pnTell( pnCreateShape( world, &def, &shape ) );
	if ( outcome == pn_doneOutcome && found )
	{
		pnDestroyShape( world, old );
	}
	return outcome;
}

pnOutcome pnApplyCommand( pnWorld* world, const pnCommand* command )
{
	pnHeld held = { 0 };
	switch ( command->kind )
	{
	case pn_noCommand:
	case pn_stepCommand:
		break;
	case pn_grabCommand:
		return pnApplyGrab( world, command );
	case pn_pushCommand:
		return pnApplyPush( world, command );
	case pn_moveCommand:
		held = pnFindHeld( world, command );
		return pnMoveHeld( world, &held, command->place );
	case pn_lockCommand:
	case pn_unlockCommand:
		held = pnFindHeld( world, command );
		return held.isGrab ? pnTell( pnGrab_Lock( world, held.grab, command->kind == pn_lockCommand ) ) : pn_nothingOutcome;
	case pn_dropCommand:
		held = pnFindHeld( world, command );
		return pnDropHeld( world, &held );
	case pn_letGoCommand:
		pnWorld_LetGo( world, command->owner );
		break;
	case pn_cutCommand:
		return pnApplyCut( world, command );
	case pn_gravityCommand:
		return pnTell( pnWorld_SetGravity( world, command->gravity ) );
	case pn_expectCommand:
		return pnWorld_GetHash( world ) == command->hash ? pn_doneOutcome : pn_differsOutcome;
	case pn_removeCommand:
	case pn_throwCommand:
	case pn_pinCommand:
	case pn_unpinCommand:
	case pn_materialCommand:
		return pnApplyToBodies( world, command );
	case pn_shapeCommand:
		return pnApplyShape( world, command );
	case pn_spawnCommand:
	case pn_solidCommand:
	case pn_loadCommand:
	case pn_undoCommand:
	case pn_redoCommand:
	case pn_rateCommand:
	case pn_substepsCommand:
	case pn_askCommand:
	case pn_commandKindCount:
		return pn_refusedOutcome;
	}
	return pn_doneOutcome;
}

const char* pnExplainOutcome( const pnCommand* command, pnOutcome outcome )
{
	switch ( outcome )
	{
	case pn_doneOutcome:
		return "";
	case pn_differsOutcome:
		return "the hash is another";
	case pn_refusedOutcome:
		switch ( command->kind )
		{
		case pn_loadCommand:
		case pn_undoCommand:
		case pn_redoCommand:
			return "there is not enough memory for this, and the world goes on as it was";
		case pn_spawnCommand:
			return "there is not enough memory for one more, or its place is too far away";
		case pn_solidCommand:
			return "no solid can be made of this: there is no volume in it, or not enough memory";
		default:
			return "the world does not take this";
		}
	case pn_nothingOutcome:
		break;
	}
	switch ( command->kind )
	{
	case pn_grabCommand:
		return "there is nothing to take hold of";
	case pn_moveCommand:
	case pn_lockCommand:
	case pn_unlockCommand:
	case pn_dropCommand:
		return "this hand holds nothing";
	case pn_cutCommand:
		return "nothing was cut";
	case pn_removeCommand:
	case pn_throwCommand:
	case pn_unpinCommand:
		return "there is no such body";
	case pn_pinCommand:
		return "there is nothing to pin";
	case pn_materialCommand:
		return "there is no such body or material";
	case pn_shapeCommand:
		return "no shape has this number";
	case pn_spawnCommand:
		return "there is no solid or material of this name";
	case pn_loadCommand:
		return "there is no scene of this name";
	case pn_undoCommand:
		return "there is nothing to undo";
	case pn_redoCommand:
		return "there is nothing to redo";
	default:
		return "there is no such thing";
	}
}
