// main.c - a stranger's program: four points fall for a second. Knows only what is installed.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include <pliant/pliant.h>
#include <stdio.h>

int main( void )
{
	pnVec3 points[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = points;
	solidDef.pointCount = 4;
	pnSolid* solid = NULL;
	pnWorldDef worldDef = pnDefaultWorldDef();
	worldDef.gravity = pnMakeVec3( 0.0f, -10.0f, 0.0f );
	worldDef.tasks.workerCount = 2; // needs the thread library, also when linked statically
	pnWorld* world = NULL;
	if ( pnCreateSolid( &solidDef, &solid ) != pn_success || pnCreateWorld( &worldDef, &world ) != pn_success )
	{
		return 1;
	}
	pnBodyDef bodyDef = pnDefaultBodyDef();
	bodyDef.solid = solid;
	pnBodyId body;
	if ( pnCreateBody( world, &bodyDef, &body ) != pn_success )
	{
		return 1;
	}
	pnDestroySolid( solid );
	for ( int i = 0; i < 60; ++i )
	{
		pnWorld_Step( world, 1.0f / 60.0f, 1 );
	}
	pnVec3 positions[4];
	int count = pnBody_WritePoints( world, body, positions, NULL, 4 );
	pnDestroyWorld( world );
	printf( "%d points, fallen to %.2f m\n", count, positions[0].y );
	return count == 4 && positions[0].y < -4.5f && positions[0].y > -5.5f && pnGetByteCount() == 0 ? 0 : 1;
}
