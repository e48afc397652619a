// friction.h - pressures and Coulomb's friction on the pads of a contact, from their compliance. Knows no tools' shapes and no solids.
#pragma once

#include "vec3d.h"

typedef enum pnPadState
{
	pn_openPad, // nothing acts
	pn_stickingPad, // moves along with its tool
	pn_slidingPad, // the traction along the tool is friction times pressure, the way the tool rubs
} pnPadState;

// Along three axes of each pad: out of the tool, and two tangents. Pad k has the rows 3 k, 3 k + 1, 3 k + 2.
typedef struct pnFriction
{
	int count;
	const double* matrix; // compliance: area times mean displacement by a unit traction; ( 3 count )^2, symmetric
	const double* side; // area times how far the tool would move the pad: out of itself, and along. 3 count
	const double* areas;
	const double* coefficients; // of friction, of each pad; 0: smooth
	uint8_t* states; // pnPadState: where to begin, and how it was in the end
	double* tractions; // the same; 3 count
} pnFriction;

// Semi-smooth Newton steps on Coulomb's law (Alart and Curnier 1991): each is an exchange of the three sets and a solve of the pads that are not
// open. False: it did not settle, or no memory (outOfMemory). changes: how many steps, added.
bool pnSettleFriction( pnFriction* friction, int* changes, bool* outOfMemory );
