// press.c - a plate comes down on a soft torus, presses it flat, holds it and goes up again; the torus recovers.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "scene_list.h"
#include "scenes.h"
#include "shape.h"

static const float pnPlateThickness = 0.16f; // m

// Height of the plate's lower side, m.
static float pnGetPlateHeight( float time )
{
	const float high = 0.75f, low = 0.15f; // m
	float down = pnSceneEase( ( time - 0.4f ) / 1.2f ), up = pnSceneEase( ( time - 2.4f ) / 0.8f );
	return high + ( low - high ) * ( down - up );
}

static pnTransform pnGetPlatePlace( float time )
{
	pnTransform place = pnIdentityTransform();
	place.p.y = pnGetPlateHeight( time ) + 0.5f * pnPlateThickness;
	return place;
}

pnResult pnCreatePress( pnWorld* world )
{
	pnResult result = pnAddFloor( world, 0.5f );
	pnShapeDef plate = pnDefaultShapeDef();
	plate.kind = pn_boxShape;
	plate.halfExtents = pnMakeVec3( 1.0f, 0.5f * pnPlateThickness, 1.0f );
	plate.transform = pnGetPlatePlace( 0.0f );
	plate.friction = 0.5f;
	plate.userData = pnPackColors( 0x8f98a3, 0, 0, 0 );
	pnShapeId shape;
	result = result == pn_success ? pnCreateShape( world, &plate, &shape ) : result;

	pnSolid* solid = NULL;
	if ( result == pn_success )
	{
		result = pnCreateTorus( &(pnTorusDef){ .radius = 0.6f, .tube = 0.24f, .around = 40, .across = 14, .clusters = 10, .overlap = 2 },
								&solid );
	}
	if ( result == pn_success )
	{
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.material.hertz = 8.0f;
		def.material.dampingRatio = 0.3f;
		def.material.stretch = 0.6f;
		def.material.volume = 3.0f; // what is pressed flat goes aside
		def.transform.p.y = 0.26f;
		def.userData = pnPackColors( 0xe0533d, 0, 0, 0 );
		pnBodyId body;
		result = pnCreateBody( world, &def, &body );
	}
	pnDestroySolid( solid );
	return result;
}

pnResult pnAdvancePress( pnWorld* world, int frame, float timeStep )
{
	pnShapeId shapes[2]; // the floor and the plate
	if ( pnWorld_GetShapes( world, shapes, 2 ) < 2 )
	{
		return pn_success;
	}
	return pnShape_MoveTo( world, shapes[1], pnGetPlatePlace( (float)frame * timeStep ) );
}
