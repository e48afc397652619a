// contact_scenes.c - worlds in which contact is judged: made, drawn, looked at. Knows no rows and no bars.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "contact_scenes.h"

#include "../scenes/scenes.h"
#include "../scenes/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

// ---- a world ----

pnContactSceneDef pnDefaultContactSceneDef( void )
{
	return (pnContactSceneDef){ .enableSleep = true, .hasFloor = true, .gravity = PN_CONTACT_GRAVITY, .friction = 0.6f, .substeps = 4 };
}

static void AddPlane( pnContactScene* scene, const pnContactSceneDef* def, pnVec3 place, pnVec3 normal )
{
	pnShapeDef shape = pnDefaultShapeDef();
	shape.transform.p = place;
	// straight down is the one direction that has no shortest turn
	shape.transform.q = normal.y < 0.0f ? pnSceneTurn( pnMakeVec3( 1.0f, 0.0f, 0.0f ), (float)PI ) : pnSceneTilt( normal );
	shape.friction = def->friction;
	pnShapeId id = { 0 };
	scene->result = scene->result == pn_success ? pnCreateShape( scene->world, &shape, &id ) : scene->result;
	scene->floor = scene->wallCount == 0 ? id : scene->floor;
	scene->walls[scene->wallCount] = (pnCheckWall){ { normal.x, normal.y, normal.z }, (double)pnDot( normal, place ) };
	scene->wallCount += 1;
}

void pnOpenContactScene( pnContactScene* scene, const pnContactSceneDef* def )
{
	*scene = (pnContactScene){ .substeps = def->substeps };
	pnWorldDef world = pnDefaultWorldDef();
	world.enableSleep = def->enableSleep;
	world.gravity = pnMakeVec3( 0.0f, -def->gravity, 0.0f );
	scene->result = pnCreateWorld( &world, &scene->world );
	if ( def->hasFloor )
	{
		AddPlane( scene, def, pnMakeVec3( 0.0f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) );
	}
	for ( int i = 0; i < 4 && def->wall > 0.0f; ++i )
	{
		float side = ( i & 1 ) != 0 ? 1.0f : -1.0f;
		pnVec3 inward = i < 2 ? pnMakeVec3( side, 0.0f, 0.0f ) : pnMakeVec3( 0.0f, 0.0f, side );
		AddPlane( scene, def, pnScale( -def->wall, inward ), inward );
	}
	if ( def->lid > 0.0f )
	{
		AddPlane( scene, def, pnMakeVec3( 0.0f, def->lid, 0.0f ), pnMakeVec3( 0.0f, -1.0f, 0.0f ) );
	}
}

void pnCloseContactScene( pnContactScene* scene )
{
	pnDestroyWorld( scene->world );
	free( scene->bodies );
	free( scene->points );
	free( scene->velocities );
	*scene = (pnContactScene){ 0 };
}

// The points of a body as they lie and move now; NULL if there is no memory.
static const pnVec3* ReadPoints( pnContactScene* scene, pnBodyId id, int* count )
{
	*count = pnBody_WritePoints( scene->world, id, NULL, NULL, 0 );
	if ( *count > scene->pointCapacity )
	{
		free( scene->points );
		free( scene->velocities );
		scene->points = malloc( (size_t)*count * sizeof( pnVec3 ) );
		scene->velocities = malloc( (size_t)*count * sizeof( pnVec3 ) );
		scene->pointCapacity = scene->points != NULL && scene->velocities != NULL ? *count : 0;
	}
	if ( *count > scene->pointCapacity )
	{
		return NULL;
	}
	pnBody_WritePoints( scene->world, id, scene->points, scene->velocities, *count );
	return scene->points;
}

static double MeasureDiameter( const pnVec3* points, int count )
{
	float largest = 0.0f;
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = i + 1; j < count; ++j )
		{
			pnVec3 d = pnSub( points[i], points[j] );
			float square = pnDot( d, d );
			largest = square > largest ? square : largest;
		}
	}
	return sqrt( (double)largest );
}

// Skin 0 lies over the points if it was made from them; what is only for the eye does not.
static bool IsSkinOverPoints( const pnContactScene* scene, pnBodyId id, const pnVec3* points, int pointCount, double size )
{
	const pnSolid* solid = pnBody_GetSolid( scene->world, id );
	if ( pnSolid_GetInfo( solid ).skinCount == 0 )
	{
		return false;
	}
	int vertexCount = pnSolid_GetSkin( solid, 0 ).vertexCount;
	pnVec3* vertices = vertexCount <= pointCount ? malloc( (size_t)vertexCount * sizeof( pnVec3 ) ) : NULL;
	bool isOver = vertices != NULL;
	if ( isOver )
	{
		pnBody_WriteSkin( scene->world, id, 0, vertices, NULL, vertexCount );
	}
	for ( int i = 0; i < vertexCount && isOver; ++i )
	{
		pnVec3 d = pnSub( vertices[i], points[i] );
		isOver = sqrt( (double)pnDot( d, d ) ) <= 1e-4 * size;
	}
	free( vertices );
	return isOver;
}

static void Register( pnContactScene* scene, pnBodyId id, bool isPiece )
{
	if ( scene->bodyCount == scene->bodyCapacity )
	{
		int capacity = scene->bodyCapacity == 0 ? 64 : 2 * scene->bodyCapacity;
		pnContactBody* bodies = realloc( scene->bodies, (size_t)capacity * sizeof( pnContactBody ) );
		if ( bodies == NULL )
		{
			scene->result = pn_outOfMemory;
			return;
		}
		scene->bodies = bodies;
		scene->bodyCapacity = capacity;
	}
	int pointCount;
	const pnVec3* points = ReadPoints( scene, id, &pointCount );
	if ( points == NULL )
	{
		scene->result = pn_outOfMemory;
		return;
	}
	double diameter = MeasureDiameter( points, pointCount );
	scene->bodies[scene->bodyCount] = (pnContactBody){
		.id = id,
		.diameter = diameter,
		.pointCount = pointCount,
		.hasSurface = isPiece || IsSkinOverPoints( scene, id, points, pointCount, diameter ),
	};
	scene->bodyCount += 1;
}

int pnContactScene_Add( pnContactScene* scene, const pnBodyDef* def )
{
	pnBodyId id = { 0 };
	scene->result = scene->result == pn_success ? pnCreateBody( scene->world, def, &id ) : scene->result;
	if ( scene->result == pn_success )
	{
		Register( scene, id, false );
	}
	return scene->result == pn_success ? scene->bodyCount - 1 : 0;
}

void pnContactScene_Adopt( pnContactScene* scene )
{
	int count = pnWorld_GetBodies( scene->world, NULL, 0 );
	pnBodyId* ids = malloc( (size_t)( count + 1 ) * sizeof( pnBodyId ) );
	if ( ids == NULL )
	{
		scene->result = pn_outOfMemory;
		return;
	}
	pnWorld_GetBodies( scene->world, ids, count );
	scene->bodyCount = 0;
	for ( int i = 0; i < count && scene->result == pn_success; ++i )
	{
		Register( scene, ids[i], true );
	}
	free( ids );
}

void pnContactScene_Step( pnContactScene* scene )
{
	if ( scene->result == pn_success )
	{
		scene->result = pnWorld_Step( scene->world, 1.0f / (float)PN_CONTACT_RATE, scene->substeps );
	}
}

void pnContactScene_Run( pnContactScene* scene, int frames )
{
	for ( int i = 0; i < frames; ++i )
	{
		pnContactScene_Step( scene );
	}
}

// ---- what is seen ----

pnBodyState pnContactScene_GetState( const pnContactScene* scene, int body )
{
	pnBodyState state = { 0 };
	if ( body < scene->bodyCount )
	{
		pnBody_GetState( scene->world, scene->bodies[body].id, &state );
	}
	return state;
}

pnContactLook pnContactScene_Look( const pnContactScene* scene )
{
	pnContactLook look = { 0 };
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		pnBodyState s = pnContactScene_GetState( scene, i );
		look.kinetic += s.kinetic;
		look.elastic += s.elastic;
		look.mass += (double)s.mass;
		look.awakeCount += s.awake;
		look.speed = fmax( look.speed, sqrt( (double)pnDot( s.velocity, s.velocity ) ) );
		const float *p = &s.momentum.x, *c = &s.center.x, *own = &s.angularMomentum.x;
		for ( int k = 0; k < 3; ++k )
		{
			int u = ( k + 1 ) % 3, v = ( k + 2 ) % 3;
			look.momentum[k] += (double)p[k];
			look.spin[k] += (double)own[k] + (double)c[u] * p[v] - (double)c[v] * p[u];
		}
	}
	return look;
}

double pnContactScene_GetMotion( pnContactScene* scene )
{
	double energy = 0.0, mass = 0.0;
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		pnBodyState state = pnContactScene_GetState( scene, i );
		mass += (double)state.mass;
		int count;
		if ( state.awake == false || ReadPoints( scene, scene->bodies[i].id, &count ) == NULL )
		{
			continue;
		}
		double squares = 0.0;
		for ( int k = 0; k < count; ++k )
		{
			squares += (double)pnDot( scene->velocities[k], scene->velocities[k] );
		}
		energy += 0.5 * (double)state.mass * squares / count;
	}
	return mass > 0.0 ? energy / mass : 0.0;
}

double pnContactScene_GetDiameter( pnContactScene* scene, int body )
{
	int count;
	const pnVec3* points = ReadPoints( scene, scene->bodies[body].id, &count );
	if ( points == NULL )
	{
		scene->result = pn_outOfMemory;
		return HUGE_VAL;
	}
	double sum = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		sum += (double)( points[i].x + points[i].y + points[i].z );
	}
	return isfinite( sum ) ? MeasureDiameter( points, count ) / scene->bodies[body].diameter : HUGE_VAL;
}

double pnContactScene_GetWidest( pnContactScene* scene, double atLeast )
{
	for ( int i = 0; i < scene->bodyCount; ++i )
	{
		pnBodyState s = pnContactScene_GetState( scene, i );
		pnVec3 box = pnSub( s.bounds.upper, s.bounds.lower );
		// no two points are farther apart than the corners of the box
		if ( sqrt( (double)pnDot( box, box ) ) <= atLeast * scene->bodies[i].diameter )
		{
			continue;
		}
		atLeast = fmax( atLeast, pnContactScene_GetDiameter( scene, i ) );
	}
	return atLeast;
}

static pnCheckResult Check( const pnContactScene* scene, bool isOfClouds )
{
	pnCheckResult result = { .isBroken = true };
	pnCheckBody* bodies = calloc( (size_t)scene->bodyCount + 1, sizeof( pnCheckBody ) );
	pnVec3** positions = calloc( (size_t)scene->bodyCount + 1, sizeof( pnVec3* ) );
	bool isWell = bodies != NULL && positions != NULL;
	for ( int i = 0; i < scene->bodyCount && isWell; ++i )
	{
		const pnContactBody* body = scene->bodies + i;
		pnSkinInfo skin = { .vertexCount = body->pointCount };
		skin = body->hasSurface ? pnSolid_GetSkin( pnBody_GetSolid( scene->world, body->id ), 0 ) : skin;
		positions[i] = malloc( ( (size_t)skin.vertexCount + 1 ) * sizeof( pnVec3 ) );
		isWell = positions[i] != NULL;
		if ( isWell && body->hasSurface )
		{
			pnBody_WriteSkin( scene->world, body->id, 0, positions[i], NULL, skin.vertexCount );
		}
		else if ( isWell )
		{
			pnBody_WritePoints( scene->world, body->id, positions[i], NULL, skin.vertexCount );
		}
		bodies[i] = (pnCheckBody){
			.positions = positions[i],
			.triangles = skin.triangles,
			.vertexCount = skin.vertexCount,
			.triangleCount = skin.triangleCount,
			.size = body->diameter,
			.isMute = body->hasSurface == isOfClouds,
		};
	}
	if ( isWell )
	{
		pnCheckScene check = { .bodies = bodies, .walls = scene->walls, .bodyCount = scene->bodyCount, .wallCount = scene->wallCount };
		result = pnCheckScene_Run( &check, false );
	}
	for ( int i = 0; i < scene->bodyCount && positions != NULL; ++i )
	{
		free( positions[i] );
	}
	free( positions );
	free( bodies );
	return result;
}

pnCheckResult pnContactScene_Check( const pnContactScene* scene )
{
	return Check( scene, false );
}

pnCheckResult pnContactScene_CheckClouds( const pnContactScene* scene )
{
	return Check( scene, true );
}

typedef struct Vec { double x, y, z; } Vec;

static Vec Between( pnVec3 from, pnVec3 to )
{
	return (Vec){ (double)to.x - from.x, (double)to.y - from.y, (double)to.z - from.z };
}

static Vec UnitCross( Vec a, Vec b )
{
	Vec c = { a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
	double length = sqrt( c.x * c.x + c.y * c.y + c.z * c.z );
	return length > 0.0 ? (Vec){ c.x / length, c.y / length, c.z / length } : (Vec){ 0.0, 0.0, 0.0 };
}

static double ArcSine( Vec a, Vec b )
{
	return asin( fmax( -1.0, fmin( 1.0, a.x * b.x + a.y * b.y + a.z * b.z ) ) );
}

static double Triple( Vec a, Vec b, Vec c )
{
	return a.x * ( b.y * c.z - b.z * c.y ) + a.y * ( b.z * c.x - b.x * c.z ) + a.z * ( b.x * c.y - b.y * c.x );
}

int pnContactScene_CountHits( pnContactScene* scene, int body, pnVec3 origin, pnVec3 direction )
{
	const pnContactBody* of = scene->bodies + body;
	if ( of->hasSurface == false )
	{
		return 0;
	}
	pnSkinInfo skin = pnSolid_GetSkin( pnBody_GetSolid( scene->world, of->id ), 0 );
	pnVec3* corners = malloc( (size_t)skin.vertexCount * sizeof( pnVec3 ) );
	if ( corners == NULL )
	{
		scene->result = pn_outOfMemory;
		return 0;
	}
	pnBody_WriteSkin( scene->world, of->id, 0, corners, NULL, skin.vertexCount );
	Vec d = { (double)direction.x, (double)direction.y, (double)direction.z };
	int count = 0;
	for ( int t = 0; t < skin.triangleCount; ++t )
	{
		const int32_t* corner = skin.triangles + 3 * t;
		Vec a = Between( origin, corners[corner[0]] ), b = Between( origin, corners[corner[1]] ), c = Between( origin, corners[corner[2]] );
		// on the same side of all three planes through the origin, the ray and an edge; edges in one order, so that neighbours agree
		double u = Triple( d, b, c ), v = Triple( d, c, a ), w = Triple( d, a, b );
		bool isCrossed = ( u > 0.0 && v > 0.0 && w > 0.0 ) || ( u < 0.0 && v < 0.0 && w < 0.0 );
		count += isCrossed && Triple( a, b, c ) * ( u + v + w ) > 0.0; // ahead, not behind
	}
	free( corners );
	return count;
}

// The solid angle under which one edge sees another, signed (Klenin and Langowski 2000, method 1a): a spherical quadrilateral's area.
static double GetEdgeAngle( pnVec3 a0, pnVec3 a1, pnVec3 b0, pnVec3 b1 )
{
	Vec r00 = Between( a0, b0 ), r01 = Between( a0, b1 ), r10 = Between( a1, b0 ), r11 = Between( a1, b1 );
	Vec n1 = UnitCross( r00, r01 ), n2 = UnitCross( r01, r11 ), n3 = UnitCross( r11, r10 ), n4 = UnitCross( r10, r00 );
	double area = ArcSine( n1, n2 ) + ArcSine( n2, n3 ) + ArcSine( n3, n4 ) + ArcSine( n4, n1 );
	Vec a = Between( a0, a1 ), b = Between( b0, b1 );
	double sign = ( b.y * a.z - b.z * a.y ) * r00.x + ( b.z * a.x - b.x * a.z ) * r00.y + ( b.x * a.y - b.y * a.x ) * r00.z;
	return sign > 0.0 ? area : sign < 0.0 ? -area : 0.0;
}

int pnGetLinkingNumber( const pnVec3* a, int countA, const pnVec3* b, int countB )
{
	double sum = 0.0;
	for ( int i = 0; i < countA; ++i )
	{
		for ( int j = 0; j < countB; ++j )
		{
			sum += GetEdgeAngle( a[i], a[( i + 1 ) % countA], b[j], b[( j + 1 ) % countB] );
		}
	}
	return isfinite( sum ) ? (int)lround( sum / ( 4.0 * PI ) ) : 0;
}

// ---- draws ----

uint32_t pnSeedContact( const char* row, int seed )
{
	uint32_t state = 2166136261u; // FNV-1a over the name, then the seed spread over all bits
	for ( const char* c = row; *c != 0; ++c )
	{
		state = ( state ^ (unsigned char)*c ) * 16777619u;
	}
	state ^= 2654435761u * (uint32_t)seed;
	state = state != 0 ? state : 1u; // zero is where xorshift stays
	for ( int i = 0; i < 16; ++i )
	{
		pnSceneRandom( &state );
	}
	return state;
}

int pnDrawInt( uint32_t* random, int count )
{
	return (int)( ( pnSceneRandom( random ) >> 8 ) % (uint32_t)count );
}

float pnDrawFloat( uint32_t* random, float lower, float upper )
{
	return pnSceneRandomBetween( random, lower, upper );
}

pnVec3 pnDrawVec3( uint32_t* random, float size )
{
	float x = pnDrawFloat( random, -size, size ), y = pnDrawFloat( random, -size, size ), z = pnDrawFloat( random, -size, size );
	return pnMakeVec3( x, y, z );
}

pnQuat pnDrawTurn( uint32_t* random )
{
	pnVec3 axis = pnDrawVec3( random, 1.0f );
	axis = pnDot( axis, axis ) > 1e-4f ? axis : pnMakeVec3( 0.0f, 1.0f, 0.0f );
	return pnSceneTurn( axis, pnDrawFloat( random, 0.0f, (float)( 2.0 * PI ) ) );
}

// ---- what it is filled with ----

pnMaterial pnGetPreset( const char* name )
{
	pnMaterial material = pnDefaultMaterial();
	pnFindMaterial( name, &material );
	return material;
}

pnResult pnCreateContactBlock( pnVec3 size, int nx, int ny, int nz, pnSolid** solid )
{
	float thin = fminf( size.x, fminf( size.y, size.z ) );
	pnBlockDef def = {
		.size = size,
		.points = { nx, ny, nz },
		.cells = { 1, 1, 1 },
		.omit = -1,
		.faced = true,
		.radius = 0.1f * thin,
		.flatSteps = { 1, 1, 1 },
		.cornerSteps = 1,
		.density = 1000.0f,
	};
	return pnCreateBlock( &def, solid );
}

pnResult pnCreateContactBall( float radius, pnSolid** solid )
{
	return pnCreateEllipsoid( pnMakeVec3( radius, radius, radius ), 131, 0, solid );
}

pnResult pnCreateContactTorus( float radius, float tube, pnSolid** solid )
{
	pnTorusDef def = { .radius = radius, .tube = tube, .around = PN_RING_AROUND, .across = PN_RING_ACROSS, .clusters = 6, .overlap = 2 };
	return pnCreateTorus( &def, solid );
}

pnResult pnCreateFilledCube( float side, int faces, float fillSpacing, pnSolid** solid )
{
	*solid = NULL;
	int n = faces + 1;
	pnSceneMesh mesh = { 0 };
	for ( int face = 0; face < 6; ++face )
	{
		int axis = face >> 1, u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
		int first = mesh.vertexCount;
		for ( int i = 0; i < n * n; ++i )
		{
			float p[3];
			p[axis] = ( face & 1 ) != 0 ? 0.5f : -0.5f;
			p[u] = (float)( i % n ) / (float)faces - 0.5f;
			p[v] = (float)( i / n ) / (float)faces - 0.5f;
			pnAddMeshVertex( &mesh, pnMakeVec3( side * p[0], side * p[1], side * p[2] ), pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		}
		for ( int i = 0; i < faces * faces; ++i )
		{
			int a = first + i % faces + n * ( i / faces ), b = a + 1, c = a + n, d = c + 1;
			bool isUpper = ( face & 1 ) != 0; // counterclockwise from outside
			pnAddMeshTriangle( &mesh, a, isUpper ? b : d, isUpper ? d : b );
			pnAddMeshTriangle( &mesh, a, isUpper ? d : c, isUpper ? c : d );
		}
	}
	pnResult result = pn_outOfMemory;
	if ( mesh.failed == false )
	{
		pnSolidDef def = pnDefaultSolidDef(); // welds the faces' common edges
		def.points = mesh.vertices;
		def.pointCount = mesh.vertexCount;
		def.triangles = mesh.triangles;
		def.triangleCount = mesh.triangleCount;
		def.fillSpacing = fillSpacing;
		result = pnCreateSolid( &def, solid );
	}
	pnFreeMesh( &mesh );
	return result;
}

pnResult pnOpenHeapStock( pnHeapStock* stock )
{
	*stock = (pnHeapStock){ 0 };
	const pnScene* scene = pnFindScene( "heap" );
	if ( scene == NULL )
	{
		return pn_notFound;
	}
	pnWorldDef def = pnDefaultWorldDef();
	pnResult result = pnCreateWorld( &def, &stock->world );
	result = result == pn_success ? scene->create( stock->world ) : result;
	if ( result == pn_success )
	{
		stock->bodyCount = pnWorld_GetBodies( stock->world, NULL, 0 );
		stock->bodies = malloc( (size_t)stock->bodyCount * sizeof( pnBodyId ) );
		result = stock->bodies == NULL ? pn_outOfMemory : pn_success;
	}
	if ( result == pn_success )
	{
		pnWorld_GetBodies( stock->world, stock->bodies, stock->bodyCount );
	}
	return result;
}

void pnCloseHeapStock( pnHeapStock* stock )
{
	pnDestroyWorld( stock->world );
	free( stock->bodies );
	*stock = (pnHeapStock){ 0 };
}

pnBodyDef pnHeapStock_Draw( const pnHeapStock* stock, uint32_t* random )
{
	pnBodyId id = stock->bodies[pnDrawInt( random, stock->bodyCount )];
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = pnBody_GetSolid( stock->world, id );
	pnBody_GetMaterial( stock->world, id, &def.material );
	return def;
}

void pnFillHeap( pnContactScene* scene, const pnHeapStock* stock, uint32_t* random, int count, const char* const* presets, int presetCount )
{
	const float spacing = 1.75f, rise = 1.7f, jitter = 0.06f; // metres: the longest body is 1.6 long, and tilted by 0.6 at most
	for ( int i = 0; i < count; ++i )
	{
		pnBodyDef def = pnHeapStock_Draw( stock, random );
		def.material = presets != NULL ? pnGetPreset( presets[pnDrawInt( random, presetCount )] ) : def.material;
		def.transform.p.x = spacing * (float)( i % 3 - 1 ) + pnDrawFloat( random, -jitter, jitter );
		def.transform.p.y = 1.2f + rise * (float)( i / 9 );
		def.transform.p.z = spacing * (float)( i / 3 % 3 - 1 ) + pnDrawFloat( random, -jitter, jitter );
		pnQuat turn = pnSceneTurn( pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnDrawFloat( random, 0.0f, (float)( 2.0 * PI ) ) );
		pnQuat tilt = pnSceneTurn( pnMakeVec3( 1.0f, 0.0f, 0.0f ), pnDrawFloat( random, -0.6f, 0.6f ) );
		def.transform.q = pnMulQuat( turn, tilt );
		pnContactScene_Add( scene, &def );
	}
}
