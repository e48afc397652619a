// move.h - kick and drift of one body whose clusters have been matched. Knows one body, no world.
#pragma once

#include "../base/task.h"
#include "crowd.h"

// What the particles of a block add up to in the passes of a step.
typedef struct pnBlockSums { pnPointSums points; pnPointTotals totals; double kick[6], weights[2]; } pnBlockSums;

typedef struct pnMover
{
	const pnKernel* kernel;
	pnTasks* tasks; // to share the blocks of a large body; NULL: this worker does them all
	pnBlockSums* blocks; // one for each PN_BLOCK particles
	pnVec3 gravity;
	double step; // s, of this substep
	double timeLeft; // s until pins and targets must be where they are told, this substep included
} pnMover;

// Before they are matched, up to PN_MOST_CROWD bodies (crowd.h): their motion as a whole, and what the coming kick will be. body->rounds: how many rounds of
// match and move the substep takes; a fast turn takes several. timeLeft: as the mover's, when this round begins.
void pnReadyBodies( const pnMover* mover, pnBody* const* bodies, int count, int roundsDone );
void pnPrefetchReady( const pnBody* body ); // asks for what readying it begins with
void pnPrefetchBody( const pnBody* body ); // asks for what moving it begins with
// sums: what matching has added up for each, left zero. done: whether the round is; if not, it was relaxed only (govern.h) and must be readied and matched again.
void pnMoveBodies( const pnMover* mover, pnBody* const* bodies, float* const* sums, int count, bool* done );
void pnLandPins( pnBody* body ); // after the last substep: exactly on their targets
