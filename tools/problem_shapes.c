// problem_shapes.c - a surface in the making, and shapes by formula: boxes, balls, cylinders, a block with a hole. Knows no files and no JSON.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "problem_mesh.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PN_SHAPE_PI 3.14159265358979323846

void pnFreeSkinMesh( pnSkinMesh* mesh )
{
	free( mesh->points );
	free( mesh->normals );
	free( mesh->triangles );
	free( mesh->groups );
	free( mesh->names );
	*mesh = (pnSkinMesh){ 0 };
}

// Room for one more of `size` bytes; the old array stays if there is none.
static bool pnGrow( void** array, size_t capacity, size_t size )
{
	void* more = realloc( *array, capacity * size );
	*array = more != NULL ? more : *array;
	return more != NULL;
}

int pnAddSkinPoint( pnSkinMesh* mesh, pnVec3d point )
{
	if ( mesh->pointCount == mesh->pointCapacity && mesh->failed == false )
	{
		int capacity = 2 * mesh->pointCapacity + 256;
		mesh->failed = pnGrow( (void**)&mesh->points, (size_t)capacity, sizeof( pnVec3d ) ) == false;
		mesh->pointCapacity = mesh->failed ? mesh->pointCapacity : capacity;
	}
	if ( mesh->failed )
	{
		return 0;
	}
	mesh->points[mesh->pointCount] = point;
	return mesh->pointCount++;
}

void pnAddSkinTriangle( pnSkinMesh* mesh, int a, int b, int c, int group )
{
	if ( mesh->triangleCount == mesh->triangleCapacity && mesh->failed == false )
	{
		int capacity = 2 * mesh->triangleCapacity + 256;
		mesh->failed = pnGrow( (void**)&mesh->triangles, 3 * (size_t)capacity, sizeof( int32_t ) ) == false ||
					   pnGrow( (void**)&mesh->groups, (size_t)capacity, sizeof( int32_t ) ) == false;
		mesh->triangleCapacity = mesh->failed ? mesh->triangleCapacity : capacity;
	}
	if ( mesh->failed )
	{
		return;
	}
	int32_t* corners = mesh->triangles + 3 * (size_t)mesh->triangleCount;
	corners[0] = a;
	corners[1] = b;
	corners[2] = c;
	mesh->groups[mesh->triangleCount++] = group;
}

void pnAddCloudPoint( pnSkinMesh* mesh, pnVec3d point, pnVec3d normal, int group )
{
	if ( mesh->pointCount == mesh->pointCapacity && mesh->failed == false )
	{
		size_t capacity = 2 * (size_t)mesh->pointCapacity + 256;
		mesh->failed = pnGrow( (void**)&mesh->normals, capacity, sizeof( pnVec3d ) ) == false ||
					   pnGrow( (void**)&mesh->groups, capacity, sizeof( int32_t ) ) == false;
	}
	if ( mesh->failed )
	{
		return;
	}
	int index = pnAddSkinPoint( mesh, point ); // grows by the same rule
	if ( mesh->failed == false )
	{
		mesh->normals[index] = normal;
		mesh->groups[index] = group;
	}
}

int pnFindGroup( const pnSkinMesh* mesh, const char* name )
{
	char cut[PN_GROUP_NAME];
	snprintf( cut, sizeof( cut ), "%s", name );
	for ( int i = 0; i < mesh->nameCount; ++i )
	{
		if ( strcmp( mesh->names[i], cut ) == 0 )
		{
			return i;
		}
	}
	return -1;
}

int pnAddGroup( pnSkinMesh* mesh, const char* name )
{
	int group = pnFindGroup( mesh, name );
	if ( group >= 0 || mesh->nameCount == PN_MAX_GROUPS )
	{
		return group;
	}
	if ( pnGrow( (void**)&mesh->names, (size_t)mesh->nameCount + 1, sizeof( mesh->names[0] ) ) == false )
	{
		mesh->failed = true;
		return -1;
	}
	snprintf( mesh->names[mesh->nameCount], PN_GROUP_NAME, "%s", name );
	return mesh->nameCount++;
}

// ---- points at one place ----

typedef struct pnWeldItem
{
	pnVec3d point;
	int32_t index;
} pnWeldItem;

static int pnCompareWeldItems( const void* a, const void* b )
{
	const pnWeldItem *p = a, *q = b;
	double d[3] = { p->point.x - q->point.x, p->point.y - q->point.y, p->point.z - q->point.z };
	for ( int i = 0; i < 3; ++i )
	{
		if ( d[i] != 0.0 )
		{
			return d[i] < 0.0 ? -1 : 1;
		}
	}
	return ( p->index > q->index ) - ( p->index < q->index );
}

bool pnWeldSkin( pnSkinMesh* mesh )
{
	size_t count = (size_t)mesh->pointCount;
	pnWeldItem* items = malloc( ( count + 1 ) * sizeof( pnWeldItem ) );
	int32_t* places = malloc( ( count + 1 ) * sizeof( int32_t ) );
	bool good = items != NULL && places != NULL;
	if ( good )
	{
		for ( size_t i = 0; i < count; ++i )
		{
			items[i] = (pnWeldItem){ mesh->points[i], (int32_t)i };
		}
		qsort( items, count, sizeof( pnWeldItem ), pnCompareWeldItems );
		for ( size_t i = 0, first = 0; i < count; ++i ) // each point goes to the lowest index at its place
		{
			pnVec3d a = items[i].point, b = items[first].point;
			first = a.x == b.x && a.y == b.y && a.z == b.z ? first : i;
			places[items[i].index] = items[first].index;
		}
		int kept = 0;
		for ( size_t i = 0; i < count; ++i )
		{
			if ( places[i] == (int32_t)i )
			{
				mesh->points[kept] = mesh->points[i];
				places[i] = kept++;
			}
			else
			{
				places[i] = places[places[i]];
			}
		}
		mesh->pointCount = kept;
		kept = 0;
		for ( int i = 0; i < mesh->triangleCount; ++i )
		{
			const int32_t* corners = mesh->triangles + 3 * (size_t)i;
			int32_t a = places[corners[0]], b = places[corners[1]], c = places[corners[2]];
			if ( a != b && b != c && c != a )
			{
				int32_t* to = mesh->triangles + 3 * (size_t)kept;
				to[0] = a;
				to[1] = b;
				to[2] = c;
				mesh->groups[kept++] = mesh->groups[i];
			}
		}
		mesh->triangleCount = kept;
	}
	free( items );
	free( places );
	return good;
}

// ---- shapes that are a box with its points moved ----

typedef pnVec3d pnPlaceFcn( pnVec3d unit, const double* numbers ); // unit: on the faces of the cube from -1 to 1

static void pnAddQuad( pnSkinMesh* mesh, int a, int b, int c, int d, bool turn, int group )
{
	if ( turn )
	{
		pnAddSkinTriangle( mesh, a, b, c, group );
		pnAddSkinTriangle( mesh, a, c, d, group );
	}
	else
	{
		pnAddSkinTriangle( mesh, b, c, d, group );
		pnAddSkinTriangle( mesh, b, d, a, group );
	}
}

// groups: of the faces -x +x -y +y -z +z. inward: seen from inside.
static void pnAddLattice( pnSkinMesh* mesh, const int divisions[3], const int groups[6], bool inward, pnPlaceFcn* place, const double* numbers )
{
	int sizes[3] = { divisions[0] + 1, divisions[1] + 1, divisions[2] + 1 };
	size_t total = (size_t)sizes[0] * (size_t)sizes[1] * (size_t)sizes[2];
	int32_t* indices = malloc( total * sizeof( int32_t ) );
	if ( indices == NULL )
	{
		mesh->failed = true;
		return;
	}
	memset( indices, 255, total * sizeof( int32_t ) );
	mesh->quads = true;
	for ( int face = 0; face < 6; ++face )
	{
		int axis = face / 2, u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
		bool upper = face % 2 == 1;
		for ( int j = 0; j < divisions[v]; ++j )
		{
			for ( int i = 0; i < divisions[u]; ++i )
			{
				int corners[4];
				for ( int k = 0; k < 4; ++k ) // counterclockwise about the axis
				{
					int cell[3];
					cell[axis] = upper ? divisions[axis] : 0;
					cell[u] = i + ( k == 1 || k == 2 ? 1 : 0 );
					cell[v] = j + ( k >= 2 ? 1 : 0 );
					int32_t* index = indices + ( (size_t)cell[2] * (size_t)sizes[1] + (size_t)cell[1] ) * (size_t)sizes[0] + (size_t)cell[0];
					if ( *index < 0 )
					{
						pnVec3d unit = { 2.0 * cell[0] / divisions[0] - 1.0, 2.0 * cell[1] / divisions[1] - 1.0,
										 2.0 * cell[2] / divisions[2] - 1.0 };
						*index = pnAddSkinPoint( mesh, place( unit, numbers ) );
					}
					corners[k] = *index;
				}
				bool alternate = ( i + j ) % 2 == 0; // diagonals in a pattern that favours no direction
				if ( upper != inward )
				{
					pnAddQuad( mesh, corners[0], corners[1], corners[2], corners[3], alternate, groups[face] );
				}
				else
				{
					pnAddQuad( mesh, corners[0], corners[3], corners[2], corners[1], alternate, groups[face] );
				}
			}
		}
	}
	free( indices );
}

static pnVec3d pnPlaceInBox( pnVec3d unit, const double* numbers )
{
	return (pnVec3d){ 0.5 * numbers[0] * unit.x, 0.5 * numbers[1] * unit.y, 0.5 * numbers[2] * unit.z };
}

static pnVec3d pnPlaceOnSphere( pnVec3d unit, const double* numbers )
{
	// tangents: cells in the middle of a face and at its corners come out about equally large
	pnVec3d p = { tan( 0.25 * PN_SHAPE_PI * unit.x ), tan( 0.25 * PN_SHAPE_PI * unit.y ), tan( 0.25 * PN_SHAPE_PI * unit.z ) };
	double scale = numbers[0] / sqrt( p.x * p.x + p.y * p.y + p.z * p.z );
	return (pnVec3d){ scale * p.x, scale * p.y, scale * p.z };
}

// Squares about the axis become circles (Shirley and Chiu 1997), so that the caps have no fan of slivers.
static pnVec3d pnPlaceOnCylinder( pnVec3d unit, const double* numbers )
{
	double x = unit.x, z = unit.z;
	double radius = fmax( fabs( x ), fabs( z ) );
	double angle = radius == 0.0 ? 0.0 : fabs( x ) >= fabs( z ) ? 0.25 * PN_SHAPE_PI * z / x : 0.5 * PN_SHAPE_PI - 0.25 * PN_SHAPE_PI * x / z;
	double sign = ( fabs( x ) >= fabs( z ) ? x : z ) < 0.0 ? -1.0 : 1.0;
	return (pnVec3d){ sign * numbers[0] * radius * cos( angle ), 0.5 * numbers[1] * unit.y, sign * numbers[0] * radius * sin( angle ) };
}

static const char* const pnFaceNames[6] = { "left", "right", "bottom", "top", "back", "front" };

void pnMakeBoxSkin( pnSkinMesh* mesh, pnVec3d size, const int divisions[3] )
{
	int groups[6];
	for ( int i = 0; i < 6; ++i )
	{
		groups[i] = pnAddGroup( mesh, pnFaceNames[i] );
	}
	double numbers[3] = { size.x, size.y, size.z };
	pnAddLattice( mesh, divisions, groups, false, pnPlaceInBox, numbers );
}

void pnMakeSphereSkin( pnSkinMesh* mesh, double radius, double innerRadius, int divisions )
{
	int steps[3] = { divisions, divisions, divisions };
	for ( int i = 0; i < ( innerRadius > 0.0 ? 2 : 1 ); ++i )
	{
		int group = pnAddGroup( mesh, i == 0 ? "outside" : "inside" );
		int groups[6] = { group, group, group, group, group, group };
		pnAddLattice( mesh, steps, groups, i == 1, pnPlaceOnSphere, i == 0 ? &radius : &innerRadius );
	}
}

void pnMakeCylinderSkin( pnSkinMesh* mesh, double radius, double height, const int divisions[2] )
{
	int bottom = pnAddGroup( mesh, "bottom" ), top = pnAddGroup( mesh, "top" ), side = pnAddGroup( mesh, "side" );
	int groups[6] = { side, side, bottom, top, side, side };
	int steps[3] = { divisions[0], divisions[1], divisions[0] };
	double numbers[2] = { radius, height };
	pnAddLattice( mesh, steps, groups, false, pnPlaceOnCylinder, numbers );
}

// ---- the block with a hole ----

// Around the z axis: step 0 is the corner at ( +x, -y ), then counterclockwise; n steps a side. share 0: on the hole, 1: on the wall.
static pnVec3d pnPlaceInBlock( int step, int n, double share, double z, pnVec3d size, double holeRadius )
{
	int side = step / n % 4;
	double along = 2.0 * ( step % n ) / n - 1.0;
	double x = side == 0 ? 1.0 : side == 1 ? -along : side == 2 ? -1.0 : along;
	double y = side == 0 ? along : side == 1 ? 1.0 : side == 2 ? -along : -1.0;
	double angle = 0.25 * PN_SHAPE_PI * along + 0.5 * PN_SHAPE_PI * side;
	double grown = share * ( 0.6 + 0.4 * share ); // finer near the hole, where the stress is
	return (pnVec3d){ ( 1.0 - grown ) * holeRadius * cos( angle ) + grown * 0.5 * size.x * x,
					  ( 1.0 - grown ) * holeRadius * sin( angle ) + grown * 0.5 * size.y * y, z };
}

void pnMakeHoleSkin( pnSkinMesh* mesh, pnVec3d size, double holeRadius, const int divisions[3] )
{
	int n = divisions[0], layers = divisions[1], rings = divisions[2], around = 4 * n;
	int groups[7];
	for ( int i = 0; i < 7; ++i )
	{
		groups[i] = pnAddGroup( mesh, i < 6 ? pnFaceNames[i] : "hole" );
	}
	const int sides[4] = { groups[1], groups[3], groups[0], groups[2] }; // right, top, left, bottom, as the steps go
	mesh->quads = true;
	// Each face has points of its own; those at one place are made one in the end.
	for ( int face = 0; face < 4; ++face ) // back, front, wall, hole
	{
		bool flat = face < 2;
		int rows = flat ? rings : layers;
		int start = mesh->pointCount;
		for ( int j = 0; j <= rows; ++j )
		{
			double share = flat ? (double)j / rows : face == 2 ? 1.0 : 0.0;
			double z = flat ? ( face == 0 ? -0.5 : 0.5 ) * size.z : size.z * ( (double)j / rows - 0.5 );
			for ( int i = 0; i < around; ++i )
			{
				pnAddSkinPoint( mesh, pnPlaceInBlock( i, n, share, z, size, holeRadius ) );
			}
		}
		for ( int j = 0; j < rows; ++j )
		{
			for ( int i = 0; i < around; ++i )
			{
				int a = start + j * around + i, b = start + j * around + ( i + 1 ) % around;
				int c = b + around, d = a + around;
				int group = flat ? groups[4 + face] : face == 2 ? sides[i / n] : groups[6];
				bool alternate = ( i + j ) % 2 == 0;
				// a, b run counterclockwise about z; d lies outward of a (flat) or in front of it
				if ( face == 0 || face == 2 )
				{
					pnAddQuad( mesh, a, b, c, d, alternate, group );
				}
				else
				{
					pnAddQuad( mesh, a, d, c, b, alternate, group );
				}
			}
		}
	}
	mesh->failed = mesh->failed || pnWeldSkin( mesh ) == false;
}
