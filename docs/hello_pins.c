// hello_pins.c - bars of several materials, held at one end: they sag; then the hand that holds them goes up.
#include <pliant/pliant.h>
#include <stdio.h>

enum { LENGTH = 11, COUNT = LENGTH * 9, HELD = 9 };

int main( void )
{
	pnVec3 points[COUNT];
	for ( int i = 0; i < COUNT; ++i )
	{
		points[i] = pnMakeVec3( 0.1f * ( i / 9 ), 0.1f * ( i / 3 % 3 ), 0.1f * ( i % 3 ) ); // the first nine are one end
	}
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = points;
	solidDef.pointCount = COUNT;
	solidDef.clusters.kind = pn_countClusters;
	solidDef.clusters.count = 5; // more clusters bend more locally, and are softer
	pnSolid* solid;
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world;
	if ( pnCreateSolid( &solidDef, &solid ) != pn_success || pnCreateWorld( &worldDef, &world ) != pn_success )
	{
		return 1;
	}

	static const char* const names[] = { "jelly", "flesh", "rubber", "wood" };
	pnBodyId bodies[4];
	int32_t held[HELD];
	pnVec3 targets[HELD];
	for ( int b = 0; b < 4; ++b )
	{
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.solid = solid; // one solid for all of them
		bodyDef.transform.p.z = (float)b;
		if ( pnFindMaterial( names[b], &bodyDef.material ) != pn_success || pnCreateBody( world, &bodyDef, bodies + b ) != pn_success )
		{
			return 1;
		}
		for ( int i = 0; i < HELD; ++i )
		{
			held[i] = i;
		}
		pnBody_Pin( world, bodies[b], held, NULL, HELD ); // held where they are
	}
	for ( int frame = 1; frame <= 360; ++frame )
	{
		for ( int b = 0; b < 4 && frame > 300; ++b ) // the last second: half a metre up
		{
			for ( int i = 0; i < HELD; ++i )
			{
				targets[i] = pnAdd( points[i], pnMakeVec3( 0.0f, 0.5f * ( frame - 300 ) / 60.0f, (float)b ) );
			}
			pnBody_Pin( world, bodies[b], held, targets, HELD );
		}
		pnWorld_Step( world, 1.0f / 60.0f, 4 );
		for ( int b = 0; b < 4 && frame % 180 == 0; ++b )
		{
			pnVec3 now[COUNT];
			pnBody_WritePoints( world, bodies[b], now, NULL, COUNT );
			printf( "%d s, %-6s  held end %.2f m, free end %.2f m\n", frame / 60, names[b], now[0].y, now[COUNT - 9].y );
		}
	}

	// A material can be changed at any time.
	pnMaterial material;
	pnBody_GetMaterial( world, bodies[0], &material );
	material.hertz *= 2.0f;
	material.dampingRatio = 1.0f;
	pnBody_SetMaterial( world, bodies[0], &material );
	pnDestroySolid( solid );
	pnDestroyWorld( world );
	return 0;
}
