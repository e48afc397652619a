// image.c - all that a room needs to go on with the same bits elsewhere, as bytes: docs/wire.md. Knows no links and no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "image.h"

#include "past.h"
#include "room_inside.h"
#include "room_scenes.h"
#include "saved.h"
#include "wire.h"

#include <stdlib.h>
#include <string.h>

static const char pnImageMagic[8] = { 'p', 'l', 'i', 'a', 'n', 't', 'I', '1' };

uint64_t pnCheckBytes( const void* data, size_t size )
{
	const uint8_t* bytes = data;
	uint64_t check = 0xcbf29ce484222325u;
	for ( size_t i = 0; i < size; i += 8 )
	{
		size_t count = size - i < 8 ? size - i : 8;
		uint64_t word = 0;
		if ( count == 8 )
		{
			memcpy( &word, bytes + i, 8 ); // little endian, as all that is supported
		}
		else
		{
			memcpy( &word, bytes + i, count );
		}
		check = ( check ^ word ) * 0x100000001b3u;
		check = check << 29 | check >> 35;
	}
	return check;
}

// ---- writing ----

static void pnPutLong( pnBytes* bytes, uint64_t value )
{
	pnPutWord( bytes, (uint32_t)value );
	pnPutWord( bytes, (uint32_t)( value >> 32 ) );
}

static void pnPutRun( pnBytes* bytes, const pnScene* scene, bool still, int frame, float rate, int substeps )
{
	pnPutText( bytes, scene != NULL ? scene->name : "" );
	pnPutWord( bytes, still ? 1 : 0 );
	pnPutWord( bytes, (uint32_t)frame );
	pnPutFloat( bytes, rate );
	pnPutWord( bytes, (uint32_t)substeps );
}

static void pnPutGlides( pnBytes* bytes, const pnGlides* glides )
{
	int count = glides != NULL ? glides->count : 0;
	pnPutWord( bytes, (uint32_t)count );
	for ( int i = 0; i < count; ++i )
	{
		const pnGlide* glide = glides->glides + i;
		pnPutWord( bytes, glide->move.owner );
		pnPutWord( bytes, glide->move.hand );
		pnPutWord( bytes, (uint32_t)glide->move.steps );
		pnPutWord( bytes, (uint32_t)glide->left );
		pnPutVec3( bytes, glide->move.place );
	}
}

static void pnPutLine( pnBytes* bytes, const char* text, size_t length )
{
	pnPutWord( bytes, (uint32_t)length );
	pnPutBytes( bytes, text, length );
	pnPad( bytes );
}

static void pnPutSolids( pnBytes* bytes, const pnSolidList* solids )
{
	pnPutWord( bytes, (uint32_t)solids->count );
	for ( int i = 0; i < solids->count; ++i )
	{
		const pnNamedSolid* solid = solids->list + i;
		bool isBrought = solid->line != NULL;
		pnPutWord( bytes, isBrought ? 1 : 0 );
		pnPutLine( bytes, isBrought ? solid->line : solid->name, isBrought ? solid->lineLength : strlen( solid->name ) );
	}
}

// An image but for the worlds that can be undone to: these are shared with the room, and come in between.
struct pnRoomImage
{
	pnBytes bytes;
	struct { size_t at, size; pnBlob* blob; } pasts[2 * PN_MAX_PASTS];
	int pastCount;
	size_t pastBytes; // filled up to multiples of four
};

// The latest of them as far as *left goes.
static void pnPutPasts( pnRoomImage* image, const pnPasts* pasts, size_t* left )
{
	pnBytes* bytes = &image->bytes;
	int first = pasts->count;
	while ( first > 0 && pasts->list[first - 1].size <= *left )
	{
		first -= 1;
		*left -= pasts->list[first].size;
	}
	pnPutWord( bytes, (uint32_t)pasts->count );
	for ( int i = 0; i < pasts->count; ++i )
	{
		const pnPast* past = pasts->list + i;
		bool isHere = i >= first && past->image != NULL;
		pnPutWord( bytes, isHere ? 1 : 0 );
		pnPutLong( bytes, past->size );
		pnPutWord( bytes, past->owner );
		pnPutRun( bytes, past->scene, past->still, past->frame, past->rate, past->substeps );
		if ( isHere )
		{
			pnPutGlides( bytes, past->glides );
			int index = image->pastCount++;
			image->pasts[index].at = bytes->size;
			image->pasts[index].size = past->size;
			image->pasts[index].blob = past->image;
			image->pastBytes += ( past->size + 3 ) & ~(size_t)3;
			atomic_fetch_add( &past->image->users, 1 );
		}
	}
}

void pnDestroyRoomImage( pnRoomImage* image )
{
	if ( image != NULL )
	{
		for ( int i = 0; i < image->pastCount; ++i )
		{
			pnReleaseBlob( image->pasts[i].blob );
		}
		free( image->bytes.data );
		free( image );
	}
}

pnRoomImage* pnRoom_BeginImage( const pnRoom* room, size_t pastBytes )
{
	size_t worldSize = room->queueCount == 0 ? pnWorld_Snapshot( room->world, NULL, 0 ) : 0;
	pnRoomImage* image = worldSize > 0 ? calloc( 1, sizeof( pnRoomImage ) ) : NULL;
	if ( image == NULL )
	{
		return NULL;
	}
	pnBytes* bytes = &image->bytes;
	pnPutBytes( bytes, pnImageMagic, sizeof( pnImageMagic ) );
	pnPutLong( bytes, 0 );
	pnPutLong( bytes, 0 );
	pnPutWord( bytes, room->step );
	uint64_t time;
	memcpy( &time, &room->time, sizeof( time ) );
	pnPutLong( bytes, time );
	pnPutRun( bytes, room->scene, room->still, room->frame, room->rate, room->substeps );
	pnPutWord( bytes, (uint32_t)room->def.undoCount );
	pnPutLong( bytes, room->def.undoBytes );
	pnPutWord( bytes, (uint32_t)room->lastDeed.kind );
	pnPutBodyId( bytes, room->lastDeed.body );
	pnPutWord( bytes, room->lastDeedStep );
	pnPutGlides( bytes, &room->glides );
	pnPutSolids( bytes, &room->solids );
	pnPutPasts( image, &room->undo, &pastBytes );
	pnPutPasts( image, &room->redo, &pastBytes );
	pnPutLong( bytes, worldSize );
	uint8_t* world = pnExtendBytes( bytes, worldSize );
	if ( world == NULL || pnWorld_Snapshot( room->world, world, worldSize ) != worldSize )
	{
		pnDestroyRoomImage( image );
		return NULL;
	}
	return image;
}

uint8_t* pnFinishRoomImage( pnRoomImage* image, size_t* size )
{
	*size = image->bytes.size + image->pastBytes;
	uint8_t* all = malloc( *size );
	size_t from = 0, to = 0;
	for ( int i = 0; i <= image->pastCount && all != NULL; ++i )
	{
		size_t end = i < image->pastCount ? image->pasts[i].at : image->bytes.size;
		memcpy( all + to, image->bytes.data + from, end - from );
		to += end - from;
		from = end;
		if ( i < image->pastCount )
		{
			size_t pastSize = image->pasts[i].size, whole = ( pastSize + 3 ) & ~(size_t)3;
			memcpy( all + to, image->pasts[i].blob->bytes, pastSize );
			memset( all + to + pastSize, 0, whole - pastSize );
			to += whole;
		}
	}
	pnDestroyRoomImage( image );
	if ( all == NULL )
	{
		*size = 0;
		return NULL;
	}
	uint64_t rest = *size - PN_IMAGE_HEAD;
	memcpy( all + 16, &rest, sizeof( rest ) );
	uint64_t check = pnCheckBytes( all + 16, *size - 16 );
	memcpy( all + 8, &check, sizeof( check ) );
	return all;
}

uint8_t* pnRoom_SaveImage( const pnRoom* room, size_t pastBytes, size_t* size )
{
	*size = 0;
	pnRoomImage* image = pnRoom_BeginImage( room, pastBytes );
	return image != NULL ? pnFinishRoomImage( image, size ) : NULL;
}

// ---- reading ----

typedef struct pnIn { const uint8_t* bytes; size_t size, at; bool good; } pnIn;

static const uint8_t* pnTake( pnIn* in, uint64_t count )
{
	if ( in->good == false || count > in->size - in->at )
	{
		in->good = false;
		return NULL;
	}
	const uint8_t* bytes = in->bytes + in->at;
	uint64_t end = ( in->at + count + 3 ) & ~(uint64_t)3;
	in->at = end < in->size ? (size_t)end : in->size;
	return bytes;
}

static uint32_t pnTakeWord( pnIn* in )
{
	const uint8_t* bytes = pnTake( in, 4 );
	return bytes != NULL ? (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24 : 0;
}

static uint64_t pnTakeLong( pnIn* in )
{
	uint64_t low = pnTakeWord( in );
	return low | (uint64_t)pnTakeWord( in ) << 32;
}

static float pnTakeFloat( pnIn* in )
{
	uint32_t word = pnTakeWord( in );
	float value;
	memcpy( &value, &word, sizeof( value ) );
	return value;
}

static int pnTakeCount( pnIn* in, int least, int most )
{
	uint32_t word = pnTakeWord( in );
	in->good = in->good && word >= (uint32_t)least && word <= (uint32_t)most;
	return in->good ? (int)word : least;
}

typedef struct pnRun { const pnScene* scene; bool still; int frame; float rate; int substeps; } pnRun;

static pnRun pnTakeRun( pnIn* in )
{
	pnRun run = { 0 };
	char name[PN_SCENE_NAME_SIZE] = { 0 };
	int length = pnTakeCount( in, 0, PN_SCENE_NAME_SIZE - 1 );
	const uint8_t* bytes = pnTake( in, (uint64_t)length );
	if ( bytes != NULL )
	{
		memcpy( name, bytes, (size_t)length );
	}
	run.scene = pnFindRoomScene( name );
	in->good = in->good && ( run.scene != NULL || name[0] == 0 );
	run.still = pnTakeCount( in, 0, 1 ) != 0;
	run.frame = pnTakeCount( in, 0, INT32_MAX );
	run.rate = pnTakeFloat( in );
	run.substeps = pnTakeCount( in, 1, 64 );
	in->good = in->good && run.rate > 0.0f && run.rate < 1e6f;
	return run;
}

static void pnTakeGlides( pnIn* in, pnGlides* glides )
{
	glides->count = pnTakeCount( in, 0, PN_MAX_GLIDES );
	for ( int i = 0; i < glides->count && in->good; ++i )
	{
		pnGlide* glide = glides->glides + i;
		*glide = ( pnGlide ){ .move.kind = pn_moveCommand };
		glide->move.owner = (uint32_t)pnTakeCount( in, 1, INT32_MAX );
		glide->move.hand = pnTakeWord( in );
		glide->move.steps = pnTakeCount( in, 1, PN_MAX_COMMAND_STEPS );
		glide->left = pnTakeCount( in, 0, PN_MAX_COMMAND_STEPS );
		glide->move.place.x = pnTakeFloat( in );
		glide->move.place.y = pnTakeFloat( in );
		glide->move.place.z = pnTakeFloat( in );
	}
}

static pnResult pnTakeSolids( pnIn* in, pnSolidList* solids )
{
	int count = pnTakeCount( in, 0, PN_MAX_SOLIDS );
	for ( int i = 0; i < count && in->good; ++i )
	{
		bool isBrought = pnTakeCount( in, 0, 1 ) != 0;
		uint32_t length = pnTakeWord( in );
		const char* text = (const char*)pnTake( in, length );
		char name[PN_NAME_SIZE] = { 0 };
		pnCommand command;
		pnFault fault;
		pnResult result = text != NULL ? pn_success : pn_badImage;
		if ( result == pn_success && isBrought )
		{
			bool isSolid = pnParseCommand( text, length, &command, &fault ) && command.kind == pn_solidCommand;
			result = isSolid ? pnBringSolid( solids, &command, text, length ) : pn_badImage;
		}
		else if ( result == pn_success && length < PN_NAME_SIZE )
		{
			memcpy( name, text, length );
			result = pnFindSolid( solids, name ) != NULL ? pn_success : pn_badImage;
		}
		if ( result != pn_success || solids->count != i + 1 )
		{
			return result != pn_success ? result : pn_badImage;
		}
	}
	return in->good ? pn_success : pn_badImage;
}

static pnResult pnTakePasts( pnIn* in, pnPasts* pasts )
{
	int count = pnTakeCount( in, 0, PN_MAX_PASTS );
	for ( int i = 0; i < count && in->good; ++i )
	{
		bool isHere = pnTakeCount( in, 0, 1 ) != 0;
		uint64_t size = pnTakeLong( in );
		uint32_t owner = pnTakeWord( in );
		pnRun run = pnTakeRun( in );
		pnPast past = { .size = (size_t)size, .owner = owner, .scene = run.scene, .still = run.still };
		past.frame = run.frame;
		past.rate = run.rate;
		past.substeps = run.substeps;
		in->good = in->good && size > 0 && size < UINT32_MAX;
		if ( isHere && in->good )
		{
			past.glides = malloc( sizeof( pnGlides ) ); // too large for the stack of a page
			past.image = pnCreateBlob( (size_t)size );
			if ( past.image == NULL || past.glides == NULL )
			{
				pnFreePast( &past );
				return pn_outOfMemory;
			}
			pnTakeGlides( in, past.glides );
			if ( past.glides->count == 0 )
			{
				free( past.glides );
				past.glides = NULL;
			}
			const uint8_t* bytes = pnTake( in, size );
			if ( bytes == NULL )
			{
				pnFreePast( &past );
				return pn_badImage;
			}
			memcpy( past.image->bytes, bytes, (size_t)size );
		}
		if ( in->good )
		{
			pasts->bytes += past.size;
			pasts->list[pasts->count++] = past;
		}
	}
	return in->good ? pn_success : pn_badImage;
}

// A world that has what the scene's own shapes need, if there are such.
static pnResult pnRestoreWorld( const pnRoom* room, const pnScene* scene, const void* bytes, size_t size, pnWorld** out )
{
	pnWorld* world = NULL;
	pnResult result = pnMakeWorld( room, &world );
	if ( result == pn_success )
	{
		result = pnWorld_Restore( world, bytes, size );
	}
	if ( result == pn_badImage && scene != NULL && scene->create( world ) == pn_success )
	{
		result = pnWorld_Restore( world, bytes, size );
	}
	if ( result != pn_success )
	{
		pnDestroyWorld( world );
		world = NULL;
	}
	*out = world;
	return result;
}

// All that is read before the room is touched.
typedef struct pnLoaded
{
	uint32_t step, lastDeedStep;
	double time;
	pnRun run;
	int undoCount;
	uint64_t undoBytes;
	pnCommand lastDeed;
	pnGlides glides;
	pnSolidList solids;
	pnPasts undo, redo;
	pnWorld* world;
} pnLoaded;

static pnResult pnReadImage( const pnRoom* room, pnIn* in, pnLoaded* loaded )
{
	loaded->step = pnTakeWord( in );
	uint64_t time = pnTakeLong( in );
	memcpy( &loaded->time, &time, sizeof( time ) );
	loaded->run = pnTakeRun( in );
	loaded->undoCount = pnTakeCount( in, 1, PN_MAX_PASTS );
	loaded->undoBytes = pnTakeLong( in );
	loaded->lastDeed.kind = (pnCommandKind)pnTakeCount( in, 0, pn_commandKindCount - 1 );
	loaded->lastDeed.body.index1 = (int32_t)pnTakeWord( in );
	loaded->lastDeed.body.generation = pnTakeWord( in );
	loaded->lastDeedStep = pnTakeWord( in );
	pnTakeGlides( in, &loaded->glides );
	pnResult result = in->good ? pnTakeSolids( in, &loaded->solids ) : pn_badImage;
	result = result == pn_success ? pnTakePasts( in, &loaded->undo ) : result;
	result = result == pn_success ? pnTakePasts( in, &loaded->redo ) : result;
	if ( result != pn_success )
	{
		return result;
	}
	uint64_t size = pnTakeLong( in );
	const uint8_t* bytes = pnTake( in, size );
	return bytes != NULL && in->at == in->size ? pnRestoreWorld( room, loaded->run.scene, bytes, (size_t)size, &loaded->world ) : pn_badImage;
}

static void pnFreeLoaded( pnLoaded* loaded )
{
	pnFreeSolids( &loaded->solids );
	pnForgetPasts( &loaded->undo );
	pnForgetPasts( &loaded->redo );
	pnDestroyWorld( loaded->world );
	free( loaded );
}

static void pnSwap( void* a, void* b, size_t size )
{
	uint8_t *x = a, *y = b;
	for ( size_t i = 0; i < size; ++i )
	{
		uint8_t byte = x[i];
		x[i] = y[i];
		y[i] = byte;
	}
}

pnResult pnRoom_LoadImage( pnRoom* room, const void* data, size_t size )
{
	const uint8_t* bytes = data;
	uint64_t check, rest;
	if ( size < PN_IMAGE_HEAD || memcmp( bytes, pnImageMagic, sizeof( pnImageMagic ) ) != 0 )
	{
		return pn_badImage;
	}
	memcpy( &check, bytes + 8, sizeof( check ) );
	memcpy( &rest, bytes + 16, sizeof( rest ) );
	if ( rest != size - PN_IMAGE_HEAD || check != pnCheckBytes( bytes + 16, size - 16 ) )
	{
		return pn_badImage;
	}
	pnLoaded* loaded = calloc( 1, sizeof( pnLoaded ) );
	if ( loaded == NULL )
	{
		return pn_outOfMemory;
	}
	pnIn in = { .bytes = bytes, .size = size, .at = PN_IMAGE_HEAD, .good = true };
	pnResult result = pnReadImage( room, &in, loaded );
	if ( result == pn_success )
	{
		room->def.undoCount = loaded->undoCount;
		room->def.undoBytes = (size_t)loaded->undoBytes;
		room->step = loaded->step;
		room->time = loaded->time;
		room->scene = loaded->run.scene;
		room->still = loaded->run.still;
		room->frame = loaded->run.frame;
		room->rate = loaded->run.rate;
		room->substeps = loaded->run.substeps;
		room->lastDeed = loaded->lastDeed;
		room->lastDeedStep = loaded->lastDeedStep;
		room->lacksPast = false;
		room->recordFull = true;
		// What was there goes with what was read
		pnSwap( &room->world, &loaded->world, sizeof( pnWorld* ) );
		pnSwap( &room->solids, &loaded->solids, sizeof( pnSolidList ) );
		pnSwap( &room->undo, &loaded->undo, sizeof( pnPasts ) );
		pnSwap( &room->redo, &loaded->redo, sizeof( pnPasts ) );
		pnBeginAnew( room );
		room->glides = loaded->glides;
	}
	pnFreeLoaded( loaded );
	return result;
}

bool pnRoom_LacksPast( const pnRoom* room ) { return room->lacksPast; }
