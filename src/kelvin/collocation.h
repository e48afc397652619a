// collocation.h - the collocation points: how fine they must be, and where on the surface they are, with their areas.
// Knows no elasticity; of conditions only where their borders are.
#pragma once

#include "facets.h"

// How far apart sources are near a place: the least of `most`, and of what every seed allows: its own spacing, growing with the distance.
typedef struct pnSpacingSeed
{
	pnVec3d place;
	double spacing;
} pnSpacingSeed;

// Some seeds that lie together.
typedef struct pnSpacingBlock
{
	pnVec3d center;
	double radius;
	double least; // spacing among them
} pnSpacingBlock;

typedef struct pnSpacing
{
	pnSpacingSeed* seeds;
	int count, capacity;
	pnSpacingBlock* blocks; // of the first seeds, PN_BLOCK_SEEDS each; those after them are looked at one by one
	int blockCount, blockCapacity;
	double most;
	double grading; // how fast it may grow
	struct pnSpacing* bound; // nowhere more than this, which is not scaled with it; NULL: none
} pnSpacing;

double pnGetSpacing( const pnSpacing* spacing, pnVec3d place );
double pnGetFreeSpacing( const pnSpacing* spacing, pnVec3d place ); // without the bound
// False: no memory. A seed that allows no less than there is already is left out.
bool pnAddSeed( pnSpacing* spacing, pnVec3d place, double value );
void pnScaleSpacing( pnSpacing* spacing, double factor );
// Seeds that lie together are put together: nothing changes but the time it takes to look something up. False: no memory.
bool pnArrangeSpacing( pnSpacing* spacing );
void pnDestroySpacing( pnSpacing* spacing );

// A place on the surface with its share of the area.
typedef struct pnCollocationPoint
{
	pnVec3d x, n; // unit outward normal
	double w; // area
	double s; // spacing of the sources here
	double far; // what it would be without its bound
	int32_t group;
	int32_t pad; // collocation points of one small flat piece have one number; in ascending order
	int32_t piece; // 1 + index of the triangle whose integrals it is one of three or seven points of; these follow each other. 0: none
} pnCollocationPoint;

typedef struct pnSurfacePiece
{
	pnVec3d corners[3];
} pnSurfacePiece;

typedef struct pnCollocationPoints
{
	pnCollocationPoint* points;
	int count, capacity;
	int padCount;
	pnSurfacePiece* pieces;
	int pieceCount, pieceCapacity;
} pnCollocationPoints;

void pnDestroyCollocationPoints( pnCollocationPoints* points );

// Of a collocation point that may be one of too many.
typedef struct pnFine
{
	double radius; // how far apart such collocation points need to be; 0: it stays as it is
	uint64_t kind; // group and sides of borders
	uint64_t key; // collocation points with equal keys become one; 0: none
} pnFine;
// Where collocation points are nearer to each other than they need to be, some of them stay, evenly spread, with areas and normals for which sums of
// polynomials of second degree over the surface are as they were. Centroids with the summed area are right for the first degree only, and
// beside a curved surface: near a hollow, stress was off by 40 %.
pnResult pnThinCollocationPoints( pnCollocationPoints* points, const pnFine* fine );

// Tells for a place of a facet a number that differs on the two sides of a border that must be resolved.
typedef uint64_t pnBorderFcn( pnVec3d place, pnVec3d normal, int group, void* context );

typedef struct pnCollocationDef
{
	double edge; // longest edge of a piece, in spacings; 0: facets are taken as they are
	double borderEdge; // the same for pieces that a border crosses
	int perPiece; // 1, 3 or 7 collocation points on a triangle; 0: as its size asks. Facets with more corners that are small enough get one.
	bool few; // 3 at most where the size decides
	bool even; // facets are of even size and smoothly turned (a wrapped cloud): one collocation point does on larger ones, and more are merged
	double apart; // of collocation points on small pieces, in fineness: where there are more, they are thinned
	int fewest; // on a piece where the size decides: 3 or 7; then there is no thinning
	const pnSpacing* room; // how far sources may be from the surface; NULL: as far as they like
	double distance; // of sources, in spacings
	pnBorderFcn* border; // NULL: none
	void* context;
} pnCollocationDef;

// Divides the facets until they are small enough and puts collocation points on the pieces. pn_invalidInput: too many collocation points.
pnResult pnMakeCollocationPoints( const pnFacets* facets, const pnSpacing* spacing, const pnCollocationDef* def, pnCollocationPoints* points );

// Changes areas and normals as little as possible, so that the sums that vanish for a closed surface vanish, and linear fields
// enclose the same volume along each axis. For meshes nothing changes but the last digits. False: no memory, or too few collocation points.
bool pnCloseCollocationPoints( pnCollocationPoints* points );

static inline bool pnIsBounded( const pnCollocationPoint* point )
{
	return point->s < 0.999 * point->far;
}
