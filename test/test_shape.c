// test_shape.c - things that do not bend: distances and sweeps against brute force in double, refusals, memory, bits.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For posix_memalign, also when compiled as strict C17.
#define _POSIX_C_SOURCE 200809L

#include "test.h"

#include "base/core.h"
#include "contact/shape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- vectors ----

typedef struct Vec { double x, y, z; } Vec;

static Vec V( double x, double y, double z ) { return ( Vec ){ x, y, z }; }
static Vec From( pnVec3 a ) { return V( a.x, a.y, a.z ); }
static Vec Sub( Vec a, Vec b ) { return V( a.x - b.x, a.y - b.y, a.z - b.z ); }
static Vec Along( Vec a, double s, Vec b ) { return V( a.x + s * b.x, a.y + s * b.y, a.z + s * b.z ); }
static double Dot( Vec a, Vec b ) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static Vec Cross( Vec a, Vec b ) { return V( a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x ); }
static double Length( Vec a ) { return sqrt( Dot( a, a ) ); }
static pnVec3 Float( Vec a ) { return pnMakeVec3( (float)a.x, (float)a.y, (float)a.z ); }

static pnVec3 RandomPlace( pnRandom* random, double size )
{
	double x = pnRandomIn( random, -size, size ), y = pnRandomIn( random, -size, size ), z = pnRandomIn( random, -size, size );
	return pnMakeVec3( (float)x, (float)y, (float)z );
}

// Not by way of RandomPlace: gcc 12 at -O3 drops the rounding of two doubles to float and back, and the bits of shapes would differ.
static Vec RandomDirection( pnRandom* random )
{
	for ( ;; )
	{
		double x = pnRandomIn( random, -1.0, 1.0 ), y = pnRandomIn( random, -1.0, 1.0 ), z = pnRandomIn( random, -1.0, 1.0 );
		Vec v = V( x, y, z );
		double length = Length( v );
		if ( length > 0.1 && length < 1.0 )
		{
			return Along( V( 0, 0, 0 ), 1.0 / length, v );
		}
	}
}

// ---- brute force: nearest on a segment, on a triangle by its plane and its edges ----

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
	double best = fmin( ToSegment( p, a, b ), fmin( ToSegment( p, b, c ), ToSegment( p, c, a ) ) );
	double length = Length( n );
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

// Solid angle over 4 pi (van Oosterom and Strackee 1983), added up: 1 inside, 0 outside.
static double Winding( Vec p, const pnVec3* points, const int32_t* triangles, int count )
{
	double sum = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		Vec a = Sub( From( points[triangles[3 * i]] ), p ), b = Sub( From( points[triangles[3 * i + 1]] ), p ), c = Sub( From( points[triangles[3 * i + 2]] ), p );
		double la = Length( a ), lb = Length( b ), lc = Length( c );
		sum += 2.0 * atan2( Dot( a, Cross( b, c ) ), la * lb * lc + Dot( a, b ) * lc + Dot( b, c ) * la + Dot( c, a ) * lb );
	}
	return sum / ( 4.0 * 3.14159265358979323846 );
}

static double ToMesh( Vec p, const pnVec3* points, const int32_t* triangles, int count )
{
	double best = INFINITY;
	for ( int i = 0; i < count; ++i )
	{
		best = fmin( best, ToTriangle( p, From( points[triangles[3 * i]] ), From( points[triangles[3 * i + 1]] ), From( points[triangles[3 * i + 2]] ) ) );
	}
	return best;
}

// ---- shapes ----

#define MAX_POINTS 8000
#define MAX_TRIANGLES 16000

static pnVec3 s_points[MAX_POINTS];
static int32_t s_triangles[3 * MAX_TRIANGLES];
static float s_heights[MAX_POINTS];

static pnShapeDef MakeDef( pnShapeKind kind )
{
	pnShapeDef def;
	memset( &def, 0, sizeof( def ) );
	def.kind = kind;
	def.transform = pnIdentityTransform();
	def.friction = 0.5f;
	def.cookie = PN_COOKIE;
	return def;
}

static pnShapeDef DefSphere( float radius )
{
	pnShapeDef def = MakeDef( pn_sphereShape );
	def.radius = radius;
	return def;
}

static pnShapeDef DefCapsule( float radius, float half )
{
	pnShapeDef def = MakeDef( pn_capsuleShape );
	def.radius = radius;
	def.halfExtents.y = half;
	return def;
}

static pnShapeDef DefBox( float x, float y, float z )
{
	pnShapeDef def = MakeDef( pn_boxShape );
	def.halfExtents = pnMakeVec3( x, y, z );
	return def;
}

static pnShapeDef DefHull( int count )
{
	pnShapeDef def = MakeDef( pn_hullShape );
	def.points = s_points;
	def.pointCount = count;
	return def;
}

static pnShapeDef DefMesh( int pointCount, int triangleCount )
{
	pnShapeDef def = MakeDef( pn_meshShape );
	def.points = s_points;
	def.pointCount = pointCount;
	def.triangles = s_triangles;
	def.triangleCount = triangleCount;
	return def;
}

static const int s_boxFaces[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 }, { 0, 1, 4 }, { 1, 5, 4 },
									   { 2, 6, 3 }, { 3, 6, 7 }, { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };

// split: every triangle has corners of its own, as from a modelling program.
static pnShapeDef DefBoxMesh( float x, float y, float z, bool split )
{
	pnVec3 corners[8];
	for ( int i = 0; i < 8; ++i )
	{
		corners[i] = pnMakeVec3( i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z );
	}
	for ( int i = 0; i < 36; ++i )
	{
		int corner = s_boxFaces[i / 3][i % 3];
		s_points[split ? i : corner] = corners[corner];
		s_triangles[i] = split ? i : corner;
	}
	return DefMesh( split ? 36 : 8, 12 );
}

static pnShapeDef DefTorus( double large, double small, int around, int across )
{
	for ( int i = 0; i < around; ++i )
	{
		for ( int k = 0; k < across; ++k )
		{
			double u = 6.283185307179586 * i / around, v = 6.283185307179586 * k / across;
			s_points[i * across + k] =
				pnMakeVec3( (float)( ( large + small * cos( v ) ) * cos( u ) ), (float)( small * sin( v ) ), (float)( ( large + small * cos( v ) ) * sin( u ) ) );
			int32_t a = i * across + k, b = ( i + 1 ) % around * across + k, c = i * across + ( k + 1 ) % across,
					d = ( i + 1 ) % around * across + ( k + 1 ) % across;
			memcpy( s_triangles + 6 * ( i * across + k ), ( int32_t[6] ){ a, c, b, b, c, d }, 6 * sizeof( int32_t ) );
		}
	}
	return DefMesh( around * across, 2 * around * across );
}

static float Hill( int x, int z, float spacing )
{
	double u = x * spacing, v = z * spacing;
	return (float)( 0.4 * sin( 1.7 * u ) * cos( 1.3 * v ) + 0.1 * sin( 9.0 * u + 4.0 * v ) + ( x == 7 && z == 5 ? 1.5 : 0.0 ) );
}

static pnShapeDef DefHeights( int countX, int countZ, float spacing )
{
	for ( int i = 0; i < countX * countZ; ++i )
	{
		s_heights[i] = Hill( i % countX, i / countX, spacing );
	}
	pnShapeDef def = MakeDef( pn_heightShape );
	def.heights = s_heights;
	def.heightCountX = countX;
	def.heightCountZ = countZ;
	def.heightSpacing = spacing;
	return def;
}

// The same hills as a mesh: an open surface.
static pnShapeDef DefOpenMesh( int countX, int countZ, float spacing )
{
	for ( int i = 0; i < countX * countZ; ++i )
	{
		s_points[i] = pnMakeVec3( (float)( i % countX ) * spacing, Hill( i % countX, i / countX, spacing ), (float)( i / countX ) * spacing );
	}
	int count = 0;
	for ( int z = 0; z + 1 < countZ; ++z )
	{
		for ( int x = 0; x + 1 < countX; ++x )
		{
			int32_t a = z * countX + x;
			memcpy( s_triangles + 3 * count, ( int32_t[6] ){ a, a + countX, a + countX + 1, a, a + countX + 1, a + 1 }, 6 * sizeof( int32_t ) );
			count += 2;
		}
	}
	return DefMesh( countX * countZ, count );
}

// A ring (torus), not convex: what a user might write.
static float RingDistance( pnVec3 place, pnVec3* outward, void* context )
{
	const double* radii = context;
	double flat = sqrt( (double)place.x * place.x + (double)place.z * place.z );
	double u = flat - radii[0], length = sqrt( u * u + (double)place.y * place.y );
	double inverse = length > 0.0 ? 1.0 / length : 0.0, across = flat > 0.0 ? u * inverse / flat : 0.0;
	*outward = pnMakeVec3( (float)( across * place.x ), (float)( place.y * inverse ), (float)( across * place.z ) );
	return (float)( length - radii[1] );
}

static double s_ring[2] = { 1.0, 0.3 };

static pnShapeDef DefRing( void )
{
	pnShapeDef def = MakeDef( pn_distanceShape );
	def.distance = RingDistance;
	def.context = s_ring;
	def.bounds = ( pnAABB ){ { -1.3f, -0.3f, -1.3f }, { 1.3f, 0.3f, 1.3f } };
	return def;
}

static pnForm* Make( const pnShapeDef* def )
{
	pnForm* form = NULL;
	ENSURE( pnCreateForm( def, &form ) == pn_success );
	ENSURE( form != NULL );
	return form;
}

// ---- distances ----

// Unit, finite, and the surface lies where distance and direction say.
static void CheckAnswer( const pnForm* form, pnVec3 place, double wanted, double tolerance )
{
	pnVec3 outward = { NAN, NAN, NAN };
	double distance = pnFormDistance( form, place, &outward );
	pnTestContext( "place %.9g %.9g %.9g", place.x, place.y, place.z );
	ENSURE_NEAR( distance, wanted, tolerance );
	ENSURE_NEAR( Length( From( outward ) ), 1.0, 1e-6 );
	pnVec3 ignored;
	pnVec3 foot = Float( Along( From( place ), -distance, From( outward ) ) );
	ENSURE_NEAR( pnFormDistance( form, foot, &ignored ), 0.0, 2.0 * tolerance );
	pnTestContext( "%s", "" );
}

static double BoxDistance( Vec p, Vec h )
{
	Vec clamped = V( fmax( -h.x, fmin( h.x, p.x ) ), fmax( -h.y, fmin( h.y, p.y ) ), fmax( -h.z, fmin( h.z, p.z ) ) );
	double outside = Length( Sub( p, clamped ) );
	double depth = fmin( h.x - fabs( p.x ), fmin( h.y - fabs( p.y ), h.z - fabs( p.z ) ) );
	return outside > 0.0 ? outside : -depth;
}

static void SimpleKindsAreExact( void )
{
	pnRandom random = pnSeed( 1 );
	pnShapeDef defs[4] = { MakeDef( pn_planeShape ), DefSphere( 0.7f ), DefCapsule( 0.3f, 0.6f ), DefBox( 0.5f, 0.25f, 1.0f ) };
	for ( int k = 0; k < 4; ++k )
	{
		pnForm* form = Make( defs + k );
		for ( int i = 0; i < 3000; ++i )
		{
			pnVec3 place = RandomPlace( &random, i % 3 == 0 ? 0.3 : 2.0 );
			Vec p = From( place );
			double wanted = k == 0	 ? p.y
							: k == 1 ? Length( p ) - (double)0.7f
							: k == 2 ? ToSegment( p, V( 0, -(double)0.6f, 0 ), V( 0, (double)0.6f, 0 ) ) - (double)0.3f
									 : BoxDistance( p, V( 0.5, 0.25, 1.0 ) );
			CheckAnswer( form, place, wanted, 4e-7 );
		}
		pnDestroyForm( form );
	}
}

static void EveryPlaceHasAnAnswer( void )
{
	for ( int i = 0; i < 40; ++i )
	{
		s_points[i] = Float( RandomDirection( &( pnRandom ){ 77u + (uint64_t)i * 12345u } ) );
	}
	pnForm* forms[8];
	pnShapeDef plane = MakeDef( pn_planeShape ), sphere = DefSphere( 1.0f ), capsule = DefCapsule( 1.0f, 2.0f ), box = DefBox( 1.0f, 1.0f, 1.0f ), hull = DefHull( 40 );
	forms[0] = Make( &plane ), forms[1] = Make( &sphere ), forms[2] = Make( &capsule ), forms[3] = Make( &box ), forms[4] = Make( &hull );
	pnShapeDef mesh = DefBoxMesh( 1.0f, 1.0f, 1.0f, true );
	forms[5] = Make( &mesh );
	pnShapeDef heights = DefHeights( 12, 10, 0.5f ), ring = DefRing();
	forms[6] = Make( &heights ), forms[7] = Make( &ring );
	static const float values[] = { 0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1e-30f, 1e-44f, -1e7f, 1e7f, 1e15f, -3e20f };
	for ( int k = 0; k < 8; ++k )
	{
		for ( int i = 0; i < 11 * 11 * 11; ++i )
		{
			pnVec3 place = { values[i % 11], values[i / 11 % 11], values[i / 121] };
			pnVec3 outward = { NAN, NAN, NAN };
			pnTestContext( "kind %d at %g %g %g", k, place.x, place.y, place.z );
			ENSURE( isfinite( pnFormDistance( forms[k], place, &outward ) ) );
			ENSURE_NEAR( Length( From( outward ) ), 1.0, 1e-5 );
		}
		pnDestroyForm( forms[k] );
	}
	pnTestContext( "%s", "" );
}

// ---- hulls ----

// All planes through three points that have no point on one side; and the triangles in them.
static double ToHullSlowly( Vec p, const pnVec3* points, int count )
{
	double highest = -INFINITY, nearest = INFINITY;
	for ( int a = 0; a < count; ++a )
	{
		for ( int b = 0; b < count; ++b )
		{
			for ( int c = a + 1; c < count; ++c )
			{
				if ( b <= a || b == c )
				{
					continue;
				}
				Vec pa = From( points[a] ), n = Cross( Sub( From( points[b] ), pa ), Sub( From( points[c] ), pa ) );
				double length = Length( n );
				bool outer = length > 1e-9;
				for ( int i = 0; outer && i < count; ++i )
				{
					outer = Dot( Sub( From( points[i] ), pa ), n ) <= 1e-9 * length;
				}
				if ( outer )
				{
					highest = fmax( highest, Dot( Sub( p, pa ), n ) / length );
					nearest = fmin( nearest, ToTriangle( p, pa, From( points[b] ), From( points[c] ) ) );
				}
			}
		}
	}
	return highest <= 0.0 ? highest : nearest;
}

static void SmallHullsAreExact( void )
{
	pnRandom random = pnSeed( 2 );
	for ( int round = 0; round < 12; ++round )
	{
		int count = 4 + 2 * round;
		for ( int i = 0; i < count; ++i )
		{
			s_points[i] = RandomPlace( &random, 1.0 );
		}
		if ( round == 3 ) // a box, with points on its edges and faces
		{
			for ( int i = 0; i < count; ++i )
			{
				s_points[i] = i < 8 ? pnMakeVec3( i & 1 ? 1.0f : -1.0f, i & 2 ? 0.5f : -0.5f, i & 4 ? 0.75f : -0.75f )
									: pnMakeVec3( i == 8 ? 0.5f : -1.0f, i == 8 ? 0.5f : 0.125f, 0.75f );
			}
		}
		pnShapeDef def = DefHull( count );
		pnForm* form = Make( &def );
		for ( int i = 0; i < 150; ++i )
		{
			pnVec3 place = RandomPlace( &random, i % 2 == 0 ? 0.8 : 3.0 );
			CheckAnswer( form, place, ToHullSlowly( From( place ), s_points, count ), 1e-6 );
		}
		pnDestroyForm( form );
	}
}

static double Support( Vec u, const pnVec3* points, int count )
{
	double highest = -INFINITY;
	for ( int i = 0; i < count; ++i )
	{
		highest = fmax( highest, Dot( u, From( points[i] ) ) );
	}
	return highest;
}

// The distance from a convex thing is the largest of u . p - support( u ) over all unit u, inside as outside; the direction
// outward is the u that reaches it. So one number proves that it is not too large, and no u may prove it too small.
static void CheckHull( int count, double size, double tolerance, pnRandom* random )
{
	pnShapeDef def = DefHull( count );
	pnForm* form = Make( &def );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 ignored;
		ENSURE_MOST( pnFormDistance( form, s_points[i], &ignored ), tolerance );
	}
	for ( int i = 0; i < 300; ++i )
	{
		pnVec3 place = RandomPlace( random, size * ( i % 2 == 0 ? 0.8 : 2.0 ) );
		pnVec3 outward;
		double distance = pnFormDistance( form, place, &outward );
		pnTestContext( "hull of %d at %.9g %.9g %.9g", count, place.x, place.y, place.z );
		ENSURE_NEAR( Length( From( outward ) ), 1.0, 1e-6 );
		ENSURE_NEAR( Dot( From( outward ), From( place ) ) - Support( From( outward ), s_points, count ), distance, tolerance );
		for ( int k = 0; k < 20; ++k )
		{
			Vec u = RandomDirection( random );
			u = k < 10 ? Along( From( outward ), 0.2, u ) : u;
			u = Along( V( 0, 0, 0 ), 1.0 / Length( u ), u );
			ENSURE_MOST( Dot( u, From( place ) ) - Support( u, s_points, count ), distance + tolerance );
		}
	}
	pnTestContext( "%s", "" );
	pnDestroyForm( form );
}

static void LargeHullsAreExact( void )
{
	pnRandom random = pnSeed( 3 );
	for ( int i = 0; i < 2000; ++i )
	{
		s_points[i] = Float( RandomDirection( &random ) );
	}
	CheckHull( 2000, 1.0, 2e-6, &random );
	for ( int i = 0; i < 2000; ++i ) // few of them on the hull
	{
		s_points[i] = RandomPlace( &random, 1.0 );
	}
	CheckHull( 2000, 1.0, 2e-6, &random );
	for ( int i = 0; i < 1000; ++i ) // a lattice: all that can lie in planes and lines does
	{
		s_points[i] = pnMakeVec3( (float)( i % 10 ) * 0.1f, (float)( i / 10 % 10 ) * 0.1f, (float)( i / 100 ) * 0.1f );
	}
	CheckHull( 1000, 1.0, 2e-6, &random );
	Vec x = V( 0.6, 0.64, 0.48 ), y = V( -0.8, 0.48, 0.36 ), z = V( 0.0, -0.6, 0.8 ); // and turned, so that it nearly does
	for ( int i = 0; i < 1000; ++i )
	{
		s_points[i] = Float( Along( Along( Along( V( 0, 0, 0 ), i % 10 * 0.1, x ), i / 10 % 10 * 0.1, y ), i / 100 * 0.1, z ) );
	}
	CheckHull( 1000, 1.0, 2e-6, &random );
	for ( int i = 0; i < 400; ++i ) // a round plate, a thousandth as thick, far from the origin
	{
		double angle = 6.283185307179586 * ( i / 2 ) / 200.0;
		s_points[i] = pnMakeVec3( (float)( 100.0 + cos( angle ) ), i % 2 == 0 ? 50.0f : 50.001f, (float)sin( angle ) );
	}
	CheckHull( 400, 100.0, 6e-5, &random ); // floats this far out
	for ( int i = 0; i < 200; ++i ) // a needle
	{
		s_points[i] = Float( V( pnRandomIn( &random, -1.0, 1.0 ), pnRandomIn( &random, -1e-4, 1e-4 ), pnRandomIn( &random, -1e-4, 1e-4 ) ) );
	}
	CheckHull( 200, 1.0, 2e-6, &random );
}

// Few places, so that most points coincide or lie in planes and lines; sheared or shaken by what floats round.
static void CrampedHullsAreExact( void )
{
	pnRandom random = pnSeed( 40 );
	int flatCount = 0;
	for ( int round = 0; round < 3000; ++round )
	{
		int count = 4 + pnRandomInt( &random, 60 ), places = 2 + pnRandomInt( &random, 4 ), mode = round % 4;
		Vec x = RandomDirection( &random ), y = RandomDirection( &random ), z = RandomDirection( &random );
		for ( int i = 0; i < count; ++i )
		{
			Vec p = V( pnRandomInt( &random, places ), pnRandomInt( &random, places ), pnRandomInt( &random, places ) );
			Vec sheared = Along( Along( Along( V( 0, 0, 0 ), p.x, x ), p.y, y ), p.z, z );
			Vec shaken = Along( p, 1e-6, RandomDirection( &random ) );
			s_points[i] = Float( mode == 0 ? p : mode == 1 ? sheared : mode == 2 ? shaken : V( p.x, 1e-4 * p.y, p.z ) );
		}
		pnShapeDef def = DefHull( count );
		pnForm* form = NULL;
		if ( pnCreateForm( &def, &form ) != pn_success )
		{
			flatCount += 1;
			continue;
		}
		for ( int i = 0; i < count + 10; ++i )
		{
			pnVec3 place = i < count ? s_points[i] : RandomPlace( &random, 5.0 ), outward;
			double distance = pnFormDistance( form, place, &outward );
			pnTestContext( "round %d at %.9g %.9g %.9g", round, place.x, place.y, place.z );
			ENSURE_NEAR( Dot( From( outward ), From( place ) ) - Support( From( outward ), s_points, count ), distance, 4e-6 );
			ENSURE( i >= count || distance < 2e-6 );
		}
		pnDestroyForm( form );
	}
	pnTestContext( "%s", "" );
	ENSURE( flatCount < 150 );
}

// ---- meshes ----

static void CheckMesh( const pnShapeDef* def, double size, int tries, bool closed, pnRandom* random )
{
	pnForm* form = Make( def );
	for ( int i = 0; i < tries; ++i )
	{
		pnVec3 place = RandomPlace( random, size );
		if ( i % 3 == 0 ) // near the surface, or on it
		{
			const int32_t* t = def->triangles + 3 * pnRandomInt( random, def->triangleCount );
			double u = i % 2 == 0 ? pnRandomIn( random, 0.0, 1.0 ) : 0.0, v = pnRandomIn( random, 0.0, 1.0 - u );
			Vec a = From( def->points[t[0]] );
			Vec on = Along( Along( a, u, Sub( From( def->points[t[1]] ), a ) ), v, Sub( From( def->points[t[2]] ), a ) );
			place = Float( Along( on, i % 4 == 0 ? 0.01 : 1e-4, RandomDirection( random ) ) );
		}
		double wanted = ToMesh( From( place ), def->points, def->triangles, def->triangleCount );
		pnVec3 outward;
		double distance = pnFormDistance( form, place, &outward );
		if ( closed && wanted > 1e-6 )
		{
			wanted = Winding( From( place ), def->points, def->triangles, def->triangleCount ) > 0.5 ? -wanted : wanted;
			CheckAnswer( form, place, wanted, 1e-6 );
		}
		else
		{
			CheckAnswer( form, place, distance < 0.0 ? -wanted : wanted, 1e-6 );
		}
	}
	pnDestroyForm( form );
}

static void MeshesAreExact( void )
{
	pnRandom random = pnSeed( 4 );
	pnShapeDef def = DefBoxMesh( 0.5f, 0.25f, 1.0f, false );
	CheckMesh( &def, 2.0, 1500, true, &random );
	def = DefBoxMesh( 0.5f, 0.25f, 1.0f, true );
	CheckMesh( &def, 2.0, 1500, true, &random );
	def = DefTorus( 1.0, 0.4, 24, 12 );
	CheckMesh( &def, 1.6, 1500, true, &random );
	// a star: spikes inward and outward, needles
	def = DefTorus( 1.0, 0.4, 24, 12 );
	for ( int i = 0; i < 288; ++i )
	{
		float s = i % 5 == 0 ? 1.6f : i % 7 == 0 ? 0.9f : 1.0f;
		s_points[i] = pnMakeVec3( s_points[i].x, s * s_points[i].y, s_points[i].z );
	}
	CheckMesh( &def, 1.6, 1500, true, &random );
	def = DefOpenMesh( 20, 15, 0.25f );
	CheckMesh( &def, 5.0, 1500, false, &random );
	// triangles without area are nothing
	def = DefBoxMesh( 0.5f, 0.25f, 1.0f, false );
	memcpy( s_triangles + 36, ( int32_t[6] ){ 0, 0, 1, 7, 7, 7 }, 6 * sizeof( int32_t ) );
	def.triangleCount = 14;
	CheckMesh( &def, 2.0, 500, true, &random );
	// all in one place as far as bins can tell: the tree falls back on halving
	for ( int i = 0; i < 300; ++i )
	{
		s_points[i] = i % 3 == 0 ? pnMakeVec3( 0.0f, 0.0f, 0.0f ) : i % 3 == 1 ? pnMakeVec3( 1.0f, 0.0f, 0.0f ) : pnMakeVec3( 0.0f, 0.0f, 1.0f );
		s_triangles[i] = i;
	}
	def = DefMesh( 300, 100 );
	CheckMesh( &def, 2.0, 100, false, &random );
}

// An open surface has the side of its triangles: outside is where they turn counterclockwise.
static void OpenMeshesHaveSides( void )
{
	s_points[0] = pnMakeVec3( -1.0f, 0.0f, -1.0f ), s_points[1] = pnMakeVec3( -1.0f, 0.0f, 1.0f );
	s_points[2] = pnMakeVec3( 1.0f, 0.0f, 1.0f ), s_points[3] = pnMakeVec3( 1.0f, 0.0f, -1.0f );
	memcpy( s_triangles, ( int32_t[6] ){ 0, 1, 2, 0, 2, 3 }, 6 * sizeof( int32_t ) );
	pnShapeDef def = DefMesh( 4, 2 );
	pnForm* form = Make( &def );
	pnVec3 outward;
	ENSURE_NEAR( pnFormDistance( form, pnMakeVec3( 0.2f, 0.5f, 0.2f ), &outward ), 0.5, 1e-7 );
	ENSURE( outward.y == 1.0f );
	ENSURE_NEAR( pnFormDistance( form, pnMakeVec3( 0.2f, -0.5f, 0.1f ), &outward ), -0.5, 1e-7 );
	ENSURE( outward.y == 1.0f );
	ENSURE_NEAR( pnFormDistance( form, pnMakeVec3( 0.0f, 0.0f, 0.0f ), &outward ), 0.0, 1e-7 );
	ENSURE( outward.y == 1.0f );
	pnDestroyForm( form );
}

// ---- heights ----

static double ToHeights( const pnShapeDef* def, Vec p )
{
	double best = INFINITY, s = def->heightSpacing;
	bool below = false;
	for ( int z = 0; z + 1 < def->heightCountZ; ++z )
	{
		for ( int x = 0; x + 1 < def->heightCountX; ++x )
		{
			const float* h = def->heights + z * def->heightCountX + x;
			Vec a = V( x * s, h[0], z * s ), b = V( ( x + 1 ) * s, h[1], z * s );
			Vec c = V( x * s, h[def->heightCountX], ( z + 1 ) * s ), d = V( ( x + 1 ) * s, h[def->heightCountX + 1], ( z + 1 ) * s );
			best = fmin( best, fmin( ToTriangle( p, a, c, d ), ToTriangle( p, a, d, b ) ) );
			double u = p.x / s - x, v = p.z / s - z;
			if ( u >= 0.0 && u <= 1.0 && v >= 0.0 && v <= 1.0 )
			{
				double height = u < v ? a.y + v * ( c.y - a.y ) + u * ( d.y - c.y ) : a.y + u * ( b.y - a.y ) + v * ( d.y - b.y );
				below = p.y < height;
			}
		}
	}
	return below ? -best : best;
}

static void HeightsAreExact( void )
{
	pnRandom random = pnSeed( 5 );
	static const struct { int x, z; float spacing; } grids[] = { { 2, 2, 1.0f }, { 40, 30, 0.1f }, { 3, 50, 0.1f }, { 23, 17, 0.25f } };
	for ( int k = 0; k < 4; ++k )
	{
		pnShapeDef def = DefHeights( grids[k].x, grids[k].z, grids[k].spacing );
		pnForm* form = Make( &def );
		double sizeX = ( grids[k].x - 1 ) * grids[k].spacing, sizeZ = ( grids[k].z - 1 ) * grids[k].spacing;
		for ( int i = 0; i < 700; ++i )
		{
			double margin = i % 4 == 0 ? 1.0 : 0.0;
			double x = pnRandomIn( &random, -margin, sizeX + margin ), z = pnRandomIn( &random, -margin, sizeZ + margin );
			double y = i % 2 == 0 ? pnRandomIn( &random, -0.6, 0.8 ) : pnRandomIn( &random, -6.0, 9.0 ); // far above, deep below
			pnVec3 place = pnMakeVec3( (float)x, (float)y, (float)z );
			double wanted = ToHeights( &def, From( place ) );
			pnVec3 outward;
			pnTestContext( "grid %d at %.9g %.9g %.9g", k, place.x, place.y, place.z );
			ENSURE_NEAR( pnFormDistance( form, place, &outward ), wanted, 2e-6 );
			ENSURE_NEAR( Length( From( outward ) ), 1.0, 1e-6 );
			ENSURE_NEAR( fabs( ToHeights( &def, Along( From( place ), -wanted, From( outward ) ) ) ), 0.0, 4e-6 );
		}
		pnTestContext( "%s", "" );
		pnDestroyForm( form );
	}
}

// A quick look that says nothing is in reach is right about distances, about which side all places in reach are on, and about ways within it.
static void BeyondReachIsNothing( void )
{
	pnRandom random = pnSeed( 11 );
	static const struct { int x, z; float spacing; } grids[] = { { 2, 2, 1.0f }, { 12, 10, 0.5f }, { 3, 20, 0.1f }, { 23, 17, 0.25f } };
	int told = 0, asked = 0;
	for ( int k = 0; k < 4; ++k )
	{
		pnShapeDef def = DefHeights( grids[k].x, grids[k].z, grids[k].spacing );
		for ( int i = 0; i < grids[k].x * grids[k].z && k != 1; ++i ) // steeper than the hills, and rough
		{
			s_heights[i] += (float)( grids[k].spacing * pnRandomIn( &random, -0.5, 0.5 ) );
		}
		pnForm* form = Make( &def );
		double sizeX = ( grids[k].x - 1 ) * grids[k].spacing, sizeZ = ( grids[k].z - 1 ) * grids[k].spacing;
		for ( int i = 0; i < 1500; ++i )
		{
			double margin = i % 4 == 0 ? 0.3 : 0.0, reach = pnRandomIn( &random, 0.0, i % 2 == 0 ? 0.05 : 0.5 );
			Vec at = V( pnRandomIn( &random, -margin, sizeX + margin ), pnRandomIn( &random, -0.6, 1.5 ), pnRandomIn( &random, -margin, sizeZ + margin ) );
			pnVec3 place = Float( at ), outward;
			asked += 1;
			pnTestContext( "grid %d at %.9g %.9g %.9g, reach %.9g", k, place.x, place.y, place.z, reach );
			if ( !pnIsFormBeyond( form, place, (float)reach ) )
			{
				continue;
			}
			told += 1;
			ENSURE_MOST( reach - ToHeights( &def, From( place ) ), 0.0 );
			for ( int n = 0; n < 4; ++n )
			{
				pnVec3 start = Float( Along( From( place ), 0.7 * reach, From( RandomPlace( &random, 1.0 ) ) ) );
				double length = Length( Along( From( start ), -1.0, From( place ) ) );
				if ( length < reach )
				{
					ENSURE_MOST( -ToHeights( &def, From( start ) ), 0.0 );
					ENSURE( pnFormSweep( form, start, place, (float)( reach - length ), &outward ) == 2.0f );
				}
			}
		}
		pnTestContext( "%s", "" );
		pnDestroyForm( form );
	}
	pnTestNote( "%d of %d", told, asked );
	ENSURE( told > asked / 10 );
}

// ---- sweeps ----

// From outside: the fraction found must be where fine steps first come near enough.
static void CheckSweeps( const pnShapeDef* def, double size, Vec middle, bool open, int tries, uint64_t seed )
{
	enum { steps = 2000 };
	pnRandom random = pnSeed( seed );
	pnForm* form = Make( def );
	int hits = 0, misses = 0;
	for ( int i = 0; i < tries; ++i )
	{
		pnVec3 from = Float( Along( From( RandomPlace( &random, size ) ), 1.0, middle ) ), to = Float( Along( From( RandomPlace( &random, size ) ), 1.0, middle ) );
		float radius = i % 3 == 0 ? 0.0f : (float)pnRandomIn( &random, 0.001, 0.2 );
		pnVec3 outward = { NAN, NAN, NAN }, ignored;
		double start = pnFormDistance( form, from, &ignored );
		if ( ( open ? fabs( start ) : start ) <= (double)radius )
		{
			continue;
		}
		double fraction = pnFormSweep( form, from, to, radius, &outward );
		Vec way = Sub( From( to ), From( from ) );
		double length = Length( way ), first = 2.0, before = start;
		double lowest = open ? fabs( start ) : start; // the nearest it ever comes
		for ( int k = 1; k <= steps && first > 1.0; ++k )
		{
			double signedDistance = pnFormDistance( form, Float( Along( From( from ), (double)k / steps, way ) ), &ignored );
			double distance = open ? fabs( signedDistance ) : signedDistance;
			// A change of side within a step is a crossing, unless it went around the edge.
			bool crossed = open && signedDistance * before < 0.0 && distance + fabs( before ) < 1.01 * length / steps;
			first = distance <= (double)radius || crossed ? (double)k / steps : first;
			lowest = fmin( lowest, distance );
			before = signedDistance;
		}
		pnTestContext( "seed %llu try %d radius %g from %.9g %.9g %.9g to %.9g %.9g %.9g: sampled %g", (unsigned long long)seed, i, radius, from.x, from.y, from.z, to.x,
					   to.y, to.z, first );
		if ( first > 1.0 )
		{
			misses += 1;
			// between two samples it may have touched, if barely
			ENSURE( fraction == 2.0 || lowest <= radius + 0.6 * length / steps );
			continue;
		}
		hits += 1;
		if ( first == 1.0 && fraction == 2.0 )
		{
			continue; // at the very end, to rounding
		}
		ENSURE( fraction <= first + 1e-6 );
		// there it touches, and not before
		pnVec3 there = Float( Along( From( from ), fraction, way ) );
		double touch = fabs( pnFormDistance( form, there, &ignored ) );
		ENSURE_NEAR( touch, radius, 2e-5 );
		ENSURE_NEAR( Length( From( outward ) ), 1.0, 1e-5 );
		ENSURE( Dot( From( outward ), way ) < 0.0 );
		for ( int k = 0; k < 50; ++k )
		{
			double distance = pnFormDistance( form, Float( Along( From( from ), fraction * k / 50.0, way ) ), &ignored );
			ENSURE( ( open ? fabs( distance ) : distance ) >= radius - 2e-5 );
		}
	}
	pnTestContext( "%s", "" );
	ENSURE( hits > tries / 50 && misses > tries / 50 );
	pnDestroyForm( form );
}

static void SweepsFindTheFirstTouch( void )
{
	pnRandom random = pnSeed( 6 );
	pnShapeDef def = MakeDef( pn_planeShape );
	CheckSweeps( &def, 1.0, V( 0, 0.3, 0 ), false, 200, 10 );
	def = DefSphere( 0.6f );
	CheckSweeps( &def, 1.5, V( 0, 0, 0 ), false, 300, 11 );
	def = DefCapsule( 0.3f, 0.5f );
	CheckSweeps( &def, 1.5, V( 0, 0, 0 ), false, 300, 12 );
	def = DefBox( 0.5f, 0.05f, 0.8f );
	CheckSweeps( &def, 1.2, V( 0, 0, 0 ), false, 300, 13 );
	for ( int i = 0; i < 600; ++i )
	{
		s_points[i] = RandomPlace( &random, 0.7 );
	}
	def = DefHull( 14 );
	CheckSweeps( &def, 1.5, V( 0, 0, 0 ), false, 300, 14 );
	for ( int i = 0; i < 600; ++i )
	{
		s_points[i] = Float( RandomDirection( &random ) );
	}
	def = DefHull( 600 );
	CheckSweeps( &def, 2.0, V( 0, 0, 0 ), false, 200, 15 );
	def = DefTorus( 1.0, 0.4, 24, 12 );
	CheckSweeps( &def, 1.8, V( 0, 0, 0 ), false, 200, 16 );
	def = DefOpenMesh( 12, 12, 0.2f );
	CheckSweeps( &def, 1.5, V( 1.1, 0, 1.1 ), true, 200, 17 );
	def = DefHeights( 30, 30, 0.1f );
	CheckSweeps( &def, 1.4, V( 1.45, 0.8, 1.45 ), false, 200, 18 );
	def = DefRing();
	CheckSweeps( &def, 1.5, V( 0, 0, 0 ), false, 300, 19 );
}

// Touching at the start: away is free, inward is a hit at once, along is free.
static void TouchingAtTheStart( void )
{
	pnShapeDef box = DefBox( 1.0f, 1.0f, 1.0f ), plane = MakeDef( pn_planeShape ), ring = DefRing();
	pnVec3 outward;
	pnForm* forms[4];
	forms[0] = Make( &box );
	pnShapeDef mesh = DefBoxMesh( 1.0f, 1.0f, 1.0f, true );
	forms[1] = Make( &mesh );
	for ( int i = 0; i < 8; ++i )
	{
		s_points[i] = pnMakeVec3( i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f );
	}
	pnShapeDef hull = DefHull( 8 );
	forms[2] = Make( &hull );
	forms[3] = Make( &plane );
	for ( int k = 0; k < 4; ++k )
	{
		pnTestContext( "form %d", k );
		float top = k == 3 ? 0.0f : 1.0f;
		for ( int depth = 0; depth < 5; ++depth )
		{
			// from just touching, by the surface, to deep inside
			static const float heights[] = { 0.1f, 0.05f, 0.0f, -0.05f, -0.3f };
			pnVec3 from = { 0.1f, top + heights[depth], 0.2f };
			pnTestContext( "form %d, %g above", k, heights[depth] );
			ENSURE( pnFormSweep( forms[k], from, pnMakeVec3( 0.1f, top + 2.0f, 0.2f ), 0.1f, &outward ) == 2.0f );
			ENSURE( pnFormSweep( forms[k], from, pnMakeVec3( 0.1f, top - 0.9f, 0.2f ), 0.1f, &outward ) == 0.0f );
			ENSURE_NEAR( outward.y, 1.0, 1e-6 );
			ENSURE( pnFormSweep( forms[k], from, pnMakeVec3( -0.7f, top + heights[depth], 0.2f ), 0.1f, &outward ) == 2.0f );
			ENSURE( pnFormSweep( forms[k], from, from, 0.1f, &outward ) == 2.0f );
		}
		pnDestroyForm( forms[k] );
	}
	pnForm* form = Make( &ring );
	ENSURE( pnFormSweep( form, pnMakeVec3( 1.0f, 0.35f, 0.0f ), pnMakeVec3( 1.0f, 2.0f, 0.0f ), 0.1f, &outward ) == 2.0f );
	ENSURE( pnFormSweep( form, pnMakeVec3( 1.0f, 0.35f, 0.0f ), pnMakeVec3( 1.0f, -2.0f, 0.0f ), 0.1f, &outward ) == 0.0f );
	ENSURE( pnFormSweep( form, pnMakeVec3( 1.0f, 0.2f, 0.0f ), pnMakeVec3( 1.0f, 2.0f, 0.0f ), 0.1f, &outward ) == 2.0f );
	// out of one side of the ring, through the hole, onto the other
	ENSURE_NEAR( pnFormSweep( form, pnMakeVec3( 0.9f, 0.0f, 0.0f ), pnMakeVec3( -0.9f, 0.0f, 0.0f ), 0.1f, &outward ), 1.6 / 1.8, 0.07 );
	pnDestroyForm( form );
	pnTestContext( "%s", "" );
}

static void NothingIsTunnelledThrough( void )
{
	pnRandom random = pnSeed( 7 );
	pnShapeDef def = DefBox( 1.0f, 0.0025f, 1.0f );
	pnForm* forms[4];
	forms[0] = Make( &def );
	def = DefBoxMesh( 1.0f, 0.0025f, 1.0f, false );
	forms[1] = Make( &def );
	def = DefHull( 8 );
	forms[2] = Make( &def );
	s_points[0] = pnMakeVec3( -1.0f, 0.0f, -1.0f ), s_points[1] = pnMakeVec3( -1.0f, 0.0f, 1.0f );
	s_points[2] = pnMakeVec3( 1.0f, 0.0f, 1.0f ), s_points[3] = pnMakeVec3( 1.0f, 0.0f, -1.0f );
	memcpy( s_triangles, ( int32_t[6] ){ 0, 1, 2, 0, 2, 3 }, 6 * sizeof( int32_t ) );
	def = DefMesh( 4, 2 );
	forms[3] = Make( &def );
	for ( int k = 0; k < 4; ++k )
	{
		double half = k == 3 ? 0.0 : 0.0025;
		for ( int i = 0; i < 2000; ++i )
		{
			// a millimetre of ball, from millimetres to kilometres of way, at any slope, from both sides
			double side = i % 2 == 0 ? 1.0 : -1.0, reach = i % 5 == 0 ? 1e4 : i % 3 == 0 ? 1e-2 : 1.0;
			float radius = i % 7 == 0 ? 0.0f : 0.001f;
			Vec through = V( pnRandomIn( &random, -0.8, 0.8 ), 0.0, pnRandomIn( &random, -0.8, 0.8 ) ); // not by the rim
			through = i % 11 == 0 ? V( through.x, 0.0, through.x ) : through; // along the diagonal the triangles share
			Vec slope = RandomDirection( &random );
			slope.y = side * ( fabs( slope.y ) + 0.02 );
			pnVec3 from = Float( Along( through, reach / fabs( slope.y ), slope ) ), to = Float( Along( through, -reach / fabs( slope.y ), slope ) );
			pnVec3 outward = { 0.0f, 0.0f, 0.0f };
			double fraction = pnFormSweep( forms[k], from, to, radius, &outward );
			pnTestContext( "form %d try %d", k, i );
			ENSURE( fraction < 0.5 + 1e-6 );
			ENSURE( side * outward.y > 0.0 );
			if ( reach <= 1.0 )
			{
				double y = (double)from.y + fraction * ( (double)to.y - (double)from.y );
				ENSURE_NEAR( side * y, half + (double)radius, 1e-6 );
			}
		}
		pnDestroyForm( forms[k] );
	}
	pnTestContext( "%s", "" );
}

// What a ball lies on does not stop it, whatever triangles it is made of; a wall does.
static void SlidingIsFree( void )
{
	pnRandom random = pnSeed( 8 );
	enum { count = 30 };
	for ( int i = 0; i < count * count; ++i )
	{
		s_heights[i] = i % count < 20 ? 0.0f : 2.0f;
	}
	pnShapeDef def = MakeDef( pn_heightShape );
	def.heights = s_heights;
	def.heightCountX = def.heightCountZ = count;
	def.heightSpacing = 0.1f;
	pnForm* forms[2];
	forms[0] = Make( &def );
	def = DefOpenMesh( count, count, 0.1f );
	for ( int i = 0; i < count * count; ++i )
	{
		s_points[i].y = s_heights[i];
	}
	forms[1] = Make( &def );
	for ( int k = 0; k < 2; ++k )
	{
		for ( int i = 0; i < 500; ++i )
		{
			float height = i % 3 == 0 ? 0.05f : i % 3 == 1 ? 0.02f : 0.0f;
			pnVec3 from = { (float)pnRandomIn( &random, 0.2, 1.7 ), height, (float)pnRandomIn( &random, 0.2, 2.7 ) };
			pnVec3 to = { (float)pnRandomIn( &random, 0.2, 1.7 ), height, (float)pnRandomIn( &random, 0.2, 2.7 ) };
			pnVec3 outward;
			pnTestContext( "form %d try %d height %g", k, i, height );
			ENSURE( pnFormSweep( forms[k], from, to, 0.05f, &outward ) == 2.0f );
			to.x = 2.5f;
			to.z = from.z;
			double fraction = pnFormSweep( forms[k], from, to, 0.05f, &outward );
			double x = (double)from.x + fraction * ( 2.5 - (double)from.x );
			ENSURE( fraction <= 1.0 && x <= 1.901 + 0.05 * (double)height && x >= 1.84 );
			ENSURE( outward.x < -0.9f );
		}
		pnDestroyForm( forms[k] );
	}
	pnTestContext( "%s", "" );
}

// ---- bounds, copies, bits ----

static int MakeZoo( pnForm** forms )
{
	int count = 0;
	pnRandom random = pnSeed( 9 );
	pnShapeDef defs[5] = { MakeDef( pn_planeShape ), DefSphere( 0.7f ), DefCapsule( 0.3f, 0.6f ), DefBox( 0.5f, 0.25f, 1.0f ), DefRing() };
	for ( int i = 0; i < 5; ++i )
	{
		forms[count++] = Make( defs + i );
	}
	for ( int i = 0; i < 500; ++i )
	{
		s_points[i] = i < 20 ? RandomPlace( &random, 1.0 ) : pnMakeVec3( (float)( i % 8 ) * 0.1f, (float)( i / 8 % 8 ) * 0.1f, (float)( i / 64 ) * 0.1f );
	}
	pnShapeDef def = DefHull( 20 );
	forms[count++] = Make( &def );
	def = DefHull( 500 );
	forms[count++] = Make( &def );
	for ( int i = 0; i < 500; ++i )
	{
		s_points[i] = Float( RandomDirection( &random ) );
	}
	forms[count++] = Make( &def );
	def = DefTorus( 1.0, 0.4, 24, 12 );
	forms[count++] = Make( &def );
	def = DefOpenMesh( 12, 12, 0.2f );
	forms[count++] = Make( &def );
	def = DefHeights( 30, 20, 0.1f );
	forms[count++] = Make( &def );
	return count;
}

static uint64_t HashAnswers( const pnForm* form, uint64_t hash )
{
	pnRandom random = pnSeed( 20 );
	for ( int i = 0; i < 500; ++i )
	{
		pnVec3 place = RandomPlace( &random, i % 2 == 0 ? 0.5 : 2.0 ), to = RandomPlace( &random, 2.0 );
		struct { pnVec3 outward, met; float distance, fraction; } answer;
		memset( &answer, 0, sizeof( answer ) );
		answer.distance = pnFormDistance( form, place, &answer.outward );
		answer.fraction = pnFormSweep( form, place, to, i % 3 == 0 ? 0.0f : 0.05f, &answer.met );
		if ( answer.fraction == 2.0f )
		{
			answer.met = pnMakeVec3( 0.0f, 0.0f, 0.0f );
		}
		hash = pnHash( hash, &answer, sizeof( answer ) );
	}
	return hash;
}

static void CopiesGiveTheSameBits( void )
{
	pnForm* forms[16];
	int count = MakeZoo( forms );
	for ( int i = 0; i < count; ++i )
	{
		pnShapeDef def = MakeDef( pn_planeShape );
		def.points = (const pnVec3*)&def; // all of these are to be overwritten
		def.pointCount = def.triangleCount = def.heightCountX = -1;
		pnDescribeForm( forms[i], &def );
		pnTestContext( "form %d, kind %d", i, (int)def.kind );
		pnForm* copy = Make( &def );
		ENSURE( HashAnswers( copy, PN_HASH_SEED ) == HashAnswers( forms[i], PN_HASH_SEED ) );
		pnShapeDef again = MakeDef( pn_planeShape );
		pnDescribeForm( copy, &again );
		ENSURE( again.pointCount == def.pointCount && again.triangleCount == def.triangleCount );
		ENSURE( def.pointCount == 0 || memcmp( again.points, def.points, sizeof( pnVec3 ) * (size_t)def.pointCount ) == 0 );
		ENSURE( pnGetFormBytes( copy ) == pnGetFormBytes( forms[i] ) );
		pnDestroyForm( copy );
		pnDestroyForm( forms[i] );
	}
	pnTestContext( "%s", "" );
	ENSURE( pnGetByteCount() == 0 );
}

// Held to a number: all that is made without sin and cos, whose last bits differ from libm to libm.
static void AnswersAreTheSameBitsEverywhere( void )
{
	pnForm* forms[16];
	int count = MakeZoo( forms );
	uint64_t hash = PN_HASH_SEED;
	for ( int i = 0; i < count; ++i )
	{
		hash = i < 8 ? HashAnswers( forms[i], hash ) : hash;
		pnDestroyForm( forms[i] );
	}
	pnShapeDef def = DefBoxMesh( 0.5f, 0.25f, 1.0f, true );
	pnForm* form = Make( &def );
	hash = HashAnswers( form, hash );
	pnDestroyForm( form );
	pnRandom random = pnSeed( 21 );
	for ( int i = 0; i < 400; ++i )
	{
		s_heights[i] = (float)pnRandomIn( &random, -0.2, 0.2 );
	}
	def = MakeDef( pn_heightShape );
	def.heights = s_heights;
	def.heightCountX = def.heightCountZ = 20;
	def.heightSpacing = 0.1f;
	form = Make( &def );
	hash = HashAnswers( form, hash );
	pnDestroyForm( form );
	pnTestContext( "hash %016llx", (unsigned long long)hash );
	ENSURE( hash == 0xd8b7022759ce31beull );
	pnTestContext( "%s", "" );
}

static void BoundsHoldTheForm( void )
{
	pnForm* forms[16];
	int count = MakeZoo( forms );
	pnRandom random = pnSeed( 22 );
	for ( int i = 0; i < count; ++i )
	{
		for ( int round = 0; round < 20; ++round )
		{
			Vec axis = RandomDirection( &random );
			double angle = pnRandomIn( &random, 0.0, 3.0 );
			pnTransform transform = { RandomPlace( &random, round % 2 == 0 ? 3.0 : 1e4 ), { 0.0f, 0.0f, 0.0f, 1.0f } };
			if ( round > 2 )
			{
				transform.q = ( pnQuat ){ (float)( axis.x * sin( angle ) ), (float)( axis.y * sin( angle ) ), (float)( axis.z * sin( angle ) ), (float)cos( angle ) };
			}
			pnAABB bounds = pnGetFormBounds( forms[i], transform );
			pnTestContext( "form %d round %d", i, round );
			for ( int k = 0; k < 60; ++k )
			{
				pnVec3 outward, place = RandomPlace( &random, 2.0 );
				double distance = pnFormDistance( forms[i], place, &outward );
				pnVec3 foot = pnTransformPoint( transform, Float( Along( From( place ), -distance, From( outward ) ) ) );
				ENSURE( foot.x >= bounds.lower.x && foot.y >= bounds.lower.y && foot.z >= bounds.lower.z );
				ENSURE( foot.x <= bounds.upper.x && foot.y <= bounds.upper.y && foot.z <= bounds.upper.z );
			}
			if ( i == 1 )
			{
				ENSURE_NEAR( (double)bounds.upper.x - (double)bounds.lower.x, 1.4, round % 2 == 0 ? 1e-4 : 0.1 );
			}
		}
		pnDestroyForm( forms[i] );
	}
	pnTestContext( "%s", "" );
}

// ---- refusals ----

static char s_log[1024];
static void HearLog( const char* message ) { strncpy( s_log, message, sizeof( s_log ) - 1 ); }

static void Refused( const pnShapeDef* def, const char* word, int line )
{
	memset( s_log, 0, sizeof( s_log ) );
	int64_t bytes = pnGetByteCount();
	pnForm* form = (pnForm*)s_log; // must be overwritten
	pnResult result = pnCreateForm( def, &form );
	pnTestContext( "line %d: '%s', wanted '%s'", line, s_log, word );
	ENSURE( result == pn_invalidInput );
	ENSURE( form == NULL );
	ENSURE( strstr( s_log, "pnCreateShape: " ) == s_log );
	ENSURE( strstr( s_log, word ) != NULL );
	ENSURE( pnGetByteCount() == bytes );
	pnTestContext( "%s", "" );
}

#define REFUSED( WORD ) Refused( &bad, WORD, __LINE__ )
#define REFUSE_WITH( DEF, CHANGE, WORD ) \
	do \
	{ \
		pnShapeDef bad = ( DEF ); \
		CHANGE; \
		REFUSED( WORD ); \
	} while ( 0 )

static void BadDefsAreRefused( void )
{
	static const float wrong[3] = { NAN, INFINITY, -INFINITY };
	pnSetLogFcn( HearLog );
	pnShapeDef plane = MakeDef( pn_planeShape ), sphere = DefSphere( 1.0f ), capsule = DefCapsule( 1.0f, 1.0f ), box = DefBox( 1.0f, 1.0f, 1.0f ), ring = DefRing();
	Refused( NULL, "def", __LINE__ );
	REFUSE_WITH( plane, bad.cookie = 0, "cookie" );
	REFUSE_WITH( plane, bad.kind = (pnShapeKind)77, "kind" );
	REFUSE_WITH( plane, bad.kind = (pnShapeKind)-1, "kind" );
	for ( int i = 0; i < 3; ++i )
	{
		REFUSE_WITH( plane, bad.transform.p.y = wrong[i], "transform.p.y" );
		REFUSE_WITH( plane, bad.transform.q.z = wrong[i], "transform.q" );
		REFUSE_WITH( plane, bad.friction = wrong[i], "friction" );
		REFUSE_WITH( plane, bad.restitution = wrong[i], "restitution" );
		REFUSE_WITH( sphere, bad.radius = wrong[i], "radius" );
		REFUSE_WITH( capsule, bad.radius = wrong[i], "radius" );
		REFUSE_WITH( capsule, bad.halfExtents.y = wrong[i], "halfExtents.y" );
		REFUSE_WITH( box, bad.halfExtents.x = wrong[i], "halfExtents.x" );
		REFUSE_WITH( box, bad.halfExtents.z = wrong[i], "halfExtents.z" );
		REFUSE_WITH( ring, bad.bounds.lower.y = wrong[i], "bounds.lower.y" );
		REFUSE_WITH( ring, bad.bounds.upper.z = wrong[i], "bounds.upper.z" );
	}
	REFUSE_WITH( plane, bad.transform.p.x = 2e7f, "transform.p.x" );
	REFUSE_WITH( plane, bad.transform.q.w = 0.5f, "transform.q" );
	REFUSE_WITH( plane, bad.friction = -0.1f, "friction" );
	REFUSE_WITH( plane, bad.friction = 1001.0f, "friction" );
	REFUSE_WITH( plane, bad.restitution = 1.1f, "restitution" );
	REFUSE_WITH( sphere, bad.radius = 0.0f, "radius is 0" );
	REFUSE_WITH( sphere, bad.radius = -1.0f, "radius is -1" );
	REFUSE_WITH( sphere, bad.radius = 2e7f, "radius" );
	REFUSE_WITH( capsule, bad.halfExtents.y = -1.0f, "halfExtents.y" );
	REFUSE_WITH( box, bad.halfExtents.y = 0.0f, "halfExtents.y" );
	REFUSE_WITH( ring, bad.distance = NULL, "distance" );
	REFUSE_WITH( ring, bad.bounds.lower.x = 2.0f, "bounds.lower.x" );

	pnShapeDef mesh = DefBoxMesh( 1.0f, 1.0f, 1.0f, false ), hull = DefHull( 8 );
	REFUSE_WITH( hull, bad.points = NULL, "points is NULL" );
	REFUSE_WITH( hull, bad.pointCount = 3, "pointCount is 3" );
	REFUSE_WITH( hull, bad.pointCount = -1, "pointCount" );
	REFUSE_WITH( hull, bad.pointCount = 2000000000, "pointCount" );
	REFUSE_WITH( mesh, bad.points = NULL, "points is NULL" );
	REFUSE_WITH( mesh, bad.pointCount = 0, "pointCount" );
	REFUSE_WITH( mesh, bad.pointCount = 7, "triangles[3] index 7" );
	REFUSE_WITH( mesh, bad.triangles = NULL, "triangles is NULL" );
	REFUSE_WITH( mesh, bad.triangleCount = 0, "triangleCount is 0" );
	s_triangles[5] = -1;
	REFUSE_WITH( mesh, bad.triangleCount = 12, "triangles[1] index -1" );
	s_triangles[5] = 3;
	s_points[6].z = NAN;
	REFUSE_WITH( mesh, bad.pointCount = 8, "points[6].z" );
	REFUSE_WITH( hull, bad.pointCount = 8, "points[6].z" );
	s_points[6].z = -1e8f;
	REFUSE_WITH( hull, bad.pointCount = 8, "points[6].z is -1e+08" );
	pnRandom random = pnSeed( 30 );
	Vec u = RandomDirection( &random ), v = RandomDirection( &random );
	for ( int i = 0; i < 50; ++i ) // a plane through floats: not quite flat
	{
		s_points[i] = Float( Along( Along( V( 3, 1, 2 ), pnRandomIn( &random, -1, 1 ), u ), pnRandomIn( &random, -1, 1 ), v ) );
	}
	REFUSE_WITH( hull, bad.pointCount = 50, "plane" );
	for ( int i = 0; i < 50; ++i )
	{
		s_points[i] = Float( Along( V( 3, 1, 2 ), i, u ) );
	}
	REFUSE_WITH( hull, bad.pointCount = 50, "plane" );
	for ( int i = 0; i < 50; ++i )
	{
		s_points[i] = pnMakeVec3( 1.0f, 2.0f, 3.0f );
	}
	REFUSE_WITH( hull, bad.pointCount = 50, "plane" );
	REFUSE_WITH( mesh, bad.pointCount = 50, "area" );
	memset( s_triangles, 0, 36 * sizeof( int32_t ) );
	REFUSE_WITH( mesh, bad.pointCount = 50, "area" );

	pnShapeDef heights = DefHeights( 5, 4, 0.5f );
	REFUSE_WITH( heights, bad.heights = NULL, "heights is NULL" );
	REFUSE_WITH( heights, bad.heightCountX = 1, "heightCountX is 1" );
	REFUSE_WITH( heights, bad.heightCountZ = -4, "heightCountZ is -4" );
	REFUSE_WITH( heights, ( bad.heightCountX = 65536, bad.heightCountZ = 65536 ), "heightCountX * heightCountZ" );
	REFUSE_WITH( heights, bad.heightSpacing = 0.0f, "heightSpacing" );
	REFUSE_WITH( heights, bad.heightSpacing = NAN, "heightSpacing" );
	REFUSE_WITH( heights, bad.heightSpacing = 9e6f, "heightSpacing" );
	s_heights[17] = INFINITY;
	REFUSE_WITH( heights, bad.heightCountX = 5, "heights[17]" );
	pnSetLogFcn( NULL );
}

// ---- no memory ----

static int s_untilFailure; // allocations that still succeed
static int s_held; // blocks

static void* FailAlloc( size_t size, size_t alignment )
{
	void* memory = NULL;
	if ( s_untilFailure-- == 0 || posix_memalign( &memory, alignment, size ) != 0 )
	{
		return NULL;
	}
	s_held += 1;
	memset( memory, 0xA5, size );
	return memory;
}

static void FailFree( void* memory, size_t size )
{
	s_held -= 1;
	memset( memory, 0xDD, size );
	free( memory );
}

static void SurvivesEveryFailure( const pnShapeDef* def )
{
	for ( int n = 0; n < 1000; ++n )
	{
		pnForm* form = (pnForm*)s_log;
		s_untilFailure = n;
		pnResult result = pnCreateForm( def, &form );
		s_untilFailure = -1;
		pnTestContext( "kind %d without its allocation %d", (int)def->kind, n );
		if ( result == pn_success )
		{
			// what it holds is what it says
			ENSURE( pnGetByteCount() == (int64_t)pnGetFormBytes( form ) );
			pnDestroyForm( form );
			ENSURE( s_held == 0 && pnGetByteCount() == 0 );
			pnTestContext( "%s", "" );
			return;
		}
		ENSURE( result == pn_outOfMemory && form == NULL );
		ENSURE( s_held == 0 && pnGetByteCount() == 0 );
	}
	ENSURE( false && "it never succeeds" );
}

static void FormsSurviveNoMemory( void )
{
	ENSURE( pnGetByteCount() == 0 );
	s_untilFailure = -1;
	s_held = 0;
	pnSetAllocator( FailAlloc, FailFree );
	pnShapeDef def = DefBox( 1.0f, 1.0f, 1.0f );
	SurvivesEveryFailure( &def );
	pnRandom random = pnSeed( 31 );
	for ( int i = 0; i < 300; ++i )
	{
		s_points[i] = i < 100 ? Float( RandomDirection( &random ) ) : RandomPlace( &random, 0.3 );
	}
	def = DefHull( 10 );
	SurvivesEveryFailure( &def );
	def = DefHull( 300 );
	SurvivesEveryFailure( &def );
	def = DefTorus( 1.0, 0.4, 24, 12 );
	SurvivesEveryFailure( &def );
	def = DefHeights( 30, 30, 0.1f );
	SurvivesEveryFailure( &def );
	def = DefRing();
	SurvivesEveryFailure( &def );
	pnDestroyForm( NULL );
	pnSetAllocator( NULL, NULL );
}

static const pnTest s_tests[] = {
	RUN( SimpleKindsAreExact ),
	RUN( EveryPlaceHasAnAnswer ),
	RUN( SmallHullsAreExact ),
	RUN( LargeHullsAreExact ),
	RUN( CrampedHullsAreExact ),
	RUN( MeshesAreExact ),
	RUN( OpenMeshesHaveSides ),
	RUN( HeightsAreExact ),
	RUN( BeyondReachIsNothing ),
	RUN( SweepsFindTheFirstTouch ),
	RUN( TouchingAtTheStart ),
	RUN( NothingIsTunnelledThrough ),
	RUN( SlidingIsFree ),
	RUN( CopiesGiveTheSameBits ),
	RUN( AnswersAreTheSameBitsEverywhere ),
	RUN( BoundsHoldTheForm ),
	RUN( BadDefsAreRefused ),
	RUN( FormsSurviveNoMemory ),
};
SUITE( shape, s_tests );
