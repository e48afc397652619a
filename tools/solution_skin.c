// solution_skin.c - a problem's skin made fit to look at: long edges divided, creases split, clouds as discs. Knows no answers.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "solution.h"

#include "../src/kelvin/vec3d.h"

#include <stdlib.h>
#include <string.h>

enum
{
	PN_MAX_SHOWN_TRIANGLES = 120000,
	PN_DISC_CORNERS = 8,
};
#define PN_EDGES_TO_DIAGONAL 36.0 // so short are edges that a bent beam looks bent
#define PN_CREASE_COSINE 0.76 // 40 degrees between two triangles are a crease

typedef struct pnFineSkin
{
	pnVec3d* points;
	int32_t* triangles;
	int pointCount, triangleCount;
} pnFineSkin;

typedef struct pnSkinEdge
{
	int32_t low, high; // points
	int32_t corner; // 3 * triangle + side
} pnSkinEdge;

static int pnCompareEdges( const void* a, const void* b )
{
	const pnSkinEdge *p = a, *q = b;
	return p->low != q->low ? ( p->low > q->low ) - ( p->low < q->low ) : ( p->high > q->high ) - ( p->high < q->high );
}

static void pnPutTriangle( int32_t* triangles, int* count, int a, int b, int c )
{
	int32_t* corners = triangles + 3 * (size_t)( *count )++;
	corners[0] = a;
	corners[1] = b;
	corners[2] = c;
}

// One triangle with midpoints on some of its sides (or -1) becomes up to four.
static void pnSplitTriangle( const int32_t* corners, const int32_t* middles, int32_t* triangles, int* count )
{
	int split = ( middles[0] >= 0 ) + ( middles[1] >= 0 ) + ( middles[2] >= 0 );
	if ( split == 0 || split == 3 )
	{
		if ( split == 0 )
		{
			pnPutTriangle( triangles, count, corners[0], corners[1], corners[2] );
			return;
		}
		for ( int k = 0; k < 3; ++k )
		{
			pnPutTriangle( triangles, count, corners[k], middles[k], middles[( k + 2 ) % 3] );
		}
		pnPutTriangle( triangles, count, middles[0], middles[1], middles[2] );
		return;
	}
	int k = 0; // the side that alone is split, or alone is whole
	while ( ( middles[k] >= 0 ) != ( split == 1 ) )
	{
		k += 1;
	}
	int a = corners[k], b = corners[( k + 1 ) % 3], c = corners[( k + 2 ) % 3];
	if ( split == 1 )
	{
		pnPutTriangle( triangles, count, a, middles[k], c );
		pnPutTriangle( triangles, count, middles[k], b, c );
		return;
	}
	int bc = middles[( k + 1 ) % 3], ca = middles[( k + 2 ) % 3];
	pnPutTriangle( triangles, count, a, b, bc );
	pnPutTriangle( triangles, count, a, bc, ca );
	pnPutTriangle( triangles, count, ca, bc, c );
}

// Divides all edges longer than that once. Returns how many there were, or -1 without memory.
static int pnDivideEdges( pnFineSkin* skin, double longest )
{
	size_t edgeCount = 3 * (size_t)skin->triangleCount;
	pnSkinEdge* edges = malloc( ( edgeCount + 1 ) * sizeof( pnSkinEdge ) );
	int32_t* middles = malloc( ( edgeCount + 1 ) * sizeof( int32_t ) );
	pnVec3d* points = realloc( skin->points, ( (size_t)skin->pointCount + edgeCount + 1 ) * sizeof( pnVec3d ) );
	int32_t* triangles = malloc( 12 * (size_t)( skin->triangleCount + 1 ) * sizeof( int32_t ) );
	skin->points = points != NULL ? points : skin->points;
	int count = -1;
	if ( edges != NULL && middles != NULL && points != NULL && triangles != NULL )
	{
		count = 0;
		for ( size_t i = 0; i < edgeCount; ++i )
		{
			int32_t a = skin->triangles[i], b = skin->triangles[i % 3 == 2 ? i - 2 : i + 1];
			edges[i] = (pnSkinEdge){ a < b ? a : b, a < b ? b : a, (int32_t)i };
		}
		qsort( edges, edgeCount, sizeof( pnSkinEdge ), pnCompareEdges );
		int32_t middle = -1;
		for ( size_t i = 0; i < edgeCount; ++i )
		{
			if ( i == 0 || pnCompareEdges( edges + i, edges + i - 1 ) != 0 )
			{
				pnVec3d a = points[edges[i].low], b = points[edges[i].high];
				bool isLong = pnLengthD( pnSubD( a, b ) ) > longest;
				middle = isLong ? skin->pointCount++ : -1;
				count += isLong;
				if ( isLong )
				{
					points[middle] = pnScaleD( 0.5, pnAddD( a, b ) );
				}
			}
			middles[edges[i].corner] = middle;
		}
		int triangleCount = 0;
		for ( int i = 0; i < skin->triangleCount; ++i )
		{
			pnSplitTriangle( skin->triangles + 3 * (size_t)i, middles + 3 * (size_t)i, triangles, &triangleCount );
		}
		int32_t* old = skin->triangles;
		skin->triangles = triangles;
		skin->triangleCount = triangleCount;
		triangles = old;
	}
	free( edges );
	free( middles );
	free( triangles );
	return count;
}

static bool pnAllocSolution( pnSolution* solution, size_t vertexCount, size_t triangleCount )
{
	solution->rest = malloc( ( vertexCount + 1 ) * sizeof( pnVec3d ) );
	solution->normals = malloc( ( vertexCount + 1 ) * sizeof( pnVec3d ) );
	solution->displacements = calloc( vertexCount + 1, sizeof( pnVec3d ) );
	solution->stresses = calloc( vertexCount + 1, sizeof( pnStress ) );
	solution->tractions = calloc( vertexCount + 1, sizeof( pnVec3d ) );
	solution->triangles = malloc( 3 * ( triangleCount + 1 ) * sizeof( int32_t ) );
	bool good = solution->rest != NULL && solution->normals != NULL && solution->displacements != NULL && solution->stresses != NULL &&
				solution->tractions != NULL && solution->triangles != NULL;
	for ( int i = 0; i < pn_fieldKindCount; ++i )
	{
		solution->values[i] = calloc( vertexCount + 1, sizeof( double ) );
		good = good && solution->values[i] != NULL;
	}
	return good;
}

void pnDestroySolution( pnSolution* solution )
{
	free( solution->rest );
	free( solution->normals );
	free( solution->displacements );
	free( solution->stresses );
	free( solution->tractions );
	free( solution->triangles );
	for ( int i = 0; i < pn_fieldKindCount; ++i )
	{
		free( solution->values[i] );
	}
	*solution = (pnSolution){ 0 };
}

// Each corner gets the mean normal of the triangles around its point that lean less than a crease against its own; corners of one
// point whose normals agree become one vertex.
static bool pnSplitCreases( const pnFineSkin* skin, pnSolution* solution )
{
	size_t cornerCount = 3 * (size_t)skin->triangleCount;
	int32_t* starts = calloc( (size_t)skin->pointCount + 2, sizeof( int32_t ) );
	int32_t* around = malloc( ( cornerCount + 1 ) * sizeof( int32_t ) );
	pnVec3d* flats = malloc( (size_t)( skin->triangleCount + 1 ) * sizeof( pnVec3d ) );
	bool good = starts != NULL && around != NULL && flats != NULL && pnAllocSolution( solution, cornerCount, (size_t)skin->triangleCount );
	if ( good )
	{
		for ( size_t i = 0; i < cornerCount; ++i )
		{
			starts[skin->triangles[i] + 2] += 1;
		}
		for ( int i = 0; i < skin->pointCount; ++i )
		{
			starts[i + 2] += starts[i + 1];
		}
		for ( size_t i = 0; i < cornerCount; ++i )
		{
			around[starts[skin->triangles[i] + 1]++] = (int32_t)i; // starts has moved on by one: now it is where they begin
		}
		for ( int i = 0; i < skin->triangleCount; ++i )
		{
			const int32_t* c = skin->triangles + 3 * (size_t)i;
			pnVec3d a = skin->points[c[0]];
			flats[i] = pnCrossD( pnSubD( skin->points[c[1]], a ), pnSubD( skin->points[c[2]], a ) ); // weighted by area
		}
	}
	for ( int point = 0; point < skin->pointCount && good; ++point )
	{
		int first = solution->vertexCount;
		for ( int i = starts[point]; i < starts[point + 1]; ++i )
		{
			pnVec3d own = pnUnitD( flats[around[i] / 3] ), sum = { 0.0, 0.0, 0.0 };
			for ( int j = starts[point]; j < starts[point + 1]; ++j )
			{
				pnVec3d flat = flats[around[j] / 3];
				sum = pnDotD( pnUnitD( flat ), own ) > PN_CREASE_COSINE ? pnAddD( sum, flat ) : sum;
			}
			pnVec3d normal = pnUnitD( sum );
			int vertex = first;
			while ( vertex < solution->vertexCount && pnDotD( solution->normals[vertex], normal ) < 0.9999 )
			{
				vertex += 1;
			}
			if ( vertex == solution->vertexCount )
			{
				solution->rest[vertex] = skin->points[point];
				solution->normals[vertex] = normal;
				solution->vertexCount += 1;
			}
			solution->triangles[around[i]] = vertex;
		}
	}
	solution->triangleCount = skin->triangleCount;
	free( starts );
	free( around );
	free( flats );
	return good;
}

static bool pnMakeDiscs( const pnProblem* problem, pnSolution* solution )
{
	const pnSkinMesh* skin = &problem->skin;
	int count = skin->pointCount;
	if ( pnAllocSolution( solution, ( PN_DISC_CORNERS + 1 ) * (size_t)count, PN_DISC_CORNERS * (size_t)count ) == false )
	{
		return false;
	}
	// Half the mean distance between points that are spread over a surface about as large as the bounds' own.
	pnVec3d d = pnSubD( problem->upper, problem->lower );
	double radius = 0.55 * sqrt( 2.0 * ( d.x * d.y + d.y * d.z + d.z * d.x ) / count );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3d normal = pnUnitD( skin->normals[i] ), s, t;
		pnMakeFrameD( normal, &s, &t );
		int middle = solution->vertexCount;
		for ( int k = -1; k < PN_DISC_CORNERS; ++k )
		{
			double angle = 2.0 * 3.14159265358979323846 * k / PN_DISC_CORNERS;
			pnVec3d p = skin->points[i];
			p = k < 0 ? p : pnMulAddD( pnMulAddD( p, radius * cos( angle ), s ), radius * sin( angle ), t );
			solution->rest[solution->vertexCount] = p;
			solution->normals[solution->vertexCount++] = normal;
			if ( k >= 0 )
			{
				pnPutTriangle( solution->triangles, &solution->triangleCount, middle, middle + 1 + k, middle + 1 + ( k + 1 ) % PN_DISC_CORNERS );
			}
		}
	}
	return true;
}

bool pnCreateShownSkin( const pnProblem* problem, pnSolution* solution )
{
	*solution = (pnSolution){ .size = pnLengthD( pnSubD( problem->upper, problem->lower ) ) };
	const pnSkinMesh* from = &problem->skin;
	if ( from->normals != NULL )
	{
		bool made = pnMakeDiscs( problem, solution );
		if ( made == false )
		{
			pnDestroySolution( solution );
		}
		return made;
	}
	pnFineSkin skin = { .pointCount = from->pointCount, .triangleCount = from->triangleCount };
	skin.points = malloc( (size_t)( skin.pointCount + 1 ) * sizeof( pnVec3d ) );
	skin.triangles = malloc( 3 * (size_t)( skin.triangleCount + 1 ) * sizeof( int32_t ) );
	bool good = skin.points != NULL && skin.triangles != NULL;
	if ( good )
	{
		memcpy( skin.points, from->points, (size_t)skin.pointCount * sizeof( pnVec3d ) );
		memcpy( skin.triangles, from->triangles, 3 * (size_t)skin.triangleCount * sizeof( int32_t ) );
		int divided = 1;
		for ( int round = 0; round < 8 && divided > 0 && skin.triangleCount < PN_MAX_SHOWN_TRIANGLES / 4; ++round )
		{
			divided = pnDivideEdges( &skin, solution->size / PN_EDGES_TO_DIAGONAL );
		}
		good = divided >= 0 && pnSplitCreases( &skin, solution );
	}
	free( skin.points );
	free( skin.triangles );
	if ( good == false )
	{
		pnDestroySolution( solution );
	}
	return good;
}
