// cmd_info.c - `pliant info`: what a mesh, a scene or a snapshot holds, and what it would cost. Knows no formats.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../mesh_file.h"
#include "../options.h"
#include "../saved_run.h"
#include "../scene_cost.h"
#include "../scene_find.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char pnInfoName[] = "pliant info";

enum
{
	PN_MAX_INFO_GROUPS = 12 // that are listed
};

static const double pnTryTime = 2.0; // s of processor time to find out what a frame takes; long scenes take three times that

// ---- cost ----

static void pnPrintCost( const pnCost* cost, float rate, int substeps )
{
	const pnProfile* p = &cost->profile;
	printf( "  %-10s %d %s, %d points, %d clusters, %d memberships\n", "world", p->bodyCount, p->bodyCount == 1 ? "body" : "bodies", p->pointCount, p->clusterCount,
			p->membershipCount );
	printf( "  %-10s %.3g MB\n", "memory", 1e-6 * (double)cost->byteCount );
	if ( cost->framesTried > 0 )
	{
		printf( "  %-10s %.3g ms a frame on one thread here (%d substeps at %g Hz: %.2g times real time), mean of %s %d frames%s\n", "time", cost->forecast, substeps, (double)rate,
				1e3 / ( (double)rate * cost->forecast ), cost->framesForecast >= cost->frames ? "all" : "the first", cost->framesForecast,
				cost->framesForecast > cost->framesTried ? ", most of them tried with one substep" : "" );
	}
}

// ---- scenes ----

static int pnShowScene( const char* name, bool anyPath )
{
	const pnScene* scene;
	int code = pnOpenScene( pnInfoName, name, anyPath, &scene );
	if ( code != 0 )
	{
		return code;
	}
	pnCost cost;
	printf( "%s: a scene, %s\n", name, scene->text[0] != 0 ? scene->text : "without a title" );
	printf( "  %-10s %d frames, %.2f s at %g Hz, %d substeps%s\n", "length", scene->frames, (double)scene->frames / (double)scene->rate, (double)scene->rate, scene->substeps,
			scene->script != NULL ? ", with commands" : "" );
	if ( pnForecastScene( scene, pnTryTime, &cost ) == false || cost.result != pn_success )
	{
		code = pnFail( PN_EXIT_FAILURE, pnInfoName, "'%s' cannot be made or run: %s", name, pnResultText( cost.result ) );
	}
	else
	{
		pnPrintCost( &cost, scene->rate, scene->substeps );
	}
	pnCloseScene( scene );
	return code;
}

// ---- meshes ----

// One body of the mesh, as a scene that falls on a floor: made by these two.
typedef struct pnMeshScene { pnSolid* solid; float height; } pnMeshScene;

static pnResult pnBuildMeshScene( const void* content, pnWorld* world )
{
	const pnMeshScene* scene = content;
	pnShapeDef shape = pnDefaultShapeDef();
	pnShapeId id;
	pnBodyDef def = pnDefaultBodyDef();
	pnBodyId body;
	def.solid = scene->solid;
	def.transform.p.y = scene->height;
	pnResult result = pnCreateShape( world, &shape, &id );
	return result == pn_success ? pnCreateBody( world, &def, &body ) : result;
}

static pnResult pnLeadMeshScene( const void* content, pnWorld* world, int frame, float timeStep )
{
	(void)content;
	(void)world;
	(void)frame;
	(void)timeStep;
	return pn_success;
}

static void pnPrintMesh( const char* path, const pnMeshFile* mesh, const pnMeshCheck* check )
{
	printf( "%s: a mesh, %d points, %d triangles", path, mesh->pointCount, mesh->triangleCount );
	if ( mesh->tetCount > 0 )
	{
		printf( ", %d tetrahedra", mesh->tetCount );
	}
	printf( "\n  %-10s %.4g x %.4g x %.4g, from (%.4g, %.4g, %.4g) to (%.4g, %.4g, %.4g)\n", "size", check->upper.x - check->lower.x, check->upper.y - check->lower.y,
			check->upper.z - check->lower.z, check->lower.x, check->lower.y, check->lower.z, check->upper.x, check->upper.y, check->upper.z );
	if ( mesh->triangleCount > 0 )
	{
		printf( "  %-10s %s, %s, in %d part%s; area %.4g", "surface", check->closed ? "closed" : "not closed", check->manifold ? "manifold" : "not manifold", check->parts,
				check->parts == 1 ? "" : "s", check->area );
		check->closed ? printf( ", volume %.4g%s\n", fabs( check->volume ), check->volume < 0.0 ? " (inside out)" : "" ) : printf( "\n" );
		if ( check->closed == false || check->emptyTriangles > 0 )
		{
			printf( "  %-10s %d open edges, %d with more than two triangles, %d between triangles of opposite sense, %d triangles without area\n", "", check->openEdges,
					check->crowdedEdges, check->flippedEdges, check->emptyTriangles );
		}
	}
	printf( "  %-10s", "groups" );
	for ( int i = 0; i < mesh->groupCount && i < PN_MAX_INFO_GROUPS; ++i )
	{
		printf( "%s %s", i > 0 ? "," : "", mesh->names[i] );
	}
	printf( "%s\n", mesh->groupCount > PN_MAX_INFO_GROUPS ? ", ..." : mesh->groupCount == 0 ? " none" : "" );
	if ( mesh->valueCount > 0 || mesh->colors != NULL )
	{
		printf( "  %-10s%s", "vertices", mesh->colors != NULL ? " colours" : "" );
		for ( int i = 0; i < mesh->valueCount; ++i )
		{
			printf( "%s %s", i > 0 || mesh->colors != NULL ? "," : "", mesh->valueNames[i] );
		}
		printf( "\n" );
	}
}

static char pnLastWords[300];
static void pnKeepWords( const char* message ) { snprintf( pnLastWords, sizeof( pnLastWords ), "%s", message ); }

static int pnShowMesh( const char* path )
{
	pnMeshFile mesh;
	pnMeshFault fault;
	pnMeshCheck check;
	if ( pnLoadMeshFile( path, &mesh, &fault ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnInfoName, "%s: %s", path, fault.text );
	}
	if ( pnCheckMesh( &mesh, &check ) == false )
	{
		pnFreeMeshFile( &mesh );
		return pnFail( PN_EXIT_FAILURE, pnInfoName, "%s: there is no memory for it", path );
	}
	pnPrintMesh( path, &mesh, &check );
	pnVec3* points = pnCopyMeshPoints( &mesh, 1.0f );
	pnSolidDef def = pnDefaultSolidDef();
	def.points = points;
	def.pointCount = mesh.pointCount;
	def.triangles = mesh.tetCount > 0 ? NULL : mesh.triangles;
	def.triangleCount = mesh.tetCount > 0 ? 0 : mesh.triangleCount;
	def.tetrahedra = mesh.tetrahedra;
	def.tetrahedronCount = mesh.tetCount;
	def.clusters.kind = mesh.tetCount > 0 ? pn_tetClusters : pn_autoClusters;
	pnMeshScene content = { NULL, 1e-3f - (float)check.lower.y };
	pnSetLogFcn( pnKeepWords );
	pnResult result = points != NULL ? pnCreateSolid( &def, &content.solid ) : pn_outOfMemory;
	int code = 0;
	if ( result != pn_success )
	{
		code = pnFail( PN_EXIT_FAILURE, pnInfoName, "%s: no solid can be made of it: %s", path, pnLastWords[0] != 0 ? pnLastWords : pnResultText( result ) );
	}
	else
	{
		pnSolidInfo info = pnSolid_GetInfo( content.solid );
		printf( "  as a solid, with its vertices as points and clusters %s:\n", mesh.tetCount > 0 ? "of its tetrahedra" : "as many as suit it" );
		printf( "  %-10s %d points, %d clusters, %d memberships%s\n", "sampled", info.particleCount, info.clusterCount, info.membershipCount,
				info.islandCount > 1 ? "; it falls into parts that nothing holds together" : "" );
		pnScene scene = { .name = "mesh", .text = "", .rate = 60.0f, .substeps = 4, .frames = 120, .content = &content, .build = pnBuildMeshScene, .lead = pnLeadMeshScene };
		pnCost cost;
		if ( pnTryScene( &scene, pnTryTime, -1, &cost ) && cost.result == pn_success )
		{
			pnPrintCost( &cost, scene.rate, scene.substeps );
		}
		if ( info.particleCount > 20000 && mesh.triangleCount > 0 )
		{
			printf( "  that is much: \"sample\": { \"count\": 2000 } in a scene carries it as a skin on 2000 points\n" );
		}
	}
	pnSetLogFcn( NULL );
	pnDestroySolid( content.solid );
	free( points );
	pnFreeMeshFile( &mesh );
	return code;
}

// ---- snapshots ----

static int pnShowSnapshot( const char* path )
{
	pnWorld* world;
	pnWorldDef def = pnDefaultWorldDef();
	if ( pnCreateWorld( &def, &world ) != pn_success )
	{
		return pnFail( PN_EXIT_FAILURE, pnInfoName, "there is no memory for a world" );
	}
	pnSavedRun run;
	const char* problem = pnLoadRun( path, world, &run );
	int code = 0;
	if ( problem != NULL )
	{
		code = pnFail( PN_EXIT_FAILURE, pnInfoName, "'%s' is no mesh and no scene by its ending, and as a snapshot: %s", path, problem );
	}
	else
	{
		pnProfile profile = pnWorld_GetProfile( world );
		int bodyCount = pnWorld_GetBodies( world, NULL, 0 );
		printf( "%s: a snapshot of '%s' at frame %d, %g Hz, %d substeps\n", path, run.scene, run.frame, (double)run.rate, run.substeps );
		printf( "  %-10s %d %s, %d shapes, %d grabs\n", "world", bodyCount, bodyCount == 1 ? "body" : "bodies", pnWorld_GetShapes( world, NULL, 0 ), pnWorld_GetGrabs( world, NULL, 0 ) );
		printf( "  %-10s %.3g MB\n  %-10s 0x%016llx\n", "memory", 1e-6 * (double)profile.byteCount, "hash", (unsigned long long)pnWorld_GetHash( world ) );
	}
	pnDestroyWorld( world );
	return code;
}

int pnCmdInfo( int argc, char** argv )
{
	const char* name = NULL;
	int nameCount;
	bool help, anyPath = false;
	const pnOption options[] = { { "--any-path", pn_flagOption, &anyPath, 0, 0, NULL, "a scene file may name files outside its folder" } };
	int code = pnReadOptions( pnInfoName, options, 1, argc, argv, &name, &nameCount, 1, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		printf( "usage: pliant info FILE\nWhat a mesh, a scene (or the name of one) or a snapshot holds; memory and time it takes, found by running it for some seconds.\n\n"
				"  pliant info bunny.obj          # closed? manifold? how would it be sampled?\n"
				"  pliant info fall.scene.json\n"
				"  pliant info heap.pliant\n\n" );
		pnPrintOptions( stdout, options, 1 );
		printf( "\nExit codes: 0, 1 the file is wrong or cannot be read, 2 called wrongly.\n" );
		return 0;
	}
	if ( nameCount == 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnInfoName, "which file? A mesh, a scene or a snapshot" );
	}
	char path[PN_SCENE_PATH_SIZE];
	size_t length = strlen( name );
	bool isScene = ( length > 5 && strcmp( name + length - 5, ".json" ) == 0 ) || pnFindScene( name ) != NULL || pnFindShippedScene( name, path );
	return pnIsMeshFile( name ) ? pnShowMesh( name ) : isScene ? pnShowScene( name, anyPath ) : pnShowSnapshot( name );
}
