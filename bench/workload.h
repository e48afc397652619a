// workload.h - the bodies every matcher is timed on: W1 to W4 and two growing families. Knows no engine and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/vec.h"

#include <stdint.h>

#ifdef __cplusplus
extern "C"
{
#endif

// A block of jittered grid points cut into overlapping cells, and the stretched, noisy, spinning state it starts from.
typedef struct pnWorkBody
{
	int pointCount, clusterCount;
	pnVec3* points; // rest positions, metres
	pnVec3* positions; // at the start
	pnVec3* velocities; // at the start, m/s
	int32_t* clusterStarts; // clusterCount + 1 offsets into members
	int32_t* members; // indices into points, rising within a cluster
} pnWorkBody;

// No two bodies are alike, so nothing can be shared between them.
typedef struct pnWorkload
{
	pnWorkBody* bodies;
	float* masses; // kg, as many as the largest body has points; all 1
	int bodyCount;
	int pointCount, clusterCount, membershipCount; // over all bodies
} pnWorkload;

// The four cases of the matching benchmark, by number:
// 1: 100 bodies of 100 points, one cluster each
// 2: the same with 8 clusters each, 29542 memberships
// 3: 384 bodies, 55200 points, 2448 clusters, 126048 memberships; the counts of figure 9 in Mueller et al. 2005
// 4: one body of 100000 points, 1000 clusters, 268192 memberships
// NULL if there is no memory or no such number; so are all below.
pnWorkload* pnCreateWorkload( int number );

// One body like that of W4 with cells of 100 points, grown: 10^4, 10^5 or 10^6 points.
pnWorkload* pnCreateGrownWorkload( int pointCount );

// The bodies of W2, any number of them, each with 100 points.
pnWorkload* pnCreateRepeatedWorkload( int bodyCount );

void pnDestroyWorkload( pnWorkload* workload ); // NULL is fine

#ifdef __cplusplus
}
#endif
