// rotate.c - the displacements of an answer with its rotations taken as finite ones. Knows the public calls, no matrices of the solver.
//
// Linear elasticity moves a place that turns along its tangent: what turns by an angle grows by one over its cosine. The strain and the angle are right where
// strains are small. So at each vertex the gradient G of the displacement is split into strain E and rotation vector w (half the curl), and the
// gradient of the position is made anew, F = exp( w ) ( 1 + E ) (modal warping: Choi and Ko 2005; Huang and others 2011). What is added to the linear
// displacements are those whose differences along the edges are ( F - 1 - G ) times those at rest, by least squares: it is of second order in the
// displacement, so small answers are kept as they are, on any mesh. Held vertices stay where they are held.
#include "state.h"

#include "../base/cloud.h"
#include "../base/core.h"

enum { PN_MOST_ROTATE_STEPS = 20000 }; // of conjugate gradients; a chain of vertices needs about as many as it is long
static const double pn_rotateStep = 1e-4; // of the solid's size, of the differences that make gradients
static const double pn_rotateTie = 1e-9; // to what the linear answer has, beside an edge: decides only what nothing else does
static const double pn_rotateRest = 1e-10; // of the first residual: then it is solved

typedef struct pnTurning
{
	const pnVec3d* points;
	int count;
	const int32_t* triangles;
	int triangleCount;
	double ( *gradients )[9]; // F - 1 - G of each vertex, by rows
	double* ties; // of each vertex along x, y, z: 1 held, else pn_rotateTie; [axis * count + vertex]
} pnTurning;

// exp of a rotation vector times ( 1 + strain ), less 1 and the gradient.
static void pnMakeGradient( const double g[3][3], double f[9] )
{
	double w[3] = { 0.5 * ( g[2][1] - g[1][2] ), 0.5 * ( g[0][2] - g[2][0] ), 0.5 * ( g[1][0] - g[0][1] ) };
	double angle2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2], angle = sqrt( angle2 );
	double a = angle > 1e-6 ? sin( angle ) / angle : 1.0 - angle2 / 6.0, half = angle > 1e-6 ? sin( 0.5 * angle ) / ( 0.5 * angle ) : 1.0, b = 0.5 * half * half;
	double k[3][3] = { { 0.0, -w[2], w[1] }, { w[2], 0.0, -w[0] }, { -w[1], w[0], 0.0 } }, turn[3][3];
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			double square = k[i][0] * k[0][j] + k[i][1] * k[1][j] + k[i][2] * k[2][j];
			turn[i][j] = ( i == j ? 1.0 : 0.0 ) + a * k[i][j] + b * square;
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		for ( int j = 0; j < 3; ++j )
		{
			f[3 * i + j] = ( i == j ? -1.0 : 0.0 ) - g[i][j];
			for ( int l = 0; l < 3; ++l )
			{
				f[3 * i + j] += turn[i][l] * ( ( l == j ? 1.0 : 0.0 ) + 0.5 * ( g[l][j] + g[j][l] ) );
			}
		}
	}
}

static pnResult pnFindGradients( const pnKelvin* kelvin, pnTurning* turning )
{
	double step = pn_rotateStep * kelvin->units.size;
	pnScratch scratch = { 0 };
	size_t count = (size_t)turning->count;
	pnVec3d* places = pnTakeArray( &scratch, pnVec3d, 6 * count );
	pnVec3d* moves = pnTakeArray( &scratch, pnVec3d, 6 * count );
	pnResult result = scratch.failed ? pn_outOfMemory : pn_success;
	for ( size_t i = 0; i < 6 * count && result == pn_success; ++i )
	{
		double way = i % 2 == 0 ? step : -step;
		size_t axis = i / 2 % 3;
		places[i] = pnAddD( turning->points[i / 6], pnMakeD( axis == 0 ? way : 0.0, axis == 1 ? way : 0.0, axis == 2 ? way : 0.0 ) );
	}
	if ( result == pn_success )
	{
		pnKelvin_Evaluate( kelvin, places, (int)( 6 * count ), moves, NULL );
	}
	for ( size_t v = 0; v < count && result == pn_success; ++v )
	{
		double g[3][3];
		for ( int axis = 0; axis < 3; ++axis )
		{
			pnVec3d d = pnScaleD( 0.5 / step, pnSubD( moves[6 * v + 2 * (size_t)axis], moves[6 * v + 2 * (size_t)axis + 1] ) );
			g[0][axis] = d.x;
			g[1][axis] = d.y;
			g[2][axis] = d.z;
		}
		pnMakeGradient( g, turning->gradients[v] );
	}
	pnGiveBack( &scratch );
	return result;
}

// A vertex is held along the axes of the collocation point next to it, if it is about as near as the next one.
static pnResult pnFindTies( const pnKelvin* kelvin, pnTurning* turning )
{
	pnScratch scratch = { 0 };
	pnVec3* places = pnTakeRawArray( &scratch, pnVec3, kelvin->pointCount + 1 );
	pnPointTree tree;
	const pnUnits* units = &kelvin->units;
	for ( int q = 0; q < kelvin->pointCount && places != NULL; ++q )
	{
		pnVec3d x = pnScaleD( 1.0 / units->size, pnSubD( kelvin->points[q].point, units->center ) );
		places[q] = pnMakeVec3( (float)x.x, (float)x.y, (float)x.z );
	}
	bool done = places != NULL && pnBuildPointTree( &tree, places, NULL, kelvin->pointCount, &scratch );
	for ( int v = 0; v < turning->count && done; ++v )
	{
		enum { PN_NEAR = 12 };
		pnVec3d x = pnScaleD( 1.0 / units->size, pnSubD( turning->points[v], units->center ) );
		int32_t near[PN_NEAR];
		double distances2[PN_NEAR];
		int nearCount = pnFindNearest( &tree, pnMakeVec3( (float)x.x, (float)x.y, (float)x.z ), PN_NEAR, near, distances2 );
		uint32_t held = 0;
		for ( int k = 0; k < nearCount; ++k )
		{
			// In the plane of a held place, and on its piece or beside it: the rim of a clamp is held.
			const pnKelvinPoint* point = kelvin->points + near[k];
			pnVec3d d = pnSubD( turning->points[v], point->point );
			bool here = fabs( pnDotD( d, point->normal ) ) < 1e-6 * units->size && pnDotD( d, d ) < 6.0 * point->area;
			held |= here && point->heldAxes < 8 ? point->heldAxes : 0;
		}
		for ( int axis = 0; axis < 3; ++axis )
		{
			turning->ties[axis * turning->count + v] = held >> axis & 1 ? 1.0 : 0.0;
		}
	}
	pnGiveBack( &scratch );
	return done ? pn_success : pn_outOfMemory;
}

// Laplacian of the edges (each counted once for every triangle it has) and the ties, on one component.
static void pnMultiplyTurning( const pnTurning* turning, const double* ties, const double* x, double* y )
{
	for ( int v = 0; v < turning->count; ++v )
	{
		y[v] = ties[v] * x[v];
	}
	for ( int i = 0; i < 3 * turning->triangleCount; ++i )
	{
		int a = turning->triangles[i], b = turning->triangles[i % 3 == 2 ? i - 2 : i + 1];
		double d = x[a] - x[b];
		y[a] += d;
		y[b] -= d;
	}
}

static double pnGetDot( const double* a, const double* b, int count )
{
	double sum = 0.0;
	for ( int i = 0; i < count; ++i )
	{
		sum += a[i] * b[i];
	}
	return sum;
}

// One component of what is added. Held vertices weigh so much that they stay.
static void pnSolveTurning( const pnTurning* turning, int axis, double* work, double* x )
{
	int n = turning->count;
	double *rest = work, *way = work + n, *image = work + 2 * n, *side = work + 3 * n, *scale = work + 4 * n, *ties = work + 5 * n;
	for ( int v = 0; v < n; ++v )
	{
		scale[v] = 0.0;
		side[v] = 0.0;
	}
	for ( int i = 0; i < 3 * turning->triangleCount; ++i )
	{
		int a = turning->triangles[i], b = turning->triangles[i % 3 == 2 ? i - 2 : i + 1];
		pnVec3d d = pnSubD( turning->points[a], turning->points[b] );
		const double *f = turning->gradients[a] + 3 * axis, *g = turning->gradients[b] + 3 * axis;
		double wanted = 0.5 * ( ( f[0] + g[0] ) * d.x + ( f[1] + g[1] ) * d.y + ( f[2] + g[2] ) * d.z );
		side[a] += wanted;
		side[b] -= wanted;
		scale[a] += 1.0;
		scale[b] += 1.0;
	}
	for ( int v = 0; v < n; ++v )
	{
		bool held = turning->ties[axis * n + v] > 0.0;
		ties[v] = held ? 1e6 : pn_rotateTie;
		x[v] = 0.0;
		scale[v] = 1.0 / ( scale[v] + ties[v] );
	}
	double before = 0.0, now = 0.0;
	for ( int v = 0; v < n; ++v )
	{
		rest[v] = side[v];
		way[v] = scale[v] * rest[v];
		now += rest[v] * way[v];
	}
	double first = now;
	for ( int step = 0; step < PN_MOST_ROTATE_STEPS && now > pn_rotateRest * pn_rotateRest * first; ++step )
	{
		pnMultiplyTurning( turning, ties, way, image );
		double length = now / pnGetDot( way, image, n );
		before = now;
		now = 0.0;
		for ( int v = 0; v < n; ++v )
		{
			x[v] += length * way[v];
			rest[v] -= length * image[v];
			now += rest[v] * scale[v] * rest[v];
		}
		for ( int v = 0; v < n; ++v )
		{
			way[v] = scale[v] * rest[v] + now / before * way[v];
		}
	}
}

pnResult pnKelvin_Rotate( const pnKelvin* kelvin, const pnVec3d* points, int pointCount, const int32_t* triangles, int triangleCount, pnVec3d* displacements )
{
	for ( int i = 0; i < 3 * triangleCount; ++i )
	{
		if ( triangles[i] < 0 || triangles[i] >= pointCount )
		{
			pnLog( "Triangle %d has corner %d, and there are %d points.", i / 3, (int)triangles[i], pointCount );
			return pn_invalidInput;
		}
	}
	pnScratch scratch = { 0 };
	pnTurning turning = { .points = points, .count = pointCount, .triangles = triangles, .triangleCount = triangleCount };
	turning.gradients = (double( * )[9])pnTakeRawArray( &scratch, double, 9 * (size_t)( pointCount + 1 ) );
	turning.ties = pnTakeArray( &scratch, double, 3 * (size_t)pointCount + 1 );
	double* work = pnTakeArray( &scratch, double, 7 * (size_t)pointCount + 1 );
	pnResult result = scratch.failed ? pn_outOfMemory : pnFindGradients( kelvin, &turning );
	result = result == pn_success ? pnFindTies( kelvin, &turning ) : result;
	if ( result == pn_success )
	{
		pnKelvin_Evaluate( kelvin, points, pointCount, displacements, NULL );
		double* x = work + 6 * (size_t)pointCount;
		for ( int axis = 0; axis < 3; ++axis )
		{
			pnSolveTurning( &turning, axis, work, x );
			for ( int v = 0; v < pointCount; ++v )
			{
				*( axis == 0 ? &displacements[v].x : axis == 1 ? &displacements[v].y : &displacements[v].z ) += x[v];
			}
		}
	}
	pnGiveBack( &scratch );
	return result;
}
