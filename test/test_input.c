// test_input.c - what cannot be meant is refused: a result, a sentence that names it, and nothing has changed. Knows only the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "test.h"

#include "blocks.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define COUNT( ARRAY ) ( (int)( sizeof( ARRAY ) / sizeof( ( ARRAY )[0] ) ) )

static const float s_bad[3] = { NAN, INFINITY, -INFINITY };

// ---- what the library says ----

static char s_log[2048];

static void HearLog( const char* message )
{
	strncpy( s_log, message, sizeof( s_log ) - 1 );
}

// A wrong call may also be told to the assert hook; it must still be refused.
static int HearAssert( const char* condition, const char* file, int line )
{
	(void)condition;
	(void)file;
	(void)line;
	return 0;
}

// A number counts only as a whole, so that 5 is not found in 15; a word may be part of one, in any case.
static bool SaysWord( const char* word, size_t length )
{
	size_t logLength = strlen( s_log );
	bool isNumber = isdigit( (unsigned char)word[0] ) || word[0] == '-';
	for ( size_t i = 0; i + length <= logLength; ++i )
	{
		bool same = true;
		for ( size_t k = 0; k < length; ++k )
		{
			same = same && tolower( (unsigned char)s_log[i + k] ) == tolower( (unsigned char)word[k] );
		}
		bool digitBefore = i > 0 && isdigit( (unsigned char)s_log[i - 1] );
		bool digitAfter = isdigit( (unsigned char)s_log[i + length] );
		if ( same && !( isNumber && ( digitBefore || digitAfter ) ) )
		{
			return true;
		}
	}
	return false;
}

// All words, separated by spaces; of words joined by | one is enough.
static bool Says( const char* words )
{
	const char* at = words;
	while ( *at != 0 )
	{
		bool found = false;
		const char* end = at;
		while ( *end != 0 && *end != ' ' )
		{
			const char* start = end;
			while ( *end != 0 && *end != ' ' && *end != '|' )
			{
				++end;
			}
			found = found || SaysWord( start, (size_t)( end - start ) );
			end += *end == '|';
		}
		if ( !found )
		{
			return false;
		}
		at = *end == ' ' ? end + 1 : end;
	}
	return true;
}

// ---- a world that must not change ----

static pnWorld* s_world;
static pnSolid* s_solid;
static pnBodyId s_body; // alive
static pnBodyId s_other; // alive, pinned
static pnBodyId s_dead;
static uint64_t s_hash;
static int64_t s_bytes;

static void Open( void )
{
	pnSetLogFcn( HearLog );
	pnSetAssertFcn( HearAssert );
	s_solid = pnCreateGridSolid( 3, 3, 3, 0.1f, 0.0f );
	pnWorldDef worldDef = pnDefaultWorldDef();
	s_world = NULL;
	ENSURE( pnCreateWorld( &worldDef, &s_world ) == pn_success );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = s_solid;
	def.angularVelocity = pnMakeVec3( 1.0f, 2.0f, 3.0f );
	ENSURE( pnCreateBody( s_world, &def, &s_body ) == pn_success );
	def.transform.p = pnMakeVec3( 5.0f, 0.0f, 0.0f );
	ENSURE( pnCreateBody( s_world, &def, &s_dead ) == pn_success );
	ENSURE( pnCreateBody( s_world, &def, &s_other ) == pn_success );
	int32_t corner = 0;
	ENSURE( pnBody_Pin( s_world, s_other, &corner, NULL, 1 ) == pn_success );
	ENSURE( pnDestroyBody( s_world, s_dead ) == pn_success );
	for ( int i = 0; i < 5; ++i )
	{
		ENSURE( pnWorld_Step( s_world, 1.0f / 60.0f, 2 ) == pn_success );
	}
}

static void Close( void )
{
	// it still works
	ENSURE( pnWorld_Step( s_world, 1.0f / 60.0f, 1 ) == pn_success );
	pnDestroyWorld( s_world );
	pnDestroySolid( s_solid );
	s_world = NULL;
	s_solid = NULL;
	pnSetLogFcn( NULL );
	pnSetAssertFcn( NULL );
	ENSURE( pnGetByteCount() == 0 );
}

static void Listen( void )
{
	memset( s_log, 0, sizeof( s_log ) );
	s_hash = pnWorld_GetHash( s_world );
	s_bytes = pnGetByteCount();
}

static void Judge( pnResult result, const char* call, const char* words, int line )
{
	pnTestContext( "line %d: %s gave %d and said '%s', words '%s'", line, call, result, s_log, words );
	ENSURE( result < pn_success );
	ENSURE( result != pn_outOfMemory );
	ENSURE( Says( words ) );
	ENSURE( strlen( s_log ) > 10 && strchr( s_log, ' ' ) != NULL ); // a sentence
	ENSURE( pnWorld_GetHash( s_world ) == s_hash );
	ENSURE( pnGetByteCount() == s_bytes );
	pnTestContext( "%s", "" );
}

#define REFUSED( CALL, WORDS ) \
	do \
	{ \
		Listen(); \
		pnResult result_ = ( CALL ); \
		Judge( result_, #CALL, WORDS, __LINE__ ); \
	} while ( 0 )

// The words with numbers in them.
static const char* Words( const char* format, int first, int second )
{
	static char text[128];
	snprintf( text, sizeof( text ), format, first, second );
	return text;
}

// ---- solids ----

static pnResult TrySolid( const pnSolidDef* def )
{
	pnSolid* solid = (pnSolid*)&s_log; // must be overwritten
	pnResult result = pnCreateSolid( def, &solid );
	ENSURE( ( result == pn_success ) == ( solid != NULL ) );
	if ( result == pn_success )
	{
		pnDestroySolid( solid );
	}
	return result;
}

static void SolidsOfBadPointsAreRefused( void )
{
	Open();
	const pnSolidDef fine = pnDefBox();
	ENSURE( TrySolid( &fine ) == pn_success );
	pnSolidDef def = fine;
	REFUSED( TrySolid( NULL ), "pnCreateSolid|def" );
	def.cookie = 0;
	REFUSED( TrySolid( &def ), "cookie|pnDefaultSolidDef" );
	def = fine;
	def.cookie += 1;
	REFUSED( TrySolid( &def ), "cookie|pnDefaultSolidDef" );

	def = fine;
	def.points = NULL;
	REFUSED( TrySolid( &def ), "points" );
	static const int counts[] = { 0, -1, INT_MIN, INT_MAX };
	for ( int i = 0; i < COUNT( counts ); ++i )
	{
		def = fine;
		def.pointCount = counts[i];
		def.triangles = NULL;
		def.triangleCount = 0;
		REFUSED( TrySolid( &def ), "point" );
	}
	pnVec3 points[8];
	for ( int i = 0; i < 8; ++i )
	{
		for ( int k = 0; k < 9; ++k )
		{
			memcpy( points, pn_boxCorners, sizeof( points ) );
			float* coordinate = k % 3 == 0 ? &points[i].x : k % 3 == 1 ? &points[i].y : &points[i].z;
			*coordinate = s_bad[k / 3];
			def = fine;
			def.points = points;
			REFUSED( TrySolid( &def ), Words( "point %d", i, 0 ) );
		}
	}

	static const float badMasses[] = { 0.0f, -1.0f, -1e-30f, NAN, INFINITY, -INFINITY };
	for ( int i = 0; i < 8; ++i )
	{
		for ( int k = 0; k < COUNT( badMasses ); ++k )
		{
			float masses[8] = { 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f };
			masses[i] = badMasses[k];
			def = fine;
			def.masses = masses;
			REFUSED( TrySolid( &def ), Words( "mass %d", i, 0 ) );
		}
	}
	for ( int k = 0; k < COUNT( badMasses ); ++k )
	{
		def = fine;
		def.density = badMasses[k];
		REFUSED( TrySolid( &def ), "density" );
	}
	for ( int k = 0; k < 3; ++k )
	{
		if ( s_bad[k] != -INFINITY ) // anything negative asks for the default
		{
			def = fine;
			def.weldDistance = s_bad[k];
			REFUSED( TrySolid( &def ), "weldDistance" );
			def = fine;
			def.fillSpacing = s_bad[k];
			REFUSED( TrySolid( &def ), "fillSpacing" );
		}
	}
	Close();
}

static void SolidsOfBadSurfacesAreRefused( void )
{
	Open();
	const pnSolidDef fine = pnDefBox();
	const pnSolidDef fineTetrahedra = pnDefTetrahedra();
	ENSURE( TrySolid( &fineTetrahedra ) == pn_success );
	pnSolidDef def = fine;
	def.triangles = NULL;
	REFUSED( TrySolid( &def ), "triangle" );
	static const int counts[] = { -1, INT_MIN, INT_MAX };
	for ( int i = 0; i < COUNT( counts ); ++i )
	{
		def = fine;
		def.triangleCount = counts[i];
		REFUSED( TrySolid( &def ), "triangle" );
		def = fineTetrahedra;
		def.tetrahedronCount = counts[i];
		REFUSED( TrySolid( &def ), "tetrahedr" );
		def = fine;
		def.skinCount = counts[i];
		REFUSED( TrySolid( &def ), "skin" );
	}
	static const int32_t badIndices[] = { -1, 8, 1000, INT_MAX, INT_MIN };
	for ( int k = 0; k < COUNT( badIndices ); ++k )
	{
		for ( int i = 0; i < 12; ++i )
		{
			int32_t triangles[36];
			memcpy( triangles, pn_boxTriangles, sizeof( triangles ) );
			triangles[3 * i + i % 3] = badIndices[k];
			def = fine;
			def.triangles = triangles;
			REFUSED( TrySolid( &def ), Words( "triangle %d", i, 0 ) );
		}
		for ( int i = 0; i < 5; ++i )
		{
			int32_t tetrahedra[20];
			memcpy( tetrahedra, pn_boxTetrahedra, sizeof( tetrahedra ) );
			tetrahedra[4 * i + i % 4] = badIndices[k];
			def = fineTetrahedra;
			def.tetrahedra = tetrahedra;
			REFUSED( TrySolid( &def ), Words( "tetrahedr %d", i, 0 ) );
		}
	}
	def = fineTetrahedra;
	def.tetrahedra = NULL;
	REFUSED( TrySolid( &def ), "tetrahedr" );

	// more filling than there can be, at once or by overflow
	static const float spacings[] = { 1e-4f, 1e-9f, 1e-20f, 1e-38f };
	for ( int i = 0; i < COUNT( spacings ); ++i )
	{
		def = fine;
		def.fillSpacing = spacings[i];
		REFUSED( TrySolid( &def ), "fillSpacing|filling" );
	}
	Close();
}

static void SolidsOfBadClustersAreRefused( void )
{
	Open();
	pnSolidDef fine = pnDefaultSolidDef();
	fine.points = pn_boxCorners;
	fine.pointCount = 8;
	pnSolidDef def = fine;
	static const int kinds[] = { -1, 5, 1000 };
	for ( int i = 0; i < COUNT( kinds ); ++i )
	{
		def.clusters.kind = (pnClusterKind)kinds[i];
		REFUSED( TrySolid( &def ), "kind|clusters" );
	}
	def.clusters.kind = pn_tetClusters; // of no tetrahedra
	REFUSED( TrySolid( &def ), "tet" );
	static const int counts[] = { 0, -1, INT_MIN };
	for ( int i = 0; i < COUNT( counts ); ++i )
	{
		def = fine;
		def.clusters.kind = pn_countClusters;
		def.clusters.count = counts[i];
		REFUSED( TrySolid( &def ), "count" );
	}
	static const float sizes[] = { 0.0f, -1.0f, NAN, INFINITY };
	for ( int i = 0; i < COUNT( sizes ); ++i )
	{
		def = fine;
		def.clusters.kind = pn_cellClusters;
		def.clusters.cellSize = sizes[i];
		REFUSED( TrySolid( &def ), "cellSize" );
	}
	static const float overlaps[] = { -0.1f, NAN, INFINITY, -INFINITY };
	for ( int i = 0; i < COUNT( overlaps ); ++i )
	{
		def = fine;
		def.clusters.kind = pn_cellClusters;
		def.clusters.cellSize = 0.5f;
		def.clusters.overlap = overlaps[i];
		REFUSED( TrySolid( &def ), "overlap" );
	}

	static const int32_t fineStarts[4] = { 0, 4, 6, 10 };
	static const int32_t fineMembers[10] = { 0, 1, 2, 3, 3, 4, 4, 5, 6, 7 };
	pnSolidDef given = fine;
	given.clusters.kind = pn_givenClusters;
	given.clusters.count = 3;
	given.clusters.starts = fineStarts;
	given.clusters.members = fineMembers;
	ENSURE( TrySolid( &given ) == pn_success );
	def = given;
	def.clusters.starts = NULL;
	REFUSED( TrySolid( &def ), "starts" );
	def = given;
	def.clusters.members = NULL;
	REFUSED( TrySolid( &def ), "members" );
	static const int badCounts[] = { -1, 0, INT_MIN, INT_MAX };
	for ( int i = 0; i < COUNT( badCounts ); ++i )
	{
		def = given;
		def.clusters.count = badCounts[i];
		if ( badCounts[i] != INT_MAX ) // no list can be that long, but only its reader could tell
		{
			REFUSED( TrySolid( &def ), "count|cluster" );
		}
	}
	for ( int i = 1; i < 3; ++i )
	{
		int32_t starts[4];
		memcpy( starts, fineStarts, sizeof( starts ) );
		starts[i] = starts[i + 1] + 1;
		def = given;
		def.clusters.starts = starts;
		REFUSED( TrySolid( &def ), Words( "cluster|starts %d|%d", i, i + 1 ) );
		starts[i] = -1;
		REFUSED( TrySolid( &def ), "cluster|starts" );
	}
	const int32_t earlyStarts[4] = { -1, 4, 6, 10 };
	def = given;
	def.clusters.starts = earlyStarts;
	REFUSED( TrySolid( &def ), "starts|cluster" );
	for ( int i = 0; i < 10; ++i )
	{
		static const int32_t badMembers[] = { -1, 8, INT_MAX, INT_MIN };
		for ( int k = 0; k < COUNT( badMembers ); ++k )
		{
			int32_t members[10];
			memcpy( members, fineMembers, sizeof( members ) );
			members[i] = badMembers[k];
			def = given;
			def.clusters.members = members;
			char words[128];
			snprintf( words, sizeof( words ), "member|cluster %d|%d", i, badMembers[k] );
			REFUSED( TrySolid( &def ), words );
		}
		static const float badWeights[] = { 0.0f, -1.0f, NAN, INFINITY };
		for ( int k = 0; k < COUNT( badWeights ); ++k )
		{
			float weights[10] = { 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f, 1.0f };
			weights[i] = badWeights[k];
			def = given;
			def.clusters.weights = weights;
			REFUSED( TrySolid( &def ), Words( "weight %d", i, 0 ) );
		}
	}
	Close();
}

static void SolidsOfBadSkinsAreRefused( void )
{
	Open();
	pnVec3 normals[8];
	for ( int i = 0; i < 8; ++i )
	{
		normals[i] = pnMakeVec3( 0.0f, 1.0f, 0.0f );
	}
	pnSolidDef fine = pnDefaultSolidDef();
	fine.points = pn_boxCorners;
	fine.pointCount = 8;
	const pnSkinDef fineSkin = { pn_boxCorners, normals, pn_boxTriangles, 8, 12, NULL, 0, NULL };
	pnSkinDef skins[2] = { fineSkin, fineSkin };
	fine.skins = skins;
	fine.skinCount = 2;
	ENSURE( TrySolid( &fine ) == pn_success );
	pnSolidDef def = fine;
	def.skins = NULL;
	REFUSED( TrySolid( &def ), "skin" );
	for ( int s = 0; s < 2; ++s )
	{
		skins[0] = skins[1] = fineSkin;
		skins[s].vertices = NULL;
		REFUSED( TrySolid( &fine ), Words( "skin %d", s, 0 ) );
		static const int counts[] = { -1, INT_MIN };
		for ( int i = 0; i < COUNT( counts ); ++i )
		{
			skins[s] = fineSkin;
			skins[s].vertexCount = counts[i];
			REFUSED( TrySolid( &fine ), Words( "skin %d", s, 0 ) );
			skins[s] = fineSkin;
			skins[s].triangleCount = counts[i];
			REFUSED( TrySolid( &fine ), Words( "skin %d", s, 0 ) );
		}
		skins[s] = fineSkin;
		skins[s].triangles = NULL; // twelve of nothing
		REFUSED( TrySolid( &fine ), Words( "skin %d", s, 0 ) );
		for ( int i = 0; i < 8; ++i )
		{
			pnVec3 vertices[8];
			memcpy( vertices, pn_boxCorners, sizeof( vertices ) );
			vertices[i].y = s_bad[i % 3];
			skins[s] = fineSkin;
			skins[s].vertices = vertices;
			REFUSED( TrySolid( &fine ), Words( "skin vert %d", i, 0 ) );
			pnVec3 badNormals[8];
			memcpy( badNormals, normals, sizeof( badNormals ) );
			badNormals[i].z = s_bad[i % 3];
			skins[s] = fineSkin;
			skins[s].normals = badNormals;
			REFUSED( TrySolid( &fine ), Words( "skin normal %d", i, 0 ) );
		}
		for ( int i = 0; i < 12; ++i )
		{
			int32_t triangles[36];
			memcpy( triangles, pn_boxTriangles, sizeof( triangles ) );
			triangles[3 * i + i % 3] = i % 2 == 0 ? -1 : 8;
			skins[s] = fineSkin;
			skins[s].triangles = triangles;
			REFUSED( TrySolid( &fine ), Words( "skin triangle %d", i, 0 ) );
		}
	}
	Close();
}

// ---- worlds ----

static pnResult TryWorld( const pnWorldDef* def )
{
	pnWorld* world = (pnWorld*)&s_log;
	pnResult result = pnCreateWorld( def, &world );
	ENSURE( ( result == pn_success ) == ( world != NULL ) );
	if ( result == pn_success )
	{
		pnDestroyWorld( world );
	}
	return result;
}

static void* NeverEnqueue( pnTaskFcn* fcn, void* task, void* context )
{
	(void)context;
	fcn( task );
	return NULL;
}

static void NeverFinish( void* handle, void* context )
{
	(void)handle;
	(void)context;
}

static void BadWorldsAreRefused( void )
{
	Open();
	pnWorldDef def = pnDefaultWorldDef();
	ENSURE( TryWorld( &def ) == pn_success );
	REFUSED( TryWorld( NULL ), "pnCreateWorld|def" );
	def.cookie = 0;
	REFUSED( TryWorld( &def ), "cookie|pnDefaultWorldDef" );
	for ( int i = 0; i < 9; ++i )
	{
		float bad = s_bad[i / 3];
		pnVec3 gravity = pnMakeVec3( i % 3 == 0 ? bad : 0.0f, i % 3 == 1 ? bad : 0.0f, i % 3 == 2 ? bad : 0.0f );
		def = pnDefaultWorldDef();
		def.gravity = gravity;
		REFUSED( TryWorld( &def ), "gravity" );
		REFUSED( pnWorld_SetGravity( s_world, gravity ), "gravity" );
	}
	static const int counts[] = { -1, 65, INT_MAX, INT_MIN };
	for ( int i = 0; i < COUNT( counts ); ++i )
	{
		def = pnDefaultWorldDef();
		def.tasks.workerCount = counts[i];
		REFUSED( TryWorld( &def ), "workerCount" );
	}
	def = pnDefaultWorldDef();
	def.tasks.workerCount = 2;
	def.tasks.enqueue = NeverEnqueue;
	REFUSED( TryWorld( &def ), "enqueue|finish" );
	def.tasks.enqueue = NULL;
	def.tasks.finish = NeverFinish;
	REFUSED( TryWorld( &def ), "enqueue|finish" );
	Close();
}

static void BadStepsAreRefused( void )
{
	Open();
	static const float badSteps[] = { 0.0f, -0.0f, -1.0f / 60.0f, -1e-30f, NAN, INFINITY, -INFINITY };
	for ( int i = 0; i < COUNT( badSteps ); ++i )
	{
		REFUSED( pnWorld_Step( s_world, badSteps[i], 1 ), "timeStep" );
	}
	static const int badCounts[] = { 0, -1, INT_MIN };
	for ( int i = 0; i < COUNT( badCounts ); ++i )
	{
		REFUSED( pnWorld_Step( s_world, 1.0f / 60.0f, badCounts[i] ), "subStepCount" );
	}
	Close();
}

// ---- materials ----

// A name, and how to spoil what it names.
typedef struct BadField
{
	const char* name;
	size_t offset;
	float values[5];
	int count;
} BadField;

#define FIELD( NAME ) #NAME, offsetof( pnMaterial, NAME )

static const BadField s_badFields[] = {
	{ FIELD( hertz ), { NAN, INFINITY, -INFINITY, -1.0f }, 4 },
	{ FIELD( dampingRatio ), { NAN, INFINITY, -INFINITY, -0.1f }, 4 },
	{ FIELD( stretch ), { NAN, INFINITY, -INFINITY, -0.1f, 1.1f }, 5 },
	{ FIELD( alpha ), { NAN, INFINITY, -INFINITY, -0.1f, 1.1f }, 5 },
	{ FIELD( volume ), { NAN, INFINITY, -INFINITY, -1.0f }, 4 },
	{ FIELD( capStart ), { NAN, INFINITY, -INFINITY, -1.0f, 0.0f }, 5 },
	{ FIELD( capEnd ), { NAN, INFINITY, -INFINITY, -1.0f, 1.2f }, 5 }, // below capStart
	{ FIELD( yield ), { NAN, INFINITY, -INFINITY, -0.1f }, 4 },
	{ FIELD( creep ), { NAN, INFINITY, -INFINITY, -1.0f }, 4 },
	{ FIELD( maxPlastic ), { NAN, INFINITY, -INFINITY, -1.0f }, 4 },
	{ FIELD( hardening ), { NAN, INFINITY, -INFINITY }, 3 },
	{ FIELD( recovery ), { NAN, INFINITY, -INFINITY, -1.0f }, 4 },
	{ FIELD( toughness ), { NAN, INFINITY, -INFINITY, -1.0f }, 4 },
	{ FIELD( density ), { NAN, INFINITY, -INFINITY, -1.0f, 0.0f }, 5 },
	{ FIELD( friction ), { NAN, INFINITY, -INFINITY, -1.0f }, 4 },
};

static pnMaterial PatientMaterial( void )
{
	// every option is on, so that no field can be overlooked
	pnMaterial material = pnDefaultMaterial();
	material.cap = pn_blendCap;
	material.capStart = 1.5f;
	material.capEnd = 2.0f;
	material.yield = 0.1f;
	material.creep = 5.0f;
	material.maxPlastic = 0.5f;
	return material;
}

static pnResult TryBody( const pnBodyDef* def )
{
	pnBodyId body = { 77, 77 };
	pnResult result = pnCreateBody( s_world, def, &body );
	ENSURE( result == pn_success || ( body.index1 == 0 && body.generation == 0 ) );
	return result;
}

static void RefuseMaterial( const pnMaterial* material, const char* words )
{
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = s_solid;
	def.material = *material;
	REFUSED( TryBody( &def ), words );
	REFUSED( pnBody_SetMaterial( s_world, s_body, material ), words );
}

static void BadMaterialsAreRefused( void )
{
	Open();
	pnMaterial fine = PatientMaterial();
	ENSURE( pnBody_SetMaterial( s_world, s_body, &fine ) == pn_success );
	for ( int i = 0; i < COUNT( s_badFields ); ++i )
	{
		for ( int k = 0; k < s_badFields[i].count; ++k )
		{
			pnMaterial material = fine;
			memcpy( (char*)&material + s_badFields[i].offset, &s_badFields[i].values[k], sizeof( float ) );
			RefuseMaterial( &material, s_badFields[i].name );
		}
	}
	static const int badModes[] = { -1, 3, 1000, INT_MAX, INT_MIN };
	for ( int i = 0; i < COUNT( badModes ); ++i )
	{
		pnMaterial material = fine;
		memcpy( &material.mode, badModes + i, sizeof( int ) );
		RefuseMaterial( &material, "mode" );
		material = fine;
		int cap = badModes[i] == 3 ? 4 : badModes[i];
		memcpy( &material.cap, &cap, sizeof( int ) );
		RefuseMaterial( &material, "cap" );
	}
	REFUSED( pnBody_SetMaterial( s_world, s_body, NULL ), "material" );
	Close();
}

static void BadCurvesAreRefused( void )
{
	Open();
	for ( int which = 0; which < 2; ++which )
	{
		const char* name = which == 0 ? "volumeCurve" : "capCurve";
		pnMaterial fine = PatientMaterial();
		pnCurve curve = { 0 };
		curve.count = 4;
		for ( int i = 0; i < 4; ++i )
		{
			curve.points[i].x = 0.5f + 0.5f * (float)i;
			curve.points[i].y = 0.8f + 0.2f * (float)i;
		}
		pnCurve* place = which == 0 ? &fine.volumeCurve : &fine.capCurve;
		*place = curve;
		ENSURE( pnBody_SetMaterial( s_world, s_body, &fine ) == pn_success );
		static const int badCounts[] = { -1, PN_CURVE_SIZE + 1, INT_MAX, INT_MIN };
		for ( int i = 0; i < COUNT( badCounts ); ++i )
		{
			*place = curve;
			place->count = badCounts[i];
			RefuseMaterial( &fine, name );
		}
		for ( int i = 0; i < 4; ++i )
		{
			for ( int k = 0; k < 3; ++k )
			{
				*place = curve;
				place->points[i].x = s_bad[k];
				RefuseMaterial( &fine, name );
				*place = curve;
				place->points[i].y = s_bad[k];
				RefuseMaterial( &fine, name );
			}
		}
		*place = curve;
		place->points[2].x = place->points[1].x; // does not rise
		RefuseMaterial( &fine, name );
		place->points[2].x = 0.6f; // falls
		RefuseMaterial( &fine, name );
		// what lies beyond the count does not matter
		*place = curve;
		place->points[4].x = NAN;
		place->points[5].y = INFINITY;
		ENSURE( pnBody_SetMaterial( s_world, s_body, &fine ) == pn_success );
	}
	Close();
}

static bool SameMaterial( const pnMaterial* a, const pnMaterial* b )
{
	// all fields but the last are four bytes wide, so that padding can only follow it
	return memcmp( a, b, offsetof( pnMaterial, bare ) ) == 0 && a->bare == b->bare;
}

static void MaterialsAreReadAsTheyWereSet( void )
{
	Open();
	int count = 0;
	const char* const* names = pnGetMaterialNames( &count );
	static const char* const promised[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood", "steel", "rigid" };
	for ( int i = 0; i < COUNT( promised ); ++i )
	{
		bool found = false;
		for ( int k = 0; k < count; ++k )
		{
			found = found || strcmp( names[k], promised[i] ) == 0;
		}
		pnTestContext( "%s", promised[i] );
		ENSURE( found );
	}
	pnMaterial last = pnDefaultMaterial();
	for ( int i = 0; i < count; ++i )
	{
		pnTestContext( "%s", names[i] );
		pnMaterial material = pnDefaultMaterial();
		memset( &material, 0xEE, sizeof( material ) ); // nothing of what was there is left
		ENSURE( pnFindMaterial( names[i], &material ) == pn_success );
		ENSURE( pnBody_SetMaterial( s_world, s_body, &material ) == pn_success );
		pnMaterial read = pnDefaultMaterial();
		ENSURE( pnBody_GetMaterial( s_world, s_body, &read ) == pn_success );
		ENSURE( SameMaterial( &read, &material ) );
		ENSURE( i == 0 || !SameMaterial( &read, &last ) );
		last = read;
	}
	pnTestContext( "%s", "" );
	pnMaterial odd = PatientMaterial();
	odd.bare = true;
	odd.alpha = 0.3f;
	odd.hardening = 2.0f;
	odd.recovery = 0.25f;
	odd.friction = 0.125f;
	odd.capCurve.count = 2;
	odd.capCurve.points[0].x = odd.capCurve.points[0].y = 1.0f;
	odd.capCurve.points[1].x = 2.0f;
	odd.capCurve.points[1].y = 1.5f;
	ENSURE( pnBody_SetMaterial( s_world, s_body, &odd ) == pn_success );
	pnMaterial read = pnDefaultMaterial();
	ENSURE( pnBody_GetMaterial( s_world, s_body, &read ) == pn_success );
	ENSURE( SameMaterial( &read, &odd ) );
	// a step does not change it
	ENSURE( pnWorld_Step( s_world, 1.0f / 60.0f, 1 ) == pn_success );
	ENSURE( pnBody_GetMaterial( s_world, s_body, &read ) == pn_success );
	ENSURE( SameMaterial( &read, &odd ) );

	// no such name: the material is left alone
	static const char* const strangers[] = { "adamant", "", "Jelly", "jelly ", "jell" };
	for ( int i = 0; i < COUNT( strangers ); ++i )
	{
		read = odd;
		REFUSED( pnFindMaterial( strangers[i], &read ), "material" );
		ENSURE( pnFindMaterial( strangers[i], &read ) == pn_notFound );
		ENSURE( SameMaterial( &read, &odd ) );
	}
	REFUSED( pnFindMaterial( "adamant", &read ), "adamant" );
	read = odd;
	REFUSED( pnFindMaterial( NULL, &read ), "material" );
	ENSURE( SameMaterial( &read, &odd ) );
	Close();
}

// ---- bodies ----

static void BadBodiesAreRefused( void )
{
	Open();
	pnBodyDef fine = pnDefaultBodyDef();
	fine.solid = s_solid;
	pnBodyDef def = fine;
	REFUSED( TryBody( NULL ), "pnCreateBody|def" );
	def.cookie = 0;
	REFUSED( TryBody( &def ), "cookie|pnDefaultBodyDef" );
	def = fine;
	def.solid = NULL;
	REFUSED( TryBody( &def ), "solid" );
	for ( int k = 0; k < 3; ++k )
	{
		def = fine;
		def.transform.p.x = s_bad[k];
		REFUSED( TryBody( &def ), "transform" );
		def = fine;
		def.transform.p.z = s_bad[k];
		REFUSED( TryBody( &def ), "transform" );
		def = fine;
		def.transform.q.x = s_bad[k];
		REFUSED( TryBody( &def ), "transform" );
		def = fine;
		def.transform.q.w = s_bad[k];
		REFUSED( TryBody( &def ), "transform" );
		def = fine;
		def.velocity.y = s_bad[k];
		REFUSED( TryBody( &def ), "velocity" );
		def = fine;
		def.angularVelocity.z = s_bad[k];
		REFUSED( TryBody( &def ), "angularVelocity" );
		def = fine;
		def.gravityScale = s_bad[k];
		REFUSED( TryBody( &def ), "gravityScale" );
	}
	def = fine;
	def.transform.q = ( pnQuat ){ 0.0f, 0.0f, 0.0f, 0.0f };
	REFUSED( TryBody( &def ), "transform" );
	Close();
}

static void BadPointsAreRefused( void )
{
	Open();
	pnVec3 positions[28], velocities[28];
	ENSURE( pnBody_WritePoints( s_world, s_body, positions, velocities, 27 ) == 27 );
	static const int counts[] = { 0, 1, 26, 28, -1, -27, INT_MAX, INT_MIN };
	for ( int i = 0; i < COUNT( counts ); ++i )
	{
		REFUSED( pnBody_SetPoints( s_world, s_body, positions, velocities, counts[i] ), "count|pnBody_SetPoints" );
	}
	for ( int i = 0; i < 27; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			pnVec3 keep = positions[i];
			positions[i].x = k == 0 ? s_bad[i % 3] : keep.x;
			positions[i].y = k == 1 ? s_bad[i % 3] : keep.y;
			positions[i].z = k == 2 ? s_bad[i % 3] : keep.z;
			REFUSED( pnBody_SetPoints( s_world, s_body, positions, velocities, 27 ), Words( "position|point %d", i, 0 ) );
			REFUSED( pnBody_SetPoints( s_world, s_body, positions, NULL, 27 ), Words( "position|point %d", i, 0 ) );
			positions[i] = keep;
			keep = velocities[i];
			velocities[i].x = k == 0 ? s_bad[i % 3] : keep.x;
			velocities[i].y = k == 1 ? s_bad[i % 3] : keep.y;
			velocities[i].z = k == 2 ? s_bad[i % 3] : keep.z;
			REFUSED( pnBody_SetPoints( s_world, s_body, positions, velocities, 27 ), Words( "velocit|point %d", i, 0 ) );
			REFUSED( pnBody_SetPoints( s_world, s_body, NULL, velocities, 27 ), Words( "velocit|point %d", i, 0 ) );
			velocities[i] = keep;
		}
	}
	// the same points again are no change of place
	ENSURE( pnBody_SetPoints( s_world, s_body, positions, velocities, 27 ) == pn_success );
	pnVec3 again[27];
	ENSURE( pnBody_WritePoints( s_world, s_body, again, NULL, 27 ) == 27 );
	ENSURE( memcmp( again, positions, sizeof( again ) ) == 0 );
	Close();
}

static void BadForcesAreRefused( void )
{
	Open();
	static const int32_t badPoints[] = { -1, 27, 28, INT_MAX, INT_MIN };
	pnVec3 up = pnMakeVec3( 0.0f, 1.0f, 0.0f );
	for ( int i = 0; i < COUNT( badPoints ); ++i )
	{
		const char* words = Words( "point %d", badPoints[i], 0 );
		REFUSED( pnBody_ApplyForceAt( s_world, s_body, badPoints[i], up ), words );
		REFUSED( pnBody_ApplyImpulseAt( s_world, s_body, badPoints[i], up ), words );
	}
	for ( int i = 0; i < 9; ++i )
	{
		float bad = s_bad[i / 3];
		pnVec3 force = pnMakeVec3( i % 3 == 0 ? bad : 1.0f, i % 3 == 1 ? bad : 1.0f, i % 3 == 2 ? bad : 1.0f );
		REFUSED( pnBody_ApplyForce( s_world, s_body, force ), "force" );
		REFUSED( pnBody_ApplyForceAt( s_world, s_body, 3, force ), "force" );
		REFUSED( pnBody_ApplyImpulse( s_world, s_body, force ), "impulse" );
		REFUSED( pnBody_ApplyImpulseAt( s_world, s_body, 3, force ), "impulse" );
		REFUSED( pnBody_SetVelocity( s_world, s_body, force, up ), "velocity|linear" );
		REFUSED( pnBody_SetVelocity( s_world, s_body, up, force ), "velocity|angular" );
		pnTransform transform = pnIdentityTransform();
		transform.p = force;
		REFUSED( pnBody_SetTransform( s_world, s_body, transform ), "transform" );
		transform.p = up;
		transform.q = ( pnQuat ){ force.x, force.y, force.z, 1.0f };
		REFUSED( pnBody_SetTransform( s_world, s_body, transform ), "transform" );
	}
	pnTransform transform = pnIdentityTransform();
	transform.q.w = 0.0f;
	REFUSED( pnBody_SetTransform( s_world, s_body, transform ), "transform" );
	for ( int k = 0; k < 3; ++k )
	{
		transform.q.w = s_bad[k];
		REFUSED( pnBody_SetTransform( s_world, s_body, transform ), "transform" );
		REFUSED( pnBody_SetGravityScale( s_world, s_body, s_bad[k] ), "scale" );
	}
	Close();
}

static void BadPinsAreRefused( void )
{
	Open();
	const pnVec3 fineTargets[3] = { { 0.0f, 0.0f, 0.0f }, { 0.1f, 0.0f, 0.0f }, { 0.0f, 0.1f, 0.0f } };
	const pnBodyId bodies[2] = { s_body, s_other }; // free so far, and with a pin already
	for ( int b = 0; b < 2; ++b )
	{
		static const int32_t badPoints[] = { -1, 27, 1000, INT_MAX, INT_MIN };
		for ( int i = 0; i < 3; ++i )
		{
			for ( int k = 0; k < COUNT( badPoints ); ++k )
			{
				int32_t points[3] = { 4, 5, 6 };
				points[i] = badPoints[k];
				char words[64];
				snprintf( words, sizeof( words ), "point %d|%d", i, badPoints[k] );
				REFUSED( pnBody_Pin( s_world, bodies[b], points, fineTargets, 3 ), words );
				REFUSED( pnBody_Pin( s_world, bodies[b], points, NULL, 3 ), words );
				REFUSED( pnBody_Unpin( s_world, bodies[b], points, 3 ), words );
			}
			for ( int k = 0; k < 9; ++k )
			{
				const int32_t points[3] = { 14, 15, 16 };
				pnVec3 targets[3];
				memcpy( targets, fineTargets, sizeof( targets ) );
				float* coordinate = k % 3 == 0 ? &targets[i].x : k % 3 == 1 ? &targets[i].y : &targets[i].z;
				*coordinate = s_bad[k / 3];
				char words[64];
				snprintf( words, sizeof( words ), "target %d|%d", i, points[i] );
				REFUSED( pnBody_Pin( s_world, bodies[b], points, targets, 3 ), words );
			}
		}
		const int32_t points[3] = { 4, 5, 6 };
		REFUSED( pnBody_Pin( s_world, bodies[b], NULL, fineTargets, 3 ), "points" );
		REFUSED( pnBody_Pin( s_world, bodies[b], NULL, NULL, 1 ), "points" );
		REFUSED( pnBody_Pin( s_world, bodies[b], points, fineTargets, -1 ), "count" );
		REFUSED( pnBody_Pin( s_world, bodies[b], points, fineTargets, INT_MIN ), "count" );
		REFUSED( pnBody_Unpin( s_world, bodies[b], points, -1 ), "count" );
	}
	Close();
}

// ---- ids ----

static void DeadIdsAreRefused( void )
{
	Open();
	const pnBodyId wrong[] = {
		{ 0, 0 }, s_dead, { s_body.index1, s_body.generation + 1 }, { s_body.index1, s_body.generation - 1 }, { -1, 1 }, { -s_body.index1, s_body.generation },
		{ 1000000, 1 }, { INT_MAX, 1 }, { INT_MIN, 1 }, { INT_MAX, UINT32_MAX }, { 0, 1 },
	};
	pnVec3 up = pnMakeVec3( 0.0f, 1.0f, 0.0f );
	pnVec3 points[27] = { 0 };
	const int32_t first = 0;
	pnMaterial fine = pnDefaultMaterial();
	for ( int i = 0; i < COUNT( wrong ); ++i )
	{
		pnBodyId id = wrong[i];
		char words[64];
		// 0 is the null id; a sentence may call it so
		snprintf( words, sizeof( words ), id.index1 == 0 ? "body" : "body %d", id.index1 );
		pnMaterial material = fine;
		pnBodyState state;
		memset( &state, 0x55, sizeof( state ) );
		pnBodyState stateBefore = state;

		REFUSED( pnDestroyBody( s_world, id ), words );
		REFUSED( pnBody_GetMaterial( s_world, id, &material ), words );
		REFUSED( pnBody_SetMaterial( s_world, id, &fine ), words );
		REFUSED( pnBody_SetUserData( s_world, id, 9 ), words );
		REFUSED( pnBody_SetGravityScale( s_world, id, 1.0f ), words );
		REFUSED( pnBody_SetPoints( s_world, id, points, points, 27 ), words );
		REFUSED( pnBody_ApplyForce( s_world, id, up ), words );
		REFUSED( pnBody_ApplyForceAt( s_world, id, 0, up ), words );
		REFUSED( pnBody_ApplyImpulse( s_world, id, up ), words );
		REFUSED( pnBody_ApplyImpulseAt( s_world, id, 0, up ), words );
		REFUSED( pnBody_Pin( s_world, id, &first, &up, 1 ), words );
		REFUSED( pnBody_Unpin( s_world, id, NULL, 0 ), words );
		REFUSED( pnBody_SetVelocity( s_world, id, up, up ), words );
		REFUSED( pnBody_SetTransform( s_world, id, pnIdentityTransform() ), words );
		REFUSED( pnBody_SetAwake( s_world, id, false ), words );
		REFUSED( pnBody_GetState( s_world, id, &state ), words );

		ENSURE( SameMaterial( &material, &fine ) );
		ENSURE( memcmp( &state, &stateBefore, sizeof( state ) ) == 0 );
		ENSURE( pnDestroyBody( s_world, id ) == pn_notFound );
		ENSURE( pnBody_SetMaterial( s_world, id, &fine ) == pn_notFound );
		ENSURE( pnBody_GetState( s_world, id, &state ) == pn_notFound );

		// reading nothing is harmless
		pnVec3 canary[2] = { { 7.0f, 8.0f, 9.0f }, { 7.0f, 8.0f, 9.0f } };
		pnClusterState cluster;
		memset( &cluster, 0x55, sizeof( cluster ) );
		pnClusterState clusterBefore = cluster;
		uint64_t hash = pnWorld_GetHash( s_world );
		ENSURE( pnBody_IsValid( s_world, id ) == false );
		ENSURE( pnBody_GetSolid( s_world, id ) == NULL );
		ENSURE( pnBody_GetUserData( s_world, id ) == 0 );
		ENSURE( pnBody_WritePoints( s_world, id, canary, canary + 1, 1 ) == 0 );
		ENSURE( pnBody_WriteSkin( s_world, id, 0, canary, canary + 1, 1 ) == 0 );
		ENSURE( pnBody_WriteClusters( s_world, id, &cluster, 1 ) == 0 );
		ENSURE( canary[0].x == 7.0f && canary[1].z == 9.0f );
		ENSURE( memcmp( &cluster, &clusterBefore, sizeof( cluster ) ) == 0 );
		ENSURE( pnWorld_GetHash( s_world ) == hash );
	}

	ENSURE( pnBody_IsValid( s_world, s_body ) && pnBody_IsValid( s_world, s_other ) );
	ENSURE( pnBody_GetSolid( s_world, s_body ) == s_solid );
	pnBodyId bodies[4] = { 0 };
	ENSURE( pnWorld_GetBodies( s_world, bodies, 4 ) == 2 );
	ENSURE( bodies[0].index1 == s_body.index1 && bodies[1].index1 == s_other.index1 && bodies[2].index1 == 0 );
	Close();
}

// ---- outputs ----

static void OutputsKeepWithinTheirCapacity( void )
{
	Open();
	pnBodyDef def = pnDefaultBodyDef();
	pnSolidDef boxDef = pnDefBox();
	pnSolid* box = NULL;
	REQUIRE( pnCreateSolid( &boxDef, &box ) == pn_success );
	def.solid = box;
	pnBodyId body;
	REQUIRE( pnCreateBody( s_world, &def, &body ) == pn_success );
	pnSolidInfo info = pnSolid_GetInfo( box );
	ENSURE( info.pointCount == 8 && info.skinCount == 1 );
	static const int capacities[] = { 0, 1, 5, 8, 9, -1, INT_MIN };
	for ( int i = 0; i < COUNT( capacities ); ++i )
	{
		int capacity = capacities[i];
		pnTestContext( "capacity %d", capacity );
		pnVec3 positions[16], others[16];
		int32_t indices[16];
		pnClusterState clusters[16];
		pnBodyId bodies[16];
		memset( positions, 0x7F, sizeof( positions ) );
		memset( others, 0x7F, sizeof( others ) );
		memset( indices, 0x7F, sizeof( indices ) );
		memset( clusters, 0x7F, sizeof( clusters ) );
		memset( bodies, 0x7F, sizeof( bodies ) );
		unsigned char untouched[sizeof( clusters )];
		memset( untouched, 0x7F, sizeof( untouched ) );
		int room = capacity > 0 ? capacity : 0;
		int full = room < 8 ? room : 8;

		ENSURE( pnBody_WritePoints( s_world, body, positions, others, capacity ) == 8 );
		ENSURE( memcmp( positions + full, untouched, sizeof( pnVec3 ) * (size_t)( 16 - full ) ) == 0 );
		ENSURE( memcmp( others + full, untouched, sizeof( pnVec3 ) * (size_t)( 16 - full ) ) == 0 );
		ENSURE( full == 0 || memcmp( positions + full - 1, untouched, sizeof( pnVec3 ) ) != 0 );
		int skinCount = pnBody_WriteSkin( s_world, body, 0, positions, others, capacity );
		int skinFull = room < skinCount ? room : skinCount;
		ENSURE( skinCount == 8 );
		ENSURE( memcmp( positions + skinFull, untouched, sizeof( pnVec3 ) * (size_t)( 16 - skinFull ) ) == 0 );
		ENSURE( memcmp( others + skinFull, untouched, sizeof( pnVec3 ) * (size_t)( 16 - skinFull ) ) == 0 );
		ENSURE( pnSolid_WritePointMap( box, indices, capacity ) == 8 );
		ENSURE( memcmp( indices + full, untouched, sizeof( int32_t ) * (size_t)( 16 - full ) ) == 0 );
		ENSURE( pnSolid_WriteMainClusters( box, indices, capacity ) == 8 );
		ENSURE( memcmp( indices + full, untouched, sizeof( int32_t ) * (size_t)( 16 - full ) ) == 0 );
		ENSURE( pnBody_WriteClusters( s_world, body, clusters, capacity ) == info.clusterCount );
		int clusterFull = room < info.clusterCount ? room : info.clusterCount;
		ENSURE( memcmp( clusters + clusterFull, untouched, sizeof( pnClusterState ) * (size_t)( 16 - clusterFull ) ) == 0 );
		ENSURE( pnWorld_GetBodies( s_world, bodies, capacity ) == 3 );
		int bodyFull = room < 3 ? room : 3;
		ENSURE( memcmp( bodies + bodyFull, untouched, sizeof( pnBodyId ) * (size_t)( 16 - bodyFull ) ) == 0 );
	}
	pnTestContext( "%s", "" );
	// nothing to write to is a question for the count
	ENSURE( pnBody_WritePoints( s_world, body, NULL, NULL, 100 ) == 8 );
	ENSURE( pnBody_WriteSkin( s_world, body, 0, NULL, NULL, 100 ) == 8 );
	static const int noSkins[] = { -1, 1, 1000, INT_MAX, INT_MIN };
	for ( int i = 0; i < COUNT( noSkins ); ++i )
	{
		pnVec3 canary = { 7.0f, 8.0f, 9.0f };
		ENSURE( pnBody_WriteSkin( s_world, body, noSkins[i], &canary, &canary, 1 ) == 0 );
		ENSURE( canary.x == 7.0f );
		pnSkinInfo skin = pnSolid_GetSkin( box, noSkins[i] );
		ENSURE( skin.vertexCount == 0 && skin.triangleCount == 0 && skin.triangles == NULL );
	}
	pnDestroySolid( box );
	pnDestroySolid( NULL );
	pnDestroyWorld( NULL );
	Close();
}

// A call that answers needs a place for its answer.
static void MissingOutputsAreRefused( void )
{
	Open();
	pnSolidDef solidDef = pnDefBox();
	REFUSED( pnCreateSolid( &solidDef, NULL ), "pnCreateSolid|solid" );
	pnWorldDef worldDef = pnDefaultWorldDef();
	REFUSED( pnCreateWorld( &worldDef, NULL ), "pnCreateWorld|world" );
	pnBodyDef bodyDef = pnDefaultBodyDef();
	bodyDef.solid = s_solid;
	REFUSED( pnCreateBody( s_world, &bodyDef, NULL ), "pnCreateBody|body" );
	REFUSED( pnFindMaterial( "jelly", NULL ), "material" );
	REFUSED( pnBody_GetMaterial( s_world, s_body, NULL ), "material" );
	REFUSED( pnBody_GetState( s_world, s_body, NULL ), "state" );
	Close();
}

// A count of zero pins asks for nothing and gets it.
static void NothingToPinIsFine( void )
{
	Open();
	uint64_t hash = pnWorld_GetHash( s_world );
	const int32_t point = 0;
	ENSURE( pnBody_Pin( s_world, s_body, &point, NULL, 0 ) == pn_success );
	ENSURE( pnBody_Unpin( s_world, s_body, &point, 0 ) == pn_success );
	ENSURE( pnWorld_GetHash( s_world ) == hash );
	Close();
}

static const pnTest s_tests[] = {
	RUN( SolidsOfBadPointsAreRefused ),
	RUN( SolidsOfBadSurfacesAreRefused ),
	RUN( SolidsOfBadClustersAreRefused ),
	RUN( SolidsOfBadSkinsAreRefused ),
	RUN( BadWorldsAreRefused ),
	RUN( BadStepsAreRefused ),
	RUN( BadMaterialsAreRefused ),
	RUN( BadCurvesAreRefused ),
	RUN( MaterialsAreReadAsTheyWereSet ),
	RUN( BadBodiesAreRefused ),
	RUN( BadPointsAreRefused ),
	RUN( BadForcesAreRefused ),
	RUN( BadPinsAreRefused ),
	RUN( DeadIdsAreRefused ),
	RUN( OutputsKeepWithinTheirCapacity ),
	RUN( NothingToPinIsFine ),
	RUN( MissingOutputsAreRefused ),
};
SUITE( input, s_tests );
