// exports.c - the pile as a WebAssembly module for pliant_pile.mjs: numbers in, positions out. Knows no JavaScript and needs no imports.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "../pile_world.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT( NAME ) __attribute__( ( export_name( NAME ) ) )

static char s_message[512];
static pnPile* s_pile;
static pnPileWorld s_pileWorld;
static pnVec3* s_positions;

static void KeepMessage( const char* message )
{
	strncpy( s_message, message, sizeof( s_message ) - 1 );
}

EXPORT( "message" ) const char* GetMessage( void ) // what the library said last
{
	return s_message;
}

EXPORT( "simdName" ) const char* GetSimdName( void )
{
	return pnWorld_GetSimdName( s_pileWorld.world );
}

// 0, or it failed and there is a message.
EXPORT( "create" ) int Create( int bodyCount, uint32_t seed, int mode, float hertz, float dampingRatio, float stretch, float friction )
{
	pnSetLogFcn( KeepMessage );
	pnPileDef pileDef = pnDefaultPileDef( bodyCount );
	pileDef.seed = seed;
	s_pile = pnCreatePile( &pileDef );
	if ( s_pile == NULL )
	{
		KeepMessage( "no memory for the pile" );
		return -1;
	}
	s_positions = malloc( (size_t)s_pile->pointCount * sizeof( pnVec3 ) );
	pnPileWorldDef def = pnDefaultPileWorldDef();
	def.material.mode = (pnMode)mode;
	def.material.hertz = hertz;
	def.material.dampingRatio = dampingRatio;
	def.material.stretch = stretch;
	def.material.friction = friction;
	pnResult result = s_positions == NULL ? pn_outOfMemory : pnCreatePileWorld( s_pile, &def, &s_pileWorld );
	if ( result != pn_success && s_message[0] == 0 )
	{
		KeepMessage( pnResultText( result ) );
	}
	return result;
}

EXPORT( "step" ) int Step( int substeps )
{
	return pnWorld_Step( s_pileWorld.world, 1.0f / 60.0f, substeps );
}

EXPORT( "write" ) const pnVec3* Write( void )
{
	pnPileWorld_WritePositions( &s_pileWorld, s_pile, s_positions );
	return s_positions;
}

EXPORT( "hash" ) uint64_t GetHash( void )
{
	return pnWorld_GetHash( s_pileWorld.world );
}
