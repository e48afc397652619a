// problem.c - a problem of statics out of a JSON file: read, checked, ready for pnCreateKelvin. Knows no solutions and no pictures.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem.h"

#include "../src/kelvin/vec3d.h"
#include "problem_parts.h"
#include "whole_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PN_KEYS( NAME, ... ) \
	static const char* const NAME##List[] = { __VA_ARGS__ }; \
	static const pnKeyTable pn_##NAME##Keys = { #NAME, NAME##List, (int)( sizeof( NAME##List ) / sizeof( NAME##List[0] ) ) }

PN_KEYS( problem, "$schema", "title", "about", "surface", "material", "parts", "body_force", "thermal_strain", "conditions", "cases", "indenters", "method", "sources", "points_per_triangle",
		 "refine_surface", "tolerance", "estimate_error", "handles", "probes", "show" );
PN_KEYS( material, "youngs_modulus", "shear_modulus", "poisson_ratio" );
PN_KEYS( sources, "placement", "count", "distance", "seed", "points" );
PN_KEYS( handle, "center", "radius" );
PN_KEYS( probe, "name", "at", "displacement", "von_mises", "by" );
PN_KEYS( show, "exaggerate", "color", "views", "indenters" );

const pnKeyTable* pnGetProblemKeys( int* count )
{
	static pnKeyTable tables[18];
	const pnKeyTable* all[] = { &pn_problemKeys, &pn_materialKeys, &pn_sourcesKeys,	  &pn_handleKeys,	&pn_probeKeys,
								&pn_showKeys,	 &pn_regionKeys,   &pn_ballKeys,	  &pn_planeKeys,	&pn_facingKeys,
								&pn_turnKeys,	 &pn_surfaceKeys,  &pn_conditionKeys, &pn_rotatedKeys, &pn_indenterKeys,
								&pn_affineKeys,	 &pn_caseKeys,	   &pn_partKeys };
	*count = (int)( sizeof( all ) / sizeof( all[0] ) );
	for ( int i = 0; i < *count; ++i )
	{
		tables[i] = *all[i];
	}
	return tables;
}

static bool pnReadLongText( pnReader* reader, const pnNode* root, const char* key, char* text, size_t size )
{
	pnNode node = pnGetChild( root, key );
	const char* value = "";
	if ( node.json != NULL && pnReadText( reader, &node, &value ) == false )
	{
		return false;
	}
	if ( strlen( value ) >= size )
	{
		return pnFailAt( reader, &node, "is longer than %zu letters", size - 1 );
	}
	snprintf( text, size, "%s", value );
	return true;
}

bool pnReadMaterial( pnReader* reader, const pnNode* node, pnKelvinDef* def )
{
	if ( pnCheckObject( reader, node, &pn_materialKeys ) == false ||
		 pnCheckThere( reader, node, "poisson_ratio", "0.3 for steel, 0.45 for soft rubber" ) == false )
	{
		return false;
	}
	pnNode young = pnGetChild( node, "youngs_modulus" ), shear = pnGetChild( node, "shear_modulus" ), poisson = pnGetChild( node, "poisson_ratio" );
	if ( ( young.json != NULL ) == ( shear.json != NULL ) )
	{
		return pnFailAt( reader, node, "needs either \"youngs_modulus\" or \"shear_modulus\", Pa" );
	}
	double modulus = 0.0;
	if ( pnReadNumber( reader, young.json != NULL ? &young : &shear, 1e-6, 1e15, &modulus ) == false ||
		 pnReadNumber( reader, &poisson, -1.0, 0.5, &def->poissonRatio ) == false )
	{
		return false;
	}
	if ( def->poissonRatio >= 0.5 || def->poissonRatio <= -1.0 )
	{
		return pnFailAt( reader, &poisson, "must lie between -1 and 0.5; at 0.5 nothing can be compressed, 0.49 is near it" );
	}
	def->youngsModulus = young.json != NULL ? modulus : 2.0 * modulus * ( 1.0 + def->poissonRatio );
	return true;
}

static bool pnReadSources( pnReader* reader, const pnNode* node, pnProblem* problem )
{
	static const char* const placements[] = { "adaptive", "offset", "random", "box", "sphere", "cylinder", "given" }; // as pnSourcePlacement
	if ( pnCheckObject( reader, node, &pn_sourcesKeys ) == false )
	{
		return false;
	}
	pnKelvinDef* def = &problem->def;
	pnNode placement = pnGetChild( node, "placement" ), count = pnGetChild( node, "count" ), distance = pnGetChild( node, "distance" );
	pnNode seed = pnGetChild( node, "seed" ), points = pnGetChild( node, "points" );
	int index = 0, seedNumber = 0, pointCount = 0;
	if ( placement.json != NULL && pnReadWord( reader, &placement, placements, 7, &index ) )
	{
		def->placement = (pnSourcePlacement)index;
	}
	if ( count.json != NULL )
	{
		pnReadWhole( reader, &count, 4, 5000, &def->sourceCount );
	}
	if ( distance.json != NULL )
	{
		pnReadNumber( reader, &distance, 1e-3, 100.0, &def->sourceDistance );
	}
	if ( seed.json != NULL && pnReadWhole( reader, &seed, 0, 1000000000, &seedNumber ) )
	{
		def->seed = (uint64_t)seedNumber;
	}
	if ( reader->failed == false && ( def->placement == pn_givenSources ) != ( points.json != NULL ) )
	{
		return pnFailAt( reader, node, "\"placement\": \"given\" and \"points\": [[x, y, z], ...] go together" );
	}
	if ( points.json == NULL || pnReadList( reader, &points, 4, 5000, &pointCount ) == false )
	{
		return reader->failed == false;
	}
	problem->sources = malloc( (size_t)pointCount * sizeof( pnVec3d ) );
	if ( problem->sources == NULL )
	{
		return pnFailAt( reader, &points, "there is no memory for it" );
	}
	for ( int i = 0; i < pointCount; ++i )
	{
		pnNode item = pnGetItem( &points, i );
		if ( pnReadVector( reader, &item, problem->sources + i ) == false )
		{
			return false;
		}
	}
	def->sources = problem->sources;
	def->sourceCount = pointCount;
	return true;
}

static bool pnReadHandles( pnReader* reader, const pnNode* node, bool dry, pnProblem* problem )
{
	int count;
	if ( pnReadList( reader, node, 0, PN_MAX_HANDLES, &count ) == false )
	{
		return false;
	}
	free( problem->handles );
	problem->handles = malloc( (size_t)( count + 1 ) * sizeof( pnHandle ) );
	if ( problem->handles == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	problem->handleCount = count;
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		if ( pnCheckObject( reader, &item, &pn_handleKeys ) == false || pnCheckThere( reader, &item, "center", "a place, m" ) == false ||
			 pnCheckThere( reader, &item, "radius", "m" ) == false )
		{
			return false;
		}
		pnNode center = pnGetChild( &item, "center" ), radius = pnGetChild( &item, "radius" );
		pnHandle* handle = problem->handles + i;
		if ( pnReadVector( reader, &center, &handle->center ) == false || pnReadNumber( reader, &radius, 1e-9, 1e9, &handle->radius ) == false )
		{
			return false;
		}
		bool reaches = dry;
		for ( int j = 0; j < problem->skin.pointCount && reaches == false; ++j )
		{
			reaches = pnLengthD( pnSubD( problem->skin.points[j], handle->center ) ) <= handle->radius;
		}
		if ( reaches == false )
		{
			return pnFailAt( reader, &item, "reaches no vertex of the surface" );
		}
	}
	return true;
}

// ---- probes ----

// How often the surface goes around the place: 1 inside, 0 outside (sum of solid angles, van Oosterom and Strackee 1983).
static double pnGetWinding( const pnSkinMesh* skin, pnVec3d p )
{
	double sum = 0.0;
	for ( int i = 0; i < skin->triangleCount; ++i )
	{
		const int32_t* corners = skin->triangles + 3 * (size_t)i;
		pnVec3d a = pnSubD( skin->points[corners[0]], p ), b = pnSubD( skin->points[corners[1]], p ), c = pnSubD( skin->points[corners[2]], p );
		double la = pnLengthD( a ), lb = pnLengthD( b ), lc = pnLengthD( c );
		sum += atan2( pnDotD( a, pnCrossD( b, c ) ), la * lb * lc + pnDotD( a, b ) * lc + pnDotD( b, c ) * la + pnDotD( c, a ) * lb );
	}
	return sum / ( 2.0 * 3.14159265358979323846 );
}

// On the surface is inside: the place is tried with small steps to eight sides. Facets cut off a little of what is round, so
// the steps are not that small.
static bool pnIsInside( const pnProblem* problem, pnVec3d p )
{
	double step = 2e-3 * pnGetProblemSize( problem );
	bool inside = problem->skin.triangleCount == 0; // a cloud cannot tell
	for ( int i = 0; i < 8 && inside == false; ++i )
	{
		pnVec3d nudge = { i & 1 ? step : -step, i & 2 ? 1.1 * step : -1.1 * step, i & 4 ? 0.9 * step : -0.9 * step };
		inside = pnGetWinding( &problem->skin, pnAddD( p, nudge ) ) > 0.5;
	}
	return inside;
}

static bool pnReadProbes( pnReader* reader, const pnNode* node, bool dry, pnProblem* problem )
{
	int count;
	if ( pnReadList( reader, node, 0, PN_MAX_PROBES, &count ) == false )
	{
		return false;
	}
	free( problem->probes );
	problem->probes = calloc( (size_t)( count + 1 ), sizeof( pnProbe ) );
	if ( problem->probes == NULL )
	{
		return pnFailAt( reader, node, "there is no memory for it" );
	}
	problem->probeCount = count;
	for ( int i = 0; i < count; ++i )
	{
		pnNode item = pnGetItem( node, i );
		pnProbe* probe = problem->probes + i;
		char name[PN_NAME_SIZE];
		snprintf( name, sizeof( name ), "probe %d", i + 1 );
		if ( pnCheckObject( reader, &item, &pn_probeKeys ) == false || pnReadName( reader, &item, name, probe->name ) == false ||
			 pnCheckThere( reader, &item, "at", "a place in the solid or on it, m" ) == false ||
			 pnReadLongText( reader, &item, "by", probe->by, sizeof( probe->by ) ) == false )
		{
			return false;
		}
		pnNode at = pnGetChild( &item, "at" ), known = pnGetChild( &item, "displacement" ), stress = pnGetChild( &item, "von_mises" );
		probe->knownStress = -1.0;
		if ( pnReadVector( reader, &at, &probe->at ) == false ||
			 ( known.json != NULL && pnReadPartVector( reader, &known, &probe->known, &probe->knownAxes ) == false ) ||
			 ( stress.json != NULL && pnReadNumber( reader, &stress, 0.0, 1e15, &probe->knownStress ) == false ) )
		{
			return false;
		}
		if ( dry == false && pnIsInside( problem, probe->at ) == false )
		{
			return pnFailAt( reader, &at, "lies outside the solid, where there is no answer" );
		}
	}
	return true;
}

// ---- how it is shown ----

static bool pnReadShow( pnReader* reader, const pnNode* node, pnProblem* problem )
{
	static const char* const colors[] = { "displacement", "stress", "force" };
	static const double usual[3][2] = { { 35.0, 22.0 }, { 0.0, 8.0 }, { 215.0, 22.0 } };
	problem->viewCount = 3;
	problem->showIndenters = true;
	memcpy( problem->views, usual, sizeof( usual ) );
	if ( node->json == NULL )
	{
		return true;
	}
	if ( pnCheckObject( reader, node, &pn_showKeys ) == false )
	{
		return false;
	}
	pnNode exaggerate = pnGetChild( node, "exaggerate" ), color = pnGetChild( node, "color" ), views = pnGetChild( node, "views" );
	pnNode indenters = pnGetChild( node, "indenters" );
	if ( exaggerate.json != NULL )
	{
		pnReadNumber( reader, &exaggerate, 1e-6, 1e9, &problem->exaggerate );
	}
	if ( color.json != NULL )
	{
		pnReadWord( reader, &color, colors, 3, &problem->color );
	}
	if ( indenters.json != NULL )
	{
		pnReadBool( reader, &indenters, &problem->showIndenters );
	}
	if ( views.json == NULL || pnReadList( reader, &views, 1, PN_MAX_VIEWS, &problem->viewCount ) == false )
	{
		return reader->failed == false;
	}
	for ( int i = 0; i < problem->viewCount; ++i )
	{
		pnNode view = pnGetItem( &views, i );
		int two;
		if ( pnReadList( reader, &view, 2, 2, &two ) == false )
		{
			return false;
		}
		pnNode azimuth = pnGetItem( &view, 0 ), elevation = pnGetItem( &view, 1 );
		if ( pnReadNumber( reader, &azimuth, -360.0, 360.0, &problem->views[i][0] ) == false ||
			 pnReadNumber( reader, &elevation, -89.0, 89.0, &problem->views[i][1] ) == false )
		{
			return false;
		}
	}
	return true;
}

// ---- all of it ----

static bool pnReadSettings( pnReader* reader, const pnNode* root, pnProblem* problem )
{
	static const char* const methods[] = { "energy", "lsq", "lsq-cg", "auto" }; // as pnKelvinMethod
	pnKelvinDef* def = &problem->def;
	pnNode method = pnGetChild( root, "method" ), sources = pnGetChild( root, "sources" ), tolerance = pnGetChild( root, "tolerance" );
	pnNode perTriangle = pnGetChild( root, "points_per_triangle" ), refine = pnGetChild( root, "refine_surface" );
	pnNode estimate = pnGetChild( root, "estimate_error" );
	int index = 0;
	bool yes;
	if ( method.json != NULL && pnReadWord( reader, &method, methods, 4, &index ) )
	{
		def->method = (pnKelvinMethod)index;
	}
	if ( reader->failed == false && problem->indenterCount > 0 && ( def->method == pn_lsqMethod || def->method == pn_lsqCgMethod ) )
	{
		return pnFailAt( reader, &method, "indenters need the method \"energy\"" );
	}
	if ( tolerance.json != NULL )
	{
		pnReadNumber( reader, &tolerance, 1e-8, 1.0, &def->tolerance );
	}
	if ( perTriangle.json != NULL && pnReadWhole( reader, &perTriangle, 1, 3, &def->pointsPerTriangle ) && def->pointsPerTriangle == 2 )
	{
		return pnFailAt( reader, &perTriangle, "is 1 or 3" );
	}
	if ( refine.json != NULL && pnReadBool( reader, &refine, &yes ) )
	{
		def->refineSurface = yes;
	}
	if ( estimate.json != NULL && pnReadBool( reader, &estimate, &yes ) )
	{
		def->estimateError = yes;
	}
	return sources.json != NULL ? pnReadSources( reader, &sources, problem ) : reader->failed == false;
}

// What acts inside.
bool pnReadInsideKeys( pnReader* reader, const pnNode* root, pnKelvinDef* def )
{
	pnNode force = pnGetChild( root, "body_force" ), strain = pnGetChild( root, "thermal_strain" );
	bool good = force.json == NULL || pnReadVector( reader, &force, &def->bodyForce );
	return good && ( strain.json == NULL || pnReadNumber( reader, &strain, -0.5, 0.5, &def->thermalStrain ) );
}

static void pnConnectDef( pnProblem* problem )
{
	pnKelvinDef* def = &problem->def;
	const pnSkinMesh* skin = &problem->skin;
	bool onSkin = problem->places == NULL;
	if ( problem->partCount > 0 )
	{
		def->parts = problem->parts;
		def->partCount = problem->partCount;
		def->conditions = problem->conditions;
		def->conditionCount = problem->conditionCount;
		return;
	}
	def->points = onSkin ? skin->points : problem->places;
	def->pointCount = onSkin ? skin->pointCount : problem->placeCount;
	def->triangles = onSkin && skin->normals == NULL ? skin->triangles : NULL;
	def->triangleCount = def->triangles != NULL ? skin->triangleCount : 0;
	def->normals = onSkin ? skin->normals : problem->placeNormals;
	// A file may have none: then they are found.
	bool bare = onSkin && skin->normals != NULL;
	for ( int i = 0; i < skin->pointCount && bare; ++i )
	{
		bare = pnDotD( skin->normals[i], skin->normals[i] ) == 0.0;
	}
	def->normals = bare ? NULL : def->normals;
	def->areas = problem->placeAreas;
	def->groups = onSkin ? skin->groups : problem->placeGroups;
	def->conditions = problem->conditions;
	def->conditionCount = problem->conditionCount;
	def->indenters = problem->indenters;
	def->indenterCount = problem->indenterCount;
}

static bool pnReadRoot( pnReader* reader, json_t* json, bool dry, pnProblem* problem )
{
	pnNode root = { .json = json };
	pnNode parts = pnGetChild( &root, "parts" );
	if ( pnCheckObject( reader, &root, &pn_problemKeys ) == false ||
		 ( parts.json == NULL && ( pnCheckThere( reader, &root, "surface", "a shape, or a file with a mesh or a cloud" ) == false ||
								   pnCheckThere( reader, &root, "material", "{\"youngs_modulus\": Pa, \"poisson_ratio\": 0.3}" ) == false ) ) )
	{
		return false;
	}
	pnNode surface = pnGetChild( &root, "surface" ), material = pnGetChild( &root, "material" ), conditions = pnGetChild( &root, "conditions" );
	pnNode cases = pnGetChild( &root, "cases" );
	pnNode indenters = pnGetChild( &root, "indenters" ), handles = pnGetChild( &root, "handles" ), probes = pnGetChild( &root, "probes" );
	pnNode schema = pnGetChild( &root, "$schema" ), show = pnGetChild( &root, "show" );
	const char* ignored;
	if ( conditions.json == NULL && indenters.json == NULL )
	{
		return pnFailAt( reader, &root, "needs \"conditions\": what is held and what is loaded" );
	}
	// All that needs no surface first: it is checked fast, and a mistake should not wait for a large file.
	bool good = schema.json == NULL || pnReadText( reader, &schema, &ignored );
	good = good && pnReadLongText( reader, &root, "title", problem->title, sizeof( problem->title ) );
	good = good && pnReadLongText( reader, &root, "about", problem->about, sizeof( problem->about ) );
	if ( parts.json != NULL )
	{
		good = good && pnReadParts( reader, &root, &parts, true, problem );
	}
	else
	{
		good = good && pnReadMaterial( reader, &material, &problem->def ) && pnReadInsideKeys( reader, &root, &problem->def );
		good = good && pnReadSurface( reader, &surface, true, problem );
	}
	good = good && ( conditions.json == NULL || pnReadConditions( reader, &conditions, true, problem ) );
	good = good && ( cases.json == NULL || pnReadCases( reader, &cases, problem ) );
	good = good && ( indenters.json == NULL || pnReadIndenters( reader, &indenters, problem ) );
	good = good && pnReadSettings( reader, &root, problem ) && pnReadShow( reader, &show, problem );
	good = good && ( handles.json == NULL || pnReadHandles( reader, &handles, true, problem ) );
	good = good && ( probes.json == NULL || pnReadProbes( reader, &probes, true, problem ) );
	if ( good == false || dry )
	{
		return good;
	}
	good = parts.json != NULL ? pnReadParts( reader, &root, &parts, false, problem ) : pnReadSurface( reader, &surface, false, problem );
	good = good && ( conditions.json == NULL || pnReadConditions( reader, &conditions, false, problem ) );
	good = good && ( handles.json == NULL || pnReadHandles( reader, &handles, false, problem ) );
	return good && ( probes.json == NULL || pnReadProbes( reader, &probes, false, problem ) );
}

bool pnReadProblem( const char* text, size_t length, const char* file, bool dry, pnProblem* problem, char* message )
{
	*problem = (pnProblem){ .def = pnDefaultKelvinDef() };
	json_error_t error;
	json_t* json = json_loadb( text, length, JSON_REJECT_DUPLICATES, &error );
	if ( json == NULL )
	{
		snprintf( message, PN_MESSAGE_SIZE, "%s:%d:%d: this is not JSON: %s", file, error.line > 0 ? error.line : 1, error.column > 0 ? error.column : 1,
				  error.text );
		for ( char* c = message; *c != 0; ++c )
		{
			*c = *c == '\n' ? ' ' : *c; // what is near a mistake may be the end of the line
		}
		return false;
	}
	pnReader reader = { .file = file, .text = text, .length = length };
	bool good = pnReadRoot( &reader, json, dry, problem );
	json_decref( json );
	if ( good == false )
	{
		snprintf( message, PN_MESSAGE_SIZE, "%s", reader.message );
		pnFreeProblem( problem );
		return false;
	}
	pnConnectDef( problem );
	if ( problem->title[0] == 0 )
	{
		const char* slash = strrchr( file, '/' );
		snprintf( problem->title, sizeof( problem->title ), "%s", slash != NULL ? slash + 1 : file );
	}
	return true;
}

bool pnLoadProblem( const char* file, pnProblem* problem, char* message )
{
	*problem = (pnProblem){ 0 };
	size_t size;
	const char* why;
	uint8_t* bytes = pnReadFile( file, &size, &why );
	if ( bytes == NULL )
	{
		snprintf( message, PN_MESSAGE_SIZE, "cannot read '%s': %s", file, why );
		return false;
	}
	bool good = pnReadProblem( (const char*)bytes, size, file, false, problem, message );
	free( bytes );
	return good;
}

void pnFreeProblem( pnProblem* problem )
{
	pnFreeSkinMesh( &problem->skin );
	for ( int i = 0; i < problem->partCount; ++i )
	{
		pnFreeSkinMesh( problem->partSkins + i );
	}
	free( problem->places );
	free( problem->placeNormals );
	free( problem->placeAreas );
	free( problem->placeGroups );
	free( problem->sources );
	free( problem->conditions );
	free( problem->conditionNames );
	free( problem->affines );
	free( problem->cases );
	free( problem->caseFactors );
	free( problem->indenters );
	free( problem->indenterNames );
	free( problem->hullPoints );
	free( problem->handles );
	free( problem->probes );
	*problem = (pnProblem){ 0 };
}
