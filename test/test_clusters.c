// test_clusters.c - clusters that hold a body together: free modes counted by a rank, bodies that are shaken, islands, pieces of cuts.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT
#include "help.h"

#include "../src/soft/solid.h"

#define MOST_POINTS 260

// ---- clouds: whatever a user might think of ----

typedef struct Cloud
{
	const char* name;
	int count;
	pnVec3 points[2 * MOST_POINTS];
} Cloud;

static void AddPlace( Cloud* cloud, double x, double y, double z )
{
	if ( cloud->count < MOST_POINTS )
	{
		cloud->points[cloud->count++] = pnMakeVec3( (float)x, (float)y, (float)z );
	}
}

static void AddGrid( Cloud* cloud, int nx, int ny, int nz, double jitter, pnVec3 at, pnRandom* random )
{
	for ( int i = 0; i < nx * ny * nz; ++i )
	{
		double d[3];
		for ( int k = 0; k < 3; ++k )
		{
			d[k] = jitter > 0.0 ? pnRandomIn( random, -jitter, jitter ) : 0.0;
		}
		AddPlace( cloud, (double)at.x + 0.1 * ( i % nx + d[0] ), (double)at.y + 0.1 * ( i / nx % ny + d[1] ), (double)at.z + 0.1 * ( i / nx / ny + d[2] ) );
	}
}

enum { cloudKinds = 16 };

static Cloud DrawCloud( int kind, pnRandom* random )
{
	static const char* const names[cloudKinds] = { "random", "grid", "jittered grid", "ball", "torus", "stick", "rope", "sheet", "comb", "L", "far blobs",
												   "box surface", "helix", "blobs", "U", "strip" };
	Cloud cloud = { .name = names[kind] };
	pnVec3 zero = { 0.0f, 0.0f, 0.0f };
	int n = 5 + pnRandomInt( random, MOST_POINTS - 60 );
	if ( kind == 0 )
	{
		double wide[3] = { 1.0, pnRandomIn( random, 0.2, 1.0 ), pnRandomIn( random, 0.05, 1.0 ) };
		for ( int i = 0; i < n; ++i )
		{
			AddPlace( &cloud, pnRandomIn( random, 0.0, wide[0] ), pnRandomIn( random, 0.0, wide[1] ), pnRandomIn( random, 0.0, wide[2] ) );
		}
	}
	else if ( kind == 1 || kind == 2 )
	{
		int nx = 1 + pnRandomInt( random, 8 ), ny = 1 + pnRandomInt( random, 6 ), nz = 1 + pnRandomInt( random, MOST_POINTS / ( nx * ny ) > 6 ? 6 : MOST_POINTS / ( nx * ny ) );
		AddGrid( &cloud, nx, ny, nz, kind == 2 ? 0.35 : 0.0, zero, random );
	}
	else if ( kind == 3 )
	{
		for ( int i = 0; i < n; ++i ) // along a spiral from pole to pole
		{
			double z = 1.0 - 2.0 * ( i + 0.5 ) / n, r = sqrt( 1.0 - z * z ), turn = i * 2.399963;
			AddPlace( &cloud, r * cos( turn ), r * sin( turn ), z );
		}
	}
	else if ( kind == 4 )
	{
		int around = 8 + pnRandomInt( random, 30 ), across = 3 + pnRandomInt( random, 4 );
		double thin = pnRandomIn( random, 0.05, 0.4 );
		for ( int i = 0; i < around * across; ++i )
		{
			double a = 2.0 * TEST_PI * ( i / across ) / around, b = 2.0 * TEST_PI * ( i % across ) / across;
			AddPlace( &cloud, ( 1.0 + thin * cos( b ) ) * cos( a ), ( 1.0 + thin * cos( b ) ) * sin( a ), thin * sin( b ) );
		}
	}
	else if ( kind == 5 )
	{
		int w = 2 + pnRandomInt( random, 2 );
		AddGrid( &cloud, 4 + pnRandomInt( random, MOST_POINTS / ( w * w ) - 4 ), w, w, pnRandomInt( random, 2 ) * 0.2, zero, random );
	}
	else if ( kind == 6 )
	{
		AddGrid( &cloud, 2 + pnRandomInt( random, 150 ), 1, 1, 0.0, zero, random );
	}
	else if ( kind == 7 )
	{
		AddGrid( &cloud, 2 + pnRandomInt( random, 15 ), 2 + pnRandomInt( random, 14 ), 1, 0.0, zero, random );
	}
	else if ( kind == 8 )
	{
		int teeth = 2 + pnRandomInt( random, 4 ), length = 3 + pnRandomInt( random, 5 ), gap = 1 + pnRandomInt( random, 3 ), high = 1 + pnRandomInt( random, 2 );
		AddGrid( &cloud, teeth * ( 2 + gap ) - gap, 2, high, 0.0, zero, random );
		for ( int t = 0; t < teeth; ++t )
		{
			AddGrid( &cloud, 2, length, high, 0.0, pnMakeVec3( 0.1f * (float)( t * ( 2 + gap ) ), 0.2f, 0.0f ), random );
		}
	}
	else if ( kind == 9 || kind == 14 )
	{
		int w = 2 + pnRandomInt( random, 2 ), a = 4 + pnRandomInt( random, 10 ), b = 3 + pnRandomInt( random, 8 );
		AddGrid( &cloud, a, w, w, 0.0, zero, random );
		AddGrid( &cloud, w, b, w, 0.0, pnMakeVec3( 0.0f, 0.1f * (float)w, 0.0f ), random );
		if ( kind == 14 )
		{
			AddGrid( &cloud, w, b, w, 0.0, pnMakeVec3( 0.1f * (float)( a - w ), 0.1f * (float)w, 0.0f ), random );
		}
	}
	else if ( kind == 10 || kind == 13 )
	{
		int blobs = kind == 10 ? 2 : 2 + pnRandomInt( random, 6 );
		double apart = pnRandomIn( random, 0.3, kind == 10 ? 20.0 : 3.0 );
		for ( int i = 0; i < blobs; ++i )
		{
			pnVec3 at = pnMakeVec3( (float)( apart * i ), (float)pnRandomIn( random, 0.0, apart ), (float)pnRandomIn( random, 0.0, apart ) );
			AddGrid( &cloud, 2 + pnRandomInt( random, 3 ), 2 + pnRandomInt( random, 3 ), 2 + pnRandomInt( random, 2 ), 0.3, at, random );
		}
	}
	else if ( kind == 11 )
	{
		int w = 3 + pnRandomInt( random, 4 );
		for ( int i = 0; i < w * w * w; ++i )
		{
			int x = i % w, y = i / w % w, z = i / w / w;
			if ( x == 0 || y == 0 || z == 0 || x == w - 1 || y == w - 1 || z == w - 1 )
			{
				AddPlace( &cloud, 0.1 * x, 0.1 * y, 0.1 * z );
			}
		}
	}
	else if ( kind == 12 )
	{
		double pitch = pnRandomIn( random, 0.02, 0.3 );
		for ( int i = 0; i < n; ++i )
		{
			AddPlace( &cloud, cos( 0.25 * i ), sin( 0.25 * i ), pitch * 0.25 * i );
		}
	}
	else
	{
		AddGrid( &cloud, 4 + pnRandomInt( random, 100 ), 2, 1, pnRandomInt( random, 2 ) * 0.1, zero, random );
	}
	// Some points twice, and the whole turned, of any size, anywhere.
	int twice = pnRandomInt( random, 4 ) == 0 ? pnRandomInt( random, 12 ) : 0;
	for ( int i = 0; i < twice; ++i )
	{
		pnVec3 p = cloud.points[pnRandomInt( random, cloud.count )];
		AddPlace( &cloud, (double)p.x, (double)p.y, (double)p.z );
	}
	pnQuat q = { (float)pnRandomIn( random, -1.0, 1.0 ), (float)pnRandomIn( random, -1.0, 1.0 ), (float)pnRandomIn( random, -1.0, 1.0 ), (float)pnRandomIn( random, 0.1, 1.0 ) };
	float length = sqrtf( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w );
	q = (pnQuat){ q.x / length, q.y / length, q.z / length, q.w / length };
	bool turned = pnRandomInt( random, 2 ) == 0;
	float size = (float)pow( 10.0, pnRandomIn( random, -1.5, 1.5 ) );
	for ( int i = 0; i < cloud.count; ++i )
	{
		pnVec3 p = turned ? pnRotate( q, cloud.points[i] ) : cloud.points[i];
		cloud.points[i] = pnScale( size, p );
	}
	return cloud;
}

static double SizeOf( const Cloud* cloud )
{
	pnVec3 lower = cloud->points[0], upper = lower;
	for ( int i = 1; i < cloud->count; ++i )
	{
		lower = pnMin3( lower, cloud->points[i] ), upper = pnMax3( upper, cloud->points[i] );
	}
	pnVec3 d = pnSub( upper, lower );
	return fmax( (double)d.x, fmax( (double)d.y, (double)d.z ) );
}

static pnSolidDef DrawClusters( const Cloud* cloud, pnRandom* random )
{
	pnSolidDef def = pnDefaultSolidDef();
	def.points = cloud->points;
	def.pointCount = cloud->count;
	int kind = pnRandomInt( random, 4 );
	def.clusters.kind = kind == 0 ? pn_autoClusters : kind == 1 ? pn_cellClusters : pn_countClusters;
	def.clusters.count = 1 + pnRandomInt( random, 64 );
	def.clusters.cellSize = (float)( SizeOf( cloud ) * pnRandomIn( random, 0.03, 1.2 ) ) + 1e-6f;
	if ( pnRandomInt( random, 2 ) == 0 )
	{
		def.clusters.overlap = pnRandomInt( random, 4 ) == 0 ? 0.0f : (float)pnRandomIn( random, 0.0, 1.5 );
	}
	return def;
}

// ---- free modes ----

static double s_smallest = 1.0, s_largest = 0.0; // pivots that counted as something, and as nothing

// Pivots of a matrix that is not negative, above `least` times the largest of the diagonal: its rank. The matrix is spent.
static int FindRank( double* A, int n, double least )
{
	double largest = 0.0;
	for ( int i = 0; i < n; ++i )
	{
		largest = fmax( largest, A[(size_t)i * n + i] );
	}
	for ( int rank = 0; rank < n; ++rank )
	{
		int best = rank;
		for ( int i = rank; i < n; ++i )
		{
			best = A[(size_t)i * n + i] > A[(size_t)best * n + best] ? i : best;
		}
		double pivot = A[(size_t)best * n + best] / largest;
		if ( !( pivot > least ) )
		{
			s_largest = fmax( s_largest, pivot );
			return rank;
		}
		s_smallest = fmin( s_smallest, pivot );
		for ( int k = 0; k < n && best != rank; ++k ) // rows, then columns
		{
			double t = A[(size_t)rank * n + k];
			A[(size_t)rank * n + k] = A[(size_t)best * n + k], A[(size_t)best * n + k] = t;
		}
		for ( int k = 0; k < n && best != rank; ++k )
		{
			double t = A[(size_t)k * n + rank];
			A[(size_t)k * n + rank] = A[(size_t)k * n + best], A[(size_t)k * n + best] = t;
		}
		double inverse = 1.0 / A[(size_t)rank * n + rank];
		for ( int i = rank + 1; i < n; ++i )
		{
			double factor = inverse * A[(size_t)i * n + rank];
			for ( int k = rank + 1; k < n && factor != 0.0; ++k )
			{
				A[(size_t)i * n + k] -= factor * A[(size_t)rank * n + k];
			}
		}
	}
	return n;
}

// Orthonormal under the weights: the motions of points as one rigid thing. Returns how many: 6, 5 in a line, 3 in one place.
static int FindRigidModes( const pnVec3* rest, const int32_t* points, const double* weights, int count, double modes[6][3 * MOST_POINTS] )
{
	double center[3] = { 0 }, total = 0.0, size2 = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		const float* p = &rest[points[i]].x;
		total += weights[i];
		for ( int k = 0; k < 3; ++k )
		{
			center[k] += weights[i] * (double)p[k];
		}
	}
	for ( int i = 0; i < count; ++i )
	{
		const float* p = &rest[points[i]].x;
		for ( int k = 0; k < 3; ++k )
		{
			size2 += weights[i] / total * pow( (double)p[k] - center[k] / total, 2.0 );
		}
	}
	for ( int m = 0; m < 6; ++m )
	{
		int a = m % 3, b = ( m + 1 ) % 3, c = ( m + 2 ) % 3;
		for ( int i = 0; i < count; ++i )
		{
			const float* p = &rest[points[i]].x;
			double r[3] = { (double)p[0] - center[0] / total, (double)p[1] - center[1] / total, (double)p[2] - center[2] / total };
			modes[m][3 * i + a] = m < 3 ? 1.0 : 0.0;
			modes[m][3 * i + b] = m < 3 ? 0.0 : -r[c] / sqrt( size2 + 1e-300 );
			modes[m][3 * i + c] = m < 3 ? 0.0 : r[b] / sqrt( size2 + 1e-300 );
		}
	}
	// Gram and Schmidt, the largest of what is left first, so that rounding is not blown up.
	int found = 0;
	for ( ; found < 6; ++found )
	{
		int best = found;
		double largest = 0.0;
		for ( int m = found; m < 6; ++m )
		{
			double norm2 = 0.0;
			for ( int i = 0; i < 3 * count; ++i )
			{
				norm2 += weights[i / 3] * modes[m][i] * modes[m][i];
			}
			best = norm2 > largest ? m : best;
			largest = norm2 > largest ? norm2 : largest;
		}
		if ( !( largest > 1e-8 * total ) )
		{
			break;
		}
		for ( int i = 0; i < 3 * count; ++i )
		{
			double value = modes[best][i];
			modes[best][i] = modes[found][i], modes[found][i] = value / sqrt( largest );
		}
		for ( int m = found + 1; m < 6; ++m )
		{
			for ( int pass = 0; pass < 2; ++pass )
			{
				double dot = 0.0;
				for ( int i = 0; i < 3 * count; ++i )
				{
					dot += weights[i / 3] * modes[m][i] * modes[found][i];
				}
				for ( int i = 0; i < 3 * count; ++i )
				{
					modes[m][i] -= dot * modes[found][i];
				}
			}
		}
	}
	return found;
}

// Motions to which a body of rigid clusters has nothing to say: the null space of 1 - goal map, at rest. *own: those of the whole as one thing.
static int CountFreeModes( const pnSolid* solid, int* own )
{
	int n = 3 * solid->particleCount;
	double* A = calloc( (size_t)n * n, sizeof( double ) );
	static double modes[6][3 * MOST_POINTS], weights[MOST_POINTS];
	static int32_t points[MOST_POINTS];
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		int count = solid->clusterSize[c];
		for ( int i = 0; i < count; ++i )
		{
			points[i] = (int32_t)( solid->memberPoint[solid->clusterStart[c] + i] / 16 );
			weights[i] = (double)solid->clusters[c].share * (double)solid->members[solid->clusterStart[c] + i].w / (double)solid->mass[points[i]];
		}
		int rigid = FindRigidModes( solid->rest, points, weights, count, modes );
		for ( int i = 0; i < 3 * count; ++i )
		{
			size_t row = (size_t)( 3 * points[i / 3] + i % 3 ) * n;
			A[row + 3 * points[i / 3] + i % 3] += weights[i / 3];
			for ( int k = 0; k < 3 * count; ++k )
			{
				for ( int m = 0; m < rigid; ++m )
				{
					A[row + 3 * points[k / 3] + k % 3] -= weights[i / 3] * weights[k / 3] * modes[m][i] * modes[m][k];
				}
			}
		}
	}
	for ( int i = 0; i < solid->particleCount; ++i )
	{
		points[i] = i, weights[i] = 1.0;
	}
	*own = FindRigidModes( solid->rest, points, weights, solid->particleCount, modes );
	int rank = FindRank( A, n, 1e-10 );
	free( A );
	return n - rank;
}

static void TryFreeModes( uint64_t firstSeed, int seeds )
{
	int most = 0, several = 0;
	for ( int seed = 0; seed < seeds; ++seed )
	{
		pnRandom random = pnSeed( firstSeed + (uint64_t)seed );
		int kind = seed % cloudKinds;
		Cloud cloud = DrawCloud( kind, &random );
		pnSolidDef def = DrawClusters( &cloud, &random );
		pnTestContext( "seed %llu, %s of %d points, kind %d, count %d, cell %g, overlap %g", (unsigned long long)firstSeed + (unsigned long long)seed, cloud.name, cloud.count,
					   (int)def.clusters.kind, def.clusters.count, (double)def.clusters.cellSize, (double)def.clusters.overlap );
		pnSolid* solid;
		REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
		pnSolidInfo info = pnSolid_GetInfo( solid );
		int own, free = CountFreeModes( solid, &own );
		ENSURE( info.islandCount == 1 );
		ENSURE( free == own );
		most = info.clusterCount > most ? info.clusterCount : most;
		several += info.clusterCount > 1;
		pnDestroySolid( solid );
	}
	pnTestNote( "up to %d clusters, %d of %d bodies with more than one; pivots below %.0e are none, above %.0e some", most, several, seeds, s_largest, s_smallest );
}

// A body that the library has clustered has the free modes of one rigid thing and no other.
static void ClustersMoveAsOne( void )
{
	TryFreeModes( 1000, 320 );
}

// Cells finer than the cloud: the grid of the report, and its like.
static void SmallGridsHoldTogether( void )
{
	for ( int side = 2; side <= 6; ++side )
	{
		for ( int count = 1; count <= 64; ++count )
		{
			Cloud cloud = { .name = "grid" };
			AddGrid( &cloud, side, side, side, 0.0, pnMakeVec3( 0.0f, 0.0f, 0.0f ), NULL );
			pnSolidDef def = pnDefaultSolidDef();
			def.points = cloud.points;
			def.pointCount = cloud.count;
			def.clusters.kind = pn_countClusters;
			def.clusters.count = count;
			pnSolid* solid;
			pnTestContext( "%d x %d x %d, count %d", side, side, side, count );
			REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
			int own, free = side < 6 || count % 8 == 0 ? CountFreeModes( solid, &own ) : 6;
			ENSURE( free == 6 );
			ENSURE( pnSolid_GetInfo( solid ).islandCount == 1 );
			pnDestroySolid( solid );
		}
	}
}

static double GapOf( pnVec3 a, pnVec3 b )
{
	pnVec3 d = pnSub( a, b );
	return sqrt( (double)pnDot( d, d ) );
}

// Shaken in free space for ten seconds, neighbours stay neighbours: the shortest ways that make the cloud one thing keep their lengths.
static void ShakenBodiesStayWhole( void )
{
	double worst = 0.0;
	for ( int seed = 0; seed < 96; ++seed )
	{
		pnRandom random = pnSeed( 7000 + (uint64_t)seed );
		Cloud cloud = DrawCloud( seed % cloudKinds, &random );
		pnSolidDef def = DrawClusters( &cloud, &random );
		pnTestContext( "seed %d, %s of %d points, kind %d, count %d, cell %g, overlap %g", 7000 + seed, cloud.name, cloud.count, (int)def.clusters.kind, def.clusters.count,
					   (double)def.clusters.cellSize, (double)def.clusters.overlap );
		pnSolid* solid;
		REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
		double size = fmax( SizeOf( &cloud ), 1e-3 ); // all may be in one place
		pnWorldDef worldDef = pnDefaultWorldDef();
		worldDef.gravity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
		worldDef.enableSleep = false;
		worldDef.tasks.workerCount = 1;
		pnWorld* world;
		REQUIRE( pnCreateWorld( &worldDef, &world ) == pn_success );
		pnBodyDef bodyDef = pnDefaultBodyDef();
		bodyDef.solid = solid;
		bodyDef.filter.mask = 0;
		static const char* const materials[3] = { "jelly", "rubber", "wood" };
		pnFindMaterial( materials[seed % 3], &bodyDef.material );
		pnBodyId body;
		REQUIRE( pnCreateBody( world, &bodyDef, &body ) == pn_success );
		static pnVec3 x[MOST_POINTS], v[MOST_POINTS];
		for ( int i = 0; i < cloud.count; ++i )
		{
			float most = (float)( 0.2 * size );
			v[i] = pnMakeVec3( most * (float)pnRandomIn( &random, -1.0, 1.0 ), most * (float)pnRandomIn( &random, -1.0, 1.0 ), most * (float)pnRandomIn( &random, -1.0, 1.0 ) );
		}
		REQUIRE( pnBody_SetPoints( world, body, cloud.points, v, cloud.count ) == pn_success );
		for ( int step = 0; step < 600; ++step )
		{
			ENSURE( pnWorld_Step( world, 1.0f / 60.0f, 1 ) == pn_success );
		}
		pnBody_WritePoints( world, body, x, NULL, cloud.count );
		// Prim's tree over the rest points
		static bool in[MOST_POINTS];
		static double nearest[MOST_POINTS];
		static int from[MOST_POINTS];
		for ( int i = 0; i < cloud.count; ++i )
		{
			in[i] = i == 0, from[i] = 0;
			nearest[i] = GapOf( cloud.points[i], cloud.points[0] );
		}
		for ( int added = 1; added < cloud.count; ++added )
		{
			int best = -1;
			for ( int i = 0; i < cloud.count; ++i )
			{
				best = !in[i] && ( best < 0 || nearest[i] < nearest[best] ) ? i : best;
			}
			in[best] = true;
			double now = GapOf( x[best], x[from[best]] ), grown = ( now - nearest[best] ) / size;
			worst = fmax( worst, grown );
			ENSURE_MOST( grown, 0.25 );
			for ( int i = 0; i < cloud.count; ++i )
			{
				double d = GapOf( cloud.points[i], cloud.points[best] );
				if ( !in[i] && d < nearest[i] )
				{
					nearest[i] = d, from[i] = best;
				}
			}
		}
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
	pnTestNote( "gaps grow by up to %.3f of the size", worst );
}

// ---- islands ----

static pnSolid* MakeGiven( const Cloud* cloud, int count, const int32_t* starts, const int32_t* members )
{
	pnSolidDef def = pnDefaultSolidDef();
	def.points = cloud->points;
	def.pointCount = cloud->count;
	def.clusters.kind = pn_givenClusters;
	def.clusters.count = count;
	def.clusters.starts = starts;
	def.clusters.members = members;
	pnSolid* solid = NULL;
	ENSURE( pnCreateSolid( &def, &solid ) == pn_success );
	return solid;
}

// Given clusters are taken as they are: joints keep the modes they ought to have, and islands are counted.
static void GivenClustersKeepTheirJoints( void )
{
	Cloud cloud = { .name = "two cubes" };
	AddGrid( &cloud, 2, 2, 2, 0.0, pnMakeVec3( 0.0f, 0.0f, 0.0f ), NULL );
	AddGrid( &cloud, 2, 2, 2, 0.0, pnMakeVec3( 0.2f, 0.0f, 0.0f ), NULL );
	// the second one has so many of the first's points: none, a corner, an edge, a face
	int32_t members[5][20];
	int shared[5] = { 0, 1, 2, 3, 4 }, modes[5] = { 12, 9, 7, 6, 6 }, islands[5] = { 2, 1, 1, 1, 1 };
	int32_t face[4] = { 1, 3, 5, 7 };
	for ( int i = 0; i < 5; ++i )
	{
		int count = 0;
		for ( int k = 0; k < 8; ++k )
		{
			members[i][count++] = k;
		}
		for ( int k = 0; k < shared[i]; ++k )
		{
			members[i][count++] = face[k];
		}
		for ( int k = 8; k < 16; ++k )
		{
			members[i][count++] = k;
		}
		pnTestContext( "%d shared", shared[i] );
		pnSolid* solid = MakeGiven( &cloud, 2, ( int32_t[] ){ 0, 8, count }, members[i] );
		REQUIRE( solid != NULL );
		int own;
		ENSURE( pnSolid_GetInfo( solid ).islandCount == islands[i] );
		ENSURE( CountFreeModes( solid, &own ) == modes[i] );
		ENSURE( pnSolid_GetInfo( solid ).clusterCount == 2 );
		pnDestroySolid( solid );
	}
}

// Islands of given clusters and of tetrahedra, against sets joined one by one.
static void IslandsAreCounted( void )
{
	for ( int seed = 0; seed < 200; ++seed )
	{
		pnRandom random = pnSeed( 400 + (uint64_t)seed );
		Cloud cloud = { .name = "points" };
		int count = 8 + pnRandomInt( &random, 80 ), clusterCount = 1 + pnRandomInt( &random, 25 );
		bool tets = seed % 2 == 0;
		for ( int i = 0; i < count; ++i )
		{
			AddPlace( &cloud, pnRandomIn( &random, 0.0, 1.0 ), pnRandomIn( &random, 0.0, 1.0 ), pnRandomIn( &random, 0.0, 1.0 ) );
		}
		static int32_t members[100], starts[26];
		int label[100];
		for ( int c = 0; c < clusterCount; ++c )
		{
			starts[c + 1] = 4 * ( c + 1 );
			int32_t* m = members + 4 * c;
			for ( int k = 0; k < 4; ++k )
			{
				bool twice = true;
				while ( twice )
				{
					m[k] = pnRandomInt( &random, count );
					twice = false;
					for ( int o = 0; o < k; ++o )
					{
						twice = twice || m[o] == m[k];
					}
				}
			}
		}
		for ( int i = 0; i < count; ++i )
		{
			label[i] = i;
		}
		bool used[100] = { 0 };
		for ( int pass = 0; pass < count; ++pass ) // labels sink until they agree
		{
			for ( int i = 0; i < 4 * clusterCount; ++i )
			{
				used[members[i]] = true;
				for ( int k = 0; k < 4; ++k )
				{
					int32_t o = members[i / 4 * 4 + k];
					label[members[i]] = label[o] < label[members[i]] ? label[o] : label[members[i]];
				}
			}
		}
		int islands = 0;
		for ( int i = 0; i < count; ++i )
		{
			islands += used[i] && label[i] == i; // points of no cluster join one
		}
		pnTestContext( "seed %d", seed );
		pnSolidDef def = pnDefaultSolidDef();
		def.points = cloud.points;
		def.pointCount = cloud.count;
		def.clusters.kind = tets ? pn_tetClusters : pn_givenClusters;
		def.tetrahedra = tets ? members : NULL;
		def.tetrahedronCount = tets ? clusterCount : 0;
		def.clusters.count = clusterCount, def.clusters.starts = starts, def.clusters.members = members;
		pnSolid* solid;
		REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
		ENSURE( pnSolid_GetInfo( solid ).islandCount == islands );
		pnDestroySolid( solid );
	}
}

// ---- pieces ----

static pnWorld* MakeStillWorld( const pnSolid* solid, pnBodyId* body )
{
	pnWorldDef worldDef = pnDefaultWorldDef();
	worldDef.gravity = pnMakeVec3( 0.0f, 0.0f, 0.0f );
	worldDef.tasks.workerCount = 1;
	pnWorld* world = NULL;
	pnBodyDef bodyDef = pnDefaultBodyDef();
	bodyDef.solid = solid;
	bodyDef.filter.mask = 0;
	ENSURE( pnCreateWorld( &worldDef, &world ) == pn_success && pnCreateBody( world, &bodyDef, body ) == pn_success );
	return world;
}

// A body that a plane has shaved by a trifle has as many clusters as before, and about as large ones, also the tenth time.
static void ShavedBodiesKeepTheirClusters( void )
{
	for ( int seed = 0; seed < 60; ++seed )
	{
		pnRandom random = pnSeed( 900 + (uint64_t)seed );
		int n[3] = { 5 + pnRandomInt( &random, 6 ), 5 + pnRandomInt( &random, 6 ), 5 + pnRandomInt( &random, 6 ) }, count = 0;
		static pnVec3 points[1000];
		for ( int i = 0; i < n[0] * n[1] * n[2]; ++i )
		{
			points[count++] = pnMakeVec3( 0.1f * (float)( i % n[0] ), 0.1f * (float)( i / n[0] % n[1] ), 0.1f * (float)( i / n[0] / n[1] ) );
		}
		pnSolidDef def = pnDefaultSolidDef();
		def.points = points;
		def.pointCount = count;
		if ( seed % 3 != 0 )
		{
			def.clusters.kind = pn_countClusters;
			def.clusters.count = 1 + pnRandomInt( &random, 30 );
		}
		pnSolid* solid;
		pnTestContext( "seed %d: %d x %d x %d, count %d", seed, n[0], n[1], n[2], def.clusters.kind == pn_countClusters ? def.clusters.count : 0 );
		REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
		pnBodyId body;
		pnWorld* world = MakeStillWorld( solid, &body );
		pnSolidInfo before = pnSolid_GetInfo( solid );
		for ( int time = 0; time < 10; ++time )
		{
			float at[3] = { 0.0f, 0.0f, 0.0f }, normal[3] = { 0.0f, 0.0f, 0.0f };
			pnBodyState state;
			REQUIRE( pnBody_GetState( world, body, &state ) == pn_success );
			// a corner comes off
			float s = pnRandomInt( &random, 2 ) == 0 ? 1.0f : -1.0f;
			at[0] = s > 0.0f ? state.bounds.upper.x : state.bounds.lower.x, at[1] = state.bounds.upper.y, at[2] = state.bounds.lower.z;
			normal[0] = s, normal[1] = 1.0f, normal[2] = -1.0f;
			at[1] -= 0.05f;
			pnCutDef cut = pnDefaultCutDef();
			cut.point = pnMakeVec3( at[0], at[1], at[2] );
			cut.normal = pnMakeVec3( normal[0], normal[1], normal[2] );
			REQUIRE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
			pnBodyId bodies[64];
			int alive = pnWorld_GetBodies( world, bodies, 64 );
			int most = 0;
			for ( int i = 0; i < alive && i < 64; ++i )
			{
				pnSolidInfo info = pnSolid_GetInfo( pnBody_GetSolid( world, bodies[i] ) );
				ENSURE( info.islandCount == 1 );
				if ( info.particleCount > most )
				{
					most = info.particleCount, body = bodies[i];
				}
			}
			pnSolidInfo after = pnSolid_GetInfo( pnBody_GetSolid( world, body ) );
			ENSURE_NEAR( after.clusterCount, before.clusterCount, 0.15 * before.clusterCount );
		}
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
}

// Do the members of each cluster hang together by links between them? Else one would reach across a slit.
static bool AreClustersLinked( const pnSolid* solid )
{
	int32_t* met = calloc( (size_t)solid->particleCount, sizeof( int32_t ) );
	int32_t* queue = calloc( (size_t)solid->particleCount, sizeof( int32_t ) );
	bool linked = true;
	for ( int c = 0; c < solid->clusterCount; ++c )
	{
		int begin = solid->clusterStart[c], size = solid->clusterSize[c], count = 0;
		for ( int m = begin; m < begin + size; ++m )
		{
			met[solid->memberPoint[m] / 16] = 1;
		}
		queue[count++] = (int32_t)( solid->memberPoint[begin] / 16 );
		met[queue[0]] = 0;
		for ( int i = 0; i < count; ++i )
		{
			for ( int k = solid->linkStart[queue[i]]; k < solid->linkStart[queue[i] + 1]; ++k )
			{
				if ( met[solid->links[k]] != 0 )
				{
					met[solid->links[k]] = 0;
					queue[count++] = solid->links[k];
				}
			}
		}
		linked = linked && count == size;
		for ( int m = begin; m < begin + size; ++m )
		{
			met[solid->memberPoint[m] / 16] = 0;
		}
	}
	free( met );
	free( queue );
	return linked;
}

// Pieces of planes move as one thing each; after a blade that ends inside, what is left is still one island, and no cluster reaches across the slit.
static void PiecesMoveAsOne( void )
{
	int pieces = 0, slits = 0;
	for ( int seed = 0; seed < 120; ++seed )
	{
		pnRandom random = pnSeed( 300 + (uint64_t)seed );
		Cloud cloud = DrawCloud( seed % 2 == 0 ? 1 + seed / 2 % 2 : seed / 2 % cloudKinds, &random );
		pnSolidDef def = DrawClusters( &cloud, &random );
		pnSolid* solid;
		pnTestContext( "seed %d, %s of %d points", seed, cloud.name, cloud.count );
		REQUIRE( pnCreateSolid( &def, &solid ) == pn_success );
		pnBodyId body;
		pnWorld* world = MakeStillWorld( solid, &body );
		pnSolidInfo info = pnSolid_GetInfo( solid );
		float size = (float)SizeOf( &cloud ) + 1e-3f;
		for ( int k = 0; k < 3; ++k )
		{
			pnCutDef cut = pnDefaultCutDef();
			pnVec3 d = pnMakeVec3( (float)pnRandomIn( &random, -1.0, 1.0 ), (float)pnRandomIn( &random, -1.0, 1.0 ), (float)pnRandomIn( &random, -1.0, 1.0 ) );
			cut.point = pnAdd( info.center, pnScale( 0.2f * size, d ) );
			cut.normal = pnMakeVec3( (float)pnRandomIn( &random, -1.0, 1.0 ), (float)pnRandomIn( &random, -1.0, 1.0 ), (float)pnRandomIn( &random, 0.1, 1.0 ) );
			if ( seed % 3 == 2 && k == 2 ) // one that ends in the middle
			{
				pnVec3 across = pnMakeVec3( 0.0f, 2.0f * size, 0.3f * size ), along = pnMakeVec3( 2.0f * size, 0.0f, 0.1f * size ), corner = pnSub( cut.point, pnScale( 0.5f, across ) );
				cut.kind = pn_quadBlade;
				cut.quad[0] = corner, cut.quad[1] = pnAdd( corner, across );
				cut.quad[2] = pnAdd( cut.quad[1], along ), cut.quad[3] = pnAdd( corner, along );
			}
			ENSURE( pnWorld_Cut( world, &cut, NULL ) == pn_success );
			pnBodyId bodies[64];
			int alive = pnWorld_GetBodies( world, bodies, 64 );
			for ( int i = 0; i < alive && i < 64; ++i )
			{
				const pnSolid* piece = pnBody_GetSolid( world, bodies[i] );
				ENSURE( pnSolid_GetInfo( piece ).islandCount == 1 );
				int own;
				slits += piece->linkCount > 0;
				ENSURE( piece->linkCount == 0 || AreClustersLinked( piece ) );
				if ( piece->linkCount == 0 && piece->particleCount <= MOST_POINTS )
				{
					pieces += 1;
					int free = CountFreeModes( piece, &own );
					ENSURE( free == own );
				}
			}
		}
		pnDestroyWorld( world );
		pnDestroySolid( solid );
	}
	pnTestNote( "%d pieces, %d with slits", pieces, slits );
}

static const pnTest s_tests[] = {
	RUN( ClustersMoveAsOne ),
	RUN( SmallGridsHoldTogether ),
	RUN( ShakenBodiesStayWhole ),
	RUN( GivenClustersKeepTheirJoints ),
	RUN( IslandsAreCounted ),
	RUN( ShavedBodiesKeepTheirClusters ),
	RUN( PiecesMoveAsOne ),
};

SUITE( clusters, s_tests );
