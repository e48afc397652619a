// test_detect.c - points of one body inside another: which ones, how deep, which way out; and what the field at rest says. Rows M14, H8.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "contact_help.h"

#include "base/core.h"
#include "base/mesh.h"
#include "contact/detect.h"
#include "contact/field.h"
#include "contact/nearest.h"
#include "contact/near.h"
#include "contact/nodes.h"
#include "contact/split.h"
#include "contact/tree.h"

#include <pthread.h>

enum { mostFound = 1000 };

// A grid of points with six tetrahedra in each cell and their boundary, as contact has it. Its own owner.
typedef struct Body
{
	pnSurface* surface;
	pnVec3* rest;
	float* x; // x y z m
	int count;
	pnLying lying;
} Body;

static void Place( Body* body, pnTransform transform )
{
	pnAABB bounds = { 0 };
	for ( int i = 0; i < body->count; ++i )
	{
		pnVec3 x = pnTransformPoint( transform, body->rest[i] );
		body->x[4 * i] = x.x, body->x[4 * i + 1] = x.y, body->x[4 * i + 2] = x.z, body->x[4 * i + 3] = 1.0f;
		bounds.lower = i == 0 ? x : pnMin3( bounds.lower, x );
		bounds.upper = i == 0 ? x : pnMax3( bounds.upper, x );
	}
	body->lying = ( pnLying ){ body->surface, body->x, bounds };
}

static void PlaceAt( Body* body, double x, double y, double z )
{
	Place( body, ( pnTransform ){ { (float)x, (float)y, (float)z }, pnIdentityQuat() } );
}

// Bounds after x was changed by hand.
static void Rebound( Body* body )
{
	body->lying.bounds.lower = body->lying.bounds.upper = pnMakeVec3( body->x[0], body->x[1], body->x[2] );
	for ( int i = 1; i < body->count; ++i )
	{
		pnVec3 x = { body->x[4 * i], body->x[4 * i + 1], body->x[4 * i + 2] };
		body->lying.bounds.lower = pnMin3( body->lying.bounds.lower, x );
		body->lying.bounds.upper = pnMax3( body->lying.bounds.upper, x );
	}
}

static void FindNeighbors( pnSurface* surface )
{
	for ( int i = 0; i < 3 * surface->triangleCount; ++i )
	{
		const int32_t* t = surface->triangles + 3 * ( i / 3 );
		int32_t from = t[( i + 1 ) % 3], to = t[( i + 2 ) % 3];
		surface->neighbors[i] = i / 3;
		for ( int j = 0; j < 3 * surface->triangleCount; ++j )
		{
			const int32_t* u = surface->triangles + 3 * ( j / 3 );
			if ( u[( j + 1 ) % 3] == to && u[( j + 2 ) % 3] == from )
			{
				surface->neighbors[i] = j / 3;
			}
		}
	}
}

// n points along each edge of a cube with half edges `half`; round: the ellipsoid with these half axes, by scaling (square roots only, so
// that it is the same on every machine).
static Body MakeBody( int n, double hx, double hy, double hz, bool round )
{
	Body body = { .count = n * n * n };
	int paddedCount = ( body.count + 3 ) / 4 * 4;
	body.rest = calloc( (size_t)body.count, sizeof( pnVec3 ) );
	body.x = aligned_alloc( 16, (size_t)paddedCount * 4 * sizeof( float ) );
	memset( body.x, 0, (size_t)paddedCount * 4 * sizeof( float ) );
	for ( int i = 0; i < body.count; ++i )
	{
		double p[3] = { i % n, i / n % n, i / ( n * n ) }, largest = 0.0, length2 = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = 2.0 * p[k] / ( n - 1 ) - 1.0;
			largest = fabs( p[k] ) > largest ? fabs( p[k] ) : largest;
			length2 += p[k] * p[k];
		}
		double scale = round && length2 > 0.0 ? largest / sqrt( length2 ) : 1.0;
		body.rest[i] = pnMakeVec3( (float)( hx * scale * p[0] ), (float)( hy * scale * p[1] ), (float)( hz * scale * p[2] ) );
	}
	pnSurface* s = body.surface = calloc( 1, sizeof( pnSurface ) );
	s->tetrahedra = calloc( 24 * (size_t)( n - 1 ) * ( n - 1 ) * ( n - 1 ), sizeof( int32_t ) );
	int strides[3] = { 1, n, n * n };
	for ( int i = 0; i < body.count; ++i )
	{
		if ( i % n == n - 1 || i / n % n == n - 1 || i / ( n * n ) == n - 1 )
		{
			continue;
		}
		for ( int way = 0; way < 6; ++way ) // from corner to corner along three axes, in each order
		{
			int first = way / 2, second = ( first + 1 + way % 2 ) % 3;
			int32_t* t = s->tetrahedra + 4 * s->tetrahedronCount++;
			t[0] = i, t[3] = i + strides[0] + strides[1] + strides[2];
			t[1 + way % 2] = i + strides[first]; // volumes positive
			t[2 - way % 2] = i + strides[first] + strides[second];
		}
	}
	int32_t* same = calloc( (size_t)paddedCount, sizeof( int32_t ) );
	for ( int i = 0; i < body.count; ++i )
	{
		same[i] = i;
	}
	s->triangles = calloc( 12 * (size_t)s->tetrahedronCount, sizeof( int32_t ) );
	s->triangleCount = pnFindBoundary( body.rest, same, s->tetrahedra, s->tetrahedronCount, s->triangles );
	free( same );
	s->neighbors = calloc( 3 * (size_t)s->triangleCount, sizeof( int32_t ) );
	FindNeighbors( s );
	s->quadCount = paddedCount / 4;
	s->vertexMask = calloc( s->quadCount, 1 );
	for ( int i = 0; i < 3 * s->triangleCount; ++i )
	{
		int32_t p = s->triangles[i];
		s->vertexCount += ( s->vertexMask[p / 4] >> ( p % 4 ) & 1 ) == 0;
		s->vertexMask[p / 4] |= (uint8_t)( 1 << ( p % 4 ) );
	}
	s->closed = 1;
	PlaceAt( &body, 0.0, 0.0, 0.0 );
	return body;
}

static void FreeBody( Body* body )
{
	free( body->rest );
	free( body->x );
	free( body->surface->triangles );
	free( body->surface->neighbors );
	free( body->surface->vertexMask );
	free( body->surface->tetrahedra );
	free( body->surface );
}

static bool IsOnSurface( const Body* body, int particle )
{
	return ( body->surface->vertexMask[particle / 4] >> ( particle % 4 ) & 1 ) != 0;
}

// ---- the truth, in double ----

static void GetPlace( const Body* body, int particle, double place[3] )
{
	place[0] = body->x[4 * particle], place[1] = body->x[4 * particle + 1], place[2] = body->x[4 * particle + 2];
}

// How often the surface goes around a place: sum of solid angles / 4 pi (Van Oosterom and Strackee 1983).
static double GetWinding( const Body* body, const double place[3] )
{
	double sum = 0.0;
	for ( int i = 0; i < body->surface->triangleCount; ++i )
	{
		double corners[3][3], lengths[3], normal[3];
		for ( int k = 0; k < 3; ++k )
		{
			GetPlace( body, body->surface->triangles[3 * i + k], corners[k] );
			for ( int axis = 0; axis < 3; ++axis )
			{
				corners[k][axis] -= place[axis];
			}
			lengths[k] = sqrt( pnDot3d( corners[k], corners[k] ) );
		}
		pnCross3d( corners[1], corners[2], normal );
		sum += 2.0 * atan2( pnDot3d( corners[0], normal ), lengths[0] * lengths[1] * lengths[2] + pnDot3d( corners[0], corners[1] ) * lengths[2] +
																pnDot3d( corners[1], corners[2] ) * lengths[0] + pnDot3d( corners[2], corners[0] ) * lengths[1] );
	}
	return sum / ( 4.0 * TEST_PI );
}

static double GetDistance( const Body* body, const double place[3] )
{
	double least = INFINITY;
	for ( int i = 0; i < body->surface->triangleCount; ++i )
	{
		double corners[3][3], weights[3];
		for ( int k = 0; k < 3; ++k )
		{
			GetPlace( body, body->surface->triangles[3 * i + k], corners[k] );
		}
		double distance2 = pnNearestOnTriangle( place, corners[0], corners[1], corners[2], weights );
		least = distance2 < least ? distance2 : least;
	}
	return sqrt( least );
}

// ---- calls ----

typedef int Detector( const pnLying* a, const pnLying* b, pnArena* arena, pnFound* found, int capacity );
static Detector* const s_detectors[2] = { pnDetectByTets, pnDetectByEdges };
static const char* const s_names[2] = { "tets", "edges" };

// With an arena that just fits, its memory full of rubbish.
static int Detect( Detector* detector, const Body* a, const Body* b, pnFound* found )
{
	pnArena arena = { NULL, 0, 0, 0 };
	int count = detector( &a->lying, &b->lying, &arena, found, mostFound );
	if ( count == -1 )
	{
		arena = ( pnArena ){ malloc( arena.wanted ), arena.wanted, 0, 0 };
		memset( arena.memory, 0xcd, arena.size );
		count = detector( &a->lying, &b->lying, &arena, found, mostFound );
		ENSURE( count >= 0 );
		ENSURE( arena.used == 0 );
		free( arena.memory );
	}
	return count;
}

// What every answer keeps, right or wrong.
static void CheckSane( const Body* a, const Body* b, const pnFound* found, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		const pnFound* f = found + i;
		ENSURE( f->point >= 0 && f->point < b->count && IsOnSurface( b, f->point ) );
		ENSURE( i == 0 || f->point > found[i - 1].point );
		ENSURE( f->depth >= 0.0f && f->depth - f->depth == 0.0f );
		ENSURE_NEAR( sqrt( (double)f->normal[0] * f->normal[0] + (double)f->normal[1] * f->normal[1] + (double)f->normal[2] * f->normal[2] ), 1.0, 1e-6 );
		double sum = 0.0;
		for ( int k = 0; k < 4; ++k )
		{
			ENSURE( f->weights[k] >= 0.0f && f->weights[k] <= 1.0f );
			ENSURE( f->parts[k] >= 0 && f->parts[k] < a->count );
			sum += f->weights[k];
		}
		ENSURE_NEAR( sum, 1.0, 1e-6 );
	}
}

// The set of points found is that of the points the surface goes around, but for those it passes by rounding. Returns how many there are.
static int CheckSet( const Body* a, const Body* b, const pnFound* found, int count )
{
	int inside = 0, next = 0;
	for ( int i = 0; i < b->count; ++i )
	{
		bool told = next < count && found[next].point == i;
		next += told;
		double place[3];
		GetPlace( b, i, place );
		if ( IsOnSurface( b, i ) )
		{
			bool within = GetWinding( a, place ) > 0.5;
			inside += within;
			ENSURE( told == within || GetDistance( a, place ) < 1e-5 );
		}
	}
	ENSURE( next == count );
	return inside;
}

// ---- tests ----

static void BodiesAreWhatTheyClaim( void )
{
	Body ball = MakeBody( 5, 1.0, 1.0, 1.0, true );
	ENSURE( ball.surface->vertexCount == 98 && ball.surface->triangleCount == 192 && ball.surface->tetrahedronCount == 384 );
	ENSURE_NEAR( GetWinding( &ball, ( double[3] ){ 0.1, 0.2, 0.3 } ), 1.0, 1e-9 );
	ENSURE_NEAR( GetWinding( &ball, ( double[3] ){ 1.1, 0.2, 0.3 } ), 0.0, 1e-9 );
	for ( int i = 0; i < ball.surface->tetrahedronCount; ++i )
	{
		const int32_t* t = ball.surface->tetrahedra + 4 * i;
		ENSURE( pnGetTetrahedronVolume( ball.rest + t[0], ball.rest + t[1], ball.rest + t[2], ball.rest + t[3] ) > 0.0 );
	}
	for ( int i = 0; i < 3 * ball.surface->triangleCount; ++i )
	{
		ENSURE( ball.surface->neighbors[i] != i / 3 );
	}
	FreeBody( &ball );
}

// Face on face, a tenth of an edge deep. A smaller cube: every point of its face is a tenth deep and goes straight out. One as large that
// sticks out at two sides: edges along its face leave through a's sides. The tetrahedra's inner edges outweigh them; without those some points
// know no other way.
static void CubeOnCube( void )
{
	static const double depthBounds[2][2] = { { 1e-5, 1e-5 }, { 0.03, 0.14 } }, turnBounds[2][2] = { { 1e-5, 1e-5 }, { 15.0, 90.1 } };
	Body a = MakeBody( 5, 0.5, 0.5, 0.5, false ), bodies[2] = { MakeBody( 5, 0.4, 0.4, 0.4, false ), MakeBody( 5, 0.5, 0.5, 0.5, false ) };
	pnFound found[mostFound];
	for ( int large = 0; large < 2; ++large )
	{
		Body* b = bodies + large;
		PlaceAt( b, 0.03, large != 0 ? 0.9 : 0.8, -0.02 );
		for ( int d = 0; d < 2; ++d )
		{
			pnTestContext( "%s, %s", s_names[d], large != 0 ? "large" : "small" );
			int count = Detect( s_detectors[d], &a, b, found );
			CheckSane( &a, b, found, count );
			CheckSet( &a, b, found, count );
			ENSURE( count == ( large != 0 ? 16 : 25 ) );
			double worstDepth = 0.0, worstTurn = 0.0;
			for ( int i = 0; i < count; ++i )
			{
				double y = found[i].normal[1], turn = acos( y < 1.0 ? y : 1.0 ) * 180.0 / TEST_PI, place[3];
				worstDepth = fmax( worstDepth, fabs( (double)found[i].depth - 0.1 ) );
				worstTurn = fmax( worstTurn, turn > 0.1 ? turn : 0.0 );
				GetPlace( b, found[i].point, place );
				for ( int k = 0; k < 3 && large == 0; ++k ) // the place where it should be is right above
				{
					double surface = 0.0;
					for ( int part = 0; part < 4; ++part )
					{
						surface += (double)found[i].weights[part] * a.x[4 * found[i].parts[part] + k];
					}
					ENSURE_NEAR( surface, k == 1 ? 0.5 : place[k], 1e-5 );
				}
			}
			ENSURE_MOST( worstDepth, depthBounds[large][d] );
			ENSURE_MOST( worstTurn, turnBounds[large][d] );
			pnTestNote( "%s %s: depth off by %.2g of 0.1, %.0f degrees", large != 0 ? "large" : "small", s_names[d], worstDepth, worstTurn );
		}
	}
	FreeBody( &a );
	FreeBody( &bodies[0] );
	FreeBody( &bodies[1] );
}

// Balls of radius 1 that overlap by so much: depth near the true distance, normals near a's radius.
static void BallOnBall( void )
{
	static const double overlaps[3] = { 0.1, 0.3, 0.6 };
	static const double depthBounds[2][3] = { { 0.02, 0.10, 0.15 }, { 0.06, 0.16, 0.16 } };
	Body a = MakeBody( 6, 1.0, 1.0, 1.0, true ), b = MakeBody( 6, 1.0, 1.0, 1.0, true );
	pnFound found[mostFound];
	pnRandom random = pnSeed( 5 );
	for ( int d = 0; d < 2; ++d )
	{
		for ( int o = 0; o < 3; ++o )
		{
			double worstDepth = 0.0, worstCos = 1.0;
			for ( int pose = 0; pose < 10; ++pose )
			{
				pnTestContext( "%s, overlap %g, pose %d", s_names[d], overlaps[o], pose );
				pnVec3 away = pnRotate( RandomTurn( &random ), pnMakeVec3( (float)( 2.0 - overlaps[o] ), 0.0f, 0.0f ) );
				Place( &b, ( pnTransform ){ away, RandomTurn( &random ) } );
				int count = Detect( s_detectors[d], &a, &b, found );
				CheckSane( &a, &b, found, count );
				CheckSet( &a, &b, found, count );
				for ( int i = 0; i < count; ++i )
				{
					double place[3], along = 0.0;
					GetPlace( &b, found[i].point, place );
					for ( int k = 0; k < 3; ++k )
					{
						along += place[k] * found[i].normal[k] / sqrt( pnDot3d( place, place ) );
					}
					worstDepth = fmax( worstDepth, fabs( (double)found[i].depth - GetDistance( &a, place ) ) );
					worstCos = fmin( worstCos, along );
				}
			}
			ENSURE_MOST( worstDepth, depthBounds[d][o] );
			ENSURE( worstCos > 0.7 );
			pnTestNote( "%s %g: depth off by %.3f, %.0f degrees", s_names[d], overlaps[o], worstDepth, acos( worstCos ) * 180.0 / TEST_PI );
		}
	}
	FreeBody( &a );
	FreeBody( &b );
}

// Any two of cube, ball, ellipsoid and sickle, in any pose.
static void InsideIsWhatTheSurfaceGoesAround( void )
{
	Body bodies[2][4];
	for ( int i = 0; i < 2; ++i )
	{
		bodies[i][0] = MakeBody( 4, 0.6, 0.6, 0.6, false );
		bodies[i][1] = MakeBody( 5, 0.7, 0.7, 0.7, true );
		bodies[i][2] = MakeBody( 5, 0.4, 0.6, 1.0, true );
		bodies[i][3] = MakeBody( 7, 0.2, 0.3, 1.0, true );
		for ( int p = 0; p < bodies[i][3].count; ++p )
		{
			bodies[i][3].rest[p].x += 0.8f * bodies[i][3].rest[p].z * bodies[i][3].rest[p].z;
		}
	}
	pnFound found[mostFound];
	pnRandom random = pnSeed( 11 );
	int inside = 0, edgeless = 0;
	for ( int trial = 0; trial < 200; ++trial )
	{
		Body* a = &bodies[0][pnRandomInt( &random, 4 )];
		Body* b = &bodies[1][pnRandomInt( &random, 4 )];
		Place( a, ( pnTransform ){ RandomVec3( &random, 100.0 ), RandomTurn( &random ) } );
		pnVec3 place = pnAdd( pnScale( 0.5f, pnAdd( a->lying.bounds.lower, a->lying.bounds.upper ) ), RandomVec3( &random, 0.9 ) );
		Place( b, ( pnTransform ){ place, RandomTurn( &random ) } );
		for ( int d = 0; d < 2; ++d )
		{
			pnTestContext( "%s, trial %d", s_names[d], trial );
			int count = Detect( s_detectors[d], a, b, found );
			CheckSane( a, b, found, count );
			inside += CheckSet( a, b, found, count );
			double depth = 0.0;
			for ( int i = 0; i < count; ++i )
			{
				depth = fmax( depth, (double)found[i].depth );
			}
			ENSURE_MOST( depth, 2.0 ); // no more than all of a
			edgeless += count == 0;
		}
	}
	pnTestNote( "%d points inside, %d empty answers of 400", inside, edgeless );
	for ( int i = 0; i < 8; ++i )
	{
		FreeBody( &bodies[i / 4][i % 4] );
	}
}

// Turning and moving both changes nothing but the frame.
static void AnswerMovesAlong( void )
{
	Body a = MakeBody( 5, 0.7, 0.7, 0.7, true ), b = MakeBody( 5, 0.4, 0.6, 1.0, true );
	pnFound before[mostFound], after[mostFound];
	pnRandom random = pnSeed( 3 );
	for ( int trial = 0; trial < 20; ++trial )
	{
		pnTransform poseB = { RandomVec3( &random, 0.6 ), RandomTurn( &random ) };
		pnTransform move = { RandomVec3( &random, 5.0 ), RandomTurn( &random ) };
		pnTransform moved = { pnTransformPoint( move, poseB.p ), pnMulQuat( move.q, poseB.q ) };
		for ( int d = 0; d < 2; ++d )
		{
			pnTestContext( "%s, trial %d", s_names[d], trial );
			Place( &a, pnIdentityTransform() );
			Place( &b, poseB );
			int count = Detect( s_detectors[d], &a, &b, before );
			Place( &a, move );
			Place( &b, moved );
			REQUIRE( Detect( s_detectors[d], &a, &b, after ) == count );
			for ( int i = 0; i < count; ++i )
			{
				ENSURE( after[i].point == before[i].point );
				ENSURE_NEAR( after[i].depth, before[i].depth, 1e-3 );
				pnVec3 n = pnRotate( move.q, pnMakeVec3( before[i].normal[0], before[i].normal[1], before[i].normal[2] ) );
				ENSURE_NEAR( pnDot( n, pnMakeVec3( after[i].normal[0], after[i].normal[1], after[i].normal[2] ) ), 1.0, 1e-4 );
			}
		}
	}
	FreeBody( &a );
	FreeBody( &b );
}

static void NoOverlapNoPoints( void )
{
	Body a = MakeBody( 4, 0.5, 0.5, 0.5, true ), b = MakeBody( 4, 0.5, 0.5, 0.5, true );
	pnFound found[mostFound];
	for ( int d = 0; d < 2; ++d )
	{
		PlaceAt( &b, 1.01, 0.0, 0.0 ); // bounds apart: not even an arena is needed
		pnArena none = { NULL, 0, 0, 0 };
		ENSURE( s_detectors[d]( &a.lying, &b.lying, &none, found, mostFound ) == 0 && none.wanted == 0 );
		PlaceAt( &b, 0.7, 0.7, 0.7 ); // bounds overlap, balls do not
		ENSURE( Detect( s_detectors[d], &a, &b, found ) == 0 );
		PlaceAt( &b, 3.0, 1e30, -1e30 );
		ENSURE( Detect( s_detectors[d], &a, &b, found ) == 0 );
	}
	FreeBody( &a );
	FreeBody( &b );
}

// All of b in a: by tetrahedra all points leave as b lies to a, as far as it takes. No edge crosses, so the edge method sees nothing.
static void WhollyInside( void )
{
	Body a = MakeBody( 5, 1.0, 1.0, 1.0, true ), b = MakeBody( 3, 0.2, 0.2, 0.2, true );
	pnFound found[mostFound];
	for ( int centred = 0; centred < 2; ++centred )
	{
		PlaceAt( &b, centred != 0 ? 0.0 : 0.3, 0.0, 0.0 );
		int count = Detect( pnDetectByTets, &a, &b, found );
		CheckSane( &a, &b, found, count );
		ENSURE( count == b.surface->vertexCount );
		for ( int i = 0; i < count; ++i )
		{
			double place[3];
			GetPlace( &b, found[i].point, place );
			for ( int k = 0; k < 3; ++k )
			{
				place[k] += (double)found[i].depth * found[i].normal[k];
			}
			ENSURE_MOST( GetDistance( &a, place ), 1e-5 );
			ENSURE( found[i].normal[centred] > 0.999f );
			// And that is the place it names.
			for ( int k = 0; k < 3; ++k )
			{
				for ( int part = 0; part < 4; ++part )
				{
					place[k] -= (double)found[i].weights[part] * a.x[4 * found[i].parts[part] + k];
				}
				ENSURE_NEAR( place[k], 0.0, 1e-5 );
			}
		}
		ENSURE( Detect( pnDetectByEdges, &a, &b, found ) == 0 );
	}
	FreeBody( &a );
	FreeBody( &b );
}

// Faces in one plane, corners on corners, b as a. By tetrahedra nothing is deep that only touches. Edges that run in a plane of a cross its
// sides or do not by rounding alone: the edge method may say anything sane.
static void TouchingIsNotDeep( void )
{
	Body a = MakeBody( 5, 0.5, 0.5, 0.5, false ), b = MakeBody( 5, 0.5, 0.5, 0.5, false );
	pnFound found[mostFound];
	for ( int d = 0; d < 2; ++d )
	{
		for ( int shift = 0; shift < 3; ++shift )
		{
			pnTestContext( "%s, shift %d", s_names[d], shift );
			PlaceAt( &b, 0.25 * shift, 1.0, 0.0 );
			int count = Detect( s_detectors[d], &a, &b, found );
			CheckSane( &a, &b, found, count );
			for ( int i = 0; i < count; ++i )
			{
				ENSURE_MOST( found[i].depth, d == 0 ? 1e-5 : 1.0 );
			}
		}
		PlaceAt( &b, 0.0, 0.0, 0.0 );
		int count = Detect( s_detectors[d], &a, &b, found );
		CheckSane( &a, &b, found, count );
	}
	FreeBody( &a );
	FreeBody( &b );
}

static void OpenSurfaceHasNoInside( void )
{
	Body a = MakeBody( 4, 0.5, 0.5, 0.5, true ), b = MakeBody( 4, 0.5, 0.5, 0.5, true );
	pnFound found[mostFound];
	PlaceAt( &b, 0.5, 0.0, 0.0 );
	ENSURE( Detect( pnDetectByEdges, &a, &b, found ) > 0 );
	a.surface->closed = 0;
	ENSURE( Detect( pnDetectByEdges, &a, &b, found ) == 0 );
	a.surface->closed = 1;
	// An open b is still inside or not.
	int count = Detect( pnDetectByEdges, &a, &b, found );
	b.surface->closed = 0;
	ENSURE( Detect( pnDetectByEdges, &a, &b, found ) == count );
	// Without tetrahedra there is nothing the other one could ask.
	a.surface->tetrahedronCount = 0;
	ENSURE( Detect( pnDetectByTets, &a, &b, found ) == 0 );
	// Without tetrahedra in the one that is asked about, its surface alone does.
	count = Detect( pnDetectByTets, &b, &a, found );
	CheckSane( &b, &a, found, count );
	ENSURE( CheckSet( &b, &a, found, count ) > 0 );
	FreeBody( &a );
	FreeBody( &b );
}

// Flat, crumpled, turned inside out, shrunk to a point, enormous, tiny: wrong answers are allowed, rubbish is not.
static void RubbishInNoRubbishOut( void )
{
	pnFound found[mostFound];
	pnRandom random = pnSeed( 23 );
	int total = 0;
	for ( int trial = 0; trial < 300; ++trial )
	{
		Body bodies[2] = { MakeBody( 4, 0.5, 0.5, 0.5, trial % 2 == 0 ), MakeBody( 3, 0.5, 0.5, 0.5, trial % 4 < 2 ) };
		double scale = trial % 7 == 0 ? 1e-30 : trial % 7 == 1 ? 1e18 : 1.0;
		for ( int i = 0; i < 2; ++i )
		{
			Body* body = bodies + i;
			Place( body, ( pnTransform ){ RandomVec3( &random, 0.4 ), trial % 3 == 0 ? pnIdentityQuat() : RandomTurn( &random ) } );
			int kind = pnRandomInt( &random, 7 );
			for ( int p = 0; p < body->count; ++p )
			{
				float* x = body->x + 4 * p;
				pnVec3 noise = RandomVec3( &random, 0.5 );
				bool all = kind == 1, some = kind == 2 && pnRandomInt( &random, 5 ) == 0;
				x[0] = all || some ? noise.x : x[0];
				x[1] = all || some ? noise.y : kind == 3 ? 0.25f : kind == 4 ? -x[1] : x[1];
				x[2] = all || some ? noise.z : kind == 5 ? x[0] : x[2];
				for ( int k = 0; k < 3; ++k )
				{
					x[k] = kind == 6 ? 0.1f : x[k];
					x[k] = (float)( scale * x[k] );
				}
			}
			if ( trial % 5 == 4 )
			{
				// A few degenerate triangles and tetrahedra, and neighbours that do not know it.
				body->surface->triangles[1] = body->surface->triangles[0];
				body->surface->triangles[9] = body->surface->triangles[10] = body->surface->triangles[11];
				body->surface->tetrahedra[0] = body->surface->tetrahedra[1];
			}
			Rebound( body );
		}
		for ( int d = 0; d < 2; ++d )
		{
			pnTestContext( "%s, trial %d", s_names[d], trial );
			int count = Detect( s_detectors[d], &bodies[0], &bodies[1], found );
			CheckSane( &bodies[0], &bodies[1], found, count );
			total += count;
		}
		FreeBody( &bodies[0] );
		FreeBody( &bodies[1] );
	}
	pnTestNote( "%d points", total );
}

// A number that is none among the positions gives no answer that is none.
static void NotANumberStaysInside( void )
{
	Body a = MakeBody( 4, 0.5, 0.5, 0.5, true ), b = MakeBody( 4, 0.5, 0.5, 0.5, true );
	pnFound found[mostFound];
	for ( int which = 0; which < 2; ++which )
	{
		for ( int d = 0; d < 2; ++d )
		{
			PlaceAt( &a, 0.0, 0.0, 0.0 );
			PlaceAt( &b, 0.5, 0.1, 0.0 );
			Body* sick = which == 0 ? &a : &b;
			pnAABB bounds = sick->lying.bounds;
			for ( int p = 0; p < sick->count; p += 5 )
			{
				sick->x[4 * p + p % 3] = p % 2 == 0 ? NAN : INFINITY;
			}
			int count = Detect( s_detectors[d], &a, &b, found );
			CheckSane( &a, &b, found, count );
			sick->lying.bounds.upper.y = NAN;
			ENSURE( Detect( s_detectors[d], &a, &b, found ) == 0 );
			sick->lying.bounds = bounds;
		}
	}
	FreeBody( &a );
	FreeBody( &b );
}

static void SmallArenaSaysWhatItWants( void )
{
	Body a = MakeBody( 5, 0.5, 0.5, 0.5, true ), b = MakeBody( 5, 0.5, 0.5, 0.5, true );
	PlaceAt( &b, 0.6, 0.1, 0.2 );
	pnFound found[mostFound], again[mostFound];
	for ( int d = 0; d < 2; ++d )
	{
		int count = Detect( s_detectors[d], &a, &b, found );
		ENSURE( count > 4 );
		pnArena arena = { NULL, 0, 0, 0 };
		ENSURE( s_detectors[d]( &a.lying, &b.lying, &arena, again, mostFound ) == -1 );
		size_t wanted = arena.wanted;
		char* memory = malloc( wanted + 100 );
		for ( int offset = 0; offset < 16; offset += 5 ) // wherever it begins, and with something in use already
		{
			arena = ( pnArena ){ memory + offset, wanted - 100, 0, 0 };
			ENSURE( s_detectors[d]( &a.lying, &b.lying, &arena, again, mostFound ) == -1 && arena.wanted < wanted + 16 && arena.used == 0 );
			arena.size = wanted;
			memset( again, 0, sizeof( again ) );
			ENSURE( s_detectors[d]( &a.lying, &b.lying, &arena, again, mostFound ) == count );
			ENSURE( memcmp( found, again, (size_t)count * sizeof( pnFound ) ) == 0 );
			arena = ( pnArena ){ memory, wanted + 64, 64, 0 };
			ENSURE( s_detectors[d]( &a.lying, &b.lying, &arena, again, mostFound ) == count && arena.used == 64 );
		}
		// Less room for answers: the first ones.
		arena = ( pnArena ){ memory, wanted + 100, 0, 0 };
		ENSURE( s_detectors[d]( &a.lying, &b.lying, &arena, again, 3 ) == 3 && memcmp( found, again, 3 * sizeof( pnFound ) ) == 0 );
		ENSURE( s_detectors[d]( &a.lying, &b.lying, &arena, again, 0 ) == 0 );
		pnTestNote( "%s: %d points, %d bytes", s_names[d], count, (int)wanted );
		free( memory );
	}
	FreeBody( &a );
	FreeBody( &b );
}

// The same bits on every machine and by every compiler.
static void BitsAreGolden( void )
{
	static const uint64_t expected[2] = { 0x5865bb4cdf94af1aull, 0xb898738167f288ecull };
	Body a = MakeBody( 5, 0.5, 0.5, 0.5, true ), b = MakeBody( 5, 0.4, 0.5, 0.7, true );
	pnFound found[mostFound];
	for ( int d = 0; d < 2; ++d )
	{
		pnRandom random = pnSeed( 77 );
		uint64_t hash = PN_HASH_SEED;
		for ( int trial = 0; trial < 20; ++trial )
		{
			Place( &b, ( pnTransform ){ RandomVec3( &random, 0.5 ), RandomTurn( &random ) } );
			int count = Detect( s_detectors[d], &a, &b, found );
			hash = pnHash( hash, found, (size_t)count * sizeof( pnFound ) );
		}
		pnTestContext( "%s: 0x%016llx", s_names[d], (unsigned long long)hash );
		ENSURE( hash == expected[d] );
	}
	FreeBody( &a );
	FreeBody( &b );
}

// ---- the field at rest ----

enum { ballField, torusField, sheetField, cubeField, cloudField, denseField, sliverField, lineField, pointField, fieldCount };
static const char* const s_fields[fieldCount] = { "ball", "torus", "sheet", "cube", "cloud", "dense ball", "slivers", "line", "point" };

static pnSurface MakeField( int field )
{
	Rest rest = { 0 };
	switch ( field )
	{
		case ballField: rest = MakeBallRest( pnMakeVec3( 0.5f, 0.4f, 0.3f ), 6 ); break;
		case torusField: rest = MakeTorusRest( 0.5f, 0.2f, 24, 12 ); break;
		case sheetField: rest = MakeBoxRest( pnMakeVec3( 1.0f, 0.3f, 1.0f ), 5, 2, 5 ); break;
		case cubeField: rest = MakeBoxRest( pnMakeVec3( 1.0f, 1.0f, 1.0f ), 1, 1, 1 ); break;
		case cloudField: rest = MakeCloudRest( 6, 5, 4, 0.1f ); break;
		case denseField: rest = MakeBallRest( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 12 ); break;
		case sliverField: rest = MakeTorusRest( 0.5f, 0.01f, 200, 5 ); break;
		case lineField: rest = MakeCloudRest( 8, 1, 1, 0.1f ); break;
		default: rest = MakeCloudRest( 1, 1, 1, 0.1f ); break;
	}
	pnRandom random = pnSeed( (uint64_t)field + 1 );
	for ( int i = 0; i < rest.count && ( field == torusField || field == cloudField ); ++i )
	{
		rest.points[i] = pnAdd( rest.points[i], RandomVec3( &random, 0.01 ) ); // nothing lies on a grid
	}
	pnSurfaceSource source = { rest.points, rest.count, rest.triangles, field == sheetField ? rest.triangleCount / 2 : rest.triangleCount, NULL, 0, -1.0f, NULL, NULL, false };
	pnSurface surface = { 0 };
	ENSURE( pnBuildSurface( &source, &surface ) );
	FreeRest( &rest );
	return surface;
}

// What a node should say, by looking at every triangle.
static pnNode LookAround( const Body* body, const double place[3] )
{
	double least = INFINITY;
	pnNode node = { -1, 0.0f };
	for ( int i = 0; i < body->surface->triangleCount; ++i )
	{
		double corners[3][3], weights[3];
		for ( int k = 0; k < 3; ++k )
		{
			GetPlace( body, body->surface->triangles[3 * i + k], corners[k] );
		}
		double distance2 = pnNearestOnTriangle( place, corners[0], corners[1], corners[2], weights );
		node.triangle = distance2 < least ? i : node.triangle;
		least = distance2 < least ? distance2 : least;
	}
	node.distance = (float)sqrt( least );
	return node;
}

static void FieldNamesTheNearestTriangle( void )
{
	int askedCount = 0, insideCount = 0;
	for ( int field = 0; field < fieldCount; ++field )
	{
		pnSurface surface = MakeField( field );
		REQUIRE( surface.nodes != NULL );
		Body body = { .surface = &surface, .count = surface.restCount };
		body.x = calloc( (size_t)body.count, 4 * sizeof( float ) );
		for ( int i = 0; i < body.count; ++i )
		{
			memcpy( body.x + 4 * i, surface.rest + i, sizeof( pnVec3 ) );
		}
		ENSURE( ( surface.closed != 0 ) == ( field != sheetField && field != lineField && field != pointField ) );
		pnRandom random = pnSeed( 99 );
		for ( int trial = 0; trial < 1000; ++trial )
		{
			int node = pnRandomInt( &random, surface.nodeCount ), nx = surface.grid[0], ny = surface.grid[1];
			int at[3] = { node % nx, node / nx % ny, node / ( nx * ny ) };
			double place[3];
			for ( int k = 0; k < 3; ++k )
			{
				place[k] = (double)surface.lower[k] + (double)surface.cells[k] * at[k];
			}
			pnNode said = pnAskNode( &surface, node ), truth = LookAround( &body, place );
			bool inside = surface.closed && GetWinding( &body, place ) > 0.5;
			pnTestContext( "%s, node %d %d %d", s_fields[field], at[0], at[1], at[2] );
			ENSURE( said.triangle == truth.triangle );
			ENSURE( fabsf( said.distance ) == truth.distance );
			ENSURE( truth.distance < 1e-6f || ( said.distance < 0.0f ) == inside );
			askedCount += 1;
			insideCount += inside;
		}
		free( body.x );
		pnFreeSurface( &surface );
	}
	pnTestNote( "%d nodes, %d inside", askedCount, insideCount );
}

// ---- the tree as triangles lie now ----

enum { wedgeLaid, plateLaid, sliverLaid, ballLaid, laidCount };
static const char* const s_laid[laidCount] = { "wedge", "plate", "sliver", "ball" };

// Drawn out, sheared and turned, never turned inside out; drawn from the seed.
static Body LayField( int kind, pnRandom* random, pnSurface* surface )
{
	Rest rest = { 0 };
	switch ( kind )
	{
		case wedgeLaid: rest = MakeBoxRest( pnMakeVec3( 1.0f, 0.5f, 0.7f ), 7, 3, 5 ); break;
		case plateLaid: rest = MakeBoxRest( pnMakeVec3( 1.0f, 0.01f, 1.0f ), 9, 1, 9 ); break;
		case sliverLaid: rest = MakeTorusRest( 0.5f, 0.01f, 150, 5 ); break;
		default: rest = MakeBallRest( pnMakeVec3( 0.5f, 0.4f, 0.3f ), 8 ); break;
	}
	float sharp = (float)pnRandomIn( random, 0.005, 0.1 );
	for ( int i = 0; i < rest.count && kind == wedgeLaid; ++i )
	{
		rest.points[i].y *= sharp + 0.5f * ( rest.points[i].x + 1.0f ); // thin where x is least
	}
	pnSurfaceSource source = { rest.points, rest.count, rest.triangles, rest.triangleCount, NULL, 0, -1.0f, NULL, NULL, false };
	ENSURE( pnBuildSurface( &source, surface ) );
	FreeRest( &rest );
	Body body = { .surface = surface, .count = surface->restCount };
	body.x = calloc( (size_t)body.count, 4 * sizeof( float ) );
	pnVec3 axes[3] = { { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 0.0f }, { 0.0f, 0.0f, 1.0f } };
	for ( int k = 0; k < 3; ++k )
	{
		axes[k] = pnAdd( axes[k], RandomVec3( random, 0.2 ) );
	}
	pnVec3 away = RandomVec3( random, 3.0 );
	for ( int i = 0; i < body.count; ++i )
	{
		pnVec3 p = surface->rest[i], x = pnAdd( away, pnAdd( pnScale( p.x, axes[0] ), pnAdd( pnScale( p.y, axes[1] ), pnScale( p.z, axes[2] ) ) ) );
		memcpy( body.x + 4 * i, &x, sizeof x );
	}
	return body;
}

// Against brute force in double, near wedges, plates, slivers and balls: the nearest triangle is nearest, and inside is inside.
static void TheNearestTriangleIsNearest( void )
{
	double worst = 0.0;
	int insideCount = 0, nearCount = 0;
	for ( int trial = 0; trial < 8 * laidCount; ++trial )
	{
		int kind = trial % laidCount;
		pnRandom random = pnSeed( (uint64_t)trial + 1 );
		pnSurface surface = { 0 };
		Body body = LayField( kind, &random, &surface );
		pnBoxes* boxes = calloc( (size_t)pnCountLaidNodes( surface.triangleCount ), sizeof( pnBoxes ) );
		pnLayTree( &surface, body.x, boxes );
		pnTree tree = pnReadTree( &surface, body.x, boxes );
		for ( int n = 0; n < 200; ++n )
		{
			// near a corner of some triangle, or anywhere about
			const float* corner = body.x + 4 * (size_t)surface.triangles[pnRandomInt( &random, 3 * surface.triangleCount )];
			pnVec3 at = pnAdd( pnMakeVec3( corner[0], corner[1], corner[2] ), RandomVec3( &random, n % 4 == 0 ? 0.5 : 0.03 ) );
			double place[3] = { (double)at.x, (double)at.y, (double)at.z };
			pnNode truth = LookAround( &body, place );
			pnF4 p = { at.x, at.y, at.z, 0.0f };
			int hint = n % 2 == 0 ? -1 : pnRandomInt( &random, surface.triangleCount );
			pnNearest found = pnFindNearestTriangle( &tree, p, hint, 1e30f );
			pnTestContext( "%s, seed %d, place %d", s_laid[kind], trial + 1, n );
			REQUIRE( found.triangle >= 0 && found.triangle < surface.triangleCount );
			double off = fabs( sqrt( (double)found.distance2 ) - (double)truth.distance );
			worst = fmax( worst, off );
			ENSURE_MOST( off, 1e-5 );
			pnSpot spot = pnSpotOn( &surface, body.x, p, found.triangle );
			bool inside = GetWinding( &body, place ) > 0.5;
			ENSURE( truth.distance < 1e-4f || ( spot.distance < 0.0f ) == inside );
			// within a limit: the same one, or none
			float limit = (float)pnRandomIn( &random, 0.01, 0.1 );
			pnF4 low = p - pnSplat4( 0.01f ), high = p + pnSplat4( 0.01f );
			low -= pnSplat4( limit ), high += pnSplat4( limit );
			int32_t nodes[4096];
			pnBoxes over[1024];
			int nodeCount = pnFindNodes( &tree, &low, &high, nodes, 4096 );
			pnCoverNodes( &tree, nodes, nodeCount, over );
			pnNearest within = pnFindNearestTriangle( &tree, p, -1, limit * limit ), listed = pnFindNearestIn( &tree, nodes, over, nodeCount, p, -1, limit * limit );
			bool near = truth.distance < limit - 1e-5f, far = truth.distance > limit + 1e-5f;
			ENSURE( !near || ( within.triangle >= 0 && fabs( sqrt( (double)within.distance2 ) - (double)truth.distance ) < 1e-5 ) );
			ENSURE( !near || ( listed.triangle >= 0 && fabs( sqrt( (double)listed.distance2 ) - (double)truth.distance ) < 1e-5 ) );
			ENSURE( !far || ( within.triangle < 0 && listed.triangle < 0 ) );
			insideCount += inside;
			nearCount += near;
		}
		free( boxes );
		free( body.x );
		pnFreeSurface( &surface );
	}
	pnTestNote( "off by %.1e m, %d inside, %d within limits", worst, insideCount, nearCount );
}

// As a body lies, but with the middle of its outer points elsewhere.
static pnCollider MakeCollider( const pnSurface* surface, float* x, pnVec3 middle )
{
	pnCollider c = { .surface = surface, .x = x, .count = 4 * surface->quadCount, .center = { middle.x, middle.y, middle.z } };
	for ( int k = 0; k < 3; ++k )
	{
		double sum = 0.0;
		c.lower[k] = 1e30f, c.upper[k] = -1e30f;
		for ( int i = 0; i < c.count; ++i )
		{
			sum += ( surface->vertexMask[i / 4] >> i % 4 & 1 ) != 0 ? (double)x[4 * i + k] : 0.0;
		}
		for ( int i = 0; i < c.count; ++i )
		{
			float at = x[4 * i + k] += c.center[k] - (float)( sum / surface->vertexCount );
			bool outer = ( surface->vertexMask[i / 4] >> i % 4 & 1 ) != 0;
			c.lower[k] = outer && at < c.lower[k] ? at : c.lower[k];
			c.upper[k] = outer && at > c.upper[k] ? at : c.upper[k];
		}
	}
	c.laid = calloc( (size_t)pnCountLaidNodes( surface->triangleCount ), sizeof( pnBoxes ) );
	pnLayTree( surface, x, c.laid );
	return c;
}

// Searching only what a plane between two bodies leaves finds the same points to the bit; and where the plane leaves room, nothing is nearer than that.
static void APlaneBetweenHidesNothing( void )
{
	enum { mostNear = 20000 };
	pnCandidate* near[2] = { calloc( mostNear, sizeof( pnCandidate ) ), calloc( mostNear, sizeof( pnCandidate ) ) };
	int foundCount = 0, apartCount = 0;
	for ( int trial = 0; trial < 24 * laidCount; ++trial )
	{
		pnRandom random = pnSeed( (uint64_t)trial + 101 );
		pnSurface surfaces[2] = { { 0 }, { 0 } };
		Body bodies[2] = { LayField( trial % laidCount, &random, surfaces ), LayField( pnRandomInt( &random, laidCount ), &random, surfaces + 1 ) };
		pnCollider a = MakeCollider( surfaces, bodies[0].x, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		float least = 1e30f, size = 0.5f * ( surfaces[0].size + surfaces[1].size ), reach = size * (float)pnRandomIn( &random, 0.01, 0.3 );
		pnCollider b = MakeCollider( surfaces + 1, bodies[1].x, RandomVec3( &random, (double)size * ( trial % 3 == 0 ? 1.2 : 0.6 ) ) );
		pnLook look = { .reach = reach, .all = true, .axis = pnSplat4( 0.0f ), .base = pnSplat4( 0.0f ), .far = 1e30f, .near = -1e30f };
		int count = pnDetectPoints( &a, &b, &look, near[0], mostNear, &least );
		pnTestContext( "%s, seed %d", s_laid[trial % laidCount], trial + 101 );
		REQUIRE( count >= 0 );
		pnSplit split = pnFindSplit( &a, &b, near[0], count, count );
		float room = split.lower - split.upper;
		ENSURE( room < 1e20f && room > -1e20f );
		ENSURE( room <= 0.0f || least >= room - 1e-5f * size );
		look.axis = split.axis, look.base = split.base, look.far = pnFarLimit( split.upper, reach, size ), look.near = -pnFarLimit( -split.lower, reach, size );
		float again = 1e30f;
		int same = pnDetectPoints( &a, &b, &look, near[1], mostNear, &again );
		ENSURE( same == count && again == least && memcmp( near[0], near[1], (size_t)count * sizeof( pnCandidate ) ) == 0 );
		foundCount += count;
		apartCount += room > 0.0f;
		for ( int i = 0; i < 2; ++i )
		{
			free( i == 0 ? a.laid : b.laid );
			free( bodies[i].x );
			pnFreeSurface( surfaces + i );
		}
	}
	ENSURE( foundCount > 1000 && apartCount > 10 );
	free( near[0] );
	free( near[1] );
	pnTestNote( "%d points found, %d pairs with room between them", foundCount, apartCount );
	pnTestContext( "%s", "" );
}

typedef struct Asker
{
	const pnSurface* surface;
	pnNode* said;
	int first;
} Asker;

static void* AskAll( void* context )
{
	Asker* asker = context;
	int count = asker->surface->nodeCount;
	for ( int i = 0; i < count; ++i )
	{
		int node = ( asker->first + i ) % count;
		asker->said[node] = pnAskNode( asker->surface, node );
	}
	return NULL;
}

// From the last to the first, a second time, and by eight at once who start together or apart: always the same, and nothing is allocated.
static void FieldDoesNotCareWhoAsks( void )
{
	enum { askerCount = 8 };
	for ( int field = 0; field < fieldCount; ++field )
	{
		pnTestContext( "%s", s_fields[field] );
		for ( int apart = 0; apart < 2; ++apart )
		{
			pnSurface surface = MakeField( field ), again = MakeField( field ), shared = MakeField( field );
			int count = surface.nodeCount;
			REQUIRE( again.nodeCount == count && shared.nodeCount == count );
			pnNode* said = calloc( (size_t)count, sizeof( pnNode ) );
			Asker askers[askerCount];
			pthread_t threads[askerCount];
			int64_t byteCount = pnGetByteCount();
			AskAll( &( Asker ){ &surface, said, 0 } );
			for ( int turn = 0; turn < 2; ++turn )
			{
				int different = 0;
				for ( int node = count - 1; node >= 0; --node )
				{
					pnNode now = pnAskNode( &again, node );
					different += memcmp( &now, said + node, sizeof( pnNode ) ) != 0;
				}
				ENSURE( different == 0 );
			}
			for ( int i = 0; i < askerCount; ++i )
			{
				askers[i] = ( Asker ){ &shared, calloc( (size_t)count, sizeof( pnNode ) ), apart * i * ( count / askerCount ) };
				REQUIRE( pthread_create( threads + i, NULL, AskAll, askers + i ) == 0 );
			}
			for ( int i = 0; i < askerCount; ++i )
			{
				pthread_join( threads[i], NULL );
				ENSURE( memcmp( askers[i].said, said, (size_t)count * sizeof( pnNode ) ) == 0 );
				free( askers[i].said );
			}
			ENSURE( pnGetByteCount() == byteCount );
			free( said );
			pnFreeSurface( &surface );
			pnFreeSurface( &again );
			pnFreeSurface( &shared );
		}
	}
	pnTestContext( "%s", "" );
}

static const pnTest s_tests[] = {
	RUN( BodiesAreWhatTheyClaim ),
	RUN( CubeOnCube ),
	RUN( BallOnBall ),
	RUN( InsideIsWhatTheSurfaceGoesAround ),
	RUN( AnswerMovesAlong ),
	RUN( NoOverlapNoPoints ),
	RUN( WhollyInside ),
	RUN( TouchingIsNotDeep ),
	RUN( OpenSurfaceHasNoInside ),
	RUN( RubbishInNoRubbishOut ),
	RUN( NotANumberStaysInside ),
	RUN( SmallArenaSaysWhatItWants ),
	RUN( BitsAreGolden ),
	RUN( FieldNamesTheNearestTriangle ),
	RUN( TheNearestTriangleIsNearest ),
	RUN( APlaneBetweenHidesNothing ),
	RUN( FieldDoesNotCareWhoAsks ),
};
SUITE( detect, s_tests );
