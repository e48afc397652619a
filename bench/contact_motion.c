// contact_motion.c - rows about what moves: energy in a closed box, collisions, bounces, shots. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "contact_rows.h"

#include "../scenes/shape.h"

#include <math.h>
#include <stddef.h>

// ---- energy in a closed box ----

// Without damping, friction and gravity the energy of what bounces about may only fall.
void pnRunBox( pnContactCase* c )
{
	const int stepCount = c->quick ? 4000 : 100000; // substeps
	const float speed = 3.0f; // m/s along each axis, at most
	int presetCount, index = c->seed - 1;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	const char* preset = presets[index % presetCount];
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.enableSleep = false;
	def.gravity = 0.0f;
	def.friction = 0.0f;
	def.wall = 1.1f;
	def.lid = 2.2f;
	def.substeps = 1 << ( index + index / presetCount ) % 4; // every preset meets 1, 2, 4 and 8 in 32 cases
	bool isBall = index / 32 % 2 == 0;
	pnDescribe( c, "8 %s of %s, %d substeps", isBall ? "ellipsoids" : "cubes", preset, def.substeps );

	pnSolid* solid = NULL;
	c->result = isBall ? pnCreateEllipsoid( pnMakeVec3( 0.4f, 0.3f, 0.4f ), 131, 0, &solid )
					   : pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &solid );
	if ( c->result != pn_success )
	{
		return;
	}
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	for ( int i = 0; i < 8; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = solid;
		body.material = pnGetPreset( preset );
		body.material.dampingRatio = 0.0f;
		body.material.friction = 0.0f;
		body.transform.p = pnMakeVec3( ( i & 1 ) != 0 ? 0.55f : -0.55f, ( i & 2 ) != 0 ? 1.65f : 0.55f, ( i & 4 ) != 0 ? 0.55f : -0.55f );
		body.transform.q = pnDrawTurn( &c->random );
		body.velocity = pnDrawVec3( &c->random, speed );
		pnContactScene_Add( &scene, &body );
	}
	double start = 0.0, lowest = 0.0, most = 0.0, rise = 0.0, end = 0.0;
	bool isDone = true;
	int frameCount = stepCount / def.substeps;
	for ( int frame = 1; frame <= frameCount && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		pnContactLook look = pnContactScene_Look( &scene );
		end = look.kinetic + look.elastic;
		start = frame == 1 ? end : start;
		lowest = frame == 1 || end < lowest ? end : lowest;
		most = fmax( most, end );
		rise = fmax( rise, end - lowest );
	}
	if ( isDone )
	{
		pnScoreWorst( c, "growth", 100.0 * ( most / start - 1.0 ), "% of start", pnAtMost( 1.0 ) );
		pnScoreWorst( c, "rise", 100.0 * rise / start, "% of start", pnAtMost( 1.0 ) );
		pnScoreWorst( c, "end", 100.0 * end / start, "% of start", pn_noContactBar );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
	pnDestroySolid( solid );
}

// ---- collisions ----

// Two bodies meet in empty space: nothing else can change their momentum or their spin.
void pnRunCollide( pnContactCase* c )
{
	int presetCount;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	const char* preset = presets[( c->seed - 1 ) % presetCount];
	const float speed = powf( 20.0f, pnDrawFloat( &c->random, 0.0f, 1.0f ) ); // m/s
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.hasFloor = false;
	def.gravity = 0.0f;
	def.enableSleep = false;
	def.substeps = pnDrawSubsteps( c, 8 );
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	double size = 0.0;
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyDef body = pnHeapStock_Draw( c->stock, &c->random );
		body.material = pnGetPreset( preset );
		body.transform.q = pnDrawTurn( &c->random );
		body.transform.p = i == 0 ? pnMakeVec3( -0.9f, 0.0f, 0.0f )
								  : pnMakeVec3( 0.9f, pnDrawFloat( &c->random, -0.25f, 0.25f ), pnDrawFloat( &c->random, -0.25f, 0.25f ) );
		body.velocity.x = i == 0 ? speed : -0.5f * speed;
		int index = pnContactScene_Add( &scene, &body );
		size += scene.result == pn_success ? 0.5 * scene.bodies[index].diameter : 0.0;
	}
	pnContactLook before = pnContactScene_Look( &scene );
	double offMomentum = 0.0, offSpin = 0.0, leftSpin = 0.0; // the largest on the way; what is left once they are apart
	bool isDone = scene.result == pn_success, hasMet = false;
	for ( int frame = 1; frame <= 2 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		hasMet = hasMet || pnWorld_GetContactEvents( scene.world ).contactCount > 0;
		pnContactLook look = pnContactScene_Look( &scene );
		leftSpin = 0.0;
		for ( int k = 0; k < 3; ++k )
		{
			leftSpin = fmax( leftSpin, fabs( look.spin[k] - before.spin[k] ) );
			offMomentum = fmax( offMomentum, fabs( look.momentum[k] - before.momentum[k] ) );
			offSpin = fmax( offSpin, fabs( look.spin[k] - before.spin[k] ) );
		}
	}
	if ( isDone )
	{
		pnDescribe( c, "%d and %d points of %s, %.1f m/s, %d substeps%s", scene.bodies[0].pointCount, scene.bodies[1].pointCount, preset, (double)speed,
					def.substeps, hasMet ? "" : ", never met" );
		double scale = before.mass * (double)speed;
		pnScoreWorst( c, "momentum", offMomentum / scale, "of m v", pnAtMost( 1e-6 ) );
		pnScoreWorst( c, "spin", leftSpin / ( scale * size ), "of m v size", pnAtMost( 1e-4 ) );
		pnScoreWorst( c, "spin.while", offSpin / ( scale * size ), "of m v size", pn_noContactBar );
		pnScoreWorst( c, "met", hasMet ? 100.0 : 0.0, "%", pn_noContactBar );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
}

// ---- bounces ----

// How much of its fall a stiff ball gets back.
static bool DropBall( pnContactCase* c, const pnSolid* ball, pnMaterial material, float height, int substeps, double* share )
{
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.enableSleep = false;
	def.substeps = substeps;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	pnBodyDef body = pnDefaultBodyDef();
	body.solid = ball;
	body.material = material;
	body.transform.p.y = 0.4f + height;
	pnContactScene_Add( &scene, &body );
	double last = 0.0, apex = 0.0;
	bool isDone = scene.result == pn_success, isUp = false;
	for ( int frame = 1; frame <= 5 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		double y = (double)pnContactScene_GetState( &scene, 0 ).center.y;
		isUp = isUp || ( frame > 1 && y > last );
		apex = isUp ? fmax( apex, y ) : apex;
		last = y;
	}
	*share = ( apex - last ) / ( (double)body.transform.p.y - last ); // at last it lies still
	c->result = scene.result;
	pnCloseContactScene( &scene );
	return isDone;
}

void pnRunBounce( pnContactCase* c )
{
	static const char* const presets[] = { "wood", "steel", "rigid" };
	const char* preset = presets[( c->seed - 1 ) % 3];
	pnMaterial material = pnGetPreset( preset );
	material.hertz = fmaxf( material.hertz, 60.0f ); // stiff
	material.dampingRatio = 1.0f;
	float height = pnDrawFloat( &c->random, 0.5f, 2.0f ); // metres
	int substeps = pnDrawSubsteps( c, 8 );
	pnDescribe( c, "%s, %.2f m, %d substeps", preset, (double)height, substeps );
	pnSolid* ball = NULL;
	c->result = pnCreateContactBall( 0.4f, &ball );
	double none = 0.0, half = 0.0;
	if ( c->result == pn_success && DropBall( c, ball, material, height, substeps, &none ) )
	{
		material.restitution = 0.5f;
		if ( DropBall( c, ball, material, height, substeps, &half ) )
		{
			pnScoreWorst( c, "e0", 100.0 * none, "% of fall", pnAtMost( 2.0 ) );
			pnScoreWorst( c, "e05", fabs( half - 0.25 ), "off 0.25", pnAtMost( 0.03 ) );
		}
	}
	pnDestroySolid( ball );
}

// ---- shots ----

typedef enum Target
{
	slabTarget, // soft, held by its edge, facing the shot
	cubeTarget,
	ballTarget,
	shapeTarget, // what does not bend
	pileTarget,
	targetCount,
} Target;

static const char* const s_targetNames[] = { "slab", "cube", "ball", "shape", "pile" };

// A target and how far it reaches along x, y and z about its centre.
typedef struct Aim
{
	Target target;
	const char* name; // of the shape, or the preset
	pnVec3 reach;
	int body; // -1: the shape at the origin
} Aim;

// A slab is held by its edge: it faces the shot for good.
static pnResult HoldRim( const pnContactScene* scene, int body )
{
	enum
	{
		capacity = 3 * 9 * 9
	};
	pnVec3 points[capacity];
	int32_t rim[capacity];
	int rimCount = 0, count = pnBody_WritePoints( scene->world, scene->bodies[body].id, points, NULL, capacity );
	for ( int i = 0; i < count && i < capacity; ++i )
	{
		if ( fmaxf( fabsf( points[i].y ), fabsf( points[i].z ) ) > 0.49f )
		{
			rim[rimCount] = i;
			rimCount += 1;
		}
	}
	return pnBody_Pin( scene->world, scene->bodies[body].id, rim, NULL, rimCount );
}

static pnResult AddSoftTarget( pnContactCase* c, pnContactScene* scene, Aim* aim )
{
	int presetCount;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	aim->name = presets[pnDrawInt( &c->random, presetCount )];
	pnSolid* solid = NULL;
	pnResult result;
	if ( aim->target == slabTarget )
	{
		float thick = pnDrawFloat( &c->random, 0.05f, 0.3f );
		aim->reach = pnMakeVec3( 0.5f * thick, 0.5f, 0.5f );
		result = pnCreateContactBlock( pnMakeVec3( thick, 1.0f, 1.0f ), 3, 9, 9, &solid );
	}
	else if ( aim->target == cubeTarget )
	{
		aim->reach = pnMakeVec3( 0.25f, 0.25f, 0.25f );
		result = pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &solid );
	}
	else
	{
		aim->reach = pnMakeVec3( 0.4f, 0.4f, 0.4f );
		result = pnCreateContactBall( 0.4f, &solid );
	}
	if ( result == pn_success )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = solid;
		body.material = pnGetPreset( aim->name );
		aim->body = pnContactScene_Add( scene, &body );
	}
	if ( aim->target == slabTarget && result == pn_success && scene->result == pn_success )
	{
		result = HoldRim( scene, aim->body );
	}
	pnDestroySolid( solid );
	return result;
}

static pnResult AddShapeTarget( pnContactCase* c, pnContactScene* scene, Aim* aim )
{
	static const char* const names[] = { "plane", "sphere", "capsule", "box", "hull", "mesh", "height field" };
	static const pnShapeKind kinds[] = { pn_planeShape, pn_sphereShape, pn_capsuleShape, pn_boxShape, pn_hullShape, pn_meshShape, pn_heightShape };
	// a thin box as hull and as mesh
	pnVec3 corners[8];
	static const int32_t triangles[36] = {
		0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4, 2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5,
	};
	float heights[81] = { 0.0f };
	int kind = pnDrawInt( &c->random, 7 );
	float thin = pnDrawFloat( &c->random, 0.025f, 0.1f );
	aim->name = names[kind];
	pnShapeDef def = pnDefaultShapeDef();
	def.kind = kinds[kind];
	def.radius = def.kind == pn_sphereShape ? 0.4f : 0.2f;
	bool isFlat = def.kind == pn_planeShape || def.kind == pn_heightShape; // faces y: turned to face x
	bool isRound = def.kind == pn_sphereShape;
	aim->reach = isFlat                           ? pnMakeVec3( 0.0f, 0.9f, 0.9f )
				 : isRound                        ? pnMakeVec3( 0.4f, 0.4f, 0.4f )
				 : def.kind == pn_capsuleShape ? pnMakeVec3( 0.2f, 0.6f, 0.2f )
												  : pnMakeVec3( thin, 0.5f, 0.5f );
	def.halfExtents = def.kind == pn_capsuleShape ? pnMakeVec3( 0.0f, 0.5f, 0.0f ) : aim->reach;
	for ( int i = 0; i < 8; ++i )
	{
		corners[i] = pnMakeVec3( ( i & 1 ) != 0 ? thin : -thin, ( i & 2 ) != 0 ? 0.5f : -0.5f, ( i & 4 ) != 0 ? 0.5f : -0.5f );
	}
	def.points = corners;
	def.pointCount = 8;
	def.triangles = triangles;
	def.triangleCount = 12;
	def.heights = heights;
	def.heightCountX = 9;
	def.heightCountZ = 9;
	def.heightSpacing = 0.25f;
	if ( isFlat )
	{
		def.transform.q = pnSceneTurn( pnMakeVec3( 0.0f, 0.0f, 1.0f ), -1.5707963f ); // y to x
		def.transform.p = def.kind == pn_heightShape ? pnMakeVec3( 0.0f, 1.0f, -1.0f ) : def.transform.p;
	}
	pnShapeId id;
	return pnCreateShape( scene->world, &def, &id );
}

static void AddPileTarget( pnContactCase* c, pnContactScene* scene, Aim* aim )
{
	pnSolid* solid = NULL;
	scene->result = pnCreateEllipsoid( pnMakeVec3( 0.4f, 0.32f, 0.4f ), 131, 0, &solid );
	int presetCount;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	aim->name = presets[pnDrawInt( &c->random, presetCount )];
	for ( int i = 0; i < 12 && scene->result == pn_success; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = solid;
		body.material = pnGetPreset( aim->name );
		body.material.dampingRatio = fmaxf( body.material.dampingRatio, 0.4f );
		body.transform.p = pnMakeVec3( 0.9f * (float)( i % 2 ) - 0.45f, 0.4f + 0.8f * (float)( i / 4 ), 0.9f * (float)( i / 2 % 2 ) - 0.45f );
		body.transform.q = pnDrawTurn( &c->random );
		body.transform.p = pnAdd( body.transform.p, pnDrawVec3( &c->random, 0.02f ) );
		pnContactScene_Add( scene, &body );
	}
	pnDestroySolid( solid );
	pnContactScene_Run( scene, 2 * PN_CONTACT_RATE );
}

// Is the bullet behind what it was shot at, on a way through it? Once it is beside it, it may go where it likes.
static bool IsThrough( pnContactScene* scene, const Aim* aim, int bullet, bool* isBeside )
{
	pnVec3 place = pnContactScene_GetState( scene, bullet ).center;
	if ( aim->body < 0 )
	{
		*isBeside = *isBeside || fabsf( place.y ) > aim->reach.y || fabsf( place.z ) > aim->reach.z;
		return *isBeside == false && place.x < -0.5f * aim->reach.x - 0.01f;
	}
	// back where it came from, and on where it went, as the target has turned since
	pnQuat turn = pnContactScene_GetState( scene, aim->body ).transform.q;
	int back = pnContactScene_CountHits( scene, aim->body, place, pnRotate( turn, pnMakeVec3( 1.0f, 0.0f, 0.0f ) ) );
	int on = pnContactScene_CountHits( scene, aim->body, place, pnRotate( turn, pnMakeVec3( -1.0f, 0.0f, 0.0f ) ) );
	*isBeside = *isBeside || ( back == 0 && on == 0 );
	return *isBeside == false && on == 0 && back % 2 == 0;
}

void pnRunShots( pnContactCase* c )
{
	static const char* const bulletPresets[] = { "rubber", "wood", "steel" };
	Aim aim = { .target = (Target)( ( c->seed - 1 ) % targetCount ), .body = -1 };
	float speed = ( c->seed - 1 ) / targetCount % 2 == 0 ? 40.0f : 100.0f;
	pnContactSceneDef def = pnDefaultContactSceneDef();
	bool isPile = aim.target == pileTarget, isShape = aim.target == shapeTarget;
	def.hasFloor = isPile;
	def.wall = isPile ? 1.0f : 0.0f;
	def.gravity = isPile ? PN_CONTACT_GRAVITY : 0.0f;
	def.enableSleep = false;
	def.substeps = 1 << ( c->seed - 1 ) / ( 2 * targetCount ) % 3;
	const char* bulletPreset = bulletPresets[pnDrawInt( &c->random, 3 )];
	bool isBall = pnDrawInt( &c->random, 2 ) == 0;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	pnSolid* solid = NULL;
	pnResult result = isBall ? pnCreateEllipsoid( pnMakeVec3( 0.025f, 0.025f, 0.025f ), 40, 0, &solid )
							 : pnCreateContactBlock( pnMakeVec3( 0.05f, 0.05f, 0.05f ), 3, 3, 3, &solid );
	scene.result = scene.result == pn_success ? result : scene.result;
	if ( isPile && scene.result == pn_success )
	{
		AddPileTarget( c, &scene, &aim );
	}
	else if ( scene.result == pn_success )
	{
		result = isShape ? AddShapeTarget( c, &scene, &aim ) : AddSoftTarget( c, &scene, &aim );
		scene.result = scene.result == pn_success ? result : scene.result;
	}
	int firstBullet = scene.bodyCount, bulletCount = isPile ? 3 : 1;
	for ( int i = 0; i < bulletCount; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = solid;
		body.material = pnGetPreset( bulletPreset );
		body.transform.q = pnDrawTurn( &c->random );
		float aside = isPile ? 0.5f : 0.4f * fminf( aim.reach.y, aim.reach.z );
		float u = pnDrawFloat( &c->random, -aside, aside ), v = pnDrawFloat( &c->random, -aside, aside );
		body.transform.p = isPile ? pnMakeVec3( u, 4.0f + 0.5f * (float)i, v ) : pnMakeVec3( aim.reach.x + pnDrawFloat( &c->random, 0.5f, 2.0f ), u, v );
		body.velocity = isPile ? pnMakeVec3( 0.0f, -speed, 0.0f ) : pnMakeVec3( -speed, 0.0f, 0.0f );
		pnContactScene_Add( &scene, &body );
	}
	bool isDone = scene.result == pn_success, isBeside = false, isThrough = false;
	int drawn = 0, longest = 0; // frames beyond 1.6 of the size, without a break
	double widest = 1.0, widestBullet = 1.0;
	for ( int frame = 1; frame <= 2 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		double wide = pnContactScene_GetWidest( &scene, 1.0 );
		for ( int i = 0; i < bulletCount; ++i )
		{
			widestBullet = fmax( widestBullet, pnContactScene_GetDiameter( &scene, firstBullet + i ) );
		}
		widest = fmax( widest, wide );
		drawn = wide > 1.6 ? drawn + 1 : 0;
		longest = drawn > longest ? drawn : longest;
		isThrough = isThrough || ( isPile == false && IsThrough( &scene, &aim, firstBullet, &isBeside ) );
	}
	if ( isDone )
	{
		pnCheckResult inside = pnContactScene_Check( &scene );
		for ( int i = 0; i < bulletCount && isPile; ++i )
		{
			pnVec3 place = pnContactScene_GetState( &scene, firstBullet + i ).center;
			isThrough = isThrough || place.y < 0.0f || fabsf( place.x ) > def.wall || fabsf( place.z ) > def.wall;
		}
		pnDescribe( c, "5 cm %s of %s, %.0f m/s, into %s of %s, %d substeps; drawn out to %.2f, the bullet to %.2f", isBall ? "ball" : "cube", bulletPreset,
					(double)speed, s_targetNames[aim.target], aim.name, def.substeps, widest, widestBullet );
		pnScoreShare( c, "stopped", isThrough == false, 100.0 );
		pnScoreWorst( c, "drawn", (double)longest / PN_CONTACT_RATE, "s beyond 1.6", pnAtMost( 0.2 ) );
		pnScoreWorst( c, "diameter", widest, "of rest", pn_noContactBar );
		pnScoreShare( c, "clean", inside.deepCount == 0 && inside.isBroken == false, 100.0 );
	}
	c->result = c->result == pn_success ? scene.result : c->result;
	pnCloseContactScene( &scene );
	pnDestroySolid( solid );
}
