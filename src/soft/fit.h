// fit.h - one cluster's rest shape made ready for matching, in double, once. Knows points and weights, no solids.
#pragma once

#include "solid.h"

// positions: rest, metres; weights: > 0, parts of the body's mass. Writes `count` members, the cluster's rest data and its centre.
// Any positions do: flat, in line, all one, doubled; directions and monomials the points cannot tell are dropped.
void pnFitCluster( const double* positions, const double* weights, int count, pnMember* members, pnClusterRest* rest, double center[3] );

// K with zeros along missing directions, row major.
void pnTrueBasis( const pnClusterRest* rest, double K[9] );

// The whitened coordinates of a rest place (relative to the cluster's centre), and what lies across missing directions.
void pnWhiten( const pnClusterRest* rest, const double offset[3], float q[3], float across[3] );
