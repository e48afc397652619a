// judge.h - what the checker says of a pile, frame by frame, in percent. Knows no engine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "checker.h"
#include "pile_scene.h"

typedef struct pnJudge
{
	const pnPile* pile;
	pnCheckBody* bodies;
	pnVec3* positions; // put the frame to be judged here
	double restVolumes[2]; // of the meshes
	pnCheckWall walls[5];
} pnJudge;

// All in percent: of the vertices, of the diameter, of the volume at rest.
typedef struct pnQuality
{
	double inside; // of the worst frame
	double maxDepth; // of all frames
	double depthSum, insideCount; // over all frames
	double volumeSum, minVolume; // over all frames; of all bodies in them
	int frameCount;
} pnQuality;

bool pnOpenJudge( pnJudge* judge, const pnPile* pile ); // false if there is no memory; close it all the same
void pnCloseJudge( pnJudge* judge );
pnQuality pnNothingAsked( void );
void pnJudge_Ask( const pnJudge* judge, bool dense, pnQuality* quality ); // adds one frame
double pnQuality_GetMeanDepth( const pnQuality* quality ); // of those inside
double pnQuality_GetVolume( const pnQuality* quality ); // mean over bodies and frames
