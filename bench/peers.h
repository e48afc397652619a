// peers.h - engines that run in Node, WebAssembly on both sides, on a pile of ours. Knows their files, not their physics.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pile_scene.h"

#include <stdbool.h>

typedef enum pnPeerKind
{
	pn_pliantPeer, // ourselves, compiled to WebAssembly
	pn_rapierPlainPeer, // Rapier, its recovery from tangles switched off
	pn_rapierPeer, // as it comes
	pn_joltPeer, // soft bodies against a rigid world only
	pn_peerCount,
} pnPeerKind;

// What one of them made of the pile.
typedef struct pnPeerRun
{
	char why[112]; // not empty: it was not measured, and this is why
	char version[64];
	char hash[24]; // of the world at the end, ours only
	double* times; // milliseconds, one for each frame
	int* shotFrames; // frames whose positions were kept, from 1
	pnVec3* shots; // shotCount times the points of the pile
	int frameCount, shotCount;
} pnPeerRun;

typedef struct pnPeerSettings
{
	int frameCount;
	int mode; // pnMode
	int substeps; // ours
	double hertz, dampingRatio, stretch, friction;
	uint32_t seed;
} pnPeerSettings;

typedef void pnPeerProgressFcn( double share, const char* label, void* context );

// Installs the peers into the build directory by npm, builds our module, runs all of them in turn, block by block.
// What could not be measured says why in its run. Runs are given back by pnFreePeerRuns.
void pnRunPeers( const pnPile* pile, const pnPeerSettings* settings, pnPeerProgressFcn* progress, void* context, pnPeerRun* runs );
void pnFreePeerRuns( pnPeerRun* runs );
