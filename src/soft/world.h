// world.h - the world's struct. Opened in world.c, touch.c, step.c (with schedule.c) and snapshot.c only; all other files get arrays and bodies.
#pragma once

#include "../contact/contact.h"
#include "collide.h"

typedef struct pnSlot { pnBody* body; uint32_t generation; } pnSlot; // index1 - 1 -> body

// Small bodies that one worker takes through the whole step while they are in its cache.
typedef struct pnUnit { int firstBatch, batchCount, firstBody, bodyCount; } pnUnit;
// A body in the schedule, and where its sums begin in the worker's scratch.
typedef struct pnScheduled { pnBody* body; uint32_t sumRow; } pnScheduled;

// Who is stepped with whom. Rebuilt when bodies come, go, sleep or wake; changes nobody's bits.
typedef struct pnSchedule
{
	pnUnit* units;
	pnScheduled* bodies; // units' bodies, then the large ones
	pnBatch* batches;
	int unitCount, bodyCount, batchCount, largeFirst; // bodies from largeFirst on are large: all workers share each
	int unitCapacity, bodyCapacity, batchCapacity;
} pnSchedule;

// What stepping a set of bodies can need at most. Sums go down again when bodies go, maxima stay.
typedef struct pnDemand
{
	int bodyCount, groupCount; // sums
	size_t smallRows; // sum of the particles of small bodies
	size_t largestSmall, largeRows; // most particles of one small body, of one large body
	int maxCount, blockCount; // members of the longest cluster; blocks of particles of one body
} pnDemand;

// What one worker needs to itself; its own cache lines.
typedef struct pnWorker
{
	float* sums;
	float* scratch;
	pnBlockSums* blocks;
	size_t sumSize, scratchSize; // floats
	int blockCapacity;
	double matchTime, pointTime;
	int rareCount;
	char pad[PN_CACHE_LINE];
} pnWorker;

struct pnWorld
{
	pnVec3 gravity;
	bool enableSleep;
	const pnKernel* kernel;
	pnTasks* tasks;

	pnSlot* slots;
	int slotCount, slotCapacity, freeSlot; // no slot before freeSlot is free
	pnBody** bodies; // in order of birth
	int bodyCount, bodyCapacity;

	pnSchedule schedule;
	pnDemand demand; // of the bodies that are there
	bool reschedule;
	pnWorker* workers;
	int workerCount;
	float* largeSums; // for the largest of the large bodies
	size_t largeSumSize;
	float* zeros; // what lanes read that have run out of members
	size_t zeroSize;

	pnContacts contacts; // colliders by slot, shapes, what touches

	pnProfile profile;
};

// A body is large beyond this: its batches are spread over the workers instead of the bodies.
enum { PN_LARGE_BODY = 64 }; // clusters

pnBody* pnFindBody( const pnWorld* world, pnBodyId id ); // NULL and a word in the log if there is none
pnShape* pnFindShape( const pnWorld* world, pnShapeId id ); // likewise
#define PN_FIND_OR_RETURN( world, id )                                                                                        \
	pnBody* body = pnFindBody( world, id );                                                                                   \
	if ( body == NULL )                                                                                                       \
	return pn_notFound
void pnWake( pnWorld* world, pnBody* body );
void pnJoinContacts( pnWorld* world, pnBody* body ); // its collider is there; fills it in
void pnAddDemand( pnDemand* demand, const pnBody* body );
void pnDropDemand( pnDemand* demand, const pnBody* body );
// Takes all memory that a step can need; false if there is none.
bool pnReserveSchedule( pnWorld* world, const pnDemand* demand );
void pnBuildSchedule( pnWorld* world ); // within what was reserved
void pnFreeSchedule( pnWorld* world );
