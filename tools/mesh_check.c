// mesh_check.c - what a surface is like: closed, manifold, in how many parts, how large. Knows no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "mesh_file.h"

#include <math.h>
#include <stdlib.h>

typedef struct pnPlaced { pnVec3d p; int32_t index; } pnPlaced;
typedef struct pnEdge { int32_t a, b; bool forward; } pnEdge; // a < b; forward: its triangle runs from a to b

static int pnComparePlaces( const void* left, const void* right )
{
	const pnPlaced *a = left, *b = right;
	if ( a->p.x != b->p.x )
	{
		return a->p.x < b->p.x ? -1 : 1;
	}
	if ( a->p.y != b->p.y )
	{
		return a->p.y < b->p.y ? -1 : 1;
	}
	if ( a->p.z != b->p.z )
	{
		return a->p.z < b->p.z ? -1 : 1;
	}
	return ( a->index > b->index ) - ( a->index < b->index );
}

static int pnCompareEdges( const void* left, const void* right )
{
	const pnEdge *a = left, *b = right;
	return a->a != b->a ? ( a->a < b->a ? -1 : 1 ) : ( a->b > b->b ) - ( a->b < b->b );
}

// Points at one place get the number of the first of them.
static bool pnMergePlaces( const pnMeshFile* mesh, int32_t* first )
{
	pnPlaced* placed = malloc( (size_t)( mesh->pointCount + 1 ) * sizeof( pnPlaced ) );
	if ( placed == NULL )
	{
		return false;
	}
	for ( int i = 0; i < mesh->pointCount; ++i )
	{
		placed[i] = (pnPlaced){ mesh->points[i], i };
	}
	qsort( placed, (size_t)mesh->pointCount, sizeof( pnPlaced ), pnComparePlaces );
	for ( int i = 0; i < mesh->pointCount; ++i )
	{
		bool same = i > 0 && placed[i].p.x == placed[i - 1].p.x && placed[i].p.y == placed[i - 1].p.y && placed[i].p.z == placed[i - 1].p.z;
		first[placed[i].index] = same ? first[placed[i - 1].index] : placed[i].index;
	}
	free( placed );
	return true;
}

static int pnFindRoot( int32_t* parent, int i )
{
	while ( parent[i] != i )
	{
		parent[i] = parent[parent[i]];
		i = parent[i];
	}
	return i;
}

static void pnMeasureMesh( const pnMeshFile* mesh, pnMeshCheck* check )
{
	check->lower = (pnVec3d){ INFINITY, INFINITY, INFINITY };
	check->upper = (pnVec3d){ -INFINITY, -INFINITY, -INFINITY };
	for ( int i = 0; i < mesh->pointCount; ++i )
	{
		const pnVec3d* p = mesh->points + i;
		check->lower = (pnVec3d){ fmin( check->lower.x, p->x ), fmin( check->lower.y, p->y ), fmin( check->lower.z, p->z ) };
		check->upper = (pnVec3d){ fmax( check->upper.x, p->x ), fmax( check->upper.y, p->y ), fmax( check->upper.z, p->z ) };
	}
	for ( int i = 0; i < mesh->triangleCount; ++i )
	{
		const int32_t* corners = mesh->triangles + 3 * (size_t)i;
		pnVec3d a = mesh->points[corners[0]], b = mesh->points[corners[1]], c = mesh->points[corners[2]];
		pnVec3d u = { b.x - a.x, b.y - a.y, b.z - a.z }, v = { c.x - a.x, c.y - a.y, c.z - a.z };
		pnVec3d n = { u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
		double twice = sqrt( n.x * n.x + n.y * n.y + n.z * n.z );
		check->area += 0.5 * twice;
		check->volume += ( a.x * n.x + a.y * n.y + a.z * n.z ) / 6.0;
		check->emptyTriangles += twice > 0.0 ? 0 : 1;
	}
}

bool pnCheckMesh( const pnMeshFile* mesh, pnMeshCheck* check )
{
	*check = (pnMeshCheck){ 0 };
	pnMeasureMesh( mesh, check );
	size_t edgeCount = 0;
	int32_t* first = malloc( (size_t)( mesh->pointCount + 1 ) * sizeof( int32_t ) );
	int32_t* parent = malloc( (size_t)( mesh->pointCount + 1 ) * sizeof( int32_t ) );
	bool* used = calloc( (size_t)mesh->pointCount + 1, 1 );
	pnEdge* edges = malloc( ( 3 * (size_t)mesh->triangleCount + 1 ) * sizeof( pnEdge ) );
	bool good = first != NULL && parent != NULL && used != NULL && edges != NULL && pnMergePlaces( mesh, first );
	for ( int i = 0; i < mesh->pointCount && good; ++i )
	{
		parent[i] = i;
	}
	for ( int i = 0; i < mesh->triangleCount && good; ++i )
	{
		const int32_t* corners = mesh->triangles + 3 * (size_t)i;
		for ( int k = 0; k < 3; ++k )
		{
			int a = first[corners[k]], b = first[corners[( k + 1 ) % 3]];
			used[a] = true;
			parent[pnFindRoot( parent, a )] = pnFindRoot( parent, b );
			if ( a != b )
			{
				edges[edgeCount++] = a < b ? (pnEdge){ a, b, true } : (pnEdge){ b, a, false };
			}
		}
	}
	for ( int i = 0; i < mesh->pointCount && good; ++i )
	{
		check->parts += used[i] && pnFindRoot( parent, i ) == i ? 1 : 0;
	}
	if ( good )
	{
		qsort( edges, edgeCount, sizeof( pnEdge ), pnCompareEdges );
	}
	for ( size_t i = 0, next; i < edgeCount && good; i = next )
	{
		int forward = 0;
		for ( next = i; next < edgeCount && edges[next].a == edges[i].a && edges[next].b == edges[i].b; ++next )
		{
			forward += edges[next].forward ? 1 : 0;
		}
		size_t count = next - i;
		check->openEdges += count == 1 ? 1 : 0;
		check->crowdedEdges += count > 2 ? 1 : 0;
		check->flippedEdges += count == 2 && forward != 1 ? 1 : 0;
	}
	check->manifold = check->crowdedEdges == 0;
	check->closed = mesh->triangleCount > 0 && check->openEdges == 0 && check->crowdedEdges == 0 && check->flippedEdges == 0;
	free( first );
	free( parent );
	free( used );
	free( edges );
	return good;
}
