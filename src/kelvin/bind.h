// bind.h - what is known at each collocation point: the user's conditions, looked up place by place. Knows no sources and no matrices.
#pragma once

#include "collocation.h"

// From the user's units to ours and back: x = center + size * x', u = size * u', t = 2 G t'.
typedef struct pnUnits
{
	pnVec3d center; // m
	double size; // m
	double modulus; // 2 G, Pa
} pnUnits;

static inline pnVec3d pnToUser( const pnUnits* units, pnVec3d place )
{
	return pnMulAddD( units->center, units->size, place );
}

// Along each axis either the displacement is known (held) or the traction. The axes are x, y, z; framed: the collocation point's normal and two
// tangents (pnMakeFrameD).
typedef struct pnBound
{
	uint8_t held; // one bit per axis
	uint8_t framed;
	double value[3]; // displacement / size or traction / 2 G along the axes
	double spring[3]; // on free axes: traction / 2 G against a displacement / size; the value is what acts beside it
	double rest; // of a load that is given as a field: energy, to an area, of what it does between the collocation points of its piece, beyond what these can have
} pnBound;

static inline void pnGetAxes( const pnCollocationPoint* point, const pnBound* bound, pnVec3d axes[3] )
{
	axes[0] = pnMakeD( 1.0, 0.0, 0.0 );
	axes[1] = pnMakeD( 0.0, 1.0, 0.0 );
	axes[2] = pnMakeD( 0.0, 0.0, 1.0 );
	if ( bound->framed )
	{
		axes[0] = point->n;
		pnMakeFrameD( point->n, &axes[1], &axes[2] );
	}
}

// Groups of facets that are glued to another part: PN_GLUED plus its index. They are in no region.
enum { PN_GLUED = INT32_MIN, PN_MOST_PARTS = 16 };
static inline int pnGetMate( int32_t group ) // -1: not glued
{
	return group < PN_GLUED + PN_MOST_PARTS ? group - PN_GLUED : -1;
}

// Regions end on faces and edges as often as not: what lies on the border within this is in. In sizes of the solid.
static const double pn_borderTolerance = 1e-7;
bool pnIsInRegion( const pnRegion* region, pnVec3d place, pnVec3d normal, int group, double tolerance ); // user's units

// Checks the numbers of the conditions alone. Logs what is wrong.
pnResult pnCheckConditions( const pnCondition* conditions, int count );

// Conditions at every collocation point. Logs contradictions and regions without surface.
pnResult pnBindConditions( const pnCondition* conditions, int conditionCount, const pnUnits* units, const pnCollocationPoints* points, pnBound* bounds );

// Loads that are given as fields: values at the collocation points of a piece change such that their sums are the field's integrals over the piece,
// times polynomials of first degree (three points) or second (seven). Part of pnBindConditions.
pnResult pnMatchMoments( const pnCondition* conditions, int conditionCount, const pnUnits* units, const pnCollocationPoints* points, pnBound* bounds );

// For pnCollocationDef: which conditions' regions hold a place.
typedef struct pnBorders
{
	const pnCondition* conditions;
	int count;
	const pnUnits* units;
} pnBorders;
uint64_t pnTellBorders( pnVec3d place, pnVec3d normal, int group, void* context );
