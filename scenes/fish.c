// fish.c - a fish by formula: rings along its length, a fin where a ring has a spike, a tail where it is high and thin. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "fish.h"

#include "shape.h"

#include <stdlib.h>

enum
{
	PN_FISH_RINGS = 45,
	PN_FISH_AROUND = 24,
	PN_FISH_KNOTS = 12,
	PN_FISH_TRIANGLES = 2 * PN_FISH_AROUND * PN_FISH_RINGS, // with both ends
};

// Half height and half width at some places along it, and how far the middle is above the line from nose to tail; m.
static const struct
{
	float x, high, wide, middle;
} pnFishKnots[PN_FISH_KNOTS] = {
	{ 0.600f, 0.016f, 0.014f, -0.010f }, { 0.570f, 0.046f, 0.036f, -0.008f }, { 0.480f, 0.084f, 0.060f, 0.0f },
	{ 0.360f, 0.122f, 0.080f, 0.0f },    { 0.180f, 0.150f, 0.090f, 0.0f },    { -0.020f, 0.140f, 0.080f, 0.0f },
	{ -0.200f, 0.104f, 0.058f, 0.0f },   { -0.340f, 0.066f, 0.036f, 0.006f }, { -0.430f, 0.050f, 0.024f, 0.010f },
	{ -0.480f, 0.072f, 0.018f, 0.010f }, { -0.540f, 0.118f, 0.015f, 0.010f }, { -0.600f, 0.160f, 0.012f, 0.010f },
};

// A smooth line through the knots (Catmull and Rom), s from 0 at the nose to 1 at the tail.
static void pnGetFishRing( float s, float ring[4] )
{
	float along = s * (float)( PN_FISH_KNOTS - 1 );
	int k = (int)along < PN_FISH_KNOTS - 1 ? (int)along : PN_FISH_KNOTS - 2;
	float t = along - (float)k, t2 = t * t, t3 = t2 * t;
	float weights[4] = { -0.5f * t + t2 - 0.5f * t3, 1.0f - 2.5f * t2 + 1.5f * t3, 0.5f * t + 2.0f * t2 - 1.5f * t3,
						 -0.5f * t2 + 0.5f * t3 };
	for ( int d = 0; d < 4; ++d )
	{
		ring[d] = 0.0f;
	}
	for ( int i = 0; i < 4; ++i )
	{
		int at = k + i - 1 < 0 ? 0 : k + i - 1 >= PN_FISH_KNOTS ? PN_FISH_KNOTS - 1 : k + i - 1;
		ring[0] += weights[i] * pnFishKnots[at].x;
		ring[1] += weights[i] * pnFishKnots[at].high;
		ring[2] += weights[i] * pnFishKnots[at].wide;
		ring[3] += weights[i] * pnFishKnots[at].middle;
	}
}

// How far a fin from x = begin to the tail side x = end stands out, highest near its front; m.
static float pnGetFin( float x, float begin, float end, float high )
{
	float t = ( begin - x ) / ( begin - end );
	return t <= 0.0f || t >= 1.0f ? 0.0f : high * pnSceneEase( 3.0f * t ) * ( 1.0f - t * t * t );
}

static pnVec3 pnGetFishPlace( float s, int i )
{
	float ring[4];
	pnGetFishRing( s, ring );
	float angle = 6.28318531f * (float)i / (float)PN_FISH_AROUND, up = pnSceneCos( angle ), aside = pnSceneSin( angle );
	pnVec3 place = { ring[0], ring[3] + ring[1] * up, ring[2] * aside };
	if ( i == 0 )
	{
		float fin = pnGetFin( ring[0], 0.18f, -0.10f, 0.10f );
		place.y += fin;
		place.x -= 0.4f * fin;
	}
	if ( i == PN_FISH_AROUND / 2 )
	{
		float fin = pnGetFin( ring[0], -0.16f, -0.30f, 0.06f ) + pnGetFin( ring[0], 0.02f, -0.10f, 0.05f );
		place.y -= fin;
		place.x -= 0.5f * fin;
	}
	if ( i == 8 || i == PN_FISH_AROUND - 8 ) // a third of the way round from the top
	{
		float fin = pnGetFin( ring[0], 0.36f, 0.26f, 0.09f );
		place.z += i == 8 ? fin : -fin;
		place.x -= 0.9f * fin;
		place.y -= 0.3f * fin;
	}
	float fork = s > 0.88f ? ( s - 0.88f ) / 0.12f : 0.0f; // the tail's middle is shorter
	place.x += 0.09f * fork * ( 1.0f - up * up );
	return place;
}

static int32_t pnGetFishMaterial( float s, int i )
{
	float x = pnGetFishPlace( s, i + 1 ).x;
	bool dorsal = ( i == 0 || i == PN_FISH_AROUND - 1 ) && x < 0.18f && x > -0.10f;
	bool belly = i >= 8 && i < PN_FISH_AROUND - 8;
	return s > 0.84f || dorsal ? PN_FISH_FINS : belly ? PN_FISH_BELLY : 0;
}

// Outside is on the left, going round and to the tail.
static void pnAddFishSkin( pnSceneMesh* mesh, int32_t* materials )
{
	pnVec3 none = { 0.0f, 0.0f, 0.0f };
	for ( int j = 0; j < PN_FISH_RINGS; ++j )
	{
		float s = (float)j / (float)( PN_FISH_RINGS - 1 );
		for ( int i = 0; i < PN_FISH_AROUND; ++i )
		{
			pnAddMeshVertex( mesh, pnGetFishPlace( s, i ), none );
			int next = ( i + 1 ) % PN_FISH_AROUND, a = i + PN_FISH_AROUND * j, b = next + PN_FISH_AROUND * j;
			for ( int half = 0; half < 2 && j + 1 < PN_FISH_RINGS; ++half )
			{
				materials[mesh->triangleCount] = pnGetFishMaterial( s, i );
				pnAddMeshTriangle( mesh, half == 0 ? a : b, half == 0 ? a + PN_FISH_AROUND : a + PN_FISH_AROUND,
								   half == 0 ? b : b + PN_FISH_AROUND );
			}
		}
	}
	for ( int end = 0; end < 2; ++end )
	{
		float ring[4];
		pnGetFishRing( (float)end, ring );
		int first = end * PN_FISH_AROUND * ( PN_FISH_RINGS - 1 );
		int tip = pnAddMeshVertex( mesh, pnMakeVec3( ring[0] + ( end == 0 ? 0.008f : 0.085f ), ring[3], 0.0f ), none );
		for ( int i = 0; i < PN_FISH_AROUND; ++i )
		{
			int a = first + i, b = first + ( i + 1 ) % PN_FISH_AROUND;
			materials[mesh->triangleCount] = end == 0 ? 0 : PN_FISH_FINS;
			pnAddMeshTriangle( mesh, tip, end == 0 ? a : b, end == 0 ? b : a );
		}
	}
}

pnResult pnCreateFish( pnSolid** solid )
{
	*solid = NULL;
	pnSceneMesh mesh = { 0 }, eyes = { 0 };
	int32_t* materials = malloc( PN_FISH_TRIANGLES * sizeof( int32_t ) );
	pnResult result = pn_outOfMemory;
	if ( materials != NULL )
	{
		pnAddFishSkin( &mesh, materials );
		for ( int side = -1; side <= 1; side += 2 )
		{
			pnAddRoundedBox( &eyes, pnMakeVec3( 0.475f, 0.022f, 0.053f * (float)side ), pnMakeVec3( 0.04f, 0.04f, 0.02f ), 1.0f,
							 ( const int[3] ){ 1, 1, 1 }, 3 );
		}
		if ( mesh.failed == false && eyes.failed == false )
		{
			pnSkinDef skin = { eyes.vertices, eyes.normals, eyes.triangles, eyes.vertexCount, eyes.triangleCount, NULL, 0, NULL };
			pnSolidDef def = pnDefaultSolidDef();
			def.points = mesh.vertices;
			def.pointCount = mesh.vertexCount;
			def.triangles = mesh.triangles;
			def.triangleCount = mesh.triangleCount;
			def.materials = materials;
			def.fillSpacing = 0.05f;
			def.skins = &skin;
			def.skinCount = 1;
			result = pnCreateSolid( &def, solid );
		}
	}
	pnFreeMesh( &mesh );
	pnFreeMesh( &eyes );
	free( materials );
	return result;
}
