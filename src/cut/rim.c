// rim.c - the places on the outline of an opening, as both sides of it know them; and nodes that the plane runs through, which stand for
// their crossings. Knows crossings; no filling.
#include "cutting.h"

#include <math.h>

// ---- nodes and rims ----

static int32_t pnAddNode( pnCutting* c, pnSliceNode node, pnVec3 place )
{
	c->nodes[c->nodeCount] = node;
	c->places[c->nodeCount] = place;
	return c->source->nodeCount + c->nodeCount++;
}

static int32_t pnAddRim( pnCutting* c, pnRim rim, pnPoint2 at )
{
	c->rims[c->rimCount] = rim;
	c->grid[c->rimCount] = at;
	return c->rimCount++;
}

// Two new nodes in one place, or one if the sides hang together there.
int32_t pnOpenRim( pnCutting* c, pnSliceNode node, pnVec3 place, pnPoint2 at, bool apart )
{
	pnRim rim;
	node.side = apart ? 1 : 0;
	rim.above = rim.below = pnAddNode( c, node, place );
	if ( apart )
	{
		node.side = -1;
		rim.below = pnAddNode( c, node, place );
	}
	return pnAddRim( c, rim, at );
}

static pnSliceNode pnCopyOf( int32_t node )
{
	return (pnSliceNode){ { node, node, node }, { 1.0f, 0.0f, 0.0f }, 0 };
}

// ---- nodes that the plane runs through ----

typedef struct pnSnaps
{
	int32_t* crossings; // of each node
	int32_t* lone; // triangles in which the node is alone on its side
	double* spans; // heights of the edges that are cut
	uint8_t* taken; // 1: may be taken for its crossings
	uint8_t* beyond; // 1: the blade does not reach all of them
} pnSnaps;

static bool pnIsNear( const pnCutting* c, int32_t node, const pnSnaps* snaps )
{
	double height = fabs( c->heights[node] );
	bool tip = c->border != NULL && c->border[node] == 1; // what is left of its triangles would hang together by a point
	bool open = c->whole || ( c->source->lips != NULL && c->source->lips[node] == PN_SLIT_END && snaps->beyond[node] == 0 ); // a blade that ends runs only on from others
	return open && !tip && height * snaps->crossings[node] <= pn_nearest * snaps->spans[node] && snaps->lone[node] == snaps->crossings[node] - 1;
}

// Nodes so near to the plane that they stand for all of their crossings. Safe if the crossings are one run of a loop, if no node across
// the plane does the same for one of them, and if two neighbours that do are neighbours along the loop.
static bool pnTakeNodes( pnCutting* c, pnSnaps* snaps )
{
	const pnSliceSource* s = c->source;
	snaps->crossings = pnTakeArray( &c->scratch, int32_t, s->nodeCount );
	snaps->lone = pnTakeArray( &c->scratch, int32_t, s->nodeCount );
	snaps->spans = pnTakeArray( &c->scratch, double, s->nodeCount );
	snaps->taken = pnTakeArray( &c->scratch, uint8_t, s->nodeCount );
	snaps->beyond = pnTakeArray( &c->scratch, uint8_t, s->nodeCount );
	if ( c->scratch.failed )
	{
		return false;
	}
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		const pnCrossing* x = c->crossings + i;
		double span = fabs( c->heights[x->low] - c->heights[x->high] );
		snaps->crossings[x->low] += 1, snaps->crossings[x->high] += 1;
		snaps->spans[x->low] += span, snaps->spans[x->high] += span;
		snaps->beyond[x->low] |= !x->inside, snaps->beyond[x->high] |= !x->inside;
	}
	for ( int i = 0; i < c->segmentCount; ++i )
	{
		snaps->lone[c->segments[i].p] += 1;
	}
	bool any = false;
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		const pnCrossing* x = c->crossings + i;
		bool low = pnIsNear( c, x->low, snaps ), high = pnIsNear( c, x->high, snaps );
		bool lower = x->t < 0.5 || ( x->t == 0.5 && x->low < x->high ); // of two the nearer one
		snaps->taken[x->low] |= low, snaps->taken[x->high] |= high;
		snaps->taken[x->low] |= low && high && !lower ? 2 : 0;
		snaps->taken[x->high] |= low && high && lower ? 2 : 0;
		any = any || low || high;
	}
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		pnCrossing* x = c->crossings + i;
		snaps->taken[x->low] = snaps->taken[x->low] == 1, snaps->taken[x->high] = snaps->taken[x->high] == 1;
		// A crossing that would be drawn more than a quarter of its edge stays where it is.
		if ( ( snaps->taken[x->low] != 0 && x->t > 0.25 ) || ( snaps->taken[x->high] != 0 && x->t < 0.75 ) )
		{
			snaps->taken[x->low] = snaps->taken[x->high] = 0;
		}
	}
	if ( !any )
	{
		return true;
	}
	// Edges between two that are taken: one of their two triangles must be cut. Counted over all triangles.
	int pairCount = 0, pairMost = 0;
	for ( int pass = 0; pass < 2; ++pass )
	{
		pnScratch scratch = { 0 };
		uint64_t* keys = NULL;
		uint64_t* spareKeys = NULL;
		int32_t *cuts = NULL, *spare = NULL;
		if ( pass == 1 )
		{
			keys = pnTakeArray( &scratch, uint64_t, pairMost ), spareKeys = pnTakeArray( &scratch, uint64_t, pairMost );
			cuts = pnTakeArray( &scratch, int32_t, pairMost ), spare = pnTakeArray( &scratch, int32_t, pairMost );
			if ( scratch.failed )
			{
				pnGiveBack( &scratch );
				return false;
			}
		}
		for ( int i = 0; i < 3 * s->triangleCount; ++i )
		{
			int32_t a = s->triangles[i], b = s->triangles[i - i % 3 + ( i + 1 ) % 3], third = s->triangles[i - i % 3 + ( i + 2 ) % 3];
			if ( a == b || snaps->taken[a] == 0 || snaps->taken[b] == 0 || c->above[a] != c->above[b] )
			{
				continue;
			}
			if ( pass == 0 )
			{
				pairMost += 1;
				continue;
			}
			keys[pairCount] = (uint64_t)(uint32_t)( a < b ? a : b ) << 32 | (uint32_t)( a < b ? b : a );
			cuts[pairCount++] = c->above[third] != c->above[a];
		}
		if ( pass == 1 )
		{
			pnSortByKey( keys, cuts, spareKeys, spare, pairCount );
			for ( int i = 0; i < pairCount; )
			{
				int j = i, sum = 0;
				for ( ; j < pairCount && keys[j] == keys[i]; ++j )
				{
					sum += cuts[j];
				}
				int32_t a = (int32_t)( keys[i] >> 32 ), b = (int32_t)( keys[i] & 0xffffffffu );
				if ( sum != 1 && snaps->taken[a] != 0 )
				{
					snaps->taken[b] = 0;
				}
				i = j;
			}
		}
		pnGiveBack( &scratch );
		if ( pairMost == 0 )
		{
			break;
		}
	}
	return true;
}

static int32_t pnTakenEnd( const pnSnaps* snaps, const pnCrossing* x )
{
	return snaps->taken[x->low] != 0 ? x->low : snaps->taken[x->high] != 0 ? x->high : -1;
}

// A loop that would be left with fewer than three places keeps all of its crossings.
static void pnKeepLoops( const pnCutting* c, pnSnaps* snaps )
{
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		if ( c->crossings[i].loop != i ) // loops are named by their first crossing
		{
			continue;
		}
		int places = 0;
		int32_t at = i;
		do
		{
			const pnSegment* segment = c->segments + c->crossings[at].next;
			int32_t to = segment->above ? segment->ends[1] : segment->ends[0];
			int32_t mine = pnTakenEnd( snaps, c->crossings + at ), other = pnTakenEnd( snaps, c->crossings + to );
			places += mine < 0 || mine != other;
			at = to;
		}
		while ( at != i );
		while ( places < 3 )
		{
			snaps->taken[c->crossings[at].low] = snaps->taken[c->crossings[at].high] = 0;
			const pnSegment* segment = c->segments + c->crossings[at].next;
			at = segment->above ? segment->ends[1] : segment->ends[0];
			if ( at == i )
			{
				break;
			}
		}
	}
}

// ---- crossings in line ----

// Crossings along a straight stretch of a rim that are nearer to each other than particles are: the first stands for them. Else each cut through the
// faces of older ones would double what lies along their edges.
static const double pn_straight = 2e-4; // of the spacing: what is no farther off a line is on it

static pnVec3 pnRestOf( const pnCutting* c, const pnCrossing* x )
{
	const pnSliceSource* s = c->source;
	const float *a = s->values + (size_t)x->low * s->valueCount, *b = s->values + (size_t)x->high * s->valueCount;
	float t = (float)x->t;
	return pnMakeVec3( a[0] + t * ( b[0] - a[0] ), a[1] + t * ( b[1] - a[1] ), a[2] + t * ( b[2] - a[2] ) );
}

static double pnOffLine( pnVec3 from, pnVec3 to, pnVec3 place, double t )
{
	pnVec3 d = pnSub( place, pnMulAdd( from, (float)t, pnSub( to, from ) ) );
	return sqrt( (double)pnDot( d, d ) );
}

static bool pnIsInLine( const pnCutting* c, const pnCrossing* from, const pnCrossing* to, const pnCrossing* x )
{
	pnVec3 way = pnSub( to->place, from->place );
	double length2 = (double)pnDot( way, way ), most = pn_straight * c->source->spacing;
	double t = length2 > 0.0 ? (double)pnDot( pnSub( x->place, from->place ), way ) / length2 : 0.0;
	if ( !( t > 0.0 && t < 1.0 ) || pnOffLine( from->place, to->place, x->place, t ) > most )
	{
		return false;
	}
	return c->source->valueCount < 3 || pnOffLine( pnRestOf( c, from ), pnRestOf( c, to ), pnRestOf( c, x ), t ) <= most;
}

static bool pnFacesLike( pnVec3 a, pnVec3 b, pnVec3 d, pnVec3 normal )
{
	return pnDot( pnCross( pnSub( b, a ), pnSub( d, a ) ), normal ) > 0.0f;
}

// Do the triangles that a segment leaves look where its triangle did, if its crossings are there?
static bool pnStaysOpen( const pnCutting* c, const pnSegment* segment, pnVec3 first, pnVec3 last )
{
	const pnVec3* at = c->source->places;
	pnVec3 p = at[segment->p], q = at[segment->q], r = at[segment->r], normal = pnCross( pnSub( q, p ), pnSub( r, p ) );
	if ( memcmp( &first, &last, sizeof first ) == 0 )
	{
		return pnFacesLike( first, q, r, normal );
	}
	pnVec3 down = pnSub( r, first ), up = pnSub( q, last );
	bool other = pnDot( down, down ) <= pnDot( up, up ); // as they are emitted
	return pnFacesLike( p, first, last, normal ) && ( other ? pnFacesLike( first, q, r, normal ) && pnFacesLike( first, r, last, normal )
															: pnFacesLike( first, q, last, normal ) && pnFacesLike( q, r, last, normal ) );
}

// The segments of a run from one crossing on, all but the last of which shrink to it. y: where the run ends.
static bool pnMayShrink( const pnCutting* c, int32_t kept, int32_t y )
{
	const pnSliceSource* s = c->source;
	const pnCrossing *first = c->crossings + kept, *last = c->crossings + y;
	int32_t kind = s->kinds != NULL ? s->kinds[c->segments[first->next].triangle] : 0;
	for ( int32_t at = kept; at != y; )
	{
		const pnSegment* segment = c->segments + c->crossings[at].next;
		int32_t to = segment->above ? segment->ends[1] : segment->ends[0];
		pnVec3 from = first->place, end = to == y ? last->place : from;
		bool turned = !segment->above;
		if ( ( s->kinds != NULL && s->kinds[segment->triangle] != kind ) || !pnStaysOpen( c, segment, turned ? end : from, turned ? from : end ) ||
			 ( to != y && !pnIsInLine( c, first, last, c->crossings + to ) ) )
		{
			return false;
		}
		at = to;
	}
	return true;
}

static bool pnStandsAlone( const pnCutting* c, const pnSnaps* snaps, const pnCrossing* x )
{
	bool seamed = c->source->seamed != NULL && ( c->source->seamed[x->low] != 0 || c->source->seamed[x->high] != 0 );
	return pnTakenEnd( snaps, x ) < 0 && x->more < 0 && x->inside && !seamed;
}

// standIn: of each crossing the one that stands for it, mostly itself.
static void pnThinLoops( const pnCutting* c, const pnSnaps* snaps, int32_t* standIn )
{
	enum { PN_MOST_IN_LINE = 16 };
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		standIn[i] = i;
	}
	double most = pn_faceSpacing * c->source->spacing, most2 = most * most;
	for ( int i = 0; i < c->crossingCount && most2 > 0.0; ++i )
	{
		if ( c->crossings[i].loop != i )
		{
			continue;
		}
		int count = 0;
		int32_t at = i;
		do
		{
			at = pnFollow( c, at ), count += 1;
		}
		while ( at != i );
		int32_t kept = i, run = 1;
		at = pnFollow( c, i );
		while ( at != i && count > 3 )
		{
			int32_t next = pnFollow( c, at );
			pnVec3 way = pnSub( c->crossings[next].place, c->crossings[kept].place );
			bool merges = run < PN_MOST_IN_LINE && (double)pnDot( way, way ) <= most2 && pnStandsAlone( c, snaps, c->crossings + kept ) && pnStandsAlone( c, snaps, c->crossings + at ) &&
						  next != kept && pnMayShrink( c, kept, next );
			standIn[at] = merges ? kept : at;
			kept = merges ? kept : at;
			run = merges ? run + 1 : 1;
			count -= merges;
			at = next;
		}
	}
}

// ---- crossings become rims ----

static pnSliceNode pnBetween( const pnCrossing* x )
{
	return (pnSliceNode){ { x->low, x->high, x->low }, { (float)( 1.0 - x->t ), (float)x->t, 0.0f }, 0 };
}

bool pnOpenCrossings( pnCutting* c )
{
	pnSnaps snaps = { 0 };
	bool takes = c->whole || c->source->lips != NULL;
	if ( takes )
	{
		if ( !pnTakeNodes( c, &snaps ) )
		{
			return false;
		}
		pnKeepLoops( c, &snaps );
	}
	int32_t* rimOf = takes ? pnTakeArray( &c->scratch, int32_t, c->source->nodeCount ) : NULL; // 1 + the rim that a node is
	int32_t* standIn = c->whole ? pnTakeRawArray( &c->scratch, int32_t, c->crossingCount ) : NULL;
	if ( c->scratch.failed )
	{
		return false;
	}
	if ( c->whole )
	{
		pnThinLoops( c, &snaps, standIn );
	}
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		pnCrossing* x = c->crossings + i;
		int32_t taken = takes ? pnTakenEnd( &snaps, x ) : -1;
		if ( !x->inside )
		{
			continue;
		}
		if ( c->whole && standIn[i] != i )
		{
			continue;
		}
		if ( taken < 0 )
		{
			x->rim = pnOpenRim( c, pnBetween( x ), x->place, x->grid, true );
			continue;
		}
		if ( rimOf[taken] == 0 )
		{
			double at[2];
			pnSliceNode copy = pnCopyOf( taken );
			copy.side = c->above[taken] != 0 ? -1 : 1;
			int32_t other = pnAddNode( c, copy, c->source->places[taken] );
			pnRim rim = { c->above[taken] != 0 ? taken : other, c->above[taken] != 0 ? other : taken };
			pnFlatten( c->blade, c->source->places[taken], at );
			rimOf[taken] = 1 + pnAddRim( c, rim, pnToGrid( c, at ) );
		}
		x->rim = rimOf[taken] - 1;
	}
	for ( int i = 0; c->whole && i < c->crossingCount; ++i )
	{
		c->crossings[i].rim = c->crossings[standIn[i]].rim;
	}
	return true;
}
