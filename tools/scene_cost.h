// scene_cost.h - what a scene will cost: memory and time, found by running a part of it. Knows no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "scenes.h"

typedef struct pnCost
{
	pnProfile profile; // of the last frame tried
	int64_t byteCount; // most that the world held
	double millisecondsPerFrame; // mean, processor time of this thread
	int framesTried, frames; // how many were run, of how many
	double forecast; // ms of a frame, mean of all frames: as found, or told by a run of one substep each that came so far:
	int framesForecast;
	pnResult result; // of making and running it
	// what looks wrong at the beginning
	int deepCount; // pairs that begin deep in each other
	pnTouch deepest;
	float depth; // m
} pnCost;

// Runs the scene's frames until they are done or `seconds` of processor time have gone by. False: there is no world.
bool pnTryScene( const pnScene* scene, double seconds, int mostFrames, pnCost* cost );
// The same for all frames: those that there was no time for are run with one substep each, for up to twice the seconds, and cost more by as much as the first ones did.
bool pnForecastScene( const pnScene* scene, double seconds, pnCost* cost );
