// cutting.h - what the stages of slicing a surface hand on to one another. Knows places and triangles; private to this room.
//
// Every node is above the blade or below it, never on it, so there are no special cases: a triangle is cut through two of its edges or
// not at all, and the crossings of the edges follow one another in loops with the material on their left (seen from above). Where the
// plane runs through a node, its crossings fall together and are made one with it afterwards; where that is not safe they are kept a
// fiftieth of an edge away from it. Where the blade ends in the material, the loops are clipped and closed by the blade's own rim.
#pragma once

#include "../base/cloud.h"
#include "slice.h"

enum { PN_BLADE_CORNERS = 8 }; // of the quad, clipped by a box

static const double pn_nearest = 0.02; // of an edge: crossings do not come nearer to its ends

static const double pn_faceSpacing = 1.5; // of the spacing: a surface's points are that far apart where as many lie inside it

typedef struct pnCrossing
{
	int32_t low, high; // the nodes of its edge, the upper one and the lower one
	double t; // of the way from low to high
	pnVec3 place;
	double at[2]; // in the blade's plane
	pnPoint2 grid;
	int32_t next; // the segment that leaves it, -1 at the border of an open surface
	int32_t before; // the segment that comes to it
	int32_t more; // another crossing of the same edge, where more than two triangles meet; -1
	int32_t rim; // -1: not cut
	int32_t loop;
	bool inside; // the blade reaches it
} pnCrossing;

// The way of the plane through one triangle: corner p lies alone on its side. From the crossing of p q to that of r p if p is above,
// the other way if below.
typedef struct pnSegment
{
	int32_t triangle, p, q, r; // nodes
	int32_t ends[2]; // crossings of p q and of r p
	int32_t rims[2]; // points within the triangle where the cut ends instead; -1
	int32_t middle; // between two such ends; -1
	bool above; // p is
	bool cut;
} pnSegment;

// A place on the outline of an opening, as the two sides know it; the same node where they hang together.
typedef struct pnRim { int32_t above, below; } pnRim;

// Where a loop leaves the blade's reach or comes into it.
typedef struct pnGate { int32_t rim; int32_t edge; double along; bool leaves; } pnGate;

typedef struct pnCutting
{
	const pnSliceSource* source;
	const pnBlade* blade;
	pnScratch scratch;
	double* heights; // of each node, metres; of lips of older slits at least a little, on their side
	uint8_t* above; // of each node
	uint8_t* sealed; // of each node: its part of the surface is closed. NULL: all are
	uint8_t* border; // of each node: 1 on the border of an open part; 2 if an edge of the border is cut there. NULL: there is none
	int32_t *tableHeads, tableMask; // 1 + crossing, by edge
	pnCrossing* crossings;
	pnSegment* segments;
	int crossingCount, segmentCount;
	pnRim* rims;
	pnPoint2* grid; // of the rims
	int rimCount;
	pnGate* gates;
	int gateCount;
	int32_t* edges; // outline
	int edgeCount;
	pnSliceNode* nodes;
	pnVec3* places;
	int nodeCount;
	double center[2], scale; // from the plane to the grid
	int cornerCount;
	pnPoint2 corners[PN_BLADE_CORNERS];
	bool whole, ends;
} pnCutting;

// cross.c: where the plane runs through the surface
bool pnFindSegments( pnCutting* c ); // which side nodes are on, crossings and segments
bool pnLeaveAllTouched( pnCutting* c ); // parts that the plane only touches are not cut
bool pnFindSealed( pnCutting* c ); // which parts are closed
bool pnIsSealed( const pnCutting* c, int32_t node );
void pnPlaceCrossing( pnCutting* c, pnCrossing* x );
int32_t pnFollow( const pnCutting* c, int32_t crossing ); // the next one of its loop, -1 at a border
void pnNameLoops( pnCutting* c );

// rim.c: the places on the outline of an opening, as both sides know them
int32_t pnOpenRim( pnCutting* c, pnSliceNode node, pnVec3 place, pnPoint2 at, bool apart );
bool pnOpenCrossings( pnCutting* c );

// reach.c: how far the blade reaches, and the outline where it ends
pnPoint2 pnToGrid( const pnCutting* c, const double at[2] );
void pnLayGrid( pnCutting* c );
void pnClipSegments( pnCutting* c );
void pnCloseGates( pnCutting* c );
