// scene_mesh.c - a solid of a scene out of a mesh file: placed, sampled, clustered by groups, weighed. Knows no formats.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_parts.h"

#include "mesh_file.h"
#include "mesh_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const meshList[] = { "mesh", "scale", "turn", "move", "color", "sample", "fill", "weld", "clusters", "density", "densities", "thickness" };
const pnKeyTable pn_meshKeys = { "mesh", meshList, (int)( sizeof( meshList ) / sizeof( meshList[0] ) ) };
static const char* const sampleList[] = { "count", "spacing", "inside" };
const pnKeyTable pn_sampleKeys = { "sample", sampleList, 3 };

// What is made on the way from a file to a solid.
typedef struct pnMeshWork
{
	pnMeshFile mesh;
	pnVec3* vertices; // placed, m
	pnSample sample;
	float* masses;
	int32_t *starts, *members;
	float* weights;
} pnMeshWork;

static void pnFreeWork( pnMeshWork* work )
{
	pnFreeMeshFile( &work->mesh );
	pnFreeSample( &work->sample );
	free( work->vertices );
	free( work->masses );
	free( work->starts );
	free( work->members );
	free( work->weights );
}

static bool pnFailMemory( pnReader* reader, const pnNode* node ) { return pnFailAt( reader, node, "there is no memory for it" ); }

// ---- groups: of triangles and tetrahedra, colours as #rrggbb, named values above 0 ----

// Is the point in the group, and with what weight? Group numbers go on after the file's own: colours, then values.
typedef struct pnGroupTable
{
	int count, colorFirst, valueFirst;
	char ( *names )[PN_PART_NAME];
	uint32_t colors[PN_MAX_MESH_VALUES]; // the first so many different ones
	int colorCount;
} pnGroupTable;

static uint32_t pnGetPointColor( const pnMeshFile* mesh, int i )
{
	uint32_t color = 0;
	for ( int c = 0; c < 3; ++c )
	{
		float value = mesh->colors[3 * (size_t)i + (size_t)c];
		value = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
		color = color << 8 | (uint32_t)( 255.0f * value + 0.5f );
	}
	return color;
}

static bool pnMakeGroupTable( const pnMeshFile* mesh, pnGroupTable* table )
{
	for ( int i = 0; i < mesh->pointCount && mesh->colors != NULL; ++i )
	{
		uint32_t color = pnGetPointColor( mesh, i );
		int found = 0;
		while ( found < table->colorCount && table->colors[found] != color )
		{
			found += 1;
		}
		if ( found == table->colorCount && table->colorCount < PN_MAX_MESH_VALUES )
		{
			table->colors[table->colorCount++] = color;
		}
	}
	table->colorFirst = mesh->groupCount;
	table->valueFirst = table->colorFirst + table->colorCount;
	table->count = table->valueFirst + mesh->valueCount;
	table->names = calloc( (size_t)table->count + 1, PN_PART_NAME );
	if ( table->names == NULL )
	{
		return false;
	}
	for ( int i = 0; i < table->count; ++i )
	{
		if ( i < table->colorFirst )
		{
			snprintf( table->names[i], PN_PART_NAME, "%s", mesh->names[i] );
		}
		else if ( i < table->valueFirst )
		{
			snprintf( table->names[i], PN_PART_NAME, "#%06x", table->colors[i - table->colorFirst] );
		}
		else
		{
			snprintf( table->names[i], PN_PART_NAME, "%s", mesh->valueNames[i - table->valueFirst] );
		}
	}
	return true;
}

// Weight of each point in the group, 0: not in it.
static bool pnWeighGroup( const pnMeshFile* mesh, const pnGroupTable* table, int group, float* weights )
{
	for ( int i = 0; i < mesh->pointCount; ++i )
	{
		weights[i] = group >= table->valueFirst	  ? mesh->values[group - table->valueFirst][i]
				   : group >= table->colorFirst ? ( pnGetPointColor( mesh, i ) == table->colors[group - table->colorFirst] ? 1.0f : 0.0f )
												  : 0.0f;
		weights[i] = weights[i] > 0.0f && weights[i] < 1e6f ? weights[i] : 0.0f;
	}
	for ( int i = 0; i < mesh->triangleCount && group < table->colorFirst; ++i )
	{
		for ( int k = 0; k < 3 && mesh->triangleGroups[i] == group; ++k )
		{
			weights[mesh->triangles[3 * (size_t)i + (size_t)k]] = 1.0f;
		}
	}
	for ( int i = 0; i < mesh->tetCount && group < table->colorFirst; ++i )
	{
		for ( int k = 0; k < 4 && mesh->tetGroups[i] == group; ++k )
		{
			weights[mesh->tetrahedra[4 * (size_t)i + (size_t)k]] = 1.0f;
		}
	}
	for ( int i = 0; i < mesh->pointCount; ++i )
	{
		if ( weights[i] > 0.0f )
		{
			return true;
		}
	}
	return false;
}

static bool pnKeepGroups( pnReader* reader, const pnNode* node, const pnMeshFile* mesh, const pnGroupTable* table, pnSceneSolid* solid )
{
	float* weights = malloc( (size_t)( mesh->pointCount + 1 ) * sizeof( float ) );
	solid->groups = calloc( (size_t)table->count + 1, sizeof( pnPointGroup ) );
	bool good = weights != NULL && solid->groups != NULL;
	for ( int g = 0; g < table->count && good; ++g )
	{
		pnPointGroup* group = solid->groups + solid->groupCount;
		pnWeighGroup( mesh, table, g, weights );
		int count = 0;
		for ( int i = 0; i < mesh->pointCount; ++i )
		{
			count += weights[i] > 0.0f ? 1 : 0;
		}
		group->points = malloc( (size_t)( count + 1 ) * sizeof( int32_t ) );
		good = group->points != NULL;
		for ( int i = 0; i < mesh->pointCount && good; ++i )
		{
			if ( weights[i] > 0.0f )
			{
				group->points[group->count++] = i;
			}
		}
		snprintf( group->name, sizeof( group->name ), "%s", table->names[g] );
		solid->groupCount += 1;
	}
	free( weights );
	return good ? true : pnFailMemory( reader, node );
}

// Each group that is named a cluster, or all of the file's own.
static bool pnClusterByGroups( pnReader* reader, const pnNode* node, pnMeshWork* work, const pnGroupTable* table, pnSolidDef* def )
{
	pnNode clusters = pnGetChild( node, "clusters" ), list = { 0 };
	list = json_is_object( clusters.json ) ? pnGetChild( &clusters, "groups" ) : list;
	const pnMeshFile* mesh = &work->mesh;
	int count = mesh->groupCount, total = 0;
	if ( list.json != NULL && pnReadList( reader, &list, 1, PN_MAX_MESH_GROUPS, &count ) == false )
	{
		return false;
	}
	bool* held = calloc( (size_t)mesh->pointCount + 1, 1 );
	float* weights = malloc( (size_t)( mesh->pointCount + 1 ) * sizeof( float ) );
	work->starts = malloc( (size_t)( count + 1 ) * sizeof( int32_t ) );
	bool good = held != NULL && weights != NULL && work->starts != NULL ? true : pnFailMemory( reader, node );
	for ( int c = 0; c < count && good; ++c )
	{
		int group = c;
		pnNode item = list.json != NULL ? pnGetItem( &list, c ) : clusters;
		if ( list.json != NULL )
		{
			const char* name;
			const char* names[PN_MAX_MESH_GROUPS + 2 * PN_MAX_MESH_VALUES];
			group = -1;
			if ( ( good = pnReadText( reader, &item, &name ) ) == false )
			{
				break;
			}
			for ( int i = 0; i < table->count; ++i )
			{
				names[i] = table->names[i];
				group = strcmp( names[i], name ) == 0 ? i : group;
			}
			if ( group < 0 )
			{
				good = pnFailUnknown( reader, &item, "group", name, names, table->count );
				break;
			}
		}
		bool some = pnWeighGroup( mesh, table, group, weights );
		int inside = 0;
		for ( int i = 0; i < mesh->pointCount; ++i )
		{
			inside += weights[i] > 0.0f ? 1 : 0;
		}
		int32_t* members = realloc( work->members, (size_t)( total + inside + 1 ) * sizeof( int32_t ) );
		work->members = members != NULL ? members : work->members;
		float* memberWeights = realloc( work->weights, (size_t)( total + inside + 1 ) * sizeof( float ) );
		work->weights = memberWeights != NULL ? memberWeights : work->weights;
		good = members != NULL && memberWeights != NULL ? some ? true : pnFailAt( reader, &item, "the group '%s' has no points", table->names[group] )
														: pnFailMemory( reader, node );
		work->starts[c] = total;
		for ( int i = 0; i < mesh->pointCount && good; ++i )
		{
			if ( weights[i] > 0.0f )
			{
				members[total] = i;
				memberWeights[total++] = weights[i];
				held[i] = true;
			}
		}
		work->starts[c + 1] = total;
	}
	for ( int i = 0; i < mesh->pointCount && good; ++i )
	{
		good = held[i] ? true : pnFailAt( reader, &clusters, "vertex %d is in none of the groups, so no cluster would hold it", i );
	}
	free( held );
	free( weights );
	def->clusters.kind = pn_givenClusters;
	def->clusters.count = count;
	def->clusters.starts = work->starts;
	def->clusters.members = work->members;
	def->clusters.weights = work->weights;
	return good;
}

// ---- densities by group ----

// The mass of a point: of tetrahedra a quarter each; of a surface an equal part of the volume within. Times the density of its group.
static bool pnWeighPoints( pnReader* reader, const pnNode* node, pnMeshWork* work, const pnGroupTable* table, pnSolidDef* def )
{
	const pnMeshFile* mesh = &work->mesh;
	if ( json_is_object( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants an object {\"group\": kg/m^3, ...}" );
	}
	work->masses = calloc( (size_t)mesh->pointCount + 1, sizeof( float ) );
	float* densities = malloc( (size_t)( mesh->pointCount + 1 ) * sizeof( float ) );
	float* weights = malloc( (size_t)( mesh->pointCount + 1 ) * sizeof( float ) );
	bool good = work->masses != NULL && densities != NULL && weights != NULL ? true : pnFailMemory( reader, node );
	double volume = 0.0;
	for ( int i = 0; i < mesh->triangleCount && good && mesh->tetCount == 0; ++i )
	{
		const int32_t* t = mesh->triangles + 3 * (size_t)i;
		volume += (double)pnDot( work->vertices[t[0]], pnCross( work->vertices[t[1]], work->vertices[t[2]] ) ) / 6.0;
	}
	for ( int i = 0; i < mesh->tetCount && good; ++i )
	{
		const int32_t* t = mesh->tetrahedra + 4 * (size_t)i;
		pnVec3 a = work->vertices[t[0]], u = pnSub( work->vertices[t[1]], a ), v = pnSub( work->vertices[t[2]], a ), w = pnSub( work->vertices[t[3]], a );
		float quarter = fabsf( pnDot( u, pnCross( v, w ) ) ) / 24.0f;
		for ( int k = 0; k < 4; ++k )
		{
			work->masses[t[k]] += quarter;
		}
	}
	for ( int i = 0; i < mesh->pointCount && good; ++i )
	{
		work->masses[i] = mesh->tetCount > 0 ? work->masses[i] : (float)( fabs( volume ) / mesh->pointCount );
		densities[i] = def->density;
	}
	const char* name;
	json_t* value;
	if ( good )
	{
		json_object_foreach( node->json, name, value )
		{
			pnNode child = pnGetChild( node, name );
			const char* names[PN_MAX_MESH_GROUPS + 2 * PN_MAX_MESH_VALUES];
			int group = -1;
			double density = 0.0;
			for ( int i = 0; i < table->count; ++i )
			{
				names[i] = table->names[i];
				group = strcmp( names[i], name ) == 0 ? i : group;
			}
			if ( ( good = group >= 0 ? pnReadNumber( reader, &child, 1e-6, 1e9, &density ) : pnFailUnknown( reader, &child, "group", name, names, table->count ) ) == false )
			{
				break;
			}
			pnWeighGroup( mesh, table, group, weights );
			for ( int i = 0; i < mesh->pointCount; ++i )
			{
				densities[i] = weights[i] > 0.0f ? (float)density : densities[i];
			}
		}
	}
	for ( int i = 0; i < mesh->pointCount && good; ++i )
	{
		work->masses[i] *= densities[i];
	}
	def->masses = work->masses;
	free( densities );
	free( weights );
	return good;
}

// ---- all of it ----

static bool pnPlaceMesh( pnReader* reader, const pnNode* node, pnMeshWork* work )
{
	float scale = 1.0f;
	pnVec3 move = { 0.0f, 0.0f, 0.0f };
	pnQuat turn = pnIdentityQuat();
	if ( pnReadFloat( reader, node, "scale", 1e-9, 1e9, &scale ) == false || pnReadTurns( reader, node, "turn", &turn ) == false || pnReadVec( reader, node, "move", &move ) == false )
	{
		return false;
	}
	work->vertices = pnCopyMeshPoints( &work->mesh, scale );
	for ( int i = 0; i < work->mesh.pointCount && work->vertices != NULL; ++i )
	{
		work->vertices[i] = pnAdd( move, pnRotate( turn, work->vertices[i] ) );
	}
	return work->vertices != NULL ? true : pnFailMemory( reader, node );
}

static bool pnReadSample( pnReader* reader, const pnNode* node, pnMeshWork* work, pnSolidDef* def, pnSkinDef* skin )
{
	float spacing = 0.0f;
	int count = 0;
	bool inside = true;
	if ( pnCheckObject( reader, node, &pn_sampleKeys ) == false || pnReadInteger( reader, node, "count", 8, 1000000, &count ) == false ||
		 pnReadFloat( reader, node, "spacing", 1e-6, 1e6, &spacing ) == false || pnReadFlag( reader, node, "inside", &inside ) == false )
	{
		return false;
	}
	if ( ( count > 0 ) == ( spacing > 0.0f ) )
	{
		return pnFailAt( reader, node, "needs one of \"count\" (about so many points) and \"spacing\" (m)" );
	}
	if ( work->mesh.triangleCount == 0 )
	{
		return pnFailAt( reader, node, "needs a surface, and the mesh has none" );
	}
	pnSampleDef sampleDef = { work->vertices, work->mesh.triangles, work->mesh.pointCount, work->mesh.triangleCount, spacing, count, inside };
	const char* problem = pnSampleMesh( &sampleDef, &work->sample );
	if ( problem != NULL )
	{
		return pnFailAt( reader, node, "%s", problem );
	}
	def->points = work->sample.points;
	def->pointCount = work->sample.pointCount;
	def->triangles = NULL;
	def->triangleCount = 0;
	def->tetrahedra = NULL;
	def->tetrahedronCount = 0;
	*skin = (pnSkinDef){ .vertices = work->vertices, .triangles = work->mesh.triangles, .vertexCount = work->mesh.pointCount, .triangleCount = work->mesh.triangleCount };
	def->skins = skin;
	def->skinCount = 1;
	return true;
}

static bool pnMakeMeshSolid( pnReader* reader, const pnNode* node, pnMeshWork* work, pnSceneSolid* solid )
{
	pnNode sample = pnGetChild( node, "sample" ), densities = pnGetChild( node, "densities" );
	const pnMeshFile* mesh = &work->mesh;
	pnSkinDef skin = { 0 };
	pnSolidDef def = pnDefaultSolidDef();
	def.points = work->vertices;
	def.pointCount = mesh->pointCount;
	def.triangles = mesh->triangles;
	def.triangleCount = mesh->triangleCount;
	def.tetrahedra = mesh->tetrahedra;
	def.tetrahedronCount = mesh->tetCount;
	if ( mesh->tetCount > 0 ) // their boundary is the surface; triangles of the file may be parts of it only
	{
		def.triangles = NULL;
		def.triangleCount = 0;
		def.clusters.kind = pn_tetClusters;
	}
	pnGroupTable table = { 0 };
	bool good = pnReadFloat( reader, node, "weld", 0.0, 1e6, &def.weldDistance ) && pnReadSolidRest( reader, node, &def );
	bool byGroups = good && def.clusters.kind == pn_givenClusters;
	if ( good && def.clusters.kind == pn_tetClusters && mesh->tetCount == 0 )
	{
		pnNode clusters = pnGetChild( node, "clusters" );
		good = pnFailAt( reader, &clusters, "the mesh has no tetrahedra" );
	}
	if ( good && ( byGroups || densities.json != NULL ) && ( def.fillSpacing > 0.0f || sample.json != NULL ) )
	{
		good = pnFailAt( reader, node, "groups are of the file's own vertices; they do not go with \"fill\" and \"sample\"" );
	}
	good = good && ( pnMakeGroupTable( mesh, &table ) || pnFailMemory( reader, node ) );
	good = good && ( sample.json == NULL || pnReadSample( reader, &sample, work, &def, &skin ) );
	good = good && ( byGroups == false || pnClusterByGroups( reader, node, work, &table, &def ) );
	good = good && ( densities.json == NULL || pnWeighPoints( reader, &densities, work, &table, &def ) );
	good = good && ( sample.json != NULL || pnKeepGroups( reader, node, mesh, &table, solid ) );
	good = good && pnMakeSceneSolid( reader, node, &def, solid );
	free( table.names );
	return good;
}

bool pnReadMeshSolid( pnReader* reader, const pnNode* node, pnSceneFile* file, pnSceneSolid* solid )
{
	pnNode name = pnGetChild( node, "mesh" ), color = pnGetChild( node, "color" );
	char path[4096];
	pnMeshWork work = { 0 };
	pnMeshFault fault;
	if ( pnCheckObject( reader, node, &pn_meshKeys ) == false || pnReadScenePath( reader, &name, file->anyPath, path, sizeof( path ) ) == false ||
		 ( color.json != NULL && pnReadColor( reader, &color, solid->colors ) == false ) )
	{
		return false;
	}
	if ( pnLoadMeshFile( path, &work.mesh, &fault ) == false )
	{
		return pnFailAt( reader, &name, "cannot read '%.120s': %s", path, fault.text );
	}
	bool good = pnPlaceMesh( reader, node, &work ) && pnMakeMeshSolid( reader, node, &work, solid );
	pnFreeWork( &work );
	return good;
}
