// scene_body.c - the bodies of a scene file: one, grids, stacks, scatters. Knows no world but the one they are tried in.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_parts.h"

#include "problem_parts.h"
#include "shape.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const bodyList[] = { "name",		"solid",   "material", "at",	 "turn",	"up",	   "velocity", "spin",		   "gravity_scale",
										"touches",	"layers",  "mask",	   "detector", "self_contact", "color", "palette",  "grid",	   "stack",
										"scatter", "jitter", "pins",	 "forces", "deform" };
static const char* const gridList[] = { "count", "spacing" };
static const char* const stackList[] = { "count", "rise" };
static const char* const scatterList[] = { "count", "box", "apart", "seed" };
static const char* const jitterList[] = { "shift", "turn", "tilt", "velocity", "spin", "seed" };
#define PN_TABLE( NAME ) const pnKeyTable pn_##NAME##Keys = { #NAME, NAME##List, (int)( sizeof( NAME##List ) / sizeof( NAME##List[0] ) ) }
PN_TABLE( body );
PN_TABLE( grid );
PN_TABLE( stack );
PN_TABLE( scatter );
PN_TABLE( jitter );

// ---- which solids, which colours ----

static bool pnReadSolidNames( pnReader* reader, const pnNode* node, const pnSceneFile* file, int solids[PN_MAX_SOLIDS], int* count )
{
	*count = 1;
	bool isList = json_is_array( node->json );
	if ( isList && pnReadList( reader, node, 1, PN_MAX_SOLIDS, count ) == false )
	{
		return false;
	}
	for ( int i = 0; i < *count; ++i )
	{
		pnNode item = isList ? pnGetItem( node, i ) : *node;
		const char* name;
		if ( pnReadText( reader, &item, &name ) == false )
		{
			return false;
		}
		const char* names[PN_MAX_SOLIDS];
		solids[i] = -1;
		for ( int j = 0; j < file->solidCount; ++j )
		{
			names[j] = file->solids[j].name;
			solids[i] = strcmp( names[j], name ) == 0 ? j : solids[i];
		}
		if ( solids[i] < 0 )
		{
			return pnFailUnknown( reader, &item, "solid", name, names, file->solidCount );
		}
	}
	return true;
}

enum
{
	PN_MAX_PALETTE = 64
};

typedef struct pnPaint
{
	uint32_t skins[4]; // of each skin, if the file lists them
	int skinCount; // 0: not said
	uint32_t palette[PN_MAX_PALETTE];
	int paletteCount;
} pnPaint;

static bool pnReadPaint( pnReader* reader, const pnNode* node, pnPaint* paint )
{
	pnNode color = pnGetChild( node, "color" ), palette = pnGetChild( node, "palette" );
	if ( color.json != NULL && palette.json != NULL )
	{
		return pnFailAtKey( reader, &palette, "is instead of \"color\"; one of them will do" );
	}
	if ( color.json != NULL && json_is_array( color.json ) )
	{
		if ( pnReadList( reader, &color, 1, 4, &paint->skinCount ) == false )
		{
			return false;
		}
		for ( int i = 0; i < paint->skinCount; ++i )
		{
			pnNode item = pnGetItem( &color, i );
			if ( pnReadColor( reader, &item, paint->skins + i ) == false )
			{
				return false;
			}
		}
		return true;
	}
	if ( color.json != NULL )
	{
		paint->paletteCount = 1;
		return pnReadColor( reader, &color, paint->palette );
	}
	if ( palette.json != NULL && pnReadList( reader, &palette, 1, PN_MAX_PALETTE, &paint->paletteCount ) )
	{
		for ( int i = 0; i < paint->paletteCount; ++i )
		{
			pnNode item = pnGetItem( &palette, i );
			pnReadColor( reader, &item, paint->palette + i );
		}
	}
	return reader->failed == false;
}

static uint64_t pnGetUserData( const pnPaint* paint, const pnSceneSolid* solid, int number, uint32_t* random )
{
	static const uint32_t usual[6] = { 0xe0533d, 0x3d8fd1, 0xe9a13b, 0x52a667, 0x8a63c4, 0x3a9fa8 };
	uint32_t skins[4] = { 0, 0, 0, 0 };
	if ( paint->skinCount > 0 )
	{
		memcpy( skins, paint->skins, sizeof( skins ) );
	}
	else
	{
		bool isPainted = ( solid->colors[0] | solid->colors[1] | solid->colors[2] | solid->colors[3] ) != 0;
		memcpy( skins, solid->colors, sizeof( skins ) );
		if ( paint->paletteCount > 0 )
		{
			uint32_t pick = random != NULL ? pnSceneRandom( random ) : (uint32_t)number;
			skins[solid->visibleSkin] = paint->palette[pick % (uint32_t)paint->paletteCount];
		}
		else if ( isPainted == false )
		{
			skins[solid->visibleSkin] = usual[number % 6];
		}
		if ( isPainted == false && solid->visibleSkin < 3 ) // what a cut shows is paler
		{
			uint32_t c = skins[solid->visibleSkin];
			skins[solid->visibleSkin + 1] = c == 0 ? 0 : ( c >> 1 & 0x7f7f7f ) + 0x7f7f7f;
		}
	}
	return pnPackColors( skins[0], skins[1], skins[2], skins[3] );
}

// ---- where ----

enum
{
	PN_MAX_SCATTER_TRIES = 400 // for each body
};

// The places of all copies of one item.
typedef struct pnPlaces
{
	pnVec3* at; // m
	int count;
} pnPlaces;

static bool pnAllocatePlaces( pnReader* reader, const pnNode* node, int64_t count, pnPlaces* places )
{
	if ( count > PN_MAX_SCENE_BODIES )
	{
		return pnFailAt( reader, node, "makes %lld bodies; a scene has up to %d", (long long)count, PN_MAX_SCENE_BODIES );
	}
	places->count = (int)count;
	places->at = calloc( (size_t)count, sizeof( pnVec3 ) );
	return places->at != NULL ? true : pnFailAt( reader, node, "there is no memory for it" );
}

// Layers of y; in each, rows of z; in each, x. Centred on x and z, from `at` upward.
static bool pnLayGrid( pnReader* reader, const pnNode* node, const int counts[3], pnVec3 spacing, pnVec3 at, pnPlaces* places )
{
	if ( pnAllocatePlaces( reader, node, (int64_t)counts[0] * counts[1] * counts[2], places ) == false )
	{
		return false;
	}
	for ( int i = 0; i < places->count; ++i )
	{
		int x = i % counts[0], z = i / counts[0] % counts[2], y = i / ( counts[0] * counts[2] );
		places->at[i] = pnMakeVec3( at.x + ( (float)x - 0.5f * (float)( counts[0] - 1 ) ) * spacing.x, at.y + (float)y * spacing.y,
									at.z + ( (float)z - 0.5f * (float)( counts[2] - 1 ) ) * spacing.z );
	}
	return true;
}

static bool pnLayScatter( pnReader* reader, const pnNode* node, pnVec3 at, pnPlaces* places )
{
	int count = 0, seed = 1;
	float apart = 0.0f;
	pnRegion region = { 0 };
	if ( pnCheckObject( reader, node, &pn_scatterKeys ) == false || pnCheckThere( reader, node, "count", "how many" ) == false ||
		 pnCheckThere( reader, node, "box", "[[x, y, z], [x, y, z]], two corners about \"at\", m" ) == false ||
		 pnReadInteger( reader, node, "count", 1, PN_MAX_SCENE_BODIES, &count ) == false || pnReadInteger( reader, node, "seed", 1, 2147483647, &seed ) == false ||
		 pnReadFloat( reader, node, "apart", 0.0, 1e6, &apart ) == false || pnReadRegionPlace( reader, node, 0.0, &region ) == false ||
		 pnAllocatePlaces( reader, node, count, places ) == false )
	{
		return false;
	}
	uint32_t random = 2654435769u ^ (uint32_t)seed;
	for ( int i = 0; i < count; ++i )
	{
		bool fits = false;
		for ( int attempt = 0; attempt < PN_MAX_SCATTER_TRIES && fits == false; ++attempt )
		{
			pnVec3 p = { at.x + pnSceneRandomBetween( &random, (float)region.lower.x, (float)region.upper.x ),
						 at.y + pnSceneRandomBetween( &random, (float)region.lower.y, (float)region.upper.y ),
						 at.z + pnSceneRandomBetween( &random, (float)region.lower.z, (float)region.upper.z ) };
			fits = true;
			for ( int j = 0; j < i && fits && apart > 0.0f; ++j )
			{
				pnVec3 off = pnSub( p, places->at[j] );
				fits = pnDot( off, off ) >= apart * apart;
			}
			places->at[i] = p;
		}
		if ( fits == false )
		{
			return pnFailAt( reader, node, "there is room for %d in the box if they are %g m apart, not for %d", i, (double)apart, count );
		}
	}
	return true;
}

static bool pnReadPlaces( pnReader* reader, const pnNode* node, pnVec3 at, pnPlaces* places )
{
	pnNode grid = pnGetChild( node, "grid" ), stack = pnGetChild( node, "stack" ), scatter = pnGetChild( node, "scatter" );
	if ( ( grid.json != NULL ) + ( stack.json != NULL ) + ( scatter.json != NULL ) > 1 )
	{
		return pnFailAt( reader, node, "is a \"grid\", a \"stack\" or a \"scatter\", not several of them" );
	}
	int counts[3] = { 1, 1, 1 };
	pnVec3 spacing = { 0.0f, 0.0f, 0.0f };
	if ( scatter.json != NULL )
	{
		return pnLayScatter( reader, &scatter, at, places );
	}
	if ( grid.json != NULL )
	{
		if ( pnCheckObject( reader, &grid, &pn_gridKeys ) == false || pnCheckThere( reader, &grid, "count", "[x, y, z]" ) == false ||
			 pnCheckThere( reader, &grid, "spacing", "[x, y, z], m" ) == false ||
			 pnReadCounts( reader, &grid, "count", 1, PN_MAX_SCENE_BODIES, 3, counts ) == false || pnReadVec( reader, &grid, "spacing", &spacing ) == false )
		{
			return false;
		}
	}
	if ( stack.json != NULL )
	{
		if ( pnCheckObject( reader, &stack, &pn_stackKeys ) == false || pnCheckThere( reader, &stack, "count", "how many" ) == false ||
			 pnCheckThere( reader, &stack, "rise", "from one to the next, m" ) == false ||
			 pnReadInteger( reader, &stack, "count", 1, PN_MAX_SCENE_BODIES, counts + 1 ) == false || pnReadFloat( reader, &stack, "rise", 1e-6, 1e6, &spacing.y ) == false )
		{
			return false;
		}
	}
	return pnLayGrid( reader, grid.json != NULL ? &grid : node, counts, spacing, at, places );
}

// How copies differ from each other.
typedef struct pnJitter
{
	bool there;
	pnVec3 shift, velocity, spin; // up to so much to either side
	float turn, tilt; // radians: about y, then about x
	uint32_t random;
} pnJitter;

static bool pnReadJitter( pnReader* reader, const pnNode* node, pnJitter* jitter )
{
	if ( node->json == NULL )
	{
		return true;
	}
	float turn = 0.0f, tilt = 0.0f;
	int seed = 1;
	jitter->there = true;
	if ( pnCheckObject( reader, node, &pn_jitterKeys ) == false || pnReadVec( reader, node, "shift", &jitter->shift ) == false ||
		 pnReadVec( reader, node, "velocity", &jitter->velocity ) == false || pnReadVec( reader, node, "spin", &jitter->spin ) == false ||
		 pnReadFloat( reader, node, "turn", 0.0, 360.0, &turn ) == false || pnReadFloat( reader, node, "tilt", 0.0, 180.0, &tilt ) == false ||
		 pnReadInteger( reader, node, "seed", 1, 2147483647, &seed ) == false )
	{
		return false;
	}
	jitter->turn = turn * 0.01745329252f;
	jitter->tilt = tilt * 0.01745329252f;
	jitter->random = 2463534242u ^ (uint32_t)seed;
	return true;
}

static pnVec3 pnDrawVec( uint32_t* random, pnVec3 most )
{
	pnVec3 drawn;
	drawn.x = pnSceneRandomBetween( random, -most.x, most.x );
	drawn.y = pnSceneRandomBetween( random, -most.y, most.y );
	drawn.z = pnSceneRandomBetween( random, -most.z, most.z );
	return drawn;
}

static void pnJitterBody( pnJitter* jitter, pnSceneBody* body )
{
	uint32_t* random = &jitter->random;
	body->transform.p = pnAdd( body->transform.p, pnDrawVec( random, jitter->shift ) );
	pnQuat turn = pnSceneTurn( (pnVec3){ 0.0f, 1.0f, 0.0f }, pnSceneRandomBetween( random, -jitter->turn, jitter->turn ) );
	pnQuat tilt = pnSceneTurn( (pnVec3){ 1.0f, 0.0f, 0.0f }, pnSceneRandomBetween( random, -jitter->tilt, jitter->tilt ) );
	body->transform.q = pnMulQuat( pnMulQuat( turn, tilt ), body->transform.q );
	body->velocity = pnAdd( body->velocity, pnDrawVec( random, jitter->velocity ) );
	body->spin = pnAdd( body->spin, pnDrawVec( random, jitter->spin ) );
}

// ---- all of it ----

static bool pnReadDeform( pnReader* reader, const pnNode* node, pnSceneFile* file, int* deform )
{
	if ( node->json == NULL )
	{
		*deform = -1;
		return true;
	}
	int three, nine;
	pnDeform* more = realloc( file->deforms, (size_t)( file->deformCount + 1 ) * sizeof( pnDeform ) );
	if ( more == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	file->deforms = more;
	*deform = file->deformCount++;
	if ( pnReadList( reader, node, 3, 3, &three ) == false )
	{
		return false;
	}
	for ( int i = 0; i < 3; ++i )
	{
		pnNode row = pnGetItem( node, i );
		if ( pnReadList( reader, &row, 9, 9, &nine ) == false )
		{
			return false;
		}
		for ( int j = 0; j < 9; ++j )
		{
			pnNode item = pnGetItem( &row, j );
			double number = 0.0;
			if ( pnReadNumber( reader, &item, -1e6, 1e6, &number ) == false )
			{
				return false;
			}
			more[*deform].rows[i][j] = (float)number;
		}
	}
	return true;
}

static bool pnAppendBody( pnReader* reader, const pnNode* node, pnSceneFile* file, const pnSceneBody* body )
{
	if ( file->bodyCount == PN_MAX_SCENE_BODIES )
	{
		return pnFailAt( reader, node, "a scene has up to %d bodies", PN_MAX_SCENE_BODIES );
	}
	if ( file->bodyCount == file->bodyCapacity )
	{
		int capacity = file->bodyCapacity == 0 ? 64 : 2 * file->bodyCapacity;
		pnSceneBody* more = realloc( file->bodies, (size_t)capacity * sizeof( pnSceneBody ) );
		if ( more == NULL )
		{
			return pnFailAt( reader, node, "there is no memory for it" );
		}
		file->bodies = more;
		file->bodyCapacity = capacity;
	}
	file->bodies[file->bodyCount++] = *body;
	file->pointCount += pnSolid_GetInfo( file->solids[body->solid].solid ).particleCount;
	return file->pointCount <= PN_MAX_SCENE_POINTS ? true : pnFailAt( reader, node, "the scene's bodies have more than %d points together", PN_MAX_SCENE_POINTS );
}

// The library takes it, or says why not; then its pins and the points that forces act on are chosen.
static bool pnTryBody( pnReader* reader, const pnNode* node, pnSceneFile* file, int index, const pnNode* pins, const pnNode* forces )
{
	const pnSceneBody* body = file->bodies + index;
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = file->solids[body->solid].solid;
	def.material = body->material;
	def.transform = body->transform;
	def.velocity = body->velocity;
	def.angularVelocity = body->spin;
	def.gravityScale = body->gravityScale;
	def.filter = body->filter;
	def.detector = body->detector;
	def.selfContact = body->selfContact;
	pnBodyId id;
	pnResult result = pnCreateBody( file->scratch, &def, &id );
	if ( result != pn_success )
	{
		return pnTellRefusal( reader, node, result );
	}
	bool good = pins->json == NULL || pnReadPins( reader, pins, file, index, id );
	good = good && ( forces->json == NULL || pnReadForces( reader, forces, file, index, id ) );
	pnDestroyBody( file->scratch, id );
	return good;
}

static bool pnReadBodyItem( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	static const char* const detectors[] = { "field", "tets", "surface" }; // as pnDetector counts
	if ( pnCheckObject( reader, node, &pn_bodyKeys ) == false || pnCheckThere( reader, node, "solid", "a name of \"solids\"" ) == false )
	{
		return false;
	}
	pnNode solidNode = pnGetChild( node, "solid" ), material = pnGetChild( node, "material" ), detector = pnGetChild( node, "detector" );
	pnNode nameNode = pnGetChild( node, "name" ), jitterNode = pnGetChild( node, "jitter" ), pins = pnGetChild( node, "pins" );
	pnNode forces = pnGetChild( node, "forces" ), deform = pnGetChild( node, "deform" );
	int solids[PN_MAX_SOLIDS], solidCount = 0, detectorIndex = 0;
	pnBodyDef usual = pnDefaultBodyDef();
	pnSceneBody body = { .material = usual.material, .transform = pnIdentityTransform(), .gravityScale = usual.gravityScale, .filter = usual.filter,
						 .detector = usual.detector, .selfContact = usual.selfContact };
	pnPaint paint = { 0 };
	pnJitter jitter = { 0 };
	bool good = pnReadSolidNames( reader, &solidNode, file, solids, &solidCount );
	good = good && ( material.json == NULL || pnReadMaterialRef( reader, &material, file, &body.material ) );
	good = good && pnReadPose( reader, node, &body.transform ) && pnReadVec( reader, node, "velocity", &body.velocity ) &&
		   pnReadVec( reader, node, "spin", &body.spin ) && pnReadFloat( reader, node, "gravity_scale", -1000.0, 1000.0, &body.gravityScale ) &&
		   pnReadFilter( reader, node, &body.filter ) && pnReadFlag( reader, node, "self_contact", &body.selfContact );
	if ( good && detector.json != NULL && ( good = pnReadWord( reader, &detector, detectors, 3, &detectorIndex ) ) )
	{
		body.detector = (pnDetector)detectorIndex;
	}
	good = good && pnReadPaint( reader, node, &paint ) && pnReadJitter( reader, &jitterNode, &jitter ) && pnReadDeform( reader, &deform, file, &body.deform );
	if ( good && nameNode.json != NULL )
	{
		const char* name;
		pnBodyName* entry = file->names + file->nameCount;
		good = pnReadText( reader, &nameNode, &name ) && pnReadPartName( reader, &nameNode, name, entry->name );
		for ( int i = 0; i < file->nameCount && good; ++i )
		{
			good = strcmp( file->names[i].name, entry->name ) != 0 ? true : pnFailAt( reader, &nameNode, "there is a body '%s' already", name );
		}
		entry->body = file->bodyCount;
		file->nameCount += 1;
	}
	pnPlaces places = { 0 };
	good = good && pnReadPlaces( reader, node, body.transform.p, &places );
	int first = file->bodyCount;
	for ( int i = 0; i < places.count && good; ++i )
	{
		pnSceneBody copy = body;
		copy.solid = solids[i % solidCount];
		copy.transform.p = places.at[i];
		if ( jitter.there )
		{
			pnJitterBody( &jitter, &copy );
		}
		int number = places.count > 1 ? i : file->bodyCount;
		copy.userData = pnGetUserData( &paint, file->solids + copy.solid, number, jitter.there && places.count > 1 ? &jitter.random : NULL );
		good = pnAppendBody( reader, node, file, &copy );
		// Copies differ in place only: what is taken once is taken again, but pins and forces have places
		if ( good && ( i < solidCount || pins.json != NULL || forces.json != NULL ) )
		{
			good = pnTryBody( reader, node, file, first + i, &pins, &forces );
		}
	}
	free( places.at );
	return good;
}

bool pnReadSceneBodies( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	int count;
	if ( pnReadList( reader, node, 0, PN_MAX_BODY_ITEMS, &count ) == false )
	{
		return false;
	}
	file->names = calloc( (size_t)count + 1, sizeof( pnBodyName ) );
	if ( file->names == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		if ( pnReadBodyItem( reader, &item, file ) == false )
		{
			return false;
		}
	}
	return true;
}
