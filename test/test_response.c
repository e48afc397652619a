// test_response.c - solids that answer at once: chains and beams whose answer is known, energy, bytes and bad numbers. Knows the public
// header; of the inside only how an image is sealed.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

// For posix_memalign, also when compiled as strict C17.
#define _POSIX_C_SOURCE 200809L

#include "help.h"
#include "response_exercise.h"

#include "base/core.h"
#include "pliant/response.h"

#include <float.h>
#include <inttypes.h>

// ---- a response as a user would hand it over ----

typedef struct Model
{
	int handleCount, vertexCount, degreeCount;
	pnVec3* handles;
	pnVec3* handlePreload;
	pnVec3* vertices;
	pnVec3* preload;
	int32_t* triangles;
	int triangleCount;
	double* compliance;
	float* motion;
} Model;

static Model MakeModel( int handleCount, int vertexCount )
{
	Model model = { .handleCount = handleCount, .vertexCount = vertexCount, .degreeCount = 3 * handleCount };
	size_t n = 3 * (size_t)handleCount;
	model.handles = calloc( handleCount, sizeof( pnVec3 ) );
	model.handlePreload = calloc( handleCount, sizeof( pnVec3 ) );
	model.vertices = calloc( vertexCount, sizeof( pnVec3 ) );
	model.preload = calloc( vertexCount, sizeof( pnVec3 ) );
	model.triangleCount = vertexCount / 3;
	model.triangles = calloc( 3 * (size_t)model.triangleCount + 1, sizeof( int32_t ) );
	for ( int i = 0; i < 3 * model.triangleCount; ++i )
	{
		model.triangles[i] = i;
	}
	model.compliance = calloc( n * n, sizeof( double ) );
	model.motion = calloc( n * 3 * (size_t)vertexCount, sizeof( float ) );
	return model;
}

static void FreeModel( Model* model )
{
	free( model->handles );
	free( model->handlePreload );
	free( model->vertices );
	free( model->preload );
	free( model->triangles );
	free( model->compliance );
	free( model->motion );
}

static pnResponseDef DefOf( const Model* model )
{
	pnResponseDef def = pnDefaultResponseDef();
	def.handleCount = model->handleCount;
	def.vertexCount = model->vertexCount;
	def.triangleCount = model->triangleCount;
	def.handles = model->handles;
	def.handlePreload = model->handlePreload;
	def.vertices = model->vertices;
	def.preload = model->preload;
	def.triangles = model->triangles;
	def.compliance = model->compliance;
	def.motion = model->motion;
	return def;
}

static pnResponse* CreateOf( const Model* model )
{
	pnResponseDef def = DefOf( model );
	pnResponse* response = NULL;
	ENSURE( pnCreateResponse( &def, &response ) == pn_success && response != NULL );
	return response;
}

static double* ComplianceAt( Model* model, int i, int j )
{
	return model->compliance + (size_t)i * (size_t)model->degreeCount + (size_t)j;
}

static float* MotionAt( Model* model, int degree, int vertex, int axis )
{
	return model->motion + (size_t)degree * 3 * (size_t)model->vertexCount + 3 * (size_t)vertex + (size_t)axis;
}

static double Axis( pnVec3 v, int axis )
{
	return axis == 0 ? (double)v.x : axis == 1 ? (double)v.y : (double)v.z;
}

// Any solid: a compliance B B^T + something, in m/N; handles are the first vertices.
static Model MakeAny( int handleCount, int vertexCount, uint64_t seed )
{
	Model model = MakeModel( handleCount, vertexCount );
	pnRandom random = pnSeed( seed );
	int n = model.degreeCount;
	double* b = calloc( (size_t)n * (size_t)n, sizeof( double ) );
	for ( int i = 0; i < n * n; ++i )
	{
		b[i] = pnRandomIn( &random, -1.0, 1.0 );
	}
	for ( int i = 0; i < n; ++i )
	{
		for ( int j = 0; j < n; ++j )
		{
			double sum = i == j ? 0.3 : 0.0;
			for ( int k = 0; k < n; ++k )
			{
				sum += b[i * n + k] * b[j * n + k];
			}
			*ComplianceAt( &model, i, j ) = 1e-3 * sum;
		}
	}
	free( b );
	for ( int v = 0; v < vertexCount; ++v )
	{
		model.vertices[v] = RandomVec3( &random, 1.0 );
		model.preload[v] = RandomVec3( &random, 0.01 );
		for ( int degree = 0; degree < n; ++degree )
		{
			for ( int axis = 0; axis < 3; ++axis )
			{
				*MotionAt( &model, degree, v, axis ) = (float)( v < handleCount ? *ComplianceAt( &model, degree, 3 * v + axis ) : 1e-3 * pnRandomIn( &random, -1.0, 1.0 ) );
			}
		}
	}
	for ( int h = 0; h < handleCount && h < vertexCount; ++h )
	{
		model.handles[h] = model.vertices[h];
		model.handlePreload[h] = model.preload[h];
	}
	return model;
}

static double EnergyOf( Model* model, const pnVec3* forces )
{
	double energy = 0.0;
	for ( int i = 0; i < model->degreeCount; ++i )
	{
		for ( int j = 0; j < model->degreeCount; ++j )
		{
			energy += 0.5 * Axis( forces[i / 3], i % 3 ) * *ComplianceAt( model, i, j ) * Axis( forces[j / 3], j % 3 );
		}
	}
	return energy;
}

// Where a handle is under these forces, in double.
static double PlaceOf( Model* model, const pnVec3* forces, int degree )
{
	double place = Axis( model->handlePreload[degree / 3], degree % 3 );
	for ( int j = 0; j < model->degreeCount; ++j )
	{
		place += *ComplianceAt( model, degree, j ) * Axis( forces[j / 3], j % 3 );
	}
	return place;
}

enum { mostHandles = 40 };

// ---- answers that are known ----

// Springs in a row from a wall: a force on handle j stretches all springs up to it, so C_ij = sum of 1 / k up to the nearer one. Across, each
// axis has springs of its own. What is held stretches the springs beside it, and nothing else must be known.
static void AChainOfSpringsIsAChainOfSprings( void )
{
	enum { count = 12 };
	Model model = MakeModel( count, count );
	double stiffness[3][count]; // N/m, of the spring before each handle
	pnRandom random = pnSeed( 1 );
	for ( int axis = 0; axis < 3; ++axis )
	{
		double sum[count];
		for ( int i = 0; i < count; ++i )
		{
			stiffness[axis][i] = pnRandomIn( &random, 50.0, 500.0 );
			sum[i] = ( i > 0 ? sum[i - 1] : 0.0 ) + 1.0 / stiffness[axis][i];
			model.handles[i] = model.vertices[i] = pnMakeVec3( (float)i, 0.0f, 0.0f );
		}
		for ( int i = 0; i < count; ++i )
		{
			for ( int j = 0; j < count; ++j )
			{
				*ComplianceAt( &model, 3 * i + axis, 3 * j + axis ) = sum[i < j ? i : j];
				*MotionAt( &model, 3 * i + axis, j, axis ) = (float)sum[i < j ? i : j];
			}
		}
	}
	pnResponse* response = CreateOf( &model );
	REQUIRE( response != NULL );
	for ( int trial = 0; trial < 50; ++trial )
	{
		uint8_t held[count];
		pnVec3 displacements[count], forces[count], moved[count];
		for ( int i = 0; i < count; ++i )
		{
			held[i] = pnRandomInt( &random, 3 ) == 0;
			displacements[i] = RandomVec3( &random, 0.2 );
		}
		pnResponse_Hold( response, held );
		pnResponse_Solve( response, displacements, NULL, forces );
		pnResponse_Move( response, forces, moved );
		pnTestContext( "trial %d", trial );
		for ( int axis = 0; axis < 3; ++axis )
		{
			// between two held handles all springs carry the same force
			double place[count], pull[count + 1];
			int last = -1;
			for ( int i = 0; i < count; ++i )
			{
				if ( held[i] )
				{
					double from = last < 0 ? 0.0 : place[last], give = 0.0;
					place[i] = Axis( displacements[i], axis );
					for ( int k = last + 1; k <= i; ++k )
					{
						give += 1.0 / stiffness[axis][k];
					}
					for ( int k = last + 1; k <= i; ++k )
					{
						pull[k] = ( place[i] - from ) / give;
						place[k] = k == i ? place[i] : ( k > 0 ? place[k - 1] : 0.0 ) + pull[k] / stiffness[axis][k];
					}
					last = i;
				}
			}
			for ( int k = last + 1; k <= count; ++k ) // beyond the last one nothing pulls
			{
				pull[k] = 0.0;
				if ( k < count )
				{
					place[k] = last < 0 ? 0.0 : place[last];
				}
			}
			for ( int i = 0; i < count; ++i )
			{
				ENSURE_NEAR( Axis( forces[i], axis ), held[i] ? pull[i] - pull[i + 1] : 0.0, 1e-4 );
				ENSURE_NEAR( Axis( moved[i], axis ) - Axis( model.vertices[i], axis ), place[i], 3e-6 );
			}
		}
	}
	pnDestroyResponse( response );
	FreeModel( &model );
}

// A clamped beam along x: textbook deflections under a force at a. Along it the same law serves with another stiffness.
static double BeamBends( double x, double a, double rigidity )
{
	return x < a ? x * x * ( 3.0 * a - x ) / ( 6.0 * rigidity ) : a * a * ( 3.0 * x - a ) / ( 6.0 * rigidity );
}

static void ABeamBendsAsInTheBook( void )
{
	enum { handleCount = 4, vertexCount = 101 };
	const double length = 2.0, rigidity[3] = { 300.0, 12.0, 5.0 }; // m, N m^2
	Model model = MakeModel( handleCount, vertexCount );
	for ( int v = 0; v < vertexCount; ++v )
	{
		model.vertices[v] = pnMakeVec3( (float)( length * v / ( vertexCount - 1 ) ), 0.0f, 0.0f );
	}
	for ( int h = 0; h < handleCount; ++h )
	{
		double a = length * ( h + 1 ) / handleCount;
		model.handles[h] = pnMakeVec3( (float)a, 0.0f, 0.0f );
		for ( int axis = 0; axis < 3; ++axis )
		{
			for ( int g = 0; g < handleCount; ++g )
			{
				*ComplianceAt( &model, 3 * h + axis, 3 * g + axis ) = BeamBends( length * ( g + 1 ) / handleCount, a, rigidity[axis] );
			}
			for ( int v = 0; v < vertexCount; ++v )
			{
				*MotionAt( &model, 3 * h + axis, v, axis ) = (float)BeamBends( length * v / ( vertexCount - 1 ), a, rigidity[axis] );
			}
		}
	}
	pnResponse* response = CreateOf( &model );
	REQUIRE( response != NULL );
	const uint8_t tip[handleCount] = { 0, 0, 0, 1 };
	pnVec3 displacements[handleCount] = { 0 }, pushes[handleCount] = { 0 }, forces[handleCount], moved[vertexCount];

	// the tip moved by 0.1 m: 3 E I / L^3 of force, and the shape that goes with it
	displacements[3] = pnMakeVec3( 0.0f, 0.1f, 0.0f );
	pnResponse_Hold( response, tip );
	pnResponse_Solve( response, displacements, NULL, forces );
	pnResponse_Move( response, forces, moved );
	ENSURE_NEAR( forces[3].y, 0.1 * 3.0 * rigidity[1] / pow( length, 3.0 ), 1e-6 );
	ENSURE( forces[3].x == 0.0f && forces[3].z == 0.0f );
	for ( int v = 0; v < vertexCount; ++v )
	{
		double x = length * v / ( vertexCount - 1 );
		ENSURE_NEAR( moved[v].y, 0.1 * x * x * ( 3.0 * length - x ) / ( 2.0 * pow( length, 3.0 ) ), 1e-7 );
	}

	// propped at the tip, loaded in the middle: the prop carries 5/16
	pushes[1] = pnMakeVec3( 0.0f, 0.0f, -8.0f );
	displacements[3] = pnMakeVec3( 0.0f, 0.0f, 0.0f );
	pnResponse_Solve( response, displacements, pushes, forces );
	pnResponse_Move( response, forces, moved );
	ENSURE_NEAR( forces[3].z, 8.0 * 5.0 / 16.0, 1e-5 );
	ENSURE( forces[1].z == -8.0f && forces[0].z == 0.0f && forces[2].z == 0.0f );
	ENSURE_NEAR( moved[vertexCount - 1].z, 0.0, 1e-6 );
	ENSURE_NEAR( moved[vertexCount / 2].z, -7.0 * 8.0 * pow( length, 3.0 ) / ( 768.0 * rigidity[2] ), 1e-6 );

	// free: as the load alone has it
	pnResponse_Hold( response, NULL );
	pnResponse_Solve( response, NULL, pushes, pushes );
	pnResponse_Move( response, pushes, moved );
	ENSURE_NEAR( moved[vertexCount - 1].z, -5.0 * 8.0 * pow( length, 3.0 ) / ( 48.0 * rigidity[2] ), 2e-6 );
	pnDestroyResponse( response );
	FreeModel( &model );
}

// ---- what holds of any solid ----

static void HeldHandlesStandWhereAsked( void )
{
	pnRandom random = pnSeed( 2 );
	double worst = 0.0;
	for ( int trial = 0; trial < 60; ++trial )
	{
		int handleCount = 1 + pnRandomInt( &random, mostHandles );
		Model model = MakeAny( handleCount, handleCount + 3, 100 + (uint64_t)trial );
		pnResponse* response = CreateOf( &model );
		REQUIRE( response != NULL );
		uint8_t held[mostHandles];
		pnVec3 displacements[mostHandles], pushes[mostHandles], forces[mostHandles], moved[mostHandles + 3];
		for ( int i = 0; i < handleCount; ++i )
		{
			held[i] = (uint8_t)( pnRandomInt( &random, 2 ) * ( 1 + pnRandomInt( &random, 255 ) ) );
			displacements[i] = held[i] ? RandomVec3( &random, 0.1 ) : pnMakeVec3( NAN, INFINITY, 1e30f ); // not read
			pushes[i] = held[i] ? pnMakeVec3( -NAN, 1e30f, -INFINITY ) : RandomVec3( &random, 1.0 );
		}
		pnResponse_Hold( response, held );
		pnResponse_Solve( response, displacements, pushes, forces );
		pnResponse_Move( response, forces, moved );
		pnTestContext( "trial %d, %d handles", trial, handleCount );
		double largest = 0.0;
		for ( int i = 0; i < 3 * handleCount; ++i )
		{
			largest = fmax( largest, fabs( Axis( forces[i / 3], i % 3 ) ) );
		}
		for ( int i = 0; i < 3 * handleCount; ++i )
		{
			if ( held[i / 3] )
			{
				double miss = fabs( PlaceOf( &model, forces, i ) - Axis( displacements[i / 3], i % 3 ) );
				ENSURE_MOST( miss, 1e-5 );
				worst = fmax( worst, miss );
				// handles are vertices here: they are seen there too, but for the rounding of large forces that hold each other
				ENSURE_NEAR( Axis( moved[i / 3], i % 3 ) - Axis( model.vertices[i / 3], i % 3 ), Axis( displacements[i / 3], i % 3 ), 1e-6 + 1e-7 * largest );
			}
			else
			{
				ENSURE( Axis( forces[i / 3], i % 3 ) == Axis( pushes[i / 3], i % 3 ) );
			}
		}
		pnDestroyResponse( response );
		FreeModel( &model );
	}
	pnTestNote( "%.1e m off at most", worst );
}

// Any number of vertices: the same as sums in double, and nothing is written beyond.
static void VerticesAreSumsOfColumns( void )
{
	for ( int vertexCount = 1; vertexCount <= 70; ++vertexCount )
	{
		Model model = MakeAny( 5, vertexCount, (uint64_t)vertexCount );
		pnResponse* response = CreateOf( &model );
		REQUIRE( response != NULL );
		pnRandom random = pnSeed( (uint64_t)vertexCount );
		pnVec3 forces[5], moved[72];
		memset( moved, 0x5A, sizeof( moved ) );
		for ( int i = 0; i < 5; ++i )
		{
			forces[i] = i == 2 ? pnMakeVec3( 0.0f, 3.0f, 0.0f ) : i == 3 ? pnMakeVec3( 0.0f, 0.0f, 0.0f ) : RandomVec3( &random, 10.0 );
		}
		pnResponse_Move( response, forces, moved );
		pnTestContext( "%d vertices", vertexCount );
		for ( int i = 0; i < 3 * vertexCount; ++i )
		{
			double sum = (double)Axis( model.vertices[i / 3], i % 3 ) + Axis( model.preload[i / 3], i % 3 );
			for ( int degree = 0; degree < 15; ++degree )
			{
				sum += *MotionAt( &model, degree, i / 3, i % 3 ) * Axis( forces[degree / 3], degree % 3 );
			}
			ENSURE_NEAR( Axis( moved[i / 3], i % 3 ), sum, 3e-7 );
		}
		const unsigned char* beyond = (const unsigned char*)( moved + vertexCount );
		for ( int i = 0; i < 24; ++i )
		{
			ENSURE( beyond[i] == 0x5A );
		}
		pnDestroyResponse( response );
		FreeModel( &model );
	}
}

static void TwoLoadsTogetherAreTheirSum( void )
{
	enum { handleCount = 10, vertexCount = 50 };
	Model model = MakeAny( handleCount, vertexCount, 3 );
	pnResponse* response = CreateOf( &model );
	REQUIRE( response != NULL );
	pnRandom random = pnSeed( 4 );
	for ( int trial = 0; trial < 40; ++trial )
	{
		// answers 0 to 3: nothing, one load, another, both
		pnVec3 displacements[4][handleCount] = { 0 }, pushes[4][handleCount] = { 0 }, forces[4][handleCount], moved[4][vertexCount];
		uint8_t held[handleCount];
		for ( int i = 0; i < handleCount; ++i )
		{
			held[i] = pnRandomInt( &random, 2 ) != 0;
			for ( int k = 1; k < 3; ++k )
			{
				displacements[k][i] = RandomVec3( &random, 0.1 );
				pushes[k][i] = RandomVec3( &random, 1.0 );
			}
			displacements[3][i] = pnAdd( displacements[1][i], displacements[2][i] );
			pushes[3][i] = pnAdd( pushes[1][i], pushes[2][i] );
		}
		pnResponse_Hold( response, held );
		double scale = 0.0;
		for ( int k = 0; k < 4; ++k )
		{
			pnResponse_Solve( response, displacements[k], pushes[k], forces[k] );
			pnResponse_Move( response, forces[k], moved[k] );
			for ( int i = 0; i < 3 * handleCount; ++i )
			{
				scale = fmax( scale, fabs( Axis( forces[k][i / 3], i % 3 ) ) );
			}
		}
		for ( int i = 0; i < 3 * handleCount; ++i )
		{
			double sum = Axis( forces[1][i / 3], i % 3 ) + Axis( forces[2][i / 3], i % 3 ) - Axis( forces[0][i / 3], i % 3 );
			ENSURE_NEAR( Axis( forces[3][i / 3], i % 3 ), sum, 1e-6 * scale );
		}
		for ( int i = 0; i < 3 * vertexCount; ++i )
		{
			double sum = Axis( moved[1][i / 3], i % 3 ) + Axis( moved[2][i / 3], i % 3 ) - Axis( moved[0][i / 3], i % 3 );
			ENSURE_NEAR( Axis( moved[3][i / 3], i % 3 ), sum, 1e-6 + 1e-7 * scale );
		}
	}
	pnDestroyResponse( response );
	FreeModel( &model );
}

// Hands take hold, drag, let go, in any order: what they put in is what the solid holds, letting go never adds to it, and so nothing is
// gained on the way back to where it began.
static void NoHandGainsEnergy( void )
{
	enum { handleCount = 8 };
	double worstGain = 0.0, dragged = 0.0;
	for ( int trial = 0; trial < 20; ++trial )
	{
		Model model = MakeAny( handleCount, handleCount, 500 + (uint64_t)trial );
		memset( model.handlePreload, 0, handleCount * sizeof( pnVec3 ) );
		memset( model.preload, 0, handleCount * sizeof( pnVec3 ) );
		pnResponse* response = CreateOf( &model );
		REQUIRE( response != NULL );
		pnRandom random = pnSeed( 600 + (uint64_t)trial );
		uint8_t held[handleCount] = { 0 };
		pnVec3 places[handleCount] = { 0 }, forces[handleCount] = { 0 };
		double work = 0.0, energy = 0.0, lost = 0.0, most = 0.0;
		for ( int act = 0; act < 120; ++act )
		{
			bool last = act == 119;
			pnTestContext( "trial %d, act %d", trial, act );
			// some hands come and go; one that comes takes its handle where it is
			for ( int i = 0; i < handleCount; ++i )
			{
				uint8_t now = last ? 0 : pnRandomInt( &random, 3 ) != 0;
				for ( int axis = 0; axis < 3 && now != 0 && held[i] == 0; ++axis )
				{
					float place = (float)PlaceOf( &model, forces, 3 * i + axis );
					places[i] = axis == 0 ? pnMakeVec3( place, places[i].y, places[i].z )
								: axis == 1 ? pnMakeVec3( places[i].x, place, places[i].z )
											: pnMakeVec3( places[i].x, places[i].y, place );
				}
				held[i] = now;
			}
			pnResponse_Hold( response, held );
			pnResponse_Solve( response, places, NULL, forces );
			double after = EnergyOf( &model, forces );
			ENSURE_MOST( after, energy + 1e-6 * ( 1e-3 + most ) );
			lost += energy - after;
			energy = after;
			// those that hold drag, together
			for ( int step = 0; step < 4; ++step )
			{
				pnVec3 before[handleCount], from[handleCount];
				memcpy( before, forces, sizeof( before ) );
				memcpy( from, places, sizeof( from ) );
				for ( int i = 0; i < handleCount; ++i )
				{
					places[i] = held[i] ? RandomVec3( &random, 0.1 ) : places[i];
				}
				pnResponse_Solve( response, places, NULL, forces );
				// linear, so the mean force along the way is that of its ends
				double put = 0.0;
				for ( int i = 0; i < 3 * handleCount; ++i )
				{
					double way = held[i / 3] ? Axis( places[i / 3], i % 3 ) - Axis( from[i / 3], i % 3 ) : 0.0;
					put += 0.5 * ( Axis( before[i / 3], i % 3 ) + Axis( forces[i / 3], i % 3 ) ) * way;
				}
				double now = EnergyOf( &model, forces );
				most = fmax( most, now );
				ENSURE_NEAR( put, now - energy, 1e-6 * ( 1e-3 + most ) );
				work += put;
				energy = now;
				dragged += fabs( put );
			}
		}
		pnTestContext( "trial %d", trial );
		ENSURE_NEAR( energy, 0.0, 1e-12 );
		ENSURE_NEAR( work, lost, 1e-5 * ( 1e-3 + most ) );
		ENSURE_MOST( -work, 0.0 );
		worstGain = fmax( worstGain, -work );
		pnDestroyResponse( response );
		FreeModel( &model );
	}
	pnTestNote( "%.3g J dragged about, %.1g gained", dragged, worstGain );
}

// What was held before does not matter, down to the bits.
static void HoldingAgainIsHoldingAfresh( void )
{
	enum { handleCount = 11, vertexCount = 20 };
	Model model = MakeAny( handleCount, vertexCount, 7 );
	pnResponse* worn = CreateOf( &model );
	REQUIRE( worn != NULL );
	pnRandom random = pnSeed( 8 );
	for ( int trial = 0; trial < 60; ++trial )
	{
		uint8_t held[handleCount];
		pnVec3 displacements[handleCount], pushes[handleCount], forces[2][handleCount], moved[2][vertexCount];
		for ( int i = 0; i < handleCount; ++i )
		{
			held[i] = pnRandomInt( &random, 2 ) != 0;
			displacements[i] = RandomVec3( &random, 0.1 );
			pushes[i] = RandomVec3( &random, 1.0 );
		}
		pnResponse* fresh = CreateOf( &model );
		REQUIRE( fresh != NULL );
		pnResponse_Hold( worn, held );
		pnResponse_Hold( fresh, held );
		pnResponse_Solve( worn, displacements, pushes, forces[0] );
		pnResponse_Solve( fresh, displacements, pushes, forces[1] );
		pnResponse_Move( worn, forces[0], moved[0] );
		pnResponse_Move( fresh, forces[1], moved[1] );
		ENSURE( memcmp( forces[0], forces[1], sizeof( forces[0] ) ) == 0 );
		ENSURE( memcmp( moved[0], moved[1], sizeof( moved[0] ) ) == 0 );
		pnDestroyResponse( fresh );
	}
	pnDestroyResponse( worn );
	FreeModel( &model );
}

// On every machine and from every compiler; the number is that of the WebAssembly module too (tools/test.sh wasm).
static void ItHasTheSameBitsEverywhere( void )
{
	uint64_t hash = pnExerciseResponse();
	ENSURE( hash == PN_RESPONSE_HASH );
	pnTestNote( "hash 0x%016" PRIx64, hash );
}

// ---- bytes ----

static uint8_t* BakeOf( const pnResponse* response, size_t* size )
{
	*size = pnResponse_Bake( response, NULL, 0 );
	uint8_t* image = malloc( *size );
	ENSURE( pnResponse_Bake( response, image, *size ) == *size );
	return image;
}

static void ALoadedResponseIsTheBakedOne( void )
{
	enum { handleCount = 7, vertexCount = 45 };
	Model model = MakeAny( handleCount, vertexCount, 9 );
	pnResponse* baked = CreateOf( &model );
	REQUIRE( baked != NULL );
	size_t size, again;
	uint8_t* image = BakeOf( baked, &size );
	// no room: nothing is written
	uint8_t* small = malloc( size );
	memset( small, 0x77, size );
	ENSURE( pnResponse_Bake( baked, small, size - 1 ) == size );
	for ( size_t i = 0; i < size; ++i )
	{
		ENSURE( small[i] == 0x77 );
	}
	free( small );
	// from an odd address, and with a hand on it: that is not part of it
	uint8_t* odd = malloc( size + 1 );
	memcpy( odd + 1, image, size );
	pnResponse* loaded = NULL;
	REQUIRE( pnLoadResponse( odd + 1, size, &loaded ) == pn_success );
	free( odd );
	ENSURE( pnResponse_GetHandleCount( loaded ) == handleCount && pnResponse_GetVertexCount( loaded ) == vertexCount );
	ENSURE( pnResponse_GetTriangleCount( loaded ) == model.triangleCount );
	ENSURE( memcmp( pnResponse_GetHandles( loaded ), model.handles, handleCount * sizeof( pnVec3 ) ) == 0 );
	ENSURE( memcmp( pnResponse_GetVertices( loaded ), model.vertices, vertexCount * sizeof( pnVec3 ) ) == 0 );
	ENSURE( memcmp( pnResponse_GetTriangles( loaded ), model.triangles, 3 * (size_t)model.triangleCount * sizeof( int32_t ) ) == 0 );
	pnRandom random = pnSeed( 10 );
	for ( int trial = 0; trial < 20; ++trial )
	{
		uint8_t held[handleCount];
		pnVec3 displacements[handleCount], pushes[handleCount], forces[2][handleCount], moved[2][vertexCount];
		for ( int i = 0; i < handleCount; ++i )
		{
			held[i] = pnRandomInt( &random, 2 ) != 0;
			displacements[i] = RandomVec3( &random, 0.1 );
			pushes[i] = RandomVec3( &random, 1.0 );
		}
		for ( int k = 0; k < 2; ++k )
		{
			pnResponse_Hold( k == 0 ? baked : loaded, held );
			pnResponse_Solve( k == 0 ? baked : loaded, displacements, pushes, forces[k] );
			pnResponse_Move( k == 0 ? baked : loaded, forces[k], moved[k] );
		}
		ENSURE( memcmp( forces[0], forces[1], sizeof( forces[0] ) ) == 0 );
		ENSURE( memcmp( moved[0], moved[1], sizeof( moved[0] ) ) == 0 );
	}
	uint8_t* second = BakeOf( loaded, &again );
	ENSURE( again == size && memcmp( second, image, size ) == 0 );
	free( second );
	free( image );
	pnDestroyResponse( loaded );
	pnDestroyResponse( baked );
	FreeModel( &model );
	ENSURE( pnGetByteCount() == 0 );
}

// What a program may take for a response must behave like one.
static void EnsureItBehaves( pnResponse* response )
{
	int handleCount = pnResponse_GetHandleCount( response ), vertexCount = pnResponse_GetVertexCount( response );
	pnVec3* displacements = calloc( handleCount, sizeof( pnVec3 ) );
	pnVec3* forces = calloc( handleCount, sizeof( pnVec3 ) );
	pnVec3* moved = calloc( vertexCount, sizeof( pnVec3 ) );
	uint8_t* held = calloc( handleCount, 1 );
	for ( int i = 0; i < handleCount; ++i )
	{
		held[i] = i % 2 == 0;
		displacements[i] = pnMakeVec3( 0.1f, -0.1f, 0.05f * (float)i );
	}
	pnResponse_Hold( response, held );
	pnResponse_Solve( response, displacements, displacements, forces );
	pnResponse_Move( response, forces, moved );
	for ( int i = 0; i < 3 * handleCount; ++i )
	{
		ENSURE( isfinite( Axis( forces[i / 3], i % 3 ) ) );
	}
	for ( int i = 0; i < 3 * vertexCount; ++i )
	{
		ENSURE( isnan( Axis( moved[i / 3], i % 3 ) ) == 0 );
	}
	free( displacements );
	free( forces );
	free( moved );
	free( held );
}

static void Seal( uint8_t* image, size_t size )
{
	uint64_t hash = pnHash( PN_HASH_SEED, image, size - 8 );
	memcpy( image + size - 8, &hash, 8 );
}

static void BytesThatAreNotOursAreRefused( void )
{
	Model model = MakeAny( 3, 14, 11 );
	pnResponse* response = CreateOf( &model );
	REQUIRE( response != NULL );
	size_t size;
	uint8_t* image = BakeOf( response, &size );
	uint8_t* copy = malloc( size + 64 );
	int64_t bytes = pnGetByteCount();
	pnResponse* loaded = (pnResponse*)image; // must be overwritten
	ENSURE( pnLoadResponse( NULL, 0, &loaded ) == pn_badImage && loaded == NULL );
	// cut short, at the very end of a block so that reading on shows; sealed again too
	for ( size_t length = 0; length < size; ++length )
	{
		pnTestContext( "%d of %d bytes", (int)length, (int)size );
		uint8_t* cut = malloc( length > 0 ? length : 1 );
		memcpy( cut, image, length );
		ENSURE( pnLoadResponse( cut, length, &loaded ) == pn_badImage && loaded == NULL );
		if ( length >= 40 )
		{
			uint64_t word = length;
			memcpy( cut + 8, &word, 8 );
			Seal( cut, length );
			ENSURE( pnLoadResponse( cut, length, &loaded ) == pn_badImage && loaded == NULL );
		}
		free( cut );
	}
	for ( size_t more = 1; more < 64; ++more )
	{
		memset( copy, 0, size + more );
		memcpy( copy, image, size );
		ENSURE( pnLoadResponse( copy, size + more, &loaded ) == pn_badImage && loaded == NULL );
	}
	// altered: always seen
	pnRandom random = pnSeed( 12 );
	for ( int trial = 0; trial < 20000; ++trial )
	{
		memcpy( copy, image, size );
		int flips = 1 + pnRandomInt( &random, 4 );
		for ( int k = 0; k < flips; ++k )
		{
			copy[pnRandomInt( &random, (int)size )] ^= (uint8_t)( 1 + pnRandomInt( &random, 255 ) );
		}
		pnTestContext( "trial %d", trial );
		bool altered = memcmp( copy, image, size ) != 0;
		pnResult result = pnLoadResponse( copy, size, &loaded );
		ENSURE( altered ? result == pn_badImage && loaded == NULL : result == pn_success );
		pnDestroyResponse( loaded );
	}
	// altered and sealed again: refused, or it behaves
	int accepted = 0;
	for ( int trial = 0; trial < 20000; ++trial )
	{
		memcpy( copy, image, size );
		int flips = 1 + pnRandomInt( &random, 3 );
		for ( int k = 0; k < flips; ++k )
		{
			copy[pnRandomInt( &random, trial % 2 == 0 ? 32 : (int)size )] ^= (uint8_t)( 1 + pnRandomInt( &random, 255 ) );
		}
		Seal( copy, size );
		pnTestContext( "sealed trial %d", trial );
		pnResult result = pnLoadResponse( copy, size, &loaded );
		ENSURE( result == pn_success ? loaded != NULL : result == pn_badImage && loaded == NULL );
		if ( loaded != NULL )
		{
			accepted += 1;
			EnsureItBehaves( loaded );
			pnDestroyResponse( loaded );
		}
		ENSURE( pnGetByteCount() == bytes );
	}
	ENSURE( accepted > 0 );
	// counts that are too large, or whose sizes overflow
	static const int32_t counts[] = { INT32_MIN, -1, 0, 1, 2, 4, 21846, 65536, 46341, 1 << 20, 715827882, 715827883, 1431655766, INT32_MAX };
	for ( int trial = 0; trial < PN_COUNT( counts ) * PN_COUNT( counts ) * PN_COUNT( counts ); ++trial )
	{
		int32_t given[3] = { counts[trial % PN_COUNT( counts )], counts[trial / PN_COUNT( counts ) % PN_COUNT( counts )],
							 counts[trial / ( PN_COUNT( counts ) * PN_COUNT( counts ) )] };
		memcpy( copy, image, size );
		memcpy( copy + 16, given, sizeof( given ) );
		Seal( copy, size );
		ENSURE( pnLoadResponse( copy, size, &loaded ) == pn_badImage && loaded == NULL );
		ENSURE( pnGetByteCount() == bytes );
	}
	pnTestNote( "%d sealed alterations were harmless", accepted );
	free( copy );
	free( image );
	pnDestroyResponse( response );
	FreeModel( &model );
	ENSURE( pnGetByteCount() == 0 );
}

// ---- bad numbers ----

static char s_said[512];
static void Listen( const char* message ) { snprintf( s_said, sizeof( s_said ), "%s", message ); }

static void EnsureRefused( const pnResponseDef* def, const char* what )
{
	pnResponse* response = (pnResponse*)s_said; // must be overwritten
	s_said[0] = 0;
	pnTestContext( "%s", what );
	ENSURE( pnCreateResponse( def, &response ) == pn_invalidInput && response == NULL );
	pnTestContext( "'%s' in '%s'", what, s_said );
	ENSURE( strstr( s_said, what ) != NULL );
	ENSURE( pnGetByteCount() == 0 );
}

static void BadNumbersAreRefusedAndNamed( void )
{
	pnSetLogFcn( Listen );
	Model model = MakeAny( 4, 20, 13 );
	pnResponseDef good = DefOf( &model ), def;
	EnsureRefused( NULL, "pnDefaultResponseDef" );
	def = good, def.cookie = 0, EnsureRefused( &def, "pnDefaultResponseDef" );
	def = good, def.handleCount = 0, EnsureRefused( &def, "handleCount is 0" );
	def = good, def.handleCount = 715827883, EnsureRefused( &def, "handleCount" );
	def = good, def.vertexCount = -1, EnsureRefused( &def, "vertexCount is -1" );
	def = good, def.triangleCount = INT32_MAX, EnsureRefused( &def, "triangleCount" );
	def = good, def.handles = NULL, EnsureRefused( &def, "handles is NULL" );
	def = good, def.vertices = NULL, EnsureRefused( &def, "vertices is NULL" );
	def = good, def.triangles = NULL, EnsureRefused( &def, "triangles is NULL" );
	def = good, def.compliance = NULL, EnsureRefused( &def, "compliance is NULL" );
	def = good, def.motion = NULL, EnsureRefused( &def, "motion is NULL" );
	// each is put in, refused, taken out
#define TRY( PLACE, VALUE, WHAT )                                                                                                          \
	do                                                                                                                                     \
	{                                                                                                                                      \
		__typeof__( PLACE ) was = ( PLACE );                                                                                               \
		( PLACE ) = ( VALUE );                                                                                                             \
		EnsureRefused( &good, WHAT );                                                                                                      \
		( PLACE ) = was;                                                                                                                   \
	} while ( 0 )
	TRY( model.handles[2].y, NAN, "handles[2].y is not finite" );
	TRY( model.handlePreload[3].z, INFINITY, "handlePreload[3].z is not finite" );
	TRY( model.vertices[19].x, -INFINITY, "vertices[19].x is not finite" );
	TRY( model.preload[0].z, NAN, "preload[0].z is not finite" );
	TRY( model.triangles[5], 20, "triangles[5] is 20" );
	TRY( model.triangles[0], -1, "triangles[0] is -1" );
	TRY( *MotionAt( &model, 7, 19, 2 ), NAN, "degree 7 (handle 2, axis y) at vertex 19, axis z" );
	TRY( *ComplianceAt( &model, 5, 5 ), 0.0, "compliance[5][5] is 0" );
	TRY( *ComplianceAt( &model, 5, 5 ), -1e-3, "compliance[5][5] is -0.001" );
	TRY( *ComplianceAt( &model, 11, 11 ), NAN, "compliance[11][11] is nan" );
	TRY( *ComplianceAt( &model, 3, 8 ), NAN, "compliance[3][8] is nan" );
	TRY( *ComplianceAt( &model, 8, 3 ), INFINITY, "compliance[8][3] is inf" );
	TRY( *ComplianceAt( &model, 8, 3 ), 2e-3, "must be symmetric" );
#undef TRY
	// larger than the diagonal allows: energy would be gained
	double was = *ComplianceAt( &model, 0, 1 );
	*ComplianceAt( &model, 0, 1 ) = *ComplianceAt( &model, 1, 0 ) = 1.01 * sqrt( *ComplianceAt( &model, 0, 0 ) * *ComplianceAt( &model, 1, 1 ) );
	EnsureRefused( &good, "degree 1 (handle 0, axis y)" );
	*ComplianceAt( &model, 0, 1 ) = *ComplianceAt( &model, 1, 0 ) = was;
	// one handle twice
	Model twice = MakeAny( 4, 20, 13 );
	for ( int i = 0; i < 12; ++i )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			*ComplianceAt( &twice, 9 + axis, i ) = *ComplianceAt( &twice, 3 + axis, i );
		}
	}
	for ( int i = 0; i < 12; ++i )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			*ComplianceAt( &twice, i, 9 + axis ) = *ComplianceAt( &twice, i, 3 + axis );
		}
	}
	def = DefOf( &twice );
	EnsureRefused( &def, "handle 3" );
	FreeModel( &twice );
	// rounding of single precision is no harm, nor is what may be left out
	for ( int i = 0; i < 144; ++i )
	{
		model.compliance[i] = (double)(float)model.compliance[i] * ( 1.0 + 5e-8 * ( i % 3 ) );
	}
	def = good, def.preload = NULL, def.handlePreload = NULL, def.triangles = NULL, def.triangleCount = 0;
	pnResponse* response = NULL;
	pnTestContext( "%s", "" );
	ENSURE( pnCreateResponse( &def, &response ) == pn_success );
	pnDestroyResponse( response );
	pnDestroyResponse( NULL );
	FreeModel( &model );
	pnSetLogFcn( NULL );
}

static int IgnoreAssert( const char* condition, const char* file, int line )
{
	PN_UNUSED( condition );
	PN_UNUSED( file );
	PN_UNUSED( line );
	return 0;
}

// A hand that reports nonsense is a bug and asserts; where asserts are off, nothing of it reaches the picture.
static void NoNanLeaves( void )
{
	enum { handleCount = 4, vertexCount = 20 };
	pnSetAssertFcn( IgnoreAssert );
	Model model = MakeAny( handleCount, vertexCount, 14 );
	pnResponse* response = CreateOf( &model );
	REQUIRE( response != NULL );
	static const float odd[] = { NAN, INFINITY, -INFINITY, FLT_MAX, -FLT_MAX, 1e30f, FLT_MIN, 0.0f, 1.0f };
	pnRandom random = pnSeed( 15 );
	for ( int trial = 0; trial < 2000; ++trial )
	{
		uint8_t held[handleCount];
		float displacements[3 * handleCount], pushes[3 * handleCount];
		pnVec3 forces[handleCount], moved[vertexCount];
		for ( int i = 0; i < 3 * handleCount; ++i )
		{
			held[i / 3] = pnRandomInt( &random, 2 ) != 0;
			displacements[i] = odd[pnRandomInt( &random, PN_COUNT( odd ) )];
			pushes[i] = odd[pnRandomInt( &random, PN_COUNT( odd ) )];
		}
		pnResponse_Hold( response, held );
		pnResponse_Solve( response, (const pnVec3*)displacements, (const pnVec3*)pushes, forces );
		for ( int way = 0; way < 2; ++way )
		{
			pnResponse_Move( response, way == 0 ? forces : (const pnVec3*)pushes, moved );
			for ( int i = 0; i < 3 * vertexCount; ++i )
			{
				ENSURE( isnan( Axis( moved[i / 3], i % 3 ) ) == 0 );
			}
		}
		for ( int i = 0; i < 3 * handleCount; ++i )
		{
			ENSURE( isfinite( Axis( forces[i / 3], i % 3 ) ) );
		}
	}
	// what is not finite counts as nothing
	pnVec3 pushes[handleCount] = { { NAN, 1.0f, 2.0f } }, same[handleCount] = { { 0.0f, 1.0f, 2.0f } }, moved[2][vertexCount];
	pnResponse_Move( response, pushes, moved[0] );
	pnResponse_Move( response, same, moved[1] );
	ENSURE( memcmp( moved[0], moved[1], sizeof( moved[0] ) ) == 0 );
	pnDestroyResponse( response );
	FreeModel( &model );
	pnSetAssertFcn( NULL );
}

// ---- memory ----

static int s_allocCount, s_untilFailure;

static void* CountAlloc( size_t size, size_t alignment )
{
	s_allocCount += 1;
	void* memory = NULL;
	if ( s_untilFailure-- == 0 || posix_memalign( &memory, alignment, size ) != 0 )
	{
		return NULL;
	}
	memset( memory, 0xA5, size );
	return memory;
}

static void CountFree( void* memory, size_t size )
{
	memset( memory, 0xDD, size ); // whoever reads on sees it
	free( memory );
}

static void WithoutMemoryNothingIsKept( void )
{
	ENSURE( pnGetByteCount() == 0 );
	pnSetAllocator( CountAlloc, CountFree );
	s_untilFailure = -1;
	Model model = MakeAny( 3, 14, 16 );
	pnResponse* response = CreateOf( &model );
	REQUIRE( response != NULL );
	size_t size;
	uint8_t* image = BakeOf( response, &size );
	pnDestroyResponse( response );
	pnResponseDef def = DefOf( &model );
	for ( int way = 0; way < 2; ++way )
	{
		int failures = 0;
		for ( ;; ++failures )
		{
			s_untilFailure = failures;
			response = (pnResponse*)image; // must be overwritten
			pnResult result = way == 0 ? pnCreateResponse( &def, &response ) : pnLoadResponse( image, size, &response );
			pnTestContext( "%s without its allocation %d", way == 0 ? "creating" : "loading", failures );
			if ( result == pn_success || failures > 1000 )
			{
				ENSURE( result == pn_success );
				break;
			}
			ENSURE( result == pn_outOfMemory && response == NULL );
			ENSURE( pnGetByteCount() == 0 );
		}
		s_untilFailure = -1;
		ENSURE( failures > 1 );
		pnDestroyResponse( response );
		ENSURE( pnGetByteCount() == 0 );
	}
	free( image );
	FreeModel( &model );
	pnSetAllocator( NULL, NULL );
}

static void AnsweringAllocatesNothing( void )
{
	enum { handleCount = 12, vertexCount = 100 };
	pnSetAllocator( CountAlloc, CountFree );
	s_untilFailure = -1;
	Model model = MakeAny( handleCount, vertexCount, 17 );
	pnResponse* response = CreateOf( &model );
	REQUIRE( response != NULL );
	int64_t bytes = pnGetByteCount();
	int count = s_allocCount;
	pnRandom random = pnSeed( 18 );
	for ( int trial = 0; trial < 100; ++trial )
	{
		uint8_t held[handleCount];
		pnVec3 displacements[handleCount], pushes[handleCount], forces[handleCount], moved[vertexCount];
		for ( int i = 0; i < handleCount; ++i )
		{
			held[i] = pnRandomInt( &random, 2 ) != 0;
			displacements[i] = RandomVec3( &random, 0.1 );
			pushes[i] = RandomVec3( &random, 1.0 );
		}
		pnResponse_Hold( response, held );
		pnResponse_Solve( response, displacements, pushes, forces );
		pnResponse_Move( response, forces, moved );
		ENSURE( s_allocCount == count && pnGetByteCount() == bytes );
	}
	pnDestroyResponse( response );
	FreeModel( &model );
	ENSURE( pnGetByteCount() == 0 );
	pnSetAllocator( NULL, NULL );
}

static const pnTest s_tests[] = {
	RUN( AChainOfSpringsIsAChainOfSprings ),
	RUN( ABeamBendsAsInTheBook ),
	RUN( HeldHandlesStandWhereAsked ),
	RUN( VerticesAreSumsOfColumns ),
	RUN( TwoLoadsTogetherAreTheirSum ),
	RUN( NoHandGainsEnergy ),
	RUN( HoldingAgainIsHoldingAfresh ),
	RUN( ItHasTheSameBitsEverywhere ),
	RUN( ALoadedResponseIsTheBakedOne ),
	RUN( BytesThatAreNotOursAreRefused ),
	RUN( BadNumbersAreRefusedAndNamed ),
	RUN( NoNanLeaves ),
	RUN( WithoutMemoryNothingIsKept ),
	RUN( AnsweringAllocatesNothing ),
};
SUITE( response, s_tests );
