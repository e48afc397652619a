// edges.h - sharp edges of one body at sharp edges of another, where no point of either is near: which ones, where they cross, which way is out. Knows colliders.
#pragma once

#include "contact.h"
#include "near.h"

// The sharp edges of a surface that stand out, in the order of its tree. False: no memory.
bool pnListEdges( pnSurface* surface );

// How the edges of a pair are looked at.
typedef struct pnEdgeLook
{
	float reach; // metres
	pnF4 drift; // by which a has moved against b in this substep
	pnF4 axis, base; // along which the two lie apart (split.h):
	float upper, lower; // no point of a's surface is farther than `upper` from the base, none of b's nearer than `lower`
	const pnCandidate* old; // in order, or NULL
	int oldCount;
} pnEdgeLook;

// Edges of a nearer than the reach to edges of b: .point is that of a, .triangle that of b, the key their distance, negative if they have gone past each other. Pushes and sides of old ones go on. *least becomes the least
// gap where they cross. Returns how many, or -1 if there are more than capacity.
int pnDetectEdges( const pnCollider* a, const pnCollider* b, const pnEdgeLook* look, pnCandidate* out, int capacity, float* least );

// Where two edges cross.
typedef struct pnEdgeMeeting
{
	pnF4 normal; // unit, the way a goes
	float partA, partB; // of each edge, from its first end
	float gap; // metres along the normal; negative: they have gone past each other
	float trusted; // metres: who is past by more, and was not seen to come, may have come from another side
	bool leadsIn; // the line along the normal goes on into both bodies; else who is past by more than `trusted` is beside them, however it came
	float wait; // they do not cross: not before the two have moved so far, metres
} pnEdgeMeeting;

bool pnCrossEdges( const pnCollider* a, int edgeA, const pnCollider* b, int edgeB, pnEdgeMeeting* meeting );

// 1: the two have come from outside, and are to be kept apart there; 0: not. gap: when they came; before: what it was.
float pnSideOfEdges( const pnEdgeMeeting* meeting, float gap, float before );
