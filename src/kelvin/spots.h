// spots.h - where on the surface the answer is looked at: how fine it must be there, and the places with their areas.
// Knows no elasticity; of conditions only where their borders are.
#pragma once

#include "facets.h"

// How far apart sources are near a place: the least of `most`, and of what every seed allows: its own spacing, growing with the distance.
typedef struct pnSpacingSeed
{
	pnVec3d place;
	double spacing;
} pnSpacingSeed;

typedef struct pnSpacing
{
	pnSpacingSeed* seeds;
	int count, capacity;
	double most;
	double grading; // how fast it may grow
} pnSpacing;

double pnGetSpacing( const pnSpacing* spacing, pnVec3d place );
// False: no memory. A seed that allows no less than there is already is left out.
bool pnAddSeed( pnSpacing* spacing, pnVec3d place, double value );
void pnScaleSpacing( pnSpacing* spacing, double factor );
void pnDestroySpacing( pnSpacing* spacing );

// A place on the surface with its share of the area.
typedef struct pnSpot
{
	pnVec3d x, n; // unit outward normal
	double w; // area
	double s; // spacing of the sources here
	int32_t group;
	int32_t pad; // spots of one small flat piece have one number; in ascending order
} pnSpot;

typedef struct pnSpots
{
	pnSpot* spots;
	int count, capacity;
	int padCount;
} pnSpots;

void pnDestroySpots( pnSpots* spots );

// Tells for a place of a facet a number that differs on the two sides of a border that must be resolved.
typedef uint64_t pnBorderFcn( pnVec3d place, pnVec3d normal, int group, void* context );

typedef struct pnSpotDef
{
	double edge; // longest edge of a piece, in spacings; 0: facets are taken as they are
	double borderEdge; // the same for pieces that a border crosses
	int perPiece; // 1, 3 or 7 spots on a triangle; 0: as its size asks. Facets with more corners that are small enough get one.
	bool few; // 3 at most where the size decides
	bool even; // facets are of even size and smoothly turned (a wrapped cloud): one spot does on larger ones, and more are merged
	int fewest; // on a piece where the size decides: 3 or 7; then none are merged
	const pnSpacing* room; // how far sources may be from the surface; NULL: as far as they like
	double distance; // of sources, in spacings
	pnBorderFcn* border; // NULL: none
	void* context;
} pnSpotDef;

// Divides the facets until they are small enough and puts spots on the pieces. pn_invalidInput: too many spots.
pnResult pnMakeSpots( const pnFacets* facets, const pnSpacing* spacing, const pnSpotDef* def, pnSpots* spots );

// Changes areas and normals as little as possible, so that the sums that vanish for a closed surface vanish, and linear fields
// enclose the same volume along each axis. For meshes nothing changes but the last digits. False: no memory, or too few spots.
bool pnCloseSpots( pnSpots* spots );
