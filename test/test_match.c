// test_match.c - goals against the double-precision reference, through the public interface only. Rows M2, M7 - M9, M12, H1, H2, H9.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
//
// How goals are read: with a bare material and alpha = 1, equations 9 and 10 put a point at rest on its goal in one step. What
// the bare equations do not have, volume and caps, is read with alpha = 1 alone: a step then begins and ends with half of its
// pull, so that the first one takes a point at rest half way to its goal.
//
// Tolerance. Coordinates are float32, of relative error u = 6e-8. Goals are sums over a cluster of n products of such numbers,
// by blends and maps of order one, so their error is up to a hundred u in units of the cluster's size, and grows with sqrt( n )
// as rounding adds up: ( 128 + sqrt( n ) ) u, 8e-6 for small clusters, is asked for. Members farther out than the size, light
// ones among heavy ones, see the same errors through a longer lever (reference: reach), squared for quadratic terms. Two
// things make the question itself ill-posed and enter as divisors: how well the rotation is determined (gap), and how
// independent the monomials are on the given points (quadraticGap, squared because the fit is made from moments). Where the
// body lies away from the origin the rounding of the coordinates themselves adds a few ulps. Shapes so thin or so special
// that a program may take them for flat or dependent are left out.
#include "help.h"
#include "reference.h"

#define ULP 5.96e-8
#define GOAL_ERROR( N ) ( ( 192.0 + sqrt( (double)( N ) ) ) * ULP )

static double* InDouble( const pnVec3* x, int count )
{
	double* out = malloc( sizeof( double ) * 3 * ( count + 1 ) );
	for ( int i = 0; i < count; ++i )
	{
		out[3 * i] = x[i].x;
		out[3 * i + 1] = x[i].y;
		out[3 * i + 2] = x[i].z;
	}
	return out;
}

static RefDef MakeRefDef( const Shape* shape, const double* rest, const double* masses, const pnMaterial* material )
{
	RefDef def = { 0 };
	def.pointCount = shape->count;
	def.rest = rest;
	def.masses = masses;
	def.clusterCount = shape->clusterCount;
	def.starts = shape->starts;
	def.members = shape->members;
	def.weights = shape->weights;
	def.mode = material->mode;
	def.stretch = material->stretch;
	def.volume = material->volume;
	def.wantedVolume = 1.0;
	return def;
}

// The goals of a body whose points are at x: read from one step.
static void ReadGoals( const Shape* shape, const pnMaterial* material, const pnVec3* x, float timeStep, pnVec3* goals )
{
	Stage stage = MakeStage( shape, material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
	memcpy( stage.x, x, sizeof( pnVec3 ) * shape->count );
	SetStage( &stage );
	ENSURE( pnWorld_Step( stage.world, timeStep, 1 ) == pn_success );
	ReadStage( &stage );
	double parts = material->bare ? 1.0 : 2.0;
	for ( int i = 0; i < shape->count; ++i )
	{
		goals[i].x = (float)( x[i].x + parts * ( (double)stage.x[i].x - x[i].x ) );
		goals[i].y = (float)( x[i].y + parts * ( (double)stage.x[i].y - x[i].y ) );
		goals[i].z = (float)( x[i].z + parts * ( (double)stage.x[i].z - x[i].z ) );
	}
	FreeStage( &stage );
}

// Compares all goals with the reference. Returns the largest error in units of the tolerance.
static double CompareGoals( const Shape* shape, const pnMaterial* material, const pnVec3* x, float timeStep, double allowance )
{
	int count = shape->count;
	double* rest = InDouble( shape->rest, count );
	double* here = InDouble( x, count );
	double* masses = malloc( sizeof( double ) * count );
	double* expected = malloc( sizeof( double ) * 3 * count );
	pnVec3* goals = malloc( sizeof( pnVec3 ) * count );
	RefCluster* clusters = calloc( shape->clusterCount, sizeof( RefCluster ) );
	for ( int i = 0; i < count; ++i )
	{
		masses[i] = shape->masses[i];
	}
	RefDef def = MakeRefDef( shape, rest, masses, material );
	RefGoals( &def, here, expected, clusters );
	ReadGoals( shape, material, x, timeStep, goals );

	double tolerance = 0.0, farthest = 0.0, restFarthest = 0.0;
	bool wellPosed = true;
	for ( int i = 0; i < count; ++i )
	{
		farthest = fmax( farthest, LengthOf( x[i] ) );
		restFarthest = fmax( restFarthest, LengthOf( shape->rest[i] ) );
	}
	for ( int c = 0; c < shape->clusterCount; ++c )
	{
		const RefCluster* cluster = clusters + c;
		bool turns = material->mode == pn_rigidMode || material->stretch < 1.0f;
		bool quadratic = material->mode == pn_quadraticMode;
		double turnError = turns ? cluster->restSize / fmax( cluster->gap, 1e-9 ) : 0.0;
		if ( cluster->rank < 2 )
		{
			turnError = cluster->restSize; // any turn about the line gives the same goals
		}
		wellPosed = wellPosed && cluster->restGap > 3e-3 && cluster->quadraticGap > 0.03;
		wellPosed = wellPosed && ( turns == false || cluster->rank < 2 || cluster->gap > 1e-3 );
		double reach = fmax( cluster->reach, 1.0 ), lever = quadratic ? reach * reach : reach;
		double fitError = ( cluster->size + cluster->restSize ) / ( cluster->quadraticGap * cluster->quadraticGap );
		tolerance = fmax( tolerance, GOAL_ERROR( count ) * ( reach * turnError + lever * fitError ) );
	}
	tolerance = allowance * tolerance + 4.0 * ULP * farthest;

	double worst = 0.0;
	for ( int i = 0; i < count && wellPosed; ++i )
	{
		double goal[3] = { goals[i].x, goals[i].y, goals[i].z };
		double error = Distance3( goal, expected + 3 * i );
		worst = fmax( worst, error / tolerance );
		if ( ENSURE_NEAR( error, 0.0, tolerance ) == false )
		{
			break;
		}
	}

	free( rest );
	free( here );
	free( masses );
	free( expected );
	free( goals );
	free( clusters );
	return wellPosed ? worst : -1.0;
}

// ---- clouds ----

typedef enum CloudKind
{
	randomCloud,
	unevenCloud, // masses over three powers of ten
	nearFlatCloud, // thickness one hundredth
	flatCloud, // exactly, in a slanted plane through float rounding
	flatGridCloud, // exactly, in the plane z = 0
	lineCloud,
	onePlaceCloud, // several points, all in one place
	doubledCloud, // every point twice
	cornersCloud, // the 8 corners of a cube: 7 independent monomials of 9
	cloudKindCount
} CloudKind;

static const char* const s_cloudNames[] = { "random", "uneven masses", "near flat", "flat", "flat grid", "line", "one place", "doubled", "corners" };

static Shape MakeCloud( CloudKind kind, int count, float scale, pnRandom* random )
{
	count = kind == cornersCloud ? 8 : count;
	Shape shape = MakeShape( count );
	pnQuat turn = RandomTurn( random );
	for ( int i = 0; i < count; ++i )
	{
		pnVec3 x = RandomVec3( random, 1.0 );
		switch ( kind )
		{
			case unevenCloud:
				shape.masses[i] = (float)pow( 10.0, pnRandomIn( random, -1.5, 1.5 ) );
				break;
			case nearFlatCloud:
				x.z *= 0.01f;
				x = pnRotate( turn, x );
				break;
			case flatCloud:
				x.z = 0.0f;
				x = pnRotate( turn, x );
				break;
			case flatGridCloud:
				x.z = 0.0f;
				break;
			case lineCloud:
				x = pnScale( x.x, pnMakeVec3( 0.5f, -0.25f, 0.75f ) );
				break;
			case onePlaceCloud:
				x = pnMakeVec3( 0.25f, 0.5f, -0.5f );
				break;
			case doubledCloud:
				x = i % 2 == 1 ? pnScale( 1.0f / scale, shape.rest[i - 1] ) : x;
				break;
			case cornersCloud:
				x = pnMakeVec3( i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f );
				break;
			default:
				break;
		}
		shape.rest[i] = pnScale( scale, x );
	}
	if ( kind == doubledCloud )
	{
		for ( int i = 1; i < count; i += 2 )
		{
			shape.rest[i] = shape.rest[i - 1]; // to the bit
		}
	}
	CoverByCells( &shape, 1, 1, 1, 0.0f );
	return shape;
}

typedef enum BendKind
{
	turnedBend, // turned and moved, nothing else
	noisyBend, // turned, moved, every point pushed about by a fifth
	affineBend, // any linear map
	mirroredBend, // mirrored, turned, with noise
	flattenedBend, // squeezed into a plane, with noise in it
	scatteredBend, // no relation to rest at all
	bendKindCount
} BendKind;

static const char* const s_bendNames[] = { "turned", "noisy", "affine", "mirrored", "flattened", "scattered" };

static void BendPoints( const Shape* shape, BendKind kind, float scale, pnRandom* random, pnVec3* x )
{
	pnQuat turn = RandomTurn( random );
	pnVec3 shift = RandomVec3( random, 2.0 * scale );
	pnVec3 columns[3] = { RandomVec3( random, 1.0 ), RandomVec3( random, 1.0 ), RandomVec3( random, 1.0 ) };
	pnMat3 map = { columns[0], columns[1], columns[2] };
	for ( int i = 0; i < shape->count; ++i )
	{
		pnVec3 p = shape->rest[i];
		pnVec3 noise = RandomVec3( random, 0.2 * scale );
		switch ( kind )
		{
			case noisyBend:
				p = pnAdd( p, noise );
				break;
			case affineBend:
				p = pnMulMV( map, p );
				break;
			case mirroredBend:
				p.x = -p.x;
				p = pnAdd( p, noise );
				break;
			case flattenedBend:
				p = pnAdd( p, noise );
				p.y = 0.0f;
				break;
			case scatteredBend:
				p = RandomVec3( random, scale );
				break;
			default:
				break;
		}
		x[i] = pnAdd( shift, pnRotate( turn, p ) );
	}
}

static void GoalsOfMode( pnMode mode, const float* stretches, int stretchCount )
{
	static const int counts[] = { 1, 2, 3, 4, 5, 8, 12, 30, 100 };
	static const float scales[] = { 1e-6f, 1e-3f, 1.0f, 1e3f, 1e6f };
	pnRandom random = pnSeed( 100 + mode );
	pnVec3 x[128];
	double worst = 0.0;
	int compared = 0, leftOut = 0;
	for ( int kind = 0; kind < cloudKindCount; ++kind )
	{
		for ( int c = 0; c < (int)( sizeof( counts ) / sizeof( counts[0] ) ); ++c )
		{
			for ( int s = 0; s < 5; ++s )
			{
				for ( int bend = 0; bend < bendKindCount; ++bend )
				{
					Shape shape = MakeCloud( kind, counts[c], scales[s], &random );
					BendPoints( &shape, bend, scales[s], &random, x );
					for ( int k = 0; k < stretchCount; ++k )
					{
						pnMaterial material = GoalMaterial( mode, stretches[k] );
						pnTestContext( "%s cloud of %d, %s, scale %g, stretch %g", s_cloudNames[kind], shape.count, s_bendNames[bend], scales[s], stretches[k] );
						double error = CompareGoals( &shape, &material, x, 1.0f / 64.0f, 1.0 );
						compared += error >= 0.0 ? 1 : 0;
						leftOut += error < 0.0 ? 1 : 0;
						worst = fmax( worst, error );
					}
					FreeShape( &shape );
				}
			}
		}
	}
	pnTestContext( "%s", "" );
	ENSURE( leftOut < compared / 4 );
	pnTestNote( "%d clouds, largest error %.2f of tolerance", compared, worst );
}

static void RigidGoals( void )
{
	float stretches[] = { 0.5f }; // means nothing in this mode
	GoalsOfMode( pn_rigidMode, stretches, 1 );
}

static void LinearGoals( void )
{
	float stretches[] = { 0.0f, 0.4f, 1.0f };
	GoalsOfMode( pn_linearMode, stretches, 3 );
}

static void QuadraticGoals( void )
{
	float stretches[] = { 0.0f, 0.4f, 1.0f };
	GoalsOfMode( pn_quadraticMode, stretches, 3 );
}

// ---- the reference by itself ----

static void ReferenceHolds( void )
{
	pnRandom random = pnSeed( 1 );
	for ( int n = 0; n < 500; ++n )
	{
		double a[9], u[9], s[3], v[9];
		for ( int k = 0; k < 9; ++k )
		{
			a[k] = pnRandomIn( &random, -1.0, 1.0 );
		}
		if ( n % 5 == 1 ) // a plane
		{
			for ( int k = 0; k < 3; ++k )
			{
				a[6 + k] = 0.5 * a[k] - a[3 + k];
			}
		}
		if ( n % 5 == 2 ) // a line
		{
			for ( int k = 0; k < 3; ++k )
			{
				a[3 + k] = 2.0 * a[k];
				a[6 + k] = -a[k];
			}
		}
		if ( n % 5 == 3 ) // a reflection
		{
			double mirror[9] = { -1, 0, 0, 0, 1, 0, 0, 0, 1 };
			memcpy( a, mirror, sizeof( a ) );
		}
		RefSvd( a, u, s, v );
		ENSURE( s[0] >= s[1] && s[1] >= fabs( s[2] ) - 1e-15 );
		ENSURE_NEAR( RefDet( u ), 1.0, 1e-13 );
		ENSURE_NEAR( RefDet( v ), 1.0, 1e-13 );
		ENSURE_NEAR( s[0] * s[1] * s[2], RefDet( a ), 1e-14 );
		for ( int i = 0; i < 3; ++i )
		{
			for ( int j = 0; j < 3; ++j )
			{
				double back = 0.0, uu = 0.0;
				for ( int k = 0; k < 3; ++k )
				{
					back += u[3 * i + k] * s[k] * v[3 * j + k];
					uu += u[3 * i + k] * u[3 * j + k];
				}
				ENSURE_NEAR( back, a[3 * i + j], 1e-13 );
				ENSURE_NEAR( uu, i == j ? 1.0 : 0.0, 1e-13 );
			}
		}
	}
	for ( int n = 0; n < 50; ++n )
	{
		double b[81], a[81], values[9], modes[81];
		for ( int k = 0; k < 81; ++k )
		{
			b[k] = pnRandomIn( &random, -1.0, 1.0 );
		}
		for ( int k = 0; k < 81; ++k )
		{
			a[k] = b[k] + b[k % 9 * 9 + k / 9];
		}
		RefEigen( a, 9, values, modes );
		for ( int k = 0; k < 81; ++k )
		{
			double back = 0.0;
			for ( int j = 0; j < 9; ++j )
			{
				back += modes[k / 9 * 9 + j] * values[j] * modes[k % 9 * 9 + j];
			}
			ENSURE_NEAR( back, a[k], 1e-12 );
		}
	}
	for ( int n = 0; n < 100; ++n )
	{
		// no other triple of that product is nearer, near or far
		double s[3], x[3];
		s[0] = pnRandomIn( &random, 0.0, 3.0 );
		s[1] = pnRandomIn( &random, 0.0, s[0] );
		s[2] = pnRandomIn( &random, -s[1], s[1] );
		double product = pnRandomIn( &random, 0.05, 3.0 );
		RefNearestProduct( s, product, x );
		ENSURE_NEAR( x[0] * x[1] * x[2], product, 1e-12 );
		double least = Distance3( x, s );
		for ( int k = 0; k < 2000; ++k )
		{
			double reach = pow( 10.0, pnRandomIn( &random, -4.0, 0.5 ) );
			double y[3] = { x[0] + pnRandomIn( &random, -reach, reach ), x[1] + pnRandomIn( &random, -reach, reach ), 0.0 };
			if ( fabs( y[0] * y[1] ) > 1e-6 )
			{
				y[2] = product / ( y[0] * y[1] );
				ENSURE( Distance3( y, s ) >= least * ( 1.0 - 1e-12 ) );
			}
		}
	}
}

// ---- exact recovery ----

// x -> shift + A x + quadratic terms, in double
typedef struct QuadraticMap { double shift[3], linear[9], quadratic[18]; } QuadraticMap;

static void MapPoint( const QuadraticMap* map, pnVec3 rest, double out[3] )
{
	double c[3] = { rest.x, rest.y, rest.z };
	double e[6] = { c[0] * c[0], c[1] * c[1], c[2] * c[2], c[0] * c[1], c[1] * c[2], c[2] * c[0] };
	for ( int a = 0; a < 3; ++a )
	{
		out[a] = map->shift[a];
		for ( int b = 0; b < 3; ++b )
		{
			out[a] += map->linear[3 * a + b] * c[b];
		}
		for ( int b = 0; b < 6; ++b )
		{
			out[a] += map->quadratic[6 * a + b] * e[b];
		}
	}
}

// Points that already lie on an image the mode can make must stay there.
static void CheckStays( const Shape* shape, const pnMaterial* material, const QuadraticMap* map )
{
	int count = shape->count;
	pnVec3* x = calloc( count, sizeof( pnVec3 ) );
	pnVec3* goals = calloc( count, sizeof( pnVec3 ) );
	double size = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		double y[3];
		MapPoint( map, shape->rest[i], y );
		x[i] = pnMakeVec3( (float)y[0], (float)y[1], (float)y[2] );
		size = fmax( size, LengthOf( x[i] ) );
	}
	ReadGoals( shape, material, x, 0.01f, goals );
	for ( int i = 0; i < count; ++i )
	{
		if ( ENSURE_NEAR( DistanceOf( goals[i], x[i] ), 0.0, GOAL_ERROR( count ) * size ) == false )
		{
			break;
		}
	}
	free( x );
	free( goals );
}

// Exact recovery of any affine map with stretch = 1, one cluster and many, by the linear and by the quadratic mode.
static void AffineRecovered( void )
{
	pnRandom random = pnSeed( 2 );
	for ( int n = 0; n < 60; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 5, 0.3f, 0.2f, 20 + n );
		CoverByCells( &shape, 1 + n % 3, 1 + n / 3 % 2, 1 + n % 2, 0.5f );
		QuadraticMap map = { 0 };
		for ( int k = 0; k < 9; ++k )
		{
			map.linear[k] = pnRandomIn( &random, -1.5, 1.5 );
		}
		for ( int a = 0; a < 3; ++a )
		{
			map.shift[a] = pnRandomIn( &random, -1.0, 1.0 );
		}
		pnTestContext( "map %d, %d clusters", n, shape.clusterCount );
		pnMaterial linear = GoalMaterial( pn_linearMode, 1.0f );
		CheckStays( &shape, &linear, &map );
		pnMaterial quadratic = GoalMaterial( pn_quadraticMode, 1.0f );
		CheckStays( &shape, &quadratic, &map );
		FreeShape( &shape );
	}
}

// All 27 modes of the paper's figure 5 one by one, then random mixtures of them.
static void QuadraticRecovered( void )
{
	pnRandom random = pnSeed( 3 );
	for ( int n = 0; n < 27 + 60; ++n )
	{
		Shape shape = MakeBlock( 5, 4, 5, 0.4f, 0.2f, 40 + n );
		CoverByCells( &shape, 1 + n % 2, 1, 1 + n / 2 % 2, 0.6f );
		QuadraticMap map = { { 0 }, { 1, 0, 0, 0, 1, 0, 0, 0, 1 }, { 0 } };
		if ( n < 9 )
		{
			map.linear[n] += 0.5;
		}
		else if ( n < 27 )
		{
			map.quadratic[n - 9] = 0.4;
		}
		else
		{
			for ( int k = 0; k < 9; ++k )
			{
				map.linear[k] += pnRandomIn( &random, -0.7, 0.7 );
			}
			for ( int k = 0; k < 18; ++k )
			{
				map.quadratic[k] = pnRandomIn( &random, -0.5, 0.5 );
			}
		}
		pnTestContext( "map %d, %d clusters", n, shape.clusterCount );
		pnMaterial material = GoalMaterial( pn_quadraticMode, 1.0f );
		CheckStays( &shape, &material, &map );
		FreeShape( &shape );
	}
}

// A rest shape turned and moved is already where it wants to be, for every mode and stretch (M7).
static void TurnedShapeStays( void )
{
	pnRandom random = pnSeed( 4 );
	for ( int n = 0; n < 60; ++n )
	{
		Shape shape = MakeBlock( 3, 4, 5, 0.3f, 0.2f, 80 + n );
		CoverByCells( &shape, 1 + n % 2, 1 + n / 2 % 2, 1 + n / 4 % 2, 0.5f );
		pnQuat q = RandomTurn( &random );
		QuadraticMap map = { 0 };
		pnVec3 columns[3] = { pnRotate( q, pnMakeVec3( 1, 0, 0 ) ), pnRotate( q, pnMakeVec3( 0, 1, 0 ) ), pnRotate( q, pnMakeVec3( 0, 0, 1 ) ) };
		for ( int b = 0; b < 3; ++b )
		{
			map.linear[b] = columns[b].x;
			map.linear[3 + b] = columns[b].y;
			map.linear[6 + b] = columns[b].z;
			map.shift[b] = pnRandomIn( &random, -1.0, 1.0 );
		}
		pnTestContext( "turn %d, %d clusters", n, shape.clusterCount );
		pnMaterial material = GoalMaterial( n % 3, n % 5 * 0.25f );
		material.volume = n % 2 * 1.0f;
		material.bare = n % 4 != 1;
		CheckStays( &shape, &material, &map );
		FreeShape( &shape );
	}
}

// ---- several clusters, weights ----

static void OverlappingGoals( void )
{
	pnRandom random = pnSeed( 5 );
	double worst = 0.0;
	for ( int n = 0; n < 90; ++n )
	{
		Shape shape = MakeBlock( 4, 4, 6, 0.25f, 0.3f, 200 + n );
		CoverByCells( &shape, 2, 1 + n % 2, 1 + n / 2 % 3, 0.2f + 0.2f * ( n % 4 ) );
		for ( int i = 0; i < shape.count; ++i )
		{
			shape.masses[i] = (float)pow( 10.0, pnRandomIn( &random, -1.0, 1.0 ) );
		}
		if ( n % 2 == 1 )
		{
			// a point's weights say what part of it each of its clusters holds
			int memberCount = shape.starts[shape.clusterCount];
			shape.weights = malloc( sizeof( float ) * memberCount );
			for ( int k = 0; k < memberCount; ++k )
			{
				shape.weights[k] = (float)pnRandomIn( &random, 0.1, 3.0 );
			}
		}
		pnVec3 x[128];
		BendPoints( &shape, n % 5 == 4 ? affineBend : noisyBend, 0.4f, &random, x );
		pnMaterial material = GoalMaterial( n / 3 % 3, 0.25f * ( n % 5 ) );
		pnTestContext( "case %d, %d clusters, mode %d, stretch %g, weights %d", n, shape.clusterCount, material.mode, material.stretch, n % 2 );
		worst = fmax( worst, CompareGoals( &shape, &material, x, 1.0f / 32.0f, 1.0 ) );
		FreeShape( &shape );
	}
	pnTestNote( "largest error %.2f of tolerance", worst );
}

// Eq. 9 and 10 for any alpha and any h: x' = x + alpha ( g - x ) from rest, v' = alpha ( g - x ) / h.
static void RawPull( void )
{
	static const float alphas[] = { 1.0f, 0.5f, 0.1f, 0.01f };
	static const float steps[] = { 1.0f, 1.0f / 60.0f, 1e-4f };
	pnRandom random = pnSeed( 6 );
	Shape shape = MakeBlock( 3, 3, 4, 0.3f, 0.2f, 300 );
	pnVec3 x[64], goals[64];
	BendPoints( &shape, noisyBend, 0.3f, &random, x );
	pnMaterial material = GoalMaterial( pn_quadraticMode, 0.5f );
	ReadGoals( &shape, &material, x, 1.0f, goals );
	for ( int a = 0; a < 4; ++a )
	{
		for ( int s = 0; s < 3; ++s )
		{
			material.alpha = alphas[a];
			Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
			memcpy( stage.x, x, sizeof( pnVec3 ) * shape.count );
			SetStage( &stage );
			ENSURE( pnWorld_Step( stage.world, steps[s], 1 ) == pn_success );
			ReadStage( &stage );
			pnTestContext( "alpha %g, h %g", alphas[a], steps[s] );
			for ( int i = 0; i < shape.count; ++i )
			{
				pnVec3 way = pnScale( alphas[a], pnSub( goals[i], x[i] ) );
				ENSURE_NEAR( DistanceOf( stage.x[i], pnAdd( x[i], way ) ), 0.0, 2e-6 );
				ENSURE_NEAR( steps[s] * DistanceOf( stage.v[i], pnScale( 1.0f / steps[s], way ) ), 0.0, 2e-6 );
			}
			FreeStage( &stage );
		}
	}
	FreeShape( &shape );
}

// ---- H2: rotations, and maps that do not reflect ----

// Signs of the singular values of the map that is put on a shape, in all eight patterns and with zeros.
static void MakeSigned( int pattern, pnRandom* random, const Shape* shape, pnVec3* x )
{
	pnQuat left = RandomTurn( random ), right = RandomTurn( random );
	float s[3];
	for ( int a = 0; a < 3; ++a )
	{
		s[a] = (float)pnRandomIn( random, 0.4, 1.6 ) * ( pattern >> a & 1 ? -1.0f : 1.0f );
		s[a] = pattern >> 3 == a + 1 ? 0.0f : s[a];
	}
	for ( int i = 0; i < shape->count; ++i )
	{
		pnVec3 p = pnRotate( right, shape->rest[i] );
		x[i] = pnRotate( left, pnMakeVec3( s[0] * p.x, s[1] * p.y, s[2] * p.z ) );
	}
}

static void RotationNeverReflects( void )
{
	pnRandom random = pnSeed( 7 );
	for ( int n = 0; n < 320; ++n )
	{
		// 8 sign patterns x { no zero, one of three zero }
		Shape shape = MakeCloud( n % 3 == 0 ? unevenCloud : randomCloud, 20, 1.0f, &random );
		int pattern = n % 32;
		pnVec3 x[32], goals[32];
		MakeSigned( pattern, &random, &shape, x );
		pnMaterial material = GoalMaterial( pn_rigidMode, 0.0f );
		pnTestContext( "case %d, sign pattern %d", n, pattern );
		ReadGoals( &shape, &material, x, 0.01f, goals );

		// Distances are those of rest, to rounding: the goals are the rest shape, turned ...
		double worst = 0.0, volume = 0.0, restVolume = 0.0;
		for ( int i = 0; i < shape.count; ++i )
		{
			for ( int j = 0; j < i; ++j )
			{
				worst = fmax( worst, fabs( DistanceOf( goals[i], goals[j] ) - DistanceOf( shape.rest[i], shape.rest[j] ) ) );
			}
		}
		ENSURE_NEAR( worst, 0.0, GOAL_ERROR( shape.count ) * 2.0 );
		// ... and not mirrored: four points keep their sense.
		volume = pnDot( pnCross( pnSub( goals[1], goals[0] ), pnSub( goals[2], goals[0] ) ), pnSub( goals[3], goals[0] ) );
		restVolume = pnDot( pnCross( pnSub( shape.rest[1], shape.rest[0] ), pnSub( shape.rest[2], shape.rest[0] ) ), pnSub( shape.rest[3], shape.rest[0] ) );
		ENSURE_NEAR( volume, restVolume, 1e-4 );
		// Nothing nearer exists, also where the nearest is not unique.
		double* rest = InDouble( shape.rest, shape.count );
		double* here = InDouble( x, shape.count );
		double masses[32], sum = 0.0, mass = 0.0;
		for ( int i = 0; i < shape.count; ++i )
		{
			masses[i] = shape.masses[i];
			mass += masses[i];
			sum += masses[i] * DistanceOf( x[i], goals[i] ) * DistanceOf( x[i], goals[i] );
		}
		RefDef def = MakeRefDef( &shape, rest, masses, &material );
		double least = RefRigidResidual( &def, here );
		ENSURE_NEAR( sum / mass, least, 1e-5 * ( least + 0.01 ) );
		free( rest );
		free( here );
		FreeShape( &shape );
	}
}

// The single-cluster state as reported: rotation, map, stretches and transform against the reference.
static void ReportedFrames( void )
{
	pnRandom random = pnSeed( 8 );
	for ( int n = 0; n < 60; ++n )
	{
		Shape shape = MakeBlock( 4, 3, 5, 0.3f, 0.3f, 400 + n );
		bool several = n % 2 == 1;
		CoverByCells( &shape, several ? 2 : 1, 1, several ? 2 : 1, 0.6f );
		pnMaterial material = PlainMaterial( n % 3, 4.0f, 0.5f );
		Stage stage = MakeStage( &shape, &material, pnMakeVec3( 0.0f, 0.0f, 0.0f ) );
		BendPoints( &shape, noisyBend, 0.3f, &random, stage.x );
		SetStage( &stage );

		double* rest = InDouble( shape.rest, shape.count );
		double* here = InDouble( stage.x, shape.count );
		double masses[64], goals[192];
		for ( int i = 0; i < shape.count; ++i )
		{
			masses[i] = shape.masses[i];
		}
		RefCluster expected[8];
		pnClusterState clusters[8];
		RefDef def = MakeRefDef( &shape, rest, masses, &material );
		RefGoals( &def, here, goals, expected );
		pnTestContext( "case %d", n );
		REQUIRE( pnBody_WriteClusters( stage.world, stage.body, clusters, 8 ) == shape.clusterCount );
		double largest = 0.0, smallest = 1e30, meanVolume = 0.0;
		for ( int c = 0; c < shape.clusterCount; ++c )
		{
			// which of ours it is: the one whose centre is there (the order of clusters is the library's own)
			int found = -1;
			double nearest = 1e30;
			for ( int k = 0; k < shape.clusterCount; ++k )
			{
				double center[3] = { clusters[c].center.x, clusters[c].center.y, clusters[c].center.z };
				double distance = Distance3( center, expected[k].center );
				found = distance < nearest ? k : found;
				nearest = fmin( nearest, distance );
			}
			const RefCluster* e = expected + found;
			ENSURE_NEAR( nearest, 0.0, 1e-5 );
			pnVec3 axes[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
			double u[9], s[3], v[9];
			RefSvd( e->map, u, s, v );
			for ( int b = 0; b < 3; ++b )
			{
				pnVec3 turned = pnRotate( clusters[c].rotation, axes[b] );
				pnVec3 mapped = pnMulMV( clusters[c].map, axes[b] );
				pnVec3 wantTurned = pnMakeVec3( (float)e->rotation[b], (float)e->rotation[3 + b], (float)e->rotation[6 + b] );
				pnVec3 wantMapped = pnMakeVec3( (float)e->map[b], (float)e->map[3 + b], (float)e->map[6 + b] );
				ENSURE_NEAR( DistanceOf( turned, wantTurned ), 0.0, 1e-5 / e->gap );
				ENSURE_NEAR( DistanceOf( mapped, wantMapped ), 0.0, 2e-5 );
			}
			ENSURE_NEAR( DetOf( clusters[c].map ), e->volume, 1e-4 );
			largest = fmax( largest, s[0] );
			smallest = fmin( smallest, fabs( s[2] ) );
			meanVolume += e->volume / shape.clusterCount;
		}
		// Of a body as a whole, where its clusters are.
		pnBodyState state;
		ENSURE( pnBody_GetState( stage.world, stage.body, &state ) == pn_success );
		ENSURE_NEAR( state.maxStretch, largest, 1e-4 * largest );
		ENSURE_NEAR( state.minStretch, smallest, 1e-4 * largest );
		ENSURE_NEAR( state.volume, meanVolume, 1e-4 );
		// The body's own best rigid fit leaves what the reference's leaves.
		double sum = 0.0, mass = 0.0;
		for ( int i = 0; i < shape.count; ++i )
		{
			double d = DistanceOf( pnTransformPoint( state.transform, shape.rest[i] ), stage.x[i] );
			sum += masses[i] * d * d;
			mass += masses[i];
		}
		double least = RefRigidResidual( &def, here );
		ENSURE_NEAR( sum / mass, least, 1e-5 * ( least + 0.01 ) );
		free( rest );
		free( here );
		FreeStage( &stage );
		FreeShape( &shape );
	}
}

// ---- volume ----

static double VolumeOf( const Shape* shape, const pnVec3* x, RefCluster* cluster )
{
	double* rest = InDouble( shape->rest, shape->count );
	double* here = InDouble( x, shape->count );
	double* masses = malloc( sizeof( double ) * shape->count );
	double* goals = malloc( sizeof( double ) * 3 * shape->count );
	for ( int i = 0; i < shape->count; ++i )
	{
		masses[i] = shape->masses[i];
	}
	pnMaterial material = GoalMaterial( pn_linearMode, 1.0f );
	RefDef def = MakeRefDef( shape, rest, masses, &material );
	RefGoals( &def, here, goals, cluster );
	free( rest );
	free( here );
	free( masses );
	free( goals );
	return cluster->volume;
}

// With stretch = 1 and volume = 1 the goal is the nearest map of volume 1 in the mass metric, from any state: squeezed,
// swollen, flat, mirrored. Away from rest ( det outside [ 0.5, 2 ] ) to rounding; near rest three steps along the cofactor are
// allowed, which from det = 0.5 or 2 leave a volume wrong by 0.0003 and points wrong by up to 0.005 of the size.
static void NearestVolume( void )
{
	pnRandom random = pnSeed( 9 );
	double worst = 0.0;
	int leftOut = 0;
	for ( int n = 0; n < 400; ++n )
	{
		Shape shape = MakeCloud( n % 2 == 0 ? randomCloud : unevenCloud, 24, 1.0f, &random );
		pnVec3 x[32], goals[32];
		MakeSigned( n % 8, &random, &shape, x );
		if ( n % 8 == 0 ) // an ordinary, mild state
		{
			BendPoints( &shape, noisyBend, 0.5f, &random, x );
		}
		pnMaterial material = GoalMaterial( n % 3 == 0 ? pn_quadraticMode : pn_linearMode, 1.0f );
		material.volume = 1.0f;
		material.bare = false;
		RefCluster before, after;
		double volume = VolumeOf( &shape, x, &before );
		ReadGoals( &shape, &material, x, 0.01f, goals );
		pnTestContext( "case %d, volume before %g, mode %d", n, volume, material.mode );
		ENSURE_NEAR( VolumeOf( &shape, goals, &after ), 1.0, 1e-3 );
		double u[9], s[3], v[9];
		RefSvd( before.map, u, s, v );
		// Where the two smallest stretches are equal and opposite in sign, the nearest map is not unique.
		if ( fabs( s[1] + s[2] ) < 0.1 )
		{
			leftOut += 1;
			FreeShape( &shape );
			continue;
		}
		double allowance = volume > 0.45 && volume < 2.2 ? 5e-3 / GOAL_ERROR( shape.count ) : 16.0;
		worst = fmax( worst, CompareGoals( &shape, &material, x, 0.01f, allowance ) );
		FreeShape( &shape );
	}
	ENSURE( leftOut < 100 );
	pnTestNote( "largest error %.2f of tolerance", worst );
}

// A response curve is what the map's volume becomes (H9). Curves pass through the given points and are linear between.
static void VolumeCurves( void )
{
	static const float found[] = { 0.6f, 0.8f, 0.9f, 1.0f, 1.1f, 1.3f, 1.6f };
	pnMaterial material = GoalMaterial( pn_linearMode, 1.0f );
	material.volume = 1.0f;
	material.bare = false;
	material.volumeCurve.count = 3;
	material.volumeCurve.points[0].x = 0.7f;
	material.volumeCurve.points[0].y = 0.9f; // gives way to 0.9 when squeezed
	material.volumeCurve.points[1].x = 1.0f;
	material.volumeCurve.points[1].y = 1.0f;
	material.volumeCurve.points[2].x = 1.2f;
	material.volumeCurve.points[2].y = 1.05f; // and swells a little when pulled
	Shape shape = MakeBlock( 4, 4, 4, 0.3f, 0.1f, 500 );
	pnVec3 x[64], goals[64];
	for ( int n = 0; n < 7; ++n )
	{
		for ( int i = 0; i < shape.count; ++i )
		{
			x[i] = shape.rest[i];
			x[i].y *= found[n];
		}
		float wanted = found[n] <= 0.7f ? 0.9f : found[n] <= 1.0f ? 0.9f + ( found[n] - 0.7f ) * 0.1f / 0.3f : 1.0f + ( found[n] - 1.0f ) * 0.05f / 0.2f;
		ReadGoals( &shape, &material, x, 0.01f, goals );
		RefCluster after;
		pnTestContext( "volume %g", found[n] );
		ENSURE_NEAR( VolumeOf( &shape, goals, &after ), wanted, 3e-3 );
	}
	FreeShape( &shape );
}

// ---- H1: caps ----

// Root mean square stretch in the mass metric: 1 at rest and for anything turned.
static double MeanStretch( const Shape* shape, const pnVec3* x )
{
	RefCluster cluster;
	VolumeOf( shape, x, &cluster );
	return cluster.size / cluster.restSize;
}

static void Caps( void )
{
	static const pnCap kinds[] = { pn_rowCap, pn_blendCap, pn_scaleCap };
	pnRandom random = pnSeed( 10 );
	Shape shape = MakeBlock( 4, 4, 4, 0.3f, 0.0f, 600 );
	pnVec3 x[64], goals[64], uncapped[64];
	for ( int n = 0; n < 240; ++n )
	{
		// turned, stretched along the body's own axes
		pnCap cap = kinds[n % 3];
		bool hard = n / 3 % 2 == 0;
		pnMode mode = n / 6 % 2 == 0 ? pn_linearMode : pn_quadraticMode;
		pnQuat turn = RandomTurn( &random );
		double top = n / 12 % 3 == 0 ? 1.15 : 3.0;
		float s[3];
		for ( int a = 0; a < 3; ++a )
		{
			s[a] = (float)pnRandomIn( &random, 1.0, top );
		}
		if ( n % 24 >= 12 ) // the same along all axes
		{
			s[1] = s[2] = s[0];
		}
		for ( int i = 0; i < shape.count; ++i )
		{
			pnVec3 p = shape.rest[i];
			x[i] = pnRotate( turn, pnMakeVec3( s[0] * p.x, s[1] * p.y, s[2] * p.z ) );
		}
		pnMaterial material = GoalMaterial( mode, 1.0f );
		ReadGoals( &shape, &material, x, 0.01f, uncapped );
		material.bare = false;
		material.cap = cap;
		material.capStart = 1.2f;
		material.capEnd = hard ? 1.2f : 1.5f;
		ReadGoals( &shape, &material, x, 0.01f, goals );
		pnTestContext( "case %d, cap %d, %s, stretch %g %g %g", n, cap, hard ? "hard" : "soft", s[0], s[1], s[2] );

		double found = MeanStretch( &shape, x ), allowed = MeanStretch( &shape, goals );
		ENSURE_MOST( allowed, found + 1e-5 );
		if ( cap != pn_scaleCap )
		{
			ENSURE_MOST( allowed, material.capEnd + 1e-4 );
		}
		else
		{
			// gamma A + ( 1 - gamma ) R with gamma = c^2 / |A|^2: 1 + ( s - 1 ) c^2 / s^2, at most 1 + c^2 / 4
			ENSURE_MOST( allowed, 1.0 + 0.25 * material.capStart * material.capStart + 1e-4 );
			if ( n % 24 >= 12 )
			{
				double c2 = material.capStart * material.capStart;
				ENSURE_NEAR( allowed, found <= material.capStart ? found : 1.0 + ( found - 1.0 ) * c2 / ( found * found ), 1e-4 );
			}
		}
		if ( cap == pn_rowCap )
		{
			// every axis by itself: unchanged below the start, below the end always, rising in between
			for ( int a = 0; a < 3; ++a )
			{
				double was = 0.0, is = 0.0;
				pnQuat back = pnConjugate( turn );
				for ( int i = 0; i < shape.count; ++i )
				{
					pnVec3 p = pnRotate( back, goals[i] );
					double c = a == 0 ? p.x : a == 1 ? p.y : p.z;
					double r = a == 0 ? shape.rest[i].x : a == 1 ? shape.rest[i].y : shape.rest[i].z;
					is += c * c;
					was += r * r;
				}
				double stretch = sqrt( is / was );
				if ( s[a] <= material.capStart )
				{
					ENSURE_NEAR( stretch, s[a], 1e-4 );
				}
				else
				{
					ENSURE_MOST( stretch, material.capEnd + 1e-4 );
					ENSURE_MOST( stretch, s[a] + 1e-5 );
					ENSURE_MOST( material.capStart - 1e-4, stretch );
				}
			}
		}
		if ( s[0] <= 1.2f && s[1] <= 1.2f && s[2] <= 1.2f )
		{
			for ( int i = 0; i < shape.count; ++i )
			{
				ENSURE_NEAR( DistanceOf( goals[i], uncapped[i] ), 0.0, 1e-5 );
			}
		}
	}

	// A curve says it all by itself, for the row cap of one axis.
	pnMaterial material = GoalMaterial( pn_linearMode, 1.0f );
	material.bare = false;
	material.cap = pn_rowCap;
	material.capStart = 5.0f;
	material.capEnd = 6.0f;
	material.capCurve.count = 3;
	material.capCurve.points[0].x = 1.0f;
	material.capCurve.points[0].y = 1.0f;
	material.capCurve.points[1].x = 2.0f;
	material.capCurve.points[1].y = 1.25f;
	material.capCurve.points[2].x = 3.0f;
	material.capCurve.points[2].y = 1.25f;
	static const float found[] = { 1.0f, 1.5f, 2.0f, 2.5f, 3.5f };
	static const float wanted[] = { 1.0f, 1.125f, 1.25f, 1.25f, 1.25f };
	for ( int n = 0; n < 5; ++n )
	{
		for ( int i = 0; i < shape.count; ++i )
		{
			x[i] = shape.rest[i];
			x[i].y *= found[n];
		}
		ReadGoals( &shape, &material, x, 0.01f, goals );
		double is = 0.0, was = 0.0;
		for ( int i = 0; i < shape.count; ++i )
		{
			is += goals[i].y * goals[i].y;
			was += shape.rest[i].y * shape.rest[i].y;
		}
		pnTestContext( "curve at %g", found[n] );
		ENSURE_NEAR( sqrt( is / was ), wanted[n], 1e-4 );
	}
	FreeShape( &shape );
}

// ---- far away, many points ----

// A cloud of 30,000 points one kilometre away: the sums are taken about a near point, so only the rounding of the
// coordinates themselves is left.
static void LargeAndFar( void )
{
	pnRandom random = pnSeed( 11 );
	int count = 30000;
	Shape shape = MakeCloud( randomCloud, count, 1.0f, &random );
	pnVec3* x = malloc( sizeof( pnVec3 ) * count );
	for ( int mode = 0; mode < 3; ++mode )
	{
		for ( int where = 0; where < 2; ++where )
		{
			BendPoints( &shape, noisyBend, 1.0f, &random, x );
			for ( int i = 0; i < count; ++i )
			{
				x[i] = pnAdd( x[i], pnScale( (float)where, pnMakeVec3( 1000.0f, -1000.0f, 1000.0f ) ) );
			}
			pnMaterial material = GoalMaterial( mode, 0.5f );
			pnTestContext( "mode %d, %s", mode, where == 0 ? "near" : "far" );
			CompareGoals( &shape, &material, x, 1.0f / 64.0f, 1.0 );
		}
	}
	free( x );
	FreeShape( &shape );
}

static const pnTest s_tests[] = {
	RUN( ReferenceHolds ),
	RUN( RigidGoals ),
	RUN( LinearGoals ),
	RUN( QuadraticGoals ),
	RUN( AffineRecovered ),
	RUN( QuadraticRecovered ),
	RUN( TurnedShapeStays ),
	RUN( OverlappingGoals ),
	RUN( RawPull ),
	RUN( RotationNeverReflects ),
	RUN( ReportedFrames ),
	RUN( NearestVolume ),
	RUN( VolumeCurves ),
	RUN( Caps ),
	RUN( LargeAndFar ),
};
SUITE( match, s_tests );
