// scene_force.c - forces on points of a body of a scene file: which points, when, how strong; and how they act. Knows no world but the one it is given.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* const forceList[] = { "box", "sphere", "plane", "group", "points", "all", "force", "acceleration", "twist", "about", "toward", "stiffness",
										 "from", "until", "keys", "linear" };
const pnKeyTable pn_forceKeys = { "force", forceList, (int)( sizeof( forceList ) / sizeof( forceList[0] ) ) };

// ---- acting ----

static pnResult pnActOnPoints( const pnSceneFile* file, const pnForceSet* set, pnWorld* world, pnBodyId body, float strength )
{
	int pointCount = pnBody_WritePoints( world, body, NULL, NULL, 0 );
	pnVec3* places = set->kind == pn_towardForce ? malloc( (size_t)pointCount * sizeof( pnVec3 ) ) : NULL;
	if ( places == NULL && set->kind == pn_towardForce )
	{
		return pn_outOfMemory;
	}
	if ( places != NULL )
	{
		pnBody_WritePoints( world, body, places, NULL, pointCount );
	}
	pnSolidInfo info = pnSolid_GetInfo( file->solids[file->bodies[set->body].solid].solid );
	float mass = info.mass / (float)info.pointCount; // kg of a point
	pnVec3 value = pnScale( strength, set->value );
	pnResult result = pn_success;
	for ( int i = 0; i < set->count && result == pn_success; ++i )
	{
		int point = set->points[i];
		if ( point >= pointCount )
		{
			break;
		}
		pnVec3 force = { 0 };
		switch ( set->kind )
		{
			case pn_plainForce:
				force = pnScale( 1.0f / (float)set->count, value );
				break;
			case pn_accelerationForce:
				force = pnScale( mass, value );
				break;
			case pn_twistForce:
				force = pnScale( mass, pnCross( value, set->arms[i] ) );
				break;
			case pn_towardForce:
				force = pnScale( set->stiffness * strength, pnSub( set->value, places[point] ) );
				break;
		}
		result = pnBody_ApplyForceAt( world, body, point, force );
	}
	free( places );
	return result;
}

static pnResult pnAct( const pnSceneFile* file, const pnForceSet* set, pnWorld* world, pnBodyId body, float strength )
{
	if ( set->all && ( set->kind == pn_plainForce || set->kind == pn_accelerationForce ) )
	{
		float mass = pnSolid_GetInfo( file->solids[file->bodies[set->body].solid].solid ).mass;
		return pnBody_ApplyForce( world, body, pnScale( set->kind == pn_plainForce ? strength : mass * strength, set->value ) );
	}
	return pnActOnPoints( file, set, world, body, strength );
}

pnResult pnApplySceneForce( const pnSceneFile* file, const pnForceSet* set, pnWorld* world, float time )
{
	pnBodyId body = { set->body + 1, 1 };
	if ( time < set->from || ( set->until > 0.0f && time >= set->until ) || pnBody_IsValid( world, body ) == false ) // cut or torn: its pieces are free
	{
		return pn_success;
	}
	float strength = set->keys.count > 0 ? pnEvaluateKeys( &set->keys, time ).strength : 1.0f;
	return strength != 0.0f ? pnAct( file, set, world, body, strength ) : pn_success; // what does not pull wakes nobody
}

// ---- reading ----

// Which of the four it is, and its numbers.
static bool pnReadForceKind( pnReader* reader, const pnNode* node, pnForceSet* set )
{
	static const char* const kinds[] = { "force", "acceleration", "twist", "toward" }; // as pnForceKind counts
	const char* said = NULL;
	for ( int i = 0; i < 4; ++i )
	{
		pnNode child = pnGetChild( node, kinds[i] );
		if ( child.json == NULL )
		{
			continue;
		}
		if ( said != NULL )
		{
			return pnFailAtKey( reader, &child, "and \"%s\" are two forces; each is an item of its own", said );
		}
		said = kinds[i];
		set->kind = (pnForceKind)i;
		if ( pnReadVec( reader, node, kinds[i], &set->value ) == false )
		{
			return false;
		}
	}
	if ( said == NULL )
	{
		return pnFailAt( reader, node, "needs one of \"force\", \"acceleration\", \"twist\" and \"toward\": what acts" );
	}
	pnNode stiffness = pnGetChild( node, "stiffness" ), about = pnGetChild( node, "about" );
	if ( stiffness.json != NULL && set->kind != pn_towardForce )
	{
		return pnFailAtKey( reader, &stiffness, "goes with \"toward\", not with \"%s\"", said );
	}
	if ( about.json != NULL && set->kind != pn_twistForce )
	{
		return pnFailAtKey( reader, &about, "goes with \"twist\", not with \"%s\"", said );
	}
	return ( set->kind != pn_towardForce || pnCheckThere( reader, node, "stiffness", "N/m" ) ) && pnReadFloat( reader, node, "stiffness", 0.0, 1e12, &set->stiffness );
}

static bool pnReadForceWindow( pnReader* reader, const pnNode* node, pnForceSet* set )
{
	pnTransform start = pnIdentityTransform();
	if ( pnReadFloat( reader, node, "from", 0.0, 1e6, &set->from ) == false || pnReadFloat( reader, node, "until", 0.0, 1e6, &set->until ) == false ||
		 pnReadKeys( reader, node, &start, &pn_forceKeyKeys, &set->keys ) == false )
	{
		return false;
	}
	if ( set->until > 0.0f && set->until <= set->from )
	{
		pnNode until = pnGetChild( node, "until" );
		return pnFailAt( reader, &until, "%g s is not after \"from\", %g s", (double)set->until, (double)set->from );
	}
	return true;
}

// Arms are those at rest, turned as the body lies when the scene begins: were they those of now, what spreads would be turned harder and spread the more.
static bool pnFindArms( pnReader* reader, const pnNode* node, const pnSceneFile* file, pnForceSet* set )
{
	const pnSceneBody* body = file->bodies + set->body;
	pnVec3 about = { 0 };
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = file->solids[body->solid].solid;
	def.material = body->material;
	int pointCount = pnSolid_GetInfo( def.solid ).pointCount;
	pnVec3* places = malloc( (size_t)pointCount * sizeof( pnVec3 ) );
	set->arms = malloc( (size_t)set->count * sizeof( pnVec3 ) );
	pnBodyId id;
	if ( places == NULL || set->arms == NULL || pnCreateBody( file->scratch, &def, &id ) != pn_success )
	{
		free( places );
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	bool good = pnReadVec( reader, node, "about", &about );
	pnBody_WritePoints( file->scratch, id, places, NULL, pointCount );
	pnDestroyBody( file->scratch, id );
	pnQuat q = body->transform.q;
	bool turns = q.x != 0.0f || q.y != 0.0f || q.z != 0.0f;
	for ( int i = 0; i < set->count; ++i )
	{
		pnVec3 arm = pnSub( places[set->points[i]], about );
		set->arms[i] = turns ? pnRotate( q, arm ) : arm;
	}
	free( places );
	return good;
}

static bool pnReadForce( pnReader* reader, const pnNode* node, pnSceneFile* file, const pnVec3* places, int count, pnBodyId id, pnForceSet* set )
{
	pnPinSet chosen = { 0 };
	bool good = pnCheckObject( reader, node, &pn_forceKeys ) &&
				pnChoosePoints( reader, node, file->solids + file->bodies[set->body].solid, places, count, "it acts on", &chosen );
	free( chosen.places );
	set->points = chosen.points;
	set->count = chosen.count;
	set->all = chosen.count == count;
	good = good && pnReadForceKind( reader, node, set ) && pnReadForceWindow( reader, node, set );
	good = good && ( set->kind != pn_twistForce || pnFindArms( reader, node, file, set ) );
	float most = set->keys.count > 0 ? 0.0f : 1.0f;
	for ( int i = 0; i < set->keys.count; ++i )
	{
		float strength = set->keys.keys[i].strength;
		most = fabsf( strength ) > fabsf( most ) ? strength : most;
	}
	pnResult result = good ? pnAct( file, set, file->scratch, id, most ) : pn_success;
	return result == pn_success ? good : pnTellRefusal( reader, node, result );
}

bool pnReadForces( pnReader* reader, const pnNode* node, pnSceneFile* file, int body, pnBodyId id )
{
	int count;
	if ( pnReadList( reader, node, 1, PN_MAX_FORCE_SETS, &count ) == false )
	{
		return false;
	}
	int pointCount = pnSolid_GetInfo( file->solids[file->bodies[body].solid].solid ).pointCount;
	pnVec3* places = malloc( (size_t)pointCount * sizeof( pnVec3 ) );
	pnForceSet* more = realloc( file->forces, (size_t)( file->forceCount + count ) * sizeof( pnForceSet ) );
	file->forces = more != NULL ? more : file->forces;
	bool good = places != NULL && more != NULL ? true : pnFailAt( reader, node, "there is no memory for it" );
	if ( good )
	{
		pnBody_WritePoints( file->scratch, id, places, NULL, pointCount );
	}
	for ( int i = 0; i < count && good; ++i )
	{
		pnNode item = pnGetItem( node, i );
		pnForceSet* set = file->forces + file->forceCount++;
		*set = (pnForceSet){ .body = body };
		good = pnReadForce( reader, &item, file, places, pointCount, id, set );
	}
	free( places );
	return good;
}
