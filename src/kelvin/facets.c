// facets.c - lists of flat polygons, and the check that a triangle mesh bounds a solid. Knows no clouds, no conditions and no sources.
#include "facets.h"

#include "../base/cloud.h"
#include "../base/sets.h"

#include <math.h>

// ---- polygons ----

static void pnFreeFacetArrays( pnFacets* facets )
{
	if ( facets->capacity > 0 )
	{
		pnFreeArray( int32_t, facets->starts, facets->capacity + 1 );
	}
	pnFreeArray( pnVec3d, facets->normals, facets->capacity );
	pnFreeArray( pnVec3d, facets->centroids, facets->capacity );
	pnFreeArray( double, facets->areas, facets->capacity );
	pnFreeArray( int32_t, facets->groups, facets->capacity );
}

void pnDestroyFacets( pnFacets* facets )
{
	pnFreeFacetArrays( facets );
	pnFreeArray( pnVec3d, facets->corners, facets->cornerCapacity );
	*facets = (pnFacets){ 0 };
}

// The arrays share one capacity: all grow or none does.
static bool pnGrowFacets( pnFacets* facets )
{
	if ( facets->count < facets->capacity )
	{
		return true;
	}
	pnFacets grown = *facets;
	grown.capacity = facets->capacity < 64 ? 64 : 2 * facets->capacity;
	grown.starts = pnAllocArray( int32_t, grown.capacity + 1 );
	grown.normals = pnAllocArray( pnVec3d, grown.capacity );
	grown.centroids = pnAllocArray( pnVec3d, grown.capacity );
	grown.areas = pnAllocArray( double, grown.capacity );
	grown.groups = pnAllocArray( int32_t, grown.capacity );
	if ( grown.starts == NULL || grown.normals == NULL || grown.centroids == NULL || grown.areas == NULL || grown.groups == NULL )
	{
		pnFreeFacetArrays( &grown );
		return false;
	}
	if ( facets->count > 0 )
	{
		size_t count = (size_t)facets->count;
		memcpy( grown.starts, facets->starts, ( count + 1 ) * sizeof( int32_t ) );
		memcpy( grown.normals, facets->normals, count * sizeof( pnVec3d ) );
		memcpy( grown.centroids, facets->centroids, count * sizeof( pnVec3d ) );
		memcpy( grown.areas, facets->areas, count * sizeof( double ) );
		memcpy( grown.groups, facets->groups, count * sizeof( int32_t ) );
	}
	pnFreeFacetArrays( facets );
	*facets = grown;
	return true;
}

bool pnAddFacet( pnFacets* facets, const pnVec3d* corners, int cornerCount, int group )
{
	PN_ASSERT( cornerCount >= 3 );
	void* memory = facets->corners;
	int wanted = facets->cornerCount + cornerCount;
	bool grown = pnGrow( &memory, &facets->cornerCapacity, facets->cornerCount, wanted, sizeof( pnVec3d ) );
	facets->corners = memory;
	if ( !grown || !pnGrowFacets( facets ) )
	{
		return false;
	}
	pnVec3d twice = pnMakeD( 0.0, 0.0, 0.0 ); // area times normal, twice
	pnVec3d middle = pnMakeD( 0.0, 0.0, 0.0 );
	for ( int k = 0; k < cornerCount; ++k )
	{
		facets->corners[facets->cornerCount + k] = corners[k];
		middle = pnMulAddD( middle, 1.0 / cornerCount, corners[k] );
	}
	for ( int k = 0; k < cornerCount; ++k )
	{
		twice = pnAddD( twice, pnCrossD( pnSubD( corners[k], middle ), pnSubD( corners[( k + 1 ) % cornerCount], middle ) ) );
	}
	pnVec3d normal = pnUnitD( twice ), centroid = middle;
	double twiceArea = pnLengthD( twice );
	for ( int k = 0; k < cornerCount && twiceArea > 0.0; ++k ) // each triangle's centroid is a third of the way from the middle
	{
		pnVec3d a = pnSubD( corners[k], middle ), b = pnSubD( corners[( k + 1 ) % cornerCount], middle );
		centroid = pnMulAddD( centroid, pnDotD( pnCrossD( a, b ), normal ) / ( 3.0 * twiceArea ), pnAddD( a, b ) );
	}
	int f = facets->count++;
	facets->starts[f] = facets->cornerCount;
	facets->cornerCount = wanted;
	facets->starts[f + 1] = wanted;
	facets->normals[f] = normal;
	facets->centroids[f] = centroid;
	facets->areas[f] = 0.5 * twiceArea;
	facets->groups[f] = group;
	return true;
}

// ---- closed meshes ----

#define PN_WELD_DISTANCE 1e-9 // in units of the solid: far below any detail, far above what formats in text lose in double
#define PN_FLAT 1e-9 // a triangle lower than this times its length has no area: its normal would be noise

// What pnMakeMeshFacets works with. Side 3 t + k leads from corner k of triangle t to the next one.
typedef struct pnMeshCheck
{
	const pnVec3d* points;
	int pointCount;
	int triangleCount;
	int32_t* corners; // of the triangles, welded
	int32_t* lowest; // of the points that are one, by point
	int32_t* sets; // of the triangles: parts
	uint64_t* keys; // sides in the order of their edges
	int32_t* sides;
	int sideCount;
} pnMeshCheck;

static uint64_t pnOrderedBits( double x ) // in the order of the numbers
{
	uint64_t bits;
	x += 0.0; // no negative zero
	memcpy( &bits, &x, sizeof( bits ) );
	return bits >> 63 ? ~bits : bits | 0x8000000000000000ull;
}

// Along a direction that rows of points do not have, few points that differ are as near as that.
static bool pnWeldMesh( pnMeshCheck* m )
{
	const pnVec3d skew = { 0.5377613, 0.6180340, 0.5733517 }; // length 1 within 1e-3
	pnScratch scratch = { 0 };
	double* along = pnTakeRawArray( &scratch, double, m->pointCount );
	uint64_t* keys = pnTakeRawArray( &scratch, uint64_t, m->pointCount );
	uint64_t* spareKeys = pnTakeRawArray( &scratch, uint64_t, m->pointCount );
	int32_t* order = pnTakeRawArray( &scratch, int32_t, m->pointCount );
	int32_t* spareOrder = pnTakeRawArray( &scratch, int32_t, m->pointCount );
	bool done = !scratch.failed;
	for ( int i = 0; i < m->pointCount && done; ++i )
	{
		along[i] = pnDotD( m->points[i], skew );
		keys[i] = pnOrderedBits( along[i] );
		order[i] = i;
		m->lowest[i] = i;
	}
	if ( done )
	{
		pnSortByKey( keys, order, spareKeys, spareOrder, m->pointCount );
	}
	for ( int i = 1; i < m->pointCount && done; ++i )
	{
		pnVec3d p = m->points[order[i]];
		for ( int k = i - 1; k >= 0 && along[order[i]] - along[order[k]] <= 1.01 * PN_WELD_DISTANCE; --k )
		{
			pnVec3d d = pnSubD( m->points[order[k]], p );
			if ( pnDotD( d, d ) <= PN_WELD_DISTANCE * PN_WELD_DISTANCE )
			{
				pnJoinSets( m->lowest, order[i], order[k] );
				if ( pnDotD( d, d ) == 0.0 )
				{
					break; // the very same place: it has met those before it
				}
			}
		}
	}
	for ( int i = 0; i < m->pointCount && done; ++i )
	{
		m->lowest[i] = pnFindSet( m->lowest, i );
	}
	pnGiveBack( &scratch );
	return done;
}

static void pnGetMeshSide( const pnMeshCheck* m, int32_t side, int32_t* from, int32_t* to )
{
	int32_t first = side - side % 3;
	*from = m->corners[side], *to = m->corners[first + ( side - first + 1 ) % 3];
}

static bool pnSortSides( pnMeshCheck* m )
{
	pnScratch scratch = { 0 };
	uint64_t* spareKeys = pnTakeRawArray( &scratch, uint64_t, 3 * (size_t)m->triangleCount );
	int32_t* spareSides = pnTakeRawArray( &scratch, int32_t, 3 * (size_t)m->triangleCount );
	bool done = !scratch.failed;
	for ( int t = 0; t < m->triangleCount && done; ++t )
	{
		const int32_t* c = m->corners + 3 * (size_t)t;
		for ( int k = 0; k < 3 && c[0] != c[1] && c[1] != c[2] && c[2] != c[0]; ++k ) // with two corners that are one: closes by itself
		{
			uint32_t a = (uint32_t)c[k], b = (uint32_t)c[( k + 1 ) % 3];
			m->keys[m->sideCount] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
			m->sides[m->sideCount++] = 3 * t + k;
		}
	}
	if ( done )
	{
		pnSortByKey( m->keys, m->sides, spareKeys, spareSides, m->sideCount );
	}
	pnGiveBack( &scratch );
	return done;
}

static int pnEndOfEdge( const pnMeshCheck* m, int begin )
{
	int end = begin + 1;
	while ( end < m->sideCount && m->keys[end] == m->keys[begin] )
	{
		end += 1;
	}
	return end;
}

static bool pnLeadsUp( const pnMeshCheck* m, int32_t side ) // from the lower point to the higher one
{
	int32_t from, to;
	pnGetMeshSide( m, side, &from, &to );
	return from < to;
}

// As many triangles one way as the other on every edge. Returns the longest run of sides on one edge, 0 if something is wrong.
static int pnCheckMeshEdges( const pnMeshCheck* m )
{
	int longest = 0, openCount = 0, turnedCount = 0, firstOpen = -1, firstTurned = -1;
	for ( int begin = 0, end; begin < m->sideCount; begin = end )
	{
		int balance = 0;
		end = pnEndOfEdge( m, begin );
		for ( int i = begin; i < end; ++i )
		{
			balance += pnLeadsUp( m, m->sides[i] ) ? 1 : -1;
		}
		longest = end - begin > longest ? end - begin : longest;
		bool open = ( end - begin ) % 2 != 0, turned = !open && balance != 0;
		firstOpen = open && firstOpen < 0 ? begin : firstOpen;
		firstTurned = turned && firstTurned < 0 ? begin : firstTurned;
		openCount += open, turnedCount += turned;
	}
	int begin = openCount > 0 ? firstOpen : firstTurned;
	if ( begin < 0 )
	{
		return longest;
	}
	int32_t from, to, count = pnEndOfEdge( m, begin ) - begin, triangle = m->sides[begin] / 3;
	pnGetMeshSide( m, m->sides[begin], &from, &to );
	if ( openCount > 0 && count == 1 )
	{
		pnLog( "the surface is open: the edge from point %d to point %d belongs to one triangle only (%d)%s", from, to, triangle,
			   openCount > 1 ? ", and so do others" : "" );
	}
	else if ( openCount > 0 )
	{
		pnLog( "the surface does not bound a solid: the edge from point %d to point %d belongs to %d triangles (the first is %d)", from, to, count, triangle );
	}
	else
	{
		pnLog( "the triangles are turned different ways: %d and %d both lead along their edge from point %d to point %d (%d such edges)", triangle,
			   m->sides[begin + 1] / 3, from, to, turnedCount );
	}
	return 0;
}

// Where more than two triangles meet, those belong together that have solid between them: round the edge, from one that leads
// down to the next that leads up.
static void pnJoinRound( pnMeshCheck* m, int begin, int end, double* angles, int32_t* open )
{
	int32_t low = (int32_t)( m->keys[begin] >> 32 ), high = (int32_t)( m->keys[begin] & 0xffffffffu );
	pnVec3d a = m->points[low], axis = pnUnitD( pnSubD( m->points[high], a ) ), s, t;
	double first = 0.0;
	pnMakeFrameD( axis, &s, &t );
	for ( int i = begin; i < end; ++i )
	{
		int32_t side = m->sides[i], corner = side - side % 3 + ( side % 3 + 2 ) % 3;
		pnVec3d d = pnSubD( m->points[m->corners[corner]], a );
		double angle = atan2( pnDotD( d, t ), pnDotD( d, s ) );
		first = i == begin ? angle : first;
		// Counted from where triangles seldom are, 0.739 (and two turns) before the first. Of two that lie on each other, the one that
		// ends a solid comes first.
		angle = fmod( angle - first + 13.3055, 6.283185307179586 ) - ( pnLeadsUp( m, side ) ? 1e-7 : 0.0 );
		int at = i;
		for ( ; at > begin && angles[at - 1 - begin] > angle; --at )
		{
			angles[at - begin] = angles[at - 1 - begin], m->sides[at] = m->sides[at - 1];
		}
		angles[at - begin] = angle, m->sides[at] = side;
	}
	int count = end - begin, balance = 0, least = 0, start = 0, openCount = 0;
	for ( int i = 0; i < count; ++i )
	{
		balance += pnLeadsUp( m, m->sides[begin + i] ) ? -1 : 1;
		if ( balance < least )
		{
			least = balance, start = i + 1;
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		int32_t side = m->sides[begin + ( start + i ) % count];
		if ( pnLeadsUp( m, side ) )
		{
			pnJoinSets( m->sets, open[--openCount] / 3, side / 3 );
		}
		else
		{
			open[openCount++] = side;
		}
	}
}

static bool pnFindMeshParts( pnMeshCheck* m, int longest )
{
	pnScratch scratch = { 0 };
	double* angles = pnTakeRawArray( &scratch, double, longest );
	int32_t* open = pnTakeRawArray( &scratch, int32_t, longest );
	bool done = !scratch.failed;
	for ( int t = 0; t < m->triangleCount; ++t )
	{
		m->sets[t] = t;
	}
	for ( int begin = 0, end; begin < m->sideCount && done; begin = end )
	{
		end = pnEndOfEdge( m, begin );
		if ( end - begin == 2 )
		{
			pnJoinSets( m->sets, m->sides[begin] / 3, m->sides[begin + 1] / 3 );
		}
		else
		{
			pnJoinRound( m, begin, end, angles, open );
		}
	}
	for ( int t = 0; t < m->triangleCount && done; ++t )
	{
		m->sets[t] = pnFindSet( m->sets, t );
	}
	pnGiveBack( &scratch );
	return done;
}

// A part of the surface that hangs together, kept at its first triangle.
typedef struct pnMeshPart
{
	pnVec3d lower, upper; // bounds
	pnVec3d sample; // a place in the solid next to its surface
	double largest; // area of its largest triangle
	double volume, area; // negative volume: looks into a hollow
	int depth; // parts around it
} pnMeshPart;

static void pnMeasureMeshParts( const pnMeshCheck* m, pnMeshPart* parts )
{
	for ( int t = 0; t < m->triangleCount; ++t )
	{
		const int32_t* c = m->corners + 3 * (size_t)t;
		pnMeshPart* part = parts + m->sets[t];
		pnVec3d origin = m->points[m->corners[3 * (size_t)m->sets[t]]];
		if ( m->sets[t] == t )
		{
			part->lower = part->upper = origin;
		}
		for ( int k = 0; k < 3; ++k )
		{
			pnVec3d p = m->points[c[k]];
			part->lower = pnMakeD( fmin( part->lower.x, p.x ), fmin( part->lower.y, p.y ), fmin( part->lower.z, p.z ) );
			part->upper = pnMakeD( fmax( part->upper.x, p.x ), fmax( part->upper.y, p.y ), fmax( part->upper.z, p.z ) );
		}
		pnVec3d p = m->points[c[0]], u = pnSubD( m->points[c[1]], p ), v = pnSubD( m->points[c[2]], p );
		pnVec3d twice = pnCrossD( u, v );
		double area = 0.5 * pnLengthD( twice );
		part->volume += pnDotD( pnSubD( p, origin ), twice ) / 6.0;
		part->area += area;
		if ( area > part->largest )
		{
			// a little inside: parts may touch
			part->largest = area;
			part->sample = pnMulAddD( pnMulAddD( p, 1.0 / 3.0, pnAddD( u, v ) ), -1e-5 / sqrt( area ), twice );
		}
	}
}

// The solid angle (of 4 pi) by van Oosterom and Strackee (1983).
static double pnWindTriangle( pnVec3d a, pnVec3d b, pnVec3d c )
{
	double la = pnLengthD( a ), lb = pnLengthD( b ), lc = pnLengthD( c );
	double above = pnDotD( a, pnCrossD( b, c ) );
	double below = la * lb * lc + pnDotD( a, b ) * lc + pnDotD( b, c ) * la + pnDotD( c, a ) * lb;
	return atan2( above, below ) / ( 2.0 * 3.14159265358979323846 );
}

static bool pnIsInBounds( const pnMeshPart* part, pnVec3d p )
{
	return part->lower.x <= p.x && p.x <= part->upper.x && part->lower.y <= p.y && p.y <= part->upper.y && part->lower.z <= p.z && p.z <= part->upper.z;
}

static void pnFindPartDepths( const pnMeshCheck* m, pnMeshPart* parts, int32_t* list, double* windings )
{
	int partCount = 0;
	for ( int t = 0; t < m->triangleCount; ++t )
	{
		if ( m->sets[t] == t && parts[t].area > 0.0 )
		{
			list[partCount++] = t;
		}
	}
	for ( int i = 0; i < partCount; ++i )
	{
		int32_t part = list[i];
		pnVec3d p = parts[part].sample;
		bool near = false;
		for ( int k = 0; k < partCount; ++k )
		{
			windings[list[k]] = 0.0;
			near = near || ( k != i && pnIsInBounds( parts + list[k], p ) );
		}
		for ( int t = 0; t < m->triangleCount && near; ++t )
		{
			int32_t set = m->sets[t];
			if ( set != part && parts[set].area > 0.0 && pnIsInBounds( parts + set, p ) )
			{
				const int32_t* c = m->corners + 3 * (size_t)t;
				windings[set] += pnWindTriangle( pnSubD( m->points[c[0]], p ), pnSubD( m->points[c[1]], p ), pnSubD( m->points[c[2]], p ) );
			}
		}
		for ( int k = 0; k < partCount && near; ++k )
		{
			parts[part].depth += fabs( windings[list[k]] ) > 0.5;
		}
	}
}

// Parts at even depth look outward, those at odd depth are walls of cavities.
static bool pnCheckTurns( const pnMeshCheck* m, const pnMeshPart* parts )
{
	int partCount = 0, turnedCount = 0, turned = -1;
	for ( int t = 0; t < m->triangleCount; ++t )
	{
		if ( m->sets[t] != t || parts[t].area == 0.0 )
		{
			continue;
		}
		double volume = parts[t].depth % 2 == 0 ? parts[t].volume : -parts[t].volume;
		if ( fabs( volume ) <= 1e-12 * parts[t].area * sqrt( parts[t].area ) )
		{
			pnLog( "the part of the surface with triangle %d encloses no volume", t );
			return false;
		}
		partCount += 1;
		turned = volume < 0.0 && turned < 0 ? t : turned;
		turnedCount += volume < 0.0;
	}
	if ( partCount == 0 )
	{
		pnLog( "the surface has no area" );
		return false;
	}
	if ( turnedCount == partCount )
	{
		pnLog( "the normals look inward: turn the triangles over" );
	}
	else if ( turnedCount > 0 && parts[turned].depth % 2 == 0 )
	{
		pnLog( "the normals of the part with triangle %d look inward: turn its triangles over", turned );
	}
	else if ( turnedCount > 0 )
	{
		pnLog( "the part with triangle %d lies inside another one and looks into the solid: a cavity looks into its hollow, turn its triangles over", turned );
	}
	return turnedCount == 0;
}

static bool pnCheckMeshInput( const pnVec3d* points, int pointCount, const int32_t* triangles, int triangleCount )
{
	if ( triangleCount < 4 || pointCount < 4 )
	{
		pnLog( "%d triangles on %d points cannot bound a solid: it takes at least 4", triangleCount, pointCount );
		return false;
	}
	if ( triangleCount > INT32_MAX / 3 )
	{
		pnLog( "%d triangles are too many", triangleCount );
		return false;
	}
	for ( int i = 0; i < pointCount; ++i )
	{
		if ( !pnIsFinite3D( points[i] ) )
		{
			pnLog( "point %d is not finite", i );
			return false;
		}
	}
	for ( int i = 0; i < 3 * triangleCount; ++i )
	{
		if ( triangles[i] < 0 || triangles[i] >= pointCount )
		{
			pnLog( "triangle %d names point %d, there are %d", i / 3, triangles[i], pointCount );
			return false;
		}
	}
	return true;
}

static bool pnHasFacetArea( pnVec3d a, pnVec3d b, pnVec3d c )
{
	pnVec3d u = pnSubD( b, a ), v = pnSubD( c, a ), w = pnSubD( c, b );
	double longest2 = fmax( pnDotD( u, u ), fmax( pnDotD( v, v ), pnDotD( w, w ) ) );
	return pnLengthD( pnCrossD( u, v ) ) > PN_FLAT * longest2;
}

static pnResult pnKeepTriangles( const pnMeshCheck* m, const int32_t* groups, pnFacets* facets )
{
	pnFacets kept = { 0 };
	for ( int t = 0; t < m->triangleCount; ++t )
	{
		const int32_t* c = m->corners + 3 * (size_t)t;
		pnVec3d corners[3] = { m->points[c[0]], m->points[c[1]], m->points[c[2]] };
		if ( pnHasFacetArea( corners[0], corners[1], corners[2] ) && !pnAddFacet( &kept, corners, 3, groups != NULL ? groups[t] : 0 ) )
		{
			pnDestroyFacets( &kept );
			return pn_outOfMemory;
		}
	}
	if ( kept.count < 4 )
	{
		pnLog( "only %d of %d triangles have an area: they cannot bound a solid", kept.count, m->triangleCount );
		pnDestroyFacets( &kept );
		return pn_invalidInput;
	}
	*facets = kept;
	return pn_success;
}

pnResult pnMakeMeshFacets( const pnVec3d* points, int pointCount, const int32_t* triangles, int triangleCount, const int32_t* groups, pnFacets* facets )
{
	*facets = (pnFacets){ 0 };
	if ( !pnCheckMeshInput( points, pointCount, triangles, triangleCount ) )
	{
		return pn_invalidInput;
	}
	pnScratch scratch = { 0 };
	size_t sideCount = 3 * (size_t)triangleCount;
	pnMeshCheck m = { .points = points, .pointCount = pointCount, .triangleCount = triangleCount };
	m.lowest = pnTakeRawArray( &scratch, int32_t, pointCount );
	m.corners = pnTakeRawArray( &scratch, int32_t, sideCount );
	m.sets = pnTakeRawArray( &scratch, int32_t, triangleCount );
	m.keys = pnTakeRawArray( &scratch, uint64_t, sideCount );
	m.sides = pnTakeRawArray( &scratch, int32_t, sideCount );
	pnMeshPart* parts = pnTakeArray( &scratch, pnMeshPart, triangleCount );
	int32_t* list = pnTakeRawArray( &scratch, int32_t, triangleCount );
	double* windings = pnTakeRawArray( &scratch, double, triangleCount );
	pnResult result = scratch.failed || !pnWeldMesh( &m ) ? pn_outOfMemory : pn_success;
	for ( size_t i = 0; i < sideCount && result == pn_success; ++i )
	{
		m.corners[i] = m.lowest[triangles[i]];
	}
	if ( result == pn_success && !pnSortSides( &m ) )
	{
		result = pn_outOfMemory;
	}
	if ( result == pn_success )
	{
		int longest = pnCheckMeshEdges( &m );
		result = m.sideCount > 0 && longest == 0 ? pn_invalidInput : !pnFindMeshParts( &m, longest + 1 ) ? pn_outOfMemory : pn_success;
	}
	if ( result == pn_success )
	{
		pnMeasureMeshParts( &m, parts );
		pnFindPartDepths( &m, parts, list, windings );
		result = pnCheckTurns( &m, parts ) ? pnKeepTriangles( &m, groups, facets ) : pn_invalidInput;
	}
	pnGiveBack( &scratch );
	return result;
}
