// bridge.h - which clusters hold on to each other, and bridges between those that do not. Knows rest positions and links; no masses, no fits.
#pragma once

#include "cells.h"
#include "cluster.h"

// Two clusters hold on to each other if the points they share reach a tenth as far as the smaller of them does, along its longest way and
// across it: three corners of a triangle where the cloud has width, two ends where it is a line, one where it is a place. So what holds moves
// as one, as far as the points can tell.

// The sets of clusters that hold, directly or through others: sets[c] is the first of that which c is in. lineCount (or NULL): clusters whose
// points are in one line or place. False: no memory.
bool pnFindHolding( const pnDraft* draft, const pnVec3* rest, int particleCount, int32_t* sets, int* lineCount );

// The draft, and behind it bridges between neighbours among the sets: the points of both that are nearest to the gap. All clusters then hold, but for
// those that no links lead to. False: no memory. What is written lives in the scratch.
bool pnBridgeClusters( const pnDraft* draft, const pnClusterSource* source, pnScratch* scratch, pnDraft* bridged );

// Sets of clusters of which none shares a particle with one of another; -1: no memory.
int pnCountIslands( const pnDraft* draft, int particleCount );
