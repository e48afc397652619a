// hull.c - the convex hull of points, exact on a grid so fine that floats do not notice. Knows points; no shapes.
// Quickhull (Barber, Dobkin, Huhdanpaa 1996). All questions of side are answered in whole numbers, so that no rounding can make
// the faces contradict each other; points in the plane of a face do not count as outside of it.
#include "hull.h"

#include "../base/cloud.h"

#include <math.h>

enum { PN_GRID_BITS = 28 }; // of the size: 4e-9 of it, where floats near it know 6e-8

typedef struct pnGridPoint { int32_t x, y, z; } pnGridPoint;

typedef struct pnHullFace
{
	int64_t nx, ny, nz; // normal: below 2^57 each
	int32_t corners[3];
	int32_t neighbors[3]; // across the edge from corner k to the next
	int32_t outside; // first of the points to be dealt with that it sees, -1 if none
	int32_t before, after; // faces that see points, a list; of faces not in use, `after` alone
	bool alive, seen; // seen: from the point that is being added
} pnHullFace;

typedef struct pnHorizon { int32_t face, edge; } pnHorizon; // of the face that stays

typedef struct pnHullMaker
{
	pnGridPoint* points;
	int32_t* next; // in the list of the face that sees a point, -1 at the end
	int32_t* startAt; // the new face whose edge on the horizon starts at a point
	int pointCount;
	pnHullFace* faces;
	int32_t* stack;
	pnHorizon* horizon;
	int faceCount, faceCapacity, stackCapacity, horizonCount, horizonCapacity;
	int32_t freeFace, firstPending;
} pnHullMaker;

// ---- exact sides ----

static void pnSetFaceNormal( pnHullMaker* maker, pnHullFace* face )
{
	pnGridPoint a = maker->points[face->corners[0]], b = maker->points[face->corners[1]], c = maker->points[face->corners[2]];
	int64_t ux = b.x - a.x, uy = b.y - a.y, uz = b.z - a.z, vx = c.x - a.x, vy = c.y - a.y, vz = c.z - a.z;
	face->nx = uy * vz - uz * vy;
	face->ny = uz * vx - ux * vz;
	face->nz = ux * vy - uy * vx;
}

// > 0: the face sees the point.
static int pnGetSideOfFace( const pnHullMaker* maker, const pnHullFace* face, pnGridPoint p )
{
	pnGridPoint a = maker->points[face->corners[0]];
	int64_t dx = p.x - a.x, dy = p.y - a.y, dz = p.z - a.z;
	// The normal as high 2^28 + low, low >= 0: then every sum is below 2^60.
	const int64_t unit = (int64_t)1 << PN_GRID_BITS, mask = unit - 1;
	int64_t low = ( face->nx & mask ) * dx + ( face->ny & mask ) * dy + ( face->nz & mask ) * dz;
	int64_t high = ( ( face->nx - ( face->nx & mask ) ) / unit ) * dx + ( ( face->ny - ( face->ny & mask ) ) / unit ) * dy +
				   ( ( face->nz - ( face->nz & mask ) ) / unit ) * dz;
	int64_t rest = low & mask;
	high += ( low - rest ) / unit;
	return high != 0 ? ( high > 0 ? 1 : -1 ) : rest > 0;
}

// In units of the normal's length, rounded: only for choosing.
static double pnGetHeight( const pnHullMaker* maker, const pnHullFace* face, pnGridPoint p )
{
	pnGridPoint a = maker->points[face->corners[0]];
	return (double)face->nx * (double)( p.x - a.x ) + (double)face->ny * (double)( p.y - a.y ) + (double)face->nz * (double)( p.z - a.z );
}

// ---- faces ----

static int32_t pnAddFace( pnHullMaker* maker, int32_t a, int32_t b, int32_t c )
{
	int32_t index = maker->freeFace;
	if ( index >= 0 )
	{
		maker->freeFace = maker->faces[index].after;
	}
	else
	{
		if ( !pnGrow( (void**)&maker->faces, &maker->faceCapacity, maker->faceCount, maker->faceCount + 1, sizeof( pnHullFace ) ) )
		{
			return -1;
		}
		index = maker->faceCount++;
	}
	pnHullFace* face = maker->faces + index;
	*face = (pnHullFace){ .corners = { a, b, c }, .outside = -1, .before = -1, .after = -1, .alive = true };
	pnSetFaceNormal( maker, face );
	return index;
}

static void pnAddPending( pnHullMaker* maker, int32_t index )
{
	maker->faces[index].after = maker->firstPending;
	if ( maker->firstPending >= 0 )
	{
		maker->faces[maker->firstPending].before = index;
	}
	maker->firstPending = index;
}

static void pnRemoveFace( pnHullMaker* maker, int32_t index )
{
	pnHullFace* face = maker->faces + index;
	if ( face->outside >= 0 )
	{
		if ( face->before >= 0 )
		{
			maker->faces[face->before].after = face->after;
		}
		else
		{
			maker->firstPending = face->after;
		}
		if ( face->after >= 0 )
		{
			maker->faces[face->after].before = face->before;
		}
	}
	face->alive = false;
	face->after = maker->freeFace;
	maker->freeFace = index;
}

// Gives each point of a list to the first of the faces that sees it. Points that none sees are inside for good.
static void pnShareOut( pnHullMaker* maker, int32_t points, const int32_t* faces, int faceCount )
{
	for ( int32_t point = points, after; point >= 0; point = after )
	{
		after = maker->next[point];
		for ( int i = 0; i < faceCount; ++i )
		{
			pnHullFace* face = maker->faces + faces[i];
			if ( pnGetSideOfFace( maker, face, maker->points[point] ) > 0 )
			{
				if ( face->outside < 0 )
				{
					pnAddPending( maker, faces[i] );
				}
				maker->next[point] = face->outside;
				face->outside = point;
				break;
			}
		}
	}
}

// Faces that the point sees, from one that does, onto the stack; the edges around them into the horizon. -1: no memory.
static int pnFindSeen( pnHullMaker* maker, int32_t start, pnGridPoint point )
{
	if ( !pnGrow( (void**)&maker->stack, &maker->stackCapacity, 0, maker->faceCount, sizeof( int32_t ) ) )
	{
		return -1;
	}
	int seenCount = 0;
	maker->horizonCount = 0;
	maker->stack[seenCount++] = start;
	maker->faces[start].seen = true;
	for ( int at = 0; at < seenCount; ++at )
	{
		for ( int edge = 0; edge < 3; ++edge )
		{
			int32_t other = maker->faces[maker->stack[at]].neighbors[edge];
			pnHullFace* face = maker->faces + other;
			if ( face->seen )
			{
				continue;
			}
			if ( pnGetSideOfFace( maker, face, point ) > 0 )
			{
				face->seen = true;
				maker->stack[seenCount++] = other;
				continue;
			}
			int back = 0;
			int32_t to = maker->faces[maker->stack[at]].corners[( edge + 1 ) % 3];
			while ( face->corners[back] != to ) // the same edge, the other way
			{
				back += 1;
			}
			if ( !pnGrow( (void**)&maker->horizon, &maker->horizonCapacity, maker->horizonCount, maker->horizonCount + 1, sizeof( pnHorizon ) ) )
			{
				return -1;
			}
			maker->horizon[maker->horizonCount++] = (pnHorizon){ other, back };
		}
	}
	return seenCount;
}

// The farthest point that the face sees joins the hull. False: no memory.
static bool pnAddFarthest( pnHullMaker* maker, int32_t index )
{
	int32_t farthest = -1;
	double highest = 0.0;
	for ( int32_t point = maker->faces[index].outside; point >= 0; point = maker->next[point] )
	{
		double height = pnGetHeight( maker, maker->faces + index, maker->points[point] );
		if ( farthest < 0 || height > highest || ( height == highest && point < farthest ) )
		{
			farthest = point;
			highest = height;
		}
	}
	int seenCount = pnFindSeen( maker, index, maker->points[farthest] );
	if ( seenCount < 0 )
	{
		return false;
	}
	int32_t orphans = -1;
	for ( int i = 0; i < seenCount; ++i )
	{
		for ( int32_t point = maker->faces[maker->stack[i]].outside, after; point >= 0; point = after )
		{
			after = maker->next[point];
			if ( point != farthest )
			{
				maker->next[point] = orphans;
				orphans = point;
			}
		}
		pnRemoveFace( maker, maker->stack[i] );
	}

	if ( !pnGrow( (void**)&maker->stack, &maker->stackCapacity, 0, maker->horizonCount, sizeof( int32_t ) ) )
	{
		return false;
	}
	for ( int i = 0; i < maker->horizonCount; ++i )
	{
		pnHorizon horizon = maker->horizon[i];
		int32_t to = maker->faces[horizon.face].corners[horizon.edge], from = maker->faces[horizon.face].corners[( horizon.edge + 1 ) % 3];
		int32_t face = pnAddFace( maker, from, to, farthest );
		if ( face < 0 )
		{
			return false;
		}
		maker->faces[face].neighbors[0] = horizon.face;
		maker->faces[horizon.face].neighbors[horizon.edge] = face;
		maker->startAt[from] = face;
		maker->stack[i] = face;
	}
	for ( int i = 0; i < maker->horizonCount; ++i )
	{
		int32_t face = maker->stack[i], following = maker->startAt[maker->faces[face].corners[1]];
		maker->faces[face].neighbors[1] = following;
		maker->faces[following].neighbors[2] = face;
	}
	pnShareOut( maker, orphans, maker->stack, maker->horizonCount );
	return true;
}

// ---- start ----

static double pnGetLength2( double x, double y, double z )
{
	return x * x + y * y + z * z;
}

// Four points far apart. False: the rest is nearer than the least to their plane.
static bool pnChooseFour( const pnHullMaker* maker, int32_t four[4] )
{
	const pnGridPoint* points = maker->points;
	double least = 1e-6 * (double)( 1 << PN_GRID_BITS );
	four[0] = 0;
	for ( int i = 1; i < maker->pointCount; ++i )
	{
		four[0] = points[i].x < points[four[0]].x ? i : four[0];
	}
	pnGridPoint a = points[four[0]];
	double best = -1.0;
	for ( int i = 0; i < maker->pointCount; ++i )
	{
		double length2 = pnGetLength2( points[i].x - a.x, points[i].y - a.y, points[i].z - a.z );
		four[1] = length2 > best ? i : four[1];
		best = length2 > best ? length2 : best;
	}
	double ux = points[four[1]].x - a.x, uy = points[four[1]].y - a.y, uz = points[four[1]].z - a.z, span2 = best;
	best = -1.0;
	for ( int i = 0; i < maker->pointCount; ++i )
	{
		double vx = points[i].x - a.x, vy = points[i].y - a.y, vz = points[i].z - a.z;
		double area2 = pnGetLength2( uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx );
		four[2] = area2 > best ? i : four[2];
		best = area2 > best ? area2 : best;
	}
	if ( !( best > least * least * span2 ) )
	{
		return false;
	}
	double vx = points[four[2]].x - a.x, vy = points[four[2]].y - a.y, vz = points[four[2]].z - a.z, area2 = best;
	double nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
	best = -1.0;
	for ( int i = 0; i < maker->pointCount; ++i )
	{
		double height = nx * ( points[i].x - a.x ) + ny * ( points[i].y - a.y ) + nz * ( points[i].z - a.z );
		height = height < 0.0 ? -height : height;
		four[3] = height > best ? i : four[3];
		best = height > best ? height : best;
	}
	return best > least * sqrt( area2 );
}

static bool pnPutOnGrid( const pnVec3* points, int count, pnGridPoint* to )
{
	pnAABB bounds = pnFindBounds( points, count );
	pnFine3 lower = pnFine( bounds.lower ), extent = pnSubFine( pnFine( bounds.upper ), lower );
	double size = extent.x > extent.y ? extent.x : extent.y;
	size = size > extent.z ? size : extent.z;
	if ( !( size > 0.0 ) )
	{
		return false;
	}
	double scale = (double)( 1 << PN_GRID_BITS );
	for ( int i = 0; i < count; ++i )
	{
		pnFine3 p = pnSubFine( pnFine( points[i] ), lower );
		to[i] = (pnGridPoint){ (int32_t)( p.x / size * scale + 0.5 ), (int32_t)( p.y / size * scale + 0.5 ), (int32_t)( p.z / size * scale + 0.5 ) };
	}
	return true;
}

static pnResult pnGrowHull( pnHullMaker* maker )
{
	int32_t four[4] = { 0, 0, 0, 0 };
	if ( !pnChooseFour( maker, four ) )
	{
		return pn_invalidInput;
	}
	// The first face must not see the fourth point.
	pnHullFace probe = { .corners = { four[0], four[1], four[2] } };
	pnSetFaceNormal( maker, &probe );
	if ( pnGetSideOfFace( maker, &probe, maker->points[four[3]] ) > 0 )
	{
		int32_t swap = four[1];
		four[1] = four[2];
		four[2] = swap;
	}
	static const int corners[4][3] = { { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } };
	static const int neighbors[4][3] = { { 1, 2, 3 }, { 3, 2, 0 }, { 1, 3, 0 }, { 2, 1, 0 } };
	int32_t faces[4];
	for ( int i = 0; i < 4; ++i )
	{
		faces[i] = pnAddFace( maker, four[corners[i][0]], four[corners[i][1]], four[corners[i][2]] );
		if ( faces[i] < 0 )
		{
			return pn_outOfMemory;
		}
		memcpy( maker->faces[faces[i]].neighbors, (int32_t[3]){ neighbors[i][0], neighbors[i][1], neighbors[i][2] }, sizeof( int32_t[3] ) );
	}
	for ( int i = 0; i < maker->pointCount; ++i )
	{
		maker->next[i] = i + 1 < maker->pointCount ? i + 1 : -1;
	}
	pnShareOut( maker, 0, faces, 4 );
	while ( maker->firstPending >= 0 )
	{
		if ( !pnAddFarthest( maker, maker->firstPending ) )
		{
			return pn_outOfMemory;
		}
	}
	return pn_success;
}

// ---- result ----

// Copies the faces, and the points that are corners of them.
static bool pnTakeHull( const pnHullMaker* maker, const pnVec3* points, int32_t* newIndex, pnHull* hull )
{
	for ( int i = 0; i < maker->pointCount; ++i )
	{
		newIndex[i] = -1;
	}
	for ( int i = 0; i < maker->faceCount; ++i )
	{
		const pnHullFace* face = maker->faces + i;
		hull->triangleCount += face->alive;
		for ( int k = 0; face->alive && k < 3; ++k )
		{
			newIndex[face->corners[k]] = 0;
		}
	}
	for ( int i = 0; i < maker->pointCount; ++i )
	{
		newIndex[i] = newIndex[i] == 0 ? hull->pointCount++ : -1;
	}
	hull->points = pnAllocArray( pnVec3, hull->pointCount );
	hull->triangles = pnAllocArray( int32_t, 3 * (size_t)hull->triangleCount );
	hull->normals = pnAllocArray( pnFine3, hull->triangleCount );
	if ( hull->points == NULL || hull->triangles == NULL || hull->normals == NULL )
	{
		pnFreeHull( hull );
		return false;
	}
	for ( int i = 0; i < maker->pointCount; ++i )
	{
		if ( newIndex[i] >= 0 )
		{
			hull->points[newIndex[i]] = points[i];
		}
	}
	int to = 0;
	for ( int i = 0; i < maker->faceCount; ++i )
	{
		const pnHullFace* face = maker->faces + i;
		if ( !face->alive )
		{
			continue;
		}
		pnFine3 normal = { (double)face->nx, (double)face->ny, (double)face->nz };
		hull->normals[to] = pnScaleFine( 1.0 / sqrt( pnDotFine( normal, normal ) ), normal );
		for ( int k = 0; k < 3; ++k )
		{
			hull->triangles[3 * to + k] = newIndex[face->corners[k]];
		}
		to += 1;
	}
	return true;
}

static pnResult pnBuildHullOnce( const pnVec3* points, int count, pnHull* hull )
{
	*hull = (pnHull){ 0 };
	pnScratch scratch = { 0 };
	pnHullMaker maker = { .pointCount = count, .freeFace = -1, .firstPending = -1 };
	maker.points = pnTakeArray( &scratch, pnGridPoint, count );
	maker.next = pnTakeArray( &scratch, int32_t, count );
	maker.startAt = pnTakeArray( &scratch, int32_t, count );
	pnResult result = scratch.failed ? pn_outOfMemory : !pnPutOnGrid( points, count, maker.points ) ? pn_invalidInput : pnGrowHull( &maker );
	if ( result == pn_success && !pnTakeHull( &maker, points, maker.startAt, hull ) )
	{
		result = pn_outOfMemory;
	}
	pnFreeArray( pnHullFace, maker.faces, maker.faceCapacity );
	pnFreeArray( int32_t, maker.stack, maker.stackCapacity );
	pnFreeArray( pnHorizon, maker.horizon, maker.horizonCapacity );
	pnGiveBack( &scratch );
	return result;
}

pnResult pnBuildHull( const pnVec3* points, int count, pnHull* hull )
{
	pnResult result = pnBuildHullOnce( points, count, hull );
	// Without the points inside it may choose others in planes and on edges. Until all points are corners: then it is its own hull.
	while ( result == pn_success && hull->pointCount < count )
	{
		pnHull last = *hull;
		count = last.pointCount;
		result = pnBuildHullOnce( last.points, count, hull );
		pnFreeHull( &last );
	}
	return result;
}

void pnFreeHull( pnHull* hull )
{
	pnFreeArray( pnVec3, hull->points, hull->pointCount );
	pnFreeArray( int32_t, hull->triangles, 3 * (size_t)hull->triangleCount );
	pnFreeArray( pnFine3, hull->normals, hull->triangleCount );
	*hull = (pnHull){ 0 };
}

size_t pnGetHullBytes( const pnHull* hull )
{
	return sizeof( pnVec3 ) * (size_t)hull->pointCount + ( 3 * sizeof( int32_t ) + sizeof( pnFine3 ) ) * (size_t)hull->triangleCount;
}
