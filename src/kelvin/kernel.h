// kernel.h - what a point force in an endless elastic solid does elsewhere (Kelvin), and the twelve linear fields.
// Pure formulas. Scaled: displacement 2 G u of a unit force, and its traction; for linear fields u and t / (2 G). Knows no surface.
#pragma once

#include "polynomial.h"

enum
{
	PN_LINEAR_FIELDS = 12, // 3 translations, 3 rotations, 3 shears, 2 stretches of equal volume, 1 swelling
	PN_MOST_HOLLOWS = 64,
};

// Columns of the answer: force along x of every source, then along y, then along z, then the linear fields, then the hollows,
// then the polynomials.
typedef struct pnBasis
{
	const double* x; // of the sources; readable up to the next multiple of 8
	const double* y;
	const double* z;
	int sourceCount;
	// A place in each hollow of the solid, from which the field x / ( 4 pi r^3 ) spreads. Forces cannot change the volume of a hollow
	// in a material that keeps its own: as nu goes to 0.5 their flow through any closed surface vanishes.
	const pnVec3d* hollows;
	int hollowCount;
	bool curved; // with the polynomials of second and third degree
	double poissonRatio;
} pnBasis;

static inline int pnCountPolynomials( const pnBasis* basis )
{
	return basis->curved ? PN_POLYNOMIALS : 0;
}

static inline int pnGetColumnCount( const pnBasis* basis )
{
	return 3 * basis->sourceCount + PN_LINEAR_FIELDS + basis->hollowCount + pnCountPolynomials( basis );
}

// Rows of one place: displacement along axis j by column c is displacement[j * columns + c]; traction on the plane with this unit
// normal likewise. Either may be NULL.
void pnFillRows( const pnBasis* basis, pnVec3d point, pnVec3d normal, double* displacement, double* traction );

// One place under given coefficients of all columns: displacement, and stress (/ 2 G) as xx yy zz xy yz zx. Either may be NULL.
void pnSumFields( const pnBasis* basis, const double* coefficients, pnVec3d point, pnVec3d* displacement, double stress[6] );

// The field of a hollow, as the others.
void pnGetHollowField( pnVec3d hollow, pnVec3d point, pnVec3d* displacement, double stress[6] );
// One linear field: displacement and stress (/ 2 G) at a place. The swelling has unit pressure; its displacement vanishes at nu = 0.5.
void pnGetLinearField( int field, double poissonRatio, pnVec3d point, pnVec3d* displacement, double stress[6] );

// What acts inside: an even force on the volume, and an even swelling that needs no stress (heat). One field that has both, whatever is given
// on the surface; what is sought is the rest, which is in equilibrium without them.
typedef struct pnInside
{
	pnVec3d force; // per volume, over 2 G, times the unit of length
	double swelling; // strain
	double poissonRatio;
} pnInside;

static inline bool pnIsInsideBusy( const pnInside* inside )
{
	return inside->swelling != 0.0 || inside->force.x != 0.0 || inside->force.y != 0.0 || inside->force.z != 0.0;
}

// Displacement and stress (/ 2 G). Along each axis a column that stands under its own weight and cannot widen: u = -f x^2 / (2 M).
static inline void pnGetInsideField( const pnInside* inside, pnVec3d x, pnVec3d* displacement, double stress[6] )
{
	double nu = inside->poissonRatio, soft = ( 1.0 - 2.0 * nu ) / ( 1.0 - nu ), aside = nu / ( 1.0 - nu );
	pnVec3d f = inside->force;
	double a = -f.x * x.x, b = -f.y * x.y, c = -f.z * x.z;
	*displacement = pnMakeD( 0.5 * soft * a * x.x + inside->swelling * x.x, 0.5 * soft * b * x.y + inside->swelling * x.y, 0.5 * soft * c * x.z + inside->swelling * x.z );
	stress[0] = a + aside * ( b + c );
	stress[1] = b + aside * ( c + a );
	stress[2] = c + aside * ( a + b );
	stress[3] = stress[4] = stress[5] = 0.0;
}

static inline pnVec3d pnStressTimes( const double stress[6], pnVec3d n )
{
	return pnMakeD( stress[0] * n.x + stress[3] * n.y + stress[5] * n.z, stress[3] * n.x + stress[1] * n.y + stress[4] * n.z,
					stress[5] * n.x + stress[4] * n.y + stress[2] * n.z );
}
