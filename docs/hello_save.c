// hello_save.c - a world is saved, goes on, is brought back and goes on again: to the same bits.
#include <pliant/pliant.h>
#include <stdio.h>
#include <stdlib.h>

static void Run( pnWorld* world, int frames )
{
	for ( int i = 0; i < frames; ++i )
	{
		pnWorld_Step( world, 1.0f / 60.0f, 2 );
	}
}

int main( void )
{
	pnVec3 points[64];
	for ( int i = 0; i < 64; ++i )
	{
		points[i] = pnMakeVec3( 0.2f * ( i % 4 ), 0.2f * ( i / 4 % 4 ), 0.2f * ( i / 16 ) );
	}
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = points;
	solidDef.pointCount = 64;
	pnSolid* solid;
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world;
	if ( pnCreateSolid( &solidDef, &solid ) != pn_success || pnCreateWorld( &worldDef, &world ) != pn_success )
	{
		return 1;
	}
	pnBodyDef bodyDef = pnDefaultBodyDef();
	bodyDef.solid = solid;
	bodyDef.angularVelocity = pnMakeVec3( 1.0f, 6.0f, 0.0f ); // rad/s
	pnBodyId body;
	if ( pnCreateBody( world, &bodyDef, &body ) != pn_success )
	{
		return 1;
	}
	pnDestroySolid( solid );
	Run( world, 60 );

	// NULL asks for the size.
	size_t size = pnWorld_Snapshot( world, NULL, 0 );
	void* image = malloc( size );
	if ( image == NULL || pnWorld_Snapshot( world, image, size ) != size )
	{
		return 1;
	}
	Run( world, 60 );
	uint64_t first = pnWorld_GetHash( world );

	// Back by a second. Any other world would do as well: the solids are in the image.
	if ( pnWorld_Restore( world, image, size ) != pn_success )
	{
		return 1;
	}
	Run( world, 60 );
	uint64_t second = pnWorld_GetHash( world );
	printf( "%s\n", first == second ? "the same bits" : "not the same" );

	// An image that was cut or altered is refused, and the world stays as it is.
	( (unsigned char*)image )[size / 2] ^= 1;
	printf( "%s\n", pnResultText( pnWorld_Restore( world, image, size ) ) );
	free( image );
	pnDestroyWorld( world );
	return first != second;
}
