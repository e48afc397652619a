// net.c - triangles over places in the plane: Delaunay, with exact predicates, and with edges that are held. Knows no outlines.
//
// Places are inserted one by one, each into the triangle that a walk finds, and edges are flipped until all is Delaunay (Lawson 1977).
// Edges that must be there are made by flipping those in their way (Sloan 1993).
#include "net.h"

void* pnExtend( pnList* list, bool* failed )
{
	if ( list->count == list->capacity && !pnGrow( &list->items, &list->capacity, list->count, list->count + 16, list->size ) )
	{
		*failed = true;
		return NULL;
	}
	return (char*)list->items + (size_t)list->count++ * list->size;
}

void pnFreeList( pnList* list )
{
	pnFree( list->items, (size_t)list->capacity, list->size );
}

// ---- triangles ----

enum { PN_FRONT = 8 }; // the first half edge that is not of the frame's back

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
	// Nothing inside a closed outline sees the frame, so how wide it is does not matter to the filling.
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
static int32_t pnInsertPlace( pnNet* net, pnPoint2 point )
{
	int32_t first = net->last, entry = -1, i = 0;
	do
	{
		for ( i = 0; i < 3; ++i )
		{
			int32_t half = first + i;
			if ( half != entry && pnSideOf( net->places[net->corners[half]], net->places[net->corners[pnNext( half )]], point ) < 0 )
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
	// Around the new place until no edge across from it is to be flipped. A place on an edge makes a triangle of no area. Its circle is the
	// half plane across the edge, so that it is flipped like others.
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

// ---- many places ----

// Along a Hilbert curve, so that the next one is near the last one.
static void pnOrderPoints( const pnPoint2* points, int count, pnPoint2 lower, pnPoint2 upper, int bits, uint32_t* keys, int32_t* starts,
						   int32_t* order )
{
	// For each of four turns of the curve and each quarter: the quarter's number, and four times the turn within it.
	static const uint8_t quarters[16] = { 4, 1, 11, 2, 0, 15, 5, 6, 10, 9, 3, 12, 14, 7, 13, 8 };
	double width = (double)upper.x - lower.x, height = (double)upper.y - lower.y;
	double scale = (double)( 1 << bits ) / ( ( width > height ? width : height ) + 1.0 );
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

bool pnBuildNet( pnNet* net, const pnPoint2* points, int count, int32_t* placeOf, pnScratch* scratch )
{
	int bits = 1;
	while ( bits < 12 && 1 << ( 2 * bits ) < count )
	{
		bits += 1;
	}
	size_t placeCount = (size_t)count + 4, halfCount = 8 * placeCount;
	uint32_t* keys = NULL;
	int32_t *starts = NULL, *order = NULL;
	char* memory = NULL;
	for ( int pass = 0; pass < 2; ++pass ) // how much, then where
	{
		size_t used = 0;
		keys = pnPortion( memory, &used, (size_t)count, sizeof( uint32_t ) );
		starts = pnPortion( memory, &used, (size_t)1 << ( 2 * bits ), sizeof( int32_t ) );
		order = pnPortion( memory, &used, (size_t)count, sizeof( int32_t ) );
		net->places = pnPortion( memory, &used, placeCount, sizeof( pnPoint2 ) );
		net->leaving = pnPortion( memory, &used, placeCount, sizeof( int32_t ) );
		net->corners = pnPortion( memory, &used, halfCount, sizeof( int32_t ) );
		net->twins = pnPortion( memory, &used, halfCount, sizeof( int32_t ) );
		net->walls = pnPortion( memory, &used, halfCount, sizeof( int32_t ) );
		memory = pass == 0 ? pnTakeRawArray( scratch, char, used ) : memory;
		if ( memory == NULL )
		{
			return false;
		}
	}

	memset( starts, 0, sizeof( int32_t ) << ( 2 * bits ) );
	memset( net->walls, 0, halfCount * sizeof( int32_t ) );
	pnPoint2 lower = { INT32_MAX, INT32_MAX }, upper = { INT32_MIN, INT32_MIN };
	for ( int i = 0; i < count; ++i )
	{
		lower.x = points[i].x < lower.x ? points[i].x : lower.x;
		lower.y = points[i].y < lower.y ? points[i].y : lower.y;
		upper.x = points[i].x > upper.x ? points[i].x : upper.x;
		upper.y = points[i].y > upper.y ? points[i].y : upper.y;
	}
	pnOrderPoints( points, count, lower, upper, bits, keys, starts, order );
	pnStartNet( net, lower, upper );
	// A few all over the plane first, then eight times as many, and so on. In one go along the curve, fans around far places would grow
	// with each place and be flipped again and again: fifty flips for a place of a smooth outline of 20000, instead of four.
	int stride = 1;
	while ( stride < count / 8 )
	{
		stride *= 8;
	}
	for ( int coarser = 0; stride > 0; coarser = stride, stride /= 8 )
	{
		for ( int i = 0; i < count; i += stride )
		{
			if ( coarser == 0 || i % coarser != 0 )
			{
				placeOf[order[i]] = pnInsertPlace( net, points[order[i]] );
			}
		}
	}
	for ( int32_t first = 0; first < 4 * net->triangleCount; first += 4 )
	{
		net->leaving[net->corners[first]] = first;
		net->leaving[net->corners[first + 1]] = first + 1;
		net->leaving[net->corners[first + 2]] = first + 2;
	}
	return true;
}

// ---- edges that must be there ----

int32_t pnFindHalf( const pnNet* net, int32_t from, int32_t to )
{
	// Around both at once: one may have thousands of neighbours.
	int32_t start = net->leaving[from], other = net->leaving[to], half = start, back = other;
	do
	{
		if ( net->corners[pnNext( half )] == to )
		{
			return half;
		}
		if ( net->corners[pnNext( back )] == from )
		{
			return net->twins[back];
		}
		half = net->twins[pnBefore( half )];
		back = net->twins[pnBefore( back )];
	}
	while ( half != start && back != other );
	return -1;
}

int32_t pnFindWay( const pnNet* net, int32_t from, int32_t to, pnList* passed, bool* failed )
{
	pnPoint2 a = net->places[from], b = net->places[to];
	int32_t half = net->leaving[from], right, left;
	for ( ;; )
	{
		right = net->corners[pnNext( half )];
		left = net->corners[pnBefore( half )];
		int64_t turn = pnSideOf( a, b, net->places[right] );
		if ( turn == 0 && pnAhead( a, b, net->places[right] ) > 0 )
		{
			return right;
		}
		if ( turn < 0 && pnSideOf( a, b, net->places[left] ) > 0 )
		{
			break;
		}
		half = net->twins[pnBefore( half )];
	}
	half = pnNext( half );
	for ( ;; )
	{
		pnPassed* edge = pnExtend( passed, failed );
		if ( edge == NULL )
		{
			return to;
		}
		*edge = (pnPassed){ right, left, half, net->walls[half] };
		half = net->twins[half];
		int32_t across = net->corners[pnBefore( half )];
		int64_t turn = pnSideOf( a, b, net->places[across] );
		if ( turn == 0 )
		{
			return across;
		}
		left = turn > 0 ? across : left;
		right = turn > 0 ? right : across;
		half = turn > 0 ? pnNext( half ) : pnBefore( half );
	}
}

// Flips an edge in the way if the two triangles there are a convex quadrilateral. Its neighbours in the way stay where they are, but their
// half edges may get other numbers.
static bool pnFlipPassed( pnNet* net, pnPassed* edge, pnPassed* before, pnPassed* after )
{
	const pnPoint2* places = net->places;
	int32_t half = edge->half, twin = net->twins[half], left = pnBefore( half ), right = pnBefore( twin );
	int32_t c = net->corners[left], d = net->corners[right];
	if ( pnSideOf( places[c], places[d], places[net->corners[half]] ) >= 0 || pnSideOf( places[c], places[d], places[net->corners[twin]] ) <= 0 )
	{
		return false;
	}
	pnFlipInside( net, half );
	*edge = (pnPassed){ c, d, left, 0 };
	for ( int i = 0; i < 2; ++i )
	{
		pnPassed* neighbour = i == 0 ? before : after;
		if ( neighbour != NULL )
		{
			neighbour->half = neighbour->half == left ? twin : neighbour->half == right ? half : neighbour->half;
		}
	}
	return true;
}

// Flips the edges passed until none is in the way. What could not be flipped is tried again when its neighbour was, and in sweeps forth and
// back: so most ways take few steps more than they pass edges.
static void pnClearWay( pnNet* net, int32_t from, int32_t to, pnList* passed, pnList* fresh, bool* failed )
{
	pnPoint2 a = net->places[from], b = net->places[to];
	pnPassed* edges = passed->items;
	int count = passed->count;
	for ( int sweepsLeft = count + 64; count > 0 && sweepsLeft > 0; --sweepsLeft )
	{
		int kept = 0;
		for ( int next = 0; next < count; )
		{
			pnPassed edge = edges[next++];
			for ( ;; )
			{
				if ( pnFlipPassed( net, &edge, kept > 0 ? edges + kept - 1 : NULL, next < count ? edges + next : NULL ) )
				{
					bool apart = edge.right != from && edge.right != to && edge.left != from && edge.left != to;
					if ( !apart || ( pnSideOf( a, b, net->places[edge.right] ) > 0 ) == ( pnSideOf( a, b, net->places[edge.left] ) > 0 ) )
					{
						pnPassed* written = pnExtend( fresh, failed );
						if ( written == NULL )
						{
							return;
						}
						*written = edge;
						if ( kept == 0 )
						{
							break;
						}
						edge = edges[--kept];
						continue;
					}
				}
				edges[kept++] = edge;
				break;
			}
		}
		count = kept;
		for ( int i = 0; i < count / 2; ++i )
		{
			pnPassed swap = edges[i];
			edges[i] = edges[count - 1 - i];
			edges[count - 1 - i] = swap;
		}
	}
}

void pnForceEdge( pnNet* net, int32_t from, int32_t to, pnList* passed, pnList* fresh, bool* failed )
{
	fresh->count = 0;
	pnClearWay( net, from, to, passed, fresh, failed );
	const pnPoint2* places = net->places;
	pnPassed* edges = fresh->items;
	bool changed = !*failed, forth = true;
	for ( ; changed; forth = !forth ) // one flip often makes the next one necessary, along the way or against it
	{
		changed = false;
		for ( int k = 0; k < fresh->count; ++k )
		{
			int i = forth ? k : fresh->count - 1 - k;
			bool isForced = ( edges[i].right == from && edges[i].left == to ) || ( edges[i].right == to && edges[i].left == from );
			int32_t half = pnFindHalf( net, edges[i].right, edges[i].left );
			int32_t c = net->corners[pnBefore( half )], d = net->corners[pnBefore( net->twins[half] )];
			if ( !isForced && pnIsInCircle( places[edges[i].right], places[edges[i].left], places[c], places[d] ) )
			{
				pnFlipInside( net, half );
				edges[i] = (pnPassed){ c, d, half, 0 };
				changed = true;
			}
		}
	}
}
