// test_slit.c - what is left when the blade has passed: points that do not multiply, skins that stay, slits that open as a whole and go on in one wall,
// pieces that rest. Knows only the public header.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "cut_shapes.h"

#include <math.h>

enum { mostVertices = 20000 };

static pnWorld* MakeSlitWorld( float gravity )
{
	return MakeWorld( pnMakeVec3( 0.0f, -gravity, 0.0f ) );
}

static pnBodyId PlaceSlitShape( pnWorld* world, CutShape shape, const char* preset, pnVec3 at, uint32_t mask )
{
	pnSolid* solid = MakeCutSolid( &shape );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.transform.p = at;
	def.filter.mask = mask;
	ENSURE( pnFindMaterial( preset, &def.material ) == pn_success );
	pnBodyId body = { 0 };
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	pnDestroySolid( solid );
	FreeCutShape( &shape );
	return body;
}

static pnCutDef DefineStroke( float x, float y, float z, float length )
{
	pnCutDef def = pnDefaultCutDef();
	def.kind = pn_quadBlade;
	def.inside = 99;
	def.quad[0] = pnMakeVec3( x, 1.0f, z );
	def.quad[1] = pnMakeVec3( x, y, z );
	def.quad[2] = pnMakeVec3( x + length, y, z );
	def.quad[3] = pnMakeVec3( x + length, 1.0f, z );
	return def;
}

static void StepSlit( pnWorld* world, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 4 ) == pn_success );
	}
}

// ---- trims ----

// Slices of two centimetres off each side in turn: what is left has no more points than the whole had.
static void TrimsDoNotMultiplyPoints( void )
{
	for ( int kind = 0; kind < 4; ++kind )
	{
		pnTestContext( "kind %d", kind );
		CutShape shape = kind == 0 ? MakeBar( false, 6, 6, 6, 1 ) : kind == 1 ? MakeTorus( 32, 12 ) : kind == 2 ? MakeTetrahedra( 4, 4, 4, 0.15f ) : MakeBar( true, 7, 4, 4, 2 );
		shape.fill = kind == 1 ? 0.1f : shape.fill;
		pnSolidDef def = pnDefaultSolidDef();
		pnSkinDef skin = { .vertices = shape.skin, .triangles = shape.triangles, .vertexCount = shape.skinCount, .triangleCount = shape.triangleCount };
		def.points = shape.points, def.pointCount = shape.pointCount, def.fillSpacing = shape.fill;
		def.tetrahedra = shape.tetrahedra, def.tetrahedronCount = shape.tetrahedronCount;
		def.triangles = shape.skin == NULL && shape.triangleCount > 0 ? shape.triangles : NULL, def.triangleCount = shape.skin == NULL ? shape.triangleCount : 0;
		def.skins = shape.skin != NULL ? &skin : NULL, def.skinCount = shape.skin != NULL;
		pnSolid* solid = NULL;
		REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
		pnWorld* world = MakeSlitWorld( 0.0f );
		pnMaterial material = PlainMaterial( pn_linearMode, 10.0f, 0.5f );
		pnBodyId body = PlaceBody( world, solid, &material );
		int before = pnSolid_GetInfo( solid ).particleCount, most = 0;
		pnDestroySolid( solid );
		FreeCutShape( &shape );
		pnBodyState state;
		for ( int i = 0; i < 12; ++i )
		{
			static const pnVec3 ways[6] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 }, { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
			ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
			pnVec3 middle = pnScale( 0.5f, pnAdd( state.bounds.lower, state.bounds.upper ) ), half = pnScale( 0.5f, pnSub( state.bounds.upper, state.bounds.lower ) ), way = ways[i % 6];
			pnCutDef cut = pnDefaultCutDef();
			cut.point = pnMulAdd( middle, fabsf( pnDot( half, way ) ) - 0.02f, way );
			cut.normal = way;
			ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
			pnBodyId bodies[8];
			int count = pnWorld_GetBodies( world, bodies, 8 );
			double heaviest = 0.0;
			for ( int k = 0; k < count && k < 8; ++k )
			{
				ENSURE( pnBody_GetState( world, bodies[k], &state ) == pn_success );
				body = (double)state.mass > heaviest ? bodies[k] : body;
				heaviest = fmax( heaviest, (double)state.mass );
			}
			for ( int k = 0; k < count && k < 8; ++k )
			{
				ENSURE( bodies[k].index1 == body.index1 || pnDestroyBody( world, bodies[k] ) == pn_success );
			}
			int points = pnSolid_GetInfo( pnBody_GetSolid( world, body ) ).particleCount;
			most = points > most ? points : most;
		}
		ENSURE_MOST( most, 1.1 * before );
		pnTestNote( "%d, then %d", before, most );
		pnDestroyWorld( world );
	}
}

// ---- carried skins ----

static double VolumeOf( const pnVec3* x, const pnSkinInfo* info )
{
	double six = 0.0;
	for ( int t = 0; t < info->triangleCount; ++t )
	{
		const int32_t* k = info->triangles + 3 * t;
		six += (double)pnDot( x[k[0]], pnCross( x[k[1]], x[k[2]] ) );
	}
	return six / 6.0;
}

// A carried skin that is cut while it is pulled or lies deformed stays where it is, its new faces lie in the blade; what it was off is gone after two seconds, and a
// world that is saved at once goes on the same.
static void SkinsStayWhereTheBladePassed( void )
{
	pnRandom random = SeedOf( 1301 );
	static const char* const presets[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood" };
	double worst = 0.0, flattest = 0.0, loss = 0.0;
	pnVec3* before = calloc( mostVertices, sizeof( pnVec3 ) );
	pnVec3* after = calloc( mostVertices, sizeof( pnVec3 ) );
	for ( int run = 0; run < 12; ++run )
	{
		pnTestContext( "run %d", run );
		bool pulled = run % 2 == 0;
		pnWorld* world = MakeSlitWorld( pulled ? 0.0f : 9.81f );
		pnShapeDef floorDef = pnDefaultShapeDef();
		pnShapeId floor;
		ENSURE( pulled || pnCreateShape( world, &floorDef, &floor ) == pn_success );
		pnBodyId body = PlaceSlitShape( world, run % 3 == 0 ? MakeCarried() : MakeBar( true, 7, 4, 4, 2 ), presets[run % 6], pnMakeVec3( 0.0f, 0.55f, 0.0f ), UINT32_MAX );
		for ( int i = 0; i < 2 && pulled; ++i )
		{
			pnGrabDef grab = pnDefaultGrabDef();
			pnGrabId id;
			grab.body = body, grab.radius = 0.15f;
			grab.place = pnMakeVec3( i == 0 ? -0.3f : 0.3f, 0.55f, 0.0f );
			ENSURE( pnCreateGrab( world, &grab, &id ) == pn_success );
			ENSURE( pnGrab_MoveTo( world, id, pnMakeVec3( i == 0 ? -0.42f : 0.4f, i == 0 ? 0.7f : 0.5f, 0.05f ) ) == pn_success );
		}
		StepSlit( world, 60 );
		pnSkinInfo info = pnSolid_GetSkin( pnBody_GetSolid( world, body ), 0 );
		REQUIRE( info.vertexCount < mostVertices );
		pnBody_WriteSkin( world, body, 0, before, NULL, mostVertices );
		double volume = VolumeOf( before, &info );
		pnBodyState state;
		ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
		pnCutDef cut = pnDefaultCutDef();
		cut.point = pnAdd( state.center, RandomVec3( &random, 0.08 ) );
		cut.normal = pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
		cut.inside = 99;
		ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
		pnPieces pieces = pnWorld_GetPieces( world );
		double sum = 0.0;
		for ( int i = 0; i < pieces.count; ++i )
		{
			const pnPiece* piece = pieces.pieces + i;
			info = pnSolid_GetSkin( pnBody_GetSolid( world, piece->body ), 0 );
			REQUIRE( info.vertexCount < mostVertices );
			pnBody_WriteSkin( world, piece->body, 0, after, NULL, mostVertices );
			sum += VolumeOf( after, &info );
			for ( int v = 0; v < info.vertexCount; ++v )
			{
				const pnVertexSource* source = piece->vertexSources + v;
				worst = source->vertices[0] >= 0 && source->weights[0] == 1.0f ? fmax( worst, DistanceOf( before[source->vertices[0]], after[v] ) ) : worst;
			}
			for ( int k = 0; k < 3 * info.triangleCount; ++k )
			{
				double height = fabs( (double)pnDot( pnSub( after[info.triangles[k]], cut.point ), cut.normal ) );
				flattest = info.materials[k / 3] == 99 ? fmax( flattest, height ) : flattest;
			}
		}
		loss = fmax( loss, fabs( sum / volume - 1.0 ) );
		size_t size = pnWorld_Snapshot( world, NULL, 0 );
		void* image = malloc( size );
		ENSURE( pnWorld_Snapshot( world, image, size ) == size );
		pnWorldDef worldDef = pnDefaultWorldDef();
		pnWorld* other = NULL;
		REQUIRE( pnCreateWorld( &worldDef, &other ) == pn_success && pnWorld_Restore( other, image, size ) == pn_success );
		free( image );
		StepSlit( world, 20 );
		StepSlit( other, 20 );
		ENSURE( pnWorld_GetHash( world ) == pnWorld_GetHash( other ) );
		pnDestroyWorld( other );
		pnDestroyWorld( world );
	}
	free( before );
	free( after );
	ENSURE_MOST( worst, 1e-5 );
	ENSURE_MOST( flattest, 0.005 * 0.7 );
	ENSURE_MOST( loss, 1e-4 );
	pnTestNote( "jump %.1e m, caps %.1e m off, volume to %.1e", worst, flattest, loss );
}

// What a skin was off when the blade passed is gone once its piece has its shape again: the skin is what it was at rest, cut.
static void CutSkinsComeBackToShape( void )
{
	pnRandom random = SeedOf( 1308 );
	static const char* const presets[] = { "rubber", "flesh", "wood" }; // jelly swings for longer
	double worst = 0.0;
	for ( int run = 0; run < 6; ++run )
	{
		pnTestContext( "run %d", run );
		pnWorld* world = MakeSlitWorld( 0.0f );
		pnBodyId body = PlaceSlitShape( world, run % 2 == 0 ? MakeCarried() : MakeBar( true, 7, 4, 4, 2 ), presets[run / 2], pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0 );
		for ( int i = 0; i < 2; ++i )
		{
			pnGrabDef grab = pnDefaultGrabDef();
			pnGrabId id;
			grab.body = body, grab.radius = 0.15f, grab.owner = 1;
			grab.place = pnMakeVec3( i == 0 ? -0.3f : 0.3f, 0.0f, 0.0f );
			ENSURE( pnCreateGrab( world, &grab, &id ) == pn_success );
			ENSURE( pnGrab_MoveTo( world, id, pnMakeVec3( i == 0 ? -0.45f : 0.42f, i == 0 ? 0.15f : -0.1f, 0.05f ) ) == pn_success );
		}
		StepSlit( world, 60 );
		pnBodyState state;
		ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
		pnCutDef cut = pnDefaultCutDef();
		cut.point = pnAdd( state.center, RandomVec3( &random, 0.08 ) );
		cut.normal = pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
		ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
		pnWorld_LetGo( world, 1 );
		StepSlit( world, 240 );
		pnBodyId bodies[8];
		int count = pnWorld_GetBodies( world, bodies, 8 );
		ENSURE( count > 1 );
		for ( int b = 0; b < count && b < 8; ++b )
		{
			pnSkinInfo info = pnSolid_GetSkin( pnBody_GetSolid( world, bodies[b] ), 0 );
			pnVec3* skin = calloc( (size_t)info.vertexCount, sizeof( pnVec3 ) );
			pnBody_WriteSkin( world, bodies[b], 0, skin, NULL, info.vertexCount );
			for ( int i = 0; i < 3 * info.triangleCount; ++i ) // attributes are places at rest
			{
				int32_t p = info.triangles[i], q = info.triangles[i - i % 3 + ( i + 1 ) % 3];
				const float *rp = info.attributes + (size_t)cutAttributes * p, *rq = info.attributes + (size_t)cutAttributes * q;
				double rest = DistanceOf( pnMakeVec3( rp[0], rp[1], rp[2] ), pnMakeVec3( rq[0], rq[1], rq[2] ) );
				worst = fmax( worst, fabs( DistanceOf( skin[p], skin[q] ) - rest ) );
			}
			free( skin );
		}
		pnDestroyWorld( world );
	}
	ENSURE_MOST( worst, 0.002 * 0.7 ); // of the size
	pnTestNote( "edges to %.1e m", worst );
}

// Pieces of a solid of one density have, together, the centre of mass that it had: new faces are no heavier than what is behind them, however little was cut off.
static void PiecesKeepTheCentre( void )
{
	pnRandom random = SeedOf( 1309 );
	double worst = 0.0;
	for ( int run = 0; run < 48; ++run )
	{
		pnTestContext( "run %d", run );
		int kind = run % 6;
		CutShape shape = kind == 0 ? MakeSphereShape( 6 ) : kind == 1 ? MakeTorus( 32, 12 ) : kind == 2 ? MakeCarried() : kind == 3 ? MakeHollow( false ) : kind == 4 ? MakeCells( "comb", 2 * combTeeth - 1, 6, 2, 0.1f, IsCombCell ) : MakeBar( true, 7, 4, 4, 2 );
		pnWorld* world = MakeSlitWorld( 0.0f );
		pnBodyId body = PlaceSlitShape( world, shape, "rubber", pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0 );
		pnBodyState state, piece;
		ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
		pnCutDef cut = pnDefaultCutDef();
		cut.smallest = 0.0f;
		cut.normal = pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
		double highest = -1e300;
		pnSkinInfo info = pnSolid_GetSkin( pnBody_GetSolid( world, body ), 0 );
		for ( int v = 0; v < info.vertexCount; ++v )
		{
			const float* rest = info.attributes + (size_t)cutAttributes * v;
			highest = fmax( highest, (double)pnDot( pnMakeVec3( rest[0], rest[1], rest[2] ), cut.normal ) );
		}
		double height = run % 2 == 0 ? highest - 0.002 : pnRandomIn( &random, -0.3, 0.9 ) * highest; // shaved, or cut anywhere
		cut.point = pnScale( (float)height, cut.normal );
		ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
		pnBodyId bodies[64];
		int count = pnWorld_GetBodies( world, bodies, 64 );
		double center[3] = { 0 }, before[3] = { state.center.x, state.center.y, state.center.z };
		for ( int i = 0; i < count && i < 64; ++i )
		{
			ENSURE( pnBody_GetState( world, bodies[i], &piece ) == pn_success );
			center[0] += piece.mass / state.mass * piece.center.x, center[1] += piece.mass / state.mass * piece.center.y, center[2] += piece.mass / state.mass * piece.center.z;
		}
		worst = fmax( worst, Distance3( center, before ) );
		ENSURE_MOST( Distance3( center, before ), 1e-3 ); // metres, of 0.6 to 1.1
		pnDestroyWorld( world );
	}
	pnTestNote( "%.1e m", worst );
}

// ---- slits ----

// The part of a stroke along x at z over which a pad is open at its top, once its rims at both ends of z are drawn apart.
static double MeasureOpening( pnWorld* world, pnBodyId body, double x0, double x1, double z )
{
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 ), held = 0;
	pnVec3* x = calloc( (size_t)count, sizeof( pnVec3 ) );
	int32_t* pins = calloc( (size_t)count, sizeof( int32_t ) );
	pnBody_WritePoints( world, body, x, NULL, count );
	for ( int i = 0; i < count; ++i )
	{
		if ( fabsf( x[i].z ) > 0.57f )
		{
			x[held] = x[i];
			pins[held++] = i;
		}
	}
	for ( int step = 0; step < 90; ++step )
	{
		for ( int i = 0; i < held && step < 60; ++i )
		{
			x[i].z += x[i].z > 0.0f ? 0.002f : -0.002f;
		}
		ENSURE( pnBody_Pin( world, body, pins, x, held ) == pn_success );
		StepSlit( world, 1 );
	}
	free( x );
	free( pins );
	pnSkinInfo info = pnSolid_GetSkin( pnBody_GetSolid( world, body ), 0 );
	pnVec3* skin = calloc( (size_t)info.vertexCount, sizeof( pnVec3 ) );
	pnBody_WriteSkin( world, body, 0, skin, NULL, info.vertexCount );
	enum { parts = 40 };
	int open = 0;
	for ( int part = 0; part < parts; ++part )
	{
		double at = x0 + ( x1 - x0 ) * ( part + 0.5 ) / parts, low = -1e9, high = 1e9; // the lips: the last before the middle, the first behind it
		double sum = 0.0, near = 0.0;
		for ( int v = 0; v < info.vertexCount; ++v )
		{
			const float* rest = info.attributes + (size_t)cutAttributes * v;
			bool lip = fabs( (double)rest[0] - at ) < 0.055 && rest[1] > 0.149f && fabs( (double)rest[2] - z ) < 0.012;
			sum += lip ? (double)skin[v].z : 0.0, near += lip;
		}
		for ( int v = 0; v < info.vertexCount && near > 0.0; ++v )
		{
			const float* rest = info.attributes + (size_t)cutAttributes * v;
			if ( fabs( (double)rest[0] - at ) < 0.055 && rest[1] > 0.149f && fabs( (double)rest[2] - z ) < 0.012 )
			{
				low = (double)skin[v].z < sum / near ? fmax( low, (double)skin[v].z ) : low;
				high = (double)skin[v].z >= sum / near ? fmin( high, (double)skin[v].z ) : high;
			}
		}
		open += high - low > 0.003 && high - low < 1.0;
	}
	free( skin );
	return (double)open / parts;
}

// One stroke or several that overlap, wherever they pass between the layers of points: the lips part along all of it, and there is one body still.
static void StrokesOpenWhereverTheyPass( void )
{
	pnRandom random = SeedOf( 1302 );
	double least = 1.0;
	for ( int run = 0; run < 12; ++run )
	{
		static const int strokes[3] = { 1, 3, 6 };
		int count = strokes[run % 3];
		float z = (float)pnRandomIn( &random, -0.15, 0.15 ), length = 1.0f / ( 0.8f * (float)count + 0.2f );
		pnTestContext( "run %d, %d strokes at %.3f", run, count, (double)z );
		pnWorld* world = MakeSlitWorld( 0.0f );
		pnBodyId body = PlaceSlitShape( world, MakeBar( true, 16, 3, 12, 2 ), "rubber", pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0 );
		for ( int i = 0; i < count; ++i )
		{
			pnCutDef def = DefineStroke( -0.5f + 0.8f * length * (float)i, -0.05f, z, length );
			pnCutResult result;
			ENSURE( pnWorld_Cut( world, &def, &result ) == pn_success && result.pieceCount == 1 && result.removedCount == 0 );
		}
		REQUIRE( pnBody_IsValid( world, body ) );
		double open = MeasureOpening( world, body, -0.48, 0.48, (double)z );
		ENSURE( open >= 0.95 );
		least = fmin( least, open );
		pnDestroyWorld( world );
	}
	pnTestNote( "%.0f %% open", 100.0 * least );
}

// Ten strokes, each deeper: one body, hardly more points; and one wall, whose two faces have the area of the stroke.
static void DeepenSlits( double jitter, double mostArea )
{
	pnRandom random = SeedOf( 1303 );
	double most = 0.0, crowd = 0.0;
	for ( int run = 0; run < 32; ++run )
	{
		bool carried = run % 2 == 0;
		float z = (float)pnRandomIn( &random, -0.15, 0.15 );
		pnTestContext( "run %d at %.3f", run, (double)z );
		pnWorld* world = MakeSlitWorld( 0.0f );
		pnBodyId body = PlaceSlitShape( world, MakeBar( carried, 16, 3, 12, 2 ), "rubber", pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0 );
		int before = pnSolid_GetInfo( pnBody_GetSolid( world, body ) ).particleCount;
		for ( int i = 0; i < 10; ++i )
		{
			pnCutDef def = DefineStroke( -0.5f, 0.15f - 0.022f * (float)( i + 1 ), z + (float)pnRandomIn( &random, -jitter, jitter ), 1.0f );
			ENSURE( pnWorld_Cut( world, &def, NULL ) == pn_success );
		}
		ENSURE( pnWorld_GetBodies( world, NULL, 0 ) == 1 );
		REQUIRE( pnBody_IsValid( world, body ) );
		const pnSolid* solid = pnBody_GetSolid( world, body );
		pnSkinInfo info = pnSolid_GetSkin( solid, 0 );
		pnVec3* x = calloc( (size_t)info.vertexCount, sizeof( pnVec3 ) );
		pnBody_WriteSkin( world, body, 0, x, NULL, info.vertexCount );
		double area = 0.0;
		for ( int t = 0; t < info.triangleCount; ++t )
		{
			const int32_t* k = info.triangles + 3 * t;
			area += info.materials[t] == 99 ? 0.5 * LengthOf( pnCross( pnSub( x[k[1]], x[k[0]] ), pnSub( x[k[2]], x[k[0]] ) ) ) : 0.0;
		}
		free( x );
		most = fmax( most, area / 0.44 ), crowd = fmax( crowd, (double)pnSolid_GetInfo( solid ).particleCount / before );
		pnDestroyWorld( world );
	}
	ENSURE_MOST( most, mostArea );
	ENSURE_MOST( crowd, 1.25 );
	pnTestNote( "wall %.3f of two faces, %.2f times the points", most, crowd );
}

static void DeepeningStrokesGoOnInOneWall( void )
{
	DeepenSlits( 0.0, 1.05 );
	DeepenSlits( 0.003, 1.05 );
}

// Vertices at the lips of a slit along x at z from which triangles lead to both sides of it, all of them within a box of rest places.
static int CountWebs( pnWorld* world, pnBodyId body, double x0, double x1, double lowest, double z )
{
	pnSkinInfo info = pnSolid_GetSkin( pnBody_GetSolid( world, body ), 0 );
	pnVec3* skin = calloc( (size_t)info.vertexCount, sizeof( pnVec3 ) );
	int32_t* first = calloc( (size_t)info.vertexCount, sizeof( int32_t ) ); // of those in one place: a rim has one on the wall and one outside
	uint8_t* sides = calloc( (size_t)info.vertexCount, 1 );
	pnBody_WriteSkin( world, body, 0, skin, NULL, info.vertexCount );
	for ( int v = 0; v < info.vertexCount; ++v )
	{
		const float* rest = info.attributes + (size_t)cutAttributes * v;
		bool within = (double)rest[0] > x0 && (double)rest[0] < x1 && (double)rest[1] > lowest && fabs( (double)rest[2] - z ) < 0.2;
		for ( first[v] = within ? 0 : v; first[v] < v && memcmp( skin + first[v], skin + v, sizeof( pnVec3 ) ) != 0; )
		{
			first[v] += 1;
		}
		sides[v] = !within ? 4 : (double)rest[2] > z + 0.02 ? 1 : (double)rest[2] < z - 0.02 ? 2 : 0;
	}
	for ( bool changed = true; changed; )
	{
		changed = false;
		for ( int i = 0; i < 3 * info.triangleCount; ++i )
		{
			const int32_t* k = info.triangles + i - i % 3;
			int32_t a = first[k[i % 3]], b = first[k[( i + 1 ) % 3]];
			bool within = ( sides[k[0]] | sides[k[1]] | sides[k[2]] ) < 4;
			if ( within && sides[a] != sides[b] )
			{
				sides[a] = sides[b] = sides[a] | sides[b];
				changed = true;
			}
		}
	}
	int webs = 0;
	for ( int v = 0; v < info.vertexCount; ++v )
	{
		const float* rest = info.attributes + (size_t)cutAttributes * v;
		webs += sides[v] == 3 && fabs( (double)rest[2] - z ) < 0.012;
	}
	free( skin );
	free( first );
	free( sides );
	return webs;
}

// Rims at both ends of z are drawn apart, each by so much, so that a slit gapes while the next stroke is made.
static void DrawRims( pnWorld* world, pnBodyId body, float by )
{
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 ), held = 0;
	pnVec3* x = calloc( (size_t)count, sizeof( pnVec3 ) );
	int32_t* pins = calloc( (size_t)count, sizeof( int32_t ) );
	pnBody_WritePoints( world, body, x, NULL, count );
	for ( int i = 0; i < count; ++i )
	{
		if ( fabsf( x[i].z ) > 0.57f )
		{
			x[held] = pnMakeVec3( x[i].x, x[i].y, x[i].z > 0.0f ? 0.6f + by : -0.6f - by );
			pins[held++] = i;
		}
	}
	ENSURE( pnBody_Pin( world, body, pins, x, held ) == pn_success );
	StepSlit( world, 20 );
	free( x );
	free( pins );
}

// The middle between the lips of a slit along x at z, near a rest place x: now.
static double FindMiddle( const pnSkinInfo* info, const pnVec3* skin, double x, double lowest, double z )
{
	double sum = 0.0, count = 0.0;
	for ( int v = 0; v < info->vertexCount; ++v )
	{
		const float* rest = info->attributes + (size_t)cutAttributes * v;
		bool lip = fabs( (double)rest[0] - x ) < 0.06 && (double)rest[1] > lowest && fabs( (double)rest[2] - z ) < 0.012;
		sum += lip ? (double)skin[v].z : 0.0, count += lip;
	}
	return count > 0.0 ? sum / count : z;
}

// Edges with both ends within a box of rest places, so not at the slit's own ends and bottom, where its sides hang together: those that are more than twice as long as at rest, and two centimetres, and lead from one side of the slit that is drawn open to the
// other, five millimetres from its middle at least: they span it. (Those beside its ends are as long, on one side.)
static int CountSpans( pnWorld* world, pnBodyId body, double x0, double x1, double lowest, double z )
{
	pnSkinInfo info = pnSolid_GetSkin( pnBody_GetSolid( world, body ), 0 );
	pnVec3* skin = calloc( (size_t)info.vertexCount, sizeof( pnVec3 ) );
	pnBody_WriteSkin( world, body, 0, skin, NULL, info.vertexCount );
	int spans = 0;
	for ( int i = 0; i < 3 * info.triangleCount; ++i )
	{
		int32_t a = info.triangles[i], b = info.triangles[i - i % 3 + ( i + 1 ) % 3];
		const float *ra = info.attributes + (size_t)cutAttributes * a, *rb = info.attributes + (size_t)cutAttributes * b;
		bool within = (double)fminf( ra[0], rb[0] ) > x0 && (double)fmaxf( ra[0], rb[0] ) < x1 && (double)fminf( ra[1], rb[1] ) > lowest && fabs( (double)ra[2] - z ) < 0.1;
		double rest = DistanceOf( pnMakeVec3( ra[0], ra[1], ra[2] ), pnMakeVec3( rb[0], rb[1], rb[2] ) );
		if ( within && DistanceOf( skin[a], skin[b] ) > 0.02 + 2.0 * rest )
		{
			double middle = FindMiddle( &info, skin, (double)ra[0], lowest, z ), from = (double)skin[a].z - middle, to = (double)skin[b].z - middle;
			spans += from * to < 0.0 && fmin( fabs( from ), fabs( to ) ) > 0.005;
		}
	}
	free( skin );
	return spans;
}

// Strokes that overlap join, also where the slit gapes or is pressed shut while the next one is made: nothing of the skin spans it between its ends.
static void OverlapStrokes( int most, pnRandom random )
{
	enum { runs = 48 };
	int webbed = 0;
	for ( int run = 0; run < runs; ++run )
	{
		int count = 2 + run / 2 % 3;
		double overlap = pnRandomIn( &random, 0.01, 0.08 ), jitter = run % 2 == 0 ? 0.0 : 0.003;
		float z = (float)pnRandomIn( &random, -0.15, 0.15 ), gape = run % 3 == 0 ? 0.0f : (float)pnRandomIn( &random, -0.02, 0.02 ), lowest = -1.0f, length = (float)( ( 1.0 + ( count - 1 ) * overlap ) / count );
		pnTestContext( "run %d, %d strokes at %.3f, overlap %.3f, jitter %.3f", run, count, (double)z, overlap, jitter );
		pnWorld* world = MakeSlitWorld( 0.0f );
		pnBodyId body = PlaceSlitShape( world, MakeBar( run % 4 != 3, 16, 3, 12, 2 ), "rubber", pnMakeVec3( 0.0f, 0.0f, 0.0f ), 0 );
		for ( int i = 0; i < count; ++i )
		{
			float y = (float)pnRandomIn( &random, -0.1, 0.05 );
			lowest = y > lowest ? y : lowest;
			pnCutDef def = DefineStroke( -0.5f + ( length - (float)overlap ) * (float)i, y, z * ( 1.0f + gape / 0.6f ) + (float)pnRandomIn( &random, -jitter, jitter ), length );
			ENSURE( pnWorld_Cut( world, &def, NULL ) == pn_success );
			DrawRims( world, body, gape );
		}
		REQUIRE( pnBody_IsValid( world, body ) );
		for ( int step = 0; step < 6; ++step )
		{
			DrawRims( world, body, 0.02f * (float)( step + 1 ) );
		}
		int webs = CountWebs( world, body, -0.49, 0.49, (double)lowest + 0.01, (double)z ); // drawn open, so that no two lips are in one place
		int spans = CountSpans( world, body, -0.45, 0.45, (double)lowest + 0.01, (double)z );
		webbed += webs > 0 || spans > 0;
		pnDestroyWorld( world );
	}
	ENSURE_MOST( webbed, most );
	pnTestNote( "%d of %d with a web", webbed, runs );
}

static void OverlappingStrokesJoin( void )
{
	OverlapStrokes( 3, SeedOf( 1305 ) );
}

// Among these are four whose slivers would take vertices of the skin along to the other side, if those did not go with what their edges lead to.
static void SliversGoWithTheirEdges( void )
{
	OverlapStrokes( 3, pnSeed( 1305 + 93003 * 1000003ull ) );
}

static void OverlappingStrokesLeaveNoWeb( void )
{
	OverlapStrokes( 0, SeedOf( 1305 ) );
}

// ---- lips ----

// Metres between the points on either side of a place z, near the top of a pad whose rims at both ends of z are pressed in by `by` each.
static double PressPad( CutShape shape, const char* preset, bool slit, float z, float by )
{
	pnWorld* world = MakeSlitWorld( 0.0f );
	pnBodyId body = PlaceSlitShape( world, shape, preset, pnMakeVec3( 0.0f, 0.0f, 0.0f ), UINT32_MAX );
	int before = pnBody_WritePoints( world, body, NULL, NULL, 0 ), held = 0;
	pnVec3* rest = calloc( (size_t)before, sizeof( pnVec3 ) );
	pnBody_WritePoints( world, body, rest, NULL, before );
	if ( slit )
	{
		pnCutDef def = DefineStroke( -1.0f, -0.1f, z, 2.0f );
		pnCutResult result;
		ENSURE( pnWorld_Cut( world, &def, &result ) == pn_success && result.pieceCount == 1 && result.removedCount == 0 );
	}
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
	pnVec3* x = calloc( (size_t)count, sizeof( pnVec3 ) );
	int32_t* pins = calloc( (size_t)count, sizeof( int32_t ) );
	pnVec3* targets = calloc( (size_t)count, sizeof( pnVec3 ) );
	pnBody_WritePoints( world, body, x, NULL, count );
	for ( int i = 0; i < count; ++i )
	{
		if ( fabsf( x[i].z ) > 0.57f )
		{
			targets[held] = x[i];
			pins[held++] = i;
		}
	}
	for ( int step = 0; step < 90; ++step )
	{
		for ( int i = 0; i < held && step < 60; ++i )
		{
			targets[i].z += ( targets[i].z > 0.0f ? -by : by ) / 60.0f;
		}
		ENSURE( pnBody_Pin( world, body, pins, targets, held ) == pn_success );
		StepSlit( world, 1 );
	}
	pnBody_WritePoints( world, body, x, NULL, count );
	double sums[2] = { 0 }, counts[2] = { 0 };
	for ( int i = 0; i < before; ++i ) // a cut keeps a body's points, and their order
	{
		double beside = (double)( rest[i].z - z );
		int side = beside > 0.0;
		if ( rest[i].y > 0.1f && fabs( (double)rest[i].x ) < 0.6 && fabs( beside ) > 0.01 && fabs( beside ) < 0.115 )
		{
			sums[side] += (double)x[i].z, counts[side] += 1.0;
		}
	}
	free( rest );
	free( x );
	free( pins );
	free( targets );
	pnDestroyWorld( world );
	ENSURE( counts[0] > 0.0 && counts[1] > 0.0 );
	return sums[1] / counts[1] - sums[0] / counts[0];
}

// A slit that is pressed shut carries the pressure: beside it nothing is nearer than in the same pad without a slit, but for a hundredth of its width.
static void PressedLipsTouch( void )
{
	pnRandom random = SeedOf( 1306 );
	static const char* const presets[] = { "rubber", "flesh", "jelly" };
	double worst = 0.0;
	for ( int run = 0; run < 6; ++run )
	{
		int kind = run % 3;
		float z = ( run < 3 ? 0.05f : -0.05f ) + (float)pnRandomIn( &random, -0.03, 0.03 ), by = (float)pnRandomIn( &random, 0.02, 0.04 );
		double gaps[2];
		pnTestContext( "run %d at %.3f, by %.3f", run, (double)z, (double)by );
		for ( int slit = 0; slit < 2; ++slit )
		{
			CutShape shape = kind < 2 ? MakeBar( kind == 0, 16, 3, 12, 2 ) : MakeCloud( "points", 17, 4, 13, 0.1f, IsBlockCell );
			gaps[slit] = PressPad( shape, presets[( run + run / 3 ) % 3], slit == 1, z, by );
		}
		worst = fmax( worst, ( gaps[0] - gaps[1] ) / 1.2 );
	}
	ENSURE_MOST( worst, 0.01 );
	pnTestNote( "nearer by %.4f of the width", worst );
}

// ---- rest ----

static double FastestOf( pnWorld* world, int frames, int subSteps )
{
	double fastest = 0.0;
	for ( int frame = 0; frame < frames; ++frame )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, subSteps ) == pn_success );
		pnBodyId bodies[256];
		int count = pnWorld_GetBodies( world, bodies, 256 );
		for ( int i = 0; i < count && i < 256; ++i )
		{
			pnBodyState state;
			ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
			fastest = fmax( fastest, sqrt( 2.0 * fmax( state.kinetic, 0.0 ) / (double)state.mass ) );
			ENSURE_NEAR( state.maxStretch, 1.0, 0.01 );
		}
	}
	return fastest;
}

// Blades that end inside: half planes through the middle.
static pnCutDef DefineIncision( pnVec3 point, pnQuat turn )
{
	pnCutDef cut = pnDefaultCutDef();
	cut.kind = pn_quadBlade;
	for ( int i = 0; i < 4; ++i )
	{
		cut.quad[i] = pnAdd( point, pnRotate( turn, pnMakeVec3( 0.0f, i == 1 || i == 2 ? 0.0f : 3.0f, i < 2 ? -3.0f : 3.0f ) ) );
	}
	return cut;
}

static void CutAtRest( uint32_t mask, bool slits, pnRandom random )
{
	static const char* const presets[] = { "jelly", "rubber", "flesh", "foam", "clay", "wood", "steel", "rigid" };
	double fastest = 0.0;
	for ( int run = 0; run < ( slits ? 48 : 24 ); ++run )
	{
		int kind = slits && run % 2 == 1 ? 2 : run % 5, planes = 1 + ( run + run / 5 ) % ( slits ? 8 : 5 ), subSteps = 1 + ( run + 3 * ( run / 8 ) ) % 8;
		pnTestContext( "run %d", run );
		CutShape shape = kind == 0 ? MakeBar( false, 6, 6, 6, 1 ) : kind == 1 ? MakeSphereShape( 6 ) : kind == 2 ? MakeCarried() : kind == 3 ? MakeTorus( 32, 12 ) : MakeCloud( "points", 9, 5, 5, 0.1f, IsBlockCell );
		pnWorld* world = MakeSlitWorld( 0.0f );
		PlaceSlitShape( world, shape, presets[run % 8], pnMakeVec3( 0.3f, 1.0f, 0.2f ), mask );
		for ( int i = 0; i < planes; ++i )
		{
			pnVec3 point = pnAdd( pnMakeVec3( 0.3f, 1.0f, 0.2f ), RandomVec3( &random, 0.1 ) );
			pnQuat turn = RandomTurn( &random );
			pnCutDef cut = DefineIncision( point, turn );
			cut.kind = slits && i % 3 != 2 ? pn_quadBlade : pn_planeBlade;
			cut.point = point;
			cut.normal = pnRotate( turn, pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
			ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
		}
		fastest = fmax( fastest, FastestOf( world, 40, subSteps ) );
		pnDestroyWorld( world );
	}
	ENSURE_MOST( fastest, 1e-3 );
	pnTestNote( "%.1e m/s", fastest );
}

static void PiecesAtRestStayAtRest( void )
{
	CutAtRest( 0, false, SeedOf( 1304 ) );
}

static void TouchingPiecesAtRestStayAtRest( void )
{
	CutAtRest( UINT32_MAX, false, SeedOf( 1304 ) );
}

static void TouchingLipsAtRestStayAtRest( void )
{
	CutAtRest( UINT32_MAX, true, SeedOf( 1307 ) );
}

// Among these is a body in which a blade crosses an older slit at a slant and bends its walls, by less than pn_snap of the spacing: its pieces lie in each other by as much, and are not
// pushed apart for it (pnCollider.misfit).
static void BentLipsAtRestStayAtRest( void )
{
	CutAtRest( UINT32_MAX, true, pnSeed( 1307 + 2 * 1000003ull ) );
}

// What lies on the face that it was cut along is carried by its rim, too: three seconds later no vertex of its new face is below the one of the lower face that it was cut from, but for a
// hundredth of the size, on average, and a fiftieth.
static void PiecesLieOnTheirRims( void )
{
	pnRandom random = SeedOf( 1311 );
	static const char* const presets[] = { "wood", "steel", "rigid" }; // soft ones slide on each other
	double worst = 0.0, deepest = 0.0;
	for ( int run = 0; run < 12; ++run )
	{
		pnTestContext( "run %d", run );
		pnWorld* world = MakeSlitWorld( 9.81f );
		pnShapeDef floor = pnDefaultShapeDef();
		pnShapeId id;
		floor.friction = 0.8f;
		ENSURE( pnCreateShape( world, &floor, &id ) == pn_success );
		int n[3] = { 4 + pnRandomInt( &random, 3 ), 4 + pnRandomInt( &random, 2 ), 4 + pnRandomInt( &random, 3 ) };
		pnBodyId body = PlaceSlitShape( world, MakeBar( false, n[0], n[1], n[2], 1 ), presets[run % 3], pnMakeVec3( 0.0f, 0.05f * (float)n[1] + 0.01f, 0.0f ), UINT32_MAX );
		StepSlit( world, 120 );
		pnBodyState state;
		ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
		pnCutDef cut = pnDefaultCutDef();
		cut.inside = 99;
		cut.point = pnMakeVec3( 0.0f, (float)pnRandomIn( &random, 0.35, 0.65 ) * state.bounds.upper.y, 0.0f );
		ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
		StepSlit( world, 180 );
		pnBodyId bodies[4];
		REQUIRE( pnWorld_GetBodies( world, bodies, 4 ) == 2 );
		pnSkinInfo infos[2];
		pnVec3* skins[2];
		for ( int k = 0; k < 2; ++k )
		{
			infos[k] = pnSolid_GetSkin( pnBody_GetSolid( world, bodies[k] ), 0 );
			skins[k] = calloc( (size_t)infos[k].vertexCount, sizeof( pnVec3 ) );
			pnBody_WriteSkin( world, bodies[k], 0, skins[k], NULL, infos[k].vertexCount );
		}
		int upper = skins[0][0].y > skins[1][0].y ? 0 : 1, lower = 1 - upper, count = 0;
		ENSURE( pnBody_GetState( world, bodies[upper], &state ) == pn_success );
		double sum = 0.0, most = 0.0;
		for ( int i = 0; i < 3 * infos[upper].triangleCount; ++i )
		{
			int v = infos[upper].triangles[i];
			for ( int k = 0; k < 3 * infos[lower].triangleCount && infos[upper].materials[i / 3] == 99; ++k ) // attributes are places at rest
			{
				int w = infos[lower].triangles[k];
				if ( infos[lower].materials[k / 3] == 99 && memcmp( infos[upper].attributes + (size_t)cutAttributes * v, infos[lower].attributes + (size_t)cutAttributes * w, 3 * sizeof( float ) ) == 0 )
				{
					double below = ( (double)skins[lower][w].y - (double)skins[upper][v].y ) / 0.5;
					sum += below, most = fmax( most, below ), count += 1;
					break;
				}
			}
		}
		ENSURE( count > 40 );
		worst = fmax( worst, sum / count ), deepest = fmax( deepest, most );
		ENSURE_MOST( sum / count, 0.01 );
		ENSURE_MOST( most, 0.02 );
		free( skins[0] );
		free( skins[1] );
		pnDestroyWorld( world );
	}
	pnTestNote( "%.4f of the size, at most %.4f", worst, deepest );
}

// Ten cuts through everything, four frames apart, of a body that lies on a floor; then five seconds.
static void CutManyTimes( bool rests )
{
	pnRandom random = SeedOf( 1305 );
	static const char* const presets[] = { "foam", "flesh", "clay", "wood", "rubber", "jelly", "steel", "rigid" };
	double farthest = 0.0, slowest = 0.0;
	int mostAwake = 0;
	for ( int run = 0; run < 8; ++run )
	{
		pnTestContext( "run %d", run );
		pnWorldDef def = pnDefaultWorldDef(); // where what rests sleeps
		pnWorld* world = NULL;
		ENSURE( pnCreateWorld( &def, &world ) == pn_success );
		pnShapeDef floor = pnDefaultShapeDef();
		pnShapeId shape;
		floor.friction = 0.8f;
		ENSURE( pnCreateShape( world, &floor, &shape ) == pn_success );
		PlaceSlitShape( world, MakeCloud( "points", 6, 6, 6, 0.12f, IsBlockCell ), presets[run], pnMakeVec3( 0.0f, 0.31f, 0.0f ), UINT32_MAX );
		StepSlit( world, 30 );
		pnBodyId bodies[1024];
		int awake = 1, frame = 0, count = 0;
		for ( ; frame < ( rests ? 340 : 160 ) && ( frame < 40 || awake > 0 ); ++frame )
		{
			pnCutDef cut = pnDefaultCutDef();
			cut.point = pnAdd( pnMakeVec3( 0.0f, 0.25f, 0.0f ), RandomVec3( &random, 0.15 ) );
			cut.normal = pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) );
			ENSURE( frame >= 40 || frame % 4 != 0 || pnWorld_Cut( world, &cut, NULL ) == pn_success );
			StepSlit( world, 1 );
			count = pnWorld_GetBodies( world, bodies, 1024 );
			awake = 0;
			for ( int i = 0; i < count && i < 1024; ++i )
			{
				pnBodyState state;
				ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
				awake += state.awake;
				farthest = fmax( farthest, sqrt( (double)pnDot( state.center, state.center ) ) );
			}
		}
		ENSURE( count > 10 );
		mostAwake = awake > mostAwake ? awake : mostAwake;
		slowest = fmax( slowest, ( frame - 40 ) / 60.0 );
		pnDestroyWorld( world );
	}
	ENSURE_MOST( farthest, 3.0 ); // metres: nothing is flung
	ENSURE( !rests || mostAwake == 0 );
	pnTestNote( "%.2f m, %.1f s, %d awake", farthest, slowest, mostAwake );
}

static void ManyCutsFlingNothing( void )
{
	CutManyTimes( false );
}

static void ManyCutsComeToRest( void )
{
	CutManyTimes( true );
}

static const pnTest s_tests[] = {
	RUN( TrimsDoNotMultiplyPoints ),
	RUN( SkinsStayWhereTheBladePassed ),
	RUN( CutSkinsComeBackToShape ),
	RUN( PiecesKeepTheCentre ),
	RUN( StrokesOpenWhereverTheyPass ),
	RUN( DeepeningStrokesGoOnInOneWall ),
	RUN( OverlappingStrokesJoin ),
	RUN( SliversGoWithTheirEdges ),
	RUN_OPEN( OverlappingStrokesLeaveNoWeb ), // two in a hundred have an edge across, where the end of one stroke is opened by the next
	RUN( PressedLipsTouch ),
	RUN( PiecesAtRestStayAtRest ),
	RUN( TouchingPiecesAtRestStayAtRest ),
	RUN( TouchingLipsAtRestStayAtRest ),
	RUN( BentLipsAtRestStayAtRest ),
	RUN( PiecesLieOnTheirRims ),
	RUN( ManyCutsFlingNothing ),
	RUN_OPEN( ManyCutsComeToRest ), // a piece or two of some sixty rock on, most often of rubber and jelly
};
SUITE( slit, s_tests );
