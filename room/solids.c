// solids.c - the solids that can be spawned by name. Plain arithmetic and scenes/shape.h, so that they are the same bits everywhere.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "solids.h"

#include "duck.h"
#include "fish.h"
#include "scenes.h"
#include "shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- those that come along ----

static pnResult pnMakeBall( pnSolid** solid )
{
	return pnCreateBlock(
		&( pnBlockDef ){
			.size = { 0.7f, 0.7f, 0.7f },
			.points = { 8, 8, 8 },
			.cells = { 2, 2, 2 },
			.overlap = 0.35f,
			.omit = -1,
			.faced = true,
			.roundness = 1.0f,
			.radius = 1.0f,
			.flatSteps = { 1, 1, 1 },
			.cornerSteps = 8,
			.density = 1000.0f,
		},
		solid );
}

static pnResult pnMakeCube( pnSolid** solid )
{
	return pnCreateBlock(
		&( pnBlockDef ){
			.size = { 0.6f, 0.6f, 0.6f },
			.points = { 7, 7, 7 },
			.cells = { 2, 2, 2 },
			.overlap = 0.35f,
			.omit = -1,
			.faced = true,
			.radius = 0.09f,
			.flatSteps = { 5, 5, 5 },
			.cornerSteps = 4,
			.density = 1000.0f,
		},
		solid );
}

static pnResult pnMakeStick( pnSolid** solid )
{
	return pnCreateBlock(
		&( pnBlockDef ){
			.size = { 1.4f, 0.22f, 0.22f },
			.points = { 22, 4, 4 },
			.cells = { 6, 1, 1 },
			.overlap = 0.35f,
			.omit = -1,
			.faced = true,
			.radius = 0.1f,
			.flatSteps = { 20, 1, 1 },
			.cornerSteps = 5,
			.density = 1000.0f,
		},
		solid );
}

static pnResult pnMakeMelon( pnSolid** solid )
{
	return pnCreateBlock(
		&( pnBlockDef ){
			.size = { 1.0f, 0.8f, 0.8f },
			.points = { 11, 9, 9 },
			.cells = { 3, 2, 2 },
			.overlap = 0.3f,
			.omit = -1,
			.faced = true,
			.roundness = 1.0f,
			.radius = 1.0f,
			.flatSteps = { 1, 1, 1 },
			.cornerSteps = 10,
			.density = 900.0f,
		},
		solid );
}

static pnResult pnMakeRing( pnSolid** solid )
{
	return pnCreateTorus( &( pnTorusDef ){ .radius = 0.36f, .tube = 0.14f, .around = 36, .across = 14, .clusters = 8, .overlap = 2 }, solid );
}

typedef struct pnMaker
{
	const char* name;
	pnResult ( *make )( pnSolid** solid );
	uint32_t colors[4]; // as pnPackColors
	int paintedSkin;
	const char* preset;
} pnMaker;

static const pnMaker pnMakers[] = {
	{ "ball", pnMakeBall, { 0, 0xe2574c, 0xf6c9b8, 0 }, 1, "rubber" },
	{ "cube", pnMakeCube, { 0, 0x3f8fd2, 0xcfe4f5, 0 }, 1, "jelly" },
	{ "ring", pnMakeRing, { 0xc98245, 0xf3dfb0, 0, 0 }, 0, "flesh" },
	{ "stick", pnMakeStick, { 0, 0x58a65c, 0xd8ecc8, 0 }, 1, "rubber" },
	{ "melon", pnMakeMelon, { 0, 0x3f7d3a, 0xd9453d, 0 }, 1, "flesh" },
	{ "duck", pnCreateDuck, { 0xf2c230, 0xe8702a, 0x2b2b2b, 0 }, 0, "rubber" },
	{ "fish", pnCreateFish, { 0x6f8f6a, 0x1c1c1c, 0xe6d8b8, 0xc98f5a }, 0, "flesh" },
};
enum
{
	PN_MAKER_COUNT = (int)( sizeof( pnMakers ) / sizeof( pnMakers[0] ) )
};

const char* const* pnGetSolidNames( int* count )
{
	static const char* names[PN_MAKER_COUNT];
	for ( int i = 0; i < PN_MAKER_COUNT; ++i )
	{
		names[i] = pnMakers[i].name;
	}
	*count = PN_MAKER_COUNT;
	return names;
}

static pnNamedSolid* pnLookUp( pnSolidList* list, const char* name )
{
	for ( int i = 0; i < list->count; ++i )
	{
		if ( strcmp( list->list[i].name, name ) == 0 )
		{
			return list->list + i;
		}
	}
	return NULL;
}

const pnNamedSolid* pnFindSolid( pnSolidList* list, const char* name )
{
	const pnNamedSolid* found = pnLookUp( list, name );
	for ( int i = 0; i < PN_MAKER_COUNT && found == NULL; ++i )
	{
		const pnMaker* maker = pnMakers + i;
		if ( strcmp( maker->name, name ) != 0 || list->count == PN_MAX_SOLIDS )
		{
			continue;
		}
		pnNamedSolid* entry = list->list + list->count;
		*entry = ( pnNamedSolid ){ .paintedSkin = maker->paintedSkin, .material = pnDefaultMaterial() };
		strcpy( entry->name, maker->name );
		pnFindMaterial( maker->preset, &entry->material );
		entry->colors = pnPackColors( maker->colors[0], maker->colors[1], maker->colors[2], maker->colors[3] );
		if ( maker->make( &entry->solid ) == pn_success )
		{
			list->count += 1;
			found = entry;
		}
	}
	return found;
}

// ---- those someone brings ----

enum
{
	PN_DIRECT_POINTS = 1200, // a mesh of fewer is simulated as it is, filled; of more vertices only a sample of its surface is
	PN_SAMPLE_CELLS = 9, // a sample along the longest side
	PN_FILL_CELLS = 8,
};

static pnAABB pnBound( const pnVec3* points, int count )
{
	pnAABB bounds = { points[0], points[0] };
	for ( int i = 1; i < count; ++i )
	{
		bounds.lower = pnMin3( bounds.lower, points[i] );
		bounds.upper = pnMax3( bounds.upper, points[i] );
	}
	return bounds;
}

static float pnGetLongest( pnAABB bounds )
{
	pnVec3 size = pnSub( bounds.upper, bounds.lower );
	float most = size.x > size.y ? size.x : size.y;
	return most > size.z ? most : size.z;
}

// The mean of the vertices in each cell of a grid, in the order of the cells. Returns how many.
static int pnSampleSurface( const pnVec3* points, int count, pnAABB bounds, float cell, pnVec3* samples, int* counts )
{
	enum { side = PN_SAMPLE_CELLS + 2 };
	memset( counts, 0, side * side * side * sizeof( int ) );
	memset( samples, 0, side * side * side * sizeof( pnVec3 ) );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 at = pnScale( 1.0f / cell, pnSub( points[i], bounds.lower ) );
		int x = (int)at.x, y = (int)at.y, z = (int)at.z;
		x = x < side ? x : side - 1;
		y = y < side ? y : side - 1;
		z = z < side ? z : side - 1;
		int index = x + side * ( y + side * z );
		samples[index] = pnAdd( samples[index], points[i] );
		counts[index] += 1;
	}
	int kept = 0;
	for ( int i = 0; i < side * side * side; ++i )
	{
		if ( counts[i] > 0 )
		{
			samples[kept++] = pnScale( 1.0f / (float)counts[i], samples[i] );
		}
	}
	return kept;
}

static pnResult pnMakeFine( const pnVec3* points, int pointCount, const int32_t* triangles, int triangleCount, pnAABB bounds, pnSolid** solid )
{
	enum { side = PN_SAMPLE_CELLS + 2 };
	pnVec3* samples = malloc( side * side * side * sizeof( pnVec3 ) );
	int* counts = malloc( side * side * side * sizeof( int ) );
	pnResult result = pn_outOfMemory;
	if ( samples != NULL && counts != NULL )
	{
		pnSkinDef skin = { .vertices = points, .triangles = triangles, .vertexCount = pointCount, .triangleCount = triangleCount };
		pnSolidDef def = pnDefaultSolidDef();
		def.points = samples;
		def.pointCount = pnSampleSurface( points, pointCount, bounds, pnGetLongest( bounds ) / (float)PN_SAMPLE_CELLS, samples, counts );
		def.skins = &skin;
		def.skinCount = 1;
		result = pnCreateSolid( &def, solid );
	}
	free( samples );
	free( counts );
	return result;
}

static pnResult pnMakeDirect( const pnVec3* points, int pointCount, const int32_t* triangles, int triangleCount, pnAABB bounds, pnSolid** solid )
{
	pnSolidDef def = pnDefaultSolidDef();
	def.points = points;
	def.pointCount = pointCount;
	def.triangles = triangles;
	def.triangleCount = triangleCount;
	def.fillSpacing = pnGetLongest( bounds ) / (float)PN_FILL_CELLS;
	pnResult result = pnCreateSolid( &def, solid );
	if ( result == pn_invalidInput ) // too open to be filled
	{
		def.fillSpacing = 0.0f;
		result = pnCreateSolid( &def, solid );
	}
	return result;
}

pnResult pnBringSolid( pnSolidList* list, const pnCommand* command, const char* line, size_t length )
{
	pnNamedSolid* entry = pnLookUp( list, command->name );
	for ( int i = 0; i < PN_MAKER_COUNT; ++i )
	{
		if ( strcmp( pnMakers[i].name, command->name ) == 0 )
		{
			return pn_invalidInput;
		}
	}
	if ( entry == NULL && list->count == PN_MAX_SOLIDS )
	{
		return pn_outOfMemory;
	}
	pnVec3* points = malloc( (size_t)command->pointCount * sizeof( pnVec3 ) );
	int32_t* triangles = malloc( 3 * (size_t)command->triangleCount * sizeof( int32_t ) );
	pnResult result = pn_outOfMemory;
	pnSolid* solid = NULL;
	if ( points != NULL && triangles != NULL )
	{
		pnReadSolidNumbers( command, points, triangles );
		pnAABB bounds = pnBound( points, command->pointCount );
		bool isFine = command->pointCount > PN_DIRECT_POINTS;
		if ( !( pnGetLongest( bounds ) > 0.0f ) )
		{
			free( points );
			free( triangles );
			return pn_invalidInput; // all in one place
		}
		result = ( isFine ? pnMakeFine : pnMakeDirect )( points, command->pointCount, triangles, command->triangleCount, bounds, &solid );
	}
	free( points );
	free( triangles );
	char* kept = result == pn_success ? malloc( length + 1 ) : NULL;
	if ( kept == NULL )
	{
		pnDestroySolid( solid );
		return result == pn_success ? pn_outOfMemory : result;
	}
	memcpy( kept, line, length );
	kept[length] = 0;
	if ( entry == NULL )
	{
		entry = list->list + list->count++;
	}
	else
	{
		pnDestroySolid( entry->solid );
		free( entry->line );
	}
	*entry = ( pnNamedSolid ){ .solid = solid, .material = pnDefaultMaterial(), .line = kept, .lineLength = length };
	memcpy( entry->name, command->name, PN_NAME_SIZE );
	pnFindMaterial( "rubber", &entry->material );
	entry->colors = pnPackColors( 0xd98e73, 0xf4dccb, 0, 0 );
	return pn_success;
}

uint64_t pnPaintSolid( const pnNamedSolid* named, uint32_t color )
{
	int shift = 16 * named->paintedSkin;
	return ( named->colors & ~( (uint64_t)0xffff << shift ) ) | pnPackColors( color, 0, 0, 0 ) << shift;
}

void pnFreeSolids( pnSolidList* list )
{
	for ( int i = 0; i < list->count; ++i )
	{
		pnDestroySolid( list->list[i].solid );
		free( list->list[i].line );
	}
	list->count = 0;
}
