// out_glb.c - a run as an animated .glb: bodies by morph targets, shapes by their motion, what comes and goes by its scale. Knows no bytes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// glTF has no stream of vertices, so a body is told in lengths of up to PN_TARGETS frames: a node with a mesh whose first frame is its base
// and whose others are its targets, one of them fully on at its time. The next length begins with the frame that the last one ends
// with. A body that is cut begins a new one. Nodes are shown in their time by their scale, 1 or 0 in steps.
#include "out.h"

#include "glb.h"
#include "scenery.h"
#include "scenes.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	PN_TARGETS = 60, // of a mesh. Keys hold a weight for each, so a length costs its square
};

// A key is a time and which target is on; -1: the base.
typedef struct pnKey
{
	float time;
	int target;
} pnKey;

// A body's current length.
typedef struct pnLength
{
	bool isOpen, isSeen; // isSeen: in this frame
	pnBodyId id;
	int number, part;
	float begin; // s
	int vertexCount;
	pnVec3 *base, *baseNormals, *last; // where they were at first, and at the last frame
	int positions, normals, colors, indices; // accessors
	int targets[PN_TARGETS], targetNormals[PN_TARGETS];
	int targetCount;
	pnKey keys[2 * PN_TARGETS + 4]; // two for each target: a body may rest between
	int keyCount;
} pnLength;

// A shape that is there: where it was, at times.
typedef struct pnTrack
{
	bool isOpen, isSeen;
	pnShapeId id;
	int mesh, number;
	float begin;
	float* times;
	float* places; // three each
	float* turns; // four each
	int count, capacity;
} pnTrack;

typedef struct pnGlbOut
{
	pnGlb* glb;
	char title[64];
	bool hasNormals, hasColors;
	double start; // s, of the first frame
	float now; // s since the first frame
	float swap; // half-way from the frame before: what comes and goes does so there, or rounded times of keys would show it a frame late
	pnLength* lengths; // by a body's index
	int lengthCapacity;
	pnTrack* tracks; // by a shape's index
	int trackCapacity;
	pnVec3* scratch;
	int scratchCapacity;
} pnGlbOut;

static void* pnOpenGlbOut( const pnOutDef* def, char why[PN_OUT_WHY] )
{
	const char* problem = "there is no memory for it";
	pnGlbOut* out = calloc( 1, sizeof( pnGlbOut ) );
	if ( out != NULL )
	{
		out->glb = pnOpenGlb( def->path, &problem );
	}
	if ( out == NULL || out->glb == NULL )
	{
		snprintf( why, PN_OUT_WHY, "%s", problem );
		free( out );
		return NULL;
	}
	snprintf( out->title, sizeof( out->title ), "%s", def->title );
	out->hasNormals = ( def->fields & pn_outNormal ) != 0;
	out->hasColors = ( def->fields & pn_outColor ) != 0;
	pnGlb_Add( out->glb, pn_glbMaterials, "{\"name\":\"soft\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.5},\"doubleSided\":true}" );
	return out;
}

// ---- nodes ----

// Shown from begin to end, INFINITY: to the last frame. Before the first frame means from the first frame on.
static void pnAddScaleKeys( pnGlbOut* out, int node, float begin, float end )
{
	float times[3], scales[9];
	int count = 0;
	const float states[3][2] = { { 0.0f, begin > 0.0f ? 0.0f : 1.0f }, { begin, 1.0f }, { end, 0.0f } };
	for ( int i = 0; i < 3; ++i )
	{
		if ( ( i == 1 && begin <= 0.0f ) || isinf( states[i][0] ) )
		{
			continue;
		}
		times[count] = states[i][0];
		scales[3 * count] = scales[3 * count + 1] = scales[3 * count + 2] = states[i][1];
		count += 1;
	}
	if ( count < 2 )
	{
		return;
	}
	int input = pnGlb_AddFloats( out->glb, times, count, 1, true ), output = pnGlb_AddFloats( out->glb, scales, count, 3, false );
	int sampler = pnGlb_Add( out->glb, pn_glbSamplers, "{\"input\":%d,\"output\":%d,\"interpolation\":\"STEP\"}", input, output );
	pnGlb_Add( out->glb, pn_glbChannels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"scale\"}}", sampler, node );
}

static void pnAddChannel( pnGlbOut* out, int node, const char* path, int input, int output )
{
	int sampler = pnGlb_Add( out->glb, pn_glbSamplers, "{\"input\":%d,\"output\":%d}", input, output );
	pnGlb_Add( out->glb, pn_glbChannels, "{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", sampler, node, path );
}

// ---- bodies ----

static void pnFreeLength( pnLength* length )
{
	free( length->base );
	free( length->baseNormals );
	free( length->last );
	*length = (pnLength){ 0 };
}

static void pnAddWeights( pnGlbOut* out, const pnLength* length, int node )
{
	float times[2 * PN_TARGETS + 4];
	size_t columns = (size_t)length->targetCount;
	float* weights = calloc( (size_t)length->keyCount * columns, sizeof( float ) );
	if ( weights == NULL )
	{
		return; // it stays as it was at first
	}
	for ( int i = 0; i < length->keyCount; ++i )
	{
		times[i] = length->keys[i].time;
		if ( length->keys[i].target >= 0 )
		{
			weights[(size_t)i * columns + (size_t)length->keys[i].target] = 1.0f;
		}
	}
	int input = pnGlb_AddFloats( out->glb, times, length->keyCount, 1, true );
	int output = pnGlb_AddFloats( out->glb, weights, length->keyCount * length->targetCount, 1, false );
	free( weights );
	pnAddChannel( out, node, "weights", input, output );
}

// The length is complete: a mesh, a node, its keys. end: when it is no longer shown; INFINITY: it is to the end.
static void pnEndLength( pnGlbOut* out, pnLength* length, float end )
{
	pnGlb* glb = out->glb;
	int mesh = pnGlb_Add( glb, pn_glbMeshes, "{\"primitives\":[{\"attributes\":{\"POSITION\":%d", length->positions );
	if ( out->hasNormals )
	{
		pnGlb_Put( glb, pn_glbMeshes, ",\"NORMAL\":%d", length->normals );
	}
	if ( out->hasColors )
	{
		pnGlb_Put( glb, pn_glbMeshes, ",\"COLOR_0\":%d", length->colors );
	}
	pnGlb_Put( glb, pn_glbMeshes, "},\"indices\":%d,\"material\":0", length->indices );
	for ( int i = 0; i < length->targetCount; ++i )
	{
		pnGlb_Put( glb, pn_glbMeshes, "%s{\"POSITION\":%d", i == 0 ? ",\"targets\":[" : ",", length->targets[i] );
		if ( out->hasNormals )
		{
			pnGlb_Put( glb, pn_glbMeshes, ",\"NORMAL\":%d", length->targetNormals[i] );
		}
		pnGlb_Put( glb, pn_glbMeshes, "}" );
	}
	pnGlb_Put( glb, pn_glbMeshes, "%s}]", length->targetCount > 0 ? "]" : "" );
	for ( int i = 0; i < length->targetCount; ++i )
	{
		pnGlb_Put( glb, pn_glbMeshes, "%s0", i == 0 ? ",\"weights\":[" : "," );
	}
	pnGlb_Put( glb, pn_glbMeshes, "%s}", length->targetCount > 0 ? "]" : "" );
	char part[16] = "";
	if ( length->part > 0 )
	{
		snprintf( part, sizeof( part ), ".%d", length->part );
	}
	int node = pnGlb_Add( glb, pn_glbNodes, "{\"name\":\"body_%d%s\",\"mesh\":%d%s}", length->number, part, mesh,
						  length->begin > 0.0f ? ",\"scale\":[0,0,0]" : "" );
	if ( length->targetCount > 0 )
	{
		pnAddWeights( out, length, node );
	}
	pnAddScaleKeys( out, node, length->begin, end );
	length->isOpen = false;
}

static bool pnReserveScratch( pnGlbOut* out, int count )
{
	if ( count > out->scratchCapacity )
	{
		free( out->scratch );
		out->scratchCapacity = 2 * count;
		out->scratch = malloc( (size_t)out->scratchCapacity * sizeof( pnVec3 ) );
	}
	out->scratchCapacity = out->scratch != NULL ? out->scratchCapacity : 0;
	return out->scratch != NULL;
}

// part: 0 for a body's first length, and 1 more for each further one. begin: from when on it is shown.
static bool pnBeginLength( pnGlbOut* out, pnLength* length, const pnOutFrame* frame, const pnOutBody* body, int part, float begin )
{
	const pnSurface* surface = &frame->surface;
	size_t bytes = (size_t)body->vertexCount * sizeof( pnVec3 );
	pnFreeLength( length );
	*length = (pnLength){ .isOpen = true, .id = body->id, .number = body->number, .part = part, .begin = begin, .vertexCount = body->vertexCount };
	length->base = malloc( bytes );
	length->baseNormals = malloc( bytes );
	length->last = malloc( bytes );
	if ( length->base == NULL || length->baseNormals == NULL || length->last == NULL )
	{
		pnFreeLength( length );
		return false;
	}
	memcpy( length->base, surface->positions + body->firstVertex, bytes );
	memcpy( length->last, length->base, bytes );
	memcpy( length->baseNormals, surface->normals + body->firstVertex, bytes );
	length->positions = pnGlb_AddVectors( out->glb, length->base, body->vertexCount, true );
	length->normals = out->hasNormals ? pnGlb_AddVectors( out->glb, length->baseNormals, body->vertexCount, false ) : 0;
	length->colors = out->hasColors ? pnGlb_AddColors( out->glb, surface->colors + body->firstVertex, body->vertexCount ) : 0;
	length->indices = pnGlb_AddTriangles( out->glb, surface->triangles + 3 * (size_t)body->firstTriangle, body->triangleCount, body->firstVertex );
	length->keys[length->keyCount++] = (pnKey){ out->now, -1 };
	return true;
}

static void pnAddKey( pnLength* length, float time, int target )
{
	int count = length->keyCount;
	// A third key of one target says nothing that the second does not: it moves on instead.
	bool isHeld = count >= 2 && length->keys[count - 1].target == target && length->keys[count - 2].target == target;
	length->keys[isHeld ? count - 1 : length->keyCount++] = (pnKey){ time, target };
}

static bool pnMoveLength( pnGlbOut* out, pnLength* length, const pnOutFrame* frame, const pnOutBody* body )
{
	const pnVec3* positions = frame->surface.positions + body->firstVertex;
	const pnVec3* normals = frame->surface.normals + body->firstVertex;
	size_t bytes = (size_t)length->vertexCount * sizeof( pnVec3 );
	if ( memcmp( positions, length->last, bytes ) == 0 )
	{
		pnAddKey( length, out->now, length->targetCount - 1 );
		return true;
	}
	if ( pnReserveScratch( out, length->vertexCount ) == false )
	{
		return false;
	}
	memcpy( length->last, positions, bytes );
	int target = length->targetCount++;
	for ( int i = 0; i < length->vertexCount; ++i )
	{
		out->scratch[i] = pnSub( positions[i], length->base[i] );
	}
	length->targets[target] = pnGlb_AddVectors( out->glb, out->scratch, length->vertexCount, true );
	if ( out->hasNormals )
	{
		for ( int i = 0; i < length->vertexCount; ++i )
		{
			out->scratch[i] = pnSub( normals[i], length->baseNormals[i] );
		}
		length->targetNormals[target] = pnGlb_AddVectors( out->glb, out->scratch, length->vertexCount, false );
	}
	pnAddKey( length, out->now, target );
	if ( length->targetCount < PN_TARGETS )
	{
		return true;
	}
	int part = length->part + 1;
	pnEndLength( out, length, out->now );
	return pnBeginLength( out, length, frame, body, part, out->now );
}

static bool pnAddBodies( pnGlbOut* out, const pnOutFrame* frame )
{
	for ( int i = 0; i < out->lengthCapacity; ++i )
	{
		out->lengths[i].isSeen = false;
	}
	// What is gone ends first: another body may have its index.
	for ( int i = 0; i < frame->bodyCount; ++i )
	{
		const pnOutBody* body = frame->bodies + i;
		if ( body->id.index1 >= out->lengthCapacity )
		{
			int capacity = 2 * body->id.index1 + 64;
			pnLength* grown = realloc( out->lengths, (size_t)capacity * sizeof( pnLength ) );
			if ( grown == NULL )
			{
				return false;
			}
			memset( grown + out->lengthCapacity, 0, (size_t)( capacity - out->lengthCapacity ) * sizeof( pnLength ) );
			out->lengths = grown;
			out->lengthCapacity = capacity;
		}
		pnLength* length = out->lengths + body->id.index1;
		length->isSeen = length->id.generation == body->id.generation;
	}
	for ( int i = 0; i < out->lengthCapacity; ++i )
	{
		pnLength* length = out->lengths + i;
		if ( length->isOpen && length->isSeen == false )
		{
			pnEndLength( out, length, out->swap );
			pnFreeLength( length );
		}
	}
	for ( int i = 0; i < frame->bodyCount; ++i )
	{
		const pnOutBody* body = frame->bodies + i;
		pnLength* length = out->lengths + body->id.index1;
		bool good = true;
		if ( body->triangleCount == 0 )
		{
			continue;
		}
		if ( length->isOpen && body->isNew == false )
		{
			good = pnMoveLength( out, length, frame, body );
		}
		else
		{
			int part = length->isSeen ? length->part + 1 : 0;
			if ( length->isOpen )
			{
				pnEndLength( out, length, out->swap );
			}
			good = pnBeginLength( out, length, frame, body, part, out->swap );
		}
		if ( good == false )
		{
			return false;
		}
	}
	return true;
}

// ---- shapes ----

static void pnEndTrack( pnGlbOut* out, pnTrack* track, float end )
{
	if ( track->isOpen && track->mesh >= 0 )
	{
		const float *p = track->places, *q = track->turns;
		int node = pnGlb_Add( out->glb, pn_glbNodes,
							  "{\"name\":\"shape_%d\",\"mesh\":%d,\"translation\":[%.9g,%.9g,%.9g],\"rotation\":[%.9g,%.9g,%.9g,%.9g]%s}",
							  track->number, track->mesh, (double)p[0], (double)p[1], (double)p[2], (double)q[0], (double)q[1], (double)q[2],
							  (double)q[3], track->begin > 0.0f ? ",\"scale\":[0,0,0]" : "" );
		if ( track->count > 1 )
		{
			int input = pnGlb_AddFloats( out->glb, track->times, track->count, 1, true );
			pnAddChannel( out, node, "translation", input, pnGlb_AddFloats( out->glb, track->places, track->count, 3, false ) );
			pnAddChannel( out, node, "rotation", input, pnGlb_AddFloats( out->glb, track->turns, track->count, 4, false ) );
		}
		pnAddScaleKeys( out, node, track->begin, end );
	}
	free( track->times );
	free( track->places );
	free( track->turns );
	*track = (pnTrack){ 0 };
}

// As it lies in its own frame. -1: it has no triangles.
static int pnAddShapeMesh( pnGlbOut* out, const pnShapeDef* def )
{
	pnSceneMesh mesh = { 0 };
	pnShapeDef local = *def;
	local.transform = (pnTransform){ { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f, 1.0f } };
	pnAddShapeTriangles( &mesh, &local );
	int index = -1;
	if ( mesh.failed == false && mesh.triangleCount > 0 )
	{
		uint32_t color = def->userData != 0 ? pnUnpackColor( def->userData, 0 ) : 0xa9b0b8;
		uint32_t* colors = malloc( (size_t)mesh.vertexCount * sizeof( uint32_t ) );
		for ( int i = 0; i < mesh.vertexCount && colors != NULL; ++i )
		{
			colors[i] = color;
		}
		if ( colors != NULL )
		{
			int positions = pnGlb_AddVectors( out->glb, mesh.vertices, mesh.vertexCount, true );
			int normals = pnGlb_AddVectors( out->glb, mesh.normals, mesh.vertexCount, false );
			int paint = pnGlb_AddColors( out->glb, colors, mesh.vertexCount );
			int indices = pnGlb_AddTriangles( out->glb, mesh.triangles, mesh.triangleCount, 0 );
			index = pnGlb_Add( out->glb, pn_glbMeshes,
							   "{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"COLOR_0\":%d},\"indices\":%d,\"material\":0}]}", positions,
							   normals, paint, indices );
		}
		free( colors );
	}
	pnFreeMesh( &mesh );
	return index;
}

static bool pnMoveTrack( pnGlbOut* out, pnTrack* track, pnTransform transform )
{
	const float place[3] = { transform.p.x, transform.p.y, transform.p.z };
	float turn[4] = { transform.q.x, transform.q.y, transform.q.z, transform.q.w };
	float size = sqrtf( turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3] );
	int n = track->count;
	for ( int k = 0; k < 4; ++k )
	{
		turn[k] /= size; // readers ask for unit length
	}
	bool isHeld = n >= 2;
	for ( int i = 1; i <= 2 && isHeld; ++i )
	{
		isHeld = memcmp( track->places + 3 * ( n - i ), place, sizeof( place ) ) == 0 && memcmp( track->turns + 4 * ( n - i ), turn, sizeof( turn ) ) == 0;
	}
	if ( isHeld )
	{
		track->times[n - 1] = out->now;
		return true;
	}
	if ( n == track->capacity )
	{
		int capacity = 2 * n + 16;
		float* times = realloc( track->times, (size_t)capacity * sizeof( float ) );
		track->times = times != NULL ? times : track->times;
		float* places = realloc( track->places, 3 * (size_t)capacity * sizeof( float ) );
		track->places = places != NULL ? places : track->places;
		float* turns = realloc( track->turns, 4 * (size_t)capacity * sizeof( float ) );
		track->turns = turns != NULL ? turns : track->turns;
		if ( times == NULL || places == NULL || turns == NULL )
		{
			return false;
		}
		track->capacity = capacity;
	}
	track->times[n] = out->now;
	memcpy( track->places + 3 * n, place, sizeof( place ) );
	memcpy( track->turns + 4 * n, turn, sizeof( turn ) );
	track->count += 1;
	return true;
}

static bool pnAddShapes( pnGlbOut* out, const pnOutFrame* frame )
{
	for ( int i = 0; i < out->trackCapacity; ++i )
	{
		out->tracks[i].isSeen = false;
	}
	for ( int i = 0; i < frame->shapeCount; ++i )
	{
		const pnOutShape* shape = frame->shapes + i;
		if ( shape->id.index1 >= out->trackCapacity )
		{
			int capacity = 2 * shape->id.index1 + 64;
			pnTrack* grown = realloc( out->tracks, (size_t)capacity * sizeof( pnTrack ) );
			if ( grown == NULL )
			{
				return false;
			}
			memset( grown + out->trackCapacity, 0, (size_t)( capacity - out->trackCapacity ) * sizeof( pnTrack ) );
			out->tracks = grown;
			out->trackCapacity = capacity;
		}
		pnTrack* track = out->tracks + shape->id.index1;
		if ( track->isOpen && track->id.generation != shape->id.generation )
		{
			pnEndTrack( out, track, out->swap );
		}
		if ( track->isOpen == false )
		{
			*track = (pnTrack){ .isOpen = true, .id = shape->id, .number = shape->number, .begin = out->swap };
			track->mesh = pnAddShapeMesh( out, &shape->def );
		}
		track->isSeen = true;
		if ( track->mesh >= 0 && pnMoveTrack( out, track, shape->def.transform ) == false )
		{
			return false;
		}
	}
	for ( int i = 0; i < out->trackCapacity; ++i )
	{
		if ( out->tracks[i].isOpen && out->tracks[i].isSeen == false )
		{
			pnEndTrack( out, out->tracks + i, out->swap );
		}
	}
	return true;
}

// Planes that are not level, as far as the first frame shows them. They do not move.
static void pnAddPlanes( pnGlbOut* out, const pnSurface* surface )
{
	int count = surface->triangleCount - surface->wallTriangle, first = surface->wallVertex, vertexCount = surface->vertexCount - first;
	if ( count == 0 )
	{
		return;
	}
	int positions = pnGlb_AddVectors( out->glb, surface->positions + first, vertexCount, true );
	int normals = pnGlb_AddVectors( out->glb, surface->normals + first, vertexCount, false );
	int paint = pnGlb_AddColors( out->glb, surface->colors + first, vertexCount );
	int indices = pnGlb_AddTriangles( out->glb, surface->triangles + 3 * (size_t)surface->wallTriangle, count, first );
	int material = pnGlb_Add( out->glb, pn_glbMaterials, "{\"name\":\"wall\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.9}}" );
	int mesh = pnGlb_Add( out->glb, pn_glbMeshes,
						  "{\"primitives\":[{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d,\"COLOR_0\":%d},\"indices\":%d,\"material\":%d}]}", positions,
						  normals, paint, indices, material );
	pnGlb_Add( out->glb, pn_glbNodes, "{\"name\":\"walls\",\"mesh\":%d}", mesh );
}

// ---- the file ----

static bool pnWriteGlbFrame( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] )
{
	pnGlbOut* out = file;
	out->start = frame->index == 0 ? frame->time : out->start;
	float last = out->now;
	out->now = (float)( frame->time - out->start );
	out->swap = 0.5f * ( last + out->now );
	const pnSurface* surface = &frame->surface;
	if ( pnGlb_IsFull( out->glb, (size_t)surface->vertexCount * 80 + (size_t)surface->triangleCount * 12 + (size_t)frame->bodyCount * 1000 ) )
	{
		snprintf( why, PN_OUT_WHY, "it would be more than the 4 GB that a .glb can hold; it ends before frame %d. Fewer frames (--every, --to) or --fields color will do",
				  frame->frame );
		return false;
	}
	if ( frame->index == 0 )
	{
		pnAddPlanes( out, surface );
	}
	if ( pnAddShapes( out, frame ) == false || pnAddBodies( out, frame ) == false )
	{
		snprintf( why, PN_OUT_WHY, "there is no memory for frame %d", frame->frame );
		return false;
	}
	return true;
}

static bool pnCloseGlbOut( void* file, char why[PN_OUT_WHY] )
{
	pnGlbOut* out = file;
	for ( int i = 0; i < out->lengthCapacity; ++i )
	{
		if ( out->lengths[i].isOpen )
		{
			pnEndLength( out, out->lengths + i, INFINITY );
		}
		pnFreeLength( out->lengths + i );
	}
	for ( int i = 0; i < out->trackCapacity; ++i )
	{
		pnEndTrack( out, out->tracks + i, INFINITY );
	}
	const char* problem = pnCloseGlb( out->glb, out->title );
	if ( problem != NULL )
	{
		snprintf( why, PN_OUT_WHY, "%s", problem );
	}
	free( out->lengths );
	free( out->tracks );
	free( out->scratch );
	free( out );
	return problem == NULL;
}

const pnOutKind pn_glbOut = {
	.ending = ".glb",
	.text = "animated, for Blender, three.js and viewers",
	.fields = pn_outNormal | pn_outColor,
	.usualFields = pn_outNormal | pn_outColor,
	.open = pnOpenGlbOut,
	.frame = pnWriteGlbFrame,
	.close = pnCloseGlbOut,
};
