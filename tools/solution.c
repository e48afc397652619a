// solution.c - an answer on a surface fine enough to look at. Knows no pixels and no files.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "solution.h"

#include "../src/kelvin/vec3d.h"
#include "image.h"

#include <stdlib.h>
#include <string.h>

// ---- forces ----

// The places where the answer was found, in cubes of space.
typedef struct pnPlaceGrid
{
	const pnKelvinPoint* places;
	int32_t* next; // the following place in the same cube, or -1
	int32_t* heads;
	pnVec3d lower;
	double cube; // m
	int sizes[3];
} pnPlaceGrid;

static int pnGetCube( const pnPlaceGrid* grid, double a, int axis )
{
	double lower[3] = { grid->lower.x, grid->lower.y, grid->lower.z };
	int cube = (int)floor( ( a - lower[axis] ) / grid->cube );
	return cube < 0 ? 0 : cube >= grid->sizes[axis] ? grid->sizes[axis] - 1 : cube;
}

static bool pnMakePlaceGrid( pnPlaceGrid* grid, const pnProblem* problem, const pnKelvinPoint* places, int count )
{
	double area = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		area += places[i].area;
	}
	pnVec3d size = pnSubD( problem->upper, problem->lower );
	double longest = fmax( size.x, fmax( size.y, size.z ) );
	grid->cube = fmax( 2.0 * sqrt( area / ( count > 0 ? count : 1 ) ), longest / 100.0 );
	grid->places = places;
	grid->lower = problem->lower;
	grid->sizes[0] = (int)( size.x / grid->cube ) + 1;
	grid->sizes[1] = (int)( size.y / grid->cube ) + 1;
	grid->sizes[2] = (int)( size.z / grid->cube ) + 1;
	size_t cubes = (size_t)grid->sizes[0] * (size_t)grid->sizes[1] * (size_t)grid->sizes[2];
	grid->heads = malloc( cubes * sizeof( int32_t ) );
	grid->next = malloc( (size_t)( count + 1 ) * sizeof( int32_t ) );
	if ( grid->heads == NULL || grid->next == NULL )
	{
		return false;
	}
	memset( grid->heads, 255, cubes * sizeof( int32_t ) );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3d p = places[i].point;
		int32_t* head = grid->heads + ( pnGetCube( grid, p.z, 2 ) * grid->sizes[1] + pnGetCube( grid, p.y, 1 ) ) * grid->sizes[0] + pnGetCube( grid, p.x, 0 );
		grid->next[i] = *head;
		*head = i;
	}
	return true;
}

// A mean of the places near by that look the same way, the near ones counting most. False: there are none.
static bool pnBlendTraction( const pnPlaceGrid* grid, pnVec3d point, pnVec3d normal, pnVec3d* traction )
{
	int at[3] = { pnGetCube( grid, point.x, 0 ), pnGetCube( grid, point.y, 1 ), pnGetCube( grid, point.z, 2 ) };
	pnVec3d sum = { 0.0, 0.0, 0.0 };
	double weights = 0.0;
	for ( int k = 0; k < 27; ++k )
	{
		int x = at[0] + k % 3 - 1, y = at[1] + k / 3 % 3 - 1, z = at[2] + k / 9 - 1;
		if ( x < 0 || y < 0 || z < 0 || x >= grid->sizes[0] || y >= grid->sizes[1] || z >= grid->sizes[2] )
		{
			continue;
		}
		for ( int i = grid->heads[( z * grid->sizes[1] + y ) * grid->sizes[0] + x]; i >= 0; i = grid->next[i] )
		{
			const pnKelvinPoint* place = grid->places + i;
			pnVec3d d = pnSubD( place->point, point );
			// Reaches over the place's own patch and its neighbours, so that patches of any size blend.
			double reach2 = fmin( 6.0 * place->area, grid->cube * grid->cube ), share = 1.0 - pnDotD( d, d ) / reach2;
			if ( share > 0.0 && pnDotD( place->normal, normal ) > 0.7 )
			{
				double weight = place->area * share * share / reach2;
				sum = pnMulAddD( sum, weight, place->traction );
				weights += weight;
			}
		}
	}
	*traction = weights > 0.0 ? pnScaleD( 1.0 / weights, sum ) : *traction;
	return weights > 0.0;
}

// ---- values ----

static int pnCompareDoubles( const void* a, const void* b ) { return ( *(const double*)a > *(const double*)b ) - ( *(const double*)a < *(const double*)b ); }

static bool pnFindRanges( pnSolution* solution )
{
	double* sorted = malloc( (size_t)( solution->vertexCount + 1 ) * sizeof( double ) );
	if ( sorted == NULL )
	{
		return false;
	}
	for ( int field = 0; field < pn_fieldKindCount; ++field )
	{
		for ( int i = 0; i < solution->vertexCount; ++i )
		{
			double value = solution->values[field][i];
			sorted[i] = value;
			if ( i == 0 || value > solution->most[field] )
			{
				solution->most[field] = value;
				solution->mostVertices[field] = i;
			}
		}
		qsort( sorted, (size_t)solution->vertexCount, sizeof( double ), pnCompareDoubles );
		solution->usual[field] = field == pn_displacementField ? solution->most[field] : sorted[(size_t)( 0.99 * solution->vertexCount )];
		if ( solution->usual[field] < 0.05 * solution->most[field] ) // a load on a small spot: there is nothing else to see
		{
			solution->usual[field] = solution->most[field];
		}
	}
	free( sorted );
	return true;
}

bool pnCreateSolution( const pnProblem* problem, const pnKelvin* kelvin, pnSolution* solution )
{
	if ( pnCreateShownSkin( problem, solution ) == false )
	{
		return false;
	}
	pnKelvin_Evaluate( kelvin, solution->rest, solution->vertexCount, solution->displacements, solution->stresses );
	int placeCount;
	const pnKelvinPoint* places = pnKelvin_GetPoints( kelvin, &placeCount );
	pnPlaceGrid grid = { 0 };
	bool good = pnMakePlaceGrid( &grid, problem, places, placeCount );
	for ( int i = 0; i < solution->vertexCount && good; ++i )
	{
		if ( pnBlendTraction( &grid, solution->rest[i], solution->normals[i], solution->tractions + i ) == false )
		{
			solution->tractions[i] = pnTraction( solution->stresses + i, solution->normals[i] );
		}
		solution->values[pn_displacementField][i] = pnLengthD( solution->displacements[i] );
		solution->values[pn_stressField][i] = pnVonMises( solution->stresses + i );
		solution->values[pn_forceField][i] = pnLengthD( solution->tractions[i] );
	}
	free( grid.heads );
	free( grid.next );
	good = good && pnFindRanges( solution );
	if ( good == false )
	{
		pnDestroySolution( solution );
	}
	return good;
}

// ---- large rotations ----

static const pnVec3d* pn_sorted; // what pnComparePlaces compares

static int pnComparePlaces( const void* a, const void* b )
{
	const pnVec3d *p = pn_sorted + *(const int32_t*)a, *q = pn_sorted + *(const int32_t*)b;
	return p->x != q->x ? ( p->x > q->x ) - ( p->x < q->x ) : p->y != q->y ? ( p->y > q->y ) - ( p->y < q->y ) : ( p->z > q->z ) - ( p->z < q->z );
}

bool pnRotateSolution( const pnKelvin* kelvin, pnSolution* solution )
{
	// Vertices at creases are one again: they hold together.
	size_t count = (size_t)solution->vertexCount;
	int32_t* order = malloc( ( count + 1 ) * sizeof( int32_t ) );
	int32_t* places = malloc( ( count + 1 ) * sizeof( int32_t ) );
	int32_t* triangles = malloc( 3 * (size_t)( solution->triangleCount + 1 ) * sizeof( int32_t ) );
	pnVec3d* points = malloc( ( count + 1 ) * sizeof( pnVec3d ) );
	pnVec3d* moves = malloc( ( count + 1 ) * sizeof( pnVec3d ) );
	bool good = order != NULL && places != NULL && triangles != NULL && points != NULL && moves != NULL;
	int pointCount = 0;
	for ( size_t i = 0; i < count && good; ++i )
	{
		order[i] = (int32_t)i;
	}
	if ( good )
	{
		pn_sorted = solution->rest;
		qsort( order, count, sizeof( int32_t ), pnComparePlaces );
	}
	for ( size_t i = 0; i < count && good; ++i )
	{
		if ( i == 0 || pnComparePlaces( order + i, order + i - 1 ) != 0 )
		{
			points[pointCount++] = solution->rest[order[i]];
		}
		places[order[i]] = pointCount - 1;
	}
	for ( int i = 0; i < 3 * solution->triangleCount && good; ++i )
	{
		triangles[i] = places[solution->triangles[i]];
	}
	good = good && pnKelvin_Rotate( kelvin, points, pointCount, triangles, solution->triangleCount, moves ) == pn_success;
	for ( size_t i = 0; i < count && good; ++i )
	{
		solution->displacements[i] = moves[places[i]];
		solution->values[pn_displacementField][i] = pnLengthD( solution->displacements[i] );
	}
	good = good && pnFindRanges( solution );
	free( order );
	free( places );
	free( triangles );
	free( points );
	free( moves );
	return good;
}

double pnChooseExaggeration( const pnProblem* problem, const pnSolution* solution )
{
	double most = solution->most[pn_displacementField];
	if ( problem->exaggerate > 0.0 )
	{
		return problem->exaggerate;
	}
	if ( !( most > 0.0 ) || most > 0.02 * solution->size )
	{
		return 1.0;
	}
	double wanted = 0.08 * solution->size / most, power = pow( 10.0, floor( log10( wanted ) ) );
	return power * ( wanted / power >= 5.0 ? 5.0 : wanted / power >= 2.0 ? 2.0 : 1.0 );
}

static pnVec3 pnNarrow( pnVec3d a ) { return pnMakeVec3( (float)a.x, (float)a.y, (float)a.z ); }

bool pnMakeSolutionSurface( const pnSolution* solution, pnFieldKind field, double exaggerate, int extraVertices, int extraTriangles,
							pnSurface* surface )
{
	size_t vertexCount = (size_t)( solution->vertexCount + extraVertices + 1 ), triangleCount = (size_t)( solution->triangleCount + extraTriangles + 1 );
	*surface = (pnSurface){ .vertexCount = solution->vertexCount, .triangleCount = solution->triangleCount };
	surface->positions = malloc( vertexCount * sizeof( pnVec3 ) );
	surface->normals = malloc( vertexCount * sizeof( pnVec3 ) );
	surface->colors = malloc( vertexCount * sizeof( uint32_t ) );
	surface->triangles = malloc( 3 * triangleCount * sizeof( int32_t ) );
	pnVec3d* normals = calloc( vertexCount, sizeof( pnVec3d ) );
	if ( surface->positions == NULL || surface->normals == NULL || surface->colors == NULL || surface->triangles == NULL || normals == NULL )
	{
		free( normals );
		pnDestroySurface( surface );
		return false;
	}
	surface->bodyVertexCount = surface->vertexCount;
	surface->wallVertex = surface->vertexCount;
	surface->wallTriangle = surface->triangleCount;
	memcpy( surface->triangles, solution->triangles, 3 * (size_t)solution->triangleCount * sizeof( int32_t ) );
	double range = solution->usual[field] > 0.0 ? solution->usual[field] : 1.0;
	for ( int i = 0; i < solution->vertexCount; ++i )
	{
		surface->positions[i] = pnNarrow( pnMulAddD( solution->rest[i], exaggerate, solution->displacements[i] ) );
		surface->colors[i] = pnMapColor( (float)( solution->values[field][i] / range ) );
	}
	for ( int i = 0; i < solution->triangleCount; ++i ) // the deformed surface has other normals
	{
		const int32_t* c = solution->triangles + 3 * (size_t)i;
		pnVec3d corners[3];
		for ( int k = 0; k < 3; ++k )
		{
			corners[k] = pnMulAddD( solution->rest[c[k]], exaggerate, solution->displacements[c[k]] );
		}
		pnVec3d flat = pnCrossD( pnSubD( corners[1], corners[0] ), pnSubD( corners[2], corners[0] ) );
		for ( int k = 0; k < 3; ++k )
		{
			normals[c[k]] = pnAddD( normals[c[k]], flat );
		}
	}
	for ( int i = 0; i < solution->vertexCount; ++i )
	{
		bool isThere = pnLengthD( normals[i] ) > 0.0;
		surface->normals[i] = pnNarrow( isThere ? pnUnitD( normals[i] ) : solution->normals[i] );
	}
	free( normals );
	return true;
}
