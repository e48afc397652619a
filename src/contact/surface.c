// surface.c - triangles over particles made ready for contact: neighbours, sharp edges, and what the field needs. Knows rest positions; no bodies.
#include "surface.h"

#include "../base/cloud.h"
#include "cover.h"
#include "nearest.h"
#include "nodes.h"

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

typedef struct pnWaiting
{
	int32_t next; // 1 + the side before it in the same list
	uint32_t edge; // the other end, and which way the side runs
} pnWaiting;

// Each side waits at one end of its edge for the one that runs against it: at the end with fewer triangles, so that no list is long
// because of one corner that many share. degrees: of each particle, how many corners of triangles it is.
static bool pnFindNeighbors( const int32_t* triangles, int triangleCount, int particleCount, int32_t* neighbors, int32_t* degrees, bool* closed )
{
	pnScratch scratch = { 0 };
	int32_t* heads = pnTakeArray( &scratch, int32_t, particleCount ); // 1 + the last side that waits there
	pnWaiting* sides = pnTakeArray( &scratch, pnWaiting, 3 * (size_t)triangleCount );
	int waitingCount = 0;
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return false;
	}
	for ( int i = 0; i < 3 * triangleCount; ++i )
	{
		degrees[triangles[i]] += 1;
	}
	for ( int t = 0; t < triangleCount; ++t )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int side = 3 * t + k, from = triangles[3 * t + ( k + 1 ) % 3], to = triangles[3 * t + ( k + 2 ) % 3];
			bool ahead = degrees[from] < degrees[to] || ( degrees[from] == degrees[to] && from < to );
			int32_t *at = heads + ( ahead ? from : to ), *mate = NULL;
			uint32_t other = (uint32_t)( ahead ? to : from ) << 1;
			for ( int32_t* waiting = at; *waiting != 0; waiting = &sides[*waiting - 1].next )
			{
				mate = sides[*waiting - 1].edge == ( other | !ahead ) ? waiting : mate; // the last of them has waited longest
			}
			neighbors[side] = t;
			if ( mate != NULL )
			{
				int found = *mate - 1;
				neighbors[side] = found / 3;
				neighbors[found] = t;
				*mate = sides[found].next;
				waitingCount -= 1;
			}
			else
			{
				sides[side] = (pnWaiting){ *at, other | ahead };
				*at = side + 1;
				waitingCount += 1;
			}
		}
	}
	*closed = triangleCount > 0 && waitingCount == 0;
	pnGiveBack( &scratch );
	return true;
}

// ---- sizes ----

typedef struct pnMeasures
{
	pnAABB* boxes; // of each triangle
	double* normals; // 3 for each triangle, twice its area long
	double area, volume; // of all
} pnMeasures;

static void pnMeasureTriangles( const int32_t* triangles, int triangleCount, const pnVec3* rest, pnMeasures* m )
{
	for ( int t = 0; t < triangleCount; ++t )
	{
		const pnVec3 *a = rest + triangles[3 * t], *b = rest + triangles[3 * t + 1], *c = rest + triangles[3 * t + 2];
		double p[3] = { (double)a->x, (double)a->y, (double)a->z }, *n = m->normals + 3 * (size_t)t;
		double u[3] = { (double)b->x - p[0], (double)b->y - p[1], (double)b->z - p[2] }, v[3] = { (double)c->x - p[0], (double)c->y - p[1], (double)c->z - p[2] };
		pnCross3d( u, v, n );
		m->area += 0.5 * sqrt( pnDot3d( n, n ) );
		m->volume += pnDot3d( p, n ) / 6.0;
		m->boxes[t] = (pnAABB){ pnMin3( pnMin3( *a, *b ), *c ), pnMax3( pnMax3( *a, *b ), *c ) };
	}
}

static void pnSizeGrid( pnSurface* s, const pnVec3* rest, int particleCount, double area )
{
	pnAABB box = pnFindBounds( rest, particleCount );
	float low[3] = { box.lower.x, box.lower.y, box.lower.z }, high[3] = { box.upper.x, box.upper.y, box.upper.z };
	s->size = pnGetLargestExtent( box );
	s->thinnest = s->size;
	for ( int k = 0; k < 3; ++k )
	{
		float extent = high[k] - low[k];
		s->thinnest = extent < s->thinnest ? extent : s->thinnest;
	}
	// About as fine as the triangles are, and four nodes across along each axis: the walk over neighbours does the rest.
	float edge = (float)sqrt( 2.3 * area / ( s->triangleCount > 0 ? s->triangleCount : 1 ) ), diagonal2 = 0.0f;
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

// ---- sharp edges ----

// Vertices see only faces; an edge that meets an edge is seen by places along it. Smooth dense meshes need none. Lists the sides.
static int pnFindSharpSides( const int32_t* triangles, const int32_t* neighbors, int triangleCount, const double* normals, int32_t* sides )
{
	int count = 0;
	for ( int i = 0; i < 3 * triangleCount; ++i )
	{
		int t = i / 3, k = i % 3, mate = neighbors[i];
		if ( mate < t )
		{
			continue;
		}
		const double *n = normals + 3 * (size_t)t, *m = normals + 3 * (size_t)mate;
		double along = pnDot3d( n, m );
		bool smooth = mate != t && along > 0.0 && along * along > 0.75 * pnDot3d( n, n ) * pnDot3d( m, m ); // less than 30 degrees
		if ( !smooth && triangles[3 * t + ( k + 1 ) % 3] != triangles[3 * t + ( k + 2 ) % 3] )
		{
			sides[count++] = i;
		}
	}
	return count;
}

static int pnPlaceSamples( const int32_t* triangles, const pnVec3* rest, float size, const int32_t* sides, int sideCount, pnSample* samples )
{
	int count = 0;
	for ( int i = 0; i < sideCount; ++i )
	{
		int t = sides[i] / 3, k = sides[i] % 3, a = triangles[3 * t + ( k + 1 ) % 3], b = triangles[3 * t + ( k + 2 ) % 3];
		pnVec3 along = pnSub( rest[a], rest[b] );
		int places = (int)( __builtin_sqrtf( pnDot( along, along ) ) / ( 0.1f * size ) );
		places = places < 1 ? 1 : places > 15 ? 15 : places;
		for ( int p = 1; p <= places && samples != NULL; ++p )
		{
			samples[count + p - 1] = (pnSample){ a, b, (float)p / (float)( places + 1 ) };
		}
		count += places;
	}
	return count;
}

// ---- all of it ----

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
	pnMeasures measures = { 0 };
	const pnVec3* rest = source->rest;
	int32_t *triangles = NULL, *skin = NULL, *neighbors = NULL, *degrees = NULL, *sharp = NULL;
	int sharpCount = 0;
	bool closed = false, fine = pnChooseTriangles( source, &scratch, &s, &triangles, &skin );
	if ( fine )
	{
		neighbors = pnTakeArray( &scratch, int32_t, 3 * (size_t)s.triangleCount );
		degrees = pnTakeArray( &scratch, int32_t, source->particleCount );
		sharp = pnTakeArray( &scratch, int32_t, 3 * (size_t)s.triangleCount );
		measures.boxes = pnTakeArray( &scratch, pnAABB, s.triangleCount );
		measures.normals = pnTakeArray( &scratch, double, 3 * (size_t)s.triangleCount );
		fine = !scratch.failed && pnFindNeighbors( triangles, s.triangleCount, source->particleCount, neighbors, degrees, &closed );
	}
	if ( fine )
	{
		pnMeasureTriangles( triangles, s.triangleCount, rest, &measures );
		pnSizeGrid( &s, rest, source->particleCount, measures.area );
		s.quadCount = ( source->particleCount + 3 ) / 4;
		s.tetrahedronCount = source->tetrahedronCount;
		s.restCount = 4 * s.quadCount + 1;
		s.treeCount = pnCountTreeNodes( s.triangleCount );
		s.size = s.size > 1e-6f ? s.size : 0.02f; // a lone point is a grain
		s.thickness = source->thickness >= 0.0f ? source->thickness : 0.01f * s.size;
		s.thinnest = s.thinnest > 2.0f * s.thickness ? s.thinnest : 2.0f * s.thickness; // sheets and lines are as thick as what they keep free
		double size = (double)s.size;
		s.closed = closed && measures.volume > 1e-9 * size * size * size;
		sharpCount = pnFindSharpSides( triangles, neighbors, s.triangleCount, measures.normals, sharp );
		s.sampleCount = pnPlaceSamples( triangles, rest, s.size, sharp, sharpCount, NULL );
		fine = pnAllocSurface( &s );
	}
	if ( fine && !pnBuildTree( &s, measures.boxes, &scratch ) )
	{
		pnFreeSurface( &s );
		fine = false;
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
		for ( int i = 0; i < source->particleCount; ++i )
		{
			s.vertexCount += degrees[i] > 0;
			s.vertexMask[i / 4] |= (uint8_t)( ( degrees[i] > 0 ) << ( i % 4 ) );
		}
		memcpy( s.rest, rest, (size_t)source->particleCount * sizeof( pnVec3 ) );
		pnPlaceSamples( triangles, rest, s.size, sharp, sharpCount, s.samples );
		*out = s;
	}
	pnGiveBack( &scratch );
	return fine;
}
