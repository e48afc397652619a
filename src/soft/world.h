// world.h - the world's struct. Opened in world.c, touch.c, step.c (with schedule.c) and snapshot.c only; all other files get arrays and bodies.
#pragma once

#include "../contact/contact.h"
#include "collide.h"

typedef struct pnSlot { pnBody* body; uint32_t generation; } pnSlot; // index1 - 1 -> body
// index1 - 1 -> whose it is and which body has the grip that knows this slot; body: its slot, -1 nobody in here.
typedef struct pnGrab { int32_t body; uint32_t generation, owner; bool locked; uint64_t userData; } pnGrab;

// Small bodies that one worker takes through the whole step while they are in its cache.
typedef struct pnUnit { int firstBatch, batchCount, firstBody, bodyCount; } pnUnit;
// A body in the schedule, and where its sums begin in the worker's scratch.
typedef struct pnScheduled { pnBody* body; uint32_t sumRow; } pnScheduled;

// Who is stepped with whom. Rebuilt when bodies come, go, sleep or wake, and when pins give one another form; changes nobody's bits.
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

	pnGrab* grabs;
	int grabSlotCount, grabCapacity;
	int32_t* grabOrder; // slots in order of birth
	int grabCount, grabOrderCapacity;

	pnPiece* pieces; // what became of bodies that were cut; the first `piecesTold` could be seen since the last step ended
	int pieceCount, pieceCapacity, piecesTold;
	uint64_t pieceSerial; // of the last one

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
pnGrip* pnFindGrab( const pnWorld* world, pnGrabId id, pnBody** body ); // likewise; and whose body's grip it is
#define PN_FIND_OR_RETURN( world, id )                                                                                        \
	pnBody* body = pnFindBody( world, id );                                                                                   \
	if ( body == NULL )                                                                                                       \
	return pn_notFound
void pnWake( pnWorld* world, pnBody* body );
// A body that is all there comes in and gets an id; false if there is no memory, then it has not. Dismissed, it is the caller's again.
bool pnAdmitBody( pnWorld* world, pnBody* body );
void pnDismissBody( pnWorld* world, pnBody* body );
void pnReplaceBody( pnWorld* world, pnBody* before, pnBody* after ); // one admitted since takes over id and place of another, which is dismissed
void pnForgetPieces( pnWorld* world, int count ); // the first ones
void pnTearBodies( pnWorld* world, float timeStep ); // those stretched too far, at the end of a step; without memory they hold
void pnProfileStep( pnWorld* world, double seconds ); // what the step that took so long has done
void pnJoinContacts( pnWorld* world, pnBody* body ); // its collider is there; fills it in
void pnDropGrab( pnWorld* world, int32_t slot ); // and its grip, if a body has it still
// After grips have gone from body to body: a body's grips belong to it; and what is said to be of the body in `slot` but is not there is no
// more. Both change nothing where all is in order.
void pnRelistGrabs( pnWorld* world, const pnBody* body );
void pnForgetGrabs( pnWorld* world, int32_t slot );
void pnAddDemand( pnDemand* demand, const pnBody* body );
void pnDropDemand( pnDemand* demand, const pnBody* body );
// Takes all memory that a step can need; false if there is none.
bool pnReserveSchedule( pnWorld* world, const pnDemand* demand );
void pnBuildSchedule( pnWorld* world ); // within what was reserved
void pnFreeSchedule( pnWorld* world );
