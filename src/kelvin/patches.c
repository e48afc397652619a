// patches.c - the surface in patches, and sums over it for pairs of sources. Knows rows, no solver.
//
// Rows are kept by an interpolative decomposition: fields of forces on a sphere around a patch stand for those of all sources outside it; of random
// sums of them an LU factorisation with row pivots picks the rows that tell the others (Dong and Martinsson 2021).
//
// A source's rows on a patch are the same whatever they are paired with. So the energy is that of fields that are off by the error of what is told, and where
// sources nearly cancel each other it is off by the square of that: it stays positive. Patches of patches, of which pairs would use those
// far from both, would be off by the error itself: with 1e-6 the matrix of 1,000 sources was not positive.
#include "patches.h"

#include "../base/scratch.h"
#include "blas.h"

#include <lapacke.h>

enum
{
	PN_PATCH_POINTS = 512, // collocation points of a patch at most
	PN_SPHERE_POINTS = 192, // forces on the sphere, three each
	PN_MOST_ROWS = 3 * PN_PATCH_POINTS,
	PN_MOST_KEPT = 384, // rows of a patch
	PN_PAIR_PANEL = 192, // columns of one product
	PN_FEW_POINTS = 48, // of a patch: it is not divided
	PN_USUALLY_KEPT = 280, // rows of a patch
	PN_PATCH_OVERHEAD = 20, // what a patch costs besides, in rows
};
static const double pn_flat = 0.9; // of the normals on a patch: they differ by no more along any axis
static const double pn_usuallyKept = 0.55; // of the rows of a small patch
static const double pn_farRadii = 2.5; // a source is far from a patch from here on, in its radii
static const double pn_farError = 1e-6; // of what is told from the rows kept, relative

// ---- the tree ----

void pnDestroyPatches( pnPatches* patches )
{
	for ( int k = 0; k < patches->count; ++k )
	{
		pnPatch* patch = patches->patches + k;
		for ( int kind = 0; kind < 2; ++kind )
		{
			pnFreeArray( int32_t, patch->rows[kind], patch->count[kind] );
			pnFreeArray( double, patch->from[kind], (size_t)patch->inputCount * (size_t)patch->count[kind] );
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

// Arithmetic of a patch's products, over twice the square of the sources: pairs of near ones go row by row, all others by the rows kept.
static double pnGetPatchCost( const pnPatches* patches, const pnPatch* patch )
{
	const pnBasis* basis = &patches->rows->basis;
	double far = pn_farRadii * patch->radius, rowCount = 3.0 * ( patch->end - patch->begin ), near = 0.0;
	for ( int p = 0; p < basis->sourceCount; ++p )
	{
		pnVec3d d = pnSubD( pnMakeD( basis->x[p], basis->y[p], basis->z[p] ), patch->center );
		near += pnDotD( d, d ) < far * far ? 1.0 : 0.0;
	}
	near /= basis->sourceCount;
	double kept = fmin( pn_usuallyKept * rowCount, PN_USUALLY_KEPT );
	return near * near * rowCount + ( 1.0 - near * near ) * kept + PN_PATCH_OVERHEAD;
}

// Halves what looks different ways between them, or is large, across its longest side; on a flat patch fields are told from fewer rows than around an edge. In the end the
// patches are those of the halves that cost least: large ones where sources are far, small ones among them. Returns the cost; negative: no memory.
static double pnDivideSurface( pnPatches* patches, int begin, int end )
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
	pnPatch patch = { .begin = begin, .end = end, .center = pnScaleD( 0.5, pnAddD( lower, upper ) ) };
	for ( int i = begin; i < end; ++i )
	{
		patch.radius = fmax( patch.radius, pnLengthD( pnSubD( points[patches->order[i]].x, patch.center ) ) );
	}
	double cost = end - begin <= PN_PATCH_POINTS ? pnGetPatchCost( patches, &patch ) : 1e300;
	int first = patches->count;
	if ( end - begin > PN_FEW_POINTS )
	{
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
		double left = pnDivideSurface( patches, begin, middle ), right = left >= 0.0 ? pnDivideSurface( patches, middle, end ) : -1.0;
		if ( right < 0.0 || left + right < cost )
		{
			return right < 0.0 ? -1.0 : left + right;
		}
	}
	patches->count = first;
	if ( patches->count == patches->capacity && pnGrow( (void**)&patches->patches, &patches->capacity, patches->count, patches->count + 1, sizeof( pnPatch ) ) == false )
	{
		return -1.0;
	}
	patches->patches[patches->count++] = patch;
	return cost;
}

// ---- rows that tell the others ----

// Forces on a unit sphere (spiral), and the random sums of their fields.
typedef struct pnSphere
{
	double x[PN_SPHERE_POINTS], y[PN_SPHERE_POINTS], z[PN_SPHERE_POINTS];
	double* sums; // ( 3 PN_SPHERE_POINTS + PN_LINEAR_FIELDS ) x PN_MOST_KEPT
} pnSphere;

enum { PN_SPHERE_COLUMNS = 3 * PN_SPHERE_POINTS + PN_LINEAR_FIELDS };

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
	for ( size_t i = 0; i < (size_t)PN_SPHERE_COLUMNS * PN_MOST_KEPT; ++i )
	{
		state = state * 6364136223846793005u + 1442695040888963407u;
		sphere->sums[i] = (double)( state >> 11 ) * 0x1p-52 - 1.0;
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
} pnKeeping;

// inputs: 3 * collocation point + axis, inputCount of them.
static bool pnKeepRows( const pnKeeping* keeping, pnPatch* patch, int kind, const int32_t* inputs )
{
	int inputCount = patch->inputCount, most = inputCount < PN_MOST_KEPT ? inputCount : PN_MOST_KEPT;
	const pnRows* rows = keeping->patches->rows;
	double x[PN_SPHERE_POINTS], y[PN_SPHERE_POINTS], z[PN_SPHERE_POINTS], distance = pn_farRadii * patch->radius;
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
	cblas_dgemm( CblasColMajor, CblasTrans, CblasNoTrans, inputCount, most, PN_SPHERE_COLUMNS, 1.0, fields, PN_SPHERE_COLUMNS, keeping->sphere->sums, PN_SPHERE_COLUMNS, 0.0, sums, inputCount );
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

static bool pnKeepPatch( const pnKeeping* keeping, pnPatch* patch )
{
	pnPatches* patches = keeping->patches;
	int inputCount = 3 * ( patch->end - patch->begin );
	pnScratch scratch = { 0 };
	int32_t* inputs = pnTakeArray( &scratch, int32_t, inputCount );
	double* room = pnTakeRawArray( &scratch, double, (size_t)inputCount * PN_MOST_KEPT );
	bool done = scratch.failed == false, any[3] = { true, false, false };
	patch->inputCount = inputCount;
	for ( int i = 0; i < inputCount && done; ++i )
	{
		inputs[i] = 3 * patches->order[patch->begin + i / 3] + i % 3;
		double weights[3];
		pnGetWeights( patches, inputs[i], weights );
		any[1] = any[1] || weights[1] != 0.0;
		any[2] = any[2] || weights[2] != 0.0;
	}
	done = done && pnKeepRows( keeping, patch, 0, inputs ) && pnKeepRows( keeping, patch, 1, inputs );
	for ( int part = 0; part < 3 && done; ++part )
	{
		int right = part == 0 ? 1 : 0;
		double** to = part == 0 ? &patch->work : part == 1 ? &patch->spring : &patch->hold;
		if ( any[part] == false )
		{
			continue;
		}
		*to = pnAllocArray( double, (size_t)patch->count[0] * (size_t)patch->count[right] );
		done = *to != NULL;
		for ( int i = 0; i < inputCount && done; ++i )
		{
			double weights[3];
			pnGetWeights( patches, inputs[i], weights );
			for ( int k = 0; k < patch->count[right]; ++k )
			{
				size_t at = (size_t)k * (size_t)inputCount + (size_t)i;
				room[at] = weights[part] * patch->from[right][at];
			}
		}
		if ( done )
		{
			cblas_dgemm( CblasColMajor, CblasTrans, CblasNoTrans, patch->count[0], patch->count[right], inputCount, 1.0, patch->from[0], inputCount, room, inputCount, 0.0, *to, patch->count[0] );
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
		if ( pnKeepPatch( keeping, keeping->patches->patches + i ) == false )
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
	done = done && scratch.failed == false && pnDivideSurface( patches, 0, pointCount ) >= 0.0;
	int workerCount = pnGetWorkerCount( rows->tasks );
	pnSphere* sphere = pnTakeArray( &scratch, pnSphere, 1 );
	bool* failed = pnTakeArray( &scratch, bool, workerCount );
	double* sums = pnTakeRawArray( &scratch, double, (size_t)PN_SPHERE_COLUMNS * PN_MOST_KEPT );
	done = done && scratch.failed == false;
	if ( done )
	{
		sphere->sums = sums;
		pnFillSphere( sphere );
		pnKeeping keeping = { patches, sphere, failed };
		pnParallelBlas( rows->tasks, pnKeepSome, patches->count, 1, &keeping );
	}
	for ( int i = 0; i < workerCount && done; ++i )
	{
		done = failed[i] == false;
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

// Some sources, and their rows on the patch: row r of column c is [r * columns + c], columns = 3 count, then the other fields.
typedef struct pnGroup
{
	int32_t* places; // in the list of its side
	double *x, *y, *z;
	int count, columns;
	int wanted; // of the columns: 3 count, and the others where they are
	double* u; // far: the rows kept; near: all rows, mended
	double* t;
	double* r; // what the displacement works against: far: in terms of the rows kept; near: at all rows
	double* held; // far: likewise on held axes; near: displacement, not mended, at all rows
	// Of near ones, against far ones:
	double* toT; // displacement, in terms of kept rows of traction
	double* toSpring; // and of displacement
	double* toR; // r, in terms of kept rows of displacement
	double* toHeld;
} pnGroup;

typedef struct pnSide
{
	const int32_t* list;
	int count;
	int others; // columns that are no sources
	uint8_t* ways;
	int32_t* places;
	double* coordinates;
	double* buffers[8];
	int32_t* local; // of a source: its place in the group; -1
	pnGroup groups[PN_WAYS];
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
	const pnPatch* patch;
	const int32_t* allRows; // of the patch: 3 * collocation point + axis
	pnSide* side;
	double* weighted; // displacement of near sources on held axes with its weights: of the side turned last, the right
	pnProductOf products[8];
	int productCount;
	double* rooms; // of each worker
	size_t roomSize;
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

// Kept rows of far sources: displacement first, then traction.
static void pnFillFar( int begin, int end, int worker, void* context )
{
	const pnPairing* pairing = context;
	const pnPatch* patch = pairing->patch;
	double* three = pairing->rooms + (size_t)worker * pairing->roomSize;
	const pnGroup* group = pairing->side->groups + PN_FAR;
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

// r and held of far sources, some columns at a time.
static void pnTurnFar( int begin, int end, int worker, void* context )
{
	PN_UNUSED( worker );
	const pnPairing* pairing = context;
	const pnPatch* patch = pairing->patch;
	const pnGroup* group = pairing->side->groups + PN_FAR;
	int u = patch->count[0], t = patch->count[1], columns = group->columns;
	cblas_dgemm( CblasColMajor, CblasNoTrans, CblasTrans, end - begin, u, t, 1.0, group->t + begin, columns, patch->work, u, 0.0, group->r + begin, columns );
	if ( patch->spring != NULL )
	{
		cblas_dgemm( CblasColMajor, CblasNoTrans, CblasTrans, end - begin, u, u, 1.0, group->u + begin, columns, patch->spring, u, 1.0, group->r + begin, columns );
	}
	if ( patch->hold != NULL )
	{
		cblas_dgemm( CblasColMajor, CblasNoTrans, CblasTrans, end - begin, u, u, 1.0, group->u + begin, columns, patch->hold, u, 0.0, group->held + begin, columns );
	}
}

// All rows of near sources, with their mends.
static void pnFillNear( int begin, int end, int worker, void* context )
{
	const pnPairing* pairing = context;
	const pnSide* side = pairing->side;
	const pnGroup* group = side->groups + PN_NEAR;
	const pnRows* rows = pairing->patches->rows;
	const pnMends* mends = &rows->mends;
	pnBasis basis = pnGetGroupBasis( pairing, group );
	size_t columns = (size_t)group->columns;
	double *u = pairing->rooms + (size_t)worker * pairing->roomSize, *t = u + 3 * columns;
	for ( int i = begin; i < end; ++i )
	{
		int q = pairing->allRows[3 * i] / 3;
		const pnCollocationPoint* point = rows->points.points + q;
		pnFillRows( &basis, point->x, point->n, u, t );
		for ( int axis = 0; axis < 3 && pairing->patch->hold != NULL; ++axis )
		{
			pnTakeRow( rows, q, axis, u, columns, group->columns, group->held + (size_t)( 3 * i + axis ) * columns );
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

// What near sources are to far ones.
static void pnTurnNear( const pnPairing* pairing )
{
	double* weighted = pairing->weighted;
	const pnPatch* patch = pairing->patch;
	const pnGroup* group = pairing->side->groups + PN_NEAR;
	int columns = group->columns, inputs = patch->inputCount, u = patch->count[0], t = patch->count[1];
	cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, columns, u, inputs, 1.0, group->r, columns, patch->from[0], inputs, 0.0, group->toR, columns );
	for ( int part = 0; part < 3; ++part )
	{
		if ( ( part == 1 && patch->spring == NULL ) || ( part == 2 && patch->hold == NULL ) )
		{
			continue;
		}
		const double* from = part == 2 ? group->held : group->u;
		for ( int i = 0; i < inputs; ++i )
		{
			double weights[3];
			pnGetWeights( pairing->patches, pairing->allRows[i], weights );
			for ( int c = 0; c < columns; ++c )
			{
				size_t at = (size_t)i * (size_t)columns + (size_t)c;
				weighted[at] = weights[part] * from[at];
			}
		}
		double* to = part == 0 ? group->toT : part == 1 ? group->toSpring : group->toHeld;
		cblas_dgemm( CblasColMajor, CblasNoTrans, CblasNoTrans, columns, part == 0 ? t : u, inputs, 1.0, weighted, columns, patch->from[part == 0], inputs, 0.0, to, columns );
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
	if ( rows->wanted > 0 && columns->wanted > 0 )
	{
		pairing->products[pairing->productCount++] = (pnProductOf){ { left, NULL }, { right, NULL }, { inner, 0 }, rows, columns, to };
	}
}

static void pnListProducts( pnPairing* pairing, const pnSide* left, const pnSide* right )
{
	const pnPatch* patch = pairing->patch;
	const pnPairs* pairs = pairing->pairs;
	int u = patch->count[0], t = patch->count[1], all = patch->inputCount;
	const pnGroup *leftFar = left->groups + PN_FAR, *leftNear = left->groups + PN_NEAR, *rightFar = right->groups + PN_FAR, *rightNear = right->groups + PN_NEAR;
	pairing->productCount = 0;
	pnAddProduct( pairing, leftNear, rightFar, pairs->free, leftNear->toT, rightFar->t, t );
	if ( patch->spring != NULL && pairing->productCount > 0 )
	{
		pairing->products[0].left[1] = leftNear->toSpring;
		pairing->products[0].right[1] = rightFar->u;
		pairing->products[0].inner[1] = u;
	}
	pnAddProduct( pairing, leftFar, rightFar, pairs->free, leftFar->u, rightFar->r, u );
	pnAddProduct( pairing, leftFar, rightNear, pairs->free, leftFar->u, rightNear->toR, u );
	pnAddProduct( pairing, leftNear, rightNear, pairs->free, leftNear->u, rightNear->r, all );
	if ( patch->hold != NULL && pairs->fixed != NULL )
	{
		pnAddProduct( pairing, leftFar, rightFar, pairs->fixed, leftFar->u, rightFar->held, u );
		pnAddProduct( pairing, leftFar, rightNear, pairs->fixed, leftFar->u, rightNear->toHeld, u );
		pnAddProduct( pairing, leftNear, rightFar, pairs->fixed, leftNear->toHeld, rightFar->u, u );
		pnAddProduct( pairing, leftNear, rightNear, pairs->fixed, leftNear->held, pairing->weighted, all );
	}
}

static bool pnIsFarFrom( const pnPatches* patches, const int32_t* position, const pnPatch* patch, int p )
{
	const pnRows* rows = patches->rows;
	pnVec3d d = pnSubD( pnMakeD( rows->basis.x[p], rows->basis.y[p], rows->basis.z[p] ), patch->center );
	double far = pn_farRadii * patch->radius;
	if ( pnDotD( d, d ) < far * far )
	{
		return false;
	}
	for ( int e = 0; e < PN_MENDED_POINTS && rows->mends.starts != NULL; ++e )
	{
		int place = position[rows->mends.points[p * PN_MENDED_POINTS + e]];
		if ( patch->begin <= place && place < patch->end )
		{
			return false;
		}
	}
	return true;
}

static void pnSortSide( const pnPatches* patches, const int32_t* position, const pnPatch* patch, pnSide* side )
{
	const pnBasis* basis = &patches->rows->basis;
	uint8_t* ways = side->ways;
	int32_t* places = side->places;
	double* coordinates = side->coordinates;
	size_t first = 0;
	for ( int way = 0; way < PN_WAYS; ++way )
	{
		pnGroup* group = side->groups + way;
		group->count = 0;
		group->places = places;
		for ( int i = 0; i < side->count; ++i )
		{
			if ( way == 0 )
			{
				ways[i] = pnIsFarFrom( patches, position, patch, side->list[i] ) ? PN_FAR : PN_NEAR;
			}
			if ( ways[i] == way )
			{
				group->places[group->count++] = i;
			}
		}
		int padded = ( group->count + 7 ) / 8 * 8;
		group->x = coordinates;
		group->y = coordinates + padded;
		group->z = coordinates + 2 * padded;
		for ( int i = 0; i < group->count; ++i )
		{
			int p = side->list[group->places[i]];
			group->x[i] = basis->x[p];
			group->y[i] = basis->y[p];
			group->z[i] = basis->z[p];
			if ( way == PN_NEAR )
			{
				side->local[p] = i;
			}
		}
		for ( int i = group->count; i < padded; ++i )
		{
			group->x[i] = group->y[i] = group->z[i] = 1e3; // nobody reads what comes of it
		}
		group->columns = 3 * group->count + ( way == PN_NEAR && side->others > 0 ? side->others : PN_LINEAR_FIELDS );
		group->wanted = 3 * group->count + ( way == PN_NEAR ? side->others : 0 );
		double** parts[8] = { &group->u, &group->t, &group->r, &group->held, &group->toT, &group->toSpring, &group->toR, &group->toHeld };
		for ( int part = 0; part < 8; ++part )
		{
			*parts[part] = side->buffers[part] + first * (size_t)( part < 4 ? PN_MOST_ROWS : PN_MOST_KEPT );
		}
		places += group->count;
		coordinates += 3 * padded;
		first += (size_t)group->columns;
	}
}

static void pnForgetSide( pnSide* side )
{
	const pnGroup* group = side->groups + PN_NEAR;
	for ( int i = 0; i < group->count; ++i )
	{
		side->local[side->list[group->places[i]]] = -1;
	}
}

static void pnFillSide( pnPairing* pairing, pnSide* side, pnTasks* tasks )
{
	const pnPatch* patch = pairing->patch;
	pairing->side = side;
	if ( side->groups[PN_FAR].wanted > 0 )
	{
		pnParallelBlas( tasks, pnFillFar, patch->count[0] + patch->count[1], 16, pairing );
		pnParallelBlas( tasks, pnTurnFar, side->groups[PN_FAR].columns, 256, pairing );
	}
	if ( side->groups[PN_NEAR].wanted > 0 )
	{
		pnParallelBlas( tasks, pnFillNear, patch->inputCount / 3, 8, pairing );
		pnTurnNear( pairing );
	}
}

static bool pnTakeSide( const pnPatches* patches, const int32_t* list, int count, int others, pnScratch* scratch, pnSide* side )
{
	*side = (pnSide){ .list = list, .count = count, .others = others };
	side->ways = pnTakeRawArray( scratch, uint8_t, count );
	side->places = pnTakeArray( scratch, int32_t, count );
	side->coordinates = pnTakeArray( scratch, double, 3 * ( count + 8 * PN_WAYS ) );
	side->local = pnTakeRawArray( scratch, int32_t, patches->rows->basis.sourceCount );
	for ( int part = 0; part < 8; ++part )
	{
		side->buffers[part] = pnTakeRawArray( scratch, double, ( 3 * (size_t)count + PN_WAYS * PN_LINEAR_FIELDS + (size_t)others ) * (size_t)( part < 4 ? PN_MOST_ROWS : PN_MOST_KEPT ) );
	}
	for ( int p = 0; p < patches->rows->basis.sourceCount && scratch->failed == false; ++p )
	{
		side->local[p] = -1;
	}
	return scratch->failed == false;
}

bool pnAddPairs( const pnPatches* patches, const pnPairs* pairs, pnTasks* tasks, bool* givenUp )
{
	const pnRows* rows = patches->rows;
	bool same = pairs->left == pairs->right;
	int others = pairs->withOthers ? pnGetColumnCount( &rows->basis ) - 3 * rows->basis.sourceCount : 0;
	int most = pairs->leftCount > pairs->rightCount ? pairs->leftCount : pairs->rightCount;
	pnScratch scratch = { 0 }, more = { 0 };
	pnSide sides[2];
	pnPairing pairing = { .patches = patches, .pairs = pairs };
	int32_t* position = pnTakeRawArray( &scratch, int32_t, patches->orderCount );
	int32_t* allRows = pnTakeRawArray( &scratch, int32_t, 3 * PN_PATCH_POINTS );
	pairing.weighted = pnTakeRawArray( &scratch, double, 3 * PN_PATCH_POINTS * ( 3 * (size_t)most + PN_LINEAR_FIELDS + (size_t)others ) );
	pairing.roomSize = (size_t)PN_PAIR_PANEL * ( 3 * (size_t)most + PN_LINEAR_FIELDS + (size_t)others );
	pairing.rooms = pnTakeRawArray( &scratch, double, pairing.roomSize * (size_t)( tasks != NULL ? pnGetWorkerCount( tasks ) : 1 ) );
	bool good = pnTakeSide( patches, pairs->left, pairs->leftCount, others, &scratch, sides ) && ( same || pnTakeSide( patches, pairs->right, pairs->rightCount, others, &more, sides + 1 ) ) && scratch.failed == false;
	pnSide *left = sides, *right = same ? sides : sides + 1;
	*givenUp = false;
	for ( int i = 0; i < patches->orderCount && good; ++i )
	{
		position[patches->order[i]] = i;
	}
	pairing.allRows = allRows;
	for ( int k = 0; k < patches->count && good; ++k )
	{
		const pnPatch* patch = patches->patches + k;
		if ( tasks != NULL && rows->tick != NULL && rows->tick( (double)k / patches->count, rows->tickContext ) == false )
		{
			*givenUp = true;
			good = false;
			break;
		}
		pairing.patch = patch;
		for ( int i = 0; i < patch->inputCount; ++i )
		{
			allRows[i] = 3 * patches->order[patch->begin + i / 3] + i % 3;
		}
		pnSortSide( patches, position, patch, left );
		pnFillSide( &pairing, left, tasks );
		if ( same == false )
		{
			pnSortSide( patches, position, patch, right );
			pnFillSide( &pairing, right, tasks );
		}
		pnListProducts( &pairing, left, right );
		int panels = 0;
		for ( int i = 0; i < pairing.productCount; ++i )
		{
			panels += pnCountPanels( pairing.products + i );
		}
		pnParallelBlas( tasks, pnMultiplySome, panels, 1, &pairing );
		pnForgetSide( left );
		if ( same == false )
		{
			pnForgetSide( right );
		}
	}
	pnGiveBack( &more );
	pnGiveBack( &scratch );
	return good;
}
