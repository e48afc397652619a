// wire.c - the bytes of a frame, section by section: docs/wire.md. Knows no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "wire.h"

#include "command.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Little endian as every machine that pliant is built for; a build elsewhere must not pretend.
_Static_assert( __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the wire is little endian, and numbers are copied as they lie" );

uint8_t* pnExtendBytes( pnBytes* bytes, size_t count )
{
	if ( bytes->failed == false && bytes->size + count > bytes->capacity )
	{
		size_t capacity = 2 * ( bytes->size + count ) + 1024;
		uint8_t* data = realloc( bytes->data, capacity );
		bytes->failed = data == NULL;
		bytes->data = data != NULL ? data : bytes->data;
		bytes->capacity = data != NULL ? capacity : bytes->capacity;
	}
	if ( bytes->failed )
	{
		return NULL;
	}
	bytes->size += count;
	return bytes->data + bytes->size - count;
}

void pnPutBytes( pnBytes* bytes, const void* data, size_t count )
{
	uint8_t* to = pnExtendBytes( bytes, count );
	if ( to != NULL && count > 0 )
	{
		memcpy( to, data, count );
	}
}

void pnPad( pnBytes* bytes )
{
	const uint8_t zeros[4] = { 0 };
	pnPutBytes( bytes, zeros, ( 4 - bytes->size % 4 ) % 4 );
}

void pnPutWord( pnBytes* bytes, uint32_t value ) { pnPutBytes( bytes, &value, 4 ); }
void pnPutFloat( pnBytes* bytes, float value ) { pnPutBytes( bytes, &value, 4 ); }
void pnPutVec3( pnBytes* bytes, pnVec3 value ) { pnPutBytes( bytes, &value, 12 ); }
void pnPutBodyId( pnBytes* bytes, pnBodyId body )
{
	pnPutWord( bytes, (uint32_t)body.index1 );
	pnPutWord( bytes, body.generation );
}

void pnPutText( pnBytes* bytes, const char* text )
{
	pnPutWord( bytes, (uint32_t)strlen( text ) );
	pnPutBytes( bytes, text, strlen( text ) );
	pnPad( bytes );
}

// ---- the whole ----

void pnBeginFrame( pnBytes* bytes, const pnFrameHead* head )
{
	bytes->size = 0;
	bytes->failed = false;
	pnPutBytes( bytes, "pnF\1", 4 );
	pnPutWord( bytes, 0 ); // its size, once it is known
	pnPutWord( bytes, head->number );
	pnPutWord( bytes, head->step );
	pnPutFloat( bytes, head->time );
	pnPutFloat( bytes, head->rate );
	pnPutWord( bytes, head->substeps );
	pnPutWord( bytes, head->flags );
}

void pnEndFrame( pnBytes* bytes )
{
	uint32_t size = (uint32_t)bytes->size;
	if ( bytes->failed == false )
	{
		memcpy( bytes->data + 4, &size, 4 );
	}
}

size_t pnBeginSection( pnBytes* bytes, pnSection kind )
{
	pnPutWord( bytes, (uint32_t)kind );
	pnPutWord( bytes, 0 );
	return bytes->size;
}

void pnEndSection( pnBytes* bytes, size_t begin )
{
	pnPad( bytes );
	uint32_t size = (uint32_t)( bytes->size - begin );
	if ( bytes->failed == false )
	{
		memcpy( bytes->data + begin - 4, &size, 4 );
	}
}

// ---- sections ----

void pnPutScene( pnBytes* bytes, const char* name, const pnSceneView* view, pnVec3 gravity )
{
	size_t begin = pnBeginSection( bytes, pn_sceneSection );
	pnPutVec3( bytes, view->target );
	pnPutFloat( bytes, view->azimuth );
	pnPutFloat( bytes, view->elevation );
	pnPutFloat( bytes, view->distance );
	pnPutFloat( bytes, view->ground );
	pnPutVec3( bytes, gravity );
	pnPutText( bytes, name );
	pnEndSection( bytes, begin );
}

void pnPutBody( pnBytes* bytes, pnBodyId body, pnBodyId from, int pointCount, const pnPart* parts, int partCount )
{
	size_t begin = pnBeginSection( bytes, pn_bodySection );
	pnPutBodyId( bytes, body );
	pnPutBodyId( bytes, from );
	pnPutWord( bytes, (uint32_t)pointCount );
	pnPutWord( bytes, (uint32_t)partCount );
	for ( int i = 0; i < partCount; ++i )
	{
		const pnPart* part = parts + i;
		pnPutWord( bytes, (uint32_t)part->vertexCount );
		pnPutWord( bytes, (uint32_t)part->triangleCount );
		pnPutBytes( bytes, part->colors, 16 );
		pnPutBytes( bytes, part->triangles, 12 * (size_t)part->triangleCount );
		uint8_t* numbers = pnExtendBytes( bytes, (size_t)part->triangleCount );
		for ( int k = 0; k < part->triangleCount && numbers != NULL; ++k )
		{
			numbers[k] = part->materials != NULL ? (uint8_t)( part->materials[k] & 3 ) : 0;
		}
		pnPad( bytes );
	}
	pnEndSection( bytes, begin );
}

// One scale for all axes: a viewer then only moves and scales what it gets, and normals stay right.
static float pnBoundAll( const pnVec3* positions, int count, pnVec3* origin )
{
	pnVec3 lower = count > 0 ? positions[0] : pnMakeVec3( 0.0f, 0.0f, 0.0f ), upper = lower;
	for ( int i = 1; i < count; ++i )
	{
		lower = pnMin3( lower, positions[i] );
		upper = pnMax3( upper, positions[i] );
	}
	pnVec3 size = pnSub( upper, lower );
	float extent = size.x > size.y ? size.x : size.y;
	*origin = lower;
	return extent > size.z ? extent : size.z;
}

// Plain loops over floats, which compilers make wide.
static void pnQuantize( const float* values, int count, const float offset[3], float scale, uint16_t* out )
{
	for ( int i = 0; i < count; ++i )
	{
		for ( int a = 0; a < 3; ++a )
		{
			out[3 * i + a] = (uint16_t)(int32_t)( ( values[3 * i + a] - offset[a] ) * scale + 0.5f );
		}
	}
}

void pnPutMotion( pnBytes* bytes, pnBodyId body, const pnPart* parts, int partCount, const pnVec3* positions, const pnVec3* normals,
				  const uint8_t* shades )
{
	int total = 0;
	for ( int i = 0; i < partCount; ++i )
	{
		total += parts[i].vertexCount;
	}
	pnVec3 origin;
	float extent = pnBoundAll( positions, total, &origin );
	size_t begin = pnBeginSection( bytes, pn_motionSection );
	pnPutBodyId( bytes, body );
	pnPutVec3( bytes, origin );
	pnPutFloat( bytes, extent );
	pnPutWord( bytes, shades != NULL ? 1 : 0 );
	// -32767 to 32767 as 32767 more than nothing: one loop does both
	const float middle[3] = { -1.0f, -1.0f, -1.0f };
	const float lower[3] = { origin.x, origin.y, origin.z };
	for ( int i = 0, first = 0; i < partCount; first += parts[i].vertexCount, ++i )
	{
		int count = parts[i].vertexCount;
		uint8_t* to = pnExtendBytes( bytes, 6 * (size_t)count );
		if ( to != NULL )
		{
			pnQuantize( (const float*)( positions + first ), count, lower, extent > 0.0f ? 65535.0f / extent : 0.0f, (uint16_t*)to );
		}
		pnPad( bytes );
		to = pnExtendBytes( bytes, 6 * (size_t)count );
		if ( to != NULL )
		{
			uint16_t* out = (uint16_t*)to;
			pnQuantize( (const float*)( normals + first ), count, middle, 32767.0f, out );
			for ( int k = 0; k < 3 * count; ++k )
			{
				out[k] = (uint16_t)( out[k] - 32767 );
			}
		}
		pnPad( bytes );
		if ( shades != NULL )
		{
			pnPutBytes( bytes, shades + first, (size_t)count );
			pnPad( bytes );
		}
	}
	pnEndSection( bytes, begin );
}

void pnPutHands( pnBytes* bytes, const pnHand* hands, int count )
{
	size_t begin = pnBeginSection( bytes, pn_handsSection );
	pnPutWord( bytes, (uint32_t)count );
	for ( int i = 0; i < count; ++i )
	{
		pnPutWord( bytes, hands[i].owner );
		pnPutWord( bytes, hands[i].number );
		pnPutBodyId( bytes, hands[i].body );
		pnPutVec3( bytes, hands[i].place );
		pnPutVec3( bytes, hands[i].target );
		pnPutVec3( bytes, hands[i].force );
		pnPutWord( bytes, hands[i].locked ? 1 : 0 );
	}
	pnEndSection( bytes, begin );
}

void pnPutMaterial( pnBytes* bytes, pnBodyId body, const pnMaterial* material )
{
	size_t begin = pnBeginSection( bytes, pn_materialSection );
	pnPutBodyId( bytes, body );
	for ( int i = 0; pnGetMaterialField( i ) != NULL; ++i )
	{
		const pnMaterialField* field = pnGetMaterialField( i );
		float value = field->kind == pn_modeField ? (float)material->mode : (float)material->cap;
		if ( field->kind == pn_floatField )
		{
			memcpy( &value, (const char*)material + field->offset, sizeof( value ) );
		}
		pnPutFloat( bytes, value );
	}
	pnEndSection( bytes, begin );
}

void pnPutTouches( pnBytes* bytes, const pnWorld* world )
{
	pnContactEvents events = pnWorld_GetContactEvents( world );
	int count = events.contactCount < PN_MAX_CONTACTS ? events.contactCount : PN_MAX_CONTACTS;
	size_t begin = pnBeginSection( bytes, pn_contactsSection );
	pnPutWord( bytes, (uint32_t)count );
	for ( int i = 0; i < count; ++i )
	{
		const pnContact* contact = events.contacts + i;
		pnPutVec3( bytes, contact->position );
		pnPutVec3( bytes, contact->normal );
		pnPutFloat( bytes, sqrtf( pnDot( contact->impulse, contact->impulse ) ) );
		pnPutFloat( bytes, contact->depth );
	}
	pnEndSection( bytes, begin );
}

void pnPutTransform( pnBytes* bytes, pnTransform transform )
{
	pnPutVec3( bytes, transform.p );
	pnPutBytes( bytes, &transform.q, 16 );
}

void pnPutShape( pnBytes* bytes, pnShapeId shape, const pnShapeDef* def, pnTransform transform, const pnSceneMesh* mesh )
{
	size_t begin = pnBeginSection( bytes, pn_shapeSection );
	pnPutWord( bytes, (uint32_t)shape.index1 );
	pnPutWord( bytes, shape.generation );
	pnPutWord( bytes, (uint32_t)def->kind );
	pnPutWord( bytes, def->owner );
	pnPutWord( bytes, def->userData != 0 ? pnUnpackColor( def->userData, 0 ) : def->kind == pn_planeShape ? 0xd4d7da : 0xa9b0b8 );
	pnPutWord( bytes, (uint32_t)( def->userData >> 32 ) );
	pnPutTransform( bytes, transform );
	int vertexCount = mesh != NULL ? mesh->vertexCount : 0, triangleCount = mesh != NULL ? mesh->triangleCount : 0;
	pnPutWord( bytes, (uint32_t)vertexCount );
	pnPutWord( bytes, (uint32_t)triangleCount );
	if ( mesh != NULL )
	{
		pnPutBytes( bytes, mesh->vertices, 12 * (size_t)vertexCount );
		pnPutBytes( bytes, mesh->normals, 12 * (size_t)vertexCount );
		pnPutBytes( bytes, mesh->triangles, 12 * (size_t)triangleCount );
	}
	pnEndSection( bytes, begin );
}
