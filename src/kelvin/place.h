// place.h - where the sources go: outside, near enough to be sharp, far enough to be smooth. Knows no elasticity.
#pragma once

#include "collocation.h"

typedef struct pnSources
{
	double* x; // padded with far places to a multiple of 8
	double* y;
	double* z;
	int count, capacity;
} pnSources;

// Whether every way out of a place meets the surface: it is in a hollow.
bool pnIsEnclosed( const pnCollocationPoints* points, pnVec3d place );
double pnGetWinding( const pnCollocationPoints* points, pnVec3d place ); // how often the surface runs around it: 1 in the solid, 0 outside and in hollows
// Finds hollows (spaces all closed in by the surface) among the sources, and the source in each that is farthest from the wall.
// Returns how many; -1: no memory.
int pnFindHollows( const pnCollocationPoints* points, const pnSources* sources, pnVec3d* hollows, int most );

void pnDestroySources( pnSources* sources );

// How far from the surface sources may be without coming too near to another part of it: half the radius of the largest ball that
// touches the surface from outside; up to nine tenths of it where collocation points are coarse, to be `least` times as far as a collocation point is wide.
// Adds a seed wherever that is less than `most`. False: no memory.
bool pnFindRoom( const pnCollocationPoints* points, double most, double least, pnSpacing* room );

typedef struct pnPlaceDef
{
	pnSourcePlacement placement;
	int count;
	double distance; // in spacings (shells) or in half sizes (box, sphere, cylinder)
	const pnSpacing* room; // NULL: there is room everywhere
	const pnVec3d* given;
	uint64_t seed;
	bool fixedPoints; // collocation points are those given: sources stay over them, and are not spread evenly
} pnPlaceDef;

// None of them inside the solid. Fewer than asked for if there is no room. pn_invalidInput: a given one is inside or not finite.
pnResult pnPlaceSources( const pnCollocationPoints* points, const pnPlaceDef* def, pnSources* sources );

// Distance of sources at a collocation point, on shells.
double pnGetDistance( const pnPlaceDef* def, const pnCollocationPoint* point );
