// contact_tangle.c - rows about bodies in each other: born so, held so, linked, or cut in place. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "contact_rows.h"

#include "stopwatch.h"

#include "../scenes/scenes.h"
#include "../scenes/shape.h"

#include <math.h>

// ---- overlapped starts ----

// Two bodies begin in each other, weightless and alone: they come apart gently and whole.
void pnRunOverlapped( pnContactCase* c )
{
	int presetCount;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	const char* preset = presets[( c->seed - 1 ) % presetCount];
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.hasFloor = false;
	def.gravity = 0.0f;
	def.enableSleep = false;
	def.substeps = pnDrawSubsteps( c, 8 );
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	float shift = pnDrawFloat( &c->random, 0.05f, 0.45f ); // metres between the centres
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyDef body = pnHeapStock_Draw( c->stock, &c->random );
		body.material = pnGetPreset( preset );
		body.transform.q = pnDrawTurn( &c->random );
		pnVec3 aside = pnRotate( pnDrawTurn( &c->random ), pnMakeVec3( shift, 0.0f, 0.0f ) );
		body.transform.p = i == 0 ? pnMakeVec3( 0.0f, 0.0f, 0.0f ) : aside;
		pnContactScene_Add( &scene, &body );
	}
	double widest = 1.0, speed = 0.0;
	bool isDone = scene.result == pn_success;
	for ( int frame = 1; frame <= 5 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		widest = pnContactScene_GetWidest( &scene, widest );
		speed = fmax( speed, pnContactScene_Look( &scene ).speed );
	}
	if ( isDone )
	{
		pnCheckResult inside = pnContactScene_Check( &scene );
		pnDescribe( c, "%d and %d points of %s, %.2f m apart, %d substeps, then %.2g of a size deep", scene.bodies[0].pointCount,
					scene.bodies[1].pointCount, preset, (double)shift, def.substeps, inside.maxShare );
		pnScoreWorst( c, "speed", speed, "m/s", pnAtMost( 2.0 ) );
		pnScoreWorst( c, "diameter", widest, "of rest", pnAtMost( 1.5 ) );
		pnScoreShare( c, "apart", inside.deepCount == 0 && inside.isBroken == false, 100.0 );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
}

// ---- held and pressed ----

#define PRESS 0.3f // metres that held parts are driven into each other
#define MAX_HELD 64 // points of one part

// Points of a body that are held, and where they were.
typedef struct Held
{
	int body, count;
	int32_t points[MAX_HELD];
	pnVec3 places[MAX_HELD];
} Held;

// Takes hold of what lies beyond a plane x = side * beyond.
static Held Hold( const pnContactScene* scene, int body, float center, float side, float beyond )
{
	Held held = { .body = body };
	pnVec3 points[512];
	int count = pnBody_WritePoints( scene->world, scene->bodies[body].id, points, NULL, 512 );
	for ( int i = 0; i < count && i < 512 && held.count < MAX_HELD; ++i )
	{
		if ( side * ( points[i].x - center ) >= beyond )
		{
			held.points[held.count] = i;
			held.places[held.count] = points[i];
			held.count += 1;
		}
	}
	return held;
}

// Turned about z through a place, then moved.
static void MoveHeld( pnContactScene* scene, const Held* held, pnVec3 about, float angle, pnVec3 move )
{
	pnVec3 targets[MAX_HELD];
	pnQuat turn = pnSceneTurn( pnMakeVec3( 0.0f, 0.0f, 1.0f ), angle );
	for ( int i = 0; i < held->count; ++i )
	{
		targets[i] = pnAdd( pnAdd( about, move ), pnRotate( turn, pnSub( held->places[i], about ) ) );
	}
	pnResult result = pnBody_Pin( scene->world, scene->bodies[held->body].id, held->points, targets, held->count );
	scene->result = scene->result == pn_success ? result : scene->result;
}

// Two bodies face each other along x, each held by the side towards the other; or one stick lies along x, held by both ends.
static void MakeHeld( pnContactScene* scene, int kind, const pnMaterial* material, uint32_t* random, Held held[2] )
{
	const float reach[3] = { 0.25f, 0.3f, 0.8f }; // metres: half a cube, a ball's radius, half the stick
	pnSolid* solid = NULL;
	pnBlockDef stick = {
		.size = { 1.6f, 0.2f, 0.2f },
		.points = { 17, 3, 3 },
		.cells = { 4, 1, 1 },
		.overlap = 0.3f,
		.omit = -1,
		.faced = true,
		.radius = 0.03f,
		.flatSteps = { 1, 1, 1 },
		.cornerSteps = 1,
		.density = 1000.0f,
	};
	pnResult result = kind == 0   ? pnCreateContactBlock( pnMakeVec3( 0.5f, 0.5f, 0.5f ), 5, 5, 5, &solid )
					  : kind == 1 ? pnCreateContactBall( 0.3f, &solid )
								  : pnCreateBlock( &stick, &solid );
	scene->result = scene->result == pn_success ? result : scene->result;
	int count = kind == 2 ? 1 : 2;
	for ( int i = 0; i < count && scene->result == pn_success; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = solid;
		body.material = *material;
		body.selfContact = kind == 2;
		float center = kind == 2 ? 0.0f : ( i == 0 ? -1.0f : 1.0f ) * ( reach[kind] + 0.01f );
		body.transform.p.x = center;
		if ( i == 1 )
		{
			body.transform.p.y = pnDrawFloat( random, -0.1f, 0.1f );
			body.transform.p.z = pnDrawFloat( random, -0.1f, 0.1f );
			body.transform.q = pnSceneTurn( pnMakeVec3( 1.0f, 0.0f, 0.0f ), pnDrawFloat( random, 0.0f, 6.28f ) );
		}
		pnContactScene_Add( scene, &body );
		if ( kind != 2 )
		{
			held[i] = Hold( scene, i, center, i == 0 ? 1.0f : -1.0f, kind == 0 ? 0.24f : 0.22f );
		}
	}
	if ( kind == 2 && scene->result == pn_success )
	{
		held[0] = Hold( scene, 0, 0.0f, -1.0f, 0.79f );
		held[1] = Hold( scene, 0, 0.0f, 1.0f, 0.79f );
	}
	pnDestroySolid( solid );
}

// Where the held parts are at a share of the way. The stick is bent like a bow to a half circle, then its ends are pressed together.
static void LeadHeld( pnContactScene* scene, int kind, const Held held[2], float share )
{
	const float length = 1.6f, thick = 0.2f, pi = 3.14159265f;
	for ( int i = 0; i < 2; ++i )
	{
		float side = i == 0 ? -1.0f : 1.0f;
		if ( kind != 2 )
		{
			MoveHeld( scene, held + i, pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0.0f, pnMakeVec3( -side * share * ( 0.5f * PRESS + 0.01f ), 0.0f, 0.0f ) );
			continue;
		}
		float bent = fminf( 1.0f, 2.0f * share ), pressed = fmaxf( 0.0f, 2.0f * share - 1.0f ), angle = 0.5f * pi * bent + 1e-3f;
		float radius = 0.5f * length / angle; // of the bow: its middle stays where it is
		pnVec3 end = pnMakeVec3( side * 0.5f * length, 0.0f, 0.0f );
		pnVec3 place = pnMakeVec3( side * radius * pnSceneSin( angle ), radius * ( 1.0f - pnSceneCos( angle ) ), 0.0f );
		place.x -= side * pressed * ( length / pi - 0.5f * thick + 0.5f * PRESS );
		MoveHeld( scene, held + i, end, side * angle, pnSub( place, end ) );
	}
}

void pnRunHeld( pnContactCase* c )
{
	static const char* const presets[] = { "rubber", "wood", "jelly", "flesh", "steel", "foam" };
	int kind = ( c->seed - 1 ) % 3;
	const char* preset = kind == 2 ? "wood" : presets[pnDrawInt( &c->random, 6 )]; // softer sticks do not unfold in 2 s, with or without contact
	pnMaterial material = pnGetPreset( preset );
	material.hertz *= pnDrawFloat( &c->random, 1.0f, 2.0f );
	material.yield = 0.0f; // what flows is not whole again
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.hasFloor = false;
	def.gravity = 0.0f;
	def.enableSleep = false;
	def.substeps = pnDrawSubsteps( c, 8 );
	pnDescribe( c, "%s of %s at %.0f Hz, %d substeps", kind == 0 ? "two cubes" : kind == 1 ? "two balls" : "a folded stick", preset, (double)material.hertz, def.substeps );
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	Held held[2];
	MakeHeld( &scene, kind, &material, &c->random, held );
	double widest = 1.0, speed = 0.0;
	bool isDone = scene.result == pn_success;
	for ( int frame = 1; frame <= 2 * PN_CONTACT_RATE && isDone; ++frame ) // pressed in a second, held for one
	{
		LeadHeld( &scene, kind, held, fminf( 1.0f, (float)frame / PN_CONTACT_RATE ) );
		isDone = pnCase_Step( c, &scene );
		widest = pnContactScene_GetWidest( &scene, widest );
	}
	for ( int i = 0; i < scene.bodyCount; ++i )
	{
		pnBody_Unpin( scene.world, scene.bodies[i].id, NULL, 0 );
	}
	for ( int frame = 1; frame <= 2 * PN_CONTACT_RATE && isDone; ++frame )
	{
		isDone = pnCase_Step( c, &scene );
		speed = fmax( speed, pnContactScene_Look( &scene ).speed );
	}
	if ( isDone )
	{
		double rest = scene.bodies[0].diameter, off = 0.0;
		for ( int i = 0; i < scene.bodyCount; ++i )
		{
			off = fmax( off, fabs( pnContactScene_GetDiameter( &scene, i ) - 1.0 ) );
		}
		pnCheckResult inside = pnContactScene_Check( &scene );
		pnScoreWorst( c, "diameter", widest * rest / ( rest + (double)PRESS ), "of rest + 0.3 m", pnAtMost( 1.5 ) );
		pnScoreWorst( c, "after", 100.0 * off, "% off rest", pnAtMost( 5.0 ) );
		pnScoreWorst( c, "speed", speed, "m/s", pn_noContactBar );
		pnScoreShare( c, "apart", inside.deepCount == 0 && inside.isBroken == false, 100.0 );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
}

// ---- linked rings ----

// The line through the middles of a torus's rings of points.
static void ReadCoreLine( const pnContactScene* scene, int body, pnVec3 line[PN_RING_AROUND] )
{
	pnVec3 points[PN_RING_AROUND * PN_RING_ACROSS];
	pnBody_WritePoints( scene->world, scene->bodies[body].id, points, NULL, PN_RING_AROUND * PN_RING_ACROSS );
	for ( int j = 0; j < PN_RING_AROUND; ++j )
	{
		line[j] = pnMakeVec3( 0.0f, 0.0f, 0.0f );
		for ( int i = 0; i < PN_RING_ACROSS; ++i )
		{
			line[j] = pnMulAdd( line[j], 1.0f / PN_RING_ACROSS, points[i + PN_RING_ACROSS * j] );
		}
	}
}

static bool AreLinked( const pnContactScene* scene )
{
	pnVec3 lines[2][PN_RING_AROUND];
	ReadCoreLine( scene, 0, lines[0] );
	ReadCoreLine( scene, 1, lines[1] );
	return pnGetLinkingNumber( lines[0], PN_RING_AROUND, lines[1], PN_RING_AROUND ) != 0;
}

// Two rings hang in each other and are pulled apart, more and more for a second, then for one with 50 times their weight.
void pnRunRings( pnContactCase* c )
{
	int presetCount;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	const char* preset = presets[( c->seed - 1 ) % presetCount];
	pnMaterial material = pnGetPreset( preset );
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.hasFloor = false;
	def.gravity = 0.0f;
	def.enableSleep = false;
	def.substeps = pnDrawSubsteps( c, 8 );
	const float radius = 0.5f, tube = pnDrawFloat( &c->random, 0.1f, 0.16f ); // metres
	pnSolid* torus = NULL;
	c->result = pnCreateContactTorus( radius, tube, &torus );
	if ( c->result != pn_success )
	{
		return;
	}
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	for ( int i = 0; i < 2; ++i )
	{
		pnBodyDef body = pnDefaultBodyDef();
		body.solid = torus;
		body.material = material;
		body.transform.p.x = i == 0 ? 0.0f : 2.0f * ( radius - tube ) - 0.03f; // tubes inside each other's hole, nearly touching
		body.transform.q = i == 0 ? pnIdentityQuat() : pnSceneTurn( pnMakeVec3( 1.0f, 0.0f, 0.0f ), 1.5707963f );
		pnContactScene_Add( &scene, &body );
	}
	bool wereLinked = scene.result == pn_success && AreLinked( &scene ), stayLinked = true;
	double widest = 1.0;
	bool isDone = scene.result == pn_success;
	for ( int frame = 1; frame <= 4 * PN_CONTACT_RATE && isDone; ++frame )
	{
		float share = frame <= 2 * PN_CONTACT_RATE ? fminf( 1.0f, (float)frame / PN_CONTACT_RATE ) : 0.0f;
		for ( int i = 0; i < 2 && share > 0.0f; ++i )
		{
			float force = share * 50.0f * PN_CONTACT_GRAVITY * pnContactScene_GetState( &scene, i ).mass;
			pnBody_ApplyForce( scene.world, scene.bodies[i].id, pnMakeVec3( i == 0 ? -force : force, 0.0f, 0.0f ) );
		}
		isDone = pnCase_Step( c, &scene );
		widest = pnContactScene_GetWidest( &scene, widest );
		stayLinked = stayLinked && AreLinked( &scene );
	}
	if ( isDone )
	{
		double off = fmax( fabs( pnContactScene_GetDiameter( &scene, 0 ) - 1.0 ), fabs( pnContactScene_GetDiameter( &scene, 1 ) - 1.0 ) );
		pnDescribe( c, "%s, tubes of %.2f m, %d substeps, pulled to %.2f of their size", preset, (double)tube, def.substeps, widest );
		pnScoreShare( c, "linked", wereLinked && stayLinked, 100.0 );
		// what yields keeps a part of its stretch
		pnScoreWorst( c, material.yield > 0.0f ? "after.plastic" : "after", 100.0 * off, "% off rest",
					  material.yield > 0.0f ? pn_noContactBar : pnAtMost( 5.0 ) );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
	pnDestroySolid( torus );
}

// ---- cut in place ----

// What the scene `cuts` begins with is cut by 30 planes where it lies, and left alone for 5 s.
void pnRunCuts( pnContactCase* c )
{
	enum
	{
		cutCount = 30,
		frameCount = 5 * PN_CONTACT_RATE
	};
	const pnScene* cuts = pnFindScene( "cuts" );
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.hasFloor = false; // the scene has its own
	def.substeps = cuts->substeps;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	scene.walls[0] = (pnCheckWall){ { 0.0, 1.0, 0.0 }, 0.0 };
	scene.wallCount = 1;
	scene.result = scene.result == pn_success ? cuts->create( scene.world ) : scene.result;
	pnContactScene_Run( &scene, PN_CONTACT_RATE );
	for ( int i = 0; i < cutCount && scene.result == pn_success; ++i )
	{
		pnCutDef cut = pnDefaultCutDef();
		bool isMelon = pnDrawInt( &c->random, 2 ) == 0;
		cut.point = pnAdd( isMelon ? pnMakeVec3( -0.7f, 0.5f, 0.0f ) : pnMakeVec3( 0.8f, 0.2f, 0.0f ), pnDrawVec3( &c->random, 0.35f ) );
		cut.normal = pnRotate( pnDrawTurn( &c->random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
		scene.result = pnWorld_Cut( scene.world, &cut, NULL );
	}
	if ( scene.result == pn_success )
	{
		pnContactScene_Adopt( &scene );
	}
	int pieceCount = scene.bodyCount, early = 0, late = 0, frame = 0;
	bool isDone = scene.result == pn_success;
	double sum = 0.0, peak = 0.0;
	while ( frame < frameCount && isDone )
	{
		double start = pnGetCpuSeconds();
		isDone = pnCase_Step( c, &scene );
		double took = 1e3 * ( pnGetCpuSeconds() - start );
		sum += took;
		peak = fmax( peak, took );
		frame += 1;
		late = pnWorld_GetProfile( scene.world ).awakeCount;
		early = frame == PN_CONTACT_RATE ? late : early;
	}
	pnDescribe( c, "%d pieces, %d awake after 1 s, %d after %.1f s", pieceCount, early, late, (double)frame / PN_CONTACT_RATE );
	if ( isDone || c->isGivenUp )
	{
		pnScoreWorst( c, "ms", sum / frame, "ms", pnAtMost( 20.0 ) );
		pnScoreWorst( c, "peak_ms", peak, "ms", pn_noContactBar );
		pnScoreWorst( c, "pieces", pieceCount, "pieces", pn_noContactBar );
	}
	if ( isDone )
	{
		pnCheckResult inside = pnContactScene_Check( &scene );
		pnScoreShare( c, "calming", late < early || late == 0, 100.0 );
		pnScoreWorst( c, "awake", 100.0 * late / fmax( 1.0, pieceCount ), "% after 5 s", pn_noContactBar );
		pnScoreWorst( c, "depth", 100.0 * inside.maxShare, "% of size", pnAtMost( 1.0 ) );
	}
	c->result = scene.result;
	pnCloseContactScene( &scene );
}
