// scene_material.c - the materials of a scene file: presets, changed field by field, under names of their own. Knows no bodies.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_parts.h"

#include "command.h"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_MAX_FIELDS = 40
};

// The keys are the fields that commands know too, and what no line of text can say: curves and `bare`.
pnKeyTable pnGetMaterialKeys( void )
{
	static const char* keys[PN_MAX_FIELDS];
	int count = 0;
	keys[count++] = "from";
	for ( int i = 0; pnGetMaterialField( i ) != NULL && count < PN_MAX_FIELDS - 3; ++i )
	{
		keys[count++] = pnGetMaterialField( i )->name;
	}
	keys[count++] = "volumecurve";
	keys[count++] = "capcurve";
	keys[count++] = "bare";
	return (pnKeyTable){ "material", keys, count };
}

static bool pnReadCurve( pnReader* reader, const pnNode* object, const char* key, pnCurve* curve )
{
	pnNode node = pnGetChild( object, key );
	int count;
	if ( reader->failed || node.json == NULL )
	{
		return reader->failed == false;
	}
	if ( pnReadList( reader, &node, 1, PN_CURVE_SIZE, &count ) == false )
	{
		return false;
	}
	*curve = (pnCurve){ .count = count };
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( &node, i );
		int two;
		if ( pnReadList( reader, &item, 2, 2, &two ) == false )
		{
			return false;
		}
		double x = 0.0, y = 0.0;
		pnNode nodeX = pnGetItem( &item, 0 ), nodeY = pnGetItem( &item, 1 );
		if ( pnReadNumber( reader, &nodeX, 0.0, 1e6, &x ) == false || pnReadNumber( reader, &nodeY, 0.0, 1e6, &y ) == false )
		{
			return false;
		}
		curve->points[i].x = (float)x;
		curve->points[i].y = (float)y;
	}
	return true;
}

static bool pnReadMaterialObject( pnReader* reader, const pnNode* node, const pnSceneFile* file, pnMaterial* material )
{
	static const char* const modes[] = { "rigid", "linear", "quadratic" }; // as pnMode counts
	static const char* const caps[] = { "none", "rows", "blend", "scale" }; // as pnCap counts
	pnKeyTable keys = pnGetMaterialKeys();
	if ( pnCheckObject( reader, node, &keys ) == false )
	{
		return false;
	}
	*material = pnDefaultMaterial();
	pnNode from = pnGetChild( node, "from" );
	if ( from.json != NULL && ( json_is_string( from.json ) == false || pnReadMaterialRef( reader, &from, file, material ) == false ) )
	{
		return reader->failed ? false : pnFailAt( reader, &from, "wants the name of a material" );
	}
	for ( int i = 0; pnGetMaterialField( i ) != NULL && reader->failed == false; ++i )
	{
		const pnMaterialField* field = pnGetMaterialField( i );
		pnNode child = pnGetChild( node, field->name );
		char* place = (char*)material + field->offset;
		double number = 0.0;
		int word = 0;
		if ( child.json == NULL )
		{
			continue;
		}
		if ( field->kind == pn_floatField && pnReadNumber( reader, &child, -1e12, 1e12, &number ) )
		{
			float value = (float)number;
			memcpy( place, &value, sizeof( value ) );
		}
		else if ( field->kind == pn_modeField && pnReadWord( reader, &child, modes, 3, &word ) )
		{
			pnMode mode = (pnMode)word;
			memcpy( place, &mode, sizeof( mode ) );
		}
		else if ( field->kind == pn_capField && pnReadWord( reader, &child, caps, 4, &word ) )
		{
			pnCap cap = (pnCap)word;
			memcpy( place, &cap, sizeof( cap ) );
		}
	}
	return pnReadCurve( reader, node, "volumecurve", &material->volumeCurve ) && pnReadCurve( reader, node, "capcurve", &material->capCurve ) &&
		   pnReadFlag( reader, node, "bare", &material->bare );
}

// The library knows the ranges: a small body in the scratch world asks it.
static bool pnTryMaterial( pnReader* reader, const pnNode* node, const pnSceneFile* file, const pnMaterial* material )
{
	static const pnVec3 points[4] = { { 0.0f, 0.0f, 0.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = points;
	solidDef.pointCount = 4;
	pnSolid* solid = NULL;
	pnResult result = pnCreateSolid( &solidDef, &solid );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.material = *material;
	pnBodyId body;
	result = result == pn_success ? pnCreateBody( file->scratch, &def, &body ) : result;
	if ( result == pn_success )
	{
		pnDestroyBody( file->scratch, body );
	}
	pnDestroySolid( solid );
	if ( result == pn_success )
	{
		return true;
	}
	// It names the field of pnMaterial; the key is that in small letters.
	char key[32] = "";
	if ( sscanf( pnGetLastWords(), "%*[^.].%31[a-zA-Z]", key ) == 1 )
	{
		for ( char* c = key; *c != 0; ++c )
		{
			*c = *c >= 'A' && *c <= 'Z' ? (char)( *c - 'A' + 'a' ) : *c;
		}
		const char* name = strcmp( key, "dampingratio" ) == 0 ? "damping" : key;
		pnNode child = pnGetChild( node, name );
		if ( child.json != NULL )
		{
			return pnFailAt( reader, &child, "is out of its range; docs/materials.md has them" );
		}
	}
	return pnTellRefusal( reader, node, result );
}

bool pnReadMaterialRef( pnReader* reader, const pnNode* node, const pnSceneFile* file, pnMaterial* material )
{
	if ( json_is_object( node->json ) )
	{
		return pnReadMaterialObject( reader, node, file, material ) && pnTryMaterial( reader, node, file, material );
	}
	const char* name;
	if ( pnReadText( reader, node, &name ) == false )
	{
		return false;
	}
	for ( int i = file->materialCount - 1; i >= 0; --i )
	{
		if ( strcmp( file->materials[i].name, name ) == 0 )
		{
			*material = file->materials[i].material;
			return true;
		}
	}
	if ( pnFindMaterial( name, material ) == pn_success )
	{
		return true;
	}
	int presetCount, count = 0;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	const char* names[PN_MAX_MATERIALS + 32];
	for ( int i = 0; i < file->materialCount; ++i )
	{
		names[count++] = file->materials[i].name;
	}
	for ( int i = 0; i < presetCount && i < 32; ++i )
	{
		names[count++] = presets[i];
	}
	return pnFailUnknown( reader, node, "material", name, names, count );
}

bool pnReadSceneMaterials( pnReader* reader, const pnNode* node, pnSceneFile* file )
{
	if ( json_is_object( node->json ) == false )
	{
		return pnFailAt( reader, node, "wants an object of materials, {\"name\": { ... }}" );
	}
	if ( json_object_size( node->json ) > PN_MAX_MATERIALS )
	{
		return pnFailAt( reader, node, "has more than %d materials", PN_MAX_MATERIALS );
	}
	file->materials = calloc( json_object_size( node->json ) + 1, sizeof( pnNamedMaterial ) );
	if ( file->materials == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	const char* name;
	json_t* value;
	json_object_foreach( node->json, name, value ) // a material may come from one before it
	{
		pnNode child = pnGetChild( node, name );
		pnNamedMaterial* material = file->materials + file->materialCount;
		if ( strncmp( name, "//", 2 ) == 0 )
		{
			continue;
		}
		if ( pnReadPartName( reader, &child, name, material->name ) == false || pnReadMaterialRef( reader, &child, file, &material->material ) == false )
		{
			return false;
		}
		file->materialCount += 1;
	}
	return true;
}
