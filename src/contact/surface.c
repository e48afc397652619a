// surface.c - triangles over particles made ready for contact: neighbours, sharp edges, and the field. Knows rest positions; no bodies.
#include "surface.h"

#include "../base/cloud.h"
#include "cover.h"
#include "nearest.h"

#include <math.h>

// ---- lifetime ----

void pnFreeSurface( pnSurface* surface )
{
	PN_NAME_SURFACE_COUNTS( surface );
#define PN_FREE( T, name, count )                                                                                        \
	pnFreeArray( T, surface->name, count );                                                                              \
	surface->name = NULL;
	PN_SURFACE_ARRAYS( PN_FREE )
#undef PN_FREE
}

static bool pnAllocSurface( pnSurface* surface )
{
	PN_NAME_SURFACE_COUNTS( surface );
	bool done = true;
#define PN_ALLOC( T, name, count )                                                                                       \
	surface->name = done ? pnAllocArray( T, count ) : NULL;                                                              \
	done = surface->name != NULL;
	PN_SURFACE_ARRAYS( PN_ALLOC )
#undef PN_ALLOC
	if ( !done )
	{
		pnFreeSurface( surface );
	}
	return done;
}

size_t pnGetSurfaceBytes( const pnSurface* surface )
{
	PN_NAME_SURFACE_COUNTS( surface );
	size_t bytes = 0;
#define PN_ADD( T, name, count ) bytes += (size_t)( count ) * sizeof( T );
	PN_SURFACE_ARRAYS( PN_ADD )
#undef PN_ADD
	return bytes;
}

// ---- neighbours ----

// Edges as keys, so that the two sides of one come together when sorted.
static bool pnFindNeighbors( const int32_t* triangles, int triangleCount, int32_t* neighbors, bool* closed )
{
	pnScratch scratch = { 0 };
	int count = 3 * triangleCount;
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, count );
	uint64_t* spareKeys = pnTakeArray( &scratch, uint64_t, count );
	int32_t* sides = pnTakeArray( &scratch, int32_t, count );
	int32_t* spareSides = pnTakeArray( &scratch, int32_t, count );
	bool fine = !scratch.failed;
	for ( int i = 0; i < count && fine; ++i )
	{
		int t = i / 3, k = i % 3;
		uint32_t u = (uint32_t)triangles[3 * t + ( k + 1 ) % 3], v = (uint32_t)triangles[3 * t + ( k + 2 ) % 3];
		keys[i] = u < v ? (uint64_t)u << 32 | v : (uint64_t)v << 32 | u;
		sides[i] = i;
		neighbors[i] = t;
	}
	*closed = fine && triangleCount > 0;
	if ( fine )
	{
		pnSortByKey( keys, sides, spareKeys, spareSides, count );
	}
	for ( int begin = 0, end; begin < count && fine; begin = end )
	{
		for ( end = begin; end < count && keys[end] == keys[begin]; ++end )
		{
		}
		// Sides that run against each other are mates, the first free one of each; what is left over is open.
		for ( int i = begin; i < end; ++i )
		{
			int side = sides[i], from = triangles[3 * ( side / 3 ) + ( side % 3 + 1 ) % 3];
			bool mated = neighbors[side] != side / 3;
			for ( int j = i + 1; j < end && !mated; ++j )
			{
				int other = sides[j], to = triangles[3 * ( other / 3 ) + ( other % 3 + 2 ) % 3];
				if ( neighbors[other] == other / 3 && to == from )
				{
					neighbors[side] = other / 3;
					neighbors[other] = side / 3;
					mated = true;
				}
			}
			*closed = *closed && mated;
		}
	}
	pnGiveBack( &scratch );
	return fine;
}

// ---- the field ----

typedef struct pnFieldBuild
{
	pnSurface* surface;
	const pnVec3* rest;
	double* distance2; // of each node
	double* faceNormal; // 3 for each triangle, unit or zero
	double* cornerNormal; // 3 for each particle: face normals weighted by angle
} pnFieldBuild;

static void pnLoadCorner( const pnVec3* rest, int particle, double out[3] )
{
	out[0] = (double)rest[particle].x, out[1] = (double)rest[particle].y, out[2] = (double)rest[particle].z;
}

static void pnNodePlace( const pnSurface* s, const int at[3], double place[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		place[k] = (double)s->lower[k] + (double)s->cells[k] * at[k];
	}
}

static double pnTriangleDistance2( const pnFieldBuild* build, int triangle, const double place[3], double weights[3] )
{
	const int32_t* t = build->surface->triangles + 3 * (size_t)triangle;
	double a[3], b[3], c[3];
	pnLoadCorner( build->rest, t[0], a );
	pnLoadCorner( build->rest, t[1], b );
	pnLoadCorner( build->rest, t[2], c );
	return pnNearestOnTriangle( place, a, b, c, weights );
}

static void pnOffer( pnFieldBuild* build, const int at[3], int triangle )
{
	pnSurface* s = build->surface;
	size_t node = ( (size_t)at[2] * (size_t)s->grid[1] + (size_t)at[1] ) * (size_t)s->grid[0] + (size_t)at[0];
	if ( triangle < 0 || s->nodeTriangle[node] == triangle )
	{
		return;
	}
	double place[3], weights[3];
	pnNodePlace( s, at, place );
	double d2 = pnTriangleDistance2( build, triangle, place, weights );
	if ( d2 < build->distance2[node] )
	{
		build->distance2[node] = d2;
		s->nodeTriangle[node] = triangle;
	}
}

// Nodes around each triangle ask it; the others learn from their neighbours, sweep by sweep.
static void pnSpreadField( pnFieldBuild* build )
{
	pnSurface* s = build->surface;
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		int low[3], high[3], at[3];
		for ( int k = 0; k < 3; ++k )
		{
			float least = 1e30f, most = -1e30f;
			for ( int c = 0; c < 3; ++c )
			{
				float x = pnGetAxis( build->rest + s->triangles[3 * t + c], k );
				least = x < least ? x : least, most = x > most ? x : most;
			}
			low[k] = (int)( ( least - s->lower[k] ) * s->perCell[k] ), high[k] = (int)( ( most - s->lower[k] ) * s->perCell[k] ) + 1;
			low[k] = low[k] < 0 ? 0 : low[k], high[k] = high[k] < s->grid[k] ? high[k] : s->grid[k] - 1;
		}
		for ( at[2] = low[2]; at[2] <= high[2]; ++at[2] )
			for ( at[1] = low[1]; at[1] <= high[1]; ++at[1] )
				for ( at[0] = low[0]; at[0] <= high[0]; ++at[0] )
				{
					pnOffer( build, at, t );
				}
	}
	int row = s->grid[0], layer = s->grid[0] * s->grid[1];
	for ( int sweep = 0; sweep < 16; ++sweep )
	{
		int back[3] = { sweep & 1, sweep >> 1 & 1, sweep >> 2 & 1 }, at[3];
		for ( int z = 0; z < s->grid[2]; ++z )
			for ( int y = 0; y < s->grid[1]; ++y )
				for ( int x = 0; x < s->grid[0]; ++x )
				{
					at[0] = back[0] ? s->grid[0] - 1 - x : x, at[1] = back[1] ? s->grid[1] - 1 - y : y, at[2] = back[2] ? s->grid[2] - 1 - z : z;
					int node = at[2] * layer + at[1] * row + at[0];
					if ( x > 0 ) pnOffer( build, at, s->nodeTriangle[node + ( back[0] ? 1 : -1 )] );
					if ( y > 0 ) pnOffer( build, at, s->nodeTriangle[node + ( back[1] ? row : -row )] );
					if ( z > 0 ) pnOffer( build, at, s->nodeTriangle[node + ( back[2] ? layer : -layer )] );
				}
	}
}

static void pnFindNormals( pnFieldBuild* build )
{
	const pnSurface* s = build->surface;
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		double p[3][3], *n = build->faceNormal + 3 * (size_t)t;
		for ( int k = 0; k < 3; ++k )
		{
			pnLoadCorner( build->rest, s->triangles[3 * t + k], p[k] );
		}
		double e1[3], e2[3];
		for ( int k = 0; k < 3; ++k )
		{
			e1[k] = p[1][k] - p[0][k], e2[k] = p[2][k] - p[0][k];
		}
		pnCross3d( e1, e2, n );
		double length = sqrt( pnDot3d( n, n ) );
		for ( int k = 0; k < 3; ++k )
		{
			n[k] = length > 0.0 ? n[k] / length : 0.0;
		}
		for ( int c = 0; c < 3; ++c )
		{
			double u[3], v[3];
			for ( int k = 0; k < 3; ++k )
			{
				u[k] = p[( c + 1 ) % 3][k] - p[c][k], v[k] = p[( c + 2 ) % 3][k] - p[c][k];
			}
			// 1 - cos grows with the angle as the angle does, and needs no arc cosine; the sign is right for the same reason.
			double scale = sqrt( pnDot3d( u, u ) * pnDot3d( v, v ) ), wide = scale > 0.0 ? 1.0 - pnDot3d( u, v ) / scale : 0.0;
			for ( int k = 0; k < 3; ++k )
			{
				build->cornerNormal[3 * (size_t)s->triangles[3 * t + c] + k] += sqrt( wide > 0.0 ? wide : 0.0 ) * n[k];
			}
		}
	}
}

// Inside or outside: by the normal of the feature that is nearest (Baerentzen and Aanaes 2005).
static void pnSignField( pnFieldBuild* build )
{
	pnSurface* s = build->surface;
	int at[3], node = 0;
	for ( at[2] = 0; at[2] < s->grid[2]; ++at[2] )
		for ( at[1] = 0; at[1] < s->grid[1]; ++at[1] )
			for ( at[0] = 0; at[0] < s->grid[0]; ++at[0], ++node )
			{
				int t = s->nodeTriangle[node], corners = 0, away = 0;
				double place[3], w[3], normal[3] = { 0 }, side = 0.0;
				pnNodePlace( s, at, place );
				pnTriangleDistance2( build, t, place, w );
				for ( int k = 0; k < 3; ++k )
				{
					corners += w[k] > 1e-9;
					away = w[k] > 1e-9 ? away : k; // the corner it is farthest from, if on an edge
				}
				const double* face = build->faceNormal + 3 * (size_t)t;
				const double* mate = build->faceNormal + 3 * (size_t)s->neighbors[3 * t + away];
				for ( int k = 0; k < 3; ++k )
				{
					int corner = w[0] > 0.5 ? 0 : w[1] > 0.5 ? 1 : 2;
					normal[k] = corners == 3 ? face[k] : corners == 2 ? face[k] + mate[k] : build->cornerNormal[3 * (size_t)s->triangles[3 * t + corner] + k];
				}
				for ( int k = 0; k < 3; ++k )
				{
					double foot = 0.0;
					for ( int c = 0; c < 3; ++c )
					{
						double p[3];
						pnLoadCorner( build->rest, s->triangles[3 * t + c], p );
						foot += w[c] * p[k];
					}
					side += normal[k] * ( place[k] - foot );
				}
				double distance = sqrt( build->distance2[node] );
				s->nodeDistance[node] = (float)( s->closed && side < 0.0 ? -distance : distance );
			}
}

// ---- sharp edges ----

// Vertices see only faces; an edge that meets an edge is seen by places along it. Smooth dense meshes need none.
static int pnPlaceSamples( const pnFieldBuild* build, pnSample* samples )
{
	const pnSurface* s = build->surface;
	const double sharp = 0.8660254; // cosine of 30 degrees
	int count = 0;
	for ( int i = 0; i < 3 * s->triangleCount; ++i )
	{
		int t = i / 3, k = i % 3, mate = s->neighbors[i];
		int a = s->triangles[3 * t + ( k + 1 ) % 3], b = s->triangles[3 * t + ( k + 2 ) % 3];
		bool open = mate == t;
		if ( a == b || mate < t || ( !open && pnDot3d( build->faceNormal + 3 * (size_t)t, build->faceNormal + 3 * (size_t)mate ) > sharp ) )
		{
			continue;
		}
		pnVec3 along = pnSub( build->rest[a], build->rest[b] );
		int places = (int)( __builtin_sqrtf( pnDot( along, along ) ) / ( 0.1f * s->size ) );
		places = places < 1 ? 1 : places > 15 ? 15 : places;
		for ( int p = 1; p <= places; ++p )
		{
			if ( samples != NULL )
			{
				samples[count] = (pnSample){ a, b, (float)p / (float)( places + 1 ) };
			}
			count += 1;
		}
	}
	return count;
}

// ---- all of it ----

static void pnSizeGrid( pnSurface* s, const pnVec3* rest, int particleCount )
{
	pnAABB box = pnFindBounds( rest, particleCount );
	float low[3] = { box.lower.x, box.lower.y, box.lower.z }, high[3] = { box.upper.x, box.upper.y, box.upper.z }, area = 0.0f;
	s->size = pnGetLargestExtent( box );
	s->thinnest = s->size;
	for ( int k = 0; k < 3; ++k )
	{
		float extent = high[k] - low[k];
		s->thinnest = extent < s->thinnest ? extent : s->thinnest;
	}
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* c = s->triangles + 3 * (size_t)t;
		pnVec3 n = pnCross( pnSub( rest[c[1]], rest[c[0]] ), pnSub( rest[c[2]], rest[c[0]] ) );
		area += 0.5f * __builtin_sqrtf( pnDot( n, n ) );
	}
	// About as fine as the triangles are, and four nodes across along each axis: the walk over neighbours does the rest.
	float edge = __builtin_sqrtf( 2.3f * area / (float)( s->triangleCount > 0 ? s->triangleCount : 1 ) ), diagonal2 = 0.0f;
	float cell = 0.5f * edge, size = s->size > 1e-20f ? s->size : 1.0f;
	cell = cell < size / 40.0f ? size / 40.0f : cell > size / 6.0f ? size / 6.0f : cell;
	s->nodeCount = 1;
	for ( int k = 0; k < 3; ++k )
	{
		float extent = high[k] - low[k], finest = extent > size / 50.0f ? 0.3f * extent : size / 160.0f;
		float own = cell < finest ? cell : finest, margin = 4.0f * own < 0.15f * size ? 4.0f * own : 0.15f * size;
		s->cells[k] = own;
		s->perCell[k] = 1.0f / own;
		s->lower[k] = low[k] - margin;
		s->grid[k] = (int)( ( extent + 2.0f * margin ) * s->perCell[k] ) + 2;
		s->nodeCount *= s->grid[k];
		diagonal2 += own * own;
	}
	s->cell = 0.5f * __builtin_sqrtf( diagonal2 );
}

// Triangles with area, or what stands for a surface where there is none.
static bool pnChooseTriangles( const pnSurfaceSource* source, pnScratch* scratch, pnSurface* s, int32_t** triangles, int32_t** skin )
{
	*triangles = pnTakeArray( scratch, int32_t, 3 * (size_t)source->triangleCount );
	*skin = pnTakeArray( scratch, int32_t, source->triangleCount );
	if ( scratch->failed )
	{
		return false;
	}
	for ( int t = 0; t < source->triangleCount; ++t )
	{
		const int32_t* c = source->triangles + 3 * (size_t)t;
		if ( c[0] != c[1] && c[1] != c[2] && c[2] != c[0] )
		{
			memcpy( *triangles + 3 * (size_t)s->triangleCount, c, 3 * sizeof( int32_t ) );
			( *skin )[s->triangleCount++] = t;
		}
	}
	if ( s->triangleCount > 0 )
	{
		return true;
	}
	if ( !pnCoverPoints( source->rest, source->particleCount, scratch, triangles, &s->triangleCount ) )
	{
		return false;
	}
	*skin = pnTakeArray( scratch, int32_t, s->triangleCount );
	for ( int t = 0; t < s->triangleCount && !scratch->failed; ++t )
	{
		( *skin )[t] = -1;
	}
	return !scratch->failed;
}

bool pnBuildSurface( const pnSurfaceSource* source, pnSurface* out )
{
	pnScratch scratch = { 0 };
	pnSurface s = { 0 };
	int32_t *triangles = NULL, *skin = NULL, *neighbors = NULL;
	bool closed = false, fine = pnChooseTriangles( source, &scratch, &s, &triangles, &skin );
	if ( fine )
	{
		neighbors = pnTakeArray( &scratch, int32_t, 3 * (size_t)s.triangleCount );
		fine = !scratch.failed && pnFindNeighbors( triangles, s.triangleCount, neighbors, &closed );
	}
	pnFieldBuild build = { &s, source->rest, NULL, NULL, NULL };
	if ( fine )
	{
		s.triangles = triangles, s.neighbors = neighbors;
		pnSizeGrid( &s, source->rest, source->particleCount );
		s.quadCount = ( source->particleCount + 3 ) / 4;
		s.tetrahedronCount = source->tetrahedronCount;
		s.restCount = 4 * s.quadCount + 1;
		s.size = s.size > 1e-6f ? s.size : 0.02f; // a lone point is a grain
		s.thickness = source->thickness >= 0.0f ? source->thickness : 0.01f * s.size;
		s.thinnest = s.thinnest > 2.0f * s.thickness ? s.thinnest : 2.0f * s.thickness; // sheets and lines are as thick as what they keep free
		build.distance2 = pnTakeArray( &scratch, double, s.nodeCount );
		build.faceNormal = pnTakeArray( &scratch, double, 3 * (size_t)s.triangleCount );
		build.cornerNormal = pnTakeArray( &scratch, double, 3 * (size_t)source->particleCount );
		fine = !scratch.failed;
	}
	if ( fine )
	{
		pnFindNormals( &build );
		double volume = 0.0;
		for ( int t = 0; t < s.triangleCount; ++t )
		{
			double p[3][3], n[3];
			for ( int k = 0; k < 3; ++k )
			{
				pnLoadCorner( source->rest, triangles[3 * t + k], p[k] );
			}
			pnCross3d( p[1], p[2], n );
			volume += pnDot3d( p[0], n ) / 6.0;
		}
		double size = (double)s.size;
		s.closed = closed && volume > 1e-9 * size * size * size;
		s.sampleCount = pnPlaceSamples( &build, NULL );
		s.triangles = s.neighbors = NULL;
		fine = pnAllocSurface( &s );
	}
	if ( fine )
	{
		memcpy( s.triangles, triangles, 3 * (size_t)s.triangleCount * sizeof( int32_t ) );
		memcpy( s.neighbors, neighbors, 3 * (size_t)s.triangleCount * sizeof( int32_t ) );
		memcpy( s.skinTriangle, skin, (size_t)s.triangleCount * sizeof( int32_t ) );
		if ( s.tetrahedronCount > 0 )
		{
			memcpy( s.tetrahedra, source->tetrahedra, 4 * (size_t)s.tetrahedronCount * sizeof( int32_t ) );
		}
		for ( int i = 0; i < 3 * s.triangleCount; ++i )
		{
			int particle = triangles[i];
			uint8_t bit = (uint8_t)( 1u << ( particle % 4 ) );
			s.vertexCount += ( s.vertexMask[particle / 4] & bit ) == 0;
			s.vertexMask[particle / 4] |= bit;
		}
		memcpy( s.rest, source->rest, (size_t)source->particleCount * sizeof( pnVec3 ) );
		pnPlaceSamples( &build, s.samples );
		for ( int i = 0; i < s.nodeCount; ++i )
		{
			build.distance2[i] = 1e300;
			s.nodeTriangle[i] = -1;
		}
		pnSpreadField( &build );
		pnSignField( &build );
		*out = s;
	}
	pnGiveBack( &scratch );
	return fine;
}
