// scene_solid.c - the solids of a scene file that are made by formula. Knows no bodies and no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_parts.h"

#include "duck.h"
#include "fish.h"
#include "head.h"
#include "lattice.h"
#include "round.h"
#include "shape.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- what the library says ----

static char pnLastWords[300];

static void pnKeepWords( const char* message ) { snprintf( pnLastWords, sizeof( pnLastWords ), "%s", message ); }

void pnListenToLog( void )
{
	pnLastWords[0] = 0;
	pnSetLogFcn( pnKeepWords );
}

const char* pnGetLastWords( void ) { return pnLastWords; }

bool pnTellRefusal( pnReader* reader, const pnNode* node, pnResult result )
{
	const char* words = pnLastWords[0] != 0 ? pnLastWords : pnResultText( result );
	const char* colon = strncmp( words, "pn", 2 ) == 0 ? strstr( words, ": " ) : NULL; // the call's name says nothing here
	return pnFailAt( reader, node, "%s", colon != NULL ? colon + 2 : words );
}

bool pnMakeSceneSolid( pnReader* reader, const pnNode* node, const pnSolidDef* def, pnSceneSolid* solid )
{
	pnResult result = pnCreateSolid( def, &solid->solid );
	return result == pn_success ? true : pnTellRefusal( reader, node, result );
}

// ---- what all solids of points and a surface can say ----

static const char* const clusterList[] = { "count", "cell", "overlap", "groups" };
const pnKeyTable pn_clusterKeys = { "clusters", clusterList, 4 };

bool pnReadSolidRest( pnReader* reader, const pnNode* node, pnSolidDef* def )
{
	pnReadFloat( reader, node, "density", 1e-6, 1e9, &def->density );
	pnReadFloat( reader, node, "thickness", 0.0, 1e6, &def->thickness );
	pnReadFloat( reader, node, "fill", 1e-6, 1e6, &def->fillSpacing );
	pnNode clusters = pnGetChild( node, "clusters" );
	if ( reader->failed || clusters.json == NULL )
	{
		return reader->failed == false;
	}
	static const char* const words[] = { "auto", "tets", "groups" };
	int word = 0;
	if ( json_is_string( clusters.json ) )
	{
		if ( pnReadWord( reader, &clusters, words, 3, &word ) == false )
		{
			return false;
		}
		def->clusters.kind = word == 1 ? pn_tetClusters : word == 2 ? pn_givenClusters : pn_autoClusters;
		return true;
	}
	if ( json_is_integer( clusters.json ) )
	{
		def->clusters.kind = pn_countClusters;
		return pnReadWhole( reader, &clusters, 1, 100000, &def->clusters.count );
	}
	if ( pnCheckObject( reader, &clusters, &pn_clusterKeys ) == false )
	{
		return false;
	}
	pnNode count = pnGetChild( &clusters, "count" ), cell = pnGetChild( &clusters, "cell" ), groups = pnGetChild( &clusters, "groups" );
	if ( ( count.json != NULL ) + ( cell.json != NULL ) + ( groups.json != NULL ) != 1 )
	{
		return pnFailAt( reader, &clusters, "needs one of \"count\", \"cell\" (m) and \"groups\" (a list of names)" );
	}
	def->clusters.kind = count.json != NULL ? pn_countClusters : cell.json != NULL ? pn_cellClusters : pn_givenClusters;
	return pnReadInteger( reader, &clusters, "count", 1, 100000, &def->clusters.count ) &&
		   pnReadFloat( reader, &clusters, "cell", 1e-6, 1e6, &def->clusters.cellSize ) &&
		   pnReadFloat( reader, &clusters, "overlap", 0.0, 4.0, &def->clusters.overlap );
}

// ---- the kinds ----

typedef enum pnSolidKind
{
	pn_boxSolid,
	pn_ballSolid,
	pn_capsuleSolid,
	pn_torusSolid,
	pn_stickSolid,
	pn_sheetSolid,
	pn_latticeSolid,
	pn_duckSolid,
	pn_fishSolid,
	pn_headSolid,
	pn_solidKindCount,
} pnSolidKind;

static const char* const pnSolidNames[pn_solidKindCount] = { "box", "ball", "capsule", "torus", "stick", "sheet", "lattice", "duck", "fish", "head" };

// The keys of each kind; those of all are "shape" and "color".
static const char* const boxList[] = { "shape", "color", "size", "points", "cells", "overlap", "omit", "surface", "round", "waist", "edge", "skin", "corners", "density" };
static const char* const ballList[] = { "shape", "color", "radius", "radii", "points", "inner", "faces", "clusters", "density", "thickness", "fill" };
static const char* const capsuleList[] = { "shape", "color", "radius", "length", "spacing", "fill", "clusters", "density", "thickness" };
static const char* const torusList[] = { "shape", "color", "radius", "tube", "around", "across", "clusters", "overlap" };
static const char* const stickList[] = { "shape", "color", "length", "thick", "points", "clusters", "overlap", "density", "surface" };
static const char* const sheetList[] = { "shape", "color", "size", "thick", "points", "clusters", "overlap", "density" };
static const char* const latticeList[] = { "shape", "color", "cells", "cell", "strut", "density" };
static const char* const plainList[] = { "shape", "color" };
#define PN_LIST( NAME ) { #NAME, NAME##List, (int)( sizeof( NAME##List ) / sizeof( NAME##List[0] ) ) }
_Static_assert( (int)PN_MADE_KINDS == (int)pn_solidKindCount, "one table for each kind" );
const pnKeyTable pnSolidKeys[PN_MADE_KINDS] = { PN_LIST( box ),	 PN_LIST( ball ),	 PN_LIST( capsule ), PN_LIST( torus ), PN_LIST( stick ),
														   PN_LIST( sheet ), PN_LIST( lattice ), { "duck", plainList, 2 }, { "fish", plainList, 2 }, { "head", plainList, 2 } };

// As many points as single solids may have, and no cell without any.
static bool pnCheckBlock( pnReader* reader, const pnNode* node, const pnBlockDef* def )
{
	int64_t points = (int64_t)def->points[0] * def->points[1] * def->points[2];
	int64_t cells = (int64_t)def->cells[0] * def->cells[1] * def->cells[2];
	if ( points > PN_MAX_MADE_POINTS || points * cells > (int64_t)1 << 28 )
	{
		return pnFailAt( reader, node, "makes %lld points in %lld cells; a solid by formula has up to %d points", (long long)points, (long long)cells, PN_MAX_MADE_POINTS );
	}
	for ( int d = 0; d < 3; ++d )
	{
		if ( def->cells[d] > def->points[d] )
		{
			return pnFailAt( reader, node, "has %d cells along %c, but %d points", def->cells[d], 'x' + d, def->points[d] );
		}
	}
	if ( def->omit >= points )
	{
		return pnFailAt( reader, node, "\"omit\" is the index of a point, and there are %lld", (long long)points );
	}
	return true;
}

static bool pnMakeBlockSolid( pnReader* reader, const pnNode* node, const pnBlockDef* def, pnSceneSolid* solid )
{
	if ( pnCheckBlock( reader, node, def ) == false )
	{
		return false;
	}
	solid->visibleSkin = def->faced ? 1 : 0;
	pnResult result = pnCreateBlock( def, &solid->solid );
	return result == pn_success ? true : pnTellRefusal( reader, node, result );
}

static bool pnReadBox( pnReader* reader, const pnNode* node, pnSceneSolid* solid )
{
	pnBlockDef def = { .size = { 1.0f, 1.0f, 1.0f }, .points = { 5, 5, 5 }, .cells = { 1, 1, 1 }, .overlap = 0.3f, .omit = -1, .faced = true, .flatSteps = { 4, 4, 4 },
					   .cornerSteps = 3, .density = 1000.0f };
	pnReadSizes( reader, node, "size", &def.size );
	float least = def.size.x < def.size.y ? def.size.x : def.size.y;
	least = least < def.size.z ? least : def.size.z;
	def.radius = 0.06f * least;
	if ( pnReadCounts( reader, node, "points", 2, PN_MAX_SOLID_SIDE, 3, def.points ) == false )
	{
		return false;
	}
	for ( int d = 0; d < 3; ++d )
	{
		int steps = 2 * ( def.points[d] - 1 );
		def.flatSteps[d] = steps < 60 ? steps : 60;
	}
	pnReadCounts( reader, node, "cells", 1, 200, 3, def.cells );
	pnReadCounts( reader, node, "skin", 1, 90, 3, def.flatSteps );
	pnReadInteger( reader, node, "corners", 1, 16, &def.cornerSteps );
	pnReadInteger( reader, node, "omit", 0, PN_MAX_MADE_POINTS, &def.omit );
	pnReadFloat( reader, node, "overlap", 0.0, 4.0, &def.overlap );
	pnReadFlag( reader, node, "surface", &def.faced );
	pnReadFloat( reader, node, "round", 0.0, 1.0, &def.roundness );
	pnReadFloat( reader, node, "waist", 0.0, 0.95, &def.waist );
	pnReadFloat( reader, node, "edge", 1e-6, 1e6, &def.radius );
	pnReadFloat( reader, node, "density", 1e-6, 1e9, &def.density );
	return reader->failed == false && pnMakeBlockSolid( reader, node, &def, solid );
}

static bool pnReadStick( pnReader* reader, const pnNode* node, pnSceneSolid* solid )
{
	float length = 2.0f, thick = 0.3f;
	int points = 15, clusters = 3;
	pnBlockDef def = { .overlap = 0.5f, .omit = -1, .faced = true, .cornerSteps = 3, .density = 1000.0f };
	pnReadFloat( reader, node, "length", 1e-6, 1e6, &length );
	pnReadFloat( reader, node, "thick", 1e-6, 1e6, &thick );
	pnReadInteger( reader, node, "points", 2, PN_MAX_SOLID_SIDE, &points );
	pnReadInteger( reader, node, "clusters", 1, 200, &clusters );
	pnReadFloat( reader, node, "overlap", 0.0, 4.0, &def.overlap );
	pnReadFlag( reader, node, "surface", &def.faced );
	pnReadFloat( reader, node, "density", 1e-6, 1e9, &def.density );
	def.size = pnMakeVec3( length, thick, thick );
	memcpy( def.points, ( const int[3] ){ points, 2, 2 }, sizeof( def.points ) );
	memcpy( def.cells, ( const int[3] ){ clusters, 1, 1 }, sizeof( def.cells ) );
	memcpy( def.flatSteps, ( const int[3] ){ 60, 4, 4 }, sizeof( def.flatSteps ) );
	def.radius = 0.2f * thick;
	return reader->failed == false && pnMakeBlockSolid( reader, node, &def, solid );
}

static bool pnReadSheet( pnReader* reader, const pnNode* node, pnSceneSolid* solid )
{
	pnVec3 size = { 1.0f, 1.0f, 1.0f };
	float thick = 0.03f;
	int points[2] = { 21, 21 }, clusters[2] = { 5, 5 };
	pnBlockDef def = { .overlap = 0.5f, .omit = -1, .faced = true, .cornerSteps = 2, .density = 1000.0f };
	pnNode sizeNode = pnGetChild( node, "size" );
	int two;
	if ( sizeNode.json != NULL && pnReadList( reader, &sizeNode, 2, 2, &two ) )
	{
		double numbers[2] = { 1.0, 1.0 };
		for ( int i = 0; i < 2; ++i )
		{
			pnNode item = pnGetItem( &sizeNode, i );
			pnReadNumber( reader, &item, 1e-6, 1e6, numbers + i );
		}
		size = pnMakeVec3( (float)numbers[0], 1.0f, (float)numbers[1] );
	}
	pnReadFloat( reader, node, "thick", 1e-6, 1e6, &thick );
	pnReadCounts( reader, node, "points", 2, PN_MAX_SOLID_SIDE, 2, points );
	pnReadCounts( reader, node, "clusters", 1, 200, 2, clusters );
	pnReadFloat( reader, node, "overlap", 0.0, 4.0, &def.overlap );
	pnReadFloat( reader, node, "density", 1e-6, 1e9, &def.density );
	def.size = pnMakeVec3( size.x, thick, size.z );
	memcpy( def.points, ( const int[3] ){ points[0], 2, points[1] }, sizeof( def.points ) );
	memcpy( def.cells, ( const int[3] ){ clusters[0], 1, clusters[1] }, sizeof( def.cells ) );
	memcpy( def.flatSteps, ( const int[3] ){ points[0] < 60 ? points[0] : 60, 1, points[1] < 60 ? points[1] : 60 }, sizeof( def.flatSteps ) );
	def.radius = 0.4f * thick;
	return reader->failed == false && pnMakeBlockSolid( reader, node, &def, solid );
}

static bool pnReadBall( pnReader* reader, const pnNode* node, pnSceneSolid* solid )
{
	pnNode radius = pnGetChild( node, "radius" ), radiiNode = pnGetChild( node, "radii" );
	if ( radius.json != NULL && radiiNode.json != NULL )
	{
		return pnFailAtKey( reader, &radiiNode, "says the same as \"radius\"; one of them will do" );
	}
	float all = 0.5f;
	pnReadFloat( reader, node, "radius", 1e-6, 1e6, &all );
	pnBallDef ball = { .radii = { all, all, all }, .surfacePoints = 131 };
	pnReadSizes( reader, node, "radii", &ball.radii );
	pnReadInteger( reader, node, "points", 4, 100000, &ball.surfacePoints );
	pnReadInteger( reader, node, "inner", 0, 1000, &ball.innerPoints );
	pnReadInteger( reader, node, "faces", 8, 200000, &ball.faces );
	ball.solid = pnDefaultSolidDef();
	ball.solid.clusters.kind = pn_countClusters;
	ball.solid.clusters.count = 1;
	if ( reader->failed || pnReadSolidRest( reader, node, &ball.solid ) == false )
	{
		return false;
	}
	solid->visibleSkin = ball.faces > 0 ? 1 : 0;
	pnResult result = pnCreateBall( &ball, &solid->solid );
	return result == pn_success ? true : pnTellRefusal( reader, node, result );
}

static bool pnReadCapsule( pnReader* reader, const pnNode* node, pnSceneSolid* solid )
{
	pnCapsuleDef capsule = { .radius = 0.2f, .length = 1.0f, .solid = pnDefaultSolidDef() };
	pnReadFloat( reader, node, "radius", 1e-6, 1e6, &capsule.radius );
	pnReadFloat( reader, node, "length", 1e-6, 1e6, &capsule.length );
	capsule.spacing = 0.4f * capsule.radius;
	pnReadFloat( reader, node, "spacing", 1e-6, 1e6, &capsule.spacing );
	if ( reader->failed || pnReadSolidRest( reader, node, &capsule.solid ) == false )
	{
		return false;
	}
	if ( ( capsule.length + capsule.radius ) * capsule.radius > 1e5f * capsule.spacing * capsule.spacing )
	{
		return pnFailAt( reader, node, "a spacing of %g m makes too many points", (double)capsule.spacing );
	}
	pnResult result = pnCreateCapsule( &capsule, &solid->solid );
	return result == pn_success ? true : pnTellRefusal( reader, node, result );
}

static bool pnReadTorus( pnReader* reader, const pnNode* node, pnSceneSolid* solid )
{
	pnTorusDef def = { .radius = 0.5f, .tube = 0.2f, .around = 24, .across = 10, .clusters = 6, .overlap = 2 };
	pnReadFloat( reader, node, "radius", 1e-6, 1e6, &def.radius );
	pnReadFloat( reader, node, "tube", 1e-6, 1e6, &def.tube );
	pnReadInteger( reader, node, "around", 4, PN_MAX_SOLID_SIDE, &def.around );
	pnReadInteger( reader, node, "across", 4, 500, &def.across );
	pnReadInteger( reader, node, "clusters", 1, 500, &def.clusters );
	pnReadInteger( reader, node, "overlap", 0, 100, &def.overlap );
	if ( reader->failed )
	{
		return false;
	}
	if ( def.around % 2 != 0 )
	{
		pnNode around = pnGetChild( node, "around" );
		return pnFailAt( reader, &around, "wants an even number, not %d: odd rings lie half a point further on", def.around );
	}
	if ( def.clusters * 2 > def.around || def.tube >= def.radius || 2 * def.overlap > def.around - def.around / def.clusters )
	{
		return pnFailAt( reader, node, "a torus has a tube thinner than its radius, two rings of points or more for each cluster, and overlaps less than itself" );
	}
	pnResult result = pnCreateTorus( &def, &solid->solid );
	return result == pn_success ? true : pnTellRefusal( reader, node, result );
}

static bool pnReadLattice( pnReader* reader, const pnNode* node, pnSceneSolid* solid )
{
	pnLatticeDef def = { .cells = { 3, 3, 3 }, .cell = 0.3f, .strut = 0.08f, .density = 1000.0f };
	pnReadCounts( reader, node, "cells", 1, 40, 3, def.cells );
	pnReadFloat( reader, node, "cell", 1e-6, 1e6, &def.cell );
	pnReadFloat( reader, node, "strut", 1e-6, 1e6, &def.strut );
	pnReadFloat( reader, node, "density", 1e-6, 1e9, &def.density );
	if ( reader->failed )
	{
		return false;
	}
	if ( def.strut >= 0.9f * def.cell )
	{
		return pnFailAt( reader, node, "struts of %g m leave no holes in cells of %g m", (double)def.strut, (double)def.cell );
	}
	pnResult result = pnCreateLattice( &def, &solid->solid );
	return result == pn_success ? true : pnTellRefusal( reader, node, result );
}

static bool pnMakePlain( pnReader* reader, const pnNode* node, pnSolidKind kind, pnSceneSolid* solid )
{
	static const uint32_t colors[3][4] = {
		{ 0xf2c230, 0xe8702a, 0x2b2b2b, 0 }, { 0x6f8f6a, 0x1c1c1c, 0xe6d8b8, 0xc98f5a }, { 0, 0xe3b18f, 0, 0 } };
	solid->visibleSkin = kind == pn_headSolid ? 1 : 0;
	memcpy( solid->colors, colors[kind - pn_duckSolid], sizeof( solid->colors ) );
	pnResult result = kind == pn_duckSolid ? pnCreateDuck( &solid->solid ) : kind == pn_fishSolid ? pnCreateFish( &solid->solid ) : pnCreateHead( &solid->solid );
	return result == pn_success ? true : pnTellRefusal( reader, node, result );
}

static bool pnReadSceneSolid( pnReader* reader, const pnNode* node, pnSceneFile* file, pnSceneSolid* solid )
{
	if ( json_is_object( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants an object { ... } with \"shape\" or \"mesh\"" );
	}
	pnNode shape = pnGetChild( node, "shape" ), mesh = pnGetChild( node, "mesh" ), color = pnGetChild( node, "color" );
	if ( ( shape.json != NULL ) == ( mesh.json != NULL ) )
	{
		return pnFailAt( reader, node, "needs one of \"shape\" and \"mesh\" (a file)" );
	}
	if ( mesh.json != NULL )
	{
		return pnReadMeshSolid( reader, node, file, solid );
	}
	int kind = 0;
	if ( pnReadWord( reader, &shape, pnSolidNames, pn_solidKindCount, &kind ) == false || pnCheckObject( reader, node, pnSolidKeys + kind ) == false )
	{
		return false;
	}
	switch ( (pnSolidKind)kind )
	{
	case pn_boxSolid:
		pnReadBox( reader, node, solid );
		break;
	case pn_ballSolid:
		pnReadBall( reader, node, solid );
		break;
	case pn_capsuleSolid:
		pnReadCapsule( reader, node, solid );
		break;
	case pn_torusSolid:
		pnReadTorus( reader, node, solid );
		break;
	case pn_stickSolid:
		pnReadStick( reader, node, solid );
		break;
	case pn_sheetSolid:
		pnReadSheet( reader, node, solid );
		break;
	case pn_latticeSolid:
		pnReadLattice( reader, node, solid );
		break;
	default:
		pnMakePlain( reader, node, (pnSolidKind)kind, solid );
		break;
	}
	return reader->failed == false && ( color.json == NULL || pnReadColor( reader, &color, solid->colors + solid->visibleSkin ) );
}

bool pnReadSceneSolids( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	if ( json_is_object( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants an object of solids, {\"name\": { ... }}" );
	}
	size_t size = json_object_size( node->json );
	if ( size > PN_MAX_SOLIDS )
	{
		return pnFailAt( reader, node, "has more than %d solids", PN_MAX_SOLIDS );
	}
	file->solids = calloc( size + 1, sizeof( pnSceneSolid ) );
	if ( file->solids == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	const char* name;
	json_t* value;
	json_object_foreach( node->json, name, value )
	{
		if ( strncmp( name, "//", 2 ) == 0 )
		{
			continue;
		}
		pnNode child = pnGetChild( node, name );
		pnSceneSolid* solid = file->solids + file->solidCount;
		file->solidCount += 1; // so that it is freed
		if ( pnReadPartName( reader, &child, name, solid->name ) == false || pnReadSceneSolid( reader, &child, file, solid ) == false )
		{
			return false;
		}
	}
	return true;
}
