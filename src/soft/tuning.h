// tuning.h - what a material comes to for one step size: pull, damping, blend, limits. Knows no bodies and no points.
#pragma once

#include "pliant/pliant.h"

#include <stdbool.h>

// Beyond anything; its square is still finite.
#define PN_NEVER 1e15f
#define PN_IS_SET( limit ) ( ( limit ) < 1e14f )

// Floats the lanes of shape_wide.h load in rows of four come first, in this order.
typedef struct pnTuning
{
	// row 0
	float blend; // how far goals follow the fit (beta at this step size)
	float volume; // weight of the volume goal, 0 off
	float damp; // b: part of the free deviation's velocity taken per step
	float dampFit; // b_s: part of the fitted shape's velocity taken per step
	// row 1
	float capStart, capEnd; // as a distance from rest, in units of its size; capStart PN_NEVER: no radial cap
	float rowStart; // row norm at which row caps set in, PN_NEVER none
	float slowStart; // distance at which the exact path takes over (scale caps and curves), PN_NEVER never
	// row 2
	float volumeLow, volumeHigh; // the volume goal acts outside of these, in units of rest
	float volumeWideLow, volumeWideHigh; // and by the quick projection between these, else by the exact one
	// row 3
	float yield; // PN_NEVER never
	float recovers; // 1 if plastic strain heals
	float quadratic; // 1 if the quadratic modes count
	float heldVolume; // weight of the volume goal where pins hold the fit, so that shape cannot follow it

	double pull; // a: the part of its deviation by which the two half kicks of one instant drive a particle back in one step
	double step; // h, s
	double stiffness; // w^2, 1/s^2: what holds the deviation, the same for every step
	double lightness; // a / (w h)^2 <= 1: 1 / the factor by which the deviation is made more inert, where a step is too long for the frequency
	double local; // the part of a push that acts on the particles themselves, so that they give way to it as the stiffness says; the rest moves the
				  // body as a whole (whole.h). Lightness, less what damping takes of the half kick that meets the push
	double followed; // pnFollowed
	double curvature; // bound of the potential's curvature
	double creepPart, recoveryPart; // 1 - exp( -h rate )
	bool bare;
	bool held; // made for a body with pins
	const pnMaterial* material; // what it was made of: the body's
} pnTuning;

enum { PN_RESPONSE_ROWS = 4 };

// NULL if the material makes sense, else the name of the field that does not.
const char* pnCheckMaterial( const pnMaterial* material );
// The part of a swing's velocity that a step of h leaves because it can follow it.
double pnFollowed( const pnMaterial* material, double h, double stiffening );
// The material is not copied: it must live as long. stiffening: the body's, by which it swings faster than its material says.
pnTuning pnMakeTuning( const pnMaterial* material, double step, bool overlapping, double stiffening );
pnTuning pnMakeHeldTuning( const pnMaterial* material, double step, bool overlapping, double stiffening ); // of a body with pins

// The distance the cap lets through and the potential it stands for: psi = r^2/2 - integral of f.
double pnCapResponse( const pnMaterial* material, double distance, double* psi );
double pnEvaluateCurve( const pnCurve* curve, double x );
