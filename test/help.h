// help.h - what several tests build: blocks of points, clusters over them, worlds without gravity; and sums in double.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#pragma once

#include "pliant/pliant.h"
#include "test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEST_PI 3.14159265358979323846

// A rest shape as a user would hand it over, with clusters given as lists, so that a test knows what it asks for.
typedef struct Shape
{
	int count;
	pnVec3* rest;
	float* masses;
	int clusterCount;
	int32_t* starts;
	int32_t* members;
	float* weights; // or NULL
} Shape;

static inline Shape MakeShape( int count )
{
	Shape shape = { 0 };
	shape.count = count;
	shape.rest = calloc( count, sizeof( pnVec3 ) );
	shape.masses = calloc( count, sizeof( float ) );
	for ( int i = 0; i < count; ++i )
	{
		shape.masses[i] = 1.0f;
	}
	return shape;
}

static inline void FreeShape( Shape* shape )
{
	free( shape->rest );
	free( shape->masses );
	free( shape->starts );
	free( shape->members );
	free( shape->weights );
	*shape = ( Shape ){ 0 };
}

// Overlapping boxes: cells of the bounds, each reaching `overlap` of its edge over its neighbours. 1 1 1: one cluster of all.
static inline void CoverByCells( Shape* shape, int nx, int ny, int nz, float overlap )
{
	pnVec3 lower = shape->rest[0], upper = shape->rest[0];
	for ( int i = 1; i < shape->count; ++i )
	{
		lower = pnMin3( lower, shape->rest[i] );
		upper = pnMax3( upper, shape->rest[i] );
	}
	float low[3] = { lower.x, lower.y, lower.z }, high[3] = { upper.x, upper.y, upper.z };
	int cells[3] = { nx, ny, nz }, cellCount = nx * ny * nz, memberCount = 0;
	free( shape->starts );
	free( shape->members );
	shape->starts = calloc( cellCount + 1, sizeof( int32_t ) );
	shape->members = calloc( (size_t)cellCount * shape->count, sizeof( int32_t ) );
	shape->clusterCount = 0;
	for ( int cell = 0; cell < cellCount; ++cell )
	{
		int place[3] = { cell % nx, cell / nx % ny, cell / ( nx * ny ) };
		int begin = memberCount;
		for ( int i = 0; i < shape->count; ++i )
		{
			float x[3] = { shape->rest[i].x, shape->rest[i].y, shape->rest[i].z };
			bool inside = true;
			for ( int a = 0; a < 3; ++a )
			{
				float edge = ( high[a] - low[a] ) / cells[a];
				float reach = overlap * edge + 1e-5f * ( high[a] - low[a] );
				inside = inside && ( cells[a] == 1 || ( x[a] >= low[a] + place[a] * edge - reach && x[a] <= low[a] + ( place[a] + 1 ) * edge + reach ) );
			}
			if ( inside )
			{
				shape->members[memberCount++] = i;
			}
		}
		if ( memberCount > begin )
		{
			shape->clusterCount += 1;
			shape->starts[shape->clusterCount] = memberCount;
		}
	}
}

// A block of nx x ny x nz points about the origin, one cluster. jitter is in spacings.
static inline Shape MakeBlock( int nx, int ny, int nz, float spacing, float jitter, uint64_t seed )
{
	Shape shape = MakeShape( nx * ny * nz );
	pnRandom random = pnSeed( seed );
	for ( int i = 0; i < shape.count; ++i )
	{
		int place[3] = { i / ( ny * nz ), i / nz % ny, i % nz };
		int size[3] = { nx, ny, nz };
		float x[3];
		for ( int a = 0; a < 3; ++a )
		{
			x[a] = spacing * (float)( place[a] - 0.5 * ( size[a] - 1 ) + jitter * pnRandomIn( &random, -1.0, 1.0 ) );
		}
		shape.rest[i] = pnMakeVec3( x[0], x[1], x[2] );
	}
	CoverByCells( &shape, 1, 1, 1, 0.0f );
	return shape;
}

static inline void ScaleShape( Shape* shape, float scale )
{
	for ( int i = 0; i < shape->count; ++i )
	{
		shape->rest[i] = pnScale( scale, shape->rest[i] );
	}
}

static inline pnSolid* MakeSolid( const Shape* shape )
{
	pnSolidDef def = pnDefaultSolidDef();
	def.points = shape->rest;
	def.masses = shape->masses;
	def.pointCount = shape->count;
	def.clusters.kind = pn_givenClusters;
	def.clusters.count = shape->clusterCount;
	def.clusters.starts = shape->starts;
	def.clusters.members = shape->members;
	def.clusters.weights = shape->weights;
	pnSolid* solid = NULL;
	ENSURE( pnCreateSolid( &def, &solid ) == pn_success );
	return solid;
}

static inline pnWorld* MakeWorld( pnVec3 gravity )
{
	pnWorldDef def = pnDefaultWorldDef();
	def.gravity = gravity;
	def.enableSleep = false;
	pnWorld* world = NULL;
	ENSURE( pnCreateWorld( &def, &world ) == pn_success );
	return world;
}

static inline pnBodyId PlaceBody( pnWorld* world, const pnSolid* solid, const pnMaterial* material )
{
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.material = *material;
	def.filter.mask = 0; // what it does by itself: it meets neither others nor its own parts
	pnBodyId body = { 0 };
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	return body;
}

// A body in a world of its own.
typedef struct Stage
{
	pnWorld* world;
	pnBodyId body;
	int count;
	pnVec3* x; // filled by ReadStage
	pnVec3* v;
} Stage;

static inline Stage MakeStage( const Shape* shape, const pnMaterial* material, pnVec3 gravity )
{
	Stage stage = { 0 };
	pnSolid* solid = MakeSolid( shape );
	stage.world = MakeWorld( gravity );
	stage.body = PlaceBody( stage.world, solid, material );
	stage.count = shape->count;
	stage.x = calloc( shape->count, sizeof( pnVec3 ) );
	stage.v = calloc( shape->count, sizeof( pnVec3 ) );
	pnDestroySolid( solid );
	return stage;
}

static inline void ReadStage( Stage* stage )
{
	ENSURE( pnBody_WritePoints( stage->world, stage->body, stage->x, stage->v, stage->count ) == stage->count );
}

static inline void SetStage( Stage* stage )
{
	ENSURE( pnBody_SetPoints( stage->world, stage->body, stage->x, stage->v, stage->count ) == pn_success );
}

static inline void FreeStage( Stage* stage )
{
	pnDestroyWorld( stage->world );
	free( stage->x );
	free( stage->v );
	*stage = ( Stage ){ 0 };
}

// Nothing but the mode: no volume, caps, plasticity or damping.
static inline pnMaterial PlainMaterial( pnMode mode, float hertz, float stretch )
{
	pnMaterial material = pnDefaultMaterial();
	material.mode = mode;
	material.hertz = hertz;
	material.dampingRatio = 0.0f;
	material.stretch = stretch;
	material.alpha = 0.0f;
	material.volume = 0.0f;
	material.volumeCurve.count = 0;
	material.cap = pn_noCap;
	material.capCurve.count = 0;
	material.yield = 0.0f;
	material.recovery = 0.0f;
	material.bare = false;
	return material;
}

// Equations 9 and 10 with alpha = 1: from rest, one step puts every point on its goal, so goals can be read.
static inline pnMaterial GoalMaterial( pnMode mode, float stretch )
{
	pnMaterial material = PlainMaterial( mode, 4.0f, stretch );
	material.alpha = 1.0f;
	material.bare = true;
	return material;
}

// Sums over the points, in double and about the centre of mass, which is where float32 sums would lose them.
typedef struct Motion
{
	double mass;
	double center[3], velocity[3];
	double momentum[3];
	double angularMomentum[3]; // about the centre
	double momentumScale, angularScale; // the same sums over lengths: what relative errors refer to
	double size; // root of the mean squared distance from the centre
} Motion;

static inline Motion MeasureMotion( int count, const float* masses, const pnVec3* x, const pnVec3* v )
{
	Motion motion = { 0 };
	for ( int i = 0; i < count; ++i )
	{
		double m = masses[i], p[3] = { x[i].x, x[i].y, x[i].z }, u[3] = { v[i].x, v[i].y, v[i].z };
		motion.mass += m;
		for ( int a = 0; a < 3; ++a )
		{
			motion.center[a] += m * p[a];
			motion.momentum[a] += m * u[a];
		}
		motion.momentumScale += m * sqrt( u[0] * u[0] + u[1] * u[1] + u[2] * u[2] );
	}
	for ( int a = 0; a < 3; ++a )
	{
		motion.center[a] /= motion.mass;
		motion.velocity[a] = motion.momentum[a] / motion.mass;
	}
	for ( int i = 0; i < count; ++i )
	{
		double m = masses[i];
		double p[3] = { x[i].x - motion.center[0], x[i].y - motion.center[1], x[i].z - motion.center[2] };
		double u[3] = { v[i].x - motion.velocity[0], v[i].y - motion.velocity[1], v[i].z - motion.velocity[2] };
		double l[3] = { p[1] * u[2] - p[2] * u[1], p[2] * u[0] - p[0] * u[2], p[0] * u[1] - p[1] * u[0] };
		for ( int a = 0; a < 3; ++a )
		{
			motion.angularMomentum[a] += m * l[a];
		}
		motion.angularScale += m * sqrt( p[0] * p[0] + p[1] * p[1] + p[2] * p[2] ) * sqrt( u[0] * u[0] + u[1] * u[1] + u[2] * u[2] );
		motion.size += m * ( p[0] * p[0] + p[1] * p[1] + p[2] * p[2] );
	}
	motion.size = sqrt( motion.size / motion.mass );
	return motion;
}

static inline double Distance3( const double a[3], const double b[3] )
{
	return sqrt( ( a[0] - b[0] ) * ( a[0] - b[0] ) + ( a[1] - b[1] ) * ( a[1] - b[1] ) + ( a[2] - b[2] ) * ( a[2] - b[2] ) );
}

static inline double Length3( const double a[3] )
{
	return sqrt( a[0] * a[0] + a[1] * a[1] + a[2] * a[2] );
}

static inline double LengthOf( pnVec3 a )
{
	return sqrt( (double)a.x * a.x + (double)a.y * a.y + (double)a.z * a.z );
}

static inline double DistanceOf( pnVec3 a, pnVec3 b )
{
	return LengthOf( pnSub( a, b ) );
}

static inline double DetOf( pnMat3 m )
{
	double a[3] = { m.cx.x, m.cx.y, m.cx.z }, b[3] = { m.cy.x, m.cy.y, m.cy.z }, c[3] = { m.cz.x, m.cz.y, m.cz.z };
	return a[0] * ( b[1] * c[2] - b[2] * c[1] ) + a[1] * ( b[2] * c[0] - b[0] * c[2] ) + a[2] * ( b[0] * c[1] - b[1] * c[0] );
}

// Each test has a number of its own, so that a change of one leaves the cases of the others alone. PLIANT_SEED=n in the environment draws other cases.
static inline pnRandom SeedOf( int test )
{
	const char* value = getenv( "PLIANT_SEED" );
	return pnSeed( (uint64_t)test + 1000003ull * ( value != NULL ? strtoull( value, NULL, 10 ) : 0 ) );
}

static inline pnVec3 RandomVec3( pnRandom* random, double size )
{
	double x = pnRandomIn( random, -size, size ), y = pnRandomIn( random, -size, size ), z = pnRandomIn( random, -size, size );
	return pnMakeVec3( (float)x, (float)y, (float)z );
}

static inline pnQuat RandomTurn( pnRandom* random ) // uniform
{
	for ( ;; )
	{
		double q[4], n = 0.0;
		for ( int k = 0; k < 4; ++k )
		{
			q[k] = pnRandomIn( random, -1.0, 1.0 );
			n += q[k] * q[k];
		}
		if ( n > 0.01 && n < 1.0 )
		{
			n = sqrt( n );
			return ( pnQuat ){ (float)( q[0] / n ), (float)( q[1] / n ), (float)( q[2] / n ), (float)( q[3] / n ) };
		}
	}
}
