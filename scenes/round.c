// round.c - balls with few points and fine skins, and capsules, for scenes. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "round.h"

#include "shape.h"

#include <stdlib.h>

static const float pnRoundPi = 3.14159265f;

pnResult pnCreateBall( const pnBallDef* def, pnSolid** solid )
{
	*solid = NULL;
	pnSceneMesh mesh = { 0 }, fine = { 0 };
	pnAddEllipsoidMesh( &mesh, def->radii, def->surfacePoints );
	int surfaceCount = mesh.vertexCount;
	for ( int i = 0; i < def->innerPoints; ++i )
	{
		float along = ( (float)i + 0.5f ) / (float)def->innerPoints - 0.5f;
		pnAddMeshVertex( &mesh, pnMakeVec3( def->radii.x * along, 0.0f, 0.0f ), (pnVec3){ 0 } );
	}
	if ( def->faces > 0 )
	{
		pnAddEllipsoidMesh( &fine, def->radii, def->faces / 2 + 2 ); // twice the points less four
	}
	pnResult result = pn_outOfMemory;
	if ( mesh.failed == false && fine.failed == false && surfaceCount > 0 )
	{
		pnSkinDef skin = { fine.vertices, fine.normals, fine.triangles, fine.vertexCount, fine.triangleCount, NULL, 0, NULL };
		pnSolidDef solidDef = def->solid;
		solidDef.points = mesh.vertices;
		solidDef.pointCount = mesh.vertexCount;
		solidDef.triangles = mesh.triangles;
		solidDef.triangleCount = mesh.triangleCount;
		solidDef.skins = def->faces > 0 ? &skin : NULL;
		solidDef.skinCount = def->faces > 0 ? 1 : 0;
		result = pnCreateSolid( &solidDef, solid );
	}
	pnFreeMesh( &mesh );
	pnFreeMesh( &fine );
	return result;
}

pnResult pnCreateCapsule( const pnCapsuleDef* def, pnSolid** solid )
{
	*solid = NULL;
	// Rings about x from one pole to the other, all with as many points; odd ones lie half a point further on.
	int around = (int)( 2.0f * pnRoundPi * def->radius / def->spacing + 0.5f );
	int quarter = (int)( 0.5f * pnRoundPi * def->radius / def->spacing + 0.5f ), along = (int)( def->length / def->spacing + 0.5f );
	around = around < 6 ? 6 : around;
	quarter = quarter < 2 ? 2 : quarter;
	along = along < 1 ? 1 : along;
	int rings = 2 * quarter + along - 1; // between the poles
	pnSceneMesh mesh = { 0 };
	float half = 0.5f * def->length;
	pnAddMeshVertex( &mesh, pnMakeVec3( -half - def->radius, 0.0f, 0.0f ), (pnVec3){ 0 } );
	for ( int ring = 0; ring < rings; ++ring )
	{
		float x, wide = def->radius;
		if ( ring < quarter )
		{
			float angle = 0.5f * pnRoundPi * (float)( ring + 1 ) / (float)quarter;
			x = -half - def->radius * pnSceneCos( angle );
			wide = def->radius * pnSceneSin( angle );
		}
		else if ( ring < quarter + along )
		{
			x = -half + def->length * (float)( ring - quarter + 1 ) / (float)along;
		}
		else
		{
			float angle = 0.5f * pnRoundPi * (float)( ring - quarter - along + 1 ) / (float)quarter;
			x = half + def->radius * pnSceneSin( angle );
			wide = def->radius * pnSceneCos( angle );
		}
		for ( int i = 0; i < around; ++i )
		{
			float angle = 2.0f * pnRoundPi * ( (float)i + 0.5f * (float)( ring & 1 ) ) / (float)around;
			pnAddMeshVertex( &mesh, pnMakeVec3( x, wide * pnSceneCos( angle ), wide * pnSceneSin( angle ) ), (pnVec3){ 0 } );
		}
	}
	int last = pnAddMeshVertex( &mesh, pnMakeVec3( half + def->radius, 0.0f, 0.0f ), (pnVec3){ 0 } );
	for ( int ring = 0; ring <= rings; ++ring )
	{
		for ( int i = 0; i < around; ++i )
		{
			int next = ( i + 1 ) % around, below = 1 + around * ( ring - 1 ), above = 1 + around * ring;
			if ( ring == 0 )
			{
				pnAddMeshTriangle( &mesh, 0, above + next, above + i );
			}
			else if ( ring == rings )
			{
				pnAddMeshTriangle( &mesh, last, below + i, below + next );
			}
			else
			{
				bool odd = ( ring & 1 ) != 0; // then the upper ring is the one further on
				pnAddMeshTriangle( &mesh, below + i, below + next, odd ? above + i : above + next );
				pnAddMeshTriangle( &mesh, odd ? below + next : below + i, above + next, above + i );
			}
		}
	}
	pnResult result = pn_outOfMemory;
	if ( mesh.failed == false )
	{
		pnSolidDef solidDef = def->solid;
		solidDef.points = mesh.vertices;
		solidDef.pointCount = mesh.vertexCount;
		solidDef.triangles = mesh.triangles;
		solidDef.triangleCount = mesh.triangleCount;
		result = pnCreateSolid( &solidDef, solid );
	}
	pnFreeMesh( &mesh );
	return result;
}
