// whole.h - a body's motion as a whole: what of a push moves all of it, and how its drift becomes a turn. Knows one body, no world.
//
// A particle's velocity is that of the whole, velocity + turn x arm, and its deviation. Where a step is too long for a material's frequency, its
// deviation is made more inert, by 1 / local (tuning.h): a push J on a particle of mass m then gives it local * J / m, and the whole the rest
// (selective mass scaling, with the rigid motion left alone). Both momenta are J's, exactly.
#pragma once

#include "match.h"

struct pnBody;

typedef struct pnWhole
{
	double center[3]; // m, world: the centre of mass, or what a pinned body turns about
	double velocity[3], turn[3]; // m/s of the center; rad/s
	double second[6]; // of the particles about the center (xx yy zz xy yz zx), per mass
	double perMass; // 1; 0 if pins hold it
	double perInertia[9]; // angular velocity by spin, per mass; none about axes that pins hold
	double axis[3]; // of a body on two pins, unit; else 0
} pnWhole;

pnPointSums pnSumParticles( const struct pnBody* body ); // in double, relative to the body's origin and mean velocity
// sums: of all particles, relative to the body's origin and mean velocity.
void pnFindWhole( const struct pnBody* body, const pnPointSums* sums, pnWhole* whole );
// Pins carry a body with them: the rigid motion they have, about their middle. How many turns they leave free: 3 of one place, 1 of a line, else none.
typedef struct pnPinMotion { double center[3], velocity[3], turn[3], axis[3]; int freedom; } pnPinMotion;
pnPinMotion pnMeasurePins( const struct pnBody* body );
// Pins have another motion than `was`: what is free gains `part` of what a rigid body would, with its turn about the pins as `whole` has it. The rest
// reaches it through its shape. Writes what it gained about the pins' middle; false if it is nothing.
bool pnFollowPins( struct pnBody* body, const pnPinMotion* was, double part, double velocity[3], double turn[3] );
pnWhole pnFindWholeNow( const struct pnBody* body ); // from the particles as they are
void pnInvertInertia( const struct pnBody* body, const double second[6], double inverse[9] ); // of tr( J ) 1 - J; about axes without inertia nothing turns
double pnWholeEnergy( const pnWhole* whole ); // kinetic, per mass, J/kg

// Straight drifts of a turning body make it grow. The chord of its turn in a step of h is the velocity that carries each particle to where the
// turn would, with the same spin: ( Q - 1 ) arm / h, s I p + J p x p = h L / 2 for the half turn ( p, s ) (the discrete rigid body of Moser and
// Veselov). What the chord is besides turn x arm is a matrix on arms: over the last drift, seen from its end, or over the one
// to come. It has neither momentum nor spin. A step has no chord for more than about a radian: then of as much of the turn as it has.
#define PN_LEAST_TURN2 1e-9 // ( rad per step )^2: chords are left out where a turn is too slow for floats to show what they do
void pnFindChord( const pnWhole* whole, double h, double chord[9] ); // over a drift to come

// A push J at `arm` from the center, N s per mass of the body: adds what the whole gains by it.
void pnPushWhole( const pnWhole* whole, double part, const double arm[3], const double J[3], double velocity[3], double turn[3] );
// Gives that to all particles that are free: their velocity, and h times it to their places. Arms are those before the last drift of `drift`.
void pnMoveWhole( struct pnBody* body, const double velocity[3], const double turn[3], double h, double drift );

// What changes a body's turn after its drift, forces at points and hands, has moved its particles straight on, and a straight drift of what turns makes it grow. What the
// chord of its turn, `turned` more than it has drifted with, is besides that which it has drifted with: a matrix on arms. False: too little for floats to show.
bool pnFindBend( const struct pnBody* body, const double turned[3], double h, double bend[9] );
void pnBendBody( struct pnBody* body, const double bend[9], double h ); // along that chord, as if it had drifted so
