// checker.c - winding numbers, nearest triangles, volumes; and known cases for them. Knows no engine.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// Winding numbers by the solid angles of Van Oosterom and Strackee 1983. Nearest point of a triangle after Ericson,
// Real-Time Collision Detection, 5.1.5. All pairs are asked whose boxes overlap: slow, and easy to trust.

#include "checker.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PI 3.14159265358979323846

typedef struct Vec { double x, y, z; } Vec;
typedef struct Box { Vec lower, upper; } Box;

static Vec ToVec( pnVec3 a )
{
	return (Vec){ a.x, a.y, a.z };
}

static Vec Sub( Vec a, Vec b )
{
	return (Vec){ a.x - b.x, a.y - b.y, a.z - b.z };
}

static Vec MulAdd( Vec a, double s, Vec b )
{
	return (Vec){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static double Dot( Vec a, Vec b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static Vec Cross( Vec a, Vec b )
{
	return (Vec){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

// ---- one point against one body ----

// Directions from the place to every vertex; false if the place is a vertex, hence on the surface.
static bool FillDirections( const pnCheckBody* body, Vec place, Vec* directions )
{
	for ( int i = 0; i < body->vertexCount; ++i )
	{
		Vec d = Sub( ToVec( body->positions[i] ), place );
		double length = sqrt( Dot( d, d ) );
		if ( length < 1e-12 )
		{
			return false;
		}
		directions[i] = (Vec){ d.x / length, d.y / length, d.z / length };
	}
	return true;
}

// With unit directions a, b, c half the solid angle of a triangle is the argument of ( 1 + a.b + b.c + c.a ) + i a.(b x c).
// Arguments add up when numbers are multiplied, so one arc tangent is enough if full turns are counted on the way:
// a factor's argument is within half a turn, and the product's jumps where it crosses the negative axis.
static double SumAngles( const pnCheckBody* body, const Vec* directions )
{
	double re = 1.0, im = 0.0;
	int turns = 0;
	for ( int t = 0; t < body->triangleCount; ++t )
	{
		const int32_t* corner = body->triangles + 3 * t;
		Vec a = directions[corner[0]], b = directions[corner[1]], c = directions[corner[2]];
		double x = 0.25 * ( 1.0 + Dot( a, b ) + Dot( b, c ) + Dot( c, a ) );
		double y = 0.25 * Dot( a, Cross( b, c ) );
		double newRe = re * x - im * y;
		double newIm = re * y + im * x;
		// upper to lower by a positive argument, lower to upper by a negative one: only then was the axis crossed
		if ( y > 0.0 && im >= 0.0 && newIm < 0.0 )
		{
			turns += 1;
		}
		else if ( y < 0.0 && im < 0.0 && newIm >= 0.0 )
		{
			turns -= 1;
		}
		double size = newRe * newRe + newIm * newIm;
		double scale = size < 1e-100 ? 1e50 : 1.0;
		re = scale * newRe;
		im = scale * newIm;
	}
	return 2.0 * ( atan2( im, re ) + 2.0 * PI * turns );
}

static double GetWinding( const pnCheckBody* body, Vec place, Vec* directions )
{
	return FillDirections( body, place, directions ) ? SumAngles( body, directions ) / ( 4.0 * PI ) : 0.0;
}

static double DistanceToTriangle( Vec p, Vec a, Vec b, Vec c )
{
	Vec ab = Sub( b, a ), ac = Sub( c, a ), ap = Sub( p, a ), bp = Sub( p, b ), cp = Sub( p, c );
	double d1 = Dot( ab, ap ), d2 = Dot( ac, ap );
	double d3 = Dot( ab, bp ), d4 = Dot( ac, bp );
	double d5 = Dot( ab, cp ), d6 = Dot( ac, cp );
	double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
	double v, w; // nearest = a + v ab + w ac
	if ( d1 <= 0.0 && d2 <= 0.0 )
	{
		v = w = 0.0; // corner a
	}
	else if ( d3 >= 0.0 && d4 <= d3 )
	{
		v = 1.0, w = 0.0; // corner b
	}
	else if ( d6 >= 0.0 && d5 <= d6 )
	{
		v = 0.0, w = 1.0; // corner c
	}
	else if ( vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 )
	{
		v = d1 / ( d1 - d3 ), w = 0.0; // edge ab
	}
	else if ( vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 )
	{
		v = 0.0, w = d2 / ( d2 - d6 ); // edge ac
	}
	else if ( va <= 0.0 && d4 >= d3 && d5 >= d6 )
	{
		w = ( d4 - d3 ) / ( ( d4 - d3 ) + ( d5 - d6 ) ), v = 1.0 - w; // edge bc
	}
	else
	{
		v = vb / ( va + vb + vc ), w = vc / ( va + vb + vc );
	}
	Vec away = Sub( MulAdd( MulAdd( a, v, ab ), w, ac ), p );
	return sqrt( Dot( away, away ) );
}

static double DistanceToSurface( const pnCheckBody* body, Vec place )
{
	double least = INFINITY;
	for ( int t = 0; t < body->triangleCount; ++t )
	{
		const int32_t* corner = body->triangles + 3 * t;
		double distance = DistanceToTriangle( place, ToVec( body->positions[corner[0]] ), ToVec( body->positions[corner[1]] ),
											  ToVec( body->positions[corner[2]] ) );
		least = distance < least ? distance : least;
	}
	return least;
}

// ---- all against all ----

static Box GetBox( const pnCheckBody* body )
{
	Box box = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	for ( int i = 0; i < body->vertexCount; ++i )
	{
		Vec p = ToVec( body->positions[i] );
		box.lower = (Vec){ fmin( box.lower.x, p.x ), fmin( box.lower.y, p.y ), fmin( box.lower.z, p.z ) };
		box.upper = (Vec){ fmax( box.upper.x, p.x ), fmax( box.upper.y, p.y ), fmax( box.upper.z, p.z ) };
	}
	return box;
}

static bool IsInBox( const Box* box, Vec p )
{
	return p.x >= box->lower.x && p.x <= box->upper.x && p.y >= box->lower.y && p.y <= box->upper.y && p.z >= box->lower.z && p.z <= box->upper.z;
}

static bool DoOverlap( const Box* a, const Box* b )
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y && b->lower.y <= a->upper.y &&
		   a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

static bool IsFinite( const pnCheckBody* body )
{
	for ( int i = 0; i < body->vertexCount; ++i )
	{
		pnVec3 p = body->positions[i];
		if ( isfinite( p.x ) == 0 || isfinite( p.y ) == 0 || isfinite( p.z ) == 0 )
		{
			return false;
		}
	}
	return true;
}

typedef struct Search
{
	const pnCheckScene* scene;
	const Box* boxes;
	Vec* directions; // as many as the largest body has vertices
	int* near; // bodies whose boxes overlap that of the body being asked
	int nearCount;
	int index; // of the body being asked
	double size; // its
	pnCheckResult* result;
} Search;

// Both sizes are known, or there is nothing to compare with.
static double GetShare( double depth, double size, double otherSize )
{
	double smaller = fmin( size, otherSize );
	return smaller > 0.0 ? depth / smaller : 0.0;
}

static void AskPoint( Search* search, Vec place )
{
	double depth = -1.0, share = 0.0;
	int in = -1;
	for ( int i = 0; i < search->scene->wallCount; ++i )
	{
		const pnCheckWall* wall = search->scene->walls + i;
		double below = wall->offset - ( wall->normal[0] * place.x + wall->normal[1] * place.y + wall->normal[2] * place.z );
		depth = below > 0.0 && below > depth ? below : depth;
		share = fmax( share, GetShare( below, search->size, search->size ) );
	}
	for ( int i = 0; i < search->nearCount; ++i )
	{
		const pnCheckBody* other = search->scene->bodies + search->near[i];
		if ( IsInBox( search->boxes + search->near[i], place ) && GetWinding( other, place, search->directions ) > 0.5 )
		{
			double distance = DistanceToSurface( other, place );
			depth = fmax( depth, distance );
			double otherShare = GetShare( distance, search->size, other->size );
			in = otherShare > share ? search->near[i] : in;
			share = fmax( share, otherShare );
		}
	}

	search->result->sampleCount += 1;
	if ( depth >= 0.0 )
	{
		search->result->insideCount += 1;
		search->result->depthSum += depth;
		search->result->maxDepth = fmax( search->result->maxDepth, depth );
		search->result->deepCount += share > PN_DEEP;
		if ( share > search->result->maxShare )
		{
			search->result->maxShare = share;
			search->result->deepest[0] = search->index;
			search->result->deepest[1] = in;
		}
	}
}

static void AskBody( Search* search, int index, bool dense )
{
	const pnCheckBody* body = search->scene->bodies + index;
	search->nearCount = 0;
	search->index = index;
	search->size = body->size;
	for ( int j = 0; j < search->scene->bodyCount; ++j )
	{
		if ( j != index && DoOverlap( search->boxes + index, search->boxes + j ) )
		{
			search->near[search->nearCount] = j;
			search->nearCount += 1;
		}
	}

	for ( int i = 0; i < body->vertexCount; ++i )
	{
		AskPoint( search, ToVec( body->positions[i] ) );
	}
	for ( int t = 0; t < body->triangleCount && dense; ++t )
	{
		const int32_t* corner = body->triangles + 3 * t;
		Vec p[3] = { ToVec( body->positions[corner[0]] ), ToVec( body->positions[corner[1]] ), ToVec( body->positions[corner[2]] ) };
		AskPoint( search, (Vec){ ( p[0].x + p[1].x + p[2].x ) / 3.0, ( p[0].y + p[1].y + p[2].y ) / 3.0, ( p[0].z + p[1].z + p[2].z ) / 3.0 } );
		for ( int e = 0; e < 3; ++e )
		{
			// each edge belongs to two triangles, once in each direction
			if ( corner[e] < corner[( e + 1 ) % 3] )
			{
				Vec a = p[e], b = p[( e + 1 ) % 3];
				AskPoint( search, (Vec){ 0.5 * ( a.x + b.x ), 0.5 * ( a.y + b.y ), 0.5 * ( a.z + b.z ) } );
			}
		}
	}
}

pnCheckResult pnCheckScene_Run( const pnCheckScene* scene, bool dense )
{
	pnCheckResult result = { 0 };
	int maxVertexCount = 0;
	Box* boxes = malloc( (size_t)scene->bodyCount * sizeof( Box ) );
	int* near = malloc( (size_t)scene->bodyCount * sizeof( int ) );
	result.isBroken = boxes == NULL || near == NULL;
	for ( int i = 0; i < scene->bodyCount && result.isBroken == false; ++i )
	{
		const pnCheckBody* body = scene->bodies + i;
		result.isBroken = IsFinite( body ) == false;
		boxes[i] = GetBox( body );
		maxVertexCount = body->vertexCount > maxVertexCount ? body->vertexCount : maxVertexCount;
	}
	Vec* directions = malloc( (size_t)( maxVertexCount + 1 ) * sizeof( Vec ) );
	result.isBroken = result.isBroken || directions == NULL;
	if ( result.isBroken == false )
	{
		Search search = { .scene = scene, .boxes = boxes, .directions = directions, .near = near, .result = &result };
		for ( int i = 0; i < scene->bodyCount; ++i )
		{
			if ( scene->bodies[i].isMute == false )
			{
				AskBody( &search, i, dense );
			}
		}
	}
	free( directions );
	free( near );
	free( boxes );
	return result;
}

double pnCheckBody_GetVolume( const pnCheckBody* body )
{
	double sum = 0.0;
	Vec origin = ToVec( body->positions[0] ); // any place will do; one near by loses no digits
	for ( int t = 0; t < body->triangleCount; ++t )
	{
		const int32_t* corner = body->triangles + 3 * t;
		Vec a = Sub( ToVec( body->positions[corner[0]] ), origin );
		Vec b = Sub( ToVec( body->positions[corner[1]] ), origin );
		Vec c = Sub( ToVec( body->positions[corner[2]] ), origin );
		sum += Dot( a, Cross( b, c ) );
	}
	return sum / 6.0;
}

double pnCheckBody_GetWinding( const pnCheckBody* body, const double* place )
{
	Vec* directions = malloc( (size_t)body->vertexCount * sizeof( Vec ) );
	double winding = directions != NULL ? GetWinding( body, (Vec){ place[0], place[1], place[2] }, directions ) : NAN;
	free( directions );
	return winding;
}

// ---- cases with known answers ----

static const int32_t s_cubeTriangles[36] = {
	0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
};

static pnCheckBody MakeCube( pnVec3 center, float half, pnVec3* positions )
{
	for ( int i = 0; i < 8; ++i )
	{
		positions[i] = pnMakeVec3( center.x + ( i & 1 ? half : -half ), center.y + ( i & 2 ? half : -half ), center.z + ( i & 4 ? half : -half ) );
	}
	return (pnCheckBody){ .positions = positions, .triangles = s_cubeTriangles, .vertexCount = 8, .triangleCount = 12 };
}

static bool Expect( double value, double expected, const char* what )
{
	if ( fabs( value - expected ) <= 1e-6 )
	{
		return true;
	}
	fprintf( stderr, "bench: the checker is wrong: %s is %g, should be %g\n", what, value, expected );
	return false;
}

// A small cube of which one face with its four corners is pushed a fifth into a large one, far from other faces.
static bool TestCubes( void )
{
	pnVec3 largePositions[8], smallPositions[8];
	pnCheckBody bodies[2] = {
		MakeCube( pnMakeVec3( 0.0f, 2.0f, 0.0f ), 1.0f, largePositions ),
		MakeCube( pnMakeVec3( 1.05f, 2.0f, 0.0f ), 0.25f, smallPositions ),
	};
	pnCheckWall floor = { { 0.0, 1.0, 0.0 }, 0.0 };
	pnCheckScene scene = { .bodies = bodies, .walls = &floor, .bodyCount = 2, .wallCount = 1 };
	pnCheckResult result = pnCheckScene_Run( &scene, false );
	bool isWell = Expect( (double)result.sampleCount, 16, "count of vertices" );
	isWell = isWell && Expect( (double)result.insideCount, 4, "vertices inside" );
	isWell = isWell && Expect( result.maxDepth, 0.2, "depth of a cube in a cube" );
	isWell = isWell && Expect( result.depthSum, 0.8, "sum of depths" );
	isWell = isWell && Expect( (double)result.deepCount, 0, "deep vertices of bodies without size" );
	bodies[0].size = 2.0, bodies[1].size = 0.5; // a fifth into it is two fifths of the small one
	result = pnCheckScene_Run( &scene, false );
	isWell = isWell && Expect( (double)result.deepCount, 4, "deep vertices" );
	isWell = isWell && Expect( result.maxShare, 0.4, "depth over the smaller size" );
	isWell = isWell && Expect( result.deepest[0], 1, "the body whose vertex is deepest" ) && Expect( result.deepest[1], 0, "the body it is in" );
	bodies[1].isMute = true;
	result = pnCheckScene_Run( &scene, false );
	isWell = isWell && Expect( (double)result.sampleCount, 8, "vertices of those that are asked" ) && Expect( (double)result.insideCount, 0, "of them inside" );
	bodies[1].isMute = false;
	bodies[1].size = 20.1 * 2.0, bodies[0].size = 20.1; // just less than a hundredth
	result = pnCheckScene_Run( &scene, false );
	isWell = isWell && Expect( (double)result.deepCount, 0, "shallow vertices" );
	isWell = isWell && Expect( pnCheckBody_GetVolume( bodies + 0 ), 8.0, "volume of a cube" );
	// 8 vertices, 18 edges and 12 triangles in each. Inside are of the small cube the 4 vertices, 5 edges and 2 triangles of
	// that face and the middles of 4 triangles beside it; of the large cube the middle of the face that is pushed through
	result = pnCheckScene_Run( &scene, true );
	isWell = isWell && Expect( (double)result.sampleCount, 76, "count of dense samples" );
	isWell = isWell && Expect( (double)result.insideCount, 16, "dense samples inside" );

	// the large cube's lower four vertices a tenth below the floor, nothing else touching
	MakeCube( pnMakeVec3( 0.0f, 0.9f, 0.0f ), 1.0f, largePositions );
	MakeCube( pnMakeVec3( 9.0f, 0.9f, 0.0f ), 0.25f, smallPositions );
	result = pnCheckScene_Run( &scene, false );
	isWell = isWell && Expect( (double)result.insideCount, 4, "vertices below the floor" );
	isWell = isWell && Expect( result.maxDepth, (double)( 1.0f - 0.9f ), "depth below the floor" );

	// one wholly in the other: its vertices are inside, those of the other are not
	MakeCube( pnMakeVec3( 0.0f, 2.0f, 0.0f ), 1.0f, largePositions );
	MakeCube( pnMakeVec3( 0.0f, 2.0f, 0.0f ), 0.25f, smallPositions );
	result = pnCheckScene_Run( &scene, false );
	isWell = isWell && Expect( (double)result.insideCount, 8, "vertices of a swallowed cube inside" );
	return isWell && Expect( result.maxDepth, 0.75, "depth of a swallowed cube" );
}

// Random places against a cube: inside and depth are plain arithmetic; and all solid angles one by one.
static bool TestPlaces( void )
{
	pnVec3 positions[8];
	pnCheckBody cube = MakeCube( pnMakeVec3( 0.0f, 0.0f, 0.0f ), 1.0f, positions );
	uint32_t random = 12345;
	bool isWell = true;
	for ( int i = 0; i < 2000 && isWell; ++i )
	{
		double place[3];
		double largest = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			random = random * 1664525u + 1013904223u;
			place[k] = 3.0 * ( random >> 8 ) / 16777216.0 - 1.5;
			largest = fmax( largest, fabs( place[k] ) );
		}
		isWell = Expect( pnCheckBody_GetWinding( &cube, place ), largest < 1.0 ? 1.0 : 0.0, "winding number" );
		if ( isWell && largest < 1.0 )
		{
			isWell = Expect( DistanceToSurface( &cube, (Vec){ place[0], place[1], place[2] } ), 1.0 - largest, "distance to a face" );
		}
	}
	Vec outside = { 2.0, 3.0, 0.5 }; // nearest on an edge
	return isWell && Expect( DistanceToSurface( &cube, outside ), sqrt( 5.0 ), "distance to an edge" );
}

bool pnTestChecker( void )
{
	return TestCubes() && TestPlaces();
}
