// cmd_check.c - `pliant check`: is a scene or a mesh as it should be? Says what is wrong and where. Knows no formats.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "commands.h"

#include "../mesh_file.h"
#include "../options.h"
#include "../scene_cost.h"
#include "../scene_find.h"

#include <string.h>

static const char pnCheckName[] = "pliant check";

static int pnCheckSceneFile( const char* name, bool anyPath, int frames )
{
	const pnScene* scene;
	int code = pnOpenScene( pnCheckName, name, anyPath, &scene );
	if ( code != 0 )
	{
		return code;
	}
	pnCost cost;
	if ( pnTryScene( scene, 60.0, frames, &cost ) == false || cost.result != pn_success )
	{
		code = pnFail( PN_EXIT_FAILURE, pnCheckName, "'%s' cannot be made or run: %s", name, pnResultText( cost.result ) );
	}
	else
	{
		if ( cost.deepCount > 0 )
		{
			char other[40] = "a shape";
			if ( cost.deepest.b.index1 != 0 )
			{
				snprintf( other, sizeof( other ), "body %d", (int)cost.deepest.b.index1 );
			}
			printf( "%s: %d pair%s begin%s in each other; body %d is %.3g m deep in %s\n", name, cost.deepCount, cost.deepCount == 1 ? "" : "s", cost.deepCount == 1 ? "s" : "",
					(int)cost.deepest.a.index1, (double)cost.depth, other );
		}
		printf( "%s: good, %d %s, %d of %d frames run\n", name, cost.profile.bodyCount, cost.profile.bodyCount == 1 ? "body" : "bodies", cost.framesTried, cost.frames );
	}
	pnCloseScene( scene );
	return code;
}

static int pnCheckMeshFile( const char* path )
{
	pnMeshFile mesh;
	pnMeshFault fault;
	pnMeshCheck check;
	if ( pnLoadMeshFile( path, &mesh, &fault ) == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnCheckName, "%s: %s", path, fault.text );
	}
	bool good = pnCheckMesh( &mesh, &check );
	int triangles = mesh.triangleCount, tets = mesh.tetCount, points = mesh.pointCount;
	pnFreeMeshFile( &mesh );
	if ( good == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnCheckName, "%s: there is no memory for it", path );
	}
	if ( triangles > 0 && tets == 0 && check.closed == false )
	{
		return pnFail( PN_EXIT_FAILURE, pnCheckName,
					   "%s: the surface is not closed: %d open edges, %d with more than two triangles, %d between triangles of opposite sense", path, check.openEdges,
					   check.crowdedEdges, check.flippedEdges );
	}
	if ( triangles > 0 && tets == 0 && check.volume < 0.0 )
	{
		return pnFail( PN_EXIT_FAILURE, pnCheckName, "%s: the surface is inside out: its triangles are clockwise seen from outside", path );
	}
	if ( check.emptyTriangles > 0 )
	{
		printf( "%s: %d triangles have no area\n", path, check.emptyTriangles );
	}
	printf( "%s: good, %d points, %d triangles, %d tetrahedra\n", path, points, triangles, tets );
	return 0;
}

int pnCmdCheck( int argc, char** argv )
{
	const char* name = NULL;
	int nameCount, frames = 10;
	bool help, anyPath = false;
	const pnOption options[] = {
		{ "--frames", pn_intOption, &frames, 0, 1000000, "N", "how many frames of a scene to run (10)" },
		{ "--any-path", pn_flagOption, &anyPath, 0, 0, NULL, "a scene file may name files outside its folder" },
	};
	int code = pnReadOptions( pnCheckName, options, 2, argc, argv, &name, &nameCount, 1, &help );
	if ( code != 0 )
	{
		return code;
	}
	if ( help )
	{
		printf( "usage: pliant check FILE [OPTION...]\nReads a scene or a mesh, and says what is wrong and where; a scene is made and run for some frames.\n\n"
				"  pliant check fall.scene.json     # fall.scene.json:7:14: bodies[0].solid: there is no solid 'blok'; did you mean 'block'?\n"
				"  pliant check bunny.obj           # closed, and the right way out?\n\n" );
		pnPrintOptions( stdout, options, 2 );
		printf( "\nExit codes: 0 good, 1 something is wrong, 2 called wrongly.\n" );
		return 0;
	}
	if ( nameCount == 0 )
	{
		return pnFail( PN_EXIT_USAGE, pnCheckName, "which file? A scene or a mesh" );
	}
	return pnIsMeshFile( name ) ? pnCheckMeshFile( name ) : pnCheckSceneFile( name, anyPath, frames );
}
