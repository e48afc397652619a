// reach.c - how far the blade reaches: loops clipped by its quad, and closed by its own rim where it ends in the material. Knows crossings
// and rims; no filling.
#include "cutting.h"

#include <math.h>

// ---- the grid, and how far the blade reaches ----

pnPoint2 pnToGrid( const pnCutting* c, const double at[2] )
{
	return (pnPoint2){ (int32_t)floor( c->scale * ( at[0] - c->center[0] ) + 0.5 ), (int32_t)floor( c->scale * ( at[1] - c->center[1] ) + 0.5 ) };
}

// The blade's quad, as far as it lies in a box around all crossings: one half plane after another.
static int pnClipCorners( const pnBlade* blade, const double low[2], const double high[2], double corners[PN_BLADE_CORNERS][2] )
{
	double from[PN_BLADE_CORNERS + 4][2];
	int count = 4;
	memcpy( from, blade->corners, sizeof blade->corners );
	for ( int side = 0; side < 4; ++side )
	{
		double to[PN_BLADE_CORNERS + 4][2];
		int axis = side % 2, kept = 0;
		double sign = side < 2 ? 1.0 : -1.0, bound = side < 2 ? low[axis] : -high[axis];
		for ( int i = 0; i < count; ++i )
		{
			const double *a = from[i], *b = from[( i + 1 ) % count];
			double da = sign * a[axis] - bound, db = sign * b[axis] - bound;
			if ( da >= 0.0 )
			{
				memcpy( to[kept++], a, sizeof to[0] );
			}
			if ( ( da >= 0.0 ) != ( db >= 0.0 ) )
			{
				double t = da / ( da - db );
				to[kept][0] = a[0] + t * ( b[0] - a[0] ), to[kept][1] = a[1] + t * ( b[1] - a[1] );
				kept += 1;
			}
		}
		count = kept;
		memcpy( from, to, sizeof from );
	}
	count = count <= PN_BLADE_CORNERS ? count : PN_BLADE_CORNERS;
	memcpy( corners, from, (size_t)count * sizeof from[0] );
	return count;
}

static bool pnReaches( const pnCutting* c, pnPoint2 p, double margin )
{
	bool inside = c->cornerCount >= 3;
	for ( int k = 0; k < c->cornerCount && inside; ++k )
	{
		pnPoint2 a = c->corners[k], b = c->corners[( k + 1 ) % c->cornerCount];
		double x = (double)b.x - a.x, y = (double)b.y - a.y;
		inside = (double)pnSideOf( a, b, p ) >= ( margin > 0.0 ? -margin * sqrt( x * x + y * y ) : 0.0 );
	}
	return inside;
}

static const double pn_touch = 0.05; // of what a blade may be off an older slit: so near to its end it has reached it

// Where an older slit has ended, a blade that just reaches it goes on from there.
static bool pnMeetsEnd( const pnCutting* c, const pnCrossing* x )
{
	const int8_t* lips = c->source->lips;
	return lips != NULL && ( lips[x->low] == PN_SLIT_END || lips[x->high] == PN_SLIT_END ) && pnReaches( c, x->grid, pn_touch * c->source->snap * c->scale );
}

void pnLayGrid( pnCutting* c )
{
	double low[2] = { 1e300, 1e300 }, high[2] = { -1e300, -1e300 }, extent = 0.0;
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		pnPlaceCrossing( c, c->crossings + i );
		for ( int k = 0; k < 2; ++k )
		{
			double at = c->crossings[i].at[k];
			low[k] = at < low[k] ? at : low[k], high[k] = at > high[k] ? at : high[k];
		}
	}
	for ( int k = 0; k < 2; ++k )
	{
		c->center[k] = 0.5 * ( low[k] + high[k] );
		extent = high[k] - low[k] > extent ? high[k] - low[k] : extent;
	}
	extent = extent > 1e-30 ? extent : 1e-30;
	c->scale = 0.75 * PN_OUTLINE_REACH / extent; // the box reaches a third farther than the crossings
	c->whole = true;
	if ( !c->blade->whole )
	{
		double corners[PN_BLADE_CORNERS][2], margin = 0.1 * extent;
		double wideLow[2] = { low[0] - margin, low[1] - margin }, wideHigh[2] = { high[0] + margin, high[1] + margin };
		int count = pnClipCorners( c->blade, wideLow, wideHigh, corners );
		for ( int k = 0; k < count; ++k )
		{
			pnPoint2 at = pnToGrid( c, corners[k] );
			const pnPoint2* last = c->corners + c->cornerCount - 1;
			if ( c->cornerCount == 0 || last->x != at.x || last->y != at.y )
			{
				c->corners[c->cornerCount++] = at;
			}
		}
	}
	for ( int i = 0; i < c->crossingCount; ++i )
	{
		pnCrossing* x = c->crossings + i;
		x->grid = pnToGrid( c, x->at );
		x->inside = c->blade->whole || pnReaches( c, x->grid, 0.0 ) || pnMeetsEnd( c, x );
		c->whole = c->whole && x->inside;
	}
}

// ---- where the blade ends ----

// A point of a segment, s of the way from its first end, as a mean of the triangle's corners.
static pnSliceNode pnAlong( const pnCutting* c, const pnSegment* segment, double s, pnVec3* place )
{
	const pnCrossing *a = c->crossings + segment->ends[0], *b = c->crossings + segment->ends[1];
	double ta = a->low == segment->p ? a->t : 1.0 - a->t, tb = b->low == segment->p ? b->t : 1.0 - b->t; // from p
	double wq = ( 1.0 - s ) * ta, wr = s * tb;
	const float *pa = &a->place.x, *pb = &b->place.x;
	for ( int k = 0; k < 3; ++k )
	{
		( &place->x )[k] = (float)( (double)pa[k] + s * ( (double)pb[k] - (double)pa[k] ) );
	}
	return (pnSliceNode){ { segment->p, segment->q, segment->r }, { (float)( 1.0 - wq - wr ), (float)wq, (float)wr }, 0 };
}

static int32_t pnOpenAlong( pnCutting* c, const pnSegment* segment, double s, bool apart )
{
	pnVec3 place;
	double at[2];
	pnSliceNode node = pnAlong( c, segment, s, &place );
	pnFlatten( c->blade, place, at );
	return pnOpenRim( c, node, place, pnToGrid( c, at ), apart );
}

// s: where on the segment the blade's edge is met. Not where the rim is, which keeps away from the ends: gates would change places.
static void pnAddGate( pnCutting* c, const pnSegment* segment, double s, int32_t rim, int edge, bool leaves )
{
	pnPoint2 a = c->corners[edge], b = c->corners[( edge + 1 ) % c->cornerCount];
	pnPoint2 from = c->crossings[segment->ends[0]].grid, to = c->crossings[segment->ends[1]].grid;
	double x = (double)b.x - a.x, y = (double)b.y - a.y;
	double px = from.x + s * ( (double)to.x - from.x ), py = from.y + s * ( (double)to.y - from.y );
	double along = ( x * ( px - a.x ) + y * ( py - a.y ) ) / ( x * x + y * y );
	c->gates[c->gateCount++] = (pnGate){ rim, edge, along < 0.0 ? 0.0 : along > 1.0 ? 1.0 : along, leaves };
}

// Does the blade cross a segment with a corner alone, that does not reach far?
static bool pnIsMereCorner( const pnCutting* c, pnPoint2 a, pnPoint2 b, int fromEdge, int toEdge )
{
	int corner = ( fromEdge + 1 ) % c->cornerCount == toEdge ? toEdge : ( toEdge + 1 ) % c->cornerCount == fromEdge ? fromEdge : -1;
	double x = (double)b.x - a.x, y = (double)b.y - a.y;
	return corner >= 0 && fabs( (double)pnSideOf( a, b, c->corners[corner] ) ) < 0.125 * ( x * x + y * y );
}

static void pnClipSegment( pnCutting* c, pnSegment* segment, bool sealed )
{
	const pnCrossing *a = c->crossings + segment->ends[0], *b = c->crossings + segment->ends[1];
	if ( a->inside && b->inside )
	{
		segment->cut = true;
		return;
	}
	double from = 0.0, to = 1.0;
	int fromEdge = -1, toEdge = -1;
	for ( int k = 0; k < c->cornerCount; ++k )
	{
		double da = (double)pnSideOf( c->corners[k], c->corners[( k + 1 ) % c->cornerCount], a->grid );
		double db = (double)pnSideOf( c->corners[k], c->corners[( k + 1 ) % c->cornerCount], b->grid );
		da = a->inside && da < 0.0 ? 0.0 : da, db = b->inside && db < 0.0 ? 0.0 : db;
		if ( da < 0.0 && db < 0.0 )
		{
			return;
		}
		double s = da / ( da - db );
		if ( da < 0.0 && s > from )
		{
			from = s, fromEdge = k;
		}
		if ( db < 0.0 && s < to )
		{
			to = s, toEdge = k;
		}
	}
	const double least = 1.0 / 16.0, fromMet = from, toMet = to; // of the segment, between the places on it
	from = fromEdge >= 0 && from < least ? least : from;
	to = toEdge >= 0 && to > 1.0 - least ? 1.0 - least : to;
	if ( fromEdge < 0 && toEdge < 0 )
	{
		return;
	}
	if ( fromEdge >= 0 && toEdge >= 0 && to - from < least )
	{
		if ( pnIsMereCorner( c, a->grid, b->grid, fromEdge, toEdge ) )
		{
			return;
		}
		from = from < 1.0 - 2.0 * least ? from : 1.0 - 2.0 * least;
		to = from + least;
	}
	from = fromEdge >= 0 && toEdge < 0 && from > 1.0 - least ? 1.0 - least : from;
	to = toEdge >= 0 && fromEdge < 0 && to < least ? least : to;
	segment->cut = true;
	c->ends = true;
	if ( fromEdge >= 0 )
	{
		segment->rims[0] = pnOpenAlong( c, segment, from, false );
	}
	if ( toEdge >= 0 )
	{
		segment->rims[1] = pnOpenAlong( c, segment, to, false );
	}
	if ( fromEdge >= 0 && toEdge >= 0 )
	{
		segment->middle = pnOpenAlong( c, segment, 0.5 * ( from + to ), true );
	}
	if ( sealed && fromEdge >= 0 )
	{
		pnAddGate( c, segment, fromMet, segment->rims[0], fromEdge, !segment->above );
	}
	if ( sealed && toEdge >= 0 )
	{
		pnAddGate( c, segment, toMet, segment->rims[1], toEdge, segment->above );
	}
}

static void pnAddEdge( pnCutting* c, int32_t from, int32_t to )
{
	if ( from != to )
	{
		c->edges[2 * c->edgeCount] = from;
		c->edges[2 * c->edgeCount + 1] = to;
		c->edgeCount += 1;
	}
}

void pnClipSegments( pnCutting* c )
{
	for ( int i = 0; i < c->segmentCount; ++i )
	{
		pnSegment* segment = c->segments + i;
		bool sealed = pnIsSealed( c, segment->p );
		pnClipSegment( c, segment, sealed );
		if ( !segment->cut || !sealed )
		{
			continue;
		}
		int32_t first = segment->rims[0] >= 0 ? segment->rims[0] : c->crossings[segment->ends[0]].rim;
		int32_t last = segment->rims[1] >= 0 ? segment->rims[1] : c->crossings[segment->ends[1]].rim;
		int32_t from = segment->above ? first : last, to = segment->above ? last : first;
		pnAddEdge( c, from, segment->middle >= 0 ? segment->middle : to );
		if ( segment->middle >= 0 )
		{
			pnAddEdge( c, segment->middle, to );
		}
	}
}

// A corner of the blade within the material, where both sides hang together.
static int32_t pnOpenCorner( pnCutting* c, int corner )
{
	const pnBlade* blade = c->blade;
	pnPoint2 at = c->corners[corner];
	double x = (double)at.x / c->scale + c->center[0], y = (double)at.y / c->scale + c->center[1];
	pnVec3 place;
	for ( int k = 0; k < 3; ++k )
	{
		( &place.x )[k] = (float)( blade->origin[k] + x * blade->u[k] + y * blade->v[k] );
	}
	return pnOpenRim( c, (pnSliceNode){ { -1, -1, -1 }, { 0.0f, 0.0f, 0.0f }, 0 }, place, at, false );
}

static bool pnComesFirst( const pnGate* a, const pnGate* b )
{
	return a->edge != b->edge ? a->edge < b->edge : a->along != b->along ? a->along < b->along : a->rim < b->rim;
}

// How often the loops of closed parts run around a place.
static int pnWind( const pnCutting* c, pnPoint2 p )
{
	int winding = 0;
	for ( int i = 0; i < c->segmentCount; ++i )
	{
		const pnSegment* segment = c->segments + i;
		if ( pnIsSealed( c, segment->p ) )
		{
			pnPoint2 a = c->crossings[segment->ends[segment->above ? 0 : 1]].grid, b = c->crossings[segment->ends[segment->above ? 1 : 0]].grid;
			winding += a.y <= p.y && b.y > p.y && pnSideOf( a, b, p ) > 0;
			winding -= b.y <= p.y && a.y > p.y && pnSideOf( a, b, p ) < 0;
		}
	}
	return winding;
}

static double pnGetEdgeLength( const pnCutting* c, int edge )
{
	pnPoint2 a = c->corners[edge], b = c->corners[( edge + 1 ) % c->cornerCount];
	double x = (double)b.x - a.x, y = (double)b.y - a.y;
	return sqrt( x * x + y * y );
}

// How often the loops run around the blade's rim just before its first gate: counted in the middle of the longest way between two gates, where it is sure.
static int pnWindBeforeGates( const pnCutting* c )
{
	double longest = -1.0;
	pnPoint2 middle = { 0, 0 };
	int winding = 0, found = 0;
	for ( int i = 0; i < c->gateCount; ++i )
	{
		winding += c->gates[i].leaves ? 1 : -1;
		const pnGate *gate = c->gates + i, *next = c->gates + ( i + 1 ) % c->gateCount;
		bool last = i == c->gateCount - 1;
		for ( int edge = gate->edge, n = 0; n <= c->cornerCount; ++n, edge = ( edge + 1 ) % c->cornerCount ) // the way edge by edge
		{
			bool ends = edge == next->edge && ( n > 0 || !last );
			double from = n == 0 ? gate->along : 0.0, to = ends ? next->along : 1.0, length = ( to - from ) * pnGetEdgeLength( c, edge ), at = 0.5 * ( from + to );
			if ( length > longest )
			{
				pnPoint2 a = c->corners[edge], b = c->corners[( edge + 1 ) % c->cornerCount];
				middle = (pnPoint2){ (int32_t)( (double)a.x + at * ( (double)b.x - a.x ) ), (int32_t)( (double)a.y + at * ( (double)b.y - a.y ) ) };
				longest = length, found = winding;
			}
			if ( ends )
			{
				break;
			}
		}
	}
	return pnWind( c, middle ) - found;
}

// The outline along the blade's rim from a gate where a loop leaves to one where a loop comes in, forwards or back.
static void pnFollowRim( pnCutting* c, int from, int to, bool back )
{
	const pnGate *gate = c->gates + from, *entry = c->gates + to;
	int corners = back ? gate->edge - entry->edge : entry->edge - gate->edge;
	corners += corners < 0 || ( corners == 0 && ( back ? to > from : to < from ) ) ? c->cornerCount : 0;
	int32_t last = gate->rim;
	for ( int n = 1; n <= corners; ++n )
	{
		int corner = back ? gate->edge + 1 - n + c->cornerCount : gate->edge + n;
		int32_t rim = pnOpenCorner( c, corner % c->cornerCount );
		pnAddEdge( c, last, rim );
		last = rim;
	}
	pnAddEdge( c, last, entry->rim );
}

// From where a loop leaves the blade's reach the outline follows the blade's rim to where the next one comes in: that is where the rim is in the material.
// Loops that run along the rim, as at the end of an older slit, may leave and come in the wrong order. What is between is run around the wrong way then, and
// the outline goes back along it; going on, it would go around all of the blade.
void pnCloseGates( pnCutting* c )
{
	for ( int i = 1; i < c->gateCount; ++i )
	{
		pnGate gate = c->gates[i];
		int at = i;
		for ( ; at > 0 && pnComesFirst( &gate, c->gates + at - 1 ); --at )
		{
			c->gates[at] = c->gates[at - 1];
		}
		c->gates[at] = gate;
	}
	int winding = c->gateCount > 0 ? pnWindBeforeGates( c ) : 0;
	for ( int i = 0; i < c->gateCount; ++i )
	{
		winding += c->gates[i].leaves ? 1 : -1;
		bool back = winding <= 0;
		int depth = 1, k = i;
		while ( c->gates[i].leaves && depth > 0 ) // the one that fits: between them as many leave as come
		{
			k = ( k + ( back ? c->gateCount - 1 : 1 ) ) % c->gateCount;
			depth += c->gates[k].leaves ? 1 : -1;
			if ( k == i )
			{
				break;
			}
		}
		if ( c->gates[i].leaves )
		{
			pnFollowRim( c, i, k, back );
		}
	}
	// A blade that ends in the material all around what it opened inside, such as a hollow.
	if ( c->gateCount == 0 && !c->whole && c->edgeCount > 0 && c->cornerCount >= 3 && pnWind( c, c->corners[0] ) == 1 )
	{
		int32_t first = pnOpenCorner( c, 0 ), last = first;
		for ( int n = 1; n < c->cornerCount; ++n )
		{
			int32_t corner = pnOpenCorner( c, n );
			pnAddEdge( c, last, corner );
			last = corner;
		}
		pnAddEdge( c, last, first );
		c->ends = true;
	}
}
