// test_query.c - rays, spheres, boxes and places against bodies and shapes: closed forms, and brute force in double.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "blocks.h"
#include "help.h"

#include "soft/solid.h"

#include <pthread.h>

static const uint32_t s_all = UINT32_MAX;

// ---- vectors in double ----

typedef struct Vec { double x, y, z; } Vec;

static Vec From( pnVec3 a ) { return ( Vec ){ a.x, a.y, a.z }; }
static pnVec3 Float( Vec a ) { return pnMakeVec3( (float)a.x, (float)a.y, (float)a.z ); }
static Vec Sub( Vec a, Vec b ) { return ( Vec ){ a.x - b.x, a.y - b.y, a.z - b.z }; }
static Vec Along( Vec a, double s, Vec b ) { return ( Vec ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z }; }
static double Dot( Vec a, Vec b ) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Vec Cross( Vec a, Vec b ) { return ( Vec ){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x }; }
static double Length( Vec a ) { return sqrt( Dot( a, a ) ); }

static Vec Turn( pnQuat q, Vec a ) // in double
{
	Vec u = { q.x, q.y, q.z }, t = Cross( u, a );
	t = ( Vec ){ 2.0 * t.x, 2.0 * t.y, 2.0 * t.z };
	return Along( Along( a, q.w, t ), 1.0, Cross( u, t ) );
}

static Vec ToFrame( pnTransform t, Vec a ) { return Turn( pnConjugate( t.q ), Sub( a, From( t.p ) ) ); }

static pnTransform RandomPlace( pnRandom* random, double size )
{
	pnVec3 p = RandomVec3( random, size );
	return ( pnTransform ){ p, RandomTurn( random ) };
}

// ---- a body as brute force sees it ----

typedef struct Mesh
{
	int triangleCount;
	const int32_t* triangles; // particles
	Vec* corners; // of particles, as they lie
	bool closed;
} Mesh;

static Mesh ReadMesh( const pnWorld* world, pnBodyId body )
{
	const pnSolid* solid = pnBody_GetSolid( world, body );
	Mesh mesh = { solid->surface.triangleCount, solid->surface.triangles, calloc( (size_t)solid->particleCount, sizeof( Vec ) ), solid->surface.closed };
	pnVec3* points = calloc( (size_t)solid->pointCount, sizeof( pnVec3 ) );
	pnBody_WritePoints( world, body, points, NULL, solid->pointCount );
	for ( int i = 0; i < solid->pointCount; ++i )
	{
		mesh.corners[solid->particleOf[i]] = From( points[i] );
	}
	free( points );
	return mesh;
}

static Vec Corner( const Mesh* mesh, int triangle, int k ) { return mesh->corners[mesh->triangles[3 * triangle + k]]; }

// Moeller and Trumbore 1997. Near edges both answers are right: `sure` is how far inside its nearest edge the hit is.
static double HitTriangle( Vec from, Vec way, Vec a, Vec b, Vec c, double* sure )
{
	Vec e1 = Sub( b, a ), e2 = Sub( c, a ), p = Cross( way, e2 );
	double det = Dot( e1, p );
	if ( det == 0.0 )
	{
		*sure = -1.0;
		return 2.0;
	}
	Vec r = Sub( from, a ), q = Cross( r, e1 );
	double u = Dot( r, p ) / det, v = Dot( way, q ) / det, t = Dot( e2, q ) / det;
	*sure = fmin( u, fmin( v, 1.0 - u - v ) );
	return *sure >= 0.0 && t >= 0.0 && t <= 1.0 ? t : 2.0;
}

static double ToSegment( Vec p, Vec a, Vec b )
{
	Vec ab = Sub( b, a );
	double length2 = Dot( ab, ab ), t = length2 > 0.0 ? Dot( Sub( p, a ), ab ) / length2 : 0.0;
	t = t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t;
	return Length( Sub( p, Along( a, t, ab ) ) );
}

static double ToTriangle( Vec p, Vec a, Vec b, Vec c )
{
	Vec n = Cross( Sub( b, a ), Sub( c, a ) );
	double best = fmin( ToSegment( p, a, b ), fmin( ToSegment( p, b, c ), ToSegment( p, c, a ) ) ), length = Length( n );
	if ( length == 0.0 )
	{
		return best;
	}
	double height = Dot( Sub( p, a ), n ) / length;
	Vec q = Along( p, -height / length, n );
	bool inside = Dot( Cross( Sub( b, a ), Sub( q, a ) ), n ) >= 0.0 && Dot( Cross( Sub( c, b ), Sub( q, b ) ), n ) >= 0.0 &&
				  Dot( Cross( Sub( a, c ), Sub( q, c ) ), n ) >= 0.0;
	return inside ? fmin( best, fabs( height ) ) : best;
}

static double BruteDistance( const Mesh* mesh, Vec p )
{
	double best = INFINITY;
	for ( int i = 0; i < mesh->triangleCount; ++i )
	{
		best = fmin( best, ToTriangle( p, Corner( mesh, i, 0 ), Corner( mesh, i, 1 ), Corner( mesh, i, 2 ) ) );
	}
	return best;
}

// Solid angle over 4 pi (van Oosterom and Strackee 1983), added up: a whole number for closed surfaces.
static int Winding( const Mesh* mesh, Vec p )
{
	double sum = 0.0;
	for ( int i = 0; i < mesh->triangleCount; ++i )
	{
		Vec a = Sub( Corner( mesh, i, 0 ), p ), b = Sub( Corner( mesh, i, 1 ), p ), c = Sub( Corner( mesh, i, 2 ), p );
		double la = Length( a ), lb = Length( b ), lc = Length( c );
		sum += 2.0 * atan2( Dot( a, Cross( b, c ) ), la * lb * lc + Dot( a, b ) * lc + Dot( b, c ) * la + Dot( c, a ) * lb );
	}
	return (int)lround( sum / ( 4.0 * TEST_PI ) );
}

// Cuts the triangle off at each side of the box: is anything left? grow: by how much the box is larger.
static bool BruteBox( const Mesh* mesh, int triangle, pnAABB box, double grow )
{
	Vec poly[16], next[16];
	int count = 3;
	for ( int k = 0; k < 3; ++k )
	{
		poly[k] = Corner( mesh, triangle, k );
	}
	for ( int side = 0; side < 6 && count > 0; ++side )
	{
		int axis = side / 2, kept = 0;
		double sign = side % 2 == 0 ? 1.0 : -1.0, limit = side % 2 == 0 ? ( &box.upper.x )[axis] + grow : grow - ( &box.lower.x )[axis];
		for ( int i = 0; i < count; ++i )
		{
			Vec a = poly[i], b = poly[( i + 1 ) % count];
			double da = limit - sign * ( &a.x )[axis], db = limit - sign * ( &b.x )[axis];
			if ( da >= 0.0 )
			{
				next[kept++] = a;
			}
			if ( ( da > 0.0 && db < 0.0 ) || ( da < 0.0 && db > 0.0 ) )
			{
				next[kept++] = Along( a, da / ( da - db ), Sub( b, a ) );
			}
		}
		count = kept;
		memcpy( poly, next, sizeof( poly ) );
	}
	return count > 0;
}

// ---- solids ----

// A sphere of radius 1: a grid over each side of a cube, blown up. Points on seams are doubled, so that they are welded.
static pnSolid* MakeBall( int n, bool open )
{
	int perSide = ( n + 1 ) * ( n + 1 ), pointCount = 6 * perSide, triangleCount = 0, sideCount = open ? 5 : 6;
	pnVec3* points = calloc( (size_t)pointCount, sizeof( pnVec3 ) );
	int32_t* triangles = calloc( (size_t)( 36 * n * n ), sizeof( int32_t ) );
	for ( int i = 0; i < sideCount * perSide; ++i )
	{
		int side = i / perSide, axis = side / 2;
		double at[3], u = 2.0 * ( i % perSide % ( n + 1 ) ) / n - 1.0, v = 2.0 * ( i % perSide / ( n + 1 ) ) / n - 1.0;
		at[axis] = side % 2 == 0 ? 1.0 : -1.0;
		at[( axis + 1 ) % 3] = side % 2 == 0 ? u : v;
		at[( axis + 2 ) % 3] = side % 2 == 0 ? v : u;
		double length = sqrt( at[0] * at[0] + at[1] * at[1] + at[2] * at[2] );
		points[i] = pnMakeVec3( (float)( at[0] / length ), (float)( at[1] / length ), (float)( at[2] / length ) );
	}
	for ( int i = 0; i < sideCount * n * n; ++i )
	{
		int first = i / ( n * n ) * perSide + i % ( n * n ) / n * ( n + 1 ) + i % n;
		int32_t corners[6] = { first, first + 1, first + n + 2, first, first + n + 2, first + n + 1 };
		memcpy( triangles + 3 * triangleCount, corners, sizeof( corners ) );
		triangleCount += 2;
	}
	pnSolidDef def = pnDefaultSolidDef();
	def.points = points;
	def.pointCount = sideCount * perSide;
	def.triangles = triangles;
	def.triangleCount = triangleCount;
	pnSolid* solid = NULL;
	ENSURE( pnCreateSolid( &def, &solid ) == pn_success );
	free( points );
	free( triangles );
	return solid;
}

static pnSolid* MakeCube( void )
{
	pnSolidDef def = pnDefBox();
	pnSolid* solid = NULL;
	ENSURE( pnCreateSolid( &def, &solid ) == pn_success );
	return solid;
}

static pnBodyId AddBody( pnWorld* world, pnSolid* solid, pnTransform transform, uint32_t layers )
{
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.transform = transform;
	def.filter.layers = layers;
	pnBodyId body = { 0 };
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	return body;
}

static pnTransform At( float x, float y, float z ) { return ( pnTransform ){ { x, y, z }, pnIdentityQuat() }; }

static bool SameBody( pnBodyId a, pnBodyId b ) { return a.index1 == b.index1 && a.generation == b.generation; }

// Moves all points by themselves: a smooth field and some noise.
static void Deform( pnWorld* world, pnBodyId body, double bend, double noise, uint64_t seed )
{
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
	pnVec3* points = calloc( (size_t)count, sizeof( pnVec3 ) );
	pnBody_WritePoints( world, body, points, NULL, count );
	pnRandom random = pnSeed( seed );
	pnBodyState state;
	pnBody_GetState( world, body, &state );
	pnVec3 *k = calloc( 3, sizeof( pnVec3 ) ), *amount = calloc( 3, sizeof( pnVec3 ) );
	for ( int i = 0; i < 3; ++i )
	{
		k[i] = RandomVec3( &random, 3.0 );
		amount[i] = RandomVec3( &random, bend );
	}
	const pnSolid* solid = pnBody_GetSolid( world, body );
	pnVec3* moved = calloc( (size_t)solid->particleCount, sizeof( pnVec3 ) );
	bool* done = calloc( (size_t)solid->particleCount, sizeof( bool ) );
	for ( int i = 0; i < count; ++i )
	{
		int particle = solid->particleOf[i];
		if ( !done[particle] )
		{
			pnVec3 at = pnSub( points[i], state.center ), to = pnAdd( points[i], RandomVec3( &random, noise ) );
			for ( int w = 0; w < 3; ++w )
			{
				to = pnMulAdd( to, (float)sin( (double)pnDot( k[w], at ) ), amount[w] );
			}
			moved[particle] = to;
			done[particle] = true;
		}
		points[i] = moved[particle];
	}
	ENSURE( pnBody_SetPoints( world, body, points, NULL, count ) == pn_success );
	free( points );
	free( k );
	free( amount );
	free( moved );
	free( done );
}

// ---- rays ----

static double HitSlabs( Vec from, Vec way, Vec half ) // the first side of a box, from outside or inside; 2: none
{
	double best = 2.0;
	for ( int side = 0; side < 6; ++side )
	{
		int k = side / 2, u = ( k + 1 ) % 3, v = ( k + 2 ) % 3;
		double at = side % 2 == 0 ? ( &half.x )[k] : -( &half.x )[k], t = ( at - ( &from.x )[k] ) / ( &way.x )[k];
		Vec p = Along( from, t, way );
		if ( t >= 0.0 && t <= 1.0 && fabs( ( &p.x )[u] ) <= ( &half.x )[u] && fabs( ( &p.x )[v] ) <= ( &half.x )[v] )
		{
			best = fmin( best, t );
		}
	}
	return best;
}

static double HitBall( Vec from, Vec way, double radius )
{
	double a = Dot( way, way ), b = Dot( from, way ), c = Dot( from, from ) - radius * radius, d = b * b - a * c;
	if ( d < 0.0 )
	{
		return 2.0;
	}
	double first = ( -b - sqrt( d ) ) / a, second = ( -b + sqrt( d ) ) / a;
	double t = first >= 0.0 ? first : second;
	return t >= 0.0 && t <= 1.0 ? t : 2.0;
}

static double HitCapsule( Vec from, Vec way, double radius, double half )
{
	double best = 2.0;
	double a = way.x * way.x + way.z * way.z, b = from.x * way.x + from.z * way.z, c = from.x * from.x + from.z * from.z - radius * radius;
	for ( int i = 0; i < 6; ++i )
	{
		Vec center = { 0.0, i < 2 ? 0.0 : i < 4 ? half : -half, 0.0 }, r = Sub( from, center );
		double aa = i < 2 ? a : Dot( way, way ), bb = i < 2 ? b : Dot( r, way ), cc = i < 2 ? c : Dot( r, r ) - radius * radius;
		double d = bb * bb - aa * cc, t = d < 0.0 ? -1.0 : ( -bb + ( i % 2 == 0 ? -sqrt( d ) : sqrt( d ) ) ) / aa, y = from.y + t * way.y;
		bool there = i < 2 ? fabs( y ) <= half : i < 4 ? y >= half : y <= -half;
		best = t >= 0.0 && t <= 1.0 && there ? fmin( best, t ) : best;
	}
	return best;
}

static void CheckUnitAgainst( pnRayHit hit, Vec way )
{
	ENSURE_NEAR( LengthOf( hit.normal ), 1.0, 1e-5 );
	ENSURE_MOST( Dot( From( hit.normal ), way ), 1e-4 * Length( way ) );
}

static void RayMeetsCube( void )
{
	pnSolid* solid = MakeCube();
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnBodyId body = AddBody( world, solid, pnIdentityTransform(), 1 );
	pnRandom random = pnSeed( 1 );
	int hits = 0, fromInside = 0;
	for ( int i = 0; i < 3000; ++i )
	{
		pnTransform place = RandomPlace( &random, 5.0 );
		if ( i % 10 == 0 )
		{
			ENSURE( pnBody_SetTransform( world, body, place ) == pn_success ); // and no step
		}
		pnBodyState state;
		pnBody_GetState( world, body, &state );
		double reach = i % 3 == 0 ? 0.4 : 3.0;
		pnVec3 from = pnTransformPoint( state.transform, RandomVec3( &random, reach ) ), to = pnTransformPoint( state.transform, RandomVec3( &random, 1.0 ) );
		pnVec3 way = pnScale( 2.0f, pnSub( to, from ) );
		Vec localFrom = ToFrame( state.transform, From( from ) ), localWay = Turn( pnConjugate( state.transform.q ), From( way ) );
		double expected = HitSlabs( localFrom, localWay, ( Vec ){ 0.5, 0.5, 0.5 } );
		pnRayHit hit = pnWorld_CastRay( world, from, way, s_all );
		pnTestContext( "ray %d", i );
		Vec grown = { 0.5001, 0.5001, 0.5001 }, shrunk = { 0.4999, 0.4999, 0.4999 };
		if ( ( HitSlabs( localFrom, localWay, grown ) > 1.0 ) != ( HitSlabs( localFrom, localWay, shrunk ) > 1.0 ) )
		{
			continue; // along an edge, or ends on a side
		}
		REQUIRE( hit.hit == ( expected <= 1.0 ) );
		if ( hit.hit )
		{
			hits += 1;
			fromInside += reach < 1.0;
			ENSURE( SameBody( hit.body, body ) && hit.shape.index1 == 0 );
			ENSURE_NEAR( hit.fraction, expected, 1e-4 );
			ENSURE_MOST( DistanceOf( hit.position, pnMulAdd( from, hit.fraction, way ) ), 1e-5 );
			CheckUnitAgainst( hit, From( way ) );
			Vec normal = Turn( pnConjugate( state.transform.q ), From( hit.normal ) ), at = ToFrame( state.transform, From( hit.position ) );
			double most = fmax( fabs( normal.x ), fmax( fabs( normal.y ), fabs( normal.z ) ) );
			ENSURE_NEAR( most, 1.0, 1e-4 );
			// The triangle is that of the skin, the point its nearest corner.
			REQUIRE( hit.triangle >= 0 && hit.triangle < 12 && hit.point >= 0 && hit.point < 8 );
			double least = INFINITY;
			bool corner = false;
			for ( int k = 0; k < 3; ++k )
			{
				int c = pn_boxTriangles[3 * hit.triangle + k];
				corner |= c == hit.point;
				least = fmin( least, Length( Sub( From( pn_boxCorners[c] ), at ) ) );
			}
			ENSURE( corner );
			ENSURE_NEAR( Length( Sub( From( pn_boxCorners[hit.point] ), at ) ), least, 1e-4 );
		}
	}
	ENSURE( hits > 1000 && fromInside > 300 );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

static void RayMeetsBall( void )
{
	pnSolid* solid = MakeBall( 12, false );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnTransform place = { { 3.0f, -2.0f, 1.0f }, pnIdentityQuat() };
	AddBody( world, solid, place, 1 );
	pnRandom random = pnSeed( 2 );
	for ( int i = 0; i < 1000; ++i )
	{
		pnVec3 from = pnAdd( place.p, RandomVec3( &random, i % 2 == 0 ? 0.5 : 4.0 ) );
		if ( i % 2 != 0 && DistanceOf( from, place.p ) < 1.2 )
		{
			continue;
		}
		pnVec3 aim = pnAdd( place.p, RandomVec3( &random, 0.4 ) ), way = pnScale( 10.0f, pnSub( aim, from ) );
		pnRayHit hit = pnWorld_CastRay( world, from, way, s_all );
		double expected = HitBall( From( pnSub( from, place.p ) ), From( way ), 1.0 );
		pnTestContext( "ray %d", i );
		REQUIRE( hit.hit == ( expected <= 1.0 ) );
		if ( hit.hit ) // facets of 0.13 lie 0.004 below the ball
		{
			ENSURE_MOST( fabs( hit.fraction - expected ) * LengthOf( way ), 0.03 );
			Vec out = From( pnSub( hit.position, place.p ) );
			ENSURE( fabs( Dot( out, From( hit.normal ) ) ) > 0.98 );
			CheckUnitAgainst( hit, From( way ) );
			ENSURE( ( Dot( out, From( hit.normal ) ) < 0.0 ) == ( i % 2 == 0 ) ); // from inside it looks inward
		}
	}
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// Rays through vertices and middles of edges, along the axes of the grid too: none slips through.
static void NothingSlipsThrough( void )
{
	pnSolid* solid = MakeBall( 8, false );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnBodyId body = AddBody( world, solid, pnIdentityTransform(), 1 );
	Mesh mesh = ReadMesh( world, body );
	const pnVec3 eyes[3] = { { 0.0f, 0.0f, 0.0f }, { 0.25f, 0.125f, -0.5f }, { 0.1f, 0.0f, 0.0f } };
	for ( int i = 0; i < mesh.triangleCount; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			Vec a = Corner( &mesh, i, k ), b = Corner( &mesh, i, ( k + 1 ) % 3 );
			for ( int eye = 0; eye < 3; ++eye )
			{
				pnVec3 onCorner = Float( a ), onEdge = Float( Along( a, 0.5, Sub( b, a ) ) );
				pnVec3 inward = pnSub( eyes[eye], onCorner ), fromAfar = pnMulAdd( onCorner, -3.0f, inward );
				ENSURE( pnWorld_CastRay( world, eyes[eye], pnScale( 1.5f, pnSub( onCorner, eyes[eye] ) ), s_all ).hit );
				ENSURE( pnWorld_CastRay( world, eyes[eye], pnScale( 1.5f, pnSub( onEdge, eyes[eye] ) ), s_all ).hit );
				ENSURE( pnWorld_CastRay( world, fromAfar, pnScale( 4.0f, inward ), s_all ).hit );
			}
		}
	}
	free( mesh.corners );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
}

// ---- shapes ----

static float s_slope[2] = { 0.3f, -0.2f };

static float BallDistance( pnVec3 place, pnVec3* outward, void* context )
{
	double radius = *(const double*)context, length = LengthOf( place );
	*outward = length > 0.0 ? pnScale( (float)( 1.0 / length ), place ) : pnMakeVec3( 0.0f, 1.0f, 0.0f );
	return (float)( length - radius );
}

typedef enum Kind { planeKind, ballKind, capsuleKind, boxKind, thinKind, hullKind, meshKind, openKind, heightKind, ownKind, kindCount } Kind;

static double s_ownRadius = 0.7;
static const int32_t s_square[6] = { 0, 4, 5, 0, 5, 1 }; // the side y = -0.5 of the cube

static pnShapeId AddShape( pnWorld* world, Kind kind, pnTransform transform, uint32_t layers )
{
	static const pnShapeKind kinds[kindCount] = { pn_planeShape, pn_sphereShape, pn_capsuleShape, pn_boxShape, pn_boxShape, pn_hullShape, pn_meshShape, pn_meshShape, pn_heightShape, pn_distanceShape };
	static float heights[41 * 41];
	for ( int i = 0; i < 41 * 41; ++i )
	{
		heights[i] = 0.25f * ( s_slope[0] * (float)( i % 41 ) + s_slope[1] * (float)( i / 41 ) );
	}
	pnShapeDef def = pnDefaultShapeDef();
	def.kind = kinds[kind];
	def.transform = transform;
	def.radius = kind == ballKind ? 0.8f : 0.4f;
	def.halfExtents = kind == thinKind ? pnMakeVec3( 1.0f, 1e-4f, 0.6f ) : pnMakeVec3( 0.9f, 0.7f, 0.3f );
	def.points = pn_boxCorners;
	def.pointCount = 8;
	def.triangles = kind == openKind ? s_square : pn_boxTriangles;
	def.triangleCount = kind == openKind ? 2 : 12;
	def.heights = heights;
	def.heightCountX = def.heightCountZ = 41;
	def.heightSpacing = 0.25f;
	def.distance = BallDistance;
	def.context = &s_ownRadius;
	def.bounds = ( pnAABB ){ { -0.7f, -0.7f, -0.7f }, { 0.7f, 0.7f, 0.7f } };
	def.filter.layers = layers;
	pnShapeId shape = { 0 };
	ENSURE( pnCreateShape( world, &def, &shape ) == pn_success );
	return shape;
}

// As if it were larger by `grow`.
static double HitShape( Kind kind, Vec from, Vec way, double grow )
{
	double t;
	switch ( kind )
	{
	case planeKind:
		t = ( grow - from.y ) / way.y;
		return t >= 0.0 && t <= 1.0 ? t : 2.0;
	case ballKind:
		return HitBall( from, way, 0.8 + grow );
	case capsuleKind:
		return HitCapsule( from, way, 0.4 + grow, 0.7 );
	case boxKind:
		return HitSlabs( from, way, ( Vec ){ 0.9 + grow, 0.7 + grow, 0.3 + grow } );
	case thinKind:
		return HitSlabs( from, way, ( Vec ){ 1.0 + grow, 1e-4 + ( grow > 0.0 ? grow : 0.0 ), 0.6 + grow } );
	case hullKind:
	case meshKind:
		return HitSlabs( from, way, ( Vec ){ 0.5 + grow, 0.5 + grow, 0.5 + grow } );
	case openKind:
	{
		t = ( -0.5 - from.y ) / way.y;
		Vec p = Along( from, t, way );
		return t >= 0.0 && t <= 1.0 && fabs( p.x ) <= 0.5 + grow && fabs( p.z ) <= 0.5 + grow ? t : 2.0;
	}
	case heightKind:
	{
		double s0 = s_slope[0], s1 = s_slope[1], h = from.y - s0 * from.x - s1 * from.z - grow, rate = way.y - s0 * way.x - s1 * way.z;
		t = -h / rate;
		Vec p = Along( from, t, way );
		return t >= 0.0 && t <= 1.0 && p.x >= -grow && p.z >= -grow && p.x <= 10.0 + grow && p.z <= 10.0 + grow ? t : 2.0;
	}
	default:
		return HitBall( from, way, s_ownRadius + grow );
	}
}

static void RayMeetsShapes( void )
{
	pnRandom random = pnSeed( 3 );
	for ( int kind = 0; kind < kindCount; ++kind )
	{
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnShapeId shape = AddShape( world, (Kind)kind, pnIdentityTransform(), 1 );
		int hits = 0, fromInside = 0;
		for ( int i = 0; i < 2000; ++i )
		{
			pnTransform place = RandomPlace( &random, 5.0 );
			ENSURE( pnShape_SetTransform( world, shape, place ) == pn_success );
			pnShapeState state;
			pnShape_GetState( world, shape, &state );
			place = state.transform;
			double reach = i % 3 == 0 ? 0.4 : 3.0;
			pnVec3 middle = kind == heightKind ? pnMakeVec3( 5.0f, 0.5f, 5.0f ) : pnMakeVec3( 0.0f, 0.0f, 0.0f );
			pnVec3 from = pnTransformPoint( place, pnAdd( middle, RandomVec3( &random, reach ) ) );
			pnVec3 to = pnTransformPoint( place, pnAdd( middle, RandomVec3( &random, 0.8 ) ) );
			float longer = i % 5 == 0 ? 1000.0f : 2.0f;
			pnVec3 way = pnScale( longer, pnSub( to, from ) );
			Vec localFrom = ToFrame( place, From( from ) ), localWay = Turn( pnConjugate( place.q ), From( way ) );
			double expected = HitShape( (Kind)kind, localFrom, localWay, 0.0 ), length = LengthOf( way );
			if ( ( HitShape( (Kind)kind, localFrom, localWay, 1e-3 ) > 1.0 ) != ( HitShape( (Kind)kind, localFrom, localWay, -1e-3 ) > 1.0 ) )
			{
				continue; // in passing, or it begins or ends there
			}
			pnTestContext( "kind %d ray %d", kind, i );
			pnRayHit hit = pnWorld_CastRay( world, from, way, s_all );
			REQUIRE( hit.hit == ( expected <= 1.0 ) );
			if ( !hit.hit )
			{
				continue;
			}
			ENSURE( hit.shape.index1 == shape.index1 && hit.shape.generation == shape.generation && hit.body.index1 == 0 );
			ENSURE( hit.triangle == -1 && hit.point == -1 );
			// Sharply grazing rays are as sensitive as their angle is small.
			Vec at = ToFrame( place, From( hit.position ) );
			double sine = fabs( Dot( From( hit.normal ), From( way ) ) ) / length;
			ENSURE_MOST( fabs( hit.fraction - expected ) * length * sine, 1e-5 + 1e-7 * length );
			ENSURE_MOST( Length( Sub( at, Along( localFrom, expected, localWay ) ) ) * sine, 2e-5 );
			CheckUnitAgainst( hit, From( way ) );
			hits += 1;
			fromInside += i % 3 == 0;
		}
		ENSURE( hits > 200 && fromInside > 50 );
		pnTestNote( "%d/%d", hits, fromInside );
		pnDestroyWorld( world );
	}
}

static void NearestOnShapes( void )
{
	pnRandom random = pnSeed( 4 );
	for ( int kind = 0; kind < kindCount; ++kind )
	{
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnTransform place = RandomPlace( &random, 5.0 );
		pnShapeId shape = AddShape( world, (Kind)kind, place, 1 );
		for ( int i = 0; i < 500; ++i )
		{
			pnVec3 middle = kind == heightKind ? pnMakeVec3( 5.0f, 0.5f, 5.0f ) : pnMakeVec3( 0.0f, 0.0f, 0.0f );
			pnVec3 at = pnTransformPoint( place, pnAdd( middle, RandomVec3( &random, 1.5 ) ) );
			Vec local = ToFrame( place, From( at ) );
			double expected = NAN, x, y, z;
			Vec half = kind == thinKind ? ( Vec ){ 1.0, 1e-4, 0.6 } : kind == boxKind ? ( Vec ){ 0.9, 0.7, 0.3 } : ( Vec ){ 0.5, 0.5, 0.5 };
			switch ( kind )
			{
			case planeKind:
				expected = local.y;
				break;
			case ballKind:
			case ownKind:
				expected = Length( local ) - ( kind == ballKind ? 0.8 : s_ownRadius );
				break;
			case capsuleKind:
				expected = ToSegment( local, ( Vec ){ 0.0, -0.7, 0.0 }, ( Vec ){ 0.0, 0.7, 0.0 } ) - 0.4;
				break;
			case heightKind:
				expected = ( local.y - s_slope[0] * local.x - s_slope[1] * local.z ) / sqrt( 1.0 + s_slope[0] * s_slope[0] + s_slope[1] * s_slope[1] );
				break;
			case openKind:
				expected = fmin( ToTriangle( local, From( pn_boxCorners[0] ), From( pn_boxCorners[4] ), From( pn_boxCorners[5] ) ),
								 ToTriangle( local, From( pn_boxCorners[0] ), From( pn_boxCorners[5] ), From( pn_boxCorners[1] ) ) );
				break;
			default:
				x = fabs( local.x ) - half.x, y = fabs( local.y ) - half.y, z = fabs( local.z ) - half.z;
				expected = x > 0.0 || y > 0.0 || z > 0.0 ? Length( ( Vec ){ fmax( x, 0.0 ), fmax( y, 0.0 ), fmax( z, 0.0 ) } ) : fmax( x, fmax( y, z ) );
			}
			pnTestContext( "kind %d place %d", kind, i );
			pnClosest closest = pnWorld_FindClosest( world, at, 100.0f, s_all );
			REQUIRE( closest.found && closest.shape.index1 == shape.index1 && closest.triangle == -1 && closest.point == -1 );
			ENSURE_NEAR( kind == openKind ? fabs( closest.distance ) : closest.distance, expected, 1e-5 );
			ENSURE_NEAR( DistanceOf( closest.position, at ), fabs( expected ), 1e-5 );
			ENSURE_NEAR( LengthOf( closest.normal ), 1.0, 1e-5 );
			ENSURE( !pnWorld_FindClosest( world, at, (float)fabs( expected ) * 0.99f - 1e-4f > 0.0f ? (float)fabs( expected ) * 0.99f - 1e-4f : 0.0f, s_all ).found );
		}
		pnDestroyWorld( world );
	}
}

// ---- bodies against brute force ----

static void CompareWithBrute( pnWorld* world, const pnBodyId* bodies, int bodyCount, pnAABB region, int count, pnRandom* random )
{
	Mesh meshes[32];
	for ( int b = 0; b < bodyCount; ++b )
	{
		meshes[b] = ReadMesh( world, bodies[b] );
	}
	pnVec3 middle = pnScale( 0.5f, pnAdd( region.lower, region.upper ) ), half = pnScale( 0.5f, pnSub( region.upper, region.lower ) );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 r = RandomVec3( random, 1.0 ), place = { middle.x + r.x * half.x, middle.y + r.y * half.y, middle.z + r.z * half.z };
		r = RandomVec3( random, 1.0 );
		pnVec3 to = { middle.x + r.x * half.x, middle.y + r.y * half.y, middle.z + r.z * half.z }, way = pnSub( to, place );
		float radius = (float)pnRandomIn( random, 0.0, 0.4 );
		pnVec3 size = { (float)pnRandomIn( random, 0.0, 0.6 ), (float)pnRandomIn( random, 0.0, 0.6 ), (float)pnRandomIn( random, 0.0, 0.6 ) };
		pnAABB box = { place, pnAdd( place, size ) };
		Vec p = From( place ), boxMiddle = Along( p, 0.5, From( size ) );

		double ray = 2.0, doubtful = 2.0, nearest = INFINITY;
		int rayBody = -1, nearBody = -1, inBall = 0, inBox = 0, unsure = 0;
		pnBodyId ball[32], boxed[32];
		for ( int b = 0; b < bodyCount; ++b )
		{
			const Mesh* mesh = meshes + b;
			bool inside = mesh->closed && Winding( mesh, p ) != 0, boxInside = mesh->closed && Winding( mesh, boxMiddle ) != 0, some = false, sure = false;
			for ( int t = 0; t < mesh->triangleCount; ++t )
			{
				double certain, hit = HitTriangle( p, From( way ), Corner( mesh, t, 0 ), Corner( mesh, t, 1 ), Corner( mesh, t, 2 ), &certain );
				if ( hit < ray )
				{
					ray = hit;
					rayBody = b;
					doubtful = certain < 1e-9 ? hit : 2.0;
				}
				some |= BruteBox( mesh, t, box, 1e-7 );
				sure |= BruteBox( mesh, t, box, -1e-7 );
			}
			double distance = BruteDistance( mesh, p );
			if ( distance < nearest )
			{
				nearest = distance;
				nearBody = b;
			}
			unsure += fabs( distance - radius ) < 1e-6 || ( some != sure && !boxInside );
			if ( distance <= radius || inside )
			{
				ball[inBall++] = bodies[b];
			}
			if ( sure || boxInside )
			{
				boxed[inBox++] = bodies[b];
			}
		}

		pnTestContext( "query %d", i );
		pnRayHit hit = pnWorld_CastRay( world, place, way, s_all );
		if ( doubtful > 1.0 )
		{
			REQUIRE( hit.hit == ( ray <= 1.0 ) );
			if ( hit.hit )
			{
				ENSURE( SameBody( hit.body, bodies[rayBody] ) );
				ENSURE_NEAR( hit.fraction, ray, 1e-6 );
				CheckUnitAgainst( hit, From( way ) );
			}
		}
		pnClosest closest = pnWorld_FindClosest( world, place, 100.0f, s_all );
		bool inside = meshes[nearBody].closed && Winding( meshes + nearBody, p ) != 0;
		REQUIRE( closest.found && closest.shape.index1 == 0 );
		ENSURE_NEAR( closest.distance, inside ? -nearest : nearest, 1e-6 );
		ENSURE_NEAR( DistanceOf( closest.position, place ), nearest, 1e-5 );
		ENSURE_NEAR( LengthOf( closest.normal ), 1.0, 1e-5 );
		// Along the normal from the surface the place is at that distance, whichever side it is on.
		ENSURE_MOST( DistanceOf( pnMulAdd( closest.position, closest.distance, closest.normal ), place ), 1e-5 );
		if ( unsure == 0 )
		{
			pnBodyId found[32];
			REQUIRE( pnWorld_OverlapSphere( world, place, radius, s_all, found, 32 ) == inBall );
			ENSURE( memcmp( found, ball, sizeof( pnBodyId ) * (size_t)inBall ) == 0 );
			REQUIRE( pnWorld_OverlapBox( world, box, s_all, found, 32 ) == inBox );
			ENSURE( memcmp( found, boxed, sizeof( pnBodyId ) * (size_t)inBox ) == 0 );
		}
	}
	for ( int b = 0; b < bodyCount; ++b )
	{
		free( meshes[b].corners );
	}
}

static void DeformedBodies( void )
{
	pnSolid *ball = MakeBall( 5, false ), *bowl = MakeBall( 5, true ), *cube = MakeCube(), *grid = pnCreateGridSolid( 5, 4, 6, 0.25f, 0.0f );
	pnSolid* solids[4] = { ball, bowl, cube, grid };
	pnRandom random = pnSeed( 5 );
	for ( int round = 0; round < 10; ++round )
	{
		pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		pnBodyId bodies[6];
		for ( int b = 0; b < 6; ++b )
		{
			bodies[b] = AddBody( world, solids[( b + round ) % 4], RandomPlace( &random, 1.5 ), 1 );
			// Up to folds and inside out.
			Deform( world, bodies[b], 0.1 * ( round % 5 ), 0.01 * round, 100 + 10 * (uint64_t)round + (uint64_t)b );
		}
		CompareWithBrute( world, bodies, 6, ( pnAABB ){ { -2.5f, -2.5f, -2.5f }, { 2.5f, 2.5f, 2.5f } }, 150, &random );
		pnDestroyWorld( world );
	}
	for ( int i = 0; i < 4; ++i )
	{
		pnDestroySolid( solids[i] );
	}
}

// A bar wound up so far that its ends lie in each other: there it is around a place twice.
static void TwiceAroundIsInside( void )
{
	pnSolid* bar = pnCreateGridSolid( 33, 3, 3, 0.1f, 0.0f );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnBodyId body = AddBody( world, bar, pnIdentityTransform(), 1 );
	pnVec3 points[297];
	REQUIRE( pnBody_WritePoints( world, body, points, NULL, 297 ) == 297 );
	for ( int i = 0; i < 297; ++i )
	{
		double angle = 1.2 * 2.0 * TEST_PI * points[i].x / 3.2, radius = 0.5 - points[i].y;
		points[i] = pnMakeVec3( (float)( radius * cos( angle ) ), (float)( radius * sin( angle ) ), points[i].z );
	}
	REQUIRE( pnBody_SetPoints( world, body, points, NULL, 297 ) == pn_success );
	Mesh mesh = ReadMesh( world, body );
	REQUIRE( mesh.closed && Winding( &mesh, ( Vec ){ -0.5, 0.01, 0.01 } ) == 2 );
	free( mesh.corners );
	ENSURE( pnWorld_OverlapSphere( world, pnMakeVec3( -0.5f, 0.01f, 0.01f ), 1e-3f, s_all, NULL, 0 ) == 1 );
	ENSURE( pnWorld_OverlapSphere( world, pnMakeVec3( 0.0f, 0.01f, 0.01f ), 1e-3f, s_all, NULL, 0 ) == 0 ); // in the ring's hole
	pnRandom random = pnSeed( 9 );
	CompareWithBrute( world, &body, 1, ( pnAABB ){ { -0.7f, -0.7f, -0.2f }, { 0.7f, 0.7f, 0.2f } }, 400, &random );
	pnDestroyWorld( world );
	pnDestroySolid( bar );
}

// After steps in which bodies hit each other hard: where they are is not where the step looked for them.
static void BodiesThatWerePushed( void )
{
	pnSolid *ball = MakeBall( 4, false ), *cube = MakeCube(), *grid = pnCreateGridSolid( 4, 4, 4, 0.25f, 0.5f );
	pnSolid* solids[3] = { ball, cube, grid };
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnWorld* world = NULL;
	REQUIRE( pnCreateWorld( &worldDef, &world ) == pn_success );
	AddShape( world, planeKind, pnIdentityTransform(), 2 );
	pnRandom random = pnSeed( 6 );
	pnBodyId bodies[8];
	for ( int b = 0; b < 8; ++b )
	{
		bodies[b] = AddBody( world, solids[b % 3], At( 1.2f * (float)( b % 2 ), 1.2f + 1.3f * (float)( b / 2 ), 0.3f * (float)( b % 3 ) ), 1 );
		pnBody_SetVelocity( world, bodies[b], b % 2 == 0 ? pnMakeVec3( 10.0f, -60.0f, 0.0f ) : pnMakeVec3( -10.0f, -30.0f, 2.0f ), pnMakeVec3( 3.0f, 1.0f, 9.0f ) );
	}
	for ( int step = 0; step < 60; ++step )
	{
		REQUIRE( pnWorld_Step( world, 1.0f / 60.0f, 1 + step % 2 ) == pn_success );
		pnAABB region = { { 1e9f, 1e9f, 1e9f }, { -1e9f, -1e9f, -1e9f } };
		for ( int b = 0; b < 8; ++b )
		{
			pnBodyState state;
			pnBody_GetState( world, bodies[b], &state );
			region.lower = pnMin3( region.lower, state.bounds.lower );
			region.upper = pnMax3( region.upper, state.bounds.upper );
			// At each point of its surface a body must be found.
			pnVec3 points[200];
			int count = pnBody_WritePoints( world, bodies[b], points, NULL, 200 );
			const pnSolid* solid = pnBody_GetSolid( world, bodies[b] );
			for ( int i = 0; i < count && i < 200; i += 7 )
			{
				int particle = solid->particleOf[i];
				if ( solid->surface.vertexMask[particle / 4] >> particle % 4 & 1 )
				{
					pnTestContext( "step %d body %d point %d", step, b, i );
					pnBodyId found[8];
					int foundCount = pnWorld_OverlapSphere( world, points[i], 1e-5f, 1, found, 8 );
					bool there = false;
					for ( int f = 0; f < foundCount; ++f )
					{
						there |= SameBody( found[f], bodies[b] );
					}
					ENSURE( there );
					ENSURE_MOST( fabs( pnWorld_FindClosest( world, points[i], 1.0f, 1 ).distance ), 1e-5 );
				}
			}
		}
		if ( step % 4 == 0 )
		{
			Mesh meshes[8];
			for ( int b = 0; b < 8; ++b )
			{
				meshes[b] = ReadMesh( world, bodies[b] );
			}
			for ( int i = 0; i < 40; ++i )
			{
				pnVec3 a = RandomVec3( &random, 1.0 ), c = RandomVec3( &random, 1.0 );
				pnVec3 middle = pnScale( 0.5f, pnAdd( region.lower, region.upper ) ), half = pnScale( 0.5f, pnSub( region.upper, region.lower ) );
				pnVec3 from = { middle.x + a.x * half.x, middle.y + a.y * half.y, middle.z + a.z * half.z };
				pnVec3 way = { ( c.x - a.x ) * half.x, ( c.y - a.y ) * half.y, ( c.z - a.z ) * half.z };
				double best = 2.0, sure = 1.0;
				for ( int b = 0; b < 8; ++b )
				{
					for ( int t = 0; t < meshes[b].triangleCount; ++t )
					{
						double certain, hit = HitTriangle( From( from ), From( way ), Corner( meshes + b, t, 0 ), Corner( meshes + b, t, 1 ), Corner( meshes + b, t, 2 ), &certain );
						sure = hit < best ? certain : sure;
						best = fmin( best, hit );
					}
				}
				pnTestContext( "step %d ray %d", step, i );
				pnRayHit hit = pnWorld_CastRay( world, from, way, 1 );
				if ( sure > 1e-9 && ENSURE( hit.hit == ( best <= 1.0 ) ) && hit.hit )
				{
					ENSURE_NEAR( hit.fraction, best, 1e-6 );
				}
			}
			for ( int b = 0; b < 8; ++b )
			{
				free( meshes[b].corners );
			}
		}
	}
	pnDestroyWorld( world );
	for ( int i = 0; i < 3; ++i )
	{
		pnDestroySolid( solids[i] );
	}
}

// ---- bodies that are lines and points ----

static void ThreadsAreThick( void )
{
	pnVec3 points[9];
	for ( int i = 0; i < 9; ++i )
	{
		points[i] = pnMakeVec3( 0.25f * (float)i, 0.0f, 0.0f );
	}
	pnSolidDef def = pnDefaultSolidDef();
	def.points = points;
	def.pointCount = 9;
	def.thickness = 0.05f;
	pnSolid *line = NULL, *dot = NULL;
	REQUIRE( pnCreateSolid( &def, &line ) == pn_success );
	def.pointCount = 1;
	REQUIRE( pnCreateSolid( &def, &dot ) == pn_success );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnBodyId lineBody = AddBody( world, line, At( 0.0f, 1.0f, 0.0f ), 1 ), dotBody = AddBody( world, dot, At( 0.0f, -1.0f, 0.0f ), 1 );

	pnRayHit hit = pnWorld_CastRay( world, pnMakeVec3( 1.1f, 3.0f, 0.0f ), pnMakeVec3( 0.0f, -4.0f, 0.0f ), s_all );
	REQUIRE( hit.hit && SameBody( hit.body, lineBody ) );
	ENSURE_NEAR( hit.position.y, 1.05, 1e-5 );
	ENSURE_NEAR( hit.normal.y, 1.0, 1e-5 );
	ENSURE( hit.triangle == -1 && hit.point == 4 );
	hit = pnWorld_CastRay( world, pnMakeVec3( 1.1f, 3.0f, 0.03f ), pnMakeVec3( 0.0f, -4.0f, 0.0f ), s_all );
	REQUIRE( hit.hit );
	ENSURE_NEAR( hit.position.y, 1.04, 1e-5 );
	ENSURE( !pnWorld_CastRay( world, pnMakeVec3( 1.1f, 3.0f, 0.06f ), pnMakeVec3( 0.0f, -4.0f, 0.0f ), s_all ).hit );
	hit = pnWorld_CastRay( world, pnMakeVec3( 0.0f, -1.0f, 5.0f ), pnMakeVec3( 0.0f, 0.0f, -10.0f ), s_all );
	REQUIRE( hit.hit && SameBody( hit.body, dotBody ) );
	ENSURE_NEAR( hit.position.z, 0.05, 1e-5 );
	ENSURE( hit.triangle == -1 && hit.point == 0 );

	pnClosest closest = pnWorld_FindClosest( world, pnMakeVec3( 0.6f, 1.0f, 0.5f ), 1.0f, s_all );
	REQUIRE( closest.found && SameBody( closest.body, lineBody ) );
	ENSURE_NEAR( closest.distance, 0.5, 1e-6 );
	ENSURE_NEAR( closest.normal.z, 1.0, 1e-6 );
	closest = pnWorld_FindClosest( world, pnMakeVec3( 0.0f, -1.0f, 0.0f ), 1.0f, s_all ); // right on it: some direction
	REQUIRE( closest.found && SameBody( closest.body, dotBody ) );
	ENSURE( closest.distance == 0.0f );
	ENSURE_NEAR( LengthOf( closest.normal ), 1.0, 1e-6 );
	pnBodyId found[2];
	ENSURE( pnWorld_OverlapSphere( world, pnMakeVec3( 0.6f, 1.2f, 0.0f ), 0.19f, s_all, found, 2 ) == 0 );
	ENSURE( pnWorld_OverlapSphere( world, pnMakeVec3( 0.6f, 1.2f, 0.0f ), 0.21f, s_all, found, 2 ) == 1 && SameBody( found[0], lineBody ) );
	ENSURE( pnWorld_OverlapBox( world, ( pnAABB ){ { -0.1f, -1.1f, -0.1f }, { 0.1f, 1.1f, 0.1f } }, s_all, found, 2 ) == 2 );
	ENSURE( pnWorld_OverlapBox( world, ( pnAABB ){ { 0.3f, 0.9f, -0.1f }, { 0.31f, 1.1f, 0.1f } }, s_all, found, 2 ) == 1 );
	pnDestroyWorld( world );
	pnDestroySolid( line );
	pnDestroySolid( dot );
}

// ---- what is asked for ----

static void MasksAndOrder( void )
{
	pnSolid* cube = MakeCube();
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnBodyId bodies[4];
	for ( int i = 0; i < 4; ++i )
	{
		bodies[i] = AddBody( world, cube, At( 0.0f, 2.0f * (float)i, 0.0f ), 1u << i );
	}
	ENSURE( pnDestroyBody( world, bodies[1] ) == pn_success );
	bodies[1] = AddBody( world, cube, At( 0.0f, 2.0f, 0.0f ), 2 ); // in an old slot, but the youngest
	pnShapeId shape = AddShape( world, ballKind, At( 0.0f, -5.0f, 0.0f ), 16 );
	pnVec3 from = { 0.1f, 20.0f, 0.2f }, way = { 0.0f, -40.0f, 0.0f };
	for ( int i = 3; i >= 0; --i )
	{
		pnRayHit hit = pnWorld_CastRay( world, from, way, ( 2u << i ) - 1u );
		ENSURE( hit.hit && SameBody( hit.body, bodies[i] ) );
		ENSURE_NEAR( hit.position.y, 2.0 * i + 0.5, 1e-5 );
		ENSURE( SameBody( pnWorld_FindClosest( world, from, 1e6f, ( 2u << i ) - 1u ).body, bodies[i] ) );
	}
	pnRayHit hit = pnWorld_CastRay( world, from, way, 16 );
	ENSURE( hit.hit && hit.shape.index1 == shape.index1 && hit.body.index1 == 0 );
	ENSURE( pnWorld_FindClosest( world, from, INFINITY, 16 ).shape.index1 == shape.index1 );
	ENSURE( !pnWorld_CastRay( world, from, way, 0 ).hit && !pnWorld_CastRay( world, from, way, 32 ).hit );
	ENSURE( !pnWorld_FindClosest( world, from, 1e6f, 0 ).found );

	pnBodyId found[4] = { { 0 } };
	pnAABB box = { { -1.0f, -1.0f, -1.0f }, { 1.0f, 9.0f, 1.0f } };
	ENSURE( pnWorld_OverlapBox( world, box, s_all, found, 4 ) == 4 );
	ENSURE( SameBody( found[0], bodies[0] ) && SameBody( found[1], bodies[2] ) && SameBody( found[2], bodies[3] ) && SameBody( found[3], bodies[1] ) );
	memset( found, 0, sizeof( found ) );
	ENSURE( pnWorld_OverlapSphere( world, pnMakeVec3( 0.0f, 3.0f, 0.0f ), 100.0f, s_all, found, 2 ) == 4 );
	ENSURE( SameBody( found[1], bodies[2] ) && found[2].index1 == 0 );
	ENSURE( pnWorld_OverlapSphere( world, pnMakeVec3( 0.0f, 3.0f, 0.0f ), INFINITY, s_all, NULL, 0 ) == 4 );
	ENSURE( pnWorld_OverlapBox( world, box, 4, NULL, 0 ) == 1 );
	// Wholly inside a body, far from its triangles.
	ENSURE( pnWorld_OverlapSphere( world, pnMakeVec3( 0.0f, 4.0f, 0.0f ), 0.01f, s_all, found, 4 ) == 1 && SameBody( found[0], bodies[2] ) );
	box = ( pnAABB ){ { -0.1f, 3.9f, -0.1f }, { 0.1f, 4.1f, 0.1f } };
	ENSURE( pnWorld_OverlapBox( world, box, s_all, found, 4 ) == 1 && SameBody( found[0], bodies[2] ) );
	pnClosest closest = pnWorld_FindClosest( world, pnMakeVec3( 0.1f, 4.2f, 0.0f ), 1.0f, s_all );
	ENSURE( closest.found && SameBody( closest.body, bodies[2] ) );
	ENSURE_NEAR( closest.distance, -0.3, 1e-5 );
	ENSURE_NEAR( closest.normal.y, 1.0, 1e-5 );
	// A ray without length meets nothing, and is nothing to complain about.
	ENSURE( !pnWorld_CastRay( world, from, pnMakeVec3( 0.0f, 0.0f, 0.0f ), s_all ).hit );
	pnDestroyWorld( world );
	pnDestroySolid( cube );
}

// Welded points: the lowest index names the particle. Further skins do not matter.
static void PointsAreTheUsers( void )
{
	pnSolid* ball = MakeBall( 4, false );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	AddBody( world, ball, pnIdentityTransform(), 1 );
	pnSkinInfo skin = pnSolid_GetSkin( ball, 0 );
	pnRandom random = pnSeed( 7 );
	for ( int i = 0; i < 200; ++i )
	{
		pnVec3 way = RandomVec3( &random, 5.0 );
		pnRayHit hit = pnWorld_CastRay( world, pnMakeVec3( 0.0f, 0.0f, 0.0f ), pnScale( 3.0f / (float)LengthOf( way ), way ), s_all );
		REQUIRE( hit.hit && hit.triangle >= 0 && hit.triangle < skin.triangleCount && hit.point >= 0 );
		bool corner = false;
		for ( int k = 0; k < 3; ++k )
		{
			corner |= ball->particleOf[skin.triangles[3 * hit.triangle + k]] == ball->particleOf[hit.point];
		}
		ENSURE( corner );
		for ( int p = 0; p < hit.point; ++p )
		{
			ENSURE( ball->particleOf[p] != ball->particleOf[hit.point] );
		}
	}
	pnDestroyWorld( world );
	pnDestroySolid( ball );
}

// ---- threads ----

typedef struct Watch { const pnWorld* world; uint64_t hash; } Watch;

static uint64_t Mix( uint64_t hash, const void* bytes, size_t size )
{
	for ( size_t i = 0; i < size; ++i )
	{
		hash = ( hash ^ ( (const uint8_t*)bytes )[i] ) * 0x100000001b3ull;
	}
	return hash;
}

static void* AskMuch( void* context )
{
	Watch* watch = context;
	pnRandom random = pnSeed( 8 );
	watch->hash = 1;
	for ( int i = 0; i < 500; ++i )
	{
		pnVec3 from = RandomVec3( &random, 4.0 ), way = RandomVec3( &random, 8.0 );
		pnRayHit hit = pnWorld_CastRay( watch->world, from, way, s_all );
		pnClosest closest = pnWorld_FindClosest( watch->world, from, 2.0f, s_all );
		pnBodyId found[16];
		int inBall = pnWorld_OverlapSphere( watch->world, from, 1.0f, s_all, found, 16 );
		watch->hash = Mix( watch->hash, found, sizeof( pnBodyId ) * (size_t)inBall );
		int inBox = pnWorld_OverlapBox( watch->world, ( pnAABB ){ pnSub( from, pnMakeVec3( 1.0f, 1.0f, 1.0f ) ), from }, s_all, found, 16 );
		watch->hash = Mix( watch->hash, found, sizeof( pnBodyId ) * (size_t)inBox );
		// Field by field: what lies between them is not defined.
		watch->hash = Mix( watch->hash, &hit.hit, sizeof( hit.hit ) );
		watch->hash = Mix( watch->hash, &hit.body, sizeof( hit.body ) );
		watch->hash = Mix( watch->hash, &hit.shape, sizeof( hit.shape ) );
		watch->hash = Mix( watch->hash, &hit.triangle, 2 * sizeof( int ) );
		watch->hash = Mix( watch->hash, &hit.position, 7 * sizeof( float ) );
		watch->hash = Mix( watch->hash, &closest.found, sizeof( closest.found ) );
		watch->hash = Mix( watch->hash, &closest.body, sizeof( closest.body ) );
		watch->hash = Mix( watch->hash, &closest.shape, sizeof( closest.shape ) );
		watch->hash = Mix( watch->hash, &closest.position, 7 * sizeof( float ) );
	}
	return NULL;
}

static void ManyThreadsAgree( void )
{
	pnSolid *ball = MakeBall( 5, false ), *grid = pnCreateGridSolid( 4, 4, 4, 0.25f, 0.5f );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, -9.81f, 0.0f ) );
	for ( int i = 0; i < 10; ++i )
	{
		pnBodyId body = AddBody( world, i % 2 == 0 ? ball : grid, At( 2.2f * (float)( i % 3 ) - 2.2f, 2.2f * (float)( i / 3 ) - 2.0f, 0.0f ), 1 );
		if ( i == 5 )
		{
			pnWorld_Step( world, 1.0f / 60.0f, 2 );
			pnBody_SetTransform( world, body, At( 0.0f, 3.0f, 2.0f ) );
		}
	}
	for ( int kind = 0; kind < kindCount; ++kind )
	{
		AddShape( world, (Kind)kind, At( (float)kind - 5.0f, -4.0f, 3.0f ), 1 );
	}
	uint64_t hash = pnWorld_GetHash( world );
	int64_t bytes = pnGetByteCount();
	Watch alone = { world, 0 }, watches[4];
	AskMuch( &alone );
	pthread_t threads[4];
	for ( int i = 0; i < 4; ++i )
	{
		watches[i] = ( Watch ){ world, 0 };
		REQUIRE( pthread_create( threads + i, NULL, AskMuch, watches + i ) == 0 );
	}
	for ( int i = 0; i < 4; ++i )
	{
		pthread_join( threads[i], NULL );
		ENSURE( watches[i].hash == alone.hash );
	}
	ENSURE( pnWorld_GetHash( world ) == hash && pnGetByteCount() == bytes );
	pnDestroyWorld( world );
	pnDestroySolid( ball );
	pnDestroySolid( grid );
}

// ---- refusals ----

static int s_words;
static char s_word[512];
static void HearLog( const char* message )
{
	s_words += 1;
	snprintf( s_word, sizeof( s_word ), "%s", message );
}

static void BadInputIsRefused( void )
{
	pnSolid* cube = MakeCube();
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	AddBody( world, cube, pnIdentityTransform(), 1 );
	for ( int kind = 0; kind < kindCount; ++kind )
	{
		AddShape( world, (Kind)kind, At( 0.0f, 2.0f * (float)kind, 0.0f ), 1 );
	}
	pnSetLogFcn( HearLog );
	const float bad[3] = { NAN, INFINITY, -INFINITY };
	pnVec3 fine = { 0.0f, 0.0f, 3.0f }, down = { 0.0f, 0.0f, -6.0f };
	pnBodyId found[2];
	for ( int i = 0; i < 9; ++i )
	{
		pnVec3 wrong = fine;
		( &wrong.x )[i % 3] = bad[i / 3];
		pnTestContext( "bad %d", i );
		s_words = 0;
		pnRayHit hit = pnWorld_CastRay( world, wrong, down, s_all );
		ENSURE( !hit.hit && hit.triangle == -1 && hit.point == -1 && s_words == 1 && strstr( s_word, "origin" ) != NULL );
		ENSURE( !pnWorld_CastRay( world, fine, wrong, s_all ).hit && s_words == 2 && strstr( s_word, "translation" ) != NULL );
		ENSURE( !pnWorld_FindClosest( world, wrong, 1.0f, s_all ).found && s_words == 3 && strstr( s_word, "place" ) != NULL );
		ENSURE( pnWorld_OverlapSphere( world, wrong, 10.0f, s_all, found, 2 ) == 0 && s_words == 4 && strstr( s_word, "center" ) != NULL );
		pnAABB box = { { -9.0f, -9.0f, -9.0f }, wrong };
		ENSURE( pnWorld_OverlapBox( world, box, s_all, found, 2 ) == 0 && s_words == 5 && strstr( s_word, "box.upper" ) != NULL );
		box = ( pnAABB ){ wrong, { 9.0f, 9.0f, 9.0f } };
		ENSURE( pnWorld_OverlapBox( world, box, s_all, found, 2 ) == 0 && s_words == 6 && strstr( s_word, "box.lower" ) != NULL );
	}
	pnTestContext( " " );
	s_words = 0;
	ENSURE( pnWorld_OverlapSphere( world, fine, -1.0f, s_all, found, 2 ) == 0 && s_words == 1 );
	ENSURE( pnWorld_OverlapSphere( world, fine, NAN, s_all, found, 2 ) == 0 && s_words == 2 );
	ENSURE( pnWorld_OverlapSphere( world, fine, 10.0f, s_all, NULL, 2 ) == 0 && s_words == 3 );
	ENSURE( pnWorld_OverlapBox( world, ( pnAABB ){ { 1.0f, 0.0f, 0.0f }, { 0.0f, 1.0f, 1.0f } }, s_all, found, 2 ) == 0 && s_words == 4 );
	ENSURE( pnWorld_OverlapBox( world, ( pnAABB ){ { 0.0f, 0.0f, 0.0f }, { 1.0f, 1.0f, 1.0f } }, s_all, NULL, 1 ) == 0 && s_words == 5 );
	ENSURE( !pnWorld_FindClosest( world, fine, -1.0f, s_all ).found && s_words == 6 );
	ENSURE( !pnWorld_FindClosest( world, fine, NAN, s_all ).found && s_words == 7 );
	// Odd, but it means something.
	ENSURE( pnWorld_OverlapSphere( world, fine, 10.0f, s_all, NULL, -1 ) == 1 );
	ENSURE( pnWorld_OverlapSphere( world, pnMakeVec3( 0.5f, 0.0f, 0.0f ), 0.0f, s_all, NULL, 0 ) == 1 );
	ENSURE( pnWorld_FindClosest( world, pnMakeVec3( 0.5f, 0.0f, 0.0f ), 0.0f, 1 ).found );
	pnRayHit hit = pnWorld_CastRay( world, fine, pnMakeVec3( 0.0f, 0.0f, -3e38f ), s_all );
	ENSURE( hit.hit );
	ENSURE( hit.position.z > 0.2f && hit.position.z <= 0.81f );
	pnWorld_CastRay( world, fine, pnMakeVec3( 1e-40f, 0.0f, -1e-42f ), s_all );
	ENSURE( s_words == 7 );
	// Bodies crushed to a plane, a line, a point.
	for ( int crush = 1; crush <= 3; ++crush )
	{
		pnVec3 points[8];
		pnBodyId body = AddBody( world, cube, At( 0.0f, -10.0f, 0.0f ), 2 );
		for ( int i = 0; i < 8; ++i )
		{
			pnVec3 c = pn_boxCorners[i];
			points[i] = pnMakeVec3( crush >= 3 ? 0.0f : c.x, crush >= 2 ? -10.0f : c.y - 10.0f, 0.0f );
		}
		ENSURE( pnBody_SetPoints( world, body, points, NULL, 8 ) == pn_success );
		pnClosest closest = pnWorld_FindClosest( world, pnMakeVec3( 0.0f, -10.0f, 1.0f ), 5.0f, 2 );
		ENSURE( closest.found );
		ENSURE_NEAR( closest.distance, 1.0, 1e-6 );
		ENSURE_NEAR( closest.normal.z, 1.0, 1e-6 );
		closest = pnWorld_FindClosest( world, pnMakeVec3( 0.0f, -10.0f, 0.0f ), 5.0f, 2 );
		ENSURE( closest.found );
		ENSURE_NEAR( LengthOf( closest.normal ), 1.0, 1e-5 );
		ENSURE( pnWorld_OverlapBox( world, ( pnAABB ){ { -0.1f, -10.1f, -0.1f }, { 0.1f, -9.9f, 0.1f } }, 2, NULL, 0 ) == 1 );
		ENSURE( pnWorld_OverlapSphere( world, pnMakeVec3( 0.0f, -10.0f, 0.5f ), 0.4f, 2, NULL, 0 ) == 0 );
		hit = pnWorld_CastRay( world, pnMakeVec3( 0.1f, -10.1f, 1.0f ), pnMakeVec3( 0.0f, 0.0f, -2.0f ), 2 );
		ENSURE( hit.hit == ( crush == 1 ) );
		ENSURE( pnDestroyBody( world, body ) == pn_success );
	}
	pnSetLogFcn( NULL );
	pnDestroyWorld( world );
	pnDestroySolid( cube );
}

static const pnTest s_tests[] = {
	RUN( RayMeetsCube ), RUN( RayMeetsBall ), RUN( NothingSlipsThrough ), RUN( RayMeetsShapes ), RUN( NearestOnShapes ), RUN( DeformedBodies ),
	RUN( TwiceAroundIsInside ), RUN( BodiesThatWerePushed ), RUN( ThreadsAreThick ), RUN( MasksAndOrder ), RUN( PointsAreTheUsers ), RUN( ManyThreadsAgree ),
	RUN( BadInputIsRefused ),
};
SUITE( query, s_tests );
