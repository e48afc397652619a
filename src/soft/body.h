// body.h - a solid that lives: particles, clusters, pins, grips, forces, its energy account. Knows no world.
#pragma once

#include "match.h"
#include "whole.h"

typedef struct pnPin { int32_t particle; float target[3]; } pnPin;
typedef struct pnPointForce { int32_t particle; float value[3]; } pnPointForce;
typedef struct pnGripPoint { int32_t particle; float phi; } pnGripPoint;

// A hand that holds a region (grip.c).
typedef struct pnGrip
{
	int32_t slot; // in the world's table of grabs
	int pointCount;
	pnGripPoint* points; // by particle, rising. Own
	float hertz, dampingRatio, maxForce;
	float target[3];
	double aim[3]; // where the target is now, on its way
	double offset[3]; // of the place that was taken from the middle of what is held, in the world
	double impulse[3]; // N s, in this step so far
	double force[3]; // N, mean of the last step
	bool yields; // in some substep it would have drawn the body too far
} pnGrip;

// How much it has been moving, smoothed over an eighth of a second: what trembles in its place has hardly any velocity then.
typedef struct pnUnrest
{
	float velocity[3], turn[3]; // m/s of the centre; rad/s
	float rolls[4]; // rad/s, the turn smoothed over a second: what it keeps when it rolls, not when it rocks. Fourth: 0
	float shape2; // mean square of what its parts move besides, (m/s)^2
	float rested; // s that it has been in an island at rest (contact/island.h)
} pnUnrest;

#define PN_FORGETTING 10.0 // 1/s: what contact has taken of a body's energy is lost by and by

typedef struct pnBody
{
	pnBodyId id;
	pnSolid* solid; // what it was made of
	pnSolid* held; // the same with pinned particles made heavy; NULL without pins. Own
	pnMaterial material;
	pnTuning response; // of `material` at response.step
	float mass; // kg: the solid's, or by the material's density if that is what the solid was made with
	float gravityScale;
	uint64_t userData;
	pnFilter filter;
	pnDetector detector;
	bool selfContact;
	pnUnrest unrest;
	bool justCut; // cut since the last step: it lies against other pieces as the blade has left them, see pnPair.thick
	float unease; // s: of a piece just torn off, until all of it has heard of that and it may tear anew
	float ebb; // J/kg, of a piece: the least energy that it has had, but for the motion of its centre. What it has more than that was put in from outside (tear.c)
	float shiftLeft; // what is left of `shifts`, [0,1]

	pnVec3* shifts; // of a piece just cut, for each skin vertex: how far it lies from where its clusters carry it, along its first one's axes. Or NULL. Own

	pnMatchBody match; // x, clusters and motion are kept here
	float* v; // beside match.x: velocity of the last drift, and 1/m, 0 if pinned
	int count; // particles, rounded up to 4
	float origin[3]; // near the centre of mass: sums are taken relative to it
	pnPointSums sums; // of the particles, relative to origin and match.motion, if measured
	pnWhole whole; // its motion as a whole when the last drift began
	pnPointStep kick; // what the coming kick does, as far as it is known before matching
	int rounds; // of match and move in this substep
	float strained; // J/kg, the potential of the last match: what the same strain has in steps of any length. Told anew by each
	double timeLeft; // s until pins and targets must be where they are told, when this round begins

	// The energy account (govern.c), J per kg.
	double account; // what the steps have put in by error; a little credit is kept
	double moving, guarded; // the deviation's velocity at the last instant; and all but the motion of the centre
	double kinetic, elastic; // synchronised energies of the last substep, J
	double size2; // sum of share * restNorm2: the scale of the potential, m^2
	double breadth2; // of its clusters, m^2: pnMeasureBreadth
	double stiffening; // by which it swings faster than its material says: a piece has the elastic moduli of what was cut first, and those go with ( hertz * breadth )^2. 1: no piece
	double extent; // largest at rest, m
	double firmness; // <= 1: how much slower than one cluster's its slowest swing is, where many clusters are a chain
	double strayMomentum[3], straySpin[3]; // what rounding has put in, per mass; the next step takes it out again
	double stored; // what pushes have taken of its energy and may give back, J, less what they have given: it is told as elastic
	double lag[3]; // how far rounding has left the centre behind, m; the next steps make it up
	double lastStep, lastRate, lastLightness; // h, a / h and lightness of the last step: they may change from one to the next
	double lastSwing; // lightness of what swung in it (govern.c)
	bool followed; // the last step was short enough for its swings
	bool loses; // this step is too long for its swings, and longer than the last: the deviation's velocity is damped as a whole (govern.c)
	int relaxings; // times it was relaxed in this round, so far
	double beforeRelaxing, unbooked; // all its energy before that, and its account before what the length of the step changes
	bool measured; // nobody has moved particles since their sums were taken
	bool untouched; // nor since `moving` and `guarded`
	bool inherits; // a piece that has not moved yet: `guarded` is what it held before, in the body that it was a part of, and it gets no more
	bool given; // its velocities were given to it before the last step, in which it was fresh
	bool fresh; // moved from outside: the next step has no past to compare with
	bool revalued; // another material: energies of before do not compare
	bool struck; // velocity was given to it from outside, of which its clusters' motion does not tell yet
	bool awake;

	pnPin* pins; // by particle, rising
	int pinCount, pinCapacity;
	pnGrip* grips; // in order of birth
	int gripCount, gripCapacity;
	pnPointForce* forces; // for the next step, N
	int forceCount, forceCapacity;
	pnVec3 force; // on the whole, N
} pnBody;

static inline bool pnIsPinned( const pnBody* body, int32_t particle ) { return !( body->v[4 * (size_t)particle + 3] > 0.0f ); }

static inline float pnStayInside( float x ) // a world is a cube of 2e8 m, as pnStopAtWalls has it
{
	x = x <= 1e8f ? x : 1e8f;
	return x >= -1e8f ? x : -1e8f;
}
static inline void pnDriftInside( float* x, float* v, float way ) // what comes to a wall stands there
{
	float to = *x + way;
	*x = pnStayInside( to );
	*v = *x == to ? *v : 0.0f;
}

// A body of the solid, which is retained; NULL if there is no memory.
pnBody* pnMakeBody( const pnSolid* solid );
void pnFreeBody( pnBody* body );
size_t pnGetBodyBytes( const pnBody* body ); // without its solid
pnQuat pnUnitQuat( pnQuat q );
void pnPlaceBody( pnBody* body, const pnBodyDef* def );
void pnWeighBody( pnBody* body, const pnMaterial* material );
// Finds origin and mean velocity anew and forgets the past: to be called when particles were moved from outside.
void pnRefreshBody( pnBody* body );
// Brings `held` and the flags in line with the pins; false if there is no memory, then nothing changed. Refresh the body afterwards.
bool pnHoldPins( pnBody* body );

// Centre of mass, momentum per mass, spin about the centre per mass and second moments, in double.
typedef struct pnBodyMotion { double center[3], velocity[3], spin[3], second[6]; } pnBodyMotion;
pnBodyMotion pnMeasureBody( const pnBody* body );
// The best rigid motion from rest to here: of all particles, as one cluster would be fitted.
pnTransform pnRigidFit( const pnBody* body, const pnBodyMotion* motion );
// Of the inertia, from second moments about the centre (xx yy zz xy yz zx) and likewise; false if it is nearly a line's or a point's.
bool pnFindCofactors( const double second[6], double cofactors[6], double* det );
// Solves inertia * omega = spin, from second moments about the centre.
void pnAngularVelocity( const double second[6], const double spin[3], double omega[3] );
