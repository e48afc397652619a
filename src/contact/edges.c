// edges.c - sharp edges at sharp edges. Points at surfaces do not see two edges that cross: of two cubes edge on edge, the crossing may be as deep as half a face is wide before
// a point of either is inside the other. Knows colliders and their surfaces; no rows, no time.
//
// Two edges touch where the line that is square to both meets both between their ends, and leads out of both bodies: along it no place of either edge's two faces may lie nearer
// than the edge itself. That is the edge's own part of space, beside those of its faces and of its ends, so that points at faces go on where edges end. Edges along which faces turn by
// less than 30 degrees (surface.c) are left out: there a point comes to lie inside before a crossing is deeper than a fifteenth of the edge.
#include "edges.h"

#include "tree.h"

// ---- which ones ----

// With edges NULL only counts. starts: where the edges of each group of the tree begin, and the end.
static int pnFillEdges( const pnSurface* s, pnEdge* edges, int32_t* starts )
{
	int count = 0;
	for ( int i = 0; i < s->triangleCount; ++i )
	{
		int t = s->treeTriangles[i];
		if ( starts != NULL && i % PN_GROUP == 0 )
		{
			starts[i / PN_GROUP] = count;
		}
		for ( int k = 0; k < 3; ++k )
		{
			int mate = s->neighbors[3 * (size_t)t + k];
			if ( ( s->ridges[t] >> k & 1 ) == 0 || mate <= t )
			{
				continue;
			}
			if ( edges != NULL )
			{
				const int32_t *own = s->triangles + 3 * (size_t)t, *other = s->triangles + 3 * (size_t)mate;
				int32_t from = own[( k + 1 ) % 3], to = own[( k + 2 ) % 3];
				int tip = other[0] != from && other[0] != to ? 0 : other[1] != from && other[1] != to ? 1 : 2;
				edges[count] = (pnEdge){ { from, to }, { own[k], other[tip] } };
			}
			count += 1;
		}
	}
	if ( starts != NULL )
	{
		starts[( s->triangleCount + PN_GROUP - 1 ) / PN_GROUP] = count;
	}
	return count;
}

bool pnListEdges( pnSurface* s )
{
	int count = s->closed ? pnFillEdges( s, NULL, NULL ) : 0; // without an inside no way leads out
	if ( count == 0 )
	{
		return true;
	}
	s->edgeGroupCount = ( s->triangleCount + PN_GROUP - 1 ) / PN_GROUP;
	s->edges = pnAllocArray( pnEdge, count );
	s->edgeStarts = pnAllocArray( int32_t, s->edgeGroupCount + 1 );
	s->edgeCount = s->edges != NULL ? count : 0;
	if ( s->edges == NULL || s->edgeStarts == NULL )
	{
		return false;
	}
	pnFillEdges( s, s->edges, s->edgeStarts );
	return true;
}

// ---- where they cross ----

// Below this sine of the angle between them edges lie along each other: where they cross is not told well, and their ends and the samples along them see what there is to see.
static const float pn_alongEdge = 0.03f;
// Sine of the angle by which the way out may lean over a face. Where an edge lies on a face it is square to it, and bodies bend.
static const float pn_leanOver = 0.1f;

// Of the thickness: who is past an edge by less still touches it, wherever the way out leads. As solve.c leaves in peace.
static const float pn_edgeSlop = 0.1f;

// A part of a segment, held within it.
PN_INLINE_CONTACT float pnHold( float part ) { return part > 0.0f ? part < 1.0f ? part : 1.0f : 0.0f; }

// From the nearest place of the segment q + t v to that of p + s u; r: p - q. After Ericson, Real-Time Collision Detection, 5.1.9.
PN_INLINE_CONTACT pnF4 pnBetweenEdges( pnF4 r, pnF4 u, pnF4 v )
{
	float uu = pnDot4( u, u ), vv = pnDot4( v, v ), uv = pnDot4( u, v ), ur = pnDot4( u, r ), vr = pnDot4( v, r ), det = uu * vv - uv * uv;
	float s = det > 1e-6f * uu * vv ? pnHold( ( uv * vr - ur * vv ) / det ) : 0.0f;
	float t = vv > 0.0f ? ( uv * s + vr ) / vv : 0.0f;
	if ( !( t >= 0.0f && t <= 1.0f ) )
	{
		t = pnHold( t );
		s = uu > 0.0f ? pnHold( ( uv * t - ur ) / uu ) : 0.0f;
	}
	return r + u * pnSplat4( s ) - v * pnSplat4( t );
}

// The two faces beside an edge: unit, in the face, square to the edge; and how far they reach that way at least, metres.
typedef struct pnFlanks { pnF4 sides[2]; float least; } pnFlanks;

PN_INLINE_CONTACT pnFlanks pnFlanksOf( const pnCollider* c, const pnEdge* edge, pnF4 from, pnF4 along, float perLength2 )
{
	pnFlanks flanks = { .least = 1e30f };
	for ( int k = 0; k < 2; ++k )
	{
		pnF4 way = pnRow4( c->x, edge->tips[k] ) - from;
		way -= along * pnSplat4( pnDot4( way, along ) * perLength2 );
		float length = __builtin_sqrtf( pnDot4( way, way ) );
		flanks.sides[k] = way * pnSplat4( 1.0f / ( length + 1e-30f ) );
		flanks.least = length < flanks.least ? length : flanks.least;
	}
	return flanks;
}

// Whether the line along n goes on into the body behind its edge, between the two faces: who is past an edge of which it does not is beside the body, not in it.
PN_INLINE_CONTACT bool pnLeadsIn( const pnFlanks* flanks, pnF4 n, pnF4 along )
{
	pnF4 across = pnCross4( along, n );
	float length = __builtin_sqrtf( pnDot4( across, across ) ), first = pnDot4( across, flanks->sides[0] ), second = pnDot4( across, flanks->sides[1] );
	float low = first < second ? first : second, high = first < second ? second : first;
	return low <= pn_leanOver * length && high >= -pn_leanOver * length;
}

bool pnCrossEdges( const pnCollider* a, int edgeA, const pnCollider* b, int edgeB, pnEdgeMeeting* meeting )
{
	const pnEdge *ea = a->surface->edges + edgeA, *eb = b->surface->edges + edgeB;
	pnF4 p = pnRow4( a->x, ea->ends[0] ), q = pnRow4( b->x, eb->ends[0] ), u = pnRow4( a->x, ea->ends[1] ) - p, v = pnRow4( b->x, eb->ends[1] ) - q, r = p - q;
	float uu = pnDot4( u, u ), vv = pnDot4( v, v ), shorter = __builtin_sqrtf( uu < vv ? uu : vv ), longer = __builtin_sqrtf( uu < vv ? vv : uu );
	pnF4 n = pnCross4( u, v );
	float nn = pnDot4( n, n ), length = __builtin_sqrtf( nn );
	meeting->wait = 0.25f * pn_alongEdge * shorter;
	if ( !( nn > pn_alongEdge * pn_alongEdge * uu * vv ) || !( nn > 1e-30f ) )
	{
		return false;
	}
	// How far the way square to both turns when their ends move by a metre, at most: rad/m.
	float turns = 2.0f * longer / length, perNn = 1.0f / nn;
	float s = pnDot4( pnCross4( v, r ), n ) * perNn, t = pnDot4( pnCross4( u, r ), n ) * perNn;
	n *= pnSplat4( 1.0f / length );
	float gap = pnDot4( n, r );
	if ( !( s >= 0.0f && s <= 1.0f && t >= 0.0f && t <= 1.0f ) )
	{
		pnF4 between = pnBetweenEdges( r, u, v ), beside = between - n * pnSplat4( pnDot4( n, between ) );
		meeting->wait = 0.5f * __builtin_sqrtf( pnDot4( beside, beside ) ) / ( 1.0f + turns * ( gap < 0.0f ? -gap : gap ) );
		return false;
	}
	pnFlanks fa = pnFlanksOf( a, ea, p, u, 1.0f / uu ), fb = pnFlanksOf( b, eb, q, v, 1.0f / vv );
	pnF4 outA = pnCross4( u, fa.sides[0] - fa.sides[1] ), outB = pnCross4( v, fb.sides[0] - fb.sides[1] );
	float turn = pnDot4( n, outB ) < 0.0f ? -1.0f : 1.0f, lean = 0.0f;
	n *= pnSplat4( turn );
	for ( int k = 0; k < 2; ++k )
	{
		float overB = pnDot4( n, fb.sides[k] ), overA = -pnDot4( n, fa.sides[k] );
		lean = overB > lean ? overB : lean;
		lean = overA > lean ? overA : lean;
	}
	float least = fa.least < fb.least ? fa.least : fb.least;
	meeting->normal = n, meeting->partA = s, meeting->partB = t, meeting->gap = turn * gap;
	meeting->leadsIn = pnLeadsIn( &fa, n, u ) && pnLeadsIn( &fb, n, v );
	float slop = pn_edgeSlop * ( a->surface->thickness + b->surface->thickness ), width = meeting->leadsIn ? 0.5f * least : 0.0f;
	meeting->trusted = width > slop ? width : slop;
	if ( lean > pn_leanOver || pnDot4( n, outA ) > 0.0f )
	{
		meeting->wait = lean > pn_leanOver ? 0.5f * ( lean - pn_leanOver ) / ( turns + 2.0f / ( least + 1e-30f ) ) : 0.0f;
		return false;
	}
	return true;
}

float pnSideOfEdges( const pnEdgeMeeting* meeting, float gap, float before ) { return gap > -meeting->trusted ? 1.0f : meeting->leadsIn ? before : 0.0f; }

// ---- which are near ----

// Old candidates are in order of their edges, as new ones are.
static const pnCandidate* pnFindOld( const pnEdgeLook* look, int* cursor, int edgeA, int edgeB )
{
	while ( *cursor < look->oldCount && ( look->old[*cursor].point != edgeA ? look->old[*cursor].point < edgeA : look->old[*cursor].triangle < edgeB ) )
	{
		*cursor += 1;
	}
	const pnCandidate* old = look->old + *cursor;
	return *cursor < look->oldCount && old->point == edgeA && old->triangle == edgeB ? old : NULL;
}

static void pnLookAtEdges( const pnCollider* a, int edgeA, const pnCollider* b, int edgeB, const pnEdgeLook* look, const pnCandidate* old, float distance, pnCandidate* out, float* least )
{
	*out = (pnCandidate){ .point = edgeA, .triangle = edgeB, .key = distance };
	if ( old != NULL )
	{
		out->side = old->side;
		memcpy( out->push, old->push, sizeof out->push );
	}
	pnEdgeMeeting meeting;
	if ( !pnCrossEdges( a, edgeA, b, edgeB, &meeting ) )
	{
		out->side = 0.0f;
		return;
	}
	out->key = meeting.gap;
	float came = pnDot4( meeting.normal, look->drift ), before = meeting.gap - ( came < 0.0f ? came : 0.0f );
	out->side = pnSideOfEdges( &meeting, before, out->side );
	*least = out->side > 0.0f && meeting.gap < *least ? meeting.gap : *least;
}

int pnDetectEdges( const pnCollider* a, const pnCollider* b, const pnEdgeLook* look, pnCandidate* out, int capacity, float* least )
{
	const pnSurface *sa = a->surface, *sb = b->surface;
	pnTree tree = pnReadTree( sb, b->x, b->laid );
	pnF4 wide = pnSplat4( look->reach ), boxLower = pnLoad4( b->lower ) - wide, boxUpper = pnLoad4( b->upper ) + wide;
	float reach2 = look->reach * look->reach;
	int count = 0, cursor = 0;
	for ( int i = 0; i < sa->edgeCount; ++i )
	{
		pnF4 p = pnRow4( a->x, sa->edges[i].ends[0] ), end = pnRow4( a->x, sa->edges[i].ends[1] ), lower = pnMin4( p, end ) - wide, upper = pnMax4( p, end ) + wide;
		pnI4 in = ( lower + wide <= boxUpper ) & ( upper - wide >= boxLower );
		float from = pnDot4( p - look->base, look->axis ), to = pnDot4( end - look->base, look->axis );
		if ( ( in[0] & in[1] & in[2] ) == 0 || ( from > to ? from : to ) < look->lower - look->reach )
		{
			continue;
		}
		struct { int32_t level, index; } stack[3 * PN_TREE_LEVELS + 4];
		int waiting = 0;
		stack[waiting].level = tree.levelCount - 1, stack[waiting++].index = 0;
		while ( waiting > 0 )
		{
			int level = stack[--waiting].level, index = stack[waiting].index;
			const pnBoxes* boxes = tree.nodes + tree.levelStarts[level] + index;
			pnI4 near = { -1, -1, -1, -1 };
			for ( int k = 0; k < 3; ++k )
			{
				near &= ( pnLoad4( boxes->lower[k] ) <= pnSplat4( upper[k] ) ) & ( pnLoad4( boxes->upper[k] ) >= pnSplat4( lower[k] ) );
			}
			for ( int k = 3; k >= 0 && level > 0; --k ) // the first is taken first: edges are met in order
			{
				if ( near[k] != 0 )
				{
					stack[waiting].level = level - 1, stack[waiting++].index = 4 * index + k;
				}
			}
			for ( int k = 0; k < 4 && level == 0; ++k )
			{
				int group = 4 * index + k, last = near[k] != 0 ? sb->edgeStarts[group + 1] : 0;
				for ( int e = near[k] != 0 ? sb->edgeStarts[group] : 0; e < last; ++e )
				{
					pnF4 q = pnRow4( b->x, sb->edges[e].ends[0] ), between = pnBetweenEdges( p - q, end - p, pnRow4( b->x, sb->edges[e].ends[1] ) - q );
					float distance2 = pnDot4( between, between );
					if ( !( distance2 < reach2 ) )
					{
						continue;
					}
					if ( count == capacity )
					{
						return -1;
					}
					pnLookAtEdges( a, i, b, e, look, pnFindOld( look, &cursor, i, e ), __builtin_sqrtf( distance2 ), out + count, least );
					count += 1;
				}
			}
		}
	}
	return count;
}
