// test_cut.c - cuts and tears: what a body has is what its pieces have, closed skins stay closed, and nobody else is touched.
// Knows the public header; of the inside only which vertices of a skin are one node, and what particles weigh.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "cut_shapes.h"

#include "soft/solid.h"

static const pnVec3 s_zero = { 0.0f, 0.0f, 0.0f };

// Runs are shorter under a sanitizer; and as many times as long as you like, to look for what is rare.
#ifndef PN_CUT_TIMES
#define PN_CUT_TIMES 1
#endif
#if defined( __SANITIZE_ADDRESS__ ) || defined( __SANITIZE_THREAD__ )
enum { slow = 8 };
#else
enum { slow = 1 };
#endif

static int Many( int count )
{
	return count * PN_CUT_TIMES / slow;
}

// ---- a skin as it lies ----

typedef struct Surface
{
	pnSkinInfo info;
	pnVec3* places;
	int32_t* nodes; // of the vertices; those in one place are one
	int nodeCount;
} Surface;

static const pnVec3* s_sorted;

static int ComparePlaces( const void* a, const void* b )
{
	pnVec3 p = s_sorted[*(const int32_t*)a], q = s_sorted[*(const int32_t*)b];
	double d = p.x != q.x ? (double)p.x - q.x : p.y != q.y ? (double)p.y - q.y : (double)p.z - q.z;
	return d < 0.0 ? -1 : d > 0.0;
}

static Surface ReadSurface( const pnWorld* world, pnBodyId body, int skin )
{
	const pnSolid* solid = pnBody_GetSolid( world, body );
	Surface surface = { .info = pnSolid_GetSkin( solid, skin ) };
	int count = surface.info.vertexCount;
	surface.places = calloc( (size_t)count + 1, sizeof( pnVec3 ) );
	surface.nodes = calloc( (size_t)count + 1, sizeof( int32_t ) );
	ENSURE( pnBody_WriteSkin( world, body, skin, surface.places, NULL, count ) == count );
	const pnSkin* inside = solid->skins + skin;
	if ( inside->onParticles )
	{
		memcpy( surface.nodes, solid->skinParticle + inside->firstVertex, (size_t)count * sizeof( int32_t ) );
		surface.nodeCount = solid->particleCount;
		return surface;
	}
	if ( solid->nodedCount > 0 ) // a piece: the lips of a slit may lie in one place
	{
		memcpy( surface.nodes, solid->skinNode + inside->firstVertex, (size_t)count * sizeof( int32_t ) );
		surface.nodeCount = count;
		return surface;
	}
	int32_t* order = calloc( (size_t)count + 1, sizeof( int32_t ) );
	for ( int i = 0; i < count; ++i )
	{
		order[i] = i;
	}
	s_sorted = surface.places;
	qsort( order, (size_t)count, sizeof( int32_t ), ComparePlaces );
	for ( int i = 0; i < count; ++i )
	{
		surface.nodeCount += i > 0 && ComparePlaces( order + i - 1, order + i ) != 0;
		surface.nodes[order[i]] = surface.nodeCount;
	}
	surface.nodeCount += count > 0;
	free( order );
	return surface;
}

static void FreeSurface( Surface* surface )
{
	free( surface->places );
	free( surface->nodes );
	*surface = ( Surface ){ 0 };
}

static double VolumeOf( const Surface* surface, const double about[3] )
{
	double six = 0.0;
	for ( int t = 0; t < surface->info.triangleCount; ++t )
	{
		double p[3][3];
		for ( int k = 0; k < 3; ++k )
		{
			pnVec3 at = surface->places[surface->info.triangles[3 * t + k]];
			p[k][0] = at.x - about[0], p[k][1] = at.y - about[1], p[k][2] = at.z - about[2];
		}
		six += p[0][0] * ( p[1][1] * p[2][2] - p[1][2] * p[2][1] ) + p[0][1] * ( p[1][2] * p[2][0] - p[1][0] * p[2][2] ) + p[0][2] * ( p[1][0] * p[2][1] - p[1][1] * p[2][0] );
	}
	return six / 6.0;
}

typedef struct Flaws
{
	int flat; // triangles with two corners in one node
	int open; // edges without their other way round
	int doubled; // edges that are run through twice in one direction
	int split; // nodes whose triangles are not one fan
} Flaws;

typedef struct EdgeTable { uint64_t* keys; int32_t* counts; uint32_t mask; } EdgeTable;

static int32_t* FindEdge( EdgeTable* table, int32_t a, int32_t b )
{
	uint64_t key = ( (uint64_t)(uint32_t)a << 32 | (uint32_t)b ) + 1;
	uint32_t slot = (uint32_t)( ( key * 0x9E3779B97F4A7C15ull ) >> 32 ) & table->mask;
	while ( table->keys[slot] != 0 && table->keys[slot] != key )
	{
		slot = ( slot + 1 ) & table->mask;
	}
	table->keys[slot] = key;
	return table->counts + slot;
}

static Flaws ExamineSurface( const Surface* surface )
{
	Flaws flaws = { 0 };
	int count = surface->info.triangleCount;
	uint32_t size = 64;
	while ( size < 16u * (uint32_t)count )
	{
		size *= 2;
	}
	EdgeTable table = { calloc( size, sizeof( uint64_t ) ), calloc( size, sizeof( int32_t ) ), size - 1 };
	int32_t* starts = calloc( (size_t)surface->nodeCount + 2, sizeof( int32_t ) );
	int32_t* fans = calloc( 6 * (size_t)count + 2, sizeof( int32_t ) ); // of each node, the other two corners of its triangles
	for ( int t = 0; t < count; ++t )
	{
		const int32_t* c = surface->info.triangles + 3 * t;
		for ( int k = 0; k < 3; ++k )
		{
			int32_t a = surface->nodes[c[k]], b = surface->nodes[c[( k + 1 ) % 3]];
			flaws.flat += a == b;
			flaws.doubled += ++*FindEdge( &table, a, b ) > 1;
			starts[a + 2] += 1;
		}
	}
	for ( int i = 0; i < surface->nodeCount; ++i )
	{
		starts[i + 2] += starts[i + 1];
	}
	for ( int t = 0; t < count; ++t )
	{
		const int32_t* c = surface->info.triangles + 3 * t;
		for ( int k = 0; k < 3; ++k )
		{
			int32_t a = surface->nodes[c[k]], b = surface->nodes[c[( k + 1 ) % 3]], d = surface->nodes[c[( k + 2 ) % 3]];
			flaws.open += *FindEdge( &table, b, a ) == 0;
			int32_t* fan = fans + 2 * (size_t)starts[a + 1]++;
			fan[0] = b, fan[1] = d;
		}
	}
	for ( int i = 0; i < surface->nodeCount; ++i )
	{
		const int32_t* fan = fans + 2 * (size_t)starts[i];
		int degree = starts[i + 1] - starts[i], met = 0;
		if ( degree == 0 )
		{
			continue;
		}
		// from the triangle that has none before it, if there is one
		int32_t first = fan[0];
		for ( int k = 0; k < degree; ++k )
		{
			bool led = false;
			for ( int l = 0; l < degree && !led; ++l )
			{
				led = fan[2 * l + 1] == fan[2 * k];
			}
			first = led ? first : fan[2 * k];
		}
		int32_t at = first;
		bool more = true;
		while ( more && met < degree )
		{
			more = false;
			for ( int k = 0; k < degree && !more; ++k )
			{
				if ( fan[2 * k] == at )
				{
					at = fan[2 * k + 1], met += 1, more = true;
				}
			}
			more = more && at != first;
		}
		flaws.split += met != degree;
	}
	free( table.keys );
	free( table.counts );
	free( starts );
	free( fans );
	return flaws;
}

// ---- sums over bodies ----

typedef struct Sums
{
	double mass, linear[3], angular[3]; // about a fixed place
	double linearScale, angularScale; // the same over lengths: what relative errors refer to
	double volume; // enclosed by the skins that lead
} Sums;

static void AddBody( Sums* sums, const pnWorld* world, pnBodyId body, const double about[3], bool closed )
{
	const pnSolid* solid = pnBody_GetSolid( world, body );
	pnSolidInfo info = pnSolid_GetInfo( solid );
	pnVec3* x = calloc( info.pointCount, sizeof( pnVec3 ) );
	pnVec3* v = calloc( info.pointCount, sizeof( pnVec3 ) );
	int32_t* particles = calloc( info.pointCount, sizeof( int32_t ) );
	uint8_t* met = calloc( info.particleCount, 1 );
	pnSolid_WritePointMap( solid, particles, info.pointCount );
	pnBody_WritePoints( world, body, x, v, info.pointCount );
	pnBodyState state;
	ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
	double own = 0.0, linear[3] = { 0 };
	for ( int i = 0; i < info.pointCount; ++i )
	{
		if ( met[particles[i]] != 0 )
		{
			continue;
		}
		met[particles[i]] = 1;
		double m = (double)state.mass * (double)solid->mass[particles[i]];
		double p[3] = { x[i].x - about[0], x[i].y - about[1], x[i].z - about[2] }, u[3] = { v[i].x, v[i].y, v[i].z };
		double l[3] = { p[1] * u[2] - p[2] * u[1], p[2] * u[0] - p[0] * u[2], p[0] * u[1] - p[1] * u[0] };
		own += m;
		for ( int k = 0; k < 3; ++k )
		{
			linear[k] += m * u[k];
			sums->angular[k] += m * l[k];
		}
		sums->linearScale += m * Length3( u );
		sums->angularScale += m * Length3( p ) * Length3( u );
	}
	ENSURE_NEAR( own, (double)state.mass, 1e-5 * own ); // every particle is somebody's point
	double momentum[3] = { state.momentum.x, state.momentum.y, state.momentum.z };
	ENSURE_MOST( Distance3( momentum, linear ), 1e-5 * own * 10.0 );
	sums->mass += own;
	for ( int k = 0; k < 3; ++k )
	{
		sums->linear[k] += linear[k];
	}
	if ( closed )
	{
		Surface surface = ReadSurface( world, body, 0 );
		sums->volume += VolumeOf( &surface, about );
		FreeSurface( &surface );
	}
	free( x );
	free( v );
	free( particles );
	free( met );
}

// Points that no cluster holds, and vertices that none carries: they would fly off by themselves.
static int CountLost( const pnSolid* solid )
{
	uint8_t* held = calloc( solid->particleCount, 1 );
	int lost = 0;
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		for ( int m = solid->clusterStart[c]; m < solid->clusterStart[c] + solid->clusterSize[c]; ++m )
		{
			held[solid->memberPoint[m] / 16] = 1;
		}
	}
	for ( int p = 0; p < solid->particleCount; ++p )
	{
		lost += held[p] == 0;
	}
	for ( int v = 0; v < solid->skinVertexCount; ++v )
	{
		lost += solid->skinParticle[v] < 0 && solid->skinBondStart[v] == solid->skinBondStart[v + 1];
	}
	free( held );
	return lost;
}

static Sums SumWorld( const pnWorld* world, const double about[3], bool closed )
{
	Sums sums = { 0 };
	int count = pnWorld_GetBodies( world, NULL, 0 );
	pnBodyId* bodies = calloc( (size_t)count + 1, sizeof( pnBodyId ) );
	pnWorld_GetBodies( world, bodies, count );
	for ( int i = 0; i < count; ++i )
	{
		AddBody( &sums, world, bodies[i], about, closed );
		ENSURE( CountLost( pnBody_GetSolid( world, bodies[i] ) ) == 0 );
	}
	free( bodies );
	return sums;
}

static void EnsureSumsKept( const Sums* before, const Sums* after, double removedMass, double volumeBound )
{
	ENSURE_NEAR( after->mass + removedMass, before->mass, 1e-5 * before->mass );
	ENSURE_MOST( Distance3( after->linear, before->linear ), 1e-5 * before->linearScale + 1e-30 );
	ENSURE_MOST( Distance3( after->angular, before->angular ), 1e-5 * before->angularScale + 1e-30 );
	ENSURE_NEAR( after->volume, before->volume, volumeBound * before->volume );
}

// How far points are from where the best rigid motion of the rest shape would put them.
static double StrainOf( const pnWorld* world, pnBodyId body )
{
	const pnSolid* solid = pnBody_GetSolid( world, body );
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
	pnVec3* x = calloc( count, sizeof( pnVec3 ) );
	int32_t* particles = calloc( count, sizeof( int32_t ) );
	pnBody_WritePoints( world, body, x, NULL, count );
	pnSolid_WritePointMap( solid, particles, count );
	pnBodyState state;
	ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
	double most = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		// from the centre of mass, so that a great way off costs no digits
		pnVec3 goal = pnAdd( state.center, pnRotate( state.transform.q, solid->rest[particles[i]] ) );
		double off = DistanceOf( goal, x[i] );
		most = off > most ? off : most;
	}
	free( x );
	free( particles );
	return most;
}

// ---- bodies in all states ----

typedef enum State
{
	restState, // as it was made
	movingState, // turned, spinning and flying
	bentState, // pulled out of shape, and every point on its own way
	dentedState, // plastic
	lyingState, // on a floor
	stateCount,
} State;

static const char* const s_stateNames[stateCount] = { "at rest", "moving", "bent", "dented", "lying" };

static void BendBody( pnWorld* world, pnBodyId body, double much, double noise, pnRandom* random )
{
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
	pnVec3* x = calloc( count, sizeof( pnVec3 ) );
	pnVec3* v = calloc( count, sizeof( pnVec3 ) );
	const pnSolid* solid = pnBody_GetSolid( world, body );
	int32_t* particles = calloc( count, sizeof( int32_t ) );
	pnVec3* shifts = calloc( count, sizeof( pnVec3 ) );
	pnSolid_WritePointMap( solid, particles, count );
	pnBody_WritePoints( world, body, x, v, count );
	pnVec3 center = pnSolid_GetInfo( solid ).center;
	pnVec3 a = RandomVec3( random, much ), b = RandomVec3( random, much ), c = RandomVec3( random, much ), d = RandomVec3( random, much );
	pnQuat turn = RandomTurn( random );
	pnVec3 to = RandomVec3( random, 2.0 ), spin = RandomVec3( random, 3.0 ), fly = RandomVec3( random, 2.0 );
	for ( int i = 0; i < count; ++i )
	{
		shifts[i] = RandomVec3( random, noise );
	}
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 p = pnSub( x[i], center ), q = pnAdd( p, shifts[particles[i]] );
		q = pnMulAdd( q, p.x, a );
		q = pnMulAdd( q, p.y, b );
		q = pnMulAdd( q, p.z, c );
		q = pnMulAdd( q, p.x * p.x - p.y * p.z, d );
		q = pnAdd( pnRotate( turn, q ), to );
		x[i] = q;
		v[i] = pnAdd( pnAdd( fly, pnCross( spin, pnSub( q, to ) ) ), pnScale( 10.0f, shifts[particles[i]] ) );
	}
	ENSURE( pnBody_SetPoints( world, body, x, v, count ) == pn_success );
	free( x );
	free( v );
	free( particles );
	free( shifts );
}

static void StepCut( pnWorld* world, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 2 ) == pn_success );
	}
}

static pnWorld* MakeCutWorld( const pnSolid* solid, State state, uint64_t seed, pnBodyId* body )
{
	pnRandom random = pnSeed( seed );
	pnWorld* world = MakeWorld( state == lyingState ? pnMakeVec3( 0.0f, -10.0f, 0.0f ) : s_zero );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.userData = 4711;
	if ( state == movingState )
	{
		def.transform.q = RandomTurn( &random );
		def.transform.p = RandomVec3( &random, 3.0 );
		def.velocity = RandomVec3( &random, 3.0 );
		def.angularVelocity = RandomVec3( &random, 5.0 );
	}
	if ( state == dentedState )
	{
		pnFindMaterial( "clay", &def.material );
		def.material.yield = 0.02f;
		def.material.creep = 30.0f;
		def.material.maxPlastic = 1.0f;
		def.material.recovery = 0.0f;
	}
	if ( state == lyingState )
	{
		def.transform.p = pnMakeVec3( 0.0f, 0.6f, 0.0f );
		def.material.hertz = 20.0f; // the knot would sink into itself
		pnShapeDef floor = pnDefaultShapeDef();
		pnShapeId id;
		ENSURE( pnCreateShape( world, &floor, &id ) == pn_success );
	}
	ENSURE( pnCreateBody( world, &def, body ) == pn_success );
	if ( state == bentState || state == dentedState )
	{
		BendBody( world, *body, 0.25, state == bentState ? 0.01 : 0.002, &random );
	}
	StepCut( world, state == dentedState ? 12 : state == lyingState ? 40 : 0 );
	pnBodyState now;
	ENSURE( pnBody_GetState( world, *body, &now ) == pn_success );
	if ( state == dentedState )
	{
		ENSURE( now.plasticStrain > 0.02f || pnSolid_GetInfo( solid ).bounds.upper.y == pnSolid_GetInfo( solid ).bounds.lower.y ); // sheets do not flow
	}
	return world;
}

typedef struct Image { void* bytes; size_t size; } Image;

static Image TakeImage( const pnWorld* world )
{
	Image image = { NULL, pnWorld_Snapshot( world, NULL, 0 ) };
	image.bytes = malloc( image.size );
	ENSURE( pnWorld_Snapshot( world, image.bytes, image.size ) == image.size );
	return image;
}

static void ShowImage( pnWorld* world, const Image* image )
{
	ENSURE( pnWorld_Restore( world, image->bytes, image->size ) == pn_success );
}

static void FreeImage( Image* image )
{
	free( image->bytes );
	*image = ( Image ){ 0 };
}

// ---- shapes ----

enum { closedCount = 14 };

static CutShape MakeClosedShape( int number )
{
	CutShape shape = { 0 };
	switch ( number )
	{
		case 0: shape = MakeSphereShape( 6 ); break;
		case 1: shape = MakeTorus( 24, 10 ); break;
		case 2: shape = MakeTrefoil( 60, 7 ); break;
		case 3: shape = MakeCells( "comb", 2 * combTeeth - 1, 7, 2, 0.1f, IsCombCell ); break;
		case 4: shape = MakeCube(); break;
		case 5: shape = MakeCells( "gridded block", 6, 5, 4, 0.125f, IsBlockCell ); break;
		case 6: shape = MakeTetrahedron(); break;
		case 7: shape = MakeCells( "arch", 8, 6, 3, 0.125f, IsArchCell ); break;
		case 8: shape = MakeTetrahedra( 4, 3, 3, 0.2f ); break;
		case 9: shape = MakeCarried(); break;
		case 10: shape = MakeCells( "filled block", 6, 4, 4, 0.125f, IsBlockCell ), shape.fill = 0.13f; break;
		case 11: shape = MakeHollow( false ); break;
		case 12: shape = MakeHollow( true ); break;
		case 13: shape = MakeHead(); break;
	}
	return shape;
}

static bool IsCarried( int shape )
{
	return shape == 9;
}

static bool IsOnePart( int shape ) // no hollows, no eyes
{
	return shape < 11;
}

// ---- planes ----

// Surfaces that hang together above and below a plane: so many pieces, if no part is inside of another. Those that reach no farther than
// `near` from the plane may count as on it.
typedef struct Parts { int all, far; } Parts;

static double HeightOf( pnVec3 place, pnVec3 point, pnVec3 normal )
{
	double d[3] = { (double)place.x - point.x, (double)place.y - point.y, (double)place.z - point.z };
	return ( d[0] * normal.x + d[1] * normal.y + d[2] * normal.z ) / LengthOf( normal );
}

static int32_t RootOf( int32_t* sets, int32_t item )
{
	while ( sets[item] != item )
	{
		item = sets[item] = sets[sets[item]];
	}
	return item;
}

static Parts CountParts( const Surface* surface, pnVec3 point, pnVec3 normal, double near )
{
	int32_t* sets = calloc( (size_t)surface->nodeCount + 1, sizeof( int32_t ) );
	double* heights = calloc( (size_t)surface->nodeCount + 1, sizeof( double ) );
	uint8_t* met = calloc( (size_t)surface->nodeCount + 1, 1 ); // 1 in a triangle, 2 a part that is far
	for ( int i = 0; i < surface->nodeCount; ++i )
	{
		sets[i] = i;
	}
	double farthest = 0.0;
	for ( int i = 0; i < surface->info.vertexCount; ++i )
	{
		double height = HeightOf( surface->places[i], point, normal );
		heights[surface->nodes[i]] = height;
		farthest = fabs( height ) > farthest ? fabs( height ) : farthest;
	}
	for ( int i = 0; i < 3 * surface->info.triangleCount; ++i )
	{
		int32_t a = surface->nodes[surface->info.triangles[i]], b = surface->nodes[surface->info.triangles[i - i % 3 + ( i + 1 ) % 3]];
		met[a] = 1;
		if ( ( heights[a] >= -1e-6 * farthest ) == ( heights[b] >= -1e-6 * farthest ) )
		{
			a = RootOf( sets, a ), b = RootOf( sets, b );
			sets[a > b ? a : b] = a < b ? a : b;
		}
	}
	for ( int i = 0; i < surface->nodeCount; ++i )
	{
		met[RootOf( sets, i )] |= met[i] != 0 && fabs( heights[i] ) > near ? 2 : 0;
	}
	Parts parts = { 0 };
	for ( int i = 0; i < surface->nodeCount; ++i )
	{
		parts.all += met[i] != 0 && sets[i] == i;
		parts.far += met[i] >= 2 && sets[i] == i;
	}
	free( sets );
	free( heights );
	free( met );
	return parts;
}

static pnAABB BoxOf( const Surface* surface )
{
	pnAABB box = { surface->places[0], surface->places[0] };
	for ( int i = 1; i < surface->info.vertexCount; ++i )
	{
		box.lower = pnMin3( box.lower, surface->places[i] );
		box.upper = pnMax3( box.upper, surface->places[i] );
	}
	return box;
}

static double ReachOut( const Surface* surface, pnAABB box )
{
	pnAABB own = BoxOf( surface );
	pnVec3 below = pnSub( box.lower, own.lower ), above = pnSub( own.upper, box.upper ), most = pnMax3( below, above );
	double out = most.x > most.y ? most.x : most.y;
	return out > most.z ? out : most.z;
}

static double LongestEdge( const Surface* surface )
{
	double longest = 0.0;
	for ( int i = 0; i < 3 * surface->info.triangleCount; ++i )
	{
		double d = DistanceOf( surface->places[surface->info.triangles[i]], surface->places[surface->info.triangles[i - i % 3 + ( i + 1 ) % 3]] );
		longest = d > longest ? d : longest;
	}
	return longest;
}

static void EnsureClosed( const Surface* surface )
{
	Flaws flaws = ExamineSurface( surface );
	ENSURE( flaws.flat == 0 );
	ENSURE( flaws.open == 0 );
	ENSURE( flaws.doubled == 0 );
	ENSURE( flaws.split == 0 );
}

// How far a piece reaches over to the other side of a plane, by skin and by points.
static double ReachAcross( const pnWorld* world, pnBodyId body, const Surface* surface, pnVec3 point, pnVec3 normal )
{
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
	pnVec3* x = calloc( count, sizeof( pnVec3 ) );
	pnBody_WritePoints( world, body, x, NULL, count );
	double low = 0.0, high = 0.0;
	for ( int i = 0; i < count + surface->info.vertexCount; ++i )
	{
		pnVec3 d = i < count ? x[i] : surface->places[i - count];
		double height = HeightOf( d, point, normal );
		low = -height > low ? -height : low, high = height > high ? height : high;
	}
	free( x );
	return low < high ? low : high;
}

static pnVec3 RandomPlace( const Surface* surface, pnRandom* random )
{
	return surface->places[pnRandomInt( random, surface->info.vertexCount )];
}

// A plane somewhere through a body; some run exactly through vertices, along edges or through three vertices.
static pnCutDef RandomPlane( const Surface* surface, pnRandom* random )
{
	pnCutDef def = pnDefaultCutDef();
	pnVec3 a = RandomPlace( surface, random ), b = RandomPlace( surface, random ), c = RandomPlace( surface, random );
	int kind = pnRandomInt( random, 10 );
	float t = (float)pnRandomIn( random, 0.0, 1.0 );
	def.point = kind < 7 ? pnAdd( pnScale( 1.0f - t, a ), pnScale( t, b ) ) : a;
	def.normal = pnRotate( RandomTurn( random ), pnMakeVec3( 0.0f, 2.0f, 0.0f ) );
	pnVec3 across = kind == 8 ? pnCross( pnSub( b, a ), def.normal ) : pnCross( pnSub( b, a ), pnSub( c, a ) );
	if ( kind >= 8 && LengthOf( across ) > 1e-4 )
	{
		def.normal = across;
	}
	def.inside = 99;
	def.smallest = 0.0f;
	return def;
}

// Whatever a plane cuts, all pieces together have the mass, the momenta and the volume that the body had; each piece is closed, and lies on
// its side of the plane. What was not strained is not.
static void PlanesKeepWhatABodyHas( void )
{
	int cuts = 0, pieces = 0, removed = 0;
	double worstVolume = 0.0;
	for ( int number = 0; number < closedCount; ++number )
	{
		CutShape shape = MakeClosedShape( number );
		pnSolid* solid = MakeCutSolid( &shape );
		for ( State state = 0; state < stateCount; ++state )
		{
			pnBodyId body;
			pnWorld* world = MakeCutWorld( solid, state, 100 + number, &body );
			Image image = TakeImage( world );
			uint64_t hash = pnWorld_GetHash( world );
			pnRandom random = pnSeed( 1000 * number + state );
			Surface whole = ReadSurface( world, body, 0 );
			EnsureClosed( &whole );
			double about[3] = { whole.places[0].x, whole.places[0].y, whole.places[0].z }, edge = LongestEdge( &whole );
			bool exact = !IsCarried( number ) || state <= movingState; // a carried skin lies as the clusters are fitted, and a piece has others
			Sums before = SumWorld( world, about, true );
			for ( int cut = 0; cut < Many( 64 ); ++cut )
			{
				pnTestContext( "%s, %s, cut %d", shape.name, s_stateNames[state], cut );
				pnCutDef def = RandomPlane( &whole, &random );
				pnCutResult result;
				REQUIRE( pnWorld_Cut( world, &def, &result ) == pn_success );
				Parts parts = CountParts( &whole, def.point, def.normal, 0.02 * edge );
				if ( result.cutCount == 0 )
				{
					ENSURE( !IsOnePart( number ) || parts.far < 2 );
					ENSURE( pnWorld_GetHash( world ) == hash );
					ENSURE( result.pieceCount == 0 && result.removedCount == 0 );
					continue;
				}
				cuts += 1, pieces += result.pieceCount;
				ENSURE( !pnBody_IsValid( world, body ) );
				ENSURE( result.cutCount == 1 );
				int found = result.pieceCount + result.removedCount;
				ENSURE( !IsOnePart( number ) || ( found >= parts.far && found <= parts.all ) );
				ENSURE( result.pieceCount >= 2 );
				removed += result.removedCount;
				Sums after = SumWorld( world, about, true );
				// a part that is turned inside out cannot live, and takes what it has with it
				EnsureSumsKept( &before, &after, (double)result.removedMass, result.removedCount > 0 ? 1e-3 : exact ? 1e-5 : 0.02 );
				double error = fabs( after.volume / before.volume - 1.0 );
				worstVolume = exact && result.removedCount == 0 && error > worstVolume ? error : worstVolume;
				pnBodyId bodies[64];
				int count = pnWorld_GetBodies( world, bodies, 64 );
				ENSURE( count == result.pieceCount );
				for ( int i = 0; i < count && i < 64; ++i )
				{
					Surface surface = ReadSurface( world, bodies[i], 0 );
					EnsureClosed( &surface );
					ENSURE_MOST( ReachAcross( world, bodies[i], &surface, def.point, def.normal ), ( exact ? 0.02 : 0.1 ) * edge + 1e-6 );
					ENSURE_MOST( state <= movingState ? StrainOf( world, bodies[i] ) : 0.0, 1e-5 );
					FreeSurface( &surface );
				}
				ShowImage( world, &image );
			}
			FreeSurface( &whole );
			FreeImage( &image );
			pnDestroyWorld( world );
		}
		pnDestroySolid( solid );
		FreeCutShape( &shape );
	}
	ENSURE_MOST( removed, 1e-3 * pieces );
	pnTestNote( "%d cuts, %d pieces, volume to %.1e", cuts, pieces, worstVolume );
}

// ---- quads ----

static pnCutDef DefQuad( pnVec3 center, pnVec3 across, pnVec3 along )
{
	pnCutDef def = pnDefaultCutDef();
	def.kind = pn_quadBlade;
	def.quad[0] = pnSub( pnSub( center, across ), along );
	def.quad[1] = pnSub( pnAdd( center, across ), along );
	def.quad[2] = pnAdd( pnAdd( center, across ), along );
	def.quad[3] = pnAdd( pnSub( center, across ), along );
	def.inside = 99;
	def.smallest = 0.0f;
	return def;
}

// A quad somewhere about a body, from a nick to right through it; not always a rectangle.
static pnCutDef RandomQuad( const Surface* surface, pnRandom* random )
{
	pnVec3 a = RandomPlace( surface, random ), b = RandomPlace( surface, random );
	float t = (float)pnRandomIn( random, 0.0, 1.0 );
	pnQuat turn = RandomTurn( random );
	pnVec3 across = pnRotate( turn, pnMakeVec3( (float)pnRandomIn( random, 0.02, 0.7 ), 0.0f, 0.0f ) );
	pnVec3 along = pnRotate( turn, pnMakeVec3( 0.0f, (float)pnRandomIn( random, 0.02, 0.7 ), 0.0f ) );
	pnCutDef def = DefQuad( pnAdd( pnScale( 1.0f - t, a ), pnScale( t, b ) ), across, along );
	for ( int i = 0; i < 4 && pnRandomInt( random, 2 ) == 0; ++i )
	{
		def.quad[i] = pnAdd( def.quad[i], pnAdd( pnScale( (float)pnRandomIn( random, -0.3, 0.3 ), across ), pnScale( (float)pnRandomIn( random, -0.3, 0.3 ), along ) ) );
	}
	return def;
}

// All skins are closed, and lie in a box. A box in which the body was is one in which all new vertices are, for they lie between others.
static void EnsureAllClosed( const pnWorld* world, pnAABB box, double margin, bool rigid )
{
	pnBodyId bodies[256];
	int count = pnWorld_GetBodies( world, bodies, 256 );
	for ( int i = 0; i < count && i < 256; ++i )
	{
		Surface surface = ReadSurface( world, bodies[i], 0 );
		EnsureClosed( &surface );
		ENSURE_MOST( ReachOut( &surface, box ), margin );
		ENSURE_MOST( rigid ? StrainOf( world, bodies[i] ) : 0.0, 3e-5 );
		FreeSurface( &surface );
	}
}

// Whatever a quad cuts and wherever it ends, mass, momenta and volume are kept, and what is left is closed; and a body that stays in one
// piece keeps its id. So it is for a second and a third cut through the same.
static void QuadsKeepWhatABodyHas( void )
{
	int cuts = 0, pieces = 0, opened = 0, removed = 0;
	double worstVolume = 0.0;
	for ( int number = 0; number < closedCount; ++number )
	{
		CutShape shape = MakeClosedShape( number );
		pnSolid* solid = MakeCutSolid( &shape );
		for ( State state = 0; state < stateCount; ++state )
		{
			pnBodyId body;
			pnWorld* world = MakeCutWorld( solid, state, 200 + number, &body );
			Image image = TakeImage( world );
			uint64_t hash = pnWorld_GetHash( world );
			pnRandom random = pnSeed( 5000 + 1000 * number + state );
			Surface whole = ReadSurface( world, body, 0 );
			double about[3] = { whole.places[0].x, whole.places[0].y, whole.places[0].z }, edge = LongestEdge( &whole );
			bool exact = !IsCarried( number ) || state <= movingState;
			Sums first = SumWorld( world, about, true );
			for ( int round = 0; round < Many( 24 ); ++round )
			{
				Sums before = first;
				for ( int cut = 0; cut < 3; ++cut )
				{
					pnTestContext( "%s, %s, cut %d.%d", shape.name, s_stateNames[state], round, cut );
					pnCutDef def = RandomQuad( &whole, &random );
					pnCutResult result;
					REQUIRE( pnWorld_Cut( world, &def, &result ) == pn_success );
					if ( result.cutCount == 0 )
					{
						ENSURE( cut > 0 || pnWorld_GetHash( world ) == hash );
						continue;
					}
					cuts += 1, pieces += result.pieceCount, removed += result.removedCount;
					if ( cut == 0 )
					{
						bool one = result.pieceCount == 1 && result.removedCount == 0;
						ENSURE( pnBody_IsValid( world, body ) == one );
						opened += one;
					}
					Sums after = SumWorld( world, about, true );
					EnsureSumsKept( &before, &after, (double)result.removedMass, result.removedCount > 0 ? 1e-3 : exact ? 1e-5 : 0.02 );
					double error = fabs( after.volume / before.volume - 1.0 );
					worstVolume = exact && result.removedCount == 0 && error > worstVolume ? error : worstVolume;
					EnsureAllClosed( world, BoxOf( &whole ), 1e-5 + ( exact ? 0.02 : 1.0 ) * edge, state <= movingState );
					before = after;
				}
				ShowImage( world, &image );
			}
			FreeSurface( &whole );
			FreeImage( &image );
			pnDestroyWorld( world );
		}
		pnDestroySolid( solid );
		FreeCutShape( &shape );
	}
	ENSURE( opened > cuts / 20 );
	ENSURE_MOST( removed, 1e-2 * pieces );
	pnTestNote( "%d cuts, %d stayed in one piece, volume to %.1e", cuts, opened, worstVolume );
}

// ---- cuts with known outcome ----

// Corners less edges plus triangles: 2 for each closed part, less 2 for each hole through it.
static int EulerOf( const Surface* surface )
{
	uint8_t* met = calloc( (size_t)surface->nodeCount + 1, 1 );
	int count = 0;
	for ( int i = 0; i < 3 * surface->info.triangleCount; ++i )
	{
		count += met[surface->nodes[surface->info.triangles[i]]]++ == 0;
		met[surface->nodes[surface->info.triangles[i]]] = 1;
	}
	free( met );
	return count - surface->info.triangleCount / 2;
}

typedef struct PieceCheck { int euler; double volume; pnVec3 center; } PieceCheck;

// Pieces in order of birth.
static int CheckPieces( const pnWorld* world, PieceCheck* checks, int capacity )
{
	pnBodyId bodies[32];
	int count = pnWorld_GetBodies( world, bodies, 32 );
	const double origin[3] = { 0 };
	for ( int i = 0; i < count && i < capacity && i < 32; ++i )
	{
		Surface surface = ReadSurface( world, bodies[i], 0 );
		EnsureClosed( &surface );
		pnBodyState state;
		ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		checks[i] = ( PieceCheck ){ EulerOf( &surface ), VolumeOf( &surface, origin ), state.center };
		FreeSurface( &surface );
	}
	return count;
}

static pnCutDef DefPlane( pnVec3 point, pnVec3 normal )
{
	pnCutDef def = pnDefaultCutDef();
	def.point = point;
	def.normal = normal;
	return def;
}

static pnWorld* MakeKnownWorld( CutShape shape, pnBodyId* body )
{
	pnSolid* solid = MakeCutSolid( &shape );
	pnWorld* world = MakeCutWorld( solid, restState, 1, body );
	pnTestContext( "%s", shape.name );
	pnDestroySolid( solid );
	FreeCutShape( &shape );
	return world;
}

static int CutAndCount( pnWorld* world, pnCutDef def, PieceCheck* checks, int capacity )
{
	pnCutResult result;
	ENSURE( pnWorld_Cut( world, &def, &result ) == pn_success );
	ENSURE( result.cutCount == 1 && result.removedCount == 0 );
	return CheckPieces( world, checks, capacity );
}

// A comb loses its teeth, a ring opens before it parts, hollows and what is in them stay where they are, eyes stay with the head.
static void KnownCutsMakeKnownPieces( void )
{
	PieceCheck pieces[16];
	pnBodyId body;
	pnWorld* world = MakeKnownWorld( MakeCells( "comb", 2 * combTeeth - 1, 7, 2, 0.1f, IsCombCell ), &body );
	ENSURE( CutAndCount( world, DefPlane( pnMakeVec3( 0.0f, 0.03f, 0.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) ), pieces, 16 ) == combTeeth + 1 );
	int teeth = 0;
	for ( int i = 0; i < combTeeth + 1; ++i )
	{
		ENSURE( pieces[i].euler == 2 );
		teeth += pieces[i].center.y > 0.03f;
		ENSURE( pieces[i].center.y < 0.03f || fabs( pieces[i].volume - 0.1 * 0.32 * 0.2 ) < 1e-6 );
	}
	ENSURE( teeth == combTeeth );
	pnDestroyWorld( world );

	// A plane through the axis halves a ring, one across the axis splits it like a bagel.
	for ( int k = 0; k < 2; ++k )
	{
		world = MakeKnownWorld( MakeTorus( 24, 10 ), &body );
		ENSURE( CutAndCount( world, DefPlane( pnMakeVec3( 0.013f, 0.007f, 0.0f ), pnMakeVec3( 1.0f - (float)k, (float)k, 0.0f ) ), pieces, 16 ) == 2 );
		ENSURE( pieces[0].euler == ( k == 0 ? 2 : 0 ) && pieces[1].euler == ( k == 0 ? 2 : 0 ) );
		pnDestroyWorld( world );
	}
	// A quad through one place of the ring leaves one body without a hole; through another place, two.
	world = MakeKnownWorld( MakeTorus( 24, 10 ), &body );
	ENSURE( CutAndCount( world, DefQuad( pnMakeVec3( 0.4f, 0.0f, 0.013f ), pnMakeVec3( 0.25f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 0.25f, 0.0f ) ), pieces, 16 ) == 1 );
	ENSURE( pieces[0].euler == 2 && pnBody_IsValid( world, body ) );
	ENSURE( CutAndCount( world, DefQuad( pnMakeVec3( -0.4f, 0.0f, 0.017f ), pnMakeVec3( 0.25f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 0.25f, 0.0f ) ), pieces, 16 ) == 2 );
	ENSURE( pieces[0].euler == 2 && pieces[1].euler == 2 && !pnBody_IsValid( world, body ) );
	pnDestroyWorld( world );

	// The hollow, of radius 0.3 about x = 0.05, is missed: it is in the larger piece.
	world = MakeKnownWorld( MakeHollow( false ), &body );
	ENSURE( CutAndCount( world, DefPlane( pnMakeVec3( 0.4f, 0.0f, 0.0f ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ), pieces, 16 ) == 2 );
	for ( int i = 0; i < 2; ++i )
	{
		ENSURE( pieces[i].euler == ( pieces[i].center.x < 0.4f ? 4 : 2 ) && pieces[i].volume > 0.0 );
	}
	pnDestroyWorld( world );
	// Cut through, it makes two bowls.
	world = MakeKnownWorld( MakeHollow( false ), &body );
	ENSURE( CutAndCount( world, DefPlane( pnMakeVec3( 0.27f, 0.0f, 0.0f ), pnMakeVec3( 1.0f, 0.1f, 0.0f ) ), pieces, 16 ) == 2 );
	ENSURE( pieces[0].euler == 2 && pieces[1].euler == 2 );
	pnDestroyWorld( world );
	// A ball in it, of radius 0.15, is missed and stays in the larger bowl.
	world = MakeKnownWorld( MakeHollow( true ), &body );
	ENSURE( CutAndCount( world, DefPlane( pnMakeVec3( 0.27f, 0.0f, 0.0f ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ), pieces, 16 ) == 2 );
	for ( int i = 0; i < 2; ++i )
	{
		ENSURE( pieces[i].euler == ( pieces[i].center.x < 0.27f ? 4 : 2 ) );
	}
	pnDestroyWorld( world );

	world = MakeKnownWorld( MakeHead(), &body );
	ENSURE( CutAndCount( world, DefPlane( pnMakeVec3( 0.0f, -0.1f, 0.0f ), pnMakeVec3( 0.0f, 1.0f, 0.1f ) ), pieces, 16 ) == 2 );
	for ( int i = 0; i < 2; ++i )
	{
		ENSURE( pieces[i].euler == ( pieces[i].center.y > -0.1f ? 6 : 2 ) );
	}
	pnDestroyWorld( world );
	// Between the eyes: one on either side.
	world = MakeKnownWorld( MakeHead(), &body );
	ENSURE( CutAndCount( world, DefPlane( pnMakeVec3( 0.01f, 0.0f, 0.0f ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ), pieces, 16 ) == 2 );
	ENSURE( pieces[0].euler == 4 && pieces[1].euler == 4 );
	pnDestroyWorld( world );
}

// ---- planes through vertices ----

enum { regularCount = 5 };

// Shapes with rows of vertices in simple planes.
static CutShape MakeRegularShape( int number )
{
	switch ( number )
	{
		case 0: return MakeCells( "gridded block", 6, 4, 4, 0.125f, IsBlockCell );
		case 1: return MakeSphereShape( 6 );
		case 2: return MakeSphereShape( 1 );
		case 3: return MakeCube();
		default: return MakeTetrahedra( 6, 4, 4, 0.125f );
	}
}

static double SmallestAngle( const Surface* surface )
{
	double least = TEST_PI;
	for ( int i = 0; i < 3 * surface->info.triangleCount; ++i )
	{
		int t = i - i % 3;
		pnVec3 a = surface->places[surface->info.triangles[i]];
		pnVec3 b = surface->places[surface->info.triangles[t + ( i + 1 ) % 3]], c = surface->places[surface->info.triangles[t + ( i + 2 ) % 3]];
		double angle = atan2( LengthOf( pnCross( pnSub( b, a ), pnSub( c, a ) ) ), (double)pnDot( pnSub( b, a ), pnSub( c, a ) ) );
		least = angle < least ? angle : least;
	}
	return least;
}

// A plane that runs exactly through vertices, along edges or along a row of faces cuts there and nowhere else: no slivers, volumes to the digit.
static void PlanesThroughVerticesCutCleanly( void )
{
	int cuts = 0;
	for ( int number = 0; number < regularCount; ++number )
	{
		CutShape shape = MakeRegularShape( number );
		pnSolid* solid = MakeCutSolid( &shape );
		pnBodyId body;
		pnWorld* world = MakeCutWorld( solid, restState, 1, &body );
		Image image = TakeImage( world );
		Surface whole = ReadSurface( world, body, 0 );
		const double origin[3] = { 0 };
		double volume = VolumeOf( &whole, origin ), sharp = SmallestAngle( &whole );
		bool grid = number == 0 || number == 4;
		for ( int cut = 0; cut < 26; ++cut )
		{
			// layers of the grid, or the middle; a face, two faces or three at once
			int axes[3] = { ( cut + 1 ) % 3, ( cut + 1 ) / 3 % 3, ( cut + 1 ) / 9 % 3 };
			pnVec3 normal = pnMakeVec3( (float)( axes[0] - 1 ), (float)( axes[1] - 1 ), (float)( axes[2] - 1 ) );
			if ( LengthOf( normal ) == 0.0 )
			{
				continue;
			}
			float shift = grid ? 0.125f * (float)( cut % 3 - 1 ) : 0.0f;
			pnCutDef def = DefPlane( pnScale( shift, normal ), normal );
			def.smallest = 0.0f;
			pnTestContext( "%s, normal %g %g %g, shift %g", shape.name, normal.x, normal.y, normal.z, shift );
			pnCutResult result;
			REQUIRE( pnWorld_Cut( world, &def, &result ) == pn_success );
			ENSURE( result.cutCount == 1 && result.pieceCount == 2 && result.removedCount == 0 );
			pnBodyId bodies[2];
			int count = pnWorld_GetBodies( world, bodies, 2 );
			double both = 0.0;
			for ( int i = 0; i < count && i < 2; ++i )
			{
				Surface surface = ReadSurface( world, bodies[i], 0 );
				EnsureClosed( &surface );
				ENSURE_MOST( ReachAcross( world, bodies[i], &surface, def.point, def.normal ), 1e-6 );
				ENSURE( SmallestAngle( &surface ) > ( sharp < 0.35 ? sharp : 0.35 ) / 4.0 );
				both += VolumeOf( &surface, origin );
				double part = VolumeOf( &surface, origin ) / volume;
				if ( !grid )
				{
					ENSURE_NEAR( part, 0.5, 1e-5 ); // through the middle
				}
				FreeSurface( &surface );
			}
			ENSURE_NEAR( both, volume, 1e-6 * volume );
			cuts += 1;
			ShowImage( world, &image );
		}
		FreeSurface( &whole );
		FreeImage( &image );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
		FreeCutShape( &shape );
	}
	pnTestNote( "%d cuts", cuts );
}

// A plane that only touches a corner, an edge or a face, or takes off less than a fiftieth of every edge it meets, leaves all as it is.
static void PlanesThatTouchChangeNothing( void )
{
	for ( int number = 0; number < regularCount; ++number )
	{
		CutShape shape = MakeRegularShape( number );
		pnSolid* solid = MakeCutSolid( &shape );
		pnBodyId body;
		pnWorld* world = MakeCutWorld( solid, restState, 1, &body );
		Surface whole = ReadSurface( world, body, 0 );
		uint64_t hash = pnWorld_GetHash( world );
		for ( int cut = 0; cut < 27; ++cut )
		{
			int axes[3] = { cut % 3, cut / 3 % 3, cut / 9 % 3 };
			pnVec3 normal = pnMakeVec3( (float)( axes[0] - 1 ), (float)( axes[1] - 1 ), (float)( axes[2] - 1 ) );
			if ( LengthOf( normal ) == 0.0 )
			{
				continue;
			}
			pnVec3 top = whole.places[0]; // the vertex that lies farthest along the normal
			for ( int i = 1; i < whole.info.vertexCount; ++i )
			{
				top = pnDot( whole.places[i], normal ) > pnDot( top, normal ) ? whole.places[i] : top;
			}
			for ( int k = 0; k < 6; ++k )
			{
				float shaved = k < 2 ? 0.0f : k < 4 ? 1e-6f : 1e-4f;
				pnCutDef def = DefPlane( pnMulAdd( top, -shaved / (float)LengthOf( normal ), normal ), k % 2 == 0 ? normal : pnScale( -1.0f, normal ) );
				def.smallest = 0.0f;
				pnTestContext( "%s, normal %g %g %g, shaved %g", shape.name, def.normal.x, def.normal.y, def.normal.z, shaved );
				pnCutResult result;
				ENSURE( pnWorld_Cut( world, &def, &result ) == pn_success );
				ENSURE( result.cutCount == 0 && result.pieceCount == 0 && result.removedCount == 0 );
				ENSURE( pnWorld_GetHash( world ) == hash && pnBody_IsValid( world, body ) );
				ENSURE( pnWorld_GetPieces( world ).count == 0 );
			}
		}
		FreeSurface( &whole );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
		FreeCutShape( &shape );
	}
}

// A quad that reaches beyond the body on all sides does what its plane does.
static void LargeQuadsAreLikePlanes( void )
{
	int cuts = 0;
	for ( int number = 0; number < closedCount; ++number )
	{
		CutShape shape = MakeClosedShape( number );
		pnSolid* solid = MakeCutSolid( &shape );
		pnBodyId body;
		pnWorld* world = MakeCutWorld( solid, bentState, 300 + number, &body );
		Image image = TakeImage( world );
		Surface whole = ReadSurface( world, body, 0 );
		pnRandom random = pnSeed( 77 + number );
		for ( int cut = 0; cut < Many( 16 ); ++cut )
		{
			pnTestContext( "%s, cut %d", shape.name, cut );
			pnCutDef plane = RandomPlane( &whole, &random );
			pnVec3 across = pnCross( plane.normal, RandomVec3( &random, 1.0 ) ), along = pnCross( plane.normal, across );
			pnCutDef quad = DefQuad( plane.point, pnScale( 5.0f / (float)LengthOf( across ), across ), pnScale( 5.0f / (float)LengthOf( along ), along ) );
			pnCutResult byPlane, byQuad;
			REQUIRE( pnWorld_Cut( world, &plane, &byPlane ) == pn_success );
			ShowImage( world, &image );
			REQUIRE( pnWorld_Cut( world, &quad, &byQuad ) == pn_success );
			ShowImage( world, &image );
			// those that run exactly through vertices may be rounded to either side
			int planes = byPlane.pieceCount + byPlane.removedCount, quads = byQuad.pieceCount + byQuad.removedCount;
			Parts parts = CountParts( &whole, plane.point, plane.normal, 1e-5 );
			ENSURE( planes == quads || parts.all != parts.far );
			cuts += 1;
		}
		FreeSurface( &whole );
		FreeImage( &image );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
		FreeCutShape( &shape );
	}
	pnTestNote( "%d pairs", cuts );
}

// ---- open surfaces and clouds ----

enum { openCount = 4 };

static CutShape MakeOpenShape( int number )
{
	CutShape shape = { 0 };
	switch ( number )
	{
		case 0: shape = MakeSheet( 13, 11 ); break;
		case 1: shape = MakeTube( 12, 14 ); break;
		case 2: shape = MakeCloud( "cloud", 9, 5, 5, 0.1f, IsBlockCell ); break;
		case 3: shape = MakeCloud( "arch of points", 8, 7, 3, 0.1f, IsArchCell ); break;
	}
	return shape;
}

static double AreaOf( const Surface* surface )
{
	double area = 0.0;
	for ( int t = 0; t < surface->info.triangleCount; ++t )
	{
		const int32_t* c = surface->info.triangles + 3 * t;
		area += 0.5 * LengthOf( pnCross( pnSub( surface->places[c[1]], surface->places[c[0]] ), pnSub( surface->places[c[2]], surface->places[c[0]] ) ) );
	}
	return area;
}

typedef struct OpenSums { double area; int border, inside; } OpenSums;

// Area and border of all surfaces; they are sound, but for their borders.
static OpenSums SumOpen( const pnWorld* world )
{
	OpenSums sums = { 0 };
	pnBodyId bodies[256];
	int count = pnWorld_GetBodies( world, bodies, 256 );
	for ( int i = 0; i < count && i < 256; ++i )
	{
		if ( pnSolid_GetInfo( pnBody_GetSolid( world, bodies[i] ) ).skinCount == 0 )
		{
			continue;
		}
		Surface surface = ReadSurface( world, bodies[i], 0 );
		Flaws flaws = ExamineSurface( &surface );
		ENSURE( flaws.flat == 0 );
		ENSURE( flaws.doubled == 0 );
		ENSURE( flaws.split == 0 );
		sums.area += AreaOf( &surface );
		sums.border += flaws.open;
		for ( int t = 0; t < surface.info.triangleCount; ++t )
		{
			sums.inside += surface.info.materials != NULL && surface.info.materials[t] == 99;
		}
		FreeSurface( &surface );
	}
	return sums;
}

// The points of a piece are on one side of a plane.
static double ReachOfPoints( const pnWorld* world, pnBodyId body, pnVec3 point, pnVec3 normal )
{
	Surface none = { 0 };
	return ReachAcross( world, body, &none, point, normal );
}

// Sheets, tubes and clouds part as well, and keep mass, momenta and area; nothing is sealed.
static void OpenBodiesPart( void )
{
	int cuts = 0, pieces = 0, opened = 0;
	for ( int number = 0; number < openCount; ++number )
	{
		CutShape shape = MakeOpenShape( number );
		pnSolid* solid = MakeCutSolid( &shape );
		for ( State state = 0; state < stateCount; ++state )
		{
			pnBodyId body;
			pnWorld* world = MakeCutWorld( solid, state, 400 + number, &body );
			Image image = TakeImage( world );
			uint64_t hash = pnWorld_GetHash( world );
			pnRandom random = pnSeed( 9000 + 100 * number + state );
			int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
			pnVec3* x = calloc( count, sizeof( pnVec3 ) );
			pnBody_WritePoints( world, body, x, NULL, count );
			Surface points = { .info = { .vertexCount = count }, .places = x };
			double about[3] = { x[0].x, x[0].y, x[0].z }, edge = 0.0;
			if ( number < 2 )
			{
				Surface whole = ReadSurface( world, body, 0 );
				edge = LongestEdge( &whole );
				FreeSurface( &whole );
			}
			Sums before = SumWorld( world, about, false );
			OpenSums beforeOpen = SumOpen( world );
			for ( int cut = 0; cut < Many( 40 ); ++cut )
			{
				bool plane = cut % 2 == 0;
				pnTestContext( "%s, %s, cut %d", shape.name, s_stateNames[state], cut );
				pnCutDef def = plane ? RandomPlane( &points, &random ) : RandomQuad( &points, &random );
				pnCutResult result;
				REQUIRE( pnWorld_Cut( world, &def, &result ) == pn_success );
				if ( result.cutCount == 0 )
				{
					ENSURE( pnWorld_GetHash( world ) == hash );
					continue;
				}
				cuts += 1, pieces += result.pieceCount, opened += result.pieceCount == 1;
				ENSURE( pnBody_IsValid( world, body ) == ( result.pieceCount == 1 && result.removedCount == 0 ) );
				Sums after = SumWorld( world, about, false );
				EnsureSumsKept( &before, &after, (double)result.removedMass, 1e-5 );
				OpenSums afterOpen = SumOpen( world );
				ENSURE_NEAR( afterOpen.area, beforeOpen.area, 1e-5 * beforeOpen.area );
				ENSURE( afterOpen.inside == 0 );
				ENSURE( number >= 2 || afterOpen.border > beforeOpen.border );
				pnBodyId bodies[64];
				int bodyCount = pnWorld_GetBodies( world, bodies, 64 );
				ENSURE( bodyCount == result.pieceCount );
				for ( int i = 0; i < bodyCount && i < 64 && plane; ++i )
				{
					ENSURE_MOST( ReachOfPoints( world, bodies[i], def.point, def.normal ), 0.02 * edge + 1e-6 );
				}
				ShowImage( world, &image );
			}
			free( x );
			FreeImage( &image );
			pnDestroyWorld( world );
		}
		pnDestroySolid( solid );
		FreeCutShape( &shape );
	}
	ENSURE( opened > cuts / 20 );
	pnTestNote( "%d cuts, %d pieces, %d stayed in one", cuts, pieces, opened );
}

static int CutOpen( pnWorld* world, pnCutDef def )
{
	pnCutResult result;
	ENSURE( pnWorld_Cut( world, &def, &result ) == pn_success );
	ENSURE( result.cutCount == 1 && result.removedCount == 0 );
	return pnWorld_GetBodies( world, NULL, 0 );
}

// A sheet that is cut halfway across stays in one piece until the rest is cut too; so does a cloud, and a tube that is slit along one wall.
// An arch of points loses its feet.
static void KnownCutsOfOpenBodies( void )
{
	for ( int number = 0; number < 3; number += 2 )
	{
		pnBodyId body;
		pnWorld* world = MakeKnownWorld( MakeOpenShape( number ), &body );
		ENSURE( CutOpen( world, DefQuad( pnMakeVec3( 0.013f, 0.0f, -0.5f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 0.52f ) ) ) == 1 );
		ENSURE( pnBody_IsValid( world, body ) );
		ENSURE( CutOpen( world, DefQuad( pnMakeVec3( 0.013f, 0.0f, 0.5f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 0.52f ) ) ) == 2 );
		ENSURE( !pnBody_IsValid( world, body ) );
		pnDestroyWorld( world );
	}
	pnBodyId body;
	pnWorld* world = MakeKnownWorld( MakeOpenShape( 1 ), &body );
	ENSURE( CutOpen( world, DefQuad( pnMakeVec3( 0.2f, 0.0f, 0.013f ), pnMakeVec3( 0.1f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) ) ) == 1 );
	ENSURE( pnBody_IsValid( world, body ) );
	ENSURE( CutOpen( world, DefQuad( pnMakeVec3( -0.2f, 0.0f, 0.013f ), pnMakeVec3( 0.1f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) ) ) == 2 );
	pnDestroyWorld( world );

	world = MakeKnownWorld( MakeOpenShape( 3 ), &body );
	ENSURE( CutOpen( world, DefPlane( pnMakeVec3( 0.0f, -0.05f, 0.0f ), pnMakeVec3( 0.0f, 1.0f, 0.0f ) ) ) == 3 );
	pnDestroyWorld( world );
}

// ---- flaps ----

// The lowest point of a bar that is held at one end and hangs, slit or not from its free end along the middle.
static void HangBar( bool slit, bool carried, double* lowest, double* gap )
{
	CutShape shape = MakeCells( "bar", 20, 4, 4, 0.05f, IsBlockCell );
	if ( carried )
	{
		CutShape points = MakeCloud( "carried bar", 19, 4, 4, 0.05f, IsBlockCell );
		shape.skin = shape.points, shape.skinCount = shape.pointCount, shape.skinCapacity = shape.pointCapacity;
		shape.points = points.points, shape.pointCount = points.pointCount, shape.pointCapacity = points.pointCapacity;
	}
	else
	{
		shape.fill = 0.05f;
	}
	shape.cellSize = 0.2f;
	pnSolid* solid = MakeCutSolid( &shape );
	pnWorld* world = MakeWorld( pnMakeVec3( 0.0f, -10.0f, 0.0f ) );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.material.hertz = 12.0f;
	def.material.dampingRatio = 1.0f;
	def.filter.mask = 0;
	pnBodyId body;
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	if ( slit )
	{
		pnCutDef cut = DefQuad( pnMakeVec3( 0.2f, 0.011f, 0.0f ), pnMakeVec3( 0.4f, 0.0f, 0.0f ), pnMakeVec3( 0.0f, 0.0f, 1.0f ) );
		pnCutResult result;
		ENSURE( pnWorld_Cut( world, &cut, &result ) == pn_success );
		ENSURE( result.pieceCount == 1 && pnBody_IsValid( world, body ) );
	}
	int count = pnBody_WritePoints( world, body, NULL, NULL, 0 ), pinned = 0;
	pnVec3* x = calloc( count, sizeof( pnVec3 ) );
	int32_t* pins = calloc( count, sizeof( int32_t ) );
	pnBody_WritePoints( world, body, x, NULL, count );
	// held at the left end, and above the slit at the right end: what is below the slit hangs by itself
	for ( int i = 0; i < count; ++i )
	{
		if ( x[i].x < -0.42f || ( x[i].x > 0.42f && x[i].y > 0.03f ) )
		{
			pins[pinned++] = i;
		}
	}
	ENSURE( pnBody_Pin( world, body, pins, NULL, pinned ) == pn_success );
	StepCut( world, 180 );
	Surface surface = ReadSurface( world, body, 0 );
	*lowest = 0.0, *gap = 0.0;
	double low = 1e9, high = -1e9; // just below and just above the slit, at its open end
	for ( int i = 0; i < surface.info.vertexCount; ++i )
	{
		pnVec3 p = surface.places[i];
		ENSURE( p.x == p.x );
		*lowest = p.y < *lowest ? p.y : *lowest;
		float rest[cutAttributes];
		memcpy( rest, surface.info.attributes + (size_t)i * cutAttributes, sizeof( rest ) );
		if ( rest[0] > 0.45f && fabsf( rest[1] - 0.011f ) < 0.002f )
		{
			low = p.y < low ? p.y : low, high = p.y > high ? p.y : high;
		}
	}
	*gap = high > low ? high - low : 0.0;
	FreeSurface( &surface );
	free( x );
	free( pins );
	pnDestroyWorld( world );
	pnDestroySolid( solid );
	FreeCutShape( &shape );
}

// What a slit has freed hangs by itself: nothing bridges the slit, neither for bodies of their skin's vertices nor for carried skins.
static void FlapsHang( void )
{
	for ( int carried = 0; carried < 2; ++carried )
	{
		double whole, slit, none, gap;
		HangBar( false, carried != 0, &whole, &none );
		HangBar( true, carried != 0, &slit, &gap );
		pnTestContext( "%s: whole %.4f, slit %.4f, gap %.4f", carried != 0 ? "carried" : "of its vertices", whole, slit, gap );
		ENSURE( slit < whole - 0.03 );
		ENSURE( gap > 0.03 );
		pnTestNote( "%s: gap %.3f m", carried != 0 ? "carried" : "of its vertices", gap );
	}
}

// ---- afterwards ----

// Root of the mean squared speed of all there is.
static double MeanSpeed( const pnWorld* world )
{
	double square = 0.0, mass = 0.0;
	pnBodyId bodies[256];
	int count = pnWorld_GetBodies( world, bodies, 256 );
	for ( int i = 0; i < count && i < 256; ++i )
	{
		const pnSolid* solid = pnBody_GetSolid( world, bodies[i] );
		pnBodyState state;
		ENSURE( pnBody_GetState( world, bodies[i], &state ) == pn_success );
		int pointCount = pnBody_WritePoints( world, bodies[i], NULL, NULL, 0 );
		pnVec3* v = calloc( pointCount, sizeof( pnVec3 ) );
		int32_t* particles = calloc( pointCount, sizeof( int32_t ) );
		pnBody_WritePoints( world, bodies[i], NULL, v, pointCount );
		pnSolid_WritePointMap( solid, particles, pointCount );
		for ( int k = 0; k < pointCount; ++k )
		{
			double m = (double)state.mass * (double)solid->mass[particles[k]], speed = LengthOf( v[k] );
			mass += m, square += m * speed * speed;
		}
		free( v );
		free( particles );
	}
	return sqrt( square / mass );
}

// What is at rest, and is cut, stays at rest: a cut strains nothing. Where pieces and lips touch, they make room without haste.
static void WhatIsAtRestStaysAtRest( void )
{
	double worst[2] = { 0.0, 0.0 };
	for ( int number = 0; number < closedCount; ++number )
	{
		CutShape shape = MakeClosedShape( number );
		pnSolid* solid = MakeCutSolid( &shape );
		for ( int touching = 0; touching < 2; ++touching )
		{
			pnWorld* world = MakeWorld( s_zero );
			pnBodyDef def = pnDefaultBodyDef();
			def.solid = solid;
			def.filter.mask = touching != 0 ? def.filter.mask : 0;
			def.selfContact = touching != 0;
			pnBodyId body;
			ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
			Image image = TakeImage( world );
			Surface whole = ReadSurface( world, body, 0 );
			pnRandom random = pnSeed( 600 + number );
			for ( int round = 0; round < Many( 10 ); ++round )
			{
				for ( int cut = 0; cut < 2; ++cut )
				{
					pnCutDef cutDef = ( round + cut ) % 2 == 0 ? RandomPlane( &whole, &random ) : RandomQuad( &whole, &random );
					pnCutResult result;
					REQUIRE( pnWorld_Cut( world, &cutDef, &result ) == pn_success );
				}
				for ( int frame = 0; frame < 20; ++frame )
				{
					pnTestContext( "%s, round %d, frame %d, touching %d", shape.name, round, frame, touching );
					StepCut( world, 1 );
					double speed = MeanSpeed( world );
					worst[touching] = speed > worst[touching] ? speed : worst[touching];
					if ( !ENSURE_MOST( speed, touching != 0 ? 0.25 : 5e-3 ) )
					{
						break;
					}
				}
				ShowImage( world, &image );
			}
			FreeSurface( &whole );
			FreeImage( &image );
			pnDestroyWorld( world );
		}
		pnDestroySolid( solid );
		FreeCutShape( &shape );
	}
	pnTestNote( "%.1e m/s; touching %.1e m/s", worst[0], worst[1] );
}

// ---- tears ----

// Bodies that fly apart tear: nobody holds them, so mass, momenta and volume of all pieces stay what they were, and skins stay closed.
static void TearsKeepWhatABodyHas( void )
{
	int tears = 0, bodiesTorn = 0;
	for ( int number = 0; number < closedCount; ++number )
	{
		CutShape shape = MakeClosedShape( number );
		pnSolid* solid = MakeCutSolid( &shape );
		for ( int round = 0; round < Many( 4 ) + 1; ++round )
		{
			pnRandom random = pnSeed( 8000 + 10 * number + round );
			pnWorld* world = MakeWorld( s_zero );
			pnBodyDef def = pnDefaultBodyDef();
			def.solid = solid;
			def.filter.mask = 0;
			def.material.tear = 1.25f;
			if ( round % 2 == 1 ) // one that gives way before it tears
			{
				pnFindMaterial( "clay", &def.material );
				def.material.tear = 1.4f;
			}
			pnBodyId body;
			ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
			int count = pnBody_WritePoints( world, body, NULL, NULL, 0 );
			pnVec3* x = calloc( count, sizeof( pnVec3 ) );
			pnVec3* v = calloc( count, sizeof( pnVec3 ) );
			pnBody_WritePoints( world, body, x, NULL, count );
			pnVec3 axis = pnRotate( RandomTurn( &random ), pnMakeVec3( 1.0f, 0.0f, 0.0f ) ), fly = RandomVec3( &random, 1.0 ), spin = RandomVec3( &random, 4.0 );
			float apart = (float)pnRandomIn( &random, 15.0, 40.0 );
			for ( int i = 0; i < count; ++i )
			{
				v[i] = pnAdd( pnAdd( fly, pnCross( spin, x[i] ) ), pnScale( apart * pnDot( axis, x[i] ), axis ) );
			}
			ENSURE( pnBody_SetPoints( world, body, NULL, v, count ) == pn_success );
			const double about[3] = { 0.0, 0.0, 0.0 };
			Sums first = SumWorld( world, about, true );
			double removed = 0.0;
			uint64_t seen = 0;
			bool torn = false;
			for ( int frame = 0; frame < 12; ++frame )
			{
				pnTestContext( "%s, round %d, frame %d", shape.name, round, frame );
				StepCut( world, 1 );
				pnPieces pieces = pnWorld_GetPieces( world );
				bool fresh = false;
				for ( int i = 0; i < pieces.count; ++i )
				{
					if ( pieces.pieces[i].serial > seen )
					{
						seen = pieces.pieces[i].serial, fresh = true;
						removed += pieces.pieces[i].body.index1 == 0 ? (double)pieces.pieces[i].mass : 0.0;
					}
				}
				tears += fresh, torn = torn || fresh;
				if ( !fresh )
				{
					continue;
				}
				pnBodyId bodies[256];
				int bodyCount = pnWorld_GetBodies( world, bodies, 256 );
				for ( int i = 0; i < bodyCount && i < 256; ++i )
				{
					Surface surface = ReadSurface( world, bodies[i], 0 );
					EnsureClosed( &surface );
					FreeSurface( &surface );
				}
				Sums now = SumWorld( world, about, true );
				ENSURE_NEAR( now.mass + removed, first.mass, 1e-5 * first.mass );
				if ( removed == 0.0 )
				{
					ENSURE_MOST( Distance3( now.linear, first.linear ), 1e-5 * first.linearScale );
					ENSURE_MOST( Distance3( now.angular, first.angular ), 1e-4 * first.angularScale );
				}
			}
			bodiesTorn += torn;
			free( x );
			free( v );
			pnDestroyWorld( world );
		}
		pnDestroySolid( solid );
		FreeCutShape( &shape );
	}
	ENSURE( bodiesTorn > closedCount / 2 );
	pnTestNote( "%d tears in %d bodies", tears, bodiesTorn );
}

// A plastic bar that is drawn out slowly, so that it hardly pulls back, tears all the same: what it has given way counts as stretch.
static void WhatHasGivenWayTears( void )
{
	for ( int tear = 0; tear < 2; ++tear )
	{
		CutShape shape = MakeCells( "bar", 12, 3, 3, 0.08f, IsBlockCell );
		shape.cellSize = 0.2f;
		pnSolid* solid = MakeCutSolid( &shape );
		pnWorld* world = MakeWorld( s_zero );
		pnBodyDef def = pnDefaultBodyDef();
		def.solid = solid;
		def.filter.mask = 0;
		pnFindMaterial( "clay", &def.material );
		def.material.maxPlastic = 3.0f;
		def.material.tear = tear != 0 ? 1.6f : 0.0f;
		pnBodyId body;
		ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
		int count = pnBody_WritePoints( world, body, NULL, NULL, 0 ), pinned = 0, bodies = 1;
		pnVec3* x = calloc( count, sizeof( pnVec3 ) );
		int32_t* pins = calloc( count, sizeof( int32_t ) );
		pnVec3* targets = calloc( count, sizeof( pnVec3 ) );
		pnBody_WritePoints( world, body, x, NULL, count );
		float end = 0.45f;
		for ( int i = 0; i < count; ++i )
		{
			if ( fabsf( x[i].x ) > end )
			{
				pins[pinned] = i, targets[pinned++] = x[i];
			}
		}
		double plastic = 0.0, elastic = 0.0;
		for ( int frame = 0; frame < 240 && bodies == 1 && pnBody_IsValid( world, body ); ++frame )
		{
			for ( int i = 0; i < pinned; ++i )
			{
				targets[i].x += targets[i].x > 0.0f ? 0.003f : -0.003f;
			}
			ENSURE( pnBody_Pin( world, body, pins, targets, pinned ) == pn_success );
			pnBodyState state;
			ENSURE( pnBody_GetState( world, body, &state ) == pn_success );
			plastic = (double)state.plasticStrain, elastic = (double)state.maxStretch;
			StepCut( world, 1 );
			bodies = pnWorld_GetBodies( world, NULL, 0 );
			// points of an opened bar keep their order: its pins are where they were
			if ( pnWorld_GetPieces( world ).count > 0 && bodies == 1 )
			{
				break;
			}
		}
		pnTestContext( "tear %d: plastic %.3f, stretch %.3f, %d bodies", tear, plastic, elastic, bodies );
		bool torn = bodies > 1 || pnWorld_GetPieces( world ).count > 0;
		ENSURE( torn == ( tear != 0 ) );
		ENSURE( plastic > 0.2 );
		free( x );
		free( pins );
		free( targets );
		pnDestroyWorld( world );
		pnDestroySolid( solid );
		FreeCutShape( &shape );
	}
}

// Nothing hangs together through a slit just made, only past where it ends; also where it crosses an older one.
static void NoLinkLeadsThroughASlit( void )
{
	CutShape shape = MakeCells( "block", 10, 10, 10, 0.1f, IsBlockCell );
	pnAABB box = { shape.points[0], shape.points[0] };
	for ( int i = 0; i < shape.pointCount; ++i )
	{
		box.lower = pnMin3( box.lower, shape.points[i] ), box.upper = pnMax3( box.upper, shape.points[i] );
	}
	pnVec3 size = pnSub( box.upper, box.lower );
	pnSolid* solid = MakeCutSolid( &shape );
	pnWorld* world = MakeWorld( s_zero );
	pnBodyDef def = pnDefaultBodyDef();
	def.solid = solid;
	def.filter.mask = 0;
	pnBodyId body;
	ENSURE( pnCreateBody( world, &def, &body ) == pn_success );
	// From above to below the middle, across x first, then across z.
	float depth = box.lower.y + 0.35f * size.y, at[2] = { box.lower.x + 0.53f * size.x, box.lower.z + 0.47f * size.z };
	for ( int round = 0; round < 2; ++round )
	{
		pnCutDef def2 = pnDefaultCutDef();
		def2.kind = pn_quadBlade;
		for ( int k = 0; k < 4; ++k )
		{
			float y = k < 2 ? box.upper.y + 1.0f : depth, far = k == 0 || k == 3 ? -5.0f : 5.0f;
			def2.quad[k] = round == 0 ? pnMakeVec3( at[0], y, far ) : pnMakeVec3( far, y, at[1] );
		}
		pnCutResult result;
		ENSURE( pnWorld_Cut( world, &def2, &result ) == pn_success && result.cutCount == 1 && result.pieceCount == 1 );
		const pnSolid* cut = pnBody_GetSolid( world, body );
		const double lip = 3e-7; // lips are drawn a millionth of the size away from the blade
		int through = 0, links = 0;
		for ( int p = 0; p < cut->particleCount; ++p )
		{
			for ( int k = cut->linkStart[p]; k < cut->linkStart[p + 1]; ++k, ++links )
			{
				pnVec3 a = cut->rest[p], b = cut->rest[cut->links[k]];
				double off = round == 0 ? cut->center[0] - (double)at[0] : cut->center[2] - (double)at[1];
				double ha = ( round == 0 ? a.x : a.z ) + off, hb = ( round == 0 ? b.x : b.z ) + off, lowest = cut->center[1] + fmin( a.y, b.y );
				through += lowest > depth + 0.02 && fmin( ha, hb ) < -lip && fmax( ha, hb ) > lip;
			}
		}
		pnTestContext( "round %d: %d of %d links", round, through, links );
		ENSURE( links > 1000 && through == 0 );
	}
	pnDestroyWorld( world );
	pnDestroySolid( solid );
	FreeCutShape( &shape );
}

static const pnTest s_tests[] = {
	RUN( PlanesKeepWhatABodyHas ),
	RUN( QuadsKeepWhatABodyHas ),
	RUN( KnownCutsMakeKnownPieces ),
	RUN( PlanesThroughVerticesCutCleanly ),
	RUN( PlanesThatTouchChangeNothing ),
	RUN( LargeQuadsAreLikePlanes ),
	RUN( OpenBodiesPart ),
	RUN( KnownCutsOfOpenBodies ),
	RUN( FlapsHang ),
	RUN( NoLinkLeadsThroughASlit ),
	RUN( WhatIsAtRestStaysAtRest ),
	RUN( TearsKeepWhatABodyHas ),
	RUN( WhatHasGivenWayTears ),
};
SUITE( cut, s_tests );
