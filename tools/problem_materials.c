// problem_materials.c - the parts of a problem of several materials, each with its own surface. Knows no conditions and no solutions.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem_parts.h"

#include "../src/kelvin/vec3d.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const partList[] = { "name", "surface", "material", "body_force", "thermal_strain" };
const pnKeyTable pn_partKeys = { "part", partList, (int)( sizeof( partList ) / sizeof( partList[0] ) ) };

// Adds a part's skin to the whole, whose groups get the part's name before their own; the part takes over their numbers.
static bool pnAppendSkin( pnSkinMesh* whole, const char* name, pnSkinMesh* part )
{
	int first = whole->pointCount;
	for ( int i = 0; i < part->pointCount; ++i )
	{
		pnAddSkinPoint( whole, part->points[i] );
	}
	for ( int i = 0; i < part->triangleCount; ++i )
	{
		char both[2 * PN_GROUP_NAME];
		snprintf( both, sizeof( both ), "%s.%s", name, part->names[part->groups[i]] );
		int group = pnAddGroup( whole, both );
		if ( group < 0 )
		{
			return false;
		}
		const int32_t* corners = part->triangles + 3 * (size_t)i;
		pnAddSkinTriangle( whole, first + corners[0], first + corners[1], first + corners[2], group );
		part->groups[i] = group;
	}
	return whole->failed == false;
}

static bool pnReadPart( pnReader* reader, const pnNode* node, int index, bool dry, pnProblem* problem )
{
	char name[PN_NAME_SIZE], usual[32];
	snprintf( usual, sizeof( usual ), "part %d", index + 1 );
	pnKelvinDef def = pnDefaultKelvinDef();
	if ( pnCheckObject( reader, node, &pn_partKeys ) == false || pnReadName( reader, node, usual, name ) == false ||
		 pnCheckThere( reader, node, "surface", "a shape, or a file with a mesh" ) == false ||
		 pnCheckThere( reader, node, "material", "{\"youngs_modulus\": Pa, \"poisson_ratio\": 0.3}" ) == false )
	{
		return false;
	}
	pnNode surface = pnGetChild( node, "surface" ), material = pnGetChild( node, "material" ), cloud = pnGetChild( &surface, "cloud" ), as = pnGetChild( &surface, "as" );
	if ( cloud.json != NULL || as.json != NULL )
	{
		return pnFailAtKey( reader, cloud.json != NULL ? &cloud : &as, "is not for parts: they are meshes" );
	}
	pnProblem* own = calloc( 1, sizeof( pnProblem ) );
	if ( own == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	bool good = pnReadMaterial( reader, &material, &def ) && pnReadInsideKeys( reader, node, &def ) && pnReadSurface( reader, &surface, dry, own );
	if ( good && dry == false && pnAppendSkin( &problem->skin, name, &own->skin ) == false )
	{
		good = pnFailAt( reader, node, "there is no memory for it, or there are more than %d groups", PN_MAX_GROUPS );
	}
	if ( good && dry == false )
	{
		pnSkinMesh* skin = problem->partSkins + problem->partCount;
		*skin = own->skin;
		own->skin = (pnSkinMesh){ 0 };
		problem->parts[problem->partCount++] = (pnKelvinPart){
			.points = skin->points,
			.pointCount = skin->pointCount,
			.triangles = skin->triangles,
			.triangleCount = skin->triangleCount,
			.groups = skin->groups,
			.youngsModulus = def.youngsModulus,
			.poissonRatio = def.poissonRatio,
			.bodyForce = def.bodyForce,
			.thermalStrain = def.thermalStrain,
		};
		bool first = problem->partCount == 1;
		pnVec3d *lower = &problem->lower, *upper = &problem->upper, a = own->lower, b = own->upper;
		*lower = first ? a : pnMakeD( fmin( lower->x, a.x ), fmin( lower->y, a.y ), fmin( lower->z, a.z ) );
		*upper = first ? b : pnMakeD( fmax( upper->x, b.x ), fmax( upper->y, b.y ), fmax( upper->z, b.z ) );
	}
	pnFreeProblem( own );
	free( own );
	return good;
}

bool pnReadParts( pnReader* reader, const pnNode* root, const pnNode* node, bool dry, pnProblem* problem )
{
	static const char* const foreign[] = { "surface", "material", "body_force", "thermal_strain", "indenters", "handles" };
	for ( int i = 0; i < (int)( sizeof( foreign ) / sizeof( foreign[0] ) ); ++i )
	{
		pnNode other = pnGetChild( root, foreign[i] );
		if ( other.json != NULL )
		{
			return pnFailAtKey( reader, &other, i < 4 ? "is said of each part when there are parts" : "do not go with parts" );
		}
	}
	int count;
	if ( pnReadList( reader, node, 2, PN_MAX_PARTS, &count ) == false )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		if ( pnReadPart( reader, &item, i, dry, problem ) == false )
		{
			return false;
		}
	}
	return true;
}
