// hello_skin.c - a triangle mesh becomes a soft ball; after a kick its skin is written as skin.obj.
#include <pliant/pliant.h>
#include <math.h>
#include <stdio.h>

enum { ROWS = 13, COLUMNS = 25, VERTICES = ROWS * COLUMNS, TRIANGLES = 2 * ( ROWS - 1 ) * ( COLUMNS - 1 ) };

int main( void )
{
	// A ball as a modelling program would make it: with two poles and a seam, where columns coincide.
	static pnVec3 vertices[VERTICES];
	static int32_t triangles[3 * TRIANGLES];
	int count = 0;
	for ( int i = 0; i < VERTICES; ++i )
	{
		float down = 3.14159265f * ( i / COLUMNS ) / ( ROWS - 1 ), around = 6.2831853f * ( i % COLUMNS ) / ( COLUMNS - 1 );
		vertices[i] = pnMakeVec3( sinf( down ) * cosf( around ), cosf( down ), -sinf( down ) * sinf( around ) );
		if ( i % COLUMNS < COLUMNS - 1 && i / COLUMNS < ROWS - 1 )
		{
			int32_t corners[6] = { i, i + COLUMNS, i + 1, i + 1, i + COLUMNS, i + COLUMNS + 1 };
			for ( int k = 0; k < 6; ++k )
			{
				triangles[count++] = corners[k];
			}
		}
	}
	pnSolidDef solidDef = pnDefaultSolidDef();
	solidDef.points = vertices;
	solidDef.pointCount = VERTICES;
	solidDef.triangles = triangles;
	solidDef.triangleCount = TRIANGLES;
	solidDef.fillSpacing = 0.3f; // m; without it the ball would be a shell
	pnSolid* solid;
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world;
	if ( pnCreateSolid( &solidDef, &solid ) != pn_success || pnCreateWorld( &worldDef, &world ) != pn_success )
	{
		return 1;
	}
	pnSolidInfo info = pnSolid_GetInfo( solid );
	int inner = info.pointCount - VERTICES;
	printf( "%d vertices and %d inner points are %d particles\n", VERTICES, inner, info.particleCount );

	pnBodyDef bodyDef = pnDefaultBodyDef();
	bodyDef.solid = solid;
	pnBodyId body;
	if ( pnCreateBody( world, &bodyDef, &body ) != pn_success )
	{
		return 1;
	}
	pnBody_ApplyImpulseAt( world, body, 0, pnMakeVec3( 0.0f, -0.1f * info.mass, 0.0f ) ); // on the pole
	for ( int frame = 0; frame < 10; ++frame )
	{
		pnWorld_Step( world, 1.0f / 60.0f, 2 );
	}

	// Vertices and normals in the mesh's own order; triangles as the solid keeps them, looking outward.
	static pnVec3 positions[VERTICES], normals[VERTICES];
	pnSkinInfo skin = pnSolid_GetSkin( solid, 0 );
	pnBody_WriteSkin( world, body, 0, positions, normals, VERTICES );
	FILE* file = fopen( "skin.obj", "w" );
	for ( int i = 0; file != NULL && i < skin.vertexCount; ++i )
	{
		pnVec3 p = positions[i], n = normals[i];
		fprintf( file, "v %g %g %g\nvn %g %g %g\n", p.x, p.y, p.z, n.x, n.y, n.z );
	}
	for ( int i = 0; file != NULL && i < skin.triangleCount; ++i )
	{
		const int32_t* t = skin.triangles + 3 * i;
		fprintf( file, "f %d//%d %d//%d %d//%d\n", t[0] + 1, t[0] + 1, t[1] + 1, t[1] + 1, t[2] + 1, t[2] + 1 );
	}
	printf( "the pole is at %.2f m, its normal points up by %.2f\n", positions[0].y, normals[0].y );
	pnDestroySolid( solid );
	pnDestroyWorld( world );
	return file == NULL || fclose( file ) != 0;
}
