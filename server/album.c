// album.c - the newest of everything that frames have shown. Knows the bytes of frames, no rooms and no visitors.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "album.h"

#include <stdlib.h>
#include <string.h>

enum
{
	PN_FRAME_HEAD = 32,
	PN_SECTION_HEAD = 8,
	PN_MAX_ENDED = 1024, // things that are gone; who missed more of these is shown everything anew
	PN_MAX_REPLIES = 64,
};

typedef struct pnClip { pnBytes bytes; uint32_t number; } pnClip; // a whole section, and the frame that it was in; 0: none

// A body (its section, material, motion) or a shape (its section, where it was moved to).
typedef struct pnThing { uint32_t index, generation, born; pnClip clips[3]; } pnThing;
typedef struct pnThings { pnThing* list; int count; } pnThings; // by index

typedef struct pnEnded { pnSection kind; uint32_t index, generation, born, number; } pnEnded;

struct pnAlbum
{
	uint8_t head[PN_FRAME_HEAD];
	uint32_t number;
	uint32_t fresh; // who has none since this one is shown everything
	pnThings bodies, shapes;
	pnEnded ended[PN_MAX_ENDED];
	unsigned endedCount;
	pnClip scene, hands, contacts, meters;
	struct { uint32_t owner; pnClip clip; } replies[PN_MAX_REPLIES];
	unsigned replyCount;
	size_t byteCount; // of all clips
};

pnAlbum* pnCreateAlbum( void ) { return calloc( 1, sizeof( pnAlbum ) ); }

static void pnEmptyThing( pnAlbum* album, pnThing* thing )
{
	for ( int i = 0; i < 3; ++i )
	{
		album->byteCount -= thing->clips[i].bytes.capacity;
		free( thing->clips[i].bytes.data );
	}
	*thing = ( pnThing ){ 0 };
}

static void pnEmptyThings( pnAlbum* album, pnThings* things )
{
	for ( int i = 0; i < things->count; ++i )
	{
		pnEmptyThing( album, things->list + i );
	}
	free( things->list );
	*things = ( pnThings ){ 0 };
}

void pnDestroyAlbum( pnAlbum* album )
{
	if ( album == NULL )
	{
		return;
	}
	pnEmptyThings( album, &album->bodies );
	pnEmptyThings( album, &album->shapes );
	pnClip* clips[] = { &album->scene, &album->hands, &album->contacts, &album->meters };
	for ( int i = 0; i < 4; ++i )
	{
		free( clips[i]->bytes.data );
	}
	for ( int i = 0; i < PN_MAX_REPLIES; ++i )
	{
		free( album->replies[i].clip.bytes.data );
	}
	free( album );
}

uint32_t pnAlbum_GetNumber( const pnAlbum* album ) { return album->fresh != UINT32_MAX ? album->number : 0; }

size_t pnAlbum_GetBytes( const pnAlbum* album ) { return sizeof( pnAlbum ) + album->byteCount; }

static uint32_t pnGetWord( const uint8_t* bytes )
{
	return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static bool pnSetClip( pnAlbum* album, pnClip* clip, const uint8_t* section, size_t size, uint32_t number )
{
	album->byteCount -= clip->bytes.capacity;
	if ( size > clip->bytes.capacity || size < clip->bytes.capacity / 2 )
	{
		// As large as it has to be: there are thousands of them.
		free( clip->bytes.data );
		clip->bytes = ( pnBytes ){ .data = malloc( size ), .capacity = size };
		clip->bytes.capacity = clip->bytes.data != NULL ? size : 0;
	}
	clip->bytes.size = 0;
	clip->bytes.failed = false;
	pnPutBytes( &clip->bytes, section, size );
	album->byteCount += clip->bytes.capacity;
	clip->number = clip->bytes.failed ? 0 : number;
	return clip->bytes.failed == false;
}

// The place of a thing; one of another generation there was before, and is not any more. NULL: no memory.
static pnThing* pnFindThing( pnAlbum* album, pnThings* things, uint32_t index, uint32_t generation, uint32_t number )
{
	enum { most = 1 << 24 };
	if ( index >= most )
	{
		return NULL;
	}
	if ( (int)index >= things->count )
	{
		int count = 2 * (int)index + 64;
		pnThing* list = realloc( things->list, (size_t)count * sizeof( pnThing ) );
		if ( list == NULL )
		{
			return NULL;
		}
		memset( list + things->count, 0, (size_t)( count - things->count ) * sizeof( pnThing ) );
		things->list = list;
		things->count = count;
	}
	pnThing* thing = things->list + index;
	if ( thing->born == 0 || thing->generation != generation )
	{
		pnEmptyThing( album, thing );
		*thing = ( pnThing ){ .index = index, .generation = generation, .born = number };
	}
	return thing;
}

static void pnEndThing( pnAlbum* album, pnThings* things, pnSection kind, uint32_t index, uint32_t generation )
{
	pnThing* thing = index < (uint32_t)things->count ? things->list + index : NULL;
	if ( thing == NULL || thing->born == 0 || thing->generation != generation )
	{
		return;
	}
	pnEnded* place = album->ended + album->endedCount++ % PN_MAX_ENDED;
	album->fresh = place->number > album->fresh ? place->number : album->fresh; // who does not know yet that the eldest is gone will not be told
	*place = ( pnEnded ){ kind, index, generation, thing->born, album->number };
	pnEmptyThing( album, thing );
}

static bool pnAddSection( pnAlbum* album, const uint8_t* section, size_t size )
{
	uint32_t number = album->number;
	pnSection kind = (pnSection)pnGetWord( section );
	pnClip* clip = NULL;
	if ( kind == pn_sceneSection || kind == pn_handsSection || kind == pn_contactsSection || kind == pn_metersSection )
	{
		clip = kind == pn_sceneSection ? &album->scene : kind == pn_handsSection ? &album->hands : kind == pn_contactsSection ? &album->contacts : &album->meters;
		return pnSetClip( album, clip, section, size, number );
	}
	if ( size < PN_SECTION_HEAD + 8 )
	{
		return true; // nothing that is known here
	}
	uint32_t index = pnGetWord( section + PN_SECTION_HEAD ), generation = pnGetWord( section + PN_SECTION_HEAD + 4 );
	switch ( kind )
	{
	case pn_goneSection:
		pnEndThing( album, &album->bodies, kind, index, generation );
		return true;
	case pn_shapeGoneSection:
		pnEndThing( album, &album->shapes, kind, index, generation );
		return true;
	case pn_answerSection:
	case pn_pickSection:
	{
		unsigned place = album->replyCount++ % PN_MAX_REPLIES;
		album->replies[place].owner = index; // that is what comes first there
		return pnSetClip( album, &album->replies[place].clip, section, size, number );
	}
	case pn_bodySection:
	case pn_materialSection:
	case pn_motionSection:
	{
		pnThing* thing = pnFindThing( album, &album->bodies, index, generation, number );
		return thing != NULL && pnSetClip( album, thing->clips + ( kind == pn_bodySection ? 0 : kind == pn_materialSection ? 1 : 2 ), section, size, number );
	}
	case pn_shapeSection:
	case pn_shapeMotionSection:
	{
		pnThing* thing = pnFindThing( album, &album->shapes, index, generation, number );
		return thing != NULL && pnSetClip( album, thing->clips + ( kind == pn_shapeSection ? 0 : 1 ), section, size, number );
	}
	default:
		return true;
	}
}

bool pnAlbum_Add( pnAlbum* album, const uint8_t* frame, size_t size )
{
	bool good = size >= PN_FRAME_HEAD;
	if ( good )
	{
		memcpy( album->head, frame, PN_FRAME_HEAD );
		album->number += 1;
	}
	if ( good && ( pnGetWord( frame + 28 ) & PN_FRESH_FRAME ) != 0 )
	{
		pnEmptyThings( album, &album->bodies );
		pnEmptyThings( album, &album->shapes );
		album->fresh = album->number;
	}
	for ( size_t at = PN_FRAME_HEAD; at < size && good; )
	{
		size_t left = size - at, length = left >= PN_SECTION_HEAD ? PN_SECTION_HEAD + (size_t)pnGetWord( frame + at + 4 ) : SIZE_MAX;
		good = length <= left && pnAddSection( album, frame + at, length );
		at += good ? length : 0;
	}
	if ( good == false )
	{
		pnEmptyThings( album, &album->bodies );
		pnEmptyThings( album, &album->shapes );
		album->fresh = UINT32_MAX; // until everything has come anew
	}
	return good;
}

// ---- for one who watches ----

static void pnPutClip( pnBytes* bytes, const pnClip* clip, uint32_t after )
{
	if ( clip->number > after )
	{
		pnPutBytes( bytes, clip->bytes.data, clip->bytes.size );
	}
}

static void pnPutThings( pnBytes* bytes, const pnThings* things, uint32_t after )
{
	for ( int i = 0; i < things->count; ++i )
	{
		for ( int k = 0; k < 3 && things->list[i].born != 0; ++k )
		{
			pnPutClip( bytes, things->list[i].clips + k, after );
		}
	}
}

static void pnPutEnded( pnBytes* bytes, const pnAlbum* album, uint32_t after )
{
	unsigned first = album->endedCount > PN_MAX_ENDED ? album->endedCount - PN_MAX_ENDED : 0;
	for ( unsigned i = first; i < album->endedCount; ++i )
	{
		const pnEnded* one = album->ended + i % PN_MAX_ENDED;
		if ( one->number > after && one->born <= after )
		{
			size_t begin = pnBeginSection( bytes, one->kind );
			pnPutWord( bytes, one->index );
			pnPutWord( bytes, one->generation );
			pnEndSection( bytes, begin );
		}
	}
}

static void pnPutReplies( pnBytes* bytes, const pnAlbum* album, uint32_t after, uint32_t owner )
{
	unsigned first = album->replyCount > PN_MAX_REPLIES ? album->replyCount - PN_MAX_REPLIES : 0;
	for ( unsigned i = first; i < album->replyCount; ++i )
	{
		if ( album->replies[i % PN_MAX_REPLIES].owner == owner )
		{
			pnPutClip( bytes, &album->replies[i % PN_MAX_REPLIES].clip, after );
		}
	}
}

void pnAlbum_Write( const pnAlbum* album, pnShown shown, uint32_t number, uint32_t owner, pnBytes* bytes )
{
	bool isFresh = shown.frame < album->fresh || shown.frame == 0;
	uint32_t after = isFresh ? 0 : shown.frame;
	size_t begin = bytes->size;
	pnPutBytes( bytes, album->head, PN_FRAME_HEAD );
	pnPutClip( bytes, &album->scene, after );
	if ( isFresh == false )
	{
		pnPutEnded( bytes, album, after );
	}
	pnPutThings( bytes, &album->bodies, after );
	pnPutThings( bytes, &album->shapes, after );
	pnPutClip( bytes, &album->hands, after );
	pnPutClip( bytes, &album->contacts, album->number - 1 ); // only those of now
	pnPutReplies( bytes, album, shown.answers, owner );
	pnPutClip( bytes, &album->meters, after );
	if ( bytes->failed == false )
	{
		uint8_t* head = bytes->data + begin;
		uint32_t flags = ( pnGetWord( album->head + 28 ) & ~(uint32_t)PN_FRESH_FRAME ) | ( isFresh ? PN_FRESH_FRAME : 0u ), size = (uint32_t)( bytes->size - begin );
		memcpy( head + 4, &size, sizeof( size ) ); // little endian, as all that is supported
		memcpy( head + 8, &number, sizeof( number ) );
		memcpy( head + 28, &flags, sizeof( flags ) );
	}
}
