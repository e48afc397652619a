// head.c - a head by formula, for scenes: few points under a fine skin. Knows no scenes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "head.h"

#include "shape.h"

#include <math.h>

static const float pnHeadPi = 3.14159265f;

enum
{
	PN_HEAD_AROUND = 85,
	PN_HEAD_RINGS = 38, // between the poles: 2 * 85 * 38 = 6,460 triangles
	PN_HEAD_POINTS = 66,
};

// A swelling or a hollow, by where one looks from the middle of the head.
typedef struct pnFeature { pnVec3 direction; float width, height; } pnFeature;

static const pnFeature pnFeatures[] = {
	{ { 0.0f, -0.08f, 1.0f }, 0.20f, 0.10f }, // nose, upper part
	{ { 0.0f, -0.20f, 1.0f }, 0.17f, 0.12f }, // its tip
	{ { 0.09f, -0.25f, 0.98f }, 0.10f, 0.03f }, // its wings
	{ { -0.09f, -0.25f, 0.98f }, 0.10f, 0.03f },
	{ { 0.30f, 0.08f, 0.95f }, 0.20f, -0.075f }, // sockets of the eyes
	{ { -0.30f, 0.08f, 0.95f }, 0.20f, -0.075f },
	{ { 0.29f, 0.07f, 0.95f }, 0.11f, 0.055f }, // eyes
	{ { -0.29f, 0.07f, 0.95f }, 0.11f, 0.055f },
	{ { 0.22f, 0.27f, 0.94f }, 0.24f, 0.05f }, // brows
	{ { -0.22f, 0.27f, 0.94f }, 0.24f, 0.05f },
	{ { 0.50f, -0.22f, 0.80f }, 0.34f, 0.035f }, // cheeks
	{ { -0.50f, -0.22f, 0.80f }, 0.34f, 0.035f },
	{ { 0.0f, -0.42f, 0.90f }, 0.14f, 0.05f }, // upper lip
	{ { 0.0f, -0.50f, 0.86f }, 0.08f, -0.035f }, // mouth
	{ { 0.0f, -0.57f, 0.82f }, 0.13f, 0.055f }, // lower lip
	{ { 0.0f, -0.80f, 0.60f }, 0.34f, 0.075f }, // chin
	{ { 1.0f, 0.02f, -0.05f }, 0.22f, 0.10f }, // ears
	{ { -1.0f, 0.02f, -0.05f }, 0.22f, 0.10f },
	{ { 0.0f, 0.15f, -1.0f }, 0.9f, 0.07f }, // back of the skull
	{ { 0.62f, -0.62f, 0.35f }, 0.5f, -0.02f }, // the jaw is narrow
	{ { -0.62f, -0.62f, 0.35f }, 0.5f, -0.02f },
	{ { 0.0f, -1.0f, -0.25f }, 0.60f, 0.10f }, // neck
};

static pnVec3 pnPlaceOnHead( pnVec3 direction, bool plain )
{
	float reach = 0.5f;
	for ( size_t i = 0; i < sizeof( pnFeatures ) / sizeof( pnFeatures[0] ) && plain == false; ++i )
	{
		pnVec3 middle = pnFeatures[i].direction;
		middle = pnScale( 1.0f / sqrtf( pnDot( middle, middle ) ), middle );
		pnVec3 off = pnSub( direction, middle );
		float rest = 1.0f - pnDot( off, off ) / ( pnFeatures[i].width * pnFeatures[i].width );
		reach += rest > 0.0f ? pnFeatures[i].height * rest * rest : 0.0f;
	}
	return pnMakeVec3( 0.84f * reach * direction.x, 1.18f * reach * direction.y, 0.98f * reach * direction.z );
}

static void pnAddHeadSkin( pnSceneMesh* mesh )
{
	for ( int ring = 0; ring <= PN_HEAD_RINGS + 1; ++ring )
	{
		float down = pnHeadPi * (float)ring / (float)( PN_HEAD_RINGS + 1 );
		bool isPole = ring == 0 || ring == PN_HEAD_RINGS + 1;
		for ( int i = 0; i < ( isPole ? 1 : PN_HEAD_AROUND ); ++i )
		{
			float around = 2.0f * pnHeadPi * (float)i / (float)PN_HEAD_AROUND;
			float wide = isPole ? 0.0f : pnSceneSin( down );
			pnVec3 direction = { wide * pnSceneSin( around ), isPole ? ( ring == 0 ? 1.0f : -1.0f ) : pnSceneCos( down ), wide * pnSceneCos( around ) };
			pnAddMeshVertex( mesh, pnPlaceOnHead( direction, false ), (pnVec3){ 0 } );
		}
	}
	int last = mesh->vertexCount - 1;
	for ( int ring = 0; ring <= PN_HEAD_RINGS; ++ring )
	{
		for ( int i = 0; i < PN_HEAD_AROUND; ++i )
		{
			int next = ( i + 1 ) % PN_HEAD_AROUND, above = 1 + PN_HEAD_AROUND * ( ring - 1 ), below = 1 + PN_HEAD_AROUND * ring;
			if ( ring == 0 )
			{
				pnAddMeshTriangle( mesh, 0, below + i, below + next );
			}
			else if ( ring == PN_HEAD_RINGS )
			{
				pnAddMeshTriangle( mesh, above + i, last, above + next );
			}
			else
			{
				pnAddMeshTriangle( mesh, above + i, below + i, below + next );
				pnAddMeshTriangle( mesh, above + i, below + next, above + next );
			}
		}
	}
}

pnResult pnCreateHead( pnSolid** solid )
{
	*solid = NULL;
	pnSceneMesh points = { 0 }, skin = { 0 };
	// 62 points on the surface and four within
	pnAddEllipsoidMesh( &points, pnMakeVec3( 1.0f, 1.0f, 1.0f ), PN_HEAD_POINTS - 4 );
	for ( int i = 0; i < points.vertexCount; ++i )
	{
		points.vertices[i] = pnPlaceOnHead( points.vertices[i], false );
	}
	for ( int i = 0; i < 4; ++i )
	{
		pnVec3 inner = { ( i & 1 ) != 0 ? 0.16f : -0.16f, ( i & 2 ) != 0 ? 0.2f : -0.2f, ( i == 1 || i == 2 ) ? 0.16f : -0.16f };
		pnAddMeshVertex( &points, inner, (pnVec3){ 0 } );
	}
	pnAddHeadSkin( &skin );
	pnResult result = pn_outOfMemory;
	if ( points.failed == false && skin.failed == false )
	{
		pnSkinDef skinDef = { skin.vertices, NULL, skin.triangles, skin.vertexCount, skin.triangleCount, NULL, 0, NULL };
		pnSolidDef def = pnDefaultSolidDef();
		def.points = points.vertices;
		def.pointCount = points.vertexCount;
		def.triangles = points.triangles;
		def.triangleCount = points.triangleCount;
		def.clusters.kind = pn_countClusters;
		def.clusters.count = 8;
		def.clusters.overlap = 0.4f;
		def.skins = &skinDef;
		def.skinCount = 1;
		result = pnCreateSolid( &def, solid );
	}
	pnFreeMesh( &points );
	pnFreeMesh( &skin );
	return result;
}
