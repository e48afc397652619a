// surface.c - triangles over particles made ready for contact: neighbours, sharp edges, and what the field needs. Knows rest positions; no bodies.
#include "surface.h"

#include "../base/cloud.h"
#include "cover.h"
#include "edges.h"
#include "lips.h"
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
	pnFreeArray( pnSample, surface->samples, surface->sampleCount );
	pnFreeArray( pnLip, surface->lips, surface->lipCount );
	pnFreeArray( _Atomic uint8_t, surface->runs, surface->runCount );
	pnFreeArray( _Atomic uint64_t, surface->nodes, PN_RUN * (size_t)surface->runCount );
	pnFreeArray( pnEdge, surface->edges, surface->edgeCount );
	pnFreeArray( int32_t, surface->edgeStarts, surface->edgeGroupCount + 1 );
	surface->samples = NULL, surface->lips = NULL, surface->edges = NULL, surface->edgeStarts = NULL, surface->runs = NULL, surface->nodes = NULL;
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
	return done;
}

size_t pnGetSurfaceBytes( const pnSurface* surface )
{
	PN_NAME_SURFACE_COUNTS( surface );
	size_t bytes = (size_t)surface->sampleCount * sizeof( pnSample ) + (size_t)surface->lipCount * sizeof( pnLip ) + (size_t)surface->edgeCount * sizeof( pnEdge ) + ( surface->edgeStarts != NULL ? (size_t)surface->edgeGroupCount + 1 : 0 ) * sizeof( int32_t ) + (size_t)surface->runCount * ( 1 + PN_RUN * sizeof( uint64_t ) );
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
static bool pnFindNeighbors( pnSurface* s, int particleCount, int32_t* degrees )
{
	pnScratch scratch = { 0 };
	const int32_t* triangles = s->triangles;
	int triangleCount = s->triangleCount;
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
			s->neighbors[side] = t;
			if ( mate != NULL )
			{
				int found = *mate - 1;
				s->neighbors[side] = found / 3;
				s->neighbors[found] = t;
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
	s->closed = triangleCount > 0 && waitingCount == 0;
	pnGiveBack( &scratch );
	return true;
}

// ---- sizes ----

// Normals twice as long as the triangles are large; the sums of areas and of volumes.
static void pnMeasureTriangles( const pnSurface* s, pnVec3* normals, double* area, double* volume )
{
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		const int32_t* corners = s->triangles + 3 * (size_t)t;
		const pnVec3 *a = s->rest + corners[0], *b = s->rest + corners[1], *c = s->rest + corners[2];
		double p[3] = { (double)a->x, (double)a->y, (double)a->z }, n[3];
		double u[3] = { (double)b->x - p[0], (double)b->y - p[1], (double)b->z - p[2] }, v[3] = { (double)c->x - p[0], (double)c->y - p[1], (double)c->z - p[2] };
		pnCross3d( u, v, n );
		normals[t] = pnMakeVec3( (float)n[0], (float)n[1], (float)n[2] );
		*area += 0.5 * sqrt( pnDot3d( n, n ) );
		*volume += pnDot3d( p, n ) / 6.0;
	}
}

static void pnSizeGrid( pnSurface* s, int particleCount, double area )
{
	pnAABB box = pnFindBounds( s->rest, particleCount );
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

// Vertices see only faces; an edge that meets an edge is seen by places along it. Smooth dense meshes need none. For each triangle: bit k
// set if the edge opposite corner k is sharp and no triangle before it has it.
static bool pnFindSharpEdges( const pnSurface* s, const pnVec3* normals, uint8_t* sharp )
{
	uint8_t any = 0;
	for ( int t = 0; t < s->triangleCount; ++t )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int mate = s->neighbors[3 * t + k];
			if ( mate < t )
			{
				continue;
			}
			double n[3] = { (double)normals[t].x, (double)normals[t].y, (double)normals[t].z }, m[3] = { (double)normals[mate].x, (double)normals[mate].y, (double)normals[mate].z };
			double along = pnDot3d( n, m );
			bool smooth = mate != t && along > 0.0 && along * along > 0.75 * pnDot3d( n, n ) * pnDot3d( m, m ); // less than 30 degrees
			bool edge = s->triangles[3 * t + ( k + 1 ) % 3] != s->triangles[3 * t + ( k + 2 ) % 3];
			sharp[t] |= (uint8_t)( ( edge && !smooth ) << k );
		}
		any |= sharp[t];
	}
	return any != 0;
}

// Edges and corners that stand out: they are nearest to places outside only, whatever the faces beside them look like when they are crushed. bends: of
// each particle, for the time being.
static void pnFindRidges( pnSurface* s, const pnVec3* normals, int32_t* bends )
{
	enum { out = 1, in = 1 << 16 }; // counted together
	for ( int i = 0; i < 3 * s->triangleCount; ++i )
	{
		int t = i / 3, k = i % 3, mate = s->neighbors[i];
		double n[3] = { (double)normals[t].x, (double)normals[t].y, (double)normals[t].z }, m[3] = { (double)normals[mate].x, (double)normals[mate].y, (double)normals[mate].z };
		double along = pnDot3d( n, m );
		const int32_t *own = s->triangles + 3 * (size_t)t, *other = s->triangles + 3 * (size_t)mate;
		if ( mate == t || ( along > 0.0 && along * along > 0.75 * pnDot3d( n, n ) * pnDot3d( m, m ) ) )
		{
			continue;
		}
		int a = own[( k + 1 ) % 3], b = own[( k + 2 ) % 3], tip = other[0] != a && other[0] != b ? other[0] : other[1] != a && other[1] != b ? other[1] : other[2];
		pnVec3 way = pnSub( s->rest[tip], s->rest[a] );
		double w[3] = { (double)way.x, (double)way.y, (double)way.z };
		bool standsOut = pnDot3d( n, w ) < 0.0;
		s->ridges[t] |= (uint16_t)( 1 << ( standsOut ? k : 6 + k ) );
		bends[a] += standsOut ? out : in;
		bends[b] += standsOut ? out : in;
	}
	for ( int i = 0; i < 3 * s->triangleCount; ++i )
	{
		int32_t bend = bends[s->triangles[i]];
		s->ridges[i / 3] |= (uint16_t)( ( bend >= 4 * out && bend < in ) << ( 3 + i % 3 ) ); // two edges at least, each met from both sides
	}
}

static int pnPlaceSamples( const pnSurface* s, const uint8_t* sharp, pnSample* samples )
{
	int count = 0;
	for ( int i = 0; i < 3 * s->triangleCount; ++i )
	{
		int t = i / 3, k = i % 3;
		if ( ( sharp[t] >> k & 1 ) == 0 )
		{
			continue;
		}
		int a = s->triangles[3 * t + ( k + 1 ) % 3], b = s->triangles[3 * t + ( k + 2 ) % 3];
		pnVec3 along = pnSub( s->rest[a], s->rest[b] );
		float length = __builtin_sqrtf( pnDot( along, along ) );
		int places = (int)( length / ( 0.1f * s->size ) );
		places = places < 1 ? length > 0.05f * s->size : places > 15 ? 15 : places; // the ends of short edges are near enough
		for ( int p = 1; p <= places && samples != NULL; ++p )
		{
			samples[count + p - 1] = (pnSample){ a, b, (float)p / (float)( places + 1 ) };
		}
		count += places;
	}
	return count;
}

// Pieces of one cut have their rims in one place. A point there is at the very edge of the other's face: a hair's breadth aside, and it passes beside it. So there are samples a little inside of
// the rims, along the edges that lead away from them. rims: of each particle, whether it is on a sharp edge.
static int pnPlaceInner( const pnSurface* s, const uint8_t* sharp, uint8_t* rims, pnSample* samples )
{
	static const float inset = 0.25f; // of such an edge
	int count = 0;
	for ( int i = 0; i < 3 * s->triangleCount; ++i )
	{
		if ( ( sharp[i / 3] >> i % 3 & 1 ) != 0 )
		{
			rims[s->triangles[i - i % 3 + ( i + 1 ) % 3]] = rims[s->triangles[i - i % 3 + ( i + 2 ) % 3]] = 1;
		}
	}
	for ( int i = 0; i < 3 * s->triangleCount; ++i )
	{
		int32_t a = s->triangles[i - i % 3 + ( i + 1 ) % 3], b = s->triangles[i - i % 3 + ( i + 2 ) % 3];
		if ( s->neighbors[i] < i / 3 || rims[a] == rims[b] || s->neighbors[i] == i / 3 )
		{
			continue;
		}
		if ( samples != NULL )
		{
			samples[count] = (pnSample){ a, b, rims[a] != 0 ? 1.0f - inset : inset };
		}
		count += 1;
	}
	return count;
}

// ---- all of it ----

static bool pnHasArea( const int32_t* c ) { return c[0] != c[1] && c[1] != c[2] && c[2] != c[0]; }

// Triangles with area, or what stands for a surface where there is none; and memory for what comes with them.
static bool pnTakeTriangles( const pnSurfaceSource* source, pnSurface* s )
{
	pnScratch scratch = { 0 };
	int32_t* cover = NULL;
	uint8_t* outer = NULL;
	bool fine = true;
	for ( int t = 0; t < source->triangleCount; ++t )
	{
		s->triangleCount += pnHasArea( source->triangles + 3 * (size_t)t );
	}
	bool own = s->triangleCount > 0;
	fine = own || pnCoverPoints( source->rest, source->particleCount, &scratch, &cover, &s->triangleCount, &outer );
	s->quadCount = ( source->particleCount + 3 ) / 4;
	s->tetrahedronCount = source->tetrahedronCount;
	s->restCount = 4 * s->quadCount + 1;
	s->treeCount = pnCountTreeNodes( s->triangleCount );
	fine = fine && pnAllocSurface( s );
	for ( int t = 0, to = 0; fine && t < ( own ? source->triangleCount : s->triangleCount ); ++t )
	{
		const int32_t* c = ( own ? source->triangles : cover ) + 3 * (size_t)t;
		if ( !own || pnHasArea( c ) )
		{
			memcpy( s->triangles + 3 * (size_t)to, c, 3 * sizeof( int32_t ) );
			s->skinTriangle[to++] = own ? t : -1;
		}
	}
	for ( int i = 0; fine && !own && i < source->particleCount; ++i )
	{
		s->vertexMask[i / 4] |= (uint8_t)( outer[i] << ( i % 4 ) );
	}
	pnGiveBack( &scratch );
	return fine;
}

static bool pnFillLips( const pnSurfaceSource* source, pnScratch* scratch, pnSurface* s )
{
	int count = 0;
	pnLip* lips = pnTakeRawArray( scratch, pnLip, source->linkStart != NULL ? source->particleCount : 1 );
	if ( scratch->failed || !pnFindLipsOf( source, scratch, lips, &count ) )
	{
		return false;
	}
	s->lips = pnAllocArray( pnLip, count );
	s->lipCount = s->lips != NULL ? count : 0;
	if ( s->lipCount > 0 )
	{
		memcpy( s->lips, lips, (size_t)count * sizeof( pnLip ) );
	}
	return s->lips != NULL;
}

static bool pnFillSurface( const pnSurfaceSource* source, pnScratch* scratch, pnSurface* s )
{
	int32_t* degrees = pnTakeArray( scratch, int32_t, source->particleCount );
	pnVec3* normals = pnTakeArray( scratch, pnVec3, s->triangleCount );
	uint8_t* sharp = pnTakeArray( scratch, uint8_t, s->triangleCount );
	if ( scratch->failed || !pnFindNeighbors( s, source->particleCount, degrees ) )
	{
		return false;
	}
	memcpy( s->rest, source->rest, (size_t)source->particleCount * sizeof( pnVec3 ) );
	if ( s->tetrahedronCount > 0 )
	{
		memcpy( s->tetrahedra, source->tetrahedra, 4 * (size_t)s->tetrahedronCount * sizeof( int32_t ) );
	}
	for ( int i = 0; i < source->particleCount; ++i )
	{
		s->vertexRank[i / 4] = i % 4 == 0 ? s->vertexCount : s->vertexRank[i / 4];
		s->vertexMask[i / 4] |= (uint8_t)( ( degrees[i] > 0 ) << ( i % 4 ) );
		s->vertexCount += s->vertexMask[i / 4] >> ( i % 4 ) & 1;
	}
	double area = 0.0, volume = 0.0;
	pnMeasureTriangles( s, normals, &area, &volume );
	pnSizeGrid( s, source->particleCount, area );
	s->size = s->size > 1e-6f ? s->size : 0.02f; // a lone point is a grain
	s->thickness = source->thickness >= 0.0f ? source->thickness : 0.01f * s->size;
	s->thinnest = s->thinnest > 2.0f * s->thickness ? s->thinnest : 2.0f * s->thickness; // sheets and lines are as thick as what they keep free
	double size = (double)s->size;
	s->closed = s->closed && volume > 1e-9 * size * size * size;
	bool any = pnFindSharpEdges( s, normals, sharp );
	memset( degrees, 0, (size_t)source->particleCount * sizeof( int32_t ) );
	pnFindRidges( s, normals, degrees );
	uint8_t* rims = pnTakeArray( scratch, uint8_t, source->particleCount );
	if ( scratch->failed )
	{
		return false;
	}
	int sampleCount = any ? pnPlaceSamples( s, sharp, NULL ) : 0, innerCount = any && source->piece && s->closed ? pnPlaceInner( s, sharp, rims, NULL ) : 0;
	s->samples = pnAllocArray( pnSample, sampleCount + innerCount );
	s->sampleCount = s->samples != NULL ? sampleCount + innerCount : 0;
	if ( s->sampleCount > 0 )
	{
		pnPlaceSamples( s, sharp, s->samples );
	}
	if ( s->sampleCount > 0 && innerCount > 0 )
	{
		pnPlaceInner( s, sharp, rims, s->samples + sampleCount );
	}
	return s->samples != NULL && pnBuildTree( s, scratch ) && pnListEdges( s ) && pnFillLips( source, scratch, s );
}

bool pnBuildSurface( const pnSurfaceSource* source, pnSurface* out )
{
	pnScratch scratch = { 0 };
	pnSurface s = { 0 };
	bool fine = pnTakeTriangles( source, &s ) && pnFillSurface( source, &scratch, &s );
	pnGiveBack( &scratch );
	if ( fine )
	{
		s.runCount = ( s.nodeCount + PN_RUN - 1 ) / PN_RUN;
		s.runs = pnAllocArray( _Atomic uint8_t, s.runCount );
		s.nodes = (_Atomic uint64_t*)pnAllocRaw( PN_RUN * (size_t)s.runCount, sizeof( uint64_t ) );
		fine = s.runs != NULL && s.nodes != NULL;
	}
	if ( fine )
	{
		*out = s;
	}
	else
	{
		pnFreeSurface( &s );
	}
	return fine;
}
