// layers.c - fills what a set of directed edges bounds, in layers where they run around a place more than once. Knows no loops.
//
// All places become a net of triangles, the edges become walls in it, and a flood across the walls finds how often the edges run around
// each triangle. Once is layer 1. Several points may lie in one place, so each corner of a triangle gets its point by going around the
// place from one wall to the next. What has no width or no length, such as lips of nothing and points on one another, is closed with
// triangles of no area.
#include "layers.h"

#include "../base/cloud.h"

// ---- what is written ----

void pnReserveTriangles( pnFiller* filler, int count )
{
	int wanted = filler->indexCount + 3 * count;
	filler->failed = filler->failed || !pnGrow( (void**)&filler->triangles, &filler->indexCapacity, filler->indexCount, wanted, sizeof( int32_t ) );
}

void pnAddTriangle( pnFiller* filler, int32_t a, int32_t b, int32_t c )
{
	if ( filler->indexCount + 3 > filler->indexCapacity )
	{
		pnReserveTriangles( filler, 16 );
	}
	if ( !filler->failed )
	{
		int32_t* triangle = filler->triangles + filler->indexCount;
		triangle[0] = a;
		triangle[1] = b;
		triangle[2] = c;
		filler->indexCount += 3;
	}
}

int32_t pnAddInner( pnFiller* filler, pnPoint2 place )
{
	int count = filler->innerCount;
	filler->failed = filler->failed || !pnGrow( (void**)&filler->inner, &filler->innerCapacity, count, count + 1, sizeof( pnPoint2 ) );
	if ( !filler->failed )
	{
		filler->inner[filler->innerCount++] = place;
	}
	return filler->outline->pointCount + count;
}

// ---- a set of edges ----

// From here on numbers of points are makeshift: places on an edge that are no ends of it.
enum { PN_MAKESHIFT = 1 << 30 };
enum { PN_NO_LAYER = INT32_MIN };

// An edge or a part of it, from one place of the net to a neighbour.
typedef struct pnStretch
{
	int32_t from, to; // points, or makeshift ones
	int32_t edge;
	int32_t next; // 1 + another one on the same wall
	int32_t layer; // the one it bounds
	int32_t half; // where it does so
	bool along; // goes as the wall does
} pnStretch;

// An edge of the net with stretches on it.
typedef struct pnWall
{
	int32_t from; // a place: the wall's direction
	int32_t first; // 1 + stretch
	int32_t excess; // stretches along it less those against it
	int32_t half; // along it
} pnWall;

// An edge on which other places lie, with a makeshift point in each.
typedef struct pnChain { int32_t from, to, first, count; } pnChain;

// A half edge between points in one place that has no twin yet.
typedef struct pnArrow
{
	int32_t from, to;
	bool missing; // no triangle has it, but one must have its twin: an edge of the outline
	bool gone;
} pnArrow;

typedef struct pnWork
{
	pnFiller* filler;
	const int32_t* edges;
	int edgeCount;
	bool strict; // only once around will do
	bool tangled; // cannot be filled
	bool hopeless; // and there is no use in going on
	pnNet net;
	int32_t* windings; // of triangles
	int32_t* names; // 1 + point, at the half edges that start there
	int32_t* holders; // 1 + stretch that bounds the layer there. In the memory of the net's walls, which are not needed by then
	int32_t* innerOf; // 1 + point, of a place no stretch comes to
	pnList stretches, walls, chains, makeshift, arrows, clashes, waiting, passed, fresh;
} pnWork;

static pnPoint2 pnGetWorkPlace( const pnWork* work, int32_t point )
{
	return point >= PN_MAKESHIFT ? ( (const pnPoint2*)work->makeshift.items )[point - PN_MAKESHIFT] : pnPlaceOf( work->filler, point );
}

static void pnAddArrow( pnWork* work, int32_t from, int32_t to, bool missing )
{
	pnArrow* arrow = from != to ? pnExtend( &work->arrows, &work->filler->failed ) : NULL;
	if ( arrow != NULL )
	{
		*arrow = (pnArrow){ from, to, missing, false };
	}
}

static int32_t* pnGetPlaceOf( const pnFiller* filler, int32_t point )
{
	return filler->placeOf + ( point < filler->outline->pointCount ? point : point - filler->splitOffset );
}

// ---- walls ----

static void pnAddStretch( pnWork* work, int32_t edge, int32_t half, int32_t from, int32_t to )
{
	pnNet* net = &work->net;
	if ( net->walls[half] == 0 )
	{
		pnWall* wall = pnExtend( &work->walls, &work->filler->failed );
		if ( wall == NULL )
		{
			return;
		}
		*wall = (pnWall){ net->corners[half], 0, 0, half };
		net->walls[half] = net->walls[net->twins[half]] = work->walls.count;
	}
	pnStretch* stretch = pnExtend( &work->stretches, &work->filler->failed );
	if ( stretch != NULL )
	{
		pnWall* wall = (pnWall*)work->walls.items + net->walls[half] - 1;
		bool along = wall->from == net->corners[half];
		*stretch = (pnStretch){ from, to, edge, wall->first, PN_NO_LAYER, 0, along };
		wall->first = work->stretches.count;
		wall->excess += along ? 1 : -1;
	}
}

// Are walls in the way that was found? If it matters, writes down whose.
static bool pnIsBlocked( pnWork* work, int32_t edge )
{
	bool blocked = false;
	const pnPassed* passed = work->passed.items;
	const pnStretch* stretches = work->stretches.items;
	for ( int i = 0; i < work->passed.count; ++i )
	{
		if ( passed[i].wall == 0 )
		{
			continue;
		}
		blocked = true;
		const pnWall* wall = (const pnWall*)work->walls.items + passed[i].wall - 1;
		for ( int32_t k = work->strict ? 0 : wall->first; k != 0; k = stretches[k - 1].next )
		{
			pnClash* clash = pnExtend( &work->clashes, &work->filler->failed );
			if ( clash != NULL )
			{
				*clash = (pnClash){ { edge, stretches[k - 1].edge } };
			}
		}
	}
	return blocked;
}

// An edge the net does not have, in parts from one place that lies on it to the next.
static void pnForceWalls( pnWork* work, int32_t edge )
{
	pnNet* net = &work->net;
	bool* failed = &work->filler->failed;
	const int32_t* ends = work->edges + 2 * edge;
	int32_t at = *pnGetPlaceOf( work->filler, ends[0] ), goal = *pnGetPlaceOf( work->filler, ends[1] );
	int32_t from = ends[0], chainFirst = work->makeshift.count;
	while ( at != goal )
	{
		int32_t half = pnFindHalf( net, at, goal ), next = goal;
		if ( half < 0 )
		{
			work->passed.count = 0;
			next = pnFindWay( net, at, goal, &work->passed, failed );
			if ( pnIsBlocked( work, edge ) )
			{
				work->tangled = true;
			}
			else if ( !*failed )
			{
				pnForceEdge( net, at, next, &work->passed, &work->fresh, failed );
				half = pnFindHalf( net, at, next );
				work->tangled = work->tangled || half < 0;
			}
		}
		int32_t to = ends[1];
		if ( next != goal && !*failed )
		{
			pnPoint2* place = pnExtend( &work->makeshift, failed );
			if ( place != NULL )
			{
				*place = net->places[next];
				to = PN_MAKESHIFT + work->makeshift.count - 1;
			}
		}
		if ( *failed )
		{
			return;
		}
		if ( half >= 0 )
		{
			pnAddStretch( work, edge, half, from, to );
		}
		at = next;
		from = to;
	}
	if ( work->makeshift.count > chainFirst )
	{
		pnChain* chain = pnExtend( &work->chains, failed );
		if ( chain != NULL )
		{
			*chain = (pnChain){ ends[0], ends[1], PN_MAKESHIFT + chainFirst, work->makeshift.count - chainFirst };
		}
	}
	// Edges over many others could cost the square of their number.
	bool crowded = work->makeshift.count > 8 * work->edgeCount + 1024 || work->clashes.count > 2 * work->edgeCount + 512;
	work->tangled = work->tangled || crowded;
	work->hopeless = crowded || ( work->tangled && work->strict );
}

// Edges the net has become walls at once, the others then. Those go from coarse to fine: the first cut long fans of triangles into parts,
// and the others pass few edges.
static void pnLayEdges( pnWork* work )
{
	pnFiller* filler = work->filler;
	for ( int i = 0; i < work->edgeCount && !filler->failed; ++i )
	{
		int32_t from = work->edges[2 * i], to = work->edges[2 * i + 1];
		int32_t at = *pnGetPlaceOf( filler, from ), goal = *pnGetPlaceOf( filler, to );
		int32_t half = at != goal ? pnFindHalf( &work->net, at, goal ) : -1;
		if ( half >= 0 )
		{
			pnAddStretch( work, i, half, from, to );
		}
		else if ( at != goal )
		{
			int32_t* waiting = pnExtend( &work->waiting, &filler->failed );
			if ( waiting != NULL )
			{
				*waiting = i;
			}
		}
		else if ( from != to )
		{
			pnAddArrow( work, to, from, true );
		}
		else
		{
			pnAddTriangle( filler, from, from, pnAddInner( filler, pnPlaceOf( filler, from ) ) );
		}
	}
	const int32_t* waiting = work->waiting.items;
	int stride = 1;
	while ( stride < work->waiting.count )
	{
		stride *= 2;
	}
	for ( int coarser = 0; stride > 0; coarser = stride, stride /= 2 )
	{
		for ( int i = 0; i < work->waiting.count && !filler->failed && !work->hopeless; i += stride )
		{
			if ( coarser == 0 || i % coarser != 0 )
			{
				pnForceWalls( work, waiting[i] );
			}
		}
	}
}

// How often the edges run around each triangle: the least and the most. Also finds where the walls are.
static void pnFlood( pnWork* work, int32_t* least, int32_t* most )
{
	const int32_t unknown = INT32_MIN;
	const pnNet* net = &work->net;
	pnWall* walls = work->walls.items;
	int32_t* windings = work->windings;
	int32_t* stack = work->names; // not in use yet
	int count = 1, deepest = 1;
	for ( int i = 1; i < net->triangleCount; ++i )
	{
		windings[i] = unknown;
	}
	*least = *most = 0;
	stack[0] = 0;
	windings[0] = 0;
	while ( count > 0 )
	{
		int32_t first = stack[--count], winding = windings[first >> 2];
		for ( int32_t half = first; half < first + 3; ++half )
		{
			int32_t other = net->twins[half] >> 2, across = winding;
			if ( net->walls[half] != 0 )
			{
				pnWall* wall = walls + net->walls[half] - 1;
				bool along = wall->from == net->corners[half];
				across += along ? -wall->excess : wall->excess;
				wall->half = along ? half : wall->half;
				*least = across < *least ? across : *least;
				*most = across > *most ? across : *most;
			}
			if ( windings[other] == unknown )
			{
				windings[other] = across;
				stack[count++] = 4 * other;
			}
		}
		deepest = count > deepest ? count : deepest;
	}
	memset( stack, 0, (size_t)deepest * sizeof( int32_t ) );
}

// ---- points in one place ----

// Of sorted arrows the first one that does not come before the one asked for.
static int pnFindArrow( const pnArrow* arrows, const int32_t* order, int count, int32_t from, int32_t to )
{
	int low = 0, high = count;
	while ( low < high )
	{
		int middle = low + ( high - low ) / 2;
		const pnArrow* arrow = arrows + order[middle];
		bool before = arrow->from < from || ( arrow->from == from && arrow->to < to );
		low = before ? middle + 1 : low;
		high = before ? high : middle;
	}
	return low;
}

// Two arrows against one another are twins. They must not both be missing.
static void pnPairArrows( pnArrow* arrows, const int32_t* order, int count, bool missing )
{
	for ( int i = 0; i < count; ++i )
	{
		pnArrow* arrow = arrows + order[i];
		if ( arrow->gone || arrow->missing != missing )
		{
			continue;
		}
		for ( int k = pnFindArrow( arrows, order, count, arrow->to, arrow->from ); k < count; ++k )
		{
			pnArrow* other = arrows + order[k];
			if ( other->from != arrow->to || other->to != arrow->from )
			{
				break;
			}
			if ( !other->gone && !other->missing )
			{
				arrow->gone = other->gone = true;
				break;
			}
		}
	}
}

// A ring of arrows is closed from the other side.
static void pnCloseRing( pnWork* work, const pnArrow* arrows, const int32_t* ring, int count )
{
	int32_t hub = arrows[ring[0]].from;
	for ( int i = 1; i + 1 < count; ++i )
	{
		pnAddTriangle( work->filler, hub, arrows[ring[i + 1]].from, arrows[ring[i]].from );
	}
	if ( count == 2 )
	{
		int32_t other = arrows[ring[1]].from, center = pnAddInner( work->filler, pnGetWorkPlace( work, hub ) );
		pnAddTriangle( work->filler, other, hub, center );
		pnAddTriangle( work->filler, hub, other, center );
	}
}

// As many arrows come to a point as leave it: what is not paired are rings.
static void pnCloseArrows( pnWork* work )
{
	int count = work->arrows.count;
	pnArrow* arrows = work->arrows.items;
	pnScratch scratch = { 0 };
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, count );
	uint64_t* spareKeys = pnTakeArray( &scratch, uint64_t, count );
	int32_t* order = pnTakeArray( &scratch, int32_t, count );
	int32_t* path = pnTakeArray( &scratch, int32_t, count );
	int32_t* depths = pnTakeArray( &scratch, int32_t, count ); // 1 + where in the path a point is left; at its first arrow
	if ( scratch.failed )
	{
		work->filler->failed = true;
		pnGiveBack( &scratch );
		return;
	}
	for ( int i = 0; i < count; ++i )
	{
		keys[i] = (uint64_t)arrows[i].from << 32 | (uint32_t)arrows[i].to;
		order[i] = i;
	}
	pnSortByKey( keys, order, spareKeys, path, count );
	pnPairArrows( arrows, order, count, true );
	pnPairArrows( arrows, order, count, false );
	for ( int i = 0; i < count; ++i )
	{
		int length = 0, next = i;
		while ( next < count && !arrows[order[next]].gone )
		{
			pnArrow* arrow = arrows + order[next];
			arrow->gone = true;
			depths[pnFindArrow( arrows, order, count, arrow->from, INT32_MIN )] = length + 1;
			path[length++] = order[next];
			next = pnFindArrow( arrows, order, count, arrow->to, INT32_MIN );
			if ( next < count && depths[next] != 0 )
			{
				int ring = depths[next] - 1;
				pnCloseRing( work, arrows, path + ring, length - ring );
				for ( int k = ring; k < length; ++k )
				{
					depths[pnFindArrow( arrows, order, count, arrows[path[k]].from, INT32_MIN )] = 0;
				}
				length = ring;
			}
			while ( next < count && arrows[order[next]].from == arrow->to && arrows[order[next]].gone )
			{
				next += 1;
			}
			next = next < count && arrows[order[next]].from == arrow->to ? next : count;
		}
		if ( length > 0 )
		{
			work->tangled = true; // the edges do not close
			break;
		}
	}
	pnGiveBack( &scratch );
}

// ---- layers ----

// Layer 1 is what the edges run around at least once, layer 2 twice, and so on. Layers 0, -1 .. are what they run around the wrong way,
// and their triangles are turned.
static bool pnIsInLayer( int32_t winding, int32_t layer )
{
	return layer > 0 ? winding >= layer : winding < layer;
}

static int32_t pnTakeStretch( const pnStretch* stretches, int32_t* cursor, bool along )
{
	int32_t at = *cursor;
	while ( at != 0 && stretches[at - 1].along != along )
	{
		at = stretches[at - 1].next;
	}
	*cursor = at != 0 ? stretches[at - 1].next : 0;
	return at - 1;
}

static void pnBoundLayer( pnWork* work, const pnWall* wall, int32_t index, int32_t layer )
{
	if ( index < 0 )
	{
		work->tangled = true; // the edges do not close
		return;
	}
	pnStretch* stretch = (pnStretch*)work->stretches.items + index;
	stretch->layer = layer;
	stretch->half = stretch->along == ( layer > 0 ) ? wall->half : work->net.twins[wall->half];
}

// Two stretches against one another with nothing between them.
static void pnFillStrip( pnWork* work, const pnStretch* a, const pnStretch* b )
{
	pnFiller* filler = work->filler;
	if ( a->from == b->to && a->to == b->from )
	{
		int32_t center = pnAddInner( filler, pnGetWorkPlace( work, a->from ) ); // the middle need not be a whole number
		pnAddTriangle( filler, a->from, a->to, center );
		pnAddTriangle( filler, b->from, b->to, center );
		return;
	}
	if ( a->to != b->from )
	{
		pnAddTriangle( filler, a->from, a->to, b->from );
	}
	if ( a->from != b->to )
	{
		pnAddTriangle( filler, a->from, b->from, b->to );
	}
	pnAddArrow( work, a->to, b->from, false );
	pnAddArrow( work, b->to, a->from, false );
}

// Which stretch bounds which layer: of those on one wall as many as layers end there, then pairs as lips of slits.
static void pnAssignStretches( pnWork* work )
{
	const pnStretch* stretches = work->stretches.items;
	for ( int i = 0; i < work->walls.count; ++i )
	{
		const pnWall* wall = (const pnWall*)work->walls.items + i;
		int32_t left = work->windings[wall->half >> 2], right = work->windings[work->net.twins[wall->half] >> 2];
		int32_t along = wall->first, against = wall->first;
		for ( int32_t layer = right + 1; layer <= left; ++layer )
		{
			pnBoundLayer( work, wall, pnTakeStretch( stretches, &along, true ), layer );
		}
		for ( int32_t layer = left + 1; layer <= right; ++layer )
		{
			pnBoundLayer( work, wall, pnTakeStretch( stretches, &against, false ), layer );
		}
		int32_t low = left < right ? left : right, high = left < right ? right : left;
		int32_t slit = low > 0 ? 1 : high + 1, lastSlit = low > 0 ? low : 0;
		for ( ;; )
		{
			int32_t a = pnTakeStretch( stretches, &along, true ), b = pnTakeStretch( stretches, &against, false );
			if ( a < 0 || b < 0 )
			{
				work->tangled = work->tangled || a >= 0 || b >= 0;
				break;
			}
			if ( slit <= lastSlit )
			{
				pnBoundLayer( work, wall, a, slit );
				pnBoundLayer( work, wall, b, slit );
				slit += 1;
			}
			else
			{
				pnFillStrip( work, stretches + a, stretches + b );
			}
		}
	}
}

// From where a stretch leaves its place to where the next one comes in, the corners there are its point.
static void pnNameSector( pnWork* work, const pnStretch* stretch, bool turned )
{
	const pnNet* net = &work->net;
	int32_t half = turned ? pnNext( stretch->half ) : stretch->half, start = half, holder = 0;
	do
	{
		work->names[half] = 1 + stretch->from;
		int32_t edge = turned ? half : pnBefore( half );
		holder = work->holders[edge];
		half = turned ? pnNext( net->twins[edge] ) : net->twins[edge];
	}
	while ( holder == 0 && half != start );
	if ( holder == 0 )
	{
		work->tangled = true; // the edges do not close
		return;
	}
	const pnStretch* end = (const pnStretch*)work->stretches.items + holder - 1;
	if ( end->to != stretch->from ) // another point in this place
	{
		pnAddTriangle( work->filler, stretch->from, end->from, end->to );
		pnAddArrow( work, end->to, stretch->from, false );
	}
}

static void pnFillLayer( pnWork* work, int32_t layer )
{
	const pnNet* net = &work->net;
	const pnStretch* stretches = work->stretches.items;
	bool turned = layer <= 0;
	for ( int i = 0; i < work->stretches.count; ++i )
	{
		if ( stretches[i].layer == layer )
		{
			work->holders[stretches[i].half] = i + 1;
		}
	}
	for ( int i = 0; i < work->stretches.count; ++i )
	{
		if ( stretches[i].layer == layer )
		{
			pnNameSector( work, stretches + i, turned );
		}
	}
	for ( int t = 0; t < net->triangleCount; ++t )
	{
		if ( !pnIsInLayer( work->windings[t], layer ) )
		{
			continue;
		}
		int32_t points[3];
		for ( int i = 0; i < 3; ++i )
		{
			int32_t half = 4 * t + i, place = net->corners[half];
			if ( work->names[half] == 0 )
			{
				work->innerOf[place] = work->innerOf[place] != 0 ? work->innerOf[place] : 1 + pnAddInner( work->filler, net->places[place] );
				work->names[half] = work->innerOf[place];
			}
			points[i] = work->names[half] - 1;
			work->names[half] = 0;
			work->holders[half] = 0;
		}
		pnAddTriangle( work->filler, points[0], points[turned ? 2 : 1], points[turned ? 1 : 2] );
	}
	memset( work->innerOf, 0, (size_t)net->placeCount * sizeof( int32_t ) );
}

// ---- places on edges ----

// Triangles with makeshift points, and for each such point those that have it, as lists of corners.
typedef struct pnLoose
{
	int32_t* corners; // three for each triangle
	int32_t *nexts, *befores; // 1 + corner
	int32_t* firsts; // of a makeshift point: 1 + corner
	int count; // of corners
	int32_t *ring, *freed, *ranges; // room for work
} pnLoose;

static void pnHang( pnLoose* loose, int32_t corner )
{
	int32_t point = loose->corners[corner] - PN_MAKESHIFT;
	if ( point >= 0 )
	{
		int32_t next = loose->firsts[point];
		loose->nexts[corner] = next;
		loose->befores[corner] = 0;
		loose->firsts[point] = corner + 1;
		if ( next != 0 )
		{
			loose->befores[next - 1] = corner + 1;
		}
	}
}

static void pnUnhang( pnLoose* loose, int32_t corner )
{
	int32_t point = loose->corners[corner] - PN_MAKESHIFT;
	if ( point >= 0 )
	{
		int32_t next = loose->nexts[corner], before = loose->befores[corner];
		if ( next != 0 )
		{
			loose->befores[next - 1] = before;
		}
		*( before != 0 ? loose->nexts + before - 1 : loose->firsts + point ) = next;
	}
	loose->corners[corner] = -1;
}

// The triangle with an edge from a makeshift point to another point, as its first corner; -1: none. Also its third point.
static int32_t pnFindLoose( const pnLoose* loose, int32_t from, int32_t to, int32_t* third )
{
	for ( int32_t at = loose->firsts[from - PN_MAKESHIFT]; at != 0; at = loose->nexts[at - 1] )
	{
		int32_t k = ( at - 1 ) % 3, base = at - 1 - k;
		if ( loose->corners[base + ( k + 1 ) % 3] == to )
		{
			*third = loose->corners[base + ( k + 2 ) % 3];
			return base;
		}
	}
	return -1;
}

// Which of ring[low + 1 .. high - 1] makes the best triangle on the edge from ring[high] to ring[low]: one that lies on it, else the one
// whose circle has no other in it.
static int pnChooseThird( const pnWork* work, const int32_t* ring, int low, int high )
{
	pnPoint2 a = pnGetWorkPlace( work, ring[high] ), b = pnGetWorkPlace( work, ring[low] ), c = { 0, 0 };
	int best = low + 1, bestRank = 3;
	for ( int i = low + 1; i < high; ++i )
	{
		pnPoint2 p = pnGetWorkPlace( work, ring[i] );
		int64_t turn = pnSideOf( a, b, p );
		bool between = turn == 0 && pnAhead( a, b, p ) > 0 && pnAhead( b, a, p ) > 0;
		int rank = between ? 0 : turn > 0 ? 1 : 2;
		if ( rank < bestRank || ( rank == 1 && bestRank == 1 && pnIsInCircle( a, b, c, p ) ) )
		{
			best = i;
			bestRank = rank;
			c = p;
		}
	}
	return best;
}

// Takes the makeshift points of an edge away, and fills the hole, which the edge then bounds. It needs as many triangles as were freed
// less one for each point. After Anglada 1997.
static bool pnDropChain( const pnWork* work, pnLoose* loose, const pnChain* chain )
{
	int32_t pivot = chain->first + chain->count - 1, at = chain->to, *ring = loose->ring, *ranges = loose->ranges;
	int size = 0, freedCount = 0;
	ring[size++] = at;
	while ( pivot >= chain->first )
	{
		int32_t third = -1, triangle = pnFindLoose( loose, pivot, at, &third );
		if ( triangle < 0 )
		{
			return false;
		}
		for ( int k = 0; k < 3; ++k )
		{
			pnUnhang( loose, triangle + k );
		}
		loose->freed[freedCount++] = triangle;
		if ( third == ( pivot == chain->first ? chain->from : pivot - 1 ) )
		{
			pivot -= 1;
		}
		else
		{
			ring[size++] = at = third;
		}
	}
	ring[size++] = chain->from;
	for ( int i = 0; i < chain->count; ++i )
	{
		if ( loose->firsts[chain->first + i - PN_MAKESHIFT] != 0 )
		{
			return false;
		}
	}
	if ( size < 3 )
	{
		return false;
	}
	int depth = 0;
	ranges[depth++] = 0;
	ranges[depth++] = size - 1;
	while ( depth > 0 )
	{
		int high = ranges[--depth], low = ranges[--depth];
		if ( high - low < 2 )
		{
			continue;
		}
		int third = pnChooseThird( work, ring, low, high );
		int32_t base = loose->freed[--freedCount];
		loose->corners[base] = ring[high];
		loose->corners[base + 1] = ring[low];
		loose->corners[base + 2] = ring[third];
		for ( int k = 0; k < 3; ++k )
		{
			pnHang( loose, base + k );
		}
		ranges[depth++] = low;
		ranges[depth++] = third;
		ranges[depth++] = third;
		ranges[depth++] = high;
	}
	return true;
}

static bool pnIsLoose( const int32_t* triangle )
{
	return triangle[0] >= PN_MAKESHIFT || triangle[1] >= PN_MAKESHIFT || triangle[2] >= PN_MAKESHIFT;
}

static void pnDropMakeshift( pnWork* work, int firstIndex )
{
	pnFiller* filler = work->filler;
	size_t count = 0;
	for ( int i = firstIndex; i < filler->indexCount; i += 3 )
	{
		count += pnIsLoose( filler->triangles + i );
	}
	pnScratch scratch = { 0 };
	pnLoose loose = { .corners = pnTakeArray( &scratch, int32_t, 3 * count ), .count = 0 };
	loose.nexts = pnTakeArray( &scratch, int32_t, 3 * count );
	loose.befores = pnTakeArray( &scratch, int32_t, 3 * count );
	loose.firsts = pnTakeArray( &scratch, int32_t, work->makeshift.count );
	loose.ring = pnTakeArray( &scratch, int32_t, count + 2 );
	loose.freed = pnTakeArray( &scratch, int32_t, count );
	loose.ranges = pnTakeArray( &scratch, int32_t, 4 * count + 8 );
	if ( scratch.failed )
	{
		filler->failed = true;
		pnGiveBack( &scratch );
		return;
	}
	int kept = firstIndex;
	for ( int i = firstIndex; i < filler->indexCount; i += 3 )
	{
		const int32_t* triangle = filler->triangles + i;
		bool isLoose = pnIsLoose( triangle );
		memmove( isLoose ? loose.corners + loose.count : filler->triangles + kept, triangle, 3 * sizeof( int32_t ) );
		for ( int k = 0; k < 3 && isLoose; ++k )
		{
			pnHang( &loose, loose.count + k );
		}
		loose.count += isLoose ? 3 : 0;
		kept += isLoose ? 0 : 3;
	}
	filler->indexCount = kept;
	const pnChain* chains = work->chains.items;
	for ( int i = 0; i < work->chains.count && !work->tangled; ++i )
	{
		work->tangled = !pnDropChain( work, &loose, chains + i );
	}
	for ( int i = 0; i < loose.count && !work->tangled; i += 3 )
	{
		if ( loose.corners[i] >= 0 )
		{
			work->tangled = pnIsLoose( loose.corners + i );
			pnAddTriangle( filler, loose.corners[i], loose.corners[i + 1], loose.corners[i + 2] );
		}
	}
	pnGiveBack( &scratch );
}

// ---- points inside ----

enum { PN_INNER_CELLS = 1 << 20 }; // a grid of more cells than this is made coarser

typedef struct pnInnerGrid
{
	pnPoint2 lower;
	double width, height, spacing, rise;
	int columns, rows;
	int32_t* steps; // how the winding changes from the column before
	uint8_t* near; // to an edge; then, to be put
} pnInnerGrid;

static double pnGetShift( int row )
{
	return ( row & 1 ) != 0 ? 0.75 : 0.25;
}

static void pnMarkEdge( pnInnerGrid* grid, pnPoint2 from, pnPoint2 to )
{
	const double distance = 0.6 * grid->spacing, distance2 = distance * distance;
	double ax = (double)from.x - grid->lower.x, ay = (double)from.y - grid->lower.y;
	double bx = (double)to.x - grid->lower.x, by = (double)to.y - grid->lower.y;
	double dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy, slope = dy != 0.0 ? dx / dy : 0.0;
	double bottom = ay < by ? ay : by, top = ay < by ? by : ay;
	int firstRow = (int)( ( bottom - distance ) / grid->rise ), lastRow = (int)( ( top + distance ) / grid->rise );
	firstRow = firstRow > 0 ? firstRow : 0;
	lastRow = lastRow < grid->rows - 1 ? lastRow : grid->rows - 1;
	for ( int row = firstRow; row <= lastRow; ++row )
	{
		double y = ( row + 0.5 ) * grid->rise, shift = pnGetShift( row );
		if ( ( ay <= y ) != ( by <= y ) )
		{
			double column = ( ax + slope * ( y - ay ) ) / grid->spacing - shift;
			int step = column < 0.0 ? 0 : (int)column + 1;
			grid->steps[row * grid->columns + ( step < grid->columns ? step : grid->columns - 1 )] += by > ay ? -1 : 1;
		}
		// the part of the edge that is near the row, and the columns near that
		double low = y - distance < bottom ? bottom : y - distance, high = y + distance > top ? top : y + distance;
		if ( low > high )
		{
			continue;
		}
		double x0 = ax + slope * ( low - ay ), x1 = dy != 0.0 ? ax + slope * ( high - ay ) : bx;
		double left = ( ( x0 < x1 ? x0 : x1 ) - distance ) / grid->spacing - shift;
		double right = ( ( x0 < x1 ? x1 : x0 ) + distance ) / grid->spacing - shift;
		int first = left > 0.0 ? (int)left : 0, last = right < grid->columns - 1 ? (int)right : grid->columns - 1;
		for ( int column = first; column <= last; ++column )
		{
			double px = ( column + shift ) * grid->spacing - ax, py = y - ay;
			double ahead = px * dx + py * dy, aside = px * dy - py * dx;
			double qx = ahead <= 0.0 ? px : px - dx, qy = ahead <= 0.0 ? py : py - dy;
			bool isBeside = ahead > 0.0 && ahead < length2;
			if ( isBeside ? aside * aside < distance2 * length2 : qx * qx + qy * qy < distance2 )
			{
				grid->near[row * grid->columns + column] = 1;
			}
		}
	}
}

// The places where edges start, then those of a grid of equilateral triangles over the inside, but for what is near an edge. NULL: no
// memory.
static pnPoint2* pnFindPlaces( const pnWork* work, pnScratch* scratch, int* count )
{
	const pnFiller* filler = work->filler;
	pnPoint2 lower = { INT32_MAX, INT32_MAX }, upper = { INT32_MIN, INT32_MIN };
	for ( int i = 0; i < work->edgeCount; ++i )
	{
		pnPoint2 p = pnPlaceOf( filler, work->edges[2 * i] );
		lower.x = p.x < lower.x ? p.x : lower.x;
		lower.y = p.y < lower.y ? p.y : lower.y;
		upper.x = p.x > upper.x ? p.x : upper.x;
		upper.y = p.y > upper.y ? p.y : upper.y;
	}
	pnInnerGrid grid = { .lower = lower, .width = (double)upper.x - lower.x, .height = (double)upper.y - lower.y };
	int innerCount = 0;
	if ( filler->outline->spacing > 0 )
	{
		grid.spacing = filler->outline->spacing < 4 ? 4.0 : (double)filler->outline->spacing;
		while ( ( grid.width / grid.spacing + 2.0 ) * ( grid.height / grid.spacing + 2.0 ) > (double)PN_INNER_CELLS )
		{
			grid.spacing *= 2.0;
		}
		grid.rise = 0.8660254037844386 * grid.spacing;
		grid.columns = (int)( grid.width / grid.spacing ) + 2;
		grid.rows = (int)( grid.height / grid.rise ) + 2;
		grid.steps = pnTakeArray( scratch, int32_t, (size_t)grid.columns * grid.rows );
		grid.near = pnTakeArray( scratch, uint8_t, (size_t)grid.columns * grid.rows );
		for ( int i = 0; i < work->edgeCount && !scratch->failed; ++i )
		{
			pnMarkEdge( &grid, pnPlaceOf( filler, work->edges[2 * i] ), pnPlaceOf( filler, work->edges[2 * i + 1] ) );
		}
		for ( int row = 0; row < grid.rows && !scratch->failed; ++row )
		{
			int32_t winding = 0;
			bool inside = ( row + 0.5 ) * grid.rise < grid.height;
			for ( int column = 0, cell = row * grid.columns; column < grid.columns; ++column, ++cell )
			{
				winding += grid.steps[cell];
				grid.near[cell] = grid.near[cell] == 0 && winding != 0 && inside && ( column + pnGetShift( row ) ) * grid.spacing < grid.width;
				innerCount += grid.near[cell];
			}
		}
	}
	*count = work->edgeCount + innerCount;
	pnPoint2* places = pnTakeRawArray( scratch, pnPoint2, *count );
	for ( int i = 0; i < work->edgeCount && places != NULL; ++i )
	{
		places[i] = pnPlaceOf( filler, work->edges[2 * i] );
	}
	pnPoint2* inner = places != NULL ? places + work->edgeCount : NULL;
	for ( int row = 0; row < grid.rows && inner != NULL; ++row )
	{
		for ( int column = 0; column < grid.columns; ++column )
		{
			if ( grid.near[row * grid.columns + column] != 0 )
			{
				double x = ( column + pnGetShift( row ) ) * grid.spacing, y = ( row + 0.5 ) * grid.rise;
				*inner++ = (pnPoint2){ lower.x + (int32_t)x, lower.y + (int32_t)y };
			}
		}
	}
	return places;
}

// ---- all of it ----

static bool pnPrepareWork( pnWork* work, pnScratch* scratch )
{
	pnFiller* filler = work->filler;
	// As many edges come to a point as leave it: the starts of edges are all points.
	int count = 0;
	pnPoint2* places = pnFindPlaces( work, scratch, &count );
	int32_t* placeOf = pnTakeRawArray( scratch, int32_t, count );
	if ( scratch->failed || !pnBuildNet( &work->net, places, count, placeOf, scratch ) )
	{
		return false;
	}
	for ( int i = 0; i < work->edgeCount; ++i )
	{
		*pnGetPlaceOf( filler, work->edges[2 * i] ) = placeOf[i];
	}
	size_t triangleCount = (size_t)work->net.triangleCount;
	work->windings = pnTakeRawArray( scratch, int32_t, triangleCount );
	work->names = pnTakeArray( scratch, int32_t, 4 * triangleCount );
	work->innerOf = pnTakeArray( scratch, int32_t, work->net.placeCount );
	work->holders = work->net.walls;
	work->stretches.size = sizeof( pnStretch );
	work->walls.size = sizeof( pnWall );
	work->chains.size = sizeof( pnChain );
	work->makeshift.size = sizeof( pnPoint2 );
	work->arrows.size = sizeof( pnArrow );
	work->clashes.size = sizeof( pnClash );
	work->waiting.size = sizeof( int32_t );
	work->passed.size = sizeof( pnPassed );
	work->fresh.size = sizeof( pnPassed );
	return !scratch->failed && pnGrow( &work->stretches.items, &work->stretches.capacity, 0, work->edgeCount, sizeof( pnStretch ) ) &&
		   pnGrow( &work->walls.items, &work->walls.capacity, 0, work->edgeCount, sizeof( pnWall ) );
}

static void pnRunWork( pnWork* work )
{
	pnFiller* filler = work->filler;
	int firstIndex = filler->indexCount;
	pnLayEdges( work );
	if ( work->tangled || filler->failed )
	{
		return;
	}
	int32_t least, most;
	pnFlood( work, &least, &most );
	if ( least < 0 || most > 1 )
	{
		work->tangled = work->strict;
		filler->over = true;
	}
	if ( !work->tangled )
	{
		pnReserveTriangles( filler, work->net.triangleCount );
		pnAssignStretches( work );
		memset( work->holders, 0, 4 * (size_t)work->net.triangleCount * sizeof( int32_t ) );
	}
	for ( int32_t layer = least + 1; layer <= most && !work->tangled && !filler->failed; ++layer )
	{
		pnFillLayer( work, layer );
	}
	if ( work->arrows.count > 0 && !work->tangled && !filler->failed )
	{
		pnCloseArrows( work );
	}
	if ( work->makeshift.count > 0 && !work->tangled && !filler->failed )
	{
		pnDropMakeshift( work, firstIndex );
	}
}

bool pnFillEdges( pnFiller* filler, const int32_t* edges, int edgeCount, pnList* clashes )
{
	int innerCount = filler->innerCount, indexCount = filler->indexCount;
	bool over = filler->over;
	pnScratch scratch = { 0 };
	pnWork work = { .filler = filler, .edges = edges, .edgeCount = edgeCount, .strict = clashes == NULL };
	if ( pnPrepareWork( &work, &scratch ) )
	{
		pnRunWork( &work );
	}
	else
	{
		filler->failed = true;
	}
	pnGiveBack( &scratch );
	pnFreeList( &work.stretches );
	pnFreeList( &work.walls );
	pnFreeList( &work.chains );
	pnFreeList( &work.makeshift );
	pnFreeList( &work.arrows );
	pnFreeList( &work.waiting );
	pnFreeList( &work.passed );
	pnFreeList( &work.fresh );
	if ( clashes != NULL )
	{
		*clashes = work.clashes;
	}
	bool fine = !work.tangled && !filler->failed;
	if ( !fine )
	{
		filler->innerCount = innerCount;
		filler->indexCount = indexCount;
		filler->over = over;
	}
	return fine;
}
