// contact.c - a rubber cube falls on a floor, a second one on it; who touches whom is told, and a ray looks for the top.
#include <pliant/pliant.h>
#include <stdio.h>

enum { EDGE = 5, COUNT = EDGE * EDGE * EDGE };

int main( void )
{
	pnVec3 points[COUNT]; // a cube of half a metre about the origin. Bare points will do: a surface is made over them
	for ( int i = 0; i < COUNT; ++i )
	{
		points[i] = pnMakeVec3( 0.125f * ( i % EDGE - 2 ), 0.125f * ( i / EDGE % EDGE - 2 ), 0.125f * ( i / ( EDGE * EDGE ) - 2 ) );
	}
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = points;
	solidDef.pointCount = COUNT;
	pnSolid* solid;
	pnWorldDef worldDef = pnDefaultWorldDef();
	worldDef.enableSleep = false; // so that the floor goes on telling what it carries
	pnWorld* world;
	if ( pnCreateSolid( &solidDef, &solid ) != pn_success || pnCreateWorld( &worldDef, &world ) != pn_success )
	{
		return 1;
	}
	pnShapeDef floorDef = pnDefaultShapeDef(); // a plane, y = 0
	floorDef.friction = 0.8f;
	pnShapeId floor;
	if ( pnCreateShape( world, &floorDef, &floor ) != pn_success )
	{
		return 1;
	}
	pnBodyId bodies[2];
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		pnFindMaterial( "rubber", &def.material );
		def.material.dampingRatio = 0.5f;
		def.transform.p = pnMakeVec3( 0.0f, 0.6f + 0.8f * i, 0.0f );
		def.userData = 1 + i;
		if ( pnCreateBody( world, &def, bodies + i ) != pn_success )
		{
			return 1;
		}
	}
	pnDestroySolid( solid );

	for ( int frame = 1; frame <= 180; ++frame )
	{
		pnWorld_Step( world, 1.0f / 60.0f, 4 );
		pnContactEvents events = pnWorld_GetContactEvents( world );
		for ( int i = 0; i < events.begunCount && frame < 60; ++i )
		{
			pnTouch touch = events.begun[i];
			int a = (int)pnBody_GetUserData( world, touch.a ), b = (int)pnBody_GetUserData( world, touch.b ); // 0: no such body
			if ( b == 0 )
			{
				printf( "%.2f s: cube %d meets the floor\n", frame / 60.0, a );
			}
			else
			{
				printf( "%.2f s: cube %d meets cube %d\n", frame / 60.0, a, b );
			}
		}
	}

	float weight = 0.0f; // N
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyState state;
		pnBody_GetState( world, bodies[i], &state );
		weight += 9.81f * state.mass;
		printf( "cube %d rests at %.2f m, %s\n", i + 1, state.center.y, state.awake ? "awake" : "asleep" );
	}
	pnShapeState state;
	pnShape_GetState( world, floor, &state );
	float carried = -60.0f * state.impulse.y; // N: the impulse of a step over its length
	printf( "they weigh %.0f N, the floor carries %.0f N\n", weight, carried );
	pnRayHit hit = pnWorld_CastRay( world, pnMakeVec3( 0.0f, 5.0f, 0.0f ), pnMakeVec3( 0.0f, -6.0f, 0.0f ), UINT32_MAX );
	printf( "a ray from above meets cube %d at %.2f m\n", hit.hit ? (int)pnBody_GetUserData( world, hit.body ) : 0, hit.position.y );
	pnDestroyWorld( world );
	return 0;
}
