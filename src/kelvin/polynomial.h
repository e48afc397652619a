// polynomial.h - displacements that are polynomials of second and third degree and in equilibrium: what bends and shears a whole part
// smoothly. Pure formulas; scaled as in kernel.h. Knows no sources and no surface.
#pragma once

#include "vec3d.h"

enum { PN_POLYNOMIALS = 36 }; // 15 of second degree, 21 of third

// All of them at one place: displacement of field f along x, y, z to u[3 * f], its stress (/ 2 G) as xx yy zz xy yz zx to stress[6 * f].
void pnGetPolynomials( double poissonRatio, pnVec3d point, double* u, double* stress );
