// outline.c - fills flat outlines with triangles: constrained Delaunay, exact predicates on whole numbers. Knows no third dimension.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "outline.h"

// ---- loops ----

// The edges as loops that come to no point twice.
typedef struct pnLoops
{
	int32_t* edges; // of all loops, one after the other
	int32_t* starts; // loop i has edges[starts[i]] .. edges[starts[i + 1] - 1]
	int count;
} pnLoops;

static bool pnFindLoops( const pnOutline* outline, pnScratch* scratch, pnLoops* loops )
{
	int count = outline->edgeCount;
	pnScratch local = { 0 };
	int32_t* firsts = pnTakeArray( &local, int32_t, outline->pointCount ); // 1 + an edge that leaves the point and was not yet gone
	int32_t* nexts = pnTakeArray( &local, int32_t, count );
	int32_t* depths = pnTakeArray( &local, int32_t, outline->pointCount ); // 1 + where in the path the point is left
	int32_t* path = pnTakeArray( &local, int32_t, count );
	*loops = (pnLoops){ pnTakeArray( scratch, int32_t, count ), pnTakeArray( scratch, int32_t, count + 1 ), 0 };
	if ( local.failed || scratch->failed )
	{
		pnGiveBack( &local );
		return false;
	}
	for ( int edge = count - 1; edge >= 0; --edge )
	{
		nexts[edge] = firsts[outline->edges[2 * edge]];
		firsts[outline->edges[2 * edge]] = edge + 1;
	}
	int written = 0;
	for ( int start = 0; start < count; ++start )
	{
		int32_t at = outline->edges[2 * start];
		int length = 0;
		for ( ;; )
		{
			if ( depths[at] != 0 )
			{
				int from = depths[at] - 1;
				for ( int i = from; i < length; ++i )
				{
					depths[outline->edges[2 * path[i]]] = 0;
					loops->edges[written++] = path[i];
				}
				length = from;
				loops->starts[++loops->count] = written;
			}
			int32_t edge = firsts[at] - 1;
			if ( edge < 0 )
			{
				break;
			}
			firsts[at] = nexts[edge];
			depths[at] = length + 1;
			path[length++] = edge;
			at = outline->edges[2 * edge + 1];
		}
		PN_ASSERT( length == 0 );
	}
	pnGiveBack( &local );
	return true;
}

bool pnFillOutline( const pnOutline* outline, pnScratch* scratch, pnFilling* filling )
{
	*filling = (pnFilling){ 0 };
	pnScratch local = { 0 };
	pnLoops loops;
	bool done = pnFindLoops( outline, &local, &loops );
	if ( done )
	{
		filling->inner = pnTakeArray( scratch, pnPoint2, loops.count );
		filling->triangles = pnTakeArray( scratch, int32_t, 3 * (size_t)outline->edgeCount );
		filling->flat = loops.count == 0;
		done = !scratch->failed;
	}
	for ( int loop = 0; done && loop < loops.count; ++loop )
	{
		int64_t x = 0, y = 0, length = loops.starts[loop + 1] - loops.starts[loop];
		int32_t center = outline->pointCount + filling->innerCount;
		for ( int i = loops.starts[loop]; i < loops.starts[loop + 1]; ++i )
		{
			const int32_t* ends = outline->edges + 2 * loops.edges[i];
			x += outline->points[ends[0]].x;
			y += outline->points[ends[0]].y;
			int32_t* triangle = filling->triangles + 3 * filling->triangleCount++;
			triangle[0] = ends[0];
			triangle[1] = ends[1];
			triangle[2] = center;
		}
		filling->inner[filling->innerCount++] = (pnPoint2){ (int32_t)( x / length ), (int32_t)( y / length ) };
	}
	pnGiveBack( &local );
	return done;
}
