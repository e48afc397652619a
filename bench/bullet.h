// bullet.h - Bullet's soft bodies on our workloads, as a peer to be timed. Knows no pliant world and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "workload.h"

#ifdef __cplusplus
extern "C"
{
#endif

typedef struct pnBulletScene pnBulletScene;

// Rigid matching with a pull of one half: bodies of many clusters by Bullet's clusters, bodies of one by its pose.
// The workload must outlive the scene. NULL if there is no memory.
pnBulletScene* pnCreateBulletScene( const pnWorkload* workload );
void pnDestroyBulletScene( pnBulletScene* scene ); // NULL is fine

void pnBulletScene_Reset( pnBulletScene* scene ); // back to the workload's start state
void pnBulletScene_Step( pnBulletScene* scene, float timeStep ); // predict, solve and integrate every body, without contact

#ifdef __cplusplus
}
#endif
