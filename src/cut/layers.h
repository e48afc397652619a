// layers.h - fills what a set of directed edges bounds, in layers where they run around a place more than once. Knows no loops.
#pragma once

#include "net.h"

// What is written. Points are those of the outline, then those put inside.
typedef struct pnFiller
{
	const pnOutline* outline;
	pnPoint2* inner;
	int32_t* triangles;
	int innerCount, innerCapacity;
	int indexCount, indexCapacity; // three for each triangle
	int32_t* placeOf; // room for work: of each point of the outline, and of those where edges were split
	int splitOffset; // inner points where edges of this set were split come after this many others
	bool over; // triangles lie over others or are turned
	bool failed; // no memory
} pnFiller;

static inline pnPoint2 pnPlaceOf( const pnFiller* filler, int32_t point )
{
	int32_t inner = point - filler->outline->pointCount;
	return inner < 0 ? filler->outline->points[point] : filler->inner[inner];
}

void pnReserveTriangles( pnFiller* filler, int count );
void pnAddTriangle( pnFiller* filler, int32_t a, int32_t b, int32_t c );
int32_t pnAddInner( pnFiller* filler, pnPoint2 place ); // returns the point

typedef struct pnClash { int32_t edges[2]; } pnClash; // two edges that cross between their ends

// Without a list of clashes, what is run around more than once or the wrong way is refused, and edges that cross are. With one, there are
// layers, and the edges that cross are listed; the list is the caller's then. False: refused, or no memory; then nothing is written.
bool pnFillEdges( pnFiller* filler, const int32_t* edges, int edgeCount, pnList* clashes );
