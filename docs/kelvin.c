// kelvin.c - a bar held at one end is loaded at the other; then a hand drags it, with answers that were made beforehand.
#include <pliant/kelvin.h>
#include <stdio.h>

int main( void )
{
	pnVec3d corners[8]; // a bar of 1 x 1 x 4 m that stands on z = 0
	for ( int i = 0; i < 8; ++i )
		corners[i] = (pnVec3d){ i & 1, i >> 1 & 1, i & 4 };
	int32_t triangles[] = { 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5 };
	pnRegion below = { .tests = pn_inBox, .upper = { 1, 1, 0 } }, above = { .tests = pn_inBox, .lower = { 0, 0, 4 }, .upper = { 1, 1, 4 } };
	pnCondition conditions[2] = { pnDefaultCondition(), pnDefaultCondition() }; // held along all axes
	conditions[0].region = below;
	conditions[1].region = above;
	conditions[1].kind = pn_tractionCondition;
	conditions[1].vector = (pnVec3d){ 0.1, 0, 0 }; // Pa
	pnKelvinDef def = pnDefaultKelvinDef();
	def.poissonRatio = 0.45;
	def.youngsModulus = 2 * 120 * ( 1 + def.poissonRatio ); // a shear modulus of 120 Pa
	def.points = corners;
	def.pointCount = 8;
	def.triangles = triangles;
	def.triangleCount = 12;
	def.conditions = conditions;
	def.conditionCount = 2;
	pnKelvin* kelvin;
	pnKelvinInfo info;
	if ( pnCreateKelvin( &def, &kelvin, &info ) < 0 )
		return 1;
	for ( uint32_t bit = 1; bit <= info.warnings; bit *= 2 )
		printf( "%s", info.warnings & bit ? pnKelvinWarningText( bit ) : "" );
	pnVec3d end = { 0.5, 0.5, 4 }, displacement, force;
	pnKelvin_Evaluate( kelvin, &end, 1, &displacement, NULL );
	pnKelvin_GetForce( kelvin, &below, end, &force, NULL );
	double theory = 0.1 * 64 / ( 3 * def.youngsModulus / 12 ) + 0.1 * 4 / ( 120 * 5.0 / 6 ); // of beams, bending and shear
	printf( "the end moves by %.2f m, %.0f %% of what beam theory says\n", displacement.x, 100 * displacement.x / theory );
	printf( "the clamp holds it with %.3f N; error estimate %.1f %%\n", -force.x, 100 * info.errorEstimate );

	conditions[1].vector.x = 0; // other values are cheap: nothing is factored again
	pnKelvin_Solve( kelvin, conditions, NULL, NULL );
	pnHandle handles[] = { { { 0.5, 0.5, 4 }, 0.5 }, { { 1, 0.5, 2 }, 0.4 } }; // places to take hold of
	pnResponse* response; // how eight vertices follow; any others would do
	if ( pnKelvin_CreateResponse( kelvin, handles, 2, corners, 8, triangles, 12, &response ) != pn_success )
		return 1;
	pnDestroyKelvin( kelvin );
	uint8_t bytes[4096];
	size_t size = pnResponse_Bake( response, bytes, sizeof( bytes ) );
	pnDestroyResponse( response );

	// From here on the solver is not needed, in a browser for instance: pliant/response.h, and nothing but libpliant.
	if ( pnLoadResponse( bytes, size, &response ) != pn_success )
		return 1;
	pnResponse_Hold( response, (uint8_t[]){ 1, 0 } ); // a hand holds the first handle, the second is free
	for ( int frame = 1; frame <= 3; ++frame )
	{
		pnVec3 hand[2] = { { 0.02f * frame, 0, 0 } }, forces[2], vertices[8];
		pnResponse_Solve( response, hand, NULL, forces );
		pnResponse_Move( response, forces, vertices );
		printf( "dragged by %.2f m: %.2f N, a corner goes to %.2f, %.2f, %.2f\n", hand[0].x, forces[0].x, vertices[7].x, vertices[7].y, vertices[7].z );
	}
	pnDestroyResponse( response );
}
