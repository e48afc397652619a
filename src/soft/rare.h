// rare.h - the exact path of one cluster, in double: volume far from rest, reflections, row caps, curves, plastic flow.
// Knows one cluster; knows no particles and no lanes.
#pragma once

#include "match.h"

// The rotation nearest to B (row major), never a reflection; where B leaves it open, near to the turn it had. turn: x y z w, in and out.
void pnTurnExactly( const float B[9], float turn[4] );

// fit: 3 rows of 9 coefficients. Writes the goal's coefficients, how far they follow the fit, and the potential beyond the residual of the fit, m^2.
// May let state->plastic give way, and then turns state->rotation.
void pnShapeExactly( const pnClusterRest* rest, const pnTuning* response, pnCluster* state, const float fit[27], float goal[27], float* blend, double* potential );

// The volume of a cluster with pinned members is that of its plain weights: by those of the fit the pins would be all of it, and what is free would be
// pushed without end. Takes the nearest shape of the rest volume from there; moves goal and shift, and adds to the potential.
void pnKeepHeldVolume( const pnMatchBody* body, int cluster, float goal[27], float shift[3], double* potential );
