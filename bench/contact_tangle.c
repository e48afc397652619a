// contact_tangle.c - rows about bodies that lie in each other, by birth or by force. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "contact_rows.h"

#include "../scenes/shape.h"

#include <math.h>

// ---- overlapped starts ----

// Two bodies begin in each other, weightless and alone: they come apart gently and whole.
void pnRunOverlapped( pnContactCase* c )
{
	int presetCount;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	const char* preset = presets[( c->seed - 1 ) % presetCount];
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.hasFloor = false;
	def.gravity = 0.0f;
	def.enableSleep = false;
	def.substeps = 1 << pnDrawInt( &c->random, 4 );
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	float shift = pnDrawFloat( &c->random, 0.05f, 0.45f ); // metres between the centres
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyDef body = pnHeapStock_Draw( c->stock, &c->random );
		body.material = pnGetPreset( preset );
		body.transform.q = pnDrawTurn( &c->random );
		pnVec3 aside = pnRotate( pnDrawTurn( &c->random ), pnMakeVec3( shift, 0.0f, 0.0f ) );
		body.transform.p = i == 0 ? pnMakeVec3( 0.0f, 0.0f, 0.0f ) : aside;
		pnContactScene_Add( &scene, &body );
	}
	double widest = 1.0, speed = 0.0;
	bool isDone = scene.result == pn_success;
	for ( int frame = 1; frame <= 5 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		widest = pnContactScene_GetWidest( &scene, widest );
		speed = fmax( speed, pnContactScene_Look( &scene ).speed );
	}
	if ( isDone )
	{
		pnCheckResult inside = pnContactScene_Check( &scene );
		pnDescribe( c, "%d and %d points of %s, %.2f m apart, %d substeps, then %.2g of a size deep", scene.bodies[0].pointCount,
					scene.bodies[1].pointCount, preset, (double)shift, def.substeps, inside.maxShare );
		pnScoreWorst( c, "speed", speed, "m/s", pnAtMost( 2.0 ) );
		pnScoreWorst( c, "diameter", widest, "of rest", pnAtMost( 1.5 ) );
		pnScoreShare( c, "apart", inside.deepCount == 0 && inside.isBroken == false, 100.0 );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
}
