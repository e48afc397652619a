// step_help.h - what the tests of the step draw their cases from: things of any shape, cover and material, and clocks of any kind. Knows
// only the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// PLIANT_SEED=n in the environment draws other cases, PLIANT_LONG=1 ten times as many.
#pragma once

#include "contact_help.h"

static inline bool IsLong( void )
{
	const char* value = getenv( "PLIANT_LONG" );
	return value != NULL && value[0] == '1';
}

static inline int Cases( int count )
{
	return IsLong() ? 10 * count : count;
}

static inline double RandomLog( pnRandom* random, double lower, double upper )
{
	return lower * pow( upper / lower, pnRandomIn( random, 0.0, 1.0 ) );
}

static inline bool Chance( pnRandom* random, int of )
{
	return pnRandomInt( random, of ) == 0;
}

// ---- things: a solid with what a test knows of it ----

typedef struct Thing
{
	pnSolid* solid;
	int count, clusterCount;
	pnVec3* rest; // all points, those of the filling included
	float* masses; // NULL: from the density
	double size; // largest distance of two points
	pnVec3 lower, upper;
	bool thin; // a sheet or a stick, or full of holes
	char text[128];
} Thing;

static inline void FreeThing( Thing* thing )
{
	pnDestroySolid( thing->solid );
	free( thing->rest );
	free( thing->masses );
	*thing = ( Thing ){ 0 };
}

static inline double SizeOfPoints( const pnVec3* x, int count )
{
	double size = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; j < i; ++j )
		{
			pnVec3 d = pnSub( x[i], x[j] );
			double square = (double)pnDot( d, d );
			size = square > size || square != square ? square : size;
		}
	}
	return sqrt( size );
}

static double s_thickness = 0.01; // of things, in parts of their size

typedef enum Cover { autoCover, countCover, cellCover, oneCover, coverCount } Cover;

// Frees the rest. massScatter > 1: masses differ by up to that factor; 1: all the same; 0: from the density.
static inline Thing ThingOf( Rest rest, float fillSpacing, Cover cover, double massScatter, pnRandom* random, const char* name )
{
	Thing thing = { 0 };
	pnSolidDef def = pnDefaultSolidDef();
	def.points = rest.points;
	def.pointCount = rest.count;
	def.triangles = rest.triangles;
	def.triangleCount = rest.triangleCount;
	def.fillSpacing = fillSpacing;
	pnVec3 lower = rest.points[0], upper = rest.points[0];
	int32_t starts[2] = { 0, rest.count };
	int32_t* members = calloc( rest.count, sizeof( int32_t ) );
	for ( int i = 0; i < rest.count; ++i )
	{
		lower = pnMin3( lower, rest.points[i] );
		upper = pnMax3( upper, rest.points[i] );
		members[i] = i;
	}
	if ( massScatter > 0.0 && fillSpacing <= 0.0f )
	{
		double mass = RandomLog( random, 0.1, 10.0 ); // of one point
		thing.masses = calloc( rest.count, sizeof( float ) );
		for ( int i = 0; i < rest.count; ++i )
		{
			thing.masses[i] = (float)( mass * RandomLog( random, 1.0, massScatter ) );
		}
		def.masses = thing.masses;
	}
	def.thickness = (float)s_thickness * (float)DistanceOf( lower, upper );
	float longest = fmaxf( upper.x - lower.x, fmaxf( upper.y - lower.y, upper.z - lower.z ) );
	cover = cover == oneCover && fillSpacing > 0.0f ? autoCover : cover; // the points of the filling have no indices yet
	if ( cover == countCover )
	{
		def.clusters.kind = pn_countClusters;
		def.clusters.count = 1 + pnRandomInt( random, 20 );
	}
	else if ( cover == cellCover )
	{
		def.clusters.kind = pn_cellClusters;
		def.clusters.cellSize = longest * (float)pnRandomIn( random, 0.3, 0.8 );
		def.clusters.overlap = (float)pnRandomIn( random, 0.3, 0.7 );
	}
	else if ( cover == oneCover )
	{
		def.clusters.kind = pn_givenClusters;
		def.clusters.count = 1;
		def.clusters.starts = starts;
		def.clusters.members = members;
	}
	pnResult result = pnCreateSolid( &def, &thing.solid );
	if ( result != pn_success && cover == countCover )
	{
		// so many clusters of so few points may be refused, if it is said why
		ENSURE( result == pn_invalidInput );
		def.clusters = pnDefaultSolidDef().clusters;
		result = pnCreateSolid( &def, &thing.solid );
	}
	ENSURE( result == pn_success );
	pnSolidInfo info = pnSolid_GetInfo( thing.solid );
	thing.count = info.pointCount;
	thing.clusterCount = info.clusterCount;
	thing.lower = info.bounds.lower;
	thing.upper = info.bounds.upper;
	thing.rest = calloc( thing.count, sizeof( pnVec3 ) );
	pnMaterial material = pnDefaultMaterial();
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	pnBodyId body = PlaceBody( world, thing.solid, &material );
	ENSURE( pnBody_WritePoints( world, body, thing.rest, NULL, thing.count ) == thing.count );
	pnDestroyWorld( world );
	thing.size = SizeOfPoints( thing.rest, thing.count );
	snprintf( thing.text, sizeof( thing.text ), "%s of %d points, %.3g m, %d clusters", name, thing.count, thing.size, thing.clusterCount );
	free( members );
	FreeRest( &rest );
	return thing;
}

// A grid over a box, with or without the surface over it.
static inline Thing MakeBoxThing( pnVec3 edges, int nx, int ny, int nz, Cover cover, double massScatter, pnRandom* random )
{
	return ThingOf( MakeBoxRest( edges, nx - 1, ny - 1, nz - 1 ), 0.0f, cover, massScatter, random, "box" );
}

// A block that lies and hangs well: no edge is more than about twice another.
static inline Thing RandomBlock( pnRandom* random, double edge, Cover cover )
{
	int n[3];
	for ( int a = 0; a < 3; ++a )
	{
		n[a] = 3 + pnRandomInt( random, Chance( random, 4 ) ? 3 : 2 );
	}
	float wide = (float)( edge * pnRandomIn( random, 1.0, 1.6 ) ), deep = (float)( edge * pnRandomIn( random, 1.0, 1.6 ) );
	return MakeBoxThing( pnMakeVec3( wide, (float)edge, deep ), n[0], n[1], n[2], cover, 1.0, random );
}

typedef enum ThingKind { boxThing, ballThing, stickThing, elbowThing, sheetThing, cloudThing, filledBoxThing, filledBallThing, thingKindCount } ThingKind;

// Anything a user may hand over: of 0.05 to 5 m.
static inline Thing RandomThing( pnRandom* random )
{
	static const char* const names[] = { "box", "ball", "stick", "elbow", "sheet", "cloud", "filled box", "filled ball" };
	ThingKind kind = pnRandomInt( random, thingKindCount );
	Cover cover = pnRandomInt( random, coverCount );
	double size = RandomLog( random, 0.05, 5.0 ), scatter = Chance( random, 3 ) ? 3.0 : 1.0;
	Rest rest = { 0 };
	float fill = 0.0f;
	if ( kind == boxThing || kind == stickThing || kind == sheetThing )
	{
		int n[3];
		for ( int a = 0; a < 3; ++a )
		{
			n[a] = 2 + pnRandomInt( random, 4 );
		}
		n[0] = kind == stickThing ? 8 + pnRandomInt( random, 8 ) : kind == sheetThing ? 6 : n[0];
		n[1] = kind == stickThing ? 2 : kind == sheetThing ? 1 : n[1];
		n[2] = kind == stickThing ? 2 + pnRandomInt( random, 2 ) : kind == sheetThing ? 4 + pnRandomInt( random, 4 ) : n[2];
		rest = MakeCloudRest( n[0], n[1], n[2], (float)( size / n[0] ) );
	}
	else if ( kind == ballThing || kind == elbowThing || kind == cloudThing )
	{
		rest = MakeCloudRest( 5, 5, 5, (float)( size / 4.0 ) );
		int kept = 0;
		for ( int i = 0; i < rest.count; ++i )
		{
			pnVec3 p = rest.points[i];
			bool inside = kind == ballThing ? LengthOf( p ) <= 0.55 * size : kind == elbowThing ? p.x < -0.1 * size || p.y < -0.1 * size : i < 60;
			if ( inside )
			{
				rest.points[kept++] = kind == cloudThing ? RandomVec3( random, 0.5 * size ) : p;
			}
		}
		rest.count = kept;
	}
	else
	{
		float half = (float)( 0.5 * size );
		rest = kind == filledBoxThing ? MakeBoxRest( pnMakeVec3( (float)size, (float)( size * pnRandomIn( random, 0.5, 1.0 ) ), (float)size ), 3, 2, 3 )
									  : MakeBallRest( pnMakeVec3( half, half, (float)( half * pnRandomIn( random, 0.5, 1.0 ) ) ), 3 );
		fill = (float)( size * pnRandomIn( random, 0.2, 0.35 ) );
	}
	Thing thing = ThingOf( rest, fill, cover, scatter, random, names[kind] );
	thing.thin = kind == stickThing || kind == sheetThing || kind == cloudThing;
	return thing;
}

static inline Stage StageOf( const Thing* thing, const pnMaterial* material, pnVec3 gravity )
{
	Stage stage = { 0 };
	stage.world = MakeWorld( gravity );
	stage.body = PlaceBody( stage.world, thing->solid, material );
	stage.count = thing->count;
	stage.x = calloc( thing->count, sizeof( pnVec3 ) );
	stage.v = calloc( thing->count, sizeof( pnVec3 ) );
	return stage;
}

// On the floor y = 0, where it comes to lie without falling: a thickness above it.
static inline Stage LyingStage( const Thing* thing, const pnMaterial* material )
{
	Stage stage = { 0 };
	stage.world = MakeFallingWorld();
	AddFloor( stage.world, 0.5f );
	pnBodyDef def = DefBody( thing->solid, *material, pnMakeVec3( 0.0f, (float)( s_thickness * thing->size - thing->lower.y ), 0.0f ) );
	stage.body = AddBody( stage.world, &def );
	stage.count = thing->count;
	stage.x = calloc( thing->count, sizeof( pnVec3 ) );
	stage.v = calloc( thing->count, sizeof( pnVec3 ) );
	return stage;
}

// The points at one end along an axis: 0 x, 1 y, 2 z. Returns how many.
static inline int PointsAtEnd( const Thing* thing, int axis, bool high, int32_t* points )
{
	int count = 0;
	float low = ( &thing->lower.x )[axis], top = ( &thing->upper.x )[axis], reach = 1e-3f * ( top - low );
	for ( int i = 0; i < thing->count; ++i )
	{
		float at = ( &thing->rest[i].x )[axis];
		if ( high ? at > top - reach : at < low + reach )
		{
			points[count++] = i;
		}
	}
	return count;
}

static inline double HeightOf( Stage* stage ) // top less bottom
{
	ReadStage( stage );
	double low = stage->x[0].y, high = low;
	for ( int i = 1; i < stage->count; ++i )
	{
		low = fmin( low, stage->x[i].y );
		high = fmax( high, stage->x[i].y );
	}
	for ( int i = 0; i < stage->count; ++i )
	{
		if ( !isfinite( LengthOf( stage->x[i] ) ) )
		{
			return NAN;
		}
	}
	return high - low;
}

// Until no point moves by more than a millionth of the size in two seconds; 120 s at most, but 7200 frames where they are long: within a step news go from a
// cluster to the next and no farther, and the slow swings of a soft chain of clusters are damped by their own frequency, not by its material's. Returns the last way.
static inline double SettleStage( Stage* stage, const Thing* thing, double h, int subStepCount )
{
	pnVec3* before = calloc( stage->count, sizeof( pnVec3 ) );
	double way = 0.0;
	int frames = (int)fmax( 20.0, ceil( 2.0 / h ) );
	for ( double time = 0.0; time < fmax( 120.0, 7200.0 * h ); time += frames * h )
	{
		ReadStage( stage );
		memcpy( before, stage->x, sizeof( pnVec3 ) * stage->count );
		for ( int n = 0; n < frames; ++n )
		{
			ENSURE( pnWorld_Step( stage->world, (float)h, subStepCount ) == pn_success );
		}
		ReadStage( stage );
		way = 0.0;
		for ( int i = 0; i < stage->count; ++i )
		{
			double moved = DistanceOf( before[i], stage->x[i] );
			way = moved > way || moved != moved ? moved : way;
		}
		if ( time > 0.0 && !( way > 1e-6 * thing->size ) )
		{
			break;
		}
	}
	free( before );
	return way;
}

static inline void RunStage( Stage* stage, double seconds, double h, int subStepCount )
{
	for ( int n = 0; n < (int)ceil( seconds / h - 1e-6 ); ++n )
	{
		ENSURE( pnWorld_Step( stage->world, (float)h, subStepCount ) == pn_success );
	}
}

// ---- materials ----

enum { presetCount = 8 };

static inline pnMaterial PresetMaterial( int index, const char** name )
{
	int count = 0;
	const char* const* names = pnGetMaterialNames( &count );
	pnMaterial material = pnDefaultMaterial();
	ENSURE( count == presetCount );
	ENSURE( pnFindMaterial( names[index], &material ) == pn_success );
	*name = names[index];
	return material;
}

// What a metre per second squared does to the softest mode of one cluster, m / ( m/s^2 ): its shape has w^2 ( 1 - stretch ).
static inline double SoftnessOf( const pnMaterial* material )
{
	double w = 2.0 * TEST_PI * material->hertz, held = material->mode == pn_rigidMode ? 1.0 : 1.0 - material->stretch;
	return 1.0 / ( w * w * held );
}

// From this size on a body bears its own weight without being squeezed by more than a few hundredths or flowing; a chain of clusters
// is softer than one by up to about ten.
static inline double SmallestEdge( const pnMaterial* material )
{
	double strain = material->yield > 0.0f ? fmin( 0.2, 0.25 * material->yield ) : 0.2;
	return fmax( 0.05, 3.0 * GRAVITY * SoftnessOf( material ) / strain );
}

typedef enum MaterialWish { anyDamping, noDamping, someDamping, strongDamping } MaterialWish;

static inline pnMaterial RandomMaterial( pnRandom* random, MaterialWish wish, bool plastic )
{
	pnMaterial material = PlainMaterial( pnRandomInt( random, 3 ), (float)RandomLog( random, 0.5, 1000.0 ), (float)pnRandomIn( random, 0.0, 1.0 ) );
	material.stretch = Chance( random, 5 ) ? 0.0f : Chance( random, 8 ) ? 1.0f : material.stretch;
	material.dampingRatio = wish == noDamping ? 0.0f : (float)pnRandomIn( random, wish == anyDamping ? 0.0 : wish == someDamping ? 0.1 : 0.7, 1.0 );
	material.volume = Chance( random, 3 ) ? 0.0f : (float)pnRandomIn( random, 0.0, 10.0 );
	material.cap = pnRandomInt( random, 4 );
	material.capStart = (float)pnRandomIn( random, 1.05, 2.0 );
	material.capEnd = Chance( random, 3 ) ? material.capStart : material.capStart + (float)pnRandomIn( random, 0.05, 1.0 );
	if ( plastic && Chance( random, 2 ) )
	{
		material.yield = (float)RandomLog( random, 0.01, 0.5 );
		material.creep = (float)RandomLog( random, 0.1, 100.0 );
		material.maxPlastic = (float)RandomLog( random, 0.05, 1.0 );
		material.hardening = Chance( random, 2 ) ? (float)pnRandomIn( random, 0.0, 2.0 ) : 0.0f;
	}
	return material;
}

static inline const char* TextOf( const pnMaterial* m ) // good until it is called again
{
	static char text[192];
	snprintf( text, sizeof( text ), "mode %d, %.4g Hz, damping %.2g, stretch %.2g, volume %.2g, cap %d (%.3g, %.3g), yield %.2g", m->mode, m->hertz, m->dampingRatio, m->stretch, m->volume,
		m->cap, m->capStart, m->capEnd, m->yield );
	return text;
}

// ---- clocks ----

typedef enum ClockKind
{
	evenClock, // 60 Hz
	nearClock, // 57 to 63 Hz
	wanderClock, // 30 to 144 Hz, from frame to frame
	driftClock, // the same rates, slowly from one to another
	dropClock, // 60 Hz and every second a frame of 1/30 to 0.25 s
	clockKindCount
} ClockKind;

static const char* const s_clockNames[] = { "60 Hz", "57-63 Hz", "30-144 Hz", "30-144 Hz slowly", "dropped frames" };

typedef struct Clock { ClockKind kind; pnRandom random; double rate, since; } Clock;

static inline double NextStep( Clock* clock )
{
	clock->rate = clock->rate > 0.0 ? clock->rate : 60.0;
	switch ( clock->kind )
	{
		case nearClock:
			clock->rate = pnRandomIn( &clock->random, 57.0, 63.0 );
			break;
		case wanderClock:
			clock->rate = pnRandomIn( &clock->random, 30.0, 144.0 );
			break;
		case driftClock:
			clock->rate = fmin( 144.0, fmax( 30.0, clock->rate * pow( 1.15, pnRandomIn( &clock->random, -1.0, 1.0 ) ) ) );
			break;
		case dropClock:
			clock->since += 1.0 / 60.0;
			clock->rate = 60.0;
			if ( clock->since >= 1.0 )
			{
				clock->since = 0.0;
				clock->rate = 1.0 / pnRandomIn( &clock->random, 1.0 / 30.0, 0.25 );
			}
			break;
		default:
			break;
	}
	return 1.0 / clock->rate;
}
