// kelvin.c - a stranger's program: a cube is pulled by its top, first by the solver and then by hand. Knows only what is installed.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include <pliant/kelvin.h>
#include <stdio.h>

int main( void )
{
	pnVec3d corners[8];
	for ( int i = 0; i < 8; ++i )
	{
		corners[i] = (pnVec3d){ i & 1, i >> 1 & 1, i >> 2 };
	}
	int32_t triangles[] = { 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5 };
	pnCondition conditions[2] = { pnDefaultCondition(), pnDefaultCondition() };
	conditions[0].region = (pnRegion){ .tests = pn_inBox, .upper = { 1, 1, 0 } };
	conditions[1].region = (pnRegion){ .tests = pn_inBox, .lower = { 0, 0, 1 }, .upper = { 1, 1, 1 } };
	conditions[1].kind = pn_tractionCondition;
	conditions[1].vector = (pnVec3d){ 0, 0, 10 };
	pnKelvinDef def = pnDefaultKelvinDef();
	def.youngsModulus = 1000;
	def.poissonRatio = 0; // then it just gets longer
	def.points = corners;
	def.pointCount = 8;
	def.triangles = triangles;
	def.triangleCount = 12;
	def.conditions = conditions;
	def.conditionCount = 2;
	def.sourceCount = 60;
	def.tasks.workerCount = 2;
	pnKelvin* kelvin = NULL;
	if ( pnCreateKelvin( &def, &kelvin, NULL ) < 0 )
	{
		return 1;
	}
	pnVec3d top = { 0.5, 0.5, 1 }, displacement;
	pnKelvin_Evaluate( kelvin, &top, 1, &displacement, NULL );
	pnHandle handle = { { 0.5, 0.5, 1 }, 0.5 };
	pnResponse* response = NULL;
	if ( pnKelvin_CreateResponse( kelvin, &handle, 1, corners, 8, triangles, 12, &response ) != pn_success )
	{
		return 1;
	}
	pnDestroyKelvin( kelvin );
	pnVec3 vertices[8];
	pnResponse_Move( response, NULL, vertices );
	pnDestroyResponse( response );
	printf( "stretched by %.4f m, a corner goes to %.4f m\n", displacement.z, vertices[7].z );
	return displacement.z > 0.0099 && displacement.z < 0.0101 && vertices[7].z > 1.009f && vertices[7].z < 1.011f && pnGetByteCount() == 0 ? 0 : 1;
}
