// hash_grid.c - points or triangles in the hashed cells of a grid (Teschner et al. 2003), and segments and rays against the triangles.
// Knows arrays of particles and an arena; no bodies, no response.
#include "hash_grid.h"

#include <math.h>

// Cells an item may fill on average. A surface whose cells are as long as its edges needs 3 to 6; one with few large triangles among
// many small ones would need far more, and gets larger cells instead.
static const int pn_entriesPerItem = 8;
// Cells along the longest axis: more cannot be needed, and their numbers stay small integers.
static const int pn_mostCellsOnAxis = 1024;

// ---- room ----

void* pnTakeRoom( pnArena* arena, size_t count, size_t size )
{
	uintptr_t base = (uintptr_t)arena->memory;
	size_t offset = (size_t)( ( ( base + arena->used + 15 ) & ~(uintptr_t)15 ) - base );
	arena->used = offset + count * size;
	return arena->used <= arena->size ? arena->memory + offset : NULL;
}

bool pnHasRoom( pnArena* arena )
{
	if ( arena->used <= arena->size )
	{
		return true;
	}
	arena->wanted = arena->used + 15; // memory may begin anywhere the next time
	return false;
}

// ---- boxes ----

pnExtents pnGetItemExtents( const pnItems* items, int item )
{
	const int32_t* corners = items->corners + items->cornerCount * item;
	pnExtents box;
	pnLoadPlace( items->x, corners[0], box.lower );
	memcpy( box.upper, box.lower, sizeof( box.upper ) );
	for ( int k = 1; k < items->cornerCount; ++k )
	{
		const float* x = items->x + 4 * corners[k];
		for ( int axis = 0; axis < 3; ++axis )
		{
			double coordinate = (double)x[axis];
			box.lower[axis] = coordinate < box.lower[axis] ? coordinate : box.lower[axis];
			box.upper[axis] = coordinate > box.upper[axis] ? coordinate : box.upper[axis];
		}
	}
	return box;
}

pnExtents pnFromBounds( const pnAABB* bounds )
{
	return (pnExtents){
		{ (double)bounds->lower.x, (double)bounds->lower.y, (double)bounds->lower.z },
		{ (double)bounds->upper.x, (double)bounds->upper.y, (double)bounds->upper.z },
	};
}

bool pnIntersectBounds( const pnAABB* a, const pnAABB* b, pnExtents* common )
{
	pnExtents boxes[2] = { pnFromBounds( a ), pnFromBounds( b ) };
	for ( int axis = 0; axis < 3; ++axis )
	{
		double lower = boxes[0].lower[axis] > boxes[1].lower[axis] ? boxes[0].lower[axis] : boxes[1].lower[axis];
		double upper = boxes[0].upper[axis] < boxes[1].upper[axis] ? boxes[0].upper[axis] : boxes[1].upper[axis];
		double size = boxes[0].upper[axis] - boxes[0].lower[axis] + ( boxes[1].upper[axis] - boxes[1].lower[axis] );
		if ( !( lower <= upper ) || !( size < 1e30 ) ) // larger than float can say how deep
		{
			return false;
		}
		common->lower[axis] = lower, common->upper[axis] = upper;
	}
	return true;
}

double pnGetTypicalEdge( const pnItems* items )
{
	double sum = 0.0;
	int count = 0, stride = 1 + items->count / 64; // some of them are enough
	for ( int i = 0; i < items->count; i += stride )
	{
		const int32_t* corners = items->corners + items->cornerCount * i;
		for ( int j = 1; j < items->cornerCount; ++j )
		{
			for ( int k = 0; k < j; ++k, ++count )
			{
				double a[3], b[3];
				pnLoadPlace( items->x, corners[j], a );
				pnLoadPlace( items->x, corners[k], b );
				double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
				sum += x * x + y * y + z * z;
			}
		}
	}
	return count > 0 ? sqrt( sum / (double)count ) : 0.0;
}

// ---- the grid ----

typedef struct pnHashedCells { int from[3], to[3]; } pnHashedCells;

static int pnGetCellOnAxis( const pnHashGrid* grid, int axis, double coordinate )
{
	double place = ( coordinate - grid->region.lower[axis] ) * grid->perCell;
	int last = grid->cells[axis] - 1;
	return !( place > 0.0 ) ? 0 : place < (double)last ? (int)place : last; // not a number: the first
}

static pnHashedCells pnGetHashedCells( const pnHashGrid* grid, const pnExtents* box )
{
	pnHashedCells range;
	for ( int axis = 0; axis < 3; ++axis )
	{
		range.from[axis] = pnGetCellOnAxis( grid, axis, box->lower[axis] );
		range.to[axis] = pnGetCellOnAxis( grid, axis, box->upper[axis] );
	}
	return range;
}

static int64_t pnCountHashedCells( const pnHashedCells* range )
{
	return (int64_t)( range->to[0] - range->from[0] + 1 ) * ( range->to[1] - range->from[1] + 1 ) * ( range->to[2] - range->from[2] + 1 );
}

// The function of Teschner et al.
static int pnGetBucket( const pnHashGrid* grid, int x, int y, int z )
{
	uint32_t hash = (uint32_t)x * 73856093u ^ (uint32_t)y * 19349663u ^ (uint32_t)z * 83492791u;
	return (int)( hash & (uint32_t)( grid->bucketCount - 1 ) );
}

void pnTakeHashGrid( pnHashGrid* grid, int itemCount, pnArena* arena )
{
	*grid = (pnHashGrid){ .bucketCount = 16, .entryCapacity = pn_entriesPerItem * itemCount };
	while ( grid->bucketCount < itemCount )
	{
		grid->bucketCount *= 2;
	}
	grid->starts = pnTakeRoomFor( arena, int32_t, grid->bucketCount + 1 );
	grid->entries = pnTakeRoomFor( arena, int32_t, grid->entryCapacity );
	grid->stamps = pnTakeRoomFor( arena, int32_t, itemCount );
	grid->met = pnTakeRoomFor( arena, int32_t, itemCount );
}

static void pnSetCellSize( pnHashGrid* grid, double cell )
{
	grid->cell = cell;
	grid->perCell = 1.0 / cell;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double count = ( grid->region.upper[axis] - grid->region.lower[axis] ) * grid->perCell;
		grid->cells[axis] = 1 + (int)count;
	}
}

// Counts the entries of each bucket in starts[bucket]. False: too many.
static bool pnCountEntries( pnHashGrid* grid )
{
	memset( grid->starts, 0, ( (size_t)grid->bucketCount + 1 ) * sizeof( int32_t ) );
	int64_t total = 0;
	for ( int i = 0; i < grid->items.count; ++i )
	{
		pnExtents box = pnGetItemExtents( &grid->items, i );
		pnHashedCells r = pnGetHashedCells( grid, &box );
		total += pnCountHashedCells( &r );
		if ( total > grid->entryCapacity )
		{
			return false;
		}
		for ( int z = r.from[2]; z <= r.to[2]; ++z )
		{
			for ( int y = r.from[1]; y <= r.to[1]; ++y )
			{
				for ( int x = r.from[0]; x <= r.to[0]; ++x )
				{
					grid->starts[pnGetBucket( grid, x, y, z )] += 1;
				}
			}
		}
	}
	return true;
}

void pnBuildHashGrid( pnHashGrid* grid, const pnItems* items, const pnExtents* region, double cell )
{
	grid->items = *items;
	grid->region = *region;
	grid->search = 0;
	memset( grid->stamps, 0, (size_t)items->count * sizeof( int32_t ) );
	double extent = 0.0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double size = region->upper[axis] - region->lower[axis];
		extent = size > extent ? size : extent;
	}
	double least = extent / (double)pn_mostCellsOnAxis;
	cell = cell > least ? cell : least;
	cell = cell > 0.0 ? cell : 1.0;
	pnSetCellSize( grid, cell );
	while ( !pnCountEntries( grid ) ) // ends: one cell holds every item once
	{
		cell *= 2.0;
		pnSetCellSize( grid, cell );
	}
	int32_t end = 0;
	for ( int bucket = 0; bucket < grid->bucketCount; ++bucket )
	{
		end += grid->starts[bucket];
		grid->starts[bucket] = end;
	}
	grid->starts[grid->bucketCount] = end;
	for ( int i = items->count - 1; i >= 0; --i )
	{
		pnExtents box = pnGetItemExtents( items, i );
		pnHashedCells r = pnGetHashedCells( grid, &box );
		for ( int z = r.from[2]; z <= r.to[2]; ++z )
		{
			for ( int y = r.from[1]; y <= r.to[1]; ++y )
			{
				for ( int x = r.from[0]; x <= r.to[0]; ++x )
				{
					grid->entries[--grid->starts[pnGetBucket( grid, x, y, z )]] = i;
				}
			}
		}
	}
}

void pnBeginSearch( pnHashGrid* grid )
{
	grid->search += 1;
}

int pnMeetItems( pnHashGrid* grid, const pnExtents* box, int count )
{
	pnHashedCells r = pnGetHashedCells( grid, box );
	if ( pnCountHashedCells( &r ) >= grid->bucketCount ) // no fewer looks than there are items
	{
		for ( int i = 0; i < grid->items.count; ++i )
		{
			if ( grid->stamps[i] != grid->search )
			{
				grid->stamps[i] = grid->search;
				grid->met[count++] = i;
			}
		}
		return count;
	}
	for ( int z = r.from[2]; z <= r.to[2]; ++z )
	{
		for ( int y = r.from[1]; y <= r.to[1]; ++y )
		{
			for ( int x = r.from[0]; x <= r.to[0]; ++x )
			{
				int bucket = pnGetBucket( grid, x, y, z );
				for ( int32_t k = grid->starts[bucket]; k < grid->starts[bucket + 1]; ++k )
				{
					int32_t item = grid->entries[k];
					if ( grid->stamps[item] != grid->search )
					{
						grid->stamps[item] = grid->search;
						grid->met[count++] = item;
					}
				}
			}
		}
	}
	return count;
}

// ---- triangles ----

bool pnCrossTriangle( const pnItems* triangles, int triangle, const double from[3], const double along[3], pnCrossing* crossing )
{
	double corners[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		const float* x = triangles->x + 4 * triangles->corners[3 * triangle + k];
		for ( int axis = 0; axis < 3; ++axis )
		{
			corners[k][axis] = (double)x[axis] - from[axis];
		}
	}
	// Six times the volume between the way and each edge. Seen from the other triangle of an edge, it is the same with the other sign,
	// to the bit.
	double volumes[3];
	for ( int k = 0; k < 3; ++k )
	{
		double normal[3];
		pnCross3d( corners[( k + 1 ) % 3], corners[( k + 2 ) % 3], normal );
		volumes[k] = pnDot3d( along, normal );
		if ( volumes[0] * volumes[k] < 0.0 )
		{
			return false; // passes on different sides: most are done with here
		}
	}
	bool out = volumes[0] >= 0.0 && volumes[1] >= 0.0 && volumes[2] >= 0.0;
	bool in = volumes[0] <= 0.0 && volumes[1] <= 0.0 && volumes[2] <= 0.0;
	double sum = volumes[0] + volumes[1] + volumes[2];
	if ( !( out || in ) || sum == 0.0 )
	{
		return false;
	}
	// The place from the weights, not from the plane: so it is on the triangle, however thin that is.
	double t = 0.0;
	for ( int k = 0; k < 3; ++k )
	{
		crossing->weights[k] = volumes[k] / sum;
		t += crossing->weights[k] * pnDot3d( corners[k], along );
	}
	crossing->t = t / pnDot3d( along, along );
	crossing->facing = sum;
	crossing->triangle = triangle;
	return crossing->t - crossing->t == 0.0;
}

bool pnGetTriangleNormal( const pnItems* triangles, int triangle, double normal[3] )
{
	const int32_t* t = triangles->corners + 3 * triangle;
	double a[3], b[3], c[3];
	pnLoadPlace( triangles->x, t[0], a );
	pnLoadPlace( triangles->x, t[1], b );
	pnLoadPlace( triangles->x, t[2], c );
	double longest2 = 0.0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		b[axis] -= a[axis], c[axis] -= a[axis];
	}
	double bb = pnDot3d( b, b ), cc = pnDot3d( c, c ), cb = bb + cc - 2.0 * pnDot3d( b, c );
	longest2 = bb > cc ? bb : cc;
	longest2 = longest2 > cb ? longest2 : cb;
	pnCross3d( b, c, normal );
	return pnMakeUnit( normal, 1e-6 * longest2 ); // thinner than that, rounding of float positions decides where it looks
}

pnCrossing pnCastRay( pnHashGrid* grid, const double from[3], const double direction[3] )
{
	// No further than where it leaves the region; a cell more for what is cut off by rounding.
	double reach = INFINITY;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double wall = direction[axis] > 0.0 ? grid->region.upper[axis] : grid->region.lower[axis];
		double length = direction[axis] != 0.0 ? ( wall - from[axis] ) / direction[axis] : INFINITY;
		reach = length < reach ? length : reach;
	}
	reach += grid->cell;

	pnCrossing first = { .triangle = -1, .t = INFINITY };
	pnBeginSearch( grid );
	int tested = 0;
	for ( double begin = 0.0; begin < reach && begin < first.t; begin += grid->cell )
	{
		pnExtents box;
		for ( int axis = 0; axis < 3; ++axis )
		{
			double a = from[axis] + begin * direction[axis], b = from[axis] + ( begin + grid->cell ) * direction[axis];
			double slack = 1e-6 * grid->cell; // a place on the border of two cells may round into either
			box.lower[axis] = ( a < b ? a : b ) - slack, box.upper[axis] = ( a < b ? b : a ) + slack;
		}
		int count = pnMeetItems( grid, &box, tested );
		for ( ; tested < count; ++tested )
		{
			pnCrossing crossing;
			if ( pnCrossTriangle( &grid->items, grid->met[tested], from, direction, &crossing ) && crossing.t >= 0.0 &&
				 ( crossing.t < first.t || ( crossing.t == first.t && crossing.triangle < first.triangle ) ) )
			{
				first = crossing;
			}
		}
	}
	return first;
}

// ---- what is found ----

bool pnMakeUnit( double a[3], double least )
{
	double length = sqrt( pnDot3d( a, a ) );
	if ( !( length > least ) || !( length - length == 0.0 ) )
	{
		return false;
	}
	a[0] /= length, a[1] /= length, a[2] /= length;
	return true;
}

void pnSetPlace( pnFound* found, const int32_t* corners, const double* weights, int count )
{
	double sum = 0.0;
	for ( int k = 0; k < count; ++k )
	{
		sum += weights[k] > 0.0 ? weights[k] : 0.0;
	}
	for ( int k = 0; k < 4; ++k )
	{
		found->parts[k] = k < count ? corners[k] : corners[0];
		found->weights[k] = k < count && weights[k] > 0.0 ? (float)( weights[k] / sum ) : 0.0f;
	}
}
