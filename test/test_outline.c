// test_outline.c - outlines filled with triangles: closed whatever the outline, Delaunay and exact where it is good. Knows no cuts.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For posix_memalign, also when compiled as strict C17.
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include "base/core.h"
#include "cut/outline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- an outline under construction ----

enum { MOST = 65536 };

typedef struct Sketch
{
	pnPoint2 points[MOST];
	int32_t edges[2 * MOST];
	int pointCount, edgeCount;
	int32_t spacing;
} Sketch;

static Sketch s_sketch;

static void Clear( int32_t spacing )
{
	s_sketch.pointCount = 0;
	s_sketch.edgeCount = 0;
	s_sketch.spacing = spacing;
}

static int AddPoint( double x, double y )
{
	s_sketch.points[s_sketch.pointCount] = ( pnPoint2 ){ (int32_t)floor( x + 0.5 ), (int32_t)floor( y + 0.5 ) };
	return s_sketch.pointCount++;
}

// x is drawn first, whatever the compiler: arguments have no order.
static int AddRandomPoint( pnRandom* random, double lowerX, double upperX, double lowerY, double upperY )
{
	double x = pnRandomIn( random, lowerX, upperX ), y = pnRandomIn( random, lowerY, upperY );
	return AddPoint( x, y );
}

static int AddCrudePoint( pnRandom* random, int size, int scale )
{
	int x = pnRandomInt( random, size ), y = pnRandomInt( random, size );
	return AddPoint( (double)scale * x, (double)scale * y );
}

static void AddEdge( int from, int to )
{
	s_sketch.edges[2 * s_sketch.edgeCount] = from;
	s_sketch.edges[2 * s_sketch.edgeCount + 1] = to;
	s_sketch.edgeCount += 1;
}

// Points from `first` to the last one, as a loop.
static void CloseLoop( int first )
{
	for ( int i = first; i < s_sketch.pointCount; ++i )
	{
		AddEdge( i, i + 1 < s_sketch.pointCount ? i + 1 : first );
	}
}

static void AddLoop( const int32_t* places, int count )
{
	int first = s_sketch.pointCount;
	for ( int i = 0; i < count; ++i )
	{
		AddPoint( places[2 * i], places[2 * i + 1] );
	}
	CloseLoop( first );
}

static void AddBox( int32_t x0, int32_t y0, int32_t x1, int32_t y1 ) // turned right if x1 < x0
{
	AddLoop( ( int32_t[8] ){ x0, y0, x1, y0, x1, y1, x0, y1 }, 4 );
}

static void ShuffleEdges( pnRandom* random )
{
	for ( int i = s_sketch.edgeCount - 1; i > 0; --i )
	{
		int k = pnRandomInt( random, i + 1 );
		for ( int end = 0; end < 2; ++end )
		{
			int32_t swap = s_sketch.edges[2 * i + end];
			s_sketch.edges[2 * i + end] = s_sketch.edges[2 * k + end];
			s_sketch.edges[2 * k + end] = swap;
		}
	}
}

// ---- what must hold ----

static int64_t GetTurn( pnPoint2 a, pnPoint2 b, pnPoint2 c )
{
	return ( (int64_t)b.x - a.x ) * ( (int64_t)c.y - a.y ) - ( (int64_t)b.y - a.y ) * ( (int64_t)c.x - a.x );
}

static bool IsInCircle( pnPoint2 a, pnPoint2 b, pnPoint2 c, pnPoint2 d )
{
	__int128 sum = 0;
	pnPoint2 p[3] = { a, b, c };
	for ( int i = 0; i < 3; ++i )
	{
		pnPoint2 q = p[i], r = p[( i + 1 ) % 3], s = p[( i + 2 ) % 3];
		int64_t x = (int64_t)q.x - d.x, y = (int64_t)q.y - d.y;
		sum += (__int128)( x * x + y * y ) * GetTurn( d, r, s );
	}
	return sum > 0;
}

static pnPoint2 GetPoint( const pnFilling* filling, int32_t point )
{
	return point < s_sketch.pointCount ? s_sketch.points[point] : filling->inner[point - s_sketch.pointCount];
}

typedef struct Side { uint64_t key; int32_t index; } Side; // from and to; triangle corner where it starts, or -1 for one of the outline

static int CompareSides( const void* a, const void* b )
{
	const Side *p = a, *q = b;
	return p->key != q->key ? ( p->key < q->key ? -1 : 1 ) : ( p->index > q->index ) - ( p->index < q->index );
}

static uint64_t GetKey( int32_t from, int32_t to )
{
	return (uint64_t)(uint32_t)from << 32 | (uint32_t)to;
}

static int FindSide( const Side* sides, int count, uint64_t key )
{
	int low = 0, high = count;
	while ( low < high )
	{
		int middle = ( low + high ) / 2;
		low = sides[middle].key < key ? middle + 1 : low;
		high = sides[middle].key < key ? high : middle;
	}
	return low;
}

static int CountSides( const Side* sides, int count, uint64_t key, bool outline )
{
	int found = 0;
	for ( int i = FindSide( sides, count, key ); i < count && sides[i].key == key; ++i )
	{
		found += ( sides[i].index < 0 ) == outline;
	}
	return found;
}

enum
{
	unturned = 1, // no triangle is turned, and what is not on the outline is Delaunay
	good = 3, // and none lies over another
	positive = 4, // and none has no area
};

// What came of the sketch that was filled last.
typedef struct Report
{
	int triangleCount, innerCount, turned, thin;
	double area, turnedArea; // twice
	uint64_t hash;
	bool flat;
} Report;

static Report s_report;

// Fills the sketch and looks at all that is promised. Returns the number of triangles, -1 if something failed.
static int FillAndCheck( int what )
{
	pnOutline outline = { s_sketch.points, s_sketch.pointCount, s_sketch.edges, s_sketch.edgeCount, s_sketch.spacing };
	pnScratch scratch = { 0 };
	pnFilling filling;
	if ( !ENSURE( pnFillOutline( &outline, &scratch, &filling ) ) )
	{
		pnGiveBack( &scratch );
		return -1;
	}
	bool fine = true;
	int pointCount = s_sketch.pointCount + filling.innerCount, count = 0;
	Side* sides = malloc( ( 3 * (size_t)filling.triangleCount + s_sketch.edgeCount + 1 ) * sizeof( Side ) );
	bool inRange = true;
	for ( int i = 0; i < 3 * filling.triangleCount; ++i )
	{
		int32_t from = filling.triangles[i], to = filling.triangles[i % 3 == 2 ? i - 2 : i + 1];
		inRange = inRange && from >= 0 && from < pointCount;
		sides[count++] = ( Side ){ GetKey( from, to ), i };
	}
	fine &= ENSURE( inRange );
	for ( int i = 0; i < s_sketch.edgeCount; ++i )
	{
		sides[count++] = ( Side ){ GetKey( s_sketch.edges[2 * i], s_sketch.edges[2 * i + 1] ), -1 };
	}
	qsort( sides, (size_t)count, sizeof( Side ), CompareSides );

	// Each edge of the outline once; all others once, and once the other way round.
	bool closed = true, delaunay = true;
	for ( int i = 0; i < count; ++i )
	{
		uint64_t key = sides[i].key, reverse = key << 32 | key >> 32;
		int own = CountSides( sides, count, key, false ), asked = CountSides( sides, count, key, true );
		if ( asked > 0 )
		{
			closed = closed && own == asked;
			continue;
		}
		closed = closed && own == 1 && CountSides( sides, count, reverse, false ) == 1 && CountSides( sides, count, reverse, true ) == 0;
		if ( closed && inRange )
		{
			int other = sides[FindSide( sides, count, reverse )].index, self = sides[i].index;
			pnPoint2 a = GetPoint( &filling, filling.triangles[self] ), b = GetPoint( &filling, filling.triangles[other] );
			pnPoint2 c = GetPoint( &filling, filling.triangles[self / 3 * 3 + ( self + 2 ) % 3] );
			pnPoint2 d = GetPoint( &filling, filling.triangles[other / 3 * 3 + ( other + 2 ) % 3] );
			delaunay = delaunay && !( GetTurn( a, b, c ) > 0 && GetTurn( b, a, d ) > 0 && IsInCircle( a, b, c, d ) );
		}
	}
	fine &= ENSURE( closed );

	__int128 area = 0, asked = 0, turnedArea = 0;
	int turned = 0, thin = 0;
	for ( int i = 0; i < filling.triangleCount && inRange; ++i )
	{
		const int32_t* t = filling.triangles + 3 * i;
		int64_t turn = GetTurn( GetPoint( &filling, t[0] ), GetPoint( &filling, t[1] ), GetPoint( &filling, t[2] ) );
		area += turn;
		turned += turn < 0;
		turnedArea += turn < 0 ? -turn : 0;
		thin += turn == 0;
	}
	for ( int i = 0; i < s_sketch.edgeCount; ++i )
	{
		asked += GetTurn( s_sketch.points[0], s_sketch.points[s_sketch.edges[2 * i]], s_sketch.points[s_sketch.edges[2 * i + 1]] );
	}
	fine &= ENSURE( area == asked );
	if ( ( what & unturned ) != 0 )
	{
		fine &= ENSURE( turned == 0 );
		fine &= ENSURE( delaunay );
	}
	fine &= ENSURE( ( what & good ) != good || filling.flat );
	fine &= ENSURE( ( what & positive ) == 0 || thin == 0 );
	s_report = ( Report ){ filling.triangleCount, filling.innerCount, turned, thin, (double)area, (double)turnedArea, PN_HASH_SEED, filling.flat };
	s_report.hash = pnHash( s_report.hash, filling.triangles, 3 * (size_t)filling.triangleCount * sizeof( int32_t ) );
	s_report.hash = pnHash( s_report.hash, filling.inner, (size_t)filling.innerCount * sizeof( pnPoint2 ) );
	int triangleCount = filling.triangleCount;
	free( sides );
	pnGiveBack( &scratch );
	return fine ? triangleCount : -1;
}

// ---- smooth outlines ----

static void AddStar( pnRandom* random, double x, double y, double radius, double roughness, int count, bool hole )
{
	int first = s_sketch.pointCount;
	double phase = pnRandomIn( random, 0.0, 6.28 );
	for ( int i = 0; i < count; ++i )
	{
		double angle = phase + 6.283185307179586 * i / count * ( hole ? -1.0 : 1.0 ), r = radius * pnRandomIn( random, 1.0 - roughness, 1.0 );
		AddPoint( x + r * cos( angle ), y + r * sin( angle ) );
	}
	CloseLoop( first );
}

static void StarsAreFilled( void )
{
	pnRandom random = pnSeed( 1 );
	for ( int i = 0; i < 2000; ++i )
	{
		pnTestContext( "star %d", i );
		double radius = pow( 2.0, pnRandomIn( &random, 9.0, 28.9 ) );
		Clear( i % 3 == 0 ? (int32_t)( radius * pnRandomIn( &random, 0.08, 1.0 ) ) : 0 );
		int count = 3 + pnRandomInt( &random, 40 );
		double roughness = pnRandomIn( &random, 0.0, 0.9 );
		AddStar( &random, 0.0, 0.0, radius, roughness, count, false );
		ShuffleEdges( &random );
		int triangles = FillAndCheck( good | positive );
		ENSURE( s_sketch.spacing > 0 || triangles == count - 2 );
	}
}

static void RoundsHaveHolesAndIslands( void )
{
	pnRandom random = pnSeed( 2 );
	for ( int i = 0; i < 600; ++i )
	{
		pnTestContext( "round %d", i );
		double scale = pow( 2.0, pnRandomIn( &random, 3.0, 20.0 ) );
		Clear( i % 2 == 0 ? (int32_t)( scale * pnRandomIn( &random, 8.0, 60.0 ) ) : 0 );
		AddStar( &random, 0.0, 0.0, scale * 200.0, 0.1, 8 + pnRandomInt( &random, 40 ), false );
		// 81 stands for holes of radius 12, at most 9 * 16 from the middle: all inside the round of 180 at 12 corners
		int holes = pnRandomInt( &random, 12 );
		uint8_t taken[81] = { 0 };
		for ( int k = 0; k < holes; ++k )
		{
			int stand = pnRandomInt( &random, 81 );
			double x = scale * 24.0 * ( stand % 9 - 4 ), y = scale * 24.0 * ( stand / 9 - 4 );
			if ( taken[stand] != 0 || x * x + y * y > scale * scale * 110.0 * 110.0 )
			{
				continue;
			}
			taken[stand] = 1;
			AddStar( &random, x, y, scale * 12.0, 0.3, 5 + pnRandomInt( &random, 8 ), true );
			if ( pnRandomInt( &random, 2 ) == 0 )
			{
				AddStar( &random, x, y, scale * 6.0, 0.5, 3 + pnRandomInt( &random, 8 ), false );
			}
		}
		ShuffleEdges( &random );
		FillAndCheck( good | positive );
	}
}

static void CombsAreFilled( void )
{
	pnRandom random = pnSeed( 3 );
	for ( int i = 0; i < 500; ++i )
	{
		pnTestContext( "comb %d", i );
		int teeth = 1 + pnRandomInt( &random, 30 );
		double wide = pnRandomIn( &random, 1.0, 50.0 ), high = pnRandomIn( &random, 1.0, 100000.0 ), shear = pnRandomIn( &random, -2.0, 2.0 );
		Clear( i % 2 == 0 ? (int32_t)pnRandomIn( &random, 20.0, 2000.0 ) : 0 );
		AddPoint( 0.0, -10.0 );
		AddPoint( 4.0 * wide * teeth, -10.0 );
		for ( int k = teeth - 1; k >= 0; --k )
		{
			double top = 10.0 + pnRandomIn( &random, 0.0, high );
			AddPoint( wide * ( 4 * k + 3 ), 10.0 );
			AddPoint( wide * ( 4 * k + 2 ) + shear * top, 10.0 + top );
			AddPoint( wide * ( 4 * k + 1 ) + shear * top, 10.0 + top );
			AddPoint( wide * ( 4 * k ), 10.0 );
		}
		CloseLoop( 0 );
		FillAndCheck( 0 ); // teeth of different lengths may cross if they lean
		if ( shear * high < 4000.0 && fabs( shear ) < 0.01 )
		{
			FillAndCheck( good );
		}
	}
}

static void SpiralsAreFilled( void )
{
	pnRandom random = pnSeed( 4 );
	for ( int i = 0; i < 200; ++i )
	{
		pnTestContext( "spiral %d", i );
		double turns = pnRandomIn( &random, 0.5, 6.0 ), step = pnRandomIn( &random, 0.05, 0.4 ), scale = pow( 2.0, pnRandomIn( &random, 12.0, 24.0 ) );
		Clear( i % 2 == 0 ? (int32_t)( 0.4 * scale ) : 0 );
		int count = (int)( 6.283 * turns / step ) + 2;
		for ( int side = 0; side < 2; ++side )
		{
			for ( int k = 0; k < count; ++k )
			{
				double angle = step * ( side == 0 ? k : count - 1 - k ), radius = scale * ( 1.0 + angle / 6.283 + ( side == 0 ? 0.0 : -0.5 ) );
				AddPoint( radius * cos( angle ), radius * sin( angle ) );
			}
		}
		CloseLoop( 0 );
		FillAndCheck( good | positive );
	}
}

// ---- outlines of cells: everything lies on everything ----

enum { CELLS = 6, CORNERS = CELLS + 1 };

typedef struct Maze
{
	uint8_t filled[CELLS][CELLS];
	uint8_t edges[CORNERS][CORNERS][4]; // leaves the corner: east, north, west, south
	int32_t leaves[CORNERS][CORNERS][4], comes[CORNERS][CORNERS][4]; // the points of an edge that leaves the corner; of one that comes from there
} Maze;

static const int s_dx[4] = { 1, 0, -1, 0 }, s_dy[4] = { 0, 1, 0, -1 };

static bool IsFilled( const Maze* maze, int x, int y )
{
	return x >= 0 && y >= 0 && x < CELLS && y < CELLS && maze->filled[x][y] != 0;
}

// The cell to the left of the edge that leaves a corner.
static bool IsFilledLeft( const Maze* maze, int x, int y, int d )
{
	return IsFilled( maze, x - ( d == 1 || d == 2 ), y - ( d == 2 || d == 3 ) );
}

typedef enum Matching { proper, oneEach, shuffled } Matching;

typedef struct MazeDef
{
	Matching matching; // which edge that comes to a corner goes on with which: by the material between, all with one point, or at random
	int slits, whiskers, merges, doubles; // in 256
} MazeDef;

static bool MakeMaze( pnRandom* random, const MazeDef* def )
{
	Maze maze = { 0 };
	int density = 64 + pnRandomInt( random, 160 );
	int width = 1 + pnRandomInt( random, CELLS ), height = 1 + pnRandomInt( random, CELLS );
	for ( int x = 0; x < width; ++x )
	{
		for ( int y = 0; y < height; ++y )
		{
			maze.filled[x][y] = pnRandomInt( random, 256 ) < density;
		}
	}
	for ( int x = 0; x < CORNERS; ++x )
	{
		for ( int y = 0; y < CORNERS; ++y )
		{
			for ( int d = 0; d < 4; ++d )
			{
				int tx = x + s_dx[d], ty = y + s_dy[d];
				if ( tx < 0 || ty < 0 || tx >= CORNERS || ty >= CORNERS )
				{
					continue;
				}
				bool left = IsFilledLeft( &maze, x, y, d ), right = IsFilledLeft( &maze, tx, ty, ( d + 2 ) % 4 );
				bool both = d < 2 && left == right && pnRandomInt( random, 256 ) < ( left ? def->slits : def->whiskers );
				maze.edges[x][y][d] |= ( left && !right ) || both;
				maze.edges[tx][ty][( d + 2 ) % 4] |= both;
			}
		}
	}

	int a = 1 + pnRandomInt( random, 1000 ), d = 1 + pnRandomInt( random, 1000 ), b = pnRandomInt( random, a ), c = -pnRandomInt( random, d );
	for ( int x = 0; x < CORNERS; ++x )
	{
		for ( int y = 0; y < CORNERS; ++y )
		{
			int outs[4], ins[4], outCount = 0, inCount = 0, common = -1;
			for ( int k = 0; k < 4; ++k )
			{
				int tx = x + s_dx[k], ty = y + s_dy[k];
				bool inside = tx >= 0 && ty >= 0 && tx < CORNERS && ty < CORNERS;
				if ( maze.edges[x][y][k] != 0 )
				{
					outs[outCount++] = k;
				}
				if ( inside && maze.edges[tx][ty][( k + 2 ) % 4] != 0 )
				{
					ins[inCount++] = k;
				}
			}
			if ( outCount != inCount )
			{
				return false;
			}
			for ( int i = inCount - 1; i > 0 && def->matching == shuffled; --i )
			{
				int k = pnRandomInt( random, i + 1 ), swap = ins[i];
				ins[i] = ins[k];
				ins[k] = swap;
			}
			for ( int i = 0; i < outCount; ++i )
			{
				int partner = ins[i];
				for ( int turn = 1; turn <= 4 && def->matching == proper; ++turn )
				{
					bool found = false;
					for ( int k = 0; k < inCount; ++k )
					{
						found = found || ins[k] == ( outs[i] + turn ) % 4;
					}
					if ( found )
					{
						partner = ( outs[i] + turn ) % 4;
						break;
					}
				}
				int point = def->matching == oneEach && common >= 0 ? common : AddPoint( a * x + b * y, c * x + d * y );
				common = point;
				maze.leaves[x][y][outs[i]] = point;
				maze.comes[x][y][partner] = point;
				if ( def->matching != oneEach && pnRandomInt( random, 256 ) < def->doubles )
				{
					int twin = AddPoint( a * x + b * y, c * x + d * y );
					maze.leaves[x][y][outs[i]] = twin;
					AddEdge( point, twin );
				}
			}
		}
	}
	// Straight on through a point of its own: it may be left out.
	static int32_t next[MOST];
	static uint8_t straight[MOST];
	memset( straight, 0, (size_t)s_sketch.pointCount );
	for ( int x = 0; x < CORNERS; ++x )
	{
		for ( int y = 0; y < CORNERS; ++y )
		{
			for ( int k = 0; k < 4; ++k )
			{
				if ( maze.edges[x][y][k] != 0 )
				{
					int32_t from = maze.leaves[x][y][k];
					next[from] = maze.comes[x + s_dx[k]][y + s_dy[k]][( k + 2 ) % 4];
					int ox = x - s_dx[k], oy = y - s_dy[k];
					bool inside = ox >= 0 && oy >= 0 && ox < CORNERS && oy < CORNERS;
					bool on = inside && maze.edges[ox][oy][k] != 0 && maze.comes[x][y][( k + 2 ) % 4] == from;
					straight[from] = def->matching != oneEach && on && pnRandomInt( random, 256 ) < def->merges;
				}
			}
		}
	}
	for ( int x = 0; x < CORNERS; ++x )
	{
		for ( int y = 0; y < CORNERS; ++y )
		{
			for ( int k = 0; k < 4; ++k )
			{
				if ( maze.edges[x][y][k] != 0 && straight[maze.leaves[x][y][k]] == 0 )
				{
					int32_t to = maze.comes[x + s_dx[k]][y + s_dy[k]][( k + 2 ) % 4];
					while ( straight[to] != 0 )
					{
						to = next[to];
					}
					AddEdge( maze.leaves[x][y][k], to );
				}
			}
		}
	}
	return s_sketch.edgeCount > 0;
}

static void TryMazes( uint64_t seed, int count, const MazeDef* def, int what )
{
	pnRandom random = pnSeed( seed );
	for ( int i = 0; i < count; ++i )
	{
		Clear( i % 4 == 0 ? 40 + pnRandomInt( &random, 2000 ) : 0 );
		if ( MakeMaze( &random, def ) )
		{
			ShuffleEdges( &random );
			pnTestContext( "maze %d of seed %d", i, (int)seed );
			FillAndCheck( what );
		}
	}
}

static void CellsTouchAtCorners( void )
{
	TryMazes( 10, 700, &( MazeDef ){ proper, 0, 0, 0, 0 }, good | positive );
	TryMazes( 11, 700, &( MazeDef ){ oneEach, 0, 0, 0, 0 }, good | positive );
	TryMazes( 12, 700, &( MazeDef ){ shuffled, 0, 0, 0, 0 }, good );
}

static void SlitsHaveTwoLips( void )
{
	TryMazes( 13, 700, &( MazeDef ){ proper, 100, 0, 0, 0 }, good | positive );
	TryMazes( 14, 700, &( MazeDef ){ oneEach, 100, 0, 0, 0 }, good | positive );
	TryMazes( 15, 700, &( MazeDef ){ shuffled, 100, 0, 0, 0 }, good );
}

static void EdgesPassThroughPoints( void )
{
	TryMazes( 16, 700, &( MazeDef ){ proper, 0, 0, 128, 0 }, good | positive );
	TryMazes( 17, 700, &( MazeDef ){ proper, 100, 0, 128, 0 }, good | positive );
	TryMazes( 18, 700, &( MazeDef ){ shuffled, 0, 0, 200, 0 }, good );
}

static void WhatHasNoWidthIsClosed( void )
{
	TryMazes( 19, 700, &( MazeDef ){ shuffled, 60, 60, 0, 0 }, good );
	TryMazes( 20, 700, &( MazeDef ){ oneEach, 60, 60, 0, 0 }, good );
	TryMazes( 21, 700, &( MazeDef ){ proper, 0, 0, 0, 100 }, good );
	// Two edges may cross in a place that both pass, which is not good.
	TryMazes( 22, 700, &( MazeDef ){ shuffled, 60, 60, 128, 60 }, 0 );
}

static void DegenerateOutlinesAreClosed( void )
{
	static const int32_t point[2] = { 7, 7 }, line[12] = { 0, 0, 10, 5, 20, 10, 30, 15, 20, 10, 10, 5 }, same[8] = { 3, 3, 3, 3, 3, 3, 3, 3 };
	pnTestContext( "nothing" );
	Clear( 5 );
	ENSURE( FillAndCheck( good ) == 0 );
	AddPoint( 1.0, 2.0 );
	ENSURE( FillAndCheck( good ) == 0 );
	for ( int32_t spacing = 0; spacing < 4; spacing += 3 )
	{
		pnTestContext( "one edge" );
		Clear( spacing );
		AddLoop( point, 1 );
		ENSURE( FillAndCheck( good ) == 1 );
		pnTestContext( "two edges" );
		Clear( spacing );
		AddLoop( line, 2 );
		ENSURE( FillAndCheck( good ) == 2 );
		pnTestContext( "three edges in one line" );
		Clear( spacing );
		AddLoop( line, 3 );
		ENSURE( FillAndCheck( good ) == 1 );
		pnTestContext( "there and back" );
		Clear( spacing );
		AddLoop( line, 6 );
		ENSURE( FillAndCheck( good ) == 4 );
		pnTestContext( "two in one place" );
		Clear( spacing );
		AddLoop( same, 2 );
		ENSURE( FillAndCheck( good ) == 2 );
		pnTestContext( "four in one place" );
		Clear( spacing );
		AddLoop( same, 4 );
		ENSURE( FillAndCheck( good ) == 2 );
	}
	// the same edge twice
	pnTestContext( "a loop gone twice" );
	Clear( 0 );
	AddBox( 0, 0, 100, 100 );
	for ( int i = 0; i < 4; ++i )
	{
		AddEdge( i, ( i + 1 ) % 4 );
	}
	FillAndCheck( 0 );
}

// As far as coordinates go: products must not overflow.
static void TheReachIsUsedFully( void )
{
	const int32_t reach = PN_OUTLINE_REACH;
	pnRandom random = pnSeed( 23 );
	for ( int i = 0; i < 200; ++i )
	{
		pnTestContext( "box %d", i );
		Clear( i % 2 == 0 ? 0 : reach / 8 );
		AddBox( -reach, -reach, reach, reach );
		for ( int k = 0; k < i % 7; ++k ) // holes in the corners and at the rims, on one another only in single points
		{
			int32_t x = ( k % 3 - 1 ) * ( reach - 1 - pnRandomInt( &random, 5 ) ), y = ( k / 3 - 1 ) * ( reach - 1 - pnRandomInt( &random, 5 ) );
			AddLoop( ( int32_t[6] ){ x, y, x, y + 1, x + 1, y }, 3 );
		}
		FillAndCheck( good );
	}
}

// Two layers of a folded body: each is filled by itself, whether one lies within the other or they cross.
static void LayersAreFilledByThemselves( void )
{
	pnRandom random = pnSeed( 24 );
	for ( int i = 0; i < 500; ++i )
	{
		pnTestContext( "layers %d", i );
		Clear( i % 2 == 0 ? 0 : 150 );
		int layers = 2 + pnRandomInt( &random, 4 ), asked = 0;
		for ( int k = 0; k < layers; ++k )
		{
			int count = 3 + pnRandomInt( &random, 20 );
			double off = pnRandomIn( &random, 0.0, 600.0 );
			AddStar( &random, off, off, 1000.0 - 100.0 * k, 0.3, count, false );
			asked += count - 2;
			if ( pnRandomInt( &random, 2 ) == 0 )
			{
				AddStar( &random, off, off, 100.0 - 9.0 * k, 0.3, 4, true );
				asked += 6;
			}
		}
		ShuffleEdges( &random );
		int triangles = FillAndCheck( 0 );
		// Holes of several layers may be taken for one another's, and then cross a loop. Without holes all is as it should be.
		if ( asked == s_sketch.edgeCount - 2 * layers )
		{
			ENSURE( s_report.turned == 0 && s_report.thin == 0 );
			ENSURE( s_sketch.spacing > 0 || triangles == asked );
		}
	}
}

// ---- outlines that cross themselves ----

// Closed walks over few places: points on points, edges on edges, loops of one edge, everything at once.
static void GarbageIsClosed( void )
{
	pnRandom random = pnSeed( 30 );
	for ( int i = 0; i < 4000; ++i )
	{
		pnTestContext( "walk %d", i );
		Clear( i % 5 == 0 ? 1 + pnRandomInt( &random, 200 ) : 0 );
		int size = 1 + pnRandomInt( &random, 6 ), scale = 1 + pnRandomInt( &random, 100 );
		int walks = 1 + pnRandomInt( &random, 5 ), pool = 1 + pnRandomInt( &random, 30 );
		bool own = pnRandomInt( &random, 2 ) == 0;
		for ( int k = 0; k < pool; ++k )
		{
			AddCrudePoint( &random, size, scale );
		}
		for ( int walk = 0; walk < walks; ++walk )
		{
			int length = 1 + pnRandomInt( &random, 12 ), first = s_sketch.pointCount;
			if ( own )
			{
				for ( int k = 0; k < length; ++k )
				{
					AddCrudePoint( &random, size, scale );
				}
				CloseLoop( first );
				continue;
			}
			int start = pnRandomInt( &random, pool ), at = start;
			for ( int k = 0; k < length; ++k )
			{
				int to = k == length - 1 ? start : pnRandomInt( &random, pool );
				AddEdge( at, to );
				at = to;
			}
		}
		FillAndCheck( 0 );
	}
}

// Loops twice around, with one crossing: points are put there, and all is filled twice or once as it should be, but for slivers.
static void CrossingsGetPoints( void )
{
	for ( int i = 0; i < 40; ++i )
	{
		pnTestContext( "loop in a loop %d", i );
		int count = 30 + 17 * i;
		Clear( i % 2 == 0 ? 0 : 20000000 );
		for ( int k = 0; k < count; ++k )
		{
			double angle = 12.566370614359172 * ( k + 0.3 ) / count, radius = 3e8 * ( 0.6 + 0.3 * cos( 0.5 * angle ) );
			AddPoint( radius * cos( angle ), radius * sin( angle ) );
		}
		CloseLoop( 0 );
		FillAndCheck( 0 );
		ENSURE( !s_report.flat );
		ENSURE( s_report.turned <= 8 );
		ENSURE_MOST( s_report.turnedArea, 1e-6 * s_report.area );
	}
	// an eight: one half of it is turned
	Clear( 0 );
	AddLoop( ( int32_t[8] ){ 0, 0, 1000, 1000, 1000, 0, 0, 1000 }, 4 );
	FillAndCheck( 0 );
	ENSURE_NEAR( s_report.turnedArea, 500000.0, 1000.0 );
	// a hole without anything around it
	Clear( 0 );
	AddBox( 100, 0, 0, 100 );
	ENSURE( FillAndCheck( 0 ) == 2 );
	ENSURE( !s_report.flat && s_report.turned == 2 );
}

// Only what is tangled suffers.
static void OneBadLoopLeavesOthersGood( void )
{
	pnRandom random = pnSeed( 32 );
	Clear( 0 );
	for ( int i = 0; i < 20; ++i )
	{
		AddStar( &random, 10000.0 * i, 0.0, 4000.0, 0.3, 40, false );
		AddStar( &random, 10000.0 * i, 0.0, 1000.0, 0.3, 20, true );
	}
	FillAndCheck( good | positive );
	Report before = s_report;
	int first = s_sketch.pointCount;
	for ( int i = 0; i < 400; ++i )
	{
		AddRandomPoint( &random, -50000.0, -20000.0, -15000.0, 15000.0 );
	}
	CloseLoop( first );
	FillAndCheck( 0 );
	ENSURE( s_report.triangleCount == before.triangleCount + 400 ); // a fan
	ENSURE( s_report.innerCount == before.innerCount + 1 );
}

static void LargeGarbageIsClosed( void )
{
	pnRandom random = pnSeed( 31 );
	for ( int i = 0; i < 20; ++i )
	{
		pnTestContext( "walk %d", i );
		Clear( 0 );
		double size = i % 2 == 0 ? 536870911.0 : 1000.0;
		int length = 10 << pnRandomInt( &random, 7 );
		for ( int k = 0; k < length; ++k )
		{
			AddRandomPoint( &random, -size, size, -size, size );
		}
		CloseLoop( 0 );
		FillAndCheck( 0 );
	}
}

// ---- points inside ----

static double GetDistance2( pnPoint2 p, pnPoint2 a, pnPoint2 b )
{
	double x = (double)b.x - a.x, y = (double)b.y - a.y, px = (double)p.x - a.x, py = (double)p.y - a.y, length2 = x * x + y * y;
	double t = length2 > 0.0 ? ( px * x + py * y ) / length2 : 0.0;
	t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
	return ( px - t * x ) * ( px - t * x ) + ( py - t * y ) * ( py - t * y );
}

static void InnerPointsKeepTheirDistance( void )
{
	pnRandom random = pnSeed( 40 );
	for ( int i = 0; i < 60; ++i )
	{
		pnTestContext( "round %d", i );
		double spacing = pow( 2.0, pnRandomIn( &random, 6.0, 24.0 ) ), radius = spacing * pnRandomIn( &random, 1.0, 12.0 );
		Clear( (int32_t)spacing );
		AddStar( &random, 0.0, 0.0, radius, 0.2, 6 + pnRandomInt( &random, 60 ), false );
		if ( radius > 5.0 * spacing )
		{
			AddStar( &random, 0.0, 0.0, 2.0 * spacing, 0.2, 6 + pnRandomInt( &random, 20 ), true );
		}
		pnOutline outline = { s_sketch.points, s_sketch.pointCount, s_sketch.edges, s_sketch.edgeCount, s_sketch.spacing };
		pnScratch scratch = { 0 };
		pnFilling filling;
		REQUIRE( pnFillOutline( &outline, &scratch, &filling ) );
		double toOutline = 1e300, toOthers = 1e300, area = 0.0;
		for ( int k = 0; k < filling.innerCount; ++k )
		{
			for ( int edge = 0; edge < s_sketch.edgeCount; ++edge )
			{
				double d2 = GetDistance2( filling.inner[k], s_sketch.points[s_sketch.edges[2 * edge]], s_sketch.points[s_sketch.edges[2 * edge + 1]] );
				toOutline = d2 < toOutline ? d2 : toOutline;
			}
			for ( int other = 0; other < k; ++other )
			{
				double d2 = GetDistance2( filling.inner[k], filling.inner[other], filling.inner[other] );
				toOthers = d2 < toOthers ? d2 : toOthers;
			}
		}
		ENSURE( sqrt( toOutline ) > 0.57 * spacing );
		ENSURE( sqrt( toOthers ) > 0.95 * spacing );
		for ( int k = 0; k < filling.triangleCount; ++k )
		{
			const int32_t* t = filling.triangles + 3 * k;
			area += 0.5 * (double)GetTurn( GetPoint( &filling, t[0] ), GetPoint( &filling, t[1] ), GetPoint( &filling, t[2] ) );
		}
		// as many as fit, but for a rim
		ENSURE_MOST( (double)filling.innerCount, area / ( 0.866 * spacing * spacing ) );
		ENSURE( radius < 6.0 * spacing || filling.innerCount > 0.5 * area / ( 0.866 * spacing * spacing ) );
		pnGiveBack( &scratch );
		FillAndCheck( good | positive );
	}
	// A spacing far too small for the outline does not ask for all memory.
	pnTestContext( "too fine" );
	Clear( 1 );
	AddBox( 0, 0, PN_OUTLINE_REACH, 3 );
	ENSURE( FillAndCheck( good | positive ) > 0 );
	AddBox( 0, 1000, PN_OUTLINE_REACH, PN_OUTLINE_REACH );
	pnOutline outline = { s_sketch.points, s_sketch.pointCount, s_sketch.edges, s_sketch.edgeCount, s_sketch.spacing };
	pnScratch scratch = { 0 };
	pnFilling filling;
	ENSURE( pnFillOutline( &outline, &scratch, &filling ) );
	ENSURE( filling.innerCount > 100000 && filling.innerCount < 1500000 );
	pnGiveBack( &scratch );
}

// ---- large ones ----

static void LargeOutlinesAreFilled( void )
{
	pnRandom random = pnSeed( 50 );
	pnTestContext( "star" );
	Clear( 0 );
	AddStar( &random, 0.0, 0.0, 4e8, 0.7, 20000, false );
	FillAndCheck( good | positive );
	pnTestContext( "round with holes" );
	Clear( 5000000 );
	AddStar( &random, 0.0, 0.0, 4e8, 0.01, 5000, false );
	for ( int i = 0; i < 400; ++i )
	{
		AddStar( &random, 2.5e7 * ( i % 20 - 9.5 ), 2.5e7 * ( i / 20 - 9.5 ), 1e7, 0.3, 16, true );
	}
	FillAndCheck( good | positive );
	pnTestContext( "comb" );
	Clear( 0 );
	AddPoint( -10.0, -10.0 );
	AddPoint( 80010.0, -10.0 );
	for ( int i = 4999; i >= 0; --i )
	{
		AddPoint( 16 * i + 12, 10.0 );
		AddPoint( 16 * i + 8, 1e8 );
		AddPoint( 16 * i + 4, 1e8 );
		AddPoint( 16 * i, 10.0 );
	}
	CloseLoop( 0 );
	FillAndCheck( good | positive );
	pnTestContext( "edges on edges" );
	Clear( 0 );
	for ( int i = 0; i < 4000; ++i )
	{
		AddPoint( pnRandomInt( &random, 1000 ), 0.0 );
	}
	CloseLoop( 0 );
	FillAndCheck( unturned );
	pnTestContext( "bricks" );
	Clear( 0 );
	for ( int i = 0; i < 2500; ++i )
	{
		int32_t x = 1000 * ( i % 50 ) + 500 * ( i / 50 % 2 ), y = 1000 * ( i / 50 );
		AddBox( x, y, x + 1000, y + 1000 );
	}
	ENSURE( FillAndCheck( good | positive ) == 5000 );
}

// The order in which edges are given does not matter to which triangles there are, and the same outline gives the same bits.
static void FillingsAreTheSameAgain( void )
{
	pnRandom random = pnSeed( 60 );
	for ( int i = 0; i < 100; ++i )
	{
		pnTestContext( "maze %d", i );
		Clear( 100 );
		if ( !MakeMaze( &random, &( MazeDef ){ shuffled, 30, 30, 60, 30 } ) )
		{
			continue;
		}
		FillAndCheck( 0 );
		uint64_t hash = s_report.hash;
		FillAndCheck( 0 );
		ENSURE( s_report.hash == hash );
	}
}

// ---- no memory ----

static int s_untilFailure; // allocations that still succeed; negative: all
static int s_failures;

static void* ScarceAlloc( size_t size, size_t alignment )
{
	if ( s_untilFailure >= 0 && s_untilFailure-- == 0 )
	{
		s_failures += 1;
		return NULL;
	}
	void* memory = NULL;
	if ( posix_memalign( &memory, alignment, size ) != 0 )
	{
		return NULL;
	}
	memset( memory, 0xA5, size ); // what a used heap looks like
	return memory;
}

static void ScarceFree( void* memory, size_t size )
{
	(void)size;
	free( memory );
}

static void EnsureSurvivesEveryFailure( void )
{
	pnOutline outline = { s_sketch.points, s_sketch.pointCount, s_sketch.edges, s_sketch.edgeCount, s_sketch.spacing };
	bool done = false;
	for ( int n = 0; n < 20000 && !done; ++n )
	{
		int64_t bytes = pnGetByteCount();
		pnScratch scratch = { 0 };
		pnFilling filling;
		s_untilFailure = n;
		s_failures = 0;
		done = pnFillOutline( &outline, &scratch, &filling );
		ENSURE( done == ( s_failures == 0 ) );
		ENSURE( done || ( scratch.blockCount == 0 && filling.triangles == NULL && filling.triangleCount == 0 ) );
		pnGiveBack( &scratch );
		ENSURE( pnGetByteCount() == bytes );
	}
	ENSURE( done );
	s_untilFailure = -1;
}

static void FillingSurvivesNoMemory( void )
{
	pnRandom random = pnSeed( 70 );
	s_untilFailure = -1;
	pnSetAllocator( ScarceAlloc, ScarceFree );
	for ( int i = 0; i < 20; ++i )
	{
		pnTestContext( "maze %d", i );
		Clear( 100 * ( i % 2 ) );
		if ( MakeMaze( &random, &( MazeDef ){ shuffled, 60, 60, 128, 60 } ) )
		{
			EnsureSurvivesEveryFailure();
		}
		pnTestContext( "walk %d", i );
		Clear( 100 * ( i % 2 ) );
		for ( int k = 0; k < 40; ++k )
		{
			AddCrudePoint( &random, 1000, 1 );
		}
		CloseLoop( 0 );
		EnsureSurvivesEveryFailure();
	}
	pnTestContext( "comb" );
	Clear( 0 );
	for ( int i = 0; i < 200; ++i )
	{
		AddPoint( 100 * i + pnRandomInt( &random, 90 ), i % 2 == 0 ? 0 : 100000 );
	}
	AddPoint( 20000, -10 );
	AddPoint( 0, -10 );
	for ( int i = 0; i < s_sketch.pointCount; ++i )
	{
		AddEdge( i + 1 < s_sketch.pointCount ? i + 1 : 0, i );
	}
	EnsureSurvivesEveryFailure();
	pnSetAllocator( NULL, NULL );
	FillAndCheck( good | positive );
}

static const pnTest s_tests[] = {
	RUN( StarsAreFilled ),
	RUN( RoundsHaveHolesAndIslands ),
	RUN( CombsAreFilled ),
	RUN( SpiralsAreFilled ),
	RUN( CellsTouchAtCorners ),
	RUN( SlitsHaveTwoLips ),
	RUN( EdgesPassThroughPoints ),
	RUN( WhatHasNoWidthIsClosed ),
	RUN( DegenerateOutlinesAreClosed ),
	RUN( TheReachIsUsedFully ),
	RUN( LayersAreFilledByThemselves ),
	RUN( CrossingsGetPoints ),
	RUN( OneBadLoopLeavesOthersGood ),
	RUN( GarbageIsClosed ),
	RUN( LargeGarbageIsClosed ),
	RUN( InnerPointsKeepTheirDistance ),
	RUN( LargeOutlinesAreFilled ),
	RUN( FillingsAreTheSameAgain ),
	RUN( FillingSurvivesNoMemory ),
};
SUITE( outline, s_tests );
