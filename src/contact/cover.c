// cover.c - a surface over bare points: cells near points are filled, the faces between filled and empty cells are the surface, and each
// of its corners moves to the nearest point. Knows rest positions only.
#include "cover.h"

#include "../base/cloud.h"

typedef struct pnCells
{
	const pnVec3* points;
	int count;
	pnAABB box;
	float cell; // metres
	float reach; // metres: how far a point fills
	int size[3];
	uint8_t* filled; // 0 empty, 1 filled, 2 empty and outside
} pnCells;

static const int pn_mostCells = 96; // along the longest axis
enum { PN_MOST_AROUND = 16 }; // cells along an axis that a point reaches to: seven on either side would be 3.5 of the points' spacing

static int pnCellIndex( const pnCells* c, int x, int y, int z )
{
	return ( z * c->size[1] + y ) * c->size[0] + x;
}

static int pnByDistance( double* distances, int count ) // sorts; returns the index of the middle
{
	for ( int gap = count / 2; gap > 0; gap /= 2 )
	{
		for ( int i = gap; i < count; ++i )
		{
			double value = distances[i];
			int at = i;
			for ( ; at >= gap && distances[at - gap] > value; at -= gap )
			{
				distances[at] = distances[at - gap];
			}
			distances[at] = value;
		}
	}
	return count / 2;
}

// How far apart the points are: the median distance of the sixth neighbour, which in a grid is the next one along an axis.
static bool pnFindSpacing( const pnVec3* points, int count, const pnPointTree* tree, pnScratch* scratch, double* spacing )
{
	enum { most = 500 };
	int stride = count / most + 1, taken = 0;
	double* distances = pnTakeArray( scratch, double, count / stride + 1 );
	for ( int i = 0; i < count && !scratch->failed; i += stride )
	{
		int32_t found[7];
		double distances2[7];
		int got = pnFindNearest( tree, points[i], 7, found, distances2 );
		distances[taken++] = __builtin_sqrt( distances2[got - 1] );
	}
	*spacing = scratch->failed ? 0.0 : distances[pnByDistance( distances, taken )];
	return !scratch->failed;
}

// Squared ways along each axis from a point to the cells (offset 0.5) or corners (offset 0) around it, and which those are: [from, to].
typedef struct pnAround { int from[3], to[3]; float way2[3][PN_MOST_AROUND]; } pnAround;

static void pnLookAround( const pnCells* c, pnVec3 point, int around, float offset, int least, int most, pnAround* out )
{
	for ( int k = 0; k < 3; ++k )
	{
		float low = pnGetAxis( &c->box.lower, k ), own = pnGetAxis( &point, k );
		int at = (int)( ( own - low ) / c->cell );
		out->from[k] = at - around > least ? at - around : least;
		out->to[k] = at + around < c->size[k] + most ? at + around : c->size[k] + most;
		for ( int i = out->from[k]; i <= out->to[k]; ++i )
		{
			float way = low + c->cell * ( (float)i + offset ) - own;
			out->way2[k][i - out->from[k]] = way * way;
		}
	}
}

static void pnFillCells( pnCells* c )
{
	int around = (int)( c->reach / c->cell ) + 1;
	float reach2 = c->reach * c->reach;
	for ( int i = 0; i < c->count; ++i )
	{
		pnAround n;
		pnLookAround( c, c->points[i], around, 0.5f, 1, -2, &n );
		for ( int z = n.from[2]; z <= n.to[2]; ++z )
			for ( int y = n.from[1]; y <= n.to[1]; ++y )
			{
				float zz = n.way2[2][z - n.from[2]], yy = n.way2[1][y - n.from[1]];
				uint8_t* filled = c->filled + pnCellIndex( c, 0, y, z );
				for ( int x = n.from[0]; x <= n.to[0] && yy + zz <= reach2; ++x )
				{
					filled[x] |= n.way2[0][x - n.from[0]] + yy + zz <= reach2;
				}
			}
	}
}

// What cannot be reached from outside is inside: holes between points do not matter.
static void pnFloodOutside( pnCells* c, int32_t* stack )
{
	int count = 0, step[3] = { 1, c->size[0], c->size[0] * c->size[1] };
	c->filled[0] = 2;
	stack[count++] = 0;
	while ( count > 0 )
	{
		int cell = stack[--count], at[3] = { cell % c->size[0], cell / c->size[0] % c->size[1], cell / step[2] };
		for ( int k = 0; k < 6; ++k )
		{
			int axis = k / 2, next = k % 2 == 0 ? cell - step[axis] : cell + step[axis], place = at[axis] + ( k % 2 == 0 ? -1 : 1 );
			if ( place >= 0 && place < c->size[axis] && c->filled[next] == 0 )
			{
				c->filled[next] = 2;
				stack[count++] = next;
			}
		}
	}
}

// Corners of cells move to the nearest point, and a point may be nobody's nearest although it is at the outside: it must be watched all the same.
// ahead: room for a number of each cell.
static void pnMarkOuter( const pnCells* c, int32_t* ahead, uint8_t* outer )
{
	for ( int i = c->size[0] * c->size[1] * c->size[2] - 1; i >= 0; --i ) // cells to the next one outside, along x
	{
		ahead[i] = c->filled[i] == 2 ? 0 : ( i + 1 ) % c->size[0] == 0 ? c->size[0] : ahead[i + 1] + 1;
	}
	float low[3] = { c->box.lower.x, c->box.lower.y, c->box.lower.z }, far = 1.75f * c->reach; // the outside begins between one and two cells beyond the reach; behind one layer of points, beyond 2.1 of it
	int around = (int)( far / c->cell ) + 1;
	for ( int i = 0; i < c->count; ++i )
	{
		int from[3], to[3];
		for ( int k = 0; k < 3; ++k )
		{
			int at = (int)( ( pnGetAxis( c->points + i, k ) - low[k] ) / c->cell );
			from[k] = at - around > 0 ? at - around : 0;
			to[k] = at + around < c->size[k] - 1 ? at + around : c->size[k] - 1;
		}
		for ( int z = from[2]; z <= to[2] && !outer[i]; ++z )
			for ( int y = from[1]; y <= to[1] && !outer[i]; ++y )
				for ( int x = from[0] + ahead[pnCellIndex( c, from[0], y, z )]; x <= to[0] && !outer[i]; ++x )
				{
					pnVec3 middle = { low[0] + c->cell * ( (float)x + 0.5f ), low[1] + c->cell * ( (float)y + 0.5f ), low[2] + c->cell * ( (float)z + 0.5f ) };
					pnVec3 way = pnSub( middle, c->points[i] );
					outer[i] = c->filled[pnCellIndex( c, x, y, z )] == 2 && pnDot( way, way ) <= far * far;
				}
	}
}

// Faces between outside and the rest, each as two triangles of cell corners (index: corners of a grid one larger).
static int pnListFaces( const pnCells* c, int32_t* faces )
{
	int count = 0, step[3] = { 1, c->size[0], c->size[0] * c->size[1] };
	int cornerStep[3] = { 1, c->size[0] + 1, ( c->size[0] + 1 ) * ( c->size[1] + 1 ) };
	for ( int z = 1; z < c->size[2] - 1; ++z )
		for ( int y = 1; y < c->size[1] - 1; ++y )
			for ( int x = 1; x < c->size[0] - 1; ++x )
			{
				int cell = pnCellIndex( c, x, y, z ), corner = x + y * cornerStep[1] + z * cornerStep[2];
				if ( c->filled[cell] == 2 )
				{
					continue;
				}
				for ( int k = 0; k < 6; ++k )
				{
					int axis = k / 2, up = k % 2, u = cornerStep[( axis + 1 ) % 3], v = cornerStep[( axis + 2 ) % 3];
					if ( c->filled[up ? cell + step[axis] : cell - step[axis]] != 2 )
					{
						continue;
					}
					if ( faces != NULL )
					{
						int base = corner + up * cornerStep[axis], quad[4] = { base, base + u, base + u + v, base + v };
						int32_t* out = faces + 6 * (size_t)count;
						int order[6] = { 0, up ? 1 : 2, up ? 2 : 1, 0, up ? 2 : 3, up ? 3 : 2 };
						for ( int i = 0; i < 6; ++i )
						{
							out[i] = quad[order[i]];
						}
					}
					count += 1;
				}
			}
	return count;
}

// The point nearest to each corner of a face; the first of those that are as near. Next to a corner is a cell whose middle is within a point's reach, so it is not far.
// cornerPoint: 1 + the point, of corners of faces; near2: room for as many numbers.
static void pnFindCornerPoints( const pnCells* c, const int32_t* faces, int faceCount, int32_t* cornerPoint, float* near2 )
{
	float far = c->reach + 0.87f * c->cell; // half a cell's diagonal
	int around = (int)( far / c->cell ) + 1, nx = c->size[0] + 1, ny = c->size[1] + 1;
	for ( int i = 0; i < 6 * faceCount; ++i )
	{
		near2[faces[i]] = 1e30f; // others have nothing nearer than they are
	}
	for ( int i = 0; i < c->count; ++i )
	{
		pnAround n;
		pnLookAround( c, c->points[i], around, 0.0f, 0, 0, &n );
		for ( int z = n.from[2]; z <= n.to[2]; ++z )
			for ( int y = n.from[1]; y <= n.to[1]; ++y )
			{
				float across2 = n.way2[1][y - n.from[1]] + n.way2[2][z - n.from[2]];
				int row = ( z * ny + y ) * nx;
				for ( int x = n.from[0]; x <= n.to[0]; ++x )
				{
					float distance2 = n.way2[0][x - n.from[0]] + across2;
					if ( distance2 < near2[row + x] )
					{
						near2[row + x] = distance2;
						cornerPoint[row + x] = i + 1;
					}
				}
			}
	}
}

// The same three corners in the same sense are one key, whichever comes first.
static uint64_t pnTriangleKey( const int32_t t[3] )
{
	int32_t a = t[0], b = t[1], c = t[2], swap;
	if ( a > b ) swap = a, a = b, b = swap;
	if ( b > c ) swap = b, b = c, c = swap;
	if ( a > b ) swap = a, a = b, b = swap;
	return ( (uint64_t)(uint32_t)a << 42 ) ^ ( (uint64_t)(uint32_t)b << 21 ) ^ (uint64_t)(uint32_t)c;
}

static int pnTurnOf( const int32_t t[3] ) // +1: as sorted, -1: the other way round
{
	int least = t[0] < t[1] ? ( t[0] < t[2] ? 0 : 2 ) : ( t[1] < t[2] ? 1 : 2 );
	return t[( least + 1 ) % 3] < t[( least + 2 ) % 3] ? 1 : -1;
}

static bool pnSameCorners( const int32_t a[3], const int32_t b[3] )
{
	int same = 0;
	for ( int i = 0; i < 3; ++i )
	{
		same += a[i] == b[0] || a[i] == b[1] || a[i] == b[2];
	}
	return same == 3;
}

// Triangles that lie on each other cancel if they look opposite ways and melt into one if not. flat: there is nothing but such pairs, and
// one of each is kept.
static int pnMelt( const int32_t* all, const int32_t* order, const uint64_t* keys, int count, bool flat, int32_t* kept )
{
	int keptCount = 0;
	for ( int begin = 0, end; begin < count; begin = end )
	{
		for ( end = begin; end < count && keys[end] == keys[begin]; ++end )
		{
		}
		for ( int i = begin; i < end; ++i )
		{
			const int32_t* t = all + 3 * (size_t)order[i];
			int turns = 0;
			bool first = true;
			for ( int j = begin; j < end; ++j )
			{
				const int32_t* other = all + 3 * (size_t)order[j];
				if ( pnSameCorners( t, other ) )
				{
					turns += pnTurnOf( other );
					first = first && ( j >= i || ( !flat && pnTurnOf( other ) != pnTurnOf( t ) ) );
				}
			}
			if ( first && ( flat || turns * pnTurnOf( t ) > 0 ) )
			{
				memcpy( kept + 3 * (size_t)keptCount++, t, 3 * sizeof( int32_t ) );
			}
		}
	}
	return keptCount;
}

bool pnCoverPoints( const pnVec3* points, int count, pnScratch* keep, int32_t** triangles, int* triangleCount, uint8_t** outer )
{
	pnScratch scratch = { 0 };
	pnPointTree tree;
	double spacing = 0.0;
	bool fine = pnBuildPointTree( &tree, points, NULL, count, &scratch ) && pnFindSpacing( points, count, &tree, &scratch, &spacing );
	pnCells c = { .points = points, .count = count, .box = pnFindBounds( points, count ) };
	float size = pnGetLargestExtent( c.box ), at[3] = { 0 }, extent[3] = { c.box.upper.x - c.box.lower.x, c.box.upper.y - c.box.lower.y, c.box.upper.z - c.box.lower.z };
	int cellCount = 1, faceCount = 0, allCount = 0, keptCount = 0;
	c.cell = 0.5f * (float)spacing;
	c.cell = c.cell > size / (float)pn_mostCells ? c.cell : size / (float)pn_mostCells;
	c.cell = c.cell > 1e-20f ? c.cell : 1.0f;
	c.reach = 0.8f * (float)spacing > 1.01f * c.cell ? 0.8f * (float)spacing : 1.01f * c.cell; // at least the cell it is in
	int around = (int)( c.reach / c.cell ) + 2;
	for ( int k = 0; k < 3; ++k )
	{
		c.size[k] = (int)( extent[k] / c.cell ) + 2 * around + 2;
		cellCount *= c.size[k];
		at[k] = (float)around * c.cell;
	}
	c.box.lower = pnSub( c.box.lower, pnMakeVec3( at[0], at[1], at[2] ) );
	int32_t *stack = NULL, *all = NULL, *cornerPoint = NULL;
	float* near2 = NULL;
	c.filled = fine ? pnTakeArray( &scratch, uint8_t, cellCount ) : NULL;
	stack = fine ? pnTakeArray( &scratch, int32_t, cellCount ) : NULL;
	fine = fine && !scratch.failed;
	int cornerCount = ( c.size[0] + 1 ) * ( c.size[1] + 1 ) * ( c.size[2] + 1 );
	if ( fine )
	{
		pnFillCells( &c );
		pnFloodOutside( &c, stack );
		faceCount = pnListFaces( &c, NULL );
		all = pnTakeArray( &scratch, int32_t, 6 * (size_t)faceCount );
		cornerPoint = pnTakeArray( &scratch, int32_t, cornerCount );
		near2 = pnTakeArray( &scratch, float, cornerCount );
		*triangles = pnTakeArray( keep, int32_t, 6 * (size_t)faceCount + 3 * (size_t)count );
		*outer = pnTakeArray( keep, uint8_t, count );
		fine = !scratch.failed && !keep->failed;
	}
	if ( fine )
	{
		pnMarkOuter( &c, stack, *outer );
	}
	uint64_t *keys = fine ? pnTakeArray( &scratch, uint64_t, 2 * (size_t)faceCount ) : NULL, *spareKeys = fine ? pnTakeArray( &scratch, uint64_t, 2 * (size_t)faceCount ) : NULL;
	int32_t *order = fine ? pnTakeArray( &scratch, int32_t, 2 * (size_t)faceCount ) : NULL, *spareOrder = fine ? pnTakeArray( &scratch, int32_t, 2 * (size_t)faceCount ) : NULL;
	fine = fine && !scratch.failed;
	if ( fine )
	{
		pnListFaces( &c, all );
		pnFindCornerPoints( &c, all, faceCount, cornerPoint, near2 );
		for ( int f = 0; f < 2 * faceCount; ++f )
		{
			int32_t t[3];
			for ( int k = 0; k < 3; ++k )
			{
				t[k] = cornerPoint[all[3 * f + k]] - 1;
			}
			if ( t[0] != t[1] && t[1] != t[2] && t[2] != t[0] )
			{
				memcpy( all + 3 * (size_t)allCount, t, sizeof t );
				keys[allCount] = pnTriangleKey( t );
				order[allCount] = allCount;
				allCount += 1;
			}
		}
		if ( allCount > 0 )
		{
			pnSortByKey( keys, order, spareKeys, spareOrder, allCount );
			keptCount = pnMelt( all, order, keys, allCount, false, *triangles );
			keptCount = keptCount > 0 ? keptCount : pnMelt( all, order, keys, allCount, true, *triangles );
		}
		// Along a line: from each point to the next one of those that come after it.
		for ( int i = 0; i < count && allCount == 0; ++i )
		{
			int32_t found[8];
			double distances2[8];
			int got = pnFindNearest( &tree, points[i], 8, found, distances2 ), next = -1;
			for ( int k = 0; k < got && next < 0; ++k )
			{
				next = found[k] > i ? found[k] : -1;
			}
			int32_t t[3] = { i, next < 0 ? i : next, next < 0 ? i : next };
			if ( next >= 0 || keptCount == 0 )
			{
				memcpy( *triangles + 3 * (size_t)keptCount++, t, sizeof t );
			}
		}
	}
	*triangleCount = keptCount;
	pnGiveBack( &scratch );
	return fine;
}
