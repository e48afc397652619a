// parts.c - what hangs together: parts of a surface, hollows with what is around them, points with what they are inside of. Knows places
// and triangles; no bodies, no time.
#include "parts.h"

#include <math.h>

// Cells of a size that holds a few nodes each, with the nodes in them.
typedef struct pnBins
{
	double lower[3], perCell;
	int counts[3];
	int32_t *starts, *nodes;
	int32_t* indexOf; // of each node: where it is among them
	float* places[3]; // of the nodes in that order, by axis, and three more
	float* distances2; // room for those around one node, and three more
	int32_t* octants;
} pnBins;

static int pnBinOf( const pnBins* bins, const pnVec3* place, int axis )
{
	int bin = (int)( ( (double)pnGetAxis( place, axis ) - bins->lower[axis] ) * bins->perCell );
	return bin < bins->counts[axis] ? bin : bins->counts[axis] - 1;
}

static int pnCountBins( pnBins* bins, const pnAABB* box, double cell )
{
	double total = 1.0;
	bins->perCell = 1.0 / cell;
	for ( int axis = 0; axis < 3; ++axis )
	{
		bins->lower[axis] = (double)pnGetAxis( &box->lower, axis );
		double count = 1.0 + floor( ( (double)pnGetAxis( &box->upper, axis ) - bins->lower[axis] ) / cell );
		bins->counts[axis] = count < 1e6 ? (int)count : 1000000;
		total *= (double)bins->counts[axis];
	}
	return total < 1e9 ? (int)total : 1000000000;
}

static bool pnFillBins( pnBins* bins, const pnVec3* places, int count, pnScratch* scratch )
{
	pnAABB box = pnFindBounds( places, count );
	double size = (double)pnGetLargestExtent( box ), cell = size > 0.0 ? size : 1.0;
	int most = 16 * count;
	while ( 3 * pnCountBins( bins, &box, cell ) < count && cell > 1e-7 * size && size > 0.0 ) // some nodes in each: the next ones are in the cells around
	{
		cell *= 0.84;
	}
	bins->nodes = pnTakeRawArray( scratch, int32_t, count );
	bins->starts = pnTakeArray( scratch, int32_t, most + 17 );
	int32_t* binOf = pnTakeRawArray( scratch, int32_t, count );
	float* values = pnTakeRawArray( scratch, float, 4 * ( (size_t)count + 3 ) );
	bins->octants = pnTakeRawArray( scratch, int32_t, count + 3 );
	if ( scratch->failed )
	{
		return false;
	}
	int total = pnCountBins( bins, &box, cell ), occupied = 0;
	for ( int turn = 0; turn < 4; ++turn ) // finer where most cells are empty, because the nodes are those of a surface
	{
		occupied = 0;
		for ( int i = 0; i < count; ++i )
		{
			binOf[i] = ( pnBinOf( bins, places + i, 2 ) * bins->counts[1] + pnBinOf( bins, places + i, 1 ) ) * bins->counts[0] + pnBinOf( bins, places + i, 0 );
			occupied += bins->starts[binOf[i]]++ == 0;
		}
		pnBins finer = *bins;
		int finerTotal = pnCountBins( &finer, &box, 0.75 * cell );
		if ( count <= 5 * occupied || finerTotal > most || turn == 3 )
		{
			break;
		}
		memset( bins->starts, 0, (size_t)( total + 1 ) * sizeof( int32_t ) );
		memcpy( bins->counts, finer.counts, sizeof bins->counts );
		bins->perCell = finer.perCell, total = finerTotal, cell *= 0.75;
	}
	int sum = 0;
	for ( int b = 0; b <= total; ++b )
	{
		sum += bins->starts[b];
		bins->starts[b] = sum;
	}
	for ( int i = count - 1; i >= 0; --i )
	{
		int at = --bins->starts[binOf[i]];
		bins->nodes[at] = i;
		binOf[i] = at;
	}
	bins->indexOf = binOf;
	bins->distances2 = values + 3 * ( (size_t)count + 3 );
	for ( int axis = 0; axis < 3; ++axis )
	{
		bins->places[axis] = values + axis * ( (size_t)count + 3 );
		for ( int i = 0; i < count + 3; ++i )
		{
			bins->places[axis][i] = i < count ? pnGetAxis( places + bins->nodes[i], axis ) : 0.0f;
		}
	}
	return true;
}

// Distances and octants of nodes [begin, end), to be written from `to` on: four at a time, so up to three more than those.
static void pnMeasureRow( const pnBins* bins, pnVec3 place, int begin, int end, int to )
{
	const float *x = bins->places[0] + begin, *y = bins->places[1] + begin, *z = bins->places[2] + begin;
	float* restrict distances2 = bins->distances2 + to;
	int32_t* restrict octants = bins->octants + to;
	for ( int i = 0; i < end - begin; i += 4 )
	{
		for ( int k = 0; k < 4; ++k )
		{
			float dx = x[i + k] - place.x, dy = y[i + k] - place.y, dz = z[i + k] - place.z;
			distances2[i + k] = dx * dx + dy * dy + dz * dz;
			octants[i + k] = ( dx > 0.0f ? 1 : 0 ) | ( dy > 0.0f ? 2 : 0 ) | ( dz > 0.0f ? 4 : 0 );
		}
	}
}

// Rows of cells around a node: nodes [begin, end) of the bins, and which of them is the first of a row among all that were measured.
typedef struct pnBinRow { int begin, end, first; } pnBinRow;

// The nearest node in each octant, of those in the cells around: so a node sees all ways, also out of a crowd. Of equally near ones the first in the bins.
static int pnFindAround( const pnBins* bins, const pnVec3* places, int node, pnApartFcn* apart, const void* context, int32_t found[8] )
{
	const float none = 3e38f;
	int low[3], high[3], count = 0, measured = 0, rowCount = 0;
	pnBinRow rows[9];
	int nearest[8]; // among those measured
	float least[8];
	for ( int axis = 0; axis < 3; ++axis )
	{
		int bin = pnBinOf( bins, places + node, axis );
		low[axis] = bin > 0 ? bin - 1 : 0, high[axis] = bin + 1 < bins->counts[axis] ? bin + 1 : bin;
	}
	for ( int z = low[2]; z <= high[2]; ++z )
	{
		for ( int y = low[1]; y <= high[1]; ++y )
		{
			int row = ( z * bins->counts[1] + y ) * bins->counts[0], begin = bins->starts[row + low[0]], end = bins->starts[row + high[0] + 1];
			pnMeasureRow( bins, places[node], begin, end, measured );
			rows[rowCount++] = (pnBinRow){ begin, end, measured };
			int own = bins->indexOf[node];
			if ( own >= begin && own < end )
			{
				bins->distances2[measured + own - begin] = none;
			}
			measured += end - begin;
		}
	}
	for ( int octant = 0; octant < 8; ++octant )
	{
		nearest[octant] = -1;
		least[octant] = none;
	}
	for ( int i = 0; i < measured; ++i )
	{
		int octant = bins->octants[i];
		if ( bins->distances2[i] < least[octant] )
		{
			least[octant] = bins->distances2[i], nearest[octant] = i;
		}
	}
	for ( int octant = 0; octant < 8; ++octant )
	{
		for ( bool parted = true; parted && nearest[octant] >= 0; )
		{
			int at = nearest[octant], row = rowCount - 1;
			while ( rows[row].first > at )
			{
				row -= 1;
			}
			int32_t other = bins->nodes[rows[row].begin + at - rows[row].first];
			parted = apart != NULL && apart( context, node, other );
			if ( !parted )
			{
				found[count++] = other;
				break;
			}
			bins->distances2[at] = none; // the next one
			least[octant] = none, nearest[octant] = -1;
			for ( int i = 0; i < measured; ++i )
			{
				if ( bins->octants[i] == octant && bins->distances2[i] < least[octant] )
				{
					least[octant] = bins->distances2[i], nearest[octant] = i;
				}
			}
		}
	}
	return count;
}

bool pnFindLinks( const pnVec3* places, int nodeCount, int32_t* sets, pnApartFcn* apart, const void* context, pnScratch* scratch, int32_t** pairs,
				  int* pairCount )
{
	pnScratch local = { 0 };
	pnBins bins = { 0 };
	size_t most = (size_t)nodeCount * ( 8 + 1 );
	uint64_t* keys = pnTakeRawArray( &local, uint64_t, most );
	uint64_t* spareKeys = pnTakeRawArray( &local, uint64_t, most );
	int32_t* values = pnTakeArray( &local, int32_t, most );
	int32_t* spareValues = pnTakeRawArray( &local, int32_t, most );
	int32_t* joined = pnTakeArray( &local, int32_t, nodeCount );
	bool done = pnFillBins( &bins, places, nodeCount, &local ) && !local.failed;
	int count = 0, kept = 0;
	for ( int i = 0; i < nodeCount && done; ++i )
	{
		joined[i] = pnFindSet( sets, i );
	}
	for ( int i = 0; i < nodeCount && done; ++i )
	{
		int32_t found[8];
		int foundCount = pnFindAround( &bins, places, i, apart, context, found );
		for ( int k = 0; k < foundCount; ++k )
		{
			if ( pnFindSet( sets, found[k] ) != pnFindSet( sets, i ) )
			{
				int32_t a = i < found[k] ? i : found[k], b = i < found[k] ? found[k] : i;
				keys[count++] = (uint64_t)(uint32_t)a << 32 | (uint32_t)b;
				pnJoinSets( joined, a, b );
			}
		}
	}
	// Islands that see none but themselves: each to the nearest node of the first one.
	int32_t main = done && nodeCount > 0 ? pnFindSet( joined, 0 ) : 0;
	for ( int i = 0; i < nodeCount && done; ++i )
	{
		if ( joined[i] != i || i == main )
		{
			continue;
		}
		// Of the nearest, the first that is not parted from it.
		enum { nearMost = 32 };
		double distances2[nearMost];
		int candidates[nearMost], found = 0, nearest = -1;
		for ( int k = 0; k < nodeCount; ++k )
		{
			pnVec3 d = pnSub( places[k], places[i] );
			double distance2 = (double)pnDot( d, d );
			if ( ( found == nearMost && distance2 >= distances2[nearMost - 1] ) || pnFindSet( joined, k ) != main )
			{
				continue;
			}
			int at = found < nearMost ? found++ : nearMost - 1;
			for ( ; at > 0 && distances2[at - 1] > distance2; --at )
			{
				distances2[at] = distances2[at - 1], candidates[at] = candidates[at - 1];
			}
			distances2[at] = distance2, candidates[at] = k;
		}
		for ( int k = 0; k < found && nearest < 0; ++k )
		{
			nearest = apart == NULL || !apart( context, i, candidates[k] ) ? candidates[k] : -1;
		}
		if ( nearest < 0 )
		{
			continue;
		}
		keys[count++] = (uint64_t)(uint32_t)( i < nearest ? i : nearest ) << 32 | (uint32_t)( i < nearest ? nearest : i );
		pnJoinSets( joined, i, nearest );
		main = pnFindSet( joined, main );
	}
	if ( done )
	{
		pnSortByKey( keys, values, spareKeys, spareValues, count );
		*pairs = pnTakeRawArray( scratch, int32_t, 2 * (size_t)count );
		done = !scratch->failed;
	}
	for ( int i = 0; i < count && done; ++i )
	{
		if ( i == 0 || keys[i] != keys[i - 1] )
		{
			( *pairs )[2 * kept] = (int32_t)( keys[i] >> 32 );
			( *pairs )[2 * kept + 1] = (int32_t)( keys[i] & 0xffffffffu );
			kept += 1;
		}
	}
	*pairCount = kept;
	pnGiveBack( &local );
	return done;
}

static void pnFindCellRange( const pnLocator* l, int32_t triangle, int from[2], int to[2] )
{
	for ( int axis = 0; axis < 2; ++axis )
	{
		double low = 1e300, high = -1e300;
		for ( int k = 0; k < 3; ++k )
		{
			double at = (double)pnGetAxis( l->places + l->triangles[3 * (size_t)triangle + k], 1 + axis );
			low = at < low ? at : low, high = at > high ? at : high;
		}
		double first = floor( ( low - l->low[axis] ) * l->perCell[axis] - 1e-6 ), last = floor( ( high - l->low[axis] ) * l->perCell[axis] + 1e-6 );
		from[axis] = first < 0.0 ? 0 : first >= l->cells[axis] ? l->cells[axis] - 1 : (int)first;
		to[axis] = last < 0.0 ? 0 : last >= l->cells[axis] ? l->cells[axis] - 1 : (int)last;
	}
}

bool pnMakeLocator( const pnVec3* places, int nodeCount, const int32_t* triangles, int triangleCount, pnScratch* scratch, pnLocator* locator )
{
	pnAABB bounds = pnFindBounds( places, nodeCount );
	pnLocator l = { .places = places, .triangles = triangles };
	int across = 1;
	while ( across < 512 && 4 * across * across < triangleCount )
	{
		across *= 2;
	}
	for ( int axis = 0; axis < 2; ++axis )
	{
		double extent = (double)pnGetAxis( &bounds.upper, 1 + axis ) - (double)pnGetAxis( &bounds.lower, 1 + axis );
		l.low[axis] = (double)pnGetAxis( &bounds.lower, 1 + axis );
		l.cells[axis] = across;
		l.perCell[axis] = extent > 0.0 ? across / extent : 0.0;
		l.nudge[axis] = ( axis == 0 ? 6.18e-8 : 3.82e-8 ) * extent; // the way misses edges and nodes that lie in rows
	}
	l.starts = pnTakeArray( scratch, int32_t, (size_t)across * across + 1 );
	if ( scratch->failed )
	{
		return false;
	}
	int from[2], to[2];
	for ( int t = 0; t < triangleCount; ++t )
	{
		pnFindCellRange( &l, t, from, to );
		for ( int y = from[1]; y <= to[1]; ++y )
		{
			for ( int x = from[0]; x <= to[0]; ++x )
			{
				l.starts[y * across + x + 1] += 1;
			}
		}
	}
	for ( int i = 0; i < across * across; ++i )
	{
		l.starts[i + 1] += l.starts[i];
	}
	l.inside = pnTakeArray( scratch, int32_t, l.starts[across * across] );
	if ( scratch->failed )
	{
		return false;
	}
	for ( int t = triangleCount - 1; t >= 0; --t ) // filled from the ends, so that the starts come to lie at the beginnings
	{
		pnFindCellRange( &l, t, from, to );
		for ( int y = from[1]; y <= to[1]; ++y )
		{
			for ( int x = from[0]; x <= to[0]; ++x )
			{
				l.inside[--l.starts[y * across + x + 1]] = t;
			}
		}
	}
	memmove( l.starts, l.starts + 1, (size_t)( across * across ) * sizeof( int32_t ) );
	int total = 0;
	for ( int t = 0; t < triangleCount; ++t )
	{
		pnFindCellRange( &l, t, from, to );
		total += ( to[0] - from[0] + 1 ) * ( to[1] - from[1] + 1 );
	}
	l.starts[across * across] = total;
	*locator = l;
	return true;
}

static int pnFindColumn( const pnLocator* l, pnVec3 place, double at[3] )
{
	at[0] = (double)place.x, at[1] = (double)place.y + l->nudge[0], at[2] = (double)place.z + l->nudge[1];
	int cell[2];
	for ( int axis = 0; axis < 2; ++axis )
	{
		double c = floor( ( at[1 + axis] - l->low[axis] ) * l->perCell[axis] );
		cell[axis] = c < 0.0 ? 0 : c >= l->cells[axis] ? l->cells[axis] - 1 : (int)c;
	}
	return cell[1] * l->cells[0] + cell[0];
}

// 1 if the way along x leads out through the triangle, -1 if it leads in, 0 if it misses.
static int pnMeetTriangle( const pnLocator* l, int32_t triangle, const double at[3], double* x )
{
	const int32_t* corners = l->triangles + 3 * (size_t)triangle;
	double d[3][3], areas[3];
	for ( int k = 0; k < 3; ++k )
	{
		const pnVec3* p = l->places + corners[k];
		d[k][0] = (double)p->x - at[0], d[k][1] = (double)p->y - at[1], d[k][2] = (double)p->z - at[2];
	}
	for ( int k = 0; k < 3; ++k )
	{
		const double *a = d[( k + 1 ) % 3], *b = d[( k + 2 ) % 3];
		areas[k] = a[1] * b[2] - a[2] * b[1];
	}
	bool out = areas[0] > 0.0 && areas[1] > 0.0 && areas[2] > 0.0, in = areas[0] < 0.0 && areas[1] < 0.0 && areas[2] < 0.0;
	if ( out || in )
	{
		*x = ( areas[0] * d[0][0] + areas[1] * d[1][0] + areas[2] * d[2][0] ) / ( areas[0] + areas[1] + areas[2] );
	}
	return !( out || in ) || !( *x > 0.0 ) ? 0 : out ? 1 : -1;
}

int32_t pnLocate( const pnLocator* l, pnVec3 place, const int32_t* sets, int32_t except )
{
	double at[3], nearest = 1e300, x;
	int column = pnFindColumn( l, place, at );
	int32_t found = -1;
	for ( int i = l->starts[column]; i < l->starts[column + 1]; ++i )
	{
		if ( except >= 0 && sets[l->triangles[3 * (size_t)l->inside[i]]] == except )
		{
			continue;
		}
		// out; where two pieces meet, one's triangle leads in
		if ( pnMeetTriangle( l, l->inside[i], at, &x ) > 0 && x < nearest )
		{
			nearest = x, found = l->inside[i];
		}
	}
	return found;
}

int pnWindAround( const pnLocator* l, pnVec3 place, const int32_t* sets, int32_t set )
{
	double at[3], x;
	int column = pnFindColumn( l, place, at ), winding = 0;
	for ( int i = l->starts[column]; i < l->starts[column + 1]; ++i )
	{
		winding += sets[l->triangles[3 * (size_t)l->inside[i]]] == set ? pnMeetTriangle( l, l->inside[i], at, &x ) : 0;
	}
	return winding;
}

void pnMeasureSets( const pnVec3* places, const int32_t* triangles, int triangleCount, const int32_t* sets, double* volumes )
{
	for ( int t = 0; t < triangleCount; ++t )
	{
		const int32_t* corners = triangles + 3 * (size_t)t;
		const pnVec3* origin = places + sets[corners[0]];
		double d[3][3];
		for ( int k = 0; k < 3; ++k )
		{
			const pnVec3* p = places + corners[k];
			d[k][0] = (double)p->x - (double)origin->x, d[k][1] = (double)p->y - (double)origin->y, d[k][2] = (double)p->z - (double)origin->z;
		}
		volumes[sets[corners[0]]] += d[0][0] * ( d[1][1] * d[2][2] - d[1][2] * d[2][1] ) + d[0][1] * ( d[1][2] * d[2][0] - d[1][0] * d[2][2] ) +
									 d[0][2] * ( d[1][0] * d[2][1] - d[1][1] * d[2][0] );
	}
}
