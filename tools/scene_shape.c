// scene_shape.c - the shapes of a scene file: what does not bend, resting or moved by key frames. Knows no bodies.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_parts.h"

#include "mesh_file.h"
#include "shape.h"

#include <stdlib.h>
#include <string.h>

typedef enum pnObstacle
{
	pn_floorObstacle,
	pn_planeObstacle,
	pn_ballObstacle,
	pn_capsuleObstacle,
	pn_boxObstacle,
	pn_hullObstacle,
	pn_meshObstacle,
	pn_heightsObstacle,
	pn_trayObstacle, // four planes that lean outward
	pn_obstacleCount,
} pnObstacle;

static const char* const pnObstacleNames[pn_obstacleCount] = { "floor", "plane", "ball", "capsule", "box", "hull", "mesh", "heights", "tray" };

// The keys that only some kinds have: a bit for each kind.
typedef struct pnObstacleKey { const char* name; uint32_t kinds; } pnObstacleKey;
#define PN_BIT( KIND ) ( 1u << ( KIND ) )
static const pnObstacleKey pnOwnKeys[] = {
	{ "radius", PN_BIT( pn_ballObstacle ) | PN_BIT( pn_capsuleObstacle ) },
	{ "length", PN_BIT( pn_capsuleObstacle ) },
	{ "size", PN_BIT( pn_boxObstacle ) },
	{ "points", PN_BIT( pn_hullObstacle ) },
	{ "file", PN_BIT( pn_meshObstacle ) },
	{ "scale", PN_BIT( pn_meshObstacle ) },
	{ "rows", PN_BIT( pn_heightsObstacle ) },
	{ "spacing", PN_BIT( pn_heightsObstacle ) },
	{ "half", PN_BIT( pn_trayObstacle ) },
	{ "slope", PN_BIT( pn_trayObstacle ) },
};
static const char* const obstacleList[] = { "shape", "at", "turn", "up", "friction", "restitution", "color", "touches", "layers", "mask", "keys",
											"linear", "radius", "length", "size", "points", "file", "scale", "rows", "spacing", "half", "slope" };
const pnKeyTable pn_obstacleKeys = { "shape", obstacleList, (int)( sizeof( obstacleList ) / sizeof( obstacleList[0] ) ) };

static bool pnReadHullPoints( pnReader* reader, const pnNode* node, pnSceneShape* shape )
{
	pnNode list = pnGetChild( node, "points" );
	int count;
	if ( pnReadList( reader, &list, 4, 4096, &count ) == false )
	{
		return false;
	}
	shape->points = malloc( (size_t)count * sizeof( pnVec3 ) );
	if ( shape->points == NULL )
	{
		return pnFailAt( reader, &list, "there is no memory for it" );
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( &list, i );
		pnVec3d point;
		if ( pnReadVector( reader, &item, &point ) == false )
		{
			return false;
		}
		shape->points[i] = pnMakeVec3( (float)point.x, (float)point.y, (float)point.z );
	}
	shape->def.points = shape->points;
	shape->def.pointCount = count;
	return true;
}

static bool pnReadObstacleMesh( pnReader* reader, const pnNode* node, const pnSceneFile* file, pnSceneShape* shape )
{
	pnNode nameNode = pnGetChild( node, "file" );
	char path[4096];
	float scale = 1.0f;
	pnMeshFile mesh = { 0 };
	pnMeshFault fault;
	if ( pnReadScenePath( reader, &nameNode, file->anyPath, path, sizeof( path ) ) == false || pnReadFloat( reader, node, "scale", 1e-9, 1e9, &scale ) == false )
	{
		return false;
	}
	if ( pnLoadMeshFile( path, &mesh, &fault ) == false )
	{
		return pnFailAt( reader, &nameNode, "cannot read '%.120s': %s", path, fault.text );
	}
	shape->points = pnCopyMeshPoints( &mesh, scale );
	shape->triangles = mesh.triangles;
	mesh.triangles = NULL;
	shape->def.points = shape->points;
	shape->def.pointCount = mesh.pointCount;
	shape->def.triangles = shape->triangles;
	shape->def.triangleCount = mesh.triangleCount;
	pnFreeMeshFile( &mesh );
	return shape->points != NULL ? true : pnFailAt( reader, &nameNode, "there is no memory for it" );
}

static bool pnReadHeights( pnReader* reader, const pnNode* node, pnSceneShape* shape )
{
	pnNode rows = pnGetChild( node, "rows" );
	int rowCount, columnCount = 0;
	if ( pnCheckThere( reader, node, "spacing", "between neighbours, m" ) == false || pnReadList( reader, &rows, 2, 2048, &rowCount ) == false ||
		 pnReadFloat( reader, node, "spacing", 1e-6, 1e6, &shape->def.heightSpacing ) == false )
	{
		return false;
	}
	for ( int i = 0; i < rowCount; ++i )
	{
		pnNode row = pnGetItem( &rows, i );
		int count;
		if ( pnReadList( reader, &row, i == 0 ? 2 : columnCount, i == 0 ? 2048 : columnCount, &count ) == false )
		{
			return false;
		}
		if ( i == 0 )
		{
			columnCount = count;
			shape->heights = malloc( (size_t)rowCount * (size_t)count * sizeof( float ) );
			if ( shape->heights == NULL )
			{
				return pnFailAt( reader, &rows, "there is no memory for it" );
			}
		}
		for ( int j = 0; j < count; ++j )
		{
			pnNode item = pnGetItem( &row, j );
			double height = 0.0;
			if ( pnReadNumber( reader, &item, -1e6, 1e6, &height ) == false )
			{
				return false;
			}
			shape->heights[i * columnCount + j] = (float)height;
		}
	}
	shape->def.heights = shape->heights;
	shape->def.heightCountX = columnCount;
	shape->def.heightCountZ = rowCount;
	return true;
}

// The library takes it, or says why not.
static bool pnTryShape( pnReader* reader, const pnNode* node, const pnSceneFile* file, const pnShapeDef* def )
{
	pnShapeId id;
	pnResult result = pnCreateShape( file->scratch, def, &id );
	if ( result != pn_success )
	{
		return pnTellRefusal( reader, node, result );
	}
	pnDestroyShape( file->scratch, id );
	return true;
}

// Four planes, the same as pnAddWalls makes.
static bool pnAddTray( pnReader* reader, const pnNode* node, pnSceneFile* file, const pnShapeDef* like )
{
	pnNode half = pnGetChild( node, "half" );
	float slope = 0.0f;
	int two;
	double halves[2] = { 0.0, 0.0 };
	if ( pnReadList( reader, &half, 2, 2, &two ) == false || pnReadFloat( reader, node, "slope", 0.0, 100.0, &slope ) == false )
	{
		return false;
	}
	for ( int i = 0; i < 2; ++i )
	{
		pnNode item = pnGetItem( &half, i );
		if ( pnReadNumber( reader, &item, 1e-6, 1e6, halves + i ) == false )
		{
			return false;
		}
	}
	for ( int wall = 0; wall < 4; ++wall )
	{
		float side = ( wall & 1 ) != 0 ? 1.0f : -1.0f;
		pnVec3 out = wall < 2 ? pnMakeVec3( side, 0.0f, 0.0f ) : pnMakeVec3( 0.0f, 0.0f, side );
		pnSceneShape* shape = file->shapes + file->shapeCount++;
		shape->def = *like;
		shape->def.kind = pn_planeShape;
		shape->def.transform.p = pnAdd( like->transform.p, pnScale( (float)halves[wall / 2], out ) );
		shape->def.transform.q = pnSceneTilt( pnMakeVec3( -out.x, slope, -out.z ) );
	}
	return true;
}

static bool pnReadSceneShape( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	pnNode kindNode = pnGetChild( node, "shape" ), color = pnGetChild( node, "color" );
	int kind = 0;
	if ( pnCheckObject( reader, node, &pn_obstacleKeys ) == false || pnCheckThere( reader, node, "shape", "floor, ball, capsule, box, ..." ) == false ||
		 pnReadWord( reader, &kindNode, pnObstacleNames, pn_obstacleCount, &kind ) == false )
	{
		return false;
	}
	for ( size_t i = 0; i < sizeof( pnOwnKeys ) / sizeof( pnOwnKeys[0] ); ++i )
	{
		pnNode child = pnGetChild( node, pnOwnKeys[i].name );
		bool taken = ( pnOwnKeys[i].kinds & PN_BIT( kind ) ) != 0;
		bool optional = strcmp( pnOwnKeys[i].name, "scale" ) == 0 || strcmp( pnOwnKeys[i].name, "slope" ) == 0;
		if ( child.json != NULL && taken == false )
		{
			return pnFailAtKey( reader, &child, "means nothing for a %s", pnObstacleNames[kind] );
		}
		if ( child.json == NULL && taken && optional == false )
		{
			return pnFailAt( reader, node, "a %s needs \"%s\"", pnObstacleNames[kind], pnOwnKeys[i].name );
		}
	}
	static const pnShapeKind kinds[pn_obstacleCount] = { pn_planeShape, pn_planeShape, pn_sphereShape, pn_capsuleShape, pn_boxShape,
														 pn_hullShape,	pn_meshShape,  pn_heightShape, pn_planeShape };
	pnSceneShape shape = { .def = pnDefaultShapeDef() };
	shape.def.kind = kinds[kind];
	uint32_t rgb = 0;
	float length = 0.0f;
	pnVec3 size = { 0 };
	bool good = pnReadPose( reader, node, &shape.def.transform ) && pnReadFloat( reader, node, "friction", 0.0, 1000.0, &shape.def.friction ) &&
				pnReadFloat( reader, node, "restitution", 0.0, 1.0, &shape.def.restitution ) && pnReadFilter( reader, node, &shape.def.filter ) &&
				pnReadFloat( reader, node, "radius", 1e-6, 1e6, &shape.def.radius ) && pnReadFloat( reader, node, "length", 0.0, 1e6, &length ) &&
				pnReadSizes( reader, node, "size", &size ) && ( color.json == NULL || pnReadColor( reader, &color, &rgb ) );
	shape.def.halfExtents = kind == pn_capsuleObstacle ? pnMakeVec3( 0.0f, 0.5f * length, 0.0f ) : pnScale( 0.5f, size );
	shape.def.userData = rgb != 0 ? pnPackColors( rgb, 0, 0, 0 ) : shape.def.userData;
	good = good && ( kind != pn_hullObstacle || pnReadHullPoints( reader, node, &shape ) );
	good = good && ( kind != pn_meshObstacle || pnReadObstacleMesh( reader, node, file, &shape ) );
	good = good && ( kind != pn_heightsObstacle || pnReadHeights( reader, node, &shape ) );
	good = good && pnReadKeys( reader, node, &shape.def.transform, &pn_shapeKeyKeys, &shape.keys );
	if ( good && kind == pn_trayObstacle )
	{
		if ( shape.keys.count > 0 )
		{
			pnNode keys = pnGetChild( node, "keys" );
			free( shape.keys.keys );
			return pnFailAtKey( reader, &keys, "a tray does not move; four planes may" );
		}
		return pnAddTray( reader, node, file, &shape.def );
	}
	if ( good && shape.keys.count > 0 ) // it is where the keys say from the beginning
	{
		pnKey first = pnEvaluateKeys( &shape.keys, 0.0f );
		shape.def.transform = (pnTransform){ first.at, first.turn };
	}
	good = good && pnTryShape( reader, node, file, &shape.def );
	if ( good == false )
	{
		free( shape.points );
		free( shape.triangles );
		free( shape.heights );
		free( shape.keys.keys );
		return false;
	}
	file->shapes[file->shapeCount++] = shape;
	return true;
}

bool pnReadSceneShapes( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	int count;
	if ( pnReadList( reader, node, 0, PN_MAX_SHAPES, &count ) == false )
	{
		return false;
	}
	file->shapes = calloc( 4 * (size_t)count + 1, sizeof( pnSceneShape ) ); // a tray has four
	if ( file->shapes == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		if ( pnReadSceneShape( reader, &item, file ) == false )
		{
			return false;
		}
	}
	return true;
}
