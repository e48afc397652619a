// frame.c - what changed in a room since a viewer looked last. Knows worlds and what the wire is made of, no links.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "frame.h"

#include "room_inside.h"
#include "scenery.h"
#include "wire.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_MAX_PARTS = 4,
	PN_FINE_VERTICES = 100000, // with more than this in all, bodies are drawn by the surface that touches instead of a fine skin over it
	PN_STATE_FRAMES = 12, // energies are summed up every so often: they cost as much as a frame
	PN_NEAR_POINTS = 4, // that shade a vertex
	PN_MAX_BLENDING = 1 << 18, // pairs of a vertex and a point that are looked at in one frame where shades are spread, 10 ns each; one body always is, and those after it have no shades yet
};

// How a vertex is shaded: by the points nearest to it when it was first asked for.
typedef struct pnBlend { int32_t points[PN_NEAR_POINTS]; float weights[PN_NEAR_POINTS]; } pnBlend;

// What a viewer knows of a body.
typedef struct pnSeen
{
	pnBodyId body;
	uint32_t topology;
	uint64_t materialHash;
	bool asleep; // and was sent like that
	bool coarse;
	bool isPlaced; // its motion was sent, without shades
	uint32_t step; // as of this step of the room
	pnBlend* blends; // of the vertices, or NULL
	bool isThere; // in this frame
} pnSeen;

typedef struct pnSeenShape { pnShapeId shape; pnTransform transform; bool isThere; } pnSeenShape;

struct pnViewer
{
	pnBytes bytes;
	uint32_t number, epoch;
	uint64_t answer;
	pnShading shading;
	pnSeen* seen; // by a body's index
	int seenCount;
	pnSeenShape* shapes; // by a shape's index
	int shapeCount;
	bool coarse;
	pnVec3 *positions, *normals;
	uint8_t* shades;
	int vertexCapacity;
	pnBodyId* bodies;
	int bodyCapacity;
	bool spreadsShades;
	int blending; // pairs looked at in this frame
	double kinetic, elastic; // J
	int stateAge;
};

pnViewer* pnCreateViewer( void ) { return calloc( 1, sizeof( pnViewer ) ); }
void pnViewer_SpreadShades( pnViewer* viewer ) { viewer->spreadsShades = true; }

void pnViewer_Forget( pnViewer* viewer )
{
	for ( int i = 0; i < viewer->seenCount; ++i )
	{
		free( viewer->seen[i].blends );
	}
	free( viewer->seen );
	free( viewer->shapes );
	viewer->seen = NULL;
	viewer->shapes = NULL;
	viewer->seenCount = 0;
	viewer->shapeCount = 0;
	viewer->epoch = 0;
}

void pnDestroyViewer( pnViewer* viewer )
{
	if ( viewer == NULL )
	{
		return;
	}
	pnViewer_Forget( viewer );
	free( viewer->bytes.data );
	free( viewer->positions );
	free( viewer->normals );
	free( viewer->shades );
	free( viewer->bodies );
	free( viewer );
}

// ---- bodies ----

// FNV-1a
static uint64_t pnMixHash( uint64_t hash, const void* data, size_t count )
{
	for ( size_t i = 0; i < count; ++i )
	{
		hash = ( hash ^ ( (const uint8_t*)data )[i] ) * 0x100000001b3ull;
	}
	return hash;
}

static uint32_t pnGetPartColor( uint64_t userData, int slot )
{
	uint32_t color = userData == 0 ? 0 : pnUnpackColor( userData, slot );
	return color != 0 ? color : slot == 0 ? 0xc9b18c : 0xd9897a;
}

static pnPart pnMakePart( const pnSolid* solid, int skin, uint64_t userData, int colorSkin )
{
	pnSkinInfo info = pnSolid_GetSkin( solid, skin );
	pnPart part = {
		.vertexCount = info.vertexCount, .triangleCount = info.triangleCount, .triangles = info.triangles, .materials = info.materials
	};
	for ( int i = 0; i < 4; ++i )
	{
		part.colors[i] = pnGetPartColor( userData, colorSkin + i );
	}
	return part;
}

static bool pnIsDrawn( uint64_t userData, int skin, int skinCount )
{
	return userData == 0 || skinCount == 1 || pnUnpackColor( userData, skin ) != 0;
}

// The skins that have a colour; or the one that touches, in the colour of the first that has one; or bare points. Returns how many.
static int pnListParts( const pnSolid* solid, uint64_t userData, bool coarse, pnPart parts[PN_MAX_PARTS], int skins[PN_MAX_PARTS] )
{
	pnSolidInfo info = pnSolid_GetInfo( solid );
	int count = 0;
	if ( info.skinCount == 0 )
	{
		uint32_t color = pnGetPartColor( userData, 0 );
		parts[0] = ( pnPart ){ .vertexCount = info.pointCount, .colors = { color, color, color, color } };
		skins[0] = -1;
		return 1;
	}
	for ( int skin = 0; skin < info.skinCount && count < PN_MAX_PARTS; ++skin )
	{
		if ( pnIsDrawn( userData, skin, info.skinCount ) )
		{
			bool isCovered = coarse && count == 0 && skin == 1 && pnSolid_GetSkin( solid, 0 ).triangleCount > 0;
			skins[count] = isCovered ? 0 : skin;
			parts[count] = pnMakePart( solid, skins[count], userData, skin );
			count += 1;
		}
	}
	return count;
}

static bool pnReserveVertices( pnViewer* viewer, int count )
{
	if ( count <= viewer->vertexCapacity )
	{
		return true;
	}
	int capacity = 2 * count + 256;
	free( viewer->positions );
	free( viewer->normals );
	free( viewer->shades );
	viewer->positions = malloc( (size_t)capacity * sizeof( pnVec3 ) );
	viewer->normals = malloc( (size_t)capacity * sizeof( pnVec3 ) );
	viewer->shades = malloc( (size_t)capacity );
	bool good = viewer->positions != NULL && viewer->normals != NULL && viewer->shades != NULL;
	viewer->vertexCapacity = good ? capacity : 0;
	return good;
}

// ---- shading ----

static pnBlend pnFindNear( const pnVec3* points, int count, pnVec3 vertex )
{
	pnBlend blend = { 0 };
	float distances[PN_NEAR_POINTS];
	int found = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 way = pnSub( points[i], vertex );
		float distance = pnDot( way, way );
		if ( found == PN_NEAR_POINTS && distance >= distances[found - 1] )
		{
			continue;
		}
		int at = found < PN_NEAR_POINTS ? found++ : found - 1;
		for ( ; at > 0 && distances[at - 1] > distance; --at )
		{
			distances[at] = distances[at - 1];
			blend.points[at] = blend.points[at - 1];
		}
		distances[at] = distance;
		blend.points[at] = i;
	}
	float sum = 0.0f;
	for ( int i = 0; i < found; ++i )
	{
		blend.weights[i] = 1.0f / ( distances[i] + 1e-6f );
		sum += blend.weights[i];
	}
	for ( int i = 0; i < found; ++i )
	{
		blend.weights[i] /= sum;
	}
	return blend;
}

// The value of a point, from 0 to 1.
static float pnShadePoint( pnShading shading, const pnClusterState* cluster, pnVec3 velocity )
{
	const float fullSpeed = 4.0f, fullPlastic = 0.8f; // m/s; strain
	float value = 0.0f;
	switch ( shading )
	{
	case pn_stretchShading:
		value = cluster->stretch >= 1.0f ? 0.5f * cluster->stretch : 0.5f + ( cluster->stretch - 1.0f );
		break;
	case pn_plasticShading:
		value = cluster->plasticStrain / fullPlastic;
		break;
	case pn_speedShading:
		value = sqrtf( pnDot( velocity, velocity ) ) / fullSpeed;
		break;
	default:
		break;
	}
	return value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
}

// False: no memory, or not in this frame.
static bool pnShade( pnViewer* viewer, const pnWorld* world, pnBodyId body, pnSeen* seen, int vertexCount )
{
	const pnSolid* solid = pnBody_GetSolid( world, body );
	pnSolidInfo info = pnSolid_GetInfo( solid );
	size_t count = (size_t)info.pointCount;
	if ( seen->blends == NULL && viewer->spreadsShades && viewer->blending >= PN_MAX_BLENDING )
	{
		return false;
	}
	pnVec3* points = malloc( 2 * count * sizeof( pnVec3 ) );
	pnVec3* velocities = points + count;
	pnClusterState* clusters = malloc( (size_t)( info.clusterCount + 1 ) * sizeof( pnClusterState ) );
	int32_t* mains = malloc( count * sizeof( int32_t ) );
	float* values = malloc( count * sizeof( float ) );
	bool good = points != NULL && clusters != NULL && mains != NULL && values != NULL;
	if ( good )
	{
		pnBody_WritePoints( world, body, points, velocities, info.pointCount );
		pnBody_WriteClusters( world, body, clusters, info.clusterCount );
		pnSolid_WriteMainClusters( solid, mains, info.pointCount );
		for ( int i = 0; i < info.pointCount; ++i )
		{
			values[i] = pnShadePoint( viewer->shading, clusters + mains[i], velocities[i] );
		}
		if ( seen->blends == NULL )
		{
			int64_t pairs = viewer->blending + (int64_t)vertexCount * info.pointCount;
			viewer->blending = pairs < PN_MAX_BLENDING ? (int)pairs : PN_MAX_BLENDING;
			seen->blends = malloc( (size_t)vertexCount * sizeof( pnBlend ) );
			for ( int i = 0; i < vertexCount && seen->blends != NULL; ++i )
			{
				seen->blends[i] = pnFindNear( points, info.pointCount, viewer->positions[i] );
			}
		}
		good = seen->blends != NULL;
	}
	for ( int i = 0; i < vertexCount && good; ++i )
	{
		const pnBlend* blend = seen->blends + i;
		float value = 0.0f;
		for ( int k = 0; k < PN_NEAR_POINTS; ++k )
		{
			value += blend->weights[k] * values[blend->points[k]];
		}
		bool isCluster = viewer->shading == pn_clusterShading;
		viewer->shades[i] = isCluster ? (uint8_t)mains[blend->points[0]] : (uint8_t)( 255.0f * value + 0.5f );
	}
	free( points );
	free( clusters );
	free( mains );
	free( values );
	return good;
}

// ---- one body ----

static pnBodyId pnFindOrigin( const pnWorld* world, pnBodyId body )
{
	pnPieces pieces = pnWorld_GetPieces( world );
	for ( int i = pieces.count - 1; i >= 0; --i )
	{
		if ( pieces.pieces[i].body.index1 == body.index1 && pieces.pieces[i].body.generation == body.generation )
		{
			return pieces.pieces[i].from;
		}
	}
	return ( pnBodyId ){ 0 };
}

// Whether vertices get shades.
static bool pnIsShading( pnShading shading )
{
	return shading != pn_noShading && shading != pn_contactShading;
}

static bool pnPutOneBody( pnViewer* viewer, const pnRoom* room, pnBodyId body, pnSeen* seen, bool checkSleep )
{
	const pnWorld* world = room->world;
	const pnSolid* solid = pnBody_GetSolid( world, body );
	uint32_t topology = body.index1 < room->topologyCount ? room->topology[body.index1] : 0;
	bool isSame = seen->body.index1 == body.index1 && seen->body.generation == body.generation && seen->topology == topology &&
				  seen->coarse == viewer->coarse;
	pnPart parts[PN_MAX_PARTS];
	int skins[PN_MAX_PARTS];
	int partCount = pnListParts( solid, pnBody_GetUserData( world, body ), viewer->coarse, parts, skins );
	bool isAsleep = false;
	if ( isSame == false )
	{
		free( seen->blends );
		*seen = ( pnSeen ){ .body = body, .topology = topology, .coarse = viewer->coarse };
		pnPutBody( &viewer->bytes, body, pnFindOrigin( world, body ), pnSolid_GetInfo( solid ).pointCount, parts, partCount );
	}
	else if ( checkSleep )
	{
		pnBodyState state;
		isAsleep = pnBody_GetState( world, body, &state ) == pn_success && state.awake == false;
	}
	pnMaterial material;
	pnBody_GetMaterial( world, body, &material );
	uint64_t hash = 0xcbf29ce484222325ull;
	for ( int i = 0; pnGetMaterialField( i ) != NULL; ++i )
	{
		hash = pnMixHash( hash, (const char*)&material + pnGetMaterialField( i )->offset, sizeof( float ) );
	}
	if ( hash != seen->materialHash )
	{
		pnPutMaterial( &viewer->bytes, body, &material );
		seen->materialHash = hash;
	}
	// Between steps nothing moves: what answers a command need not bring all the bodies again.
	if ( ( isAsleep && seen->asleep ) || ( seen->isPlaced && seen->step == room->step && pnIsShading( viewer->shading ) == false ) )
	{
		return true;
	}
	seen->asleep = isAsleep;
	int total = 0;
	for ( int i = 0; i < partCount; ++i )
	{
		total += parts[i].vertexCount;
	}
	if ( pnReserveVertices( viewer, total ) == false )
	{
		return false;
	}
	for ( int i = 0, first = 0; i < partCount; first += parts[i].vertexCount, ++i )
	{
		if ( skins[i] < 0 )
		{
			pnBody_WritePoints( world, body, viewer->positions + first, NULL, parts[i].vertexCount );
			memset( viewer->normals + first, 0, (size_t)parts[i].vertexCount * sizeof( pnVec3 ) );
			continue;
		}
		pnBody_WriteSkin( world, body, skins[i], viewer->positions + first, viewer->normals + first, parts[i].vertexCount );
	}
	bool isShaded = pnIsShading( viewer->shading ) && pnShade( viewer, world, body, seen, total );
	seen->isPlaced = isShaded == false;
	seen->asleep = seen->asleep && ( isShaded || pnIsShading( viewer->shading ) == false ); // its shades are still to come
	seen->step = room->step;
	pnPutMotion( &viewer->bytes, body, parts, partCount, viewer->positions, viewer->normals, isShaded ? viewer->shades : NULL );
	return true;
}

// A list with room for this index; what is new in it is zero. NULL: no memory, and the list is as it was.
static void* pnGrowList( void* list, int* count, int index, size_t size )
{
	if ( index < *count )
	{
		return list;
	}
	int more = 2 * index + 64;
	char* grown = realloc( list, (size_t)more * size );
	if ( grown != NULL )
	{
		memset( grown + (size_t)*count * size, 0, (size_t)( more - *count ) * size );
		*count = more;
	}
	return grown;
}

static bool pnReserveSeen( pnViewer* viewer, int index )
{
	pnSeen* seen = pnGrowList( viewer->seen, &viewer->seenCount, index, sizeof( pnSeen ) );
	viewer->seen = seen != NULL ? seen : viewer->seen;
	return seen != NULL;
}

static bool pnReserveShapes( pnViewer* viewer, int index )
{
	pnSeenShape* shapes = pnGrowList( viewer->shapes, &viewer->shapeCount, index, sizeof( pnSeenShape ) );
	viewer->shapes = shapes != NULL ? shapes : viewer->shapes;
	return shapes != NULL;
}

// Whether fine skins would be too many vertices to draw.
static bool pnIsMany( const pnWorld* world, const pnBodyId* bodies, int count )
{
	int total = 0;
	pnPart parts[PN_MAX_PARTS];
	int skins[PN_MAX_PARTS];
	for ( int i = 0; i < count && total <= PN_FINE_VERTICES; ++i )
	{
		int partCount = pnListParts( pnBody_GetSolid( world, bodies[i] ), pnBody_GetUserData( world, bodies[i] ), false, parts, skins );
		for ( int k = 0; k < partCount; ++k )
		{
			total += parts[k].vertexCount;
		}
	}
	return total > PN_FINE_VERTICES;
}

static bool pnPutBodies( pnViewer* viewer, const pnRoom* room )
{
	const pnWorld* world = room->world;
	int count = pnWorld_GetBodies( world, NULL, 0 );
	if ( count > viewer->bodyCapacity )
	{
		free( viewer->bodies );
		viewer->bodies = malloc( (size_t)( 2 * count ) * sizeof( pnBodyId ) );
		viewer->bodyCapacity = viewer->bodies != NULL ? 2 * count : 0;
		if ( viewer->bodies == NULL )
		{
			return false;
		}
	}
	pnWorld_GetBodies( world, viewer->bodies, count );
	viewer->coarse = pnIsMany( world, viewer->bodies, count );
	for ( int i = 0; i < viewer->seenCount; ++i )
	{
		viewer->seen[i].isThere = false;
	}
	for ( int i = 0; i < count; ++i )
	{
		pnBodyId body = viewer->bodies[i];
		if ( pnReserveSeen( viewer, body.index1 ) == false )
		{
			return false;
		}
		pnSeen* seen = viewer->seen + body.index1;
		seen->isThere = seen->body.generation == body.generation;
	}
	// Those that are gone come first: another may have its index.
	for ( int i = 0; i < viewer->seenCount; ++i )
	{
		pnSeen* seen = viewer->seen + i;
		if ( seen->body.index1 != 0 && seen->isThere == false )
		{
			size_t begin = pnBeginSection( &viewer->bytes, pn_goneSection );
			pnPutBodyId( &viewer->bytes, seen->body );
			pnEndSection( &viewer->bytes, begin );
			free( seen->blends );
			*seen = ( pnSeen ){ 0 };
		}
	}
	pnProfile profile = pnWorld_GetProfile( world );
	bool checkSleep = profile.awakeCount < profile.bodyCount;
	for ( int i = 0; i < count; ++i )
	{
		if ( pnPutOneBody( viewer, room, viewer->bodies[i], viewer->seen + viewer->bodies[i].index1, checkSleep ) == false )
		{
			return false;
		}
	}
	return true;
}

// ---- shapes ----

static void pnPutOneShape( pnBytes* bytes, const pnRoom* room, pnShapeId shape, const pnShapeDef* def, const pnTransform* planes,
						   int planeCount, int plane )
{
	pnSceneMesh mesh = { 0 };
	pnShapeDef local = *def;
	pnTransform transform = def->transform;
	if ( def->kind == pn_planeShape )
	{
		pnVec3 middle = room->scene != NULL ? room->scene->view.target : pnMakeVec3( 0.0f, 0.0f, 0.0f );
		pnAddPlaneTriangles( &mesh, planes, planeCount, plane, middle, room->scene != NULL ? 2.0f * room->scene->view.distance : 10.0f );
		transform = pnRotate( transform.q, pnMakeVec3( 0.0f, 1.0f, 0.0f ) ).y > 0.999f ? transform : pnIdentityTransform();
	}
	else
	{
		local.transform = pnIdentityTransform();
		pnAddShapeTriangles( &mesh, &local );
	}
	pnPutShape( bytes, shape, def, transform, mesh.failed ? NULL : &mesh );
	pnFreeMesh( &mesh );
}

static bool pnPutShapes( pnViewer* viewer, const pnRoom* room )
{
	const pnWorld* world = room->world;
	int count = pnWorld_GetShapes( world, NULL, 0 ), planeCount = 0, plane = 0;
	pnShapeId* ids = malloc( (size_t)( count + 1 ) * sizeof( pnShapeId ) );
	pnTransform* planes = malloc( (size_t)( count + 1 ) * sizeof( pnTransform ) );
	bool good = ids != NULL && planes != NULL;
	pnShapeDef def;
	if ( good )
	{
		pnWorld_GetShapes( world, ids, count );
	}
	for ( int i = 0; i < viewer->shapeCount; ++i )
	{
		viewer->shapes[i].isThere = false;
	}
	for ( int i = 0; i < count && good; ++i )
	{
		good = pnReserveShapes( viewer, ids[i].index1 ) && pnShape_GetDef( world, ids[i], &def ) == pn_success;
		planes[planeCount] = def.transform;
		planeCount += good && def.kind == pn_planeShape ? 1 : 0;
		viewer->shapes[ids[i].index1].isThere = good && viewer->shapes[ids[i].index1].shape.generation == ids[i].generation;
	}
	for ( int i = 0; i < viewer->shapeCount && good; ++i )
	{
		pnSeenShape* seen = viewer->shapes + i;
		if ( seen->shape.index1 != 0 && seen->isThere == false )
		{
			size_t begin = pnBeginSection( &viewer->bytes, pn_shapeGoneSection );
			pnPutWord( &viewer->bytes, (uint32_t)seen->shape.index1 );
			pnPutWord( &viewer->bytes, seen->shape.generation );
			pnEndSection( &viewer->bytes, begin );
			*seen = ( pnSeenShape ){ 0 };
		}
	}
	for ( int i = 0; i < count && good; ++i )
	{
		pnSeenShape* seen = viewer->shapes + ids[i].index1;
		good = pnShape_GetDef( world, ids[i], &def ) == pn_success;
		if ( good && seen->isThere == false )
		{
			pnPutOneShape( &viewer->bytes, room, ids[i], &def, planes, planeCount, plane );
		}
		else if ( good && memcmp( &seen->transform, &def.transform, sizeof( pnTransform ) ) != 0 )
		{
			size_t begin = pnBeginSection( &viewer->bytes, pn_shapeMotionSection );
			pnPutWord( &viewer->bytes, (uint32_t)ids[i].index1 );
			pnPutWord( &viewer->bytes, ids[i].generation );
			pnPutTransform( &viewer->bytes, def.transform );
			pnEndSection( &viewer->bytes, begin );
		}
		*seen = ( pnSeenShape ){ ids[i], def.transform, true };
		plane += good && def.kind == pn_planeShape ? 1 : 0;
	}
	free( ids );
	free( planes );
	return good;
}

// ---- the rest ----

static bool pnPutGrabs( pnBytes* bytes, const pnWorld* world )
{
	int count = pnWorld_GetGrabs( world, NULL, 0 ), kept = 0;
	pnGrabId* grabs = malloc( (size_t)( count + 1 ) * sizeof( pnGrabId ) );
	pnHand* hands = malloc( (size_t)( count + 1 ) * sizeof( pnHand ) );
	bool good = grabs != NULL && hands != NULL;
	if ( good )
	{
		pnWorld_GetGrabs( world, grabs, count );
		for ( int i = 0; i < count; ++i )
		{
			pnGrabState state;
			if ( pnGrab_GetState( world, grabs[i], &state ) == pn_success )
			{
				hands[kept++] = ( pnHand ){ state.owner, (uint32_t)state.userData, state.body, state.place, state.target, state.force, state.locked };
			}
		}
		pnPutHands( bytes, hands, kept );
	}
	free( grabs );
	free( hands );
	return good;
}

static void pnPutAnswers( pnViewer* viewer, const pnRoom* room )
{
	pnBytes* bytes = &viewer->bytes;
	for ( const pnAnswer* answer; ( answer = pnRoom_GetAnswer( room, viewer->answer ) ) != NULL; viewer->answer = answer->serial )
	{
		size_t begin = pnBeginSection( bytes, answer->isPick ? pn_pickSection : pn_answerSection );
		pnPutWord( bytes, answer->owner );
		pnPutWord( bytes, answer->sequence );
		if ( answer->isPick )
		{
			bool isBody = answer->pick.hit && answer->pick.body.index1 != 0;
			pnPutWord( bytes, answer->pick.hit == false ? 0 : isBody ? 1 : 2 );
			pnPutWord( bytes, (uint32_t)( isBody ? answer->pick.body.index1 : answer->pick.shape.index1 ) );
			pnPutWord( bytes, isBody ? answer->pick.body.generation : answer->pick.shape.generation );
			pnPutVec3( bytes, answer->pick.position );
			pnPutVec3( bytes, answer->pick.normal );
		}
		else
		{
			pnPutWord( bytes, (uint32_t)answer->kind );
			pnPutText( bytes, answer->text );
		}
		pnEndSection( bytes, begin );
	}
}

static void pnPutMeters( pnViewer* viewer, const pnRoom* room )
{
	pnProfile profile = pnWorld_GetProfile( room->world );
	pnBytes* bytes = &viewer->bytes;
	if ( viewer->stateAge-- <= 0 )
	{
		viewer->stateAge = PN_STATE_FRAMES;
		viewer->kinetic = 0.0;
		viewer->elastic = 0.0;
		int count = pnWorld_GetBodies( room->world, viewer->bodies, viewer->bodyCapacity );
		for ( int i = 0; i < count; ++i )
		{
			pnBodyState state;
			if ( pnBody_GetState( room->world, viewer->bodies[i], &state ) == pn_success )
			{
				viewer->kinetic += state.kinetic;
				viewer->elastic += state.elastic;
			}
		}
	}
	size_t begin = pnBeginSection( bytes, pn_metersSection );
	const float times[] = { profile.step, profile.match, profile.points, profile.other, profile.broad, profile.narrow, profile.solve };
	pnPutBytes( bytes, times, sizeof( times ) );
	const int counts[] = { profile.bodyCount, profile.awakeCount, profile.pointCount, profile.clusterCount, profile.pairCount, profile.contactCount };
	for ( int i = 0; i < 6; ++i )
	{
		pnPutWord( bytes, (uint32_t)counts[i] );
	}
	pnPutFloat( bytes, profile.maxPenetration );
	pnPutFloat( bytes, (float)viewer->kinetic );
	pnPutFloat( bytes, (float)viewer->elastic );
	pnPutFloat( bytes, 1e-6f * (float)profile.byteCount );
	pnPutWord( bytes, (uint32_t)room->undo.count );
	pnPutWord( bytes, (uint32_t)room->redo.count );
	pnEndSection( bytes, begin );
}

const uint8_t* pnViewer_WriteFrame( pnViewer* viewer, const pnRoom* room, pnShading shading, size_t* size )
{
	bool isFresh = viewer->epoch != room->epoch;
	if ( isFresh )
	{
		pnViewer_Forget( viewer );
		viewer->stateAge = 0;
	}
	if ( shading != viewer->shading )
	{
		for ( int i = 0; i < viewer->seenCount; ++i )
		{
			viewer->seen[i].asleep = false; // those too get their new shades
		}
		viewer->shading = shading;
	}
	viewer->epoch = room->epoch;
	viewer->number += 1;
	viewer->blending = 0;
	pnFrameHead head = { viewer->number, room->step, (float)room->time, room->rate, (uint32_t)room->substeps,
						 ( isFresh ? PN_FRESH_FRAME : 0u ) | ( room->still || room->scene == NULL ? PN_STILL_FRAME : 0u ) };
	pnBeginFrame( &viewer->bytes, &head );
	if ( isFresh )
	{
		const pnSceneView usual = { { 0.0f, 0.5f, 0.0f }, 25.0f, 20.0f, 5.0f, 0.0f };
		pnPutScene( &viewer->bytes, room->scene != NULL ? room->scene->name : "", room->scene != NULL ? &room->scene->view : &usual,
					pnWorld_GetGravity( room->world ) );
	}
	bool good = pnPutBodies( viewer, room ) && pnPutShapes( viewer, room ) && pnPutGrabs( &viewer->bytes, room->world );
	if ( shading == pn_contactShading )
	{
		pnPutTouches( &viewer->bytes, room->world );
	}
	pnPutAnswers( viewer, room );
	pnPutMeters( viewer, room );
	pnEndFrame( &viewer->bytes );
	*size = viewer->bytes.size;
	if ( good == false || viewer->bytes.failed )
	{
		pnViewer_Forget( viewer );
		return NULL;
	}
	return viewer->bytes.data;
}
