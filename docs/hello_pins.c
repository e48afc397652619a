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
	pnSolid* solid;
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world;
	if ( pnCreateSolid( &solidDef, &solid ) != pn_success || pnCreateWorld( &worldDef, &world ) != pn_success )
	{
		return 1;
	}

	static const char* const names[] = { "flesh", "rubber", "wood" };
	pnBodyId bodies[3];
	int32_t held[HELD] = { 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	pnVec3 targets[HELD];
	for ( int b = 0; b < 3; ++b )
	{
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.solid = solid; // one solid for all of them
		bodyDef.transform.p.z = (float)b;
		pnFindMaterial( names[b], &bodyDef.material );
		if ( pnCreateBody( world, &bodyDef, bodies + b ) != pn_success )
		{
			return 1;
		}
		pnBody_Pin( world, bodies[b], held, NULL, HELD ); // held where they are
	}
	for ( int frame = 1; frame <= 660; ++frame )
	{
		for ( int b = 0; b < 3 && frame > 600; ++b ) // the last second: half a metre up
		{
			for ( int i = 0; i < HELD; ++i )
			{
				targets[i] = pnAdd( points[i], pnMakeVec3( 0.0f, 0.5f * ( frame - 600 ) / 60.0f, (float)b ) );
			}
			pnBody_Pin( world, bodies[b], held, targets, HELD );
		}
		pnWorld_Step( world, 1.0f / 60.0f, 4 );
		for ( int b = 0; b < 3 && frame % 60 == 0 && frame >= 600; ++b )
		{
			pnVec3 now[COUNT];
			pnBody_WritePoints( world, bodies[b], now, NULL, COUNT );
			printf( "%2d s, %-6s held end at %2.0f cm, free end at %3.0f cm\n", frame / 60, names[b], 100.0f * now[0].y,
					100.0f * now[COUNT - 9].y );
		}
	}

	// A material can be read, changed and set at any time: flesh that hardens.
	pnMaterial material;
	pnBody_GetMaterial( world, bodies[0], &material );
	material.hertz = 30.0f;
	material.stretch = 0.0f;
	material.dampingRatio = 1.0f;
	pnBody_SetMaterial( world, bodies[0], &material );
	for ( int frame = 1; frame <= 120; ++frame )
	{
		pnWorld_Step( world, 1.0f / 60.0f, 4 );
	}
	pnVec3 now[COUNT];
	pnBody_WritePoints( world, bodies[0], now, NULL, COUNT );
	printf( "13 s, the first is hard now, its free end at %.0f cm\n", 100.0f * now[COUNT - 9].y );
	pnDestroySolid( solid );
	pnDestroyWorld( world );
	return 0;
}
