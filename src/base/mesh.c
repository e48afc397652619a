// mesh.c - surfaces and tetrahedra as arrays: closed or not, volume, filling, boundary, normals. Knows no solids.
#include "mesh.h"

#include <math.h>

typedef struct pnSpan { double x, y, z; } pnSpan; // from one point to another

static pnSpan pnGetSpan( const pnVec3* a, const pnVec3* b )
{
	return (pnSpan){ (double)a->x - (double)b->x, (double)a->y - (double)b->y, (double)a->z - (double)b->z };
}

static pnSpan pnCrossSpans( pnSpan a, pnSpan b )
{
	return (pnSpan){ a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x };
}

static double pnDotSpans( pnSpan a, pnSpan b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

double pnGetTetrahedronVolume( const pnVec3* a, const pnVec3* b, const pnVec3* c, const pnVec3* d )
{
	return pnDotSpans( pnCrossSpans( pnGetSpan( b, a ), pnGetSpan( c, a ) ), pnGetSpan( d, a ) ) / 6.0;
}

static bool pnIsDegenerate( const int32_t* triangle )
{
	return triangle[0] == triangle[1] || triangle[1] == triangle[2] || triangle[2] == triangle[0];
}

// ---- closed surfaces ----

// Sets of triangles that hang together, each with its side relative to the set's root: bit 0 of a link.
static int32_t pnFindRoot( int32_t* links, int32_t triangle, int32_t* side )
{
	int32_t root = triangle, toRoot = 0;
	while ( links[root] >> 1 != root )
	{
		toRoot ^= links[root] & 1;
		root = links[root] >> 1;
	}
	*side = toRoot;
	while ( triangle != root ) // shortens the way for the next time
	{
		int32_t next = links[triangle] >> 1, nextSide = toRoot ^ ( links[triangle] & 1 );
		links[triangle] = 2 * root | toRoot;
		toRoot = nextSide;
		triangle = next;
	}
	return root;
}

// Turns triangles so that any two that share an edge alone look the same way, each set outward. False: there is no such way.
static bool pnAgreeOnSides( const uint64_t* edges, const int32_t* corners, int edgeCount, const int32_t* triangles, const double* volumes,
							int triangleCount, int32_t* links, double* setVolumes, uint8_t* turned )
{
	for ( int i = 0; i < triangleCount; ++i )
	{
		links[i] = 2 * i;
		setVolumes[i] = 0.0;
	}
	for ( int begin = 0, end; begin < edgeCount; begin = end )
	{
		end = begin + 1;
		while ( end < edgeCount && edges[end] == edges[begin] )
		{
			end += 1;
		}
		if ( end - begin != 2 )
		{
			continue;
		}
		// Two triangles that look the same way run along their edge in opposite directions, and so start it at different corners.
		int32_t differ = triangles[corners[begin]] == triangles[corners[begin + 1]];
		int32_t sideA, sideB;
		int32_t rootA = pnFindRoot( links, corners[begin] / 3, &sideA ), rootB = pnFindRoot( links, corners[begin + 1] / 3, &sideB );
		if ( rootA == rootB && ( sideA ^ sideB ) != differ )
		{
			return false;
		}
		if ( rootA != rootB )
		{
			int32_t low = rootA < rootB ? rootA : rootB, high = rootA < rootB ? rootB : rootA;
			links[high] = 2 * low | ( sideA ^ sideB ^ differ );
		}
	}
	int32_t side;
	for ( int i = 0; i < triangleCount; ++i )
	{
		int32_t root = pnFindRoot( links, i, &side );
		setVolumes[root] += side != 0 ? -volumes[i] : volumes[i];
	}
	for ( int i = 0; i < triangleCount; ++i )
	{
		int32_t root = pnFindRoot( links, i, &side );
		turned[i] = (uint8_t)( side != ( setVolumes[root] < 0.0 ) );
	}
	return true;
}

bool pnExamineSurface( const pnVec3* points, const int32_t* triangles, int triangleCount, uint8_t* turned, pnSurfaceInfo* info )
{
	*info = (pnSurfaceInfo){ false, 0.0 };
	pnScratch scratch = { 0 };
	uint64_t* edges = pnTakeArray( &scratch, uint64_t, 3 * (size_t)triangleCount ); // lower corner, higher corner
	uint64_t* spareEdges = pnTakeArray( &scratch, uint64_t, 3 * (size_t)triangleCount );
	int32_t* corners = pnTakeArray( &scratch, int32_t, 3 * (size_t)triangleCount ); // at which an edge starts
	int32_t* spareCorners = pnTakeArray( &scratch, int32_t, 3 * (size_t)triangleCount );
	double* volumes = pnTakeArray( &scratch, double, triangleCount ); // over the first point; in a closed surface it does not matter which
	double* setVolumes = pnTakeArray( &scratch, double, triangleCount );
	int32_t* links = pnTakeArray( &scratch, int32_t, triangleCount );
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return false;
	}

	int edgeCount = 0;
	for ( int i = 0; i < triangleCount; ++i )
	{
		const int32_t* t = triangles + 3 * i;
		turned[i] = 0;
		if ( pnIsDegenerate( t ) )
		{
			continue;
		}
		volumes[i] = pnGetTetrahedronVolume( points + triangles[0], points + t[0], points + t[1], points + t[2] );
		for ( int k = 0; k < 3; ++k )
		{
			uint64_t a = (uint64_t)t[k], b = (uint64_t)t[( k + 1 ) % 3];
			edges[edgeCount] = a < b ? a << 32 | b : b << 32 | a;
			corners[edgeCount++] = 3 * i + k;
		}
	}
	pnSortByKey( edges, corners, spareEdges, spareCorners, edgeCount );

	bool closed = edgeCount > 0, agree = true;
	for ( int begin = 0, end; begin < edgeCount && closed; begin = end )
	{
		int balance = 0;
		for ( end = begin; end < edgeCount && edges[end] == edges[begin]; ++end )
		{
			balance += triangles[corners[end]] == (int32_t)( edges[begin] >> 32 ) ? 1 : -1;
		}
		closed = ( end - begin ) % 2 == 0;
		agree = agree && balance == 0;
	}
	if ( closed && agree )
	{
		// The sides agree: the whole looks outward or inward. Parts are not judged alone, because a hollow looks inward rightly.
		double volume = 0.0;
		for ( int i = 0; i < triangleCount; ++i )
		{
			volume += volumes[i];
		}
		memset( turned, volume < 0.0, (size_t)triangleCount );
	}
	else if ( closed )
	{
		closed = pnAgreeOnSides( edges, corners, edgeCount, triangles, volumes, triangleCount, links, setVolumes, turned );
	}
	for ( int i = 0; closed && i < triangleCount; ++i )
	{
		info->volume += turned[i] != 0 ? -volumes[i] : volumes[i];
	}
	info->closed = closed;
	pnGiveBack( &scratch );
	return true;
}

// ---- filling ----

enum { PN_MAX_GRID = 1 << 23 }; // grid points over the bounds; more would be a slip of the unit

// On which side of the edge a->b, seen along an axis, the place p lies: > 0 left. Exact for float coordinates of like size; a tie
// is broken as if p lay a little to the right and far less up, so that of all triangles around an edge or corner the right ones are hit.
static int pnGetSide( const double a[2], const double b[2], const double p[2], double* area )
{
	// From the same end whichever triangle asks, so that rounding cannot make two neighbours disagree.
	bool swapped = b[0] < a[0] || ( b[0] == a[0] && b[1] < a[1] );
	const double* from = swapped ? b : a;
	const double* to = swapped ? a : b;
	double side = ( to[0] - from[0] ) * ( p[1] - from[1] ) - ( to[1] - from[1] ) * ( p[0] - from[0] );
	int sign = side > 0.0 ? 1 : side < 0.0 ? -1 : to[1] < from[1] ? 1 : to[1] > from[1] ? -1 : to[0] > from[0] ? 1 : 0;
	*area = swapped ? -side : side;
	return swapped ? -sign : sign;
}

typedef struct pnGrid
{
	float* lines[3]; // coordinates along each axis; floats, for pnGetSide to be exact
	int counts[3];
	double lower[3], spacing;
} pnGrid;

// The first line of an axis at or after a coordinate; counts[axis] if there is none.
static int pnFindLine( const pnGrid* grid, int axis, double coordinate )
{
	double guess = floor( ( coordinate - grid->lower[axis] ) / grid->spacing );
	int count = grid->counts[axis];
	int line = guess <= 0.0 ? 0 : guess >= (double)count ? count : (int)guess;
	while ( line > 0 && (double)grid->lines[axis][line - 1] >= coordinate )
	{
		line -= 1;
	}
	while ( line < count && (double)grid->lines[axis][line] < coordinate )
	{
		line += 1;
	}
	return line;
}

// Adds to each grid point how often the two ways out along one axis cross the surface outward, less how often inward; marks those
// that have a crossing right beside them.
static void pnCountCrossings( const pnGrid* grid, int axis, const pnVec3* points, const int32_t* triangles, int triangleCount, int32_t* changes,
							  int32_t* crossings, uint8_t* beside )
{
	int u = ( axis + 1 ) % 3, v = ( axis + 2 ) % 3;
	int strides[3] = { 1, grid->counts[0], grid->counts[0] * grid->counts[1] };
	int pointCount = grid->counts[0] * grid->counts[1] * grid->counts[2];
	memset( changes, 0, (size_t)pointCount * sizeof( int32_t ) );
	for ( int i = 0; i < triangleCount; ++i )
	{
		double flat[3][2], height[3];
		for ( int k = 0; k < 3; ++k )
		{
			const pnVec3* point = points + triangles[3 * i + k];
			flat[k][0] = (double)pnGetAxis( point, u );
			flat[k][1] = (double)pnGetAxis( point, v );
			height[k] = (double)pnGetAxis( point, axis );
		}
		double lower[2], upper[2];
		for ( int k = 0; k < 2; ++k )
		{
			lower[k] = flat[0][k] < flat[1][k] ? flat[0][k] : flat[1][k];
			lower[k] = lower[k] < flat[2][k] ? lower[k] : flat[2][k];
			upper[k] = flat[0][k] > flat[1][k] ? flat[0][k] : flat[1][k];
			upper[k] = upper[k] > flat[2][k] ? upper[k] : flat[2][k];
		}
		int firstU = pnFindLine( grid, u, lower[0] ), firstV = pnFindLine( grid, v, lower[1] );
		for ( int lineV = firstV; lineV < grid->counts[v] && (double)grid->lines[v][lineV] <= upper[1]; ++lineV )
		{
			for ( int lineU = firstU; lineU < grid->counts[u] && (double)grid->lines[u][lineU] <= upper[0]; ++lineU )
			{
				double place[2] = { (double)grid->lines[u][lineU], (double)grid->lines[v][lineV] };
				double areas[3];
				int side = pnGetSide( flat[1], flat[2], place, areas + 0 );
				if ( side == 0 || pnGetSide( flat[2], flat[0], place, areas + 1 ) != side || pnGetSide( flat[0], flat[1], place, areas + 2 ) != side )
				{
					continue;
				}
				double area = areas[0] + areas[1] + areas[2];
				double crossing = area != 0.0 ? ( areas[0] * height[0] + areas[1] * height[1] + areas[2] * height[2] ) / area : height[0];
				// Before the crossing the way up goes out here; after it the way down goes in.
				int base = lineU * strides[u] + lineV * strides[v];
				int line = pnFindLine( grid, axis, crossing );
				double reach = 0.3 * grid->spacing;
				changes[base] += side;
				if ( line < grid->counts[axis] )
				{
					changes[base + line * strides[axis]] -= 2 * side;
					beside[base + line * strides[axis]] |= (double)grid->lines[axis][line] - crossing < reach;
				}
				if ( line > 0 )
				{
					beside[base + ( line - 1 ) * strides[axis]] |= crossing - (double)grid->lines[axis][line - 1] < reach;
				}
			}
		}
	}
	for ( int lineV = 0; lineV < grid->counts[v]; ++lineV )
	{
		for ( int lineU = 0; lineU < grid->counts[u]; ++lineU )
		{
			int32_t sum = 0;
			for ( int line = 0, at = lineU * strides[u] + lineV * strides[v]; line < grid->counts[axis]; ++line, at += strides[axis] )
			{
				sum += changes[at];
				crossings[at] += sum;
			}
		}
	}
}

pnResult pnFillSurface( const pnVec3* points, const int32_t* triangles, int triangleCount, double spacing, const pnPointTree* tree,
						pnScratch* scratch, pnVec3** filled, int* filledCount )
{
	*filled = NULL;
	*filledCount = 0;
	if ( triangleCount == 0 )
	{
		return pn_success;
	}
	pnAABB bounds = { points[triangles[0]], points[triangles[0]] };
	for ( int i = 1; i < 3 * triangleCount; ++i )
	{
		bounds.lower = pnMin3( bounds.lower, points[triangles[i]] );
		bounds.upper = pnMax3( bounds.upper, points[triangles[i]] );
	}

	// As many lines as fit with half a spacing to spare on both sides.
	pnGrid grid = { .spacing = spacing };
	double wanted = 1.0;
	for ( int axis = 0; axis < 3; ++axis )
	{
		double lower = (double)pnGetAxis( &bounds.lower, axis ), upper = (double)pnGetAxis( &bounds.upper, axis );
		double count = floor( ( upper - lower ) / spacing * ( 1.0 + 1e-9 ) );
		count = count > 1.0 ? count : 1.0;
		wanted *= count;
		if ( wanted > (double)PN_MAX_GRID )
		{
			return pn_invalidInput;
		}
		grid.counts[axis] = (int)count;
		grid.lower[axis] = 0.5 * ( lower + upper ) - 0.5 * ( count - 1.0 ) * spacing;
	}
	int gridCount = (int)wanted;
	pnScratch local = { 0 };
	for ( int axis = 0; axis < 3; ++axis )
	{
		grid.lines[axis] = pnTakeArray( &local, float, grid.counts[axis] );
		for ( int line = 0; !local.failed && line < grid.counts[axis]; ++line )
		{
			grid.lines[axis][line] = (float)( grid.lower[axis] + spacing * (double)line );
		}
	}
	int32_t* changes = pnTakeArray( &local, int32_t, gridCount );
	int32_t* crossings = pnTakeArray( &local, int32_t, gridCount );
	uint8_t* beside = pnTakeArray( &local, uint8_t, gridCount );
	uint8_t* inside = pnTakeArray( &local, uint8_t, gridCount );
	if ( local.failed )
	{
		pnGiveBack( &local );
		return pn_outOfMemory;
	}
	for ( int axis = 0; axis < 3; ++axis )
	{
		pnCountCrossings( &grid, axis, points, triangles, triangleCount, changes, crossings, beside );
	}

	// The mean over the six ways out estimates the winding number, 1 or -1 inside and 0 outside where there are no holes.
	int count = 0, at = 0;
	pnVec3 place;
	for ( int z = 0; z < grid.counts[2]; ++z )
	{
		place.z = grid.lines[2][z];
		for ( int y = 0; y < grid.counts[1]; ++y )
		{
			place.y = grid.lines[1][y];
			for ( int x = 0; x < grid.counts[0]; ++x, ++at )
			{
				place.x = grid.lines[0][x];
				int32_t nearest;
				double distance2;
				if ( ( crossings[at] > 3 || crossings[at] < -3 ) && beside[at] == 0 )
				{
					inside[at] = pnFindNearest( tree, place, 1, &nearest, &distance2 ) == 0 || distance2 >= 0.24 * spacing * spacing;
					count += inside[at];
				}
			}
		}
	}
	pnVec3* found = pnTakeArray( scratch, pnVec3, count );
	if ( !scratch->failed )
	{
		*filled = found;
		*filledCount = count;
		for ( int i = 0, next = 0; i < gridCount; ++i )
		{
			if ( inside[i] != 0 )
			{
				int row = i / grid.counts[0];
				found[next++] = pnMakeVec3( grid.lines[0][i % grid.counts[0]], grid.lines[1][row % grid.counts[1]], grid.lines[2][row / grid.counts[1]] );
			}
		}
	}
	pnGiveBack( &local );
	return scratch->failed ? pn_outOfMemory : pn_success;
}

// ---- tetrahedra ----

// Corners of the faces of a tetrahedron with positive volume, outward.
static const int pn_faces[4][3] = { { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } };

int pnFindBoundary( const pnVec3* points, const int32_t* same, const int32_t* tetrahedra, int tetrahedronCount, int32_t* triangles )
{
	pnScratch scratch = { 0 };
	int faceCount = 4 * tetrahedronCount;
	uint64_t* keys = pnTakeArray( &scratch, uint64_t, faceCount );
	uint64_t* spareKeys = pnTakeArray( &scratch, uint64_t, faceCount );
	int32_t* faces = pnTakeArray( &scratch, int32_t, faceCount );
	int32_t* spareFaces = pnTakeArray( &scratch, int32_t, faceCount );
	int32_t( *corners )[3] = pnTakeBlock( &scratch, (size_t)faceCount, sizeof( int32_t[3] ), true ); // rising
	uint8_t* outside = pnTakeArray( &scratch, uint8_t, faceCount );
	if ( scratch.failed )
	{
		pnGiveBack( &scratch );
		return -1;
	}

	for ( int i = 0; i < faceCount; ++i )
	{
		int32_t a = same[tetrahedra[4 * ( i / 4 ) + pn_faces[i % 4][0]]];
		int32_t b = same[tetrahedra[4 * ( i / 4 ) + pn_faces[i % 4][1]]];
		int32_t c = same[tetrahedra[4 * ( i / 4 ) + pn_faces[i % 4][2]]];
		int32_t low = a < b ? a : b, high = a < b ? b : a;
		corners[i][0] = low < c ? low : c;
		corners[i][2] = high > c ? high : c;
		corners[i][1] = low < c ? ( high < c ? high : c ) : low;
		keys[i] = (uint64_t)corners[i][2];
		faces[i] = i;
	}
	// By the third corner, then by the first two: the sort keeps the order of equals.
	pnSortByKey( keys, faces, spareKeys, spareFaces, faceCount );
	for ( int i = 0; i < faceCount; ++i )
	{
		keys[i] = (uint64_t)corners[faces[i]][0] << 32 | (uint64_t)corners[faces[i]][1];
	}
	pnSortByKey( keys, faces, spareKeys, spareFaces, faceCount );
	for ( int begin = 0, end; begin < faceCount; begin = end )
	{
		for ( end = begin + 1; end < faceCount && keys[end] == keys[begin] && corners[faces[end]][2] == corners[faces[begin]][2]; ++end )
		{
		}
		outside[faces[begin]] = end - begin == 1 && !pnIsDegenerate( corners[faces[begin]] );
	}

	int count = 0;
	for ( int i = 0; i < tetrahedronCount; ++i )
	{
		const int32_t* t = tetrahedra + 4 * i;
		bool inverted = pnGetTetrahedronVolume( points + t[0], points + t[1], points + t[2], points + t[3] ) < 0.0;
		for ( int face = 0; face < 4; ++face )
		{
			if ( outside[4 * i + face] != 0 )
			{
				triangles[3 * count + 0] = t[pn_faces[face][0]];
				triangles[3 * count + 1] = t[pn_faces[face][inverted ? 2 : 1]];
				triangles[3 * count + 2] = t[pn_faces[face][inverted ? 1 : 2]];
				count += 1;
			}
		}
	}
	pnGiveBack( &scratch );
	return count;
}

// ---- normals ----

void pnComputeNormals( const pnVec3* vertices, const int32_t* weld, int vertexCount, const int32_t* triangles, int triangleCount, pnVec3* normals )
{
	memset( normals, 0, (size_t)vertexCount * sizeof( pnVec3 ) );
	for ( int i = 0; i < triangleCount; ++i )
	{
		const int32_t* t = triangles + 3 * i;
		pnSpan area = pnCrossSpans( pnGetSpan( vertices + t[1], vertices + t[0] ), pnGetSpan( vertices + t[2], vertices + t[0] ) );
		for ( int k = 0; k < 3; ++k )
		{
			pnVec3* normal = normals + weld[t[k]];
			*normal = pnAdd( *normal, pnMakeVec3( (float)area.x, (float)area.y, (float)area.z ) );
		}
	}
	for ( int i = 0; i < vertexCount; ++i )
	{
		// The lowest of a group comes first, so that the others find it done.
		normals[i] = weld[i] == i ? pnUnitOr( normals[i], pnUnitOr( vertices[i], pnMakeVec3( 0.0f, 0.0f, 1.0f ) ) ) : normals[weld[i]];
	}
}
