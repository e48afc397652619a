// reference.h - one step's goals in double precision, from the papers' formulas: what the library is held against.
// Shares no code, no basis and no method with the library. Slow and plain. Knows no time.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Mueller et al. 2005, "Meshless Deformations Based on Shape Matching", eq. 3 - 8, 12, 13; Henriques and Wuensche 2006 for
// the sign of the rotation. Vectors are double[3], matrices row major double[9].
#pragma once

#include <stdint.h>

typedef struct RefDef
{
	int pointCount;
	const double* rest; // 3 for each point, metres
	const double* masses;
	int clusterCount;
	const int32_t* starts; // clusterCount + 1
	const int32_t* members;
	const float* weights; // for each member, or NULL for equal
	int mode; // 0 turn, 1 linear, 2 quadratic
	double stretch; // beta
	double volume; // pull towards the nearest map of the wanted volume
	double wantedVolume; // in units of the rest volume
} RefDef;

// One cluster as the formulas see it.
typedef struct RefCluster
{
	double weight; // sum of its members' weights
	double restCenter[3], center[3];
	double rotation[9];
	double map[9]; // least squares linear map, rest -> here; 0 across directions without extent
	double volume; // det of the map relative to rest, with the mass metric's singular values; 0 if the rest shape is flat
	double restSize; // root of the mean squared distance from the centre at rest
	double size; // the same now
	double gap; // how well the rotation is determined: (s2 + s3) / s1 of the moment matrix, s3 signed; 0 is not at all
	double restGap; // the smallest extent of the rest shape, of those it has, as a part of the largest
	double reach; // the farthest member at rest, in units of restSize
	int rank; // of the rest shape: 0 point, 1 line, 2 plane, 3
	int quadraticRank; // independent monomials, up to 9; only in mode 2
	double quadraticGap; // how independent they are: the smallest singular value kept, of unit columns; 1 in other modes
} RefCluster;

// goals: 3 for each point. clusters may be NULL. Goals of a point in several clusters are averaged with its shares.
void RefGoals( const RefDef* def, const double* positions, double* goals, RefCluster* clusters );
// Best rotation and translation of all points as one cluster (eq. 5 - 8): the mass-weighted mean squared distance left over.
double RefRigidResidual( const RefDef* def, const double* positions );

// ---- the parts, to be checked by themselves ----

// a = u diag( s ) v^T, u and v rotations, s[0] >= s[1] >= |s[2]|; s[2] carries the sign of det a. One-sided Jacobi.
void RefSvd( const double a[9], double u[9], double s[3], double v[9] );
// Symmetric size x size, row major: a = v diag( values ) v^T, columns of v. Jacobi. size up to 9.
void RefEigen( const double* a, int size, double* values, double* v );
// The point nearest to s with x[0] x[1] x[2] = product > 0.
void RefNearestProduct( const double s[3], double product, double x[3] );
double RefDet( const double a[9] );
