// rare.h - the exact path of one cluster, in double: volume far from rest, reflections, row caps, curves, plastic flow.
// Knows one cluster; knows no particles and no lanes.
#pragma once

#include "match.h"

// fit: 3 rows of 9 coefficients. Writes the goal's coefficients, and the potential beyond the residual of the fit, m^2.
// May let state->plastic give way, and then turns state->rotation.
void pnShapeExactly( const pnClusterRest* rest, const pnResponse* response, pnCluster* state, const float fit[27], float goal[27], double* potential );
