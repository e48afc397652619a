// mat3.h - 3x3 matrices in double, row major: products, determinants, eigenvectors, SVD. Knows no physics.
#pragma once

typedef struct pnMat3d { double m[9]; } pnMat3d; // m[3 * row + column]

pnMat3d pnIdentity3( void );
pnMat3d pnMul3( pnMat3d a, pnMat3d b ); // a b
pnMat3d pnMulT3( pnMat3d a, pnMat3d b ); // a b^T
pnMat3d pnTMul3( pnMat3d a, pnMat3d b ); // a^T b
pnMat3d pnAdd3( pnMat3d a, double s, pnMat3d b ); // a + s b
pnMat3d pnScale3( double s, pnMat3d a );
double pnDot3( pnMat3d a, pnMat3d b ); // sum of products
double pnDet3( pnMat3d a );
pnMat3d pnCofactor3( pnMat3d a ); // det a * a^-T
pnMat3d pnTranspose3( pnMat3d a );
pnMat3d pnInverse3( pnMat3d a ); // det a must not be zero
pnMat3d pnFromQuat3( double x, double y, double z, double w );
void pnToQuat3( pnMat3d rotation, double q[4] ); // x y z w, unit

// Eigenvectors (columns of v, a rotation) and eigenvalues, falling, of a symmetric matrix. Cyclic Jacobi.
void pnEigen3( pnMat3d a, pnMat3d* v, double values[3] );

// a = u diag( s ) v^T with rotations u and v, so that s[0] >= s[1] >= |s[2]| and the sign of det a is that of s[2].
void pnSvd3( pnMat3d a, pnMat3d* u, double s[3], pnMat3d* v );

// The rotation nearest to a, never a reflection. Where a leaves it open (about a line, of a point) the one nearest to `last`.
pnMat3d pnNearestRotation3( pnMat3d a, pnMat3d last );

// x = a^-1 b for a symmetric positive definite a; directions weaker than `least` of the strongest are left out.
void pnSolve3( pnMat3d a, double least, const double b[3], double x[3] );
