// tree.c - boxes over the triangles of a surface as they lie now. Four triangles, or four boxes, are looked at side by side. Knows a surface
// and its particles; no bodies, no time.
#include "tree.h"

#include "lanes.h"
#include "near.h"
#include "nodes.h"

static int pnCountGroups( int triangleCount ) { return ( triangleCount + PN_GROUP - 1 ) / PN_GROUP; }

// At least one, which may be empty.
int pnCountLaidNodes( int triangleCount ) { return triangleCount > 0 ? pnCountTreeNodes( pnCountGroups( triangleCount ) ) : 1; }

pnTree pnReadTree( const pnSurface* s, const float* x, const pnBoxes* nodes )
{
	pnTree tree = { .surface = s, .x = x, .nodes = nodes, .groupCount = pnCountGroups( s->triangleCount ) };
	int start = 0, count = tree.groupCount;
	do
	{
		count = ( count + 3 ) / 4;
		tree.levelStarts[tree.levelCount++] = start;
		start += count;
	}
	while ( count > 1 );
	return tree;
}

// ---- laying ----

// What is not a number is in no box: it is near nothing.
static const float pn_nowhere = 1e30f;

typedef struct pnAround { pnF4 lower, upper; } pnAround; // a box: x y z

PN_INLINE_CONTACT pnAround pnBoxOfGroup( const pnSurface* s, const float* x, int group )
{
	pnF4 lower = pnSplat4( pn_nowhere ), upper = pnSplat4( -pn_nowhere );
	int end = PN_GROUP * group + PN_GROUP < s->triangleCount ? PN_GROUP * group + PN_GROUP : s->triangleCount;
	for ( int i = PN_GROUP * group; i < end; ++i )
	{
		const int32_t* t = s->triangles + 3 * (size_t)s->treeTriangles[i];
		for ( int k = 0; k < 3; ++k )
		{
			pnF4 p = pnLoad4( x + 4 * (size_t)t[k] );
			lower = pnMin4( p, lower );
			upper = pnMax4( p, upper );
		}
	}
	return (pnAround){ lower, upper };
}

static void pnLayLowest( const pnTree* tree, pnBoxes* nodes )
{
	int count = tree->groupCount > 0 ? ( tree->groupCount + 3 ) / 4 : 1;
	for ( int node = 0; node < count; ++node )
	{
		pnF4 lower[4], upper[4];
		for ( int lane = 0; lane < 4; ++lane )
		{
			pnAround box = pnBoxOfGroup( tree->surface, tree->x, 4 * node + lane );
			lower[lane] = box.lower, upper[lane] = box.upper;
		}
		pnTranspose4( lower );
		pnTranspose4( upper );
		memcpy( nodes[node].lower, lower, sizeof nodes[node].lower );
		memcpy( nodes[node].upper, upper, sizeof nodes[node].upper );
	}
}

// Boxes over nodes, four side by side.
static void pnLayLevel( const pnBoxes* from, int fromCount, pnBoxes* to )
{
	for ( int first = 0; first < fromCount; first += 4 )
	{
		for ( int k = 0; k < 3; ++k )
		{
			pnF4 lower[4], upper[4];
			for ( int lane = 0; lane < 4; ++lane )
			{
				bool there = first + lane < fromCount;
				lower[lane] = there ? pnLoad4( from[first + lane].lower[k] ) : pnSplat4( pn_nowhere );
				upper[lane] = there ? pnLoad4( from[first + lane].upper[k] ) : pnSplat4( -pn_nowhere );
			}
			pnTranspose4( lower );
			pnTranspose4( upper );
			pnF4 low = pnMin4( pnMin4( lower[0], lower[1] ), pnMin4( lower[2], lower[3] ) ), high = pnMax4( pnMax4( upper[0], upper[1] ), pnMax4( upper[2], upper[3] ) );
			memcpy( to[first / 4].lower[k], &low, sizeof low );
			memcpy( to[first / 4].upper[k], &high, sizeof high );
		}
	}
}

void pnLayTree( const pnSurface* s, const float* x, pnBoxes* nodes )
{
	pnTree tree = pnReadTree( s, x, nodes );
	pnLayLowest( &tree, nodes );
	int below = ( tree.groupCount + 3 ) / 4;
	for ( int level = 1; level < tree.levelCount; ++level )
	{
		pnLayLevel( nodes + tree.levelStarts[level - 1], below, nodes + tree.levelStarts[level] );
		below = ( below + 3 ) / 4;
	}
}

// ---- four triangles at once ----

// Squared distance from the segment from + t along, 0 <= t <= 1; r: from its start to the place.
PN_INLINE_CONTACT pnF4 pnSegment43( pnFour3 r, pnFour3 along )
{
	pnF4 part = pnDot43( r, along ) / ( pnDot43( along, along ) + pnSplat4( 1e-30f ) );
	part = pnMin4( pnMax4( part, pnSplat4( 0.0f ) ), pnSplat4( 1.0f ) );
	pnFour3 off = { r.x - along.x * part, r.y - along.y * part, r.z - along.z * part };
	return pnDot43( off, off );
}

// Of the triangles of a group, corner by corner; where there are fewer, the last one again.
PN_INLINE_CONTACT void pnCornersOf( const pnSurface* s, int group, int32_t corners[3][4] )
{
	for ( int lane = 0; lane < PN_GROUP; ++lane )
	{
		int at = PN_GROUP * group + lane;
		const int32_t* t = s->triangles + 3 * (size_t)s->treeTriangles[at < s->triangleCount ? at : s->triangleCount - 1];
		corners[0][lane] = t[0], corners[1][lane] = t[1], corners[2][lane] = t[2];
	}
}

// Squared distances of a place from four triangles: from the face where it is above it, else from the nearest edge. If all of their planes are farther
// than the limit: these.
PN_INLINE_CONTACT pnF4 pnMeasureGroup( const pnTree* tree, int group, pnF4 place, float limit2 )
{
	int32_t corners[3][4];
	pnCornersOf( tree->surface, group, corners );
	pnFour3 p = { pnSplat4( place[0] ), pnSplat4( place[1] ), pnSplat4( place[2] ) };
	pnFour3 a = pnGather43( tree->x, corners[0] ), b = pnGather43( tree->x, corners[1] ), c = pnGather43( tree->x, corners[2] );
	pnFour3 e1 = pnSub43( b, a ), e2 = pnSub43( c, a ), r = pnSub43( p, a ), n = pnCross43( e1, e2 );
	pnF4 nn = pnDot43( n, n ), height = pnDot43( n, r ), face = height * height / ( nn + pnSplat4( 1e-30f ) );
	if ( pnMask4( ( face < pnSplat4( limit2 ) ) | ( nn <= pnSplat4( 1e-25f ) ) ) == 0 )
	{
		return face;
	}
	pnF4 w1 = pnDot43( pnCross43( r, e2 ), n ), w2 = pnDot43( pnCross43( e1, r ), n );
	pnI4 above = ( w1 >= pnSplat4( 0.0f ) ) & ( w2 >= pnSplat4( 0.0f ) ) & ( w1 + w2 <= nn ) & ( nn > pnSplat4( 1e-25f ) );
	pnF4 rim = pnMin4( pnSegment43( r, e1 ), pnMin4( pnSegment43( r, e2 ), pnSegment43( pnSub43( p, b ), pnSub43( c, b ) ) ) );
	return (pnF4)( ( above & (pnI4)face ) | ( ~above & (pnI4)rim ) );
}

PN_INLINE_CONTACT void pnTryGroup( const pnTree* tree, int group, pnF4 place, pnNearest* best )
{
	pnF4 distances2 = pnMeasureGroup( tree, group, place, best->distance2 );
	for ( int mask = pnMask4( distances2 < pnSplat4( best->distance2 ) ); mask != 0; mask &= mask - 1 )
	{
		int lane = __builtin_ctz( (unsigned)mask );
		if ( distances2[lane] < best->distance2 )
		{
			best->distance2 = distances2[lane];
			best->triangle = tree->surface->treeTriangles[PN_GROUP * group + lane < tree->surface->triangleCount ? PN_GROUP * group + lane : tree->surface->triangleCount - 1];
		}
	}
}

PN_INLINE_CONTACT pnF4 pnBoxDistances2( const pnBoxes* boxes, pnF4 x, pnF4 y, pnF4 z )
{
	pnF4 zero = pnSplat4( 0.0f );
	pnF4 dx = pnMax4( pnMax4( pnLoad4( boxes->lower[0] ) - x, x - pnLoad4( boxes->upper[0] ) ), zero );
	pnF4 dy = pnMax4( pnMax4( pnLoad4( boxes->lower[1] ) - y, y - pnLoad4( boxes->upper[1] ) ), zero );
	pnF4 dz = pnMax4( pnMax4( pnLoad4( boxes->lower[2] ) - z, z - pnLoad4( boxes->upper[2] ) ), zero );
	return dx * dx + dy * dy + dz * dz;
}

// A bound of what rounding makes of squared distances that are computed in two ways.
static const float pn_rounding = 1.00001f;

static float pnLimitOf( float distance2 ) { return pn_rounding * distance2; }

static pnNearest pnStartWith( const pnTree* tree, pnF4 place, int hint, float limit2 )
{
	pnNearest best = { -1, limit2 };
	if ( hint >= 0 )
	{
		float distance2 = pnNearestOn( tree->surface, tree->x, place, hint ).distance2;
		best = distance2 < limit2 ? (pnNearest){ hint, distance2 } : best;
	}
	return best;
}

typedef struct pnBranch { float distance2; int32_t level, index; } pnBranch; // level -1: a group

pnNearest pnFindNearestTriangle( const pnTree* tree, pnF4 place, int hint, float limit2 )
{
	pnBranch stack[3 * PN_TREE_LEVELS + 4];
	pnF4 x = pnSplat4( place[0] ), y = pnSplat4( place[1] ), z = pnSplat4( place[2] );
	pnNearest best = pnStartWith( tree, place, hint, limit2 );
	int count = 0;
	stack[count++] = (pnBranch){ 0.0f, tree->levelCount - 1, 0 };
	while ( count > 0 )
	{
		pnBranch branch = stack[--count];
		if ( branch.distance2 > pnLimitOf( best.distance2 ) )
		{
			continue;
		}
		if ( branch.level < 0 )
		{
			pnTryGroup( tree, branch.index, place, &best );
			continue;
		}
		pnF4 distances2 = pnBoxDistances2( tree->nodes + tree->levelStarts[branch.level] + branch.index, x, y, z );
		int first = count;
		for ( int mask = pnMask4( distances2 <= pnSplat4( pnLimitOf( best.distance2 ) ) ); mask != 0; mask &= mask - 1 )
		{
			int k = __builtin_ctz( (unsigned)mask ), at = count++; // the nearest is last: it is taken first
			for ( ; at > first && stack[at - 1].distance2 < distances2[k]; --at )
			{
				stack[at] = stack[at - 1];
			}
			stack[at] = (pnBranch){ distances2[k], branch.level - 1, 4 * branch.index + k };
		}
	}
	return best;
}

// ---- many places in one box ----

int pnFindNodes( const pnTree* tree, pnF4* lower, pnF4* upper, int32_t* found, int capacity )
{
	struct { int32_t level, index; } stack[3 * PN_TREE_LEVELS + 4];
	int count = 0, foundCount = 0;
	pnF4 low = pnSplat4( pn_nowhere ), high = pnSplat4( -pn_nowhere ), lo = *lower, hi = *upper;
	stack[count].level = tree->levelCount - 1, stack[count++].index = 0;
	while ( count > 0 )
	{
		int level = stack[--count].level, index = stack[count].index;
		const pnBoxes* boxes = tree->nodes + tree->levelStarts[level] + index;
		pnI4 in = { -1, -1, -1, -1 };
		for ( int k = 0; k < 3; ++k )
		{
			in &= ( pnLoad4( boxes->lower[k] ) <= pnSplat4( hi[k] ) ) & ( pnLoad4( boxes->upper[k] ) >= pnSplat4( lo[k] ) );
		}
		bool any = false;
		for ( int k = 3; k >= 0; --k ) // the first is taken first
		{
			if ( in[k] == 0 )
			{
				continue;
			}
			any = true;
			if ( level > 0 )
			{
				stack[count].level = level - 1, stack[count++].index = 4 * index + k;
				continue;
			}
			low = pnMin4( (pnF4){ boxes->lower[0][k], boxes->lower[1][k], boxes->lower[2][k], 0.0f }, low );
			high = pnMax4( (pnF4){ boxes->upper[0][k], boxes->upper[1][k], boxes->upper[2][k], 0.0f }, high );
		}
		if ( any && level == 0 )
		{
			if ( foundCount == capacity )
			{
				return -1;
			}
			found[foundCount++] = index;
		}
	}
	*lower = low;
	*upper = high;
	return foundCount;
}

void pnCoverNodes( const pnTree* tree, const int32_t* found, int foundCount, pnBoxes* over )
{
	for ( int i = 0; i < 4 * ( ( foundCount + 3 ) / 4 ); ++i )
	{
		const pnBoxes* above = tree->levelCount > 1 && i < foundCount ? tree->nodes + tree->levelStarts[1] + found[i] / 4 : NULL;
		float far = i < foundCount ? -pn_nowhere : pn_nowhere; // the only node there is lies anywhere, a lane without one nowhere
		for ( int k = 0; k < 3; ++k )
		{
			over[i / 4].lower[k][i % 4] = above != NULL ? above->lower[k][found[i] % 4] : far;
			over[i / 4].upper[k][i % 4] = above != NULL ? above->upper[k][found[i] % 4] : -far;
		}
	}
}

PN_INLINE_CONTACT void pnTryNode( const pnTree* tree, int node, pnF4 place, pnF4 x, pnF4 y, pnF4 z, pnNearest* best )
{
	pnF4 distances2 = pnBoxDistances2( tree->nodes + node, x, y, z );
	for ( int mask = pnMask4( distances2 <= pnSplat4( pnLimitOf( best->distance2 ) ) ); mask != 0; mask &= mask - 1 )
	{
		int k = __builtin_ctz( (unsigned)mask );
		if ( distances2[k] <= pnLimitOf( best->distance2 ) )
		{
			pnTryGroup( tree, 4 * node + k, place, best );
		}
	}
}

pnNearest pnFindNearestIn( const pnTree* tree, const int32_t* found, const pnBoxes* over, int foundCount, pnF4 place, int hint, float limit2 )
{
	pnF4 x = pnSplat4( place[0] ), y = pnSplat4( place[1] ), z = pnSplat4( place[2] );
	pnNearest best = pnStartWith( tree, place, hint, limit2 );
	for ( int i = 0; i < foundCount; i += 4 )
	{
		pnF4 distances2 = pnBoxDistances2( over + i / 4, x, y, z );
		for ( int mask = pnMask4( distances2 <= pnSplat4( pnLimitOf( best.distance2 ) ) ); mask != 0; mask &= mask - 1 )
		{
			int k = __builtin_ctz( (unsigned)mask );
			if ( distances2[k] <= pnLimitOf( best.distance2 ) )
			{
				pnTryNode( tree, found[i + k], place, x, y, z, &best );
			}
		}
	}
	return best;
}

// ---- inside or outside ----

// A ray that is in line with no axis, so that it hardly ever meets an edge: how far it goes along y and z for each metre along x.
static const float pn_rayY = 0.3719f, pn_rayZ = 0.2287f;

// Which side of the edge from a to b the ray passes, seen along it. The same number, turned, for the edge from b to a: rays fall into no crack.
PN_INLINE_CONTACT pnF4 pnPassEdges( pnFour3 a, pnFour3 b ) { return a.y * b.z - a.z * b.y; }

// Four triangles: how many the ray leaves through, less those where it comes in.
PN_INLINE_CONTACT int pnCrossGroup( const pnTree* tree, int group, pnF4 place )
{
	pnFour3 p[3], from = { pnSplat4( place[0] ), pnSplat4( place[1] ), pnSplat4( place[2] ) };
	pnF4 zero = pnSplat4( 0.0f );
	int32_t corners[3][4];
	pnCornersOf( tree->surface, group, corners );
	for ( int k = 0; k < 3; ++k )
	{
		pnFour3 r = pnSub43( pnGather43( tree->x, corners[k] ), from );
		p[k] = (pnFour3){ r.x, r.y - pnSplat4( pn_rayY ) * r.x, r.z - pnSplat4( pn_rayZ ) * r.x };
	}
	pnF4 e0 = pnPassEdges( p[1], p[2] ), e1 = pnPassEdges( p[2], p[0] ), e2 = pnPassEdges( p[0], p[1] );
	pnF4 ahead = e0 * p[0].x + e1 * p[1].x + e2 * p[2].x; // times the sum of the three: where along the ray
	pnI4 forth = ( e0 > zero ) & ( e1 > zero ) & ( e2 > zero ) & ( ahead > zero ), back = ( e0 <= zero ) & ( e1 <= zero ) & ( e2 <= zero ) & ( e0 + e1 + e2 < zero ) & ( ahead < zero );
	int left = tree->surface->triangleCount - PN_GROUP * group, there = left < PN_GROUP ? ( 1 << left ) - 1 : 15;
	return __builtin_popcount( (unsigned)( pnMask4( forth ) & there ) ) - __builtin_popcount( (unsigned)( pnMask4( back ) & there ) );
}

// Bit k: the ray may pass through box k. Along x it is in the box from `from` to `to`; there it goes through these y and z.
PN_INLINE_CONTACT int pnPassBoxes( const pnBoxes* boxes, pnF4 place, float size )
{
	pnF4 zero = pnSplat4( 0.0f ), lower = pnLoad4( boxes->lower[0] ), upper = pnLoad4( boxes->upper[0] ), x = pnSplat4( place[0] ), y = pnSplat4( place[1] ), z = pnSplat4( place[2] );
	pnF4 from = pnMax4( lower - x, zero ), to = upper - x, rayY = pnSplat4( pn_rayY ), rayZ = pnSplat4( pn_rayZ );
	pnF4 room = pnSplat4( 1e-5f ) * ( to + pnSplat4( 1e-3f * size ) ); // rounding
	pnI4 past = ( y + rayY * from > pnLoad4( boxes->upper[1] ) + room ) | ( y + rayY * to < pnLoad4( boxes->lower[1] ) - room ) | ( z + rayZ * from > pnLoad4( boxes->upper[2] ) + room ) |
				( z + rayZ * to < pnLoad4( boxes->lower[2] ) - room );
	return pnMask4( ( to >= zero ) & ( lower <= upper ) & ~past );
}

int pnCountAround( const pnTree* tree, pnF4 place )
{
	struct { int32_t level, index; } stack[3 * PN_TREE_LEVELS + 4];
	int count = 0, around = 0;
	stack[count].level = tree->levelCount - 1, stack[count++].index = 0;
	while ( count > 0 )
	{
		int level = stack[--count].level, index = stack[count].index;
		for ( int mask = pnPassBoxes( tree->nodes + tree->levelStarts[level] + index, place, tree->surface->size ); mask != 0; mask &= mask - 1 )
		{
			int group = 4 * index + __builtin_ctz( (unsigned)mask );
			if ( level > 0 )
			{
				stack[count].level = level - 1, stack[count++].index = group;
				continue;
			}
			around += group < tree->groupCount ? pnCrossGroup( tree, group, place ) : 0;
		}
	}
	return around;
}
