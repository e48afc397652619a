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
	int words; // of a row of cells along x, a bit each; one more than they need, so that bits may be read across the end
	uint64_t* filled; // of cells, and of what is beyond the last of a row
	uint64_t* outside; // of cells: empty, and reached from outside
} pnCells;

static const int pn_mostCells = 96; // along the longest axis
enum { PN_MOST_AROUND = 16 }; // cells along an axis that a point reaches to: seven on either side would be 3.5 of the points' spacing

static size_t pnRowOf( const pnCells* c, int y, int z )
{
	return (size_t)( z * c->size[1] + y ) * (size_t)c->words;
}

static uint64_t pnGetBits( const uint64_t* row, int from, int count ) // count < 64
{
	int shift = from & 63;
	row += from >> 6;
	uint64_t bits = shift == 0 ? row[0] : row[0] >> shift | row[1] << ( 64 - shift );
	return bits & ( ( (uint64_t)1 << count ) - 1 );
}

static void pnAddBits( uint64_t* row, int from, uint64_t bits )
{
	int shift = from & 63;
	row += from >> 6;
	row[0] |= bits << shift;
	row[1] |= shift == 0 ? 0 : bits >> ( 64 - shift );
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
static bool pnFindSpacing( const pnVec3* points, int count, pnScratch* scratch, double* spacing )
{
	enum { most = 500, wanted = 7 }; // itself among them
	int stride = count / most + 1, taken = 0, all = count < wanted ? count : wanted;
	double* distances = pnTakeArray( scratch, double, count / stride + 1 );
	pnNearSearch search;
	bool done = pnStartNearSearch( &search, points, count, scratch );
	double reach = search.reach;
	for ( int i = 0; i < count && done && !scratch->failed; i += stride )
	{
		int32_t found[wanted];
		double distances2[wanted];
		while ( pnFindNearestInCells( &search.cells, points[i], reach, wanted, found, distances2 ) < all && reach < 1e30 )
		{
			reach = 1.5 * reach + 1e-30;
		}
		distances[taken++] = __builtin_sqrt( distances2[all - 1] );
		reach = 1.2 * distances[taken - 1] + 1e-30; // the next one is as far from others
	}
	done = done && !scratch->failed;
	*spacing = done ? distances[pnByDistance( distances, taken )] : 0.0;
	return done;
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
	for ( int row = 0; row < c->size[1] * c->size[2]; ++row )
	{
		for ( int w = 0; w < c->words; ++w ) // beyond the last of a row
		{
			int left = c->size[0] - 64 * w;
			c->filled[(size_t)row * (size_t)c->words + (size_t)w] = left <= 0 ? ~(uint64_t)0 : left < 64 ? ~(uint64_t)0 << left : 0;
		}
	}
	for ( int i = 0; i < c->count; ++i )
	{
		pnAround n;
		pnLookAround( c, c->points[i], around, 0.5f, 1, -2, &n );
		for ( int z = n.from[2]; z <= n.to[2]; ++z )
			for ( int y = n.from[1]; y <= n.to[1]; ++y )
			{
				float zz = n.way2[2][z - n.from[2]], yy = n.way2[1][y - n.from[1]];
				int first = 0, last = n.to[0] - n.from[0];
				while ( first <= last && n.way2[0][first] + yy + zz > reach2 )
				{
					first += 1;
				}
				while ( first <= last && n.way2[0][last] + yy + zz > reach2 )
				{
					last -= 1;
				}
				if ( first <= last )
				{
					pnAddBits( c->filled + pnRowOf( c, y, z ), n.from[0] + first, ( (uint64_t)2 << ( last - first ) ) - 1 );
				}
			}
	}
}

// Of the cells of a row, those next to each other that are empty are outside together.
static void pnFloodRow( const uint64_t* filled, uint64_t* outside, int words )
{
	uint64_t changed;
	do
	{
		changed = 0;
		for ( int w = 0; w < words; ++w )
		{
			uint64_t own = outside[w], up = own << 1 | ( w > 0 ? outside[w - 1] >> 63 : 0 ), down = own >> 1 | ( w + 1 < words ? outside[w + 1] << 63 : 0 );
			outside[w] = ( own | up | down ) & ~filled[w];
			changed |= outside[w] ^ own;
		}
	}
	while ( changed != 0 );
}

// What cannot be reached from outside is inside: holes between points do not matter. stack, waits: room for a number of each row.
static void pnFloodOutside( pnCells* c, int32_t* stack, uint8_t* waits )
{
	int count = 0, words = c->words;
	c->outside[0] = 1;
	stack[count++] = 0;
	pnFloodRow( c->filled, c->outside, words );
	while ( count > 0 )
	{
		int row = stack[--count], place[2] = { row % c->size[1], row / c->size[1] }, step[2] = { 1, c->size[1] };
		const uint64_t* own = c->outside + (size_t)row * (size_t)words;
		waits[row] = 0;
		for ( int k = 0; k < 4; ++k )
		{
			int axis = k / 2, way = k % 2 == 0 ? -1 : 1, beside = place[axis] + way, other = row + way * step[axis];
			if ( beside < 0 || beside >= c->size[1 + axis] )
			{
				continue;
			}
			uint64_t *outside = c->outside + (size_t)other * (size_t)words, *filled = c->filled + (size_t)other * (size_t)words, reached = 0;
			for ( int w = 0; w < words; ++w )
			{
				uint64_t more = own[w] & ~filled[w] & ~outside[w];
				outside[w] |= more;
				reached |= more;
			}
			if ( reached != 0 )
			{
				pnFloodRow( filled, outside, words );
				if ( waits[other] == 0 )
				{
					waits[other] = 1;
					stack[count++] = other;
				}
			}
		}
	}
}

// Of each row the bits of the next `count` of its plane, itself among them: what has none is passed by at once.
static void pnGatherRows( const uint64_t* rows, int words, int ny, int nz, int count, uint64_t* gathered )
{
	for ( int row = 0; row < ny * nz; ++row )
	{
		int most = ny - row % ny < count ? ny - row % ny : count;
		for ( int w = 0; w < words; ++w )
		{
			uint64_t bits = 0;
			for ( int k = 0; k < most; ++k )
			{
				bits |= rows[(size_t)( row + k ) * (size_t)words + (size_t)w];
			}
			gathered[(size_t)row * (size_t)words + (size_t)w] = bits;
		}
	}
}

// Corners of cells move to the nearest point, and a point may be nobody's nearest although it is at the outside: it must be watched all the same.
// gathered: room for rows.
static void pnMarkOuter( const pnCells* c, uint64_t* gathered, uint8_t* outer )
{
	float low[3] = { c->box.lower.x, c->box.lower.y, c->box.lower.z }, far = 1.75f * c->reach; // the outside begins between one and two cells beyond the reach; behind one layer of points, beyond 2.1 of it
	int around = (int)( far / c->cell ) + 1;
	pnGatherRows( c->outside, c->words, c->size[1], c->size[2], 2 * around + 1, gathered );
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
		{
			bool any = pnGetBits( gathered + pnRowOf( c, from[1], z ), from[0], to[0] - from[0] + 1 ) != 0;
			for ( int y = from[1]; y <= to[1] && any && !outer[i]; ++y )
			{
				uint64_t bits = pnGetBits( c->outside + pnRowOf( c, y, z ), from[0], to[0] - from[0] + 1 );
				for ( ; bits != 0 && !outer[i]; bits &= bits - 1 )
				{
					int x = from[0] + __builtin_ctzll( bits );
					pnVec3 middle = { low[0] + c->cell * ( (float)x + 0.5f ), low[1] + c->cell * ( (float)y + 0.5f ), low[2] + c->cell * ( (float)z + 0.5f ) };
					pnVec3 way = pnSub( middle, c->points[i] );
					outer[i] = pnDot( way, way ) <= far * far;
				}
			}
		}
	}
}

// Faces between outside and the rest, each as two triangles of cell corners (index: corners of a grid one larger). All cells along the border are outside. With faces NULL only counts.
static int pnListFaces( const pnCells* c, int32_t* faces )
{
	int count = 0, words = c->words;
	ptrdiff_t step[3] = { 0, words, (ptrdiff_t)words * c->size[1] };
	int cornerStep[3] = { 1, c->size[0] + 1, ( c->size[0] + 1 ) * ( c->size[1] + 1 ) };
	for ( int z = 1; z < c->size[2] - 1; ++z )
		for ( int y = 1; y < c->size[1] - 1; ++y )
			for ( int w = 0; 64 * w < c->size[0]; ++w )
			{
				const uint64_t* row = c->outside + pnRowOf( c, y, z ) + w;
				uint64_t beside[6] = { row[0] << 1 | ( w > 0 ? row[-1] >> 63 : 0 ), row[0] >> 1 | row[1] << 63, row[-step[1]], row[step[1]], row[-step[2]], row[step[2]] };
				uint64_t inside = ~row[0] & ( 64 * w + 64 <= c->size[0] ? ~(uint64_t)0 : ( (uint64_t)1 << ( c->size[0] & 63 ) ) - 1 );
				uint64_t bits = inside & ( beside[0] | beside[1] | beside[2] | beside[3] | beside[4] | beside[5] );
				for ( ; bits != 0; bits &= bits - 1 )
				{
					int bit = __builtin_ctzll( bits ), corner = 64 * w + bit + y * cornerStep[1] + z * cornerStep[2];
					for ( int k = 0; k < 6; ++k )
					{
						int axis = k / 2, up = k % 2, u = cornerStep[( axis + 1 ) % 3], v = cornerStep[( axis + 2 ) % 3];
						if ( ( beside[k] >> bit & 1 ) == 0 )
						{
							continue;
						}
						int base = corner + up * cornerStep[axis], quad[4] = { base, base + u, base + u + v, base + v };
						int order[6] = { 0, up ? 1 : 2, up ? 2 : 1, 0, up ? 2 : 3, up ? 3 : 2 };
						for ( int i = 0; i < 6 && faces != NULL; ++i )
						{
							faces[6 * (size_t)count + (size_t)i] = quad[order[i]];
						}
						count += 1;
					}
				}
			}
	return count;
}

// The cells around the corners of a row at y and z, which are in four rows: which corners have cells around them that are not outside, but not all of them.
static void pnFindCorners( const pnCells* c, int y, int z, uint64_t* corners )
{
	for ( int w = 0; w < c->words; ++w )
	{
		corners[w] = 0;
	}
	if ( y == 0 || y == c->size[1] || z == 0 || z == c->size[2] )
	{
		return; // along the border there are no faces
	}
	uint64_t anyBefore = 0, allBefore = 0;
	for ( int w = 0; 64 * w < c->size[0]; ++w )
	{
		uint64_t any = 0, all = ~(uint64_t)0, own = 64 * w + 64 <= c->size[0] ? ~(uint64_t)0 : ( (uint64_t)1 << ( c->size[0] & 63 ) ) - 1;
		for ( int k = 0; k < 4; ++k )
		{
			uint64_t inside = ~c->outside[pnRowOf( c, y - k % 2, z - k / 2 ) + (size_t)w] & own;
			any |= inside, all &= inside;
		}
		corners[w] = ( any | any << 1 | anyBefore ) & ~( all & ( all << 1 | allBefore ) );
		anyBefore = any >> 63, allBefore = all >> 63;
	}
}

// The point nearest to each corner of a face; the first of those that are as near. Next to a corner is a cell whose middle is within a point's reach, so it is not far.
// cornerPoint: 1 + the point, of corners of faces; near2: room for as many numbers. corners, gathered: room for a row of bits for each row of corners.
static void pnFindCornerPoints( const pnCells* c, int32_t* cornerPoint, float* near2, uint64_t* corners, uint64_t* gathered )
{
	float far = c->reach + 0.87f * c->cell; // half a cell's diagonal
	int around = (int)( far / c->cell ) + 1, nx = c->size[0] + 1, ny = c->size[1] + 1, nz = c->size[2] + 1;
	for ( int row = 0; row < ny * nz; ++row )
	{
		uint64_t* bits = corners + (size_t)row * (size_t)c->words;
		pnFindCorners( c, row % ny, row / ny, bits );
		for ( int w = 0; w < c->words; ++w )
		{
			for ( uint64_t left = bits[w]; left != 0; left &= left - 1 )
			{
				near2[row * nx + 64 * w + __builtin_ctzll( left )] = 1e30f;
			}
		}
	}
	pnGatherRows( corners, c->words, ny, nz, 2 * around + 1, gathered );
	for ( int i = 0; i < c->count; ++i )
	{
		pnAround n;
		pnLookAround( c, c->points[i], around, 0.0f, 0, 0, &n );
		for ( int z = n.from[2]; z <= n.to[2]; ++z )
		{
			bool any = pnGetBits( gathered + (size_t)( z * ny + n.from[1] ) * (size_t)c->words, n.from[0], n.to[0] - n.from[0] + 1 ) != 0;
			for ( int y = n.from[1]; y <= n.to[1] && any; ++y )
			{
				float across2 = n.way2[1][y - n.from[1]] + n.way2[2][z - n.from[2]];
				int row = z * ny + y;
				uint64_t bits = pnGetBits( corners + (size_t)row * (size_t)c->words, n.from[0], n.to[0] - n.from[0] + 1 );
				for ( ; bits != 0; bits &= bits - 1 )
				{
					int x = __builtin_ctzll( bits ), at = row * nx + n.from[0] + x;
					float distance2 = n.way2[0][x] + across2;
					if ( distance2 < near2[at] )
					{
						near2[at] = distance2;
						cornerPoint[at] = i + 1;
					}
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
	double spacing = 0.0;
	bool fine = pnFindSpacing( points, count, &scratch, &spacing );
	pnCells c = { .points = points, .count = count, .box = pnFindBounds( points, count ) };
	float size = pnGetLargestExtent( c.box ), at[3] = { 0 }, extent[3] = { c.box.upper.x - c.box.lower.x, c.box.upper.y - c.box.lower.y, c.box.upper.z - c.box.lower.z };
	int faceCount = 0, allCount = 0, keptCount = 0;
	c.cell = 0.5f * (float)spacing;
	c.cell = c.cell > size / (float)pn_mostCells ? c.cell : size / (float)pn_mostCells;
	c.cell = c.cell > 1e-20f ? c.cell : 1.0f;
	c.reach = 0.8f * (float)spacing > 1.01f * c.cell ? 0.8f * (float)spacing : 1.01f * c.cell; // at least the cell it is in
	int around = (int)( c.reach / c.cell ) + 2;
	for ( int k = 0; k < 3; ++k )
	{
		c.size[k] = (int)( extent[k] / c.cell ) + 2 * around + 2;
		at[k] = (float)around * c.cell;
	}
	c.box.lower = pnSub( c.box.lower, pnMakeVec3( at[0], at[1], at[2] ) );
	c.words = c.size[0] / 64 + 2; // its corners too, which are one more
	int rowCount = c.size[1] * c.size[2], cornerCount = ( c.size[0] + 1 ) * ( c.size[1] + 1 ) * ( c.size[2] + 1 ), cornerRows = ( c.size[1] + 1 ) * ( c.size[2] + 1 );
	c.filled = fine ? pnTakeArray( &scratch, uint64_t, (size_t)rowCount * (size_t)c.words ) : NULL;
	c.outside = fine ? pnTakeArray( &scratch, uint64_t, (size_t)rowCount * (size_t)c.words ) : NULL;
	int32_t *stack = fine ? pnTakeRawArray( &scratch, int32_t, rowCount ) : NULL, *all = NULL, *cornerPoint = NULL;
	uint8_t* waits = fine ? pnTakeArray( &scratch, uint8_t, rowCount ) : NULL;
	uint64_t *corners = NULL, *gathered = NULL;
	float* near2 = NULL;
	fine = fine && !scratch.failed;
	if ( fine )
	{
		pnFillCells( &c );
		pnFloodOutside( &c, stack, waits );
		faceCount = pnListFaces( &c, NULL );
		all = pnTakeArray( &scratch, int32_t, 6 * (size_t)faceCount );
		cornerPoint = pnTakeArray( &scratch, int32_t, cornerCount );
		near2 = pnTakeRawArray( &scratch, float, cornerCount );
		corners = pnTakeRawArray( &scratch, uint64_t, (size_t)cornerRows * (size_t)c.words );
		gathered = pnTakeRawArray( &scratch, uint64_t, (size_t)cornerRows * (size_t)c.words );
		*triangles = pnTakeArray( keep, int32_t, 6 * (size_t)faceCount + 3 * (size_t)count );
		*outer = pnTakeArray( keep, uint8_t, count );
		fine = !scratch.failed && !keep->failed;
	}
	if ( fine )
	{
		pnMarkOuter( &c, gathered, *outer );
	}
	uint64_t *keys = fine ? pnTakeArray( &scratch, uint64_t, 2 * (size_t)faceCount ) : NULL, *spareKeys = fine ? pnTakeArray( &scratch, uint64_t, 2 * (size_t)faceCount ) : NULL;
	int32_t *order = fine ? pnTakeArray( &scratch, int32_t, 2 * (size_t)faceCount ) : NULL, *spareOrder = fine ? pnTakeArray( &scratch, int32_t, 2 * (size_t)faceCount ) : NULL;
	fine = fine && !scratch.failed;
	if ( fine )
	{
		pnListFaces( &c, all );
		pnFindCornerPoints( &c, cornerPoint, near2, corners, gathered );
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
		pnPointTree tree = { 0 };
		fine = allCount > 0 || pnBuildPointTree( &tree, points, NULL, count, &scratch );
		for ( int i = 0; i < count && allCount == 0 && fine; ++i )
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
