// collider.h - a body as contact sees it: particles, a surface, a way back to its rest shape. Knows no solids, no clusters, no world.
#pragma once

#include "surface.h"

// From here to rest: q = rest + columns ( p - center ), the inverse of a cluster's fit. Rows of four for vector loads.
typedef struct pnRestMap
{
	float center[4]; // fourth: metres by which the fit may be off, because shapes bend more than linearly
	float columns[3][4]; // fourths: unused
	float rest[4]; // fourth: 1 / smallest stretch
	float lower[4], upper[4]; // rest box of the cluster. Fourth of upper: how far from itself at rest a part must be to touch it
	float half[4]; // half extents of the cluster as it lies
} pnRestMap;

// A drift is straight, and its chord (soft/whole.h) reaches no farther than about a radian; this far the turn and the pull of a body are right to a few percent (at
// 0.8, spin.SpinningCubes grow by more than their stiffness says). What turns more takes its substep in rounds, and no dashpot makes a body turn more.
#define PN_MOST_TURN 0.35f // rad in a drift

enum { PN_STIR_ALL = 255 };
enum { PN_DENT_PARTS = 256 };

typedef struct pnCollider
{
	const pnSurface* surface; // NULL: nobody in this slot
	uint32_t generation; // of the body in this slot
	float *x, *v; // particles: x y z m; velocity and 1/m, 0 if pinned; m in parts of the body's mass
	int count; // rows, a multiple of 4
	pnFilter filter;
	pnDetector detector;
	bool self, awake, held; // held: some particles are
	bool wanted, mapped; // its laid tree, its maps are needed in this substep
	bool refreshed; // moved from outside: everything near must be found anew
	bool piece, fresh; // cut from something; since the last step
	float misfit; // metres: of a piece, how far its faces may lie in those of other pieces when it has just been cut
	uint8_t stirred; // asleep, and something happened that must wake it: so many bodies deep, PN_STIR_ALL: with all that it lies together with
	float friction, restitution;
	float thickness; // metres kept free around it
	float mass; // kg
	float fall[3]; // m/s^2 by which gravity draws it
	float spring; // rad/s: how fast it springs back
	float damping; // ratio of its swings; 0: none of contact either
	pnRestMap* maps; // one for each cluster
	int mapCount;
	pnBoxes* laid; // boxes over its triangles as they lie (tree.h), when wanted
	int laidCount;

	// as it lies after the drift
	float lower[4], upper[4]; // of its particles
	float center[4]; // of mass
	float mean[4]; // velocity of the centre, m/s
	double wander; // metres its particles have moved against its centre, all substeps together
	float wanderStep; // in the last substep
	float fat[8]; // box given to the broad phase
	int32_t chunk; // bodies that lie together (order.c)
	int32_t place; // among the bodies of the world, when the step began
	int32_t bulk; // among the bodies in hard hits, or -1

	// how it answers a push: a part on the particles, the rest on the whole
	float local; // the part; 1: all of it
	float leastLocal; // and of a place that is pressed in, at least
	uint16_t* dents; // of each particle at the outside, in order: the square of how far it is from its goal, in parts of that of a soft dent (collide.c) and of PN_DENT_PARTS
	int dentCount;
	float passed; // N s that it gets as a whole, of what pushes begin with in this substep
	float harder; // how much smaller that is because strain has hardened it, >= 1
	bool spins; // free to turn: what pushes put in as spin is taken out of its turn
	float drift; // s, of the last drift
	float pivot[4]; // what it turns about, where that was before the drift
	float perMass; // 1; 0 if pins hold it: in units of 1 / mass
	float perInertia[3][4]; // angular velocity by spin, per mass; rows
	float rolls[4]; // rad/s: the turn it has kept for a while, as it began the step with
	float rigid[4], rigidTurn[4]; // its motion as a whole before this substep's forces, m/s and rad/s, and what hits and dashpots have changed of it
	float velocity[4], turn[4]; // what the whole has gained in this substep, m/s and rad/s
	float move[4], twist[4]; // and been moved besides, without velocity, m and rad. Its particles get both when all is pushed (pnTakePushes)

	// what contact did in this substep
	double gain[3]; // velocity of the centre, m/s, by contacts
	double hit[3]; // and by hard hits; `mean` has it
	double shift[3], shove[3]; // way of the centre without velocity, metres: by hard hits, which act later than the substep begins; by shoves
	double spun[3]; // spin that pushes put in because they act where things are now, per mass, m^2/s: the next step takes it out
	bool touched; // something carries it or leans on it
	bool shoved; // and has moved it, without velocity
	float shoveSpeed; // m/s: how fast that moved its centre in the last substep

	// whether it sleeps (island.c)
	bool restless; // it never does: pinned, held, or nothing is known of its motion
	float motion, restSpeed; // m/s, how much it moves, parts and whole; below restSpeed it is at rest
	float rested; // s that it has been in an island at rest
	bool carried, disturbed; // after this step: touches something; touches something that moves
	bool sleeps; // from now on
	int32_t island; // root
	double islandMotion, islandMost; // of roots: mass times motion^2 of all; of what is at rest, J
} pnCollider;

// It is to wake, if it sleeps, so many bodies deep.
static inline void pnStir( pnCollider* collider, uint8_t depth ) { collider->stirred = depth > collider->stirred ? depth : collider->stirred; }
