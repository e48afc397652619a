// bench_kelvin.c - the static solver: factorisation against the machine's matrix product, exact fields, a bar, a bracket and a bunny beside finite elements; and baked
// responses. Knows the public library, cblas for the roof, and ccx.h.
// SPDX-FileCopyrightText: 2026 The pliant authors
// SPDX-License-Identifier: MIT

#include "bench_kelvin.h"

#include "ccx.h"
#include "stopwatch.h"

#include "pliant/kelvin.h"

#include <cblas.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BAR_LENGTH 4.0 // m along z; 1 x 1 m across, x and y from -1/2 to 1/2
#define SHEAR_MODULUS 120.0 // Pa
#define POISSON_RATIO 0.45
#define YOUNGS_MODULUS ( 2.0 * SHEAR_MODULUS * ( 1.0 + POISSON_RATIO ) )
#define TIP_TRACTION 0.1 // Pa along x
#define TIP_TRUTH 0.0745 // m, mean over the end: where finer and finer finite elements tend to
#define BRACKET_TRUTH -0.231345 // m along z, mean over the end: test/kelvin/reference_bracket.h, from finite elements graded to the edges
#define BUNNY_TRUTH 0.00526146 // m along x, mean over its head: test/kelvin/reference/make_bunny.py without halvings, the coarsest mesh its triangles allow; how far that is off is not known
#define TIP_ERROR 0.02 // what both have to reach
#define SAMPLES 7
#define QUICK_SAMPLES 3
#define ROOF_SIZE 1300

static const pnBar noBar = { pn_noBar, 0.0 };

// The rows of what is done: the rest takes minutes.
static void ShowRows( pnProgress* progress, pnReport* report )
{
	pnProgress_Finish( progress );
	pnReport_Show( report, stdout );
}

static void TellFailure( const char* what, pnResult result )
{
	fprintf( stderr, "bench: %s: %s\n", what, pnResultText( result ) );
}

// ---- a bar of cells: places to collocate at, as they are given ----

typedef struct Bar
{
	pnVec3d* points;
	pnVec3d* normals;
	double* areas;
	int count;
} Bar;

static void FreeBar( Bar* bar )
{
	free( bar->points );
	free( bar->normals );
	free( bar->areas );
}

// A point in the middle of each cell of the surface: 2 across^2 + 4 across along of them.
static bool MakeBar( int across, int along, Bar* bar )
{
	size_t count = 2 * (size_t)across * (size_t)across + 4 * (size_t)across * (size_t)along;
	*bar = (Bar){ malloc( count * sizeof( pnVec3d ) ), malloc( count * sizeof( pnVec3d ) ), malloc( count * sizeof( double ) ), 0 };
	if ( bar->points == NULL || bar->normals == NULL || bar->areas == NULL )
	{
		return false;
	}
	const double size[3] = { 1.0, 1.0, BAR_LENGTH }, lower[3] = { -0.5, -0.5, 0.0 };
	const int cells[3] = { across, across, along };
	for ( int face = 0; face < 6; ++face )
	{
		int axis = face / 2, a = ( axis + 1 ) % 3, b = ( axis + 2 ) % 3;
		for ( int cell = 0; cell < cells[a] * cells[b]; ++cell )
		{
			double x[3], n[3] = { 0.0, 0.0, 0.0 };
			x[axis] = lower[axis] + ( face % 2 ) * size[axis];
			x[a] = lower[a] + size[a] * ( cell % cells[a] + 0.5 ) / cells[a];
			x[b] = lower[b] + size[b] * ( cell / cells[a] + 0.5 ) / cells[b];
			n[axis] = face % 2 == 0 ? -1.0 : 1.0;
			bar->points[bar->count] = (pnVec3d){ x[0], x[1], x[2] };
			bar->normals[bar->count] = (pnVec3d){ n[0], n[1], n[2] };
			bar->areas[bar->count++] = size[a] * size[b] / ( cells[a] * cells[b] );
		}
	}
	return true;
}

static pnKelvinDef DefOfBar( const Bar* bar )
{
	pnKelvinDef def = pnDefaultKelvinDef();
	def.youngsModulus = YOUNGS_MODULUS;
	def.poissonRatio = POISSON_RATIO;
	def.points = bar->points;
	def.normals = bar->normals;
	def.areas = bar->areas;
	def.pointCount = bar->count;
	def.refineSurface = 0;
	def.estimateError = 0;
	return def;
}

static pnRegion EndOfBar( double z, double side )
{
	return (pnRegion){ .tests = pn_beyondPlane, .planePoint = { 0.0, 0.0, z }, .planeNormal = { 0.0, 0.0, side } };
}

// Held at z = 0, drawn aside at the other end.
static void ClampAndPull( pnCondition conditions[2] )
{
	conditions[0] = pnDefaultCondition();
	conditions[0].region = EndOfBar( 0.0, -1.0 );
	conditions[1] = pnDefaultCondition();
	conditions[1].kind = pn_tractionCondition;
	conditions[1].region = EndOfBar( BAR_LENGTH, 1.0 );
	conditions[1].vector = (pnVec3d){ TIP_TRACTION, 0.0, 0.0 };
}

// ---- factorisation and roof ----

// GFLOP/s of one product; the matrices stay as they are but for c.
static double MeasureProduct( const double* a, const double* b, double* c )
{
	const double n = ROOF_SIZE;
	double start = pnGetSeconds();
	cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, ROOF_SIZE, ROOF_SIZE, ROOF_SIZE, 1.0, a, ROOF_SIZE, b, ROOF_SIZE, 0.0, c, ROOF_SIZE );
	return 2e-9 * n * n * n / ( pnGetSeconds() - start );
}

static bool MeasureFactor( int sampleCount, pnProgress* progress, pnReport* report )
{
	Bar bar;
	size_t size = (size_t)ROOF_SIZE * ROOF_SIZE;
	double* matrices = malloc( 3 * size * sizeof( double ) );
	bool good = MakeBar( 10, 25, &bar ) && matrices != NULL; // 1,200 points
	for ( size_t i = 0; i < 3 * size && good; ++i )
	{
		matrices[i] = 1e-3 * (double)( i % 997 ) - 0.4;
	}
	double seconds[SAMPLES], rates[SAMPLES], roofs[SAMPLES];
	int retryCount = 0;
	for ( int i = 0; i < sampleCount && good; ++i )
	{
		pnProgress_Show( progress, "factor" );
		pnCondition conditions[2];
		ClampAndPull( conditions );
		pnKelvinDef def = DefOfBar( &bar );
		def.conditions = conditions;
		def.conditionCount = 2;
		def.method = pn_energyMethod;
		def.placement = pn_offsetSources;
		def.sourceCount = 432;
		pnKelvin* kelvin = NULL;
		pnKelvinInfo info;
		pnResult result = pnCreateKelvin( &def, &kelvin, &info );
		pnDestroyKelvin( kelvin );
		good = result >= pn_success;
		if ( good )
		{
			double n = info.unknownCount, m = info.pointCount;
			retryCount = info.retryCount;
			seconds[i] = info.placeSeconds + info.assembleSeconds + info.factorSeconds;
			rates[i] = 1e-9 * ( 2.0 * n * n * 3.0 * m + n * n * n / 3.0 ) / seconds[i];
			roofs[i] = MeasureProduct( matrices, matrices + size, matrices + 2 * size );
		}
		else
		{
			TellFailure( "kelvin.factor", result );
		}
		pnProgress_Advance( progress );
	}
	if ( good )
	{
		double roof = pnMedian( roofs, sampleCount );
		pnReport_Add( report, "kelvin.factor.s", pnMedian( seconds, sampleCount ), "s", (pnBar){ pn_atMost, 0.8 } );
		pnReport_Add( report, "kelvin.factor.retries", retryCount, "", noBar );
		pnReport_Add( report, "kelvin.factor.dgemm", roof, "GFLOP/s", noBar );
		pnReport_Add( report, "kelvin.factor.roof", 100.0 * pnMedian( rates, sampleCount ) / roof, "%", (pnBar){ pn_atLeast, 50.0 } );
	}
	else
	{
		pnReport_AddText( report, "kelvin.factor.s", "not measured: it failed" );
	}
	free( matrices );
	FreeBar( &bar );
	return good;
}

// ---- responses ----

// Made up: what it costs does not depend on the numbers. A compliance that falls off like 1 / distance is positive definite.
static pnResponse* MakeResponse( int handleCount, int vertexCount )
{
	int degreeCount = 3 * handleCount;
	pnVec3* handles = calloc( (size_t)handleCount, sizeof( pnVec3 ) );
	pnVec3* vertices = calloc( (size_t)vertexCount, sizeof( pnVec3 ) );
	double* compliance = calloc( (size_t)degreeCount * (size_t)degreeCount, sizeof( double ) );
	float* motion = calloc( (size_t)degreeCount * 3 * (size_t)vertexCount, sizeof( float ) );
	pnResponse* response = NULL;
	if ( handles != NULL && vertices != NULL && compliance != NULL && motion != NULL )
	{
		for ( int i = 0; i < degreeCount; ++i )
		{
			for ( int j = i % 3; j < degreeCount; j += 3 )
			{
				compliance[i * degreeCount + j] = 1e-3 / ( 1.0 + abs( i - j ) / 3 );
			}
		}
		for ( size_t i = 0; i < (size_t)degreeCount * 3 * (size_t)vertexCount; ++i )
		{
			motion[i] = 1e-6f * (float)( i % 1009 );
		}
		for ( int i = 0; i < vertexCount; ++i )
		{
			vertices[i] = pnMakeVec3( 1e-3f * (float)i, 0.5f, -1e-3f * (float)i );
		}
		pnResponseDef def = pnDefaultResponseDef();
		def.handleCount = handleCount;
		def.vertexCount = vertexCount;
		def.handles = handles;
		def.vertices = vertices;
		def.compliance = compliance;
		def.motion = motion;
		pnResult result = pnCreateResponse( &def, &response );
		if ( result != pn_success )
		{
			TellFailure( "pnCreateResponse", result );
		}
	}
	free( handles );
	free( vertices );
	free( compliance );
	free( motion );
	return response;
}

// All handles held, and moved a little further each time: milliseconds of one answer, median of many.
static bool MeasureResponse( int handleCount, int vertexCount, bool moves, bool isQuick, double* milliseconds, double* holdMilliseconds )
{
	enum { most = 2000 };
	int count = isQuick ? 300 : most;
	static double samples[most];
	pnResponse* response = MakeResponse( handleCount, vertexCount );
	pnVec3* displacements = calloc( (size_t)handleCount, sizeof( pnVec3 ) );
	pnVec3* forces = calloc( (size_t)handleCount, sizeof( pnVec3 ) );
	pnVec3* vertices = calloc( (size_t)vertexCount, sizeof( pnVec3 ) );
	uint8_t* held = malloc( (size_t)handleCount );
	bool good = response != NULL && displacements != NULL && forces != NULL && vertices != NULL && held != NULL;
	if ( good )
	{
		memset( held, 1, (size_t)handleCount );
		for ( int i = 0; i < 9; ++i )
		{
			double start = pnGetSeconds();
			pnResponse_Hold( response, held );
			samples[i] = pnGetSeconds() - start;
		}
		*holdMilliseconds = 1e3 * pnMedian( samples, 9 );
		for ( int i = 0; i < count; ++i )
		{
			for ( int h = 0; h < handleCount; ++h )
			{
				displacements[h] = pnMakeVec3( 1e-4f * (float)( i % 100 + 1 ), 0.01f, 1e-3f * (float)( h + 1 ) );
			}
			double start = pnGetSeconds();
			pnResponse_Solve( response, displacements, NULL, forces );
			if ( moves )
			{
				pnResponse_Move( response, forces, vertices );
			}
			samples[i] = pnGetSeconds() - start;
		}
		*milliseconds = 1e3 * pnMedian( samples, count );
	}
	pnDestroyResponse( response );
	free( displacements );
	free( forces );
	free( vertices );
	free( held );
	return good;
}

static bool MeasureResponses( bool isQuick, pnProgress* progress, pnReport* report )
{
	double drag, force, hold;
	pnProgress_Show( progress, "drag" );
	bool good = MeasureResponse( 16, 10000, true, isQuick, &drag, &hold );
	if ( good )
	{
		pnReport_Add( report, "kelvin.drag.ms", drag, "ms", (pnBar){ pn_atMost, 0.4 } );
		pnReport_Add( report, "kelvin.drag.hold.ms", hold, "ms", noBar );
	}
	pnProgress_Advance( progress );
	pnProgress_Show( progress, "force" );
	good = MeasureResponse( 100, 100, false, isQuick, &force, &hold ) && good;
	if ( good )
	{
		pnReport_Add( report, "kelvin.force.ms", force, "ms", (pnBar){ pn_atMost, 0.02 } );
		pnReport_Add( report, "kelvin.force.hold.ms", hold, "ms", noBar );
	}
	pnProgress_Advance( progress );
	return good;
}

// ---- exact fields ----

// A field that linear elasticity knows in closed form: displacement and stress everywhere.
typedef enum FieldKind
{
	pullField, // longer along z, thinner across
	bendField, // a circle, with the cross section's own bend
	twistField, // of a round bar; on a square one its sides carry what the round one's inside would
	fieldKinds,
} FieldKind;

static const char* const s_fieldNames[fieldKinds] = { "pull", "bend", "twist" };

static pnVec3d ExactDisplacement( FieldKind kind, pnVec3d p )
{
	const double nu = POISSON_RATIO, e = 0.05;
	p.z -= 0.5 * BAR_LENGTH;
	switch ( kind )
	{
	case pullField:
		return (pnVec3d){ -nu * e * p.x, -nu * e * p.y, e * p.z };
	case bendField:
		return (pnVec3d){ 0.5 * e * ( p.z * p.z + nu * ( p.x * p.x - p.y * p.y ) ), e * nu * p.x * p.y, -e * p.x * p.z };
	default:
		return (pnVec3d){ -e * p.y * p.z, e * p.x * p.z, 0.0 };
	}
}

static pnVec3d ExactTraction( FieldKind kind, pnVec3d p, pnVec3d normal )
{
	const double e = 0.05;
	pnStress stress = { 0 };
	stress.zz = kind == pullField ? YOUNGS_MODULUS * e : kind == bendField ? -YOUNGS_MODULUS * e * p.x : 0.0;
	stress.zx = kind == twistField ? -SHEAR_MODULUS * e * p.y : 0.0;
	stress.yz = kind == twistField ? SHEAR_MODULUS * e * p.x : 0.0;
	return pnTraction( &stress, normal );
}

static pnVec3d HeldField( pnVec3d point, pnVec3d normal, void* context )
{
	(void)normal;
	return ExactDisplacement( *(const FieldKind*)context, point );
}

static pnVec3d LoadField( pnVec3d point, pnVec3d normal, void* context )
{
	return ExactTraction( *(const FieldKind*)context, point, normal );
}

// The largest miss at places inside and on the surface, over the largest displacement.
static double MissOf( const pnKelvin* kelvin, FieldKind kind )
{
	enum { across = 5, along = 9, count = across * across * along };
	pnVec3d points[count], displacements[count];
	for ( int i = 0; i < count; ++i )
	{
		points[i] = (pnVec3d){ i % across / ( across - 1.0 ) - 0.5, i / across % across / ( across - 1.0 ) - 0.5,
							   BAR_LENGTH * ( i / ( across * across ) ) / ( along - 1.0 ) };
	}
	pnKelvin_Evaluate( kelvin, points, count, displacements, NULL );
	double largest = 0.0, miss = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		pnVec3d u = ExactDisplacement( kind, points[i] ), v = displacements[i];
		largest = fmax( largest, sqrt( u.x * u.x + u.y * u.y + u.z * u.z ) );
		double one = sqrt( ( u.x - v.x ) * ( u.x - v.x ) + ( u.y - v.y ) * ( u.y - v.y ) + ( u.z - v.z ) * ( u.z - v.z ) );
		miss = one > miss || one != one ? one : miss; // what is no number is no small miss
	}
	return miss / largest;
}

// Both ends moved as the field has it, the sides loaded as it has it; least squares, sources on a box two sides away.
static bool SolveField( FieldKind kind, const Bar* bar, int sourceCount, double* miss )
{
	pnCondition conditions[3];
	for ( int i = 0; i < 3; ++i )
	{
		conditions[i] = pnDefaultCondition();
		conditions[i].kind = i < 2 ? pn_holdCondition : pn_tractionCondition;
		conditions[i].field = i < 2 ? HeldField : LoadField;
		conditions[i].fieldContext = &kind;
	}
	conditions[0].region = EndOfBar( 0.0, -1.0 );
	conditions[1].region = EndOfBar( BAR_LENGTH, 1.0 );
	pnKelvinDef def = DefOfBar( bar );
	def.conditions = conditions;
	def.conditionCount = 3;
	def.method = pn_lsqMethod;
	def.placement = pn_boxSources;
	def.sourceDistance = 4.0; // in halves of the smallest size
	def.sourceCount = sourceCount;
	pnKelvin* kelvin = NULL;
	pnResult result = pnCreateKelvin( &def, &kelvin, NULL );
	if ( result < pn_success )
	{
		TellFailure( s_fieldNames[kind], result );
		return false;
	}
	*miss = MissOf( kelvin, kind );
	pnDestroyKelvin( kelvin );
	return true;
}

static bool MeasureFields( const char* csvPath, pnProgress* progress, pnReport* report )
{
	Bar bar;
	bool good = MakeBar( 5, 20, &bar ); // 450 points
	FILE* csv = csvPath != NULL ? fopen( csvPath, "w" ) : NULL;
	if ( csvPath != NULL && csv == NULL )
	{
		fprintf( stderr, "bench: '%s' could not be written\n", csvPath );
		good = false;
	}
	if ( csv != NULL )
	{
		fprintf( csv, "field,sources,error\n" );
	}
	for ( FieldKind kind = 0; kind < fieldKinds && good; ++kind )
	{
		pnProgress_Show( progress, s_fieldNames[kind] );
		for ( int sourceCount = csv != NULL ? 20 : 100; sourceCount <= ( csv != NULL ? 300 : 200 ) && good; sourceCount += csv != NULL ? 20 : 100 )
		{
			double miss;
			good = SolveField( kind, &bar, sourceCount, &miss );
			if ( good && csv != NULL )
			{
				fprintf( csv, "%s,%d,%.6g\n", s_fieldNames[kind], sourceCount, miss );
			}
			if ( good && ( sourceCount == 100 || sourceCount == 200 ) )
			{
				char name[48];
				snprintf( name, sizeof( name ), "kelvin.fig2.%s.%d", s_fieldNames[kind], sourceCount );
				pnReport_Add( report, name, miss, "of the largest", (pnBar){ pn_atMost, 1e-3 } );
			}
		}
		pnProgress_Advance( progress );
	}
	if ( csv != NULL && fclose( csv ) != 0 )
	{
		fprintf( stderr, "bench: '%s' could not be written\n", csvPath );
		good = false;
	}
	FreeBar( &bar );
	return good;
}

// ---- finite elements ----

// A part for both: its closed surface, and what is known of its answer.
typedef struct Part
{
	pnCcxPart ccx;
	int32_t* groups; // of the triangles: 1 held, 2 the end
	const double* sizes; // m, of finite elements, coarse ones first
	int sizeCount;
	int axis; // along which the end's displacement is looked at
	double truth; // m, mean over the end
	int firstCount, mostCount; // sources that are tried
} Part;

enum { heldGroup = 1, endGroup = 2 };

static bool IsBeyond( const Part* part, int triangle, int axis, double at, double side )
{
	bool is = true;
	for ( int k = 0; k < 3; ++k )
	{
		is = is && side * ( part->ccx.corners[part->ccx.triangles[triangle][k]][axis] - at ) > -1e-6;
	}
	return is;
}

static bool GroupPart( Part* part )
{
	part->groups = calloc( (size_t)part->ccx.triangleCount, sizeof( int32_t ) );
	for ( int i = 0; i < part->ccx.triangleCount && part->groups != NULL; ++i )
	{
		part->groups[i] = IsBeyond( part, i, part->ccx.heldAxis, part->ccx.heldAt, part->ccx.heldSide ) ? heldGroup
						  : IsBeyond( part, i, part->ccx.endAxis, part->ccx.endAt, part->ccx.endSide ) ? endGroup
																									  : 0;
	}
	return part->groups != NULL;
}

// The mean over the end: in the middles of small triangles, so that there are some hundred.
static bool MeanOfEnd( const pnKelvin* kelvin, const Part* part, double* mean )
{
	int endCount = 0;
	for ( int i = 0; i < part->ccx.triangleCount; ++i )
	{
		endCount += part->groups[i] == endGroup;
	}
	int divisions = endCount > 0 ? (int)ceil( sqrt( 128.0 / endCount ) ) : 1, count = 0;
	size_t size = (size_t)endCount * (size_t)( divisions * divisions );
	pnVec3d* points = calloc( size, sizeof( pnVec3d ) );
	pnVec3d* displacements = calloc( size, sizeof( pnVec3d ) );
	double* areas = calloc( size, sizeof( double ) );
	bool good = points != NULL && displacements != NULL && areas != NULL;
	for ( int i = 0; i < part->ccx.triangleCount && good; ++i )
	{
		const double* c[3] = { part->ccx.corners[part->ccx.triangles[i][0]], part->ccx.corners[part->ccx.triangles[i][1]], part->ccx.corners[part->ccx.triangles[i][2]] };
		double n[3];
		for ( int k = 0; k < 3; ++k )
		{
			int a = ( k + 1 ) % 3, b = ( k + 2 ) % 3;
			n[k] = ( c[1][a] - c[0][a] ) * ( c[2][b] - c[0][b] ) - ( c[1][b] - c[0][b] ) * ( c[2][a] - c[0][a] );
		}
		for ( int k = 0; k < divisions * divisions && part->groups[i] == endGroup; ++k )
		{
			// Row r of the small triangles has 2 ( divisions - r ) - 1 of them, pointing up and down in turn.
			int row = 0, rest = k;
			for ( ; rest >= 2 * ( divisions - row ) - 1; ++row )
			{
				rest -= 2 * ( divisions - row ) - 1;
			}
			double u = ( rest / 2 + ( rest % 2 == 0 ? 1.0 : 2.0 ) / 3.0 ) / divisions, v = ( row + ( rest % 2 == 0 ? 1.0 : 2.0 ) / 3.0 ) / divisions, place[3];
			for ( int axis = 0; axis < 3; ++axis )
			{
				place[axis] = c[0][axis] + u * ( c[1][axis] - c[0][axis] ) + v * ( c[2][axis] - c[0][axis] );
			}
			areas[count] = sqrt( n[0] * n[0] + n[1] * n[1] + n[2] * n[2] );
			points[count++] = (pnVec3d){ place[0], place[1], place[2] };
		}
	}
	if ( good )
	{
		pnKelvin_Evaluate( kelvin, points, count, displacements, NULL );
		double sum = 0.0, area = 0.0;
		for ( int i = 0; i < count; ++i )
		{
			sum += areas[i] * ( part->axis == 0 ? displacements[i].x : part->axis == 1 ? displacements[i].y : displacements[i].z );
			area += areas[i];
		}
		*mean = area > 0.0 ? sum / area : 0.0;
	}
	free( points );
	free( displacements );
	free( areas );
	return good;
}

// From triangles to the mean displacement of the end, with everything that comes in between.
// sourceCount 0: with defaults, which go on until their own estimate is good, with an estimate.
static bool SolvePart( const Part* part, int sourceCount, double* tip, double* seconds, pnKelvinInfo* info )
{
	const pnCcxPart* ccx = &part->ccx;
	double start = pnGetSeconds();
	pnVec3d* corners = calloc( (size_t)ccx->cornerCount, sizeof( pnVec3d ) );
	pnKelvin* kelvin = NULL;
	bool good = corners != NULL;
	for ( int i = 0; i < ccx->cornerCount && good; ++i )
	{
		corners[i] = (pnVec3d){ ccx->corners[i][0], ccx->corners[i][1], ccx->corners[i][2] };
	}
	if ( good )
	{
		pnCondition conditions[2] = { pnDefaultCondition(), pnDefaultCondition() };
		conditions[0].region = (pnRegion){ .tests = pn_inGroup, .group = heldGroup };
		conditions[1].region = (pnRegion){ .tests = pn_inGroup, .group = endGroup };
		conditions[1].kind = pn_tractionCondition;
		conditions[1].vector = (pnVec3d){ ccx->traction[0], ccx->traction[1], ccx->traction[2] };
		pnKelvinDef def = pnDefaultKelvinDef();
		def.youngsModulus = ccx->youngsModulus;
		def.poissonRatio = ccx->poissonRatio;
		def.points = corners;
		def.pointCount = ccx->cornerCount;
		def.triangles = &ccx->triangles[0][0];
		def.triangleCount = ccx->triangleCount;
		def.groups = part->groups;
		def.conditions = conditions;
		def.conditionCount = 2;
		def.bodyForce = (pnVec3d){ ccx->bodyForce[0], ccx->bodyForce[1], ccx->bodyForce[2] };
		def.sourceCount = sourceCount;
		if ( sourceCount > 0 )
		{
			def.placement = pn_offsetSources;
			def.estimateError = 0;
		}
		pnResult result = pnCreateKelvin( &def, &kelvin, info );
		good = result >= pn_success;
		if ( good == false )
		{
			TellFailure( ccx->name, result );
		}
	}
	good = good && MeanOfEnd( kelvin, part, tip );
	pnDestroyKelvin( kelvin );
	free( corners );
	*seconds = pnGetSeconds() - start;
	return good;
}

static bool IsNear( const Part* part, double tip )
{
	return fabs( tip / part->truth - 1.0 ) <= TIP_ERROR;
}

static void AddRow( pnReport* report, const Part* part, const char* what, double value, const char* unit, pnBar bar )
{
	char name[64];
	snprintf( name, sizeof( name ), "kelvin.%s.%s", part->ccx.name, what );
	pnReport_Add( report, name, value, unit, bar );
}

static void AddWords( pnReport* report, const Part* part, const char* what, const char* words )
{
	char name[64];
	snprintf( name, sizeof( name ), "kelvin.%s.%s", part->ccx.name, what );
	pnReport_AddText( report, name, words );
}

// How long each takes to come within TIP_ERROR of the truth, in the same run, on one thread.
static bool CompareWithCcx( const Part* part, bool isQuick, int sampleCount, pnProgress* progress, pnReport* report )
{
	pnProgress_Show( progress, part->ccx.name );
	const char* missing = pnFindCcx();
	double size = 0.0, ours[SAMPLES], theirs[SAMPLES], tip = 0.0;
	pnCcxRun run = { 0 };
	bool good = true;
	// The coarsest mesh that is good enough, and the fewest sources; trying costs nothing on either side.
	for ( int i = 0; i < part->sizeCount && missing == NULL && size == 0.0 && good; ++i )
	{
		good = pnRunCcx( &part->ccx, part->sizes[i], &run );
		size = good && IsNear( part, run.tip[part->axis] ) ? part->sizes[i] : 0.0;
		theirs[0] = run.meshSeconds + run.solveSeconds;
	}
	pnKelvinInfo info = { 0 };
	double usual[SAMPLES], usualTip = 0.0;
	int sourceCount = 0;
	for ( int count = part->firstCount; count <= part->mostCount && sourceCount == 0 && good; count += isQuick ? count / 2 : part->firstCount )
	{
		good = SolvePart( part, count, &tip, ours, &info );
		sourceCount = good && IsNear( part, tip ) ? count : 0;
	}
	sourceCount = sourceCount > 0 ? sourceCount : part->mostCount;
	// Quick: the tries that were good enough are the samples, and there are no default settings, which go on until their own estimate is good.
	sampleCount = isQuick ? 1 : sampleCount;
	for ( int i = 0; i < sampleCount && good && isQuick == false; ++i )
	{
		good = SolvePart( part, 0, &usualTip, usual + i, &info ) && SolvePart( part, sourceCount, &tip, ours + i, &info );
		if ( good && size > 0.0 )
		{
			good = pnRunCcx( &part->ccx, size, &run );
			theirs[i] = run.meshSeconds + run.solveSeconds;
		}
		pnProgress_Advance( progress );
	}
	if ( isQuick )
	{
		pnProgress_Advance( progress );
	}
	if ( good == false )
	{
		AddWords( report, part, "vs_ccx", "not measured: something failed" );
		return false;
	}
	double oursSeconds = pnMedian( ours, sampleCount );
	if ( isQuick == false )
	{
		AddRow( report, part, "usual.s", pnMedian( usual, sampleCount ), "s", noBar );
		AddRow( report, part, "usual.error", 100.0 * ( usualTip / part->truth - 1.0 ), "%", noBar );
	}
	AddRow( report, part, "s", oursSeconds, "s", noBar );
	AddRow( report, part, "error", 100.0 * ( tip / part->truth - 1.0 ), "%", noBar );
	AddRow( report, part, "sources", info.sourceCount, "", noBar );
	if ( missing != NULL || size == 0.0 )
	{
		AddWords( report, part, "vs_ccx", missing != NULL ? missing : "not measured: no mesh of finite elements came near enough" );
		return true;
	}
	double theirSeconds = pnMedian( theirs, sampleCount );
	AddRow( report, part, "ccx.s", theirSeconds, "s", noBar );
	AddRow( report, part, "ccx.error", 100.0 * ( run.tip[part->axis] / part->truth - 1.0 ), "%", noBar );
	AddRow( report, part, "ccx.size", size, "m", noBar );
	AddRow( report, part, "ccx.nodes", run.nodeCount, "", noBar );
	if ( IsNear( part, tip ) )
	{
		AddRow( report, part, "vs_ccx", theirSeconds / oursSeconds, "times", (pnBar){ pn_atLeast, 1.0 } );
	}
	else
	{
		AddWords( report, part, "vs_ccx", "no ratio: our own answer is not near enough" );
	}
	return true;
}

// A surface of the simplest kind of .obj file, as tools/fetch_bunny.sh brings one. NULL: it is not there.
static double ( *ReadSurface( const char* path, double scale, int* cornerCount, int ( **triangles )[3], int* triangleCount ) )[3]
{
	FILE* file = fopen( path, "r" );
	double( *corners )[3] = NULL;
	char line[256];
	*triangles = NULL;
	for ( int pass = 0; pass < 2 && file != NULL; ++pass )
	{
		*cornerCount = *triangleCount = 0;
		rewind( file );
		while ( fgets( line, sizeof( line ), file ) != NULL )
		{
			double x[3];
			int t[3];
			if ( sscanf( line, "v %lf %lf %lf", x, x + 1, x + 2 ) == 3 )
			{
				for ( int k = 0; k < 3 && corners != NULL; ++k )
				{
					corners[*cornerCount][k] = scale * x[k];
				}
				++*cornerCount;
			}
			else if ( sscanf( line, "f %d %d %d", t, t + 1, t + 2 ) == 3 )
			{
				for ( int k = 0; k < 3 && *triangles != NULL; ++k )
				{
					( *triangles )[*triangleCount][k] = t[k] - 1;
				}
				++*triangleCount;
			}
		}
		if ( pass == 0 )
		{
			corners = calloc( (size_t)*cornerCount + 1, sizeof( *corners ) );
			*triangles = calloc( (size_t)*triangleCount + 1, sizeof( **triangles ) );
		}
	}
	if ( file != NULL )
	{
		fclose( file );
	}
	return corners;
}

static bool CompareParts( bool isQuick, int sampleCount, pnProgress* progress, pnReport* report )
{
	static const double barCorners[8][3] = { { -0.5, -0.5, 0 }, { 0.5, -0.5, 0 }, { -0.5, 0.5, 0 }, { 0.5, 0.5, 0 }, { -0.5, -0.5, BAR_LENGTH }, { 0.5, -0.5, BAR_LENGTH }, { -0.5, 0.5, BAR_LENGTH }, { 0.5, 0.5, BAR_LENGTH } };
	static const int barTriangles[12][3] = { { 0, 2, 1 }, { 1, 2, 3 }, { 4, 5, 6 }, { 5, 7, 6 }, { 0, 1, 4 }, { 1, 5, 4 }, { 2, 6, 3 }, { 3, 6, 7 }, { 0, 4, 2 }, { 2, 4, 6 }, { 1, 3, 5 }, { 3, 7, 5 } };
	static const double barSizes[] = { 1.0, 0.7, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25, 0.2 };
	// An L of [0, 3] x [0, 1] x [0, 1] and [0, 1] x [0, 1] x [0, 3]: corners at y = 0, then at y = 1.
	static const double bracketCorners[12][3] = { { 0, 0, 0 }, { 3, 0, 0 }, { 3, 0, 1 }, { 1, 0, 1 }, { 1, 0, 3 }, { 0, 0, 3 }, { 0, 1, 0 }, { 3, 1, 0 }, { 3, 1, 1 }, { 1, 1, 1 }, { 1, 1, 3 }, { 0, 1, 3 } };
	static const int bracketTriangles[20][3] = { { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 5 }, { 3, 4, 5 }, { 6, 9, 7 }, { 7, 9, 8 }, { 6, 11, 9 }, { 9, 11, 10 }, { 0, 6, 7 }, { 0, 7, 1 },
												 { 1, 7, 8 }, { 1, 8, 2 }, { 2, 8, 9 }, { 2, 9, 3 }, { 3, 9, 10 }, { 3, 10, 4 }, { 4, 10, 11 }, { 4, 11, 5 }, { 5, 11, 6 }, { 5, 6, 0 } };
	static const double bracketSizes[] = { 1.0, 0.7, 0.5, 0.4, 0.3, 0.25, 0.2, 0.15 };
	static const double bunnySizes[] = { 0.1, 0.004 };
	double bunnyTruth = BUNNY_TRUTH;
	Part parts[3] = {
		{
			.ccx = { .name = "bar", .shape = "Box(1) = { -0.5, -0.5, 0, 1, 1, 4 };", .corners = barCorners, .triangles = barTriangles, .cornerCount = 8, .triangleCount = 12, .heldAxis = 2, .endAxis = 2, .endAt = BAR_LENGTH,
					 .heldSide = -1.0, .endSide = 1.0, .youngsModulus = YOUNGS_MODULUS, .poissonRatio = POISSON_RATIO, .traction = { TIP_TRACTION, 0.0, 0.0 } },
			.sizes = barSizes, .sizeCount = (int)( sizeof( barSizes ) / sizeof( barSizes[0] ) ), .axis = 0, .truth = TIP_TRUTH, .firstCount = 24, .mostCount = 192,
		},
		{
			.ccx = { .name = "bracket", .shape = "Box(1) = { 0, 0, 0, 3, 1, 1 };\nBox(2) = { 0, 0, 0, 1, 1, 3 };\nBooleanUnion(3) = { Volume{1}; Delete; }{ Volume{2}; Delete; };", .corners = bracketCorners, .triangles = bracketTriangles,
					 .cornerCount = 12, .triangleCount = 20, .heldAxis = 2, .heldAt = 3.0, .heldSide = 1.0, .endAxis = 0, .endAt = 3.0, .endSide = 1.0, .youngsModulus = 1000.0, .poissonRatio = 0.3, .traction = { 0.0, 0.0, -1.0 } },
			.sizes = bracketSizes, .sizeCount = (int)( sizeof( bracketSizes ) / sizeof( bracketSizes[0] ) ), .axis = 2, .truth = BRACKET_TRUTH, .firstCount = 50, .mostCount = 600,
		},
		{
			.ccx = { .name = "bunny", .heldAxis = 1, .heldAt = 0.004, .heldSide = -1.0, .endAxis = 1, .endAt = 0.09, .endSide = 1.0, .youngsModulus = 1e5, .poissonRatio = 0.4, .bodyForce = { 1e4, 0.0, 0.0 } },
			.sizes = bunnySizes, .sizeCount = (int)( sizeof( bunnySizes ) / sizeof( bunnySizes[0] ) ), .axis = 0, .truth = bunnyTruth, .firstCount = 100, .mostCount = 1000,
		},
	};
	int( *bunnyTriangles )[3];
	double( *bunnyCorners )[3] = ReadSurface( PLIANT_BUNNY, 0.01, &parts[2].ccx.cornerCount, &bunnyTriangles, &parts[2].ccx.triangleCount );
	parts[2].ccx.corners = (const double( * )[3])bunnyCorners;
	parts[2].ccx.triangles = (const int( * )[3])bunnyTriangles;
	bool good = true;
	for ( int i = 0; i < 3; ++i )
	{
		if ( parts[i].ccx.corners == NULL )
		{
			AddWords( report, parts + i, "vs_ccx", "not measured: tools/fetch_bunny.sh brings the bunny" );
			continue;
		}
		good = GroupPart( parts + i ) && CompareWithCcx( parts + i, isQuick, sampleCount, progress, report ) && good;
		ShowRows( progress, report );
		free( parts[i].groups );
	}
	free( bunnyCorners );
	free( bunnyTriangles );
	return good;
}

bool pnRunKelvinBench( const pnKelvinBenchOptions* options, pnReport* report )
{
	int sampleCount = options->quick ? QUICK_SAMPLES : SAMPLES;
	// One thread everywhere: here, in the solver (its tasks are all zero) and in CalculiX.
	openblas_set_num_threads( 1 );
	pnProgress progress = pnStartProgress( 2 + fieldKinds + sampleCount + ( options->noPeers ? 0 : options->quick ? 3 : 3 * sampleCount ) );
	bool good = MeasureResponses( options->quick, &progress, report );
	ShowRows( &progress, report );
	good = MeasureFactor( sampleCount, &progress, report ) && good;
	ShowRows( &progress, report );
	good = MeasureFields( options->csv, &progress, report ) && good;
	ShowRows( &progress, report );
	if ( options->noPeers == false )
	{
		good = CompareParts( options->quick, sampleCount, &progress, report ) && good;
	}
	pnProgress_Finish( &progress );
	return good;
}
