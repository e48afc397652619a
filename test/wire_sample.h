// wire_sample.h - one frame with one of almost everything, by fixed numbers: the bytes both decoders are tested with. Knows the wire, no rooms.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "wire.h"

// Renew test/wire/frame_1.bin with: pliant_test --wire-sample > test/wire/frame_1.bin. Another version of the wire needs another file.
static inline void pnWriteWireSample( pnBytes* bytes )
{
	const pnFrameHead head = { .number = 42, .step = 1000, .time = 12.5f, .rate = 60.0f, .substeps = 4, .flags = PN_FRESH_FRAME };
	pnBeginFrame( bytes, &head );
	const pnSceneView view = { { 1.0f, 2.0f, 3.0f }, 25.0f, 20.0f, 5.5f, -0.25f };
	pnPutScene( bytes, "sample", &view, pnMakeVec3( 0.0f, -9.75f, 0.0f ) );
	const int32_t triangles[6] = { 0, 1, 2, 0, 2, 3 }, materials[2] = { 0, 1 };
	const pnPart part = { 4, 2, { 0xff0000, 0x00ff00, 0x0000ff, 0x123456 }, triangles, materials };
	const pnBodyId body = { 7, 3 }, from = { 5, 1 };
	pnPutBody( bytes, body, from, 125, &part, 1 );
	const pnVec3 positions[4] = { { 0.0f, 1.0f, 2.0f }, { 2.0f, 1.0f, 2.0f }, { 2.0f, 3.0f, 2.0f }, { 0.0f, 3.0f, 2.5f } };
	const pnVec3 normals[4] = { { 0.0f, 0.0f, 1.0f }, { 0.0f, 0.0f, -1.0f }, { 1.0f, 0.0f, 0.0f }, { 0.0f, -1.0f, 0.0f } };
	const uint8_t shades[4] = { 0, 64, 128, 255 };
	pnPutMotion( bytes, body, &part, 1, positions, normals, shades );
	const pnHand hand = { 10, 2, body, { 0.5f, 1.5f, 2.5f }, { 1.0f, 2.0f, 3.0f }, { 0.0f, 9.0f, 0.0f }, true };
	pnPutHands( bytes, &hand, 1 );
	// Of a later version: to be passed over.
	size_t begin = pnBeginSection( bytes, (pnSection)999 );
	pnPutText( bytes, "what is this?" );
	pnEndSection( bytes, begin );
	begin = pnBeginSection( bytes, pn_answerSection );
	pnPutWord( bytes, 10 );
	pnPutWord( bytes, 77 );
	pnPutWord( bytes, 1 );
	pnPutText( bytes, "nothing was cut" );
	pnEndSection( bytes, begin );
	begin = pnBeginSection( bytes, pn_pickSection );
	pnPutWord( bytes, 10 );
	pnPutWord( bytes, 78 );
	pnPutWord( bytes, 1 );
	pnPutBodyId( bytes, body );
	pnPutVec3( bytes, positions[1] );
	pnPutVec3( bytes, normals[0] );
	pnEndSection( bytes, begin );
	pnEndFrame( bytes );
}
