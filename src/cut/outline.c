// outline.c - fills flat outlines with triangles: constrained Delaunay, exact predicates on whole numbers. Knows no third dimension.
//
// All places of the outline are put into a net of Delaunay triangles, edges of the outline become walls in it (after Sloan 1993), and
// a flood across the walls finds how often the outline runs around each triangle. Where it does so once, there is material. Several
// points may lie in one place, so each corner of a triangle is given its point by going around the place from a wall to the next.
// What has no width or no length (lips of nothing, points on one another) is closed with triangles of no area.
#include "outline.h"

#include "../base/cloud.h"

#include <math.h>

// ---- what is written ----

// Points of the outline, then those put inside. From here on numbers are makeshift: places on an edge that are no ends of it.
enum { PN_MAKESHIFT = 1 << 30 };

typedef struct pnFiller
{
	const pnOutline* outline;
	pnPoint2* inner;
	int32_t* triangles;
	int innerCount, innerCapacity;
	int indexCount, indexCapacity; // three for each triangle
	int32_t* placeOf; // of the outline's points and of points at crossings
	int firstCrossing; // the first inner point that is one of those
	bool over; // triangles lie over others or are turned
	bool failed; // no memory
} pnFiller;

static void pnReserve( pnFiller* filler, int triangleCount )
{
	int wanted = filler->indexCount + 3 * triangleCount;
	filler->failed = filler->failed || !pnGrow( (void**)&filler->triangles, &filler->indexCapacity, filler->indexCount, wanted, sizeof( int32_t ) );
}

static void pnAddTriangle( pnFiller* filler, int32_t a, int32_t b, int32_t c )
{
	if ( filler->indexCount + 3 > filler->indexCapacity &&
		 !pnGrow( (void**)&filler->triangles, &filler->indexCapacity, filler->indexCount, filler->indexCount + 3, sizeof( int32_t ) ) )
	{
		filler->failed = true;
		return;
	}
	int32_t* triangle = filler->triangles + filler->indexCount;
	triangle[0] = a;
	triangle[1] = b;
	triangle[2] = c;
	filler->indexCount += 3;
}

static int32_t pnAddInner( pnFiller* filler, pnPoint2 place )
{
	if ( filler->innerCount == filler->innerCapacity &&
		 !pnGrow( (void**)&filler->inner, &filler->innerCapacity, filler->innerCount, filler->innerCount + 1, sizeof( pnPoint2 ) ) )
	{
		filler->failed = true;
		return 0;
	}
	filler->inner[filler->innerCount] = place;
	return filler->outline->pointCount + filler->innerCount++;
}

static pnPoint2 pnGetPlace( const pnFiller* filler, int32_t point )
{
	int32_t inner = point - filler->outline->pointCount;
	return inner < 0 ? filler->outline->points[point] : filler->inner[inner];
}

// ---- exact predicates ----

// Twice the area of a triangle; positive if it turns left.
static inline int64_t pnTurn( pnPoint2 a, pnPoint2 b, pnPoint2 c )
{
	return ( (int64_t)b.x - a.x ) * ( (int64_t)c.y - a.y ) - ( (int64_t)b.y - a.y ) * ( (int64_t)c.x - a.x );
}

// Positive if the way from a to b goes on towards c.
static inline int64_t pnAhead( pnPoint2 a, pnPoint2 b, pnPoint2 c )
{
	return ( (int64_t)b.x - a.x ) * ( (int64_t)c.x - a.x ) + ( (int64_t)b.y - a.y ) * ( (int64_t)c.y - a.y );
}

static inline bool pnIsSame( pnPoint2 a, pnPoint2 b )
{
	return a.x == b.x && a.y == b.y;
}

// Is d within the circle through a, b and c, which turn left? With a frame an eighth wider than PN_OUTLINE_REACH differences stay below
// 1.25 * 2^30, areas and squares below 2^62, and the sum of three products below 2^126.
static inline bool pnIsInCircle( pnPoint2 a, pnPoint2 b, pnPoint2 c, pnPoint2 d )
{
	int64_t ax = (int64_t)a.x - d.x, ay = (int64_t)a.y - d.y;
	int64_t bx = (int64_t)b.x - d.x, by = (int64_t)b.y - d.y;
	int64_t cx = (int64_t)c.x - d.x, cy = (int64_t)c.y - d.y;
	__int128 sum = (__int128)( ax * ax + ay * ay ) * ( bx * cy - by * cx );
	sum += (__int128)( bx * bx + by * by ) * ( cx * ay - cy * ax );
	sum += (__int128)( cx * cx + cy * cy ) * ( ax * by - ay * bx );
	return sum > 0;
}

// ---- a net of triangles ----

// Half edges of triangle t are 4 t, 4 t + 1 and 4 t + 2, counterclockwise. Triangles 0 and 1 are the back of the frame: so each half
// edge has a twin, and going around a place always comes back.
enum { PN_FRONT = 8 };

typedef struct pnNet
{
	pnPoint2* places; // the first four are the frame's corners
	int32_t* corners; // the place where a half edge starts
	int32_t* twins;
	int32_t* walls; // 1 + the wall a half edge lies on
	int32_t* leaving; // of a place: a half edge that starts there
	int placeCount, triangleCount;
	int32_t last; // where the last walk ended
} pnNet;

static inline int32_t pnNext( int32_t half )
{
	return ( half & 3 ) == 2 ? half - 2 : half + 1;
}

static inline int32_t pnBefore( int32_t half )
{
	return ( half & 3 ) == 0 ? half + 2 : half - 1;
}

static inline void pnJoin( pnNet* net, int32_t a, int32_t b )
{
	net->twins[a] = b;
	net->twins[b] = a;
}

static inline void pnSetTriangle( pnNet* net, int32_t first, int32_t a, int32_t b, int32_t c )
{
	net->corners[first] = a;
	net->corners[first + 1] = b;
	net->corners[first + 2] = c;
}

static void pnStartNet( pnNet* net, pnPoint2 lower, pnPoint2 upper )
{
	// Nothing inside a closed outline sees the frame, so how wide it is does not matter to the result.
	int64_t width = (int64_t)upper.x - lower.x, height = (int64_t)upper.y - lower.y;
	int32_t margin = (int32_t)( ( width > height ? width : height ) / 8 + 1 );
	net->places[0] = (pnPoint2){ lower.x - margin, lower.y - margin };
	net->places[1] = (pnPoint2){ upper.x + margin, lower.y - margin };
	net->places[2] = (pnPoint2){ upper.x + margin, upper.y + margin };
	net->places[3] = (pnPoint2){ lower.x - margin, upper.y + margin };
	net->placeCount = 4;
	net->triangleCount = 4;
	pnSetTriangle( net, 0, 0, 2, 1 );
	pnSetTriangle( net, 4, 0, 3, 2 );
	pnSetTriangle( net, 8, 0, 1, 2 );
	pnSetTriangle( net, 12, 0, 2, 3 );
	pnJoin( net, 0, 6 );
	pnJoin( net, 10, 12 );
	pnJoin( net, 8, 2 );
	pnJoin( net, 9, 1 );
	pnJoin( net, 13, 5 );
	pnJoin( net, 14, 4 );
	net->last = PN_FRONT;
}

// The other diagonal of the two triangles at an edge: a b c and b a d become d b c and c a d, with the half edge now from d to b.
static inline void pnFlip( pnNet* net, int32_t half )
{
	int32_t twin = net->twins[half], before = pnBefore( half ), twinBefore = pnBefore( twin );
	net->corners[half] = net->corners[twinBefore];
	net->corners[twin] = net->corners[before];
	pnJoin( net, half, net->twins[twinBefore] );
	pnJoin( net, twin, net->twins[before] );
	pnJoin( net, before, twinBefore );
}

// The same in a net that has walls and knows what leaves its places.
static void pnFlipInside( pnNet* net, int32_t half )
{
	int32_t twin = net->twins[half], before = pnBefore( half ), twinBefore = pnBefore( twin );
	pnFlip( net, half );
	net->walls[half] = net->walls[twinBefore];
	net->walls[twin] = net->walls[before];
	net->walls[before] = net->walls[twinBefore] = 0;
	int32_t halves[4] = { pnNext( half ), before, pnNext( twin ), twinBefore };
	for ( int i = 0; i < 4; ++i )
	{
		net->leaving[net->corners[halves[i]]] = halves[i];
	}
}

// Returns the place: one that is there if it is the same.
static int32_t pnInsert( pnNet* net, pnPoint2 point )
{
	int32_t first = net->last, entry = -1, i = 0;
	do
	{
		for ( i = 0; i < 3; ++i )
		{
			int32_t half = first + i;
			if ( half != entry && pnTurn( net->places[net->corners[half]], net->places[net->corners[pnNext( half )]], point ) < 0 )
			{
				entry = net->twins[half];
				first = entry & ~3;
				break;
			}
		}
	}
	while ( i < 3 );
	net->last = first;
	int32_t a = net->corners[first], b = net->corners[first + 1], c = net->corners[first + 2];
	if ( pnIsSame( net->places[a], point ) || pnIsSame( net->places[b], point ) || pnIsSame( net->places[c], point ) )
	{
		return pnIsSame( net->places[a], point ) ? a : pnIsSame( net->places[b], point ) ? b : c;
	}

	int32_t place = net->placeCount++, second = 4 * net->triangleCount, third = second + 4;
	net->places[place] = point;
	net->triangleCount += 2;
	pnSetTriangle( net, first, a, b, place );
	pnSetTriangle( net, second, b, c, place );
	pnSetTriangle( net, third, c, a, place );
	pnJoin( net, second, net->twins[first + 1] );
	pnJoin( net, third, net->twins[first + 2] );
	pnJoin( net, first + 1, second + 2 );
	pnJoin( net, second + 1, third + 2 );
	pnJoin( net, third + 1, first + 2 );
	// Around the new place until no edge across from it can be flipped. A place on an edge makes a triangle of no area: its circle is
	// the half plane with what lies across, so that it is flipped like the others.
	int32_t half = first;
	for ( ;; )
	{
		int32_t twin = net->twins[half];
		if ( twin >= PN_FRONT &&
			 pnIsInCircle( net->places[net->corners[half]], net->places[net->corners[twin]], point, net->places[net->corners[pnBefore( twin )]] ) )
		{
			pnFlip( net, half );
			half = pnNext( twin );
			continue;
		}
		half = pnNext( net->twins[pnNext( half )] );
		if ( net->corners[half] == a )
		{
			break;
		}
	}
	net->last = half & ~3;
	return place;
}

// ---- lists ----

typedef struct pnList
{
	void* items;
	int count, capacity;
	size_t size; // of an item
} pnList;

static void* pnExtend( pnList* list, pnFiller* filler )
{
	if ( list->count == list->capacity && !pnGrow( &list->items, &list->capacity, list->count, list->count + 16, list->size ) )
	{
		filler->failed = true;
		return NULL;
	}
	return (char*)list->items + (size_t)list->count++ * list->size;
}

static void pnFreeList( pnList* list )
{
	pnFree( list->items, (size_t)list->capacity, list->size );
}

// ---- one set of loops ----

// An edge of the outline or a part of it, from one place to the next.
typedef struct pnPiece
{
	int32_t from, to; // points, or makeshift ones
	int32_t edge;
	int32_t next; // 1 + another one on the same wall
	int32_t layer; // the layer it bounds, at a half edge
	int32_t half;
	bool along; // goes as the wall does
} pnPiece;

// An edge of the net with pieces on it.
typedef struct pnWall
{
	int32_t from; // a place: the wall's direction
	int32_t first; // 1 + piece
	int32_t excess; // pieces along it less those against it
	int32_t half; // along it
} pnWall;

// An edge on which other places lie, with a makeshift point in each.
typedef struct pnChain { int32_t from, to, first, count; } pnChain;

// A half edge between points in one place that has no twin yet. A missing one is the twin of an edge of the outline: no triangle has it.
typedef struct pnArrow
{
	int32_t from, to;
	bool missing, gone;
} pnArrow;

typedef struct pnMeeting { int32_t edges[2]; } pnMeeting;

typedef struct pnPair { int32_t from, to; } pnPair; // places

enum { PN_NO_LAYER = INT32_MIN };

typedef struct pnWork
{
	pnFiller* filler;
	const int32_t* edges;
	int edgeCount;
	bool strict; // only material once around will do
	bool tangled;
	pnNet net;
	int32_t* windings; // of triangles
	int32_t* names; // 1 + point, at the half edges that start there
	int32_t* holders; // 1 + piece that bounds the layer there. In the memory of the net's walls, which are not needed by then
	int32_t* innerOf; // 1 + point, of a place no piece comes to
	pnList pieces, walls, chains, makeshift, arrows, crosses;
	pnList passed; // edges in the way of a wall
	pnList fresh; // edges that are new beside it
} pnWork;

static pnPoint2 pnGetWorkPlace( const pnWork* work, int32_t point )
{
	return point >= PN_MAKESHIFT ? ( (const pnPoint2*)work->makeshift.items )[point - PN_MAKESHIFT] : pnGetPlace( work->filler, point );
}

static int32_t pnGetPlaceIndex( const pnFiller* filler, int32_t point )
{
	return point < filler->outline->pointCount ? point : point - filler->firstCrossing;
}

// ---- walls ----

static int32_t pnFindHalf( const pnNet* net, int32_t from, int32_t to )
{
	int32_t start = net->leaving[from], half = start;
	do
	{
		if ( net->corners[pnNext( half )] == to )
		{
			return half;
		}
		half = net->twins[pnBefore( half )];
	}
	while ( half != start );
	return -1;
}

static void pnAddPiece( pnWork* work, int32_t edge, int32_t half, int32_t from, int32_t to )
{
	pnNet* net = &work->net;
	if ( net->walls[half] == 0 )
	{
		pnWall* wall = pnExtend( &work->walls, work->filler );
		if ( wall == NULL )
		{
			return;
		}
		*wall = (pnWall){ net->corners[half], 0, 0, 0 };
		net->walls[half] = net->walls[net->twins[half]] = work->walls.count;
	}
	pnPiece* piece = pnExtend( &work->pieces, work->filler );
	if ( piece != NULL )
	{
		pnWall* wall = (pnWall*)work->walls.items + net->walls[half] - 1;
		bool along = wall->from == net->corners[half];
		*piece = (pnPiece){ from, to, edge, wall->first, PN_NO_LAYER, 0, along };
		wall->first = work->pieces.count;
		wall->excess += along ? 1 : -1;
	}
}

// Pieces on a wall in the way of an edge.
static void pnAddCrosses( pnWork* work, int32_t edge, const pnWall* wall )
{
	const pnPiece* pieces = work->pieces.items;
	for ( int32_t i = wall->first; i != 0; i = pieces[i - 1].next )
	{
		pnMeeting* meeting = pnExtend( &work->crosses, work->filler );
		if ( meeting != NULL )
		{
			*meeting = (pnMeeting){ { edge, pieces[i - 1].edge } };
		}
	}
}

// The first place on the straight way from one place to another. The edges passed are written down.
static int32_t pnFindWay( pnWork* work, int32_t edge, int32_t from, int32_t to, bool* blocked )
{
	pnNet* net = &work->net;
	pnPoint2 a = net->places[from], b = net->places[to];
	int32_t half = net->leaving[from], right, left;
	for ( ;; )
	{
		right = net->corners[pnNext( half )];
		left = net->corners[pnBefore( half )];
		int64_t turn = pnTurn( a, b, net->places[right] );
		if ( turn == 0 && pnAhead( a, b, net->places[right] ) > 0 )
		{
			return right;
		}
		if ( turn < 0 && pnTurn( a, b, net->places[left] ) > 0 )
		{
			break;
		}
		half = net->twins[pnBefore( half )];
	}
	half = pnNext( half );
	for ( ;; )
	{
		if ( net->walls[half] != 0 )
		{
			*blocked = true;
			work->tangled = true;
			if ( work->strict )
			{
				return to;
			}
			pnAddCrosses( work, edge, (const pnWall*)work->walls.items + net->walls[half] - 1 );
		}
		pnPair* pair = pnExtend( &work->passed, work->filler );
		if ( pair == NULL )
		{
			return to;
		}
		*pair = (pnPair){ right, left };
		half = net->twins[half];
		int32_t across = net->corners[pnBefore( half )];
		int64_t turn = pnTurn( a, b, net->places[across] );
		if ( turn == 0 )
		{
			return across;
		}
		left = turn > 0 ? across : left;
		right = turn > 0 ? right : across;
		half = turn > 0 ? pnNext( half ) : pnBefore( half );
	}
}

// Flips the edges passed until there is an edge from one place to the other, then those beside it until they are Delaunay again.
static void pnForceEdge( pnWork* work, int32_t from, int32_t to )
{
	pnNet* net = &work->net;
	const pnPoint2* places = net->places;
	pnPair* passed = work->passed.items;
	work->fresh.count = 0;
	while ( work->passed.count > 0 )
	{
		int kept = 0;
		for ( int i = 0; i < work->passed.count; ++i )
		{
			pnPair ends = passed[i];
			int32_t half = pnFindHalf( net, ends.from, ends.to );
			int32_t c = net->corners[pnBefore( half )], d = net->corners[pnBefore( net->twins[half] )];
			bool passes = true;
			if ( pnTurn( places[c], places[d], places[ends.from] ) < 0 && pnTurn( places[c], places[d], places[ends.to] ) > 0 )
			{
				pnFlipInside( net, half );
				ends = (pnPair){ c, d };
				bool apart = c != from && c != to && d != from && d != to;
				passes = apart && ( pnTurn( places[from], places[to], places[c] ) > 0 ) != ( pnTurn( places[from], places[to], places[d] ) > 0 );
			}
			pnPair* pair = passes ? passed + kept++ : pnExtend( &work->fresh, work->filler );
			if ( pair == NULL )
			{
				return;
			}
			*pair = ends;
		}
		work->passed.count = kept;
	}
	bool changed = true;
	while ( changed )
	{
		changed = false;
		for ( int i = 0; i < work->fresh.count; ++i )
		{
			pnPair* ends = (pnPair*)work->fresh.items + i;
			bool isWall = ( ends->from == from && ends->to == to ) || ( ends->from == to && ends->to == from );
			int32_t half = pnFindHalf( net, ends->from, ends->to );
			int32_t c = net->corners[pnBefore( half )], d = net->corners[pnBefore( net->twins[half] )];
			if ( !isWall && pnIsInCircle( places[ends->from], places[ends->to], places[c], places[d] ) )
			{
				pnFlipInside( net, half );
				*ends = (pnPair){ c, d };
				changed = true;
			}
		}
	}
}

static void pnLayEdge( pnWork* work, int32_t edge )
{
	pnNet* net = &work->net;
	const int32_t* ends = work->edges + 2 * edge;
	int32_t at = work->filler->placeOf[pnGetPlaceIndex( work->filler, ends[0] )];
	int32_t goal = work->filler->placeOf[pnGetPlaceIndex( work->filler, ends[1] )];
	int32_t from = ends[0], chainFirst = work->makeshift.count;
	while ( at != goal && !work->filler->failed )
	{
		bool blocked = false;
		int32_t half = pnFindHalf( net, at, goal ), next = goal;
		if ( half < 0 )
		{
			work->passed.count = 0;
			next = pnFindWay( work, edge, at, goal, &blocked );
			if ( !blocked && !work->filler->failed )
			{
				pnForceEdge( work, at, next );
				half = pnFindHalf( net, at, next );
			}
			if ( work->filler->failed || ( blocked && work->strict ) )
			{
				return;
			}
		}
		int32_t to = ends[1];
		if ( next != goal )
		{
			pnPoint2* place = pnExtend( &work->makeshift, work->filler );
			if ( place == NULL )
			{
				return;
			}
			*place = net->places[next];
			to = PN_MAKESHIFT + work->makeshift.count - 1;
		}
		if ( !blocked )
		{
			pnAddPiece( work, edge, half, from, to );
		}
		at = next;
		from = to;
	}
	if ( work->makeshift.count > chainFirst )
	{
		pnChain* chain = pnExtend( &work->chains, work->filler );
		if ( chain != NULL )
		{
			*chain = (pnChain){ ends[0], ends[1], PN_MAKESHIFT + chainFirst, work->makeshift.count - chainFirst };
		}
	}
	// A long edge over many others that lie on it: each would be split at all of them.
	work->tangled = work->tangled || work->makeshift.count > 8 * work->edgeCount + 1024;
}

// How often the outline runs around each triangle. Also finds where the walls are. Returns false if anything but once and not at all
// comes up.
static bool pnFlood( pnWork* work, int32_t* least, int32_t* most )
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
	return *least == 0 && *most <= 1;
}

// ---- points in one place ----

static void pnAddArrow( pnWork* work, int32_t from, int32_t to, bool missing )
{
	pnArrow* arrow = from != to ? pnExtend( &work->arrows, work->filler ) : NULL;
	if ( arrow != NULL )
	{
		*arrow = (pnArrow){ from, to, missing, false };
	}
}

// The first arrow from a point, to another one or a later one.
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

// As many arrows come to a point as leave it. Two against one another are twins; the rest are rings, and are closed with triangles.
static void pnCloseArrows( pnWork* work )
{
	int count = work->arrows.count;
	pnArrow* arrows = work->arrows.items;
	pnScratch scratch = { 0 };
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, count );
	uint64_t* spareKeys = pnTakeArray( &scratch, uint64_t, count );
	int32_t* order = pnTakeArray( &scratch, int32_t, count );
	int32_t* spareOrder = pnTakeArray( &scratch, int32_t, count );
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
	pnSortByKey( keys, order, spareKeys, spareOrder, count );

	for ( int pass = 0; pass < 2; ++pass ) // missing ones take theirs first
	{
		for ( int i = 0; i < count; ++i )
		{
			pnArrow* arrow = arrows + order[i];
			if ( arrow->gone || arrow->missing != ( pass == 0 ) )
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

	int32_t* path = spareOrder;
	for ( int i = 0; i < count; ++i )
	{
		int32_t at = arrows[order[i]].from;
		int length = 0;
		for ( ;; )
		{
			int node = pnFindArrow( arrows, order, count, at, INT32_MIN );
			if ( node == count || arrows[order[node]].from != at )
			{
				break; // nothing ever left it
			}
			if ( depths[node] != 0 )
			{
				int ring = depths[node] - 1, size = length - ring;
				int32_t hub = arrows[path[ring]].from;
				if ( size == 2 )
				{
					int32_t other = arrows[path[ring + 1]].from, center = pnAddInner( work->filler, pnGetWorkPlace( work, hub ) );
					pnAddTriangle( work->filler, other, hub, center );
					pnAddTriangle( work->filler, hub, other, center );
				}
				for ( int k = ring + 1; k < length; ++k )
				{
					if ( k + 1 < length )
					{
						pnAddTriangle( work->filler, hub, arrows[path[k + 1]].from, arrows[path[k]].from );
					}
				}
				for ( int k = ring; k < length; ++k )
				{
					depths[pnFindArrow( arrows, order, count, arrows[path[k]].from, INT32_MIN )] = 0;
				}
				length = ring;
			}
			int next = node;
			while ( next < count && arrows[order[next]].from == at && arrows[order[next]].gone )
			{
				next += 1;
			}
			if ( next == count || arrows[order[next]].from != at )
			{
				break;
			}
			arrows[order[next]].gone = true;
			depths[node] = length + 1;
			path[length++] = order[next];
			at = arrows[order[next]].to;
		}
		work->tangled = work->tangled || length > 0;
	}
	pnGiveBack( &scratch );
}

// ---- layers ----

// Layer 1 is what the outline runs around at least once, layer 2 twice, and so on; layers 0, -1 .. are what it runs around the wrong
// way, and their triangles are turned.
static bool pnIsInLayer( int32_t winding, int32_t layer )
{
	return layer > 0 ? winding >= layer : winding < layer;
}

static int32_t pnTakePiece( const pnPiece* pieces, int32_t* cursor, bool along )
{
	int32_t at = *cursor;
	while ( at != 0 && pieces[at - 1].along != along )
	{
		at = pieces[at - 1].next;
	}
	*cursor = at != 0 ? pieces[at - 1].next : 0;
	return at - 1;
}

static void pnBound( pnWork* work, const pnWall* wall, int32_t index, int32_t layer )
{
	if ( index < 0 )
	{
		work->tangled = true; // the edges do not close
		return;
	}
	pnPiece* piece = (pnPiece*)work->pieces.items + index;
	piece->layer = layer;
	piece->half = piece->along == ( layer > 0 ) ? wall->half : work->net.twins[wall->half];
}

// Two pieces against one another with nothing between them.
static void pnFillStrip( pnWork* work, const pnPiece* a, const pnPiece* b )
{
	pnFiller* filler = work->filler;
	if ( a->from == b->to && a->to == b->from )
	{
		int32_t center = pnAddInner( filler, pnGetWorkPlace( work, a->from ) ); // not between: that need not be a whole number
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

// Which piece bounds which layer: of those on one wall as many as the layers that end there, then pairs as lips of slits.
static void pnAssignPieces( pnWork* work )
{
	pnPiece* pieces = work->pieces.items;
	for ( int i = 0; i < work->walls.count; ++i )
	{
		const pnWall* wall = (const pnWall*)work->walls.items + i;
		int32_t left = work->windings[wall->half >> 2], right = work->windings[work->net.twins[wall->half] >> 2];
		int32_t along = wall->first, against = wall->first;
		for ( int32_t layer = right + 1; layer <= left; ++layer )
		{
			pnBound( work, wall, pnTakePiece( pieces, &along, true ), layer );
		}
		for ( int32_t layer = left + 1; layer <= right; ++layer )
		{
			pnBound( work, wall, pnTakePiece( pieces, &against, false ), layer );
		}
		int32_t low = left < right ? left : right, high = left < right ? right : left;
		int32_t slit = low > 0 ? 1 : high + 1, lastSlit = low > 0 ? low : 0;
		for ( ;; )
		{
			int32_t a = pnTakePiece( pieces, &along, true ), b = pnTakePiece( pieces, &against, false );
			if ( a < 0 || b < 0 )
			{
				work->tangled = work->tangled || a >= 0 || b >= 0;
				break;
			}
			if ( slit <= lastSlit )
			{
				pnBound( work, wall, a, slit );
				pnBound( work, wall, b, slit );
				slit += 1;
			}
			else
			{
				pnFillStrip( work, pieces + a, pieces + b );
			}
		}
	}
}

// From where a piece leaves its place to where the next one comes in, the corners there are its point.
static void pnNameSector( pnWork* work, const pnPiece* piece, bool turned )
{
	const pnNet* net = &work->net;
	int32_t half = turned ? pnNext( piece->half ) : piece->half, start = half, holder = 0;
	do
	{
		work->names[half] = 1 + piece->from;
		int32_t edge = turned ? half : pnBefore( half );
		holder = work->holders[edge];
		half = turned ? pnNext( net->twins[edge] ) : net->twins[edge];
	}
	while ( holder == 0 && half != start );
	if ( holder == 0 )
	{
		work->tangled = true;
		return;
	}
	const pnPiece* end = (const pnPiece*)work->pieces.items + holder - 1;
	if ( end->to != piece->from )
	{
		pnAddTriangle( work->filler, piece->from, end->from, end->to );
		pnAddArrow( work, end->to, piece->from, false );
	}
}

static void pnFillLayer( pnWork* work, int32_t layer )
{
	const pnNet* net = &work->net;
	const pnPiece* pieces = work->pieces.items;
	bool turned = layer <= 0;
	for ( int i = 0; i < work->pieces.count; ++i )
	{
		if ( pieces[i].layer == layer )
		{
			work->holders[pieces[i].half] = i + 1;
		}
	}
	for ( int i = 0; i < work->pieces.count; ++i )
	{
		if ( pieces[i].layer == layer )
		{
			pnNameSector( work, pieces + i, turned );
		}
	}
	for ( int t = 2; t < net->triangleCount; ++t )
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

// Triangles with makeshift points, and for each such point those that have it, as rings of corners.
typedef struct pnLoose
{
	int32_t* corners; // three for each triangle
	int32_t *nexts, *befores; // 1 + corner
	int32_t* firsts; // of a makeshift point: 1 + corner
	int count;
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
}

// Which of the points of ring[low + 1 .. high - 1] makes the best triangle on the edge from ring[high] to ring[low]: one that lies on it,
// else the one whose circle has no other in it.
static int pnChooseThird( const pnWork* work, const int32_t* ring, int low, int high )
{
	pnPoint2 a = pnGetWorkPlace( work, ring[high] ), b = pnGetWorkPlace( work, ring[low] ), c = { 0, 0 };
	int best = low + 1, bestRank = 3;
	for ( int i = low + 1; i < high; ++i )
	{
		pnPoint2 p = pnGetWorkPlace( work, ring[i] );
		int64_t turn = pnTurn( a, b, p );
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

// Takes the makeshift points of an edge away, and fills the hole that the edge then bounds. Needs as many triangles as it frees, less one
// for each point.
static bool pnDropChain( pnWork* work, pnLoose* loose, const pnChain* chain, int32_t* ring, int32_t* freed, int32_t* stack )
{
	int32_t pivot = chain->first + chain->count - 1, at = chain->to;
	int size = 0, freedCount = 0;
	ring[size++] = at;
	while ( pivot >= chain->first )
	{
		int32_t corner = loose->firsts[pivot - PN_MAKESHIFT], triangle = -1, third = -1;
		for ( ; corner != 0 && triangle < 0; corner = loose->nexts[corner - 1] )
		{
			int32_t base = ( corner - 1 ) / 3 * 3, k = corner - 1 - base;
			if ( loose->corners[base + ( k + 1 ) % 3] == at )
			{
				triangle = base;
				third = loose->corners[base + ( k + 2 ) % 3];
			}
		}
		if ( triangle < 0 )
		{
			return false;
		}
		for ( int k = 0; k < 3; ++k )
		{
			pnUnhang( loose, triangle + k );
		}
		for ( int k = 0; k < 3; ++k )
		{
			loose->corners[triangle + k] = -1;
		}
		freed[freedCount++] = triangle;
		if ( third == ( pivot == chain->first ? chain->from : pivot - 1 ) )
		{
			pivot -= 1;
			continue;
		}
		if ( third >= chain->first && third < chain->first + chain->count )
		{
			return false;
		}
		ring[size++] = at = third;
	}
	for ( int i = 0; i < chain->count; ++i )
	{
		if ( loose->firsts[chain->first + i - PN_MAKESHIFT] != 0 )
		{
			return false;
		}
	}
	ring[size++] = chain->from;
	if ( size < 3 || freedCount < size - 2 )
	{
		return false;
	}
	int depth = 0;
	stack[depth++] = 0;
	stack[depth++] = size - 1;
	while ( depth > 0 )
	{
		int high = stack[--depth], low = stack[--depth];
		if ( high - low < 2 )
		{
			continue;
		}
		int third = pnChooseThird( work, ring, low, high );
		int32_t base = freed[--freedCount];
		loose->corners[base] = ring[high];
		loose->corners[base + 1] = ring[low];
		loose->corners[base + 2] = ring[third];
		for ( int k = 0; k < 3; ++k )
		{
			pnHang( loose, base + k );
		}
		stack[depth++] = low;
		stack[depth++] = third;
		stack[depth++] = third;
		stack[depth++] = high;
	}
	return true;
}

static void pnDropMakeshift( pnWork* work, int firstIndex )
{
	pnFiller* filler = work->filler;
	int count = 0;
	for ( int i = firstIndex; i < filler->indexCount; i += 3 )
	{
		const int32_t* t = filler->triangles + i;
		count += t[0] >= PN_MAKESHIFT || t[1] >= PN_MAKESHIFT || t[2] >= PN_MAKESHIFT;
	}
	pnScratch scratch = { 0 };
	pnLoose loose = { pnTakeArray( &scratch, int32_t, 3 * (size_t)count ), pnTakeArray( &scratch, int32_t, 3 * (size_t)count ),
					  pnTakeArray( &scratch, int32_t, 3 * (size_t)count ), pnTakeArray( &scratch, int32_t, work->makeshift.count ), 0 };
	int32_t* ring = pnTakeArray( &scratch, int32_t, (size_t)count + 3 );
	int32_t* freed = pnTakeArray( &scratch, int32_t, (size_t)count );
	int32_t* stack = pnTakeArray( &scratch, int32_t, 4 * (size_t)count + 8 );
	if ( scratch.failed )
	{
		filler->failed = true;
		pnGiveBack( &scratch );
		return;
	}
	int kept = firstIndex;
	for ( int i = firstIndex; i < filler->indexCount; i += 3 )
	{
		const int32_t* t = filler->triangles + i;
		bool isLoose = t[0] >= PN_MAKESHIFT || t[1] >= PN_MAKESHIFT || t[2] >= PN_MAKESHIFT;
		memmove( isLoose ? loose.corners + loose.count : filler->triangles + kept, t, 3 * sizeof( int32_t ) );
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
		work->tangled = !pnDropChain( work, &loose, chains + i, ring, freed, stack );
	}
	for ( int i = 0; i < loose.count && !work->tangled; i += 3 )
	{
		if ( loose.corners[i] >= 0 )
		{
			pnAddTriangle( filler, loose.corners[i], loose.corners[i + 1], loose.corners[i + 2] );
		}
	}
	pnGiveBack( &scratch );
}

// ---- points inside ----

enum { PN_INNER_CELLS = 1 << 20 }; // a finer grid than this many cells is made coarser

// A grid of equilateral triangles over the inside, but for what is near the outline.
static int pnPlaceInner( const pnWork* work, pnPoint2 lower, pnPoint2 upper, pnScratch* scratch, pnPoint2** inner )
{
	double width = (double)upper.x - lower.x, height = (double)upper.y - lower.y, spacing = (double)work->filler->outline->spacing;
	spacing = spacing < 4.0 ? 4.0 : spacing;
	while ( ( width / spacing + 2.0 ) * ( height / spacing + 2.0 ) > (double)PN_INNER_CELLS )
	{
		spacing *= 2.0;
	}
	const double rise = 0.8660254037844386 * spacing, distance = 0.6 * spacing, distance2 = distance * distance;
	int columns = (int)( width / spacing ) + 2, rows = (int)( height / rise ) + 2;
	int32_t* steps = pnTakeArray( scratch, int32_t, (size_t)columns * rows ); // how the winding changes from the column before
	uint8_t* near = pnTakeArray( scratch, uint8_t, (size_t)columns * rows );
	if ( scratch->failed )
	{
		return 0;
	}
	for ( int i = 0; i < work->edgeCount; ++i )
	{
		pnPoint2 from = pnGetPlace( work->filler, work->edges[2 * i] ), to = pnGetPlace( work->filler, work->edges[2 * i + 1] );
		double ax = (double)from.x - lower.x, ay = (double)from.y - lower.y, bx = (double)to.x - lower.x, by = (double)to.y - lower.y;
		double dx = bx - ax, dy = by - ay, length2 = dx * dx + dy * dy, slope = dy != 0.0 ? dx / dy : 0.0;
		double bottom = ay < by ? ay : by, top = ay < by ? by : ay;
		int firstRow = (int)( ( bottom - distance ) / rise ), lastRow = (int)( ( top + distance ) / rise );
		firstRow = firstRow < 0 ? 0 : firstRow;
		lastRow = lastRow > rows - 1 ? rows - 1 : lastRow;
		for ( int row = firstRow; row <= lastRow; ++row )
		{
			double y = ( row + 0.5 ) * rise, shift = ( row & 1 ) != 0 ? 0.75 : 0.25;
			if ( ( ay <= y ) != ( by <= y ) )
			{
				double column = ( ax + slope * ( y - ay ) ) / spacing - shift;
				int to1 = column < 0.0 ? 0 : (int)column + 1;
				if ( to1 < columns )
				{
					steps[row * columns + to1] += by > ay ? -1 : 1;
				}
			}
			// the part of the edge that is near the row, and the columns near that
			double low = y - distance < bottom ? bottom : y - distance, high = y + distance > top ? top : y + distance;
			if ( low > high )
			{
				continue;
			}
			double x0 = ax + slope * ( low - ay ), x1 = dy != 0.0 ? ax + slope * ( high - ay ) : bx;
			double left = ( ( x0 < x1 ? x0 : x1 ) - distance ) / spacing - shift, right = ( ( x0 < x1 ? x1 : x0 ) + distance ) / spacing - shift;
			int first = left > 0.0 ? (int)left : 0, last = right < columns - 1 ? (int)right : columns - 1;
			for ( int column = first; column <= last; ++column )
			{
				double px = ( column + shift ) * spacing - ax, py = y - ay;
				double ahead = px * dx + py * dy, aside = px * dy - py * dx;
				double qx = ahead <= 0.0 ? px : px - dx, qy = ahead <= 0.0 ? py : py - dy;
				bool isBeside = ahead > 0.0 && ahead < length2;
				if ( isBeside ? aside * aside < distance2 * length2 : qx * qx + qy * qy < distance2 )
				{
					near[row * columns + column] = 1;
				}
			}
		}
	}
	int count = 0;
	for ( int row = 0; row < rows; ++row )
	{
		int32_t winding = 0;
		for ( int cell = row * columns; cell < ( row + 1 ) * columns; ++cell )
		{
			winding += steps[cell];
			near[cell] = near[cell] == 0 && winding != 0;
			count += near[cell];
		}
	}
	*inner = pnTakeArray( scratch, pnPoint2, count );
	if ( scratch->failed )
	{
		return 0;
	}
	count = 0;
	for ( int row = 0; row < rows; ++row )
	{
		for ( int column = 0; column < columns; ++column )
		{
			if ( near[row * columns + column] != 0 )
			{
				double x = ( column + ( ( row & 1 ) != 0 ? 0.75 : 0.25 ) ) * spacing, y = ( row + 0.5 ) * rise;
				( *inner )[count++] = (pnPoint2){ lower.x + (int32_t)x, lower.y + (int32_t)y };
			}
		}
	}
	return count;
}

// ---- a set of loops ----

// Along a Hilbert curve, so that the next place is near the last one.
static void pnOrderPlaces( const pnPoint2* points, int count, pnPoint2 lower, pnPoint2 upper, int bits, uint32_t* keys, int32_t* starts, int32_t* order )
{
	// For each of four turns of the curve and each quarter: the quarter's number, and four times the turn within it.
	static const uint8_t quarters[16] = { 4, 1, 11, 2, 0, 15, 5, 6, 10, 9, 3, 12, 14, 7, 13, 8 };
	int64_t width = (int64_t)upper.x - lower.x, height = (int64_t)upper.y - lower.y;
	double scale = (double)( 1 << bits ) / ( (double)( width > height ? width : height ) + 1.0 );
	for ( int i = 0; i < count; ++i )
	{
		uint32_t x = (uint32_t)( scale * ( (double)points[i].x - lower.x ) ), y = (uint32_t)( scale * ( (double)points[i].y - lower.y ) );
		uint32_t key = 0, turn = 0;
		for ( int bit = bits - 1; bit >= 0; --bit )
		{
			uint32_t quarter = quarters[( turn << 2 ) | ( ( x >> bit ) & 1 ) << 1 | ( ( y >> bit ) & 1 )];
			key = key << 2 | ( quarter & 3 );
			turn = quarter >> 2;
		}
		keys[i] = key;
		starts[key] += 1;
	}
	int32_t sum = 0;
	for ( int i = 0; i < 1 << ( 2 * bits ); ++i )
	{
		int32_t own = starts[i];
		starts[i] = sum;
		sum += own;
	}
	for ( int i = 0; i < count; ++i )
	{
		order[starts[keys[i]]++] = i;
	}
}

// Part of a block, or nothing as long as there is none.
static void* pnCarve( char* memory, size_t* used, size_t size )
{
	void* part = memory != NULL ? memory + *used : NULL;
	*used += ( size + PN_CACHE_LINE - 1 ) & ~(size_t)( PN_CACHE_LINE - 1 );
	return part;
}

static bool pnBuildNet( pnWork* work, pnScratch* scratch )
{
	pnFiller* filler = work->filler;
	pnNet* net = &work->net;
	pnPoint2 lower = { INT32_MAX, INT32_MAX }, upper = { INT32_MIN, INT32_MIN };
	for ( int i = 0; i < work->edgeCount; ++i )
	{
		pnPoint2 p = pnGetPlace( filler, work->edges[2 * i] );
		lower.x = p.x < lower.x ? p.x : lower.x;
		lower.y = p.y < lower.y ? p.y : lower.y;
		upper.x = p.x > upper.x ? p.x : upper.x;
		upper.y = p.y > upper.y ? p.y : upper.y;
	}
	pnPoint2* inner = NULL;
	int innerCount = filler->outline->spacing > 0 ? pnPlaceInner( work, lower, upper, scratch, &inner ) : 0;
	// As many come to a point as leave it: the starts of edges are all points.
	int count = work->edgeCount + innerCount, bits = 1;
	while ( bits < 12 && 1 << ( 2 * bits ) < count )
	{
		bits += 1;
	}
	size_t placeCount = (size_t)count + 4, triangleCount = 2 * placeCount, halfCount = 4 * triangleCount, word = sizeof( int32_t );
	pnPoint2* points = NULL;
	uint32_t* keys = NULL;
	int32_t *starts = NULL, *order = NULL;
	char* memory = NULL;
	for ( int pass = 0; pass < 2; ++pass ) // how much, then where
	{
		size_t used = 0;
		points = pnCarve( memory, &used, (size_t)count * sizeof( pnPoint2 ) );
		keys = pnCarve( memory, &used, (size_t)count * word );
		starts = pnCarve( memory, &used, word << ( 2 * bits ) );
		order = pnCarve( memory, &used, (size_t)count * word );
		net->places = pnCarve( memory, &used, placeCount * sizeof( pnPoint2 ) );
		net->corners = pnCarve( memory, &used, halfCount * word );
		net->twins = pnCarve( memory, &used, halfCount * word );
		net->walls = pnCarve( memory, &used, halfCount * word );
		net->leaving = pnCarve( memory, &used, placeCount * word );
		work->windings = pnCarve( memory, &used, triangleCount * word );
		work->names = pnCarve( memory, &used, halfCount * word );
		work->innerOf = pnCarve( memory, &used, placeCount * word );
		memory = pass == 0 ? pnTakeArray( scratch, char, used ) : memory;
		if ( scratch->failed )
		{
			filler->failed = true;
			return false;
		}
	}
	work->holders = net->walls;
	for ( int i = 0; i < count; ++i )
	{
		points[i] = i < work->edgeCount ? pnGetPlace( filler, work->edges[2 * i] ) : inner[i - work->edgeCount];
	}
	pnOrderPlaces( points, count, lower, upper, bits, keys, starts, order );
	pnStartNet( net, lower, upper );
	// A few all over the plane first, then eight times as many, and so on: a fan around a far place never has many triangles.
	int stride = 1;
	while ( stride < count / 8 )
	{
		stride *= 8;
	}
	for ( int coarser = count; stride > 0; coarser = stride, stride /= 8 )
	{
		for ( int i = 0; i < count; i += stride )
		{
			if ( i % coarser == 0 && coarser < count )
			{
				continue;
			}
			int32_t place = pnInsert( net, points[order[i]] );
			if ( order[i] < work->edgeCount )
			{
				filler->placeOf[pnGetPlaceIndex( filler, work->edges[2 * order[i]] )] = place;
			}
		}
	}
	for ( int t = 0; t < net->triangleCount; ++t )
	{
		for ( int32_t half = 4 * t; half < 4 * t + 3; ++half )
		{
			net->leaving[net->corners[half]] = half;
		}
	}
	return true;
}

static void pnFillWork( pnWork* work )
{
	pnFiller* filler = work->filler;
	const pnNet* net = &work->net;
	int firstIndex = filler->indexCount;
	for ( int i = 0; i < work->edgeCount && !filler->failed && !( work->tangled && work->strict ); ++i )
	{
		const int32_t* ends = work->edges + 2 * i;
		if ( filler->placeOf[pnGetPlaceIndex( filler, ends[0] )] != filler->placeOf[pnGetPlaceIndex( filler, ends[1] )] )
		{
			pnLayEdge( work, i );
		}
		else if ( ends[0] != ends[1] )
		{
			pnAddArrow( work, ends[1], ends[0], true );
		}
		else
		{
			pnAddTriangle( filler, ends[0], ends[0], pnAddInner( filler, pnGetPlace( filler, ends[0] ) ) );
		}
	}
	if ( work->tangled || filler->failed )
	{
		return;
	}
	int32_t least, most;
	bool once = pnFlood( work, &least, &most );
	if ( work->strict && !once )
	{
		work->tangled = true;
		return;
	}
	filler->over = filler->over || !once;
	pnAssignPieces( work );
	memset( work->holders, 0, 4 * (size_t)net->triangleCount * sizeof( int32_t ) );
	pnReserve( filler, net->triangleCount );
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

// Fills what some edges bound. False: they are tangled, or there is no memory; then nothing is written. With a list for them, where edges
// cross.
static bool pnFillEdges( pnFiller* filler, const int32_t* edges, int edgeCount, pnList* crosses )
{
	int innerCount = filler->innerCount, indexCount = filler->indexCount;
	bool over = filler->over;
	pnScratch scratch = { 0 };
	pnWork work = { .filler = filler, .edges = edges, .edgeCount = edgeCount, .strict = crosses == NULL };
	work.pieces.size = sizeof( pnPiece );
	work.walls.size = sizeof( pnWall );
	work.chains.size = sizeof( pnChain );
	work.makeshift.size = sizeof( pnPoint2 );
	work.arrows.size = sizeof( pnArrow );
	work.crosses.size = sizeof( pnMeeting );
	work.passed.size = sizeof( pnPair );
	work.fresh.size = sizeof( pnPair );
	filler->failed = filler->failed || !pnGrow( &work.pieces.items, &work.pieces.capacity, 0, edgeCount, sizeof( pnPiece ) ) ||
					 !pnGrow( &work.walls.items, &work.walls.capacity, 0, edgeCount, sizeof( pnWall ) );
	if ( !filler->failed && pnBuildNet( &work, &scratch ) )
	{
		pnFillWork( &work );
	}
	pnGiveBack( &scratch );
	pnFreeList( &work.pieces );
	pnFreeList( &work.walls );
	pnFreeList( &work.chains );
	pnFreeList( &work.makeshift );
	pnFreeList( &work.arrows );
	pnFreeList( &work.passed );
	pnFreeList( &work.fresh );
	if ( crosses != NULL )
	{
		*crosses = work.crosses;
	}
	else
	{
		pnFreeList( &work.crosses );
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

// ---- is it closed? ----

// Counts, for each pair of points, the edges of triangles and of the outline between them. Where they do not match, the lower point is
// suspect. False: there are such, or there is no memory.
static bool pnCheckEdges( pnFiller* filler, uint8_t* suspects )
{
	typedef struct pnTally { int32_t triangle[2], outline[2]; } pnTally; // upwards and downwards
	const pnOutline* outline = filler->outline;
	int pointCount = outline->pointCount + filler->innerCount, indexCount = filler->indexCount, count = indexCount + outline->edgeCount;
	pnScratch scratch = { 0 };
	int32_t* starts = pnTakeArray( &scratch, int32_t, (size_t)pointCount + 1 );
	uint32_t* ends = pnTakeArray( &scratch, uint32_t, count ); // the higher point, shifted up by two bits for which tally it is
	pnTally* tallies = pnTakeArray( &scratch, pnTally, pointCount );
	if ( scratch.failed )
	{
		filler->failed = true;
		pnGiveBack( &scratch );
		return false;
	}
	for ( int pass = 0; pass < 2; ++pass )
	{
		for ( int i = 0; i < count; ++i )
		{
			bool isOutline = i >= indexCount;
			int next = i % 3 == 2 ? i - 2 : i + 1;
			int32_t from = isOutline ? outline->edges[2 * ( i - indexCount )] : filler->triangles[i];
			int32_t to = isOutline ? outline->edges[2 * ( i - indexCount ) + 1] : filler->triangles[next];
			int32_t low = from < to ? from : to, high = from < to ? to : from;
			if ( pass == 0 )
			{
				starts[low] += 1;
			}
			else
			{
				ends[--starts[low]] = (uint32_t)high << 2 | ( isOutline ? 2u : 0u ) | ( from > to ? 1u : 0u );
			}
		}
		for ( int i = 0; i < pointCount && pass == 0; ++i )
		{
			starts[i + 1] += starts[i];
		}
	}
	bool fine = true;
	for ( int point = 0; point < pointCount; ++point )
	{
		for ( int i = starts[point]; i < starts[point + 1]; ++i )
		{
			pnTally* tally = tallies + ( ends[i] >> 2 );
			( ( ends[i] & 2 ) != 0 ? tally->outline : tally->triangle )[ends[i] & 1] += 1;
		}
		for ( int i = starts[point]; i < starts[point + 1]; ++i )
		{
			pnTally* tally = tallies + ( ends[i] >> 2 );
			bool isOutline = tally->outline[0] != 0 || tally->outline[1] != 0;
			if ( !isOutline && tally->triangle[0] == 0 && tally->triangle[1] == 0 )
			{
				continue; // this pair was looked at
			}
			int excess = isOutline ? 0 : 1;
			if ( tally->triangle[0] != tally->outline[0] + excess || tally->triangle[1] != tally->outline[1] + excess )
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
					depths[outline->edges[2 * path[i]]] = 0;
					loops->edges[2 * written] = outline->edges[2 * path[i]];
					loops->edges[2 * written + 1] = outline->edges[2 * path[i] + 1];
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
	}
	pnGiveBack( &local );
	return true;
}

// Around a point in the middle. No two of these fillings have an edge in common, whatever the loops are like.
static void pnFillFan( pnFiller* filler, const int32_t* edges, int count )
{
	filler->over = true;
	if ( count == 3 )
	{
		pnAddTriangle( filler, edges[0], edges[2], edges[4] );
		return;
	}
	int64_t x = 0, y = 0;
	int32_t center = filler->outline->pointCount + filler->innerCount;
	for ( int i = 0; i < count; ++i )
	{
		pnPoint2 place = pnGetPlace( filler, edges[2 * i] );
		x += place.x;
		y += place.y;
		pnAddTriangle( filler, edges[2 * i], edges[2 * i + 1], center );
	}
	pnAddInner( filler, (pnPoint2){ (int32_t)( x / count ), (int32_t)( y / count ) } );
}

// ---- loops that are tangled ----

enum { PN_ROUNDS = 8 };

// A place where an edge is split.
typedef struct pnSplit2
{
	pnPoint2 place;
	int32_t next; // 1 + the next one on the same edge
} pnSplit2;

static void pnAddSplit( pnFiller* filler, pnList* splits, int32_t* firsts, const int32_t* edges, int32_t edge, pnPoint2 place )
{
	pnPoint2 a = pnGetPlace( filler, edges[2 * edge] ), b = pnGetPlace( filler, edges[2 * edge + 1] );
	if ( pnIsSame( place, a ) || pnIsSame( place, b ) || pnExtend( splits, filler ) == NULL )
	{
		return;
	}
	pnSplit2* items = splits->items;
	int32_t* link = firsts + edge;
	while ( *link != 0 && pnAhead( a, b, items[*link - 1].place ) < pnAhead( a, b, place ) )
	{
		link = &items[*link - 1].next;
	}
	if ( *link != 0 && pnIsSame( items[*link - 1].place, place ) )
	{
		splits->count -= 1;
		return;
	}
	items[splits->count - 1] = (pnSplit2){ place, *link };
	*link = splits->count;
}

// Puts a point where two edges cross, one for each of them, and a triangle of hardly any area between the edge and its parts.
static bool pnSplitEdges( pnFiller* filler, pnList* edges, const pnList* crosses, int most )
{
	pnScratch scratch = { 0 };
	int32_t* firsts = pnTakeArray( &scratch, int32_t, edges->count );
	pnList splits = { .size = sizeof( pnSplit2 ) };
	filler->failed = filler->failed || scratch.failed;
	for ( int i = 0; i < crosses->count && !filler->failed; ++i )
	{
		const int32_t* pair = ( (const pnMeeting*)crosses->items )[i].edges;
		const int32_t *e = (const int32_t*)edges->items + 2 * pair[0], *f = (const int32_t*)edges->items + 2 * pair[1];
		pnPoint2 a = pnGetPlace( filler, e[0] ), b = pnGetPlace( filler, e[1] ), c = pnGetPlace( filler, f[0] ), d = pnGetPlace( filler, f[1] );
		double before = (double)pnTurn( c, d, a ), after = (double)pnTurn( c, d, b );
		double t = before / ( before - after );
		pnPoint2 place = { (int32_t)floor( a.x + t * ( (double)b.x - a.x ) + 0.5 ), (int32_t)floor( a.y + t * ( (double)b.y - a.y ) + 0.5 ) };
		pnAddSplit( filler, &splits, firsts, edges->items, pair[0], place );
		pnAddSplit( filler, &splits, firsts, edges->items, pair[1], place );
	}
	bool fine = !filler->failed && splits.count > 0 && edges->count + splits.count <= most;
	for ( int edge = 0, count = edges->count; edge < count && fine; ++edge )
	{
		int32_t from = ( (int32_t*)edges->items )[2 * edge], to = ( (int32_t*)edges->items )[2 * edge + 1], last = from;
		for ( int32_t i = firsts[edge]; i != 0; i = ( (pnSplit2*)splits.items )[i - 1].next )
		{
			int32_t point = pnAddInner( filler, ( (pnSplit2*)splits.items )[i - 1].place );
			if ( last == from )
			{
				( (int32_t*)edges->items )[2 * edge + 1] = point;
			}
			else
			{
				pnAddTriangle( filler, from, point, last );
			}
			int32_t* added = last == from ? NULL : pnExtend( edges, filler );
			if ( added != NULL )
			{
				added[0] = last;
				added[1] = point;
			}
			last = point;
		}
		int32_t* added = last == from ? NULL : pnExtend( edges, filler );
		if ( added != NULL )
		{
			pnAddTriangle( filler, from, to, last );
			added[0] = last;
			added[1] = to;
		}
		fine = !filler->failed;
	}
	pnFreeList( &splits );
	pnGiveBack( &scratch );
	return fine;
}

static int pnGetMostEdges( int count )
{
	return 4 * count + 256;
}

// False: nothing is written.
static bool pnFillTangle( pnFiller* filler, const int32_t* edges, int count )
{
	int innerCount = filler->innerCount, indexCount = filler->indexCount;
	bool over = filler->over, done = false;
	pnList list = { .size = 2 * sizeof( int32_t ) };
	filler->firstCrossing = innerCount;
	filler->failed = filler->failed || !pnGrow( &list.items, &list.capacity, 0, count, list.size );
	if ( !filler->failed )
	{
		memcpy( list.items, edges, 2 * (size_t)count * sizeof( int32_t ) );
		list.count = count;
	}
	for ( int round = 0; round < PN_ROUNDS && !filler->failed && !done; ++round )
	{
		pnList crosses;
		done = pnFillEdges( filler, list.items, list.count, &crosses );
		bool split = !done && !filler->failed && crosses.count > 0 && pnSplitEdges( filler, &list, &crosses, pnGetMostEdges( count ) );
		pnFreeList( &crosses );
		if ( !done && !split )
		{
			break;
		}
		filler->over = filler->over || split;
	}
	pnFreeList( &list );
	if ( !done )
	{
		filler->innerCount = innerCount;
		filler->indexCount = indexCount;
		filler->over = over;
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
	pnPoint2 first = pnGetPlace( filler, edges[0] );
	pnLoopShape shape = { 0.0, first, first, 0 };
	__int128 area = 0;
	for ( int i = 0; i < count; ++i )
	{
		pnPoint2 a = pnGetPlace( filler, edges[2 * i] ), b = pnGetPlace( filler, edges[2 * i + 1] );
		area += pnTurn( first, a, b );
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
		pnPoint2 a = pnGetPlace( filler, edges[2 * i] ), b = pnGetPlace( filler, edges[2 * i + 1] );
		if ( ( a.y < place.y && b.y < place.y ) || ( a.y > place.y && b.y > place.y ) )
		{
			continue;
		}
		int64_t turn = pnTurn( a, b, place );
		if ( turn == 0 && pnAhead( place, a, b ) <= 0 )
		{
			return false;
		}
		*winding += a.y <= place.y && b.y > place.y && turn > 0;
		*winding -= b.y <= place.y && a.y > place.y && turn < 0;
	}
	return true;
}

// A loop that turns right is a hole in the smallest one around it that turns left.
static void pnGroupLoops( const pnFiller* filler, const pnLoops* loops, pnLoopShape* shapes )
{
	for ( int i = 0; i < loops->count; ++i )
	{
		shapes[i] = pnMeasureLoop( filler, loops->edges + 2 * loops->starts[i], loops->starts[i + 1] - loops->starts[i] );
	}
	for ( int i = 0; i < loops->count; ++i )
	{
		shapes[i].group = i;
		for ( int k = 0; k < loops->count && shapes[i].area < 0.0; ++k )
		{
			bool around = shapes[k].area > 0.0 && shapes[k].lower.x <= shapes[i].lower.x && shapes[k].lower.y <= shapes[i].lower.y &&
						  shapes[k].upper.x >= shapes[i].upper.x && shapes[k].upper.y >= shapes[i].upper.y;
			if ( !around || ( shapes[i].group != i && shapes[shapes[i].group].area <= shapes[k].area ) )
			{
				continue;
			}
			int winding = 0;
			bool known = false;
			for ( int edge = loops->starts[i]; edge < loops->starts[i + 1] && !known; ++edge )
			{
				pnPoint2 place = pnGetPlace( filler, loops->edges[2 * edge] );
				known = pnWindAround( filler, loops->edges + 2 * loops->starts[k], loops->starts[k + 1] - loops->starts[k], place, &winding );
			}
			shapes[i].group = !known || winding > 0 ? k : shapes[i].group;
		}
	}
}

// Each outer loop with its holes, by itself.
static void pnFillGroups( pnFiller* filler )
{
	pnScratch scratch = { 0 };
	pnLoops loops = { 0 };
	filler->failed = filler->failed || !pnFindLoops( filler->outline, &scratch, &loops );
	int edgeCount = filler->outline->edgeCount, pointCount = filler->outline->pointCount;
	pnLoopShape* shapes = pnTakeArray( &scratch, pnLoopShape, loops.count );
	int32_t* starts = pnTakeArray( &scratch, int32_t, (size_t)loops.count + 1 ); // of groups, in members
	int32_t* members = pnTakeArray( &scratch, int32_t, loops.count );
	int32_t* firsts = pnTakeArray( &scratch, int32_t, (size_t)loops.count + 1 ); // of groups, in the triangles' indices
	uint8_t* fanned = pnTakeArray( &scratch, uint8_t, loops.count );
	int32_t* edges = pnTakeArray( &scratch, int32_t, 2 * (size_t)edgeCount );
	filler->placeOf = pnTakeArray( &scratch, int32_t, (size_t)pointCount + pnGetMostEdges( edgeCount ) );
	if ( scratch.failed || filler->failed )
	{
		filler->failed = true;
		pnGiveBack( &scratch );
		return;
	}
	pnGroupLoops( filler, &loops, shapes );
	for ( int i = 0; i < loops.count; ++i )
	{
		starts[shapes[i].group] += 1;
	}
	for ( int i = 0; i < loops.count; ++i )
	{
		starts[i + 1] += starts[i];
	}
	for ( int i = loops.count - 1; i >= 0; --i )
	{
		members[--starts[shapes[i].group]] = i;
	}

	bool done = false;
	for ( int pass = 0; pass < 3 && !done && !filler->failed; ++pass )
	{
		filler->innerCount = 0;
		filler->indexCount = 0;
		filler->over = false;
		for ( int group = 0; group < loops.count && !filler->failed; ++group )
		{
			firsts[group] = filler->indexCount;
			int count = 0;
			for ( int i = starts[group]; i < starts[group + 1]; ++i )
			{
				int first = loops.starts[members[i]], length = loops.starts[members[i] + 1] - first;
				memcpy( edges + 2 * count, loops.edges + 2 * first, 2 * (size_t)length * sizeof( int32_t ) );
				count += length;
			}
			fanned[group] = fanned[group] != 0 || pass == 2 || ( count > 0 && !pnFillTangle( filler, edges, count ) );
			for ( int i = starts[group]; i < starts[group + 1] && fanned[group] != 0; ++i )
			{
				int first = loops.starts[members[i]];
				pnFillFan( filler, loops.edges + 2 * first, loops.starts[members[i] + 1] - first );
			}
		}
		firsts[loops.count] = filler->indexCount;
		if ( pass == 2 || filler->failed )
		{
			break; // nothing but fans: no two have an edge in common
		}
		pnScratch local = { 0 };
		uint8_t* suspects = pnTakeArray( &local, uint8_t, (size_t)pointCount + filler->innerCount );
		filler->failed = filler->failed || local.failed;
		done = !filler->failed && pnCheckEdges( filler, suspects );
		for ( int group = 0; group < loops.count && !done && !filler->failed; ++group )
		{
			for ( int i = firsts[group]; i < firsts[group + 1]; ++i )
			{
				fanned[group] |= suspects[filler->triangles[i]];
			}
		}
		pnGiveBack( &local );
	}
	// Layers of their own may lie over one another.
	filler->over = true;
	pnGiveBack( &scratch );
}

// What was grown is held by a scratch from now on.
static void pnHold( pnScratch* scratch, void* memory, int capacity, size_t size )
{
	pnScratch grown = { .blocks = { { memory, (size_t)capacity, size } }, .blockCount = 1 };
	pnHandOver( &grown, scratch );
}

bool pnFillOutline( const pnOutline* outline, pnScratch* scratch, pnFilling* filling )
{
	*filling = (pnFilling){ 0 };
	pnFiller filler = { .outline = outline };
	filler.failed = scratch->failed || scratch->blockCount + 2 > PN_SCRATCH_BLOCKS;
	PN_ASSERT( scratch->blockCount + 2 <= PN_SCRATCH_BLOCKS );
	pnReserve( &filler, outline->edgeCount + 1 );
	filler.failed = filler.failed || !pnGrow( (void**)&filler.inner, &filler.innerCapacity, 0, 16, sizeof( pnPoint2 ) );
	pnScratch local = { 0 };
	filler.placeOf = pnTakeArray( &local, int32_t, outline->pointCount );
	filler.failed = filler.failed || local.failed;
	bool done = outline->edgeCount == 0 || filler.failed;
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
	pnHold( scratch, filler.inner, filler.innerCapacity, sizeof( pnPoint2 ) );
	pnHold( scratch, filler.triangles, filler.indexCapacity, sizeof( int32_t ) );
	*filling = (pnFilling){ filler.inner, filler.innerCount, filler.triangles, filler.indexCount / 3, !filler.over };
	return true;
}
