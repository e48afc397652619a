// move.h - kick and drift of one body whose clusters have been matched. Knows one body, no world.
#pragma once

#include "../base/task.h"
#include "body.h"

// What the particles of a block add up to in the passes of a step.
typedef struct pnBlockSums { pnPointSums points; pnPointRigid rigid; pnPointTotals totals; double deviation; } pnBlockSums;

typedef struct pnMover
{
	const pnKernel* kernel;
	pnTasks* tasks; // to share the blocks of a large body; NULL: this worker does them all
	pnBlockSums* blocks; // one for each PN_BLOCK particles
	pnVec3 gravity;
	int stepsLeft; // substeps until pins and targets must be where they are told, this one included
} pnMover;

void pnReadyBody( pnBody* body ); // before it is matched
void pnPrefetchBody( const pnBody* body ); // asks for what moving it begins with
// sums: what matching has added up for this body, left zero.
void pnMoveBody( const pnMover* mover, pnBody* body, float* sums );
void pnLandPins( pnBody* body ); // after the last substep: exactly on their targets
