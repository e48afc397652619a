// triangles.c - triangles that never move: the nearest place on them, the first one a ball meets. Knows geometry in one frame; no shapes.
#include "triangles.h"

#include "../base/cloud.h"

#include <float.h>
#include <math.h>

static double pnLargest( pnFine3 a )
{
	double x = a.x < 0.0 ? -a.x : a.x, y = a.y < 0.0 ? -a.y : a.y, z = a.z < 0.0 ? -a.z : a.z;
	double xy = x > y ? x : y;
	return xy > z ? xy : z;
}

// ---- a ball on its way ----

pnSweep pnMakeSweep( pnVec3 from, pnVec3 to, float radius, double reach )
{
	pnSweep sweep = { .from = pnFine( from ), .radius = radius > 0.0f ? (double)radius : 0.0, .best = 1.0 };
	sweep.way = pnSubFine( pnFine( to ), sweep.from );
	sweep.length = sqrt( pnDotFine( sweep.way, sweep.way ) );
	// A millionth of the ball, and what double loses in places this far out.
	sweep.tolerance = 1e-6 * sweep.radius + 1e-13 * ( reach + pnLargest( sweep.from ) + sweep.length );
	return sweep;
}

bool pnStartSweep( pnSweep* sweep, double distance, pnFine3 outward, bool solid )
{
	bool inside = solid && distance < 0.0;
	double away = distance < 0.0 ? -distance : distance;
	if ( !inside && away > sweep->radius + sweep->tolerance )
	{
		return false;
	}
	double rising = pnDotFine( outward, sweep->way );
	rising = !solid && distance < 0.0 ? -rising : rising; // an open surface has two outsides
	if ( rising < -PN_SWEEP_SLIDE * sweep->length )
	{
		return true;
	}
	// From inside only the centre itself counts: the ball is everywhere already.
	sweep->radius = inside ? 0.0 : 0.99 * away;
	return false;
}

double pnEnterBox( const pnSweep* sweep, pnFine3 lower, pnFine3 upper )
{
	double margin = sweep->radius + 2.0 * sweep->tolerance, enter = 0.0, leave = sweep->best;
	const double from[3] = { sweep->from.x, sweep->from.y, sweep->from.z };
	const double way[3] = { sweep->way.x, sweep->way.y, sweep->way.z };
	const double low[3] = { lower.x, lower.y, lower.z }, high[3] = { upper.x, upper.y, upper.z };
	for ( int axis = 0; axis < 3; ++axis )
	{
		double toLow = low[axis] - margin - from[axis], toHigh = high[axis] + margin - from[axis];
		if ( way[axis] == 0.0 )
		{
			if ( toLow > 0.0 || toHigh < 0.0 )
			{
				return 2.0;
			}
			continue;
		}
		double first = toLow / way[axis], second = toHigh / way[axis];
		double sooner = first < second ? first : second, later = first < second ? second : first;
		enter = sooner > enter ? sooner : enter;
		leave = later < leave ? later : leave;
	}
	return enter <= leave ? enter : 2.0;
}

bool pnMeetTriangle( const pnSweep* sweep, pnFine3 a, pnFine3 b, pnFine3 c, pnFine3 normal, pnMeeting* meeting )
{
	// The distance from a triangle is convex, so its tangent never reaches past the first touch: Newton from the start finds it.
	double at = 0.0, distance = 0.0;
	pnNearPart near = { 0 };
	for ( int i = 0; i < 100; ++i ) // even a touch in passing comes four times nearer each time
	{
		near = pnFindNearPart( a, b, c, pnAddFine( sweep->from, pnScaleFine( at, sweep->way ) ) );
		distance = sqrt( near.distance2 );
		double gap = distance - sweep->radius;
		if ( gap <= sweep->tolerance )
		{
			break;
		}
		double rate = pnDotFine( near.offset, sweep->way ) / distance;
		if ( !( rate < 0.0 ) )
		{
			return false;
		}
		at -= gap / rate;
		if ( !( at <= sweep->best ) )
		{
			return false;
		}
	}

	meeting->fraction = at;
	meeting->offset = near.offset;
	meeting->part = near.part;
	meeting->graze = distance <= 2.0 * sweep->tolerance;
	if ( meeting->graze )
	{
		// At the start it is outside; later on, where it came from.
		bool turn = at > 0.0 && pnDotFine( normal, sweep->way ) > 0.0;
		meeting->outward = turn ? pnScaleFine( -1.0, normal ) : normal;
	}
	else
	{
		meeting->outward = pnScaleFine( 1.0 / distance, near.offset );
	}
	return pnDotFine( meeting->outward, sweep->way ) < -PN_SWEEP_SLIDE * sweep->length;
}

// ---- tree ----

enum
{
	PN_LEAF_SIZE = 4,
	PN_BIN_COUNT = 12,
	PN_FAIR_DEPTH = 40, // from here on nodes are halved by number
	PN_TREE_STACK = 80, // more than the fair depth and 27 halvings
};

// What is known of a triangle while the tree is built.
typedef struct pnLump
{
	float lower[3], upper[3];
	int32_t triangle;
} pnLump;

typedef struct pnTreeMaker
{
	pnLump *lumps, *spare;
	pnTriangleNode* nodes;
	int nodeCount;
} pnTreeMaker;

static void pnClearBox( float lower[3], float upper[3] )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		lower[axis] = FLT_MAX;
		upper[axis] = -FLT_MAX;
	}
}

static void pnSpanBox( float lower[3], float upper[3], const float otherLower[3], const float otherUpper[3] )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		lower[axis] = otherLower[axis] < lower[axis] ? otherLower[axis] : lower[axis];
		upper[axis] = otherUpper[axis] > upper[axis] ? otherUpper[axis] : upper[axis];
	}
}

static double pnGetBoxArea( const float lower[3], const float upper[3] )
{
	double x = (double)upper[0] - (double)lower[0], y = (double)upper[1] - (double)lower[1], z = (double)upper[2] - (double)lower[2];
	return x * y + y * z + z * x;
}

static double pnGetMiddle( const pnLump* lump, int axis )
{
	return (double)lump->lower[axis] + (double)lump->upper[axis]; // twice
}

// Puts the lumps of a node into two parts, each together; returns how many are in the first. By surface area over bins (Wald 2007).
static int pnSplitLumps( pnTreeMaker* maker, int begin, int end )
{
	double lowest[3] = { DBL_MAX, DBL_MAX, DBL_MAX }, highest[3] = { -DBL_MAX, -DBL_MAX, -DBL_MAX };
	for ( int i = begin; i < end; ++i )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			double middle = pnGetMiddle( maker->lumps + i, axis );
			lowest[axis] = middle < lowest[axis] ? middle : lowest[axis];
			highest[axis] = middle > highest[axis] ? middle : highest[axis];
		}
	}
	int axis = 0;
	for ( int other = 1; other < 3; ++other )
	{
		axis = highest[other] - lowest[other] > highest[axis] - lowest[axis] ? other : axis;
	}
	double extent = highest[axis] - lowest[axis];
	int half = ( end - begin ) / 2;
	if ( !( extent > 0.0 ) )
	{
		return half;
	}

	struct { float lower[3], upper[3]; int count; } bins[PN_BIN_COUNT];
	for ( int bin = 0; bin < PN_BIN_COUNT; ++bin )
	{
		pnClearBox( bins[bin].lower, bins[bin].upper );
		bins[bin].count = 0;
	}
	double scale = (double)PN_BIN_COUNT / extent;
	for ( int i = begin; i < end; ++i )
	{
		double place = scale * ( pnGetMiddle( maker->lumps + i, axis ) - lowest[axis] );
		int bin = place < (double)( PN_BIN_COUNT - 1 ) ? (int)place : PN_BIN_COUNT - 1;
		pnSpanBox( bins[bin].lower, bins[bin].upper, maker->lumps[i].lower, maker->lumps[i].upper );
		bins[bin].count += 1;
	}
	double costs[PN_BIN_COUNT]; // of what lies in the bins from here on
	float lower[3], upper[3];
	pnClearBox( lower, upper );
	int count = 0;
	for ( int bin = PN_BIN_COUNT - 1; bin > 0; --bin )
	{
		pnSpanBox( lower, upper, bins[bin].lower, bins[bin].upper );
		count += bins[bin].count;
		costs[bin] = count > 0 ? (double)count * pnGetBoxArea( lower, upper ) : 0.0;
	}
	pnClearBox( lower, upper );
	count = 0;
	int best = 1;
	double bestCost = DBL_MAX;
	for ( int bin = 1; bin < PN_BIN_COUNT; ++bin )
	{
		pnSpanBox( lower, upper, bins[bin - 1].lower, bins[bin - 1].upper );
		count += bins[bin - 1].count;
		double cost = count < end - begin ? (double)count * pnGetBoxArea( lower, upper ) + costs[bin] : DBL_MAX;
		if ( cost < bestCost )
		{
			bestCost = cost;
			best = bin;
		}
	}

	int firstCount = 0, secondCount = 0;
	for ( int i = begin; i < end; ++i )
	{
		double place = scale * ( pnGetMiddle( maker->lumps + i, axis ) - lowest[axis] );
		if ( place < (double)best )
		{
			maker->lumps[begin + firstCount++] = maker->lumps[i];
		}
		else
		{
			maker->spare[secondCount++] = maker->lumps[i];
		}
	}
	memcpy( maker->lumps + begin + firstCount, maker->spare, (size_t)secondCount * sizeof( pnLump ) );
	return firstCount > 0 && secondCount > 0 ? firstCount : half;
}

static void pnMakeNode( pnTreeMaker* maker, int node, int begin, int end, int depth )
{
	pnTriangleNode* to = maker->nodes + node;
	pnClearBox( to->lower, to->upper );
	for ( int i = begin; i < end; ++i )
	{
		pnSpanBox( to->lower, to->upper, maker->lumps[i].lower, maker->lumps[i].upper );
	}
	if ( end - begin <= PN_LEAF_SIZE )
	{
		to->first = begin;
		to->count = end - begin;
		return;
	}
	int middle = begin + ( depth < PN_FAIR_DEPTH ? pnSplitLumps( maker, begin, end ) : ( end - begin ) / 2 );
	int child = maker->nodeCount;
	maker->nodeCount += 2;
	to->first = child;
	to->count = 0;
	pnMakeNode( maker, child, begin, middle, depth + 1 );
	pnMakeNode( maker, child + 1, middle, end, depth + 1 );
}

// ---- building ----

// Angle between unit vectors, [0, pi], error below 1e-12: twice the angle whose tangent is |u - v| / |u + v|. No libm: its bits differ.
static double pnGetAngle( pnFine3 u, pnFine3 v )
{
	pnFine3 difference = pnSubFine( u, v ), sum = pnAddFine( u, v );
	double y = sqrt( pnDotFine( difference, difference ) ), x = sqrt( pnDotFine( sum, sum ) );
	bool steep = y > x;
	double t = steep ? x / y : y > 0.0 ? y / x : 0.0;
	for ( int i = 0; i < 3; ++i ) // half the angle each time: at most pi / 32
	{
		t = t / ( 1.0 + sqrt( 1.0 + t * t ) );
	}
	double t2 = t * t;
	double angle = 8.0 * t * ( 1.0 - t2 * ( 1.0 / 3.0 - t2 * ( 1.0 / 5.0 - t2 * ( 1.0 / 7.0 - t2 * ( 1.0 / 9.0 - t2 / 11.0 ) ) ) ) );
	return 2.0 * ( steep ? 1.57079632679489661923 - angle : angle );
}

static pnFine3 pnUnitFine( pnFine3 a, pnFine3 otherwise )
{
	double length = sqrt( pnDotFine( a, a ) );
	return length > 0.0 ? pnScaleFine( 1.0 / length, a ) : otherwise;
}

// The unit normal. False: as good as no area.
static bool pnFindNormal( pnFine3 a, pnFine3 b, pnFine3 c, pnFine3* normal )
{
	pnFine3 ab = pnSubFine( b, a ), ac = pnSubFine( c, a ), bc = pnSubFine( c, b );
	double longest2 = pnDotFine( ab, ab ), ac2 = pnDotFine( ac, ac ), bc2 = pnDotFine( bc, bc );
	longest2 = ac2 > longest2 ? ac2 : longest2;
	longest2 = bc2 > longest2 ? bc2 : longest2;
	*normal = pnCrossFine( ab, ac );
	double area = sqrt( pnDotFine( *normal, *normal ) );
	if ( !( area > 1e-12 * longest2 ) ) // a needle's width in parts of its length; double knows it to 1e-16, floats rarely are so fine
	{
		return false;
	}
	*normal = pnScaleFine( 1.0 / area, *normal );
	return true;
}

typedef struct pnTrianglesMaker
{
	int32_t* weld; // lowest point at the same place
	uint64_t *edges, *spareEdges;
	int32_t *sides, *spareSides; // 3 * triangle + edge
	pnFine3* normals; // of each triangle as given; zero where it has no area
	pnFine3 *edgeSums, *cornerSums;
	pnTreeMaker tree;
} pnTrianglesMaker;

// Sums up what meets at every edge; tells whether the surface is closed.
static bool pnJoinEdges( pnTrianglesMaker* maker, const int32_t* indices, int triangleCount )
{
	int edgeCount = 0;
	for ( int i = 0; i < triangleCount; ++i )
	{
		int32_t c[3] = { maker->weld[indices[3 * i]], maker->weld[indices[3 * i + 1]], maker->weld[indices[3 * i + 2]] };
		if ( c[0] == c[1] || c[1] == c[2] || c[2] == c[0] )
		{
			continue;
		}
		for ( int k = 0; k < 3; ++k )
		{
			uint64_t from = (uint64_t)c[k], to = (uint64_t)c[( k + 1 ) % 3];
			maker->edges[edgeCount] = from < to ? from << 32 | to : to << 32 | from;
			maker->sides[edgeCount++] = 3 * i + k;
		}
	}
	pnSortByKey( maker->edges, maker->sides, maker->spareEdges, maker->spareSides, edgeCount );
	bool closed = edgeCount > 0;
	for ( int begin = 0, end; begin < edgeCount; begin = end )
	{
		pnFine3 sum = { 0.0, 0.0, 0.0 };
		int balance = 0;
		for ( end = begin; end < edgeCount && maker->edges[end] == maker->edges[begin]; ++end )
		{
			sum = pnAddFine( sum, maker->normals[maker->sides[end] / 3] );
			balance += maker->weld[indices[maker->sides[end]]] == (int32_t)( maker->edges[begin] >> 32 ) ? 1 : -1;
		}
		closed = closed && balance == 0;
		for ( int i = begin; i < end; ++i )
		{
			maker->edgeSums[maker->sides[i]] = sum;
		}
	}
	return closed;
}

static void pnJoinCorners( pnTrianglesMaker* maker, const pnVec3* points, const int32_t* indices, int triangleCount )
{
	const pnFine3 nowhere = { 0.0, 0.0, 0.0 };
	for ( int i = 0; i < triangleCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			pnFine3 corner = pnFine( points[indices[3 * i + k]] );
			pnFine3 u = pnUnitFine( pnSubFine( pnFine( points[indices[3 * i + ( k + 1 ) % 3]] ), corner ), nowhere );
			pnFine3 v = pnUnitFine( pnSubFine( pnFine( points[indices[3 * i + ( k + 2 ) % 3]] ), corner ), nowhere );
			pnFine3* sum = maker->cornerSums + maker->weld[indices[3 * i + k]];
			*sum = pnAddFine( *sum, pnScaleFine( pnGetAngle( u, v ), maker->normals[i] ) );
		}
	}
}

static bool pnAllocTriangles( pnTriangles* set )
{
	int count = set->count, pointCount = set->pointCount, nodeCapacity = set->nodeCapacity;
	bool done = true;
#define PN_ALLOCATE( T, name, length ) done = done && ( set->name = pnAllocArray( T, length ) ) != NULL;
	PN_TRIANGLES_ARRAYS( PN_ALLOCATE )
#undef PN_ALLOCATE
	return done;
}

void pnFreeTriangles( pnTriangles* set )
{
	int count = set->count, pointCount = set->pointCount, nodeCapacity = set->nodeCapacity;
#define PN_FREE( T, name, length ) pnFreeArray( T, set->name, length );
	PN_TRIANGLES_ARRAYS( PN_FREE )
#undef PN_FREE
	*set = (pnTriangles){ 0 };
}

size_t pnGetTrianglesBytes( const pnTriangles* set )
{
	size_t count = (size_t)set->count, pointCount = (size_t)set->pointCount, nodeCapacity = (size_t)set->nodeCapacity, bytes = 0;
#define PN_COUNT_BYTES( T, name, length ) bytes += sizeof( T ) * ( length );
	PN_TRIANGLES_ARRAYS( PN_COUNT_BYTES )
#undef PN_COUNT_BYTES
	return bytes;
}

// The triangles in the order of the leaves, with all their normals.
static void pnFillTriangles( pnTriangles* set, const pnTrianglesMaker* maker, const pnVec3* points, const int32_t* indices )
{
	for ( int i = 0; i < set->count; ++i )
	{
		int from = maker->tree.lumps[i].triangle;
		pnFine3 normal = maker->normals[from];
		set->names[i] = from;
		set->triangles[i].normal = pnCoarse( normal );
		for ( int k = 0; k < 3; ++k )
		{
			int32_t corner = maker->weld[indices[3 * from + k]];
			set->triangles[i].corners[k] = points[corner];
			set->corners[3 * i + k] = corner;
			set->edgeNormals[3 * i + k] = pnCoarse( pnUnitFine( maker->edgeSums[3 * from + k], normal ) );
			set->cornerNormals[corner] = pnCoarse( pnUnitFine( maker->cornerSums[corner], normal ) );
		}
	}
}

pnResult pnBuildTriangles( const pnVec3* points, int pointCount, const int32_t* indices, int triangleCount, const pnFine3* normals,
						   pnTriangles* set )
{
	*set = (pnTriangles){ 0 };
	pnScratch scratch = { 0 };
	size_t sideCount = 3 * (size_t)triangleCount;
	pnTrianglesMaker maker = { 0 };
	maker.weld = pnTakeArray( &scratch, int32_t, pointCount );
	maker.edges = pnTakeArray( &scratch, uint64_t, sideCount );
	maker.spareEdges = pnTakeArray( &scratch, uint64_t, sideCount );
	maker.sides = pnTakeArray( &scratch, int32_t, sideCount );
	maker.spareSides = pnTakeArray( &scratch, int32_t, sideCount );
	maker.normals = pnTakeArray( &scratch, pnFine3, triangleCount );
	maker.edgeSums = pnTakeArray( &scratch, pnFine3, sideCount );
	maker.cornerSums = pnTakeArray( &scratch, pnFine3, pointCount );
	maker.tree.lumps = pnTakeArray( &scratch, pnLump, triangleCount );
	maker.tree.spare = pnTakeArray( &scratch, pnLump, triangleCount );
	if ( scratch.failed || !pnWeldPoints( points, pointCount, 0.0, maker.weld ) )
	{
		pnGiveBack( &scratch );
		return pn_outOfMemory;
	}

	int count = 0;
	for ( int i = 0; i < triangleCount; ++i )
	{
		const pnVec3* corners[3] = { points + indices[3 * i], points + indices[3 * i + 1], points + indices[3 * i + 2] };
		pnFine3 normal;
		bool flat = !pnFindNormal( pnFine( *corners[0] ), pnFine( *corners[1] ), pnFine( *corners[2] ), &normal );
		if ( flat && normals == NULL )
		{
			continue;
		}
		maker.normals[i] = normals != NULL ? normals[i] : normal;
		pnLump* lump = maker.tree.lumps + count++;
		lump->triangle = i;
		pnClearBox( lump->lower, lump->upper );
		for ( int k = 0; k < 3; ++k )
		{
			const float corner[3] = { corners[k]->x, corners[k]->y, corners[k]->z };
			pnSpanBox( lump->lower, lump->upper, corner, corner );
			double size = pnLargest( pnFine( *corners[k] ) );
			set->size = size > set->size ? size : set->size;
		}
	}
	pnResult result = count > 0 ? pn_success : pn_invalidInput;
	if ( result == pn_success )
	{
		set->count = count;
		set->pointCount = pointCount;
		set->nodeCapacity = 2 * count; // a tree has one leaf more than branches, and one place is empty
		if ( !pnAllocTriangles( set ) )
		{
			pnFreeTriangles( set );
			result = pn_outOfMemory;
		}
	}
	if ( result == pn_success )
	{
		set->closed = pnJoinEdges( &maker, indices, triangleCount );
		pnJoinCorners( &maker, points, indices, triangleCount );
		maker.tree.nodes = set->nodes;
		maker.tree.nodeCount = 2;
		pnMakeNode( &maker.tree, 0, 0, count, 0 );
		pnFillTriangles( set, &maker, points, indices );
	}
	pnGiveBack( &scratch );
	return result;
}

// ---- nearest ----

// In float: each difference is right to 6e-8 of itself, so the sum is to 4e-7.
static inline float pnGetBoxDistance2( const pnTriangleNode* node, pnVec3 place )
{
	float x0 = node->lower[0] - place.x, x1 = place.x - node->upper[0], x = x0 > x1 ? x0 : x1;
	float y0 = node->lower[1] - place.y, y1 = place.y - node->upper[1], y = y0 > y1 ? y0 : y1;
	float z0 = node->lower[2] - place.z, z1 = place.z - node->upper[2], z = z0 > z1 ? z0 : z1;
	x = x > 0.0f ? x : 0.0f;
	y = y > 0.0f ? y : 0.0f;
	z = z > 0.0f ? z : 0.0f;
	return x * x + y * y + z * z;
}

// The normal of the surface where it was found to be nearest.
static pnFine3 pnGetPartNormal( const pnTriangles* set, int triangle, int part )
{
	return pnFine( part == pn_nearFace	   ? set->triangles[triangle].normal
				   : part < pn_nearEdge ? set->cornerNormals[set->corners[3 * triangle + part - pn_nearCorner]]
										   : set->edgeNormals[3 * triangle + part - pn_nearEdge] );
}

double pnMeasureTriangles( const pnTriangles* set, pnVec3 place, pnFine3* outward )
{
	struct { int32_t node; float distance2; } stack[PN_TREE_STACK];
	int stackCount = 0;
	pnFine3 fine = pnFine( place );
	pnNearPart best = { .distance2 = DBL_MAX, .part = pn_nearFace };
	int bestTriangle = 0;
	float limit = FLT_MAX; // boxes beyond hold nothing nearer, even after rounding
	const pnTriangleNode* node = set->nodes;
	for ( ;; )
	{
		for ( int i = node->first; i < node->first + node->count; ++i )
		{
			const pnTriangle* triangle = set->triangles + i;
			pnFine3 a = pnFine( triangle->corners[0] );
			double height = pnDotFine( pnFine( triangle->normal ), pnSubFine( fine, a ) );
			if ( height * height > (double)limit )
			{
				continue; // even its plane is farther
			}
			pnNearPart near = pnFindNearPart( a, pnFine( triangle->corners[1] ), pnFine( triangle->corners[2] ), fine );
			if ( near.distance2 < best.distance2 || ( near.distance2 == best.distance2 && set->names[i] < set->names[bestTriangle] ) )
			{
				best = near;
				bestTriangle = i;
				limit = near.distance2 < 1e38 ? (float)( near.distance2 * 1.00001 ) : FLT_MAX;
			}
		}
		if ( node->count == 0 )
		{
			// Which child is nearer is a throw of dice for the machine: no branches.
			int32_t first = node->first;
			float toFirst = pnGetBoxDistance2( set->nodes + first, place ), toSecond = pnGetBoxDistance2( set->nodes + first + 1, place );
			int32_t swap = toSecond < toFirst;
			float toNear = toSecond < toFirst ? toSecond : toFirst, toFar = toSecond < toFirst ? toFirst : toSecond;
			PN_ASSERT( stackCount < PN_TREE_STACK );
			stack[stackCount].node = first + 1 - swap;
			stack[stackCount].distance2 = toFar;
			stackCount += toFar <= limit;
			if ( toNear <= limit )
			{
				node = set->nodes + first + swap;
				continue;
			}
		}
		while ( stackCount > 0 && !( stack[stackCount - 1].distance2 <= limit ) )
		{
			stackCount -= 1;
		}
		if ( stackCount == 0 )
		{
			break;
		}
		node = set->nodes + stack[--stackCount].node;
	}
	if ( best.distance2 == DBL_MAX ) // so far away that float squares overflow: any triangle will do
	{
		const pnVec3* corners = set->triangles[0].corners;
		best = pnFindNearPart( pnFine( corners[0] ), pnFine( corners[1] ), pnFine( corners[2] ), fine );
	}

	pnFine3 normal = pnGetPartNormal( set, bestTriangle, best.part );
	double distance = sqrt( best.distance2 );
	double sign = pnDotFine( best.offset, normal ) >= 0.0 ? 1.0 : -1.0;
	bool exact = best.part == pn_nearFace || !( distance > 1e-7 * set->size ); // nearer than floats know, the offset has no direction
	*outward = exact ? normal : pnScaleFine( sign / distance, best.offset );
	return sign * distance;
}

// ---- sweeping ----

float pnSweepTriangles( const pnTriangles* set, pnVec3 from, pnVec3 to, float radius, pnVec3* outward )
{
	pnSweep sweep = pnMakeSweep( from, to, radius, set->size );
	pnFine3 found;
	double distance = pnMeasureTriangles( set, from, &found );
	if ( pnStartSweep( &sweep, distance, found, set->closed ) )
	{
		*outward = pnCoarse( !set->closed && distance < 0.0 ? pnScaleFine( -1.0, found ) : found );
		return 0.0f;
	}
	if ( ( distance < 0.0 ? -distance : distance ) > sweep.radius + sweep.length + sweep.tolerance )
	{
		return 2.0f;
	}

	struct { int32_t node; double enter; } stack[PN_TREE_STACK];
	int stackCount = 0;
	bool met = false;
	const pnTriangleNode* node = set->nodes;
	for ( ;; )
	{
		for ( int i = node->first; i < node->first + node->count; ++i )
		{
			const pnTriangle* triangle = set->triangles + i;
			pnMeeting meeting;
			pnFine3 normal = pnFine( triangle->normal );
			if ( !pnMeetTriangle( &sweep, pnFine( triangle->corners[0] ), pnFine( triangle->corners[1] ), pnFine( triangle->corners[2] ), normal, &meeting ) )
			{
				continue;
			}
			// Out of a closed surface the way is free.
			double front = meeting.graze ? -pnDotFine( normal, sweep.way ) : pnDotFine( meeting.offset, pnGetPartNormal( set, i, meeting.part ) );
			if ( ( set->closed && front < 0.0 ) || ( met && meeting.fraction >= sweep.best ) )
			{
				continue;
			}
			met = true;
			sweep.best = meeting.fraction;
			found = meeting.outward;
		}
		if ( node->count == 0 )
		{
			const pnTriangleNode* children = set->nodes + node->first;
			double enters[2];
			for ( int k = 0; k < 2; ++k )
			{
				const float *lower = children[k].lower, *upper = children[k].upper;
				enters[k] = pnEnterBox( &sweep, pnFine( pnMakeVec3( lower[0], lower[1], lower[2] ) ), pnFine( pnMakeVec3( upper[0], upper[1], upper[2] ) ) );
			}
			int first = enters[1] < enters[0];
			if ( enters[1 - first] <= sweep.best )
			{
				PN_ASSERT( stackCount < PN_TREE_STACK );
				stack[stackCount].node = node->first + 1 - first;
				stack[stackCount++].enter = enters[1 - first];
			}
			if ( enters[first] <= sweep.best )
			{
				node = children + first;
				continue;
			}
		}
		while ( stackCount > 0 && !( stack[stackCount - 1].enter <= sweep.best ) )
		{
			stackCount -= 1;
		}
		if ( stackCount == 0 )
		{
			break;
		}
		node = set->nodes + stack[--stackCount].node;
	}
	if ( !met )
	{
		return 2.0f;
	}
	*outward = pnCoarse( found );
	return (float)sweep.best;
}
