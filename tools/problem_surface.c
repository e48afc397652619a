// problem_surface.c - the surface of a problem file: a shape by formula, a mesh file or a cloud; moved, and thinned if asked. Knows no conditions.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem_parts.h"

#include "../src/kelvin/vec3d.h"
#include "problem_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Where tools/fetch_bunny.sh puts it; given by the build.
#ifndef PLIANT_BUNNY
#define PLIANT_BUNNY "build/bunny.obj"
#endif

static const char* const surfaceList[] = { "shape",		 "mesh",	  "cloud", "size", "radius", "inner_radius", "height", "hole_radius",
										   "divisions", "scale", "turn",	"move",	 "as",	   "points" };
const pnKeyTable pn_surfaceKeys = { "surface", surfaceList, (int)( sizeof( surfaceList ) / sizeof( surfaceList[0] ) ) };

typedef enum pnShapeKind
{
	pn_boxSkin,
	pn_sphereSkin,
	pn_hollowSkin,
	pn_cylinderSkin,
	pn_holeSkin,
	pn_animalSkin,
	pn_bunnySkin,
	pn_shapeCount,
} pnShapeKind;

static const char* const pnShapeNames[pn_shapeCount] = { "box", "sphere", "hollow_sphere", "cylinder", "block_with_hole", "animal", "bunny" };

// The keys that say how large a shape is, and how many divisions it takes.
typedef struct pnShapeKeys
{
	const char* sizes[2];
	int divisionCount; // 0: none are taken, the surface is what it is
	int lower, upper, usual; // of divisions
} pnShapeKeys;

static const pnShapeKeys pnShapes[pn_shapeCount] = {
	{ { "size" }, 3, 1, 200, 8 },
	{ { "radius" }, 1, 1, 100, 8 },
	{ { "radius", "inner_radius" }, 1, 1, 100, 8 },
	{ { "radius", "height" }, 2, 1, 100, 8 },
	{ { "size", "hole_radius" }, 3, 1, 100, 8 },
	{ { NULL }, 1, 16, 100, 30 },
	{ { NULL }, 0, 0, 0, 0 },
};

typedef struct pnShapeNumbers
{
	pnVec3d size;
	double radius, innerRadius, height, holeRadius; // m
	int divisions[3];
} pnShapeNumbers;

static bool pnReadDivisions( pnReader* reader, const pnNode* node, const pnShapeKeys* keys, int divisions[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		divisions[i] = keys->usual;
	}
	if ( node->json == NULL )
	{
		return true;
	}
	if ( keys->divisionCount == 1 )
	{
		return pnReadWhole( reader, node, keys->lower, keys->upper, divisions );
	}
	int count;
	if ( pnReadList( reader, node, keys->divisionCount, keys->divisionCount, &count ) == false )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		if ( pnReadWhole( reader, &item, keys->lower, keys->upper, divisions + i ) == false )
		{
			return false;
		}
	}
	int a = divisions[0], b = divisions[1], c = divisions[2];
	int quads = count == 2 ? 2 * a * a + 4 * a * b : 2 * ( a * b + b * c + c * a ); // as a box has; the others are near it
	return 2 * quads <= PN_MAX_SHAPE_TRIANGLES ? true : pnFailAt( reader, node, "makes more than %d triangles", PN_MAX_SHAPE_TRIANGLES );
}

static bool pnReadShapeNumbers( pnReader* reader, const pnNode* node, pnShapeKind kind, pnShapeNumbers* numbers )
{
	const pnShapeKeys* keys = pnShapes + kind;
	static const char* const all[] = { "size", "radius", "inner_radius", "height", "hole_radius", "divisions" };
	for ( int i = 0; i < 6; ++i )
	{
		bool taken = i == 5 ? keys->divisionCount > 0 : false;
		for ( int j = 0; j < 2; ++j )
		{
			taken = taken || ( keys->sizes[j] != NULL && strcmp( keys->sizes[j], all[i] ) == 0 );
		}
		pnNode child = pnGetChild( node, all[i] );
		if ( child.json != NULL && taken == false )
		{
			return pnFailAtKey( reader, &child, "means nothing for a %s", pnShapeNames[kind] );
		}
		if ( i == 5 || taken == false )
		{
			continue;
		}
		if ( pnCheckThere( reader, node, all[i], i == 0 ? "[x, y, z], m" : "m" ) == false )
		{
			return false;
		}
		double* number = i == 1 ? &numbers->radius : i == 2 ? &numbers->innerRadius : i == 3 ? &numbers->height : &numbers->holeRadius;
		if ( i == 0 && pnReadVector( reader, &child, &numbers->size ) )
		{
			double least = fmin( numbers->size.x, fmin( numbers->size.y, numbers->size.z ) );
			double most = fmax( numbers->size.x, fmax( numbers->size.y, numbers->size.z ) );
			if ( !( least >= 1e-6 && most <= 1e6 ) )
			{
				return pnFailAt( reader, &child, "wants three lengths from 1e-06 to 1e+06" );
			}
		}
		else if ( i != 0 )
		{
			pnReadNumber( reader, &child, 1e-6, 1e6, number );
		}
	}
	pnNode inner = pnGetChild( node, "inner_radius" ), hole = pnGetChild( node, "hole_radius" ), divisions = pnGetChild( node, "divisions" );
	if ( reader->failed == false && kind == pn_hollowSkin && !( numbers->innerRadius < 0.999 * numbers->radius ) )
	{
		return pnFailAt( reader, &inner, "must be less than the radius" );
	}
	if ( reader->failed == false && kind == pn_holeSkin && !( numbers->holeRadius < 0.499 * fmin( numbers->size.x, numbers->size.y ) ) )
	{
		return pnFailAt( reader, &hole, "must be less than half the block's width and height" );
	}
	return pnReadDivisions( reader, &divisions, keys, numbers->divisions );
}

static bool pnMakeShape( pnReader* reader, const pnNode* node, pnShapeKind kind, const pnShapeNumbers* numbers, pnSkinMesh* skin )
{
	char problem[300];
	switch ( kind )
	{
	case pn_boxSkin:
		pnMakeBoxSkin( skin, numbers->size, numbers->divisions );
		break;
	case pn_sphereSkin:
	case pn_hollowSkin:
		pnMakeSphereSkin( skin, numbers->radius, kind == pn_hollowSkin ? numbers->innerRadius : 0.0, numbers->divisions[0] );
		break;
	case pn_cylinderSkin:
		pnMakeCylinderSkin( skin, numbers->radius, numbers->height, numbers->divisions );
		break;
	case pn_holeSkin:
		pnMakeHoleSkin( skin, numbers->size, numbers->holeRadius, numbers->divisions );
		break;
	case pn_animalSkin:
		pnMakeAnimalSkin( skin, numbers->divisions[0] );
		break;
	default:
	{
		FILE* file = fopen( PLIANT_BUNNY, "rb" );
		if ( file == NULL )
		{
			return pnFailAt( reader, node, "the bunny is not here; the command `tools/fetch_bunny.sh` brings it" );
		}
		fclose( file );
		if ( pnLoadMeshSkin( PLIANT_BUNNY, skin, problem, sizeof( problem ) ) == false )
		{
			return pnFailAt( reader, node, "cannot read the bunny, %s: %s", PLIANT_BUNNY, problem );
		}
		break;
	}
	}
	return skin->failed ? pnFailAt( reader, node, "there is no memory for it" ) : true;
}

// ---- files ----

// A path in a problem file is relative to it.
static bool pnReadPath( pnReader* reader, const pnNode* node, char* path, size_t size )
{
	const char* name;
	if ( pnReadText( reader, node, &name ) == false )
	{
		return false;
	}
	const char* slash = strrchr( reader->file, '/' );
	int folder = name[0] == '/' || slash == NULL ? 0 : (int)( slash - reader->file ) + 1;
	int length = snprintf( path, size, "%.*s%s", folder, reader->file, name );
	return name[0] != 0 && length > 0 && (size_t)length < size ? true : pnFailAt( reader, node, "wants the name of a file" );
}

static bool pnReadSkinFile( pnReader* reader, const pnNode* node, bool isCloud, bool dry, pnSkinMesh* skin )
{
	char path[4096], problem[300];
	if ( pnReadPath( reader, node, path, sizeof( path ) ) == false || dry )
	{
		return reader->failed == false;
	}
	bool good = isCloud ? pnLoadCloudSkin( path, skin, problem, sizeof( problem ) ) : pnLoadMeshSkin( path, skin, problem, sizeof( problem ) );
	return good ? true : pnFailAt( reader, node, "cannot use '%.120s': %s", path, problem );
}

// ---- where it lies ----

static bool pnReadPlacement( pnReader* reader, const pnNode* node, pnSkinMesh* skin )
{
	pnNode scaleNode = pnGetChild( node, "scale" ), turnNode = pnGetChild( node, "turn" ), moveNode = pnGetChild( node, "move" );
	double scale = 1.0;
	pnVec3d turn = { 0.0, 0.0, 0.0 }, move = { 0.0, 0.0, 0.0 };
	if ( ( scaleNode.json != NULL && pnReadNumber( reader, &scaleNode, 1e-6, 1e6, &scale ) == false ) ||
		 ( turnNode.json != NULL && pnReadTurn( reader, &turnNode, &pn_turnKeys, &turn ) == false ) ||
		 ( moveNode.json != NULL && pnReadVector( reader, &moveNode, &move ) == false ) )
	{
		return false;
	}
	for ( int i = 0; i < skin->pointCount; ++i )
	{
		skin->points[i] = pnAddD( move, pnTurnBy( turn, pnScaleD( scale, skin->points[i] ) ) );
		if ( skin->normals != NULL )
		{
			skin->normals[i] = pnTurnBy( turn, skin->normals[i] );
		}
	}
	return true;
}

// ---- other places to collocate at ----

static bool pnAllocPlaces( pnReader* reader, const pnNode* node, int count, bool withAreas, pnProblem* problem )
{
	problem->places = malloc( (size_t)( count + 1 ) * sizeof( pnVec3d ) );
	problem->placeNormals = malloc( (size_t)( count + 1 ) * sizeof( pnVec3d ) );
	problem->placeGroups = malloc( (size_t)( count + 1 ) * sizeof( int32_t ) );
	problem->placeAreas = withAreas ? malloc( (size_t)( count + 1 ) * sizeof( double ) ) : NULL;
	problem->placeCount = count;
	bool good = problem->places != NULL && problem->placeNormals != NULL && problem->placeGroups != NULL;
	return good && ( withAreas == false || problem->placeAreas != NULL ) ? true : pnFailAt( reader, node, "there is no memory for it" );
}

// One in the middle of each facet, with its normal and area.
static bool pnPlaceOnFacets( pnReader* reader, const pnNode* node, pnProblem* problem )
{
	const pnSkinMesh* skin = &problem->skin;
	int part = skin->quads ? 2 : 1;
	if ( pnAllocPlaces( reader, node, skin->triangleCount / part, true, problem ) == false )
	{
		return false;
	}
	for ( int i = 0; i < problem->placeCount; ++i )
	{
		pnVec3d sum = { 0.0, 0.0, 0.0 }, areas = { 0.0, 0.0, 0.0 };
		double total = 0.0;
		for ( int j = 0; j < part; ++j )
		{
			const int32_t* corners = skin->triangles + 3 * ( (size_t)i * (size_t)part + (size_t)j );
			pnVec3d a = skin->points[corners[0]], b = skin->points[corners[1]], c = skin->points[corners[2]];
			pnVec3d normal = pnScaleD( 0.5, pnCrossD( pnSubD( b, a ), pnSubD( c, a ) ) );
			double area = pnLengthD( normal );
			sum = pnMulAddD( sum, area / 3.0, pnAddD( a, pnAddD( b, c ) ) );
			areas = pnAddD( areas, normal );
			total += area;
		}
		if ( !( total > 0.0 ) || !( pnLengthD( areas ) > 0.0 ) )
		{
			return pnFailAt( reader, node, "facet %d has no area", i );
		}
		problem->places[i] = pnScaleD( 1.0 / total, sum );
		problem->placeNormals[i] = pnUnitD( areas );
		problem->placeAreas[i] = pnLengthD( areas );
		problem->placeGroups[i] = skin->groups[part * i];
	}
	return true;
}

// Some of the vertices, evenly spread (each the farthest from those before it), with normals from the triangles around them.
static bool pnPlaceOnVertices( pnReader* reader, const pnNode* node, int wanted, pnProblem* problem )
{
	const pnSkinMesh* skin = &problem->skin;
	size_t count = (size_t)skin->pointCount;
	int kept = wanted > 0 && wanted < skin->pointCount ? wanted : skin->pointCount;
	if ( (double)kept * (double)count > 4e8 )
	{
		return pnFailAt( reader, node, "the surface has too many vertices (%zu) to choose %d of", count, kept );
	}
	pnVec3d* normals = calloc( count + 1, sizeof( pnVec3d ) );
	int32_t* groups = calloc( count + 1, sizeof( int32_t ) );
	double* distances = malloc( ( count + 1 ) * sizeof( double ) );
	bool good = normals != NULL && groups != NULL && distances != NULL;
	good = good ? pnAllocPlaces( reader, node, kept, false, problem ) : pnFailAt( reader, node, "there is no memory for it" );
	for ( int i = 0; i < 3 * skin->triangleCount && good; ++i )
	{
		const int32_t* corners = skin->triangles + i / 3 * 3;
		int k = i % 3;
		pnVec3d a = skin->points[corners[k]];
		pnVec3d b = pnSubD( skin->points[corners[( k + 1 ) % 3]], a ), c = pnSubD( skin->points[corners[( k + 2 ) % 3]], a );
		double angle = atan2( pnLengthD( pnCrossD( b, c ) ), pnDotD( b, c ) ); // weighted so, the diagonals of quads do not matter
		normals[corners[k]] = pnMulAddD( normals[corners[k]], angle, pnUnitD( pnCrossD( b, c ) ) );
		groups[corners[k]] = skin->groups[i / 3];
	}
	size_t next = 0;
	for ( size_t i = 0; i < count && good; ++i )
	{
		distances[i] = INFINITY;
	}
	for ( int i = 0; i < kept && good; ++i )
	{
		problem->places[i] = skin->points[next];
		problem->placeNormals[i] = normals[next];
		problem->placeGroups[i] = groups[next];
		size_t last = next;
		for ( size_t j = 0; j < count; ++j )
		{
			pnVec3d d = pnSubD( skin->points[j], skin->points[last] );
			distances[j] = fmin( distances[j], pnDotD( d, d ) );
			next = distances[j] > distances[next] ? j : next;
		}
	}
	free( normals );
	free( groups );
	free( distances );
	return good;
}

// ---- all of it ----

static void pnFindBounds( pnProblem* problem )
{
	const pnSkinMesh* skin = &problem->skin;
	for ( int i = 0; i < skin->pointCount; ++i )
	{
		pnVec3d p = skin->points[i], *lower = &problem->lower, *upper = &problem->upper;
		*lower = i == 0 ? p : pnMakeD( fmin( lower->x, p.x ), fmin( lower->y, p.y ), fmin( lower->z, p.z ) );
		*upper = i == 0 ? p : pnMakeD( fmax( upper->x, p.x ), fmax( upper->y, p.y ), fmax( upper->z, p.z ) );
	}
}

static bool pnReadForm( pnReader* reader, const pnNode* node, bool isCloud, bool dry, pnProblem* problem )
{
	static const char* const forms[] = { "mesh", "points", "cloud" };
	pnNode formNode = pnGetChild( node, "as" ), pointsNode = pnGetChild( node, "points" );
	int form = 0, points = 0;
	if ( formNode.json != NULL && pnReadWord( reader, &formNode, forms, 3, &form ) == false )
	{
		return false;
	}
	if ( isCloud && formNode.json != NULL )
	{
		return pnFailAtKey( reader, &formNode, "means nothing for a file that is a cloud already" );
	}
	if ( pointsNode.json != NULL && form != 2 )
	{
		return pnFailAtKey( reader, &pointsNode, "goes with \"as\": \"cloud\"" );
	}
	if ( pointsNode.json != NULL && pnReadWhole( reader, &pointsNode, 20, 20000, &points ) == false )
	{
		return false;
	}
	if ( dry || form == 0 )
	{
		return true;
	}
	return form == 1 ? pnPlaceOnFacets( reader, &formNode, problem ) : pnPlaceOnVertices( reader, &formNode, points, problem );
}

bool pnReadSurface( pnReader* reader, const pnNode* node, bool dry, pnProblem* problem )
{
	if ( pnCheckObject( reader, node, &pn_surfaceKeys ) == false )
	{
		return false;
	}
	pnNode shapeNode = pnGetChild( node, "shape" ), meshNode = pnGetChild( node, "mesh" ), cloudNode = pnGetChild( node, "cloud" );
	if ( ( shapeNode.json != NULL ) + ( meshNode.json != NULL ) + ( cloudNode.json != NULL ) != 1 )
	{
		return pnFailAt( reader, node, "needs one of \"shape\", \"mesh\" (a file) and \"cloud\" (a file)" );
	}
	pnSkinMesh* skin = &problem->skin;
	if ( shapeNode.json != NULL )
	{
		int kind = 0;
		pnShapeNumbers numbers = { .size = { 0.0, 0.0, 0.0 } };
		if ( pnReadWord( reader, &shapeNode, pnShapeNames, pn_shapeCount, &kind ) == false ||
			 pnReadShapeNumbers( reader, node, (pnShapeKind)kind, &numbers ) == false )
		{
			return false;
		}
		if ( dry == false && pnMakeShape( reader, &shapeNode, (pnShapeKind)kind, &numbers, skin ) == false )
		{
			return false;
		}
	}
	else
	{
		for ( int i = 3; i < 9; ++i ) // what is said of shapes
		{
			pnNode child = pnGetChild( node, surfaceList[i] );
			if ( child.json != NULL )
			{
				return pnFailAtKey( reader, &child, "goes with a shape; a file is made larger with \"scale\"" );
			}
		}
		bool isCloud = cloudNode.json != NULL;
		if ( pnReadSkinFile( reader, isCloud ? &cloudNode : &meshNode, isCloud, dry, skin ) == false )
		{
			return false;
		}
	}
	if ( pnReadPlacement( reader, node, skin ) == false || pnReadForm( reader, node, cloudNode.json != NULL, dry, problem ) == false )
	{
		return false;
	}
	pnFindBounds( problem );
	return true;
}
