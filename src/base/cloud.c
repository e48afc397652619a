// cloud.c - clouds of points: sorting, order in space, nearest ones, welding. Knows no surfaces and no solids.
#include "cloud.h"

#include "trig.h"

#include <math.h>

pnAABB pnFindBounds( const pnVec3* points, int count )
{
	pnAABB bounds = { { 0.0f, 0.0f, 0.0f }, { 0.0f, 0.0f, 0.0f } };
	if ( count > 0 )
	{
		bounds.lower = bounds.upper = points[0];
	}
	for ( int i = 1; i < count; ++i )
	{
		bounds.lower = pnMin3( bounds.lower, points[i] );
		bounds.upper = pnMax3( bounds.upper, points[i] );
	}
	return bounds;
}

float pnGetLargestExtent( pnAABB bounds )
{
	pnVec3 size = pnSub( bounds.upper, bounds.lower );
	float xy = size.x > size.y ? size.x : size.y;
	return xy > size.z ? xy : size.z;
}

// ---- order ----

void pnSortByKey( uint64_t* keys, int32_t* values, uint64_t* spareKeys, int32_t* spareValues, int count )
{
	uint64_t *fromKeys = keys, *toKeys = spareKeys;
	int32_t *fromValues = values, *toValues = spareValues;
	for ( int shift = 0; shift < 64; shift += 8 )
	{
		int starts[257] = { 0 };
		for ( int i = 0; i < count; ++i )
		{
			starts[( ( fromKeys[i] >> shift ) & 255 ) + 1] += 1;
		}
		if ( count == 0 || starts[( ( fromKeys[0] >> shift ) & 255 ) + 1] == count )
		{
			continue; // this byte is the same in all
		}
		for ( int digit = 0; digit < 256; ++digit )
		{
			starts[digit + 1] += starts[digit];
		}
		for ( int i = 0; i < count; ++i )
		{
			int to = starts[( fromKeys[i] >> shift ) & 255]++;
			toKeys[to] = fromKeys[i];
			toValues[to] = fromValues[i];
		}
		uint64_t* swapKeys = fromKeys;
		fromKeys = toKeys;
		toKeys = swapKeys;
		int32_t* swapValues = fromValues;
		fromValues = toValues;
		toValues = swapValues;
	}
	if ( fromKeys != keys )
	{
		memcpy( keys, fromKeys, (size_t)count * sizeof( uint64_t ) );
		memcpy( values, fromValues, (size_t)count * sizeof( int32_t ) );
	}
}

// Ten bits with two zeros after each.
static uint64_t pnSpreadBits( uint32_t x )
{
	x = ( x | ( x << 16 ) ) & 0x030000ffu;
	x = ( x | ( x << 8 ) ) & 0x0300f00fu;
	x = ( x | ( x << 4 ) ) & 0x030c30c3u;
	x = ( x | ( x << 2 ) ) & 0x09249249u;
	return x;
}

bool pnOrderInSpace( const pnVec3* points, int count, int32_t* order )
{
	pnScratch scratch = { 0 };
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, count );
	uint64_t* spareKeys = pnTakeArray( &scratch, uint64_t, count );
	int32_t* spareOrder = pnTakeArray( &scratch, int32_t, count );
	bool done = !scratch.failed;
	if ( done )
	{
		pnAABB bounds = pnFindBounds( points, count );
		double extent = (double)pnGetLargestExtent( bounds );
		double scale = extent > 0.0 ? 1024.0 / extent : 0.0;
		for ( int i = 0; i < count; ++i )
		{
			uint64_t key = 0;
			for ( int axis = 0; axis < 3; ++axis )
			{
				double place = scale * ( (double)pnGetAxis( points + i, axis ) - (double)pnGetAxis( &bounds.lower, axis ) );
				key |= pnSpreadBits( place < 1023.0 ? (uint32_t)place : 1023u ) << axis;
			}
			keys[i] = key;
			order[i] = i;
		}
		pnSortByKey( keys, order, spareKeys, spareOrder, count );
	}
	pnGiveBack( &scratch );
	return done;
}

// ---- welding ----

static uint32_t pnHashCell( const int64_t cell[3] )
{
	uint64_t hash = (uint64_t)cell[0] * 0x9e3779b97f4a7c15ull ^ (uint64_t)cell[1] * 0xc2b2ae3d27d4eb4full ^ (uint64_t)cell[2] * 0x165667b19e3779f9ull;
	return (uint32_t)( hash >> 32 ) ^ (uint32_t)hash;
}

static double pnDistance2( const pnVec3* a, const pnVec3* b )
{
	double x = (double)a->x - (double)b->x, y = (double)a->y - (double)b->y, z = (double)a->z - (double)b->z;
	return x * x + y * y + z * z;
}

bool pnWeldPoints( const pnVec3* points, int count, double distance, int32_t* lowest )
{
	uint32_t bucketCount = 16;
	while ( bucketCount < (uint32_t)count )
	{
		bucketCount *= 2;
	}
	pnScratch scratch = { 0 };
	int32_t* heads = pnTakeArray( &scratch, int32_t, bucketCount ); // 1 + the last point kept in a bucket
	int32_t* nexts = pnTakeArray( &scratch, int32_t, count ); // 1 + the one before it
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return false;
	}

	// Cells a few distances wide: most points then look into one or two of them. Never so small that their numbers overflow.
	pnAABB bounds = pnFindBounds( points, count );
	double size = (double)pnGetLargestExtent( bounds );
	double cellSize = 4.0 * distance > size / 1048576.0 ? 4.0 * distance : size / 1048576.0;
	cellSize = cellSize > 0.0 ? cellSize : 1.0;
	for ( int i = 0; i < count; ++i )
	{
		int64_t from[3], to[3], home[3];
		for ( int axis = 0; axis < 3; ++axis )
		{
			double place = (double)pnGetAxis( points + i, axis ) - (double)pnGetAxis( &bounds.lower, axis );
			from[axis] = (int64_t)floor( ( place - distance ) / cellSize );
			home[axis] = (int64_t)floor( place / cellSize );
			to[axis] = (int64_t)floor( ( place + distance ) / cellSize );
		}
		int32_t best = i;
		int64_t cell[3];
		for ( cell[2] = from[2]; cell[2] <= to[2]; ++cell[2] )
		{
			for ( cell[1] = from[1]; cell[1] <= to[1]; ++cell[1] )
			{
				for ( cell[0] = from[0]; cell[0] <= to[0]; ++cell[0] )
				{
					for ( int32_t at = heads[pnHashCell( cell ) & ( bucketCount - 1 )]; at != 0; at = nexts[at - 1] )
					{
						bool near = at - 1 < best && pnDistance2( points + at - 1, points + i ) <= distance * distance;
						best = near ? at - 1 : best;
					}
				}
			}
		}
		lowest[i] = best;
		if ( best == i )
		{
			uint32_t bucket = pnHashCell( home ) & ( bucketCount - 1 );
			nexts[i] = heads[bucket];
			heads[bucket] = i + 1;
		}
	}
	pnGiveBack( &scratch );
	return true;
}

// ---- nearest ----

typedef struct pnSplit
{
	const pnVec3* points;
	int axis;
} pnSplit;

static bool pnIsBefore( pnSplit split, int32_t a, int32_t b )
{
	float x = pnGetAxis( split.points + a, split.axis ), y = pnGetAxis( split.points + b, split.axis );
	return x < y || ( x == y && a < b );
}

// Puts the middle of nodes[begin, end) where it would be after sorting. The pivots are scattered, so no input is slow by its shape.
static void pnSelectMiddle( int32_t* nodes, int begin, int end, pnSplit split )
{
	int middle = begin + ( end - begin ) / 2;
	uint32_t random = 12345u;
	while ( end - begin > 1 )
	{
		random = random * 1664525u + 1013904223u;
		int32_t pivot = nodes[begin + (int)( ( random >> 8 ) % (uint32_t)( end - begin ) )];
		int low = begin, high = end - 1;
		while ( low <= high )
		{
			while ( pnIsBefore( split, nodes[low], pivot ) )
			{
				low += 1;
			}
			while ( pnIsBefore( split, pivot, nodes[high] ) )
			{
				high -= 1;
			}
			if ( low <= high )
			{
				int32_t swap = nodes[low];
				nodes[low++] = nodes[high];
				nodes[high--] = swap;
			}
		}
		if ( middle <= high )
		{
			end = high + 1;
		}
		else if ( middle >= low )
		{
			begin = low;
		}
		else
		{
			return;
		}
	}
}

static void pnSplitNodes( pnPointTree* tree, int begin, int end )
{
	while ( begin < end )
	{
		pnAABB bounds = { tree->points[tree->nodes[begin]], tree->points[tree->nodes[begin]] };
		for ( int i = begin + 1; i < end; ++i )
		{
			bounds.lower = pnMin3( bounds.lower, tree->points[tree->nodes[i]] );
			bounds.upper = pnMax3( bounds.upper, tree->points[tree->nodes[i]] );
		}
		pnVec3 size = pnSub( bounds.upper, bounds.lower );
		int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
		int middle = begin + ( end - begin ) / 2;
		pnSelectMiddle( tree->nodes, begin, end, (pnSplit){ tree->points, axis } );
		tree->bounds[middle] = bounds;
		pnSplitNodes( tree, begin, middle );
		begin = middle + 1;
	}
}

bool pnBuildPointTree( pnPointTree* tree, const pnVec3* points, const int32_t* subset, int count, pnScratch* scratch )
{
	*tree = (pnPointTree){ points, pnTakeArray( scratch, int32_t, count ), pnTakeArray( scratch, pnAABB, count ), count };
	if ( scratch->failed )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		tree->nodes[i] = subset != NULL ? subset[i] : i;
	}
	pnSplitNodes( tree, 0, count );
	return true;
}

typedef struct pnSearch
{
	pnVec3 place;
	double limit2;
	int wanted, count;
	int32_t* found;
	double* distances2;
} pnSearch;

static void pnConsider( pnSearch* search, int32_t point, double distance2 )
{
	int32_t* found = search->found;
	double* distances2 = search->distances2;
	int at = search->count;
	if ( distance2 > search->limit2 )
	{
		return;
	}
	if ( at == search->wanted )
	{
		at -= 1;
		if ( at < 0 || distance2 > distances2[at] || ( distance2 == distances2[at] && point > found[at] ) )
		{
			return;
		}
	}
	else
	{
		search->count += 1;
	}
	for ( ; at > 0 && ( distance2 < distances2[at - 1] || ( distance2 == distances2[at - 1] && point < found[at - 1] ) ); --at )
	{
		found[at] = found[at - 1];
		distances2[at] = distances2[at - 1];
	}
	found[at] = point;
	distances2[at] = distance2;
}

// Squared distance of the bounds of a range; far away for an empty one.
static double pnGetRangeDistance2( const pnPointTree* tree, int begin, int end, const pnVec3* place )
{
	if ( begin == end )
	{
		return 1e300;
	}
	const pnAABB* bounds = tree->bounds + begin + ( end - begin ) / 2;
	pnVec3 nearest = pnMin3( pnMax3( *place, bounds->lower ), bounds->upper );
	return pnDistance2( place, &nearest );
}

// Not for ties: a thousand points in one place would all be looked at.
static bool pnIsBeyond( const pnSearch* search, double distance2 )
{
	return distance2 > search->limit2 || ( search->count == search->wanted && distance2 >= search->distances2[search->count - 1] );
}

// A range of three at most, without its bounds: those on both sides of the middle are one point each.
static void pnSearchLeaf( const pnPointTree* tree, int begin, int end, int middle, pnSearch* search )
{
	double before2 = begin < middle ? pnDistance2( &search->place, tree->points + tree->nodes[begin] ) : 1e300;
	double after2 = middle + 1 < end ? pnDistance2( &search->place, tree->points + tree->nodes[end - 1] ) : 1e300;
	for ( int i = 0; i < 2; ++i )
	{
		bool first = ( before2 <= after2 ) == ( i == 0 );
		int at = first ? begin : end - 1;
		double distance2 = first ? before2 : after2;
		if ( at != middle && !pnIsBeyond( search, distance2 ) )
		{
			pnConsider( search, tree->nodes[at], distance2 );
		}
	}
}

static void pnSearchNodes( const pnPointTree* tree, int begin, int end, double distance2, pnSearch* search )
{
	while ( begin < end )
	{
		if ( pnIsBeyond( search, distance2 ) )
		{
			return;
		}
		int middle = begin + ( end - begin ) / 2;
		pnConsider( search, tree->nodes[middle], pnDistance2( tree->points + tree->nodes[middle], &search->place ) );
		if ( end - begin <= 3 )
		{
			pnSearchLeaf( tree, begin, end, middle, search );
			return;
		}
		double before2 = pnGetRangeDistance2( tree, begin, middle, &search->place );
		double after2 = pnGetRangeDistance2( tree, middle + 1, end, &search->place );
		bool first = before2 <= after2;
		pnSearchNodes( tree, first ? begin : middle + 1, first ? middle : end, first ? before2 : after2, search );
		begin = first ? middle + 1 : begin;
		end = first ? end : middle;
		distance2 = first ? after2 : before2;
	}
}

int pnFindNearestWithin( const pnPointTree* tree, pnVec3 place, double limit2, int wanted, int32_t* found, double* distances2 )
{
	pnSearch search = { place, limit2, wanted, 0, found, distances2 };
	pnSearchNodes( tree, 0, tree->count, 0.0, &search );
	return search.count;
}

int pnFindNearest( const pnPointTree* tree, pnVec3 place, int wanted, int32_t* found, double* distances2 )
{
	return pnFindNearestWithin( tree, place, 1e300, wanted, found, distances2 );
}

double pnGetFarthest2( const pnPointTree* tree, pnVec3 place, const int32_t* points, int count, int wanted )
{
	double farthest2 = count < wanted ? 1e300 : 0.0;
	for ( int i = 0; i < count; ++i )
	{
		double distance2 = pnDistance2( tree->points + points[i], &place );
		farthest2 = distance2 > farthest2 ? distance2 : farthest2;
	}
	return farthest2;
}

// ---- cells ----

enum { PN_MOST_CELLS = 33 }; // along an axis

static int pnGetCell( const pnPointCells* cells, double at, int axis )
{
	double cell = ( at - cells->lower[axis] ) * cells->perCell;
	return cell <= 0.0 ? 0 : cell >= (double)cells->counts[axis] ? cells->counts[axis] - 1 : (int)cell;
}

bool pnFillPointCells( pnPointCells* cells, const pnVec3* points, int count, double edge, pnScratch* scratch )
{
	pnAABB bounds = pnFindBounds( points, count );
	double least = (double)pnGetLargestExtent( bounds ) / ( PN_MOST_CELLS - 1 );
	edge = edge > least ? edge : least;
	*cells = (pnPointCells){ .points = points, .perCell = edge > 0.0 ? 1.0 / edge : 0.0 };
	int total = 1;
	for ( int k = 0; k < 3; ++k )
	{
		cells->lower[k] = (double)pnGetAxis( &bounds.lower, k );
		cells->counts[k] = 1 + (int)( ( (double)pnGetAxis( &bounds.upper, k ) - cells->lower[k] ) * cells->perCell );
		total *= cells->counts[k];
	}
	cells->starts = pnTakeArray( scratch, int32_t, total + 2 );
	cells->inside = pnTakeRawArray( scratch, int32_t, count );
	for ( int pass = 0; pass < 2 && !scratch->failed; ++pass ) // how many, then where
	{
		for ( int i = 0; i < count; ++i )
		{
			int x = pnGetCell( cells, (double)points[i].x, 0 ), y = pnGetCell( cells, (double)points[i].y, 1 ), z = pnGetCell( cells, (double)points[i].z, 2 );
			int cell = ( z * cells->counts[1] + y ) * cells->counts[0] + x;
			if ( pass == 0 )
			{
				cells->starts[cell + 2] += 1;
			}
			else
			{
				cells->inside[cells->starts[cell + 1]++] = i;
			}
		}
		for ( int cell = 0; cell < total && pass == 0; ++cell )
		{
			cells->starts[cell + 2] += cells->starts[cell + 1];
		}
	}
	return !scratch->failed;
}

// Cells along one axis from the one that a place is in outward, with how far from it they begin.
typedef struct pnCellWay { int count, cells[PN_MOST_CELLS]; double gaps2[PN_MOST_CELLS]; } pnCellWay;

static void pnLayCellWay( const pnPointCells* cells, double at, double farthest, int axis, pnCellWay* way )
{
	const double slack = 1e-6; // of a cell: rounding may not leave out a point
	int from = pnGetCell( cells, at - farthest, axis ), to = pnGetCell( cells, at + farthest, axis ), below = pnGetCell( cells, at, axis ), above = below + 1;
	double along = ( at - cells->lower[axis] ) * cells->perCell, edge = cells->perCell > 0.0 ? 1.0 / cells->perCell : 0.0;
	way->count = 0;
	while ( below >= from || above <= to )
	{
		double before = along - slack - (double)below - 1.0, after = (double)above - along - slack;
		bool down = above > to || ( below >= from && before <= after );
		double gap = ( down ? before : after ) * edge;
		way->cells[way->count] = down ? below-- : above++;
		way->gaps2[way->count++] = gap > 0.0 ? gap * gap : 0.0;
	}
}

int32_t pnFindNearestUnmarked( const pnPointCells* cells, pnVec3 place, double farthest, const int32_t* marks, int32_t mark, double* distance2 )
{
	double limit2 = farthest * farthest;
	int32_t nearest = -1;
	pnCellWay y, z;
	pnLayCellWay( cells, (double)place.y, farthest, 1, &y );
	pnLayCellWay( cells, (double)place.z, farthest, 2, &z );
	int from = pnGetCell( cells, (double)place.x - farthest, 0 ), to = pnGetCell( cells, (double)place.x + farthest, 0 );
	for ( int k = 0; k < z.count && z.gaps2[k] <= limit2; ++k )
	{
		for ( int j = 0; j < y.count && z.gaps2[k] + y.gaps2[j] <= limit2; ++j )
		{
			int row = ( z.cells[k] * cells->counts[1] + y.cells[j] ) * cells->counts[0];
			for ( int i = cells->starts[row + from]; i < cells->starts[row + to + 1]; ++i )
			{
				int32_t point = cells->inside[i];
				if ( marks[point] == mark )
				{
					continue;
				}
				double away2 = pnDistance2( cells->points + point, &place );
				if ( away2 < limit2 || ( away2 == limit2 && ( nearest < 0 || point < nearest ) ) )
				{
					limit2 = away2, nearest = point;
				}
			}
		}
	}
	*distance2 = limit2;
	return nearest;
}

int pnFindNearestInCells( const pnPointCells* cells, pnVec3 place, double farthest, int wanted, int32_t* found, double* distances2 )
{
	pnSearch search = { place, farthest * farthest, wanted, 0, found, distances2 };
	pnCellWay y, z;
	pnLayCellWay( cells, (double)place.y, farthest, 1, &y );
	pnLayCellWay( cells, (double)place.z, farthest, 2, &z );
	int from = pnGetCell( cells, (double)place.x - farthest, 0 ), to = pnGetCell( cells, (double)place.x + farthest, 0 );
	for ( int k = 0; k < z.count && z.gaps2[k] <= search.limit2; ++k )
	{
		for ( int j = 0; j < y.count && z.gaps2[k] + y.gaps2[j] <= search.limit2; ++j )
		{
			int row = ( z.cells[k] * cells->counts[1] + y.cells[j] ) * cells->counts[0];
			for ( int i = cells->starts[row + from]; i < cells->starts[row + to + 1]; ++i )
			{
				double distance2 = pnDistance2( cells->points + cells->inside[i], &place );
				if ( distance2 <= search.limit2 )
				{
					pnConsider( &search, cells->inside[i], distance2 );
					search.limit2 = search.count == wanted ? distances2[wanted - 1] : search.limit2;
				}
			}
		}
	}
	return search.count;
}

// ---- from place to place ----

bool pnStartNearSearch( pnNearSearch* search, const pnVec3* points, int count, pnScratch* scratch )
{
	const double flat = 1e-3; // of the largest extent: what is thinner is a sheet
	pnAABB bounds = pnFindBounds( points, count );
	double size = (double)pnGetLargestExtent( bounds ), volume = 1.0;
	for ( int k = 0; k < 3; ++k )
	{
		double extent = (double)pnGetAxis( &bounds.upper, k ) - (double)pnGetAxis( &bounds.lower, k );
		volume *= extent > flat * size ? extent : flat * size;
	}
	double spacing = size > 0.0 ? pnCbrt( volume / count ) : 0.0;
	*search = (pnNearSearch){ .points = points, .count = count, .scratch = scratch, .reach = 2.0 * spacing };
	return pnFillPointCells( &search->cells, points, count, spacing, scratch );
}

int pnFindNear( pnNearSearch* search, pnVec3 place, int wanted )
{
	const double rounding = 1.0 + 1e-12;
	PN_ASSERT( wanted <= PN_NEAR_LIMIT );
	int looked = wanted < search->count ? wanted + 1 : search->count; // the last one tells whether the others are beyond doubt
	double reach2 = 0.0, reach = search->reach;
	for ( int i = 0; i < looked && search->foundCount >= looked; ++i )
	{
		double distance2 = pnDistance2( search->points + search->found[i], &place );
		reach2 = distance2 > reach2 ? distance2 : reach2;
	}
	if ( search->foundCount >= looked && rounding * __builtin_sqrt( reach2 ) < reach )
	{
		reach = rounding * __builtin_sqrt( reach2 );
	}
	search->foundCount = pnFindNearestInCells( &search->cells, place, reach, looked, search->found, search->distances2 );
	while ( search->foundCount < looked && reach < 1e30 )
	{
		reach = 1.5 * reach + 1e-30;
		search->foundCount = pnFindNearestInCells( &search->cells, place, reach, looked, search->found, search->distances2 );
	}
	if ( search->foundCount <= wanted || search->distances2[wanted - 1] < search->distances2[wanted] )
	{
		return search->foundCount < wanted ? search->foundCount : wanted;
	}
	if ( search->tree.points == NULL && !pnBuildPointTree( &search->tree, search->points, NULL, search->count, search->scratch ) )
	{
		return 0;
	}
	search->foundCount = pnFindNearest( &search->tree, place, wanted, search->found, search->distances2 );
	return search->foundCount;
}
