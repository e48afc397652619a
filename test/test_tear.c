// test_tear.c - bodies that are pulled apart: one crack where they are thinnest, few pieces, and energy that only falls. Knows scenes' shapes.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "help.h"

#include "shape.h"

static const pnVec3 s_zero = { 0.0f, 0.0f, 0.0f };
static const char* const s_presets[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood", "steel", "rigid" };
enum { presetCount = 8 };

// A bone along x: as long as 1 m, thinnest in the middle.
static pnSolid* MakeBone( float size, int cells, float waist )
{
	pnSolid* solid = NULL;
	pnBlockDef def = {
		.size = { 2.2f * size, 0.55f * size, 0.3f * size },
		.points = { 34, 7, 5 },
		.cells = { cells, 1, 1 },
		.overlap = 0.4f,
		.omit = -1,
		.faced = true,
		.waist = waist,
		.radius = 0.06f * size,
		.flatSteps = { 60, 12, 6 },
		.cornerSteps = 3,
		.density = 1000.0f,
	};
	ENSURE( pnCreateBlock( &def, &solid ) == pn_success );
	return solid;
}

static double EnergyOf( const pnWorld* world )
{
	pnBodyId bodies[512];
	int count = pnWorld_GetBodies( world, bodies, 512 );
	double sum = 0.0;
	for ( int i = 0; i < count && i < 512; ++i )
	{
		pnBodyState state;
		ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		sum += state.kinetic + state.elastic;
	}
	return sum;
}

static double MostStretch( const pnWorld* world )
{
	pnBodyId bodies[64];
	int count = pnWorld_GetBodies( world, bodies, 64 );
	double most = 0.0;
	for ( int i = 0; i < count && i < 64; ++i )
	{
		pnBodyState state;
		ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		most = fmax( most, state.maxStretch );
	}
	return most;
}

static pnBodyId PlaceBone( pnWorld* world, const char* preset, float size, int cells, float waist, float tear, float toughness, bool contact ) // toughness < 0: the preset's
{
	pnSolid* solid = MakeBone( size, cells, waist );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	ENSURE( pnFindMaterial( preset, &def.material ) == pn_success );
	def.material.tear = tear;
	def.material.toughness = toughness < 0.0f ? def.material.toughness : toughness;
	def.filter.mask = contact ? def.filter.mask : 0;
	pnBodyId body = { 0 };
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	pnDestroySolid( solid );
	return body;
}

// A hand on each end.
static void HoldBone( pnWorld* world, pnBodyId body, float size, pnGrabId hands[2] )
{
	for ( int i = 0; i < 2; ++i )
	{
		pnGrabDef grab = pnDefaultGrabDef();
		grab.body = body;
		grab.place = pnMakeVec3( ( i == 0 ? -0.85f : 0.85f ) * size, 0.0f, 0.0f );
		grab.radius = 0.5f * size;
		grab.hertz = 20.0f;
		ENSURE( pnCreateGrab( world, &grab, hands + i ) == pn_success );
	}
}

// They go apart at a speed, as far as three bones' length.
static void LeadBone( pnWorld* world, const pnGrabId hands[2], double size, double speed, int frame )
{
	float way = (float)( 0.85 * size + fmin( 0.5 * speed * frame / 60.0, 1.5 * size ) );
	for ( int i = 0; i < 2; ++i )
	{
		ENSURE( !pnGrab_IsValid( world, hands[i] ) || pnGrab_MoveTo( world, hands[i], pnMakeVec3( i == 0 ? -way : way, 0.0f, 0.0f ) ) == pn_success );
	}
}

typedef struct Bone { const char* preset; float size, waist, tear, toughness; int cells, subSteps; double speed; bool contact; } Bone; // toughness < 0: the preset's
typedef struct Pulled { int count; double rise, least; } Pulled; // bodies at the end; energy gained while nobody holds it, and the smaller part of the first parting

// Pulled at both ends for two seconds, as far as three bones' length, then let go and watched for three.
static Pulled PullBone( Bone bone )
{
	Pulled pulled = { .least = 1.0 };
	pnWorld* world = MakeWorld( s_zero );
	pnBodyId body = PlaceBone( world, bone.preset, bone.size, bone.cells, bone.waist, bone.tear, bone.toughness, bone.contact );
	pnBodyState state;
	ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
	pnGrabId hands[2];
	HoldBone( world, body, bone.size, hands );
	double lowest = 1e300, highest = 0.0;
	for ( int frame = 1; frame <= 300; ++frame )
	{
		if ( frame < 120 )
		{
			LeadBone( world, hands, bone.size, bone.speed, frame );
		}
		for ( int i = 0; i < 2 && frame == 120; ++i )
		{
			ENSURE( !pnGrab_IsValid( world, hands[i] ) || pnDestroyGrab( world, hands[i] ) == pn_success );
		}
		int before = pnWorld_GetBodies( world, NULL, 0 );
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, bone.subSteps ) == pn_success );
		pulled.count = pnWorld_GetBodies( world, NULL, 0 );
		if ( before == 1 && pulled.count > 1 )
		{
			pnBodyId bodies[8];
			for ( int i = 0; i < pnWorld_GetBodies( world, bodies, 8 ) && i < 2; ++i )
			{
				pnBodyState piece;
				ENSURE( pnBody_GetState( world, bodies[i], &piece ) == pn_success );
				pulled.least = fmin( pulled.least, piece.mass / state.mass );
			}
		}
		double energy = EnergyOf( world );
		highest = fmax( highest, energy );
		if ( frame > 121 ) // nobody holds it, and nothing is underway any more
		{
			pulled.rise = fmax( pulled.rise, ( energy - lowest ) / highest );
			lowest = fmin( lowest, energy );
		}
	}
	pnDestroyWorld( world );
	return pulled;
}

static void TellBone( const Bone* bone, int n )
{
	pnTestContext( "case %d: %s at %g m/s, size %g, %d cells, waist %g, tear %g, toughness %g, %d substeps, contact %d", n, bone->preset, bone->speed, bone->size, bone->cells, bone->waist, bone->tear,
		bone->toughness, bone->subSteps, bone->contact );
}

// The bone of the scene, at every speed: it parts in the waist, into a handful of pieces at most, and what swings back does not tear again and again.
static void BonesPartInTheWaist( void )
{
	int most = 0, parted = 0;
	double rise = 0.0;
	static const double speeds[] = { 2.0, 5.0, 10.0, 20.0 };
	for ( int n = 0; n < 4 * presetCount; ++n )
	{
		Bone bone = { s_presets[n % presetCount], 1.0f, 0.55f, 1.6f, -1.0f, 12, 4, speeds[n / presetCount], false };
		Pulled pulled = PullBone( bone );
		TellBone( &bone, n );
		ENSURE_MOST( pulled.count, 5 );
		ENSURE( pulled.count == 1 || ENSURE_MOST( pulled.rise, 0.01 ) );
		ENSURE( pulled.count == 1 || pulled.least > 0.2 );
		ENSURE( pulled.count > 1 || n % presetCount == 7 ); // rigid does not stretch
		most = pulled.count > most ? pulled.count : most;
		rise = pulled.count > 1 ? fmax( rise, pulled.rise ) : rise;
		parted += pulled.count > 1;
	}
	pnTestNote( "%d of %d part, into at most %d; energy rises by %.1e", parted, 4 * presetCount, most, rise );
}

// Any bone, any pull, with contact or without.
static void AnyBoneMakesFewPieces( void )
{
	pnRandom random = SeedOf( 4200 );
	int most = 0, parted = 0, cases = getenv( "PLIANT_LONG" ) != NULL ? 200 : 24;
	double rise = 0.0;
	for ( int n = 0; n < cases; ++n )
	{
		Bone bone = { s_presets[pnRandomInt( &random, presetCount - 1 )], (float)pnRandomIn( &random, 0.3, 1.5 ), (float)pnRandomIn( &random, 0.35, 0.6 ), (float)pnRandomIn( &random, 1.2, 2.2 ), -1.0f,
			6 + pnRandomInt( &random, 8 ), 1 + pnRandomInt( &random, 6 ), pow( 10.0, pnRandomIn( &random, 0.3, 1.3 ) ), pnRandomInt( &random, 2 ) == 0 };
		Pulled pulled = PullBone( bone );
		TellBone( &bone, n );
		ENSURE_MOST( pulled.count, 5 );
		ENSURE_MOST( pulled.rise, bone.contact ? 1.0 : 0.06 ); // what is damped pays little by little; and contact pushes pieces apart, that is not said here
		most = pulled.count > most ? pulled.count : most;
		rise = bone.contact ? rise : fmax( rise, pulled.rise );
		parted += pulled.count > 1;
	}
	pnTestNote( "%d of %d part, into at most %d; energy rises by %.1e", parted, cases, most, rise );
}

// Let go as soon as it has parted, without damping: pieces swing as far as they were drawn out, again and again, and hold. Nobody puts anything in.
static void SwingingPiecesHold( void )
{
	pnRandom random = SeedOf( 4600 );
	double farthest = 0.0;
	int parted = 0;
	for ( int n = 0; n < 12; ++n )
	{
		const char* preset = s_presets[n % 3];
		float size = (float)pnRandomIn( &random, 0.4, 1.2 ), tear = (float)pnRandomIn( &random, 1.2, 1.8 );
		double speed = pow( 10.0, pnRandomIn( &random, 0.3, 1.3 ) ), stretch = 0.0;
		int subSteps = 1 + pnRandomInt( &random, 6 ), before = 1, after = 0;
		pnWorld* world = MakeWorld( s_zero );
		pnBodyId body = PlaceBone( world, preset, size, 6 + pnRandomInt( &random, 8 ), 0.5f, tear, -1.0f, false );
		pnMaterial material;
		ENSURE( pnBody_GetMaterial( world, body, &material ) == pn_success );
		material.dampingRatio = 0.0f;
		ENSURE( pnBody_SetMaterial( world, body, &material ) == pn_success );
		pnGrabId hands[2];
		HoldBone( world, body, size, hands );
		for ( int frame = 1; frame <= 120 && before == 1; ++frame )
		{
			LeadBone( world, hands, size, speed, frame );
			ENSURE( pnWorld_Step( world, 1.0f / 60.0f, subSteps ) == pn_success );
			before = pnWorld_GetBodies( world, NULL, 0 );
		}
		for ( int i = 0; i < 2; ++i )
		{
			ENSURE( pnDestroyGrab( world, hands[i] ) == pn_success );
		}
		for ( int frame = 0; frame < 300; ++frame )
		{
			ENSURE( pnWorld_Step( world, 1.0f / 60.0f, subSteps ) == pn_success );
			stretch = fmax( stretch, frame > 60 ? MostStretch( world ) : 0.0 );
		}
		after = pnWorld_GetBodies( world, NULL, 0 );
		pnTestContext( "case %d: %s at %g m/s, size %g, tear %g, %d substeps; a second later stretch %g", n, preset, speed, size, tear, subSteps, stretch );
		ENSURE( after == before );
		parted += before > 1;
		farthest = fmax( farthest, ( stretch - 1.0 ) / ( tear - 1.0 ) );
		pnDestroyWorld( world );
	}
	ENSURE( parted >= 9 );
	pnTestNote( "%d of 12 part; they swing to %.2f times the strain at which they tore", parted, farthest );
}

// What nothing pays for does not tear, however far it is stretched; what asks nothing shatters.
static void ToughnessIsPaid( void )
{
	Bone bone = { "rubber", 1.0f, 0.55f, 1.4f, 1e7f, 12, 4, 5.0, false };
	ENSURE( PullBone( bone ).count == 1 );
	bone.toughness = -1.0f;
	int usual = PullBone( bone ).count;
	bone.toughness = 0.0f;
	int brittle = PullBone( bone ).count;
	ENSURE( usual > 1 && brittle >= usual );
	pnTestNote( "%d pieces, brittle %d", usual, brittle );
}

// The vertices of a piece's torn faces at rest.
static int WriteTornFaces( pnWorld* world, pnBodyId body, pnVec3* places, int most )
{
	pnSolid* solid = (pnSolid*)pnBody_GetSolid( world, body );
	pnSkinInfo info = pnSolid_GetSkin( solid, 1 );
	pnWorld* other = MakeWorld( s_zero );
	pnBodyDef def = pnDefaultBodyDef();
	pnBodyId copy;
	def.solid = solid;
	ENSURE( pnCreateBody( other, &def, &copy ) == pn_success );
	pnVec3* rest = calloc( (size_t)info.vertexCount, sizeof( pnVec3 ) );
	uint8_t* torn = calloc( (size_t)info.vertexCount, 1 );
	pnBody_WriteSkin( other, copy, 1, rest, NULL, info.vertexCount );
	int count = 0;
	for ( int k = 0; k < 3 * info.triangleCount; ++k )
	{
		torn[info.triangles[k]] |= info.materials != NULL && info.materials[k / 3] == 1;
	}
	for ( int v = 0; v < info.vertexCount && count < most; ++v )
	{
		places[count] = rest[v];
		count += torn[v];
	}
	free( rest );
	free( torn );
	pnDestroyWorld( other );
	return count;
}

// A torn face is rough, a part of the points' spacing high, and the two faces fit.
static void TornFacesAreRoughAndFit( void )
{
	enum { most = 4000 };
	pnWorld* world = MakeWorld( s_zero );
	pnSolid* solid = MakeBone( 1.0f, 12, 0.55f );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	ENSURE( pnFindMaterial( "rubber", &def.material ) == pn_success );
	def.material.tear = 1.6f;
	def.filter.mask = 0;
	pnBodyId body, bodies[8];
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	pnDestroySolid( solid );
	int count = 1;
	for ( int i = 0; i < 2; ++i )
	{
		pnGrabDef grab = pnDefaultGrabDef();
		pnGrabId hand;
		grab.body = body, grab.radius = 0.5f, grab.hertz = 20.0f;
		grab.place = pnMakeVec3( i == 0 ? -0.85f : 0.85f, 0.0f, 0.0f );
		ENSURE( pnCreateGrab( world, &grab, &hand ) == pn_success );
		ENSURE( pnGrab_MoveTo( world, hand, pnMakeVec3( i == 0 ? -2.3f : 2.3f, 0.0f, 0.0f ) ) == pn_success );
	}
	for ( int frame = 0; frame < 120 && count == 1; ++frame )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 4 ) == pn_success );
		count = pnWorld_GetBodies( world, bodies, 8 );
	}
	REQUIRE( count == 2 );
	pnVec3 *one = calloc( most, sizeof( pnVec3 ) ), *two = calloc( most, sizeof( pnVec3 ) );
	int oneCount = WriteTornFaces( world, bodies[0], one, most ), twoCount = WriteTornFaces( world, bodies[1], two, most );
	ENSURE( oneCount > 20 && twoCount > 20 );
	double farthest = 0.0, low = 1e300, high = -1e300;
	for ( int i = 0; i < oneCount; ++i )
	{
		double nearest = 1e300;
		for ( int k = 0; k < twoCount; ++k )
		{
			pnVec3 d = pnSub( one[i], two[k] );
			nearest = fmin( nearest, sqrt( (double)pnDot( d, d ) ) );
		}
		farthest = fmax( farthest, nearest );
		low = fmin( low, (double)one[i].x ), high = fmax( high, (double)one[i].x ); // it is pulled along x, and parts across
	}
	ENSURE_MOST( farthest, 1e-4 );
	ENSURE( high - low > 0.01 ); // points are 6.6 cm apart
	pnTestNote( "%d and %d vertices, %.1e m apart, %.3f m rough", oneCount, twoCount, farthest, high - low );
	free( one );
	free( two );
	pnDestroyWorld( world );
}

// ---- what is given to a body that is cut before the step ----

// A force at a point goes with the piece that has the point: both momenta are what they would have been.
static void ForcesGoWithTheirPoints( void )
{
	pnRandom random = SeedOf( 4300 );
	for ( int n = 0; n < 40; ++n )
	{
		Shape shape = MakeBlock( 5, 4, 4, 0.2f, 0.1f, 300 + (uint64_t)n );
		pnMaterial material = PlainMaterial( pn_linearMode, 8.0f, 0.4f );
		Stage stage = MakeStage( &shape, &material, s_zero );
		double given[3] = { 0 }, gained[3] = { 0 }, step = 1.0 / 120.0, total = 0.0;
		for ( int i = 0; i < 6; ++i )
		{
			pnVec3 force = RandomVec3( &random, 100.0 );
			ENSURE( pnBody_ApplyForceAt( stage.world, stage.body, pnRandomInt( &random, shape.count ), force ) == pn_success );
			given[0] += step * force.x, given[1] += step * force.y, given[2] += step * force.z;
			total += step * LengthOf( force );
		}
		pnCutDef cut = pnDefaultCutDef();
		cut.normal = RandomVec3( &random, 1.0 );
		cut.smallest = 0.0f;
		pnCutResult result;
		ENSURE( pnWorld_Cut( stage.world, &cut, &result ) == pn_success && result.pieceCount == 2 );
		ENSURE( pnWorld_Step( stage.world, (float)step, 1 ) == pn_success );
		pnBodyId bodies[4];
		int count = pnWorld_GetBodies( stage.world, bodies, 4 );
		for ( int i = 0; i < count; ++i )
		{
			pnBodyState state;
			ENSURE( pnBody_GetState( stage.world, bodies[i], &state ) == pn_success );
			gained[0] += state.mass * state.velocity.x, gained[1] += state.mass * state.velocity.y, gained[2] += state.mass * state.velocity.z;
		}
		pnTestContext( "case %d", n );
		ENSURE_MOST( Distance3( gained, given ), 1e-4 * total );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// A world that goes back in time knows nothing of what was cut since.
static void RestoredWorldsForgetPieces( void )
{
	Shape shape = MakeBlock( 4, 4, 4, 0.2f, 0.1f, 7 );
	pnMaterial material = PlainMaterial( pn_linearMode, 8.0f, 0.4f );
	Stage stage = MakeStage( &shape, &material, s_zero );
	size_t size = pnWorld_Snapshot( stage.world, NULL, 0 );
	void* image = malloc( size );
	ENSURE( pnWorld_Snapshot( stage.world, image, size ) == size );
	pnCutDef cut = pnDefaultCutDef();
	for ( int n = 0; n < 2; ++n )
	{
		ENSURE( pnWorld_Cut( stage.world, &cut, NULL ) == pn_success && pnWorld_GetPieces( stage.world ).count == 2 );
		ENSURE( n == 0 || pnWorld_Step( stage.world, 0.01f, 1 ) == pn_success );
		ENSURE( pnWorld_Restore( stage.world, image, size ) == pn_success );
		ENSURE( pnWorld_GetPieces( stage.world ).count == 0 && pnWorld_GetBodies( stage.world, NULL, 0 ) == 1 );
		ENSURE( pnWorld_Step( stage.world, 0.01f, 1 ) == pn_success && pnWorld_Step( stage.world, 0.01f, 1 ) == pn_success );
		ENSURE( pnWorld_Restore( stage.world, image, size ) == pn_success );
	}
	free( image );
	FreeStage( &stage );
	FreeShape( &shape );
}

static const pnTest s_tests[] = {
	RUN( ForcesGoWithTheirPoints ),
	RUN( RestoredWorldsForgetPieces ),
	RUN( BonesPartInTheWaist ),
	RUN( AnyBoneMakesFewPieces ),
	RUN( SwingingPiecesHold ),
	RUN( ToughnessIsPaid ),
	RUN( TornFacesAreRoughAndFit ),
};

SUITE( tear, s_tests );
