// crowd.h - what a step does with a body's own numbers, in double, for a few bodies side by side: one lane each. Knows bodies, no world.
#pragma once

#include "body.h"

enum { PN_MOST_CROWD = 4 }; // bodies side by side

// Chords of a body (whole.h): what they are made of, besides its motion as a whole and kick.swing, which its turn gains before the drift to come.
typedef struct pnChordTask
{
	pnBody* body;
	double hBefore, hAfter; // s, of the last drift and the one to come
	double inertBefore, inert; // the part of the chord that is used of each: 1 - lightness
	double part; // the larger: chords need be no more exact than floats can show of it
} pnChordTask;

// All for 1 to PN_MOST_CROWD bodies. One body is done as it would be beside others, to the bit.
typedef struct pnCrowd
{
	void ( *findWholes )( pnBody* const* bodies, int count ); // of free ones: body->whole, from body->sums
	void ( *findChords )( const pnChordTask* tasks, int count ); // writes kick.chordBefore and chordAfter
	// What the kick and the drift take of the motion as a whole. kicks: sum of each body's forces and their torque about its origin; not read where pins hold it.
	void ( *aim )( pnBody* const* bodies, const double ( *kicks )[6], int count );
	// After the drift: where the centre is, how fast, and what rounding has done to either: momentum, spin and the centre's way should be as told.
	void ( *settle )( pnBody* const* bodies, const pnPointTotals* totals, int count );
} pnCrowd;
