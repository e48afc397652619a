// outline.c - fills flat outlines with triangles. Knows no third dimension.
//
// An outline that runs around its inside once is filled as a whole (layers.c). If it is tangled, each outer loop is filled with its own
// holes; where edges still cross, they get a point there. Whatever comes out is checked edge by edge, and loops that do not pass are
// filled with a fan around a point, which cannot go wrong.
#include "layers.h"

#include <math.h>

// ---- is it closed? ----

// Of the edges between two points: upwards and downwards, from the lower point to the higher one and back.
typedef struct pnTally { int32_t triangle[2], outline[2]; } pnTally;

static void pnSortEdge( int32_t from, int32_t to, uint32_t isOutline, bool place, int32_t* starts, uint32_t* ends )
{
	bool down = from > to;
	int32_t low = down ? to : from, high = down ? from : to;
	if ( place )
	{
		ends[--starts[low]] = (uint32_t)high << 2 | isOutline << 1 | ( down ? 1u : 0u );
	}
	else
	{
		starts[low] += 1;
	}
}

// Between two points there is what the outline asks for, or one edge each way. Where not, the lower point is suspect (may be NULL). False:
// there are such, or there is no memory.
static bool pnCheckEdges( pnFiller* filler, uint8_t* suspects )
{
	const pnOutline* outline = filler->outline;
	const int32_t* triangles = filler->triangles;
	size_t pointCount = (size_t)outline->pointCount + filler->innerCount, count = (size_t)filler->indexCount + outline->edgeCount;
	pnScratch scratch = { 0 };
	int32_t* starts = pnTakeArray( &scratch, int32_t, pointCount + 1 ); // of edges with this lower point
	uint32_t* ends = pnTakeRawArray( &scratch, uint32_t, count ); // the higher point, and two bits for which tally it is
	pnTally* tallies = pnTakeArray( &scratch, pnTally, pointCount ); // with this higher point
	if ( scratch.failed )
	{
		filler->failed = true;
		pnGiveBack( &scratch );
		return false;
	}
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int i = 0; i < filler->indexCount; i += 3 )
		{
			pnSortEdge( triangles[i], triangles[i + 1], 0, pass == 1, starts, ends );
			pnSortEdge( triangles[i + 1], triangles[i + 2], 0, pass == 1, starts, ends );
			pnSortEdge( triangles[i + 2], triangles[i], 0, pass == 1, starts, ends );
		}
		for ( int i = 0; i < outline->edgeCount; ++i )
		{
			pnSortEdge( outline->edges[2 * i], outline->edges[2 * i + 1], 1, pass == 1, starts, ends );
		}
		for ( size_t i = 0; i < pointCount && pass == 0; ++i )
		{
			starts[i + 1] += starts[i];
		}
	}
	bool fine = true;
	for ( size_t point = 0; point < pointCount; ++point )
	{
		for ( int i = starts[point]; i < starts[point + 1]; ++i )
		{
			pnTally* tally = tallies + ( ends[i] >> 2 );
			( ( ends[i] & 2 ) != 0 ? tally->outline : tally->triangle )[ends[i] & 1] += 1;
		}
		for ( int i = starts[point]; i < starts[point + 1]; ++i )
		{
			pnTally* tally = tallies + ( ends[i] >> 2 );
			int32_t asked = tally->outline[0] | tally->outline[1], more = asked != 0 ? 0 : 1;
			bool isSeen = ( asked | tally->triangle[0] | tally->triangle[1] ) == 0; // the tally of this pair was cleared
			if ( !isSeen && ( tally->triangle[0] != tally->outline[0] + more || tally->triangle[1] != tally->outline[1] + more ) )
			{
				fine = false;
				if ( suspects != NULL )
				{
					suspects[point] = 1;
				}
			}
			*tally = (pnTally){ 0 };
		}
	}
	pnGiveBack( &scratch );
	return fine;
}

// ---- loops ----

// The edges as loops that come to no point twice.
typedef struct pnLoops
{
	int32_t* edges; // two points for each, loop after loop
	int32_t* starts; // loop i has edges starts[i] .. starts[i + 1] - 1
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
	*loops = (pnLoops){ pnTakeArray( scratch, int32_t, 2 * (size_t)count ), pnTakeArray( scratch, int32_t, (size_t)count + 1 ), 0 };
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
					const int32_t* ends = outline->edges + 2 * path[i];
					depths[ends[0]] = 0;
					loops->edges[2 * written] = ends[0];
					loops->edges[2 * written + 1] = ends[1];
					written += 1;
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
		for ( int i = 0; i < length; ++i ) // more come to the last point than leave it
		{
			depths[outline->edges[2 * path[i]]] = 0;
		}
	}
	pnGiveBack( &local );
	return true;
}

// Around a point in the middle. No two of these fillings have an edge in common, whatever the loops are like.
static void pnFillFan( pnFiller* filler, const int32_t* edges, int count )
{
	if ( count == 3 )
	{
		pnAddTriangle( filler, edges[0], edges[2], edges[4] );
		return;
	}
	int64_t x = 0, y = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnPoint2 place = pnPlaceOf( filler, edges[2 * i] );
		x += place.x;
		y += place.y;
	}
	int32_t center = pnAddInner( filler, (pnPoint2){ (int32_t)( x / count ), (int32_t)( y / count ) } );
	for ( int i = 0; i < count; ++i )
	{
		pnAddTriangle( filler, edges[2 * i], edges[2 * i + 1], center );
	}
}

// ---- edges that cross ----

// Rounding moves the parts of an edge, and they may cross others then. So once is not always enough.
enum { PN_ROUNDS = 8 };

// A place where an edge is split.
typedef struct pnNotch
{
	pnPoint2 place;
	int32_t next; // 1 + the next one on the same edge
} pnNotch;

// Splits beyond this are not worth it.
static int pnGetMostEdges( int count )
{
	return 4 * count + 256;
}

static void pnAddNotch( pnFiller* filler, pnList* notches, int32_t* firsts, const int32_t* edges, int32_t edge, pnPoint2 place )
{
	pnPoint2 a = pnPlaceOf( filler, edges[2 * edge] ), b = pnPlaceOf( filler, edges[2 * edge + 1] );
	if ( pnIsSame( place, a ) || pnIsSame( place, b ) || pnExtend( notches, &filler->failed ) == NULL )
	{
		return;
	}
	pnNotch* items = notches->items;
	int32_t* link = firsts + edge;
	while ( *link != 0 && pnAhead( a, b, items[*link - 1].place ) < pnAhead( a, b, place ) )
	{
		link = &items[*link - 1].next;
	}
	if ( *link != 0 && pnIsSame( items[*link - 1].place, place ) )
	{
		notches->count -= 1;
		return;
	}
	items[notches->count - 1] = (pnNotch){ place, *link };
	*link = notches->count;
}

// An edge becomes several, with triangles of hardly any area between it and them.
static void pnSplitEdge( pnFiller* filler, pnList* edges, int32_t edge, const pnNotch* notches, int32_t first )
{
	int32_t from = ( (int32_t*)edges->items )[2 * edge], to = ( (int32_t*)edges->items )[2 * edge + 1], last = from;
	for ( int32_t i = first; last != to; )
	{
		int32_t point = i != 0 ? pnAddInner( filler, notches[i - 1].place ) : to;
		int32_t* part = last == from ? (int32_t*)edges->items + 2 * edge : pnExtend( edges, &filler->failed );
		if ( part == NULL )
		{
			return;
		}
		part[0] = last;
		part[1] = point;
		if ( last != from )
		{
			pnAddTriangle( filler, from, point, last );
		}
		last = point;
		i = i != 0 ? notches[i - 1].next : 0;
	}
}

// Puts points where edges cross, one for each of the two. False: there is no use, or no memory.
static bool pnSplitEdges( pnFiller* filler, pnList* edges, const pnList* clashes, int most )
{
	pnScratch scratch = { 0 };
	int32_t* firsts = pnTakeArray( &scratch, int32_t, edges->count );
	pnList notches = { .size = sizeof( pnNotch ) };
	filler->failed = filler->failed || scratch.failed;
	for ( int i = 0; i < clashes->count && !filler->failed; ++i )
	{
		const int32_t* pair = ( (const pnClash*)clashes->items )[i].edges;
		const int32_t *e = (const int32_t*)edges->items + 2 * pair[0], *f = (const int32_t*)edges->items + 2 * pair[1];
		pnPoint2 a = pnPlaceOf( filler, e[0] ), b = pnPlaceOf( filler, e[1] ), c = pnPlaceOf( filler, f[0] ), d = pnPlaceOf( filler, f[1] );
		double before = (double)pnSideOf( c, d, a ), after = (double)pnSideOf( c, d, b ), t = before / ( before - after );
		double x = (double)a.x + t * ( (double)b.x - a.x ), y = (double)a.y + t * ( (double)b.y - a.y );
		pnPoint2 place = { (int32_t)floor( x + 0.5 ), (int32_t)floor( y + 0.5 ) };
		pnAddNotch( filler, &notches, firsts, edges->items, pair[0], place );
		pnAddNotch( filler, &notches, firsts, edges->items, pair[1], place );
	}
	bool useful = notches.count > 0 && edges->count + notches.count <= most;
	for ( int edge = 0, count = edges->count; edge < count && useful && !filler->failed; ++edge )
	{
		if ( firsts[edge] != 0 )
		{
			pnSplitEdge( filler, edges, edge, notches.items, firsts[edge] );
		}
	}
	pnFreeList( &notches );
	pnGiveBack( &scratch );
	return useful && !filler->failed;
}

// False: there is no use, or no memory. Then nothing is written.
static bool pnFillTangle( pnFiller* filler, const int32_t* edges, int count )
{
	int innerCount = filler->innerCount, indexCount = filler->indexCount;
	pnList list = { .size = 2 * sizeof( int32_t ) };
	filler->splitOffset = innerCount;
	filler->failed = filler->failed || !pnGrow( &list.items, &list.capacity, 0, count, list.size );
	if ( !filler->failed )
	{
		memcpy( list.items, edges, (size_t)count * list.size );
		list.count = count;
	}
	bool done = false, useful = true;
	for ( int round = 0; round < PN_ROUNDS && !filler->failed && !done && useful; ++round )
	{
		pnList clashes = { 0 };
		done = pnFillEdges( filler, list.items, list.count, &clashes );
		useful = !done && !filler->failed && pnSplitEdges( filler, &list, &clashes, pnGetMostEdges( count ) );
		pnFreeList( &clashes );
	}
	pnFreeList( &list );
	if ( !done )
	{
		filler->innerCount = innerCount;
		filler->indexCount = indexCount;
	}
	return done;
}

// ---- which loops belong together ----

typedef struct pnLoopShape
{
	double area; // twice; positive if the loop turns left
	pnPoint2 lower, upper;
	int32_t group;
} pnLoopShape;

static pnLoopShape pnMeasureLoop( const pnFiller* filler, const int32_t* edges, int count )
{
	pnPoint2 first = pnPlaceOf( filler, edges[0] );
	pnLoopShape shape = { 0.0, first, first, 0 };
	__int128 area = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnPoint2 a = pnPlaceOf( filler, edges[2 * i] ), b = pnPlaceOf( filler, edges[2 * i + 1] );
		area += pnSideOf( first, a, b );
		shape.lower.x = a.x < shape.lower.x ? a.x : shape.lower.x;
		shape.lower.y = a.y < shape.lower.y ? a.y : shape.lower.y;
		shape.upper.x = a.x > shape.upper.x ? a.x : shape.upper.x;
		shape.upper.y = a.y > shape.upper.y ? a.y : shape.upper.y;
	}
	shape.area = (double)area;
	return shape;
}

// How often a loop runs around a place. False: the place lies on it.
static bool pnWindAround( const pnFiller* filler, const int32_t* edges, int count, pnPoint2 place, int* winding )
{
	*winding = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnPoint2 a = pnPlaceOf( filler, edges[2 * i] ), b = pnPlaceOf( filler, edges[2 * i + 1] );
		if ( ( a.y < place.y && b.y < place.y ) || ( a.y > place.y && b.y > place.y ) )
		{
			continue;
		}
		int64_t turn = pnSideOf( a, b, place );
		if ( turn == 0 && pnAhead( place, a, b ) <= 0 )
		{
			return false;
		}
		*winding += a.y <= place.y && b.y > place.y && turn > 0;
		*winding -= b.y <= place.y && a.y > place.y && turn < 0;
	}
	return true;
}

// Does one loop lie within another? Found from the first point that is not on it.
static bool pnIsLoopInside( const pnFiller* filler, const pnLoops* loops, int inner, int outer )
{
	int winding = 1;
	bool known = false;
	for ( int i = loops->starts[inner]; i < loops->starts[inner + 1] && !known; ++i )
	{
		pnPoint2 place = pnPlaceOf( filler, loops->edges[2 * i] );
		int first = loops->starts[outer], count = loops->starts[outer + 1] - first;
		known = pnWindAround( filler, loops->edges + 2 * first, count, place, &winding );
	}
	return !known || winding > 0;
}

// A loop that turns right is a hole in the smallest one around it that turns left.
static void pnGroupLoops( const pnFiller* filler, const pnLoops* loops, pnLoopShape* shapes )
{
	for ( int i = 0; i < loops->count; ++i )
	{
		shapes[i] = pnMeasureLoop( filler, loops->edges + 2 * loops->starts[i], loops->starts[i + 1] - loops->starts[i] );
		shapes[i].group = i;
	}
	for ( int i = 0; i < loops->count; ++i )
	{
		pnLoopShape* hole = shapes + i;
		for ( int k = 0; k < loops->count && hole->area < 0.0; ++k )
		{
			const pnLoopShape* outer = shapes + k;
			bool around = outer->area > 0.0 && outer->lower.x <= hole->lower.x && outer->lower.y <= hole->lower.y &&
						  outer->upper.x >= hole->upper.x && outer->upper.y >= hole->upper.y;
			bool smaller = hole->group == i || outer->area < shapes[hole->group].area;
			if ( around && smaller && pnIsLoopInside( filler, loops, i, k ) )
			{
				hole->group = k;
			}
		}
	}
}

typedef struct pnGroups
{
	pnLoops loops;
	int32_t* members; // loops, group after group
	int32_t* starts; // of groups, in members
	int32_t* firsts; // of groups, in the indices of triangles
	int32_t* edges; // room for those of one group
	uint8_t* fanned; // is to be filled with fans
} pnGroups;

// Does the way from a over b to c turn back on itself?
static bool pnTurnsBack( const pnFiller* filler, int32_t a, int32_t b, int32_t c )
{
	pnPoint2 from = pnPlaceOf( filler, a ), over = pnPlaceOf( filler, b ), to = pnPlaceOf( filler, c );
	return pnSideOf( from, over, to ) == 0 && pnAhead( over, from, to ) > 0;
}

// A loop without the ways that it goes back over: those have no inside, and are closed with triangles of no area. Returns how many edges are left.
static int pnTrimLoop( pnFiller* filler, const int32_t* edges, int count, int32_t* left )
{
	if ( count < 3 )
	{
		memcpy( left, edges, 2 * (size_t)count * sizeof( int32_t ) );
		return count;
	}
	int first = 0, end = 0; // points that are left, in left[ 2 i ]
	for ( int i = 0; i < count; ++i )
	{
		for ( ; end > 1 && pnTurnsBack( filler, left[2 * ( end - 2 )], left[2 * ( end - 1 )], edges[2 * i] ); --end )
		{
			pnAddTriangle( filler, left[2 * ( end - 2 )], left[2 * ( end - 1 )], edges[2 * i] );
		}
		left[2 * end++] = edges[2 * i];
	}
	for ( bool turned = true; turned && end - first > 2; ) // where the end meets the beginning
	{
		int32_t a = left[2 * ( end - 2 )], b = left[2 * ( end - 1 )], c = left[2 * first], d = left[2 * ( first + 1 )];
		bool atEnd = pnTurnsBack( filler, a, b, c );
		turned = atEnd || pnTurnsBack( filler, b, c, d );
		if ( turned )
		{
			pnAddTriangle( filler, atEnd ? a : b, atEnd ? b : c, atEnd ? c : d );
		}
		end -= atEnd;
		first += turned && !atEnd;
	}
	count = end - first > 2 ? end - first : 0; // there and back: each is the other's twin
	for ( int i = 0; i < count; ++i )
	{
		left[2 * i] = left[2 * ( first + i )];
	}
	for ( int i = 0; i < count; ++i )
	{
		left[2 * i + 1] = left[2 * ( ( i + 1 ) % count )];
	}
	return count;
}

static void pnFillGroup( pnFiller* filler, pnGroups* groups, int group )
{
	const pnLoops* loops = &groups->loops;
	int count = 0, first = groups->starts[group], end = groups->starts[group + 1];
	groups->firsts[group] = filler->indexCount;
	for ( int i = first; i < end && groups->fanned[group] == 0; ++i )
	{
		int from = loops->starts[groups->members[i]], length = loops->starts[groups->members[i] + 1] - from;
		count += pnTrimLoop( filler, loops->edges + 2 * from, length, groups->edges + 2 * count );
	}
	groups->fanned[group] |= count > 0 && !pnFillTangle( filler, groups->edges, count );
	filler->indexCount = groups->fanned[group] != 0 ? groups->firsts[group] : filler->indexCount;
	for ( int i = first; i < end && groups->fanned[group] != 0; ++i )
	{
		int from = loops->starts[groups->members[i]], length = loops->starts[groups->members[i] + 1] - from;
		pnFillFan( filler, loops->edges + 2 * from, length );
	}
}

// True: all is well, or there is no memory. Else the groups that do not fit with others are to be filled with fans.
static bool pnCheckGroups( pnFiller* filler, pnGroups* groups )
{
	pnScratch scratch = { 0 };
	uint8_t* suspects = pnTakeArray( &scratch, uint8_t, (size_t)filler->outline->pointCount + filler->innerCount );
	filler->failed = filler->failed || scratch.failed;
	bool fine = filler->failed || pnCheckEdges( filler, suspects );
	for ( int group = 0; group < groups->loops.count && !fine && !filler->failed; ++group )
	{
		for ( int i = groups->firsts[group]; i < groups->firsts[group + 1]; ++i )
		{
			groups->fanned[group] |= suspects[filler->triangles[i]];
		}
	}
	pnGiveBack( &scratch );
	return fine || filler->failed;
}

// Each outer loop with its holes, by itself.
static void pnFillGroups( pnFiller* filler )
{
	pnScratch scratch = { 0 };
	pnGroups groups = { 0 };
	filler->failed = !pnFindLoops( filler->outline, &scratch, &groups.loops );
	int count = groups.loops.count, edgeCount = filler->outline->edgeCount;
	pnLoopShape* shapes = pnTakeArray( &scratch, pnLoopShape, count );
	groups.members = pnTakeArray( &scratch, int32_t, count );
	groups.starts = pnTakeArray( &scratch, int32_t, (size_t)count + 1 );
	groups.firsts = pnTakeArray( &scratch, int32_t, (size_t)count + 1 );
	groups.edges = pnTakeArray( &scratch, int32_t, 2 * (size_t)edgeCount );
	groups.fanned = pnTakeArray( &scratch, uint8_t, count );
	filler->placeOf = pnTakeArray( &scratch, int32_t, (size_t)filler->outline->pointCount + pnGetMostEdges( edgeCount ) );
	filler->failed = filler->failed || scratch.failed;
	if ( !filler->failed )
	{
		pnGroupLoops( filler, &groups.loops, shapes );
		for ( int i = 0; i < count; ++i )
		{
			groups.starts[shapes[i].group] += 1;
		}
		for ( int i = 0; i < count; ++i )
		{
			groups.starts[i + 1] += groups.starts[i];
		}
		for ( int i = count - 1; i >= 0; --i )
		{
			groups.members[--groups.starts[shapes[i].group]] = i;
		}
	}
	// The third time there are fans only.
	bool done = filler->failed;
	for ( int pass = 0; pass < 3 && !done; ++pass )
	{
		filler->innerCount = 0;
		filler->indexCount = 0;
		if ( pass == 2 )
		{
			memset( groups.fanned, 1, (size_t)count );
		}
		for ( int group = 0; group < count && !filler->failed; ++group )
		{
			pnFillGroup( filler, &groups, group );
		}
		groups.firsts[count] = filler->indexCount;
		done = pass == 2 || pnCheckGroups( filler, &groups );
	}
	filler->over = true; // nobody has looked at what lies over what
	pnGiveBack( &scratch );
}

// ---- the whole ----

// What was grown is held by a scratch from now on.
static void pnHoldGrown( pnScratch* scratch, void* memory, int capacity, size_t size )
{
	pnScratch grown = { .blocks = { { memory, (size_t)capacity, size } }, .blockCount = 1 };
	pnHandOver( &grown, scratch );
}

bool pnFillOutline( const pnOutline* outline, pnScratch* scratch, pnFilling* filling )
{
	*filling = (pnFilling){ 0 };
	PN_ASSERT( scratch->blockCount + 2 <= PN_SCRATCH_BLOCKS );
	pnScratch local = { 0 };
	pnFiller filler = { .outline = outline, .placeOf = pnTakeArray( &local, int32_t, outline->pointCount ) };
	filler.failed = local.failed || scratch->failed || scratch->blockCount + 2 > PN_SCRATCH_BLOCKS ||
					!pnGrow( (void**)&filler.inner, &filler.innerCapacity, 0, 16, sizeof( pnPoint2 ) );
	pnReserveTriangles( &filler, outline->edgeCount + 1 );
	bool done = filler.failed || outline->edgeCount == 0;
	done = done || ( pnFillEdges( &filler, outline->edges, outline->edgeCount, NULL ) && pnCheckEdges( &filler, NULL ) );
	pnGiveBack( &local );
	if ( !done && !filler.failed )
	{
		pnFillGroups( &filler );
	}
	if ( filler.failed )
	{
		pnFree( filler.inner, (size_t)filler.innerCapacity, sizeof( pnPoint2 ) );
		pnFree( filler.triangles, (size_t)filler.indexCapacity, sizeof( int32_t ) );
		scratch->failed = true;
		return false;
	}
	pnHoldGrown( scratch, filler.inner, filler.innerCapacity, sizeof( pnPoint2 ) );
	pnHoldGrown( scratch, filler.triangles, filler.indexCapacity, sizeof( int32_t ) );
	*filling = (pnFilling){ filler.inner, filler.innerCount, filler.triangles, filler.indexCount / 3, !filler.over };
	return true;
}
