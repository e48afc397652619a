// contact_motion.c - rows about what moves: energy in a closed box. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "contact_rows.h"

#include "../scenes/shape.h"

#include <math.h>

// ---- energy in a closed box ----

// Without damping, friction and gravity the energy of what bounces about may only fall.
void pnRunBox( pnContactCase* c )
{
	const int stepCount = c->quick ? 4000 : 100000; // substeps
	const float speed = 3.0f; // m/s along each axis, at most
	int presetCount, index = c->seed - 1;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	const char* preset = presets[index % presetCount];
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.enableSleep = false;
	def.gravity = 0.0f;
	def.friction = 0.0f;
	def.wall = 1.1f;
	def.lid = 2.2f;
	def.substeps = 1 << ( index + index / presetCount ) % 4; // every preset meets 1, 2, 4 and 8 in 32 cases
	bool isBall = index / 32 % 2 == 0;
	pnDescribe( c, "8 %s of %s, %d substeps", isBall ? "ellipsoids" : "cubes", preset, def.substeps );

	pnSolid* solid = NULL;
	c->result = isBall ? pnCreateEllipsoid( pnMakeVec3( 0.4f, 0.3f, 0.4f ), 131, 0, &solid )
					   : pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &solid );
	if ( c->result != pn_success )
	{
		return;
	}
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	for ( int i = 0; i < 8; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = solid;
		body.material = pnGetPreset( preset );
		body.material.dampingRatio = 0.0f;
		body.material.friction = 0.0f;
		body.transform.p = pnMakeVec3( ( i & 1 ) != 0 ? 0.55f : -0.55f, ( i & 2 ) != 0 ? 1.65f : 0.55f, ( i & 4 ) != 0 ? 0.55f : -0.55f );
		body.transform.q = pnDrawTurn( &c->random );
		body.velocity = pnDrawVec3( &c->random, speed );
		pnContactScene_Add( &scene, &body );
	}
	double start = 0.0, lowest = 0.0, most = 0.0, rise = 0.0, end = 0.0;
	bool isDone = true;
	int frameCount = stepCount / def.substeps;
	for ( int frame = 1; frame <= frameCount && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		pnContactLook look = pnContactScene_Look( &scene );
		end = look.kinetic + look.elastic;
		start = frame == 1 ? end : start;
		lowest = frame == 1 || end < lowest ? end : lowest;
		most = fmax( most, end );
		rise = fmax( rise, end - lowest );
	}
	if ( isDone )
	{
		pnScoreWorst( c, "growth", 100.0 * ( most / start - 1.0 ), "% of start", pnAtMost( 1.0 ) );
		pnScoreWorst( c, "rise", 100.0 * rise / start, "% of start", pnAtMost( 1.0 ) );
		pnScoreWorst( c, "end", 100.0 * end / start, "% of start", pn_noContactBar );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
	pnDestroySolid( solid );
}
