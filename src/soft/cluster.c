// cluster.c - which particles make up which cluster, and how much of each: chosen once. Knows rest positions; no masses, no fits.
// Overlapping cubes and tetrahedra after Mueller et al. 2005, groups of the user's after Henriques and Wuensche.
#include "cluster.h"

#include <math.h>

// A list in the making: members are in no cluster, one or many, and weigh what the user said.
typedef struct pnDraft
{
	int clusterCount, memberCount;
	int32_t* starts;
	int32_t* members; // rising within a cluster
	double* weights;
} pnDraft;

static bool pnTakeDraft( pnDraft* draft, int clusterCount, int memberCount, pnScratch* scratch )
{
	draft->clusterCount = clusterCount;
	draft->memberCount = memberCount;
	draft->starts = pnTakeArray( scratch, int32_t, clusterCount + 1 );
	draft->members = pnTakeArray( scratch, int32_t, memberCount );
	draft->weights = pnTakeArray( scratch, double, memberCount );
	return !scratch->failed;
}

void pnInvertClusters( const int32_t* clusterStarts, const int32_t* sizes, int clusterCount, const uint32_t* members, uint32_t stride,
					   int particleCount, int32_t* starts, int32_t* clusters )
{
	memset( starts, 0, ( (size_t)particleCount + 1 ) * sizeof( int32_t ) );
	for ( int c = 0; c < clusterCount; ++c )
	{
		int end = sizes != NULL ? clusterStarts[c] + sizes[c] : clusterStarts[c + 1];
		for ( int i = clusterStarts[c]; i < end; ++i )
		{
			starts[members[i] / stride + 1] += 1;
		}
	}
	for ( int p = 0; p < particleCount; ++p )
	{
		starts[p + 1] += starts[p];
	}
	// Filled from the back, which leaves each start where it belongs.
	for ( int c = clusterCount - 1; c >= 0; --c )
	{
		int end = sizes != NULL ? clusterStarts[c] + sizes[c] : clusterStarts[c + 1];
		for ( int i = clusterStarts[c]; i < end; ++i )
		{
			clusters[--starts[members[i] / stride + 1]] = c;
		}
	}
	for ( int p = 0; p < particleCount; ++p )
	{
		starts[p] = starts[p + 1];
	}
	starts[particleCount] = 0;
	for ( int c = 0; c < clusterCount; ++c )
	{
		starts[particleCount] += sizes != NULL ? sizes[c] : clusterStarts[c + 1] - clusterStarts[c];
	}
}

// ---- cells ----

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
static int pnCountOccupied( const pnCells* cells, const pnClusterSource* source, pnCellTable* table )
{
	memset( table->keys, 0, ( (size_t)table->mask + 1 ) * sizeof( uint64_t ) );
	table->count = 0;
	for ( int p = 0; p < source->particleCount; ++p )
	{
		int from[3], to[3];
		pnFindCells( cells, source->rest + p, 0.0, from, to );
		pnFindCell( table, from[0], from[1], from[2] );
	}
	return table->count;
}

// Cells by number: as cubic as the bounds allow, and as near to the wanted number of occupied ones as that goes.
static bool pnChooseCells( pnCells* cells, const double extents[3], int wanted, const pnClusterSource* source )
{
	pnScratch scratch = { 0 };
	pnCellTable table;
	if ( !pnTakeCellTable( &table, source->particleCount, &scratch ) )
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
		if ( pnCountOccupied( cells, source, &table ) > wanted )
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
		double occupied = (double)pnCountOccupied( cells, source, &table );
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

// All cells with their members, small ones too.
static pnResult pnDraftCells( const pnCells* cells, const pnClusterSource* source, pnScratch* scratch, pnDraft* draft )
{
	int64_t total = 0;
	int from[3], to[3];
	for ( int p = 0; p < source->particleCount; ++p )
	{
		pnFindCells( cells, source->rest + p, cells->overlap, from, to );
		total += (int64_t)( to[0] - from[0] + 1 ) * ( to[1] - from[1] + 1 ) * ( to[2] - from[2] + 1 );
	}
	if ( total > PN_MAX_MEMBERS )
	{
		pnLog( "pnCreateSolid: clusters.overlap %g puts points into more than %d places", cells->overlap, PN_MAX_MEMBERS );
		return pn_invalidInput;
	}

	pnScratch local = { 0 };
	pnCellTable table;
	int32_t* cellOf = pnTakeArray( &local, int32_t, total );
	if ( !pnTakeCellTable( &table, (int)total, &local ) )
	{
		pnGiveBack( &local );
		return pn_outOfMemory;
	}
	int next = 0;
	for ( int p = 0; p < source->particleCount; ++p )
	{
		pnFindCells( cells, source->rest + p, cells->overlap, from, to );
		for ( int z = from[2]; z <= to[2]; ++z )
		{
			for ( int y = from[1]; y <= to[1]; ++y )
			{
				for ( int x = from[0]; x <= to[0]; ++x )
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
		for ( int p = 0; p < source->particleCount; ++p )
		{
			pnFindCells( cells, source->rest + p, cells->overlap, from, to );
			int count = ( to[0] - from[0] + 1 ) * ( to[1] - from[1] + 1 ) * ( to[2] - from[2] + 1 );
			for ( int end = next + count; next < end; ++next )
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
static bool pnIsCoarseEnough( const pnDraft* draft, int particleCount, uint8_t* held )
{
	memset( held, 0, (size_t)particleCount );
	int heldCount = 0;
	for ( int c = 0; c < draft->clusterCount; ++c )
	{
		for ( int i = draft->starts[c]; i < draft->starts[c + 1] && draft->starts[c + 1] - draft->starts[c] >= PN_MIN_MEMBERS; ++i )
		{
			heldCount += held[draft->members[i]] == 0;
			held[draft->members[i]] = 1;
		}
	}
	return 2 * heldCount >= particleCount;
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
static bool pnSortOutCells( const pnDraft* draft, int particleCount, uint8_t* dropped )
{
	pnScratch scratch = { 0 };
	int32_t* inverseStarts = pnTakeArray( &scratch, int32_t, particleCount + 1 );
	int32_t* inverse = pnTakeArray( &scratch, int32_t, draft->memberCount );
	bool done = !scratch.failed;
	if ( done )
	{
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			dropped[c] = draft->clusterCount > 1 && draft->starts[c + 1] - draft->starts[c] < PN_MIN_MEMBERS;
		}
		pnInvertClusters( draft->starts, NULL, draft->clusterCount, (const uint32_t*)draft->members, 1, particleCount, inverseStarts, inverse );
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			dropped[c] |= pnIsSuperfluous( draft, c, dropped, inverseStarts, inverse );
		}
	}
	pnGiveBack( &scratch );
	return done;
}

static pnResult pnMakeCells( const pnClusterDef* def, const pnClusterSource* source, pnScratch* scratch, pnDraft* draft, uint8_t** dropped )
{
	pnAABB bounds = pnFindBounds( source->rest, source->particleCount );
	double extents[3];
	pnCells cells = { .overlap = (double)def->overlap };
	for ( int axis = 0; axis < 3; ++axis )
	{
		cells.lower[axis] = (double)pnGetAxis( &bounds.lower, axis );
		extents[axis] = (double)pnGetAxis( &bounds.upper, axis ) - cells.lower[axis];
	}

	int counts[3] = { 1, 1, 1 };
	if ( def->kind == pn_cellClusters )
	{
		// Whole cells over the bounds, so that none at an end is a sliver: the edge is the wanted one but for rounding their number.
		for ( int axis = 0; axis < 3; ++axis )
		{
			double count = floor( extents[axis] / (double)def->cellSize + 0.5 );
			counts[axis] = count < 1.0 ? 1 : count > (double)PN_MAX_CELLS_PER_AXIS ? PN_MAX_CELLS_PER_AXIS : (int)count;
		}
		pnSetCells( &cells, extents, counts );
	}
	else
	{
		int wanted = def->kind == pn_countClusters ? def->count
			: source->particleCount <= PN_WHOLE_COUNT ? 1
													  : ( source->particleCount + PN_CELL_CORE / 2 ) / PN_CELL_CORE;
		wanted = wanted < source->particleCount ? wanted : source->particleCount;
		wanted = wanted > 1 ? wanted : 1;
		pnSetCells( &cells, extents, counts );
		if ( wanted > 1 && !pnChooseCells( &cells, extents, wanted, source ) )
		{
			return pn_outOfMemory;
		}
	}

	pnScratch local = { 0 };
	uint8_t* held = pnTakeArray( &local, uint8_t, source->particleCount );
	pnResult result = local.failed ? pn_outOfMemory : pn_success;
	pnScratch attempt = { 0 };
	while ( result == pn_success )
	{
		result = pnDraftCells( &cells, source, &attempt, draft );
		bool single = cells.counts[0] == 1 && cells.counts[1] == 1 && cells.counts[2] == 1;
		if ( result != pn_success || single || pnIsCoarseEnough( draft, source->particleCount, held ) )
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

	pnHandOver( &attempt, scratch );
	if ( result == pn_success )
	{
		*dropped = pnTakeArray( scratch, uint8_t, draft->clusterCount );
		result = !scratch->failed && pnSortOutCells( draft, source->particleCount, *dropped ) ? pn_success : pn_outOfMemory;
	}
	return result;
}

// ---- tetrahedra and lists of the user ----

// Two sorted parts of one list, [0, first) and [first, count), become one. The spare arrays are as long.
static void pnMergeMembers( int32_t* members, double* weights, int first, int count, int32_t* spareMembers, double* spareWeights )
{
	memcpy( spareMembers, members, (size_t)count * sizeof( int32_t ) );
	memcpy( spareWeights, weights, (size_t)count * sizeof( double ) );
	for ( int i = 0, a = 0, b = first; i < count; ++i )
	{
		int from = b == count || ( a < first && spareMembers[a] < spareMembers[b] ) ? a++ : b++;
		members[i] = spareMembers[from];
		weights[i] = spareWeights[from];
	}
}

// Welding may have made two corners one; such a cluster has fewer members.
static pnResult pnMakeTetrahedra( const pnClusterSource* source, pnScratch* scratch, pnDraft* draft )
{
	if ( !pnTakeDraft( draft, source->tetrahedronCount, 4 * source->tetrahedronCount, scratch ) )
	{
		return pn_outOfMemory;
	}
	int next = 0;
	for ( int c = 0; c < source->tetrahedronCount; ++c )
	{
		int begin = next;
		for ( int k = 0; k < 4; ++k )
		{
			int32_t particle = source->particleOf[source->tetrahedra[4 * c + k]];
			int at = next;
			while ( at > begin && draft->members[at - 1] > particle )
			{
				at -= 1;
			}
			if ( at == begin || draft->members[at - 1] != particle )
			{
				memmove( draft->members + at + 1, draft->members + at, (size_t)( next - at ) * sizeof( int32_t ) );
				draft->members[at] = particle;
				draft->weights[next++] = 1.0;
			}
		}
		draft->starts[c + 1] = next;
	}
	draft->memberCount = next;
	return pn_success;
}

static pnResult pnMakeGiven( const pnClusterDef* def, const pnClusterSource* source, pnScratch* scratch, pnDraft* draft )
{
	// Turned twice, from clusters to particles and back: that sorts the members without comparing them.
	pnScratch local = { 0 };
	int first = def->starts[0], memberCount = def->starts[def->count] - first;
	int32_t* starts = pnTakeArray( &local, int32_t, source->particleCount + 1 );
	int32_t* clusters = pnTakeArray( &local, int32_t, memberCount );
	double* weights = pnTakeArray( &local, double, memberCount );
	int32_t* ends = pnTakeArray( &local, int32_t, def->count );
	if ( local.failed || !pnTakeDraft( draft, def->count, memberCount, scratch ) )
	{
		pnGiveBack( &local );
		return pn_outOfMemory;
	}
	for ( int i = 0; i < memberCount; ++i )
	{
		starts[source->particleOf[def->members[first + i]] + 1] += 1;
	}
	for ( int p = 0; p < source->particleCount; ++p )
	{
		starts[p + 1] += starts[p];
	}
	for ( int c = 0; c < def->count; ++c )
	{
		for ( int i = def->starts[c]; i < def->starts[c + 1]; ++i )
		{
			int to = starts[source->particleOf[def->members[i]]]++;
			clusters[to] = c;
			weights[to] = def->weights != NULL ? (double)def->weights[i] : 1.0;
		}
		ends[c] = draft->starts[c] = def->starts[c] - first;
	}
	draft->starts[def->count] = memberCount;
	for ( int p = 0, i = 0; p < source->particleCount; ++p )
	{
		for ( ; i < starts[p]; ++i )
		{
			int c = clusters[i];
			int last = ends[c] - 1;
			if ( last >= draft->starts[c] && draft->members[last] == p )
			{
				draft->weights[last] += weights[i]; // two points that were welded: together they count as before
				continue;
			}
			draft->members[ends[c]] = p;
			draft->weights[ends[c]++] = weights[i];
		}
	}
	// Closes the gaps that welded members left.
	int next = 0;
	for ( int c = 0; c < def->count; ++c )
	{
		int begin = draft->starts[c];
		draft->starts[c] = next;
		for ( int i = begin; i < ends[c]; ++i, ++next )
		{
			draft->members[next] = draft->members[i];
			draft->weights[next] = draft->weights[i];
		}
	}
	draft->starts[def->count] = next;
	draft->memberCount = next;
	pnGiveBack( &local );
	return pn_success;
}

// ---- all kinds ----

// Points that no kept cluster holds join that of their nearest neighbour which has one; if it has several, the one that holds most of it.
static bool pnAdopt( const pnDraft* draft, const uint8_t* dropped, const pnClusterSource* source, int32_t* adopter )
{
	pnScratch scratch = { 0 };
	int particleCount = source->particleCount;
	int32_t* mains = pnTakeArray( &scratch, int32_t, particleCount );
	double* mostOf = pnTakeArray( &scratch, double, particleCount );
	int32_t* held = pnTakeArray( &scratch, int32_t, particleCount );
	bool done = !scratch.failed;
	if ( done )
	{
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			for ( int i = draft->starts[c]; i < draft->starts[c + 1] && ( dropped == NULL || dropped[c] == 0 ); ++i )
			{
				int32_t p = draft->members[i];
				if ( draft->weights[i] > mostOf[p] )
				{
					mostOf[p] = draft->weights[i];
					mains[p] = c;
				}
			}
		}
		int heldCount = 0;
		for ( int p = 0; p < particleCount; ++p )
		{
			adopter[p] = -1;
			if ( mostOf[p] > 0.0 )
			{
				held[heldCount++] = p;
			}
		}
		pnPointTree tree;
		done = heldCount == particleCount || pnBuildPointTree( &tree, source->rest, held, heldCount, &scratch );
		for ( int p = 0; done && heldCount < particleCount && p < particleCount; ++p )
		{
			int32_t nearest;
			double distance2;
			if ( mostOf[p] == 0.0 && pnFindNearest( &tree, source->rest[p], 1, &nearest, &distance2 ) == 1 )
			{
				adopter[p] = mains[nearest];
			}
		}
	}
	pnGiveBack( &scratch );
	return done;
}

// Without the dropped clusters, with the adopted points.
static bool pnFinishDraft( const pnDraft* draft, const uint8_t* dropped, const pnClusterSource* source, pnScratch* scratch, pnDraft* finished )
{
	pnScratch local = { 0 };
	int32_t* adopter = pnTakeArray( &local, int32_t, source->particleCount );
	int32_t* adopted = pnTakeArray( &local, int32_t, draft->clusterCount ); // how many points each cluster takes in
	int32_t* spareMembers = pnTakeArray( &local, int32_t, source->particleCount );
	double* spareWeights = pnTakeArray( &local, double, source->particleCount );
	int32_t* ends = pnTakeArray( &local, int32_t, draft->clusterCount );
	bool done = !local.failed && pnAdopt( draft, dropped, source, adopter );
	int clusterCount = 0, memberCount = 0;
	for ( int p = 0; done && p < source->particleCount; ++p )
	{
		if ( adopter[p] >= 0 )
		{
			adopted[adopter[p]] += 1;
			memberCount += 1;
		}
	}
	for ( int c = 0; done && c < draft->clusterCount; ++c )
	{
		bool kept = dropped == NULL || dropped[c] == 0;
		clusterCount += kept;
		memberCount += kept ? draft->starts[c + 1] - draft->starts[c] : 0;
	}
	done = done && pnTakeDraft( finished, clusterCount, memberCount, scratch );
	if ( done )
	{
		int next = 0, cluster = 0;
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			if ( dropped != NULL && dropped[c] != 0 )
			{
				continue;
			}
			int size = draft->starts[c + 1] - draft->starts[c];
			memcpy( finished->members + next, draft->members + draft->starts[c], (size_t)size * sizeof( int32_t ) );
			memcpy( finished->weights + next, draft->weights + draft->starts[c], (size_t)size * sizeof( double ) );
			ends[c] = next + size;
			next += size + adopted[c];
			finished->starts[++cluster] = next;
		}
		for ( int p = 0; p < source->particleCount; ++p )
		{
			if ( adopter[p] >= 0 )
			{
				finished->members[ends[adopter[p]]] = p;
				finished->weights[ends[adopter[p]]++] = 1.0;
			}
		}
		for ( int c = 0; c < draft->clusterCount; ++c )
		{
			if ( adopted[c] > 0 )
			{
				int own = draft->starts[c + 1] - draft->starts[c], begin = ends[c] - adopted[c] - own;
				pnMergeMembers( finished->members + begin, finished->weights + begin, own, own + adopted[c], spareMembers, spareWeights );
			}
		}
	}
	pnGiveBack( &local );
	return done;
}

// Weights become parts of each particle.
static bool pnShareParticles( pnDraft* draft, int particleCount )
{
	// A part below this would be nothing in float beside the others.
	const double smallest = 1e-6;
	double* totals = pnAllocArray( double, particleCount );
	if ( totals == NULL )
	{
		return false;
	}
	for ( int pass = 0; pass < 2; ++pass )
	{
		memset( totals, 0, (size_t)particleCount * sizeof( double ) );
		for ( int i = 0; i < draft->memberCount; ++i )
		{
			totals[draft->members[i]] += draft->weights[i];
		}
		for ( int i = 0; i < draft->memberCount; ++i )
		{
			double share = draft->weights[i] / totals[draft->members[i]];
			draft->weights[i] = pass == 0 && share < smallest ? smallest : share;
		}
	}
	pnFreeArray( double, totals, particleCount );
	return true;
}

// Colours of groups of clusters that are neighbours in `order`. Greedy: each takes the first colour that no group before it has which
// shares a particle with it. Colours are handed out 64 at a time, because each particle remembers in one word those that it has seen.
static bool pnColorGroups( const pnDraft* draft, const int32_t* order, int particleCount, int32_t* colors )
{
	uint64_t* seen = pnAllocArray( uint64_t, particleCount );
	if ( seen == NULL )
	{
		return false;
	}
	int fullCount = draft->clusterCount / PN_GROUP_SIZE, groupCount = ( draft->clusterCount + PN_GROUP_SIZE - 1 ) / PN_GROUP_SIZE;
	for ( int group = 0; group < groupCount; ++group )
	{
		colors[group] = -1;
	}
	int largest = 0;
	for ( int first = 0, left = groupCount; left > 0; first += 64 )
	{
		memset( seen, 0, (size_t)particleCount * sizeof( uint64_t ) );
		for ( int group = 0; group < groupCount; ++group )
		{
			if ( colors[group] >= 0 || ( group == fullCount && left > 1 ) )
			{
				continue;
			}
			int begin = PN_GROUP_SIZE * group, end = begin + PN_GROUP_SIZE < draft->clusterCount ? begin + PN_GROUP_SIZE : draft->clusterCount;
			uint64_t taken = 0;
			for ( int k = begin; k < end; ++k )
			{
				for ( int i = draft->starts[order[k]]; i < draft->starts[order[k] + 1]; ++i )
				{
					taken |= seen[draft->members[i]];
				}
			}
			if ( group == fullCount )
			{
				// The one that is not full stays the last, so its colour must be the largest, or a new one.
				bool fits = largest >= first && ( taken >> ( largest - first ) & 1 ) == 0;
				colors[group] = fits ? largest : largest + 1;
				left -= 1;
			}
			else if ( taken != UINT64_MAX )
			{
				int color = __builtin_ctzll( ~taken );
				colors[group] = first + color;
				largest = largest > first + color ? largest : first + color;
				left -= 1;
				for ( int k = begin; k < end; ++k )
				{
					for ( int i = draft->starts[order[k]]; i < draft->starts[order[k] + 1]; ++i )
					{
						seen[draft->members[i]] |= 1ull << color;
					}
				}
			}
		}
	}
	pnFreeArray( uint64_t, seen, particleCount );
	return true;
}

// Clusters in space, in groups; groups by colour.
static bool pnOrderClusters( const pnDraft* draft, bool keepOrder, const pnClusterSource* source, int32_t* order, int32_t* groupColors )
{
	int count = draft->clusterCount, groupCount = ( count + PN_GROUP_SIZE - 1 ) / PN_GROUP_SIZE;
	bool colored = count > PN_UNCOLORED_COUNT;
	pnScratch scratch = { 0 };
	pnVec3* centers = pnTakeArray( &scratch, pnVec3, count );
	int32_t* inSpace = pnTakeArray( &scratch, int32_t, count );
	int32_t* groups = pnTakeArray( &scratch, int32_t, groupCount );
	int32_t* spareGroups = pnTakeArray( &scratch, int32_t, groupCount );
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, groupCount );
	uint64_t* spareKeys = pnTakeArray( &scratch, uint64_t, groupCount );
	bool done = !scratch.failed;
	for ( int c = 0; done && c < count; ++c )
	{
		double sum[3] = { 0.0, 0.0, 0.0 }, size = (double)( draft->starts[c + 1] - draft->starts[c] );
		for ( int i = draft->starts[c]; i < draft->starts[c + 1]; ++i )
		{
			const pnVec3* p = source->rest + draft->members[i];
			sum[0] += (double)p->x;
			sum[1] += (double)p->y;
			sum[2] += (double)p->z;
		}
		centers[c] = pnMakeVec3( (float)( sum[0] / size ), (float)( sum[1] / size ), (float)( sum[2] / size ) );
		inSpace[c] = c;
	}
	done = done && ( ( keepOrder && !colored ) || pnOrderInSpace( centers, count, inSpace ) );
	done = done && ( !colored || pnColorGroups( draft, inSpace, source->particleCount, groupColors ) );
	if ( done )
	{
		for ( int group = 0; group < groupCount; ++group )
		{
			keys[group] = (uint64_t)groupColors[group];
			groups[group] = group;
		}
		pnSortByKey( keys, groups, spareKeys, spareGroups, groupCount );
		for ( int c = 0; c < count; ++c )
		{
			order[c] = inSpace[PN_GROUP_SIZE * groups[c / PN_GROUP_SIZE] + c % PN_GROUP_SIZE];
		}
		for ( int group = 0; group < groupCount; ++group )
		{
			groupColors[group] = (int32_t)keys[group];
		}
	}
	pnGiveBack( &scratch );
	return done;
}

pnResult pnMakeClusters( const pnClusterDef* def, const pnClusterSource* source, pnScratch* scratch, pnClusterList* list )
{
	pnScratch local = { 0 };
	pnDraft draft = { 0 }, finished = { 0 };
	uint8_t* dropped = NULL; // only cells are ever dropped
	pnResult result = def->kind == pn_tetClusters ? pnMakeTetrahedra( source, &local, &draft )
		: def->kind == pn_givenClusters			  ? pnMakeGiven( def, source, &local, &draft )
												  : pnMakeCells( def, source, &local, &draft, &dropped );
	if ( result == pn_success )
	{
		bool done = pnFinishDraft( &draft, dropped, source, &local, &finished ) && pnShareParticles( &finished, source->particleCount );
		result = done ? pn_success : pn_outOfMemory;
	}
	int groupCount = ( finished.clusterCount + PN_GROUP_SIZE - 1 ) / PN_GROUP_SIZE;
	int32_t* order = pnTakeArray( &local, int32_t, finished.clusterCount );
	int32_t* groupColors = pnTakeArray( &local, int32_t, groupCount );
	if ( result == pn_success && ( local.failed || !pnOrderClusters( &finished, def->kind == pn_givenClusters, source, order, groupColors ) ) )
	{
		result = pn_outOfMemory;
	}
	if ( result == pn_success )
	{
		list->groupCount = groupCount;
		list->clusterCount = finished.clusterCount;
		list->memberCount = finished.memberCount;
		list->starts = pnTakeArray( scratch, int32_t, finished.clusterCount + 1 );
		list->members = pnTakeArray( scratch, int32_t, finished.memberCount );
		list->shares = pnTakeArray( scratch, double, finished.memberCount );
		list->groupColors = pnTakeArray( scratch, int32_t, groupCount );
		result = scratch->failed ? pn_outOfMemory : pn_success;
	}
	for ( int k = 0; result == pn_success && k < list->clusterCount; ++k )
	{
		int from = finished.starts[order[k]], size = finished.starts[order[k] + 1] - from, to = list->starts[k];
		memcpy( list->members + to, finished.members + from, (size_t)size * sizeof( int32_t ) );
		memcpy( list->shares + to, finished.weights + from, (size_t)size * sizeof( double ) );
		list->starts[k + 1] = to + size;
	}
	if ( result == pn_success )
	{
		memcpy( list->groupColors, groupColors, (size_t)groupCount * sizeof( int32_t ) );
	}
	pnGiveBack( &local );
	return result;
}
