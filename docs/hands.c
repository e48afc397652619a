// hands.c - a bar of rubber is picked up along a ray, locked in the air, cut in two, and what hung from the hand is let go.
#include <pliant/pliant.h>
#include <stdio.h>

enum { LONG = 13, WIDE = 5, COUNT = LONG * WIDE * WIDE };

static void StepFrames( pnWorld* world, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		pnWorld_Step( world, 1.0f / 60.0f, 4 );
	}
}

int main( void )
{
	pnVec3 points[COUNT]; // a bar of 1.2 x 0.4 x 0.4 m about the origin
	for ( int i = 0; i < COUNT; ++i )
	{
		points[i] = pnMakeVec3( 0.1f * ( i % LONG - 6 ), 0.1f * ( i / LONG % WIDE - 2 ), 0.1f * ( i / ( LONG * WIDE ) - 2 ) );
	}
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = points;
	solidDef.pointCount = COUNT;
	pnSolid* solid;
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world;
	pnShapeDef floorDef = pnDefaultShapeDef();
	pnShapeId floor;
	pnBodyDef bodyDef = pnDefaultBodyDef();
	pnBodyId body;
	if ( pnCreateSolid( &solidDef, &solid ) != pn_success || pnCreateWorld( &worldDef, &world ) != pn_success ||
		 pnCreateShape( world, &floorDef, &floor ) != pn_success )
	{
		return 1;
	}
	bodyDef.solid = solid;
	pnFindMaterial( "rubber", &bodyDef.material );
	bodyDef.transform.p.y = 0.3f;
	if ( pnCreateBody( world, &bodyDef, &body ) != pn_success )
	{
		return 1;
	}
	pnDestroySolid( solid );
	StepFrames( world, 30 );

	// A ray from the eye says what is under the cursor.
	pnRayHit hit = pnWorld_CastRay( world, pnMakeVec3( -0.4f, 3.0f, 0.0f ), pnMakeVec3( 0.0f, -4.0f, 0.0f ), UINT32_MAX );
	pnGrabDef grabDef = pnDefaultGrabDef();
	grabDef.body = hit.body;
	grabDef.place = hit.position;
	grabDef.radius = 0.3f;
	grabDef.owner = 7; // whose hand it is
	pnGrabId grab;
	if ( pnCreateGrab( world, &grabDef, &grab ) != pn_success )
	{
		return 1;
	}
	for ( int frame = 1; frame <= 60; ++frame )
	{
		pnGrab_MoveTo( world, grab, pnMakeVec3( -0.4f, 0.5f + 0.02f * frame, 0.0f ) );
		StepFrames( world, 1 );
	}
	pnGrab_Lock( world, grab, true );
	pnWorld_LetGo( world, 7 ); // the person leaves, what is locked stays
	StepFrames( world, 120 );
	pnGrabState held;
	pnBodyState state;
	pnGrab_GetState( world, grab, &held );
	pnBody_GetState( world, body, &state );
	printf( "one end is at %.1f m, the %s hand pulls %s\n", held.place.y, held.locked ? "locked" : "free", held.force.y > 0.0f ? "up" : "down" );

	pnCutDef cut = pnDefaultCutDef(); // a plane; y up
	cut.point = state.center;
	cut.inside = 1; // the number of the new faces, for a material of your own
	pnCutResult result;
	pnWorld_Cut( world, &cut, &result );
	printf( "%d body was cut, %d pieces live\n", result.cutCount, result.pieceCount );
	pnPieces pieces = pnWorld_GetPieces( world );
	for ( int i = 0; i < pieces.count; ++i )
	{
		pnPiece piece = pieces.pieces[i];
		pnGrab_GetState( world, grab, &held );
		bool holds = held.body.index1 == piece.body.index1 && held.body.generation == piece.body.generation;
		printf( "a piece of %.0f %% %s\n", 100.0f * piece.mass / state.mass, holds ? "hangs on" : "falls" );
	}
	StepFrames( world, 90 );
	pnDestroyGrab( world, grab );
	StepFrames( world, 120 );
	pnBodyId bodies[2];
	int count = pnWorld_GetBodies( world, bodies, 2 );
	for ( int i = 0; i < count; ++i )
	{
		pnBody_GetState( world, bodies[i], &state );
		printf( "%s the floor\n", state.bounds.lower.y < 0.05f ? "on" : "above" );
	}
	pnDestroyWorld( world );
	return 0;
}
