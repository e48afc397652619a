// hello.c - a jelly cube from bare points is flicked at a corner: it flies off, turns and wobbles.
#include <pliant/pliant.h>
#include <stdio.h>

int main( void )
{
	// The rest shape: 6 x 6 x 6 points, 10 cm apart. Nothing says which point is next to which.
	pnVec3 points[216];
	for ( int i = 0; i < 216; ++i )
	{
		points[i] = pnMakeVec3( 0.1f * ( i % 6 ), 0.1f * ( i / 6 % 6 ), 0.1f * ( i / 36 ) );
	}
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = points;
	solidDef.pointCount = 216;
	pnSolid* solid;
	if ( pnCreateSolid( &solidDef, &solid ) != pn_success )
	{
		return 1;
	}
	pnSolidInfo info = pnSolid_GetInfo( solid );
	printf( "%d points, %d clusters, %.0f kg\n", info.pointCount, info.clusterCount, info.mass );

	// The world it lives in, and a body made of it.
	pnWorldDef worldDef = pnDefaultWorldDef();
	worldDef.gravity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
	pnWorld* world;
	pnBodyDef bodyDef = pnDefaultBodyDef();
	bodyDef.solid = solid;
	pnFindMaterial( "jelly", &bodyDef.material );
	pnBodyId body;
	if ( pnCreateWorld( &worldDef, &world ) != pn_success || pnCreateBody( world, &bodyDef, &body ) != pn_success )
	{
		return 1;
	}
	pnDestroySolid( solid ); // the body keeps it

	pnBody_ApplyImpulseAt( world, body, 215, pnMakeVec3( 0.0f, 50.0f, 0.0f ) ); // 50 N s upwards, on the last point
	for ( int frame = 1; frame <= 60; ++frame )
	{
		pnWorld_Step( world, 1.0f / 60.0f, 2 );
		if ( frame % 12 == 0 )
		{
			pnBodyState state;
			pnBody_GetState( world, body, &state );
			printf( "%.1f s: height %.2f m, stretch %.2f to %.2f, momentum %.1f kg m/s\n", frame / 60.0,
					state.center.y, state.minStretch, state.maxStretch, state.momentum.y );
		}
	}
	pnDestroyWorld( world );
	return 0;
}
