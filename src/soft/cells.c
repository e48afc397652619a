// cells.c - overlapping cubes over a cloud of points: how many, who is in which, which are worth having. Knows no clusters of other kinds.
#include "cells.h"

#include "cluster.h"

#include <math.h>

enum { PN_MAX_CELLS_PER_AXIS = 1 << 20 }; // so that the three numbers of a cell fit into one key

typedef struct pnCells
{
	double lower[3], size[3]; // of the bounds, of a cell
	int counts[3];
	double overlap; // cell edges
} pnCells;

static void pnSetCells( pnCells* cells, const double extents[3], const int counts[3] )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		cells->counts[axis] = extents[axis] > 0.0 ? counts[axis] : 1;
		cells->size[axis] = extents[axis] > 0.0 ? extents[axis] / (double)counts[axis] : 1.0;
	}
}

static int pnClampCell( double cell, int count )
{
	return cell <= 0.0 ? 0 : cell >= (double)count ? count - 1 : (int)cell;
}

// Cells [from, to] that cover a place along each axis. Without overlap a place is in one cell.
static void pnFindCells( const pnCells* cells, const pnVec3* place, double overlap, int from[3], int to[3] )
{
	for ( int axis = 0; axis < 3; ++axis )
	{
		double at = ( (double)pnGetAxis( place, axis ) - cells->lower[axis] ) / cells->size[axis];
		int home = pnClampCell( floor( at ), cells->counts[axis] );
		from[axis] = overlap > 0.0 ? pnClampCell( ceil( at - 1.0 - overlap ), cells->counts[axis] ) : home;
		to[axis] = overlap > 0.0 ? pnClampCell( floor( at + overlap ), cells->counts[axis] ) : home;
	}
}

// Cells that have been met, numbered in the order of meeting.
typedef struct pnCellTable
{
	uint64_t* keys; // 1 + key, 0 is empty
	int32_t* ids;
	uint32_t mask;
	int count;
} pnCellTable;

static bool pnTakeCellTable( pnCellTable* table, int capacity, pnScratch* scratch )
{
	uint32_t size = 64;
	while ( size < 2u * (uint32_t)capacity )
	{
		size *= 2;
	}
	*table = (pnCellTable){ pnTakeArray( scratch, uint64_t, size ), pnTakeArray( scratch, int32_t, size ), size - 1, 0 };
	return !scratch->failed;
}

static int pnFindCell( pnCellTable* table, int x, int y, int z )
{
	uint64_t key = ( (uint64_t)z << 40 | (uint64_t)y << 20 | (uint64_t)x ) + 1;
	uint64_t hash = key * 0x9e3779b97f4a7c15ull;
	uint32_t at = (uint32_t)( hash >> 32 ) & table->mask;
	while ( table->keys[at] != key )
	{
		if ( table->keys[at] == 0 )
		{
			table->keys[at] = key;
			table->ids[at] = table->count++;
			break;
		}
		at = ( at + 1 ) & table->mask;
	}
	return table->ids[at];
}

// Cells that hold a point, without overlap.
static int pnCountOccupied( const pnCells* cells, const pnVec3* points, int pointCount, pnCellTable* table )
{
	memset( table->keys, 0, ( (size_t)table->mask + 1 ) * sizeof( uint64_t ) );
	table->count = 0;
	for ( int p = 0; p < pointCount; ++p )
	{
		int from[3], to[3];
		pnFindCells( cells, points + p, 0.0, from, to );
		pnFindCell( table, from[0], from[1], from[2] );
	}
	return table->count;
}

// Cells by number: as cubic as the bounds allow, and as near to the wanted number of occupied ones as that goes.
static bool pnChooseCells( pnCells* cells, const double extents[3], int wanted, const pnVec3* points, int pointCount )
{
	pnScratch scratch = { 0 };
	pnCellTable table;
	if ( !pnTakeCellTable( &table, pointCount, &scratch ) )
	{
		pnGiveBack( &scratch );
		return false;
	}
	// Finer by a seventh each time, while there are too few cells; then an axis at a time, the one with the longest cells.
	double largest = extents[0] > extents[1] ? extents[0] : extents[1];
	largest = largest > extents[2] ? largest : extents[2];
	int counts[3] = { 1, 1, 1 }, limits[3] = { 1, 1, 1 };
	for ( double size = largest * 0.875; size > largest / (double)PN_MAX_CELLS_PER_AXIS; size *= 0.875 )
	{
		for ( int axis = 0; axis < 3; ++axis )
		{
			double count = floor( extents[axis] / size );
			limits[axis] = count > 1.0 ? (int)count : 1;
		}
		pnSetCells( cells, extents, limits );
		if ( pnCountOccupied( cells, points, pointCount, &table ) > wanted )
		{
			break;
		}
		memcpy( counts, limits, sizeof counts );
	}
	int best[3] = { counts[0], counts[1], counts[2] };
	double bestRatio = 0.0;
	for ( int longest = 0; longest >= 0; )
	{
		pnSetCells( cells, extents, counts );
		double occupied = (double)pnCountOccupied( cells, points, pointCount, &table );
		double ratio = occupied < (double)wanted ? occupied / (double)wanted : (double)wanted / occupied;
		if ( ratio > bestRatio )
		{
			bestRatio = ratio;
			memcpy( best, counts, sizeof best );
		}
		longest = -1;
		for ( int axis = 0; axis < 3 && occupied < (double)wanted; ++axis )
		{
			bool longer = longest < 0 || extents[axis] / (double)counts[axis] > extents[longest] / (double)counts[longest];
			longest = counts[axis] < limits[axis] && longer ? axis : longest;
		}
		if ( longest >= 0 )
		{
			int finer = counts[longest] + 1 + counts[longest] / 64;
			counts[longest] = finer < limits[longest] ? finer : limits[longest];
		}
	}
	pnSetCells( cells, extents, best );
	pnGiveBack( &scratch );
	return true;
}

// Cells that cover a point along each axis, from and to.
typedef struct pnCover { int32_t from[3], to[3]; } pnCover;

static int pnCountCells( const pnCover* cover )
{
	return ( cover->to[0] - cover->from[0] + 1 ) * ( cover->to[1] - cover->from[1] + 1 ) * ( cover->to[2] - cover->from[2] + 1 );
}

// All cells with their members, small ones too.
static pnResult pnDraftCells( const pnCells* cells, const pnVec3* points, int pointCount, pnScratch* scratch, pnDraft* draft )
{
	pnScratch local = { 0 };
	pnCover* covers = pnTakeArray( &local, pnCover, pointCount );
	if ( local.failed )
	{
		return pn_outOfMemory;
	}
	int64_t total = 0;
	for ( int p = 0; p < pointCount; ++p )
	{
		pnFindCells( cells, points + p, cells->overlap, covers[p].from, covers[p].to );
		total += pnCountCells( covers + p );
	}
	if ( total > PN_MAX_MEMBERS )
	{
		pnLog( "pnCreateSolid: clusters.overlap %g puts points into more than %d places", cells->overlap, PN_MAX_MEMBERS );
		pnGiveBack( &local );
		return pn_invalidInput;
	}

	pnCellTable table;
	int32_t* cellOf = pnTakeArray( &local, int32_t, total );
	if ( !pnTakeCellTable( &table, (int)total, &local ) )
	{
		pnGiveBack( &local );
		return pn_outOfMemory;
	}
	int next = 0;
	for ( int p = 0; p < pointCount; ++p )
	{
		const pnCover* cover = covers + p;
		for ( int z = cover->from[2]; z <= cover->to[2]; ++z )
		{
			for ( int y = cover->from[1]; y <= cover->to[1]; ++y )
			{
				for ( int x = cover->from[0]; x <= cover->to[0]; ++x )
				{
					cellOf[next++] = pnFindCell( &table, x, y, z );
				}
			}
		}
	}
	if ( pnTakeDraft( draft, table.count, (int)total, scratch ) )
	{
		for ( int i = 0; i < next; ++i )
		{
			draft->starts[cellOf[i] + 1] += 1;
		}
		for ( int c = 0; c < table.count; ++c )
		{
			draft->starts[c + 1] += draft->starts[c];
		}
		next = 0;
		for ( int p = 0; p < pointCount; ++p )
		{
			for ( int end = next + pnCountCells( covers + p ); next < end; ++next )
			{
				draft->weights[draft->starts[cellOf[next]]] = 1.0;
				draft->members[draft->starts[cellOf[next]]++] = p;
			}
		}
		for ( int c = table.count; c > 0; --c )
		{
			draft->starts[c] = draft->starts[c - 1];
		}
		draft->starts[0] = 0;
	}
	pnGiveBack( &local );
	return scratch->failed ? pn_outOfMemory : pn_success;
}

// Most points must be in cells that can be kept; else the cells are finer than the cloud.
static bool pnIsCoarseEnough( const pnDraft* draft, int pointCount, uint8_t* held )
{
	memset( held, 0, (size_t)pointCount );
	int heldCount = 0;
	for ( int c = 0; c < draft->clusterCount; ++c )
	{
		for ( int i = draft->starts[c]; i < draft->starts[c + 1] && draft->starts[c + 1] - draft->starts[c] >= PN_MIN_MEMBERS; ++i )
		{
			heldCount += held[draft->members[i]] == 0;
			held[draft->members[i]] = 1;
		}
	}
	return 8 * heldCount >= 7 * pointCount;
}

static bool pnHasMember( const pnDraft* draft, int cluster, int32_t particle )
{
	int low = draft->starts[cluster], high = draft->starts[cluster + 1];
	while ( low < high )
	{
		int middle = low + ( high - low ) / 2;
		if ( draft->members[middle] < particle )
		{
			low = middle + 1;
		}
		else
		{
			high = middle;
		}
	}
	return low < draft->starts[cluster + 1] && draft->members[low] == particle;
}

// Is all of a cluster in another one? Of equal ones the first is kept.
static bool pnIsSuperfluous( const pnDraft* draft, int cluster, const uint8_t* dropped, const int32_t* inverseStarts, const int32_t* inverse )
{
	int begin = draft->starts[cluster], end = draft->starts[cluster + 1], size = end - begin;
	int32_t rarest = draft->members[begin];
	for ( int i = begin; i < end; ++i )
	{
		int32_t p = draft->members[i];
		bool rarer = inverseStarts[p + 1] - inverseStarts[p] < inverseStarts[rarest + 1] - inverseStarts[rarest];
		rarest = rarer ? p : rarest;
	}
	for ( int k = inverseStarts[rarest]; k < inverseStarts[rarest + 1]; ++k )
	{
		int other = inverse[k], otherSize = draft->starts[other + 1] - draft->starts[other];
		if ( other == cluster || otherSize < size || ( otherSize == size && other > cluster ) || dropped[other] != 0 )
		{
			continue;
		}
		int i = begin;
		while ( i < end && pnHasMember( draft, other, draft->members[i] ) )
		{
			i += 1;
		}
		if ( i == end )
		{
			return true;
		}
	}
	return false;
}

// Small cells are dissolved and their points left for pnFinishDraft; cells within others are dropped.
static bool pnSortOutCells( const pnDraft* draft, int pointCount, uint8_t* dropped )
{
	pnScratch scratch = { 0 };
	int32_t* inverseStarts = pnTakeArray( &scratch, int32_t, pointCount + 1 );
	int32_t* inverse = pnTakeArray( &scratch, int32_t, draft->memberCount );
	bool done = !scratch.failed;
	if ( done )
	{
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			dropped[c] = draft->clusterCount > 1 && draft->starts[c + 1] - draft->starts[c] < PN_MIN_MEMBERS;
		}
		pnInvertClusters( draft->starts, NULL, draft->clusterCount, (const uint32_t*)draft->members, 1, pointCount, inverseStarts, inverse );
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			dropped[c] |= pnIsSuperfluous( draft, c, dropped, inverseStarts, inverse );
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// A direction without extent has cells as large as the others'.
static pnCellSize pnGetCellSize( const pnCells* cells, const double extents[3] )
{
	double largest = 0.0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		largest = extents[axis] > 0.0 && cells->size[axis] > largest ? cells->size[axis] : largest;
	}
	pnCellSize size = { .overlap = (float)cells->overlap };
	for ( int axis = 0; axis < 3; ++axis )
	{
		size.edges[axis] = (float)( extents[axis] > 0.0 ? cells->size[axis] : largest > 0.0 ? largest : 1.0 );
	}
	return size;
}

pnResult pnMakeCells( const pnClusterDef* def, const pnCellSize* size, const pnAABB* frame, const pnVec3* points, int pointCount, pnScratch* scratch, pnDraft* draft,
					  uint8_t** dropped, pnCellSize* chosen )
{
	pnAABB bounds = frame != NULL ? *frame : pnFindBounds( points, pointCount );
	double extents[3];
	pnCells cells = { .overlap = (double)def->overlap };
	for ( int axis = 0; axis < 3; ++axis )
	{
		cells.lower[axis] = (double)pnGetAxis( &bounds.lower, axis );
		extents[axis] = (double)pnGetAxis( &bounds.upper, axis ) - cells.lower[axis];
	}

	int counts[3] = { 1, 1, 1 };
	if ( def->kind == pn_cellClusters || size != NULL )
	{
		// Whole cells over the bounds, so that none at an end is a sliver: the edge is the wanted one but for rounding their number.
		for ( int axis = 0; axis < 3; ++axis )
		{
			double count = floor( extents[axis] / (double)( size != NULL ? size->edges[axis] : def->cellSize ) + 0.5 );
			counts[axis] = count < 1.0 ? 1 : count > (double)PN_MAX_CELLS_PER_AXIS ? PN_MAX_CELLS_PER_AXIS : (int)count;
		}
		pnSetCells( &cells, extents, counts );
	}
	else
	{
		int wanted = def->kind == pn_countClusters ? def->count
			: pointCount <= PN_WHOLE_COUNT ? 1
													  : ( pointCount + PN_CELL_CORE / 2 ) / PN_CELL_CORE;
		wanted = wanted < pointCount ? wanted : pointCount;
		wanted = wanted > 1 ? wanted : 1;
		pnSetCells( &cells, extents, counts );
		if ( wanted > 1 && !pnChooseCells( &cells, extents, wanted, points, pointCount ) )
		{
			return pn_outOfMemory;
		}
	}

	pnScratch local = { 0 };
	uint8_t* held = pnTakeArray( &local, uint8_t, pointCount );
	pnResult result = local.failed ? pn_outOfMemory : pn_success;
	pnScratch attempt = { 0 };
	while ( result == pn_success )
	{
		result = pnDraftCells( &cells, points, pointCount, &attempt, draft );
		bool single = cells.counts[0] == 1 && cells.counts[1] == 1 && cells.counts[2] == 1;
		if ( result != pn_success || single || pnIsCoarseEnough( draft, pointCount, held ) )
		{
			break;
		}
		pnGiveBack( &attempt );
		for ( int axis = 0; axis < 3; ++axis )
		{
			counts[axis] = ( cells.counts[axis] + 1 ) / 2;
		}
		pnSetCells( &cells, extents, counts );
	}
	pnGiveBack( &local );
	*chosen = pnGetCellSize( &cells, extents );

	pnHandOver( &attempt, scratch );
	if ( result == pn_success )
	{
		*dropped = pnTakeArray( scratch, uint8_t, draft->clusterCount );
		result = !scratch->failed && pnSortOutCells( draft, pointCount, *dropped ) ? pn_success : pn_outOfMemory;
	}
	return result;
}
