// heights.c - a surface over a grid in x and z: how far a place is from it, where a ball meets it. Knows geometry in one frame; no shapes.
#include "heights.h"

#include <float.h>
#include <math.h>

enum
{
	PN_BLOCK_SIZE = 4, // cells along a side of the smallest block
	PN_WINDOW_CELLS = 16, // so many cells are looked at one by one; for more the blocks are asked first
	PN_BLOCK_STACK = 4 * PN_HEIGHT_LEVELS,
};

typedef struct pnBlock { int level, x, z; } pnBlock;

// ---- building ----

static int pnGetCells( int count ) { return count - 1; }

static pnHeightRange pnGetCellRange( const pnHeights* field, int x, int z )
{
	const float* row = field->heights + (size_t)z * (size_t)field->countX + (size_t)x;
	const float* next = row + field->countX;
	float low0 = row[0] < row[1] ? row[0] : row[1], low1 = next[0] < next[1] ? next[0] : next[1];
	float high0 = row[0] > row[1] ? row[0] : row[1], high1 = next[0] > next[1] ? next[0] : next[1];
	return (pnHeightRange){ low0 < low1 ? low0 : low1, high0 > high1 ? high0 : high1 };
}

static void pnSpanRange( pnHeightRange* range, pnHeightRange other )
{
	range->lowest = other.lowest < range->lowest ? other.lowest : range->lowest;
	range->highest = other.highest > range->highest ? other.highest : range->highest;
}

static double pnGetSlope2( double alongX, double alongZ, double spacing ) { return ( alongX * alongX + alongZ * alongZ ) / ( spacing * spacing ); }

static double pnGetSteepest2( const pnHeights* field )
{
	double most = 0.0;
	for ( int z = 0; z < pnGetCells( field->countZ ); ++z )
	{
		const float *row = field->heights + (size_t)z * (size_t)field->countX, *next = row + field->countX;
		for ( int x = 0; x < pnGetCells( field->countX ); ++x )
		{
			double p00 = (double)row[x], p10 = (double)row[x + 1], p01 = (double)next[x], p11 = (double)next[x + 1];
			double first = pnGetSlope2( p11 - p01, p01 - p00, field->spacing ), second = pnGetSlope2( p10 - p00, p11 - p10, field->spacing );
			most = first > most ? first : most;
			most = second > most ? second : most;
		}
	}
	return most;
}

// Fills one block from its cells, or from the four blocks it holds.
static pnHeightRange pnGatherRange( const pnHeights* field, int level, int x, int z )
{
	pnHeightRange range = { FLT_MAX, -FLT_MAX };
	int side = level == 0 ? PN_BLOCK_SIZE : 2;
	int limitX = level == 0 ? pnGetCells( field->countX ) : field->levelX[level - 1];
	int limitZ = level == 0 ? pnGetCells( field->countZ ) : field->levelZ[level - 1];
	for ( int partZ = side * z; partZ < side * ( z + 1 ) && partZ < limitZ; ++partZ )
	{
		for ( int partX = side * x; partX < side * ( x + 1 ) && partX < limitX; ++partX )
		{
			pnSpanRange( &range, level == 0 ? pnGetCellRange( field, partX, partZ )
											: field->ranges[field->levelStart[level - 1] + partZ * limitX + partX] );
		}
	}
	return range;
}

bool pnBuildHeights( const float* heights, int countX, int countZ, float spacing, pnHeights* field )
{
	*field = (pnHeights){ .heights = heights, .countX = countX, .countZ = countZ, .spacing = (double)spacing };
	int x = ( pnGetCells( countX ) + PN_BLOCK_SIZE - 1 ) / PN_BLOCK_SIZE, z = ( pnGetCells( countZ ) + PN_BLOCK_SIZE - 1 ) / PN_BLOCK_SIZE;
	for ( ;; )
	{
		field->levelStart[field->levelCount] = field->rangeCount;
		field->levelX[field->levelCount] = x;
		field->levelZ[field->levelCount++] = z;
		field->rangeCount += x * z;
		if ( x == 1 && z == 1 )
		{
			break;
		}
		x = ( x + 1 ) / 2;
		z = ( z + 1 ) / 2;
	}
	field->ranges = pnAllocArray( pnHeightRange, field->rangeCount );
	if ( field->ranges == NULL )
	{
		*field = (pnHeights){ 0 };
		return false;
	}
	for ( int level = 0; level < field->levelCount; ++level )
	{
		for ( int i = 0; i < field->levelX[level] * field->levelZ[level]; ++i )
		{
			field->ranges[field->levelStart[level] + i] = pnGatherRange( field, level, i % field->levelX[level], i / field->levelX[level] );
		}
	}
	pnAABB bounds = pnGetHeightsBounds( field );
	field->size = (double)( bounds.upper.x > bounds.upper.z ? bounds.upper.x : bounds.upper.z );
	field->size = field->size > (double)bounds.upper.y ? field->size : (double)bounds.upper.y;
	field->size = field->size > -(double)bounds.lower.y ? field->size : -(double)bounds.lower.y;
	field->perHeight = 1.0 / sqrt( 1.0 + pnGetSteepest2( field ) );
	return true;
}

void pnFreeHeights( pnHeights* field )
{
	pnFreeArray( pnHeightRange, field->ranges, field->rangeCount );
	*field = (pnHeights){ 0 };
}

size_t pnGetHeightsBytes( const pnHeights* field )
{
	return sizeof( pnHeightRange ) * (size_t)field->rangeCount;
}

pnAABB pnGetHeightsBounds( const pnHeights* field )
{
	pnHeightRange all = field->ranges[field->rangeCount - 1];
	double sizeX = field->spacing * (double)pnGetCells( field->countX ), sizeZ = field->spacing * (double)pnGetCells( field->countZ );
	return (pnAABB){ { 0.0f, all.lowest, 0.0f }, { (float)sizeX, all.highest, (float)sizeZ } };
}

// ---- cells ----

typedef struct pnCellCorners { pnFine3 p00, p10, p01, p11; } pnCellCorners; // x, z

static pnCellCorners pnGetCellCorners( const pnHeights* field, int x, int z )
{
	const float* row = field->heights + (size_t)z * (size_t)field->countX + (size_t)x;
	const float* next = row + field->countX;
	double x0 = field->spacing * (double)x, x1 = field->spacing * (double)( x + 1 );
	double z0 = field->spacing * (double)z, z1 = field->spacing * (double)( z + 1 );
	return (pnCellCorners){ { x0, (double)row[0], z0 }, { x1, (double)row[1], z0 }, { x0, (double)next[0], z1 }, { x1, (double)next[1], z1 } };
}

// The cell over which a coordinate lies, the nearest one if there is none; 0 for what is not a number.
static int pnGetCell( double coordinate, double spacing, int cells )
{
	double cell = coordinate / spacing;
	return cell > 0.0 ? cell < (double)cells ? (int)cell : cells - 1 : 0;
}

// The surface above or below the place. False: it is beside the grid.
static bool pnGetHeight( const pnHeights* field, pnFine3 place, double* height )
{
	double u = place.x / field->spacing, v = place.z / field->spacing;
	int cellsX = pnGetCells( field->countX ), cellsZ = pnGetCells( field->countZ );
	if ( !( u >= 0.0 && u <= (double)cellsX && v >= 0.0 && v <= (double)cellsZ ) )
	{
		return false;
	}
	int x = pnGetCell( place.x, field->spacing, cellsX ), z = pnGetCell( place.z, field->spacing, cellsZ );
	pnCellCorners corners = pnGetCellCorners( field, x, z );
	u -= (double)x;
	v -= (double)z;
	double middle = v > u ? corners.p01.y : corners.p10.y;
	*height = v > u ? corners.p00.y + v * ( middle - corners.p00.y ) + u * ( corners.p11.y - middle )
					: corners.p00.y + u * ( middle - corners.p00.y ) + v * ( corners.p11.y - middle );
	return true;
}

// Is there ground above the place?
static bool pnIsBelow( const pnHeights* field, pnFine3 place )
{
	double height;
	return pnGetHeight( field, place, &height ) && place.y < height;
}

// From the ground below the place no slope is steeper than the steepest: all of the surface is under that cone.
bool pnAreHeightsBeyond( const pnHeights* field, pnVec3 place, double reach )
{
	double height, far = 1.0001 * reach + 1e-5 * field->size; // more than rounding makes of it
	return pnGetHeight( field, pnFine( place ), &height ) && ( (double)place.y - height ) * field->perHeight > far;
}

static pnFine3 pnGetNormal( pnFine3 a, pnFine3 b, pnFine3 c )
{
	pnFine3 normal = pnCrossFine( pnSubFine( b, a ), pnSubFine( c, a ) );
	return pnScaleFine( 1.0 / sqrt( pnDotFine( normal, normal ) ), normal );
}

// ---- nearest ----

typedef struct pnNearestCell
{
	pnFine3 place;
	pnNearPart near;
	int x, z, half; // the cell, and which of its triangles
	int homeX, homeZ; // the cell under the place, which is tried first
} pnNearestCell;

static double pnSquareBeyond( double place, double lower, double upper )
{
	double beyond = place < lower ? lower - place : place > upper ? place - upper : 0.0;
	return beyond * beyond;
}

// Of a box over the cells [x0, x1) x [z0, z1).
static double pnGetRangeDistance2( const pnHeights* field, pnFine3 place, int x0, int x1, int z0, int z1, pnHeightRange range )
{
	return pnSquareBeyond( place.x, field->spacing * (double)x0, field->spacing * (double)x1 ) +
		   pnSquareBeyond( place.z, field->spacing * (double)z0, field->spacing * (double)z1 ) +
		   pnSquareBeyond( place.y, (double)range.lowest, (double)range.highest );
}

static void pnTryCell( const pnHeights* field, pnNearestCell* best, int x, int z )
{
	pnCellCorners corners = pnGetCellCorners( field, x, z );
	for ( int half = 0; half < 2; ++half )
	{
		pnNearPart near = half == 0 ? pnFindNearPart( corners.p00, corners.p01, corners.p11, best->place )
									: pnFindNearPart( corners.p00, corners.p11, corners.p10, best->place );
		if ( near.distance2 < best->near.distance2 )
		{
			best->near = near;
			best->x = x;
			best->z = z;
			best->half = half;
		}
	}
}

// All cells in [x0, x1) x [z0, z1) that may be nearer.
static void pnTryCells( const pnHeights* field, pnNearestCell* best, int x0, int x1, int z0, int z1 )
{
	for ( int z = z0; z < z1; ++z )
	{
		for ( int x = x0; x < x1; ++x )
		{
			bool home = x == best->homeX && z == best->homeZ;
			if ( !home && pnGetRangeDistance2( field, best->place, x, x + 1, z, z + 1, pnGetCellRange( field, x, z ) ) < best->near.distance2 )
			{
				pnTryCell( field, best, x, z );
			}
		}
	}
}

static int pnLeast( int a, int b ) { return a < b ? a : b; }

static void pnTryBlocks( const pnHeights* field, pnNearestCell* best )
{
	struct { pnBlock block; double distance2; } stack[PN_BLOCK_STACK];
	int stackCount = 0;
	int cellsX = pnGetCells( field->countX ), cellsZ = pnGetCells( field->countZ );
	stack[stackCount].block = (pnBlock){ field->levelCount - 1, 0, 0 };
	stack[stackCount++].distance2 = 0.0;
	while ( stackCount > 0 )
	{
		pnBlock block = stack[--stackCount].block;
		if ( !( stack[stackCount].distance2 < best->near.distance2 ) )
		{
			continue;
		}
		if ( block.level == 0 )
		{
			pnTryCells( field, best, PN_BLOCK_SIZE * block.x, pnLeast( PN_BLOCK_SIZE * ( block.x + 1 ), cellsX ), PN_BLOCK_SIZE * block.z,
						pnLeast( PN_BLOCK_SIZE * ( block.z + 1 ), cellsZ ) );
			continue;
		}
		int level = block.level - 1, base = stackCount, side = PN_BLOCK_SIZE << level;
		for ( int part = 0; part < 4; ++part )
		{
			int x = 2 * block.x + ( part & 1 ), z = 2 * block.z + ( part >> 1 );
			if ( x >= field->levelX[level] || z >= field->levelZ[level] )
			{
				continue;
			}
			pnHeightRange range = field->ranges[field->levelStart[level] + z * field->levelX[level] + x];
			double distance2 = pnGetRangeDistance2( field, best->place, side * x, pnLeast( side * ( x + 1 ), cellsX ), side * z,
													pnLeast( side * ( z + 1 ), cellsZ ), range );
			if ( !( distance2 < best->near.distance2 ) )
			{
				continue;
			}
			// The nearest one on top.
			int to = stackCount++;
			while ( to > base && stack[to - 1].distance2 < distance2 )
			{
				stack[to] = stack[to - 1];
				to -= 1;
			}
			stack[to].block = (pnBlock){ level, x, z };
			stack[to].distance2 = distance2;
		}
	}
}

double pnMeasureHeights( const pnHeights* field, pnVec3 place, pnFine3* outward )
{
	int cellsX = pnGetCells( field->countX ), cellsZ = pnGetCells( field->countZ );
	pnNearestCell best = { .place = pnFine( place ), .near = { .distance2 = DBL_MAX } };
	best.homeX = pnGetCell( best.place.x, field->spacing, cellsX );
	best.homeZ = pnGetCell( best.place.z, field->spacing, cellsZ );
	pnTryCell( field, &best, best.homeX, best.homeZ );
	double reach = sqrt( best.near.distance2 );
	int x0 = pnGetCell( best.place.x - reach, field->spacing, cellsX ), x1 = pnGetCell( best.place.x + reach, field->spacing, cellsX ) + 1;
	int z0 = pnGetCell( best.place.z - reach, field->spacing, cellsZ ), z1 = pnGetCell( best.place.z + reach, field->spacing, cellsZ ) + 1;
	if ( (int64_t)( x1 - x0 ) * (int64_t)( z1 - z0 ) <= PN_WINDOW_CELLS )
	{
		pnTryCells( field, &best, x0, x1, z0, z1 );
	}
	else
	{
		pnTryBlocks( field, &best );
	}

	double distance = sqrt( best.near.distance2 );
	double sign = pnIsBelow( field, best.place ) ? -1.0 : 1.0;
	if ( distance > 1e-7 * field->size ) // nearer than floats know, the offset has no direction
	{
		*outward = pnScaleFine( sign / distance, best.near.offset );
	}
	else
	{
		pnCellCorners corners = pnGetCellCorners( field, best.x, best.z );
		*outward = pnGetNormal( corners.p00, best.half == 0 ? corners.p01 : corners.p11, best.half == 0 ? corners.p11 : corners.p10 );
	}
	return sign * distance;
}

// ---- sweeping ----

static bool pnMeetCell( const pnHeights* field, pnSweep* sweep, int x, int z, bool met, pnFine3* outward )
{
	pnCellCorners corners = pnGetCellCorners( field, x, z );
	for ( int half = 0; half < 2; ++half )
	{
		pnFine3 a = corners.p00, b = half == 0 ? corners.p01 : corners.p11, c = half == 0 ? corners.p11 : corners.p10;
		pnFine3 normal = pnGetNormal( a, b, c );
		pnMeeting meeting;
		if ( !pnMeetTriangle( sweep, a, b, c, normal, &meeting ) || ( met && meeting.fraction >= sweep->best ) )
		{
			continue;
		}
		bool fromBelow = meeting.graze ? pnDotFine( normal, sweep->way ) > 0.0
									   : pnIsBelow( field, pnAddFine( sweep->from, pnScaleFine( meeting.fraction, sweep->way ) ) );
		if ( !fromBelow )
		{
			met = true;
			sweep->best = meeting.fraction;
			*outward = meeting.outward;
		}
	}
	return met;
}

// Cells [x0, x1) x [z0, z1).
typedef struct pnWindow { int x0, x1, z0, z1; } pnWindow;

// All cells whose boxes the ball may enter.
static pnWindow pnGetWindow( const pnHeights* field, const pnSweep* sweep )
{
	double margin = sweep->radius + 4.0 * sweep->tolerance + 1e-6 * field->spacing; // more than that of pnEnterBox
	double toX = sweep->from.x + sweep->way.x, toZ = sweep->from.z + sweep->way.z;
	double lowX = sweep->from.x < toX ? sweep->from.x : toX, highX = sweep->from.x < toX ? toX : sweep->from.x;
	double lowZ = sweep->from.z < toZ ? sweep->from.z : toZ, highZ = sweep->from.z < toZ ? toZ : sweep->from.z;
	int cellsX = pnGetCells( field->countX ), cellsZ = pnGetCells( field->countZ );
	return (pnWindow){ pnGetCell( lowX - margin, field->spacing, cellsX ), pnGetCell( highX + margin, field->spacing, cellsX ) + 1,
					   pnGetCell( lowZ - margin, field->spacing, cellsZ ), pnGetCell( highZ + margin, field->spacing, cellsZ ) + 1 };
}

static int pnMost( int a, int b ) { return a > b ? a : b; }

float pnSweepHeights( const pnHeights* field, pnVec3 from, pnVec3 to, float radius, pnVec3* outward )
{
	pnSweep sweep = pnMakeSweep( from, to, radius, field->size );
	pnFine3 found;
	double distance = pnMeasureHeights( field, from, &found );
	if ( pnStartSweep( &sweep, distance, found, true ) )
	{
		*outward = pnCoarse( found );
		return 0.0f;
	}
	if ( ( distance < 0.0 ? -distance : distance ) > sweep.radius + sweep.length + sweep.tolerance )
	{
		return 2.0f;
	}

	pnBlock stack[PN_BLOCK_STACK];
	int stackCount = 0;
	int cellsX = pnGetCells( field->countX ), cellsZ = pnGetCells( field->countZ );
	bool met = false;
	pnWindow window = pnGetWindow( field, &sweep );
	stack[stackCount++] = (pnBlock){ field->levelCount - 1, 0, 0 };
	while ( stackCount > 0 )
	{
		pnBlock block = stack[--stackCount];
		int side = PN_BLOCK_SIZE << block.level;
		int x0 = side * block.x, x1 = pnLeast( side * ( block.x + 1 ), cellsX ), z0 = side * block.z, z1 = pnLeast( side * ( block.z + 1 ), cellsZ );
		if ( x0 >= window.x1 || x1 <= window.x0 || z0 >= window.z1 || z1 <= window.z0 )
		{
			continue;
		}
		pnHeightRange range = field->ranges[field->levelStart[block.level] + block.z * field->levelX[block.level] + block.x];
		pnFine3 lower = { field->spacing * (double)x0, (double)range.lowest, field->spacing * (double)z0 };
		pnFine3 upper = { field->spacing * (double)x1, (double)range.highest, field->spacing * (double)z1 };
		if ( pnEnterBox( &sweep, lower, upper ) > sweep.best )
		{
			continue;
		}
		for ( int z = pnMost( z0, window.z0 ); block.level == 0 && z < pnLeast( z1, window.z1 ); ++z )
		{
			for ( int x = pnMost( x0, window.x0 ); x < pnLeast( x1, window.x1 ); ++x )
			{
				pnHeightRange cell = pnGetCellRange( field, x, z );
				lower = (pnFine3){ field->spacing * (double)x, (double)cell.lowest, field->spacing * (double)z };
				upper = (pnFine3){ field->spacing * (double)( x + 1 ), (double)cell.highest, field->spacing * (double)( z + 1 ) };
				if ( pnEnterBox( &sweep, lower, upper ) <= sweep.best )
				{
					met = pnMeetCell( field, &sweep, x, z, met, &found );
				}
			}
		}
		// The part the ball comes to first on top.
		int flip = ( sweep.way.x > 0.0 ? 1 : 0 ) + ( sweep.way.z > 0.0 ? 2 : 0 );
		for ( int i = 0; block.level > 0 && i < 4; ++i )
		{
			int part = i ^ flip;
			pnBlock child = { block.level - 1, 2 * block.x + ( part & 1 ), 2 * block.z + ( part >> 1 ) };
			if ( child.x < field->levelX[child.level] && child.z < field->levelZ[child.level] )
			{
				stack[stackCount++] = child;
			}
		}
	}
	if ( !met )
	{
		return 2.0f;
	}
	*outward = pnCoarse( found );
	return (float)sweep.best;
}
