// contact_rest.c - rows about coming to rest: heaps, stacks, floors, slopes. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "contact_rows.h"

#include "../scenes/shape.h"

#include <math.h>
#include <stddef.h>

#define NEVER 99.0 // seconds, of what did not happen while it was watched

// ---- heaps ----

typedef struct HeapEnd
{
	double widest; // largest diameter over rest after the first second
	double early, late; // J, mean kinetic energy over the sixth second and the tenth
	double asleep; // seconds, or NEVER
	pnCheckResult inside;
} HeapEnd;

static bool DropHeap( pnContactCase* c, const char* const* presets, int presetCount, HeapEnd* end )
{
	enum
	{
		bodyCount = 60,
		frameCount = 10 * PN_CONTACT_RATE
	};
	*end = (HeapEnd){ .widest = 1.0, .asleep = NEVER };
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.wall = PN_HEAP_WALL;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	pnFillHeap( &scene, c->stock, &c->random, bodyCount, presets, presetCount );
	bool isDone = true;
	for ( int frame = 1; frame <= frameCount && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		int awakeCount = pnWorld_GetProfile( scene.world ).awakeCount;
		end->asleep = awakeCount > 0 ? NEVER : end->asleep == NEVER ? (double)frame / PN_CONTACT_RATE : end->asleep;
		end->widest = frame > PN_CONTACT_RATE ? pnContactScene_GetWidest( &scene, end->widest ) : end->widest;
		int second = ( frame - 1 ) / PN_CONTACT_RATE;
		if ( second == 5 || second == 9 )
		{
			double* mean = second == 5 ? &end->early : &end->late;
			*mean += pnContactScene_Look( &scene ).kinetic / PN_CONTACT_RATE;
		}
	}
	end->inside = pnContactScene_Check( &scene );
	c->result = scene.result;
	pnCloseContactScene( &scene );
	return isDone;
}

void pnRunHeaps( pnContactCase* c )
{
	HeapEnd end;
	if ( DropHeap( c, NULL, 0, &end ) == false )
	{
		return;
	}
	pnDescribe( c, "60 bodies, %lld vertices deep, the deepest %.2g of a size", (long long)end.inside.deepCount, end.inside.maxShare );
	pnScoreWorst( c, "diameter", end.widest, "of rest", pnAtMost( 1.5 ) );
	pnScoreShare( c, "asleep", end.asleep < NEVER, 90.0 );
	pnScoreShare( c, "clean", end.inside.deepCount == 0 && end.inside.isBroken == false, 99.0 );
}

void pnRunPresets( pnContactCase* c )
{
	static const char* const presets[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood", "steel" }; // foam to steel is 1:130
	HeapEnd end;
	if ( DropHeap( c, presets, sizeof( presets ) / sizeof( presets[0] ), &end ) == false )
	{
		return;
	}
	double inside = end.inside.isBroken ? 100.0 : 100.0 * (double)end.inside.insideCount / (double)end.inside.sampleCount;
	pnDescribe( c, "60 bodies, %.3g J in the tenth second, the deepest %.2g of a size", end.late, end.inside.maxShare );
	pnScoreWorst( c, "diameter", end.widest, "of rest", pnAtMost( 1.7 ) );
	pnScoreWorst( c, "inside", inside, "% of vertices", pnAtMost( 0.2 ) );
	pnScoreWorst( c, "kinetic", end.late > 0.0 ? end.late / end.early : 0.0, "of 4 s before", pnAtMost( 1.0 ) );
	pnScoreShare( c, "asleep", end.asleep < NEVER, 50.0 );
}

// ---- stacks ----

typedef struct StackDef
{
	const char *preset, *height, *asleep; // names of its scores
	int count, substeps;
} StackDef;

static void Stack( pnContactCase* c, const pnSolid* cube, const StackDef* stack )
{
	const float side = 0.5f, jitter = 0.005f; // metres
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.substeps = stack->substeps;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	float turn = pnDrawFloat( &c->random, 0.0f, 1.5f );
	for ( int i = 0; i < stack->count; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = cube;
		body.material = pnGetPreset( stack->preset );
		body.transform.p.x = pnDrawFloat( &c->random, -jitter, jitter );
		body.transform.p.y = side * ( 0.52f + 1.03f * (float)i );
		body.transform.p.z = pnDrawFloat( &c->random, -jitter, jitter );
		body.transform.q = pnSceneTurn( pnMakeVec3( 0.0f, 1.0f, 0.0f ), turn + pnDrawFloat( &c->random, -0.03f, 0.03f ) );
		pnContactScene_Add( &scene, &body );
	}
	double asleep = NEVER;
	bool isDone = true;
	for ( int frame = 1; frame <= 10 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		bool isAwake = pnWorld_GetProfile( scene.world ).awakeCount > 0;
		asleep = isAwake ? NEVER : asleep == NEVER ? (double)frame / PN_CONTACT_RATE : asleep;
	}
	bool stands = true;
	double top = 0.0, below = 0.0;
	for ( int i = 0; i < stack->count; ++i )
	{
		pnBodyState state = pnContactScene_GetState( &scene, i );
		double aside = hypot( (double)state.center.x, (double)state.center.z );
		stands = stands && aside < 0.5 * side && (double)state.center.y > below + 0.2 * side;
		below = (double)state.center.y;
		top = fmax( top, (double)state.bounds.upper.y );
	}
	if ( isDone )
	{
		double error = stands ? 100.0 * fabs( top / ( (double)side * stack->count ) - 1.0 ) : 100.0;
		pnScoreWorst( c, stack->height, error, "% off", pnAtMost( 3.0 ) );
		pnScoreWorst( c, stack->asleep, asleep, "s", pnAtMost( 10.0 ) );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
}

void pnRunStacks( pnContactCase* c )
{
	static const StackDef stacks[] = {
		{ "rubber", "rubber2.height", "rubber2.asleep", 2, 4 },
		{ "wood", "wood6.height", "wood6.asleep", 6, 4 },
		{ "steel", "steel10.height", "steel10.asleep", 10, 4 },
		{ "wood", "wood4.one.height", "wood4.one.asleep", 4, 1 },
		{ "steel", "steel4.one.height", "steel4.one.asleep", 4, 1 },
	};
	pnSolid* cube = NULL;
	c->result = pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &cube );
	pnDescribe( c, "cubes of 0.5 m; a height 100 %% off has fallen, asleep %g is never", NEVER );
	for ( size_t i = 0; i < sizeof( stacks ) / sizeof( stacks[0] ) && c->result == pn_success && c->isGivenUp == false; ++i )
	{
		Stack( c, cube, stacks + i );
	}
	pnDestroySolid( cube );
}

// ---- the floor's force ----

static int DrawSubsteps( pnContactCase* c, int largest )
{
	int choices = 1;
	while ( 1 << choices <= largest )
	{
		choices += 1;
	}
	return 1 << pnDrawInt( &c->random, choices );
}

// What lies still for ten seconds weighs on the floor what it weighs.
void pnRunFloor( pnContactCase* c )
{
	enum
	{
		first = 8 * PN_CONTACT_RATE,
		frameCount = 10 * PN_CONTACT_RATE
	};
	int presetCount;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	const char* preset = presets[( c->seed - 1 ) % presetCount];
	pnMaterial material = pnGetPreset( preset );
	bool isStiff = material.hertz >= 20.0f;
	bool isBall = pnDrawInt( &c->random, 3 ) == 0;
	int count = isBall || isStiff == false ? 1 : 1 + pnDrawInt( &c->random, 3 );
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.enableSleep = false;
	def.substeps = DrawSubsteps( c, 8 );
	pnDescribe( c, "%d %s of %s, %d substeps", count, isBall ? "ellipsoid" : "cube", preset, def.substeps );

	pnSolid* solid = NULL;
	c->result = isBall ? pnCreateEllipsoid( pnMakeVec3( 0.5f, 0.3f, 0.4f ), 131, 0, &solid )
					   : pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &solid );
	if ( c->result != pn_success )
	{
		return;
	}
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	for ( int i = 0; i < count; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = solid;
		body.material = material;
		body.transform.p.y = ( isBall ? 0.31f : 0.26f ) + 0.515f * (float)i;
		body.transform.q = pnSceneTurn( pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnDrawFloat( &c->random, 0.0f, 6.28f ) );
		pnContactScene_Add( &scene, &body );
	}
	double sum = 0.0, squares = 0.0;
	bool isDone = true;
	for ( int frame = 0; frame < frameCount && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		pnShapeState state = { 0 };
		pnShape_GetState( scene.world, scene.floor, &state );
		double force = -(double)PN_CONTACT_RATE * (double)state.impulse.y;
		sum += frame >= first ? force : 0.0;
		squares += frame >= first ? force * force : 0.0;
	}
	if ( isDone )
	{
		int samples = frameCount - first;
		double weight = (double)PN_CONTACT_GRAVITY * pnContactScene_Look( &scene ).mass, mean = sum / samples;
		double deviation = sqrt( fmax( 0.0, squares / samples - mean * mean ) );
		pnScoreWorst( c, "mean", 100.0 * fabs( mean / weight - 1.0 ), "% off weight", pnAtMost( 0.1 ) );
		pnScoreWorst( c, "deviation", 100.0 * deviation / weight, "% of weight", pnAtMost( 0.05 ) );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
	pnDestroySolid( solid );
}

// ---- friction ----

typedef struct Slide
{
	double speed; // m/s, mean over the last 1.5 s
	double acceleration; // m/s^2, between two halves of the last 3 s
} Slide;

// A cube on a plane of this slope for 5 s.
static bool SlideCube( pnContactCase* c, const pnSolid* cube, pnMaterial material, float tangent, int substeps, Slide* slide )
{
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.hasFloor = false;
	def.enableSleep = false;
	def.substeps = substeps;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	pnShapeDef plane = pnDefaultShapeDef();
	plane.friction = material.friction;
	plane.transform.q = pnSceneTilt( pnMakeVec3( -tangent, 1.0f, 0.0f ) );
	pnShapeId id;
	scene.result = scene.result == pn_success ? pnCreateShape( scene.world, &plane, &id ) : scene.result;
	pnBodyDef body = pnDefaultBodyDef();
	body.solid = cube;
	body.material = material;
	body.transform.q = plane.transform.q;
	body.transform.p = pnRotate( plane.transform.q, pnMakeVec3( 0.0f, 0.256f, 0.0f ) );
	pnContactScene_Add( &scene, &body );

	const double half = 1.5; // seconds
	pnVec3 places[3] = { { 0 } };
	bool isDone = true;
	for ( int frame = 1; frame <= 5 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		int index = frame == 2 * PN_CONTACT_RATE ? 0 : frame == 7 * PN_CONTACT_RATE / 2 ? 1 : 2;
		places[index] = pnContactScene_GetState( &scene, 0 ).center;
	}
	pnVec3 first = pnSub( places[1], places[0] ), last = pnSub( places[2], places[1] );
	double firstWay = sqrt( (double)pnDot( first, first ) ), lastWay = sqrt( (double)pnDot( last, last ) );
	*slide = (Slide){ .speed = lastWay / half, .acceleration = ( lastWay - firstWay ) / ( half * half ) };
	c->result = scene.result;
	pnCloseContactScene( &scene );
	return isDone;
}

void pnRunFriction( pnContactCase* c )
{
	static const char* const presets[] = { "rubber", "wood", "steel" };
	const char* preset = presets[( c->seed - 1 ) % 3];
	pnMaterial material = pnGetPreset( preset );
	material.friction = pnDrawFloat( &c->random, 0.3f, 0.5f );
	float steep = material.friction * pnDrawFloat( &c->random, 1.1f, 1.4f ), gentle = material.friction * pnDrawFloat( &c->random, 0.5f, 0.97f );
	int substeps = DrawSubsteps( c, 8 );
	pnDescribe( c, "%s, friction %.3f, slopes %.3f and %.3f, %d substeps", preset, (double)material.friction, (double)gentle, (double)steep, substeps );
	pnSolid* cube = NULL;
	c->result = pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &cube );
	Slide down, rest;
	if ( c->result == pn_success && SlideCube( c, cube, material, steep, substeps, &down ) && SlideCube( c, cube, material, gentle, substeps, &rest ) )
	{
		double slope = (double)steep, expected = (double)PN_CONTACT_GRAVITY * ( slope - (double)material.friction ) / sqrt( 1.0 + slope * slope );
		pnScoreWorst( c, "slide", 100.0 * fabs( down.acceleration / expected - 1.0 ), "% off", pnAtMost( 0.5 ) );
		pnScoreWorst( c, "creep", rest.speed, "m/s", pnAtMost( 1e-4 ) );
	}
	pnDestroySolid( cube );
}
