// bench_cut.c - times pnWorld_Cut on balls of several sizes, everything included, one thread. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "bench_cut.h"

#include "stopwatch.h"

#include "pliant/pliant.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846
#define SAMPLES 15
#define QUICK_SAMPLES 5
#define NAME_SIZE 48

typedef enum BallKind
{
	faceBall, // a point at every vertex of its skin
	skinBall, // 2,000 points inside, which carry a skin
} BallKind;

typedef struct Case
{
	const char* name;
	BallKind kind;
	int around, rings; // of the skin; it has twice their product triangles
	bool isIncision;
	double seconds; // median
} Case;

static const pnBar noBar = { pn_noBar, 0.0 };

// ---- a ball ----

typedef struct Ball
{
	pnVec3* vertices;
	int32_t* triangles;
	int vertexCount, triangleCount;
	pnVec3* points; // inside
	int pointCount;
} Ball;

static void FreeBall( Ball* ball )
{
	free( ball->vertices );
	free( ball->triangles );
	free( ball->points );
}

static void AddTriangle( Ball* ball, int a, int b, int c )
{
	int32_t* triangle = ball->triangles + 3 * ball->triangleCount++;
	triangle[0] = a;
	triangle[1] = b;
	triangle[2] = c;
}

// Rings from pole to pole along y, of radius one, a little dented so that outlines are not all alike.
static bool MakeBall( const Case* the, Ball* ball )
{
	*ball = (Ball){ 0 };
	int around = the->around, rings = the->rings;
	ball->vertices = malloc( ( (size_t)around * (size_t)rings + 2 ) * sizeof( pnVec3 ) );
	ball->triangles = malloc( 6 * (size_t)around * (size_t)rings * sizeof( int32_t ) );
	ball->points = malloc( 4096 * sizeof( pnVec3 ) );
	if ( ball->vertices == NULL || ball->triangles == NULL || ball->points == NULL )
	{
		return false;
	}
	for ( int j = 0; j < rings; ++j )
	{
		double down = PI * ( j + 1 ) / ( rings + 1 );
		for ( int i = 0; i < around; ++i )
		{
			double turn = 2.0 * PI * ( i + 0.5 * ( j & 1 ) ) / around, radius = 1.0 + 0.06 * sin( 5.0 * turn ) * sin( down ) * sin( 3.0 * down );
			ball->vertices[ball->vertexCount++] =
				pnMakeVec3( (float)( radius * sin( down ) * cos( turn ) ), (float)( radius * cos( down ) ), (float)( radius * sin( down ) * sin( turn ) ) );
			int next = ( i + 1 ) % around, a = i + around * j, b = next + around * j, c = i + around * ( j + 1 ), d = next + around * ( j + 1 );
			if ( j + 1 < rings )
			{
				AddTriangle( ball, a, b, ( j & 1 ) != 0 ? d : c );
				AddTriangle( ball, ( j & 1 ) != 0 ? a : b, d, c );
			}
		}
	}
	for ( int end = 0; end < 2; ++end )
	{
		int pole = ball->vertexCount, first = end * around * ( rings - 1 );
		ball->vertices[ball->vertexCount++] = pnMakeVec3( 0.0f, end == 0 ? 1.0f : -1.0f, 0.0f );
		for ( int i = 0; i < around; ++i )
		{
			int a = first + i, b = first + ( i + 1 ) % around;
			AddTriangle( ball, pole, end == 0 ? b : a, end == 0 ? a : b );
		}
	}
	const double spacing = 0.1257; // 2,000 of them
	int half = (int)( 1.0 / spacing ) + 1;
	for ( int i = 0; i < ( 2 * half + 1 ) * ( 2 * half + 1 ) * ( 2 * half + 1 ); ++i )
	{
		int side = 2 * half + 1;
		double x = spacing * ( i % side - half ), y = spacing * ( i / side % side - half ), z = spacing * ( i / ( side * side ) - half );
		if ( x * x + y * y + z * z < 0.9409 && ball->pointCount < 4096 )
		{
			ball->points[ball->pointCount++] = pnMakeVec3( (float)x, (float)y, (float)z );
		}
	}
	return true;
}

static pnResult MakeSolid( const Case* the, const Ball* ball, pnSolid** solid )
{
	pnSkinDef skin = { .vertices = ball->vertices, .vertexCount = ball->vertexCount, .triangles = ball->triangles, .triangleCount = ball->triangleCount };
	pnSolidDef def = pnDefaultSolidDef();
	if ( the->kind == faceBall )
	{
		def.points = ball->vertices;
		def.pointCount = ball->vertexCount;
		def.triangles = ball->triangles;
		def.triangleCount = ball->triangleCount;
	}
	else
	{
		def.points = ball->points;
		def.pointCount = ball->pointCount;
		def.skins = &skin;
		def.skinCount = 1;
	}
	return pnCreateSolid( &def, solid );
}

// ---- a cut ----

// Each sample has a solid, a world, a body and a direction of its own; the body turns and swings when it is cut.
static pnResult TakeSample( const Case* the, const Ball* ball, int sample, double* seconds, int* pieceCount )
{
	pnSolid* solid = NULL;
	pnWorld* world = NULL;
	pnWorldDef worldDef = pnDefaultWorldDef();
	pnResult result = MakeSolid( the, ball, &solid );
	result = result == pn_success ? pnCreateWorld( &worldDef, &world ) : result;
	pnBodyDef bodyDef = pnDefaultBodyDef();
	bodyDef.solid = solid;
	bodyDef.angularVelocity = pnMakeVec3( 1.0f, 2.0f, 0.5f );
	pnBodyId body;
	result = result == pn_success ? pnCreateBody( world, &bodyDef, &body ) : result;
	for ( int i = 0; i < 3 && result == pn_success; ++i )
	{
		result = pnWorld_Step( world, 1.0f / 60.0f, 2 );
	}
	pnBodyState state;
	result = result == pn_success ? pnBody_GetState( world, body, &state ) : result;
	if ( result == pn_success )
	{
		double turn = 0.4 * sample;
		pnVec3 u = { (float)cos( turn ), 0.0f, (float)sin( turn ) }, n = { -0.6f * u.z, 0.8f, 0.6f * u.x }, v = pnCross( n, u );
		pnCutDef def = pnDefaultCutDef();
		def.inside = 1;
		def.kind = the->isIncision ? pn_quadBlade : pn_planeBlade;
		def.point = state.center;
		def.normal = n;
		for ( int i = 0; i < 4; ++i ) // from far outside to the middle
		{
			def.quad[i] = pnMulAdd( pnMulAdd( state.center, i == 0 || i == 3 ? -2.0f : 2.0f, u ), i < 2 ? -2.0f : 0.0f, v );
		}
		pnCutResult cut;
		double start = pnGetSeconds();
		result = pnWorld_Cut( world, &def, &cut );
		*seconds = pnGetSeconds() - start;
		*pieceCount = cut.pieceCount;
	}
	pnDestroySolid( solid );
	pnDestroyWorld( world );
	return result;
}

static bool Measure( Case* the, int sampleCount, pnProgress* progress )
{
	Ball ball;
	bool good = MakeBall( the, &ball );
	double samples[SAMPLES];
	pnProgress_Show( progress, the->name );
	for ( int i = 0; i < sampleCount && good; ++i )
	{
		int pieceCount = 0;
		pnResult result = TakeSample( the, &ball, i, samples + i, &pieceCount );
		good = result == pn_success && pieceCount == ( the->isIncision ? 1 : 2 );
		if ( good == false )
		{
			fprintf( stderr, "bench: %s, sample %d: %s, %d pieces\n", the->name, i, pnResultText( result ), pieceCount );
		}
	}
	FreeBall( &ball );
	the->seconds = good ? pnMedian( samples, sampleCount ) : 0.0;
	pnProgress_Advance( progress );
	return good;
}

__attribute__( ( format( printf, 5, 6 ) ) ) static void AddRow( pnReport* report, double value, const char* unit, pnBar bar, const char* format, ... )
{
	char name[NAME_SIZE];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( name, sizeof( name ), format, arguments );
	va_end( arguments );
	pnReport_Add( report, name, value, unit, bar );
}

bool pnRunCutBench( bool isQuick, pnReport* report )
{
	Case cases[] = {
		{ "5k", faceBall, 50, 50, false, 0.0 },	  { "20k", faceBall, 100, 100, false, 0.0 },   { "50k", faceBall, 200, 125, false, 0.0 },
		{ "200k", faceBall, 400, 250, false, 0.0 }, { "5k.skin", skinBall, 50, 50, false, 0.0 }, { "incision", faceBall, 50, 50, true, 0.0 },
		{ "incision.skin", skinBall, 50, 50, true, 0.0 },
	};
	enum
	{
		caseCount = sizeof( cases ) / sizeof( cases[0] )
	};
	bool good = true;
	pnProgress progress = pnStartProgress( caseCount );
	for ( int i = 0; i < caseCount; ++i )
	{
		good = Measure( cases + i, isQuick ? QUICK_SAMPLES : SAMPLES, &progress ) && good;
	}
	pnProgress_Finish( &progress );
	double base = cases[0].seconds / ( 2.0 * cases[0].around * cases[0].rings ), worst = 0.0;
	for ( int i = 0; i < caseCount; ++i )
	{
		if ( cases[i].seconds > 0.0 )
		{
			bool barred = strcmp( cases[i].name, "5k" ) == 0 || strcmp( cases[i].name, "incision" ) == 0;
			AddRow( report, 1e3 * cases[i].seconds, "ms", barred ? (pnBar){ pn_atMost, 4.0 } : noBar, "cut.%s.ms", cases[i].name );
		}
		else
		{
			char name[NAME_SIZE];
			snprintf( name, sizeof( name ), "cut.%s.ms", cases[i].name );
			pnReport_AddText( report, name, "not measured: a cut failed" );
		}
	}
	for ( int i = 1; i < 4; ++i )
	{
		double ratio = cases[i].seconds / ( 2.0 * cases[i].around * cases[i].rings ) / base;
		worst = ratio > worst ? ratio : worst;
		AddRow( report, ratio, "of 5k", noBar, "cut.linear.%s", cases[i].name );
	}
	AddRow( report, worst, "of 5k", (pnBar){ pn_atMost, 1.5 }, "cut.linear" );
	return good;
}
