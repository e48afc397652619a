// workload.c - makes the benchmark's bodies from a fixed random sequence. Knows no engine and no clock.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "workload.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// The seeds and the order of the draws are part of the workloads: other engines were timed on these very points.
#define SHAPE_SEED 88172645463325252ULL
#define STATE_SEED 123456789012345ULL

typedef struct BlockShape
{
	int pointCount; // the grid's first ones; W3 leaves out the last point of every fourth body
	int gridX, gridY, gridZ; // points along each axis
	int cellsX, cellsY, cellsZ; // clusters along each axis
	float overlap; // reach of a cell over its neighbours on each side, in cell edges
	float size; // edge of the block, metres
} BlockShape;

// xorshift64 (Marsaglia 2003), the top 24 bits: exact in float, [0,1)
static float NextRandom( uint64_t* state )
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (float)( *state >> 40 ) * ( 1.0f / 16777216.0f );
}

// Where on an edge of n cells the i-th grid point lies, in [0,1]: its cell's middle, moved by up to a quarter of a cell.
static float JitteredCoordinate( int i, int n, uint64_t* random )
{
	return ( (float)i + 0.5f + 0.5f * ( NextRandom( random ) - 0.5f ) ) / (float)n;
}

static int ClampIndex( int i, int count )
{
	return i < 0 ? 0 : i > count ? count : i;
}

typedef struct Interval
{
	float lower, upper; // in [0,1] units of the block
	int begin, end; // grid indices that hold every point within, and a few more
} Interval;

static Interval CellInterval( int cell, int cellCount, int gridCount, float overlap )
{
	Interval interval;
	interval.lower = ( (float)cell - overlap ) / (float)cellCount;
	interval.upper = ( (float)( cell + 1 ) + overlap ) / (float)cellCount;
	interval.begin = ClampIndex( (int)floorf( interval.lower * (float)gridCount ) - 1, gridCount );
	interval.end = ClampIndex( (int)ceilf( interval.upper * (float)gridCount ) + 1, gridCount );
	return interval;
}

static bool IsWithin( float a, Interval interval )
{
	return interval.lower <= a && a <= interval.upper;
}

// Writes the points that lie in one cell, in rising order; members NULL only counts them.
static int CollectMembers( const BlockShape* shape, const pnVec3* unitPoints, Interval x, Interval y, Interval z, int32_t* members )
{
	int count = 0;
	for ( int i = x.begin; i < x.end; ++i )
	{
		for ( int j = y.begin; j < y.end; ++j )
		{
			for ( int k = z.begin; k < z.end; ++k )
			{
				int point = ( i * shape->gridY + j ) * shape->gridZ + k;
				if ( point >= shape->pointCount )
				{
					continue;
				}

				pnVec3 p = unitPoints[point];
				if ( IsWithin( p.x, x ) && IsWithin( p.y, y ) && IsWithin( p.z, z ) )
				{
					if ( members != NULL )
					{
						members[count] = point;
					}
					count += 1;
				}
			}
		}
	}
	return count;
}

// One pass over all cells: fills clusterStarts, and members too unless they are NULL. Returns the number of memberships.
static int CollectClusters( const BlockShape* shape, const pnVec3* unitPoints, int32_t* clusterStarts, int32_t* members )
{
	int cluster = 0;
	int count = 0;
	for ( int a = 0; a < shape->cellsX; ++a )
	{
		Interval x = CellInterval( a, shape->cellsX, shape->gridX, shape->overlap );
		for ( int b = 0; b < shape->cellsY; ++b )
		{
			Interval y = CellInterval( b, shape->cellsY, shape->gridY, shape->overlap );
			for ( int c = 0; c < shape->cellsZ; ++c )
			{
				Interval z = CellInterval( c, shape->cellsZ, shape->gridZ, shape->overlap );
				clusterStarts[cluster] = count;
				cluster += 1;
				count += CollectMembers( shape, unitPoints, x, y, z, members == NULL ? NULL : members + count );
			}
		}
	}
	clusterStarts[cluster] = count;
	return count;
}

static void FillGrid( const BlockShape* shape, pnVec3* unitPoints, uint64_t* random )
{
	int point = 0;
	for ( int i = 0; i < shape->gridX; ++i )
	{
		for ( int j = 0; j < shape->gridY; ++j )
		{
			for ( int k = 0; k < shape->gridZ && point < shape->pointCount; ++k )
			{
				unitPoints[point].x = JitteredCoordinate( i, shape->gridX, random );
				unitPoints[point].y = JitteredCoordinate( j, shape->gridY, random );
				unitPoints[point].z = JitteredCoordinate( k, shape->gridZ, random );
				point += 1;
			}
		}
	}
}

// On false the body may be half made; pnDestroyWorkload takes it as it is.
static bool MakeBody( pnWorkBody* body, const BlockShape* shape, uint64_t* random )
{
	size_t pointBytes = (size_t)shape->pointCount * sizeof( pnVec3 );
	body->pointCount = shape->pointCount;
	body->clusterCount = shape->cellsX * shape->cellsY * shape->cellsZ;
	body->points = malloc( pointBytes );
	body->positions = malloc( pointBytes );
	body->velocities = malloc( pointBytes );
	body->clusterStarts = malloc( ( (size_t)body->clusterCount + 1 ) * sizeof( int32_t ) );
	if ( body->points == NULL || body->positions == NULL || body->velocities == NULL || body->clusterStarts == NULL )
	{
		return false;
	}

	FillGrid( shape, body->points, random );

	int membershipCount = CollectClusters( shape, body->points, body->clusterStarts, NULL );
	body->members = malloc( (size_t)membershipCount * sizeof( int32_t ) );
	if ( body->members == NULL )
	{
		return false;
	}
	CollectClusters( shape, body->points, body->clusterStarts, body->members );

	for ( int i = 0; i < body->pointCount; ++i )
	{
		body->points[i] = pnScale( shape->size, body->points[i] );
	}
	return true;
}

static pnVec3 NextRandomVec3( float range, uint64_t* random )
{
	pnVec3 a;
	a.x = range * ( NextRandom( random ) - 0.5f );
	a.y = range * ( NextRandom( random ) - 0.5f );
	a.z = range * ( NextRandom( random ) - 0.5f );
	return a;
}

// Each body stretched along x, roughened and set spinning, on its own place of a 20 x 20 board.
static void MakeStartStates( pnWorkload* workload )
{
	uint64_t random = STATE_SEED;
	float noise = workload->bodyCount == 1 ? 0.02f : 0.10f; // metres, edge to edge; a single large body has closer points
	for ( int b = 0; b < workload->bodyCount; ++b )
	{
		pnWorkBody* body = workload->bodies + b;
		double sum[3] = { 0.0, 0.0, 0.0 };
		for ( int i = 0; i < body->pointCount; ++i )
		{
			sum[0] += body->points[i].x;
			sum[1] += body->points[i].y;
			sum[2] += body->points[i].z;
		}
		double scale = 1.0 / body->pointCount;
		pnVec3 center = { (float)( scale * sum[0] ), (float)( scale * sum[1] ), (float)( scale * sum[2] ) };
		pnVec3 place = { 3.0f * (float)( b % 20 ), 3.0f * (float)( b / 20 % 20 ), 0.0f };
		pnVec3 spin = NextRandomVec3( 4.0f, &random ); // rad/s

		for ( int i = 0; i < body->pointCount; ++i )
		{
			pnVec3 r = pnSub( body->points[i], center );
			pnVec3 stretched = { 1.15f * r.x, 0.95f * r.y, 0.95f * r.z };
			body->positions[i] = pnAdd( pnAdd( place, stretched ), NextRandomVec3( noise, &random ) );
			body->velocities[i] = pnCross( spin, r );
		}
	}
}

typedef BlockShape ShapeFcn( int body );

static pnWorkload* MakeWorkload( int bodyCount, ShapeFcn* shapeOfBody )
{
	pnWorkload* workload = calloc( 1, sizeof( pnWorkload ) );
	if ( workload == NULL )
	{
		return NULL;
	}

	workload->bodies = calloc( (size_t)bodyCount, sizeof( pnWorkBody ) );
	if ( workload->bodies == NULL )
	{
		pnDestroyWorkload( workload );
		return NULL;
	}
	workload->bodyCount = bodyCount;

	uint64_t random = SHAPE_SEED;
	int maxPointCount = 0;
	for ( int b = 0; b < bodyCount; ++b )
	{
		BlockShape shape = shapeOfBody( b );
		pnWorkBody* body = workload->bodies + b;
		if ( MakeBody( body, &shape, &random ) == false )
		{
			pnDestroyWorkload( workload );
			return NULL;
		}
		workload->pointCount += body->pointCount;
		workload->clusterCount += body->clusterCount;
		workload->membershipCount += body->clusterStarts[body->clusterCount];
		maxPointCount = body->pointCount > maxPointCount ? body->pointCount : maxPointCount;
	}

	workload->masses = malloc( (size_t)maxPointCount * sizeof( float ) );
	if ( workload->masses == NULL )
	{
		pnDestroyWorkload( workload );
		return NULL;
	}
	for ( int i = 0; i < maxPointCount; ++i )
	{
		workload->masses[i] = 1.0f;
	}

	MakeStartStates( workload );
	return workload;
}

static BlockShape SingleClusterShape( int body )
{
	(void)body;
	return (BlockShape){ 100, 5, 5, 4, 1, 1, 1, 0.4f, 1.0f };
}

static BlockShape EightClusterShape( int body )
{
	(void)body;
	return (BlockShape){ 100, 5, 5, 4, 2, 2, 2, 0.4f, 1.0f };
}

// 294 bodies of 8 clusters, 6 of 2, 84 of 1: as many bodies and clusters as in figure 9 of the paper
static BlockShape CrowdShape( int body )
{
	BlockShape shape = { body % 4 == 3 ? 143 : 144, 6, 6, 4, 1, 1, 1, 0.4f, 1.0f };
	if ( body < 294 )
	{
		shape.cellsX = shape.cellsY = shape.cellsZ = 2;
	}
	else if ( body < 300 )
	{
		shape.cellsX = 2;
	}
	return shape;
}

static BlockShape GrownShape10k( int body )
{
	(void)body;
	return (BlockShape){ 10000, 25, 20, 20, 5, 4, 5, 0.2f, 4.6f };
}

static BlockShape GrownShape100k( int body )
{
	(void)body;
	return (BlockShape){ 100000, 50, 50, 40, 10, 10, 10, 0.2f, 10.0f };
}

static BlockShape GrownShape1M( int body )
{
	(void)body;
	return (BlockShape){ 1000000, 100, 100, 100, 20, 20, 25, 0.2f, 21.5f };
}

pnWorkload* pnCreateWorkload( int number )
{
	switch ( number )
	{
		case 1:
			return MakeWorkload( 100, SingleClusterShape );
		case 2:
			return MakeWorkload( 100, EightClusterShape );
		case 3:
			return MakeWorkload( 384, CrowdShape );
		case 4:
			return MakeWorkload( 1, GrownShape100k );
		default:
			return NULL;
	}
}

pnWorkload* pnCreateGrownWorkload( int pointCount )
{
	switch ( pointCount )
	{
		case 10000:
			return MakeWorkload( 1, GrownShape10k );
		case 100000:
			return MakeWorkload( 1, GrownShape100k );
		case 1000000:
			return MakeWorkload( 1, GrownShape1M );
		default:
			return NULL;
	}
}

pnWorkload* pnCreateRepeatedWorkload( int bodyCount )
{
	return bodyCount > 0 ? MakeWorkload( bodyCount, EightClusterShape ) : NULL;
}

void pnDestroyWorkload( pnWorkload* workload )
{
	if ( workload == NULL )
	{
		return;
	}

	for ( int b = 0; b < workload->bodyCount; ++b )
	{
		pnWorkBody* body = workload->bodies + b;
		free( body->points );
		free( body->positions );
		free( body->velocities );
		free( body->clusterStarts );
		free( body->members );
	}
	free( workload->bodies );
	free( workload->masses );
	free( workload );
}
