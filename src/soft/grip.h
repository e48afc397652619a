// grip.h - hands on one body: what they hold and where that is (grip.c), and the pull towards its target (pull.c). Knows one body, no world.
#pragma once

#include "body.h"

// What is held around `place` (world): the nearest particle and those within `radius` of it at rest, negative: a tenth of the body's size.
// The grip is the body's last one, its target is the place. NULL if there is no memory. The caller fills in the rest.
pnGrip* pnAddGrip( pnBody* body, pnVec3 place, float radius );
// A grip as it was saved, for `pointCount` points that the caller fills in. NULL if there is no memory.
pnGrip* pnAddBareGrip( pnBody* body, int pointCount );
void pnDropGrip( pnBody* body, int index );
void pnFreeGrips( pnBody* body );
size_t pnGetGripBytes( const pnBody* body );
pnGrip* pnFindGrip( const pnBody* body, int32_t slot ); // NULL if there is none
void pnFindGripPlace( const pnBody* body, const pnGrip* grip, double place[3] ); // where what is held is now

typedef struct pnGripSpot
{
	double share; // M in parts of the body's mass; 0: all of it is pinned
	double inert; // 1 / G likewise: what it answers to a push with, by itself
	double place[3], velocity[3];
	double rest[3]; // where it was at rest, from the centre of mass
} pnGripSpot;
pnGripSpot pnMeasureSpot( const pnBody* body, const pnGrip* grip ); // of what is not pinned; if all is, that

// Around a change of what is pinned: places stay where they are, though what counts in a region is not the same any more.
void pnLiftGrips( pnBody* body );
void pnLayGrips( pnBody* body );

// The pull.
void pnReadyGrips( pnBody* body ); // before the first substep
// After kick and drift: velocity, and the way it makes in this drift. Adds to moment, of what was gained, in parts of the body's mass, and to turned: what its
// turn has gained since the drift.
void pnPullGrips( pnBody* body, double h, double timeLeft, double moment[3], double turned[3] );
void pnLandGrips( pnBody* body, double timeStep ); // after the last substep

// A body comes apart: a copy of each grip goes to the piece that has most of what it holds, with what that piece has of it, and its place stays
// where it is; grips of which no piece has anything are gone. pieceOf, particleOf: of each particle of `from`, -1 in none. Pieces lie where
// they are by now; NULL: one that is not to live. False if there is no memory, then nothing has changed. Order and slots stay the same.
bool pnCopyGrips( const pnBody* from, pnBody* const* pieces, int pieceCount, const int32_t* pieceOf, const int32_t* particleOf );
