// contact.h - what touches what, and how it is pushed apart: pairs that are near, points near surfaces, pushes, events. Knows colliders
// and shapes by number; no solids, no ids, no world. Called by step.c once each substep, between drift and the next match.
#pragma once

#include "../base/task.h"
#include "broad.h"
#include "collider.h"
#include "detect.h"
#include "shape.h"

#define PN_CONTACT_MARGIN 0.5f // of the thickness: what has touched keeps its push until it is that far off

// A point of one body near the surface of another, or near a shape. Kept until the pair has moved.
typedef struct pnCandidate
{
	int32_t point; // particle, or ~sample; of an edge: its number
	int32_t triangle; // of the other body's surface; found anew by walking. Of a lip, an edge: its number
	float key; // it cannot touch before the pair has moved so far, metres; negative: it does. With what is kept free: how far off it was when looked at
	float side; // for open surfaces: which side of its triangle is outside, +1 or -1; 0 not known yet. For closed ones +1: outside, whatever the triangle says. Of edges 1: they came from outside
	float push[4]; // N s in the last substep: across the normal x y z, and along it. Where the next one begins
} pnCandidate;

// A contact of this substep (row.h). Fourths of rows are numbers of their own.
typedef struct pnRow
{
	int32_t at[6]; // particles: one or two of the point, three or four of the surface
	float weights[6];
	float normal[4]; // unit; the gap when the substep began, metres
	float push[4]; // N s so far: across, along
	float armOf[4]; // from the pivot of the point's body, before the drift; mass along the normal, kg
	float armAt[4]; // the same of the surface's; mass across
	float apart[4]; // from the place on the surface to the point, before the drift; what n . ( x of - x at ) is where they touch
	float ground[4]; // velocity of the shape there; speed at which they met, m/s
	float place[4]; // of the point after the drift; depth there, metres
	float localOf, localAt; // part of a push that the particles get, on each side; the whole gets the rest
	int32_t candidate; // or -1
	int8_t pointCount, partCount;
	bool outward; // its normal is the pair's way out: depth goes by moving the bodies as wholes
} pnRow;

#define PN_UNSEEN -1e30f // metres: of a pair that was not looked at

// Two that are near: bodies a < b, or a = b with itself; or shape a and body b.
typedef struct pnPair
{
	int32_t a, b;
	int32_t first, middle, count; // candidates: points of b at a's surface, then from `middle` on points of a at b's; of one with itself those at its slits' other lips
	int32_t edgeCount; // after them: edges of a at edges of b (edges.h)
	int32_t stored, foundMiddle, foundCount; // what the papers' detectors found in this substep: points of b, then from foundMiddle on of a; -1 none
	float base[3]; // centre of a - centre of b when detected
	float slack; // how far they may move before they are looked at again, metres
	float thick; // metres kept free between them: what both surfaces want, or the gap they had when they were first seen; PN_UNSEEN: not seen yet
	float motion; // how far they have
	double wanderA, wanderB;
	int32_t rowFirst, rowMiddle, rowEnd; // of this substep: rows of points of b, then from rowMiddle on of a
	float perMassA, perMassB, friction; // of this substep: 1/kg, 0 if it does not give way; of the two together
	float passedA, passedB; // in this substep: N s of what they begin with that each body gets as a whole
	bool shoves; // in this substep: some row was deep before
	int32_t sweeps; // of this substep: before those that all pairs take
	float dashpot[4], dashArmA[4], dashArmB[4], dashPlace[4]; // of this substep: its push (rebound.h), N s, and along its normal; where it acts
	float dashTurn[4]; // and its turning, N m s; fourth: the push it needs, N s
	int32_t color, group; // pairs of one colour share no body unless they are of one group (order.c)
	uint8_t detected, stale, touching, touched, quiet, deep; // stale: to be looked at now; touched: before this step; quiet: steps without a push; deep: surfaces have gone through each other
	float way[3]; // unit: how b leaves a, while they are deep; 0 before that is known
	float load[3], led[4]; // N, what they pressed each other with when both were last awake; metres that the centre of the one has gone since beside the other, which sleeps, and fourth: how far in all
	// of this step
	float impulse[3], torque[3], position[3], normal[3], weight, depth, speed; // torque: about the shape's origin
} pnPair;

enum { PN_FIRST_SHAPE = 1 << 30 }; // in the tree of the broad phase: names of shapes begin here, those of bodies are their slots
enum { PN_LAST_COLOR = 64 }; // pairs of this one may share bodies: they are done one after another

typedef struct pnShape
{
	pnForm* form; // NULL: nobody in this slot
	pnTransform transform, target, before; // now, at the end of the step, at the start of the substep
	float friction, restitution;
	pnFilter filter;
	uint64_t userData;
	uint32_t generation, owner;
	bool moves;
	double impulse[3], angular[3]; // of the last step, N s and N m s
	pnAABB bounds; // over this step
	int32_t place; // in the order of birth, when pairs were last found
	bool flat; // a plane
	float plane[4]; // its normal and offset as it lies now
} pnShape;

// A hard hit: between two bodies as wholes, or a body and a shape (bulk.c).
typedef struct pnHit
{
	int32_t a, b; // into the bulks; a = -1: a shape
	pnPair* pair;
	double normal[3]; // unit, the way b goes
	double place[3]; // where they meet
	double armA[3], armB[3]; // from the centres when they meet to where the hit acts
	double time; // s from the start of the substep until they meet
	double met; // m/s: speed at which they meet
	double leave; // m/s: speed at which b is to leave a, at least; negative: approach that is left to the surfaces
	double friction;
	double ground[3]; // velocity of the shape there, m/s
	double pushed; // N s, so far
} pnHit;

// A body as a whole, while hits are solved.
typedef struct pnBulk
{
	int32_t collider;
	bool pushed;
	double perMass, center[3], velocity[3], spin[3]; // 1/kg, 0 if it does not give way; m/s, rad/s
	double inverse[9]; // of the inertia, 1/(kg m^2)
	double gain[3], turn[3]; // m/s, rad/s, so far
	double shift[3], angle[3]; // metres by which it lags behind that, because it was hit later; rad it has turned by that since
	double torque[3]; // what made it turn: spin per mass, m^2/s
} pnBulk;

// A growing array.
#define PN_LIST( T ) struct { T* at; int count, capacity; }
#define pnGrowList( list, wanted ) pnGrow( (void**)&( list ).at, &( list ).capacity, ( list ).count, wanted, sizeof( *( list ).at ) )
// Where every item that is read has been written since the list was last empty.
#define pnGrowRawList( list, wanted ) pnGrowRaw( (void**)&( list ).at, &( list ).capacity, ( list ).count, wanted, sizeof( *( list ).at ) )
#define pnFreeList( list ) pnFree( ( list ).at, (size_t)( list ).capacity, sizeof( *( list ).at ) )

// Where a worker has put what it found for one pair.
struct pnPlaced { int32_t worker, first, middle, count, edgeCount, foundFirst, foundMiddle, foundCount; };

typedef struct pnContactWorker
{
	PN_LIST( pnCandidate ) candidates;
	PN_LIST( pnFound ) found;
	PN_LIST( uint8_t ) marks; // of particles, while a pair's way out is found
	pnArena arena;
	bool full; // ran out of room
	char pad[PN_CACHE_LINE];
} pnContactWorker;

typedef struct pnContactStats
{
	double broad, narrow, solve; // seconds
	int pairs, candidates, contacts, dropped;
	float deepest;
} pnContactStats;

typedef struct pnContacts
{
	PN_LIST( pnCollider ) colliders; // by the body's slot
	PN_LIST( pnShape ) shapes; // by the shape's slot
	int32_t* shapeOrder; // slots in order of birth
	int shapeCount, shapeOrderCapacity;
	int surfaceCount, points, mostPoints; // of colliders that have a surface; points of all together, of the largest
	int mostMaps; // of a body, ever
	pnBroad broad; // boxes of bodies with room to move in, then those of shapes
	PN_LIST( int32_t ) strays; // bodies beyond the box they have there (ask.h)
	PN_LIST( pnPair ) pairs; // bodies, sorted by a, b
	PN_LIST( pnPair ) grounds; // shapes and bodies, sorted by body, then shape
	PN_LIST( pnPair ) spare, spareGrounds; // the lists being made; one for each, so that each finds the room it had
	PN_LIST( pnCandidate ) candidates; // of pairs, then of grounds
	PN_LIST( pnCandidate ) spareCandidates;
	PN_LIST( pnFound ) found; // of this substep
	PN_LIST( pnRow ) rows; // of this substep: room for one of each candidate, then of each found
	PN_LIST( int32_t ) order; // pairs by colour and group
	PN_LIST( int32_t ) groupStarts; // into the order, and its end
	PN_LIST( int32_t ) spareOrder;
	PN_LIST( uint64_t ) keys;
	PN_LIST( uint64_t ) spareKeys;
	PN_LIST( uint64_t ) chunkColors;
	PN_LIST( int32_t ) groundStarts; // of each body's run of grounds, and the end
	PN_LIST( int32_t ) work; // pairs to be looked at
	PN_LIST( struct pnPlaced ) placed; // of each item of work
	int colorStart[PN_LAST_COLOR + 2], colorCount; // into groupStarts
	PN_LIST( pnHit ) hits;
	PN_LIST( pnBulk ) bulks;
	pnContactWorker* workers;
	int workerCount;
	const struct pnFinders* finders; // field.h
	bool moved; // a body was, from outside, since the last step
	bool renew; // pairs must be found anew: something came, went or was moved
	bool treesWanted, mapsWanted, fast, resting; // some collider's laid tree, maps are; some pair meets fast; all bodies sleep
	float step, lastStep; // h, and of the substep before
	float recovered; // part of the depth that goes in a substep
	int sweeps, stiffSweeps, mostSweeps; // in each substep: over all rows; over those of stiff bodies before that; over those of any, at most
	float gravity; // m/s^2, its size
	PN_LIST( pnContact ) contacts; // events of the last step; ids are filled in by the world
	PN_LIST( pnTouch ) begun;
	PN_LIST( pnTouch ) ended;
	int endedKept; // of `ended`, those that have been told; later ones parted between steps
	pnContactStats stats;
} pnContacts;

void pnChunkColliders( pnContacts* contacts );
bool pnGroupPairs( pnContacts* contacts ); // groups and colours of pairs, and their order; false: no memory
bool pnReserveOrder( pnContacts* contacts, int pairCount );
bool pnOrderPairs( pnContacts* contacts ); // the order alone, from colours and groups that pairs have

bool pnInitContacts( pnContacts* contacts, int workerCount, const struct pnFinders* finders );
void pnFreeContacts( pnContacts* contacts );
size_t pnGetContactBytes( const pnContacts* contacts );

// A body comes, goes, or was moved from outside. Add: false if there is no memory. Its own fields are the caller's to fill in.
bool pnAddCollider( pnContacts* contacts, int slot, int mapCount, const pnSurface* surface ); // surface NULL: it touches nothing
// After something was added; the surface if it was a body that can touch. False: no memory, drop it again.
bool pnReserveContacts( pnContacts* contacts, const pnSurface* added );
void pnDropCollider( pnContacts* contacts, int slot ); // what leaned on it wakes
pnResult pnAddShape( pnContacts* contacts, const pnShapeDef* def, int* slot );
void pnDropShape( pnContacts* contacts, int slot );
void pnPlaceShape( pnContacts* contacts, int slot, pnTransform transform );
// What touches the shape and sleeps is to wake: see pnCollider.stirred.
void pnStirOnShape( pnContacts* contacts, int slot );

// Before the first substep, and after the last.
enum { PN_SWEEPS = 4 }; // over all contacts in a step, at least: few substeps take several, and so do long ones
void pnBeginContacts( pnContacts* contacts, double subStep, int subStepCount );
void pnEndContacts( pnContacts* contacts ); // events, and who is to wake
void pnNoteParted( pnContacts* contacts, const pnPair* pair, bool ground, uint8_t depth ); // two that touched do no more; who of them sleeps wakes, so many bodies deep

// Each substep, in this order. h: its length; left: substeps to go, this one included.
void pnFindPairs( pnContacts* contacts, double h, int left ); // marks the colliders whose maps are wanted
void pnLayTrees( pnContacts* contacts, pnTasks* tasks );
void pnStopHardHits( pnContacts* contacts );
void pnDetectPairs( pnContacts* contacts, pnTasks* tasks );
void pnPushApart( pnContacts* contacts, pnTasks* tasks );
void pnPushApartAvx2( pnContacts* contacts, pnTasks* tasks ); // the same, where the machine has it
