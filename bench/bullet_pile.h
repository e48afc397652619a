// bullet_pile.h - Bullet's soft bodies in our pile, as a peer to be timed and checked. Knows no pliant world and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pile_scene.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct pnBulletPile pnBulletPile;

typedef enum pnBulletContact
{
	pn_bulletClusters, // each body is one convex cluster: crude
	pn_bulletVertexFace, // vertices of one against faces of the other
} pnBulletContact;

// One pose to a body, rigid matching with a pull of one half. The pile must outlive it. NULL if there is no memory.
pnBulletPile* pnCreateBulletPile( const pnPile* pile, pnBulletContact contact, float friction );
void pnDestroyBulletPile( pnBulletPile* bulletPile ); // NULL is fine
void pnBulletPile_Step( pnBulletPile* bulletPile, float timeStep ); // one step, no substeps
void pnBulletPile_WritePositions( const pnBulletPile* bulletPile, pnVec3* positions ); // of all points

#ifdef __cplusplus
}
#endif
