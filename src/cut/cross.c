// cross.c - where a plane runs through a surface: crossings of edges, segments through triangles, loops; what is closed, what is only
// touched. Knows places and triangles.
#include "../base/sets.h"
#include "cutting.h"

#include <math.h>

static uint32_t pnHashEdge( int32_t a, int32_t b )
{
	uint64_t key = ( (uint64_t)(uint32_t)a << 32 | (uint32_t)b ) * 0x9e3779b97f4a7c15ull;
	return (uint32_t)( key >> 32 );
}

// The crossing of an edge that has no segment yet that leaves it (or comes to it).
static int32_t pnFindCrossing( pnCutting* c, int32_t a, int32_t b, bool leaves )
{
	int32_t low = a < b ? a : b, high = a < b ? b : a;
	uint32_t slot = pnHashEdge( low, high ) & (uint32_t)c->tableMask;
	int32_t first = -1;
	for ( ;; slot = ( slot + 1 ) & (uint32_t)c->tableMask )
	{
		first = c->tableHeads[slot] - 1;
		if ( first < 0 || ( c->crossings[first].low == low && c->crossings[first].high == high ) )
		{
			break;
		}
	}
	for ( int32_t i = first; i >= 0; i = c->crossings[i].more )
	{
		if ( ( leaves ? c->crossings[i].next : c->crossings[i].before ) < 0 )
		{
			return i;
		}
	}
	pnCrossing* x = c->crossings + c->crossingCount;
	*x = (pnCrossing){ .low = low, .high = high, .next = -1, .before = -1, .more = first, .rim = -1, .loop = -1 };
	double h0 = c->heights[low], h1 = c->heights[high];
	x->t = h0 / ( h0 - h1 );
	c->tableHeads[slot] = ++c->crossingCount;
	return c->crossingCount - 1;
}

void pnPlaceCrossing( pnCutting* c, pnCrossing* x )
{
	x->t = x->t < pn_nearest ? pn_nearest : x->t > 1.0 - pn_nearest ? 1.0 - pn_nearest : x->t;
	const float *a = &c->source->places[x->low].x, *b = &c->source->places[x->high].x;
	float* place = &x->place.x;
	for ( int k = 0; k < 3; ++k )
	{
		place[k] = (float)( (double)a[k] + x->t * ( (double)b[k] - (double)a[k] ) );
	}
	pnFlatten( c->blade, x->place, x->at );
}

static void pnCollectSegments( pnCutting* c )
{
	const pnSliceSource* s = c->source;
	c->crossingCount = c->segmentCount = 0;
	memset( c->tableHeads, 0, ( (size_t)c->tableMask + 1 ) * sizeof( int32_t ) );
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* k = s->triangles + 3 * (size_t)t;
		int up = c->above[k[0]] + c->above[k[1]] + c->above[k[2]];
		if ( up == 0 || up == 3 || k[0] == k[1] || k[1] == k[2] || k[2] == k[0] )
		{
			continue;
		}
		int lone = 0;
		while ( ( c->above[k[lone]] != 0 ) != ( up == 1 ) )
		{
			lone += 1;
		}
		int32_t p = k[lone], q = k[( lone + 1 ) % 3], r = k[( lone + 2 ) % 3];
		bool above = up == 1;
		pnSegment* segment = c->segments + c->segmentCount;
		*segment = (pnSegment){ t, p, q, r, { 0, 0 }, { -1, -1 }, -1, above, false };
		segment->ends[0] = pnFindCrossing( c, p, q, above );
		segment->ends[1] = pnFindCrossing( c, r, p, !above );
		c->crossings[segment->ends[0]].next = above ? c->segmentCount : c->crossings[segment->ends[0]].next;
		c->crossings[segment->ends[0]].before = above ? c->crossings[segment->ends[0]].before : c->segmentCount;
		c->crossings[segment->ends[1]].next = above ? c->crossings[segment->ends[1]].next : c->segmentCount;
		c->crossings[segment->ends[1]].before = above ? c->segmentCount : c->crossings[segment->ends[1]].before;
		c->segmentCount += 1;
	}
}

bool pnFindSegments( pnCutting* c )
{
	const pnSliceSource* s = c->source;
	c->above = pnTakeArray( &c->scratch, uint8_t, s->nodeCount );
	c->heights = pnTakeRawArray( &c->scratch, double, s->nodeCount );
	if ( c->scratch.failed )
	{
		return false;
	}
	double farthest = 0.0;
	for ( int i = 0; i < s->nodeCount; ++i )
	{
		c->heights[i] = pnGetHeight( c->blade, s->places[i] );
		farthest = fabs( c->heights[i] ) > farthest ? fabs( c->heights[i] ) : farthest;
	}
	for ( int i = 0; i < s->nodeCount; ++i )
	{
		// What an older slit has parted stays on its side, at least a tenth of the way that it may be off, and where that ended the blade runs through it.
		int lip = s->lips != NULL ? s->lips[i] : 0;
		double least = 0.1 * s->snap, height = lip * c->heights[i];
		c->heights[i] = lip == PN_SLIT_END ? 1e-3 * s->snap : lip != 0 ? lip * ( height > least ? height : least ) : c->heights[i];
		c->above[i] = lip != 0 ? c->heights[i] >= 0.0 : c->heights[i] >= -1e-6 * farthest; // what lies in the plane but for rounding is on one side of it
	}
	int count = 0;
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* k = s->triangles + 3 * (size_t)t;
		int up = c->above[k[0]] + c->above[k[1]] + c->above[k[2]];
		count += up == 1 || up == 2;
	}
	uint32_t size = 16;
	while ( size < 4u * (uint32_t)count )
	{
		size *= 2;
	}
	c->tableMask = (int32_t)( size - 1 );
	c->tableHeads = pnTakeArray( &c->scratch, int32_t, size );
	c->crossings = pnTakeRawArray( &c->scratch, pnCrossing, 2 * (size_t)count );
	c->segments = pnTakeRawArray( &c->scratch, pnSegment, count );
	if ( c->scratch.failed )
	{
		return false;
	}
	pnCollectSegments( c );
	return true;
}

// ---- where the plane only touches ----

// Nodes of one side that count as on the plane, and that have none beside them on their side but such: a tip, an edge or a face that the
// plane touches. They go to the other side, so that nothing is shaved off. Says in *any if there were some. False: no memory.
static bool pnLeaveTouched( pnCutting* c, bool side, bool* any )
{
	const pnSliceSource* s = c->source;
	bool some = false;
	for ( int i = 0; i < c->crossingCount && !some; ++i )
	{
		some = c->crossings[i].t <= pn_nearest || c->crossings[i].t >= 1.0 - pn_nearest;
	}
	if ( !some )
	{
		return true;
	}
	pnScratch scratch = { 0 };
	int32_t* counts = pnTakeArray( &scratch, int32_t, s->nodeCount ); // crossings
	double* spans = pnTakeArray( &scratch, double, s->nodeCount );
	uint8_t* near = pnTakeArray( &scratch, uint8_t, s->nodeCount );
	int32_t* around = pnTakeArray( &scratch, int32_t, s->triangleCount ); // triangles with such a node
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return false;
	}
	double longest2 = 0.0;
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		const pnCrossing* x = c->crossings + i;
		pnVec3 d = pnSub( s->places[x->low], s->places[x->high] );
		double span = fabs( c->heights[x->low] - c->heights[x->high] ), length2 = (double)pnDot( d, d );
		counts[x->low] += 1, counts[x->high] += 1;
		spans[x->low] += span, spans[x->high] += span;
		longest2 = length2 > longest2 ? length2 : longest2;
	}
	for ( int i = 0; i < s->nodeCount; ++i )
	{
		double height = fabs( c->heights[i] );
		near[i] = ( c->above[i] != 0 ) == side && ( counts[i] > 0 ? height * counts[i] <= pn_nearest * spans[i] : height * height <= pn_nearest * pn_nearest * longest2 );
	}
	int aroundCount = 0;
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* k = s->triangles + 3 * (size_t)t;
		if ( ( near[k[0]] | near[k[1]] | near[k[2]] ) == 0 )
		{
			continue;
		}
		around[aroundCount++] = t;
		double edge2 = 0.0;
		for ( int i = 0; i < 3; ++i )
		{
			pnVec3 d = pnSub( s->places[k[i]], s->places[k[( i + 1 ) % 3]] );
			edge2 = (double)pnDot( d, d ) > edge2 ? (double)pnDot( d, d ) : edge2;
		}
		for ( int i = 0; i < 3; ++i )
		{
			double height = c->heights[k[i]];
			near[k[i]] = near[k[i]] != 0 && ( counts[k[i]] > 0 || height * height <= pn_nearest * pn_nearest * edge2 );
		}
	}
	for ( bool changed = true; changed; )
	{
		changed = false;
		for ( int i = 0; i < 3 * aroundCount; ++i )
		{
			const int32_t* k = s->triangles + 3 * (size_t)around[i / 3];
			int32_t a = k[i % 3], b = k[( i + 1 ) % 3];
			if ( c->above[a] == c->above[b] && near[a] != near[b] )
			{
				near[a] = near[b] = 0;
				changed = true;
			}
		}
	}
	for ( int i = 0; i < 3 * aroundCount; ++i )
	{
		int32_t node = s->triangles[3 * (size_t)around[i / 3] + i % 3];
		if ( near[node] != 0 && counts[node] > 0 )
		{
			*any = true;
		}
	}
	for ( int i = 0; i < s->nodeCount && *any; ++i )
	{
		c->above[i] ^= near[i];
	}
	pnGiveBack( &scratch );
	return true;
}

bool pnLeaveAllTouched( pnCutting* c )
{
	bool fine = true;
	for ( int side = 1; side >= 0 && fine; --side )
	{
		bool any = false;
		fine = pnLeaveTouched( c, side != 0, &any );
		if ( any )
		{
			pnCollectSegments( c );
		}
	}
	return fine;
}

// ---- which parts are closed ----

// A part is closed if each of its edges is run through as often one way as the other.
bool pnFindSealed( pnCutting* c )
{
	const pnSliceSource* s = c->source;
	if ( s->closed )
	{
		return true;
	}
	uint32_t size = 16, edgeCount = 3u * (uint32_t)s->triangleCount;
	while ( size < 2u * edgeCount )
	{
		size *= 2;
	}
	pnScratch scratch = { 0 };
	c->sealed = pnTakeArray( &c->scratch, uint8_t, s->nodeCount );
	c->border = pnTakeArray( &c->scratch, uint8_t, s->nodeCount );
	int32_t* roots = pnTakeArray( &scratch, int32_t, s->nodeCount );
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, size ); // 1 + edge
	int32_t* sums = pnTakeArray( &scratch, int32_t, size );
	bool done = !scratch.failed && !c->scratch.failed;
	for ( int i = 0; i < s->nodeCount && done; ++i )
	{
		roots[i] = i;
		c->sealed[i] = 1;
	}
	for ( int i = 0; i < 3 * s->triangleCount && done; ++i )
	{
		int32_t a = s->triangles[i], b = s->triangles[i - i % 3 + ( i + 1 ) % 3];
		if ( a == b )
		{
			continue;
		}
		pnJoinSets( roots, a, b );
		uint64_t key = ( (uint64_t)(uint32_t)( a < b ? a : b ) << 32 | (uint32_t)( a < b ? b : a ) ) + 1;
		uint32_t slot = pnHashEdge( a < b ? a : b, a < b ? b : a ) & ( size - 1 );
		while ( keys[slot] != 0 && keys[slot] != key )
		{
			slot = ( slot + 1 ) & ( size - 1 );
		}
		keys[slot] = key;
		sums[slot] += a < b ? 1 : -1;
	}
	for ( uint32_t slot = 0; slot < size && done; ++slot )
	{
		if ( keys[slot] != 0 && sums[slot] != 0 )
		{
			int32_t a = (int32_t)( ( keys[slot] - 1 ) >> 32 ), b = (int32_t)( ( keys[slot] - 1 ) & 0xffffffffu );
			c->sealed[pnFindSet( roots, a )] = 0;
			c->border[a] = c->border[b] = 1;
		}
	}
	for ( int i = 0; i < s->nodeCount && done; ++i )
	{
		c->sealed[i] = c->sealed[pnFindSet( roots, i )];
	}
	for ( int i = 0; i < c->crossingCount && done; ++i )
	{
		const pnCrossing* x = c->crossings + i;
		if ( x->next < 0 || x->before < 0 )
		{
			c->border[x->low] = c->border[x->high] = 2;
		}
	}
	pnGiveBack( &scratch );
	return done;
}

bool pnIsSealed( const pnCutting* c, int32_t node )
{
	return c->sealed == NULL || c->sealed[node] != 0;
}

// ---- loops ----

int32_t pnFollow( const pnCutting* c, int32_t crossing )
{
	const pnCrossing* x = c->crossings + crossing;
	if ( x->next < 0 )
	{
		return -1;
	}
	const pnSegment* segment = c->segments + x->next;
	return segment->above ? segment->ends[1] : segment->ends[0];
}

// Closed loops are named by their first crossing; others are -1.
void pnNameLoops( pnCutting* c )
{
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		if ( c->crossings[i].loop >= 0 )
		{
			continue;
		}
		int32_t at = pnFollow( c, i ), steps = 0;
		while ( at >= 0 && at != i && steps <= c->crossingCount )
		{
			at = pnFollow( c, at );
			steps += 1;
		}
		for ( int32_t k = i; at == i && c->crossings[k].loop < 0; k = pnFollow( c, k ) )
		{
			c->crossings[k].loop = i;
		}
	}
}
