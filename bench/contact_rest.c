// contact_rest.c - rows about coming to rest: heaps, stacks, floors, slopes, loads. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "contact_rows.h"

#include "stopwatch.h"

#include "../scenes/scenes.h"
#include "../scenes/shape.h"

#include <math.h>
#include <stddef.h>

#define NEVER 99.0 // seconds, of what did not happen while it was watched

// ---- heaps ----

typedef struct HeapEnd
{
	double widest; // largest diameter over rest after the first second
	double early, late; // J/kg, mean over the sixth second and the tenth, by the velocities of points
	double asleep; // seconds, or NEVER
	pnCheckResult inside;
	int cloudCount; // points of bodies without a known surface that are deep in others
	int points[2]; // of the body whose vertex is deepest, and of that it is in, 0 for a wall: tells kinds apart
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
			*mean += pnContactScene_GetMotion( &scene ) / PN_CONTACT_RATE;
		}
	}
	end->inside = pnContactScene_Check( &scene );
	end->cloudCount = (int)pnContactScene_CheckClouds( &scene ).deepCount;
	for ( int i = 0; i < 2 && end->inside.maxShare > 0.0; ++i )
	{
		int body = end->inside.deepest[i];
		end->points[i] = body >= 0 ? scene.bodies[body].pointCount : 0;
	}
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
	pnDescribe( c, "%lld vertices deep, the deepest %.2g of a size, %d points in %d", (long long)end.inside.deepCount, end.inside.maxShare, end.points[0],
				end.points[1] );
	pnScoreWorst( c, "diameter", end.widest, "of rest", pnAtMost( 1.5 ) );
	pnScoreShare( c, "asleep", end.asleep < NEVER, 90.0 );
	pnScoreShare( c, "clean", end.inside.deepCount == 0 && end.inside.isBroken == false, 99.0 );
	pnScoreWorst( c, "cloud_points", end.cloudCount, "points deep", pn_noContactBar );
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
	pnDescribe( c, "%.2g J/kg in the tenth second, the deepest %.2g of a size, %d points in %d", end.late, end.inside.maxShare, end.points[0], end.points[1] );
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
	const float side = 0.5f, jitter = c->seed == 1 ? 0.0f : 0.005f; // metres; the first is exact
	const float twist = c->seed == 1 ? 0.0f : 0.03f; // radians
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.substeps = stack->substeps;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	float turn = c->seed == 1 ? 0.0f : pnDrawFloat( &c->random, 0.0f, 1.5f );
	for ( int i = 0; i < stack->count; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = cube;
		body.material = pnGetPreset( stack->preset );
		body.transform.p.x = pnDrawFloat( &c->random, -jitter, jitter );
		body.transform.p.y = side * ( 0.52f + 1.03f * (float)i );
		body.transform.p.z = pnDrawFloat( &c->random, -jitter, jitter );
		body.transform.q = pnSceneTurn( pnMakeVec3( 0.0f, 1.0f, 0.0f ), turn + pnDrawFloat( &c->random, -twist, twist ) );
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

// What has lain for 14 seconds weighs on the floor what it weighs.
void pnRunFloor( pnContactCase* c )
{
	enum
	{
		first = 14 * PN_CONTACT_RATE, // the softest has swung out by then
		frameCount = 16 * PN_CONTACT_RATE
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
	def.substeps = pnDrawSubsteps( c, 8 );
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
		// what is round may still rock
		pnScoreWorst( c, isBall ? "round.deviation" : "deviation", 100.0 * deviation / weight, "% of weight", isBall ? pn_noContactBar : pnAtMost( 0.05 ) );
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

// A cube on a plane of this slope for so many seconds.
static bool SlideCube( pnContactCase* c, const pnSolid* cube, pnMaterial material, float tangent, int seconds, int substeps, Slide* slide )
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
	for ( int frame = 1; frame <= seconds * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		int left = seconds * PN_CONTACT_RATE - frame;
		int index = left == 3 * PN_CONTACT_RATE ? 0 : left == 3 * PN_CONTACT_RATE / 2 ? 1 : 2;
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
	int substeps = pnDrawSubsteps( c, 8 );
	pnDescribe( c, "%s, friction %.3f, slopes %.3f and %.3f, %d substeps", preset, (double)material.friction, (double)gentle, (double)steep, substeps );
	pnSolid* cube = NULL;
	c->result = pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &cube );
	Slide down, rest;
	if ( c->result == pn_success && SlideCube( c, cube, material, steep, 5, substeps, &down ) &&
		 SlideCube( c, cube, material, gentle, 25, substeps, &rest ) ) // rubber swings for 20 s
	{
		double slope = (double)steep, expected = (double)PN_CONTACT_GRAVITY * ( slope - (double)material.friction ) / sqrt( 1.0 + slope * slope );
		pnScoreWorst( c, "slide", 100.0 * fabs( down.acceleration / expected - 1.0 ), "% off", pnAtMost( 0.5 ) );
		pnScoreWorst( c, "creep", rest.speed, "m/s", pnAtMost( 1e-4 ) );
	}
	pnDestroySolid( cube );
}

// ---- light under heavy ----

// A light cube under a heavy plate, or between two, in a shaft without friction that keeps the plates level: it is squashed, not drawn
// out, and is whole again once they are gone.
void pnRunMasses( pnContactCase* c )
{
	static const char* const presets[] = { "jelly", "rubber", "flesh", "wood" };
	const float side = 0.5f, width = 0.8f, height = 0.3f; // metres, of the cube and of the plates
	const char* preset = presets[( c->seed - 1 ) % 4];
	bool isBetween = ( c->seed - 1 ) / 4 % 2 == 1;
	float ratio = c->seed <= 8 ? 1000.0f : powf( 10.0f, pnDrawFloat( &c->random, 1.0f, 3.0f ) );
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.enableSleep = false;
	def.friction = 0.0f;
	def.wall = 0.5f * width + 0.02f;
	def.substeps = c->seed <= 8 ? 4 : pnDrawSubsteps( c, 8 );
	pnSolid *cube = NULL, *plate = NULL;
	pnResult cubeResult = pnCreateContactBlock( pnMakeVec3( side, side, side ), 5, 5, 5, &cube );
	pnResult plateResult = pnCreateContactBlock( pnMakeVec3( width, height, width ), 5, 3, 5, &plate );
	c->result = cubeResult == pn_success ? plateResult : cubeResult;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	int count = isBetween ? 3 : 2, light = isBetween ? 1 : 0;
	float top = 0.01f;
	for ( int i = 0; i < count && c->result == pn_success; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		bool isLight = i == light;
		body.solid = isLight ? cube : plate;
		body.material = pnGetPreset( isLight ? preset : "steel" );
		float heavy = ratio * pnGetPreset( preset ).density * side * side * side / ( width * height * width );
		body.material.density = isLight ? body.material.density : heavy;
		float half = 0.5f * ( isLight ? side : height );
		body.transform.p.y = top + half;
		top += 2.0f * half + 0.015f;
		pnContactScene_Add( &scene, &body );
	}
	double widest = 1.0, speed = 0.0;
	bool isDone = c->result == pn_success && scene.result == pn_success;
	for ( int frame = 1; frame <= 4 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		widest = fmax( widest, pnContactScene_GetDiameter( &scene, light ) );
		speed = fmax( speed, pnContactScene_Look( &scene ).speed );
	}
	if ( isDone )
	{
		pnBodyState loaded = pnContactScene_GetState( &scene, light );
		pnCheckResult inside = pnContactScene_Check( &scene );
		for ( int i = 0; i < count; ++i )
		{
			if ( i != light )
			{
				pnDestroyBody( scene.world, scene.bodies[i].id );
			}
		}
		for ( int frame = 1; frame <= 3 * PN_CONTACT_RATE && isDone; ++frame )
		{
			isDone = pnCase_Step( c, &scene );
		}
		double after = pnContactScene_GetDiameter( &scene, light );
		pnDescribe( c, "%s %s, 1:%.0f, %d substeps, %.2f high under load, deepest %.2g of a size", preset, isBetween ? "between" : "below", (double)ratio,
					def.substeps, (double)( loaded.bounds.upper.y - loaded.bounds.lower.y ) / (double)side, inside.maxShare );
		pnScoreWorst( c, "diameter", widest, "of rest", pnAtMost( 1.7 ) );
		pnScoreWorst( c, "speed", speed, "m/s", pn_noContactBar );
		pnScoreShare( c, "clean", inside.deepCount == 0 && inside.isBroken == false, 100.0 );
		pnScoreWorst( c, "after", 100.0 * fabs( after - 1.0 ), "% off rest", pnAtMost( 5.0 ) );
	}
	c->result = c->result == pn_success ? scene.result : c->result;
	pnCloseContactScene( &scene );
	pnDestroySolid( cube );
	pnDestroySolid( plate );
}

// ---- a filled cube on the floor ----

void pnRunSink( pnContactCase* c )
{
	const float side = 0.6f; // metres
	float spacing = c->seed == 1 ? 0.065f : pnDrawFloat( &c->random, 0.045f, 0.065f );
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.enableSleep = false;
	def.substeps = c->seed == 1 ? 4 : pnDrawSubsteps( c, 16 );
	pnSolid* cube = NULL;
	c->result = pnCreateFilledCube( side, 6, spacing, &cube );
	if ( c->result != pn_success )
	{
		return;
	}
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	pnBodyDef body = pnDefaultBodyDef();
	body.solid = cube;
	body.material = pnGetPreset( "jelly" );
	body.transform.p.y = 0.5f * side + 0.01f;
	pnContactScene_Add( &scene, &body );
	pnDescribe( c, "jelly filled every %.3f m, %d points, %d substeps", (double)spacing, scene.bodyCount > 0 ? scene.bodies[0].pointCount : 0, def.substeps );
	double lowest = 0.0;
	bool isDone = scene.result == pn_success;
	for ( int frame = 1; frame <= 3 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		lowest = fmin( lowest, (double)pnContactScene_GetState( &scene, 0 ).bounds.lower.y );
	}
	if ( isDone )
	{
		pnScoreWorst( c, "depth", -100.0 * lowest / (double)side, "% of side", pnAtMost( 1.0 ) );
		pnScoreWorst( c, "diameter", pnContactScene_GetDiameter( &scene, 0 ), "of rest", pnAtMost( 1.5 ) );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
	pnDestroySolid( cube );
}

// ---- the scene `heap`, as it is ----

void pnRunHeapScene( pnContactCase* c )
{
	const pnScene* heap = pnFindScene( "heap" );
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.hasFloor = false;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	scene.result = scene.result == pn_success ? heap->create( scene.world ) : scene.result;
	if ( scene.result == pn_success )
	{
		pnContactScene_Adopt( &scene );
	}
	double seconds = 0.0, widest = 1.0;
	for ( int frame = 1; frame <= heap->frames && scene.result == pn_success; ++frame )
	{
		double start = pnGetCpuSeconds();
		scene.result = pnStepScene( heap, scene.world, frame, 1.0f / heap->rate, heap->substeps );
		seconds += pnGetCpuSeconds() - start;
		widest = frame > PN_CONTACT_RATE ? pnContactScene_GetWidest( &scene, widest ) : widest;
	}
	pnDescribe( c, "the scene heap, %d frames", heap->frames );
	pnScoreWorst( c, "ms", 1e3 * seconds / heap->frames, "ms", pnAtMost( 1.5 ) );
	pnScoreWorst( c, "diameter", widest, "of rest", pnAtMost( 1.5 ) );
	c->result = scene.result;
	pnCloseContactScene( &scene );
}
