// contact_shafts.c - the row about columns of like bodies in a narrow shaft: balls, cubes, tori, slabs. Knows the public library only.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "contact_rows.h"

#include "stopwatch.h"

#include "../scenes/shape.h"

#include <math.h>

#define NEVER 99.0 // seconds
#define CALM 1e-3 // J/kg below which what moves is called still
#define FEED 15 // frames from one body to the next, fed gently
#define WATCH 20 // seconds after the last one is in

typedef enum Kind
{
	ballKind,
	cubeKind,
	torusKind,
	slabKind,
	kindCount,
} Kind;

static const char* const s_kindNames[] = { "balls", "cubes", "tori", "slabs" };

typedef struct Shaft
{
	Kind kind;
	const char* preset;
	int count;
	int columns; // along x and along z
	bool isFed; // one after the other from just above; else all dropped together
	int substeps;
	float width, height; // metres, of a body
	float tube; // metres, of a torus
	float room; // half of a column's place, over half a body's width
} Shaft;

static Shaft DrawShaft( pnContactCase* c )
{
	int presetCount;
	const char* const* presets = pnGetMaterialNames( &presetCount );
	Shaft shaft = { .kind = (Kind)( ( c->seed - 1 ) % kindCount ), .preset = presets[( c->seed - 1 + ( c->seed - 1 ) / kindCount ) % presetCount] };
	shaft.count = (int)( 4.0f * powf( 15.0f, pnDrawFloat( &c->random, 0.0f, 1.0f ) ) + 0.5f ); // 4 to 60, few oftener than many
	shaft.columns = shaft.count > 20 ? 2 : 1 + pnDrawInt( &c->random, 2 );
	shaft.isFed = pnDrawInt( &c->random, 2 ) == 0;
	shaft.substeps = pnDrawSubsteps( c, 16 );
	shaft.room = pnDrawFloat( &c->random, 1.08f, 1.3f );
	if ( shaft.kind == ballKind )
	{
		shaft.width = shaft.height = pnDrawFloat( &c->random, 0.5f, 0.84f );
	}
	else if ( shaft.kind == cubeKind )
	{
		shaft.width = shaft.height = pnDrawFloat( &c->random, 0.4f, 0.7f );
	}
	else if ( shaft.kind == torusKind )
	{
		float slender = pnDrawFloat( &c->random, 2.0f, 4.0f ); // R/r
		shaft.tube = 0.42f / ( slender + 1.0f );
		shaft.width = 0.84f;
		shaft.height = 2.0f * shaft.tube;
	}
	else
	{
		shaft.width = 0.7f;
		shaft.height = pnDrawFloat( &c->random, 0.05f, 0.125f );
	}
	return shaft;
}

static pnResult CreateShaftSolid( const Shaft* shaft, pnSolid** solid )
{
	float w = shaft->width, h = shaft->height;
	switch ( shaft->kind )
	{
	case ballKind:
		return pnCreateContactBall( 0.5f * w, solid );
	case cubeKind:
		return pnCreateContactBlock( pnMakeVec3( w, h, w ), 5, 5, 5, solid );
	case torusKind:
		return pnCreateContactTorus( 0.5f * w - shaft->tube, shaft->tube, solid );
	default:
		return pnCreateContactBlock( pnMakeVec3( w, h, w ), 7, 3, 7, solid );
	}
}

static void AddTo( pnContactScene* scene, const Shaft* shaft, const pnSolid* solid, uint32_t* random, float y )
{
	int index = scene->bodyCount % ( shaft->columns * shaft->columns );
	float cell = shaft->room * shaft->width, slack = 0.4f * ( cell - shaft->width ), first = -0.5f * (float)( shaft->columns - 1 );
	pnBodyDef body = pnDefaultBodyDef();
	body.solid = solid;
	body.material = pnGetPreset( shaft->preset );
	body.transform.p.x = cell * ( first + (float)( index % shaft->columns ) ) + pnDrawFloat( random, -slack, slack );
	body.transform.p.y = y;
	body.transform.p.z = cell * ( first + (float)( index / shaft->columns ) ) + pnDrawFloat( random, -slack, slack );
	pnContactScene_Add( scene, &body );
}

typedef struct ShaftEnd
{
	double widest; // over all frames
	double calm, asleep; // seconds after the last one was in, or NEVER
	double cost; // seconds for a point and a substep, while anything was awake
	pnCheckResult inside;
} ShaftEnd;

static bool FillShaft( pnContactCase* c, const Shaft* shaft, ShaftEnd* end )
{
	*end = (ShaftEnd){ .widest = 1.0, .asleep = NEVER };
	pnSolid* solid = NULL;
	c->result = CreateShaftSolid( shaft, &solid );
	if ( c->result != pn_success )
	{
		return false;
	}
	pnContactSceneDef def = pnDefaultContactSceneDef();
	def.substeps = shaft->substeps;
	def.wall = 0.5f * shaft->room * shaft->width * (float)shaft->columns;
	pnContactScene scene;
	pnOpenContactScene( &scene, &def );
	int layer = shaft->columns * shaft->columns;
	for ( int i = 0; i < shaft->count && shaft->isFed == false; ++i )
	{
		AddTo( &scene, shaft, solid, &c->random, shaft->height * ( 0.8f + 1.5f * (float)( i / layer ) ) + 0.3f );
	}
	int lastIn = shaft->isFed ? FEED * ( shaft->count - 1 ) : 0, frameCount = lastIn + WATCH * PN_CONTACT_RATE;
	double seconds = 0.0, work = 0.0;
	bool isDone = scene.result == pn_success;
	for ( int frame = 0; frame < frameCount && isDone; ++frame )
	{
		if ( shaft->isFed && frame % FEED == 0 && scene.bodyCount < shaft->count )
		{
			float top = 0.0f;
			for ( int i = 0; i < scene.bodyCount; ++i )
			{
				top = fmaxf( top, pnContactScene_GetState( &scene, i ).bounds.upper.y );
			}
			AddTo( &scene, shaft, solid, &c->random, top + 0.55f * shaft->height + 0.02f );
		}
		double start = pnGetCpuSeconds();
		isDone = pnCase_Step( c, &scene );
		seconds += pnGetCpuSeconds() - start;
		work += (double)pnWorld_GetProfile( scene.world ).pointCount * shaft->substeps;
		end->widest = pnContactScene_GetWidest( &scene, end->widest );
		pnContactLook look = pnContactScene_Look( &scene );
		double after = (double)( frame + 1 - lastIn ) / PN_CONTACT_RATE;
		end->calm = after > 0.0 && pnContactScene_GetMotion( &scene ) > CALM ? after : end->calm;
		if ( look.awakeCount == 0 && scene.bodyCount == shaft->count )
		{
			end->asleep = after;
			break;
		}
	}
	end->cost = work > 0.0 ? seconds / work : 0.0;
	end->inside = pnContactScene_Check( &scene );
	c->result = scene.result;
	pnCloseContactScene( &scene );
	pnDestroySolid( solid );
	return isDone;
}

// What a point of an ellipsoid costs in a shaft, in as many substeps: few long ones take more sweeps each. Measured once, on the machine that runs.
static double GetEllipsoidCost( pnContactCase* c, int substeps )
{
	static double costs[17]; // by substeps
	Shaft shaft = { .kind = ballKind, .preset = "rubber", .count = 24, .columns = 2, .substeps = substeps, .width = 0.7f, .height = 0.7f, .room = 1.2f };
	ShaftEnd end;
	uint32_t random = c->random;
	if ( costs[substeps] == 0.0 && FillShaft( c, &shaft, &end ) )
	{
		costs[substeps] = end.cost;
	}
	c->random = random;
	return costs[substeps];
}

void pnRunShafts( pnContactCase* c )
{
	Shaft shaft = DrawShaft( c );
	double ellipsoid = GetEllipsoidCost( c, shaft.substeps );
	pnDescribe( c, "%d %s of %s, %.2f x %.2f m, %d x %d columns, %s, %d substeps", shaft.count, s_kindNames[shaft.kind], shaft.preset, (double)shaft.width,
				(double)shaft.height, shaft.columns, shaft.columns, shaft.isFed ? "fed" : "dropped", shaft.substeps );
	ShaftEnd end;
	bool isDone = c->result == pn_success && FillShaft( c, &shaft, &end );
	if ( isDone || c->isGivenUp )
	{
		pnScoreWorst( c, "diameter", end.widest, "of rest", pnAtMost( 1.5 ) );
	}
	if ( isDone )
	{
		pnScoreWorst( c, "depth", 100.0 * end.inside.maxShare, "% of size", pnAtMost( 1.0 ) );
		pnScoreWorst( c, "calm", end.calm, "s", pnAtMost( 10.0 ) );
		pnScoreWorst( c, "asleep", end.asleep, "s", pnAtMost( (double)WATCH ) );
		pnScoreWorst( c, "cost", ellipsoid > 0.0 ? end.cost / ellipsoid : 0.0, "of ellipsoids", pnAtMost( 3.0 ) );
	}
}
