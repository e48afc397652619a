// wire.h - the bytes of a frame, section by section: docs/wire.md. Knows no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "scenes.h"
#include "shape.h"

typedef struct pnBytes { uint8_t* data; size_t size, capacity; bool failed; } pnBytes; // zero: empty. Give data to free

typedef enum pnSection
{
	pn_sceneSection = 1,
	pn_bodySection,
	pn_goneSection,
	pn_materialSection,
	pn_motionSection,
	pn_shapeSection,
	pn_shapeGoneSection,
	pn_shapeMotionSection,
	pn_handsSection,
	pn_contactsSection,
	pn_answerSection,
	pn_pickSection,
	pn_metersSection,
} pnSection;

enum
{
	PN_FRESH_FRAME = 1, // forget all that came before
	PN_STILL_FRAME = 2, // the scene's own hands do nothing
	PN_STATIC_FRAME = 4, // a baked response: no time, no commands but those of hands
};

#define PN_MAX_CONTACTS 512 // in a frame
typedef struct pnFrameHead { uint32_t number, step; float time, rate; uint32_t substeps, flags; } pnFrameHead;
// What of a body is drawn. Triangles of material m, taken modulo 4, have colors[m]; without triangles its vertices are points.
typedef struct pnPart { int vertexCount, triangleCount; uint32_t colors[4]; const int32_t* triangles; const int32_t* materials; } pnPart;
typedef struct pnHand
{
	uint32_t owner, number;
	pnBodyId body;
	pnVec3 place, target, force;
	bool locked;
} pnHand;

// All append; one that finds no memory sets `failed`, and then none of them does anything.
void pnBeginFrame( pnBytes* bytes, const pnFrameHead* head ); // instead of what is there
void pnEndFrame( pnBytes* bytes );
size_t pnBeginSection( pnBytes* bytes, pnSection kind ); // returns what the end needs
void pnEndSection( pnBytes* bytes, size_t begin );
void pnPutScene( pnBytes* bytes, const char* name, const pnSceneView* view, pnVec3 gravity );
void pnPutBody( pnBytes* bytes, pnBodyId body, pnBodyId from, int pointCount, const pnPart* parts, int partCount );
// Vertices of all parts one after another. shades NULL: none.
void pnPutMotion( pnBytes* bytes, pnBodyId body, const pnPart* parts, int partCount, const pnVec3* positions, const pnVec3* normals,
				  const uint8_t* shades );
void pnPutHands( pnBytes* bytes, const pnHand* hands, int count );
void pnPutMaterial( pnBytes* bytes, pnBodyId body, const pnMaterial* material );
void pnPutTouches( pnBytes* bytes, const pnWorld* world ); // what touches now, the first PN_MAX_CONTACTS of them
void pnPutShape( pnBytes* bytes, pnShapeId shape, const pnShapeDef* def, pnTransform transform, const pnSceneMesh* mesh ); // mesh NULL: none

uint8_t* pnExtendBytes( pnBytes* bytes, size_t count ); // so many bytes more, to be written; NULL: no memory
void pnPutBytes( pnBytes* bytes, const void* data, size_t count );
void pnPad( pnBytes* bytes ); // zeros up to a multiple of four
void pnPutWord( pnBytes* bytes, uint32_t value );
void pnPutFloat( pnBytes* bytes, float value );
void pnPutVec3( pnBytes* bytes, pnVec3 value );
void pnPutBodyId( pnBytes* bytes, pnBodyId body );
void pnPutTransform( pnBytes* bytes, pnTransform transform );
void pnPutText( pnBytes* bytes, const char* text );
