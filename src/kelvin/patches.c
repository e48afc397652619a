// patches.c - the surface in patches, and sums over it for pairs of sources. Knows rows, no solver.
//
// Rows are kept by an interpolative decomposition: fields of forces on a sphere around a patch stand for those of all sources outside it; of random
// sums of them an LU factorisation with row pivots picks the rows that tell the others (Dong and Martinsson 2021).
//
// A source's rows on a patch are the same whatever they are paired with: told from the largest patches it is far from, all of them around it, and point by point where
// it is near the smallest. So the energy is that of fields that are off by the error of what is told, and where sources nearly cancel each other it is off by
// the square of that: it stays positive. A pair is summed over the largest patches that one of the two is far from. The other, if it is near, was summed
// over their halves, and that in terms of the rows they keep. Were patches chosen that both are far from, the sums would be off by the error itself: with 1e-6 the matrix of
// 1,000 sources was not positive.
#include "patches.h"

#include "../base/scratch.h"
#include "blas.h"

#include <lapacke.h>

enum
{
	PN_LEAF_POINTS = 128, // collocation points of a patch that is not divided, at most
	PN_SPHERE_POINTS = 160, // forces on the sphere, three each
	PN_SPHERE_FORCES = 3 * PN_SPHERE_POINTS,
	PN_SUMMED = 6, // forces in a random sum
	PN_MOST_KEPT = 320, // rows of a patch
	PN_PAIR_PANEL = 192, // columns of one product
	PN_TURN_PANEL = 128, // columns that are turned at once
};
static const double pn_flat = 0.9; // of the normals on a patch: they differ by no more along any axis
static const double pn_farRadii = 2.5; // a source is far from a patch from here on, in its radii
static const double pn_farError = 1e-5; // of what is told from the rows kept, relative
static const double pn_leastFar = 0.2; // of the sources: fewer, and a patch keeps no rows

// ---- the tree ----

void pnDestroyPatches( pnPatches* patches )
{
	for ( int k = 0; k < patches->count; ++k )
	{
		pnPatch* patch = patches->patches + k;
		for ( int kind = 0; kind < 2; ++kind )
		{
			pnFreeArray( int32_t, patch->rows[kind], patch->count[kind] );
			pnFreeArray( double, patch->from[kind], (size_t)patch->inputCount[kind] * (size_t)patch->count[kind] );
		}
		pnFreeArray( double, patch->work, (size_t)patch->count[0] * (size_t)patch->count[1] );
		pnFreeArray( double, patch->spring, (size_t)patch->count[0] * (size_t)patch->count[0] );
		pnFreeArray( double, patch->hold, (size_t)patch->count[0] * (size_t)patch->count[0] );
	}
	pnFreeArray( pnPatch, patches->patches, patches->capacity );
	pnFreeArray( int32_t, patches->order, patches->orderCount );
	*patches = (pnPatches){ 0 };
}

static double pnGetAlong( pnVec3d v, int axis )
{
	return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

// The k-th along an axis in its place, smaller ones before it (Hoare). Equal places by their number, so that the order has no choice.
static void pnSelect( const pnCollocationPoint* points, int32_t* order, int count, int k, int axis )
{
	int low = 0, high = count - 1;
	while ( low < high )
	{
		int32_t pivot = order[( low + high ) / 2];
		double value = pnGetAlong( points[pivot].x, axis );
		int i = low, j = high;
		while ( i <= j )
		{
			for ( double x = pnGetAlong( points[order[i]].x, axis ); x < value || ( x == value && order[i] < pivot ); x = pnGetAlong( points[order[i]].x, axis ) )
			{
				++i;
			}
			for ( double x = pnGetAlong( points[order[j]].x, axis ); x > value || ( x == value && order[j] > pivot ); x = pnGetAlong( points[order[j]].x, axis ) )
			{
				--j;
			}
			if ( i <= j )
			{
				int32_t swapped = order[i];
				order[i++] = order[j];
				order[j--] = swapped;
			}
		}
		if ( k <= j )
		{
			high = j;
		}
		else if ( k >= i )
		{
			low = i;
		}
		else
		{
			return;
		}
	}
}

// Those whose normal has less along an axis come first; the order stays as it was otherwise. Returns where the others begin.
static int pnSplitByNormal( const pnCollocationPoint* points, int32_t* order, int32_t* room, int count, int axis, double value )
{
	int first = 0, second = 0;
	for ( int i = 0; i < count; ++i )
	{
		bool less = pnGetAlong( points[order[i]].n, axis ) < value;
		room[second] = order[i];
		order[first] = order[i];
		first += less;
		second += less == false;
	}
	memcpy( order + first, room, (size_t)second * sizeof( int32_t ) );
	return first;
}

// Whether sources enough are far from a patch.
static bool pnHasFarSources( const pnPatches* patches, const pnPatch* patch )
{
	const pnBasis* basis = &patches->rows->basis;
	double far = pn_farRadii * patch->radius;
	int count = 0;
	for ( int p = 0; p < basis->sourceCount; ++p )
	{
		pnVec3d d = pnSubD( pnMakeD( basis->x[p], basis->y[p], basis->z[p] ), patch->center );
		count += pnDotD( d, d ) >= far * far;
	}
	return count > pn_leastFar * basis->sourceCount;
}

// Halves what looks different ways between them, or is large, across its longest side; on a flat patch fields are told from fewer rows than around an edge.
// Returns the patch; -1: no memory.
static int pnDivideSurface( pnPatches* patches, int begin, int end, int above )
{
	const pnCollocationPoint* points = patches->rows->points.points;
	pnVec3d lower = points[patches->order[begin]].x, upper = lower, least = points[patches->order[begin]].n, most = least;
	for ( int i = begin; i < end; ++i )
	{
		pnVec3d x = points[patches->order[i]].x, n = points[patches->order[i]].n;
		lower = pnMakeD( fmin( lower.x, x.x ), fmin( lower.y, x.y ), fmin( lower.z, x.z ) );
		upper = pnMakeD( fmax( upper.x, x.x ), fmax( upper.y, x.y ), fmax( upper.z, x.z ) );
		least = pnMakeD( fmin( least.x, n.x ), fmin( least.y, n.y ), fmin( least.z, n.z ) );
		most = pnMakeD( fmax( most.x, n.x ), fmax( most.y, n.y ), fmax( most.z, n.z ) );
	}
	pnPatch patch = { .begin = begin, .end = end, .above = above, .halves = { -1, -1 }, .level = above >= 0 ? patches->patches[above].level + 1 : 0, .center = pnScaleD( 0.5, pnAddD( lower, upper ) ) };
	for ( int i = begin; i < end; ++i )
	{
		patch.radius = fmax( patch.radius, pnLengthD( pnSubD( points[patches->order[i]].x, patch.center ) ) );
	}
	patch.keeps = ( above >= 0 && patches->patches[above].keeps ) || pnHasFarSources( patches, &patch );
	patch.reach = pn_farRadii * patch.radius;
	for ( int other = above; other >= 0 && patches->patches[other].keeps; other = patches->patches[other].above )
	{
		patch.reach = fmin( patch.reach, pn_farRadii * patches->patches[other].radius - pnLengthD( pnSubD( patch.center, patches->patches[other].center ) ) );
	}
	int index = patches->count;
	if ( patches->count == patches->capacity && pnGrow( (void**)&patches->patches, &patches->capacity, patches->count, patches->count + 1, sizeof( pnPatch ) ) == false )
	{
		return -1;
	}
	patches->patches[patches->count++] = patch;
	patches->levelCount = patch.level >= patches->levelCount ? patch.level + 1 : patches->levelCount;
	if ( end - begin <= PN_LEAF_POINTS )
	{
		return index;
	}
	pnVec3d sides = pnSubD( upper, lower ), turns = pnSubD( most, least );
	int axis = sides.x >= sides.y && sides.x >= sides.z ? 0 : sides.y >= sides.z ? 1 : 2, turned = turns.x >= turns.y && turns.x >= turns.z ? 0 : turns.y >= turns.z ? 1 : 2;
	int middle = ( begin + end ) / 2;
	if ( pnGetAlong( turns, turned ) > pn_flat )
	{
		// Not in the middle: between opposite faces there are others, whose normals have nothing but rounding there.
		double value = 0.55 * pnGetAlong( least, turned ) + 0.45 * pnGetAlong( most, turned );
		middle = begin + pnSplitByNormal( points, patches->order + begin, patches->room, end - begin, turned, value );
	}
	else
	{
		pnSelect( points, patches->order + begin, end - begin, middle - begin, axis );
	}
	int first = pnDivideSurface( patches, begin, middle, index ), second = first >= 0 ? pnDivideSurface( patches, middle, end, index ) : -1;
	patches->patches[index].halves[0] = first;
	patches->patches[index].halves[1] = second;
	return second >= 0 ? index : -1;
}

// ---- rows that tell the others ----

// Forces on a unit sphere (spiral), and the random sums of their fields: which forces, and how much of each.
typedef struct pnSphere
{
	double x[PN_SPHERE_POINTS], y[PN_SPHERE_POINTS], z[PN_SPHERE_POINTS];
	int32_t forces[PN_MOST_KEPT][PN_SUMMED];
	double amounts[PN_MOST_KEPT][PN_SUMMED];
} pnSphere;

enum { PN_SPHERE_COLUMNS = PN_SPHERE_FORCES + PN_LINEAR_FIELDS };

static void pnFillSphere( pnSphere* sphere )
{
	for ( int i = 0; i < PN_SPHERE_POINTS; ++i )
	{
		double height = 1.0 - ( 2.0 * i + 1.0 ) / PN_SPHERE_POINTS, around = M_PI * ( 3.0 - sqrt( 5.0 ) ) * i, width = sqrt( 1.0 - height * height );
		sphere->x[i] = width * cos( around );
		sphere->y[i] = width * sin( around );
		sphere->z[i] = height;
	}
	uint64_t state = 0x9e3779b97f4a7c15u;
	for ( int i = 0; i < PN_MOST_KEPT * PN_SUMMED; ++i )
	{
		state = state * 6364136223846793005u + 1442695040888963407u;
		sphere->forces[i / PN_SUMMED][i % PN_SUMMED] = (int32_t)( ( state >> 33 ) % PN_SPHERE_FORCES );
		state = state * 6364136223846793005u + 1442695040888963407u;
		sphere->amounts[i / PN_SUMMED][i % PN_SUMMED] = (double)( state >> 11 ) * 0x1p-52 - 1.0;
	}
}

// One row of a collocation point along an axis of its bound, out of three along x, y, z.
static void pnTakeRow( const pnRows* rows, int q, int axis, const double* three, size_t stride, int count, double* to )
{
	if ( rows->bounds[q].framed == 0 )
	{
		memcpy( to, three + (size_t)axis * stride, (size_t)count * sizeof( double ) );
		return;
	}
	pnVec3d axes[3];
	pnGetAxes( rows->points.points + q, rows->bounds + q, axes );
	for ( int c = 0; c < count; ++c )
	{
		to[c] = axes[axis].x * three[c] + axes[axis].y * three[stride + (size_t)c] + axes[axis].z * three[2 * stride + (size_t)c];
	}
}

// Rows (3 * collocation point + axis) of displacement (kind 0) or traction (1) of some sources, one after the other, `stride` apart; three has room for three.
static void pnFillSome( const pnRows* rows, const pnBasis* basis, int kind, const int32_t* wanted, int begin, int end, double* three, double* to )
{
	int columns = pnGetColumnCount( basis );
	for ( int k = begin; k < end; ++k )
	{
		int q = wanted[k] / 3;
		if ( k == begin || q != wanted[k - 1] / 3 )
		{
			const pnCollocationPoint* point = rows->points.points + q;
			pnFillRows( basis, point->x, point->n, kind == 0 ? three : NULL, kind == 1 ? three : NULL );
		}
		pnTakeRow( rows, q, wanted[k] % 3, three, (size_t)columns, columns, to + (size_t)k * (size_t)columns );
	}
}

typedef struct pnKeeping
{
	pnPatches* patches;
	const pnSphere* sphere;
	bool* failed; // of each worker
	int level; // of the patches that are looked at
} pnKeeping;

// inputs: 3 * collocation point + axis, inputCount of them.
static bool pnKeepRows( const pnKeeping* keeping, pnPatch* patch, int kind, const int32_t* inputs )
{
	int inputCount = patch->inputCount[kind], most = inputCount < PN_MOST_KEPT ? inputCount : PN_MOST_KEPT;
	const pnRows* rows = keeping->patches->rows;
	double x[PN_SPHERE_POINTS], y[PN_SPHERE_POINTS], z[PN_SPHERE_POINTS], distance = patch->reach;
	for ( int i = 0; i < PN_SPHERE_POINTS; ++i )
	{
		x[i] = patch->center.x + distance * keeping->sphere->x[i];
		y[i] = patch->center.y + distance * keeping->sphere->y[i];
		z[i] = patch->center.z + distance * keeping->sphere->z[i];
	}
	pnBasis basis = { .x = x, .y = y, .z = z, .sourceCount = PN_SPHERE_POINTS, .poissonRatio = rows->basis.poissonRatio };
	pnScratch scratch = { 0 };
	double* three = pnTakeRawArray( &scratch, double, 3 * PN_SPHERE_COLUMNS );
	double* fields = pnTakeRawArray( &scratch, double, (size_t)inputCount * PN_SPHERE_COLUMNS );
	double* sums = pnTakeRawArray( &scratch, double, (size_t)inputCount * (size_t)most );
	lapack_int* swaps = pnTakeArray( &scratch, lapack_int, most );
	int32_t* places = pnTakeArray( &scratch, int32_t, inputCount ); // of the factorisation's rows among the inputs
	int32_t* rank = pnTakeArray( &scratch, int32_t, inputCount ); // of kept rows by their number
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return false;
	}
	pnFillSome( rows, &basis, kind, inputs, 0, inputCount, three, fields );
	for ( int k = 0; k < most; ++k )
	{
		for ( int i = 0; i < inputCount; ++i )
		{
			const double* row = fields + (size_t)i * PN_SPHERE_COLUMNS;
			double sum = 0.0;
			for ( int term = 0; term < PN_SUMMED; ++term )
			{
				sum += keeping->sphere->amounts[k][term] * row[keeping->sphere->forces[k][term]];
			}
			sums[(size_t)k * (size_t)inputCount + (size_t)i] = sum;
		}
	}
	LAPACKE_dgetrf_work( LAPACK_COL_MAJOR, inputCount, most, sums, inputCount, swaps );
	double largest = 0.0;
	int count = 0;
	for ( int k = 0; k < most; ++k )
	{
		double pivot = fabs( sums[(size_t)k * (size_t)( inputCount + 1 )] );
		largest = fmax( largest, pivot );
		count = pivot > pn_farError * largest ? k + 1 : count;
	}
	for ( int i = 0; i < inputCount; ++i )
	{
		places[i] = i;
	}
	for ( int k = 0; k < most; ++k )
	{
		int32_t other = places[swaps[k] - 1];
		places[swaps[k] - 1] = places[k];
		places[k] = other;
	}
	cblas_dtrsm( CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasUnit, inputCount - count, count, 1.0, sums, inputCount, sums + count, inputCount );
	patch->rows[kind] = pnAllocArray( int32_t, count );
	patch->from[kind] = pnAllocArray( double, (size_t)inputCount * (size_t)count );
	bool done = patch->rows[kind] != NULL && patch->from[kind] != NULL;
	if ( done )
	{
		// Kept rows in the order of the inputs: those of one collocation point lie together.
		for ( int i = 0; i < inputCount; ++i )
		{
			rank[i] = 0;
		}
		for ( int k = 0; k < count; ++k )
		{
			rank[places[k]] = 1;
		}
		for ( int i = 0, next = 0; i < inputCount; ++i )
		{
			if ( rank[i] == 1 )
			{
				patch->rows[kind][next] = inputs[i];
				patch->from[kind][(size_t)next * (size_t)inputCount + (size_t)i] = 1.0;
				rank[i] = next++;
			}
		}
		for ( int k = 0; k < count; ++k )
		{
			double* to = patch->from[kind] + (size_t)rank[places[k]] * (size_t)inputCount;
			for ( int i = count; i < inputCount; ++i )
			{
				to[places[i]] = sums[(size_t)k * (size_t)inputCount + (size_t)i];
			}
		}
	}
	patch->count[kind] = count;
	pnGiveBack( &scratch );
	return done;
}

// Weights of a row in the sums: of displacement against traction, of springs, of what is held.
static void pnGetWeights( const pnPatches* patches, int row, double weights[3] )
{
	int q = row / 3, axis = row % 3;
	double w = patches->rows->points.points[q].w;
	const pnBound* bound = patches->rows->bounds + q;
	bool held = bound->held >> axis & 1;
	weights[0] = held ? -w : w;
	weights[1] = held ? 0.0 : w * bound->spring[axis];
	weights[2] = held ? patches->holds[q] : 0.0;
}

// Sums over the rows of a patch that is not divided: from[0]' weights from[right], of the weights of one part.
static void pnSumRows( const pnPatches* patches, const pnPatch* patch, int part, const int32_t* inputs, double* room, double* to )
{
	int inputCount = patch->inputCount[0], right = part == 0 ? 1 : 0;
	for ( int i = 0; i < inputCount; ++i )
	{
		double weights[3];
		pnGetWeights( patches, inputs[i], weights );
		for ( int k = 0; k < patch->count[right]; ++k )
		{
			size_t at = (size_t)k * (size_t)inputCount + (size_t)i;
			room[at] = weights[part] * patch->from[right][at];
		}
	}
	cblas_dgemm( CblasColMajor, CblasTrans, CblasNoTrans, patch->count[0], patch->count[right], inputCount, 1.0, patch->from[0], inputCount, room, inputCount, 0.0, to, patch->count[0] );
}

static double* pnGetSums( const pnPatch* patch, int part )
{
	return part == 0 ? patch->work : part == 1 ? patch->spring : patch->hold;
}

// The same from the sums of its halves.
static void pnSumHalves( const pnPatches* patches, const pnPatch* patch, int part, double* room, double* to )
{
	int right = part == 0 ? 1 : 0, first[2] = { 0, 0 };
	double factor = 0.0;
	for ( int half = 0; half < 2; ++half )
	{
		const pnPatch* other = patches->patches + patch->halves[half];
		const double* sums = pnGetSums( other, part );
		if ( sums != NULL )
		{
			cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, other->count[0], patch->count[right], other->count[right], 1.0, sums, other->count[0], patch->from[right] + first[right], patch->inputCount[right], 0.0, room,
						 other->count[0] );
			cblas_dgemm( CblasColMajor, CblasTrans, CblasNoTrans, patch->count[0], patch->count[right], other->count[0], 1.0, patch->from[0] + first[0], patch->inputCount[0], room, other->count[0], factor, to, patch->count[0] );
			factor = 1.0;
		}
		first[0] += other->count[0];
		first[1] += other->count[1];
	}
}

static bool pnKeepPatch( const pnKeeping* keeping, pnPatch* patch )
{
	pnPatches* patches = keeping->patches;
	bool divided = patch->halves[0] >= 0, any[3] = { true, false, false };
	int most = 0;
	for ( int kind = 0; kind < 2; ++kind )
	{
		patch->inputCount[kind] = divided ? patches->patches[patch->halves[0]].count[kind] + patches->patches[patch->halves[1]].count[kind] : 3 * ( patch->end - patch->begin );
		most = patch->inputCount[kind] > most ? patch->inputCount[kind] : most;
	}
	pnScratch scratch = { 0 };
	int32_t* inputs = pnTakeArray( &scratch, int32_t, most );
	double* room = pnTakeRawArray( &scratch, double, (size_t)most * PN_MOST_KEPT );
	bool done = scratch.failed == false;
	for ( int kind = 0; kind < 2 && done; ++kind )
	{
		for ( int half = 0, next = 0; half < 2 && divided; ++half )
		{
			const pnPatch* other = patches->patches + patch->halves[half];
			memcpy( inputs + next, other->rows[kind], (size_t)other->count[kind] * sizeof( int32_t ) );
			next += other->count[kind];
			any[1] = any[1] || other->spring != NULL;
			any[2] = any[2] || other->hold != NULL;
		}
		for ( int i = 0; i < patch->inputCount[kind] && divided == false; ++i )
		{
			inputs[i] = 3 * patches->order[patch->begin + i / 3] + i % 3;
			double weights[3];
			pnGetWeights( patches, inputs[i], weights );
			any[1] = any[1] || weights[1] != 0.0;
			any[2] = any[2] || weights[2] != 0.0;
		}
		done = pnKeepRows( keeping, patch, kind, inputs );
	}
	double** parts[3] = { &patch->work, &patch->spring, &patch->hold };
	for ( int part = 0; part < 3 && done; ++part )
	{
		if ( any[part] == false )
		{
			continue;
		}
		*parts[part] = pnAllocArray( double, (size_t)patch->count[0] * (size_t)patch->count[part == 0 ? 1 : 0] );
		done = *parts[part] != NULL;
		if ( done && divided )
		{
			pnSumHalves( patches, patch, part, room, *parts[part] );
		}
		else if ( done )
		{
			pnSumRows( patches, patch, part, inputs, room, *parts[part] );
		}
	}
	pnGiveBack( &scratch );
	return done;
}

static void pnKeepSome( int begin, int end, int worker, void* context )
{
	const pnKeeping* keeping = context;
	for ( int i = begin; i < end; ++i )
	{
		pnPatch* patch = keeping->patches->patches + i;
		if ( patch->keeps && patch->level == keeping->level && pnKeepPatch( keeping, patch ) == false )
		{
			keeping->failed[worker] = true;
		}
	}
}

pnResult pnMakePatches( const pnRows* rows, const double* holds, pnPatches* patches )
{
	int pointCount = rows->points.count;
	*patches = (pnPatches){ .rows = rows, .holds = holds };
	patches->order = pnAllocArray( int32_t, pointCount );
	patches->orderCount = patches->order != NULL ? pointCount : 0;
	bool done = patches->order != NULL;
	for ( int q = 0; q < pointCount && done; ++q )
	{
		patches->order[q] = q;
	}
	pnScratch scratch = { 0 };
	patches->room = pnTakeRawArray( &scratch, int32_t, pointCount );
	done = done && scratch.failed == false && pnDivideSurface( patches, 0, pointCount, -1 ) >= 0;
	int workerCount = pnGetWorkerCount( rows->tasks );
	pnSphere* sphere = pnTakeArray( &scratch, pnSphere, 1 );
	bool* failed = pnTakeArray( &scratch, bool, workerCount );
	done = done && scratch.failed == false;
	if ( done )
	{
		pnFillSphere( sphere );
		pnKeeping keeping = { patches, sphere, failed, patches->levelCount };
		while ( keeping.level-- > 0 && done )
		{
			pnParallelBlas( rows->tasks, pnKeepSome, patches->count, 8, &keeping );
			for ( int i = 0; i < workerCount; ++i )
			{
				done = done && failed[i] == false;
			}
		}
	}
	pnGiveBack( &scratch );
	patches->room = NULL;
	if ( done == false )
	{
		pnDestroyPatches( patches );
		return pn_outOfMemory;
	}
	return pn_success;
}

// ---- pairs of sources ----

// How sources stand to a patch.
enum { PN_FAR, PN_NEAR, PN_WAYS };
// What is summed over a patch, in terms of the rows it keeps: displacement against traction, springs against displacement, what displacement works against, held axes.
enum { PN_TO_TRACTION, PN_TO_SPRING, PN_TO_DISPLACEMENT, PN_TO_HOLD, PN_SUMS };

// Some sources, and their rows on a patch: row r of column c is [r * columns + c], columns = 3 count, then the other fields.
typedef struct pnGroup
{
	int32_t* places; // in the list of its side
	int32_t* above; // among those near the patch above
	double *x, *y, *z;
	int count, columns;
	int wanted; // of the columns: 3 count, and the others where they are
	double* u; // far: the rows kept; near what is not divided: all rows, mended
	double* t; // far: the rows kept
	double* r; // near: what the displacement works against, at all rows
	double* held; // near: displacement, not mended
	double* weighted; // near: the same with its weights on held axes
	double* to[PN_SUMS];
} pnGroup;

// The sources of one side at one level, those near the patch above.
typedef struct pnStand
{
	uint8_t* ways;
	int32_t* places;
	int32_t* above;
	double* coordinates;
	double* room; // of the groups' rows
	size_t roomSize;
	pnGroup groups[PN_WAYS];
} pnStand;

typedef struct pnSide
{
	const int32_t* list;
	int count;
	int others; // columns that are no sources
	int32_t* local; // of a source: its place among those near a patch that is not divided; -1
	pnStand* stands; // of each level
} pnSide;

typedef struct pnProductOf
{
	const double* left[2];
	const double* right[2];
	int inner[2];
	const pnGroup* rows;
	const pnGroup* columns;
	double* to;
} pnProductOf;

typedef struct pnPairing
{
	const pnPatches* patches;
	const pnPairs* pairs;
	pnTasks* tasks;
	const int32_t* position; // of collocation points in the patches' order
	const pnPatch* patch;
	pnGroup* group; // that is worked at
	pnGroup* whole; // those near the patch above
	const pnSide* side;
	pnSide* sides[2]; // may be the same
	pnProductOf products[8];
	int productCount;
	double* rooms; // of each worker
	size_t roomSize;
	bool givenUp;
} pnPairing;

static pnBasis pnGetGroupBasis( const pnPairing* pairing, const pnGroup* group )
{
	pnBasis basis = pairing->patches->rows->basis;
	bool others = group->wanted > 3 * group->count;
	return (pnBasis){
		.x = group->x,
		.y = group->y,
		.z = group->z,
		.sourceCount = group->count,
		.hollows = basis.hollows,
		.hollowCount = others ? basis.hollowCount : 0,
		.curved = others && basis.curved,
		.poissonRatio = basis.poissonRatio,
	};
}

static int pnCountTurns( int columns )
{
	return ( columns + PN_TURN_PANEL - 1 ) / PN_TURN_PANEL;
}

static bool pnKeepsAbove( const pnPairing* pairing )
{
	return pairing->patch->above >= 0 && pairing->patches->patches[pairing->patch->above].keeps;
}

// Kept rows of far sources: displacement first, then traction.
static void pnFillFar( int begin, int end, int worker, void* context )
{
	const pnPairing* pairing = context;
	const pnPatch* patch = pairing->patch;
	const pnGroup* group = pairing->group;
	double* three = pairing->rooms + (size_t)worker * pairing->roomSize;
	pnBasis basis = pnGetGroupBasis( pairing, group );
	int split = patch->count[0];
	if ( begin < split )
	{
		pnFillSome( pairing->patches->rows, &basis, 0, patch->rows[0], begin, end < split ? end : split, three, group->u );
	}
	if ( end > split )
	{
		pnFillSome( pairing->patches->rows, &basis, 1, patch->rows[1], begin > split ? begin - split : 0, end - split, three, group->t );
	}
}

// Sums of far sources, in panels of columns: each is one call whoever makes it.
static void pnTurnFar( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnPairing* pairing = context;
	const pnPatch* patch = pairing->patch;
	const pnGroup* group = pairing->group;
	int u = patch->count[0], t = patch->count[1], columns = group->columns;
	for ( int panel = begin; panel < end; ++panel )
	{
		int first = panel * PN_TURN_PANEL, some = columns - first < PN_TURN_PANEL ? columns - first : PN_TURN_PANEL;
		cblas_dgemm( CblasColMajor, CblasNoTrans, CblasTrans, some, u, t, 1.0, group->t + first, columns, patch->work, u, 0.0, group->to[PN_TO_DISPLACEMENT] + first, columns );
		if ( patch->spring != NULL )
		{
			double* spring = group->to[PN_TO_SPRING] + first;
			cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, some, u, u, 1.0, group->u + first, columns, patch->spring, u, 0.0, spring, columns );
			for ( size_t k = 0; k < (size_t)u; ++k )
			{
				cblas_daxpy( some, 1.0, spring + k * (size_t)columns, 1, group->to[PN_TO_DISPLACEMENT] + first + k * (size_t)columns, 1 );
			}
		}
		if ( patch->hold != NULL )
		{
			cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, some, u, u, 1.0, group->u + first, columns, patch->hold, u, 0.0, group->to[PN_TO_HOLD] + first, columns );
		}
		if ( pnKeepsAbove( pairing ) )
		{
			cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, some, t, u, 1.0, group->u + first, columns, patch->work, u, 0.0, group->to[PN_TO_TRACTION] + first, columns );
		}
	}
}

// All rows of near sources, with their mends.
static void pnFillNear( int begin, int end, int worker, void* context )
{
	const pnPairing* pairing = context;
	const pnSide* side = pairing->side;
	const pnGroup* group = pairing->group;
	const pnRows* rows = pairing->patches->rows;
	const pnMends* mends = &rows->mends;
	pnBasis basis = pnGetGroupBasis( pairing, group );
	size_t columns = (size_t)group->columns;
	double *u = pairing->rooms + (size_t)worker * pairing->roomSize, *t = u + 3 * columns;
	for ( int i = begin; i < end; ++i )
	{
		int q = pairing->patches->order[pairing->patch->begin + i];
		const pnCollocationPoint* point = rows->points.points + q;
		pnFillRows( &basis, point->x, point->n, u, t );
		for ( int axis = 0; axis < 3 && group->held != NULL; ++axis )
		{
			size_t row = (size_t)( 3 * i + axis ) * columns;
			double weights[3];
			pnGetWeights( pairing->patches, 3 * q + axis, weights );
			pnTakeRow( rows, q, axis, u, columns, group->columns, group->held + row );
			for ( size_t c = 0; c < columns; ++c )
			{
				group->weighted[row + c] = weights[2] * group->held[row + c];
			}
		}
		for ( int e = mends->starts != NULL ? mends->starts[q] : 0; e < ( mends->starts != NULL ? mends->starts[q + 1] : 0 ); ++e )
		{
			int p = mends->entries[e] / PN_MENDED_POINTS, k = mends->entries[e] % PN_MENDED_POINTS;
			int hollow = p - rows->basis.sourceCount, place = hollow < 0 ? side->local[p] : group->wanted > 3 * group->count ? 3 * group->count + PN_LINEAR_FIELDS + hollow : -1;
			for ( int load = 0; load < ( hollow < 0 ? 3 : 1 ) && place >= 0; ++load )
			{
				size_t slot = ( (size_t)( p * 3 + load ) * PN_MENDED_POINTS + (size_t)k ) * 3;
				for ( int axis = 0; axis < 3; ++axis )
				{
					size_t to = (size_t)axis * columns + (size_t)( load * group->count + place );
					u[to] += mends->u[slot + (size_t)axis];
					t[to] += mends->t[slot + (size_t)axis];
				}
			}
		}
		if ( basis.curved && mends->starts != NULL )
		{
			pnAddCurvedMends( rows, q, group->columns, u, t );
		}
		for ( int axis = 0; axis < 3; ++axis )
		{
			size_t row = (size_t)( 3 * i + axis ) * columns;
			double weights[3];
			pnGetWeights( pairing->patches, 3 * q + axis, weights );
			pnTakeRow( rows, q, axis, u, columns, group->columns, group->u + row );
			pnTakeRow( rows, q, axis, t, columns, group->columns, group->r + row );
			for ( size_t c = 0; c < columns; ++c )
			{
				group->r[row + c] = weights[0] * group->r[row + c] + weights[1] * group->u[row + c];
			}
		}
	}
}

// Sums of near sources over all rows, likewise.
static void pnTurnNear( int begin, int end, int worker, void* context )
{
	const pnPairing* pairing = context;
	const pnPatch* patch = pairing->patch;
	const pnGroup* group = pairing->group;
	double* room = pairing->rooms + (size_t)worker * pairing->roomSize;
	int columns = group->columns, inputs = patch->inputCount[0], u = patch->count[0];
	for ( int panel = begin; panel < end; ++panel )
	{
		int from = panel * PN_TURN_PANEL, some = columns - from < PN_TURN_PANEL ? columns - from : PN_TURN_PANEL;
		cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, some, u, inputs, 1.0, group->r + from, columns, patch->from[0], inputs, 0.0, group->to[PN_TO_DISPLACEMENT] + from, columns );
		if ( patch->hold != NULL )
		{
			cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, some, u, inputs, 1.0, group->weighted + from, columns, patch->from[0], inputs, 0.0, group->to[PN_TO_HOLD] + from, columns );
		}
		for ( int part = 0; part < ( patch->spring != NULL ? 2 : 1 ); ++part )
		{
			int right = part == 0 ? 1 : 0;
			for ( int i = 0; i < inputs; ++i )
			{
				double weights[3];
				pnGetWeights( pairing->patches, 3 * pairing->patches->order[patch->begin + i / 3] + i % 3, weights );
				for ( int c = 0; c < some; ++c )
				{
					room[i * some + c] = weights[part] * group->u[(size_t)i * (size_t)columns + (size_t)( from + c )];
				}
			}
			cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, some, patch->count[right], inputs, 1.0, room, some, patch->from[right], inputs, 0.0,
						 group->to[part == 0 ? PN_TO_TRACTION : PN_TO_SPRING] + from, columns );
		}
	}
}

// Sums over a half become part of those over the patch above, likewise.
static void pnPassUp( int begin, int end, int worker, void* context )
{
	const pnPairing* pairing = context;
	const pnPatch *patch = pairing->patch, *above = pairing->patches->patches + patch->above, *first = pairing->patches->patches + above->halves[0];
	const pnGroup *group = pairing->group, *whole = pairing->whole;
	double* room = pairing->rooms + (size_t)worker * pairing->roomSize;
	for ( int panel = begin; panel < end; ++panel )
	{
		int from = panel * PN_TURN_PANEL, some = group->wanted - from < PN_TURN_PANEL ? group->wanted - from : PN_TURN_PANEL, sources = 3 * group->count;
		int32_t places[PN_TURN_PANEL];
		for ( int c = 0; c < some; ++c )
		{
			int column = from + c;
			places[c] = column < sources ? column / group->count * whole->count + group->above[column % group->count] : 3 * whole->count + column - sources;
		}
		for ( int sum = 0; sum < PN_SUMS; ++sum )
		{
			if ( ( sum == PN_TO_SPRING && patch->spring == NULL ) || ( sum == PN_TO_HOLD && patch->hold == NULL ) )
			{
				continue;
			}
			int kind = sum == PN_TO_TRACTION ? 1 : 0, inner = patch->count[kind], wide = above->count[kind], offset = patch == first ? 0 : first->count[kind];
			cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, some, wide, inner, 1.0, group->to[sum] + from, group->columns, above->from[kind] + offset, above->inputCount[kind], 0.0, room, some );
			for ( int k = 0; k < wide; ++k )
			{
				double* to = whole->to[sum] + (size_t)k * (size_t)whole->columns;
				for ( int c = 0; c < some; ++c )
				{
					to[places[c]] += room[k * some + c];
				}
			}
		}
	}
}

static int pnCountPanels( const pnProductOf* product )
{
	return ( product->columns->wanted + PN_PAIR_PANEL - 1 ) / PN_PAIR_PANEL;
}

// Products in panels of columns; each is added to where its sources are.
static void pnMultiplySome( int begin, int end, int worker, void* context )
{
	const pnPairing* pairing = context;
	const pnPairs* pairs = pairing->pairs;
	double* room = pairing->rooms + (size_t)worker * pairing->roomSize;
	for ( int k = 0, first = 0; k < pairing->productCount; first += pnCountPanels( pairing->products + k++ ) )
	{
		const pnProductOf* product = pairing->products + k;
		const pnGroup *rows = product->rows, *columns = product->columns;
		int rowCount = rows->wanted, columnCount = columns->wanted, sources = 3 * columns->count;
		for ( int panel = begin > first ? begin - first : 0; panel < pnCountPanels( product ) && first + panel < end; ++panel )
		{
			int from = panel * PN_PAIR_PANEL, width = columnCount - from < PN_PAIR_PANEL ? columnCount - from : PN_PAIR_PANEL;
			for ( int part = 0; part < 2; ++part )
			{
				if ( product->inner[part] > 0 )
				{
					cblas_dgemm( CblasColMajor, CblasNoTrans, CblasTrans, rowCount, width, product->inner[part], 1.0, product->left[part], rows->columns, product->right[part] + from, columns->columns,
								 part == 0 ? 0.0 : 1.0, room, rowCount );
				}
			}
			for ( int c = 0; c < width; ++c )
			{
				int column = from + c;
				int place = column < sources ? column / columns->count * pairs->rightCount + columns->places[column % columns->count] : 3 * pairs->rightCount + column - sources;
				double* to = product->to + (size_t)place * pairs->leading;
				const double* result = room + (size_t)c * (size_t)rowCount;
				for ( int load = 0; load < 3; ++load )
				{
					const double* some = result + load * rows->count;
					double* there = to + load * pairs->leftCount;
					for ( int i = 0; i < rows->count; ++i )
					{
						there[rows->places[i]] += some[i];
					}
				}
				for ( int i = 3 * rows->count; i < rowCount; ++i )
				{
					to[3 * pairs->leftCount + i - 3 * rows->count] += result[i];
				}
			}
		}
	}
}

static void pnAddProduct( pnPairing* pairing, const pnGroup* rows, const pnGroup* columns, double* to, const double* left, const double* right, int inner )
{
	if ( rows->wanted > 0 && columns->wanted > 0 && inner > 0 )
	{
		pairing->products[pairing->productCount++] = (pnProductOf){ { left, NULL }, { right, NULL }, { inner, 0 }, rows, columns, to };
	}
}

// Where one of two is far the sums over the patch are those of the other, told from the rows it keeps; where both are near, they are summed row by row or over the halves.
static void pnMultiply( pnPairing* pairing, int level )
{
	const pnPatch* patch = pairing->patch;
	const pnPairs* pairs = pairing->pairs;
	int u = patch->count[0], t = patch->count[1], all = patch->halves[0] < 0 ? 3 * ( patch->end - patch->begin ) : 0;
	const pnGroup *left = pairing->sides[0]->stands[level].groups, *right = pairing->sides[1]->stands[level].groups;
	pairing->productCount = 0;
	pnAddProduct( pairing, left + PN_NEAR, right + PN_FAR, pairs->free, left[PN_NEAR].to[PN_TO_TRACTION], right[PN_FAR].t, t );
	if ( patch->spring != NULL && pairing->productCount > 0 )
	{
		pairing->products[0].left[1] = left[PN_NEAR].to[PN_TO_SPRING];
		pairing->products[0].right[1] = right[PN_FAR].u;
		pairing->products[0].inner[1] = u;
	}
	bool holds = patch->hold != NULL && pairs->fixed != NULL;
	for ( int way = 0; way < PN_WAYS; ++way )
	{
		pnAddProduct( pairing, left + PN_FAR, right + way, pairs->free, left[PN_FAR].u, right[way].to[PN_TO_DISPLACEMENT], u );
		if ( holds )
		{
			pnAddProduct( pairing, left + PN_FAR, right + way, pairs->fixed, left[PN_FAR].u, right[way].to[PN_TO_HOLD], u );
		}
	}
	if ( holds )
	{
		pnAddProduct( pairing, left + PN_NEAR, right + PN_FAR, pairs->fixed, left[PN_NEAR].to[PN_TO_HOLD], right[PN_FAR].u, u );
	}
	pnAddProduct( pairing, left + PN_NEAR, right + PN_NEAR, pairs->free, left[PN_NEAR].u, right[PN_NEAR].r, all );
	if ( left[PN_NEAR].held != NULL && right[PN_NEAR].held != NULL && pairs->fixed != NULL )
	{
		pnAddProduct( pairing, left + PN_NEAR, right + PN_NEAR, pairs->fixed, left[PN_NEAR].held, right[PN_NEAR].weighted, all );
	}
	int panels = 0;
	for ( int i = 0; i < pairing->productCount; ++i )
	{
		panels += pnCountPanels( pairing->products + i );
	}
	pnParallelBlas( pairing->tasks, pnMultiplySome, panels, 1, pairing );
}

static bool pnIsFarFrom( const pnPairing* pairing, const pnPatch* patch, int p )
{
	const pnRows* rows = pairing->patches->rows;
	pnVec3d d = pnSubD( pnMakeD( rows->basis.x[p], rows->basis.y[p], rows->basis.z[p] ), patch->center );
	double far = pn_farRadii * patch->radius;
	if ( patch->keeps == false || pnDotD( d, d ) < far * far )
	{
		return false;
	}
	for ( int e = 0; e < PN_MENDED_POINTS && rows->mends.starts != NULL; ++e )
	{
		int place = pairing->position[rows->mends.points[p * PN_MENDED_POINTS + e]];
		if ( patch->begin <= place && place < patch->end )
		{
			return false;
		}
	}
	return true;
}

// Those near the patch above, near and far. Room for their rows; false: no memory.
static bool pnSortSide( const pnPairing* pairing, pnSide* side, int level )
{
	const pnPatch* patch = pairing->patch;
	const pnBasis* basis = &pairing->patches->rows->basis;
	pnStand* stand = side->stands + level;
	const pnGroup* before = level > 0 ? side->stands[level - 1].groups + PN_NEAR : NULL;
	int incoming = before != NULL ? before->count : side->count;
	bool leaf = patch->halves[0] < 0, anyHeld = false;
	for ( int i = patch->begin; i < patch->end && leaf; ++i )
	{
		anyHeld = anyHeld || pairing->patches->rows->bounds[pairing->patches->order[i]].held != 0;
	}
	int32_t *places = stand->places, *above = stand->above;
	double* coordinates = stand->coordinates;
	for ( int i = 0; i < incoming; ++i )
	{
		stand->ways[i] = pnIsFarFrom( pairing, patch, side->list[before != NULL ? before->places[i] : i] ) ? PN_FAR : PN_NEAR;
	}
	for ( int way = 0; way < PN_WAYS; ++way )
	{
		pnGroup* group = stand->groups + way;
		*group = (pnGroup){ .places = places, .above = above };
		for ( int i = 0; i < incoming; ++i )
		{
			if ( stand->ways[i] == way )
			{
				group->above[group->count] = i;
				group->places[group->count++] = before != NULL ? before->places[i] : i;
			}
		}
		int padded = ( group->count + 7 ) / 8 * 8;
		group->x = coordinates;
		group->y = coordinates + padded;
		group->z = coordinates + 2 * padded;
		for ( int i = 0; i < padded; ++i )
		{
			// Nobody reads what comes of those that fill up.
			int p = i < group->count ? side->list[group->places[i]] : -1;
			group->x[i] = p >= 0 ? basis->x[p] : 1e3;
			group->y[i] = p >= 0 ? basis->y[p] : 1e3;
			group->z[i] = p >= 0 ? basis->z[p] : 1e3;
		}
		group->columns = 3 * group->count + ( way == PN_NEAR && side->others > 0 ? side->others : PN_LINEAR_FIELDS );
		group->wanted = 3 * group->count + ( way == PN_NEAR ? side->others : 0 );
		places += group->count;
		above += group->count;
		coordinates += 3 * padded;
	}
	// First how much there is, then where
	for ( int pass = 0; pass < 2; ++pass )
	{
		size_t next = 0;
		for ( int way = 0; way < PN_WAYS; ++way )
		{
			pnGroup* group = stand->groups + way;
			bool far = way == PN_FAR;
			int u = patch->count[0], t = patch->count[1], all = leaf && far == false ? 3 * ( patch->end - patch->begin ) : 0, held = anyHeld ? all : 0;
			int counts[9] = { far ? u : all, far ? t : 0, all, held, held, t, patch->spring != NULL ? u : 0, u, patch->hold != NULL ? u : 0 };
			double** parts[9] = { &group->u, &group->t, &group->r, &group->held, &group->weighted, group->to, group->to + 1, group->to + 2, group->to + 3 };
			for ( int part = 0; part < 9 && group->wanted > 0; ++part )
			{
				*parts[part] = pass == 1 && counts[part] > 0 ? stand->room + next : NULL;
				next += (size_t)counts[part] * (size_t)group->columns;
			}
		}
		if ( next > stand->roomSize )
		{
			pnFreeArray( double, stand->room, stand->roomSize );
			stand->room = pnAllocRaw( next, sizeof( double ) );
			stand->roomSize = stand->room != NULL ? next : 0;
			if ( stand->room == NULL )
			{
				return false;
			}
		}
	}
	return true;
}

// Rows and sums of one side's sources on a patch; of those near a divided one, zeros to which the halves add.
static void pnFillSide( pnPairing* pairing, pnSide* side, int level )
{
	const pnPatch* patch = pairing->patch;
	pnGroup *far = side->stands[level].groups + PN_FAR, *near = side->stands[level].groups + PN_NEAR;
	pairing->side = side;
	if ( far->wanted > 0 )
	{
		pairing->group = far;
		pnParallelBlas( pairing->tasks, pnFillFar, patch->count[0] + patch->count[1], 16, pairing );
		pnParallelBlas( pairing->tasks, pnTurnFar, pnCountTurns( far->columns ), 1, pairing );
	}
	if ( near->wanted > 0 && patch->halves[0] < 0 )
	{
		pairing->group = near;
		for ( int i = 0; i < near->count; ++i )
		{
			side->local[side->list[near->places[i]]] = i;
		}
		pnParallelBlas( pairing->tasks, pnFillNear, patch->end - patch->begin, 8, pairing );
		for ( int i = 0; i < near->count; ++i )
		{
			side->local[side->list[near->places[i]]] = -1;
		}
		if ( patch->keeps )
		{
			pnParallelBlas( pairing->tasks, pnTurnNear, pnCountTurns( near->columns ), 1, pairing );
		}
	}
	for ( int sum = 0; sum < PN_SUMS && patch->halves[0] >= 0; ++sum )
	{
		if ( near->to[sum] != NULL )
		{
			memset( near->to[sum], 0, (size_t)patch->count[sum == PN_TO_TRACTION ? 1 : 0] * (size_t)near->columns * sizeof( double ) );
		}
	}
}

// A patch and all its halves. False: no memory, or given up.
static bool pnVisitPatch( pnPairing* pairing, int index )
{
	const pnPatch* patch = pairing->patches->patches + index;
	const pnRows* rows = pairing->patches->rows;
	int level = patch->level, sideCount = pairing->sides[0] == pairing->sides[1] ? 1 : 2;
	pairing->patch = patch;
	if ( pairing->tasks != NULL && rows->tick != NULL && patch->halves[0] < 0 && rows->tick( (double)patch->begin / pairing->patches->orderCount, rows->tickContext ) == false )
	{
		pairing->givenUp = true;
		return false;
	}
	for ( int i = 0; i < sideCount; ++i )
	{
		if ( pnSortSide( pairing, pairing->sides[i], level ) == false )
		{
			return false;
		}
		pnFillSide( pairing, pairing->sides[i], level );
	}
	bool near = pairing->sides[0]->stands[level].groups[PN_NEAR].wanted > 0 || pairing->sides[1]->stands[level].groups[PN_NEAR].wanted > 0;
	for ( int half = 0; half < 2 && patch->halves[0] >= 0 && near; ++half )
	{
		if ( pnVisitPatch( pairing, patch->halves[half] ) == false )
		{
			return false;
		}
	}
	pairing->patch = patch;
	pnMultiply( pairing, level );
	for ( int i = 0; i < sideCount && pnKeepsAbove( pairing ); ++i )
	{
		pairing->whole = pairing->sides[i]->stands[level - 1].groups + PN_NEAR;
		for ( int way = 0; way < PN_WAYS; ++way )
		{
			pairing->group = pairing->sides[i]->stands[level].groups + way;
			if ( pairing->group->wanted > 0 )
			{
				pnParallelBlas( pairing->tasks, pnPassUp, pnCountTurns( pairing->group->wanted ), 1, pairing );
			}
		}
	}
	return true;
}

static void pnDestroySide( const pnPatches* patches, pnSide* side )
{
	for ( int level = 0; level < patches->levelCount && side->stands != NULL; ++level )
	{
		pnStand* stand = side->stands + level;
		pnFreeArray( uint8_t, stand->ways, side->count );
		pnFreeArray( int32_t, stand->places, side->count );
		pnFreeArray( int32_t, stand->above, side->count );
		pnFreeArray( double, stand->coordinates, 3 * ( (size_t)side->count + 8 * PN_WAYS ) );
		pnFreeArray( double, stand->room, stand->roomSize );
	}
	pnFreeArray( pnStand, side->stands, patches->levelCount );
	pnFreeArray( int32_t, side->local, patches->rows->basis.sourceCount );
}

static bool pnMakeSide( const pnPatches* patches, const int32_t* list, int count, int others, pnSide* side )
{
	int sourceCount = patches->rows->basis.sourceCount;
	*side = (pnSide){ .list = list, .count = count, .others = others };
	side->local = pnAllocArray( int32_t, sourceCount );
	side->stands = pnAllocArray( pnStand, patches->levelCount );
	bool done = side->local != NULL && side->stands != NULL;
	for ( int p = 0; p < sourceCount && done; ++p )
	{
		side->local[p] = -1;
	}
	for ( int level = 0; level < patches->levelCount && done; ++level )
	{
		pnStand* stand = side->stands + level;
		stand->ways = pnAllocArray( uint8_t, count );
		stand->places = pnAllocArray( int32_t, count );
		stand->above = pnAllocArray( int32_t, count );
		stand->coordinates = pnAllocArray( double, 3 * ( (size_t)count + 8 * PN_WAYS ) );
		done = stand->ways != NULL && stand->places != NULL && stand->above != NULL && stand->coordinates != NULL;
	}
	return done;
}

bool pnAddPairs( const pnPatches* patches, const pnPairs* pairs, pnTasks* tasks, bool* givenUp )
{
	const pnRows* rows = patches->rows;
	bool same = pairs->left == pairs->right;
	int others = pairs->withOthers ? pnGetColumnCount( &rows->basis ) - 3 * rows->basis.sourceCount : 0;
	size_t most = 3 * (size_t)( pairs->leftCount > pairs->rightCount ? pairs->leftCount : pairs->rightCount ) + PN_LINEAR_FIELDS + (size_t)others;
	pnSide sides[2] = { 0 };
	pnPairing pairing = { .patches = patches, .pairs = pairs, .tasks = tasks, .sides = { sides, same ? sides : sides + 1 } };
	pnScratch scratch = { 0 };
	int32_t* position = pnTakeRawArray( &scratch, int32_t, patches->orderCount );
	size_t turned = PN_TURN_PANEL * (size_t)( 3 * PN_LEAF_POINTS > PN_MOST_KEPT ? 3 * PN_LEAF_POINTS : PN_MOST_KEPT );
	pairing.roomSize = PN_PAIR_PANEL * most > turned ? PN_PAIR_PANEL * most : turned;
	pairing.rooms = pnTakeRawArray( &scratch, double, pairing.roomSize * (size_t)( tasks != NULL ? pnGetWorkerCount( tasks ) : 1 ) );
	bool done = scratch.failed == false && pnMakeSide( patches, pairs->left, pairs->leftCount, others, sides ) && ( same || pnMakeSide( patches, pairs->right, pairs->rightCount, others, sides + 1 ) );
	if ( done )
	{
		for ( int i = 0; i < patches->orderCount; ++i )
		{
			position[patches->order[i]] = i;
		}
		pairing.position = position;
		done = pnVisitPatch( &pairing, 0 );
	}
	*givenUp = pairing.givenUp;
	pnDestroySide( patches, sides );
	pnDestroySide( patches, sides + 1 );
	pnGiveBack( &scratch );
	return done;
}
