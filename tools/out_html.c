// out_html.c - a run as one page that plays it: the player that web/ builds, then a script element with bytes for each frame. Knows no view.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// The bytes of a frame are what vertices can be coloured by, one byte each, then the frame as the wire has it (docs/wire.md). A frame in which
// something came, went or was cut holds everything; the others hold motion only, and are told as what differs from the frame before, but
// for every PN_CHAIN-th: to get to any one takes few. All low bytes, then all high bytes; deflated, in base64. The player starts when the
// page has been read, and passes over a last frame that was not written whole: the page is good at any moment.
#include "out.h"

#include "scenery.h"
#include "wire.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum
{
	PN_SHADE_FIELDS = 4,
	PN_CHAIN = 12, // frames that build on one another
};

typedef struct pnHtmlOut
{
	FILE* file;
	char title[64];
	pnSceneView view;
	double rate; // frames a second
	uint32_t fields;
	int freshIndex; // the last frame that holds everything
	pnBytes bytes; // the frame as on the wire
	pnBytes all, last; // with what vertices are coloured by; and of the frame before
	pnBytes planes, packed;
	int chain; // how many frames the last one builds on
	bool isLastFresh;
	pnVec3* normals; // of a body, with fewer bits
	int32_t* numbers; // of a body's triangles: which colour
	int numberCapacity;
	uint8_t* shades;
	int shadeCapacity;
} pnHtmlOut;

// The player, where it was built or installed.
static FILE* pnOpenPlayer( char where[PN_OUT_PATH] )
{
	static const char* const places[] = { PLIANT_PLAYER_BUILT, PLIANT_PLAYER_INSTALLED };
	const char* own = getenv( "PLIANT_PLAYER" );
	FILE* file = own != NULL ? fopen( own, "rb" ) : NULL;
	snprintf( where, PN_OUT_PATH, "%s", own != NULL ? own : places[0] );
	for ( size_t i = 0; i < sizeof( places ) / sizeof( places[0] ) && file == NULL && own == NULL; ++i )
	{
		file = fopen( places[i], "rb" );
	}
	return file;
}

static void pnPutEscaped( FILE* file, const char* text )
{
	for ( ; *text != 0; ++text )
	{
		switch ( *text )
		{
		case '<': fputs( "&lt;", file ); break;
		case '>': fputs( "&gt;", file ); break;
		case '&': fputs( "&amp;", file ); break;
		case '"': fputs( "&quot;", file ); break;
		default: fputc( *text, file ); break;
		}
	}
}

static void* pnOpenHtml( const pnOutDef* def, char why[PN_OUT_WHY] )
{
	char where[PN_OUT_PATH];
	FILE* player = pnOpenPlayer( where );
	if ( player == NULL )
	{
		snprintf( why, PN_OUT_WHY, "the player has not been built; `make page` does, and puts it at %.300s", where );
		return NULL;
	}
	pnHtmlOut* out = calloc( 1, sizeof( pnHtmlOut ) );
	FILE* file = out != NULL ? fopen( def->path, "wb" ) : NULL;
	if ( file == NULL )
	{
		snprintf( why, PN_OUT_WHY, "%s", out == NULL ? "there is no memory for it" : strerror( errno ) );
		fclose( player );
		free( out );
		return NULL;
	}
	char bytes[4096];
	size_t count;
	while ( ( count = fread( bytes, 1, sizeof( bytes ), player ) ) > 0 )
	{
		fwrite( bytes, 1, count, file );
	}
	fclose( player );
	fprintf( file, "\n<meta name=\"pliant-run\" content=\"" );
	pnPutEscaped( file, def->title );
	fprintf( file, "\" data-rate=\"%.9g\">\n", def->rate );
	out->file = file;
	snprintf( out->title, sizeof( out->title ), "%s", def->title );
	out->view = (pnSceneView){ def->camera.target, def->camera.azimuth, def->camera.elevation, def->camera.distance, def->camera.ground };
	out->rate = def->rate;
	out->fields = def->fields;
	return out;
}

// ---- a frame's bytes ----

static bool pnReserveFor( pnHtmlOut* out, const pnOutBody* body )
{
	if ( body->triangleCount > out->numberCapacity )
	{
		free( out->numbers );
		out->numberCapacity = 2 * body->triangleCount;
		out->numbers = malloc( 4 * (size_t)out->numberCapacity * sizeof( int32_t ) );
	}
	if ( body->vertexCount > out->shadeCapacity )
	{
		free( out->shades );
		out->shadeCapacity = 2 * body->vertexCount;
		free( out->normals );
		out->shades = malloc( (size_t)out->shadeCapacity );
		out->normals = malloc( (size_t)out->shadeCapacity * sizeof( pnVec3 ) );
	}
	return out->numbers != NULL && out->shades != NULL && out->normals != NULL;
}

// A body as one part: its vertices' colours, of which there are few, become the colours of its triangles.
static pnPart pnMakeBodyPart( pnHtmlOut* out, const pnSurface* surface, const pnOutBody* body )
{
	pnPart part = { .vertexCount = body->vertexCount, .triangleCount = body->triangleCount };
	int32_t* corners = out->numbers + out->numberCapacity;
	int colorCount = 0;
	for ( int i = 0; i < body->triangleCount; ++i )
	{
		const int32_t* t = surface->triangles + 3 * (size_t)( body->firstTriangle + i );
		uint32_t color = surface->colors[t[0]];
		int number = 0;
		while ( number < colorCount && part.colors[number] != color )
		{
			number += 1;
		}
		if ( number == colorCount && colorCount < 4 )
		{
			part.colors[colorCount++] = color;
		}
		out->numbers[i] = number < 4 ? number : 3;
		for ( int k = 0; k < 3; ++k )
		{
			corners[3 * i + k] = t[k] - body->firstVertex;
		}
	}
	part.triangles = corners;
	part.materials = out->numbers;
	return part;
}

static void pnPutShapes( pnHtmlOut* out, const pnOutFrame* frame )
{
	pnTransform* planes = malloc( (size_t)( frame->shapeCount + 1 ) * sizeof( pnTransform ) );
	int planeCount = 0, plane = 0;
	for ( int i = 0; i < frame->shapeCount && planes != NULL; ++i )
	{
		planes[planeCount] = frame->shapes[i].def.transform;
		planeCount += frame->shapes[i].def.kind == pn_planeShape ? 1 : 0;
	}
	for ( int i = 0; i < frame->shapeCount && planes != NULL; ++i )
	{
		const pnOutShape* shape = frame->shapes + i;
		pnSceneMesh mesh = { 0 };
		pnTransform transform = shape->def.transform;
		pnShapeDef local = shape->def;
		local.transform = pnIdentityTransform();
		if ( shape->def.kind == pn_planeShape )
		{
			pnAddPlaneTriangles( &mesh, planes, planeCount, plane++, out->view.target, 2.0f * out->view.distance );
			transform = pnRotate( transform.q, pnMakeVec3( 0.0f, 1.0f, 0.0f ) ).y > 0.999f ? transform : pnIdentityTransform();
		}
		else
		{
			pnAddShapeTriangles( &mesh, &local );
		}
		pnPutShape( &out->bytes, shape->id, &shape->def, transform, mesh.failed ? NULL : &mesh );
		pnFreeMesh( &mesh );
	}
	free( planes );
}

static void pnPutShapeMotions( pnHtmlOut* out, const pnOutFrame* frame )
{
	for ( int i = 0; i < frame->shapeCount; ++i )
	{
		if ( frame->shapes[i].def.kind != pn_planeShape )
		{
			size_t begin = pnBeginSection( &out->bytes, pn_shapeMotionSection );
			pnPutWord( &out->bytes, (uint32_t)frame->shapes[i].id.index1 );
			pnPutWord( &out->bytes, frame->shapes[i].id.generation );
			pnPutTransform( &out->bytes, frame->shapes[i].def.transform );
			pnEndSection( &out->bytes, begin );
		}
	}
}

static void pnPutGrabs( pnHtmlOut* out, const pnWorld* world )
{
	int count = pnWorld_GetGrabs( world, NULL, 0 ), kept = 0;
	pnGrabId* grabs = malloc( (size_t)( count + 1 ) * sizeof( pnGrabId ) );
	pnHand* hands = malloc( (size_t)( count + 1 ) * sizeof( pnHand ) );
	for ( int i = pnWorld_GetGrabs( world, grabs, grabs != NULL ? count : 0 ) - 1; i >= 0 && grabs != NULL && hands != NULL; --i )
	{
		pnGrabState state;
		if ( pnGrab_GetState( world, grabs[i], &state ) == pn_success )
		{
			hands[kept++] = (pnHand){ state.owner, (uint32_t)i, state.body, state.place, state.target, state.force, state.locked };
		}
	}
	if ( hands != NULL )
	{
		pnPutHands( &out->bytes, hands, kept );
	}
	free( grabs );
	free( hands );
}

// A value from 0 to 255, as pnShading has it (room/frame.h).
static uint8_t pnShadeVertex( const pnOutFrame* frame, int vertex, int field )
{
	const float fullSpeed = 4.0f, fullPlastic = 0.8f; // m/s; strain
	float value = 0.0f;
	switch ( field )
	{
	case 0:
		value = frame->stretches[vertex] >= 1.0f ? 0.5f * frame->stretches[vertex] : frame->stretches[vertex] - 0.5f;
		break;
	case 1:
		value = frame->plastics[vertex] / fullPlastic;
		break;
	case 2:
		value = sqrtf( pnDot( frame->velocities[vertex], frame->velocities[vertex] ) ) / fullSpeed;
		break;
	default:
		return (uint8_t)frame->clusters[vertex];
	}
	value = value > 0.0f ? value < 1.0f ? value : 1.0f : 0.0f;
	return (uint8_t)( 255.0f * value + 0.5f );
}

// Light sees no more than a hundredth of a normal: the lower byte of what the wire has is left empty, which packs well.
static void pnRoundNormals( pnHtmlOut* out, const pnVec3* normals, int count )
{
	const float scale = 32767.0f / 256.0f;
	for ( int i = 0; i < count; ++i )
	{
		out->normals[i] = (pnVec3){ roundf( scale * normals[i].x ) / scale, roundf( scale * normals[i].y ) / scale, roundf( scale * normals[i].z ) / scale };
		out->normals[i] = pnMin3( pnMax3( out->normals[i], pnMakeVec3( -1.0f, -1.0f, -1.0f ) ), pnMakeVec3( 1.0f, 1.0f, 1.0f ) );
	}
}

// u32 bytes that follow; u32 which fields (1 stretch, 2 plastic, 4 speed, 8 clusters); for each body in order of the motions, for each of these
// fields a byte for each vertex, padded to 4.
static void pnPutShades( pnHtmlOut* out, const pnOutFrame* frame )
{
	static const uint32_t bits[PN_SHADE_FIELDS] = { pn_outStretch, pn_outPlastic, pn_outVelocity, pn_outCluster };
	uint32_t kept = 0;
	for ( int i = 0; i < PN_SHADE_FIELDS; ++i )
	{
		kept |= ( out->fields & bits[i] ) != 0 && frame->stretches != NULL ? 1u << i : 0u;
	}
	out->all.size = 0;
	out->all.failed = false;
	pnPutWord( &out->all, 0 );
	pnPutWord( &out->all, kept );
	for ( int i = 0; i < frame->bodyCount; ++i )
	{
		const pnOutBody* body = frame->bodies + i;
		for ( int field = 0; field < PN_SHADE_FIELDS; ++field )
		{
			if ( ( kept & 1u << field ) != 0 && pnReserveFor( out, body ) )
			{
				for ( int v = 0; v < body->vertexCount; ++v )
				{
					out->shades[v] = pnShadeVertex( frame, body->firstVertex + v, field );
				}
				pnPutBytes( &out->all, out->shades, (size_t)body->vertexCount );
				pnPad( &out->all );
			}
		}
	}
	uint32_t size = (uint32_t)( out->all.size - 4 );
	if ( out->all.failed == false )
	{
		memcpy( out->all.data, &size, sizeof( size ) );
	}
}

static bool pnMakeBytes( pnHtmlOut* out, const pnOutFrame* frame, bool isFresh )
{
	const pnSurface* surface = &frame->surface;
	pnFrameHead head = { .number = (uint32_t)frame->index + 1,
						 .step = (uint32_t)frame->frame,
						 .time = (float)frame->time,
						 .rate = (float)out->rate,
						 .flags = PN_STILL_FRAME | ( isFresh ? PN_FRESH_FRAME : 0 ) };
	pnBytes* bytes = &out->bytes;
	pnBeginFrame( bytes, &head );
	if ( isFresh )
	{
		pnPutScene( bytes, out->title, &out->view, pnWorld_GetGravity( frame->world ) );
	}
	for ( int i = 0; i < frame->bodyCount; ++i )
	{
		const pnOutBody* body = frame->bodies + i;
		if ( pnReserveFor( out, body ) == false )
		{
			return false;
		}
		pnPart part = { .vertexCount = body->vertexCount };
		if ( isFresh )
		{
			part = pnMakeBodyPart( out, surface, body );
			pnMaterial material;
			pnPutBody( bytes, body->id, (pnBodyId){ 0 }, pnSolid_GetInfo( pnBody_GetSolid( frame->world, body->id ) ).pointCount, &part, 1 );
			if ( pnBody_GetMaterial( frame->world, body->id, &material ) == pn_success )
			{
				pnPutMaterial( bytes, body->id, &material );
			}
		}
		pnRoundNormals( out, surface->normals + body->firstVertex, body->vertexCount );
		pnPutMotion( bytes, body->id, &part, 1, surface->positions + body->firstVertex, out->normals, NULL );
	}
	if ( isFresh )
	{
		pnPutShapes( out, frame );
	}
	pnPutShapeMotions( out, frame );
	pnPutGrabs( out, frame->world );
	if ( out->fields & pn_outContact )
	{
		pnPutTouches( bytes, frame->world );
	}
	pnEndFrame( bytes );
	pnPutShades( out, frame );
	if ( bytes->failed == false )
	{
		pnPutBytes( &out->all, bytes->data, bytes->size );
	}
	return bytes->failed == false && out->all.failed == false;
}

// All words as what differs from those of the frame before, if there is one to build on; low bytes, then high bytes.
static bool pnSplitBytes( pnHtmlOut* out, bool isChained )
{
	size_t count = out->all.size / 2, known = isChained ? out->last.size / 2 : 0;
	out->planes.size = 0;
	out->planes.failed = false;
	uint8_t* planes = pnExtendBytes( &out->planes, 2 * count );
	if ( planes == NULL )
	{
		return false;
	}
	const uint8_t *all = out->all.data, *last = out->last.data;
	for ( size_t i = 0; i < count; ++i )
	{
		uint32_t word = all[2 * i] | (uint32_t)all[2 * i + 1] << 8;
		uint32_t before = i < known ? last[2 * i] | (uint32_t)last[2 * i + 1] << 8 : 0;
		planes[i] = (uint8_t)( word - before );
		planes[count + i] = (uint8_t)( ( word - before ) >> 8 );
	}
	return true;
}

static void pnPutBase64( FILE* file, const uint8_t* bytes, size_t size )
{
	static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	char text[4 * 1024];
	for ( size_t begin = 0; begin < size; begin += 3 * 1024 )
	{
		size_t end = begin + 3 * 1024 < size ? begin + 3 * 1024 : size, length = 0;
		for ( size_t i = begin; i < end; i += 3 )
		{
			size_t left = end - i;
			uint32_t word = (uint32_t)bytes[i] << 16 | ( left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0 ) | ( left > 2 ? bytes[i + 2] : 0 );
			text[length++] = signs[word >> 18];
			text[length++] = signs[word >> 12 & 63];
			text[length++] = left > 1 ? signs[word >> 6 & 63] : '=';
			text[length++] = left > 2 ? signs[word & 63] : '=';
		}
		fwrite( text, 1, length, file );
	}
}

static bool pnWriteHtmlFrame( void* file, const pnOutFrame* frame, char why[PN_OUT_WHY] )
{
	pnHtmlOut* out = file;
	bool isFresh = frame->index == 0 || frame->isChanged;
	out->freshIndex = isFresh ? frame->index : out->freshIndex;
	bool good = pnMakeBytes( out, frame, isFresh );
	bool isChained = isFresh == false && out->isLastFresh == false && frame->index > 0 && out->chain + 1 < PN_CHAIN;
	out->chain = isChained ? out->chain + 1 : 0;
	good = good && pnSplitBytes( out, isChained );
	uLongf size = good ? compressBound( (uLong)out->planes.size ) : 0;
	out->packed.size = 0;
	uint8_t* packed = good ? pnExtendBytes( &out->packed, size ) : NULL;
	if ( packed == NULL || compress2( packed, &size, out->planes.data, (uLong)out->planes.size, 6 ) != Z_OK )
	{
		snprintf( why, PN_OUT_WHY, "there is no memory for frame %d", frame->frame );
		return false;
	}
	pnBytes spare = out->last;
	out->last = out->all;
	out->all = spare;
	out->isLastFresh = isFresh;
	fprintf( out->file, "<script type=\"application/pliant-frame\" data-frame=\"%d\" data-time=\"%.9g\" data-whole=\"%d\" data-chain=\"%d\">", frame->frame,
			 frame->time, out->freshIndex, out->chain );
	pnPutBase64( out->file, packed, size );
	fprintf( out->file, "</script>\n" );
	if ( fflush( out->file ) != 0 )
	{
		snprintf( why, PN_OUT_WHY, "frame %d: %s", frame->frame, strerror( errno ) );
		return false;
	}
	return true;
}

static bool pnCloseHtml( void* file, char why[PN_OUT_WHY] )
{
	pnHtmlOut* out = file;
	fprintf( out->file, "</body>\n</html>\n" );
	bool good = ferror( out->file ) == 0;
	good = fclose( out->file ) == 0 && good;
	if ( good == false )
	{
		snprintf( why, PN_OUT_WHY, "%s", strerror( errno ) );
	}
	free( out->bytes.data );
	free( out->all.data );
	free( out->last.data );
	free( out->planes.data );
	free( out->packed.data );
	free( out->normals );
	free( out->numbers );
	free( out->shades );
	free( out );
	return good;
}

const pnOutKind pn_htmlOut = {
	.ending = ".html",
	.text = "one page that plays it in any browser",
	.fields = pn_outStretch | pn_outPlastic | pn_outVelocity | pn_outCluster | pn_outContact,
	.usualFields = pn_outStretch | pn_outPlastic | pn_outVelocity | pn_outCluster | pn_outContact,
	.usualRate = 30,
	.isStreamed = true,
	.open = pnOpenHtml,
	.frame = pnWriteHtmlFrame,
	.close = pnCloseHtml,
};
